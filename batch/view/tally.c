/* How often each of some names was met, which pages stand out, and what happened when: small tables of
 * fixed size, whatever the site. */
#include "batch/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(struct adit_str s) { return strndup(s.p ? s.p : "", s.len); }

void view_tally_add(struct view_tally *t, struct adit_str name, uint64_t n, uint64_t bytes)
{
    size_t i = 0;
    while (i < t->n && !adit_str_eq(adit_str_z(t->v[i].name), name)) i++;
    if (i == t->n && (i == VIEW_TALLY_MAX || !(t->v[i].name = copy(name)))) {
        t->other += n;
        return;
    }
    t->n += i == t->n;
    t->v[i].n += n, t->v[i].bytes += bytes;
}

static int by_count(const void *a, const void *b)
{
    const struct view_count *x = a, *y = b;
    if (x->n != y->n) return x->n < y->n ? 1 : -1;
    return strcmp(x->name, y->name);
}

void view_tally_sort(struct view_tally *t) { qsort(t->v, t->n, sizeof *t->v, by_count); }

void view_tally_free(struct view_tally *t)
{
    for (size_t i = 0; i < t->n; i++) free(t->v[i].name);
}

void view_top_add(struct view_top top[VIEW_TOP], struct adit_str url, struct adit_str title,
                  uint64_t n)
{
    size_t i = VIEW_TOP;
    while (i && (!top[i - 1].url || top[i - 1].n < n)) i--;
    if (i == VIEW_TOP) return;
    struct view_top row = {copy(url), copy(title), n};
    if (!row.url || !row.title) {
        free(row.url), free(row.title);
        return;
    }
    free(top[VIEW_TOP - 1].url), free(top[VIEW_TOP - 1].title);
    memmove(top + i + 1, top + i, (VIEW_TOP - 1 - i) * sizeof *top);
    top[i] = row;
}

void view_moment_add(struct view_moments *m, struct adit_str at, uint64_t pages)
{
    char text[sizeof m->v[0].at];
    snprintf(text, sizeof text, "%.*s", (int)at.len, at.len ? at.p : "");
    size_t i = m->n;
    while (i && strcmp(m->v[i - 1].at, text) > 0) i--;
    if (m->n == VIEW_MOMENTS) { /* the oldest goes */
        if (!i) return;
        memmove(m->v, m->v + 1, --i * sizeof *m->v);
        m->n--;
    } else {
        memmove(m->v + i + 1, m->v + i, (m->n - i) * sizeof *m->v);
    }
    memcpy(m->v[i].at, text, sizeof text);
    m->v[i].pages = pages;
    m->n++;
}
