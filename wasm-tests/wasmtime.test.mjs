// The filter's module in Wasmtime: it loads, with stubs for the ABI's imports and nothing else, and starts.
// The runtime is the one that npm's wizer embeds; a module that Wasmtime refuses, or that traps when it starts, fails here.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const wizer = "wasm-tests/node_modules/@bytecodealliance/wizer-linux-x64/wizer";
const file = "build/adit-edge.wasm";
// Every function of the ABI 0.2.1 that a module may import, by its parameters: i = i32, l = i64.
const ABI = { log: "iii", get_log_level: "i", get_current_time_nanoseconds: "i", set_tick_period_milliseconds: "i", get_buffer_bytes: "iiiii",
  set_buffer_bytes: "iiiii", get_buffer_status: "iii", get_header_map_size: "ii", get_header_map_pairs: "iii", set_header_map_pairs: "iii",
  get_header_map_value: "iiiii", add_header_map_value: "iiiii", replace_header_map_value: "iiiii", remove_header_map_value: "iii",
  get_property: "iiii", set_property: "iiii", send_local_response: "iiiiiiii", continue_stream: "i", close_stream: "i", get_shared_data: "iiiii",
  set_shared_data: "iiiii", define_metric: "iiii", increment_metric: "il", record_metric: "il", get_metric: "ii", http_call: "iiiiiiiiii",
  done: "", set_effective_context: "i", call_foreign_function: "iiiiii" };

const leb = (n) => { const out = []; do { out.push((n & 127) | (n > 127 ? 128 : 0)); n >>= 7; } while (n); return out; };
const vec = (items) => [...leb(items.length), ...items.flat()];
const section = (id, body) => [id, ...leb(body.length), ...body];
const name = (s) => vec([...Buffer.from(s)]);

// A module that exports those functions; each says "unimplemented" (12).
function stubs() {
  const all = Object.entries(ABI);
  return Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, vec(all.map(([, p]) => [0x60, ...vec([...p].map((c) => (c === "l" ? 0x7e : 0x7f))), 1, 0x7f]))),
    ...section(3, vec(all.map((_, i) => leb(i)))),
    ...section(7, vec(all.map(([n], i) => [...name("proxy_" + n), 0, ...leb(i)]))),
    ...section(10, vec(all.map(() => [4, 0, 0x41, 12, 0x0b])))]);
}

const imports = WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync(file)));
same(imports.filter((i) => i.module !== "env" || i.kind !== "function" || !(i.name.replace(/^proxy_/, "") in ABI)), [], "every import is a function of the ABI");
if (!fs.existsSync(wizer)) {
  skip("the module in Wasmtime", "no Wasmtime for this machine");
} else {
  const folder = temporary("wasmtime");
  fs.writeFileSync(path.join(folder, "env.wasm"), stubs());
  new WebAssembly.Module(stubs());
  const run = (start) => spawnSync(wizer, ["--preload", `env=${path.join(folder, "env.wasm")}`, "-f", start, "-o", path.join(folder, "out.wasm"), file], { encoding: "utf8" });
  const r = run("_initialize");
  ok(r.status === 0, "it loads and _initialize runs", r.stdout + r.stderr);
  ok(run("no_such_export").status !== 0, "a start that cannot be is told");
}
done();
