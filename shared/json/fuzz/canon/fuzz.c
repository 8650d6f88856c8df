/* Canonical text is canonical; a mended copy is JSON; numbers come back as they went. */
#include "json/json.h"
#include "tests/fuzz.h"

static void check_number(struct adit_str text, struct adit_buf *b)
{
    uint64_t bits, again;
    struct adit_json_value v;
    bool valid = adit_json_check(text, &v, NULL) == ADIT_OK && v.kind == ADIT_JSON_NUMBER &&
                 v.raw.len == text.len;
    if (adit_json_parse_number(text, &bits)) return;
    MUST(valid);
    adit_buf_clear(b);
    if (!fuzz_fine(adit_json_number(b, bits)) || !fuzz_built(b)) return;
    MUST(adit_json_parse_number(adit_buf_str(b), &again) == ADIT_OK);
    MUST(again == bits || bits << 1 == 0);
}

/* What is rewritten is JSON, and rewritten again the same; false: text was refused. */
static bool twice(struct adit_str text, const struct adit_json_rewrite *how, struct adit_buf *a,
                  struct adit_buf *b)
{
    struct adit_json_value v;
    adit_buf_clear(a), adit_buf_clear(b);
    if (!fuzz_took(adit_json_rewrite(text, how, fuzz_mem, a, NULL))) return false;
    fuzz_tell(adit_buf_str(a));
    MUST(adit_json_check(adit_buf_str(a), &v, NULL) == ADIT_OK);
    if (fuzz_fine(adit_json_rewrite(adit_buf_str(a), how, fuzz_mem, b, NULL)))
        MUST(adit_str_eq(adit_buf_str(a), adit_buf_str(b)));
    return true;
}

/* The tree of a copy is that of the copy's text. */
static void check_tree(struct adit_str text, struct adit_str copy)
{
    struct adit_arena arena;
    struct adit_json_value made, read;
    size_t left = SIZE_MAX, also = SIZE_MAX;
    adit_arena_init(&arena, fuzz_mem, 64 << 20);
    if (fuzz_fine(
            adit_json_rewrite_tree(text, &adit_json_copy, &left, 8 << 20, &arena, &made, NULL)) &&
        fuzz_fine(adit_json_tree_of(copy, &also, &arena, &read, NULL))) {
        MUST(adit_str_eq(made.raw, copy) && made.kind == read.kind && left == also);
        struct adit_json_iter a = adit_json_iter(made), b = adit_json_iter(read);
        struct adit_json_member m, n;
        while (adit_json_next(&a, &m)) {
            MUST(adit_json_next(&b, &n) && adit_str_eq(m.key, n.key));
            MUST(adit_str_eq(m.value.raw, n.value.raw));
            MUST(adit_str_eq(adit_json_inside(m.value), adit_json_inside(n.value)));
        }
        MUST(!adit_json_next(&b, &n));
    }
    adit_arena_free(&arena);
}

FUZZ_TARGET(text)
{
    struct adit_buf a, b;
    struct adit_json_value v;
    bool strict = adit_json_check(text, &v, NULL) == ADIT_OK;
    adit_buf_init(&a, fuzz_mem, 8 << 20);
    adit_buf_init(&b, fuzz_mem, 8 << 20);
    if (twice(text, &adit_json_canonical, &a, &b)) MUST(strict);
    if (!twice(text, &adit_json_copy, &a, &b))
        MUST(!strict || fuzz.denied);
    else
        check_tree(text, adit_buf_str(&a));
    check_number(text, &a);
    adit_buf_free(&a);
    adit_buf_free(&b);
}
