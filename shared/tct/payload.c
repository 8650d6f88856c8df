/* The payload: a table of members in canonical order, each with the profiles that have it. */
#include "tct/tct.h"
#include "json/json.h"
#include "page/page.h"
#include "text/text.h"

#include <string.h>

struct payload {
    const struct adit_page *page;
    const struct adit_tct_options *options;
    const struct adit_tct_profile *profile;
    struct adit_mem mem;
    struct adit_json_writer w;
};

/* Writes the member's value; empty strings mean that there is no such member. */
static enum adit_code put(struct payload *p, const char *key, struct adit_str s)
{
    adit_json_member_opt(&p->w, key, s);
    return ADIT_OK;
}

static enum adit_code put_author(struct payload *p, const char *key)
{
    return put(p, key, p->page->author);
}
static enum adit_code put_url(struct payload *p, const char *key)
{
    return put(p, key, p->page->url);
}
static enum adit_code put_language(struct payload *p, const char *key)
{
    return put(p, key, p->page->html_language);
}
static enum adit_code put_profile(struct payload *p, const char *key)
{
    return put(p, key, adit_str_z(p->profile->payload));
}
static enum adit_code put_media_type(struct payload *p, const char *key)
{
    return put(p, key, ADIT_STR("text/plain"));
}
static enum adit_code put_published(struct payload *p, const char *key)
{
    return put(p, key, p->page->published);
}
static enum adit_code put_title(struct payload *p, const char *key)
{
    return put(p, key, p->page->title);
}

static enum adit_code put_content(struct payload *p, const char *key)
{
    struct adit_buf text;
    adit_buf_init(&text, p->mem, p->w.out->max);
    enum adit_code code = adit_page_text(p->page, &text);
    if (!code) adit_json_member(&p->w, key, adit_buf_str(&text));
    adit_buf_free(&text);
    return code;
}

/* JSON-LD that has no canonical form (a number beyond doubles) is left out. */
static enum adit_code put_schema(struct payload *p, const char *key)
{
    struct adit_json_rewrite how = adit_json_canonical;
    struct adit_buf json;
    if (!p->options->schema || !p->page->schema.len) return ADIT_OK;
    how.last_wins = how.repair = true;
    adit_buf_init(&json, p->mem, p->w.out->max);
    enum adit_code code = adit_json_rewrite(p->page->schema, &how, p->mem, &json, NULL);
    if (!code) {
        adit_json_key(&p->w, key);
        adit_json_raw(&p->w, adit_buf_str(&json));
    }
    adit_buf_free(&json);
    return code == ADIT_EBAD || code == ADIT_EEOF ? ADIT_OK : code;
}

enum { P_00 = 1 << ADIT_TCT_00 | 1 << ADIT_TCT_01, P_03 = 1 << ADIT_TCT_03, P_ALL = P_00 | P_03 };

/* In RFC 8785's order. `hash` has no writer: its place is kept, its value comes last. */
static const struct {
    const char *key;
    enum adit_code (*write)(struct payload *p, const char *key);
    unsigned profiles;
} members[] = {
    {"author", put_author, P_00},
    {"canonical_url", put_url, P_ALL},
    {"content", put_content, P_ALL},
    {"content_media_type", put_media_type, P_03},
    {"hash", NULL, P_00},
    {"language", put_language, P_ALL},
    {"profile", put_profile, P_ALL},
    {"published", put_published, P_00},
    {"structured_data", put_schema, P_ALL},
    {"title", put_title, P_ALL},
};

static void fingerprint(const uint8_t sha[ADIT_SHA256_LEN], char hash[ADIT_TCT_HASH])
{
    struct adit_buf b = {.p = hash, .cap = ADIT_TCT_HASH, .max = ADIT_TCT_HASH};
    adit_sha256_text(&b, "sha256-", sha);
}

static void finish_sha(struct adit_sha256 h, struct adit_str rest, uint8_t sha[ADIT_SHA256_LEN])
{
    adit_sha256_update(&h, rest.p, rest.len);
    adit_sha256_final(&h, sha);
}

static void fingerprint_of(struct adit_str s, char hash[ADIT_TCT_HASH])
{
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_of(s, sha);
    fingerprint(sha, hash);
}

/* Puts ,"hash":"…" at out[at], which is never the first member. */
static void insert_hash(struct adit_buf *out, size_t at, const char hash[ADIT_TCT_HASH])
{
    char member[16 + ADIT_TCT_HASH];
    struct adit_buf b = {.p = member, .cap = sizeof member, .max = sizeof member};
    adit_buf_lit(&b, ",\"hash\":\"");
    adit_buf_add(&b, adit_str_of(hash, ADIT_TCT_HASH));
    adit_buf_byte(&b, '"');
    if (!adit_buf_reserve(out, b.len)) return;
    memmove(out->p + at + b.len, out->p + at, out->len - at);
    memcpy(out->p + at, b.p, b.len);
    out->len += b.len;
}

enum adit_code adit_tct_payload(const struct adit_page *page,
                                const struct adit_tct_options *options, struct adit_mem mem,
                                struct adit_buf *out, char hash[ADIT_TCT_HASH])
{
    struct payload p = {page, options, &adit_tct_profiles[options->profile], mem, {.out = out}};
    size_t from = out->len, hash_at = from;
    adit_json_open(&p.w, '{');
    for (size_t i = 0; i < ADIT_COUNT(members); i++) {
        if (!(members[i].profiles >> options->profile & 1)) continue;
        if (members[i].write)
            ADIT_TRY(members[i].write(&p, members[i].key));
        else
            hash_at = out->len;
    }
    adit_json_close(&p.w, '}');
    if (out->err) return out->err;
    /* Most of the payload stands before its hash: hashed once, for both. */
    struct adit_sha256 begun;
    adit_sha256_init(&begun);
    adit_sha256_update(&begun, out->p + from, hash_at - from);
    uint8_t sha[ADIT_SHA256_LEN];
    finish_sha(begun, adit_str_sub(adit_buf_str(out), hash_at, out->len), sha);
    fingerprint(sha, hash);
    if (p.profile->hash) insert_hash(out, hash_at, hash);
    if (options->digest && !out->err)
        finish_sha(begun, adit_str_sub(adit_buf_str(out), hash_at, out->len), options->digest);
    return out->err;
}

enum adit_code adit_tct_method_a(struct adit_str json, struct adit_mem mem,
                                 char hash[ADIT_TCT_HASH], struct adit_error *err)
{
    struct adit_json_rewrite how = adit_json_canonical;
    struct adit_buf canon;
    struct adit_str text = adit_str_trim(json);
    how.omit = ADIT_STR("hash");
    if (text.len && text.p[0] != '{')
        return adit_fail(err, ADIT_EBAD, "object expected", (size_t)(text.p - json.p));
    /* No value is longer than in the text, but numbers (1e20) and controls (U+0001) may be. */
    adit_buf_init(&canon, mem, json.len > SIZE_MAX / 16 ? SIZE_MAX / 2 : 64 + json.len * 8);
    enum adit_code code = adit_json_rewrite(json, &how, mem, &canon, err);
    if (!code) fingerprint_of(adit_buf_str(&canon), hash);
    adit_buf_free(&canon);
    return code;
}

void adit_tct_bytes_hash(struct adit_str json, char hash[ADIT_TCT_HASH])
{
    fingerprint_of(json, hash);
}

enum adit_code adit_tct_method_b(struct adit_str content, struct adit_mem mem,
                                 char hash[ADIT_TCT_HASH])
{
    struct adit_buf text;
    if (content.len > SIZE_MAX / 64) return ADIT_ELIMIT;
    adit_buf_init(&text, mem, 64 + content.len * 40);
    enum adit_code code = adit_text_normalise(content, mem, &text);
    if (!code) fingerprint_of(adit_buf_str(&text), hash);
    adit_buf_free(&text);
    return code;
}

bool adit_tct_is_hash(struct adit_str s)
{
    if (s.len != ADIT_TCT_HASH || !adit_str_starts(s, ADIT_STR("sha256-"))) return false;
    for (size_t i = 7; i < s.len; i++)
        if (adit_hex(s.p[i]) < 0 || (s.p[i] >= 'A' && s.p[i] <= 'F')) return false;
    return true;
}
