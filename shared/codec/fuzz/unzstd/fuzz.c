/* zstd. The first byte chooses the portions. */
#include "codec/fuzz/decode.h"

FUZZ_TARGET(all)
{
    if (all.len < 1) return;
    compare(ADIT_CODING_ZSTD, adit_str_sub(all, 1, all.len), 1u + (unsigned char)all.p[0] % 32u);
}
