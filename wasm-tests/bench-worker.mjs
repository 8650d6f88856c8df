// Our Worker against one that writes the same link with workerd's own HTMLRewriter, and one that only passes the page on:
// requests a second and time a request, in real workerd on loopback, in one run, interleaved. Bounded request counts.
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { startWorker, workerd } from "./workerd.mjs";

const ROUNDS = 30, CONNECTIONS = 8, N = 100, WARM = 3000;
const PASS = "export default { fetch: (request) => fetch(request) };";
const REWRITER = `export default { async fetch(request) {
  const r = await fetch(request), path = new URL(request.url).pathname;
  const link = '<link rel="alternate" type="application/json" href="https://example.com' + path + 'llm/">';
  const out = new HTMLRewriter().on("head", { element(e) { e.prepend(link, { html: true }); } }).transform(r);
  out.headers.append("link", "<https://example.com" + path + 'llm/>; rel="alternate"; type="application/json"');
  return out;
} };`;

const filler = "A sentence of ordinary length stands here, so that the page has the weight of text that pages have. ";
function article(kb) {
  let page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body><nav>${'<li class="menu-item"><a href="/section/1/" class="nav-link">Item</a></li>\n'.repeat(5 * kb)}</nav><main><article><h1>A page</h1>`;
  while (page.length < kb * 1024) page += `<p class="text">${filler.repeat(3)}<a href="/l">More</a> of it.</p>\n`;
  return Buffer.from(page + "</article></main></body></html>");
}

if (!fs.existsSync(workerd)) {
  console.log("   (no workerd for this machine)");
} else {
  const pages = new Map([20, 100, 300].map((kb) => [`/p${kb}/`, article(kb)]));
  const origin = http.createServer((q, r) => {
    const page = pages.get(q.url);
    if (q.headers["if-none-match"]) return r.writeHead(304, { etag: '"v"' }).end();
    r.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8", "content-length": page?.length ?? 0, ...(q.url === "/p20/" ? { etag: '"v"' } : {}) });
    r.end(page);
  });
  await new Promise((done) => origin.listen(0, "127.0.0.1", done));
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "adit-bench-")), script = (name, text) => { const f = path.join(dir, name); fs.writeFileSync(f, text); return f; };
  const config = { origin: "https://example.com", require_https: false, hosts: ["127.0.0.1"] };
  const workers = [];
  for (const [name, file] of [["passes on", script("pass.js", PASS)], ["HTMLRewriter", script("rewriter.js", REWRITER)], ["adit", "edge/worker/worker.js"]])
    workers.push({ name, w: await startWorker(origin.address().port, config, file), agent: new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS }) });

  const ask = ({ w, agent }, url) => new Promise((end, fail) => http.get({ host: "127.0.0.1", port: w.port, path: url, agent, headers: { host: "example.com" } }, (r) => {
    let bytes = 0, first = "";
    r.on("data", (d) => { if (first.length < 1024) first += d; bytes += d.length; }).on("end", () => end({ status: r.statusCode, bytes, first })).on("error", fail);
  }).on("error", fail));
  // CPU time of the runtime's process: what a request costs there, whatever else the machine does.
  const busy = ({ w }) => fs.readdirSync(`/proc/${w.pid}/task`).reduce((ns, t) => ns + Number(fs.readFileSync(`/proc/${w.pid}/task/${t}/schedstat`, "utf8").split(" ")[0]), 0) / 1e6;
  const median = (v) => v.sort((a, b) => a - b)[v.length >> 1];
  async function load(worker, url, n) {
    let i = 0;
    const start = performance.now(), before = busy(worker);
    await Promise.all(Array.from({ length: CONNECTIONS }, async () => { while (i++ < n) { const r = await ask(worker, url); if (r.status !== 200) throw new Error(`${worker.name} ${url}: ${r.status}`); } }));
    return { wall: (performance.now() - start) / n, cpu: (busy(worker) - before) / n };
  }
  async function alone(worker, url, n) {
    const times = [];
    for (let i = 0; i < n; i++) { const start = performance.now(); await ask(worker, url); times.push(performance.now() - start); }
    return median(times);
  }

  console.log(`   link written into a page, workerd on loopback, ${CONNECTIONS} connections; medians of ${ROUNDS} rounds of ${N} requests, in turn, after ${WARM}`);
  for (const [url, page] of pages) {
    const seen = workers.map(() => ({ wall: [], cpu: [], alone: [] }));
    for (const worker of workers) {
      const r = await ask(worker, url), linked = r.first.includes(`href="https://example.com${url}llm/"`);
      if (linked !== (worker.name !== "passes on") || r.bytes < page.length) throw new Error(`${worker.name}: not the page that was expected`);
      await load(worker, url, WARM); // until the engine has compiled what is hot
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const [k, worker] of workers.entries()) {
        const { wall, cpu } = await load(worker, url, N);
        seen[k].wall.push(wall), seen[k].cpu.push(cpu), seen[k].alone.push(await alone(worker, url, 10));
      }
    const [pass, rewriter] = seen.map(({ wall, cpu, alone: one }) => ({ wall: median(wall), cpu: median(cpu), alone: median(one) }));
    console.log(`   page of ${(page.length / 1024).toFixed(0)} KB`);
    workers.forEach(({ name }, k) => {
      const wall = median(seen[k].wall), cpu = median(seen[k].cpu), one = median(seen[k].alone);
      console.log(`     ${name.padEnd(14)} ${(1000 / wall).toFixed(0).padStart(6)} requests/s, ${(rewriter.wall / wall).toFixed(2)} x HTMLRewriter; `
        + `CPU ${cpu.toFixed(3)} ms a request, ${(rewriter.cpu / cpu).toFixed(2)} x; alone ${one.toFixed(2)} ms, added ${(one - pass.alone).toFixed(2)} ms`);
    });
  }
  const adit = workers[2];
  for (const [what, url] of [["converted each time", "/p100/llm/"], ["after a revalidation", "/p20/llm/"]]) {
    await load(adit, url, 100);
    const cpu = [];
    for (let round = 0; round < 5; round++) cpu.push((await load(adit, url, N)).cpu);
    console.log(`   machine view ${what} (${url}): CPU ${median(cpu).toFixed(2)} ms a request`);
  }
  for (const { w, agent } of workers) { agent.destroy(); await w.stop(); }
  origin.closeAllConnections();
  origin.close();
  fs.rmSync(dir, { recursive: true });
}
