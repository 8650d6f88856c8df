/* Writing a collection: the checksum is known at the end and stands in line 1, so line 1 is the
 * head of the output, which is filled in last. */
#include "batch/collection/collection.h"

#include <stdlib.h>
#include <string.h>

static const char no_checksum[] =
    "sha256:0000000000000000000000000000000000000000000000000000000000000000";

struct collection_writer {
    struct output *out;
    struct adit_scp_meta meta; /* its strings live in meta_text */
    struct adit_arena meta_text;
    struct adit_buf line1;
    struct adit_sha256 hash;
    struct collection_result result;
    bool without_checksum, in_page, finished;
};

enum { META_MAX = 60000 };

static void write_line1(struct collection_writer *w, const char *checksum)
{
    struct adit_scp_meta meta = w->meta;
    meta.checksum = adit_str_z(checksum);
    adit_buf_clear(&w->line1);
    adit_scp_meta_write(&w->line1, &meta);
}

static bool copy_meta(struct collection_writer *w, const struct adit_scp_meta *meta)
{
    bool ok = true;
    w->meta = *meta;
    w->meta.id = adit_arena_dup(&w->meta_text, meta->id, &ok);
    w->meta.section = adit_arena_dup(&w->meta_text, meta->section, &ok);
    w->meta.generated = adit_arena_dup(&w->meta_text, meta->generated, &ok);
    w->meta.since = adit_arena_dup(&w->meta_text, meta->since, &ok);
    return ok;
}

static bool begin(struct collection_writer *w)
{
    write_line1(w, "");
    adit_sha256_update(&w->hash, w->line1.p, w->line1.len);
    if (!w->without_checksum) write_line1(w, no_checksum);
    return !w->line1.err && output_head(w->out, adit_buf_str(&w->line1));
}

struct collection_writer *collection_create_on(struct output *out, const struct adit_scp_meta *meta,
                                               bool without_checksum)
{
    struct collection_writer *w = out ? calloc(1, sizeof *w) : NULL;
    if (!w) {
        if (out) cli_say(output_path(out), "out of memory");
        output_discard(out);
        return NULL;
    }
    adit_arena_init(&w->meta_text, cli_mem, META_MAX);
    adit_buf_init(&w->line1, cli_mem, (size_t)2 * META_MAX);
    adit_sha256_init(&w->hash);
    w->without_checksum = without_checksum;
    w->out = out;
    if (!copy_meta(w, meta))
        cli_say(output_path(out), "the names of the collection are too long");
    else if (begin(w))
        return w;
    collection_discard(w);
    return NULL;
}

struct collection_writer *collection_create(const char *path, const struct adit_scp_meta *meta,
                                            const struct output_options *options,
                                            bool without_checksum)
{
    return collection_create_on(output_open(path, options), meta, without_checksum);
}

static bool put(struct collection_writer *w, struct adit_str part)
{
    adit_sha256_update(&w->hash, part.p, part.len);
    return output_write(w->out, part);
}

bool collection_add(struct collection_writer *w, struct adit_str part)
{
    if (!w->in_page) put(w, ADIT_STR("\n"));
    w->in_page = true;
    return put(w, part);
}

bool collection_end_page(struct collection_writer *w)
{
    w->result.pages += w->in_page;
    w->in_page = false;
    return true;
}

static bool put_checksum(struct collection_writer *w)
{
    uint8_t hash[ADIT_SHA256_LEN];
    adit_sha256_final(&w->hash, hash);
    adit_buf_clear(&w->line1);
    adit_sha256_text(&w->line1, "sha256:", hash);
    if (w->line1.err || w->line1.len >= sizeof w->result.checksum) return false;
    memcpy(w->result.checksum, w->line1.p, w->line1.len);
    if (w->without_checksum) return true;
    write_line1(w, w->result.checksum);
    return !w->line1.err && output_replace_head(w->out, adit_buf_str(&w->line1));
}

bool collection_finish(struct collection_writer *w, struct collection_result *result)
{
    if (!w->finished) {
        if (!put_checksum(w) || !output_finish(w->out)) return false;
        w->finished = true;
        w->result.size = output_bytes_out(w->out);
        w->result.size_decoded = output_bytes_in(w->out);
        w->result.padded = output_padded(w->out);
    }
    if (result && !output_file_sha256(w->out, w->result.sha256)) return false;
    if (result) *result = w->result;
    return true;
}

const struct collection_result *collection_result(const struct collection_writer *w)
{
    return &w->result;
}

bool collection_commit(struct collection_writer *w, struct collection_result *result)
{
    bool good = collection_finish(w, result);
    if (good) {
        good = output_commit(w->out);
        w->out = NULL;
    }
    collection_discard(w);
    return good;
}

struct output *collection_release(struct collection_writer *w)
{
    struct output *out = w->out;
    w->out = NULL;
    collection_discard(w);
    return out;
}

void collection_discard(struct collection_writer *w)
{
    if (!w) return;
    output_discard(w->out);
    adit_arena_free(&w->meta_text);
    adit_buf_free(&w->line1);
    free(w);
}
