/* The pages of an upstream, as far as its own sitemaps say: the JSON one, else the XML one. */
#include "batch/serve/serve.h"
#include "batch/xml/xml.h"
#include "tct/tct.h"
#include "text/text.h"

enum { LIST_BYTES = 16 << 20 };

static bool get_document(struct origin *o, const struct adit_config *c, struct adit_str path,
                         struct adit_buf *out)
{
    struct adit_header accept = {ADIT_STR("accept-encoding"), ADIT_STR("identity")};
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .authority = adit_url_authority(c->origin),
        .path = path,
        .headers = &accept,
        .n_headers = 1,
        .timeout_ms = (unsigned)c->timeout_ms,
        .whole = true,
    };
    if (c->upstream_authority.len) q.authority = c->upstream_authority;
    enum adit_fetch_failure why;
    struct origin_reply *r = o->open(o, &q, &why);
    if (!r) return false;
    char part[16384];
    ssize_t got = -1;
    adit_buf_clear(out);
    if (r->status == 200)
        while ((got = r->read(r, part, sizeof part)) > 0)
            adit_buf_add(out, adit_str_of(part, (size_t)got));
    r->close(r);
    return got == 0 && !out->err;
}

struct listing {
    const struct adit_config *config;
    struct adit_buf *out;
};

static void add_our_url(struct listing *l, struct adit_str url)
{
    struct adit_str path;
    if (!adit_map_our_url(l->config, url, &path) || adit_str_chr(path, '\n', 0) < path.len) return;
    adit_buf_add(l->out, path);
    adit_buf_byte(l->out, '\n');
}

static bool on_item(void *ctx, const struct adit_tct_item *item)
{
    add_our_url(ctx, item->c_url);
    return true;
}

static bool on_entry(void *ctx, const struct sitemap_entry *e)
{
    add_our_url(ctx, e->loc);
    return true;
}

static void read_xml(struct listing *l, struct adit_str text)
{
    struct sitemap_reading r = {.handler = {.ctx = l, .entry = on_entry}};
    struct input *in = input_open_bytes(text, NULL);
    if (in) sitemap_read(&r, in);
    input_close(in);
}

void upstream_list(struct origin *o, const struct adit_config *c, struct adit_buf *out)
{
    struct adit_buf doc;
    struct listing l = {c, out};
    const struct adit_tct_sitemap_handler handler = {.ctx = &l, .item = on_item};
    adit_buf_init(&doc, cli_mem, LIST_BYTES);
    if (!get_document(o, c, c->sitemap_path, &doc) ||
        adit_tct_sitemap_read(adit_buf_str(&doc), cli_mem, &handler, NULL) != ADIT_OK) {
        adit_buf_clear(out);
        if (get_document(o, c, ADIT_STR("/sitemap.xml"), &doc)) read_xml(&l, adit_buf_str(&doc));
    }
    if (out->len == 0) adit_buf_lit(out, "/\n");
    adit_buf_free(&doc);
}
