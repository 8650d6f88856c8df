/* Our parser against lexbor's: the same tree, or a reason of the list in oracle.h. The first byte of
 * an input says whether it is a page itself or a recipe for one, a piece of markup a byte. */
#include "html/tests/oracle.h"
#include "tests/fuzz.h"

static const char *const names[] = {"a",
                                    "b",
                                    "i",
                                    "nobr",
                                    "p",
                                    "div",
                                    "table",
                                    "tr",
                                    "td",
                                    "tbody",
                                    "caption",
                                    "colgroup",
                                    "col",
                                    "select",
                                    "option",
                                    "optgroup",
                                    "svg",
                                    "math",
                                    "mi",
                                    "desc",
                                    "title",
                                    "x",
                                    "template",
                                    "html",
                                    "body",
                                    "head",
                                    "annotation-xml",
                                    "foreignobject",
                                    "form",
                                    "button",
                                    "li",
                                    "ul",
                                    "dd",
                                    "frameset",
                                    "h1",
                                    "ruby",
                                    "rt",
                                    "object",
                                    "span",
                                    "br",
                                    "hr",
                                    "input",
                                    "script",
                                    "pre",
                                    "noscript",
                                    "font",
                                    "th",
                                    "plaintext",
                                    "style"};

/* Three kinds of tags of each name, and some other pieces. */
static void cook(struct adit_str recipe, struct adit_buf *page)
{
    static const char *const others[] = {
        "x", " ", "<!--c-->", "<![CDATA[d]]>", "&amp;", "</>", "<!doctype html>", "\n", "<"};
    for (size_t i = 0; i < recipe.len; i++) {
        size_t k = (uint8_t)recipe.p[i];
        if (k >= 3 * ADIT_COUNT(names)) {
            adit_buf_lit(page, others[k % ADIT_COUNT(others)]);
            continue;
        }
        adit_buf_lit(page, k % 3 == 2 ? "</" : "<");
        adit_buf_lit(page, names[k / 3]);
        adit_buf_lit(page, k % 3 == 1 ? " id=1 encoding=text/html>" : ">");
    }
}

static void compare(struct adit_html *p, struct adit_str page)
{
    static struct adit_buf ours, theirs;
    if (!ours.mem.resize) {
        adit_buf_init(&ours, fuzz_sure_mem, 64u << 20);
        adit_buf_init(&theirs, fuzz_sure_mem, 64u << 20);
    }
    adit_buf_clear(&ours), adit_buf_clear(&theirs);
    if (!fuzz_took(adit_parse_page(p, page))) return;
    dump_subtree(p, p->dom.html, false, &ours);
    if (p->code) {
        fuzz_took(p->code);
        return;
    }
    fuzz_tell(adit_buf_str(&ours));
    if (p->dom.cut || !oracle_tree(page, &theirs)) return;
    bool same = adit_str_eq(adit_buf_str(&ours), adit_buf_str(&theirs));
    if (!same && !oracle_explains(p, page)) {
        fprintf(stderr, "fuzz: the page\n%.*s\nours\n%.*slexbor\n%.*s", (int)page.len, page.p,
                (int)ours.len, ours.p, (int)theirs.len, theirs.p);
        MUST(same);
    }
}

FUZZ_TARGET(input)
{
    static struct adit_html *kept;
    static struct adit_buf page;
    if (!input.len) return;
    if (!page.mem.resize) adit_buf_init(&page, fuzz_sure_mem, 64u << 20);
    adit_buf_clear(&page);
    struct adit_str rest = adit_str_sub(input, 1, input.len);
    if (input.p[0] & 1)
        adit_buf_add(&page, rest);
    else
        cook(adit_str_sub(rest, 0, 2000), &page);
    if (!kept && !fuzz_fresh()) kept = adit_html_new(fuzz_mem);
    struct adit_html *p = fuzz_fresh() ? adit_html_new(fuzz_mem) : kept;
    if (!fuzz_fine(p ? ADIT_OK : ADIT_ENOMEM)) return;
    compare(p, adit_buf_str(&page));
    if (fuzz_fresh()) adit_html_free(p);
}
