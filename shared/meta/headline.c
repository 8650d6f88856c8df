/* The headline in the body: the line that says a whole part of what the head calls the title. Pages
 * without an <h1> still show their title somewhere, and what it lacks of <title> is the name of the
 * site, a section, a date. */
#include "meta/meta_impl.h"

#include "tape/tape.h"
#include "text/text.h"

enum {
    TEXT_MIN = 120,     /* letters of running text */
    ABOVE_MAX = 12,     /* leaves above it that may be its headline */
    EMPH_MIN = 900,     /* per mille of a line that is in bold letters */
    LINES_MAX = 3000,   /* lines that are compared: a bound on the work */
    LETTERS_MIN = 10,   /* bytes of letters that tell something */
    STEM = 5,           /* letters that tell a word, whatever its ending */
    WORD_MIN = 4,       /* letters; shorter words tell little */
    TELLING_MAX = 16,   /* words of a line that are looked for */
    WORDS_MIN = 3,      /* of a line that is a headline by them */
    LINE_LETTERS = 100, /* letters of that line */
    TEXTS_MAX = 100,    /* leaves in which they are looked for */
    SHARE_OF_LONGEST =
        2 /* a line has at least one part in so many of the longest part of a title */
};

/* A title as letters, and where parts of it may begin and end. */
struct whole {
    struct adit_str letters;
    char *edge;         /* of letters.len + 1 places: 1 if punctuation stands there */
    size_t longest;     /* bytes of the longest part */
    size_t bytes_max;   /* of a line that may be part of it */
    uint64_t begins[2]; /* bits of the ASCII letters that parts may begin with */
};

/* Signs inside of words and around them part nothing. */
static bool parts_title(uint32_t c)
{
    switch (c) {
    case ' ':
    case 0xA0:
    case '\'':
    case '.':
    case '&':
    case '%':
    case '+':
    case '!':
    case '?':
    case 0x2018:
    case 0x2019: return false;
    default: return !adit_cp_is_word(c);
    }
}

static bool read_whole(struct whole *w, struct adit_str title, struct adit_arena *arena, bool *ok)
{
    w->letters = adit_meta_letters(title, arena, ok);
    w->edge = adit_arena_zalloc(arena, w->letters.len + 1, 1);
    if (!w->edge) *ok = false;
    if (!*ok || w->letters.len < LETTERS_MIN) return false;
    size_t at = 0, part = 0;
    w->longest = 0;
    w->bytes_max = 2 * title.len;
    for (size_t pos = 0; pos < title.len;) {
        size_t from = pos;
        uint32_t c = adit_utf8_next(title, &pos);
        /* "_" is a letter to comparisons, and parts titles in scripts without spaces. */
        if (c == '_') w->edge[at] = 1;
        if (adit_cp_is_word(c))
            at += c < 0x80 ? 1 : adit_meta_letters(adit_str_sub(title, from, pos), arena, ok).len;
        if (at > w->letters.len) return false;
        if (c == '_' || parts_title(c)) w->edge[at] = 1;
        if (!w->edge[at] && pos < title.len) continue;
        if (at - part > w->longest) w->longest = at - part;
        part = at;
    }
    w->edge[0] = w->edge[w->letters.len] = 1;
    w->begins[0] = w->begins[1] = 0;
    for (size_t i = 0; i < w->letters.len; i++) {
        unsigned char c = (unsigned char)w->letters.p[i];
        if (w->edge[i] && c < 0x80) w->begins[c / 64] |= UINT64_C(1) << c % 64;
    }
    return true;
}

/* Whether a part of the title may begin with the first letter of text; most lines do not. */
static bool may_be_part(const struct whole *w, struct adit_str text)
{
    uint32_t c;
    for (size_t pos = 0; pos < text.len;) {
        if (!adit_cp_is_word(c = adit_utf8_next(text, &pos))) continue;
        if (c < 0x80) c = (unsigned char)adit_lower((char)c);
        return c >= 0x80 || (w->begins[c / 64] >> c % 64 & 1);
    }
    return false;
}

/* Whether letters are a whole part of the title, or several that follow each other. */
static bool is_part(const struct whole *w, struct adit_str letters)
{
    for (size_t at = 0; (at = adit_str_find(w->letters, letters, at)) < w->letters.len; at++)
        if (w->edge[at] && w->edge[at + letters.len]) return true;
    return false;
}

/* Bytes of letters that a text has at most: folding a character gives up to three of it. */
static size_t letters_max(struct adit_str text)
{
    return adit_ascii_len(text, 0) == text.len ? text.len : 6 * text.len;
}

/* The longest leaf from `from` on that is a whole part of the title; with h1 (letters) only headings
 * that are longer than it and do not repeat it. */
static struct adit_str longest_part(const struct whole *w, const struct adit_tape *tape,
                                    size_t from, struct adit_str h1, const struct adit_site *site,
                                    struct adit_arena *arena, bool *ok)
{
    struct adit_str best = {0};
    size_t longest = h1.len, seen = 0;
    for (size_t i = from; i < tape->n_leaves && seen < LINES_MAX && *ok; i++) {
        const struct adit_leaf *leaf = &tape->leaves[i];
        if (leaf->text.len < LETTERS_MIN || leaf->text.len > w->bytes_max) continue;
        if (h1.len && !adit_heading_level(tape->els[leaf->el].tag)) continue;
        seen++;
        size_t most = letters_max(leaf->text);
        if (most <= longest || SHARE_OF_LONGEST * most < w->longest) continue;
        if (!may_be_part(w, leaf->text)) continue;
        struct adit_arena_mark mark = adit_arena_mark(arena);
        struct adit_str letters = adit_meta_letters(leaf->text, arena, ok);
        bool more = letters.len >= LETTERS_MIN && letters.len > longest &&
                    SHARE_OF_LONGEST * letters.len >= w->longest;
        bool repeats = h1.len && adit_str_find(letters, h1, 0) < letters.len;
        if (more && !repeats && is_part(w, letters) && !adit_is_site(letters, site))
            best = leaf->text, longest = letters.len;
        adit_arena_release(arena, mark);
    }
    return best;
}

/* The leaf behind the h1 with this text; 0 if there is none. */
static size_t behind(const struct adit_tape *tape, struct adit_str h1)
{
    for (size_t i = 0; i < tape->n_leaves; i++)
        if (tape->els[tape->leaves[i].el].tag == ADIT_TAG_H1 &&
            adit_str_eq(tape->leaves[i].text, h1))
            return i + 1;
    return 0;
}

/* One line, without the signs around it: "» News of the day". */
static struct adit_str plain_line(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    size_t from = 0, next = 0;
    while (next < s.len) {
        uint32_t c = adit_utf8_next(s, &next);
        if (c != ' ' && c != '|' && c != '-' && c != ':' && c != 0xBB && c != 0x203A &&
            c != 0x300B && c != 0x2022)
            break;
        from = next;
    }
    return adit_meta_squeeze(adit_str_sub(s, from, s.len), arena, ok);
}

struct adit_str adit_meta_headline(struct adit_str title, struct adit_str h1,
                                   const struct adit_site *site, const struct adit_tape *tape,
                                   struct adit_arena *arena, bool *ok)
{
    struct whole w;
    if (!tape || !read_whole(&w, title, arena, ok)) return (struct adit_str){0};
    size_t from = h1.len ? behind(tape, h1) : 0;
    if (h1.len && !from) return (struct adit_str){0};
    struct adit_str line =
        longest_part(&w, tape, from, adit_meta_letters(h1, arena, ok), site, arena, ok);
    return plain_line(line, arena, ok);
}

/* The first kept leaf that is running text; n_leaves: there is none. */
static size_t first_text(const struct adit_tape *tape)
{
    size_t i = 0;
    while (i < tape->n_leaves && !(tape->leaves[i].keep && tape->leaves[i].len >= TEXT_MIN)) i++;
    return i;
}

struct adit_str adit_meta_above_text(const struct adit_tape *tape, struct adit_arena *arena,
                                     bool *ok)
{
    size_t text = tape ? first_text(tape) : 0;
    if (!tape || text == tape->n_leaves) return (struct adit_str){0};
    for (size_t i = text; i-- > 0 && i + ABOVE_MAX >= text;) {
        const struct adit_leaf *leaf = &tape->leaves[i];
        bool stands_out = adit_heading_level(tape->els[leaf->el].tag) || leaf->emph_pm >= EMPH_MIN;
        if (stands_out && leaf->len >= LETTERS_MIN && leaf->len < TEXT_MIN)
            return plain_line(leaf->text, arena, ok);
    }
    return (struct adit_str){0};
}

/* --- a line that the text says ---------------------------------------------------------------- */

/* Words of a line that tell something: the letters that they begin with. */
struct telling {
    struct adit_str stem[TELLING_MAX];
    size_t n;
};

/* None of a line in a script without spaces. */
static void read_telling(struct telling *w, struct adit_str line, struct adit_arena *arena,
                         bool *ok)
{
    w->n = 0;
    for (size_t pos = 0; pos < line.len && w->n < TELLING_MAX;) {
        size_t from = pos, end = pos, stem = pos, letters = 0;
        for (; pos < line.len; end = pos) {
            uint32_t c = adit_utf8_next(line, &pos);
            if (adit_cp_is_cjk(c)) {
                w->n = 0;
                return;
            }
            if (!adit_cp_is_word(c)) break;
            if (++letters <= STEM) stem = pos;
        }
        if (letters < WORD_MIN || end == from) continue;
        w->stem[w->n++] = adit_meta_letters(adit_str_sub(line, from, stem), arena, ok);
    }
}

/* Whether the kept text, apart from leaf `but`, says at least `least` of these words. */
static bool text_says(const struct telling *w, size_t least, const struct adit_tape *tape,
                      size_t but, struct adit_arena *arena, bool *ok)
{
    uint32_t said = 0;
    size_t n = 0;
    for (size_t i = 0, texts = 0; i < tape->n_leaves && texts < TEXTS_MAX && n < least; i++) {
        if (!tape->leaves[i].keep || i == but) continue;
        struct adit_arena_mark mark = adit_arena_mark(arena);
        struct adit_str letters = adit_meta_letters(tape->leaves[i].text, arena, ok);
        for (size_t k = 0; k < w->n; k++) {
            if (said >> k & 1 || adit_str_find(letters, w->stem[k], 0) == letters.len) continue;
            said |= UINT32_C(1) << k, n++;
        }
        adit_arena_release(arena, mark);
        texts++;
    }
    return n >= least;
}

/* A line that may be a headline: no link, no sentence, no "By Ann Lee". */
static bool may_be_headline(const struct adit_leaf *leaf)
{
    static const char ends[] = ".!?:;,";
    char last = leaf->text.p[leaf->text.len - 1];
    return !leaf->hidden && leaf->len < LINE_LETTERS && 2 * leaf->len_link < leaf->len &&
           !adit_lead_len(leaf->text) && adit_str_chr(adit_str_z(ends), last, 0) == sizeof ends - 1;
}

struct adit_str adit_meta_told_above(struct adit_str title, const struct adit_tape *tape,
                                     struct adit_arena *arena, bool *ok)
{
    struct telling w;
    size_t text = tape ? first_text(tape) : 0;
    read_telling(&w, title, arena, ok);
    if (!tape || text == tape->n_leaves || !w.n || text_says(&w, 1, tape, SIZE_MAX, arena, ok))
        return (struct adit_str){0};
    for (size_t i = text; *ok && i-- > 0 && i + ABOVE_MAX >= text;) {
        const struct adit_leaf *leaf = &tape->leaves[i];
        struct adit_str line = adit_str_sub(leaf->text, 0, adit_str_chr(leaf->text, '\n', 0));
        if (!may_be_headline(leaf)) continue;
        read_telling(&w, line, arena, ok);
        if (w.n >= WORDS_MIN && text_says(&w, (w.n + 1) / 2, tape, i, arena, ok))
            return plain_line(line, arena, ok);
    }
    return (struct adit_str){0};
}
