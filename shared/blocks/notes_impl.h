/* What the steps of finding notes share: marks (note_marks.c), what their links lead to (notes.c), notes
 * of marks without a link (loose.c), and what becomes of them (note_texts.c). */
#ifndef ADIT_BLOCKS_NOTES_IMPL_H
#define ADIT_BLOCKS_NOTES_IMPL_H

#include "blocks/blocks_impl.h"

/* Bytes of a mark; marks of a page: further ones stay what they are. */
enum { ADIT_MARK_MAX = 24, ADIT_REFS_MAX = 8000 };

/* A mark in the text. */
struct adit_note_ref {
    uint32_t item, end;       /* OPEN and CLOSE of its outermost element */
    uint32_t link;            /* OPEN of its <a> with a fragment, or ADIT_NONE */
    uint32_t leaf;            /* that it stands in */
    uint32_t same;            /* the first ref with its fragment */
    uint32_t target;          /* row of its note, or ADIT_NONE */
    struct adit_str mark;     /* without brackets */
    struct adit_str fragment; /* the id or name that it leads to; empty: it leads nowhere */
    uint32_t aside0, aside1;  /* OPEN and CLOSE of a note that stands right behind it; 0: none */
    bool raised, brackets;
    bool stated; /* the page calls what it leads to a note */
    bool first;  /* nothing stands before it in its leaf */
};

struct adit_note {
    uint32_t item;         /* OPEN of the element that marks lead to */
    uint32_t el;           /* block-level element around it */
    uint32_t leaf0, leaf1; /* its text */
    uint16_t number;       /* 0: no mark leads to it */
    bool placed;
};

struct adit_notes {
    struct adit_builder *b;
    struct adit_note_ref *refs;
    struct adit_note *notes; /* in document order; behind them those without links */
    size_t n_refs, cap_refs, n_notes, n_numbers;
};

/* Finds all marks; none if none stands in a kept text. */
void adit_notes_refs(struct adit_notes *n);
/* "1", "iv", "a", "n 3", "note 2", "*", a dagger. */
bool adit_notes_is_mark(struct adit_str s);
/* s without one pair of brackets and the signs behind it. */
struct adit_str adit_notes_bare(struct adit_str s, bool *brackets);
/* A text that says "1." and nothing else. */
bool adit_notes_only_mark(struct adit_str text);
/* The text of items [i, end) in out, which has room for ADIT_MARK_MAX bytes; empty: it is longer. */
struct adit_str adit_notes_text(const struct adit_tape *t, uint32_t i, uint32_t end, char *out);
/* Whether nothing is said in the leaf before item i. */
bool adit_notes_begin_leaf(const struct adit_tape *t, uint32_t leaf, uint32_t i);
/* Numbers the notes of marks that have one, and changes the tape. */
void adit_notes_take(struct adit_notes *n);
/* The CLOSE of the inline element that begins at items[i]; ADIT_NONE: it is long. */
uint32_t adit_notes_end(const struct adit_tape *t, uint32_t i);
/* Where a link leads within the page; empty: elsewhere. */
struct adit_str adit_notes_fragment(const struct adit_builder *b, uint32_t a);
/* Whether a text begins with the mark, in brackets or not. */
bool adit_notes_begins(struct adit_str text, struct adit_str mark);
/* Whether an id or class of the element or of up to two around it speaks of notes. */
bool adit_notes_named(const struct adit_builder *b, uint32_t el);
/* Whether the element is an <li> whose number in its <ol> is the mark. */
bool adit_notes_numbered(const struct adit_builder *b, uint32_t el, struct adit_str mark);
/* Marks that no link resolved: notes that begin with the same mark, or are numbered. */
void adit_notes_loose(struct adit_notes *n);

#endif
