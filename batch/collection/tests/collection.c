/* The reader of collections at its limits, with limits small enough to reach. */
#include "batch/collection/collection.h"
#include "tests/tap.h"

#include <unistd.h>

static char path[300];

#define META                                                                               \
    "{\"collection\":{\"id\":\"a\",\"section\":\"s\",\"type\":\"snapshot\",\"generated\":" \
    "\"2000-01-01T00:00:00Z\",\"version\":\"0.1\"}}"

static void page(struct adit_buf *b, unsigned i, size_t len)
{
    char start[300];
    snprintf(
        start, sizeof start,
        "\n{\"url\":\"https://example.com/%u\",\"title\":\"\",\"description\":\"\",\"modified\":"
        "\"2000-01-01T00:00:00Z\",\"language\":\"en\",\"content\":[{\"type\":\"text\",\"text\":\"",
        i);
    size_t from = b->len + 1;
    adit_buf_lit(b, start);
    while (b->len - from < len - 4) adit_buf_byte(b, 'x');
    adit_buf_lit(b, "\"}]}");
}

struct seen {
    bool failed;
    struct collection_counts counts;
};

static struct seen read_bytes(struct adit_str bytes, enum output_coding coding,
                              const struct adit_scp_limits *limits)
{
    struct output_options how = {.coding = coding};
    struct output *out = output_open(path, &how);
    struct adit_scp_page p;
    output_write(out, bytes);
    output_commit(out);
    struct collection *c =
        collection_open(path, &(struct collection_options){.quiet = true, .limits = limits});
    while (collection_next(c, &p)) {}
    struct seen s = {collection_failed(c), *collection_counts(c)};
    collection_close(c);
    return s;
}

static const struct adit_scp_limits roomy = {
    .encoded_max = 1u << 30, .decoded_max = 1u << 30, .line_max = 1 << 20, .blocks_max = 1000};

/* Lines around the limit: one byte more is left out, and the next page is read again. */
TEST(line_length)
{
    for (size_t max = 300; max <= 3000000; max *= 10) {
        struct adit_scp_limits limits = roomy;
        limits.line_max = max;
        for (int d = -1; d <= 1; d++) {
            struct adit_buf b;
            adit_buf_init(&b, tap_mem, 1 << 24);
            adit_buf_lit(&b, META);
            page(&b, 1, 300);
            page(&b, 2, max + (size_t)(d + 1) - 1);
            page(&b, 3, 300);
            for (int coding = OUTPUT_NONE; coding <= OUTPUT_ZSTD; coding += 2) {
                struct seen s = read_bytes(adit_buf_str(&b), (enum output_coding)coding, &limits);
                eq_int(s.counts.pages, d > 0 ? 2 : 3, "pages within the limit are read");
                eq_int(s.counts.findings[ADIT_SCP_PAGE_LONG], d > 0, "the long one is told");
                eq_int(s.failed, false, "the file is not rejected");
                eq_int(s.counts.lines, 4, "every line is counted");
            }
            adit_buf_free(&b);
        }
    }
}

TEST(file_size)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 24);
    adit_buf_lit(&b, META);
    for (unsigned i = 100; i < 200; i++) page(&b, i, 2000);
    for (int d = -1; d <= 1; d++) {
        struct adit_scp_limits limits = roomy;
        limits.decoded_max = b.len + (size_t)(1 - d) - 1;
        struct seen s = read_bytes(adit_buf_str(&b), OUTPUT_ZSTD, &limits);
        eq_int(s.counts.findings[ADIT_SCP_FILE_SIZE], d > 0, "decoded size");
        eq_int(s.failed, d > 0, "too large: rejected");
        limits = roomy;
        limits.encoded_max = b.len + (size_t)(1 - d) - 1;
        s = read_bytes(adit_buf_str(&b), OUTPUT_NONE, &limits);
        eq_int(s.counts.findings[ADIT_SCP_FILE_SIZE_ENCODED], d > 0, "encoded size");
        eq_int(s.failed, d > 0, "too large: rejected");
    }
    adit_buf_free(&b);
}

TEST(line1_length)
{
    for (size_t len = 65535; len <= 65537; len++) {
        struct adit_buf b;
        adit_buf_init(&b, tap_mem, 1 << 20);
        adit_buf_lit(&b, META);
        while (b.len < len) adit_buf_byte(&b, ' ');
        page(&b, 1, 300);
        struct seen s = read_bytes(adit_buf_str(&b), OUTPUT_NONE, &roomy);
        eq_int(s.counts.findings[ADIT_SCP_META_LONG], len > 65536, "length of line 1");
        eq_int(s.counts.pages, len <= 65536, "pages are read if it is not too long");
        adit_buf_free(&b);
    }
}

/* Cut anywhere, a file is either good as far as it goes or rejected; never anything worse. */
TEST(every_cut)
{
    struct adit_buf b;
    bool sane = true;
    adit_buf_init(&b, tap_mem, 1 << 20);
    adit_buf_lit(&b, META);
    page(&b, 1, 250), page(&b, 2, 250);
    for (int coding = OUTPUT_NONE; coding <= OUTPUT_ZSTD; coding++) {
        struct output_options how = {.coding = (enum output_coding)coding};
        struct output *out = output_open(path, &how);
        output_write(out, adit_buf_str(&b));
        output_commit(out);
        struct adit_str whole = tap_read(path);
        for (size_t cut = 0; cut < whole.len; cut += coding == OUTPUT_NONE ? 7 : 1) {
            FILE *f = fopen(path, "wb");
            fwrite(whole.p, 1, cut, f);
            fclose(f);
            struct adit_scp_page p;
            struct collection_options o = {.quiet = true};
            struct collection *c = collection_open(path, &o);
            while (collection_next(c, &p)) {}
            const struct collection_counts *n = collection_counts(c);
            if (coding != OUTPUT_NONE && !collection_failed(c)) sane = false;
            if (n->pages > 2) sane = false;
            collection_close(c);
        }
        free((void *)(uintptr_t)whole.p);
    }
    ok(sane, "a compressed file cut anywhere is rejected");
    adit_buf_free(&b);
}

int main(void)
{
    snprintf(path, sizeof path, "%s/adit-collection-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0 || !freopen("/dev/null", "w", stderr)) return 1;
    close(fd);
    line_length();
    file_size();
    line1_length();
    every_cut();
    unlink(path);
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
