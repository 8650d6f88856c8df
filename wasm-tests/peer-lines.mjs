// Readability on linkedom as a process that answers a line with a line, as `adit page --lines` does: {"url", "html"} in,
// {"text"} out. For scripts/bench-peers.
import readline from "node:readline";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

const blocks = new Set("ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TBODY TD TH TR UL".split(" "));
// The text with breaks where blocks begin and end: neighbours are not glued together.
function text(node) {
  if (node.nodeType === 3) return node.data;
  const inside = [...node.childNodes].map(text).join("");
  return blocks.has(node.nodeName) ? "\n" + inside + "\n" : inside;
}
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { html } = JSON.parse(line);
  let said = "";
  try {
    const content = new Readability(parseHTML(html).document).parse()?.content;
    if (content) said = text(parseHTML("<html><body>" + content + "</body></html>").document.body);
  } catch {
    // a page that it cannot read is an empty answer
  }
  console.log(JSON.stringify({ text: said }));
}
