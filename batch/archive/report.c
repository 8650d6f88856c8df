/* What a run of the archiver has done. */
#include "batch/archive/archive.h"
#include "batch/crawl/crawl.h"
#include "json/json.h"

#include <stdio.h>

/* In alphabetical order, as canonical JSON has them. */
#define COUNTS(X)                                                                     \
    X(artifacts, "new pages")                                                         \
    X(chunks, "chunks embedded")                                                      \
    X(chunks_reused, "chunks whose vector was taken from the version before")         \
    X(disallowed, "captures that the robots.txt in the input disallows: passed over") \
    X(embedded, "versions embedded")                                                  \
    X(enriched, "versions enriched")                                                  \
    X(known, "captures that were archived before")                                    \
    X(late, "captures older than what is archived: passed over")                      \
    X(patched, "changes of metadata only: no new version")                            \
    X(tombstoned, "captures of pages that have a tombstone: passed over")             \
    X(unchanged, "captures with the same bytes: lastSeen only")                       \
    X(versions, "new versions")

static void json(const struct archive_counts *c, const struct crawl_counts *skips, FILE *to)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 1 << 16);
    struct adit_json_writer w = {.out = &b};
    adit_json_open(&w, '{');
#define COUNT_JSON(name, text) adit_json_member_uint(&w, #name, c->name);
    COUNTS(COUNT_JSON)
    if (skips) {
        adit_json_member_uint(&w, "captures", skips->captures);
        adit_json_member_open(&w, "skips", '{');
        for (size_t i = 0; i < CRAWL_SKIP_COUNT; i++) {
            if (!skips->skips[i]) continue;
            adit_json_member_uint(&w, crawl_skip_names[i], skips->skips[i]);
        }
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, '}');
    cli_print_to(to, "%.*s\n", (int)b.len, b.p);
    adit_buf_free(&b);
}

static void line(FILE *to, uint64_t n, const char *text)
{
    if (n) cli_print_to(to, "  %9llu  %s\n", (unsigned long long)n, text);
}

void archive_report(const struct archive_options *o, const struct archive_counts *c,
                    const struct crawl_counts *skips)
{
    FILE *to = o->events ? stderr : stdout;
    if (o->json) {
        json(c, skips, to);
        return;
    }
    if (cli_has(o->args, "quiet")) return;
    if (skips) cli_print_to(to, "%s\n", cli_count(skips->captures, "capture").p);
#define COUNT_LINE(name, text) line(to, c->name, text);
    COUNTS(COUNT_LINE)
    if (skips)
        crawl_print_table(to, "not archived:", crawl_skip_texts, skips->skips, CRAWL_SKIP_COUNT);
}

static void add_reason(struct adit_buf *b, uint64_t n, const char *text)
{
    if (!n) return;
    adit_buf_lit(b, b->len ? "; " : ": ");
    adit_buf_u64(b, n);
    adit_buf_byte(b, ' ');
    adit_buf_lit(b, text);
}

void archive_report_nothing(const struct archive_counts *c, const struct crawl_counts *skips)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 1 << 16);
    add_reason(&b, c->disallowed, "disallowed by the input's robots.txt (--ignore-robots)");
    add_reason(&b, c->tombstoned, "of pages that have a tombstone");
    for (size_t i = 0; i < CRAWL_SKIP_COUNT; i++)
        add_reason(&b, skips->skips[i], crawl_skip_texts[i]);
    if (!b.len) adit_buf_lit(&b, ": the input has no captures of pages");
    cli_say(NULL, "nothing was archived%.*s", (int)b.len, b.p);
    adit_buf_free(&b);
}
