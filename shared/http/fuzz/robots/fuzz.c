/* robots.txt: the first line is the path, the rest the file; it must be read within limits, and
 * line ends and the spelling of what is percent-encoded must not matter. */
#include "http/http.h"
#include "tests/fuzz.h"

/* The path with every byte percent-encoded. */
static struct adit_str encoded(struct adit_str path, char *to)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.p[i];
        to[i * 3] = '%';
        to[i * 3 + 1] = digits[c >> 4];
        to[i * 3 + 2] = digits[c & 15];
    }
    return adit_str_of(to, path.len * 3);
}

static void ask(const struct adit_robots *r, struct adit_str path, size_t len)
{
    static char all[3 * 4096];
    MUST(r->crawl_delay_ms >= -1 && r->crawl_delay_ms <= 86400000);
    bool allowed = adit_robots_allows(r, path);
    bool plain =
        adit_str_chr(path, '%', 0) == path.len && !adit_str_eq(path, ADIT_STR("/robots.txt"));
    if (plain && len < 8192) MUST(adit_robots_allows(r, encoded(path, all)) == allowed);
    fuzz_tell(allowed ? ADIT_STR("yes") : ADIT_STR("no"));
}

FUZZ_TARGET(text)
{
    struct adit_str path, url;
    size_t lf = adit_str_chr(text, '\n', 0);
    path = adit_str_sub(text, 0, lf < 4096 ? lf : 4096);
    text = adit_str_sub(text, lf + 1, text.len);
    struct adit_arena arena;
    struct adit_robots r;
    uint64_t seconds;
    adit_arena_init(&arena, fuzz_mem, 64 << 20);
    if (fuzz_fine(adit_robots_parse(text, ADIT_STR("adit"), &arena, &r))) ask(&r, path, text.len);
    for (size_t pos = 0; adit_robots_sitemap(text, &pos, &url);) MUST(url.len);
    adit_retry_after(path, 1700000000, &seconds);
    struct adit_header v = {ADIT_STR("ratelimit"), path};
    adit_rate_limit(&v, 1, 1700000000, &seconds);
    adit_arena_free(&arena);
}
