/* scp-manifest.json: the members of an entry are rows, by which they are read, written and judged. */
#include "scp/scp.h"

#include "json/json.h"

bool adit_manifest_is_delta(const struct adit_manifest_entry *e)
{
    return adit_str_eq(e->type, ADIT_STR("delta"));
}

bool adit_manifest_digest(struct adit_str s, uint8_t hash[ADIT_SHA256_LEN])
{
    if (adit_str_starts(s, ADIT_STR("sha256:"))) s = adit_str_sub(s, 7, s.len);
    return adit_hex_decode(s, hash, ADIT_SHA256_LEN);
}

static bool is_time(struct adit_str s)
{
    struct adit_time t;
    return adit_time_parse(s, &t);
}
static bool is_digest(struct adit_str s)
{
    uint8_t hash[ADIT_SHA256_LEN];
    return adit_manifest_digest(s, hash);
}
static bool is_type(struct adit_str s)
{
    return adit_str_eq(s, ADIT_STR("snapshot")) || adit_str_eq(s, ADIT_STR("delta"));
}
static bool is_frequency(struct adit_str s) { return adit_scp_freq(s) != NULL; }
static bool is_some(struct adit_str s) { return s.len > 0; }

/* In the order of canonical JSON. NEEDED is for the judge: an entry is read without what is malformed
 * or absent. Two members may be absent, but are always written. */
enum { MUST = ADIT_ROW_NEEDED, MAY = ADIT_ROW_SPARSE, WRITTEN = 0 };
static const struct adit_json_row rows[] = {
#define ROW(name, kind, flags) ADIT_ROW(#name, struct adit_manifest_entry, name, kind, flags)
    {ROW(checksum, TEXT, WRITTEN), .fits = is_digest},
    {ROW(content_encoding, TEXT, WRITTEN)},
    {ROW(expires, TEXT, MUST), .fits = is_time},
    {ROW(file, TEXT, MUST), .fits = is_some},
    {ROW(generated, TEXT, MUST), .fits = is_time},
    {ROW(id, TEXT, MUST), .fits = is_some},
    {ROW(pages, UINT, MUST)},
    {ROW(section, TEXT, MUST), .fits = is_some},
    {ROW(sha256, TEXT, MUST), .fits = is_digest},
    {ROW(since, TEXT, MAY), .fits = is_time},
    {ROW(size, UINT, MUST)},
    {ROW(type, TEXT, MUST), .fits = is_type},
    {ROW(update_freq, TEXT, MAY), .fits = is_frequency},
    {0},
#undef ROW
};

enum adit_code adit_manifest_entry_read(struct adit_json_value json, struct adit_arena *arena,
                                        struct adit_manifest_entry *e)
{
    *e = (struct adit_manifest_entry){.raw = json.raw};
    for (const struct adit_json_row *r = rows; r->key; r++)
        if (adit_json_row_read(adit_json_get(json, adit_str_z(r->key)), r, e, arena) == ADIT_ENOMEM)
            return ADIT_ENOMEM;
    return ADIT_OK;
}

bool adit_manifest_entry_judge(struct adit_json_value json, struct adit_arena *arena,
                               void (*bad)(void *ctx, const char *member,
                                           struct adit_json_value value, const char *why),
                               void *ctx)
{
    bool good = true;
    for (const struct adit_json_row *r = rows; r->key; r++) {
        struct adit_json_value v = adit_json_get(json, adit_str_z(r->key));
        struct adit_manifest_entry e;
        bool absent = v.kind == ADIT_JSON_NONE;
        if (absent ? r->flags != MUST : adit_json_row_read(v, r, &e, arena) == ADIT_OK) continue;
        bad(ctx, r->key, v, absent ? "missing" : "malformed");
        good = false;
    }
    return good;
}

static const struct adit_json_row head_rows[] = {
#define ROW(name) {ADIT_ROW(#name, struct adit_manifest_head, name, TEXT, 0)}
    ROW(generated), ROW(origin), ROW(previous), {0}
#undef ROW
};

enum adit_code adit_manifest_read(struct adit_str json, struct adit_arena *arena,
                                  struct adit_manifest_head *head,
                                  struct adit_manifest_entry **entries, size_t *n,
                                  struct adit_error *err)
{
    struct adit_json_value doc;
    struct adit_json_member m;
    *n = 0;
    ADIT_TRY(adit_json_tree(json, arena, &doc, err));
    struct adit_json_value list = adit_json_get(doc, ADIT_STR("collections"));
    if (list.kind != ADIT_JSON_ARRAY)
        return adit_fail(err, ADIT_EBAD, "the manifest has no list of collections", 0);
    size_t count = 0;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);) count++;
    if (count > ADIT_MANIFEST_FILES)
        return adit_fail(err, ADIT_ELIMIT, "the manifest lists too many files", 0);
    *head = (struct adit_manifest_head){0};
    ADIT_TRY(adit_json_object_read(doc, head_rows, head, arena, err));
    *entries = adit_arena_zalloc(arena, count, sizeof **entries);
    if (!*entries) return ADIT_ENOMEM;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);)
        ADIT_TRY(adit_manifest_entry_read(m.value, arena, &(*entries)[(*n)++]));
    return ADIT_OK;
}

void adit_manifest_write(struct adit_buf *out, const struct adit_manifest_head *head,
                         const struct adit_manifest_entry *entries, size_t n)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_key(&w, "collections");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < n; i++)
        if (entries[i].raw.len)
            adit_json_raw(&w, entries[i].raw);
        else
            adit_json_object_write(&w, rows, &entries[i]);
    adit_json_close(&w, ']');
    adit_json_member(&w, "generated", head->generated);
    adit_json_member(&w, "generator", ADIT_STR("adit/" ADIT_VERSION));
    adit_json_member(&w, "origin", head->origin);
    adit_json_key(&w, "previous");
    if (head->previous.len)
        adit_json_string(&w, head->previous);
    else
        adit_json_null(&w);
    adit_json_member(&w, "rules", ADIT_STR(ADIT_RULES_VERSION));
    adit_json_key(&w, "version");
    adit_json_uint(&w, 1);
    adit_json_close(&w, '}');
}
