/* check: WARC files, by ISO 28500 (WARC 1.0, 1.1): fields that must be there, their forms, the ends of
 * records, digests of blocks and payloads, gzip members. The reader is pack's, which finds records in
 * damaged files, too. */
#include "batch/check/check.h"
#include "batch/crawl/crawl.h"

#include <stdio.h>
#include <string.h>

#define RULES(X)                                                                                   \
    X(DAMAGED, "warc-damaged", FATAL, "the file is damaged here",                                  \
      "fetch it again; pack reads all records that can still be found")                            \
    X(UNREADABLE, "warc-unreadable", FATAL, "the file cannot be read", "see the message")          \
    X(NO_RECORD, "warc-empty", FATAL, "there is no record in it", "give a file with records")      \
    X(VERSION, "warc-version", WARN, "the version is not 1.0 or 1.1", "write WARC/1.1")            \
    X(MISSING, "warc-missing", FATAL, "a field that every record must have is missing",            \
      "add it: WARC-Type, WARC-Record-ID, WARC-Date and Content-Length")                           \
    X(TYPE, "warc-type", WARN, "the type of the record is unknown",                                \
      "nothing: readers pass over it")                                                             \
    X(RECORD_ID, "warc-record-id", FATAL, "WARC-Record-ID is not a URI in angle brackets",         \
      "write it like <urn:uuid:...>")                                                              \
    X(DATE, "warc-date", FATAL, "WARC-Date is not a date and time in UTC",                         \
      "write it like 2026-01-31T10:00:00Z")                                                        \
    X(URI_MISSING, "warc-target-uri", FATAL, "a record of this type must have a WARC-Target-URI",  \
      "add it")                                                                                    \
    X(URI_INFO, "warc-info-uri", FATAL, "a warcinfo record has a WARC-Target-URI", "leave it out") \
    X(URI_BRACKETS, "warc-uri-brackets", WARN, "WARC-Target-URI stands in angle brackets",         \
      "write it without: only ids have them")                                                      \
    X(PROFILE, "warc-profile", FATAL, "a revisit record has no WARC-Profile", "add it")            \
    X(SEGMENT, "warc-segment", FATAL,                                                              \
      "a continuation lacks WARC-Segment-Number or WARC-Segment-Origin-ID", "add them")            \
    X(CONTENT_TYPE, "warc-content-type", WARN, "a record with a block has no Content-Type",        \
      "add it, e.g. application/http; msgtype=response")                                           \
    X(TWICE, "warc-twice", WARN, "a field stands there twice",                                     \
      "write it once; only WARC-Concurrent-To may be repeated")                                    \
    X(LINE_END, "warc-line-end", WARN, "a header line does not end with CR LF", "write CR LF")     \
    X(END, "warc-end", FATAL, "the record is not followed by CR LF CR LF",                         \
      "write both line ends behind every block")                                                   \
    X(MEMBER, "warc-member", WARN, "the record does not begin a gzip member or zstd frame",        \
      "compress each record by itself: else it cannot be read by its offset")                      \
    X(DIGEST_FORM, "warc-digest-form", FATAL, "a digest is not what its algorithm gives",          \
      "write sha1: and 32 digits of base32, or sha256:")                                           \
    X(DIGEST_UNKNOWN, "warc-digest-unknown", WARN, "a digest is of an unknown algorithm",          \
      "write sha1: or sha256:")                                                                    \
    X(BLOCK_DIGEST, "warc-block-digest", FATAL, "the block has another digest",                    \
      "fetch the file again: it was changed")                                                      \
    X(PAYLOAD_DIGEST, "warc-payload-digest", FATAL, "the payload has another digest",              \
      "fetch the file again, or make the digest of the payload as it is stored")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule check_warc_rules[] = {RULES(ADIT_RULE_ROW){0}};

enum { DECODED_MAX = 64 << 20 }; /* of a payload that is hashed without its chunks */

struct warc_check {
    struct check *c;
    uint64_t records, digests, members;
    uint64_t offset;       /* of the record under way */
    struct adit_buf plain; /* a payload without its chunks */
};

static void warc_fault(struct warc_check *w, enum rule_id rule, const char *member,
                       const char *detail)
{
    char place[40] = "";
    if (w->offset != UINT64_MAX)
        snprintf(place, sizeof place, "at offset %llu", (unsigned long long)w->offset);
    check_report(w->c, &(struct adit_finding){.rule = &check_warc_rules[rule],
                                              .line = w->records,
                                              .index = SIZE_MAX,
                                              .member = member,
                                              .value = adit_str_z(place),
                                              .detail = detail});
}

/* --- header ----------------------------------------------------------------------------------- */

static bool is_bracketed(struct adit_str s)
{
    return s.len > 4 && s.p[0] == '<' && s.p[s.len - 1] == '>' && adit_str_chr(s, ':', 0) < s.len;
}

/* WARC 1.1 lets a date stop at the year, and has fractions of a second. */
static bool is_date(struct adit_str s, bool v11)
{
    struct adit_time t;
    if (adit_time_parse(s, &t))
        return s.p[s.len - 1] == 'Z' && (v11 || s.len == sizeof "2026-01-31T10:00:00Z" - 1);
    return v11 && s.len >= 4 && crawl_date(s, &t);
}

static void check_lines(struct warc_check *w, const struct warc_record *r)
{
    struct adit_str rest = r->header, line;
    struct adit_str seen[64];
    size_t n = 0;
    bool bare = false;
    adit_str_split(&rest, '\n', &line);
    while (rest.len && adit_str_split(&rest, '\n', &line)) {
        if (!line.len || line.p[line.len - 1] != '\r') bare = true;
        struct adit_str name = adit_str_sub(line, 0, adit_str_chr(line, ':', 0));
        if (name.len == line.len || name.p[0] == ' ' || name.p[0] == '\t' ||
            adit_str_ieq(name, ADIT_STR("WARC-Concurrent-To")))
            continue;
        bool again = false;
        for (size_t i = 0; i < n && !again; i++) again = adit_str_ieq(seen[i], name);
        if (again) warc_fault(w, R_TWICE, NULL, NULL);
        if (!again && n < ADIT_COUNT(seen)) seen[n++] = name;
    }
    if (bare) warc_fault(w, R_LINE_END, NULL, NULL);
}

static void check_uri(struct warc_check *w, const struct warc_record *r)
{
    static const bool required[WARC_TYPES] = {
        [WARC_RESPONSE] = true, [WARC_RESOURCE] = true,   [WARC_REQUEST] = true,
        [WARC_REVISIT] = true,  [WARC_CONVERSION] = true, [WARC_CONTINUATION] = true,
    };
    struct adit_str raw = warc_field(r, ADIT_STR("WARC-Target-URI"));
    if (!raw.len && required[r->type]) warc_fault(w, R_URI_MISSING, NULL, warc_type_names[r->type]);
    if (raw.len && r->type == WARC_INFO) warc_fault(w, R_URI_INFO, NULL, NULL);
    if (raw.len > 1 && raw.p[0] == '<') warc_fault(w, R_URI_BRACKETS, NULL, NULL);
}

static void check_header(struct warc_check *w, const struct warc_record *r)
{
    static const char *const required[] = {"WARC-Type", "WARC-Record-ID", "WARC-Date",
                                           "Content-Length"};
    bool v11 = adit_str_istarts(r->header, ADIT_STR("WARC/1.1"));
    if (!v11 && !adit_str_istarts(r->header, ADIT_STR("WARC/1.0")))
        warc_fault(w, R_VERSION, NULL, NULL);
    for (size_t i = 0; i < ADIT_COUNT(required); i++)
        if (!warc_field(r, adit_str_z(required[i])).len)
            warc_fault(w, R_MISSING, required[i], NULL);
    struct adit_str id = warc_field(r, ADIT_STR("WARC-Record-ID"));
    if (id.len && !is_bracketed(id)) warc_fault(w, R_RECORD_ID, NULL, NULL);
    if (r->date.len && !is_date(r->date, v11)) warc_fault(w, R_DATE, NULL, NULL);
    if (r->type == WARC_OTHER && warc_field(r, ADIT_STR("WARC-Type")).len)
        warc_fault(w, R_TYPE, NULL, NULL);
    if (r->type == WARC_REVISIT && !warc_field(r, ADIT_STR("WARC-Profile")).len)
        warc_fault(w, R_PROFILE, NULL, NULL);
    if (r->type == WARC_CONTINUATION && (!warc_field(r, ADIT_STR("WARC-Segment-Number")).len ||
                                         !warc_field(r, ADIT_STR("WARC-Segment-Origin-ID")).len))
        warc_fault(w, R_SEGMENT, NULL, NULL);
    if (r->length && !r->content_type.len && r->type != WARC_CONTINUATION)
        warc_fault(w, R_CONTENT_TYPE, NULL, NULL);
    check_uri(w, r);
    check_lines(w, r);
}

/* --- digests ---------------------------------------------------------------------------------- */

/* The payload of an HTTP message is its body; some have hashed it without its chunks. */
static bool fits_unchunked(struct warc_check *w, const struct http_message *m, struct adit_str said)
{
    struct digest d;
    struct adit_str body, coding = http_field(m, ADIT_STR("Transfer-Encoding"));
    if (adit_str_ifind(coding, ADIT_STR("chunked"), 0) == coding.len) return false;
    if (http_unchunk(m->body, &w->plain, &body) != ADIT_OK) return false;
    digest_begin(&d, said);
    digest_add(&d, body);
    return digest_fits(&d);
}

/* Which digests of a record can be verified: those of whole, undamaged blocks; a revisit's payload is
 * that of another record. */
static void check_digests(struct warc_check *w, struct warc_reader *reader, struct warc_record *r)
{
    struct adit_str said[2] = {warc_field(r, ADIT_STR("WARC-Block-Digest")),
                               warc_field(r, ADIT_STR("WARC-Payload-Digest"))};
    struct digest d[2];
    bool on[2];
    struct http_message m = {.body = r->block};
    bool http = adit_str_istarts(r->content_type, ADIT_STR("application/http")) ||
                (!r->content_type.len && r->type == WARC_RESPONSE);
    if (http) http_message_split(r->block, &m);
    if (http && !m.head.len) { /* a request */
        size_t blank = adit_str_find(r->block, ADIT_STR("\r\n\r\n"), 0);
        m.body = adit_str_sub(r->block, blank + 4, r->block.len);
    }
    bool segment = warc_field(r, ADIT_STR("WARC-Segment-Number")).len > 0;
    for (size_t i = 0; i < 2; i++) {
        on[i] = said[i].len && !r->damaged && (i == 0 || (r->type != WARC_REVISIT && !segment));
        enum digest_state state = on[i] ? digest_begin(&d[i], said[i]) : DIGEST_READY;
        if (state != DIGEST_READY) {
            warc_fault(w, state == DIGEST_UNKNOWN ? R_DIGEST_UNKNOWN : R_DIGEST_FORM,
                       i ? "WARC-Payload-Digest" : "WARC-Block-Digest", NULL);
            on[i] = false;
        }
    }
    if (on[0]) digest_add(&d[0], r->block);
    if (on[1]) digest_add(&d[1], m.body);
    bool chunked = on[1] && r->whole && fits_unchunked(w, &m, said[1]);
    for (struct adit_str part; (on[0] || on[1]) && warc_rest(reader, r, &part);)
        for (size_t i = 0; i < 2; i++)
            if (on[i]) digest_add(&d[i], part);
    if (on[0] && !digest_fits(&d[0])) warc_fault(w, R_BLOCK_DIGEST, NULL, NULL);
    if (on[1] && !digest_fits(&d[1]) && !chunked) warc_fault(w, R_PAYLOAD_DIGEST, NULL, NULL);
    w->digests += (uint64_t)on[0] + on[1];
}

/* --- the file --------------------------------------------------------------------------------- */

static void on_record(void *ctx, const char *file, struct warc_reader *reader,
                      struct warc_record *r)
{
    struct warc_check *w = ctx;
    (void)file;
    w->records++;
    w->offset = r->offset;
    w->members += r->own_member;
    if (!r->own_member) warc_fault(w, R_MEMBER, NULL, NULL);
    if (r->arc) return;
    check_header(w, r);
    bool damaged = r->damaged, known = r->length_known;
    check_digests(w, reader, r);
    bool seen = r->whole || reader->in_rest;
    if (seen && !damaged && known && !adit_str_eq(warc_tail(reader), ADIT_STR("\r\n\r\n")))
        warc_fault(w, R_END, NULL, NULL);
}

static void on_end(void *ctx, uint64_t end) { (void)ctx, (void)end; }

static void on_fault(void *ctx, const char *file, enum warc_fault which, uint64_t offset)
{
    struct warc_check *w = ctx;
    (void)file;
    uint64_t before = w->offset;
    w->offset = offset;
    warc_fault(w, R_DAMAGED, NULL, warc_fault_texts[which]);
    w->offset = before;
}

void check_warc(struct check *c)
{
    static const struct crawl_visitor visitor = {on_record, on_end, on_fault};
    char *inputs[] = {(char *)c->path};
    struct crawl_options o = {.inputs = inputs, .n_inputs = 1};
    struct crawl_counts counts = {0};
    struct warc_check w = {.c = c, .offset = UINT64_MAX};
    c->kind = "WARC file";
    adit_buf_init(&w.plain, cli_mem, DECODED_MAX);
    struct crawl_reader *r = fetch_cli(c->args, &o.net) == CLI_OK ? crawl_reader_new(&o) : NULL;
    if (r) crawl_reader_visit(r, &visitor, &w, &counts);
    w.offset = UINT64_MAX;
    if (!r || counts.inputs_failed || counts.lost)
        warc_fault(&w, R_UNREADABLE, NULL, NULL);
    else if (!w.records)
        warc_fault(&w, R_NO_RECORD, NULL, NULL);
    crawl_reader_free(r);
    adit_buf_free(&w.plain);
    check_fact_u64(c, "records", w.records);
    check_fact_u64(c, c->json ? "digests_verified" : "digests verified", w.digests);
    check_fact_u64(c, "bytes", counts.bytes_read);
}
