/* One reader for many threads: every item once, in the order of the input; nobody waits for what has
 * been read; memory is bounded. */
#include "batch/crawl/crawl.h"
#include "batch/io/io.h"
#include "tests/tap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[4096]; /* of the archive */

enum { THREADS = 4, RECORDS = 1000, TEXT = 8000 };

/* With so much text that a reader which looks at some KB at once sees no further record. */
static void add_record(struct adit_buf *b, int k)
{
    char head[256];
    snprintf(head, sizeof head,
             "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.com/%d\r\n"
             "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n"
             "HTTP/1.1 200 OK\r\n\r\n<p>",
             k, 19 + 3 + TEXT + 4);
    adit_buf_lit(b, head);
    for (int i = 0; i < TEXT; i++) adit_buf_byte(b, 'x');
    adit_buf_lit(b, "</p>\r\n\r\n");
}

/* The number that the URL of an item ends with; -1: none. */
static int page_of(const struct crawl_item *item)
{
    size_t at = item->record.uri.len;
    while (at && adit_is_digit(item->record.uri.p[at - 1])) at--;
    uint64_t k;
    return adit_str_u64(adit_str_sub(item->record.uri, at, item->record.uri.len), &k) ? (int)k : -1;
}

/* --- many threads ----------------------------------------------------------------------------- */

struct taker {
    struct crawl_ahead *ahead;
    pthread_t thread;
    struct crawl_counts counts;
    uint64_t next; /* no item before it may come: threads are given them in order */
    int taken;
    bool right;
};

static unsigned char seen[RECORDS];
static int given; /* to all threads */

static void *take_all(void *arg)
{
    struct taker *t = arg;
    struct crawl_item item;
    crawl_item_init(&item);
    t->right = true;
    while (crawl_ahead_next(t->ahead, &item, &t->counts)) {
        int page = page_of(&item);
        t->right &= page >= 0 && page < RECORDS && item.number == (uint64_t)page &&
                    item.number >= t->next && !seen[page] && item.record.whole &&
                    adit_str_ends(item.record.block, ADIT_STR("</p>"));
        if (page >= 0 && page < RECORDS) seen[page]++;
        t->next = item.number + 1;
        t->taken++;
        __atomic_add_fetch(&given, 1, __ATOMIC_SEQ_CST);
    }
    crawl_item_free(&item);
    return NULL;
}

static void many_threads(size_t jobs)
{
    char *input = path;
    struct crawl_options o = {.inputs = &input, .n_inputs = 1};
    struct progress progress = {0};
    struct crawl_reader *reader = crawl_reader_new(&o);
    struct crawl_ahead *ahead = crawl_ahead_new(reader, jobs, &progress, NULL);
    struct taker t[THREADS] = {{0}};
    struct crawl_counts counts = {0};
    int taken = 0;
    bool right = true;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < jobs; i++) {
        t[i].ahead = ahead;
        if (i) pthread_create(&t[i].thread, NULL, take_all, &t[i]);
    }
    take_all(&t[0]);
    for (size_t i = 0; i < jobs; i++) {
        if (i) pthread_join(t[i].thread, NULL);
        crawl_counts_add(&counts, &t[i].counts);
        taken += t[i].taken;
        right &= t[i].right;
    }
    eq_int(taken, RECORDS, "all items");
    ok(right, "each whole and once, numbered in the order of the input");
    eq_int(counts.records, RECORDS, "and counted once");
    crawl_ahead_free(ahead);
    crawl_reader_free(reader);
}

/* --- a pipe that has no more for now ---------------------------------------------------------- */

/* Two records are there, the third one is not yet: one thread waits for it, the other one is given both. */
static void slow_input(void)
{
    char name[] = "-", *input = name;
    struct crawl_options o = {.inputs = &input, .n_inputs = 1};
    struct progress progress = {0};
    struct taker t[2] = {{0}};
    struct adit_buf b;
    int ends[2];
    adit_buf_init(&b, tap_mem, 1 << 20);
    for (int k = 0; k < 3; k++) add_record(&b, k);
    if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0) exit(2);
    size_t some = b.len - TEXT / 4;
    ok(write(ends[1], b.p, some) == (ssize_t)some, "two records, and a part of a third");
    struct crawl_reader *reader = crawl_reader_new(&o);
    struct crawl_ahead *ahead = crawl_ahead_new(reader, 2, &progress, NULL);
    memset(seen, 0, sizeof seen);
    given = 0;
    for (size_t i = 0; i < 2; i++) {
        t[i].ahead = ahead;
        pthread_create(&t[i].thread, NULL, take_all, &t[i]);
    }
    for (int i = 0; i < 1000 && __atomic_load_n(&given, __ATOMIC_SEQ_CST) < 2; i++) usleep(20000);
    eq_int(__atomic_load_n(&given, __ATOMIC_SEQ_CST), 2, "both are given while a thread waits");
    ok(write(ends[1], b.p + some, b.len - some) > 0, "the rest comes");
    close(ends[1]);
    close(ends[0]);
    for (size_t i = 0; i < 2; i++) pthread_join(t[i].thread, NULL);
    eq_int(given, 3, "and is given");
    ok(t[0].right && t[1].right, "whole and in order");
    crawl_ahead_free(ahead);
    crawl_reader_free(reader);
    adit_buf_free(&b);
}

/* --- the end for all -------------------------------------------------------------------------- */

static void stop(void)
{
    char *input = path;
    struct crawl_options o = {.inputs = &input, .n_inputs = 1};
    struct progress progress = {0};
    struct crawl_counts counts = {0};
    struct crawl_item item;
    struct crawl_reader *reader = crawl_reader_new(&o);
    struct crawl_ahead *ahead = crawl_ahead_new(reader, 2, &progress, NULL);
    crawl_item_init(&item);
    ok(crawl_ahead_next(ahead, &item, &counts) && !crawl_ahead_stopped(ahead), "an item");
    crawl_ahead_stop(ahead);
    ok(!crawl_ahead_next(ahead, &item, &counts) && crawl_ahead_stopped(ahead),
       "none after a stop, though some have been read");
    crawl_item_free(&item);
    crawl_ahead_free(ahead);
    crawl_reader_free(reader);
}

static void archive(void)
{
    const char *folder = getenv("TMPDIR");
    struct adit_buf b;
    snprintf(path, sizeof path, "%s/ahead-%d.warc", folder ? folder : "/tmp", (int)getpid());
    adit_buf_init(&b, tap_mem, 64u << 20);
    for (int k = 0; k < RECORDS; k++) add_record(&b, k);
    ok(output_file(path, adit_buf_str(&b), false), "an archive");
    adit_buf_free(&b);
    for (size_t jobs = 1; jobs <= THREADS; jobs++) many_threads(jobs);
    stop();
    unlink(path);
}

RUN_TESTS(archive, slow_input)
