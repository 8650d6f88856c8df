/* Slow: The limits of a page, each at its edge, and the memory that a large page leaves behind. */
#include "page/page.h"
#include "tests/tap.h"

static struct adit_converter *c;
static struct adit_buf html;

static struct adit_page_source source = {.url = ADIT_STR_INIT("https://example.com/dir/p"),
                                         .date = ADIT_STR_INIT("2024-01-02T03:04:05Z"),
                                         .whole = true};

static void begin(const char *head)
{
    adit_buf_clear(&html);
    adit_buf_lit(&html, head);
}

/* n times unit, '#' being the number of the time. */
static void repeat(const char *unit, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (const char *p = unit; *p; p++)
            if (*p == '#')
                adit_buf_u64(&html, i);
            else
                adit_buf_byte(&html, *p);
}

static const struct adit_page *convert(void)
{
    const struct adit_page *page = NULL;
    struct adit_error err = {0};
    adit_convert(c, adit_buf_str(&html), &source, &page, &err);
    return page;
}

static size_t count(const struct adit_page *page, enum adit_block_type type)
{
    size_t n = 0;
    for (size_t i = 0; page && i < page->n_blocks; i++) n += page->blocks[i].type == type;
    return n;
}

static const struct adit_block *first(const struct adit_page *page, enum adit_block_type type)
{
    static const struct adit_block none;
    for (size_t i = 0; page && i < page->n_blocks; i++)
        if (page->blocks[i].type == type) return &page->blocks[i];
    return &none;
}

TEST(base)
{
    enum { FIXED = sizeof "https://e.com/" - 1 };
    for (size_t len = ADIT_LIMIT_base_bytes - 1; len <= ADIT_LIMIT_base_bytes + 1; len++) {
        begin("<base href=https://e.com/");
        repeat("a", len - FIXED - 1);
        adit_buf_lit(&html, "/><p>Words<img src=i>");
        bool taken = adit_str_starts(first(convert(), ADIT_IMAGE)->url, ADIT_STR("https://e.com/"));
        ok(taken == (len <= ADIT_LIMIT_base_bytes), "the length of a base");
    }
}

/* A long address of the page itself multiplies as a <base> does. */
TEST(addresses)
{
    char url[8192 + 1] = "https://example.com/";
    memset(url + 20, 'a', sizeof url - 20);
    url[sizeof url - 2] = '/', url[sizeof url - 1] = 0;
    struct adit_str before = source.url;
    source.url = adit_str_z(url);
    size_t len = sizeof url - 1 + 3, most = ADIT_LIMIT_page_urls / len + 1, small = 64 << 10;
    for (size_t n = most - 1; n <= most + 1; n++) {
        begin("<!--");
        repeat("x", ADIT_LIMIT_page_urls / 2); /* a page large enough for all of them */
        adit_buf_lit(&html, "-->");
        for (size_t i = 100; i < 100 + n; i++) { /* three digits each */
            adit_buf_lit(&html, "<img src=");
            adit_buf_u64(&html, i);
            adit_buf_byte(&html, '>');
        }
        eq_int(count(convert(), ADIT_IMAGE), n < most ? n : most, "bytes of addresses");
    }
    begin("");
    for (size_t i = 100; i < 140; i++) {
        adit_buf_lit(&html, "<img src=");
        adit_buf_u64(&html, i);
        adit_buf_byte(&html, '>');
    }
    most = (small + 2 * html.len) / len + 1;
    eq_int(count(convert(), ADIT_IMAGE), most, "a small page has fewer bytes of addresses");
    source.url = before;
}

TEST(media)
{
    for (size_t n = ADIT_LIMIT_page_media - 1; n <= ADIT_LIMIT_page_media + 1; n++) {
        begin("");
        repeat("<video src=/#.mp4></video>", n);
        eq_int(count(convert(), ADIT_VIDEO), n < ADIT_LIMIT_page_media ? n : ADIT_LIMIT_page_media,
               "videos of a page");
    }
    for (size_t n = ADIT_LIMIT_media_sources - 1; n <= ADIT_LIMIT_media_sources + 1; n++) {
        begin("<video>");
        repeat("<source src=/#.mp4><track src=/#.vtt srclang=en>", n);
        const struct adit_media *m = first(convert(), ADIT_VIDEO)->media;
        size_t want = n < ADIT_LIMIT_media_sources ? n : ADIT_LIMIT_media_sources;
        ok(m && m->n_sources == want && m->n_captions == want, "sources and tracks of a video");
    }
    begin("<iframe src=/x></iframe><iframe src=https://www.youtube.com/embed/x></iframe>");
    eq_int(count(convert(), ADIT_VIDEO), 1, "a frame that is no player leaves nothing");
}

TEST(links)
{
    for (size_t n = ADIT_LIMIT_link_words - 1; n <= ADIT_LIMIT_link_words + 1; n++) {
        begin("<p><a href=/x rel=\"");
        repeat("w# ", n);
        adit_buf_lit(&html, "\">Words</a>");
        eq_int(first(convert(), ADIT_LINK)->items.n,
               n < ADIT_LIMIT_link_words ? n : ADIT_LIMIT_link_words, "words of a rel");
    }
    begin("<a href=/x>");
    repeat("<p>w#", 200);
    const struct adit_page *page = convert();
    ok(count(page, ADIT_LINK) == 2 && adit_str_starts(page->blocks[0].text, ADIT_STR("w0 w1 w2 ")),
       "a link around many paragraphs is a few blocks");
}

TEST(tables)
{
    begin("");
    repeat("<table><tr><td colspan=100>a#<tr><td>b<td>c</table>", 1001); /* 200 cells each */
    const struct adit_page *page = convert();
    size_t cells = 0;
    for (size_t i = 0; i < page->n_blocks; i++) cells += page->blocks[i].items.n;
    ok(cells > 0 && cells <= ADIT_LIMIT_page_cells, "cells of a page");
    ok(count(page, ADIT_TEXT) > 0, "a table too many is text");
    for (size_t large = 0; large < 2; large++) {
        begin("<!--");
        repeat("x", large ? 2 * ADIT_LIMIT_page_repeated : 600000); /* beside cells enough */
        adit_buf_lit(&html, "--><table><tr><td rowspan=1000 colspan=99>");
        repeat("x", 190);
        adit_buf_lit(&html, "<td>y");
        repeat("<tr><td>z", 900);
        adit_buf_lit(&html, "</table>");
        size_t most = large ? ADIT_LIMIT_page_repeated : (32 << 10) + html.len / 2, len = 0;
        const struct adit_block *table = first(convert(), ADIT_TABLE);
        for (size_t i = 0; i < table->items.n; i++) len += table->items.v[i].len;
        ok(len > most - 5000 && len < most + 5000, "bytes that stand again in spans");
    }
}

TEST(json_ld)
{
    for (size_t n = ADIT_LIMIT_jsonld_types - 1; n <= ADIT_LIMIT_jsonld_types; n++) {
        begin("<script type=application/ld+json>{\"headline\":\"Told apart\",\"@type\":[");
        repeat("\"X#\",", n);
        adit_buf_lit(&html, "\"Article\"]}</script><p>Words");
        ok((convert()->schema.len > 0) == (n < ADIT_LIMIT_jsonld_types), "types of an object");
    }
    for (size_t n = ADIT_LIMIT_jsonld_values - 1; n <= ADIT_LIMIT_jsonld_values + 1; n++) {
        begin("<script type=application/ld+json>{\"@type\":\"Article\",\"x\":[0");
        repeat(",0", n - 4); /* beside the object, its type, the list and its first element */
        adit_buf_lit(&html, "]}</script><p>Words");
        ok((convert()->schema.len > 0) == (n <= ADIT_LIMIT_jsonld_values), "values of JSON-LD");
    }
    begin(
        "<script type=application/ld+json>{\"@type\":\"VideoObject\",\"name\":\"n\",\"contentUrl\":"
        "\"https://example.com/v.mp4\",\"transcript\":\"");
    repeat("word# ", 60000);
    adit_buf_lit(&html, "\"}</script>");
    size_t script = html.len, told = 0;
    repeat("<video src=/v.mp4></video>", 20);
    const struct adit_page *page = convert();
    for (size_t i = 0; i < page->n_blocks; i++) told += page->blocks[i].media->transcript.len;
    ok(told > script && told < ADIT_LIMIT_page_repeated + 3 * script,
       "what describes a video is said again a few times only");
}

/* A server keeps its converters: a large page must leave little behind, before the next one. */
TEST(gives_back)
{
    enum { LEN = 5 << 20, HELD_MAX = 16 << 20 };
    static const char *const units[] = {"<p>x", "words of a text #. ", "<td>#", "<a href=/#>x</a>",
                                        "<img src=/#.jpg>"};
    struct tap_meter m = {0};
    struct adit_converter *own = c;
    c = adit_converter_new((struct adit_mem){tap_measured, &m});
    for (size_t i = 0; i < ADIT_COUNT(units); i++) {
        begin("<title>t</title><p>Words");
        while (html.len < LEN) repeat(units[i], 100);
        const struct adit_page *page = convert();
        size_t text = 0;
        for (size_t k = 0; page && k < page->n_blocks; k++)
            text += page->blocks[k].text.len + page->blocks[k].url.len + 64;
        if (!ok(page && m.held <= HELD_MAX + 2 * text, units[i])) printf("# %zu held\n", m.held);
        begin("<p>Words");
        convert();
        if (!ok(m.held <= HELD_MAX, "and after the next page")) printf("# %zu held\n", m.held);
    }
    adit_converter_free(c);
    eq_int(m.held, 0, "all of it in the end");
    c = own;
}

/* What others reckon with before a page is converted: the worst kinds of any size, and the largest
 * pages. Pointers of 64 bits take twice the room. */
TEST(cost)
{
    static const struct {
        const char *unit;
        size_t len;
    } rows[] = {
        {"<div class=\"card c#\"><h2><a href=\"/p/#\">A post with the number #</a></h2><p>Some "
         "words of a paragraph that goes on for a while, with <b>bold</b> ones.</p></div>",
         1 << 18},
        {"<div class=\"card c#\"><h2><a href=\"/p/#\">A post with the number #</a></h2><p>Some "
         "words of a paragraph that goes on for a while, with <b>bold</b> ones.</p></div>",
         1 << 20},
        {"<p>x", 1 << 14},
        {"<p>x", 1 << 19},
        {"<td>x", 1 << 19},
        {"x<br>", 1 << 19},
        {"<p># has its words, and some more of them, to the end.", ADIT_LIMIT_page_bytes},
        {"<pre># has its words, and some more of them</pre>", ADIT_LIMIT_page_bytes},
    };
    struct adit_converter *own = c;
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct tap_meter m = {0};
        c = adit_converter_new((struct adit_mem){tap_measured, &m});
        begin("<title>t</title>");
        while (html.len < rows[i].len - (4 << 10)) repeat(rows[i].unit, 10);
        const struct adit_page *page = convert();
        size_t most = (size_t)adit_convert_cost(html.len);
        if (!ok(page && m.most <= sizeof(void *) / 4 * most, rows[i].unit))
            printf("# %zu bytes for %zu\n", m.most, html.len);
        adit_converter_free(c);
    }
    c = own;
}

TEST(set_up)
{
    adit_buf_init(&html, tap_mem, 16 << 20);
    c = adit_converter_new(tap_mem);
    ok(c != NULL, "a converter");
}

TEST(tear_down)
{
    adit_converter_free(c);
    adit_buf_free(&html);
    ok(true, "nothing leaks");
}

RUN_TESTS(set_up, base, addresses, media, links, tables, json_ld, gives_back, cost, tear_down)
