// Our host of Fastly's calls against a guest that nobody here wrote: a program (fastly-app.js) in the engine of
// @fastly/js-compute runs on it unchanged, and does what its source says. And the types of our own program's imports are
// those of that engine.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { Fastly, Stream, TAG } from "./fastly-host.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const ENGINE = "build/fastly/fastly.wasm", SOURCE = "wasm-tests/fastly-app.js", APP = "build/fastly/app.wasm";
const wizer = "wasm-tests/node_modules/@bytecodealliance/wizer-linux-x64/wizer";

// As js-compute's own command does it; there is nothing to bundle.
function compile() {
  const time = (f) => fs.statSync(f, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (time(APP) > Math.max(time(SOURCE), time(ENGINE))) return;
  execFileSync(wizer, ["-f", "wizer.initialize", "-r", "_start=wizer.resume", "--allow-wasi", "--wasm-bulk-memory=true", "--dir=.", "-o", APP + ".part", ENGINE], { input: SOURCE, stdio: ["pipe", "ignore", "inherit"] });
  fs.renameSync(APP + ".part", APP);
}

async function types() {
  const copy = "build/fastly/compared.wasm", check = (file, like) => {
    fs.copyFileSync(file, copy);
    try { return execFileSync("node", ["scripts/check-imports.mjs", copy, "--like", like, ...new Set(WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync(file))).map((i) => i.module))], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }); } catch (e) { return e.stderr; }
  };
  ok(/built/.test(check("build/adit-fastly.wasm", ENGINE)), "every import of adit-fastly.wasm has the type that Fastly's engine has", check("build/adit-fastly.wasm", ENGINE));
  // A module that imports fastly_log.write with a parameter too few.
  const bytes = (...parts) => Buffer.concat(parts.map((p) => (typeof p === "string" ? Buffer.from([p.length, ...Buffer.from(p)]) : Buffer.from(p))));
  const section = (id, body) => bytes([id, body.length], [...body]);
  const odd = bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], [...section(1, bytes([1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f]))], [...section(2, bytes([1], "fastly_log", "write", [0, 0]))]);
  fs.writeFileSync("build/fastly/odd.wasm", odd);
  ok(/fastly_log.write is \(i32,i32,i32\)->i32, in .* \(i32,i32,i32,i32\)->i32/.test(check("build/fastly/odd.wasm", ENGINE)), "and another type is noticed", check("build/fastly/odd.wasm", ENGINE));
  fs.rmSync(copy, { force: true });
}

const asked = [];
const chunks = async function* () { for (const c of ["one", "two", "three"]) { await new Promise((r) => setTimeout(r, 10)); yield Buffer.from(c); } };
const cut = () => { const s = new Stream(); s.put(Buffer.from("half")); s.break(); return s; };
async function origin(q) {
  const path = new URL(q.uri).pathname;
  asked.push({ ...q, text: (await q.body.whole()).toString() });
  if (path === "/slow") await new Promise((r) => setTimeout(r, 150));
  const body = { "/page": [Buffer.from("<p>the page</p>")], "/chunks": chunks(), "/cut": cut(), "/slow": [Buffer.from("slow")], "/echo": [Buffer.from(asked.at(-1).text)] }[path];
  return { status: path === "/page" ? 203 : 200, headers: [["content-type", "text/html"], ["x-secret", "s"], ["x-changed", "old"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]], body };
}

async function run() {
  const host = new Fastly(new WebAssembly.Module(fs.readFileSync(APP)), { backends: { origin, down: async () => { throw Object.assign(new Error("refused"), { tag: TAG.refused }); } }, stores: { settings: { greeting: "hé" } } });
  const get = async (path, headers, more) => { const r = await host.get("https://site.example" + path, headers, more); return { ...r, text: r.body.toString(), all: (k) => r.headers.filter(([n]) => n === k).map(([, v]) => v).join("|") }; };
  const said = async (path, want, what, ...more) => { const r = await get(path, ...more); same([r.status, r.text], want, what); return r; };

  const hello = await said("/hello", [201, "GET https://site.example/hello"], "an answer of its own, with its status");
  same([hello.all("content-type"), hello.all("x-one")], ["text/x", "1"], "and its fields");
  await said("/nowhere", [404, "no such route"], "an error of its own");
  await said("/throws", [502, "Error: of the program's own"], "an exception");
  await said("/headers", [200, '[["x-a","1"],["x-b","2, 3"]]'], "the request's fields, several of a name too", [["x-b", "2"], ["x-a", "1"], ["x-b", "3"], ["accept", "*/*"]]);
  await said("/upper", [200, "A BODY OF TWO PARTS"], "the request's body", [], { method: "POST", body: [Buffer.from("a body "), Buffer.from("of two parts")] });
  await said("/config", [200, '["hé",null]'], "a config store: a value, and one that is not there");
  await said("/log", [204, ""], "an answer without a body");
  same(host.logs.filter((l) => l.endpoint === "audit").map((l) => l.message), ["a line"], "a log endpoint");
  await said("/client", [200, "192.0.2.1"], "the client's address");
  await said("/timer", [200, "later"], "a timer");
  const page = await said("/page", [203, "<p>the page</p>"], "a page of a backend, its body passed on");
  same([page.all("x-secret"), page.all("x-added").replace("|", ", "), page.all("x-changed"), page.all("set-cookie")], ["", "a, b", "new", "a=1|b=2"], "its fields removed, added, changed, kept");
  const q = asked.at(-1);
  same([q.method, q.uri, q.headers.find(([k]) => k === "x-asked")?.[1], q.headers.find(([k]) => k === "accept")?.[1]], ["GET", "https://origin.example/page?a=b", "yes", "text/html"], "what the backend is asked");
  await said("/forward", [200, "abc"], "the client's request sent on, with its body", [["x-own", "1"]], { method: "PUT", body: [Buffer.from("abc")] });
  same([asked.at(-1).method, asked.at(-1).text, asked.at(-1).headers.find(([k]) => k === "x-own")?.[1]], ["PUT", "abc", "1"], "its method, body and fields");
  await said("/brackets", [200, "[one][two][three]"], "a body that streams through the program");
  await said("/both", [200, "[4,15]"], "two requests at once");
  const broken = await get("/cut");
  ok(broken.status === 502 && /Error/.test(broken.text), "a body that is cut off is an error", broken.text);
  for (const path of ["/unknown", "/down"]) { const r = await get(path); ok(r.status === 502 && /Error/.test(r.text), `${path}: an error that the program sees`, `${r.status} ${r.text}`); }
  await said("/core", [200, "inserted"], "the cache: an insertion");
  const stored = await said("/core", [200, "stored"], "and its lookup");
  same([stored.all("x-state"), stored.all("x-meta")], ["[true,true,false,6,60000]", "meta"], "with its state, length, age and metadata");
  host.purge("two");
  await said("/core", [200, "inserted"], "gone after a purge of its surrogate key");
  const before = asked.length, many = await Promise.all(Array.from({ length: 4 }, () => get("/simple?a")));
  same([many.map((r) => r.text).join(), asked.length - before], ["slow?a,slow?a,slow?a,slow?a", 1], "four instances at once: one fetches, the others wait for it");
  same(host.traps, [], "no trap");
  same(host.faults, [], "no call with a handle or an argument that the host refuses");
  await host.close();
}

if (!fs.existsSync(ENGINE)) skip("a guest of @fastly/js-compute", "no engine: make setup-test");
else if (!fs.existsSync(wizer)) skip("a guest of @fastly/js-compute", "no wizer for this machine");
else { await types(); compile(); await run(); }
done();
