/* verify: every file, hash, diff and signature of an archive. */
#include "batch/archive/archive.h"
#include "json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verify {
    const struct archive_question *q;
    struct adit_arena arena; /* of one artifact */
    struct adit_buf object, clean, old_clean, again;
    struct adit_buf used; /* hashes that manifests name, one after the other */
    uint8_t key[ADIT_P256_PUBLIC];
    bool has_key;
    uint64_t artifacts, versions, objects, unused, endorsed, faults;
};

static void fault(struct verify *v, const char uuid[ADIT_SPP_UUID], uint64_t number,
                  const char *what)
{
    char where[ADIT_SPP_UUID + 32];
    snprintf(where, sizeof where, "%.*s/%llu", ADIT_SPP_UUID, uuid, (unsigned long long)number);
    cli_say(where, "%s", what);
    v->faults++;
}

/* --- a version -------------------------------------------------------------------------------- */

/* Reads an object (that it has its hash, the store checks) and compares what the manifest says. */
static bool object(struct verify *v, const struct adit_spp_manifest *m,
                   const struct adit_spp_object *o, enum adit_spp_coding coding,
                   struct adit_buf *out, const char *what)
{
    adit_buf_add(&v->used, adit_str_of((const char *)o->sha, ADIT_SHA256_LEN));
    enum archive_found found = archive_object(v->q->a, o->sha, coding, out);
    if (found == ARCHIVE_FOUND && out->len == o->bytes) return true;
    fault(v, m->uuid, m->number,
          found == ARCHIVE_FOUND    ? "the manifest states another length"
          : found == ARCHIVE_ABSENT ? what
                                    : "an object is damaged");
    return false;
}

/* The chunks are the clean text, cut. */
static void chunks(struct verify *v, const struct adit_spp_manifest *m)
{
    size_t at = 0;
    for (size_t i = 0; i < m->n_chunks; i++) {
        const struct adit_spp_chunk *c = &m->chunks[i];
        if (!object(v, m, &c->text, ADIT_SPP_GZIP, &v->object, "a chunk is missing")) return;
        struct adit_str part =
            adit_str_sub(adit_buf_str(&v->clean), at, at + (size_t)c->text.bytes);
        if (!adit_str_eq(part, adit_buf_str(&v->object)))
            fault(v, m->uuid, m->number, "the chunks are not the clean text");
        at += part.len;
        if (c->dims)
            object(v, m, &c->vector, ADIT_SPP_PLAIN, &v->object, "an embedding is missing");
    }
    if (at != v->clean.len) fault(v, m->uuid, m->number, "the chunks are not all of the text");
}

/* The clean text of the version before is in old_clean. */
static void diff(struct verify *v, const struct adit_spp_manifest *m)
{
    struct adit_error err = {0};
    if (!object(v, m, &m->diff, ADIT_SPP_GZIP, &v->object, "the diff is missing")) return;
    adit_buf_clear(&v->again);
    if (adit_spp_patch(adit_buf_str(&v->old_clean), adit_buf_str(&v->object), &v->again, &err) !=
            ADIT_OK ||
        !adit_str_eq(adit_buf_str(&v->again), adit_buf_str(&v->clean)))
        fault(v, m->uuid, m->number, "the diff does not lead to the clean text");
}

static void endorsements(struct verify *v, const struct adit_spp_manifest *m)
{
    bool by_key = !v->has_key;
    for (size_t i = 0; i < m->n_endorsements; i++) {
        const struct adit_spp_endorsement *e = &m->endorsements[i];
        if (!adit_spp_endorsed(m, e, cli_mem)) {
            fault(v, m->uuid, m->number, "an endorsement is not valid");
            continue;
        }
        v->endorsed++;
        by_key = by_key || memcmp(e->key, v->key, sizeof v->key) == 0;
    }
    if (!by_key) fault(v, m->uuid, m->number, "is not endorsed by the key given");
}

static void compare(struct verify *v, const struct adit_spp_manifest *m,
                    const struct adit_spp_version *row, const char *uuid)
{
    struct adit_time created, seen;
    char own[ADIT_SPP_UUID];
    adit_spp_uuid(m->url, own);
    if (memcmp(m->uuid, uuid, ADIT_SPP_UUID) != 0 || memcmp(own, uuid, ADIT_SPP_UUID) != 0)
        fault(v, uuid, row->number, "its id is not that of its URL");
    if (m->number != row->number || memcmp(m->raw.sha, row->raw, ADIT_SHA256_LEN) != 0 ||
        m->stage != row->stage || (m->tombstone_at.len > 0) != row->tombstone ||
        !adit_time_parse(m->created, &created) || adit_time_cmp(created, row->created) != 0 ||
        !adit_time_parse(m->last_seen, &seen) || adit_time_cmp(seen, created) < 0)
        fault(v, uuid, row->number, "manifest and list of versions say different things");
}

/* Afterwards clean is the version's clean text; false: there is none. */
static bool version(struct verify *v, const char *uuid, const struct adit_spp_version *row,
                    bool has_old)
{
    struct adit_spp_manifest m;
    v->versions++;
    enum archive_found found = archive_manifest(v->q->a, uuid, row->number, &v->arena, &m);
    if (found != ARCHIVE_FOUND) {
        fault(v, uuid, row->number,
              found == ARCHIVE_ABSENT ? "the manifest is missing" : "the manifest is damaged");
        return false;
    }
    compare(v, &m, row, uuid);
    endorsements(v, &m);
    if (m.tombstone_at.len) return false;
    object(v, &m, &m.raw, ADIT_SPP_GZIP, &v->object, "the raw bytes are missing");
    for (size_t i = 0; i < m.n_patches; i++)
        if (m.patches[i].has_clean)
            adit_buf_add(&v->used, adit_str_of((char *)m.patches[i].clean, ADIT_SHA256_LEN));
    if (!m.has_clean ||
        !object(v, &m, &m.clean, ADIT_SPP_GZIP, &v->clean, "the clean text is missing"))
        return false;
    chunks(v, &m);
    if (m.has_diff && has_old)
        diff(v, &m);
    else if (m.has_diff)
        fault(v, uuid, row->number, "has a diff, but the version before has no text");
    return true;
}

static bool artifact(void *ctx, const char uuid[ADIT_SPP_UUID])
{
    struct verify *v = ctx;
    struct adit_spp_version *rows;
    size_t n;
    bool has_old = false;
    adit_arena_reset(&v->arena);
    v->artifacts++;
    if (archive_versions(v->q->a, uuid, &v->arena, &rows, &n) != ARCHIVE_FOUND) {
        fault(v, uuid, 0, "the list of versions is missing or damaged");
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        has_old = version(v, uuid, &rows[i], has_old);
        struct adit_buf swap = v->old_clean;
        v->old_clean = v->clean;
        v->clean = swap;
    }
    return true;
}

/* --- objects that nothing names --------------------------------------------------------------- */

static int by_hash(const void *a, const void *b) { return memcmp(a, b, ADIT_SHA256_LEN); }

static bool each_object(void *ctx, const char *key)
{
    struct verify *v = ctx;
    uint8_t sha[ADIT_SHA256_LEN];
    struct adit_str hex = adit_str_sub(adit_str_z(cli_base_name(key)), 0, ADIT_SHA256_HEX);
    v->objects++;
    bool named = adit_hex_decode(hex, sha, sizeof sha) && v->used.len &&
                 bsearch(sha, v->used.p, v->used.len / ADIT_SHA256_LEN, ADIT_SHA256_LEN, by_hash);
    v->unused += !named;
    return true;
}

static void report(const struct verify *v)
{
    if (cli_has(v->q->args, "json")) {
        struct cli_json j;
        const struct {
            const char *name;
            uint64_t n;
        } rows[] = {{"artifacts", v->artifacts}, {"endorsements", v->endorsed},
                    {"faults", v->faults},       {"objects", v->objects},
                    {"unused", v->unused},       {"versions", v->versions}};
        cli_json_begin(&j);
        for (size_t i = 0; i < ADIT_COUNT(rows); i++)
            adit_json_member_uint(&j.w, rows[i].name, rows[i].n);
        cli_json_end(&j);
        return;
    }
    cli_print("%s, %s, %s, %s: %s\n", cli_count(v->artifacts, "page").p,
              cli_count(v->versions, "version").p, cli_count(v->objects, "object").p,
              cli_count(v->endorsed, "valid endorsement").p, cli_count(v->faults, "fault").p);
    if (v->unused)
        cli_print("%llu object%s to no version\n", (unsigned long long)v->unused,
                  v->unused == 1 ? " belongs" : "s belong");
}

int archive_verify(const struct archive_question *q)
{
    struct verify v = {.q = q};
    const char *key = cli_get(q->args, "key");
    if (key && !archive_public_key(key, v.key)) return CLI_USAGE;
    v.has_key = key != NULL;
    struct adit_buf *const bufs[] = {&v.object, &v.clean, &v.old_clean, &v.again};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_init(bufs[i], cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_init(&v.used, cli_mem, SIZE_MAX / 2);
    adit_arena_init(&v.arena, cli_mem, ARCHIVE_ARENA_MAX);
    v.faults += !archive_lock_shared(q->a);
    enum archive_found journal = archive_unfinished(q->a);
    if (journal == ARCHIVE_FOUND)
        cli_say(archive_dir(q->a), "a run was killed; the next run of adit archive finishes it");
    v.faults += journal != ARCHIVE_ABSENT;
    bool ok = archive_each(q->a, artifact, &v) && !v.used.err;
    if (v.used.len) qsort(v.used.p, v.used.len / ADIT_SHA256_LEN, ADIT_SHA256_LEN, by_hash);
    ok = ok && archive_each_object(q->a, each_object, &v);
    if (ok) report(&v);
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    adit_buf_free(&v.used);
    adit_arena_free(&v.arena);
    return ok && !v.faults ? CLI_OK : CLI_INVALID;
}
