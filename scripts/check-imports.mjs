#!/usr/bin/env node
// Fails when a WASM module imports anything unexpected; prints its size, raw and gzipped.
// Usage: check-imports FILE.wasm [MODULE or MODULE:PREFIX]…
import fs from "node:fs";
import zlib from "node:zlib";

const [file, ...allowed] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const bad = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(
  (i) => !allowed.some((a) => {
    const [module, prefix = ""] = a.split(":");
    return i.module === module && i.name.startsWith(prefix);
  }));
if (bad.length) {
  for (const i of bad) console.error(`adit: ${file}: unexpected import ${i.module}.${i.name} (${i.kind})`);
  fs.unlinkSync(file);
  process.exit(1);
}
const kb = (n) => (n / 1024).toFixed(0) + " KB";
console.log(`  built   ${file}  ${kb(bytes.length)}, gzipped ${kb(zlib.gzipSync(bytes, { level: 9 }).length)}`);
