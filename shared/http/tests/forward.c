/* What an intermediary adds to a request, and how it knows that the request has been here. */
#include "http/http.h"
#include "tests/tap.h"

#define S(lit) ADIT_STR(lit)

static struct adit_arena arena;

TEST(test_extend)
{
    static const struct {
        enum adit_trace which;
        const char *list, *client, *want;
    } rows[] = {
        {ADIT_TRACE_CLIENT, "192.0.2.1", "2001:db8::1", "192.0.2.1, 2001:db8::1"},
        {ADIT_TRACE_CLIENT, "", "2001:db8::1", "2001:db8::1"},
        {ADIT_TRACE_CLIENT, "192.0.2.1", "", "192.0.2.1"},
        {ADIT_TRACE_CLIENT, "", "", ""},
        {ADIT_TRACE_VIA, "1.0 a, 1.1 b", "192.0.2.1", "1.0 a, 1.1 b, 1.1 adit"},
        {ADIT_TRACE_VIA, "", "192.0.2.1", "1.1 adit"},
        {ADIT_TRACE_LOOP, "other; v=1", "", "other; v=1, adit"},
    };
    adit_arena_init(&arena, tap_mem, 1 << 20);
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        bool cut = false;
        eq_str(adit_trace_extend(rows[i].which, adit_str_z(rows[i].list),
                                 adit_str_z(rows[i].client), &arena, &cut),
               adit_str_z(rows[i].want), adit_trace_names[rows[i].which]);
        ok(!cut, "all of it");
    }
    adit_arena_free(&arena);
}

TEST(test_long)
{
    static char big[ADIT_LIMIT_header_value];
    memset(big, 'x', sizeof big);
    adit_arena_init(&arena, tap_mem, 1 << 20);
    for (size_t len = sizeof big - 7; len <= sizeof big - 5; len++) {
        bool cut = false, fits = len + 6 <= ADIT_LIMIT_header_value;
        struct adit_str list = adit_str_of(big, len), none = {0};
        struct adit_str got = adit_trace_extend(ADIT_TRACE_LOOP, list, none, &arena, &cut);
        eq_int(got.len, fits ? len + 6 : 4, "adit's own element is always there");
        eq_int(cut, !fits, "and what lacks is told");
    }
    adit_arena_free(&arena);
}

static enum adit_code extend_in(struct adit_mem mem, void *ctx)
{
    bool cut = false;
    struct adit_arena a;
    (void)ctx;
    adit_arena_init(&a, mem, 1 << 20);
    adit_trace_extend(ADIT_TRACE_VIA, S("1.0 a"), S(""), &a, &cut);
    adit_arena_free(&a);
    return cut ? ADIT_ENOMEM : ADIT_OK;
}

TEST(test_memory) { tap_torture(extend_in, NULL, "without memory, too"); }

TEST(test_names)
{
    ok(adit_is_trace(S("VIA")) && adit_is_trace(S("X-Forwarded-For")), "fields of the way");
    ok(!adit_is_trace(S("forwarded")) && !adit_is_trace(S("")), "others");
    eq_int(adit_trace_hops(S("other, adit; v=1, \"adit\", Adit")), 2, "tokens in any case count");
    eq_int(adit_trace_hops(S("")), 0, "never");
}

RUN_TESTS(test_extend, test_long, test_memory, test_names)
