/* Writing in batches: staged files, the journal that commits them, and recovery. */
#include "batch/archive/archive_impl.h"
#include "batch/io/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A batch is committed when it has this many files or bytes. */
enum { BATCH_FILES = 16384, BATCH_BYTES = 256 << 20, STAGE_FOLDER = 1024 };

/* --- staging ---------------------------------------------------------------------------------- */

void archive_staged(char path[ARCHIVE_STAGED_MAX], uint64_t n)
{
    snprintf(path, ARCHIVE_STAGED_MAX, "stage/%llu/%llu", (unsigned long long)(n / STAGE_FOLDER),
             (unsigned long long)n);
}

/* Never a file that is there already: it could be a link, or have another name elsewhere. */
static int open_new(struct archive *a, const char *path)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL;
    const char *last;
    int fd = below_open(a->own, path, flags, 0666);
    if (fd >= 0 || errno != ENOENT) return fd;
    int folder = below_parent(a->own, path, true, &last);
    if (folder < 0) return -1;
    fd = below_open(folder, last, flags, 0666);
    close(folder);
    return fd;
}

/* path is relative to .adit. */
static bool write_file(struct archive *a, const char *path, struct adit_str bytes, bool sync)
{
    char key[ARCHIVE_STAGED_MAX + sizeof ARCHIVE_OWN];
    int fd = open_new(a, path), why = errno;
    snprintf(key, sizeof key, ARCHIVE_OWN "/%s", path);
    if (fd < 0) return archive_fail(a, key, below_why(why));
    bool good = true;
    while (good && bytes.len) {
        ssize_t n = write(fd, bytes.p, bytes.len);
        if (n > 0)
            bytes = adit_str_sub(bytes, (size_t)n, bytes.len);
        else if (n == 0 || errno != EINTR)
            good = archive_fail(a, key, n == 0 ? "no space left" : strerror(errno));
    }
    if (good && sync && fsync(fd) != 0) good = archive_fail(a, key, strerror(errno));
    if (close(fd) != 0 && good) good = archive_fail(a, key, strerror(errno));
    return good;
}

/* Written beside the stage, durable, moved: a link in its place is replaced, not followed. */
bool archive_replace(struct archive *a, const char *path, struct adit_str bytes)
{
    static const char fresh[] = "new";
    const char *last;
    unlinkat(a->own, fresh, 0);
    if (!write_file(a, fresh, bytes, true)) return false;
    int folder = below_parent(a->fd, path, false, &last);
    bool good = folder >= 0 && renameat(a->own, fresh, folder, last) == 0;
    if (!good) archive_fail(a, path, below_why(errno));
    if (folder >= 0) close(folder);
    return good;
}

bool archive_write_marker(struct archive *a)
{
    return archive_replace(a, ARCHIVE_MARKER,
                           ADIT_STR("{\"layout\":1,\"spec\":\"spp/enrichment-and-versioning\","
                                    "\"specVersion\":\"0.4\"}\n"));
}

bool archive_put(struct archive *a, struct adit_str key, struct adit_str bytes)
{
    char path[ARCHIVE_STAGED_MAX];
    archive_staged(path, a->next_staged);
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

/* A link in its place is none: it will be replaced. */
static bool is_there(struct archive *a, const char *key)
{
    struct stat st;
    int fd = below_open(a->fd, key, O_PATH | O_NOFOLLOW, 0);
    bool there = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (fd >= 0) close(fd);
    return there;
}

bool archive_put_object(struct archive *a, const uint8_t sha[ADIT_SHA256_LEN],
                        enum adit_spp_coding coding, struct adit_str stored)
{
    char space[128];
    struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_spp_object_key(&key, sha, coding);
    space[key.len] = '\0';
    return is_there(a, space) || archive_put(a, adit_buf_str(&key), stored);
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

/* --- committing ------------------------------------------------------------------------------- */

bool archive_commit(struct archive *a)
{
    if (a->failed) return false;
    if (!a->journal.len && !a->events.len) return true;
    adit_buf_add(&a->journal, adit_buf_str(&a->events));
    if (a->journal.err) return archive_fail(a, ARCHIVE_JOURNAL, "out of memory");
    /* Durable: the staged files, and the moves of the batch before. */
    if (syncfs(a->fd) != 0) return archive_fail(a, ARCHIVE_STAGE, strerror(errno));
    if (!archive_replace(a, ARCHIVE_JOURNAL, adit_buf_str(&a->journal))) return false;
    a->journal_there = true;
    if (fsync(a->own) != 0) return archive_fail(a, ARCHIVE_OWN, strerror(errno));
    if (!archive_journal_do(a, adit_buf_str(&a->journal))) return false;
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

/* --- recovery --------------------------------------------------------------------------------- */

/* Names in the stage are numbers; others are not ours, and stay. */
static bool is_number(const char *name)
{
    uint64_t n;
    return adit_str_u64(adit_str_z(name), &n);
}

/* Calls remove with the names in an open folder, which it closes. */
static bool each_number(int fd, void (*remove)(int folder, const char *name))
{
    DIR *d = fdopendir(fd);
    if (!d) {
        close(fd);
        return false;
    }
    for (struct dirent *e; (e = readdir(d));)
        if (is_number(e->d_name)) remove(fd, e->d_name);
    closedir(d);
    return true;
}

static void remove_file(int folder, const char *name) { unlinkat(folder, name, 0); }

/* A link in the place of a folder is removed itself. */
static void remove_folder(int folder, const char *name)
{
    int fd = below_open(folder, name, O_RDONLY | O_DIRECTORY, 0);
    if (fd >= 0) each_number(fd, remove_file);
    unlinkat(folder, name, fd >= 0 ? AT_REMOVEDIR : 0);
}

bool archive_clear_stage(struct archive *a)
{
    int fd = below_open(a->own, "stage", O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return errno == ENOENT || archive_fail(a, ARCHIVE_STAGE, below_why(errno));
    return each_number(fd, remove_folder) || archive_fail(a, ARCHIVE_STAGE, "out of memory");
}

bool archive_recover(struct archive *a)
{
    enum archive_found found = archive_journal(a, &a->journal);
    if (found == ARCHIVE_BROKEN) return false;
    if (found == ARCHIVE_FOUND) {
        cli_say(a->dir, "finishing what a run that was killed had begun");
        if (!archive_journal_do(a, adit_buf_str(&a->journal))) return false;
        if (syncfs(a->fd) != 0 || unlinkat(a->own, "journal", 0) != 0)
            return archive_fail(a, ARCHIVE_JOURNAL, strerror(errno));
    }
    adit_buf_clear(&a->journal);
    return archive_clear_stage(a);
}
