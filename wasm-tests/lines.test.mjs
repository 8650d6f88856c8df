// `adit page --lines` in WASI: the same bytes as natively, on the cases and on lines that are wrong.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { same, ok, done } from "./tap.mjs";

const cases = fs.readdirSync("shared/convert/cases/content").filter((n) => n.endsWith(".html")).sort();
const lines = cases.map((n, i) => {
  const bytes = fs.readFileSync(`shared/convert/cases/content/${n}`);
  const page = i % 2 ? { html_base64: bytes.toString("base64") } : { html: bytes.toString("utf8") };
  return JSON.stringify({ url: `https://example.com/${n}`, ...page, headers: { "Content-Language": "en" } });
});
lines.splice(3, 0, "{", "", '{"url":1}', JSON.stringify({ url: "https://example.com/x", html_base64: "JVBERi0xLjQ=" }));
const input = lines.join("\n");
const options = { input: Buffer.from(input), maxBuffer: 1 << 28 };
for (const format of ["scp", "tct", "md"]) {
  const args = ["page", "--lines", "--date", "2026-01-01", "--format", format];
  const native = spawnSync(process.env.ADIT_RELEASE ?? "build/adit", args, options);
  const wasi = spawnSync("node", ["--no-warnings", "wasm-tests/run-wasi.mjs", "build/adit-cli.wasm", ...args], options);
  ok(native.status === 0 && wasi.status === 0, `${format}: both end well`, native.stderr, wasi.stderr);
  same(native.stdout.toString().trim().split("\n").length, lines.length, `${format}: a line each`);
  same(wasi.stdout, native.stdout, `${format}: the same bytes`);
}
done();
