/* Reading run files, which may be cut off, damaged, or not run files at all: every length is checked
 * against the file's size before anything is allocated or read by it. */
#include "batch/io/runfile_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RAW = 64 << 10 }; /* encoded bytes held of each: many files are read at once */

struct runfile {
    char *name;
    struct input_source *source;
    struct runfile_part *parts;
    size_t n;
    char *text;
    size_t text_len;
};

void runfile_close(struct runfile *r)
{
    if (!r) return;
    source_close(r->source);
    free(r->parts);
    free(r->text);
    free(r->name);
    free(r);
}

struct adit_str runfile_text(const struct runfile *r) { return adit_str_of(r->text, r->text_len); }
size_t runfile_segments(const struct runfile *r) { return r->n; }
struct adit_str runfile_table(const struct runfile *r)
{
    return adit_str_of((const char *)r->parts, r->n * sizeof *r->parts);
}

bool runfile_refuse(const struct runfile *r, const char *why)
{
    cli_say(r->name, "%s", why);
    return false;
}

/* --- opening ---------------------------------------------------------------------------------- */

/* NULL, or what is wrong. */
static const char *read_tail(const struct runfile *r, struct runfile_tail *tail)
{
    char magic[RUNFILE_MAGIC_LEN];
    uint64_t size = r->source->size;
    if (size < RUNFILE_MAGIC_LEN || !source_read_all(r->source, 0, magic, sizeof magic) ||
        memcmp(magic, RUNFILE_MAGIC, sizeof magic) != 0)
        return "is not a run file of this version of adit";
    if (size < sizeof magic + sizeof *tail ||
        !source_read_all(r->source, size - sizeof *tail, (char *)tail, sizeof *tail) ||
        memcmp(tail->magic, RUNFILE_MAGIC, sizeof tail->magic) != 0)
        return "is cut off";
    uint64_t most = size - sizeof magic - sizeof *tail;
    if (tail->segments == 0 || tail->segments > RUNFILE_SEGMENTS_MAX ||
        tail->text_len > RUNFILE_TEXT_MAX ||
        tail->segments * sizeof *r->parts + tail->text_len > most)
        return "is damaged: its table does not fit into it";
    return NULL;
}

/* Segments follow one another from the magic to the table. */
static bool table_fits(const struct runfile *r, uint64_t end)
{
    uint64_t at = RUNFILE_MAGIC_LEN;
    for (size_t i = 0; i < r->n; i++) {
        if (r->parts[i].from != at || r->parts[i].len > end - at) return false;
        at += r->parts[i].len;
    }
    return at == end;
}

static const char *read_table(struct runfile *r)
{
    struct runfile_tail tail;
    const char *why = read_tail(r, &tail);
    if (why) return why;
    size_t table = (size_t)tail.segments * sizeof *r->parts;
    uint64_t at = r->source->size - sizeof tail - tail.text_len - table;
    r->n = (size_t)tail.segments;
    r->text_len = (size_t)tail.text_len;
    r->parts = malloc(table);
    r->text = malloc(r->text_len + 1);
    if (!r->parts || !r->text) return "out of memory";
    if (!source_read_all(r->source, at, (char *)r->parts, table) ||
        !source_read_all(r->source, at + table, r->text, r->text_len))
        return "cannot be read";
    struct adit_sha256 h;
    uint8_t sha[ADIT_SHA256_LEN];
    adit_sha256_init(&h);
    adit_sha256_update(&h, r->parts, table);
    adit_sha256_update(&h, r->text, r->text_len);
    adit_sha256_final(&h, sha);
    if (memcmp(sha, tail.sha256, sizeof tail.sha256) != 0 || !table_fits(r, at))
        return "is damaged: its table does not fit its hash";
    return NULL;
}

struct runfile *runfile_open_source(struct input_source *source, const char *name)
{
    struct runfile *r = source ? calloc(1, sizeof *r) : NULL;
    if (r) r->name = strdup(name);
    if (!r || !r->name) {
        cli_say(name, "out of memory");
        source_close(source);
        free(r);
        return NULL;
    }
    r->source = source;
    const char *why = source->seekable ? read_table(r) : "is no regular file";
    if (!why) return r;
    runfile_refuse(r, why);
    runfile_close(r);
    return NULL;
}

struct runfile *runfile_open(const char *path, bool missing_is_fine)
{
    const char *why = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && missing_is_fine) return NULL;
    struct input_source *source = source_file(fd, &why);
    if (source) return runfile_open_source(source, path);
    cli_say(path, fd < 0 ? "cannot open: %s" : "%s", why);
    return NULL;
}

/* --- records ---------------------------------------------------------------------------------- */

struct segment {
    struct sorter_source source;
    struct runfile *file;
    struct input *in; /* NULL: there is no record */
    uint64_t left;    /* records */
    size_t taken;     /* of the window, with the next call */
    struct adit_buf before;
    runfile_fault *fault;
    void *ctx;
};

static void close_segment(struct sorter_source *source)
{
    struct segment *s = (struct segment *)source;
    input_close(s->in);
    runfile_close(s->file);
    adit_buf_free(&s->before);
    free(s);
}

static int refuse(const struct segment *s, const char *why)
{
    runfile_refuse(s->file, why);
    return -1;
}

static int next_record(struct sorter_source *source, struct adit_str *record)
{
    struct segment *s = (struct segment *)source;
    uint32_t len;
    if (s->in) input_skip(s->in, s->taken);
    s->taken = 0;
    if (s->left == 0) {
        if (!s->in || (!input_peek(s->in, 1).len && !input_code(s->in))) return 0;
        return refuse(s, "is damaged: a segment does not end where it should");
    }
    struct adit_str got = input_peek(s->in, sizeof len);
    if (got.len >= sizeof len) {
        memcpy(&len, got.p, sizeof len);
        if (len > RUNFILE_RECORD_MAX) return refuse(s, "is damaged: a record is too long");
        got = input_peek(s->in, sizeof len + len);
    }
    if (got.len < sizeof len || got.len - sizeof len < len)
        return refuse(s,
                      input_code(s->in) ? input_message(s->in) : "is damaged: a record is cut off");
    *record = adit_str_of(got.p + sizeof len, len);
    const char *why = s->fault(s->ctx, *record, adit_buf_str(&s->before));
    if (why) return refuse(s, why);
    adit_buf_clear(&s->before);
    adit_buf_add(&s->before, *record);
    if (s->before.err) return refuse(s, "out of memory");
    s->left--;
    s->taken = sizeof len + len;
    return 1;
}

struct sorter_source *runfile_segment(struct runfile *r, size_t segment, runfile_fault *fault,
                                      void *ctx)
{
    const struct runfile_part *part = &r->parts[segment];
    struct segment *s = calloc(1, sizeof *s);
    struct input_source *bytes = NULL;
    if (s && part->len) bytes = source_part(r->source, part->from, part->len);
    if (bytes)
        s->in = input_open_source(
            bytes, &(struct input_options){.window_max = (size_t)RUNFILE_RECORD_MAX + (1 << 20),
                                           .raw_max = RAW,
                                           .zstd_log_max = RUNFILE_WINDOW_LOG});
    if (!s || (part->len && !s->in)) {
        runfile_refuse(r, "out of memory");
        runfile_close(r);
        free(s);
        return NULL;
    }
    s->source = (struct sorter_source){next_record, close_segment, part->len};
    s->file = r;
    s->left = part->records;
    s->fault = fault;
    s->ctx = ctx;
    adit_buf_init(&s->before, cli_mem, RUNFILE_RECORD_MAX);
    if (s->left && !s->in) {
        runfile_refuse(r, "is damaged: a segment lacks its records");
        close_segment(&s->source);
        return NULL;
    }
    return &s->source;
}
