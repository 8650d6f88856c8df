#!/usr/bin/env node
// Fails when a WASM module imports anything unexpected; prints its size, raw and gzipped.
// Usage: check-imports FILE.wasm [--like ENGINE.wasm] [MODULE or MODULE:PREFIX or MODULE=NAME]…
// --like: the imports of MODULE=NAME must have the type that the other module's import of the same name
// has; they are not compared where that file is not there.
import fs from "node:fs";
import zlib from "node:zlib";

// The functions that a module imports: "module=name" → "(i32,i64)->i32".
function importTypes(b) {
  const VALUE = { 0x7f: "i32", 0x7e: "i64", 0x7d: "f32", 0x7c: "f64" }, types = [], found = new Map();
  let p = 8;
  const number = () => { let v = 0, scale = 1, c; do { c = b[p++]; v += (c & 127) * scale; scale *= 128; } while (c & 128); return v; };
  const list = (one) => Array.from({ length: number() }, one);
  const value = () => VALUE[b[p++]] ?? "?", text = () => { const n = number(); p += n; return b.toString("utf8", p - n, p); };
  const limits = () => { if (b[p++] & 1) number(); number(); };
  const skip = { 1: () => (p++, limits()), 2: limits, 3: () => (p += 2) }; // tables, memories, globals
  while (p < b.length) {
    const section = b[p++], end = number() + p;
    if (section === 1) list(() => (p++, types.push(`(${list(value)})->${list(value)}`)));
    if (section === 2) list(() => { const key = `${text()}=${text()}`, kind = b[p++]; if (kind === 0) found.set(key, types[number()]); else skip[kind](); });
    if (section >= 2 && section !== 0) break; // in order: nothing more of it follows
    p = end;
  }
  return found;
}

const [file, ...rest] = process.argv.slice(2);
const like = rest[0] === "--like" ? rest.splice(0, 2)[1] : null;
const bytes = fs.readFileSync(file);
const fits = (i) => (a) => {
  const [module, name] = a.split("="), [outer, prefix = ""] = a.split(":");
  return name === undefined ? i.module === outer && i.name.startsWith(prefix) : i.module === module && i.name === name;
};
const faults = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter((i) => !rest.some(fits(i)))
  .map((i) => `unexpected import ${i.module}.${i.name} (${i.kind})`);
if (like && fs.existsSync(like)) {
  const theirs = importTypes(fs.readFileSync(like));
  for (const [key, type] of importTypes(bytes)) {
    const other = theirs.get(key);
    if (other !== type) faults.push(`import ${key.replace("=", ".")} is ${type}, in ${like} ${other ?? "there is none"}`);
  }
}
if (faults.length) {
  for (const f of faults) console.error(`adit: ${file}: ${f}`);
  fs.unlinkSync(file);
  process.exit(1);
}
const kb = (n) => (n / 1024).toFixed(0) + " KB";
console.log(`  built   ${file}  ${kb(bytes.length)}, gzipped ${kb(zlib.gzipSync(bytes, { level: 9 }).length)}${like && !fs.existsSync(like) ? "; types of imports not compared" : ""}`);
