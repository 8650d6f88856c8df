// The npm package: packed, installed, and run in Node, Chromium, workerd, and in Deno and Bun where there are any (DENO=, BUN=); the bytes of
// `adit page`.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";
import { workerd } from "./workerd.mjs";

const adit = process.env.ADIT_RELEASE ?? "build/adit", folder = temporary("npm"), at = (...p) => path.join(folder, ...p);
const run = (program, args, options) => spawnSync(program, args, { encoding: "utf8", timeout: 120000, maxBuffer: 64 << 20, ...options });
const version = /ADIT_VERSION +"(.*)"/.exec(fs.readFileSync("shared/base/base.h", "utf8"))[1];
const article = "shared/convert/cases/content/article.html", url = "https://example.com/post/";
const wanted = run(adit, ["page", article, "--url", url, "--format", "md"]).stdout;
const found = (name, ...names) => process.env[name] || names.find((n) => !spawnSync(n, ["--version"]).error);

const packed = run("scripts/package/make-npm", ["build/libadit.wasm", version, at("npm")]);
ok(packed.status === 0, "npm pack", packed.stderr);
fs.mkdirSync(at("app"));
fs.writeFileSync(at("app/package.json"), '{"name":"app","private":true,"type":"module"}');
const installed = run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", at("npm", `adit-${version}.tgz`)], { cwd: at("app") });
ok(installed.status === 0, "npm install", installed.stderr);
const home = at("app/node_modules/adit");
same(fs.readdirSync(home).sort().join(" "), "LICENSE README.md core.js index.d.ts libadit.wasm node.js package.json web.js workerd.js", "what is in the package");

// --- Node: every case in every format
fs.writeFileSync(at("app/entry.mjs"), 'export * from "adit";');
const { convert, fingerprint, check, AditError, version: said } = await import(at("app/entry.mjs"));
same(said, version, "the version");
const endings = { scp: ".json", tct: ".json", text: ".txt", md: ".md", html: ".html" }, formats = Object.keys(endings);
let pages = 0, wrong = [];
for (const group of ["content", "blocks", "meta"]) {
  const cases = `shared/convert/cases/${group}`;
  for (const f of formats) run(adit, ["page", cases, "--base-url", "https://example.com/", "--date", "2026-01-02", "--format", f, "-o", at("want", f, group)]);
  for (const file of fs.readdirSync(cases, { recursive: true }).filter((n) => n.endsWith(".html"))) {
    const stem = file.slice(0, -5), want = (f) => at("want", f, group, stem + endings[f]);
    const options = { url: "https://example.com/" + (stem.endsWith("index") ? stem.slice(0, -5) : file), formats, date: "2026-01-02T00:00:00Z" };
    let page;
    try { page = convert(fs.readFileSync(path.join(cases, file)), options); } catch (e) {
      if (!(e instanceof AditError) || fs.existsSync(want("md"))) wrong.push(`${file}: ${e}`);
      continue;
    }
    pages++;
    for (const f of formats) if (page[f].replace(/\n?$/, "\n") !== fs.readFileSync(want(f), "utf8")) wrong.push(`${file}: ${f}`);
    if (!page.tct.includes(page.fingerprint)) wrong.push(`${file}: fingerprint`);
  }
}
ok(pages > 100 && !wrong.length, `the bytes of adit page: ${pages} pages in ${formats.length} formats`, wrong.join("\n"));
const code = (f) => { try { f(); return "none"; } catch (e) { return e.code ?? String(e); } };
same(code(() => convert(Buffer.from("%PDF-1.4 x"), { url })), "NOT_HTML", "a PDF is refused");
same(code(() => convert("<p>x")), "BAD_URL", "so is a page without a URL");
same(code(() => convert("", { url })), "NO_CONTENT", "and one without content");
same(code(() => convert(new Uint8Array((8 << 20) + 1), { url })), "TOO_LARGE", "and one that is too large");
same(code(() => convert("<p>x", { url, formats: "pdf" })), "UNKNOWN", "there is no such format");
const text = convert("<meta charset=iso-8859-1><p>Ein Satz mit Umlauten: ä ö ü, und lang genug, um einer zu sein.", { url, headers: new Headers({ "X-Robots-Tag": "noindex" }) });
ok(text.md.includes("ä ö ü") && text.noindex, "a text is UTF-8 whatever it says; header fields count", text.md);
const payload = convert(fs.readFileSync(article), { url, formats: ["tct"] });
same(fingerprint(payload.tct), payload.fingerprint, "fingerprint()");
ok(check(payload.tct).valid && !check('{"url":1}').valid, "check()");
const before = process.memoryUsage().arrayBuffers;
for (let i = 0; i < 300; i++) convert(fs.readFileSync(article), { url });
ok(process.memoryUsage().arrayBuffers - before < 64 << 20, "300 pages do not pile up memory");

// --- other runtimes: the same file
const program = at("app/print.mjs");
fs.writeFileSync(program, `import { readFileSync } from "node:fs"; import { convert } from "adit";
process.stdout.write(convert(readFileSync(process.argv[2]), { url: ${JSON.stringify(url)} }).md);`);
for (const [name, bin, args] of [["Node", process.execPath, []], ["Deno", found("DENO", "deno"), ["run", "-A"]], ["Bun", found("BUN", "bun"), []]]) {
  if (!bin) { skip(name, `there is none; ${name.toUpperCase()}=/path/to/${name.toLowerCase()}`); continue; }
  const r = run(bin, [...args, program, path.resolve(article)], { cwd: at("app") });
  same(r.stdout, wanted, `${name} prints the bytes of adit page` + (r.status ? ` (${r.stderr})` : ""));
}

// --- a browser
const page = `<!doctype html><pre id=out></pre><script type=module>
import { convert } from "/adit/web.js";
const html = new Uint8Array(await (await fetch("/article")).arrayBuffer());
out.textContent = btoa(String.fromCharCode(...new TextEncoder().encode(convert(html, { url: ${JSON.stringify(url)} }).md)));
</script>`;
const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
const server = http.createServer((req, res) => {
  const name = path.basename(req.url), type = types[path.extname(name)];
  if (req.url.startsWith("/adit/") && type) return res.writeHead(200, { "content-type": type }).end(fs.readFileSync(path.join(home, name)));
  res.writeHead(200, { "content-type": "text/html" }).end(req.url === "/article" ? fs.readFileSync(article) : page);
}).listen(0, "127.0.0.1");
await new Promise((r) => server.on("listening", r));
const browser = found("CHROMIUM", "chromium", "chromium-browser", "google-chrome");
if (browser) {
  const child = spawn(browser, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${at("profile")}`, "--virtual-time-budget=20000",
    "--dump-dom", `http://127.0.0.1:${server.address().port}/`], { stdio: ["ignore", "pipe", "ignore"], timeout: 90000 });
  let dom = "";
  child.stdout.on("data", (d) => (dom += d));
  await new Promise((r) => child.on("close", r));
  same(Buffer.from(/id="out">([^<]*)</.exec(dom)?.[1] ?? "", "base64").toString(), wanted, "Chromium has the bytes of adit page");
} else skip("a browser", "no Chromium");
server.close();

// --- Cloudflare's runtime
if (fs.existsSync(workerd)) {
  fs.copyFileSync(article, at("app/article.html"));
  fs.writeFileSync(at("app/worker.js"), `import { convert } from "adit"; import html from "article.html";
export default { test() { console.log("MD:" + btoa(String.fromCharCode(...new TextEncoder().encode(convert(new Uint8Array(html), { url: ${JSON.stringify(url)} }).md)))); } };`);
  fs.writeFileSync(at("app/config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (compatibilityDate = "2025-01-01", modules = [ (name = "worker.js", esModule = embed "worker.js"), (name = "adit", esModule = embed "node_modules/adit/workerd.js"),
  (name = "core.js", esModule = embed "node_modules/adit/core.js"), (name = "libadit.wasm", wasm = embed "node_modules/adit/libadit.wasm"), (name = "article.html", data = embed "article.html") ]);
`);
  const r = run(path.resolve(workerd), ["test", at("app/config.capnp")]);
  same(Buffer.from(/MD:([A-Za-z0-9+/=]*)/.exec(r.stdout + r.stderr)?.[1] ?? "", "base64").toString(), wanted, "workerd has the bytes of adit page" + (r.status ? r.stderr.slice(0, 500) : ""));
} else skip("workerd", "none for this machine");
done();
