/* The author: the first source that names somebody. */
#include "page/meta_parts.h"

#include "page/tape.h"
#include "text/date_words.h"
#include "text/text.h"

enum { NAME_LEN = 100, LIST_MAX = 300, NEAR_AFTER = 8, NEAR_BEFORE = 3, NEAR_TEXT = 120 };

/* Words before a name, in several languages. */
static const struct adit_str leads[] = {
    ADIT_STR_INIT("written by"),  ADIT_STR_INIT("posted by"), ADIT_STR_INIT("published by"),
    ADIT_STR_INIT("words by"),    ADIT_STR_INIT("text by"),   ADIT_STR_INIT("story by"),
    ADIT_STR_INIT("reviewed by"), ADIT_STR_INIT("by"),        ADIT_STR_INIT("author"),
    ADIT_STR_INIT("authors"),     ADIT_STR_INIT("autor"),     ADIT_STR_INIT("autore"),
    ADIT_STR_INIT("auteur"),      ADIT_STR_INIT("von"),       ADIT_STR_INIT("par"),
    ADIT_STR_INIT("por"),         ADIT_STR_INIT("di"),        ADIT_STR_INIT("door"),
    ADIT_STR_INIT("av"),          ADIT_STR_INIT("af"),        ADIT_STR_INIT("作者"),
    ADIT_STR_INIT("文"),          ADIT_STR_INIT("автор"),
};

/* What stands in a name's place and is none. */
static const struct adit_str nobody[] = {
    ADIT_STR_INIT("admin"),     ADIT_STR_INIT("administrator"),  ADIT_STR_INIT("author"),
    ADIT_STR_INIT("theauthor"), ADIT_STR_INIT("editor"),         ADIT_STR_INIT("webmaster"),
    ADIT_STR_INIT("guest"),     ADIT_STR_INIT("anonymous"),      ADIT_STR_INIT("unknown"),
    ADIT_STR_INIT("null"),      ADIT_STR_INIT("undefined"),      ADIT_STR_INIT("none"),
    ADIT_STR_INIT("user"),      ADIT_STR_INIT("abouttheauthor"),
};

static bool in_list(struct adit_str s, const struct adit_str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_eq(s, list[i])) return true;
    return false;
}

/* Length of the lead that s begins with, and the signs behind it; 0 if there is none. "ByAnn": a
 * capital may follow at once. */
static size_t lead_len(struct adit_str s)
{
    for (size_t i = 0; i < ADIT_COUNT(leads); i++) {
        size_t n = leads[i].len;
        if (s.len <= n || adit_lower(s.p[0]) != leads[i].p[0] || !adit_str_istarts(s, leads[i]))
            continue;
        size_t end = n;
        while (end < s.len && (s.p[end] == ' ' || s.p[end] == ':')) end++;
        if (adit_str_starts(adit_str_sub(s, end, s.len), ADIT_STR("："))) end += 3;
        bool glued = end == n && adit_str_eq(leads[i], ADIT_STR("by")) && s.p[1] == 'y' &&
                     s.p[n] >= 'A' && s.p[n] <= 'Z';
        if (end > n || glued) return end;
    }
    return 0;
}

static struct adit_str without_lead(struct adit_str s)
{
    for (size_t n; (n = lead_len(s)) > 0;) s = adit_str_sub(s, n, s.len);
    return s;
}

/* --- text around a name ----------------------------------------------------------------------- */

/* "January 17, 2017 by Ann": what stands behind the lead. */
static struct adit_str behind_date(struct adit_str s)
{
    size_t i = 0;
    while (i < s.len && !adit_is_digit(s.p[i])) i++;
    for (i++; i < s.len; i++)
        if (s.p[i - 1] == ' ' && lead_len(adit_str_sub(s, i, s.len)))
            return adit_str_sub(s, i, s.len);
    return s;
}

static bool ends_name(uint32_t c)
{
    switch (c) {
    case '|':
    case '\n':
    case '(':
    case '[':
    case '<':
    case '@':
    case '/':
    case 0xB7:
    case 0xBB:
    case 0x2022:
    case 0x25CF:
    case 0x2013:
    case 0x2014:
    case 0xFF5C: return true;
    default: return c < 0x80 && adit_is_digit((char)c);
    }
}

/* The last word of s begins here. */
static size_t last_word(struct adit_str s)
{
    size_t at = s.len;
    while (at > 0 && s.p[at - 1] != ' ') at--;
    return at;
}

/* Words that lead from a name to a date: months, weekdays, and those in lower case ("on"). */
static bool leads_to_date(struct adit_str word, bool next_to_digit, struct adit_arena *arena,
                          bool *ok)
{
    static const struct adit_str words[] = {
        ADIT_STR_INIT("updated"),   ADIT_STR_INIT("published"), ADIT_STR_INIT("posted"),
        ADIT_STR_INIT("last"),      ADIT_STR_INIT("monday"),    ADIT_STR_INIT("tuesday"),
        ADIT_STR_INIT("wednesday"), ADIT_STR_INIT("thursday"),  ADIT_STR_INIT("friday"),
        ADIT_STR_INIT("saturday"),  ADIT_STR_INIT("sunday"),    ADIT_STR_INIT("mon"),
        ADIT_STR_INIT("tue"),       ADIT_STR_INIT("wed"),       ADIT_STR_INIT("thu"),
        ADIT_STR_INIT("fri"),       ADIT_STR_INIT("sat"),       ADIT_STR_INIT("sun"),
        ADIT_STR_INIT("sponsored"), ADIT_STR_INIT("date"),
    };
    struct adit_str letters = adit_meta_letters(word, arena, ok);
    if (letters.len == 0 || (word.p[0] >= 'a' && word.p[0] <= 'z')) return true;
    return in_list(letters, words, ADIT_COUNT(words)) ||
           (next_to_digit && adit_month_of_word(letters));
}

static struct adit_str trim_signs(struct adit_str s)
{
    static const char signs[] = " ,;:-.\n";
    while (s.len && adit_str_chr(adit_str_z(signs), s.p[s.len - 1], 0) < sizeof signs - 1) {
        /* "Jr." and initials keep their dot. */
        if (s.p[s.len - 1] == '.' && s.len > 2 && last_word(s) + 4 >= s.len) break;
        s.len--;
    }
    while (s.len && adit_str_chr(adit_str_z(signs), s.p[0], 0) < sizeof signs - 1)
        s = adit_str_sub(s, 1, s.len);
    return s;
}

/* "Ann Lee Edited by Bob": the first name; "More stories by Ann Lee": the one behind. */
static struct adit_str one_of_two(struct adit_str s)
{
    size_t by = adit_str_ifind(s, ADIT_STR(" by "), 1);
    if (by == s.len) return s;
    size_t cut = last_word(adit_str_sub(s, 0, by)), capitals = 0;
    for (size_t i = 0; i < cut; i++)
        if ((i == 0 || s.p[i - 1] == ' ') && s.p[i] >= 'A' && s.p[i] <= 'Z') capitals++;
    return capitals >= 2 ? adit_str_sub(s, 0, cut) : adit_str_sub(s, by + 4, s.len);
}

/* The name in a line such as "By Ann Lee | May 5, 2024 | 3 comments". */
static struct adit_str from_line(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    s = one_of_two(without_lead(behind_date(s)));
    size_t end = 0;
    bool digit = false, words = adit_str_chr(s, ' ', 0) < s.len;
    while (end < s.len) {
        size_t next = end;
        uint32_t c = adit_utf8_next(s, &next);
        bool dash = c == '-' && end > 0 && s.p[end - 1] == ' ';
        digit = c < 0x80 && adit_is_digit((char)c);
        if (end > 0 && (ends_name(c) || dash) && (words || !digit)) break;
        end = next;
    }
    digit = digit && end < s.len;
    s = trim_signs(adit_str_sub(s, 0, end));
    for (bool first = true; digit && s.len; first = false) {
        if (!leads_to_date(adit_str_sub(s, last_word(s), s.len), first, arena, ok)) break;
        s = trim_signs(adit_str_sub(s, 0, last_word(s)));
    }
    return s;
}

/* "Ann Lee, CNN" at cnn.com */
static struct adit_str without_site(struct adit_str s, struct adit_str host, struct adit_str site,
                                    struct adit_arena *arena, bool *ok)
{
    size_t comma = s.len;
    while (comma > 0 && s.p[comma - 1] != ',') comma--;
    if (comma == 0) return s;
    struct adit_str tail = adit_meta_letters(adit_str_sub(s, comma, s.len), arena, ok), label;
    bool named = site.len && adit_str_eq(tail, site);
    while (!named && adit_str_split(&host, '.', &label)) named = adit_str_ieq(tail, label);
    return named ? adit_str_sub(s, 0, comma - 1) : s;
}

/* --- judging ---------------------------------------------------------------------------------- */

struct judge {
    struct adit_str site; /* as letters */
    struct adit_str host;
    struct adit_arena *arena;
    bool *ok;
};

enum verdict { REFUSED, SITE, LOGIN, NAME };

/* A login ("jsmith2") and the site itself are taken only if there is no better name. */
static enum verdict judge(const struct judge *j, struct adit_str s, size_t max)
{
    if (s.len == 0 || s.len > max || adit_str_istarts(s, ADIT_STR("http"))) return REFUSED;
    if (adit_str_chr(s, '@', 0) < s.len) return REFUSED;
    struct adit_str letters = adit_meta_letters(s, j->arena, j->ok);
    if (letters.len < 2 || in_list(letters, nobody, ADIT_COUNT(nobody))) return REFUSED;
    if (adit_str_eq(letters, j->site)) return SITE;
    for (size_t i = 0; i < s.len; i++)
        if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && !adit_is_digit(s.p[i]) && s.p[i] != '_')
            return NAME;
    return LOGIN;
}

/* "Written by" in a Twitter card. */
static struct adit_str twitter(const struct adit_meta_candidates *c)
{
    for (size_t i = 0; i < 2; i++) {
        struct adit_str label = c->twitter_label[i];
        if (label.len && adit_str_ifind(label, ADIT_STR("writ"), 0) < label.len)
            return c->twitter_data[i];
    }
    return (struct adit_str){0};
}

static size_t count_words(struct adit_str s)
{
    size_t n = 1;
    for (size_t i = 0; i < s.len; i++) n += s.p[i] == ' ';
    return n;
}

/* "By Ann Lee" in a short line near the title. */
static struct adit_str near_title(const struct adit_tape *tape, size_t title, const struct judge *j)
{
    for (size_t k = 0; tape && k < NEAR_AFTER + NEAR_BEFORE; k++) {
        if (k >= NEAR_AFTER && title < k - NEAR_AFTER + 1) break;
        size_t i = k < NEAR_AFTER ? title + k : title - (k - NEAR_AFTER + 1);
        if (i >= tape->n_leaves) continue;
        struct adit_str line = tape->leaves[i].text;
        if (line.len > NEAR_TEXT || lead_len(behind_date(line)) == 0) continue;
        struct adit_str name = from_line(line, j->arena, j->ok);
        bool lower = name.len && name.p[0] >= 'a' && name.p[0] <= 'z' &&
                     adit_str_chr(name, ' ', 0) < name.len;
        if (!lower && count_words(name) <= 8 && judge(j, name, NAME_LEN) >= SITE) return name;
    }
    return (struct adit_str){0};
}

static bool is_line(size_t source)
{
    return source == ADIT_AUTHOR_CLASS_NAME || source == ADIT_AUTHOR_REL ||
           source == ADIT_AUTHOR_ITEMPROP || source == ADIT_AUTHOR_CLASS;
}

/* Sources that name somebody else as often as the author: a commenter, a related post's. */
static bool weak(size_t source) { return source >= ADIT_AUTHOR_ITEMPROP; }

struct adit_str adit_meta_author(const struct adit_meta *m, struct adit_str url,
                                 const struct adit_tape *tape, size_t title,
                                 struct adit_arena *arena, bool *ok)
{
    const struct adit_meta_candidates *c = m->candidates;
    struct judge j = {.site = adit_meta_letters(m->site_name, arena, ok),
                      .host = adit_meta_host(url),
                      .arena = arena,
                      .ok = ok};
    struct adit_str best = {0};
    enum verdict best_verdict = REFUSED;
    for (size_t i = 0; i <= ADIT_AUTHOR_SOURCES; i++) {
        if (weak(i) && best_verdict > REFUSED) break;
        struct adit_str s = i == ADIT_AUTHOR_TWITTER  ? twitter(c)
                            : i < ADIT_AUTHOR_SOURCES ? c->author[i]
                                                      : near_title(tape, title, &j);
        s = adit_meta_squeeze(s, arena, ok);
        s = is_line(i) ? from_line(s, arena, ok) : without_lead(s);
        s = without_site(s, j.host, j.site, arena, ok);
        enum verdict v = judge(&j, s, is_line(i) ? NAME_LEN : LIST_MAX);
        if (v == NAME) return s;
        if (v > best_verdict) best = s, best_verdict = v;
    }
    return best;
}
