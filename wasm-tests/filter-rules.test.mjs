// Rules of proxy-wasm hosts that a filter cannot see from within one stream: several root contexts in a
// VM, one stop flag for all streams, what becomes of local responses, whole bodies at once. Tests make
// the host's events themselves (host.mjs: open, answerCall; host-stream.mjs).
import { CLIENT, Host, Process, header } from "./host.mjs";
import { CONFIG, GET, LINK, PAGE, linked, load, module, never, reply, site, text } from "./filter-site.mjs";
import { ok, same, done } from "./tap.mjs";

const home = () => site({ "/post/": reply(200, PAGE) });
const want = await load(home()).exchange(GET("/post/llm/"), never);
const AS = (method, path, ...fields) => ({ headers: [[":method", method], ...GET(path, ...fields).headers.slice(1)] });
const config = (changes = {}) => JSON.stringify({ ...CONFIG, ...changes });
const manual = (options = {}, changes = {}) => Host.load(module, { config: config(changes), clusters: { origin: never }, manual: true, ...options });
const inline = (options = {}) => manual({ heldHeaders: true, ...options }, { mode: "inline" });

// A stream whose events the test makes: s.asked is its request to the origin, s.result how it ended.
function open(host, request, root) {
  const s = host.open({ upstream: (q) => (s.asked = q), end: () => (s.deleted = true) }, root);
  s.request(request.headers);
  return s;
}
const how = (s) => (s.over ? s.result.status ?? s.result.broken : "hangs");
const body = (s) => s.result?.body?.toString();
const answers = { headers: reply(200, "").headers, body: Buffer.from(PAGE) };
const answerAll = (host, r = answers) => { for (const id of [...host.pending.keys()]) host.answerCall(id, r); };
const metric = (host, name) => Number(host.process.metrics.get("adit." + name)?.value ?? 0);

// --- A local response for one stream overrides the result of the callback of another ---------------------
for (const [what, end] of [["in one piece", (s) => s.responseData(Buffer.from(PAGE), true)], ["in two", (s) => { s.responseData(Buffer.from(PAGE.slice(0, 99)), false); s.responseData(Buffer.from(PAGE.slice(99)), true); }],
  ["with trailers", (s) => { s.responseData(Buffer.from(PAGE), false); s.responseTrailers([["x", "y"]]); }], ["that is missing", null]]) {
  const h = inline(), all = Array.from({ length: 4 }, () => open(h, GET("/post/llm/")));
  same(all.filter((s) => s.asked).length, 1, `inline, a page ${what}: one of four asks for it`);
  if (end) { all[0].responseHeaders(reply(200, "").headers, false); end(all[0]); } else all[0].responseHeaders([[":status", "404"]], true);
  same(all.map(how), Array(4).fill(end ? "200" : "404"), "all are answered");
  if (end) ok(all.every((s) => body(s) === text(want)), "with the same view");
  same(h.faults, [], "no illegal call");
}
{ // The one who converts has a slow client: others do not wait for that.
  const h = inline({ slowClients: true }), [a, b, c] = [0, 1, 2].map(() => open(h, GET("/post/llm/")));
  a.responseHeaders(reply(200, "").headers, false);
  a.responseData(Buffer.from(PAGE), true);
  same([how(a), how(b)], ["200", "hangs"], "waiters cannot be answered in the leader's callback");
  ok(h.roots.get(h.root).tick > 0, "so the host is asked for a tick");
  h.tick();
  same([how(b), how(c), h.roots.get(h.root).tick], ["200", "200", 0], "which answers them, and is the last one");
  const deaf = inline({ slowClients: true, ticks: false }), [d, e] = [0, 1].map(() => open(deaf, GET("/post/llm/")));
  d.responseHeaders(reply(200, "").headers, false);
  d.responseData(Buffer.from(PAGE), true);
  d.drained();
  same(how(e), "200", "a host without ticks: when the leader's stream is gone");
}

// --- A new configuration while streams are under way -----------------------------------------------------
for (const [what, change] of [["a new root context", (h, c) => h.addRoot(c)], ["the same root context", (h, c) => h.configure(h.root, c)]]) {
  const h = manual(), first = h.root;
  const call = open(h, GET("/post/llm/")), waiter = open(h, GET("/post/llm/")), page = open(h, GET("/post/"));
  ok(change(h, config({ cache_control: "max-age=7" })), `${what}: the new configuration is taken`);
  answerAll(h);
  same([how(call), how(waiter), body(call)], ["200", "200", text(want)], "who had asked before is answered");
  same(header(call.result?.headers ?? [], "cache-control"), header(want.headers, "cache-control"), "under the configuration of then");
  page.responseHeaders(reply(200, "").headers, false);
  page.responseData(Buffer.from(PAGE), true);
  same(body(page), linked, "so are pages");
  const later = Array.from({ length: 200 }, () => { const s = open(h, GET("/post/llm/")); answerAll(h); return s; });
  same(later.filter((s) => how(s) === "200" && header(s.result.headers, "cache-control") === "max-age=7").length, 200, "200 machine views later, under the new one");
  if (h.root !== first) h.removeRoot(first);
  const s = open(h, GET("/post/llm/"));
  answerAll(h);
  same([how(s), metric(h, "machine"), metric(h, "failed.busy")], ["200", 203, 0], "counters go on");
  same(h.faults, [], "no illegal call");
}
{ // a root context goes before its streams
  const h = manual(), first = h.root, call = open(h, GET("/post/llm/")), page = open(h, GET("/post/")), idle = open(h, AS("GET", "/post/llm/", ["if-none-match", '"x"']));
  h.addRoot(config({ suffix: "ai" }));
  h.removeRoot(first, { keepCalls: true });
  page.responseHeaders(reply(200, "").headers, false);
  page.responseData(Buffer.from(PAGE), true);
  answerAll(h);
  same([how(call), body(call), how(idle), body(page)], ["200", text(want), "200", linked], "a root context that is deleted before its streams");
}
{ // two filters, one VM
  const h = manual({ config: config({ origin: "https://a.example" }) }), a = h.root, b = h.addRoot(config({ origin: "https://b.example", suffix: "ai" }));
  const at = (host, path) => ({ headers: GET(path).headers.map(([k, v]) => [k, k === ":authority" ? host : v]) });
  const views = [open(h, at("a.example", "/post/llm/"), a), open(h, at("b.example", "/post/ai/"), b), open(h, at("a.example", "/post/llm/"), a)];
  same(h.pending.size, 2, "two configurations in a VM: pages are not mixed");
  answerAll(h);
  same(views.map((s) => /"canonical_url":"([^"]*)/.exec(body(s))?.[1]), ["https://a.example/post/", "https://b.example/post/", "https://a.example/post/"], "each has its own origin");
  for (const [host, root, suffix] of [["a.example", a, "llm"], ["b.example", b, "ai"]]) {
    const page = open(h, at(host, "/post/"), root);
    page.responseHeaders(reply(200, "").headers, false);
    page.responseData(Buffer.from(PAGE), true);
    same(body(page), linked.replaceAll("https://example.com/post/llm", `https://${host}/post/${suffix}`), `${host}: a page gets its own link`);
    ok(open(h, at(host, `/post/${suffix === "llm" ? "ai" : "llm"}/`), root).asked, "and the other's suffix is none here");
  }
}
{ // a refused one
  const h = manual(), first = h.root;
  same(h.addRoot('{"origin":7}'), 0, "a bad configuration is refused");
  same(h.root, first, "and the running one stays");
  const s = open(h, GET("/post/llm/"));
  answerAll(h);
  same(how(s), "200", "as it was");
}
for (const same_root of [false, true]) { // memory, under load
  const h = manual(), sizes = [];
  for (let i = 0; i < 1000; i++) {
    const old = h.root, streams = [GET("/post/llm/"), GET("/post/llm/"), GET("/post/")].map((r) => open(h, r));
    const c = config({ cache_control: `max-age=${i}`, exclude: Array.from({ length: 50 }, (_, k) => `/x${k}/*`) });
    if (same_root) h.configure(h.root, c); else h.addRoot(c);
    answerAll(h);
    streams[2].responseHeaders(reply(200, "").headers, false);
    streams[2].responseData(Buffer.from(PAGE), true);
    if (!same_root) h.removeRoot(old);
    if (streams.some((s) => how(s) !== "200") && !ok(false, `reload ${i} loses a stream`, streams.map(how))) break;
    sizes.push(h.x.memory.buffer.byteLength);
  }
  same(sizes.at(-1), sizes[99], `1000 ${same_root ? "configurations of one root context" : "root contexts"}: memory as after 100`);
  ok(h.process.metrics.size === new Set(h.process.metrics.keys()).size && h.hostCalls.proxy_define_metric < 100, "metrics are defined once", h.hostCalls.proxy_define_metric);
}

{ // many configurations of one VM that convert: they have one converter
  const h = manual(), roots = Array.from({ length: 40 }, (_, i) => h.addRoot(config({ cache_control: `max-age=${i}` })));
  const view = (root) => { const s = open(h, GET("/post/llm/"), root); answerAll(h); return how(s); };
  view(roots[0]);
  const one = h.x.memory.buffer.byteLength;
  same([...new Set(roots.map(view))], ["200"], "40 configurations of one VM convert");
  // 64 KB each for what it has learned of pages; a converter has over a megabyte.
  ok(h.x.memory.buffer.byteLength - one < 40 * (80 << 10), "by one converter", h.x.memory.buffer.byteLength - one);
  h.removeRoot(roots[0]);
  same(view(roots[1]), "200", "which stays when one of them goes");
}

// --- HEAD ------------------------------------------------------------------------------------------------
const facts = (r) => [r.status, header(r.headers, "content-type"), header(r.headers, "content-length"), r.body.length];
for (const mode of ["subrequest", "inline"]) {
  const o = site({ "/post/": (q) => (header(q.headers, "if-none-match") ? { headers: [[":status", "304"]], body: [] } : reply(200, PAGE, ["etag", '"v1"'])) });
  const h = load(o, { heldHeaders: true }, { mode }), to = mode === "inline" ? o.answer : never;
  const whole = [String(want.status), header(want.headers, "content-type"), header(want.headers, "content-length"), 0];
  same(facts(await h.exchange(AS("HEAD", "/post/llm/"), to)), whole, `${mode}: HEAD has type and length of GET`);
  same(facts(await h.exchange(AS("HEAD", "/post/llm/"), to)), whole, `${mode}: from the memory, too`);
  const [status, type, length] = facts(await h.exchange(AS("HEAD", "/none/llm/"), to));
  ok(status === "404" && type === "application/problem+json" && Number(length) > 50, `${mode}: and of a refusal`, status, type, length);
  same((await h.exchange(AS("HEAD", "/post/llm/", ["if-none-match", header(want.headers, "etag")]), to)).status, "304", `${mode}: 304`);
}

// --- Body callbacks of any size --------------------------------------------------------------------------
{
  const tail = "<p>words of a long page</p>\n";
  for (const size of [65535, 65536, 65537, 130000, 131072, 131073, 1 << 20, 3 << 20]) {
    const page = PAGE + tail.repeat(size / tail.length + 1).slice(0, size - PAGE.length), h = load(home(), { bufferLimit: 8 << 20 });
    const r = await h.exchange(GET("/post/"), async () => reply(200, page, ["content-length", String(page.length)]));
    same(text(r), page.replace("<head>", "<head>" + LINK), `${size} bytes in one callback get their link`);
    const late = "<!-- " + "x".repeat(size) + " -->" + PAGE;
    ok([late, late.replace("<head>", "<head>" + LINK)].includes(text(await h.exchange(GET("/post/"), async () => reply(200, late)))), "behind a comment of that length nothing is lost");
  }
  const huge = PAGE + tail.repeat(400000), h = load(home(), { bufferLimit: 1 << 26 });
  same(text(await h.exchange(GET("/post/"), async () => reply(200, huge))), huge, "a page that is too large for a view, at once, passes without");
  ok(h.x.memory.buffer.byteLength < 4 << 20, "and is not copied", h.x.memory.buffer.byteLength);
}

// --- The host's client says what became of a call --------------------------------------------------------
for (const [what, answer, status, reason, options] of [
  ["a timeout", CLIENT.timeout, "504", "timeout"], ["a refused connection", CLIENT.connect, "502", "connect"], ["no room for a connection", CLIENT.overflow, "503", "busy"], ["a reset", CLIENT.reset, "502", "connect"],
  ["no healthy host", { ...CLIENT.connect, body: Buffer.from("no healthy upstream") }, "502", "connect"],
  ["a timeout of a host that says nothing", CLIENT.timeout, "504", "timeout", { silentFailures: true, late: 5000 }], ["a refusal of such a host", CLIENT.connect, "502", "connect", { silentFailures: true }],
  ["a late 504 in other words", { ...CLIENT.timeout, body: Buffer.from("late") }, "504", "timeout", { late: 4900 }],
  ["the origin's own 503", reply(503, "back soon", ["retry-after", "9"]), "503", "origin_503"], ["the origin's own 504", reply(504, "<h1>Gateway Timeout</h1>"), "502", "origin_5xx"]]) {
  let clock = 1794873600e9;
  const h = manual({ now: () => clock, ...options }), s = open(h, GET("/post/llm/"));
  clock += (options?.late ?? 0) * 1e6;
  answerAll(h, answer);
  same([how(s), metric(h, "failed." + reason)], [status, 1], `${what} is told as ${reason}`);
  if (reason === "origin_503") same(header(s.result?.headers ?? [], "retry-after"), "9", "with its Retry-After");
}

// --- Upgrades, tunnels, gRPC -----------------------------------------------------------------------------
for (const mode of ["subrequest", "inline"]) for (const path of ["/post/", "/post/llm/", "/llm-sitemap.json"]) for (const [what, request] of [
  ["an upgrade", AS("GET", path, ["connection", "Upgrade"], ["upgrade", "websocket"], ["accept-encoding", "gzip"])], ["CONNECT", AS("CONNECT", path, ["accept-encoding", "gzip"])],
  ["extended CONNECT", AS("CONNECT", path, [":protocol", "websocket"])], ["gRPC", AS("POST", path, ["content-type", "application/grpc+proto"], ["te", "trailers"])]]) {
  const h = manual({}, { mode }), s = open(h, request);
  same([h.pending.size, s.asked?.headers], [0, request.headers], `${mode}: ${what} of ${path} passes untouched`);
  s.responseHeaders([[":status", "200"], ["content-type", "text/html"]], false);
  s.responseData(Buffer.from(PAGE), true);
  same([body(s), s.result?.headers.length, metric(h, "passed")], [PAGE, 1, 1], "so does its answer, and it is counted");
}
{
  const h = manual(), s = open(h, GET("/post/llm/", ["connection", "Upgrade, HTTP2-Settings"], ["upgrade", "h2c"]));
  answerAll(h);
  same(how(s), "200", "an offer of h2c is no upgrade");
}

// --- Header and trailers without a body ------------------------------------------------------------------
{
  const h = inline(), s = open(h, GET("/post/llm/"));
  s.responseHeaders(reply(200, "").headers, false);
  s.responseTrailers([["x", "y"]]);
  same([how(s), header(s.result?.headers ?? [], "content-length")], ["404", String(s.result?.body.length)], "inline: trailers without data: an answer of the length that it says");
  same(h.faults, [], "no illegal call");
}

// --- The host refuses to edit, to call -------------------------------------------------------------------
for (const name of ["proxy_remove_header_map_value", "proxy_replace_header_map_value", "proxy_add_header_map_value", "proxy_set_buffer_bytes"]) for (const mode of ["subrequest", "inline"]) {
  const h = Host.load(module, { config: config({ mode }), clusters: { origin: home().answer }, heldHeaders: true, fail: { name, status: 10 } });
  const r = await h.exchange(GET("/post/"), async () => reply(200, PAGE, ["content-length", String(PAGE.length)], ["etag", '"v"']));
  ok([undefined, String(r.body.length)].includes(header(r.headers, "content-length")) && [PAGE, linked].includes(text(r)), `${mode}: without ${name} a page is as long as it says`, JSON.stringify(r.headers), r.body.length);
  const m = await h.exchange(GET("/post/llm/"), async () => reply(200, PAGE));
  ok([undefined, String(m.body.length)].includes(header(m.headers, "content-length")) && !text(m).includes("<html"), "so is a machine view, and no HTML is in it", m.status, text(m).slice(0, 200));
}
{
  const h = manual({ clusters: {} }), s = open(h, GET("/post/llm/"));
  same([how(s), metric(h, "failed.connect"), metric(h, "failed.busy")], ["502", 1, 0], "a cluster that the host does not know is not called a busy one");
  ok(h.logs.some((l) => l.level === 4 && /upstream\.cluster origin\b.*no such cluster.*status 2/.test(l.message)), "the log names it and the host's status", JSON.stringify(h.logs));
  const full = manual({ fail: { name: "proxy_http_call", status: 10 } }), t = open(full, GET("/post/llm/"));
  same([how(t), header(t.result?.headers ?? [], "retry-after")], ["503", "2"], "a host that has no room is");
  ok(full.logs.some((l) => /upstream\.cluster origin\b.*status 10/.test(l.message)), "the log has that status, too");
}
for (const bad of ['{"origin":"https://example.com","colour":1}', "{", "{}", '{"origin":7}']) {
  const { logs } = Host.load(module, { config: bad });
  ok(logs.every((l) => l.message.startsWith("adit: configuration: ")) && logs.length === 1, `${bad}: the log says whose configuration is refused`, JSON.stringify(logs));
}

// --- Two VMs of a process, both roots --------------------------------------------------------------------
{
  const process = new Process(), two = [0, 1].map(() => manual({ process }));
  for (const h of two) { const s = open(h, GET("/post/llm/")); answerAll(h, { ...answers, headers: reply(200, "", ["etag", '"v1"']).headers }); same(how(s), "200", "a VM of its own"); }
  const s = open(two[1], GET("/post/llm/"));
  same(header([...two[1].pending.values()][0].headers, "if-none-match"), '"v1"', "the validator memory is the process's");
  answerAll(two[1], { headers: [[":status", "304"]], body: Buffer.alloc(0) });
  same([body(s), metric(two[1], "machine_200")], [text(want), 3], "so are the counters");
}
done();
