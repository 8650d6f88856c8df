// The built-in page of `adit serve` in a real browser: headless Chromium, if there is one.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ok, same, skip, done } from "./tap.mjs";

const adit = process.env.ADIT ?? "build/adit";
const browser = ["chromium", "chromium-browser", "google-chrome"].find((b) => spawnSync(b, ["--version"]).status === 0);
if (!browser) {
  skip("the page of --inspect in a browser", "no Chromium");
} else {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "adit-browser-"));
  const page = (title) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><nav>${"<a href='/'>Home</a> ".repeat(40)}</nav>
<main><h1>${title}</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p></main></body></html>`;
  for (const [name, title] of [["index.html", "Home"], ["post/index.html", "A post <b>"], ["tag/x/index.html", "A tag"]]) {
    fs.mkdirSync(path.join(folder, "site", path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(folder, "site", name), page(title.replace("<", "&lt;")));
  }
  const child = spawn(adit, ["serve", path.join(folder, "site"), "--listen", "127.0.0.1:0", "--inspect", "--quiet"], { stdio: ["ignore", "ignore", "pipe"] });
  const [inspect, base] = await new Promise((ready) => {
    let err = "";
    child.stderr.on("data", (d) => {
      const m = /both views of each page: (\S+)\n[^]*listening on (\S+)\/\n/.exec((err += d));
      if (m) ready(m.slice(1));
    });
  });
  // What the page is after its scripts have run. A fragment chooses the page to show.
  const dom = (url) => {
    const r = spawnSync(browser, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${folder}/profile`,
      "--virtual-time-budget=10000", "--dump-dom", url], { encoding: "utf8", timeout: 60000, maxBuffer: 16 << 20 });
    return r.stdout ?? "";
  };
  const cell = (text, id) => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text)?.[1];
  const bytes = (n) => n.toLocaleString("en");
  const size = async (p) => (await (await fetch(base + p)).arrayBuffer()).byteLength;

  const first = dom(inspect);
  for (const p of ["/", "/post/", "/tag/x/"]) ok(first.includes(`>${p}</button>`), `the list has ${p}`, first.slice(0, 300));
  const [html, view] = [await size("/"), await size("/llm/")];
  same(cell(first, "hb"), bytes(html), "bytes of the HTML");
  same(cell(first, "mb"), bytes(view), "bytes of the machine view");
  same(cell(first, "ht"), bytes(Math.round(html / 4)), "tokens of the HTML");
  same(cell(first, "mt"), bytes(Math.round(view / 4)), "tokens of the machine view");
  same(cell(first, "sv"), (100 * (1 - view / html)).toFixed(1) + " %", "saving");
  ok(first.includes("tokens are estimated as bytes / 4"), "says how tokens are counted");
  ok(/id="m"[^>]*>\{[^<]*"canonical_url"/.test(first) && /id="h"[^>]*>&lt;!doctype html&gt;/.test(first), "both views side by side, as text");
  const post = dom(inspect + "#/post/");
  ok(/<button aria-current="">\/post\/<\/button>/.test(post) && post.includes("A post &lt;b&gt;"), "another page by its fragment", post.slice(-500));
  const tag = dom(inspect + "#/tag/x/");
  ok(/id="s"[^>]*>HTTP 200: this page has no machine view/.test(tag), "a page without a machine view says so");
  child.kill();
  await new Promise((end) => child.on("exit", end));
  fs.rmSync(folder, { recursive: true });
}
done();
