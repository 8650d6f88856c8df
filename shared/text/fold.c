/* Full case folding (CaseFolding.txt, C + F). */
#include "text/text.h"

enum { FOLDED_MAX = 8 }; /* the longest has 3 code points */

void adit_cp_fold(uint32_t cp, struct adit_buf *out)
{
    int32_t d[FOLDED_MAX];
    utf8proc_ssize_t n =
        utf8proc_decompose_char((utf8proc_int32_t)cp, d, FOLDED_MAX, UTF8PROC_CASEFOLD, NULL);
    if (n > FOLDED_MAX) n = FOLDED_MAX; /* not with any Unicode version so far */
    for (utf8proc_ssize_t i = 0; i < n; i++) adit_utf8_put(out, (uint32_t)d[i]);
}

static void fold_ascii(struct adit_str s, struct adit_buf *out)
{
    if (s.len == 0 || !adit_buf_reserve(out, s.len)) return;
    char *to = out->p + out->len;
    size_t i = 0;
    for (; i + 8 <= s.len; i += 8) {
        uint64_t w = adit_swar_lower(adit_swar_load(s.p + i));
        memcpy(to + i, &w, 8);
    }
    for (; i < s.len; i++) to[i] = adit_lower(s.p[i]);
    out->len += s.len;
}

void adit_casefold(struct adit_str s, struct adit_buf *out)
{
    size_t i = 0;
    while (i < s.len) {
        size_t end = adit_ascii_len(s, i), at;
        fold_ascii(adit_str_sub(s, i, end), out);
        for (i = at = end; at < s.len && (unsigned char)s.p[at] >= 0x80;) {
            size_t before = at;
            uint32_t cp = adit_utf8_next(s, &at);
            if (!adit_cp_folds(cp)) continue;
            adit_buf_add(out, adit_str_sub(s, i, before));
            adit_cp_fold(cp, out);
            i = at;
        }
        adit_buf_add(out, adit_str_sub(s, i, at));
        i = at;
    }
}
