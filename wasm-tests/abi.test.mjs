// adit-core.wasm exports what edge/abi.h lists, and nothing else.
import fs from "node:fs";
import { FUNCTIONS } from "../edge/worker/abi.mjs";
import { same, done } from "./tap.mjs";

const module = new WebAssembly.Module(fs.readFileSync("build/adit-core.wasm"));
const names = (kind) => WebAssembly.Module.exports(module).filter((e) => e.kind === kind).map((e) => e.name).sort();
same(names("function"), ["_initialize", ...FUNCTIONS].sort(), "the functions that are exported");
same(names("memory"), ["memory"], "and the memory");
same(WebAssembly.Module.imports(module), [], "nothing is imported");
done();
