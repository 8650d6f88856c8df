/* Features: integer facts about leaves, computed from the tape in a few linear passes. The scorecard (weights_impl.h) is learned from exactly these values.
 *
 * Amounts of text are in letters (tape.h); "pm" is per mille; distances count levels of the element
 * table, ADIT_FAR = there is none. Every value is saturated to 16 bits.
 */
#ifndef ADIT_SELECT_FEATURES_IMPL_H
#define ADIT_SELECT_FEATURES_IMPL_H

#include "tape/tape.h"
#include "select/select.h"

#include <string.h>

enum { ADIT_FAR = 63, ADIT_UNKNOWN = 255 };

/* --- what the text of a leaf looks like (facts.c) --------------------------------------------- */

struct adit_leaf_stats {
    uint64_t hash;      /* of the normalised text: letters and digits, lower case */
    uint32_t len, link; /* letters; letters in links, at most len */
    uint32_t words, commas, sentences;
    uint16_t norm_len; /* bytes of the normalised text, at most UINT16_MAX */
    uint8_t odd;       /* separators as in menus and bread crumbs, at most UINT8_MAX */
    uint8_t digits;    /* at most UINT8_MAX */
    int16_t upper_pm, link_pm;
    uint8_t tag; /* enum adit_tag_class of the owner */
    uint8_t heading;
    uint8_t repeats; /* how often the page has this text; at most 9 */
    bool ends : 1, ellipsis : 1;
    bool good : 1;           /* reads like running text */
    bool prices : 1;         /* amounts of money */
    bool comment : 1;        /* a reader's, as far as names and records tell (records.c) */
    uint8_t title_match : 2; /* 3: equals a title; 2: a good part of one; 0: no */
};
_Static_assert(sizeof(struct adit_leaf_stats) == 40, "a page may have 125,000 of these");

/* Letters of running text. */
static inline uint32_t adit_leaf_good(const struct adit_leaf_stats *x)
{
    return x->good ? x->len : 0;
}

enum adit_tag_class {
    ADIT_TC_P,
    ADIT_TC_LI,
    ADIT_TC_H,
    ADIT_TC_CELL,
    ADIT_TC_PRE,
    ADIT_TC_DL,
    ADIT_TC_QUOTE,
    ADIT_TC_CAPTION,
    ADIT_TC_BUTTON,
    ADIT_TC_DIV,
    ADIT_TC_OTHER
};

/* Words of the page's titles and of its description (topic.c): a bit each, those of the description from
 * ADIT_TOPICS_MAX on. */
enum { ADIT_TOPICS_MAX = 32, ADIT_HEAD = 4, ADIT_HEAD_BITS = 10, ADIT_STEM_BITS = 10 };
struct adit_topics {
    uint64_t stems[2 * ADIT_TOPICS_MAX], bits[2 * ADIT_TOPICS_MAX];
    size_t n;
    uint32_t n_titles, n_description;
    uint8_t places[1 << ADIT_STEM_BITS]; /* 1 + a stem, by its high bits; 0: none */
    /* A bit for the first ADIT_HEAD letters of each ASCII word: of a text no other words are read. */
    uint64_t heads[(1 << ADIT_HEAD_BITS) / 64];
};

/* Where the beginning of the word at p has its bit; capital letters are small ones. */
static inline size_t adit_place_of_head(const char *p)
{
    uint32_t letters;
    _Static_assert(ADIT_HEAD == sizeof letters, "the letters of a head");
    memcpy(&letters, p, sizeof letters);
    return (letters | UINT32_C(0x20202020)) * UINT32_C(0x9E3779B1) >> (32 - ADIT_HEAD_BITS);
}
static inline bool adit_has_head(const struct adit_topics *t, const char *word)
{
    size_t at = adit_place_of_head(word);
    return t->heads[at / 64] >> at % 64 & 1;
}
void adit_topics_read(struct adit_topics *t, const struct adit_page_hints *hints);
/* The bit of the ASCII word that begins at pos; 0: it is no word of the head, or touches other letters. */
uint64_t adit_topic_at(const struct adit_topics *t, struct adit_str text, size_t pos);
/* The bits of all words that have or touch a character beyond ASCII. */
uint64_t adit_topics_beyond(const struct adit_topics *t, struct adit_str text);

/* Facts about one text, and which words of the head it has. */
void adit_leaf_read(const struct adit_leaf *leaf, uint16_t tag, const struct adit_topics *topics,
                    struct adit_leaf_stats *f, uint64_t *said);
/* The facts alone. */
void adit_leaf_stats(const struct adit_leaf *leaf, uint16_t tag, struct adit_leaf_stats *f);
/* The normalised text, at most max bytes of it. */
size_t adit_normalise(struct adit_str text, char *out, size_t max);

/* --- what elements are (elements.c) ----------------------------------------------------------- */

enum { ADIT_KINDS_OF_DISTANCE = 32 };
_Static_assert((int)ADIT_N_ANCESTORS + (int)ADIT_N_CATEGORIES <= ADIT_KINDS_OF_DISTANCE, "a row");

enum { ADIT_UNSCORED = INT32_MIN }; /* points that are not added up yet */

/* Distance to the nearest ancestor of each kind, then of each class-word category. Elements that are
 * nothing themselves share a row (elements.c). */
struct adit_row {
    uint8_t distance[ADIT_KINDS_OF_DISTANCE];
    struct adit_row *below; /* NULL: no element has asked for it yet */
    uint32_t seen;          /* a bit for each kind that there is, however far */
    int32_t points;         /* of all distances (shares.c), or ADIT_UNSCORED */
};

struct adit_el_stats {
    const uint8_t *distance; /* of a row */
    uint32_t signature;      /* of tag and class without digits */
    uint32_t path;           /* of all tags from body down */
    uint32_t article, main;  /* nearest, itself included, or ADIT_NONE */
    uint32_t siblings;       /* with the same signature and some text, itself included */
    uint32_t record; /* the record kind around it that looks most like comments, or ADIT_NONE */
    uint8_t article_rank;     /* of the outermost article around it: 1, 2, …; 0: none */
    uint8_t to_top, to_chain; /* levels from the best container up to the common ancestor */
};

static inline struct adit_row *adit_row_of(const struct adit_el_stats *x)
{
    return (struct adit_row *)(uintptr_t)x->distance; /* its first member */
}

/* Where an element stands. The tape knows, too; these are gone through so often that they are to lie
 * close together. */
struct adit_place {
    uint32_t parent, leaf0, leaf1;
};

/* --- all facts of a page ---------------------------------------------------------------------- */

struct adit_group {
    uint64_t key;
    uint32_t n, len, link, sentences;
    uint32_t ends;          /* leaves that end a sentence */
    uint32_t mean;          /* letters of a leaf */
    int16_t share, ends_pm; /* its letters of the page's, those that end a sentence of its leaves */
};

/* Elements of the same kind that stand more than once (records.c): how many there are, and how many
 * of them have a short line with a digit, words that others have too, text, a picture, a short first
 * line, a link at their head. */
struct adit_record_kind {
    uint64_t key;
    uint32_t n, dated, stock, running, pictured, named, leading;
    uint32_t nested;     /* those inside another */
    uint32_t first, end; /* leaves: where the first begins, where the last ends */
    uint32_t len;
    uint8_t evidence; /* that readers wrote them: 0 to 7 */
    bool thread;      /* they did, by their structure alone */
};

/* From a heading to the next: leaves [begin, end). The first begins with no heading (level 0). */
struct adit_section {
    uint32_t begin, end;
    uint32_t titles; /* headings of level 1 up to this one */
    uint8_t level;
};

/* What a text says of what the head says (topic.c). */
struct adit_leaf_topics {
    uint32_t titles;      /* words of the titles, a bit each */
    uint32_t description; /* words of the page's description */
    int16_t stated;       /* pairs of its words that JSON-LD's text has, per mille; -1: unknown */
};

struct adit_facts {
    const struct adit_tape *tape;
    struct adit_leaf_stats *leaves;
    struct adit_el_stats *els;
    struct adit_place *places; /* an element */
    uint32_t n_articles;       /* elements */
    uint32_t first_main;       /* element; n_els: there is none */
    /* Prefix sums over leaves, n_leaves + 1 each. */
    uint32_t *sum_len, *sum_link, *sum_good;
    uint8_t *since_good, *until_good; /* a leaf: leaves since and until running text; at most 20 */
    struct adit_group *class_groups, *path_groups;
    size_t n_class_groups, n_path_groups;
    uint32_t *class_group, *path_group; /* a leaf: the number of its group */
    struct adit_record_kind *record_kinds;
    size_t n_record_kinds;
    uint32_t *images;        /* an element: pictures in it and below */
    uint32_t top, chain_end; /* elements */
    int64_t top_score;
    struct adit_section *sections;
    uint32_t *section_of;            /* a leaf */
    uint32_t good_outside_comments;  /* running text outside of what is called comments */
    struct adit_leaf_topics *topics; /* a leaf */
    size_t title;                    /* the leaf that is the page's title heading, or SIZE_MAX */
    uint32_t body_categories;
    uint32_t biggest_group; /* the class group with most text outside links */
    uint32_t n_description; /* words of the page's description; 0: too few */
    uint64_t description;   /* hash of its normalised text */
    bool has_topics;        /* the page has a title with words */
    bool is_stated;         /* JSON-LD states the whole text, not only its beginning */
    bool claims_article;    /* by Open Graph or JSON-LD, and no forum */
    bool is_forum;          /* by its classes: a good part of its text is called posts, threads … */
    bool comments_apart;    /* so comments are not its running text */
};

static inline bool adit_leaf_is_comment(const struct adit_facts *f, size_t i)
{
    return f->leaves[i].comment;
}

/* Whether the page around a leaf is its frame: navigation, header, footer, aside, form. */
static inline bool adit_leaf_in_frame(const struct adit_facts *f, size_t i)
{
    const uint8_t *d = f->els[f->tape->leaves[i].el].distance;
    return d[ADIT_ANC_nav] < ADIT_FAR || d[ADIT_ANC_header] < ADIT_FAR ||
           d[ADIT_ANC_footer] < ADIT_FAR || d[ADIT_ANC_aside] < ADIT_FAR ||
           d[ADIT_ANC_form] < ADIT_FAR;
}

/* What a leaf counts where words are counted. */
static inline uint32_t adit_leaf_weight(const struct adit_leaf_stats *x)
{
    return x->words ? x->words : 1;
}

/* Sums over a subtree. */
static inline uint32_t adit_el_sum(const struct adit_facts *f, const uint32_t *sum, uint32_t el)
{
    return sum[f->places[el].leaf1] - sum[f->places[el].leaf0];
}

static inline int32_t adit_pm(uint64_t part, uint64_t whole)
{
    return (int32_t)(1000 * part / (whole ? whole : 1));
}

enum adit_code adit_facts_elements(struct adit_facts *f, struct adit_arena *arena);
/* What of JSON-LD's text each text has. */
enum adit_code adit_facts_stated(struct adit_facts *f, const struct adit_page_hints *hints,
                                 struct adit_arena *arena);
/* Sets record of all elements and comment of all leaves; needs sum_len, images and repeats. */
enum adit_code adit_facts_records(struct adit_facts *f, struct adit_arena *arena);
enum adit_code adit_facts_structure(struct adit_facts *f, struct adit_arena *arena);
/* Everything above, for a tape with at least one leaf. */
enum adit_code adit_facts_build(struct adit_facts *f, const struct adit_tape *t,
                                const struct adit_page_hints *hints, struct adit_arena *arena);

/* Clears hidden, hidden_up and the leaves' hidden where a reader would come to see the text. */
void adit_hidden_reveal(const struct adit_facts *f, struct adit_tape *t);

/* --- features (features.c) -------------------------------------------------------------------- */

#include "select/feature_list_impl.h"

enum adit_feature {
#define ADIT_FEATURE_ENUM(name, label, group, direction, does) ADIT_F_##name,
    ADIT_LEAF_FEATURES(ADIT_FEATURE_ENUM) ADIT_N_LEAF_FEATURES,
    ADIT_BEFORE_PAGE = ADIT_N_LEAF_FEATURES - 1,
    ADIT_PAGE_FEATURES(ADIT_FEATURE_ENUM) ADIT_N_FIRST_FEATURES,
    ADIT_BEFORE_CONTEXT = ADIT_N_FIRST_FEATURES - 1,
    ADIT_CONTEXT_FEATURES(ADIT_FEATURE_ENUM) ADIT_N_FEATURES
#undef ADIT_FEATURE_ENUM
};

/* 1 article, 2 product, 3 website, 4 other, 0 none. */
int adit_og_class(struct adit_str type);

static inline int16_t adit_saturate(int64_t v)
{
    return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : (int16_t)v;
}

/* The leaf features of leaf i that are its own, value k at out[k * ADIT_LANES]. */
void adit_features_leaf(const struct adit_facts *f, size_t i, int16_t *out);
/* Those that it shares with other leaves (shares.c), as above. */
void adit_features_shared(const struct adit_facts *f, size_t i, int16_t *out);
extern const bool adit_is_shared[ADIT_N_LEAF_FEATURES];
/* The page features, the same for all leaves: value of ADIT_N_LEAF_FEATURES + k at out[k]. */
void adit_features_page(const struct adit_facts *f, const struct adit_page_hints *hints,
                        int16_t *out);

#endif
