/* The text of an entry: what has changed, for people. */
#include "atom/atom.h"
#include "text/text.h"

static const struct {
    const char *heading, *word, *before;
} kinds[] = {
    [ADIT_RS_CREATED] = {"New pages", "new", ""},
    [ADIT_RS_UPDATED] = {"Updated pages", "updated", "Updated: "},
    [ADIT_RS_DELETED] = {"Deleted pages", "deleted", "Deleted: "},
};

void adit_rs_summary_init(struct adit_rs_summary *s, struct adit_mem mem, size_t max)
{
    *s = (struct adit_rs_summary){.kind = ADIT_RS_CHANGES};
    adit_buf_init(&s->html, mem, max);
}

void adit_rs_summary_free(struct adit_rs_summary *s) { adit_buf_free(&s->html); }

void adit_rs_summary_end(struct adit_rs_summary *s)
{
    if (s->kind == ADIT_RS_CHANGES) return;
    adit_buf_lit(&s->html, "</ul>");
    uint64_t more = s->counts[s->kind] - s->shown;
    if (more) {
        adit_buf_lit(&s->html, "<p>and ");
        adit_buf_u64(&s->html, more);
        adit_buf_lit(&s->html, " more</p>");
    }
    s->kind = ADIT_RS_CHANGES;
}

/* Nothing but these may become a link in a stranger's feed reader. */
static bool is_web(struct adit_str loc)
{
    return adit_str_istarts(loc, ADIT_STR("https://")) ||
           adit_str_istarts(loc, ADIT_STR("http://"));
}

static void put_name(struct adit_buf *out, const struct adit_rs_shown *c)
{
    struct adit_str name = c->title.len ? c->title : c->loc;
    if (c->change == ADIT_RS_DELETED || !is_web(c->loc)) {
        adit_xml(out, name);
        if (!c->title.len) return;
        adit_buf_lit(out, ", ");
        adit_xml(out, c->loc);
        return;
    }
    adit_buf_lit(out, "<a");
    adit_xml_attribute(out, "href", c->loc);
    adit_buf_byte(out, '>');
    adit_xml(out, name);
    adit_buf_lit(out, "</a>");
}

static void put_detail(struct adit_buf *out, const struct adit_rs_shown *c)
{
    if (c->diff)
        adit_diff_html(c->diff, out);
    else if (c->excerpt.len)
        adit_xml_element(out, "p", c->excerpt);
}

void adit_rs_summary_count(struct adit_rs_summary *s, enum adit_rs_change change)
{
    if (change != s->kind) {
        adit_rs_summary_end(s);
        adit_xml_element(&s->html, "p", adit_str_z(kinds[change].heading));
        adit_buf_lit(&s->html, "<ul>");
        s->kind = change, s->shown = 0;
    }
    s->counts[change]++;
}

void adit_rs_summary_add(struct adit_rs_summary *s, const struct adit_rs_shown *c)
{
    adit_rs_summary_count(s, c->change);
    if (s->shown == ADIT_RS_SHOWN || s->html.len > ADIT_RS_SHOWN_BYTES) return;
    s->shown++;
    adit_buf_lit(&s->html, "<li>");
    put_name(&s->html, c);
    if (c->day.len) {
        adit_buf_lit(&s->html, " (");
        adit_xml(&s->html, c->day);
        adit_buf_byte(&s->html, ')');
    }
    put_detail(&s->html, c);
    adit_buf_lit(&s->html, "</li>");
}

void adit_rs_shown_title(const struct adit_rs_shown *c, struct adit_buf *out)
{
    adit_buf_lit(out, kinds[c->change].before);
    adit_buf_add(out, c->title.len ? c->title : c->loc);
}

void adit_rs_shown_html(const struct adit_rs_shown *c, struct adit_buf *out)
{
    adit_buf_lit(out, "<p>");
    put_name(out, c);
    adit_buf_lit(out, "</p>");
    put_detail(out, c);
}

void adit_rs_summary_title(const struct adit_rs_summary *s, struct adit_buf *out)
{
    uint64_t all = 0;
    for (size_t i = 0; i < ADIT_RS_CHANGES; i++) all += s->counts[i];
    adit_buf_u64(out, all);
    adit_buf_lit(out, all == 1 ? " change" : " changes");
    const char *before = ": ";
    for (size_t i = 0; i < ADIT_RS_CHANGES; i++) {
        if (!s->counts[i]) continue;
        adit_buf_lit(out, before);
        adit_buf_u64(out, s->counts[i]);
        adit_buf_byte(out, ' ');
        adit_buf_lit(out, kinds[i].word);
        before = ", ";
    }
}
