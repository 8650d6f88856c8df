/* llm-sitemap.json: the pages with their machine URLs and fingerprints; above a number of items, an
 * index of that name and numbered parts. */
#include "batch/pack/pack_impl.h"

#include "format/format.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 45000000 }; /* of a part, as for XML sitemaps */

static bool begin_part(struct pack_llm *l)
{
    adit_buf_clear(&l->text);
    adit_buf_sink_init(&l->sink, &l->text);
    return adit_tct_sitemap_open(&l->part, l->config->tct_profile, &l->sink.sink, cli_mem) ==
           ADIT_OK;
}

void pack_llm_init(struct pack_llm *l, struct publish *to, const struct adit_config *config)
{
    *l = (struct pack_llm){.to = to, .config = config};
    adit_buf_init(&l->text, cli_mem, BYTES_MAX + (1u << 20));
    adit_buf_init(&l->scratch, cli_mem, 64u << 20);
    adit_arena_init(&l->arena, cli_mem, 256u << 20);
    if (!begin_part(l)) l->text.err = ADIT_ENOMEM;
}

void pack_llm_free(struct pack_llm *l)
{
    adit_tct_sitemap_free(&l->part);
    adit_buf_free(&l->text);
    adit_buf_free(&l->scratch);
    adit_arena_free(&l->arena);
    free(l->parts);
    files_discard(&l->files);
}

/* The file's name is that of the configured path. */
static struct adit_str base_name(const struct pack_llm *l)
{
    struct adit_str path = l->config->sitemap_path;
    size_t slash = path.len;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    return adit_str_sub(path, slash, path.len);
}

/* The configured name, with a part's number before its ending: NAME-0001.json. */
static void part_name(const struct pack_llm *l, uint64_t part, struct adit_buf *out)
{
    struct adit_str name = base_name(l), ending = ADIT_STR(".json");
    size_t dot = name.len - (adit_str_ends(name, ending) ? ending.len : 0);
    adit_buf_add(out, adit_str_sub(name, 0, dot));
    if (part) {
        adit_buf_byte(out, '-');
        adit_buf_pad(out, part, 4);
    }
    adit_buf_add(out, adit_str_sub(name, dot, name.len));
}

static bool write_file(struct pack_llm *l, uint64_t part, struct adit_str text, struct file_set *to)
{
    struct adit_buf name;
    adit_buf_init(&name, cli_mem, 4096);
    part_name(l, part, &name);
    adit_buf_byte(&name, '\0');
    bool ok = !name.err && publish_file(l->to, name.p, text, to);
    adit_buf_free(&name);
    return ok;
}

void pack_llm_tidy(struct pack_llm *l)
{
    bool more = true;
    for (uint64_t part = l->n_parts + 1; more; part++) {
        adit_buf_clear(&l->scratch);
        part_name(l, part, &l->scratch);
        adit_buf_byte(&l->scratch, '\0');
        more = !l->scratch.err && publish_remove(l->to, l->scratch.p) == PUBLISH_REMOVED;
    }
}

/* Writes what there is as a part, and notes it for the index. */
static bool end_part(struct pack_llm *l)
{
    struct adit_tct_part *grown = realloc(l->parts, (l->n_parts + 1) * sizeof *grown);
    if (!grown) return false;
    l->parts = grown;
    if (adit_tct_sitemap_close(&l->part) != ADIT_OK || l->text.err ||
        !write_file(l, l->n_parts + 1, adit_buf_str(&l->text), &l->files))
        return false;
    bool ok = true;
    struct adit_str path = l->config->sitemap_path;
    adit_buf_clear(&l->scratch);
    adit_buf_add(&l->scratch, l->config->origin);
    adit_buf_add(&l->scratch, adit_str_sub(path, 0, path.len - base_name(l).len));
    part_name(l, l->n_parts + 1, &l->scratch);
    l->parts[l->n_parts++] = (struct adit_tct_part){
        .url = adit_arena_dup(&l->arena, adit_buf_str(&l->scratch), &ok),
        .n_items = l->part.n_items,
        .modified = l->part.modified,
        .hash = adit_arena_dup(&l->arena, adit_str_of(l->part.hash, ADIT_TCT_HASH), &ok).p,
    };
    adit_tct_sitemap_free(&l->part);
    return ok && begin_part(l);
}

/* Whether the page has an M-URL, which is then in l->scratch. */
static bool machine_url(struct pack_llm *l, struct adit_str url)
{
    struct adit_str path = crawl_url_path(url);
    size_t query = adit_str_chr(path, '?', 0);
    struct adit_str c_path = adit_str_sub(path, 0, query);
    adit_buf_clear(&l->scratch);
    if ((query < path.len && l->config->query == ADIT_QUERY_REFUSE) ||
        adit_map_excluded(l->config, c_path, cli_mem) ||
        adit_map_path(l->config, c_path, &l->scratch, NULL) != ADIT_PATH_PAGE)
        return false;
    adit_buf_clear(&l->scratch);
    adit_buf_add(&l->scratch, l->config->origin);
    adit_map_machine(l->config, &adit_formats[ADIT_FORMAT_TCT], c_path, &l->scratch);
    adit_buf_add(&l->scratch, adit_str_sub(path, query, path.len));
    return !l->scratch.err;
}

bool pack_llm_add(struct pack_llm *l, struct adit_str url, struct adit_str modified,
                  struct adit_str hash)
{
    if (l->part.n_items &&
        (l->part.n_items == l->config->sitemap_max_items || l->text.len > BYTES_MAX) &&
        !end_part(l))
        return false;
    if (!machine_url(l, url)) return true;
    struct adit_tct_item item = {url, adit_buf_str(&l->scratch), modified, hash};
    return !l->text.err && adit_tct_sitemap_item(&l->part, &item) == ADIT_OK;
}

bool pack_llm_end(struct pack_llm *l, struct file_set *to)
{
    bool ok = true;
    if (l->n_parts == 0) {
        ok = adit_tct_sitemap_close(&l->part) == ADIT_OK && !l->text.err &&
             write_file(l, 0, adit_buf_str(&l->text), to);
    } else {
        if (l->part.n_items) ok = end_part(l);
        ok = files_move(&l->files, to) && ok;
        adit_buf_clear(&l->scratch);
        adit_tct_index(&l->scratch, l->config->tct_profile, l->parts, l->n_parts);
        ok = ok && !l->scratch.err && write_file(l, 0, adit_buf_str(&l->scratch), to);
    }
    if (!ok) cli_say(publish_dir(l->to), "cannot write the JSON sitemap");
    return ok;
}
