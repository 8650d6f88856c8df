/* What a body is by its first bytes: HTML, or one of the binaries that are sent as HTML. */
#include "codec/codec.h"

/* How HTML begins (MIME Sniffing, 7.1), after white space. */
static const struct adit_str beginnings[] = {
    ADIT_STR_INIT("<!doctype html"), ADIT_STR_INIT("<html"),  ADIT_STR_INIT("<head"),
    ADIT_STR_INIT("<body"),          ADIT_STR_INIT("<title"), ADIT_STR_INIT("<meta"),
    ADIT_STR_INIT("<script"),        ADIT_STR_INIT("<h1"),    ADIT_STR_INIT("<div"),
    ADIT_STR_INIT("<table"),         ADIT_STR_INIT("<p>"),    ADIT_STR_INIT("<!--"),
};

#define BINARY_NAME(name, text) #name,
const char *const adit_binary_names[ADIT_BINARY_COUNT] = {ADIT_BINARIES(BINARY_NAME)};
#define BINARY_TEXT(name, text) text,
const char *const adit_binary_texts[ADIT_BINARY_COUNT] = {ADIT_BINARIES(BINARY_TEXT)};

/* What is called HTML and is not (MIME Sniffing, 6). */
static const struct {
    size_t at;
    struct adit_str magic;
    enum adit_binary kind;
} binaries[] = {
    {0, ADIT_STR_INIT("%PDF-"), ADIT_BINARY_pdf},
    {0, ADIT_STR_INIT("\x89PNG\r\n"), ADIT_BINARY_png},
    {0, ADIT_STR_INIT("\xff\xd8\xff"), ADIT_BINARY_jpeg},
    {0, ADIT_STR_INIT("GIF87a"), ADIT_BINARY_gif},
    {0, ADIT_STR_INIT("GIF89a"), ADIT_BINARY_gif},
    {8, ADIT_STR_INIT("WEBPVP"), ADIT_BINARY_riff},
    {8, ADIT_STR_INIT("WAVEfmt"), ADIT_BINARY_riff},
    {8, ADIT_STR_INIT("AVI LIST"), ADIT_BINARY_riff},
    {0, ADIT_STR_INIT("II*\0"), ADIT_BINARY_tiff},
    {0, ADIT_STR_INIT("MM\0*"), ADIT_BINARY_tiff},
    {0, ADIT_STR_INIT("\0\0\1\0"), ADIT_BINARY_icon},
    {4, ADIT_STR_INIT("ftyp"), ADIT_BINARY_mp4},
    {0, ADIT_STR_INIT("ID3\2"), ADIT_BINARY_mp3},
    {0, ADIT_STR_INIT("ID3\3"), ADIT_BINARY_mp3},
    {0, ADIT_STR_INIT("ID3\4"), ADIT_BINARY_mp3},
    {0, ADIT_STR_INIT("OggS\0"), ADIT_BINARY_ogg},
    {0, ADIT_STR_INIT("wOFF"), ADIT_BINARY_font},
    {0, ADIT_STR_INIT("wOF2"), ADIT_BINARY_font},
    {0, ADIT_STR_INIT("FWS"), ADIT_BINARY_flash},
    {0, ADIT_STR_INIT("CWS"), ADIT_BINARY_flash},
    {0, ADIT_STR_INIT("PK\x03\x04"), ADIT_BINARY_zip},
    {0, ADIT_STR_INIT("\x1f\x8b\x08"), ADIT_BINARY_gzip},
    {0, ADIT_STR_INIT("Rar!\x1a"), ADIT_BINARY_rar},
    {0, ADIT_STR_INIT("\xd0\xcf\x11\xe0\xa1\xb1"), ADIT_BINARY_office},
    {0, ADIT_STR_INIT("MZ\x90\0"), ADIT_BINARY_program},
    {0,
     ADIT_STR_INIT("\x7f"
                   "ELF"),
     ADIT_BINARY_program},
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

bool adit_begins_as_html(struct adit_str body)
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

int adit_binary(struct adit_str body)
{
    for (size_t i = 0; i < ADIT_COUNT(binaries); i++)
        if (adit_str_starts(adit_str_sub(body, binaries[i].at, body.len), binaries[i].magic))
            return (int)binaries[i].kind;
    /* What begins as HTML is HTML, whatever its text is full of. */
    return has_binary_bytes(body) && !adit_begins_as_html(body) ? ADIT_BINARY_other : -1;
}
