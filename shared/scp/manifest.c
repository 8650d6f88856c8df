/* The files that scp-manifest.json lists, and the header fields that each is served with. */
#include "scp/scp.h"

#include "base/base.h"
#include "json/json.h"
#include "http/http.h"

#include <string.h>

enum { DELTA_MIN = 300, CHECKSUM_HEX = 64, MEMORY = 4 * ADIT_MANIFEST_BYTES };

static uint64_t interval_of(struct adit_str name)
{
    const struct adit_scp_freq *f = adit_scp_freq(name);
    return f ? f->seconds : adit_scp_freq(ADIT_STR(ADIT_SCP_FREQ_DEFAULT))->seconds;
}

bool adit_scp_path(struct adit_str path)
{
    return adit_str_ends(path, ADIT_STR(".scp")) || adit_str_ends(path, ADIT_STR(".scp.gz")) ||
           adit_str_ends(path, ADIT_STR(".scp.zst"));
}

static bool is_file_name(struct adit_str s)
{
    if (s.len == 0 || s.len > 255 || s.p[0] == '.') return false;
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_alnum(s.p[i]) && adit_str_chr(ADIT_STR("-._~"), s.p[i], 0) == 4) return false;
    return true;
}

/* "sha256:<64 hex>" */
static bool is_checksum(struct adit_str s)
{
    if (!adit_str_starts(s, ADIT_STR("sha256:")) || s.len != 7 + CHECKSUM_HEX) return false;
    for (size_t i = 7; i < s.len; i++)
        if (adit_hex(s.p[i]) < 0) return false;
    return true;
}

static bool join(struct adit_arena *a, struct adit_str *out, struct adit_str x, struct adit_str y,
                 struct adit_str z)
{
    char *p = adit_arena_alloc(a, x.len + y.len + z.len);
    if (!p) return false;
    memcpy(p, x.p, x.len);
    memcpy(p + x.len, y.p, y.len);
    if (z.len) memcpy(p + x.len + y.len, z.p, z.len);
    *out = adit_str_of(p, x.len + y.len + z.len);
    return true;
}

/* Snapshots may be served stale for an hour; who follows deltas wants the newest (SCP, Caching
 * Directives). */
static void write_cache_control(struct adit_buf *b, bool is_delta, uint64_t interval)
{
    uint64_t age = !is_delta ? interval : interval / 24 > DELTA_MIN ? interval / 24 : DELTA_MIN;
    adit_buf_lit(b, "public, max-age=");
    adit_buf_u64(b, age);
    adit_buf_lit(b, is_delta ? ", must-revalidate" : ", stale-while-revalidate=3600");
}

/* Fills f from one entry; *use says whether it is usable. */
static enum adit_code use_entry(struct adit_manifest *m, const struct adit_manifest_entry *e,
                                struct adit_str folder, struct adit_scp_file *f, bool *use)
{
    bool ok = true;
    struct adit_json_value json = {.kind = ADIT_JSON_OBJECT, .raw = e->raw};
    struct adit_time t;
    uint64_t size; /* 0 is one, but no number is none */
    struct adit_str coding = e->content_encoding;
    if (adit_str_eq(coding, ADIT_STR("identity"))) coding = (struct adit_str){0};
    *use = is_file_name(e->file) && adit_scp_path(e->file) && adit_time_parse(e->generated, &t) &&
           adit_json_u64(adit_json_get(json, ADIT_STR("size")), &size) &&
           (coding.len == 0 || adit_str_eq(coding, ADIT_STR("zstd")) ||
            adit_str_eq(coding, ADIT_STR("gzip")));
    if (!*use) return ADIT_OK;
    f->generated = t.s, f->size = size;
    f->content_encoding = adit_arena_dup(&m->arena, coding, &ok);
    struct adit_str quote = ADIT_STR("\""), none = {0};
    if (!join(&m->arena, &f->path, folder, e->file, none) ||
        (is_checksum(e->checksum) && !join(&m->arena, &f->etag, quote, e->checksum, quote)))
        ok = false;
    char space[128];
    struct adit_buf text = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_http_date(&text, t.s);
    f->last_modified = adit_arena_dup(&m->arena, adit_buf_str(&text), &ok);
    adit_buf_clear(&text);
    write_cache_control(&text, adit_manifest_is_delta(e), interval_of(e->update_freq));
    f->cache_control = adit_arena_dup(&m->arena, adit_buf_str(&text), &ok);
    return ok ? ADIT_OK : ADIT_ENOMEM;
}

static enum adit_code parse_in(struct adit_manifest *m, struct adit_str json,
                               struct adit_str folder, struct adit_arena *scratch,
                               struct adit_error *err)
{
    struct adit_manifest_head head;
    struct adit_manifest_entry *entries;
    size_t n;
    ADIT_TRY(adit_manifest_read(json, scratch, &head, &entries, &n, err));
    m->files = adit_arena_zalloc(&m->arena, n, sizeof *m->files);
    if (!m->files) return ADIT_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        struct adit_scp_file f = {0};
        bool use = false;
        ADIT_TRY(use_entry(m, &entries[i], folder, &f, &use));
        if (use) m->files[m->n++] = f;
    }
    return ADIT_OK;
}

enum adit_code adit_manifest_parse(struct adit_manifest *m, struct adit_str json,
                                   struct adit_str path, struct adit_mem mem,
                                   struct adit_error *err)
{
    struct adit_arena scratch; /* the files outlive the tree */
    *m = (struct adit_manifest){0};
    adit_arena_init(&m->arena, mem, MEMORY);
    if (json.len > ADIT_MANIFEST_BYTES)
        return adit_fail(err, ADIT_ELIMIT, "the manifest is too large", 0);
    while (path.len && path.p[path.len - 1] != '/') path.len--;
    adit_arena_init(&scratch, mem, ADIT_MANIFEST_MEMORY);
    enum adit_code code = parse_in(m, json, path, &scratch, err);
    adit_arena_free(&scratch);
    return code;
}

void adit_manifest_free(struct adit_manifest *m) { adit_arena_free(&m->arena); }

const struct adit_scp_file *adit_manifest_find(const struct adit_manifest *m, struct adit_str path)
{
    for (size_t i = 0; i < m->n; i++)
        if (adit_str_eq(m->files[i].path, path)) return &m->files[i];
    return NULL;
}

struct adit_str adit_manifest_snapshot(struct adit_str json, struct adit_str section,
                                       struct adit_arena *arena)
{
    struct adit_manifest_head head;
    struct adit_manifest_entry *e;
    size_t n;
    if (adit_manifest_read(json, arena, &head, &e, &n, NULL) != ADIT_OK) n = 0;
    for (size_t i = 0; i < n; i++)
        if (adit_str_eq(e[i].type, ADIT_STR("snapshot")) && adit_str_eq(e[i].section, section) &&
            is_file_name(e[i].file))
            return e[i].file;
    return (struct adit_str){0};
}
