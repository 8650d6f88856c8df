// A small program for Fastly Compute, by their SDK: fastly-app.test.mjs compiles it with @fastly/js-compute
// and runs it, unchanged, on our host. It uses what our own program uses of the platform.
const routes = {
  "/hello": (q) => new Response(`${q.method} ${q.url}`, { status: 201, headers: { "content-type": "text/x", "x-one": "1" } }),
  "/headers": (q) => Response.json([...q.headers].filter(([k]) => k.startsWith("x-"))),
  "/upper": async (q) => new Response((await q.text()).toUpperCase()),
  "/config": () => { const s = new ConfigStore("settings"); return Response.json([s.get("greeting"), s.get("nothing")]); },
  "/log": () => { new Logger("audit").log("a line"); return new Response(null, { status: 204 }); },
  "/client": (q, e) => new Response(e.client.address),
  "/timer": () => new Promise((r) => setTimeout(() => r(new Response("later")), 20)),
  // A page of a backend, with other fields; the body goes on as it comes.
  "/page": async (q) => {
    const r = await fetch("https://origin.example/page?a=b", { backend: "origin", headers: { "x-asked": "yes", accept: "text/html" } });
    const headers = new Headers(r.headers);
    headers.delete("x-secret");
    headers.append("x-added", "a");
    headers.append("x-added", "b");
    headers.set("x-changed", "new");
    return new Response(r.body, { status: r.status, headers });
  },
  // The client's own request and its body, sent on.
  "/forward": (q) => fetch(new Request(new URL("/echo", q.url), q), { backend: "origin" }),
  // Chunk by chunk, each in brackets.
  "/brackets": async () => {
    const r = await fetch("https://origin.example/chunks", { backend: "origin" }), reader = r.body.getReader(), text = new TextEncoder();
    return new Response(new ReadableStream({
      async pull(c) {
        const { done, value } = await reader.read();
        if (done) return c.close();
        c.enqueue(text.encode("["));
        c.enqueue(value);
        c.enqueue(text.encode("]"));
      },
    }));
  },
  "/both": async () => { // the slower one is asked first
    const all = await Promise.all(["/slow", "/page"].map((p) => fetch("https://origin.example" + p, { backend: "origin" }).then((r) => r.text())));
    return Response.json(all.map((t) => t.length));
  },
  "/cut": async () => { const r = await fetch("https://origin.example/cut", { backend: "origin" }); return new Response(await r.text()); },
  "/unknown": () => fetch("https://origin.example/", { backend: "nobody" }),
  "/down": () => fetch("https://origin.example/", { backend: "down" }),
  "/simple": async (q) => {
    const key = new URL(q.url).search;
    const entry = await SimpleCache.getOrSet(key, async () => ({ value: (await (await fetch("https://origin.example/slow", { backend: "origin" })).text()) + key, ttl: 60 }));
    return new Response(entry.body);
  },
  "/core": async () => {
    const found = CoreCache.lookup("core-key");
    if (found) return new Response(found.body(), { headers: { "x-state": JSON.stringify([found.state().found(), found.state().usable(), found.state().stale(), found.length(), found.maxAge()]), "x-meta": new TextDecoder().decode(found.userMetadata()) } });
    const w = CoreCache.insert("core-key", { maxAge: 60000, length: 6, userMetadata: "meta", surrogateKeys: ["one", "two"] });
    w.append("stored");
    w.close();
    return new Response("inserted");
  },
  "/throws": () => { throw new Error("of the program's own"); },
};

addEventListener("fetch", (event) => event.respondWith((async () => {
  const route = routes[new URL(event.request.url).pathname];
  if (!route) return new Response("no such route", { status: 404 });
  try { return await route(event.request, event); } catch (e) { return new Response(`${e.name}: ${e.message}`, { status: 502 }); }
})()));
