// A Cloudflare Worker in front of `adit serve`: a cache of the pages for people; agents ask adit itself, where a 304 costs no conversion.
// Cloudflare does not vary by Accept: so the copies are HTML alone, under the page's own address. ORIGIN is a variable of the Worker
// (wrangler.toml: [vars] ORIGIN = "https://origin.example.com"); adit's configuration has "origin": "https://example.com".
const MARKDOWN = /text\/markdown(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;
const VIEW = /(\/llm\/?|[./]llm\.md)$/;

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const ask = (headers) => fetch(new Request(new URL(url.pathname + url.search, env.ORIGIN), new Request(request, { headers, redirect: "manual" })));
    const people = request.method === "GET" && /text\/html/i.test(request.headers.get("accept") ?? "") && !MARKDOWN.test(request.headers.get("accept"));
    if (!people || VIEW.test(url.pathname) || ["cookie", "authorization", "range"].some((name) => request.headers.has(name))) return ask(request.headers);
    const hit = await caches.default.match(url.href);
    if (hit) return marked(hit, "HIT");
    const answer = await ask({ accept: "text/html" });
    if (answer.status !== 200 || /private|no-store/i.test(answer.headers.get("cache-control") ?? "")) return answer;
    // Pages of a folder carry no Cache-Control: a minute.
    const copy = new Response(answer.clone().body, answer);
    if (!copy.headers.has("cache-control")) copy.headers.set("cache-control", "max-age=60");
    context.waitUntil(caches.default.put(url.href, copy));
    return marked(answer, "MISS");
  },
};

function marked(answer, how) {
  const r = new Response(answer.body, answer);
  r.headers.set("x-cache", how);
  return r;
}
