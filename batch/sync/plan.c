/* From what is listed and what is held to what has to be asked for; and working through it. */
#include "batch/sync/sync.h"
#include "batch/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SORT_MEMORY = 64 << 20, STATE_LINE_MAX = 1 << 20 };

static FILE *open_unnamed(const char *dir)
{
    int fd = output_unnamed(dir);
    FILE *f = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!f) cli_say(dir, "%s", strerror(errno));
    return f;
}

bool sync_list_open(struct sync_list *l, struct sync *s, bool tct)
{
    *l = (struct sync_list){.s = s, .tct = tct, .complete = true};
    l->items = sorter_new(s->dir, SORT_MEMORY, adit_str_cmp);
    l->tasks = open_unnamed(s->dir);
    if (l->items && l->tasks) return true;
    s->out_failed = true;
    return false;
}

/* Parts separated by tabs, which no URL in its normal form, no time and no hash contains: the
 * order of whole records is that of URLs. */
bool sync_list_add(struct sync_list *l, struct adit_str url, struct adit_str m_url,
                   struct adit_str modified, struct adit_str hash)
{
    const struct adit_str tab = ADIT_STR("\t");
    struct adit_str parts[] = {url, tab, m_url, tab, modified, tab, hash};
    l->n++;
    return sorter_add(l->items, parts, ADIT_COUNT(parts));
}

static bool read_item(struct sync_list *l, struct sync_task *t)
{
    struct adit_str rest;
    if (!sorter_next(l->items, &rest)) return false;
    *t = (struct sync_task){0};
    return adit_str_split(&rest, '\t', &t->url) && adit_str_split(&rest, '\t', &t->m_url) &&
           adit_str_split(&rest, '\t', &t->modified) && (t->hash = rest, true);
}

/* A tag without quotes and W/, and without what web servers hang on when they compress. */
struct adit_str sync_clean_etag(struct adit_str etag)
{
    if (adit_str_starts(etag, ADIT_STR("W/"))) etag = adit_str_sub(etag, 2, etag.len);
    if (etag.len >= 2 && etag.p[0] == '"') etag = adit_str_sub(etag, 1, etag.len - 1);
    static const char *const codings[] = {"-gzip", "-br", "-zstd"};
    for (size_t i = 0; i < ADIT_COUNT(codings); i++)
        if (adit_str_ends(etag, adit_str_z(codings[i])))
            return adit_str_sub(etag, 0, etag.len - strlen(codings[i]));
    return etag;
}

static bool is_not_later(struct adit_str listed, struct adit_str held)
{
    struct adit_time a, b;
    return adit_time_parse(listed, &a) && adit_time_parse(held, &b) && adit_time_cmp(a, b) <= 0;
}

/* Whether what is held is what is listed (TCT, Zero-Fetch Skip Logic). A page that came another way
 * has no fingerprint: then the time must do. */
static bool is_current(const struct sync_list *l, const struct sync_task *t,
                       const struct copy_page *held)
{
    const char *own = l->tct ? "tct" : "html";
    struct adit_str listed = l->tct ? t->hash : t->modified;
    if (!adit_str_eq(held->via, adit_str_z(own)))
        return adit_str_eq(held->status, ADIT_STR("held")) &&
               is_not_later(t->modified, held->modified);
    if (l->tct && adit_str_eq(held->status, ADIT_STR("held")))
        return held->etag.len && adit_str_eq(sync_clean_etag(held->etag), listed);
    return listed.len && adit_str_eq(held->listed, listed);
}

static bool write_task(struct sync_list *l, const struct sync_task *t, const struct copy_page *held)
{
    const struct copy_page none = {0};
    if (!held) held = &none;
    /* Validators only of bodies that are held. */
    bool own = adit_str_eq(held->via, l->tct ? ADIT_STR("tct") : ADIT_STR("html"));
    const struct adit_str parts[] = {
        t->url,
        t->m_url,
        t->modified,
        t->hash,
        held->via,
        held->status,
        own && adit_str_eq(held->status, ADIT_STR("held")) ? held->etag : none.etag,
        own && adit_str_eq(held->status, ADIT_STR("held")) ? held->last_modified : none.etag,
        held->modified,
    };
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        fwrite(parts[i].p, 1, parts[i].len, l->tasks);
        fputc(i + 1 < ADIT_COUNT(parts) ? '\t' : '\n', l->tasks);
    }
    l->n_tasks++;
    return !ferror(l->tasks);
}

/* A held page that the list lacks: gone, if it came by such a list and all of the list is known. */
static bool omit(struct sync_list *l, const struct copy_page *held)
{
    bool own = adit_str_eq(held->via, l->tct ? ADIT_STR("tct") : ADIT_STR("html"));
    if (!own || !l->complete || !l->n) return true;
    return sync_change(l->s, SYNC_DROP, false, held, (struct adit_str){0});
}

struct states {
    struct input *in;
    struct adit_arena arena;
    struct copy_page page;
    bool has;
};

static void next_state(struct states *st)
{
    struct adit_str line;
    st->has = false;
    while (st->in && !st->has && input_line(st->in, STATE_LINE_MAX, &line)) {
        adit_arena_reset(&st->arena);
        st->has = copy_page_read(&st->page, line, &st->arena);
    }
}

static bool plan_item(struct sync_list *l, const struct sync_task *t, struct states *st)
{
    while (st->has && adit_str_cmp(st->page.url, t->url) < 0) {
        if (!omit(l, &st->page)) return false;
        next_state(st);
    }
    bool held = st->has && adit_str_eq(st->page.url, t->url);
    if (held && is_current(l, t, &st->page))
        l->n_zero++;
    else if (!write_task(l, t, held ? &st->page : NULL))
        return false;
    if (held) next_state(st);
    return true;
}

static bool plan_all(struct sync_list *l, struct states *st)
{
    struct adit_buf last;
    struct sync_task t;
    bool good = true;
    adit_buf_init(&last, cli_mem, ADIT_LIMIT_url_bytes);
    next_state(st);
    while (good && read_item(l, &t)) {
        if (adit_str_eq(t.url, adit_buf_str(&last))) {
            sync_violation(l->s, SYNC_TWICE, t.url, (struct adit_str){0});
            continue;
        }
        adit_buf_clear(&last);
        adit_buf_add(&last, t.url);
        l->s->report.listed++;
        good = plan_item(l, &t, st);
    }
    for (; good && st->has; next_state(st)) good = omit(l, &st->page);
    adit_buf_free(&last);
    return good && !sorter_failed(l->items);
}

bool sync_list_plan(struct sync_list *l)
{
    struct states st = {0};
    l->s->report.listed = 0;
    if (!sorter_start(l->items)) return false;
    if (sync_store_has(l->s, copy_pages_name))
        st.in = input_open(sync_path(l->s, copy_pages_name), NULL);
    adit_arena_init(&st.arena, cli_mem, STATE_LINE_MAX);
    bool good = plan_all(l, &st);
    input_close(st.in);
    adit_arena_free(&st.arena);
    rewind(l->tasks);
    if (!good) l->s->out_failed = true;
    return good;
}

static bool split_task(struct adit_str rest, struct sync_task *t)
{
    struct adit_str *const out[] = {&t->url,  &t->m_url,         &t->modified,
                                    &t->hash, &t->via,           &t->status,
                                    &t->etag, &t->last_modified, &t->held_modified};
    for (size_t i = 0; i < ADIT_COUNT(out); i++) {
        *out[i] = (struct adit_str){0};
        if (!adit_str_split(&rest, '\t', out[i]) && i + 1 < ADIT_COUNT(out)) return false;
    }
    return true;
}

bool sync_list_next(struct sync_list *l, struct sync_task *t)
{
    ssize_t n = getline(&l->line, &l->line_cap, l->tasks);
    return n > 0 && split_task(adit_str_of(l->line, (size_t)n - 1), t);
}

void sync_list_close(struct sync_list *l)
{
    sorter_free(l->items);
    if (l->tasks) fclose(l->tasks);
    free(l->line);
    *l = (struct sync_list){0};
}

/* --- working through it ----------------------------------------------------------------------- */

static void feed(struct sync *s, struct sync_list *l, const struct sync_worker *w);

static void job_done(void *user, const struct fetch_reply *r)
{
    struct sync_job *job = user;
    struct sync *s = job->s;
    struct sync_list *l = job->list;
    const struct sync_worker *w = job->worker;
    bool out_of_time = r->error == FETCH_BUDGET || r->error == FETCH_STOPPED;
    /* What there was no time for is not lost: the next run asks. */
    if (!out_of_time && !w->done(job, r)) return;
    if (out_of_time || r->error == FETCH_BUSY) l->stopped = true;
    s->under_way--;
    l->n_done += !out_of_time;
    sync_progress(s, l->n_done, l->n_tasks);
    free(job->line);
    free(job);
    feed(s, l, w);
}

bool sync_job_again(struct sync_job *job, const struct fetch_request *q)
{
    job->stage++;
    return fetch_start(job->s->fetch, q, NULL, job_done, job);
}

/* Begins the next task that needs a request. */
static void feed(struct sync *s, struct sync_list *l, const struct sync_worker *w)
{
    struct sync_task t;
    while (!s->out_failed && !s->full && !l->stopped && sync_list_next(l, &t)) {
        if (l->every && l->n_read++ % l->every) continue;
        struct fetch_request q = {0};
        struct sync_job *job = calloc(1, sizeof *job);
        if (job) *job = (struct sync_job){.s = s, .worker = w, .list = l, .line = strdup(l->line)};
        bool started = job && job->line &&
                       split_task(adit_str_of(job->line, strlen(job->line) - 1), &job->task) &&
                       w->start(job, &q) && fetch_start(s->fetch, &q, NULL, job_done, job);
        if (started) {
            s->under_way++;
            if (s->o.check && ++l->n_started >= s->o.sample) l->stopped = true;
            return;
        }
        l->n_done += !l->stopped;
        if (job) free(job->line);
        free(job);
    }
}

void sync_work(struct sync *s, struct sync_list *l, const struct sync_worker *w)
{
    enum { UNDER_WAY = 32 };
    for (int i = 0; i < UNDER_WAY; i++) feed(s, l, w);
    fetch_run(s->fetch);
    if (!s->o.check) s->report.left += l->n_tasks - l->n_done;
}
