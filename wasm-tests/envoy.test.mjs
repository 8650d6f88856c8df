// The filter in a real Envoy: ENVOY=/path/to/envoy make test-envoy. The configuration is written here
// (a listener for each configuration of the transcripts, all in one VM, on Unix sockets; nothing listens
// on the network but for one port of the loopback), and every transcript that can be spoken over HTTP is
// spoken: both modes, the origin over HTTP/1 and HTTP/2. Then the suite that all hosts share, and what
// becomes of calls that fail. Without ENVOY one line says so.
//
// ENVOY=wasm-tests/envoy-stand-in.mjs is our own host behind the same configuration: it shows that this
// test can pass and fail, not that Envoy does.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";
import path from "node:path";
import { config as suiteConfig, startOrigin, suite } from "./http-suite.mjs";
import { freePort, temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";
import { sent, table } from "./transcripts.mjs";

const ENVOY = process.env.ENVOY;
const dir = temporary("envoy");
const at = (name) => path.join(dir, name);
const type = (name) => `type.googleapis.com/envoy.${name}`;
const pipe = (name) => ({ pipe: { path: at(name) } });

// --- Envoy's configuration --------------------------------------------------------------------------------

const cluster = (name, address, h2) => ({
  name, type: "STATIC", connect_timeout: "1s", load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] },
  ...(h2 ? { typed_extension_protocol_options: { "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": { "@type": type("extensions.upstreams.http.v3.HttpProtocolOptions"), explicit_http_config: { http2_protocol_options: {} } } } } : {}),
});
const listener = (name, address, adit, to, mode) => ({
  name, address,
  filter_chains: [{ filters: [{ name: "envoy.filters.network.http_connection_manager", typed_config: {
    "@type": type("extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"), stat_prefix: "web",
    route_config: { virtual_hosts: [{ name: "site", domains: ["*"], routes: [{ match: { prefix: "/" }, route: { cluster: to, timeout: "10s" } }] }] },
    http_filters: [
      { name: "envoy.filters.http.wasm", typed_config: { "@type": type("extensions.filters.http.wasm.v3.Wasm"), config: {
        name: "adit", ...(mode === "inline" ? { allow_on_headers_stop_iteration: true } : {}),
        configuration: { "@type": "type.googleapis.com/google.protobuf.StringValue", value: adit },
        vm_config: { vm_id: "adit-test", runtime: "envoy.wasm.runtime.v8", code: { local: { filename: path.resolve(process.env.ADIT_EDGE ?? "build/adit-edge.wasm") } } } } } },
      { name: "envoy.filters.http.router", typed_config: { "@type": type("extensions.filters.http.router.v3.Router") } }] } }] }],
});

// Rows that follow each other share a listener; each gets a configuration text of its own, and so a
// validator memory of its own.
function groups(mode, to) {
  const out = [];
  for (const [file, rows] of table()) for (const row of rows) {
    if (!row.goesOn || !out.length) {
      const text = JSON.stringify({ ...row.config, mode, upstream: { ...row.config.upstream, cluster: to } });
      out.push({ file, rows: [], socket: `${to}-${mode}-${out.length}`, config: text + " ".repeat(1 + out.length) });
    }
    out.at(-1).rows.push(row);
  }
  return out;
}

// --- rows over HTTP -----------------------------------------------------------------------------------------

// The origin, over HTTP/1 and HTTP/2: it answers what the row under way says.
let turn = null;
function origin(req, res) {
  turn.asked.push({ method: req.method, path: req.url, headers: req.headers });
  const reply = turn.replies.shift() ?? { status: "500", fields: ["content-type: text/plain"], body: "asked too often" };
  const pairs = reply.fields.map((f) => [f.slice(0, f.indexOf(":")), f.slice(f.indexOf(":") + 1).trim()]);
  const body = Buffer.from(turn.replies.length === 0 && turn.passes ? sent(turn.row, reply) : reply.body, "latin1");
  res.sendDate = false;
  for (const [k] of pairs) res.setHeader(k, pairs.filter(([n]) => n === k).map(([, v]) => v));
  res.statusCode = Number(reply.status);
  res.end(body);
}

// Why a row cannot be spoken over HTTP; "" if it can.
function unspeakable(row) {
  const [request, ...replies] = row.steps, length = (s) => s.fields.find((f) => /^content-length:/i.test(f))?.split(":")[1].trim();
  if (replies.some((r) => r.status.startsWith("fail"))) return "a call that fails";
  if (replies.some((r) => Number(r.status) < 200 || Number(r.status) > 599)) return "a status that HTTP libraries refuse";
  if (replies.some((r) => r.fields.filter((f) => /^content-length:/i.test(f)).length > 1)) return "a length that is said twice";
  if (replies.some((r) => length(r) !== undefined && length(r) !== String(r.body.length))) return "a length that is wrong";
  if (row.steps.some((s) => s.fields.some((f) => /[^\x20-\x7e\x80-\xff]/.test(f)))) return "a field that HTTP libraries refuse";
  if (/^(CONNECT|TRACE)$/.test(request.method) || !request.target.startsWith("/") || /[^\x21-\x7e]/.test(request.target)) return "a target that HTTP libraries refuse";
  if (request.fields.some((f) => /^(connection|transfer-encoding|content-length|upgrade|te):/i.test(f)) || row.steps.some((s) => s.fields.length > 90)) return "fields that Envoy keeps for itself";
  const ends = row.want.some((l) => /^(answer|response|pass untouched)\b/.test(l));
  if (!ends) return "a client that goes away";
  return "";
}

function ask(socketPath, row, masks) {
  const s = row.steps[0], fields = s.fields.map((f) => [f.slice(0, f.indexOf(":")), f.slice(f.indexOf(":") + 1).trim().replaceAll("$ETAG", masks.etag ?? '"none"')]);
  if (!fields.some(([k]) => k.toLowerCase() === "host")) fields.push(["host", "example.com"]);
  if (!fields.some(([k]) => k.toLowerCase() === "x-forwarded-proto")) fields.push(["x-forwarded-proto", "https"]); // else Envoy says http
  return new Promise((resolve, reject) => {
    const req = http.request({ socketPath, method: s.method, path: s.target, headers: fields.flat(), agent: false }, async (res) => {
      const parts = [];
      for await (const c of res) parts.push(c);
      resolve({ status: String(res.statusCode), headers: res.rawHeaders.reduce((all, v, i) => (i % 2 ? (all.at(-1).push(v), all) : [...all, [v.toLowerCase()]]), []), body: Buffer.concat(parts).toString("latin1") });
    });
    req.setTimeout(15000, () => req.destroy(new Error("no answer in 15 s")));
    req.on("error", reject);
    req.end();
  });
}

// Fields that Envoy has of its own, or that say how bytes are framed.
const FRAMING = new Set(["content-length", "date", "server", "transfer-encoding", "connection"]);
// What is signed depends on the instant, and a real host has its own clock: compared are the parts and the parameters.
const timeless = (name, value) => (/^signature(-input)?$/.test(name) ? value.replace(/created=\d+/, "created=T").replace(/=:[\w+/]+=*:/, "=:S:") : value);
function lacks(want, r) {
  const fits = (value, got) => (value === "$ETAG" ? /^"sha256-[0-9a-f]{64}"$/.test(got) : value === "$DIGEST" ? /^sha-256=:.{44}:$/.test(got) : value === "T" ? /^\d+$/.test(got) : value.endsWith("/N") ? got.startsWith(value.slice(0, -1)) : value === got);
  return want.filter(([name, value]) => !FRAMING.has(name) && !r.headers.some(([k, v]) => k === name && fits(timeless(name, value), timeless(name, v)))).map(([k, v]) => `${k}: ${v}`);
}

// What is wrong with an answer; "" if nothing. reply: the origin's last.
function judge(row, reply, r, masks) {
  const said = row.want.findIndex((l) => l.startsWith("answer "));
  if (said >= 0) {
    const status = row.want[said].split(" ")[1], lines = row.want.slice(said + 1);
    const fields = lines.filter((l) => /^ {2}[a-z0-9-]+: /.test(l)).map((l) => [l.slice(2, l.indexOf(": ")), l.slice(l.indexOf(": ") + 2)]);
    if (r.status !== status) return `status ${r.status}, not ${status}`;
    const etag = r.headers.find(([k]) => k === "etag")?.[1];
    if (status === "200" && etag?.startsWith('"sha256-')) masks.etag = etag;
    return lacks(fields, r).map((f) => `without ${f}`).join(", ");
  }
  const body = row.want.find((l) => l.startsWith("<<<")) ?? `<<<${sent(row, reply)}>>>`, responds = row.want.findIndex((l) => /^response\b/.test(l)), edits = row.want.slice(responds + 1);
  if (r.status !== reply.status) return `status ${r.status}, not ${reply.status}`;
  if (responds >= 0 && !row.want.some((l) => l.startsWith("<<<") && !l.endsWith(">>>")) && `<<<${r.body}>>>` !== body) return `another body: ${r.body.slice(0, 200)}`;
  const added = edits.filter((l) => /^ {2}(set|add) /.test(l)).map((l) => l.replace(/^ {2}(set|add) /, "")).map((l) => [l.slice(0, l.indexOf(": ")), l.slice(l.indexOf(": ") + 2)]);
  const kept = edits.filter((l) => l.startsWith("  remove ")).map((l) => l.slice(9)).filter((k) => !FRAMING.has(k) && r.headers.some(([name]) => name === k));
  return [...(responds >= 0 ? lacks(added, r).map((f) => `without ${f}`) : []), ...kept.map((k) => `with ${k}`)].join(", ");
}

async function rows(name, all) {
  const wrong = [], masks = new Map(), why = {};
  let spoken = 0;
  for (const group of all) for (const row of group.rows) {
    const reason = unspeakable(row);
    if (reason) { why[reason] = (why[reason] ?? 0) + 1; if (row.goesOn || group.rows.length > 1) break; continue; }
    if (!masks.has(group.file)) masks.set(group.file, {});
    const replies = row.steps.filter((s) => s.status);
    if (row.want.at(-1).startsWith("pass untouched")) replies.push({ status: "200", fields: ["content-type: text/html"], body: "" });
    const last = replies.at(-1);
    turn = { row, replies, asked: [], passes: row.want.some((l) => l.startsWith("pass")) };
    const bad = await ask(at(group.socket), row, masks.get(group.file)).then((r) => judge(row, last, r, masks.get(group.file)), (e) => e.message);
    if (bad) wrong.push(`${group.file}: ${row.name}: ${bad}`);
    spoken++;
  }
  ok(wrong.length === 0 && spoken > 100, `${name}: ${spoken} rows of the transcripts`, ...wrong);
  console.log(`# left out: ${JSON.stringify(why)}`);
}

// --- all of it ------------------------------------------------------------------------------------------------


async function start(file) {
  const child = spawn(ENVOY, ["-c", file, "--use-dynamic-base-id", "--concurrency", "1", "-l", "warning"], { stdio: ["ignore", "pipe", "pipe"] });
  child.log = "";
  for (const s of [child.stdout, child.stderr]) s.on("data", (d) => (child.log += d));
  child.on("error", (e) => (child.log += e.message, (child.exitCode ??= 1)));
  return child;
}
async function ready(child, port) {
  for (let i = 0; i < 600 && child.exitCode === null; i++) {
    if (await new Promise((r) => { const s = net.connect(port, "127.0.0.1", () => { s.destroy(); r(true); }); s.on("error", () => r(false)); })) return true;
    await new Promise((r) => setTimeout(r, 100));
  }
  return false;
}

if (!ENVOY) {
  skip("the filter in Envoy", "no Envoy: ENVOY=/path/to/envoy make test-envoy");
} else {
  const h1 = http.createServer(origin).listen(at("h1")), h2 = http2.createServer(origin).listen(at("h2")), mute = net.createServer(() => {}).listen(at("mute"));
  const site = await startOrigin(), sitePort = site.address?.().port ?? site.port, address = (port) => ({ socket_address: { address: "127.0.0.1", port_value: port } });
  const runs = ["subrequest", "inline"].flatMap((mode) => ["h1", "h2"].map((to) => ({ mode, to, groups: groups(mode, to) })));
  const ports = { subrequest: await freePort(), inline: await freePort() };
  const broken = { origin: "https://example.com", require_https: false, upstream: { timeout_ms: 300 } };
  const failing = (to) => listener(`fail-${to}`, pipe(`fail-${to}`), JSON.stringify({ ...broken, upstream: { ...broken.upstream, cluster: to } }), "h1", "subrequest");
  const bootstrap = {
    node: { id: "adit", cluster: "adit" },
    layered_runtime: { layers: [{ name: "limits", static_layer: { "http.async_response_buffer_limit": 9437184 } }] },
    static_resources: {
      listeners: [...runs.flatMap((r) => r.groups.map((g) => listener(g.socket, pipe(g.socket), g.config, r.to, r.mode))), ...["closed", "mute", "unknown"].map(failing),
        ...Object.entries(ports).map(([mode, port]) => listener(`suite-${mode}`, address(port), JSON.stringify({ ...suiteConfig, mode }), "origin", mode))],
      clusters: [cluster("h1", pipe("h1")), cluster("h2", pipe("h2"), true), cluster("closed", pipe("closed")), cluster("mute", pipe("mute")), cluster("origin", address(sitePort))],
    },
  };
  fs.writeFileSync(at("envoy.json"), JSON.stringify(bootstrap));
  const child = await start(at("envoy.json"));
  try {
    if (ok(await ready(child, ports.inline), "Envoy takes the configuration and listens", child.log.slice(-3000))) {
      for (const r of runs) await rows(`${r.mode}, origin over ${r.to === "h2" ? "HTTP/2" : "HTTP/1"}`, r.groups);
      const row = { steps: [{ method: "GET", target: "/post/llm/", fields: [] }] };
      turn = { row, replies: [], asked: [] };
      for (const [to, status] of [["closed", "502"], ["mute", "504"], ["unknown", "502"]]) same((await ask(at(`fail-${to}`), row, {}).catch((e) => ({ status: e.message }))).status, status, `a cluster that is ${to}: ${status}`);
      for (const mode in ports) await suite({ base: `http://127.0.0.1:${ports[mode]}`, origin: site, features: { cut: mode !== "inline", timeout: mode !== "inline" } });
      ok(child.exitCode === null, "Envoy is still there", child.log.slice(-3000));
      ok(!/\b(trap|Function: proxy_on_\w+ failed|wasm log.*critical)/i.test(child.log), "no trap in its log", child.log.slice(-3000));
    }
  } finally {
    child.kill();
    for (const s of [h1, h2, mute, site]) s.close?.();
    h1.closeAllConnections?.();
    site.closeAllConnections?.();
  }
}
done();
if (ENVOY) setTimeout(() => process.exit(), 1000).unref();
