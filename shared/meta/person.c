/* What a text in a name's place is (somebody's name, a login, the site, nothing), and the name
 * without what stands around it: roles, houses, words of buttons. */
#include "meta/meta_impl.h"

#include "text/text.h"

enum {
    NAME_WORDS_MAX = 8,
    LIST_WORDS_MAX = 24,
    NUMBER_MIN = 4, /* digits of a number, and letters that it does not have */
    NUMBER_LETTERS = 3,
    LABEL_MIN = 4,     /* letters of a host's label that is the site's name */
    SITE_MORE_MAX = 3, /* letters behind the site's name: "Example WP" */
    COPYRIGHT_MIN = 5,
    HAN_NAME_MAX = 4 /* characters of a Chinese name */
};

/* What stands in a name's place and is none, as letters. */
static const char nobody[] =
    "admin,administrator,author,authors,theauthor,editor,webmaster,guest,anonymous,unknown,null,"
    "undefined,none,user,username,buyer,seller,abouttheauthor,via,by,follow,followauthor,folgen,"
    "suivre,seguir,segui,"
    "notes,photo,share,comments,contributors";

/* Words that tell a button or a link from a name. */
static const char tool_words[] = "view,see,more,read,archive,archives,follow,all,posts,articles,"
                                 "edition,profile,leave,comment,subscribe,heard,navigation,links";

/* The last word of an office or a company. */
static const char office_words[] =
    "team,staff,editors,editorial,newsroom,desk,redaktion,redazione,redaktionen,redactie,redakcja,"
    "inc,llc,ltd,gmbh,ag,association,foundation,university,institute,group,company,corporation,"
    "verlag,developer,publishing,publishers";

/* The last word of a newspaper's or agency's name. */
static const char press_words[] =
    "news,press,times,report,post,journal,tribune,herald,magazine,network,media,newspaper,agency,"
    "zeitung,nachrichten,appeal";

/* Words of a role behind a name and a comma. */
static const char role_words[] =
    "writer,editor,reporter,correspondent,columnist,contributor,staff,director,officer,professor,"
    "attorney,lawyer,producer,analyst,manager,founder,cofounder,president,head,lead,journalist,"
    "author,educator,educators,specialist,researcher,scientist,engineer,consultant,guest,special,"
    "chief,senior,associate,expert,coach,intern,fellow,critic,strategist,redakteur,redakteurin,"
    "korrespondent,journaliste,redactor,redactora,periodista";

/* The next word of *rest without signs, as it stands; false at the end. */
static bool next_word(struct adit_str *rest, struct adit_str *word)
{
    static const char signs[] = ",.;:()";
    while (adit_str_split(rest, ' ', word)) {
        while (word->len && adit_str_chr(adit_str_z(signs), word->p[word->len - 1], 0) < 6)
            word->len--;
        if (word->len) return true;
    }
    return false;
}

static bool has_word(struct adit_str s, const char *list, const struct adit_namer *j)
{
    struct adit_str word;
    while (next_word(&s, &word))
        if (adit_str_in(adit_meta_letters(word, j->arena, j->ok), list)) return true;
    return false;
}

static bool ends_in_word(struct adit_str s, const char *list, const struct adit_namer *j)
{
    struct adit_str word, last = {0};
    while (next_word(&s, &word)) last = word;
    return adit_str_in(adit_meta_letters(last, j->arena, j->ok), list);
}

static size_t count_words(struct adit_str s)
{
    size_t n = 1;
    for (size_t i = 0; i < s.len; i++) n += s.p[i] == ' ';
    return n;
}

bool adit_is_name_like(struct adit_str s, const struct adit_namer *j)
{
    if (s.len == 0 || adit_str_chr(s, ':', 0) < s.len) return false;
    if (s.p[s.len - 1] == '!' || s.p[s.len - 1] == '?') return false;
    if (has_word(s, tool_words, j)) return false;
    return count_words(s) <= (adit_str_chr(s, ',', 0) < s.len ? LIST_WORDS_MAX : NAME_WORDS_MAX);
}

/* Whether a word in small letters stands in s that no name has: "officer of the council". */
static bool tells_role(struct adit_str s)
{
    static const char in_names[] = "della,avec,with";
    struct adit_str word;
    while (next_word(&s, &word)) {
        if (word.len < 4 || word.p[0] < 'a' || word.p[0] > 'z') continue;
        if (!adit_str_in(word, in_names)) return true;
    }
    return false;
}

bool adit_is_full_name(struct adit_str s)
{
    size_t words = count_words(s);
    if (s.len == 0 || words < 2 || words > NAME_WORDS_MAX) return false;
    return !(s.p[0] >= 'a' && s.p[0] <= 'z') && !adit_is_digit(s.p[0]) && !tells_role(s);
}

/* Whether s is one word that programs make: "jsmith2", "ann.lee", "example.com", "KatieS". */
static bool is_login(struct adit_str s)
{
    bool made = false, upper = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == ' ' || c < 0) return false;
        made = made || adit_is_digit(c) || c == '_' || (c == '.' && i + 1 < s.len);
        upper = upper || !(adit_is_digit(c) || c == '_' || c == '.' || (c >= 'a' && c <= 'z'));
    }
    return made || !upper;
}

/* One word of a script that writes names as several. */
static bool is_one_word(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == ' ' || s.p[i] == ',') return false;
    size_t pos = 0;
    return !adit_cp_is_cjk(adit_utf8_next(s, &pos));
}

/* "105092", "L_104485": a number, with at most a letter or two before it. */
static bool is_number(struct adit_str s)
{
    size_t digits = 0, others = 0;
    for (size_t i = 0; i < s.len; i++) adit_is_digit(s.p[i]) ? digits++ : others++;
    return digits >= NUMBER_MIN && others < NUMBER_LETTERS;
}

/* Chinese names have two to four characters, those of papers end in "报", "网", "社" and have more. */
static bool is_long_han(struct adit_str s)
{
    size_t n = 0;
    for (size_t pos = 0; pos < s.len; n++) {
        if (!adit_is_han(adit_utf8_next(s, &pos))) return false;
    }
    return n > HAN_NAME_MAX;
}

/* Whether letters are the site's name, its host's, its publisher's. */
static bool is_house(const struct adit_namer *j, struct adit_str s, struct adit_str letters)
{
    struct adit_str host = j->host, label;
    if (adit_str_eq(letters, j->site) || adit_str_istarts(s, ADIT_STR("www."))) return true;
    if (is_long_han(s)) return true;
    if (letters.len >= COPYRIGHT_MIN && adit_str_find(j->holder, letters, 0) < j->holder.len)
        return true;
    while (adit_str_split(&host, '.', &label)) {
        label = adit_meta_letters(label, j->arena, j->ok);
        if (adit_str_eq(label, letters)) return true;
        if (label.len >= LABEL_MIN && adit_str_starts(letters, label) &&
            letters.len <= label.len + SITE_MORE_MAX)
            return true;
    }
    return adit_str_chr(s, ' ', 0) < s.len && adit_str_chr(s, ',', 0) == s.len &&
           (ends_in_word(s, office_words, j) || ends_in_word(s, press_words, j));
}

enum adit_naming adit_naming(const struct adit_namer *j, struct adit_str s, size_t max)
{
    if (s.len == 0 || s.len > max || s.p[0] == ',' || adit_str_istarts(s, ADIT_STR("http")))
        return ADIT_NAMES_NOBODY;
    if (adit_str_chr(s, '@', 0) < s.len || is_number(s)) return ADIT_NAMES_NOBODY;
    struct adit_str letters = adit_meta_letters(s, j->arena, j->ok);
    if (letters.len < 2 || adit_str_in(letters, nobody)) return ADIT_NAMES_NOBODY;
    if (is_house(j, s, letters)) return ADIT_NAMES_SITE;
    if (is_login(s)) return ADIT_NAMES_LOGIN;
    return is_one_word(s) ? ADIT_NAMES_WORD : ADIT_NAMES_PERSON;
}

/* --- what stands around a name ---------------------------------------------------------------- */

/* "Ann Lee, Example Press", "Ann Lee, head of news", "Ann Lee The Example Press": the name. */
static struct adit_str without_tail(struct adit_str s, const struct adit_namer *j)
{
    for (size_t comma = 0; (comma = adit_str_find(s, ADIT_STR(", "), comma)) < s.len; comma++) {
        struct adit_str tail = adit_str_sub(s, comma + 2, s.len);
        struct adit_str part = adit_str_sub(tail, 0, adit_str_find(tail, ADIT_STR(", "), 0));
        if (adit_str_starts(part, ADIT_STR("in "))) return adit_str_sub(s, 0, comma);
        bool other = tells_role(part) || adit_str_starts(part, ADIT_STR("The ")) ||
                     has_word(part, role_words, j) ||
                     (count_words(part) > 1 && ends_in_word(part, press_words, j));
        if (other && adit_is_full_name(adit_str_sub(s, 0, comma))) return adit_str_sub(s, 0, comma);
    }
    size_t the = adit_str_find(s, ADIT_STR(" The "), 0);
    if (the < s.len && adit_is_full_name(adit_str_sub(s, 0, the))) s = adit_str_sub(s, 0, the);
    return s;
}

/* "Ann Lee | Example News", "Ann Lee - Example": what stands before the sign. */
struct adit_str adit_name_alone(struct adit_str s, const struct adit_namer *j)
{
    static const struct adit_str signs[] = {ADIT_STR_INIT(" | "), ADIT_STR_INIT(" - "),
                                            ADIT_STR_INIT(" – "), ADIT_STR_INIT(" — "),
                                            ADIT_STR_INIT(" • ")};
    s = without_tail(s, j);
    for (size_t i = 0; i < ADIT_COUNT(signs); i++)
        s = adit_str_sub(s, 0, adit_str_find(s, signs[i], 0));
    while (s.len && (s.p[s.len - 1] == '|' || s.p[s.len - 1] == ' ')) s.len--;
    return s;
}

/* The word between two names, or 0 if s does not begin with one: its length, with the spaces. */
static size_t between_len(struct adit_str s)
{
    static const struct adit_str words[] = {
        ADIT_STR_INIT(" and "), ADIT_STR_INIT(" & "),   ADIT_STR_INIT(" und "),
        ADIT_STR_INIT(" et "),  ADIT_STR_INIT(" y "),   ADIT_STR_INIT(" e "),
        ADIT_STR_INIT(" og "),  ADIT_STR_INIT(" och "), ADIT_STR_INIT(" en "),
        ADIT_STR_INIT(" ja "),  ADIT_STR_INIT(" i "),   ADIT_STR_INIT(" и "),
        ADIT_STR_INIT(" ve "),  ADIT_STR_INIT(" a "),   ADIT_STR_INIT(" és "),
    };
    for (size_t i = 0; i < ADIT_COUNT(words); i++)
        if (adit_str_starts(s, words[i])) return words[i].len;
    return 0;
}

/* "Ann Lee and Bob Poe", "Ann Lee,Bob Poe": "Ann Lee, Bob Poe". What is no list of full names stays
 * as it stands. */
struct adit_str adit_names_tidy(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    struct adit_buf out;
    bool names = true;
    size_t n = 0;
    adit_buf_init(&out, arena->mem, 2 * s.len + 2);
    for (size_t from = 0, i = 0; i <= s.len && names; i++) {
        size_t word = i < s.len ? between_len(adit_str_sub(s, i, s.len)) : 0;
        bool comma = i < s.len && s.p[i] == ',';
        if (i < s.len && !word && !comma) continue;
        struct adit_str name = adit_str_trim(adit_str_sub(s, from, i));
        from = i + (word ? word : 1);
        if (word) i = from - 1;
        if (name.len == 0) continue; /* "Ann Lee, Bob Poe, and Cy Day" */
        names = adit_is_full_name(name);
        if (n++) adit_buf_lit(&out, ", ");
        adit_buf_add(&out, name);
    }
    if (out.err) *ok = false;
    if (names && n > 1 && !out.err) s = adit_arena_dup(arena, adit_buf_str(&out), ok);
    adit_buf_free(&out);
    return s;
}
