/* The JSON sitemap (TCT, JSON Sitemap Format), written as its items come. */
#include "tct/tct.h"
#include "base/base.h"
#include "json/json.h"

enum { ITEM_MAX = 1 << 20 }; /* two URLs, a date and a fingerprint, every byte of them escaped */

static void put_head(struct adit_json_writer *w, uint64_t version, const char *profile)
{
    adit_json_open(w, '{');
    adit_json_member_uint(w, "version", version);
    adit_json_member(w, "profile", adit_str_z(profile));
    adit_json_member(w, "rules", ADIT_STR(ADIT_RULES_VERSION));
}

/* Under both names, so that clients of every draft find it. */
static void put_hash(struct adit_json_writer *w, struct adit_str hash)
{
    adit_json_member(w, "contentHash", hash);
    adit_json_member(w, "etag", hash);
}

static enum adit_code flush(struct adit_tct_sitemap *s)
{
    if (s->text.err) return s->text.err;
    struct adit_str text = adit_buf_str(&s->text);
    adit_sha256_update(&s->sha, text.p, text.len);
    enum adit_code code = adit_sink_write(s->out, text);
    adit_buf_clear(&s->text);
    return code;
}

enum adit_code adit_tct_sitemap_open(struct adit_tct_sitemap *s, enum adit_tct_profile_id profile,
                                     struct adit_sink *out, struct adit_mem mem)
{
    *s = (struct adit_tct_sitemap){
        .out = out, .profile = &adit_tct_profiles[profile], .modified = {.s = INT64_MIN}};
    adit_buf_init(&s->text, mem, ITEM_MAX);
    adit_sha256_init(&s->sha);
    struct adit_json_writer w = {.out = &s->text};
    put_head(&w, s->profile->version, s->profile->sitemap);
    adit_json_member_open(&w, "items", '[');
    return flush(s);
}

enum adit_code adit_tct_sitemap_item(struct adit_tct_sitemap *s, const struct adit_tct_item *item)
{
    struct adit_json_writer w = {.out = &s->text, .comma = s->n_items > 0};
    struct adit_time t;
    adit_json_open(&w, '{');
    adit_json_member(&w, "cUrl", item->c_url);
    adit_json_member(&w, "mUrl", item->m_url);
    adit_json_member_opt(&w, s->profile->date, item->modified);
    put_hash(&w, item->hash);
    adit_json_close(&w, '}');
    s->n_items++;
    if (adit_time_parse(item->modified, &t) && adit_time_cmp(t, s->modified) > 0) s->modified = t;
    return flush(s);
}

enum adit_code adit_tct_sitemap_close(struct adit_tct_sitemap *s)
{
    uint8_t sha[ADIT_SHA256_LEN];
    struct adit_buf hash = {.p = s->hash, .cap = ADIT_TCT_HASH, .max = ADIT_TCT_HASH};
    adit_buf_lit(&s->text, "]}");
    ADIT_TRY(flush(s));
    adit_sha256_final(&s->sha, sha);
    adit_sha256_text(&hash, "sha256-", sha);
    return ADIT_OK;
}

void adit_tct_sitemap_free(struct adit_tct_sitemap *s) { adit_buf_free(&s->text); }

void adit_tct_index(struct adit_buf *out, enum adit_tct_profile_id profile,
                    const struct adit_tct_part *parts, size_t n)
{
    const struct adit_tct_profile *row = &adit_tct_profiles[profile];
    struct adit_json_writer w = {.out = out};
    put_head(&w, row->index_version, row->index);
    adit_json_member_open(&w, "sitemaps", '[');
    for (size_t i = 0; i < n; i++) {
        adit_json_open(&w, '{');
        adit_json_member(&w, "url", parts[i].url);
        if (parts[i].modified.s != INT64_MIN) {
            char space[40];
            struct adit_buf text = {.p = space, .cap = sizeof space, .max = sizeof space};
            adit_time_write(&text, parts[i].modified);
            adit_json_member(&w, row->date, adit_buf_str(&text));
        }
        adit_json_member_uint(&w, "items", parts[i].n_items);
        put_hash(&w, adit_str_of(parts[i].hash, ADIT_TCT_HASH));
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, ']');
    adit_json_close(&w, '}');
}
