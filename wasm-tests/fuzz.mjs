// Fuzzing native code against WASM: generated exchanges, the same for build/fuzz-native and
// adit-core.wasm, which must say the same, byte for byte; and a page must not take more of WASM's
// memory than a Worker has. Inputs follow from the seed alone.
//
//   node wasm-tests/fuzz.mjs SECONDS [SEED]
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { ACTION as A, GET as G } from "../edge/worker/abi.mjs";

const MAX = 65536, STEPS = 10, NOW = 1794873600, MEMORY_MAX = 128 << 20;

const CONFIGS = [
  { origin: "https://example.com" },
  { origin: "https://example.com", query: "keep", exclude: [], payload_schema: true, require_https: false, policy: { version: 1 } },
  { origin: "http://example.com", suffix: "a", legacy_suffixes: ["b"], homepage: "overview", overview: { title: "T", content: "C" }, max_page_bytes: 5000, scp: { manifest: "/m.json", refresh_s: 1 }, sitemap: { path: "/s" } },
];
const PATHS = ["/post/llm/", "/post/llm.md", "/post/", "/", "/llm/", "/post/a", "/x/llm/?q=1", "/post/b", "/post/llm", "/robots.txt", "/s", "/m.json", "/x.scp.zst", "//post/llm/", "/post/llm/llm/", "/%C3%A9/llm/", "/llm-sitemap.json"];
const REQUEST = [["accept", "text/markdown"], ["accept", "*/*"], ["range", "bytes=0-99"], ["range", "bytes=-5"], ["if-none-match", "*"], ["if-none-match", '"x"'], ["if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT"], ["accept-encoding", "identity;q=0"], ["cookie", "a=b"], ["authorization", "x"], ["cdn-loop", "adit"], ["x-forwarded-proto", "http"], ["user-agent", "GPTBot"], ["if-range", '"x"'], ["if-match", '"y"']];
const CHARSETS = ["", "; charset=utf-8", "; charset=iso-8859-1", "; charset=shift_jis", "; charset=gb18030", "; charset=big5", "; charset=euc-kr", "; charset=iso-2022-jp", "; charset=utf-16le", "; charset=koi8-r", "; charset=x"];
const ANSWER = [["etag", '"x"'], ["etag", 'W/"y"'], ["last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"], ["cache-control", "private"], ["cache-control", "no-transform"], ["vary", "Cookie"], ["vary", "*"], ["x-robots-tag", "noindex"], ["link", "</a>; rel=canonical"], ["content-language", "de"], ["set-cookie", "a"], ["location", "/elsewhere/"], ["retry-after", "3"], ["content-length", "12"], ["content-encoding", "br"]];
const TOKENS = ["<p>", "</p>", "<div>", "<table><tr><td>", "<h1>", "<a href='/x'>", "<img src=i alt=x>", "<base href='https://e.com/a/'>", "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"", "</script>", "<iframe src=//youtube.com/embed/x></iframe>", "<video src=v><source src=w>", "<pre><code>", "<ul><li>", "<blockquote>", "<br>", "<meta charset=utf-16>", "<meta name=robots content=noindex>", "<meta property=og:title content=\"", "<title>", "<svg><title>", "<math><mi>", "<template>", "<noscript>", "<!--", "-->", "<![CDATA[", "&amp;", "&#x202e;", "&#0;", "&notit;", "\u00e9", "\u202e", "\ufeff", "e\u0301", "\ud55c", "\u11a7", "\u{1F600}", "\0", "\r\n", "\t", "style=display:none ", "class=\"nav menu\" ", "<main>", "<article>", "<nav>", "2024-01-02T03:04:05Z", "<time datetime=2024-01-02>", "<math>", "<font>", "<b><i>", "</b>", "<select><option>", "<form>", "<plaintext>", "<textarea>", "<p hidden>", "<link rel=canonical href=/y>"].map((s) => Buffer.from(s));

// A generator of numbers below n, the same on every machine (mulberry32).
export function random(seed) {
  return (n) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n >>> 0); return b; };
const part = (bytes) => [u32(bytes.length), bytes];
const fields = (pairs) => Buffer.from(pairs.flatMap(([k, v]) => [k, "\0", v, "\0"]).join(""), "latin1");

// --- inputs: the cases, mutated

function seeds() {
  const list = (dir) => fs.readdirSync(dir).sort().map((f) => path.join(dir, f));
  return ["blocks", "content", "meta"].flatMap((d) => list(`shared/convert/cases/${d}`)).filter((f) => f.endsWith(".html"))
    .concat(list("shared/codec/fuzz/charset/seeds"), list("shared/exchange/cases/inject")).map((f) => fs.readFileSync(f)).filter((b) => b.length <= MAX);
}

// One change: [what is before], [what is put in], [what is behind].
function mutate(bytes, r, all) {
  const at = r(bytes.length + 1), len = r(r(4) ? 32 : 2048), token = TOKENS[r(TOKENS.length)];
  const other = all[r(all.length)], from = r(other.length + 1);
  const put = [
    () => [token, 0], () => [token, len], () => [Buffer.alloc(0), len], () => [Buffer.from([r(256)]), 1],
    () => [bytes.subarray(at, at + len), 0], () => [other.subarray(from, from + len * 8), len],
    () => [Buffer.concat(Array(1 + r(r(8) ? 20 : 3000)).fill(token)), 0], () => [Buffer.from(Array.from({ length: r(9) }, () => r(256))), 0],
  ][r(8)]();
  return Buffer.concat([bytes.subarray(0, at), put[0], bytes.subarray(at + put[1])]).subarray(0, MAX);
}

const some = (r, list, n) => Array.from({ length: r(n) }, () => list[r(list.length)]);

function generate(r, all, config) {
  let body = all[r(all.length)];
  for (let n = r(6); n > 0; n--) body = mutate(body, r, all);
  const machine = r(3) > 0, request = [[":method", r(12) ? "GET" : ["HEAD", "POST", "OPTIONS"][r(3)]], [":authority", r(16) ? "example.com" : "other.example"], [":path", (machine ? PATHS[r(2)] : PATHS[r(PATHS.length)]).replaceAll("llm", config.suffix ?? "llm")], [":scheme", "https"], ...some(r, REQUEST, machine ? 2 : 4)];
  const answer = [["content-type", (r(16) ? "text/html" : "text/plain") + CHARSETS[r(4) ? 0 : r(CHARSETS.length)]], ...some(r, ANSWER, machine ? 2 : 4)];
  const coding = r(5);
  if (coding === 1) answer.push(["content-encoding", "gzip"]), (body = zlib.gzipSync(body, { level: 1 }));
  if (coding === 2) answer.push(["content-encoding", "deflate"]), (body = zlib.deflateSync(body, { level: 1 }));
  if (coding && !r(6)) body = mutate(body, r, all); // damaged
  const status = r(8) ? 200 : [301, 302, 304, 401, 403, 404, 410, 429, 500, 503, 206][r(11)];
  return { how: r(2) ? r(256) : 0, request: fields(request), answer: Buffer.concat([u32(status), fields(answer)]), body, memory: Buffer.alloc(0) };
}

const frame = (x) => Buffer.concat([Buffer.from(["X".charCodeAt(0), x.how]), ...part(x.request), ...part(x.answer), ...part(x.body), ...part(x.memory)]);

// --- the two halves

class Native {
  constructor() {
    this.child = spawn("build/fuzz-native", { stdio: ["pipe", "pipe", "inherit"] });
    this.got = [];
    this.len = 0;
    this.child.stdout.on("data", (d) => { this.got.push(d); this.len += d.length; this.look(); });
    this.child.on("close", (code, signal) => { this.gone = `${code} ${signal}`; this.look(); });
    this.child.stdin.on("error", () => {});
  }
  look() {
    if (this.wake && (this.gone || this.len >= this.want)) { const w = this.wake; this.wake = null; w(); }
  }
  async take(n) {
    this.want = n;
    if (this.len < n && !this.gone) await new Promise((end) => (this.wake = end));
    if (this.len < n) throw new Error(`the native program has ended: ${this.gone}`);
    const all = Buffer.concat(this.got), out = all.subarray(0, n);
    this.got = [all.subarray(n)];
    this.len -= n;
    return out;
  }
  ask(bytes) {
    this.child.stdin.write(Buffer.concat(part(bytes)));
    return this.take(4).then((head) => this.take(head.readUInt32LE(0)));
  }
  end() { this.child.stdin.end(); }
}

class Wasm {
  constructor(module) {
    this.x = new WebAssembly.Instance(module, {}).exports;
    this.x._initialize();
  }
  given(bytes, use) {
    const p = this.x.adit_alloc(bytes.length);
    new Uint8Array(this.x.memory.buffer).set(bytes, p);
    try { return use(p, bytes.length); } finally { this.x.adit_free(p); }
  }
  get(h, what) {
    const p = this.x.adit_get(h, what);
    return Buffer.from(new Uint8Array(this.x.memory.buffer).slice(p, p + this.x.adit_len()));
  }
  configure(json) {
    const taken = this.given(json, (p, n) => this.x.adit_configure(p, n));
    return taken ? Buffer.from("1") : Buffer.concat([Buffer.from("0"), this.get(0, G.error)]);
  }
  // As exchange() of fuzz-native.c, step by step.
  exchange(x) {
    const told = [], w = this.x, h = w.adit_open();
    const tell = (bytes) => told.push(...part(bytes)), number = (n) => told.push(u32(n)), of = (what) => tell(this.get(h, what));
    const pieces = (use) => {
      for (let at = 0, n = 0; at < x.body.length; n++) {
        const left = x.body.length - at, want = x.how ? ((x.how * 7 + n * n * 13) % (x.how < 128 ? 61 : 4099)) + 1 : left, len = Math.min(want, left);
        if (!this.given(x.body.subarray(at, at + len), use)) return;
        at += len;
      }
    };
    const fetch = () => {
      of(G.fetchAuthority), of(G.fetchPath), of(G.fetchHeaders);
      let a = this.given(x.answer.subarray(4), (p, n) => w.adit_fetched(h, x.answer.readUInt32LE(0), p, n));
      if (a === A.BODY) pieces((p, n) => (a = w.adit_fetched_body(h, p, n)) === A.BODY);
      return a === A.BODY ? w.adit_fetched_end(h) : a;
    };
    let a = this.given(x.request, (p, n) => w.adit_request(h, p, n, NOW));
    for (let step = 0; a !== A.ANSWER && a !== A.PASS && step < STEPS; step++) {
      number(a);
      if (a === A.RECALL) a = this.given(x.memory, (p, n) => w.adit_recalled(h, p, n));
      else if (a === A.FETCH) a = fetch();
    }
    number(a);
    number(w.adit_status(h));
    if (a === A.PASS) {
      of(G.requestEdits);
      if (!w.adit_done(h)) {
        const inject = this.given(x.answer.subarray(4), (p, n) => w.adit_response(h, x.answer.readUInt32LE(0), p, n));
        number(inject);
        of(G.responseEdits);
        if (inject) {
          pieces((p, n) => { w.adit_body(h, p, n); of(G.injected); return true; });
          w.adit_body_end(h);
          of(G.injected);
        }
      }
    }
    const status = w.adit_status(h), remembered = this.get(h, G.rememberValue);
    for (const what of [G.answerHeaders, G.answerBody, G.rememberKey, G.rememberValue, G.reason, G.route]) of(what);
    w.adit_close(h);
    return { told: Buffer.concat(told), status, remembered };
  }
}

// Runs until `runs` inputs or `seconds` are over. Gives counts, and the first fault if there is one:
// { runs, views, seed, peak, fault: { what, input, native, wasm } }.
export async function fuzz({ seed = 1, runs = Infinity, seconds = Infinity }) {
  const r = random(seed), all = seeds(), native = new Native(), end = Date.now() + seconds * 1000;
  const module = await WebAssembly.compile(fs.readFileSync("build/adit-core.wasm"));
  const result = { runs: 0, views: 0, seed, peak: 0, fault: null };
  let wasm, memory = Buffer.alloc(0);
  const fault = (what, input, n, w) => (result.fault = { what, input, native: n, wasm: w });
  while (!result.fault && result.runs < runs && Date.now() < end) {
    const chosen = CONFIGS[Math.floor(result.runs / 200) % CONFIGS.length];
    if (result.runs % 200 === 0) {
      const config = Buffer.from(JSON.stringify(chosen));
      wasm = new Wasm(module);
      const [n, w] = [await native.ask(Buffer.concat([Buffer.from("C"), config])), wasm.configure(config)];
      if (!n.equals(w) || n[0] !== 0x31) throw new Error(`configuration: native ${n}, WASM ${w}`);
      memory = Buffer.alloc(0);
    }
    const x = generate(r, all, chosen);
    if (r(2)) x.memory = memory; // what another exchange remembered
    const input = frame(x), pending = native.ask(input);
    let got;
    try { got = wasm.exchange(x); } catch (e) { got = { told: Buffer.from(String(e)), trap: true }; }
    const want = await pending;
    const used = wasm.x.memory.buffer.byteLength;
    result.peak = Math.max(result.peak, used);
    if (!got.told.equals(want)) fault(got.trap ? "trap" : "bytes", input, want, got.told);
    else if (used > MEMORY_MAX) fault(`${used >> 20} MB of WASM memory`, input, want, got.told);
    if (got.remembered?.length) memory = got.remembered;
    result.runs++;
    result.views += got.status === 200;
  }
  native.end();
  return result;
}

if (process.argv[1]?.endsWith("fuzz.mjs")) {
  const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31)), result = await fuzz({ seconds: Number(process.argv[2]), seed });
  console.log(`  fuzz    native against WASM ${String(result.runs).padStart(18)} runs  ${String(result.views).padStart(6)} views  ${String(result.peak >> 20).padStart(5)} MB  seed ${seed}`);
  if (result.fault) {
    const { what, input, native, wasm } = result.fault;
    let at = 0;
    while (native[at] === wasm[at] && at < native.length) at++;
    fs.mkdirSync("build/fuzz", { recursive: true });
    for (const [name, bytes] of [["input", input], ["native", native], ["wasm", wasm]]) fs.writeFileSync(`build/fuzz/crash-wasm-${name}`, bytes);
    console.error(`adit: native and WASM: ${what}; they part at byte ${at} of what was said: build/fuzz/crash-wasm-{input,native,wasm}`);
    process.exitCode = 1;
  }
}
