/* Text of metadata: white space, and the letters that names and titles are compared by. */
#include "meta/meta_impl.h"
#include "text/text.h"

enum { TEXT_MAX = 1000 };

/* White space at s[i]: its length, or 0. A no-break space counts, too. */
static size_t space_len(struct adit_str s, size_t i)
{
    if (adit_is_space(s.p[i])) return 1;
    return s.p[i] == '\xC2' && i + 1 < s.len && s.p[i + 1] == '\xA0' ? 2 : 0;
}

struct adit_str adit_meta_squeeze(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    s = adit_str_trim(s);
    bool clean = true;
    for (size_t i = 0; i < s.len && clean; i++)
        clean = space_len(s, i) == 0 || (s.p[i] == ' ' && s.p[i + 1] != ' ');
    if (clean) return s;
    char *p = adit_arena_alloc(arena, s.len);
    if (!p) {
        *ok = false;
        return (struct adit_str){0};
    }
    size_t n = 0;
    for (size_t i = 0, space; i < s.len; i += space ? space : 1) {
        space = space_len(s, i);
        if (!space)
            p[n++] = s.p[i];
        else if (n > 0 && p[n - 1] != ' ')
            p[n++] = ' ';
    }
    return adit_str_trim(adit_str_of(p, n));
}

struct adit_str adit_meta_decode(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    struct adit_buf buf;
    if (adit_str_chr(s, '&', 0) == s.len) return s;
    adit_buf_init(&buf, arena->mem, s.len * 2 + 16);
    adit_entities_decode(s, &buf);
    if (buf.err == ADIT_ENOMEM) *ok = false;
    if (!buf.err) s = adit_arena_dup(arena, adit_buf_str(&buf), ok);
    adit_buf_free(&buf);
    return s;
}

struct adit_str adit_meta_letters(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    s = adit_utf8_cut(s, TEXT_MAX);
    /* Folding a character gives at most three of it. */
    size_t max = (adit_ascii_len(s, 0) == s.len ? 1 : 6) * s.len;
    struct adit_buf buf = {.p = adit_arena_alloc(arena, max), .cap = max, .max = max};
    if (!buf.p) {
        *ok = false;
        return (struct adit_str){0};
    }
    for (size_t pos = 0; pos < s.len;) {
        uint32_t c = adit_utf8_next(s, &pos);
        if (!adit_cp_is_word(c)) continue;
        if (c < 0x80)
            buf.p[buf.len++] = adit_lower((char)c);
        else
            adit_cp_fold(c, &buf);
    }
    return adit_buf_str(&buf);
}
