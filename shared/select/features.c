/* From facts to features: one value each, the definition beside its name. */
#include "select/score_impl.h"

#include <string.h>

static int16_t saturate(int64_t v)
{
    return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : (int16_t)v;
}

struct row {
    const struct adit_facts *f;
    int16_t *out;
    size_t stride;
};
#define SET(name, value) r->out[ADIT_F_##name * r->stride] = saturate((int64_t)(value))
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

/* How far the nearest ancestor of each kind is. */
static void set_ancestors(struct row *r, uint32_t el)
{
    const uint8_t *d = r->f->els[el].distance;
    int16_t *out = r->out + ADIT_F_a_nav * r->stride;
    for (size_t k = 0; k < (size_t)ADIT_N_ANCESTORS + ADIT_N_SCORED_CATEGORIES; k++)
        out[k * r->stride] = d[k];
}
_Static_assert(ADIT_F_c_unseen - ADIT_F_a_nav + 1 ==
                   (int)ADIT_N_ANCESTORS + (int)ADIT_N_SCORED_CATEGORIES,
               "distances are in the order of their kinds");

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

/* The section: from the heading above to the next. */
static void set_section(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    const struct adit_section *s = &f->sections[f->section_of[i]];
    uint32_t len = f->sum_len[s->end] - f->sum_len[s->begin];
    int32_t link = adit_pm(f->sum_link[s->end] - f->sum_link[s->begin], len);
    PUT(hd, s->level && i - s->begin < 99 ? i - s->begin : 99);
    PUT(hlv, s->level);
    SET(hsn, s->end - s->begin);
    SET(hsL, len);
    PUT(hslk, link);
    PUT(hslkA, f->claims_article ? link : -1);
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

static int32_t link_share(const struct adit_facts *f, uint32_t el)
{
    return adit_pm(adit_el_sum(f, f->sum_link, el), adit_el_sum(f, f->sum_len, el));
}

/* The subtrees around a leaf: leaves, share of the page's text, of its running text. */
static void set_subtrees(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    const struct adit_place *els = f->places;
    size_t n = f->tape->n_leaves;
    uint32_t up[5] = {el};
    for (int k = 1; k < 5; k++)
        up[k] = els[up[k - 1]].parent == ADIT_NONE ? up[k - 1] : els[up[k - 1]].parent;
    SET(pn0, els[el].leaf1 - els[el].leaf0);
    PUT(ps0, adit_pm(adit_el_sum(f, f->sum_len, el), f->sum_len[n]));
    PUT(pgs1, adit_pm(adit_el_sum(f, f->sum_good, up[1]), f->sum_good[n]));
    PUT(pgs2, adit_pm(adit_el_sum(f, f->sum_good, up[2]), f->sum_good[n]));
    PUT(ps3, adit_pm(adit_el_sum(f, f->sum_len, up[3]), f->sum_len[n]));
    PUT(plk1, link_share(f, up[1]));
    PUT(plk2, link_share(f, up[2]));
    PUT(plk3, link_share(f, up[3]));
    PUT(pG2, adit_pm(adit_el_sum(f, f->sum_good, up[2]), adit_el_sum(f, f->sum_len, up[2])));
    PUT(pG4, adit_pm(adit_el_sum(f, f->sum_good, up[4]), adit_el_sum(f, f->sum_len, up[4])));
}

/* The nearest article and main; the best container and the chain. */
static void set_regions(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    uint32_t article = f->els[el].article, main = f->els[el].main;
    size_t n = f->tape->n_leaves;
    uint32_t art_len = article == ADIT_NONE ? 0 : adit_el_sum(f, f->sum_len, article);
    uint32_t main_len = main == ADIT_NONE ? 0 : adit_el_sum(f, f->sum_len, main);
    PUT(arts, art_len ? adit_pm(art_len, f->sum_len[n]) : -1);
    PUT(mainlk, main_len ? adit_pm(adit_el_sum(f, f->sum_link, main), main_len) : -1);
    PUT(dtop, f->els[el].to_top);
    PUT(dchn, f->els[el].to_chain);
}

/* Leaves of the same kind: by classes around them (g), by the tags above (t). */
static void set_groups(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    const struct adit_group *g = &f->class_groups[f->class_group[i]];
    const struct adit_group *most = &f->class_groups[f->biggest_group];
    const struct adit_group *t = &f->path_groups[f->path_group[i]];
    SET(gN, g->n);
    PUT(gL, g->share);
    SET(gM, usual_len(&f->leaves[i], g->mean));
    PUT(gen, g->ends_pm);
    SET(gRel, adit_pm(g->len - g->link, most->len - most->link));
    SET(tN, t->n);
    PUT(tL, t->share);
    SET(tse, 10 * (uint64_t)t->sentences / t->n);
}

/* The strongest repetition around: of the nine nearest ancestors with at least two sisters of the
 * same kind, the one whose parent has most text. */
static void set_repetition(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    const struct adit_place *els = f->places;
    uint32_t best = ADIT_NONE, most = 0, e = el;
    for (uint32_t k = 0; k < 9 && e != 0; k++, e = els[e].parent) {
        if (f->els[e].siblings < 3 || f->tape->els[e].tag == ADIT_TAG_P) continue;
        uint32_t len = adit_el_sum(f, f->sum_len, els[e].parent);
        if (best == ADIT_NONE || len > most) best = e, most = len;
    }
    bool some = best != ADIT_NONE;
    uint32_t n = some ? f->els[best].siblings : 0;
    SET(rN, n);
    SET(rL, some ? (int64_t)adit_el_sum(f, f->sum_len, best) : -1);
    PUT(rPs, some ? adit_pm(most, f->sum_len[f->tape->n_leaves]) : -1);
    PUT(rPlk, some ? adit_pm(adit_el_sum(f, f->sum_link, els[best].parent), most) : -1);
    SET(rM, some ? (int64_t)(most / n) : -1);
    uint32_t p1 = els[el].parent, p2 = p1 == ADIT_NONE ? ADIT_NONE : els[p1].parent;
    SET(sib0, f->els[el].siblings);
    SET(sib2, p2 == ADIT_NONE ? 0 : f->els[p2].siblings);
    SET(eimg, f->tape->els[el].n_img);
}

/* What the records around look like: comments (readers' texts below another), teasers. */
static void set_records(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    uint32_t k = f->els[el].record;
    const struct adit_record_kind *kind = k == ADIT_NONE ? NULL : &f->record_kinds[k];
    size_t from = f->title != SIZE_MAX && kind && f->title < kind->first ? f->title : 0;
    uint32_t before = kind ? f->sum_good[kind->first] - f->sum_good[from] : 0;
    bool some = kind && kind->evidence >= 2;
    PUT(rcE, kind ? kind->evidence : -1);
    SET(rcB, some ? (int64_t)before : -1);
    PUT(rcP, some ? adit_pm(before, (uint64_t)before + kind->len) : -1);
    SET(rcN, kind ? kind->n : 0);
    PUT(rtN, kind ? adit_pm(kind->leading, kind->n) : -1);
    SET(rtL, kind ? (int64_t)(kind->len / kind->n) : -1);
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

static uint32_t titles_before(const struct adit_facts *f, size_t i)
{
    return f->sections[f->section_of[i]].titles;
}

/* A second article after the first: which article this is in, and how many h1 stand before. */
static void set_order(struct row *r, size_t i, uint32_t el)
{
    const struct adit_facts *f = r->f;
    int rank = f->els[el].article_rank;
    PUT(artI, rank);
    PUT(artA, f->claims_article ? rank : -1);
    bool after = f->title != SIZE_MAX && i > f->title;
    SET(h1I, after ? (int64_t)(titles_before(f, i) - titles_before(f, f->title)) : -1);
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
    set_ancestors(&r, el);
    set_position(&r, i);
    set_section(&r, i);
    set_neighbours(&r, i);
    set_subtrees(&r, el);
    set_regions(&r, el);
    set_groups(&r, i);
    set_repetition(&r, el);
    set_joint(&r, i, el);
    set_records(&r, el);
    set_picture(&r, el);
    set_order(&r, i, el);
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
