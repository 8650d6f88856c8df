/* The progress line: per cent, rate, what is left, and names that cannot steer the terminal. */
#include "batch/cli/cli.h"
#include "tests/tap.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char shown[512];

/* What is on stderr after one call of progress_show. */
static const char *line(struct progress *p, int64_t now, uint64_t done, uint64_t total)
{
    FILE *f = tmpfile();
    int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(f), STDERR_FILENO);
    progress_show(p, now, done, total, 7, 2);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(f);
    size_t n = fread(shown, 1, sizeof shown - 1, f);
    shown[n] = '\0';
    fclose(f);
    return shown;
}

static bool has(const char *text) { return strstr(shown, text) != NULL; }

TEST(test_line)
{
    struct progress p;
    progress_start(&p, true, 0);
    progress_name(&p, "crawls/2026/part-\x1b[2J\xc3.warc.gz");
    ok(*line(&p, 100, 0, 0) == '\0', "nothing within the first fifth of a second");
    line(&p, 9999, 50000000, 200000000);
    ok(has("#####..............."), "a bar");
    ok(has(" 25% "), "per cent");
    ok(has("50 MB  5.0 MB/s"), "bytes and rate");
    ok(has("7 pages  2 passed over"), "pages");
    ok(has("ETA 0:30"), "what is left");
    ok(has("  part-?[2J?.warc.gz"), "the file's name, without what a terminal obeys");
    line(&p, 20000, 3000000, 0);
    ok(!has("%") && !has("ETA") && has("3 MB"), "an unknown total");
    progress_name(
        &p, "https://example.com/crawl-data/CC-MAIN-20261118000000-20261118030000-00001.warc.gz");
    line(&p, 30000, UINT64_MAX / 2, UINT64_MAX);
    ok(has("50% ") || has("49% "), "no overflow");
    ok(has("20261118030000-00001.warc.gz") && !has("CC-MAIN"), "a long name by its end");
    progress_name(&p, NULL);
    line(&p, 40000, 5, 3);
    ok(!has("%"), "more done than there is: no bar");
    progress_start(&p, false, 0);
    ok(*line(&p, 9999, 1, 2) == '\0', "off");
}

RUN_TESTS(test_line)
