// A host of Fastly Compute's calls, for tests: Fastly.fetch gives a request to a guest and returns its answer.
// Guests run in threads (fastly-guest.mjs), since a host call may wait and JavaScript cannot; this side has
// all that they share: backends, streams, the cache, config stores, logs. A thread runs one instance at a
// time, an instance one request at a time; instances that ask for another request are given it.
//
// That the host keeps the ABI is shown with a guest that is not ours (fastly-app.test.mjs).
import http from "node:http";
import { MessageChannel, Worker } from "node:worker_threads";

const ERROR = 1, INVAL = 2, INCOMPLETE = 9, NONE = 10;
const HIGH_WATER = 256 << 10; // bytes that a stream holds before whoever writes has to wait
const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "te", "upgrade", "proxy-connection", "trailer"]);
export const TAG = { notFound: 4, refused: 7, terminated: 8, connectTimeout: 9, limit: 10, incomplete: 13, responseTimeout: 16 };
const refuse = (status) => { throw Object.assign(new Error(`status ${status}`), { status }); };

// --- streams: bytes that come and go in pieces ------------------------------------------------------------

class Signal { // wakes whoever waits, each time anew
  constructor() { this.waiting = []; }
  wait() { return new Promise((r) => this.waiting.push(r)); }
  wake() { for (const r of this.waiting.splice(0)) r(); }
}

export class Stream {
  constructor() { Object.assign(this, { chunks: [], held: 0, ended: false, broken: false, closed: false, changed: new Signal() }); }
  get ready() { return this.chunks.length > 0 || this.ended || this.broken; }
  async put(chunk) {
    while (this.held >= HIGH_WATER && !this.closed) await this.changed.wait();
    if (this.closed) return false;
    if (chunk.length) this.chunks.push(chunk), (this.held += chunk.length), this.changed.wake();
    return true;
  }
  end() { this.ended = true; this.changed.wake(); }
  break() { this.broken = true; this.changed.wake(); }
  close() { this.closed = true; this.chunks = []; this.held = 0; this.onClose?.(); this.changed.wake(); } // nobody reads on
  // The next bytes; empty at the end. A stream that broke says so after what it had.
  async take(max = Infinity) {
    while (!this.ready) await this.changed.wait();
    const first = this.chunks[0];
    if (!first) { if (this.broken) refuse(INCOMPLETE); return new Uint8Array(0); }
    const got = first.subarray(0, max);
    if (got.length === first.length) this.chunks.shift(); else this.chunks[0] = first.subarray(max);
    this.held -= got.length;
    this.changed.wake();
    return got;
  }
  // All of it. (Throws when it breaks.)
  async whole() { const all = []; for (let c; (c = await this.take()).length; ) all.push(c); return Buffer.concat(all); }
  static from(source) { // of chunks, perhaps to come
    const s = new Stream();
    (async () => { for await (const c of source) if (!(await s.put(c))) break; s.end(); })().catch(() => s.break());
    return s;
  }
}

// --- the cache ----------------------------------------------------------------------------------------------

class Cache {
  constructor() { this.entries = new Map(); this.objects = []; }
  entry(key) { if (!this.entries.has(key)) this.entries.set(key, { key, object: null, obliged: false, changed: new Signal() }); return this.entries.get(key); }
  make(e, options) {
    const object = { ...options, id: this.objects.length, inserted: performance.now(), chunks: [], done: false, broken: false, changed: new Signal() };
    this.objects.push(object);
    e.object = object;
    return object;
  }
  state(o, extra = 0) { return (o ? 3 : 0) | (o && this.age(o) >= o.maxAge ? 4 : 0) | extra; }
  age(o) { return performance.now() - o.inserted; }
  fresh(o) { return o && this.age(o) < o.maxAge; }
  usable(o) { return o && this.age(o) < o.maxAge + o.stale; }
  seen(o) { return o && { id: o.id, metadata: o.metadata, length: o.length, maxAge: o.maxAge, age: this.age(o) }; }
  purge(key) { for (const e of this.entries.values()) if (e.object?.keys.includes(key)) e.object = null; }
  // A reader of an object, which may still be written.
  read(o) {
    const s = new Stream();
    (async () => {
      for (let i = 0; ; i++) {
        while (i >= o.chunks.length && !o.done && !o.broken) await o.changed.wait();
        if (i >= o.chunks.length) return o.broken ? s.break() : s.end();
        if (!(await s.put(o.chunks[i]))) return;
      }
    })();
    return s;
  }
  // What a transaction finds at once: null if it has to wait.
  look(e) {
    if (this.fresh(e.object)) return { state: this.state(e.object), object: this.seen(e.object) };
    if (this.usable(e.object) && e.obliged) return { state: this.state(e.object), object: this.seen(e.object) };
    if (e.obliged) return null;
    e.obliged = true;
    return this.usable(e.object) ? { state: this.state(e.object, 8), object: this.seen(e.object) } : { state: 8 };
  }
  settle(e) { e.obliged = false; e.changed.wake(); }
}

// --- instances ------------------------------------------------------------------------------------------------

// What guests ask of the main thread, by name. An instance has numbers for what is its own.
class Instance {
  constructor(host, thread, first) {
    Object.assign(this, { host, thread, visit: first, streams: [], pendings: [], busies: [], promises: [], obligations: [], sinks: [] });
  }
  hold(list, v) { return list.push(v) - 1; }
  stream(s) { return this.hold(this.streams, s); }
  sink(s) { this.sinks.push(s); return this.stream(s); } // to be written by the guest
  // The parts of a body, as one stream.
  join(parts) {
    if (parts.length === 1 && parts[0].stream !== undefined) return this.streams[parts[0].stream];
    const { streams } = this;
    return Stream.from((async function* () { for (const p of parts) if (p.stream === undefined) yield p; else for (let c; (c = await streams[p.stream].take()).length; ) yield c; })());
  }
  length(parts) { return parts.every((p) => p.stream === undefined) ? parts.reduce((n, p) => n + p.length, 0) : undefined; }

  read(i, max) { return this.streams[i].take(max); }
  async write(i, bytes) { if (!(await this.streams[i].put(bytes))) refuse(ERROR); }
  async pipe(i, parts) { // as the host does it: to the end, while the guest may go on
    const to = this.streams[i], from = this.join(parts);
    to.piping = (async () => { for (let c; (c = await from.take()).length; ) if (!(await to.put(c))) return from.close(); })().catch(() => to.break());
  }
  end(i) { const s = this.streams[i]; s.closing = true; if (s.piping) s.piping.then(() => s.broken || s.end()); else s.end(); }
  abandon(i) { this.streams[i].break(); }
  drop(parts) { for (const p of parts) if (p.stream !== undefined) this.streams[p.stream].close(); }

  send(request) {
    const { host } = this, backend = host.backends[request.backend];
    const body = request.streaming ? new Stream() : this.join(request.parts);
    host.observe?.("send", request, this.visit);
    if (!backend) refuse(INVAL);
    const pending = { ready: false, changed: new Signal() };
    const done = (r) => { Object.assign(pending, { ready: true, r }); pending.changed.wake(); };
    Promise.resolve().then(() => backend({ ...request, body, length: request.streaming ? undefined : this.length(request.parts), visit: this.visit }))
      .then((r) => done({ status: r.status, headers: r.headers.filter(([k]) => !HOP.has(k)), length: r.length, stream: this.stream(r.body instanceof Stream ? r.body : Stream.from(r.body ?? [])) }),
        (e) => done({ tag: e.tag ?? TAG.refused, code: e.code }));
    return { pending: this.hold(this.pendings, pending), sink: request.streaming ? this.sink(body) : undefined };
  }
  async wait(i) {
    const p = this.pendings[i];
    while (!p.ready) await p.changed.wait();
    return p.r;
  }
  item(w) {
    if (w.stream !== undefined) return this.streams[w.stream];
    if (w.pending !== undefined) return this.pendings[w.pending];
    return w.busy !== undefined ? this.busies[w.busy] : this.promises[w.promise];
  }
  isReady(w) { return this.item(w).ready ? 1 : 0; }
  async select(list, timeout) {
    const items = list.map((w) => this.item(w));
    let late = false, timer;
    const out = timeout ? new Promise((r) => { timer = setTimeout(() => { late = true; r(); }, timeout); }) : null;
    for (;;) {
      const at = items.findIndex((x) => x.ready);
      if (at >= 0 || late) {
        clearTimeout(timer);
        return { at: at >= 0 ? at : 0xffffffff, ahead: items[at] instanceof Stream && items[at].chunks.length ? await items[at].take() : undefined };
      }
      await Promise.race([...items.map((x) => x.changed.wait()), ...(out ? [out] : [])]);
    }
  }

  respond(r) {
    const { visit } = this, length = r.streaming ? undefined : this.length(r.parts);
    if (visit.answered) refuse(ERROR);
    visit.answered = true;
    const body = r.streaming ? new Stream() : this.join(r.parts);
    if (visit.gone) body.close();
    visit.body = body;
    this.host.observe?.("respond", r, visit);
    visit.resolve({ status: r.status, headers: r.headers, edits: r.edits, length, body, faults: r.faults });
    return r.streaming ? this.sink(body) : undefined;
  }
  next(timeout) {
    const promise = { ready: false, changed: new Signal() };
    const done = (visit) => { if (promise.ready) return; clearTimeout(promise.timer); Object.assign(promise, { ready: true, visit }); this.host.idle.delete(promise); promise.changed.wake(); };
    if (this.host.closed || this.host.reuse === false) { promise.ready = true; } else {
      promise.timer = setTimeout(done, timeout || 5000);
      promise.done = done;
      this.host.idle.add(promise);
      this.host.onIdle?.();
    }
    return this.hold(this.promises, promise);
  }
  async nextWait(i) {
    const p = this.promises[i];
    while (!p.ready) await p.changed.wait();
    if (!p.visit) refuse(NONE);
    this.visit = p.visit;
    return p.visit.request(this);
  }

  lookup(key) {
    const { cache } = this.host, e = cache.entries.get(key), o = e?.object && cache.usable(e.object) ? e.object : null;
    this.host.observe?.("lookup", key, o, this.visit);
    return { key, state: o ? cache.state(o) : 0, object: cache.seen(o) };
  }
  writer(object) { // a stream that ends in the cache
    const s = new Stream();
    (async () => { for (let c; (c = await s.take()).length; ) object.chunks.push(c), object.changed.wake(); object.done = true; object.changed.wake(); })()
      .catch(() => { object.broken = true; object.changed.wake(); for (const e of this.host.cache.entries.values()) if (e.object === object) e.object = null; });
    return this.sink(s);
  }
  insert(key, options) {
    const { cache } = this.host, e = cache.entry(key), object = cache.make(e, options);
    this.host.observe?.("insert", key, options, this.visit);
    return this.writer(object);
  }
  cached(id) { return this.stream(this.host.cache.read(this.host.cache.objects[id])); }
  transaction(key) {
    const { cache } = this.host, e = cache.entry(key), busy = { ready: false, changed: new Signal() };
    const mine = () => {
      if (busy.closed) return;
      const found = cache.look(e);
      if (!found) return void e.changed.wait().then(mine);
      Object.assign(busy, { ready: true, found: { ...found, key, id: found.state & 8 ? this.hold(this.obligations, e) : undefined } });
      busy.changed.wake();
    };
    mine();
    return this.hold(this.busies, busy);
  }
  async busyWait(i) {
    const b = this.busies[i];
    while (!b.ready) await b.changed.wait();
    return b.found;
  }
  busyClose(i) { const b = this.busies[i]; b.closed = true; if (b.found?.id !== undefined) this.cancel(b.found.id); }
  fulfil(i, options) {
    const { cache } = this.host, e = this.obligations[i], object = cache.make(e, options);
    this.obligations[i] = null;
    this.host.observe?.("fulfil", e.key, options, this.visit);
    cache.settle(e);
    return this.writer(object);
  }
  cancel(i) { const e = this.obligations[i]; this.obligations[i] = null; if (e) this.host.cache.settle(e); }
  purge(key) { this.host.cache.purge(key); }

  store(name) { return name in this.host.stores; }
  value(name, key) { return this.host.stores[name][key] ?? null; }
  backend(name) { return name in this.host.backends; }
  log(endpoint, message) { this.host.logs.push({ endpoint, message }); }

  // The guest has ended, or is no more.
  finish(end) {
    this.obligations.forEach((e, i) => this.cancel(i));
    for (const b of this.busies) b.closed = true;
    for (const s of this.sinks) if (!s.ended && !s.closing) s.break(); // what was not brought to its end
    this.host.faults.push(...end.faults ?? []);
    for (const [name, n] of Object.entries(end.calls ?? {})) this.host.calls[name] = Math.max(this.host.calls[name] ?? 0, n); // the most that an instance made
    this.host.memory = Math.max(this.host.memory, end.memory ?? 0);
    this.host.times.push({ startMs: end.startMs, ownMs: end.ownMs });
    this.host.ended(this);
    if (end.trap) this.host.traps.push(end.trap);
    const { visit } = this;
    if (!visit.answered) visit.resolve({ status: 500, headers: [], edits: [], length: 0, body: Stream.from([]), trap: end.trap ?? "no answer" });
  }
}

export class Fastly {
  // module; backends: name → async ({ method, uri, headers, body }) → { status, headers, body }; stores: name → { key: value };
  // reuse: false, an instance a request; failing: { name, at, status } of a host call; now: seconds, or the real time.
  constructor(module, options = {}) {
    Object.assign(this, { module, backends: {}, stores: {}, ip: [192, 0, 2, 1], cache: new Cache(), logs: [], faults: [], traps: [], calls: {}, memory: 0, times: [], idle: new Set(), running: new Set(), ...options });
    this.pool = options.pool ?? new Pool();
  }
  // Resolves when the header of the answer is known; its body is a stream.
  fetch({ method = "GET", uri, headers = [], body = [], signal }) {
    return new Promise((resolve) => {
      const source = body instanceof Stream ? body : null;
      const request = (instance) => ({ method, uri, headers, ip: this.ip && new Uint8Array(this.ip), now: this.now?.(), parts: source ? [{ stream: instance.stream(source) }] : [body].flat().map((b) => new Uint8Array(b)) });
      const visit = { resolve, request, uri };
      signal?.addEventListener("abort", () => { visit.gone = true; visit.body?.close(); });
      const [waiting] = this.idle;
      if (waiting) waiting.done(visit); else this.start(visit);
    });
  }
  // The same, with its whole body.
  async get(uri, headers = [], more = {}) {
    const r = await this.fetch({ uri, headers, ...more });
    return { ...r, body: await r.body.whole() };
  }
  purge(key) { this.cache.purge(key); }

  start(visit) {
    const thread = this.pool.take(), instance = new Instance(this, thread, visit);
    this.running.add(instance);
    thread.run(instance, { module: this.module, request: visit.request(instance), failing: this.failing });
  }
  ended(instance) { this.running.delete(instance); this.onEnd?.(); }
  // Instances that wait for a request end; the threads too, unless others have them.
  async close() {
    this.closed = true;
    for (const p of [...this.idle]) p.done();
    if (!this.pool.shared) return this.pool.close();
    while (this.running.size) await new Promise((r) => { this.onEnd = r; });
  }
}

// Threads, for one host or for several.
export class Pool {
  constructor(shared = false) { Object.assign(this, { shared, all: [], spare: [] }); }
  take() { return this.spare.pop() ?? this.thread(); }
  thread() {
    const { port1, port2 } = new MessageChannel(), flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL("./fastly-guest.mjs", import.meta.url), { workerData: { port: port2, flag }, transferList: [port2], execArgv: ["--no-warnings"] });
    const thread = { worker, run: (instance, job) => { thread.instance = instance; worker.postMessage(job); } };
    const answer = (m) => { port1.postMessage(m); Atomics.store(flag, 0, 1); Atomics.notify(flag, 0); };
    port1.on("message", async ([op, ...args]) => {
      try { answer({ result: await thread.instance[op](...args) }); } catch (e) {
        if (e.status === undefined) console.log("# " + e.stack);
        answer({ status: e.status ?? ERROR });
      }
    });
    worker.on("message", (end) => { this.spare.push(thread); thread.instance.finish(end); });
    worker.on("error", (e) => thread.instance?.finish({ trap: e.stack }));
    this.all.push(thread);
    return thread;
  }
  close() { return Promise.all(this.all.map((t) => t.worker.terminate())); }
}

// --- over HTTP ------------------------------------------------------------------------------------------------

// A backend that is an HTTP server.
export const httpBackend = (origin) => ({ method, uri, headers, body, length }) => new Promise((resolve, reject) => {
  const at = uri.indexOf("/", uri.indexOf("://") + 3), plain = headers.filter(([k]) => !HOP.has(k) && k !== "content-length").flat();
  const q = http.request({ host: origin.host ?? "127.0.0.1", port: origin.port, method, path: uri.slice(at),
    headers: [...plain, ...(length === undefined ? ["transfer-encoding", "chunked"] : length || !/^(GET|HEAD|OPTIONS|DELETE)$/.test(method) ? ["content-length", String(length)] : [])] }, (r) => {
    const fields = [];
    for (let i = 0; i < r.rawHeaders.length; i += 2) fields.push([r.rawHeaders[i].toLowerCase(), r.rawHeaders[i + 1]]);
    const stream = Stream.from(r);
    stream.onClose = () => q.destroy();
    resolve({ status: r.statusCode, headers: fields, body: stream, length: r.headers["content-length"] === undefined ? undefined : Number(r.headers["content-length"]) });
  });
  q.on("error", (e) => reject(Object.assign(e, { tag: e.code === "ECONNREFUSED" ? TAG.refused : TAG.terminated })));
  (async () => { for (let c; (c = await body.take()).length; ) if (!q.write(c)) await new Promise((r) => q.once("drain", r)); q.end(); })().catch(() => q.destroy());
});

// A server whose requests go through the guest.
export function listen(host, scheme = "https", port = 0) {
  const server = http.createServer(async (q, r) => {
    const headers = [], gone = new AbortController();
    let drained = () => {};
    for (let i = 0; i < q.rawHeaders.length; i += 2) { const k = q.rawHeaders[i].toLowerCase(); if (!HOP.has(k)) headers.push([k, q.rawHeaders[i + 1]]); }
    r.on("close", () => { if (!r.writableFinished) gone.abort(); drained(); }).on("drain", () => drained());
    const none = q.headers["content-length"] === undefined && q.headers["transfer-encoding"] === undefined;
    const a = await host.fetch({ method: q.method, uri: `${scheme}://${q.headers.host}${q.url}`, headers, body: none ? [] : Stream.from(q), signal: gone.signal });
    // As the platform does: lengths are those of the body, where it is known; a HEAD's is believed.
    const bare = q.method === "HEAD" || a.status === 304 || a.status === 204;
    const known = a.length !== undefined && !(bare && a.length === 0), fields = a.headers.filter(([k]) => !HOP.has(k) && !(known && k === "content-length"));
    if (known && a.status !== 304) fields.push(["content-length", String(a.length)]);
    r.writeHead(a.status, fields.flat());
    r.flushHeaders();
    if (bare) { a.body.close(); return r.end(); }
    try {
      for (let c; (c = await a.body.take()).length; ) if (!r.write(c) && !gone.signal.aborted) await new Promise((ok) => { drained = ok; });
      r.end();
    } catch { r.destroy(); } // it broke off: so do we
  });
  return new Promise((ok) => server.listen(port, "127.0.0.1", () => ok(server)));
}
