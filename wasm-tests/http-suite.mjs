// The HTTP behaviour of an adit host, whichever it is: `adit serve`, the Worker, the proxy-wasm
// filter. A host's test starts startOrigin(), puts its host in front with the configuration
// `config`, and calls suite({ base, origin }). Names in brackets, as [TCT 3], are requirements of
// the TCT draft; shared/tct/README.md lists them.
import { createHash } from "node:crypto";
import http from "node:http";
import zlib from "node:zlib";
import { ok, same, skip } from "./tap.mjs";

export const site = "https://site.example";
export const cacheControl = "max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400";
export const config = {
  origin: site, hosts: ["127.0.0.1", "localhost"], legacy_suffixes: ["old"],
  upstream: { cluster: "origin", timeout_ms: 3000 },
  policy: { profile: "tct-policy-1", version: 1, purposes: { allow_ai_input: true, allow_ai_train: false } },
};

// --- the origin ------------------------------------------------------------------------------------

const article = (title, extra = "") => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="author" content="A. Writer"></head>
<body><nav><a href="/">Home</a> <a href="/about/">About</a></nav>
<main><article><h1>${title}</h1>
<p>The first paragraph of this page has enough words to be taken for its content by any reader.</p>
<p>The second one is here so that there is more than a single block of text on the page${extra}.</p>
</article></main><footer>Imprint</footer></body></html>
`;
const html = { "content-type": "text/html; charset=utf-8" };
const scp = Buffer.from("not really zstd, but of this length");
const checksum = "sha256:" + "ab".repeat(32);
const manifest = { version: 1, generator: "adit/test", rules: "1", origin: site, generated: "2026-11-16T00:00:00Z",
  collections: [{ id: "blog-snapshot-20261116T000000Z", section: "blog", type: "snapshot", file: "blog-snapshot-20261116T000000Z.scp.zst",
    generated: "2026-11-16T00:00:00Z", expires: "2026-11-17T00:00:00Z", pages: 1, size: scp.length, sha256: "00", checksum, content_encoding: "zstd", update_freq: "daily" }] };
const sitemap = JSON.stringify({ version: 1, profile: "tct-1", items: [] });

const lists = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>', feed = '<feed xmlns="http://www.w3.org/2005/Atom"></feed>';
const dated = (q, type, text) => (q.headers["if-none-match"] === '"list"' ? [304, { etag: '"list"' }, ""] : [200, { ...type, etag: '"list"' }, text]);

// A byte is another one than was sent; such a page with a validator, so that it could be remembered.
const flip = (bytes, at) => { const b = Buffer.from(bytes); b[b.length + at] ^= 0x55; return b; };
const damaged = (coding, body) => [200, { ...html, "content-encoding": coding, etag: '"damaged"', "last-modified": "Tue, 17 Nov 2020 10:00:00 GMT" }, body];
// A page in zstd with a checksum, as `zstd --check` makes it.
const zstd = Buffer.from("KLUv/QRoDQUAgswhFpCrDai2CdB0P9N7fjvMBQkHAS3Lf+Vq9Rqh9atvCJeDGePIKKvt973sI+MGs9+XfW5Hhvmmx+Ujywe2JaQAlVtvmv2EzxA5ZI/2HhnvxV4+zjj54nJ9NM79hjB+norDi2+Xz3VMOXbr3ZgmxyTUSkMmtXpNEhLSrVDItHZSTNN5XFEfjAApCABdzIGLGzs0q1ThnhgIYwE2Zz58KE5rSb1B", "base64");

const pages = {
  "/": () => [200, html, article("Home")],
  "/post/": (q) => {
    const h = { ...html, etag: '"v1"', "last-modified": "Tue, 17 Nov 2054 10:00:00 GMT", "set-cookie": "s=1", "accept-ranges": "bytes" };
    return q.headers["if-none-match"]?.includes('"v1"') ? [304, h, ""] : [200, h, article("A post")];
  },
  "/other-theme/": () => [200, { "content-type": "text/html" }, article("A post").replace("<nav>", '<div class="banner">Sale!</div><nav class="new">').replace("Imprint", "New footer, other theme")],
  "/old-page/": () => [200, html, article("An old page, without validators")],
  "/post": () => [301, { location: "/post/" }, ""],
  "/away/": () => [302, { location: "https://elsewhere.example/x" }, ""],
  "/self/": () => [302, { location: "/self/" }, ""],
  "/plain/": () => [200, { "content-type": "text/plain" }, "text"],
  "/empty/": () => [200, html, "<html><head><title>x</title></head><body></body></html>"],
  "/private/": () => [200, { ...html, "cache-control": "private", etag: '"p"' }, article("Private")],
  "/cookie/": () => [200, { ...html, vary: "Accept-Encoding, Cookie" }, article("By cookie")],
  "/login/": () => [401, { ...html, "www-authenticate": 'Basic realm="site"' }, "login"],
  "/forbidden/": () => [403, html, "no"],
  "/gone/": () => [410, html, "gone"],
  "/limit/": () => [429, { ...html, "retry-after": "30" }, "slow down"],
  "/down/": () => [503, { ...html, "retry-after": "120" }, "down"],
  "/error/": () => [500, html, "error"],
  "/noindex/": () => [200, { ...html, "x-robots-tag": "noindex, nofollow" }, article("Not for indexes")],
  "/no-transform/": () => [200, { ...html, "cache-control": "no-transform" }, article("As it is")],
  "/signed/": () => [200, { ...html, signature: "sig1=:AAAA:", "signature-input": "sig1=()" }, article("Signed")],
  "/gzip/": () => [200, { ...html, "content-encoding": "gzip" }, zlib.gzipSync(article("Compressed"))],
  "/brotli/": () => [200, { ...html, "content-encoding": "br" }, zlib.brotliCompressSync(article("Brotli"))],
  "/damaged/gzip/": () => damaged("gzip", flip(zlib.gzipSync(article("Damaged")), -8)),
  "/damaged/gzip-length/": () => damaged("gzip", flip(zlib.gzipSync(article("Damaged")), -4)),
  "/damaged/gzip-cut/": () => damaged("gzip", zlib.gzipSync(article("Damaged")).subarray(0, -8)),
  "/damaged/gzip-half/": () => damaged("gzip", zlib.gzipSync(article("Damaged")).subarray(0, 200)),
  "/damaged/gzip-none/": () => damaged("gzip", ""),
  "/damaged/deflate/": () => damaged("deflate", flip(zlib.deflateSync(article("Damaged")), -1)),
  "/damaged/deflate-cut/": () => damaged("deflate", zlib.deflateSync(article("Damaged")).subarray(0, -4)),
  "/damaged/zstd/": () => damaged("zstd", flip(zstd, -1)),
  "/damaged/zstd-cut/": () => damaged("zstd", zstd.subarray(0, -4)),
  "/zstd/": () => damaged("zstd", zstd),
  "/many-fields/": () => [200, { ...html, ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, "1"])), "cache-control": "private" }, article("Many fields")],
  "/long-robots/": () => [200, { ...html, "x-robots-tag": `noindex, ${"x".repeat(8184)}` }, article("A long field")],
  "/liar/": () => [200, { ...html, "content-encoding": "gzip" }, "this is not gzip"],
  "/latin/": () => [200, { "content-type": "text/html; charset=iso-8859-1" }, Buffer.from(article("Größe").replace(' charset="utf-8"', ' name="x"'), "latin1")],
  "/large/": () => [200, html, article("Large") + "<p>" + "x".repeat(9 << 20)],
  "/chunked/": () => [200, html, article("In chunks"), { chunk: 7 }],
  "/cut/": () => [200, { ...html, "content-length": "100000" }, article("Cut off"), { cut: true }],
  "/slow/": () => [200, html, article("Slow"), { delay: 8000 }],
  "/busy/": () => [200, html, article("Asked by many"), { delay: 1200 }],
  "/video.mp4": (q) => (q.headers.range ? [206, { "content-type": "video/mp4", "content-range": "bytes 0-3/10" }, "0123"] : [200, { "content-type": "video/mp4", "accept-ranges": "bytes" }, "0123456789"]),
  "/none/": () => [204, {}, ""],
  "/style.css": () => [200, { "content-type": "text/css", etag: '"css"' }, "a{}"],
  "/llm-sitemap.json": (q) => {
    const h = { "content-type": "application/json", etag: '"map"' };
    return q.headers["if-none-match"] === '"map"' ? [304, h, ""] : [200, h, sitemap];
  },
  // As static hosts have them: without a type, or with none that says enough.
  "/.well-known/resourcesync": (q) => dated(q, { "content-type": "application/octet-stream" }, lists),
  "/resourcesync/blog/changelist.xml": (q) => dated(q, { "content-type": "text/xml", "cache-control": "max-age=60" }, lists),
  "/feed.xml": (q) => dated(q, { "content-type": "application/octet-stream" }, feed),
  "/rss/feed.xml": (q) => dated(q, { "content-type": "application/rss+xml" }, feed),
  "/collections/scp-manifest.json": () => [200, { "content-type": "application/json" }, JSON.stringify(manifest)],
  "/collections/blog-snapshot-20261116T000000Z.scp.zst": (q) => (q.headers.range ? [206, { "content-type": "application/octet-stream", "content-range": `bytes 4-${scp.length - 1}/${scp.length}` }, scp.subarray(4)] : [200, { "content-type": "application/octet-stream" }, scp]),
  "/echo": (q, body) => [200, { "content-type": "application/octet-stream", "x-method": q.method }, body],
  [`/a"b<c>&d'e/`]: () => [200, html, article("Odd path")],
};

export async function startOrigin() {
  const log = [];
  const server = http.createServer((q, r) => {
    const parts = [];
    q.on("data", (d) => parts.push(d)).on("end", () => {
      const path = q.url.split("?")[0];
      log.push({ method: q.method, url: q.url, headers: q.headers });
      const [status, headers, body, how = {}] = (pages[path] ?? (() => [404, html, "<h1>Not found</h1>"]))(q, Buffer.concat(parts));
      const data = Buffer.from(body);
      const send = () => {
        const chunked = how.chunk || how.cut;
        r.writeHead(status, chunked || status === 304 || status === 204 ? headers : { "content-length": data.length, ...headers });
        if (q.method === "HEAD" || status === 304) return r.end();
        if (how.cut) return r.write(data, () => setTimeout(() => q.socket.destroy(), 50));
        if (!how.chunk) return r.end(data);
        for (let i = 0; i < data.length; i += how.chunk) r.write(data.subarray(i, i + how.chunk));
        r.end();
      };
      how.delay ? setTimeout(send, how.delay) : send();
    });
  });
  server.keepAliveTimeout = 60000;
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { port: server.address().port, url: `http://127.0.0.1:${server.address().port}`, log, pages, article,
    asked: (path) => log.filter((q) => q.url === path), close: () => (server.closeAllConnections(), server.close()) };
}

// --- the client: one request, everything raw ---------------------------------------------------------

export function ask(base, path, options = {}) {
  const { method = "GET", headers = {}, body, agent } = options;
  const url = new URL(base);
  return new Promise((done, fail) => {
    const q = http.request({ host: url.hostname, port: url.port, path, method, agent,
      headers: { "x-forwarded-proto": "https", ...headers } }, (r) => {
      const parts = [];
      const finish = (broken) => done({ status: r.statusCode, headers: r.headers, raw: r.rawHeaders, body: Buffer.concat(parts), text: Buffer.concat(parts).toString(), broken,
        links: (r.headers.link ?? "").split(/,\s*(?=<)/).filter(Boolean) });
      r.on("data", (d) => parts.push(d)).on("end", () => finish(false)).on("error", () => finish(true));
    });
    q.on("error", fail);
    q.end(body);
  });
}

const canonical = (v) => (Array.isArray(v) ? `[${v.map(canonical)}]` : v && typeof v === "object" ? `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${canonical(v[k])}`)}}` : JSON.stringify(v));
const sha256 = (s) => createHash("sha256").update(s).digest();
const etagOf = (text) => {
  const { hash, ...rest } = JSON.parse(text);
  return `"sha256-${sha256(canonical(rest)).toString("hex")}"`;
};
const isProblem = (r, status, what) => {
  let doc = {};
  try { doc = JSON.parse(r.text); } catch { /* shown below */ }
  ok(r.status === status && r.headers["content-type"] === "application/problem+json" && doc.status === status && doc.title && doc.type === "about:blank",
    what, `${r.status} ${r.headers["content-type"]} ${r.text.slice(0, 200)}`);
};

// --- the suite ---------------------------------------------------------------------------------------

async function machineView(get, origin) {
  const r = await get("/post/llm/", { headers: { cookie: "secret=1", authorization: "Basic c2VjcmV0", accept: "application/json", "accept-language": "de",
    "accept-encoding": "deflate", "if-modified-since": "Mon, 16 Nov 2020 00:00:00 GMT", "user-agent": "suite/1" } });
  same(r.status, 200, "M-URL: 200");
  same(r.headers["content-type"], "application/json; charset=utf-8", "M-URL: Content-Type [TCT content-type]");
  const doc = JSON.parse(r.text);
  same(canonical(doc), r.text, "M-URL: canonical JSON, no trailing newline [TCT json]");
  same(Object.keys(doc).join(), "author,canonical_url,content,hash,language,profile,title", "M-URL: members, as far as the page states them [TCT payload]");
  same(doc.profile, "tct-1", "M-URL: profile [TCT payload]");
  same(doc.canonical_url, site + "/post/", "M-URL: canonical_url is the public one [TCT payload]");
  ok(!/<\w/.test(doc.content) && doc.content.startsWith("A post\n\n") && !/Imprint|Home/.test(doc.content), "M-URL: content is text without markup and template [TCT payload]", doc.content);
  ok(/^"sha256-[0-9a-f]{64}"$/.test(r.headers.etag), "M-URL: strong ETag of 64 lower-case digits [TCT 3 strong]", r.headers.etag);
  same(r.headers.etag, etagOf(r.text), "M-URL: ETag by Method A [TCT method A]");
  same(r.headers.etag, `"${doc.hash}"`, "M-URL: hash is the ETag without quotes [TCT parity]");
  ok(r.links.includes(`<${site}/post/>; rel="canonical"`), "M-URL: Link canonical [TCT 1 canonical]", r.headers.link);
  ok(r.links.includes(`<${site}/llm-sitemap.json>; rel="index"; type="application/json"`), "M-URL: Link to the sitemap [TCT discovery]");
  ok(r.links.includes(`<${site}/llm-policy.json>; rel="describedby"; type="application/json"`), "M-URL: Link to the policy [TCT policy]");
  ok(r.links.includes(`<${site}/post/llm.md>; rel="alternate"; type="text/markdown"`), "M-URL: Link to the Markdown twin");
  same(r.headers["last-modified"], "Tue, 17 Nov 2054 10:00:00 GMT", "M-URL: Last-Modified of the origin [TCT 2 last-modified]");
  same(r.headers["cache-control"], cacheControl, "M-URL: Cache-Control [TCT cache-control]");
  same(r.headers.vary?.toLowerCase(), "accept-encoding", "M-URL: Vary, and not by User-Agent [TCT vary]");
  same(Number(r.headers["content-length"]), r.body.length, "M-URL: Content-Length");
  same(r.headers["content-digest"], `sha-256=:${sha256(r.body).toString("base64")}:`, "M-URL: Content-Digest [TCT digest]");
  same(["transfer-encoding", "trailer", "upgrade", "te"].filter((h) => h in r.headers).join(), "", "M-URL: no hop-by-hop fields, no transfer coding, no trailers [TCT 5 hop-by-hop]");
  ok(!("set-cookie" in r.headers), "M-URL: the origin's Set-Cookie is dropped");
  const asked = origin.asked("/post/").at(-1).headers;
  same(["cookie", "authorization", "if-modified-since", "range"].filter((h) => h in asked).join(), "", "conversion is anonymous: no cookie, credentials, conditions");
  same([asked.accept, asked["accept-encoding"], asked["accept-language"], asked["user-agent"]].join("|"), "text/html|identity||suite/1", "conversion request: accept, encoding, language, user-agent");
  ok(/(^|,\s*)adit(,|$)/.test(asked["cdn-loop"]) && /adit/.test(asked.via), "conversion request: cdn-loop and via", JSON.stringify(asked));
  const t = await get("/other-theme/llm/");
  same(JSON.parse(t.text).content, doc.content, "another theme gives the same content [TCT template-invariance]");
  same((await get("/post/llm/")).text, r.text, "the same page gives the same bytes [TCT json]");
  const l = await get("/latin/llm/");
  same(JSON.parse(l.text).title, "Größe", "charset of the Content-Type");
  ok(!("last-modified" in l.headers), "no Last-Modified where the origin gives none");
  const odd = await get(`/a"b<c>&d'e/llm/`);
  ok(odd.status === 400 || odd.links.includes(`<${site}/a%22b%3Cc%3E&d'e/>; rel="canonical"`), "a path with quotes and brackets cannot leave its header", odd.headers.link ?? odd.status);
}

async function conditions(get) {
  const full = await get("/post/llm/"), { etag } = full.headers;
  const not = async (headers, what, method) => {
    const r = await get("/post/llm/", { headers, method });
    same(r.status, 304, what);
    return r;
  };
  const r = await not({ "if-none-match": etag }, "If-None-Match: 304 [TCT 3 if-none-match]");
  same(r.body.length, 0, "304 has no body [TCT 4 no body]");
  same(r.headers.etag, etag, "304 has the ETag [TCT 4 etag]");
  same([r.headers["cache-control"], r.headers.vary, r.headers.link, r.headers["last-modified"]].join("|"),
    [full.headers["cache-control"], full.headers.vary, full.headers.link, full.headers["last-modified"]].join("|"), "304 has the fields of the 200 [TCT 4 cache-control]");
  ok(!("content-digest" in r.headers) && !("content-type" in r.headers), "304 has no fields of a body");
  ok([undefined, full.headers["content-length"]].includes(r.headers["content-length"]), "304 announces no body, or the one of the 200", r.headers["content-length"]);
  await not({ "if-none-match": `W/${etag}` }, "If-None-Match: weakened tag");
  await not({ "if-none-match": `"a,b", W/"c", ${etag}` }, "If-None-Match: list with commas in quotes");
  await not({ "if-none-match": "*" }, "If-None-Match: *");
  await not({ "if-none-match": etag, "if-modified-since": "Mon, 16 Nov 2020 00:00:00 GMT" }, "If-None-Match before If-Modified-Since: 304 [TCT 3 precedence]");
  same((await get("/post/llm/", { headers: { "if-none-match": '"x"', "if-modified-since": "Tue, 17 Nov 2054 10:00:00 GMT" } })).status, 200, "If-None-Match before If-Modified-Since: 200 [TCT 3 precedence]");
  same((await get("/post/llm/", { headers: { "if-none-match": etag.slice(1, -1) } })).status, 200, "If-None-Match without quotes names nothing");
  await not({ "if-modified-since": "Tue, 17 Nov 2054 10:00:00 GMT" }, "If-Modified-Since alone");
  same((await get("/post/llm/", { headers: { "if-modified-since": "Tue, 17 Nov 2054 09:59:59 GMT" } })).status, 200, "If-Modified-Since: modified since");
  await not({ "if-none-match": etag }, "HEAD with If-None-Match: 304", "HEAD");
  for (const [value, status, what] of [[etag, 200, "the tag"], ["*", 200, "anything"], [`"x", ${etag}`, 200, "a list"], ['"x"', 412, "another tag"], [`W/${etag}`, 412, "a weak tag"]])
    same((await get("/post/llm/", { headers: { "if-match": value } })).status, status, `If-Match: ${what}: ${status}`);
  isProblem(await get("/post/llm/", { headers: { "if-match": '"x"', "if-none-match": etag } }), 412, "If-Match before If-None-Match: 412");
  await not({ "if-match": etag, "if-none-match": etag }, "If-Match and If-None-Match: 304");
  const head = await get("/post/llm/", { method: "HEAD" });
  same(head.status, 200, "HEAD: 200 [TCT 5 head]");
  same(head.body.length, 0, "HEAD: no body [TCT 5 head body]");
  const drop = (h) => JSON.stringify(Object.entries(h).filter(([k]) => !["date", "connection", "keep-alive", "age", "server", "x-powered-by"].includes(k)).sort());
  same(drop(head.headers), drop(full.headers), "HEAD: the same fields as GET [TCT 5 head fields]");
  const part = await get("/post/llm/", { headers: { range: "bytes=2-11" } });
  same([part.status, part.headers["content-range"], part.text].join("|"), `206|bytes 2-11/${full.body.length}|${full.text.slice(2, 12)}`, "Range: 206");
  same((await get("/post/llm/", { headers: { range: "bytes=-5" } })).text, full.text.slice(-5), "Range: the last bytes");
  const beyond = await get("/post/llm/", { headers: { range: "bytes=999999-" } });
  isProblem(beyond, 416, "Range: 416");
  same(beyond.headers["content-range"], `bytes */${full.body.length}`, "Range: 416 says the size");
  same((await get("/post/llm/", { headers: { range: "bytes=0-1", "if-range": etag } })).status, 206, "If-Range: strong and equal [TCT 3 if-range]");
  same((await get("/post/llm/", { headers: { range: "bytes=0-1", "if-range": `W/${etag}` } })).status, 200, "If-Range: weak: the whole [TCT 3 if-range]");
  same((await get("/post/llm/", { headers: { range: "bytes=0-1", "if-range": '"x"' } })).status, 200, "If-Range: another: the whole [TCT 3 if-range]");
}

async function mapping(get, origin) {
  const md = await get("/post/llm.md");
  same(md.status + " " + md.headers["content-type"], "200 text/markdown; charset=utf-8", "Markdown twin");
  ok(md.text.startsWith("# A post\n") && md.links.includes(`<${site}/post/>; rel="canonical"`), "Markdown twin: content and canonical", md.text.slice(0, 80));
  const json = await get("/post/llm/");
  ok(md.headers.etag !== json.headers.etag && /^"sha256-/.test(md.headers.etag), "Markdown twin: an ETag of its own");
  same((await get("/post/llm.md", { headers: { "if-none-match": md.headers.etag } })).status, 304, "Markdown twin: 304");
  same((await get("/llm/")).status, 200, "the home page");
  const r = await get("/post/llm");
  same([r.status, r.headers.location].join(" "), `301 ${site}/post/llm/`, "a redirect of the page is one of its view");
  same((await get("/away/llm/")).headers.location, "https://elsewhere.example/x", "a redirect to another site passes");
  isProblem(await get("/self/llm/"), 502, "a redirect to itself: 502");
  const legacy = await get("/post/old/");
  same([legacy.status, legacy.headers.location].join(" "), `308 ${site}/post/llm/`, "legacy suffix: 308 [TCT migration]");
  const plain = await get("/post/llm/", { headers: { "x-forwarded-proto": "http" } });
  same([plain.status, plain.headers.location].join(" "), `308 ${site}/post/llm/`, "http: 308 to https [TCT https]");
  for (const [path, what] of [["/category/x/llm/", "category"], ["/tag/x/llm/", "tag"], ["/search/llm/", "search"], ["/author/x/llm/", "author"], ["/2025/10/llm/", "date"]])
    isProblem(await get(path), 404, `archive page, ${what}: 404 [TCT 10 content pages]`);
  for (const [path, what] of [["/x/llm/llm/", "twice the suffix"], ["/post/llm/?a=1", "a query"], ["/%74ag/x/llm/", "excluded, percent-encoded"], ["/plain/llm/", "no HTML"], ["/empty/llm/", "no content"], ["/nowhere/llm/", "no page"]])
    isProblem(await get(path), 404, `${what}: 404`);
  same((await get("/nowhere/llm/")).headers["cache-control"], "max-age=60", "404 may be kept for a minute");
  ok((await get("/what-is-an-llm/")).status === 404 && origin.asked("/what-is-an-llm/").length > 0, "an ordinary page with llm in its name goes to the origin");
  const post = await get("/post/llm/", { method: "POST", body: "x" });
  isProblem(post, 405, "POST: 405");
  same(post.headers.allow, "GET, HEAD", "405 says what is allowed");
  isProblem(await get("/post/llm/", { headers: { "accept-encoding": "identity;q=0" } }), 406, "no encoding left: 406");
  isProblem(await get("/post/llm/", { headers: { "cdn-loop": "other, adit" } }), 508, "loop: 508");
}

async function failures(get, origin, features) {
  const login = await get("/login/llm/");
  isProblem(login, 401, "401 passes on [TCT access]");
  same(login.headers["www-authenticate"], 'Basic realm="site"', "with its challenge");
  isProblem(await get("/forbidden/llm/"), 403, "403 passes on [TCT access]");
  isProblem(await get("/gone/llm/"), 410, "410 passes on");
  const limit = await get("/limit/llm/");
  isProblem(limit, 429, "429 passes on");
  same(limit.headers["retry-after"], "30", "with Retry-After");
  const down = await get("/down/llm/");
  isProblem(down, 503, "503 passes on");
  same([down.headers["retry-after"], down.headers["cache-control"]].join(), "120,no-store", "with Retry-After, and is not stored");
  isProblem(await get("/error/llm/"), 502, "500 of the origin: 502, never an empty 200 [TCT no empty 200]");
  isProblem(await get("/large/llm/"), 502, "a page that is too large: 502");
  for (const path of Object.keys(origin.pages).filter((p) => p.startsWith("/damaged/"))) {
    for (const again of ["", ", and again"]) isProblem(await get(path + "llm/"), 502, `${path}: 502${again}`);
    same(origin.asked(path).slice(-2).map((q) => q.headers["if-none-match"] ?? q.headers["if-modified-since"]), [undefined, undefined], `${path}: nothing is remembered`);
  }
  same((await get("/zstd/llm/")).status, 200, "a page in zstd, with its checksum");
  isProblem(await get("/liar/llm/"), 502, "an undecodable page: 502");
  isProblem(await get("/brotli/llm/"), 502, "a coding that we do not have: 502");
  if (features.cut === false) ok(await get("/cut/llm/").then((r) => r.broken, () => true), "a page that is cut off: no answer");
  else isProblem(await get("/cut/llm/"), 502, "a page that is cut off: 502");
  if (features.timeout !== false) isProblem(await get("/slow/llm/"), 504, "a slow origin: 504"); // else it is the proxy that waits
  same(JSON.parse((await get("/gzip/llm/")).text).title, "Compressed", "a gzipped page although identity was asked for");
  same(JSON.parse((await get("/chunked/llm/")).text).title, "In chunks", "a page in small chunks");
  for (const path of ["/private/llm/", "/cookie/llm/"]) {
    const r = await get(path);
    same([r.status, r.headers["cache-control"]].join(), "200,private, no-store", `${path}: not for shared caches [TCT access]`);
  }
  const many = await get("/many-fields/llm/");
  ok((many.status === 200 && many.headers["cache-control"] === "private, no-store") || many.status === 502, "300 fields, the last of which says private: not for shared caches", `${many.status} ${many.headers["cache-control"]}`);
  isProblem(await get("/long-robots/llm/"), 502, "an X-Robots-Tag that is too long to be sent: 502, not a view without it");
  const hidden = await get("/noindex/llm/");
  same([hidden.status, hidden.headers["x-robots-tag"]].join(), "200,noindex, nofollow", "X-Robots-Tag passes on");
}

async function memory(get, origin) {
  await get("/post/llm/");
  const before = origin.log.length;
  const r = await get("/post/llm/");
  const asked = origin.log.slice(before);
  same(asked.map((q) => q.headers["if-none-match"]).join(), '"v1"', "an unchanged page is asked for with the origin's own validator");
  same(r.status, 200, "and answered from memory");
  same((await get("/post/llm/", { headers: { "if-none-match": r.headers.etag } })).status, 304, "or 304");
}

async function cPages(get, origin) {
  const r = await get("/post/", { headers: { "accept-encoding": "deflate", range: "bytes=0-9", cookie: "a=b", accept: "text/html" } });
  const link = `<link rel="alternate" type="application/json" href="${site}/post/llm/"><link rel="alternate" type="text/markdown" href="${site}/post/llm.md">`;
  same(r.status, 200, "page: 200, ranges are not passed on");
  same(r.text, origin.article("A post").replace("<head>", "<head>" + link), "page: the link behind <head>, all else as it was [TCT 1 alternate]");
  ok(r.links.includes(`<${site}/post/llm/>; rel="alternate"; type="application/json"`), "page: Link alternate [TCT 1 alternate]", r.headers.link);
  ok(r.links.includes(`<${site}/post/llm.md>; rel="alternate"; type="text/markdown"`), "page: Link to the Markdown twin", r.headers.link);
  ok(r.links.includes(`<${site}/llm-sitemap.json>; rel="index"; type="application/json"`), "page: Link to the sitemap [TCT discovery]");
  same(r.headers.etag, 'W/"v1"', "page: a rewritten page has no strong ETag");
  same(["accept-ranges", "content-md5", "content-digest"].filter((h) => h in r.headers).join(), "", "page: nothing that is true of other bytes only");
  ok(r.raw.includes("s=1"), "page: cookies pass");
  same(origin.asked("/post/").at(-1).headers.cookie, "a=b", "page: the client's cookie reaches the origin");
  const unset = origin.article("A post").replace("<nav>", '<div class="banner">Sale!</div><nav class="new">').replace("Imprint", "New footer, other theme");
  same((await get("/other-theme/")).text, unset.replace('<meta charset="utf-8">', '<meta charset="utf-8">' + link.replaceAll("/post/", "/other-theme/")), "page without charset in HTTP: the link behind the tag that declares it");
  const not = await get("/post/", { headers: { "if-none-match": 'W/"v1"' } });
  same(not.status, 304, "page: 304 passes");
  const head = await get("/post/", { method: "HEAD" });
  same([head.status, head.headers.etag, head.body.length].join(), '200,W/"v1",0', "page: HEAD");
  ok(!("content-length" in head.headers) || Number(head.headers["content-length"]) === r.body.length, "page: HEAD does not say a wrong length", head.headers["content-length"]);
  const css = await get("/style.css", { method: "HEAD" });
  same([css.status, css.headers["content-length"]].join(), "200,3", "HEAD of a file: its length");
  const none = await get("/none/");
  same([none.status, none.body.length].join(), "204,0", "204 passes");
  same((await get("/chunked/")).text, origin.article("In chunks").replace("<head>", "<head>" + link.replaceAll("/post/", "/chunked/")), "page in small chunks");
  for (const [path, what] of [["/no-transform/", "no-transform"], ["/signed/", "a signature"], ["/noindex/", "noindex"]]) {
    const u = await get(path);
    same(u.text, origin.pages[path]()[2], `${what}: not touched`);
    ok(!u.headers.link, `${what}: no Link either`);
  }
  for (const path of ["/nowhere/", "/plain/", "/style.css", "/post/?a=b", "/tag/x/"]) {
    const u = await get(path);
    ok(!u.headers.link && !u.text.includes("llm/"), `${path}: not touched`, u.headers.link);
  }
  const zip = await get("/gzip/", { headers: { "accept-encoding": "deflate" } });
  same(zip.body.toString("hex"), zlib.gzipSync(origin.article("Compressed")).toString("hex"), "encoded although identity was asked for: the bytes as they are");
  ok(zip.links.some((l) => l.includes("/gzip/llm/")), "and a Link field");
  const torn = await get("/damaged/gzip/", { headers: { "accept-encoding": "deflate" } });
  same(torn.body.toString("hex"), origin.pages["/damaged/gzip/"]()[2].toString("hex"), "people get their page as it is, whatever its checksum");
  const video = await get("/video.mp4", { headers: { range: "bytes=0-3" } });
  same([video.status, video.text].join(), "206,0123", "ranges of downloads pass");
  const big = await get("/large/");
  same(big.body.length, origin.pages["/large/"]()[2].length, "a large page streams through, without a link to what would be 502");
  const cut = await get("/cut/").catch(() => ({ broken: true }));
  ok(cut.broken || cut.status === 502, "a page that is cut off ends broken, not as if it were whole", cut.status);
  const data = Buffer.alloc(300000, "0123456789");
  const echo = await get("/echo", { method: "POST", body: data, headers: { "content-type": "text/x" } });
  ok(echo.headers["x-method"] === "POST" && echo.body.equals(data), "bodies of requests pass");
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const r2 = await get("/echo", { method });
    same([r2.status, r2.headers["x-method"], r2.body.length].join(), `200,${method},0`, `${method} without a body passes`);
  }
  same((await get("/login/")).headers["www-authenticate"], 'Basic realm="site"', "401 of a page passes");
}

async function documents(get, origin) {
  const r = await get("/llm-sitemap.json");
  same([r.status, r.text].join(), `200,${sitemap}`, "sitemap");
  same(r.headers["cache-control"], cacheControl, "sitemap: Cache-Control [TCT cache-control]");
  ok(/accept-encoding/i.test(r.headers.vary), "sitemap: Vary [TCT vary]");
  ok(r.links.includes(`<${site}/llm-policy.json>; rel="describedby"; type="application/json"`), "sitemap: Link to the policy [TCT policy]");
  same((await get("/.well-known/llm-sitemap.json")).text, sitemap, "sitemap: its well-known twin [TCT discovery]");
  // The origin's tag, or, from an edge that knows something of the pages, that of the bytes it tells.
  const tag = r.headers.etag;
  ok(tag === '"map"' || tag === `"sha256-${sha256(r.body).toString("hex")}"`, "sitemap: ETag", tag);
  const not = await get("/llm-sitemap.json", { headers: { "if-none-match": tag } });
  same([not.status, not.headers.etag, not.headers["cache-control"]].join(), `304,${tag},${cacheControl}`, "sitemap: 304 [TCT sitemap conditional]");
  const head = await get("/llm-sitemap.json", { method: "HEAD" });
  same([head.status, head.headers.etag, head.body.length].join(), `200,${tag},0`, "sitemap: HEAD [TCT 5 head]");
  same((await get("/llm-sitemap.json", { headers: { "x-forwarded-proto": "http" } })).status, 308, "sitemap over http: 308 [TCT https]");
  const policy = await get("/llm-policy.json");
  same(policy.text, canonical(config.policy), "policy [TCT policy]");
  same(policy.headers.etag, `"sha256-${sha256(policy.body).toString("hex")}"`, "policy: ETag");
  same((await get("/.well-known/llm-policy.json", { headers: { "if-none-match": policy.headers.etag } })).status, 304, "policy: its twin, 304");
  const file = "/collections/" + manifest.collections[0].file;
  const c = await get(file);
  same([c.status, c.headers["content-type"], c.headers["content-encoding"]].join(), "200,application/scp,zstd", "SCP file: type and encoding");
  same([c.headers.etag, c.headers["last-modified"], c.headers["cache-control"]].join(), `"${checksum}",Mon, 16 Nov 2026 00:00:00 GMT,public, max-age=86400, stale-while-revalidate=3600`, "SCP file: validators and freshness from the manifest");
  ok(c.body.equals(scp), "SCP file: its bytes");
  const n = origin.asked(file).length;
  same((await get(file, { headers: { "if-none-match": `"${checksum}"` } })).status, 304, "SCP file: 304");
  same(origin.asked(file).length, n, "SCP file: and the origin is not asked for it");
  same((await get(file, { headers: { "if-modified-since": "Mon, 16 Nov 2026 00:00:00 GMT" } })).status, 304, "SCP file: 304 by date");
  isProblem(await get(file, { headers: { "if-match": '"other"' } }), 412, "SCP file: If-Match of another file: 412");
  same((await get(file, { headers: { "if-match": `"${checksum}"` } })).status, 200, "SCP file: If-Match of this one");
  same(origin.asked(file).at(-1).headers["if-match"], undefined, "SCP file: and the origin, which does not know it, is not asked");
  const part = await get(file, { headers: { range: "bytes=4-", "if-range": `"${checksum}"` } });
  same([part.status, part.text].join(), `206,${scp.subarray(4)}`, "SCP file: resuming with If-Range");
  same((await get(file, { headers: { range: "bytes=4-", "if-range": '"other"' } })).status, 200, "SCP file: If-Range of another file");
}

async function resourceSync(get) {
  for (const [path, type, cache, text] of [["/.well-known/resourcesync", "application/xml", cacheControl, lists], ["/resourcesync/blog/changelist.xml", "application/xml", "max-age=60", lists],
    ["/feed.xml", "application/atom+xml", cacheControl, feed], ["/rss/feed.xml", "application/rss+xml", undefined, feed]]) {
    const r = await get(path), head = await get(path, { method: "HEAD" }), not = await get(path, { headers: { "if-none-match": '"list"' } });
    same([r.status, r.headers["content-type"], r.headers.etag, r.headers["cache-control"], r.text], [200, type, '"list"', cache, text], `${path}: type, ETag, freshness, bytes`);
    same([head.status, head.headers["content-type"], head.body.length], [200, type, 0], `${path}: HEAD`);
    same([not.status, not.headers.etag, not.body.length], [304, '"list"', 0], `${path}: 304`);
  }
}

async function many(get, origin, features) {
  if (features.coalesce === false) return skip("one conversion for many", "this host does not share");
  const before = origin.asked("/busy/").length;
  const all = await Promise.all(Array.from({ length: 20 }, () => get("/busy/llm/")));
  ok(all.every((r) => r.status === 200 && r.text === all[0].text), "20 requests at a time: all answered alike");
  same(origin.asked("/busy/").length - before, 1, "20 requests at a time: one for the origin");
}

// Markdown at the page's own URL.
async function negotiation(get, origin, features) {
  const accept = "text/markdown, text/html, */*", headers = { accept };
  for (const path of ["/", "/post/"]) {
    const twin = await get(path + "llm.md"), r = await get(path, { headers });
    same([r.status, r.headers["content-type"], r.headers["content-location"]].join(), `200,text/markdown; charset=utf-8,${site}${path}llm.md`, `negotiation: Markdown at ${path}`);
    same([r.text, r.headers.etag].join(), [twin.text, twin.headers.etag].join(), "negotiation: the bytes and the tag of the twin");
    ok(/(^|, )Accept(,|$)/.test(r.headers.vary), "negotiation: Vary", r.headers.vary);
    const head = await get(path, { headers, method: "HEAD" });
    same([head.status, head.headers.etag, head.headers["content-type"], head.body.length].join(), [200, r.headers.etag, r.headers["content-type"], 0].join(), "negotiation: HEAD");
    same((await get(path, { headers: { accept, "if-none-match": r.headers.etag } })).status, 304, "negotiation: 304");
    const part = await get(path, { headers: { accept, range: "bytes=2-5" } });
    same([part.status, part.text].join(), `206,${r.text.slice(2, 6)}`, "negotiation: a range");
    const page = await get(path, { headers: { accept: "text/html" } });
    ok(/^text\/html/.test(page.headers["content-type"]) && /(^|, ?)Accept(,|$)/.test(page.headers.vary), "negotiation: people's HTML says that it varies", page.headers.vary);
  }
  // A host that forgets between requests which pages have no view links them.
  for (const path of ["/private/", ...(features.viewless === false ? [] : ["/empty/"]), "/plain/", "/tag/x/", "/post/?a=b"]) {
    const [r, people] = [await get(path, { headers }), await get(path, { headers: { accept: "text/html" } })];
    same([r.status, r.headers["content-type"], r.text].join(), [people.status, people.headers["content-type"], people.text].join(), `negotiation: ${path} is as people get it`);
  }
  same((await get("/post/", { headers: { accept, cookie: "a=b" } })).headers["content-type"], "text/html; charset=utf-8", "negotiation: not with a cookie");
  same(origin.asked("/post/").at(-1).headers.accept, accept, "negotiation: and then the origin hears what the client asked for");
}

export async function suite({ base, origin, features = {} }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 30 });
  const get = (path, options = {}) => ask(base, path, { agent, ...options });
  for (const [name, part] of Object.entries({ machineView, conditions, mapping, failures, memory, cPages, negotiation, documents, resourceSync }))
    await part(get, origin, features).catch((e) => ok(false, `${name} ends without an exception`, e.stack));
  await many(get, origin, features).catch((e) => ok(false, "many requests", e.stack));
  agent.destroy();
}
