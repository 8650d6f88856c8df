/* The converter: reuse between pages, limits, failing memory, blocks over the limit. */
#include "page/page.h"
#include "tests/tap.h"

static const struct adit_page_facts facts = {.url = ADIT_STR_INIT("https://example.com/p"),
                                             .date = ADIT_STR_INIT("2024-01-02T03:04:05Z"),
                                             .whole = true};

static const struct adit_page *convert(struct adit_converter *c, struct adit_str html)
{
    const struct adit_page *page = NULL;
    struct adit_error err = {0};
    adit_convert(c, html, &facts, &page, &err);
    return page;
}

/* n paragraphs "p1." …; with headings between them if asked for. */
static void put_paragraphs(struct adit_buf *b, size_t n, bool headings)
{
    adit_buf_clear(b);
    adit_buf_lit(b, "<title>t</title>");
    for (size_t i = 1; i <= n; i++) {
        if (headings && i % 2 == 0)
            adit_buf_lit(b, "<h2>");
        else
            adit_buf_lit(b, "<p>");
        adit_buf_byte(b, 'p');
        adit_buf_u64(b, i);
        adit_buf_lit(b, ".");
        if (headings && i % 2 == 0) adit_buf_lit(b, "</h2>");
    }
}

/* Whether all of "p1." … "pn." stand in the blocks, in this order. */
static bool all_there(const struct adit_page *page, size_t n)
{
    size_t block = 0, at = 0;
    for (size_t i = 1; i <= n; i++) {
        struct adit_buf want;
        adit_buf_init(&want, tap_mem, 64);
        adit_buf_byte(&want, 'p');
        adit_buf_u64(&want, i);
        adit_buf_byte(&want, '.');
        size_t found;
        while (block < page->n_blocks &&
               (found = adit_str_find(page->blocks[block].text, adit_buf_str(&want), at)) ==
                   page->blocks[block].text.len)
            block++, at = 0;
        adit_buf_free(&want);
        if (block == page->n_blocks) return false;
        at = found + 1;
    }
    return true;
}

TEST(block_limit)
{
    static const size_t counts[] = {999, 1000, 1001, 1999, 2000, 2001, 5000};
    struct adit_converter *c = adit_converter_new(tap_mem);
    struct adit_buf html;
    adit_buf_init(&html, tap_mem, 1 << 20);
    for (size_t i = 0; i < ADIT_COUNT(counts); i++)
        for (int headings = 0; headings < 2; headings++) {
            put_paragraphs(&html, counts[i], headings);
            const struct adit_page *page = convert(c, adit_buf_str(&html));
            size_t want = counts[i] < ADIT_LIMIT_page_blocks ? counts[i] : ADIT_LIMIT_page_blocks;
            eq_int(page->n_blocks, want, headings ? "blocks, with headings" : "blocks");
            ok(all_there(page, counts[i]), "no text is lost, the order stays");
        }
    adit_buf_free(&html);
    adit_converter_free(c);
}

TEST(byte_limit)
{
    struct adit_converter *c = adit_converter_new(tap_mem);
    size_t max = ADIT_LIMIT_page_bytes;
    char *p = malloc(max + 1);
    memset(p, ' ', max + 1);
    memcpy(p, "<title>t</title><p>text", 23);
    const struct adit_page *page = convert(c, adit_str_of(p, max));
    ok(page && page->n_blocks == 1, "a page of the largest size");
    struct adit_error err = {0};
    eq_int(adit_convert(c, adit_str_of(p, max + 1), &facts, &page, &err), ADIT_ELIMIT,
           "one byte more");
    ok(convert(c, ADIT_STR("<p>again")) != NULL, "the converter can be used again");
    free(p);
    adit_converter_free(c);
}

TEST(bad_url)
{
    static const char *const urls[] = {"", "/path", "ftp://example.com/", "mailto:a@b", "https://"};
    struct adit_converter *c = adit_converter_new(tap_mem);
    for (size_t i = 0; i < ADIT_COUNT(urls); i++) {
        struct adit_page_facts f = {.url = adit_str_z(urls[i])};
        const struct adit_page *page;
        struct adit_error err = {0};
        eq_int(adit_convert(c, ADIT_STR("<p>x"), &f, &page, &err), ADIT_EBAD, "no web address");
        ok(page == NULL && err.msg, "no page, and a message");
    }
    adit_converter_free(c);
}

TEST(reuse)
{
    struct adit_converter *c = adit_converter_new(tap_mem);
    convert(c,
            ADIT_STR("<title>One</title><p>First text.<img src=/a.png><video src=/b.mp4></video>"));
    const struct adit_page *page = convert(c, ADIT_STR("<title>Two</title><p>Second text."));
    eq_str(page->title, ADIT_STR("Two"), "title of the second page");
    eq_int(page->n_blocks, 1, "its blocks only");
    eq_str(page->blocks[0].text, ADIT_STR("Second text."), "its text");
    adit_converter_free(c);
}

static enum adit_code torture_body(struct adit_mem mem, void *ctx)
{
    struct adit_converter *c = adit_converter_new(mem);
    if (!c) return ADIT_ENOMEM;
    const struct adit_page *page;
    struct adit_error err = {0};
    struct adit_page_facts f = facts;
    f.whole = false;
    enum adit_code code = adit_convert(c, *(struct adit_str *)ctx, &f, &page, &err);
    adit_converter_free(c);
    return code;
}

TEST(torture)
{
    static const char *const files[] = {"shared/page/cases/content/documentation.html",
                                        "shared/page/cases/blocks/video-json-ld.html",
                                        "shared/page/cases/blocks/many-blocks.html"};
    for (size_t i = 0; i < ADIT_COUNT(files); i++) {
        struct adit_str html = tap_read(files[i]);
        tap_torture(torture_body, &html, "every allocation failing");
        free((char *)(uintptr_t)html.p);
    }
}

RUN_TESTS(block_limit, byte_limit, bad_url, reuse, torture)
