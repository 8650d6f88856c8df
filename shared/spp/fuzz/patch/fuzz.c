/* Any bytes as a diff (before the first NUL) for any text (behind it): refused or applied. */
#include "spp/spp.h"
#include "shared/tests/fuzz.h"

FUZZ_TARGET(all)
{
    size_t nul = adit_str_chr(all, '\0', 0);
    struct adit_buf out;
    struct adit_error err = {0};
    struct adit_str diff = adit_str_sub(all, 0, nul), text = adit_str_sub(all, nul + 1, all.len);
    adit_buf_init(&out, fuzz_mem, 64 << 20);
    if (!fuzz_took(adit_spp_patch(text, diff, &out, &err))) {
        MUST(fuzz.denied || (err.msg && err.pos <= diff.len));
    } else {
        MUST(out.len <= text.len + diff.len);
        fuzz_tell(adit_buf_str(&out));
    }
    adit_buf_free(&out);
}
