// A page for benchmarks: some KB of HTML, with a menu and paragraphs of ordinary length.
const filler = "A sentence of ordinary length stands here, so that the page has the weight of text that pages have. ";
export function article(kb) {
  let page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body><nav>${'<li class="menu-item"><a href="/section/1/" class="nav-link">Item</a></li>\n'.repeat(5 * kb)}</nav><main><article><h1>A page</h1>`;
  while (page.length < kb * 1024) page += `<p class="text">${filler.repeat(3)}<a href="/l">More</a> of it.</p>\n`;
  return Buffer.from(page + "</article></main></body></html>");
}
