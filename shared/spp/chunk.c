/* Cutting a clean text into chunks. */
#include "spp/spp.h"
#include "text/text.h"

/* Where text may be cut, best first. The cut comes behind the mark. */
static const struct adit_str marks[] = {
    ADIT_STR_INIT("\n\n"), ADIT_STR_INIT("\n"), ADIT_STR_INIT(". "),
    ADIT_STR_INIT("! "),   ADIT_STR_INIT("? "), ADIT_STR_INIT("\xe3\x80\x82"), /* 。 */
    ADIT_STR_INIT(" "),
};

/* Behind the last mark that ends in [from, to]; 0: there is none. */
static size_t last_mark(struct adit_str s, struct adit_str mark, size_t from, size_t to)
{
    for (size_t at = to; at >= from && at >= mark.len; at--)
        if (adit_str_eq(adit_str_sub(s, at - mark.len, at), mark)) return at;
    return 0;
}

/* Blocks fill a chunk as long as they fit; so the cut is the last boundary before the maximum, if
 * that leaves the minimum. Otherwise a block is longer than the gap between the two: it is cut by
 * the next best mark there. */
static size_t cut(struct adit_str s)
{
    if (s.len <= ADIT_SPP_CHUNK_MAX) return s.len;
    for (size_t i = 0; i < ADIT_COUNT(marks); i++) {
        size_t at = last_mark(s, marks[i], ADIT_SPP_CHUNK_MIN, ADIT_SPP_CHUNK_MAX);
        if (at) return at;
    }
    return adit_utf8_cut(s, ADIT_SPP_CHUNK_MAX).len;
}

bool adit_spp_chunk(struct adit_str text, size_t *pos, struct adit_str *chunk)
{
    if (*pos >= text.len) return false;
    struct adit_str rest = adit_str_sub(text, *pos, text.len);
    *chunk = adit_str_sub(rest, 0, cut(rest));
    *pos += chunk->len;
    return true;
}
