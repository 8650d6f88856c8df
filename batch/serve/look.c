/* What the inspector knows of one page: what the site answers for it and for its machine views, the
 * blocks, why each text stayed or went, and why there is no machine view, if there is none. */
#include "batch/serve/look_impl.h"
#include "codec/codec.h"
#include "format/format.h"
#include "json/json.h"
#include "page/page.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

enum { BODY_BYTES = 16 << 20, TEXT_BYTES = 4 * BODY_BYTES, OUT_BYTES = 64 << 20, LOOK_MS = 60000 };

/* An answer of the site, as its clients get it. */
struct answer {
    unsigned status; /* 0: none came */
    struct adit_headers headers;
    struct adit_arena arena;
    struct adit_buf path, body;
};

static void ask_site(struct look *l, struct adit_str path, const char *accept, struct answer *a)
{
    const struct adit_header fields[] = {
        {ADIT_STR("accept"), adit_str_z(accept)},
        {ADIT_STR("accept-encoding"), ADIT_STR("identity")},
    };
    struct origin_request q = {.method = ADIT_STR("GET"),
                               .authority = l->server->local,
                               .path = path,
                               .headers = fields,
                               .n_headers = ADIT_COUNT(fields),
                               .timeout_ms = LOOK_MS,
                               .whole = true};
    enum adit_fetch_failure why;
    char part[16384];
    ssize_t got = 0;
    adit_arena_init(&a->arena, cli_mem, 1 << 20);
    adit_buf_init(&a->path, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&a->body, cli_mem, BODY_BYTES);
    a->headers = (struct adit_headers){.arena = &a->arena};
    a->status = 0;
    adit_buf_add(&a->path, path);
    struct origin_reply *r = l->site->open(l->site, &q, &why);
    if (!r) return;
    for (size_t i = 0; i < r->headers.n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)r->headers.v[i].name.len, r->headers.v[i].name.p);
        char *copy = adit_arena_alloc(&a->arena, sizeof name);
        if (!copy) break;
        memcpy(copy, name, sizeof name);
        adit_headers_add(&a->headers, copy, r->headers.v[i].value);
    }
    while ((got = r->read(r, part, sizeof part)) > 0)
        adit_buf_add(&a->body, adit_str_of(part, (size_t)got));
    if (got == 0 && !a->body.err) a->status = r->status;
    r->close(r);
}

static void answer_free(struct answer *a)
{
    adit_arena_free(&a->arena);
    adit_buf_free(&a->path);
    adit_buf_free(&a->body);
}

/* --- the page --------------------------------------------------------------------------------- */

/* A page under way: what the site answers, and what it is converted with. */
struct looked {
    struct look *look;
    struct answer page;
    struct adit_page_source source;
    struct adit_buf url, text;
    struct adit_converter *converter;
    bool html;
};

static bool look_begin(struct looked *k, struct look *l, struct adit_str path)
{
    *k = (struct looked){.look = l};
    ask_site(l, path, "text/html, */*;q=0.5", &k->page);
    adit_buf_init(&k->url, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&k->text, cli_mem, TEXT_BYTES);
    adit_map_url(l->server->config, path, &k->url);
    k->source = (struct adit_page_source){
        .url = adit_buf_str(&k->url),
        .content_type =
            adit_header_get(k->page.headers.v, k->page.headers.n, ADIT_STR("content-type")),
        .last_modified =
            adit_header_get(k->page.headers.v, k->page.headers.n, ADIT_STR("last-modified")),
        .rich = true,
    };
    k->html = k->page.status && adit_media_is_html(k->source.content_type);
    k->converter = adit_converter_new(cli_mem);
    return k->converter != NULL;
}

static void look_end(struct looked *k)
{
    adit_converter_free(k->converter);
    answer_free(&k->page);
    adit_buf_free(&k->url);
    adit_buf_free(&k->text);
}

static void put_answer(struct adit_json_writer *w, const struct answer *a)
{
    struct adit_buf clean;
    adit_buf_init(&clean, cli_mem, TEXT_BYTES);
    adit_json_member_open(w, "headers", '[');
    for (size_t i = 0; i < a->headers.n; i++) {
        adit_json_open(w, '[');
        adit_json_string(w, a->headers.v[i].name);
        adit_buf_clear(&clean);
        adit_utf8_repair(a->headers.v[i].value, &clean);
        adit_json_string(w, adit_buf_str(&clean));
        adit_json_close(w, ']');
    }
    adit_json_close(w, ']');
    adit_buf_clear(&clean);
    adit_utf8_repair(adit_buf_str(&a->path), &clean);
    adit_json_member(w, "path", adit_buf_str(&clean));
    adit_json_member_uint(w, "status", a->status);
    adit_buf_free(&clean);
}

/* The machine view of a format: what the site answers there. The reason that a problem states is
 * copied to why. */
static void put_view(struct looked *k, struct adit_json_writer *w, const char *key,
                     const struct adit_format *format, struct adit_buf *why)
{
    const struct adit_config *c = k->look->server->config;
    struct adit_buf path, clean;
    struct answer a;
    if (!adit_map_offers(c, format)) return;
    adit_buf_init(&path, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&clean, cli_mem, TEXT_BYTES);
    adit_map_machine(c, format, adit_buf_str(&k->page.path), &path);
    ask_site(k->look, adit_buf_str(&path), "*/*", &a);
    adit_json_member_open(w, key, '{');
    adit_utf8_repair(adit_buf_str(&a.body), &clean);
    adit_json_member(w, "body", adit_buf_str(&clean));
    put_answer(w, &a);
    adit_json_close(w, '}');
    if (a.status != 200 && !why->len) {
        struct adit_str keys[] = {ADIT_STR("detail")};
        struct adit_json_value v[1];
        if (adit_json_pick(adit_buf_str(&a.body), keys, 1, v, NULL) == ADIT_OK)
            adit_json_unescape(adit_json_inside(v[0]), why);
        else if (a.status != 200)
            adit_buf_lit(why, "The server does not answer for it.");
    }
    answer_free(&a);
    adit_buf_free(&path);
    adit_buf_free(&clean);
}

/* What is known before anybody asks: the configuration, the answer for the page itself. */
static void find_reason(struct looked *k, struct adit_buf *why)
{
    struct adit_str path = adit_buf_str(&k->page.path);
    if (adit_map_excluded(k->look->server->config, path, cli_mem))
        adit_buf_lit(why, "The configuration leaves it out (exclude, homepage).");
    else if (!k->page.status)
        adit_buf_lit(why, "The server does not answer.");
    else if (k->page.status == 200 && !k->html) {
        adit_buf_lit(why, "It is no HTML, but ");
        adit_utf8_repair(k->source.content_type, why);
        adit_buf_byte(why, '.');
    }
}

/* Title and blocks. */
static void put_page(struct looked *k, struct adit_json_writer *w, struct adit_buf *why)
{
    const struct adit_page *page;
    struct adit_buf scp;
    if (!k->html ||
        adit_convert(k->converter, adit_buf_str(&k->page.body), &k->source, &page, NULL) != ADIT_OK)
        return;
    adit_buf_init(&scp, cli_mem, OUT_BYTES);
    if (adit_formats[ADIT_FORMAT_SCP].write(page, cli_mem, &scp) == ADIT_OK) {
        adit_json_key(w, "blocks");
        adit_json_raw(w, adit_str_trim(adit_buf_str(&scp)));
    }
    adit_json_member(w, "title", page->title);
    if (page->noindex && !why->len)
        adit_buf_lit(why, "The page asks machines not to list it (noindex).");
    adit_buf_free(&scp);
}

static void put_explanation(struct looked *k, struct adit_json_writer *w)
{
    struct adit_buf said;
    if (!k->html) return;
    adit_buf_init(&said, cli_mem, OUT_BYTES);
    if (adit_explain_json(k->converter, adit_buf_str(&k->page.body), &k->source, &said, NULL) ==
        ADIT_OK) {
        adit_json_key(w, "explain");
        adit_json_raw(w, adit_buf_str(&said));
    }
    adit_buf_free(&said);
}

static void look_page(struct look *l, struct adit_str path, struct own_page *out)
{
    struct looked k;
    struct adit_buf why;
    struct adit_str html = {0};
    struct adit_json_writer w = {.out = &out->body};
    adit_buf_init(&why, cli_mem, 4096);
    if (look_begin(&k, l, path)) {
        out->type = "application/json";
        adit_json_open(&w, '{');
        find_reason(&k, &why);
        put_page(&k, &w, &why);
        put_explanation(&k, &w);
        struct adit_str charset = adit_content_type_charset(k.source.content_type);
        adit_charset_decode(adit_buf_str(&k.page.body), charset, k.source.url, &k.text, &html,
                            NULL);
        adit_json_member(&w, "html", html);
        put_view(&k, &w, "json", &adit_formats[ADIT_FORMAT_TCT], &why);
        put_view(&k, &w, "markdown", &adit_formats[ADIT_FORMAT_MD], &why);
        put_answer(&w, &k.page);
        adit_json_key(&w, "site");
        adit_buf_clear(&k.url);
        adit_buf_lit(&k.url, "http://");
        adit_buf_add(&k.url, l->server->local);
        adit_json_string(&w, adit_buf_str(&k.url));
        adit_json_member(&w, "why", adit_buf_str(&why));
        adit_json_close(&w, '}');
    }
    look_end(&k);
    adit_buf_free(&why);
}

/* --- in a frame ------------------------------------------------------------------------------- */

/* Nothing runs in these, and nothing is loaded but from the site itself, as adit serves it. */
static void set_policy(const struct look *l, struct own_page *out)
{
    snprintf(out->policy, sizeof out->policy,
             "sandbox; default-src 'none'; img-src http://%.*s data:; style-src 'unsafe-inline' "
             "http://%.*s; font-src http://%.*s; base-uri http://%.*s; frame-ancestors 'self'",
             (int)l->server->local.len, l->server->local.p, (int)l->server->local.len,
             l->server->local.p, (int)l->server->local.len, l->server->local.p,
             (int)l->server->local.len, l->server->local.p);
    out->type = "text/html; charset=utf-8";
}

static void look_marked(struct look *l, struct adit_str path, struct own_page *out)
{
    struct looked k;
    struct adit_buf base;
    adit_buf_init(&base, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_lit(&base, "http://");
    adit_buf_add(&base, l->server->local);
    adit_buf_add(&base, path);
    set_policy(l, out);
    bool fine = look_begin(&k, l, path) && k.html &&
                adit_explain_html(k.converter, adit_buf_str(&k.page.body), &k.source,
                                  adit_buf_str(&base), &out->body, NULL) == ADIT_OK;
    if (!fine) {
        adit_buf_clear(&out->body);
        adit_buf_lit(&out->body, "<!doctype html><p>There is no HTML page to mark.");
    }
    look_end(&k);
    adit_buf_free(&base);
}

static void look_content(struct look *l, struct adit_str path, struct own_page *out)
{
    struct looked k;
    const struct adit_page *page;
    set_policy(l, out);
    bool fine =
        look_begin(&k, l, path) && k.html &&
        adit_convert(k.converter, adit_buf_str(&k.page.body), &k.source, &page, NULL) == ADIT_OK &&
        page->n_blocks;
    if (fine) {
        adit_buf_lit(&out->body,
                     "<!doctype html><meta name=\"color-scheme\" content=\"light dark\"><style>"
                     "body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:1.5rem auto;"
                     "padding:0 1rem}img,video{max-width:100%;height:auto}pre{overflow:auto}"
                     "table{border-collapse:collapse}td,th{border:1px solid #8886;padding:.2rem "
                     ".5rem}</style>");
        adit_formats[ADIT_FORMAT_HTML].write(page, cli_mem, &out->body);
    } else {
        adit_buf_lit(&out->body, "<!doctype html><p>There is no content to show.");
    }
    look_end(&k);
}

bool look_answer(struct look *l, struct adit_str name, struct own_page *out)
{
    static const struct {
        const char *prefix;
        void (*answer)(struct look *l, struct adit_str path, struct own_page *out);
    } rows[] = {{"page/", look_page}, {"marked/", look_marked}, {"content/", look_content}};
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str prefix = adit_str_z(rows[i].prefix);
        if (!adit_str_starts(name, prefix)) continue;
        out->status = 200;
        rows[i].answer(l, adit_str_sub(name, prefix.len - 1, name.len), out);
        return true;
    }
    return false;
}
