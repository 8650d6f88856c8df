/* Which units of two texts differ: Myers' O(ND) algorithm in linear space, without recursion, with a
 * budget. Units are lines or words, as numbers (units.c). */
#include "text/diff_impl.h"

#include <string.h>

enum {
    UNITS_MAX = 400000, /* of one text; beyond, all behind the equal beginning is replaced */
    STACK = 64          /* a box is split into two of half its distance: 32 levels suffice */
};

struct box {
    size_t a0, a1, b0, b1;
};

struct search {
    const uint32_t *a, *b; /* units as numbers: equal units have equal numbers */
    uint8_t *del, *ins;
    int32_t *forward, *backward; /* furthest x on a diagonal; index 0 is diagonal 0 */
    int64_t budget;
    struct box stack[STACK];
    size_t depth;
};

/* --- searching -------------------------------------------------------------------------------- */

struct split {
    size_t x, y; /* in the box */
};

/* One direction's step: the furthest point on diagonal k after d edits. */
static int64_t reach(const int32_t *v, int64_t k, int64_t d)
{
    return k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : (int64_t)v[k - 1] + 1;
}

/* Diagonals outside the box are of no use. */
static int64_t first_diagonal(int64_t d, int64_t m) { return d <= m ? -d : -m + (d - m) % 2; }
static int64_t last_diagonal(int64_t d, int64_t n) { return d <= n ? d : n - (d - n) % 2; }

static int64_t slide_forward(const struct search *s, const struct box *b, int64_t x, int64_t y)
{
    int64_t n = (int64_t)(b->a1 - b->a0), m = (int64_t)(b->b1 - b->b0);
    while (x < n && y < m && s->a[b->a0 + (size_t)x] == s->b[b->b0 + (size_t)y]) x++, y++;
    return x;
}

static int64_t slide_backward(const struct search *s, const struct box *b, int64_t x, int64_t y)
{
    int64_t n = (int64_t)(b->a1 - b->a0), m = (int64_t)(b->b1 - b->b0);
    while (x < n && y < m && s->a[b->a1 - 1 - (size_t)x] == s->b[b->b1 - 1 - (size_t)y]) x++, y++;
    return x;
}

/* A point in the middle of a shortest way through the box, both of whose sides are not empty and
 * whose first and last units differ. False: it would cost too much. */
static bool middle(struct search *s, const struct box *b, struct split *out)
{
    int64_t n = (int64_t)(b->a1 - b->a0), m = (int64_t)(b->b1 - b->b0), delta = n - m;
    int32_t *f = s->forward, *r = s->backward;
    f[1] = r[1] = 0;
    f[n + 1] = r[n + 1] = f[-m - 1] = r[-m - 1] = -1; /* just outside: never chosen */
    for (int64_t d = 0; d <= (n + m + 1) / 2; d++) {
        int64_t first = first_diagonal(d, m), last = last_diagonal(d, n);
        for (int64_t k = first; k <= last; k += 2) {
            int64_t start = reach(f, k, d), x = start, y = x - k;
            if (y >= 0) x = slide_forward(s, b, x, y);
            f[k] = (int32_t)x;
            s->budget -= 1 + x - start;
            int64_t back = delta - k;
            if (delta % 2 == 0 || back < -(d - 1) || back > d - 1) continue;
            if (x > n || x - k > m || x + r[back] < n) continue;
            *out = (struct split){(size_t)x, (size_t)(x - k)};
            return true;
        }
        for (int64_t k = first; k <= last; k += 2) {
            int64_t start = reach(r, k, d), x = start, y = x - k;
            if (y >= 0) x = slide_backward(s, b, x, y);
            r[k] = (int32_t)x;
            s->budget -= 1 + x - start;
            int64_t forth = delta - k;
            if (delta % 2 != 0 || forth < -d || forth > d) continue;
            if (x > n || x - k > m || x + f[forth] < n) continue;
            *out = (struct split){(size_t)(n - x), (size_t)(m - (x - k))};
            return true;
        }
        if (s->budget < 0) return false;
    }
    return false;
}

static void trim(const struct search *s, struct box *b)
{
    while (b->a0 < b->a1 && b->b0 < b->b1 && s->a[b->a0] == s->b[b->b0]) b->a0++, b->b0++;
    while (b->a0 < b->a1 && b->b0 < b->b1 && s->a[b->a1 - 1] == s->b[b->b1 - 1]) b->a1--, b->b1--;
}

static void replace(struct search *s, const struct box *b)
{
    memset(s->del + b->a0, 1, b->a1 - b->a0);
    memset(s->ins + b->b0, 1, b->b1 - b->b0);
}

static void solve(struct search *s)
{
    while (s->depth) {
        struct box b = s->stack[--s->depth];
        struct split at;
        trim(s, &b);
        if (b.a0 == b.a1 || b.b0 == b.b1 || s->depth + 2 > STACK || s->budget < 0 ||
            !middle(s, &b, &at)) {
            replace(s, &b);
            continue;
        }
        s->stack[s->depth++] = (struct box){b.a0 + at.x, b.a1, b.b0 + at.y, b.b1};
        s->stack[s->depth++] = (struct box){b.a0, b.a0 + at.x, b.b0, b.b0 + at.y};
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static enum adit_code search_all(const struct adit_units u[2], int64_t *budget,
                                 struct adit_arena *arena, struct adit_diff_edits *e)
{
    struct search s = {.del = e->a, .ins = e->b, .budget = *budget};
    uint32_t *numbers[2];
    ADIT_TRY(adit_units_number(u, arena, numbers));
    s.a = numbers[0], s.b = numbers[1];
    /* Diagonals -(n_b + 1) to n_a + 1. */
    size_t diagonals = e->n_a + e->n_b + 4;
    s.forward = adit_arena_zalloc(arena, diagonals, sizeof *s.forward);
    s.backward = adit_arena_zalloc(arena, diagonals, sizeof *s.backward);
    if (!s.forward || !s.backward) return ADIT_ENOMEM;
    s.forward += e->n_b + 2;
    s.backward += e->n_b + 2;
    s.stack[s.depth++] = (struct box){0, e->n_a, 0, e->n_b};
    solve(&s);
    *budget = s.budget;
    return ADIT_OK;
}

/* Too many units to number: what is equal at the beginning stays. */
static void replace_end(const struct adit_units u[2], struct adit_diff_edits *e)
{
    size_t from = 0, at_a = 0, at_b = 0, least = e->n_a < e->n_b ? e->n_a : e->n_b;
    for (; from < least; from++) {
        size_t end_a = adit_unit_end(u[0].unit, u[0].text, at_a);
        size_t end_b = adit_unit_end(u[1].unit, u[1].text, at_b);
        if (!adit_str_eq(adit_str_sub(u[0].text, at_a, end_a),
                         adit_str_sub(u[1].text, at_b, end_b)))
            break;
        at_a = end_a, at_b = end_b;
    }
    memset(e->a + from, 1, e->n_a - from);
    memset(e->b + from, 1, e->n_b - from);
}

enum adit_code adit_diff_search(struct adit_str a, struct adit_str b, enum adit_diff_unit unit,
                                int64_t *budget, struct adit_arena *arena,
                                struct adit_diff_edits *e)
{
    struct adit_units u[2] = {{.text = a, .unit = unit}, {.text = b, .unit = unit}};
    e->n_a = u[0].n = adit_units_count(unit, a);
    e->n_b = u[1].n = adit_units_count(unit, b);
    e->a = adit_arena_zalloc(arena, e->n_a + 1, 1);
    e->b = adit_arena_zalloc(arena, e->n_b + 1, 1);
    if (!e->a || !e->b) return ADIT_ENOMEM;
    if (e->n_a > UNITS_MAX || e->n_b > UNITS_MAX || a.len > UINT32_MAX || b.len > UINT32_MAX) {
        replace_end(u, e);
        return ADIT_OK;
    }
    struct adit_arena_mark mark = adit_arena_mark(arena);
    enum adit_code code = search_all(u, budget, arena, e);
    adit_arena_release(arena, mark);
    return code;
}

enum adit_code adit_diff_edits(struct adit_str a, struct adit_str b, enum adit_diff_unit unit,
                               struct adit_arena *arena, struct adit_diff_edits *edits)
{
    int64_t budget = ADIT_DIFF_BUDGET;
    return adit_diff_search(a, b, unit, &budget, arena, edits);
}
