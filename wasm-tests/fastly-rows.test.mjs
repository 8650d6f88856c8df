// Every row of the exchange's table, the transcripts of shared/exchange/cases/exchange, through the built program for
// Fastly Compute. As in filter-rows.test.mjs, a transcript is written anew from what the host sees: requests to the
// backend, edits of header fields, answers, log lines, the cache.
//
// What differs by the platform: a request always has a scheme, which the origin is told as x-forwarded-proto; an answer's
// Content-Length of 0 is written by the host.
import fs from "node:fs";
import { Fastly, Pool, TAG } from "./fastly-host.mjs";
import { ok, same, done } from "./tap.mjs";
import { expected, sent, shownBody, shownField, table } from "./transcripts.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_FASTLY ?? "build/adit-fastly.wasm"));
const FAILS = { "fail timeout": TAG.responseTimeout, "fail connect": TAG.refused, "fail busy": TAG.limit };
const pool = new Pool(true);

class Edge {
  constructor(row, masks) {
    Object.assign(this, { masks, row });
    this.host = new Fastly(module, { pool, ip: null, now: () => this.row.now, stores: { adit: { "adit.json": JSON.stringify(row.config), requests: "1000" } },
      observe: (...a) => this.observe(...a), backends: { [row.config.upstream?.cluster ?? "origin"]: (q) => this.ask(q) } });
  }

  observe(what, key, value) {
    if (what === "lookup" && key.startsWith("adit memory ")) this.out.push(value ? "recall hit" : "recall miss");
    if (what === "insert" && key.startsWith("adit memory ")) this.remembers = true;
  }

  line(...lines) { this.out.push(...lines); }
  edits(list) { // a path is set by its URI
    this.line(...list.map(([op, k, v]) => (op === "path" ? `  path: ${k.slice(k.indexOf("/", 8))}` : `  ${op} ${k}${v && ": " + v}`)));
  }
  field(name, value, body) { this.line(shownField(this.masks, name, value, body)); }

  // The program asks the origin, or lets the request pass to it: it is the row's turn.
  ask(q) {
    if (this.over) throw new Error("gone");
    const at = q.uri.indexOf("/", 8);
    this.asked = q.downstream ? "pass" : "fetch";
    if (q.downstream) { this.line("pass"); this.edits(q.edits); } else {
      this.line(`fetch ${q.uri.slice(8, at)} ${q.uri.slice(at)}`);
      for (const [k, v] of q.headers) if (k !== "host" && (k !== "x-forwarded-proto" || this.row.steps[0].fields.some((f) => f.startsWith(k)))) this.field(k, v);
    }
    return new Promise((resolve, reject) => { this.origin = { resolve, reject }; this.turn(); });
  }

  answer(r) {
    const log = this.host.logs.filter((l) => l.message[0] === "{").map((l) => JSON.parse(l.message)).at(-1) ?? {};
    const body = this.row.steps[0].method === "HEAD" ? "" : r.body.toString("latin1"); // the host knows
    this.line(`answer ${r.status} ${log.adit}${log.reason === "none" ? "" : " " + log.reason}`);
    for (const [k, v] of r.headers) if (k !== "content-length" || v !== "0") this.field(k, v, r.status === 200 ? body : undefined);
    if (body) this.line(shownBody(r.status, body));
    if (this.remembers) this.line("remember");
  }

  pair(line) {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trim().replaceAll("$ETAG", this.masks.etag)];
  }

  async visit(s) {
    const pairs = s.fields.map((f) => this.pair(f)), authority = pairs.find(([k]) => k === "host")?.[1] ?? "example.com";
    const r = await this.host.get(`https://${authority}${s.target}`, [["host", authority], ...pairs.filter(([k]) => k !== "host")], { method: s.method });
    // The rest of what the program does comes after its answer: then it waits for a request, or ends.
    while (!this.host.idle.size && this.host.running.size) await new Promise((r) => { this.host.onIdle = this.host.onEnd = r; });
    return r;
  }

  reply(reply) {
    if (reply.status.startsWith("fail")) return this.origin.reject(Object.assign(new Error(reply.status), { tag: FAILS[reply.status] }));
    const text = this.asked === "pass" ? sent(this.row, reply) : reply.body;
    this.origin.resolve({ status: Number(reply.status), headers: reply.fields.map((f) => this.pair(f)), body: [...text].map((c) => Buffer.from(c, "latin1")) });
  }

  // Does something and waits until the origin is to speak, or all is said.
  step(what) { return new Promise((turn) => { this.turn = turn; what(); }); }

  async run(row) {
    const replies = row.steps.filter((s) => s.status);
    if (row.want.at(-1).startsWith("pass untouched")) replies.push({ status: "200", fields: ["content-type: text/html"], body: "" });
    Object.assign(this, { row, out: [], remembers: false, result: null, asked: null, over: false });
    this.host.logs.length = 0;
    await this.step(() => this.visit(row.steps[0]).catch((e) => e).then((r) => { this.result = r; this.turn(); }));
    while (!this.result && replies.length) await this.step(() => this.reply(replies.shift()));
    if (!this.result) { // the row ends here
      const said = this.out.length;
      this.over = true;
      await this.step(() => this.origin.reject(new Error("gone")));
      this.out.length = said;
    }
    else if (this.result instanceof Error) this.line(this.result.stack);
    else if (this.asked === "pass") { this.line("response"); this.edits(this.result.edits); this.line(`<<<${this.result.body.toString("latin1")}>>>`); }
    else this.answer(this.result);
    return this.out.join("\n");
  }
}

let rows = 0;
for (const [file, list] of table()) {
  const masks = {};
  let edge;
  for (const row of list) {
    if (!row.goesOn || !edge) { await edge?.host.close(); edge = new Edge(row, masks); }
    same(await edge.run(row), expected(row), `${file}: ${row.name}`);
    if (edge.host.faults.length || edge.host.traps.length) ok(false, `${file}: ${row.name}: an illegal call`, ...edge.host.faults.splice(0), ...edge.host.traps.splice(0));
    rows++;
  }
  await edge.host.close();
}
await pool.close();
ok(rows > 100, `${rows} rows`);
done();
