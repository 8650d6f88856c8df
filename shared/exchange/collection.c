/* SCP files: header fields from the manifest, conditions decided before the body is touched. */
#include "exchange/exchange_impl.h"

#include "http/http.h"

#include <string.h>

enum { RETRY_S = 10 }; /* before a manifest that could not be read is asked for again */

bool adit_collection_takes(struct adit_exchange_impl *x)
{
    struct adit_str manifest = x->edge->config->scp_manifest;
    size_t slash = manifest.len;
    while (slash > 0 && manifest.p[slash - 1] != '/') slash--;
    return (x->get || x->head) && adit_scp_path(x->path) &&
           adit_str_starts(x->path, adit_str_sub(manifest, 0, slash)) &&
           adit_str_chr(x->path, '/', slash) == x->path.len;
}

static struct adit_scp_file *copy_file(struct adit_exchange_impl *x, const struct adit_scp_file *f)
{
    struct adit_scp_file *copy = adit_arena_alloc(&x->arena, sizeof *copy);
    if (!copy) return NULL;
    bool ok = true;
    *copy = *f;
    struct adit_str *s[] = {&copy->path, &copy->etag, &copy->last_modified, &copy->cache_control,
                            &copy->content_encoding};
    for (size_t i = 0; i < ADIT_COUNT(s); i++) *s[i] = adit_arena_dup(&x->arena, *s[i], &ok);
    return ok ? copy : NULL;
}

static enum adit_action not_modified(struct adit_exchange_impl *x, const struct adit_scp_file *f)
{
    struct adit_headers *h = &x->pub.answer.headers;
    x->state = ADIT_ST_DONE;
    x->pub.answer.status = 304;
    adit_headers_add(h, "etag", f->etag);
    adit_headers_add(h, "last-modified", f->last_modified);
    adit_headers_add(h, "cache-control", f->cache_control);
    adit_exchange_count(x, ADIT_COUNTER_collections_304, 1);
    return ADIT_ANSWER;
}

/* The manifest is as fresh as it gets. */
static enum adit_action decide(struct adit_exchange_impl *x)
{
    const struct adit_manifest *m = x->edge->manifest;
    const struct adit_scp_file *f = m ? adit_manifest_find(m, x->path) : NULL;
    x->file = f ? copy_file(x, f) : NULL;
    if (!x->file) return adit_exchange_pass(x, true);
    f = x->file;
    if (f->etag.len && adit_answer_precluded(x, f->etag))
        return adit_answer_problem(x, ADIT_REASON_CONDITION);
    if (f->etag.len && adit_answer_unchanged(x, f->etag, f->last_modified))
        return not_modified(x, f);
    /* The origin knows neither our ETag nor our date: conditions end here. */
    struct adit_edits *e = &x->pub.request_edits;
    if (f->etag.len) {
        adit_exchange_remove_field(x, e, "if-match", x->has_if_match);
        adit_exchange_remove_field(x, e, "if-none-match", x->has_if_none_match);
        adit_exchange_remove_field(x, e, "if-modified-since", x->has_if_modified_since);
        adit_exchange_remove_field(x, e, "if-range", x->has_if_range);
        bool other = x->has_if_range && !adit_if_range(x->if_range, f->etag);
        adit_exchange_remove_field(x, e, "range", other && x->has_range);
    }
    adit_exchange_edit(x, e, ADIT_EDIT_SET, "accept-encoding", ADIT_STR("identity"));
    return adit_exchange_pass(x, false);
}

enum adit_action adit_collection_start(struct adit_exchange_impl *x, const struct adit_request *r)
{
    (void)r;
    struct adit_edge *e = x->edge;
    adit_exchange_count(x, ADIT_COUNTER_collections, 1);
    int64_t age = x->now - e->manifest_time;
    if (e->manifest_time && age >= 0 && age < (int64_t)e->config->scp_refresh_s) return decide(x);
    e->manifest_time = x->now - (int64_t)e->config->scp_refresh_s + RETRY_S;
    adit_exchange_ask(x, e->config->scp_manifest, "application/json", ADIT_MANIFEST_BYTES);
    x->html.max = ADIT_MANIFEST_BYTES;
    x->state = ADIT_ST_FETCH;
    return ADIT_FETCH;
}

/* The manifest is of no use: the old one is better than none. */
enum adit_action adit_collection_give_up(struct adit_exchange_impl *x, enum adit_reason reason)
{
    (void)reason;
    adit_body_free(x);
    return decide(x);
}

enum adit_action adit_collection_fetched(struct adit_exchange_impl *x, unsigned status,
                                         const struct adit_header *h, size_t n)
{
    enum adit_reason reason = status == 200 ? adit_body_begin(x, h, n) : ADIT_REASON_STATUS;
    return reason ? adit_collection_give_up(x, reason) : ADIT_BODY;
}

enum adit_action adit_collection_end(struct adit_exchange_impl *x)
{
    struct adit_edge *e = x->edge;
    struct adit_manifest *m = e->host.resize(e->host.ctx, NULL, 0, sizeof *m), *old = e->manifest;
    struct adit_error err;
    if (!m) return adit_collection_give_up(x, ADIT_REASON_NO_MEMORY);
    enum adit_code code =
        adit_manifest_parse(m, adit_buf_str(&x->html), e->config->scp_manifest, e->host, &err);
    if (code == ADIT_OK) {
        e->manifest = m;
        e->manifest_time = x->now;
        m = old;
    }
    if (m) {
        adit_manifest_free(m);
        e->host.resize(e->host.ctx, m, sizeof *m, 0);
    }
    adit_body_free(x);
    return decide(x);
}

/* Whether what the origin sends is the file that the manifest speaks of. */
static bool is_listed(struct adit_exchange_impl *x, unsigned status, const struct adit_header *h,
                      size_t n)
{
    bool ok = true;
    struct adit_str coding = adit_header_all(h, n, ADIT_STR("content-encoding"), &x->arena, &ok);
    struct adit_str size = adit_header_get(h, n, ADIT_STR("content-length"));
    uint64_t v;
    if (!ok || (coding.len && !adit_str_ieq(coding, x->file->content_encoding))) return false;
    if (status == 206) {
        struct adit_str range = adit_header_get(h, n, ADIT_STR("content-range"));
        size = adit_str_sub(range, adit_str_chr(range, '/', 0) + 1, range.len);
    }
    return (status == 200 || status == 206) &&
           (size.len == 0 || (adit_str_u64(size, &v) && v == x->file->size));
}

void adit_collection_response(struct adit_exchange_impl *x, unsigned status,
                              const struct adit_header *h, size_t n)
{
    const struct adit_scp_file *f = x->file;
    struct adit_edits *e = &x->pub.response_edits;
    if (!is_listed(x, status, h, n)) return;
    adit_exchange_edit(x, e, ADIT_EDIT_SET, "content-type", ADIT_STR("application/scp"));
    if (f->content_encoding.len)
        adit_exchange_edit(x, e, ADIT_EDIT_SET, "content-encoding", f->content_encoding);
    if (f->etag.len) adit_exchange_edit(x, e, ADIT_EDIT_SET, "etag", f->etag);
    adit_exchange_edit(x, e, ADIT_EDIT_SET, "last-modified", f->last_modified);
    adit_exchange_edit(x, e, ADIT_EDIT_SET, "cache-control", f->cache_control);
    adit_answer_signal_edits(x, h, n);
}
