/* A diff for a terminal: colours and a pager there, signs around words where there are none. */
#include "batch/view/view_impl.h"

#include <stdio.h>

enum { LINES_SHOWN = 40, VALUE_MAX = 120 };

static const char *const colours[VIEW_CHANGES] = {"32", "33", "31", ""};

static void print_text(struct adit_str s) { cli_print("%.*s", (int)s.len, s.len ? s.p : ""); }

static bool begin_text(struct view_diff *d)
{
    static const char *const names[] = {"old", "new"};
    cli_pager_start();
    for (size_t i = 0; i < 2; i++)
        cli_print("%s  %s  %s  %s\n", names[i], d->sides[i].given, d->sides[i].generated,
                  cli_count(d->sides[i].pages, "page").p);
    for (size_t i = 0; i < VIEW_CHANGES; i++)
        cli_print("%s%llu %s", i ? ", " : "", (unsigned long long)d->counts[i],
                  view_change_names[i]);
    cli_print("\n");
    return true;
}

static void print_part(const struct view_part *p)
{
    static const char *const signs[][2] = {{"", ""}, {"[-", "-]"}, {"{+", "+}"}, {"", ""}};
    static const char *const digits[] = {"", "31;9", "32", "2"};
    bool plain = !cli_colours();
    if (p->kind == VIEW_GAP) {
        cli_print(" ... ");
        return;
    }
    if (p->kind != VIEW_EQUAL) cli_colour(digits[p->kind]);
    if (plain) cli_print("%s", signs[p->kind][0]);
    print_text(p->text);
    if (plain) cli_print("%s", signs[p->kind][1]);
    if (p->kind != VIEW_EQUAL) cli_colour("");
}

static void print_value(const char *sign, const char *digits, struct adit_str value)
{
    struct adit_str cut = adit_utf8_cut(value, VALUE_MAX);
    cli_colour(digits);
    cli_print("%s%.*s%s", sign, (int)cut.len, cut.len ? cut.p : "",
              cut.len < value.len ? " ..." : "");
    cli_colour("");
}

static void print_lines(const struct view_diff_page *p)
{
    struct adit_str heading = {0};
    for (size_t i = 0; i < p->lines.n && i < LINES_SHOWN; i++) {
        const struct view_line *line = &p->lines.v[i];
        if (line->heading.len && !adit_str_eq(line->heading, heading)) {
            cli_print("    ");
            cli_colour("2");
            cli_print("@ %.*s", (int)line->heading.len, line->heading.p);
            cli_colour("");
            cli_print("\n");
        }
        heading = line->heading;
        cli_print("    ");
        for (size_t k = 0; k < line->n; k++) print_part(&line->parts[k]);
        cli_print("\n");
    }
    size_t more = p->lines.more + (p->lines.n > LINES_SHOWN ? p->lines.n - LINES_SHOWN : 0);
    if (more) cli_print("    and %s more (--html shows more)\n", cli_count(more, "changed line").p);
}

static bool page_text(struct view_diff *d, const struct view_diff_page *p)
{
    if (!d->stat) cli_print("\n");
    cli_colour(colours[p->change]);
    cli_print("%c ", view_change_signs[p->change]);
    print_text(p->url);
    cli_colour("");
    cli_print("  %.*s  ", (int)p->title.len, p->title.p);
    if (p->added) cli_print("+%llu ", (unsigned long long)p->added);
    if (p->removed) cli_print("-%llu ", (unsigned long long)p->removed);
    cli_print("%s\n", p->added + p->removed == 1 ? "word"
                      : p->added + p->removed    ? "words"
                                                 : "no word changed");
    if (d->stat) return !ferror(stdout);
    for (size_t i = 0; i < p->n_fields; i++) {
        cli_print("    %s: ", p->fields[i].name);
        print_value("", "31;9", p->fields[i].old_value);
        cli_print(" -> ");
        print_value("", "32", p->fields[i].new_value);
        cli_print("\n");
    }
    print_lines(p);
    return !ferror(stdout);
}

static bool end_text(struct view_diff *d)
{
    (void)d;
    cli_pager_end();
    return true;
}

const struct view_form view_text = {begin_text, page_text, end_text};
