/* SHA-256: the framing (FIPS 180-4, 5.1.1) around a replaceable compression function. */
#include "crypto/crypto.h"

#include <bearssl_hash.h>
#include <string.h>

static void bearssl_blocks(uint32_t state[8], const uint8_t *p, size_t n_blocks)
{
    br_sha256_context c;
    uint8_t text[ADIT_SHA256_LEN];
    br_sha256_init(&c);
    for (int i = 0; i < 32; i++) text[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    br_sha256_set_state(&c, text, 0);
    br_sha256_update(&c, p, n_blocks * 64);
    br_sha256_state(&c, text);
    for (size_t i = 0; i < 8; i++)
        state[i] = (uint32_t)text[4 * i] << 24 | (uint32_t)text[4 * i + 1] << 16 |
                   (uint32_t)text[4 * i + 2] << 8 | text[4 * i + 3];
}

static adit_sha256_blocks *blocks = bearssl_blocks;

void adit_sha256_use(adit_sha256_blocks *fn) { blocks = fn ? fn : bearssl_blocks; }

void adit_sha256_init(struct adit_sha256 *h)
{
    static const uint32_t start[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                      0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
    memcpy(h->state, start, sizeof start);
    h->len = 0;
}

void adit_sha256_update(struct adit_sha256 *h, const void *data, size_t len)
{
    const uint8_t *p = data;
    size_t held = (size_t)(h->len % 64);
    h->len += len;
    if (held) {
        size_t take = 64 - held < len ? 64 - held : len;
        if (take) memcpy(h->block + held, p, take);
        if (held + take < 64) return;
        blocks(h->state, h->block, 1);
        p += take;
        len -= take;
    }
    if (len >= 64) blocks(h->state, p, len / 64);
    if (len % 64) memcpy(h->block, p + (len - len % 64), len % 64);
}

void adit_sha256_final(const struct adit_sha256 *h, uint8_t out[ADIT_SHA256_LEN])
{
    uint32_t state[8];
    uint8_t tail[128] = {0};
    size_t held = (size_t)(h->len % 64), n = held < 56 ? 64 : 128;
    memcpy(state, h->state, sizeof state);
    memcpy(tail, h->block, held);
    tail[held] = 0x80;
    for (int i = 0; i < 8; i++) tail[n - 1 - (size_t)i] = (uint8_t)(h->len * 8 >> (8 * i));
    blocks(state, tail, n / 64);
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void adit_sha256_of(struct adit_str s, uint8_t out[ADIT_SHA256_LEN])
{
    struct adit_sha256 h;
    adit_sha256_init(&h);
    adit_sha256_update(&h, s.p, s.len);
    adit_sha256_final(&h, out);
}

void adit_sha256_text(struct adit_buf *out, const char *prefix, const uint8_t hash[ADIT_SHA256_LEN])
{
    adit_buf_lit(out, prefix);
    adit_buf_hex(out, hash, ADIT_SHA256_LEN);
}
