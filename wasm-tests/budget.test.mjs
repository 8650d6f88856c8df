// The memory of one instance while many pages are under way: the built modules themselves, and their real size. 16 pages
// of 8 MB at once stay below what a Worker's isolate has, whatever of them is refused; small pages are not.
import zlib from "node:zlib";
import { ACTION, Core, fields } from "./core.mjs";
import { header } from "./host.mjs";
import { GET, load, never, reply } from "./filter-site.mjs";
import { page as shaped, shapes } from "./shapes.mjs";
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
const text = page(LARGE), gzip = zlib.gzipSync(text), small = page(100_000);
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
  "in gzip": [gzip, [html, ["content-encoding", "gzip"]]],
  "in gzip, announced": [gzip, [html, ["content-encoding", "gzip"], ["content-length", String(gzip.length)]]],
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
  same(together(core, 1, body, type).out.map((r) => r.status), [200], `core: 16 pages of 8 MB ${way}: and one of 8 MB`);
  ok(sizeOf(core.x) < ISOLATE, `core: 16 pages of 8 MB ${way}: it does not grow from page to page`, mb(sizeOf(core.x)));
}
// The page that costs the converter most, and people's requests under way beside it.
{
  const worst = shaped(shapes.find(([name]) => name === "text in tables"), LARGE);
  const core = new Core(CONFIG), people = Array.from({ length: 200 }, () => core.x.adit_open());
  for (const h of people) core.request(h, "example.com", "/post/");
  const { out, most } = together(core, 16, worst, [html]);
  console.log(`# core, 16 × 8 MB of the worst kind, 200 pages passing: ${mb(most)}, ${count(out)}`);
  ok(out.every(fine) && out.some((r) => r.status === 200) && most < ISOLATE, "core: 16 pages of 8 MB of the worst kind, 200 pages passing", `${mb(most)}, ${count(out)}`);
  for (const h of people) core.x.adit_close(h);
}

for (const [way, body, type] of [["of unknown length", small, [html]], ["in gzip", zlib.gzipSync(small), [html, ["content-encoding", "gzip"]]]]) {
  const core = new Core(CONFIG), { out, most } = together(core, 64, body, type);
  console.log(`# core, 64 × 100 KB ${way}: ${mb(most)}, ${count(out)}`);
  same(out.map((r) => r.status), Array(64).fill(200), `core: 64 pages of 100 KB ${way} at once`);
}

// Pages that grow in turn, with small ones in between that stay: what they leave is good for one of 8 MB.
{
  const core = new Core(CONFIG), piece = text.subarray(0, PIECE), stay = [];
  const all = Array.from({ length: 60 }, (_, i) => start(core, `/g${i}/llm/`, [html]));
  for (let round = 0; round < 25; round++)
    for (const x of all) {
      if (x.action === ACTION.BODY) x.action = core.given(piece, (p, n) => core.x.adit_fetched_body(x.h, p, n));
      if (round === 12) stay.push(core.x.adit_open()), core.request(stay.at(-1), "example.com", "/post/");
    }
  const grown = sizeOf(core.x);
  for (const x of all) core.x.adit_close(x.h);
  same(together(core, 1, text, [html]).out.map((r) => r.status), [200], "core: a page of 8 MB in the place of 60 that grew");
  console.log(`# core, 60 pages that grow: ${mb(grown)}, then one of 8 MB: ${mb(sizeOf(core.x))}`);
  ok(grown < 100e6 && sizeOf(core.x) < ISOLATE, "core: pages that grow leave no holes", `${mb(grown)}, ${mb(sizeOf(core.x))}`);
  for (const h of stay) core.x.adit_close(h);
}

// --- the filter: what the host holds, it takes in pieces ---------------------------------------------------

const FIELDS = { announced: (b) => [["content-length", String(b.length)]], "of unknown length": () => [], "in gzip": () => [["content-encoding", "gzip"]] };
const PAGES = { subrequest: 6, inline: 16 }; // a host calls back for one page after the other: more would show nothing else
for (const mode of ["subrequest", "inline"])
  for (const [way, more] of Object.entries(FIELDS)) {
    const body = way === "in gzip" ? gzip : text;
    const chunks = Array.from({ length: Math.ceil(body.length / PIECE) }, (_, i) => body.subarray(i * PIECE, (i + 1) * PIECE));
    const answer = async (q) => (/^.p\d/.test(header(q.headers, ":path")) ? reply(200, chunks, ...more(body)) : reply(200, small));
    const host = load({ answer }, { heldHeaders: true, bufferLimit: 64 << 20, patienceMs: 120000 }, { mode });
    const ask = (path) => host.exchange(GET(path), mode === "inline" ? answer : never);
    const out = (await Promise.all(Array.from({ length: PAGES[mode] }, (_, i) => ask(`/p${i}/llm/`)))).map((r) => ({ status: Number(r.status), retry: header(r.headers, "retry-after") }));
    const what = `filter, ${mode}: ${PAGES[mode]} pages of 8 MB ${way}`;
    console.log(`# ${what}: ${mb(sizeOf(host.x))}, ${count(out)}`);
    ok(out.every(fine), `${what}: each is 200 or 503 with Retry-After`, JSON.stringify(out));
    ok(out.some((r) => r.status === 200), `${what}: at least one is converted`);
    ok(sizeOf(host.x) < ISOLATE, `${what}: below 128 MB`, mb(sizeOf(host.x)));
    same((await ask("/small/llm/")).status, "200", `${what}: a small page afterwards`);
    same(host.faults, [], `${what}: no illegal call`);
  }
done();
