/* Reading policy descriptors of others (TCT, Publisher Policy Descriptor). */
#include "tct/tct.h"

const char *const adit_tct_purpose_names[ADIT_TCT_PURPOSES] = {"ai-input", "ai-train", "search"};

enum { MEMORY = 16 << 20 }; /* of the tree */

static const char *const members[ADIT_TCT_PURPOSES] = {
    "allow_ai_input",
    "allow_ai_train",
    "allow_search_indexing",
};

/* A number as written, in thousandths; 0 for what is no plain decimal. */
static uint64_t thousandths(struct adit_json_value v)
{
    struct adit_str s = v.raw;
    uint64_t whole = 0, part = 0;
    if (v.kind != ADIT_JSON_NUMBER) return 0;
    size_t dot = adit_str_chr(s, '.', 0);
    if (!adit_str_u64(adit_str_sub(s, 0, dot), &whole) || whole > UINT32_MAX) return 0;
    for (size_t i = 0; i < 3; i++) {
        char c = dot + 1 + i < s.len ? s.p[dot + 1 + i] : '0';
        if (!adit_is_digit(c)) return 0;
        part = part * 10 + (uint64_t)(c - '0');
    }
    return whole * 1000 + part;
}

static void read_members(struct adit_json_value doc, struct adit_tct_policy *policy)
{
    struct adit_json_value purposes = adit_json_get(doc, ADIT_STR("purposes"));
    struct adit_json_value hints = adit_json_get(doc, ADIT_STR("rate_hints"));
    for (size_t i = 0; i < ADIT_TCT_PURPOSES; i++)
        policy->forbids[i] =
            adit_json_get(purposes, adit_str_z(members[i])).kind == ADIT_JSON_FALSE;
    uint64_t rate = thousandths(adit_json_get(hints, ADIT_STR("max_requests_per_second")));
    if (rate) policy->interval_ms = (1000000 + rate - 1) / rate;
    policy->per_day = thousandths(adit_json_get(hints, ADIT_STR("max_requests_per_day"))) / 1000;
}

enum adit_code adit_tct_policy_read(struct adit_str json, struct adit_mem mem,
                                    struct adit_tct_policy *policy, struct adit_error *err)
{
    struct adit_json_value doc;
    struct adit_arena arena;
    *policy = (struct adit_tct_policy){0};
    adit_arena_init(&arena, mem, MEMORY);
    enum adit_code code = adit_json_tree(json, &arena, &doc, err);
    if (code == ADIT_OK && doc.kind != ADIT_JSON_OBJECT)
        code = adit_fail(err, ADIT_EBAD, "not an object", 0);
    if (code == ADIT_OK) read_members(doc, policy);
    adit_arena_free(&arena);
    return code;
}
