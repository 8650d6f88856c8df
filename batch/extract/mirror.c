/* md: a file a page, in a folder that mirrors the URLs: "https://example.com/a/b" is example.com/a/b.md,
 * "https://example.com/a/" example.com/a/index.md. */
#include "batch/extract/extract_impl.h"
#include "text/text.h"

#include <string.h>

enum {
    SEGMENTS_MAX = 32, /* folders below the host; what is deeper goes into the name */
    SEGMENT_MAX = 180, /* bytes of a name, before its ending */
    SEGMENT_CUT = 140, /* of a longer one; a hash tells it from others */
    HASH_SHOWN = 8
};

/* A segment as a name, of bytes that every file system takes, and that shells do not trip over. A
 * leading dot is percent-encoded, too, so that nothing is hidden, and no name is "." or "..". */
static void add_segment(struct adit_buf *out, struct adit_str segment)
{
    size_t from = out->len, dot = segment.len && segment.p[0] == '.';
    if (dot) adit_buf_percent(out, '.');
    adit_buf_escape(out, adit_str_sub(segment, dot, segment.len), "-_.~+,=@%");
    if (out->err || out->len - from <= SEGMENT_MAX) return;
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_of(adit_str_sub(adit_buf_str(out), from, out->len), sha);
    out->len = from + SEGMENT_CUT;
    adit_buf_byte(out, '-');
    adit_buf_hex(out, sha, HASH_SHOWN);
}

void extract_mirror_path(struct adit_str url, struct adit_buf *out)
{
    struct adit_str path = crawl_url_path(url), segment, rest;
    size_t depth = 0;
    add_segment(out, crawl_url_host(url));
    rest = adit_str_sub(path, path.len && path.p[0] == '/', path.len);
    size_t query = adit_str_chr(rest, '?', 0);
    while (depth++ < SEGMENTS_MAX) {
        size_t slash = adit_str_chr(rest, '/', 0);
        if (slash >= query) break;
        segment = adit_str_sub(rest, 0, slash);
        rest = adit_str_sub(rest, slash + 1, rest.len);
        query -= slash + 1;
        adit_buf_byte(out, '/');
        add_segment(out, segment.len ? segment : ADIT_STR("%"));
    }
    adit_buf_byte(out, '/');
    if (query == 0) adit_buf_lit(out, "index");
    add_segment(out, rest);
    adit_buf_lit(out, ".md");
}

void extract_mirror_write(const struct extract_record *r, struct adit_buf *out)
{
    extract_mirror_path(r->capture->url, out);
    adit_buf_byte(out, '\0');
    adit_buf_add(out, r->text);
    adit_buf_byte(out, '\n');
}
