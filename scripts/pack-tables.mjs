// Makes the WASM modules small: the big tables of two libraries (lexbor's encodings and
// character references, utf8proc's Unicode data) become one compressed block each, unpacked by a constructor when a module starts. The
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

// --- compress: differences of code points (sign last), then byte by byte of each entry, which deflate likes ---
function planes({ bytes, size, len }, differences) {
  const n = len / size, raw = Buffer.from(bytes), res = Buffer.alloc(len);
  if (differences) for (let i = n - 1; i >= 0; i--) {
    const d = raw.readInt32LE(4 * i) - (i ? raw.readInt32LE(4 * i - 4) : 0);
    raw.writeUInt32LE(((d << 1) ^ (d >> 31)) >>> 0, 4 * i);
  }
  for (let i = 0; i < n; i++) for (let k = 0; k < size; k++) res[k * n + i] = raw[i * size + k];
  return res;
}
const block = (list, differences) => zlib.deflateRawSync(Buffer.concat(list.map((t) => planes(t, differences))), { level: 9, memLevel: 9 });
const c_bytes = (b) => [...b].map((v, i) => (i % 32 ? "" : "\n") + v + ",").join("");
const unpacker = (name, list, differences) => `
static const unsigned char ${name}_packed[] = {${c_bytes(block(list, differences))}};
extern void *malloc(unsigned long);
extern void free(void *);
extern unsigned long tinfl_decompress_mem_to_mem(void *, unsigned long, const void *, unsigned long, int);
__attribute__((constructor)) static void ${name}_unpack(void)
{
    static const struct { unsigned char *p; unsigned n, size; } t[] = {
${list.map((e) => `        {(unsigned char *)${e.name}, ${e.len / e.size}, ${e.size}},`).join("\n")}
    };
    unsigned char *all = malloc(${list.reduce((s, e) => s + e.len, 0)}), *p = all;
    if (!all) __builtin_trap();
    tinfl_decompress_mem_to_mem(all, ${list.reduce((s, e) => s + e.len, 0)}, ${name}_packed, sizeof ${name}_packed, 0);
    for (unsigned k = 0; k < sizeof t / sizeof t[0]; k++) {
        for (unsigned b = 0; b < t[k].size; b++)
            for (unsigned i = 0; i < t[k].n; i++) t[k].p[i * t[k].size + b] = *p++;
${differences ? `        unsigned *v = (unsigned *)t[k].p;
        for (unsigned i = 0, sum = 0; i < t[k].n; i++) v[i] = sum += (v[i] >> 1) ^ -(v[i] & 1);
` : ""}    }
    free(all);
}
`;
fs.writeFileSync(path.join(out, "multi.c"), `#include "lexbor/encoding/multi.h"
${maps.map(({ type, name, n }) => `${type} ${name}[${n}];`).join("\n")}
${unpacker("multi", maps, true)}`);
fs.writeFileSync(path.join(out, "single.c"), `#include "lexbor/encoding/base.h"
${indexes.map(({ type, name, n }) => `${type} ${name}[${n}];`).join("\n")}
${unpacker("single", indexes, false)}`);
const res = path.join(out, "lexbor/html/tokenizer");
fs.mkdirSync(res, { recursive: true });
// The header of the character references is included by lexbor and by us: one table for both.
fs.writeFileSync(path.join(res, "res.h"), `extern ${entities.type} ${entities.name}[${entities.len / entities.size}];\n`);
fs.writeFileSync(path.join(out, "entities.c"), `#include "lexbor/core/sbst.h"
${entities.type} ${entities.name}[${entities.len / entities.size}];
${unpacker("entities", [entities], false)}`);
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.c"), path.join(out, "utf8proc.c"));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.h"), path.join(out, "utf8proc.h"));
fs.writeFileSync(path.join(out, "utf8proc_data.c"), tables.map((t) => `static ${t.type} ${t.name}[${t.len / t.size}];`).join("\n") + unpacker("utf8proc", tables, false));
