/* The tape: segmentation into leaves, white space, hidden text, ranges of the element table. */
#include "html/html.h"
#include "tape/tape.h"
#include "tests/tap.h"

/* Leaves as "tag:text|tag:text" (text with / for LF), hidden ones with a leading "-". */
static void show(const struct adit_tape *t, struct adit_buf *out)
{
    for (size_t i = 0; i < t->n_leaves; i++) {
        const struct adit_leaf *l = &t->leaves[i];
        if (i) adit_buf_byte(out, '|');
        if (l->hidden & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE)) adit_buf_byte(out, '-');
        adit_buf_add(out, adit_dom_name(t->dom, adit_el_node(t, &t->els[l->el])));
        adit_buf_byte(out, ':');
        for (size_t k = 0; k < l->text.len; k++)
            adit_buf_byte(out, l->text.p[k] == '\n' ? '/' : l->text.p[k]);
    }
}

struct parsed {
    struct adit_html *html;
    struct adit_arena arena;
    struct adit_tape tape;
};

static enum adit_code parse(struct parsed *p, const char *html, struct adit_mem mem)
{
    const struct adit_dom *dom;
    p->html = adit_html_new(tap_mem);
    adit_html_parse(p->html, adit_str_z(html), &dom);
    adit_arena_init(&p->arena, mem, 64 << 20);
    struct adit_classes classes;
    adit_classes_init(&classes);
    return adit_tape_build(&p->tape, dom, &classes, NULL, &p->arena);
}

static void drop(struct parsed *p)
{
    adit_arena_free(&p->arena);
    adit_html_free(p->html);
}

/* A value is looked up as it is written, and is what it says all the same. */
TEST(written_classes)
{
    static const struct adit_str says[] = {
        ADIT_STR_INIT("x&amp;author"), ADIT_STR_INIT("x&author"),  ADIT_STR_INIT("x&author"),
        ADIT_STR_INIT("an author"),    ADIT_STR_INIT("an author"),
    };
    static const char page[] =
        "<p class='x&amp;amp;author'><p class='x&amp;author'><p class='x&author'>"
        "<p class='an&#32;author'><p class='an author'>";
    struct adit_html *h = adit_html_new(tap_mem);
    int bad = 0;
    for (size_t first = 0; first < ADIT_COUNT(says); first++) {
        static struct adit_classes c;
        const struct adit_dom *d;
        adit_classes_init(&c);
        if (adit_html_parse(h, adit_str_z(page), &d) != ADIT_OK) return;
        for (size_t k = 0; k < 3 * ADIT_COUNT(says); k++) {
            size_t i = (first + k) % ADIT_COUNT(says);
            uint32_t p = adit_dom_first(d, d->body);
            for (size_t n = 0; n < i; n++) p = d->nodes[p].next;
            uint32_t attr = adit_attr_find(d, p, ADIT_ATTR_CLASS);
            bad += !adit_str_eq(adit_class_of(&c, d, attr)->value, says[i]);
        }
        bad += adit_class_of(&c, d, 0)->value.len != 0;
    }
    eq_int(bad, 0, "values with references, and those that look like them");
    adit_html_free(h);
}

/* A long text that was decoded has its bytes once, those of its leaf; what is read again is the same. */
TEST(long_texts)
{
    enum { WORDS = 250000 };
    char *page = malloc(WORDS * 6 + 100), *end = page, *again = malloc(WORDS * 6 + 100);
    if (!ok(page && again, "room")) return;
    end += sprintf(end, "<p><i>a</i> <img src=x> &amp;  b <br>\n c");
    for (size_t i = 0; i < WORDS; i++) end += sprintf(end, "word%s", i % 9 ? " " : "&#32;");
    sprintf(end, "<b>z</b> of it");
    struct parsed p;
    ok(parse(&p, page, tap_mem) == ADIT_OK && p.tape.n_leaves == 1, "one leaf");
    struct adit_str text = p.tape.leaves[0].text;
    struct adit_space s = {.out = again};
    size_t shared = 0;
    for (size_t i = 0; i < p.tape.n_items; i++) {
        const struct adit_item *item = &p.tape.items[i];
        if (item->kind == ADIT_ITEM_BREAK) adit_space_break(&s);
        if (item->kind == ADIT_ITEM_OBJECT) adit_space_add(&s, ADIT_STR(" "));
        if (item->kind != ADIT_ITEM_TEXT) continue;
        struct adit_str said = adit_dom_data(p.tape.dom, item->node);
        shared += said.p >= text.p && said.p < text.p + text.len;
        adit_space_add(&s, said);
    }
    ok(adit_str_eq(adit_str_of(s.out, s.len), text), "the same text");
    ok(text.len > WORDS * 5 && adit_str_ends(text, ADIT_STR(" word z of it")), "all of it");
    eq_int((long long)shared, 1, "stands once");
    drop(&p);
    free(page), free(again);
}

static const struct {
    const char *what, *html, *leaves;
} cases[] = {
    {"paragraphs", "<p>one<p>two", "p:one|p:two"},
    {"loose text beside blocks", "a<div>b</div>c", "body:a|div:b|body:c"},
    {"inline elements glue", "<p>un<b>believ</b>able <i>x</i>", "p:unbelievable x"},
    {"white space collapses", "<p> \n a \t b\n</p>", "p:a b"},
    {"no-break and ideographic spaces", "<p>a&nbsp;&nbsp;b&#x3000;c&#x202f;d", "p:a b c d"},
    {"invisible characters vanish", "<p>soft&shy;hyphen zero&#x200b;width&#xfeff;",
     "p:softhyphen zerowidth"},
    {"joiners stay", "<p>\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae",
     "p:\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae"},
    {"only invisible text is no leaf", "<p>&nbsp;&#x200b;&shy;</p><p>x", "p:x"},
    {"one br stays, two end", "<p>a<br>b<br> <br>c", "p:a/b|p:c"},
    {"text between breaks", "<p>a<br>b<br>c", "p:a/b/c"},
    {"wbr is nothing", "<p>super<wbr>cali", "p:supercali"},
    {"skipped elements", "<p>a<script>x</script>b<style>y</style><select><option>o</select>c",
     "p:abc"},
    {"noscript is read", "<noscript><p>n</p></noscript>", "p:n"},
    {"hidden inline text",
     "<p>a <span hidden>b</span><span style='color:red;display : none'>c</span>d", "p:a d"},
    {"aria-hidden inline", "<p>a<i aria-hidden=true>x</i><i aria-hidden=false>y</i>", "p:ay"},
    {"hidden until found is content", "<p>a<span hidden=until-found>b</span>", "p:ab"},
    {"hidden block", "<div hidden><p>b</div><p>c", "-p:b|p:c"},
    {"hidden inline container of blocks", "a<span style=visibility:hidden>b<div>c</div></span>d",
     "body:a|-span:b|-div:c|body:d"},
    {"closed dialog, open dialog", "<dialog>a</dialog><dialog open>b</dialog>",
     "-dialog:a|dialog:b"},
    {"body is never hidden", "<body style='display:none'><p>a", "p:a"},
    {"link around blocks", "x <a href=#>y<div>z</div></a>", "body:x y|div:z"},
    {"a link's own leaf", "<a href=#><span>y</span><div>z</div></a>", "a:y|div:z"},
    {"svg is no text, formulas are", "<p>a<svg><text>s</text></svg><math><mi>m</mi></math>b",
     "p:a mb"},
    {"TeX of a formula", "<p>a <math><mi>x</mi><annotation>\\pi</annotation></math>", "p:a \\pi"},
    {"emoji", "<p>a <img class=wp-emoji alt=':)'>b", "p:a :)b"},
    {"quotation marks", "<p>a <q>b</q>.",
     "p:a \xe2\x80\x9c"
     "b\xe2\x80\x9d."},
    {"words around a picture", "<p>a<img src=x>b<input>c", "p:a b c"},
    {"spans that are blocks",
     "<p><span style='display:block'>a</span><span style=\"display: flex\">b</span>",
     "span:a|span:b"},
    {"blocks that are inline", "<div>a<div style='display:inline'>b</div>c</div>", "div:abc"},
    {"inline-block is a block", "<div>a<div style='display:inline-block'>b</div></div>",
     "div:a|div:b"},
    {"empty page", "", ""},
};

TEST(segmentation)
{
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        struct parsed p;
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, 1 << 20);
        parse(&p, cases[i].html, tap_mem);
        show(&p.tape, &out);
        eq_str(adit_buf_str(&out), adit_str_z(cases[i].leaves), cases[i].what);
        adit_buf_free(&out);
        drop(&p);
    }
}

TEST(facts)
{
    struct parsed p;
    parse(&p, "<p><img><a href=#>ab c</a> de <b>\xe4\xb8\xad</b><br><time>f</time><input>",
          tap_mem);
    const struct adit_leaf *l = p.tape.leaves;
    eq_int(p.tape.n_leaves, 1, "one leaf");
    eq_int(l->len, 9, "letters");
    eq_int(l->cjk, 1, "CJK");
    eq_int(l->len_link, 3, "link letters");
    eq_int(l->emph_pm, 1000 * 3 / (int)l->len, "emphasised letters, per mille");
    ok(l->n_links == 1 && l->n_br == 1 && l->n_img == 1 && l->n_time == 1 && l->n_input == 1,
       "counts");
    drop(&p);
}

/* Ranges nest, items match, and every leaf lies in its owner's range. */
TEST(ranges)
{
    struct parsed p;
    parse(&p, "<div>a<p>b<a href=#>c<div>d</div></a>e<ul><li>f<li>g</ul></div>h", tap_mem);
    struct adit_tape *t = &p.tape;
    bool nest = true, items = true, owners = true;
    for (size_t i = 0; i < t->n_els; i++) {
        struct adit_el *e = &t->els[i];
        if (i && (e->leaf0 < t->els[e->parent].leaf0 || e->leaf1 > t->els[e->parent].leaf1))
            nest = false;
        if (t->items[e->item0].el != i || t->items[e->item1].el != i ||
            t->items[e->item0].kind != ADIT_ITEM_OPEN || t->items[e->item1].kind != ADIT_ITEM_CLOSE)
            items = false;
    }
    for (size_t i = 0; i < t->n_leaves; i++) {
        struct adit_el *e = &t->els[t->leaves[i].el];
        if (i < e->leaf0 || i >= e->leaf1) owners = false;
    }
    ok(nest, "ranges nest");
    ok(items, "OPEN and CLOSE items");
    ok(owners, "owners");
    eq_int(t->els[0].leaf1, t->n_leaves, "body holds all");
    drop(&p);
}

static enum adit_code torture_body(struct adit_mem mem, void *ctx)
{
    struct parsed p;
    enum adit_code code = parse(&p, ctx, mem);
    drop(&p);
    return code;
}

TEST(torture)
{
    struct adit_buf html;
    adit_buf_init(&html, tap_mem, 1 << 20);
    for (int i = 0; i < 2000; i++) adit_buf_lit(&html, "<div><p>some text <b>here</b></p></div>");
    adit_buf_byte(&html, 0);
    tap_torture(torture_body, html.p, "every allocation failing");
    adit_buf_free(&html);
}

TEST(code_space)
{
    char out[64];
    struct adit_str raw = ADIT_STR("a\r\nb\rc\t\xc2\xa0"
                                   "d\xe2\x80\x8b\xef\xbb\xbf"
                                   "e  f");
    eq_str(adit_str_of(out, adit_space_code(out, raw)), ADIT_STR("a\nb\nc\t de  f"),
           "code keeps its white space");
}

/* What a class says of its element: words are found wherever they begin in the first 200 bytes. */
TEST(hints)
{
    enum { AUTHOR = ADIT_HINT_AUTHOR, NOTE = ADIT_HINT_NOTE, LONG_ONE = ADIT_HINT_LONG };
    static const struct {
        const char *class;
        int pad; /* spaces before it */
        uint8_t want;
    } rows[] = {
        {"note", 0, 0},
        {"ltx_role_footnote", 0, NOTE},
        {"sidenote", 0, NOTE},
        {"x Margin-Note-2", 0, NOTE},
        {"-note", 0, 0},
        {"wp-smiley", 0, ADIT_HINT_EMOJI},
        {"emoji", 0, ADIT_HINT_EMOJI},
        {"MathJax", 0, ADIT_HINT_MATH},
        {"byline sidenote", 0, AUTHOR | NOTE},
        {"comment-author sidenote", 0, NOTE}, /* somebody else's name */
        {"post-date", 0, ADIT_HINT_DATE},
        {"emoji", 195, ADIT_HINT_EMOJI},
        {"emoji", 199, ADIT_HINT_EMOJI | LONG_ONE},
        {"emoji", 200, LONG_ONE},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        char class[256];
        int n = snprintf(class, sizeof class, "%*s%s", rows[i].pad, "", rows[i].class);
        eq_int(adit_class_hints(adit_str_of(class, (size_t)n)), rows[i].want, rows[i].class);
    }
    struct parsed p;
    ok(parse(&p, "<p>a<span class=sidenote>b</span>", tap_mem) == ADIT_OK, "a page");
    eq_int(p.tape.hints, NOTE, "the tape has the hints of all classes");
    drop(&p);
}

RUN_TESTS(written_classes, long_texts, segmentation, facts, ranges, torture, code_space, hints)
