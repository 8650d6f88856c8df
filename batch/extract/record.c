/* A record's members: what pipelines want to know of a capture, a row each. */
#include "batch/extract/extract_impl.h"
#include "text/text.h"

/* What archives and servers say may be any bytes. */
static void put_said(const struct extract_record *r, const char *key, struct adit_str value,
                     struct adit_json_writer *w)
{
    if (!value.len) return;
    adit_buf_clear(r->scratch);
    adit_utf8_repair(value, r->scratch);
    adit_json_member(w, key, adit_buf_str(r->scratch));
}

static void put_number(const char *key, uint64_t n, struct adit_json_writer *w)
{
    adit_json_key(w, key);
    adit_json_uint(w, n);
}

struct adit_str extract_record_id(const struct extract_record *r)
{
    if (!r->item->file || r->item->path || r->item->record.arc) return (struct adit_str){0};
    return warc_field(r->capture->record, ADIT_STR("WARC-Record-ID"));
}

/* Where a record of an index can be found again: it must not share its gzip member with others. */
static bool has_place(const struct extract_record *r)
{
    const struct warc_record *record = &r->item->record;
    return r->item->file && record->own_member && record->offset != UINT64_MAX;
}

/* --- the rows --------------------------------------------------------------------------------- */

static void put_url(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, r->item->record.uri, w);
}

static void put_record_id(const struct extract_record *r, const char *key,
                          struct adit_json_writer *w)
{
    put_said(r, key, extract_record_id(r), w);
}

static void put_file(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, adit_str_z(r->item->path ? r->item->path : r->item->file), w);
}

static void put_offset(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    if (has_place(r)) put_number(key, r->item->record.offset, w);
}

static void put_length(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    if (has_place(r) && r->item->record.stored) put_number(key, r->item->record.stored, w);
}

static void put_date(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, r->capture->source.date, w);
}

static void put_status(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    if (r->capture->http.status) put_number(key, r->capture->http.status, w);
}

static void put_mime(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, crawl_record_mime(r->capture->record, &r->capture->http), w);
}

static void put_charset(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, adit_str_z(r->page->charset.name), w);
}

static void put_charset_found(const struct extract_record *r, const char *key,
                              struct adit_json_writer *w)
{
    if (!r->page->charset.name) return;
    put_said(r, key, adit_str_z(adit_charset_source_name(r->page->charset.source)), w);
}

static void put_language(const struct extract_record *r, const char *key,
                         struct adit_json_writer *w)
{
    put_said(r, key, r->page->language, w);
}

static void put_title(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, r->page->title, w);
}

static void put_author(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_said(r, key, r->page->author, w);
}

static void put_published(const struct extract_record *r, const char *key,
                          struct adit_json_writer *w)
{
    put_said(r, key, r->page->published, w);
}

static void put_modified(const struct extract_record *r, const char *key,
                         struct adit_json_writer *w)
{
    put_said(r, key, r->page->modified, w);
}

static void put_text(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    adit_json_member(w, key, r->text);
}

static void put_fingerprint(const struct extract_record *r, const char *key,
                            struct adit_json_writer *w)
{
    adit_json_member(w, key, adit_str_of(r->fingerprint, sizeof r->fingerprint));
}

static void put_kind(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    adit_json_member(w, key, adit_str_z(adit_page_kind_names[r->page->look.kind]));
}

static void put_confidence(const struct extract_record *r, const char *key,
                           struct adit_json_writer *w)
{
    char number[ADIT_CONFIDENCE_BYTES];
    adit_json_key(w, key);
    adit_json_raw(w, adit_page_confidence(r->page->look, number));
}

static void put_needs_script(const struct extract_record *r, const char *key,
                             struct adit_json_writer *w)
{
    if (!r->page->look.needs_script) return;
    adit_json_key(w, key);
    adit_json_bool(w, true);
}

/* What the record says of its payload; else SHA-1 of it, as indexes have it. */
static void put_digest(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    struct adit_str said = r->item->path
                               ? (struct adit_str){0}
                               : warc_field(r->capture->record, ADIT_STR("WARC-Payload-Digest"));
    struct adit_str payload =
        r->capture->http.head.len ? r->capture->http.body : r->capture->record->block;
    uint8_t hash[SHA1_LEN];
    struct sha1 s;
    if (said.len) {
        put_said(r, key, said, w);
        return;
    }
    sha1_init(&s, false);
    sha1_update(&s, payload);
    sha1_final(&s, hash);
    adit_buf_clear(r->scratch);
    adit_buf_lit(r->scratch, "sha1:");
    digest_base32(hash, sizeof hash, r->scratch);
    adit_json_member(w, key, adit_buf_str(r->scratch));
}

static void put_words(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    put_number(key, r->words, w);
}

static void put_optout(const struct extract_record *r, const char *key, struct adit_json_writer *w)
{
    if (!r->page->optout) return;
    adit_json_key(w, key);
    adit_json_open(w, '[');
    for (size_t i = 0; i < ADIT_OPTOUT_KINDS; i++)
        if (r->page->optout >> i & 1) adit_json_string(w, adit_str_z(adit_optout_names[i]));
    adit_json_close(w, ']');
}

const struct extract_field extract_fields[] = {
    {"url", put_url},
    {"record_id", put_record_id},
    {"file", put_file},
    {"offset", put_offset},
    {"length", put_length},
    {"date", put_date},
    {"status", put_status},
    {"mime", put_mime},
    {"charset", put_charset},
    {"charset_found", put_charset_found},
    {"language", put_language},
    {"title", put_title},
    {"author", put_author},
    {"published", put_published},
    {"modified", put_modified},
    {"text", put_text},
    {"fingerprint", put_fingerprint},
    {"digest", put_digest},
    {"words", put_words},
    {"optout", put_optout},
    {"kind", put_kind},
    {"confidence", put_confidence},
    {"needs_script", put_needs_script},
    {NULL, NULL},
};
_Static_assert(ADIT_COUNT(extract_fields) <= EXTRACT_FIELDS_MAX, "a bit each");

uint64_t extract_field(struct adit_str name)
{
    for (size_t i = 0; extract_fields[i].name; i++)
        if (adit_str_eq(name, adit_str_z(extract_fields[i].name))) return UINT64_C(1) << i;
    return 0;
}

void extract_put_fields(const struct extract_record *r, uint64_t without,
                        struct adit_json_writer *w)
{
    uint64_t wanted = r->o->fields & ~without;
    for (size_t i = 0; extract_fields[i].name; i++)
        if (wanted >> i & 1) extract_fields[i].put(r, extract_fields[i].name, w);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Which of eight ASCII bytes are letters, digits or underscores. */
static inline uint64_t ascii_words(uint64_t w)
{
    uint64_t lower = adit_swar_lower(w);
    return (adit_swar_less(lower, '{') & ~adit_swar_less(lower, 'a')) |
           (adit_swar_less(w, ':') & ~adit_swar_less(w, '0')) | adit_swar_eq(w, '_');
}

uint64_t extract_words(struct adit_str text)
{
    const uint64_t first = adit_swar_head(1), last = ~adit_swar_head(7);
    uint64_t n = 0;
    bool inside = false;
    for (size_t i = 0; i < text.len;) {
        for (uint64_t w; text.len - i >= 8 && adit_swar_ascii(w = adit_swar_load(text.p + i));
             i += 8) {
            uint64_t word = ascii_words(w), before = adit_swar_next(word) | (inside ? first : 0);
            n += adit_swar_count(word & ~before);
            inside = word & last;
        }
        if (i == text.len) break;
        uint32_t cp = adit_utf8_next(text, &i);
        bool alone = adit_cp_is_cjk(cp), word = adit_cp_is_word(cp);
        /* A mark is part of its word. */
        if (!word && adit_cp_is_mark(cp)) continue;
        n += word && (alone || !inside);
        inside = word && !alone;
    }
    return n;
}
