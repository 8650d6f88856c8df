/* Taking texts and values: slices of the input become what the page says. Character references are
 * decoded (13.2.5.72 to 13.2.5.80), CR and CR LF become LF ("Preprocessing the input stream"), NUL
 * goes or becomes U+FFFD. Most slices are what they say, and stay where they are. */
#include "html/parse_impl.h"

#include "text/text.h"

enum { GAP = 3 }; /* bytes of "</>" */

static struct adit_str rest_of(const uint8_t *s, const uint8_t *end)
{
    return adit_str_of((const char *)s, (size_t)(end - s));
}

static bool is_gap(const uint8_t *s, const uint8_t *end, unsigned flags)
{
    return (flags & TEXT_GAPS) && end - s >= GAP && s[0] == '<' && s[1] == '/' && s[2] == '>';
}

/* --- decoding --------------------------------------------------------------------------------- */

static char *put_replacement(char *out)
{
    static const char sign[3] = {'\xEF', '\xBF', '\xBD'}; /* U+FFFD */
    memcpy(out, sign, sizeof sign);
    return out + sizeof sign;
}

static const uint8_t *find_special(const uint8_t *s, const uint8_t *end, unsigned flags)
{
    if (!(flags & TEXT_REFERENCES)) return scan_for_two(s, end, '\r', 0);
    if (s < end && scan_is(*s, SCAN_SPECIAL)) return s; /* often one behind the other */
    if (!(flags & TEXT_GAPS)) return scan_special(s, end);
    while (s < end && *s != '<' && !scan_is(*s, SCAN_SPECIAL)) s++; /* rare: byte by byte */
    return s;
}

/* Decodes the special byte at s; returns where the next one begins. */
static const uint8_t *decode_one(const uint8_t *s, const uint8_t *end, unsigned flags, bool value,
                                 char **out)
{
    char meaning[ADIT_REFERENCE_MAX];
    size_t len = 0, read = 0;
    switch (*s) {
    case '\r': *(*out)++ = '\n'; return s + 1 < end && s[1] == '\n' ? s + 2 : s + 1;
    case 0:
        if (flags & TEXT_NUL) *out = put_replacement(*out);
        return s + 1;
    case '&':
        read = adit_reference_read(rest_of(s, end), value, meaning, &len);
        if (!read) break;
        memcpy(*out, meaning, len);
        *out += len;
        return s + read;
    default:
        if (is_gap(s, end, flags)) return s + GAP;
        break;
    }
    *(*out)++ = (char)*s;
    return s + 1;
}

/* The bytes that decode writes at most. */
static size_t decoded_max(const uint8_t *s, const uint8_t *end, unsigned flags)
{
    size_t n = (size_t)(end - s);
    bool grows = (flags & TEXT_NUL) && scan_for(s, end, 0) < end;
    return grows ? 3 * n + 8 : n + n / 4 + 8;
}

static size_t decode(const uint8_t *s, const uint8_t *end, unsigned flags, bool value, char *out)
{
    char *o = out;
    while (s < end) {
        const uint8_t *q = find_special(s, end, flags);
        if (q > s) memcpy(o, s, (size_t)(q - s));
        o += q - s;
        s = q < end ? decode_one(q, end, flags, value, &o) : end;
    }
    return (size_t)(o - out);
}

/* --- texts that are built --------------------------------------------------------------------- */

enum { MUCH = 1 << 20 }; /* bytes that are given back as soon as they are not used */

static void fail(struct adit_html *p)
{
    if (!p->code) p->code = ADIT_ENOMEM;
}

/* The number of a new built text with room for cap bytes; 0 without memory. */
static uint32_t new_built(struct adit_html *p, size_t cap)
{
    if (p->n_built >= p->built_cap) {
        uint32_t n = p->built_cap ? p->built_cap * 2 : 64;
        struct built *all =
            p->mem.resize(p->mem.ctx, p->built, p->built_cap * sizeof *all, n * sizeof *all);
        if (!all) return fail(p), 0;
        p->built = all, p->built_cap = n;
    }
    char *bytes = adit_arena_alloc(&p->arena, cap);
    if (!bytes) return fail(p), 0;
    p->built[p->n_built] = (struct built){.p = bytes, .cap = (uint32_t)cap};
    return p->n_built++;
}

static struct adit_str str_of_built(const struct adit_html *p, uint32_t number)
{
    return adit_str_of(p->built[number].p, p->built[number].len);
}

/* Room for `more` bytes behind those of b: doubled, so that growing is linear. */
static bool make_room(struct adit_html *p, struct built *b, size_t more)
{
    size_t need = b->len + more;
    if (need <= b->cap) return true;
    size_t cap = 2 * (size_t)b->cap > need ? 2 * (size_t)b->cap : need;
    char *bytes = adit_arena_resize(&p->arena, b->p, b->cap, cap);
    if (!bytes) return fail(p), false;
    b->p = bytes, b->cap = (uint32_t)cap;
    return true;
}

/* A decoded copy of a slice, of its exact size; 0 without memory. */
static uint32_t build(struct adit_html *p, const uint8_t *s, const uint8_t *end, unsigned flags,
                      bool value)
{
    size_t max = decoded_max(s, end, flags);
    adit_buf_clear(&p->scratch);
    if (!adit_buf_reserve(&p->scratch, max)) return fail(p), 0;
    size_t len = decode(s, end, flags, value, p->scratch.p);
    uint32_t number = new_built(p, len);
    if (!number) return 0;
    memcpy(p->built[number].p, p->scratch.p, len);
    p->built[number].len = (uint32_t)len;
    if (p->scratch.cap >= MUCH) adit_buf_free(&p->scratch);
    return number;
}

/* A text that nobody has taken yet. */
static struct adit_str take_text(struct adit_html *p, struct adit_node *n)
{
    const uint8_t *s = p->in + n->at, *end = s + n->len;
    if (find_special(s, end, n->ns) == end) {
        n->ns |= TEXT_TAKEN;
        return rest_of(s, end);
    }
    uint32_t number = build(p, s, end, n->ns, false);
    if (!number) return (struct adit_str){0};
    n->more = number;
    n->ns |= TEXT_BUILT;
    return str_of_built(p, number);
}

struct adit_str adit_dom_data(const struct adit_dom *d, uint32_t node)
{
    struct adit_html *p = d->parser;
    struct adit_node *n = node_of(p, node);
    if (n->ns & TEXT_BUILT) return str_of_built(p, n->more);
    if (n->ns & TEXT_TAKEN) return adit_str_of((const char *)p->in + n->at, n->len);
    return take_text(p, n);
}

void adit_dom_share(const struct adit_dom *d, uint32_t node, char *p, size_t len)
{
    const struct adit_node *n = &d->nodes[node];
    if (!(n->ns & TEXT_BUILT)) return;
    struct built *b = &d->parser->built[n->more];
    adit_arena_drop(&d->parser->arena, b->p, b->cap);
    *b = (struct built){.p = p, .len = (uint32_t)len}; /* not the parser's: nothing to give back */
}

/* Of eight bytes those that are neither white space (nor other control characters), as their high bits;
 * NUL may be shown. */
static uint64_t shown(uint64_t x) { return scan_above_space(x) | scan_hits(x, 0); }

/* The same of up to 16 bytes, without a branch: sixteen can be read, and those behind count nothing. */
static bool is_blank_short(const uint8_t *s, uint32_t len)
{
    static const uint8_t ones[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    const uint8_t *mask = ones + 16 - len;
    return !((shown(scan_word(s)) & scan_word(mask)) |
             (shown(scan_word(s + 8)) & scan_word(mask + 8)));
}

bool adit_dom_is_blank(const struct adit_dom *d, uint32_t node)
{
    const struct adit_node *n = &d->nodes[node];
    if (n->ns & TEXT_BUILT) return false;
    const uint8_t *s = d->parser->in + n->at, *end = s + n->len;
    if (n->len <= sizeof(uint64_t[2]) && n->at + sizeof(uint64_t[2]) <= d->parser->len)
        return is_blank_short(s, n->len);
    for (; end - s > 8; s += 8)
        if (shown(scan_word(s))) return false;
    if (n->len >= 8) return !shown(scan_word(end - 8));
    while (s < end && scan_is(*s, SCAN_SPACE)) s++;
    return s == end;
}

/* Most names are in lower case as they stand. */
struct adit_str adit_dom_name(const struct adit_dom *d, uint32_t node)
{
    uint16_t tag = d->nodes[node].tag;
    if (tag < ADIT_TAG_COUNT) return adit_tag_names[tag];
    struct adit_html *p = d->parser;
    uint32_t k = (uint32_t)tag - ADIT_TAG_COUNT, *number = &p->names.unknown[k].built, i = 0;
    const uint8_t *s = p->in + p->names.unknown[k].at, *end = s + p->names.unknown[k].len;
    while (s + i < end && s[i] && adit_scan_lower[s[i]] == s[i]) i++;
    if (s + i == end) return rest_of(s, end);
    if (!*number) *number = build(p, s, end, TEXT_NUL, false);
    if (!*number) return (struct adit_str){0};
    struct built *b = &p->built[*number];
    for (i = 0; i < b->len; i++) b->p[i] = adit_lower(b->p[i]);
    return str_of_built(p, *number);
}

enum { VALUE_FLAGS = TEXT_REFERENCES | TEXT_NUL };

/* A value that nobody has taken yet. */
static struct adit_str take_value(struct adit_html *p, struct adit_attribute *a)
{
    const uint8_t *s = p->in + a->at, *end = s + a->len;
    if (scan_special(s, end) == end) {
        a->more |= VALUE_TAKEN;
        return rest_of(s, end);
    }
    uint32_t number = build(p, s, end, VALUE_FLAGS, true);
    if (!number) return (struct adit_str){0};
    a->at = number;
    a->more |= VALUE_BUILT;
    return str_of_built(p, number);
}

struct adit_str adit_parse_value(struct adit_html *p, uint32_t attribute)
{
    struct adit_attribute *a = &p->dom.attrs[attribute];
    if (a->more & VALUE_BUILT) return str_of_built(p, a->at);
    if (a->more & VALUE_TAKEN) return adit_str_of((const char *)p->in + a->at, a->len);
    return take_value(p, a);
}

struct adit_str adit_attr_value(const struct adit_dom *d, uint32_t attr)
{
    return adit_parse_value(d->parser, attr);
}

struct adit_str adit_attr_written(const struct adit_dom *d, uint32_t attr)
{
    const struct adit_html *p = d->parser;
    const struct adit_attribute *a = &d->attrs[attr];
    if (a->more & VALUE_BUILT) return (struct adit_str){0};
    return adit_str_of((const char *)p->in + a->at, a->len);
}

bool adit_dom_may_say(const struct adit_dom *d, uint32_t node, enum adit_attr attr, char byte)
{
    uint32_t i = adit_attr_find(d, node, attr);
    const struct adit_attribute *a = &d->attrs[i];
    if (!i || a->more & VALUE_BUILT) return i;
    const uint8_t *s = d->parser->in + a->at, *end = s + a->len;
    return scan_for_two(s, end, (uint8_t)byte, '&') < end;
}

bool adit_parse_value_is(struct adit_html *p, uint32_t attribute, struct adit_str word)
{
    return attribute && adit_str_ieq(adit_parse_value(p, attribute), word);
}

uint64_t adit_parse_value_hash(struct adit_html *p, uint32_t at, uint32_t len)
{
    const uint8_t *s = p->in + at, *end = s + len;
    if (scan_special(s, end) == end) return adit_str_hash(rest_of(s, end));
    adit_buf_clear(&p->scratch);
    if (!adit_buf_reserve(&p->scratch, decoded_max(s, end, VALUE_FLAGS))) return fail(p), 0;
    return adit_str_hash(
        adit_str_of(p->scratch.p, decode(s, end, VALUE_FLAGS, true, p->scratch.p)));
}

/* Whether a text says what it is, and has no gaps. */
static bool is_plain(const uint8_t *s, const uint8_t *end, unsigned flags)
{
    return !(flags & TEXT_GAPS) && scan_special(s, end) == end;
}

/* Puts the bytes behind those of b, which has room for them. */
static void put_plain(struct built *b, const uint8_t *s, const uint8_t *end)
{
    size_t n = (size_t)(end - s);
    char *out = b->p + b->len;
    b->len += (uint32_t)n;
    if (n == 1)
        *out = (char)*s;
    else
        memcpy(out, s, n);
}

/* Room for `more` bytes behind those of b, and a space, which is put there if apart. */
static bool make_room_apart(struct adit_html *p, struct built *b, size_t more, bool apart)
{
    if (!make_room(p, b, more + 1)) return false;
    if (apart) b->p[b->len++] = ' ';
    return true;
}

/* What a text says so far, with room for more; 0 without memory. */
static uint32_t build_longer(struct adit_html *p, const struct adit_node *n, size_t more)
{
    const uint8_t *s = p->in + n->at, *end = s + n->len;
    if (!is_plain(s, end, n->ns)) return build(p, s, end, n->ns, false);
    uint32_t number = new_built(p, n->len + more);
    if (number) put_plain(&p->built[number], s, end);
    return number;
}

bool adit_text_add(struct adit_html *p, uint32_t node, const uint8_t *s, const uint8_t *end)
{
    struct built *b = &p->built[node_of(p, node)->more];
    if (!make_room_apart(p, b, (size_t)(end - s), p->apart)) return false;
    p->apart = false;
    put_plain(b, s, end);
    return true;
}

void adit_text_join(struct adit_html *p, uint32_t node, struct text t, bool apart)
{
    struct adit_node *n = node_of(p, node);
    if (!(n->ns & TEXT_BUILT)) {
        uint32_t number = build_longer(p, n, t.len + 1);
        if (!number) return;
        n->more = number;
        n->ns |= TEXT_BUILT;
    }
    const uint8_t *s = p->in + t.at, *end = s + t.len;
    struct built *b = &p->built[n->more];
    bool plain = t.len == 1 ? !scan_is(*s, SCAN_SPECIAL) : is_plain(s, end, t.flags);
    if (!make_room_apart(p, b, plain ? t.len : decoded_max(s, end, t.flags), apart)) return;
    if (plain)
        put_plain(b, s, end);
    else
        b->len += (uint32_t)decode(s, end, t.flags, false, b->p + b->len);
}

void adit_text_trim(struct adit_html *p)
{
    for (uint32_t i = 1; i < p->n_built; i++) {
        struct built *b = &p->built[i];
        if (b->cap < MUCH || b->len < MUCH) continue;
        char *bytes = adit_arena_resize(&p->arena, b->p, b->cap, b->len);
        if (bytes) b->p = bytes, b->cap = b->len;
    }
}

/* --- what a text begins with, before it is taken ----------------------------------------------- */

/* The length of the character at s if it is white space (or stands for it), 0 if it is not. */
static size_t space_at(const uint8_t *s, const uint8_t *end, unsigned flags)
{
    if (scan_is(*s, SCAN_SPACE)) return 1;
    if (is_gap(s, end, flags)) return GAP;
    if (*s != '&' || !(flags & TEXT_REFERENCES)) return 0;
    char meaning[ADIT_REFERENCE_MAX];
    size_t len = 0, read = adit_reference_read(rest_of(s, end), false, meaning, &len);
    return len == 1 && adit_is_space(meaning[0]) ? read : 0;
}

uint32_t adit_text_leading_space(const struct adit_html *p, struct text t)
{
    const uint8_t *s = p->in + t.at, *end = s + t.len;
    for (size_t n; s < end && (n = space_at(s, end, t.flags)); s += n) {}
    return (uint32_t)(s - p->in) - t.at;
}

void adit_text_skip_other(const struct adit_html *p, struct text *t)
{
    const uint8_t *s = p->in + t->at, *end = s + t->len;
    char meaning[ADIT_REFERENCE_MAX];
    while (s < end && !space_at(s, end, t->flags)) {
        size_t len = 0, read = 0;
        if (*s == '&' && (t->flags & TEXT_REFERENCES))
            read = adit_reference_read(rest_of(s, end), false, meaning, &len);
        s += read ? read : 1;
    }
    t->len -= (uint32_t)(s - p->in) - t->at;
    t->at = (uint32_t)(s - p->in);
}

bool adit_text_is_blank(const struct adit_html *p, struct text t)
{
    const uint8_t *s = p->in + t.at, *end = s + t.len;
    for (size_t n; s < end; s += n) {
        n = *s == 0 ? 1 : space_at(s, end, t.flags);
        if (!n) return false;
    }
    return true;
}

bool adit_text_is_nothing(const struct adit_html *p, struct text t)
{
    const uint8_t *s = p->in + t.at, *end = s + t.len;
    while (s < end) {
        if (*s == 0 && !(t.flags & TEXT_NUL))
            s++;
        else if (is_gap(s, end, t.flags))
            s += GAP;
        else
            return false;
    }
    return true;
}

void adit_text_skip_newline(const struct adit_html *p, struct text *t)
{
    const uint8_t *s = p->in + t->at, *end = s + t->len;
    while (is_gap(s, end, t->flags)) s += GAP;
    char meaning[ADIT_REFERENCE_MAX];
    size_t len = 0, read = 0;
    if (s < end && *s == '&' && (t->flags & TEXT_REFERENCES))
        read = adit_reference_read(rest_of(s, end), false, meaning, &len);
    if (s < end && *s == '\r')
        s += s + 1 < end && s[1] == '\n' ? 2 : 1;
    else if (s < end && *s == '\n')
        s++;
    else if (len == 1 && meaning[0] == '\n')
        s += read;
    else
        return;
    t->len -= (uint32_t)(s - p->in) - t->at;
    t->at = (uint32_t)(s - p->in);
}
