// Every row of the exchange's table, the transcripts of shared/exchange/cases/exchange, through the
// built filter module. The C test (shared/exchange/tests/exchange.c, which explains their form) writes a
// transcript from what the exchange says; here it is written anew from what the host sees: calls,
// edits of header maps, local responses, log lines, shared data. In both modes.
//
// What a host cannot see is written alike on both sides: of a passed request it knows no route and no
// reason, and of a response not whether the filter looked at its body, and a local response without a
// body has no Content-Length (Envoy's codec adds 0); so "pass ROUTE" is "pass", and every
// response shows its body. A row without a body gets FILLER, which must come through untouched
// unless the row says otherwise; so must the answer to a request that passes "untouched".
import fs from "node:fs";
import { Host, decodePairs, header } from "./host.mjs";
import { ok, same, done } from "./tap.mjs";
import { expected, sent, shownBody, shownField, table } from "./transcripts.mjs";

const CALLS = "the request goes on by itself: the host times it, and answers when it fails";

// Rows that cannot be in a mode, and why.
const IMPOSSIBLE = {
  subrequest: {},
  inline: { "origin: timeout": CALLS, "origin: refused": CALLS, "origin: the host is busy": CALLS },
};

const MODES = { subrequest: { heldHeaders: false }, inline: { heldHeaders: true } };
const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_EDGE ?? "build/adit-edge.wasm"));

// --- one edge and what is seen of it ------------------------------------------------------------------

class Edge {
  constructor(mode, row, masks) {
    Object.assign(this, { masks, clock: row.now * 1000, lookups: [], edits: { 0: [], 2: [] } });
    this.host = new Host(module, {
      ...MODES[mode], config: JSON.stringify({ ...row.config, mode }), now: () => this.clock * 1e6, observe: (name, args) => this.observe(name, args),
      clusters: { [row.config.upstream?.cluster ?? "origin"]: (q) => this.ask("fetch", q.headers) },
    });
    this.refused = !this.host.start();
  }

  observe(name, args) {
    const str = (i) => this.host.str(args[i], args[i + 1]);
    const edit = { proxy_replace_header_map_value: "set", proxy_add_header_map_value: "add", proxy_remove_header_map_value: "remove" }[name];
    if (edit) {
      const key = str(1), value = edit === "remove" ? "" : str(3);
      this.edits[args[0]].push(key === ":path" ? `  path: ${value}` : `  ${edit} ${key}${value && ": " + value}`);
    }
    if (name === "proxy_get_shared_data") this.lookups.push(this.host.process.shared.has(str(0)) ? "recall hit" : "recall miss");
    if (name === "proxy_set_shared_data") this.lookups.pop(), (this.remembers = true); // its own look at the slot
    if (name === "proxy_http_call") this.called = decodePairs(this.host.read(args[2], args[3]));
  }

  line(...lines) { this.out.push(...lines); }
  field(name, value, body) { this.line(shownField(this.masks, name, value, body)); }
  flush(what) {
    this.line(...this.lookups.splice(0), ...what);
  }
  fetch(headers) {
    this.flush([`fetch ${header(headers, ":authority")} ${header(headers, ":path")}`]);
    for (const [k, v] of headers) if (k[0] !== ":") this.field(k, v);
  }

  // The filter asks the origin, or lets the request pass to it: it is the row's turn.
  ask(what, headers) {
    const becameFetch = this.edits[0].some((e) => e.startsWith("  add cdn-loop")); // inline
    this.asked = becameFetch ? "fetch" : what;
    if (this.asked === "fetch") this.fetch(headers);
    else this.flush(["pass", ...this.edits[0]]);
    return new Promise((resolve, reject) => { this.origin = { resolve, reject }; this.turn(); });
  }

  answer(r) {
    const log = this.host.logs.filter((l) => l.message[0] === "{").map((l) => JSON.parse(l.message)).at(-1) ?? {};
    const body = r.body.toString("latin1");
    this.flush([`answer ${r.status} ${log.adit}${log.reason === "none" ? "" : " " + log.reason}`]);
    for (const [k, v] of r.headers) this.field(k, v, r.status === "200" ? body : undefined);
    if (body) this.line(shownBody(r.status, body));
    if (this.remembers) this.line("remember");
  }

  response(r) {
    this.line("response", ...this.edits[2], `<<<${r.body.toString("latin1")}>>>`);
  }

  pair(line) {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trim().replaceAll("$ETAG", this.masks.etag)];
  }

  request(row) {
    const s = row.steps[0], pairs = s.fields.map((f) => this.pair(f));
    const headers = [[":method", s.method], [":path", s.target], [":authority", header(pairs, "host") ?? "example.com"], ...pairs.filter(([k]) => k !== "host")];
    Object.assign(this, { out: [], lookups: [], remembers: false, result: null, asked: null, called: null, edits: { 0: [], 2: [] }, gone: new AbortController(), clock: row.now * 1000 });
    this.host.logs.length = 0;
    this.host.exchange({ headers }, (q) => this.ask("pass", q.headers), { signal: this.gone.signal })
      .catch((e) => e).then((r) => { this.result = r; this.turn(); });
  }

  // The origin's answer: a header and, byte by byte, a body.
  reply(row, reply) {
    if (reply.status.startsWith("fail")) {
      const timeout = reply.status === "fail timeout";
      return this.origin.reject(Object.assign(new Error(reply.status), { timeout }));
    }
    const text = this.asked === "pass" ? sent(row, reply) : reply.body;
    this.origin.resolve({ headers: [[":status", reply.status], ...reply.fields.map((f) => this.pair(f))], body: [...text].map((c) => Buffer.from(c, "latin1")) });
  }

  // Does something and waits until the origin is to speak, or all is said.
  step(what) { return new Promise((turn) => { this.turn = turn; what(); }); }

  async run(row) {
    const replies = row.steps.filter((s) => s.status);
    if (row.want.at(-1).startsWith("pass untouched")) replies.push({ status: "200", fields: ["content-type: text/html"], body: "" });
    const busy = replies[0]?.status === "fail busy"; // the host has no room: its call fails
    this.host.fail = busy ? { name: "proxy_http_call" } : null;
    await this.step(() => this.request(row));
    if (busy) this.fetch(this.called), replies.shift();
    while (!this.result && replies.length) await this.step(() => this.reply(row, replies.shift()));
    if (!this.result) { // the row ends here: the client goes away
      await this.step(() => this.gone.abort());
      this.origin.reject(new Error("gone"));
    } else if (this.result instanceof Error) this.line(this.result.stack);
    else if (this.asked === "pass") this.response(this.result);
    else this.answer(this.result);
    return this.out.join("\n");
  }
}

// --- all rows, in all modes -----------------------------------------------------------------------------

const transcripts = table();
const names = transcripts.flatMap(([file, rows]) => rows.map((r) => `${file}: ${r.name}`));
same(names.filter((n, i) => names.indexOf(n) !== i), [], "no two rows of a file have the same name");
for (const mode in IMPOSSIBLE)
  for (const name in IMPOSSIBLE[mode]) ok(names.includes(name), `${mode}: the row "${name}", said to be impossible, is in the table`);

for (const mode in MODES)
  for (const [file, rows] of transcripts) {
    const masks = {};
    let edge;
    for (const row of rows) {
      const name = `${file}: ${row.name}`;
      if (IMPOSSIBLE[mode][name]) continue;
      if (!row.goesOn || !edge) edge = new Edge(mode, row, masks);
      if (edge.refused) { ok(false, `${mode}: ${name}`, "the configuration is refused"); continue; }
      same(await edge.run(row), expected(row), `${mode}: ${name}`);
      if (edge.host.faults.length) ok(false, `${mode}: ${name}: an illegal call`, edge.host.faults.join("\n")), (edge.host.faults = []);
    }
  }
ok(names.length > 100, `${names.length} rows`);
done();
