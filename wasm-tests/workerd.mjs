// Runs the Worker in workerd, Cloudflare's own runtime, in front of an origin: startWorker(originPort, config).
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { answers, freePort, temporary } from "./lent.mjs";

export const workerd = "wasm-tests/node_modules/@cloudflare/workerd-linux-64/bin/workerd";

// The service behind the Cache API: PUT stores an HTTP message, GET gives it back.
function startCache() {
  const kept = new Map();
  const server = http.createServer(async (q, r) => {
    const parts = [];
    for await (const c of q) parts.push(c);
    const key = q.headers.host + q.url;
    if (q.method === "PUT") {
      const message = Buffer.concat(parts), end = message.indexOf("\r\n\r\n");
      kept.set(key, message.subarray(end + 4));
      return r.writeHead(204).end();
    }
    if (q.method === "GET" && kept.has(key)) return r.writeHead(200, { "cf-cache-status": "HIT", "content-type": "application/octet-stream" }).end(kept.get(key));
    r.writeHead(504, { "cf-cache-status": "MISS" }).end();
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done({ server, kept, port: server.address().port })));
}

// A port that is free now may be another's a moment later: then try again.
export async function startWorker(...args) {
  for (let tries = 4; ; tries--) {
    const state = await startOnce(...args);
    if (state.alive() || !tries) return state;
    await state.stop();
  }
}

async function startOnce(originPort, config, worker = "edge/worker/worker.js") {
  const folder = temporary("workerd"), cache = await startCache(), port = await freePort();
  fs.copyFileSync(worker, path.join(folder, "worker.js"));
  fs.copyFileSync("edge/worker/abi.mjs", path.join(folder, "abi.mjs"));
  fs.copyFileSync("build/adit-core.wasm", path.join(folder, "core.wasm"));
  fs.writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
  fs.writeFileSync(path.join(folder, "config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .adit), (name = "origin", external = (address = "127.0.0.1:${originPort}", http = ())),
    (name = "cache", external = (address = "127.0.0.1:${cache.port}", http = ())) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ] );
const adit :Workerd.Worker = (
  modules = [ (name = "edge/worker/worker.js", esModule = embed "worker.js"), (name = "edge/worker/abi.mjs", esModule = embed "abi.mjs"),
    (name = "build/adit-core.wasm", wasm = embed "core.wasm") ],
  bindings = [ (name = "ADIT_CONFIG", text = embed "config.json") ],
  compatibilityDate = "2025-01-01", globalOutbound = "origin", cacheApiOutbound = "cache" );
`);
  const child = spawn(workerd, ["serve", path.join(folder, "config.capnp")], { stdio: ["ignore", "inherit", "pipe"] });
  const state = { base: `http://127.0.0.1:${port}`, port, pid: child.pid, err: "", memory: cache.kept };
  child.stderr.on("data", (d) => (state.err += d));
  let gone = false;
  const ended = new Promise((end) => child.on("exit", (code) => { gone = true; end(code); }));
  state.alive = () => !gone;
  for (let i = 0; i < 400 && !gone && !(await answers(port)); i++) await new Promise((r) => setTimeout(r, 50));
  state.stop = async () => {
    child.kill();
    await ended;
    cache.server.closeAllConnections();
    cache.server.close();
  };
  return state;
}
