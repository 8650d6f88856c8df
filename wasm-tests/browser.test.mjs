// The inspector of `adit serve --inspect` in a real browser: headless Chromium, if there is one. ADIT_PICTURES names a
// folder for pictures of what was seen.
import fs from "node:fs";
import path from "node:path";
import { browser, open } from "./chromium.mjs";
import { serve, temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const inspector = (server) => /inspector: (\S+)\n/.exec(server.err)[1];

if (!browser) {
  skip("the inspector in a browser", "no Chromium");
} else {
  const folder = temporary("browser");
  const html = (title, more = "") => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${more}<link rel="stylesheet" href="/style.css"></head>
<body><nav>${"<a href='/'>Home</a> ".repeat(40)}</nav><main><h1>${title}</h1><p>The first paragraph has enough words to be <a href="/x">taken</a> for content by any reader of this page.</p>
<ul><li>The first point of a list that belongs to the text.</li><li>The second point, which is as long as the first one.</li></ul></main><script>document.title = "run"; fetch("/ran")</script></body></html>`;
  const pages = [["index.html", "Home"], ["post/index.html", "A post &lt;b&gt;"], ["tag/x/index.html", "A tag"], ["docs/one.html", "One of the documents"], ["docs/two.html", "Two"],
    ["hidden.html", "Hidden", '<meta name="robots" content="noindex">'], ["empty.html", "Empty"]];
  for (const [name, title, more] of pages) {
    fs.mkdirSync(path.join(folder, "site", path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(folder, "site", name), title === "Empty" ? "<!doctype html><title>Empty</title>" : html(title, more));
  }
  fs.writeFileSync(path.join(folder, "site/style.css"), "main h1 { color: rgb(1, 2, 3) }");
  fs.mkdirSync(path.join(folder, "none"));
  const server = await serve(path.join(folder, "site"), "--inspect", "--quiet");
  const page = await open();
  const picture = async (name) => process.env.ADIT_PICTURES && page.picture(path.join(process.env.ADIT_PICTURES, name + ".png"), false);
  const text = (selector) => page.value(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
  const at = (hash, title) => page.go("about:blank").then(() => page.go(inspector(server) + hash)).then(() => page.until(`document.querySelector('#about h2')?.innerText === ${JSON.stringify(title)}`));
  const links = () => page.value("[...document.querySelectorAll('#pages a')].filter(a => a.offsetParent).map(a => a.title).join(' ')");

  await page.look({});
  page.forget();
  ok(await at("", "Home"), "the home page is shown first", await text("body"));
  same(await links(), "/ /empty.html /hidden.html /post/ /docs/one.html /docs/two.html /tag/x/", "the tree: pages, then folders");
  ok((await text("#pages")).includes("One of the documents") && (await text("#pages")).includes("docs/ (2)"), "titles and folders");
  const size = async (p) => (await (await fetch(server.base + p)).arrayBuffer()).byteLength;
  const [whole, md, json] = [await size("/"), await size("/llm.md"), await size("/llm/")];
  const sizes = await text("#sizes");
  ok(sizes.includes(whole.toLocaleString("en") + " bytes") && sizes.includes(md.toLocaleString("en") + " bytes") && sizes.includes(json.toLocaleString("en") + " bytes"), "sizes of page, Markdown, JSON", sizes);
  ok(sizes.includes((100 * (1 - md / whole)).toFixed(1) + " %"), "and the saving", sizes);
  ok(/pages\s*7\s/.test(await text("#totals")) && /HTML → Markdown/.test(await text("#totals")) && /answers 304/.test(await text("#totals")), "totals of the site", await text("#totals"));
  ok((await page.value("innerHeight - document.querySelector('iframe').getBoundingClientRect().bottom")) < 2, "the page fills the window to its end");
  await picture("inspector-light");

  // The page itself, marked: rendered with its own style sheet, without its scripts.
  same(await page.value("[...document.querySelectorAll('iframe')].map(f => f.getAttribute('sandbox') + ' ' + f.getAttribute('src')).join()"), " marked/", "the page is in a sandbox");
  await page.wait(500);
  ok(!page.requests().some((u) => u.endsWith("/ran")), "its scripts do not run");
  same(page.complaints().filter((c) => !/Blocked script execution|sandboxed/.test(c)), [], "the browser has no complaint");
  await page.go(inspector(server) + "marked/");
  same(await page.value("getComputedStyle(document.querySelector('main h1')).color"), "rgb(1, 2, 3)", "its style sheet counts");
  const marks = "[...document.querySelectorAll('adit-text')].map(e => (e.hasAttribute('kept') ? '+' : '-') + e.textContent)";
  ok((await page.value(marks)).includes("-Home") && (await page.value(marks)).some((m) => m.startsWith("+The first paragraph")), "kept and dropped texts are marked", JSON.stringify(await page.value(marks)));
  await page.mouse(await page.value("(() => { const r = document.querySelector('main p adit-text').getBoundingClientRect(); return [r.x + 5, r.y + 5] })()"), "mouseMoved");
  ok(/kept: its score passes the cut/.test(await page.value("getComputedStyle(document.querySelector('main p adit-text'), '::after').content")), "the reason is shown on hover");
  await picture("inspector-hover");
  await page.go(inspector(server) + "content/");
  ok((await page.value("document.querySelectorAll('li').length")) === 2 && !(await text("body")).includes("Home Home"), "the content alone, rendered");

  // Clicks, deep links, Back.
  await at("", "Home");
  await page.click("#pages a[title='/post/']");
  ok(await page.until("document.querySelector('#about h2').innerText === 'A post <b>'"), "a click shows another page");
  same(await page.value("location.hash"), "#/post/", "and the address says which");
  await page.click("[data-tab=markdown]");
  ok(await page.until("document.querySelector('#view pre')?.innerText.startsWith('# A post')"), "Markdown", await text("#view"));
  same(await page.value("location.hash"), "#markdown:/post/", "the tab is in the address, too");
  await page.value("history.back()"), await page.value("0");
  ok(await page.until("location.hash === '#/post/' && document.querySelector('#view iframe')"), "Back goes to the tab before");
  await page.value("history.back()");
  ok(await page.until("document.querySelector('#about h2').innerText === 'Home'"), "and to the page before");
  await at("#json:/docs/one.html", "One of the documents");
  ok((await text("#view pre")).includes('\n  "canonical_url": '), "a deep link to the JSON, which is made readable", await text("#view"));
  same(await page.value("document.querySelector('#pages a[aria-current]').title"), "/docs/one.html", "its place in the tree");
  await page.key("5");
  ok(await page.until("document.querySelectorAll('#view .text').length > 1") && /list/i.test(await text("#view")), "key 5: blocks", await text("#view"));
  await page.key("6");
  ok(await page.until("document.querySelector('#view .dropped')") && /links|score/.test(await text("#view .dropped")) && /texts kept; a text needs/.test(await text("#view")), "key 6: why, in sentences", await text("#view"));
  await picture("inspector-why");
  await page.key("7");
  ok(await page.until("document.querySelector('#view h3')") && /etag\s+"?sha256-/.test(await text("#view")), "key 7: headers", await text("#view"));
  await page.key("8");
  ok(await page.until("document.querySelector('#view pre')?.innerText.includes('<!doctype html>')"), "key 8: the source");
  // The filter, by keyboard.
  await page.key("/", "/");
  await page.type("docu");
  same(await links(), "/docs/one.html", "the filter looks at titles");
  await page.key("Escape");
  ok((await links()).split(" ").length === 7, "Escape empties it");
  await page.key("/", "/");
  await page.type("tag");
  await page.key("Enter");
  ok(await page.until("document.querySelector('#about h2').innerText === 'A tag'"), "Enter opens the first");
  await page.send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] }).catch(() => {});
  await at("#markdown:/post/", "A post <b>");
  await page.click("#copy");
  ok(await page.until("document.querySelector('#copy').innerText === 'Copied'"), "copies", await text("#copy"));

  // Why there is no machine view.
  for (const [p, title, why] of [["/tag/x/", "A tag", /configuration leaves it out/], ["/hidden.html", "Hidden", /noindex/], ["/empty.html", "Empty", /no content/]]) {
    await at("#" + p, title);
    ok(why.test(await text("#why")), `${p}: ${await text("#why")}`, await text("#about"));
  }
  await at("#/post/", "A post <b>");
  same(await text("#why"), "", "nothing is said of a page that has one");

  // In the dark, and on a phone.
  const background = "getComputedStyle(document.body).backgroundColor";
  const light = await page.value(background);
  await page.look({ dark: true });
  ok((await page.value(background)) !== light, "dark is another colour");
  await picture("inspector-dark");
  await page.look({ width: 390, height: 844 });
  await at("#why:/post/", "A post <b>");
  same(await page.value("document.documentElement.scrollWidth"), 390, "fits a phone");
  ok((await page.value("document.querySelector('#view').getBoundingClientRect().width")) > 380, "the view has the whole width");
  ok((await page.value("document.querySelector('[data-tab=why]').getBoundingClientRect().height")) > 20, "the tabs are seen");
  same(await page.value("document.querySelector('#side').open"), false, "the list is folded");
  await picture("inspector-phone");
  await server.stop();

  const empty = await serve(path.join(folder, "none"), "--inspect", "--quiet");
  await page.look({});
  await page.go(inspector(empty));
  ok(await page.until("document.querySelector('#pages').innerText.includes('There is no page here')"), "an empty folder: a sentence");
  await empty.stop();
  await page.close();
}
done();
