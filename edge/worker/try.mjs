// Tries the Worker on this machine, in workerd: node edge/worker/try.mjs [FOLDER]
// In front of it stands a small origin that serves FOLDER, or one page of its own.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { startWorker, workerd } from "../../wasm-tests/workerd.mjs";

const folder = process.argv[2] ?? null;
const sentence = "A level tunnel leads into the mine, and along it the ore comes out to people who need it. ";
const sample = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The tunnel</title></head><body><nav><a href="/">Home</a></nav>
<main><article><h1>The tunnel</h1><p>${sentence.repeat(3)}</p><p>${sentence.repeat(4)}</p></article></main><footer>Imprint</footer></body></html>`;

function find(url) {
  if (!folder) return url === "/post/" ? sample : null;
  const root = path.resolve(folder), file = path.join(root, path.normalize(decodeURIComponent(url.split("?")[0])));
  const name = [file, path.join(file, "index.html")].find((f) => f.startsWith(root) && fs.statSync(f, { throwIfNoEntry: false })?.isFile());
  return name ? fs.readFileSync(name) : null;
}
const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml" };

if (!fs.existsSync(workerd)) throw new Error("no workerd: run make build/.npm");
const origin = http.createServer((q, r) => {
  const body = find(q.url), type = types[path.extname(q.url.split("?")[0]) || ".html"] ?? "application/octet-stream";
  r.writeHead(body === null ? 404 : 200, { "content-type": type });
  r.end(body ?? "no such page");
});
await new Promise((done) => origin.listen(0, "127.0.0.1", done));
const w = await startWorker(origin.address().port, { origin: "https://example.com", hosts: ["127.0.0.1"], require_https: false, homepage: "convert" });
console.log(`the page:          curl ${w.base}/${folder ? "PAGE" : "post"}/\nits machine view:  curl -i ${w.base}/${folder ? "PAGE" : "post"}/llm/\nas Markdown:       curl ${w.base}/${folder ? "PAGE" : "post"}/llm.md\n(ends with Ctrl-C)`);
process.once("SIGINT", async () => { await w.stop(); process.exit(0); });
