/* robots.txt: the case files of shared/http/cases/robots, and what does not fit into them.
 *
 * A case file has blocks: "rules", the text up to a line ".", then "for ROBOT", and below it what
 * is expected: "allow PATH", "deny PATH", "delay MS", "sitemap URL" (all of them, in order). */
#include "http/http.h"
#include "tests/tap.h"

static struct adit_arena arena;

static struct adit_robots parse(struct adit_str text, struct adit_str agent)
{
    struct adit_robots r;
    adit_arena_reset(&arena);
    if (adit_robots_parse(text, agent, &arena, &r) != ADIT_OK) ok(false, "read");
    return r;
}

struct state {
    struct adit_str text;
    struct adit_robots rules;
    size_t sitemap; /* position behind the last one */
};

/* Whether the line holds. */
static bool expect(struct state *s, struct adit_str word, struct adit_str rest)
{
    struct adit_str url;
    uint64_t ms;
    if (adit_str_eq(word, ADIT_STR("allow"))) return adit_robots_allows(&s->rules, rest);
    if (adit_str_eq(word, ADIT_STR("deny"))) return !adit_robots_allows(&s->rules, rest);
    if (adit_str_eq(word, ADIT_STR("sitemap")))
        return adit_robots_sitemap(s->text, &s->sitemap, &url) && adit_str_eq(url, rest);
    if (!adit_str_eq(word, ADIT_STR("delay"))) return false;
    if (adit_str_eq(rest, ADIT_STR("-1"))) return s->rules.crawl_delay_ms == -1;
    return adit_str_u64(rest, &ms) && s->rules.crawl_delay_ms == (int64_t)ms;
}

static void run_case(const char *name)
{
    char path[128], what[256];
    snprintf(path, sizeof path, "shared/http/cases/robots/%s.txt", name);
    struct adit_str file = tap_read(path), rest = file, line;
    struct state s = {0};
    int n = 0, checks = 0;
    while (adit_str_split(&rest, '\n', &line)) {
        size_t space = adit_str_chr(line, ' ', 0);
        struct adit_str word = adit_str_sub(line, 0, space);
        struct adit_str value = adit_str_sub(line, space + 1, line.len);
        n++;
        if (!line.len || line.p[0] == '#') continue;
        if (adit_str_eq(line, ADIT_STR("rules"))) {
            s = (struct state){.text = {rest.p, 0}};
            while (adit_str_split(&rest, '\n', &line) && !adit_str_eq(line, ADIT_STR("."))) n++;
            s.text.len = (size_t)(line.p - s.text.p);
            n++;
        } else if (adit_str_eq(word, ADIT_STR("for"))) {
            s.rules = parse(s.text, value);
        } else {
            snprintf(what, sizeof what, "%s:%d: %.*s", name, n, (int)line.len, line.p);
            ok(expect(&s, word, value), what);
            checks++;
        }
    }
    ok(checks > 10, name);
    free((char *)file.p);
}

TEST(cases)
{
    static const char *const names[] = {"groups", "match", "encoding", "lines"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++) run_case(names[i]);
}

TEST(line_ends)
{
    static const char *const texts[] = {
        "User-agent: *\nDisallow: /x\nAllow: /y",
        "User-agent: *\rDisallow: /x\rAllow: /y\r",
        "User-agent: *\r\n\r\nDisallow: /x\r\n\r\n\r\nAllow: /y\r\n",
        "\xEF\xBB\xBFUser-agent: *\nDisallow: /x\n",
        "User-agent: *\n\rDisallow: /x\n\r",
    };
    for (size_t i = 0; i < ADIT_COUNT(texts); i++) {
        struct adit_robots r = parse(adit_str_z(texts[i]), ADIT_STR("adit"));
        ok(!adit_robots_allows(&r, ADIT_STR("/x")) && adit_robots_allows(&r, ADIT_STR("/y")),
           "ends of lines");
    }
    struct adit_robots r = parse(ADIT_STR("User-agent: *\nDisallow: /x\0y\n"), ADIT_STR("adit"));
    ok(!adit_robots_allows(&r, ADIT_STR("/x\0y")), "NUL is a character");
    r = (struct adit_robots){0};
    ok(adit_robots_allows(&r, ADIT_STR("/x")), "zeroed: everything is allowed");
    ok(adit_robots_allows(&r, ADIT_STR("")), "an empty path");
}

/* Rules around the limit of 500 KiB: a line that it cuts is not read. */
TEST(limit)
{
    static char text[ADIT_ROBOTS_BYTES + 64];
    static const char head[] = "User-agent: *\n", rule[] = "\nDisallow: /xyz\n";
    for (int over = -1; over <= 4; over++) {
        memset(text, '#', sizeof text);
        memcpy(text, head, sizeof head - 1);
        size_t at = (size_t)(ADIT_ROBOTS_BYTES + over) - (sizeof rule - 2);
        memcpy(text + at, rule, sizeof rule - 1);
        struct adit_robots r = parse(adit_str_of(text, at + sizeof rule - 1), ADIT_STR("adit"));
        ok(adit_robots_allows(&r, ADIT_STR("/xyz")) == (over >= 0), "at the limit");
    }
}

/* Patterns made to take long: the answer is no, and soon. */
TEST(work)
{
    static char text[400000], path[16000];
    size_t len = (size_t)snprintf(text, sizeof text, "User-agent: *\n");
    while (len + 600 < sizeof text) {
        len += (size_t)snprintf(text + len, 32, "Disallow: /*");
        memset(text + len, 'a', 500);
        len += 500;
        len += (size_t)snprintf(text + len, 8, "b\n");
    }
    memset(path, 'a', sizeof path);
    path[0] = '/';
    struct adit_robots r = parse(adit_str_of(text, len), ADIT_STR("adit"));
    ok(!adit_robots_allows(&r, adit_str_of(path, sizeof path)), "too much work");
    ok(adit_robots_allows(&r, ADIT_STR("/aaaa")), "an ordinary path");
}

static enum adit_code tortured(struct adit_mem mem, void *ctx)
{
    struct adit_arena a;
    struct adit_robots r;
    (void)ctx;
    adit_arena_init(&a, mem, 1 << 20);
    enum adit_code code =
        adit_robots_parse(ADIT_STR("User-agent: *\nDisallow: /x\n"), ADIT_STR("a"), &a, &r);
    adit_arena_free(&a);
    return code;
}
TEST(memory) { tap_torture(tortured, NULL, "every allocation failing"); }

/* --- Retry-After, RateLimit ------------------------------------------------------------------- */

/* What is added, and that nobody's rules are others than before. */
TEST(add)
{
    static const struct adit_robots_line lines[] = {
        {"Content-Signal", ADIT_STR_INIT("ai-train=no"), false},
        {"Content-Usage", ADIT_STR_INIT(""), false},
        {"Sitemap", ADIT_STR_INIT("https://e/s"), true},
    };
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nSitemap: https://e/s\n"},
        {"User-agent: *\nDisallow: /a\n",
         "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a\n\nSitemap: https://e/s\n"},
        {"User-agent: *\r\nDisallow:\r\nSitemap: x\r\n",
         "User-agent: *\r\nContent-Signal: ai-train=no\r\nDisallow:\r\nSitemap: x\r\n"},
        {"user-agent: a\nSitemap: x\nUser-Agent: b # two\nCrawl-delay: 1\nDisallow: /",
         "user-agent: a\nSitemap: x\nUser-Agent: b # two\nCrawl-delay: 1\n"
         "Content-Signal: ai-train=no\nDisallow: /\n\n"
         "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n"},
        {"User-agent: a\nDisallow: /1\nUser-agent: *\nDisallow: /2\ncontent-signal: x\nSitemap: "
         "x\n",
         "User-agent: a\nContent-Signal: ai-train=no\nDisallow: /1\nUser-agent: *\nDisallow: /2\n"
         "content-signal: x\nSitemap: x\n"},
        {"User-agent: *\nSitemap: x", "User-agent: *\nSitemap: x\nContent-Signal: ai-train=no\n"},
        {"\xEF\xBB\xBFUser-agent: *\nAllow: /\nSitemap: x\n",
         "\xEF\xBB\xBFUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\nSitemap: x\n"},
        {"# nothing here\nSitemap: x\n",
         "# nothing here\nSitemap: x\n\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n"},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, 1 << 20);
        adit_robots_add(adit_str_z(rows[i].text), lines, ADIT_COUNT(lines), &out);
        eq_str(adit_buf_str(&out), adit_str_z(rows[i].want), "lines are added");
        adit_buf_free(&out);
    }
}

/* Files made of pieces in every order: for each robot the same paths are allowed as before. */
TEST(add_keeps_rules)
{
    static const char *const pieces[] = {
        "User-agent: a\n", "User-agent: *\n",     "Disallow: /1\n",  "Allow: /\n",
        "Sitemap: x\n",    "Content-Signal: y\n", "Crawl-delay: 2\n"};
    static const struct adit_robots_line lines[] = {
        {"Content-Signal", ADIT_STR_INIT("ai-train=no"), false}};
    static const char *const robots[] = {"a", "b"}, *const paths[] = {"/", "/1", "/2"};
    enum { N = ADIT_COUNT(pieces), LENGTH = 5 };
    int wrong = 0, without = 0;
    for (size_t k = 0; k < N * N * N * N * N; k++) {
        struct adit_buf text, out;
        adit_buf_init(&text, tap_mem, 1 << 16);
        adit_buf_init(&out, tap_mem, 1 << 16);
        for (size_t i = 0, rest = k; i < LENGTH; i++, rest /= N)
            adit_buf_lit(&text, pieces[rest % N]);
        adit_robots_add(adit_buf_str(&text), lines, 1, &out);
        for (size_t r = 0; r < ADIT_COUNT(robots); r++)
            for (size_t p = 0; p < ADIT_COUNT(paths); p++) {
                struct adit_robots rules = parse(adit_buf_str(&text), adit_str_z(robots[r]));
                bool before = adit_robots_allows(&rules, adit_str_z(paths[p]));
                rules = parse(adit_buf_str(&out), adit_str_z(robots[r]));
                wrong += before != adit_robots_allows(&rules, adit_str_z(paths[p]));
            }
        struct adit_str all = adit_buf_str(&out);
        without += adit_str_find(all, ADIT_STR("Content-Signal"), 0) == all.len;
        adit_buf_free(&text);
        adit_buf_free(&out);
    }
    eq_int(wrong, 0, "rules are as before");
    eq_int(without, 0, "and the line is there");
}

TEST(retry_after)
{
    static const struct {
        const char *value;
        bool fine;
        uint64_t seconds;
    } rows[] = {
        {"0", true, 0},
        {" 120 ", true, 120},
        {"Sun, 06 Nov 1994 08:49:37 GMT", true, 37},
        {"Sun, 06 Nov 1994 08:48:37 GMT", true, 0},
        {"Sunday, 06-Nov-94 08:50:00 GMT", true, 60},
        {"-1", false, 0},
        {"1.5", false, 0},
        {"soon", false, 0},
        {"", false, 0},
        {"99999999999999999999999", false, 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        uint64_t s = 0; /* 08:49:00 */
        bool fine = adit_retry_after(adit_str_z(rows[i].value), 784111740, &s);
        ok(fine == rows[i].fine && (!fine || s == rows[i].seconds), rows[i].value);
    }
}

TEST(rate_limit)
{
    static const struct {
        const char *what, *name, *value, *name2, *value2;
        bool used_up;
        uint64_t seconds;
    } rows[] = {
        {"a quota with something left", "RateLimit", "\"default\";r=5;t=30", "", "", false, 0},
        {"used up", "RateLimit", "\"default\";r=0;t=30", "", "", true, 30},
        {"two policies", "ratelimit", "\"a;r=1\";r=0;t=3, \"b\"; r=0; t=7, \"c\";r=1;t=90", "", "",
         true, 7},
        {"no time", "RateLimit", "\"default\";r=0", "", "", false, 0},
        {"older", "RateLimit", "limit=10, remaining=0, reset=4", "", "", true, 4},
        {"older, some left", "RateLimit", "limit=10, remaining=1, reset=4", "", "", false, 0},
        {"three fields", "RateLimit-Remaining", "0", "RateLimit-Reset", "9", true, 9},
        {"X-", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "9", true, 9},
        {"X- with Unix time", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1700000060", true,
         60},
        {"X- with Unix time gone by", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset",
         "1600000000", true, 0},
        {"X- with a hyphen", "X-Rate-Limit-Remaining", "0", "X-Rate-Limit-Reset", "5", true, 5},
        {"X- some left", "X-RateLimit-Remaining", "3", "X-RateLimit-Reset", "9", false, 0},
        {"nonsense", "X-RateLimit-Remaining", "none", "X-RateLimit-Reset", "9", false, 0},
        {"only one", "X-RateLimit-Remaining", "0", "", "", false, 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_header v[] = {{adit_str_z(rows[i].name), adit_str_z(rows[i].value)},
                                  {adit_str_z(rows[i].name2), adit_str_z(rows[i].value2)}};
        uint64_t s = 0;
        bool used = adit_rate_limit(v, 2, 1700000000, &s);
        ok(used == rows[i].used_up && (!used || s == rows[i].seconds), rows[i].what);
    }
}

TEST(begin) { adit_arena_init(&arena, tap_mem, 16 << 20); }
TEST(end) { adit_arena_free(&arena); }
RUN_TESTS(begin, cases, line_ends, limit, work, memory, add, add_keeps_rules, retry_after,
          rate_limit, end)
