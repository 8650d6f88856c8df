// Runs a WASI command: node run-wasi.mjs FILE.wasm [args…]. The working folder is preopened as ".",
// and, when they exist, the system's Unicode data and the folder of the corpora.
import fs from "node:fs";
import path from "node:path";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const preopens = { ".": process.cwd() };
const corpus = process.env.ADIT_CORPUS ?? "../shared/corpus";
for (const dir of [corpus, "/usr/share/unicode"]) if (fs.existsSync(dir)) preopens[dir] = path.resolve(dir);
const wasi = new WASI({ version: "preview1", args: [file, ...args], env: process.env, preopens, returnOnExit: true });
const module = await WebAssembly.compile(fs.readFileSync(file));
const imports = wasi.getImportObject?.() ?? { wasi_snapshot_preview1: wasi.wasiImport }; // Node 18 has only the latter
const instance = await WebAssembly.instantiate(module, imports);
process.exitCode = wasi.start(instance);
