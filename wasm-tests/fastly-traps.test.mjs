// What may go wrong between the program for Fastly Compute and its host, one thing a block: a machine view is whole or
// refused, people get the origin's bytes as far as there are any, and nothing traps.
import fs from "node:fs";
import { Fastly, Pool, Stream, TAG } from "./fastly-host.mjs";
import { ok, same, done } from "./tap.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_FASTLY ?? "build/adit-fastly.wasm"));
const CONFIG = { origin: "https://example.com", exclude: ["/tag/*"], upstream: { cluster: "origin", timeout_ms: 400 } };
const words = "A level tunnel leads into the mine, and along it the ore comes out to people who need it. ".repeat(6);
const PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The tunnel</title></head><body><main><h1>The tunnel</h1><p>${words}</p><p>And then ${words}</p></main></body></html>`;
const LINK = '<link rel="alternate" type="application/json" href="https://example.com/post/llm/"><link rel="alternate" type="text/markdown" href="https://example.com/post/llm.md">';
const html = ["content-type", "text/html; charset=utf-8"];
const reply = (status, body, ...fields) => ({ status, headers: [html, ...fields], body: [body].flat().map((b) => Buffer.from(b)) });
const pool = new Pool(true), problems = [];
let host;
async function load(origin, options = {}, config = {}) {
  await leave();
  host = new Fastly(module, { pool, backends: { origin: async (q) => origin(q) }, stores: { adit: { "adit.json": JSON.stringify({ ...CONFIG, ...config }) } }, ...options });
  return host;
}
async function leave() {
  if (!host) return;
  await host.close();
  problems.push(...host.traps, ...host.faults);
}
const get = (path, headers, more) => host.get("https://example.com" + path, headers, more).then((r) => ({ ...r, text: r.body.toString(), field: (k) => r.headers.find(([n]) => n === k)?.[1] }));
const never = () => { throw new Error("the origin must not be asked"); };

// --- what the backend does ---------------------------------------------------------------------------------
const fails = (tag) => () => { throw Object.assign(new Error("no"), { tag }); };
for (const [what, tag, machine, people] of [["refused", TAG.refused, 502, 502], ["terminated", TAG.terminated, 502, 502], ["a timeout of the connection", TAG.connectTimeout, 504, 504], ["a timeout of the answer", TAG.responseTimeout, 504, 504],
  ["no more connections", TAG.limit, 503, 503], ["a backend that is gone", TAG.notFound, 502, 502]]) {
  await load(fails(tag));
  const m = await get("/post/llm/"), p = await get("/post/");
  same([m.status, m.field("content-type"), p.status, p.text], [machine, "application/problem+json", people, ""], `${what}: ${machine} for machines, ${people} for people`);
}
await load(never, { backends: {} });
same([(await get("/post/llm/")).status, (await get("/post/")).status], [502, 502], "a backend that the service does not have: 502");
ok(host.logs.some((l) => l.message === "adit: upstream.cluster origin: the service has no such backend (status 2)"), "and the log names it", JSON.stringify(host.logs));
await load(() => new Promise(() => {}));
same((await get("/post/llm/")).status, 504, "an origin that never answers: 504 after upstream.timeout_ms");
await load(() => ({ status: 200, headers: [html], body: (() => { const s = new Stream(); s.put(Buffer.from(PAGE.slice(0, 100))); return s; })() }));
same((await get("/post/llm/")).status, 504, "an origin that stops in the middle: 504");
const broken = (at) => () => ({ status: 200, headers: [html], body: (() => { const s = new Stream(); s.put(Buffer.from(PAGE.slice(0, at))); s.break(); return s; })() });
await load(broken(300));
same((await get("/post/llm/")).status, 502, "a page that breaks off: 502");
ok(await get("/post/").then(() => false, () => true), "and people's page breaks off, too");
await load(broken(20));
ok(await get("/post/").then(() => false, () => true), "also before its head");
for (const status of [100, 206, 304, 599]) {
  await load(() => reply(status, status === 304 ? "" : PAGE));
  ok((await get("/post/llm/")).status >= 502, `status ${status} that nobody asked for: refused`);
}

// --- header fields ---------------------------------------------------------------------------------------------
for (const [name, first, second] of [["cache-control", "max-age=5", "private"], ["vary", "accept-encoding", "cookie"]]) {
  await load(() => reply(200, PAGE, [name, first], [name, second]));
  same((await get("/post/llm/")).field("cache-control"), "private, no-store", `the second ${name} counts`);
}
await load(() => reply(200, PAGE, ["set-cookie", "a=1"], ["set-cookie", "b=2"], ["link", "</a.css>; rel=preload"]));
const cookies = await get("/post/");
same([cookies.headers.filter(([k]) => k === "set-cookie").length, cookies.headers.filter(([k]) => k === "link").length], [2, 4], "both cookies stay, and a Link of the origin's beside ours");
same(cookies.text, PAGE.replace('<head>', "<head>" + LINK), "and the page has its link");
const many = (n, ...last) => [...Array.from({ length: n - last.length }, (_, i) => [`x-${i}`, "1"]), ...last];
for (const n of [511, 512, 513, 2000]) {
  await load(() => reply(200, PAGE, ...many(n - 1, ["cache-control", "private"])));
  const r = await get("/post/llm/");
  same([r.status, r.field("cache-control")], n > 512 ? [502, "no-store"] : [200, "private, no-store"], `${n} fields, the last of which says private`);
}
for (const n of [8191, 8192, 8193]) {
  await load(() => reply(200, PAGE, ["x-robots-tag", "noindex" + " ".repeat(n - 8) + "x"]));
  same((await get("/post/llm/")).status, n > 8192 ? 502 : 200, `X-Robots-Tag of ${n} bytes`);
}
for (const n of [120000, 140000]) { // more than there is room for: no view without what it says
  await load(() => reply(200, PAGE, ["x-long", "x".repeat(n)]));
  const m = await get("/post/llm/"), p = await get("/post/");
  ok((m.status === 200 || m.status === 502) && p.status === 200 && p.text.includes("The tunnel"), `a field of ${n} bytes`, `${m.status} ${p.status}`);
}
await load(() => reply(200, PAGE, ...many(511)));
const passed = await get("/post/");
same([passed.text, passed.headers.length], [PAGE.replace("<head>", "<head>" + LINK), 516], "a page with 512 fields gets its link");
await load(() => reply(200, PAGE, ...many(512)));
same((await get("/post/")).text, PAGE, "a page with 513 fields passes untouched");

// --- requests ---------------------------------------------------------------------------------------------------
const asked = [];
await load((q) => { asked.push(q); return reply(200, PAGE); });
await get("/post/llm/", [["cookie", "secret=1"], ["authorization", "Basic x"], ["if-modified-since", "Mon, 16 Nov 2020 00:00:00 GMT"], ["x-forwarded-for", "198.51.100.7"]]);
const own = asked.at(-1).headers;
same(own.filter(([k]) => /cookie|authorization|if-modified|range/.test(k)), [], "the conversion is anonymous");
same([own.find(([k]) => k === "x-forwarded-for")?.[1], own.find(([k]) => k === "x-forwarded-proto")?.[1], own.find(([k]) => k === "host")?.[1]], ["198.51.100.7, 192.0.2.1", "https", "example.com"], "and tells the client's address, the scheme and the host");
await get("/post/", [["cookie", "a=b"]]);
same([asked.at(-1).headers.find(([k]) => k === "cookie")?.[1], asked.at(-1).headers.find(([k]) => k === "x-forwarded-for")?.[1]], ["a=b", "192.0.2.1"], "people's request goes on with its cookie, and their address");
host.ip = [0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1];
await get("/post/llm/");
same(asked.at(-1).headers.find(([k]) => k === "x-forwarded-for")?.[1], "2001:0db8:0000:0000:0000:0000:0000:0001", "an address of IPv6");
host.ip = null;
await get("/post/llm/");
ok(!asked.at(-1).headers.some(([k]) => k === "x-forwarded-for"), "a host that does not know it");
for (const fields of [[["upgrade", "websocket"]], [["content-type", "application/grpc"]]]) {
  const r = await get("/post/llm/", fields);
  same([r.text, asked.at(-1).uri], [PAGE, "https://example.com/post/llm/"], `${fields[0][1]}: passes, whatever its path`);
}
for (const uri of ["https://example.com", "https://example.com?a=b", "https://"]) same((await host.get(uri)).status, 200, `${uri}: passes`);

// --- the configuration -------------------------------------------------------------------------------------------
for (const [what, stores, line] of [
  ["a wrong key", { adit: { "adit.json": '{"origin":"https://example.com","upstream":{"clutser":"x"}}' } }, /^adit: configuration: upstream\.clutser: /],
  ["no origin", { adit: { "adit.json": "{}" } }, /^adit: configuration: origin: /], ["no JSON", { adit: { "adit.json": "{" } }, /^adit: configuration: /],
  ["no such key", { adit: {} }, /^adit: configuration: there is no key adit\.json/], ["no such store", {}, /^adit: configuration: there is no key/]]) {
  await load(() => reply(200, PAGE), { stores });
  const r = await get("/post/"), m = await get("/post/llm/");
  same([r.status, r.text, r.headers, m.text], [200, PAGE, [html], PAGE], `${what}: requests pass`);
  ok(host.logs.every((l) => l.endpoint === "adit") && line.test(host.logs[0]?.message), `${what}: the log says it`, JSON.stringify(host.logs));
}
{ // A document in several parts.
  const text = JSON.stringify({ ...CONFIG, overview: { title: "x".repeat(9000) } });
  await load(() => reply(200, PAGE), { stores: { adit: { "adit.json": text.slice(0, 8000), "adit.json.2": text.slice(8000) } } });
  same((await get("/post/llm/")).field("content-type"), "application/json; charset=utf-8", "a document of more than 8000 characters");
}

{ // The manifest that is shipped: both its configurations are taken, and the names in it are the program's.
  const toml = fs.readFileSync("edge/fastly/fastly.toml", "utf8"), documents = [...toml.matchAll(/^(?:"adit.json"|value) = '(.*)'$/gm)].map((m) => m[1]);
  same(documents.length, 2, "fastly.toml: a configuration to set up, one for this machine");
  for (const text of documents) {
    await load(() => reply(200, PAGE), { stores: { adit: { "adit.json": text } } });
    same([(await get("/post/llm/")).status, host.logs.filter((l) => l.message[0] !== "{")], [200, []], `fastly.toml: ${text}`);
    ok(toml.includes(`[setup.backends.${JSON.parse(text).upstream?.cluster ?? "origin"}]`), "fastly.toml: with the backend that it names");
  }
  ok(/^\[setup\.config_stores\.adit\]$/m.test(toml) && /^\[setup\.log_endpoints\.adit\]$/m.test(toml) && /^\[local_server\.config_stores\.adit\]$/m.test(toml), "fastly.toml: store and log endpoint");
}

// --- the client goes away ------------------------------------------------------------------------------------------
{
  const gone = new AbortController(), source = new Stream();
  let closed = false;
  source.onClose = () => { closed = true; };
  await load(() => ({ status: 200, headers: [html], body: source }));
  source.put(Buffer.from(PAGE.slice(0, 200)));
  const r = await host.fetch({ uri: "https://example.com/post/", signal: gone.signal });
  await r.body.take();
  gone.abort();
  for (let i = 0; i < 50 && !closed; i++) { await Promise.race([source.put(Buffer.alloc(65536, " ")), new Promise((ok) => setTimeout(ok, 20))]); await new Promise((ok) => setTimeout(ok, 5)); }
  ok(closed, "a client that goes away: the backend's answer is given up");
}

// --- each host call fails, from each of its calls on ---------------------------------------------------------------------
{
  const origin = (q) => { asks.push(q); return reply(200, PAGE, ["etag", '"v1"'], ["x-robots-tag", "noarchive"]); };
  let asks = [], rounds = 0, good = 0;
  await load(origin);
  const whole = await get("/post/llm/");
  await get("/post/");
  await host.close();
  const counted = host.calls, calls = Object.keys(counted);
  for (const name of calls) for (const at of new Set([1, 2, 3, counted[name]])) for (const path of ["/post/llm/", "/post/"]) {
    asks = [], rounds++;
    await load(origin, { failing: { name, at } });
    const r = await get(path, [["cookie", "secret=1"]]).catch((e) => ({ status: e.message, headers: [], text: "" }));
    await host.close();
    host.faults = []; // refusals that follow from the one that was made up
    const fetched = asks.filter((q) => !q.downstream), anonymous = fetched.every((q) => !q.headers.some(([k]) => k === "cookie"));
    const sound = path === "/post/" ? r.status !== 200 || r.text.replace(LINK, "") === PAGE // its bytes, or none
      : r.status !== 200 || (r.text === whole.text && r.headers.length === whole.headers.length) || r.text === PAGE; // the view, whole; or it passed
    if (anonymous && sound) good++;
    else ok(false, `${name} fails from call ${at} on: ${path}`, JSON.stringify([r.status, r.headers, r.text.slice(0, 80), asks.map((q) => q.headers)]));
  }
  ok(rounds > 150, `${rounds} rounds with ${calls.length} host calls`, rounds);
  same(good, rounds, "each host call failing: views are whole and anonymous, pages have their bytes");
}
await leave();
same(problems, [], "no trap, no illegal call");
await pool.close();
done();
