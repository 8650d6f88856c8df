/* What the files of this folder share. */
#ifndef ADIT_VIEW_IMPL_H
#define ADIT_VIEW_IMPL_H

#include "batch/io/io.h"
#include "batch/view/view.h"
#include "text/text.h"

/* --- a page's changes (lines.c) --------------------------------------------------------------- */

enum view_part_kind { VIEW_EQUAL, VIEW_REMOVED, VIEW_ADDED_PART, VIEW_GAP };
struct view_part {
    enum view_part_kind kind;
    struct adit_str text; /* of a gap: empty */
};
/* A line in which something changed. */
struct view_line {
    struct view_part *parts;
    size_t n;
    struct adit_str heading; /* the nearest one before, without its signs; may be empty */
};
struct view_lines {
    struct view_line *v;
    size_t n, more; /* more: those that are not shown */
};
bool view_lines_make(const struct adit_diff *d, struct adit_arena *arena, struct view_lines *out);

/* --- diff ------------------------------------------------------------------------------------- */

enum view_change { VIEW_ADDED, VIEW_CHANGED, VIEW_DELETED, VIEW_UNCHANGED, VIEW_CHANGES };
extern const char *const view_change_names[VIEW_CHANGES]; /* "added", … */
extern const char view_change_signs[VIEW_CHANGES];        /* '+', … */

/* A member of a page that says something else now. */
struct view_field {
    const char *name;
    struct adit_str old_value, new_value;
};
enum { VIEW_FIELDS = 6 };

struct view_diff_page {
    enum view_change change;
    struct adit_str url, title, excerpt; /* of the new page, or of the deleted one */
    struct view_field fields[VIEW_FIELDS];
    size_t n_fields;
    uint64_t added, removed; /* words */
    struct view_lines lines; /* of a changed page; empty with --stat */
};

struct view_side {
    const char *given; /* as on the command line */
    char *path;        /* of the collection */
    char generated[40];
    uint64_t pages;
};

struct view_diff {
    const struct cli_args *args;
    struct view_side sides[2];
    uint64_t counts[VIEW_CHANGES];
    bool stat; /* no words */
    bool sort[2];
    uint64_t lost;
    struct output *html;
    struct adit_buf out; /* of the form */
    uint64_t shown;
    struct adit_arena arena;
    struct adit_buf texts[2];
};

/* How it is shown. begin knows the counts; false ends the run. */
struct view_form {
    bool (*begin)(struct view_diff *d);
    bool (*page)(struct view_diff *d, const struct view_diff_page *p);
    bool (*end)(struct view_diff *d);
};
extern const struct view_form view_text, view_json, view_html;

/* --- HTML files (html.c, chart.c) ------------------------------------------------------------- */

/* Appends the beginning, up to and with <main>; script: the page has the filter. */
void view_html_begin(struct adit_buf *out, struct adit_str title, bool script);
void view_html_end(struct adit_buf *out, bool script);
void view_text_put(struct adit_buf *out, const char *before, struct adit_str text,
                   const char *after);              /* text escaped, the others as they stand */
void view_number(struct adit_buf *out, uint64_t n); /* 12,345 */
void view_size(struct adit_buf *out, uint64_t bytes);
void view_page_link(struct adit_buf *out, struct adit_str url, struct adit_str title);

struct view_bar {
    struct adit_str name;
    uint64_t n;
    bool size; /* n are bytes */
};
/* Bars below each other, their names before and their numbers behind them. */
void view_bars(struct adit_buf *out, const char *label, const struct view_bar *v, size_t n);
/* Columns beside each other, one a moment; what: "pages". */
void view_columns(struct adit_buf *out, const char *label, const struct view_moments *m);

#endif
