/* --parts: each partition stays a publication of its own, in a folder of DIR, and parts.json names them
 * all. So no step goes through all pages, and the next run joins each part with the one before. */
#include "batch/pack/steps_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INDEX_MAX = 64 << 20 };
static const char index_name[] = "parts.json";

char *pack_part_dir(const char *base, uint64_t i, uint64_t n)
{
    char *dir;
    if (asprintf(&dir, "%s/part-%05llu-of-%05llu", base, (unsigned long long)i,
                 (unsigned long long)n) >= 0)
        return dir;
    cli_say(NULL, "out of memory");
    return NULL;
}

bool pack_part_published(const struct pack_options *o, uint64_t i)
{
    struct pack_options part = *o;
    char *dir = pack_part_dir(o->out, i, o->partitions);
    part.out = dir;
    part.crawl.silent = true;
    bool there = dir && pack_published(&part);
    free(dir);
    return there;
}

bool pack_parts_fit(const struct pack_options *o)
{
    struct adit_buf b;
    struct adit_json_value v;
    char path[4096];
    uint64_t n = o->partitions;
    if (!o->previous) return true;
    snprintf(path, sizeof path, "%s/%s", o->previous, index_name);
    if (access(path, F_OK) != 0) return true;
    adit_buf_init(&b, cli_mem, INDEX_MAX);
    bool ok = cli_read(path, &b);
    if (ok && (adit_json_check(adit_buf_str(&b), &v, NULL) != ADIT_OK ||
               !adit_json_u64(adit_json_get(v, ADIT_STR("partitions")), &n)))
        n = 0;
    adit_buf_free(&b);
    if (ok && n != o->partitions) {
        cli_say(path, "is of %llu parts, and this run of %u: give --partitions %llu",
                (unsigned long long)n, o->partitions, (unsigned long long)n);
        ok = false;
    }
    return ok;
}

/* The index: the folders, and how many pages each has. */
bool pack_parts_index(const struct pack_options *o, struct publish *to, const uint64_t *pages,
                      struct file_set *files)
{
    struct adit_buf b, time;
    struct adit_json_writer w = {.out = &b};
    adit_buf_init(&b, cli_mem, INDEX_MAX);
    adit_buf_init(&time, cli_mem, 64);
    adit_time_write(&time, o->generated);
    adit_json_open(&w, '{');
    adit_json_member(&w, "generated", adit_buf_str(&time));
    adit_json_member(&w, "generator", ADIT_STR("adit/" ADIT_VERSION));
    adit_json_member_uint(&w, "partitions", o->partitions);
    adit_json_member_open(&w, "parts", '[');
    for (uint32_t i = 0; i < o->partitions; i++) {
        char *dir = pages[i] ? pack_part_dir("", i, o->partitions) : NULL;
        if (!dir) continue;
        adit_json_open(&w, '{');
        adit_json_member(&w, "folder", adit_str_z(dir + 1));
        adit_json_member_uint(&w, "pages", pages[i]);
        adit_json_close(&w, '}');
        free(dir);
    }
    adit_json_close(&w, ']');
    adit_json_close(&w, '}');
    adit_buf_byte(&b, '\n');
    bool ok = !b.err && publish_file(to, index_name, adit_buf_str(&b), files);
    adit_buf_free(&b);
    adit_buf_free(&time);
    return ok;
}
