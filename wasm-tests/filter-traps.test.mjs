// What proxy-wasm hosts do that a filter may stumble over, one trap a block: the built module must
// answer, or let the page through, and make no illegal call.
import { Host, Process, decodePairs, encodePairs, header } from "./host.mjs";
import { CONFIG, GET, LINK, PAGE, linked, load, module, never, reply, site, text } from "./filter-site.mjs";
import { ok, same, done } from "./tap.mjs";

const HEAD = (path) => ({ headers: [[":method", "HEAD"], ...GET(path).headers.slice(1)] });
const INLINE = { mode: "inline" };
const held = (options = {}) => ({ heldHeaders: true, ...options });
const home = () => site({ "/post/": reply(200, PAGE) });
const want = await load(home()).exchange(GET("/post/llm/"), never);
const parts = (s, n) => Array.from({ length: Math.ceil(s.length / n) }, (_, i) => s.slice(i * n, (i + 1) * n));
same(want.status, "200", "the answer that others are compared with");

// --- Pausing in the response's header is a full stop, unless the host holds headers ------------------
{
  const h = load(home(), { patienceMs: 100 });
  let paused = 0;
  const own = h.x.proxy_on_response_headers;
  h.x = { ...h.x, proxy_on_response_headers: (...a) => { const r = own(...a); paused += r; return r; } };
  for (const path of ["/post/", "/post/llm/", "/collections/x.scp", "/llm-sitemap.json"]) await h.exchange(GET(path), async () => reply(200, PAGE));
  same(paused, 0, "subrequest mode never pauses in a response's header");
  const e = await load(home(), { patienceMs: 100 }, INLINE).exchange(GET("/post/llm/"), async () => reply(200, PAGE)).catch((x) => x.message);
  ok(/hang/.test(e), "inline mode needs a host that holds headers, as the README says", e);
}

// --- A header map is gone when its callback has returned Continue ------------------------------------
{
  const late = [];
  let h, responding = false;
  h = load(home(), { observe: (name, [type]) => { if (responding && /header_map/.test(name) && type === 0) late.push(name); } });
  const r = await h.exchange(GET("/post/"), async () => { responding = true; return reply(200, PAGE); });
  same(late, [], "the request's header is not asked for again");
  same(text(r), linked, "what is needed of it was kept");
}

// --- get_header_map_value gives the first of several values ---------------------------------------------
{
  ok(!WebAssembly.Module.imports(module).some((i) => i.name === "proxy_get_header_map_value"), "single values are never asked for");
  for (const [name, first, second] of [["cache-control", "max-age=5", "private"], ["vary", "accept-encoding", "cookie"]]) {
    const r = await load(site({ "/post/": reply(200, PAGE, [name, first], [name, second]) })).exchange(GET("/post/llm/"), never);
    same(header(r.headers, "cache-control"), "private, no-store", `the second ${name} counts`);
  }
  const r = await load(home()).exchange(GET("/post/"), async () => reply(200, PAGE, ["cache-control", "max-age=5"], ["cache-control", "no-transform"]));
  same(text(r), PAGE, "the second Cache-Control forbids the link");
  const cookies = await load(home()).exchange(GET("/post/"), async () => reply(200, PAGE, ["set-cookie", "a=1"], ["set-cookie", "b=2"], ["link", "</a.css>; rel=preload"]));
  same(cookies.headers.filter(([k]) => k === "set-cookie").length, 2, "both cookies stay");
  same(cookies.headers.filter(([k]) => k === "link").length, 4, "a Link of the origin's stays beside ours");
}

// --- A list of pairs that does not fit exactly --------------------------------------------------------
for (const [what, pairs] of [["cut off", (m) => encodePairs(m).subarray(0, -3)], ["empty", () => Buffer.alloc(0)], ["a count that is too great", (m) => { const b = encodePairs(m); b.writeUInt32LE(0xffffffff, 0); return b; }],
  ["a length that is too great", (m) => { const b = encodePairs(m); b.writeUInt32LE(0x7fffffff, 4); return b; }]]) {
  const h = load(home(), { pairs });
  const r = await h.exchange(GET("/post/"), async () => reply(200, PAGE));
  same(text(r), PAGE, `a header that is ${what}: the page comes through`);
  same(h.faults, [], "no illegal call");
}
same(decodePairs(encodePairs([["a", "b"], ["c", ""]])), [["a", "b"], ["c", ""]], "the host's own codec");

// --- Buffers have a limit ------------------------------------------------------------------------------
{
  const long = "<!DOCTYPE html><html><head><title>x</title></head><body>" + "<p>words of a long page</p>\n".repeat(120000);
  const c = await load(home()).exchange(GET("/post/"), async () => reply(200, parts(long, 16384)));
  same(c.body.length, long.length + LINK.length, "a page of 3 MB gets its link within 1 MiB of buffer");
  const comment = "<!-- " + "x".repeat(3 << 20) + " --><html><head></head></html>";
  const late = load(home());
  const u = await late.exchange(GET("/post/"), async () => reply(200, parts(comment, 16384)));
  ok([comment, comment.replace("<head>", "<head>" + LINK)].includes(text(u)), "a page whose head comes after 3 MB is never held beyond the limit");
  const h = load(home(), held(), INLINE);
  const body = PAGE.replace("</body>", "<script>" + "x".repeat(3 << 20) + "</script></body>");
  const m = await h.exchange(GET("/post/llm/"), async () => reply(200, parts(body, 16384)));
  same(text(m), text(want), "inline: a page of 3 MB is taken out of the buffer as it comes");
  same(h.faults.concat(late.faults), [], "no illegal call");
}

// --- Headers that end the stream, empty last chunks, trailers, partial bodies ------------------------------
{
  const h = load(home(), held({ patienceMs: 100 }), INLINE);
  const bare = (status) => ({ headers: [[":status", status], ["content-type", "text/html"]], body: [] });
  for (const status of ["200", "204", "304", "404"]) {
    const r = await h.exchange(GET("/post/llm/"), async () => bare(status)).catch((e) => ({ status: e.message }));
    ok(/^(404|502)$/.test(r.status), `inline: a header alone (${status}) is answered without a pause`, r.status);
    const p = await h.exchange(GET("/post/"), async () => bare(status)).catch((e) => ({ status: e.message }));
    same(p.status, status, `a page's header alone (${status}) passes`);
  }
  const page = reply(200, PAGE);
  const ask = (answer, options, path = "/post/llm/") => load(home(), held(options), INLINE).exchange(GET(path), async () => answer);
  same(text(await ask(reply(200, [PAGE, ""]))), text(want), "inline: an empty last chunk");
  same(text(await ask(reply(200, ["", PAGE]))), text(want), "inline: an empty first chunk");
  same(text(await ask({ ...page, trailers: [["x", "y"]] })), text(want), "inline: trailers end the page");
  same(text(await ask({ ...reply(200, parts(PAGE, 100)), trailers: [["x", "y"]] })), text(want), "inline: in several parts");
  same(text(await ask(reply(200, parts(PAGE, 100)), { partsAlone: true })), text(want), "inline: a host that delivers parts although we pause");
  same((await h.exchange(HEAD("/post/llm/"), async () => page)).status, "200", "inline: HEAD asks for the page by GET");
  const t = await load(home()).exchange({ ...GET("/post/"), body: [Buffer.from("a")], trailers: [["x", "y"]] }, async () => page);
  same(text(t), linked, "a request with a body and trailers");
}

// --- A local reply runs through our own response callbacks, and is the last thing done ------------------------
{
  const after = [];
  let sent = false;
  const h = load(home(), { observe: (name) => { if (sent && /header|buffer|http_call|local/.test(name)) after.push(name); if (name === "proxy_send_local_response") sent = true; } });
  const r = await h.exchange(GET("/tag/x/llm/"), never);
  same(after, [], "nothing is touched after a local reply");
  same([r.status, header(r.headers, "content-type")], ["404", "application/problem+json"], "it keeps its content type");
}

// --- The configuration is given N + 1 times, to VMs that never serve --------------------------------------------
{
  const seen = new Set(), process = new Process();
  const again = () => { const h = new Host(module, { config: JSON.stringify(CONFIG), process, observe: (name) => seen.add(name) }); h.start(); return h; };
  const many = Array.from({ length: 4 }, again);
  same([...seen].filter((n) => !["proxy_get_buffer_bytes", "proxy_define_metric", "proxy_log"].includes(n)), [], "configuring reads the configuration and defines metrics, nothing else");
  same(process.shared.size, 0, "nothing is remembered by it");
  const h = many[0];
  h.clusters = { origin: home().answer };
  same(h.configure(h.root, h.config), true, "the same root context takes it again");
  same(text(await h.exchange(GET("/post/llm/"), never)), text(want), "and goes on");
  same(h.configure(h.root, '{"origin":7}'), false, "a bad one later is refused");
  same(text(await h.exchange(GET("/post/"), async () => reply(200, PAGE))), linked, "and the one before stays");
}

// --- Shared data: another VM writes in between, values of others, empty values -----------------------------------
{
  let h, races = 0, racing = true;
  const o = site({ "/post/": (q) => !racing && header(q.headers, "if-none-match") === '"v1"' ? reply(304, "", ["etag", '"v1"']) : reply(200, PAGE, ["etag", '"v1"']) });
  h = load(o, { observe: (name) => { if (racing && name === "proxy_set_shared_data") races++, h?.process.shared.forEach((e) => (e.cas = ++h.process.cas)); } });
  for (let i = 0; i < 3; i++) same(text(await h.exchange(GET("/post/llm/"), never)), text(want), `two VMs write at once (${i})`);
  ok(races >= 3, "the memory was written each time", races);
  for (const value of [Buffer.alloc(0), Buffer.from("not ours"), Buffer.alloc(100000, 0xff)]) {
    h.process.shared.forEach((e) => (e.value = value));
    same(text(await h.exchange(GET("/post/llm/"), never)), text(want), `${value.length} bytes that we did not write are no memory`);
  }
  racing = false;
  await h.exchange(GET("/post/llm/"), never); // a value of ours again
  ok([...h.process.shared.values()].some((e) => e.value.includes("adit1")), "the memory is written where nobody else writes");
  let cuts = 0, good = 0;
  for (const [key, e] of [...h.process.shared]) for (let cut = 0; cut < e.value.length; cut += 97) {
    h.process.shared.set(key, { ...e, value: e.value.subarray(0, cut) });
    const r = await h.exchange(GET("/post/llm/"), never);
    cuts++;
    if (text(r) === text(want)) good++;
    else ok(false, `the memory cut off at ${cut}`, r.status);
  }
  ok(cuts > 3 && good === cuts, "nor is a value that was cut off", cuts);
  same(h.faults, [], "no illegal call");
}

// --- The answer to a call may be told to the stream (Envoy: to the root context); and come for a stream that is gone ------------------------
{
  const h = load(home(), { rootCalls: false });
  const [a, b] = await Promise.all([h.exchange(GET("/post/llm/"), never), h.exchange(GET("/none/llm/"), never)]);
  same([text(a), b.status], [text(want), "404"], "a host that names the stream");
  h.in(1, () => h.x.proxy_on_http_call_response(77, 12345, 3, 10, 0));
  same(h.faults, [], "an answer that nobody waits for does no harm");
}

// --- A proxy weakens the tag -------------------------------------------------------------------------------------------
{
  const r = await load(home()).exchange(GET("/post/llm/", ["if-none-match", "W/" + header(want.headers, "etag")]), never);
  same(r.status, "304", "W/ in If-None-Match");
}

// --- Callbacks out of order, for streams that were never seen ---------------------------------------------------------------
{
  const h = load(home());
  let trap = "";
  try {
    for (const id of [0, 1, 2, 99, 0xffffffff]) for (const name of Object.keys(h.x).filter((k) => /^proxy_on_(re|done|log|delete|tick|http)/.test(k)))
      if (id !== h.root || name !== "proxy_on_delete") h.in(id, () => h.x[name](id, 1, 1, 1, 1));
  } catch (e) { trap = e.stack; }
  same(trap, "", "callbacks for streams that were never seen do not trap");
  same(text(await h.exchange(GET("/post/llm/"), never)), text(want), "and the filter goes on");
}

// --- Header fields: all of them, or no view ---------------------------------------------------------------------------------
const many = (n, ...last) => [...Array.from({ length: n - last.length }, (_, i) => [`x-${i}`, "1"]), ...last];
for (const mode of ["subrequest", "inline"]) {
  const pages = {};
  const o = site(pages), h = load(o, { heldHeaders: true }, { mode }), go = mode === "inline" ? o.answer : never;
  const ask = async (n, ...last) => { // :status and Content-Type are two of the n fields
    pages["/post/"] = reply(200, PAGE, ...many(n - 2, ...last));
    const r = await h.exchange(GET("/post/llm/"), go);
    return [r.status, header(r.headers, "cache-control"), header(r.headers, "x-robots-tag")?.length];
  };
  for (const n of [511, 512, 513, 2000])
    same(await ask(n, ["cache-control", "private"]), n > 512 ? ["502", "no-store", undefined] : ["200", "private, no-store", undefined], `${mode}: ${n} fields, the last of which says private`);
  for (const n of [8191, 8192, 8193])
    same((await ask(10, ["x-robots-tag", "noindex" + " ".repeat(n - 8) + "x"]))[0], n > 8192 ? "502" : "200", `${mode}: X-Robots-Tag of ${n} bytes`);
  pages["/post/"] = reply(200, PAGE, ...many(511));
  const passed = await h.exchange(GET("/post/"), o.answer);
  same([text(passed), passed.headers.length], [PAGE, 512], `${mode}: a page with 513 fields passes untouched`);
  same(h.faults, [], `${mode}: no illegal call`);
}
{ // A host that does not do what it is asked: no cookie reaches the conversion, and no view goes without its fields.
  const secret = GET("/post/llm/", ["cookie", "secret=1"]);
  let rounds = 0, good = 0;
  for (const name of ["proxy_remove_header_map_value", "proxy_get_header_map_pairs", "proxy_replace_header_map_value", "proxy_add_header_map_value"])
    for (let at = 1; at < 40; at++) {
      rounds++;
      const o = home(), h = load(o, { heldHeaders: true, fail: { name, at } }, { mode: "inline" });
      const r = await h.exchange(secret, o.answer).catch((e) => ({ status: e.message, headers: [] }));
      const anonymous = o.asked.every((q) => header(q, ":path") !== "/post/" || !header(q, "cookie"));
      const sound = r.status === "503" || r.status === "502" || (r.status === "200" && header(r.headers, "cache-control") && header(r.headers, "etag")) || header(o.asked[0] ?? [], ":path") === "/post/llm/";
      if (anonymous && sound) good++;
      else ok(false, `inline: ${name} fails from call ${at} on`, JSON.stringify([r.status, r.headers, o.asked]));
    }
  same(good, rounds, "inline: header maps that cannot be edited");
}
done();
