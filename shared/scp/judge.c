/* Small judgements: reports, ranges, the forms of URLs, languages, durations, numbers. */
#include "scp/scp_impl.h"

#include <string.h>

enum { EXCERPT_MAX = 200, FUTURE_S = 86400 };

static void report(const struct adit_scp_place *place, struct adit_finding f)
{
    if (!place->judge || !place->judge->report) return;
    f.line = place->judge->line;
    f.index = place->block;
    place->judge->report(place->judge->ctx, &f);
}

void adit_scp_report(const struct adit_scp_place *place, enum adit_scp_rule_id rule,
                     const char *member, struct adit_str at)
{
    report(place, (struct adit_finding){
                      .rule = &adit_scp_rules[rule],
                      .column = at.len ? (size_t)(at.p - place->line.p) + 1 : 0,
                      .member = member,
                      .value = adit_str_sub(at, 0, EXCERPT_MAX),
                  });
}

void adit_scp_report_json(const struct adit_scp_place *place, enum adit_scp_rule_id rule,
                          const struct adit_error *err)
{
    report(place, (struct adit_finding){
                      .rule = &adit_scp_rules[rule], .column = err->pos + 1, .detail = err->msg});
}

static bool is_json_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

struct adit_scp_range adit_scp_member_range(struct adit_str line, const struct adit_json_member *m)
{
    struct adit_scp_range r = {(size_t)(m->key.p - line.p) - 1,
                               (size_t)(m->value.raw.p - line.p) + m->value.raw.len};
    size_t from = r.from, to = r.to;
    while (from > 0 && is_json_space(line.p[from - 1])) from--;
    if (from > 0 && line.p[from - 1] == ',') {
        r.from = from - 1;
        return r;
    }
    while (to < line.len && is_json_space(line.p[to])) to++;
    if (to < line.len && line.p[to] == ',') r.to = to + 1;
    return r;
}

size_t adit_scp_find(const struct adit_str *table, size_t n, struct adit_str key)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_eq(table[i], key)) return i;
    if (adit_str_chr(key, '\\', 0) == key.len) return n;
    for (size_t i = 0; i < n; i++)
        if (adit_json_is(key, table[i])) return i;
    return n;
}

/* --- URLs ------------------------------------------------------------------------------------- */

/* What a byte is to a URL. Ill: controls, space, and what RFC 3986 leaves out of ASCII (but for the
 * brackets of addresses); other bytes than ASCII are let pass, as browsers do. */
enum url_class { PLAIN, ENDS_HOST, COLON, AT, ILL };

static const unsigned char url_classes[256] = {
    [0] = ILL,         ['\x01'] = ILL, ['\x02'] = ILL, ['\x03'] = ILL,    ['\x04'] = ILL,
    ['\x05'] = ILL,    ['\x06'] = ILL, ['\x07'] = ILL, ['\b'] = ILL,      ['\t'] = ILL,
    ['\n'] = ILL,      ['\v'] = ILL,   ['\f'] = ILL,   ['\r'] = ILL,      ['\x0e'] = ILL,
    ['\x0f'] = ILL,    ['\x10'] = ILL, ['\x11'] = ILL, ['\x12'] = ILL,    ['\x13'] = ILL,
    ['\x14'] = ILL,    ['\x15'] = ILL, ['\x16'] = ILL, ['\x17'] = ILL,    ['\x18'] = ILL,
    ['\x19'] = ILL,    ['\x1a'] = ILL, ['\x1b'] = ILL, ['\x1c'] = ILL,    ['\x1d'] = ILL,
    ['\x1e'] = ILL,    ['\x1f'] = ILL, [' '] = ILL,    ['"'] = ILL,       ['<'] = ILL,
    ['>'] = ILL,       ['^'] = ILL,    ['`'] = ILL,    ['{'] = ILL,       ['|'] = ILL,
    ['}'] = ILL,       ['\\'] = ILL,   [127] = ILL,    ['/'] = ENDS_HOST, ['?'] = ENDS_HOST,
    ['#'] = ENDS_HOST, [':'] = COLON,  ['@'] = AT,
};

/* Class of the character at *pos of the inside of a JSON string; *pos moves behind it. */
static enum url_class url_next(struct adit_str text, size_t *pos)
{
    const char *p = text.p + *pos;
    size_t left = text.len - *pos;
    if (*p != '\\' || left < 2) {
        ++*pos;
        return (enum url_class)url_classes[(unsigned char)*p];
    }
    if (p[1] == '/') {
        *pos += 2;
        return ENDS_HOST;
    }
    if (p[1] != 'u' || left < 6) return ILL;
    *pos += 6;
    bool ascii = p[2] == '0' && p[3] == '0' && p[4] < '8';
    return ascii ? (enum url_class)url_classes[adit_hex(p[4]) * 16 + adit_hex(p[5])] : PLAIN;
}

/* Whether text[*pos…] begins with word, "\/" standing for "/"; *pos moves behind it. */
static bool url_prefix(struct adit_str text, size_t *pos, const char *word)
{
    size_t at = *pos;
    for (; *word; word++, at++) {
        if (*word == '/' && at + 1 < text.len && text.p[at] == '\\') at++;
        if (at >= text.len || adit_lower(text.p[at]) != *word) return false;
    }
    *pos = at;
    return true;
}

/* The number behind the host's colon; no port is 0. */
enum { NO_NUMBER = 65536 };
static uint32_t add_digit(uint32_t port, char c)
{
    if (!adit_is_digit(c) || port > 65535) return NO_NUMBER;
    port = port * 10 + (uint32_t)(c - '0');
    return port < NO_NUMBER ? port : NO_NUMBER;
}

static bool url_host(struct adit_str text, size_t *pos)
{
    size_t len = 0;
    uint32_t port = 0;
    bool address = false, behind = false; /* inside brackets; behind a colon */
    while (*pos < text.len) {
        char c = text.p[*pos];
        switch (url_next(text, pos)) {
        case PLAIN:
            len++;
            if (c == '[' || c == ']') address = c == '[';
            if (behind) port = add_digit(port, c);
            break;
        case ENDS_HOST: return len > 0 && port != NO_NUMBER;
        case AT: /* what came before was the user */
            len = 0, port = 0, behind = address = false;
            break;
        case COLON:
            if (len == 0 && !address) return false;
            port = behind ? NO_NUMBER : 0;
            behind = !address;
            break;
        case ILL: return false;
        }
    }
    return len > 0 && port != NO_NUMBER;
}

bool adit_scp_is_url(struct adit_str text)
{
    size_t pos = 0;
    if (text.len > ADIT_LIMIT_url_bytes) return false;
    if (!url_prefix(text, &pos, "https://") && !url_prefix(text, &pos, "http://")) return false;
    if (!url_host(text, &pos)) return false;
    while (pos < text.len)
        if (url_next(text, &pos) == ILL) return false;
    return true;
}

/* --- other forms ------------------------------------------------------------------------------ */

/* ^[a-z]{2,3}(-[0-9A-Za-z]+)*$, which is what the schema's longer pattern comes to. */
bool adit_scp_is_language(struct adit_str text)
{
    struct adit_str part;
    if (!adit_str_split(&text, '-', &part) || part.len < 2 || part.len > 3) return false;
    for (size_t i = 0; i < part.len; i++)
        if (part.p[i] < 'a' || part.p[i] > 'z') return false;
    while (adit_str_split(&text, '-', &part)) {
        /* RFC 5646, 2.2: subtags of up to eight; a single one announces others */
        if (part.len == 0 || part.len > 8 || (part.len == 1 && !text.len)) return false;
        for (size_t i = 0; i < part.len; i++)
            if (!adit_is_alnum(part.p[i])) return false;
    }
    return true;
}

/* ^PT(?=.*[HMS])(\d+H)?(\d+M)?(\d+(\.\d+)?S)?$ */
bool adit_scp_is_duration(struct adit_str text)
{
    static const char units[] = "HMS";
    if (!adit_str_starts(text, ADIT_STR("PT")) || text.len < 4) return false;
    size_t pos = 2, unit = 0;
    while (pos < text.len) {
        size_t start = pos;
        bool fraction = false;
        for (; pos < text.len && (adit_is_digit(text.p[pos]) || text.p[pos] == '.'); pos++) {
            if (text.p[pos] != '.') continue;
            if (fraction || pos == start) return false;
            fraction = true;
        }
        if (pos == start || pos == text.len || text.p[pos - 1] == '.') return false;
        while (unit < 3 && units[unit] != text.p[pos]) unit++;
        if (unit == 3 || (fraction && units[unit] != 'S')) return false;
        pos++, unit++;
    }
    return true;
}

bool adit_scp_integer(struct adit_json_value v, uint64_t *out)
{
    if (v.kind != ADIT_JSON_NUMBER) return false;
    size_t dot = adit_str_chr(v.raw, '.', 0);
    for (size_t i = dot + 1; i < v.raw.len; i++)
        if (v.raw.p[i] != '0') return false;
    return adit_str_u64(adit_str_sub(v.raw, 0, dot), out);
}

bool adit_scp_is_future(const struct adit_scp_limits *limits, struct adit_time t)
{
    return limits->now.s && t.s > limits->now.s + FUTURE_S;
}
