// adit as a Cloudflare Worker: moves requests, answers and bytes between the runtime and
// adit-core.wasm, which makes every decision. Configuration: the JSON variable ADIT_CONFIG.
//
// People come first: if anything here fails, the request goes to the origin as it came.
import module from "../../build/adit-core.wasm";

const ANSWER = 0, PASS = 1, FETCH = 2, BODY = 3, RECALL = 4, WAIT = 5; // enum adit_action
const CONNECT = 0, TIMEOUT = 1; // enum adit_fetch_failure
const GET = { error: 0, answerHeaders: 1, answerBody: 2, fetchAuthority: 3, fetchPath: 4, fetchHeaders: 5, recallKey: 6,
  rememberKey: 7, rememberValue: 8, requestEdits: 9, responseEdits: 10, injected: 11, route: 12, reason: 13, metrics: 14 };
const ABANDONED_MS = 120000; // no exchange takes that long
const SMALL = 32768; // a page up to here is not worth a stream of its own
const MEMORY = "https://adit.invalid/memory/"; // keys of the validator memory in the Cache API

// Header values are bytes; JavaScript has them as strings of code units up to 255.
const stringOf = (b) => { let s = ""; for (let i = 0; i < b.length; i += 8192) s += String.fromCharCode.apply(null, b.subarray(i, i + 8192)); return s; };

class Core {
  constructor(config) {
    this.x = new WebAssembly.Instance(module, {}).exports;
    this.x._initialize();
    this.open = new Map(); // exchange → { since, close }
    this.ready = new Set(); // those whose waiting is over
    this.config = config;
    const text = new TextEncoder().encode(config);
    if (!this.with(text, (p, n) => this.x.adit_configure(p, n))) throw new Error("adit: ADIT_CONFIG: " + this.text(0, GET.error));
  }
  // Views are made anew at every use: any call may grow the memory.
  view(p, n) { return new Uint8Array(this.x.memory.buffer, p, n); }
  with(bytes, use) {
    const p = this.x.adit_alloc(bytes.length);
    if (!p) throw new Error("adit: out of memory");
    try { this.view(p, bytes.length).set(bytes); return use(p, bytes.length); } finally { this.x.adit_free(p); }
  }
  bytes(h, what) { const p = this.x.adit_get(h, what); return this.view(p, this.x.adit_len()).slice(); }
  text(h, what) { return stringOf(this.bytes(h, what)); }

  // Header fields as the core reads them, written straight into its memory.
  withFields(pairs, use) {
    const n = pairs.length, len = pairs.reduce((sum, [k, v]) => sum + k.length + v.length + 10, 4), p = this.x.adit_alloc(len);
    if (!p) throw new Error("adit: out of memory");
    const b = this.view(p, len), d = new DataView(b.buffer, p, len);
    let at = 4 + 8 * n;
    const put = (s) => { for (let i = 0; i < s.length; i++) b[at++] = s.charCodeAt(i); b[at++] = 0; };
    d.setUint32(0, n, true);
    for (let i = 0; i < n; i++) {
      const [k, v] = pairs[i];
      d.setUint32(4 + 8 * i, k.length, true), d.setUint32(8 + 8 * i, v.length, true);
      put(k), put(v);
    }
    try { return use(p, len); } finally { this.x.adit_free(p); }
  }
  pairs(h, what) {
    const b = this.bytes(h, what), d = new DataView(b.buffer), s = stringOf(b), out = [];
    if (b.length < 4) return out;
    let at = 4 + 8 * d.getUint32(0, true);
    for (let i = 0, n = d.getUint32(0, true); i < n; i++) {
      const k = d.getUint32(4 + 8 * i, true), v = d.getUint32(8 + 8 * i, true);
      out.push([s.slice(at, at + k), s.slice(at + k + 1, at + k + 1 + v)]);
      at += k + v + 2;
    }
    return out;
  }
  settle() { for (let h; (h = this.x.adit_ready()); ) this.ready.add(h); }
  // Waits until another request has converted the page. By timer: the runtime ends a request that has nothing of its
  // own under way.
  async waited(h) {
    while (!this.ready.delete(h)) await new Promise((done) => setTimeout(done, 5));
  }
  // The runtime drops the request of a client that went away, without a word: its exchange is closed here.
  sweep(now) {
    for (const { since, close } of this.open.values()) {
      if (now - since < ABANDONED_MS) break;
      close();
    }
  }
}

let core = null;
function theCore(env) {
  const config = typeof env.ADIT_CONFIG === "string" ? env.ADIT_CONFIG : JSON.stringify(env.ADIT_CONFIG ?? {});
  if (!core || core.config !== config) core = new Core(config);
  return core;
}

const headersOf = (pairs) => { const h = new Headers(); for (const [k, v] of pairs) h.append(k, v); return h; };

const fieldsOf = (headers, ...first) => { headers.forEach((v, k) => first.push([k, v])); return first; };

function edit(headers, edits) {
  for (const [key, value] of edits) {
    const op = key[0], name = key.slice(1);
    if (op === "=") headers.set(name, value);
    else if (op === "+") headers.append(name, value);
    else if (op === "-") headers.delete(name);
  }
}

// The memory may forget, or not be there at all: then the page is converted again.
async function recall(key) {
  const hit = await caches.default.match(MEMORY + key).catch(() => null);
  return hit ? new Uint8Array(await hit.arrayBuffer()) : new Uint8Array(0);
}
const remember = (key, value) => caches.default.put(MEMORY + key, new Response(value, { headers: { "cache-control": "max-age=31536000" } })).catch(() => {});

// Asks the origin for a page and feeds the exchange; returns its next action.
async function fetchPage(c, h, request, alive) {
  const url = new URL(c.text(h, GET.fetchPath), request.url), authority = c.text(h, GET.fetchAuthority);
  if (authority) url.host = authority;
  const abort = new AbortController(), timer = setTimeout(() => abort.abort(), c.x.adit_timeout_ms(h));
  try {
    const r = alive(await fetch(url, { headers: headersOf(c.pairs(h, GET.fetchHeaders)), redirect: "manual", signal: abort.signal }));
    // The runtime undoes gzip when a body is read.
    const fields = fieldsOf(r.headers).filter(([k, v]) => !(k === "content-encoding" && v.toLowerCase() === "gzip"));
    let action = c.withFields(fields, (p, n) => c.x.adit_fetched(h, r.status, p, n));
    const reader = r.body?.getReader();
    while (action === BODY) {
      const { done, value } = reader ? alive(await reader.read()) : { done: true };
      action = done ? c.x.adit_fetched_end(h) : c.with(value, (p, n) => c.x.adit_fetched_body(h, p, n));
    }
    await reader?.cancel();
    return action;
  } catch (e) {
    if (e instanceof WebAssembly.RuntimeError) throw e;
    alive();
    return c.x.adit_fetch_failed(h, abort.signal.aborted ? TIMEOUT : CONNECT);
  } finally {
    clearTimeout(timer);
  }
}

// The body with its link: chunks go through the core until it has seen enough; the runtime pumps the rest by itself.
function injected(c, h, body, state) {
  const { readable, writable } = new IdentityTransformStream();
  pump(c, h, body, writable, state).catch(() => state.close()); // either end broke off, and so does the other
  return readable;
}

// The same for a page that is small, at once.
async function injectedWhole(c, h, r, state) {
  const page = new Uint8Array(await r.arrayBuffer());
  if (!state.open) return page;
  try {
    const more = c.with(page, (p, n) => c.x.adit_body(h, p, n)), parts = [c.bytes(h, GET.injected)];
    if (more) { c.x.adit_body_end(h); parts.push(c.bytes(h, GET.injected)); }
    state.close();
    return more ? new Blob(parts) : parts[0];
  } catch { state.open = false; core = null; return page; }
}

async function pump(c, h, body, writable, state) {
  const reader = body.getReader(), writer = writable.getWriter();
  const send = (bytes) => bytes.length ? writer.write(bytes) : null;
  try {
    for (let more = true; more && state.open; ) {
      const { done, value } = await reader.read();
      let out = value ?? new Uint8Array(0);
      if (state.open) try {
        if (done) c.x.adit_body_end(h);
        else more = !!c.with(value, (p, n) => c.x.adit_body(h, p, n));
        out = c.bytes(h, GET.injected);
      } catch { more = state.open = false; core = null; } // a trapped instance is not touched again, not even to close
      if (done || !more) state.close();
      await send(out);
      if (done) return await writer.close();
    }
  } catch (e) {
    await Promise.all([reader.cancel(e), writer.abort(e)]);
    throw e;
  }
  reader.releaseLock(), writer.releaseLock();
  await body.pipeTo(writable);
}

function answered(c, h, ctx) {
  const status = c.x.adit_status(h), key = c.text(h, GET.rememberKey);
  const headers = headersOf(c.pairs(h, GET.answerHeaders)), body = c.bytes(h, GET.answerBody);
  if (key) ctx.waitUntil(remember(key, c.bytes(h, GET.rememberValue)));
  return new Response(body.length ? body : null, { status, headers });
}

async function passed(c, h, request, state) {
  const q = new Request(request, { redirect: "manual" }), edits = c.pairs(h, GET.requestEdits), path = edits.find(([key]) => key[0] === ":");
  edit(q.headers, edits);
  const done = c.x.adit_done(h);
  if (done) state.close();
  const r = await fetch(path ? new Request(new URL(path[1], q.url), q) : q);
  if (done || !state.open) return r;
  const inject = c.withFields(fieldsOf(r.headers), (p, n) => c.x.adit_response(h, r.status, p, n)), changes = c.pairs(h, GET.responseEdits);
  const small = Number(r.headers.get("content-length") ?? Infinity) <= SMALL;
  const body = !inject || !r.body ? r.body : small ? await injectedWhole(c, h, r, state) : injected(c, h, r.body, state);
  if (body === r.body) state.close();
  const init = { status: r.status, statusText: r.statusText, headers: r.headers };
  if (changes.some(([key]) => key === "=content-encoding" || key === "+content-encoding")) init.encodeBody = "manual"; // the bytes are in that coding already
  const answer = new Response(body, init);
  edit(answer.headers, changes);
  return answer;
}

async function exchange(c, request, ctx) {
  const url = new URL(request.url), now = Date.now();
  c.sweep(now);
  const h = c.x.adit_open();
  if (!h) return fetch(request);
  const state = { open: true, since: now, close: () => { if (state.open) { state.open = false; c.open.delete(h); c.x.adit_close(h); c.settle(); } } };
  c.open.set(h, state);
  const alive = (v) => { if (!state.open) throw new Error("adit: an exchange that took too long"); return v; };
  try {
    const facts = [[":method", request.method], [":authority", url.host], [":path", url.pathname + url.search], [":scheme", url.protocol.slice(0, -1)]];
    let action = c.withFields(fieldsOf(request.headers, ...facts), (p, n) => c.x.adit_request(h, p, n, Math.floor(now / 1000)));
    for (;;) {
      c.settle();
      if (action === RECALL) { const v = alive(await recall(c.text(h, GET.recallKey))); action = c.with(v, (p, n) => c.x.adit_recalled(h, p, n)); }
      else if (action === FETCH) action = await fetchPage(c, h, request, alive);
      else if (action === WAIT) { alive(await c.waited(h)); action = c.x.adit_resume(h); }
      else if (action === ANSWER) { const r = answered(c, h, ctx); state.close(); return r; }
      else return await passed(c, h, request, state);
    }
  } catch (e) {
    if (!(e instanceof WebAssembly.RuntimeError)) state.close();
    throw e;
  }
}

export default {
  async fetch(request, env, ctx) {
    let c = null;
    const again = request.body ? null : request;
    try {
      c = theCore(env);
      return await exchange(c, request, ctx);
    } catch (e) {
      console.error(String(e?.stack ?? e));
      if (e instanceof WebAssembly.RuntimeError && core === c) core = null; // a trapped instance is not used again
      return again ? fetch(again) : new Response("", { status: 502 });
    }
  },
};
