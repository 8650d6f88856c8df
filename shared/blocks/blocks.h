/* Blocks: from the tape, with its leaves kept or dropped, to the ten kinds of content blocks of SCP
 * (Content Block Types).
 *
 * The driver (blocks.c) walks the items once. An element that has a row in its table is built by
 * that row's function, which takes the element's whole range; everything else is passed through:
 * its leaves become text (or link) blocks, its objects images and media. No function recurses.
 */
#ifndef ADIT_BLOCKS_H
#define ADIT_BLOCKS_H

#include "html/html.h"
#include "meta/meta.h"
#include "page/page.h"
#include "tape/tape.h"
#include "text/text.h"

/* A post of a thread: where it begins, and who signs it in items [item, end]. */
struct adit_post {
    uint32_t item, end;
    uint32_t el; /* or: its element; 0: it is signed */
    bool opens;  /* the first one of the page, whose name and date are the page's */
    struct adit_signature by;
};

/* Where links and images of a page point from. */
struct adit_builder {
    struct adit_tape *t;
    const struct adit_dom *dom;
    const struct adit_meta *meta;
    struct adit_arena *arena;
    const struct adit_url *base; /* what references are resolved against */
    struct adit_str url;         /* of the page */
    struct adit_str title;
    size_t bytes;                  /* of the page */
    bool forum;                    /* the page is one, by its looks */
    bool rich;                     /* texts get their inline structure */
    bool links;                    /* links within texts become blocks, too */
    size_t n_inner;                /* such links */
    bool apart;                    /* another voice begins with the next block */
    const struct adit_rich *voice; /* whose it is, and when; NULL: its own text says it */
    struct adit_post *posts;       /* of a thread, by the lines that sign them */
    size_t n_posts, post;          /* post: the next one */
    size_t n_said;                 /* blocks that a voice says */
    struct adit_box *boxes;        /* the call-outs so far */
    size_t n_boxes;
    uint32_t box_end;    /* the item at which the last one ends */
    bool box_title;      /* its first text will be its title */
    enum adit_code code; /* the first failure; sticks */
    bool told;           /* the blocks are not of the body, but of what the page tells machines */

    struct adit_block *v;
    size_t n, cap;

    /* Prefix sums over leaves: letters in all and in kept leaves, captions apart. */
    uint32_t *letters, *kept;
    uint32_t *n_kept;  /* prefix sum: kept leaves */
    uint16_t *note_of; /* a number a leaf: the note it is part of, or 0; NULL: there are no notes */
    struct adit_rich *asides; /* notes that stood within their texts, by number - 1; mostly empty */
    size_t n_notes;
    struct adit_str *note_marks; /* of each note, by number - 1: as the page has it */
    /* The caption of the figure that is open: goes to the first image, quote or video in it. */
    struct adit_str caption;
    uint32_t caption_el; /* its element */
    uint32_t figure;     /* the figure, or ADIT_NONE */
    uint64_t *seen;      /* hash set of image URLs: a page shows each once */
    size_t n_seen, cap_seen;
    uint32_t el;           /* the element that the driver is in */
    unsigned nest;         /* lists in quotes and quotes in lists that the driver is in */
    uint32_t lines_end;    /* the item at which the last listing made of lines ends */
    uint32_t last_link;    /* the <a> of the last link block */
    size_t link_room;      /* bytes that its text may grow to; 0: it is a leaf's */
    uint32_t image_leaf;   /* leaves before the last image */
    uint32_t image_figure; /* the <figure> around it, or 0 */
    uint64_t media_used;   /* bit set of meta->media that a block has taken */
    /* The addresses of meta->media[i], content and player, absolute: 2 * i and 2 * i + 1. NULL
     * until the first video or audio asks. */
    struct adit_str *media_urls;
    /* What counts towards the limits of a page; and how much of it a page of so many bytes may have. */
    size_t n_images, n_media, n_cells, urls_len, repeated_len, rich_len;
    size_t cells_max, urls_max, repeated_max;
    struct adit_block dummy;
};

/* Builds all blocks, any number of them, into b. Tree and tape are not read after it. */
enum adit_code adit_blocks_build(struct adit_builder *b);
/* Merges them to at most ADIT_LIMIT_page_blocks; *page's blocks and n_blocks are set. */
enum adit_code adit_blocks_finish(struct adit_builder *b, struct adit_page *page);

/* s with LF replaced by a space. */
struct adit_str adit_block_line(struct adit_builder *b, struct adit_str s);

#endif
