// adit-core.wasm for tests and benchmarks: bytes in and out, header fields as the module has them.
import fs from "node:fs";
import { ACTION, GET } from "../edge/worker/abi.mjs";

export { ACTION, GET };
export const fields = (pairs) => Buffer.from(pairs.flatMap(([k, v]) => [k, "\0", v, "\0"]).join(""), "latin1");

export class Core {
  constructor(config) {
    this.x = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync("build/adit-core.wasm")), {}).exports;
    this.x._initialize();
    if (!this.given(Buffer.from(JSON.stringify(config)), (p, n) => this.x.adit_configure(p, n))) throw new Error("configuration");
  }
  put(bytes) {
    const p = this.x.adit_alloc(bytes.length);
    new Uint8Array(this.x.memory.buffer).set(bytes, p);
    return p;
  }
  given(bytes, use) {
    const p = this.put(bytes);
    try { return use(p, bytes.length); } finally { this.x.adit_free(p); }
  }
  get(h, what) {
    const p = this.x.adit_get(h, what);
    return new Uint8Array(this.x.memory.buffer).slice(p, p + this.x.adit_len());
  }
  // Header fields as pairs.
  fields(h, what) {
    const list = Buffer.from(this.get(h, what)).toString("latin1").split("\0");
    return Array.from({ length: list.length >> 1 }, (_, i) => [list[2 * i], list[2 * i + 1]]);
  }
  request(h, authority, path) {
    return this.given(fields([[":method", "GET"], [":authority", authority], [":path", path], [":scheme", "https"]]), (p, n) => this.x.adit_request(h, p, n, 1794873600));
  }
  // An exchange whose page is to be given its link; 0 if it is not to be touched.
  page(contentType) {
    const h = this.x.adit_open(), type = fields([["content-type", contentType]]);
    if (this.request(h, "example.com", "/post/") === ACTION.PASS && this.given(type, (p, n) => this.x.adit_response(h, 200, p, n))) return h;
    this.x.adit_close(h);
    return 0;
  }
}
