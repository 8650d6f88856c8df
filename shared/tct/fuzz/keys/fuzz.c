/* Any bytes as a key directory: a key that is found by its name is found in the directory that is
 * written of it, too. */
#include "tct/tct.h"
#include "shared/tests/fuzz.h"

FUZZ_TARGET(json)
{
    uint8_t key[ADIT_P256_PUBLIC], again[ADIT_P256_PUBLIC];
    struct adit_str name = ADIT_STR("k1");
    struct adit_buf out;
    if (!adit_key_directory_read(json, name, key)) return;
    adit_buf_init(&out, fuzz_mem, 4096);
    adit_key_directory(&out, key, name);
    if (fuzz_built(&out))
        MUST(adit_key_directory_read(adit_buf_str(&out), name, again) &&
             memcmp(key, again, sizeof key) == 0);
    adit_buf_free(&out);
}
