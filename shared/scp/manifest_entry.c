/* scp-manifest.json: the members of an entry are rows, by which they are read, written and judged. */
#include "scp/scp.h"

#include "json/json.h"

#include <stddef.h>
#include <string.h>

enum form { TEXT, TYPE, TIME, NUMBER, DIGEST, CODING, FREQUENCY };
enum need { OPTIONAL, REQUIRED, WRITTEN }; /* WRITTEN: optional, but written even if empty */

/* In the order of canonical JSON. */
static const struct row {
    const char *name;
    size_t offset;
    enum form form;
    enum need need;
} rows[] = {
#define ROW(name, form, need) {#name, offsetof(struct adit_manifest_entry, name), form, need}
    ROW(checksum, DIGEST, WRITTEN),        ROW(content_encoding, CODING, WRITTEN),
    ROW(expires, TIME, REQUIRED),          ROW(file, TEXT, REQUIRED),
    ROW(generated, TIME, REQUIRED),        ROW(id, TEXT, REQUIRED),
    ROW(pages, NUMBER, REQUIRED),          ROW(section, TEXT, REQUIRED),
    ROW(sha256, DIGEST, REQUIRED),         ROW(since, TIME, OPTIONAL),
    ROW(size, NUMBER, REQUIRED),           ROW(type, TYPE, REQUIRED),
    ROW(update_freq, FREQUENCY, OPTIONAL),
#undef ROW
};

bool adit_manifest_is_delta(const struct adit_manifest_entry *e)
{
    return adit_str_eq(e->type, ADIT_STR("delta"));
}

bool adit_manifest_digest(struct adit_str s, uint8_t hash[ADIT_SHA256_LEN])
{
    if (adit_str_starts(s, ADIT_STR("sha256:"))) s = adit_str_sub(s, 7, s.len);
    return adit_hex_decode(s, hash, ADIT_SHA256_LEN);
}

enum adit_code adit_manifest_entry_read(struct adit_json_value json, struct adit_arena *arena,
                                        struct adit_manifest_entry *e)
{
    bool ok = true;
    *e = (struct adit_manifest_entry){.raw = json.raw};
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_json_value v = adit_json_get(json, adit_str_z(rows[i].name));
        void *member = (char *)e + rows[i].offset;
        if (rows[i].form == NUMBER)
            adit_json_u64(v, member);
        else
            *(struct adit_str *)member = adit_json_text(v, arena, &ok);
    }
    return ok ? ADIT_OK : ADIT_ENOMEM;
}

static bool fits_form(struct adit_json_value v, enum form form)
{
    struct adit_str s = adit_json_inside(v);
    uint8_t hash[ADIT_SHA256_LEN];
    struct adit_time t;
    uint64_t n;
    if (form == NUMBER) return adit_json_u64(v, &n);
    if (v.kind != ADIT_JSON_STRING) return false;
    switch (form) {
    case TIME: return adit_time_parse(s, &t);
    case DIGEST: return adit_manifest_digest(s, hash);
    case TYPE: return adit_str_eq(s, ADIT_STR("snapshot")) || adit_str_eq(s, ADIT_STR("delta"));
    case FREQUENCY: return adit_scp_freq(s) != NULL;
    case TEXT: return s.len > 0;
    default: return true;
    }
}

bool adit_manifest_entry_judge(struct adit_json_value json,
                               void (*bad)(void *ctx, const char *member,
                                           struct adit_json_value value, const char *why),
                               void *ctx)
{
    bool good = true;
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_json_value v = adit_json_get(json, adit_str_z(rows[i].name));
        bool absent = v.kind == ADIT_JSON_NONE;
        if (absent ? rows[i].need != REQUIRED : fits_form(v, rows[i].form)) continue;
        bad(ctx, rows[i].name, v, absent ? "missing" : "malformed");
        good = false;
    }
    return good;
}

enum adit_code adit_manifest_read(struct adit_str json, struct adit_arena *arena,
                                  struct adit_manifest_head *head,
                                  struct adit_manifest_entry **entries, size_t *n,
                                  struct adit_error *err)
{
    struct adit_json_value doc;
    struct adit_json_member m;
    bool ok = true;
    *n = 0;
    ADIT_TRY(adit_json_check(json, &doc, err));
    struct adit_json_value list = adit_json_get(doc, ADIT_STR("collections"));
    if (list.kind != ADIT_JSON_ARRAY)
        return adit_fail(err, ADIT_EBAD, "the manifest has no list of collections", 0);
    size_t count = 0;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);) count++;
    if (count > ADIT_MANIFEST_FILES)
        return adit_fail(err, ADIT_ELIMIT, "the manifest lists too many files", 0);
    head->generated = adit_json_text(adit_json_get(doc, ADIT_STR("generated")), arena, &ok);
    head->origin = adit_json_text(adit_json_get(doc, ADIT_STR("origin")), arena, &ok);
    head->previous = adit_json_text(adit_json_get(doc, ADIT_STR("previous")), arena, &ok);
    *entries = adit_arena_zalloc(arena, count, sizeof **entries);
    if (!ok || !*entries) return ADIT_ENOMEM;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);)
        ADIT_TRY(adit_manifest_entry_read(m.value, arena, &(*entries)[(*n)++]));
    return ADIT_OK;
}

static void write_entry(struct adit_json_writer *w, const struct adit_manifest_entry *e)
{
    if (e->raw.len) {
        adit_json_raw(w, e->raw);
        return;
    }
    adit_json_open(w, '{');
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const void *member = (const char *)e + rows[i].offset;
        const struct adit_str *text = member;
        if (rows[i].form == NUMBER) {
            adit_json_key(w, rows[i].name);
            adit_json_uint(w, *(const uint64_t *)member);
        } else if (text->len || rows[i].need != OPTIONAL) {
            adit_json_member(w, rows[i].name, *text);
        }
    }
    adit_json_close(w, '}');
}

void adit_manifest_write(struct adit_buf *out, const struct adit_manifest_head *head,
                         const struct adit_manifest_entry *entries, size_t n)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_key(&w, "collections");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < n; i++) write_entry(&w, &entries[i]);
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
