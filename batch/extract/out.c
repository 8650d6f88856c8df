/* Where records go: standard output, one file, or a folder of parts.
 *
 * A folder shows the parts of finished inputs only: a part is written below .adit/parts, and all parts of
 * an input take their places when the input has been read; then its marker appears (done.c). So runs that
 * are killed, or run twice at once, leave whole parts, and the next run redoes what has no marker. */
#include "batch/extract/extract_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

struct extract_out {
    const struct extract_options *o;
    struct extract_totals *totals;
    struct output *file; /* one file, or the part that is open; NULL: none */
    struct adit_buf head, stem;
    struct output *keys; /* of the input's texts, for --dedup of a later run; NULL: none */
    int folder;          /* -1: none */
    size_t made;         /* of -o, for below_unmake */
    uint64_t parts;      /* of the input that is under way */
    uint64_t pages;      /* likewise */
    uint64_t written;    /* bytes of records */
};

/* --- opening ---------------------------------------------------------------------------------- */

static bool open_folder(struct extract_out *out)
{
    static const char *const inside[] = {".adit", ".adit/parts", ".adit/done"};
    const char *dir = out->o->out;
    if (!below_make(dir, &out->made)) return false;
    out->folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; out->folder >= 0 && i < ADIT_COUNT(inside); i++) {
        if (mkdirat(out->folder, inside[i], 0777) == 0 || errno == EEXIST) continue;
        cli_say(dir, "cannot make %s: %s", inside[i], strerror(errno));
        return false;
    }
    if (out->folder < 0) cli_say(dir, "cannot open: %s", strerror(errno));
    return out->folder >= 0;
}

static bool add_head(struct extract_out *out)
{
    if (!out->head.len) return true;
    if (!out->file) {
        cli_data(adit_buf_str(&out->head));
        return true;
    }
    return output_write(out->file, adit_buf_str(&out->head));
}

/* Formats whose records are compressed one by one have a head that is, too. */
static bool make_head(struct extract_out *out)
{
    const struct extract_format *f = out->o->format;
    struct adit_buf plain;
    if (!f->head) return true;
    adit_buf_init(&plain, cli_mem, 1 << 20);
    f->head(out->o, &plain);
    bool ok = !plain.err;
    if (ok && f->members && out->o->output.coding != OUTPUT_NONE) {
        struct extract_coder *c = extract_coder_new(&out->o->output);
        ok = c && extract_coder_add(c, adit_buf_str(&plain), &out->head);
        extract_coder_free(c);
    } else if (ok) {
        adit_buf_add(&out->head, adit_buf_str(&plain));
    }
    adit_buf_free(&plain);
    return ok && !out->head.err;
}

static struct output *open_output(const struct extract_options *o, const char *path, bool own_name)
{
    struct output_options options = o->output;
    options.own_name = own_name;
    if (o->format->members) options.coding = OUTPUT_NONE; /* the records are compressed already */
    return output_open(path, &options);
}

struct extract_out *extract_out_open(const struct extract_options *o, struct extract_totals *totals)
{
    struct extract_out *out = calloc(1, sizeof *out);
    if (!out) return NULL;
    out->o = o;
    out->totals = totals;
    out->folder = -1;
    adit_buf_init(&out->head, cli_mem, 1 << 20);
    adit_buf_init(&out->stem, cli_mem, PATH_BYTES);
    bool ok = make_head(out);
    if (ok && o->to == EXTRACT_TO_FOLDER) ok = open_folder(out);
    if (ok && (o->to == EXTRACT_TO_FILE ||
               (o->to == EXTRACT_TO_STDOUT && o->output.coding != OUTPUT_NONE)))
        ok = (out->file = open_output(o, o->out, false)) != NULL;
    if (ok && o->to != EXTRACT_TO_FOLDER) ok = add_head(out);
    if (ok) return out;
    extract_out_close(out, false);
    return NULL;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* "STEM-0003.jsonl.zst", behind `before`; ends with a NUL. */
static void part_name(const struct extract_out *out, const char *before, uint64_t number,
                      struct adit_buf *name)
{
    adit_buf_clear(name);
    adit_buf_lit(name, before);
    adit_buf_add(name, adit_buf_str(&out->stem));
    adit_buf_byte(name, '-');
    adit_buf_pad(name, number, 4);
    adit_buf_lit(name, out->o->format->ending);
    adit_buf_lit(name, output_coding_suffixes[out->o->output.coding]);
    adit_buf_byte(name, '\0');
}

static bool open_part(struct extract_out *out, size_t input)
{
    struct adit_buf name, path;
    char part[PATH_BYTES];
    adit_buf_init(&name, cli_mem, PATH_BYTES);
    adit_buf_init(&path, cli_mem, PATH_BYTES);
    adit_buf_clear(&out->stem);
    extract_stem(out->o->crawl.inputs[input], &out->stem);
    part_name(out, ".adit/parts/", out->parts, &name);
    int n = snprintf(part, sizeof part, "%s/%s", out->o->out, name.err ? "" : name.p);
    bool ok = !name.err && n > 0 && (size_t)n < sizeof part && below_drop_link(out->folder, name.p);
    if (!ok) cli_say(out->o->out, "cannot write a part: %s", strerror(errno));
    if (ok) ok = (out->file = open_output(out->o, part, true)) != NULL;
    adit_buf_free(&name);
    adit_buf_free(&path);
    return ok && add_head(out);
}

static bool close_part(struct extract_out *out)
{
    struct output *file = out->file;
    if (!file) return true;
    out->file = NULL;
    if (!output_finish(file)) {
        output_discard(file);
        return false;
    }
    out->totals->bytes_out += output_bytes_out(file);
    out->totals->parts++;
    out->parts++;
    return output_commit(file);
}

/* What another run has moved meanwhile is the same. */
static bool place_part(struct extract_out *out, const char *from, const char *to)
{
    struct stat st;
    if (renameat(out->folder, from, out->folder, to) == 0) return true;
    int why = errno;
    if (why == ENOENT && fstatat(out->folder, to, &st, AT_SYMLINK_NOFOLLOW) == 0) return true;
    cli_say(out->o->out, "cannot move %s into its place: %s", to, strerror(why));
    return false;
}

/* Parts of a run before, which had more of them. */
static void drop_parts(struct extract_out *out, uint64_t from, struct adit_buf *name)
{
    for (uint64_t i = from;; i++) {
        part_name(out, "", i, name);
        if (name->err || unlinkat(out->folder, name->p, 0) != 0) return;
    }
}

static bool place_parts(struct extract_out *out, size_t input)
{
    struct adit_buf from, to;
    bool ok = true;
    adit_buf_init(&from, cli_mem, PATH_BYTES);
    adit_buf_init(&to, cli_mem, PATH_BYTES);
    adit_buf_clear(&out->stem);
    extract_stem(out->o->crawl.inputs[input], &out->stem);
    for (uint64_t i = 0; ok && i < out->parts; i++) {
        part_name(out, ".adit/parts/", i, &from);
        part_name(out, "", i, &to);
        ok = !from.err && !to.err && place_part(out, from.p, to.p);
    }
    if (ok) drop_parts(out, out->parts, &to);
    adit_buf_free(&from);
    adit_buf_free(&to);
    return ok && fsync(out->folder) == 0;
}

/* --- records ---------------------------------------------------------------------------------- */

/* Opens the folder of a page's file, and makes it; -1: see errno. A folder that has the file's name is in
 * the way, as is a file where a folder belongs: sites have both /a.md/ and /a. */
static int open_parent(struct extract_out *out, const char *path, const char **last)
{
    struct stat st;
    int parent = below_parent(out->folder, path, true, last);
    if (parent < 0 || fstatat(parent, *last, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode))
        return parent;
    close(parent);
    errno = ENOTDIR;
    return -1;
}

/* A file without a name, or with a temporary one where the file system cannot do that; -1: see errno. */
static int open_temp(struct extract_out *out, int parent, const char *path, char **temp)
{
    int fd = openat(parent, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
    if (asprintf(temp, "%s/%s.XXXXXX", out->o->out, path) < 0) *temp = NULL;
    fd = *temp ? mkostemp(*temp, O_CLOEXEC) : -1;
    if (fd < 0) free(*temp), *temp = NULL;
    return fd;
}

/* A name for a page whose own is taken by a folder: ".." is never in it, nor a link. */
static void other_path(struct adit_str path, struct adit_buf *other)
{
    enum { HASH_SHOWN = 16 };
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_of(path, sha);
    adit_buf_add(other, adit_str_sub(path, 0, adit_str_chr(path, '/', 0)));
    adit_buf_lit(other, "/%clash/");
    adit_buf_hex(other, sha, HASH_SHOWN);
    adit_buf_lit(other, ".md");
    adit_buf_byte(other, '\0');
}

/* A file a page: PATH NUL CONTENT. Names are of URLs: no link is followed on the way. */
static bool write_page(struct extract_out *out, struct adit_str bytes)
{
    size_t end = adit_str_chr(bytes, '\0', 0);
    struct adit_str content = adit_str_sub(bytes, end + 1, bytes.len);
    struct adit_buf other;
    const char *path = bytes.p, *last;
    adit_buf_init(&other, cli_mem, PATH_BYTES);
    int parent = open_parent(out, path, &last);
    if (parent < 0 && (errno == ENOTDIR || errno == ENAMETOOLONG)) {
        other_path(adit_str_sub(bytes, 0, end), &other);
        path = other.err ? path : other.p;
        parent = open_parent(out, path, &last);
    }
    char *temp = NULL;
    int fd = parent < 0 ? -1 : open_temp(out, parent, path, &temp);
    if (fd < 0) cli_say(path, "cannot write: %s", below_why(errno));
    struct output *file = fd < 0 ? NULL : output_open_on(fd, temp, path, NULL);
    bool ok = file && output_write(file, content) && output_finish(file) &&
              output_link(file, parent, last);
    if (ok) out->totals->bytes_out += output_bytes_out(file);
    output_discard(file);
    if (parent >= 0) close(parent);
    adit_buf_free(&other);
    return ok;
}

/* What a run that skips this input must know of it. */
static bool add_key(struct extract_out *out, const uint8_t *key, size_t input)
{
    if (!out->o->dedup || out->o->to != EXTRACT_TO_FOLDER) return true;
    if (!out->keys) out->keys = extract_keys_open(out->o, out->folder, out->o->crawl.inputs[input]);
    return out->keys && output_write(out->keys, adit_str_of((const char *)key, EXTRACT_KEY));
}

static bool commit_keys(struct extract_out *out, bool good)
{
    struct output *keys = out->keys;
    out->keys = NULL;
    if (keys && good) return output_commit(keys);
    output_discard(keys);
    return true;
}

bool extract_out_record(struct extract_out *out, struct adit_str bytes, const uint8_t *key,
                        size_t input)
{
    const struct extract_options *o = out->o;
    if (!add_key(out, key, input)) return false;
    out->totals->records++;
    out->totals->bytes += bytes.len;
    out->pages++;
    if (o->format->mirror) return write_page(out, bytes);
    if (o->to == EXTRACT_TO_FOLDER) {
        if (out->file && output_bytes_in(out->file) + bytes.len > o->part && !close_part(out))
            return false;
        if (!out->file && !open_part(out, input)) return false;
    }
    if (out->file) return output_write(out->file, bytes);
    cli_data(bytes);
    if (!ferror(stdout)) return true;
    cli_say(NULL, "cannot write to standard output");
    return false;
}

bool extract_out_end(struct extract_out *out, size_t input, bool failed, uint64_t lost)
{
    const struct extract_options *o = out->o;
    if (o->to == EXTRACT_TO_STDOUT) fflush(stdout);
    if (o->to != EXTRACT_TO_FOLDER) return true;
    struct extract_mark mark = {.pages = out->pages, .lost = lost};
    bool ok = close_part(out);
    mark.parts = out->parts;
    if (ok && o->format->mirror) ok = syncfs(out->folder) == 0;
    if (ok && !o->format->mirror) ok = place_parts(out, input);
    if (ok) ok = commit_keys(out, !failed);
    if (ok && !failed) ok = extract_done_write(o, out->folder, o->crawl.inputs[input], &mark);
    out->parts = out->pages = 0;
    return ok;
}

bool extract_out_close(struct extract_out *out, bool good)
{
    bool ok = good;
    if (out->file && good && out->o->to != EXTRACT_TO_FOLDER) {
        struct output *file = out->file;
        ok = output_finish(file);
        out->totals->bytes_out = output_bytes_out(file);
        if (ok)
            ok = output_commit(file);
        else
            output_discard(file);
    } else {
        output_discard(out->file);
    }
    commit_keys(out, false);
    if (out->folder >= 0) close(out->folder);
    if (!good && out->made) below_unmake(out->o->out, out->made);
    adit_buf_free(&out->head);
    adit_buf_free(&out->stem);
    free(out);
    return ok;
}
