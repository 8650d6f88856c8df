/* html: the tree, reading it, reuse of the parser, lack of memory. */
#include "html/html.h"
#include "tests/tap.h"

static const struct adit_dom *parse(struct adit_html *h, const char *text)
{
    const struct adit_dom *d;
    return adit_html_parse(h, adit_str_z(text), &d) == ADIT_OK ? d : NULL;
}

static struct adit_str text_of(const struct adit_dom *d, size_t max)
{
    static struct adit_arena arena;
    if (!arena.mem.resize) adit_arena_init(&arena, tap_mem, 1 << 20);
    adit_arena_free(&arena);
    return adit_dom_text(d, d->body, max, &arena, NULL);
}

TEST(tree)
{
    struct adit_html *h = adit_html_new(tap_mem);
    const struct adit_dom *d =
        parse(h, "<!DOCTYPE html><html lang=en><head><title>T</title><body class='a b' hidden>"
                 "<p>one<p>t<b>w</b>o<noscript><p>no <i>script</i></noscript><script>x</script>");
    ok(d && d->html && d->head && d->body, "the three roots");
    eq_str(adit_dom_attr(d, d->html, ADIT_ATTR_LANG), ADIT_STR("en"), "attribute");
    eq_str(adit_dom_attr(d, d->body, ADIT_ATTR_CLASS), ADIT_STR("a b"), "known attribute");
    eq_str(adit_dom_attr(d, d->body, ADIT_ATTR_ITEMPROP), ADIT_STR(""), "absent attribute");
    ok(adit_dom_has(d, d->body, ADIT_ATTR_HIDDEN), "attribute without value");
    ok(!adit_dom_has(d, d->html, ADIT_ATTR_HIDDEN), "attribute of another element");
    eq_str(text_of(d, 100), ADIT_STR("one two no script"), "text, noscript parsed");
    eq_str(text_of(d, 5), ADIT_STR("one t"), "text cut");
    size_t elements = 0;
    for (uint32_t n = d->html; n; n = adit_dom_next(d, n, d->html, true))
        elements += adit_dom_is_element(d, n);
    eq_int(elements, 11, "document order meets every element");
    ok(!d->cut, "nothing was left out");
    adit_html_free(h);
}

/* Whether a value may have a byte: asked before it is taken. */
TEST(may_say)
{
    static const struct {
        const char *html;
        bool want;
    } rows[] = {
        {"<p title=>", false},
        {"<p title=#>", true},
        {"<p>", false},
        {"<p title='a long value without one'>", false},
        {"<p title=a&num;>", true},
        {"<p title='a long value with a # in it'>", true},
        {"<p title=a&b>", true},
        {"x", false},
    };
    struct adit_html *h = adit_html_new(tap_mem);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct adit_dom *d = parse(h, rows[i].html);
        uint32_t n = d ? d->nodes[d->body].first : 0;
        ok(d && adit_dom_may_say(d, n, ADIT_ATTR_TITLE, '#') == rows[i].want, rows[i].html);
        struct adit_str value = d ? adit_dom_attr(d, n, ADIT_ATTR_TITLE) : (struct adit_str){0};
        bool said = adit_str_chr(value, '#', 0) < value.len;
        ok(!said || adit_dom_may_say(d, n, ADIT_ATTR_TITLE, '#'), "and when it was taken");
    }
    adit_html_free(h);
}

TEST(text)
{
    struct adit_html *h = adit_html_new(tap_mem);
    const struct adit_dom *d = parse(h, "<body> a <br>b<div>c</div>d \n\t e<span>f</span>");
    eq_str(text_of(d, 100), ADIT_STR("a b c d ef"), "breaks and blocks part words");
    d = parse(h, "<body>\xc3\xa4\xc3\xb6\xe2\x82\xac");
    eq_str(text_of(d, 100), ADIT_STR("\xc3\xa4\xc3\xb6\xe2\x82\xac"), "whole");
    eq_str(text_of(d, 6), ADIT_STR("\xc3\xa4\xc3\xb6"), "cut at a character");
    eq_str(text_of(d, 5), ADIT_STR("\xc3\xa4\xc3\xb6"), "cut at a character");
    d = parse(h, "");
    eq_str(text_of(d, 5), ADIT_STR(""), "empty page");
    adit_html_free(h);
}

/* White space as it is written; a NUL may become a character, a reference is not looked at. */
TEST(blank)
{
    static const struct {
        struct adit_str html;
        bool blank;
    } rows[] = {
        {ADIT_STR_INIT("<p> "), true},
        {ADIT_STR_INIT("<p>\r\n\t      \t   \f \n"), true},
        {ADIT_STR_INIT("<p>        x"), false},
        {ADIT_STR_INIT("<p>x        "), false},
        {ADIT_STR_INIT("<p>  x     \n   "), false},
        {ADIT_STR_INIT("<p>    \0        "), false},
        {ADIT_STR_INIT("<p>      &#32;      "), false},
        {ADIT_STR_INIT("<p>      \xC2\xA0      "), false},
    };
    struct adit_html *h = adit_html_new(tap_mem);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct adit_dom *d;
        ok(adit_html_parse(h, rows[i].html, &d) == ADIT_OK &&
               adit_dom_is_blank(d, d->nodes[adit_dom_first(d, d->body)].first) == rows[i].blank,
           "blank or not");
    }
    int bad = 0;
    for (size_t len = 1; len < 40; len++)
        for (size_t at = 0; at <= len; at++) /* at len: in the next element, not in the text */
            for (size_t far = 0; far < 2; far++) {
                char page[120] = "<p>";
                const struct adit_dom *d;
                memset(page + 3, ' ', len);
                snprintf(page + 3 + len, 60, "<b>x%s",
                         far ? " and words, and some more of them" : "");
                if (at < len) page[3 + at] = "x\xC2"[at % 2];
                bool parsed = adit_html_parse(h, adit_str_z(page), &d) == ADIT_OK;
                uint32_t text = parsed ? d->nodes[adit_dom_first(d, d->body)].first : 0;
                bad += !text || adit_dom_is_blank(d, text) != (at == len);
            }
    eq_int(bad, 0, "of any length, anywhere in a page");
    adit_html_free(h);
}

TEST(pieces)
{
    static const struct {
        const char *html, *text, *what;
    } pages[] = {
        {"<p>a<!--$?--><template id='B:1f'></template>wait<!--/$--><p>c<div hidden "
         "id='S:1f'>b</div>",
         "ab c", "a piece goes into its gap, what stood there goes"},
        {"<p>a<!--$?--><template id='B:0'></template><!--$-->x<!--/$-->y<!--/$-->c"
         "<div hidden id='S:0'>b</div>",
         "ab c", "gaps within gaps"},
        {"<p>a <template id='P:2'></template>c<div hidden id='S:2'>b </div>", "a b c",
         "no comment"},
        {"<p><template id='B:0'></template>c<div hidden id='S:1'>b</div>"
         "<div hidden id='S:0'>a <template id='P:1'></template></div>",
         "a b c", "a piece within a piece"},
        {"a<div hidden id='S:0'><p>b<template id='B:0'></template></div>", "a b", "in itself"},
        {"a<div hidden id='S:0'>b<template id='B:1'></template></div>"
         "<div hidden id='S:1'>c<template id='B:0'></template></div>d",
         "a cb d", "in each other: neither is lost"},
        {"a<template id='B:0'></template><div id='S:0'>b</div><div hidden id='S:400'>c</div>",
         "a b c", "not a piece"},
    };
    struct adit_html *h = adit_html_new(tap_mem);
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) {
        const struct adit_dom *d = parse(h, pages[i].html);
        eq_str(text_of(d, 100), adit_str_z(pages[i].text), pages[i].what);
    }
    adit_html_free(h);
}

TEST(reuse)
{
    struct adit_html *h = adit_html_new(tap_mem);
    bool right = true;
    for (int i = 0; i < 20; i++) {
        const struct adit_dom *d =
            parse(h, i % 2 ? "<html><p itemprop=x>odd" : "<body><ul><li>even");
        right = right && adit_str_eq(text_of(d, 9), i % 2 ? ADIT_STR("odd") : ADIT_STR("even"));
        right = right && adit_dom_has(d, d->nodes[d->body].first, ADIT_ATTR_ITEMPROP) == i % 2;
    }
    ok(right, "twenty pages, one parser");
    const struct adit_dom *d = parse(h, "<frameset><frame></frameset>");
    ok(d && adit_dom_is(d, d->body, ADIT_TAG_FRAMESET), "frameset");
    adit_html_free(h);
    adit_html_free(NULL);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_html *h = adit_html_new(mem);
    if (!h) return ADIT_ENOMEM;
    const struct adit_dom *d;
    enum adit_code code = adit_html_parse(h, adit_str_z(ctx), &d);
    if (code == ADIT_OK) code = adit_html_parse(h, adit_str_z(ctx), &d);
    adit_html_free(h);
    return code;
}

/* Without a doctype a table stands in its paragraph; with one it ends it, whatever came before. */
TEST(quirks)
{
    static const char quirks[] = "<p>a<table>", strict[] = "<!doctype html><p>a<table>";
    struct adit_html *h = adit_html_new(tap_mem);
    const struct adit_dom *d = parse(h, quirks);
    ok(d && !d->nodes[d->nodes[d->body].first].next, "a page in quirks mode");
    d = parse(h, strict);
    ok(d && d->nodes[d->nodes[d->body].first].next, "does not put the next one into it");
    d = parse(h, quirks);
    ok(d && !d->nodes[d->nodes[d->body].first].next, "nor the other way round");
    adit_html_free(h);
}

TEST(memory)
{
    tap_torture(torture, "<!doctype html><title>x</title><p a=1 b=2>t<b>x<p>y</b>&amp;<table>z<td>",
                "every allocation failing");
}

RUN_TESTS(tree, may_say, text, blank, pieces, reuse, quirks, memory)
