#!/usr/bin/env node
// Takes the place of Envoy in envoy.test.mjs: our own host behind a configuration that Envoy would read.
// It knows what that test writes and nothing else. Usage: envoy-stand-in.mjs -c FILE …
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";
import { Host } from "./host.mjs";
import { forward, serve } from "./host-http.mjs";

const config = JSON.parse(fs.readFileSync(process.argv[process.argv.indexOf("-c") + 1], "utf8")).static_resources;
const where = ({ pipe, socket_address: s }) => (pipe ? { path: pipe.path } : { host: s.address, port: s.port_value });

// Over HTTP/2 with prior knowledge, as Envoy speaks to such a cluster.
function forward2(to, { headers, body = [] }) {
  return new Promise((resolve, reject) => {
    const session = http2.connect("http://localhost", { createConnection: () => net.connect(to) });
    session.on("error", reject);
    const fields = {};
    for (const [k, v] of headers) if (![":scheme"].includes(k)) fields[k] = k in fields ? [fields[k], v].flat() : v;
    const req = session.request(fields), parts = [];
    let out;
    req.on("response", (h, flags, raw) => (out = raw.reduce((all, v, i) => (i % 2 ? (all.at(-1).push(String(v)), all) : [...all, [v]]), [])));
    req.on("data", (d) => parts.push(d));
    req.on("end", () => { session.close(); resolve({ headers: out, body: parts }); });
    req.on("error", reject);
    for (const c of [body].flat()) if (c.length) req.write(c);
    req.end();
  });
}
const clusters = Object.fromEntries(config.clusters.map((c) => {
  const to = where(c.load_assignment.endpoints[0].lb_endpoints[0].endpoint.address);
  const h2 = !!c.typed_extension_protocol_options;
  return [c.name, (q) => (h2 ? forward2(to, q) : forward(to.path ? { socketPath: to.path } : to, q))];
}));

const plugins = config.listeners.map((l) => {
  const hcm = l.filter_chains[0].filters[0].typed_config, wasm = hcm.http_filters[0].typed_config.config;
  return { l, wasm, held: !!wasm.allow_on_headers_stop_iteration, upstream: hcm.route_config.virtual_hosts[0].routes[0].route.cluster };
});
const module = new WebAssembly.Module(fs.readFileSync(plugins[0].wasm.vm_config.code.local.filename));
// As in Envoy, all configurations are root contexts of one VM; here one a way of holding headers.
const hosts = new Map();
for (const { l, wasm, held, upstream } of plugins) {
  const text = wasm.configuration.value, host = hosts.get(held) ?? new Host(module, { config: text, clusters, heldHeaders: held, bufferLimit: 16 << 20 });
  const root = hosts.has(held) ? host.addRoot(text) : host.start() && host.root;
  hosts.set(held, host);
  if (!root) { console.error(host.logs); process.exit(1); }
  const to = where(l.address), server = http.createServer(serve(host, clusters[upstream], root));
  if (to.path) server.listen(to.path); else server.listen(to.port, to.host);
}
