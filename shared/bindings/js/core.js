// adit: HTML pages to Markdown, text and canonical JSON, by libadit.wasm. What is here is the same in every runtime; node.js, web.js and
// workerd.js only bring the compiled module. The functions of the module are those of shared/bindings/c/adit.h.

const RESULTS = ["SUCCESS", "NO_MEMORY", "TOO_LARGE", "BAD_URL", "NOT_HTML", "NO_CONTENT", "BAD_INPUT", "UNKNOWN", "NO_PAGE"];
const FIELDS = ["url", "title", "description", "author", "published", "modified", "language", "canonical", "siteName", "charset"];
const REFUSALS = ["noindex", "noarchive", "nofollow", "optout"];
const WHOLE = 1, PLAIN = 2, FRONT_MATTER = 1, FINGERPRINT_Z = 72, SOURCE_BYTES = 24;
const RICH = ["md", "html"]; // formats that have a place for links and emphasis inside texts

export class AditError extends Error {
  constructor(code, message) {
    super(message || code);
    this.name = "AditError";
    this.code = code;
  }
}

const encoder = new TextEncoder(), decoder = new TextDecoder();

// An instance of the module, its converter, and the memory of one call.
class Instance {
  constructor(module) {
    this.x = new WebAssembly.Instance(module, {}).exports;
    this.x._initialize?.();
    this.c = this.x.libadit_alloc_converter();
    this.taken = [];
    if (!this.c) throw new AditError("NO_MEMORY");
    this.out = this.take(8); // a pointer and a length
    this.taken = [];
  }
  take(n) {
    const p = this.x.malloc(n || 1);
    if (!p) throw new AditError("NO_MEMORY");
    this.taken.push(p);
    return p;
  }
  put(bytes) {
    const p = this.take(bytes.length);
    new Uint8Array(this.x.memory.buffer, p, bytes.length).set(bytes);
    return p;
  }
  // A C string; 0 for none.
  z(text) {
    if (text === undefined || text === null) return 0;
    if (String(text).includes("\0")) throw new TypeError("a NUL character in a text");
    return this.put(encoder.encode(text + "\0"));
  }
  give() {
    for (const p of this.taken) this.x.free(p);
    this.taken = [];
  }
  text(p, n) {
    return decoder.decode(new Uint8Array(this.x.memory.buffer, p, n).slice());
  }
  textZ(p) {
    const bytes = new Uint8Array(this.x.memory.buffer);
    let end = p;
    while (bytes[end]) end++;
    return this.text(p, end - p);
  }
  // What the two words at out say.
  result() {
    const v = new DataView(this.x.memory.buffer);
    return this.text(v.getUint32(this.out, true), v.getUint32(this.out + 4, true));
  }
  judge(code) {
    if (code) throw new AditError(RESULTS[code] ?? String(code), this.textZ(this.x.libadit_error(this.c)));
  }
  source({ url, headers, date, language, flags }) {
    const words = [SOURCE_BYTES, this.z(url), this.z(headers), this.z(date), this.z(language), flags];
    const p = this.take(SOURCE_BYTES), v = new DataView(this.x.memory.buffer);
    words.forEach((w, i) => v.setUint32(p + 4 * i, w, true));
    return p;
  }
  fingerprint(call, ...args) {
    const p = this.take(FINGERPRINT_Z);
    this.judge(call(this.c, ...args, p));
    return this.textZ(p);
  }
}

// Header fields as lines; a text was decoded already, so its bytes are UTF-8 whatever the response said.
function headerLines(headers, isText) {
  const pairs = !headers ? [] : typeof headers.entries === "function" ? [...headers.entries()] : Object.entries(headers);
  const lines = pairs.filter(([name]) => !isText || String(name).toLowerCase() !== "content-type").map(([name, value]) => `${name}: ${[value].flat().join(", ")}`.replace(/[\r\n]+/g, " "));
  if (isText) lines.push("Content-Type: text/html; charset=utf-8");
  return lines.length ? lines.join("\n") : undefined;
}

const bytesOf = (input) => typeof input === "string" ? encoder.encode(input) : input instanceof Uint8Array ? input : new Uint8Array(input);

export function bind(module) {
  let current; // one converter: calls do not overlap, as JavaScript runs them to their end
  // Runs a call. What the module cannot survive (it is out of memory) ends the instance; the next call has a new one.
  const call = (run) => {
    const i = (current ??= new Instance(module));
    try {
      return run(i);
    } catch (e) {
      if (e instanceof AditError || e instanceof TypeError) throw e;
      current = undefined;
      throw new AditError("NO_MEMORY", String(e));
    } finally {
      if (current) current.give();
    }
  };

  const convert = (html, options = {}) => call((i) => {
    const isText = typeof html === "string", bytes = bytesOf(html);
    const formats = [options.formats ?? "md"].flat();
    const flags = (options.whole ? WHOLE : 0) | (formats.some((f) => RICH.includes(f)) ? 0 : PLAIN);
    const source = i.source({ ...options, headers: headerLines(options.headers, isText), flags });
    i.judge(i.x.libadit_convert(i.c, i.put(bytes), bytes.length, source));
    const page = {};
    FIELDS.forEach((name, n) => {
      const p = i.x.libadit_get(i.c, n, i.out), len = new DataView(i.x.memory.buffer).getUint32(i.out, true);
      page[name] = i.text(p, len);
    });
    const refused = i.x.libadit_refusals(i.c);
    REFUSALS.forEach((name, bit) => { page[name] = Boolean(refused & (1 << bit)); });
    for (const format of formats) {
      i.judge(i.x.libadit_write(i.c, i.z(format), options.frontMatter ? FRONT_MATTER : 0, i.out, i.out + 4));
      page[format] = i.result();
    }
    page.fingerprint = i.fingerprint(i.x.libadit_fingerprint);
    return page;
  });

  const fingerprint = (input, { method = "a" } = {}) => call((i) => {
    const bytes = bytesOf(input);
    return i.fingerprint(method === "b" ? i.x.libadit_fingerprint_text : i.x.libadit_fingerprint_payload, i.put(bytes), bytes.length);
  });

  const check = (input) => call((i) => {
    const bytes = bytesOf(input), code = i.x.libadit_check(i.c, i.put(bytes), bytes.length, i.out, i.out + 4);
    if (RESULTS[code] !== "BAD_INPUT") i.judge(code);
    return JSON.parse(i.result());
  });

  const [version, rulesVersion] = call((i) => [i.textZ(i.x.libadit_version()), i.textZ(i.x.libadit_rules_version())]);
  return { convert, fingerprint, check, version, rulesVersion };
}
