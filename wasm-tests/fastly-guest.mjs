// One thread of the Fastly test host (fastly-host.mjs): runs a guest, a WASI command, and answers its host
// calls. Messages (method, URI, header fields) and bodies that the guest writes live here; whatever has to
// wait (backends, streams, the cache, the next request) is asked of the main thread, while this one sleeps.
//
// Strict where Fastly is: handles of each kind have their own numbers, from 0; what was sent is gone; a
// streaming body cannot be read; names and values of fields are checked.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

export const STATUS = { OK: 0, ERROR: 1, INVAL: 2, BADF: 3, BUFLEN: 4, UNSUPPORTED: 5, HTTP_INVALID: 7, HTTP_USER: 8, INCOMPLETE: 9, NONE: 10, LIMIT: 13, AGAIN: 14 };
const { OK, ERROR, INVAL, BADF, BUFLEN, UNSUPPORTED, HTTP_INVALID, HTTP_USER, INCOMPLETE, NONE } = STATUS;
class Failure extends Error { constructor(status) { super(`status ${status}`); this.status = status; } }
class Exit extends Error { constructor(code) { super("exit"); this.code = code; } }
const fail = (status) => { throw new Failure(status); };
const latin = (b) => Buffer.from(b.buffer, b.byteOffset, b.byteLength).toString("latin1");

// --- asking the main thread -----------------------------------------------------------------------------

const { port, flag } = workerData;
function ask(op, ...args) {
  Atomics.store(flag, 0, 0);
  port.postMessage([op, ...args]);
  while (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0); // the notice of the last answer may come late
  const { result, status } = receiveMessageOnPort(port).message;
  if (status) fail(status);
  return result;
}

// --- a guest ----------------------------------------------------------------------------------------------

class Table { // handles of one kind
  constructor() { this.list = []; }
  add(v) { return this.list.push(v) - 1; }
  get(h) { return this.list[h] ?? fail(BADF); }
  take(h) { const v = this.get(h); this.list[h] = undefined; return v; }
}

class Guest {
  constructor({ module, request, failing }) {
    Object.assign(this, { requests: new Table(), responses: new Table(), items: new Table(), stores: new Table(), endpoints: new Table(), failing, faults: [], calls: {} });
    this.deliver(request);
    const began = performance.now();
    this.instance = new WebAssembly.Instance(module, new Proxy({}, { get: (_, m) => (m === "wasi_snapshot_preview1" ? this.wasi() : this.module(m)) }));
    this.memory = this.instance.exports.memory;
    Object.assign(this, { startMs: performance.now() - began, hostMs: 0 });
  }
  deliver(request) {
    this.now = request.now;
    this.downstream = { request: this.requests.add({ method: request.method, uri: request.uri, headers: request.headers, edits: [], ip: request.ip, downstream: true }), body: this.items.add({ parts: request.parts }) };
    return this.downstream;
  }
  // ownMs: the time that was not the host's.
  run() {
    const began = performance.now(), end = (how) => ({ ...how, startMs: this.startMs, ownMs: performance.now() - began - this.hostMs });
    try { this.instance.exports._start(); return end({}); } catch (e) {
      return end(e instanceof Exit ? { code: e.code } : { trap: e.stack });
    }
  }

  // Memory.
  get view() { return new DataView(this.memory.buffer); }
  bytes(p, n) { return new Uint8Array(this.memory.buffer, p >>> 0, n >>> 0); }
  text(p, n) { return latin(this.bytes(p, n)); }
  u32(p, v) { this.view.setUint32(p >>> 0, v, true); }
  u64(p, v) { this.view.setBigUint64(p >>> 0, BigInt(v), true); }
  give(bytes, p, max, len) {
    this.u32(len, bytes.length);
    if (bytes.length > max >>> 0) fail(BUFLEN);
    this.bytes(p, bytes.length).set(bytes);
  }
  // Elements with a NUL behind each, as many as fit.
  giveList(list, p, max, cursor, next, len) {
    let at = 0, i = cursor >>> 0;
    for (; i < list.length && at + list[i].length + 1 <= max >>> 0; i++) {
      this.bytes(p + at, list[i].length + 1).set(Buffer.from(list[i] + "\0", "latin1"));
      at += list[i].length + 1;
    }
    this.u32(len, at);
    if (i < list.length && at === 0) { this.u32(len, list[i].length + 1); fail(BUFLEN); }
    this.view.setBigInt64(next >>> 0, i < list.length ? BigInt(i) : -1n, true);
  }

  module(name) {
    const known = Modules[name]?.(this) ?? {};
    return new Proxy(known, { get: (t, f) => (...args) => this.call(`${name}.${f}`, t[f], args) });
  }
  call(name, f, args) {
    const n = (this.calls[name] = (this.calls[name] ?? 0) + 1);
    if (this.failing?.name === name && n >= (this.failing.at ?? 1)) return this.failing.status ?? ERROR;
    if (!f) return UNSUPPORTED;
    const began = performance.now();
    try { f(...args); return OK; } catch (e) {
      if (!(e instanceof Failure)) throw e;
      if (e.status === BADF || (e.status === INVAL && !/header_remove|send_async/.test(name))) this.faults.push(`${name}(${args}): status ${e.status}`);
      return e.status;
    } finally { this.hostMs += performance.now() - began; }
  }

  wasi() {
    const known = {
      args_sizes_get: (n, len) => (this.u32(n, 0), this.u32(len, 0), 0), args_get: () => 0,
      environ_sizes_get: (n, len) => (this.u32(n, 0), this.u32(len, 0), 0), environ_get: () => 0,
      clock_time_get: (id, precision, p) => (this.u64(p, id === 0 ? BigInt(Math.round((this.now ?? Date.now() / 1000) * 1e3)) * 1000000n : process.hrtime.bigint()), 0),
      clock_res_get: (id, p) => (this.u64(p, 1000), 0),
      random_get: (p, n) => (crypto.getRandomValues(this.bytes(p, n)), 0),
      fd_write: (fd, list, n, count) => {
        let put = 0;
        for (let i = 0; i < n; i++) {
          const p = this.view.getUint32(list + 8 * i, true), len = this.view.getUint32(list + 8 * i + 4, true);
          ask("log", fd === 2 ? "stderr" : "stdout", this.text(p, len));
          put += len;
        }
        this.u32(count, put);
        return 0;
      },
      fd_fdstat_get: (fd, p) => (fd > 2 ? 8 : (this.bytes(p, 24).fill(0), this.view.setUint8(p, 2), 0)),
      fd_prestat_get: () => 8, fd_close: () => 0,
      poll_oneoff: (subs, events, n, count) => { // sleeping only
        const ms = Number(this.view.getBigUint64(subs + 24, true)) / 1e6;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.max(ms, 0));
        this.bytes(events, 32).fill(0);
        this.u32(count, 1);
        return 0;
      },
      proc_exit: (code) => { throw new Exit(code); },
    };
    return new Proxy(known, { get: (t, f) => t[f] ?? (() => 52) });
  }

  // Bodies: { parts: [bytes or { stream }], sink: the main thread's number once it streams }.
  readable(h) { const b = this.items.get(h); return b.parts ? b : fail(BADF); }
  readBody(b, max) {
    while (b.parts.length) {
      const first = b.parts[0];
      if (first.stream !== undefined) {
        const got = first.ahead ?? ask("read", first.stream, max);
        first.ahead = got.length > max ? got.subarray(max) : undefined;
        if (got.length) return got.subarray(0, max);
        b.parts.shift();
      } else {
        const got = first.subarray(0, max);
        if (got.length === first.length) b.parts.shift(); else b.parts[0] = first.subarray(max);
        if (got.length) return got;
      }
    }
    return new Uint8Array(0);
  }
  waiting(h) { // what the main thread has to look at; null: it is ready
    const item = this.items.get(h);
    if (item.parts) return item.parts[0]?.stream === undefined || item.parts[0].ahead ? null : { stream: item.parts[0].stream };
    if (item.pending !== undefined) return { pending: item.pending };
    if (item.busy !== undefined) return { busy: item.busy };
    if (item.promise !== undefined) return { promise: item.promise };
    return null;
  }
}

// --- the modules ------------------------------------------------------------------------------------------

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const fieldCalls = (g, table) => {
  const of = (h) => table.get(h), name = (p, n) => { const s = g.text(p, n); return TOKEN.test(s) ? s.toLowerCase() : fail(HTTP_INVALID); };
  const value = (p, n) => { const s = g.text(p, n); return VALUE.test(s) ? s : fail(HTTP_INVALID); };
  return {
    header_names_get: (h, p, max, cursor, next, len) => g.giveList([...new Set(of(h).headers.map(([k]) => k))], p, max, cursor, next, len),
    header_values_get: (h, np, nn, p, max, cursor, next, len) => { const k = name(np, nn); g.giveList(of(h).headers.filter(([x]) => x === k).map(([, v]) => v), p, max, cursor, next, len); },
    header_insert: (h, np, nn, vp, vn) => {
      const m = of(h), k = name(np, nn), v = value(vp, vn), at = m.headers.findIndex(([x]) => x === k);
      m.headers = m.headers.filter(([x], i) => x !== k || i === at);
      if (at < 0) m.headers.push([k, v]); else m.headers[m.headers.findIndex(([x]) => x === k)] = [k, v];
      m.edits.push(["set", k, v]);
    },
    header_append: (h, np, nn, vp, vn) => { const m = of(h), field = [name(np, nn), value(vp, vn)]; m.headers.push(field); m.edits.push(["add", ...field]); },
    header_remove: (h, np, nn) => {
      const m = of(h), k = name(np, nn), left = m.headers.filter(([x]) => x !== k);
      if (left.length === m.headers.length) fail(INVAL);
      m.headers = left;
      m.edits.push(["remove", k, ""]);
    },
    version_get: (h, p) => (of(h), g.u32(p, 2)),
    framing_headers_mode_set: (h) => void of(h),
    close: (h) => void table.take(h),
  };
};

const Modules = {
  fastly_http_req: (g) => ({
    ...fieldCalls(g, g.requests),
    body_downstream_get: (r, b) => { g.u32(r, g.downstream.request); g.u32(b, g.downstream.body); },
    new: (out) => g.u32(out, g.requests.add({ method: "GET", uri: "http://example.com/", headers: [], edits: [] })),
    method_get: (h, p, max, len) => g.give(Buffer.from(g.requests.get(h).method, "latin1"), p, max, len),
    method_set: (h, p, n) => { g.requests.get(h).method = g.text(p, n); },
    uri_get: (h, p, max, len) => g.give(Buffer.from(g.requests.get(h).uri, "latin1"), p, max, len),
    uri_set: (h, p, n) => {
      const r = g.requests.get(h), uri = g.text(p, n);
      if (!/^https?:\/\/[^/?#\s]+[^\s#]*$/.test(uri)) fail(HTTP_INVALID);
      r.uri = uri;
      r.edits.push(["path", uri, ""]);
    },
    cache_override_v2_set: (h) => void g.requests.get(h),
    auto_decompress_response_set: (h) => void g.requests.get(h),
    send_async: (h, b, p, n, out) => g.u32(out, send(g, h, b, g.text(p, n), false)),
    send_async_streaming: (h, b, p, n, out) => g.u32(out, send(g, h, b, g.text(p, n), true)),
    send_async_v2: (h, b, p, n, streaming, out) => g.u32(out, send(g, h, b, g.text(p, n), !!streaming)),
    pending_req_wait_v2: (h, detail, resp, body) => {
      const r = ask("wait", g.items.take(h).pending ?? fail(BADF));
      g.u32(detail, r.tag ?? 1);
      if (r.tag) fail(r.status ?? ERROR);
      g.u32(resp, g.responses.add({ status: r.status, headers: r.headers, edits: [] }));
      g.u32(body, g.items.add({ parts: [{ stream: r.stream }], length: r.length }));
    },
  }),
  fastly_http_downstream: (g) => ({
    downstream_client_ip_addr: (h, p, len) => { const { ip } = g.requests.get(h); if (!ip) fail(NONE); g.bytes(p, ip.length).set(ip); g.u32(len, ip.length); },
    downstream_server_ip_addr: (h, p, len) => { g.bytes(p, 4).set([127, 0, 0, 1]); g.u32(len, 4); },
    next_request: (mask, options, out) => g.u32(out, g.items.add({ promise: ask("next", mask & 2 ? Number(g.view.getBigUint64(options, true)) : 0) })),
    next_request_wait: (h, r, b) => {
      const d = g.deliver(ask("nextWait", g.items.take(h).promise ?? fail(BADF)));
      g.u32(r, d.request), g.u32(b, d.body);
    },
  }),
  fastly_http_resp: (g) => ({
    ...fieldCalls(g, g.responses),
    new: (out) => g.u32(out, g.responses.add({ status: 200, headers: [], edits: [] })),
    status_get: (h, p) => g.view.setUint16(p, g.responses.get(h).status, true),
    status_set: (h, status) => { const r = g.responses.get(h); if (status < 100 || status > 999) fail(HTTP_INVALID); r.status = status; },
    send_downstream: (h, b, streaming) => {
      const { status, headers, edits } = g.responses.take(h), body = streaming ? g.readable(b) : g.items.take(b);
      if (!body.parts) fail(BADF);
      const sink = ask("respond", { status, headers, edits, parts: body.parts, streaming: !!streaming, faults: g.faults });
      if (streaming) Object.assign(body, { parts: undefined, sink });
    },
  }),
  fastly_http_body: (g) => ({
    new: (out) => g.u32(out, g.items.add({ parts: [] })),
    read: (h, p, max, len) => { const got = g.readBody(g.readable(h), max >>> 0); g.bytes(p, got.length).set(got); g.u32(len, got.length); },
    write: (h, p, n, end, len) => {
      const b = g.items.get(h), bytes = g.bytes(p, n).slice();
      if (b.sink !== undefined) { if (end) fail(INVAL); ask("write", b.sink, bytes); } else if (!b.parts) fail(BADF);
      else if (end) b.parts.unshift(bytes); else b.parts.push(bytes);
      g.u32(len, n);
    },
    append: (to, from) => {
      const dest = g.items.get(to), src = g.items.take(from);
      if (!src.parts) fail(BADF);
      const parts = src.parts.flatMap(({ ahead, ...p }, i) => (ahead ? [ahead, p] : [src.parts[i]]));
      if (dest.sink !== undefined) ask("pipe", dest.sink, parts); else if (dest.parts) dest.parts.push(...parts); else fail(BADF);
    },
    close: (h) => { const b = g.items.take(h); if (b.sink !== undefined) ask("end", b.sink); else ask("drop", b.parts ?? fail(BADF)); },
    abandon: (h) => { const b = g.items.take(h); if (b.sink !== undefined) ask("abandon", b.sink); else ask("drop", b.parts ?? fail(BADF)); },
    known_length: (h, out) => { const b = g.readable(h); if (b.parts.some((p) => p.stream !== undefined)) { if (b.length === undefined) fail(NONE); g.u64(out, b.length); } else g.u64(out, b.parts.reduce((n, p) => n + p.length, 0)); },
  }),
  fastly_async_io: (g) => ({
    select: (list, n, timeout, out) => {
      const handles = Array.from({ length: n }, (_, i) => g.view.getUint32(list + 4 * i, true)), all = handles.map((h) => g.waiting(h));
      const { at, ahead } = all.includes(null) ? { at: all.indexOf(null) } : ask("select", all, timeout);
      if (ahead) g.items.get(handles[at]).parts[0].ahead = ahead; // the answer to a read that is sure to follow
      g.u32(out, at);
    },
    is_ready: (h, out) => { const w = g.waiting(h); g.u32(out, w ? ask("isReady", w) : 1); },
  }),
  fastly_cache: (g) => {
    const ns = (p) => Number(g.view.getBigUint64(p, true)) / 1e6, at = (p) => g.view.getUint32(p, true);
    const options = (mask, p) => ({ maxAge: ns(p), stale: mask & 16 ? ns(p + 32) : 0, keys: mask & 32 ? g.text(at(p + 40), at(p + 44)).split(" ") : [],
      length: mask & 64 ? Number(g.view.getBigUint64(p + 48, true)) : undefined, metadata: mask & 128 ? g.bytes(at(p + 56), at(p + 60)).slice() : new Uint8Array(0) });
    const entry = (h) => g.items.get(h).cache ?? fail(BADF);
    const age = (p, what) => { const v = entry(p).object ?? fail(NONE); return v[what]; };
    return {
      lookup: (p, n, mask, o, out) => g.u32(out, g.items.add({ cache: ask("lookup", g.text(p, n)) })),
      insert: (p, n, mask, o, out) => g.u32(out, g.items.add({ sink: ask("insert", g.text(p, n), options(mask, o)) })),
      transaction_lookup: (p, n, mask, o, out) => g.u32(out, g.items.add({ cache: ask("busyWait", ask("transaction", g.text(p, n))) })),
      transaction_lookup_async: (p, n, mask, o, out) => g.u32(out, g.items.add({ busy: ask("transaction", g.text(p, n)) })),
      cache_busy_handle_wait: (h, out) => g.u32(out, g.items.add({ cache: ask("busyWait", g.items.take(h).busy ?? fail(BADF)) })),
      close_busy: (h) => ask("busyClose", g.items.take(h).busy ?? fail(BADF)),
      transaction_insert: (h, mask, o, out) => { const c = entry(h); if (!(c.state & 8)) fail(INVAL); c.state &= ~8; g.u32(out, g.items.add({ sink: ask("fulfil", c.id, options(mask, o)) })); },
      transaction_insert_and_stream_back: (h, mask, o, out, back) => {
        const c = entry(h); if (!(c.state & 8)) fail(INVAL); c.state &= ~8;
        g.u32(out, g.items.add({ sink: ask("fulfil", c.id, options(mask, o)) }));
        g.u32(back, g.items.add({ cache: { ...ask("lookup", c.key), state: 3 } }));
      },
      transaction_cancel: (h) => { const c = entry(h); if (!(c.state & 8)) fail(INVAL); c.state &= ~8; ask("cancel", c.id); },
      get_state: (h, out) => g.u32(out, entry(h).state),
      get_user_metadata: (h, p, max, len) => g.give(age(h, "metadata"), p, max, len),
      get_body: (h, mask, o, out) => { const c = entry(h); if (!c.object) fail(NONE); g.u32(out, g.items.add({ parts: [{ stream: ask("cached", c.object.id) }], length: c.object.length })); },
      get_length: (h, out) => g.u64(out, age(h, "length") ?? fail(NONE)),
      get_max_age_ns: (h, out) => g.u64(out, age(h, "maxAge") * 1e6),
      get_age_ns: (h, out) => g.u64(out, Math.round(age(h, "age") * 1e6)),
      close: (h) => { const { cache: c } = g.items.take(h); if (!c) fail(BADF); if (c.state & 8) ask("cancel", c.id); },
    };
  },
  fastly_config_store: (g) => storeCalls(g),
  fastly_dictionary: (g) => storeCalls(g),
  fastly_log: (g) => ({
    endpoint_get: (p, n, out) => g.u32(out, g.endpoints.add(g.text(p, n))),
    write: (h, p, n, out) => { ask("log", g.endpoints.get(h), g.text(p, n)); g.u32(out, n); },
  }),
  fastly_backend: (g) => ({
    exists: (p, n, out) => g.u32(out, ask("backend", g.text(p, n)) ? 1 : 0),
    is_healthy: (p, n, out) => g.u32(out, ask("backend", g.text(p, n)) ? 0 : fail(INVAL)),
  }),
  fastly_compute_runtime: (g) => ({ get_vcpu_ms: (out) => g.u64(out, Math.round(performance.now())), get_heap_mib: (out) => g.u32(out, g.memory.buffer.byteLength >> 20) }),
  fastly_purge: (g) => ({ purge_surrogate_key: (p, n) => void ask("purge", g.text(p, n)) }),
  fastly_abi: () => ({ init: (version) => { if (version !== 1n) fail(INVAL); } }),
};

const storeCalls = (g) => ({
  open: (p, n, out) => { const name = g.text(p, n); if (!ask("store", name)) fail(NONE); g.u32(out, g.stores.add(name)); },
  get: (h, kp, kn, p, max, len) => { const v = ask("value", g.stores.get(h), g.text(kp, kn)); if (v === null) fail(NONE); g.give(Buffer.from(v), p, max, len); },
});

function send(g, h, b, backend, streaming) {
  const { method, uri, headers, edits, downstream } = g.requests.take(h), body = streaming ? g.readable(b) : g.items.take(b);
  if (!body.parts) fail(BADF);
  const { pending, sink } = ask("send", { backend, method, uri, headers, edits, downstream: !!downstream, parts: body.parts, streaming });
  if (streaming) Object.assign(body, { parts: undefined, sink });
  return g.items.add({ pending });
}

parentPort.on("message", (job) => {
  let g, end;
  try { g = new Guest(job); end = g.run(); } catch (e) { end = { trap: e.stack }; }
  parentPort.postMessage({ ...end, faults: g?.faults ?? [], memory: g?.memory?.buffer.byteLength, calls: g?.calls });
});
