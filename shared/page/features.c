/* From facts to features: one value each, the definition beside its name. */
#include "page/features.h"

#include <lexbor/tag/const.h>
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

static uint64_t at_least_one(uint64_t v) { return v ? v : 1; }

static void set_own(struct row *r, size_t i)
{
    const struct adit_leaf *leaf = &r->f->tape->leaves[i];
    const struct adit_leaf_facts *x = &r->f->leaves[i];
    SET(L, x->len), SET(W, x->words), SET(lk, x->link_pm), SET(nl, leaf->n_links);
    SET(cm, x->commas), SET(se, x->sentences), SET(dg, x->digits_pm), SET(up, x->upper_pm);
    SET(lt, x->letters_pm), SET(awl, 10 * (uint64_t)x->len / at_least_one(x->words));
    SET(en, x->ends), SET(su, x->first), SET(em, x->emph_pm), SET(od, x->odd);
    SET(cu, x->prices), SET(yr, x->year), SET(tp, x->time), SET(br, leaf->n_br);
    SET(img, leaf->n_img), SET(time, leaf->n_time), SET(inp, leaf->n_input);
    SET(hidi, leaf->hidden_inline), SET(cpy, x->copyright), SET(at, x->at);
    SET(colon, x->colon), SET(ell, x->ellipsis), SET(qm, x->question), SET(tag, x->tag);
    SET(hl, x->heading), SET(tm, x->title_match), SET(dm, x->description_match);
    SET(dup, x->repeat), SET(dupn, x->repeats);
}

static void set_ancestors(struct row *r, uint32_t el)
{
    const uint8_t *d = r->f->els[el].distance;
    int16_t *out = r->out + ADIT_F_a_nav * r->stride;
    for (size_t k = 0; k < (size_t)ADIT_N_ANCESTORS + ADIT_N_CATEGORIES; k++)
        out[k * r->stride] = d[k];
    SET(dep, r->f->tape->els[el].depth);
}
_Static_assert(ADIT_F_c_review - ADIT_F_a_nav + 1 == (int)ADIT_N_ANCESTORS + (int)ADIT_N_CATEGORIES,
               "distances are in the order of their kinds");

/* Where in the page, and below which heading. */
static void set_position(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    size_t n = f->tape->n_leaves;
    SET(cpm, adit_pm(f->sum_len[i], f->sum_len[n]));
    SET(gbef, adit_pm(f->sum_good[i], f->sum_good[n]));
    SET(gaft, adit_pm(f->sum_good[n] - f->sum_good[i + 1], f->sum_good[n]));
    int64_t tb = f->title == SIZE_MAX ? -999 : (int64_t)i - (int64_t)f->title;
    SET(tb, tb < -200 && tb != -999 ? -200 : tb > 2000 ? 2000 : tb);
    const struct adit_section *s = &f->sections[f->section_of[i]];
    uint32_t len = f->sum_len[s->end] - f->sum_len[s->begin];
    SET(hd, s->level && i - s->begin < 99 ? i - s->begin : 99);
    SET(hlv, s->level);
    SET(hsn, s->end - s->begin);
    SET(hsL, len);
    SET(hslk, adit_pm(f->sum_link[s->end] - f->sum_link[s->begin], len));
    SET(hsg, adit_pm(f->sum_good[s->end] - f->sum_good[s->begin], len));
}

/* How two leaves are related: the same owner, sisters of one kind, sisters. */
static int relation(const struct adit_facts *f, uint32_t a, uint32_t b)
{
    if (f->tape->els[a].parent == f->tape->els[b].parent)
        return f->els[a].signature == f->els[b].signature ? 1 : 2;
    return a == b ? 3 : 0;
}

struct neighbour {
    int offset;
    uint16_t len, link, sentences, tag, ends, relation; /* features; 0 = not looked at */
};
static const struct neighbour neighbours[] = {
    {-3, ADIT_F_Lm3, ADIT_F_lkm3, 0, 0, 0, 0},
    {-2, ADIT_F_Lm2, ADIT_F_lkm2, ADIT_F_sem2, ADIT_F_tagm2, ADIT_F_enm2, ADIT_F_spm2},
    {-1, ADIT_F_Lm1, ADIT_F_lkm1, ADIT_F_sem1, ADIT_F_tagm1, ADIT_F_enm1, ADIT_F_spm1},
    {1, ADIT_F_Lp1, ADIT_F_lkp1, ADIT_F_sep1, ADIT_F_tagp1, ADIT_F_enp1, ADIT_F_spp1},
    {2, ADIT_F_Lp2, ADIT_F_lkp2, ADIT_F_sep2, ADIT_F_tagp2, ADIT_F_enp2, ADIT_F_spp2},
    {3, ADIT_F_Lp3, ADIT_F_lkp3, 0, 0, 0, 0},
};

static void set_neighbours(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    for (size_t k = 0; k < ADIT_COUNT(neighbours); k++) {
        const struct neighbour *nb = &neighbours[k];
        bool before = nb->offset < 0;
        size_t by = (size_t)(before ? -nb->offset : nb->offset);
        bool there = before ? i >= by : i + by < f->tape->n_leaves;
        size_t j = before ? i - by : i + by;
        const struct adit_leaf_facts *x = there ? &f->leaves[j] : NULL;
        r->out[nb->len * r->stride] = x ? saturate(x->len) : -1;
        r->out[nb->link * r->stride] = x ? x->link_pm : -1;
        if (!nb->tag) continue;
        r->out[nb->sentences * r->stride] = x ? saturate(x->sentences) : -1;
        r->out[nb->tag * r->stride] = x ? x->tag : -1;
        r->out[nb->ends * r->stride] = x ? x->ends : -1;
        const struct adit_leaf *leaves = f->tape->leaves;
        r->out[nb->relation * r->stride] =
            x ? (int16_t)relation(f, leaves[j].el, leaves[i].el) : -1;
    }
}

static void set_windows(struct row *r, size_t i)
{
    static const struct {
        uint16_t radius, len, link, sentences, good;
    } windows[] = {
        {5, ADIT_F_wL5, ADIT_F_wlk5, ADIT_F_wse5, ADIT_F_wG5},
        {12, ADIT_F_wL12, ADIT_F_wlk12, ADIT_F_wse12, ADIT_F_wG12},
    };
    const struct adit_facts *f = r->f;
    for (size_t k = 0; k < ADIT_COUNT(windows); k++) {
        size_t n = f->tape->n_leaves, rad = windows[k].radius;
        size_t a = i > rad ? i - rad : 0, z = i + rad + 1 < n ? i + rad + 1 : n;
        uint32_t len = f->sum_len[z] - f->sum_len[a];
        r->out[windows[k].len * r->stride] = saturate(len);
        r->out[windows[k].link * r->stride] =
            saturate(adit_pm(f->sum_link[z] - f->sum_link[a], len));
        r->out[windows[k].sentences * r->stride] =
            saturate(f->sum_sentences[z] - f->sum_sentences[a]);
        r->out[windows[k].good * r->stride] =
            saturate(adit_pm(f->sum_good[z] - f->sum_good[a], len));
    }
}

/* The subtrees around a leaf. */
static void set_subtrees(struct row *r, uint32_t el)
{
    static const struct {
        uint16_t level, link, n, good, share, good_share;
    } levels[] = {
        {0, ADIT_F_plk0, ADIT_F_pn0, ADIT_F_pG0, ADIT_F_ps0, ADIT_F_pgs0},
        {1, ADIT_F_plk1, ADIT_F_pn1, ADIT_F_pG1, ADIT_F_ps1, ADIT_F_pgs1},
        {2, ADIT_F_plk2, ADIT_F_pn2, ADIT_F_pG2, ADIT_F_ps2, ADIT_F_pgs2},
        {3, ADIT_F_plk3, ADIT_F_pn3, ADIT_F_pG3, ADIT_F_ps3, ADIT_F_pgs3},
        {4, ADIT_F_plk4, ADIT_F_pn4, ADIT_F_pG4, ADIT_F_ps4, ADIT_F_pgs4},
        {6, ADIT_F_plk6, ADIT_F_pn6, ADIT_F_pG6, ADIT_F_ps6, ADIT_F_pgs6},
    };
    const struct adit_facts *f = r->f;
    const struct adit_el *els = f->tape->els;
    size_t n = f->tape->n_leaves;
    uint16_t level = 0;
    for (size_t k = 0; k < ADIT_COUNT(levels); k++) {
        for (; level < levels[k].level; level++)
            if (els[el].parent != ADIT_NONE) el = els[el].parent;
        uint32_t len = adit_el_sum(f, f->sum_len, el), good = adit_el_sum(f, f->sum_good, el);
        r->out[levels[k].link * r->stride] =
            saturate(adit_pm(adit_el_sum(f, f->sum_link, el), len));
        r->out[levels[k].n * r->stride] = saturate(els[el].leaf1 - els[el].leaf0);
        r->out[levels[k].good * r->stride] = saturate(adit_pm(good, len));
        r->out[levels[k].share * r->stride] = saturate(adit_pm(len, f->sum_len[n]));
        r->out[levels[k].good_share * r->stride] = saturate(adit_pm(good, f->sum_good[n]));
    }
}

/* The nearest article, main, section. */
static void set_regions(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    const struct adit_el_facts *x = &f->els[el];
    const struct {
        uint32_t el;
        uint16_t share, link, good, siblings;
    } regions[] = {
        {x->article, ADIT_F_arts, ADIT_F_artlk, ADIT_F_artG, ADIT_F_artsib},
        {x->main, ADIT_F_mains, ADIT_F_mainlk, ADIT_F_mainG, 0},
        {x->section, ADIT_F_secs, ADIT_F_seclk, ADIT_F_secG, ADIT_F_secsib},
    };
    size_t n = f->tape->n_leaves;
    for (size_t k = 0; k < ADIT_COUNT(regions); k++) {
        uint32_t e = regions[k].el;
        bool some = e != ADIT_NONE;
        uint32_t len = some ? adit_el_sum(f, f->sum_len, e) : 0;
        r->out[regions[k].share * r->stride] = some ? saturate(adit_pm(len, f->sum_len[n])) : -1;
        r->out[regions[k].link * r->stride] =
            some ? saturate(adit_pm(adit_el_sum(f, f->sum_link, e), len)) : -1;
        r->out[regions[k].good * r->stride] =
            some ? saturate(adit_pm(adit_el_sum(f, f->sum_good, e), f->sum_good[n])) : -1;
        if (regions[k].siblings)
            r->out[regions[k].siblings * r->stride] = some ? saturate(f->els[e].siblings) : -1;
    }
}

static int64_t clamp(int64_t v, int64_t limit)
{
    return v < -limit ? -limit : v > limit ? limit : v;
}

static void set_container(struct row *r, size_t i, uint32_t el)
{
    const struct adit_el *top = &r->f->tape->els[r->f->top];
    SET(dtop, r->f->els[el].to_top), SET(dchn, r->f->els[el].to_chain);
    SET(rtop, i < top->leaf0 ? 0 : i >= top->leaf1 ? 2 : 1);
    SET(btop, clamp((int64_t)i - top->leaf0, 300));
    SET(etop, clamp((int64_t)top->leaf1 - 1 - (int64_t)i, 300));
}

static void set_groups(struct row *r, size_t i)
{
    const struct adit_facts *f = r->f;
    uint32_t all = f->sum_len[f->tape->n_leaves];
    const struct adit_group *g = &f->class_groups[f->class_group[i]];
    SET(gN, g->n), SET(gL, adit_pm(g->len, all)), SET(gM, g->len / g->n);
    SET(glk, adit_pm(g->link, g->len)), SET(gse, 10 * (uint64_t)g->sentences / g->n);
    g = &f->path_groups[f->path_group[i]];
    SET(tN, g->n), SET(tL, adit_pm(g->len, all)), SET(tM, g->len / g->n);
    SET(tlk, adit_pm(g->link, g->len)), SET(tse, 10 * (uint64_t)g->sentences / g->n);
}

/* The strongest repetition around: of the nine nearest ancestors with at least two sisters of the
 * same kind, the one whose parent has most text. */
static void set_repetition(struct row *r, uint32_t el)
{
    const struct adit_facts *f = r->f;
    const struct adit_el *els = f->tape->els;
    uint32_t best = ADIT_NONE, most = 0, level = 0, e = el;
    for (uint32_t k = 0; k < 9 && e != 0; k++, e = els[e].parent) {
        if (f->els[e].siblings < 3 || els[e].tag == LXB_TAG_P) continue;
        uint32_t len = adit_el_sum(f, f->sum_len, els[e].parent);
        if (best == ADIT_NONE || len > most) best = e, most = len, level = k;
    }
    bool some = best != ADIT_NONE;
    uint32_t parent = some ? els[best].parent : 0, n = some ? f->els[best].siblings : 0;
    uint32_t len = some ? adit_el_sum(f, f->sum_len, best) : 0;
    SET(rN, n), SET(rI, some ? (int64_t)f->els[best].sibling_index : -1);
    SET(rLv, some ? (int64_t)level : -1), SET(rL, some ? (int64_t)len : -1);
    SET(rlk, some ? adit_pm(adit_el_sum(f, f->sum_link, best), len) : -1);
    SET(rPs, some ? adit_pm(most, f->sum_len[f->tape->n_leaves]) : -1);
    SET(rPlk, some ? adit_pm(adit_el_sum(f, f->sum_link, parent), most) : -1);
    SET(rM, some ? (int64_t)(most / n) : -1);
    SET(rse, some ? (int64_t)(10 * (uint64_t)adit_el_sum(f, f->sum_sentences, parent) / n) : -1);
    uint32_t p1 = els[el].parent, p2 = p1 == ADIT_NONE ? ADIT_NONE : els[p1].parent;
    SET(sib0, f->els[el].siblings), SET(sidx0, f->els[el].sibling_index);
    SET(sib1, p1 == ADIT_NONE ? 0 : f->els[p1].siblings);
    SET(sib2, p2 == ADIT_NONE ? 0 : f->els[p2].siblings);
    SET(eimg, els[el].n_img);
}

/* Facts that only together say something. */
static void set_joint(struct row *r, size_t i, uint32_t el)
{
    const struct adit_facts *f = r->f;
    size_t n = f->tape->n_leaves;
    const struct adit_leaf_facts *x = &f->leaves[i];
    bool comment = f->els[el].distance[(size_t)ADIT_N_ANCESTORS + ADIT_CAT_comment] < ADIT_FAR;
    SET(comout, comment ? adit_pm(f->good_outside_comments, f->sum_good[n]) : -1);
    bool tail =
        f->sum_good[n] && 10 * (uint64_t)(f->sum_good[n] - f->sum_good[i + 1]) < f->sum_good[n];
    SET(lead, x->colon_at && x->colon_at <= 30 ? x->link_pm : -1);
    SET(emtail, tail ? x->emph_pm : -1);
    SET(lktail, tail ? x->link_pm : -1);
    const struct adit_el *top = &f->tape->els[f->top];
    uint32_t good_top = f->sum_good[top->leaf1] - f->sum_good[top->leaf0];
    bool big_top = 10 * (uint64_t)good_top >= 6 * (uint64_t)f->sum_good[n], a = f->claims_article;
    bool inside = i >= top->leaf0 && i < top->leaf1;
    const struct adit_group *g = &f->class_groups[f->class_group[i]];
    const struct adit_group *bg = &f->class_groups[f->biggest_group];
    const struct adit_section *s = &f->sections[f->section_of[i]];
    uint32_t sl = f->sum_len[s->end] - f->sum_len[s->begin];
    uint32_t art = f->els[el].article, top_art = f->els[f->top].article;
    SET(dtopA, a ? f->els[el].to_top : -1);
    SET(dchnA, a ? f->els[el].to_chain : -1);
    SET(dtopG, big_top ? f->els[el].to_top : -1);
    SET(artO, art == ADIT_NONE ? 0 : art == top_art ? 1 : top_art == ADIT_NONE ? 2 : 3);
    SET(gRel, adit_pm(g->len - g->link, bg->len - bg->link));
    SET(lkA, a ? x->link_pm : -1);
    SET(hslkA, a ? adit_pm(f->sum_link[s->end] - f->sum_link[s->begin], sl) : -1);
    SET(comA, a && comment);
    SET(rNA, a ? r->out[ADIT_F_rN * r->stride] : -1);
    SET(gseA, a ? (int64_t)(10 * (uint64_t)g->sentences / g->n) : -1);
    SET(gaftT, inside ? adit_pm(f->sum_good[top->leaf1] - f->sum_good[i + 1], good_top) : -1);
    SET(gbefT, inside ? adit_pm(f->sum_good[i] - f->sum_good[top->leaf0], good_top) : -1);
}

void adit_features_leaf(const struct adit_facts *f, size_t i, int16_t *out, size_t stride)
{
    struct row r = {f, out, stride};
    uint32_t el = f->tape->leaves[i].el;
    set_own(&r, i);
    set_ancestors(&r, el);
    set_position(&r, i);
    set_neighbours(&r, i);
    set_windows(&r, i);
    set_subtrees(&r, el);
    set_regions(&r, el);
    set_container(&r, i, el);
    set_groups(&r, i);
    set_repetition(&r, el);
    set_joint(&r, i, el);
}

/* --- the page ------------------------------------------------------------------------------------
 */

struct page_sums {
    uint64_t p, li, pre, td, noscript, comment, forum, list, product, cjk, chars;
    uint32_t headings[7], prices, times, years;
};

static void sum_page(const struct adit_facts *f, struct page_sums *s)
{
    const struct adit_tape *t = f->tape;
    for (size_t i = 0; i < t->n_leaves; i++) {
        const struct adit_leaf_facts *x = &f->leaves[i];
        const uint8_t *d = f->els[t->leaves[i].el].distance, *c = d + ADIT_N_ANCESTORS;
        if (x->tag == ADIT_TC_P || x->tag == ADIT_TC_PRE || x->tag == ADIT_TC_QUOTE) s->p += x->len;
        if (d[ADIT_ANC_li] == 0) s->li += x->len;
        if (x->tag == ADIT_TC_PRE) s->pre += x->len;
        if (x->tag == ADIT_TC_CELL) s->td += x->len;
        if (d[ADIT_ANC_noscript] < ADIT_FAR) s->noscript += x->len;
        if (c[ADIT_CAT_comment] < ADIT_FAR) s->comment += x->len;
        if (c[ADIT_CAT_forum] < ADIT_FAR) s->forum += x->len;
        if (c[ADIT_CAT_list] < ADIT_FAR) s->list += x->len;
        if (c[ADIT_CAT_product] < ADIT_FAR) s->product += x->len;
        s->cjk += t->leaves[i].cjk;
        s->chars += x->len - 2 * t->leaves[i].cjk;
        s->headings[x->heading]++;
        s->prices += x->prices > 0, s->years += x->year, s->times += t->leaves[i].n_time > 0;
    }
}

static int64_t at_most(uint64_t v, int64_t most) { return v > (uint64_t)most ? most : (int64_t)v; }

static void set_landmarks(struct row *r)
{
    const struct adit_facts *f = r->f;
    const struct adit_tape *t = f->tape;
    uint32_t articles = 0, mains = 0, forms = 0, main_len = 0;
    for (uint32_t e = 0; e < t->n_els; e++) {
        articles += t->els[e].tag == LXB_TAG_ARTICLE, forms += t->els[e].tag == LXB_TAG_FORM;
        if (f->els[e].main != e) continue;
        uint32_t len = adit_el_sum(f, f->sum_len, e);
        mains++;
        if (len > main_len) main_len = len;
    }
    SET(g_nart, at_most(articles, 99)), SET(g_nmain, at_most(mains, 9));
    SET(g_nform, at_most(forms, 99));
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
    uint32_t body = r->f->body_categories;
    SET(g_ldArt, (hints->kinds & ADIT_KIND_ARTICLE) != 0);
    SET(g_ldProd, (hints->kinds & ADIT_KIND_PRODUCT) != 0);
    SET(g_ldForum, (hints->kinds & ADIT_KIND_FORUM) != 0);
    SET(g_ldList, (hints->kinds & ADIT_KIND_LIST) != 0);
    SET(g_ldFaq, (hints->kinds & ADIT_KIND_FAQ) != 0);
    SET(g_og, adit_og_class(hints->og_type));
    SET(g_bd_article, body >> ADIT_CAT_article & 1),
        SET(g_bd_product, body >> ADIT_CAT_product & 1);
    SET(g_bd_forum, body >> ADIT_CAT_forum & 1), SET(g_bd_list, body >> ADIT_CAT_list & 1);
    SET(g_bd_main, body >> ADIT_CAT_main & 1);
}

static void set_biggest_group(struct row *r)
{
    const struct adit_facts *f = r->f;
    const struct adit_group *best = &f->class_groups[f->biggest_group];
    SET(g_bgN, at_most(best->n, 999));
    SET(g_bgLpm, adit_pm(best->len, f->sum_len[f->tape->n_leaves]));
    SET(g_bgMean, best->len / best->n);
}

void adit_features_page(const struct adit_facts *f, const struct adit_page_hints *hints,
                        int16_t *out)
{
    struct row row = {f, out - ADIT_N_LEAF_FEATURES, 1}, *r = &row;
    struct page_sums s = {0};
    size_t n = f->tape->n_leaves;
    uint32_t all = f->sum_len[n], good = f->sum_good[n];
    sum_page(f, &s);
    SET(g_TLKpm, adit_pm(f->sum_link[n], all)), SET(g_Gpm, adit_pm(good, all));
    SET(g_Ppm, adit_pm(s.p, all)), SET(g_LIpm, adit_pm(s.li, all));
    SET(g_PREpm, adit_pm(s.pre, all)), SET(g_TDpm, adit_pm(s.td, all));
    SET(g_NSpm, adit_pm(s.noscript, all)), SET(g_ncom, adit_pm(s.comment, all));
    SET(g_nfor, adit_pm(s.forum, all)), SET(g_nlst, adit_pm(s.list, all));
    SET(g_nprd, adit_pm(s.product, all)), SET(g_CJpm, adit_pm(s.cjk, s.chars));
    SET(g_nh1, at_most(s.headings[1], 9)), SET(g_nh2, at_most(s.headings[2], 99));
    SET(g_nh3, at_most(s.headings[3], 99)), SET(g_ncur, at_most(s.prices, 99));
    SET(g_ntime, at_most(s.times, 99)), SET(g_nyear, at_most(s.years, 99));
    SET(g_topL, adit_pm(adit_el_sum(f, f->sum_len, f->top), all));
    SET(g_topG, adit_pm(adit_el_sum(f, f->sum_good, f->top), good));
    SET(g_chainG, adit_pm(adit_el_sum(f, f->sum_len, f->chain_end), all));
    SET(g_chnLen, f->chain_len), SET(g_topS, f->top_score / 60);
    set_landmarks(r);
    set_claims(r, hints);
    set_biggest_group(r);
}
