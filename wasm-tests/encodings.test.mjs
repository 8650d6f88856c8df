// Every encoding of the web, every label and every entry of its index, valid and broken, natively and
// in WASM, against decoders and index data that are not ours: @exodus/bytes implements the Encoding
// standard as it is today, text-encoding carries the standard's index files of 2017.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { ok, done } from "./tap.mjs";
import labels from "./node_modules/@exodus/bytes/fallback/encoding.labels.js";

// Node 18 lacks what the control is built on, and takes it when it is loaded.
const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
String.prototype.toWellFormed ??= function () { return this.replace(lone, "\ufffd"); };
String.prototype.isWellFormed ??= function () { return this.search(lone) < 0; };
const { TextDecoder: Control } = await import("@exodus/bytes/encoding.js");
const { "encoding-indexes": indexes } = createRequire(import.meta.url)("text-encoding/lib/encoding-indexes.js");

// --- what to decode: records of a label and bytes -----------------------------------------------------

const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const multi = ["gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"];

// Pairs of any lead and any trail byte, each followed by "\n": a record a lead byte.
const pairs = range(0x80, 0x100).map((lead) => range(0, 256).flatMap((trail) => [lead, trail, 10]));
const triples = range(0xa0, 0x100).map((lead) => range(0x80, 0x100).flatMap((trail) => [0x8f, lead, trail, 10]));
const quads = range(0x81, 0xff).map((a) =>
  range(0x30, 0x3a).flatMap((b) => range(0x81, 0xff).flatMap((c) => range(0x30, 0x3a).flatMap((d) => [a, b, c, d]))));
const ESC = 0x1b;
const escapes = [[], [ESC, 0x28, 0x42], [ESC, 0x28, 0x4a], [ESC, 0x28, 0x49], [ESC, 0x24, 0x40], [ESC, 0x24, 0x42]];
const iso2022jp = escapes.flatMap((escape) => [
  [...escape, ...range(0, 256)],
  [...escape, 0x24, ESC],
  [...escape, ESC],
  [...escape, ESC, 0x24],
  [...escape, ESC, 0x28],
  [...escape, ESC, 0x24, 0x41],
  [...escape, ESC, 0x28, 0x28, 0x42],
  [...escape, ...escape, 0x30],
  ...range(0x20, 0x80).map((lead) => [...escape, ...range(0x20, 0x80).flatMap((trail) => [lead, trail])]),
]);
const units = (list) => list.flatMap((u) => [u >> 8, u & 255]);
const utf16be = [
  ...range(0, 256).map((high) => units(range(0, 256).flatMap((low) => [high * 256 + low, 0x41]))),
  ...range(0xd800, 0xdc00).map((high) => units(range(0xdc00, 0xe000).flatMap((low) => [high, low]))),
  [0], [0xd8, 0], [0xd8, 0, 0xdc], [0xdc, 0, 0, 0x41], [0xd8, 0, 0xd8, 0, 0xdc, 0], [0xfe, 0xff, 0, 0x41],
];
const swap = (bytes) => bytes.map((_, i) => bytes[i ^ 1] ?? bytes[i]);
const text = new TextEncoder();
const utf8 = [
  ...range(0, 0x110).map((plane) => [...text.encode(String.fromCodePoint(...range(plane << 12, (plane + 1) << 12)))]),
  ...range(0x80, 0x100).map((lead) => range(0, 256).flatMap((b) => [lead, b, 0x80, 0x80, 10])),
  ...range(0xe0, 0x100).map((lead) => range(0, 256).flatMap((b) => [lead, 0x90, b, 0x8f, 10])),
  [0xf0, 0x90, 0x80], [0xe2, 0x82], [0xc3], [0xef, 0xbb, 0xbf, 0x41],
];

// Random bytes, mostly such as make sense together; the same in every run.
let seed = 12345;
const random = (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0), Math.floor((seed / 2 ** 32) * n));
const alphabet = [ESC, 0x24, 0x28, 0x30, 0x35, 0x39, 0x40, 0x42, 0x4a, 0x5c, 0x62, 0x7e, 0x7f, 0x80, 0x81, 0x84, 0x87, 0x88,
  0x8e, 0x8f, 0x9f, 0xa0, 0xa1, 0xa3, 0xc2, 0xd8, 0xdc, 0xe0, 0xed, 0xf0, 0xf4, 0xfc, 0xfe, 0xff];
const noise = range(0, 3000).map(() =>
  range(0, 1 + random(12)).map(() => (random(3) ? alphabet[random(alphabet.length)] : random(256))));
// Across the borders of the blocks in which long texts are decoded.
const long = [4093, 4094, 4095, 4096].flatMap((n) => [[0xb0, 0xa1], [0x81, 0x30, 0x81, 0x30], [0x88, 0x62], [0x8f, 0xb0, 0xa1]].map(
  (character) => [...new Array(n).fill(0x41), ...character, ...character, 0x42]));

const special = {
  "utf-8": utf8, "utf-16be": utf16be, "utf-16le": utf16be.map(swap), "iso-2022-jp": iso2022jp,
  "euc-jp": [...pairs, ...triples], gb18030: [...pairs, ...quads], gbk: [...pairs, quads[0], quads[15]],
};
const samples = {};
for (const name of Object.keys(labels))
  samples[name] = [[], range(0, 256), ...(special[name] ?? (multi.includes(name) ? pairs : [])), ...noise, ...long];

// --- the program under test ------------------------------------------------------------------------------

function decodeAll(command, records) {
  const parts = records.flatMap(([label, bytes]) => [Buffer.from(`${label} ${bytes.length}\n`), Buffer.from(bytes)]);
  const run = spawnSync(command[0], command.slice(1), {
    input: Buffer.concat(parts), maxBuffer: 2 ** 30, env: { ...process.env, ENCODINGS_FILTER: "1" },
  });
  if (run.status !== 0) throw new Error(`${command.join(" ")}: status ${run.status} ${run.stderr}`);
  let at = 0;
  return records.map(() => {
    const lf = run.stdout.indexOf(10, at);
    const [name, len] = run.stdout.toString("latin1", at, lf).split(" ");
    at = lf + 1 + Number(len);
    return { name, text: run.stdout.toString("utf8", lf + 1, at) };
  });
}

function expected(name, bytes) {
  if (name === "replacement") return bytes.length ? "\ufffd" : "";
  return new Control(name, { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const programs = { native: ["build/asan/tests/codec-encodings"], WASM: ["node", "--no-warnings", "wasm-tests/run-wasi.mjs", "build/wasm/tests/codec-encodings.wasm"] };

const records = Object.entries(samples).flatMap(([name, list]) => list.map((bytes) => [name, bytes]));
const wanted = records.map(([name, bytes]) => expected(name, bytes));
for (const [kind, command] of Object.entries(programs)) {
  const got = decodeAll(command, records);
  for (const name of Object.keys(samples)) {
    const wrong = records.map((_, i) => i).filter((i) => records[i][0] === name && got[i].text !== wanted[i]);
    ok(wrong.length === 0, `${kind}: ${name}, ${samples[name].length} samples`,
      wrong.slice(0, 3).map((i) => describe(records[i][1], got[i].text, wanted[i])).join("\n"));
  }
}

function describe(bytes, text, want) {
  let i = 0;
  while (text[i] === want[i]) i++;
  const show = (s) => [...s.slice(i, i + 4)].map((c) => c.codePointAt(0).toString(16)).join(" ");
  return `${hex(bytes).slice(0, 60)}: at character ${i} got ${show(text)} want ${show(want)}`;
}

// --- labels ------------------------------------------------------------------------------------------------

const all = Object.entries(labels).flatMap(([name, aliases]) => [name, ...aliases].map((label) => [label, name]));
for (const [kind, command] of Object.entries(programs)) {
  const spellings = all.flatMap(([label, name]) => [[label, name], [label.toUpperCase(), name], [`x${label}x`, null]]);
  const got = decodeAll(command, spellings.map(([label]) => [label, []]));
  const wrong = spellings.filter(([, name], i) => got[i].name.toLowerCase() !== (name ?? "-"));
  ok(all.length === 228 && wrong.length === 0, `${kind}: ${all.length} labels of ${Object.keys(labels).length} encodings`, wrong.join(" "));
}

// --- the index files --------------------------------------------------------------------------------------------

// Pointer to bytes, as the standard's decoders have it.
const bytesOf = {
  big5: (p) => [0x81 + Math.floor(p / 157), (p % 157) + (p % 157 < 63 ? 0x40 : 0x62)],
  "euc-kr": (p) => [0x81 + Math.floor(p / 190), 0x41 + (p % 190)],
  gb18030: (p) => [0x81 + Math.floor(p / 190), (p % 190) + (p % 190 < 63 ? 0x40 : 0x41)],
  "euc-jp": (p) => [0xa1 + Math.floor(p / 94), 0xa1 + (p % 94)],
  shift_jis: (p) => {
    const lead = Math.floor(p / 188);
    return [lead + (lead < 0x1f ? 0x81 : 0xc1), (p % 188) + (p % 188 < 63 ? 0x40 : 0x41)];
  },
  "iso-2022-jp": (p) => [ESC, 0x24, 0x42, 0x21 + Math.floor(p / 94), 0x21 + (p % 94)],
  jis0212: (p) => [0x8f, 0xa1 + Math.floor(p / 94), 0xa1 + (p % 94)],
};
const rows = [
  ["big5", "big5"], ["euc-kr", "euc-kr"], ["gb18030", "gb18030"], ["gb18030", "gbk", "gb18030"], ["jis0208", "euc-jp"],
  ["jis0208", "shift_jis"], ["jis0208", "iso-2022-jp"], ["jis0212", "euc-jp", "jis0212"],
  ...Object.keys(indexes).filter((name) => indexes[name].length === 128).map((name) => [name, name]),
];
// Entries that the standard changed since: GB 18030-2022 moved these from the private use area.
const moved = new Set([7182, 7183, 7184, 7185, 7186, 7187, 7188, 7201, 7202, 7208, 23775, 23783, 23788, 23789, 23795, 23812, 23829, 23845]);
for (const [index, label, form = label] of rows) {
  const limit = ["euc-jp", "iso-2022-jp", "jis0212"].includes(form) ? 94 * 94 : Infinity;
  const entries = [...indexes[index].entries()].filter(([p, cp]) => cp !== null && p < limit);
  const bytes = bytesOf[form] ?? ((p) => [0x80 + p]);
  const got = decodeAll(programs.native, entries.map(([p]) => [label, bytes(p)]));
  const wrong = entries.filter(([p, cp], i) => got[i].text !== String.fromCodePoint(cp) && !(index === "gb18030" && moved.has(p)));
  ok(wrong.length === 0, `index ${index}: ${entries.length} entries as ${label}`,
    wrong.slice(0, 30).map(([p, cp]) => `pointer ${p} is U+${cp.toString(16)}`).join("\n"));
}

done();
