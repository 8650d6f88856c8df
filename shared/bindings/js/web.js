// adit in browsers and Deno: the module is fetched from beside this one.
import { bind } from "./core.js";

// A server that sends WASM under another type, or a file: URL, cannot be compiled while it comes.
async function load(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
  const streams = WebAssembly.compileStreaming && answer.headers.get("content-type")?.startsWith("application/wasm");
  return streams ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

export { AditError } from "./core.js";
export const { convert, fingerprint, check, version, rulesVersion } = bind(await load(new URL("./libadit.wasm", import.meta.url)));
