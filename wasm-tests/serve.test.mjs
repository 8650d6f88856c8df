// `adit serve` in front of an origin, through the suite that all hosts share.
import fs from "node:fs";
import path from "node:path";
import { ask, config, startOrigin, suite } from "./http-suite.mjs";
import { raw, serve, temporary } from "./lent.mjs";
import { ok, same, done } from "./tap.mjs";

const folder = temporary("serve");
const origin = await startOrigin();
fs.writeFileSync(path.join(folder, "adit.json"), JSON.stringify(config));

const s = await serve(origin.url, "--config", path.join(folder, "adit.json"), "--inspect", "--metrics", "127.0.0.1:0");
await suite({ base: s.base, origin });

// The list of requirements and the suite speak of the same ones.
const tags = (file) => [...new Set(fs.readFileSync(file, "utf8").match(/\[TCT [\w ,-]+\]/g))].filter((t) => t !== "[TCT 3]").sort().join(" ");
same(tags("shared/tct/README.md"), tags("wasm-tests/http-suite.mjs"), "shared/tct/README.md lists the requirements that the suite tests");

const status = async (text) => (await raw(s, text)).statuses[0];
same(await status("GET http://site.example/post/llm/ HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n"), "400", "absolute form is refused");
ok(["400", "405"].includes(await status("CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n")), "CONNECT is refused");
same(await status("GET /post/llm/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"), "200", "a raw request");
const before = origin.log.length;
await raw(s, "GET /style.css HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\n\r\n");
const passed = origin.log[before].headers;
same(["x-hop", "keep-alive", "te"].filter((h) => h in passed).join(), "", "hop-by-hop fields end here");
const heard = async (host, path = "/nowhere/") => {
  const n = origin.log.length, got = await status(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return `${got} ${origin.log.slice(n).map((q) => q.headers.host)}`;
};
same(await heard("unknown.example"), "421 ", "another site's name is refused, and not heard by the upstream");
same(await heard("unknown.example", "/post/llm/"), "421 ", "so are its machine views");
same(await heard("site.example"), "404 site.example", "the site's name is");
same(await heard("SITE.example.:99"), "404 site.example", "as the configuration writes it");
const { host } = new URL(origin.url);
for (const name of ["127.0.0.1:1", "localhost", "[::1]:80"]) same(await heard(name), `404 ${host}`, `${name}: the upstream hears its own name`);
const unnamed = await serve(origin.url, "--quiet");
await ask(unnamed.base, "/nowhere/", { headers: { host: "unknown.example" } });
same(origin.log.at(-1).headers.host, host, "without a configuration it always does");
unnamed.stop();
same(await status(`GET /post/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCDN-Loop: ${Array(8).fill("adit").join(", ")}\r\nConnection: close\r\n\r\n`), "508", "a page that goes round in circles");

const [, counters] = /metrics on (\S+)\/metrics/.exec(s.err), [, views, token] = /inspector: (\S+)(\/\w+\/)/.exec(s.err);
const metrics = await ask(counters, "/metrics");
ok(/^adit_machine_200_total [1-9]/m.test(metrics.text) && /^adit_failures_total\{reason="excluded"\} [1-9]/m.test(metrics.text), "--metrics counts", metrics.text.slice(0, 300));
ok(metrics.text.split("\n").every((l) => l === "" || /^(# (HELP|TYPE) adit_\w+ .+|adit_\w+(\{reason="\w+"\})? \d+)$/.test(l)), "--metrics is Prometheus text");
const page = await ask(views, token);
ok(page.status === 200 && !/(src|href)="(https?:)?\/\//.test(page.text), "--inspect is a page without external assets");
same(JSON.parse((await ask(views, token + "pages.json")).text).map((p) => p.path).join(), "/", "its list: the home page at least");
same((await ask(views, token + "raw/post/llm/")).text, (await ask(s.base, "/post/llm/")).text, "its machine view is the site's");
same((await ask(s.base, "/-/metrics")).status, 404, "/-/ is a path as any other");
same(origin.log.at(-1).url, "/-/metrics", "which the origin answers");

const outer = await serve(s.base, "--config", path.join(folder, "adit.json"), "--quiet");
same((await ask(outer.base, "/post/llm/")).text, (await ask(s.base, "/post/llm/")).text, "one adit in front of another: the same view");
same((await ask(outer.base, "/post/")).text.split('rel="alternate"').length, 3, "and one link a view");
same(await outer.stop(), 0, "the outer one ends");

const slow = ask(s.base, "/busy/llm/");
await new Promise((r) => setTimeout(r, 100));
s.stop();
same((await slow).status, 200, "a request under way when the server stops is answered");
same(await s.ended, 0, "SIGTERM: exit 0");
ok(/stopped after \d+ requests/.test(s.err), "and says so", s.err);
ok(/"GET \/post\/llm\/ HTTP\/1.1" 304 0 "-" "[^"]*" machine/.test(s.out) && / 404 \d+ "-" "[^"]*" machine [\d.]+ excluded$/m.test(s.out), "access log: status, route and reason", s.out.slice(0, 500));

origin.close();
done();
