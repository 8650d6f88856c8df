/* From a text with inline structure to its plain string. */
#include "page/page.h"
#include "text/text.h"

/* The signs that Unicode has as exponents and as indices. */
static const struct script {
    char plain;
    const char *sup, *sub;
} scripts[] = {
    {'0', "\xe2\x81\xb0", "\xe2\x82\x80"}, {'1', "\xc2\xb9", "\xe2\x82\x81"},
    {'2', "\xc2\xb2", "\xe2\x82\x82"},     {'3', "\xc2\xb3", "\xe2\x82\x83"},
    {'4', "\xe2\x81\xb4", "\xe2\x82\x84"}, {'5', "\xe2\x81\xb5", "\xe2\x82\x85"},
    {'6', "\xe2\x81\xb6", "\xe2\x82\x86"}, {'7', "\xe2\x81\xb7", "\xe2\x82\x87"},
    {'8', "\xe2\x81\xb8", "\xe2\x82\x88"}, {'9', "\xe2\x81\xb9", "\xe2\x82\x89"},
    {'+', "\xe2\x81\xba", "\xe2\x82\x8a"}, {'-', "\xe2\x81\xbb", "\xe2\x82\x8b"},
    {'=', "\xe2\x81\xbc", "\xe2\x82\x8c"}, {'(', "\xe2\x81\xbd", "\xe2\x82\x8d"},
    {')', "\xe2\x81\xbe", "\xe2\x82\x8e"}, {'n', "\xe2\x81\xbf", NULL},
};

/* The sign for the character at *at, which is stepped over; NULL: there is none. */
static const char *script_sign(struct adit_str s, size_t *at, bool sup)
{
    uint32_t cp = adit_utf8_next(s, at);
    if (cp == 0x2212 || cp == 0x2010 || cp == 0x2013) cp = '-';
    for (size_t i = 0; i < ADIT_COUNT(scripts); i++)
        if (cp == (unsigned char)scripts[i].plain) return sup ? scripts[i].sup : scripts[i].sub;
    return NULL;
}

/* Ordinals (1st, 2e, No) and trade marks stand raised out of habit: they are part of their word. */
static bool is_ordinal(struct adit_str s)
{
    static const char *const words[] = {"st", "nd",  "rd",       "th",          "e",  "er",
                                        "re", "ère", "o",        "a",           "os", "as",
                                        "TM", "SM",  "\xc2\xae", "\xe2\x84\xa2"};
    for (size_t i = 0; i < ADIT_COUNT(words); i++)
        if (adit_str_eq(s, adit_str_z(words[i]))) return true;
    return false;
}

/* Raised signs that are neither exponents nor indices: "[1]", ": 207". */
static bool is_text(struct adit_str s)
{
    return !s.len || adit_str_chr(ADIT_STR("[:,;."), s.p[0], 0) < 5;
}

bool adit_script_signs(struct adit_str text, bool sup, struct adit_buf *out)
{
    text = adit_str_trim(text);
    if (is_text(text) || (sup && is_ordinal(text))) {
        adit_buf_add(out, text);
        return true;
    }
    for (size_t at = 0; at < text.len;)
        if (!script_sign(text, &at, sup)) return false;
    for (size_t at = 0; at < text.len;) adit_buf_lit(out, script_sign(text, &at, sup));
    return true;
}

void adit_plain_script(struct adit_str text, bool sup, struct adit_buf *out)
{
    size_t at = 0;
    text = adit_str_trim(text);
    if (adit_script_signs(text, sup, out)) return;
    adit_utf8_next(text, &at);
    adit_buf_byte(out, sup ? '^' : '_');
    if (at < text.len) adit_buf_byte(out, '(');
    adit_buf_add(out, text);
    if (at < text.len) adit_buf_byte(out, ')');
}

/* Writes the bytes of a span whose plain string is not its bytes; false: they are. */
static bool put_span(const struct adit_span *s, struct adit_str text, struct adit_buf *out)
{
    switch (s->kind) {
    case ADIT_SPAN_STRUCK: return true;
    case ADIT_SPAN_SUP:
    case ADIT_SPAN_SUB: adit_plain_script(text, s->kind == ADIT_SPAN_SUP, out); return true;
    case ADIT_SPAN_NOTE: adit_buf_add(out, text); return true;
    case ADIT_SPAN_IMAGE:
        if (!text.len) return true;
        adit_buf_lit(out, "[Image: ");
        adit_buf_add(out, text);
        adit_buf_byte(out, ']');
        return true;
    default: return false;
    }
}

void adit_rich_plain(const struct adit_rich *rich, struct adit_buf *out)
{
    size_t at = 0, start = out->len;
    for (size_t i = 0; i < rich->n_spans; i++) {
        const struct adit_span *s = &rich->spans[i];
        if (s->from < at) continue;
        struct adit_str before = adit_str_sub(rich->text, at, s->from);
        adit_buf_add(out, before);
        at = s->from;
        if (put_span(s, adit_str_sub(rich->text, s->from, s->to), out)) at = s->to;
        /* What is left out takes one of the spaces around it along. */
        bool space = out->len > start && out->p[out->len - 1] == ' ';
        if (s->kind == ADIT_SPAN_STRUCK && space && at < rich->text.len && rich->text.p[at] == ' ')
            at++;
    }
    adit_buf_add(out, adit_str_sub(rich->text, at, rich->text.len));
}
