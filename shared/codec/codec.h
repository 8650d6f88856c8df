/* codec: from the bytes of an HTTP body to valid UTF-8: decompression as sink stages, and the
 * encodings of the web.
 *
 * Both are the same natively and in WASM: what they give enters fingerprints.
 */
#ifndef ADIT_CODEC_H
#define ADIT_CODEC_H

#include "base/base.h"

/* --- decompression -------------------------------------------------------------------------------
 *
 * A decoder is a sink: write compressed bytes to it in any portions, and it writes the decoded
 * bytes to the next sink as they come. Memory is taken once, at adit_decoder_new (zstd: also a
 * window of at most 8 MiB at the start of a frame), and never depends on the length of the input.
 *
 * write and end return what the next sink returns, and
 *   ADIT_EBAD    the bytes are not of this coding; some of what precedes may have been passed on
 *   ADIT_EEOF    (end only) the input was cut off; all that it gives has been passed on
 *   ADIT_ELIMIT  more than ADIT_LIMIT_ratio : 1 came out, once ADIT_LIMIT_ratio_from bytes are
 *                out; or, beyond 64 KiB of input, less than 8 bytes for 9; or a zstd window over
 *                8 MiB
 *   ADIT_EUNSUP  a preset dictionary
 * end calls the next sink's end only when all is well. An empty body decodes to an empty body.
 *
 * A wrong checksum or length at the end of a member is no error: browsers show such pages. The
 * bytes are passed on, decoding goes on, and `damaged` says so. Bytes behind the last gzip, zlib or
 * deflate stream that do not begin another gzip member are ignored, as everyone does. */

enum adit_coding {
    ADIT_CODING_GZIP,    /* RFC 1952, any number of members */
    ADIT_CODING_ZLIB,    /* RFC 1950 */
    ADIT_CODING_RAW,     /* RFC 1951 */
    ADIT_CODING_DEFLATE, /* HTTP's "deflate": zlib, or raw as some servers send it */
    ADIT_CODING_ZSTD,    /* RFC 8878, any number of frames */
    ADIT_CODINGS
};

/* Read in and out, damaged; the rest is the decoder's own. */
struct adit_decoder {
    struct adit_sink sink;
    uint64_t in, out; /* bytes so far */
    bool damaged;     /* a checksum or length did not match */
    struct adit_sink *next;
    struct adit_mem mem;
    const uint64_t *chain_in;   /* bytes that entered the chain: the ratio counts against them */
    struct adit_decoder *inner; /* the decoder of the same chain that next belongs to, or NULL */
    void (*release)(struct adit_decoder *d);
};

/* A decoder that writes to next. */
enum adit_code adit_decoder_new(struct adit_mem mem, enum adit_coding coding,
                                struct adit_sink *next, struct adit_decoder **out);

/* The chain for the value of a Content-Encoding header, which lists codings in the order in which
 * they were applied (RFC 9110, 8.4). Any case, x-gzip, x-deflate, identity and empty elements are
 * understood. *out is the decoder to write to, or NULL when there is nothing to decode.
 * ADIT_EUNSUP: a coding that we do not have (br, compress, unknown) or more than
 * ADIT_CODING_CHAIN_MAX. */
enum { ADIT_CODING_CHAIN_MAX = 2 };
enum adit_code adit_decoder_chain(struct adit_mem mem, struct adit_str content_encoding,
                                  struct adit_sink *next, struct adit_decoder **out);

/* Whether any decoder of the chain met damage. d may be NULL. */
bool adit_decoder_damaged(const struct adit_decoder *d);

/* Frees the decoder and those behind it in its chain. d may be NULL. */
void adit_decoder_free(struct adit_decoder *d);

/* --- encodings -------------------------------------------------------------------------------- */

enum adit_charset_source {
    ADIT_CHARSET_BOM,      /* a byte order mark */
    ADIT_CHARSET_HTTP,     /* Content-Type */
    ADIT_CHARSET_META,     /* <meta charset>, <meta http-equiv>, or an XML declaration */
    ADIT_CHARSET_BYTES,    /* the bytes are UTF-8, whatever was declared */
    ADIT_CHARSET_DEFAULT,  /* nothing says anything: by URL and language, else windows-1252 */
    ADIT_CHARSET_DETECTED, /* by what the bytes say in each encoding */
};

struct adit_charset {
    const char *name; /* the Encoding standard's name in its own case: "UTF-8", "windows-1252" */
    enum adit_charset_source source;
};

/* The charset parameter of a Content-Type header value, quotes removed; empty if there is none. */
struct adit_str adit_content_type_charset(struct adit_str content_type);

/* The name of the encoding that a label stands for (Encoding standard, 4.2; "latin1" is
 * windows-1252), NULL if there is none. */
const char *adit_charset_name(struct adit_str label);

/* The encoding that the first bytes of a page declare (those that a browser looks at; no byte order
 * mark, no header), NULL if none: HTML standard, "prescan". */
enum { ADIT_CHARSET_PRESCAN = 1024 };
const char *adit_charset_prescan(struct adit_str body);

/* The encoding that a meta tag declares, NULL if it declares none: attributes is what stands
 * between
 * "<meta" and the tag's ">", and that ">". */
const char *adit_charset_of_meta(struct adit_str attributes);

/* Decides which encoding an HTML page is in. In this order:
 *   1. a byte order mark (UTF-8, UTF-16);
 *   2. UTF-8, if the whole body is valid UTF-8 and has non-ASCII characters: declarations, in
 *      headers as in pages, are too often those of another file, while text in another encoding
 *      is next to never valid UTF-8. (In two-byte encodings a few characters can be, so against
 *      such a declaration there must be a character of three or four bytes. A declared UTF-16 is
 *      believed.)
 *   3. http_charset, if it is a known label;
 *   4. the declaration within the first 1024 bytes (HTML standard, "prescan");
 *   5. UTF-8 if the body is valid (but ISO-2022-JP if its escape sequences stand in ASCII);
 *   6. a declaration within the first 64 KiB (browsers obey late ones, too: they start again);
 *   7. UTF-8, if of the first 64 KiB nearly all that is not ASCII is UTF-8;
 *   8. what the first 64 KiB make the likeliest text in, with the top-level domain of url (may be
 *      empty) and the page's <html lang> for hints; windows-1252 if nothing says anything.
 * Without rules 2, 7 and 8 this is the HTML standard's order. */
struct adit_charset adit_charset_detect(struct adit_str body, struct adit_str http_charset,
                                        struct adit_str url);

/* The word for a source: "bom", "http", "meta", "bytes", "default", "detected". */
const char *adit_charset_source_name(enum adit_charset_source source);

/* Decodes a page to valid UTF-8 without byte order mark; what cannot be decoded becomes U+FFFD as
 * in the Encoding standard. *text is a part of body itself where that is valid UTF-8 already, else
 * it lies in *out (cleared first; three times the length of the body always suffices). NUL and
 * other control characters are kept. *used (may be NULL) says what was decided. ADIT_ELIMIT,
 * ADIT_ENOMEM come from *out. */
enum adit_code adit_charset_decode(struct adit_str body, struct adit_str http_charset,
                                   struct adit_str url, struct adit_buf *out, struct adit_str *text,
                                   struct adit_charset *used);

/* Decodes with the encoding that label stands for, without regard to what the bytes say. Appends to
 * *out. ADIT_EUNSUP: no such label. */
enum adit_code adit_charset_decode_as(struct adit_str body, struct adit_str label,
                                      struct adit_buf *out);

/* --- what a body is (sniff.c) -------------------------------------------------------------------- */

/* What bodies that are called HTML really are, by their first bytes. */
#define ADIT_BINARIES(X)             \
    X(pdf, "PDF")                    \
    X(png, "PNG")                    \
    X(jpeg, "JPEG")                  \
    X(gif, "GIF")                    \
    X(riff, "WebP, WAV or AVI")      \
    X(tiff, "TIFF")                  \
    X(icon, "icon")                  \
    X(mp4, "MP4 or QuickTime")       \
    X(mp3, "MP3")                    \
    X(ogg, "Ogg")                    \
    X(font, "web font")              \
    X(flash, "Flash")                \
    X(zip, "ZIP, Office or EPUB")    \
    X(gzip, "gzip")                  \
    X(rar, "RAR")                    \
    X(office, "old Office document") \
    X(program, "program")            \
    X(other, "other binary data")
enum adit_binary {
#define ADIT_BINARY_ENUM(name, text) ADIT_BINARY_##name,
    ADIT_BINARIES(ADIT_BINARY_ENUM)
#undef ADIT_BINARY_ENUM
        ADIT_BINARY_COUNT
};
extern const char *const adit_binary_names[ADIT_BINARY_COUNT]; /* "pdf", for reports */
extern const char *const adit_binary_texts[ADIT_BINARY_COUNT]; /* "PDF" */
/* What a body that is called HTML is, by its first bytes: enum adit_binary; -1: it may be HTML. */
int adit_binary(struct adit_str body);
/* Whether it begins as HTML does, after white space (MIME Sniffing, 7.1). */
bool adit_begins_as_html(struct adit_str body);

#endif
