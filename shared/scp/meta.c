/* Line 1 of a collection (SCP, Collection Metadata; Version Compatibility). */
#include "scp/scp_impl.h"

#include <string.h>

enum { ID, SECTION, TYPE, GENERATED, SINCE, CHECKSUM, VERSION, MEMBERS };

static const struct adit_str names[MEMBERS] = {
    [ID] = ADIT_STR_INIT("id"),           [SECTION] = ADIT_STR_INIT("section"),
    [TYPE] = ADIT_STR_INIT("type"),       [GENERATED] = ADIT_STR_INIT("generated"),
    [SINCE] = ADIT_STR_INIT("since"),     [CHECKSUM] = ADIT_STR_INIT("checksum"),
    [VERSION] = ADIT_STR_INIT("version"),
};

struct reading {
    struct adit_scp_place place;
    struct adit_arena *arena;
    struct adit_scp_meta *meta;
    struct adit_json_value values[MEMBERS];
    struct adit_str texts[MEMBERS];
    struct adit_scp_range cut;
    struct adit_json_value collection;
    bool bad;
};

static void fault(struct reading *r, enum adit_scp_rule_id rule, int member)
{
    adit_scp_report(&r->place, rule, names[member].p, r->values[member].raw);
    if (adit_scp_rules[rule].severity == ADIT_RULE_FATAL) r->bad = true;
}

static enum adit_code on_member(void *ctx, const struct adit_json_member *m)
{
    struct reading *r = ctx;
    if (!adit_json_is(m->key, ADIT_STR("collection"))) return ADIT_OK;
    if (r->collection.kind) adit_scp_report(&r->place, ADIT_SCP_META_TWICE, "collection", m->key);
    r->collection = m->value;
    return ADIT_OK;
}

static void take_members(struct reading *r)
{
    struct adit_json_iter it = adit_json_iter(r->collection);
    for (struct adit_json_member m; adit_json_next(&it, &m);) {
        size_t i = adit_scp_find(names, MEMBERS, m.key);
        if (i == MEMBERS) continue;
        if (r->values[i].kind)
            fault(r, i == CHECKSUM ? ADIT_SCP_CHECKSUM_TWICE : ADIT_SCP_META_TWICE, (int)i);
        r->values[i] = m.value;
        if (i == CHECKSUM) r->cut = adit_scp_member_range(r->place.line, &m);
    }
}

static bool is_name(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '_') return false;
    return s.len > 0;
}

/* Strings where strings must be; all required ones there. */
static void take_texts(struct reading *r)
{
    bool room = true;
    for (int i = 0; i < MEMBERS; i++) {
        bool delta = adit_str_eq(r->texts[TYPE], ADIT_STR("delta"));
        bool optional = i == CHECKSUM || (i == SINCE && !delta);
        if (r->values[i].kind == ADIT_JSON_STRING)
            r->texts[i] = adit_json_text(r->values[i], r->arena, &room);
        else if (r->values[i].kind != ADIT_JSON_NONE)
            fault(r, ADIT_SCP_META_STRING, i);
        else if (!optional)
            fault(r, ADIT_SCP_META_MISSING, i);
    }
    if (!room) fault(r, ADIT_SCP_META_LONG, ID);
}

static void take_time(struct reading *r, int member, struct adit_time *t)
{
    if (r->values[member].kind != ADIT_JSON_STRING) return;
    if (!adit_time_parse(r->texts[member], t)) fault(r, ADIT_SCP_META_TIME, member);
}

/* A higher major version is refused, a higher minor one read as far as it is known. */
static void judge_version(struct reading *r)
{
    struct adit_str rest = r->texts[VERSION], part;
    uint64_t number[2] = {0};
    size_t n = 0;
    if (r->values[VERSION].kind != ADIT_JSON_STRING) return;
    while (adit_str_split(&rest, '.', &part)) {
        bool digits = part.len > 0;
        for (size_t i = 0; i < part.len; i++) digits = digits && adit_is_digit(part.p[i]);
        if (!digits || n == 2) {
            fault(r, ADIT_SCP_META_VERSION, VERSION);
            return;
        }
        if (!adit_str_u64(part, &number[n++])) number[n - 1] = UINT64_MAX;
    }
    if (n < 2)
        fault(r, ADIT_SCP_META_VERSION, VERSION);
    else if (number[0] > 0)
        fault(r, ADIT_SCP_META_MAJOR, VERSION);
    else if (number[1] != 1)
        fault(r, ADIT_SCP_META_MINOR, VERSION);
}

static void judge_checksum(struct reading *r)
{
    struct adit_str s = r->texts[CHECKSUM];
    uint8_t hash[ADIT_SHA256_LEN];
    if (r->values[CHECKSUM].kind == ADIT_JSON_NONE) {
        adit_scp_report(&r->place, ADIT_SCP_CHECKSUM_NONE, "checksum", (struct adit_str){0});
        return;
    }
    if (r->values[CHECKSUM].kind != ADIT_JSON_STRING) return;
    if (!adit_str_starts(s, ADIT_STR("sha256:")) ||
        !adit_hex_decode(adit_str_sub(s, 7, s.len), hash, sizeof hash))
        fault(r, ADIT_SCP_CHECKSUM_FORM, CHECKSUM);
}

static void judge_meta(struct reading *r, const struct adit_scp_limits *limits)
{
    struct adit_scp_meta *m = r->meta;
    take_time(r, GENERATED, &m->generated_at);
    take_time(r, SINCE, &m->since_at);
    for (int i = ID; i <= SECTION; i++)
        if (r->values[i].kind == ADIT_JSON_STRING && !is_name(r->texts[i]))
            fault(r, ADIT_SCP_META_NAME, i);
    m->delta = adit_str_eq(r->texts[TYPE], ADIT_STR("delta"));
    if (r->values[TYPE].kind == ADIT_JSON_STRING && !m->delta &&
        !adit_str_eq(r->texts[TYPE], ADIT_STR("snapshot")))
        fault(r, ADIT_SCP_META_TYPE, TYPE);
    judge_version(r);
    judge_checksum(r);
    if (r->bad) return;
    if (m->delta && adit_time_cmp(m->since_at, m->generated_at) > 0)
        fault(r, ADIT_SCP_META_ORDER, SINCE);
    if (adit_scp_is_future(limits, m->generated_at)) fault(r, ADIT_SCP_META_FUTURE, GENERATED);
}

bool adit_scp_starts(struct adit_str head)
{
    struct adit_str line = adit_str_sub(head, 0, adit_str_chr(head, '\n', 0));
    struct adit_str inside = adit_str_sub(line, adit_str_chr(line, '"', 0), line.len);
    return adit_str_starts(inside, ADIT_STR("\"collection\""));
}

bool adit_scp_meta_read(struct adit_str line, struct adit_arena *arena,
                        struct adit_scp_judge *judge, struct adit_scp_meta *meta, size_t *cut_from,
                        size_t *cut_to)
{
    struct reading r = {.place = {judge, line, SIZE_MAX}, .arena = arena, .meta = meta};
    struct adit_error err = {0};
    *meta = (struct adit_scp_meta){0};
    *cut_from = *cut_to = 0;
    struct adit_json_value v;
    if (adit_json_check(line, &v, &err) != ADIT_OK) {
        adit_scp_report_json(&r.place, ADIT_SCP_META_JSON, &err);
        return false;
    }
    if (v.kind == ADIT_JSON_OBJECT) adit_json_scan(line, on_member, &r, &err);
    if (r.collection.kind != ADIT_JSON_OBJECT) {
        adit_scp_report(&r.place, ADIT_SCP_META_OBJECT, NULL, line);
        return false;
    }
    take_members(&r);
    take_texts(&r);
    judge_meta(&r, judge->limits);
    meta->id = r.texts[ID], meta->section = r.texts[SECTION];
    meta->generated = r.texts[GENERATED];
    meta->since = meta->delta ? r.texts[SINCE] : (struct adit_str){0};
    meta->checksum = r.texts[CHECKSUM], meta->version = r.texts[VERSION];
    *cut_from = r.cut.from, *cut_to = r.cut.to;
    return !r.bad;
}

void adit_scp_meta_write(struct adit_buf *out, const struct adit_scp_meta *meta)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_member_open(&w, "collection", '{');
    adit_json_member(&w, "id", meta->id);
    adit_json_member(&w, "section", meta->section);
    adit_json_member(&w, "type", meta->delta ? ADIT_STR("delta") : ADIT_STR("snapshot"));
    adit_json_member(&w, "generated", meta->generated);
    if (meta->delta) adit_json_member(&w, "since", meta->since);
    adit_json_member(&w, "version", ADIT_STR("0.1"));
    adit_json_member_opt(&w, "checksum", meta->checksum);
    adit_json_close(&w, '}');
    adit_json_close(&w, '}');
}
