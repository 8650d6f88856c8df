/* What the builders of blocks share. */
#ifndef ADIT_BLOCKS_IMPL_H
#define ADIT_BLOCKS_IMPL_H

#include "blocks/blocks.h"
#include "tape/tape.h"

/* --- for the builders of single kinds --------------------------------------------------------- */

/* A new block at the end, zeroed but for its type; never NULL (after a failure: a dummy). */
struct adit_block *adit_block_add(struct adit_builder *b, enum adit_block_type type);
void *adit_block_alloc(struct adit_builder *b, size_t n, size_t size); /* zeroed; NULL: failed */
static inline void adit_block_fail(struct adit_builder *b, enum adit_code code)
{
    if (b->code == ADIT_OK) b->code = code;
}

/* The bytes of the parts, joined by sep, in the arena; empty parts are left out. */
struct adit_str adit_block_join(struct adit_builder *b, const struct adit_str *parts, size_t n,
                                struct adit_str sep);
/* The text of leaves [leaf0, leaf1) joined by LF; kept ones only, or all. */
struct adit_str adit_block_leaves(struct adit_builder *b, uint32_t leaf0, uint32_t leaf1, bool all);
bool adit_block_any_kept(const struct adit_builder *b, uint32_t leaf0, uint32_t leaf1);
bool adit_block_hidden(const struct adit_el *el);
/* The caption of the open figure, if item stands in it: once. */
struct adit_str adit_block_caption(struct adit_builder *b, uint32_t item);
static inline struct adit_str adit_el_attr(const struct adit_builder *b, const struct adit_el *el,
                                           enum adit_attr attr)
{
    return adit_dom_attr(b->dom, adit_el_node(b->t, el), attr);
}
/* The absolute http(s) URL of a reference, in the arena; empty if it is none, or if the page has
 * had more of them than ADIT_LIMIT_page_urls. Who does not keep it releases the arena. */
struct adit_str adit_block_url(struct adit_builder *b, struct adit_str reference);
/* Whether url is a place of the page itself: the page's address and a fragment. */
bool adit_block_same_page(const struct adit_builder *b, struct adit_str url);
/* The next blank-separated token of *rest; false at the end. */
bool adit_block_token(struct adit_str *rest, struct adit_str *token);
/* Whether s is one of n words, in any case. */
bool adit_block_among(struct adit_str s, const struct adit_str *list, size_t n);
/* Whether s has a letter or digit of any script. */
bool adit_block_wordy(struct adit_str s);

/* --- inline structure (rich.c) ---------------------------------------------------------------- */

/* Which items make a text. */
struct adit_rich_range {
    uint32_t item0, item1, leaf0, leaf1;
    uint16_t note;       /* the text of this note, whose mark is cut; 0: as its first leaf says */
    bool all;            /* leaves that are not kept, too */
    bool plain;          /* for its plain string only: without links, whose addresses cost time */
    bool bold;           /* all of it stands in bold type: <strong> says nothing */
    const char *between; /* stands between leaves: LF LF, or a space; two bytes at most */
    const char *const *gaps; /* before each of the leaves instead, in their order; may be NULL */
    /* The item behind an element that is no part of the text, or i. May be NULL. */
    uint32_t (*skip)(const struct adit_builder *b, uint32_t i, uint32_t end);
};

/* Takes from what texts with structure may take of a page; false: there is no more. */
bool adit_rich_room(struct adit_builder *b, size_t cost);
/* Fills out; false: the text is plain, its string says all. */
bool adit_rich_build(struct adit_builder *b, const struct adit_rich_range *range,
                     struct adit_rich *out);
/* The text of leaves, kept ones only or all, each a paragraph; NULL: it is plain. */
const struct adit_rich *adit_block_rich(struct adit_builder *b, uint32_t leaf0, uint32_t leaf1,
                                        bool all);
/* The same for a range whose items are those of its leaves. */
const struct adit_rich *adit_block_rich_range(struct adit_builder *b,
                                              struct adit_rich_range *range);
/* Address and alt text (raw) of an image that stands in a text; false: readers do not see it. */
bool adit_image_inline(struct adit_builder *b, const struct adit_item *item, struct adit_str *url,
                       struct adit_str *alt);
struct adit_str adit_image_alt(const struct adit_builder *b, const struct adit_item *item);

/* Finds marks of notes and their texts; sets note_of, and what leaves say and whether they are kept. */
void adit_blocks_notes(struct adit_builder *b);
/* The note that the leaf is part of; 0: none. */
static inline uint16_t adit_note_of(const struct adit_builder *b, uint32_t leaf)
{
    return b->note_of ? b->note_of[leaf] : 0;
}
/* Blocks for the notes that stood within their texts. */
void adit_build_asides(struct adit_builder *b);
/* Whether a note stands in the leaves: their element is no table or quote then. */
bool adit_notes_in(const struct adit_builder *b, uint32_t leaf0, uint32_t leaf1);

/* Builders of elements: true if the element's range is done, false to pass through it. */
bool adit_build_heading(struct adit_builder *b, const struct adit_el *el);
bool adit_build_list(struct adit_builder *b, const struct adit_el *el);
bool adit_build_code(struct adit_builder *b, const struct adit_el *el);
/* A leaf that is a listing, though no <pre> is around it; false: it is none. */
bool adit_build_code_leaf(struct adit_builder *b, uint32_t leaf);
/* Whether a highlighter wrote a listing as this list, an item a line. */
bool adit_is_code_list(const struct adit_builder *b, const struct adit_el *el);
bool adit_build_table(struct adit_builder *b, const struct adit_el *el);
bool adit_build_quote(struct adit_builder *b, const struct adit_el *el);
/* Builders of objects. */
void adit_build_image(struct adit_builder *b, const struct adit_item *item);
void adit_build_media(struct adit_builder *b, const struct adit_item *item);
/* Blocks for media that only the page's structured data names. */
void adit_build_described(struct adit_builder *b);
/* All objects of [item0, item1). */
void adit_build_objects(struct adit_builder *b, uint32_t item0, uint32_t item1);

/* Finds the posts of a thread that a line with a name and a date begins. */
void adit_blocks_posts(struct adit_builder *b);
/* Whether a post of a thread begins here: the page calls it one, or articles stand side by side. */
bool adit_begins_post(const struct adit_builder *b, const struct adit_el *el);
/* Who speaks in a post, and when; NULL: it does not say, or its own text does. */
const struct adit_rich *adit_post_voice(struct adit_builder *b, const struct adit_el *el);
/* Whether one begins in [item0, item1). */
bool adit_posts_in(const struct adit_builder *b, uint32_t item0, uint32_t item1);
/* Lets the next blocks be those of the post that begins at items[item] or before, if any does. */
void adit_begin_post(struct adit_builder *b, uint32_t item);
/* The last block is the leaf's: if the voice of a post says all that it says, writers of structure
 * leave it out, and the voice stands before the next one. */
void adit_sign_post(struct adit_builder *b, uint32_t leaf);
/* "**name** · date", the date a link if url is one; NULL: there is nothing to say. */
const struct adit_rich *adit_block_voice(struct adit_builder *b, struct adit_str name,
                                         struct adit_str date, struct adit_str url);

/* The blocks of el stand in a call-out, if it is one. */
void adit_build_box(struct adit_builder *b, const struct adit_el *el);
/* The number of a new call-out, if el is one, else 0. *title: the leaf that is its title, or ADIT_NONE. */
uint16_t adit_find_box(struct adit_builder *b, const struct adit_el *el, uint32_t *title);

/* Hands the element to its builder; false: nothing was built, go on inside. */
bool adit_build_element(struct adit_builder *b, const struct adit_el *el);
/* The kept text of leaf as a text or link block. */
void adit_build_leaf(struct adit_builder *b, uint32_t leaf);

/* Whether an object belongs to the kept content: of the text in the nearest element around it that
 * has text, captions apart, at least half is kept. */
bool adit_object_kept(const struct adit_builder *b, const struct adit_item *item);
/* An element that names what an image shows: figcaption, or a short one with such a class. */
bool adit_is_caption(const struct adit_builder *b, const struct adit_el *el);

/* Links within the items as blocks, if they are asked for. */
void adit_build_links(struct adit_builder *b, uint32_t item0, uint32_t item1);
/* Leaves out the last of these links, as far as there would be more than max blocks. */
void adit_blocks_fit_links(struct adit_builder *b, size_t max);

/* Merges neighbours until at most max blocks are left; no text is lost. */
void adit_blocks_merge(struct adit_builder *b, size_t max);

#endif
