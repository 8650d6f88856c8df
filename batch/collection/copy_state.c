/* A line of the file of pages. */
#include "batch/collection/collection.h"
#include "json/json.h"

const char copy_collection_name[] = "site.scp.zst";
const char copy_pages_name[] = "pages.jsonl";
const char copy_state_name[] = "state.json";

/* No control characters: values go into records that are separated by tabs, and into requests. */
static bool is_clean(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] < 32 || s.p[i] == 127) return false;
    return true;
}

#define ROW(name, flags) {ADIT_ROW(#name, struct copy_page, name, TEXT, flags), .fits = is_clean}
enum { NEEDED = ADIT_ROW_NEEDED | ADIT_ROW_SPARSE, MAY = ADIT_ROW_STRICT | ADIT_ROW_SPARSE };
static const struct adit_json_row rows[] = {
    ROW(url, NEEDED),
    ROW(via, NEEDED),
    ROW(status, NEEDED),
    ROW(m_url, MAY),
    ROW(etag, MAY),
    ROW(last_modified, MAY),
    ROW(listed, MAY),
    ROW(modified, MAY),
    ROW(section, MAY),
    ROW(checked, MAY),
    {0},
};

bool copy_page_read(struct copy_page *p, struct adit_str line, struct adit_arena *arena)
{
    struct adit_json_value v;
    *p = (struct copy_page){0};
    return adit_json_check(line, &v, NULL) == ADIT_OK &&
           adit_json_object_read(v, rows, p, arena, NULL) == ADIT_OK;
}

void copy_page_write(const struct copy_page *p, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_object_write(&w, rows, p);
}
