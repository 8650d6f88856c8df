/* IndexNow: the documents with which a site tells search engines what has changed. */
#include "rs/rs.h"

bool adit_indexnow_key(struct adit_str key)
{
    for (size_t i = 0; i < key.len; i++)
        if (!adit_is_alnum(key.p[i]) && key.p[i] != '-') return false;
    return key.len >= 8 && key.len <= 128;
}

static void begin(struct adit_indexnow *d)
{
    adit_json_open(&d->json, '{');
    adit_json_member(&d->json, "host", d->host);
    adit_json_member(&d->json, "key", d->key);
    adit_json_member_opt(&d->json, "keyLocation", d->key_location);
    adit_json_member_open(&d->json, "urlList", '[');
}

void adit_indexnow_end(struct adit_indexnow *d)
{
    if (!d->n) return;
    adit_json_close(&d->json, ']');
    adit_json_close(&d->json, '}');
    adit_buf_byte(d->json.out, '\n');
    d->json.comma = false;
    d->n = 0;
}

void adit_indexnow_add(struct adit_indexnow *d, struct adit_str url)
{
    if (d->n == ADIT_INDEXNOW_URLS) adit_indexnow_end(d);
    if (!d->n++) begin(d);
    adit_json_string(&d->json, url);
}
