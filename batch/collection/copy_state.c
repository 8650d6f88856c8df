/* A line of the file of pages. */
#include "batch/collection/collection.h"
#include "json/json.h"

const char copy_collection_name[] = "site.scp.zst";
const char copy_pages_name[] = "pages.jsonl";
const char copy_state_name[] = "state.json";

enum { MEMBERS = 10 };

static const char *const keys[MEMBERS] = {"url",     "via",           "status", "m_url",
                                          "etag",    "last_modified", "listed", "modified",
                                          "section", "checked"};

static void members_of(struct copy_page *p, struct adit_str *out[MEMBERS])
{
    struct adit_str *const all[MEMBERS] = {&p->url,     &p->via,           &p->status, &p->m_url,
                                           &p->etag,    &p->last_modified, &p->listed, &p->modified,
                                           &p->section, &p->checked};
    for (size_t i = 0; i < MEMBERS; i++) out[i] = all[i];
}

/* No control characters: values go into records that are separated by tabs, and into requests. */
static bool is_clean(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] < 32 || s.p[i] == 127) return false;
    return true;
}

bool copy_page_read(struct copy_page *p, struct adit_str line, struct adit_arena *arena)
{
    struct adit_str names[MEMBERS], *members[MEMBERS];
    struct adit_json_value values[MEMBERS];
    bool ok = true;
    *p = (struct copy_page){0};
    for (size_t i = 0; i < MEMBERS; i++) names[i] = adit_str_z(keys[i]);
    if (adit_json_pick(line, names, MEMBERS, values, NULL)) return false;
    members_of(p, members);
    for (size_t i = 0; i < MEMBERS; i++) {
        *members[i] = adit_json_text(values[i], arena, &ok);
        if (!is_clean(*members[i])) return false;
    }
    return ok && p->url.len && p->via.len && p->status.len;
}

void copy_page_write(const struct copy_page *p, struct adit_buf *out)
{
    struct copy_page copy = *p;
    struct adit_str *members[MEMBERS];
    struct adit_json_writer w = {.out = out};
    members_of(&copy, members);
    adit_json_open(&w, '{');
    for (size_t i = 0; i < MEMBERS; i++) adit_json_member_opt(&w, keys[i], *members[i]);
    adit_json_close(&w, '}');
}
