/* The folder of a site: locked by one run at a time, changed in one step.
 *
 *   site.scp.zst   the pages, sorted by URL       pages.jsonl   a line of state a page
 *   state.json     the site                       journal       what the current run has fetched
 *   documents/     sitemaps, policy …, named by the hash of their bytes; downloads under way
 *
 * New versions are written beside the old ones as NAME.new; the file `commit` says that all of them
 * are whole. A run that finds it completes the exchange; without it, they are rubbish.
 *
 * The folder may come from others. Every name in it is one of these; where something else than a
 * file stands at a name that is read, the run is refused, and what is written never goes through a
 * link that stands in its place. */
#include "batch/sync/sync.h"
#include "batch/io/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const exchanged[] = {copy_collection_name, copy_pages_name, copy_state_name};

/* PART_DAYS: after which a download that nobody went on with is given up. */
enum { STATE_MAX = 64 << 20, DAY = 24 * 3600, PART_DAYS = 7 };

const char *sync_path(struct sync *s, const char *name)
{
    size_t n = strlen(s->dir) + strlen(name) + 2;
    char *p = adit_arena_alloc(&s->arena, n);
    if (!p) { /* a run may end at any time: the next one goes on */
        cli_say(s->dir, "out of memory");
        exit(CLI_OUTPUT);
    }
    snprintf(p, n, "%s/%s", s->dir, name);
    return p;
}

bool sync_store_has(struct sync *s, const char *name)
{
    struct stat st;
    return fstatat(s->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

const char *sync_path_new(struct sync *s, const char *name)
{
    const char *path = sync_path(s, name);
    if (!below_drop_link(s->folder, name)) cli_say(path, "%s", below_why(errno));
    return path;
}

/* A file with a second name may be anybody's, as one behind a link: a new one takes its place. */
int sync_store_file(struct sync *s, const char *name, int flags)
{
    struct stat st;
    const char *last;
    int folder = below_parent(s->folder, name, false, &last);
    if (folder < 0) return -1;
    if (fstatat(folder, last, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        (!S_ISREG(st.st_mode) || st.st_nlink > 1))
        unlinkat(folder, last, 0);
    int fd = below_open(folder, last, flags | O_CREAT | O_NONBLOCK, 0666), why = errno;
    close(folder);
    errno = why;
    return fd;
}

static const char *name_new(char text[64], const char *name)
{
    snprintf(text, 64, "%s.new", name);
    return text;
}

/* Makes and opens a folder; from is -1 (path as the user names it) or the folder that it lies in,
 * where no link may stand for it. */
static int enter(int from, const char *name, const char *path)
{
    bool there = (from < 0 ? mkdir(path, 0777) : mkdirat(from, name, 0777)) == 0 || errno == EEXIST;
    int fd = -1;
    if (there && from < 0) fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (there && from >= 0) fd = below_open(from, name, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) cli_say(path, "%s", below_why(errno));
    return fd;
}

/* Puts the new versions in place. Everything here may be done twice. */
static bool exchange(struct sync *s)
{
    char fresh[64];
    for (size_t i = 0; i < ADIT_COUNT(exchanged); i++) {
        const char *to = exchanged[i];
        if (sync_store_has(s, name_new(fresh, to)) &&
            renameat(s->folder, fresh, s->folder, to) != 0) {
            cli_say(sync_path(s, to), "%s", strerror(errno));
            return false;
        }
    }
    unlinkat(s->folder, "journal", 0);
    fsync(s->folder);
    unlinkat(s->folder, "commit", 0);
    return true;
}

static bool recover(struct sync *s)
{
    char fresh[64];
    if (sync_store_has(s, "commit")) return exchange(s);
    for (size_t i = 0; i < ADIT_COUNT(exchanged); i++)
        unlinkat(s->folder, name_new(fresh, exchanged[i]), 0);
    return true;
}

static bool write_state(struct sync *s, const char *name)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, STATE_MAX);
    sync_state_write(&s->state, &b);
    adit_buf_byte(&b, '\n');
    bool good = !b.err && output_file(sync_path_new(s, name), adit_buf_str(&b), true);
    adit_buf_free(&b);
    if (!good) s->out_failed = true;
    return good;
}

bool sync_store_save(struct sync *s) { return write_state(s, copy_state_name); }

bool sync_store_commit(struct sync *s)
{
    char fresh[64];
    if (s->journal) fclose(s->journal), s->journal = NULL;
    if (!write_state(s, name_new(fresh, copy_state_name)) ||
        !output_file(sync_path_new(s, "commit"), ADIT_STR(""), true) || !exchange(s)) {
        s->out_failed = true;
        return false;
    }
    return true;
}

/* --- documents -------------------------------------------------------------------------------- */

static bool is_named(struct sync *s, const char *name)
{
    struct adit_str stem = adit_str_sub(adit_str_z(name), 0, ADIT_SHA256_HEX);
    for (size_t i = 0; i < s->state.n_resources; i++)
        if (adit_str_eq(s->state.resources[i].file, stem)) return true;
    return false;
}

/* HASH, or a download under way: HASH.part, HASH.etag. What is called otherwise is not ours. */
static bool is_document(const char *name)
{
    uint8_t hash[ADIT_SHA256_LEN];
    struct adit_str s = adit_str_z(name);
    return adit_hex_decode(adit_str_sub(s, 0, ADIT_SHA256_HEX), hash, sizeof hash) &&
           (s.len == ADIT_SHA256_HEX || name[ADIT_SHA256_HEX] == '.');
}

static uint64_t walk_documents(struct sync *s, bool clean)
{
    uint64_t bytes = 0;
    int fd = below_open(s->folder, "documents", O_RDONLY | O_DIRECTORY, 0);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir && fd >= 0) close(fd);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        if (!is_document(e->d_name) ||
            fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bool download = strlen(e->d_name) > ADIT_SHA256_HEX;
        bool needed =
            download ? st.st_mtime + (int64_t)PART_DAYS * DAY > s->now : is_named(s, e->d_name);
        if (clean && !needed)
            unlinkat(dirfd(dir), e->d_name, 0);
        else
            bytes += (uint64_t)st.st_size;
    }
    if (dir) closedir(dir);
    return bytes;
}

uint64_t sync_store_bytes(struct sync *s)
{
    static const char *const names[] = {copy_collection_name, copy_pages_name, "journal"};
    uint64_t bytes = walk_documents(s, false);
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        struct stat st;
        if (fstatat(s->folder, names[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
            bytes += (uint64_t)st.st_size;
    }
    return bytes;
}

void sync_store_clean(struct sync *s) { walk_documents(s, true); }

/* --- opening ---------------------------------------------------------------------------------- */

/* A link, a pipe, a folder: nothing that adit sync would have put there. Nothing is done before
 * this is known of all names that a run reads or goes on with. */
static bool is_sound(struct sync *s)
{
    static const char *const names[] = {
        "lock",          "salt",         "commit", "journal", copy_collection_name,
        copy_pages_name, copy_state_name};
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        struct stat st;
        if (fstatat(s->folder, names[i], &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(st.st_mode))
            continue;
        cli_say(sync_path(s, names[i]), "%s",
                S_ISLNK(st.st_mode) ? below_why(ELOOP) : "is not the file that adit sync makes");
        return false;
    }
    return true;
}

static bool lock(struct sync *s)
{
    s->lock = below_open(s->folder, "lock", O_RDWR | O_CREAT | O_NONBLOCK, 0666);
    if (s->lock >= 0 && flock(s->lock, LOCK_EX | LOCK_NB) == 0) return true;
    cli_say(s->dir, "%s",
            errno == EWOULDBLOCK ? "another adit sync is at work in this folder"
                                 : below_why(errno));
    return false;
}

/* Bytes that nobody else knows, made once: names made with them do not give a password away. */
static bool read_salt(struct sync *s, uint8_t salt[32])
{
    int fd = below_open(s->folder, "salt", O_RDONLY | O_NONBLOCK, 0);
    ssize_t n = fd >= 0 ? read(fd, salt, 32) : -1;
    if (fd >= 0) close(fd);
    if (n == 32) return true;
    return getrandom(salt, 32, 0) == 32 &&
           output_file(sync_path_new(s, "salt"), adit_str_of((const char *)salt, 32), true);
}

/* What was fetched with credentials is kept apart, for its owner alone, one folder per set of them
 * (TCT, Authenticated Content Caching). Of a netrc file all bytes count: which of its entries is
 * used, libcurl alone knows. */
static bool enter_private(struct sync *s)
{
    uint8_t salt[32], hash[ADIT_SHA256_LEN];
    struct adit_buf b;
    umask(077);
    adit_buf_init(&b, cli_mem, 1 << 20);
    bool good = !s->o.fetch.netrc || cli_read(s->o.fetch.netrc, &b);
    if (good && !read_salt(s, salt)) {
        cli_say(s->dir, "%s", strerror(errno));
        good = false;
    }
    if (!good) {
        adit_buf_free(&b);
        return false;
    }
    for (size_t i = 0; i < s->o.fetch.n_secrets; i++)
        adit_buf_lit(&b, s->o.fetch.secrets[i].line), adit_buf_byte(&b, '\n');
    adit_hmac_sha256(adit_str_of((const char *)salt, sizeof salt), adit_buf_str(&b), hash);
    adit_buf_clear(&b);
    adit_buf_lit(&b, "private-");
    adit_buf_hex(&b, hash, 8);
    adit_buf_byte(&b, '\0');
    char *inner = NULL;
    int fd = -1;
    if (!b.err && asprintf(&inner, "%s/%s", s->dir, b.p) >= 0) fd = enter(s->folder, b.p, inner);
    adit_buf_free(&b);
    if (fd < 0) {
        free(inner);
        return false;
    }
    close(s->folder);
    free(s->dir);
    s->folder = fd, s->dir = inner;
    return true;
}

static bool read_state(struct sync *s)
{
    struct adit_buf b;
    struct adit_error err = {0};
    const char *path = sync_path(s, copy_state_name);
    if (!sync_store_has(s, copy_state_name)) {
        s->state.origin = s->origin, s->state.start = s->site;
        return true;
    }
    adit_buf_init(&b, cli_mem, STATE_MAX);
    bool good = cli_read(path, &b);
    if (good && !sync_state_read(&s->state, adit_buf_str(&b), &s->arena, &err)) {
        cli_say(path, "%s (byte %zu); remove the folder to begin anew", err.msg, err.pos);
        good = false;
    }
    if (good && !adit_str_eq(s->state.origin, s->origin)) {
        cli_say(s->dir, "holds %.*s; take another folder for %.*s", (int)s->state.origin.len,
                s->state.origin.p, (int)s->origin.len, s->origin.p);
        good = false;
    }
    adit_buf_free(&b);
    return good;
}

/* A folder with other things in it is not touched. */
static bool is_ours_or_empty(struct sync *s)
{
    bool ours = faccessat(s->folder, "lock", F_OK, AT_SYMLINK_NOFOLLOW) == 0, empty = true;
    int fd = openat(s->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) empty = false;
    if (dir) closedir(dir);
    if (!ours && !empty)
        cli_say(s->dir, "is not empty, and not a folder of adit sync: give another one");
    return ours || empty;
}

static bool make_documents(struct sync *s)
{
    int fd = enter(s->folder, "documents", sync_path(s, "documents"));
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool sync_store_open(struct sync *s)
{
    s->lock = -1;
    s->folder = enter(-1, NULL, s->dir);
    if (s->folder < 0 || !is_ours_or_empty(s) || !is_sound(s)) return false;
    if (s->o.fetch.n_secrets || s->o.fetch.netrc) {
        /* The outer folder is ours from now on, too. */
        int fd = below_open(s->folder, "lock", O_RDWR | O_CREAT | O_NONBLOCK, 0666);
        if (fd >= 0) close(fd);
        if (!enter_private(s) || !is_sound(s)) return false;
    }
    if (!lock(s) || !make_documents(s) || !recover(s) || !read_state(s)) return false;
    s->stored = sync_store_bytes(s);
    return true;
}

void sync_store_close(struct sync *s)
{
    if (s->journal) fclose(s->journal), s->journal = NULL;
    if (s->lock >= 0) close(s->lock);
    if (s->folder >= 0) close(s->folder);
    s->lock = s->folder = -1;
}
