// The injection exports of adit-core.wasm, over the cases of shared/http/cases/inject.
import fs from "node:fs";
import { ok, same, done } from "./tap.mjs";

const dir = "shared/http/cases/inject/";
const read = (name) => (fs.existsSync(dir + name) ? new Uint8Array(fs.readFileSync(dir + name)) : new Uint8Array());
const { instance } = await WebAssembly.instantiate(fs.readFileSync("build/adit-core.wasm"));
const core = instance.exports;
core._initialize?.();

function put(bytes) {
  const at = core.adit_alloc(bytes.length || 1);
  new Uint8Array(core.memory.buffer).set(bytes, at);
  return at;
}

function inject(page, charset, step) {
  const href = new TextEncoder().encode("https://example.com/post/llm/");
  const stream = core.adit_inject_new(put(href), href.length, put(charset), charset.length);
  const parts = [];
  const take = () => {
    const at = core.adit_inject_out(stream);
    parts.push(new Uint8Array(core.memory.buffer).slice(at, at + core.adit_inject_out_len(stream)));
  };
  for (let i = 0; i < page.length; i += step) {
    const chunk = page.subarray(i, i + step);
    const at = put(chunk);
    const send = core.adit_inject_write(stream, at, chunk.length);
    core.adit_free(at);
    if (send !== 0) take();
    if (send !== 1) parts.push(chunk);
  }
  core.adit_inject_end(stream);
  take();
  const inserted = core.adit_inject_inserted(stream) !== 0;
  core.adit_inject_free(stream);
  return { inserted, bytes: new Uint8Array(Buffer.concat(parts)) };
}

const names = fs.readdirSync(dir).filter((f) => f.endsWith(".in")).map((f) => f.slice(0, -3));
ok(names.length > 100, `${names.length} cases`);
for (const name of names) {
  const page = read(`${name}.in`), want = read(`${name}.out`), charset = read(`${name}.charset`);
  for (const step of [page.length || 1, 7]) {
    const got = inject(page, charset, step);
    same(got.bytes, want, `${name}, in portions of ${step}`);
    if (got.inserted !== (want.length !== page.length)) ok(false, `${name}: says wrongly whether it inserted`);
  }
}
done();
