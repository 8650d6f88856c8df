/* What the writers of Markdown and HTML share. */
#ifndef ADIT_PAGE_IMPL_H
#define ADIT_PAGE_IMPL_H

#include "page/page.h"

/* Whether writers that gather notes and show images in their texts write block i where it stands: not
 * the title, notes, or a heading above nothing but notes. */
bool adit_page_in_place(const struct adit_page *page, size_t i);

/* How a format writes the parts of notes. number: of the note. */
struct adit_note_writer {
    void (*text)(void *ctx, uint16_t number, const struct adit_rich *rich, struct adit_str plain);
    void (*item)(void *ctx, const struct adit_list_item *row, struct adit_str plain);
    void (*code)(void *ctx, const struct adit_block *b);
};
/* Writes all parts of notes, by the notes' numbers, and of one note in the order of the page: notes may
 * stand in several lists, each with an order of its own. */
enum adit_code adit_page_notes(const struct adit_page *page, const struct adit_note_writer *writer,
                               void *ctx, struct adit_mem mem);

/* The level of a heading below the title, which is the one heading of level 1. */
static inline unsigned adit_page_level(const struct adit_block *b)
{
    return b->level < 2 ? 2 : b->level;
}

/* Where a text of Markdown stands. */
struct adit_md_place {
    const char *line_break; /* what a line break is written as */
    struct adit_str indent; /* what lines begin with after the end of a paragraph */
    bool inside;            /* behind a mark, in one line: no list or quote begins there */
    bool cell;              /* in a table: one line, pipes are escaped */
    bool label;             /* in the brackets of a link or image */
};

/* Appends a text as inline Markdown. Characters are escaped only where they would mean something.
 */
void adit_md_inline(struct adit_buf *out, const struct adit_rich *rich,
                    const struct adit_md_place *place);
/* The same for a plain string. */
void adit_md_plain(struct adit_buf *out, struct adit_str text, const struct adit_md_place *place);
/* "](url "title")", the end of a link or image. */
void adit_md_target(struct adit_buf *out, struct adit_str url, struct adit_str title);
/* The length of the longest run of c in s. */
size_t adit_md_run(struct adit_str s, char c);

#endif
