// The example of a cache in a Cloudflare Worker (edge/examples/cloudflare-cache.js) in Miniflare, with its Cache API, in front of `adit serve`.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { serve, temporary } from "./lent.mjs";
import { same, skip, done } from "./tap.mjs";

const modules = path.resolve("edge/worker/node_modules/miniflare");
if (!fs.existsSync(modules)) {
  skip("the cache in a Worker", "no Miniflare here");
} else {
  const folder = temporary("cache");
  fs.writeFileSync(path.join(folder, "index.html"), "<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1><p>A sentence that is long enough to be the content.</p></main>");
  const origin = await serve(folder, "--quiet");
  const { Miniflare } = createRequire(import.meta.url)(modules);
  const worker = new Miniflare({ modules: true, scriptPath: "edge/examples/cloudflare-cache.js", compatibilityDate: "2024-09-01", bindings: { ORIGIN: origin.base } });
  const get = async (headers, at = "/") => {
    const r = await worker.dispatchFetch(`https://example.com${at}`, { headers, redirect: "manual" });
    const text = await r.text();
    await new Promise((next) => setTimeout(next, 200)); // what waitUntil does
    return [r.status, r.headers.get("content-type")?.split(";")[0], r.headers.get("x-cache"), text, r.headers.get("etag")];
  };
  const rows = [
    ["a browser", { accept: "text/html,*/*;q=0.8" }, "text/html", "MISS"],
    ["another browser gets the copy of the first", { accept: "text/html;q=0.9, image/webp" }, "text/html", "HIT"],
    ["an agent asks adit", { accept: "text/markdown, text/html;q=0.5" }, "text/markdown", null],
    ["a browser gets HTML again", { accept: "text/html" }, "text/html", "HIT"],
    ["so does who refuses Markdown by name", { accept: "text/html, text/markdown;q=0" }, "text/html", "HIT"],
    ["whoever has a cookie has no share in the cache", { accept: "text/html", cookie: "session=1" }, "text/html", null],
  ];
  for (const [what, headers, type, cache] of rows) same((await get(headers)).slice(0, 3), [200, type, cache], what);
  const view = await get({ accept: "text/html" }, "/llm/");
  same([view[1], view[2]], ["application/json", null], "machine views are not kept");
  same((await get({ "if-none-match": view[4] }, "/llm/"))[0], 304, "and who has one gets 304");
  same((await get({ accept: "text/html" }, "/none/"))[0], 404, "what is not there is not kept");
  await worker.dispose();
  await origin.stop();
}
done();
