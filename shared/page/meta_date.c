/* When a page was published and last modified. */
#include "page/meta_parts.h"

#include "page/tape.h"
#include "text/text.h"

enum { NEAR_AFTER = 15, NEAR_BEFORE = 7, NEAR_TEXT = 120, DAY = 86400 };

/* Month first in American and unmarked English; elsewhere the day. */
static enum adit_date_order order_of(struct adit_str language)
{
    static const struct adit_str american[] = {ADIT_STR_INIT("und"), ADIT_STR_INIT("en"),
                                               ADIT_STR_INIT("en-US"), ADIT_STR_INIT("en-CA"),
                                               ADIT_STR_INIT("en-PH")};
    for (size_t i = 0; i < ADIT_COUNT(american); i++)
        if (adit_str_eq(language, american[i])) return ADIT_MONTH_FIRST;
    return ADIT_DAY_FIRST;
}

struct clock {
    enum adit_date_order order;
    bool known;            /* the instant of the capture is known */
    struct adit_time seen; /* nothing later can be true */
};

static bool read(const struct clock *clock, struct adit_str s, struct adit_date *d)
{
    if (s.len == 0 || !adit_date_parse(s, clock->order, d)) return false;
    /* A zone may be missing: a day's grace. */
    return !clock->known || d->time.s <= clock->seen.s + DAY;
}

static int64_t day_of(const struct adit_date *d)
{
    int64_t s = d->time.s + (int64_t)d->offset * 60;
    return (s >= 0 ? s : s - (DAY - 1)) / DAY;
}

/* A date written in a short leaf near the title: below it, then above. */
static bool near_title(const struct adit_tape *tape, size_t at, const struct clock *clock,
                       struct adit_date *d)
{
    if (!tape) return false;
    for (size_t k = 0; k < NEAR_AFTER + NEAR_BEFORE; k++) {
        if (k >= NEAR_AFTER && at < k - NEAR_AFTER + 1) break;
        size_t i = k < NEAR_AFTER ? at + k : at - (k - NEAR_AFTER + 1);
        if (i >= tape->n_leaves || adit_utf8_count(tape->leaves[i].text) > NEAR_TEXT) continue;
        if (read(clock, tape->leaves[i].text, d)) return true;
    }
    return false;
}

static bool candidate(const struct adit_meta_candidates *c, size_t source,
                      const struct clock *clock, struct adit_date *d)
{
    if (source == ADIT_DATE_URL) return adit_date_in_url(c->date[source], d);
    return read(clock, c->date[source], d);
}

static bool published(const struct adit_meta *m, const struct adit_tape *tape, size_t title,
                      const struct clock *clock, struct adit_date *d)
{
    const struct adit_meta_candidates *c = m->candidates;
    bool found = false;
    for (size_t i = 0; i < ADIT_DATE_CLASS; i++) {
        struct adit_date other;
        if (!candidate(c, i, clock, &other)) continue;
        if (!found)
            *d = other;
        else if (!d->has_clock && other.has_clock && day_of(&other) == day_of(d))
            *d = other; /* the same day, told more precisely */
        found = true;
    }
    if (found || near_title(tape, title, clock, d)) return true;
    if (candidate(c, ADIT_DATE_CLASS, clock, d)) return true;
    for (size_t i = 0; i < ADIT_MODIFIED_SOURCES; i++)
        if (read(clock, c->modified[i], d)) return true;
    return false;
}

static struct adit_str written(const struct adit_date *d, bool local, struct adit_arena *arena,
                               bool *ok)
{
    struct adit_buf buf;
    adit_buf_init(&buf, arena->mem, 64);
    if (local)
        adit_date_write_local(d, &buf);
    else
        adit_date_write(d, &buf);
    if (buf.err) *ok = false;
    struct adit_str s = adit_arena_dup(arena, adit_buf_str(&buf), ok);
    adit_buf_free(&buf);
    return s;
}

/* Compared as instants; whatever is later than the capture cannot be. */
static struct adit_str modified(const struct adit_meta *m, const struct adit_page_facts *facts,
                                const struct clock *clock, const struct adit_date *publication,
                                struct adit_arena *arena, bool *ok)
{
    const struct adit_meta_candidates *c = m->candidates;
    const struct adit_str sources[] = {c->modified[ADIT_MODIFIED_LD],
                                       c->modified[ADIT_MODIFIED_META], facts->last_modified};
    struct adit_date d;
    for (size_t i = 0; i < ADIT_COUNT(sources); i++)
        if (read(clock, sources[i], &d) && !(clock->known && d.time.s > clock->seen.s))
            return written(&d, false, arena, ok);
    if (publication && !(clock->known && publication->time.s > clock->seen.s))
        return written(publication, false, arena, ok);
    if (!clock->known) return (struct adit_str){0};
    d = (struct adit_date){.time = {.s = clock->seen.s}};
    return written(&d, false, arena, ok);
}

void adit_meta_dates(const struct adit_meta *m, const struct adit_page_facts *facts,
                     const struct adit_tape *tape, size_t title, struct adit_arena *arena,
                     struct adit_page *page, bool *ok)
{
    struct clock clock = {.order = order_of(page->language)};
    clock.known = adit_time_parse_date(facts->date, &clock.seen);
    struct adit_date d;
    bool found = published(m, tape, title, &clock, &d);
    if (found) page->published = written(&d, true, arena, ok);
    page->modified = modified(m, facts, &clock, found ? &d : NULL, arena, ok);
}
