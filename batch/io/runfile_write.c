/* Writing run files: records are compressed on the way, a zstd frame a segment. */
#include "batch/io/runfile_impl.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Runs are written once and read once: speed counts. A small window bounds what a reader of many
 * runs needs for each. */
enum { LEVEL = 1 };

struct runfile_writer {
    struct output *out;
    ZSTD_CCtx *cctx;
    struct runfile_part *parts; /* those that are complete, and the one under way */
    size_t n, cap;
    bool failed;
    size_t size; /* of buf */
    char buf[];
};

void runfile_discard(struct runfile_writer *w)
{
    if (!w) return;
    output_discard(w->out);
    ZSTD_freeCCtx(w->cctx);
    free(w->parts);
    free(w);
}

static bool begin_part(struct runfile_writer *w)
{
    struct runfile_part *v = cli_grow(w->parts, w->n, &w->cap, sizeof *v);
    if (!v) return false;
    w->parts = v;
    w->parts[w->n++] = (struct runfile_part){.from = output_bytes_in(w->out)};
    return true;
}

struct runfile_writer *runfile_create(const char *path)
{
    size_t size = ZSTD_CStreamOutSize();
    struct runfile_writer *w = calloc(1, sizeof *w + size);
    ZSTD_CCtx *c = w ? ZSTD_createCCtx() : NULL;
    if (!c || ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, RUNFILE_WINDOW_LOG)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1))) {
        cli_say(path, "out of memory");
        ZSTD_freeCCtx(c);
        free(w);
        return NULL;
    }
    w->cctx = c;
    w->size = size;
    w->out = output_open(path, &(struct output_options){.own_name = true});
    if (w->out && output_write(w->out, ADIT_STR(RUNFILE_MAGIC)) && begin_part(w)) return w;
    runfile_discard(w);
    return NULL;
}

static bool compress(struct runfile_writer *w, struct adit_str part, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {part.p, part.len, 0};
    for (size_t left = 1; in.pos < in.size || (how == ZSTD_e_end && left > 0);) {
        ZSTD_outBuffer to = {w->buf, w->size, 0};
        left = ZSTD_compressStream2(w->cctx, &to, &in, how);
        if (ZSTD_isError(left)) {
            cli_say(output_path(w->out), "%s", ZSTD_getErrorName(left));
            w->failed = true;
        }
        if (w->failed || !output_write(w->out, adit_str_of(w->buf, to.pos))) return false;
    }
    return true;
}

bool runfile_add(struct runfile_writer *w, const struct adit_str *parts, size_t n)
{
    uint64_t len = 0;
    for (size_t i = 0; i < n; i++) len += parts[i].len;
    if (len > RUNFILE_RECORD_MAX) {
        cli_say(output_path(w->out), "a record is too long");
        w->failed = true;
        return false;
    }
    uint32_t stored = (uint32_t)len;
    bool ok = compress(w, adit_str_of((const char *)&stored, sizeof stored), ZSTD_e_continue);
    for (size_t i = 0; ok && i < n; i++) ok = compress(w, parts[i], ZSTD_e_continue);
    w->parts[w->n - 1].records++;
    return ok;
}

/* A segment without a record has no frame either. */
static bool end_part(struct runfile_writer *w)
{
    struct runfile_part *p = &w->parts[w->n - 1];
    if (p->records && !compress(w, (struct adit_str){0}, ZSTD_e_end)) return false;
    p->len = output_bytes_in(w->out) - p->from;
    return true;
}

bool runfile_next_segment(struct runfile_writer *w) { return end_part(w) && begin_part(w); }

bool runfile_commit(struct runfile_writer *w, struct adit_str text, uint64_t *size)
{
    struct runfile_tail tail = {.segments = 0};
    bool ok = !w->failed && end_part(w) && text.len <= RUNFILE_TEXT_MAX;
    if (ok) {
        struct adit_sha256 h;
        struct adit_str table = {(const char *)w->parts, w->n * sizeof *w->parts};
        adit_sha256_init(&h);
        adit_sha256_update(&h, table.p, table.len);
        adit_sha256_update(&h, text.p, text.len);
        adit_sha256_final(&h, tail.sha256);
        tail.segments = w->n;
        tail.text_len = text.len;
        memcpy(tail.magic, RUNFILE_MAGIC, sizeof tail.magic);
        ok = output_write(w->out, table) && output_write(w->out, text) &&
             output_write(w->out, adit_str_of((const char *)&tail, sizeof tail));
        *size = output_bytes_in(w->out);
    }
    if (ok) {
        ok = output_commit(w->out);
        w->out = NULL;
    }
    runfile_discard(w);
    return ok;
}
