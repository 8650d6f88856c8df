// adit in Node.js and Bun: the module is a file beside this one.
import { readFileSync } from "node:fs";
import { bind } from "./core.js";

export { AditError } from "./core.js";
export const { convert, fingerprint, check, version, rulesVersion } = bind(new WebAssembly.Module(readFileSync(new URL("./libadit.wasm", import.meta.url))));
