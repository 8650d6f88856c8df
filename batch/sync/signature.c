/* Signatures of machine views (RFC 9421): verified by a key that was given, or by the one that the
 * site publishes. */
#include "batch/sync/sync.h"
#include "http/http.h"
#include "text/text.h"

enum { DIRECTORY_MAX = 64 << 10 };

/* A site whose machine views are signed has its keys at a well-known place. */
void sync_signature_keys(struct sync *s)
{
    struct adit_buf url, body;
    if (!s->state.is_signed || s->o.key) return;
    adit_buf_init(&url, cli_mem, 4096);
    adit_buf_init(&body, cli_mem, DIRECTORY_MAX);
    adit_buf_add(&url, s->origin);
    adit_buf_lit(&url, ADIT_KEY_DIRECTORY);
    if (!url.err && sync_document(s, adit_buf_str(&url), DIRECTORY_MAX,
                                  (struct sync_lifetime){3600, 86400}, &body, NULL) == 200)
        s->keys = adit_arena_dup(&s->arena, adit_buf_str(&body), NULL);
    adit_buf_free(&url);
    adit_buf_free(&body);
}

static bool find_key(const struct sync *s, struct adit_str input, uint8_t key[ADIT_P256_PUBLIC])
{
    struct adit_str label, inner;
    while (adit_signature_next(&input, &label, &inner))
        if (adit_key_directory_read(s->keys, adit_signature_param(inner, "keyid"), key))
            return true;
    return false;
}

/* The signature speaks of the digest, the digest of the body. */
static bool is_of_body(struct sync_verdict *v, const struct fetch_reply *r, struct adit_str inner)
{
    char text[80];
    struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
    struct adit_str field = sync_fields(r, "content-digest", v->arena), element;
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_of(r->body, sha);
    adit_content_digest(&b, sha);
    while (adit_list_next(&field, &element))
        if (adit_str_eq(element, adit_buf_str(&b)))
            return adit_signature_covers(inner, "content-digest");
    return false;
}

bool sync_signature_verify(struct sync_verdict *v, const struct fetch_reply *r)
{
    struct sync *s = v->s;
    uint8_t published[ADIT_P256_PUBLIC];
    struct adit_str input = sync_fields(r, "signature-input", v->arena), inner;
    struct adit_str rest = adit_url_rest(r->url);
    size_t query = adit_str_chr(rest, '?', 0);
    if (!input.len && !s->o.key) return true;
    if (!input.len) {
        sync_violation(s, SYNC_UNSIGNED, v->m_url, (struct adit_str){0});
        return false;
    }
    s->state.is_signed = 1;
    if (!s->o.key && !find_key(s, input, published)) {
        sync_violation(s, SYNC_NO_KEY, v->m_url, input);
        return true;
    }
    const struct adit_signed m = {
        .status = r->status,
        .method = ADIT_STR("GET"),
        .authority = adit_url_authority(r->url),
        .path = adit_str_sub(rest, 0, query),
        .query = adit_str_sub(rest, query, rest.len),
        .headers = r->headers,
        .n = r->n_headers,
    };
    if (adit_signature_verify(&m, input, sync_fields(r, "signature", v->arena),
                              s->o.key ? s->o.key : published, cli_mem, &inner) &&
        is_of_body(v, r, inner)) {
        s->report.verified++;
        return true;
    }
    sync_violation(s, SYNC_SIGNATURE, v->m_url, input);
    return false;
}
