// adit as a Cloudflare Worker: moves requests, answers and bytes between the runtime and
// adit-core.wasm, which makes every decision. Configuration: the JSON variable ADIT_CONFIG.
//
// People come first: if anything here fails, the request goes to the origin as it came.
import module from "../../build/adit-core.wasm";
import { ACTION, EDIT, FAILURE, GET, RESPONSE } from "./abi.mjs";

const { ANSWER, PASS, FETCH, BODY, RECALL, WAIT } = ACTION, { CONNECT, TIMEOUT } = FAILURE;
const ABANDONED_MS = 120000; // no exchange takes that long
const HEAD = 1024; // bytes of a small page that run through the core first: the link's place is nearly always within them
const DESK = 65536; // bytes in the core where arguments are put
const MEMORY = "https://adit.invalid/memory/"; // keys of the validator memory in the Cache API

// Header values are bytes; JavaScript has them as strings of code units up to 255. (The runtime's own coders cost more
// than they save with strings as short as these.)
const stringOf = (b) => { let s = ""; for (let i = 0; i < b.length; i += 8192) s += String.fromCharCode.apply(null, b.subarray(i, i + 8192)); return s; };

class Core {
  constructor(config) {
    this.x = new WebAssembly.Instance(module, {}).exports;
    this.x._initialize();
    this.open = new Set(); // exchanges under way, the oldest first
    this.ready = new Set(); // those whose waiting is over
    this.config = config;
    this.seen = new Uint8Array(0);
    this.swept = 0;
    this.lastEdits = { bytes: this.seen, list: [] };
    this.desk = this.x.adit_alloc(DESK);
    this.at = 0; // the place on it where the next field goes
    this.put = (s) => {
      const m = this.memory, n = s.length;
      let at = this.at;
      if (at + n >= this.desk + DESK) throw new Error("adit: a header of more than " + DESK + " bytes");
      for (let i = 0; i < n; i++) m[at++] = s.charCodeAt(i);
      m[at++] = 0;
      this.at = at;
    };
    this.putField = (v, k) => { this.put(k); this.put(v); };
    if (!this.with(new TextEncoder().encode(config), (p, n) => this.x.adit_configure(p, n))) throw new Error("adit: ADIT_CONFIG: " + this.text(0, GET.error));
  }
  // The memory, viewed anew when it has grown, which any call may do: then the old view is empty.
  get memory() { return this.seen.length ? this.seen : (this.seen = new Uint8Array(this.x.memory.buffer)); }
  with(bytes, use) {
    const n = bytes.length, p = n <= DESK ? this.desk : this.x.adit_alloc(n);
    if (!p) throw new Error("adit: out of memory");
    this.memory.set(bytes, p);
    try { return use(p, n); } finally { if (p !== this.desk) this.x.adit_free(p); }
  }
  // Puts bytes on the desk, as many at a time as fit there, and tells how many lie there, while `use` says that it wants
  // more. The core so needs no memory of its own for chunks, however large. How many bytes were used.
  pieces(bytes, use) {
    let at = 0;
    for (let more = true; more && at < bytes.length; ) {
      const piece = bytes.subarray(at, at + DESK);
      this.memory.set(piece, this.desk);
      at += piece.length;
      more = use(piece.length);
    }
    return at;
  }
  // Puts header fields on the desk as the core reads them; their length. No runtime lets through as many as do not fit.
  putFields(headers) {
    this.at = this.desk;
    headers.forEach(this.putField);
    return this.at - this.desk;
  }
  // The same of a request, behind what it asks for.
  putRequest({ url, method, headers }) {
    const at = url.indexOf("://"), slash = url.indexOf("/", at + 3);
    this.at = this.desk;
    this.putField(method, ":method");
    this.putField(url.slice(0, at), ":scheme");
    this.putField(url.slice(at + 3, slash), ":authority");
    this.putField(url.slice(slash), ":path");
    headers.forEach(this.putField);
    return this.at - this.desk;
  }
  // What an exchange has to say: valid until the next call, a copy, a string, fields as [name, value, name, value …].
  view(h, what) { const p = this.x.adit_get(h, what); return this.memory.subarray(p, p + this.x.adit_len()); }
  bytes(h, what) { return this.view(h, what).slice(); }
  text(h, what) { return stringOf(this.view(h, what)); }
  fields(h, what) { const list = this.text(h, what).split("\0"); list.pop(); return list; }
  // The edits of a request, which are nearly always those of the last one.
  requestEdits(h) {
    const b = this.view(h, GET.requestEdits), n = b.length, last = this.lastEdits;
    let i = 0;
    if (n === last.bytes.length) while (i < n && b[i] === last.bytes[i]) i++;
    if (i < n || n !== last.bytes.length) this.lastEdits = { bytes: b.slice(), list: this.fields(h, GET.requestEdits) };
    return this.lastEdits.list;
  }
  settle() { for (let h; (h = this.x.adit_ready()); ) this.ready.add(h); }
  // Waits until another request has converted the page. By timer: the runtime ends a request that has nothing of its
  // own under way.
  async waited(h) {
    while (!this.ready.delete(h)) await new Promise((done) => setTimeout(done, 5));
  }
  // The runtime drops the request of a client that went away, without a word: its exchange is closed here.
  sweep(now) {
    if (now - this.swept < 1000) return;
    this.swept = now;
    for (const x of this.open) {
      if (now - x.since < ABANDONED_MS) break;
      x.close();
    }
  }
}

// An exchange under way.
class Exchange {
  constructor(c, h, since) {
    this.c = c, this.h = h, this.since = since, this.open = true;
    c.open.add(this);
  }
  alive(v) {
    if (!this.open) throw new Error("adit: an exchange that took too long");
    return v;
  }
  close() {
    if (!this.open) return;
    this.open = false;
    this.c.open.delete(this);
    this.c.x.adit_close(this.h);
    this.c.settle();
  }
}

let core = null;
function theCore(env) {
  const config = typeof env.ADIT_CONFIG === "string" ? env.ADIT_CONFIG : JSON.stringify(env.ADIT_CONFIG ?? {});
  if (!core || core.config !== config) core = new Core(config);
  return core;
}

function headersOf(fields) {
  const h = new Headers();
  for (let i = 0; i < fields.length; i += 2) h.append(fields[i], fields[i + 1]);
  return h;
}

// Makes the edits; the path that the request is to have, if it is to be another one.
function edit(headers, edits) {
  let path = null;
  for (let i = 0; i < edits.length; i += 2) {
    const op = edits[i][0], name = edits[i].slice(1);
    if (op === EDIT.SET) headers.set(name, edits[i + 1]);
    else if (op === EDIT.ADD) headers.append(name, edits[i + 1]);
    else if (op === EDIT.REMOVE) headers.delete(name);
    else path = edits[i + 1];
  }
  return path;
}

// The memory may forget, or not be there at all: then the page is converted again.
async function recall(key) {
  const hit = await caches.default.match(MEMORY + key).catch(() => null);
  return hit ? new Uint8Array(await hit.arrayBuffer()) : new Uint8Array(0);
}
const remember = (key, value) => caches.default.put(MEMORY + key, new Response(value, { headers: { "cache-control": "max-age=31536000" } })).catch(() => {});

// Asks the origin for a page and feeds the exchange; returns its next action.
async function fetchPage(c, h, request, state) {
  const url = new URL(c.text(h, GET.fetchPath), request.url), authority = c.text(h, GET.fetchAuthority);
  if (authority) url.host = authority;
  const abort = new AbortController(), timer = setTimeout(() => abort.abort(), c.x.adit_timeout_ms(h));
  try {
    const r = state.alive(await fetch(url, { headers: headersOf(c.fields(h, GET.fetchHeaders)), redirect: "manual", signal: abort.signal }));
    const headers = new Headers(r.headers);
    if (headers.get("content-encoding")?.toLowerCase() === "gzip") { // the runtime undoes it when a body is read, and the length is that of the coded one
      headers.delete("content-encoding");
      headers.delete("content-length");
    }
    let action = c.x.adit_fetched(h, r.status, c.desk, c.putFields(headers));
    const reader = r.body?.getReader();
    while (action === BODY) {
      const { done, value } = reader ? state.alive(await reader.read()) : { done: true };
      if (done) action = c.x.adit_fetched_end(h);
      else c.pieces(value, (n) => (action = c.x.adit_fetched_body(h, c.desk, n)) === BODY);
    }
    await reader?.cancel();
    return action;
  } catch (e) {
    if (e instanceof WebAssembly.RuntimeError) throw e;
    state.alive();
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

// The same for a page that is small, at once: its head goes through the core, the rest behind it.
function injectedWhole(c, h, page, state) {
  if (!state.open) return page;
  try {
    const first = page.subarray(0, HEAD), rest = page.subarray(HEAD);
    c.memory.set(first, c.desk);
    if (c.x.adit_body(h, c.desk, first.length)) return injectedLate(c, h, rest, state);
    const head = c.view(h, GET.injected), out = new Uint8Array(head.length + rest.length);
    out.set(head);
    out.set(rest, head.length);
    state.close();
    return out;
  } catch { state.open = false; core = null; return page; }
}
// … whose link has no place in there.
function injectedLate(c, h, rest, state) {
  const parts = [c.bytes(h, GET.injected)];
  c.with(rest, (p, n) => c.x.adit_body(h, p, n));
  parts.push(c.bytes(h, GET.injected));
  c.x.adit_body_end(h);
  parts.push(c.bytes(h, GET.injected));
  state.close();
  return new Blob(parts);
}

async function pump(c, h, body, writable, state) {
  const reader = body.getReader(), writer = writable.getWriter();
  const send = (bytes) => bytes.length ? writer.write(bytes) : null;
  try {
    for (let more = true; more && state.open; ) {
      const { done, value = new Uint8Array(0) } = await reader.read(), out = [];
      let used = 0;
      if (state.open) try {
        if (done) c.x.adit_body_end(h), out.push(c.bytes(h, GET.injected));
        else c.pieces(value, (n) => { more = !!c.x.adit_body(h, c.desk, n); out.push(c.bytes(h, GET.injected)); used += n; return more; });
      } catch { more = state.open = false; core = null; } // a trapped instance is not touched again, not even to close
      if (done || !more) state.close();
      for (const part of out) await send(part);
      await send(value.subarray(used));
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
  const headers = headersOf(c.fields(h, GET.answerHeaders)), body = c.bytes(h, GET.answerBody);
  if (key) ctx.waitUntil(remember(key, c.bytes(h, GET.rememberValue)));
  return new Response(body.length ? body : null, { status, headers });
}

// The request as the exchange wants it to go on. As it comes it already says that redirects are not to be followed.
function edited(request, edits) {
  const q = new Request(request), path = edit(q.headers, edits);
  return path === null ? q : new Request(new URL(path, q.url), q);
}

async function passed(c, h, request, state) {
  const edits = c.requestEdits(h), done = c.x.adit_done(h);
  if (done) state.close();
  const r = await fetch(edits.length ? edited(request, edits) : request);
  if (done || !state.open) return r;
  const { status, headers } = r, inject = c.x.adit_response(h, status, c.desk, c.putFields(headers)), changes = c.fields(h, GET.responseEdits);
  let answer;
  if (inject) {
    answer = new Response(inject === RESPONSE.WHOLE ? injectedWhole(c, h, new Uint8Array(await r.arrayBuffer()), state) : injected(c, h, r.body, state), r);
  } else {
    state.close();
    if (!changes.length) return r;
    const coded = changes.some((e) => e === EDIT.SET + "content-encoding" || e === EDIT.ADD + "content-encoding"); // the bytes are in that coding already
    answer = new Response(r.body, coded ? { status, statusText: r.statusText, headers, encodeBody: "manual" } : r);
  }
  edit(answer.headers, changes);
  return answer;
}

async function exchange(c, request, ctx) {
  const now = Date.now();
  c.sweep(now);
  const h = c.x.adit_open();
  if (!h) return fetch(request);
  const state = new Exchange(c, h, now);
  try {
    let action = c.x.adit_request(h, c.desk, c.putRequest(request), Math.floor(now / 1000));
    if (action === PASS) return await passed(c, h, request, state);
    for (;;) {
      c.settle();
      if (action === RECALL) { const v = state.alive(await recall(c.text(h, GET.recallKey))); action = c.with(v, (p, n) => c.x.adit_recalled(h, p, n)); }
      else if (action === FETCH) action = await fetchPage(c, h, request, state);
      else if (action === WAIT) { state.alive(await c.waited(h)); action = c.x.adit_resume(h); }
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
    try {
      c = theCore(env);
      return await exchange(c, request, ctx);
    } catch (e) {
      console.error(String(e?.stack ?? e));
      if (e instanceof WebAssembly.RuntimeError && core === c) core = null; // a trapped instance is not used again
      const failed = () => new Response("", { status: 502 });
      return request.body ? failed() : fetch(request).catch(failed);
    }
  },
};
