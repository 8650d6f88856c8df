/* Which lines of a page's text are shown in a diff: those with a change, below the nearest heading,
 * without what is far from the change. */
#include "batch/view/view_impl.h"

enum { LINES_MAX = 400, NEAR = 90 };

struct maker {
    struct view_lines *out;
    struct adit_arena *arena;
    struct view_part *parts; /* of the line under way */
    size_t n, cap;
    struct adit_str heading;
    bool changed;
};

/* The end of a text, from a word on. */
static struct adit_str end_of(struct adit_str s)
{
    size_t at = s.len - NEAR;
    while (at < s.len && s.p[at] != ' ' && s.len - at > NEAR / 2) at++;
    while (at < s.len && ((unsigned char)s.p[at] & 0xC0) == 0x80) at++;
    return adit_str_sub(s, at, s.len);
}

static struct adit_str begin_of(struct adit_str s)
{
    struct adit_str cut = adit_utf8_cut(s, NEAR);
    size_t end = cut.len;
    while (end > NEAR / 2 && cut.p[end - 1] != ' ') end--;
    return end > NEAR / 2 ? adit_str_sub(cut, 0, end) : cut;
}

/* A part that says the same as before: what is far from a change is left out. */
static size_t put_equal(struct view_part *to, struct adit_str s, bool first, bool last)
{
    size_t n = 0;
    struct view_part gap = {.kind = VIEW_GAP};
    if (s.len <= NEAR || (!first && !last && s.len <= 2 * NEAR + NEAR / 2)) {
        to[n++] = (struct view_part){VIEW_EQUAL, s};
        return n;
    }
    if (!first) to[n++] = (struct view_part){VIEW_EQUAL, begin_of(s)};
    to[n++] = gap;
    if (!last) to[n++] = (struct view_part){VIEW_EQUAL, end_of(s)};
    return n;
}

static bool end_line(struct maker *m)
{
    size_t n = m->n;
    bool changed = m->changed;
    struct adit_str first = n ? m->parts[0].text : (struct adit_str){0};
    m->n = 0, m->changed = false;
    if (!changed) {
        size_t signs = 0;
        while (signs < first.len && first.p[signs] == '#') signs++;
        if (signs && signs < first.len && first.p[signs] == ' ')
            m->heading = adit_str_sub(first, signs + 1, first.len);
        return true;
    }
    if (m->out->n == LINES_MAX) {
        m->out->more++;
        return true;
    }
    struct view_line *line = &m->out->v[m->out->n++];
    *line = (struct view_line){.heading = m->heading};
    line->parts = adit_arena_alloc(m->arena, 3 * n * sizeof *line->parts);
    if (!line->parts) return false;
    for (size_t i = 0; i < n; i++)
        if (m->parts[i].kind != VIEW_EQUAL)
            line->parts[line->n++] = m->parts[i];
        else
            line->n += put_equal(line->parts + line->n, m->parts[i].text, i == 0, i + 1 == n);
    return true;
}

static bool add_part(struct maker *m, enum view_part_kind kind, struct adit_str text)
{
    if (!text.len) return true;
    struct view_part *parts = adit_arena_grow(m->arena, m->parts, m->n, &m->cap, sizeof *parts);
    if (!parts) return false;
    m->parts = parts;
    m->parts[m->n++] = (struct view_part){kind, text};
    m->changed |= kind != VIEW_EQUAL;
    return true;
}

bool view_lines_make(const struct adit_diff *d, struct adit_arena *arena, struct view_lines *out)
{
    static const enum view_part_kind kinds[] = {[ADIT_DIFF_EQUAL] = VIEW_EQUAL,
                                                [ADIT_DIFF_REMOVED] = VIEW_REMOVED,
                                                [ADIT_DIFF_ADDED] = VIEW_ADDED_PART};
    struct maker m = {.out = out, .arena = arena};
    *out = (struct view_lines){.v = adit_arena_alloc(arena, LINES_MAX * sizeof *out->v)};
    if (!out->v) return false;
    for (size_t i = 0; i < d->n; i++) {
        struct adit_str rest = d->runs[i].text;
        while (rest.len) {
            size_t end = adit_str_chr(rest, '\n', 0);
            if (!add_part(&m, kinds[d->runs[i].kind], adit_str_sub(rest, 0, end))) return false;
            if (end == rest.len) break;
            if (!end_line(&m)) return false;
            rest = adit_str_sub(rest, end + 1, rest.len);
        }
    }
    return end_line(&m);
}
