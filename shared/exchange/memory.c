/* The validator memory's value: "adit1", the key, flags, the sizes of HTML and view, then the
 * strings, each behind its length. Numbers are little endian. Whoever reads it trusts nothing:
 * slots are shared. */
#include "exchange/exchange_impl.h"

#include <string.h>

static const char magic[5] = {'a', 'd', 'i', 't', '1'};
enum { STRINGS = 6, FLAG_NOINDEX = 1 };

static void strings_of(struct adit_memo *m, struct adit_str *s[STRINGS])
{
    struct adit_str *all[STRINGS] = {&m->origin_etag, &m->origin_last_modified,
                                     &m->etag,        &m->last_modified,
                                     &m->robots,      &m->body};
    memcpy(s, all, sizeof all);
}

static void put(struct adit_buf *out, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++, v >>= 8) adit_buf_byte(out, (char)(v & 0xff));
}

static bool get(struct adit_str *rest, int bytes, uint64_t *v)
{
    if (rest->len < (size_t)bytes) return false;
    *v = 0;
    for (int i = bytes; i-- > 0;) *v = *v << 8 | (unsigned char)rest->p[i];
    *rest = adit_str_sub(*rest, (size_t)bytes, rest->len);
    return true;
}

void adit_memo_write(struct adit_buf *out, const char key[ADIT_SHA256_HEX],
                     const struct adit_memo *m)
{
    struct adit_memo copy = *m;
    struct adit_str *s[STRINGS];
    strings_of(&copy, s);
    adit_buf_clear(out);
    adit_buf_add(out, adit_str_of(magic, sizeof magic));
    adit_buf_add(out, adit_str_of(key, ADIT_SHA256_HEX));
    put(out, m->noindex ? FLAG_NOINDEX : 0, 1);
    put(out, m->html_bytes, 8);
    for (int i = 0; i < STRINGS; i++) {
        put(out, s[i]->len, 4);
        adit_buf_add(out, *s[i]);
    }
}

bool adit_memo_read(struct adit_str value, const char key[ADIT_SHA256_HEX], struct adit_memo *m)
{
    size_t head = sizeof magic + ADIT_SHA256_HEX;
    if (value.len < head || memcmp(value.p, magic, sizeof magic) != 0 ||
        memcmp(value.p + sizeof magic, key, ADIT_SHA256_HEX) != 0)
        return false;
    struct adit_str rest = adit_str_sub(value, head, value.len), *s[STRINGS];
    uint64_t flags, len;
    *m = (struct adit_memo){0};
    if (!get(&rest, 1, &flags) || !get(&rest, 8, &m->html_bytes)) return false;
    m->noindex = flags & FLAG_NOINDEX;
    strings_of(m, s);
    for (int i = 0; i < STRINGS; i++) {
        if (!get(&rest, 4, &len) || len > rest.len) return false;
        *s[i] = adit_str_sub(rest, 0, (size_t)len);
        rest = adit_str_sub(rest, (size_t)len, rest.len);
    }
    return rest.len == 0 && m->etag.len > 0;
}
