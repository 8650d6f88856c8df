/* From scores to what is kept: the page's cut, then what goes or stays for another reason: hidden,
 * said twice, a listing in the text, a line about the text. */
#include "select/context_impl.h"
#include "select/notes_impl.h"
#include "select/score_impl.h"

#include <string.h>

/* A row of links. Its kin cannot save it: bars of links are often dressed like the text. */
static bool is_link_row(const struct adit_facts *f, size_t i)
{
    const struct adit_leaf_stats *x = &f->leaves[i];
    return f->tape->leaves[i].n_links >= 2 && 10 * (uint64_t)x->link >= 9 * (uint64_t)x->len;
}

static void limit_link_rows(const struct adit_facts *f, struct adit_verdicts *v)
{
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        if (v->first[i] < v->scores[i] && is_link_row(f, i)) v->scores[i] = v->first[i];
}

/* Such a row before the title leads away from the page. */
static bool is_navigation(const struct adit_facts *f, size_t i)
{
    return f->title != SIZE_MAX && i < f->title && is_link_row(f, i);
}

/* Every page is about something: where nothing reaches even odds, all scores rise until the best
 * does. */
static void lift_scores(const struct adit_facts *f, struct adit_verdicts *v)
{
    size_t n = f->tape->n_leaves;
    int32_t best = INT32_MIN;
    for (size_t i = 0; i < n; i++)
        if (!adit_leaf_unseen(&f->tape->leaves[i]) && v->scores[i] > best) best = v->scores[i];
    for (size_t i = 0; i < n && best < 0 && best != INT32_MIN; i++) v->scores[i] -= best;
}

/* The number of comments must not move the page's cut: below an article they are kept only above
 * this score, odds of about 7 : 1 that they are content. */
enum { COMMENT_MIN = 512 };

static uint8_t bucket_of(const struct adit_facts *f, const struct adit_verdicts *v, size_t i)
{
    bool apart = f->comments_apart && v->scores[i] < COMMENT_MIN && adit_leaf_is_comment(f, i);
    return apart ? 0 : adit_bucket(v->scores[i]);
}

/* Reads "3/50" at the begin of a text. */
static bool read_slide(struct adit_str text, uint32_t *number, uint32_t *of)
{
    uint32_t v[2] = {0};
    size_t at = 0;
    for (size_t k = 0; k < 2; k++) {
        size_t from = at;
        for (; at < text.len && at - from < 3 && adit_is_digit(text.p[at]); at++)
            v[k] = v[k] * 10 + (uint32_t)(text.p[at] - '0');
        if (at == from || (k == 0 && (at == text.len || text.p[at++] != '/'))) return false;
    }
    *number = v[0], *of = v[1];
    return v[0] <= v[1];
}

/* A slide show beside the text: cards whose headings count "1/50", "2/50" … They are captions of
 * pictures, however many: what they score must not count either. On a page with little else they
 * stay. */
struct slides {
    size_t begin, end;
};

static struct slides find_slides(const struct adit_facts *f)
{
    enum { SLIDES_MIN = 3, WORDS_MIN = 100 };
    const struct adit_tape *t = f->tape;
    uint32_t slides = 0, all = 0, number, of;
    struct slides s = {0};
    uint64_t beside = 0;
    for (size_t i = 0; i < t->n_leaves; i++) {
        if (!f->leaves[i].heading || !read_slide(t->leaves[i].text, &number, &of)) continue;
        uint32_t card = t->els[t->leaves[i].el].parent;
        if (number != slides + 1 || (slides && of != all) || f->els[card].siblings < SLIDES_MIN)
            continue;
        if (!slides++) s.begin = t->els[card].leaf0;
        all = of, s.end = t->els[card].leaf1;
    }
    for (size_t i = 0; i < t->n_leaves && slides; i++)
        if (f->leaves[i].good && (i < s.begin || i >= s.end)) beside += f->leaves[i].words;
    return slides >= SLIDES_MIN && beside >= WORDS_MIN ? s : (struct slides){0};
}

static bool is_slide(struct slides s, size_t i) { return i >= s.begin && i < s.end; }

static uint8_t find_cut(const struct adit_facts *f, const struct adit_verdicts *v,
                        struct slides slides)
{
    uint64_t words[ADIT_BUCKETS] = {0};
    for (size_t i = 0; i < f->tape->n_leaves; i++)
        if (!adit_leaf_unseen(&f->tape->leaves[i]) && !is_slide(slides, i))
            words[bucket_of(f, v, i)] += adit_leaf_weight(&f->leaves[i]);
    return adit_best_cut(words);
}

/* Texts kept so far, by hash; a search that takes too long counts as "not seen". */
struct seen {
    uint32_t *slots;  /* 1 + the leaf, or 0 */
    uint64_t *hashes; /* of the rows of texts in the slots; NULL: they hold single texts */
    size_t mask;
};
enum { PROBES = 16, REPEAT_WORDS_MIN = 8 };

/* Short texts and headings may be said again. */
static bool may_repeat(const struct adit_leaf_stats *x)
{
    return x->heading || x->words < REPEAT_WORDS_MIN;
}

/* Room for n texts, or rows of texts. */
static bool seen_init(struct seen *s, size_t n, bool rows, struct adit_arena *arena)
{
    size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    s->slots = adit_arena_zalloc(arena, slots, sizeof *s->slots);
    s->hashes = rows ? adit_arena_alloc(arena, slots * sizeof *s->hashes) : NULL;
    s->mask = slots - 1;
    return s->slots && (s->hashes || !rows);
}

/* Whether another text was kept in a place of the same kind as this one, or in the same. */
static bool is_same_place(const struct adit_facts *f, uint32_t other, size_t i)
{
    const struct adit_tape *t = f->tape;
    uint32_t el = t->leaves[i].el;
    bool quoted = f->els[el].distance[ADIT_ANC_blockquote] < ADIT_FAR;
    return t->els[t->leaves[other].el].parent == t->els[el].parent ||
           (!quoted && f->class_group[other] == f->class_group[i]);
}

/* Whether a text was kept before below another parent: copies for other screens, quoted posts,
 * teasers. A text said twice in one place, or in places of the same kind, is the author's own
 * repetition, unless it is a quotation. */
static bool seen_elsewhere(struct seen *s, const struct adit_facts *f, size_t i, uint64_t hash)
{
    for (size_t k = 0; k < PROBES; k++) {
        size_t at = (size_t)((hash >> 20) + k) & s->mask;
        if (!s->slots[at]) {
            s->slots[at] = (uint32_t)i + 1;
            if (s->hashes) s->hashes[at] = hash;
            return false;
        }
        uint32_t other = s->slots[at] - 1;
        if ((s->hashes ? s->hashes[at] : f->leaves[other].hash) == hash)
            return !is_same_place(f, other, i);
    }
    return false;
}

static void drop(struct adit_tape *t, struct adit_verdicts *v, size_t i,
                 enum adit_select_reason why)
{
    t->leaves[i].keep = false;
    v->reasons[i] = (uint8_t)why;
}

/* Whether a text is a phrase of some words over and over: a line that runs through the picture. */
static bool is_ticker(struct adit_str text)
{
    enum { PHRASES_MIN = 5, PHRASE_MIN = 8, BEGIN = 4 };
    if (text.len / PHRASES_MIN < PHRASE_MIN) return false;
    struct adit_str first = adit_str_sub(text, 0, text.len / PHRASES_MIN + BEGIN);
    size_t period = adit_str_find(first, adit_str_sub(text, 0, BEGIN), 1);
    return period >= PHRASE_MIN && period < first.len && memchr(text.p, ' ', period) &&
           memcmp(text.p, text.p + period, text.len - period) == 0;
}

/* Three kept texts, one after the other, outside of tables. */
enum { ROW = 3 };
struct row {
    size_t leaf[ROW], n;
};

/* Adds leaf i if it is kept; whether the row now says enough to be known again. */
static bool row_add(struct row *r, const struct adit_facts *f, const struct adit_tape *t, size_t i)
{
    uint32_t words = 0;
    if (!t->leaves[i].keep || f->leaves[i].tag == ADIT_TC_CELL) return false;
    r->leaf[r->n++ % ROW] = i;
    for (size_t k = 0; k < ROW && r->n >= ROW; k++) words += f->leaves[r->leaf[k]].words;
    return words >= REPEAT_WORDS_MIN;
}

/* Texts that may be said again are copies if the whole row was: a page may have its cards twice,
 * for wide screens and for small ones. */
static enum adit_code drop_copies(const struct adit_facts *f, struct adit_tape *t,
                                  struct adit_arena *arena, struct adit_verdicts *v)
{
    struct row r = {.n = 0};
    struct seen seen;
    size_t rows = 0;
    for (size_t i = 0; i < t->n_leaves; i++) rows += row_add(&r, f, t, i);
    if (!seen_init(&seen, rows, true, arena)) return ADIT_ENOMEM;
    r.n = 0;
    for (size_t i = 0; i < t->n_leaves; i++) {
        uint64_t hash = 0;
        if (!row_add(&r, f, t, i)) continue;
        for (size_t k = r.n; k < r.n + ROW; k++)
            hash = adit_mix(hash, f->leaves[r.leaf[k % ROW]].hash);
        if (!seen_elsewhere(&seen, f, i, hash)) continue;
        for (size_t k = 0; k < ROW; k++) drop(t, v, r.leaf[k], ADIT_REPEATED);
    }
    return ADIT_OK;
}

/* Whether the page around a leaf is its frame: navigation, header, footer, aside, form. */
static bool in_frame(const struct adit_facts *f, size_t i)
{
    const uint8_t *d = f->els[f->tape->leaves[i].el].distance;
    return d[ADIT_ANC_nav] < ADIT_FAR || d[ADIT_ANC_header] < ADIT_FAR ||
           d[ADIT_ANC_footer] < ADIT_FAR || d[ADIT_ANC_aside] < ADIT_FAR ||
           d[ADIT_ANC_form] < ADIT_FAR;
}

/* Nothing passed: the visible body without its frame; if that is nothing, with it. */
static void fall_back(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    size_t kept = 0;
    for (int with_frame = 0; with_frame < 2 && !kept; with_frame++)
        for (size_t i = 0; i < t->n_leaves; i++) {
            if (adit_leaf_unseen(&t->leaves[i]) || (!with_frame && in_frame(f, i))) continue;
            t->leaves[i].keep = true, kept++;
            v->reasons[i] = ADIT_KEPT_FALLBACK;
        }
}

static void keep(struct adit_tape *t, struct adit_verdicts *v, size_t i)
{
    t->leaves[i].keep = true;
    v->reasons[i] = ADIT_KEPT_BESIDE;
}

static void keep_beside(struct adit_tape *t, struct adit_verdicts *v, size_t i)
{
    if (v->reasons[i] == ADIT_LOW_SCORE && adit_bucket(v->scores[i]) >= ADIT_CUT_MIN) keep(t, v, i);
}

/* Listings look like nothing else on their page, so their scores say little: unless they are
 * hopeless, they stay with the text that leads to them. */
static void keep_listings(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    bool led = false; /* the text before is kept */
    for (size_t i = 0; i < t->n_leaves; i++) {
        if (adit_leaf_unseen(&t->leaves[i])) continue;
        if (f->leaves[i].tag != ADIT_TC_PRE)
            led = t->leaves[i].keep;
        else if (led)
            keep_beside(t, v, i);
    }
}

/* On pages that are no article a heading stays with the text that it heads, unless it is hopeless.
 */
static void keep_headings(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    bool heads = false; /* the text after it is kept */
    if (f->claims_article) return;
    for (size_t i = t->n_leaves; i-- > 0;) {
        if (adit_leaf_unseen(&t->leaves[i])) continue;
        if (heads && i != f->title && f->leaves[i].heading) keep_beside(t, v, i);
        heads = t->leaves[i].keep;
    }
}

/* Whether the leaves [a, z) of a table are data: many short cells, and not nearly all links. */
static bool is_data(const struct adit_facts *f, size_t a, size_t z)
{
    enum { CELLS_MIN = 4, WORDS_MAX = 12 };
    uint64_t cells = 0, words = 0, link = 0, len = 0;
    for (size_t i = a; i < z; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        if (adit_leaf_unseen(&f->tape->leaves[i])) continue;
        cells++, words += x->words, link += x->link, len += x->len;
    }
    return cells >= CELLS_MIN && words <= WORDS_MAX * cells && 10 * link <= 7 * len;
}

/* Whether the texts before and after the leaves [a, z) are kept. */
static bool is_between(const struct adit_tape *t, size_t a, size_t z)
{
    while (a > 0 && adit_leaf_unseen(&t->leaves[a - 1])) a--;
    while (z < t->n_leaves && adit_leaf_unseen(&t->leaves[z])) z++;
    return a > 0 && t->leaves[a - 1].keep && z < t->n_leaves && t->leaves[z].keep;
}

/* A table of data between kept texts stays, whole. From the end: of tables within tables only the
 * innermost are looked at, so that every leaf is looked at once. */
static void keep_tables(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    size_t next = SIZE_MAX; /* where the table after it begins */
    for (size_t e = t->n_els; e-- > 0;) {
        size_t a = t->els[e].leaf0, z = t->els[e].leaf1;
        if (t->els[e].tag != ADIT_TAG_TABLE || a == z) continue;
        bool innermost = next >= z;
        next = a;
        if (!innermost || !is_data(f, a, z) || !is_between(t, a, z)) continue;
        for (size_t i = a; i < z; i++) keep_beside(t, v, i);
    }
}

/* Notes stay with the text that points to them. */
static enum adit_code keep_notes(const struct adit_facts *f, struct adit_tape *t,
                                 struct adit_arena *arena, struct adit_verdicts *v)
{
    if (!f->claims_article) return ADIT_OK;
    uint8_t *is_note = adit_arena_zalloc(arena, t->n_leaves, 1);
    if (!is_note) return ADIT_ENOMEM;
    ADIT_TRY(adit_notes_find(f, arena, is_note));
    for (size_t i = 0; i < t->n_leaves; i++)
        if (is_note[i] && v->reasons[i] == ADIT_LOW_SCORE && !adit_leaf_is_comment(f, i))
            keep(t, v, i);
    return ADIT_OK;
}

/* The page's title is told apart from its content: its heading goes, whatever its score. */
static void drop_title(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    if (f->title == SIZE_MAX || !t->leaves[f->title].keep) return;
    const struct adit_leaf_stats *x = &f->leaves[f->title];
    if (x->title_match == 3 || (x->title_match && x->heading == 1))
        drop(t, v, f->title, ADIT_TITLE);
}

static bool has_digit(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (adit_is_digit(s.p[i])) return true;
    return false;
}

/* Who wrote it, when, how long it takes to read, how often it was seen, where to share it: short
 * lines between the title and the first running text. They are metadata, and they change while the
 * text does not. */
static void drop_bylines(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    enum { LETTERS_MAX = 80 };
    if (f->title == SIZE_MAX) return;
    size_t end = f->title + 1;
    while (end < t->n_leaves && !(t->leaves[end].keep && f->leaves[end].good)) end++;
    if (end == t->n_leaves || end - f->title > 12) return;
    for (size_t i = f->title + 1; i < end; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        const struct adit_leaf *leaf = &t->leaves[i];
        const uint8_t *d = f->els[leaf->el].distance + ADIT_N_ANCESTORS;
        bool line = !x->heading && x->tag != ADIT_TC_LI && x->tag != ADIT_TC_CELL &&
                    x->tag != ADIT_TC_PRE && x->len < LETTERS_MAX && !x->ends;
        bool meta = leaf->n_time || d[ADIT_CAT_meta] <= 2 || has_digit(leaf->text);
        bool share = x->len < LETTERS_MAX && x->link == x->len && d[ADIT_CAT_share] <= 2;
        if (leaf->keep && ((line && meta) || share)) drop(t, v, i, ADIT_BYLINE);
    }
}

/* A heading that reads like a paragraph is one: some pages are written in headings. */
static uint8_t heading_level(const struct adit_leaf_stats *x) { return x->good ? 0 : x->heading; }

/* A heading stays for what it heads: kept text before the next heading of its level or above. */
static void drop_bare_headings(const struct adit_facts *f, struct adit_tape *t,
                               struct adit_verdicts *v)
{
    bool below[7] = {false}; /* a level: kept text follows in a section of this level */
    for (size_t i = t->n_leaves; i-- > 0;) {
        uint8_t level = heading_level(&f->leaves[i]);
        for (uint8_t l = 1; !level && t->leaves[i].keep && l < 7; l++) below[l] = true;
        if (!level) continue;
        if (t->leaves[i].keep && !below[level] && i != f->title) drop(t, v, i, ADIT_HEADLESS);
        for (uint8_t l = level; l < 7; l++) below[l] = false;
    }
}

/* Teasers below an article: at least five records of the same kind, behind the element that holds
 * its text, each with a heading that is a link. Where that element holds little of the page's
 * running text, the records are the article. */
static void drop_teasers(const struct adit_facts *f, struct adit_tape *t, struct adit_verdicts *v)
{
    enum { RECORDS_MIN = 5, LEVELS = 4 };
    size_t after = t->els[f->top].leaf1;
    if (!f->claims_article || f->title == SIZE_MAX || f->title > after) return;
    if (5 * (uint64_t)adit_el_sum(f, f->sum_good, f->top) < f->sum_good[t->n_leaves]) return;
    for (size_t i = after; i < t->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        if (!x->heading || x->link_pm < 900) continue;
        uint32_t el = t->leaves[i].el;
        for (int k = 0; k < LEVELS && el != ADIT_NONE && f->els[el].siblings < RECORDS_MIN; k++)
            el = t->els[el].parent;
        if (el == ADIT_NONE || f->els[el].siblings < RECORDS_MIN || t->els[el].leaf0 < after)
            continue;
        for (size_t j = t->els[el].leaf0; j < t->els[el].leaf1; j++)
            if (t->leaves[j].keep) drop(t, v, j, ADIT_TEASER);
    }
}

/* Whether what is kept is nearly all running text: then short lines around it are not content. On
 * lists, shops and forums they may be all there is. */
static bool is_prose(const struct adit_facts *f, const struct adit_tape *t)
{
    uint64_t good = 0, all = 0;
    for (size_t i = 0; i < t->n_leaves; i++)
        if (t->leaves[i].keep) all += f->leaves[i].len, good += adit_leaf_good(&f->leaves[i]);
    return good * 10 >= all * 8;
}

enum adit_code adit_decide(const struct adit_facts *f, struct adit_tape *t,
                           struct adit_arena *arena, struct adit_verdicts *v)
{
    size_t kept = 0, long_texts = 0;
    struct seen seen;
    for (size_t i = 0; i < t->n_leaves; i++) long_texts += !may_repeat(&f->leaves[i]);
    struct adit_arena_mark mark = adit_arena_mark(arena);
    if (!seen_init(&seen, long_texts, false, arena)) return ADIT_ENOMEM;
    ADIT_TRY(adit_even_out(f, v->scores, arena));
    limit_link_rows(f, v);
    lift_scores(f, v);
    struct slides slides = find_slides(f);
    uint8_t cut = find_cut(f, v, slides);
    v->cut = cut * 16 - 2048;
    for (size_t i = 0; i < t->n_leaves; i++) {
        enum adit_select_reason why = ADIT_KEPT;
        if (adit_leaf_unseen(&t->leaves[i]))
            why = ADIT_HIDDEN;
        else if (is_slide(slides, i))
            why = ADIT_SLIDE;
        else if (bucket_of(f, v, i) < cut)
            why = ADIT_LOW_SCORE;
        else if (is_navigation(f, i))
            why = ADIT_NAVIGATION;
        else if (is_ticker(t->leaves[i].text) ||
                 (!may_repeat(&f->leaves[i]) && seen_elsewhere(&seen, f, i, f->leaves[i].hash)))
            why = ADIT_REPEATED;
        v->reasons[i] = (uint8_t)why;
        t->leaves[i].keep = why == ADIT_KEPT;
    }
    adit_arena_release(arena, mark);
    ADIT_TRY(drop_copies(f, t, arena, v));
    adit_arena_release(arena, mark);
    keep_headings(f, t, v);
    keep_listings(f, t, v);
    keep_tables(f, t, v);
    ADIT_TRY(keep_notes(f, t, arena, v));
    drop_teasers(f, t, v);
    if (is_prose(f, t)) {
        drop_bylines(f, t, v);
        drop_bare_headings(f, t, v);
    }
    drop_title(f, t, v);
    for (size_t i = 0; i < t->n_leaves; i++) kept += t->leaves[i].keep;
    if (!kept) fall_back(f, t, v);
    return ADIT_OK;
}
