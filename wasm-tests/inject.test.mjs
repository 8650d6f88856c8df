// Link injection by adit-core.wasm, over the cases of shared/exchange/cases/inject. Then a control
// that is not ours: parse5 must find the link in the head, and otherwise the same document; for the
// cases and, where they are to be had, for the pages of the corpus.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { parse, serialize } from "parse5";
import { Core, GET } from "./core.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const dir = "shared/exchange/cases/inject/";
const read = (name) => (fs.existsSync(dir + name) ? new Uint8Array(fs.readFileSync(dir + name)) : new Uint8Array());
const core = new Core({ origin: "https://example.com", markdown: false });

function inject(page, charset, step) {
  const h = core.page("text/html" + (charset.length ? `; charset=${Buffer.from(charset).toString("latin1")}` : ""));
  if (!h) return page;
  const parts = [];
  let more = 1, i = 0;
  for (; more && i < page.length; i += step) {
    more = core.given(page.subarray(i, i + step), (p, n) => core.x.adit_body(h, p, n));
    parts.push(core.get(h, GET.injected));
  }
  if (more) {
    core.x.adit_body_end(h);
    parts.push(core.get(h, GET.injected));
  }
  core.x.adit_close(h);
  return new Uint8Array(Buffer.concat([...parts, page.subarray(i)])); // the rest passes as it is
}

const names = fs.readdirSync(dir).filter((f) => f.endsWith(".in")).map((f) => f.slice(0, -3));
ok(names.length > 100, `${names.length} cases`);
for (const name of names) {
  const page = read(`${name}.in`), want = read(`${name}.out`), charset = read(`${name}.charset`);
  for (const step of [page.length || 1, 7]) {
    const got = inject(page, charset, step);
    same(got, want, `${name}, in portions of ${step}`);
  }
}

// --- the control --------------------------------------------------------------------------------------

// Takes our links out of a tree; the names of their parents.
function takeLinks(node, parents = []) {
  const isOurs = (n) => n.tagName === "link" && n.attrs.some((a) => a.name === "href" && /\/post\/llm(\/|\.md)$/.test(a.value));
  const children = node.childNodes ?? [];
  for (const child of children.filter(isOurs)) parents.push(child.parentNode.tagName);
  if (node.childNodes) node.childNodes = children.filter((n) => !isOurs(n));
  for (const child of node.childNodes ?? []) takeLinks(child, parents);
  if (node.content) takeLinks(node.content, parents);
  return parents;
}

// As Latin-1 every byte is a character; a byte order mark is none.
const decode = (bytes) => Buffer.from(bytes).toString("latin1").replace(/^\xef\xbb\xbf/, "");
function agrees(page, out) {
  const before = parse(decode(page)), after = parse(decode(out));
  const parents = takeLinks(after);
  return parents.join() === "head" && serialize(before) === serialize(after);
}

for (const name of names) {
  const page = read(`${name}.in`), out = read(`${name}.out`);
  if (page.length !== out.length) ok(agrees(page, out), `${name}: parse5 sees the link in the head and the same page`);
}

for (const [name, charset] of [["extraction", ""], ["extraction-more", "utf-8"]]) {
  const corpus = path.join(process.env.ADIT_CORPUS ?? "../shared/corpus", name);
  if (!fs.existsSync(corpus)) {
    skip(name, "no corpus");
    continue;
  }
  const files = fs.readdirSync(corpus).filter((f) => f.endsWith(".html.gz") && !f.includes(".expected."));
  let inserted = 0;
  const wrong = [];
  for (const file of files) {
    const page = new Uint8Array(zlib.gunzipSync(fs.readFileSync(path.join(corpus, file))));
    const got = inject(page, new TextEncoder().encode(charset), 8192);
    const has = got.length !== page.length;
    inserted += has;
    if (has ? !agrees(page, got) : Buffer.compare(page, got)) wrong.push(file);
  }
  ok(wrong.length === 0 && inserted > files.length * 0.99, `${name}: ${inserted} of ${files.length} pages have the link, all as parse5 would have it`, wrong.join(" "));
}
done();
