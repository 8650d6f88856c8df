/* The records in memory, and when they leave it. */
#include "batch/io/io.h"

#include "batch/io/run_impl.h"

#include <stdlib.h>
#include <string.h>

/* Records grow from the buffer's front (each: u64 length, bytes, padding to 8), pointers to them
 * from its end. */
struct sorter {
    sorter_cmp *cmp;
    char *buf;
    size_t cap, used;
    char **index; /* index[-1] is the first record added */
    size_t n, at;
    struct sort_runs runs;
    bool failed;
};

struct sorter *sorter_new(const char *dir, size_t memory, sorter_cmp *cmp)
{
    struct sorter *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->cmp = cmp;
    s->cap = (memory < SORTER_MEMORY_MIN ? SORTER_MEMORY_MIN : memory) / 8 * 8;
    s->buf = malloc(s->cap);
    s->runs = (struct sort_runs){.dir = dir, .cmp = cmp};
    if (!s->buf) {
        free(s);
        return NULL;
    }
    s->index = (char **)(void *)(s->buf + s->cap);
    return s;
}

void sorter_free(struct sorter *s)
{
    if (!s) return;
    sort_runs_free(&s->runs);
    free(s->buf);
    free(s);
}

static struct adit_str record_at(const char *p)
{
    uint64_t len;
    memcpy(&len, p, sizeof len);
    return adit_str_of(p + sizeof len, (size_t)len);
}

static int cmp_pointers(const void *a, const void *b, void *ctx)
{
    const char *pa, *pb;
    memcpy(&pa, a, sizeof pa);
    memcpy(&pb, b, sizeof pb);
    return ((struct sorter *)ctx)->cmp(record_at(pa), record_at(pb));
}

static void sort_memory(struct sorter *s)
{
    qsort_r(s->index - s->n, s->n, sizeof(char *), cmp_pointers, s);
}

/* ok: the run is complete. */
static bool add_run(struct sorter *s, struct sort_run *run, bool ok)
{
    if (!ok) sort_run_discard(run);
    s->failed = !ok || !sort_run_done(&s->runs, run);
    return !s->failed;
}

static bool spill(struct sorter *s)
{
    if (s->n == 0) return true;
    sort_memory(s);
    struct sort_run *run = sort_run_new(&s->runs);
    bool ok = run != NULL;
    for (size_t i = 0; ok && i < s->n; i++)
        ok = sort_run_write(run, record_at((s->index - s->n)[i]));
    s->n = s->used = 0;
    return add_run(s, run, ok);
}

bool sorter_add(struct sorter *s, const struct adit_str *parts, size_t n)
{
    uint64_t len = 0;
    for (size_t i = 0; i < n; i++) len += parts[i].len;
    size_t need = sizeof len + ((size_t)len + 7) / 8 * 8;
    if (s->failed) return false;
    if (need + sizeof *s->index > s->cap - s->used - s->n * sizeof *s->index && !spill(s))
        return false;
    if (need + sizeof *s->index > s->cap) { /* larger than the memory: a run of its own */
        struct sort_run *run = sort_run_new(&s->runs);
        return add_run(s, run, run && sort_run_write_parts(run, parts, n, len));
    }
    char *p = s->buf + s->used;
    memcpy(p, &len, sizeof len);
    size_t at = sizeof len;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].len) memcpy(p + at, parts[i].p, parts[i].len);
        at += parts[i].len;
    }
    s->used += need;
    s->n++;
    s->index[-(ptrdiff_t)s->n] = p;
    return true;
}

bool sorter_add_source(struct sorter *s, struct sorter_source *source)
{
    if (s->failed) {
        source->close(source);
        return false;
    }
    struct sort_run *run = sort_run_of(&s->runs, source);
    return add_run(s, run, run != NULL);
}

bool sorter_start(struct sorter *s)
{
    if (s->failed) return false;
    s->at = 0;
    if (s->runs.n == 0) {
        sort_memory(s);
        return true;
    }
    if (!spill(s)) return false;
    free(s->buf); /* the merge needs little */
    s->buf = NULL;
    s->failed = !sort_runs_start(&s->runs);
    return !s->failed;
}

bool sorter_next(struct sorter *s, struct adit_str *record)
{
    if (s->failed) return false;
    if (s->runs.n) {
        bool more = sort_runs_next(&s->runs, record);
        s->failed = s->runs.failed;
        return more;
    }
    if (s->at == s->n) return false;
    *record = record_at((s->index - s->n)[s->at++]);
    return true;
}

bool sorter_failed(const struct sorter *s) { return s->failed; }
uint64_t sorter_spilled(const struct sorter *s) { return s->runs.bytes; }
