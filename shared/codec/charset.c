/* Which encoding a page is in, and its text as valid UTF-8. */
#include "codec/detect_impl.h"
#include "text/text.h"

#include <string.h>

/* GROWTH: bytes out for a byte in, at most. SLACK: the longest character. LATE_LEN: where a late
 * declaration is looked for. */
enum { REPLACEMENT = 0xFFFD, BLOCK = 4096, GROWTH = 3, SLACK = 4, LATE_LEN = 64 << 10 };

/* --- decoding --------------------------------------------------------------------------------- */

/* The UTF-8 of a byte of a single-byte encoding's upper half. */
struct upper {
    uint8_t len;
    char utf8[3];
};

static void make_upper(const struct adit_encoding *e, struct upper table[128])
{
    for (unsigned i = 0; i < 128; i++) {
        lxb_encoding_decode_t ctx = {0};
        lxb_char_t byte = (lxb_char_t)(0x80 + i);
        const lxb_char_t *p = &byte;
        uint32_t cp = e->decode(&ctx, &p, p + 1);
        char utf8[4];
        table[i].len = (uint8_t)adit_utf8_encode(cp, utf8);
        memcpy(table[i].utf8, utf8, sizeof table[i].utf8);
    }
}

/* Decodes one block; returns the end of what was written to o. */
static char *decode_block(const struct upper *table, const uint8_t *p, const uint8_t *end, char *o)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    while (p < end) {
        uint64_t word = high;
        if (end - p >= 8) memcpy(&word, p, 8);
        if (!(word & high)) {
            memcpy(o, &word, 8);
            p += 8;
            o += 8;
        } else if (*p < 0x80) {
            *o++ = (char)*p++;
        } else {
            const struct upper *u = &table[*p++ - 0x80];
            memcpy(o, u->utf8, 3);
            o += u->len;
        }
    }
    return o;
}

static void decode_single(const struct adit_encoding *e, struct adit_str body, struct adit_buf *out)
{
    struct upper table[128];
    make_upper(e, table);
    for (size_t i = 0; i < body.len; i += BLOCK) {
        struct adit_str part = adit_str_sub(body, i, i + BLOCK);
        const uint8_t *p = (const uint8_t *)part.p;
        if (!adit_buf_reserve(out, part.len * GROWTH)) return;
        out->len = (size_t)(decode_block(table, p, p + part.len, out->p + out->len) - out->p);
    }
}

/* Whether ctx holds nothing over from the last character. */
static bool is_idle(const lxb_encoding_decode_t *ctx)
{
    return ctx->second_codepoint == 0 && ctx->u.lead == 0;
}

/* Decodes a block character by character; the last may reach beyond it, up to end. */
static void decode_chars(const struct adit_encoding *e, lxb_encoding_decode_t *ctx,
                         const lxb_char_t **p, const lxb_char_t *block_end, const lxb_char_t *end,
                         struct adit_buf *out)
{
    bool ascii = e->kind == ADIT_ENCODING_MULTI;
    while (*p < block_end) {
        if (ascii && **p < 0x80 && is_idle(ctx)) {
            out->p[out->len++] = (char)*(*p)++;
            continue;
        }
        lxb_codepoint_t cp = e->decode(ctx, p, end);
        ctx->status = cp == LXB_ENCODING_DECODE_CONTINUE ? LXB_STATUS_CONTINUE : LXB_STATUS_OK;
        if (ctx->status == LXB_STATUS_OK) out->len += adit_utf8_encode(cp, out->p + out->len);
    }
}

/* Whether the text ends within a character or an escape sequence. */
static bool is_cut(const struct adit_encoding *e, const lxb_encoding_decode_t *ctx)
{
    if (e->kind != ADIT_ENCODING_STATE) return ctx->status == LXB_STATUS_CONTINUE;
    return ctx->u.iso_2022_jp.state > LXB_ENCODING_DECODE_2022_JP_LEAD;
}

/* Of an escape sequence that the end cuts off, the second byte counts as text: true if there is
 * one, to be decoded. */
static bool cut_escape(const struct adit_encoding *e, lxb_encoding_decode_t *ctx, lxb_char_t *byte)
{
    lxb_encoding_ctx_2022_jp_t *iso = &ctx->u.iso_2022_jp;
    if (e->kind != ADIT_ENCODING_STATE || iso->state != LXB_ENCODING_DECODE_2022_JP_ESCAPE)
        return false;
    *byte = iso->lead;
    iso->state = iso->out_state;
    return true;
}

static void decode_multi(const struct adit_encoding *e, struct adit_str body, struct adit_buf *out)
{
    lxb_encoding_decode_t ctx = {0};
    const lxb_char_t *p = (const lxb_char_t *)body.p, *end = p + body.len;
    while (p < end) {
        size_t left = (size_t)(end - p), n = left < BLOCK ? left : BLOCK;
        size_t reach = left < BLOCK + SLACK ? left : BLOCK + SLACK;
        if (!adit_buf_reserve(out, reach * GROWTH)) return;
        decode_chars(e, &ctx, &p, p + n, end, out);
    }
    if (!is_cut(e, &ctx)) return;
    lxb_char_t byte;
    adit_utf8_put(out, REPLACEMENT);
    if (!cut_escape(e, &ctx, &byte)) return;
    p = &byte;
    if (!adit_buf_reserve(out, GROWTH)) return;
    decode_chars(e, &ctx, &p, p + 1, p + 1, out);
    if (is_cut(e, &ctx)) adit_utf8_put(out, REPLACEMENT);
}

enum adit_code adit_encoding_decode(const struct adit_encoding *e, struct adit_str body,
                                    struct adit_buf *out)
{
    if (body.len == 0) return out->err;
    switch (e->kind) {
    case ADIT_ENCODING_UTF8: adit_utf8_repair(body, out); break;
    case ADIT_ENCODING_SINGLE: decode_single(e, body, out); break;
    case ADIT_ENCODING_MULTI:
    case ADIT_ENCODING_STATE:
    case ADIT_ENCODING_UTF16: decode_multi(e, body, out); break;
    case ADIT_ENCODING_NONE: adit_utf8_put(out, REPLACEMENT); break;
    }
    return out->err;
}

enum adit_code adit_charset_decode_as(struct adit_str body, struct adit_str label,
                                      struct adit_buf *out)
{
    const struct adit_encoding *e = adit_encoding_find(label);
    return e ? adit_encoding_decode(e, body, out) : ADIT_EUNSUP;
}

const char *adit_charset_name(struct adit_str label)
{
    const struct adit_encoding *e = adit_encoding_find(label);
    return e ? e->name : NULL;
}

const char *adit_charset_prescan(struct adit_str body)
{
    const struct adit_encoding *e = adit_prescan(adit_str_sub(body, 0, ADIT_CHARSET_PRESCAN));
    return e ? e->name : NULL;
}

/* --- which encoding --------------------------------------------------------------------------- */

struct choice {
    const struct adit_encoding *encoding;
    enum adit_charset_source source;
    size_t bom;   /* length of the byte order mark */
    bool is_utf8; /* the body is valid UTF-8 as it stands */
    bool is_ascii;
};

/* Encoding standard, 6.1. */
static bool sniff_bom(struct adit_str body, struct choice *c)
{
    static const struct {
        struct adit_str bom, label;
    } rows[] = {
        {ADIT_STR_INIT("\xEF\xBB\xBF"), ADIT_STR_INIT("utf-8")},
        {ADIT_STR_INIT("\xFE\xFF"), ADIT_STR_INIT("utf-16be")},
        {ADIT_STR_INIT("\xFF\xFE"), ADIT_STR_INIT("utf-16le")},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        if (!adit_str_starts(body, rows[i].bom)) continue;
        c->encoding = adit_encoding_find(rows[i].label);
        c->source = ADIT_CHARSET_BOM;
        c->bom = rows[i].bom.len;
        return true;
    }
    return false;
}

static bool has_long_characters(struct adit_str utf8)
{
    for (size_t i = adit_ascii_len(utf8, 0); i < utf8.len; i = adit_ascii_len(utf8, i + 1))
        if ((unsigned char)utf8.p[i] >= 0xE0) return true;
    return false;
}

/* Whether valid UTF-8 with non-ASCII characters weighs more than this declaration. */
static bool is_outweighed(const struct adit_encoding *declared, struct adit_str body)
{
    if (declared->kind == ADIT_ENCODING_UTF16) return false;
    return declared->kind != ADIT_ENCODING_MULTI || has_long_characters(body);
}

/* Of a body that nobody declared. */
static void choose_undeclared(struct adit_str body, struct adit_str url, struct choice *c)
{
    bool seen;
    c->source = ADIT_CHARSET_DETECTED;
    if (c->is_ascii && adit_is_iso_2022_jp(body)) {
        c->encoding = adit_encoding_find(ADIT_STR("iso-2022-jp"));
    } else if (c->is_utf8 || adit_is_nearly_utf8(body)) {
        c->source = ADIT_CHARSET_BYTES;
        c->encoding = adit_encoding_find(ADIT_STR("utf-8"));
    } else {
        c->encoding = adit_detect(body, url, &seen);
        if (!seen) c->source = ADIT_CHARSET_DEFAULT;
    }
}

static struct choice choose(struct adit_str body, struct adit_str http_charset, struct adit_str url)
{
    struct choice c = {0};
    size_t ascii = adit_ascii_len(body, 0);
    c.is_ascii = ascii == body.len;
    c.is_utf8 = c.is_ascii || adit_utf8_valid(adit_str_sub(body, ascii, body.len));
    if (sniff_bom(body, &c)) return c;
    c.source = ADIT_CHARSET_HTTP;
    c.encoding = adit_encoding_find(http_charset);
    if (!c.encoding) {
        c.source = ADIT_CHARSET_META;
        c.encoding = adit_prescan(adit_str_sub(body, 0, ADIT_CHARSET_PRESCAN));
    }
    bool declared = c.encoding != NULL;
    if (declared && (c.encoding->kind == ADIT_ENCODING_UTF8 || !c.is_utf8 || c.is_ascii)) return c;
    if (declared && !is_outweighed(c.encoding, body)) return c;
    if (!c.is_utf8) c.encoding = adit_prescan(adit_str_sub(body, 0, LATE_LEN));
    if (!c.is_utf8 && c.encoding) return c;
    if (declared) {
        c.source = ADIT_CHARSET_BYTES;
        c.encoding = adit_encoding_find(ADIT_STR("utf-8"));
    } else {
        choose_undeclared(body, url, &c);
    }
    return c;
}

struct adit_charset adit_charset_detect(struct adit_str body, struct adit_str http_charset,
                                        struct adit_str url)
{
    struct choice c = choose(body, http_charset, url);
    return (struct adit_charset){c.encoding->name, c.source};
}

const char *adit_charset_source_name(enum adit_charset_source source)
{
    static const char *const names[] = {
        [ADIT_CHARSET_BOM] = "bom",         [ADIT_CHARSET_HTTP] = "http",
        [ADIT_CHARSET_META] = "meta",       [ADIT_CHARSET_BYTES] = "bytes",
        [ADIT_CHARSET_DEFAULT] = "default", [ADIT_CHARSET_DETECTED] = "detected",
    };
    return names[source];
}

enum adit_code adit_charset_decode(struct adit_str body, struct adit_str http_charset,
                                   struct adit_str url, struct adit_buf *out, struct adit_str *text,
                                   struct adit_charset *used)
{
    struct choice c = choose(body, http_charset, url);
    enum adit_encoding_kind kind = c.encoding->kind;
    bool ascii_is_itself = kind == ADIT_ENCODING_SINGLE || kind == ADIT_ENCODING_MULTI;
    if (used) *used = (struct adit_charset){c.encoding->name, c.source};
    adit_buf_clear(out);
    body = adit_str_sub(body, c.bom, body.len);
    if ((kind == ADIT_ENCODING_UTF8 && c.is_utf8) || (ascii_is_itself && c.is_ascii)) {
        *text = body;
        return ADIT_OK;
    }
    enum adit_code code = adit_encoding_decode(c.encoding, body, out);
    *text = adit_buf_str(out);
    return code;
}
