/* From facts to features: one value each, the definition beside its name. Those that leaves share:
 * shares.c. */
#include "select/score_impl.h"

#include <string.h>

struct row {
    const struct adit_facts *f;
    int16_t *out;
    size_t stride;
};
#define SET(name, value) r->out[ADIT_F_##name * r->stride] = adit_saturate((int64_t)(value))
/* A value that fits: a part of a whole, a flag, a distance. */
#define PUT(name, value) r->out[ADIT_F_##name * r->stride] = (int16_t)(value)

/* Listings are one leaf each, however long: they count as long paragraphs. */
static uint32_t usual_len(const struct adit_leaf_stats *x, uint32_t len)
{
    enum { LISTING_MAX = 300 };
    return x->tag == ADIT_TC_PRE && len > LISTING_MAX ? LISTING_MAX : len;
}

/* What the leaf itself looks like. */
static void set_own(struct row *r, size_t i)
{
    const struct adit_leaf *leaf = &r->f->tape->leaves[i];
    const struct adit_leaf_stats *x = &r->f->leaves[i];
    bool code = x->tag == ADIT_TC_PRE;
    SET(L, usual_len(x, x->len));
    PUT(nl, leaf->n_links);
    SET(cm, code ? 0 : x->commas); /* signs mean something else in code */
    PUT(up, x->upper_pm);
    PUT(en, x->ends);
    PUT(em, leaf->emph_pm);
    PUT(od, code ? 0 : x->odd);
    PUT(time, leaf->n_time);
    PUT(inp, leaf->n_input);
    PUT(ell, x->ellipsis);
    PUT(tag, x->tag);
    PUT(hl, x->heading);
    PUT(tm, x->title_match);
    PUT(dupn, x->repeats);
    PUT(lk, x->link_pm);
    PUT(dt, x->len < 80 && !x->good ? x->digits : -1);
}

/* Where in the page: text and running text before and after, leaves since the title. */
static void set_position(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    size_t n = f->tape->n_leaves;
    PUT(cpm, adit_pm(f->sum_len[i], f->sum_len[n]));
    PUT(gbef, adit_pm(f->sum_good[i], f->sum_good[n]));
    PUT(gaft, adit_pm(f->sum_good[n] - f->sum_good[i + 1], f->sum_good[n]));
    int64_t tb = f->title == SIZE_MAX ? -999 : (int64_t)i - (int64_t)f->title;
    PUT(tb, tb < -200 && tb != -999 ? -200 : tb > 2000 ? 2000 : tb);
}

/* The owner of the leaf: its texts, its pictures, where it stands. */
static void set_owner(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    SET(pn0, f->places[el].leaf1 - f->places[el].leaf0);
    PUT(ps0, adit_pm(adit_el_sum(f, f->sum_len, el), f->sum_len[f->tape->n_leaves]));
    PUT(dtop, f->els[el].to_top);
    PUT(dchn, f->els[el].to_chain);
    SET(sib0, f->els[el].siblings);
    SET(eimg, f->tape->els[el].n_img);
}

static uint32_t titles_before(const struct adit_facts *f, size_t i)
{
    return f->sections[f->section_of[i]].titles;
}

/* The section and the group of the leaf: what is not the same for all their leaves. */
static void set_place(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    const struct adit_section *s = &f->sections[f->section_of[i]];
    bool after = f->title != SIZE_MAX && i > f->title;
    PUT(hd, s->level && i - s->begin < 99 ? i - s->begin : 99);
    SET(h1I, after ? (int64_t)(titles_before(f, i) - titles_before(f, f->title)) : -1);
    SET(gM, usual_len(&f->leaves[i], f->class_groups[f->class_group[i]].mean));
}

static void set_neighbours(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    size_t n = f->tape->n_leaves, a = i > 5 ? i - 5 : 0, z = i + 6 < n ? i + 6 : n;
    const struct adit_leaf_stats *next = i + 1 < n ? &f->leaves[i + 1] : NULL;
    PUT(tagm1, i ? f->leaves[i - 1].tag : -1);
    SET(Lp1, next ? (int64_t)next->len : -1);
    PUT(wlk5, adit_pm(f->sum_link[z] - f->sum_link[a], f->sum_len[z] - f->sum_len[a]));
    SET(Lm1, i ? (int64_t)f->leaves[i - 1].len : -1);
    a = i > 4 ? i - 4 : 0, z = i + 5 < n ? i + 5 : n;
    PUT(wG4, adit_pm(f->sum_good[z] - f->sum_good[a], f->sum_len[z] - f->sum_len[a]));
    PUT(sinceG, f->since_good[i]);
    PUT(untilG, f->until_good[i]);
}

/* The nearest element around that holds a picture: how far, and how much text it holds. */
static void set_picture(struct row *r, uint32_t el)
{
    enum { LEVELS = 4 };
    const struct adit_facts *f = r->f;
    int d = 0;
    for (; d < LEVELS && !f->images[el] && f->places[el].parent != ADIT_NONE; d++)
        el = f->places[el].parent;
    bool some = f->images[el] > 0;
    SET(capL, some ? (int64_t)adit_el_sum(f, f->sum_len, el) : 32767);
}

/* Facts that only together say something: -1 where the condition does not hold. */
static void set_joint(struct row *r, size_t i, uint32_t el)
{
    const struct adit_facts *f = r->f;
    const struct adit_leaf_stats *x = &f->leaves[i];
    const struct adit_place *top = &f->places[f->top];
    uint64_t good = f->sum_good[f->tape->n_leaves];
    uint64_t good_top = adit_el_sum(f, f->sum_good, f->top);
    bool comment = adit_leaf_is_comment(f, i);
    bool inside = i >= top->leaf0 && i < top->leaf1;
    SET(comout, comment ? adit_pm(f->good_outside_comments, good) : -1);
    PUT(dtopG, 10 * good_top >= 6 * good ? f->els[el].to_top : -1);
    PUT(lkA, f->claims_article ? x->link_pm : -1);
    PUT(gaftT, inside ? adit_pm(f->sum_good[top->leaf1] - f->sum_good[i + 1], good_top) : -1);
}

static int count_bits(uint32_t v)
{
    int n = 0;
    for (; v; v &= v - 1) n++;
    return n;
}

/* Words of the titles: in the text itself, and around it. */
static void set_topics(struct row *r, size_t i)
{
    enum { NEAR = 3, OWN_MAX = 6, NEAR_MAX = 10 };
    const struct adit_facts *f = r->f;
    size_t n = f->tape->n_leaves, a = i > NEAR ? i - NEAR : 0, z = i + NEAR < n ? i + NEAR + 1 : n;
    uint32_t near = 0;
    for (; a < z; a++) near |= f->topics[a].titles;
    int own = count_bits(f->topics[i].titles), all = count_bits(near);
    PUT(tw, !f->has_topics ? -1 : own < OWN_MAX ? own : OWN_MAX);
    PUT(tww, !f->has_topics ? -1 : all < NEAR_MAX ? all : NEAR_MAX);
}

void adit_features_leaf(const struct adit_facts *f, size_t i, int16_t *out)
{
    struct row r = {f, out, ADIT_LANES};
    uint32_t el = f->tape->leaves[i].el;
    set_own(&r, i);
    set_position(&r, i);
    set_place(&r, i);
    set_neighbours(&r, i);
    set_owner(&r, el);
    set_joint(&r, i, el);
    set_picture(&r, el);
    set_topics(&r, i);
}

/* --- the page --------------------------------------------------------------------------------- */

struct page_sums {
    uint64_t p, li, pre, forum, list, frame;
    uint32_t headings[7], prices, times;
};

static void sum_page(const struct adit_facts *f, struct page_sums *s)
{
    const struct adit_tape *t = f->tape;
    for (size_t i = 0; i < t->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        const uint8_t *c = f->els[t->leaves[i].el].distance + ADIT_N_ANCESTORS;
        if (x->tag == ADIT_TC_P || x->tag == ADIT_TC_PRE || x->tag == ADIT_TC_QUOTE) s->p += x->len;
        if (x->tag == ADIT_TC_LI) s->li += x->len;
        if (x->tag == ADIT_TC_PRE) s->pre += x->len;
        if (c[ADIT_CAT_forum] < ADIT_FAR) s->forum += x->len;
        if (c[ADIT_CAT_list] < ADIT_FAR) s->list += x->len;
        if (adit_leaf_in_frame(f, i)) s->frame += x->len;
        s->headings[x->heading]++;
        s->prices += x->prices, s->times += t->leaves[i].n_time > 0;
    }
}

static int64_t at_most(uint64_t v, int64_t most) { return v > (uint64_t)most ? most : (int64_t)v; }

static void set_landmarks(struct row *r)
{
    const struct adit_facts *f = r->f;
    const struct adit_tape *t = f->tape;
    uint32_t main_len = 0;
    for (uint32_t e = f->first_main; e < t->n_els; e++) {
        uint32_t len = f->els[e].main == e ? adit_el_sum(f, f->sum_len, e) : 0;
        if (len > main_len) main_len = len;
    }
    SET(g_nart, at_most(f->n_articles, 99));
    SET(g_mainpm, adit_pm(main_len, f->sum_len[t->n_leaves]));
}

int adit_og_class(struct adit_str type)
{
    if (!type.len) return 0;
    if (adit_str_ifind(type, ADIT_STR("article"), 0) < type.len) return 1;
    if (adit_str_ifind(type, ADIT_STR("product"), 0) < type.len) return 2;
    return adit_str_ifind(type, ADIT_STR("website"), 0) < type.len ? 3 : 4;
}

static void set_claims(struct row *r, const struct adit_page_hints *hints)
{
    SET(g_ldProd, (hints->kinds & ADIT_KIND_PRODUCT) != 0);
    SET(g_bd_article, r->f->body_categories >> ADIT_CAT_article & 1);
}

void adit_features_page(const struct adit_facts *f, const struct adit_page_hints *hints,
                        int16_t *out)
{
    struct row row = {f, out - ADIT_N_LEAF_FEATURES, 1}, *r = &row;
    struct page_sums s = {0};
    size_t n = f->tape->n_leaves;
    uint32_t all = f->sum_len[n], good = f->sum_good[n];
    const struct adit_group *most = &f->class_groups[f->biggest_group];
    sum_page(f, &s);
    SET(g_TLKpm, adit_pm(f->sum_link[n], all));
    SET(g_Gpm, adit_pm(good, all));
    SET(g_Ppm, adit_pm(s.p, all));
    SET(g_LIpm, adit_pm(s.li, all));
    SET(g_PREpm, adit_pm(s.pre, all));
    SET(g_nfor, adit_pm(s.forum, all));
    SET(g_nlst, adit_pm(s.list, all));
    SET(g_nh1, at_most(s.headings[1], 9));
    SET(g_nh2, at_most(s.headings[2], 99));
    SET(g_nh3, at_most(s.headings[3], 99));
    SET(g_ncur, at_most(s.prices, 99));
    SET(g_ntime, at_most(s.times, 99));
    SET(g_topL, adit_pm(adit_el_sum(f, f->sum_len, f->top), all));
    SET(g_topG, adit_pm(adit_el_sum(f, f->sum_good, f->top), good));
    SET(g_topS, f->top_score / 60);
    SET(g_chainG, adit_pm(adit_el_sum(f, f->sum_len, f->chain_end), all));
    SET(g_bgLpm, adit_pm(most->len, all));
    SET(g_bgMean, most->len / most->n);
    SET(g_n, n);
    SET(g_L, all / 100);
    SET(g_frame, adit_pm(s.frame, all));
    set_landmarks(r);
    set_claims(r, hints);
}
