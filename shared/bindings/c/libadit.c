/* libadit: the core behind one public header (adit.h), for programs in C and whatever can call C: the
 * shared library, the static one and libadit.wasm are made of this file and libadit_check.c. */
#include "bindings/c/libadit_impl.h"
#include "format/format.h"
#include "tct/tct.h"

#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAX = 256 << 20, ARENA_MAX = 64 << 20 };

_Static_assert(LIBADIT_PAGE_MAX == ADIT_LIMIT_page_bytes, "the limit of pages");
_Static_assert(LIBADIT_FINGERPRINT_Z == ADIT_TCT_HASH + 1, "the length of fingerprints");

/* --- memory ----------------------------------------------------------------------------------- */

static void *resize_libc(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}

/* Of a caller who has malloc and free, and no realloc. */
static void *resize_theirs(void *ctx, void *p, size_t old_len, size_t new_len)
{
    const struct libadit_options *o = ctx;
    void *made = new_len ? o->malloc_func(new_len) : NULL;
    if (new_len && !made) return NULL;
    if (p && made) memcpy(made, p, old_len < new_len ? old_len : new_len);
    if (p) o->free_func(p);
    return made;
}

struct libadit_converter *libadit_alloc_converter(void) { return libadit_alloc_converter_ex(NULL); }

struct libadit_converter *libadit_alloc_converter_ex(const struct libadit_options *options)
{
    struct libadit_options o = {.malloc_func = malloc, .free_func = free};
    bool theirs = options && options->sizeof_options >= sizeof o && options->malloc_func &&
                  options->free_func;
    if (theirs) o = *options;
    struct libadit_converter *c = o.malloc_func(sizeof *c);
    if (!c) return NULL;
    *c = (struct libadit_converter){.options = o, .error = ""};
    c->mem = theirs ? (struct adit_mem){resize_theirs, &c->options}
                    : (struct adit_mem){resize_libc, NULL};
    c->converter = adit_converter_new(c->mem);
    adit_arena_init(&c->arena, c->mem, ARENA_MAX);
    adit_buf_init(&c->url, c->mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&c->out, c->mem, OUTPUT_MAX);
    if (c->converter) return c;
    libadit_free_converter(c);
    return NULL;
}

void libadit_free_converter(struct libadit_converter *c)
{
    if (!c) return;
    adit_converter_free(c->converter);
    adit_arena_free(&c->arena);
    adit_buf_free(&c->url);
    adit_buf_free(&c->out);
    c->options.free_func(c);
}

/* --- errors ----------------------------------------------------------------------------------- */

enum libadit_result libadit_fail(struct libadit_converter *c, enum adit_code code,
                                 const char *message)
{
    static const enum libadit_result results[] = {
        [ADIT_OK] = LIBADIT_SUCCESS,       [ADIT_ENOMEM] = LIBADIT_NO_MEMORY,
        [ADIT_ELIMIT] = LIBADIT_TOO_LARGE, [ADIT_EBAD] = LIBADIT_BAD_INPUT,
        [ADIT_EEOF] = LIBADIT_BAD_INPUT,   [ADIT_EUNSUP] = LIBADIT_UNKNOWN,
        [ADIT_EIO] = LIBADIT_BAD_INPUT,    [ADIT_ESTOP] = LIBADIT_BAD_INPUT,
    };
    c->error = code == ADIT_OK ? "" : message ? message : adit_code_name(code);
    return results[code];
}

const char *libadit_error(const struct libadit_converter *c) { return c->error; }

/* --- converting ------------------------------------------------------------------------------- */

static void take_headers(struct libadit_converter *c, struct adit_str lines,
                         struct adit_page_source *source)
{
    struct adit_str line;
    while (adit_str_split(&lines, '\n', &line)) {
        size_t colon = adit_str_chr(line, ':', 0);
        struct adit_str name = adit_str_trim(adit_str_sub(line, 0, colon));
        struct adit_str value = adit_str_trim(adit_str_sub(line, colon + 1, line.len));
        if (name.len) adit_page_source_header(source, name, value, &c->arena);
    }
}

/* The caller's URL, or what the page states. */
static enum adit_code find_url(struct libadit_converter *c, const char *url, struct adit_str body,
                               struct adit_page_source *source)
{
    struct adit_str found = adit_str_z(url);
    adit_buf_clear(&c->url);
    if (!url) ADIT_TRY(adit_convert_own_url(c->converter, body, source, &found));
    adit_buf_add(&c->url, found);
    source->url = adit_buf_str(&c->url);
    return c->url.err;
}

enum libadit_result libadit_convert(struct libadit_converter *c, const void *html, size_t html_len,
                                    const struct libadit_source *given)
{
#define REFUSAL(name, text) "this is no HTML, but: " text,
    static const char *const refusals[ADIT_BINARY_COUNT] = {ADIT_BINARIES(REFUSAL)};
    struct libadit_source none = {0};
    struct adit_str body = adit_str_of(html, html_len);
    struct adit_error err = {0};
    const struct adit_page *page = NULL;
    c->page = NULL;
    adit_arena_reset(&c->arena);
    if (!given || given->sizeof_source < sizeof none) given = &none;
    struct adit_page_source source = {.date = adit_str_z(given->date),
                                      .language = adit_str_z(given->language),
                                      .whole = given->flags & LIBADIT_WHOLE,
                                      .rich = !(given->flags & LIBADIT_PLAIN)};
    if (html_len > LIBADIT_PAGE_MAX) return libadit_fail(c, ADIT_ELIMIT, "the page is too large");
    int binary = adit_binary(body);
    if (binary >= 0) {
        c->error = refusals[binary];
        return LIBADIT_NOT_HTML;
    }
    take_headers(c, adit_str_z(given->headers), &source);
    enum adit_code code = find_url(c, given->url, body, &source);
    if (!code && source.url.len)
        code = adit_convert(c->converter, body, &source, &page, &err);
    else if (!code)
        code = adit_fail(&err, ADIT_EBAD, "the page does not state its URL", 0);
    enum libadit_result result = libadit_fail(c, code, err.msg);
    if (code == ADIT_EBAD) return LIBADIT_BAD_URL;
    if (code) return result;
    if (!page || !page->n_blocks) {
        c->error = "the page has no content";
        return LIBADIT_NO_CONTENT;
    }
    c->page = page;
    return LIBADIT_SUCCESS;
}

/* --- what came of it -------------------------------------------------------------------------- */

static enum libadit_result no_page(struct libadit_converter *c)
{
    c->error = "no page was converted";
    return LIBADIT_NO_PAGE;
}

enum libadit_result libadit_write(struct libadit_converter *c, const char *name, unsigned flags,
                                  const char **bytes, size_t *len)
{
    const struct adit_format *format = adit_format_find(adit_str_z(name));
    *bytes = NULL, *len = 0;
    if (!c->page) return no_page(c);
    if (!format) return libadit_fail(c, ADIT_EUNSUP, "there is no such format");
    adit_buf_clear(&c->out);
    if ((flags & LIBADIT_FRONT_MATTER) && format == &adit_formats[ADIT_FORMAT_MD])
        adit_page_front_matter(c->page, &c->out);
    enum adit_code code = format->write(c->page, c->mem, &c->out);
    if (!code) code = c->out.err;
    if (!code) *bytes = c->out.p, *len = c->out.len;
    return libadit_fail(c, code, NULL);
}

const char *libadit_format(size_t i) { return i < ADIT_FORMATS ? adit_formats[i].name : NULL; }

const char *libadit_get(const struct libadit_converter *c, enum libadit_field field, size_t *len)
{
    static const size_t offsets[] = {
        [LIBADIT_URL] = offsetof(struct adit_page, url),
        [LIBADIT_TITLE] = offsetof(struct adit_page, title),
        [LIBADIT_DESCRIPTION] = offsetof(struct adit_page, description),
        [LIBADIT_AUTHOR] = offsetof(struct adit_page, author),
        [LIBADIT_PUBLISHED] = offsetof(struct adit_page, published),
        [LIBADIT_MODIFIED] = offsetof(struct adit_page, modified),
        [LIBADIT_LANGUAGE] = offsetof(struct adit_page, language),
        [LIBADIT_CANONICAL] = offsetof(struct adit_page, canonical),
        [LIBADIT_SITE_NAME] = offsetof(struct adit_page, site_name),
    };
    struct adit_str s = {0};
    if (c->page && field == LIBADIT_CHARSET)
        s = adit_str_z(c->page->charset.name);
    else if (c->page && (size_t)field < ADIT_COUNT(offsets))
        s = *(const struct adit_str *)(const void *)((const char *)c->page + offsets[field]);
    *len = s.len;
    return s.len ? s.p : "";
}

unsigned libadit_refusals(const struct libadit_converter *c)
{
    const struct adit_page *p = c->page;
    if (!p) return 0;
    return (p->noindex ? LIBADIT_NOINDEX : 0u) | (p->noarchive ? LIBADIT_NOARCHIVE : 0u) |
           (p->nofollow ? LIBADIT_NOFOLLOW : 0u) | (p->optout ? LIBADIT_OPTOUT : 0u);
}

/* --- fingerprints ----------------------------------------------------------------------------- */

static enum libadit_result give_hash(struct libadit_converter *c, enum adit_code code,
                                     const char *message, const char hash[ADIT_TCT_HASH], char *out)
{
    out[0] = '\0';
    if (!code) memcpy(out, hash, ADIT_TCT_HASH), out[ADIT_TCT_HASH] = '\0';
    return libadit_fail(c, code, message);
}

enum libadit_result libadit_fingerprint(struct libadit_converter *c,
                                        char fingerprint[LIBADIT_FINGERPRINT_Z])
{
    const struct adit_format_options options = {0};
    char hash[ADIT_TCT_HASH] = "";
    fingerprint[0] = '\0';
    if (!c->page) return no_page(c);
    adit_buf_clear(&c->out);
    enum adit_code code =
        adit_formats[ADIT_FORMAT_TCT].view(c->page, &options, c->mem, &c->out, hash);
    return give_hash(c, code ? code : c->out.err, NULL, hash, fingerprint);
}

enum libadit_result libadit_fingerprint_payload(struct libadit_converter *c, const void *json,
                                                size_t json_len,
                                                char fingerprint[LIBADIT_FINGERPRINT_Z])
{
    char hash[ADIT_TCT_HASH] = "";
    struct adit_error err = {0};
    enum adit_code code = adit_tct_method_a(adit_str_of(json, json_len), c->mem, hash, &err);
    return give_hash(c, code, err.msg, hash, fingerprint);
}

enum libadit_result libadit_fingerprint_text(struct libadit_converter *c, const void *text,
                                             size_t text_len,
                                             char fingerprint[LIBADIT_FINGERPRINT_Z])
{
    char hash[ADIT_TCT_HASH] = "";
    enum adit_code code = adit_tct_method_b(adit_str_of(text, text_len), c->mem, hash);
    return give_hash(c, code, NULL, hash, fingerprint);
}

/* --- versions --------------------------------------------------------------------------------- */

const char *libadit_version(void) { return ADIT_VERSION; }
const char *libadit_rules_version(void) { return ADIT_RULES_VERSION; }
