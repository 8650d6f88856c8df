// A stream on its way through the filter: what Envoy's filter manager does around one filter.
//
// - Pausing in the request's header is a full stop; so it is in the response's header, unless the host
//   holds headers (heldHeaders, Envoy's allow_on_headers_stop_iteration). Headers with end-of-stream get
//   no body callback; with trailers the body callback never says end-of-stream.
// - A paused body accumulates, within bufferLimit: beyond it the response is 500, or broken off if its
//   header has been sent. Body callbacks may bring any number of bytes at once.
// - Only whole replacement, prepending and appending edit a buffer. In the trailers' callback there is
//   a body buffer only if the body is paused.
// - A body callback whose result is 3 (StopIterationNoBuffer) loses its bytes.
// - A local response without a body loses Content-Type and Content-Length; with one it gets its
//   length, and HEAD gets the header only. It goes through the response callbacks, unless the response
//   has begun: then it goes straight to the client.
//
// Options: slowClients, a stream lives on after its last byte until drained() is called; partsAlone
// (not Envoy's), a host that shows each part of a paused body by itself, and keeps those before for
// later.
const header = (pairs, name) => pairs.find(([k]) => k === name)?.[1];
const lower = (pairs) => pairs.map(([k, v]) => [k.toLowerCase(), String(v)]);
const NONE = Buffer.alloc(0);

export class Stream {
  // on.upstream({ headers, body }): the request goes on; on.end(result): all is over, and the filter
  // has been told.
  constructor(host, id, root, on) {
    Object.assign(this, { host, id, root, on, maps: {}, requestBody: { data: NONE }, local: null, over: false });
    Object.assign(this, { body: null, buffering: false, queue: [], out: [], aside: [] });
  }
  call(kind, name, ...args) { return this.host.enter(this.id, kind, () => this.host.x[name]?.(this.id, ...args) ?? 0); }

  // --- the request ---------------------------------------------------------------------------------

  request(headers, body = [], trailers) {
    const m = this.maps;
    m.requestHeaders = lower(headers);
    this.headers = m.requestHeaders; // the filter may edit them until they go on
    this.isHead = header(headers, ":method") === "HEAD";
    Object.assign(this, { requestParts: [...body], requestTrailers: trailers });
    const eos = body.length === 0 && !trailers;
    const result = this.call("headers", "proxy_on_request_headers", m.requestHeaders.length, eos ? 1 : 0);
    if (this.over || this.local) return;
    if (result === 0) this.goOn();
    else this.stopped = "request";
  }
  goOn() {
    const parts = this.requestParts;
    this.stopped = null;
    this.maps.requestHeaders = null; // gone after Continue
    for (let i = 0; i < parts.length && !this.local; i++) {
      this.requestBody.data = Buffer.from(parts[i]);
      this.call("body", "proxy_on_request_body", this.requestBody.data.length, i === parts.length - 1 && !this.requestTrailers ? 1 : 0);
      parts[i] = this.requestBody.data;
    }
    if (this.requestTrailers && !this.local) {
      this.maps.requestTrailers = this.requestTrailers;
      this.call("trailers", "proxy_on_request_trailers", this.requestTrailers.length);
      this.maps.requestTrailers = null;
    }
    if (!this.over && !this.local) this.on.upstream({ headers: this.headers, body: parts });
  }
  resume(type) {
    if (this.over || this.local) return;
    if (type === 0 && this.stopped === "request") this.goOn();
    if (type === 1 && this.stopped === "response") this.resumeResponse();
  }

  // --- the response ----------------------------------------------------------------------------------

  // A whole one: header, body in its chunks, trailers.
  async respond(r, toHead) {
    const status = header(r.headers, ":status"), chunks = toHead || status === "304" || status === "204" ? [] : r.body ?? [];
    const none = Array.isArray(chunks) && chunks.length === 0;
    this.responseHeaders(r.headers, none && !r.trailers);
    let last = null;
    for await (const c of none ? [] : chunks) {
      if (last) this.responseData(last, false);
      if (this.over) return;
      last = Buffer.from(c);
    }
    if (!none) this.responseData(last ?? NONE, !r.trailers);
    if (r.trailers) this.responseTrailers(r.trailers);
  }

  responseHeaders(headers, eos) {
    if (this.over) return;
    this.begun = true;
    this.answer = this.maps.responseHeaders = lower(headers);
    const result = this.call("headers", "proxy_on_response_headers", this.answer.length, eos ? 1 : 0);
    if (this.over) return;
    if (result === 0) this.sendHeaders();
    else if (result !== 1 || !this.host.heldHeaders || eos) this.stopped = "response";
    if (this.stopped && eos) this.queue.push(() => this.finish());
    if (!this.stopped && eos) this.finish();
  }
  sendHeaders() { this.maps.responseHeaders = null; this.headersSent = true; }

  // What the filter sees as the body: in the trailers' callback only what is paused.
  responseBuffer() { return this.body ?? { data: NONE, fixed: true }; }

  responseData(chunk, eos) {
    if (this.over) return;
    if (this.stopped) return void this.queue.push(() => this.responseData(chunk, eos));
    if (this.buffering && !this.host.partsAlone) this.body.data = Buffer.concat([this.body.data, chunk]);
    else this.body = { data: Buffer.from(chunk) };
    if (this.buffering && this.isTooLong()) return;
    const result = this.call("body", "proxy_on_response_body", this.body.data.length, eos ? 1 : 0);
    if (this.over) return;
    this.buffering = result === 1 || result === 2;
    if (this.buffering) return this.hold(eos);
    if (result === 0) this.flush();
    this.body = null;
    if (result === 0 && eos) this.finish();
  }
  hold(eos) {
    if (this.host.partsAlone) this.aside.push(this.body.data), (this.body.data = NONE);
    if (this.isTooLong()) return;
    if (eos) this.stopped = "response", this.queue.push(() => this.flush(), () => this.finish());
  }
  isTooLong() {
    if (this.body.data.length <= this.host.bufferLimit) return false;
    if (this.headersSent) this.reset("response buffer limit");
    else this.localReply(500, Buffer.from("response payload too large"), []);
    return true;
  }
  flush() {
    this.sendHeaders();
    this.out.push(...this.aside.splice(0), this.body?.data ?? NONE);
    this.buffering = false;
    this.body = null;
  }

  responseTrailers(trailers) {
    if (this.over) return;
    if (this.stopped) return void this.queue.push(() => this.responseTrailers(trailers));
    this.maps.responseTrailers = trailers;
    const result = this.call("trailers", "proxy_on_response_trailers", trailers.length);
    if (this.over) return;
    const end = () => { this.maps.responseTrailers = null; this.flush(); this.finish(trailers); };
    if (result === 0) end();
    else this.stopped = "response", this.queue.push(end);
  }

  resumeResponse() {
    const queue = this.queue.splice(0);
    this.stopped = null;
    this.sendHeaders();
    for (const event of queue) event();
  }

  // --- replies of the filter's own, and the end ------------------------------------------------------

  localReply(status, body, pairs) {
    if (this.over) return;
    let headers = [[":status", String(status)], ...pairs];
    const set = (name, value) => { const at = headers.find(([k]) => k === name); if (at) at[1] = value; else headers.push([name, value]); };
    if (body.length) {
      set("content-length", String(body.length));
      if (!header(headers, "content-type")) set("content-type", "text/plain");
    } else headers = headers.filter(([k]) => k !== "content-length" && k !== "content-type");
    this.local = { running: true };
    Object.assign(this, { stopped: null, queue: [], buffering: false, body: null, out: [], aside: [] });
    this.maps.requestHeaders = null;
    const alone = this.isHead || body.length === 0;
    if (this.headersSent) return this.reset("a reply after the header was sent");
    if (this.begun) { // straight to the client
      this.answer = headers;
      if (!alone) this.out.push(body);
      return this.finish();
    }
    this.responseHeaders(headers, alone);
    if (!alone) this.responseData(body, true);
  }

  finish(trailers) {
    if (this.over) return;
    const headers = this.answer;
    this.end({ status: header(headers, ":status"), headers: headers.filter(([k]) => k !== ":status"), body: Buffer.concat(this.out), trailers });
  }
  // Client or host break it off.
  reset(why = "reset") { this.end({ broken: why }); }
  end(result) {
    if (this.over) return;
    this.over = true;
    this.result = result;
    this.maps = {};
    if (!this.host.slowClients || result.broken) this.drained();
  }
  // The client has all of it: the filter is told.
  drained() {
    const result = this.result;
    for (const name of ["proxy_on_done", "proxy_on_log", "proxy_on_delete"]) this.call(null, name);
    this.host.streams.delete(this.id);
    this.on.end(result);
  }
}
