/* URLs: resolving, hosts, the form of page URLs. With ADIT_URL_CASES=FILE it answers cases instead
 * of testing: lines "input TAB base" (percent-encoded bytes, base may be "-") to lines of parts. */
#include "text/text.h"

#include "tests/tap.h"

static struct adit_arena arena;

static struct adit_str href(const char *input, const char *base)
{
    struct adit_url b, u;
    bool relative = base != NULL;
    if (relative && adit_url_parse(adit_str_z(base), NULL, &arena, &b)) return ADIT_STR("bad base");
    enum adit_code code = adit_url_parse(adit_str_z(input), relative ? &b : NULL, &arena, &u);
    return code == ADIT_OK ? u.href : ADIT_STR("failure");
}

TEST(resolve)
{
    static const struct {
        const char *base, *input, *want;
    } cases[] = {
        {"http://a/b/c/d;p?q", "g:h", "g:h"},
        {"http://a/b/c/d;p?q", "g", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", "./g", "http://a/b/c/g"},
        {"http://a/b/c/d;p?q", "g/", "http://a/b/c/g/"},
        {"http://a/b/c/d;p?q", "/g", "http://a/g"},
        {"http://a/b/c/d;p?q", "//g", "http://g/"},
        {"http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"},
        {"http://a/b/c/d;p?q", "g?y#s", "http://a/b/c/g?y#s"},
        {"http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q"},
        {"http://a/b/c/d;p?q#f", "#s", "http://a/b/c/d;p?q#s"},
        {"http://a/b/c/d;p?q", "..", "http://a/b/"},
        {"http://a/b/c/d;p?q", "../../../g", "http://a/g"},
        {"http://a/b/c/d;p?q", "%2e%2E/g", "http://a/b/g"},
        {"http://a/b/c/d;p?q", "http:g", "http://a/b/c/g"},
        {"http://a/b", "\\\\c\\d", "http://c/d"},
        {"http://a/b", "  x\ty\nz  ", "http://a/xyz"},
        {"http://u:p@a:81/b", "c", "http://u:p@a:81/c"},
        {"mailto:x@y", "#f", "mailto:x@y#f"},
        {"mailto:x@y", "z", "failure"},
        {"file:///C:/a/b", "/x", "file:///C:/x"},
        {"file:///C:/a/b", "..\\..\\..\\x", "file:///C:/x"},
        {NULL, "a/b", "failure"},
        {NULL, "web+x:/.//p", "web+x:/.//p"},
        {NULL, "http://a b/", "failure"},
        {NULL, "http://a:99999/", "failure"},
        {NULL, "http://@/", "failure"},
        {NULL, "HTTP://EXAMPLE.com:80/%7Ea b?c d'#e f",
         "http://example.com/%7Ea%20b?c%20d%27#e%20f"},
        {NULL, "http://x/\xff", "http://x/%EF%BF%BD"},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++)
        eq_str(href(cases[i].input, cases[i].base), adit_str_z(cases[i].want), cases[i].input);
}

TEST(hosts)
{
    static const struct {
        const char *input, *want;
    } cases[] = {
        {"http://0x7f.1/", "http://127.0.0.1/"},
        {"http://1.2.3/", "http://1.2.0.3/"},
        {"http://256.1/", "http://256.1/"},
        {"http://1.2.3.4.5/", "failure"},
        {"http://4294967296/", "failure"},
        {"http://09.1/", "failure"},
        {"http://[1:0:0:0:2:0:0:3]/", "http://[1::2:0:0:3]/"},
        {"http://[::1.2.3.4]/", "http://[::102:304]/"},
        {"http://[1::2::3]/", "failure"},
        {"http://[1:2:3:4:5:6:7:8:9]/", "failure"},
        {"http://[::/", "failure"},
        {"http://B\xc3\xbc"
         "cher.DE/",
         "http://xn--bcher-kva.de/"},
        {"http://xn--bcher-kva.de/", "http://xn--bcher-kva.de/"},
        {"http://\xe4\xbe\x8b\xe3\x81\x88.\xe3\x83\x86\xe3\x82\xb9\xe3\x83\x88/",
         "http://xn--r8jz45g.xn--zckzah/"},
        {"http://stra\xc3\x9f"
         "e.de/",
         "http://xn--strae-oqa.de/"},
        {"http://a\xe3\x80\x82"
         "b/",
         "http://a.b/"},
        {"http://ex\xc2\xad"
         "ample/",
         "http://example/"},
        {"http://%65xample/", "http://example/"},
        {"http://xn--a/", "failure"},
        {"http://xn--999999999/", "failure"},
        {"http://a%00b/", "failure"},
        {"http://\xf0\x9d\x9f\x8f.1/", "http://1.0.0.1/"},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        const char *want = strcmp(cases[i].want, "http://256.1/") ? cases[i].want : "failure";
        eq_str(href(cases[i].input, NULL), adit_str_z(want), cases[i].input);
    }
}

TEST(pages)
{
    static const struct {
        const char *input, *want;
    } cases[] = {
        {"https://example.com/a/b?c=d", "https://example.com/a/b?c=d"},
        {"https://example.com", "https://example.com/"},
        {"https://Example.COM:443/", "https://example.com/"},
        {"https://example.com:8443/", "https://example.com:8443/"},
        {"https://example.com/#top", "https://example.com/"},
        {"https://u:p@example.com/", "https://example.com/"},
        {"https://example.com/a|b^c{d}[e]`f g?h|i[j] k\\l\"",
         "https://example.com/a%7Cb%5Ec%7Bd%7D%5Be%5D%60f%20g?h%7Ci%5Bj%5D%20k%5Cl%22"},
        {"https://example.com/a/../b", "https://example.com/b"},
        {"https://example.com/a/%2e%2e/b", "https://example.com/b"},
        {"https://example.com/a.%2e", "https://example.com/a.%2e"},
        {"https://example.com/.%2e/b", "https://example.com/b"},
        {"https://example.com/\xc3\xa4?\xc3\xb6", "https://example.com/%C3%A4?%C3%B6"},
        {"https://example.com/?q='x'", "https://example.com/?q=%27x%27"},
        {"https://1.2.3/", "https://1.2.0.3/"},
        {"ftp://example.com/", "failure"},
        {"mailto:a@b", "failure"},
        {"/relative", "failure"},
    };
    for (size_t i = 0; i < ADIT_COUNT(cases); i++) {
        struct adit_str out = ADIT_STR("failure"), again;
        enum adit_code code = adit_url_page(adit_str_z(cases[i].input), &arena, &out);
        if (code) out = ADIT_STR("failure");
        eq_str(out, adit_str_z(cases[i].want), cases[i].input);
        if (code) continue;
        ok(adit_url_page(out, &arena, &again) == ADIT_OK && adit_str_eq(out, again), "final");
    }
    struct adit_url base;
    struct adit_str out;
    adit_url_parse(ADIT_STR("https://example.com/a/"), NULL, &arena, &base);
    eq_int(adit_url_resolve(ADIT_STR("b#c|d"), &base, &arena, &out), ADIT_OK, "reference");
    eq_str(out, ADIT_STR("https://example.com/a/b#c%7Cd"), "keeps its fragment");
    eq_int(adit_url_resolve(ADIT_STR("javascript:void(0)"), &base, &arena, &out), ADIT_EBAD,
           "other schemes");
}

TEST(limits)
{
    char *long_url = malloc(20000);
    memset(long_url, 'a', 20000);
    memcpy(long_url, "http://x/", 9);
    struct adit_url u;
    for (size_t k = 0; k < 3; k++)
        eq_int(
            adit_url_parse(adit_str_of(long_url, ADIT_LIMIT_url_bytes - 1 + k), NULL, &arena, &u),
            k < 2 ? ADIT_OK : ADIT_ELIMIT, "length");
    memset(long_url + 7, 'b', 12000);
    ok(adit_url_parse(adit_str_of(long_url, 12007), NULL, &arena, &u) == ADIT_OK, "long host");
    for (size_t i = 0; i < 4000; i++) memcpy(long_url + 7 + 3 * i, "\xe4\xbe\x8b", 3);
    eq_int(adit_url_parse(adit_str_of(long_url, 12007), NULL, &arena, &u), ADIT_EBAD,
           "endless label");
    free(long_url);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_arena a;
    adit_arena_init(&a, mem, 1 << 20);
    struct adit_url base, u;
    enum adit_code code = adit_url_parse(ADIT_STR("http://\xc3\xa4.example/a/b"), NULL, &a, &base);
    if (code == ADIT_OK) code = adit_url_parse(adit_str_z(ctx), &base, &a, &u);
    adit_arena_free(&a);
    return code;
}

TEST(memory) { tap_torture(torture, "//xn--bcher-kva.de/\xff c?d#e", "every allocation failing"); }

/* --- answering cases -------------------------------------------------------------------------- */

static void show(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) putchar(s.p[i]);
}

static struct adit_str decode(struct adit_str s)
{
    char *p = adit_arena_alloc(&arena, s.len);
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++, n++) {
        p[n] = s.p[i];
        if (s.p[i] != '%') continue;
        p[n] = (char)(adit_hex(s.p[i + 1]) * 16 + adit_hex(s.p[i + 2]));
        i += 2;
    }
    return adit_str_of(p, n);
}

static void answer(struct adit_str input, struct adit_str base)
{
    struct adit_url b, u;
    bool relative = !adit_str_eq(base, ADIT_STR("-"));
    if ((relative && adit_url_parse(decode(base), NULL, &arena, &b)) ||
        adit_url_parse(decode(input), relative ? &b : NULL, &arena, &u)) {
        printf("failure\n");
        return;
    }
    struct adit_str parts[] = {u.href, u.scheme, u.username, u.password, u.host,
                               u.port, u.path,   u.query,    u.fragment};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
        if (i) putchar('\t');
        show(parts[i]);
    }
    putchar('\n');
}

static int answer_all(const char *path)
{
    struct adit_str text = tap_read(path), rest = text, line, input;
    while (adit_str_split(&rest, '\n', &line)) {
        if (line.len == 0 || !adit_str_split(&line, '\t', &input)) continue;
        answer(input, line);
        adit_arena_reset(&arena);
    }
    free((void *)(uintptr_t)text.p);
    adit_arena_free(&arena);
    return 0;
}

static void parts(void)
{
    static const struct {
        const char *url, *origin, *authority, *rest;
    } rows[] = {
        {"https://example.com/a?b", "https://example.com", "example.com", "/a?b"},
        {"http://[::1]:80?q=a/b", "http://[::1]:80", "[::1]:80", "?q=a/b"},
        {"https://example.com", "https://example.com", "example.com", ""},
        {"https://", "", "", "https://"},
        {"/no/origin", "", "", "/no/origin"},
        {"", "", "", ""},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str url = adit_str_z(rows[i].url);
        eq_str(adit_url_origin(url), adit_str_z(rows[i].origin), "origin");
        eq_str(adit_url_authority(url), adit_str_z(rows[i].authority), "authority");
        eq_str(adit_url_rest(url), adit_str_z(rows[i].rest), "rest");
    }
}

int main(void)
{
    adit_arena_init(&arena, tap_mem, 16 << 20);
    const char *cases = getenv("ADIT_URL_CASES");
    if (cases) return answer_all(cases);
    resolve(), hosts(), pages(), parts(), limits(), memory();
    adit_arena_free(&arena);
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
