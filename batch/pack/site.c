/* A site: the crawl joined with the previous snapshot, page by page. */
#include "batch/pack/pack_impl.h"

#include <stdlib.h>
#include <string.h>

struct pack_site {
    const struct pack_options *o;
    struct crawl_counts *counts;
    const struct pack_sink *sink;
    struct pack_previous *previous;
    struct adit_arena arena;
    struct adit_buf scratch, modified;
    bool failed;
};

/* --- opening ---------------------------------------------------------------------------------- */

struct adit_str pack_site_origin(const struct pack_options *o, struct adit_str host,
                                 struct adit_arena *arena)
{
    struct adit_str scheme = ADIT_STR("https://");
    if (!host.len) return o->crawl.config.origin;
    char *p = adit_arena_alloc(arena, scheme.len + host.len);
    if (!p) return (struct adit_str){0};
    memcpy(p, scheme.p, scheme.len);
    memcpy(p + scheme.len, host.p, host.len);
    return adit_str_of(p, scheme.len + host.len);
}

struct pack_site *pack_site_open(const struct pack_options *o, struct adit_str host,
                                 struct crawl_counts *counts, const struct pack_sink *sink,
                                 int *code)
{
    struct pack_site *s = calloc(1, sizeof *s);
    *code = CLI_OUTPUT;
    if (!s) return NULL;
    s->o = o;
    s->counts = counts;
    s->sink = sink;
    adit_arena_init(&s->arena, cli_mem, 1u << 20);
    adit_buf_init(&s->scratch, cli_mem, 1u << 20);
    adit_buf_init(&s->modified, cli_mem, 256);
    *code = pack_previous_open(o, host, pack_site_origin(o, host, &s->arena), false, &s->previous);
    if (*code == CLI_OK && s->previous && !pack_previous_start(s->previous, o)) *code = CLI_INVALID;
    if (*code == CLI_OK) return s;
    pack_site_free(s);
    return NULL;
}

void pack_site_free(struct pack_site *s)
{
    if (!s) return;
    pack_previous_close(s->previous);
    adit_arena_free(&s->arena);
    adit_buf_free(&s->scratch);
    adit_buf_free(&s->modified);
    free(s);
}

/* --- a page, or its end ----------------------------------------------------------------------- */

void pack_tell(const struct pack_options *o, const char *what, struct adit_str url, const char *why)
{
    if (o->dry_run && !o->crawl.json)
        cli_print("%s %.*s%s%s\n", what, (int)url.len, url.p, why ? "  # " : "", why ? why : "");
}

static void hand_on(struct pack_site *s, const struct pack_entry *e)
{
    if (!s->sink->entry(s->sink->ctx, e)) s->failed = true;
}

static void list(struct pack_site *s, const struct pack_entry *e)
{
    static const char *const what[] = {
        [PACK_UNCHANGED] = "=", [PACK_CREATED] = "+", [PACK_UPDATED] = "~"};
    pack_tell(s->o, what[e->change], e->url, NULL);
    s->counts->pages++;
    for (size_t i = 0; i < 3; i++) s->counts->bytes_scp += e->line[i].len;
    hand_on(s, e);
}

/* --- joining with the previous snapshot ------------------------------------------------------- */

/* A page of the previous snapshot, as it was. */
static void keep_listed(struct pack_site *s, const struct adit_scp_page *p, struct adit_str hash)
{
    struct adit_str line = p->line, at = adit_json_inside(p->members[ADIT_SCP_MODIFIED]);
    struct pack_entry e = {.url = p->url, .line = {line}, .modified = at, .change = PACK_UNCHANGED};
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
    hand_on(s, &(struct pack_entry){.url = url, .change = PACK_DELETED});
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
        cli_say(NULL, "internal error: a line of our own is not valid; please report it");
        return;
    }
    if (adit_scp_page_same(&page, old)) {
        keep_listed(s, old, hash);
        return;
    }
    struct adit_time at = advanced(page.modified, old->modified, c->head.at);
    struct pack_entry e = {.url = c->url,
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
    struct pack_entry e = {.url = c->url,
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

/* --- the end ---------------------------------------------------------------------------------- */

int pack_site_close(struct pack_site *s)
{
    int code = CLI_OK;
    if (s->previous)
        for (const struct adit_scp_page *old; !s->failed && (old = pack_previous_page(s->previous));
             pack_previous_advance(s->previous))
            absent(s, old);
    if (s->previous && pack_previous_failed(s->previous)) {
        cli_say(s->o->previous, "the previous snapshot cannot be used; nothing was published");
        code = CLI_INVALID;
    } else if (s->failed) {
        code = CLI_OUTPUT;
    }
    pack_site_free(s);
    return code;
}
