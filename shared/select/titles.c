/* All facts of a page, in order; and which leaves say what the head calls the title. */
#include "select/features_impl.h"

#include <string.h>

enum { NORM_MAX = 600, TITLE_MIN = 6 };

struct claim {
    uint64_t hash;
    size_t len;
    char text[NORM_MAX];
};

enum { PAIR_BITS = 10 };
struct claims {
    struct claim titles[3];
    uint64_t pairs[(1 << PAIR_BITS) / 64]; /* a bit for each two bytes that follow each other */
};

static size_t place_of_pair(char a, char b)
{
    unsigned pair = (unsigned)(unsigned char)a << 8 | (unsigned char)b;
    return (pair * 0x9E3Bu & 0xFFFF) >> (16 - PAIR_BITS);
}

static void add_pairs(struct claims *c, const struct claim *t)
{
    for (size_t i = 1; i < t->len; i++) {
        size_t at = place_of_pair(t->text[i - 1], t->text[i]);
        c->pairs[at / 64] |= UINT64_C(1) << at % 64;
    }
}

/* Whether the text may stand in a title, by its first two letters or digits: most do not. */
static bool may_stand(const struct claims *c, struct adit_str text)
{
    char first = 0;
    for (size_t i = 0; i < text.len; i++) {
        char byte = (char)(text.p[i] | 0x20);
        if ((unsigned char)byte >= 0x80) return true;
        if (!adit_is_alnum(text.p[i])) continue;
        if (first) {
            size_t at = place_of_pair(first, byte);
            return c->pairs[at / 64] >> at % 64 & 1;
        }
        first = byte;
    }
    return true;
}

/* What a leaf of this text has as its hash. */
static uint64_t hash_of(struct adit_str text)
{
    struct adit_leaf leaf = {.text = adit_str_trim(text)};
    struct adit_leaf_stats facts = {0};
    adit_leaf_stats(&leaf, 0, &facts);
    return facts.hash;
}

/* A title that is the one before is no claim of its own. */
static void read_claim(struct claim *c, struct adit_str text, struct adit_str before)
{
    c->len = 0;
    if (adit_str_eq(text, before)) return;
    c->len = adit_normalise(text, c->text, sizeof c->text);
    if (c->len < TITLE_MIN) {
        c->len = 0;
        return;
    }
    c->hash = hash_of(text);
}

static bool contains(const struct claim *c, struct adit_str part)
{
    return adit_str_find(adit_str_of(c->text, c->len), part, 0) < c->len;
}

static uint8_t match_title(const struct claims *c, const struct adit_leaf_stats *x,
                           struct adit_str norm)
{
    for (size_t k = 0; k < ADIT_COUNT(c->titles); k++)
        if (c->titles[k].len && c->titles[k].hash == x->hash) return 3;
    for (size_t k = 0; k < ADIT_COUNT(c->titles); k++) {
        const struct claim *t = &c->titles[k];
        if (norm.len <= t->len && norm.len * 10 >= t->len * 4 && contains(t, norm)) return 2;
    }
    return 0;
}

static bool is_in_any(const struct claims *c, struct adit_str part)
{
    for (size_t k = 0; k < ADIT_COUNT(c->titles); k++)
        if (c->titles[k].len && contains(&c->titles[k], part)) return true;
    return false;
}

/* Sets title_match. Only leaves of a fitting length are normalised, and of most only the beginning. */
static void match_claims(struct adit_facts *f, const struct claims *c)
{
    enum { BEGIN = 8 };
    char norm[NORM_MAX];
    size_t longest = 0, shortest = SIZE_MAX;
    for (size_t k = 0; k < ADIT_COUNT(c->titles); k++) {
        size_t len = c->titles[k].len;
        if (len > longest) longest = len;
        if (len && len < shortest) shortest = len;
    }
    for (size_t i = 0; i < f->tape->n_leaves; i++) {
        struct adit_leaf_stats *x = &f->leaves[i];
        if (x->norm_len < TITLE_MIN || x->norm_len > longest) continue;
        if (10 * (uint64_t)x->norm_len < 4 * (uint64_t)shortest) continue;
        struct adit_str text = f->tape->leaves[i].text;
        if (!may_stand(c, text)) continue;
        size_t len = adit_normalise(text, norm, BEGIN);
        if (!is_in_any(c, adit_str_of(norm, len))) continue;
        len = adit_normalise(text, norm, sizeof norm);
        x->title_match = 3u & match_title(c, x, adit_str_of(norm, len));
    }
}

/* The title heading: the first heading equal to a title, else the first h1 that is part of one,
 * else the first h1, else the first h2 that is part of one. */
static size_t find_title(const struct adit_facts *f)
{
    size_t best = SIZE_MAX;
    int rank = 0;
    for (size_t i = 0; i < f->tape->n_leaves; i++) {
        const struct adit_leaf_stats *x = &f->leaves[i];
        int r = x->heading && x->title_match == 3   ? 4
                : x->heading == 1 && x->title_match ? 3
                : x->heading == 1                   ? 2
                : x->heading == 2 && x->title_match ? 1
                                                    : 0;
        if (r > rank) best = i, rank = r;
    }
    return best;
}

/* Many systems call every page an article in Open Graph: JSON-LD that says something else is to be
 * believed. Questions and answers are a forum's, unless they are the page's own FAQ. */
static bool claims_article(const struct adit_page_hints *hints)
{
    uint32_t kinds = hints->kinds;
    if (kinds & ADIT_KIND_FAQ) kinds &= ~(uint32_t)ADIT_KIND_FORUM;
    if (kinds & ADIT_KIND_FORUM) return false;
    if (kinds & ADIT_KIND_ARTICLE) return true;
    return adit_og_class(hints->og_type) == 1 && !(kinds & (ADIT_KIND_LIST | ADIT_KIND_PRODUCT));
}

/* The tag that tells what a leaf is: its owner's, or that of the heading around it (a button that
 * opens a section, a box for its words). A heading that holds more is a container. */
static uint16_t telling_tag(const struct adit_tape *t, size_t i)
{
    enum { LEVELS = 2, TEXTS_MAX = 2 };
    const struct adit_el *own = &t->els[t->leaves[i].el], *el = own;
    for (int k = 0; k < LEVELS && !adit_heading_level(el->tag) && el->parent != ADIT_NONE; k++)
        el = &t->els[el->parent];
    if (adit_heading_level(el->tag) && el->leaf1 - el->leaf0 <= TEXTS_MAX) return el->tag;
    return own->heading ? ADIT_TAG_H2 : own->tag;
}

enum adit_code adit_facts_build(struct adit_facts *f, const struct adit_tape *t,
                                const struct adit_page_hints *hints, struct adit_arena *arena)
{
    enum { DESCRIPTION_MIN = 4 }; /* words; fewer tell nothing */
    *f = (struct adit_facts){.tape = t, .title = SIZE_MAX};
    f->leaves = adit_arena_alloc(arena, t->n_leaves * sizeof *f->leaves);
    f->topics = adit_arena_alloc(arena, t->n_leaves * sizeof *f->topics);
    struct claims *claims = adit_arena_alloc(arena, sizeof *claims);
    if (!f->leaves || !f->topics || !claims) return ADIT_ENOMEM;
    struct adit_topics topics;
    adit_topics_read(&topics, hints);
    f->has_topics = topics.n_titles > 0;
    if (topics.n_description >= DESCRIPTION_MIN) {
        f->n_description = topics.n_description;
        f->description = hash_of(hints->description);
    }
    for (size_t i = 0; i < t->n_leaves; i++) {
        uint64_t said;
        adit_leaf_read(&t->leaves[i], telling_tag(t, i), &topics, &f->leaves[i], &said);
        f->topics[i].titles = (uint32_t)said;
        f->topics[i].description = (uint32_t)(said >> ADIT_TOPICS_MAX);
    }
    memset(claims->pairs, 0, sizeof claims->pairs);
    for (size_t k = 0; k < ADIT_COUNT(claims->titles); k++) {
        read_claim(&claims->titles[k], hints->titles[k],
                   k ? hints->titles[k - 1] : (struct adit_str){0});
        add_pairs(claims, &claims->titles[k]);
    }
    match_claims(f, claims);
    f->title = find_title(f);
    f->claims_article = claims_article(hints);
    ADIT_TRY(adit_facts_stated(f, hints, arena));
    ADIT_TRY(adit_facts_elements(f, arena));
    return adit_facts_structure(f, arena);
}
