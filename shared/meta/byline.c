/* Lines such as "By Ann Lee | May 5, 2024": the words before a name, and where it ends. */
#include "meta/meta_impl.h"

#include "text/text.h"

/* Words before a name, in several languages, sorted by their first byte: what is not ASCII is listed
 * as it is capitalised. Some mean other things, too, unless a colon or a slash follows. */
static const struct lead {
    struct adit_str word;
    bool sign;
} leads[] = {
    {ADIT_STR_INIT("authored by"), false},
    {ADIT_STR_INIT("article by"), false},
    {ADIT_STR_INIT("author"), false},
    {ADIT_STR_INIT("authors"), false},
    {ADIT_STR_INIT("author(s)"), false},
    {ADIT_STR_INIT("autor"), false},
    {ADIT_STR_INIT("autorin"), false},
    {ADIT_STR_INIT("autoren"), false},
    {ADIT_STR_INIT("auteur"), false},
    {ADIT_STR_INIT("auteure"), false},
    {ADIT_STR_INIT("auteurs"), false},
    {ADIT_STR_INIT("autora"), false},
    {ADIT_STR_INIT("autores"), false},
    {ADIT_STR_INIT("a cura di"), false},
    {ADIT_STR_INIT("autore"), false},
    {ADIT_STR_INIT("autori"), false},
    {ADIT_STR_INIT("av"), false},
    {ADIT_STR_INIT("af"), false},
    {ADIT_STR_INIT("avtor"), false},
    {ADIT_STR_INIT("autorius"), false},
    {ADIT_STR_INIT("autors"), false},
    {ADIT_STR_INIT("by"), false},
    {ADIT_STR_INIT("bởi"), false},
    {ADIT_STR_INIT("contributor"), true},
    {ADIT_STR_INIT("contributors"), true},
    {ADIT_STR_INIT("da"), false},
    {ADIT_STR_INIT("di"), false},
    {ADIT_STR_INIT("door"), false},
    {ADIT_STR_INIT("ein beitrag von"), false},
    {ADIT_STR_INIT("escrito por"), false},
    {ADIT_STR_INIT("forfatter"), false},
    {ADIT_STR_INIT("författare"), false},
    {ADIT_STR_INIT("guest post by"), false},
    {ADIT_STR_INIT("geschrieben von"), false},
    {ADIT_STR_INIT("geschreven door"), false},
    {ADIT_STR_INIT("kirjoittaja"), false},
    {ADIT_STR_INIT("napisal"), false},
    {ADIT_STR_INIT("napisał"), false},
    {ADIT_STR_INIT("napisała"), false},
    {ADIT_STR_INIT("oleh"), false},
    {ADIT_STR_INIT("posted by"), false},
    {ADIT_STR_INIT("published by"), false},
    {ADIT_STR_INIT("par"), false},
    {ADIT_STR_INIT("publié par"), false},
    {ADIT_STR_INIT("por"), false},
    {ADIT_STR_INIT("publicado por"), false},
    {ADIT_STR_INIT("przez"), false},
    {ADIT_STR_INIT("penulis"), false},
    {ADIT_STR_INIT("reviewed by"), false},
    {ADIT_STR_INIT("researched by"), false},
    {ADIT_STR_INIT("reporting by"), false},
    {ADIT_STR_INIT("rédigé par"), false},
    {ADIT_STR_INIT("story by"), false},
    {ADIT_STR_INIT("scritto da"), false},
    {ADIT_STR_INIT("skrevet av"), false},
    {ADIT_STR_INIT("skrevet af"), false},
    {ADIT_STR_INIT("skriven av"), false},
    {ADIT_STR_INIT("szerző"), false},
    {ADIT_STR_INIT("text by"), false},
    {ADIT_STR_INIT("this post was written by"), false},
    {ADIT_STR_INIT("this article was written by"), false},
    {ADIT_STR_INIT("tác giả"), false},
    {ADIT_STR_INIT("text"), true},
    {ADIT_STR_INIT("texte"), true},
    {ADIT_STR_INIT("texto"), true},
    {ADIT_STR_INIT("testo"), true},
    {ADIT_STR_INIT("tekst"), true},
    {ADIT_STR_INIT("teksti"), true},
    {ADIT_STR_INIT("von"), false},
    {ADIT_STR_INIT("verfasst von"), false},
    {ADIT_STR_INIT("written by"), false},
    {ADIT_STR_INIT("words by"), false},
    {ADIT_STR_INIT("yazan"), false},
    {ADIT_STR_INIT("yazar"), false},
    {ADIT_STR_INIT("écrit par"), false},
    {ADIT_STR_INIT("írta"), false},
    {ADIT_STR_INIT("Συντάκτης"), false},
    {ADIT_STR_INIT("συντάκτης"), false},
    {ADIT_STR_INIT("автор"), false},
    {ADIT_STR_INIT("Автор"), false},
    {ADIT_STR_INIT("авторы"), false},
    {ADIT_STR_INIT("Авторы"), false},
    {ADIT_STR_INIT("автори"), false},
    {ADIT_STR_INIT("Автори"), false},
    {ADIT_STR_INIT("Текст"), true},
    {ADIT_STR_INIT("текст"), true},
    {ADIT_STR_INIT("מאת"), false},
    {ADIT_STR_INIT("بقلم"), false},
    {ADIT_STR_INIT("الكاتب"), false},
    {ADIT_STR_INIT("كتب"), false},
    {ADIT_STR_INIT("كتبت"), false},
    {ADIT_STR_INIT("نویسنده"), false},
    {ADIT_STR_INIT("लेखक"), false},
    {ADIT_STR_INIT("ライター"), false},
    {ADIT_STR_INIT("作者"), false},
    {ADIT_STR_INIT("執筆者"), false},
    {ADIT_STR_INIT("執筆"), false},
    {ADIT_STR_INIT("取材・文"), true},
    {ADIT_STR_INIT("文"), false},
    {ADIT_STR_INIT("撰文"), false},
    {ADIT_STR_INIT("本报记者"), false},
    {ADIT_STR_INIT("文・写真"), true},
    {ADIT_STR_INIT("筆者"), false},
    {ADIT_STR_INIT("編集"), true},
    {ADIT_STR_INIT("编辑"), true},
    {ADIT_STR_INIT("记者"), false},
    {ADIT_STR_INIT("記者"), false},
    {ADIT_STR_INIT("責任編集"), false},
    {ADIT_STR_INIT("著者"), false},
    {ADIT_STR_INIT("글쓴이"), false},
    {ADIT_STR_INIT("글"), true},
    {ADIT_STR_INIT("작성자"), false},
};

/* Length of the signs at the beginning of s that part a lead from a name; *strong: not just space.
 */
static size_t signs_len(struct adit_str s, bool *strong)
{
    static const struct adit_str signs[] = {
        ADIT_STR_INIT(" "),  ADIT_STR_INIT(":"),  ADIT_STR_INIT("/"),  ADIT_STR_INIT("|"),
        ADIT_STR_INIT("："), ADIT_STR_INIT("／"), ADIT_STR_INIT("＝"), ADIT_STR_INIT("\xC2\xA0"),
    };
    size_t end = 0;
    *strong = false;
    for (size_t i = 0; i < ADIT_COUNT(signs); i++) {
        if (!adit_str_starts(adit_str_sub(s, end, s.len), signs[i])) continue;
        end += signs[i].len;
        *strong = *strong || (i > 0 && i + 1 < ADIT_COUNT(signs));
        i = SIZE_MAX; /* once more from the start */
    }
    return end;
}

/* The first lead that begins with the byte c or a greater one. */
static size_t first_lead(char c)
{
    size_t low = 0, high = ADIT_COUNT(leads);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((unsigned char)leads[middle].word.p[0] < (unsigned char)c)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether s begins with the lead; of most texts the first two bytes tell. */
static bool begins(struct adit_str s, struct adit_str lead)
{
    return s.len >= lead.len && adit_lower(s.p[1]) == adit_lower(lead.p[1]) &&
           adit_str_istarts(s, lead);
}

/* Length of the lead that s begins with, and the signs behind it; 0 if there is none. "ByAnn": a
 * capital may follow at once. */
size_t adit_lead_len(struct adit_str s)
{
    size_t longest = 0;
    char c = s.len ? adit_lower(s.p[0]) : 0;
    for (size_t i = first_lead(c); i < ADIT_COUNT(leads) && leads[i].word.p[0] == c; i++) {
        struct adit_str lead = leads[i].word;
        size_t n = lead.len;
        if (s.len <= n || !begins(s, lead)) continue;
        bool strong;
        size_t end = n + signs_len(adit_str_sub(s, n, s.len), &strong);
        bool glued = end == n && adit_str_eq(lead, ADIT_STR("by")) && s.p[1] == 'y' &&
                     s.p[n] >= 'A' && s.p[n] <= 'Z';
        bool parted = leads[i].sign ? strong : end > n;
        if ((parted || glued) && end > longest) longest = end;
    }
    return longest;
}

/* A lead without a name: "By", "Written by:". */
bool adit_is_lead(struct adit_str s)
{
    bool strong;
    char c = s.len ? adit_lower(s.p[0]) : 0;
    for (size_t i = first_lead(c); i < ADIT_COUNT(leads) && leads[i].word.p[0] == c; i++) {
        struct adit_str lead = leads[i].word;
        if (!begins(s, lead)) continue;
        struct adit_str rest = adit_str_sub(s, lead.len, s.len);
        size_t signs = signs_len(rest, &strong);
        if (signs == rest.len && (strong || !leads[i].sign)) return true;
    }
    return false;
}

bool adit_ends_in_lead(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((i == 0 || s.p[i - 1] == ' ') && adit_is_lead(adit_str_sub(s, i, s.len))) return true;
    return false;
}

struct adit_str adit_without_lead(struct adit_str s)
{
    for (size_t n; (n = adit_lead_len(s)) > 0;) s = adit_str_sub(s, n, s.len);
    return s;
}

/* --- text around a name ----------------------------------------------------------------------- */

/* "January 17, 2017 by Ann": what stands behind the lead. */
struct adit_str adit_behind_date(struct adit_str s)
{
    size_t i = 0;
    while (i < s.len && !adit_is_digit(s.p[i])) i++;
    for (i++; i < s.len; i++)
        if (s.p[i - 1] == ' ' && adit_lead_len(adit_str_sub(s, i, s.len)))
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
    static const char words[] = "updated,published,posted,last,sponsored,date,"
                                "monday,tuesday,wednesday,thursday,friday,saturday,sunday,"
                                "mon,tue,wed,thu,fri,sat,sun";
    struct adit_str letters = adit_meta_letters(word, arena, ok);
    if (letters.len == 0 || (word.p[0] >= 'a' && word.p[0] <= 'z')) return true;
    return adit_str_in(letters, words) || (next_to_digit && adit_month_of_word(letters));
}

static struct adit_str trim_signs(struct adit_str s)
{
    static const char signs[] = " ,;:-.|~*\n";
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
struct adit_str adit_name_in_line(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    s = one_of_two(adit_without_lead(adit_behind_date(s)));
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
struct adit_str adit_without_site(struct adit_str s, struct adit_str host, struct adit_str site,
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
