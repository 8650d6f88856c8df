/* Judging what others publish: payloads (TCT, JSON Payload Schema; Strong ETag and Parity) and
 * sitemaps (JSON Sitemap Format). */
#include "tct/tct.h"
#include "scp/scp.h"
#include "text/text.h"

#define RULES(X)                                                                                   \
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
    X(PROFILE, "tct-profile", WARN, "the profile is missing or of no known draft",                 \
      "write \"profile\":\"tct-1\"")                                                               \
    X(MARKUP, "tct-markup", WARN, "the content seems to contain HTML tags", "write plain text")    \
    X(TIME, "tct-time", WARN, "a time is not an RFC 3339 date-time",                               \
      "write it like 2000-01-15T10:30:00Z")                                                        \
    X(VERSION, "sitemap-version", FATAL, "the version is not that of the profile (tct-1: 1)",      \
      "write \"version\":1")                                                                       \
    X(ITEMS, "sitemap-items", FATAL, "items is not an array of objects", "list one object a page") \
    X(ITEM, "sitemap-item", FATAL, "a required member of an item is missing or malformed",         \
      "give every item cUrl, mUrl and contentHash or etag (index: url and contentHash or etag)")   \
    X(SAME, "sitemap-same", FATAL, "cUrl and mUrl are the same",                                   \
      "the machine URL is another resource than the page")                                         \
    X(MANY, "sitemap-many", WARN, "there are more than 50000 items",                               \
      "split the sitemap and publish an index")                                                    \
    X(HOME, "sitemap-home", WARN, "the homepage is not the first item", "list it first")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule adit_tct_rules[] = {RULES(ADIT_RULE_ROW){0}};

enum { EXCERPT = 200 }; /* bytes of a value that a finding shows */

static void report_member(const struct adit_judge *j, enum rule_id rule, const char *member,
                          size_t index, struct adit_json_value v)
{
    struct adit_finding f = {.rule = &adit_tct_rules[rule],
                             .member = member,
                             .index = index,
                             .value = adit_str_sub(v.raw, 0, EXCERPT)};
    j->report(j->ctx, &f);
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

static bool is_hash(struct adit_json_value v) { return adit_tct_is_hash(adit_json_inside(v)); }

static bool is_profile(struct adit_json_value v)
{
    return adit_tct_profile_of(adit_json_inside(v)) != NULL;
}

/* --- members: rows ---------------------------------------------------------------------------- */

static const struct row {
    const char *key;
    bool (*fits)(struct adit_json_value v);
    enum rule_id rule; /* broken if it is there and does not fit */
    bool needed;       /* broken, too, if it is not there */
} payload_rows[] = {{"canonical_url", is_url, R_URL, false},
                    {"profile", is_profile, R_PROFILE, true},
                    {"published", is_time, R_TIME, false},
                    {"modified", is_time, R_TIME, false},
                    {0}},
  item_rows[] = {{"cUrl", is_url, R_ITEM, true},
                 {"mUrl", is_url, R_ITEM, true},
                 {"modified", is_time, R_TIME, false},
                 {"lastModified", is_time, R_TIME, false},
                 {0}},
  part_rows[] = {{"url", is_url, R_ITEM, true},
                 {"modified", is_time, R_TIME, false},
                 {"lastModified", is_time, R_TIME, false},
                 {0}};

static void judge_rows(const struct adit_judge *j, const struct row *r,
                       struct adit_json_value object, size_t index)
{
    for (; r->key; r++) {
        struct adit_json_value v = adit_json_get(object, adit_str_z(r->key));
        if (v.kind ? !r->fits(v) : r->needed) report_member(j, r->rule, r->key, index, v);
    }
}

/* --- payloads --------------------------------------------------------------------------------- */

static bool fits_method_a(struct adit_str text, struct adit_mem mem, struct adit_str hash)
{
    char got[ADIT_TCT_HASH];
    return adit_tct_method_a(text, mem, got, NULL) == ADIT_OK &&
           adit_str_eq(adit_str_of(got, sizeof got), hash);
}

static bool fits_method_b(struct adit_json_value content, struct adit_mem mem, struct adit_str hash)
{
    char got[ADIT_TCT_HASH];
    struct adit_buf plain;
    adit_buf_init(&plain, mem, SIZE_MAX / 2);
    adit_json_unescape(adit_json_inside(content), &plain);
    bool fits = adit_tct_method_b(adit_buf_str(&plain), mem, got) == ADIT_OK &&
                adit_str_eq(adit_str_of(got, sizeof got), hash);
    adit_buf_free(&plain);
    return fits;
}

/* Whether it is right by Method A. */
static bool judge_hash(const struct adit_judge *j, struct adit_str text, struct adit_json_value doc,
                       struct adit_mem mem)
{
    struct adit_json_value hash = adit_json_get(doc, ADIT_STR("hash"));
    struct adit_json_value content = adit_json_get(doc, ADIT_STR("content"));
    if (hash.kind != ADIT_JSON_STRING) return false;
    if (!is_hash(hash))
        report_member(j, R_HASH_FORM, "hash", SIZE_MAX, hash);
    else if (fits_method_a(text, mem, adit_json_inside(hash)))
        return true;
    else if (content.kind == ADIT_JSON_STRING &&
             fits_method_b(content, mem, adit_json_inside(hash)))
        report_member(j, R_HASH_B, "hash", SIZE_MAX, hash);
    else
        report_member(j, R_HASH, "hash", SIZE_MAX, hash);
    return false;
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

bool adit_tct_payload_judge(struct adit_str text, struct adit_json_value doc, struct adit_mem mem,
                            const struct adit_judge *j)
{
    static const char *const required[] = {"canonical_url", "title", "content", "hash"};
    const struct adit_json_value none = {0};
    const struct adit_tct_profile *draft =
        adit_tct_profile_of(adit_json_inside(adit_json_get(doc, ADIT_STR("profile"))));
    size_t n = ADIT_COUNT(required) - (draft && !draft->hash);
    for (size_t i = 0; i < n; i++) {
        struct adit_json_value v = adit_json_get(doc, adit_str_z(required[i]));
        if (v.kind != ADIT_JSON_STRING)
            report_member(j, v.kind ? R_STRING : R_MISSING, required[i], SIZE_MAX, v);
    }
    judge_rows(j, payload_rows, doc, SIZE_MAX);
    if (has_markup(adit_json_inside(adit_json_get(doc, ADIT_STR("content")))))
        report_member(j, R_MARKUP, "content", SIZE_MAX, none);
    adit_json_judge(text, mem, j);
    return judge_hash(j, text, doc, mem);
}

/* --- sitemaps --------------------------------------------------------------------------------- */

/* Drafts call the fingerprint contentHash or etag; in version 2 it may be missing. */
static void judge_item_hash(const struct adit_judge *j, struct adit_json_value item, size_t i,
                            bool optional)
{
    struct adit_json_value hash = adit_json_get(item, ADIT_STR("contentHash"));
    struct adit_json_value etag = adit_json_get(item, ADIT_STR("etag"));
    if (hash.kind == ADIT_JSON_NONE) hash = etag;
    if (hash.kind == ADIT_JSON_NONE && optional) return;
    if (!is_hash(hash) || (etag.kind && !adit_str_eq(etag.raw, hash.raw)))
        report_member(j, R_ITEM, "contentHash", i, hash);
}

static void judge_item(const struct adit_judge *j, struct adit_json_value item, size_t i)
{
    struct adit_json_value page = adit_json_get(item, ADIT_STR("cUrl"));
    struct adit_json_value machine = adit_json_get(item, ADIT_STR("mUrl"));
    judge_rows(j, item_rows, item, i);
    if (!is_url(page)) return;
    if (adit_str_eq(page.raw, machine.raw)) report_member(j, R_SAME, "mUrl", i, machine);
    bool is_home = adit_url_rest(adit_json_inside(page)).len <= 1;
    if (i > 0 && is_home) report_member(j, R_HOME, "cUrl", i, page);
}

size_t adit_tct_sitemap_judge(struct adit_json_value doc, const struct adit_judge *j)
{
    struct adit_json_value version = adit_json_get(doc, ADIT_STR("version"));
    struct adit_json_value profile = adit_json_get(doc, ADIT_STR("profile"));
    struct adit_json_value items = adit_json_get(doc, ADIT_STR("items"));
    bool is_index = adit_tct_is_index(doc);
    uint64_t number = 0;
    size_t n = 0;
    if (is_index) items = adit_json_get(doc, ADIT_STR("sitemaps"));
    const struct adit_tct_profile *draft = adit_tct_profile_of(adit_json_inside(profile));
    uint64_t wanted = !draft ? 1 : is_index ? draft->index_version : draft->version;
    if (!adit_json_u64(version, &number) || number != wanted)
        report_member(j, R_VERSION, "version", SIZE_MAX, version);
    if (!is_profile(profile)) report_member(j, R_PROFILE, "profile", SIZE_MAX, profile);
    if (items.kind != ADIT_JSON_ARRAY) report_member(j, R_ITEMS, NULL, SIZE_MAX, items);
    struct adit_json_iter it = adit_json_iter(items);
    for (struct adit_json_member m; adit_json_next(&it, &m); n++) {
        bool object = m.value.kind == ADIT_JSON_OBJECT;
        if (object) judge_item_hash(j, m.value, n, number == 2 && !is_index);
        if (!object)
            report_member(j, R_ITEMS, NULL, n, m.value);
        else if (is_index)
            judge_rows(j, part_rows, m.value, n);
        else
            judge_item(j, m.value, n);
    }
    if (n > ADIT_LIMIT_sitemap_items)
        report_member(j, R_MANY, "items", SIZE_MAX, (struct adit_json_value){0});
    return n;
}

bool adit_tct_is_index(struct adit_json_value doc)
{
    return adit_json_get(doc, ADIT_STR("items")).kind == ADIT_JSON_NONE;
}

enum adit_tct_kind adit_tct_kind(struct adit_json_value doc)
{
    static const struct {
        const char *member;
        enum adit_tct_kind kind;
    } kinds[] = {{"items", ADIT_TCT_IS_SITEMAP},
                 {"sitemaps", ADIT_TCT_IS_SITEMAP},
                 {"canonical_url", ADIT_TCT_IS_PAYLOAD},
                 {"hash", ADIT_TCT_IS_PAYLOAD}};
    for (size_t i = 0; i < ADIT_COUNT(kinds); i++)
        if (adit_json_get(doc, adit_str_z(kinds[i].member)).kind) return kinds[i].kind;
    return ADIT_TCT_IS_NONE;
}
