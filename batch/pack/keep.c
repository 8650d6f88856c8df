/* Old collections: which of them --keep removes, once a new publication stands. Only files are touched
 * whose names this program gives them: SECTION-snapshot-STAMP.scp and so on, of the run's sections. */
#include "batch/pack/manifest_impl.h"

#include <stdlib.h>
#include <string.h>

enum { STAMP = 16, OLD_MAX = 100000 }; /* 20260131T000000Z; files that are looked at in one run */

struct old_file {
    size_t section;
    bool delta;
    char stamp[STAMP + 1];
    char *name;
};

struct old_files {
    const struct pack_manifest *m;
    struct old_file *v;
    size_t n, cap;
};

static bool is_stamp(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (i == 8 ? s.p[i] != 'T' : i == STAMP - 1 ? s.p[i] != 'Z' : !adit_is_digit(s.p[i]))
            return false;
    return s.len == STAMP;
}

static bool is_ending(struct adit_str s)
{
    if (!adit_str_starts(s, ADIT_STR(".scp"))) return false;
    s = adit_str_sub(s, 4, s.len);
    for (size_t i = OUTPUT_NONE; i <= OUTPUT_ZSTD; i++)
        if (adit_str_eq(s, adit_str_z(output_coding_suffixes[i]))) return true;
    return false;
}

/* Whether name is a collection of the section; then its kind and stamp are filled in. */
static bool read_name(struct adit_str name, struct adit_str section, struct old_file *f)
{
    static const struct adit_str kinds[] = {ADIT_STR_INIT("-snapshot-"), ADIT_STR_INIT("-delta-")};
    if (!adit_str_starts(name, section)) return false;
    struct adit_str rest = adit_str_sub(name, section.len, name.len);
    for (size_t k = 0; k < ADIT_COUNT(kinds); k++) {
        struct adit_str stamp = adit_str_sub(rest, kinds[k].len, kinds[k].len + STAMP);
        if (!adit_str_starts(rest, kinds[k]) || !is_stamp(stamp) ||
            !is_ending(adit_str_sub(rest, kinds[k].len + STAMP, rest.len)))
            continue;
        f->delta = k == 1;
        memcpy(f->stamp, stamp.p, STAMP);
        return true;
    }
    return false;
}

static bool look_at(void *ctx, const char *name)
{
    struct old_files *all = ctx;
    for (size_t i = 0; i < all->m->o->n_sections; i++) {
        struct old_file f = {.section = i};
        if (!read_name(adit_str_z(name), all->m->o->sections[i].name, &f)) continue;
        if (all->n == OLD_MAX) return true;
        struct old_file *v = cli_grow(all->v, all->n, &all->cap, sizeof *v);
        if (!v) return false;
        all->v = v;
        f.name = strdup(name);
        if (!f.name) return false;
        all->v[all->n++] = f;
        return true;
    }
    return true;
}

/* By section, the newest first. */
static int by_stamp(const void *a, const void *b)
{
    const struct old_file *x = a, *y = b;
    if (x->section != y->section) return x->section < y->section ? -1 : 1;
    int c = strcmp(y->stamp, x->stamp);
    return c ? c : strcmp(x->name, y->name);
}

/* The stamp of the oldest snapshot of the section that stays; "" if all do. */
static const char *oldest_kept(const struct old_files *all, size_t section)
{
    const char *last = "";
    size_t kept = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct old_file *f = &all->v[i];
        if (f->section != section || f->delta || strcmp(f->stamp, last) == 0) continue;
        if (kept++ == all->m->o->keep) return last;
        last = f->stamp;
    }
    return "";
}

/* A delta that leads to the oldest snapshot that stays, or to an older one, helps nobody; unless the
 * manifest still names it. */
static bool is_to_go(const struct old_file *f, const char *oldest)
{
    int order = strcmp(f->stamp, oldest);
    return *oldest && (f->delta ? order <= 0 : order < 0);
}

void pack_keep(const struct pack_manifest *m, struct publish *to, struct pack_written *written)
{
    struct old_files all = {.m = m};
    bool ok = publish_list(to, look_at, &all);
    if (ok && all.n) qsort(all.v, all.n, sizeof *all.v, by_stamp);
    const char *oldest = "";
    for (size_t i = 0; ok && i < all.n; i++) {
        bool first = i == 0 || all.v[i].section != all.v[i - 1].section;
        if (first && m->o->keep) oldest = oldest_kept(&all, all.v[i].section);
        if (pack_manifest_names(m, adit_str_z(all.v[i].name))) continue;
        if (!is_to_go(&all.v[i], oldest))
            written->older++;
        else if (publish_remove(to, all.v[i].name) == PUBLISH_REMOVED)
            written->removed++;
    }
    for (size_t i = 0; i < all.n; i++) free(all.v[i].name);
    free(all.v);
}
