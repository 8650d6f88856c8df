/* Names from input and files below a folder: nothing leads out, no link is followed. */
#include "batch/io/io.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(names)
{
    static const char *const reserved[] = {"report.json", "con", NULL};
    static const char *const good[] = {
        "example.com",
        "xn--bcher-kva.example",
        "127.0.0.1:8080",
        "[::1]",
        "[2001:db8::1]:443",
        "_dmarc.example.com",
        "a",
        "0123456789abcdef",
        "example.com.",
        "report.json.example",
    };
    static const char *const bad[] = {
        "",
        ".",
        "..",
        ".adit",
        "...",
        "a/b",
        "/a",
        "a\\b",
        "..\\x",
        "%2e%2e",
        "a%2fb",
        "a%5Cb",
        "a b",
        "a\nb",
        "a\x7f"
        "b",
        "\x1b[2J",
        "report.json",
        "REPORT.JSON",
        "Con",
        "caf\xc3\xa9",
        "\xef\xbc\x8e\xef\xbc\x8e",
        "a\xe2\x88\x95"
        "b",
        "a\xc0\xaf"
        "b",
        "a*",
        "a?",
        "a|b",
        "~root/x",
        "-/..",
    };
    for (size_t i = 0; i < ADIT_COUNT(good); i++)
        ok(!below_name_fault(adit_str_z(good[i]), reserved), good[i]);
    for (size_t i = 0; i < ADIT_COUNT(bad); i++) {
        char what[64];
        snprintf(what, sizeof what, "bad name %zu is refused", i);
        ok(below_name_fault(adit_str_z(bad[i]), reserved) != NULL, what);
    }
    ok(below_name_fault(ADIT_STR("a\0b"), NULL) != NULL, "NUL is refused");
    char longest[BELOW_NAME_MAX + 1];
    memset(longest, 'a', sizeof longest);
    ok(!below_name_fault(adit_str_of(longest, BELOW_NAME_MAX), NULL), "the longest name");
    ok(below_name_fault(adit_str_of(longest, BELOW_NAME_MAX + 1), NULL) != NULL, "a byte longer");
}

/* What a path inside the folder opens: its first byte, or 0. */
static char first_byte(int folder, const char *path)
{
    char c = 0;
    int fd = below_open(folder, path, O_RDONLY, 0);
    if (fd < 0 || read(fd, &c, 1) != 1) c = 0;
    if (fd >= 0) close(fd);
    return c;
}

static void put(int folder, const char *path, const char *text)
{
    int fd = openat(folder, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) printf("# cannot write %s\n", path);
    if (fd >= 0) close(fd);
}

static void try_all(int f, const char *outside)
{
    static const char *const out[] = {"../outside/x",
                                      "a/../../outside/x",
                                      "up/x",
                                      "a/up/x",
                                      "link",
                                      "a/link",
                                      "./a/x",
                                      "a//x",
                                      "",
                                      "/etc/passwd",
                                      "a/",
                                      "a/within",
                                      "loop/x",
                                      ".."};
    ok(first_byte(f, "a/x") == 'a', "a file below");
    ok(first_byte(f, "y") == 'y', "a file in the folder");
    for (size_t i = 0; i < ADIT_COUNT(out); i++) ok(first_byte(f, out[i]) == 0, out[i]);
    ok(below_open(f, "link-new", O_WRONLY | O_CREAT, 0666) < 0, "a dangling link makes no file");
    ok(access(outside, F_OK) != 0, "nothing was made outside");
    const char *last;
    int parent = below_parent(f, "new/folder/file", true, &last);
    ok(parent >= 0 && strcmp(last, "file") == 0, "folders are made");
    if (parent >= 0) close(parent);
    ok(below_parent(f, "up/folder/file", true, &last) < 0, "but not behind a link");
    ok(below_parent(f, "../x", true, &last) < 0 && errno == EINVAL, "nor above");
    int fd = below_open(f, "a/made", O_WRONLY | O_CREAT | O_EXCL, 0666);
    ok(fd >= 0, "a file is made");
    if (fd >= 0) close(fd);
    unlinkat(f, "a/made", 0);
    ok(below_open(f, "up", O_RDONLY | O_DIRECTORY, 0) < 0 && errno == ELOOP, "a link is named so");
    ok(below_open(f, "a/up/x", O_RDONLY, 0) < 0 && errno == ELOOP, "also on the way");
    ok(below_open(f, "y", O_RDONLY | O_DIRECTORY, 0) < 0 && errno == ENOTDIR, "a file is none");
    ok(strstr(below_why(ELOOP), "link") != NULL, "in words");
    struct stat st;
    symlinkat("../outside/x", f, "own");
    ok(below_drop_link(f, "own") && fstatat(f, "own", &st, AT_SYMLINK_NOFOLLOW) != 0,
       "a link at a name of ours is removed");
    ok(below_drop_link(f, "y") && first_byte(f, "y") == 'y', "a file stays");
    ok(below_drop_link(f, "none/y"), "nothing is fine");
    ok(!below_drop_link(f, "up/x"), "behind a link nothing is removed");
    unlinkat(f, "new/folder", AT_REMOVEDIR);
    unlinkat(f, "new", AT_REMOVEDIR);
}

TEST(files)
{
    char top[] = "/tmp/adit-below-XXXXXX", command[128];
    if (!mkdtemp(top)) {
        ok(false, "a folder to work in");
        return;
    }
    int t = open(top, O_RDONLY | O_DIRECTORY);
    mkdirat(t, "outside", 0777);
    mkdirat(t, "in", 0777);
    mkdirat(t, "in/a", 0777);
    put(t, "outside/x", "o");
    put(t, "in/a/x", "a");
    put(t, "in/y", "y");
    symlinkat("../outside", t, "in/up");
    symlinkat("../../outside", t, "in/a/up");
    symlinkat("../outside/x", t, "in/link");
    symlinkat("../../outside/x", t, "in/a/link");
    symlinkat("x", t, "in/a/within");
    symlinkat("../outside/new", t, "in/link-new");
    symlinkat("loop", t, "in/loop");
    char outside[64];
    snprintf(outside, sizeof outside, "%s/outside/new", top);
    int f = openat(t, "in", O_RDONLY | O_DIRECTORY);
    for (int steps = 0; steps < 2; steps++) {
        below_by_steps = steps;
        try_all(f, outside);
    }
    close(f);
    close(t);
    snprintf(command, sizeof command, "rm -r %s", top);
    ok(system(command) == 0, "tidied up");
}

RUN_TESTS(names, files)
