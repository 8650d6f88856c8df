/* Formats that are made from a page alone and need no other folder: plain text and Markdown. */
#ifndef ADIT_PAGE_FORMAT_H
#define ADIT_PAGE_FORMAT_H

#include "page/page.h"

/* The content as plain text: the title, then the blocks, separated by blank lines. No markup;
 * images and media are named in brackets. This is the `content` of a TCT payload. Appends. */
enum adit_code adit_page_text(const struct adit_page *page, struct adit_buf *out);

/* The page as CommonMark with GFM's tables; ends with LF. Appends. */
enum adit_code adit_page_md(const struct adit_page *page, struct adit_buf *out);

/* Whether block is the page's title as a heading: formats that begin with the title leave it out.
 */
bool adit_page_is_title(const struct adit_page *page, const struct adit_block *block);

#endif
