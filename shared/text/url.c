/* The URL parser (WHATWG URL, 4.4). The standard's state machine, written as the functions that its
 * states amount to: scheme, authority, path, query, fragment are read one after the other, each to
 * its end. */
#include "text/text.h"

#include "text/url_impl.h"

#include <string.h>

static const struct scheme {
    struct adit_str name;
    const char *port;
} schemes[] = {
    {ADIT_STR_INIT("http"), "80"}, {ADIT_STR_INIT("https"), "443"}, {ADIT_STR_INIT("ws"), "80"},
    {ADIT_STR_INIT("wss"), "443"}, {ADIT_STR_INIT("ftp"), "21"},    {ADIT_STR_INIT("file"), ""},
};

const char *adit_url_default_port(struct adit_str scheme)
{
    for (size_t i = 0; i < ADIT_COUNT(schemes); i++)
        if (adit_str_eq(schemes[i].name, scheme)) return schemes[i].port;
    return NULL;
}

/* Sets that each printable character is in. */
static const unsigned char sets[128] = {
    [' '] = ADIT_SET_FRAGMENT | ADIT_SET_QUERY | ADIT_SET_SPECIAL_QUERY | ADIT_SET_PATH |
            ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['"'] = ADIT_SET_FRAGMENT | ADIT_SET_QUERY | ADIT_SET_SPECIAL_QUERY | ADIT_SET_PATH |
            ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['<'] = ADIT_SET_FRAGMENT | ADIT_SET_QUERY | ADIT_SET_SPECIAL_QUERY | ADIT_SET_PATH |
            ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['>'] = ADIT_SET_FRAGMENT | ADIT_SET_QUERY | ADIT_SET_SPECIAL_QUERY | ADIT_SET_PATH |
            ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['`'] = ADIT_SET_FRAGMENT | ADIT_SET_PATH | ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['#'] =
        ADIT_SET_QUERY | ADIT_SET_SPECIAL_QUERY | ADIT_SET_PATH | ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['\''] = ADIT_SET_SPECIAL_QUERY,
    ['?'] = ADIT_SET_PATH | ADIT_SET_USERINFO,
    ['{'] = ADIT_SET_PATH | ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['}'] = ADIT_SET_PATH | ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['/'] = ADIT_SET_USERINFO,
    [':'] = ADIT_SET_USERINFO,
    [';'] = ADIT_SET_USERINFO,
    ['='] = ADIT_SET_USERINFO,
    ['@'] = ADIT_SET_USERINFO,
    ['['] = ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['\\'] = ADIT_SET_USERINFO | ADIT_SET_PAGE,
    [']'] = ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['^'] = ADIT_SET_USERINFO | ADIT_SET_PAGE,
    ['|'] = ADIT_SET_USERINFO | ADIT_SET_PAGE,
};

bool adit_url_must_encode(char c, unsigned set)
{
    unsigned char u = (unsigned char)c;
    return u < 0x20 || u >= 0x7F || (sets[u] & set);
}

void adit_url_encode(struct adit_url_part *out, struct adit_str s, unsigned set)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (!adit_url_must_encode(s.p[i], set)) {
            out->p[out->len++] = s.p[i];
            continue;
        }
        out->p[out->len++] = '%';
        out->p[out->len++] = "0123456789ABCDEF"[c >> 4];
        out->p[out->len++] = "0123456789ABCDEF"[c & 15];
    }
}

void adit_url_decode(struct adit_url_part *out, struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == '%' && s.len - i > 2 && adit_hex(s.p[i + 1]) >= 0 && adit_hex(s.p[i + 2]) >= 0) {
            c = (char)(adit_hex(s.p[i + 1]) * 16 + adit_hex(s.p[i + 2]));
            i += 2;
        }
        out->p[out->len++] = c;
    }
}

/* --- the parser's state ----------------------------------------------------------------------- */

struct parser {
    struct adit_str in; /* cleaned: no white space around, no line breaks */
    size_t at;
    const struct adit_url *base;
    struct adit_arena *arena;
    struct adit_url url;       /* parts; href comes last */
    struct adit_url_part room; /* where parts are written, one after the other */
    struct adit_url_part path; /* in room, while the path grows and shrinks */
};

static bool at_end(const struct parser *p) { return p->at >= p->in.len; }
static char peek(const struct parser *p, size_t ahead)
{
    return p->at + ahead < p->in.len ? p->in.p[p->at + ahead] : '\0';
}
static bool is_slash(const struct parser *p, char c)
{
    return c == '/' || (c == '\\' && p->url.special);
}
static bool is_file(const struct parser *p) { return adit_str_eq(p->url.scheme, ADIT_STR("file")); }
static bool base_is_file(const struct parser *p)
{
    return p->base && adit_str_eq(p->base->scheme, ADIT_STR("file"));
}

static struct adit_str encode(struct parser *p, struct adit_str s, unsigned set)
{
    struct adit_url_part part = {.p = p->room.p + p->room.len};
    adit_url_encode(&part, s, set);
    p->room.len += part.len;
    return adit_str_of(part.p, part.len);
}

/* C:, C| */
static bool is_drive(struct adit_str s)
{
    return s.len == 2 && adit_is_alpha(s.p[0]) && (s.p[1] == ':' || s.p[1] == '|');
}

/* The rest begins with a drive letter, and nothing but a path follows. */
static bool starts_with_drive(const struct parser *p)
{
    struct adit_str rest = adit_str_sub(p->in, p->at, p->in.len);
    if (!is_drive(adit_str_sub(rest, 0, 2))) return false;
    return rest.len == 2 || adit_url_is_one_of(rest.p[2], "/\\?#");
}

/* --- path ------------------------------------------------------------------------------------- */

static void path_begin(struct parser *p, struct adit_str inherited)
{
    p->path = (struct adit_url_part){.p = p->room.p + p->room.len, .len = inherited.len};
    if (inherited.len) memcpy(p->path.p, inherited.p, inherited.len);
}

/* Takes the last segment off; a file's drive letter stays. */
static void path_shorten(struct parser *p)
{
    struct adit_str path = adit_str_of(p->path.p, p->path.len);
    if (is_file(p) && path.len == 3 && is_drive(adit_str_sub(path, 1, 3)) && path.p[2] == ':')
        return;
    while (p->path.len > 0 && p->path.p[p->path.len - 1] != '/') p->path.len--;
    if (p->path.len > 0) p->path.len--;
}

/* Length of a dot at s[i] ("." or "%2e"), or 0. */
static size_t dot_len(struct adit_str s, size_t i)
{
    if (i < s.len && s.p[i] == '.') return 1;
    return adit_str_ieq(adit_str_sub(s, i, i + 3), ADIT_STR("%2e")) ? 3 : 0;
}

/* 1 for ".", 2 for "..", else 0. */
static int dots(struct adit_str s)
{
    size_t one = dot_len(s, 0), two = one ? dot_len(s, one) : 0;
    if (one && one == s.len) return 1;
    return two && one + two == s.len ? 2 : 0;
}

/* The path from the start of a segment on, up to '?', '#' or the end. */
static void read_path(struct parser *p)
{
    for (bool more = true; more; p->at++) {
        size_t start = p->at;
        while (!at_end(p) && !is_slash(p, peek(p, 0)) && peek(p, 0) != '?' && peek(p, 0) != '#')
            p->at++;
        struct adit_str segment = adit_str_sub(p->in, start, p->at);
        more = !at_end(p) && is_slash(p, peek(p, 0));
        int d = dots(segment);
        if (d == 2) path_shorten(p);
        if (d && more) continue;
        bool drive = is_file(p) && p->path.len == 0 && is_drive(segment);
        p->path.p[p->path.len++] = '/';
        if (d) continue;
        adit_url_encode(&p->path, segment, ADIT_SET_PATH);
        if (drive) p->path.p[2] = ':';
    }
    p->at--;
}

static void path_end(struct parser *p)
{
    p->url.path = adit_str_of(p->path.p, p->path.len);
    p->room.len += p->path.len;
}

/* "Path start state": behind an authority. */
static void read_path_start(struct parser *p)
{
    path_begin(p, (struct adit_str){0});
    if (p->url.special) {
        if (is_slash(p, peek(p, 0))) p->at++;
        read_path(p);
    } else if (!at_end(p) && peek(p, 0) != '?' && peek(p, 0) != '#') {
        if (peek(p, 0) == '/') p->at++;
        read_path(p);
    }
    path_end(p);
}

static void read_path_here(struct parser *p)
{
    path_begin(p, (struct adit_str){0});
    read_path(p);
    path_end(p);
}

static void read_opaque_path(struct parser *p)
{
    size_t start = p->at;
    while (!at_end(p) && peek(p, 0) != '?' && peek(p, 0) != '#') p->at++;
    p->url.opaque = true;
    p->url.path = encode(p, adit_str_sub(p->in, start, p->at), ADIT_SET_C0);
}

/* --- query and fragment: what is left --------------------------------------------------------- */

static void read_tail(struct parser *p)
{
    if (peek(p, 0) == '?' && !at_end(p)) {
        size_t end = adit_str_chr(p->in, '#', p->at);
        p->url.has_query = true;
        p->url.query = encode(p, adit_str_sub(p->in, p->at + 1, end),
                              p->url.special ? ADIT_SET_SPECIAL_QUERY : ADIT_SET_QUERY);
        p->at = end;
    }
    if (at_end(p)) return;
    p->url.has_fragment = true;
    p->url.fragment = encode(p, adit_str_sub(p->in, p->at + 1, p->in.len), ADIT_SET_FRAGMENT);
}

/* --- authority -------------------------------------------------------------------------------- */

static void read_credentials(struct parser *p, struct adit_str s)
{
    size_t colon = adit_str_chr(s, ':', 0);
    p->url.username = encode(p, adit_str_sub(s, 0, colon), ADIT_SET_USERINFO);
    p->url.password = encode(p, adit_str_sub(s, colon + 1, s.len), ADIT_SET_USERINFO);
}

static enum adit_code read_port(struct parser *p, struct adit_str s)
{
    if (s.len == 0) return ADIT_OK;
    uint64_t port = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!adit_is_digit(s.p[i])) return ADIT_EBAD;
        port = port * 10 + (uint64_t)(s.p[i] - '0');
        if (port > 65535) return ADIT_EBAD;
    }
    while (s.len > 1 && s.p[0] == '0') s = adit_str_sub(s, 1, s.len);
    const char *standard = adit_url_default_port(p->url.scheme);
    if (!standard || !adit_str_eq(s, adit_str_z(standard))) p->url.port = s;
    return ADIT_OK;
}

static enum adit_code read_authority(struct parser *p)
{
    size_t start = p->at, i;
    while (!at_end(p) && !is_slash(p, peek(p, 0)) && peek(p, 0) != '?' && peek(p, 0) != '#')
        p->at++;
    struct adit_str s = adit_str_sub(p->in, start, p->at);
    for (i = s.len; i > 0 && s.p[i - 1] != '@';) i--;
    bool credentials = i > 0;
    if (credentials) read_credentials(p, adit_str_sub(s, 0, i - 1));
    s = adit_str_sub(s, i, s.len);
    bool brackets = false;
    for (i = 0; i < s.len && (s.p[i] != ':' || brackets); i++) {
        if (s.p[i] == '[') brackets = true;
        if (s.p[i] == ']') brackets = false;
    }
    struct adit_str host = adit_str_sub(s, 0, i);
    if (host.len == 0 && (p->url.special || credentials || i < s.len)) return ADIT_EBAD;
    ADIT_TRY(adit_url_host(host, p->url.special, p->arena, &p->url.host));
    p->url.has_host = true;
    ADIT_TRY(read_port(p, adit_str_sub(s, i + 1, s.len)));
    read_path_start(p);
    return ADIT_OK;
}

static enum adit_code read_special_authority(struct parser *p)
{
    while (peek(p, 0) == '/' || peek(p, 0) == '\\') p->at++;
    return read_authority(p);
}

/* --- file ------------------------------------------------------------------------------------- */

static enum adit_code read_file_host(struct parser *p)
{
    size_t start = p->at, end = start;
    while (end < p->in.len && !adit_url_is_one_of(p->in.p[end], "/\\?#")) end++;
    struct adit_str host = adit_str_sub(p->in, start, end);
    if (is_drive(host)) {
        read_path_here(p);
        return ADIT_OK;
    }
    if (host.len) ADIT_TRY(adit_url_host(host, true, p->arena, &p->url.host));
    if (adit_str_eq(p->url.host, ADIT_STR("localhost"))) p->url.host = (struct adit_str){0};
    p->at = end;
    read_path_start(p);
    return ADIT_OK;
}

static struct adit_str base_drive(const struct parser *p)
{
    struct adit_str path = p->base->path, drive = adit_str_sub(path, 1, 3);
    bool has = is_drive(drive) && drive.p[1] == ':' && (path.len == 3 || path.p[3] == '/');
    return has ? adit_str_sub(path, 0, 3) : (struct adit_str){0};
}

static enum adit_code read_file_slash(struct parser *p)
{
    p->at++;
    if (peek(p, 0) == '/' || peek(p, 0) == '\\') {
        p->at++;
        return read_file_host(p);
    }
    struct adit_str drive = {0};
    if (base_is_file(p)) {
        p->url.host = p->base->host;
        if (!starts_with_drive(p)) drive = base_drive(p);
    }
    path_begin(p, drive);
    read_path(p);
    path_end(p);
    return ADIT_OK;
}

/* Path and query of the base, changed by what is left: nothing, a query, a fragment, a path. */
static void read_relative_path(struct parser *p, bool keep_base)
{
    if (at_end(p) || peek(p, 0) == '?' || peek(p, 0) == '#') {
        p->url.path = p->base->path;
        if (!at_end(p) && peek(p, 0) == '?') return;
        p->url.has_query = p->base->has_query;
        p->url.query = p->base->query;
        return;
    }
    path_begin(p, keep_base ? p->base->path : (struct adit_str){0});
    if (keep_base) path_shorten(p);
    read_path(p);
    path_end(p);
}

static enum adit_code read_file(struct parser *p)
{
    p->url.scheme = ADIT_STR("file");
    p->url.special = p->url.has_host = true;
    if (peek(p, 0) == '/' || peek(p, 0) == '\\') return read_file_slash(p);
    if (!base_is_file(p)) {
        read_path_here(p);
        return ADIT_OK;
    }
    p->url.host = p->base->host;
    read_relative_path(p, !starts_with_drive(p));
    return ADIT_OK;
}

/* --- relative --------------------------------------------------------------------------------- */

static enum adit_code read_relative(struct parser *p)
{
    p->url.scheme = p->base->scheme;
    p->url.special = p->base->special;
    if (!at_end(p) && is_slash(p, peek(p, 0)) && is_slash(p, peek(p, 1)) && p->in.len - p->at > 1) {
        p->at += 2;
        return p->url.special ? read_special_authority(p) : read_authority(p);
    }
    p->url.username = p->base->username;
    p->url.password = p->base->password;
    p->url.has_host = p->base->has_host;
    p->url.host = p->base->host;
    p->url.port = p->base->port;
    if (!at_end(p) && is_slash(p, peek(p, 0))) {
        p->at++;
        read_path_here(p);
    } else
        read_relative_path(p, true);
    return ADIT_OK;
}

/* A base without segments takes nothing but another fragment. */
static enum adit_code read_fragment_only(struct parser *p)
{
    if (at_end(p) || peek(p, 0) != '#') return ADIT_EBAD;
    p->url = *p->base;
    p->url.has_fragment = false;
    return ADIT_OK;
}

/* --- scheme, and which way to go -------------------------------------------------------------- */

static bool read_scheme(struct parser *p)
{
    size_t i = 0;
    if (p->in.len == 0 || !adit_is_alpha(p->in.p[0])) return false;
    while (i < p->in.len && (adit_is_alnum(p->in.p[i]) || p->in.p[i] == '+' || p->in.p[i] == '-' ||
                             p->in.p[i] == '.'))
        i++;
    if (i == p->in.len || p->in.p[i] != ':') return false;
    char *lower = p->room.p;
    for (size_t k = 0; k < i; k++) lower[k] = adit_lower(p->in.p[k]);
    p->room.len += i;
    p->url.scheme = adit_str_of(lower, i);
    p->url.special = adit_url_default_port(p->url.scheme) != NULL;
    p->at = i + 1;
    return true;
}

static enum adit_code read_url(struct parser *p)
{
    if (!read_scheme(p)) {
        if (!p->base) return ADIT_EBAD;
        if (p->base->opaque) return read_fragment_only(p);
        return base_is_file(p) ? read_file(p) : read_relative(p);
    }
    if (is_file(p)) return read_file(p);
    bool slashes = peek(p, 0) == '/' && peek(p, 1) == '/';
    if (p->url.special) {
        if (p->base && adit_str_eq(p->base->scheme, p->url.scheme) && !slashes)
            return read_relative(p);
        return read_special_authority(p);
    }
    if (slashes) {
        p->at += 2;
        return read_authority(p);
    }
    if (peek(p, 0) == '/') {
        p->at++;
        read_path_here(p);
    } else
        read_opaque_path(p);
    return ADIT_OK;
}

/* --- in and out ------------------------------------------------------------------------------- */

static bool is_break(char c) { return c == '\t' || c == '\n' || c == '\r'; }

/* Removes white space and controls around, line breaks inside; mends UTF-8. */
static enum adit_code clean(struct adit_str *s, struct adit_arena *arena)
{
    while (s->len && (unsigned char)s->p[0] <= ' ') *s = adit_str_sub(*s, 1, s->len);
    while (s->len && (unsigned char)s->p[s->len - 1] <= ' ') s->len--;
    if (s->len > ADIT_LIMIT_url_bytes) return ADIT_ELIMIT;
    bool breaks = false;
    for (size_t i = 0; i < s->len; i++) breaks = breaks || is_break(s->p[i]);
    bool valid = adit_utf8_valid(*s);
    if (valid && !breaks) return ADIT_OK;
    char *p = adit_arena_alloc(arena, s->len * 3);
    if (!p) return ADIT_ENOMEM;
    size_t n = 0;
    for (size_t pos = 0; pos < s->len;) {
        uint32_t c = adit_utf8_next(*s, &pos);
        if (c > 0x7F || !is_break((char)c)) n += adit_utf8_encode(c, p + n);
    }
    *s = adit_str_of(p, n);
    return ADIT_OK;
}

static struct adit_str append(struct adit_url_part *out, struct adit_str s)
{
    char *at = out->p + out->len;
    if (s.len) memcpy(at, s.p, s.len);
    out->len += s.len;
    return adit_str_of(at, s.len);
}

/* Writes href and turns the parts into slices of it. */
static enum adit_code serialise(struct adit_url *u, struct adit_arena *arena)
{
    size_t max = u->scheme.len + u->username.len + u->password.len + u->host.len + u->port.len +
                 u->path.len + u->query.len + u->fragment.len + 16;
    struct adit_url_part out = {.p = adit_arena_alloc(arena, max)};
    if (!out.p) return ADIT_ENOMEM;
    u->scheme = append(&out, u->scheme);
    append(&out, ADIT_STR(":"));
    if (u->has_host) {
        append(&out, ADIT_STR("//"));
        bool user = u->username.len || u->password.len;
        u->username = append(&out, u->username);
        if (u->password.len) append(&out, ADIT_STR(":"));
        u->password = append(&out, u->password);
        if (user) append(&out, ADIT_STR("@"));
        u->host = append(&out, u->host);
        if (u->port.len) append(&out, ADIT_STR(":"));
        u->port = append(&out, u->port);
    } else if (!u->opaque && adit_str_starts(u->path, ADIT_STR("//")))
        append(&out, ADIT_STR("/."));
    u->path = append(&out, u->path);
    if (u->has_query) append(&out, ADIT_STR("?"));
    u->query = append(&out, u->query);
    if (u->has_fragment) append(&out, ADIT_STR("#"));
    u->fragment = append(&out, u->fragment);
    u->href = adit_str_of(out.p, out.len);
    return ADIT_OK;
}

enum adit_code adit_url_parse(struct adit_str input, const struct adit_url *base,
                              struct adit_arena *arena, struct adit_url *out)
{
    struct parser p = {.in = input, .base = base, .arena = arena};
    ADIT_TRY(clean(&p.in, arena));
    p.room.p = adit_arena_alloc(arena, p.in.len * 3 + (base ? base->path.len : 0) + 8);
    if (!p.room.p) return ADIT_ENOMEM;
    ADIT_TRY(read_url(&p));
    read_tail(&p);
    *out = p.url;
    return serialise(out, arena);
}
