/* Slow: the converter: reuse between pages, limits, failing memory, blocks over the limit. */
#include "format/format.h"
#include "page/page.h"
#include "tests/tap.h"

static const struct adit_page_source source = {.url = ADIT_STR_INIT("https://example.com/p"),
                                               .date = ADIT_STR_INIT("2024-01-02T03:04:05Z"),
                                               .whole = true};

static const struct adit_page *convert(struct adit_converter *c, struct adit_str html)
{
    const struct adit_page *page = NULL;
    struct adit_error err = {0};
    adit_convert(c, html, &source, &page, &err);
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
    eq_int(adit_convert(c, adit_str_of(p, max + 1), &source, &page, &err), ADIT_ELIMIT,
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
        struct adit_page_source f = {.url = adit_str_z(urls[i])};
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
    struct adit_page_source f = source;
    f.whole = false;
    enum adit_code code = adit_convert(c, *(struct adit_str *)ctx, &f, &page, &err);
    adit_converter_free(c);
    return code;
}

TEST(torture)
{
    static const char *const files[] = {"shared/convert/cases/content/documentation.html",
                                        "shared/convert/cases/blocks/video-json-ld.html",
                                        "shared/convert/cases/blocks/many-blocks.html"};
    for (size_t i = 0; i < ADIT_COUNT(files); i++) {
        struct adit_str html = tap_read(files[i]);
        tap_torture(torture_body, &html, "every allocation failing");
        free((char *)(uintptr_t)html.p);
    }
}

/* The most bytes that a page which says `unit` over and over behind `begin`, len bytes of it, takes
 * on its way to the JSON line; *kept: what the converter still holds behind the page after it. */
static size_t memory_for(const char *begin, const char *unit, size_t len, size_t *kept)
{
    struct tap_meter m = {0};
    struct adit_mem mem = {tap_measured, &m};
    struct adit_page_source selected = source;
    struct adit_error err = {0};
    const struct adit_page *page;
    struct adit_buf html, out;
    selected.whole = false;
    adit_buf_init(&html, tap_mem, 2 * len);
    adit_buf_lit(&html, begin);
    while (html.len < len) adit_buf_add(&html, adit_str_z(unit));
    struct adit_converter *c = adit_converter_new(mem);
    adit_buf_init(&out, mem, ADIT_LIMIT_scp_line);
    bool done = adit_convert(c, adit_buf_str(&html), &selected, &page, &err) == ADIT_OK &&
                adit_formats[0].write(page, mem, &out) == ADIT_OK;
    size_t most = done ? m.most : SIZE_MAX;
    adit_buf_free(&out);
    adit_convert(c, ADIT_STR("<p>x"), &selected, &page, &err);
    *kept = m.held;
    adit_converter_free(c);
    adit_buf_free(&html);
    return most;
}

/* What a page repeats must not take more memory than it has to, a byte: a Worker has 128 MB for
 * everything. A node of the parser takes 100 to 200 bytes (half of it in WASM), and so does all
 * that is known about a leaf of text. */
TEST(memory)
{
    enum { LEN = 1 << 19, MANY = 5 << 20, HELD_MAX = 20 << 20 };
    static const struct {
        const char *begin, *unit;
        size_t most; /* bytes a byte of the page, with pointers of 64 bits */
    } rows[] = {
        {"", "<p>x", 195},
        {"", "<ul><li>x</ul>", 98},
        {"", "<li>x", 165},
        {"", "<table><td>x</table>", 106},
        {"<table><tr>", "<td>x", 165},
        {"<table>", "<tr><td>x", 132},
        {"", "<dt>x<dd>y", 165},
        {"", "<h2>x</h2>", 88},
        {"", "<div></div>", 34},
        {"", "<p class=a><a href=/x>y</a>", 70},
        {"", "<a href>x</a>", 54},
        {"", "<b>x</b>", 62},
        {"", "x<br>", 92},
        {"", "<hr>", 64},
        {"", "<img src=x>", 60},
        {"", "<p a b c d e f g>x", 123},
        {"", "<meta name=a content=b>", 35},
        {"", "<script>x</script>", 33},
        {"", "<!--x-->", 25},
        {"", "<", 15},
        {"", "words of a text. ", 10},
        {"", "<pre>x\n", 12},
        {"", "<p>A paragraph of some words, which goes on for a while, as they do.", 26},
    };
    size_t kept;
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        size_t most = memory_for(rows[i].begin, rows[i].unit, LEN, &kept) / LEN;
        if (!ok(most <= rows[i].most, rows[i].unit)) printf("# %zu bytes a byte\n", most);
        if (!ok(kept <= HELD_MAX, "and most of it is given back")) printf("# %zu held\n", kept);
    }
    /* Beyond the limit of nodes only text is added. */
    static const char *const many[][2] = {
        {"", "<p>x"},
        {"<table>", "<tr><td>1.23</td><td>some text</td></tr>\n"},
        {"", "<p>A paragraph of some words, which is merged with others.</p>\n"},
    };
    size_t bound = (size_t)(sizeof(void *) > 4 ? 120 : 80) << 20;
    for (size_t i = 0; i < ADIT_COUNT(many); i++) {
        size_t most = memory_for(many[i][0], many[i][1], MANY, &kept);
        if (!ok(most <= bound, many[i][1])) printf("# %zu bytes in all\n", most);
    }
}

RUN_TESTS(block_limit, byte_limit, bad_url, reuse, torture, memory)
