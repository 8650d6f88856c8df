/* Pages that are files of their own, for adit page: which formats there are, what a header field says of a
 * page, which files are none, and the files of folders. Runs in WASI, too. */
#include "batch/extract/extract.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- formats ---------------------------------------------------------------------------------- */

/* What others call our formats. */
static const struct {
    const char *name, *is;
} aliases[] = {{"markdown", "md"}, {"json", "scp"}, {"txt", "text"}};

const struct adit_format *extract_find_format(const char *name)
{
    for (size_t i = 0; i < ADIT_COUNT(aliases); i++)
        if (strcmp(name, aliases[i].name) == 0) name = aliases[i].is;
    return adit_format_find(adit_str_z(name));
}

int extract_no_format(const struct cli_args *args, const char *name)
{
    char all[256] = "";
    size_t n = 0;
    struct cli_near near = {.wanted = name};
    for (const struct adit_format *f = adit_formats; f->name && n < sizeof all; f++) {
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", f->name);
        cli_near_try(&near, f->name);
    }
    for (size_t i = 0; i < ADIT_COUNT(aliases); i++) cli_near_try(&near, aliases[i].name);
    if (near.best)
        return cli_usage(args, "there is no format '%s', is it %s? There are %s", name, near.best,
                         all);
    return cli_usage(args, "there is no format '%s': %s (or markdown, json, txt)", name, all);
}

bool extract_format_is_json(const struct adit_format *f)
{
    struct adit_str type = adit_media_type(adit_str_z(f->media_type));
    return adit_str_ends(type, ADIT_STR("json"));
}

/* "md" of text/markdown: how files of that type are called. */
static const struct {
    struct adit_str type;
    const char *ending;
} endings[] = {
    {ADIT_STR_INIT("text/markdown"), ".md"},
    {ADIT_STR_INIT("text/plain"), ".txt"},
    {ADIT_STR_INIT("text/html"), ".html"},
};

const char *extract_format_ending(const struct adit_format *f)
{
    struct adit_str type = adit_media_type(adit_str_z(f->media_type));
    for (size_t i = 0; i < ADIT_COUNT(endings); i++)
        if (adit_str_eq(type, endings[i].type)) return endings[i].ending;
    return ".json";
}

/* --- what is no page ---------------------------------------------------------------------------- */

#define REFUSAL(name, text) "is no HTML, but: " text,
static const char *const refusals[ADIT_BINARY_COUNT] = {ADIT_BINARIES(REFUSAL)};

const char *extract_page_refused(struct adit_str body)
{
    int kind = adit_binary(body);
    return kind < 0 ? NULL : refusals[kind];
}

/* --- files of folders ------------------------------------------------------------------------- */

/* Names, or folders that are still to be read. */
struct names {
    char **v;
    size_t n, cap;
};

static bool add_name(struct names *l, const char *folder, const char *name)
{
    size_t len = strlen(folder) + strlen(name) + 2;
    char *both = malloc(len);
    char **v = both ? cli_grow(l->v, l->n, &l->cap, sizeof *v) : NULL;
    if (v) l->v = v;
    if (!v) {
        free(both);
        return false;
    }
    snprintf(both, len, "%s%s%s", folder, *folder ? "/" : "", name);
    l->v[l->n++] = both;
    return true;
}

static void free_names(struct names *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->v[i]);
    free(l->v);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads one folder: its HTML files go to files, its folders to folders; no link counts, nor what is
 * hidden. */
static bool list_folder(const char *root, const char *below, struct names *files,
                        struct names *folders)
{
    struct names path = {0};
    bool ok = add_name(&path, root, below);
    DIR *dir = ok ? opendir(path.v[0]) : NULL;
    if (!dir) cli_say(root, "cannot read the folder: %s", strerror(errno));
    for (struct dirent *e; dir && ok && (e = readdir(dir));) {
        struct stat st;
        if (e->d_name[0] == '.' || !add_name(&path, path.v[0], e->d_name)) continue;
        char *full = path.v[--path.n];
        if (lstat(full, &st) == 0) {
            if (S_ISDIR(st.st_mode))
                ok = add_name(folders, below, e->d_name);
            else if (S_ISREG(st.st_mode) &&
                     cli_html_stem(adit_str_z(e->d_name)) < strlen(e->d_name))
                ok = add_name(files, below, e->d_name);
        }
        free(full);
    }
    if (dir) closedir(dir);
    free_names(&path);
    return ok && dir;
}

static int each_below(const char *root, extract_each *each, void *ctx)
{
    struct names folders = {0}, files = {0}, path = {0};
    int status = CLI_OK;
    bool ok = add_name(&folders, "", ".");
    while (ok && folders.n) {
        char *below = folders.v[--folders.n];
        size_t from = folders.n;
        ok = list_folder(root, strcmp(below, ".") == 0 ? "" : below, &files, &folders);
        free(below);
        if (folders.n > from) qsort(folders.v + from, folders.n - from, sizeof(char *), by_bytes);
        if (files.n) qsort(files.v, files.n, sizeof(char *), by_bytes);
        for (size_t i = 0; i < files.n; i++) {
            path.n = 0;
            if (!add_name(&path, root, files.v[i])) break;
            int code = each(ctx, path.v[0], files.v[i]);
            if (code > status) status = code;
            free(path.v[0]);
            free(files.v[i]);
        }
        path.n = files.n = 0;
    }
    free_names(&folders);
    free_names(&files);
    free(path.v);
    return ok || status ? status : CLI_INVALID;
}

int extract_each_file(char **operands, size_t n, extract_each *each, void *ctx)
{
    int status = CLI_OK;
    for (size_t i = 0; i < n && status < CLI_USAGE; i++) {
        int code = cli_is_folder(operands[i]) ? each_below(operands[i], each, ctx)
                                              : each(ctx, operands[i], cli_base_name(operands[i]));
        if (code > status) status = code;
    }
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* The folders that a file lies in. */
static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0777); /* fails where the folder is there: opening the file tells */
        *p = '/';
    }
}

bool extract_write_file(const char *folder, struct adit_str name, const char *ending,
                        struct adit_str bytes)
{
    char path[4096], temp[4096 + 16];
    int n = snprintf(path, sizeof path, "%s/%.*s%s", folder, (int)name.len, name.p, ending);
    if (n < 0 || (size_t)n >= sizeof path) {
        cli_say(folder, "the name of an output is too long");
        return false;
    }
    make_folders(path);
    snprintf(temp, sizeof temp, "%s.adit-new", path);
    remove(temp); /* of a run that was killed; or a link, which is not followed */
    FILE *f = fopen(temp, "wbx");
    bool ok = f && (!bytes.len || fwrite(bytes.p, 1, bytes.len, f) == bytes.len);
    int why = errno;
    if (f && fclose(f) != 0 && ok) ok = false, why = errno;
    if (ok && rename(temp, path) != 0) ok = false, why = errno;
    if (!ok) {
        cli_say(path, "cannot write: %s", strerror(why));
        if (f) remove(temp);
    }
    return ok;
}

/* "a/index.html" is a/, "a/b.html" stays. */
void extract_file_url(struct adit_str base, const char *name, struct adit_buf *url)
{
    struct adit_str path = adit_str_z(name);
    size_t slash = path.len;
    while (slash && path.p[slash - 1] != '/') slash--;
    if (adit_str_istarts(adit_str_sub(path, slash, path.len), ADIT_STR("index."))) path.len = slash;
    adit_buf_add(url, base);
    if (!adit_str_ends(base, ADIT_STR("/"))) adit_buf_byte(url, '/');
    adit_buf_escape(url, path, ADIT_PATH_PLAIN);
}
