/* The store: opening, locking, reading. */
#include "batch/archive/archive_impl.h"
#include "batch/io/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool archive_fail(struct archive *a, const char *key, const char *why)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", a->dir, key);
    cli_say(path, "%s", why);
    a->failed = true;
    return false;
}

const char *archive_dir(const struct archive *a) { return a->dir; }

/* --- opening ---------------------------------------------------------------------------------- */

static void release(struct archive *a)
{
    if (a->fd >= 0) close(a->fd);
    if (a->lock >= 0) close(a->lock);
    if (a->own >= 0) close(a->own);
    struct adit_buf *const bufs[] = {&a->journal, &a->events, &a->scratch, &a->file};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    if (a->inflate) libdeflate_free_decompressor(a->inflate);
    free(a->dir);
    free(a);
}

static struct archive *new_archive(const char *dir)
{
    struct archive *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->fd = a->lock = a->own = -1;
    a->dir = strdup(dir);
    a->inflate = libdeflate_alloc_decompressor();
    adit_buf_init(&a->journal, cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_init(&a->events, cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_init(&a->scratch, cli_mem, 1 << 16);
    adit_buf_init(&a->file, cli_mem, ARCHIVE_FILE_MAX);
    if (a->dir && a->inflate) return a;
    release(a);
    return NULL;
}

static bool open_folder(struct archive *a)
{
    a->fd = open(a->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (a->fd >= 0) return true;
    cli_say(a->dir, "%s", strerror(errno));
    return false;
}

static bool has_marker(const struct archive *a)
{
    struct stat st;
    return fstatat(a->fd, ARCHIVE_MARKER, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

struct archive *archive_open(const char *dir)
{
    struct archive *a = new_archive(dir);
    if (a && open_folder(a)) {
        if (has_marker(a)) return a;
        cli_say(dir, "is not an archive (it has no " ARCHIVE_MARKER ")");
    }
    if (a) release(a);
    return NULL;
}

/* --- opening for writing ---------------------------------------------------------------------- */

/* A folder with other files in it is refused: an archive is never mixed with them. */
static bool is_empty(const struct archive *a)
{
    bool empty = true;
    int fd = openat(a->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (!d) return false;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && strncmp(e->d_name, ARCHIVE_MARKER, strlen(ARCHIVE_MARKER)) != 0)
            empty = false;
    closedir(d);
    return empty;
}

/* Links are followed nowhere in an archive: the folders that every run needs are tried here, before
 * anything is changed. */
static bool open_own(struct archive *a)
{
    static const char *const others[] = {"objects", "artifacts"};
    if (mkdirat(a->fd, ARCHIVE_OWN, 0777) != 0 && errno != EEXIST)
        return archive_fail(a, ARCHIVE_OWN, strerror(errno));
    a->own = below_open(a->fd, ARCHIVE_OWN, O_RDONLY | O_DIRECTORY, 0);
    if (a->own < 0) return archive_fail(a, ARCHIVE_OWN, below_why(errno));
    for (size_t i = 0; i < ADIT_COUNT(others); i++) {
        int fd = below_open(a->fd, others[i], O_PATH | O_DIRECTORY, 0);
        if (fd < 0 && errno != ENOENT) return archive_fail(a, others[i], below_why(errno));
        if (fd >= 0) close(fd);
    }
    return true;
}

static bool take_lock(struct archive *a)
{
    a->lock = below_open(a->own, "lock", O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY, 0666);
    if (a->lock < 0) return archive_fail(a, ARCHIVE_LOCK, below_why(errno));
    if (flock(a->lock, LOCK_EX | LOCK_NB) == 0) return true;
    cli_say(a->dir, "another adit archive is at work here; waiting for it");
    while (flock(a->lock, LOCK_EX) != 0)
        if (errno != EINTR) return archive_fail(a, ARCHIVE_LOCK, strerror(errno));
    return true;
}

struct archive *archive_open_write(const char *dir, bool events)
{
    size_t made;
    struct archive *a = below_make(dir, &made) ? new_archive(dir) : NULL;
    if (!a) return NULL;
    a->writing = true;
    a->events_on = events;
    bool good = open_folder(a);
    if (good && !has_marker(a) && !is_empty(a)) {
        cli_say(dir, "is neither an archive nor empty: give another folder");
        good = false;
    }
    if (good && open_own(a) && take_lock(a) && (has_marker(a) || archive_write_marker(a)) &&
        archive_recover(a))
        return a;
    release(a);
    return NULL;
}

bool archive_lock_shared(struct archive *a)
{
    a->lock = below_open(a->fd, ARCHIVE_LOCK, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (a->lock < 0) return errno != ELOOP || archive_fail(a, ARCHIVE_LOCK, below_why(errno));
    if (flock(a->lock, LOCK_SH | LOCK_NB) == 0) return true;
    cli_say(a->dir, "an adit archive is at work here; waiting for it");
    while (flock(a->lock, LOCK_SH) != 0 && errno == EINTR) continue;
    return true;
}

enum archive_found archive_unfinished(struct archive *a) { return archive_journal(a, &a->journal); }

bool archive_close(struct archive *a)
{
    if (!a) return true;
    bool good = !a->failed;
    if (a->writing && good) {
        good = archive_commit(a);
        /* The moves are durable before the journal goes. */
        if (good && a->journal_there && (syncfs(a->fd) != 0 || unlinkat(a->own, "journal", 0) != 0))
            good = archive_fail(a, ARCHIVE_JOURNAL, strerror(errno));
        if (good) archive_clear_stage(a);
    }
    release(a);
    return good;
}

void archive_discard(struct archive *a)
{
    if (!a) return;
    a->failed = true;
    archive_close(a);
}

/* --- reading ---------------------------------------------------------------------------------- */

static const char *zero_ended(struct archive *a, struct adit_str key)
{
    adit_buf_clear(&a->scratch);
    adit_buf_add(&a->scratch, key);
    adit_buf_byte(&a->scratch, '\0');
    return a->scratch.err ? "" : a->scratch.p;
}

enum archive_found archive_read(struct archive *a, struct adit_str key, struct adit_buf *buf)
{
    const char *path = zero_ended(a, key);
    adit_buf_clear(buf);
    int fd = below_open(a->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) return ARCHIVE_ABSENT;
    struct stat st = {0};
    ssize_t n = -1;
    bool file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (file && adit_buf_reserve(buf, (size_t)st.st_size + 1))
        while ((n = read(fd, buf->p + buf->len, buf->cap - buf->len)) > 0) {
            buf->len += (size_t)n;
            if (buf->len == buf->cap && !adit_buf_reserve(buf, 4096)) break;
        }
    int why = errno;
    if (fd >= 0) close(fd);
    if (n == 0) return ARCHIVE_FOUND;
    archive_fail(a, path,
                 buf->err           ? "too large"
                 : fd >= 0 && !file ? "is no file"
                                    : below_why(why));
    return ARCHIVE_BROKEN;
}

/* The length that a gzip file states of its contents, in its last four bytes. */
static size_t stated_length(struct adit_str gz)
{
    size_t n = 0;
    for (size_t i = 0; i < 4 && gz.len >= 4; i++)
        n |= (size_t)(unsigned char)gz.p[gz.len - 4 + i] << (8 * i);
    return n;
}

static bool inflate_all(struct archive *a, struct adit_str gz, struct adit_buf *buf)
{
    size_t want = stated_length(gz), got = 0;
    if (gz.len < 18 || !adit_buf_reserve(buf, want + 1)) return false;
    if (libdeflate_gzip_decompress(a->inflate, gz.p, gz.len, buf->p, want, &got) !=
            LIBDEFLATE_SUCCESS ||
        got != want)
        return false;
    buf->len = got;
    return true;
}

bool archive_inflate(struct archive *a, struct adit_str gz, struct adit_buf *buf)
{
    adit_buf_clear(buf);
    return inflate_all(a, gz, buf) || archive_fail(a, ARCHIVE_STAGE, "damaged gzip data");
}

enum archive_found archive_object(struct archive *a, const uint8_t sha[ADIT_SHA256_LEN],
                                  enum adit_spp_coding coding, struct adit_buf *buf)
{
    char space[128];
    struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_spp_object_key(&key, sha, coding);
    bool gzip = coding == ADIT_SPP_GZIP;
    enum archive_found found = archive_read(a, adit_buf_str(&key), gzip ? &a->file : buf);
    if (found != ARCHIVE_FOUND) return found;
    uint8_t real[ADIT_SHA256_LEN];
    adit_buf_byte(&key, '\0');
    if (gzip) adit_buf_clear(buf);
    if (gzip && !inflate_all(a, adit_buf_str(&a->file), buf)) {
        archive_fail(a, key.p, "is damaged: not a gzip file");
        return ARCHIVE_BROKEN;
    }
    adit_sha256_of(adit_buf_str(buf), real);
    if (memcmp(real, sha, sizeof real) == 0) return ARCHIVE_FOUND;
    archive_fail(a, key.p, "is damaged: its bytes have another hash");
    return ARCHIVE_BROKEN;
}

static enum archive_found document(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                   uint64_t number, struct adit_arena *arena, struct adit_str *text,
                                   char *path, size_t path_max)
{
    struct adit_buf key = {.p = path, .cap = path_max, .max = path_max - 1};
    adit_spp_artifact_key(&key, uuid);
    if (number) {
        adit_buf_u64(&key, number);
        adit_buf_lit(&key, "/" ADIT_SPP_MANIFEST);
    } else {
        adit_buf_lit(&key, ADIT_SPP_VERSIONS);
    }
    path[key.len] = '\0';
    enum archive_found found = archive_read(a, adit_buf_str(&key), &a->file);
    bool ok = true;
    if (found == ARCHIVE_FOUND) *text = adit_arena_dup(arena, adit_buf_str(&a->file), &ok);
    return ok ? found : ARCHIVE_BROKEN;
}

enum archive_found archive_versions(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                    struct adit_arena *arena, struct adit_spp_version **v,
                                    size_t *n)
{
    char path[160];
    struct adit_str text;
    struct adit_error err;
    *n = 0;
    enum archive_found found = document(a, uuid, 0, arena, &text, path, sizeof path);
    if (found != ARCHIVE_FOUND) return found;
    if (adit_spp_versions_read(text, arena, v, n, &err) == ADIT_OK) return ARCHIVE_FOUND;
    archive_fail(a, path, err.msg);
    return ARCHIVE_BROKEN;
}

enum archive_found archive_manifest(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                    uint64_t number, struct adit_arena *arena,
                                    struct adit_spp_manifest *m)
{
    return archive_manifest_text(a, uuid, number, arena, m, NULL);
}

enum archive_found archive_manifest_text(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                         uint64_t number, struct adit_arena *arena,
                                         struct adit_spp_manifest *m, struct adit_str *stored)
{
    char path[160];
    struct adit_str text;
    struct adit_error err;
    enum archive_found found = document(a, uuid, number, arena, &text, path, sizeof path);
    if (found != ARCHIVE_FOUND) return found;
    if (stored) *stored = text;
    if (adit_spp_manifest_read(text, arena, m, &err) == ADIT_OK) return ARCHIVE_FOUND;
    archive_fail(a, path, err.msg);
    return ARCHIVE_BROKEN;
}
