/* Feeds in both formats, the summary of changes, and changes of pages for people. */
#include "atom/atom.h"
#include "tests/tap.h"

#define U "https://a.example/"

static struct adit_buf b;

static struct adit_str taken(void) { return adit_buf_str(&b); }
static void start(void)
{
    adit_buf_free(&b);
    adit_buf_init(&b, tap_mem, 1u << 20);
}

static void add(struct adit_rs_summary *s, struct adit_rs_shown c) { adit_rs_summary_add(s, &c); }

TEST(summaries)
{
    struct adit_rs_summary s;
    start();
    adit_rs_summary_init(&s, tap_mem, 1u << 20);
    add(&s, (struct adit_rs_shown){.loc = ADIT_STR("https://a.example/?a&b"),
                                   .day = ADIT_STR("2024-01-01")});
    add(&s, (struct adit_rs_shown){.loc = ADIT_STR("javascript:alert(1)")});
    add(&s, (struct adit_rs_shown){.change = ADIT_RS_DELETED,
                                   .loc = ADIT_STR(U "gone"),
                                   .day = ADIT_STR("2024-01-02")});
    adit_rs_summary_end(&s);
    eq_str(adit_buf_str(&s.html),
           ADIT_STR("<p>New pages</p><ul><li><a href=\"https://a.example/?a&amp;b\">"
                    "https://a.example/?a&amp;b</a> (2024-01-01)</li><li>javascript:alert(1)</li>"
                    "</ul><p>Deleted pages</p><ul><li>" U "gone (2024-01-02)</li></ul>"),
           "links, but not to scripts nor to what is gone");
    adit_rs_summary_title(&s, &b);
    eq_str(taken(), ADIT_STR("3 changes: 2 new, 1 deleted"), "its title");
    adit_rs_summary_free(&s);
    start();
    adit_rs_summary_init(&s, tap_mem, 1u << 20);
    for (int i = 0; i < ADIT_RS_SHOWN + 7; i++)
        add(&s, (struct adit_rs_shown){.change = ADIT_RS_UPDATED, .loc = ADIT_STR(U)});
    adit_rs_summary_end(&s);
    ok(adit_str_ends(adit_buf_str(&s.html), ADIT_STR("</ul><p>and 7 more</p>")), "a long one");
    adit_rs_summary_title(&s, &b);
    eq_str(taken(), ADIT_STR("107 changes: 107 updated"), "counts all");
    adit_rs_summary_free(&s);
}

/* Titles and excerpts are strangers' texts. */
TEST(titles)
{
    struct adit_rs_summary s;
    adit_rs_summary_init(&s, tap_mem, 1u << 20);
    add(&s, (struct adit_rs_shown){.loc = ADIT_STR(U "a"),
                                   .title = ADIT_STR("Cats <& dogs>"),
                                   .excerpt = ADIT_STR("All of <them>.")});
    add(&s, (struct adit_rs_shown){
                .change = ADIT_RS_DELETED, .loc = ADIT_STR(U "b"), .title = ADIT_STR("Bats")});
    adit_rs_summary_end(&s);
    eq_str(adit_buf_str(&s.html),
           ADIT_STR("<p>New pages</p><ul><li><a href=\"" U "a\">Cats &lt;&amp; dogs&gt;</a>"
                    "<p>All of &lt;them&gt;.</p></li></ul><p>Deleted pages</p><ul><li>Bats, " U
                    "b</li></ul>"),
           "titles, and an excerpt");
    adit_rs_summary_free(&s);
    struct adit_rs_shown c = {.change = ADIT_RS_UPDATED, .loc = ADIT_STR(U "a")};
    start();
    adit_rs_shown_title(&c, &b);
    eq_str(taken(), ADIT_STR("Updated: " U "a"), "a page without a title is its URL");
}

static void diff_html(struct adit_str old_text, struct adit_str new_text)
{
    struct adit_arena arena;
    struct adit_diff d;
    adit_arena_init(&arena, tap_mem, 64 << 20);
    start();
    eq_int(adit_diff_words(old_text, new_text, &arena, &d), ADIT_OK, "texts are compared");
    adit_diff_html(&d, &b);
    adit_arena_free(&arena);
}

TEST(diffs)
{
    diff_html(ADIT_STR("The <b> is red."), ADIT_STR("The <b> is blue."));
    eq_str(taken(), ADIT_STR("<p>The &lt;b&gt; is <del>red</del><ins>blue</ins>.</p>"), "a word");
    struct adit_buf x, y;
    adit_buf_init(&x, tap_mem, 1 << 20), adit_buf_init(&y, tap_mem, 1 << 20);
    for (unsigned i = 0; i < 100; i++) adit_buf_lit(&x, "word "), adit_buf_lit(&y, "word ");
    adit_buf_lit(&x, "old "), adit_buf_lit(&y, "new ");
    for (unsigned i = 0; i < 100; i++) adit_buf_lit(&x, "tail "), adit_buf_lit(&y, "tail ");
    diff_html(adit_buf_str(&x), adit_buf_str(&y));
    ok(adit_str_starts(taken(), ADIT_STR("<p>\xe2\x80\xa6 word word ")) && b.len < 300 &&
           adit_str_ends(taken(), ADIT_STR(" \xe2\x80\xa6</p>")),
       "equal text is cut, on both sides");
    adit_buf_clear(&x), adit_buf_clear(&y);
    for (unsigned i = 0; i < 20000; i++) {
        adit_buf_lit(&x, "a long equal text here "), adit_buf_u64(&x, i), adit_buf_byte(&x, ' ');
        adit_buf_lit(&y, "a long equal text here "), adit_buf_u64(&y, i + 30000);
        adit_buf_byte(&y, ' ');
    }
    diff_html(adit_buf_str(&x), adit_buf_str(&y));
    ok(b.len < 12000, "many changes are cut");
    adit_buf_free(&x), adit_buf_free(&y);
    eq_str(adit_excerpt(ADIT_STR("  short \n")), ADIT_STR("short"), "a short excerpt is all of it");
    ok(adit_excerpt(taken()).len <= ADIT_EXCERPT, "a long one is cut");
}

TEST(atom)
{
    start();
    struct adit_feed_writer w = {.out = &b};
    const struct adit_feed_format *f = &adit_feed_formats[0];
    f->head(&w, &(struct adit_atom_feed){.id = ADIT_STR(U),
                                         .title = ADIT_STR("A & B"),
                                         .updated = ADIT_STR("2024-01-01T00:00:00Z"),
                                         .author = ADIT_STR("a.example"),
                                         .self = ADIT_STR("f.xml"),
                                         .older = ADIT_STR("f-0001.xml"),
                                         .current = ADIT_STR("f.xml")});
    f->entry(&w, &(struct adit_atom_entry){.id = ADIT_STR(U "#1"),
                                           .title = ADIT_STR("1 change"),
                                           .updated = ADIT_STR("2024-01-01T00:00:00Z"),
                                           .html = ADIT_STR("<a href=\"x\">&amp;</a>")});
    f->tail(&w);
    eq_str(taken(),
           ADIT_STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<feed xmlns=\"http://www.w3.org/2005/Atom\" "
                    "xmlns:fh=\"http://purl.org/syndication/history/1.0\">\n"
                    "  <id>" U "</id>\n  <title>A &amp; B</title>\n"
                    "  <updated>2024-01-01T00:00:00Z</updated>\n"
                    "  <author>\n    <name>a.example</name>\n  </author>\n"
                    "  <link rel=\"self\" href=\"f.xml\"/>\n"
                    "  <link rel=\"next\" href=\"f-0001.xml\"/>\n"
                    "  <link rel=\"prev-archive\" href=\"f-0001.xml\"/>\n"
                    "  <link rel=\"current\" href=\"f.xml\"/>\n"
                    "  <generator>adit</generator>\n  <fh:archive/>\n"
                    "  <entry>\n    <id>" U "#1</id>\n    <title>1 change</title>\n"
                    "    <updated>2024-01-01T00:00:00Z</updated>\n"
                    "    <content type=\"html\">&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;"
                    "</content>\n  </entry>\n</feed>\n"),
           "an archive document with an entry");
}

/* The members that JSON Feed 1.1 requires, and ours; wasm-tests and jq read what feed writes. */
TEST(json)
{
    static const struct adit_feed_format *f = &adit_feed_formats[1];
    struct adit_feed_writer w = {.out = &b};
    start();
    f->head(&w, &(struct adit_atom_feed){.id = ADIT_STR(U),
                                         .title = ADIT_STR("A \"B\""),
                                         .author = ADIT_STR("a.example"),
                                         .self = ADIT_STR(U "f.json"),
                                         .alternate = ADIT_STR(U),
                                         .hub = ADIT_STR(U "hub")});
    for (unsigned i = 0; i < 2; i++)
        f->entry(&w, &(struct adit_atom_entry){.id = ADIT_STR("1"),
                                               .title = ADIT_STR("t"),
                                               .updated = ADIT_STR("2024-01-01T00:00:00Z"),
                                               .html = ADIT_STR("<p>")});
    f->tail(&w);
#define ITEM                                                  \
    "{\"id\":\"1\",\"title\":\"t\",\"content_html\":\"<p>\"," \
    "\"date_modified\":\"2024-01-01T00:00:00Z\"}"
    eq_str(taken(),
           ADIT_STR("{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"A \\\"B\\\"\","
                    "\"home_page_url\":\"" U "\",\"feed_url\":\"" U "f.json\","
                    "\"authors\":[{\"name\":\"a.example\"}],"
                    "\"hubs\":[{\"type\":\"WebSub\",\"url\":\"" U "hub\"}],"
                    "\"items\":[" ITEM "," ITEM "]}\n"),
           "a JSON feed");
}

TEST(end) { adit_buf_free(&b); }

RUN_TESTS(summaries, titles, diffs, atom, json, end)
