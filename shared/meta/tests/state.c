/* The data that scripts build a page from: which part of it is the article, and what it costs. */
#include "meta/meta.h"
#include "tests/tap.h"

#define LONG                                                                                    \
    "The lighthouse was built in three summers by men who came by boat every morning and went " \
    "home every night."
#define OTHER                                                                                   \
    "We use cookies so that this site works as it should, and by going on you agree to all of " \
    "them."

static struct adit_arena arena;

static struct adit_str body_of(struct adit_str script)
{
    struct adit_states states = {.v = {script}, .n = 1};
    bool ok = true;
    adit_arena_reset(&arena);
    struct adit_str body = adit_state_body(&states, &arena, &ok);
    ok(ok, "there is memory");
    return body;
}

TEST(set_up) { adit_arena_init(&arena, tap_mem, 64 << 20); }

TEST(shapes)
{
    static const struct {
        const char *script, *want;
    } rows[] = {
        {"{\"a\":{\"b\":\"" LONG "\",\"c\":\"" LONG "\"},\"d\":\"" OTHER "\"}", LONG "\n" LONG},
        {"window.X={\"b\":\"<p>" LONG "</p><p>" LONG "</p>\"};", LONG "\n\n" LONG},
        {"window.X = JSON.parse(\"{\\\"b\\\":\\\"" LONG " " LONG "\\\"}\")", LONG " " LONG},
        {"x={\"u\":undefined,\"b\":\"undefined " LONG " " LONG "\"}", "undefined " LONG " " LONG},
        {"f([{\"a\":1}]);y=[\"" LONG "\",\"" LONG "\"]", LONG "\n" LONG},
        /* short strings of the same member belong to it; others do not */
        {"[{\"text\":\"" LONG "\"},{\"text\":\"The end\"},{\"id\":\"a b c\"},{\"text\":\"" LONG
         "\"}]",
         LONG "\nThe end\n" LONG},
        {"{\"b\":\"<script>x</script><b>" LONG "</b> &lt;" LONG "\"}", LONG " <" LONG},
        /* addresses, hashes, code that is no JSON */
        {"{\"a\":\"https://example.com/a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 "
         "4 5"
         " 6 7 8 9 a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 a b c d "
         "e f\"}",
         ""},
        {"var a={b:\"" LONG "\",c:\"" LONG "\"};", ""},
        {"{\"a\":\"" LONG "\"", ""},
        {"", ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_str(body_of(adit_str_z(rows[i].script)), adit_str_z(rows[i].want), rows[i].script);
}

TEST(hostile)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 8 << 20);
    for (int i = 0; i < 200000; i++) adit_buf_lit(&b, "[");
    ok(body_of(adit_buf_str(&b)).len == 0, "deep");
    adit_buf_clear(&b);
    for (int i = 0; i < 200000; i++) adit_buf_lit(&b, "a={");
    ok(body_of(adit_buf_str(&b)).len == 0, "assignments without an end");
    adit_buf_clear(&b);
    for (int i = 0; i < 200000; i++) adit_buf_lit(&b, "f(\"[");
    ok(body_of(adit_buf_str(&b)).len == 0, "calls without an end");
    adit_buf_clear(&b);
    adit_buf_lit(&b, "[\"");
    for (int i = 0; i < 100000; i++) adit_buf_lit(&b, "some words <");
    adit_buf_lit(&b, "\"]");
    ok(body_of(adit_buf_str(&b)).len <= 1 << 20, "more text than is taken");
    for (size_t depth = ADIT_LIMIT_json_depth - 1; depth <= ADIT_LIMIT_json_depth + 1; depth++) {
        adit_buf_clear(&b);
        for (size_t i = 0; i < depth; i++) adit_buf_byte(&b, '[');
        adit_buf_lit(&b, "\"" LONG " " LONG "\"");
        for (size_t i = 0; i < depth; i++) adit_buf_byte(&b, ']');
        ok((body_of(adit_buf_str(&b)).len > 0) == (depth <= ADIT_LIMIT_json_depth), "depth");
    }
    adit_buf_free(&b);
}

TEST(tear_down) { adit_arena_free(&arena); }

RUN_TESTS(set_up, shapes, hostile, tear_down)
