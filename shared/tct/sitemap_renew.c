/* The JSON sitemap, told anew: what was learned of pages since the file was written goes into its items. */
#include "json/json.h"
#include "tct/tct.h"

static const struct adit_str hash_keys[] = {ADIT_STR_INIT("contentHash"), ADIT_STR_INIT("etag")};

/* The fingerprint that the object states under that key; empty: none. */
static struct adit_str stated(struct adit_json_value object, struct adit_str key)
{
    struct adit_str hash = adit_json_inside(adit_json_get(object, key));
    return adit_tct_is_hash(hash) ? hash : (struct adit_str){0};
}

/* Appends an item with the fingerprint that its page has by now: as many bytes as before. */
static void add_item(struct adit_buf *out, struct adit_json_value item, const uint8_t *sha)
{
    size_t from = out->len;
    adit_buf_add(out, item.raw);
    for (size_t i = 0; sha && !out->err && i < ADIT_COUNT(hash_keys); i++) {
        struct adit_str old = stated(item, hash_keys[i]);
        if (old.len == 0) continue;
        struct adit_buf hex = {.p = out->p + from + (size_t)(old.p - item.raw.p) + 7,
                               .cap = ADIT_SHA256_HEX,
                               .max = ADIT_SHA256_HEX};
        adit_buf_hex(&hex, sha, ADIT_SHA256_LEN);
    }
}

/* Appends an entry of an index without its fingerprints: the part that it names is told anew, too,
 * and only when it is asked for. The members stand behind others, as pack writes them. */
static void add_part(struct adit_buf *out, struct adit_json_value part)
{
    struct adit_str raw = part.raw;
    for (size_t i = 0; i < ADIT_COUNT(hash_keys); i++) {
        struct adit_str old = stated(part, hash_keys[i]);
        size_t before = hash_keys[i].len + 5, at = old.len ? (size_t)(old.p - part.raw.p) : 0;
        if (at < before || part.raw.p[at - before] != ',') continue;
        size_t done = part.raw.len - raw.len;
        if (at - before < done) continue;
        adit_buf_add(out, adit_str_sub(raw, 0, at - before - done));
        raw = adit_str_sub(part.raw, at + old.len + 1, part.raw.len);
    }
    adit_buf_add(out, raw);
}

bool adit_tct_sitemap_renew(struct adit_str text,
                            struct adit_tct_news (*news)(void *ctx, struct adit_str c_url),
                            void *ctx, struct adit_buf *out)
{
    struct adit_json_value doc, list;
    struct adit_json_member m;
    if (adit_json_check(text, &doc, NULL) || doc.kind != ADIT_JSON_OBJECT) return false;
    list = adit_json_get(doc, ADIT_STR("items"));
    bool index = list.kind == ADIT_JSON_NONE;
    if (index) list = adit_json_get(doc, ADIT_STR("sitemaps"));
    if (list.kind != ADIT_JSON_ARRAY) return false;
    adit_buf_add(out, adit_str_sub(text, 0, (size_t)(list.raw.p - text.p) + 1));
    struct adit_json_iter it = adit_json_iter(list);
    for (bool comma = false; adit_json_next(&it, &m);) {
        struct adit_json_value url = adit_json_get(m.value, ADIT_STR("cUrl"));
        struct adit_tct_news page = {0};
        if (!index && url.kind == ADIT_JSON_STRING) page = news(ctx, adit_json_inside(url));
        if (page.gone) continue;
        if (comma) adit_buf_byte(out, ',');
        comma = true;
        if (index)
            add_part(out, m.value);
        else
            add_item(out, m.value, page.sha);
    }
    size_t end = (size_t)(list.raw.p - text.p) + list.raw.len - 1;
    adit_buf_add(out, adit_str_sub(text, end, text.len));
    return true;
}
