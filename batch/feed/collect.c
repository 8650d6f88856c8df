/* Change lists, and what of them is new. */
#include "batch/feed/feed.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

enum { DAY = 86400 };

struct collecting {
    struct feed_run *f;
    struct feed_state *state;
    struct feed_record *record;
    struct feed_changes *changes;
    bool failed; /* no memory, or no space for the sort */
    enum feed_outcome outcome;
    /* The document under way: */
    struct feed_queue *queue;
    struct feed_item at;
    bool is_index, is_list;
    /* The capability list under way: */
    struct feed_collection *collection;
    uint64_t n_lists;
    /* What was read, for the next run's conditions: */
    struct feed_validator documents[FEED_VALIDATORS_MAX];
    struct feed_item items[FEED_VALIDATORS_MAX];
    size_t n_documents;
    bool no_validators; /* too many, or one without */
};

/* --- dates ------------------------------------------------------------------------------------ */

/* Dates may be whole days, months or years: the end of what a date covers. A change that is dated
 * 2024-05-01 may come to be listed any time that day. */
static struct adit_time period_end(struct adit_str text, struct adit_time t)
{
    int64_t year, days = t.s / DAY - (t.s % DAY < 0);
    unsigned month, day;
    adit_date_from_days(days, &year, &month, &day);
    size_t clock = adit_str_chr(text, 'T', 0);
    struct adit_str zone = adit_str_sub(text, clock + 6, text.len);
    bool minutes = clock < text.len && !adit_str_starts(zone, ADIT_STR(":"));
    if (text.len == 4)
        t.s = adit_days_from_date(year + 1, 1, 1) * DAY - 1;
    else if (text.len == 7)
        t.s = adit_days_from_date(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1) *
                  DAY -
              1;
    else if (text.len == 10)
        t.s += DAY - 1;
    else if (minutes)
        t.s += 59;
    return t;
}

/* --- change lists ----------------------------------------------------------------------------- */

static void take_change(struct collecting *c, const struct sitemap_entry *e)
{
    struct adit_time at, end;
    enum adit_rs_change change = adit_rs_change_of(e->md.change);
    if (!e->loc.len || change == ADIT_RS_CHANGES || !adit_date_w3c(e->md.datetime, &at)) {
        c->f->ignored++;
        return;
    }
    if (at.s > c->f->now.s + DAY) {
        c->f->future++;
        c->no_validators = true; /* the next run reads the list again */
        return;
    }
    end = period_end(e->md.datetime, at);
    if (c->record->has_mark && adit_time_before(end, c->record->mark)) return;
    if (!feed_changes_add(c->changes, &(struct feed_change){change, e->loc, e->title, at, end}))
        c->failed = true;
}

/* A list of an index; what it covers may have been read before. */
static bool take_list(struct collecting *c, const struct sitemap_entry *e)
{
    struct adit_time until;
    struct adit_str loc = feed_resolve(c->f, e->loc, c->at.url);
    if (!loc.len) {
        feed_fault(c->f, c->at.url, "an entry has no usable loc; it is skipped");
        return true;
    }
    struct feed_item item = {.url = loc, .depth = c->at.depth + 1};
    item.has_until = adit_date_w3c(e->md.until, &until);
    if (item.has_until) item.until = period_end(e->md.until, until);
    if (c->record->has_mark && item.has_until && adit_time_before(item.until, c->record->mark)) {
        c->f->lists_skipped++;
        return true;
    }
    if (item.depth < FEED_DEPTH_MAX) return feed_push(c->queue, item);
    feed_fault(c->f, loc, "an index in too many indexes; it is skipped");
    return true;
}

static bool on_root(void *ctx, bool is_index)
{
    ((struct collecting *)ctx)->is_index = is_index;
    return true;
}

static bool on_list_md(void *ctx, const struct adit_rs_md *md)
{
    struct collecting *c = ctx;
    c->is_list = adit_str_eq(md->capability, ADIT_STR("changelist"));
    return true;
}

static bool on_list_entry(void *ctx, const struct sitemap_entry *e)
{
    struct collecting *c = ctx;
    if (c->is_index) return take_list(c, e);
    if (e->md.present) take_change(c, e);
    return !c->failed;
}

static void worse(struct collecting *c, enum feed_outcome outcome)
{
    if (outcome > c->outcome) c->outcome = outcome;
}

/* --- documents that have not changed need not be read ----------------------------------------- */

static void note_document(struct collecting *c, struct feed_item item)
{
    const struct feed_validator *v = &c->f->last;
    if (!v->etag.len && !v->last_modified.len) c->no_validators = true;
    if (c->n_documents == FEED_VALIDATORS_MAX) c->no_validators = true;
    if (c->no_validators) return;
    c->documents[c->n_documents] = *v;
    c->items[c->n_documents++] = item;
}

/* Lists that end before the mark are not read again anyway. */
static bool keep_documents(struct collecting *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_documents; i++)
        if (!c->items[i].has_until || !adit_time_before(c->items[i].until, c->record->mark))
            c->documents[n++] = c->documents[i];
    bool complete = c->outcome == FEED_READ && !c->no_validators;
    return feed_record_documents(c->state, c->record, c->documents, complete ? n : 0);
}

/* The newest list is the likeliest to have changed: it is asked for first. */
static bool none_changed(struct feed_run *f, const struct feed_record *r)
{
    bool unchanged = f->fetch && r->n_documents;
    for (size_t i = r->n_documents; unchanged && i-- > 0;)
        unchanged = feed_unchanged(f, &r->documents[i]);
    return unchanged;
}

static void read_lists(struct collecting *c, struct feed_queue *queue)
{
    c->queue = queue;
    while (queue->next < queue->n && !c->failed) {
        struct sitemap_reading r = {
            .handler = {.ctx = c, .root = on_root, .md = on_list_md, .entry = on_list_entry}};
        c->at = queue->v[queue->next++];
        c->is_list = false;
        enum feed_outcome outcome = feed_document(c->f, c->at.url, &r);
        worse(c, outcome);
        if (!outcome) note_document(c, c->at);
        if (!outcome && !c->is_list && !c->is_index)
            feed_fault(c->f, c->at.url, "is no change list");
    }
}

/* --- a capability list ------------------------------------------------------------------------ */

static bool on_capability_md(void *ctx, const struct adit_rs_md *md)
{
    struct collecting *c = ctx;
    c->is_list = adit_str_eq(md->capability, ADIT_STR("capabilitylist"));
    return true;
}

static bool on_capability_link(void *ctx, const struct adit_rs_link *link)
{
    struct collecting *c = ctx;
    if (adit_str_eq(link->rel, ADIT_STR("describedby")) && !c->collection->describedby.len)
        c->collection->describedby = feed_resolve(c->f, link->href, c->at.url);
    return true;
}

static bool on_capability(void *ctx, const struct sitemap_entry *e)
{
    struct collecting *c = ctx;
    if (!adit_str_eq(e->md.capability, ADIT_STR("changelist"))) return true;
    struct adit_str loc = feed_resolve(c->f, e->loc, c->at.url);
    if (!loc.len) {
        feed_fault(c->f, c->at.url, "the change list has no usable loc");
        return true;
    }
    c->n_lists++;
    return feed_push(c->queue, (struct feed_item){.url = loc});
}

static void read_collection(struct collecting *c, struct feed_collection *collection)
{
    struct feed_queue queue = {.f = c->f};
    struct sitemap_reading r = {.handler = {.ctx = c,
                                            .root = on_root,
                                            .md = on_capability_md,
                                            .link = on_capability_link,
                                            .entry = on_capability}};
    c->queue = &queue, c->n_lists = 0, c->is_list = false, c->collection = collection;
    c->at = (struct feed_item){.url = collection->list};
    enum feed_outcome outcome = feed_document(c->f, collection->list, &r);
    worse(c, outcome);
    if (outcome) return;
    note_document(c, c->at);
    if (!c->is_list || c->is_index)
        feed_fault(c->f, collection->list, "is no capability list");
    else if (!c->n_lists)
        feed_fault(c->f, collection->list, "has no change list: no changes can be determined");
    else
        read_lists(c, &queue);
}

/* From what is new to entries. */
static bool tell(struct collecting *c, struct feed_news *news)
{
    struct feed_news_list list = {0};
    if (!feed_changes_finish(c->changes, &list)) return false;
    if (!feed_pages_look(c->f, c->state, c->record, &list)) return false;
    memcpy(news->counts, list.counts, sizeof news->counts);
    for (size_t i = 0; i < ADIT_RS_CHANGES; i++) news->added = news->added || list.counts[i];
    return !news->added || feed_entries_add(c->f, c->state, c->record, &list);
}

enum feed_outcome feed_collect(struct feed_run *f, struct feed_collection *v, size_t n,
                               struct feed_state *s, struct feed_record *r, struct feed_news *news)
{
    struct collecting *c = calloc(1, sizeof *c);
    *news = (struct feed_news){.unchanged = none_changed(f, r)};
    enum feed_outcome outcome = c ? FEED_READ : FEED_LATER;
    if (c && !news->unchanged) {
        c->f = f, c->state = s, c->record = r;
        c->changes = feed_changes_open(f, s, r);
        c->failed = !c->changes;
        for (size_t i = 0; i < n && !c->failed; i++) read_collection(c, &v[i]);
        /* Going on without a list that could not be had now would lose its changes for ever. */
        bool whole = !c->failed && c->outcome != FEED_LATER;
        if (whole && (!tell(c, news) || !keep_documents(c))) c->failed = true;
        if (c->failed) cli_say(NULL, "out of memory, or no space for sorting");
        outcome = c->failed ? FEED_LATER : c->outcome;
        feed_changes_free(c->changes);
    }
    free(c);
    return outcome;
}
