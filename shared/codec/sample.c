/* The text of a page before its encoding is known: bytes outside tags, comments and scripts.
 *
 * All encodings that pages forget to declare have '<', '>', '&' and the letters of tags where ASCII
 * has them, and '<', '>' and '&' are part of no longer character. */
#include "codec/detect_impl.h"

enum {
    FEW = 16,           /* bytes from 0x80 on; with fewer in the text, markup is looked at too */
    EDGE = 2,           /* ASCII bytes that are kept at either end of a run */
    REFERENCE_MAX = 10, /* bytes of a character reference */
};

struct writer {
    struct adit_sample *s;
    size_t run; /* ASCII bytes since the last other one */
    uint8_t last[EDGE];
};

/* False: the sample is full. */
static bool put(struct writer *w, uint8_t c)
{
    struct adit_sample *s = w->s;
    if (c < 0x80) {
        s->letters += adit_is_alpha((char)c);
        if (w->run++ < EDGE && s->len < ADIT_SAMPLE_MAX) s->bytes[s->len++] = c;
        w->last[0] = w->last[1];
        w->last[1] = c;
        return true;
    }
    if (s->len + EDGE >= ADIT_SAMPLE_MAX) return false;
    if (w->run > EDGE + 1) s->bytes[s->len++] = w->last[0];
    if (w->run > EDGE) s->bytes[s->len++] = w->last[1];
    s->bytes[s->len++] = c;
    s->high++;
    w->run = 0;
    return true;
}

/* The end of an element whose content is no text: behind its end tag. */
static size_t skip_raw(struct adit_str body, size_t at)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("script"), ADIT_STR_INIT("style")};
    static const struct adit_str ends[] = {ADIT_STR_INIT("</script"), ADIT_STR_INIT("</style")};
    struct adit_str rest = adit_str_sub(body, at + 1, body.len);
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_istarts(rest, names[i])) return adit_str_ifind(body, ends[i], at);
    return at;
}

/* at is that of a '<'. Behind the tag or comment, or at + 1 if it is none. */
static size_t skip_markup(struct adit_str body, size_t at, struct adit_sample *s)
{
    struct adit_str rest = adit_str_sub(body, at + 1, body.len);
    if (adit_str_starts(rest, ADIT_STR("!--")))
        return adit_str_find(body, ADIT_STR("-->"), at + 4) + 3;
    char next = rest.len ? rest.p[0] : ' ';
    if (!adit_is_alpha(next) && next != '/' && next != '!' && next != '?') return at + 1;
    if (adit_str_istarts(rest, ADIT_STR("html")) && !s->lang.len) s->lang = adit_tag_lang(rest);
    return adit_str_chr(body, '>', skip_raw(body, at)) + 1;
}

/* at is that of a '&'. Its last byte, if it begins a reference. */
static size_t skip_reference(struct adit_str body, size_t at)
{
    size_t end = at + 1;
    while (end < body.len && end - at < REFERENCE_MAX &&
           (adit_is_alnum(body.p[end]) || body.p[end] == '#'))
        end++;
    return end < body.len && body.p[end] == ';' ? end : at;
}

static void take(struct adit_str body, bool markup, struct adit_sample *s)
{
    struct writer w = {.s = s, .run = EDGE, .last = {' ', ' '}};
    s->len = s->high = s->letters = 0;
    for (size_t i = 0; i < body.len;) {
        char c = body.p[i];
        if (c == '<' && !markup) {
            i = skip_markup(body, i, s);
            put(&w, ' ');
            continue;
        }
        size_t last = c == '&' ? skip_reference(body, i) : i;
        if (!put(&w, last > i ? ' ' : (uint8_t)c)) return;
        i = last + 1;
    }
}

void adit_sample_take(struct adit_str body, struct adit_sample *s)
{
    body = adit_str_sub(body, 0, ADIT_DETECT_BYTES);
    s->lang = (struct adit_str){0};
    take(body, false, s);
    if (s->high < FEW) take(body, true, s);
}
