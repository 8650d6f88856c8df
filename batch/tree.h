/* tree: the HTML files below a folder, with the URLs that they have on the web. */
#ifndef ADIT_TREE_H
#define ADIT_TREE_H

#include "base/time.h"
#include "batch/cli.h"

struct tree;

struct tree_file {
    const char *path;    /* valid until the next call */
    struct adit_str url; /* likewise */
    struct adit_time modified;
    bool known_html; /* by its ending; else the content decides */
};

/* base_url: what the folder is on the web; a slash is added if it lacks one. strip: "a.html" is
 * /a. NULL (said on stderr) if the folder cannot be read. */
struct tree *tree_open(const char *dir, struct adit_str base_url, bool strip);
/* The next file that is or may be HTML. "index.html" has the URL of its folder. Symbolic links are
 * followed to files inside the tree only. False at the end; unreadable folders are said. */
bool tree_next(struct tree *t, struct tree_file *file);
void tree_close(struct tree *t); /* NULL is fine */

#endif
