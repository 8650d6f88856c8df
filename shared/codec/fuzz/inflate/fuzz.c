/* gzip, zlib, deflate. The first byte chooses the coding, the second the portions. */
#include "codec/fuzz/decode.h"

FUZZ_TARGET(all)
{
    static const enum adit_coding codings[] = {ADIT_CODING_GZIP, ADIT_CODING_ZLIB, ADIT_CODING_RAW,
                                               ADIT_CODING_DEFLATE};
    if (all.len < 2) return;
    compare(codings[(unsigned char)all.p[0] % ADIT_COUNT(codings)], adit_str_sub(all, 2, all.len),
            1u + (unsigned char)all.p[1] % 32u);
}
