/* The text of a page that a script will build: frameworks send the data along, as JSON in a script of
 * its own (Next.js, Nuxt 3, SvelteKit), assigned to a variable (Remix, Apollo, Redux, Vuex) or as a
 * string that is handed to a function (React Router, JSON.parse). What counts is shape, not names: the
 * innermost object or array that holds most of all running text is the article.
 *
 * The JSON is checked (strict, depth limited) and then read as tokens, four times, in linear time: there is
 * no tree and no recursion. */
#include "meta/meta_impl.h"
#include "text/text.h"

#include <string.h>

enum {
    JSON_MIN = 200,   /* bytes of a state that is worth a look */
    TRIES_MAX = 8,    /* assignments and calls of one script that are tried */
    PROSE_MIN = 60,   /* bytes of a string of running text */
    BLANKS_MIN = 8,   /* spaces in it; else a fifth of its bytes are not ASCII */
    WORD_MAX = 20,    /* bytes of a word, on average */
    ESCAPE_BYTES = 6, /* of one character that is escaped */
    MOST = 60,        /* per cent of the running text that the article's object has */
    KEY_MAX = 40,     /* bytes of a member's name */
    TEXT_MAX = 1 << 20
};

/* --- where the JSON is ------------------------------------------------------------------------ */

/* The end of the string literal that begins at s.p[at]; s.len if it has none. */
static size_t string_end(struct adit_str s, size_t at)
{
    for (at++; at < s.len && s.p[at] != '"'; at++)
        if (s.p[at] == '\\') at++;
    return at < s.len ? at + 1 : s.len;
}

/* The end of the object or array that begins at s.p[at], by its brackets. */
static size_t value_end(struct adit_str s, size_t at)
{
    size_t depth = 0;
    while (at < s.len) {
        char c = s.p[at];
        if (c == '"') {
            at = string_end(s, at);
            continue;
        }
        at++;
        if (c == '{' || c == '[') depth++;
        if ((c == '}' || c == ']') && --depth == 0) return at;
    }
    return s.len;
}

/* A copy in which the word undefined, which JavaScript has and JSON has not, is null. */
static struct adit_str without_undefined(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    static const char word[] = "undefined";
    char *p = adit_arena_alloc(arena, s.len);
    if (!p) {
        *ok = false;
        return (struct adit_str){0};
    }
    memcpy(p, s.p, s.len);
    struct adit_str copy = adit_str_of(p, s.len);
    for (size_t i = 0; i < s.len;) {
        if (p[i] == '"')
            i = string_end(copy, i);
        else if (adit_str_starts(adit_str_sub(copy, i, s.len), ADIT_STR("undefined")))
            memcpy(p + i, "null     ", sizeof word - 1), i += sizeof word - 1;
        else
            i++;
    }
    return copy;
}

static bool is_json(struct adit_str s)
{
    struct adit_json_value v;
    return s.len >= JSON_MIN && adit_json_check(s, &v, NULL) == ADIT_OK &&
           v.kind >= ADIT_JSON_ARRAY;
}

static size_t skip_blanks(struct adit_str s, size_t at)
{
    while (at < s.len && adit_is_space(s.p[at])) at++;
    return at;
}

static bool opens(struct adit_str s, size_t at)
{
    return at < s.len && (s.p[at] == '{' || s.p[at] == '[');
}

/* "x = {…}" */
static struct adit_str assigned(struct adit_str s, size_t at, struct adit_arena *arena, bool *ok)
{
    struct adit_str json = adit_str_sub(s, at, value_end(s, at));
    if (json.len < JSON_MIN || is_json(json)) return json;
    if (adit_str_find(json, ADIT_STR("undefined"), 0) == json.len) return (struct adit_str){0};
    return without_undefined(json, arena, ok);
}

/* "f(\"{…}\")" */
static struct adit_str quoted(struct adit_str s, size_t at, struct adit_arena *arena, bool *ok)
{
    struct adit_json_value v;
    struct adit_str literal = adit_str_sub(s, at, string_end(s, at));
    if (literal.len < JSON_MIN || adit_json_check(literal, &v, NULL) != ADIT_OK)
        return (struct adit_str){0};
    return adit_str_trim(adit_json_text(v, arena, ok));
}

/* The JSON of a script; empty if it has none. */
static struct adit_str find_json(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    s = adit_str_trim(s);
    if (opens(s, 0)) return is_json(s) ? s : (struct adit_str){0};
    size_t tries = 0;
    for (size_t at = 0; at < s.len && tries < TRIES_MAX && *ok; at++) {
        if (s.p[at] != '=' && s.p[at] != '(') continue;
        size_t from = skip_blanks(s, at + 1);
        struct adit_arena_mark mark = adit_arena_mark(arena);
        struct adit_str json = {0};
        if (s.p[at] == '=' && opens(s, from)) {
            json = assigned(s, from, arena, ok);
            tries++;
        } else if (s.p[at] == '(' && from + 1 < s.len && s.p[from] == '"' && opens(s, from + 1)) {
            json = quoted(s, from, arena, ok);
            tries++;
        }
        if (is_json(json)) return json;
        adit_arena_release(arena, mark);
    }
    return (struct adit_str){0};
}

/* --- tokens ----------------------------------------------------------------------------------- */

enum token { END, OPEN, CLOSE, STRING };

/* The reading of checked JSON. */
struct tokens {
    struct adit_str json;
    size_t at;
    struct adit_str key;   /* of the member whose value comes; empty in an array */
    struct adit_str value; /* STRING: between its quotes */
};

static enum token next_token(struct tokens *t)
{
    struct adit_str s = t->json;
    while (t->at < s.len) {
        char c = s.p[t->at];
        if (c == '{' || c == '[' || c == '}' || c == ']') {
            t->at++;
            return c == '{' || c == '[' ? OPEN : CLOSE;
        }
        if (c != '"') {
            if (c == ',') t->key.len = 0;
            t->at++;
            continue;
        }
        size_t end = string_end(s, t->at);
        struct adit_str inside = adit_str_sub(s, t->at + 1, end - 1);
        t->at = skip_blanks(s, end);
        if (t->at == s.len || s.p[t->at] != ':') {
            t->value = inside;
            return STRING;
        }
        t->key = inside;
    }
    return END;
}

/* The JSON in a string that is half of the JSON or more: the answer of a server, kept with its status and
 * headers. Else json itself. */
static struct adit_str unwrap(struct adit_str json, struct adit_arena *arena, bool *ok)
{
    struct tokens t = {.json = json};
    struct adit_str longest = {0};
    for (enum token k; (k = next_token(&t)) != END;)
        if (k == STRING && opens(t.value, 0) && t.value.len > longest.len) longest = t.value;
    if (longest.len < JSON_MIN || 2 * longest.len < json.len) return json;
    struct adit_json_value v;
    if (adit_json_check(adit_str_of(longest.p - 1, longest.len + 2), &v, NULL) != ADIT_OK)
        return json;
    struct adit_str inner = adit_json_text(v, arena, ok);
    return *ok && is_json(inner) ? inner : json;
}

/* How much running text a string is: its bytes, or 0. */
static size_t prose(struct adit_str s)
{
    size_t blanks = 0, other = 0;
    if (s.len < PROSE_MIN || s.p[0] == '/' || s.p[0] == '{' || s.p[0] == '[') return 0;
    if (adit_str_istarts(s, ADIT_STR("http")) || adit_str_istarts(s, ADIT_STR("data:"))) return 0;
    for (size_t i = 0; i < s.len; i++) {
        bool escape = s.p[i] == '\\' && i + 1 < s.len && s.p[i + 1] == 'u';
        blanks += s.p[i] == ' ';
        other += escape ? ESCAPE_BYTES : s.p[i] < 0;
    }
    if (blanks < BLANKS_MIN && other < s.len / 5) return 0;
    return blanks * WORD_MAX + other * 2 >= s.len ? s.len : 0; /* no base64, no list of addresses */
}

/* --- the article ------------------------------------------------------------------------------ */

/* The part of a state that is the article: the strings in bytes [from, to) of its JSON. */
struct article {
    struct adit_str json;
    size_t from, to, len; /* len: bytes of running text */
    char key[KEY_MAX];    /* of the longest string; short ones with it belong to the text, too */
    size_t key_len;
};

static size_t sum_prose(struct adit_str json)
{
    struct tokens t = {.json = json};
    size_t sum = 0;
    for (enum token k; (k = next_token(&t)) != END;)
        if (k == STRING) sum += prose(t.value);
    return sum;
}

static void note_key(struct article *a, struct adit_str key)
{
    a->key_len = key.len <= KEY_MAX ? key.len : 0;
    if (a->key_len) memcpy(a->key, key.p, a->key_len);
}

/* The first container to close that has MOST of the text is the innermost one. */
static void find_article(struct article *a, size_t all)
{
    struct {
        size_t from, sum;
    } stack[ADIT_LIMIT_json_depth + 1];
    struct tokens t = {.json = a->json};
    size_t depth = 0, longest = 0;
    for (enum token k; (k = next_token(&t)) != END;) {
        if (k == OPEN && depth <= ADIT_LIMIT_json_depth) {
            stack[depth].from = t.at, stack[depth++].sum = 0;
        } else if (k == STRING && depth) {
            size_t len = prose(t.value);
            stack[depth - 1].sum += len;
            if (len > longest) longest = len, note_key(a, t.key);
        } else if (k == CLOSE && depth) {
            depth--;
            if (100 * stack[depth].sum >= MOST * all) {
                a->from = stack[depth].from, a->to = t.at, a->len = stack[depth].sum;
                return;
            }
            if (depth) stack[depth - 1].sum += stack[depth].sum;
        }
    }
}

/* --- from strings to lines -------------------------------------------------------------------- */

static bool ends_line(struct adit_str name)
{
    return adit_str_in(name, "p,br,div,li,ul,ol,tr,h1,h2,h3,h4,h5,h6,blockquote,section,article,"
                             "figure,figcaption,pre,hr,table");
}

/* The text of what may be HTML: elements end lines, tags go. */
static void put_plain(struct adit_str s, struct adit_buf *out)
{
    for (size_t i = 0; i < s.len;) {
        char next = i + 1 < s.len ? s.p[i + 1] : ' ';
        if (s.p[i] != '<' || !(adit_is_alpha(next) || next == '/' || next == '!')) {
            adit_buf_byte(out, s.p[i++]);
            continue;
        }
        size_t from = i + 1 + (next == '/'), end = from;
        while (end < s.len && adit_is_alnum(s.p[end])) end++;
        char name[12];
        struct adit_str tag = adit_str_sub(s, from, end);
        size_t len = tag.len < sizeof name ? tag.len : 0;
        for (size_t k = 0; k < len; k++) name[k] = adit_lower(tag.p[k]);
        if (ends_line(adit_str_of(name, len))) adit_buf_byte(out, '\n');
        i = adit_str_chr(s, '>', end) + 1;
        if (i < s.len && next != '/' && adit_str_in(adit_str_of(name, len), "script,style"))
            i = adit_str_find(s, ADIT_STR("</"), i);
    }
    adit_buf_byte(out, '\n');
}

static bool is_told(const struct article *a, const struct tokens *t)
{
    if (prose(t->value)) return true;
    bool words = adit_str_chr(t->value, ' ', 0) < t->value.len;
    return words && a->key_len && adit_str_eq(t->key, adit_str_of(a->key, a->key_len));
}

static struct adit_str write_article(const struct article *a, struct adit_arena *arena, bool *ok)
{
    struct adit_buf raw, out;
    struct tokens t = {.json = adit_str_sub(a->json, 0, a->to), .at = a->from};
    adit_buf_init(&raw, arena->mem, TEXT_MAX), adit_buf_init(&out, arena->mem, TEXT_MAX);
    for (enum token k; (k = next_token(&t)) != END && !out.err;) {
        if (k != STRING || !is_told(a, &t)) continue;
        adit_buf_clear(&raw);
        adit_json_unescape(t.value, &raw);
        if (raw.err == ADIT_ENOMEM) *ok = false; /* cleared with the next string */
        if (!raw.err) put_plain(adit_buf_str(&raw), &out);
    }
    if (out.err == ADIT_ENOMEM) *ok = false;
    struct adit_str text = adit_buf_str(&out);
    text.len = adit_utf8_valid_len(text); /* the limit may have cut a character */
    text = adit_arena_dup(arena, text, ok);
    adit_buf_free(&raw), adit_buf_free(&out);
    return adit_str_trim(adit_meta_decode(text, arena, ok));
}

struct adit_str adit_state_body(const struct adit_states *states, struct adit_arena *arena,
                                bool *ok)
{
    struct article best = {0};
    for (size_t i = 0; i < states->n && *ok; i++) {
        struct article a = {.json = unwrap(find_json(states->v[i], arena, ok), arena, ok)};
        size_t all = a.json.len ? sum_prose(a.json) : 0;
        if (all > best.len) find_article(&a, all);
        if (a.len > best.len) best = a;
    }
    return best.len ? write_article(&best, arena, ok) : (struct adit_str){0};
}
