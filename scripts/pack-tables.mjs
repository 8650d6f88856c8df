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

// --- compress: columns of numbers, in the forms that unpack-tables.h explains, by deflate -------------
const columns = (table, form, ...offsets) => offsets.map((offset) => ({ table, offset, width: { BYTE: 1, DIFFERENCE: table.size, FROM_ROW: 2 }[form], form }));
const bytes = (table) => columns(table, "BYTE", ...Array(table.size).keys());
const differences = (table) => columns(table, "DIFFERENCE", 0);
const sevenBits = (v) => (v < 128 ? [v] : [(v & 127) | 128, ...sevenBits(v >>> 7)]);

function coded({ table, offset, width, form }) {
  const at = (row) => (row < 0 ? 0 : table.bytes.readUIntLE(row * table.size + offset, width));
  return Array.from({ length: table.len / table.size }, (_, row) => {
    const v = at(row), d = (v - at(row - 1)) | 0;
    if (form === "BYTE") return v;
    if (form === "DIFFERENCE") return sevenBits(((d << 1) ^ (d >> 31)) >>> 0);
    if (v && v <= row) throw new Error("a table is not in the expected order");
    return sevenBits(v && v - row);
  }).flat();
}

function unpacker(name, list) {
  const all = Buffer.from(list.flatMap(coded)), packed = zlib.deflateRawSync(all, { level: 9, memLevel: 9 });
  return `
#include "unpack-tables.h"
static const unsigned char ${name}_packed[] = {${[...packed].map((v, i) => (i % 32 ? "" : "\n") + v + ",").join("")}};
__attribute__((constructor)) static void ${name}_unpack(void)
{
    static const struct column columns[] = {
${list.map(({ table, offset, width, form }) => `        {(char *)${table.name} + ${offset}, ${table.len / table.size}, ${table.size}, ${width}, ${form}},`).join("\n")}
    };
    unpack(${name}_packed, sizeof ${name}_packed, ${all.length}, columns, sizeof columns / sizeof columns[0]);
}
`;
}

const declared = (list) => list.map(({ type, name, len, size }) => `${type} ${name}[${len / size}];`).join("\n");
fs.writeFileSync(path.join(out, "multi.c"), `#include "lexbor/encoding/multi.h"\n${declared(maps)}${unpacker("multi", maps.flatMap(differences))}`);
fs.writeFileSync(path.join(out, "single.c"), `#include "lexbor/encoding/base.h"\n${declared(indexes)}${unpacker("single", indexes.flatMap(bytes))}`);
// The header of the character references is included by lexbor and by us: one table for both.
const res = path.join(out, "lexbor/html/tokenizer");
fs.mkdirSync(res, { recursive: true });
fs.writeFileSync(path.join(res, "res.h"), `extern ${declared([entities])}\n`);
// An entry: key, 6 bytes of value, their number, and the indexes left, right, next, which lie behind it.
if (entities.size !== 14) throw new Error("an entry of the character references is not what it was");
fs.writeFileSync(path.join(out, "entities.c"), `#include "lexbor/core/sbst.h"\n${declared([entities])}${unpacker("entities", [
  ...columns(entities, "BYTE", ...Array(8).keys()), ...columns(entities, "FROM_ROW", 8, 10, 12)])}`);
fs.copyFileSync(new URL("unpack-tables.h", import.meta.url), path.join(out, "unpack-tables.h"));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.c"), path.join(out, "utf8proc.c"));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.h"), path.join(out, "utf8proc.h"));
// Of utf8proc's tables one is in runs and steps.
fs.writeFileSync(path.join(out, "utf8proc_data.c"), declared(tables).replace(/^/gm, "static ")
  + unpacker("utf8proc", tables.flatMap((t) => (t.name === "utf8proc_stage2table" ? differences(t) : bytes(t)))));
