/* Records: elements of the same kind that stand more than once on a page, such as comments, teasers
 * and posts. What most records of a kind have (a date, a name, a picture, the same short words)
 * tells comments from stories, in any language. */
#include "select/features_impl.h"

enum {
    PROBES = 32,
    SHORT = 80,   /* letters of a line with a date or a name */
    STOCK = 30,   /* letters of words that all records repeat, such as "Reply" */
    MOST = 600,   /* per mille of the records */
    TEXT_MIN = 60 /* letters of an element that may be a record */
};

/* Before each leaf: leaves with a property, letters of running text; n_leaves + 1 each. */
struct sums {
    uint32_t *dated, *stock, *running, *good, *images;
};

/* Whether a text has two numbers or more, as dates and times of day have. */
static bool has_numbers(struct adit_str text)
{
    size_t numbers = 0;
    for (size_t i = 0; i < text.len; i++)
        numbers += adit_is_digit(text.p[i]) && (i == 0 || !adit_is_digit(text.p[i - 1]));
    return numbers >= 2;
}

static bool is_dated(const struct adit_facts *f, size_t i)
{
    const struct adit_leaf_stats *x = &f->leaves[i];
    const struct adit_leaf *leaf = &f->tape->leaves[i];
    if (leaf->n_time) return true;
    return x->len < SHORT && x->digits && !x->prices && !x->good && !x->heading &&
           has_numbers(leaf->text);
}

static bool is_stock(const struct adit_leaf_stats *x)
{
    return x->len <= STOCK && x->repeats >= 2 && !x->good;
}

static bool is_running(const struct adit_leaf_stats *x)
{
    return x->len >= 25 && x->link_pm < 300 && !x->heading;
}

static bool build_sums(const struct adit_facts *f, struct sums *s, struct adit_arena *arena)
{
    size_t n = f->tape->n_leaves;
    s->dated = adit_arena_zalloc(arena, 4 * (n + 1), sizeof *s->dated);
    if (!s->dated) return false;
    s->stock = s->dated + (n + 1), s->running = s->stock + (n + 1), s->good = s->running + (n + 1);
    s->images = f->images;
    for (size_t i = 0; i < n; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        s->dated[i + 1] = s->dated[i] + is_dated(f, i);
        s->stock[i + 1] = s->stock[i] + is_stock(x);
        s->running[i + 1] = s->running[i] + is_running(x);
        s->good[i + 1] = s->good[i] + adit_leaf_good(x);
    }
    return true;
}

static bool has_any(const uint32_t *sum, const struct adit_el *el)
{
    return sum[el->leaf1] > sum[el->leaf0];
}

/* Whether the record opens with a link to elsewhere, as teasers do. */
static bool opens_with_link(const struct adit_facts *f, const struct adit_el *el)
{
    for (uint32_t i = el->leaf0; i < el->leaf1 && i < el->leaf0 + 3; i++)
        if (f->leaves[i].link_pm >= 900 && f->leaves[i].words >= 3) return true;
    return false;
}

static void add_record(const struct adit_facts *f, const struct sums *s, uint32_t e,
                       struct adit_record_kind *k)
{
    const struct adit_el *el = &f->tape->els[e];
    const struct adit_leaf_stats *head = &f->leaves[el->leaf0];
    if (!k->n) k->first = el->leaf0;
    bool nested = k->n && el->leaf0 < k->end;
    k->n++, k->nested += nested;
    if (!nested) k->len += adit_el_sum(f, f->sum_len, e);
    if (el->leaf1 > k->end) k->end = el->leaf1;
    k->dated += has_any(s->dated, el), k->stock += has_any(s->stock, el);
    k->running += has_any(s->running, el), k->pictured += s->images[e] > 0;
    k->named += head->len < STOCK && !head->heading && !head->ends;
    k->leading += opens_with_link(f, el);
}

static bool most(uint32_t part, const struct adit_record_kind *k)
{
    return 1000 * (uint64_t)part >= MOST * (uint64_t)k->n;
}

/* How much the records look like what readers wrote: 0 to 7. What begins before the title is a part
 * of the layout. */
static uint8_t evidence_of(const struct adit_facts *f, const struct adit_record_kind *k,
                           bool called_comment)
{
    if (k->n < 2 || !most(k->running, k)) return 0;
    if (f->title != SIZE_MAX && k->first <= f->title) return 0;
    return (uint8_t)(most(k->dated, k) + most(k->stock, k) + most(k->pictured, k) +
                     most(k->named, k) + (k->nested > 0) + 2 * called_comment);
}

/* The number of the record kind of element e; ADIT_NONE: e is no record. Elements with a class are
 * of one kind wherever they stand, others among their siblings. */
static uint64_t kind_key(const struct adit_facts *f, uint32_t e)
{
    const struct adit_el *el = &f->tape->els[e];
    bool named = el->class_hash != f->tape->els[0].class_hash && el->class_hash;
    return adit_mix(adit_mix(f->els[e].signature, 11), named ? 0 : el->parent + 1);
}

/* A list is no record, however many of them a text has: its items may be. */
static bool may_be_record(const struct adit_facts *f, uint32_t e)
{
    const struct adit_place *at = &f->places[e];
    if (at->leaf1 - at->leaf0 < 2 || adit_el_sum(f, f->sum_len, e) < TEXT_MIN) return false;
    uint16_t tag = f->tape->els[e].tag;
    return tag != ADIT_TAG_UL && tag != ADIT_TAG_OL && tag != ADIT_TAG_DL;
}

static uint32_t kind_of(struct adit_facts *f, uint32_t *slots, size_t mask, uint64_t key)
{
    size_t at = (size_t)(key >> 32) & mask;
    for (int p = 0; p < PROBES; p++, at = (at + 1) & mask) {
        if (!slots[at]) {
            f->record_kinds[f->n_record_kinds] = (struct adit_record_kind){.key = key};
            slots[at] = (uint32_t)++f->n_record_kinds;
        }
        if (f->record_kinds[slots[at] - 1].key == key) return slots[at] - 1;
    }
    return ADIT_NONE;
}

/* Below an element that is called comments, or a comment. */
static bool called_comment(const struct adit_facts *f, size_t i)
{
    const uint8_t *distance = f->els[f->tape->leaves[i].el].distance;
    return distance[(int)ADIT_N_ANCESTORS + (int)ADIT_CAT_comment] < ADIT_FAR;
}

/* Whether the records of a kind are comments by their structure alone: each has a date and two more
 * of a comment's signs, and they stand below a text that is no mere introduction to them. */
static bool is_thread(const struct adit_facts *f, const struct sums *s,
                      const struct adit_record_kind *k)
{
    enum { EVIDENCE_MIN = 4, RECORDS_MIN = 3, BEFORE_MIN = 300 };
    if (k->n < RECORDS_MIN || k->evidence < EVIDENCE_MIN || !most(k->dated, k)) return false;
    uint64_t before = k->first > f->title ? s->good[k->first] - s->good[f->title] : 0;
    return before >= BEFORE_MIN && 3 * before >= k->len;
}

/* Marks the leaves that are comments: by name, or, on a page that claims to be an article and is no
 * forum, by structure. */
static void mark_comments(struct adit_facts *f, const struct sums *s)
{
    size_t n = f->tape->n_leaves;
    for (size_t k = 0; k < f->n_record_kinds; k++)
        f->record_kinds[k].thread = f->claims_article && !f->is_forum && f->title < n &&
                                    is_thread(f, s, &f->record_kinds[k]);
    for (size_t i = 0; i < n; i++) {
        uint32_t k = f->els[f->tape->leaves[i].el].record;
        f->leaves[i].comment =
            called_comment(f, i) || (k != ADIT_NONE && f->record_kinds[k].thread);
    }
}

/* For each element the kind around it with the strongest evidence. */
static void pass_down(struct adit_facts *f)
{
    const struct adit_tape *t = f->tape;
    struct adit_record_kind *kinds = f->record_kinds;
    for (uint32_t e = 1; e < t->n_els; e++) {
        uint32_t own = f->els[e].record, up = f->els[f->places[e].parent].record;
        uint8_t evidence = own == ADIT_NONE ? 0 : kinds[own].evidence;
        if (!evidence || (up != ADIT_NONE && kinds[up].evidence > evidence)) f->els[e].record = up;
    }
}

enum adit_code adit_facts_records(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    struct sums s;
    size_t n = 0, n_slots = 16;
    for (uint32_t e = 0; e < t->n_els; e++) {
        bool may = e && may_be_record(f, e);
        f->els[e].record = may ? 0 : ADIT_NONE;
        n += may;
    }
    while (n_slots < 2 * n) n_slots *= 2;
    f->record_kinds = adit_arena_alloc(arena, (n + 1) * sizeof *f->record_kinds);
    struct adit_arena_mark mark = adit_arena_mark(arena);
    uint32_t *slots = adit_arena_zalloc(arena, n_slots, sizeof *slots);
    if (!f->record_kinds || !slots || !build_sums(f, &s, arena)) return ADIT_ENOMEM;
    for (uint32_t e = 1; e < t->n_els; e++) {
        if (f->els[e].record == ADIT_NONE) continue;
        uint32_t k = f->els[e].record = kind_of(f, slots, n_slots - 1, kind_key(f, e));
        if (k != ADIT_NONE) add_record(f, &s, e, &f->record_kinds[k]);
    }
    for (size_t k = 0; k < f->n_record_kinds; k++) {
        struct adit_record_kind *kind = &f->record_kinds[k];
        kind->evidence = evidence_of(f, kind, called_comment(f, kind->first));
    }
    pass_down(f);
    mark_comments(f, &s);
    adit_arena_release(arena, mark);
    return ADIT_OK;
}
