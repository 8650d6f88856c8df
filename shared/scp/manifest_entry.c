/* scp-manifest.json: the members of an entry are rows, by which they are read, written and judged. */
#include "scp/scp.h"

#include "json/json.h"

enum { EXCERPT = 200 }; /* bytes of a value that a finding shows */

bool adit_manifest_is_delta(const struct adit_manifest_entry *e)
{
    return adit_str_eq(e->type, ADIT_STR("delta"));
}

bool adit_manifest_digest(struct adit_str s, uint8_t hash[ADIT_SHA256_LEN])
{
    if (adit_str_starts(s, ADIT_STR("sha256:"))) s = adit_str_sub(s, 7, s.len);
    return adit_hex_decode(s, hash, ADIT_SHA256_LEN);
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
    {ROW(expires, TEXT, MUST), .fits = adit_is_time},
    {ROW(file, TEXT, MUST), .fits = is_some},
    {ROW(generated, TEXT, MUST), .fits = adit_is_time},
    {ROW(id, TEXT, MUST), .fits = is_some},
    {ROW(pages, UINT, MUST)},
    {ROW(section, TEXT, MUST), .fits = is_some},
    {ROW(sha256, TEXT, MUST), .fits = is_digest},
    {ROW(since, TEXT, MAY), .fits = adit_is_time},
    {ROW(size, UINT, MUST)},
    {ROW(type, TEXT, MUST), .fits = is_type},
    {ROW(update_freq, TEXT, MAY), .fits = is_frequency},
    {0},
#undef ROW
};

enum adit_code adit_manifest_entry_read(struct adit_json_value json, struct adit_arena *arena,
                                        struct adit_manifest_entry *e)
{
    struct adit_json_value file = adit_json_get(json, ADIT_STR("file"));
    *e = (struct adit_manifest_entry){.raw = json.raw, .quoted = file.raw};
    for (const struct adit_json_row *r = rows; r->key; r++)
        if (adit_json_row_read(adit_json_get(json, adit_str_z(r->key)), r, e, arena) == ADIT_ENOMEM)
            return ADIT_ENOMEM;
    return ADIT_OK;
}

/* --- judging ---------------------------------------------------------------------------------- */

#define RULES(X)                                                                                  \
    X(MANIFEST_VERSION, "manifest-version", FATAL, "the version is not 1", "write \"version\":1") \
    X(MANIFEST_ENTRY, "manifest-entry", FATAL,                                                    \
      "a member of a collection's entry is missing or malformed",                                 \
      "publish again: the manifest is written by the program that writes the files")              \
    X(MANIFEST_FILE, "manifest-file", FATAL, "a file is not as the manifest says",                \
      "publish again, or fetch the file again")                                                   \
    X(MANIFEST_ABSENT, "manifest-absent", WARN, "a file is not beside the manifest",              \
      "nothing, if it is kept elsewhere")                                                         \
    X(MANIFEST_GONE, "manifest-gone", FATAL, "a file that the manifest names is missing",         \
      "publish again, or fetch the file again")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule adit_manifest_rules[] = {RULES(ADIT_RULE_ROW){0}};

static void report_entry(const struct adit_judge *j, enum rule_id rule, const char *member,
                         size_t index, struct adit_json_value v, const char *detail)
{
    struct adit_finding f = {.rule = &adit_manifest_rules[rule],
                             .member = member,
                             .index = index,
                             .value = adit_str_sub(v.raw, 0, EXCERPT),
                             .detail = detail};
    j->report(j->ctx, &f);
}

static bool judge_entry(struct adit_json_value json, size_t index, struct adit_arena *arena,
                        const struct adit_judge *j)
{
    bool good = true;
    for (const struct adit_json_row *r = rows; r->key; r++) {
        struct adit_json_value v = adit_json_get(json, adit_str_z(r->key));
        struct adit_manifest_entry e;
        bool absent = v.kind == ADIT_JSON_NONE;
        if (absent ? r->flags != MUST : adit_json_row_read(v, r, &e, arena) == ADIT_OK) continue;
        report_entry(j, R_MANIFEST_ENTRY, r->key, index, v, absent ? "missing" : "malformed");
        good = false;
    }
    return good;
}

bool adit_manifest_is(struct adit_json_value doc)
{
    return adit_json_get(doc, ADIT_STR("collections")).kind != ADIT_JSON_NONE;
}

void adit_manifest_judge_file(const struct adit_manifest_entry *e, size_t index,
                              enum adit_manifest_state state, const struct adit_judge *j)
{
    static const struct {
        enum rule_id rule;
        const char *member, *detail;
    } states[] = {
        [ADIT_MANIFEST_STRANGE] = {R_MANIFEST_ENTRY, "file", "not a plain file name"},
        [ADIT_MANIFEST_AWAY] = {R_MANIFEST_ABSENT, "file", NULL},
        [ADIT_MANIFEST_LOST] = {R_MANIFEST_GONE, "file", NULL},
        [ADIT_MANIFEST_SIZE] = {R_MANIFEST_FILE, "size", "other size"},
        [ADIT_MANIFEST_BYTES_DIFFER] = {R_MANIFEST_FILE, "sha256", "other bytes"},
    };
    if (state == ADIT_MANIFEST_SAME) return;
    report_entry(j, states[state].rule, states[state].member, index,
                 (struct adit_json_value){.raw = e->quoted}, states[state].detail);
}

size_t adit_manifest_judge(struct adit_str text, struct adit_json_value doc, struct adit_mem mem,
                           void (*file)(void *ctx, const struct adit_manifest_entry *e, size_t i),
                           void *ctx, const struct adit_judge *j)
{
    struct adit_json_value version = adit_json_get(doc, ADIT_STR("version"));
    struct adit_json_value list = adit_json_get(doc, ADIT_STR("collections"));
    struct adit_json_iter it = adit_json_iter(list);
    struct adit_manifest_entry e;
    struct adit_arena arena;
    uint64_t number = 0;
    size_t n = 0;
    if (!adit_json_u64(version, &number) || number != 1)
        report_entry(j, R_MANIFEST_VERSION, "version", SIZE_MAX, version, NULL);
    if (list.kind != ADIT_JSON_ARRAY)
        report_entry(j, R_MANIFEST_ENTRY, "collections", SIZE_MAX, list, "not an array");
    adit_arena_init(&arena, mem, 1 << 20);
    for (struct adit_json_member m; adit_json_next(&it, &m); n++, adit_arena_reset(&arena))
        if (judge_entry(m.value, n, &arena, j) &&
            adit_manifest_entry_read(m.value, &arena, &e) == ADIT_OK)
            file(ctx, &e, n);
    adit_arena_free(&arena);
    adit_json_judge(text, mem, j);
    return n;
}

static const struct adit_json_row head_rows[] = {
#define ROW(name) {ADIT_ROW(#name, struct adit_manifest_head, name, TEXT, 0)}
    ROW(generated), ROW(origin), ROW(previous), ROW(rules), {0}
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
    adit_json_member_open(&w, "collections", '[');
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
    adit_json_member_uint(&w, "version", 1);
    adit_json_close(&w, '}');
}
