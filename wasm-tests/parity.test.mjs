// Parity: every case and every page of the corpora gives the same bytes natively and in WASM, in
// every format. The native program works on a page while WASM does.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { done, ok, skip } from "./tap.mjs";
import { run } from "./wasi.mjs";

const FORMATS = ["scp", "tct", "text", "md", "html"];
const NATIVE = process.env.ADIT_RELEASE ?? "build/adit";

// Groups of pages: [name, files]; a page is a file, perhaps gzipped.
function groups() {
  const list = (dir) =>
    (fs.existsSync(dir) ? fs.readdirSync(dir) : [])
      .filter((f) => /\.html(\.gz)?$/.test(f) && !f.includes(".expected.")).sort().map((f) => path.join(dir, f));
  const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";
  const folders = ["extraction", "extraction-more", "articles", "structure"];
  if (process.env.ADIT_ALL_PAGES) folders.push("check", "dates"); // make test-pages
  return [
    ["cases", ["blocks", "content", "meta"].flatMap((d) => list(`shared/convert/cases/${d}`))],
    ...folders.map((d) => [d, list(path.join(corpus, d))]),
  ];
}

function args(index) {
  const formats = FORMATS.flatMap((f) => ["--format", f]);
  return ["page", "-", "--url", `https://example.com/${index}/`, "--date", "2024-01-02T03:04:05Z", ...formats];
}

function read(file) {
  const body = fs.readFileSync(file);
  return file.endsWith(".gz") ? zlib.gunzipSync(body) : body;
}

function native(body, i) {
  return new Promise((end) => {
    const child = execFile(NATIVE, args(i), { encoding: "buffer", maxBuffer: 1 << 30 }, (error, stdout) =>
      end({ status: error ? error.code : 0, stdout }));
    child.stdin.end(body);
  });
}

const module = await WebAssembly.compile(fs.readFileSync("build/adit-cli.wasm"));

for (const [name, files] of groups()) {
  if (files.length === 0) {
    skip(name, "no corpus");
    continue;
  }
  const wrong = [];
  let empty = 0;
  for (const [i, file] of files.entries()) {
    const body = read(file), pending = native(body, i);
    const got = run(module, ["adit", ...args(i)], body), want = await pending;
    if (got.status !== want.status || !got.stdout.equals(want.stdout)) wrong.push(file);
    empty += want.status === 1 ? 1 : 0;
  }
  ok(wrong.length === 0 && empty * 10 < files.length,
    `${name}: ${files.length} pages, ${FORMATS.length} formats, ${empty} without content`,
    ...wrong.slice(0, 10).map((file) => `differs: ${file}`));
}
done();
