// The pages of `adit diff --html` and `adit report` in a real browser: what is seen, in the light, in the dark, on a phone,
// on paper; that nothing is loaded and that no title becomes a script.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { browser, open } from "./chromium.mjs";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const adit = process.env.ADIT ?? "build/adit";
if (!browser) {
  skip("pages for people in a browser", "no Chromium");
} else {
  const folder = temporary("view");
  const site = (name, pages) => {
    for (const [file, title, text] of pages) {
      const to = path.join(folder, name, file);
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.writeFileSync(to, `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text} It goes on with words enough to be a paragraph that readers keep.</p></main></html>`);
    }
  };
  const evil = "&lt;/title&gt;&lt;script&gt;window.hit=1&lt;/script&gt;&lt;img src=x onerror=window.hit=1&gt;";
  site("a", [["index.html", "Home", "Open at nine."], ["gone/index.html", "Gone", "Soon away."], ["same/index.html", "Same", "Ever the same."]]);
  site("b", [["index.html", "Home", "Open at ten."], ["new/index.html", evil, "Quite new."], ["same/index.html", "Same", "Ever the same."]]);
  const run = (...args) => {
    const r = spawnSync(adit, args, { encoding: "utf8" });
    ok(r.status === 0, "adit " + args[0], r.stderr);
  };
  const at = (name) => path.join(folder, name);
  run("pack", at("a"), "--base-url", "https://example.com/", "-o", at("pub"), "--generated", "2026-05-01", "-q");
  const old = path.join(at("pub"), fs.readdirSync(at("pub")).find((f) => f.startsWith("all-snapshot")));
  run("pack", at("b"), "--base-url", "https://example.com/", "-o", at("pub"), "--previous", at("pub"), "--generated", "2026-05-08", "-q");
  run("diff", old, at("pub"), "--html", at("diff.html"), "-q");
  run("report", at("pub"), "-o", at("report.html"), "-q");

  const page = await open();
  const background = "getComputedStyle(document.body).backgroundColor";
  for (const name of ["diff", "report"]) {
    const url = "file://" + at(name + ".html");
    page.forget();
    await page.look({});
    await page.go(url);
    const light = await page.value(background);
    await page.look({ dark: true });
    ok((await page.value(background)) !== light, `${name}: dark is another colour`);
    await page.look({ width: 390, height: 844 });
    same(await page.value("document.documentElement.scrollWidth"), 390, `${name}: fits a phone`);
    const small = await page.value("Math.min(...[...document.querySelectorAll('main *')].filter(e => e.children.length === 0 && e.textContent.trim()).map(e => parseFloat(getComputedStyle(e).fontSize)))");
    ok(small >= 10, `${name}: no text is tiny`, small);
    await page.look({ media: "print" });
    same(await page.value("document.querySelector('.filter') ? getComputedStyle(document.querySelector('.filter')).display : 'none'"), "none", `${name}: no form on paper`);
    same(await page.value("typeof window.hit"), "undefined", `${name}: no title is a script`);
    same(page.complaints(), [], `${name}: the browser has no complaint`);
    same(page.requests().filter((u) => u !== url), [], `${name}: nothing is loaded`);
  }
  await page.look({});
  await page.go("file://" + at("diff.html"));
  const seen = "[...document.querySelectorAll('article')].filter(a => a.offsetParent).map(a => a.dataset.kind).join()";
  same(await page.value(seen), "changed,deleted,added", "diff: all pages");
  same(await page.value("[...document.querySelectorAll('article .line')].map(l => [...l.querySelectorAll('del, ins')].map(e => e.localName + ' ' + e.innerText)).flat().join()"), "del nine,ins ten", "diff: the words that changed are marked");
  await page.click("input[value=added]");
  same(await page.value(seen), "changed,deleted", "diff: without the added ones");
  await page.click("input[type=search]");
  await page.type("gone");
  same(await page.value(seen), "deleted", "diff: the filter");
  ok((await page.value("document.querySelector('output').innerText")).includes("1 of 3"), "diff: says how many are shown");
  await page.go("file://" + at("report.html"));
  ok((await page.value("document.querySelector('.tiles').innerText")).replace(/\s+/g, " ").startsWith("3 pages"), "report: pages");
  same(await page.value("[...document.querySelectorAll('.bars svg')].every(s => s.getBoundingClientRect().width > 50)"), true, "report: bars are drawn");
  await page.close();
}
done();
