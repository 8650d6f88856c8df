/* ResourceSync documents. */
#include "rs/rs.h"
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

TEST(indexnow)
{
    struct adit_indexnow d = {.json.out = &b, .host = ADIT_STR("a.example"), .key = ADIT_STR("k")};
    start();
    adit_indexnow_end(&d);
    eq_str(taken(), ADIT_STR(""), "nothing changed: no document");
    adit_indexnow_add(&d, ADIT_STR(U));
    adit_indexnow_add(&d, ADIT_STR(U "?a&b"));
    adit_indexnow_end(&d);
    eq_str(
        taken(),
        ADIT_STR("{\"host\":\"a.example\",\"key\":\"k\",\"urlList\":[\"" U "\",\"" U "?a&b\"]}\n"),
        "a document");
    start();
    for (int i = 0; i < ADIT_INDEXNOW_URLS + 1; i++) adit_indexnow_add(&d, ADIT_STR(U));
    adit_indexnow_end(&d);
    ok(adit_str_ends(taken(), ADIT_STR("]}\n{\"host\":\"a.example\",\"key\":\"k\",\"urlList\":[\"" U
                                       "\"]}\n")),
       "10,000 URLs a document");
    ok(adit_indexnow_key(ADIT_STR("abcDEF-1")), "a key");
    ok(!adit_indexnow_key(ADIT_STR("short")) && !adit_indexnow_key(ADIT_STR("with space")), "none");
}

TEST(end) { adit_buf_free(&b); }

RUN_TESTS(escapes, documents, indexnow, end)
