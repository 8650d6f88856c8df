// The archive's manifests against the JSON Schema of the specification, and over HTTP by `adit serve`.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { createHash } from "node:crypto";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { serve, temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const adit = process.env.ADIT ?? "build/adit";
const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";
const folder = temporary("archive");
const store = path.join(folder, "store");
const archive = (...args) => execFileSync(adit, ["archive", ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const json = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
const isManifest = ajv.compile(json("shared/spp/manifest.schema.json"));
const upstream = path.join(corpus, "spp/enrichment-schema.json");
const isTheirs = fs.existsSync(upstream) ? ajv.compile(json(upstream)) : null;

function valid(check, value, what) {
  const good = check(value);
  ok(good, what, ajv.errorsText(check.errors, { separator: "\n" }));
}

// --- the examples that are shipped ---------------------------------------------------------------
for (const name of ["minimal", "full"]) valid(isManifest, json(`shared/spp/examples/${name}.json`), `the ${name} example`);
const full = json("shared/spp/examples/full.json");
for (const [what, change] of [
  ["no id", (m) => delete m.id],
  ["an id that is no UUIDv5", (m) => (m.id = "urn:spp:artifact:x")],
  ["a hash without its prefix", (m) => (m.content.raw.sha256 = m.content.raw.sha256.slice(7))],
  ["version 0", (m) => (m.version.number = 0)],
  ["a first version with one before", (m) => (m.version.number = 1)],
  ["no lastSeen", (m) => delete m.provenance.lastSeen],
  ["an empty chunk", (m) => (m.content.chunks[0].tokenCount = 0)],
  ["neither content nor tombstone", (m) => delete m.content],
  ["a signature that is too short", (m) => (m.endorsements[0].signature = "x")],
]) {
  const m = structuredClone(full);
  change(m);
  ok(!isManifest(m), `the schema refuses ${what}`);
}

// --- manifests as they are written ---------------------------------------------------------------
const page = (title, text, head = "") => `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${text} ${"Many words make a long text. ".repeat(40)}</p><p>${"More of them follow here. ".repeat(60)}</p></main></body></html>`;
const ld = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"News","author":{"@type":"Person","name":"Jo Doe"},"datePublished":"2026-01-01T08:00:00+01:00","dateModified":"2026-01-01T09:00:00Z"}</script><link rel="canonical" href="https://site.example/news"><meta name="description" content="What happened.">';
function warc(name, rows) {
  const records = rows.map(([url, date, body, headers = ""]) => {
    const http = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n${headers}\r\n${body}`);
    return Buffer.concat([Buffer.from(`WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: ${date}\r\nContent-Type: application/http\r\nContent-Length: ${http.length}\r\n\r\n`), http, Buffer.from("\r\n\r\n")]);
  });
  const info = "software: Crawler/2.0\r\nhttp-header-user-agent: Example-Crawler/2.0 (+https://crawler.example/)\r\n";
  records.unshift(Buffer.from(`WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/warc-fields\r\nContent-Length: ${info.length}\r\n\r\n${info}\r\n\r\n`));
  const file = path.join(folder, name);
  fs.writeFileSync(file, Buffer.concat(records));
  return file;
}
const key = path.join(folder, "key");
fs.writeFileSync(key, "07".repeat(32));
const news = "https://site.example/news?from=feed";
const first = warc("1.warc", [
  [news, "2026-01-02T00:00:00Z", page("News", "First.", ld), 'ETag: "a"\r\nLast-Modified: Thu, 01 Jan 2026 10:00:00 GMT\r\nContent-Language: en\r\n'],
  [news, "2026-01-03T00:00:00Z", page("News", "Second.", ld), "ETag: \"b\xff\"\r\n"],
  ["https://site.example/gone", "2026-01-02T00:00:00Z", page("Gone", "To be removed.")],
  ["https://site.example/long", "2026-01-02T00:00:00Z", page("Long", "x".repeat(20000))],
]);
const second = warc("2.warc", [[news, "2026-01-04T00:00:00Z", page("News", "Second.", ld), "Content-Language: fr\r\n"]]);
archive(first, "-o", store, "--sign", key, "--embed", "echo '{\"model\":\"tiny\",\"embedding\":[1,2.5,-3e-2]}'");
archive(second, "-o", store);
archive("tombstone", "https://site.example/gone", "-o", store, "--reason", "asked for");
archive(warc("3.warc", [["https://site.example/raw", "2026-01-02T00:00:00Z", page("Raw", "Only ingested.")]]), "-o", store, "--stage", "ingest");
archive("verify", store, "--json");
const files = execFileSync("find", [store, "-name", "semantic.json"], { encoding: "utf8" }).trim().split("\n");
same(files.length, 5, "five versions");
for (const f of files) valid(isManifest, json(f), "a manifest keeps to our schema");
if (isTheirs) for (const f of files) valid(isTheirs, json(f), "and to the one that its authors wrote");
else skip("the schema of the specification's authors", "no corpus");
for (const m of ["minimal", "full"])
  if (isTheirs) valid(isTheirs, json(`shared/spp/examples/${m}.json`), `the ${m} example, too`);
const all = files.map(json);
for (const m of all.filter((x) => x.content))
  for (const o of m.adit.objects) {
    const dir = path.dirname(files[all.indexOf(m)]);
    const stored = fs.readFileSync(path.join(dir, o.href)), bytes = zlib.gunzipSync(stored);
    ok(stored.length === o.stored && bytes.length === o.bytes && "sha256:" + createHash("sha256").update(bytes).digest("hex") === o.sha256, "an object is what the manifest says");
  }
const last = JSON.parse(archive("show", store, news));
same(last.canonical, "https://site.example/news", "canonical of the page, on its own site");
same(last.type, "article", "type");
same(JSON.stringify([last.metadata.byline, last.metadata.published, last.metadata.updated, last.metadata.description]),
  JSON.stringify(["Jo Doe", "2026-01-01T08:00:00+01:00", "2026-01-01T09:00:00Z", "What happened."]), "metadata of the page");
same(last.provenance.crawler, "Example-Crawler/2.0 (+https://crawler.example/)", "the crawler, by the WARC");
same(last.content.chunks[0].embedding.model, "tiny", "the model, by the command");
const long = JSON.parse(archive("show", store, "https://site.example/long"));
ok(long.content.chunks.length > 3 && long.content.chunks.slice(0, -1).every((c) => c.tokenCount >= 800 && c.tokenCount <= 1200), "chunks of 800 to 1200 tokens");

// --- over HTTP -----------------------------------------------------------------------------------
fs.writeFileSync(path.join(folder, "adit.json"), JSON.stringify({ origin: "https://archive.example", require_https: false }));
const { base, stop } = await serve(store, "--config", path.join(folder, "adit.json"));
const uuid = last.id.replace("urn:spp:artifact:", "");
for (const id of [uuid, last.id, encodeURIComponent(last.id)]) {
  const r = await fetch(`${base}/artifacts/${id}/versions`);
  same(`${r.status} ${r.headers.get("content-type")}`, "200 application/json", `versions of ${id.slice(0, 12)}…`);
  const list = await r.json();
  same(JSON.stringify(list.map((v) => [v.version, v.createdAt])), '[[1,"2026-01-02T00:00:00Z"],[2,"2026-01-03T00:00:00Z"]]', "each with number and date");
}
const url = `${base}/artifacts/${uuid}/versions/2/manifest`;
const r = await fetch(url);
same(`${r.status} ${r.headers.get("content-type")}`, "200 application/json", "a manifest");
const served = await r.json();
same(JSON.stringify(served), JSON.stringify(last), "the same as show gives");
const raw = await fetch(new URL(served.content.raw.storage.href, url));
same(raw.status, 200, "its references lead to the objects");
same(raw.headers.get("content-encoding"), null, "which are sent as they are stored");
const rawBytes = zlib.gunzipSync(Buffer.from(await raw.arrayBuffer()));
same("sha256:" + createHash("sha256").update(rawBytes).digest("hex"), served.content.raw.sha256, "with the bytes of the capture");
same((await fetch(url, { headers: { "if-none-match": r.headers.get("etag") } })).status, 304, "304 for who has it");
for (const p of [`/artifacts/${uuid}/versions/3/manifest`, `/artifacts/${uuid}/versions/1/other`, "/artifacts/00000000-0000-5000-8000-000000000000/versions", `/artifacts/${uuid}`, "/.adit/lock"])
  same((await fetch(base + p)).status, 404, `404: ${p.replace(uuid, "ID")}`);
await stop();
done();
