/* llms.txt: the pages with titles, descriptions and links to their Markdown, by section; and, where
 * it is asked for, llms-full.txt: the pages themselves. */
#include "batch/pack/pack_impl.h"

#include "format/format.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGES_MAX = 10000, /* a longer list helps no reader: the first ones by URL are taken */
    SECTION_BYTES = 8 << 20
};

void pack_llms_init(struct pack_llms *l, struct publish *to, const struct adit_config *config)
{
    *l = (struct pack_llms){.to = to, .config = config};
    size_t n = config->sections.n + 1;
    l->sections = config->llms ? calloc(n, sizeof *l->sections) : NULL;
    for (size_t i = 0; l->sections && i < n; i++)
        adit_buf_init(&l->sections[i], cli_mem, SECTION_BYTES);
    adit_arena_init(&l->arena, cli_mem, 1 << 20);
    spool_init(&l->full, publish_temp(to));
}

void pack_llms_free(struct pack_llms *l)
{
    for (size_t i = 0; l->sections && i <= l->config->sections.n; i++)
        adit_buf_free(&l->sections[i]);
    free(l->sections);
    spool_free(&l->full);
    adit_arena_free(&l->arena);
}

static void add_url(const struct adit_config *c, struct adit_str path, struct adit_buf *out)
{
    struct adit_buf machine;
    adit_buf_init(&machine, cli_mem, 64 << 10);
    adit_map_machine(c, &adit_formats[c->markdown ? ADIT_FORMAT_MD : ADIT_FORMAT_TCT], path,
                     &machine);
    if (!machine.err) adit_map_url(c, adit_buf_str(&machine), out);
    adit_buf_free(&machine);
}

/* The page whole: what a collection keeps of a page, inline links not among it. */
static bool add_full(struct pack_llms *l, struct adit_str url, const struct adit_scp_page *line,
                     struct adit_arena *arena)
{
    struct adit_page page;
    struct adit_buf text, whole;
    bool ok = true;
    adit_buf_init(&text, cli_mem, ADIT_LIMIT_scp_line);
    adit_buf_init(&whole, cli_mem, 2 * (size_t)ADIT_LIMIT_scp_line);
    if (adit_scp_page_read(line, arena, &page) == ADIT_OK &&
        adit_formats[ADIT_FORMAT_MD].write(&page, cli_mem, &text) == ADIT_OK) {
        adit_llms_whole(&whole, url, adit_buf_str(&text));
        ok = !whole.err && spool_add(&l->full, adit_buf_str(&whole));
    }
    adit_buf_free(&text);
    adit_buf_free(&whole);
    return ok;
}

static bool add_page(struct pack_llms *l, struct adit_str url, const struct adit_scp_page *line,
                     struct adit_arena *arena)
{
    const struct adit_config *c = l->config;
    struct adit_str path = crawl_url_path(url);
    struct adit_str title = adit_json_text(line->members[ADIT_SCP_TITLE], arena, NULL);
    struct adit_str about = adit_json_text(line->members[ADIT_SCP_DESCRIPTION], arena, NULL);
    struct adit_buf to, *section = &l->sections[adit_llms_section_of(c, path)];
    bool ok = true;
    if (adit_str_eq(path, ADIT_STR("/"))) {
        l->title = adit_arena_dup(&l->arena, title, &ok);
        l->summary = adit_arena_dup(&l->arena, about, &ok);
    }
    adit_buf_init(&to, cli_mem, 64 << 10);
    add_url(c, path, &to);
    adit_llms_page(section, title, adit_buf_str(&to), about);
    ok = ok && !to.err && !section->err;
    adit_buf_free(&to);
    l->pages++;
    return ok && (!c->llms_full || add_full(l, url, line, arena));
}

bool pack_llms_add(struct pack_llms *l, struct adit_str url, const struct adit_str line[3])
{
    struct adit_str path = crawl_url_path(url);
    struct adit_scp_judge judge = {.limits = &adit_scp_limits};
    struct adit_scp_page page;
    struct adit_buf whole, scratch;
    struct adit_arena arena;
    if (!l->sections || l->pages >= PAGES_MAX || adit_str_chr(path, '?', 0) < path.len ||
        adit_map_excluded(l->config, path, cli_mem))
        return true;
    adit_buf_init(&whole, cli_mem, ADIT_LIMIT_scp_line);
    adit_buf_init(&scratch, cli_mem, ADIT_LIMIT_scp_line);
    adit_arena_init(&arena, cli_mem, ADIT_LIMIT_scp_line);
    for (size_t i = 0; i < 3; i++) adit_buf_add(&whole, line[i]);
    bool ok = !whole.err;
    if (ok && adit_scp_page_judge(adit_buf_str(&whole), &judge, &scratch, &page) == ADIT_SCP_GOOD)
        ok = add_page(l, url, &page, &arena);
    adit_arena_free(&arena);
    adit_buf_free(&scratch);
    adit_buf_free(&whole);
    return ok;
}

static bool write_full(struct pack_llms *l, struct adit_str host, struct file_set *to)
{
    struct adit_buf head;
    struct output *out = publish_output(l->to, "llms-full.txt", NULL);
    adit_buf_init(&head, cli_mem, SECTION_BYTES);
    adit_llms_begin(&head, l->title.len ? l->title : host, l->summary);
    bool ok =
        out && !head.err && output_write(out, adit_buf_str(&head)) && spool_copy(&l->full, out);
    adit_buf_free(&head);
    return files_add(to, out) && ok;
}

bool pack_llms_end(struct pack_llms *l, struct file_set *to)
{
    const struct adit_config *c = l->config;
    struct adit_str host =
        adit_str_sub(c->origin, adit_str_find(c->origin, ADIT_STR("//"), 0) + 2, c->origin.len);
    struct adit_buf out;
    if (!l->sections) return true;
    adit_buf_init(&out, cli_mem, (c->sections.n + 2) * (size_t)SECTION_BYTES);
    adit_llms_begin(&out, l->title.len ? l->title : host, l->summary);
    for (size_t i = 0; i <= c->sections.n; i++) {
        if (l->sections[i].len == 0) continue;
        adit_llms_section(&out, i < c->sections.n ? c->sections.v[i].name : ADIT_STR("Pages"));
        adit_buf_add(&out, adit_buf_str(&l->sections[i]));
    }
    bool ok = !out.err && publish_file(l->to, "llms.txt", adit_buf_str(&out), to);
    adit_buf_free(&out);
    return ok && (!c->llms_full || write_full(l, host, to));
}
