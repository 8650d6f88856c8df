/* NFKC (UAX #15) around utf8proc's tables.
 *
 * The text is cut where nothing can interact: before a code point that is a starter, stays as it is
 * and never composes with what stands before it (an "inert" one: all of ASCII, most letters).
 * Stretches of inert code points are copied as bytes. What lies between is decomposed with its
 * preceding inert code point, ordered, composed and written. */
#include "text/text.h"

#include <string.h>

enum {
    DECOMPOSED_MAX = 32, /* the longest, U+FDFA, has 18 */
    SMALL = 64,
    INSERTION_MAX = 16 /* longer runs of marks are sorted by counting */
};

static const utf8proc_option_t options =
    (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);

/* Decomposed code points that may still interact. */
struct segment {
    int32_t *v;
    size_t n, cap;
    struct adit_mem mem;
    int32_t small[SMALL];
};

static bool grow(struct segment *g)
{
    size_t cap = g->cap * 2;
    int32_t *old = g->v == g->small ? NULL : g->v;
    int32_t *v = g->mem.resize(g->mem.ctx, old, old ? g->cap * sizeof *v : 0, cap * sizeof *v);
    if (!v) return false;
    if (!old) memcpy(v, g->small, sizeof g->small);
    g->v = v;
    g->cap = cap;
    return true;
}

static unsigned combining_class(int32_t cp)
{
    return (unsigned)utf8proc_get_property(cp)->combining_class & 0xFF;
}

/* A starter that never composes with what stands before it. */
static bool is_boundary(uint32_t cp, const utf8proc_property_t *p)
{
    if (p->combining_class) return false;
    if (p->comb_index != UINT16_MAX && p->comb_index >= 0x8000) return false;
    return !(cp >= 0x1161 && cp <= 0x1175) && !(cp >= 0x11A8 && cp <= 0x11C2); /* jamo V, T */
}

/* Composed letters of these ranges decompose into a letter and a mark, and compose to themselves
 * again; alone they stay as they are. (Elsewhere some have compatibility mappings behind.) */
static bool is_composed(uint32_t cp, const utf8proc_property_t *p)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0xC0, 0x233},    {0x386, 0x3CE},   {0x400, 0x4FF},
                  {0x1E00, 0x1E99}, {0x1EA0, 0x1EFF}, {0x3040, 0x30FF}};
    if (p->decomp_type || p->comp_exclusion || p->decomp_seqindex >> 14 != 1) return false;
    for (size_t i = 0; i < ADIT_COUNT(ranges); i++)
        if (cp >= ranges[i].first && cp <= ranges[i].last) return true;
    return false;
}

static bool is_inert(uint32_t cp)
{
    if (cp < 0x80 || (cp >= 0x4E00 && cp <= 0x9FFF)) return true; /* Han, by far the most */
    const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)cp);
    if (p->decomp_seqindex != UINT16_MAX) return is_composed(cp, p);
    /* U+FFFD may stand for ill-formed bytes, which must not be copied. */
    return is_boundary(cp, p) && cp != 0xFFFD;
}

static void sort_by_insertion(int32_t *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int32_t cp = v[i];
        unsigned c = combining_class(cp);
        size_t k = i;
        for (; k > 0 && combining_class(v[k - 1]) > c; k--) v[k] = v[k - 1];
        v[k] = cp;
    }
}

static bool sort_by_counting(int32_t *v, size_t n, struct adit_mem mem)
{
    int32_t *copy = mem.resize(mem.ctx, NULL, 0, n * sizeof *copy);
    if (!copy) return false;
    size_t at[257] = {0};
    for (size_t i = 0; i < n; i++) at[combining_class(v[i]) + 1]++;
    for (size_t c = 1; c < 257; c++) at[c] += at[c - 1];
    memcpy(copy, v, n * sizeof *v);
    for (size_t i = 0; i < n; i++) v[at[combining_class(copy[i])]++] = copy[i];
    mem.resize(mem.ctx, copy, n * sizeof *copy, 0);
    return true;
}

/* Canonical ordering: each run of non-starters stably by combining class. */
static bool order(struct segment *g)
{
    for (size_t i = 0; i < g->n;) {
        size_t from = i;
        unsigned last = 0, c;
        bool sorted = true;
        while (i < g->n && (c = combining_class(g->v[i])) != 0) {
            if (c < last) sorted = false;
            last = c;
            i++;
        }
        if (!sorted && i - from <= INSERTION_MAX)
            sort_by_insertion(g->v + from, i - from);
        else if (!sorted && !sort_by_counting(g->v + from, i - from, g->mem))
            return false;
        if (i == from) i++;
    }
    return true;
}

static bool flush(struct segment *g, struct adit_buf *out)
{
    if (g->n > 1) {
        if (!order(g)) return false;
        g->n = (size_t)utf8proc_normalize_utf32(g->v, (utf8proc_ssize_t)g->n, options);
    }
    for (size_t i = 0; i < g->n; i++) adit_utf8_put(out, (uint32_t)g->v[i]);
    g->n = 0;
    return true;
}

static bool add(struct segment *g, uint32_t cp, struct adit_buf *out)
{
    int32_t d[DECOMPOSED_MAX];
    utf8proc_ssize_t n =
        utf8proc_decompose_char((utf8proc_int32_t)cp, d, DECOMPOSED_MAX, options, NULL);
    if (n > DECOMPOSED_MAX) n = DECOMPOSED_MAX; /* not with any Unicode version so far */
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        if (is_boundary((uint32_t)d[i], utf8proc_get_property(d[i])) && !flush(g, out))
            return false;
        if (g->n == g->cap && !grow(g)) return false;
        g->v[g->n++] = d[i];
    }
    return true;
}

/* Normalises from s[*pos] up to the next inert code point or the end. The code point at *pos is
 * taken in any case. */
static bool stretch(struct segment *g, struct adit_str s, size_t *pos, struct adit_buf *out)
{
    bool first = true;
    while (*pos < s.len) {
        size_t next = *pos;
        uint32_t cp = adit_utf8_next(s, &next);
        if (!first && is_inert(cp)) break;
        if (!add(g, cp, out)) return false;
        first = false;
        *pos = next;
    }
    return flush(g, out);
}

enum adit_code adit_nfkc(struct adit_str s, struct adit_mem mem, struct adit_buf *out)
{
    struct segment g = {.cap = SMALL, .mem = mem};
    g.v = g.small;
    size_t done = 0, inert = 0, i = 0; /* written; start of the last inert code point; looked at */
    bool room = true;
    while (room && i < s.len) {
        size_t at = i;
        if ((unsigned char)s.p[i] < 0x80) {
            i = adit_ascii_len(s, i);
            inert = i - 1;
            continue;
        }
        if (is_inert(adit_utf8_next(s, &i))) {
            inert = at;
            continue;
        }
        adit_buf_add(out, adit_str_sub(s, done, inert));
        i = inert;
        room = stretch(&g, s, &i, out);
        done = inert = i;
    }
    adit_buf_add(out, adit_str_sub(s, done, s.len));
    if (g.v != g.small) mem.resize(mem.ctx, g.v, g.cap * sizeof *g.v, 0);
    return room ? out->err : ADIT_ENOMEM;
}
