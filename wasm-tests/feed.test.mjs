// A reader library of others reads every entry of the feeds that `adit feed` writes, archives
// included, and the links in them lead to the pages that changed.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "parse5";
import Parser from "rss-parser";
import { temporary } from "./lent.mjs";
import { done, ok, same } from "./tap.mjs";

const dir = temporary("feed");
const adit = (...args) => execFileSync(process.env.ADIT_RELEASE ?? "build/adit", args, { encoding: "utf8" });
const origin = "https://example.com";
const page = (title, words) =>
  `<!doctype html><title>${title}</title><meta name=author content="Ada &amp; Ben"><main><p>A paragraph about ${title}, long enough to be content: ${words}.</p></main>`;

// Twelve days; on each a page is new, one is edited, one is deleted.
const days = 12, names = (k) => `day <${k}> & "ü".html`;
const state = (day) => {
  const folder = join(dir, `day${day}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "index.html"), page("Home & garden", `day ${day}`));
  for (let k = day; k > day - 3 && k >= 0; k--) writeFileSync(join(folder, names(k)), page(`Day ${k}`, "unchanged"));
  return folder;
};
const site = join(dir, "site"), feed = join(dir, "feed.xml");
let before = state(0);
const expected = [];
for (let day = 1; day <= days; day++) {
  const now = state(day), time = new Date(Date.UTC(2026, 0, day)).toISOString();
  adit("changes", before, now, "-o", site, "--base-url", origin, "--generated", time, "--list-max", "7");
  adit("feed", site, "-o", feed, "--limit", "5", "--feed-url", "https://feeds.example/a/feed.xml", "--generated", time);
  const gone = day >= 3;
  expected.unshift({ time, title: `${gone ? 3 : 2} changes: 1 new, 1 updated${gone ? ", 1 deleted" : ""}`, day });
  before = now;
}

const anchors = (html) => {
  const found = [], walk = (n) => {
    if (n.nodeName === "a") found.push([n.attrs[0].value, n.childNodes[0].value]);
    for (const c of n.childNodes ?? []) walk(c);
  };
  walk(parse(html));
  return found;
};

const parser = new Parser({ customFields: { feed: [["link", "links", { keepArray: true }]] } });
const documents = [];
for (let file = feed; file;) {
  const parsed = await parser.parseString(readFileSync(file, "utf8"));
  documents.push(parsed);
  const older = parsed.links.map((l) => l.$).find((l) => l.rel === "prev-archive");
  file = older && join(dir, older.href.slice("https://feeds.example/a/".length));
}
ok(documents.length > 2, `the feed and ${documents.length - 1} archives`);
same(documents[0].title, `${origin}/`, "the title: nothing describes it in this folder");
const items = documents.flatMap((d) => d.items);
same(items.length, days, "every entry is read");
same(new Set(items.map((i) => i.id)).size, days, "ids are different");
for (const [i, want] of expected.entries()) {
  const item = items[i];
  same([item.title, new Date(item.isoDate).toISOString()], [want.title, want.time], `entry ${want.day}: title and date`);
  same(item.link, `${origin}/`, `entry ${want.day}: its link`);
  const links = anchors(item.content);
  same(links.map((l) => l[0]), [`${origin}/day%20%3C${want.day}%3E%20&%20%22%C3%BC%22.html`, `${origin}/`], `entry ${want.day}: links to what is new and updated`);
  ok(links.every(([href, text]) => href === text), `entry ${want.day}: shows them`);
  ok(want.day < 3 || (item.content.includes("Deleted pages") && item.contentSnippet.includes(`day%20%3C${want.day - 3}%3E`)), `entry ${want.day}: tells what is gone`);
}
// With pages beside the lists, the home page gives title and author.
writeFileSync(join(site, "index.html"), page("Home & garden", "now"));
adit("feed", site, "-o", join(dir, "again.xml"));
const again = await parser.parseString(readFileSync(join(dir, "again.xml"), "utf8"));
same(again.title, "Home & garden", "title from the home page");
ok(readFileSync(join(dir, "again.xml"), "utf8").includes("<name>Ada &amp; Ben</name>"), "author from the home page");
same(again.items.length, 1, "one entry for all that was there at first");
done();
