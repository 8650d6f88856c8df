/* The values of options, judged by their placeholder in the command's table before the command runs: a bad one is told as its own
 * fault, with what would do, whether or not the run comes to use it. */
#include "batch/cli/cli.h"
#include "codec/codec.h"
#include "http/http.h"
#include "text/text.h"

#include <string.h>

enum { URL_ROOM = 1 << 20 };

static bool is_url(struct adit_str s)
{
    struct adit_arena arena;
    struct adit_str url;
    adit_arena_init(&arena, cli_mem, URL_ROOM);
    bool good = adit_url_page(s, &arena, &url) == ADIT_OK;
    adit_arena_free(&arena);
    return good;
}

static bool is_host(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] <= ' ' || strchr("/?#@", s.p[i])) return false;
    return true;
}

static bool is_time(struct adit_str s)
{
    struct adit_time t;
    return adit_time_parse_date(s, &t);
}

static bool is_charset(struct adit_str s) { return adit_charset_name(s) != NULL; }

/* RFC 5646, 2.1: letters, then parts of letters and digits, each of at most eight. Pages write '_', too. */
static bool is_language(struct adit_str s)
{
    size_t part = 0;
    bool first = true;
    for (size_t i = 0; i < s.len; i++) {
        bool ends = s.p[i] == '-' || s.p[i] == '_';
        if (ends ? part < (first ? 2 : 1)
                 : !(first ? adit_is_alpha(s.p[i]) : adit_is_alnum(s.p[i])))
            return false;
        if (ends) first = false;
        part = ends ? 0 : part + 1;
        if (part > 8) return false;
    }
    return part >= (first ? 2 : 1);
}

bool cli_is_field(struct adit_str s)
{
    size_t colon = adit_str_chr(s, ':', 0), n = 0;
    while (n < colon && (adit_is_alnum(s.p[n]) || s.p[n] == '-' || s.p[n] == '_')) n++;
    return n && n == colon && colon < s.len &&
           adit_header_sendable(adit_str_trim(adit_str_sub(s, colon + 1, s.len)));
}

static bool is_resolve(struct adit_str s)
{
    uint64_t port;
    size_t host = adit_str_chr(s, ':', 0), end = adit_str_chr(s, ':', host + 1);
    return host && end + 1 < s.len && adit_str_u64(adit_str_sub(s, host + 1, end), &port) && port &&
           port <= 65535;
}

static const struct {
    const char *placeholder;
    bool (*fits)(struct adit_str value);
    const char *what;
    bool secret; /* the value is not repeated: what is printed may be kept in a log */
} kinds[] = {
    {"URL", is_url, "no absolute http or https URL", false},
    {"HOST", is_host, "no host name, like example.com", false},
    {"TIME", is_time, "no RFC 3339 time or date, like 2026-01-31", false},
    {"CHARSET", is_charset, "no encoding that pages have, like utf-8 or iso-8859-1", false},
    {"TAG", is_language, "no language tag, like en or pt-BR", false},
    {"'NAME: VALUE'", cli_is_field, "no field that can be sent: it is written 'Name: value'", true},
    {"HOST:PORT:ADDR", is_resolve, "not written HOST:PORT:ADDR, like example.com:443:192.0.2.1",
     false},
};

/* "auto, tct, scp or html" */
static void write_words(struct adit_buf *out, struct adit_str words)
{
    struct adit_str word;
    for (const char *before = ""; adit_str_split(&words, '|', &word);) {
        adit_buf_lit(out, before);
        adit_buf_add(out, word);
        before = adit_str_chr(words, '|', 0) < words.len ? ", " : " or ";
    }
}

int cli_word(const char *words, const char *value)
{
    struct adit_str rest = adit_str_z(words), word;
    for (int i = 0; adit_str_split(&rest, '|', &word); i++)
        if (adit_str_eq(word, adit_str_z(value))) return i;
    return -1;
}

static bool is_choice(const struct cli_args *args, const struct cli_option *o, const char *value)
{
    struct adit_buf all;
    if (cli_word(o->arg, value) >= 0) return true;
    adit_buf_init(&all, cli_mem, 4096);
    write_words(&all, adit_str_z(o->arg));
    cli_usage(args, "--%s is %.*s, not '%s'", o->name, (int)all.len, all.p, value);
    adit_buf_free(&all);
    return false;
}

bool cli_value_fits(const struct cli_args *args, const struct cli_option *o, const char *value)
{
    const char *dashes = strlen(o->name) > 1 ? "--" : "-";
    size_t k = 0;
    if (!*value) {
        cli_usage(args, "option %s%s needs a value: %s", dashes, o->name, o->arg);
        return false;
    }
    if (o->kind == CLI_CHOICE) return is_choice(args, o, value);
    while (k < ADIT_COUNT(kinds) && strcmp(kinds[k].placeholder, o->arg) != 0) k++;
    if (k == ADIT_COUNT(kinds) || kinds[k].fits(adit_str_z(value))) return true;
    bool bare = kinds[k].fits == is_url && !strstr(value, ":") && strchr(value, '.');
    if (kinds[k].secret)
        cli_usage(args, "%s%s: %s", dashes, o->name, kinds[k].what);
    else if (bare)
        cli_usage(args, "%s%s '%s' is %s, is it https://%s?", dashes, o->name, value, kinds[k].what,
                  value);
    else
        cli_usage(args, "%s%s '%s' is %s", dashes, o->name, value, kinds[k].what);
    return false;
}

struct adit_str cli_url(const struct cli_args *args, const char *name, struct adit_arena *arena)
{
    const char *value = cli_get(args, name);
    struct adit_str url = {0};
    if (value && adit_url_page(adit_str_z(value), arena, &url) != ADIT_OK)
        return (struct adit_str){0};
    return url;
}
