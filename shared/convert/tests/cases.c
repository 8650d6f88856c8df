/* Case files: shared/convert/cases/FOLDER/NAME.html, converted and compared with NAME.scp, .tct, .text,
 * .md and .htm (the format html), as many of them as there are. Beside them may stand NAME.url (default
 * https://example.com/NAME) and NAME.headers (one header a line). In blocks/ and meta/ the whole
 * body is taken; content/ is about the selection. scripts/update-cases writes expected files.
 *
 * fingerprints.txt has the fingerprint of every case under a version of the rules: it may change
 * only together with that version. */
#include "format/format.h"
#include "base/base.h"
#include "crypto/crypto.h"
#include "tests/tap.h"

#include <dirent.h>

#define CASES "shared/convert/cases/"

static const struct {
    const char *folder;
    bool whole;
} folders[] = {{"blocks", true}, {"content", false}, {"meta", true}};

static struct adit_converter *converter;
static struct adit_buf path_buf;

static const char *path_of(const char *folder, struct adit_str name, const char *extension)
{
    adit_buf_clear(&path_buf);
    adit_buf_lit(&path_buf, CASES);
    adit_buf_lit(&path_buf, folder);
    adit_buf_byte(&path_buf, '/');
    adit_buf_add(&path_buf, name);
    adit_buf_lit(&path_buf, extension);
    adit_buf_byte(&path_buf, 0);
    return path_buf.p;
}

/* --- the names of a folder, sorted ------------------------------------------------------------ */

enum { NAMES_MAX = 1000 };
static struct adit_str names[NAMES_MAX];
static size_t n_names;

static void list(const char *folder)
{
    n_names = 0;
    DIR *d = opendir(path_of(folder, (struct adit_str){0}, ""));
    for (struct dirent *e; d && (e = readdir(d)) && n_names < NAMES_MAX;) {
        struct adit_str name = adit_str_z(e->d_name);
        if (!adit_str_ends(name, ADIT_STR(".html"))) continue;
        char *copy = malloc(name.len);
        memcpy(copy, name.p, name.len);
        size_t k = n_names++;
        for (; k && adit_str_cmp(adit_str_of(copy, name.len - 5), names[k - 1]) < 0; k--)
            names[k] = names[k - 1];
        names[k] = adit_str_of(copy, name.len - 5);
    }
    if (d) closedir(d);
}

static void unlist(void)
{
    for (size_t i = 0; i < n_names; i++) free((char *)(uintptr_t)names[i].p);
}

/* --- one case --------------------------------------------------------------------------------- */

static void take_header(struct adit_page_source *source, struct adit_str line)
{
    size_t colon = adit_str_chr(line, ':', 0);
    struct adit_str name = adit_str_sub(line, 0, colon),
                    value = adit_str_trim(adit_str_sub(line, colon + 1, line.len));
    if (adit_str_ieq(name, ADIT_STR("content-type"))) source->content_type = value;
    if (adit_str_ieq(name, ADIT_STR("content-language"))) source->content_language = value;
    if (adit_str_ieq(name, ADIT_STR("last-modified"))) source->last_modified = value;
    if (adit_str_ieq(name, ADIT_STR("x-robots-tag"))) source->robots = value;
}

/* The expected file breaks the line of scp before every block, to be read by people. */
static void unbreak(struct adit_str *s)
{
    char *p = (char *)(uintptr_t)s->p;
    size_t n = 0;
    for (size_t i = 0; i < s->len; i++)
        if (p[i] != '\n') p[n++] = p[i];
    s->len = n;
}

static struct adit_str chomp(struct adit_str s)
{
    return adit_str_ends(s, ADIT_STR("\n")) ? adit_str_sub(s, 0, s.len - 1) : s;
}

static void compare(const char *folder, struct adit_str name, const struct adit_page *page)
{
    for (const struct adit_format *f = adit_formats; f->name; f++) {
        char extension[16] = ".", what[128];
        strcat(extension, f == &adit_formats[ADIT_FORMAT_HTML] ? "htm" : f->name);
        struct adit_str want = tap_read(path_of(folder, name, extension));
        if (!want.p) continue;
        if (strcmp(f->name, "scp") == 0) unbreak(&want);
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, 64 << 20);
        f->write(page, tap_mem, &out);
        snprintf(what, sizeof what, "%s/%.*s%s", folder, (int)name.len, name.p, extension);
        eq_str(chomp(adit_buf_str(&out)), chomp(want), what);
        adit_buf_free(&out);
        free((char *)(uintptr_t)want.p);
    }
}

static const struct adit_page *convert(const char *folder, bool whole, bool rich,
                                       struct adit_str name, struct adit_str *files)
{
    struct adit_page_source source = {
        .date = ADIT_STR("2024-01-02T03:04:05Z"), .whole = whole, .rich = rich};
    const struct adit_page *page = NULL;
    struct adit_error err = {0};
    struct adit_buf url;
    files[0] = tap_read(path_of(folder, name, ".html"));
    files[1] = tap_read(path_of(folder, name, ".headers"));
    files[2] = tap_read(path_of(folder, name, ".url"));
    adit_buf_init(&url, tap_mem, 4096);
    adit_buf_lit(&url, "https://example.com/");
    adit_buf_add(&url, name);
    source.url = files[2].p ? adit_str_trim(files[2]) : adit_buf_str(&url);
    struct adit_str rest = files[1], line;
    while (adit_str_split(&rest, '\n', &line)) take_header(&source, line);
    adit_convert(converter, files[0], &source, &page, &err);
    adit_buf_free(&url);
    return page;
}

static void with_each(bool rich,
                      void (*use)(const char *, struct adit_str, const struct adit_page *))
{
    for (size_t k = 0; k < ADIT_COUNT(folders); k++) {
        list(folders[k].folder);
        if (!n_names) ok(false, path_of(folders[k].folder, (struct adit_str){0}, " has no case"));
        for (size_t i = 0; i < n_names; i++) {
            struct adit_str files[3];
            use(folders[k].folder, names[i],
                convert(folders[k].folder, folders[k].whole, rich, names[i], files));
            for (size_t f = 0; f < 3; f++) free((char *)(uintptr_t)files[f].p);
        }
        unlist();
    }
}

static void check_case(const char *folder, struct adit_str name, const struct adit_page *page)
{
    struct adit_str scp = tap_read(path_of(folder, name, ".scp"));
    if (page && page->n_blocks)
        compare(folder, name, page);
    else
        ok(page && !scp.p, path_of(folder, name, ".html: a page without content"));
    if (page && page->n_blocks && !scp.p) ok(false, path_of(folder, name, ".scp is missing"));
    free((char *)(uintptr_t)scp.p);
}

TEST(cases) { with_each(true, check_case); }

/* --- fingerprints ----------------------------------------------------------------------------- */

static struct adit_buf prints;

static void put_print(const char *folder, struct adit_str name, const struct adit_page *page)
{
    struct adit_buf out;
    uint8_t hash[32];
    if (!page || !page->n_blocks) return;
    adit_buf_init(&out, tap_mem, 64 << 20);
    adit_format_find(ADIT_STR("tct"))->write(page, tap_mem, &out);
    adit_sha256_of(adit_buf_str(&out), hash);
    adit_buf_lit(&prints, folder);
    adit_buf_byte(&prints, '/');
    adit_buf_add(&prints, name);
    adit_buf_byte(&prints, ' ');
    adit_buf_hex(&prints, hash, sizeof hash);
    adit_buf_byte(&prints, '\n');
    adit_buf_free(&out);
}

static void check_prints(bool rich, const char *name)
{
    adit_buf_init(&prints, tap_mem, 1 << 20);
    adit_buf_lit(&prints, "rules " ADIT_RULES_VERSION "\n");
    with_each(rich, put_print);
    struct adit_str want = tap_read(CASES "fingerprints.txt");
    bool same = adit_str_eq(adit_buf_str(&prints), want);
    ok(same, name);
    if (!same)
        printf(
            "# if this change is meant: raise ADIT_RULES_VERSION and run scripts/update-cases\n");
    free((char *)(uintptr_t)want.p);
    adit_buf_free(&prints);
}

TEST(fingerprints)
{
    check_prints(false, "fingerprints are those of this version of the rules");
    check_prints(true, "and the same where a format with structure is written, too");
}

TEST(start)
{
    adit_buf_init(&path_buf, tap_mem, 4096);
    converter = adit_converter_new(tap_mem);
    ok(converter != NULL, "a converter");
}

TEST(end)
{
    adit_converter_free(converter);
    adit_buf_free(&path_buf);
}

RUN_TESTS(start, cases, fingerprints, end)
