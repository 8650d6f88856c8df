/* The page's kind, and the F1 that its selection may be expected to have: facts that the selection
 * knows already, and a scorecard of steps for each kind (kind_weights_impl.h, learned). Integers
 * only. */
#include "select/kind_impl.h"
#include "select/kind_weights_impl.h"

enum {
    VALUE_MAX = INT16_MAX,
    DOUBT_LOW = 819 / 4,
    DOUBT_HIGH = 819,
    URL_MAX = 300,
    RECORDS_MIN = 5 /* fewer records may be the columns of a page */
};

static int16_t at_most(uint64_t v) { return (int16_t)(v < VALUE_MAX ? v : VALUE_MAX); }
static int16_t share(uint64_t part, uint64_t whole)
{
    return at_most((uint64_t)adit_pm(part, whole));
}

/* --- the address ------------------------------------------------------------------------------ */

/* Words of paths, and of names of hosts, that tell what stands there. */
static const struct word {
    const char *words;
    uint8_t fact;
} words[] = {
    {"blog,blogs,news,article,articles,post,posts,story,stories,magazine,opinion,archives",
     ADIT_KF_url_article},
    {"docs,doc,documentation,reference,manual,manuals,guide,guides,api,wiki,help,handbook,tutorial,"
     "tutorials,learn,kb,man,developer,developers",
     ADIT_KF_url_docs},
    {"forum,forums,thread,threads,topic,topics,viewtopic,showthread,discussion,discussions,"
     "questions,community,comments,t,r",
     ADIT_KF_url_forum},
    {"product,products,p,dp,item,items,shop,store,buy,sku", ADIT_KF_url_product},
    {"category,categories,tag,tags,collection,collections,c,archive,search,browse,list,lists,"
     "catalog,listing,listings,best,top,jobs,events,directory,courses,programs,departments,"
     "sections",
     ADIT_KF_url_list},
};

static void count_words(struct adit_str part, int16_t *out)
{
    for (size_t i = 0; i < ADIT_COUNT(words); i++)
        if (adit_str_in(part, words[i].words)) out[words[i].fact]++;
}

/* The labels of a host's name before its domain: docs.example.com. */
static void read_host(struct adit_str host, int16_t *out)
{
    struct adit_str label;
    size_t dots = 0;
    for (size_t i = 0; i < host.len; i++) dots += host.p[i] == '.';
    for (; dots >= 2 && adit_str_split(&host, '.', &label); dots--) count_words(label, out);
}

static void read_url(struct adit_str url, int16_t *out)
{
    url = adit_str_sub(url, 0, URL_MAX);
    size_t host = adit_str_find(url, ADIT_STR("//"), 0) + 2;
    size_t from = adit_str_chr(url, '/', host);
    struct adit_str path = adit_str_sub(url, from, adit_str_chr(url, '?', from)), part;
    read_host(adit_str_sub(url, host, from), out);
    while (adit_str_split(&path, '/', &part)) {
        if (!part.len) continue;
        out[ADIT_KF_url_depth]++;
        uint64_t hyphens = 0;
        for (size_t i = 0; i < part.len; i++) hyphens += part.p[i] == '-';
        out[ADIT_KF_url_words] = at_most(hyphens);
        count_words(adit_str_sub(part, 0, adit_str_chr(part, '.', 0)), out);
    }
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Letters of texts, by what they are; all of the page, or what is kept. */
struct sums {
    uint64_t len, words, link, good, item, code, cell, leaves;
    uint32_t headings, prices;
};

static void add_leaf(struct sums *s, const struct adit_leaf_stats *x)
{
    s->len += x->len, s->link += x->link, s->good += adit_leaf_good(x), s->leaves++;
    s->words += adit_leaf_weight(x);
    if (x->tag == ADIT_TC_LI) s->item += x->len;
    if (x->tag == ADIT_TC_PRE) s->code += x->len;
    if (x->tag == ADIT_TC_CELL) s->cell += x->len;
    s->headings += x->heading == 2 || x->heading == 3;
    s->prices += x->prices;
}

/* What the scores promise: words that are probably right, kept and in all. */
struct promise {
    uint64_t right, kept, all, doubtful;
};

static void promise(struct promise *p, const struct adit_leaf_stats *x, int32_t score, bool keep)
{
    uint64_t odds = adit_probability(adit_bucket(score)), w = adit_leaf_weight(x);
    p->all += w * odds;
    if (odds > DOUBT_LOW && odds < DOUBT_HIGH) p->doubtful += w;
    if (!keep) return;
    p->right += w * odds;
    p->kept += w * 1024;
}

/* Whether leaf i stands in one of many records: posts, teasers, products. */
static bool is_in_records(const struct adit_facts *f, size_t i)
{
    uint32_t k = f->els[f->tape->leaves[i].el].record;
    return k != ADIT_NONE && f->record_kinds[k].n >= RECORDS_MIN;
}

static void read_leaves(const struct adit_facts *f, const struct adit_verdicts *v, int16_t *out)
{
    const struct adit_tape *t = f->tape;
    struct sums all = {0}, kept = {0};
    struct promise p = {0};
    uint64_t forum = 0, list = 0, product = 0, times = 0, records = 0;
    for (size_t i = 0; i < t->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        const uint8_t *c = f->els[t->leaves[i].el].distance + ADIT_N_ANCESTORS;
        add_leaf(&all, x);
        if (t->leaves[i].keep) add_leaf(&kept, x);
        if (!adit_leaf_unseen(&t->leaves[i])) promise(&p, x, v->scores[i], t->leaves[i].keep);
        if (c[ADIT_CAT_forum] < ADIT_FAR) forum += x->len;
        if (c[ADIT_CAT_list] < ADIT_FAR) list += x->len;
        if (c[ADIT_CAT_product] < ADIT_FAR) product += x->len;
        times += t->leaves[i].n_time > 0;
        if (t->leaves[i].keep && is_in_records(f, i)) records += adit_leaf_weight(x);
        if (x->title_match > out[ADIT_KF_title_shown]) out[ADIT_KF_title_shown] = x->title_match;
        out[ADIT_KF_inputs] = at_most((uint64_t)out[ADIT_KF_inputs] + (t->leaves[i].n_input > 0));
    }
    out[ADIT_KF_words] = at_most(all.words);
    out[ADIT_KF_links] = share(all.link, all.len);
    out[ADIT_KF_prose] = share(all.good, all.len);
    out[ADIT_KF_listings] = share(all.code, all.len);
    out[ADIT_KF_items] = share(all.item, all.len);
    out[ADIT_KF_forum_words] = share(forum, all.len);
    out[ADIT_KF_list_words] = share(list, all.len);
    out[ADIT_KF_product_words] = share(product, all.len);
    out[ADIT_KF_prices] = at_most(all.prices);
    out[ADIT_KF_times] = at_most(times);
    out[ADIT_KF_headings] = at_most(all.headings);
    out[ADIT_KF_kept_words] = at_most(kept.words);
    out[ADIT_KF_kept_share] = share(kept.words, all.words);
    out[ADIT_KF_kept_links] = share(kept.link, kept.len);
    out[ADIT_KF_kept_prose] = share(kept.good, kept.len);
    out[ADIT_KF_kept_items] = share(kept.item, kept.len);
    out[ADIT_KF_kept_code] = share(kept.code, kept.len);
    out[ADIT_KF_kept_cells] = share(kept.cell, kept.len);
    out[ADIT_KF_kept_headings] = at_most(kept.headings);
    out[ADIT_KF_kept_prices] = at_most(kept.prices);
    out[ADIT_KF_kept_mean] = at_most(kept.len / (kept.leaves ? kept.leaves : 1));
    out[ADIT_KF_kept_records] = share(records, kept.words);
    out[ADIT_KF_expected] = share(2 * p.right, p.kept + p.all);
    out[ADIT_KF_doubt] = share(1024 * p.doubtful, p.kept);
}

void adit_kind_facts(const struct adit_facts *f, const struct adit_page_hints *hints,
                     const struct adit_verdicts *v, int16_t out[ADIT_N_KIND_FACTS])
{
    static const uint32_t claims[] = {[ADIT_KF_ld_article] = ADIT_KIND_ARTICLE,
                                      [ADIT_KF_ld_product] = ADIT_KIND_PRODUCT,
                                      [ADIT_KF_ld_forum] = ADIT_KIND_FORUM,
                                      [ADIT_KF_ld_list] = ADIT_KIND_LIST,
                                      [ADIT_KF_ld_faq] = ADIT_KIND_FAQ};
    for (size_t k = 0; k < ADIT_N_KIND_FACTS; k++) out[k] = 0;
    for (size_t k = 0; k < ADIT_COUNT(claims); k++) out[k] = (hints->kinds & claims[k]) != 0;
    out[ADIT_KF_og_class] = (int16_t)adit_og_class(hints->og_type);
    read_url(hints->url, out);
    read_leaves(f, v, out);
    out[ADIT_KF_is_forum] = f->is_forum;
    out[ADIT_KF_comments] = f->comments_apart;
    for (size_t k = 0; k < f->n_record_kinds; k++)
        if (f->record_kinds[k].thread && out[ADIT_KF_thread] < at_most(f->record_kinds[k].n))
            out[ADIT_KF_thread] = at_most(f->record_kinds[k].n);
}

/* --- the scorecards --------------------------------------------------------------------------- */

void adit_kind_look(const int16_t facts[ADIT_N_KIND_FACTS], const struct adit_page_hints *hints,
                    struct adit_page_look *look)
{
    enum { CONFIDENCE = ADIT_PAGE_KINDS };
    int32_t sum[ADIT_PAGE_KINDS + 1];
    for (size_t k = 0; k <= CONFIDENCE; k++) sum[k] = adit_kind_base[k];
    for (size_t k = 0; k < ADIT_COUNT(adit_kind_steps); k++) {
        const struct adit_kind_step *s = &adit_kind_steps[k];
        if (facts[s->fact] > s->threshold) sum[s->output] += s->delta;
    }
    size_t best = 0;
    for (size_t k = 1; k < ADIT_PAGE_KINDS; k++)
        if (sum[k] > sum[best]) best = k;
    /* Few pages of this kind are in the corpora; those that are say so. */
    if (hints->kinds & ADIT_KIND_RECIPE) best = ADIT_PAGE_RECIPE;
    int32_t c = sum[CONFIDENCE];
    look->kind = (uint8_t)best;
    look->confidence = (uint16_t)(c < 0 ? 0 : c > 1000 ? 1000 : c);
}
