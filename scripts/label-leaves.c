/* For scripts/label: reads a page on stdin and writes its leaves as the core sees them, one a line:
 * place, TAB, hidden (0 or 1), TAB, text with its line breaks as spaces. A place is the leaf's
 * element and what stands around it, the nearest first: "p < div.entry < article". */
#include "convert/convert.h"
#include "tests/mem.h"

#include <stdio.h>

enum { AROUND = 3, CLASS_MAX = 22 };

static void put_line(struct adit_str s, size_t max)
{
    for (size_t i = 0; i < s.len && i < max; i++)
        putchar((unsigned char)s.p[i] < 32 ? ' ' : s.p[i]);
}

static void put_place(const struct adit_draft *d, uint32_t el)
{
    const struct adit_tape *t = &d->tape;
    for (size_t n = 0; n < AROUND && el != ADIT_NONE; n++, el = t->els[el].parent) {
        uint32_t node = adit_el_node(t, &t->els[el]);
        struct adit_str name = adit_dom_name(d->dom, node);
        struct adit_str class = adit_dom_attr(d->dom, node, ADIT_ATTR_CLASS);
        struct adit_str id = adit_dom_attr(d->dom, node, ADIT_ATTR_ID);
        if (n) fputs(" < ", stdout);
        put_line(name, name.len);
        if (class.len) putchar('.'), put_line(class, CLASS_MAX);
        if (id.len && !class.len) putchar('#'), put_line(id, CLASS_MAX);
    }
}

int main(void)
{
    static char body[ADIT_LIMIT_page_bytes];
    struct adit_str page = {body, fread(body, 1, sizeof body, stdin)};
    struct adit_page_source source = {.url = ADIT_STR("https://example.com/")};
    struct adit_converter *c = adit_converter_new(libc_mem);
    struct adit_draft d;
    if (!c || adit_convert_prepare(c, page, &source, &d, NULL) != ADIT_OK) return 1;
    for (size_t i = 0; i < d.tape.n_leaves; i++) {
        const struct adit_leaf *leaf = &d.tape.leaves[i];
        put_place(&d, leaf->el);
        printf("\t%d\t", adit_leaf_unseen(leaf));
        put_line(leaf->text, SIZE_MAX);
        putchar('\n');
    }
    adit_converter_free(c);
    return 0;
}
