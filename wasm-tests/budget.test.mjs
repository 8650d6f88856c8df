// The memory of one instance while many pages are under way: the built modules themselves, and their real size. 16 pages
// of 8 MB at once stay below what a Worker's isolate has, whatever of them is refused; small pages are not.
import zlib from "node:zlib";
import { ACTION, Core, fields } from "./core.mjs";
import { header } from "./host.mjs";
import { GET, load, never, reply } from "./filter-site.mjs";
import { ok, same, done } from "./tap.mjs";

const ISOLATE = 128 << 20, LARGE = 8 << 20, PIECE = 65536;
const CONFIG = { origin: "https://example.com" };

// HTML of that many bytes, paragraphs that do not repeat.
function page(size) {
  const head = "<!doctype html><html><head><title>Title</title></head><body><main><h1>Title</h1>\n", end = "</main></body></html>\n";
  const parts = [head];
  let n = head.length + end.length, seed = 1;
  const word = () => (seed = (seed * 1103515245 + 12345) % 2147483648).toString(36);
  while (n < size - 2000) {
    const p = `<p>${Array.from({ length: 120 }, word).join(" ")}</p>\n`;
    parts.push(p);
    n += p.length;
  }
  return Buffer.from(parts.join("") + " ".repeat(size - n) + end);
}
const text = page(LARGE), small = page(100_000);
same([text.length, small.length], [LARGE, 100_000], "pages of these sizes");

const sizeOf = (x) => x.memory.buffer.byteLength;
const mb = (n) => (n / 1e6).toFixed(1) + " MB";

// --- the core: chunks of all pages in turn ---------------------------------------------------------------

function start(core, path, type) {
  const h = core.x.adit_open();
  let action = core.request(h, "example.com", path);
  if (action === ACTION.RECALL) action = core.given(Buffer.alloc(1), (p) => core.x.adit_recalled(h, p, 0));
  if (action === ACTION.FETCH) action = core.given(fields(type), (p, n) => core.x.adit_fetched(h, 200, p, n));
  return { h, action, at: 0 };
}
function answerOf(core, x) {
  const head = Object.fromEntries(core.fields(x.h, 1));
  const r = { status: core.x.adit_status(x.h), retry: head["retry-after"], length: Number(head["content-length"]) };
  core.x.adit_close(x.h);
  return r;
}

// n pages at once, a piece of each in turn; their answers.
function together(core, n, body, type) {
  const all = Array.from({ length: n }, (_, i) => start(core, `/p${i}/llm/`, type)), out = [];
  let most = sizeOf(core.x);
  for (let open = all; open.length; open = open.filter((x) => !x.answered))
    for (const x of open) {
      if (x.action === ACTION.BODY) {
        const piece = body.subarray(x.at, x.at + PIECE);
        x.at += piece.length;
        x.action = piece.length ? core.given(piece, (p, len) => core.x.adit_fetched_body(x.h, p, len)) : core.x.adit_fetched_end(x.h);
      }
      if (x.action === ACTION.ANSWER) out.push(answerOf(core, x)), (x.answered = true);
      most = Math.max(most, sizeOf(core.x));
    }
  return { out, most };
}

const html = ["content-type", "text/html; charset=utf-8"];
const WAYS = {
  "announced": [text, [html, ["content-length", String(text.length)]]],
  "of unknown length": [text, [html]],
  "in gzip": [zlib.gzipSync(text), [html, ["content-encoding", "gzip"]]],
  "in gzip, announced": [zlib.gzipSync(text), [html, ["content-encoding", "gzip"], ["content-length", String(zlib.gzipSync(text).length)]]],
};
const fine = (r) => r.status === 200 || (r.status === 503 && r.retry > 0);
const count = (out) => `${out.filter((r) => r.status === 200).length} × 200, ${out.filter((r) => r.status === 503).length} × 503`;

for (const [way, [body, type]] of Object.entries(WAYS)) {
  const core = new Core(CONFIG), { out, most } = together(core, 16, body, type);
  console.log(`# core, 16 × 8 MB ${way}: ${mb(most)}, ${count(out)}`);
  ok(out.every(fine), `core: 16 pages of 8 MB ${way}: each is 200 or 503 with Retry-After`, JSON.stringify(out));
  ok(out.some((r) => r.status === 200), `core: 16 pages of 8 MB ${way}: at least one is converted`);
  ok(most < ISOLATE, `core: 16 pages of 8 MB ${way}: below 128 MB`, mb(most));
  const later = together(core, 1, small, [html]).out;
  same(later.map((r) => r.status), [200], `core: 16 pages of 8 MB ${way}: a small page afterwards`);
  for (let i = 0; i < 4; i++) same(together(core, 1, body, type).out.map((r) => r.status), [200], `core: and one of 8 MB ${way}`);
  ok(sizeOf(core.x) < ISOLATE, `core: 16 pages of 8 MB ${way}: it does not grow from page to page`, mb(sizeOf(core.x)));
}
for (const [way, body, type] of [["of unknown length", small, [html]], ["in gzip", zlib.gzipSync(small), [html, ["content-encoding", "gzip"]]]]) {
  const core = new Core(CONFIG), { out, most } = together(core, 64, body, type);
  console.log(`# core, 64 × 100 KB ${way}: ${mb(most)}, ${count(out)}`);
  same(out.map((r) => r.status), Array(64).fill(200), `core: 64 pages of 100 KB ${way} at once`);
}
done();
