/* ResourceSync documents, Atom feeds, and the summary of changes. */
#include "atom/atom.h"
#include "tests/tap.h"
#include "text/text.h"

static struct adit_buf b;

static struct adit_str taken(void) { return adit_buf_str(&b); }
static void start(void)
{
    adit_buf_free(&b);
    adit_buf_init(&b, tap_mem, 1u << 20);
}

TEST(escapes)
{
    start();
    adit_xml(&b, ADIT_STR("a<b>&\"c' \xc3\xa9\t\n"));
    eq_str(taken(), ADIT_STR("a&lt;b&gt;&amp;&quot;c&#39; \xc3\xa9\t\n"), "references");
    start();
    adit_xml(&b, ADIT_STR("\x01\x0b\x7f\xff\xef\xbf\xbf\xed\xa0\x80."));
    eq_str(taken(),
           ADIT_STR("\xef\xbf\xbd\xef\xbf\xbd\x7f\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                    "\xef\xbf\xbd."),
           "what XML cannot say becomes U+FFFD");
    start();
    adit_xml_attribute(&b, "href", ADIT_STR("/?a&b"));
    eq_str(taken(), ADIT_STR(" href=\"/?a&amp;b\""), "an attribute");
}

#define URLSET                                               \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "   \
    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" " \
    "xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\n"
#define U "https://a.example/"

TEST(documents)
{
    start();
    adit_rs_head(&b, &(struct adit_rs_head){.kind = ADIT_RS_CAPABILITYLIST,
                                            .up = ADIT_STR(U "d"),
                                            .describes = ADIT_STR(U),
                                            .describedby = ADIT_STR(U "i")});
    adit_rs_entry(
        &b, ADIT_RS_CAPABILITYLIST,
        &(struct adit_rs_entry){.loc = ADIT_STR(U "l"), .capability = ADIT_STR("changelist")});
    adit_rs_tail(&b, ADIT_RS_CAPABILITYLIST);
    eq_str(taken(),
           ADIT_STR(URLSET "  <rs:ln rel=\"up\" href=\"" U "d\"/>\n"
                           "  <rs:ln rel=\"describes\" href=\"" U "\"/>\n"
                           "  <rs:ln rel=\"describedby\" href=\"" U "i\"/>\n"
                           "  <rs:md capability=\"capabilitylist\"/>\n"
                           "  <url><loc>" U "l</loc><rs:md capability=\"changelist\"/></url>\n"
                           "</urlset>\n"),
           "a capability list");
    start();
    adit_rs_head(&b, &(struct adit_rs_head){.kind = ADIT_RS_CHANGELIST,
                                            .up = ADIT_STR(U "c"),
                                            .index = ADIT_STR(U "x"),
                                            .from = ADIT_STR("2024-01-01T00:00:00Z")});
    adit_rs_entry(&b, ADIT_RS_CHANGELIST,
                  &(struct adit_rs_entry){.loc = ADIT_STR(U "?a&b"),
                                          .lastmod = ADIT_STR("2023"),
                                          .change = ADIT_RS_UPDATED,
                                          .datetime = ADIT_STR("2024")});
    adit_rs_tail(&b, ADIT_RS_CHANGELIST);
    eq_str(taken(),
           ADIT_STR(URLSET "  <rs:ln rel=\"up\" href=\"" U "c\"/>\n"
                           "  <rs:ln rel=\"index\" href=\"" U "x\"/>\n"
                           "  <rs:md capability=\"changelist\" from=\"2024-01-01T00:00:00Z\"/>\n"
                           "  <url><loc>" U "?a&amp;b</loc><lastmod>2023</lastmod>"
                           "<rs:md change=\"updated\" datetime=\"2024\"/></url>\n</urlset>\n"),
           "a change list");
    eq_int(adit_rs_change_of(ADIT_STR("deleted")), ADIT_RS_DELETED, "a change by its name");
    eq_int(adit_rs_change_of(ADIT_STR("moved")), ADIT_RS_CHANGES, "no such change");
}

TEST(summaries)
{
    struct adit_rs_summary s;
    start();
    adit_rs_summary_init(&s, tap_mem, 1u << 20);
    adit_rs_summary_add(&s, ADIT_RS_CREATED, ADIT_STR("https://a.example/?a&b"),
                        ADIT_STR("2024-01-01"));
    adit_rs_summary_add(&s, ADIT_RS_CREATED, ADIT_STR("javascript:alert(1)"), ADIT_STR(""));
    adit_rs_summary_add(&s, ADIT_RS_DELETED, ADIT_STR(U "gone"), ADIT_STR("2024-01-02"));
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
        adit_rs_summary_add(&s, ADIT_RS_UPDATED, ADIT_STR(U), ADIT_STR(""));
    adit_rs_summary_end(&s);
    ok(adit_str_ends(adit_buf_str(&s.html), ADIT_STR("</ul><p>and 7 more</p>")), "a long one");
    adit_rs_summary_title(&s, &b);
    eq_str(taken(), ADIT_STR("107 changes: 107 updated"), "counts all");
    adit_rs_summary_free(&s);
}

TEST(atom)
{
    start();
    adit_atom_head(&b, &(struct adit_atom_feed){.id = ADIT_STR(U),
                                                .title = ADIT_STR("A & B"),
                                                .updated = ADIT_STR("2024-01-01T00:00:00Z"),
                                                .author = ADIT_STR("a.example"),
                                                .self = ADIT_STR("f.xml"),
                                                .older = ADIT_STR("f-0001.xml"),
                                                .current = ADIT_STR("f.xml")});
    adit_atom_entry(&b, &(struct adit_atom_entry){.id = ADIT_STR(U "#1"),
                                                  .title = ADIT_STR("1 change"),
                                                  .updated = ADIT_STR("2024-01-01T00:00:00Z"),
                                                  .html = ADIT_STR("<a href=\"x\">&amp;</a>")});
    adit_atom_tail(&b);
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

TEST(end) { adit_buf_free(&b); }

RUN_TESTS(escapes, documents, summaries, atom, end)
