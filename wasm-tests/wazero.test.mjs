// A further WASM engine, by others and with a compiler of its own: wazero. The unit tests that are built
// for WASI, and the command over every third case of the conversion, whose bytes must be those of native code.
// WAZERO=/path/to/wazero names one; `make wazero` puts Debian's into build/wazero, where it can be had.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const wazero = [process.env.WAZERO, "build/wazero/wazero"].find((f) => f && fs.existsSync(f));
if (!wazero) {
  skip("the WASI programs in wazero", "no wazero: WAZERO=/path/to/wazero, or make wazero");
} else {
  const cache = temporary("wazero");
  const run = (...args) => spawnSync(wazero, ["run", `-cachedir=${cache}`, "-mount=.:/", ...args], { maxBuffer: 1 << 26, timeout: 300000 });
  // Programs whose tests stand in the sources; those that take long are left to the other engines.
  const LONG = /^(convert-limits|exchange-denied|convert-convert)$/;
  const sources = (name) => `shared/${name.split("-")[0]}/tests/${name.slice(name.indexOf("-") + 1)}.c`;
  const names = fs.readdirSync("build/wasm/tests").filter((f) => f.endsWith(".wasm")).map((f) => f.slice(0, -5)).filter((n) => fs.existsSync(sources(n)) && !LONG.test(n)).sort();
  for (const name of names) {
    const r = run(`build/wasm/tests/${name}.wasm`), lines = r.stdout.toString().split("\n"), plan = lines.find((l) => l.startsWith("1.."));
    ok(r.status === 0 && plan && !lines.some((l) => l.startsWith("not ok")), `${name}: ${plan}`, ...lines.filter((l) => /^not ok|^#/.test(l)).slice(0, 10), r.stderr.toString().slice(0, 1000));
  }
  const cases = fs.readdirSync("shared/convert/cases", { recursive: true }).filter((f) => f.endsWith(".html")).sort().filter((_, i) => i % 3 === 0), wrong = [];
  for (const file of cases) {
    const args = ["page", path.join("shared/convert/cases", file), "--url", "https://example.com/", "--format", "tct"];
    const native = spawnSync(process.env.ADIT_RELEASE ?? "build/adit", args, { maxBuffer: 1 << 26 }), wasm = run("build/adit-cli.wasm", ...args);
    if (native.status !== wasm.status || !native.stdout.equals(wasm.stdout)) wrong.push(`${file}: status ${wasm.status}, ${wasm.stdout.length} bytes; native ${native.status}, ${native.stdout.length}: ${wasm.stderr}`);
  }
  ok(cases.length > 20 && wrong.length === 0, `${cases.length} cases: the bytes of native code`, ...wrong.slice(0, 10));
  same(run("build/adit-cli.wasm", "page", "/etc/passwd", "--url", "https://example.com/").status, 1, "a file outside of the mounted folder is not there");
}
done();
