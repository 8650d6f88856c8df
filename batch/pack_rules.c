/* Which captures can be pages: by status, and by what the body is. */
#include "batch/pack_worker.h"
#include "http/header.h"

#include <string.h>

#define SKIP_NAME(name, text) #name,
const char *const pack_skip_names[PACK_SKIP_COUNT] = {PACK_SKIPS(SKIP_NAME)};
#define SKIP_TEXT(name, text) text,
const char *const pack_skip_texts[PACK_SKIP_COUNT] = {PACK_SKIPS(SKIP_TEXT)};

/* The first row that fits decides. */
static const struct {
    unsigned from, to;
    int skip; /* enum pack_skip; -1: convert */
    bool decides;
} statuses[] = {
    {200, 200, -1, true},
    {203, 203, -1, true},
    {206, 206, PACK_SKIP_truncated, false},
    {201, 299, PACK_SKIP_empty, true},
    {304, 304, PACK_SKIP_unchanged, false},
    {300, 399, PACK_SKIP_redirect, true},
    {401, 401, PACK_SKIP_private, true},
    {403, 403, PACK_SKIP_private, true},
    {404, 404, PACK_SKIP_gone, true},
    {410, 410, PACK_SKIP_gone, true},
    {429, 429, PACK_SKIP_server_error, true},
    {400, 499, PACK_SKIP_refused, true},
    {500, 599, PACK_SKIP_server_error, true},
};

int pack_status_skip(unsigned status, bool *decides)
{
    for (size_t i = 0; i < ADIT_COUNT(statuses); i++) {
        if (status < statuses[i].from || status > statuses[i].to) continue;
        *decides = statuses[i].decides;
        return statuses[i].skip;
    }
    *decides = false;
    return PACK_SKIP_body; /* no HTTP response at all */
}

/* --- is it HTML? ---------------------------------------------------------------------------------
 */

/* Types that servers send for whatever they do not know. */
static const struct adit_str vague[] = {
    ADIT_STR_INIT(""),
    ADIT_STR_INIT("text/plain"),
    ADIT_STR_INIT("application/octet-stream"),
    ADIT_STR_INIT("application/unknown"),
    ADIT_STR_INIT("unknown/unknown"),
    ADIT_STR_INIT("*/*"),
    ADIT_STR_INIT("html"),
    ADIT_STR_INIT("no-type"),
    ADIT_STR_INIT("text/xml"),
    ADIT_STR_INIT("application/xml"),
};

/* How HTML begins (MIME Sniffing, 7.1), after white space. */
static const struct adit_str beginnings[] = {
    ADIT_STR_INIT("<!doctype html"), ADIT_STR_INIT("<html"),  ADIT_STR_INIT("<head"),
    ADIT_STR_INIT("<body"),          ADIT_STR_INIT("<title"), ADIT_STR_INIT("<meta"),
    ADIT_STR_INIT("<script"),        ADIT_STR_INIT("<h1"),    ADIT_STR_INIT("<div"),
    ADIT_STR_INIT("<table"),         ADIT_STR_INIT("<p>"),    ADIT_STR_INIT("<!--"),
};

/* What is called HTML and is not. */
static const struct adit_str binaries[] = {
    ADIT_STR_INIT("%PDF-"),        ADIT_STR_INIT("GIF8"),       ADIT_STR_INIT("\x89PNG"),
    ADIT_STR_INIT("\xff\xd8\xff"), ADIT_STR_INIT("PK\x03\x04"), ADIT_STR_INIT("\x1f\x8b\x08"),
};

static bool begins_with(struct adit_str body, const struct adit_str *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_istarts(body, v[i])) return true;
    return false;
}

static bool sniff(struct adit_str body)
{
    if (adit_str_starts(body, ADIT_STR("\xef\xbb\xbf"))) body = adit_str_sub(body, 3, body.len);
    body = adit_str_sub(body, 0, 1024);
    while (body.len && adit_is_space(body.p[0])) body = adit_str_sub(body, 1, body.len);
    if (adit_str_istarts(body, ADIT_STR("<?xml"))) {
        size_t end = adit_str_find(body, ADIT_STR("?>"), 0);
        body = adit_str_trim(adit_str_sub(body, end + 2, body.len));
    }
    return begins_with(body, beginnings, ADIT_COUNT(beginnings));
}

bool pack_is_html(struct adit_str content_type, struct adit_str body)
{
    if (adit_media_is_html(content_type)) return !begins_with(body, binaries, ADIT_COUNT(binaries));
    struct adit_str type = adit_media_type(content_type);
    for (size_t i = 0; i < ADIT_COUNT(vague); i++)
        if (adit_str_ieq(type, vague[i])) return body.len == 0 || sniff(body);
    return false;
}

/* --- capture records -----------------------------------------------------------------------------
 */

struct pack_capture_view pack_capture_view(struct adit_str record)
{
    struct pack_capture_view v;
    memcpy(&v.head, record.p, sizeof v.head);
    size_t at = sizeof v.head;
    v.url = adit_str_of(record.p + at, v.head.url_len);
    at += v.head.url_len;
    v.modified = adit_str_of(record.p + at, v.head.modified_len);
    at += v.head.modified_len;
    v.line = adit_str_of(record.p + at, record.len - at);
    return v;
}

int pack_capture_cmp(struct adit_str a, struct adit_str b)
{
    struct pack_capture_view x = pack_capture_view(a), y = pack_capture_view(b);
    int c = adit_str_cmp(x.url, y.url);
    if (c == 0) c = adit_time_cmp(y.head.at, x.head.at);
    if (c == 0) c = (int)x.head.kind - (int)y.head.kind;
    if (c == 0) c = adit_str_cmp(y.line, x.line);
    return c ? c : adit_str_cmp(a, b);
}

void pack_counts_add(struct pack_counts *to, const struct pack_counts *more)
{
    /* A struct of counters only. */
    uint64_t *t = (uint64_t *)(void *)to;
    const uint64_t *m = (const uint64_t *)(const void *)more;
    _Static_assert(sizeof *to % sizeof *t == 0, "only 64-bit counters");
    for (size_t i = 0; i < sizeof *to / sizeof *t; i++) t[i] += m[i];
}
