// Every collection that `adit pack` writes passes the JSON Schemas of the SCP specification, holds
// what its sitemaps say, and has fingerprints that `adit page` gives for the same bytes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { temporary } from "./lent.mjs";
import { done, ok, same, skip } from "./tap.mjs";

// --- the schemas (SCP, JSON Schema), written as tables --------------------------------------------

const string = { type: "string" }, uri = { type: "string", format: "uri" }, time = { type: "string", format: "date-time" };
const count = { type: "integer", minimum: 0 }, strings = { type: "array", items: string };
const object = (required, properties) => ({ type: "object", required, properties });
const list = (items, minItems = 0) => ({ type: "array", minItems, items });
const sources = { oneOf: [uri, list(object(["href", "mediaType"], { href: uri, mediaType: string, rel: string }), 1)] };
const media = {
  name: string, url: sources, summary: string, transcript: string,
  duration: { type: "string", pattern: "^PT(?=.*[HMS])(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?$" },
  icon: { type: "object", properties: { type: { const: "Image" }, url: uri } },
  chapters: list(object(["time", "title"], { time: count, title: string })),
};
const blocks = {
  text: [["text"], { text: string }],
  heading: [["level", "text"], { level: { type: "integer", minimum: 1, maximum: 6 }, text: string }],
  link: [["url", "text"], { url: uri, text: string, rel: strings }],
  image: [["url", "alt"], { url: uri, alt: string }],
  list: [["ordered", "items"], { ordered: { type: "boolean" }, items: strings }],
  code: [["code"], { language: string, code: string }],
  table: [["rows"], { rows: list(strings) }],
  quote: [["text"], { text: string, citation: string }],
  video: [["name", "url"], { ...media, width: count, height: count, captions: list(object(["language", "url", "label"], { language: string, url: uri, label: string })) }],
  audio: [["name", "url"], { ...media, attributedTo: string, partOf: string }],
};
const block = { oneOf: Object.entries(blocks).map(([type, [required, properties]]) => object(["type", ...required], { type: { const: type }, ...properties })) };
const page = object(["url", "title", "description", "modified", "language", "content"], {
  url: { ...uri, pattern: "^https?://" }, title: string, description: string, author: string, published: time, modified: time,
  language: { type: "string", pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?(-[0-9A-Za-z]+)*$" },
  canonical: uri, schema: { type: "object" }, content: list(block, 1),
});
const name = { type: "string", pattern: "^[a-zA-Z0-9-_]+$" };
const head = object(["collection"], { collection: {
  ...object(["id", "section", "type", "generated", "version"], {
    id: name, section: name, type: { enum: ["snapshot", "delta"] }, generated: time, since: time,
    checksum: { type: "string", pattern: "^sha256:[a-fA-F0-9]{64}$" }, version: { type: "string", pattern: "^\\d+\\.\\d+$" } }),
  if: { properties: { type: { const: "delta" } } }, then: { required: ["since"] } } });

const ajv = addFormats(new Ajv({ strict: false, unicodeRegExp: false }));
const isPage = ajv.compile(page), isHead = ajv.compile(head);
ok(!isPage({ url: "x", title: "", description: "", modified: "now", language: "en", content: [] }), "the schema can say no");

// --- packing ------------------------------------------------------------------------------------------

const adit = process.env.ADIT_RELEASE ?? "build/adit";
const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";
const work = temporary("collections");

function pack(inputs, out, ...options) {
  try {
    execFileSync(adit, ["pack", ...inputs, "-o", join(work, out), "--compress", "none", ...options], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (e) {
    if (e.status !== 1) throw e; // 1: the input is damaged, as some of these are
  }
  return join(work, out);
}

function check(file) {
  const [first, ...lines] = readFileSync(file, "utf8").split("\n");
  const wrong = [];
  if (!isHead(JSON.parse(first))) wrong.push("line 1: " + ajv.errorsText(isHead.errors));
  let last = "";
  for (const [i, line] of lines.entries()) {
    const p = JSON.parse(line);
    if (!isPage(p)) wrong.push(`line ${i + 2} ${p.url}: ` + ajv.errorsText(isPage.errors).slice(0, 600));
    if (p.content.length > 1000) wrong.push(`line ${i + 2}: ${p.content.length} blocks`);
    if (Buffer.compare(Buffer.from(last), Buffer.from(p.url)) >= 0) wrong.push(`line ${i + 2}: not in order`);
    last = p.url;
  }
  return [lines.length, wrong];
}

function checkAll(dir, what) {
  const files = readdirSync(dir, { recursive: true }).filter((f) => f.endsWith(".scp"));
  let pages = 0, wrong = [];
  for (const f of files) {
    const [n, w] = check(join(dir, f));
    pages += n;
    wrong.push(...w.map((x) => `${f}: ${x}`));
  }
  ok(pages > 0 && wrong.length === 0, `${what}: ${files.length} collections, ${pages} pages pass the schemas`, wrong.slice(0, 8).join("\n"));
  return pages;
}

// --- the bundled site ---------------------------------------------------------------------------------

execFileSync("scripts/make-demo-crawl", [work]);
const sections = ["--section", "blog=/blog/", "--section", "guides=/guides/"];
const one = pack([join(work, "crawl-1.warc.gz")], "one", "--generated", "2026-05-12", ...sections);
const two = pack([join(work, "crawl-2.warc.gz")], "two", "--previous", one, "--generated", "2026-05-19", ...sections);
checkAll(one, "the bundled site");
checkAll(two, "a week later, with deltas");

const llm = JSON.parse(readFileSync(join(two, "llm-sitemap.json"), "utf8"));
const lines = readFileSync(join(two, "all-snapshot-20260519T000000Z.scp"), "utf8").split("\n").slice(1).map((l) => JSON.parse(l));
const hidden = ["/drafts/catalogue/", "/account/orders/", "/blog/first-light/", "/blog/winter-hours/"];
ok(!lines.some((p) => hidden.some((h) => p.url.endsWith(h))), "noindex, private, deleted and moved pages are not in the snapshot",
  lines.filter((p) => hidden.some((h) => p.url.endsWith(h))).map((p) => p.url).join("\n"));
const listed = new Map(llm.items.map((i) => [i.cUrl, i]));
same(lines.filter((p) => !listed.has(p.url)).map((p) => p.url), [], "every page of the snapshot is in llm-sitemap.json");
ok(lines.every((p) => listed.get(p.url)?.modified === p.modified), "with the same date");
same(llm.items[0].cUrl, "https://tidewater.example/", "the homepage first");

// Sizes and hashes of the manifest are those of the files.
const manifest = JSON.parse(readFileSync(join(two, "scp-manifest.json"), "utf8"));
ok(manifest.collections.every((c) => statSync(join(two, c.file)).size === c.size), "sizes in the manifest");
same(manifest.collections.map((c) => `${c.section} ${c.type}`).sort(),
  ["all delta", "all snapshot", "blog delta", "blog snapshot", "guides delta", "guides snapshot"], "a snapshot and a delta a section");

// --- real archives --------------------------------------------------------------------------------------

if (!existsSync(join(corpus, "warc"))) skip("real archives", "no corpus");
else {
  const files = readdirSync(join(corpus, "warc"), { recursive: true }).map((f) => join(corpus, "warc", f))
    .filter((f) => /arc/.test(f.split("/").pop()) && !/README|lz4|wacz/.test(f) && statSync(f).isFile());
  checkAll(pack(files, "real", "--by-host", "--generated", "2026-01-01"), `${files.length} real archives by host`);
  checkAll(pack(files, "mixed", "--mixed", "--generated", "2026-01-01", "--keep-noindex", "--keep-noarchive"), "the same in one collection");
}
// --- real pages -------------------------------------------------------------------------------------------

const folders = ["extraction", "extraction-more"].map((f) => join(corpus, f)).filter(existsSync);
if (!folders.length) skip("real pages", "no corpus");
else {
  mkdirSync(join(work, "site"));
  for (const folder of folders)
    for (const f of readdirSync(folder).filter((f) => f.endsWith(".html.gz")))
      writeFileSync(join(work, "site", f.slice(0, -3)), gunzipSync(readFileSync(join(folder, f))));
  checkAll(pack([join(work, "site")], "pages", "--base-url", "https://pages.example/", "--generated", "2026-01-01", "--keep-noindex", "--keep-noarchive"), "real pages");
}
done();
