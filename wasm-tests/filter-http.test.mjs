// The proxy-wasm filter as an HTTP proxy in front of an origin, through the suite that all hosts share.
import fs from "node:fs";
import { Host } from "./host.mjs";
import { forward, listen } from "./host-http.mjs";
import { config, startOrigin, suite } from "./http-suite.mjs";
import { ok, same, done } from "./tap.mjs";

const origin = await startOrigin();
const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_EDGE ?? "build/adit-edge.wasm"));
for (const mode of ["subrequest", "inline"]) {
  const host = Host.load(module, { config: JSON.stringify({ ...config, mode }), heldHeaders: true, bufferLimit: 16 << 20, clusters: { origin: (q) => forward(origin, q) } });
  ok(!host.refused, `${mode}: the configuration is taken`, JSON.stringify(host.logs));
  const server = await listen(host, origin);
  await suite({ base: `http://127.0.0.1:${server.address().port}`, origin, features: { cut: mode !== "inline", timeout: mode !== "inline" } });
  same(host.faults, [], `${mode}: no illegal call`);
  server.closeAllConnections();
  server.close();
}
origin.close();
done();
