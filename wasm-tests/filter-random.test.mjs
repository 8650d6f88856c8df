// Random interleavings: up to 60 streams of two sites in one VM, calls that fail or come to nothing,
// clients that go away or are slow, bodies in any pieces, trailers, reloads; 20,000 steps a mode. In the end every
// stream must have been answered, each with bytes that belong to it, under the configuration that it
// began with. SEED and STEPS in the environment choose another run.
import { CLIENT, Host, header } from "./host.mjs";
import { GET, html, module, never, reply } from "./filter-site.mjs";
import { ok, same, done } from "./tap.mjs";

const STEPS = Number(process.env.STEPS ?? 20000), STREAMS = 60;
let seed = Number(process.env.SEED ?? 1);
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
const pick = (list) => list[random(list.length)];

const words = (n) => Array.from({ length: n }, (_, i) => `word${i} of the page, and some more of them.`).join(" ");
const PAGES = Array.from({ length: 6 }, (_, i) => [`/p${i}/`, html(`Page ${i}`, `<p>${words(20 + 8 * i * i)}</p>`)]);
const SITES = [{ host: "a.example", suffix: "llm" }, { host: "b.example", suffix: "ai" }];
const config = (site, mode, age) => JSON.stringify({ origin: `https://${site.host}`, suffix: site.suffix, mode, cache_control: `max-age=${age}`, exclude: [], upstream: { cluster: "origin" } });
const at = (site, path, ...fields) => GET(path, ...fields).headers.map(([k, v]) => [k, k === ":authority" ? site.host : v]);
const M_URLS = { json: (site, path) => `${path}${site.suffix}/`, md: (site, path) => `${path}${site.suffix}.md` };

// What each machine view and each linked page must be, by a host that does one thing at a time.
const views = new Map(), links = new Map();
for (const site of SITES) for (const [path, page] of PAGES) {
  const host = Host.load(module, { config: config(site, "subrequest", 1), clusters: { origin: async () => reply(200, page) } });
  for (const kind in M_URLS) {
    const url = M_URLS[kind](site, path), r = await host.exchange({ headers: at(site, url) }, never);
    if (r.status !== "200") ok(false, `${site.host}${url}`, r.status);
    views.set(site.host + url, r);
  }
  links.set(site.host + path, (await host.exchange({ headers: at(site, path) }, async () => reply(200, page))).body.toString());
}

class Run {
  constructor(mode) {
    this.mode = mode;
    this.host = new Host(module, { config: config(SITES[0], mode, 0), heldHeaders: true, manual: true, clusters: { origin: never } });
    this.host.start();
    this.sites = [this.host.root, this.host.addRoot(config(SITES[1], mode, 0))].map((root, i) => ({ ...SITES[i], root, age: 0 }));
    Object.assign(this, { open: new Set(), asking: new Set(), leaving: new Set([]), count: { streams: 0, gone: 0, 200: 0, 304: 0, other: 0, reloads: 0 }, wrong: [] });
  }

  begin() {
    const site = pick(this.sites), [path, page] = pick(PAGES), kind = pick(["page", "json", "json", "json", "md", "head"]);
    const url = kind === "page" ? path : M_URLS[kind === "md" ? "md" : "json"](site, path);
    const fields = random(4) ? [] : [["if-none-match", header(views.get(site.host + url)?.headers ?? [], "etag") ?? '"x"']];
    const s = this.host.open({ upstream: (q) => { s.asked = q; this.asking.add(s); }, end: (r) => this.end(s, r) }, site.root);
    Object.assign(s, { site: site.host, url, path, page, kind, age: site.age, at: 0 });
    this.open.add(s);
    this.count.streams++;
    const headers = at(site, url, ...fields);
    s.request(kind === "head" ? [[":method", "HEAD"], ...headers.slice(1)] : headers);
  }

  end(s, r) {
    this.open.delete(s);
    this.asking.delete(s);
    if (r.broken) return void this.count.gone++;
    this.count[r.status in this.count ? r.status : "other"]++;
    const why = this.judge(s, r);
    if (why) this.wrong.push(`${s.kind} ${s.site}${s.url}: ${r.status} ${why}`);
  }

  // What is wrong with an answer, if anything.
  judge(s, r) {
    const text = r.body.toString(), view = views.get(s.site + s.url), length = header(r.headers, "content-length");
    if (length !== undefined && s.kind !== "head" && r.status !== "304" && Number(length) !== r.body.length) return `length ${length}, not ${r.body.length}`;
    if (s.kind === "page") return r.status !== "200" || s.broken || [s.page, links.get(s.site + s.path)].includes(text) ? "" : "not the page";
    if (!["200", "304"].includes(r.status)) return header(r.headers, "content-type") === "application/problem+json" ? "" : "no problem document";
    if (!["private, no-store", `max-age=${s.age}`].includes(header(r.headers, "cache-control"))) return `of another configuration: ${header(r.headers, "cache-control")}`;
    if (header(r.headers, "etag") !== header(view.headers, "etag")) return "another ETag";
    if (s.kind === "head") return r.status === "304" || length === String(view.body.length) ? "" : `length ${length}`;
    return r.status === "304" || text === view.body.toString() ? "" : "another view";
  }

  // The origin, as it answers a call or a request that went on. Pages 0 to 2 have validators.
  origin(headers) {
    const found = PAGES.find(([path]) => path === header(headers, ":path"));
    const failure = random(12);
    if (!found || failure === 0) return reply(404, "no such page");
    if (failure === 1) return reply(pick([500, 503, 301]), "x");
    const tag = PAGES.indexOf(found) < 3 ? [["etag", '"v1"']] : [];
    if (tag.length && header(headers, "if-none-match") === '"v1"') return { headers: [[":status", "304"], ...tag], body: [] };
    return reply(200, found[1], ...tag, ...(failure === 2 ? [["cache-control", "private"]] : []), ...(random(2) ? [["content-length", String(found[1].length)]] : []));
  }

  answer(id) {
    const call = this.host.pending.get(id);
    this.host.answerCall(id, random(10) ? this.origin(call.headers) : pick(Object.values(CLIENT)));
  }

  // One event of a response that is under way: header, a piece, the end with or without trailers.
  respond(s) {
    if (!s.response) {
      s.response = this.origin(s.asked.headers);
      s.rest = Buffer.concat(s.response.body);
      s.trailers = random(5) === 0 ? [["x", "y"]] : undefined;
      s.broken = header(s.response.headers, ":status") !== "200";
      const eos = s.rest.length === 0 && !s.trailers;
      if (eos) this.asking.delete(s);
      return s.responseHeaders(s.response.headers, eos);
    }
    const n = random(3) ? random(s.rest.length + 1) : s.rest.length, piece = s.rest.subarray(0, n);
    s.rest = s.rest.subarray(n);
    const last = s.rest.length === 0;
    if (last) this.asking.delete(s);
    if (piece.length || (last && !s.trailers)) s.responseData(piece, last && !s.trailers);
    if (last && s.trailers) s.responseTrailers(s.trailers);
  }

  // A new configuration: another root context, or the same one; the old one goes when its streams have.
  reload() {
    const site = pick(this.sites), next = config(site, this.mode, ++site.age);
    this.count.reloads++;
    if (random(3) === 0) return void this.host.configure(site.root, next);
    this.leaving.add(site.root);
    site.root = this.host.addRoot(next);
  }
  sweep() {
    for (const root of this.leaving) if (![...this.open].some((s) => s.root === root)) { this.leaving.delete(root); this.host.removeRoot(root); }
    for (const [root, r] of this.host.roots) if (r.tick) this.host.tick(root);
  }

  // Something that can happen now; by how often it does.
  step() {
    const { host } = this;
    host.fail = random(40) ? null : { name: "proxy_http_call", status: 10 };
    host.slowClients = random(10) === 0;
    const can = [
      [25, this.open.size < STREAMS, () => this.begin()],
      [30, host.pending.size, () => this.answer(pick([...host.pending.keys()]))],
      [35, this.asking.size, () => this.respond(pick([...this.asking]))],
      [3, this.open.size, () => pick([...this.open]).reset("client gone")],
      [6, true, () => this.sweep()],
      [4, true, () => this.drain(3)],
      [1, true, () => this.reload()],
    ].filter((c) => c[1]);
    let at = random(can.reduce((n, c) => n + c[0], 0));
    can.find((c) => (at -= c[0]) < 0)[2]();
  }
  drain(one_in) {
    for (const s of [...this.open]) if (s.over && random(one_in) === 0) s.drained();
  }

  // All that is under way comes to its end.
  finish() {
    this.host.fail = null;
    this.host.slowClients = false;
    for (let i = 0; i < 10000 && (this.host.pending.size || this.asking.size); i++) {
      for (const id of [...this.host.pending.keys()]) this.answer(id);
      for (const s of [...this.asking]) this.respond(s);
      this.sweep();
    }
    this.sweep();
    this.drain(1);
    this.sweep();
  }
}

for (const mode of ["subrequest", "inline"]) {
  const t0 = performance.now(), run = new Run(mode);
  let trap = "";
  try {
    for (let i = 0; i < STEPS; i++) run.step();
    run.finish();
  } catch (e) { trap = e.stack; }
  const { count, host, wrong } = run, hung = [...run.open].map((s) => `${s.kind} ${s.site}${s.url}`);
  same(trap, "", `${mode}: ${STEPS} random steps, no trap`);
  same(hung.slice(0, 5), [], `${mode}: no stream hangs`);
  ok(hung.length === 0, `${mode}: ${count.streams} streams, ${hung.length} hang`, JSON.stringify(count));
  ok(wrong.length === 0, `${mode}: every answer belongs to its stream`, ...wrong.slice(0, 10));
  ok(count[200] > STEPS / 20 && count.reloads > STEPS / 500 && count.gone > STEPS / 200, `${mode}: answers, reloads, clients that go: ${JSON.stringify(count)}`);
  same([...new Set(host.faults)], [], `${mode}: no illegal call`);
  same(host.roots.size, 2, `${mode}: two root contexts are left`);
  ok(host.x.memory.buffer.byteLength < 48 << 20, `${mode}: memory is bounded`, host.x.memory.buffer.byteLength);
  console.log(`# ${mode}: ${((performance.now() - t0) / 1000).toFixed(1)} s, ${(host.x.memory.buffer.byteLength / 1048576).toFixed(1)} MB`);
}
done();
