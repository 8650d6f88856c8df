/* When a page was published and last modified. */
#include "meta/meta_impl.h"

#include "base/base.h"
#include "tape/tape.h"
#include "text/text.h"

enum {
    NEAR_AFTER = 15,
    NEAR_BEFORE = 7,
    NEAR_TEXT = 120,
    DATE_LETTERS_MAX = 40,
    LINES_MAX = 3000, /* short lines that are read as dates: a bound on the work */
    DAY = 86400
};

/* Month first in American and unmarked English; elsewhere the day. */
static enum adit_date_order order_of(struct adit_str language)
{
    static const struct adit_str american[] = {ADIT_STR_INIT(""), ADIT_STR_INIT("en"),
                                               ADIT_STR_INIT("en-US"), ADIT_STR_INIT("en-CA"),
                                               ADIT_STR_INIT("en-PH")};
    for (size_t i = 0; i < ADIT_COUNT(american); i++)
        if (adit_str_eq(language, american[i])) return ADIT_MONTH_FIRST;
    return ADIT_DAY_FIRST;
}

/* No page was published this long after the rules were written. The date of publication is part of
 * what is fingerprinted: it may not depend on when or by whom the page was fetched, so that the
 * capture's date cannot be the bound. */
enum { YEARS_AHEAD = 10 };
/* What looks like a year before 1500 is one of another calendar. */
static const int64_t too_early = -14831769600;

static bool read_date(enum adit_date_order order, struct adit_str s, struct adit_date *d)
{
    return s.len && adit_date_parse(s, order, d) && d->time.s >= too_early &&
           d->time.s < ADIT_RULES_UNIX + (int64_t)YEARS_AHEAD * 365 * DAY;
}

static int64_t day_of(const struct adit_date *d)
{
    int64_t s = d->time.s + (int64_t)d->offset * 60;
    return (s >= 0 ? s : s - (DAY - 1)) / DAY;
}

/* A date written in a short leaf near the title: below it, then above. */
static bool near_title(const struct adit_tape *tape, size_t at, enum adit_date_order order,
                       struct adit_date *d)
{
    if (!tape) return false;
    for (size_t k = 0; k < NEAR_AFTER + NEAR_BEFORE; k++) {
        if (k >= NEAR_AFTER && at < k - NEAR_AFTER + 1) break;
        size_t i = k < NEAR_AFTER ? at + k : at - (k - NEAR_AFTER + 1);
        if (i >= tape->n_leaves || adit_utf8_count(tape->leaves[i].text) > NEAR_TEXT) continue;
        if (!read_date(order, tape->leaves[i].text, d)) continue;
        if (adit_meta_distance(tape, tape->leaves[i].item0, at) != ADIT_NOWHERE) return true;
    }
    return false;
}

/* A line of hardly more than a date, below the title and no farther than behind the text. */
static bool below_title(const struct adit_tape *tape, size_t at, enum adit_date_order order,
                        struct adit_date *d)
{
    size_t end = tape ? tape->n_leaves : 0;
    while (end > 0 && !tape->leaves[end - 1].keep) end--;
    for (size_t i = at, behind = 0, tried = 0;
         tape && i < tape->n_leaves && behind < NEAR_AFTER && tried < LINES_MAX; i++) {
        behind += i >= end;
        if (tape->leaves[i].len > DATE_LETTERS_MAX) continue;
        tried++;
        if (!read_date(order, tape->leaves[i].text, d)) continue;
        if (adit_meta_distance(tape, tape->leaves[i].item0, at) < ADIT_ASIDE) return true;
    }
    return false;
}

/* Where to look, most trusted first. */
enum how { URL, HEAD, BODY, NEAR, BELOW };
static const struct place {
    uint8_t source, how;
    bool last; /* asked only if all before said nothing */
} places[] = {
    {ADIT_DATE_URL, URL, false},       {ADIT_DATE_OG, HEAD, false},
    {ADIT_DATE_LD, HEAD, false},       {ADIT_DATE_META, HEAD, false},
    {ADIT_DATE_TIME_PUB, BODY, false}, {ADIT_DATE_TIME, BODY, false},
    {ADIT_DATE_ITEMPROP, BODY, false}, {0, NEAR, true},
    {ADIT_DATE_CLASS, BODY, true},     {0, BELOW, true},
};

/* The first date of a source of the body, unless it is a comment's. Dates stand above a title as
 * often as below it, so nearness tells nothing. */
static bool in_body(const struct adit_dates *dates, size_t source, const struct adit_tape *tape,
                    size_t title, enum adit_date_order order, struct adit_date *d)
{
    for (size_t i = 0; i < dates->n; i++) {
        if (dates->v[i].source != source) continue;
        uint32_t far = tape ? adit_meta_distance(tape, dates->v[i].item, title) : 0;
        if (far != ADIT_NOWHERE && read_date(order, dates->v[i].text, d)) return true;
    }
    return false;
}

/* The day in an address may be that of an issue, or of an event: what the head and the line near the
 * title agree on is the page's. */
static bool is_outvoted(const struct adit_date *url, const struct adit_date *head,
                        const struct adit_tape *tape, size_t title, enum adit_date_order order)
{
    struct adit_date near;
    return day_of(head) != day_of(url) && near_title(tape, title, order, &near) &&
           day_of(&near) == day_of(head);
}

/* Whether other, of a less trusted source, tells more than d: the time of the same day, or the page's
 * own time zone where d is in UTC. */
static bool tells_more(const struct adit_date *other, const struct adit_date *d)
{
    if (!other->has_clock) return false;
    if (!d->has_clock) return day_of(other) == day_of(d);
    return !d->offset && other->offset && other->time.s / 60 == d->time.s / 60;
}

/* Minutes since 1970 on the clock of a date's own zone. */
static int64_t minutes_of(const struct adit_date *d)
{
    int64_t s = d->time.s + (int64_t)d->offset * 60;
    return (s >= 0 ? s : s - 59) / 60;
}

/* The zone, in minutes, in which the clock that a page shows stands at the instant d, which is in UTC;
 * 0: there is none. */
static int zone_of(const struct adit_date *shown, const struct adit_date *d)
{
    enum { QUARTER = 15, WEST = -12 * 60, EAST = 14 * 60, APART = 1 };
    int64_t ahead = minutes_of(shown) - minutes_of(d);
    if (!shown->has_clock || ahead < WEST - APART || ahead > EAST + APART) return 0;
    int64_t quarters = (ahead - WEST + QUARTER / 2) / QUARTER, zone = WEST + quarters * QUARTER;
    return ahead - zone <= APART && zone - ahead <= APART ? (int)zone : 0;
}

/* The head often states in UTC what the page shows in its own zone: the day is that of the page. */
static void use_own_zone(const struct adit_meta *m, const struct adit_tape *tape, size_t title,
                         enum adit_date_order order, struct adit_date *d)
{
    const struct adit_dates *dates = &m->candidates->dates;
    struct adit_date shown;
    if (!d->has_clock || d->offset) return;
    for (size_t i = 0; i < dates->n && !d->offset; i++)
        if (read_date(order, dates->v[i].text, &shown) && tells_more(&shown, d))
            d->offset = shown.offset;
    if (!d->offset && near_title(tape, title, order, &shown))
        d->offset = (int16_t)zone_of(&shown, d);
}

static bool find_published(const struct adit_meta *m, const struct adit_tape *tape, size_t title,
                           enum adit_date_order order, struct adit_date *d)
{
    const struct adit_meta_candidates *c = m->candidates;
    bool found = false, by_url = false;
    for (const struct place *p = places; p < places + ADIT_COUNT(places); p++) {
        struct adit_date other;
        if (p->last && found) break;
        bool here = p->how == URL     ? adit_date_in_url(c->date[p->source], &other)
                    : p->how == HEAD  ? read_date(order, c->date[p->source], &other)
                    : p->how == NEAR  ? near_title(tape, title, order, &other)
                    : p->how == BELOW ? below_title(tape, title, order, &other)
                                      : in_body(&c->dates, p->source, tape, title, order, &other);
        if (!here) continue;
        bool wins = !found || tells_more(&other, d);
        if (!wins && by_url && p->how == HEAD) wins = is_outvoted(d, &other, tape, title, order);
        if (wins) *d = other, by_url = p->how == URL;
        found = true;
    }
    return found;
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
static struct adit_str modified(const struct adit_meta *m, const struct adit_page_source *source,
                                enum adit_date_order order, const struct adit_date *publication,
                                struct adit_arena *arena, bool *ok)
{
    const struct adit_meta_candidates *c = m->candidates;
    const struct adit_str sources[] = {c->modified[ADIT_MODIFIED_LD],
                                       c->modified[ADIT_MODIFIED_META], source->last_modified};
    struct adit_time seen;
    struct adit_date d;
    bool known = adit_time_parse_date(source->date, &seen);
    for (size_t i = 0; i < ADIT_COUNT(sources); i++)
        if (read_date(order, sources[i], &d) && !(known && d.time.s > seen.s))
            return written(&d, false, arena, ok);
    if (publication && !(known && publication->time.s > seen.s))
        return written(publication, false, arena, ok);
    if (!known) return (struct adit_str){0};
    d = (struct adit_date){.time = {.s = seen.s}};
    return written(&d, false, arena, ok);
}

void adit_meta_dates(const struct adit_meta *m, const struct adit_page_source *source,
                     const struct adit_tape *tape, size_t title, struct adit_arena *arena,
                     struct adit_page *page, bool *ok)
{
    enum adit_date_order order = order_of(page->html_language);
    struct adit_date d;
    bool found = find_published(m, tape, title, order, &d);
    if (found) use_own_zone(m, tape, title, order, &d);
    if (found) page->published = written(&d, true, arena, ok);
    page->modified = modified(m, source, order, found ? &d : NULL, arena, ok);
}
