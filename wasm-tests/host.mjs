// A proxy-wasm host for tests, modelled on Envoy and strict: it refuses what Envoy refuses, and notes
// every call that a filter must not make. The filter under test is the built module itself.
//
// Rules modelled: header maps are gone once their callback returned Continue; get_header_map_value
// gives the first value only; bodies of a paused stream accumulate, within a buffer limit; only whole
// replacement, prepending and appending edit a buffer; pausing in response headers is a full stop,
// unless heldHeaders is set; headers with end-of-stream get no body callback; with trailers the body
// callback never says end-of-stream; a local reply runs through the response callbacks; the
// configuration is tried in a VM of its own first; shared data is the process's, not the VM's.
import http from "node:http";

const OK = 0, NOT_FOUND = 1, BAD_ARGUMENT = 2, INVALID_MEMORY = 6, CAS_MISMATCH = 8, INTERNAL = 10, UNIMPLEMENTED = 12;
const MAPS = { 0: "requestHeaders", 1: "requestTrailers", 2: "responseHeaders", 3: "responseTrailers", 6: "callHeaders", 7: "callTrailers" };
const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "te", "upgrade", "proxy-connection", "trailer"]);
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

export class Host {
  constructor(module, options = {}) {
    Object.assign(this, { module, config: "", clusters: {}, heldHeaders: false, bufferLimit: 1 << 20, fail: null,
      process: new Process(), observe: null, partialBodies: false,
      rootCalls: false, patienceMs: 10000, pairs: encodePairs, now: () => Date.now() * 1e6, logLevel: 2, properties: {} }, options);
    this.faults = []; // calls that no filter may make
    this.logs = [];
    this.calls = 0;
    this.streams = new Map();
    this.pending = new Map(); // http_call id → call
    this.nextId = 2;
    this.hostCalls = {};
  }

  // Instantiates the module, starts the root context, configures it. False: the configuration is refused.
  start() {
    this.phase = "initialize";
    this.instance = new WebAssembly.Instance(this.module, { env: this.imports() });
    this.x = this.instance.exports;
    this.x._initialize?.();
    this.phase = "run";
    this.current = 1;
    this.x.proxy_on_context_create(1, 0);
    if (this.x.proxy_on_vm_start && !this.x.proxy_on_vm_start(1, 0)) return false;
    return !this.x.proxy_on_configure || !!this.x.proxy_on_configure(1, bytes.encode(this.config).length);
  }

  // Envoy's way: the configuration is tried in one VM and then given to each worker's.
  static load(module, options) {
    const trial = new Host(module, options);
    if (!trial.start()) return { refused: true, logs: trial.logs };
    const host = new Host(module, options);
    host.refused = !host.start();
    return host;
  }

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
    if (type >= 6) return this.call?.[name] ?? null;
    return this.streams.get(this.current)?.maps[name] ?? null;
  }
  buffer(type) {
    if (type === 7) return { data: bytes.encode(this.config), fixed: true };
    if (type === 6) return { data: new Uint8Array(0), fixed: true };
    if (type === 4) return this.call ? { data: this.call.body, fixed: true } : null;
    const s = this.streams.get(this.current);
    return type === 0 ? s?.requestBody : type === 1 ? s?.responseBody : null;
  }

  imports() {
    const self = this;
    const table = {
      proxy_log: (level, p, len) => { self.logs.push({ level, message: text.decode(self.read(p, len)) }); return OK; },
      proxy_get_log_level: (out) => { self.put32(out, self.logLevel); return OK; },
      proxy_get_current_time_nanoseconds: (out) => { self.put64(out, Math.trunc(self.now())); return OK; },
      proxy_set_tick_period_milliseconds: (ms) => { self.tickMs = ms; return OK; },
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
        if (!m) return BAD_ARGUMENT;
        return self.give(self.pairs(m), pp, plen);
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
        s.resume(type);
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
        if (id !== 1 && !self.streams.has(id)) return BAD_ARGUMENT;
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

  localResponse(status, body, pairs) {
    const s = this.streams.get(this.current);
    if (!s) return this.fault("local response outside a stream");
    if (s.local || s.responseStarted) return this.fault("a second response on a stream");
    for (const [k, v] of pairs) if (/[\r\n\0]/.test(k + v)) this.fault("CR, LF or NUL in a header");
    const headers = [[":status", String(status)], ...pairs.map(([k, v]) => [k.toLowerCase(), v])];
    if (body.length && !header(headers, "content-type")) headers.push(["content-type", "text/plain"]);
    if (!header(headers, "content-length") && status !== 304 && status !== 204) headers.push(["content-length", String(body.length)]);
    s.local = { headers, body };
    return OK;
  }

  httpCall(cluster, headers, body, timeout, out) {
    const upstream = this.clusters[cluster];
    if (!upstream) return BAD_ARGUMENT;
    for (const need of [":method", ":path", ":authority"]) if (header(headers, need) === undefined) return BAD_ARGUMENT;
    const id = ++this.calls, context = this.current;
    this.put32(out, id);
    this.pending.set(id, context);
    let timer;
    const late = new Promise((r) => (timer = setTimeout(r, timeout, null)));
    Promise.race([Promise.resolve().then(() => upstream({ headers, body })), late]).catch(() => null)
      .then((r) => { clearTimeout(timer); this.callDone(id, context, r); });
    return OK;
  }
  callDone(id, context, r) {
    this.pending.delete(id);
    if (context !== 1 && !this.streams.has(context)) return; // the stream is gone: so is its call
    this.call = { callHeaders: r?.headers ?? [], callTrailers: r?.trailers ?? [], body: Buffer.concat([r?.body ?? []].flat().map((b) => Buffer.from(b))) };
    const told = this.rootCalls ? 1 : context; // some hosts name the root context
    this.in(told, () => this.x.proxy_on_http_call_response(told, id, this.call.callHeaders.length, this.call.body.length, this.call.callTrailers.length));
    this.call = null;
    this.streams.get(context)?.wake();
  }

  // Runs a callback in the context of a stream.
  in(id, callback) {
    this.current = id;
    try { return callback(); } finally { this.current = 1; }
  }

  tick() { this.in(1, () => this.x.proxy_on_tick?.(1)); }

  // One exchange. request: { headers: [[k, v]…], body: [chunks], trailers }; upstream: async ({ headers, body }) →
  // { headers, body: [chunks] | async iterable, trailers }. Resolves to { status, headers, body, trailers };
  // signal aborts it as a client would.
  async exchange(request, upstream, { signal } = {}) {
    const id = this.nextId++;
    const s = new Stream(this, id);
    this.streams.set(id, s);
    this.x.proxy_on_context_create(id, 1);
    try {
      return await Promise.race([s.run(request, upstream), ...(signal ? [new Promise((_, no) => signal.addEventListener("abort", () => no(new Error("client gone"))))] : [])]);
    } finally {
      this.in(id, () => { this.x.proxy_on_done?.(id); this.x.proxy_on_log?.(id); this.x.proxy_on_delete?.(id); });
      this.streams.delete(id);
    }
  }

  // An HTTP server: clients → filter → origin (host, port).
  listen(origin, port = 0) {
    const server = http.createServer(async (req, res) => {
      const headers = [[":method", req.method], [":path", req.url], [":authority", req.headers.host ?? ""], [":scheme", "http"]];
      for (let i = 0; i < req.rawHeaders.length; i += 2) {
        const k = req.rawHeaders[i].toLowerCase();
        if (k !== "host" && !HOP.has(k)) headers.push([k, req.rawHeaders[i + 1]]);
      }
      const body = [];
      for await (const c of req) body.push(c);
      const gone = new AbortController();
      res.on("close", () => { if (!res.writableFinished) gone.abort(); });
      try {
        const r = await this.exchange({ headers, body }, (q) => forward(origin, q), { signal: gone.signal });
        const out = r.headers.filter(([k]) => !k.startsWith(":") && !HOP.has(k)).flat();
        res.writeHead(Number(r.status), out);
        res.end(req.method === "HEAD" ? undefined : r.body);
      } catch (e) {
        if (e.code === "ECONNRESET") return res.destroy(); // the origin broke off: so do we
        res.writeHead(500, ["content-type", "text/plain"]);
        res.end(String(e.message));
      }
    });
    return new Promise((r) => server.listen(port, "127.0.0.1", () => r(server)));
  }
}

class Stream {
  constructor(host, id) {
    Object.assign(this, { host, id, maps: {}, requestBody: { data: Buffer.alloc(0) }, responseBody: { data: Buffer.alloc(0) }, local: null });
    this.waiting = null;
  }
  resume(type) { this.resumed = type; }
  wake() { const w = this.waiting; this.waiting = null; w?.(); }

  // Waits until the filter has said what comes next. After patienceMs: Envoy would hang.
  async settled(done) {
    const end = Date.now() + this.host.patienceMs;
    while (!done()) {
      if (!this.host.streams.has(this.id)) throw new Error("the stream is gone");
      if (Date.now() > end) throw new Error("hang: the filter paused and nothing resumes it");
      await new Promise((r) => { this.waiting = r; setTimeout(r, 20); });
    }
  }
  call(name, ...args) { return this.host.in(this.id, () => this.host.x[name]?.(this.id, ...args) ?? 0); }

  async run(request, upstream) {
    const m = this.maps, body = request.body ?? [];
    m.requestHeaders = request.headers.map(([k, v]) => [k.toLowerCase(), v]);
    const eos = body.length === 0 && !request.trailers;
    if (this.call("proxy_on_request_headers", m.requestHeaders.length, eos ? 1 : 0) === 1)
      await this.settled(() => this.local || this.resumed === 0);
    if (this.local) return this.reply();
    const headers = m.requestHeaders;
    m.requestHeaders = null; // gone after Continue
    for (let i = 0; i < body.length; i++) {
      this.requestBody.data = Buffer.from(body[i]);
      this.call("proxy_on_request_body", this.requestBody.data.length, i === body.length - 1 && !request.trailers ? 1 : 0);
      if (this.local) return this.reply();
      body[i] = this.requestBody.data;
    }
    if (request.trailers) {
      m.requestTrailers = request.trailers;
      this.call("proxy_on_request_trailers", request.trailers.length);
      m.requestTrailers = null;
    }
    if (this.local) return this.reply();
    const r = await upstream({ headers, body });
    return this.response(r, header(headers, ":method") === "HEAD"); // the filter may have changed it
  }

  // A local reply runs through the response callbacks, too.
  async reply() {
    this.local.running = true;
    this.maps.requestHeaders = null;
    return this.response({ headers: this.local.headers, body: this.local.body.length ? [this.local.body] : [] }, false);
  }

  async response(r, head) {
    const m = this.maps, limit = this.host.bufferLimit;
    m.responseHeaders = r.headers.map(([k, v]) => [k.toLowerCase(), String(v)]);
    const chunks = head ? [] : r.body ?? [];
    const status = header(m.responseHeaders, ":status");
    const bodyless = head || status === "304" || status === "204" || (Array.isArray(chunks) && chunks.length === 0);
    const eos = bodyless && !r.trailers;
    this.resumed = undefined;
    let held = this.call("proxy_on_response_headers", m.responseHeaders.length, eos ? 1 : 0) === 1;
    if (!this.local?.running && this.local) return this.reply();
    if (held && (eos || !this.host.heldHeaders)) {
      await this.settled(() => this.resumed === 1 || (this.local && !this.local.running));
      if (this.local && !this.local.running) return this.reply();
      held = false;
    }
    const headers = m.responseHeaders;
    const release = () => { m.responseHeaders = null; this.responseStarted = true; };
    if (!held) release();
    const out = [];
    const deliver = async (chunk, end) => {
      this.responseBody.data = this.host.partialBodies ? Buffer.from(chunk) : Buffer.concat([this.responseBody.data, chunk]);
      if (this.responseBody.data.length > limit && this.paused) throw Object.assign(new Error("response buffer limit"), { status: 500 });
      this.paused = this.call("proxy_on_response_body", this.responseBody.data.length, end ? 1 : 0) === 1;
      if (this.paused || (this.local && !this.local.running)) return;
      release();
      out.push(this.responseBody.data);
      this.responseBody.data = Buffer.alloc(0);
    };
    if (!eos && !bodyless) {
      let last = null;
      for await (const c of chunks) {
        if (last) await deliver(last, false);
        if (this.local && !this.local.running) return this.reply();
        last = Buffer.from(c);
      }
      await deliver(last ?? Buffer.alloc(0), !r.trailers);
      if (this.local && !this.local.running) return this.reply();
    }
    if (r.trailers) {
      m.responseTrailers = r.trailers;
      this.call("proxy_on_response_trailers", r.trailers.length);
      if (this.local && !this.local.running) return this.reply();
      m.responseTrailers = null;
    }
    out.push(this.responseBody.data);
    return { status: header(headers, ":status"), headers: headers.filter(([k]) => k !== ":status"), body: Buffer.concat(out), trailers: r.trailers };
  }
}

// Forwards one request to an origin over HTTP/1.1.
export function forward(origin, { headers, body = [] }) {
  return new Promise((resolve, reject) => {
    const plain = headers.filter(([k]) => !k.startsWith(":")).flat();
    const req = http.request({ host: origin.host ?? "127.0.0.1", port: origin.port, method: header(headers, ":method"), path: header(headers, ":path"),
      headers: ["host", header(headers, ":authority"), ...plain] }, async (res) => {
      const out = [[":status", String(res.statusCode)]];
      for (let i = 0; i < res.rawHeaders.length; i += 2) if (!HOP.has(res.rawHeaders[i].toLowerCase())) out.push([res.rawHeaders[i].toLowerCase(), res.rawHeaders[i + 1]]);
      const chunks = [];
      try {
        for await (const c of res) chunks.push(c);
        resolve({ headers: out, body: chunks });
      } catch (e) { reject(e); } // cut off
    });
    req.on("error", reject);
    for (const c of [body].flat()) if (c.length) req.write(c);
    req.end();
  });
}
