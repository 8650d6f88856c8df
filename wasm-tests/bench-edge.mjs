// The edge's core in WASM against the same core natively, over the same pages in one run; and what the filter costs a
// request, in the JavaScript host of the tests. CPU time, the least of several interleaved rounds: other work on the
// machine only ever adds.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { ACTION, Core, GET, fields } from "./core.mjs";
import { Host, header } from "./host.mjs";
import { article } from "./article.mjs";

const ROUNDS = 5, PAGES = 250;

function corpusPages() {
  const dir = path.join(process.env.ADIT_CORPUS ?? "../shared/corpus", "extraction");
  const files = (fs.existsSync(dir) ? fs.readdirSync(dir) : []).filter((f) => f.endsWith(".html.gz") && !f.includes(".expected.")).sort().slice(0, PAGES);
  return files.map((f) => zlib.gunzipSync(fs.readFileSync(path.join(dir, f))));
}

const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };

// --- conversion ---------------------------------------------------------------------------------------
function wasmCore() {
  const core = new Core({ origin: "https://site.example" }), x = core.x, html = fields([["content-type", "text/html"]]);
  return (number, page) => {
    const h = x.adit_open();
    let action = core.request(h, "site.example", `/${number}/llm/`);
    if (action === ACTION.RECALL) action = x.adit_recalled(h, 0, 0);
    if (action === ACTION.FETCH) action = core.given(html, (p, n) => x.adit_fetched(h, 200, p, n));
    if (action === ACTION.BODY) action = core.given(page, (p, n) => x.adit_fetched_body(h, p, n));
    if (action === ACTION.BODY) action = x.adit_fetched_end(h);
    x.adit_get(h, GET.answerBody);
    const len = x.adit_len();
    x.adit_close(h);
    return len;
  };
}

function nativeCore(pages) {
  const d = "build/deps", dir = "build/bench";
  fs.mkdirSync(dir, { recursive: true });
  const length = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
  fs.writeFileSync(`${dir}/pages.bin`, Buffer.concat(pages.flatMap((p) => [length(p.length), p])));
  execFileSync("gcc", ["-O2", "-std=c11", "-D_GNU_SOURCE", "-w", "-Ishared", "-I.", "-o", `${dir}/native`, "wasm-tests/bench-native.c", "build/native/libadit.a", `${d}/lib-native.a`]);
  return () => execFileSync(`${dir}/native`, [`${dir}/pages.bin`, "2"], { encoding: "utf8" }).split(" ").map(Number);
}

function conversion(name, pages) {
  const convert = wasmCore(), native = nativeCore(pages), mb = pages.reduce((n, p) => n + p.length, 0) / 1e6;
  const best = { wasm: Infinity, native: Infinity };
  const round = () => { const start = cpu(); const bytes = pages.reduce((n, p, i) => n + convert(i, p), 0); return [cpu() - start, bytes]; };
  round(), round(); // the engine compiles what is hot
  for (let i = 0; i < ROUNDS; i++) {
    const [w, wBytes] = round(), [n, nBytes] = native();
    if (wBytes !== nBytes) throw new Error(`answers differ: ${wBytes} and ${nBytes} bytes`);
    best.wasm = Math.min(best.wasm, w), best.native = Math.min(best.native, n);
  }
  const rate = (s) => `${(mb / s).toFixed(0)} MB/s`;
  console.log(`   conversion, ${name} (${mb.toFixed(1)} MB): native ${rate(best.native)}, WASM ${rate(best.wasm)}: ${(best.wasm / best.native).toFixed(2)} x the time (goal: at most 2.0)`);
}

// --- start, size ----------------------------------------------------------------------------------------------
const CONFIG = JSON.stringify({ origin: "https://example.com", upstream: { cluster: "origin" } });
{
  const code = `import fs from "node:fs"; import { Host } from "./wasm-tests/host.mjs"; const b = fs.readFileSync("build/adit-edge.wasm"), c = process.cpuUsage(), t = performance.now();
    const h = new Host(new WebAssembly.Module(b), { config: ${JSON.stringify(CONFIG)} }); h.start(); const d = process.cpuUsage(c); console.log(performance.now() - t, (d.user + d.system) / 1000);`;
  const runs = Array.from({ length: 15 }, () => execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }).split(" ").map(Number));
  const least = (k) => Math.min(...runs.map((r) => r[k])).toFixed(0);
  console.log(`   start of the filter (compile, instantiate, configure) in a new process, least of ${runs.length}: ${least(0)} ms, CPU of all threads ${least(1)} ms (goal: at most 35 ms)`);
}

{
  const bytes = fs.readFileSync("build/adit-edge.wasm"), kb = (n) => (n / 1024).toFixed(0);
  console.log(`   module: ${kb(bytes.length)} KB, ${kb(zlib.gzipSync(bytes, { level: 9 }).length)} KB gzipped (goal: at most 345)`);
}

const pages = corpusPages();
if (pages.length) conversion("pages of the corpus", pages);
conversion("generated articles", Array.from({ length: 100 }, () => article(60)));

// --- requests through the filter ------------------------------------------------------------------------
async function requests(kb) {
  const page = article(kb), chunks = [];
  for (let i = 0; i < page.length; i += 16384) chunks.push(page.subarray(i, i + 16384));
  const origin = async (q) => header(q.headers, "if-none-match") ? { headers: [[":status", "304"], ["etag", '"v"']], body: [] }
    : { headers: [[":status", "200"], ["content-type", "text/html; charset=utf-8"], ...(header(q.headers, ":path") === "/fresh/" ? [] : [["etag", '"v"']])], body: chunks };
  const host = Host.load(new WebAssembly.Module(fs.readFileSync("build/adit-edge.wasm")), { config: CONFIG, clusters: { origin } });
  const get = (path, ...fields) => host.exchange({ headers: [[":method", "GET"], [":path", path], [":authority", "example.com"], [":scheme", "https"], ...fields] }, origin);
  const etag = header((await get("/post/llm/")).headers, "etag");
  const kinds = [
    ["passed untouched", "200", () => get("/tag/x/")],
    ["C-URL, link written in", "200", () => get("/post/")],
    ["M-URL, converted", "200", () => get("/fresh/llm/")],
    ["M-URL, 200 after a revalidation", "200", () => get("/post/llm/")],
    ["M-URL, 304", "304", () => get("/post/llm/", ["if-none-match", etag])],
  ];
  const best = kinds.map(() => Infinity);
  for (let round = 0; round < ROUNDS + 2; round++)
    for (const [k, [what, status, run]] of kinds.entries()) {
      const n = 200, start = cpu();
      for (let i = 0; i < n; i++) if ((await run()).status !== status) throw new Error(what);
      if (round > 1) best[k] = Math.min(best[k], (cpu() - start) / n);
    }
  console.log(`   the filter in the JavaScript host, a page of ${kb} KB, CPU time a request (added: beyond a page that passes untouched)`);
  kinds.forEach(([what], k) => console.log(`     ${what.padEnd(34)} ${(best[k] * 1e3).toFixed(3)} ms${k ? `, added ${((best[k] - best[0]) * 1e3).toFixed(3)} ms, ${Math.round(1 / best[k])} a second` : ""}`));
}
await requests(60);
