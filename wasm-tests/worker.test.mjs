// The Cloudflare Worker in workerd, in front of an origin, through the suite that all hosts share.
import fs from "node:fs";
import http from "node:http";
import { ask, config, startOrigin, suite } from "./http-suite.mjs";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";
import { startWorker, workerd } from "./workerd.mjs";

if (!fs.existsSync(workerd)) {
  skip("the Worker in workerd", "no workerd for this machine");
} else {
  const origin = await startOrigin();
  const w = await startWorker(origin.port, config);
  await suite({ base: w.base, origin });
  ok(w.memory.size > 0, "the validator memory is in the Cache API");

  // Small pages, up to 65536 bytes, are handled in one piece, wherever the place of the link is; large ones as streams.
  const link = '<link rel="alternate" type="application/json" href="https://site.example/sized/llm/"><link rel="alternate" type="text/markdown" href="https://site.example/sized/llm.md">';
  for (const [before, size] of [[0, 900], [0, 20000], [1000, 20000], [1023, 20000], [1024, 20000], [5000, 20000], [5000, 6000], [70000, 20000], [0, 70000], [5000, 70000], [39, 65436], [40, 65436]]) {
    const front = `<!doctype html><!--${"x".repeat(before)}--><html><head>`, rest = `</head><body>${"<p>words</p>".repeat(size / 12)}</body></html>`;
    origin.pages["/sized/"] = () => [200, { "content-type": "text/html; charset=utf-8", "x-odd": "\x80\x9f\xff caf\xe9", "content-length": String(front.length + rest.length) }, front + rest];
    const r = await ask(w.base, "/sized/");
    same(r.text, front + (before > 65536 ? "" : link) + rest, `a page of ${front.length + rest.length} bytes whose head begins behind ${before}`);
    same(r.headers["x-odd"], "\x80\x9f\xff caf\xe9", "header values keep their bytes");
  }
  origin.pages["/sized/"] = () => [200, { "content-type": "text/html; charset=utf-8", "content-length": "0" }, ""];
  same((await ask(w.base, "/sized/")).text, "", "a page of no bytes stays empty");

  // Pages of 2 MB, several at once, for which the core's memory grows under way.
  const long = "<p>" + "words of a long page, ".repeat(100) + "</p>\n", body = "<!doctype html><html><head><title>Long</title></head><body><main><h1>Long</h1>\n" + long.repeat(1000);
  origin.pages["/long/"] = () => [200, { "content-type": "text/html; charset=utf-8" }, body];
  const [view, ...rest] = await Promise.all(["/long/llm/", "/long/", "/long/llm.md", "/long/llm/", "/long/"].map((path) => ask(w.base, path)));
  same(JSON.parse(view.text).content.split("words of a long page").length - 1, 100000, "a machine view of 2 MB is whole");
  same(rest.map((r) => [r.status, r.text.split("words of a long page").length - 1]), Array(4).fill([200, 100000]), "and so is what others get meanwhile");

  // Many requests: the process does not grow, once the runtime has taken what it wants.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${w.pid}/status`, "utf8"))[1]);
  const many = async (n) => {
    const paths = ["/post/llm/", "/post/", "/old-page/llm/", "/chunked/", "/gone/llm/"];
    let i = 0, bad = 0;
    await Promise.all(Array.from({ length: 8 }, async () => { while (i++ < n) { const r = await ask(w.base, paths[i % paths.length], { agent }); if (r.status >= 500) bad++; } }));
    return bad;
  };
  let bad = await many(14000);
  const before = rss();
  bad += await many(6000);
  same(bad, 0, "20,000 requests are answered");
  ok(rss() < before * 1.25 + 20000, "and the process does not grow", `${before} KB, then ${rss()} KB`);
  agent.destroy();

  // Many pages of 8 MB at once: what does not fit is 503, and nothing stays behind.
  const roomy = await startWorker(origin.port, { ...config, upstream: { ...config.upstream, timeout_ms: 120000 } });
  const large = `<!doctype html><html><head><title>Large</title></head><body><main><h1>Large</h1>\n${("<p>" + "words of a large page ".repeat(100) + "</p>\n").repeat(3700)}</main></body></html>`;
  for (const [way, how] of [["announced", {}], ["in chunks", { chunk: 100000 }]]) {
    for (let i = 0; i < 12; i++) origin.pages[`/large${i}/`] = () => [200, { "content-type": "text/html; charset=utf-8" }, large, how];
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(roomy.base, `/large${i}/llm/`)));
    console.log(`# 12 pages of ${large.length} bytes ${way}: ${all.map((r) => r.status).join(" ")}`);
    ok(all.every((r) => r.status === 200 || (r.status === 503 && r.headers["retry-after"])) && all.some((r) => r.status === 200), `12 large pages at once, ${way}: each is 200 or 503 with Retry-After`, all.map((r) => r.status).join());
    same((await ask(roomy.base, "/post/llm/")).status, 200, `12 large pages at once, ${way}: a small page afterwards`);
    const page = await ask(roomy.base, "/large0/");
    same(page.body.length, large.length + '<link rel="alternate" type="application/json" href="https://site.example/large0/llm/"><link rel="alternate" type="text/markdown" href="https://site.example/large0/llm.md">'.length, `12 large pages at once, ${way}: and people's page is whole`);
  }
  await roomy.stop();

  // A configuration that is no good: people still get the site.
  const bare = await startWorker(origin.port, { origin: 7 });
  const page = await ask(bare.base, "/post/");
  same([page.status, page.text], [200, origin.article("A post")], "with a broken configuration pages pass untouched");
  await bare.stop();

  // An instance that traps is replaced, and the page is served all the same.
  const source = fs.readFileSync("edge/worker/worker.js", "utf8");
  const trapping = source.replace("async function exchange(c, request, ctx) {", // the same file, with a page that makes the core trap
    'async function exchange(c, request, ctx) {\n  if (new URL(request.url).pathname === "/trap/") c.x.adit_get(0x7fffffff, 2);');
  ok(trapping !== source, "a page that traps");
  const file = temporary("trap") + "/worker.js";
  fs.writeFileSync(file, trapping);
  const t = await startWorker(origin.port, config, file);
  origin.pages["/trap/"] = () => [200, { "content-type": "text/html" }, "<p>people</p>"];
  const trapped = await ask(t.base, "/trap/");
  same([trapped.status, trapped.text], [200, "<p>people</p>"], "a trap passes the page");
  same((await ask(t.base, "/post/llm/")).status, 200, "and the next request has a new instance");
  same((await ask(t.base, "/trap/", { method: "POST", body: "a=b" })).status, 502, "a trap does not send a body twice");
  await t.stop();
  await w.stop();
  origin.close();

  // An origin that is not there.
  const alone = await startWorker(origin.port, config);
  for (const path of ["/post/", "/post/llm/"]) same((await ask(alone.base, path)).status, 502, `${path} of an origin that is down`);
  await alone.stop();
}
done();
