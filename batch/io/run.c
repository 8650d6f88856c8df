/* Runs on disk: files without a name, read and written through one buffer each. */
#include "batch/io/run_impl.h"

#include "batch/cli/cli.h"
#include "batch/io/io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_BUFFER = 256 << 10 };

struct sort_run {
    FILE *file;                   /* of our own; or */
    struct sorter_source *source; /* somebody else's */
    char *record;                 /* the current one */
    size_t len, cap;
    uint64_t bytes;
};

void sort_run_discard(struct sort_run *run)
{
    if (!run) return;
    if (run->file) fclose(run->file);
    if (run->source) run->source->close(run->source);
    free(run->record);
    free(run);
}

static struct sort_run *run_open(const char *dir)
{
    struct sort_run *run = calloc(1, sizeof *run);
    int fd = run ? output_unnamed(dir) : -1;
    if (fd >= 0) run->file = fdopen(fd, "w+b");
    if (!run || !run->file) {
        cli_say(dir, "cannot make a temporary file: %s", strerror(errno));
        if (fd >= 0) close(fd);
        sort_run_discard(run);
        run = NULL;
    } else {
        setvbuf(run->file, NULL, _IOFBF, RUN_BUFFER);
    }
    return run;
}

bool sort_run_write_parts(struct sort_run *run, const struct adit_str *parts, size_t n,
                          uint64_t len)
{
    bool ok = fwrite(&len, sizeof len, 1, run->file) == 1;
    for (size_t i = 0; i < n && ok; i++)
        ok = parts[i].len == 0 || fwrite(parts[i].p, parts[i].len, 1, run->file) == 1;
    run->bytes += len + sizeof len;
    if (ok) return true;
    cli_say(NULL, "cannot write a temporary file: %s", strerror(errno));
    return false;
}

bool sort_run_write(struct sort_run *run, struct adit_str record)
{
    return sort_run_write_parts(run, &record, 1, record.len);
}

/* Room for the next record. */
static bool make_room(struct sort_run *run, uint64_t len)
{
    if (len > run->cap) {
        char *p = realloc(run->record, (size_t)len);
        if (!p) return false;
        run->record = p;
        run->cap = (size_t)len;
    }
    run->len = (size_t)len;
    return true;
}

static bool read_source(struct sort_run *run, bool *end)
{
    struct adit_str record;
    int got = run->source->next(run->source, &record);
    *end = got == 0;
    if (got <= 0) return got == 0;
    if (!make_room(run, record.len)) return false;
    if (record.len) memcpy(run->record, record.p, record.len);
    return true;
}

/* Reads the next record into run->record; *end at the end of the run. */
static bool run_read(struct sort_run *run, bool *end)
{
    if (run->source) return read_source(run, end);
    uint64_t len;
    *end = fread(&len, sizeof len, 1, run->file) != 1;
    if (*end) return !ferror(run->file);
    return make_room(run, len) && (len == 0 || fread(run->record, (size_t)len, 1, run->file) == 1);
}

static struct adit_str current(const struct sort_run *run)
{
    return adit_str_of(run->record, run->len);
}

/* --- the merge: a heap of runs ---------------------------------------------------------------- */

static bool before(const struct sort_runs *r, size_t a, size_t b)
{
    return r->cmp(current(r->v[a]), current(r->v[b])) < 0;
}

static void sift(struct sort_runs *r, size_t i)
{
    for (;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < r->heap_n && before(r, r->heap[child], r->heap[least])) least = child;
        if (least == i) return;
        size_t t = r->heap[i];
        r->heap[i] = r->heap[least];
        r->heap[least] = t;
        i = least;
    }
}

static bool fail(struct sort_runs *r, const struct sort_run *run)
{
    if (!run->source) cli_say(NULL, "cannot read a temporary file: %s", strerror(errno));
    r->failed = true;
    return false;
}

bool sort_runs_start(struct sort_runs *r)
{
    r->heap_n = 0;
    r->advance = false;
    for (size_t i = 0; i < r->n; i++) {
        bool end;
        struct sort_run *run = r->v[i];
        if ((run->file && (fflush(run->file) != 0 || fseek(run->file, 0, SEEK_SET) != 0)) ||
            !run_read(run, &end))
            return fail(r, run);
        if (!end) r->heap[r->heap_n++] = i;
    }
    for (size_t i = r->heap_n; i-- > 0;) sift(r, i);
    return true;
}

bool sort_runs_next(struct sort_runs *r, struct adit_str *record)
{
    if (r->advance && r->heap_n) {
        bool end;
        struct sort_run *run = r->v[r->heap[0]];
        if (!run_read(run, &end)) return fail(r, run);
        if (end) r->heap[0] = r->heap[--r->heap_n];
        sift(r, 0);
    }
    if (r->heap_n == 0) return false;
    *record = current(r->v[r->heap[0]]);
    r->advance = true;
    return true;
}

void sort_runs_free(struct sort_runs *r)
{
    for (size_t i = 0; i < r->n; i++) sort_run_discard(r->v[i]);
    r->n = 0;
}

static int by_size(const void *a, const void *b)
{
    const struct sort_run *x = *(struct sort_run *const *)a, *y = *(struct sort_run *const *)b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Makes one run of the smaller half: so every record is copied a logarithmic number of times. */
static bool merge_half(struct sort_runs *r)
{
    enum { HALF = SORTER_FAN / 2 };
    struct sort_runs half = {.dir = r->dir, .cmp = r->cmp};
    qsort(r->v, r->n, sizeof(struct sort_run *), by_size);
    for (size_t i = 0; i < r->n; i++)
        if (i < HALF)
            half.v[half.n++] = r->v[i];
        else
            r->v[i - HALF] = r->v[i];
    r->n -= HALF;
    struct sort_run *one = run_open(r->dir);
    struct adit_str record;
    bool ok = one && sort_runs_start(&half);
    while (ok && sort_runs_next(&half, &record)) ok = sort_run_write(one, record);
    ok = ok && !half.failed;
    sort_runs_free(&half);
    if (ok) return sort_run_done(r, one);
    sort_run_discard(one);
    return false;
}

struct sort_run *sort_run_new(struct sort_runs *r)
{
    if (r->n == SORTER_FAN && !merge_half(r)) return NULL;
    return run_open(r->dir);
}

struct sort_run *sort_run_of(struct sort_runs *r, struct sorter_source *source)
{
    struct sort_run *run = NULL;
    if (r->n < SORTER_FAN || merge_half(r)) {
        run = calloc(1, sizeof *run);
        if (!run) cli_say(NULL, "out of memory");
    }
    if (!run) {
        source->close(source);
        return NULL;
    }
    run->source = source;
    run->bytes = source->size;
    return run;
}

bool sort_run_done(struct sort_runs *r, struct sort_run *run)
{
    if (run->file && fflush(run->file) != 0) {
        cli_say(NULL, "cannot write a temporary file: %s", strerror(errno));
        sort_run_discard(run);
        return false;
    }
    if (run->file) r->bytes += run->bytes;
    r->v[r->n++] = run;
    return true;
}
