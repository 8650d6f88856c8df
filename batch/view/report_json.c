/* What pack's report.json adds: sizes, what was left out and why, damage with its places, slow pages. */
#include "batch/crawl/crawl.h"
#include "batch/view/view_impl.h"
#include "json/json.h"

#include <stdio.h>
#include <string.h>

static uint64_t number_at(struct adit_json_value object, const char *name)
{
    uint64_t n = 0;
    adit_json_u64(adit_json_get(object, adit_str_z(name)), &n);
    return n;
}

/* Counts by name, in words for people where there are some. */
static void take_skips(struct view_report *r, struct adit_json_value skips)
{
    struct adit_json_iter it = adit_json_iter(skips);
    struct adit_json_member m;
    uint64_t n;
    while (adit_json_next(&it, &m)) {
        struct adit_str text = m.key;
        for (size_t i = 0; i < CRAWL_SKIP_COUNT; i++)
            if (adit_str_eq(adit_str_z(crawl_skip_names[i]), m.key))
                text = adit_str_z(crawl_skip_texts[i]);
        if (adit_json_u64(m.value, &n)) view_tally_add(&r->left_out, text, n, 0);
    }
}

/* An example of a loss: "file, byte 123" or an address. */
static void take_loss(struct view_report *r, struct adit_json_value loss, struct adit_arena *arena)
{
    char where[1024];
    struct adit_str reason = adit_json_text(adit_json_get(loss, ADIT_STR("reason")), arena, NULL);
    struct adit_str file = adit_json_text(adit_json_get(loss, ADIT_STR("file")), arena, NULL);
    struct adit_str url = adit_json_text(adit_json_get(loss, ADIT_STR("url")), arena, NULL);
    struct adit_json_value offset = adit_json_get(loss, ADIT_STR("offset"));
    uint64_t at = 0;
    for (size_t i = 0; i < CRAWL_SKIP_COUNT; i++)
        if (adit_str_eq(adit_str_z(crawl_skip_names[i]), reason))
            reason = adit_str_z(crawl_skip_texts[i]);
    int n = snprintf(where, sizeof where, "%.*s%s%.*s", (int)adit_utf8_cut(url, 600).len, url.p,
                     url.len && file.len ? " in " : "", (int)adit_utf8_cut(file, 300).len, file.p);
    size_t len = n < 0 ? 0 : (size_t)n;
    if (len < sizeof where && adit_json_u64(offset, &at))
        len += (size_t)snprintf(where + len, sizeof where - len, ", byte %llu",
                                (unsigned long long)at);
    if (reason.len)
        view_report_loss(r, reason,
                         adit_str_of(where, len < sizeof where ? len : sizeof where - 1));
}

static void take_slowest(struct view_report *r, struct adit_json_value list,
                         struct adit_arena *arena)
{
    struct adit_json_iter it = adit_json_iter(list);
    struct adit_json_member m;
    while (adit_json_next(&it, &m)) {
        struct adit_str url = adit_json_text(adit_json_get(m.value, ADIT_STR("url")), arena, NULL);
        if (url.len) view_top_add(r->slowest, url, (struct adit_str){0}, number_at(m.value, "us"));
    }
}

void view_report_json(struct view_report *r, struct adit_str json)
{
    struct adit_arena arena;
    struct adit_json_value root, bytes;
    struct adit_json_member m;
    adit_arena_init(&arena, cli_mem, 512 << 20);
    if (adit_json_tree(json, &arena, &root, NULL) == ADIT_OK) {
        bytes = adit_json_get(root, ADIT_STR("bytes"));
        r->bytes_html = number_at(bytes, "html_listed");
        r->carried = number_at(adit_json_get(root, ADIT_STR("changes")), "carried");
        r->captures = number_at(root, "captures");
        r->elapsed_ms = number_at(adit_json_get(root, ADIT_STR("time")), "elapsed_ms");
        take_skips(r, adit_json_get(root, ADIT_STR("skips")));
        struct adit_json_iter it = adit_json_iter(adit_json_get(root, ADIT_STR("losses")));
        while (adit_json_next(&it, &m)) take_loss(r, m.value, &arena);
        it = adit_json_iter(adit_json_get(root, ADIT_STR("left_out")));
        while (adit_json_next(&it, &m)) take_loss(r, m.value, &arena);
        r->losses_more += number_at(root, "losses_more");
        take_slowest(r, adit_json_get(root, ADIT_STR("slowest")), &arena);
    }
    adit_arena_free(&arena);
}
