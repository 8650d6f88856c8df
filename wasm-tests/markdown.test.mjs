// Markdown: the reference parser of CommonMark must read from `md` what `scp` says, block by block.
// (Tables are GFM's, which it does not know: it sees a paragraph.)
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { Parser } from "commonmark";
import { done, ok, skip } from "./tap.mjs";

const NATIVE = process.env.ADIT_RELEASE ?? "build/adit";
const fold = (s) => s.replace(/\s+/g, " ").trim();

// The text of a node as it would be read.
function text(node) {
  const walker = node.walker();
  let out = "";
  for (let e; (e = walker.next());) {
    if (!e.entering) continue;
    if (e.node.type === "softbreak" || e.node.type === "linebreak") out += "\n";
    else if (e.node.type === "paragraph" && e.node !== node && out) out += "\n";
    else out += e.node.literal ?? "";
  }
  return out;
}

function children(node) {
  const list = [];
  for (let c = node.firstChild; c; c = c.next) list.push(c);
  return list;
}

const link = (node, kind) => (node.type === "paragraph" && node.firstChild?.type === kind ? node.firstChild : null);
const url = (s) => { try { return new URL(s).href; } catch { return s; } };

// Whether a top-level node of the Markdown says what the block says.
const checks = {
  text: (n, b) => n.type === "paragraph" && text(n) === b.text,
  heading: (n, b) => n.type === "heading" && n.level === b.level && text(n) === b.text,
  link: (n, b) => url(link(n, "link")?.destination) === url(b.url) && text(n) === b.text,
  image: (n, b) => url(link(n, "image")?.destination) === url(b.url) && fold(text(n)) === fold(b.alt),
  list: (n, b) => n.type === "list" && (n.listType === "ordered") === b.ordered &&
    JSON.stringify(children(n).map(text)) === JSON.stringify(b.items),
  code: (n, b) => n.type === "code_block" && n.literal === b.code + "\n" && n.info === (b.language ?? ""),
  table: (n) => n.type === "paragraph" && text(n).startsWith("|"),
  quote: (n, b) => n.type === "block_quote" && text(n) === b.text + (b.citation ? "\n— " + b.citation : ""),
  video: (n, b) => link(n, "link") && fold(text(n)) === fold("Video: " + b.name),
  audio: (n, b) => link(n, "link") && fold(text(n)) === fold("Audio: " + b.name),
};

// The first block that the Markdown does not say, or null.
function fault(page, md) {
  const nodes = children(new Parser().parse(md)).filter((n) => n.type !== "html_block");
  if (nodes[0]?.type !== "heading" || text(nodes[0]) !== page.title) return "title: " + page.title;
  let i = 1;
  for (const b of page.content) {
    if (b.type === "heading" && b.text.toLowerCase() === page.title.toLowerCase()) continue;
    const node = nodes[i++];
    if (!node || !checks[b.type](node, b)) return JSON.stringify(b).slice(0, 300) + "\n" + (node ? node.type + ": " + text(node).slice(0, 300) : "nothing");
    i += (b.summary ? 1 : 0) + (b.transcript ? 1 : 0);
  }
  return i === nodes.length ? null : `${nodes.length - i} more: ${text(nodes[i]).slice(0, 200)}`;
}

function check(file, ...options) {
  const body = file.endsWith(".gz") ? zlib.gunzipSync(fs.readFileSync(file)) : fs.readFileSync(file);
  const args = ["page", "-", "--url", "https://example.com/a/b", "--date", "2024-01-02", ...options];
  try {
    const out = execFileSync(NATIVE, [...args, "--format", "scp", "--format", "md"], { input: body, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] }).toString();
    const end = out.indexOf("\n");
    return fault(JSON.parse(out.slice(0, end)), out.slice(end + 1));
  } catch (e) {
    return e.status === 1 ? null : String(e); // no content
  }
}

const html = (dir, every) => (fs.existsSync(dir) ? fs.readdirSync(dir) : [])
  .filter((f) => /\.html(\.gz)?$/.test(f) && !f.includes(".expected.")).sort().filter((_, i) => i % every === 0).map((f) => path.join(dir, f));
const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";
for (const [name, files, ...options] of [
  ["cases", ["blocks", "content", "meta"].flatMap((d) => html(`shared/convert/cases/${d}`, 1)), "--whole"],
  ["extraction", html(path.join(corpus, "extraction"), 5)],
  ["structure", html(path.join(corpus, "structure"), 1)],
]) {
  if (files.length === 0) {
    skip(name, "no corpus");
    continue;
  }
  const faults = files.map((f) => [f, check(f, ...options)]).filter(([, fault]) => fault);
  ok(faults.length === 0, `${name}: ${files.length} pages read back`, ...faults.slice(0, 10).map(([f, why]) => `${f}: ${why}`));
}
done();
