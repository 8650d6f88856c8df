/* The publication of a site: entries, in the order of URLs, become the files of every section. */
#include "batch/pack/manifest_impl.h"

#include <stdlib.h>
#include <string.h>

struct pack_publication {
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
    struct adit_buf scratch;
    uint64_t pages;
};

/* --- opening ---------------------------------------------------------------------------------- */

static bool open_changes(struct pack_publication *s)
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

static void discard(struct pack_publication *s)
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
    adit_buf_free(&s->scratch);
    free(s);
}

/* The folder of the site, its origin, what was published there before: as begin of a sink. */
static int set_up(struct pack_publication *s, struct publish *to, struct adit_str host)
{
    if (to && host.len) s->own = publish_below(to, host);
    s->to = host.len ? s->own : to;
    s->host = adit_arena_dup(&s->manifest.arena, host, NULL);
    s->config = s->o->crawl.config; /* whose arena stays the options' own */
    s->config.origin = pack_site_origin(s->o, host, &s->manifest.arena);
    if ((to && !s->to) || (host.len && !s->host.len)) return CLI_OUTPUT;
    /* What this run would publish may be published already: by a run that was killed, or by the
     * --finish of another task. */
    bool again =
        s->o->step == PACK_FINISH && s->o->previous && strcmp(s->o->previous, s->o->out) == 0;
    return pack_previous_open(s->o, host, s->config.origin,
                              again || (s->to && !s->own && publish_finished(s->to)), &s->previous);
}

static bool open_files(struct pack_publication *s)
{
    if (!s->to) return true;
    pack_sitemap_init(&s->sitemap, s->to, &s->config);
    pack_llm_init(&s->llm, s->to, &s->config);
    pack_llms_init(&s->llms, s->to, &s->config);
    return pack_manifest_create(&s->manifest, s->to, s->previous) &&
           (s->o->crawl.mixed || open_changes(s));
}

static int begin_site(void *ctx, struct adit_str host)
{
    struct pack_publisher *p = ctx;
    struct pack_publication *s = calloc(1, sizeof *s);
    if (!s) return CLI_OUTPUT;
    s->o = p->o;
    s->counts = p->counts;
    s->written = p->written;
    adit_buf_init(&s->scratch, cli_mem, 1u << 20);
    pack_manifest_init(&s->manifest, p->o);
    int code = set_up(s, p->to, host);
    if (code == CLI_OK && !open_files(s)) code = CLI_OUTPUT;
    if (code != CLI_OK) {
        discard(s);
        s = NULL;
    }
    p->now = s;
    p->already = p->already || code < 0;
    return code;
}

/* --- an entry --------------------------------------------------------------------------------- */

/* Whether a page with this path belongs to the section. */
static bool in_section(const struct pack_section *section, struct adit_str path)
{
    return adit_str_starts(path, section->prefix);
}

/* Of the first publication everything is new, and no list says so. */
static bool note_change(struct pack_publication *s, const struct pack_entry *e)
{
    static const enum adit_rs_change changes[] = {[PACK_CREATED] = ADIT_RS_CREATED,
                                                  [PACK_UPDATED] = ADIT_RS_UPDATED,
                                                  [PACK_DELETED] = ADIT_RS_DELETED};
    return s->o->crawl.mixed || !s->previous || e->change == PACK_UNCHANGED ||
           changes_add(s->changes, e->url, changes[e->change], e->modified);
}

static bool take_entry(void *ctx, const struct pack_entry *e)
{
    struct pack_publication *s = ((struct pack_publisher *)ctx)->now;
    s->pages += e->change != PACK_DELETED;
    if (!s->to) return true;
    bool ok = note_change(s, e);
    if (e->change == PACK_DELETED) return ok;
    struct adit_str path = crawl_url_path(e->url);
    for (size_t i = 0; i < s->o->n_sections; i++)
        if (in_section(&s->o->sections[i], path) &&
            !pack_manifest_page(&s->manifest, i, e->line, e->change != PACK_UNCHANGED))
            ok = false;
    if (s->o->crawl.mixed) return ok;
    return ok && changes_page(s->changes, e->url, e->modified) &&
           pack_sitemap_add(&s->sitemap, e->url, e->modified) &&
           (!e->hash.len || (pack_llm_add(&s->llm, e->url, e->modified, e->hash) &&
                             pack_llms_add(&s->llms, e->url, e->line)));
}

/* --- publishing ------------------------------------------------------------------------------- */

/* First the collections, which nobody knows of yet; then what leads to them; the manifest last. */
static bool publish(struct pack_publication *s)
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
    if (ok && !s->o->crawl.mixed) {
        pack_sitemap_tidy(&s->sitemap);
        pack_llm_tidy(&s->llm);
        changes_tidy(s->changes);
    }
    if (!ok) files_discard(&files);
    adit_buf_free(&scp);
    return ok;
}

static int end_site(void *ctx)
{
    struct pack_publisher *p = ctx;
    struct pack_publication *s = p->now;
    p->now = NULL;
    int code = s->pages && s->to && !publish(s) ? CLI_OUTPUT : CLI_OK;
    if (code == CLI_OK) s->written->n_sites += s->pages > 0;
    discard(s);
    return code;
}

static void drop_site(void *ctx)
{
    struct pack_publisher *p = ctx;
    discard(p->now);
    p->now = NULL;
}

struct pack_sink pack_publisher_sink(struct pack_publisher *p)
{
    return (struct pack_sink){p, begin_site, take_entry, end_site, drop_site};
}

/* Beside the folders of the hosts. */
static bool report_of_hosts(const struct pack_publisher *p)
{
    struct file_set files = {0};
    if (pack_report_file(p->to, p->o, p->counts, p->written, &files))
        return publish_commit(p->to, &files);
    files_discard(&files);
    return false;
}

int pack_publisher_end(struct pack_publisher *p, int code)
{
    /* Hosts that are complete, whatever became of others. */
    if (p->o->crawl.by_host && p->to && !publish_settle(p->to)) code = CLI_OUTPUT;
    if (code != CLI_OK || (p->already && !p->o->crawl.by_host)) return code;
    if (!p->written->n_sites && !p->already) {
        /* Where no input could be opened, that has been said. */
        if (p->counts->captures || p->counts->inputs_failed < p->o->crawl.n_inputs)
            cli_say(NULL, "no page to list; nothing %s published",
                    p->o->dry_run ? "would be" : "was");
        return CLI_INVALID;
    }
    return p->o->crawl.by_host && p->to && !report_of_hosts(p) ? CLI_OUTPUT : CLI_OK;
}
