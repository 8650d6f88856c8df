/* view: pages for people: what changed between two states of a site (diff), what is in one (report).
 *
 * Both are made in one pass over sorted collections and hold no collection in memory. HTML files are
 * whole in themselves: no address is loaded, and a policy in the file allows nothing but its own style
 * sheet and its own few lines of script, by their hashes.
 *
 *   diff.c         two collections, page by page
 *   lines.c        which lines of a page's text are shown, and how much of them
 *   diff_text.c    for a terminal, a pager, a pipe
 *   diff_json.c    for programs
 *   diff_html.c    as a page
 *   html.c         what all HTML files begin and end with
 *   chart.c        bars and steps as drawings (SVG)
 *   tally.c        how often each of some names was met
 *   report.c       what is collected for a report
 *   report_json.c  what pack's own report says
 *   report_html.c  the page
 */
#ifndef ADIT_VIEW_H
#define ADIT_VIEW_H

#include "batch/cli/cli.h"
#include "base/base.h"
#include "page/page.h"
#include "scp/scp.h"

/* --- diff ------------------------------------------------------------------------------------- */

/* Compares the two operands and prints or writes what differs; an exit code. */
int view_diff(const struct cli_args *args);

/* --- report ----------------------------------------------------------------------------------- */

/* A name, and how often it was met. */
struct view_count {
    char *name;
    uint64_t n, bytes;
};
enum { VIEW_TALLY_MAX = 200 };
struct view_tally {
    struct view_count v[VIEW_TALLY_MAX];
    size_t n;
    uint64_t other; /* met for names that there was no room for */
};
void view_tally_add(struct view_tally *t, struct adit_str name, uint64_t n, uint64_t bytes);
void view_tally_sort(struct view_tally *t); /* the most frequent first, then by name */
void view_tally_free(struct view_tally *t);

/* A page that stands out, by some number. */
struct view_top {
    char *url, *title;
    uint64_t n;
};
enum { VIEW_TOP = 12 };
void view_top_add(struct view_top top[VIEW_TOP], struct adit_str url, struct adit_str title,
                  uint64_t n);

/* One state of the site, or one change of it, at a time. */
struct view_moment {
    char at[32]; /* RFC 3339 */
    uint64_t pages;
};
enum { VIEW_MOMENTS = 400 };
struct view_moments {
    struct view_moment v[VIEW_MOMENTS];
    size_t n;
};
void view_moment_add(struct view_moments *m, struct adit_str at, uint64_t pages);

/* What went wrong, by reason: how often, and where the first ones are. */
enum { VIEW_REASONS = 64, VIEW_EXAMPLES = 5 };
struct view_loss {
    char *reason;
    uint64_t n;
    char *examples[VIEW_EXAMPLES];
    size_t n_examples;
};

struct view_report {
    char *name;       /* origin, or the folder */
    const char *kind; /* "publication", … */
    char generated[32];
    uint64_t pages, blocks, words, bytes_html, bytes_scp, bytes_stored, bytes_text;
    uint64_t captures, elapsed_ms;
    uint64_t carried; /* pages whose HTML was not read in the run that bytes_html is of */
    struct view_tally languages, kinds, types, sections, left_out, years;
    struct view_top largest[VIEW_TOP], slowest[VIEW_TOP];
    struct view_moments snapshots, deltas;
    struct view_loss losses[VIEW_REASONS];
    size_t n_losses;
    uint64_t losses_more;
    const char *title_of_left_out;
};
void view_report_init(struct view_report *r);
void view_report_free(struct view_report *r);
/* A page of a collection. */
void view_report_page(struct view_report *r, const struct adit_scp_page *page);
/* Something that was lost: where may be empty. */
void view_report_loss(struct view_report *r, struct adit_str reason, struct adit_str where);
/* A publication, or the copy that sync keeps. False: said. */
bool view_report_publication(struct view_report *r, const char *dir);
bool view_report_copy(struct view_report *r, const char *dir);
/* Reads report.json, as far as it is understood (report_json.c). */
void view_report_json(struct view_report *r, struct adit_str json);
/* Writes the page. False: said. */
bool view_report_write(const struct view_report *r, const char *path);

#endif
