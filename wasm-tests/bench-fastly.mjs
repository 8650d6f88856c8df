// What the program for Fastly Compute costs, in the host of the tests: the time that is the guest's own, without the
// host's calls, which are JavaScript here and something else there. Least of several rounds. Fastly compiles ahead of
// time, with another compiler than V8's.
import fs from "node:fs";
import zlib from "node:zlib";
import { Fastly } from "./fastly-host.mjs";
import { article } from "./article.mjs";

const ROUNDS = 7, N = 100, FILE = "build/adit-fastly.wasm";
const bytes = fs.readFileSync(FILE), module = new WebAssembly.Module(bytes), page = article(60), chunks = [];
for (let i = 0; i < page.length; i += 16384) chunks.push(page.subarray(i, i + 16384));
const html = ["content-type", "text/html; charset=utf-8"];
const origin = async (q) => q.headers.some(([k]) => k === "if-none-match") ? { status: 304, headers: [["etag", '"v"']], body: [] }
  : { status: 200, headers: [html, ...(q.uri.includes("/fresh/") ? [] : [["etag", '"v"']])], body: chunks };
const load = (options) => new Fastly(module, { backends: { origin }, stores: { adit: { "adit.json": '{"origin":"https://example.com"}', requests: "100000" } }, ...options });

// One after the other in the same instance: the next one waits until the last has ended.
async function requests(n, path, status, headers = []) {
  const host = load({ cache });
  for (let i = 0; i < n; i++) {
    const r = await host.get("https://example.com" + path, headers);
    if (r.status !== status) throw new Error(`${path}: ${r.status}`);
    while (!host.idle.size) await new Promise((ok) => { host.onIdle = ok; });
  }
  const pool = host.pool;
  pool.shared = true;
  await host.close();
  await pool.close();
  return { own: host.times.reduce((a, t) => a + t.ownMs, 0) / n, start: Math.min(...host.times.map((t) => t.startMs)), memory: host.memory };
}

const kb = (n) => (n / 1024).toFixed(0);
console.log(`   module: ${kb(bytes.length)} KB, ${kb(zlib.gzipSync(bytes, { level: 9 }).length)} KB gzipped (tables unpacked)`);
const first = load(), { cache } = first;
const etag = (await first.get("https://example.com/post/llm/")).headers.find(([k]) => k === "etag")[1];
await new Promise((r) => setTimeout(r, 100)); // until it is remembered
await first.close();
const kinds = [["passed untouched", "/tag/x/", 200], ["C-URL, link written in", "/post/", 200], ["M-URL, converted", "/fresh/llm/", 200], ["M-URL, 200 after a revalidation", "/post/llm/", 200], ["M-URL, 304", "/post/llm/", 304, [["if-none-match", etag]]]];
const best = kinds.map(() => Infinity);
let start = Infinity, whole = Infinity, memory = 0;
for (let round = 0; round < ROUNDS; round++) {
  const one = await requests(1, "/tag/x/", 200);
  start = Math.min(start, one.start), whole = Math.min(whole, one.own);
  for (const [k, [, path, status, headers]] of kinds.entries()) {
    const r = await requests(N, path, status, headers);
    best[k] = Math.min(best[k], r.own), memory = Math.max(memory, r.memory);
  }
}
console.log(`   start of an instance of a compiled module: ${start.toFixed(2)} ms; its first request, passed on, with the configuration read: ${whole.toFixed(2)} ms of its own`);
console.log(`   a page of 60 KB, the guest's own time a request, ${N} in one instance; memory of the instance at most ${kb(memory)} KB`);
kinds.forEach(([what], k) => console.log(`     ${what.padEnd(34)} ${best[k].toFixed(3)} ms${k ? `, added ${(best[k] - best[0]).toFixed(3)} ms` : ""}`));
