/* llm-sitemap.json: the pages with their machine URLs and fingerprints; above a number of items, an
 * index of that name and numbered parts. */
#include "batch/pack/pack_impl.h"

#include "format/format.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 45000000 }; /* of a part, as for XML sitemaps */

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

/* The name of a part in l->scratch, NUL-terminated; NULL: too long. */
static const char *name_part(struct pack_llm *l, uint64_t part)
{
    adit_buf_clear(&l->scratch);
    part_name(l, part, &l->scratch);
    adit_buf_byte(&l->scratch, '\0');
    return l->scratch.err ? NULL : l->scratch.p;
}

/* --- the part under way ----------------------------------------------------------------------- */

/* The first part has the configured name until there is a second one. */
static bool begin_part(struct pack_llm *l)
{
    const char *name = name_part(l, l->n_parts ? l->n_parts + 1 : 0);
    struct output *out = name ? publish_output(l->to, name, NULL) : NULL;
    struct adit_sink *sink = output_sink_init(&l->sink, out);
    return out && adit_tct_sitemap_open(&l->part, l->config->tct_profile, sink, cli_mem) == ADIT_OK;
}

/* Completes its file, which is the caller's then. */
static struct output *close_part(struct pack_llm *l, bool *ok)
{
    *ok = adit_tct_sitemap_close(&l->part) == ADIT_OK;
    struct output *out = l->sink.out;
    l->sink.out = NULL;
    return out;
}

/* Completes it as one of several, and notes it for the index. */
static bool end_part(struct pack_llm *l)
{
    struct adit_tct_part *grown = realloc(l->parts, (l->n_parts + 1) * sizeof *grown);
    const char *name = grown && l->n_parts == 0 ? name_part(l, 1) : NULL;
    if (!grown) return false;
    l->parts = grown;
    if (l->n_parts == 0 && (!name || !publish_rename(l->to, l->sink.out, name))) return false;
    bool ok;
    if (!publish_put(l->to, close_part(l, &ok)) || !ok) return false;
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
    return ok;
}

/* --- pages ------------------------------------------------------------------------------------ */

void pack_llm_init(struct pack_llm *l, struct publish *to, const struct adit_config *config)
{
    *l = (struct pack_llm){.to = to, .config = config};
    adit_buf_init(&l->scratch, cli_mem, 64u << 20);
    adit_arena_init(&l->arena, cli_mem, 256u << 20);
    l->failed = !begin_part(l);
}

void pack_llm_free(struct pack_llm *l)
{
    adit_tct_sitemap_free(&l->part);
    output_discard(l->sink.out);
    adit_buf_free(&l->scratch);
    adit_arena_free(&l->arena);
    free(l->parts);
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
    if (l->failed) return false;
    if (l->part.n_items && (l->part.n_items == l->config->sitemap_max_items ||
                            output_bytes_in(l->sink.out) > BYTES_MAX))
        l->failed = !end_part(l) || !begin_part(l);
    if (l->failed || !machine_url(l, url)) return !l->failed;
    struct adit_tct_item item = {url, adit_buf_str(&l->scratch), modified, hash};
    l->failed = adit_tct_sitemap_item(&l->part, &item) != ADIT_OK;
    return !l->failed;
}

static bool write_index(struct pack_llm *l, struct file_set *to)
{
    struct adit_buf index;
    const char *name = name_part(l, 0);
    adit_buf_init(&index, cli_mem, 64u << 20);
    adit_tct_index(&index, l->config->tct_profile, l->parts, l->n_parts);
    bool ok = name && !index.err && publish_file(l->to, name, adit_buf_str(&index), to);
    adit_buf_free(&index);
    return ok;
}

bool pack_llm_end(struct pack_llm *l, struct file_set *to)
{
    bool ok = !l->failed;
    if (ok && l->n_parts == 0) {
        ok = files_add(to, close_part(l, &ok)) && ok;
    } else if (ok) {
        ok = (!l->part.n_items || end_part(l)) && write_index(l, to);
    }
    if (!ok) cli_say(publish_dir(l->to), "cannot write the JSON sitemap");
    return ok;
}

void pack_llm_tidy(struct pack_llm *l)
{
    const char *name;
    bool more = true;
    for (uint64_t part = l->n_parts + 1; more; part++)
        more = (name = name_part(l, part)) && publish_remove(l->to, name) == PUBLISH_REMOVED;
}
