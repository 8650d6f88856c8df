// What others do with a WARC file in JavaScript: warcio.js, linkedom, Readability. For scripts/bench-crawl.
// Usage: node peer-extract.mjs FILE.warc.gz PAGES
import fs from "node:fs";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { WARCParser } from "warcio";

const [file, max] = process.argv.slice(2);
let pages = 0, bytes = 0;
for await (const record of new WARCParser(fs.createReadStream(file))) {
  if (record.warcType !== "response") continue;
  const html = await record.contentText();
  try {
    const { document } = parseHTML(html);
    bytes += new Readability(document).parse()?.textContent.length ?? 0;
  } catch {
    // a page that it cannot read counts all the same
  }
  if (++pages >= Number(max)) break;
}
console.log(`${pages} pages, ${bytes} characters of text`);
