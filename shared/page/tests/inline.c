/* Texts with inline structure: their Markdown, their HTML and their plain string. A text is written
 * with its spans in it: {k…} is a span of the kind k, see kinds. */
#include "page/page.h"
#include "shared/tests/tap.h"

static const struct {
    char letter;
    enum adit_span_kind kind;
} kinds[] = {{'a', ADIT_SPAN_LINK},   {'e', ADIT_SPAN_EMPH}, {'b', ADIT_SPAN_STRONG},
             {'d', ADIT_SPAN_STRUCK}, {'^', ADIT_SPAN_SUP},  {'_', ADIT_SPAN_SUB},
             {'c', ADIT_SPAN_CODE},   {'m', ADIT_SPAN_MATH}, {'n', ADIT_SPAN_NOTE},
             {'i', ADIT_SPAN_IMAGE}};

static char text[4096];
static struct adit_span spans[64];

/* Reads "a {bb} c" into text and spans. */
static struct adit_rich read_rich(const char *p)
{
    size_t n = 0, n_spans = 0, open[8], n_open = 0;
    for (; *p; p++) {
        if (*p == '{') {
            struct adit_span s = {.from = (uint32_t)n, .number = 1};
            p++;
            for (size_t i = 0; i < ADIT_COUNT(kinds); i++)
                if (kinds[i].letter == *p) s.kind = (uint8_t)kinds[i].kind;
            if (s.kind == ADIT_SPAN_LINK || s.kind == ADIT_SPAN_IMAGE)
                s.url = ADIT_STR("https://e.com/x");
            open[n_open++] = n_spans;
            spans[n_spans++] = s;
        } else if (*p == '}') {
            spans[open[--n_open]].to = (uint32_t)n;
        } else {
            text[n++] = *p;
        }
    }
    return (struct adit_rich){adit_str_of(text, n), spans, n_spans};
}

static const struct row {
    const char *rich, *md, *html, *plain;
} rows[] = {
    {"a {bb} c", "a **b** c", "a <strong>b</strong> c", "a b c"},
    {"{eone} two", "*one* two", "<em>one</em> two", "one two"},
    {"go {ahere}.", "go [here](https://e.com/x).", "go <a href=\"https://e.com/x\">here</a>.",
     "go here."},
    {"see {a{cf()}} now", "see [`f()`](https://e.com/x) now",
     "see <a href=\"https://e.com/x\"><code>f()</code></a> now", "see f() now"},
    {"so{^{a2}}.", "so[\xc2\xb2](https://e.com/x).",
     "so<sup><a href=\"https://e.com/x\">2</a></sup>.", "so\xc2\xb2."},
    {"{a{bhere}}", "[**here**](https://e.com/x)",
     "<a href=\"https://e.com/x\"><strong>here</strong></a>", "here"},
    {"{b{ahere}}", "**[here](https://e.com/x)**",
     "<strong><a href=\"https://e.com/x\">here</a></strong>", "here"},
    {"word{b{ahere}}", "word[here](https://e.com/x)",
     "word<strong><a href=\"https://e.com/x\">here</a></strong>", "wordhere"},
    {"{bnote:}this", "**note**:this", "<strong>note:</strong>this", "note:this"},
    {"say{b (now)}", "say **(now)**", "say<strong> (now)</strong>", "say (now)"},
    {"{b spaced } out", " **spaced**  out", "<strong> spaced </strong> out", " spaced  out"},
    {"\xe4\xb8\xad{b\xe6\x96\x87\xe3\x80\x82}\xe5\xad\x97",
     "\xe4\xb8\xad**\xe6\x96\x87**\xe3\x80\x82\xe5\xad\x97",
     "\xe4\xb8\xad<strong>\xe6\x96\x87\xe3\x80\x82</strong>\xe5\xad\x97",
     "\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82\xe5\xad\x97"},
    {"{b{eboth}}", "***both***", "<strong><em>both</em></strong>", "both"},
    {"{b...}", "**...**", "<strong>...</strong>", "..."},
    {"call {cf(*x)}", "call `f(*x)`", "call <code>f(*x)</code>", "call f(*x)"},
    {"{ca`b}", "``a`b``", "<code>a`b</code>", "a`b"},
    {"{c`}", "`` ` ``", "<code>`</code>", "`"},
    {"old {dnine} ten", "old ~~nine~~ ten", "old <del>nine</del> ten", "old ten"},
    {"10{^-3} m{^2}", "10\xe2\x81\xbb\xc2\xb3 m\xc2\xb2", "10<sup>-3</sup> m<sup>2</sup>",
     "10\xe2\x81\xbb\xc2\xb3 m\xc2\xb2"},
    {"H{_2}O, x{^n+1}, a{_ij}, e{^x}",
     "H\xe2\x82\x82O, x\xe2\x81\xbf\xe2\x81\xba\xc2\xb9, a<sub>ij</sub>, e<sup>x</sup>",
     "H<sub>2</sub>O, x<sup>n+1</sup>, a<sub>ij</sub>, e<sup>x</sup>",
     "H\xe2\x82\x82O, x\xe2\x81\xbf\xe2\x81\xba\xc2\xb9, a_(ij), e^x"},
    {"the 1{^st} time", "the 1st time", "the 1<sup>st</sup> time", "the 1st time"},
    {"so {mx_1^2} is", "so $x_1^2$ is", NULL, "so x_1^2 is"},
    {"said{n[1]}.", "said[^1].",
     "said<sup><a role=\"doc-noteref\" href=\"#adit-note-1\">[1]</a></sup>.", "said[1]."},
    {"a {ilogo} b", "a ![logo](https://e.com/x) b",
     "a <img src=\"https://e.com/x\" alt=\"logo\"> b", "a [Image: logo] b"},
    {"wow!{ahere}", "wow\\![here](https://e.com/x)", NULL, "wow!here"},
    {"2 * 3, snake_case, _x_, *y*", "2 * 3, snake_case, \\_x\\_, \\*y\\*", NULL,
     "2 * 3, snake_case, _x_, *y*"},
    {"costs $5 or $6, or $x$", "costs \\$5 or \\$6, or \\$x$", NULL, "costs $5 or $6, or $x$"},
    {"costs $5", "costs $5", NULL, "costs $5"},
    {"# no", "\\# no", "# no", "# no"},
    {"#tag", "#tag", "#tag", "#tag"},
    {"3. no", "3\\. no", NULL, "3. no"},
    {"{b3.} no", "**3.** no", NULL, "3. no"},
    {"- no\n+ no", "\\- no\\\n\\+ no", "- no<br>+ no", "- no\n+ no"},
    {"<b> &amp; a < b", "\\<b> \\&amp; a < b", "&lt;b&gt; &amp;amp; a &lt; b", "<b> &amp; a < b"},
    {"[x] and [y](z)", "[x] and [y\\](z)", NULL, "[x] and [y](z)"},
    {"{a[x]}", "[\\[x\\]](https://e.com/x)", NULL, "[x]"},
    {"{ahttps://e.com/x}", "<https://e.com/x>", NULL, "https://e.com/x"},
    {"{eA long} {bone}{etwo}", "*A long* **one***two*", NULL, "A long onetwo"},
};

TEST(writers)
{
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct adit_rich rich = read_rich(r->rich);
        struct adit_block block = {.type = ADIT_TEXT, .rich = &rich, .text = rich.text};
        struct adit_page page = {.title = ADIT_STR("T"), .blocks = &block, .n_blocks = 1};
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, 1 << 16);
        adit_page_md(&page, &out);
        struct adit_str md = adit_buf_str(&out);
        eq_str(adit_str_sub(md, 5, md.len - 1), adit_str_z(r->md), r->rich);
        adit_buf_clear(&out);
        adit_rich_plain(&rich, &out);
        eq_str(adit_buf_str(&out), adit_str_z(r->plain), r->rich);
        adit_buf_clear(&out);
        adit_page_html(&page, &out);
        struct adit_str html = adit_buf_str(&out);
        size_t from = adit_str_find(html, ADIT_STR("<p>"), 0) + 3;
        size_t to = adit_str_find(html, ADIT_STR("</p>"), 0);
        if (r->html) eq_str(adit_str_sub(html, from, to), adit_str_z(r->html), r->rich);
        adit_buf_free(&out);
    }
}

/* Every prefix of every mark of a span may be the last that there is room for. */
TEST(room)
{
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        for (size_t max = 0; max < 40; max++) {
            struct adit_rich rich = read_rich(rows[i].rich);
            struct adit_block block = {.type = ADIT_TEXT, .rich = &rich};
            struct adit_page page = {.title = ADIT_STR("T"), .blocks = &block, .n_blocks = 1};
            struct adit_buf out;
            adit_buf_init(&out, tap_mem, max);
            if (adit_page_md(&page, &out) != ADIT_OK)
                ok(out.len <= max, "no more than there is room for");
            adit_buf_free(&out);
        }
}

RUN_TESTS(writers, room)
