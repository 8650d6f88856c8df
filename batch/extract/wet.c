/* wet: records as Common Crawl's WET files have them: conversion records of plain text that refer to the
 * records that they were made of, behind a warcinfo record. */
#include "batch/extract/extract_impl.h"
#include "spp/spp.h"

/* A field of a WARC header. The value may come from a hostile archive: what could end the line, or the
 * URI, is percent-encoded. */
static void add_field(struct adit_buf *out, const char *name, struct adit_str value)
{
    adit_buf_lit(out, name);
    adit_buf_lit(out, ": ");
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if (c > 0x20 && c != 0x7F)
            adit_buf_byte(out, (char)c);
        else
            adit_buf_percent(out, (char)c);
    }
    adit_buf_lit(out, "\r\n");
}

static void add_number(struct adit_buf *out, const char *name, uint64_t n)
{
    adit_buf_lit(out, name);
    adit_buf_lit(out, ": ");
    adit_buf_u64(out, n);
    adit_buf_lit(out, "\r\n");
}

/* Of the block and the line end behind it. */
static void add_digest(struct adit_buf *out, struct adit_str block, struct adit_str end)
{
    uint8_t hash[SHA1_LEN];
    struct sha1 s;
    sha1_init(&s, false);
    sha1_update(&s, block);
    sha1_update(&s, end);
    sha1_final(&s, hash);
    adit_buf_lit(out, "WARC-Block-Digest: sha1:");
    digest_base32(hash, sizeof hash, out);
    adit_buf_lit(out, "\r\n");
}

/* An id that depends on nothing but what it is made of: running again gives the same file. */
static void add_id(struct adit_buf *out, struct adit_str of)
{
    char uuid[ADIT_SPP_UUID];
    adit_spp_uuid(of, uuid);
    adit_buf_lit(out, "WARC-Record-ID: <urn:uuid:");
    adit_buf_add(out, adit_str_of(uuid, sizeof uuid));
    adit_buf_lit(out, ">\r\n");
}

static void add_block(struct adit_buf *out, const char *type, struct adit_str block,
                      struct adit_str end)
{
    add_digest(out, block, end);
    adit_buf_lit(out, "Content-Type: ");
    adit_buf_lit(out, type);
    adit_buf_lit(out, "\r\n");
    add_number(out, "Content-Length", block.len + end.len);
    adit_buf_lit(out, "\r\n");
    adit_buf_add(out, block);
    adit_buf_add(out, end);
    adit_buf_lit(out, "\r\n\r\n");
}

void extract_wet_head(const struct extract_options *o, struct adit_buf *out)
{
    char date[40];
    struct adit_buf d = {.p = date, .cap = sizeof date, .max = sizeof date};
    static const char about[] = "software: adit/" ADIT_VERSION "\r\n"
                                "rules: " ADIT_RULES_VERSION "\r\n"
                                "description: plain text of pages\r\n"
                                "format: WARC File Format 1.1";
    adit_time_write(&d, o->generated);
    adit_buf_lit(out, "WARC/1.1\r\nWARC-Type: warcinfo\r\n");
    add_field(out, "WARC-Date", adit_buf_str(&d));
    add_id(out, adit_buf_str(&d));
    add_block(out, "application/warc-fields", adit_str_of(about, sizeof about - 1),
              ADIT_STR("\r\n"));
}

void extract_wet_write(const struct extract_record *r, struct adit_buf *out)
{
    struct adit_str id = extract_record_id(r), date = r->capture->source.date;
    adit_buf_clear(r->scratch);
    adit_buf_lit(r->scratch, "wet ");
    adit_buf_add(r->scratch, id.len ? id : r->item->record.uri);
    adit_buf_byte(r->scratch, ' ');
    adit_buf_add(r->scratch, date);
    adit_buf_byte(r->scratch, ' ');
    adit_buf_u64(r->scratch, r->item->file ? r->item->record.offset : 0);
    adit_buf_lit(out, "WARC/1.1\r\nWARC-Type: conversion\r\n");
    add_field(out, "WARC-Target-URI", r->item->record.uri);
    add_field(out, "WARC-Date", date);
    add_id(out, adit_buf_str(r->scratch));
    if (id.len) add_field(out, "WARC-Refers-To", id);
    if (r->page->language.len && !adit_str_eq(r->page->language, ADIT_STR("und")))
        add_field(out, "WARC-Identified-Content-Language", r->page->language);
    /* The last line ends, too, as in any text file. */
    add_block(out, "text/plain; charset=utf-8", r->text, ADIT_STR("\n"));
}
