/* A site's publication: the crawl joined with the previous snapshot, page by page, into the files
 * of every section. */
#include "batch/pack/manifest_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pack_site {
    const struct pack_options *o;
    struct crawl_counts *counts;
    struct pack_written *written;
    struct adit_str host;      /* of --by-host, in the arena of the manifest; else empty */
    struct adit_config config; /* of the options, with this site's origin */
    struct publish *to, *own;  /* to: NULL in a dry run; own: to, of a host's folder */
    struct pack_manifest manifest;
    struct pack_previous *previous;
    struct pack_sitemap sitemap;
    struct pack_llm llm;
    struct pack_llms llms;
    struct changes_section *sections; /* for changes */
    struct changes *changes;
    struct adit_buf scratch, modified;
    uint64_t pages;
    bool failed;
};

/* --- opening ---------------------------------------------------------------------------------- */

static bool set_origin(struct pack_site *s, struct adit_str host)
{
    s->config = s->o->crawl.config;
    if (!host.len) return true;
    s->host = adit_arena_dup(&s->manifest.arena, host, NULL);
    /* The arena of the copy stays the options' own: it is not freed here. */
    adit_buf_clear(&s->scratch);
    adit_buf_lit(&s->scratch, "https://");
    adit_buf_add(&s->scratch, host);
    s->config.origin = adit_arena_dup(&s->manifest.arena, adit_buf_str(&s->scratch), NULL);
    return s->config.origin.len > 0 && s->host.len > 0;
}

/* The folder below base for host, or base itself; the caller frees it. */
static char *site_dir(const char *base, struct adit_str host)
{
    char *dir;
    if (!host.len) return strdup(base);
    return asprintf(&dir, "%s/%.*s", base, (int)host.len, host.p) < 0 ? NULL : dir;
}

/* A manifest that cannot be read is there, too: then what is wrong with it is said. */
bool pack_site_known(const struct pack_options *o, struct adit_str host)
{
    char *dir = o->previous ? site_dir(o->previous, host) : NULL, *path = NULL;
    bool there = dir && asprintf(&path, "%s/" ADIT_SCP_MANIFEST, dir) >= 0 &&
                 (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR));
    free(dir);
    free(path);
    return there;
}

/* CLI_OK: the time fits. -1: the run that was to publish at this time was killed while it did, and
 * publish_open has finished it. */
static int check_time(struct pack_site *s, const char *dir)
{
    struct adit_time since;
    struct adit_str text = pack_previous_generated(s->previous);
    bool good = adit_time_parse(text, &since);
    int order = good ? adit_time_cmp(since, s->o->generated) : 1;
    if (order < 0) return CLI_OK;
    if (order == 0 && s->to && !s->own && publish_finished(s->to)) return -1;
    cli_say(dir, "was generated at %.*s, which is not before this run's time; see --generated",
            (int)text.len, text.p);
    return CLI_INVALID;
}

/* CLI_OK, or as check_time. */
static int open_previous(struct pack_site *s, struct adit_str host)
{
    /* With --by-host, a host may be new. */
    if (!s->o->previous || (host.len && !pack_site_known(s->o, host))) return CLI_OK;
    char *dir = site_dir(s->o->previous, host);
    int code = CLI_INVALID;
    if (dir && !s->o->dry_run && publish_unfinished(dir))
        cli_say(dir, "a run was killed while it published here: first run it again");
    else
        s->previous = dir ? pack_previous_open(dir) : NULL;
    if (s->previous) {
        struct adit_str origin = pack_previous_origin(s->previous);
        code = check_time(s, dir);
        if (code == CLI_OK && !s->o->crawl.mixed && !adit_str_eq(origin, s->config.origin)) {
            cli_say(dir, "is the publication of another site: %.*s", (int)origin.len, origin.p);
            code = CLI_INVALID;
        }
    }
    free(dir);
    return code;
}

static bool open_changes(struct pack_site *s)
{
    const struct pack_options *o = s->o;
    struct adit_arena *arena = &s->manifest.arena;
    bool ok = true;
    struct changes_options c = {
        .dir = publish_dir(s->to),
        .to = s->to,
        .previous = s->previous ? pack_previous_dir(s->previous) : NULL,
        .base = s->config.origin,
        .generated = o->generated,
        .list_max = CHANGES_LIST_MAX,
        .n_sections = o->n_sections,
    };
    if (s->previous) adit_time_parse(pack_previous_generated(s->previous), &c.since);
    c.from = c.since;
    s->sections = adit_arena_zalloc(arena, o->n_sections, sizeof *s->sections);
    for (size_t i = 0; s->sections && i < o->n_sections; i++) {
        adit_buf_clear(&s->scratch);
        adit_buf_add(&s->scratch, s->config.origin);
        adit_buf_add(&s->scratch, o->sections[i].prefix);
        s->sections[i] = (struct changes_section){
            .name = o->sections[i].name,
            .prefix = o->sections[i].prefix,
            .describes = adit_arena_dup(arena, adit_buf_str(&s->scratch), &ok),
        };
    }
    c.sections = s->sections;
    s->changes = s->sections && ok ? changes_open(&c) : NULL;
    return s->changes != NULL;
}

struct pack_site *pack_site_open(const struct pack_options *o, struct publish *to,
                                 struct adit_str host, struct crawl_counts *counts,
                                 struct pack_written *written, int *code)
{
    struct pack_site *s = calloc(1, sizeof *s);
    *code = CLI_OUTPUT;
    if (!s) return NULL;
    s->o = o;
    s->counts = counts;
    s->written = written;
    adit_buf_init(&s->scratch, cli_mem, 1u << 20);
    adit_buf_init(&s->modified, cli_mem, 256);
    pack_manifest_init(&s->manifest, o);
    if (to && host.len) s->own = publish_below(to, host);
    s->to = host.len ? s->own : to;
    bool ok = set_origin(s, host) && (s->to || !to);
    int fits = ok ? open_previous(s, host) : CLI_OK;
    if (fits != CLI_OK) {
        *code = fits < 0 ? CLI_OK : fits;
        ok = false;
    }
    if (ok && to) {
        pack_sitemap_init(&s->sitemap, s->to, &s->config);
        pack_llm_init(&s->llm, s->to, &s->config);
        pack_llms_init(&s->llms, s->to, &s->config);
        ok = pack_manifest_create(&s->manifest, s->to, s->previous) &&
             (o->crawl.mixed || open_changes(s));
    }
    if (ok) {
        *code = CLI_OK;
        return s;
    }
    pack_site_discard(s);
    return NULL;
}

void pack_site_discard(struct pack_site *s)
{
    if (!s) return;
    changes_free(s->changes);
    pack_manifest_free(&s->manifest);
    pack_previous_close(s->previous);
    if (s->sitemap.to) { /* opened */
        pack_sitemap_free(&s->sitemap);
        pack_llm_free(&s->llm);
        pack_llms_free(&s->llms);
    }
    publish_close(s->own);
    struct adit_buf *const bufs[] = {&s->scratch, &s->modified};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    free(s);
}

/* --- a page, or its end ----------------------------------------------------------------------- */

/* A page to be listed. Its line is given in three parts, so that `modified` can be replaced. */
struct entry {
    struct adit_str url, line[3], modified, hash;
    enum { PACK_UNCHANGED, PACK_CREATED, PACK_UPDATED } change;
};

void pack_tell(const struct pack_options *o, const char *what, struct adit_str url, const char *why)
{
    if (o->dry_run && !o->crawl.json)
        cli_print("%s %.*s%s%s\n", what, (int)url.len, url.p, why ? "  # " : "", why ? why : "");
}

/* Whether a page with this path belongs to the section. */
static bool in_section(const struct pack_section *section, struct adit_str path)
{
    return adit_str_starts(path, section->prefix);
}

static void note_change(struct pack_site *s, struct adit_str url, enum adit_rs_change change,
                        struct adit_str lastmod)
{
    if (s->o->dry_run || s->o->crawl.mixed || !s->previous) return;
    if (!changes_add(s->changes, url, change, lastmod)) s->failed = true;
}

static void list(struct pack_site *s, const struct entry *e)
{
    static const char *const what[] = {
        [PACK_UNCHANGED] = "=", [PACK_CREATED] = "+", [PACK_UPDATED] = "~"};
    pack_tell(s->o, what[e->change], e->url, NULL);
    s->pages++;
    s->counts->pages++;
    for (size_t i = 0; i < 3; i++) s->counts->bytes_scp += e->line[i].len;
    if (s->o->dry_run) return;
    struct adit_str path = crawl_url_path(e->url);
    bool changed = e->change != PACK_UNCHANGED;
    for (size_t i = 0; i < s->o->n_sections; i++)
        if (in_section(&s->o->sections[i], path) &&
            !pack_manifest_page(&s->manifest, i, e->line, changed))
            s->failed = true;
    if (changed)
        note_change(s, e->url, e->change == PACK_CREATED ? ADIT_RS_CREATED : ADIT_RS_UPDATED,
                    e->modified);
    if (s->o->crawl.mixed) return;
    if (!changes_page(s->changes, e->url, e->modified)) s->failed = true;
    if (!pack_sitemap_add(&s->sitemap, e->url, e->modified)) s->failed = true;
    if (e->hash.len && !pack_llm_add(&s->llm, e->url, e->modified, e->hash)) s->failed = true;
    if (e->hash.len && !pack_llms_add(&s->llms, e->url, e->line)) s->failed = true;
}

/* --- joining with the previous snapshot ------------------------------------------------------- */

/* A page of the previous snapshot, as it was. */
static void keep_listed(struct pack_site *s, const struct adit_scp_page *p, struct adit_str hash)
{
    struct adit_str line = p->line, at = adit_json_inside(p->members[ADIT_SCP_MODIFIED]);
    struct entry e = {.url = p->url, .line = {line}, .modified = at, .change = PACK_UNCHANGED};
    if (p->robots_at.to) { /* of an older revision: read, never written */
        e.line[0] = adit_str_sub(line, 0, p->robots_at.from);
        e.line[1] = adit_str_sub(line, p->robots_at.to, line.len);
    }
    e.hash = hash.len ? hash : pack_previous_hash(s->previous, p->url);
    list(s, &e);
}

/* The crawl did not meet it, or could not tell: absence is not deletion. */
static void carry_over(struct pack_site *s, const struct adit_scp_page *p)
{
    if (!crawl_filter(&s->o->crawl, crawl_url_path(p->url))) {
        s->counts->removed++;
        pack_tell(s->o, "-", p->url, crawl_skip_texts[CRAWL_SKIP_filtered]);
        return;
    }
    s->counts->carried++;
    keep_listed(s, p, (struct adit_str){0});
}

static void gone(struct pack_site *s, struct adit_str url, const char *why)
{
    s->counts->deleted++;
    note_change(s, url, ADIT_RS_DELETED, (struct adit_str){0});
    pack_tell(s->o, "-", url, why);
}

/* A page of the previous snapshot that the crawl did not meet at all. */
static void absent(struct pack_site *s, const struct adit_scp_page *p)
{
    if (s->o->complete)
        gone(s, p->url, "absent from a complete crawl");
    else
        carry_over(s, p);
}

/* The later of the page's own date and what keeps `modified` growing: a second after the previous
 * value, or the capture (SCP, Conflict Resolution: it must increase with every change). */
static struct adit_time advanced(struct adit_time own, struct adit_time previous,
                                 struct adit_time capture)
{
    if (adit_time_cmp(own, previous) > 0) return own;
    previous.s++;
    return adit_time_cmp(capture, previous) > 0 ? capture : previous;
}

/* A page that was there before, captured anew. */
static void renew(struct pack_site *s, const struct adit_scp_page *old,
                  const struct pack_capture_view *c)
{
    struct adit_scp_page page;
    struct adit_scp_judge judge = {.limits = &adit_scp_limits};
    struct adit_str hash = adit_str_of(c->head.hash, sizeof c->head.hash);
    adit_buf_clear(&s->scratch);
    if (adit_scp_page_judge(c->line, &judge, &s->scratch, &page) != ADIT_SCP_GOOD) {
        s->failed = true;
        cli_say(NULL, "internal error: a line of our own is not valid");
        return;
    }
    if (adit_scp_page_same(&page, old)) {
        keep_listed(s, old, hash);
        return;
    }
    struct adit_time at = advanced(page.modified, old->modified, c->head.at);
    struct entry e = {.url = c->url,
                      .line = {c->line},
                      .modified = c->modified,
                      .hash = hash,
                      .change = PACK_UPDATED};
    if (adit_time_cmp(at, page.modified) != 0) {
        struct adit_str value = adit_json_inside(page.members[ADIT_SCP_MODIFIED]);
        size_t from = (size_t)(value.p - c->line.p);
        adit_buf_clear(&s->modified);
        adit_time_write(&s->modified, at);
        e.modified = e.line[1] = adit_buf_str(&s->modified);
        e.line[0] = adit_str_sub(c->line, 0, from);
        e.line[2] = adit_str_sub(c->line, from + value.len, c->line.len);
    }
    s->counts->updated++;
    list(s, &e);
}

/* The crawl says that the page is not to be listed (any more). */
static void not_listed(struct pack_site *s, const struct adit_scp_page *old,
                       const struct pack_capture_view *c)
{
    const char *why = crawl_skip_texts[c->head.reason];
    if (!old) {
        pack_tell(s->o, "!", c->url, why);
    } else if (c->head.reason == CRAWL_SKIP_gone) {
        gone(s, c->url, why);
    } else if (c->head.reason == CRAWL_SKIP_server_error) {
        carry_over(s, old);
    } else {
        s->counts->removed++;
        pack_tell(s->o, "-", c->url, why);
    }
}

static void count_page(struct pack_site *s, const struct pack_capture_view *c)
{
    s->counts->bytes_listed += c->head.html_bytes;
    for (size_t i = 0; i < ADIT_BLOCK_TYPES; i++) s->counts->blocks[i] += c->head.blocks[i];
}

static void create_page(struct pack_site *s, const struct pack_capture_view *c)
{
    struct entry e = {.url = c->url,
                      .line = {c->line},
                      .modified = c->modified,
                      .hash = {c->head.hash, sizeof c->head.hash},
                      .change = PACK_CREATED};
    s->counts->created++;
    list(s, &e);
}

bool pack_site_url(struct pack_site *s, const struct pack_capture_view *c)
{
    const struct adit_scp_page *old = NULL;
    while (s->previous && (old = pack_previous_page(s->previous)) &&
           adit_str_cmp(old->url, c->url) < 0) {
        absent(s, old);
        pack_previous_advance(s->previous);
    }
    if (old && !adit_str_eq(old->url, c->url)) old = NULL;
    if (c->head.kind == CRAWL_PAGE) {
        count_page(s, c);
        if (old)
            renew(s, old, c);
        else
            create_page(s, c);
    } else if (c->head.kind == CRAWL_GONE) {
        s->counts->skips[c->head.reason]++;
        not_listed(s, old, c);
    } else if (old) { /* only revisits: as it was */
        s->counts->skips[CRAWL_SKIP_unchanged]++;
        carry_over(s, old);
    } else {
        s->counts->skips[CRAWL_SKIP_unresolved]++;
        pack_tell(s->o, "!", c->url, crawl_skip_texts[CRAWL_SKIP_unresolved]);
    }
    if (old) pack_previous_advance(s->previous);
    return !s->failed;
}

/* --- publishing ------------------------------------------------------------------------------- */

static bool finish_previous(struct pack_site *s)
{
    if (!s->previous) return true;
    for (const struct adit_scp_page *old; !s->failed && (old = pack_previous_page(s->previous));
         pack_previous_advance(s->previous))
        absent(s, old);
    if (!pack_previous_failed(s->previous)) return true;
    cli_say(s->o->previous, "the previous snapshot cannot be used; nothing was published");
    return false;
}

/* First the collections, which nobody knows of yet; then what leads to them; the manifest last. */
static bool publish(struct pack_site *s)
{
    struct file_set files = {0};
    struct adit_buf scp;
    adit_buf_init(&scp, cli_mem, 16u << 20);
    bool ok = pack_manifest_finish(&s->manifest, &files);
    if (ok && !s->o->crawl.mixed) {
        pack_manifest_sitemap(&s->manifest, &s->config, &scp);
        ok = !scp.err && pack_sitemap_end(&s->sitemap, adit_buf_str(&scp), &files) &&
             pack_llm_end(&s->llm, &files) && pack_llms_end(&s->llms, &files) &&
             changes_finish(s->changes, &files);
    }
    s->counts->bytes_out += s->manifest.bytes_out;
    for (size_t i = 0; ok && i < 2 * s->o->n_sections; i++) {
        const struct pack_collection *c = &s->manifest.v[i];
        if (c->id.len)
            pack_written_add(s->written, s->host, c->file, c->result.pages, c->result.size);
    }
    ok = ok &&
         (s->o->crawl.by_host || pack_report_file(s->to, s->o, s->counts, s->written, &files)) &&
         pack_manifest_write(&s->manifest, &s->config, s->to, &files) &&
         publish_commit(s->to, &files);
    if (ok) pack_keep(&s->manifest, s->to, s->written);
    if (!ok) files_discard(&files);
    adit_buf_free(&scp);
    return ok;
}

int pack_site_close(struct pack_site *s)
{
    int code = CLI_OK;
    if (!finish_previous(s)) {
        code = CLI_INVALID;
    } else if (s->failed || (s->pages && !s->o->dry_run && !publish(s))) {
        code = CLI_OUTPUT;
    } else {
        s->written->n_sites += s->pages > 0;
    }
    pack_site_discard(s);
    return code;
}
