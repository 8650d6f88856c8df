/* CRC-32 eight bytes a step ("slicing by 8"): miniz goes byte by byte, which would take longer than
 * the decompression itself. The tables are made when a decoder is: 8 KiB that no module has to
 * carry. */
#include "codec/decoder_impl.h"

void adit_crc32_init(struct adit_crc32 *c)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t r = i;
        for (int bit = 0; bit < 8; bit++) r = r >> 1 ^ (r & 1 ? 0xEDB88320u : 0);
        c->table[0][i] = r;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++) {
            uint32_t r = c->table[k - 1][i];
            c->table[k][i] = r >> 8 ^ c->table[0][r & 255];
        }
}

uint32_t adit_crc32(const struct adit_crc32 *c, uint32_t crc, const uint8_t *p, size_t len)
{
    const uint32_t(*t)[256] = c->table;
    crc = ~crc;
    for (; len >= 8; p += 8, len -= 8) {
        uint32_t a = adit_le32(p) ^ crc, b = adit_le32(p + 4);
        crc = t[7][a & 255] ^ t[6][a >> 8 & 255] ^ t[5][a >> 16 & 255] ^ t[4][a >> 24] ^
              t[3][b & 255] ^ t[2][b >> 8 & 255] ^ t[1][b >> 16 & 255] ^ t[0][b >> 24];
    }
    for (; len > 0; p++, len--) crc = crc >> 8 ^ t[0][(crc ^ *p) & 255];
    return ~crc;
}
