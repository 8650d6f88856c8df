/* Slow: archives of hostile sites: records inside bodies stay bodies, in every coding, at every size;
 * and the reader's work grows with the archive's size only. */
#include "batch/crawl/tests/warc_codings.h"
#include "batch/crawl/crawl.h"
#include "tests/tap.h"

#include <unistd.h>

/* Smaller than in use, so that a body of a megabyte is a large one. */
enum { BLOCK = 256 << 10, WINDOW = 1 << 20 };
static const struct input_options options = {.recover = true, .window_max = WINDOW};

static struct adit_buf file, plain, body;
static size_t cuts[64]; /* in plain: where each record begins */
static size_t n_records;

/* --- making archives -------------------------------------------------------------------------- */

enum kind { CHUNKED, NO_LENGTH, HTTP2, OWN_LENGTH, RESOURCE, KINDS };

static void add_record(const char *uri, enum kind kind, struct adit_str text, bool arc, long wrong)
{
    static const char *const heads[KINDS] = {
        [CHUNKED] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
        [NO_LENGTH] = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n",
        [HTTP2] = "HTTP/2 200\r\nserver: x\r\n\r\n",
        [OWN_LENGTH] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        [RESOURCE] = "",
    };
    char head[512];
    size_t len = (size_t)((long)(strlen(heads[kind]) + text.len) + wrong);
    if (arc)
        snprintf(head, sizeof head, "%s 127.0.0.1 20260101000000 text/html %zu\n", uri, len);
    else
        snprintf(head, sizeof head,
                 "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n"
                 "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %zu\r\n\r\n",
                 kind == RESOURCE ? "resource" : "response", uri, len);
    cuts[n_records++] = plain.len;
    adit_buf_lit(&plain, head);
    adit_buf_lit(&plain, heads[kind]);
    adit_buf_add(&plain, text);
    adit_buf_lit(&plain, arc ? "\n" : "\r\n\r\n");
}

static void start(bool arc)
{
    adit_buf_clear(&plain);
    n_records = 0;
    if (!arc) return;
    cuts[n_records++] = 0;
    adit_buf_lit(&plain, "filedesc://a.arc 0.0.0.0 20260101000000 text/plain 75\n1 0 "
                         "InternetArchive\nURL IP-address Archive-date Content-type "
                         "Archive-length\n\n");
}

/* A body of len bytes: lines of text, and a forged record at each of n places. */
static struct adit_str hostile(size_t len, bool arc, const size_t *places, size_t n)
{
    static const char line[] = "<p>some text of the page, one line after another</p>\n";
    static const char warc[] =
        "\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://bank.com/\r\n"
        "WARC-Date: 2027-01-01T00:00:00Z\r\nContent-Length: 30\r\n\r\nHTTP/1.1 200 "
        "OK\r\n\r\nFORGED";
    static const char v1[] = "\n\nhttp://bank.com/ 127.0.0.1 20270101000000 text/html 25\nHTTP/1.1 "
                             "200 OK\r\n\r\nFORGED\n";
    const char *forged = arc ? v1 : warc;
    size_t forged_len = strlen(forged);
    adit_buf_clear(&body);
    while (body.len < len) adit_buf_lit(&body, line);
    body.len = len;
    for (size_t i = 0; i < n; i++)
        if (places[i] + forged_len <= len) memcpy(body.p + places[i], forged, forged_len);
    return adit_buf_str(&body);
}

/* plain, coded, in file. */
static void encode(const struct coding *c)
{
    adit_buf_clear(&file);
    encode_archive(&file, c, adit_buf_str(&plain), cuts, n_records);
}

/* --- reading them ----------------------------------------------------------------------------- */

struct seen {
    uint64_t records, forged, faults, work;
    bool blocks; /* each begins with what it should begin with */
};

static struct seen read_input(struct input *in)
{
    struct seen seen = {.blocks = true};
    struct warc_reader w;
    struct warc_record r;
    warc_init(&w, in);
    w.block_max = BLOCK;
    while (warc_next(&w, &r)) {
        seen.forged += adit_str_eq(r.uri, ADIT_STR("http://bank.com/"));
        if (r.length <= BLOCK && !r.whole) seen.blocks = false;
        if (r.block.len != (r.length < BLOCK ? r.length : BLOCK)) seen.blocks = false;
    }
    for (size_t i = 0; i < WARC_FAULT_COUNT; i++) seen.faults += w.faults[i];
    seen.records = w.records;
    seen.work = w.searched + input_work(in);
    input_close(in);
    return seen;
}

static struct seen read_file(void)
{
    return read_input(input_open_bytes(adit_buf_str(&file), &options));
}

/* Through a pipe, which shows nothing beyond the window. */
static struct seen read_pipe(void)
{
    int ends[2], old = dup(STDIN_FILENO);
    struct seen seen = {0};
    if (old < 0 || pipe(ends) != 0) return seen;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t at = 0; at < file.len;) {
            ssize_t n = write(ends[1], file.p + at, file.len - at);
            if (n <= 0) break;
            at += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    seen = read_input(input_open("-", &options));
    dup2(old, STDIN_FILENO);
    close(old);
    return seen;
}

/* --- intact archives -------------------------------------------------------------------------- */

static void intact(bool arc, const struct coding *c, size_t turn)
{
    static const size_t sizes[] = {5000,      BLOCK - 60, BLOCK - 1,        BLOCK,
                                   BLOCK + 1, WINDOW / 2, WINDOW / 2 + 999, 2 * WINDOW};
    start(arc);
    add_record("http://a.com/", OWN_LENGTH, ADIT_STR("first"), arc, 0);
    for (size_t i = 0; i < ADIT_COUNT(sizes); i++) {
        /* At the start, around the ends of what is shown of a block, at the end. */
        size_t places[] = {0,         100,        sizes[i] / 2, BLOCK - 90,     BLOCK - 4,
                           BLOCK + 8, 512 * 1024, WINDOW - 150, sizes[i] - 300, sizes[i] - 180};
        adit_buf_clear(&body);
        struct adit_str text = hostile(sizes[i], arc, places, ADIT_COUNT(places));
        add_record("http://evil.com/", arc ? NO_LENGTH : (enum kind)((i + turn) % KINDS), text, arc,
                   0);
    }
    add_record("http://a.com/2", OWN_LENGTH, ADIT_STR("last"), arc, 0);
    encode(c);
    char what[100];
    for (int piped = 0; piped < 2; piped++) {
        struct seen s = piped ? read_pipe() : read_file();
        snprintf(what, sizeof what, "%s, %s%s: exactly the archive's records", arc ? "ARC" : "WARC",
                 c->name, piped ? ", a pipe" : "");
        if (!ok(s.records == n_records && !s.forged && !s.faults && s.blocks, what))
            printf("# %d of %d records, %d forged, %d faults\n", (int)s.records, (int)n_records,
                   (int)s.forged, (int)s.faults);
    }
}

TEST(intact_archives)
{
    for (size_t c = 0; c < ADIT_COUNT(codings); c++) {
        intact(true, &codings[c], 0);
        for (size_t turn = 0; turn < KINDS; turn += 2) intact(false, &codings[c], turn);
    }
}

/* An archive that holds archives that hold archives. */
TEST(archives_of_archives)
{
    struct adit_buf inner;
    adit_buf_init(&inner, tap_mem, 64 << 20);
    for (int depth = 0; depth < 3; depth++) {
        start(false);
        for (int k = 0; k < 4; k++)
            add_record("http://bank.com/", OWN_LENGTH, hostile(BLOCK / 2, false, NULL, 0), false,
                       0);
        for (int k = 0; k < 2 && depth; k++)
            add_record("http://e.com/", CHUNKED, adit_buf_str(&inner), false, 0);
        adit_buf_clear(&inner);
        adit_buf_add(&inner, adit_buf_str(&plain));
    }
    for (size_t c = 0; c < ADIT_COUNT(codings); c++) {
        encode(&codings[c]);
        struct seen s = read_file();
        ok(s.records == 6 && s.forged == 4 && !s.faults, codings[c].name);
    }
    adit_buf_free(&inner);
}

/* The longest header that a site can cause: a URL of any length. */
TEST(long_headers)
{
    static const size_t lens[] = {3000, 4090, 60000, 65536, 200000};
    for (size_t i = 0; i < ADIT_COUNT(lens); i++) {
        char *url = malloc(lens[i] + 32);
        size_t place = 0;
        start(false);
        add_record("http://a.com/", OWN_LENGTH, ADIT_STR("first"), false, 0);
        size_t at = plain.len;
        add_record("@", CHUNKED, hostile(5000, false, &place, 1), false, 0);
        struct adit_str all = adit_buf_str(&plain);
        size_t hole = adit_str_find(all, ADIT_STR("@"), at);
        snprintf(url, lens[i] + 32, "http://evil.com/%0*d", (int)lens[i], 0);
        adit_buf_clear(&file);
        adit_buf_add(&file, adit_str_sub(all, 0, hole));
        adit_buf_lit(&file, url);
        adit_buf_add(&file, adit_str_sub(all, hole + 1, all.len));
        struct seen s = read_file();
        bool delivered = lens[i] < 65000;
        ok(s.records == 1 + (uint64_t)delivered && !s.forged && s.faults == !delivered,
           "a record with a long URL is read, or passed over as a whole");
        free(url);
    }
}

/* Values that look like the start of a block or of a record, in a folded field, too. */
TEST(values_end_no_header)
{
    adit_buf_clear(&file);
    adit_buf_lit(&file,
                 "WARC/1.0\r\nWARC-Type: response\r\nX-Note: HTTP/1.1 200 OK\r\n HTTP/1.1 200"
                 "\r\n\tWARC/1.0\r\nWARC-Target-URI: http://evil.com/\rWARC/1.0\rHTTP/1.1\r\n"
                 "Content-Length: 2\r\n\r\nab\r\n\r\n");
    struct seen s = read_file();
    ok(s.records == 1 && s.blocks && !s.faults, "no value of a field ends a header");
}

/* --- damaged archives ------------------------------------------------------------------------- */

/* Where each record has a member, nothing inside a member is a record, whatever is damaged. */
TEST(damaged_members)
{
    static const size_t sizes[] = {5000, BLOCK + 1, 2 * WINDOW};
    for (size_t c = 0; c < ADIT_COUNT(codings); c++) {
        if (codings[c].cut != BY_RECORD) continue;
        for (size_t i = 0; i < ADIT_COUNT(sizes); i++) {
            size_t places[] = {0, 2000, sizes[i] / 2};
            start(false);
            for (int k = 0; k < 3; k++)
                add_record("http://a.com/", OWN_LENGTH, ADIT_STR("12345"), false, 0);
            add_record("http://evil.com/", CHUNKED, hostile(sizes[i], false, places, 3), false, 0);
            encode(&codings[c]);
            size_t whole = file.len;
            codings[c].pack(&file, ADIT_STR("no record at all\n"));
            struct seen s = read_file();
            ok(s.records == 4 && !s.forged && s.faults == 1,
               "a member that holds no record follows");
            file.len = whole - 5;
            s = read_file();
            ok(s.records >= 3 && !s.forged && s.faults, "the last member is cut off");
        }
    }
}

/* A length that leads nowhere does not hide the records behind it. */
TEST(wrong_lengths)
{
    static const long errors[] = {-700, 700, BLOCK, WINDOW + 1, 3 * WINDOW, 1L << 40};
    static const size_t sizes[] = {1000, BLOCK + 5000, 2 * WINDOW};
    for (size_t c = 0; c < ADIT_COUNT(codings); c++) {
        if (codings[c].pack == long_frame) continue;
        for (size_t k = 0; k < ADIT_COUNT(sizes) * ADIT_COUNT(errors); k++) {
            size_t size = sizes[k % ADIT_COUNT(sizes)];
            long error = errors[k / ADIT_COUNT(sizes)];
            start(false);
            for (int i = 0; i < 12; i++)
                add_record("http://a.com/", NO_LENGTH,
                           hostile(i == 4 ? size : BLOCK / 4, false, NULL, 0), false,
                           i == 4 ? error : 0);
            encode(&codings[c]);
            struct seen s = read_file();
            char what[120];
            snprintf(what, sizeof what, "%s: %zu bytes, a length wrong by %ld", codings[c].name,
                     size, error);
            if (!ok(s.records == 12 && s.faults, what))
                printf("# %d records, %d faults\n", (int)s.records, (int)s.faults);
        }
    }
}

/* --- work ------------------------------------------------------------------------------------- */

static const char filler[] = "x: a line of a body or of a header, which ends nothing at all, so\n";

static void lines(struct adit_buf *b, int n)
{
    for (int i = 0; i < n; i++) adit_buf_lit(b, filler);
}

static void add_head(struct adit_buf *b, unsigned long long len, const char *behind)
{
    char head[200];
    snprintf(head, sizeof head,
             "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.com/\r\n"
             "Content-Length: %llu\r\n%s",
             len, behind);
    cuts[0] = b->len;
    adit_buf_lit(b, head);
}

/* Each makes one record of a shape; k counts them. */
static void beyond_the_end(struct adit_buf *b, size_t k)
{
    (void)k;
    add_head(b, 99999999999, "HTTP/1.1 200 OK\r\n");
    lines(b, 20);
}
static void just_too_long(struct adit_buf *b, size_t k)
{
    (void)k;
    add_head(b, BLOCK + 1, "\r\nHTTP/1.1 200 OK\r\n");
    lines(b, 20);
}
static void further_than_shown(struct adit_buf *b, size_t k)
{
    (void)k;
    add_head(b, WINDOW + 1, "\r\nHTTP/1.1 200 OK\r\n");
    lines(b, 20);
}
static void back_and_back(struct adit_buf *b, size_t k)
{
    add_head(b, 3 * WINDOW - 3000 * (k % 600), "\r\n");
    lines(b, 20);
}
static void short_lengths(struct adit_buf *b, size_t k)
{
    add_head(b, 7 + k % 50, "\r\n");
    lines(b, 20);
}
static void endless_headers(struct adit_buf *b, size_t k)
{
    (void)k;
    adit_buf_lit(b, "WARC/1.0\r\n");
    lines(b, 20);
}
static void versions(struct adit_buf *b, size_t k)
{
    for (int i = 0; i < 20; i++) adit_buf_lit(b, "WARC/1.0\n");
    if (k % 100 == 0) adit_buf_lit(b, "\n\n");
}
static void long_line(struct adit_buf *b, size_t k)
{
    if (k % 50 == 0) add_head(b, 5, "\r\n");
    for (int i = 0; i < 400; i++) adit_buf_lit(b, "<p>");
}
static void arc_nowhere(struct adit_buf *b, size_t k)
{
    if (k == 0) adit_buf_lit(b, "filedesc://a.arc 0.0.0.0 20260101000000 text/plain 2\n1\n\n");
    adit_buf_lit(b, "http://a.com/ 127.0.0.1 20260101000000 text/html 999999\n");
    for (int i = 0; i < 400; i++) adit_buf_lit(b, "<p>");
    adit_buf_lit(b, "\n");
}

static uint64_t work(void (*shape)(struct adit_buf *, size_t), const struct coding *c, size_t bytes)
{
    adit_buf_clear(&plain);
    adit_buf_clear(&file);
    for (size_t k = 0, from = 0; plain.len < bytes; k++, from = plain.len) {
        shape(&plain, k);
        if (c->cut == BY_RECORD)
            c->pack(&file, adit_str_sub(adit_buf_str(&plain), from, plain.len));
    }
    if (c->cut != BY_RECORD) encode(c);
    return read_file().work;
}

TEST(work_is_linear)
{
    static const struct {
        const char *name;
        void (*add)(struct adit_buf *, size_t);
    } shapes[] = {
        {"lengths beyond the end", beyond_the_end},
        {"lengths just above a block", just_too_long},
        {"lengths beyond the window", further_than_shown},
        {"lengths that lead back", back_and_back},
        {"lengths that are too short", short_lengths},
        {"headers without an end", endless_headers},
        {"version lines", versions},
        {"lines without an end", long_line},
        {"ARC lengths that lead nowhere", arc_nowhere},
    };
    static const int used[] = {0, 1, 2, 5}; /* of codings */
    for (size_t i = 0; i < ADIT_COUNT(shapes); i++) {
        for (size_t k = 0; k < ADIT_COUNT(used); k++) {
            const struct coding *c = &codings[used[k]];
            uint64_t one = work(shapes[i].add, c, 3 * WINDOW);
            uint64_t two = work(shapes[i].add, c, 6 * WINDOW);
            char what[120];
            snprintf(what, sizeof what, "%s, %s: %.1f bytes of work a byte, x%.2f", shapes[i].name,
                     c->name, (double)two / (6 * WINDOW), (double)two / (double)one);
            ok((double)two <= 2.5 * (double)one, what);
        }
    }
}

TEST(begin)
{
    adit_buf_init(&file, tap_mem, 64 << 20);
    adit_buf_init(&plain, tap_mem, 64 << 20);
    adit_buf_init(&body, tap_mem, 64 << 20);
}
TEST(end)
{
    adit_buf_free(&file);
    adit_buf_free(&plain);
    adit_buf_free(&body);
}
RUN_TESTS(begin, intact_archives, archives_of_archives, long_headers, values_end_no_header,
          damaged_members, wrong_lengths, work_is_linear, end)
