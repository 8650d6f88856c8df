/* The reader of sitemaps and ResourceSync documents: what it tells, and what it refuses. */
#include "batch/xml/xml.h"
#include "batch/io/tests/encode.h"
#include "tests/tap.h"

#include <glob.h>
#include <sys/resource.h>

#define SM  "http://www.sitemaps.org/schemas/sitemap/0.9"
#define RS  "http://www.openarchives.org/rs/terms/"
#define SCP "https://scp-protocol.org/schemas/sitemap/1.0"

/* --- a log of all that is told ---------------------------------------------------------------- */

static struct adit_buf seen;

static void put(const char *name, struct adit_str value)
{
    if (!value.p) return;
    adit_buf_byte(&seen, ' ');
    adit_buf_lit(&seen, name);
    adit_buf_byte(&seen, '=');
    adit_buf_add(&seen, value);
}
#define PUT(name) put(#name, v->name);

static void put_md(const struct adit_rs_md *v)
{
    if (v->present) adit_buf_lit(&seen, " md");
    ADIT_RS_MD_ATTRIBUTES(PUT)
}
static void put_link(const struct adit_rs_link *v)
{
    adit_buf_lit(&seen, " ln");
    ADIT_RS_LINK_ATTRIBUTES(PUT)
}

static bool on_root(void *ctx, bool is_index)
{
    (void)ctx;
    adit_buf_lit(&seen, is_index ? "index\n" : "urlset\n");
    return true;
}
static bool on_md(void *ctx, const struct adit_rs_md *md)
{
    (void)ctx;
    adit_buf_lit(&seen, "top");
    put_md(md);
    adit_buf_byte(&seen, '\n');
    return true;
}
static bool on_link(void *ctx, const struct adit_rs_link *link)
{
    (void)ctx;
    adit_buf_lit(&seen, "top");
    put_link(link);
    adit_buf_byte(&seen, '\n');
    return true;
}
static bool on_entry(void *ctx, const struct sitemap_entry *v)
{
    const bool *stop = ctx;
    adit_buf_lit(&seen, "entry");
    PUT(loc) PUT(lastmod);
    put_md(&v->md);
    for (size_t i = 0; i < v->n_links; i++) put_link(&v->links[i]);
    if (v->n_dropped) adit_buf_lit(&seen, " dropped "), adit_buf_u64(&seen, v->n_dropped);
    adit_buf_byte(&seen, '\n');
    return !stop || !*stop;
}
static bool on_scp(void *ctx, const struct adit_scp_element *v)
{
    (void)ctx;
    adit_buf_lit(&seen, "scp ");
    adit_buf_u64(&seen, v->kind);
    PUT(element) PUT(text);
    ADIT_SCP_ATTRIBUTES(PUT)
    adit_buf_byte(&seen, '\n');
    return true;
}

static struct sitemap_reading reading;

static struct adit_str read_str(struct adit_str bytes)
{
    struct input *in = input_open_bytes(bytes, NULL);
    reading.handler = (struct sitemap_handler){NULL, on_root, on_md, on_link, on_entry, on_scp};
    adit_buf_clear(&seen);
    sitemap_read(&reading, in);
    input_close(in);
    return adit_buf_str(&seen);
}
#define READ(text) read_str(ADIT_STR(text))

/* --- what it tells ---------------------------------------------------------------------------- */

TEST(test_vocabulary)
{
    eq_str(READ("<urlset xmlns='" SM "'><url><loc> https://a.example/?a&amp;b </loc>"
                "<lastmod>2024</lastmod></url></urlset>"),
           ADIT_STR("urlset\nentry loc=https://a.example/?a&b lastmod=2024\n"), "a sitemap");
    eq_int(reading.fault, XML_NONE, "without fault");
    eq_str(READ("<?xml version='1.0'?><s:sitemapindex xmlns:s='" SM "' xmlns:q='" RS "'>"
                "<q:md capability='changelist' from='2024' until='2025-01'/>"
                "<q:ln rel='up' href='https://a.example/?a&amp;b&#38;c' type='a/b'/>"
                "<s:sitemap><s:loc>https://a.example/<![CDATA[x&y]]></s:loc>"
                "<q:md from='1' until='2' at='3' completed='4' hash='5' length='6' type='7'"
                " change='8' datetime='9'/><q:ln rel='r'/><q:ln href='h'/></s:sitemap>"
                "</s:sitemapindex>"),
           ADIT_STR("index\ntop md capability=changelist from=2024 until=2025-01\n"
                    "top ln rel=up href=https://a.example/?a&b&c type=a/b\n"
                    "entry loc=https://a.example/x&y md change=8 datetime=9 from=1 until=2 at=3"
                    " completed=4 hash=5 length=6 type=7 ln rel=r ln href=h\n"),
           "an index with other prefixes, CDATA, references in attributes");
    eq_str(READ("<urlset xmlns='" SM "' xmlns:s='" SCP "'><s:version>0.1</s:version>"
                "<s:compression> zstd,gzip </s:compression>"
                "<s:section name='a' updateFreq='daily' pages='~5'/>"
                "<s:collection section='a' type='snapshot' url='u' generated='g' expires='e'"
                " pages='1' size='2'/><s:delta period='p' since='s'/><s:other/></urlset>"),
           ADIT_STR("urlset\nscp 0 element=version text=0.1\n"
                    "scp 1 element=compression text=zstd,gzip\n"
                    "scp 2 element=section name=a updateFreq=daily pages=~5\n"
                    "scp 3 element=collection section=a type=snapshot url=u generated=g expires=e"
                    " pages=1 size=2\nscp 4 element=delta period=p since=s\n"
                    "scp 5 element=other\n"),
           "SCP's elements");
    eq_str(READ("<urlset xmlns='" SM "'><url><rs:md xmlns:rs='urn:other' change='x'/>"
                "<a xmlns='urn:b'><loc>no</loc></a><loc>1</loc><loc>2</loc></url></urlset>"),
           ADIT_STR("urlset\nentry loc=1\n"),
           "other namespaces and repeated elements are passed over");
}

static struct adit_buf made;

static struct adit_str make_list(size_t n, const char *links)
{
    adit_buf_clear(&made);
    adit_buf_lit(&made, "<urlset xmlns='" SM "' xmlns:rs='" RS "'>");
    for (size_t i = 0; i < n; i++) {
        adit_buf_lit(&made, "<url><loc>https://a.example/");
        adit_buf_u64(&made, i);
        adit_buf_lit(&made, "</loc><rs:md change=\"updated\" datetime=\"2024-01-01\"/>");
        adit_buf_lit(&made, links);
        adit_buf_lit(&made, "</url>");
    }
    adit_buf_lit(&made, "</urlset>");
    return adit_buf_str(&made);
}

TEST(test_codings)
{
    struct adit_buf packed;
    adit_buf_init(&packed, tap_mem, 1u << 20);
    gzip_member(&packed, make_list(100, ""));
    read_str(adit_buf_str(&packed));
    ok(!reading.fault && reading.entries == 100, "gzip is seen by its bytes");
    packed.len -= 20;
    read_str(adit_buf_str(&packed));
    eq_int(reading.fault, XML_INPUT, "a damaged one is told");
    adit_buf_free(&packed);
    READ("\xef\xbb\xbf<urlset xmlns='" SM "'/>");
    eq_int(reading.fault, XML_NONE, "a byte order mark in front");
    eq_str(READ("<?xml version='1.0' encoding='ISO-8859-1'?><urlset xmlns='" SM
                "'><url><loc>https://a.example/\xe9</loc></url></urlset>"),
           ADIT_STR("urlset\nentry loc=https://a.example/\xc3\xa9\n"), "Latin-1 becomes UTF-8");
}

/* Whole, in pieces of every small size, and byte by byte. */
static bool same_in_pieces(struct adit_str bytes)
{
    struct adit_buf want;
    bool same = true;
    adit_buf_init(&want, tap_mem, 1u << 20);
    adit_buf_add(&want, read_str(bytes));
    for (size_t size = 1; size < 40; size++) {
        adit_buf_clear(&seen);
        struct sitemap_stream *s = sitemap_open(&reading);
        struct adit_sink *sink = sitemap_sink(s);
        for (size_t i = 0; i < bytes.len; i += size)
            adit_sink_write(sink, adit_str_sub(bytes, i, i + size));
        adit_sink_end(sink);
        same = same && !sitemap_close(s, true) &&
               adit_str_eq(adit_buf_str(&seen), adit_buf_str(&want));
    }
    adit_buf_free(&want);
    return same;
}

TEST(test_pieces)
{
    struct adit_buf packed;
    adit_buf_init(&packed, tap_mem, 1u << 20);
    gzip_member(&packed, make_list(20, "<rs:ln rel='a'/><!-- <b> --><?c d?>"));
    ok(same_in_pieces(adit_buf_str(&made)), "plain bytes that come in pieces");
    ok(same_in_pieces(adit_buf_str(&packed)), "compressed ones");
    ok(same_in_pieces(ADIT_STR("\xef\xbb\xbf<urlset xmlns='" SM "'/>")), "a byte order mark");
    struct sitemap_stream *s = sitemap_open(&reading);
    adit_sink_write(sitemap_sink(s), adit_str_sub(adit_buf_str(&made), 0, 1000));
    eq_int(sitemap_close(s, false), XML_INPUT, "bytes that stop coming");
    s = sitemap_open(&reading);
    adit_sink_write(sitemap_sink(s), adit_str_sub(adit_buf_str(&packed), 0, packed.len - 20));
    adit_sink_end(sitemap_sink(s));
    eq_int(sitemap_close(s, true), XML_INPUT, "compressed bytes that are cut off");
    adit_buf_free(&packed);
}

TEST(test_stop)
{
    bool stop = true;
    struct input *in = input_open_bytes(make_list(5, ""), NULL);
    adit_buf_clear(&seen);
    reading.handler = (struct sitemap_handler){.ctx = &stop, .entry = on_entry};
    eq_int(sitemap_read(&reading, in), XML_STOPPED, "a handler can stop the reading");
    eq_int(reading.entries, 1, "at once");
    input_close(in);
}

/* --- what it refuses -------------------------------------------------------------------------- */

TEST(test_refusals)
{
    static const struct {
        const char *text, *what;
        enum xml_fault fault;
        uint64_t line;
    } rows[] = {
        {"", "nothing", XML_MALFORMED, 0},
        {"hello", "no XML", XML_MALFORMED, 0},
        {"<urlset xmlns='" SM "'>\n<url>\n", "a cut document", XML_MALFORMED, 2},
        {"<urlset xmlns='" SM "'>\n\n</urls>", "a wrong end tag", XML_MALFORMED, 3},
        {"<urlset xmlns='" SM "'/><a/>", "two roots", XML_MALFORMED, 0},
        {"<urlset/>", "no namespace", XML_ROOT, 1},
        {"<rss xmlns='" SM "'/>", "another root", XML_ROOT, 1},
        {"<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY x 'y'>]><urlset xmlns='" SM "'>&x;</urlset>",
         "an entity", XML_DOCTYPE, 2},
        {"<!DOCTYPE urlset SYSTEM 'http://127.0.0.1:1/x.dtd'><urlset xmlns='" SM "'/>",
         "an external subset", XML_DOCTYPE, 1},
        {"<urlset xmlns='" SM "'>&nbsp;</urlset>", "an undeclared entity", XML_MALFORMED, 1},
        {"<urlset xmlns='" SM "'>\n<!ELEMENT a></urlset>", "a declaration", XML_DOCTYPE, 2},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        read_str(adit_str_z(rows[i].text));
        eq_int(reading.fault, rows[i].fault, rows[i].what);
        if (rows[i].line) eq_int(reading.line, rows[i].line, "and its line");
    }
    READ("\xff\xfe<\0u\0");
    eq_int(reading.fault, XML_MALFORMED, "UTF-16 is not read");
    READ("<?xml version='1.0' encoding='UTF-7'?>+ADwAIQ-DOCTYPE a+AFsAPAAh-ENTITY b 'c'+AD4AXQA+-"
         "<urlset xmlns='" SM "'/>");
    ok(reading.fault != XML_NONE, "a document type hidden in UTF-7");
}

static void nest(size_t n)
{
    adit_buf_clear(&made);
    adit_buf_lit(&made, "<urlset xmlns='" SM "'>");
    for (size_t i = 1; i < n; i++) adit_buf_lit(&made, "<a>");
    for (size_t i = 1; i < n; i++) adit_buf_lit(&made, "</a>");
    adit_buf_lit(&made, "</urlset>");
    read_str(adit_buf_str(&made));
}

static void attributes(size_t n)
{
    adit_buf_clear(&made);
    adit_buf_lit(&made, "<urlset xmlns='" SM "'><a");
    for (size_t i = 0; i < n; i++) {
        adit_buf_lit(&made, " a");
        adit_buf_u64(&made, i);
        adit_buf_lit(&made, "='x=y>'");
    }
    adit_buf_lit(&made, "/></urlset>");
    read_str(adit_buf_str(&made));
}

static void long_tag(size_t n)
{
    adit_buf_clear(&made);
    adit_buf_lit(&made, "<urlset xmlns='" SM "'><a b='");
    for (size_t i = 0; i < n; i++) adit_buf_byte(&made, 'x');
    adit_buf_lit(&made, "'/></urlset>");
    read_str(adit_buf_str(&made));
}

TEST(test_limits)
{
    nest(XML_DEPTH_MAX);
    eq_int(reading.fault, XML_NONE, "as deep as allowed");
    nest(XML_DEPTH_MAX + 1);
    eq_int(reading.fault, XML_DEEP, "deeper");
    nest(100000);
    eq_int(reading.fault, XML_DEEP, "much deeper");
    attributes(XML_ATTRIBUTES_MAX);
    eq_int(reading.fault, XML_NONE, "as many attributes as allowed");
    attributes(XML_ATTRIBUTES_MAX + 1);
    eq_int(reading.fault, XML_TAG, "one more");
    attributes(1000000);
    eq_int(reading.fault, XML_TAG, "a million, without their quadratic cost");
    long_tag(XML_TAG_MAX - 8);
    eq_int(reading.fault, XML_NONE, "a long tag");
    long_tag(XML_TAG_MAX);
    eq_int(reading.fault, XML_TAG, "one too long");
    reading.entries_max = 3;
    read_str(make_list(3, ""));
    eq_int(reading.fault, XML_NONE, "as many entries as allowed");
    read_str(make_list(4, ""));
    ok(reading.fault == XML_ENTRIES && adit_str_ends(adit_buf_str(&seen), ADIT_STR("2024-01-01\n")),
       "one more; those before it were told");
    reading.entries_max = 0;
    struct adit_str list = make_list(100, "");
    reading.bytes_max = list.len;
    read_str(list);
    eq_int(reading.fault, XML_NONE, "as many bytes as allowed");
    reading.bytes_max = list.len - 1;
    read_str(list);
    eq_int(reading.fault, XML_LARGE, "one byte more");
    reading.bytes_max = 0;
    struct adit_buf links;
    adit_buf_init(&links, tap_mem, 1u << 20);
    for (int i = 0; i < SITEMAP_LINKS_MAX + 2; i++) adit_buf_lit(&links, "<rs:ln rel='r'/>");
    adit_buf_byte(&links, '\0');
    struct adit_str got = read_str(make_list(1, links.p));
    ok(!reading.fault && adit_str_ends(got, ADIT_STR(" dropped 2\n")), "links of an entry");
    adit_buf_free(&links);
}

static bool count(void *ctx, const struct sitemap_entry *e)
{
    *(uint64_t *)ctx += e->loc.len > 0;
    return true;
}

static long peak_kb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

TEST(test_large)
{
    uint64_t n = 0;
    struct adit_str list = make_list(50000, "");
    struct input *in = input_open_bytes(list, NULL);
    reading.handler = (struct sitemap_handler){.ctx = &n, .entry = count};
    long before = peak_kb();
    sitemap_read(&reading, in);
    input_close(in);
    ok(!reading.fault && n == 50000, "50,000 entries");
    /* The sanitizer keeps freed memory for a while; the list itself is 5 MB. */
    ok(peak_kb() - before < 4096, "in constant memory");
    printf("# %zu bytes, %ld KB more than before\n", list.len, peak_kb() - before);
}

/* --- the examples of the specification -------------------------------------------------------- */

TEST(test_corpus)
{
    const char *corpus = getenv("ADIT_CORPUS");
    char pattern[1024];
    glob_t g;
    snprintf(pattern, sizeof pattern, "%s/resourcesync/*.xml", corpus ? corpus : "");
    if (!corpus || glob(pattern, 0, NULL, &g)) {
        tap_skip("ResourceSync's examples", "no corpus");
        return;
    }
    size_t good = 0;
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct adit_str s = tap_read(g.gl_pathv[i]);
        read_str(s);
        good += !reading.fault && reading.entries > 0;
        if (reading.fault || !reading.entries)
            printf("# %s: %s\n", g.gl_pathv[i], xml_fault_texts[reading.fault]);
        free((void *)s.p);
    }
    eq_int(good, g.gl_pathc, "every example is read and has entries");
    globfree(&g);
}

TEST(begin)
{
    adit_buf_init(&seen, tap_mem, 64u << 20);
    adit_buf_init(&made, tap_mem, 64u << 20);
}
TEST(end)
{
    adit_buf_free(&seen);
    adit_buf_free(&made);
}

RUN_TESTS(begin, test_vocabulary, test_codings, test_pieces, test_stop, test_refusals, test_limits,
          test_large, test_corpus, end)
