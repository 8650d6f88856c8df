/* Compares two folders of HTML, page by page, by content. */
#include "batch/changes/changes_impl.h"
#include "batch/crawl/crawl.h"
#include "batch/io/io.h"
#include "page/page.h"
#include "scp/scp.h"

#include <string.h>

enum { OLD, NEW };

/* What a file says about the page at its URL. */
enum state { ABSENT, HIDDEN, LISTED };

struct side {
    struct adit_buf path, body, line;
    struct adit_time modified;
    bool known_html;
    enum state state;
    struct adit_buf lastmod;
};

struct walk {
    struct compare *c;
    struct sorter *files;
    struct adit_converter *converter;
    struct adit_buf url; /* of the page under way */
    struct side sides[2];
};

/* --- files by URL: side, URL, NUL, path, NUL, time, whether its name says HTML ---------------- */

static bool collect(struct walk *w, const char *dir, char side)
{
    struct tree *tree = tree_open(dir, w->c->base_url, w->c->strip);
    struct tree_file f;
    bool ok = tree != NULL;
    while (ok && tree_next(tree, &f)) {
        const struct adit_str parts[] = {{&side, 1},
                                         f.url,
                                         {"", 1},
                                         adit_str_z(f.path),
                                         {"", 1},
                                         {(const char *)&f.modified.s, sizeof f.modified.s},
                                         {f.known_html ? "h" : "?", 1}};
        ok = sorter_add(w->files, parts, ADIT_COUNT(parts));
    }
    tree_close(tree);
    return ok;
}

/* --- one file --------------------------------------------------------------------------------- */

/* The page as a line of a collection, but for its date, which does not count. A page in which no
 * content is found, or which is too complex, is compared by its bytes. */
static void convert(struct walk *w, struct side *s)
{
    const struct adit_page *page;
    struct adit_buf date;
    adit_buf_init(&date, cli_mem, 64);
    adit_time_write(&date, s->modified);
    struct adit_page_source source = {.url = adit_buf_str(&w->url), .date = adit_buf_str(&date)};
    enum adit_code code = adit_convert(w->converter, adit_buf_str(&s->body), &source, &page, NULL);
    s->state = LISTED;
    adit_buf_clear(&s->line), adit_buf_clear(&s->lastmod);
    if (code == ADIT_OK) {
        struct adit_page undated = *page;
        undated.modified = ADIT_STR("2000-01-01T00:00:00Z");
        if (page->noindex || page->noarchive) s->state = HIDDEN;
        adit_buf_add(&s->lastmod, page->modified);
        if (page->n_blocks && adit_scp_page_write(&undated, &s->line) != ADIT_OK)
            adit_buf_clear(&s->line);
    }
    adit_buf_free(&date);
}

static void read_side(struct walk *w, struct side *s)
{
    s->state = ABSENT;
    adit_buf_clear(&s->body);
    if (!s->path.len) return;
    if (!cli_read(s->path.p, &s->body)) {
        w->c->skipped++;
        s->state = HIDDEN;
    } else if (!crawl_is_html(s->known_html ? ADIT_STR("text/html") : (struct adit_str){0},
                              adit_buf_str(&s->body))) {
        s->state = ABSENT; /* a file without an ending that is something else */
    } else {
        s->state = LISTED;
    }
}

static bool same(const struct side *a, const struct side *b)
{
    if (!a->line.len || !b->line.len)
        return adit_str_eq(adit_buf_str(&a->body), adit_buf_str(&b->body));
    return adit_str_eq(adit_buf_str(&a->line), adit_buf_str(&b->line));
}

/* --- one page --------------------------------------------------------------------------------- */

static bool note_file(struct walk *w, enum adit_rs_change change)
{
    struct adit_str lastmod = {0};
    if (change != ADIT_RS_DELETED) lastmod = adit_buf_str(&w->sides[NEW].lastmod);
    return compare_note(w->c, change, adit_buf_str(&w->url), lastmod);
}

static bool page(struct walk *w)
{
    struct side *old = &w->sides[OLD], *new = &w->sides[NEW];
    read_side(w, old), read_side(w, new);
    bool equal =
        old->state == LISTED &&
        new->state == LISTED &&adit_str_eq(adit_buf_str(&old->body), adit_buf_str(&new->body));
    if (new->state == LISTED) convert(w, new);
    if (old->state == LISTED && !equal) convert(w, old);
    if (new->state == HIDDEN) w->c->hidden++;
    if (new->state == LISTED && w->c->changes &&
        !changes_page(w->c->changes, adit_buf_str(&w->url), adit_buf_str(&new->lastmod)))
        return false;
    if (new->state != LISTED)
        return new->state == HIDDEN || old->state != LISTED || note_file(w, ADIT_RS_DELETED);
    if (old->state != LISTED) return note_file(w, ADIT_RS_CREATED);
    if (!equal && !same(old, new)) return note_file(w, ADIT_RS_UPDATED);
    w->c->unchanged++;
    return true;
}

/* A further file of the page: the first one of each side counts. */
static void take(struct walk *w, struct adit_str r)
{
    struct side *s = &w->sides[r.p[0] - '0'];
    size_t path = adit_str_chr(r, '\0', 1) + 1, end = adit_str_chr(r, '\0', path);
    if (s->path.len) return;
    adit_buf_add(&s->path, adit_str_sub(r, path, end + 1));
    memcpy(&s->modified.s, r.p + end + 1, sizeof s->modified.s);
    s->known_html = r.p[r.len - 1] == 'h';
}

static bool pages(struct walk *w)
{
    struct adit_str r;
    bool ok = collect(w, w->c->old, '0' + OLD) && collect(w, w->c->new, '0' + NEW) &&
              sorter_start(w->files);
    while (ok && sorter_next(w->files, &r)) {
        if (w->url.len && !adit_str_eq(changes_record_url(r), adit_buf_str(&w->url))) {
            ok = page(w);
            adit_buf_clear(&w->url);
            for (size_t i = OLD; i <= NEW; i++) adit_buf_clear(&w->sides[i].path);
        }
        if (!w->url.len) adit_buf_add(&w->url, changes_record_url(r));
        take(w, r);
    }
    if (ok && w->url.len) ok = page(w);
    return ok && !sorter_failed(w->files);
}

int compare_trees(struct compare *c)
{
    struct walk w = {.c = c};
    w.files = sorter_new(c->temp, c->memory, changes_record_cmp);
    w.converter = adit_converter_new(cli_mem);
    adit_buf_init(&w.url, cli_mem, ADIT_LIMIT_url_bytes);
    for (size_t i = OLD; i <= NEW; i++) {
        adit_buf_init(&w.sides[i].path, cli_mem, 1u << 16);
        adit_buf_init(&w.sides[i].body, cli_mem, ADIT_LIMIT_page_bytes);
        adit_buf_init(&w.sides[i].line, cli_mem, ADIT_LIMIT_scp_line);
        adit_buf_init(&w.sides[i].lastmod, cli_mem, 256);
    }
    bool ok = w.files && w.converter && pages(&w);
    for (size_t i = OLD; i <= NEW; i++) {
        adit_buf_free(&w.sides[i].path), adit_buf_free(&w.sides[i].body);
        adit_buf_free(&w.sides[i].line), adit_buf_free(&w.sides[i].lastmod);
    }
    adit_buf_free(&w.url);
    adit_converter_free(w.converter);
    sorter_free(w.files);
    if (!ok) return CLI_OUTPUT;
    return c->skipped ? CLI_INVALID : CLI_OK;
}
