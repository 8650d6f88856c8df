/* Collections and the manifest that names them. */
#include "batch/pack/manifest_impl.h"
#include "text/text.h"

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

static bool still_of_use(const struct pack_manifest *m, struct adit_json_value entry,
                         const char *dir, struct adit_arena *arena)
{
    struct adit_time expires;
    struct adit_str file = adit_json_text(adit_json_get(entry, ADIT_STR("file")), arena, NULL);
    struct adit_str type = adit_json_inside(adit_json_get(entry, ADIT_STR("type")));
    struct adit_str until = adit_json_inside(adit_json_get(entry, ADIT_STR("expires")));
    if (!adit_json_is(type, ADIT_STR("delta")) || !adit_time_parse(until, &expires) ||
        adit_time_cmp(expires, m->o->generated) <= 0 || adit_str_chr(file, '/', 0) < file.len)
        return false;
    char *path;
    if (asprintf(&path, "%s/%.*s", dir, (int)file.len, file.p) < 0) return false;
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

static bool take_older(struct pack_manifest *m, const char *dir,
                       const struct pack_previous *previous)
{
    struct adit_json_value all = pack_previous_collections(previous);
    struct adit_json_member e;
    size_t n = 0;
    for (struct adit_json_iter it = adit_json_iter(all); adit_json_next(&it, &e);) n++;
    m->older = adit_arena_zalloc(&m->arena, n, sizeof *m->older);
    if (!m->older) return false;
    for (struct adit_json_iter it = adit_json_iter(all); adit_json_next(&it, &e);)
        if (still_of_use(m, e.value, dir, &m->arena))
            m->older[m->n_older++] = adit_arena_dup(&m->arena, e.value.raw, NULL);
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

/* --- sitemap.xml: SCP's elements -------------------------------------------------------------- */

static void attribute(struct adit_buf *out, const char *name, struct adit_str value)
{
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, name);
    adit_buf_lit(out, "=\"");
    adit_xml(out, value);
    adit_buf_byte(out, '"');
}

static void number(struct adit_buf *out, const char *name, uint64_t value)
{
    adit_buf_byte(out, ' ');
    adit_buf_lit(out, name);
    adit_buf_lit(out, "=\"");
    adit_buf_u64(out, value);
    adit_buf_byte(out, '"');
}

/* Collections lie beside the manifest. */
static void collection_url(struct adit_buf *out, const struct adit_config *config,
                           struct adit_str file)
{
    struct adit_str path = config->scp_manifest;
    size_t slash = path.len;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    adit_buf_lit(out, " url=\"");
    adit_xml(out, config->origin);
    adit_xml(out, adit_str_sub(path, 0, slash));
    adit_xml(out, file);
    adit_buf_byte(out, '"');
}

/* The period that a delta covers: the date it was generated at; of hourly ones with the hour. */
static struct adit_str period(struct adit_str generated, struct adit_str freq)
{
    return adit_str_sub(generated, 0, adit_str_eq(freq, ADIT_STR("hourly")) ? 13 : 10);
}

struct element {
    bool delta;
    struct adit_str section, file, generated, expires, since, freq;
    uint64_t pages, size;
};

static void element(struct adit_buf *out, const struct adit_config *config, const struct element *e)
{
    adit_buf_lit(out, e->delta ? "  <scp:delta" : "  <scp:collection");
    attribute(out, "section", e->section);
    if (e->delta)
        attribute(out, "period", period(e->generated, e->freq));
    else
        attribute(out, "type", ADIT_STR("snapshot"));
    collection_url(out, config, e->file);
    attribute(out, "generated", e->generated);
    attribute(out, "expires", e->expires);
    number(out, "pages", e->pages);
    number(out, "size", e->size);
    if (e->delta) attribute(out, "since", e->since);
    adit_buf_lit(out, "/>\n");
}

/* A delta of an earlier run, from its entry in the manifest. */
static struct element older_element(struct adit_str json)
{
    struct adit_json_value v = {ADIT_JSON_OBJECT, json};
    struct element e = {.delta = true};
    const struct {
        const char *name;
        struct adit_str *text;
    } texts[] = {{"section", &e.section}, {"file", &e.file},   {"generated", &e.generated},
                 {"expires", &e.expires}, {"since", &e.since}, {"update_freq", &e.freq}};
    for (size_t i = 0; i < ADIT_COUNT(texts); i++)
        *texts[i].text = adit_json_inside(adit_json_get(v, adit_str_z(texts[i].name)));
    adit_json_u64(adit_json_get(v, ADIT_STR("pages")), &e.pages);
    adit_json_u64(adit_json_get(v, ADIT_STR("size")), &e.size);
    return e;
}

void pack_manifest_sitemap(const struct pack_manifest *m, const struct adit_config *config,
                           struct adit_buf *out)
{
    size_t n = 2 * m->o->n_sections;
    adit_buf_lit(out, "  <scp:version>0.1</scp:version>\n  <scp:compression>zstd,gzip"
                      "</scp:compression>\n");
    for (size_t i = 0; i < n; i += 2) {
        adit_buf_lit(out, "  <scp:section");
        attribute(out, "name", m->v[i].section->name);
        attribute(out, "updateFreq", adit_str_z(m->v[i].section->freq->name));
        number(out, "pages", m->v[i].result.pages);
        adit_buf_lit(out, "/>\n");
    }
    for (size_t k = 0; k < 2 * n; k++) { /* snapshots, then deltas */
        const struct pack_collection *c = &m->v[k % n];
        if (c->delta != (k >= n) || !c->id.len) continue;
        struct element e = {c->delta,
                            c->section->name,
                            c->file,
                            m->generated,
                            c->expires,
                            m->since,
                            adit_str_z(c->section->freq->name),
                            c->result.pages,
                            c->result.size};
        element(out, config, &e);
    }
    for (size_t i = 0; i < m->n_older; i++) {
        struct element e = older_element(m->older[i]);
        element(out, config, &e);
    }
}

bool pack_manifest_names(const struct pack_manifest *m, struct adit_str file)
{
    for (size_t i = 0; i < 2 * m->o->n_sections; i++)
        if (adit_str_eq(m->v[i].file, file)) return true;
    for (size_t i = 0; i < m->n_older; i++)
        if (adit_str_eq(older_element(m->older[i]).file, file)) return true;
    return false;
}

/* --- scp-manifest.json ------------------------------------------------------------------------ */

static void entry(struct adit_json_writer *w, const struct pack_manifest *m,
                  const struct pack_collection *c)
{
    struct adit_buf hex;
    adit_buf_init(&hex, cli_mem, 256);
    adit_buf_hex(&hex, c->result.sha256, sizeof c->result.sha256);
    enum output_coding coding = m->o->output.coding;
    adit_json_open(w, '{');
    adit_json_member(w, "checksum", adit_str_z(c->result.checksum));
    adit_json_member(w, "content_encoding",
                     adit_str_z(coding == OUTPUT_NONE ? "" : output_coding_names[coding]));
    adit_json_member(w, "expires", c->expires);
    adit_json_member(w, "file", c->file);
    adit_json_member(w, "generated", m->generated);
    adit_json_member(w, "id", c->id);
    adit_json_key(w, "pages");
    adit_json_uint(w, c->result.pages);
    adit_json_member(w, "section", c->section->name);
    adit_json_member(w, "sha256", adit_buf_str(&hex));
    if (c->delta) adit_json_member(w, "since", m->since);
    adit_json_key(w, "size");
    adit_json_uint(w, c->result.size);
    adit_json_member(w, "type", adit_str_z(kind_names[c->delta]));
    adit_json_member(w, "update_freq", adit_str_z(c->section->freq->name));
    adit_json_close(w, '}');
    adit_buf_free(&hex);
}

bool pack_manifest_write(const struct pack_manifest *m, const struct adit_config *config,
                         struct publish *to, struct file_set *files)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 32u << 20);
    struct adit_json_writer w = {.out = &b};
    adit_json_open(&w, '{');
    adit_json_key(&w, "collections");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < 2 * m->o->n_sections; i++)
        if (m->v[i].id.len) entry(&w, m, &m->v[i]);
    for (size_t i = 0; i < m->n_older; i++) adit_json_raw(&w, m->older[i]);
    adit_json_close(&w, ']');
    adit_json_member(&w, "generated", m->generated);
    adit_json_member(&w, "generator", ADIT_STR("adit/" ADIT_VERSION));
    adit_json_member(&w, "origin", m->o->crawl.mixed ? (struct adit_str){0} : config->origin);
    adit_json_key(&w, "previous");
    if (m->since.len)
        adit_json_string(&w, m->since);
    else
        adit_json_null(&w);
    adit_json_member(&w, "rules", ADIT_STR(ADIT_RULES_VERSION));
    adit_json_key(&w, "version");
    adit_json_uint(&w, 1);
    adit_json_close(&w, '}');
    bool ok = !b.err && publish_file(to, "scp-manifest.json", adit_buf_str(&b), files);
    adit_buf_free(&b);
    return ok;
}
