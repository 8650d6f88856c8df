// Markdown and HTML say the same: both are written from the page's model, the reference parser of
// CommonMark reads one, parse5 the other, and words, links, code, emphasis, images, headings, lists,
// cells, formulas and notes must be equal. And the plain strings of `scp` are among these words.
// (Tables, strikethrough, formulas and notes are not CommonMark's: signs that it leaves in the text are
// taken out on both sides.)
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { Parser } from "commonmark";
import { parse } from "parse5";
import { done, ok, skip } from "./tap.mjs";

const NATIVE = process.env.ADIT_RELEASE ?? "build/adit";
const bare = (s) => s.replace(/[\s~|\\]+/g, "");
const word = (s) => s.replace(/[^\p{L}\p{N}]+/gu, "");
const url = (s) => { try { return new URL(s).href; } catch { return s; } };

// What a document says, kind by kind, in its order.
class Saying {
  constructor() {
    this.words = "";
    this.em = "";
    this.strong = "";
    this.quoted = ""; // in a quote or call-out
    this.requoted = ""; // in one that stands in another
    this.links = [];
    this.code = [];
    this.math = [];
    this.images = [];
    this.headings = [];
    this.items = [];
    this.listings = [];
  }
  text(s, state) {
    this.words += bare(s);
    if (state.em) this.em += word(s);
    if (state.strong) this.strong += word(s);
    if (state.quotes > 0) this.quoted += word(s);
    if (state.quotes > 1) this.requoted += word(s);
    for (const o of state.open) o.text += s;
  }
}

// --- Markdown -----------------------------------------------------------------------------------

// Formulas are not CommonMark: they are read as code that begins with a sign of its own.
function hideMath(md) {
  const fence = /^(`{3,})[^\n]*\n[^]*?^\1$/gm;
  const parts = [];
  let at = 0;
  for (const m of md.matchAll(fence)) {
    parts.push([md.slice(at, m.index), false], [m[0], true]);
    at = m.index + m[0].length;
  }
  parts.push([md.slice(at), false]);
  // Code, escapes and destinations are passed over; formulas are as Pandoc reads them.
  const inline = /(`+)(?!`)[^]*?[^`]\1(?!`)|\\[^]|\]\((?:<[^>\n]*>|[^\s)]*)|<https?:[^>\s]*>|\$\$([^$]+)\$\$|(?<![\w$])\$(?!\s)((?:\\[^\n]|[^$\\\n])+)(?<!\s)\$(?![\d$])/g;
  const hide = (s) => s.replace(inline, (all, tick, display, single) => {
    const tex = display ?? single;
    if (!tex) return all;
    const ticks = "`".repeat(Math.max(0, ...[...tex.matchAll(/`+/g)].map((r) => r[0].length)) + 1);
    return `${ticks}\u0001${tex} ${ticks}`;
  });
  return parts.map(([s, code]) => (code ? s : hide(s))).join("")
    .replace(/^\[\^\d+\]:\s[^]*/m, (notes) => notes.replace(/^ {4}/gm, "")) // to CommonMark that is code
    .replace(/^\[\^(\d+)\]:(?=\s)/gm, "NOTE$1").replace(/\[\^(\d+)\]/g, "(NOTE$1)");
}

// The line that names a call-out: what HTML has as the first paragraph of its <aside>.
const boxTitle = (s) => (/^\w+\W*$/.test(s) ? s.toLowerCase().replace(/\W/g, "") : s);
const hideBoxes = (md) => md.replace(/^([ >*.)\d-]*)> \[!([A-Z]+)\](?: (.*))?$/gm, (_, before, kind, title) => `${before}> ${title ? boxTitle(title) : kind.toLowerCase()}`);

function readMarkdown(md) {
  const say = new Saying(), state = { em: 0, strong: 0, quotes: 0, open: [], depth: -1 };
  const walker = new Parser().parse(hideBoxes(hideMath(md))).walker();
  for (let e; (e = walker.next());) {
    const n = e.node, step = e.entering ? 1 : -1;
    switch (n.type) {
      case "text": say.text(n.literal.replace(/^\|?( \| |\| |---| \|)+$/, ""), state); break;
      case "html_inline": case "html_block": break;
      case "softbreak": case "linebreak": say.text(" ", state); break;
      case "emph": state.em += step; break;
      case "strong": state.strong += step; break;
      case "block_quote": state.quotes += step; break;
      case "code": {
        const math = n.literal.startsWith("\u0001");
        const literal = n.literal.replace(/^\u0001/, "").replace(/\\\|/g, "|");
        (math ? say.math : say.code).push(bare(literal));
        say.text(literal, state);
        break;
      }
      case "code_block": say.listings.push([n.info, n.literal.replace(/\n$/, "")]); break;
      case "link": case "image": case "heading": {
        if (e.entering) state.open.push({ text: "" });
        else {
          const text = bare(state.open.pop().text);
          if (n.type === "heading") say.headings.push(n.level + " " + text);
          else (n.type === "link" ? say.links : say.images).push(text + " " + url(n.destination));
        }
        break;
      }
      case "list": state.depth += step; break;
      case "item": if (e.entering) say.items.push(state.depth + " " + n.listType); break;
    }
  }
  return say;
}

// --- HTML ---------------------------------------------------------------------------------------

const attr = (n, name) => n.attrs?.find((a) => a.name === name)?.value ?? "";

function textOf(node) {
  return node.nodeName === "#text" ? node.value : (node.childNodes ?? []).map(textOf).join("");
}

function find(node, name) {
  if (node.nodeName === name) return node;
  for (const c of node.childNodes ?? []) {
    const found = find(c, name);
    if (found) return found;
  }
  return null;
}

function readHtml(html) {
  const say = new Saying(), state = { em: 0, strong: 0, quotes: 0, script: 0, open: [], depth: -1 };
  const within = (n, enter, leave) => { enter(); (n.childNodes ?? []).forEach(walk); leave(); };
  const collect = (n, end) => within(n, () => state.open.push({ text: "" }), () => end(bare(state.open.pop().text)));
  function walk(n) {
    const name = n.nodeName;
    if (name === "#text") return say.text(n.value, state);
    if (name === "br") return say.text(" ", state);
    if (name === "em" && !state.script) return within(n, () => state.em++, () => state.em--);
    if (name === "strong" && !state.script) return within(n, () => state.strong++, () => state.strong--);
    if (name === "math") {
      const tex = textOf(find(n, "annotation"));
      say.math.push(bare(tex));
      return say.text(tex, state);
    }
    if (name === "pre") {
      const code = find(n, "code");
      return say.listings.push([attr(code, "class").replace(/^language-/, ""), textOf(code)]);
    }
    if (name === "code") {
      say.code.push(bare(textOf(n)));
      return say.text(textOf(n), state);
    }
    if (name === "img") {
      const alt = bare(attr(n, "alt"));
      say.text(alt, state);
      return say.images.push(alt + " " + url(attr(n, "src")));
    }
    if (name === "a" && /^#adit-note-\d+$/.test(attr(n, "href"))) return say.text(attr(n, "href").replace("#adit-note-", "NOTE"), state);
    if (name === "a") return collect(n, (text) => { if (text || find(n, "img")) say.links.push(text + " " + url(attr(n, "href"))); });
    if (/^h[1-6]$/.test(name)) return collect(n, (text) => say.headings.push(name[1] + " " + text));
    if (name === "section" && attr(n, "class") === "notes")
      return find(n, "ol").childNodes.filter((c) => c.nodeName === "li").forEach((c) => {
        say.text(attr(c, "id").replace("adit-note-", "NOTE") + " ", state);
        c.childNodes.forEach(walk);
      });
    if (name === "sup" || name === "sub") {
      // Markdown has no exponents: they are written as signs, without emphasis among them.
      return within(n, () => state.script++, () => state.script--);
    }
    if (name === "p" && n.parentNode.nodeName === "aside" && n.parentNode.childNodes.find((c) => c.nodeName === "p") === n && boxTitle(textOf(n)) !== textOf(n))
      return say.text(boxTitle(textOf(n)), state);
    // A page may show the mark of a call-out as text, where it was not read as one.
    const first = name === "blockquote" ? n.childNodes.find((c) => c.nodeName !== "#text") : null;
    if (first?.nodeName === "p" && first.childNodes[0]?.nodeName === "#text")
      first.childNodes[0].value = first.childNodes[0].value.replace(/^\[!([A-Z]+)\] (?=\S)/, "");
    if (name === "blockquote" || name === "aside") return within(n, () => state.quotes++, () => state.quotes--);
    if (name === "ul" || name === "ol") return within(n, () => state.depth++, () => state.depth--);
    if (name === "li") {
      say.items.push(state.depth + " " + (n.parentNode.nodeName === "ol" ? "ordered" : "bullet"));
    }
    (n.childNodes ?? []).forEach(walk);
  }
  walk(find(parse(html), "article"));
  return say;
}

// --- comparing ----------------------------------------------------------------------------------

const SIGNS = new Map([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"].map((c, i) => [c, "0123456789+-=()n0123456789+-=()"[i]]));
const plainSigns = (s) => s.replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀-₎]/g, (c) => SIGNS.get(c) ?? c).replace(/[\^_()\u2010-\u2013\u2212-]/g, "");

function firstDifference(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

function fault(html, md) {
  const want = readHtml(html), got = readMarkdown(md);
  for (const kind of Object.keys(want)) {
    let a = want[kind], b = got[kind];
    if (typeof a === "string") {
      a = plainSigns(a), b = plainSigns(b);
      const i = firstDifference(a, b);
      if (a !== b) return `${kind}: …${a.slice(Math.max(0, i - 30), i + 60)} | ${b.slice(Math.max(0, i - 30), i + 60)}`;
      continue;
    }
    const x = a.map((v) => plainSigns(JSON.stringify(v))), y = b.map((v) => plainSigns(JSON.stringify(v)));
    const i = firstDifference(x, y);
    if (i < Math.max(x.length, y.length)) return `${kind} ${i}: ${x[i]?.slice(0, 200)} | ${y[i]?.slice(0, 200)}`;
  }
  return null;
}

function check(file, ...options) {
  const body = file.endsWith(".gz") ? zlib.gunzipSync(fs.readFileSync(file)) : fs.readFileSync(file);
  const args = ["page", "-", "--url", "https://example.com/a/b", "--date", "2024-01-02", ...options];
  try {
    const out = execFileSync(NATIVE, [...args, "--format", "html", "--format", "md"], { input: body, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] }).toString();
    const end = out.indexOf("</html>\n");
    return fault(out.slice(0, end), out.slice(end + 8));
  } catch (e) {
    return e.status === 1 ? null : String(e.stack); // no content
  }
}

// Pages that Markdown cannot say as HTML does, and why; each must still differ.
const KINDS = {
  touching: "emphasis whose mark would stand between a word and a sign, a link's bracket for one: CommonMark would show the mark",
  script: "a link around a part of an exponent: Markdown has it around all of it",
  dollars: "a formula within emphasis, in a text that has dollars besides",
};
const INEXPRESSIBLE = {
  "post-japan.zdnet.com": KINDS.touching,
  "atf-eb46d3234ca0a68c": KINDS.touching,
  "clean-341": KINDS.touching,
  "dragnet-R945": KINDS.touching,
  "dragnet-T34": KINDS.touching,
  "waddle-el-b85dec2881aa": KINDS.touching,
  "clean-397": KINDS.script,
  "forum-730f5d938e8c2582": KINDS.dollars,
};

const html = (dir, every) => (fs.existsSync(dir) ? fs.readdirSync(dir) : [])
  .filter((f) => /\.html(\.gz)?$/.test(f) && !f.includes(".expected.")).sort().filter((_, i) => i % every === 0).map((f) => path.join(dir, f));
const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";
const every = process.env.ADIT_ALL_PAGES ? 1 : 5; // make test takes a sample of the large folders, make test-pages every page
for (const [name, files, ...options] of [
  ["cases", ["blocks", "content", "meta"].flatMap((d) => html(`shared/convert/cases/${d}`, 1)), "--whole"],
  ["extraction", html(path.join(corpus, "extraction"), every)],
  ["extraction-more", html(path.join(corpus, "extraction-more"), every)],
  ["articles", html(path.join(corpus, "articles"), every)],
  ["structure", html(path.join(corpus, "structure"), 1)],
  ...(every === 1 ? ["check", "dates"].map((d) => [d, html(path.join(corpus, d), 1)]) : []),
]) {
  if (files.length === 0) {
    skip(name, "no corpus");
    continue;
  }
  const known = (f) => path.basename(f).replace(/\.html(\.gz)?$/, "") in INEXPRESSIBLE;
  const faults = files.map((f) => [f, check(f, ...options)]).map(([f, fault]) => [f, known(f) ? !fault && "reads back now: it need not be named" : fault]).filter(([, fault]) => fault);
  ok(faults.length === 0, `${name}: ${files.length} pages read back`, ...faults.slice(0, 400).map(([f, why]) => `${f}: ${why}`));
}
done();
