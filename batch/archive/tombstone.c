/* tombstone: the contents of a page are removed for good; its hashes and provenance stay, and it is
 * not archived again (SPP, 9). */
#include "batch/archive/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct grave {
    struct archive *a;
    char uuid[ADIT_SPP_UUID];
    struct adit_arena arena, other; /* other: of the artifact that is looked through */
    struct adit_buf doomed;         /* hash and coding of objects, ROW bytes each */
    uint64_t removed, kept;
};

enum { ROW = ADIT_SHA256_LEN + 1 };

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, ROW); }

/* Calls each with every object of a manifest. */
static void each_object(const struct adit_spp_manifest *m,
                        void (*each)(struct grave *g, const uint8_t *sha, enum adit_spp_coding c),
                        struct grave *g)
{
    if (m->tombstone_at.len) return;
    each(g, m->raw.sha, ADIT_SPP_GZIP);
    if (m->has_clean) each(g, m->clean.sha, ADIT_SPP_GZIP);
    if (m->has_diff) each(g, m->diff.sha, ADIT_SPP_GZIP);
    for (size_t i = 0; i < m->n_chunks; i++) {
        each(g, m->chunks[i].text.sha, ADIT_SPP_GZIP);
        if (m->chunks[i].dims) each(g, m->chunks[i].vector.sha, ADIT_SPP_PLAIN);
    }
    for (size_t i = 0; i < m->n_patches; i++)
        if (m->patches[i].has_clean) each(g, m->patches[i].clean, ADIT_SPP_GZIP);
}

static void doom(struct grave *g, const uint8_t *sha, enum adit_spp_coding coding)
{
    adit_buf_add(&g->doomed, adit_str_of((const char *)sha, ADIT_SHA256_LEN));
    adit_buf_byte(&g->doomed, (char)coding);
}

/* An object that another page names, too, stays: its row is marked. */
static void spare(struct grave *g, const uint8_t *sha, enum adit_spp_coding coding)
{
    uint8_t row[ROW];
    memcpy(row, sha, ADIT_SHA256_LEN);
    row[ADIT_SHA256_LEN] = (uint8_t)coding;
    size_t n = g->doomed.len / ROW;
    if (!n || !bsearch(row, g->doomed.p, n, ROW, by_bytes)) return;
    size_t keep = 0;
    for (size_t i = 0; i < n; i++) {
        if (memcmp(g->doomed.p + i * ROW, row, ROW) == 0) continue;
        memmove(g->doomed.p + keep++ * ROW, g->doomed.p + i * ROW, ROW);
    }
    g->kept += n - keep;
    g->doomed.len = keep * ROW;
}

static bool spare_shared(void *ctx, const char uuid[ADIT_SPP_UUID])
{
    struct grave *g = ctx;
    struct adit_spp_version *v;
    struct adit_spp_manifest m;
    size_t n;
    if (memcmp(uuid, g->uuid, ADIT_SPP_UUID) == 0) return true;
    adit_arena_reset(&g->other);
    enum archive_found found = archive_versions(g->a, uuid, &g->other, &v, &n);
    if (found == ARCHIVE_BROKEN) return false;
    for (size_t i = 0; i < n; i++) {
        if (archive_manifest(g->a, uuid, v[i].number, &g->other, &m) != ARCHIVE_FOUND) return false;
        each_object(&m, spare, g);
    }
    return true;
}

/* What remains of a version. */
static void bury(struct adit_spp_manifest *m, struct adit_str at, struct adit_str reason)
{
    m->title = m->byline = m->language = m->published = (struct adit_str){0};
    m->updated = m->description = m->site_name = (struct adit_str){0};
    m->n_patches = m->n_chunks = 0;
    m->has_clean = m->has_diff = false;
    m->tombstone_at = at;
    m->tombstone_reason = reason;
}

static bool bury_versions(struct grave *g, struct adit_spp_version *v, size_t n, struct adit_str at,
                          struct adit_str reason)
{
    for (size_t i = 0; i < n; i++) {
        struct adit_spp_manifest m;
        if (archive_manifest(g->a, g->uuid, v[i].number, &g->arena, &m) != ARCHIVE_FOUND)
            return false;
        if (m.tombstone_at.len) continue;
        each_object(&m, doom, g);
        bury(&m, at, reason);
        v[i].tombstone = true;
        if (!archive_put_manifest(g->a, &m)) return false;
    }
    return archive_put_versions(g->a, g->uuid, v, n);
}

static bool remove_objects(struct grave *g)
{
    size_t n = g->doomed.len / ROW;
    if (g->doomed.err) return false;
    if (n) qsort(g->doomed.p, n, ROW, by_bytes);
    if (!archive_each(g->a, spare_shared, g)) return false;
    n = g->doomed.len / ROW;
    for (size_t i = 0; i < n; i++) {
        const char *row = g->doomed.p + i * ROW;
        if (i && memcmp(row, row - ROW, ROW) == 0) continue;
        char space[128];
        struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space};
        adit_spp_object_key(&key, (const uint8_t *)row, (enum adit_spp_coding)row[ROW - 1]);
        if (!archive_remove(g->a, adit_buf_str(&key))) return false;
        g->removed++;
    }
    return true;
}

/* SOURCE_DATE_EPOCH, or the clock. */
static struct adit_time now(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t s;
    if (epoch && adit_str_u64(adit_str_z(epoch), &s) && s <= 253402300799)
        return (struct adit_time){(int64_t)s, 0};
    return (struct adit_time){(int64_t)time(NULL), 0};
}

static int bury_page(struct grave *g, const char *url, const char *reason)
{
    struct adit_spp_version *v;
    size_t n;
    char space[40];
    struct adit_buf at = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_time_write(&at, now());
    enum archive_found found = archive_versions(g->a, g->uuid, &g->arena, &v, &n);
    if (found == ARCHIVE_ABSENT) cli_say(archive_dir(g->a), "%s: not in the archive", url);
    if (found != ARCHIVE_FOUND) return CLI_INVALID;
    if (v[n - 1].tombstone) {
        cli_print("%s: has a tombstone already\n", url);
        return CLI_OK;
    }
    if (!bury_versions(g, v, n, adit_buf_str(&at), adit_str_z(reason)) || !remove_objects(g))
        return CLI_OUTPUT;
    return CLI_OK;
}

int archive_tombstone(const struct cli_args *args, const char *dir, const char *url)
{
    struct grave g = {0};
    struct archive *look = archive_open(dir); /* one that is there */
    if (!look) return CLI_INVALID;
    bool named = archive_which(look, url, g.uuid);
    archive_close(look);
    if (!named) return CLI_USAGE;
    g.a = archive_open_write(dir, false);
    if (!g.a) return CLI_OUTPUT;
    adit_arena_init(&g.arena, cli_mem, ARCHIVE_ARENA_MAX);
    adit_arena_init(&g.other, cli_mem, ARCHIVE_ARENA_MAX);
    adit_buf_init(&g.doomed, cli_mem, ARCHIVE_FILE_MAX);
    int code = bury_page(&g, url, cli_get(args, "reason"));
    uint64_t removed = g.removed, kept = g.kept;
    if (code == CLI_OK && !archive_close(g.a))
        code = CLI_OUTPUT;
    else if (code != CLI_OK)
        archive_discard(g.a);
    if (code == CLI_OK && removed)
        cli_print("%s: %s removed, %llu kept for other pages\n", url,
                  cli_count(removed, "object").p, (unsigned long long)kept);
    adit_arena_free(&g.arena);
    adit_arena_free(&g.other);
    adit_buf_free(&g.doomed);
    return code;
}
