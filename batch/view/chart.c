/* Bars and columns: drawings (SVG) hold no text, so that they may be stretched to any width; names and
 * numbers stand beside them. Colours are the style sheet's. */
#include "batch/view/view_impl.h"

enum { WIDTH = 1000, HEIGHT = 100, ROWS_MAX = 24 };

static void put_rect(struct adit_buf *out, const char *class, const uint64_t at[4])
{
    static const char *const names[] = {" x=\"", " y=\"", " width=\"", " height=\""};
    adit_buf_lit(out, "<rect class=\"");
    adit_buf_lit(out, class);
    adit_buf_byte(out, '"');
    for (size_t i = 0; i < 4; i++) {
        adit_buf_lit(out, names[i]);
        adit_buf_u64(out, at[i]);
        adit_buf_byte(out, '"');
    }
    adit_buf_lit(out, "/>");
}

/* n of most, at most WIDTH; what is not nothing is seen. */
static uint64_t length_of(uint64_t n, uint64_t most, uint64_t room)
{
    uint64_t len = most ? (uint64_t)((double)n / (double)most * (double)room) : 0;
    return n && len < 4 ? 4 : len;
}

static void put_bar(struct adit_buf *out, const struct view_bar *bar, uint64_t most)
{
    view_text_put(out, "<tr><th scope=\"row\">", bar->name,
                  "</th><td><svg aria-hidden=\"true\" viewBox=\"0 0 1000 10\" "
                  "preserveAspectRatio=\"none\">");
    put_rect(out, "track", (uint64_t[]){0, 0, WIDTH, 10});
    put_rect(out, "bar", (uint64_t[]){0, 0, length_of(bar->n, most, WIDTH), 10});
    adit_buf_lit(out, "</svg></td><td class=\"n\">");
    if (bar->size)
        view_size(out, bar->n);
    else
        view_number(out, bar->n);
    adit_buf_lit(out, "</td></tr>\n");
}

void view_bars(struct adit_buf *out, const char *label, const struct view_bar *v, size_t n)
{
    uint64_t most = 1;
    for (size_t i = 0; i < n; i++) most = v[i].n > most ? v[i].n : most;
    view_text_put(out, "<table class=\"bars\" aria-label=\"", adit_str_z(label), "\"><tbody>\n");
    for (size_t i = 0; i < n; i++) put_bar(out, &v[i], most);
    adit_buf_lit(out, "</tbody></table>\n");
}

/* A long history: columns beside each other, with the first and the last day below them. */
static void put_columns(struct adit_buf *out, const char *label, const struct view_moments *m)
{
    uint64_t most = 1;
    for (size_t i = 0; i < m->n; i++) most = m->v[i].pages > most ? m->v[i].pages : most;
    view_text_put(out, "<figure><svg class=\"columns\" role=\"img\" viewBox=\"0 0 ",
                  (struct adit_str){0}, "");
    adit_buf_u64(out, m->n * 10);
    view_text_put(out, " 100\" preserveAspectRatio=\"none\" aria-label=\"", adit_str_z(label),
                  "\">");
    for (size_t i = 0; i < m->n; i++) {
        uint64_t high = length_of(m->v[i].pages, most, HEIGHT);
        view_text_put(out, "<g><title>", adit_str_z(m->v[i].at), ": ");
        view_number(out, m->v[i].pages);
        adit_buf_lit(out, "</title>");
        put_rect(out, "bar", (uint64_t[]){i * 10 + 1, HEIGHT - high, 8, high});
        adit_buf_lit(out, "</g>");
    }
    view_text_put(out, "</svg><figcaption><span>", adit_str_sub(adit_str_z(m->v[0].at), 0, 10),
                  "</span><span>at most ");
    view_number(out, most);
    view_text_put(out, "</span><span>", adit_str_sub(adit_str_z(m->v[m->n - 1].at), 0, 10),
                  "</span></figcaption></figure>\n");
}

void view_columns(struct adit_buf *out, const char *label, const struct view_moments *m)
{
    struct view_bar bars[ROWS_MAX];
    if (m->n > ROWS_MAX) {
        put_columns(out, label, m);
        return;
    }
    for (size_t i = 0; i < m->n; i++)
        bars[i] =
            (struct view_bar){adit_str_sub(adit_str_z(m->v[i].at), 0, 16), m->v[i].pages, false};
    view_bars(out, label, bars, m->n);
}
