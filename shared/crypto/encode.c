/* Bytes as text: hexadecimal and base64 (RFC 4648). */
#include "crypto/crypto.h"

bool adit_hex_decode(struct adit_str s, uint8_t *out, size_t len)
{
    if (s.len % 2 || s.len / 2 != len) return false;
    for (size_t i = 0; i < len; i++) {
        int hi = adit_hex(s.p[2 * i]), lo = adit_hex(s.p[2 * i + 1]);
        if (hi < 0 || lo < 0) return false;
        out[i] = (uint8_t)(hi * 16 + lo);
    }
    return true;
}

static void encode(struct adit_buf *out, const uint8_t *p, size_t len, const char *last_two,
                   bool pad)
{
    static const char most[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        uint32_t v = (uint32_t)p[i] << 16;
        if (n > 1) v |= (uint32_t)p[i + 1] << 8;
        if (n > 2) v |= p[i + 2];
        for (size_t k = 0; k < 4; k++) {
            uint32_t digit = v >> (18 - 6 * k) & 63;
            if (k <= n)
                adit_buf_byte(out, digit < 62 ? most[digit] : last_two[digit - 62]);
            else if (pad)
                adit_buf_byte(out, '=');
        }
    }
}

void adit_base64(struct adit_buf *out, const uint8_t *p, size_t len)
{
    encode(out, p, len, "+/", true);
}

void adit_base64url(struct adit_buf *out, const uint8_t *p, size_t len)
{
    encode(out, p, len, "-_", false);
}

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

enum adit_code adit_base64_decode(struct adit_str s, struct adit_buf *out)
{
    size_t padding = 0;
    while (s.len > 0 && s.p[s.len - 1] == '=') s.len--, padding++;
    if (padding > 2 || s.len % 4 == 1 || (padding && (s.len + padding) % 4)) return ADIT_EBAD;
    uint32_t v = 0;
    for (size_t i = 0; i < s.len; i++) {
        int d = digit_of(s.p[i]);
        if (d < 0) return ADIT_EBAD;
        v = (v << 6 | (uint32_t)d) & 0xFFFFFF;
        if (i % 4) adit_buf_byte(out, (char)(uint8_t)(v >> (6 - 2 * (i % 4))));
    }
    /* Bits behind the last whole byte must be 0 (RFC 4648, 3.5). */
    uint32_t left = s.len % 4 == 2 ? v & 15 : s.len % 4 == 3 ? v & 3 : 0;
    return left ? ADIT_EBAD : out->err;
}
