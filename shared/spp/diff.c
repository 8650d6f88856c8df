/* Which lines differ: Myers' O(ND) algorithm in linear space, without recursion, with a budget. */
#include "spp/spp.h"

#include <string.h>

enum {
    LINES_MAX = 400000, /* of one text; beyond, the middle is replaced as a whole */
    BUDGET = 1 << 25,   /* steps of all searches together: about a tenth of a second */
    STACK = 64          /* a box is split into two of half its distance: 32 levels suffice */
};

struct box {
    size_t a0, a1, b0, b1;
};

struct search {
    const uint32_t *a, *b; /* lines as numbers: equal lines have equal numbers */
    uint8_t *del, *ins;
    int32_t *forward, *backward; /* furthest x on a diagonal; index 0 is diagonal 0 */
    int64_t budget;
    struct box stack[STACK];
    size_t depth;
};

static size_t count_lines(struct adit_str s)
{
    size_t n = 0;
    for (size_t at = 0; at < s.len; n++) {
        size_t lf = adit_str_chr(s, '\n', at);
        at = lf < s.len ? lf + 1 : lf;
    }
    return n;
}

static struct adit_str next_line(struct adit_str s, size_t *at)
{
    size_t lf = adit_str_chr(s, '\n', *at), from = *at;
    *at = lf < s.len ? lf + 1 : lf;
    return adit_str_sub(s, from, *at);
}

/* --- lines to numbers ------------------------------------------------------------------------- */

struct slot {
    uint64_t hash;
    struct adit_str text;
    uint32_t id; /* 0: free */
};

struct table {
    struct slot *slots;
    size_t mask;
    uint32_t used;
};

/* Texts come from strangers, so the hash must not be one for which collisions are easily made. */
static uint64_t hash_of(struct adit_str s)
{
    uint8_t h[ADIT_SHA256_LEN];
    uint64_t v;
    adit_sha256_of(s, h);
    memcpy(&v, h, sizeof v);
    return v;
}

static uint32_t number_of(struct table *t, struct adit_str line)
{
    uint64_t hash = hash_of(line);
    size_t i = (size_t)hash & t->mask;
    for (; t->slots[i].id; i = (i + 1) & t->mask)
        if (t->slots[i].hash == hash && adit_str_eq(t->slots[i].text, line)) return t->slots[i].id;
    t->slots[i] = (struct slot){hash, line, ++t->used};
    return t->used;
}

static uint32_t *numbers(struct table *t, struct adit_str s, size_t n, struct adit_arena *arena)
{
    uint32_t *v = adit_arena_zalloc(arena, n + 1, sizeof *v);
    size_t at = 0;
    for (size_t i = 0; v && i < n; i++) v[i] = number_of(t, next_line(s, &at));
    return v;
}

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
 * whose first and last lines differ. False: it would cost too much. */
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

static enum adit_code search_all(struct adit_str a, struct adit_str b, struct adit_arena *arena,
                                 struct adit_spp_edits *e)
{
    struct table t = {.mask = 15};
    struct search s = {.del = e->a, .ins = e->b, .budget = BUDGET};
    while (t.mask < 2 * (e->n_a + e->n_b)) t.mask = 2 * t.mask + 1;
    t.slots = adit_arena_zalloc(arena, t.mask + 1, sizeof *t.slots);
    if (!t.slots) return ADIT_ENOMEM;
    s.a = numbers(&t, a, e->n_a, arena);
    s.b = numbers(&t, b, e->n_b, arena);
    /* Diagonals -(n_b + 1) to n_a + 1. */
    size_t diagonals = e->n_a + e->n_b + 4;
    s.forward = adit_arena_zalloc(arena, diagonals, sizeof *s.forward);
    s.backward = adit_arena_zalloc(arena, diagonals, sizeof *s.backward);
    if (!s.a || !s.b || !s.forward || !s.backward) return ADIT_ENOMEM;
    s.forward += e->n_b + 2;
    s.backward += e->n_b + 2;
    s.stack[s.depth++] = (struct box){0, e->n_a, 0, e->n_b};
    solve(&s);
    return ADIT_OK;
}

/* Too many lines to number: what is equal at both ends stays. */
static void replace_middle(struct adit_str a, struct adit_str b, struct adit_spp_edits *e)
{
    size_t from = 0, at_a = 0, at_b = 0, least = e->n_a < e->n_b ? e->n_a : e->n_b;
    while (from < least && adit_str_eq(next_line(a, &at_a), next_line(b, &at_b))) from++;
    memset(e->a + from, 1, e->n_a - from);
    memset(e->b + from, 1, e->n_b - from);
}

enum adit_code adit_spp_edits(struct adit_str a, struct adit_str b, struct adit_arena *arena,
                              struct adit_spp_edits *e)
{
    e->n_a = count_lines(a);
    e->n_b = count_lines(b);
    e->a = adit_arena_zalloc(arena, e->n_a + 1, 1);
    e->b = adit_arena_zalloc(arena, e->n_b + 1, 1);
    if (!e->a || !e->b) return ADIT_ENOMEM;
    if (e->n_a <= LINES_MAX && e->n_b <= LINES_MAX) return search_all(a, b, arena, e);
    replace_middle(a, b, e);
    return ADIT_OK;
}
