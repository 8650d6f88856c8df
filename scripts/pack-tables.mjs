// Makes the WASM modules small: the big tables of two libraries (lexbor's encodings and
// character references, utf8proc's Unicode data) are compressed, and unpacked by constructors when a module starts. The
// numbers are read out of a module compiled from the unpacked sources; what no code of ours reads (names in the single-byte tables) is left out.
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
const columns = (table, form, width, offsets, none = 0) => offsets.map((offset) => ({ table, offset, width, form, none }));
const bytes = (table, from = 0, to = table.size) => columns(table, "BYTE", 1, Array.from({ length: to - from }, (_, i) => from + i));
const differences = (table, offset = 0, width = table.size) => columns(table, "DIFFERENCE", width, [offset]);
const planes = (table, none, width, ...offsets) => columns(table, "PLANES", width, offsets, none);
const sevenBits = (v) => (v < 128 ? [v] : [(v & 127) | 128, ...sevenBits(v >>> 7)]);
const zigzag = (d) => ((d << 1) ^ (d >> 31)) >>> 0;

// The bytes of a column, in parts that differ in kind.
function coded({ table, offset, width, form, none }) {
  const values = Array.from({ length: table.len / table.size }, (_, row) => table.bytes.readUIntLE(row * table.size + offset, width));
  if (form === "BYTE") return [values];
  if (form === "DIFFERENCE") return [values.flatMap((v, row) => sevenBits(zigzag((v - (row ? values[row - 1] : 0)) | 0)))];
  const n = width === 4 ? 3 : width, high = 32 - 8 * n, all = 2 ** (8 * n) - 1;
  let last = 0;
  const numbers = values.map((v) => {
    if (v === none) return all;
    const d = ((v - last) << high) >> high; // of so many bits: they may wrap
    last = v;
    if (zigzag(d) >= all || (width === 4 && v > 0x1fffff)) throw new Error("a number of a table cannot be told from none");
    return zigzag(d);
  });
  return Array.from({ length: n }, (_, k) => numbers.map((v) => (v >> (8 * k)) & 255));
}

// One deflate stream. zlib looks for no good place to begin a block with another code: where that makes it shorter, one is begun between two parts.
function deflate(parts) {
  const pack = (part, last) => zlib.deflateRawSync(part, { level: 9, memLevel: 9, finishFlush: last ? zlib.constants.Z_FINISH : zlib.constants.Z_SYNC_FLUSH });
  const done = [];
  let open = parts[0], packed = pack(open);
  for (const part of parts.slice(1)) {
    const both = Buffer.concat([open, part]), together = pack(both), apart = pack(part);
    if (together.length <= packed.length + apart.length) (open = both), (packed = together);
    else done.push(packed), (open = part), (packed = apart);
  }
  return Buffer.concat([...done, pack(open, true)]);
}

function unpacker(name, list, then = "") {
  const parts = list.flatMap(coded).map((part) => Buffer.from(part)), all = Buffer.concat(parts), packed = deflate(parts);
  return `
#include "unpack-tables.h"
static const unsigned char ${name}_packed[] = {${[...packed].map((v, i) => (i % 32 ? "" : "\n") + v + ",").join("")}};
__attribute__((constructor)) static void ${name}_unpack(void)
{
    static const struct column columns[] = {
${list.map(({ table, offset, width, form, none }) => `        {(char *)${table.name} + ${offset}, ${table.len / table.size}, ${table.size}, ${width}, ${form}, ${none}},`).join("\n")}
    };
    unpack(${name}_packed, sizeof ${name}_packed, ${all.length}, columns, sizeof columns / sizeof columns[0]);${then}
}
`;
}

const declared = (list) => list.map(({ type, name, len, size }) => `${type} ${name}[${len / size}];`).join("\n");
const NO_CHARACTER = 0x1fffff; // lexbor's LXB_ENCODING_ERROR_CODEPOINT
fs.writeFileSync(path.join(out, "multi.c"), `#include "lexbor/encoding/multi.h"\n${declared(maps)}${unpacker("multi", maps.flatMap((t) => planes(t, NO_CHARACTER, 4, 0)))}`);
// Of an entry of the single-byte encodings decoders read the code point alone.
const CODE_POINT = 8;
fs.writeFileSync(path.join(out, "single.c"), `#include "lexbor/encoding/base.h"\n${declared(indexes)}${unpacker("single", indexes.flatMap((t) => differences(t, CODE_POINT, 4)))}`);

// --- character references: the sorted names and what they mean; the tree is built again (unpack-references.h) ------------
// An entry: key, 6 bytes of value, their number, and the indexes left, right, next.
if (entities.size !== 14) throw new Error("an entry of the character references is not what it was");
const entry = (i) => ({ key: entities.bytes[i * 14], value: entities.bytes.subarray(i * 14 + 1, i * 14 + 1 + entities.bytes[i * 14 + 7]),
  left: entities.bytes.readUInt16LE(i * 14 + 8), right: entities.bytes.readUInt16LE(i * 14 + 10), next: entities.bytes.readUInt16LE(i * 14 + 12) });
const found = [];
(function walk(i, prefix) {
  if (!i) return;
  const e = entry(i), name = prefix + String.fromCharCode(e.key);
  walk(e.left, prefix);
  if (e.value.length) found.push([name, [...e.value.toString()].map((c) => c.codePointAt(0))]);
  walk(e.next, name);
  walk(e.right, prefix);
})(1, "");
const shared = (a, b) => { let n = 0; while (n < a.length && a[n] === b[n]) n++; return n; };
const references = { name: "references", size: 8, len: 8 * found.length, bytes: Buffer.alloc(8 * found.length) };
let rest = "";
found.forEach(([name, [first, second = 0, ...more]], i) => {
  const same = i ? shared(name, found[i - 1][0]) : 0;
  if (more.length || second > 0xffff || name.length > 39 || (i && name <= found[i - 1][0])) throw new Error("character references are not what they were");
  references.bytes.writeUInt32LE(first, 8 * i), references.bytes.writeUInt16LE(second, 8 * i + 4), (references.bytes[8 * i + 6] = same);
  rest += name.slice(same) + "\0";
});
const rests = { name: "rests", size: 1, len: rest.length, bytes: Buffer.from(rest) };
// The header is included by lexbor and by us: one table for both.
const res = path.join(out, "lexbor/html/tokenizer");
fs.mkdirSync(res, { recursive: true });
fs.writeFileSync(path.join(res, "res.h"), `extern ${declared([entities])}\n`);
fs.writeFileSync(path.join(out, "entities.c"), `#include "lexbor/core/sbst.h"
#include "unpack-references.h"
${declared([entities])}
static struct reference references[${found.length}];
static char rests[${rest.length}];${unpacker("entities", [...bytes(references, 0, 3), ...bytes(references, 4, 7), ...bytes(rests)],
    `\n    build_references(${entities.name}, references, ${found.length}, rests);`)}`);

for (const header of ["unpack-tables.h", "unpack-references.h"]) fs.copyFileSync(new URL(header, import.meta.url), path.join(out, header));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.c"), path.join(out, "utf8proc.c"));
fs.copyFileSync(path.join(deps, "utf8proc/utf8proc.h"), path.join(out, "utf8proc.h"));
// Of utf8proc's tables one is in runs and steps; a property has, among bytes, six numbers of 16 bits, which rise where they are not "none".
const NUMBERS = 8, BYTES = 20, NONE = 0xffff;
const forms = {
  utf8proc_stage2table: (t) => differences(t),
  utf8proc_sequences: (t) => planes(t, NONE, 2, 0),
  utf8proc_properties: (t) => [...bytes(t, 0, NUMBERS), ...planes(t, NONE, 2, ...Array.from({ length: 6 }, (_, i) => NUMBERS + 2 * i)), ...bytes(t, BYTES)],
};
fs.writeFileSync(path.join(out, "utf8proc_data.c"), declared(tables).replace(/^/gm, "static ")
  + unpacker("utf8proc", tables.flatMap((t) => (forms[t.name] ? forms[t.name](t) : bytes(t)))));
