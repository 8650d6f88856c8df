/* Slow: Real pages: our parser and lexbor make the same tree of every page of the corpora. A sample of
 * them; with ADIT_ALL set (make test-pages) all. */
#include "codec/codec.h"
#include "html/tests/oracle.h"
#include "tests/tap.h"

#include <dirent.h>

enum { EVERY = 16 }; /* of so many pages one is in the sample */

static struct adit_html *p;
static struct adit_buf ours, theirs, unpacked, utf8;

static struct adit_str unpack(struct adit_str file, bool gzip)
{
    if (!gzip) return file;
    struct adit_buf_sink sink;
    struct adit_decoder *d;
    adit_buf_clear(&unpacked);
    if (adit_decoder_chain(tap_mem, ADIT_STR("gzip"), adit_buf_sink_init(&sink, &unpacked), &d))
        return (struct adit_str){0};
    if (!adit_sink_write(&d->sink, file)) adit_sink_end(&d->sink);
    adit_decoder_free(d);
    return adit_buf_str(&unpacked);
}

static bool compare(const char *path, struct adit_str page)
{
    adit_buf_clear(&ours), adit_buf_clear(&theirs);
    if (!oracle_ours(p, page, &ours) || !oracle_tree(page, &theirs)) {
        printf("# %s: cannot be parsed\n", path);
        return false;
    }
    if (adit_str_eq(adit_buf_str(&ours), adit_buf_str(&theirs))) return true;
    size_t line, at = oracle_parting(adit_buf_str(&ours), adit_buf_str(&theirs), &line);
    printf("# %s, line %zu of the tree:\n", path, line);
    tap_show("  ours", adit_str_sub(adit_buf_str(&ours), at, at + 200));
    tap_show("lexbor", adit_str_sub(adit_buf_str(&theirs), at, at + 200));
    return false;
}

static bool compare_file(const char *path)
{
    struct adit_str file = tap_read(path), text;
    adit_buf_clear(&utf8);
    bool gzip = adit_str_ends(adit_str_z(path), ADIT_STR(".gz"));
    bool same = !adit_charset_decode(unpack(file, gzip), (struct adit_str){0}, (struct adit_str){0},
                                     &utf8, &text, NULL) &&
                compare(path, text);
    free((void *)(uintptr_t)file.p);
    return same;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the pages in a folder, sorted, each to be freed. */
static size_t list_pages(const char *folder, char ***names)
{
    size_t n = 0;
    DIR *dir = opendir(folder);
    *names = NULL;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct adit_str name = adit_str_z(e->d_name);
        if (!adit_str_ends(name, ADIT_STR(".html")) && !adit_str_ends(name, ADIT_STR(".html.gz")))
            continue;
        *names = realloc(*names, (n + 1) * sizeof **names);
        (*names)[n] = malloc(name.len + 1);
        memcpy((*names)[n++], e->d_name, name.len + 1);
    }
    if (dir) closedir(dir);
    if (n) qsort(*names, n, sizeof **names, by_name);
    return n;
}

static void compare_folder(const char *folder)
{
    char path[1024], what[1200];
    char **names;
    size_t n = list_pages(folder, &names), compared = 0, same = 0;
    for (size_t i = 0; i < n; i++) {
        if (getenv("ADIT_ALL") || i % EVERY == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, names[i]);
            compared++, same += compare_file(path);
        }
        free(names[i]);
    }
    free(names);
    snprintf(what, sizeof what, "%s: %zu of %zu pages compared", folder, compared, n);
    if (n) eq_int(same, compared, what);
}

TEST(corpora)
{
    const char *corpus = getenv("ADIT_CORPUS");
    DIR *dir = opendir(corpus ? corpus : "../shared/corpus");
    if (!dir) {
        tap_skip("trees of real pages", "no corpus");
        return;
    }
    p = adit_html_new(tap_mem);
    struct adit_buf *all[] = {&ours, &theirs, &unpacked, &utf8};
    for (size_t i = 0; i < ADIT_COUNT(all); i++) adit_buf_init(all[i], tap_mem, 256u << 20);
    for (struct dirent *e; (e = readdir(dir));) {
        char folder[800];
        snprintf(folder, sizeof folder, "%s/%s", corpus ? corpus : "../shared/corpus", e->d_name);
        if (e->d_name[0] != '.') compare_folder(folder);
    }
    closedir(dir);
    for (size_t i = 0; i < ADIT_COUNT(all); i++) adit_buf_free(all[i]);
    adit_html_free(p);
}

RUN_TESTS(corpora)
