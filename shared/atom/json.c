/* JSON Feed 1.1, item by item; and the table of a feed's formats. */
#include "atom/atom_impl.h"
#include "json/json.h"

const struct adit_feed_format adit_feed_formats[] = {
    {"atom", ".xml", adit_atom_head, adit_atom_entry, adit_atom_tail},
    {"json", ".json", adit_jsonfeed_head, adit_jsonfeed_entry, adit_jsonfeed_tail},
    {0},
};

void adit_jsonfeed_head(struct adit_feed_writer *w, const struct adit_atom_feed *f)
{
    struct adit_json_writer j = {.out = w->out};
    adit_json_open(&j, '{');
    adit_json_member(&j, "version", ADIT_STR("https://jsonfeed.org/version/1.1"));
    adit_json_member(&j, "title", f->title);
    adit_json_member_opt(&j, "home_page_url", f->alternate);
    adit_json_member_opt(&j, "feed_url", f->self);
    adit_json_member_opt(&j, "next_url", f->older);
    adit_json_member_open(&j, "authors", '[');
    adit_json_open(&j, '{');
    adit_json_member(&j, "name", f->author);
    adit_json_member_opt(&j, "url", f->author_uri);
    adit_json_close(&j, '}');
    adit_json_close(&j, ']');
    if (f->hub.len) {
        adit_json_member_open(&j, "hubs", '[');
        adit_json_open(&j, '{');
        adit_json_member(&j, "type", ADIT_STR("WebSub"));
        adit_json_member(&j, "url", f->hub);
        adit_json_close(&j, '}');
        adit_json_close(&j, ']');
    }
    adit_json_member_open(&j, "items", '[');
    w->comma = j.comma;
}

void adit_jsonfeed_entry(struct adit_feed_writer *w, const struct adit_atom_entry *e)
{
    struct adit_json_writer j = {.out = w->out, .comma = w->comma};
    adit_json_open(&j, '{');
    adit_json_member(&j, "id", e->id);
    adit_json_member_opt(&j, "url", e->link);
    adit_json_member(&j, "title", e->title);
    adit_json_member(&j, "content_html", e->html);
    adit_json_member(&j, "date_modified", e->updated);
    adit_json_close(&j, '}');
    w->comma = j.comma;
}

void adit_jsonfeed_tail(struct adit_feed_writer *w)
{
    struct adit_json_writer j = {.out = w->out, .comma = w->comma};
    adit_json_close(&j, ']');
    adit_json_close(&j, '}');
    adit_buf_byte(w->out, '\n');
}
