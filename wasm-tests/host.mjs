// A proxy-wasm host for tests, modelled on Envoy and strict: it refuses what Envoy refuses, and notes
// every call that a filter must not make. The filter under test is the built module itself.
//
// This file is the VM: imports, contexts, calls. host-stream.mjs is a stream on its way through the
// filter, host-http.mjs the same over HTTP.
//
// Rules of the VM (of streams: see there), all of them Envoy's:
// - A VM has any number of root contexts, each with a configuration and streams of its own. The
//   configuration is tried in a VM of its own first. Shared data and metrics are the process's.
// - A local response, for whatever stream, sets a stop flag of the VM: the result of the callback
//   under way is then overridden (4 for headers, 3 for a body, 1 for trailers).
// - Local responses and continued streams happen after the callback, in order; a stream that ends by
//   that gets on_done, on_log and on_delete at once.
// - A call belongs to the root context: its answer names it. A timeout and a refused connection are
//   answers of the host's client, 504 and 503 with a text; no answer at all (no field) is a reset.
// - Header maps are gone once their callback returned Continue, and read as empty then;
//   get_header_map_value gives the first value only.
import { Stream } from "./host-stream.mjs";

const OK = 0, NOT_FOUND = 1, BAD_ARGUMENT = 2, INVALID_MEMORY = 6, CAS_MISMATCH = 8, INTERNAL = 10, UNIMPLEMENTED = 12;
const MAPS = { 0: "requestHeaders", 1: "requestTrailers", 2: "responseHeaders", 3: "responseTrailers", 6: "callHeaders", 7: "callTrailers" };
const STOPPED = { headers: 4, body: 3, trailers: 1 };
const text = new TextDecoder(), bytes = new TextEncoder();
// Header values are byte strings in JavaScript's Latin-1 sense, as node:http has them.
const latin1 = (s) => Buffer.from(s, "latin1");

export function encodePairs(pairs) {
  const parts = pairs.map(([k, v]) => [latin1(k), latin1(v)]);
  const head = Buffer.alloc(4 + 8 * parts.length);
  head.writeUInt32LE(parts.length, 0);
  parts.forEach(([k, v], i) => { head.writeUInt32LE(k.length, 4 + 8 * i); head.writeUInt32LE(v.length, 8 + 8 * i); });
  return Buffer.concat([head, ...parts.flatMap(([k, v]) => [k, Buffer.of(0), v, Buffer.of(0)])]);
}

// As Envoy: a list whose length does not fit exactly is silently empty.
export function decodePairs(buf) {
  if (buf.length < 4) return [];
  const n = buf.readUInt32LE(0), out = [];
  let at = 4 + 8 * n;
  if (at > buf.length) return [];
  for (let i = 0; i < n; i++) {
    const k = buf.readUInt32LE(4 + 8 * i), v = buf.readUInt32LE(8 + 8 * i);
    if (at + k + v + 2 > buf.length) return [];
    out.push([buf.toString("latin1", at, at + k), buf.toString("latin1", at + k + 1, at + k + 1 + v)]);
    at += k + v + 2;
  }
  return at === buf.length ? out : [];
}

export const header = (pairs, name) => pairs.find(([k]) => k === name)?.[1];

// What all VMs of one process share.
export class Process {
  shared = new Map();
  cas = 1;
  metrics = new Map(); // name → { id, type, value }
}

// What Envoy's HTTP client says of a call that came to nothing; of a reset it says nothing.
const told = (status, line) => ({ headers: [[":status", String(status)], ["content-length", String(line.length)], ["content-type", "text/plain"]], body: Buffer.from(line) });
export const CLIENT = {
  timeout: told(504, "upstream request timeout"),
  connect: told(503, "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, transport failure reason: delayed connect error: Connection refused"),
  overflow: told(503, "upstream connect error or disconnect/reset before headers. reset reason: overflow"),
  reset: null,
};

export class Host {
  constructor(module, options = {}) {
    Object.assign(this, { module, config: "", clusters: {}, heldHeaders: false, bufferLimit: 1 << 20, fail: null,
      process: new Process(), observe: null, partsAlone: false, manual: false, ticks: true, silentFailures: false, slowClients: false,
      rootCalls: true, patienceMs: 10000, pairs: encodePairs, now: () => Date.now() * 1e6, logLevel: 2, properties: {} }, options);
    this.faults = []; // calls that no filter may make
    this.logs = [];
    this.calls = 0;
    this.streams = new Map();
    this.roots = new Map(); // id → { config, tick }
    this.pending = new Map(); // number of a call → { context, root, headers, timeout }
    this.nextId = 1;
    this.hostCalls = {};
    this.after = []; // what is done after the callback
    this.current = 0;
  }

  // Instantiates the module, starts a root context, configures it. False: the configuration is refused.
  start() {
    this.phase = "initialize";
    this.instance = new WebAssembly.Instance(this.module, { env: this.imports() });
    this.x = this.instance.exports;
    this.x._initialize?.();
    this.phase = "run";
    return this.addRoot(this.config) > 0;
  }

  // One more root context in the same VM, as for another filter or a configuration that changed; it
  // is the one of new streams. Returns its id, or 0: the configuration is refused.
  addRoot(config) {
    const id = this.nextId++;
    this.roots.set(id, { config, tick: 0 });
    this.enter(id, null, () => this.x.proxy_on_context_create(id, 0));
    const good = this.enter(id, null, () => this.x.proxy_on_vm_start?.(id, 0) ?? 1) && this.configure(id, config);
    if (good) this.root = id;
    else this.removeRoot(id);
    return good ? id : 0;
  }
  // Gives a root context a configuration, anew as well.
  configure(id, config) {
    this.roots.get(id).config = config;
    return !!this.enter(id, null, () => this.x.proxy_on_configure?.(id, bytes.encode(config).length) ?? 1);
  }
  // As a rule after its last stream; its calls are cancelled, unless the host keeps them.
  removeRoot(id, { keepCalls } = {}) {
    this.enter(id, null, () => this.x.proxy_on_done?.(id));
    this.enter(id, null, () => this.x.proxy_on_delete?.(id));
    this.roots.delete(id);
    for (const [call, c] of this.pending) if (c.root === id && !keepCalls) this.pending.delete(call);
  }

  // Envoy's way: the configuration is tried in one VM and then given to each worker's.
  static load(module, options) {
    const trial = new Host(module, options);
    if (!trial.start()) return { refused: true, logs: trial.logs };
    const host = new Host(module, options);
    host.refused = !host.start();
    return host;
  }

  // Runs a callback in a context; kind is that of its result, if it has one that counts.
  enter(id, kind, callback) {
    if (this.running) throw new Error("the VM is entered while it runs");
    let result;
    Object.assign(this, { running: true, stopped: false, current: id });
    try { result = callback(); } finally { this.running = false; this.current = 0; }
    if (kind && this.stopped) result = STOPPED[kind];
    this.stopped = false;
    while (this.after.length) this.after.shift()();
    return result;
  }
  in(id, callback) { return this.enter(id, null, callback); }
  tick(root = this.root) { this.enter(root, null, () => this.x.proxy_on_tick?.(root)); }
  rootOf(id) { return this.streams.get(id)?.root ?? id; }

  get memory() { return Buffer.from(this.x.memory.buffer); }
  fault(what) { this.faults.push(what); return BAD_ARGUMENT; }

  read(p, len) {
    if (p + len > this.x.memory.buffer.byteLength) throw new RangeError("memory");
    return Buffer.from(this.memory.subarray(p, p + len));
  }
  str(p, len) { return this.read(p, len).toString("latin1"); }
  put32(p, v) { this.memory.writeUInt32LE(v >>> 0, p); }
  put64(p, v) { this.memory.writeBigUInt64LE(BigInt.asUintN(64, BigInt(v)), p); }
  give(data, pp, plen) {
    let p = 0;
    if (data.length) {
      p = this.x.proxy_on_memory_allocate(data.length);
      if (!p) return INTERNAL;
      data.copy(this.memory, p);
    }
    this.put32(pp, p);
    this.put32(plen, data.length);
    return OK;
  }

  map(type) {
    const name = MAPS[type];
    if (!name) return null;
    if (type >= 6) return this.call && this.call.root === this.rootOf(this.current) ? this.call[name] : null;
    return this.streams.get(this.current)?.maps[name] ?? null;
  }
  buffer(type) {
    if (type === 7) return { data: bytes.encode(this.roots.get(this.current)?.config ?? ""), fixed: true };
    if (type === 6) return { data: new Uint8Array(0), fixed: true };
    if (type === 4) return this.call && this.call.root === this.rootOf(this.current) ? { data: this.call.body, fixed: true } : null;
    const s = this.streams.get(this.current);
    return type === 0 ? s?.requestBody : type === 1 ? s?.responseBuffer() : null;
  }

  imports() {
    const self = this;
    const table = {
      proxy_log: (level, p, len) => { self.logs.push({ level, message: text.decode(self.read(p, len)) }); return OK; },
      proxy_get_log_level: (out) => { self.put32(out, self.logLevel); return OK; },
      proxy_get_current_time_nanoseconds: (out) => { self.put64(out, Math.trunc(self.now())); return OK; },
      proxy_set_tick_period_milliseconds: (ms) => self.setTick(self.rootOf(self.current), ms),
      proxy_get_buffer_bytes: (type, start, max, pp, plen) => {
        const b = self.buffer(type);
        if (!b) return NOT_FOUND;
        if (start + max < start) return BAD_ARGUMENT;
        return self.give(Buffer.from(b.data.subarray(start, Math.min(b.data.length, start + max))), pp, plen);
      },
      proxy_set_buffer_bytes: (type, start, size, p, len) => {
        const b = self.buffer(type);
        if (!b) return NOT_FOUND;
        if (b.fixed) return BAD_ARGUMENT;
        const part = self.read(p, len);
        if (start === 0 && size === 0) b.data = Buffer.concat([part, b.data]);
        else if (start === 0 && size >= b.data.length) b.data = part;
        else if (start >= b.data.length) b.data = Buffer.concat([b.data, part]);
        else return self.fault("set_buffer_bytes inside the buffer");
        return OK;
      },
      proxy_get_buffer_status: (type, plen, pflags) => {
        const b = self.buffer(type);
        if (!b) return NOT_FOUND;
        self.put32(plen, b.data.length), self.put32(pflags, 0);
        return OK;
      },
      proxy_get_header_map_size: (type, out) => {
        const m = self.map(type);
        if (!m) return BAD_ARGUMENT;
        self.put32(out, encodePairs(m).length);
        return OK;
      },
      proxy_get_header_map_pairs: (type, pp, plen) => {
        const m = self.map(type);
        return self.give(m ? self.pairs(m) : Buffer.alloc(0), pp, plen);
      },
      proxy_set_header_map_pairs: (type, p, len) => self.edit(type, (m) => m.splice(0, m.length, ...decodePairs(self.read(p, len)))),
      proxy_get_header_map_value: (type, k, klen, pp, plen) => {
        const m = self.map(type);
        if (!m) return BAD_ARGUMENT;
        const v = header(m, self.str(k, klen).toLowerCase());
        return v === undefined ? NOT_FOUND : self.give(latin1(v), pp, plen);
      },
      proxy_add_header_map_value: (type, k, klen, v, vlen) => self.edit(type, (m) => m.push(self.pair(k, klen, v, vlen))),
      proxy_replace_header_map_value: (type, k, klen, v, vlen) => self.edit(type, (m) => {
        const [key, value] = self.pair(k, klen, v, vlen);
        const i = m.findIndex(([name]) => name === key);
        for (let j = m.length - 1; j > i && i >= 0; j--) if (m[j][0] === key) m.splice(j, 1);
        if (i >= 0) m[i] = [key, value]; else m.push([key, value]);
      }),
      proxy_remove_header_map_value: (type, k, klen) => self.edit(type, (m) => {
        const key = self.str(k, klen).toLowerCase();
        if (key === ":status") self.fault("removes :status");
        for (let j = m.length - 1; j >= 0; j--) if (m[j][0] === key) m.splice(j, 1);
      }),
      proxy_get_property: (p, len, pp, plen) => {
        const v = self.properties[self.str(p, len).replaceAll("\0", ".")];
        return v === undefined ? NOT_FOUND : self.give(latin1(v), pp, plen);
      },
      proxy_set_property: () => OK,
      proxy_send_local_response: (status, d, dlen, b, blen, pairs, plen) => self.localResponse(status, self.read(b, blen), decodePairs(self.read(pairs, plen))),
      proxy_continue_stream: (type) => {
        const s = self.streams.get(self.current);
        if (!s || s.local) return self.fault("continue_stream without a paused stream");
        self.after.push(() => s.resume(type));
        return OK;
      },
      proxy_close_stream: () => OK,
      proxy_get_shared_data: (k, klen, pp, plen, pcas) => {
        const e = self.process.shared.get(self.str(k, klen));
        if (!e) return NOT_FOUND;
        self.put32(pcas, e.cas);
        return self.give(e.value, pp, plen);
      },
      proxy_set_shared_data: (k, klen, p, len, cas) => {
        const key = self.str(k, klen), e = self.process.shared.get(key);
        if (cas && e && e.cas !== cas) return CAS_MISMATCH;
        self.process.shared.set(key, { value: self.read(p, len), cas: ++self.process.cas });
        return OK;
      },
      proxy_define_metric: (type, p, len, out) => {
        const name = self.str(p, len), m = self.process.metrics;
        if (!m.has(name)) m.set(name, { id: m.size + 1, type, value: 0n });
        self.put32(out, m.get(name).id);
        return OK;
      },
      proxy_increment_metric: (id, by) => self.metric(id, (m) => (m.value += by)),
      proxy_record_metric: (id, v) => self.metric(id, (m) => (m.value = v)),
      proxy_get_metric: (id, out) => self.metric(id, (m) => self.put64(out, m.value)),
      proxy_http_call: (c, clen, h, hlen, b, blen, t, tlen, timeout, out) =>
        self.httpCall(self.str(c, clen), decodePairs(self.read(h, hlen)), self.read(b, blen), timeout, out),
      proxy_done: () => OK,
      proxy_set_effective_context: (id) => {
        if (!self.roots.has(id) && !self.streams.has(id)) return BAD_ARGUMENT;
        self.current = id;
        return OK;
      },
      proxy_call_foreign_function: () => NOT_FOUND,
    };
    const early = new Set(["proxy_log", "proxy_get_log_level", "proxy_get_current_time_nanoseconds"]);
    return new Proxy(table, { get: (t, name) => (...args) => {
      self.hostCalls[name] = (self.hostCalls[name] ?? 0) + 1;
      if (self.phase === "initialize" && !early.has(name)) return self.fault(`${name} during _initialize`);
      self.observe?.(name, args.map((a) => (typeof a === "number" ? a >>> 0 : a)));
      if (self.fail?.name === name && self.hostCalls[name] >= (self.fail.at ?? 1)) return self.fail.status ?? INTERNAL;
      const s = self.streams.get(self.current);
      if (s?.local && !s.local.running && /header_map|buffer|local|http_call/.test(name)) self.fault(`${name} after a local response`);
      if (!t[name]) return UNIMPLEMENTED;
      try { return t[name](...args.map((a) => (typeof a === "number" ? a >>> 0 : a))); }
      catch (e) { if (e instanceof RangeError) return INVALID_MEMORY; throw e; }
    } });
  }

  pair(k, klen, v, vlen) {
    const key = this.str(k, klen).toLowerCase(), value = this.str(v, vlen);
    if (/[\r\n\0]/.test(key + value)) this.fault("CR, LF or NUL in a header");
    return [key, value];
  }
  edit(type, change) {
    const m = this.map(type);
    if (!m || type >= 6) return BAD_ARGUMENT;
    change(m);
    return OK;
  }
  metric(id, act) {
    for (const m of this.process.metrics.values()) if (m.id === id) return act(m), OK;
    return NOT_FOUND;
  }

  setTick(root, ms) {
    const r = this.roots.get(root);
    if (!this.ticks || !r) return UNIMPLEMENTED;
    r.tick = ms;
    clearInterval(r.timer);
    if (ms && !this.manual) (r.timer = setInterval(() => (this.roots.has(root) ? this.tick(root) : clearInterval(r.timer)), ms)).unref();
    return OK;
  }

  localResponse(status, body, pairs) {
    const s = this.streams.get(this.current);
    this.stopped = true; // of the VM, not of the stream
    if (!s) return this.fault("local response outside a stream");
    if (s.local || s.headersSent) return this.fault("a second response on a stream");
    for (const [k, v] of pairs) if (/[\r\n\0]/.test(k + v)) this.fault("CR, LF or NUL in a header");
    s.local = { running: false };
    this.after.push(() => s.localReply(status, body, pairs.map(([k, v]) => [k.toLowerCase(), v])));
    return OK;
  }

  // Manual: the call waits for answerCall. Else the cluster's function answers.
  httpCall(cluster, headers, body, timeout, out) {
    const upstream = this.clusters[cluster];
    if (!upstream) return BAD_ARGUMENT;
    for (const need of [":method", ":path", ":authority"]) if (header(headers, need) === undefined) return BAD_ARGUMENT;
    const id = ++this.calls;
    this.put32(out, id);
    this.pending.set(id, { context: this.current, root: this.rootOf(this.current), headers, timeout });
    if (this.manual) return OK;
    let timer;
    const late = new Promise((r) => (timer = setTimeout(r, timeout, CLIENT.timeout)));
    const why = (e) => (e?.timeout ? CLIENT.timeout : e?.reset ? CLIENT.reset : CLIENT.connect);
    Promise.race([Promise.resolve().then(() => upstream({ headers, body })), late]).catch(why)
      .then((r) => { clearTimeout(timer); this.answerCall(id, r); });
    return OK;
  }
  answerCall(id, r) {
    const call = this.pending.get(id);
    if (!this.pending.delete(id)) return;
    const told = this.rootCalls ? call.root : call.context; // some hosts name the stream
    if (!this.rootCalls && !this.streams.has(told)) return; // it is gone: so is its call
    if (this.silentFailures && Object.values(CLIENT).includes(r)) r = null;
    this.call = { root: call.root, callHeaders: r?.headers ?? [], callTrailers: r?.trailers ?? [], body: Buffer.concat([r?.body ?? []].flat().map((b) => Buffer.from(b))) };
    const { callHeaders, callTrailers, body } = this.call;
    this.after.push(() => (this.call = null));
    this.enter(told, null, () => this.x.proxy_on_http_call_response(told, id, callHeaders.length, body.length, callTrailers.length));
  }

  // A stream, for tests that make its events themselves; see host-stream.mjs.
  open(on, root = this.root) {
    const id = this.nextId++, s = new Stream(this, id, root, on);
    this.streams.set(id, s);
    this.enter(id, null, () => this.x.proxy_on_context_create(id, root));
    return s;
  }

  // One exchange. request: { headers: [[k, v]…], body: [chunks], trailers }; upstream: async ({ headers, body }) →
  // { headers, body: [chunks] | async iterable, trailers }. Resolves to { status, headers, body, trailers };
  // signal aborts it as a client would.
  exchange(request, upstream, { signal, root } = {}) {
    return new Promise((resolve, reject) => {
      let asking = false, timer;
      const fail = (e) => { clearTimeout(timer); reject(e); s.reset(); };
      const s = this.open({
        upstream: async (q) => {
          asking = true;
          try { await s.respond(await upstream(q), header(q.headers, ":method") === "HEAD"); } catch (e) { fail(e); }
          asking = false;
        },
        end: (r) => { clearTimeout(timer); r.broken ? reject(new Error(r.broken)) : resolve(r); },
      }, root);
      const watch = () => {
        if (asking || this.pending.size) timer = setTimeout(watch, this.patienceMs);
        else fail(new Error("hang: the filter paused and nothing resumes it"));
      };
      timer = setTimeout(watch, this.patienceMs);
      signal?.addEventListener("abort", () => fail(new Error("client gone")));
      try { s.request(request.headers, request.body, request.trailers); } catch (e) { fail(e); }
    });
  }
}
