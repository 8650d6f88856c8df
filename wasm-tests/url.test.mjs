// The URL parser, natively and in WASM, against data and a parser that are not ours: the Web Platform
// Tests' urltestdata.json (as Debian ships it), and Node's own URL class on generated inputs.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { done, ok, same, skip } from "./tap.mjs";

const file = "build/url-cases.txt";
const programs = { native: ["build/asan/tests/text-url"], WASM: ["node", "--no-warnings", "wasm-tests/run-wasi.mjs", "build/wasm/tests/text-url.wasm"] };
const shield = (s) => [...Buffer.from(s, "utf8")].map((b) => (b > 0x20 && b < 0x7f && b !== 0x25 ? String.fromCharCode(b) : "%" + b.toString(16).padStart(2, "0"))).join("");

function answers(cases, program) {
  fs.writeFileSync(file, cases.map((c) => shield(c.input) + "\t" + (c.base == null ? "-" : shield(c.base)) + "\n").join(""));
  const run = spawnSync(program[0], program.slice(1), { env: { ...process.env, ADIT_URL_CASES: file }, maxBuffer: 1 << 26 });
  if (run.status !== 0) return null;
  return run.stdout.toString("utf8").split("\n").slice(0, -1);
}

const row = (u) => [u.href, u.protocol.slice(0, -1), u.username, u.password, u.hostname, u.port, u.pathname, u.search.slice(1), u.hash.slice(1)].join("\t");
function check(cases, what) {
  for (const [name, program] of Object.entries(programs)) {
    const got = answers(cases, program);
    if (!ok(got && got.length === cases.length, `${what}, ${name}: an answer to each`)) continue;
    const wrong = cases.filter((c, i) => got[i] !== c.want).length;
    const shown = cases.map((c, i) => (got[i] === c.want ? "" : `${JSON.stringify(c.input)} base ${JSON.stringify(c.base)}\n  got  ${got[i]}\n  want ${c.want}`)).filter(Boolean);
    ok(wrong === 0, `${what}, ${name}: ${cases.length} cases`, `${wrong} differ`, shown.slice(0, 40).join("\n"));
  }
}

// --- the Web Platform Tests ----------------------------------------------------------------------------

const registry = "/usr/share/cargo/registry";
const crate = fs.existsSync(registry) && fs.readdirSync(registry).filter((d) => /^url-\d/.test(d)).sort().pop();
const data = crate && `${registry}/${crate}/tests/urltestdata.json`;
if (data && fs.existsSync(data)) {
  const cases = JSON.parse(fs.readFileSync(data, "utf8")).filter((c) => typeof c === "object")
    // A lone surrogate cannot be written in UTF-8.
    .filter((c) => !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(c.input))
    .map((c) => ({ input: c.input, base: c.base, want: c.failure ? "failure" : row(c) }));
  check(cases, "Web Platform Tests");
} else skip("Web Platform Tests", "no urltestdata.json");

// --- Node's URL on inputs made from pieces ------------------------------------------------------------------

let seed = 42;
const random = (n) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8) % n;
const pick = (list) => list[random(list.length)];
const schemes = ["http:", "https:", "HTTP:", "ws:", "ftp:", "file:", "x:", "mailto:", "", "", "", "h ttp:"];
const slashes = ["//", "//", "//", "/", "", "///", "\\\\", "/\\"];
const hosts = ["example.com", "EXAMPLE.com", "a.b.c", "1.2.3.4", "0x10.1", "256.256.256.256", "[::1]", "[1:2:3:4:5:6:7:8]", "[1::8]", "[::ffff:1.2.3.4]", "bücher.de", "日本語.jp", "münchen.example", "a_b", "a b", "x%41", "", "user@h", "u:p@h", "@h", "h:80", "h:8080", "h:", "h:x", "C:", "C|", "localhost", "a..b", ".", "1.", "xn--bcher-kva.de"];
const paths = ["", "/", "/a/b", "/a/../b", "/./a/.", "/a/%2e%2e/b", "a/b", "../x", "./", "/C:/x", "/C|/x", "//x", "/a//b", "/é", "/a b", "/a|b", "/a{b}", "/%zz", "/\"", "/a\\b", "/..", "..", ".", "/a;b=c", "/%41"];
const queries = ["", "", "?", "?a=b", "?a b", "?'", "?é", "?a#", "?<>\"", "?a?b", "?%zz", "?{|}`"];
const fragments = ["", "", "#", "#f", "#a b", "#é`<>", "#a#b"];
const bases = [null, null, "http://base.example/p/q?r#s", "https://u:p@base.example:8443/", "file:///C:/d/e", "file://server/share/x", "x:/a/b", "x://h/a/b?q", "mailto:a@b", "http://base.example", "x:/a//b"];
const cases = [];
while (cases.length < 20000) {
  const input = pick(schemes) + pick(slashes) + pick(hosts) + pick(paths) + pick(queries) + pick(fragments);
  const base = pick(bases);
  // Where Node 20 errs (the standard's own tests say so): bases without segments, ".." at the end.
  if (base?.startsWith("mailto:") || /\/\.\.([?#]|$)/.test(input)) continue;
  let want = "failure";
  try { want = row(base === null ? new URL(input) : new URL(input, base)); } catch { /* as it should */ }
  cases.push({ input, base, want });
}
check(cases, "Node's URL");

// --- both trees agree on anything ---------------------------------------------------------------------------

const alphabet = ["h", "t", "p", ":", "/", "\\", "?", "#", "@", "[", "]", ".", "%", "2", "e", " ", "|", "ß", "\u200d", "。", "\ufffd", "a", "0", "x"];
const noise = Array.from({ length: 5000 }, () => ({ input: Array.from({ length: random(24) }, () => pick(alphabet)).join(""), base: pick(bases) }));
same(answers(noise, programs.native)?.join("\n"), answers(noise, programs.WASM)?.join("\n"), "noise: the same natively and in WASM");
fs.rmSync(file, { force: true });
done();
