// What a VM of the filter and the process around it take: at the start, with open streams, after many.
import fs from "node:fs";
import v8 from "node:v8";
import vm from "node:vm";
import { Host } from "./host.mjs";

v8.setFlagsFromString("--expose-gc");
const gc = vm.runInNewContext("gc");
const KB = 60, filler = "A sentence of ordinary length stands here, so that the page has the weight of text that pages have. ";
const page = Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body><main><article><h1>A page</h1>${`<p class="text">${filler.repeat(3)}</p>\n`.repeat(KB * 3.1)}</article></main></body></html>`);
const whole = { headers: [[":status", "200"], ["content-type", "text/html"]], body: [page] };
const config = JSON.stringify({ origin: "https://example.com", upstream: { cluster: "origin" } });
const host = Host.load(new WebAssembly.Module(fs.readFileSync("build/adit-edge.wasm")), { config, clusters: { origin: async () => whole }, manual: true });

const mb = (n) => (n / 1048576).toFixed(1);
function line(what) {
  for (let i = 0; i < 3; i++) gc();
  console.log(`     ${what.padEnd(48)} VM ${mb(host.x.memory.buffer.byteLength).padStart(5)} MB, RSS of the process ${mb(process.memoryUsage().rss).padStart(6)} MB`);
}
function open(path) {
  const s = host.open({ upstream() {}, end() {} });
  s.request([[":method", "GET"], [":path", path], [":authority", "example.com"], [":scheme", "https"], ["user-agent", "Mozilla/5.0 (X11; Linux x86_64) bench"], ["accept", "*/*"], ["x-forwarded-for", "192.0.2.1"]]);
  return s;
}
const many = (n, path) => Array.from({ length: n }, (_, i) => open(path(i)));
const answer = () => { for (const call of [...host.pending.keys()]) host.answerCall(call, whole); };

console.log(`   memory of the filter, one VM in the JavaScript host, pages of ${(page.length / 1024).toFixed(0)} KB`);
line("at the start");
const views = many(64, (i) => `/p${i}/llm/`);
line("64 machine views asked for");
answer();
line("64 machine views converted");
for (let i = 0; i < 10000; i++) {
  const s = open(i % 2 ? `/r${i}/llm/` : `/r${i}/`);
  if (i % 2) answer();
  else s.responseHeaders(whole.headers, false), s.responseData(page, true);
}
line("after 10,000 requests, half of them converted");
for (const n of [1000, 4000]) {
  const pages = many(n, (i) => `/q${i}/`);
  line(`${n} pages under way`);
  for (const s of pages) s.reset();
}
if (views.some((s) => !s.over)) throw new Error("a view was not answered");
