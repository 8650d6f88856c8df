/* One page, many ways: whole, in pieces of two patterns, through every content coding, as JSON and
 * as Markdown, and by the converter alone: the same answer, byte for byte.
 *
 * What is before the last two bytes of the input is the body; the first of them decides the pieces.
 * The second is ASCII for a page (so that a case is one), else names the coding that the body is
 * in, or is said to be in. */
#include "format/format.h"
#include "exchange/exchange.h"
#include "tests/fuzz.h"

#include <zlib.h>
#include <zstd.h>

enum { OUT_MAX = 64 << 20 };

/* --- codings ---------------------------------------------------------------------------------- */

static void pack_zlib(struct adit_str body, int window_bits, struct adit_buf *out)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)body.p, .avail_in = (unsigned)body.len};
    MUST(deflateInit2(&z, 1, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    size_t max = deflateBound(&z, body.len);
    if (adit_buf_reserve(out, max)) {
        z.next_out = (unsigned char *)out->p, z.avail_out = (unsigned)max;
        MUST(deflate(&z, Z_FINISH) == Z_STREAM_END);
        out->len = z.total_out;
    }
    deflateEnd(&z);
}
static void pack_gzip(struct adit_str body, struct adit_buf *out) { pack_zlib(body, 31, out); }
static void pack_deflate(struct adit_str body, struct adit_buf *out) { pack_zlib(body, 15, out); }
static void pack_zstd(struct adit_str body, struct adit_buf *out)
{
    size_t max = ZSTD_compressBound(body.len);
    if (!adit_buf_reserve(out, max)) return;
    out->len = ZSTD_compress(out->p, max, body.p, body.len, 1);
    MUST(!ZSTD_isError(out->len));
}

static const struct {
    const char *name;
    void (*pack)(struct adit_str body, struct adit_buf *out);
} codings[] = {{"gzip", pack_gzip}, {"deflate", pack_deflate}, {"zstd", pack_zstd}};

/* --- one exchange ----------------------------------------------------------------------------- */

/* Pieces of lengths that a seed decides, few bytes mostly; seed 0: the whole. Each is a copy, so
 * that reading beyond its end, or after the call, is seen. */
static enum adit_action send(struct adit_exchange *x, struct adit_str body, uint32_t seed)
{
    enum adit_action a = ADIT_BODY;
    for (size_t at = 0; a == ADIT_BODY && at < body.len;) {
        size_t len = body.len - at;
        if (seed) {
            static const uint32_t most[] = {3, 17, 997, 20000};
            seed = seed * 1664525u + 1013904223u;
            uint32_t want = (seed >> 16) % most[seed >> 8 & 3];
            if (want < len) len = want;
        }
        char *copy = malloc(len ? len : 1);
        MUST(copy);
        memcpy(copy, body.p + at, len);
        a = adit_exchange_fetched_body(x, adit_str_of(copy, len));
        free(copy);
        at += len;
    }
    return a == ADIT_BODY ? adit_exchange_fetched_end(x) : a;
}

/* The status; the answer's body and ETag are in out. 0: there was no memory. */
static unsigned ask(struct adit_edge *e, const char *path, struct adit_str body, const char *coding,
                    uint32_t seed, struct adit_buf *out)
{
    struct adit_request request = {.method = ADIT_STR("GET"),
                                   .path = adit_str_z(path),
                                   .authority = ADIT_STR("example.com"),
                                   .client = ADIT_STR("192.0.2.1"),
                                   .now = 1794873600};
    const struct adit_header fields[] = {{ADIT_STR("content-type"), ADIT_STR("text/html")},
                                         {ADIT_STR("content-encoding"), adit_str_z(coding)}};
    struct adit_exchange *x = adit_exchange_new(e, NULL);
    adit_buf_clear(out);
    if (!fuzz_fine(x ? ADIT_OK : ADIT_ENOMEM)) return 0;
    enum adit_action a = adit_exchange_request(x, &request);
    if (a == ADIT_RECALL) a = adit_exchange_recalled(x, (struct adit_str){0});
    if (a == ADIT_FETCH) a = adit_exchange_fetched(x, 200, fields, coding ? 2 : 1);
    if (a == ADIT_BODY) a = send(x, body, seed);
    /* Without memory the request is passed on to the origin. */
    MUST(a == ADIT_ANSWER || (a == ADIT_PASS && fuzz.denied));
    unsigned status = a == ADIT_PASS ? 503 : x->answer.status;
    if (fuzz.denied && status >= 500 && !fuzz_fine(ADIT_ENOMEM)) status = 0;
    MUST(status != 503);
    if (status < 400) adit_buf_add(out, x->answer.body);
    adit_buf_byte(out, '\n');
    adit_buf_add(out, adit_header_get(x->answer.headers.v, x->answer.headers.n, ADIT_STR("etag")));
    adit_buf_lit(out, adit_reasons[x->reason].name);
    adit_exchange_free(x);
    fuzz_tell(adit_buf_str(out));
    return status;
}

/* --- comparing -------------------------------------------------------------------------------- */

struct comparison {
    struct adit_edge *edge;
    const char *path;
    struct adit_buf one, two, packed;
    uint32_t seed;
};

/* The body as it is or as it claims to be, whole and in pieces; the status, with the answer in
 * c->one. */
static unsigned whole_and_pieces(struct comparison *c, struct adit_str body, const char *coding)
{
    unsigned status = ask(c->edge, c->path, body, coding, 0, &c->one);
    for (unsigned i = 0; i < 2; i++) {
        unsigned again = ask(c->edge, c->path, body, coding, c->seed * (i ? 7919u : 1u), &c->two);
        if (!status || !again) continue; /* no memory */
        MUST(status == again && adit_str_eq(adit_buf_str(&c->one), adit_buf_str(&c->two)));
    }
    return status;
}

static void all_codings(struct comparison *c, struct adit_str body, unsigned status)
{
    for (size_t i = 0; status && i < ADIT_COUNT(codings); i++) {
        adit_buf_clear(&c->packed);
        codings[i].pack(body, &c->packed);
        unsigned again = ask(c->edge, c->path, adit_buf_str(&c->packed), codings[i].name,
                             c->seed + (uint32_t)i, &c->two);
        MUST(!again ||
             (status == again && adit_str_eq(adit_buf_str(&c->one), adit_buf_str(&c->two))));
    }
}

/* What `adit page` writes is what the edge answers. */
static void by_converter(struct comparison *c, struct adit_str body, const char *format)
{
    struct adit_converter *converter = adit_converter_new(fuzz_mem);
    struct adit_page_source source = {.url = ADIT_STR("https://example.com/a/"),
                                      .content_type = ADIT_STR("text/html"),
                                      .rich = adit_format_find(adit_str_z(format))->rich};
    const struct adit_page *page;
    if (!fuzz_fine(converter ? ADIT_OK : ADIT_ENOMEM)) return;
    adit_buf_clear(&c->two);
    if (fuzz_fine(adit_convert(converter, body, &source, &page, NULL)) &&
        fuzz_fine(adit_format_find(adit_str_z(format))->write(page, fuzz_mem, &c->two))) {
        struct adit_str want = adit_buf_str(&c->two);
        while (want.len && want.p[want.len - 1] == '\n') want.len--;
        MUST(adit_str_starts(adit_buf_str(&c->one), want));
    }
    adit_converter_free(converter);
}

static void compare(struct adit_edge *e, struct adit_str body, unsigned claim, uint32_t seed)
{
    struct comparison c = {.edge = e, .path = "/a/llm/", .seed = seed};
    adit_buf_init(&c.one, fuzz_sure_mem, OUT_MAX);
    adit_buf_init(&c.two, fuzz_sure_mem, OUT_MAX);
    adit_buf_init(&c.packed, fuzz_sure_mem, OUT_MAX);
    if (claim >= 0x80) {
        whole_and_pieces(&c, body, codings[claim % ADIT_COUNT(codings)].name);
    } else {
        bool markdown = claim & 4;
        if (markdown) c.path = "/a/llm.md";
        unsigned status = whole_and_pieces(&c, body, NULL);
        all_codings(&c, body, status);
        if (status == 200) by_converter(&c, body, markdown ? "md" : "tct");
    }
    adit_buf_free(&c.one), adit_buf_free(&c.two), adit_buf_free(&c.packed);
}

FUZZ_TARGET(all)
{
    static const struct adit_str json = ADIT_STR_INIT("{\"origin\":\"https://example.com\"}");
    struct adit_config config;
    struct adit_edge edge;
    struct adit_buf why;
    if (all.len < 2) return;
    adit_buf_init(&why, fuzz_mem, 4096);
    if (fuzz_fine(adit_edge_configure(&edge, &config, json, fuzz_mem, &why))) {
        compare(&edge, adit_str_sub(all, 0, all.len - 2), (unsigned char)all.p[all.len - 1],
                1u + (unsigned char)all.p[all.len - 2]);
        adit_edge_free(&edge);
    }
    adit_config_free(&config);
    adit_buf_free(&why);
}
