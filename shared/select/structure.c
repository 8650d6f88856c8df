/* Facts about how the page is built: sums over subtrees, the element that holds the article, what
 * is repeated, which leaves are of the same kind. */
#include "select/features_impl.h"

#include <string.h>

/* --- hash tables with a fixed function and a bounded search ----------------------------------- */

/* When a hostile page makes keys collide, different groups are taken for one; time stays linear. */
enum { PROBES = 64 };

/* How often a key was met: for keys that are mostly different. */
struct counter {
    uint32_t key; /* low 32 bits of the key; the slot's index stands for the high bits */
    uint32_t n;
};

static size_t slots_for(size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    return slots;
}

static uint32_t counter_of(struct counter *table, size_t n_slots, uint64_t key)
{
    size_t at = (size_t)(key >> 32) & (n_slots - 1);
    uint32_t half = (uint32_t)key ? (uint32_t)key : 1;
    for (int k = 0; k < PROBES; k++) {
        if (!table[at].key) table[at].key = half;
        if (table[at].key == half) break;
        at = (at + 1) & (n_slots - 1);
    }
    return (uint32_t)at;
}

/* Groups, numbered in the order in which they are met: few or many. */
struct groups {
    struct adit_group *v;
    uint32_t n, cap;
    uint32_t *slots; /* 1 + a number, or 0; a power of two, at least 2 * cap */
    size_t mask;
};

/* Where key stands, or could. */
static uint32_t *find_slot(const struct groups *g, uint64_t key)
{
    size_t at = (size_t)(key >> 32) & g->mask;
    for (int k = 1; k < PROBES && g->slots[at] && g->v[g->slots[at] - 1].key != key; k++)
        at = (at + 1) & g->mask;
    return &g->slots[at];
}

static bool grow_groups(struct groups *g, struct adit_arena *arena)
{
    uint32_t cap = g->cap ? 2 * g->cap : 128;
    size_t n_slots = 2 * (size_t)cap;
    struct adit_group *v = adit_arena_resize(arena, g->v, g->cap * sizeof *v, cap * sizeof *v);
    if (!v) return false;
    g->v = v, g->cap = cap;
    uint32_t *slots = adit_arena_resize(
        arena, g->slots, (g->slots ? g->mask + 1 : 0) * sizeof *slots, n_slots * sizeof *slots);
    if (!slots) return false;
    memset(slots, 0, n_slots * sizeof *slots);
    g->slots = slots, g->mask = n_slots - 1;
    for (uint32_t i = 0; i < g->n; i++) *find_slot(g, g->v[i].key) = i + 1;
    return true;
}

/* The number of the group with this key; ADIT_NONE without memory. */
static uint32_t group_of(struct groups *g, uint64_t key, struct adit_arena *arena)
{
    if (g->n == g->cap && !grow_groups(g, arena)) return ADIT_NONE;
    uint32_t *slot = find_slot(g, key);
    if (!*slot) {
        g->v[g->n] = (struct adit_group){.key = key};
        *slot = ++g->n;
    }
    return *slot - 1;
}

/* An element that is called a comment and a post or thread is a comment: blogs write so. */
static void set_forum(struct adit_facts *f)
{
    uint64_t forum = 0;
    for (size_t i = 0; i < f->tape->n_leaves; i++) {
        const uint8_t *d = f->els[f->tape->leaves[i].el].distance + ADIT_N_ANCESTORS;
        if (d[ADIT_CAT_forum] < ADIT_FAR && d[ADIT_CAT_forum] != d[ADIT_CAT_comment])
            forum += f->leaves[i].len;
    }
    f->is_forum = 3 * forum >= f->sum_len[f->tape->n_leaves];
}

/* What readers wrote below an article is not what the article is about: where a page claims to be
 * one and has text of its own, or has such text before the first comment, comments are no running
 * text, however long. */
static void set_comments_apart(struct adit_facts *f)
{
    enum { TEXT_MIN = 200 };
    size_t n = f->tape->n_leaves, first = n;
    uint32_t before = 0;
    f->good_outside_comments = 0;
    for (size_t i = 0; i < n; i++) {
        bool comment = adit_leaf_is_comment(f, i);
        if (!comment) f->good_outside_comments += adit_leaf_good(&f->leaves[i]);
        if (first == n && comment && f->leaves[i].good) {
            first = i;
            before = f->good_outside_comments;
        }
    }
    bool article = f->claims_article || (before >= TEXT_MIN && !f->is_forum);
    f->comments_apart =
        article && f->good_outside_comments && !(f->body_categories >> ADIT_CAT_forum & 1);
    for (size_t i = 0; i < n && f->comments_apart; i++)
        if (adit_leaf_is_comment(f, i)) f->leaves[i].good = false;
}

/* --- the container that holds most running text ----------------------------------------------- */

static bool passes_score_up(uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_P:
    case ADIT_TAG_PRE:
    case ADIT_TAG_LI:
    case ADIT_TAG_TD:
    case ADIT_TAG_BLOCKQUOTE:
    case ADIT_TAG_DD:
    case ADIT_TAG_H1:
    case ADIT_TAG_H2:
    case ADIT_TAG_H3:
    case ADIT_TAG_H4: return true;
    default: return false;
    }
}

/* Each leaf of running text gives points to its container and, fewer, to four levels above. */
static enum adit_code find_top(struct adit_facts *f, struct adit_arena *arena)
{
    enum { LEVELS = 5 };
    static const uint8_t divisor[LEVELS] = {1, 2, 6, 9, 12};
    const struct adit_tape *t = f->tape;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    int64_t *score = adit_arena_zalloc(arena, t->n_els, sizeof *score);
    if (!score) return ADIT_ENOMEM;
    for (size_t i = 0; i < t->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        if (x->len < 25 || 2 * (uint64_t)x->link > x->len) continue;
        if (f->comments_apart && adit_leaf_is_comment(f, i)) continue;
        int64_t s = 60 * (1 + (int64_t)x->commas + (x->len >= 300 ? 3 : x->len / 100));
        uint32_t e = t->leaves[i].el;
        if (passes_score_up(t->els[e].tag)) e = f->places[e].parent;
        for (int d = 0; d < LEVELS && e != ADIT_NONE; d++, e = f->places[e].parent)
            score[e] += s / divisor[d];
    }
    f->top = 0, f->top_score = -1;
    for (uint32_t e = 0; e < t->n_els; e++) {
        if (!score[e]) continue;
        int64_t len = adit_el_sum(f, f->sum_len, e), link = adit_el_sum(f, f->sum_link, e);
        int64_t s = len ? score[e] * (len - link) / len : 0;
        if (s > f->top_score) f->top = e, f->top_score = s;
    }
    adit_arena_release(arena, mark);
    return ADIT_OK;
}

/* Whether JSON-LD states the whole text, not only its beginning: most of the running text in the
 * best container. */
static void judge_stated(struct adit_facts *f)
{
    enum { IN = 500 };
    const struct adit_el *top = &f->tape->els[f->top];
    uint64_t stated = 0;
    for (size_t i = top->leaf0; i < top->leaf1; i++)
        if (f->topics[i].stated >= IN) stated += adit_leaf_good(&f->leaves[i]);
    f->is_stated = stated && 10 * stated >= 6 * (uint64_t)adit_el_sum(f, f->sum_good, f->top);
}

/* The chain: from body down, as long as one child holds 60 % of the page's running text. In
 * document order the child of the chain's end is met before its own children. */
static void follow_chain(struct adit_facts *f)
{
    const struct adit_tape *t = f->tape;
    const uint32_t *sum = f->sum_good[t->n_leaves] ? f->sum_good : f->sum_len;
    uint64_t all = sum[t->n_leaves];
    uint32_t end = 0;
    for (uint32_t i = 1; i < t->n_els; i++)
        if (f->places[i].parent == end && 10 * (uint64_t)adit_el_sum(f, sum, i) >= 6 * all) end = i;
    f->chain_end = end;
}

static uint8_t one_more(uint8_t levels) { return (uint8_t)(levels + (levels < 254)); }

/* Sets to_top and to_chain: 0 inside, else the levels up to where the element's branch begins. */
static void measure_levels(struct adit_facts *f)
{
    const struct adit_tape *t = f->tape;
    struct adit_el_stats *els = f->els;
    uint8_t d = 0;
    for (uint32_t e = f->top; e != ADIT_NONE; e = f->places[e].parent, d = one_more(d))
        els[e].to_top = d;
    d = 0;
    for (uint32_t e = f->chain_end; e != ADIT_NONE; e = f->places[e].parent, d = one_more(d))
        els[e].to_chain = d;
    for (uint32_t i = 1; i < t->n_els; i++) {
        const struct adit_el_stats *up = &els[f->places[i].parent];
        if (els[i].to_top == ADIT_UNKNOWN) els[i].to_top = up->to_top;
        if (els[i].to_chain == ADIT_UNKNOWN) els[i].to_chain = up->to_chain;
    }
}

/* --- repetition ------------------------------------------------------------------------------- */

static uint64_t sibling_key(const struct adit_facts *f, uint32_t i)
{
    return adit_mix(adit_mix(f->places[i].parent, 7), f->els[i].signature);
}

static enum adit_code count_siblings(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    size_t n_slots = slots_for(t->n_els);
    struct adit_arena_mark mark = adit_arena_mark(arena);
    struct counter *table = adit_arena_zalloc(arena, n_slots, sizeof *table);
    if (!table) return ADIT_ENOMEM;
    for (uint32_t i = 1; i < t->n_els; i++) {
        if (f->places[i].leaf1 == f->places[i].leaf0) continue;
        uint32_t slot = f->els[i].siblings = counter_of(table, n_slots, sibling_key(f, i));
        table[slot].n++;
    }
    for (uint32_t i = 0; i < t->n_els; i++)
        f->els[i].siblings =
            i && f->places[i].leaf1 > f->places[i].leaf0 ? table[f->els[i].siblings].n : 1;
    adit_arena_release(arena, mark);
    return ADIT_OK;
}

static void add_leaf(struct adit_group *g, const struct adit_leaf_stats *x)
{
    g->n++, g->len += x->len, g->link += x->link, g->sentences += x->sentences;
    g->ends += x->ends;
}

/* Groups of leaves: by signatures of the owner and three ancestors, and by the tags above. */
static enum adit_code group_leaves(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    struct groups by_class = {0}, by_path = {0};
    f->class_group = adit_arena_alloc(arena, 2 * t->n_leaves * sizeof *f->class_group);
    if (!f->class_group) return ADIT_ENOMEM;
    f->path_group = f->class_group + t->n_leaves;
    for (size_t i = 0; i < t->n_leaves; i++) {
        uint32_t e = t->leaves[i].el;
        uint64_t key = adit_mix(f->els[e].path, 3), classes = 0;
        for (int k = 0; k < 4 && e != ADIT_NONE; k++, e = f->places[e].parent)
            classes = adit_mix(classes, f->els[e].signature);
        uint32_t c = f->class_group[i] = group_of(&by_class, classes, arena);
        uint32_t p = f->path_group[i] = group_of(&by_path, key, arena);
        if (c == ADIT_NONE || p == ADIT_NONE) return ADIT_ENOMEM;
        add_leaf(&by_class.v[c], &f->leaves[i]);
        add_leaf(&by_path.v[p], &f->leaves[i]);
    }
    f->class_groups = by_class.v, f->n_class_groups = by_class.n;
    f->path_groups = by_path.v, f->n_path_groups = by_path.n;
    return ADIT_OK;
}

/* How often the page has the text of each leaf. */
static enum adit_code count_repeats(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    struct adit_arena_mark mark = adit_arena_mark(arena);
    size_t n_slots = slots_for(t->n_leaves);
    struct counter *table = adit_arena_zalloc(arena, n_slots, sizeof *table);
    uint32_t *slot = adit_arena_alloc(arena, t->n_leaves * sizeof *slot);
    if (!table || !slot) return ADIT_ENOMEM;
    for (size_t i = 0; i < t->n_leaves; i++) {
        slot[i] = counter_of(table, n_slots, adit_mix(f->leaves[i].hash, 1));
        table[slot[i]].n += table[slot[i]].n < 9;
    }
    for (size_t i = 0; i < t->n_leaves; i++) f->leaves[i].repeats = (uint8_t)table[slot[i]].n;
    adit_arena_release(arena, mark);
    return ADIT_OK;
}

static enum adit_code sum_leaves(struct adit_facts *f, struct adit_arena *arena)
{
    size_t n = f->tape->n_leaves;
    uint32_t *sums = adit_arena_alloc(arena, 3 * (n + 1) * sizeof *sums);
    f->since_good = adit_arena_alloc(arena, 2 * n);
    if (!sums || !f->since_good) return ADIT_ENOMEM;
    f->until_good = f->since_good + n;
    f->sum_len = sums, f->sum_link = sums + (n + 1), f->sum_good = sums + 2 * (n + 1);
    f->sum_len[0] = f->sum_link[0] = f->sum_good[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        f->sum_len[i + 1] = f->sum_len[i] + x->len;
        f->sum_link[i + 1] = f->sum_link[i] + x->link;
    }
    return ADIT_OK;
}

static void sum_running(struct adit_facts *f)
{
    enum { FAR = 20 };
    size_t n = f->tape->n_leaves;
    uint8_t since = FAR, until = FAR;
    for (size_t i = 0; i < n; i++) {
        bool good = f->leaves[i].good;
        f->sum_good[i + 1] = f->sum_good[i] + adit_leaf_good(&f->leaves[i]);
        f->since_good[i] = since;
        since = good ? 0 : (uint8_t)(since + (since < FAR));
    }
    for (size_t i = n; i-- > 0;) {
        f->until_good[i] = until;
        until = f->leaves[i].good ? 0 : (uint8_t)(until + (until < FAR));
    }
}

/* Pictures in each element and below: children come after their parents. */
static enum adit_code sum_images(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    f->images = adit_arena_alloc(arena, t->n_els * sizeof *f->images);
    if (!f->images) return ADIT_ENOMEM;
    for (uint32_t e = 0; e < t->n_els; e++) f->images[e] = t->els[e].n_img;
    for (uint32_t e = (uint32_t)t->n_els; e-- > 1;) f->images[f->places[e].parent] += f->images[e];
    return ADIT_OK;
}

static enum adit_code cut_sections(struct adit_facts *f, struct adit_arena *arena)
{
    size_t n = f->tape->n_leaves, headings = 0, k = 0;
    for (size_t i = 0; i < n; i++) headings += f->leaves[i].heading > 0;
    f->sections = adit_arena_alloc(arena, (headings + 1) * sizeof *f->sections);
    f->section_of = adit_arena_alloc(arena, n * sizeof *f->section_of);
    if (!f->sections || !f->section_of) return ADIT_ENOMEM;
    f->sections[0] = (struct adit_section){0};
    uint32_t titles = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (f->leaves[i].heading) {
            titles += f->leaves[i].heading == 1;
            f->sections[++k] =
                (struct adit_section){.begin = i, .level = f->leaves[i].heading, .titles = titles};
        }
        f->sections[k].end = i + 1;
        f->section_of[i] = (uint32_t)k;
    }
    return ADIT_OK;
}

/* Of listings only where there is nothing else: a few of them outweigh a page's text. */
static void find_biggest_group(struct adit_facts *f)
{
    const struct adit_group *groups = f->class_groups, *best = &groups[f->class_group[0]];
    for (size_t i = 1; i < f->tape->n_leaves; i++) {
        if (f->leaves[i].tag == ADIT_TC_PRE) continue;
        const struct adit_group *g = &groups[f->class_group[i]];
        if (g->len - g->link > best->len - best->link) best = g;
    }
    f->biggest_group = (uint32_t)(best - groups);
}

/* What the features of all leaves of a group say of it. */
static void describe_groups(struct adit_group *groups, size_t n, uint32_t all)
{
    for (struct adit_group *g = groups; g < groups + n; g++) {
        g->mean = g->len / g->n;
        g->share = (int16_t)adit_pm(g->len, all), g->ends_pm = (int16_t)adit_pm(g->ends, g->n);
    }
}

enum adit_code adit_facts_structure(struct adit_facts *f, struct adit_arena *arena)
{
    ADIT_TRY(sum_leaves(f, arena));
    ADIT_TRY(sum_images(f, arena));
    ADIT_TRY(count_repeats(f, arena));
    set_forum(f);
    ADIT_TRY(adit_facts_records(f, arena));
    set_comments_apart(f);
    sum_running(f);
    ADIT_TRY(find_top(f, arena));
    judge_stated(f);
    follow_chain(f);
    measure_levels(f);
    ADIT_TRY(count_siblings(f, arena));
    ADIT_TRY(group_leaves(f, arena));
    ADIT_TRY(cut_sections(f, arena));
    find_biggest_group(f);
    uint32_t all = f->sum_len[f->tape->n_leaves];
    describe_groups(f->class_groups, f->n_class_groups, all);
    describe_groups(f->path_groups, f->n_path_groups, all);
    return ADIT_OK;
}
