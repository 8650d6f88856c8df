/* A diff for programs: one object, its pages in the order of their URLs. */
#include "batch/view/view_impl.h"
#include "json/json.h"

static void put_counts(struct adit_json_writer *w, const struct view_diff *d)
{
    static const char *const names[] = {"old", "new"};
    for (size_t i = 0; i < 2; i++) {
        adit_json_member_open(w, names[i], '{');
        adit_json_member(w, "file", adit_str_z(d->sides[i].given));
        adit_json_member(w, "generated", adit_str_z(d->sides[i].generated));
        adit_json_member_uint(w, "pages", d->sides[i].pages);
        adit_json_close(w, '}');
    }
    adit_json_member_open(w, "counts", '{');
    for (size_t i = 0; i < VIEW_CHANGES; i++)
        adit_json_member_uint(w, view_change_names[i], d->counts[i]);
    adit_json_close(w, '}');
}

static bool flush_json(struct view_diff *d)
{
    bool good = !d->out.err;
    cli_data(adit_buf_str(&d->out));
    adit_buf_clear(&d->out);
    return good && !ferror(stdout);
}

static bool begin_json(struct view_diff *d)
{
    struct adit_json_writer w = {.out = &d->out};
    adit_json_open(&w, '{');
    put_counts(&w, d);
    adit_json_member_open(&w, "pages", '[');
    return flush_json(d);
}

static void put_lines(struct adit_json_writer *w, const struct view_lines *lines)
{
    static const char *const kinds[] = {"=", "-", "+", "..."};
    adit_json_member_open(w, "lines", '[');
    for (size_t i = 0; i < lines->n; i++) {
        adit_json_open(w, '{');
        adit_json_member_opt(w, "heading", lines->v[i].heading);
        adit_json_member_open(w, "parts", '[');
        for (size_t k = 0; k < lines->v[i].n; k++) {
            adit_json_open(w, '[');
            adit_json_string(w, adit_str_z(kinds[lines->v[i].parts[k].kind]));
            adit_json_string(w, lines->v[i].parts[k].text);
            adit_json_close(w, ']');
        }
        adit_json_close(w, ']');
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
    if (lines->more) adit_json_member_uint(w, "lines_more", lines->more);
}

static bool page_json(struct view_diff *d, const struct view_diff_page *p)
{
    if (d->shown++) adit_buf_byte(&d->out, ',');
    struct adit_json_writer w = {.out = &d->out};
    adit_json_open(&w, '{');
    adit_json_member(&w, "change", adit_str_z(view_change_names[p->change]));
    adit_json_member_open(&w, "fields", '[');
    for (size_t i = 0; i < p->n_fields; i++) {
        adit_json_open(&w, '{');
        adit_json_member(&w, "name", adit_str_z(p->fields[i].name));
        adit_json_member(&w, "new", p->fields[i].new_value);
        adit_json_member(&w, "old", p->fields[i].old_value);
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, ']');
    if (p->change == VIEW_CHANGED && !d->stat) put_lines(&w, &p->lines);
    adit_json_member(&w, "title", p->title);
    adit_json_member(&w, "url", p->url);
    adit_json_member_uint(&w, "words_added", p->added);
    adit_json_member_uint(&w, "words_removed", p->removed);
    adit_json_close(&w, '}');
    return flush_json(d);
}

static bool end_json(struct view_diff *d)
{
    adit_buf_lit(&d->out, "]}\n");
    return flush_json(d);
}

const struct view_form view_json = {begin_json, page_json, end_json};
