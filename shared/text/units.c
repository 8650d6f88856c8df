/* Texts as lines and as words, and numbers for them, which are compared in place of their bytes. */
#include "text/diff_impl.h"

/* --- where units end -------------------------------------------------------------------------- */

/* Behind the grapheme cluster (UAX 29) at a place: what readers take for one character. */
static size_t cluster_end(struct adit_str s, size_t at)
{
    utf8proc_int32_t state = 0;
    uint32_t cp = adit_utf8_next(s, &at);
    while (at < s.len) {
        size_t next = at;
        if (cp < 0x80 && (unsigned char)s.p[at] < 0x80 && cp != '\r') return at;
        uint32_t follows = adit_utf8_next(s, &next);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)cp, (utf8proc_int32_t)follows,
                                             &state))
            return at;
        cp = follows, at = next;
    }
    return at;
}

/* Scripts without spaces between words, whose characters are units by themselves: those of
 * adit_cp_is_cjk, and Thai, Lao, Tibetan, Myanmar (0E00 to 109F), Khmer. */
static bool stands_alone(uint32_t cp)
{
    return adit_cp_is_cjk(cp) || (cp >= 0xE00 && cp <= 0x109F) || (cp >= 0x1780 && cp <= 0x17FF);
}

static bool in_word(uint32_t cp) { return adit_cp_is_word(cp) && !stands_alone(cp); }

/* Whether the sign at a place joins a word or a number to what follows: "don't", "3.14". */
static bool joins(struct adit_str s, size_t at, uint32_t before)
{
    size_t next = at;
    uint32_t cp = adit_utf8_next(s, &next);
    if (next >= s.len) return false;
    uint32_t behind = adit_utf8_next(s, &next);
    if (cp == '\'' || cp == 0x2019) return adit_cp_is_letter(before) && adit_cp_is_letter(behind);
    return (cp == '.' || cp == ',') && adit_cp_is_digit(before) && adit_cp_is_digit(behind);
}

/* A word, a run of white space, or one character that is neither. */
static size_t word_end(struct adit_str s, size_t at)
{
    size_t peek = at;
    uint32_t cp = adit_utf8_next(s, &peek), last = cp;
    bool space = adit_cp_is_space(cp);
    if (!space && !in_word(cp)) return cluster_end(s, at);
    for (at = cluster_end(s, at); at < s.len; last = cp, at = cluster_end(s, at)) {
        /* Most of most words: a letter with another character of ASCII behind it is a cluster. */
        while (!space && adit_is_alnum(s.p[at]) && at + 1 < s.len &&
               (unsigned char)s.p[at + 1] < 0x80)
            last = (unsigned char)s.p[at++];
        peek = at;
        cp = adit_utf8_next(s, &peek);
        if (space ? !adit_cp_is_space(cp) : !in_word(cp) && !joins(s, at, last)) break;
    }
    return at;
}

size_t adit_unit_end(enum adit_diff_unit unit, struct adit_str s, size_t at)
{
    if (unit == ADIT_DIFF_WORDS) return word_end(s, at);
    size_t lf = adit_str_chr(s, '\n', at);
    return lf < s.len ? lf + 1 : lf;
}

size_t adit_units_count(enum adit_diff_unit unit, struct adit_str text)
{
    size_t n = 0;
    for (size_t at = 0; at < text.len; n++) at = adit_unit_end(unit, text, at);
    return n;
}

size_t adit_words_within(struct adit_str text, size_t most)
{
    size_t n = 0;
    for (size_t at = 0, first; at < text.len && n < most;
         at = adit_unit_end(ADIT_DIFF_WORDS, text, at)) {
        first = at;
        n += adit_cp_is_word(adit_utf8_next(text, &first));
    }
    return n;
}

size_t adit_word_count(struct adit_str text) { return adit_words_within(text, SIZE_MAX); }

/* --- units to numbers ------------------------------------------------------------------------- */

/* Texts come from strangers, who can make collisions of any hash that is known. So there is no hash
 * table: units are sorted by hash and bytes, which takes n log n steps on any input. */
struct item {
    uint32_t hash, index; /* of both texts together */
};

struct sorting {
    const struct adit_units *u;
    uint32_t *ends; /* of each unit, in its text */
    struct item *items, *spare;
    size_t n;
};

static struct adit_str text_of(const struct sorting *s, uint32_t index)
{
    bool second = index >= s->u[0].n;
    size_t from = index == 0 || index == s->u[0].n ? 0 : s->ends[index - 1];
    return adit_str_sub(s->u[second].text, from, s->ends[index]);
}

static int compare_items(const struct sorting *s, struct item a, struct item b)
{
    if (a.hash != b.hash) return a.hash < b.hash ? -1 : 1;
    return adit_str_cmp(text_of(s, a.index), text_of(s, b.index));
}

static void merge_runs(struct sorting *s, size_t from, size_t middle, size_t end)
{
    size_t a = from, b = middle;
    for (size_t to = from; to < end; to++) {
        bool left = b >= end || (a < middle && compare_items(s, s->items[a], s->items[b]) <= 0);
        s->spare[to] = s->items[left ? a++ : b++];
    }
}

static void sort_items(struct sorting *s)
{
    for (size_t width = 1; width < s->n; width *= 2) {
        for (size_t from = 0; from < s->n; from += 2 * width) {
            size_t middle = from + width < s->n ? from + width : s->n;
            size_t end = middle + width < s->n ? middle + width : s->n;
            merge_runs(s, from, middle, end);
        }
        struct item *sorted = s->spare;
        s->spare = s->items;
        s->items = sorted;
    }
}

static void take_units(struct sorting *s)
{
    uint32_t index = 0;
    for (unsigned t = 0; t < 2; t++) {
        const struct adit_units *u = &s->u[t];
        for (size_t at = 0; at < u->text.len; index++) {
            size_t end = adit_unit_end(u->unit, u->text, at);
            uint64_t hash = adit_str_hash(adit_str_sub(u->text, at, end));
            s->ends[index] = (uint32_t)end;
            s->items[index] = (struct item){(uint32_t)(hash ^ hash >> 32), index};
            at = end;
        }
    }
}

enum adit_code adit_units_number(const struct adit_units u[2], struct adit_arena *arena,
                                 uint32_t *numbers[2])
{
    struct sorting s = {.u = u, .n = u[0].n + u[1].n};
    uint32_t *v = adit_arena_alloc(arena, (s.n + 1) * sizeof *v), number = 0;
    if (!v) return ADIT_ENOMEM;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    s.ends = adit_arena_alloc(arena, (s.n + 1) * sizeof *s.ends);
    s.items = adit_arena_alloc(arena, (s.n + 1) * sizeof *s.items);
    s.spare = adit_arena_alloc(arena, (s.n + 1) * sizeof *s.spare);
    if (!s.ends || !s.items || !s.spare) return ADIT_ENOMEM;
    take_units(&s);
    sort_items(&s);
    for (size_t i = 0; i < s.n; i++) {
        if (i && compare_items(&s, s.items[i - 1], s.items[i])) number++;
        v[s.items[i].index] = number;
    }
    adit_arena_release(arena, mark);
    numbers[0] = v;
    numbers[1] = v + u[0].n;
    return ADIT_OK;
}
