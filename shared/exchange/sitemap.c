/* The JSON sitemap. It is a file of the origin's, written by `adit pack` some time ago; what this edge
 * has learned since the file's Last-Modified it says: a page whose view has another fingerprint gets
 * that one, a page that is gone is left out. An edge that knows nothing, a sitemap without a date (one
 * that is made at the moment), and one that is too large to be held pass as they are, unless the
 * profile asks for answers that no file server gives. */
#include "exchange/exchange_impl.h"

#include "tct/tct.h"

#include <string.h>

/* --- what is known of pages ------------------------------------------------------------------- */

/* A path is kept as a hash that nobody can find another path for: else a request for a page that is
 * not there could take another one off the list. */
static void name_page(struct adit_known_page *p, struct adit_str path)
{
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_of(path, sha);
    memcpy(p->path, sha, sizeof p->path);
}

static struct adit_known_page *slot_of(const struct adit_edge *e, const struct adit_known_page *p)
{
    uint32_t at;
    memcpy(&at, p->path, sizeof at);
    return &e->known[at % ADIT_KNOWN_SLOTS];
}

void adit_edge_learn(struct adit_edge *e, const struct adit_known_page *p)
{
    size_t len = ADIT_KNOWN_SLOTS * sizeof *e->known;
    if (!e->known) {
        e->known = e->host.resize(e->host.ctx, NULL, 0, len);
        if (!e->known) return; /* the sitemap stays as it is written */
        memset(e->known, 0, len);
    }
    *slot_of(e, p) = *p;
}

void adit_sitemap_learn(struct adit_exchange_impl *x, struct adit_str etag, bool gone)
{
    struct adit_known_page p = {.at = x->now, .gone = gone, .known = true};
    if (x->format != &adit_formats[ADIT_FORMAT_TCT]) return;
    name_page(&p, x->pub.fetch.path);
    /* "sha256-…" in quotes */
    if (!gone && !adit_hex_decode(adit_str_sub(etag, 8, etag.len - 1), p.sha, sizeof p.sha)) return;
    const struct adit_known_page *before = x->edge->known ? slot_of(x->edge, &p) : NULL;
    if (before && before->known && before->gone == gone &&
        memcmp(before->path, p.path, sizeof p.path) == 0 &&
        memcmp(before->sha, p.sha, sizeof p.sha) == 0)
        return; /* nothing new */
    adit_edge_learn(x->edge, &p);
    x->pub.learned = p;
}

static const struct adit_known_page *find_page(const struct adit_edge *e, struct adit_str path)
{
    struct adit_known_page p = {0};
    name_page(&p, path);
    const struct adit_known_page *at = slot_of(e, &p);
    return at->known && memcmp(at->path, p.path, sizeof p.path) == 0 ? at : NULL;
}

/* What is known of a page since the file was written. */
struct since {
    struct adit_exchange_impl *x;
    int64_t written;
};

static struct adit_tct_news news_of(void *ctx, struct adit_str c_url)
{
    const struct since *s = ctx;
    struct adit_str path;
    bool ours = adit_map_our_url(s->x->edge->config, c_url, &path);
    const struct adit_known_page *p = ours ? find_page(s->x->edge, path) : NULL;
    if (!p || p->at <= s->written) return (struct adit_tct_news){0};
    return (struct adit_tct_news){.gone = p->gone, .sha = p->sha};
}

/* --- the route -------------------------------------------------------------------------------- */

static bool is_twin(const struct adit_exchange_impl *x)
{
    return adit_str_eq(x->path, ADIT_STR(ADIT_WELL_KNOWN ADIT_TCT_SITEMAP));
}

/* "/llm-sitemap.json" and its parts "/llm-sitemap-0001.json". */
static bool is_part(const struct adit_exchange_impl *x)
{
    struct adit_str path = x->edge->config->sitemap_path;
    if (adit_str_eq(x->path, path)) return true;
    struct adit_str ext = ADIT_STR(".json"), stem = path;
    if (adit_str_ends(path, ext)) stem.len -= ext.len;
    if (!adit_str_starts(x->path, stem) || !adit_str_ends(x->path, ext)) return false;
    struct adit_str number = adit_str_sub(x->path, stem.len, x->path.len - ext.len);
    uint64_t n;
    return number.len == 5 && number.p[0] == '-' && adit_str_u64(adit_str_sub(number, 1, 5), &n);
}

bool adit_sitemap_takes(struct adit_exchange_impl *x)
{
    x->is_sitemap = (x->get || x->head) && (is_twin(x) || is_part(x));
    return x->is_sitemap;
}

static enum adit_action pass_on(struct adit_exchange_impl *x)
{
    if (is_twin(x))
        adit_exchange_edit(x, &x->pub.request_edits, ADIT_EDIT_PATH, "",
                           x->edge->config->sitemap_path);
    return adit_exchange_pass(x, false);
}

enum adit_action adit_sitemap_start(struct adit_exchange_impl *x, const struct adit_request *r)
{
    const struct adit_config *c = x->edge->config;
    bool strict = adit_tct_profiles[c->tct_profile].no_transform;
    if (adit_route_wants_https(x)) return adit_route_to_https(x);
    if (strict && !adit_route_takes_plain(x, r))
        return adit_answer_problem(x, ADIT_REASON_ENCODING);
    if ((!x->edge->known && !strict) || x->hops > 0) return pass_on(x);
    x->html.max = adit_budget_page_max(x->edge);
    adit_exchange_ask(x, is_twin(x) ? c->sitemap_path : x->path, "application/json", x->html.max);
    x->state = ADIT_ST_FETCH;
    return ADIT_FETCH;
}

enum adit_action adit_sitemap_give_up(struct adit_exchange_impl *x, enum adit_reason reason)
{
    adit_body_free(x);
    adit_view_release(x->view, x->edge->mem);
    x->view = NULL;
    adit_exchange_note(x, reason);
    return pass_on(x);
}

enum adit_action adit_sitemap_fetched(struct adit_exchange_impl *x, unsigned status,
                                      const struct adit_header *h, size_t n)
{
    bool ok = true;
    struct adit_str cc = adit_header_all(h, n, ADIT_STR("cache-control"), &x->arena, &ok);
    struct adit_str type = adit_header_get(h, n, ADIT_STR("content-type"));
    if (status != 200) return adit_sitemap_give_up(x, ADIT_REASON_STATUS);
    if (adit_media_is_html(type)) return adit_sitemap_give_up(x, ADIT_REASON_NOT_HTML);
    if (ok) x->view = adit_view_new(x->edge->mem, x->html.max + 1);
    if (!x->view) return adit_sitemap_give_up(x, ADIT_REASON_NO_MEMORY);
    x->view->cache_control = adit_arena_dup(&x->view->arena, cc, &ok);
    x->view->last_modified =
        adit_arena_dup(&x->view->arena, adit_header_get(h, n, ADIT_STR("last-modified")), &ok);
    enum adit_reason reason = ok ? adit_body_begin(x, h, n) : ADIT_REASON_NO_MEMORY;
    return reason ? adit_sitemap_give_up(x, reason) : ADIT_BODY;
}

enum adit_action adit_sitemap_end(struct adit_exchange_impl *x)
{
    struct adit_str text = adit_buf_str(&x->html);
    struct adit_view *v = x->view;
    struct since since = {.x = x};
    bool anew = x->edge->known && adit_http_date_parse(v->last_modified, &since.written) &&
                adit_tct_sitemap_renew(text, news_of, &since, &v->body);
    if (!anew) adit_buf_add(&v->body, text);
    /* The file's date is not that of what was told anew. */
    if (anew && !adit_str_eq(text, adit_buf_str(&v->body))) v->last_modified.len = 0;
    v->content_type = adit_str_z(adit_tct_profiles[x->edge->config->tct_profile].media_type);
    if (!adit_view_hash(v)) return adit_sitemap_give_up(x, ADIT_REASON_NO_MEMORY);
    adit_body_free(x);
    return adit_answer_view(x, v);
}
