/* zstd. The first byte chooses the portions. */
#include "codec/fuzz/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    compare(ADIT_CODING_ZSTD, adit_str_of((const char *)data + 1, size - 1), 1u + data[0] % 32u);
    return 0;
}
