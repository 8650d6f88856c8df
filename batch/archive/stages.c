/* The stages after ingest, over what is stored: enrich (clean text, chunks, diff) and embed. */
#include "batch/archive/ingest_impl.h"
#include "batch/io/io.h"
#include "batch/crawl/crawl.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

struct stages {
    const struct archive_options *o;
    struct archive *a;
    struct archive_counts counts;
    struct archive_builder *builder;
    struct adit_converter *converter;
    struct adit_arena arena; /* of one artifact */
    struct adit_buf raw, payload, clean, old_clean;
    struct adit_buf uuids;
};

static bool no_memory(const struct stages *s)
{
    cli_say(archive_dir(s->a), "out of memory");
    return false;
}

/* --- enrich ----------------------------------------------------------------------------------- */

/* What the page says, and its clean text and chunks. The clean text ends in s->clean. */
static bool enrich_content(struct stages *s, struct adit_spp_manifest *m)
{
    const struct adit_page *page;
    if (archive_object(s->a, m->raw.sha, ADIT_SPP_GZIP, &s->raw) != ARCHIVE_FOUND) {
        cli_say(archive_dir(s->a), "%.*s: its raw bytes are missing; try verify", (int)m->url.len,
                m->url.p);
        return false;
    }
    struct adit_page_source source = {
        .url = m->url,
        .content_type = m->content_type,
        .content_language = m->content_language,
        .last_modified = m->last_modified,
        .robots = m->robots,
        .optout = m->optout,
        .date = m->created,
    };
    if (archive_page(s->converter, adit_buf_str(&s->raw), &source, &s->arena, &page) != ADIT_OK)
        return no_memory(s);
    struct adit_spp_object old = m->clean;
    bool had = m->has_clean;
    adit_buf_clear(&s->payload);
    m->updated = m->language = (struct adit_str){0};
    archive_describe(page, &source, m);
    m->rules = ADIT_STR(ADIT_RULES_VERSION);
    if (!archive_enrich(s->builder, page, &s->arena, m, &s->payload)) return no_memory(s);
    if (had && m->n_patches && memcmp(old.sha, m->clean.sha, sizeof old.sha) != 0) {
        /* A patch is why we are here: it keeps the name of the text of before. */
        struct adit_spp_patched *p = &m->patches[m->n_patches - 1];
        p->has_clean = true;
        memcpy(p->clean, old.sha, sizeof p->clean);
    }
    struct adit_str clean = adit_str_sub(adit_buf_str(&s->payload), 0, (size_t)m->clean.stored);
    return archive_inflate(s->a, clean, &s->clean) &&
           archive_put_payload(s->a, m, false, adit_buf_str(&s->payload));
}

/* Version v[i]; the clean text of the one before is in s->old_clean if has_old. */
static bool enrich_version(struct stages *s, const char *uuid, struct adit_spp_version *v,
                           bool has_old)
{
    struct adit_spp_manifest m;
    if (archive_manifest(s->a, uuid, v->number, &s->arena, &m) != ARCHIVE_FOUND) return false;
    if (!enrich_content(s, &m)) return false;
    m.clean_changed = true;
    if (has_old &&
        !archive_diff(s->a, s->builder, adit_buf_str(&s->old_clean), adit_buf_str(&s->clean), &m))
        return false;
    v->stage = m.stage;
    s->counts.enriched++;
    archive_event(s->a, ADIT_SPP_ENRICHMENT, &m);
    return archive_put_manifest(s->a, &m);
}

static bool load_clean(struct stages *s, const char *uuid, uint64_t number)
{
    struct adit_spp_manifest m;
    return archive_manifest(s->a, uuid, number, &s->arena, &m) == ARCHIVE_FOUND && m.has_clean &&
           archive_object(s->a, m.clean.sha, ADIT_SPP_GZIP, &s->clean) == ARCHIVE_FOUND;
}

static bool enrich_artifact(struct stages *s, const char *uuid)
{
    struct adit_spp_version *v;
    size_t n;
    bool loaded = false, changed = false; /* loaded: s->clean is that of the version before */
    if (archive_versions(s->a, uuid, &s->arena, &v, &n) != ARCHIVE_FOUND) return true;
    for (size_t i = 0; i < n; i++) {
        if (v[i].stage != ADIT_SPP_INGESTED || v[i].tombstone) {
            loaded = false;
            continue;
        }
        if (i && !loaded) loaded = load_clean(s, uuid, v[i - 1].number);
        struct adit_buf swap = s->old_clean;
        s->old_clean = s->clean;
        s->clean = swap;
        if (!enrich_version(s, uuid, &v[i], i > 0 && loaded)) return false;
        loaded = changed = true;
    }
    return !changed || archive_put_versions(s->a, uuid, v, n);
}

/* --- which artifacts -------------------------------------------------------------------------- */

static bool add_uuid(void *ctx, const char uuid[ADIT_SPP_UUID])
{
    struct stages *s = ctx;
    adit_buf_add(&s->uuids, adit_str_of(uuid, ADIT_SPP_UUID));
    return !s->uuids.err;
}

static bool read_events(struct stages *s, const char *path)
{
    struct input *in = input_open(path, NULL);
    struct adit_str line;
    uint64_t number = 0;
    bool good = in != NULL;
    while (good && input_line(in, 1 << 16, &line)) {
        char uuid[ADIT_SPP_UUID];
        number++;
        if (!adit_str_trim(line).len) continue;
        if (adit_spp_event_read(line, uuid)) {
            add_uuid(s, uuid);
        } else {
            cli_say(path, "line %llu is not an event", (unsigned long long)number);
            good = false;
        }
    }
    if (in && input_code(in)) {
        cli_say(path, "%s", input_message(in));
        good = false;
    }
    input_close(in);
    return good;
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, ADIT_SPP_UUID); }

/* Events are read to their end before the archive is opened: they may come from an archiver that is
 * at work in it. */
static int gather(struct stages *s)
{
    const struct cli_args *args = s->o->args;
    for (size_t i = 0; i < args->n_files; i++)
        if (!read_events(s, args->files[i])) return CLI_INVALID;
    s->a = archive_open_write(s->o->dir, s->o->events);
    if (!s->a || (!args->n_files && !archive_each(s->a, add_uuid, s))) return CLI_OUTPUT;
    if (s->uuids.err) return no_memory(s) ? CLI_OK : CLI_OUTPUT;
    if (s->uuids.len) qsort(s->uuids.p, s->uuids.len / ADIT_SPP_UUID, ADIT_SPP_UUID, by_bytes);
    return CLI_OK;
}

static bool add_stages(struct stages *s)
{
    const char *before = NULL;
    for (size_t at = 0; at < s->uuids.len && !cli_interrupted(); at += ADIT_SPP_UUID) {
        const char *uuid = s->uuids.p + at;
        if (before && memcmp(before, uuid, ADIT_SPP_UUID) == 0) continue;
        before = uuid;
        adit_arena_reset(&s->arena);
        bool ok = s->o->stages & ARCHIVE_EMBED ? archive_embed(s->o, s->a, uuid, &s->counts)
                                               : enrich_artifact(s, uuid);
        if (!ok || !archive_step(s->a)) return false;
    }
    return true;
}

int archive_stages(const struct archive_options *o)
{
    struct stages s = {.o = o};
    struct adit_buf *const bufs[] = {&s.raw, &s.payload, &s.clean, &s.old_clean};
    cli_catch_signals();
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_init(bufs[i], cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_init(&s.uuids, cli_mem, SIZE_MAX / 2);
    adit_arena_init(&s.arena, cli_mem, ARCHIVE_ARENA_MAX);
    s.builder = archive_builder_new();
    s.converter = adit_converter_new(cli_mem);
    int code = s.builder && s.converter ? gather(&s) : CLI_OUTPUT;
    bool ok = code == CLI_OK && add_stages(&s);
    if (!archive_close(s.a) || (code == CLI_OK && (!ok || cli_interrupted()))) code = CLI_OUTPUT;
    if (code == CLI_OK) archive_report(o, &s.counts, NULL);
    archive_builder_free(s.builder);
    adit_converter_free(s.converter);
    adit_arena_free(&s.arena);
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    adit_buf_free(&s.uuids);
    return code;
}
