/* The documents of a feed: the newest entries, and archives of older ones (RFC 5005). */
#include "batch/feed/feed.h"
#include "batch/io/io.h"
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DOCUMENT_MAX = 512 << 20 };

bool feed_own(const char *path)
{
    char *folder = output_folder(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool ok = fd >= 0 && below_drop_link(fd, cli_base_name(path));
    if (!ok) cli_say(path, "%s", strerror(errno));
    if (fd >= 0) close(fd);
    free(folder);
    return ok;
}

/* The archive number k (from 1) of a feed: feed.xml, feed-0001.xml; the caller frees it. */
static char *archive_path(const char *path, uint64_t k)
{
    const char *dot = strrchr(cli_base_name(path), '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    char *result;
    int n =
        asprintf(&result, "%.*s-%04llu%s", (int)stem, path, (unsigned long long)k, dot ? dot : "");
    return n < 0 ? NULL : result;
}

/* The link to a document: beside the feed's own URL, or relative. */
static void add_link(struct adit_buf *out, const struct feed_place *p, const char *path)
{
    size_t slash = p->url.len;
    while (slash > 0 && p->url.p[slash - 1] != '/') slash--;
    adit_buf_add(out, adit_str_sub(p->url, 0, slash));
    adit_buf_lit(out, cli_base_name(path));
}

/* A feed without entries has no date of its own. */
static struct adit_str newest(const struct adit_atom_entry *v, size_t n)
{
    struct adit_str best = ADIT_STR("1970-01-01T00:00:00Z");
    struct adit_time at = {0}, t;
    for (size_t i = 0; i < n; i++)
        if (adit_time_parse(v[i].updated, &t) && (!i || adit_time_cmp(at, t) < 0))
            best = v[i].updated, at = t;
    return best;
}

static void build(struct adit_buf *out, const struct feed_record *r, const struct feed_place *p,
                  const char *path, uint64_t older, const struct adit_atom_entry *v, size_t n)
{
    struct adit_buf self, current, before;
    struct adit_buf *const bufs[] = {&self, &current, &before};
    char *archive = older ? archive_path(p->path, older) : NULL;
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++)
        adit_buf_init(bufs[i], cli_mem, ADIT_LIMIT_url_bytes + 4096);
    if (p->url.len) add_link(&self, p, path); /* RFC 4287: an address, which a bare name is not */
    if (path != p->path) add_link(&current, p, p->path);
    if (archive) add_link(&before, p, archive);
    struct adit_atom_feed feed = {
        .id = r->id,
        .title = r->title,
        .updated = newest(v, n),
        .author = r->author,
        .self = adit_buf_str(&self),
        .alternate = r->id,
        .generator_version = ADIT_STR(ADIT_VERSION),
        .older = adit_buf_str(&before),
        .current = adit_buf_str(&current),
        .hub = path == p->path ? p->hub : (struct adit_str){0},
    };
    struct adit_feed_writer w = {.out = out};
    p->format->head(&w, &feed);
    for (size_t i = 0; i < n; i++) p->format->entry(&w, &v[i]);
    p->format->tail(&w);
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    free(archive);
}

/* A file that has not changed keeps its date, for those who ask If-Modified-Since. */
static bool is_current(const char *path, struct adit_str bytes)
{
    struct adit_buf old;
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size != bytes.len)
        return false;
    adit_buf_init(&old, cli_mem, bytes.len);
    bool same = cli_read(path, &old) && adit_str_eq(adit_buf_str(&old), bytes);
    adit_buf_free(&old);
    return same;
}

static bool document(const struct feed_record *r, const struct feed_place *p, const char *path,
                     uint64_t older, const struct adit_atom_entry *v, size_t n, struct file_set *to)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, DOCUMENT_MAX);
    build(&b, r, p, path, older, v, n);
    bool own = p->own || path != p->path, ok = !b.err && (!own || feed_own(path));
    if (ok && (strcmp(path, "-") == 0 || !is_current(path, adit_buf_str(&b)))) {
        struct output *out = output_open(path, NULL);
        ok = out && output_write(out, adit_buf_str(&b));
        ok = files_add(to, out) && ok;
    }
    adit_buf_free(&b);
    return ok;
}

bool feed_write(struct feed_record *r, const struct feed_place *p, struct file_set *to)
{
    bool ok = true;
    while (ok && r->n_entries > p->limit) {
        size_t n = p->limit > 1 ? p->limit / 2 : 1;
        char *path = archive_path(p->path, r->archives + 1);
        ok = path && document(r, p, path, r->archives, r->entries + r->n_entries - n, n, to);
        free(path);
        r->archives++;
        r->n_entries -= n;
    }
    return ok && document(r, p, p->path, r->archives, r->entries, r->n_entries, to);
}
