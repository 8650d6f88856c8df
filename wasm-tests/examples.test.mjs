// The example files of edge/examples, as their proxies read them: each is YAML of the kinds that the
// proxy knows; the configuration in it is taken by the module, and a machine view is answered under it;
// the clusters that it names are there; no listener without TLS answers 308. Names of metrics in the
// documentation are the module's.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Host } from "./host.mjs";
import { PAGE, module, never, reply } from "./filter-site.mjs";
import { ok, same, done } from "./tap.mjs";

const DIR = "edge/examples";
// YAML by a reader of others: Debian's python3-yaml. Keys that stand twice are an error.
const READ = `
import json, sys, yaml
class Strict(yaml.SafeLoader): pass
def mapping(loader, node):
    keys = [loader.construct_object(k) for k, _ in node.value]
    twice = [k for k in keys if keys.count(k) > 1]
    if twice: raise SystemExit("twice: %s" % twice)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)
Strict.add_constructor("tag:yaml.org,2002:map", mapping)
print(json.dumps(list(yaml.load_all(open(sys.argv[1]), Strict))))`;
const read = (name) => JSON.parse(execFileSync("python3", ["-c", READ, path.join(DIR, name)], { encoding: "utf8" }));

// Every object inside a value.
function* objects(value) {
  if (value && typeof value === "object") {
    if (!Array.isArray(value)) yield value;
    for (const v of Object.values(value)) yield* objects(v);
  }
}
const find = (docs, test) => [...objects(docs)].filter(test);
const typed = (docs, name) => find(docs, (o) => o["@type"] === `type.googleapis.com/${name}`);
const kind = (docs, apiVersion, name) => find(docs, (o) => o.kind === name && o.apiVersion === apiVersion);

// What each proxy passes to the module, and the clusters that it then has.
const envoyPlugin = (docs) => typed(docs, "envoy.extensions.filters.http.wasm.v3.Wasm").map((w) => w.config)[0];
const envoyClusters = (docs) => docs.flatMap((d) => d.static_resources?.clusters ?? []).map((c) => c.name);
const service = /^outbound\|\d+\|\|[a-z0-9-]+\.[a-z0-9-]+\.svc\.cluster\.local$/;
const EXAMPLES = {
  "envoy.yaml": { files: ["envoy.yaml"], config: (docs) => envoyPlugin(docs).configuration.value, cluster: (docs, c) => envoyClusters(docs).includes(c), plain: true },
  reload: { files: ["reload/envoy.yaml", "reload/lds.yaml", "reload/ecds.yaml"], config: (docs) => envoyPlugin(docs).configuration.value, cluster: (docs, c) => envoyClusters(docs).includes(c), plain: true },
  "istio.yaml": { files: ["istio.yaml"], config: (docs) => kind(docs, "extensions.istio.io/v1alpha1", "WasmPlugin")[0].spec.pluginConfig, cluster: (_, c) => service.test(c) },
  "envoy-gateway.yaml": { files: ["envoy-gateway.yaml"], config: (docs) => kind(docs, "gateway.envoyproxy.io/v1alpha1", "EnvoyExtensionPolicy")[0].spec.wasm[0].config,
    cluster: (docs, c) => kind(docs, "gateway.networking.k8s.io/v1", "HTTPRoute").some((r) => c === `httproute/${r.metadata.namespace}/${r.metadata.name}/rule/0`) },
  "higress.yaml": { files: ["higress.yaml"], config: (docs) => kind(docs, "extensions.higress.io/v1alpha1", "WasmPlugin")[0].spec.defaultConfig, cluster: (_, c) => service.test(c) },
  "kong.yml": { files: ["kong.yml"], config: (docs) => docs[0].filter_chains[0].filters[0].config, cluster: (docs, c) => docs[0].services.some((s) => s.url === `http://${c}`) },
};
const RULES = "prometheus-rules.yml"; // of no proxy: its reasons are looked at below
const CACHE = "envoy-cache.yaml"; // no module in it: below
const all = fs.readdirSync(DIR, { recursive: true }).filter((f) => /\.ya?ml$/.test(f) && ![RULES, CACHE].includes(f)).sort();
same(Object.values(EXAMPLES).flatMap((e) => e.files).sort(), all, "every example is tested");

for (const [name, example] of Object.entries(EXAMPLES)) {
  const docs = example.files.flatMap(read), given = example.config(docs);
  const text = typeof given === "string" ? given : JSON.stringify(given), config = JSON.parse(text);
  ok(example.cluster(docs, config.upstream.cluster), `${name}: the cluster that it names is there`, config.upstream.cluster);
  const host = Host.load(module, { config: text, clusters: { [config.upstream.cluster]: async () => reply(200, PAGE) } });
  ok(!host.refused, `${name}: the module takes the configuration`, JSON.stringify(host.logs));
  if (host.refused) continue;
  const authority = example.plain ? "localhost:8080" : new URL(config.origin).host;
  const ask = (path) => host.exchange({ headers: [[":method", "GET"], [":path", path], [":authority", authority], [":scheme", example.plain ? "http" : "https"], ["x-forwarded-proto", example.plain ? "http" : "https"]] }, never);
  const view = await ask("/post/llm/");
  same([view.status, JSON.parse(view.body).canonical_url], ["200", `${config.origin}/post/`], `${name}: a machine view${example.plain ? " on a listener without TLS" : ""}`);
  same(host.faults, [], `${name}: no illegal call`);
  if (config.exclude) same((await ask("/members/llm/")).status, "404", `${name}: what is excluded has none`);
}

// --- what only Envoy's files have -----------------------------------------------------------------------
for (const files of [["envoy.yaml"], EXAMPLES.reload.files]) {
  const docs = files.flatMap(read), plugin = envoyPlugin(docs);
  ok(plugin.vm_config.vm_id, `${files[0]}: the VM has a name`);
  ok(docs.flatMap((d) => d.layered_runtime?.layers ?? []).some((l) => l.static_layer["http.async_response_buffer_limit"] > 8388608), `${files[0]}: a subrequest may hold a page`);
  const filters = typed(docs, "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager")[0].http_filters.map((f) => f.name);
  ok(filters.at(-1) === "envoy.filters.http.router" && /adit|wasm/.test(filters.at(-2)), `${files[0]}: adit stands before the router`, filters);
  if (filters.includes("envoy.filters.http.compressor")) ok(filters.indexOf("envoy.filters.http.compressor") < filters.length - 2, `${files[0]}: the compressor before adit`);
  same(plugin.vm_config.code.local.filename, "build/adit-edge.wasm", `${files[0]}: runs from the top of the repository`);
}
{
  const [bootstrap, lds, ecds] = EXAMPLES.reload.files.map((f) => read(f)[0]);
  const at = bootstrap.dynamic_resources.lds_config.path_config_source.path, filter = find(lds, (o) => o.config_discovery)[0];
  same([at, filter.config_discovery.config_source.path_config_source.path].map((p) => path.relative(DIR, p)), EXAMPLES.reload.files.slice(1), "reload: each file names the next");
  same([filter.name, filter.config_discovery.type_urls[0]], [ecds.resources[0].name, ecds.resources[0].typed_config["@type"]], "reload: by the name and the type of the filter");
  ok(bootstrap.node.id && bootstrap.node.cluster, "reload: the node has a name");
}

// --- Envoy's cache: the members that its documents name, and who gets which copy ------------------------
{
  const docs = read(CACHE), MEMBERS = {
    "extensions.filters.network.http_connection_manager.v3.HttpConnectionManager": "stat_prefix route_config http_filters",
    "extensions.filters.http.header_mutation.v3.HeaderMutation": "mutations most_specific_header_mutations_wins",
    "extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute": "mutations",
    "extensions.filters.http.cache.v3.CacheConfig": "typed_config disabled allowed_vary_headers key_creator_params max_body_bytes ignore_request_cache_control_header",
    "extensions.http.cache.simple_http_cache.v3.SimpleHttpCacheConfig": "",
    "extensions.filters.http.router.v3.Router": "",
  };
  const stray = find(docs, (o) => o["@type"]).flatMap((o) => {
    const members = MEMBERS[o["@type"].replace("type.googleapis.com/envoy.", "")];
    return members === undefined ? [o["@type"]] : Object.keys(o).filter((k) => k !== "@type" && !members.split(" ").includes(k));
  });
  same(stray, [], `${CACHE}: types and members that Envoy has`);
  const manager = typed(docs, "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager")[0];
  same(manager.http_filters.map((f) => f.name.split(".").at(-1)), ["header_mutation", "cache", "router"], `${CACHE}: Accept is reduced before the cache looks`);
  same(typed(docs, "envoy.extensions.filters.http.cache.v3.CacheConfig")[0].allowed_vary_headers.map((h) => h.exact), ["accept", "accept-encoding"], `${CACHE}: what serve says in Vary is kept`);
  const routes = manager.route_config.virtual_hosts[0].routes;
  ok(routes.every((r) => envoyClusters(docs).includes(r.route.cluster)), `${CACHE}: the cluster is there`);
  const fits = (request) => ({ name, present_match: present, string_match: s, invert_match: invert }) => {
    const value = request[name];
    if (present) return value !== undefined;
    if (value === undefined) return false; // Envoy: no value, no match, inverted or not
    return (s.contains ? value.includes(s.contains) : new RegExp(`^(?:${s.safe_regex.regex})$`).test(value)) !== !!invert;
  };
  const mutated = (request) => {
    const route = routes.find((r) => (r.match.headers ?? []).every(fits(request)));
    const made = route.typed_per_filter_config?.["envoy.filters.http.header_mutation"].mutations.request_mutations ?? [];
    ok(made.every((m) => m.append.append_action === "OVERWRITE_IF_EXISTS_OR_ADD"), `${CACHE}: one value of a field`);
    return { ...request, ...Object.fromEntries(made.map((m) => [m.append.header.key, m.append.header.value])) };
  };
  const HTML = { accept: "text/html" }, agent = { accept: "text/markdown, text/html;q=0.5" };
  for (const browser of [{}, { accept: "*/*" }, { accept: "text/html,application/xhtml+xml;q=0.9" }, { accept: "text/html, text/markdown;q=0" }, { accept: "text/markdown; q=0.0, text/html" }])
    same(mutated(browser), HTML, `${CACHE}: ${browser.accept ?? "no Accept"} shares the copy of all browsers`);
  for (const accept of [agent.accept, "text/markdown", "text/html, text/markdown;q=0.7"]) same(mutated({ accept }), { accept }, `${CACHE}: ${accept} has one of its own`);
  same(mutated({ ...agent, cookie: "a=b" })["cache-control"], "no-cache, no-store", `${CACHE}: whoever has a cookie has no share`);
}

// --- names of metrics -----------------------------------------------------------------------------------
{
  const host = Host.load(module, { config: '{"origin":"https://example.com"}' });
  const known = new Set(host.process.metrics.keys()), docs = ["edge/README.md", ...all.map((f) => path.join(DIR, f))].map((f) => fs.readFileSync(f, "utf8")).join("\n");
  const named = [...docs.matchAll(/wasmcustom\.(adit\.[a-z0-9_.]*[a-z0-9_])/g)].map((m) => m[1]);
  ok(named.length >= 5, "the documentation names metrics", named.length);
  same(named.filter((n) => !known.has(n)), [], "all of which the module has");
  const reasons = find(read(RULES), (o) => o.expr).flatMap((o) => [...o.expr.matchAll(/reason=~?"([^"]*)"/g)].flatMap((m) => m[1].split("|")));
  ok(reasons.length > 3 && reasons.every((r) => known.has(`adit.failed.${r}`)), "and the reasons of the Prometheus rules", reasons);
}
done();
