// Makes the WASM modules small: the big tables of two libraries (lexbor's encodings and
// character references, utf8proc's Unicode data) are compressed, and unpacked by constructors when a module starts. The
// tables are read out of a module compiled from the unpacked sources, so they are the same to the byte.
// Usage: pack-tables.mjs DEPS OUT CC [flags…]   writes OUT/*.c and OUT/lexbor/…/res.h
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const [deps, out, cc, ...flags] = process.argv.slice(2);
fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(path.join(out, "probe"), { recursive: true });
const multi = fs.readFileSync(path.join(deps, "lexbor/lexbor/encoding/multi.h"), "utf8");
const maps = [...multi.matchAll(/LXB_EXTERN (lxb_codepoint_t) (\w+)\[(\d+)\];/g)].map(([, type, name, n]) => ({ type, name, n }));
const single = fs.readFileSync(path.join(deps, "lexbor/lexbor/encoding/single.h"), "utf8");
const indexes = [...single.matchAll(/LXB_EXTERN const (lxb_encoding_single_index_t) (\w+)\[(\d+)\];/g)].map(([, type, name, n]) => ({ type, name, n }));
const data = fs.readFileSync(path.join(deps, "utf8proc/utf8proc_data.c"), "utf8");
const tables = [...data.matchAll(/^static const (\w+) (\w+)\[\] = \{/gm)].map(([, type, name]) => ({ type, name }));
if (!maps.length || !indexes.length || !tables.length) throw new Error("the libraries' tables are not where they were");
const entities = { type: "lexbor_sbst_entry_static_t", name: "lxb_html_tokenizer_res_entities_sbst" };
const all = [...maps, ...indexes, ...tables, entities];

// --- read them --------------------------------------------------------------------------------------
const probe = path.join(out, "probe/probe.c"), wasm = path.join(out, "probe/probe.wasm");
fs.writeFileSync(probe, `#include "utf8proc/utf8proc.c"
#include "lexbor/encoding/multi.h"
#include "lexbor/encoding/single.h"
#include "lexbor/core/sbst.h"
#include "lexbor/html/tokenizer/res.h"
static const struct { const void *p; unsigned len, size; } all[] = {
${all.map(({ name }) => `  {${name}, sizeof ${name}, sizeof ${name}[0]},`).join("\n")}
};
#define EXPORT(n) __attribute__((export_name(#n)))
EXPORT(table) const void *table(int i) { return all[i].p; }
EXPORT(len) unsigned len(int i) { return all[i].len; }
EXPORT(size) unsigned size(int i) { return all[i].size; }
`);
execFileSync(cc, [...flags, "-w", `-I${deps}`, `-I${deps}/lexbor`, "-DLEXBOR_STATIC", "-DUTF8PROC_STATIC", "-mexec-model=reactor", probe,
  path.join(deps, "lexbor/lexbor/encoding/multi.c"), path.join(deps, "lexbor/lexbor/encoding/single.c"), "-o", wasm]);
const x = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(wasm)), {}).exports;
all.forEach((t, i) => {
  t.size = x.size(i), t.len = x.len(i);
  t.bytes = Buffer.from(x.memory.buffer, x.table(i), t.len);
});

// --- compress: numbers by an arithmetic coder (unpack-tables.h reads them), the rest byte by byte of each entry by deflate ---
const SIZES = 32, LEARNED_BITS = 7;
const sizeOf = (v) => 32 - Math.clz32(v);

// low has up to 40 bits; a carry goes into the byte kept back and the run of 255 behind it.
class Encoder {
  constructor() { Object.assign(this, { low: 0, range: 0xffffffff, kept: -1, run: 0, out: [] }); }
  shift() {
    if (this.low < 0xff000000 || this.low >= 2 ** 32) {
      const carry = this.low >= 2 ** 32 ? 1 : 0;
      if (this.kept >= 0) this.out.push((this.kept + carry) & 255);
      for (; this.run; this.run--) this.out.push((255 + carry) & 255);
      this.kept = Math.floor(this.low / 2 ** 24) & 255;
    } else this.run++;
    this.low = (this.low % 2 ** 24) * 256;
  }
  normalise() { while (this.range < 2 ** 24) { this.range *= 256; this.shift(); } }
  decide(p, yes) {
    const bound = (this.range >>> 16) * ((p.fast + p.slow) >> 1);
    if (yes) {
      this.range = bound;
      p.fast += (65535 - p.fast) >> 4, p.slow += (65535 - p.slow) >> 6;
    } else {
      this.low += bound, this.range -= bound;
      p.fast -= p.fast >> 4, p.slow -= p.slow >> 6;
    }
    this.normalise();
  }
  evenBit(yes) {
    this.range = this.range >>> 1;
    if (!yes) this.low += this.range;
    this.normalise();
  }
  end() { for (let i = 0; i < 5; i++) this.shift(); return Buffer.from(this.out); }
}

// What is coded: a plain number, its difference to the one above (sign last), or its distance from its row.
function coded(t) {
  const { table, offset = 0, width, form = "PLAIN" } = t;
  return Array.from({ length: table.len / table.size }, (_, row) => {
    const v = table.bytes.readUIntLE(row * table.size + offset, width);
    if (form === "FROM_ROW") { if (v && v <= row) throw new Error("a table is not in the expected order"); return v && v - row; }
    if (form !== "DIFFERENCE") return v;
    const d = (v - (row ? table.bytes.readUIntLE((row - 1) * table.size + offset, width) : 0)) | 0;
    return ((d << 1) ^ (d >> 31)) >>> 0;
  });
}
function pack(columns) {
  const e = new Encoder(), numbers = columns.map(coded);
  let model = new Map();
  columns.forEach(({ beside = -1, form }, k) => {
    if (form !== "DIFFERENCE") model = new Map();
    const p = (...key) => { const id = key.join(); if (!model.has(id)) model.set(id, { fast: 0x8000, slow: 0x8000 }); return model.get(id); };
    let above = 0;
    numbers[k].forEach((v, row) => {
      const size = sizeOf(v), side = beside < 0 ? 0 : sizeOf(numbers[beside][row]);
      e.decide(p("any", side, above), v !== 0);
      if (v) {
        for (let node = 1, i = 4; i >= 0; i--) { const bit = (size >> i) & 1; e.decide(p("size", side, above, node), bit); node = 2 * node + bit; }
        for (let node = 1, i = 1; i < size; i++) {
          const bit = (v >>> (size - 1 - i)) & 1;
          if (i <= LEARNED_BITS) e.decide(p("bits", size, node), bit); else e.evenBit(bit);
          node = 2 * node + bit;
        }
      }
      above = size;
    });
  });
  return e.end();
}
const columnsUnpacker = (name, columns) => `
#include "unpack-tables.h"
static const unsigned char ${name}_packed[] = {${c_bytes(pack(columns))}};
__attribute__((constructor)) static void ${name}_unpack(void)
{
    static const struct column columns[] = {
${columns.map(({ table, offset = 0, width, form = "PLAIN", beside = -1 }) => `        {(char *)${table.name} + ${offset}, ${table.len / table.size}, ${table.size}, ${width}, ${form}, ${beside}},`).join("\n")}
    };
    unpack(${name}_packed, columns, sizeof columns / sizeof columns[0]);
}
`;

function planes({ bytes, size, len }) {
  const n = len / size, res = Buffer.alloc(len);
  for (let i = 0; i < n; i++) for (let k = 0; k < size; k++) res[k * n + i] = bytes[i * size + k];
  return res;
}
const block = (list) => zlib.deflateRawSync(Buffer.concat(list.map(planes)), { level: 9, memLevel: 9 });
const c_bytes = (b) => [...b].map((v, i) => (i % 32 ? "" : "\n") + v + ",").join("");
const unpacker = (name, list) => `
static const unsigned char ${name}_packed[] = {${c_bytes(block(list))}};
#include <stdlib.h>
extern unsigned long tinfl_decompress_mem_to_mem(void *, unsigned long, const void *, unsigned long, int);
__attribute__((constructor)) static void ${name}_unpack(void)
{
    static const struct { unsigned char *p; unsigned n, size; } t[] = {
${list.map((e) => `        {(unsigned char *)${e.name}, ${e.len / e.size}, ${e.size}},`).join("\n")}
    };
    unsigned char *all = malloc(${list.reduce((s, e) => s + e.len, 0)}), *p = all;
    if (!all) __builtin_trap();
    tinfl_decompress_mem_to_mem(all, ${list.reduce((s, e) => s + e.len, 0)}, ${name}_packed, sizeof ${name}_packed, 0);
    for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++)
        for (unsigned b = 0; b < t[k].size; b++)
            for (unsigned i = 0; i < t[k].n; i++) t[k].p[i * t[k].size + b] = *p++;
    free(all);
}
`;
fs.writeFileSync(path.join(out, "multi.c"), `#include "lexbor/encoding/multi.h"
${maps.map(({ type, name, n }) => `${type} ${name}[${n}];`).join("\n")}
${columnsUnpacker("multi", maps.map((table) => ({ table, width: 4, form: "DIFFERENCE" })))}`);
fs.writeFileSync(path.join(out, "single.c"), `#include "lexbor/encoding/base.h"
${indexes.map(({ type, name, n }) => `${type} ${name}[${n}];`).join("\n")}
${unpacker("single", indexes)}`);
const res = path.join(out, "lexbor/html/tokenizer");
fs.mkdirSync(res, { recursive: true });
// The header of the character references is included by lexbor and by us: one table for both.
fs.writeFileSync(path.join(res, "res.h"), `extern ${entities.type} ${entities.name}[${entities.len / entities.size}];\n`);
// An entry: key, 6 bytes of value, their number, and the indexes left, right, next, which lie behind it.
const entityColumns = [
  { offset: 7, width: 1 }, { offset: 8, width: 2, form: "FROM_ROW" }, { offset: 10, width: 2, form: "FROM_ROW", beside: 1 },
  { offset: 12, width: 2, form: "FROM_ROW", beside: 0 }, { offset: 0, width: 1, beside: 0 }, { offset: 1, width: 1, beside: 0 },
  ...[2, 3, 4, 5, 6].map((offset) => ({ offset, width: 1, beside: offset + 3 })),
].map((c) => ({ table: entities, ...c }));
if (entities.size !== 14) throw new Error("an entry of the character references is not what it was");
fs.writeFileSync(path.join(out, "entities.c"), `#include "lexbor/core/sbst.h"
${entities.type} ${entities.name}[${entities.len / entities.size}];
${columnsUnpacker("entities", entityColumns)}`);
const stage2 = tables.find((t) => t.name === "utf8proc_stage2table"); // in runs and steps, unlike the others
fs.copyFileSync(new URL("unpack-tables.h", import.meta.url), path.join(out, "unpack-tables.h"));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.c"), path.join(out, "utf8proc.c"));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.h"), path.join(out, "utf8proc.h"));
fs.writeFileSync(path.join(out, "utf8proc_data.c"), tables.map((t) => `static ${t.type} ${t.name}[${t.len / t.size}];`).join("\n")
  + unpacker("utf8proc", tables.filter((t) => t !== stage2)) + columnsUnpacker("stage2", [{ table: stage2, width: 2, form: "DIFFERENCE" }]));
