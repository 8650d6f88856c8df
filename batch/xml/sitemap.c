/* Sitemaps, indexes and ResourceSync lists, as events. */
#include "batch/xml/xml.h"
#include "codec/codec.h"

#include <stdlib.h>

static const char ns_sitemap[] = "http://www.sitemaps.org/schemas/sitemap/0.9";
static const char ns_news[] = "http://www.google.com/schemas/sitemap-news/0.9";

enum { ENTRY_BYTES = 1 << 20 }; /* strings of one entry */

struct plain_sink {
    struct adit_sink sink;
    struct sitemap_stream *stream;
};

struct sitemap_stream {
    struct adit_sink sink;
    struct sitemap_reading *r;
    struct xml_reader *xml;
    bool in_entry;
    struct sitemap_entry entry; /* the one under way; its strings are in arena */
    struct adit_rs_link links[SITEMAP_LINKS_MAX];
    struct adit_scp_element scp; /* likewise */
    struct adit_arena arena;
    bool ok; /* the arena sufficed */
    bool in_text;
    struct adit_buf text;
    /* For bytes that come by themselves: */
    struct plain_sink plain;
    struct adit_decoder *decoder;
    struct adit_sink *to;
    char head[2];
    size_t n_head;
    bool begun;
};

static bool is(struct adit_str s, const char *word) { return adit_str_eq(s, adit_str_z(word)); }

static struct adit_str keep(struct sitemap_stream *s, struct adit_str value)
{
    if (!value.p) return value;
    return adit_arena_dup(&s->arena, adit_str_trim(value), &s->ok);
}

#define TAKE(name) .name = keep(s, xml_attribute(e, #name)),

static struct adit_rs_md take_md(struct sitemap_stream *s, const struct xml_element *e)
{
    return (struct adit_rs_md){.present = true, ADIT_RS_MD_ATTRIBUTES(TAKE)};
}

static struct adit_rs_link take_link(struct sitemap_stream *s, const struct xml_element *e)
{
    return (struct adit_rs_link){ADIT_RS_LINK_ATTRIBUTES(TAKE)};
}

static bool begin_rs(struct sitemap_stream *s, const struct xml_element *e)
{
    const struct sitemap_handler *h = &s->r->handler;
    if (is(e->name, "md")) {
        struct adit_rs_md md = take_md(s, e);
        if (!s->in_entry) return !h->md || h->md(h->ctx, &md);
        if (!s->entry.md.present) s->entry.md = md;
    } else if (is(e->name, "ln")) {
        struct adit_rs_link link = take_link(s, e);
        if (!s->in_entry) return !h->link || h->link(h->ctx, &link);
        if (s->entry.n_links < SITEMAP_LINKS_MAX)
            s->links[s->entry.n_links++] = link;
        else
            s->entry.n_dropped++;
    }
    return true;
}

static bool begin_scp(struct sitemap_stream *s, const struct xml_element *e)
{
    s->scp = (struct adit_scp_element){
        .kind = ADIT_SCP_ELEMENT_OTHER, .element = keep(s, e->name), ADIT_SCP_ATTRIBUTES(TAKE)};
    for (size_t i = 0; i < ADIT_COUNT(adit_scp_element_names); i++)
        if (is(e->name, adit_scp_element_names[i])) s->scp.kind = (enum adit_scp_element_kind)i;
    s->in_text =
        s->scp.kind == ADIT_SCP_ELEMENT_VERSION || s->scp.kind == ADIT_SCP_ELEMENT_COMPRESSION;
    return true;
}

static bool begin_root(struct sitemap_stream *s, const struct xml_element *e)
{
    const struct sitemap_handler *h = &s->r->handler;
    s->r->is_index = is(e->name, "sitemapindex");
    if (!is(e->ns, ns_sitemap) || !(s->r->is_index || is(e->name, "urlset"))) {
        xml_stop(s->xml, XML_ROOT);
        return false;
    }
    return !h->root || h->root(h->ctx, s->r->is_index);
}

static bool begin_entry(struct sitemap_stream *s)
{
    if (++s->r->entries > s->r->entries_max) {
        xml_stop(s->xml, XML_ENTRIES);
        return false;
    }
    s->in_entry = true;
    s->entry = (struct sitemap_entry){.links = s->links};
    return true;
}

static bool is_entry(const struct sitemap_stream *s, const struct xml_element *e)
{
    return e->depth == 1 && is(e->ns, ns_sitemap) &&
           is(e->name, s->r->is_index ? "sitemap" : "url");
}

/* url > news:news > news:title. That of an image or a video is not the page's. */
static bool is_title(const struct xml_element *e)
{
    return e->depth == 3 && is(e->ns, ns_news) && is(e->name, "title");
}

static bool begin(void *ctx, const struct xml_element *e)
{
    struct sitemap_stream *s = ctx;
    s->r->line = xml_line(s->xml);
    adit_buf_clear(&s->text);
    s->in_text = false;
    /* Between entries nothing is kept. */
    if (e->depth <= 1) adit_arena_reset(&s->arena), s->ok = true;
    if (e->depth == 0) return begin_root(s, e);
    if (is_entry(s, e)) return begin_entry(s);
    if (is(e->ns, adit_rs_namespace) && e->depth == (s->in_entry ? 2 : 1)) return begin_rs(s, e);
    if (is(e->ns, adit_scp_namespace) && e->depth == 1) return begin_scp(s, e);
    s->in_text = s->in_entry && ((e->depth == 2 && is(e->ns, ns_sitemap)) || is_title(e));
    return true;
}

/* The text of the element that ends; nothing if it is longer than any URL may be. */
static struct adit_str take_text(struct sitemap_stream *s)
{
    return s->text.err ? (struct adit_str){0} : keep(s, adit_buf_str(&s->text));
}

static bool end(void *ctx, const struct xml_element *e)
{
    struct sitemap_stream *s = ctx;
    const struct sitemap_handler *h = &s->r->handler;
    bool more = true;
    s->r->line = xml_line(s->xml);
    if (is_entry(s, e)) {
        s->in_entry = false;
        more = !s->ok || !h->entry || h->entry(h->ctx, &s->entry);
    } else if (is(e->ns, adit_scp_namespace) && e->depth == 1) {
        if (s->in_text) s->scp.text = take_text(s);
        more = !s->ok || !h->scp || h->scp(h->ctx, &s->scp);
    } else if (s->in_text && is(e->name, "loc") && !s->entry.loc.p) {
        s->entry.loc = take_text(s);
    } else if (s->in_text && is(e->name, "lastmod") && !s->entry.lastmod.p) {
        s->entry.lastmod = take_text(s);
    } else if (s->in_text && is_title(e) && !s->entry.title.p) {
        s->entry.title = take_text(s);
    }
    s->in_text = false;
    if (!s->ok) xml_stop(s->xml, XML_LARGE);
    return more && s->ok;
}

static void text(void *ctx, struct adit_str part)
{
    struct sitemap_stream *s = ctx;
    if (s->in_text) adit_buf_add(&s->text, part);
}

static const struct xml_handler xml_handler = {.begin = begin, .end = end, .text = text};

/* --- bytes ------------------------------------------------------------------------------------ */

static enum adit_code plain_write(struct adit_sink *sink, const char *p, size_t len)
{
    struct sitemap_stream *s = ((struct plain_sink *)sink)->stream;
    return xml_write(s->xml, adit_str_of(p, len)) ? ADIT_ESTOP : ADIT_OK;
}

/* Compressed or not, the first two bytes tell. */
static enum adit_code stream_begin(struct sitemap_stream *s)
{
    struct adit_str head = adit_str_of(s->head, s->n_head);
    s->begun = true;
    if (adit_str_eq(head, ADIT_STR("\x1f\x8b"))) {
        if (adit_decoder_new(cli_mem, ADIT_CODING_GZIP, &s->plain.sink, &s->decoder))
            return ADIT_ENOMEM;
        s->to = &s->decoder->sink;
    }
    return s->to->write(s->to, head.p, head.len);
}

static enum adit_code stream_pass(struct sitemap_stream *s, enum adit_code code)
{
    if (code && code != ADIT_ESTOP) xml_stop(s->xml, XML_INPUT);
    return code ? ADIT_ESTOP : ADIT_OK;
}

static enum adit_code stream_write(struct adit_sink *sink, const char *p, size_t len)
{
    struct sitemap_stream *s = (struct sitemap_stream *)sink;
    while (!s->begun && len && s->n_head < 2) s->head[s->n_head++] = *p++, len--;
    enum adit_code code = ADIT_OK;
    if (!s->begun && s->n_head == 2) code = stream_begin(s);
    if (!code && len) code = s->to->write(s->to, p, len);
    return stream_pass(s, code);
}

static enum adit_code stream_end(struct adit_sink *sink)
{
    struct sitemap_stream *s = (struct sitemap_stream *)sink;
    enum adit_code code = s->begun ? ADIT_OK : stream_begin(s);
    return stream_pass(s, code ? code : adit_sink_end(s->to));
}

struct sitemap_stream *sitemap_open(struct sitemap_reading *r)
{
    struct sitemap_stream *s = calloc(1, sizeof *s);
    r->fault = XML_MEMORY, r->line = 0, r->entries = 0, r->is_index = false;
    if (!r->bytes_max) r->bytes_max = XML_BYTES_MAX;
    if (!r->entries_max) r->entries_max = ADIT_LIMIT_sitemap_items;
    if (!s) return NULL;
    s->r = r;
    s->sink = (struct adit_sink){stream_write, stream_end};
    s->plain = (struct plain_sink){{plain_write, NULL}, s};
    s->to = &s->plain.sink;
    s->xml = xml_open(&xml_handler, s, r->bytes_max);
    adit_arena_init(&s->arena, cli_mem, ENTRY_BYTES);
    adit_buf_init(&s->text, cli_mem, ADIT_LIMIT_url_bytes);
    if (s->xml) return s;
    free(s);
    return NULL;
}

struct adit_sink *sitemap_sink(struct sitemap_stream *s) { return &s->sink; }

enum xml_fault sitemap_close(struct sitemap_stream *s, bool whole)
{
    struct sitemap_reading *r = s->r;
    if (!whole) xml_stop(s->xml, XML_INPUT);
    r->fault = xml_end(s->xml);
    r->line = xml_line(s->xml);
    xml_close(s->xml);
    adit_decoder_free(s->decoder);
    adit_arena_free(&s->arena);
    adit_buf_free(&s->text);
    free(s);
    return r->fault;
}

enum xml_fault sitemap_read(struct sitemap_reading *r, struct input *in)
{
    struct sitemap_stream *s = sitemap_open(r);
    if (!s) return r->fault;
    xml_read(s->xml, in);
    return sitemap_close(s, true);
}
