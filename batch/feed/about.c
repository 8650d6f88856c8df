/* Title and author of a collection, from whatever describes it. */
#include "batch/feed/feed.h"
#include "batch/crawl/crawl.h"
#include "page/page.h"
#include "text/text.h"

enum { TEXT_MAX = 300 };

/* --- HTML ------------------------------------------------------------------------------------- */

static struct adit_str kept(struct feed_state *s, struct adit_str add_text)
{
    return adit_arena_dup(&s->arena, adit_utf8_cut(adit_str_trim(add_text), TEXT_MAX), NULL);
}

static bool from_html(struct adit_str body, struct adit_str url, struct adit_str type,
                      struct feed_state *s, struct feed_record *r)
{
    struct adit_converter *c = adit_converter_new(cli_mem);
    struct adit_page_source source = {.url = url, .content_type = type};
    const struct adit_page *page;
    bool ok = c && adit_convert(c, body, &source, &page, NULL) == ADIT_OK;
    if (ok) {
        r->title = kept(s, page->title);
        if (page->author.len) r->author = kept(s, page->author);
    }
    adit_converter_free(c);
    return ok;
}

/* --- XML: the first title, creator or author, of whatever vocabulary -------------------------- */

struct about {
    struct adit_buf text, title, author;
    struct adit_buf *into; /* the element under way */
    unsigned depth;
};

static struct adit_buf *wanted(struct about *a, struct adit_str name)
{
    static const struct {
        const char *name;
        bool title;
    } names[] = {{"title", true}, {"creator", false}, {"author", false}};
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        struct adit_buf *b = names[i].title ? &a->title : &a->author;
        if (adit_str_ieq(name, adit_str_z(names[i].name)) && !b->len) return b;
    }
    return NULL;
}

static bool begin(void *ctx, const struct xml_element *e)
{
    struct about *a = ctx;
    if (a->into) return true;
    a->into = wanted(a, e->name);
    a->depth = e->depth;
    adit_buf_clear(&a->text);
    return true;
}

static bool end(void *ctx, const struct xml_element *e)
{
    struct about *a = ctx;
    if (!a->into || e->depth > a->depth) return true;
    if (!a->text.err) adit_buf_add(a->into, adit_str_trim(adit_buf_str(&a->text)));
    a->into = NULL;
    return !a->title.len || !a->author.len;
}

static void add_text(void *ctx, struct adit_str part)
{
    struct about *a = ctx;
    if (a->into) adit_buf_add(&a->text, part);
}

static bool from_xml(struct adit_str body, struct feed_state *s, struct feed_record *r)
{
    static const struct xml_handler handler = {begin, end, add_text};
    struct about a = {0};
    struct adit_buf *const bufs[] = {&a.text, &a.title, &a.author};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_init(bufs[i], cli_mem, 4096);
    struct xml_reader *x = xml_open(&handler, &a, FEED_ABOUT_MAX);
    if (x) xml_write(x, body), xml_end(x);
    xml_close(x);
    bool ok = a.title.len > 0;
    if (ok) r->title = kept(s, adit_buf_str(&a.title));
    if (a.author.len) r->author = kept(s, adit_buf_str(&a.author));
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    return ok;
}

/* --- which ------------------------------------------------------------------------------------ */

static bool understand(struct adit_str body, struct adit_str url, struct adit_str type,
                       struct feed_state *s, struct feed_record *r)
{
    struct adit_str start = adit_str_trim(adit_str_sub(body, 0, 1024));
    bool xml = adit_str_starts(start, ADIT_STR("<?xml")) &&
               adit_str_ifind(start, ADIT_STR("<html"), 0) == start.len;
    if (!xml && crawl_is_html(type, body)) return from_html(body, url, type, s, r);
    return adit_str_starts(start, ADIT_STR("<")) && from_xml(body, s, r);
}

/* The home page that identifies a collection; it need not be there. */
static void from_home(struct feed_run *f, struct feed_state *s, struct feed_record *r)
{
    struct feed_page home = {.url = feed_resolve(f, r->id, (struct adit_str){0})};
    adit_buf_init(&home.body, cli_mem, FEED_ABOUT_MAX);
    feed_pages_get(f, &home, 1);
    if (home.body.len && crawl_is_html(home.type, adit_buf_str(&home.body)))
        from_html(adit_buf_str(&home.body), home.url, home.type, s, r);
    adit_buf_free(&home.body);
}

void feed_about(struct feed_run *f, struct adit_str describedby, struct feed_state *s,
                struct feed_record *r)
{
    struct adit_buf body;
    struct adit_str type;
    adit_buf_init(&body, cli_mem, FEED_ABOUT_MAX);
    if (describedby.len && feed_text(f, describedby, &body, &type) &&
        !understand(adit_buf_str(&body), describedby, type, s, r))
        cli_say(NULL, "%.*s: neither HTML nor XML with a title; the URL is the title",
                (int)describedby.len, describedby.p);
    adit_buf_free(&body);
    if (!r->title.len) from_home(f, s, r);
    if (!r->title.len) r->title = r->id;
    if (!r->author.len) r->author = adit_url_authority(r->id);
}
