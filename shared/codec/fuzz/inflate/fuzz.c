/* gzip, zlib, deflate. The first byte chooses the coding, the second the portions. */
#include "codec/fuzz/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum adit_coding codings[] = {ADIT_CODING_GZIP, ADIT_CODING_ZLIB, ADIT_CODING_RAW,
                                               ADIT_CODING_DEFLATE};
    if (size < 2) return 0;
    compare(codings[data[0] % ADIT_COUNT(codings)], adit_str_of((const char *)data + 2, size - 2),
            1u + data[1] % 32u);
    return 0;
}
