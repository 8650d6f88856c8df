// The proxy-wasm filter: the built module itself, in a host that keeps Envoy's rules.
import fs from "node:fs";
import { Host, header } from "./host.mjs";
import { CONFIG, GET, PAGE, html, linked, load, module, never, reply, site, text } from "./filter-site.mjs";
import { ok, same, done } from "./tap.mjs";

// --- the module -------------------------------------------------------------------------------------
{
  const imports = WebAssembly.Module.imports(module), exports = WebAssembly.Module.exports(module).map((e) => e.name);
  ok(imports.every((i) => i.module === "env" && i.name.startsWith("proxy_")), "imports are the ABI's only", imports.map((i) => i.name));
  ok(!exports.includes("malloc") && exports.includes("proxy_on_memory_allocate"), "memory is handed over by proxy_on_memory_allocate");
  ok(exports.includes("proxy_abi_version_0_2_1"), "ABI 0.2.1");
  const t0 = performance.now();
  new Host(new WebAssembly.Module(fs.readFileSync("build/adit-edge.wasm")), { config: JSON.stringify(CONFIG) }).start();
  console.log(`# start: ${(performance.now() - t0).toFixed(1)} ms`);
}

// --- configuration ------------------------------------------------------------------------------------
{
  const bad = Host.load(module, { config: '{"origin":"https://example.com","sections":{"blog":7}}' });
  ok(bad.refused && bad.logs.some((l) => l.message.includes("sections.blog")), "a bad value refuses the configuration and names the key", JSON.stringify(bad.logs));
  ok(Host.load(module, { config: "{}" }).refused, "no origin, no filter");
  ok(Host.load(module, { config: "{" }).refused, "broken JSON is refused");
  ok(!load(site({})).refused, "a good one is taken, in the trial VM and in the worker's");
}

// --- machine URLs by subrequest --------------------------------------------------------------------------
const mine = site({ "/post/": reply(200, PAGE, ["etag", '"v1"'], ["set-cookie", "a=b"]) });
const host = load(mine);
const first = await host.exchange(GET("/post/llm/", ["cookie", "secret=1"], ["authorization", "Basic x"], ["range", "bytes=0-3"].map(String), ["accept", "application/json"]), never);
{
  ok(first.status === "206" || first.status === "200", "an M-URL is answered", first.status, text(first));
}
const whole = await host.exchange(GET("/post/llm/"), never);
{
  same(whole.status, "200", "200");
  const page = JSON.parse(text(whole));
  same(page.canonical_url, "https://example.com/post/", "canonical_url");
  same(header(whole.headers, "etag"), `"${page.hash}"`, "the ETag is the fingerprint");
  same(header(whole.headers, "content-type"), "application/json; charset=utf-8", "content-type");
  same(header(whole.headers, "content-length"), String(whole.body.length), "content-length");
  ok(whole.headers.some(([k, v]) => k === "link" && v.includes('<https://example.com/post/>; rel="canonical"')), "canonical link", JSON.stringify(whole.headers));
  ok(!header(whole.headers, "set-cookie"), "the origin's cookie is dropped");
  const asked = mine.asked[0];
  ok(!["cookie", "authorization", "range", "if-none-match"].some((k) => header(asked, k)), "the conversion request is anonymous", JSON.stringify(asked));
  same(header(asked, ":path"), "/post/", "it asks for the page");
  same(header(asked, "accept-encoding"), "identity", "unencoded");
}
{
  const r = await host.exchange(GET("/post/llm/", ["if-none-match", 'W/' + header(whole.headers, "etag")]), never);
  same(r.status, "304", "a matching If-None-Match is answered 304");
  same(r.body.length, 0, "without a body");
  same(header(r.headers, "etag"), header(whole.headers, "etag"), "with the ETag");
}
{
  const o = site({ "/post/": (q) => header(q.headers, "if-none-match") === '"v1"' ? { headers: [[":status", "304"], ["etag", '"v1"']], body: [] } : reply(200, PAGE, ["etag", '"v1"']) });
  const h = load(o);
  const a = await h.exchange(GET("/post/llm/"), never), b = await h.exchange(GET("/post/llm/"), never);
  same(text(b), text(a), "an unchanged page gives the same bytes from the memory");
  same(header(o.asked[1], "if-none-match"), '"v1"', "after a revalidation without a body");
  same(Number(h.process.metrics.get("adit.conversions")?.value), 1, "and without a second conversion");
  const c = await h.exchange(GET("/post/llm/", ["if-none-match", header(a.headers, "etag")]), never);
  same(c.status, "304", "or with 304");
  const other = new Host(module, { ...h, config: h.config, clusters: h.clusters, process: h.process });
  other.start();
  await other.exchange(GET("/post/llm/"), never);
  same(header(o.asked.at(-1), "if-none-match"), '"v1"', "the memory is shared between the process's VMs");
  same(h.faults.concat(other.faults), [], "no illegal call");
}
for (const [path, status, answer] of [["/gone/llm/", "410", reply(410, "")], ["/none/llm/", "404", reply(404, "")], ["/login/llm/", "401", reply(401, "", ["www-authenticate", "Basic"])],
  ["/broken/llm/", "502", reply(500, "")], ["/busy/llm/", "503", reply(503, "", ["retry-after", "7"])], ["/pdf/llm/", "404", { headers: [[":status", "200"], ["content-type", "application/pdf"]], body: ["x"] }]]) {
  const h = load(site({ [path.replace("llm/", "")]: answer }));
  const r = await h.exchange(GET(path), never);
  same(r.status, status, `the origin's ${header(answer.headers, ":status")} becomes ${status}`);
  same(header(r.headers, "content-type"), "application/problem+json", "a problem document");
  same(h.faults, [], "no illegal call");
}
{
  const h = load({ answer: () => new Promise(() => {}) }, {}, { upstream: { timeout_ms: 60 } });
  const r = await h.exchange(GET("/slow/llm/"), never);
  ok(r.status === "504" || r.status === "502", "an origin that does not answer", r.status);
  const dead = load({ answer: async () => { throw new Error("refused"); } });
  same((await dead.exchange(GET("/x/llm/"), never)).status, "502", "an origin that cannot be reached");
  const none = Host.load(module, { config: JSON.stringify(CONFIG), clusters: {} });
  ok(["502", "503"].includes((await none.exchange(GET("/x/llm/"), never)).status), "a cluster that the host does not know");
  const big = load(site({ "/big/": reply(200, html("Big", "<p>" + "x".repeat(9 << 20))) }));
  same((await big.exchange(GET("/big/llm/"), never)).status, "502", "a page that is too large");
  same((await host.exchange(GET("/tag/x/llm/"), never)).status, "404", "an excluded path");
  same((await host.exchange(GET("/x/llm/llm/"), never)).status, "404", "a suffix on a suffix");
  same((await host.exchange({ headers: [[":method", "POST"], ...GET("/post/llm/").headers.slice(1)], body: [Buffer.from("x")] }, never)).status, "405", "POST");
  same((await host.exchange(GET("/post/llm/", ["cdn-loop", "adit"]), never)).status, "508", "a loop");
}
{ // the client goes away
  let answer;
  const h = load({ answer: () => new Promise((r) => (answer = r)) });
  const gone = new AbortController();
  const e = h.exchange(GET("/post/llm/"), never, { signal: gone.signal }).catch((x) => x.message);
  await new Promise((r) => setTimeout(r, 10));
  gone.abort();
  same(await e, "client gone", "a client that goes away before the answer");
  answer(reply(200, PAGE));
  await new Promise((r) => setTimeout(r, 10));
  same(h.faults, [], "its late answer does no harm");
  // two at once: one conversion
  let n = 0;
  const both = load({ answer: async () => { n++; await new Promise((r) => setTimeout(r, 30)); return reply(200, PAGE); } });
  const [a, b] = await Promise.all([both.exchange(GET("/post/llm/"), never), both.exchange(GET("/post/llm/"), never)]);
  ok(n === 1 && text(a) === text(b) && a.status === "200", "two requests at once share a conversion", n, a.status, b.status);
  same(both.faults, [], "no illegal call");
}

// --- pages: links ---------------------------------------------------------------------------------------
const c_url = (answer, options = {}, request = GET("/post/")) => { const h = load(site({}), options); return h.exchange(request, async () => answer).then((r) => { same(h.faults, [], "no illegal call"); return r; }); };
{
  const r = await c_url(reply(200, PAGE, ["content-length", String(PAGE.length)], ["etag", '"v1"']));
  same(text(r), linked, "a page gets its link");
  ok(r.headers.some(([k, v]) => k === "link" && v.includes("https://example.com/post/llm/")), "and the Link field");
  same(header(r.headers, "content-length"), undefined, "no Content-Length of another body");
  same(header(r.headers, "etag"), 'W/"v1"', "a weak ETag");
  let right = 0;
  for (let i = 1; i < PAGE.length; i += 7) {
    const x = await load(site({})).exchange(GET("/post/"), async () => reply(200, [PAGE.slice(0, i), PAGE.slice(i)]));
    if (text(x) === linked) right++;
  }
  same(right, Math.ceil((PAGE.length - 1) / 7), "wherever the body is split");
  same(text(await c_url(reply(200, [...PAGE].map((c) => c)))), linked, "also byte by byte");
  same(text(await c_url(reply(200, [PAGE, ""]))), linked, "with an empty last chunk");
  const t = reply(200, [PAGE.slice(0, 20), PAGE.slice(20)]);
  same(text(await c_url({ ...t, trailers: [["x", "y"]] })), linked, "with trailers");
  const u = await c_url({ ...reply(200, ["<!DOCTYPE html><html><he"]), trailers: [["x", "y"]] });
  same(text(u), "<!DOCTYPE html><html><he", "trailers before the place is found: nothing is lost");
  const k = await c_url(reply(200, [PAGE.slice(0, 30), PAGE.slice(30, 60), PAGE.slice(60)]), { partsAlone: true });
  ok([PAGE, linked].includes(text(k)), "a host that delivers parts although we pause", text(k).slice(0, 200));
}
for (const [what, answer] of [["non-HTML", { headers: [[":status", "200"], ["content-type", "image/png"]], body: ["<head>"] }], ["206", reply(206, PAGE, ["content-range", "bytes 0-9/99"])], ["404", reply(404, PAGE)],
  ["no-transform", reply(200, PAGE, ["cache-control", "no-transform"])], ["noindex", reply(200, PAGE, ["x-robots-tag", "noindex"])]]) {
  const r = await c_url(answer);
  same(text(r), Buffer.concat(answer.body.map((b) => Buffer.from(b))).toString(), `${what}: the body is untouched`);
  const rest = r.headers.filter(([k, v]) => k !== "vary" || v !== "Accept"); // which caches must know of any 200
  same(JSON.stringify(rest), JSON.stringify(answer.headers.slice(1)), `${what}: the header is untouched`);
}
{
  const gz = reply(200, "\x1f\x8b\x08 pretend", ["content-encoding", "br"]);
  const r = await c_url(gz);
  same(text(r), text({ body: Buffer.concat(gz.body) }), "an encoded body is untouched");
  ok(header(r.headers, "link"), "but has the Link field");
  const head = await c_url(reply(200, PAGE), {}, { headers: [[":method", "HEAD"], ...GET("/post/").headers.slice(1)] });
  same(head.body.length, 0, "HEAD has no body");
  same((await c_url({ headers: [[":status", "304"], ["etag", '"v1"']], body: [] })).status, "304", "304 passes");
  const other = await load(site({})).exchange({ headers: [[":method", "GET"], [":path", "/post/"], [":authority", "other.test"], [":scheme", "https"]] }, async () => reply(200, PAGE));
  same(text(other), PAGE, "another host's pages are not ours");
}

// --- inline mode -------------------------------------------------------------------------------------------
{
  const o = site({ "/post/": reply(200, [PAGE.slice(0, 100), PAGE.slice(100)], ["set-cookie", "a=b"], ["content-length", String(PAGE.length)]), "/gone/": reply(410, "gone"), "/empty/": { headers: [[":status", "200"], ["content-type", "text/html"]], body: [] } });
  const h = load(o, { heldHeaders: true }, { mode: "inline" });
  const r = await h.exchange(GET("/post/llm/", ["cookie", "a=b"], ["if-none-match", '"x"']), o.answer);
  same(text(r), text(whole), "inline gives the same bytes as a subrequest");
  same(r.status, "200", "200");
  same(header(r.headers, "etag"), header(whole.headers, "etag"), "the same ETag");
  same(header(r.headers, "set-cookie"), undefined, "nothing of the origin's header is left");
  same(header(o.asked[0], "cookie"), undefined, "the request became anonymous");
  same((await h.exchange(GET("/gone/llm/"), o.answer)).status, "410", "410 passes on");
  same((await h.exchange(GET("/empty/llm/"), o.answer)).status, "404", "no content");
  const n = await h.exchange(GET("/post/llm/", ["if-none-match", header(r.headers, "etag")]), o.answer);
  same([n.status, n.body.length], ["304", 0], "304");
  const t = load(o, { heldHeaders: true }, { mode: "inline" });
  const tr = await t.exchange(GET("/post/llm/"), async () => ({ ...reply(200, PAGE), trailers: [["x", "y"]] }));
  same(text(tr), text(whole), "with trailers");
  same(h.faults.concat(t.faults), [], "no illegal call");
}

// --- failure injection: whatever host call fails, people get the page ---------------------------------------
{
  const names = WebAssembly.Module.imports(module).map((i) => i.name), failed = new Set();
  let rounds = 0;
  for (const name of names) for (const at of [1, 2, 3]) {
    const h = new Host(module, { config: JSON.stringify(CONFIG), clusters: { origin: mine.answer }, fail: { name, at } });
    let started = false;
    try { started = h.start(); } catch (e) { ok(false, `${name} fails: no trap`, e.stack); continue; }
    if (!started) continue;
    const r = await h.exchange(GET("/post/"), async () => reply(200, [PAGE.slice(0, 40), PAGE.slice(40)])).catch((e) => ({ status: e.message, body: Buffer.alloc(0) }));
    if (![PAGE, linked].includes(text(r))) ok(false, `${name} fails (${at}): the page comes through`, r.status, text(r).slice(0, 200));
    const m = await Promise.race([h.exchange(GET("/post/llm/"), async () => reply(200, "")).catch((e) => ({ status: e.message })), new Promise((r2) => setTimeout(r2, 300, { status: "hang" }))]);
    const mute = ["proxy_send_local_response", "proxy_set_effective_context"].includes(name); // nothing can be said
    if (m.status === "hang" && !mute) ok(false, `${name} fails (${at}): an M-URL is answered`, m.status);
    if (h.hostCalls[name] >= at) failed.add(name), rounds++;
  }
  // Three are never called here: a paused request is answered, only inline mode removes fields, and only who waits for
  // another request asks for a tick.
  const missed = names.filter((name) => !failed.has(name));
  const never = ["proxy_set_tick_period_milliseconds", "proxy_continue_stream", "proxy_remove_header_map_value"];
  ok(missed.every((name) => never.includes(name)) && rounds >= names.length, "every host call that is made here has failed: no trap, pages come through", rounds, missed);
}

// --- bounds ---------------------------------------------------------------------------------------------------
{
  const h = load(site({ "/post/": reply(200, PAGE) }));
  const some = async (n) => { for (let i = 0; i < n; i++) await h.exchange(GET(i % 2 ? "/post/llm/" : "/post/"), async () => reply(200, PAGE)); return h.x.memory.buffer.byteLength; };
  const after100 = await some(100), after10000 = await some(9900);
  same(after10000, after100, "memory after 10,000 requests equals memory after 100");
  let seed = 7;
  const rnd = (k) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % k;
  const alphabet = "/llm.md?%<>\"'&\r\n \t\u00ff0aZ[]{}|\\^`~#:@";
  let answered = 0;
  for (let i = 0; i < 3000; i++) {
    const path = "/" + Array.from({ length: rnd(30) }, () => alphabet[rnd(alphabet.length)]).join("") + ["", "llm/", "/llm", ".llm.md"][rnd(4)];
    const r = await h.exchange({ headers: [[":method", ["GET", "HEAD", "POST"][rnd(3)]], [":path", path], [":authority", "example.com"], ["range", path], ["if-none-match", path]] }, async () => reply(200, PAGE)).catch((e) => e);
    if (r.status) answered++;
  }
  same(answered, 3000, "random requests are all answered");
  same(h.faults, [], "without an illegal call");
}
done();
