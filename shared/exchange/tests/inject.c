/* http: link injection. A case is NAME.in, NAME.out and, when HTTP gives a charset, NAME.charset,
 * in shared/exchange/cases/inject. */
#include "tests/tap.h"
#include "exchange/inject_impl.h"

#include <dirent.h>

#define CASES "shared/exchange/cases/inject/"

static const struct adit_str href = ADIT_STR_INIT("https://example.com/post/llm/");

/* Counts what reaches the end of the chain. */
struct end_sink {
    struct adit_buf_sink buf;
    int ends;
};

static enum adit_code end_once(struct adit_sink *s)
{
    ((struct end_sink *)s)->ends++;
    return ADIT_OK;
}

/* Feeds input up to cut, then in portions of step; the output in *out. */
static bool run(struct adit_str link, struct adit_str input, struct adit_str charset, size_t cut,
                size_t step, struct adit_buf *out, bool *inserted)
{
    struct adit_inject in;
    struct end_sink end = {0};
    adit_buf_clear(out);
    adit_buf_sink_init(&end.buf, out)->end = end_once;
    struct adit_sink *s = adit_inject_init(&in, link, charset, &end.buf.sink);
    enum adit_code code = cut ? s->write(s, input.p, cut) : ADIT_OK;
    for (size_t i = cut; i < input.len && code == ADIT_OK; i += step)
        code = s->write(s, input.p + i, input.len - i < step ? input.len - i : step);
    if (code == ADIT_OK) code = s->end(s);
    *inserted = in.inserted;
    return code == ADIT_OK && end.ends == 1;
}

static void check(const char *name, struct adit_str input, struct adit_str charset,
                  struct adit_str want)
{
    struct adit_buf link, out;
    bool same = true, inserted;
    adit_buf_init(&link, tap_mem, 1000);
    adit_buf_init(&out, tap_mem, 1 << 20);
    adit_inject_link(&link, ADIT_STR("application/json"), href);
    bool right = run(adit_buf_str(&link), input, charset, 0, input.len + 1, &out, &inserted);
    eq_str(adit_buf_str(&out), want, name);
    ok(right && inserted == (want.len != input.len), "it says whether it inserted");
    for (size_t cut = 0; cut <= input.len; cut++) {
        right =
            run(adit_buf_str(&link), input, charset, cut, cut ? input.len + 1 : 1, &out, &inserted);
        if (!right || !adit_str_eq(adit_buf_str(&out), want)) same = false;
    }
    ok(same, "the same however it is cut");
    adit_buf_free(&link);
    adit_buf_free(&out);
}

static struct adit_str read_case(const char *name, const char *extension)
{
    char path[400];
    snprintf(path, sizeof path, CASES "%s%s", name, extension);
    return tap_read(path);
}

TEST(cases)
{
    DIR *dir = opendir(CASES);
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char name[300];
        size_t len = strlen(e->d_name);
        if (len < 4 || len >= sizeof name || strcmp(e->d_name + len - 3, ".in") != 0) continue;
        memcpy(name, e->d_name, len + 1);
        name[len - 3] = 0;
        struct adit_str input = read_case(name, ".in"), want = read_case(name, ".out");
        struct adit_str charset = read_case(name, ".charset");
        check(name, input, charset, want);
        free((void *)input.p);
        free((void *)want.p);
        free((void *)charset.p);
        n++;
    }
    if (dir) closedir(dir);
    ok(n > 100, "there are cases");
}

/* The place must be known within 64 KiB. */
TEST(cap)
{
    struct adit_str tag = ADIT_STR("--><html><head>"), link = ADIT_STR("<link>");
    for (size_t end = (64 << 10) - 1; end <= (64 << 10) + 1; end++) {
        struct adit_buf page, out;
        bool inserted = false, whole = false;
        adit_buf_init(&page, tap_mem, 1 << 20);
        adit_buf_init(&out, tap_mem, 1 << 20);
        adit_buf_lit(&page, "<!--");
        while (page.len < end - tag.len) adit_buf_byte(&page, ' ');
        adit_buf_add(&page, tag);
        adit_buf_lit(&page, "<title>x</title>");
        run(link, adit_buf_str(&page), ADIT_STR(""), 0, page.len, &out, &whole);
        run(link, adit_buf_str(&page), ADIT_STR(""), 0, 100, &out, &inserted);
        eq_int(inserted, end < 64 << 10, "a head that opens around 64 KiB");
        eq_int(whole, inserted, "whole, too");
        eq_int(out.len, page.len + (inserted ? link.len : 0), "with all its bytes");
        adit_buf_free(&page);
        adit_buf_free(&out);
    }
}

TEST(link)
{
    static const struct {
        struct adit_str href, want;
    } rows[] = {
        {ADIT_STR_INIT("https://e.com/a/llm/"), ADIT_STR_INIT("https://e.com/a/llm/")},
        {ADIT_STR_INIT("/?a=1&b=2"), ADIT_STR_INIT("/?a=1&amp;b=2")},
        {ADIT_STR_INIT("/\"><script>alert('x')</script>"),
         ADIT_STR_INIT("/&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;")},
        {ADIT_STR_INIT("/a\r\nb c\td\0e\x7f"), ADIT_STR_INIT("/a%0D%0Ab%20c%09d%00e%7F")},
        {ADIT_STR_INIT("/\xC3\xA9"), ADIT_STR_INIT("/%C3%A9")},
        {ADIT_STR_INIT(""), ADIT_STR_INIT("")},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_buf got, want;
        adit_buf_init(&got, tap_mem, 1000);
        adit_buf_init(&want, tap_mem, 1000);
        adit_inject_link(&got, ADIT_STR("application/json"), rows[i].href);
        adit_buf_lit(&want, "<link rel=\"alternate\" type=\"application/json\" href=\"");
        adit_buf_add(&want, rows[i].want);
        adit_buf_lit(&want, "\">");
        eq_str(adit_buf_str(&got), adit_buf_str(&want), "href");
        adit_buf_free(&got);
        adit_buf_free(&want);
    }
}

/* Chunks behind the insertion reach the next sink where they lie. */
static const char *last_write;
static enum adit_code keep_pointer(struct adit_sink *s, const char *p, size_t len)
{
    (void)s, (void)len;
    last_write = p;
    return ADIT_OK;
}
static enum adit_code refuse(struct adit_sink *s, const char *p, size_t len)
{
    (void)s, (void)p, (void)len;
    return ADIT_EIO;
}

TEST(pass_through)
{
    struct adit_inject in;
    struct adit_sink next = {keep_pointer, end_once};
    const char *chunk = "<p>and so on";
    struct adit_sink *s = adit_inject_init(&in, ADIT_STR("<link>"), ADIT_STR("utf-8"), &next);
    s->write(s, "<head>", 6);
    s->write(s, chunk, strlen(chunk));
    ok(in.inserted && last_write == chunk, "no copy");
    next.write = refuse;
    eq_int(s->write(s, chunk, 3), ADIT_EIO, "the next sink's code comes back");
    s = adit_inject_init(&in, ADIT_STR("<link>"), ADIT_STR("utf-8"), &next);
    eq_int(s->write(s, "<head>", 6), ADIT_EIO, "at the insertion, too");
    s = adit_inject_init(&in, ADIT_STR("<link>"), ADIT_STR(""), &next);
    s->write(s, "<head>", 6);
    eq_int(s->end(s), ADIT_EIO, "and at the end");
}

/* A link longer than the bytes that browsers look at. */
TEST(long_link)
{
    struct adit_buf link, out;
    bool inserted;
    adit_buf_init(&link, tap_mem, 10000);
    adit_buf_init(&out, tap_mem, 1 << 20);
    for (int i = 0; i < 5000; i++) adit_buf_byte(&link, 'x');
    struct adit_str page = ADIT_STR("<head><title>x</title>");
    run(adit_buf_str(&link), page, ADIT_STR(""), 0, 5, &out, &inserted);
    ok(inserted && out.len == page.len + link.len, "a long link");
    page = ADIT_STR("<head></head><body><meta charset=utf-8>");
    run(adit_buf_str(&link), page, ADIT_STR(""), 0, 5, &out, &inserted);
    ok(!inserted && out.len == page.len, "a long link that would push a declaration out");
    adit_buf_free(&link);
    adit_buf_free(&out);
}

RUN_TESTS(cases, cap, link, pass_through, long_link)
