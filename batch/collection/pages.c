/* Sorted streams of pages. */
#include "batch/collection/collection.h"
#include "batch/io/io.h"

#include <stdlib.h>
#include <string.h>

struct pages {
    struct collection *c;
    struct pages_options options;
    bool unsorted, failed;
    /* When sorting: */
    struct sorter *sorter;
    struct adit_buf url, last_url;
    bool any;
};

/* A record: this, then the URL, then the line. */
struct record {
    int64_t s;
    uint32_t ns, url_len;
};

static struct record record_of(struct adit_str r)
{
    struct record head;
    memcpy(&head, r.p, sizeof head);
    return head;
}
static struct adit_str record_url(struct adit_str r)
{
    return adit_str_sub(r, sizeof(struct record), sizeof(struct record) + record_of(r).url_len);
}
static struct adit_str record_line(struct adit_str r)
{
    return adit_str_sub(r, sizeof(struct record) + record_of(r).url_len, r.len);
}

/* By URL; of one URL the newest first, then the greater line, so that the first one is to be kept.
 */
static int compare(struct adit_str a, struct adit_str b)
{
    int by_url = adit_str_cmp(record_url(a), record_url(b));
    if (by_url) return by_url;
    struct record ra = record_of(a), rb = record_of(b);
    int by_time = adit_time_cmp((struct adit_time){rb.s, rb.ns}, (struct adit_time){ra.s, ra.ns});
    return by_time ? by_time : adit_str_cmp(record_line(b), record_line(a));
}

static bool sort_all(struct pages *p)
{
    struct adit_scp_page page;
    p->sorter = sorter_new(p->options.temp, p->options.memory, compare);
    if (!p->sorter) return false;
    while (collection_next(p->c, &page)) {
        struct record head = {page.modified.s, page.modified.ns, (uint32_t)page.url.len};
        struct adit_str parts[] = {{(const char *)&head, sizeof head}, page.url, page.line};
        if (!sorter_add(p->sorter, parts, ADIT_COUNT(parts))) return false;
    }
    return !collection_failed(p->c) && sorter_start(p->sorter);
}

static bool next_sorted(struct pages *p, struct adit_scp_page *page)
{
    struct adit_scp_judge judge = {.limits = &adit_scp_limits};
    struct adit_str record;
    while (sorter_next(p->sorter, &record)) {
        struct adit_str url = record_url(record);
        if (p->any && adit_str_eq(url, adit_buf_str(&p->last_url))) continue;
        p->any = true;
        adit_buf_clear(&p->last_url);
        adit_buf_add(&p->last_url, url);
        adit_scp_page_judge(record_line(record), &judge, &p->url, page);
        return true;
    }
    p->failed = p->failed || sorter_failed(p->sorter);
    return false;
}

struct pages *pages_open(const char *path, const struct pages_options *options)
{
    struct pages *p = calloc(1, sizeof *p);
    if (!p) {
        cli_say(path, "out of memory");
        return NULL;
    }
    p->options = *options;
    adit_buf_init(&p->url, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&p->last_url, cli_mem, ADIT_LIMIT_url_bytes);
    p->c = collection_open(path, &(struct collection_options){.lenient = options->lenient});
    if (p->c && !collection_failed(p->c)) return p;
    pages_close(p);
    return NULL;
}

bool pages_next(struct pages *p, struct adit_scp_page *page)
{
    if (p->failed || p->unsorted) return false;
    if (p->options.sort) {
        if (!p->sorter && !sort_all(p)) {
            p->failed = true;
            return false;
        }
        return next_sorted(p, page);
    }
    bool more = collection_next(p->c, page);
    p->failed = collection_failed(p->c);
    p->unsorted = !collection_counts(p->c)->sorted;
    return more && !p->unsorted;
}

bool pages_unsorted(const struct pages *p) { return p->unsorted; }
bool pages_failed(const struct pages *p) { return p->failed; }
const struct collection *pages_collection(const struct pages *p) { return p->c; }

void pages_close(struct pages *p)
{
    if (!p) return;
    collection_close(p->c);
    sorter_free(p->sorter);
    adit_buf_free(&p->url);
    adit_buf_free(&p->last_url);
    free(p);
}

/* --- several at once -------------------------------------------------------------------------- */

static bool before(const struct join *j, size_t a, size_t b)
{
    int by_url = adit_str_cmp(j->at[a].url, j->at[b].url);
    return by_url ? by_url < 0 : a < b;
}

static void sift_down(struct join *j, size_t i)
{
    for (size_t least = i;; i = least) {
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < j->n_heap; child++)
            if (before(j, j->heap[child], j->heap[least])) least = child;
        if (least == i) return;
        size_t t = j->heap[i];
        j->heap[i] = j->heap[least], j->heap[least] = t;
    }
}

static void push(struct join *j, size_t input)
{
    if (!pages_next(j->inputs[input], &j->at[input])) return;
    size_t i = j->n_heap++;
    for (; i > 0 && before(j, input, j->heap[(i - 1) / 2]); i = (i - 1) / 2)
        j->heap[i] = j->heap[(i - 1) / 2];
    j->heap[i] = input;
}

static size_t pop(struct join *j)
{
    size_t top = j->heap[0];
    j->heap[0] = j->heap[--j->n_heap];
    if (j->n_heap) sift_down(j, 0);
    return top;
}

bool join_open(struct join *j, struct pages **inputs, size_t n)
{
    *j = (struct join){.inputs = inputs, .n = n};
    j->at = calloc(n, sizeof *j->at);
    j->heap = calloc(n, sizeof *j->heap);
    j->group = calloc(n, sizeof *j->group);
    if (!j->at || !j->heap || !j->group) {
        join_close(j);
        return false;
    }
    for (size_t i = 0; i < n; i++) push(j, i);
    return true;
}

static bool any_stopped(const struct join *j, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pages_unsorted(j->inputs[j->group[i]]) || pages_failed(j->inputs[j->group[i]]))
            return true;
    return false;
}

/* The inputs of the last group move on first. */
static bool advance(struct join *j)
{
    size_t count = j->n_group;
    for (size_t i = 0; i < count; i++) push(j, j->group[i]);
    return !any_stopped(j, count);
}

size_t join_next(struct join *j)
{
    bool good = advance(j);
    j->n_group = 0;
    if (!good || j->n_heap == 0) return 0;
    do j->group[j->n_group++] = pop(j);
    while (j->n_heap && adit_str_eq(j->at[j->heap[0]].url, j->at[j->group[0]].url));
    return j->n_group;
}

void join_close(struct join *j)
{
    free(j->at), free(j->heap), free(j->group);
    *j = (struct join){0};
}
