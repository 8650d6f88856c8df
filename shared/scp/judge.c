/* Small judgements: reports, ranges, the forms of URLs, languages, durations, numbers. */
#include "scp/internal.h"

#include <string.h>

enum { EXCERPT_MAX = 200, FUTURE_S = 86400 };

static void report(const struct adit_scp_place *place, struct adit_scp_finding f)
{
    if (!place->judge) return;
    f.line = place->judge->line;
    f.block = place->block;
    place->judge->report(place->judge->ctx, &f);
}

void adit_scp_report(const struct adit_scp_place *place, enum adit_scp_rule_id rule,
                     const char *member, struct adit_str at)
{
    report(place, (struct adit_scp_finding){
                      .rule = rule,
                      .pos = at.p ? (size_t)(at.p - place->line.p) : 0,
                      .member = member,
                      .value = adit_str_sub(at, 0, EXCERPT_MAX),
                  });
}

void adit_scp_report_json(const struct adit_scp_place *place, enum adit_scp_rule_id rule,
                          const struct adit_error *err)
{
    report(place, (struct adit_scp_finding){.rule = rule, .pos = err->pos, .detail = err->msg});
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

/* --- URLs ----------------------------------------------------------------------------------------
 */

/* Bytes that may not stand in a URL: controls, space, and what RFC 3986 leaves out of ASCII but
 * for [ ] (addresses). Other bytes than ASCII are let pass, as browsers do. The backslash stands
 * for an escape here and is looked at by is_url. */
static bool is_url_byte(char c)
{
    static const char no[128] = {['"'] = 1, ['<'] = 1, ['>'] = 1,  ['^'] = 1, ['`'] = 1, ['{'] = 1,
                                 ['|'] = 1, ['}'] = 1, ['\\'] = 1, [' '] = 1, [127] = 1};
    unsigned char u = (unsigned char)c;
    return u >= 128 || (u > 32 && !no[u]);
}

/* The next character of the inside of a JSON string, if a URL may have it: takes "\/" as "/". */
static bool url_next(struct adit_str text, size_t *pos, char *c)
{
    *c = text.p[*pos];
    if (*c == '\\' && *pos + 1 < text.len && text.p[*pos + 1] == '/') {
        *pos += 2;
        *c = '/';
        return true;
    }
    if (*c == '\\' && *pos + 5 < text.len && text.p[*pos + 1] == 'u') { /* some non-ASCII letter */
        bool ascii = text.p[*pos + 2] == '0' && text.p[*pos + 3] == '0' && text.p[*pos + 4] < '8';
        int high = adit_hex(text.p[*pos + 4]), low = adit_hex(text.p[*pos + 5]);
        *c = (char)(ascii ? high * 16 + low : 0x80);
        *pos += 6;
        return is_url_byte(*c);
    }
    ++*pos;
    return is_url_byte(*c);
}

static bool url_prefix(struct adit_str text, size_t *pos, const char *word)
{
    size_t at = *pos;
    for (; *word; word++) {
        char c;
        if (at >= text.len || !url_next(text, &at, &c) || adit_lower(c) != *word) return false;
    }
    *pos = at;
    return true;
}

bool adit_scp_is_url(struct adit_str text)
{
    size_t pos = 0;
    if (text.len > ADIT_LIMIT_url_bytes) return false;
    if (!url_prefix(text, &pos, "https://") && !url_prefix(text, &pos, "http://")) return false;
    size_t host = 0;
    bool in_host = true;
    while (pos < text.len) {
        char c;
        if (!url_next(text, &pos, &c)) return false;
        if (c == '/' || c == '?' || c == '#') in_host = false;
        if (in_host && c == '@')
            host = 0;
        else if (in_host && (c != ':' || host > 0))
            host++;
        else if (in_host)
            return false; /* a port without a host */
    }
    return host > 0;
}

/* --- other forms ---------------------------------------------------------------------------------
 */

/* ^[a-z]{2,3}(-[0-9A-Za-z]+)*$, which is what the schema's longer pattern comes to. */
bool adit_scp_is_language(struct adit_str text)
{
    struct adit_str part;
    if (!adit_str_split(&text, '-', &part) || part.len < 2 || part.len > 3) return false;
    for (size_t i = 0; i < part.len; i++)
        if (part.p[i] < 'a' || part.p[i] > 'z') return false;
    while (adit_str_split(&text, '-', &part)) {
        if (part.len == 0) return false;
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
