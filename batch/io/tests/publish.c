/* Slow: Publications below a folder: new ones wait for each other, whole ones only; files that are put away
 * early; bytes that wait for what stands before them. */
#include "batch/io/io.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const files[] = {"*.txt", NULL}, *const folders[] = {"*", NULL};
static const struct publish_names names = {files, folders};
static const char *folder;

static const char *in_folder(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
static bool there(const char *name) { return access(in_folder(name), F_OK) == 0; }

/* Puts n files into the publication; then commits one more, or gives up. */
static bool site(struct publish *top, const char *name, unsigned n, bool whole)
{
    char file[40];
    struct file_set last = {0};
    struct publish *p = publish_below(top, adit_str_z(name));
    bool ok = p != NULL;
    for (unsigned i = 0; ok && i < n; i++) {
        snprintf(file, sizeof file, "%u.txt", i);
        struct output *out = publish_output(p, file, NULL);
        ok = out && output_write(out, adit_str_z(name)) && publish_put(p, out);
    }
    if (ok && whole)
        ok = publish_file(p, "last.txt", ADIT_STR("last"), &last) && publish_commit(p, &last);
    publish_close(p);
    return ok;
}

TEST(new_folders)
{
    struct publish *top = publish_open(in_folder("top"), &names);
    ok(top && site(top, "a", 2, true) && site(top, "b", 2, false) && site(top, "c", 0, true),
       "three new folders, one of them given up");
    ok(!there("top/a") && there("top/.adit"), "they wait");
    ok(site(top, "a", 1, true) && there("top/a/1.txt") && there("top/c/last.txt"),
       "for one that is begun again: it is there then");
    ok(!there("top/b") && !there("top/.adit"), "what was given up is nowhere");
    ok(site(top, "d", 1, true) && site(top, "e", 1, false) && publish_settle(top) &&
           there("top/d/last.txt"),
       "or until they are told");
    ok(!there("top/e") && !there("top/.adit"), "again without what was given up");
    ok(site(top, "f", 1, true) && !there("top/f"), "one waits");
    publish_close(top);
    ok(!there("top/f") && !there("top/.adit"), "in vain: nobody has committed it");
}

TEST(many)
{
    struct publish *top = publish_open(in_folder("many"), &names);
    char name[20];
    bool good = top != NULL;
    unsigned first = 0;
    for (unsigned i = 0; good && i < 60; i++) {
        snprintf(name, sizeof name, "many/h%u", i);
        good = site(top, name + 5, 99, true);
        if (!first && there(name)) first = i;
    }
    ok(good && first == 40 && there("many/h0/98.txt"), "4096 files are enough to wait for");
    ok(!there("many/h50"), "later ones wait anew");
    struct file_set own = {0};
    ok(publish_file(top, "own.txt", ADIT_STR("own"), &own) && publish_commit(top, &own),
       "a commit of the folder above");
    ok(there("many/own.txt") && there("many/h59/last.txt"), "takes them along");
    publish_close(top);
}

/* More files than the process may have open, and none of them before the commit. */
TEST(early)
{
    struct rlimit limit = {64, 64};
    char name[20];
    struct publish *p = publish_open(in_folder("early"), &names);
    bool good = p && setrlimit(RLIMIT_NOFILE, &limit) == 0;
    for (unsigned i = 0; good && i < 200; i++) {
        snprintf(name, sizeof name, "%u.txt", i);
        struct output *out = publish_output(p, name, NULL);
        good = out && (i != 7 || publish_rename(p, out, "seven.txt")) && publish_put(p, out);
    }
    ok(good, "200 files with 64 open ones");
    ok(!there("early/0.txt"), "none is there yet");
    ok(publish_settle(p) && !there("early/0.txt"), "nor are they others'");
    struct file_set last = {0};
    ok(publish_file(p, "last.txt", ADIT_STR("last"), &last) && publish_commit(p, &last) &&
           there("early/0.txt") && there("early/199.txt") && there("early/last.txt"),
       "but with the commit");
    ok(there("early/seven.txt") && !there("early/7.txt"), "by the name that was given last");
    publish_close(p);
    p = publish_open(in_folder("early"), &names);
    struct output *out = p ? publish_output(p, "0.txt", NULL) : NULL;
    ok(out && output_write(out, ADIT_STR("new")) && publish_put(p, out), "one more");
    publish_close(p);
    struct adit_str seen = tap_read(in_folder("early/0.txt"));
    eq_str(seen, ADIT_STR(""), "without a commit changes nothing");
    free((void *)(uintptr_t)seen.p);
    ok(!there("early/.adit"), "and leaves nothing");
}

static bool spooled(size_t len, size_t part)
{
    struct spool s;
    char *bytes = malloc(len + 1);
    for (size_t i = 0; i < len; i++) bytes[i] = (char)('a' + i % 26 + i / 1000 % 5);
    spool_init(&s, folder);
    bool good = true;
    for (size_t at = 0; good && at < len; at += part)
        good = spool_add(&s, adit_str_sub(adit_str_of(bytes, len), at, at + part));
    struct output *out = output_open(in_folder("spooled"), NULL);
    good = good && s.len == len && spool_copy(&s, out);
    good = output_commit(out) && good;
    spool_free(&s);
    struct adit_str seen = tap_read(in_folder("spooled"));
    good = good && adit_str_eq(seen, adit_str_of(bytes, len));
    free((void *)(uintptr_t)seen.p);
    free(bytes);
    return good;
}

TEST(spool)
{
    ok(spooled(0, 1), "nothing");
    ok(spooled(1000, 7), "a little");
    ok(spooled(256 << 10, 4096), "as much as memory holds");
    ok(spooled((256 << 10) + 1, 4096), "a byte more");
    ok(spooled(3000000, 300000), "pieces that are larger");
    ok(spooled(3000000, 999), "and smaller");
    struct spool s;
    spool_init(&s, "/nowhere/at/all");
    char many[8192] = {0};
    bool good = true;
    for (int i = 0; i < 100; i++) good = spool_add(&s, adit_str_of(many, sizeof many)) && good;
    ok(!good, "a folder that is not there");
    spool_free(&s);
}

int main(void)
{
    static char name[] = "/tmp/adit-publish-XXXXXX";
    folder = mkdtemp(name);
    if (!folder || !freopen("/dev/null", "w", stderr)) return 1;
    new_folders();
    many();
    spool();
    early(); /* the last one: it lowers a limit */
    printf("1..%d\n", tap_count);
    char clean[4200];
    snprintf(clean, sizeof clean, "rm -rf '%s'", folder);
    return system(clean) != 0 || tap_failed != 0;
}
