/* Collections and the manifest that names them. */
#include "batch/pack/manifest_impl.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_names[] = {"snapshot", "delta"};

static struct adit_str keep_text(struct pack_manifest *m, struct adit_buf *b)
{
    struct adit_str s = adit_arena_dup(&m->arena, adit_buf_str(b), NULL);
    adit_buf_clear(b);
    return s;
}

void pack_manifest_init(struct pack_manifest *m, const struct pack_options *o)
{
    struct adit_buf b;
    *m = (struct pack_manifest){.o = o};
    adit_arena_init(&m->arena, cli_mem, 32u << 20);
    adit_buf_init(&b, cli_mem, 256);
    adit_time_write(&b, o->generated);
    m->generated = keep_text(m, &b);
    adit_time_stamp(&b, o->generated);
    m->stamp = keep_text(m, &b);
    adit_buf_free(&b);
}

void pack_manifest_free(struct pack_manifest *m)
{
    for (size_t i = 0; m->v && i < 2 * m->o->n_sections; i++) collection_discard(m->v[i].writer);
    adit_arena_free(&m->arena);
}

/* --- deltas of earlier runs: readers that missed some need them all (SCP, Recovery) ----------- */

static bool still_of_use(const struct pack_manifest *m, const struct adit_manifest_entry *e,
                         const char *dir)
{
    struct adit_time expires;
    if (!adit_manifest_is_delta(e) || !adit_time_parse(e->expires, &expires) ||
        adit_time_cmp(expires, m->o->generated) <= 0 || adit_str_chr(e->file, '/', 0) < e->file.len)
        return false;
    char *path;
    if (asprintf(&path, "%s/%.*s", dir, (int)e->file.len, e->file.p) < 0) return false;
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

static bool take_older(struct pack_manifest *m, const char *dir,
                       const struct pack_previous *previous)
{
    size_t n;
    const struct adit_manifest_entry *all = pack_previous_collections(previous, &n);
    m->older = adit_arena_zalloc(&m->arena, n, sizeof *m->older);
    if (!m->older) return false;
    for (size_t i = 0; i < n; i++) {
        if (!still_of_use(m, &all[i], dir)) continue;
        struct adit_json_value own = {.kind = ADIT_JSON_OBJECT,
                                      .raw = adit_arena_dup(&m->arena, all[i].raw, NULL)};
        if (adit_manifest_entry_read(own, &m->arena, &m->older[m->n_older++]) != ADIT_OK)
            return false;
    }
    return true;
}

/* --- collections ------------------------------------------------------------------------------ */

static bool create_output(struct pack_manifest *m, struct pack_collection *c, struct publish *to)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 4096);
    adit_buf_add(&b, c->section->name);
    adit_buf_byte(&b, '-');
    adit_buf_lit(&b, kind_names[c->delta]);
    adit_buf_byte(&b, '-');
    adit_buf_add(&b, m->stamp);
    c->id = keep_text(m, &b);
    adit_buf_add(&b, c->id);
    adit_buf_lit(&b, ".scp");
    adit_buf_lit(&b, output_coding_suffixes[m->o->output.coding]);
    c->file = keep_text(m, &b);
    struct adit_time expires = m->o->generated;
    expires.s += (int64_t)c->section->freq->seconds * (c->delta ? 2 : 1);
    adit_time_write(&b, expires);
    c->expires = keep_text(m, &b);
    adit_buf_add(&b, c->file);
    adit_buf_byte(&b, '\0');
    struct adit_scp_meta meta = {
        .id = c->id,
        .section = c->section->name,
        .delta = c->delta,
        .generated = m->generated,
        .since = c->delta ? m->since : (struct adit_str){0},
        .generated_at = m->o->generated,
    };
    if (c->delta) adit_time_parse(m->since, &meta.since_at);
    /* Threads cost memory for each file: only the largest one gets them. */
    struct output_options output = m->o->output;
    if (c != m->v) output.jobs = 0;
    if (!b.err)
        c->writer =
            collection_create_on(publish_output(to, b.p, &output), &meta, m->o->no_checksum);
    adit_buf_free(&b);
    return c->writer != NULL;
}

bool pack_manifest_create(struct pack_manifest *m, struct publish *to,
                          const struct pack_previous *previous)
{
    size_t n = m->o->n_sections;
    m->v = adit_arena_zalloc(&m->arena, 2 * n, sizeof *m->v);
    if (!m->v) return false;
    if (previous) {
        m->since = adit_arena_dup(&m->arena, pack_previous_generated(previous), NULL);
        if (!take_older(m, publish_dir(to), previous)) return false;
    }
    for (size_t i = 0; i < 2 * n; i++) {
        struct pack_collection *c = &m->v[i];
        c->section = &m->o->sections[i / 2];
        c->delta = i % 2;
        bool wanted =
            !c->delta || (previous && pack_previous_has_section(previous, c->section->name));
        if (wanted && !create_output(m, c, to)) return false;
    }
    return true;
}

static bool add(struct collection_writer *w, const struct adit_str line[3])
{
    for (size_t i = 0; i < 3; i++)
        if (line[i].len && !collection_add(w, line[i])) return false;
    return collection_end_page(w);
}

bool pack_manifest_page(struct pack_manifest *m, size_t section, const struct adit_str line[3],
                        bool changed)
{
    struct pack_collection *snapshot = &m->v[2 * section], *delta = snapshot + 1;
    return add(snapshot->writer, line) && (!changed || !delta->writer || add(delta->writer, line));
}

bool pack_manifest_finish(struct pack_manifest *m, struct file_set *files)
{
    for (size_t i = 0; i < 2 * m->o->n_sections; i++) {
        struct pack_collection *c = &m->v[i];
        struct collection_writer *w = c->writer;
        if (!w) continue;
        if (!collection_finish(w, &c->result)) return false;
        m->bytes_out += c->result.size;
        c->writer = NULL;
        if (!files_add(files, collection_release(w))) return false;
    }
    return true;
}

/* --- what names them: sitemap.xml and scp-manifest.json ---------------------------------------- */

static struct adit_manifest_entry entry_of(struct pack_manifest *m, const struct pack_collection *c,
                                           struct adit_buf *hex)
{
    enum output_coding coding = m->o->output.coding;
    adit_buf_clear(hex);
    adit_buf_hex(hex, c->result.sha256, sizeof c->result.sha256);
    return (struct adit_manifest_entry){
        .id = c->id,
        .section = c->section->name,
        .type = adit_str_z(kind_names[c->delta]),
        .file = c->file,
        .generated = m->generated,
        .since = c->delta ? m->since : (struct adit_str){0},
        .expires = c->expires,
        .sha256 = adit_arena_dup(&m->arena, adit_buf_str(hex), NULL),
        .checksum = adit_str_z(c->result.checksum),
        .content_encoding = adit_str_z(coding == OUTPUT_NONE ? "" : output_coding_names[coding]),
        .update_freq = adit_str_z(c->section->freq->name),
        .pages = c->result.pages,
        .size = c->result.size,
    };
}

bool pack_manifest_names(const struct pack_manifest *m, struct adit_str file)
{
    for (size_t i = 0; i < 2 * m->o->n_sections; i++)
        if (adit_str_eq(m->v[i].file, file)) return true;
    for (size_t i = 0; i < m->n_older; i++)
        if (adit_str_eq(m->older[i].file, file)) return true;
    return false;
}

/* This run's collections, section by section, and the older ones; NULL without memory. */
static struct adit_manifest_entry *all_entries(struct pack_manifest *m, size_t *n)
{
    struct adit_buf hex;
    size_t most = 2 * m->o->n_sections + m->n_older;
    struct adit_manifest_entry *all = adit_arena_zalloc(&m->arena, most, sizeof *all);
    *n = 0;
    if (!all) return NULL;
    adit_buf_init(&hex, cli_mem, 256);
    for (size_t i = 0; i < 2 * m->o->n_sections; i++)
        if (m->v[i].id.len) all[(*n)++] = entry_of(m, &m->v[i], &hex);
    for (size_t i = 0; i < m->n_older; i++) all[(*n)++] = m->older[i];
    adit_buf_free(&hex);
    return all;
}

void pack_manifest_sitemap(struct pack_manifest *m, const struct adit_config *config,
                           struct adit_buf *out)
{
    /* Collections lie beside the manifest. */
    struct adit_str path = config->scp_manifest;
    while (path.len && path.p[path.len - 1] != '/') path.len--;
    struct adit_buf folder;
    adit_buf_init(&folder, cli_mem, 64 << 10);
    adit_buf_add(&folder, config->origin), adit_buf_add(&folder, path);
    size_t n;
    const struct adit_manifest_entry *all = all_entries(m, &n);
    adit_scp_sitemap_scp(out, all, all ? n : 0);
    for (size_t i = 0; i < 2 * m->o->n_sections; i += 2)
        adit_scp_sitemap_section(out, m->v[i].section->name,
                                 adit_str_z(m->v[i].section->freq->name), m->v[i].result.pages);
    if (!all || folder.err) out->err = ADIT_ENOMEM;
    for (size_t deltas = 0; all && deltas < 2; deltas++) /* snapshots, then deltas */
        for (size_t i = 0; i < n; i++)
            if (adit_manifest_is_delta(&all[i]) == (deltas == 1))
                adit_scp_sitemap_collection(out, adit_buf_str(&folder), &all[i]);
    adit_buf_free(&folder);
}

bool pack_manifest_write(struct pack_manifest *m, const struct adit_config *config,
                         struct publish *to, struct file_set *files)
{
    struct adit_buf b;
    size_t n;
    const struct adit_manifest_entry *all = all_entries(m, &n);
    const struct adit_manifest_head head = {
        .generated = m->generated,
        .origin = m->o->crawl.mixed ? (struct adit_str){0} : config->origin,
        .previous = m->since,
    };
    adit_buf_init(&b, cli_mem, 32u << 20);
    if (all) adit_manifest_write(&b, &head, all, n);
    bool ok = all && !b.err && publish_file(to, ADIT_SCP_MANIFEST, adit_buf_str(&b), files);
    adit_buf_free(&b);
    return ok;
}
