/* Walking a folder of HTML files. */
#include "batch/crawl/crawl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tree {
    FTS *fts;
    char *root; /* real path, for links */
    size_t dir_len;
    bool strip;
    struct adit_buf base, url;
};

/* By name, so that two runs read in the same order. */
static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

FTS *crawl_walk(const char *dir)
{
    char *const paths[] = {(char *)dir, NULL};
    return fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
}

struct tree *tree_open(const char *dir, struct adit_str base_url, bool strip)
{
    struct tree *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->root = realpath(dir, NULL);
    t->fts = crawl_walk(dir);
    t->strip = strip;
    adit_buf_init(&t->base, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_add(&t->base, base_url);
    if (!adit_str_ends(base_url, ADIT_STR("/"))) adit_buf_byte(&t->base, '/');
    t->dir_len = strlen(dir);
    while (t->dir_len > 1 && dir[t->dir_len - 1] == '/') t->dir_len--;
    adit_buf_init(&t->url, cli_mem, ADIT_LIMIT_url_bytes);
    if (t->root && t->fts) return t;
    cli_say(dir, "cannot read the folder: %s", strerror(errno));
    tree_close(t);
    return NULL;
}

void tree_close(struct tree *t)
{
    if (!t) return;
    if (t->fts) fts_close(t->fts);
    adit_buf_free(&t->base);
    adit_buf_free(&t->url);
    free(t->root);
    free(t);
}

/* A link counts if it leads to a file inside the tree. */
static bool link_inside(const struct tree *t, const char *path, struct stat *st)
{
    char *real = realpath(path, NULL);
    size_t n = strlen(t->root);
    bool inside = real && strncmp(real, t->root, n) == 0 && real[n] == '/' && stat(path, st) == 0 &&
                  S_ISREG(st->st_mode);
    free(real);
    return inside;
}

static bool set_url(struct tree *t, struct adit_str path, struct adit_str name, size_t stem)
{
    adit_buf_clear(&t->url);
    adit_buf_add(&t->url, adit_buf_str(&t->base));
    size_t folder = path.len - name.len, cut = 0;
    if (stem < name.len && adit_str_ieq(adit_str_sub(name, 0, stem), ADIT_STR("index")))
        cut = name.len;
    else if (t->strip)
        cut = name.len - stem;
    adit_buf_escape(&t->url, adit_str_sub(path, 0, folder + name.len - cut), ADIT_PATH_PLAIN);
    return !t->url.err;
}

bool tree_next(struct tree *t, struct tree_file *file)
{
    for (FTSENT *e; (e = fts_read(t->fts));) {
        struct stat st;
        if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS) {
            cli_say(e->fts_path, "cannot read: %s", strerror(e->fts_errno));
            continue;
        }
        if (e->fts_info == FTS_F)
            st = *e->fts_statp;
        else if (e->fts_info != FTS_SL || !link_inside(t, e->fts_path, &st))
            continue;
        struct adit_str name = adit_str_z(e->fts_name), path = adit_str_z(e->fts_path);
        path = adit_str_sub(path, t->dir_len + 1, path.len);
        size_t stem = cli_html_stem(name);
        bool bare = adit_str_chr(name, '.', 0) == name.len;
        if ((stem == name.len && !bare) || !set_url(t, path, name, stem)) continue;
        *file = (struct tree_file){
            .path = e->fts_accpath,
            .url = adit_buf_str(&t->url),
            .modified = {(int64_t)st.st_mtim.tv_sec, 0},
            .known_html = !bare,
        };
        return true;
    }
    return false;
}
