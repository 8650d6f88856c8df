/* Whatever the scanner passes can be walked, and is passed again, piece by piece. */
#include "json/json.h"
#include "tests/fuzz.h"

static size_t members;

static enum adit_code count(void *ctx, const struct adit_json_member *m)
{
    struct adit_json_value again;
    (void)ctx;
    members++;
    MUST(adit_json_check(m->value.raw, &again, NULL) == ADIT_OK && again.kind == m->value.kind);
    return ADIT_OK;
}

/* Depth first, without recursion: the scanner's limit is ours. */
static void walk(struct adit_json_value v)
{
    struct adit_json_iter stack[ADIT_LIMIT_json_depth + 1];
    struct adit_arena a;
    size_t depth = 0;
    adit_arena_init(&a, fuzz_mem, 1 << 20);
    stack[depth++] = adit_json_iter(v);
    while (depth > 0) {
        struct adit_json_member m;
        if (!adit_json_next(&stack[depth - 1], &m)) {
            depth--;
            continue;
        }
        MUST(m.value.raw.p >= v.raw.p && m.value.raw.p + m.value.raw.len <= v.raw.p + v.raw.len);
        MUST(m.value.raw.len > 0 && m.value.kind != ADIT_JSON_NONE);
        bool ok = true;
        struct adit_str text = adit_json_text(m.value, &a, &ok);
        if (ok) fuzz_tell(text);
        if (!ok && fuzz.denied) fuzz.gave_up = true;
        adit_json_is(m.key, ADIT_STR("url\xC3\xA9"));
        if (m.value.kind >= ADIT_JSON_ARRAY) {
            MUST(depth <= ADIT_LIMIT_json_depth);
            stack[depth++] = adit_json_iter(m.value);
        }
    }
    adit_arena_free(&a);
}

FUZZ_TARGET(text)
{
    struct adit_json_value v;
    struct adit_error err = {0};
    enum adit_code code = adit_json_check(text, &v, &err);
    members = 0;
    enum adit_code scanned = adit_json_scan(text, count, NULL, NULL);
    MUST((scanned == ADIT_OK) == (code == ADIT_OK && v.kind == ADIT_JSON_OBJECT));
    if (code) {
        MUST(err.code == code && err.msg && err.pos <= text.len);
        return;
    }
    if (v.kind >= ADIT_JSON_ARRAY) walk(v);
    if (v.kind == ADIT_JSON_OBJECT) {
        struct adit_json_iter it = adit_json_iter(v);
        struct adit_json_member m;
        while (adit_json_next(&it, &m)) members--;
        MUST(members == 0);
    }
}
