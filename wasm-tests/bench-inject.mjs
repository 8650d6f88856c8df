// Link injection: adit-core.wasm against lol-html's WASM build (html-rewriter-wasm), both as modules in
// this process, over the same pages in the same chunks. Every chunk is copied into adit's memory and
// its output out of it again ("copying"); or, as a host would do it, only until the link is in
// ("bypass").
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { HTMLRewriter } from "html-rewriter-wasm";
import { Core, GET } from "./core.mjs";

const CHUNK = 16384;
const href = "https://example.com/post/llm/";
const link = `<link rel="alternate" type="application/json" href="${href}">`;
const text = new TextEncoder();

function articlePage() {
  const words = "the of and to in a is that it was for on are as with his they at be this from have or by".split(" ");
  let page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>An article</title>\n<style>body { margin: 0 }</style>\n</head>\n<body>\n";
  for (let i = 0; page.length < 120000; i++) {
    page += `<p class="c${i % 7}">`;
    for (let k = 0; k < 60; k++) page += `${words[(i * 7 + k * 5) % words.length]} ${k % 20 ? "" : `<a href="/page/${i}-${k}?x=1&amp;y=2">link</a> `}`;
    page += "</p>\n";
  }
  return text.encode(page);
}

function corpusPages() {
  const dir = path.join(process.env.ADIT_CORPUS ?? "../shared/corpus", "extraction");
  if (!fs.existsSync(dir)) return [];
  return fs.readdirSync(dir).filter((f) => f.endsWith(".html.gz")).map((f) => new Uint8Array(zlib.gunzipSync(fs.readFileSync(path.join(dir, f)))));
}

const core = new Core({ origin: "https://example.com", markdown: false }), x = core.x, chunkAt = x.adit_alloc(CHUNK);
const copy = (chunk) => new Uint8Array(x.memory.buffer).set(chunk, chunkAt);

function adit(page, bypass, emit) {
  const h = core.page("text/html; charset=utf-8");
  let more = 1;
  for (let i = 0; i < page.length; i += CHUNK) {
    const chunk = page.subarray(i, i + CHUNK);
    if (!more && bypass) {
      emit(chunk);
      continue;
    }
    copy(chunk);
    more = x.adit_body(h, chunkAt, chunk.length);
    emit(core.get(h, GET.injected));
  }
  x.adit_body_end(h);
  emit(core.get(h, GET.injected));
  x.adit_close(h);
}

async function lolHtml(page, emit) {
  const rewriter = new HTMLRewriter(emit);
  rewriter.on("head", { element: (head) => void head.prepend(link, { html: true }) });
  for (let i = 0; i < page.length; i += CHUNK) await rewriter.write(page.subarray(i, i + CHUNK));
  await rewriter.end();
  rewriter.free();
}

const count = (pages) => pages.reduce((n, page) => n + page.length, 0);
async function megabytesPerSecond(pages, run) {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    let sent = 0;
    const start = process.hrtime.bigint();
    for (const page of pages) await run(page, (part) => void (sent += part.length));
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e9);
    if (sent < count(pages)) throw new Error("bytes were lost");
  }
  return count(pages) / 1e6 / best;
}

for (const [name, pages] of [["a generated article, 100 times", new Array(100).fill(articlePage())], ["pages of the corpus", corpusPages()]]) {
  if (pages.length === 0) {
    console.log(`${name}: no corpus here`);
    continue;
  }
  const copying = await megabytesPerSecond(pages, (page, emit) => adit(page, false, emit));
  const bypass = await megabytesPerSecond(pages, (page, emit) => adit(page, true, emit));
  const peer = await megabytesPerSecond(pages, lolHtml);
  console.log(`${name} (${(count(pages) / 1e6).toFixed(1)} MB in chunks of ${CHUNK}):`);
  console.log(`  lol-html ${peer.toFixed(0)} MB/s; adit, copying ${copying.toFixed(0)} MB/s = ${(copying / peer).toFixed(1)} x; adit, bypass ${bypass.toFixed(0)} MB/s = ${(bypass / peer).toFixed(1)} x`);
}
