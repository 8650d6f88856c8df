/* The strict scanner: RFC 8259's grammar over a whole text, nothing allocated, nothing recursive.
 *
 * What is open is a stack of bits, one a level (array or object), so the depth limit is also the
 * size of a word. Strings, most of any text, are crossed eight bytes at a time. */
#include "json/scan_impl.h"
#include "text/text.h"

_Static_assert(ADIT_LIMIT_json_depth <= 64, "the stack of open values is one 64-bit word");

/* Reports the byte at s->p; at the end of the text it is the end that is wrong. */
enum adit_code adit_json_scan_fail(struct adit_json_scanner *s, const char *msg)
{
    size_t pos = (size_t)(s->p - s->start);
    if (s->p == s->end) return adit_fail(s->err, ADIT_EEOF, "the text ends inside a value", pos);
    return adit_fail(s->err, ADIT_EBAD, msg, pos);
}

static bool is_space(const struct adit_json_scanner *s, char c)
{
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') return true;
    return s->sloppy && (unsigned char)c < ' ';
}

void adit_json_scan_space_slow(struct adit_json_scanner *s)
{
    while (s->p < s->end && (unsigned char)*s->p <= ' ' && is_space(s, *s->p)) s->p++;
}

static bool at(const struct adit_json_scanner *s, char c) { return s->p < s->end && *s->p == c; }

const char adit_json_escapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

/* A short one, or u and four digits; s->p is behind the backslash. */
static enum adit_code scan_escape(struct adit_json_scanner *s)
{
    if (s->p < s->end && adit_json_escapes[(unsigned char)*s->p]) {
        s->p++;
        return ADIT_OK;
    }
    if (!at(s, 'u')) return adit_json_scan_fail(s, "unknown escape in a string");
    s->p++;
    for (int i = 0; i < 4; i++, s->p++)
        if (s->p == s->end || adit_hex(*s->p) < 0)
            return adit_json_scan_fail(s, "four hexadecimal digits expected after \\u");
    return ADIT_OK;
}

/* What is not plain ASCII in a string: an escape, a control character, a run of other characters;
 * s->p is on it. */
static enum adit_code scan_special(struct adit_json_scanner *s)
{
    unsigned char c = (unsigned char)*s->p;
    if (c == '\\') {
        s->p++;
        return scan_escape(s);
    }
    if (c < ' ') {
        if (!s->sloppy) return adit_json_scan_fail(s, "control character in a string");
        s->p++;
        return ADIT_OK;
    }
    while (s->p < s->end && (unsigned char)*s->p >= 0x80) {
        int n = adit_utf8_sequence(s->p, (size_t)(s->end - s->p));
        if (n < 0 && !s->repair) {
            if (s->end - s->p == -n) s->p = s->end; /* not ill-formed but cut */
            return adit_json_scan_fail(s, "ill-formed UTF-8");
        }
        s->p += n < 0 ? -n : n;
    }
    return ADIT_OK;
}

static bool is_plain(char ch)
{
    unsigned char c = (unsigned char)ch;
    return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

/* Which of eight bytes are not plain. The first one in memory is right on little-endian machines;
 * others may be marked without need (a borrow), so that scan_string looks at each again. */
static inline uint64_t not_plain(uint64_t w)
{
    uint64_t quote = w ^ ADIT_SWAR_ALL('"'), slash = w ^ ADIT_SWAR_ALL('\\');
    uint64_t control = (w - ADIT_SWAR_ALL(' ')) | w; /* or not ASCII */
    quote = (quote - ADIT_SWAR_ALL(1)) & ~quote;
    slash = (slash - ADIT_SWAR_ALL(1)) & ~slash;
    return (control | quote | slash) & ADIT_SWAR_ALL(0x80);
}

/* The next byte from p that is not plain (or may not be), or the end. */
static inline const char *skip_plain(const char *p, const char *end)
{
    for (; end - p >= 8; p += 8) {
        uint64_t stop = not_plain(adit_swar_load(p));
        if (stop) return p + adit_swar_first(stop);
    }
    while (p < end && is_plain(*p)) p++;
    return p;
}

/* s->p is on the opening quote. */
static enum adit_code scan_string(struct adit_json_scanner *s)
{
    const char *p = s->p + 1, *end = s->end;
    while ((p = skip_plain(p, end)) < end) {
        if (*p == '"') {
            s->p = p + 1;
            return ADIT_OK;
        }
        if (*p == '\\' && end - p > 1 && adit_json_escapes[(unsigned char)p[1]]) {
            p += 2;
        } else if (is_plain(*p)) {
            p++;
        } else {
            s->p = p;
            ADIT_TRY(scan_special(s));
            p = s->p;
        }
    }
    s->p = end;
    return adit_json_scan_fail(s, NULL);
}

static size_t scan_digits(struct adit_json_scanner *s)
{
    const char *from = s->p;
    while (s->p < s->end && adit_is_digit(*s->p)) s->p++;
    return (size_t)(s->p - from);
}

static enum adit_code scan_number(struct adit_json_scanner *s)
{
    if (*s->p == '-') s->p++;
    if (at(s, '0'))
        s->p++;
    else if (!scan_digits(s))
        return adit_json_scan_fail(s, "digit expected");
    if (at(s, '.')) {
        s->p++;
        if (!scan_digits(s)) return adit_json_scan_fail(s, "digit expected after the point");
    }
    if (at(s, 'e') || at(s, 'E')) {
        s->p++;
        if (at(s, '+') || at(s, '-')) s->p++;
        if (!scan_digits(s)) return adit_json_scan_fail(s, "digit expected in the exponent");
    }
    return ADIT_OK;
}

static enum adit_code scan_word(struct adit_json_scanner *s, const char *word)
{
    for (; *word; word++, s->p++)
        if (!at(s, *word)) return adit_json_scan_fail(s, "value expected");
    return ADIT_OK;
}

static enum adit_json_kind kind_of(char c)
{
    switch (c) {
    case '{': return ADIT_JSON_OBJECT;
    case '[': return ADIT_JSON_ARRAY;
    case '"': return ADIT_JSON_STRING;
    case 't': return ADIT_JSON_TRUE;
    case 'f': return ADIT_JSON_FALSE;
    case 'n': return ADIT_JSON_NULL;
    default: return c == '-' || adit_is_digit(c) ? ADIT_JSON_NUMBER : ADIT_JSON_NONE;
    }
}

static enum adit_code scan_scalar(struct adit_json_scanner *s, enum adit_json_kind kind)
{
    switch (kind) {
    case ADIT_JSON_STRING: return scan_string(s);
    case ADIT_JSON_NUMBER: return scan_number(s);
    case ADIT_JSON_TRUE: return scan_word(s, "true");
    case ADIT_JSON_FALSE: return scan_word(s, "false");
    case ADIT_JSON_NULL: return scan_word(s, "null");
    default: return adit_json_scan_fail(s, "value expected");
    }
}

/* Key and colon, up to the value; *inside is the key between its quotes. */
static enum adit_code scan_key(struct adit_json_scanner *s, struct adit_str *inside)
{
    const char *from = s->p + 1;
    if (!at(s, '"')) return adit_json_scan_fail(s, "key expected");
    ADIT_TRY(scan_string(s));
    *inside = adit_str_of(from, (size_t)(s->p - from) - 1);
    adit_json_scan_space(s);
    if (!at(s, ':')) return adit_json_scan_fail(s, "colon expected");
    s->p++;
    adit_json_scan_space(s);
    return ADIT_OK;
}

/* The arrays and objects that are open, innermost in bit 0. */
struct open {
    uint64_t is_object;
    unsigned depth;
};

/* Behind a value: closes what ends here and goes on to the next value; *more is false when the
 * outermost one is closed. */
static enum adit_code scan_after(struct adit_json_scanner *s, struct open *o, unsigned outer,
                                 bool *more)
{
    struct adit_str key;
    while (o->depth > outer) {
        bool object = o->is_object & 1;
        adit_json_scan_space(s);
        if (at(s, ',')) {
            s->p++;
            adit_json_scan_space(s);
            *more = true;
            return object ? scan_key(s, &key) : ADIT_OK;
        }
        if (!at(s, object ? '}' : ']'))
            return adit_json_scan_fail(s, object ? "comma or } expected" : "comma or ] expected");
        s->p++;
        o->is_object >>= 1;
        o->depth--;
    }
    *more = false;
    return ADIT_OK;
}

/* On a bracket: opens it and goes to its first value; an empty one is crossed. */
static enum adit_code scan_open(struct adit_json_scanner *s, struct open *o, bool *empty)
{
    bool object = *s->p == '{';
    if (o->depth == ADIT_LIMIT_json_depth)
        return adit_fail(s->err, ADIT_ELIMIT, "nested too deeply", (size_t)(s->p - s->start));
    s->p++;
    adit_json_scan_space(s);
    *empty = at(s, object ? '}' : ']');
    if (*empty) {
        s->p++;
        return ADIT_OK;
    }
    o->is_object = o->is_object << 1 | object;
    o->depth++;
    struct adit_str key;
    return object ? scan_key(s, &key) : ADIT_OK;
}

enum adit_code adit_json_scan_value(struct adit_json_scanner *s, unsigned depth,
                                    struct adit_json_value *value)
{
    struct open o = {.depth = depth};
    const char *from = s->p;
    for (bool more = true; more;) {
        enum adit_json_kind kind = s->p < s->end ? kind_of(*s->p) : ADIT_JSON_NONE;
        if (s->p == from) value->kind = kind;
        if (kind == ADIT_JSON_OBJECT || kind == ADIT_JSON_ARRAY) {
            bool empty = false;
            ADIT_TRY(scan_open(s, &o, &empty));
            if (!empty) continue;
        } else {
            ADIT_TRY(scan_scalar(s, kind));
        }
        ADIT_TRY(scan_after(s, &o, depth, &more));
    }
    value->raw = adit_str_of(from, (size_t)(s->p - from));
    value->node = NULL;
    return ADIT_OK;
}

static enum adit_code scan_end(struct adit_json_scanner *s)
{
    adit_json_scan_space(s);
    if (s->p == s->end) return ADIT_OK;
    return adit_json_scan_fail(s, "text after the value");
}

static struct adit_json_scanner scanner_of(struct adit_str text, struct adit_error *err)
{
    static const char nothing[1];
    const char *p = text.p ? text.p : nothing;
    return (struct adit_json_scanner){.start = p, .p = p, .end = p + text.len, .err = err};
}

enum adit_code adit_json_check(struct adit_str text, struct adit_json_value *value,
                               struct adit_error *err)
{
    struct adit_json_scanner s = scanner_of(text, err);
    adit_json_scan_space(&s);
    ADIT_TRY(adit_json_scan_value(&s, 0, value));
    return scan_end(&s);
}

enum adit_code adit_json_scan(struct adit_str text,
                              enum adit_code (*member)(void *ctx, const struct adit_json_member *m),
                              void *ctx, struct adit_error *err)
{
    struct adit_json_scanner s = scanner_of(text, err);
    adit_json_scan_space(&s);
    if (!at(&s, '{')) return adit_json_scan_fail(&s, "object expected");
    s.p++;
    adit_json_scan_space(&s);
    bool empty = at(&s, '}');
    for (bool more = !empty; more;) {
        struct adit_json_member m = {0};
        ADIT_TRY(scan_key(&s, &m.key));
        ADIT_TRY(adit_json_scan_value(&s, 1, &m.value));
        ADIT_TRY(member(ctx, &m));
        adit_json_scan_space(&s);
        more = at(&s, ',');
        if (!more && !at(&s, '}')) return adit_json_scan_fail(&s, "comma or } expected");
        s.p++;
        if (more) adit_json_scan_space(&s);
    }
    if (empty) s.p++;
    return scan_end(&s);
}

struct pick {
    const struct adit_str *keys;
    size_t n;
    struct adit_json_value *values;
};

static enum adit_code pick_member(void *ctx, const struct adit_json_member *m)
{
    struct pick *k = ctx;
    bool escaped = adit_str_chr(m->key, '\\', 0) < m->key.len;
    for (size_t i = 0; i < k->n; i++)
        if (escaped ? adit_json_is(m->key, k->keys[i]) : adit_str_eq(m->key, k->keys[i]))
            k->values[i] = m->value;
    return ADIT_OK;
}

enum adit_code adit_json_pick(struct adit_str text, const struct adit_str *keys, size_t n,
                              struct adit_json_value *values, struct adit_error *err)
{
    struct pick k = {keys, n, values};
    for (size_t i = 0; i < n; i++) values[i] = (struct adit_json_value){0};
    return adit_json_scan(text, pick_member, &k, err);
}
