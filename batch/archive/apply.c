/* Ingest, second half: the versioning rules (SPP, 4). Captures come sorted by URL and time, so that
 * an artifact is met once. */
#include "batch/archive/ingest_impl.h"
#include "batch/cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The artifact under way. */
struct artifact {
    struct archive_apply *x;
    struct archive_builder *builder;
    struct adit_arena arena; /* of the artifact */
    struct adit_buf url, payload, clean, old_clean;
    char uuid[ADIT_SPP_UUID];
    struct adit_spp_version *v;
    size_t n, cap, n_stored;
    struct adit_spp_manifest latest;
    struct adit_str stored;     /* JSON of `latest` as on disk; empty: none */
    struct adit_time last_seen; /* lastSeen in that JSON */
    bool has_latest;            /* `latest` has been loaded */
    bool dirty, dirty_list;     /* `latest`, or the list of versions, must be written back */
    bool clean_loaded;          /* clean holds the clean text of the latest version */
    struct adit_time private_at;
    bool open, has_private;
};

static bool no_memory(struct artifact *t)
{
    cli_say(archive_dir(t->x->a), "out of memory");
    return false;
}

static struct adit_str keep(struct artifact *t, struct adit_str s)
{
    return adit_arena_dup(&t->arena, s, NULL);
}

static struct adit_str time_text(struct artifact *t, struct adit_time at)
{
    char space[40];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_time_write(&b, at);
    return keep(t, adit_buf_str(&b));
}

/* --- beginning and end ------------------------------------------------------------------------ */

static bool begin(struct artifact *t, struct adit_str url)
{
    adit_arena_reset(&t->arena);
    adit_buf_clear(&t->url);
    adit_buf_add(&t->url, url);
    adit_spp_uuid(url, t->uuid);
    t->n = t->cap = 0;
    t->has_latest = t->dirty = t->dirty_list = t->clean_loaded = t->has_private = false;
    t->stored = (struct adit_str){0};
    t->open = true;
    struct adit_spp_version *v = NULL;
    if (archive_versions(t->x->a, t->uuid, &t->arena, &v, &t->n) == ARCHIVE_BROKEN) return false;
    t->v = v;
    t->n_stored = t->cap = t->n;
    return true;
}

static struct adit_spp_version *last(struct artifact *t) { return &t->v[t->n - 1]; }

/* The manifest of the latest version. */
static bool load(struct artifact *t)
{
    if (t->has_latest) return true;
    enum archive_found found =
        archive_manifest_text(t->x->a, t->uuid, last(t)->number, &t->arena, &t->latest, &t->stored);
    if (found == ARCHIVE_ABSENT)
        cli_say(archive_dir(t->x->a), "%.*s: its latest manifest is missing; try verify",
                (int)t->url.len, t->url.p);
    t->has_latest = found == ARCHIVE_FOUND && adit_time_parse(t->latest.last_seen, &t->last_seen);
    return t->has_latest;
}

static bool flush_latest(struct artifact *t)
{
    if (!t->dirty) return true;
    struct adit_str stored = t->stored;
    t->dirty = false;
    t->stored = (struct adit_str){0}; /* the manifest on disk becomes another one */
    return archive_change_manifest(t->x->a, &t->latest, stored);
}

static bool end(struct artifact *t)
{
    if (!t->open) return true;
    t->open = false;
    if (!flush_latest(t)) return false;
    if (t->dirty_list && !archive_put_versions(t->x->a, t->uuid, t->v, t->n)) return false;
    if (t->n > t->n_stored) adit_buf_add(t->x->touched, adit_str_of(t->uuid, ADIT_SPP_UUID));
    return archive_step(t->x->a);
}

/* --- where a capture's contents are ----------------------------------------------------------- */

struct source {
    struct adit_spp_manifest m;
    bool stored; /* all objects are in the archive already */
};

static bool read_payload(struct artifact *t, const struct capture_head *h)
{
    adit_buf_clear(&t->payload);
    if (!adit_buf_reserve(&t->payload, (size_t)h->spool_len + 1)) return no_memory(t);
    while (t->payload.len < h->spool_len) {
        ssize_t n =
            pread(t->x->spool, t->payload.p + t->payload.len, (size_t)h->spool_len - t->payload.len,
                  (off_t)(h->spool_at + t->payload.len));
        if (n > 0) {
            t->payload.len += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            cli_say(archive_dir(t->x->a), "cannot read the temporary file");
            return false;
        }
    }
    return true;
}

/* Of a capture that was not converted, the version with its bytes, as it is stored. */
static bool stored_source(struct artifact *t, const struct capture *c, struct source *s)
{
    for (size_t i = t->n_stored; i-- > 0;)
        if (memcmp(t->v[i].raw, c->head.raw, ADIT_SHA256_LEN) == 0) {
            s->stored = true;
            return archive_manifest(t->x->a, t->uuid, t->v[i].number, &t->arena, &s->m) ==
                   ARCHIVE_FOUND;
        }
    return false;
}

static bool find_source(struct artifact *t, const struct capture *c, struct source *s)
{
    struct adit_error err;
    *s = (struct source){0};
    if (c->head.kind != CAPTURE_PAGE) return stored_source(t, c, s);
    if (adit_spp_manifest_read(keep(t, c->manifest), &t->arena, &s->m, &err) != ADIT_OK) {
        cli_say(archive_dir(t->x->a), "%.*s: %s", (int)t->url.len, t->url.p, err.msg);
        return false;
    }
    return read_payload(t, &c->head);
}

/* The clean text of the latest version to t->clean. */
static bool load_clean(struct artifact *t)
{
    if (t->clean_loaded) return true;
    t->clean_loaded = load(t) && archive_object(t->x->a, t->latest.clean.sha, ADIT_SPP_GZIP,
                                                &t->clean) == ARCHIVE_FOUND;
    return t->clean_loaded;
}

/* The clean text of a source to out; in a payload it stands behind the raw bytes. */
static bool source_clean(struct artifact *t, const struct source *s, struct adit_buf *out)
{
    if (s->stored)
        return archive_object(t->x->a, s->m.clean.sha, ADIT_SPP_GZIP, out) == ARCHIVE_FOUND;
    size_t from = (size_t)s->m.raw.stored;
    return archive_inflate(
        t->x->a, adit_str_sub(adit_buf_str(&t->payload), from, from + (size_t)s->m.clean.stored),
        out);
}

/* --- the rules -------------------------------------------------------------------------------- */

static void see(struct artifact *t, const struct capture *c, struct adit_spp_manifest *m)
{
    m->last_seen = time_text(t, c->head.at);
    m->etag = keep(t, c->etag);
    m->last_modified = keep(t, c->last_modified);
    if (c->crawler.len) m->crawler = keep(t, c->crawler);
}

/* Raw is the same: lastSeen only (SPP, 4.1). */
static bool same_again(struct artifact *t, const struct capture *c)
{
    if (!load(t)) return false;
    t->last_seen = c->head.at;
    t->dirty = true;
    t->x->counts->unchanged++;
    if (c->head.kind == CAPTURE_SAME) { /* its header fields need not be those of a page */
        t->latest.last_seen = time_text(t, c->head.at);
        return true;
    }
    see(t, c, &t->latest);
    return true;
}

static bool grow(struct artifact *t)
{
    struct adit_spp_version *v = adit_arena_grow(&t->arena, t->v, t->n, &t->cap, sizeof *v);
    if (!v) return no_memory(t);
    t->v = v;
    return true;
}

/* The diff of m, the version number n + 1, against the latest one; t->clean is then m's text. */
static bool make_diff(struct artifact *t, const struct source *s, struct adit_spp_manifest *m)
{
    bool has_old = t->n > 0 && load(t) && t->latest.has_clean;
    if (!m->has_clean) {
        t->clean_loaded = false;
        return true;
    }
    if (has_old) {
        if (!load_clean(t)) return false;
        struct adit_buf swap = t->old_clean;
        t->old_clean = t->clean;
        t->clean = swap;
    }
    if (!source_clean(t, s, &t->clean)) return false;
    t->clean_loaded = true;
    return !has_old || archive_diff(t->x->a, t->builder, adit_buf_str(&t->old_clean),
                                    adit_buf_str(&t->clean), m);
}

static bool sign(struct artifact *t, struct adit_spp_manifest *m)
{
    const struct archive_options *o = t->x->o;
    return !o->sign || adit_spp_endorse(m, o->key, cli_mem, &t->arena) == ADIT_OK || no_memory(t);
}

/* Raw differs: a new version (SPP, 4.1, 4.2). */
static bool new_version(struct artifact *t, const struct capture *c)
{
    struct source s;
    if (!find_source(t, c, &s) || !grow(t)) return false;
    struct adit_spp_manifest *m = &s.m;
    m->number = t->n + 1;
    m->n_endorsements = m->n_patches = 0;
    m->has_diff = false;
    m->clean_changed = true;
    m->created = time_text(t, c->head.at);
    m->first_seen = t->n ? time_text(t, t->v[0].created) : m->created;
    see(t, c, m);
    if (!s.stored && !archive_put_payload(t->x->a, m, true, adit_buf_str(&t->payload)))
        return false;
    if (!make_diff(t, &s, m) || !flush_latest(t) || !sign(t, m)) return false;
    struct adit_spp_version v = {
        .number = m->number,
        .created = c->head.at,
        .facts = c->head.facts,
        .stage = m->stage,
    };
    memcpy(v.raw, c->head.raw, sizeof v.raw);
    t->x->counts->artifacts += t->n == 0;
    t->x->counts->versions++;
    t->v[t->n++] = v;
    t->latest = *m;
    t->stored = (struct adit_str){0};
    t->last_seen = c->head.at;
    t->has_latest = t->dirty = t->dirty_list = true;
    archive_event(t->x->a, ADIT_SPP_CREATED, m);
    if (m->has_clean) archive_event(t->x->a, ADIT_SPP_ENRICHMENT, m);
    return true;
}

/* Another clean text of the latest version, made from the same bytes: the objects of the source
 * take the place of the old ones, and the diff is made again. */
static bool replace_text(struct artifact *t, struct source *s, struct adit_spp_manifest *m)
{
    struct adit_spp_manifest before;
    m->clean = s->m.clean;
    m->chunks = s->m.chunks;
    m->n_chunks = s->m.n_chunks;
    m->stage = s->m.stage;
    t->clean_loaded = false;
    if (!s->stored && !archive_put_payload(t->x->a, &s->m, true, adit_buf_str(&t->payload)))
        return false;
    if (m->number == 1) return true;
    /* The version before may be of this run: it has to be readable. */
    if (!flush_latest(t) || !archive_commit(t->x->a) ||
        archive_manifest(t->x->a, t->uuid, m->number - 1, &t->arena, &before) != ARCHIVE_FOUND)
        return false;
    if (!before.has_clean) return true;
    return archive_object(t->x->a, before.clean.sha, ADIT_SPP_GZIP, &t->old_clean) ==
               ARCHIVE_FOUND &&
           source_clean(t, s, &t->clean) &&
           archive_diff(t->x->a, t->builder, adit_buf_str(&t->old_clean), adit_buf_str(&t->clean),
                        m);
}

/* Notes in m what the metadata were; of many patches the oldest are forgotten. */
static bool add_patch(struct artifact *t, struct adit_spp_manifest *m, struct adit_time at,
                      bool new_text)
{
    struct adit_buf was;
    size_t n = m->n_patches, drop = n == ADIT_SPP_PATCHES;
    struct adit_spp_patched *list = adit_arena_zalloc(&t->arena, n + 1, sizeof *list);
    if (!list) return no_memory(t);
    if (n) memcpy(list, m->patches + drop, (n - drop) * sizeof *list);
    struct adit_spp_patched *p = &list[n - drop];
    adit_buf_init(&was, cli_mem, ARCHIVE_FILE_MAX);
    adit_spp_metadata_write(m, &was);
    p->at = time_text(t, at);
    p->was = keep(t, adit_buf_str(&was));
    adit_buf_free(&was);
    p->has_clean = new_text;
    if (new_text) memcpy(p->clean, m->clean.sha, sizeof p->clean);
    m->patches = list;
    m->n_patches = n + 1 - drop;
    return true;
}

/* Raw is the same, but what the server says of it is not: the metadata of the latest version are
 * replaced, and those of before kept beside them, without a new number (SPP, 4.2). */
static bool patch(struct artifact *t, const struct capture *c)
{
    struct source s;
    if (!load(t) || !find_source(t, c, &s)) return false;
    struct adit_spp_manifest m = t->latest;
    bool text = s.m.has_clean && m.has_clean,
         new_text = text && memcmp(m.clean.sha, s.m.clean.sha, ADIT_SHA256_LEN) != 0;
    if (!add_patch(t, &m, c->head.at, new_text)) return false;
    m.content_type = s.m.content_type;
    m.content_language = s.m.content_language;
    m.robots = s.m.robots;
    m.optout = s.m.optout;
    if (text) {
        if (!adit_str_eq(m.canonical, s.m.canonical)) m.n_endorsements = 0;
        m.canonical = s.m.canonical;
        m.type = s.m.type;
        m.title = s.m.title;
        m.byline = s.m.byline;
        m.language = s.m.language;
        m.published = s.m.published;
        m.updated = s.m.updated;
        m.description = s.m.description;
        m.site_name = s.m.site_name;
    } else {
        m.stage = ADIT_SPP_INGESTED; /* the next stage looks at it again */
    }
    see(t, c, &m);
    if (new_text && !replace_text(t, &s, &m)) return false;
    if (!sign(t, &m)) return false;
    last(t)->facts = c->head.facts;
    last(t)->stage = m.stage;
    t->last_seen = c->head.at;
    t->latest = m;
    t->dirty = t->dirty_list = true;
    t->x->counts->patched++;
    return true;
}

/* Whether a capture is part of the history that is stored. */
static bool is_known(const struct artifact *t, const struct capture *c)
{
    const struct adit_spp_version *v = &t->v[t->n - 1];
    return adit_spp_versions_know(t->v, t->n, c->head.raw, c->head.at) ||
           (memcmp(v->raw, c->head.raw, ADIT_SHA256_LEN) == 0 &&
            adit_time_cmp(v->created, c->head.at) <= 0);
}

/* A capture that is not later than what is known. History is not rewritten: such a capture is part
 * of it, or comes too late. But a file in a folder is the state of now, whatever its date; and of
 * two different captures at one instant the one with the greater hash is the later. */
static bool not_later(struct artifact *t, struct capture *c)
{
    bool same_raw = memcmp(last(t)->raw, c->head.raw, ADIT_SHA256_LEN) == 0;
    if (is_known(t, c) || (same_raw && c->head.file) || c->head.kind == CAPTURE_SAME) {
        t->x->counts->known++;
        return true;
    }
    int order = adit_time_cmp(c->head.at, t->last_seen);
    if (c->head.file) {
        c->head.at = (struct adit_time){t->last_seen.s + 1, 0};
        return new_version(t, c);
    }
    if (order == 0 && memcmp(c->head.raw, last(t)->raw, ADIT_SHA256_LEN) > 0)
        return new_version(t, c);
    t->x->counts->late++;
    return true;
}

static bool take(struct artifact *t, struct capture *c)
{
    if (c->head.kind == CAPTURE_CREDENTIALS) {
        t->private_at = c->head.at;
        t->has_private = true;
        return true;
    }
    if (t->has_private && adit_time_cmp(t->private_at, c->head.at) == 0) {
        t->x->skips->skips[CRAWL_SKIP_authenticated]++;
        return true;
    }
    if (t->n && last(t)->tombstone) {
        t->x->counts->tombstoned++;
        return true;
    }
    if (!archive_robots_allow(t->x->robots, c->url)) {
        t->x->counts->disallowed++;
        return true;
    }
    bool revisit = c->head.kind == CAPTURE_SAME;
    if (!t->n) {
        if (!revisit) return new_version(t, c);
        t->x->skips->skips[CRAWL_SKIP_unresolved]++;
        return true;
    }
    if (revisit) memcpy(c->head.raw, last(t)->raw, ADIT_SHA256_LEN);
    if (!load(t)) return false;
    if (adit_time_cmp(c->head.at, t->last_seen) <= 0) return not_later(t, c);
    if (memcmp(last(t)->raw, c->head.raw, ADIT_SHA256_LEN) != 0) return new_version(t, c);
    return revisit || c->head.facts == last(t)->facts ? same_again(t, c) : patch(t, c);
}

bool archive_apply(struct archive_apply *x)
{
    struct artifact t = {.x = x, .builder = archive_builder_new()};
    struct adit_buf *const bufs[] = {&t.url, &t.payload, &t.clean, &t.old_clean};
    adit_arena_init(&t.arena, cli_mem, ARCHIVE_ARENA_MAX);
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_init(bufs[i], cli_mem, ARCHIVE_FILE_MAX);
    struct adit_str record;
    uint64_t done = 0, n = 0;
    bool ok = t.builder || no_memory(&t);
    while (ok && !cli_interrupted() && sorter_next(x->captures, &record)) {
        struct capture c = capture_view(record);
        if (!t.open || !adit_str_eq(c.url, adit_buf_str(&t.url))) ok = end(&t) && begin(&t, c.url);
        ok = ok && take(&t, &c);
        done += c.head.spool_len;
        progress_show(x->progress, clock_ms(), done, x->spool_len, ++n, 0);
    }
    ok = ok && end(&t) && !sorter_failed(x->captures);
    archive_builder_free(t.builder);
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    adit_arena_free(&t.arena);
    return ok;
}
