// The program for Fastly Compute, in our host, in front of an origin, through the suite that all hosts share: an instance
// a request, and instances that serve several. (Requests that share a fetch: fastly-cache.test.mjs.)
import fs from "node:fs";
import { Fastly, httpBackend, listen } from "./fastly-host.mjs";
import { config, startOrigin, suite } from "./http-suite.mjs";
import { ok, same, done } from "./tap.mjs";

const origin = await startOrigin();
const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_FASTLY ?? "build/adit-fastly.wasm"));
for (const reuse of [false, true]) {
  const host = new Fastly(module, { reuse, backends: { origin: httpBackend(origin) }, stores: { adit: { "adit.json": JSON.stringify(config) } } });
  const server = await listen(host);
  await suite({ base: `http://127.0.0.1:${server.address().port}`, origin, features: { viewless: false, coalesce: false } });
  same([host.faults, host.traps], [[], []], `reuse ${reuse}: no illegal call, no trap`);
  ok(host.logs.every((l) => l.endpoint === "adit" && l.message[0] === "{"), `reuse ${reuse}: nothing in the log but lines of machine views`, JSON.stringify(host.logs.find((l) => l.message[0] !== "{")));
  server.closeAllConnections();
  server.close();
  await host.close();
}
origin.close();
done();
