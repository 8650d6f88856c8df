/* Requests that go on to the origin: pages, which get a link to their machine view, and the JSON
 * sitemap. In any doubt the origin's bytes pass as they are. */
#include "exchange/exchange_impl.h"

#include "codec/codec.h"

enum { VIEW_MORE = 5 }; /* bytes of a machine URL besides page and suffix: "/", or "." and ".md" */

/* --- requests --------------------------------------------------------------------------------- */

/* Names of files that pages have; others with an extension are taken for downloads. */
static const char *const page_extensions[] = {"html", "htm", "xhtml", "xht", "shtml",
                                              "php",  "asp", "aspx",  "jsp", "cgi"};

/* A wrong guess costs a page its link, or a download its ranges. */
bool adit_pass_is_page_path(struct adit_str path)
{
    size_t slash = path.len;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    struct adit_str name = adit_str_sub(path, slash, path.len), ext;
    size_t dot = name.len;
    while (dot > 0 && name.p[dot - 1] != '.') dot--;
    if (dot == 0) return true;
    ext = adit_str_sub(name, dot, name.len);
    for (size_t i = 0; i < ADIT_COUNT(page_extensions); i++)
        if (adit_str_ieq(ext, adit_str_z(page_extensions[i]))) return true;
    return ext.len == 0 || ext.len > 5;
}

/* Why there can be no machine view of the path. Where another adit stands in front, the link is its
 * to write. */
static enum adit_reason doubt_request(const struct adit_exchange_impl *x)
{
    const struct adit_config *c = x->edge->config;
    if (!x->get && !x->head) return ADIT_REASON_METHOD;
    if (x->hops > 0) return ADIT_REASON_LOOP;
    if (x->query.len && c->query == ADIT_QUERY_REFUSE) return ADIT_REASON_QUERY;
    if (!adit_route_is_plain(x->path) ||
        x->path.len + x->query.len + c->suffix.len + VIEW_MORE > ADIT_LIMIT_url_bytes)
        return ADIT_REASON_NOT_MAPPED;
    return adit_map_excluded(c, x->path, x->edge->mem) ? ADIT_REASON_EXCLUDED : ADIT_REASON_NONE;
}

bool adit_pass_takes_page(struct adit_exchange_impl *x)
{
    x->c_path = x->path;
    x->page_doubt = doubt_request(x);
    return !x->page_doubt;
}

enum adit_action adit_pass_page(struct adit_exchange_impl *x, const struct adit_request *r)
{
    (void)r;
    if (adit_pass_is_page_path(x->path)) {
        x->negotiable = adit_negotiate_offers(x->edge->config);
        /* A part of the original is no part of what we send; a coded body cannot be written into.
         */
        struct adit_edits *e = &x->pub.request_edits;
        adit_exchange_remove_field(x, e, "range", x->has_range);
        adit_exchange_remove_field(x, e, "if-range", x->has_if_range);
        adit_exchange_edit(x, e, ADIT_EDIT_SET, "accept-encoding", ADIT_STR("identity"));
    }
    return adit_exchange_pass(x, false);
}

/* Documents that static hosts have no type for, or none that says enough. A feed.xml may as well be
 * RSS: it keeps the type that the origin gives it. */
static const struct adit_document {
    const char *glob, *type;
    bool sure; /* else the type is given only where the origin has none of its own */
} documents[] = {
    {"*/.well-known/resourcesync", "application/xml", true},
    {"*/resourcesync/*.xml", "application/xml", true},
    {"*/feed.xml", "application/atom+xml", false},
    {"*.atom", "application/atom+xml", false},
};

bool adit_pass_takes_document(struct adit_exchange_impl *x)
{
    for (size_t i = 0; i < ADIT_COUNT(documents) && (x->get || x->head); i++) {
        if (!adit_glob(adit_str_z(documents[i].glob), x->path)) continue;
        x->document = &documents[i];
        return true;
    }
    return false;
}

enum adit_action adit_pass_document(struct adit_exchange_impl *x, const struct adit_request *r)
{
    (void)r;
    return adit_exchange_pass(x, false);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void edit(struct adit_exchange_impl *x, enum adit_edit_op op, const char *name,
                 struct adit_str value)
{
    adit_exchange_edit(x, &x->pub.response_edits, op, name, value);
}

/* The machine views of a page, their URLs in the order of adit_formats; empty ones are not offered.
 */
struct alternates {
    struct adit_str url[ADIT_FORMATS];
    bool fine; /* there was memory for all of them */
};

static struct alternates alternates_of(struct adit_exchange_impl *x)
{
    struct alternates a = {.fine = true};
    for (size_t i = 0; i < ADIT_FORMATS; i++) {
        if (!adit_map_offers(x->edge->config, &adit_formats[i])) continue;
        a.url[i] = adit_exchange_machine_url(x, &adit_formats[i]);
        a.fine = a.fine && a.url[i].len > 0;
    }
    return a;
}

/* Link fields: to the machine views (a may be NULL), the sitemap and the policy. */
static void add_links(struct adit_exchange_impl *x, const struct alternates *a)
{
    struct adit_headers links = {.arena = &x->arena};
    for (size_t i = 0; a && i < ADIT_FORMATS; i++)
        if (a->url[i].len) adit_answer_alternate(x, &links, &adit_formats[i], a->url[i]);
    adit_answer_index_links(x, &links);
    for (size_t i = 0; i < links.n; i++) edit(x, ADIT_EDIT_ADD, "link", links.v[i].value);
}

/* What is true of the original's bytes only. */
static const char *const bound_to_bytes[] = {"content-length", "content-md5", "digest",
                                             "content-digest", "repr-digest", "accept-ranges"};

static void unbind(struct adit_exchange_impl *x, const struct adit_header *h, size_t n)
{
    struct adit_str etag = adit_header_get(h, n, ADIT_STR("etag"));
    for (size_t i = 0; i < ADIT_COUNT(bound_to_bytes); i++)
        adit_exchange_remove_field(x, &x->pub.response_edits, bound_to_bytes[i],
                                   adit_header_has(h, n, adit_str_z(bound_to_bytes[i])));
    if (etag.len == 0 || adit_str_starts(etag, ADIT_STR("W/"))) return;
    struct adit_buf weak;
    adit_buf_init(&weak, x->edge->mem, ADIT_LIMIT_header_value);
    adit_buf_lit(&weak, "W/");
    adit_buf_add(&weak, etag);
    if (weak.err)
        edit(x, ADIT_EDIT_REMOVE, "etag", (struct adit_str){0});
    else
        edit(x, ADIT_EDIT_SET, "etag", adit_buf_str(&weak));
    adit_buf_free(&weak);
}

/* What a page's own fields say against a link; one walk over them. */
static enum adit_reason doubt_fields(const struct adit_header *h, size_t n)
{
    enum adit_reason reason = ADIT_REASON_NONE;
    for (size_t i = 0; i < n; i++) {
        const struct adit_str name = h[i].name;
        if ((name.len == 9 && adit_str_ieq(name, ADIT_STR("signature"))) ||
            (name.len == 15 && adit_str_ieq(name, ADIT_STR("signature-input"))))
            return ADIT_REASON_SIGNED;
        if (name.len == 12 && adit_str_ieq(name, ADIT_STR("x-robots-tag")) &&
            adit_robots_noindex(h[i].value))
            reason = ADIT_REASON_NOINDEX;
    }
    return reason;
}

/* What the request and the answer tell of a person: a page of that person's own has no link. A cookie
 * alone says nothing: most visitors have one, and their answers are everybody's. */
static bool is_personal(const struct adit_exchange_impl *x, struct adit_str cc,
                        struct adit_str vary)
{
    return x->has_authorization || (x->has_cookie && adit_is_private(cc, vary));
}

static bool is_too_large(const struct adit_exchange_impl *x, const struct adit_header *h, size_t n)
{
    uint64_t len;
    return adit_str_u64(adit_header_get(h, n, ADIT_STR("content-length")), &len) &&
           len > x->html.max;
}

/* Why the page gets no link; NONE: it does. */
static enum adit_reason doubt_answer(struct adit_exchange_impl *x, unsigned status,
                                     const struct adit_header *h, size_t n, struct adit_str vary)
{
    bool ok = true;
    if (status != 200) return ADIT_REASON_STATUS;
    if (!adit_media_is_html(adit_header_get(h, n, ADIT_STR("content-type"))))
        return ADIT_REASON_NOT_HTML;
    struct adit_str cc = adit_header_all(h, n, ADIT_STR("cache-control"), &x->arena, &ok);
    if (!ok) return ADIT_REASON_NO_MEMORY;
    if (is_personal(x, cc, vary)) return ADIT_REASON_CREDENTIALS;
    if (adit_list_has(cc, ADIT_STR("no-transform"), NULL)) return ADIT_REASON_NO_TRANSFORM;
    enum adit_reason reason = doubt_fields(h, n);
    if (reason) return reason;
    if (adit_exchange_is_viewless(x)) return ADIT_REASON_NO_VIEW;
    return is_too_large(x, h, n) ? ADIT_REASON_TOO_LARGE : ADIT_REASON_NONE;
}

/* Caches must know that the same URL has another answer (RFC 9110, 12.5.5; CONTRACT 6: on every page
 * that could have been asked for as Markdown, linked or not). */
static void add_vary(struct adit_exchange_impl *x, struct adit_str vary)
{
    static const char *const by[] = {"Accept", "User-Agent"};
    size_t n = x->edge->config->agents.n ? 2 : 1;
    struct adit_str more = vary;
    if (adit_list_has(vary, ADIT_STR("*"), NULL)) return;
    for (size_t i = 0; i < n; i++)
        if (!adit_list_has(vary, adit_str_z(by[i]), NULL))
            more = adit_exchange_append(x, more, adit_str_z(by[i]));
    if (!adit_str_eq(more, vary)) edit(x, ADIT_EDIT_SET, "vary", more);
}

/* Prepares the body's way through the injection; false without memory. */
static bool begin_injection(struct adit_exchange_impl *x, const struct alternates *a,
                            struct adit_str content_type)
{
    char space[1024];
    struct adit_buf link = {.p = space, .cap = sizeof space, .max = sizeof space};
    size_t len = 0;
    for (size_t i = 0; i < ADIT_FORMATS; i++) len += 6 * a->url[i].len + 80;
    bool is_short = len <= sizeof space;
    if (!is_short) adit_buf_init(&link, x->edge->mem, (size_t)ADIT_FORMATS * ADIT_URL_ROOM);
    for (size_t i = 0; i < ADIT_FORMATS; i++)
        if (a->url[i].len)
            adit_inject_link(&link, adit_media_type(adit_str_z(adit_formats[i].media_type)),
                             a->url[i]);
    struct adit_str copy = {0};
    if (!link.err) copy = adit_exchange_dup(x, adit_buf_str(&link));
    if (!is_short) adit_buf_free(&link);
    if (copy.len == 0) return false;
    adit_inject_init(&x->inject, copy,
                     adit_exchange_dup(x, adit_content_type_charset(content_type)),
                     adit_buf_sink_init(&x->injected, NULL));
    return true;
}

/* The page gets its links: in a header field, and in the HTML where that can be written into. */
static void link_page(struct adit_exchange_impl *x, const struct adit_header *h, size_t n)
{
    adit_exchange_count(x, ADIT_COUNTER_linked, 1);
    bool ok = true;
    struct adit_str coding = adit_header_all(h, n, ADIT_STR("content-encoding"), &x->arena, &ok);
    struct adit_str type = adit_header_get(h, n, ADIT_STR("content-type"));
    struct alternates a = alternates_of(x);
    bool plain = ok && (coding.len == 0 || adit_str_ieq(coding, ADIT_STR("identity")));
    if (!plain) adit_exchange_note(x, ADIT_REASON_CODED);
    x->pub.inject = plain && x->get && a.fine && begin_injection(x, &a, type);
    if (x->pub.inject) adit_exchange_count(x, ADIT_COUNTER_injected, 1);
    if (x->pub.inject || (plain && x->head)) unbind(x, h, n);
    add_links(x, &a);
    adit_answer_signal_edits(x, h, n);
}

void adit_pass_page_response(struct adit_exchange_impl *x, unsigned status,
                             const struct adit_header *h, size_t n)
{
    bool ok = true;
    struct adit_str vary = adit_header_all(h, n, ADIT_STR("vary"), &x->arena, &ok);
    enum adit_reason asked = x->pub.reason; /* why Markdown that was asked for is not sent */
    enum adit_reason reason = ok ? doubt_answer(x, status, h, n, vary) : ADIT_REASON_NO_MEMORY;
    if (reason) {
        adit_exchange_note(x, reason);
        adit_exchange_count(x, ADIT_COUNTER_passed, 1);
    } else {
        link_page(x, h, n);
    }
    if (asked) x->pub.reason = asked;
    if (ok && x->negotiable && (status == 200 || status == 304)) add_vary(x, vary);
}

/* The page's bytes, and the link among them. Should the injection fail, they pass as they are. */
void adit_exchange_inject(struct adit_exchange *pub, struct adit_str chunk, struct adit_buf *out)
{
    struct adit_exchange_impl *x = (struct adit_exchange_impl *)pub;
    adit_buf_clear(out);
    x->injected.buf = out;
    adit_sink_write(&x->inject.sink, chunk);
    x->pub.inject_held = x->inject.n_held > 0;
    x->pub.inject_more = !x->inject.done;
}

void adit_exchange_inject_end(struct adit_exchange *pub, struct adit_buf *out)
{
    struct adit_exchange_impl *x = (struct adit_exchange_impl *)pub;
    adit_buf_clear(out);
    x->injected.buf = out;
    adit_sink_end(&x->inject.sink);
    x->pub.inject_held = x->pub.inject_more = false;
}

void adit_pass_sitemap_response(struct adit_exchange_impl *x, unsigned status,
                                const struct adit_header *h, size_t n)
{
    const struct adit_tct_profile *p = &adit_tct_profiles[x->edge->config->tct_profile];
    if (status != 200 && status != 304) return;
    if (adit_media_is_html(adit_header_get(h, n, ADIT_STR("content-type"))))
        return; /* "no such page", with the wrong status */
    if (status == 200) edit(x, ADIT_EDIT_SET, "content-type", adit_str_z(p->media_type));
    if (!adit_header_has(h, n, ADIT_STR("cache-control")))
        edit(x, ADIT_EDIT_SET, "cache-control", x->edge->config->cache_control);
    if (!adit_list_has(adit_header_joined(h, n, ADIT_STR("vary"), &x->arena),
                       ADIT_STR("accept-encoding"), NULL))
        edit(x, ADIT_EDIT_ADD, "vary", ADIT_STR("Accept-Encoding"));
    add_links(x, NULL);
}

/* Whether the type says no more than that it is bytes, or text. */
static bool is_vague(struct adit_str type)
{
    return type.len == 0 || adit_str_ieq(type, ADIT_STR("application/octet-stream")) ||
           adit_str_ieq(type, ADIT_STR("binary/octet-stream")) ||
           adit_str_ieq(type, ADIT_STR("text/plain"));
}

void adit_pass_document_response(struct adit_exchange_impl *x, unsigned status,
                                 const struct adit_header *h, size_t n)
{
    struct adit_str type = adit_header_get(h, n, ADIT_STR("content-type"));
    bool ours = x->document->sure || (status != 304 && is_vague(adit_media_type(type)));
    if (!ours || (status != 200 && status != 206 && status != 304)) return;
    if (adit_media_is_html(type)) return; /* "no such page", with the wrong status */
    if (status != 304) edit(x, ADIT_EDIT_SET, "content-type", adit_str_z(x->document->type));
    if (!adit_header_has(h, n, ADIT_STR("cache-control")))
        edit(x, ADIT_EDIT_SET, "cache-control", x->edge->config->cache_control);
}
