/* Rules that take: texts that score, and are no content for another reason: said twice, the title
 * itself, lines about the text, teasers. */
#include "select/decide_impl.h"

#include <string.h>

/* Texts kept so far, by hash; a search that takes too long counts as "not seen". */
struct seen {
    uint32_t *slots; /* 1 + the leaf, or 0 */
    size_t mask;
};
enum { PROBES = 16, REPEAT_WORDS_MIN = 8 };

/* Short texts and headings may be said again. */
static bool may_repeat(const struct adit_leaf_stats *x)
{
    return x->heading || x->words < REPEAT_WORDS_MIN;
}

/* Room for n texts. */
static bool seen_init(struct seen *s, size_t n, struct adit_arena *arena)
{
    size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    s->slots = adit_arena_zalloc(arena, slots, sizeof *s->slots);
    s->mask = slots - 1;
    return s->slots;
}

/* Whether another text was kept in a place of the same kind as this one, or in the same. */
static bool is_same_place(const struct adit_facts *f, uint32_t other, size_t i)
{
    const struct adit_leaf *leaves = f->tape->leaves;
    const struct adit_el *els = f->tape->els;
    return els[leaves[other].el].parent == els[leaves[i].el].parent ||
           f->class_group[other] == f->class_group[i];
}

/* Whether a text was kept before below another parent: copies for other screens, quoted posts,
 * teasers. A text said twice in one place, or in places of the same kind, is the author's own
 * repetition. */
static bool seen_elsewhere(struct seen *s, const struct adit_facts *f, size_t i)
{
    uint64_t hash = f->leaves[i].hash;
    for (size_t k = 0; k < PROBES; k++) {
        size_t at = (size_t)((hash >> 20) + k) & s->mask;
        if (!s->slots[at]) {
            s->slots[at] = (uint32_t)i + 1;
            return false;
        }
        uint32_t other = s->slots[at] - 1;
        if (f->leaves[other].hash == hash) return !is_same_place(f, other, i);
    }
    return false;
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

/* A text that was kept before in another place goes, and so does a line that repeats itself. */
enum adit_code adit_rule_repeats(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    struct seen seen;
    size_t long_texts = 0;
    for (size_t i = 0; i < d->t->n_leaves; i++) long_texts += !may_repeat(&f->leaves[i]);
    if (!seen_init(&seen, long_texts, d->arena)) return ADIT_ENOMEM;
    for (size_t i = 0; i < d->t->n_leaves; i++) {
        if (!d->t->leaves[i].keep) continue;
        if (is_ticker(d->t->leaves[i].text) ||
            (!may_repeat(&f->leaves[i]) && seen_elsewhere(&seen, f, i)))
            adit_drop(d, i, ADIT_REPEATED);
    }
    return ADIT_OK;
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

/* The page's title is told apart from its content: its heading goes, whatever its score, and so does
 * whatever says it, or a good part of it, before the running text. */
enum adit_code adit_rule_title(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    const struct adit_leaf *leaves = d->t->leaves;
    size_t end = adit_first_text(d);
    if (end < d->t->n_leaves && is_prose(f, d->t))
        for (size_t i = 0; i < end; i++)
            if (leaves[i].keep && f->leaves[i].title_match) adit_drop(d, i, ADIT_TITLE);
    if (f->title == SIZE_MAX || !leaves[f->title].keep) return ADIT_OK;
    const struct adit_leaf_stats *x = &f->leaves[f->title];
    if (x->title_match == 3 || (x->title_match && x->heading == 1))
        adit_drop(d, f->title, ADIT_TITLE);
    return ADIT_OK;
}

static bool has_digit(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (adit_is_digit(s.p[i])) return true;
    return false;
}

/* Whether a text is a line of its own: it does not end like a sentence. Items and cells are parts of
 * others. */
static bool is_line(const struct adit_leaf_stats *x)
{
    return x->tag != ADIT_TC_LI && x->tag != ADIT_TC_CELL && x->tag != ADIT_TC_PRE && !x->ends;
}

/* Who wrote it, when, how long it takes to read, how often it was seen, where to share it: short
 * lines right before the first running text. They are metadata, and they change while the text does
 * not. */
enum adit_code adit_rule_bylines(struct adit_decision *d)
{
    enum { LETTERS_MAX = 80, LINES_MAX = 12 };
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    size_t end = adit_first_text(d);
    if (end == t->n_leaves || !is_prose(f, t)) return ADIT_OK;
    for (size_t i = end > LINES_MAX ? end - LINES_MAX : 0; i < end; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        const struct adit_leaf *leaf = &t->leaves[i];
        const uint8_t *far = f->els[leaf->el].distance + ADIT_N_ANCESTORS;
        bool meta = leaf->n_time || far[ADIT_CAT_meta] <= 2 || has_digit(leaf->text);
        bool line = is_line(x) && !x->heading && meta;
        bool share = x->link == x->len && far[ADIT_CAT_share] <= 2;
        if (leaf->keep && x->len < LETTERS_MAX && (line || share)) adit_drop(d, i, ADIT_BYLINE);
    }
    return ADIT_OK;
}

/* "© 2024 The Bakers": who holds the rights is no part of what the page says. */
enum adit_code adit_rule_imprint(struct adit_decision *d)
{
    enum { BYTES_MAX = 160 };
    for (size_t i = 0; i < d->t->n_leaves; i++) {
        struct adit_str text = d->t->leaves[i].text;
        if (!d->t->leaves[i].keep || text.len > BYTES_MAX) continue;
        if (adit_str_starts(text, ADIT_STR("\xC2\xA9")) ||
            adit_str_istarts(text, ADIT_STR("copyright")))
            adit_drop(d, i, ADIT_IMPRINT);
    }
    return ADIT_OK;
}

static bool ends_with_colon(struct adit_str s)
{
    static const struct adit_str wide = ADIT_STR_INIT("\xEF\xBC\x9A");
    return adit_str_ends(s, ADIT_STR(":")) || adit_str_ends(s, wide);
}

/* A short line that nothing is to follow, or one that leads elsewhere. */
static bool is_closing_line(const struct adit_leaf_stats *x, struct adit_str text)
{
    enum { LETTERS_MAX = 60, LINKS_MIN = 800 };
    bool is_short = x->len < LETTERS_MAX && !x->commas && !ends_with_colon(text);
    return is_line(x) && (is_short || x->link_pm >= LINKS_MIN);
}

/* Who wrote it, where it comes from, what to read next: short lines behind the last running text. More
 * than LINES_MAX of them are a text of their own. */
enum adit_code adit_rule_closing(struct adit_decision *d)
{
    enum { LINES_MAX = 12 };
    size_t lines[LINES_MAX], n = 0, i = d->t->n_leaves;
    if (!is_prose(d->f, d->t)) return ADIT_OK;
    while (i-- > 0) {
        if (!d->t->leaves[i].keep) continue;
        if (!is_closing_line(&d->f->leaves[i], d->t->leaves[i].text)) break;
        if (n == LINES_MAX) return ADIT_OK;
        lines[n++] = i;
    }
    for (size_t k = 0; k < n; k++) adit_drop(d, lines[k], ADIT_CLOSING);
    return ADIT_OK;
}

/* Whether an element near leaf i holds a picture, and hardly more text than this. */
static bool is_with_picture(const struct adit_facts *f, size_t i)
{
    enum { LEVELS = 4, BESIDE_MAX = 40 };
    uint32_t e = f->tape->leaves[i].el;
    for (int k = 0; k < LEVELS && !f->images[e] && f->tape->els[e].parent != ADIT_NONE; k++)
        e = f->tape->els[e].parent;
    return f->images[e] && adit_el_sum(f, f->sum_len, e) < f->leaves[i].len + BESIDE_MAX;
}

/* Captions outside of figcaption: short texts alone with a picture that are no sentences, or whose class
 * speaks of captions and pictures. */
enum adit_code adit_rule_captions(struct adit_decision *d)
{
    enum { WORDS_MIN = 2, WORDS_MAX = 60 };
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    if (!is_prose(f, t)) return ADIT_OK;
    for (size_t i = 0; i < t->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        bool listing = t->els[t->leaves[i].el].tag == ADIT_TAG_PRE; /* its picture is a button */
        if (!t->leaves[i].keep || x->heading || listing) continue;
        if (x->words < WORDS_MIN || x->words >= WORDS_MAX) continue;
        const uint8_t *far = f->els[t->leaves[i].el].distance + ADIT_N_ANCESTORS;
        if ((far[ADIT_CAT_caption] <= 1 || (!x->good && !x->ends)) && is_with_picture(f, i))
            adit_drop(d, i, ADIT_CAPTION), d->t->leaves[i].caption = true;
    }
    return ADIT_OK;
}

/* Whether all links of a list lead to places of the page itself, three at least. */
static bool leads_here(const struct adit_tape *t, const struct adit_el *list)
{
    enum { LINKS_MIN = 3 };
    size_t links = 0;
    for (uint32_t i = list->item0; i < list->item1; i++) {
        if (t->items[i].kind != ADIT_ITEM_OPEN || t->items[i].tag != ADIT_TAG_A) continue;
        struct adit_str href =
            adit_str_trim(adit_dom_attr(t->dom, t->items[i].node, ADIT_ATTR_HREF));
        if (href.len < 2 || href.p[0] != '#') return false;
        links++;
    }
    return links >= LINKS_MIN;
}

/* A table of contents: a list of nothing but links to the page's own headings. */
enum adit_code adit_rule_contents(struct adit_decision *d)
{
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    size_t done = 0; /* where the last list that was looked at ends */
    for (size_t e = 1; e < t->n_els; e++) {
        const struct adit_el *el = &t->els[e];
        bool list = el->tag == ADIT_TAG_UL || el->tag == ADIT_TAG_OL;
        if (!list || el->leaf0 < done || el->leaf0 == el->leaf1) continue;
        uint64_t link = f->sum_link[el->leaf1] - f->sum_link[el->leaf0];
        uint64_t len = f->sum_len[el->leaf1] - f->sum_len[el->leaf0];
        if (10 * link < 9 * len) continue;
        done = el->leaf1;
        if (!leads_here(t, el)) continue;
        for (size_t i = el->leaf0; i < el->leaf1; i++)
            if (t->leaves[i].keep) adit_drop(d, i, ADIT_CONTENTS);
    }
    return ADIT_OK;
}

/* A paragraph that is links for the most part, and no sentence. */
static bool is_pointer(const struct adit_leaf_stats *x)
{
    enum { LETTERS_MIN = 15 };
    return (x->tag == ADIT_TC_P || x->tag == ADIT_TC_DIV) && x->link_pm >= 500 && !x->ends &&
           x->len >= LETTERS_MIN;
}

/* "Read more: ...": in an article a line that leads elsewhere, by itself or one of a few. More of them
 * in a row are a list, which its author made. */
enum adit_code adit_rule_pointers(struct adit_decision *d)
{
    enum { ROW_MAX = 3 };
    size_t row[ROW_MAX], n = 0;
    if (!d->f->claims_article || !is_prose(d->f, d->t)) return ADIT_OK;
    for (size_t i = 0; i <= d->t->n_leaves; i++) {
        bool end = i == d->t->n_leaves;
        if (!end && !d->t->leaves[i].keep) continue;
        if (!end && is_pointer(&d->f->leaves[i])) {
            if (n < ROW_MAX) row[n] = i;
            n++;
            continue;
        }
        for (size_t k = 0; n <= ROW_MAX && k < n; k++) adit_drop(d, row[k], ADIT_TEASER);
        n = 0;
    }
    return ADIT_OK;
}

/* Teasers below an article: at least five records of the same kind, behind the element that holds
 * its text, each with a heading that is a link. Where that element holds little of the page's
 * running text, the records are the article. */
enum adit_code adit_rule_teasers(struct adit_decision *d)
{
    enum { RECORDS_MIN = 5, LEVELS = 4 };
    const struct adit_facts *f = d->f;
    const struct adit_tape *t = d->t;
    size_t after = t->els[f->top].leaf1;
    if (!f->claims_article || f->title == SIZE_MAX || f->title > after) return ADIT_OK;
    if (5 * (uint64_t)adit_el_sum(f, f->sum_good, f->top) < f->sum_good[t->n_leaves])
        return ADIT_OK;
    for (size_t i = after; i < t->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        if (!x->heading || x->link_pm < 900) continue;
        uint32_t el = t->leaves[i].el;
        for (int k = 0; k < LEVELS && el != ADIT_NONE && f->els[el].siblings < RECORDS_MIN; k++)
            el = t->els[el].parent;
        if (el == ADIT_NONE || f->els[el].siblings < RECORDS_MIN || t->els[el].leaf0 < after)
            continue;
        for (size_t j = t->els[el].leaf0; j < t->els[el].leaf1; j++)
            if (t->leaves[j].keep) adit_drop(d, j, ADIT_TEASER);
    }
    return ADIT_OK;
}
