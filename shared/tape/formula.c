/* Texts that elements stand for and no text node has: formulas as TeX, from MathML, scripts, data
 * attributes and addresses of images; addresses of mail that a proxy has hidden. */
#include "tape/mathml_impl.h"

#include <string.h>

enum { TEX_MAX = 16 << 10 };

/* --- where formulas are ----------------------------------------------------------------------- */

static struct adit_str keep(const struct adit_buf *b, struct adit_arena *arena, bool *ok)
{
    return b->err == ADIT_OK ? adit_arena_dup(arena, adit_str_trim(adit_buf_str(b)), ok)
                             : (struct adit_str){0};
}

static bool is_display(const struct adit_dom *d, uint32_t node)
{
    for (int up = 0; node && up < 5; up++, node = d->nodes[node].parent) {
        struct adit_str display = adit_dom_attr(d, node, ADIT_ATTR_DISPLAY);
        struct adit_str class = adit_dom_attr(d, node, ADIT_ATTR_CLASS);
        if (adit_str_ieq(display, ADIT_STR("block")) || adit_str_ieq(display, ADIT_STR("true")))
            return true;
        if (adit_str_ifind(class, ADIT_STR("display"), 0) < class.len ||
            adit_str_ifind(class, ADIT_STR("math-block"), 0) < class.len)
            return true;
    }
    return false;
}

/* The text of an <annotation>, 0 if node is none or has none. */
static struct adit_str annotation(const struct adit_dom *d, uint32_t math)
{
    for (uint32_t n = adit_dom_first(d, math); n; n = adit_dom_next(d, n, math, true)) {
        if (!adit_dom_is_element(d, n)) continue;
        uint32_t text = d->nodes[n].first;
        if (adit_str_eq(adit_dom_name(d, n), ADIT_STR("annotation")) && text &&
            adit_dom_is_text(d, text))
            return adit_str_trim(adit_dom_data(d, text));
    }
    return (struct adit_str){0};
}

static struct adit_str of_math(const struct adit_dom *d, uint32_t math, struct adit_arena *arena,
                               bool *ok)
{
    struct adit_str tex = annotation(d, math);
    if (!tex.len) tex = adit_str_trim(adit_dom_attr(d, math, ADIT_ATTR_ALTTEXT));
    if (tex.len) return tex;
    struct adit_buf buf;
    adit_buf_init(&buf, arena->mem, TEX_MAX);
    adit_mathml_tex(d, math, &buf);
    tex = keep(&buf, arena, ok);
    adit_buf_free(&buf);
    return tex;
}

static int hex_digit(char c)
{
    return adit_is_digit(c)       ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* An address with an encoded command of TeX in it: the value of its query, or its last segment. */
static struct adit_str of_address(struct adit_str url, struct adit_arena *arena, bool *ok)
{
    size_t command = adit_str_ifind(url, ADIT_STR("%5c"), 0);
    if (command + 3 >= url.len || !adit_is_alpha(url.p[command + 3])) return (struct adit_str){0};
    size_t from = command, to = command;
    while (from && !strchr("?&=/;", url.p[from - 1])) from--;
    while (to < url.len && url.p[to] != '&' && url.p[to] != '#') to++;
    char *p = adit_arena_alloc(arena, to - from + 1);
    if (!p) {
        *ok = false;
        return (struct adit_str){0};
    }
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        int high =
            url.p[i] == '%' && i + 2 < to + 1 && i + 2 < url.len ? hex_digit(url.p[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(url.p[i + 2]) : -1;
        if (low >= 0 && high < 8)
            p[n++] = (char)(high * 16 + low), i += 2;
        else
            p[n++] = url.p[i] == '+' ? ' ' : url.p[i];
    }
    return adit_str_trim(adit_str_of(p, n));
}

/* Whether an alt text is TeX: a command, and what commands stand with. */
static bool is_tex(struct adit_str s)
{
    size_t at = adit_str_chr(s, '\\', 0);
    if (at + 1 >= s.len || !adit_is_alpha(s.p[at + 1])) return false;
    return adit_str_chr(s, '{', 0) < s.len || adit_str_chr(s, '^', 0) < s.len ||
           adit_str_chr(s, '_', 0) < s.len;
}

static struct adit_str of_image(const struct adit_dom *d, uint32_t img, uint8_t hints,
                                struct adit_arena *arena, bool *ok)
{
    static const struct adit_str classes[] = {ADIT_STR_INIT("latex"), ADIT_STR_INIT("mwe-math")};
    bool classed = hints & (ADIT_HINT_MATH | ADIT_HINT_LONG);
    bool told = adit_dom_may_say(d, img, ADIT_ATTR_ALT, '\\');
    if (!classed && !told && !adit_dom_may_say(d, img, ADIT_ATTR_SRC, '%'))
        return (struct adit_str){0}; /* most */
    struct adit_str class = adit_dom_attr(d, img, ADIT_ATTR_CLASS);
    struct adit_str alt = adit_str_trim(adit_dom_attr(d, img, ADIT_ATTR_ALT));
    for (size_t i = 0; i < ADIT_COUNT(classes) && class.len; i++)
        if (adit_str_ifind(class, classes[i], 0) < class.len) return alt;
    if (is_tex(alt)) return alt;
    struct adit_str tex = of_address(adit_dom_attr(d, img, ADIT_ATTR_SRC), arena, ok);
    return tex.len && adit_str_chr(alt, '\\', 0) < alt.len ? alt : tex;
}

/* "[email protected]" by Cloudflare: pairs of digits, each XORed with the first. */
static struct adit_str of_mail(struct adit_str code, struct adit_arena *arena, bool *ok)
{
    enum { MAIL_MAX = 200 };
    char text[MAIL_MAX];
    size_t n = 0;
    int key = code.len >= 4 && code.len / 2 < MAIL_MAX
                  ? hex_digit(code.p[0]) * 16 + hex_digit(code.p[1])
                  : -1;
    for (size_t i = 2; key >= 0 && i + 1 < code.len; i += 2) {
        int c = hex_digit(code.p[i]) * 16 + hex_digit(code.p[i + 1]);
        if (c < 0 || (c ^ key) <= ' ' || (c ^ key) >= 0x7F) return (struct adit_str){0};
        text[n++] = (char)(c ^ key);
    }
    return adit_arena_dup(arena, adit_str_of(text, n), ok);
}

static bool is_tex_script(const struct adit_dom *d, uint32_t node)
{
    return adit_dom_is(d, node, ADIT_TAG_SCRIPT) &&
           adit_str_istarts(adit_dom_attr(d, node, ADIT_ATTR_TYPE), ADIT_STR("math/tex"));
}

bool adit_made_find(const struct adit_dom *d, uint32_t node, uint16_t tag, uint8_t hints,
                    struct adit_arena *arena, struct adit_made *made, bool *ok)
{
    static const enum adit_attr attrs[] = {ADIT_ATTR_DATA_MATH, ADIT_ATTR_DATA_LATEX,
                                           ADIT_ATTR_DATA_TEX};
    *made = (struct adit_made){.math = true};
    if (tag == ADIT_TAG_MATH) {
        made->text = of_math(d, node, arena, ok);
    } else if (tag == ADIT_TAG_SCRIPT) {
        uint32_t text = is_tex_script(d, node) ? adit_dom_first(d, node) : 0;
        struct adit_str type = adit_dom_attr(d, node, ADIT_ATTR_TYPE);
        if (!text) return false;
        made->text = adit_str_trim(adit_dom_data(d, text));
        made->display = adit_str_ifind(type, ADIT_STR("display"), 0) < type.len;
    } else if (tag == ADIT_TAG_IMG) {
        made->text = of_image(d, node, hints, arena, ok);
    } else if (hints & ADIT_HINT_MATH) {
        for (size_t i = 0; i < ADIT_COUNT(attrs) && !made->text.len; i++)
            made->text = adit_str_trim(adit_dom_attr(d, node, attrs[i]));
        if (!made->text.len) {
            made->text = of_mail(adit_dom_attr(d, node, ADIT_ATTR_DATA_CFEMAIL), arena, ok);
            made->math = false;
        }
    }
    if (made->text.len && made->math && !made->display) made->display = is_display(d, node);
    return made->text.len > 0;
}

bool adit_made_repeats(const struct adit_dom *d, uint32_t node)
{
    struct adit_str class = adit_dom_attr(d, node, ADIT_ATTR_CLASS);
    if (!adit_str_starts(class, ADIT_STR("MathJax"))) return false;
    uint32_t n = d->nodes[node].next;
    for (int k = 0; n && k < 4; k++, n = d->nodes[n].next)
        if (is_tex_script(d, n)) return true;
    return false;
}
