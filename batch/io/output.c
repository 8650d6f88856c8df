/* Files that appear whole or not at all. */
#include "batch/io/output_impl.h"
#include "crypto/crypto.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_fail(struct output *out, const char *why)
{
    if (!out->failed) cli_say(out->path, "cannot write: %s", why);
    out->failed = true;
    return false;
}

bool output_emit(struct output *out, const void *p, size_t len)
{
    const char *at = p;
    out->out += len;
    while (len && !out->failed) {
        ssize_t n = write(out->fd, at, len);
        if (n > 0)
            at += n, len -= (size_t)n;
        else if (n == 0 || errno != EINTR)
            output_fail(out, n == 0 ? "no space left" : strerror(errno));
    }
    return !out->failed;
}

/* --- opening ---------------------------------------------------------------------------------- */

static char *join(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    char *p = malloc(la + lb + 1);
    if (!p) return NULL;
    memcpy(p, a, la);
    memcpy(p + la, b, lb);
    p[la + lb] = '\0';
    return p;
}

/* A device or a pipe is written to, never replaced. */
static bool is_special(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

char *output_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + (slash == path)) : strdup(".");
}

int output_unnamed(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    char *name = join(folder, "/.adit-XXXXXX"); /* where the file system cannot do that */
    fd = name ? mkostemp(name, O_CLOEXEC) : -1;
    if (fd >= 0) unlink(name);
    free(name);
    return fd;
}

/* As open with the process's umask: mkostemp makes files for their owner alone. */
static bool open_to_others(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, 0666 & ~mask) == 0;
}

/* In the folder of the target, and without a name, so that a killed run leaves nothing behind; with
 * one where the file system cannot do that. */
static int open_beside(struct output *out)
{
    int fd = -1;
    char *folder = output_folder(out->path);
    if (folder && access("/proc/self/fd", X_OK) == 0)
        fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    free(folder);
    if (fd >= 0) return fd;
    out->temp = join(out->path, ".XXXXXX");
    fd = out->temp ? mkostemp(out->temp, O_CLOEXEC) : -1;
    if (fd < 0) {
        free(out->temp), out->temp = NULL;
    } else if (!open_to_others(fd)) {
        int why = errno;
        close(fd);
        errno = why;
        fd = -1; /* output_discard removes temp */
    }
    return fd;
}

static int open_temp(struct output *out, bool own_name)
{
    if (own_name) return open_beside(out);
    out->special = is_special(out->path);
    if (out->special) {
        const char *dir = getenv("TMPDIR");
        return output_unnamed(dir && *dir ? dir : "/tmp");
    }
    /* A link stays a link: its target is replaced. */
    char *real = realpath(out->path, NULL);
    if (real) free(out->path), out->path = real;
    return open_beside(out);
}

static struct output *new_output(const char *path, const struct output_options *options)
{
    struct output *out = calloc(1, sizeof *out);
    if (!out || !(out->path = join(path, "")) || !(out->chunk = malloc(OUTPUT_CHUNK))) {
        cli_say(path, "out of memory");
        if (out) free(out->path);
        free(out);
        return NULL;
    }
    out->coder = &output_coders[options->coding];
    out->fd = -1;
    return out;
}

static struct output *begin(struct output *out, const struct output_options *options)
{
    if (out->fd < 0) output_fail(out, strerror(errno));
    if (!out->failed && out->coder->begin(out, options)) return out;
    output_discard(out);
    return NULL;
}

static const struct output_options none;

struct output *output_open(const char *path, const struct output_options *options)
{
    if (!options) options = &none;
    struct output *out = new_output(path, options);
    if (!out) return NULL;
    out->fd = open_temp(out, options->own_name);
    return begin(out, options);
}

struct output *output_open_on(int fd, char *temp, const char *path,
                              const struct output_options *options)
{
    if (!options) options = &none;
    struct output *out = new_output(path, options);
    if (out) {
        out->fd = fd, out->temp = temp;
        return begin(out, options);
    }
    close(fd);
    if (temp) unlink(temp);
    free(temp);
    return NULL;
}

const char *output_path(const struct output *out) { return out->path; }

bool output_rename(struct output *out, const char *path)
{
    char *copy = strdup(path);
    if (!copy) return output_fail(out, "out of memory");
    free(out->path);
    out->path = copy;
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Before n more bytes go to the coder: what is written so far must already be enough for them at
 * 100:1, so that a reader meets no point where the ratio is higher. */
static bool guard(struct output *out, size_t n)
{
    uint64_t decoded = out->in + n;
    const struct adit_str *block = &out->coder->empty_block;
    if (!block->len || decoded < ADIT_LIMIT_ratio_from) return true;
    if (decoded / ADIT_LIMIT_ratio < out->out) return true;
    if (!out->coder->flush(out)) return false;
    char many[1 << 10];
    size_t len = 0;
    for (; len + block->len <= sizeof many; len += block->len)
        memcpy(many + len, block->p, block->len);
    for (; decoded / ADIT_LIMIT_ratio >= out->out; out->padded = true)
        if (!output_emit(out, many, len)) return false;
    return true;
}

static bool pass_chunk(struct output *out)
{
    if (out->chunk_len == 0) return true;
    bool good = guard(out, out->chunk_len) &&
                out->coder->encode(out, adit_str_of(out->chunk, out->chunk_len));
    out->in += out->chunk_len;
    out->chunk_len = 0;
    return good;
}

bool output_head(struct output *out, struct adit_str head)
{
    if (head.len > OUTPUT_HEAD_MAX || out->in || out->chunk_len || out->head)
        return output_fail(out, "head too long or too late");
    out->head = malloc(head.len + 1);
    if (!out->head) return output_fail(out, "out of memory");
    memcpy(out->head, head.p, head.len);
    out->head_len = head.len;
    out->in += head.len;
    return out->coder->head(out);
}

bool output_replace_head(struct output *out, struct adit_str head)
{
    if (!out->head || head.len != out->head_len || out->finished)
        return output_fail(out, "the head cannot be replaced");
    memcpy(out->head, head.p, head.len);
    return true;
}

bool output_write(struct output *out, struct adit_str part)
{
    while (part.len && !out->failed) {
        size_t n = OUTPUT_CHUNK - out->chunk_len;
        if (n > part.len) n = part.len;
        memcpy(out->chunk + out->chunk_len, part.p, n);
        out->chunk_len += n;
        part = adit_str_sub(part, n, part.len);
        if (out->chunk_len == OUTPUT_CHUNK) pass_chunk(out);
    }
    return !out->failed;
}

static enum adit_code write_sink(struct adit_sink *sink, const char *p, size_t len)
{
    struct output_sink *s = (struct output_sink *)sink;
    return output_write(s->out, adit_str_of(p, len)) ? ADIT_OK : ADIT_EIO;
}

struct adit_sink *output_sink_init(struct output_sink *s, struct output *out)
{
    *s = (struct output_sink){.sink = {.write = write_sink}, .out = out};
    return &s->sink;
}

/* --- the end ---------------------------------------------------------------------------------- */

static bool write_head_again(struct output *out)
{
    for (size_t done = 0; done < out->head_len;) {
        ssize_t n =
            pwrite(out->fd, out->head + done, out->head_len - done, (off_t)(out->head_at + done));
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return output_fail(out, strerror(errno));
    }
    return true;
}

bool output_finish(struct output *out)
{
    if (out->finished || out->failed) return !out->failed;
    bool good = pass_chunk(out) && out->coder->end(out) && write_head_again(out);
    out->finished = true;
    return good;
}

/* Reads the finished file from its start and hands it on. */
static bool read_again(struct output *out, bool (*take)(void *ctx, const char *p, size_t len),
                       void *ctx)
{
    off_t at = 0;
    for (ssize_t n; !out->failed && (n = pread(out->fd, out->chunk, OUTPUT_CHUNK, at)) != 0;) {
        if (n < 0 && errno != EINTR) return output_fail(out, strerror(errno));
        if (n < 0) continue;
        if (!take(ctx, out->chunk, (size_t)n)) return output_fail(out, strerror(errno));
        at += n;
    }
    return !out->failed;
}

static bool take_hash(void *ctx, const char *p, size_t len)
{
    adit_sha256_update(ctx, p, len);
    return true;
}

bool output_file_sha256(struct output *out, uint8_t hash[32])
{
    struct adit_sha256 h;
    adit_sha256_init(&h);
    if (!output_finish(out) || !read_again(out, take_hash, &h)) return false;
    adit_sha256_final(&h, hash);
    return true;
}

static bool take_copy(void *ctx, const char *p, size_t len)
{
    const int *fd = ctx;
    if (*fd == STDOUT_FILENO) { /* which may be a terminal */
        cli_data(adit_str_of(p, len));
        return fflush(stdout) == 0 && !ferror(stdout);
    }
    while (len) {
        ssize_t n = write(*fd, p, len);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) p += n, len -= (size_t)n;
    }
    return true;
}

static bool copy_to_target(struct output *out)
{
    bool to_stdout = strcmp(out->path, "-") == 0;
    if (to_stdout) fflush(stdout);
    int fd = to_stdout ? STDOUT_FILENO : open(out->path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return output_fail(out, strerror(errno));
    bool good = read_again(out, take_copy, &fd);
    if (!to_stdout && close(fd) != 0 && good) good = output_fail(out, strerror(errno));
    return good;
}

/* The new name must survive a crash too. */
static void sync_folder(const char *path)
{
    char *folder = output_folder(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) fsync(fd), close(fd);
    free(folder);
}

/* Names a file that has none; only a free name can be had. */
static int link_unnamed(const struct output *out, int folder, const char *name)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", out->fd);
    return linkat(AT_FDCWD, self, folder, name, AT_SYMLINK_FOLLOW);
}

/* Only a rename can replace a file, so a file without a name gets one beside the target for an
 * instant. It is always the same one: what a run has left that was killed in this instant, the next
 * run removes. Another run that writes the same file may take this name away: then once more. */
static bool replace_target(struct output *out)
{
    char *temp = join(out->path, ".adit-new");
    bool good = temp != NULL;
    if (!good) output_fail(out, "out of memory");
    for (unsigned tries = 0; good; tries++) {
        if (link_unnamed(out, AT_FDCWD, temp) == 0) {
            if (rename(temp, out->path) == 0) break;
            int why = errno;
            if (why != ENOENT) unlink(temp);
            errno = why;
            good = why == ENOENT && tries < 1000;
        } else {
            good = errno == EEXIST && tries < 1000 && (unlink(temp) == 0 || errno == ENOENT);
        }
        if (!good) output_fail(out, strerror(errno));
    }
    free(temp);
    return good;
}

static bool move_to_target(struct output *out)
{
    bool good;
    if (!output_sync(out)) return false;
    if (out->temp) {
        good = rename(out->temp, out->path) == 0 || output_fail(out, strerror(errno));
        if (good) free(out->temp), out->temp = NULL;
    } else if (link_unnamed(out, AT_FDCWD, out->path) == 0) {
        good = true;
    } else {
        good = errno == EEXIST ? replace_target(out) : output_fail(out, strerror(errno));
    }
    if (good) sync_folder(out->path);
    return good;
}

bool output_sync(struct output *out)
{
    return output_finish(out) && (fsync(out->fd) == 0 || output_fail(out, strerror(errno)));
}

bool output_link(struct output *out, int folder, const char *name)
{
    if (out->temp) {
        if (renameat(AT_FDCWD, out->temp, folder, name) != 0)
            return output_fail(out, strerror(errno));
        free(out->temp), out->temp = NULL;
        return true;
    }
    if (link_unnamed(out, folder, name) == 0) return true;
    bool good =
        errno == EEXIST && unlinkat(folder, name, 0) == 0 && link_unnamed(out, folder, name) == 0;
    return good || output_fail(out, strerror(errno));
}

bool output_commit(struct output *out)
{
    bool good = output_finish(out) && (out->special ? copy_to_target(out) : move_to_target(out));
    output_discard(out);
    return good;
}

void output_discard(struct output *out)
{
    if (!out) return;
    if (out->state) out->coder->release(out);
    if (out->fd >= 0) close(out->fd);
    if (out->temp) unlink(out->temp);
    free(out->temp), free(out->path), free(out->chunk), free(out->head);
    free(out);
}

uint64_t output_bytes_in(const struct output *out) { return out->in + out->chunk_len; }
uint64_t output_bytes_out(const struct output *out) { return out->out; }
bool output_padded(const struct output *out) { return out->padded; }

bool output_file(const char *path, struct adit_str bytes, bool own_name)
{
    struct output *out = output_open(path, &(struct output_options){.own_name = own_name});
    if (!out) return false;
    output_write(out, bytes);
    return output_commit(out);
}
