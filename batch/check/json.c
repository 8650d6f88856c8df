/* check: TCT payloads, TCT sitemaps, and the manifest of a publication. */
#include "batch/check/check.h"
#include "tct/tct.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

#define RULES(X)                                                                                   \
    X(NOT_CANONICAL, "tct-canonical", WARN, "the bytes are not canonical JSON",                    \
      "write RFC 8785: sorted members, no white space, nothing behind the object")                 \
    X(MISSING, "tct-missing", FATAL, "a required member is missing",                               \
      "add it: canonical_url, title, content and hash are required")                               \
    X(STRING, "tct-string", FATAL, "a member is not a string", "write it as a JSON string")        \
    X(URL, "tct-url", FATAL, "the URL is not an absolute http or https URL",                       \
      "write scheme, host and path")                                                               \
    X(HASH_FORM, "tct-hash-form", FATAL, "the hash is not sha256- and 64 lower-case hex digits",   \
      "write it as it stands in the ETag, without quotes")                                         \
    X(HASH, "tct-hash", FATAL, "the hash is not that of the payload",                              \
      "hash the canonical JSON without its hash member")                                           \
    X(HASH_B, "tct-hash-content", WARN, "the hash is that of the content alone (Method B)",        \
      "use Method A: the other members can change without the hash")                               \
    X(PROFILE, "tct-profile", WARN, "the profile is missing or not tct-1",                         \
      "write \"profile\":\"tct-1\"")                                                               \
    X(MARKUP, "tct-markup", WARN, "the content seems to contain HTML tags", "write plain text")    \
    X(TIME, "tct-time", WARN, "a time is not an RFC 3339 date-time",                               \
      "write it like 2000-01-15T10:30:00Z")                                                        \
    X(VERSION, "sitemap-version", FATAL, "the version is not 1", "write \"version\":1")            \
    X(ITEMS, "sitemap-items", FATAL, "items is not an array of objects", "list one object a page") \
    X(ITEM, "sitemap-item", FATAL, "a required member of an item is missing or malformed",         \
      "give every item cUrl, mUrl and contentHash (index: url and contentHash)")                   \
    X(SAME, "sitemap-same", FATAL, "cUrl and mUrl are the same",                                   \
      "the machine URL is another resource than the page")                                         \
    X(MANY, "sitemap-many", WARN, "there are more than 50000 items",                               \
      "split the sitemap and publish an index")                                                    \
    X(HOME, "sitemap-home", WARN, "the homepage is not the first item", "list it first")           \
    X(MANIFEST_VERSION, "manifest-version", FATAL, "the version is not 1", "write \"version\":1")  \
    X(MANIFEST_ENTRY, "manifest-entry", FATAL,                                                     \
      "a member of a collection's entry is missing or malformed",                                  \
      "publish again: the manifest is written by the program that writes the files")               \
    X(MANIFEST_FILE, "manifest-file", FATAL, "a file is not as the manifest says",                 \
      "publish again, or fetch the file again")                                                    \
    X(MANIFEST_ABSENT, "manifest-absent", WARN, "a file is not beside the manifest",               \
      "nothing, if it is kept elsewhere")                                                          \
    X(MANIFEST_GONE, "manifest-gone", FATAL, "a file that the manifest names is missing",          \
      "publish again, or fetch the file again")                                                    \
    X(REPORT, "report-member", FATAL, "a count of the report is missing or no number",             \
      "run pack again")

enum rule_id { RULES(CHECK_RULE_ID) };
const struct adit_scp_rule check_json_rules[] = {RULES(CHECK_RULE_ROW){0}};

static void report_member(struct check *c, enum rule_id rule, const char *member, size_t index,
                          struct adit_json_value v, const char *detail)
{
    check_report(c, &(struct check_finding){
                        .rule = &check_json_rules[rule],
                        .member = member,
                        .index = index,
                        .value = adit_str_sub(v.raw, 0, 200),
                        .detail = detail,
                    });
}

static bool is_url(struct adit_json_value v)
{
    return v.kind == ADIT_JSON_STRING && adit_scp_is_url(adit_json_inside(v));
}

static bool is_time(struct adit_json_value v)
{
    struct adit_time t;
    return v.kind == ADIT_JSON_STRING && adit_time_parse(adit_json_inside(v), &t);
}

/* --- TCT payload (JSON Payload Schema; Strong ETag and Parity) -------------------------------- */

static bool fits_method_a(struct adit_str text, struct adit_str hash)
{
    char got[ADIT_TCT_HASH];
    return adit_tct_method_a(text, cli_mem, got, NULL) == ADIT_OK &&
           adit_str_eq(adit_str_of(got, sizeof got), hash);
}

static bool fits_method_b(struct adit_json_value content, struct adit_str hash)
{
    char got[ADIT_TCT_HASH];
    struct adit_buf plain;
    adit_buf_init(&plain, cli_mem, SIZE_MAX / 2);
    adit_json_unescape(adit_json_inside(content), &plain);
    bool fits = adit_tct_method_b(adit_buf_str(&plain), cli_mem, got) == ADIT_OK &&
                adit_str_eq(adit_str_of(got, sizeof got), hash);
    adit_buf_free(&plain);
    return fits;
}

static void check_hash(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    struct adit_json_value hash = adit_json_get(doc, ADIT_STR("hash"));
    struct adit_json_value content = adit_json_get(doc, ADIT_STR("content"));
    if (hash.kind != ADIT_JSON_STRING) return;
    if (!adit_tct_is_hash(adit_json_inside(hash)))
        report_member(c, R_HASH_FORM, "hash", SIZE_MAX, hash, NULL);
    else if (fits_method_a(text, adit_json_inside(hash)))
        check_fact(c, "hash_rule", ADIT_STR("Method A"));
    else if (content.kind == ADIT_JSON_STRING && fits_method_b(content, adit_json_inside(hash)))
        report_member(c, R_HASH_B, "hash", SIZE_MAX, hash, NULL);
    else
        report_member(c, R_HASH, "hash", SIZE_MAX, hash, NULL);
}

static bool is_canonical(struct adit_str text)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 4 * text.len + 64);
    bool same = adit_json_rewrite(text, &adit_json_canonical, cli_mem, &b, NULL) == ADIT_OK &&
                adit_str_eq(adit_buf_str(&b), text);
    adit_buf_free(&b);
    return same;
}

/* A closing tag: text that merely speaks of "<" has none. */
static bool has_markup(struct adit_str s)
{
    for (size_t i = adit_str_find(s, ADIT_STR("</"), 0); i < s.len;
         i = adit_str_find(s, ADIT_STR("</"), i + 2)) {
        size_t end = i + 2;
        while (end < s.len && adit_is_alnum(s.p[end])) end++;
        if (end > i + 2 && end < s.len && s.p[end] == '>') return true;
    }
    return false;
}

void check_tct_payload(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    static const char *const required[] = {"canonical_url", "title", "content", "hash"};
    c->kind = "TCT payload";
    for (size_t i = 0; i < ADIT_COUNT(required); i++) {
        struct adit_json_value v = adit_json_get(doc, adit_str_z(required[i]));
        if (v.kind == ADIT_JSON_NONE)
            report_member(c, R_MISSING, required[i], SIZE_MAX, v, NULL);
        else if (v.kind != ADIT_JSON_STRING)
            report_member(c, R_STRING, required[i], SIZE_MAX, v, NULL);
    }
    struct adit_json_value url = adit_json_get(doc, ADIT_STR("canonical_url"));
    struct adit_json_value profile = adit_json_get(doc, ADIT_STR("profile"));
    if (url.kind == ADIT_JSON_STRING && !is_url(url))
        report_member(c, R_URL, "canonical_url", SIZE_MAX, url, NULL);
    if (!adit_str_eq(adit_json_inside(profile), ADIT_STR("tct-1")))
        report_member(c, R_PROFILE, "profile", SIZE_MAX, profile, NULL);
    static const char *const times[] = {"published", "modified"};
    for (size_t i = 0; i < ADIT_COUNT(times); i++) {
        struct adit_json_value v = adit_json_get(doc, adit_str_z(times[i]));
        if (v.kind && !is_time(v)) report_member(c, R_TIME, times[i], SIZE_MAX, v, NULL);
    }
    if (has_markup(adit_json_inside(adit_json_get(doc, ADIT_STR("content")))))
        report_member(c, R_MARKUP, "content", SIZE_MAX, (struct adit_json_value){0}, NULL);
    if (!is_canonical(text))
        report_member(c, R_NOT_CANONICAL, NULL, SIZE_MAX, (struct adit_json_value){0}, NULL);
    check_hash(c, text, doc);
}

/* --- TCT sitemap (JSON Sitemap Format) -------------------------------------------------------- */

static bool is_home(struct adit_json_value v)
{
    return adit_url_rest(adit_json_inside(v)).len <= 1;
}

static void check_item(struct check *c, struct adit_json_value item, size_t i)
{
    struct adit_json_value page = adit_json_get(item, ADIT_STR("cUrl"));
    struct adit_json_value machine = adit_json_get(item, ADIT_STR("mUrl"));
    struct adit_json_value hash = adit_json_get(item, ADIT_STR("contentHash"));
    struct adit_json_value modified = adit_json_get(item, ADIT_STR("modified"));
    if (!is_url(page)) report_member(c, R_ITEM, "cUrl", i, page, NULL);
    if (!is_url(machine)) report_member(c, R_ITEM, "mUrl", i, machine, NULL);
    if (!adit_tct_is_hash(adit_json_inside(hash)))
        report_member(c, R_ITEM, "contentHash", i, hash, NULL);
    if (modified.kind && !is_time(modified))
        report_member(c, R_TIME, "modified", i, modified, NULL);
    if (is_url(page) && adit_str_eq(page.raw, machine.raw))
        report_member(c, R_SAME, "mUrl", i, machine, NULL);
    if (i > 0 && is_url(page) && is_home(page)) report_member(c, R_HOME, "cUrl", i, page, NULL);
}

static void check_part(struct check *c, struct adit_json_value part, size_t i)
{
    struct adit_json_value url = adit_json_get(part, ADIT_STR("url"));
    struct adit_json_value hash = adit_json_get(part, ADIT_STR("contentHash"));
    struct adit_json_value modified = adit_json_get(part, ADIT_STR("modified"));
    if (!is_url(url)) report_member(c, R_ITEM, "url", i, url, NULL);
    if (!adit_tct_is_hash(adit_json_inside(hash)))
        report_member(c, R_ITEM, "contentHash", i, hash, NULL);
    if (modified.kind && !is_time(modified))
        report_member(c, R_TIME, "modified", i, modified, NULL);
}

void check_tct_sitemap(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    struct adit_json_value version = adit_json_get(doc, ADIT_STR("version"));
    struct adit_json_value profile = adit_json_get(doc, ADIT_STR("profile"));
    struct adit_json_value items = adit_json_get(doc, ADIT_STR("items"));
    bool is_index = items.kind == ADIT_JSON_NONE;
    uint64_t number = 0;
    size_t n = 0;
    (void)text;
    c->kind = is_index ? "TCT sitemap index" : "TCT sitemap";
    if (is_index) items = adit_json_get(doc, ADIT_STR("sitemaps"));
    if (!adit_json_u64(version, &number) || number != 1)
        report_member(c, R_VERSION, "version", SIZE_MAX, version, NULL);
    if (!adit_str_eq(adit_json_inside(profile), ADIT_STR("tct-1")))
        report_member(c, R_PROFILE, "profile", SIZE_MAX, profile, NULL);
    if (items.kind != ADIT_JSON_ARRAY) report_member(c, R_ITEMS, NULL, SIZE_MAX, items, NULL);
    struct adit_json_iter it = adit_json_iter(items);
    for (struct adit_json_member m; adit_json_next(&it, &m); n++) {
        if (m.value.kind != ADIT_JSON_OBJECT)
            report_member(c, R_ITEMS, NULL, n, m.value, NULL);
        else if (is_index)
            check_part(c, m.value, n);
        else
            check_item(c, m.value, n);
    }
    if (n > ADIT_LIMIT_sitemap_items)
        report_member(c, R_MANY, "items", SIZE_MAX, (struct adit_json_value){0}, NULL);
    check_fact_u64(c, "items", n);
}

/* --- manifest --------------------------------------------------------------------------------- */

/* Size and hash of a file as it is; false: it cannot be read. */
static bool hash_file(const char *path, uint64_t *size, uint8_t hash[ADIT_SHA256_LEN])
{
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    struct adit_sha256 h;
    char part[1 << 16];
    *size = 0;
    adit_sha256_init(&h);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0; *size += n)
        adit_sha256_update(&h, part, n);
    bool good = !ferror(f);
    fclose(f);
    adit_sha256_final(&h, hash);
    return good;
}

/* Compares the file, if it lies beside the manifest, with what the entry says. */
static void check_entry_file(struct check *c, const struct adit_manifest_entry *e,
                             struct adit_json_value name, size_t i)
{
    struct adit_str folder = adit_str_z(c->path);
    uint8_t want[ADIT_SHA256_LEN], got[ADIT_SHA256_LEN];
    struct adit_buf path;
    uint64_t size = 0;
    while (folder.len && folder.p[folder.len - 1] != '/') folder.len--;
    adit_buf_init(&path, cli_mem, 1 << 16);
    adit_buf_add(&path, folder), adit_buf_add(&path, e->file), adit_buf_byte(&path, '\0');
    adit_manifest_digest(e->sha256, want);
    if (adit_str_chr(e->file, '/', 0) < e->file.len || adit_str_chr(e->file, '\\', 0) < e->file.len)
        report_member(c, R_MANIFEST_ENTRY, "file", i, name, "not a plain file name");
    else if (path.err || !hash_file(path.p, &size, got))
        report_member(c, c->of_folder ? R_MANIFEST_GONE : R_MANIFEST_ABSENT, "file", i, name, NULL);
    else if (e->size != size)
        report_member(c, R_MANIFEST_FILE, "size", i, name, "other size");
    else if (memcmp(want, got, sizeof got) != 0)
        report_member(c, R_MANIFEST_FILE, "sha256", i, name, "other bytes");
    adit_buf_free(&path);
}

struct entry {
    struct check *check;
    size_t index;
};

static void report_entry(void *ctx, const char *member, struct adit_json_value v, const char *why)
{
    struct entry *e = ctx;
    report_member(e->check, R_MANIFEST_ENTRY, member, e->index, v, why);
}

static void check_entry(struct check *c, struct adit_json_value json, size_t i)
{
    struct entry e = {c, i};
    struct adit_manifest_entry entry;
    struct adit_arena arena;
    adit_arena_init(&arena, cli_mem, 1 << 20);
    if (adit_manifest_entry_judge(json, &arena, report_entry, &e) &&
        adit_manifest_entry_read(json, &arena, &entry) == ADIT_OK)
        check_entry_file(c, &entry, adit_json_get(json, ADIT_STR("file")), i);
    adit_arena_free(&arena);
}

void check_manifest(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    struct adit_json_value version = adit_json_get(doc, ADIT_STR("version"));
    struct adit_json_value list = adit_json_get(doc, ADIT_STR("collections"));
    uint64_t number = 0;
    size_t n = 0;
    c->kind = "manifest";
    if (!adit_json_u64(version, &number) || number != 1)
        report_member(c, R_MANIFEST_VERSION, "version", SIZE_MAX, version, NULL);
    if (list.kind != ADIT_JSON_ARRAY)
        report_member(c, R_MANIFEST_ENTRY, "collections", SIZE_MAX, list, "not an array");
    struct adit_json_iter it = adit_json_iter(list);
    for (struct adit_json_member m; adit_json_next(&it, &m); n++) check_entry(c, m.value, n);
    if (!is_canonical(text))
        report_member(c, R_NOT_CANONICAL, NULL, SIZE_MAX, (struct adit_json_value){0}, NULL);
    check_fact_u64(c, "collections", n);
}

/* --- report.json: what a run of pack counted ---------------------------------------------------- */

void check_run_report(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    static const char *const counts[] = {"captures", "pages", "records", "inputs_failed"};
    (void)text;
    c->kind = "report";
    for (size_t i = 0; i < ADIT_COUNT(counts); i++) {
        struct adit_json_value v = adit_json_get(doc, adit_str_z(counts[i]));
        uint64_t n = 0;
        if (!adit_json_u64(v, &n))
            report_member(c, R_REPORT, counts[i], SIZE_MAX, v, NULL);
        else if (i < 2)
            check_fact_u64(c, counts[i], n);
    }
}

/* --- which of them ------------------------------------------------------------------------------ */

static const struct {
    const char *member; /* a top-level member that no other kind has */
    void (*check)(struct check *c, struct adit_str text, struct adit_json_value doc);
} json_kinds[] = {
    {"collections", check_manifest}, {"items", check_tct_sitemap},
    {"sitemaps", check_tct_sitemap}, {"canonical_url", check_tct_payload},
    {"hash", check_tct_payload},     {"captures", check_run_report},
};

bool check_json(struct check *c, struct adit_str text)
{
    struct adit_json_value doc;
    if (adit_json_check(text, &doc, NULL) != ADIT_OK || doc.kind != ADIT_JSON_OBJECT) return false;
    for (size_t i = 0; i < ADIT_COUNT(json_kinds); i++) {
        if (!adit_json_get(doc, adit_str_z(json_kinds[i].member)).kind) continue;
        json_kinds[i].check(c, text, doc);
        return true;
    }
    return false;
}
