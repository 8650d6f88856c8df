/* Slow: the WARC reader: sound files in every coding, damage of every kind, and real archives. */
#include "batch/crawl/crawl.h"
#include "batch/io/tests/encode.h"
#include "tests/tap.h"

static struct adit_buf file; /* the archive under test */

/* --- making archives -------------------------------------------------------------------------- */

static void text_record(struct adit_buf *b, int k, int length_error)
{
    char block[256], head[256];
    int n = snprintf(block, sizeof block,
                     "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page number %d</p>", k);
    snprintf(head, sizeof head,
             "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://example.com/%d>\r\n"
             "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n",
             k, n + length_error);
    adit_buf_lit(b, head);
    adit_buf_lit(b, block);
    adit_buf_lit(b, "\r\n\r\n");
}

typedef void pack_fn(struct adit_buf *out, struct adit_str in);

/* n records, each packed by itself (or all together), the offsets of the packed records in at[]. */
static void archive(int n, pack_fn *pack, bool together, size_t *at)
{
    struct adit_buf plain;
    adit_buf_init(&plain, tap_mem, 64u << 20);
    adit_buf_clear(&file);
    for (int k = 0; k < n; k++) {
        if (at) at[k] = file.len;
        text_record(&plain, k, 0);
        if (!pack) adit_buf_add(&file, adit_buf_str(&plain));
        if (pack && !together) pack(&file, adit_buf_str(&plain));
        if (!pack || !together) adit_buf_clear(&plain);
    }
    if (together) pack(&file, adit_buf_str(&plain));
    adit_buf_free(&plain);
}

/* --- reading them ----------------------------------------------------------------------------- */

struct seen {
    uint64_t records, whole, faults[WARC_FAULT_COUNT];
    bool order; /* pages 0, 1, 2 … in the blocks of the whole ones */
};

static struct seen read_input(struct input *in)
{
    struct seen seen = {.order = true};
    struct warc_reader w;
    struct warc_record r;
    int last = -1;
    warc_init(&w, in);
    while (warc_next(&w, &r)) {
        if (!r.whole) continue;
        seen.whole++;
        struct adit_str label = ADIT_STR("page number ");
        size_t i = adit_str_find(r.block, label, 0);
        int k = i < r.block.len ? atoi(r.block.p + i + label.len) : last;
        if (k <= last || !adit_str_ends(r.block, ADIT_STR("</p>"))) seen.order = false;
        last = k;
    }
    seen.records = w.records;
    memcpy(seen.faults, w.faults, sizeof seen.faults);
    return seen;
}

static const struct input_options options = {.recover = true, .window_max = WARC_WINDOW};

static struct seen read_file(void)
{
    /* An own copy, so that the sanitizer sees a read beyond the end. */
    char *copy = malloc(file.len + 1);
    memcpy(copy, file.p, file.len);
    struct input *in = input_open_bytes(adit_str_of(copy, file.len), &options);
    struct seen seen = read_input(in);
    input_close(in);
    free(copy);
    return seen;
}

static uint64_t all_faults(const struct seen *s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < WARC_FAULT_COUNT; i++) n += s->faults[i];
    return n;
}

/* --- sound archives --------------------------------------------------------------------------- */

TEST(codings)
{
    static const struct {
        const char *name;
        pack_fn *pack;
        bool together;
    } rows[] = {
        {"plain", NULL, false},
        {"gzip, a member a record", gzip_member, false},
        {"gzip, one member", gzip_member, true},
        {"zstd, a frame a record", zstd_frame, false},
        {"zstd, one frame", zstd_frame, true},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        archive(20000, rows[i].pack, rows[i].together, NULL);
        struct seen s = read_file();
        ok(s.records == 20000 && s.whole == 20000 && s.order && !all_faults(&s), rows[i].name);
    }
}

TEST(large_records)
{
    struct adit_buf big;
    adit_buf_init(&big, tap_mem, 64u << 20);
    for (int more = -1; more <= 1; more++) {
        char head[200];
        size_t len = (size_t)(WARC_BLOCK_MAX + more);
        adit_buf_clear(&big);
        snprintf(head, sizeof head,
                 "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: %zu\r\n\r\n", len);
        adit_buf_lit(&big, head);
        adit_buf_reserve(&big, len);
        memset(big.p + big.len, 'x', len);
        big.len += len;
        adit_buf_lit(&big, "\r\n\r\n");
        text_record(&big, 1, 0);
        adit_buf_clear(&file);
        gzip_member(&file, adit_buf_str(&big));
        struct input *in = input_open_bytes(adit_buf_str(&file), &options);
        struct warc_reader w;
        struct warc_record r = {0};
        warc_init(&w, in);
        bool one = warc_next(&w, &r);
        ok(one && r.length == len && r.whole == (more <= 0) &&
               r.block.len == (more <= 0 ? len : WARC_BLOCK_MAX),
           "a block around block_max");
        bool two = warc_next(&w, &r);
        ok(two && r.whole && adit_str_ends(r.block, ADIT_STR("number 1</p>")), "and the next one");
        input_close(in);
    }
    adit_buf_free(&big);
}

/* --- damage ----------------------------------------------------------------------------------- */

TEST(flipped_bytes)
{
    static const struct {
        const char *name;
        pack_fn *pack;
    } rows[] = {{"gzip", gzip_member}, {"zstd", zstd_frame}};
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        size_t at[12];
        archive(12, rows[i].pack, false, at);
        uint64_t least = 12;
        bool order = true;
        /* Every byte of the sixth record in turn. */
        for (size_t k = at[5]; k < at[6]; k++) {
            file.p[k] ^= 0x55;
            struct seen s = read_file();
            if (s.whole < least) least = s.whole;
            if (!s.order) order = false;
            file.p[k] ^= 0x55;
        }
        ok(least >= 11 && order, rows[i].name);
    }
}

TEST(cut_off)
{
    size_t at[5];
    bool counts = true, order = true;
    archive(5, gzip_member, false, at);
    size_t len = file.len;
    for (; file.len > at[4]; file.len--) {
        struct seen s = read_file();
        if (s.whole < 4 || s.whole > 5 || s.records > 5) counts = false;
        if (!s.order) order = false;
        if (file.len < len && file.len > at[4] + 1 && !all_faults(&s)) counts = false;
    }
    ok(counts && order, "cut anywhere in the last member");
    archive(5, NULL, false, at);
    counts = true;
    for (; file.len > at[4] + 10; file.len--) {
        struct seen s = read_file();
        if (s.records < 4 || s.records + s.faults[WARC_FAULT_header] != 5) counts = false;
    }
    ok(counts, "cut anywhere in the last plain record");
}

TEST(wrong_lengths)
{
    static const int errors[] = {-60, -4, -3, -1, 1, 3, 4, 5, 100, 5000, 100000000};
    for (size_t i = 0; i < ADIT_COUNT(errors); i++) {
        adit_buf_clear(&file);
        for (int k = 0; k < 9; k++) text_record(&file, k, k % 3 == 1 ? errors[i] : 0);
        struct seen s = read_file();
        char name[60];
        snprintf(name, sizeof name, "Content-Length wrong by %d", errors[i]);
        /* Up to the four line ends a wrong length is not seen, or costs nothing. */
        ok(s.records == 9, name);
        if (errors[i] < 0 || errors[i] > 4)
            ok(s.order && s.whole == 9 && s.faults[WARC_FAULT_length_wrong] == 3, name);
    }
}

TEST(length_over_many_records)
{
    adit_buf_clear(&file);
    for (int k = 0; k < 60000; k++) text_record(&file, k, k == 2 ? 11000000 : 0);
    struct seen s = read_file();
    ok(s.records == 60000 && s.whole == 60000 && s.order && s.faults[WARC_FAULT_length_wrong] == 1,
       "a length over thousands of records hides none of them");
    /* An archive inside a record: HTTP confirms the length. */
    struct adit_buf inner;
    adit_buf_init(&inner, tap_mem, 64u << 20);
    for (int k = 0; k < 60000; k++) text_record(&inner, k, 0);
    char head[300], http[100];
    int n =
        snprintf(http, sizeof http, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", inner.len);
    snprintf(head, sizeof head, "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %zu\r\n\r\n",
             inner.len + (size_t)n);
    adit_buf_clear(&file);
    adit_buf_lit(&file, head);
    adit_buf_lit(&file, http);
    adit_buf_add(&file, adit_buf_str(&inner));
    adit_buf_lit(&file, "\r\n\r\n");
    text_record(&file, 1, 0);
    s = read_file();
    ok(s.records == 2 && !all_faults(&s), "an archive inside an archive is one record");
    adit_buf_free(&inner);
}

TEST(odd_headers)
{
    static const struct {
        const char *name, *bytes;
        uint64_t records, whole;
    } rows[] = {
        {"LF only",
         "WARC/1.0\nWARC-Type: response\nContent-Length: 6\n\n<p></p\n\nWARC/1.0\nA: b\n"
         "Content-Length: 0\n\n\n\n",
         2, 2},
        {"no blank line before HTTP",
         "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 21\r\n"
         "HTTP/1.0 200 OK\r\n\r\nab\r\n\r\n",
         1, 1},
        {"no blank lines between",
         "WARC/1.0\r\nContent-Length: 1\r\n\r\naWARC/1.0\r\n"
         "Content-Length: 1\r\n\r\nb",
         2, 2},
        {"no length", "WARC/1.0\r\nA: b\r\n\r\nabc\r\n\r\nWARC/1.0\r\nContent-Length: 1\r\n\r\nb",
         2, 2},
        {"length over 2^64",
         "WARC/1.0\r\nContent-Length: 18446744073709551617\r\n\r\nabc\r\n\r\n"
         "WARC/1.0\r\nContent-Length: 1\r\n\r\nb",
         2, 2},
        {"length near 2^64",
         "WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nabc\r\n\r\n"
         "WARC/1.0\r\nContent-Length: 1\r\n\r\nb",
         2, 2},
        {"garbage in front", "hello\nworld\nWARC/0.18\r\nContent-Length: 1\r\n\r\nb\r\n\r\n", 1, 1},
        {"lower case", "warc/1.0\r\ncontent-length: 1\r\n\r\nb\r\n\r\n", 1, 1},
        {"two versions", "WARC/1.0\r\nWARC/1.0\r\nContent-Length: 1\r\n\r\nb\r\n\r\n", 1, 1},
        {"nothing", "", 0, 0},
        {"only the version", "WARC/1.0\r\n", 0, 0},
        {"no archive", "<html></html>\n", 0, 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        adit_buf_clear(&file);
        adit_buf_lit(&file, rows[i].bytes);
        struct seen s = read_file();
        ok(s.records == rows[i].records && s.whole == rows[i].whole, rows[i].name);
    }
}

TEST(fields)
{
    adit_buf_clear(&file);
    adit_buf_lit(&file, "WARC/1.0\r\nWARC-Target-URI: <http://e.com/a b>\r\nWARC-Date:2026\r\n"
                        "X-Long: one\r\n two\r\nContent-Length: 0\r\n\r\n\r\n\r\n");
    struct input *in = input_open_bytes(adit_buf_str(&file), &options);
    struct warc_reader w;
    struct warc_record r = {0};
    warc_init(&w, in);
    ok(warc_next(&w, &r), "a record");
    eq_str(r.uri, ADIT_STR("http://e.com/a b"), "URI without brackets, with its space");
    eq_str(r.date, ADIT_STR("2026"), "date");
    eq_str(warc_field(&r, ADIT_STR("x-long")), ADIT_STR("one\r\n two"), "a folded field");
    input_close(in);
}

TEST(arc)
{
    static const char v1[] =
        "filedesc://a.arc 0.0.0.0 20140216050221 text/plain 76\n1 0 InternetArchive\n"
        "URL IP-address Archive-date Content-type Archive-length\n\n\n"
        "http://e.com/a b 127.0.0.1 20140216050221 text/html 5\nabcde\n"
        "http://e.com/c 127.0.0.1 20140216050221 text/html 99\nabcde\n"
        "http://e.com/d 127.0.0.1 20140216050222 text/html 2\nxy\n";
    adit_buf_clear(&file);
    adit_buf_lit(&file, v1);
    struct input *in = input_open_bytes(adit_buf_str(&file), &options);
    struct warc_reader w;
    struct warc_record r = {0};
    warc_init(&w, in);
    ok(warc_next(&w, &r) && r.type == WARC_INFO, "filedesc");
    ok(warc_next(&w, &r) && r.arc && r.type == WARC_RESPONSE, "response");
    eq_str(r.uri, ADIT_STR("http://e.com/a b"), "URL with a space");
    eq_str(r.block, ADIT_STR("abcde"), "block");
    ok(warc_next(&w, &r) && warc_next(&w, &r), "a wrong length does not hide the next record");
    eq_str(r.uri, ADIT_STR("http://e.com/d"), "the last");
    eq_str(r.date, ADIT_STR("20140216050222"), "its date");
    ok(!warc_next(&w, &r), "the end");
    input_close(in);
}

/* --- real archives ---------------------------------------------------------------------------- */

/* Where the corpus's own count, made by searching for a pattern, is another than the number of
 * records, or where it has none. */
static const struct {
    const char *file;
    uint64_t records, faults;
} known[] = {
    /* ARC: the pattern counts http URLs; the version block and dns: records count here too. */
    {"commoncrawl__ia-web-commons/IAH-20080430204825-00000-blackbook-truncated.arc", 9, 0},
    {"ukwa__webarchive-discovery/IAH-20080430204825-00000-blackbook-truncated.arc.gz", 9, 0},
    {"internetarchive__warc/alexa_short_header.arc.gz", 2, 0},
    {"netarchivesuite__jwat/test-arc-1.0-dashed-fields.arc", 2, 1},
    {"netarchivesuite__jwat/test-arc-1.0-invalid-fields.arc", 2, 2},
    {"richardlehane__webarchive/hello-world2.arc", 2, 0},
    {"webrecorder__pywb/bad.arc", 4, 3},
    {"webrecorder__warcio/example-space-in-url.arc", 2, 1},
    /* "warc/1.0" in lower case is a record here. */
    {"richardlehane__webarchive/valid-warcfile-upper-lower-case.warc", 5, 0},
    /* A version line and nothing else, or no proper version line: no record. */
    {"richardlehane__webarchive/invalid-warcheaderversion-1.warc", 0, 1},
    {"richardlehane__webarchive/invalid-warcheaderversion-5.warc", 0, 1},
    {"richardlehane__webarchive/invalid-warcheaderversion-6.warc", 0, 1},
    {"richardlehane__webarchive/invalid-warcheaderversion-7.warc", 0, 1},
    {"richardlehane__webarchive/invalid-warcheaderversion-8.warc", 0, 1},
    {"richardlehane__webarchive/invalid-warcheaderversion-24.warc", 0, 1},
    /* The corpus gives no number for these. */
    {"synthetic/bad-chunks.warc", 3, 0},
    {"synthetic/bitflip-middle.warc.gz", 5, 2},
    {"synthetic/chunked-gzip-br.warc", 9, 0},
    {"synthetic/dict-compressed.warc.zst", 200, 0},
    {"synthetic/gzip-bomb.warc.gz", 1, 0},
    {"synthetic/http2.warc", 2, 0},
    {"synthetic/huge-content-length.warc", 2, 1},
    {"synthetic/lf-only.warc", 2, 0},
    {"synthetic/no-warc-content-length.warc", 2, 1},
    {"synthetic/single-member.warc.gz", 5, 0},
};

static uint64_t expected_records(const char *path, struct adit_str features)
{
    for (size_t i = 0; i < ADIT_COUNT(known); i++)
        if (strcmp(known[i].file, path) == 0) return known[i].records;
    static const struct adit_str marks[] = {ADIT_STR_INIT("records="), ADIT_STR_INIT("records~")};
    for (size_t i = 0; i < ADIT_COUNT(marks); i++) {
        size_t at = adit_str_find(features, marks[i], 0);
        if (at < features.len) return strtoull(features.p + at + marks[i].len, NULL, 10);
    }
    return 0;
}

static void corpus_row(const char *corpus, struct adit_str line)
{
    struct adit_str cell, path_s = {0}, features = {0};
    for (int k = 0; adit_str_split(&line, '|', &cell); k++) {
        if (k == 1) path_s = adit_str_trim(cell);
        if (k == 3) features = cell;
    }
    if (adit_str_chr(path_s, '/', 0) == path_s.len) return; /* not a row of the table */
    if (adit_str_ends(path_s, ADIT_STR(".lz4")) || adit_str_ends(path_s, ADIT_STR(".wacz"))) return;
    char path[512], full[1024], what[600];
    snprintf(path, sizeof path, "%.*s", (int)path_s.len, path_s.p);
    snprintf(full, sizeof full, "%s/warc/%s", corpus, path);
    struct input *in = input_open(full, &options);
    if (!ok(in != NULL, path)) return;
    struct seen s = read_input(in);
    input_close(in);
    uint64_t want = expected_records(path, features);
    snprintf(what, sizeof what, "%s: %llu records, %llu faults", path,
             (unsigned long long)s.records, (unsigned long long)all_faults(&s));
    eq_int((long long)s.records, (long long)want, what);
    for (size_t i = 0; i < ADIT_COUNT(known); i++)
        if (strcmp(known[i].file, path) == 0)
            eq_int((long long)all_faults(&s), (long long)known[i].faults, "its faults");
}

TEST(corpus)
{
    const char *dir = getenv("ADIT_CORPUS");
    if (!dir) dir = "../shared/corpus";
    char path[512];
    snprintf(path, sizeof path, "%s/warc/README.md", dir);
    struct adit_str readme = tap_read(path), rest = readme, line;
    if (!readme.p) {
        tap_skip("real archives", "no corpus");
        return;
    }
    while (adit_str_split(&rest, '\n', &line)) corpus_row(dir, line);
    free((char *)readme.p);
}

TEST(begin) { adit_buf_init(&file, tap_mem, 256u << 20); }
TEST(end) { adit_buf_free(&file); }

RUN_TESTS(begin, codings, large_records, flipped_bytes, cut_off, wrong_lengths,
          length_over_many_records, odd_headers, fields, arc, corpus, end)
