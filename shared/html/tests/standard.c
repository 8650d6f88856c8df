/* The tree-construction tests of html5lib, as the Go project ships them (a Debian source package,
 * which scripts/fetch-sources unpacks for tests): every one of them that is about whole documents
 * without scripts. */
#include "html/tests/dump.h"
#include "tests/tap.h"

#include <dirent.h>

static const char folder[] = "build/deps/htmltests";

struct test {
    struct adit_str data, document;
    bool fragment, scripting;
};

static struct {
    size_t all, fragments, scripting, passed, excepted;
} count;
static struct adit_html *p;
static struct adit_buf got, want;

/* --- reading .dat files ------------------------------------------------------------------------ */

/* A section from its heading to the next of the headings that may follow it. */
static struct adit_str section(struct adit_str test, const char *heading, const char *next)
{
    size_t from = adit_str_find(test, adit_str_z(heading), 0);
    if (from == test.len) return (struct adit_str){0};
    from += strlen(heading);
    size_t to = adit_str_find(test, adit_str_z(next), from - 1);
    return adit_str_sub(test, from, to == test.len ? to : to < from ? from : to);
}

static struct test read_test(struct adit_str s)
{
    struct test t = {.data = section(s, "#data\n", "\n#errors\n"),
                     .document = section(s, "\n#document\n", "\n\n#data\n")};
    t.fragment = adit_str_find(s, ADIT_STR("\n#document-fragment\n"), 0) < s.len;
    t.scripting = adit_str_find(s, ADIT_STR("\n#script-on\n"), 0) < s.len;
    return t;
}

/* --- expected trees: only attributes that we keep, names of SVG in lower case -------------------- */

static bool is_kept(struct adit_str name)
{
    for (size_t i = 0; i < ADIT_COUNT(dump_attr_names); i++)
        if (adit_str_eq(name, adit_str_z(dump_attr_names[i]))) return true;
    return false;
}

/* The end of the line at i, or of the attribute that begins there and goes on over lines. */
static size_t line_end(struct adit_str s, size_t i, bool attribute)
{
    size_t end = adit_str_chr(s, '\n', i);
    while (attribute && end < s.len && s.p[end - 1] != '"') end = adit_str_chr(s, '\n', end + 1);
    return end < s.len ? end + 1 : end;
}

static size_t indent_of(struct adit_str line)
{
    if (!adit_str_starts(line, ADIT_STR("| "))) return 0;
    size_t i = 2;
    while (i < line.len && line.p[i] == ' ') i++;
    return i;
}

/* Lines begin an attribute if neither a text nor a tag does. */
static bool is_attribute(struct adit_str line)
{
    size_t i = indent_of(line);
    struct adit_str rest = adit_str_sub(line, i, line.len);
    if (!i || !rest.len || rest.p[0] == '"') return false;
    if (rest.p[0] == '<') return adit_str_starts(rest, ADIT_STR("<=\""));
    return !adit_str_starts(rest, ADIT_STR("content\n"));
}

static void add_attribute(struct adit_str line, struct adit_buf *out)
{
    size_t from = indent_of(line), eq = adit_str_find(line, ADIT_STR("=\""), from);
    struct adit_str name = adit_str_sub(line, from, eq);
    size_t space = adit_str_chr(name, ' ', 0); /* "xlink href" */
    if (space < name.len) name = adit_str_sub(name, space + 1, name.len);
    if (!is_kept(name)) return;
    adit_buf_add(out, adit_str_sub(line, 0, from));
    adit_buf_add(out, name);
    adit_buf_add(out, adit_str_sub(line, eq, line.len));
}

static void add_line(struct adit_str line, struct adit_buf *out)
{
    size_t i = indent_of(line);
    bool svg = i && adit_str_starts(adit_str_sub(line, i, line.len), ADIT_STR("<svg "));
    for (size_t k = 0; k < line.len; k++)
        adit_buf_byte(out, svg ? adit_lower(line.p[k]) : line.p[k]);
}

static void normalise(struct adit_str s, struct adit_buf *out)
{
    bool text = false;
    for (size_t i = 0; i < s.len;) {
        struct adit_str line = adit_str_sub(s, i, line_end(s, i, false));
        if (!text && is_attribute(line)) {
            struct adit_str lines[64];
            size_t ends[64], n = 0;
            struct adit_buf sorted;
            adit_buf_init(&sorted, tap_mem, 1 << 20);
            while (i < s.len && n < 64 && is_attribute(adit_str_sub(s, i, s.len))) {
                size_t end = line_end(s, i, true);
                add_attribute(adit_str_sub(s, i, end), &sorted);
                ends[n++] = sorted.len, i = end;
            }
            for (size_t k = 0; k < n; k++)
                lines[k] = adit_str_sub(adit_buf_str(&sorted), k ? ends[k - 1] : 0, ends[k]);
            dump_sorted(out, lines, n);
            adit_buf_free(&sorted);
            continue;
        }
        size_t in = indent_of(line);
        if (!text && in < line.len && line.p[in] == '"') text = true;
        if (text && line.len > 1 && line.p[line.len - 2] == '"' && (in + 2 < line.len || !in))
            text = false;
        add_line(line, out);
        i += line.len;
    }
}

/* --- running ------------------------------------------------------------------------------------ */

/* Where the standard has moved on since the tests were written: trees of our own, each behind a
 * line "#test FILE NUMBER". */
static struct adit_str moved_on;

static bool find_moved(const char *file, size_t number, struct adit_str *tree)
{
    char line[128];
    int n = snprintf(line, sizeof line, "#test %s %zu\n", file, number);
    size_t at = adit_str_find(moved_on, adit_str_of(line, (size_t)n), 0);
    if (at == moved_on.len) return false;
    at += (size_t)n;
    *tree = adit_str_sub(moved_on, at, adit_str_find(moved_on, ADIT_STR("#test "), at));
    return true;
}

static bool run(const struct test *t, const char *file, size_t number)
{
    struct adit_str tree = t->document;
    adit_buf_clear(&got), adit_buf_clear(&want);
    if (adit_parse_page(p, t->data) != ADIT_OK) return false;
    dump_tree(p, &got);
    count.excepted += find_moved(file, number, &tree);
    normalise(tree, &want);
    while (want.len && want.p[want.len - 1] == '\n') want.len--;
    adit_buf_byte(&want, '\n');
    return adit_str_eq(adit_buf_str(&got), adit_buf_str(&want));
}

static void show(const char *label, size_t number, struct adit_str s)
{
    printf("# %s %zu:\n", label, number);
    for (struct adit_str line; adit_str_split(&s, '\n', &line);)
        printf("# %.*s\n", (int)line.len, line.p);
}

static void run_file(const char *path, const char *file)
{
    struct adit_str all = tap_read(path);
    bool right = true;
    size_t number = 0;
    for (size_t i = 0; i < all.len;) {
        size_t next = adit_str_find(all, ADIT_STR("\n\n#data\n"), i);
        if (next < all.len) next += 2;
        struct test t = read_test(adit_str_sub(all, i, next));
        i = next;
        count.all++, number++;
        if (t.fragment || t.scripting) {
            count.fragments += t.fragment;
            count.scripting += t.scripting && !t.fragment;
            continue;
        }
        if (run(&t, file, number)) {
            count.passed++;
            continue;
        }
        right = false;
        show(file, number, t.data);
        show("expected", number, adit_buf_str(&want)), show("got", number, adit_buf_str(&got));
    }
    ok(right && all.len, path);
    free((void *)(uintptr_t)all.p);
}

static void run_folder(const char *name, bool scripted)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (!adit_str_ends(adit_str_z(e->d_name), ADIT_STR(".dat"))) continue;
        snprintf(path, sizeof path, "%s/%s/%s", folder, name, e->d_name);
        if (!scripted) {
            run_file(path, e->d_name);
            continue;
        }
        struct adit_str all = tap_read(path);
        for (size_t i = 0; i < all.len; i++) {
            i = adit_str_find(all, ADIT_STR("#data\n"), i);
            size_t n = i < all.len;
            count.all += n, count.scripting += n;
        }
        free((void *)(uintptr_t)all.p);
    }
    if (dir) closedir(dir);
}

TEST(trees)
{
    p = adit_html_new(tap_mem);
    moved_on = tap_read("shared/html/tests/cases/moved-on.txt");
    adit_buf_init(&got, tap_mem, 16 << 20), adit_buf_init(&want, tap_mem, 16 << 20);
    run_folder("webkit", false);
    run_folder("go", false);
    run_folder("webkit/scripted", true);
    if (count.all) {
        printf("# %zu tests: %zu passed, %zu of them with trees of our own; not ours: %zu of "
               "fragments, %zu of scripts\n",
               count.all, count.passed, count.excepted, count.fragments, count.scripting);
        eq_int(count.all, 1727, "every test was read");
        eq_int(count.passed + count.fragments + count.scripting, count.all, "none is left over");
    } else {
        tap_skip("html5lib's tests", "not unpacked");
    }
    adit_buf_free(&got), adit_buf_free(&want);
    adit_html_free(p);
    free((void *)(uintptr_t)moved_on.p);
}

RUN_TESTS(trees)
