/* The page itself with its texts marked: what was kept, what was dropped, and why.
 *
 * The page's own bytes are written, with an element around each piece of text; nothing else is changed
 * but what stands before the first tag: a style sheet for the marks, and what references are resolved
 * against. Who shows the page must not let it run scripts. */
#include "convert/convert.h"
#include "convert/explain_impl.h"

/* A piece of text in the page, in the order of the page. */
struct piece {
    uint32_t from, to, leaf;
};

static const char style[] =
    "<style>adit-text{border-radius:2px;position:static}"
    "adit-text[kept]{background:rgba(46,160,67,.22)!important;"
    "box-shadow:0 0 0 1px rgba(46,160,67,.45)}"
    "adit-text[dropped]{background:rgba(128,128,128,.16)!important;opacity:.6;"
    "text-decoration:line-through rgba(128,128,128,.55)}"
    "adit-text:hover{outline:2px solid #1f6feb;opacity:1}"
    "adit-text:hover::after{content:attr(title);position:fixed;left:0;right:0;bottom:0;"
    "z-index:2147483647;padding:.5rem .8rem;background:#1b1f24;color:#fff;font:14px/1.4 "
    "system-ui,sans-serif;text-align:left;white-space:pre-line;text-transform:none;"
    "letter-spacing:0}</style>";

/* Merges two sorted neighbours, [from, middle) and [middle, to), into out. */
static void merge(const struct piece *in, struct piece *out, size_t from, size_t middle, size_t to)
{
    size_t a = from, b = middle;
    for (size_t k = from; k < to; k++)
        out[k] = a < middle && (b >= to || in[a].from <= in[b].from) ? in[a++] : in[b++];
}

/* By place: the tree is not always in the order of the page (pieces.c, tables). Returns one of the two
 * arrays. */
static struct piece *sort_pieces(struct piece *in, struct piece *out, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = from + width < n ? from + width : n;
            merge(in, out, from, middle, from + 2 * width < n ? from + 2 * width : n);
        }
        struct piece *swap = in;
        in = out, out = swap;
    }
    return in;
}

static size_t take_pieces(const struct adit_draft *d, struct piece *out)
{
    size_t n = 0;
    for (size_t k = 0; k < d->tape.n_items; k++) {
        const struct adit_item *item = &d->tape.items[k];
        if (item->kind != ADIT_ITEM_TEXT || item->leaf == ADIT_NONE) continue;
        struct adit_str place = adit_dom_place(d->dom, item->node, d->text);
        if (adit_space_blank(place)) continue;
        uint32_t from = (uint32_t)(place.p - d->text.p);
        out[n++] = (struct piece){from, from + (uint32_t)place.len, item->leaf};
    }
    return n;
}

/* Where the document type and the comments before and after it end: what stands there goes into the
 * head, whatever follows. */
static size_t skip_doctype(struct adit_str page)
{
    size_t at = 0, end = 0;
    while (at < page.len) {
        while (at < page.len && adit_is_space(page.p[at])) at++;
        struct adit_str rest = adit_str_sub(page, at, page.len);
        if (!adit_str_starts(rest, ADIT_STR("<!"))) break;
        bool comment = adit_str_starts(rest, ADIT_STR("<!--"));
        struct adit_str close = comment ? ADIT_STR("-->") : ADIT_STR(">");
        size_t found = adit_str_find(rest, close, 0);
        if (found == rest.len) break;
        at += found + close.len;
        end = at;
    }
    return end;
}

static void put_title(struct adit_buf *out, const struct adit_verdicts *v, uint32_t leaf, bool kept)
{
    adit_buf_lit(out,
                 kept ? "<adit-text kept title=\"kept: " : "<adit-text dropped title=\"dropped: ");
    const char *reason = adit_select_reason_names[v->reasons[leaf]];
    struct adit_str said = adit_str_z(reason), again = ADIT_STR("kept: ");
    if (kept && adit_str_starts(said, again)) said = adit_str_sub(said, again.len, said.len);
    adit_xml(out, v->reasons[leaf] == ADIT_KEPT ? ADIT_STR("its score passes the cut") : said);
    adit_buf_lit(out, " (");
    adit_buf_i64(out, v->scores[leaf]);
    adit_buf_lit(out, " points, ");
    adit_buf_i64(out, v->cut);
    adit_buf_lit(out, " are needed)");
    if (v->features) {
        const int16_t *row = v->features + leaf * adit_n_features;
        size_t best = adit_n_features;
        int32_t most = 0;
        for (size_t f = 0; f < adit_n_features; f++) {
            int32_t points = adit_feature_points(f, row[f]);
            if (kept ? points > most : points < most) most = points, best = f;
        }
        if (best < adit_n_features) {
            adit_buf_lit(out, "&#10;most of all: ");
            adit_xml(out, adit_str_z(adit_feature_row(best)->does));
            adit_buf_lit(out, ": ");
            adit_buf_i64(out, row[best]);
        }
    }
    adit_buf_lit(out, "\">");
}

enum adit_code adit_explain_html(struct adit_converter *c, struct adit_str body,
                                 const struct adit_page_source *source, struct adit_str base,
                                 struct adit_buf *out, struct adit_error *err)
{
    struct adit_draft d;
    struct adit_explained e;
    ADIT_TRY(adit_explain_begin(c, body, source, &d, &e, err));
    const struct adit_verdicts v = e.verdicts;
    struct piece *pieces = adit_arena_alloc(d.arena, 2 * (d.tape.n_items + 1) * sizeof *pieces);
    if (!pieces) return ADIT_ENOMEM;
    size_t n = take_pieces(&d, pieces), at = skip_doctype(d.text);
    pieces = sort_pieces(pieces, pieces + d.tape.n_items + 1, n);
    adit_buf_add(out, adit_str_sub(d.text, 0, at));
    if (base.len) {
        adit_buf_lit(out, "<base");
        adit_xml_attribute(out, "href", base);
        adit_buf_byte(out, '>');
    }
    adit_buf_lit(out, style);
    for (size_t k = 0; k < n && !out->err; k++) {
        if (pieces[k].from < at) continue; /* two texts of one place: the first counts */
        adit_buf_add(out, adit_str_sub(d.text, at, pieces[k].from));
        put_title(out, &v, pieces[k].leaf, d.tape.leaves[pieces[k].leaf].keep);
        adit_buf_add(out, adit_str_sub(d.text, pieces[k].from, pieces[k].to));
        adit_buf_lit(out, "</adit-text>");
        at = pieces[k].to;
    }
    adit_buf_add(out, adit_str_sub(d.text, at, d.text.len));
    return out->err;
}
