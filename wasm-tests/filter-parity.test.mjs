// Parity: every page of the corpora through the filter, and through the program for Fastly Compute, its body in random
// pieces, gives the bytes of `adit page --format tct`.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { Fastly } from "./fastly-host.mjs";
import { Host, header } from "./host.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const NATIVE = process.env.ADIT_RELEASE ?? "build/adit", ORIGIN = "https://site.example";
const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";

// The command ends its output with a newline, an answer does not.
const native = (body, url) => new Promise((end) => {
  const child = execFile(NATIVE, ["page", "-", "--url", url, "--format", "tct"], { encoding: "buffer", maxBuffer: 1 << 28 }, (error, stdout) => end({ status: error ? error.code : 0, stdout: stdout.subarray(0, -1) }));
  child.stdin.on("error", () => {});
  child.stdin.end(body);
});

// Pseudo-random, the same in every run.
let seed = 1;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
function pieces(body) {
  const out = [];
  for (let at = 0; at < body.length; ) { const n = 1 + random(random(4) ? 16384 : 64); out.push(body.subarray(at, at + n)); at += n; }
  return out;
}

const answers = new Map();
const page = async (q) => ({ headers: [[":status", "200"], ["content-type", "text/html"]], body: pieces(answers.get(header(q.headers, ":path"))) });
const module = new WebAssembly.Module(fs.readFileSync("build/adit-edge.wasm"));
const load = (mode) => Host.load(module, { config: JSON.stringify({ origin: ORIGIN, mode, upstream: { cluster: "origin" } }), clusters: { origin: page }, heldHeaders: true, bufferLimit: 1 << 28 });
const modes = [load("subrequest"), load("inline")];
const fastly = new Fastly(new WebAssembly.Module(fs.readFileSync(process.env.ADIT_FASTLY ?? "build/adit-fastly.wasm")),
  { backends: { origin: async (q) => ({ status: 200, headers: [["content-type", "text/html"]], body: pieces(answers.get(q.uri.slice(ORIGIN.length))) }) },
    stores: { adit: { "adit.json": JSON.stringify({ origin: ORIGIN }), requests: "1000" } } });

for (const set of ["extraction", "extraction-more"]) {
  const dir = path.join(corpus, set);
  const files = (fs.existsSync(dir) ? fs.readdirSync(dir) : []).filter((f) => f.endsWith(".html.gz") && !f.includes(".expected.")).sort();
  if (files.length === 0) { skip(set, "no corpus"); continue; }
  const wrong = [];
  let views = 0;
  for (const [i, file] of files.entries()) {
    const name = `/${file.replace(/\.html\.gz$/, "")}/`, body = zlib.gunzipSync(fs.readFileSync(path.join(dir, file))), host = modes[i % 2];
    const pending = native(body, ORIGIN + name);
    answers.set(name, body);
    const r = await host.exchange({ headers: [[":method", "GET"], [":path", name + "llm/"], [":authority", "site.example"], [":scheme", "https"]] }, page);
    const f = await fastly.get(`${ORIGIN}${name}llm/`);
    answers.delete(name);
    const want = await pending;
    // A page without content: 404 there, status 1 here.
    for (const [who, { status, body: view }] of [["filter", r], ["Fastly", f]]) {
      const equal = want.status === 0 ? Number(status) === 200 && view.equals(want.stdout) : want.status === 1 && Number(status) === 404;
      if (!equal) wrong.push(`${file}: ${who}: ${status}, ${view.length} bytes; adit page: status ${want.status}, ${want.stdout.length} bytes`);
    }
    views += r.status === "200" ? 1 : 0;
  }
  ok(wrong.length === 0 && views * 10 > files.length * 9, `${set}: ${files.length} pages, ${views} with a machine view`, ...wrong.slice(0, 10));
}
for (const host of [...modes, fastly]) same(host.faults, [], "no illegal call");
same(fastly.traps, [], "no trap");
await fastly.close();
done();
