/* The pages of an upstream, as far as its own sitemaps say: the JSON one, else the XML one. */
#include "batch/serve/serve.h"
#include "json/json.h"

enum { LIST_BYTES = 16 << 20 };

static bool get_document(struct origin *o, const struct adit_config *c, struct adit_str path,
                         struct adit_buf *out)
{
    struct adit_header accept = {ADIT_STR("accept-encoding"), ADIT_STR("identity")};
    struct adit_str origin = c->origin;
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .authority = adit_str_sub(origin, adit_str_find(origin, ADIT_STR("//"), 0) + 2, origin.len),
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

static void add_our_url(const struct adit_config *c, struct adit_str url, struct adit_buf *out)
{
    struct adit_str path;
    if (!adit_map_our_url(c, url, &path) || adit_str_chr(path, '\n', 0) < path.len) return;
    adit_buf_add(out, path);
    adit_buf_byte(out, '\n');
}

void upstream_list(struct origin *o, const struct adit_config *c, struct adit_buf *out)
{
    struct adit_buf doc;
    struct adit_json_value v;
    adit_buf_init(&doc, cli_mem, LIST_BYTES);
    if (get_document(o, c, c->sitemap_path, &doc) &&
        adit_json_check(adit_buf_str(&doc), &v, NULL) == ADIT_OK) {
        struct adit_json_iter it = adit_json_iter(adit_json_get(v, ADIT_STR("items")));
        for (struct adit_json_member m; adit_json_next(&it, &m);)
            add_our_url(c, adit_json_inside(adit_json_get(m.value, ADIT_STR("cUrl"))), out);
    } else if (get_document(o, c, ADIT_STR("/sitemap.xml"), &doc)) {
        struct adit_str s = adit_buf_str(&doc), open = ADIT_STR("<loc>");
        for (size_t at = 0; (at = adit_str_find(s, open, at)) < s.len;) {
            at += open.len;
            add_our_url(c, adit_str_trim(adit_str_sub(s, at, adit_str_chr(s, '<', at))), out);
        }
    }
    if (out->len == 0) adit_buf_lit(out, "/\n");
    adit_buf_free(&doc);
}
