/* libadit, call by call: what it gives, what it refuses, and that every allocation may fail. */
#include "bindings/c/adit.h"
#include "tests/tap.h"

static const char page[] =
    "<!doctype html><html lang=en><title>A title</title><meta name=author content='A. Writer'>"
    "<link rel=canonical href=https://example.com/own/><meta name=robots content=noindex>"
    "<main><h1>A title</h1><p>A paragraph with <a href=/x>a link</a> that is long enough to be "
    "taken "
    "for the content of the page by whoever reads it.</p></main>";
static const char bare[] =
    "<title>Bare</title><p>A paragraph that is long enough to be one, and no URL.";

static enum libadit_result convert(struct libadit_converter *c, const char *html, const char *url)
{
    struct libadit_source source = {.sizeof_source = sizeof source, .url = url};
    return libadit_convert(c, html, strlen(html), &source);
}

static struct adit_str field(struct libadit_converter *c, enum libadit_field f)
{
    size_t len;
    const char *p = libadit_get(c, f, &len);
    return adit_str_of(p, len);
}

static bool has(const char *p, size_t len, const char *part)
{
    return adit_str_find(adit_str_of(p, len), adit_str_z(part), 0) < len;
}

TEST(test_page)
{
    struct libadit_converter *c = libadit_alloc_converter();
    const char *p;
    size_t len;
    eq_int(convert(c, page, "https://example.com/a"), LIBADIT_SUCCESS, "a page is converted");
    eq_str(adit_str_z(libadit_error(c)), ADIT_STR(""), "and there is no error");
    eq_str(field(c, LIBADIT_URL), ADIT_STR("https://example.com/a"), "url");
    eq_str(field(c, LIBADIT_TITLE), ADIT_STR("A title"), "title");
    eq_str(field(c, LIBADIT_AUTHOR), ADIT_STR("A. Writer"), "author");
    eq_str(field(c, LIBADIT_LANGUAGE), ADIT_STR("en"), "language");
    eq_str(field(c, LIBADIT_CANONICAL), ADIT_STR("https://example.com/own/"), "canonical");
    eq_int(field(c, LIBADIT_PUBLISHED).len, 0, "what is not said is empty");
    eq_int(field(c, (enum libadit_field)99).len, 0, "so is a field that there is not");
    ok(field(c, LIBADIT_CHARSET).len > 0, "charset");
    eq_int(libadit_refusals(c), LIBADIT_NOINDEX, "what the page refuses");
    for (size_t i = 0; libadit_format(i); i++)
        ok(libadit_write(c, libadit_format(i), 0, &p, &len) == LIBADIT_SUCCESS && len > 0,
           libadit_format(i));
    eq_int(libadit_write(c, "md", LIBADIT_FRONT_MATTER, &p, &len), LIBADIT_SUCCESS, "front matter");
    ok(has(p, len, "---\n") && has(p, len, "[a link](https://example.com/x)"), "and links");
    eq_int(libadit_write(c, "pdf", 0, &p, &len), LIBADIT_UNKNOWN, "no such format");
    eq_int(len, 0, "gives nothing");
    eq_int(convert(c, page, NULL), LIBADIT_SUCCESS, "without a URL");
    eq_str(field(c, LIBADIT_URL), ADIT_STR("https://example.com/own/"), "the page's own counts");
    libadit_free_converter(c);
}

TEST(test_refused)
{
    struct libadit_converter *c = libadit_alloc_converter();
    struct libadit_source header = {
        .sizeof_source = sizeof header,
        .url = "https://example.com/",
        .headers = "X-Robots-Tag: noarchive\r\nnonsense\nContent-Language: fr"};
    const char *p;
    size_t len;
    char hash[LIBADIT_FINGERPRINT_Z];
    eq_int(libadit_write(c, "md", 0, &p, &len), LIBADIT_NO_PAGE, "nothing to write before a page");
    eq_int(libadit_fingerprint(c, hash), LIBADIT_NO_PAGE, "nor to hash");
    eq_int(libadit_refusals(c), 0, "nor a refusal");
    eq_int(convert(c, bare, NULL), LIBADIT_BAD_URL, "no URL anywhere");
    eq_int(convert(c, bare, "ftp://example.com/"), LIBADIT_BAD_URL, "another scheme");
    ok(libadit_error(c)[0] != '\0', "is told");
    eq_int(convert(c, "%PDF-1.7 and so on", "https://example.com/"), LIBADIT_NOT_HTML, "a PDF");
    ok(strstr(libadit_error(c), "PDF") != NULL, "is named");
    eq_int(convert(c, "", "https://example.com/"), LIBADIT_NO_CONTENT, "nothing");
    eq_int(libadit_write(c, "md", 0, &p, &len), LIBADIT_NO_PAGE, "a failure leaves no page behind");
    eq_int(libadit_convert(c, page, (size_t)LIBADIT_PAGE_MAX + 1, NULL), LIBADIT_TOO_LARGE,
           "a page beyond the limit is not read");
    eq_int(libadit_convert(c, bare, strlen(bare), &header), LIBADIT_SUCCESS, "header fields");
    eq_int(libadit_refusals(c), LIBADIT_NOARCHIVE, "say what is refused");
    eq_str(field(c, LIBADIT_LANGUAGE), ADIT_STR("fr"), "and the language");
    libadit_free_converter(c);
    libadit_free_converter(NULL);
}

TEST(test_fingerprints)
{
    struct libadit_converter *c = libadit_alloc_converter();
    char hash[LIBADIT_FINGERPRINT_Z], again[LIBADIT_FINGERPRINT_Z];
    const char *p;
    size_t len;
    convert(c, page, "https://example.com/a");
    eq_int(libadit_fingerprint(c, hash), LIBADIT_SUCCESS, "the page's fingerprint");
    libadit_write(c, "tct", 0, &p, &len);
    ok(has(p, len, hash), "is the payload's hash");
    eq_int(libadit_fingerprint_payload(c, p, len, again), LIBADIT_SUCCESS, "of a payload");
    ok(strcmp(hash, again) == 0, "the same");
    eq_int(libadit_fingerprint_payload(c, "[]", 2, again), LIBADIT_BAD_INPUT, "of no object");
    eq_str(adit_str_z(again), ADIT_STR(""), "there is none");
    libadit_fingerprint_text(c, "Hello  World", 12, hash);
    libadit_fingerprint_text(c, "hello world", 11, again);
    ok(strlen(hash) == 71 && strcmp(hash, again) == 0, "texts that differ in white space and case");
    libadit_free_converter(c);
}

static enum libadit_result check(struct libadit_converter *c, struct adit_str text,
                                 const char *kind, const char *rule)
{
    const char *p;
    size_t len;
    enum libadit_result result = libadit_check(c, text.p, text.len, &p, &len);
    if (kind && !has(p, len, kind)) ok(false, kind), tap_show("report", adit_str_of(p, len));
    if (rule && !has(p, len, rule)) ok(false, rule), tap_show("report", adit_str_of(p, len));
    return result;
}

TEST(test_check)
{
    struct libadit_converter *c = libadit_alloc_converter(), *other = libadit_alloc_converter();
    const char *p;
    size_t len;
    convert(other, page, "https://example.com/a");
    libadit_write(other, "tct", 0, &p, &len);
    eq_int(check(c, adit_str_of(p, len), "\"TCT payload\"", "\"valid\":true"), LIBADIT_SUCCESS,
           "a payload is valid");
    char *broken = malloc(len);
    memcpy(broken, p, len);
    *strstr(broken, "A title") = 'B';
    eq_int(check(c, adit_str_of(broken, len), "\"TCT payload\"", "\"advice\":"), LIBADIT_BAD_INPUT,
           "one with another hash is not");
    free(broken);
    struct libadit_source dated = {.sizeof_source = sizeof dated,
                                   .url = "https://example.com/a",
                                   .date = "2026-01-01T00:00:00Z"};
    libadit_convert(other, page, strlen(page), &dated);
    libadit_write(other, "scp", 0, &p, &len);
    eq_int(check(c, adit_str_of(p, len), "\"SCP page\"", NULL), LIBADIT_SUCCESS, "a page of SCP");
    eq_int(check(c, ADIT_STR("{\"url\":1}"), "\"SCP page\"", NULL), LIBADIT_BAD_INPUT,
           "a broken one");
    static const char meta[] = "{\"collection\":{\"id\":\"x\"}}\n{\"url\":1}\n";
    eq_int(check(c, adit_str_of(meta, sizeof meta - 1), "\"SCP collection\"", "\"line\":2"),
           LIBADIT_BAD_INPUT, "a broken collection: every line is judged");
    eq_int(check(c, ADIT_STR("hello"), NULL, NULL), LIBADIT_UNKNOWN, "no document");
    libadit_free_converter(c);
    libadit_free_converter(other);
}

/* --- an allocator that fails at the n-th call ---------------------------------------------------- */

static size_t allocations, fails_at, living;

static void *fail_malloc(size_t size)
{
    if (++allocations == fails_at) return NULL;
    living++;
    return malloc(size);
}
static void fail_free(void *p)
{
    living -= p != NULL;
    free(p);
}

TEST(test_memory)
{
    const struct libadit_options options = {sizeof options, fail_malloc, fail_free};
    size_t failed = 0, n = 0;
    bool all_told = true;
    for (bool done = false; !done; n++) {
        const char *p;
        size_t len;
        allocations = 0, fails_at = n + 1;
        struct libadit_converter *c = libadit_alloc_converter_ex(&options);
        enum libadit_result r = c ? convert(c, page, "https://example.com/a") : LIBADIT_NO_MEMORY;
        if (r == LIBADIT_SUCCESS) r = libadit_write(c, "md", 0, &p, &len);
        if (r == LIBADIT_SUCCESS) r = libadit_write(c, "tct", 0, &p, &len);
        libadit_free_converter(c);
        done = allocations < fails_at;
        failed += r != LIBADIT_SUCCESS;
        if (r != LIBADIT_SUCCESS && r != LIBADIT_NO_MEMORY) all_told = false;
        if (done) eq_int(r, LIBADIT_SUCCESS, "with memory the page is converted");
    }
    ok(failed > 5, "some allocations failed");
    ok(all_told, "and each was told as that");
    eq_int(living, 0, "nothing is left behind");
}

RUN_TESTS(test_page, test_refused, test_fingerprints, test_check, test_memory)
