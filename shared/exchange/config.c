/* Reads the configuration: a loop over the table of keys (config_table.c). */
#include "exchange/config_impl.h"
#include "exchange/config_check_impl.h"

#include "text/text.h"

#include <string.h>

enum {
    MEMORY = 32 * ADIT_LIMIT_config_bytes, /* with its tree */
    POLICY_MAX = 2 * ADIT_LIMIT_config_bytes,
    LIST_MAX = 1000,
    KEY_SHOWN = 100
};

/* --- the reader ------------------------------------------------------------------------------- */

struct reader {
    struct adit_config *c;
    struct adit_buf *why;
    struct adit_mem mem;
    bool seen[ADIT_CONFIG_ROWS];
    bool all;    /* goes on after a fault: every one gets a line */
    bool faulty; /* there was one */
};

/* A key of the document, which may hold anything: a message is one line. */
static void add_shown(struct adit_buf *b, struct adit_str s)
{
    for (size_t i = 0; i < s.len && i < KEY_SHOWN; i++)
        adit_buf_byte(b, (unsigned char)s.p[i] < 32 ? '?' : s.p[i]);
    if (s.len > KEY_SHOWN) adit_buf_lit(b, "…");
}

/* A new line of why; without `all` there is only one. */
static void begin_fault(struct reader *r)
{
    r->faulty = true;
    if (r->all && r->why->len)
        adit_buf_byte(r->why, '\n');
    else if (!r->all)
        adit_buf_clear(r->why);
}

/* "key.name: message" */
static enum adit_code refuse_key(struct reader *r, struct adit_str key, struct adit_str name,
                                 const char *message)
{
    begin_fault(r);
    add_shown(r->why, key);
    if (name.len) adit_buf_byte(r->why, '.');
    add_shown(r->why, name);
    adit_buf_lit(r->why, ": ");
    adit_buf_lit(r->why, message);
    return ADIT_EBAD;
}

static enum adit_code refuse_row(struct reader *r, const struct adit_config_row *row,
                                 const char *message)
{
    return refuse_key(r, adit_str_z(row->key), (struct adit_str){0}, message);
}

static void *slot(struct reader *r, const struct adit_config_row *row)
{
    return (char *)r->c + row->at;
}

/* "key: must be …", by the kind of the row. */
static enum adit_code refuse_form(struct reader *r, const struct adit_config_row *row)
{
    if (row->kind == ADIT_CONFIG_STRING) return refuse_row(r, row, "must be a string");
    if (row->kind == ADIT_CONFIG_BOOL) return refuse_row(r, row, "must be true or false");
    if (row->kind == ADIT_CONFIG_UINT) {
        refuse_row(r, row, "must be a whole number from ");
        adit_buf_u64(r->why, row->min);
        adit_buf_lit(r->why, " to ");
        adit_buf_u64(r->why, row->max);
        return ADIT_EBAD;
    }
    refuse_row(r, row, "must be ");
    for (unsigned i = 0; row->names[i]; i++) {
        if (i) adit_buf_lit(r->why, row->names[i + 1] ? ", " : " or ");
        adit_buf_lit(r->why, row->names[i]);
    }
    return ADIT_EBAD;
}

/* A string, a number, true or false, or one of several names. Texts are the tree's, in the
 * configuration's own memory. */
static enum adit_code read_plain(struct reader *r, const struct adit_config_row *row,
                                 struct adit_json_value v)
{
    const struct adit_json_row json = adit_config_json(row);
    const void *value = slot(r, row);
    enum adit_code code = adit_json_row_read(v, &json, r->c, &r->c->arena);
    bool number = row->kind == ADIT_CONFIG_UINT, text = row->kind == ADIT_CONFIG_STRING;
    if (code == ADIT_OK && number) {
        uint64_t n = *(const uint64_t *)value;
        if (n < row->min || n > row->max) code = ADIT_EBAD;
    }
    if (code != ADIT_OK) return code == ADIT_EBAD ? refuse_form(r, row) : code;
    const char *wrong = text ? row->check(*(const struct adit_str *)value) : NULL;
    return wrong ? refuse_row(r, row, wrong) : ADIT_OK;
}

static size_t count(struct adit_json_value v)
{
    size_t n = 0;
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m);) n++;
    return n;
}

static enum adit_code refuse_element(struct reader *r, const struct adit_config_row *row, size_t i,
                                     const char *message)
{
    begin_fault(r);
    adit_buf_lit(r->why, row->key);
    adit_buf_byte(r->why, '[');
    adit_buf_u64(r->why, i);
    adit_buf_lit(r->why, "]: ");
    adit_buf_lit(r->why, message);
    return ADIT_EBAD;
}

static enum adit_code read_list(struct reader *r, const struct adit_config_row *row,
                                struct adit_json_value v)
{
    if (v.kind != ADIT_JSON_ARRAY) return refuse_row(r, row, "must be a list of strings");
    struct adit_config_list *list = slot(r, row);
    size_t n = count(v);
    if (n > LIST_MAX) return refuse_row(r, row, "has more than 1000 entries");
    *list = (struct adit_config_list){adit_arena_zalloc(&r->c->arena, n, sizeof *list->v), 0};
    if (!list->v) return ADIT_ENOMEM;
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m); list->n++) {
        if (m.value.kind != ADIT_JSON_STRING)
            return refuse_element(r, row, list->n, "must be a string");
        list->v[list->n] = adit_json_inside(m.value);
        const char *wrong = row->check(list->v[list->n]);
        if (wrong) return refuse_element(r, row, list->n, wrong);
    }
    return ADIT_OK;
}

static enum adit_code read_pairs(struct reader *r, const struct adit_config_row *row,
                                 struct adit_json_value v)
{
    if (v.kind != ADIT_JSON_OBJECT) return refuse_row(r, row, "must be an object");
    struct adit_config_pairs *pairs = slot(r, row);
    size_t n = count(v);
    if (n > LIST_MAX) return refuse_row(r, row, "has more than 1000 members");
    *pairs = (struct adit_config_pairs){adit_arena_zalloc(&r->c->arena, n, sizeof *pairs->v), 0};
    if (!pairs->v) return ADIT_ENOMEM;
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m); pairs->n++) {
        struct adit_str key = adit_str_z(row->key);
        const char *wrong = adit_config_check_section(m.key);
        if (wrong) return refuse_key(r, key, m.key, wrong);
        for (size_t i = 0; i < pairs->n; i++)
            if (adit_str_eq(pairs->v[i].name, m.key))
                return refuse_key(r, key, m.key, "is given twice");
        if (m.value.kind != ADIT_JSON_STRING) return refuse_key(r, key, m.key, "must be a string");
        struct adit_config_pair *pair = &pairs->v[pairs->n];
        *pair = (struct adit_config_pair){m.key, adit_json_inside(m.value)};
        wrong = row->check(pair->value);
        if (wrong) return refuse_key(r, key, m.key, wrong);
    }
    return ADIT_OK;
}

/* The policy descriptor (TCT, Publisher Policy Descriptor) is published as it is; the kinds of its
 * known members are checked, so that "allow_ai_train": "no" is not taken for a yes. */
static enum adit_code check_members(struct reader *r, const char *group, struct adit_json_value v,
                                    bool (*fits)(enum adit_json_kind kind), const char *message)
{
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m);)
        if (!fits(m.value.kind)) return refuse_key(r, adit_str_z(group), m.key, message);
    return ADIT_OK;
}

static bool is_bool(enum adit_json_kind k) { return k == ADIT_JSON_TRUE || k == ADIT_JSON_FALSE; }
static bool is_string(enum adit_json_kind k) { return k == ADIT_JSON_STRING; }
static bool is_hint(enum adit_json_kind k)
{
    return k == ADIT_JSON_NUMBER || k == ADIT_JSON_NULL || k == ADIT_JSON_STRING;
}
static bool is_number(enum adit_json_kind k) { return k == ADIT_JSON_NUMBER; }

static const struct policy_row {
    const char *key, *path;
    bool group;
    bool (*fits)(enum adit_json_kind kind);
    const char *message;
} policy_rows[] = {
    {"profile", "policy.profile", false, is_string, "must be a string"},
    {"version", "policy.version", false, is_number, "must be a number"},
    {"effective", "policy.effective", false, is_string, "must be a string"},
    {"updated", "policy.updated", false, is_string, "must be a string"},
    {"policy_urls", "policy.policy_urls", true, is_string, "must be a string"},
    {"purposes", "policy.purposes", true, is_bool, "must be true or false"},
    {"requirements", "policy.requirements", true, is_bool, "must be true or false"},
    {"rate_hints", "policy.rate_hints", true, is_hint, "must be a number, a string or null"},
};

static enum adit_code check_policy(struct reader *r, struct adit_json_value v)
{
    for (size_t i = 0; i < ADIT_COUNT(policy_rows); i++) {
        const struct policy_row *p = &policy_rows[i];
        struct adit_json_value m = adit_json_get(v, adit_str_z(p->key));
        if (m.kind == ADIT_JSON_NONE) continue;
        struct adit_str none = {0};
        if (!p->group && !p->fits(m.kind))
            return refuse_key(r, adit_str_z(p->path), none, p->message);
        if (!p->group) continue;
        if (m.kind != ADIT_JSON_OBJECT)
            return refuse_key(r, adit_str_z(p->path), none, "must be an object");
        ADIT_TRY(check_members(r, p->path, m, p->fits, p->message));
    }
    return ADIT_OK;
}

static enum adit_code read_policy(struct reader *r, const struct adit_config_row *row,
                                  struct adit_json_value v)
{
    if (v.kind != ADIT_JSON_OBJECT) return refuse_row(r, row, "must be an object");
    ADIT_TRY(check_policy(r, v));
    if (count(v) == 0) return ADIT_OK;
    struct adit_buf out;
    adit_buf_init(&out, r->mem, POLICY_MAX);
    struct adit_error err = {0};
    enum adit_code code = adit_json_rewrite(v.raw, &adit_json_canonical, r->mem, &out, &err);
    bool ok = true;
    if (code == ADIT_OK)
        *(struct adit_str *)slot(r, row) = adit_arena_dup(&r->c->arena, adit_buf_str(&out), &ok);
    adit_buf_free(&out);
    if (code == ADIT_ENOMEM || !ok) return ADIT_ENOMEM;
    return code ? refuse_row(r, row, err.msg ? err.msg : "cannot be written as canonical JSON")
                : ADIT_OK;
}

static enum adit_code (*const readers[])(struct reader *, const struct adit_config_row *,
                                         struct adit_json_value) = {
    [ADIT_CONFIG_STRING] = read_plain,  [ADIT_CONFIG_BOOL] = read_plain,
    [ADIT_CONFIG_UINT] = read_plain,    [ADIT_CONFIG_CHOICE] = read_plain,
    [ADIT_CONFIG_LIST] = read_list,     [ADIT_CONFIG_PAIRS] = read_pairs,
    [ADIT_CONFIG_POLICY] = read_policy,
};

/* Whether "group.name" is the row's key; an empty group means a top-level key. */
static bool is_row(const struct adit_config_row *row, struct adit_str group, struct adit_str name)
{
    struct adit_str key = adit_str_z(row->key);
    if (group.len == 0) return adit_str_eq(name, key);
    return key.len > group.len && adit_str_starts(key, group) && key.p[group.len] == '.' &&
           adit_str_eq(name, adit_str_sub(key, group.len + 1, key.len));
}

/* Names the known key of the same group that is nearest, if one is near. */
static void suggest(struct reader *r, struct adit_str group, struct adit_str name)
{
    struct adit_str best = {0};
    size_t least = name.len / 3 + 1;
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        struct adit_str key = adit_str_z(adit_config_rows[i].key);
        struct adit_str of = adit_config_group_of(&adit_config_rows[i]);
        struct adit_str last = of.len ? adit_str_sub(key, of.len + 1, key.len) : key;
        if (group.len == 0 && of.len) last = of;
        if (group.len && !adit_str_eq(of, group)) continue;
        size_t d = adit_text_distance(name, last);
        if (d > least || (d == least && best.len)) continue;
        least = d;
        best = last;
    }
    if (best.len == 0) return;
    adit_buf_lit(r->why, "; is it ");
    if (group.len) adit_buf_add(r->why, group), adit_buf_byte(r->why, '.');
    adit_buf_add(r->why, best);
    adit_buf_byte(r->why, '?');
}

static enum adit_code read_member(struct reader *r, struct adit_str group,
                                  const struct adit_json_member *m)
{
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        if (!is_row(&adit_config_rows[i], group, m->key)) continue;
        if (r->seen[i]) return refuse_row(r, &adit_config_rows[i], "is given twice");
        r->seen[i] = true;
        return readers[adit_config_rows[i].kind](r, &adit_config_rows[i], m->value);
    }
    enum adit_code code = group.len ? refuse_key(r, group, m->key, "is no known key")
                                    : refuse_key(r, m->key, group, "is no known key");
    suggest(r, group, m->key);
    return code;
}

static const struct adit_config_group *group_of(struct adit_str key)
{
    for (const struct adit_config_group *g = adit_config_groups; g->name; g++)
        if (adit_str_eq(key, adit_str_z(g->name))) return g;
    return NULL;
}

/* In a check of the whole document, what is wrong with one key does not hide the next. */
static enum adit_code go_on(struct reader *r, enum adit_code code)
{
    return code == ADIT_EBAD && r->all ? ADIT_OK : code;
}

static enum adit_code read_group(struct reader *r, const struct adit_config_group *g,
                                 struct adit_json_value v)
{
    struct adit_str name = adit_str_z(g->name);
    if (g->sw && is_bool(v.kind)) {
        struct adit_json_member m = {.key = adit_str_z(g->sw), .value = v};
        return read_member(r, name, &m);
    }
    if (v.kind != ADIT_JSON_OBJECT)
        return refuse_key(r, name, (struct adit_str){0},
                          g->sw ? "must be true, false or an object" : "must be an object");
    struct adit_json_iter inner = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&inner, &m);)
        ADIT_TRY(go_on(r, read_member(r, name, &m)));
    return ADIT_OK;
}

static enum adit_code read_document(struct reader *r, struct adit_json_value doc)
{
    struct adit_json_iter it = adit_json_iter(doc);
    for (struct adit_json_member m; adit_json_next(&it, &m);) {
        const struct adit_config_group *g = group_of(m.key);
        ADIT_TRY(
            go_on(r, g ? read_group(r, g, m.value) : read_member(r, (struct adit_str){0}, &m)));
    }
    return ADIT_OK;
}

static enum adit_code set_defaults(struct adit_config *c)
{
    struct reader r = {.c = c};
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        const struct adit_config_row *row = &adit_config_rows[i];
        if (row->kind == ADIT_CONFIG_STRING)
            *(struct adit_str *)slot(&r, row) = adit_str_z(row->text);
        if (row->kind == ADIT_CONFIG_UINT) *(uint64_t *)slot(&r, row) = row->number;
        if (row->kind == ADIT_CONFIG_BOOL) *(bool *)slot(&r, row) = row->number != 0;
    }
    size_t n = 0;
    while (adit_config_exclude[n]) n++;
    c->exclude =
        (struct adit_config_list){adit_arena_zalloc(&c->arena, n, sizeof *c->exclude.v), n};
    if (!c->exclude.v) return ADIT_ENOMEM;
    for (size_t i = 0; i < n; i++) c->exclude.v[i] = adit_str_z(adit_config_exclude[i]);
    return ADIT_OK;
}

static void lower(struct adit_arena *a, struct adit_str *s, bool *ok)
{
    char *p = adit_arena_alloc(a, s->len);
    if (!p) {
        *ok = false;
        return;
    }
    for (size_t i = 0; i < s->len; i++) p[i] = adit_lower(s->p[i]);
    s->p = p;
}

bool adit_config_set_origin(struct adit_config *c, struct adit_str origin)
{
    bool ok = true;
    lower(&c->arena, &origin, &ok);
    if (!ok || adit_config_check_origin(origin)) return false;
    if (adit_str_ends(origin, ADIT_STR("/"))) origin.len--;
    bool tls = adit_str_starts(origin, ADIT_STR("https:"));
    struct adit_str port = tls ? ADIT_STR(":443") : ADIT_STR(":80");
    if (adit_str_ends(origin, port)) origin.len -= port.len;
    c->origin = origin;
    c->hash ^= adit_str_hash(origin);
    return true;
}

/* The public key, and its name where none is given. */
static bool finish_signature(struct adit_config *c)
{
    char text[64];
    struct adit_buf b = {.p = text, .cap = sizeof text, .max = sizeof text};
    bool ok = true;
    c->signs = c->signature_key.len > 0 &&
               adit_p256_read_private(c->signature_key, c->signing_key) == ADIT_OK &&
               adit_p256_public(c->signing_key, c->public_key) == ADIT_OK;
    if (!c->signs || c->signature_keyid.len) return true;
    adit_key_thumbprint(&b, c->public_key);
    c->signature_keyid = adit_arena_dup(&c->arena, adit_buf_str(&b), &ok);
    return ok;
}

/* What no single key can say. */
static enum adit_code finish_config(struct reader *r)
{
    struct adit_config *c = r->c;
    bool ok = finish_signature(c);
    for (size_t i = 0; i < c->hosts.n; i++) lower(&c->arena, &c->hosts.v[i], &ok);
    if (c->origin.len && !adit_config_set_origin(c, c->origin)) ok = false;
    if (!ok) return ADIT_ENOMEM;
    for (size_t i = 0; i < c->legacy_suffixes.n; i++)
        if (adit_str_eq(c->legacy_suffixes.v[i], c->suffix))
            return refuse_key(r, ADIT_STR("legacy_suffixes"), (struct adit_str){0},
                              "holds the suffix itself: it is for earlier ones");
    if (c->homepage == ADIT_HOME_OVERVIEW && (!c->overview_title.len || !c->overview_content.len))
        return refuse_key(r, ADIT_STR("overview"), (struct adit_str){0},
                          "needs title and content, as homepage is overview");
    return ADIT_OK;
}

/* Editors show lines, programs count bytes: both. */
static enum adit_code refuse_json(struct reader *r, struct adit_str json,
                                  const struct adit_error *err)
{
    uint64_t line = 1;
    for (size_t i = 0; i < err->pos && i < json.len; i++) line += json.p[i] == '\n';
    adit_buf_lit(r->why, "not valid JSON at byte ");
    adit_buf_u64(r->why, err->pos);
    adit_buf_lit(r->why, ", in line ");
    adit_buf_u64(r->why, line);
    adit_buf_lit(r->why, ": ");
    adit_buf_lit(r->why, err->msg ? err->msg : "it ends too early");
    return ADIT_EBAD;
}

static enum adit_code parse(struct reader *r, struct adit_str json)
{
    struct adit_json_value doc;
    struct adit_error err = {0};
    if (json.len > ADIT_LIMIT_config_bytes)
        return refuse_key(r, ADIT_STR("configuration"), (struct adit_str){0},
                          "is larger than 1 MiB");
    enum adit_code code = adit_json_tree(json, &r->c->arena, &doc, &err);
    if (code == ADIT_ENOMEM) return code;
    if (code != ADIT_OK) return refuse_json(r, json, &err);
    if (doc.kind != ADIT_JSON_OBJECT)
        return refuse_key(r, ADIT_STR("configuration"), (struct adit_str){0}, "must be an object");
    ADIT_TRY(read_document(r, doc));
    ADIT_TRY(go_on(r, finish_config(r)));
    return r->faulty ? ADIT_EBAD : ADIT_OK;
}

static enum adit_code read_config(struct adit_config *c, struct adit_str json, struct adit_mem mem,
                                  struct adit_buf *why, bool all)
{
    struct reader r = {.c = c, .why = why, .mem = mem, .all = all};
    *c = (struct adit_config){.hash = adit_str_hash(json)};
    adit_arena_init(&c->arena, mem, MEMORY);
    adit_buf_clear(why);
    ADIT_TRY(set_defaults(c));
    enum adit_code code = parse(&r, json);
    return code == ADIT_EBAD && why->err == ADIT_ENOMEM ? ADIT_ENOMEM : code;
}

enum adit_code adit_config_parse(struct adit_config *c, struct adit_str json, struct adit_mem mem,
                                 struct adit_buf *why)
{
    return read_config(c, json, mem, why, false);
}

enum adit_code adit_config_check(struct adit_str json, struct adit_mem mem, struct adit_buf *why)
{
    struct adit_config c;
    enum adit_code code = read_config(&c, json, mem, why, true);
    adit_config_free(&c);
    return code;
}

void adit_config_free(struct adit_config *c) { adit_arena_free(&c->arena); }
