/* Writing in batches: staged files, the journal that commits them, and recovery. */
#include "batch/archive_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A batch is committed when it has this many files or bytes. */
enum { BATCH_FILES = 16384, BATCH_BYTES = 256 << 20, STAGE_FOLDER = 1024 };

/* --- staging ------------------------------------------------------------------------------------
 */

static void stage_path(char *out, size_t max, uint64_t n)
{
    snprintf(out, max, ARCHIVE_STAGE "/%llu/%llu", (unsigned long long)(n / STAGE_FOLDER),
             (unsigned long long)n);
}

/* mkdir -p of the folder that a file is in, the deepest first: most often the others are there. */
static bool make_parents(struct archive *a, const char *path)
{
    char part[256];
    size_t len = strlen(path), top = 0;
    if (len >= sizeof part) return archive_fail(a, path, "its name is too long");
    memcpy(part, path, len + 1);
    for (char *slash; !top && (slash = strrchr(part, '/'));) {
        *slash = '\0';
        if (mkdirat(a->fd, part, 0777) == 0 || errno == EEXIST)
            top = strlen(part);
        else if (errno != ENOENT)
            return archive_fail(a, part, strerror(errno));
    }
    for (const char *p = path + top; (p = strchr(p + 1, '/'));) {
        len = (size_t)(p - path);
        memcpy(part, path, len);
        part[len] = '\0';
        if (mkdirat(a->fd, part, 0777) != 0 && errno != EEXIST)
            return archive_fail(a, part, strerror(errno));
    }
    return true;
}

static int open_new(struct archive *a, const char *path)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    int fd = openat(a->fd, path, flags, 0666);
    if (fd < 0 && errno == ENOENT && make_parents(a, path)) fd = openat(a->fd, path, flags, 0666);
    return fd;
}

static bool write_file(struct archive *a, const char *path, struct adit_str bytes, bool sync)
{
    int fd = open_new(a, path);
    if (fd < 0) return archive_fail(a, path, strerror(errno));
    bool good = true;
    while (good && bytes.len) {
        ssize_t n = write(fd, bytes.p, bytes.len);
        if (n > 0)
            bytes = adit_str_sub(bytes, (size_t)n, bytes.len);
        else if (n == 0 || errno != EINTR)
            good = archive_fail(a, path, n == 0 ? "no room" : strerror(errno));
    }
    if (good && sync && fsync(fd) != 0) good = archive_fail(a, path, strerror(errno));
    if (close(fd) != 0 && good) good = archive_fail(a, path, strerror(errno));
    return good;
}

/* A file that is replaced at once: written beside the stage, durable, moved. */
static bool replace_file(struct archive *a, const char *path, struct adit_str bytes)
{
    static const char fresh[] = ARCHIVE_OWN "/new";
    if (!write_file(a, fresh, bytes, true)) return false;
    return renameat(a->fd, fresh, a->fd, path) == 0 || archive_fail(a, path, strerror(errno));
}

bool archive_write_marker(struct archive *a)
{
    return replace_file(a, ARCHIVE_MARKER,
                        ADIT_STR("{\"layout\":1,\"spec\":\"spp/enrichment-and-versioning\","
                                 "\"specVersion\":\"0.4\"}\n"));
}

bool archive_put(struct archive *a, struct adit_str key, struct adit_str bytes)
{
    char path[96];
    stage_path(path, sizeof path, a->next_staged);
    if (a->failed || !write_file(a, path, bytes, false)) return false;
    adit_buf_lit(&a->journal, "M ");
    adit_buf_u64(&a->journal, a->next_staged++);
    adit_buf_byte(&a->journal, ' ');
    adit_buf_add(&a->journal, key);
    adit_buf_byte(&a->journal, '\n');
    a->n_staged++;
    a->staged_bytes += bytes.len;
    return true;
}

bool archive_put_object(struct archive *a, const uint8_t sha[ADIT_SHA256_LEN],
                        enum adit_spp_coding coding, struct adit_str stored)
{
    char space[128];
    struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_spp_object_key(&key, sha, coding);
    space[key.len] = '\0';
    return faccessat(a->fd, space, F_OK, 0) == 0 || archive_put(a, adit_buf_str(&key), stored);
}

bool archive_remove(struct archive *a, struct adit_str key)
{
    adit_buf_lit(&a->journal, "D ");
    adit_buf_add(&a->journal, key);
    adit_buf_byte(&a->journal, '\n');
    return true;
}

void archive_event(struct archive *a, enum adit_spp_event event, const struct adit_spp_manifest *m)
{
    if (!a->events_on) return;
    adit_buf_lit(&a->events, "E ");
    adit_spp_event_write(event, m, &a->events);
}

static struct adit_str document_key(const char uuid[ADIT_SPP_UUID], uint64_t number,
                                    struct adit_buf *key)
{
    adit_spp_artifact_key(key, uuid);
    if (number) {
        adit_buf_u64(key, number);
        adit_buf_lit(key, "/" ADIT_SPP_MANIFEST);
    } else {
        adit_buf_lit(key, ADIT_SPP_VERSIONS);
    }
    return adit_buf_str(key);
}

/* Puts the bytes in which the two texts, of one length, differ into the journal. JSON has no bare
 * line ends. */
static bool change_in_place(struct archive *a, struct adit_str key, struct adit_str old_text,
                            struct adit_str new_text)
{
    size_t from = 0, to = new_text.len;
    while (from < to && old_text.p[from] == new_text.p[from]) from++;
    while (to > from && old_text.p[to - 1] == new_text.p[to - 1]) to--;
    if (from == to) return true;
    adit_buf_lit(&a->journal, "P ");
    adit_buf_u64(&a->journal, from);
    adit_buf_byte(&a->journal, ' ');
    adit_buf_add(&a->journal, key);
    adit_buf_byte(&a->journal, ' ');
    adit_buf_add(&a->journal, adit_str_sub(new_text, from, to));
    adit_buf_byte(&a->journal, '\n');
    a->n_staged++;
    return true;
}

/* stored: the text that is there; empty: none, or it is not known. */
static bool put_document(struct archive *a, const char uuid[ADIT_SPP_UUID], uint64_t number,
                         struct adit_buf *text, struct adit_str stored)
{
    char space[160];
    struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space};
    struct adit_str bytes = adit_buf_str(text), name = document_key(uuid, number, &key);
    bool good;
    if (text->err)
        good = archive_fail(a, ARCHIVE_STAGE, "out of memory");
    else if (stored.len == bytes.len)
        good = change_in_place(a, name, stored, bytes);
    else
        good = archive_put(a, name, bytes);
    adit_buf_free(text);
    return good;
}

bool archive_put_manifest(struct archive *a, const struct adit_spp_manifest *m)
{
    return archive_change_manifest(a, m, (struct adit_str){0});
}

bool archive_change_manifest(struct archive *a, const struct adit_spp_manifest *m,
                             struct adit_str stored)
{
    struct adit_buf text;
    adit_buf_init(&text, cli_mem, ARCHIVE_FILE_MAX);
    adit_spp_manifest_write(m, &text);
    return put_document(a, m->uuid, m->number, &text, stored);
}

bool archive_put_versions(struct archive *a, const char uuid[ADIT_SPP_UUID],
                          const struct adit_spp_version *v, size_t n)
{
    struct adit_buf text;
    adit_buf_init(&text, cli_mem, ARCHIVE_FILE_MAX);
    adit_spp_versions_write(v, n, &text);
    return put_document(a, uuid, 0, &text, (struct adit_str){0});
}

/* --- committing ---------------------------------------------------------------------------------
 */

/* Moves a staged file to its place; it may have been moved before. */
static bool move(struct archive *a, uint64_t n, const char *to)
{
    char from[96];
    stage_path(from, sizeof from, n);
    if (renameat(a->fd, from, a->fd, to) == 0) return true;
    if (errno != ENOENT) return archive_fail(a, to, strerror(errno));
    if (!make_parents(a, to)) return false;
    if (renameat(a->fd, from, a->fd, to) == 0) return true;
    /* Moved before the crash? */
    return faccessat(a->fd, to, F_OK, 0) == 0 || archive_fail(a, to, "is lost");
}

/* Writes bytes over those that are there. Done twice, it is done. */
static bool overwrite(struct archive *a, uint64_t at, const char *path, struct adit_str bytes)
{
    int fd = openat(a->fd, path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return archive_fail(a, path, strerror(errno));
    ssize_t n = pwrite(fd, bytes.p, bytes.len, (off_t)at);
    bool good = n == (ssize_t)bytes.len;
    if (!good) archive_fail(a, path, n < 0 ? strerror(errno) : "cannot be written");
    close(fd);
    return good;
}

/* One line of the journal, without its LF: M NUMBER PATH moves a staged file, D PATH removes one, P
 * OFFSET PATH BYTES changes one, E is an event. */
static bool act(struct archive *a, struct adit_str line)
{
    char path[256];
    uint64_t n = 0;
    char what = line.len > 2 && line.p[1] == ' ' ? line.p[0] : '?';
    struct adit_str rest = adit_str_sub(line, 2, line.len), word;
    if (what == 'E') {
        if (a->events_on) printf("%.*s\n", (int)rest.len, rest.p);
        return true;
    }
    bool numbered = what == 'M' || what == 'P';
    bool good = (numbered || what == 'D') &&
                (!numbered || (adit_str_split(&rest, ' ', &word) && adit_str_u64(word, &n))) &&
                adit_str_split(&rest, ' ', &word) && word.len < sizeof path;
    if (!good) return archive_fail(a, ARCHIVE_JOURNAL, "is not a journal of adit's");
    memcpy(path, word.p, word.len);
    path[word.len] = '\0';
    if (what == 'M') return move(a, n, path);
    if (what == 'P') return overwrite(a, n, path, rest);
    return unlinkat(a->fd, path, 0) == 0 || errno == ENOENT ||
           archive_fail(a, path, strerror(errno));
}

static bool act_all(struct archive *a, struct adit_str journal)
{
    struct adit_str line;
    bool good = true;
    while (good && adit_str_split(&journal, '\n', &line)) good = !line.len || act(a, line);
    if (fflush(stdout) != 0) good = archive_fail(a, ARCHIVE_JOURNAL, "cannot write its events");
    return good;
}

static bool sync_own(struct archive *a)
{
    int fd = openat(a->fd, ARCHIVE_OWN, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (!good) archive_fail(a, ARCHIVE_OWN, strerror(errno));
    if (fd >= 0) close(fd);
    return good;
}

bool archive_commit(struct archive *a)
{
    if (a->failed) return false;
    if (!a->journal.len && !a->events.len) return true;
    adit_buf_add(&a->journal, adit_buf_str(&a->events));
    if (a->journal.err) return archive_fail(a, ARCHIVE_JOURNAL, "out of memory");
    /* Durable: the staged files, and the moves of the batch before. */
    if (syncfs(a->fd) != 0) return archive_fail(a, ARCHIVE_STAGE, strerror(errno));
    if (!replace_file(a, ARCHIVE_JOURNAL, adit_buf_str(&a->journal))) return false;
    a->journal_there = true;
    if (!sync_own(a) || !act_all(a, adit_buf_str(&a->journal))) return false;
    adit_buf_clear(&a->journal);
    adit_buf_clear(&a->events);
    a->n_staged = a->staged_bytes = 0;
    return true;
}

bool archive_step(struct archive *a)
{
    bool full = a->n_staged >= BATCH_FILES || a->staged_bytes >= BATCH_BYTES;
    return full ? archive_commit(a) : !a->failed;
}

/* --- recovery ------------------------------------------------------------------------------------
 */

bool archive_clear_stage(struct archive *a)
{
    int fd = openat(a->fd, ARCHIVE_STAGE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT || archive_fail(a, ARCHIVE_STAGE, strerror(errno));
    DIR *top = fdopendir(fd);
    if (!top) {
        close(fd);
        return archive_fail(a, ARCHIVE_STAGE, "out of memory");
    }
    for (struct dirent *e; (e = readdir(top));) {
        if (e->d_name[0] == '.') continue;
        int sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *d = sub >= 0 ? fdopendir(sub) : NULL;
        for (struct dirent *f; d && (f = readdir(d));)
            if (f->d_name[0] != '.') unlinkat(sub, f->d_name, 0);
        if (d)
            closedir(d);
        else if (sub >= 0)
            close(sub);
        unlinkat(fd, e->d_name, AT_REMOVEDIR);
    }
    closedir(top);
    return true;
}

bool archive_recover(struct archive *a)
{
    enum archive_found found = archive_read(a, ADIT_STR(ARCHIVE_JOURNAL), &a->journal);
    if (found == ARCHIVE_BROKEN) return false;
    if (found == ARCHIVE_FOUND) {
        cli_say(a->dir, "finishing what a run that was killed had begun");
        if (!act_all(a, adit_buf_str(&a->journal))) return false;
        if (syncfs(a->fd) != 0 || unlinkat(a->fd, ARCHIVE_JOURNAL, 0) != 0)
            return archive_fail(a, ARCHIVE_JOURNAL, strerror(errno));
    }
    adit_buf_clear(&a->journal);
    return archive_clear_stage(a);
}
