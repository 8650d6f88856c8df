// What the program for Fastly Compute keeps in the platform's cache: the validator memory, with surrogate keys; and one
// fetch for many requests at a time, which instances share by the cache's request collapsing. And bodies of any length
// go through in constant memory (Slow: 600 MB only with ADIT_ALL=1).
import fs from "node:fs";
import { Fastly, Stream } from "./fastly-host.mjs";
import { ok, same, done } from "./tap.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_FASTLY ?? "build/adit-fastly.wasm"));
const words = "A level tunnel leads into the mine, and along it the ore comes out to people who need it. ".repeat(6);
const page = (title) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1><p>${words}</p><p>And then ${words}</p></main></body></html>`;
const html = ["content-type", "text/html; charset=utf-8"];
const value = (fields, name) => fields.find(([k]) => k === name)?.[1];
// Its instances end by themselves, and say what they did.
const ended = async (host) => { for (const p of [...host.idle]) p.done(); while (host.running.size) await new Promise((r) => { host.onEnd = r; }); await host.close(); };
const settle = () => new Promise((r) => setTimeout(r, 50));

// A site of one page, whose fields a test sets; what it was asked, and what went into the cache.
function site(options = {}) {
  const s = { asked: [], stored: [], fields: [["etag", '"v1"']], title: "The tunnel", status: 200 };
  s.host = new Fastly(module, { reuse: false, stores: { adit: { "adit.json": JSON.stringify({ origin: "https://example.com", upstream: { timeout_ms: 3000 } }) } },
    observe: (what, key, o) => { if (what === "insert" || what === "fulfil") s.stored.push({ what, key, ...o }); },
    backends: { origin: async (q) => {
      s.asked.push(q);
      s.most = Math.max(s.most ?? 0, (s.now = (s.now ?? 0) + 1));
      await s.before?.(q);
      if (s.slow && s.asked.length > 1) await new Promise((r) => setTimeout(r, s.slow));
      s.now--;
      if (s.down) throw new Error("down");
      if (value(q.headers, "if-none-match") === value(s.fields, "etag") && value(s.fields, "etag")) return { status: 304, headers: s.fields, body: [] };
      return { status: s.status, headers: [s.type ?? html, ...s.fields], body: [Buffer.from(page(s.title))] };
    } }, ...options });
  s.get = (path = "/post/llm/", headers = []) => s.host.get("https://example.com" + path, headers).then((r) => ({ ...r, text: r.body.toString() }));
  s.memory = () => s.stored.filter((o) => o.what === "insert");
  s.end = async () => { same([s.host.faults, s.host.traps], [[], []], "no illegal call, no trap"); await s.host.close(); };
  return s;
}

{ // The memory.
  const s = site();
  s.fields = [["etag", '"v1"'], ["surrogate-key", "post-42 blog"]];
  const first = await s.get();
  await settle();
  same(s.memory().map((o) => [o.keys.join(" "), o.maxAge, o.stale]), [["adit post-42 blog", 0, 7 * 86400000]], "a view is remembered under the page's surrogate keys and ours: stale at once, as its max-age=0 says, for a week");
  const again = await s.get();
  same([s.asked.length, value(s.asked[1].headers, "if-none-match"), again.text], [2, '"v1"', first.text], "and answered after a revalidation without a body");
  same((await s.get("/post/llm/", [["if-none-match", value(first.headers, "etag")]])).status, 304, "or 304");
  s.host.purge("post-42");
  await s.get();
  same(value(s.asked.at(-1).headers, "if-none-match"), undefined, "a purge of the page's key forgets it");
  await settle();
  s.host.purge("adit");
  await s.get();
  same(value(s.asked.at(-1).headers, "if-none-match"), undefined, "as does one of ours");
  s.title = "Another tunnel", s.fields = [["etag", '"v2"']];
  ok((await s.get()).text.includes("Another tunnel"), "a changed page is seen at once");
  await s.end();
}
for (const [rule, seconds] of [["max-age=600, must-revalidate", 600], ["max-age=5, s-maxage=3600", 3600], ["max-age=99999999", 7 * 86400], ["no-cache, max-age=600", 0]]) {
  const s = site({ stores: { adit: { "adit.json": JSON.stringify({ origin: "https://example.com", cache_control: rule }) } } });
  const first = await s.get();
  await settle();
  same(s.memory().map((o) => [o.maxAge, o.stale]), [[seconds * 1000, (7 * 86400 - seconds) * 1000]], `${rule}: what is remembered is fresh as long as the view is`);
  const again = await s.get();
  same([value(s.asked.at(-1).headers, "if-none-match"), again.text], ['"v1"', first.text], "and the origin is asked all the same");
  await s.end();
}
for (const [what, field] of [["private", ["cache-control", "private"]], ["no-store", ["cache-control", "no-store"]], ["Vary: Cookie", ["vary", "Cookie"]]]) {
  const s = site();
  s.fields = [["etag", '"v1"'], field];
  const r = await s.get();
  await s.get();
  await settle();
  same([r.status, value(r.headers, "cache-control"), s.memory().length, value(s.asked.at(-1).headers, "if-none-match")], [200, "private, no-store", 0, undefined], `${what}: the view is not stored`);
  ok(s.stored.every((o) => o.metadata.length === 0), `${what}: nor is the page, for others`);
  await s.end();
}

// The origin answers when all have asked for the page: each has looked into the cache.
async function together(n, change = () => {}) {
  const s = site();
  s.fields = [];
  change(s);
  let looked = 0, all;
  const everybody = new Promise((r) => { all = r; });
  const look = s.host.cache.entry;
  s.host.cache.entry = function (key) { if (key.startsWith("adit fetch") && ++looked === n) setTimeout(all, 20); return look.call(this, key); };
  s.before = () => everybody;
  s.answers = await Promise.all(Array.from({ length: n }, () => s.get()));
  await s.end();
  return s;
}
{
  const s = await together(12);
  ok(s.answers.every((r) => r.status === 200 && r.text === s.answers[0].text), "12 requests at a time: all answered alike");
  same(s.asked.length, 1, "12 requests at a time: one for the origin");
  same(s.stored.map((o) => [o.what, o.maxAge]), [["fulfil", 250]], "the copy is gone after a quarter of a second");
}
{
  const s = await together(6, (x) => { x.status = 404; });
  same([s.answers.map((r) => r.status).join(), s.asked.length], ["404,404,404,404,404,404", 1], "a page that is not there: one asks for all");
}
{
  const s = await together(6, (x) => { x.type = ["content-type", "text/plain"]; });
  same(s.answers.map((r) => r.status).join(), "404,404,404,404,404,404", "what is no page is none for those who wait");
}
for (const [what, change] of [["a private page", (s) => { s.fields = [["cache-control", "private"]]; }], ["a login", (s) => { s.status = 401; }], ["an error", (s) => { s.status = 500; }],
  ["an origin that is down", (s) => { s.down = true; }]]) {
  const s = await together(4, (x) => { x.slow = 300; change(x); });
  same([new Set(s.answers.map((r) => r.status)).size, s.asked.length, s.most], [1, 4, 3], `${what}: each asks for itself, all at once`);
}
{
  const s = site();
  s.fields = [];
  await s.get();
  await s.get();
  same(s.asked.length, 2, "a request that comes later asks for itself: the copy is older than it");
  await s.end();
}
{ // Somebody leads and never ends.
  const s = site({ stores: { adit: { "adit.json": JSON.stringify({ origin: "https://example.com", upstream: { timeout_ms: 300 } }) } } });
  s.before = () => new Promise(() => {});
  same((await Promise.all([s.get(), s.get(), s.get()])).map((r) => r.status), [504, 504, 504], "nobody waits longer than upstream.timeout_ms");
  await s.end();
}
{ // A trap of the leader's instance does not hold the others.
  const s = site();
  s.fields = [];
  let first = true;
  s.before = async () => { if (first) { first = false; await new Promise((r) => setTimeout(r, 200)); throw new Error("gone"); } };
  const all = await Promise.all([s.get(), s.get()]);
  same(all.map((r) => r.status).sort(), [200, 502], "a leader that fails: the next one asks");
  await s.end();
}

// --- bodies in constant memory ---------------------------------------------------------------------------------------
const LINK = '<link rel="alternate" type="application/json" href="https://example.com/long/llm/"><link rel="alternate" type="text/markdown" href="https://example.com/long/llm.md">';
const MB = process.env.ADIT_ALL ? 600 : 96, chunk = Buffer.alloc(64 << 10, "<p>words of a long page</p>\n");
async function* long(head, mb, seen) {
  yield Buffer.from(head);
  for (let i = 0; i < mb * 16; i++) { seen.made += chunk.length; yield chunk; }
}
async function drain(stream, seen) {
  let n = 0;
  for (let c; (c = await stream.take()).length; ) { n += c.length; seen.most = Math.max(seen.most, seen.made - n); if (n % (4 << 20) < c.length) await new Promise((r) => setImmediate(r)); }
  return n;
}
for (const [what, type, head, added] of [["a page", html, "<!doctype html><html><head><title>x</title></head><body>", LINK.length], ["a page whose head never comes", html, "<!doctype html><!-- ", 0], ["a download", ["content-type", "video/mp4"], "", 0]]) {
  const seen = { made: 0, most: 0 }, host = new Fastly(module, { stores: { adit: { "adit.json": JSON.stringify({ origin: "https://example.com" }) } }, backends: { origin: async () => ({ status: 200, headers: [type], body: Stream.from(long(head, MB, seen)) }) } });
  const r = await host.fetch({ uri: "https://example.com/long/" });
  const n = await drain(r.body, seen);
  await ended(host);
  same(n, head.length + MB * (1 << 20) + added, `${what}: ${MB} MB through`);
  ok(seen.most < 4 << 20, `${what}: no more than 4 MB of it is held anywhere`, seen.most);
  ok((host.calls["fastly_http_body.read"] ?? 0) < 10, `${what}: the program reads its beginning only`, host.calls["fastly_http_body.read"]);
}
{ // Upwards.
  const seen = { made: 0, most: 0 };
  let n = 0;
  const host = new Fastly(module, { reuse: true, stores: { adit: { "adit.json": JSON.stringify({ origin: "https://example.com" }) } }, backends: { origin: async (q) => { n = await drain(q.body, seen); return { status: 200, headers: [], body: [] }; } } });
  await host.get("https://example.com/upload", [], { method: "POST", body: Stream.from(long("", MB, seen)) });
  await host.close();
  same(n, MB * (1 << 20), `an upload: ${MB} MB through`);
  ok(seen.most < 4 << 20, "an upload: no more than 4 MB of it is held anywhere", seen.most);
}
{ // The guest's own memory, after a page and machine views.
  const host = new Fastly(module, { stores: { adit: { "adit.json": JSON.stringify({ origin: "https://example.com" }), requests: "1000" } }, backends: { origin: async () => ({ status: 200, headers: [html], body: Stream.from(long("<!doctype html><html><head></head>", 24, { made: 0 })) }) } });
  await (await host.fetch({ uri: "https://example.com/long/" })).body.whole();
  await ended(host);
  ok(host.memory > 1 << 20 && host.memory <= 8 << 20, "24 MB of a page: the instance has no more than 8 MB of memory", host.memory);
}
done();
