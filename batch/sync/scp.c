/* Following a site by its collections: which snapshot and deltas bring what is held up to date for
 * the fewest bytes (SCP, Snapshots and Deltas; Recovery from Missed Deltas). */
#include "batch/sync/sync.h"

/* --- choosing --------------------------------------------------------------------------------- */

static bool is_of(const struct sync_scp_file *f, struct adit_str section)
{
    return adit_str_eq(f->section, section);
}

static const struct sync_scp_file *newest_snapshot(const struct sync_scp *scp,
                                                   struct adit_str section)
{
    const struct sync_scp_file *best = NULL;
    for (size_t i = 0; i < scp->n; i++) {
        const struct sync_scp_file *f = &scp->files[i];
        if (!f->delta && is_of(f, section) &&
            (!best || adit_time_cmp(f->generated, best->generated) > 0))
            best = f;
    }
    return best;
}

/* The next delta after `from`: of those that begin at it or before, the one that reaches furthest;
 * of several, the smallest. */
static const struct sync_scp_file *next_delta(const struct sync_scp *scp, struct adit_str section,
                                              struct adit_time from)
{
    const struct sync_scp_file *best = NULL;
    for (size_t i = 0; i < scp->n; i++) {
        const struct sync_scp_file *f = &scp->files[i];
        if (!f->delta || !is_of(f, section) || adit_time_cmp(f->since, from) > 0 ||
            adit_time_cmp(f->generated, from) <= 0)
            continue;
        int further = best ? adit_time_cmp(f->generated, best->generated) : 1;
        if (further > 0 || (further == 0 && f->size < best->size)) best = f;
    }
    return best;
}

/* A way: perhaps a snapshot, then deltas. */
struct way {
    const struct sync_scp_file *snapshot;
    struct adit_time from, to;
    uint64_t cost;
    bool possible;
};

static struct way way_from(const struct sync_scp *scp, struct adit_str section,
                           const struct sync_scp_file *snapshot, struct adit_time from)
{
    struct way w = {.snapshot = snapshot, .from = from, .to = from, .possible = true};
    const struct sync_scp_file *f;
    if (snapshot) w.cost = snapshot->size;
    while ((f = next_delta(scp, section, w.to))) w.to = f->generated, w.cost += f->size;
    return w;
}

static bool add_file(struct sync_scp_plan *plan, const struct sync_scp_file *f)
{
    if (plan->n == SYNC_COLLECTIONS_MAX) return false;
    plan->files[plan->n++] = f;
    return true;
}

static void add_way(struct sync_scp_plan *plan, const struct sync_scp *scp, struct adit_str section,
                    const struct way *w)
{
    const struct sync_scp_file *f;
    struct adit_time at = w->from;
    if (w->snapshot) add_file(plan, w->snapshot);
    while ((f = next_delta(scp, section, at)) && add_file(plan, f)) at = f->generated;
    plan->cost += w->cost;
}

/* Deltas cannot tell of deletions, so that a snapshot is due from time to time. */
static bool snapshot_due(const struct sync *s, const struct sync_section *held,
                         const struct way *fresh)
{
    struct adit_time at;
    return fresh->possible && s->now >= held->snapshot + s->o.snapshot_every_s &&
           adit_time_parse(held->generated, &at) && adit_time_cmp(fresh->to, at) >= 0;
}

static void choose_section(struct sync *s, const struct sync_scp *scp, struct adit_str section,
                           bool snapshots, struct sync_scp_plan *plan)
{
    const struct sync_scp_file *snapshot = newest_snapshot(scp, section);
    const struct sync_section *held = sync_state_section(&s->state, section, false, &s->arena);
    struct way fresh = {0}, further = {0};
    struct adit_time at;
    if (snapshot) fresh = way_from(scp, section, snapshot, snapshot->generated);
    if (held && adit_time_parse(held->generated, &at)) further = way_from(scp, section, NULL, at);
    if (!fresh.possible && !further.possible) return;
    plan->available = true;
    if (!further.possible || snapshots || snapshot_due(s, held, &fresh)) {
        if (fresh.possible) add_way(plan, scp, section, &fresh);
        return;
    }
    int newer = fresh.possible ? adit_time_cmp(fresh.to, further.to) : -1;
    if (newer < 0 && fresh.possible && adit_time_cmp(further.from, further.to) == 0) {
        /* All that the site has now is older than what it had before. */
        sync_violation(s, SYNC_REPLAY, snapshot->url, held->generated);
    } else if (newer > 0) {
        sync_violation(s, SYNC_GAP, snapshot->url, held->generated);
        add_way(plan, scp, section, &fresh);
    } else {
        bool cheaper = newer == 0 && fresh.cost < further.cost;
        add_way(plan, scp, section, cheaper ? &fresh : &further);
    }
}

/* A section of all pages makes the others superfluous. */
static bool has_section(const struct sync_scp *scp, struct adit_str section, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (is_of(&scp->files[i], section)) return true;
    return false;
}

bool sync_scp_choose(struct sync *s, const struct sync_scp *scp, bool snapshots,
                     struct sync_scp_plan *plan)
{
    const struct adit_str all = ADIT_STR("all");
    *plan = (struct sync_scp_plan){0};
    plan->files = adit_arena_zalloc(&s->arena, SYNC_COLLECTIONS_MAX, sizeof(void *));
    if (!plan->files) return false;
    if (has_section(scp, all, scp->n)) {
        choose_section(s, scp, all, snapshots, plan);
        return true;
    }
    for (size_t i = 0; i < scp->n; i++)
        if (!has_section(scp, scp->files[i].section, i))
            choose_section(s, scp, scp->files[i].section, snapshots, plan);
    return true;
}

/* --- doing ------------------------------------------------------------------------------------ */

/* What the collections brought, once all of a section is there. */
struct done {
    struct sync_snapshot snapshots[SYNC_SECTIONS_MAX];
    size_t n;
    const struct sync_scp_file **used; /* those whose download is not needed any more */
    size_t n_used;
};

/* A snapshot may be older than the deltas that were applied: what is held is then still newer. */
static void advance(struct sync *s, struct sync_section *c, struct adit_time generated)
{
    struct adit_time at;
    struct adit_buf b;
    if (adit_time_parse(c->generated, &at) && adit_time_cmp(at, generated) >= 0) return;
    adit_buf_init(&b, cli_mem, 64);
    adit_time_write(&b, generated);
    c->generated = adit_arena_dup(&s->arena, adit_buf_str(&b), NULL);
    adit_buf_free(&b);
}

static bool take_file(struct sync *s, const struct sync_scp_file *f, struct done *d)
{
    const char *path = sync_scp_fetch(s, f);
    if (!path) return false;
    if (*path && (!sync_scp_check(s, f, path) || !sync_scp_apply(s, f, path))) return false;
    struct sync_section *c = sync_state_section(&s->state, f->section, true, &s->arena);
    if (!c) return false;
    advance(s, c, f->generated);
    if (d->n_used < SYNC_COLLECTIONS_MAX) d->used[d->n_used++] = f;
    if (f->delta) return true;
    c->snapshot = s->now;
    if (*path && d->n < SYNC_SECTIONS_MAX)
        d->snapshots[d->n++] =
            (struct sync_snapshot){.section = f->section, .generated = f->generated};
    return true;
}

/* A section whose deltas fail is tried once more by its snapshot. */
static bool retry_with_snapshot(struct sync *s, const struct sync_scp *scp, struct adit_str section,
                                struct done *d)
{
    struct sync_scp_plan plan;
    if (!sync_scp_choose(s, scp, true, &plan)) return false;
    bool any = false;
    for (size_t i = 0; i < plan.n; i++) {
        if (!is_of(plan.files[i], section)) continue;
        if (!any && plan.files[i]->delta) return false;
        /* The snapshot is what counts; a delta behind it that fails can wait. */
        if (!take_file(s, plan.files[i], d)) return any;
        any = true;
    }
    return any;
}

bool sync_scp_run(struct sync *s, const struct sync_scp *scp, const struct sync_scp_plan *plan)
{
    struct done d = {.used = adit_arena_zalloc(&s->arena, SYNC_COLLECTIONS_MAX, sizeof(void *))};
    bool good = true;
    if (!d.used) return false;
    for (size_t i = 0; i < plan->n && !s->out_failed;) {
        struct adit_str section = plan->files[i]->section;
        bool fine = true, began_with_delta = plan->files[i]->delta;
        for (; i < plan->n && is_of(plan->files[i], section); i++)
            fine = fine && take_file(s, plan->files[i], &d);
        if (!fine && began_with_delta) fine = retry_with_snapshot(s, scp, section, &d);
        good = good && fine;
    }
    bool merged = s->n_changes == 0 || sync_merge(s, d.snapshots, d.n);
    /* What was begun is kept for the next run. */
    for (size_t i = 0; merged && i < d.n_used; i++) sync_scp_forget(s, d.used[i]->url);
    return good && merged;
}
