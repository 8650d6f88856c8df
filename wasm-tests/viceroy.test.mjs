// The program for Fastly Compute in Viceroy, Fastly's own host for one machine: VICEROY=/path/to/viceroy make
// test-fastly. The suite that all hosts share runs against it, in front of an origin on the loopback. Without VICEROY
// one line says so.
//
// VICEROY=wasm-tests/viceroy-stand-in.mjs is our own host behind the same command line: it shows that this test can pass
// and fail, not that Viceroy does.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { config, startOrigin, suite } from "./http-suite.mjs";
import { answers, freePort, temporary } from "./lent.mjs";
import { ok, skip, done } from "./tap.mjs";

const { VICEROY } = process.env;

async function run() {
  const dir = temporary("viceroy"), manifest = path.join(dir, "fastly.toml"), origin = await startOrigin(), port = await freePort();
  fs.writeFileSync(manifest, `manifest_version = 3\nname = "adit"\nlanguage = "other"\n\n[local_server.backends.origin]\nurl = "${origin.url}"\n\n` +
    `[local_server.config_stores.adit]\nformat = "inline-toml"\n\n[local_server.config_stores.adit.contents]\n"adit.json" = '${JSON.stringify(config)}'\n`);
  const child = spawn(VICEROY, ["-C", manifest, "--addr", `127.0.0.1:${port}`, path.resolve(process.env.ADIT_FASTLY ?? "build/adit-fastly.wasm")], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const s of [child.stdout, child.stderr]) s.on("data", (d) => (log += d));
  child.on("error", (e) => (log += e.message, (child.exitCode ??= 1)));
  for (let i = 0; i < 600 && child.exitCode === null && !(await answers(port)); i++) await new Promise((r) => setTimeout(r, 100));
  if (ok(child.exitCode === null, "Viceroy starts", log)) {
    await suite({ base: `http://127.0.0.1:${port}`, origin, features: { viewless: false, coalesce: false } });
    ok(child.exitCode === null, "Viceroy is still there", log.slice(-3000));
  }
  child.kill();
  origin.close();
}

if (!VICEROY) skip("the program in Viceroy", "none is named: VICEROY=/path/to/viceroy make test-fastly");
else await run();
done();
