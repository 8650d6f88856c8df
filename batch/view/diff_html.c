/* A diff as a page: the counts, a filter, each page with what changed in it. */
#include "batch/view/view_impl.h"

enum { PAGES_SHOWN = 5000 };

static bool flush_html(struct view_diff *d)
{
    bool good = !d->out.err && output_write(d->html, adit_buf_str(&d->out));
    adit_buf_clear(&d->out);
    return good;
}

static void put_side(struct adit_buf *b, const char *name, const struct view_side *s)
{
    view_text_put(b, "<tr><th scope=\"row\">", adit_str_z(name), "</th>");
    view_text_put(b, "<td>", adit_str_z(s->given), "</td>");
    view_text_put(b, "<td>", adit_str_z(s->generated), "</td><td class=\"n\">");
    view_number(b, s->pages);
    adit_buf_lit(b, "</td></tr>\n");
}

static bool begin_html(struct view_diff *d)
{
    struct adit_buf *b = &d->out;
    d->html = output_open(cli_get(d->args, "html"), NULL);
    if (!d->html) return false;
    view_html_begin(b, ADIT_STR("What changed"), true);
    adit_buf_lit(b, "<table class=\"plain\"><thead><tr><td></td><th scope=\"col\">collection</th>"
                    "<th scope=\"col\">generated</th><th scope=\"col\" class=\"n\">pages</th></tr>"
                    "</thead><tbody>\n");
    put_side(b, "old", &d->sides[0]);
    put_side(b, "new", &d->sides[1]);
    adit_buf_lit(b, "</tbody></table>\n<ul class=\"tiles\">");
    for (size_t i = 0; i < VIEW_CHANGES; i++) {
        view_text_put(b, "<li class=\"", adit_str_z(view_change_names[i]), "\"><b>");
        view_number(b, d->counts[i]);
        view_text_put(b, "</b> ", adit_str_z(view_change_names[i]), "</li>");
    }
    adit_buf_lit(b, "</ul>\n<form class=\"filter\" hidden><label>Filter <input type=\"search\" "
                    "placeholder=\"title or address\"></label>");
    for (size_t i = 0; i < VIEW_UNCHANGED; i++) {
        view_text_put(b, "<label><input type=\"checkbox\" checked value=\"",
                      adit_str_z(view_change_names[i]), "\"> ");
        adit_buf_lit(b, view_change_names[i]);
        adit_buf_lit(b, "</label>");
    }
    adit_buf_lit(b, "<output></output></form>\n");
    if (!d->counts[VIEW_ADDED] && !d->counts[VIEW_CHANGED] && !d->counts[VIEW_DELETED])
        adit_buf_lit(b, "<p>Nothing changed.</p>\n");
    return flush_html(d);
}

static void put_line(struct adit_buf *b, const struct view_line *line)
{
    static const char *const tags[][2] = {
        {"", ""}, {"<del>", "</del>"}, {"<ins>", "</ins>"}, {"", ""}};
    adit_buf_lit(b, "<p class=\"line\">");
    for (size_t k = 0; k < line->n; k++) {
        const struct view_part *p = &line->parts[k];
        if (p->kind == VIEW_GAP)
            adit_buf_lit(b, " <span class=\"gap\">…</span> ");
        else
            view_text_put(b, tags[p->kind][0], p->text, tags[p->kind][1]);
    }
    adit_buf_lit(b, "</p>\n");
}

static void put_lines(struct adit_buf *b, const struct view_lines *lines)
{
    struct adit_str heading = {0};
    for (size_t i = 0; i < lines->n; i++) {
        if (lines->v[i].heading.len && !adit_str_eq(lines->v[i].heading, heading))
            view_text_put(b, "<h3>", lines->v[i].heading, "</h3>\n");
        heading = lines->v[i].heading;
        put_line(b, &lines->v[i]);
    }
    if (!lines->more) return;
    adit_buf_lit(b, "<p class=\"note\">and ");
    view_number(b, lines->more);
    adit_buf_lit(b, " more changed lines</p>\n");
}

static bool page_html(struct view_diff *d, const struct view_diff_page *p)
{
    struct adit_buf *b = &d->out;
    if (d->shown++ >= PAGES_SHOWN) return true;
    view_text_put(b, "<article data-kind=\"", adit_str_z(view_change_names[p->change]), "\">\n");
    view_text_put(b, "<h2><span class=\"badge ", adit_str_z(view_change_names[p->change]), "\">");
    view_text_put(b, "", adit_str_z(view_change_names[p->change]), "</span> ");
    view_page_link(b, p->url, p->title);
    adit_buf_lit(b, "</h2>\n");
    view_text_put(b, "<p class=\"url\">", p->url, " <span class=\"words\">");
    if (p->added) adit_buf_lit(b, "<ins>+"), view_number(b, p->added), adit_buf_lit(b, "</ins> ");
    if (p->removed)
        adit_buf_lit(b, "<del>−"), view_number(b, p->removed), adit_buf_lit(b, "</del> ");
    adit_buf_lit(b, p->added + p->removed ? "words</span></p>\n" : "no word changed</span></p>\n");
    for (size_t i = 0; i < p->n_fields; i++) {
        view_text_put(b, "<p class=\"line\"><b>", adit_str_z(p->fields[i].name), "</b> ");
        if (p->fields[i].old_value.len)
            view_text_put(b, "<del>", p->fields[i].old_value, "</del> ");
        view_text_put(b, "<ins>", p->fields[i].new_value, "</ins></p>\n");
    }
    if (p->change == VIEW_CHANGED)
        put_lines(b, &p->lines);
    else if (p->excerpt.len)
        view_text_put(b, "<p class=\"excerpt\">", p->excerpt, "</p>\n");
    adit_buf_lit(b, "</article>\n");
    return flush_html(d);
}

static bool end_html(struct view_diff *d)
{
    if (d->shown > PAGES_SHOWN) {
        adit_buf_lit(&d->out, "<p class=\"note\">and ");
        view_number(&d->out, d->shown - PAGES_SHOWN);
        adit_buf_lit(&d->out, " more pages: adit diff without --html names all</p>\n");
    }
    view_html_end(&d->out, true);
    bool good = flush_html(d) && output_commit(d->html);
    d->html = NULL;
    if (good && !cli_has(d->args, "quiet"))
        cli_print("%s: %llu added, %llu changed, %llu deleted\n", cli_get(d->args, "html"),
                  (unsigned long long)d->counts[VIEW_ADDED],
                  (unsigned long long)d->counts[VIEW_CHANGED],
                  (unsigned long long)d->counts[VIEW_DELETED]);
    return good;
}

const struct view_form view_html = {begin_html, page_html, end_html};
