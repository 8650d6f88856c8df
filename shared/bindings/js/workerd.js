// adit in Cloudflare Workers, which compile modules when they are deployed and not later.
import { bind } from "./core.js";
import module from "./libadit.wasm";

export { AditError } from "./core.js";
export const { convert, fingerprint, check, version, rulesVersion } = bind(module);
