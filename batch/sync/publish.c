/* What changed in the copy, as ResourceSync lists beside it (--changes): a site that tells nobody
 * of its changes can be followed by feed. */
#include "batch/sync/sync.h"
#include "text/text.h"

#include <string.h>

/* The URL of the folder, without the slash at the end; empty: not asked for. */
static struct adit_str base_of(struct sync *s)
{
    struct adit_str url = {0};
    if (!s->o.changes_url ||
        adit_url_page(adit_str_z(s->o.changes_url), &s->arena, &url) != ADIT_OK)
        return (struct adit_str){0};
    while (adit_str_ends(url, ADIT_STR("/"))) url.len--;
    return url;
}

static struct adit_str home_of(struct sync *s)
{
    char *p = adit_arena_alloc(&s->arena, s->origin.len + 1);
    if (!p) return (struct adit_str){0};
    memcpy(p, s->origin.p, s->origin.len);
    p[s->origin.len] = '/';
    return adit_str_of(p, s->origin.len + 1);
}

bool sync_publish_open(struct sync *s, struct adit_time since, struct changes **lists)
{
    struct changes_section *all = adit_arena_zalloc(&s->arena, 1, sizeof *all);
    struct changes_options o = {
        .dir = s->dir,
        .previous = s->dir,
        .base = base_of(s),
        .generated = {.s = s->now},
        .from = since,
        .since = since,
        .list_max = CHANGES_LIST_MAX,
        .sections = all,
        .n_sections = 1,
    };
    *lists = NULL;
    if (!o.base.len) return true;
    if (!all) return false;
    *all = (struct changes_section){
        .name = ADIT_STR("all"), .prefix = ADIT_STR("/"), .describes = home_of(s)};
    *lists = changes_open(&o);
    return *lists != NULL;
}

bool sync_publish(struct changes *lists) { return !lists || changes_commit(lists); }
