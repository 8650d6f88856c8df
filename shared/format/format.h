/* format: what a page can be written as: one table, a row a format. Adding one is a function and a
 * row; edge/ and batch/ only know names from here. */
#ifndef ADIT_FORMAT_H
#define ADIT_FORMAT_H

#include "page/page.h"

struct adit_format {
    const char *name, *media_type;
    const char *summary; /* for help texts */
    /* Appends the page to out; work memory comes from mem. */
    enum adit_code (*write)(const struct adit_page *page, struct adit_mem mem,
                            struct adit_buf *out);
};

extern const struct adit_format adit_formats[]; /* ends with a NULL name */

/* NULL: there is no such format. */
const struct adit_format *adit_format_find(struct adit_str name);

#endif
