/* Which captures can be pages: by status, and by what the body is. */
#include "batch/crawl/crawl.h"
#include "http/http.h"

#include <string.h>

#define SKIP_NAME(name, text) #name,
const char *const crawl_skip_names[CRAWL_SKIP_COUNT] = {CRAWL_SKIPS(SKIP_NAME)};
#define SKIP_TEXT(name, text) text,
const char *const crawl_skip_texts[CRAWL_SKIP_COUNT] = {CRAWL_SKIPS(SKIP_TEXT)};

/* The first row that fits decides. */
static const struct {
    unsigned from, to;
    int skip; /* enum crawl_skip; -1: convert */
    bool decides;
} statuses[] = {
    {200, 200, -1, true},
    {203, 203, -1, true},
    {206, 206, CRAWL_SKIP_truncated, false},
    {201, 299, CRAWL_SKIP_empty, true},
    {304, 304, CRAWL_SKIP_unchanged, false},
    {300, 399, CRAWL_SKIP_redirect, true},
    {401, 401, CRAWL_SKIP_private, true},
    {403, 403, CRAWL_SKIP_private, true},
    {404, 404, CRAWL_SKIP_gone, true},
    {410, 410, CRAWL_SKIP_gone, true},
    {429, 429, CRAWL_SKIP_server_error, true},
    {400, 499, CRAWL_SKIP_refused, true},
    {500, 599, CRAWL_SKIP_server_error, true},
};

int crawl_status_skip(unsigned status, bool *decides)
{
    for (size_t i = 0; i < ADIT_COUNT(statuses); i++) {
        if (status < statuses[i].from || status > statuses[i].to) continue;
        *decides = statuses[i].decides;
        return statuses[i].skip;
    }
    *decides = false;
    return CRAWL_SKIP_body; /* no HTTP response at all */
}

/* --- is it HTML? ------------------------------------------------------------------------------ */

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

#define BINARY_NAME(name, text) #name,
const char *const crawl_binary_names[CRAWL_BINARY_COUNT] = {CRAWL_BINARIES(BINARY_NAME)};
#define BINARY_TEXT(name, text) text,
const char *const crawl_binary_texts[CRAWL_BINARY_COUNT] = {CRAWL_BINARIES(BINARY_TEXT)};

/* What is called HTML and is not (MIME Sniffing, 6). */
static const struct {
    size_t at;
    struct adit_str magic;
    enum crawl_binary kind;
} binaries[] = {
    {0, ADIT_STR_INIT("%PDF-"), CRAWL_BINARY_pdf},
    {0, ADIT_STR_INIT("\x89PNG\r\n"), CRAWL_BINARY_png},
    {0, ADIT_STR_INIT("\xff\xd8\xff"), CRAWL_BINARY_jpeg},
    {0, ADIT_STR_INIT("GIF87a"), CRAWL_BINARY_gif},
    {0, ADIT_STR_INIT("GIF89a"), CRAWL_BINARY_gif},
    {8, ADIT_STR_INIT("WEBPVP"), CRAWL_BINARY_riff},
    {8, ADIT_STR_INIT("WAVEfmt"), CRAWL_BINARY_riff},
    {8, ADIT_STR_INIT("AVI LIST"), CRAWL_BINARY_riff},
    {0, ADIT_STR_INIT("II*\0"), CRAWL_BINARY_tiff},
    {0, ADIT_STR_INIT("MM\0*"), CRAWL_BINARY_tiff},
    {0, ADIT_STR_INIT("\0\0\1\0"), CRAWL_BINARY_icon},
    {4, ADIT_STR_INIT("ftyp"), CRAWL_BINARY_mp4},
    {0, ADIT_STR_INIT("ID3\2"), CRAWL_BINARY_mp3},
    {0, ADIT_STR_INIT("ID3\3"), CRAWL_BINARY_mp3},
    {0, ADIT_STR_INIT("ID3\4"), CRAWL_BINARY_mp3},
    {0, ADIT_STR_INIT("OggS\0"), CRAWL_BINARY_ogg},
    {0, ADIT_STR_INIT("wOFF"), CRAWL_BINARY_font},
    {0, ADIT_STR_INIT("wOF2"), CRAWL_BINARY_font},
    {0, ADIT_STR_INIT("FWS"), CRAWL_BINARY_flash},
    {0, ADIT_STR_INIT("CWS"), CRAWL_BINARY_flash},
    {0, ADIT_STR_INIT("PK\x03\x04"), CRAWL_BINARY_zip},
    {0, ADIT_STR_INIT("\x1f\x8b\x08"), CRAWL_BINARY_gzip},
    {0, ADIT_STR_INIT("Rar!\x1a"), CRAWL_BINARY_rar},
    {0, ADIT_STR_INIT("\xd0\xcf\x11\xe0\xa1\xb1"), CRAWL_BINARY_office},
    {0, ADIT_STR_INIT("MZ\x90\0"), CRAWL_BINARY_program},
    {0,
     ADIT_STR_INIT("\x7f"
                   "ELF"),
     CRAWL_BINARY_program},
};

/* Bytes that no text has, a tenth of those at the beginning; text of two bytes a character has a zero in
 * every second place. */
static bool has_binary_bytes(struct adit_str body)
{
    enum { LOOKED_AT = 512 };
    size_t n = body.len < LOOKED_AT ? body.len : LOOKED_AT, odd = 0, zeros[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)body.p[i];
        zeros[i % 2] += c == 0;
        odd += c < 9 || (c > 13 && c < 27) || (c > 27 && c < 32);
    }
    bool two_bytes = zeros[0] > n / 4 || zeros[1] > n / 4;
    return odd > n / 10 && !two_bytes;
}

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

int crawl_binary(struct adit_str body)
{
    for (size_t i = 0; i < ADIT_COUNT(binaries); i++)
        if (adit_str_starts(adit_str_sub(body, binaries[i].at, body.len), binaries[i].magic))
            return (int)binaries[i].kind;
    /* What begins as HTML is HTML, whatever its text is full of. */
    return has_binary_bytes(body) && !sniff(body) ? CRAWL_BINARY_other : -1;
}

bool crawl_is_html(struct adit_str content_type, struct adit_str body)
{
    if (adit_media_is_html(content_type)) return crawl_binary(body) < 0;
    struct adit_str type = adit_media_type(content_type);
    for (size_t i = 0; i < ADIT_COUNT(vague); i++)
        if (adit_str_ieq(type, vague[i])) return body.len == 0 || sniff(body);
    return false;
}

struct adit_str crawl_payload_type(struct adit_str said, struct adit_str identified)
{
    struct adit_str type = adit_media_type(identified);
    bool html = adit_media_is_html(identified);
    for (size_t i = 0; i < ADIT_COUNT(vague); i++)
        if (adit_str_ieq(type, vague[i])) return said;
    return html && adit_media_is_html(said) ? said : identified;
}
