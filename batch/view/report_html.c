/* The page of a report. */
#include "batch/view/view_impl.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 12, TOKEN = 4 };

static void put_tile(struct adit_buf *b, const char *name, uint64_t n, bool size)
{
    adit_buf_lit(b, "<li><b>");
    if (size)
        view_size(b, n);
    else
        view_number(b, n);
    view_text_put(b, "</b> ", adit_str_z(name), "</li>");
}

/* What a reader saves by taking the text instead of the HTML. */
static void put_savings(struct adit_buf *b, const struct view_report *r)
{
    struct view_bar bars[4];
    size_t n = 0;
    bool partly = r->carried && r->carried < r->pages;
    uint64_t html = r->bytes_html;
    if (partly)
        html = (uint64_t)((double)html * (double)r->pages / (double)(r->pages - r->carried));
    if (html)
        bars[n++] =
            (struct view_bar){partly ? ADIT_STR("HTML, estimated") : ADIT_STR("HTML"), html, true};
    bars[n++] = (struct view_bar){ADIT_STR("SCP, uncompressed"), r->bytes_scp, true};
    bars[n++] = (struct view_bar){ADIT_STR("SCP, as stored"), r->bytes_stored, true};
    bars[n++] = (struct view_bar){ADIT_STR("as Markdown"), r->bytes_text, true};
    adit_buf_lit(b, "<section><h2>Sizes</h2>\n");
    view_bars(b, "Sizes of all pages in each form", bars, n);
    if (html) {
        char text[256];
        double saved = (1 - (double)r->bytes_text / (double)html) * 100;
        snprintf(text, sizeof text,
                 "<p>A reader of Markdown instead of HTML %s about %.0f %% of the tokens: ",
                 saved < 0 ? "would need more," : "saves", saved < 0 ? -saved : saved);
        adit_buf_lit(b, text);
        view_number(b, r->bytes_text / TOKEN);
        adit_buf_lit(b, " where HTML has ");
        view_number(b, html / TOKEN);
        adit_buf_lit(b, ". Tokens are estimated: a quarter of the bytes.");
        if (partly) {
            adit_buf_lit(b, " The last run read the HTML of ");
            view_number(b, r->pages - r->carried);
            adit_buf_lit(b, " of these pages: that of the others is taken to be as long.");
        }
        adit_buf_lit(b, "</p>\n");
    }
    adit_buf_lit(b, "</section>\n");
}

static void put_tally(struct adit_buf *b, const char *title, struct view_tally *t)
{
    struct view_bar bars[ROWS + 1];
    size_t n = 0;
    uint64_t rest = t->other;
    if (!t->n) return;
    view_tally_sort(t);
    for (size_t i = 0; i < t->n; i++)
        if (n < ROWS)
            bars[n++] = (struct view_bar){adit_str_z(t->v[i].name), t->v[i].n, false};
        else
            rest += t->v[i].n;
    if (rest) bars[n++] = (struct view_bar){ADIT_STR("others"), rest, false};
    view_text_put(b, "<section><h2>", adit_str_z(title), "</h2>\n");
    view_bars(b, title, bars, n);
    adit_buf_lit(b, "</section>\n");
}

static void put_sections(struct adit_buf *b, struct view_tally *t)
{
    if (!t->n) return;
    view_tally_sort(t);
    adit_buf_lit(b, "<section><h2>Sections</h2>\n<table><thead><tr><th scope=\"col\">section</th>"
                    "<th scope=\"col\" class=\"n\">pages</th><th scope=\"col\" class=\"n\">stored"
                    "</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < t->n; i++) {
        view_text_put(b, "<tr><td>", adit_str_z(t->v[i].name), "</td><td class=\"n\">");
        view_number(b, t->v[i].n);
        adit_buf_lit(b, "</td><td class=\"n\">");
        view_size(b, t->v[i].bytes);
        adit_buf_lit(b, "</td></tr>\n");
    }
    adit_buf_lit(b, "</tbody></table></section>\n");
}

static void put_top(struct adit_buf *b, const char *title, const struct view_top top[VIEW_TOP],
                    bool time)
{
    if (!top[0].url) return;
    view_text_put(b, "<section><h2>", adit_str_z(title), "</h2>\n<table><tbody>\n");
    for (size_t i = 0; i < VIEW_TOP && top[i].url; i++) {
        adit_buf_lit(b, "<tr><td>");
        view_page_link(b, adit_str_z(top[i].url), adit_str_z(top[i].title));
        if (top[i].title[0])
            view_text_put(b, "<br><span class=\"url\">", adit_str_z(top[i].url), "</span>");
        adit_buf_lit(b, "</td><td class=\"n\">");
        if (time) {
            char text[32];
            snprintf(text, sizeof text, "%.2f ms", (double)top[i].n / 1000);
            adit_buf_lit(b, text);
        } else {
            view_size(b, top[i].n);
        }
        adit_buf_lit(b, "</td></tr>\n");
    }
    adit_buf_lit(b, "</tbody></table></section>\n");
}

static void put_losses(struct adit_buf *b, const struct view_report *r)
{
    if (!r->n_losses) return;
    adit_buf_lit(b, "<section><h2>Lost or left out, and where</h2>\n<table><thead><tr>"
                    "<th scope=\"col\">reason</th><th scope=\"col\">examples</th></tr></thead>"
                    "<tbody>\n");
    for (size_t i = 0; i < r->n_losses; i++) {
        view_text_put(b, "<tr><td>", adit_str_z(r->losses[i].reason), "</td><td>");
        for (size_t k = 0; k < r->losses[i].n_examples; k++)
            view_text_put(b, k ? "<br><code>" : "<code>", adit_str_z(r->losses[i].examples[k]),
                          "</code>");
        if (r->losses[i].n > r->losses[i].n_examples) {
            adit_buf_lit(b, "<br>and ");
            view_number(b, r->losses[i].n - r->losses[i].n_examples);
            adit_buf_lit(b, " more");
        }
        adit_buf_lit(b, "</td></tr>\n");
    }
    adit_buf_lit(b, "</tbody></table>\n");
    if (r->losses_more) {
        adit_buf_lit(b, "<p class=\"note\">and ");
        view_number(b, r->losses_more);
        adit_buf_lit(b, " more that are only counted</p>\n");
    }
    adit_buf_lit(b, "</section>\n");
}

static void put_head(struct adit_buf *b, const struct view_report *r)
{
    view_html_begin(b, adit_str_z(r->name), false);
    view_text_put(b, "<p class=\"sub\">", adit_str_z(r->kind), "");
    if (r->generated[0]) view_text_put(b, " of ", adit_str_z(r->generated), "");
    adit_buf_lit(b, "</p>\n<ul class=\"tiles\">");
    put_tile(b, r->pages == 1 ? "page" : "pages", r->pages, false);
    if (r->blocks) put_tile(b, "blocks", r->blocks, false);
    if (r->words) put_tile(b, "words", r->words, false);
    if (r->captures) put_tile(b, "captures read", r->captures, false);
    if (r->bytes_html) put_tile(b, "of HTML read", r->bytes_html, true);
    put_tile(b, "stored", r->bytes_stored, true);
    adit_buf_lit(b, "</ul>\n");
}

bool view_report_write(const struct view_report *report, const char *path)
{
    struct view_report *r = malloc(sizeof *r); /* tallies are sorted in a copy */
    struct adit_buf b;
    struct output *out = r ? output_open(path, NULL) : NULL;
    if (!out) {
        free(r);
        return false;
    }
    *r = *report;
    adit_buf_init(&b, cli_mem, 64 << 20);
    put_head(&b, r);
    if (r->bytes_scp) put_savings(&b, r);
    if (r->deltas.n || r->snapshots.n > 1) {
        adit_buf_lit(&b, "<section><h2>Changes over time</h2>\n");
        if (r->deltas.n) {
            adit_buf_lit(&b, "<h3>pages that changed, by delta</h3>\n");
            view_columns(&b, "Pages that changed, by delta", &r->deltas);
        }
        if (r->snapshots.n > 1) {
            adit_buf_lit(&b, "<h3>pages of the site, by snapshot</h3>\n");
            view_columns(&b, "Pages of the site, by snapshot", &r->snapshots);
        }
        adit_buf_lit(&b, "</section>\n");
    }
    put_sections(&b, &r->sections);
    adit_buf_lit(&b, "<div class=\"cols\">\n");
    put_tally(&b, "Blocks", &r->types);
    put_tally(&b, "Kinds of page", &r->kinds);
    put_tally(&b, "Languages", &r->languages);
    put_tally(&b, "Last changed in", &r->years);
    adit_buf_lit(&b, "</div>\n");
    put_tally(&b, "Not listed, and why", &r->left_out);
    put_losses(&b, r);
    put_top(&b, "Largest pages", r->largest, false);
    put_top(&b, "Slowest conversions", r->slowest, true);
    view_html_end(&b, false);
    bool good = !b.err && output_write(out, adit_buf_str(&b));
    adit_buf_free(&b);
    free(r);
    if (good) return output_commit(out);
    output_discard(out);
    return false;
}
