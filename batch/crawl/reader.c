/* The inputs of a pack, one record or file after the other. */
#include "batch/crawl/crawl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    HEAD_ONLY = 64 << 10, /* the part of a block that its HTTP head must be in */
    NAME_MAX_BYTES = 1024 /* of a crawler */
};

struct crawl_reader {
    const struct crawl_options *o;
    size_t next;
    const char *name; /* of the input that is open */
    struct input *in;
    struct warc_reader warc;
    struct tree *tree;
    uint64_t total, done;
    struct adit_buf crawler;
};

struct crawl_reader *crawl_reader_new(const struct crawl_options *o)
{
    struct crawl_reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->o = o;
    adit_buf_init(&r->crawler, cli_mem, WARC_HEADER_MAX);
    for (size_t i = 0; i < o->n_inputs; i++) {
        struct stat st;
        if (stat(o->inputs[i], &st) == 0 && S_ISREG(st.st_mode)) r->total += (uint64_t)st.st_size;
    }
    return r;
}

void crawl_reader_free(struct crawl_reader *r)
{
    if (!r) return;
    input_close(r->in);
    tree_close(r->tree);
    adit_buf_free(&r->crawler);
    free(r);
}

uint64_t crawl_reader_position(const struct crawl_reader *r, uint64_t *total)
{
    *total = r->total;
    return r->done + (r->in ? input_consumed(r->in) : 0);
}

const char *crawl_reader_name(const struct crawl_reader *r) { return r->name; }

/* --- opening and closing inputs --------------------------------------------------------------- */

static bool open_tree(struct crawl_reader *r)
{
    const struct crawl_options *o = r->o;
    struct adit_str base = o->base_url ? adit_str_z(o->base_url) : o->config.origin;
    if (!base.len) {
        cli_say(r->name, "is a folder: say with --base-url where it is on the web");
        return false;
    }
    r->tree = tree_open(r->name, base, o->strip_html_suffix);
    return r->tree != NULL;
}

static bool open_next(struct crawl_reader *r)
{
    struct stat st;
    adit_buf_clear(&r->crawler);
    r->name = r->o->inputs[r->next++];
    if (strcmp(r->name, "-") != 0 && stat(r->name, &st) == 0 && S_ISDIR(st.st_mode))
        return open_tree(r);
    r->in =
        input_open(r->name, &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
    if (r->in) warc_init(&r->warc, r->in);
    return r->in != NULL;
}

static void close_warc(struct crawl_reader *r, struct crawl_counts *counts)
{
    uint64_t faults = 0;
    for (size_t i = 0; i < WARC_FAULT_COUNT; i++) {
        counts->faults[i] += r->warc.faults[i];
        faults += r->warc.faults[i];
    }
    enum adit_code code = input_code(r->in);
    bool failed = code == ADIT_EIO || code == ADIT_ENOMEM;
    if (failed)
        cli_say(r->name, "cannot read to the end: %s", input_message(r->in));
    else if (r->warc.records == 0 && faults)
        cli_say(r->name, "holds no WARC or ARC record");
    else if (faults)
        cli_say(r->name, "damaged in %llu places; %llu records were read",
                (unsigned long long)faults, (unsigned long long)r->warc.records);
    counts->inputs_failed += failed || (r->warc.records == 0 && faults);
    counts->bytes_read += input_consumed(r->in);
    counts->bytes_decoded += input_offset(r->in);
    r->done += input_consumed(r->in);
    input_close(r->in);
    r->in = NULL;
}

/* --- items ------------------------------------------------------------------------------------ */

static bool is_http(struct adit_str uri)
{
    return adit_str_istarts(uri, ADIT_STR("http://")) ||
           adit_str_istarts(uri, ADIT_STR("https://"));
}

static bool concerns_pages(const struct crawl_options *o, const struct warc_record *r)
{
    static const bool types[WARC_TYPES] = {
        [WARC_RESPONSE] = true, [WARC_RESOURCE] = true,   [WARC_REVISIT] = true,
        [WARC_REQUEST] = true,  [WARC_CONVERSION] = true,
    };
    return types[r->type] && is_http(r->uri) &&
           (r->type != WARC_REQUEST || (!o->keep_private && crawl_has_credentials(r->block)));
}

/* Who made the archive, by its warcinfo record: the crawler's name for servers, or the program. */
static void read_info(struct crawl_reader *r, const struct warc_record *record)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("http-header-user-agent"),
                                            ADIT_STR_INIT("software")};
    struct http_message fields = {.head = adit_str_sub(record->block, 0, HEAD_ONLY)};
    adit_buf_clear(&r->crawler);
    for (size_t i = 0; i < ADIT_COUNT(names) && !r->crawler.len; i++)
        adit_buf_add(&r->crawler, adit_str_sub(http_field(&fields, names[i]), 0, NAME_MAX_BYTES));
}

struct adit_str crawl_reader_crawler(const struct crawl_reader *r)
{
    return adit_buf_str(&r->crawler);
}

/* Copies a record into the item's own memory. */
static bool take_record(struct crawl_item *item, const struct warc_record *r)
{
    struct adit_str block = r->whole ? r->block : adit_str_sub(r->block, 0, HEAD_ONLY);
    adit_buf_clear(&item->buf);
    adit_buf_add(&item->buf, r->header);
    adit_buf_add(&item->buf, block);
    if (item->buf.err) return false;
    item->record = *r;
    struct adit_str *const slices[] = {&item->record.header, &item->record.uri, &item->record.date,
                                       &item->record.content_type};
    for (size_t i = 0; i < ADIT_COUNT(slices); i++)
        if (slices[i]->len) slices[i]->p = item->buf.p + (slices[i]->p - r->header.p);
    item->record.block = adit_str_of(item->buf.p + r->header.len, block.len);
    return true;
}

static bool next_record(struct crawl_reader *r, struct crawl_item *item,
                        struct crawl_counts *counts)
{
    struct warc_record record;
    while (warc_next(&r->warc, &record)) {
        counts->records++;
        counts->by_type[record.type]++;
        if (record.type == WARC_INFO) read_info(r, &record);
        if (concerns_pages(r->o, &record) && take_record(item, &record)) return true;
    }
    close_warc(r, counts);
    return false;
}

static bool next_file(struct crawl_reader *r, struct crawl_item *item, struct crawl_counts *counts)
{
    struct tree_file file;
    if (!tree_next(r->tree, &file)) {
        tree_close(r->tree);
        r->tree = NULL;
        return false;
    }
    counts->files++;
    free(item->path);
    item->path = strdup(file.path);
    adit_buf_clear(&item->buf);
    adit_buf_add(&item->buf, file.url);
    adit_time_write(&item->buf, file.modified);
    if (!item->path || item->buf.err) return false;
    struct adit_str text = adit_buf_str(&item->buf);
    item->record = (struct warc_record){
        .type = WARC_RESOURCE,
        .uri = adit_str_sub(text, 0, file.url.len),
        .date = adit_str_sub(text, file.url.len, text.len),
        .content_type = file.known_html ? ADIT_STR("text/html") : (struct adit_str){0},
        .whole = true,
    };
    return true;
}

bool crawl_reader_next(struct crawl_reader *r, struct crawl_item *item, struct crawl_counts *counts)
{
    for (;;) {
        if (r->tree && next_file(r, item, counts)) return true;
        if (r->in) {
            free(item->path);
            item->path = NULL;
            if (next_record(r, item, counts)) return true;
        }
        if (r->next == r->o->n_inputs) return false;
        if (!open_next(r)) counts->inputs_failed++;
    }
}
