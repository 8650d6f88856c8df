/* The inputs of a pack, one record or file after the other. */
#include "batch/crawl/inputs_impl.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    SNIFFED = 4096,           /* bytes that show what a file is */
    SAID_MAX = 1000,          /* messages about inputs that cannot be read */
    FILE_NAME_MAX = 64 << 10, /* bytes of a name, for reports */
    HEAD_ONLY = 64 << 10,     /* the part of a block that its HTTP head must be in */
    NAME_MAX_BYTES = 1024     /* of a crawler */
};

struct crawl_reader {
    const struct crawl_options *o;
    size_t next;
    const char *name; /* of the input that is open */
    /* One of these, while an input is open; in: of the file itself, or of a part of wacz or cdxj. */
    struct tree *tree;
    struct wacz *wacz;
    struct cdxj *cdxj;
    struct input *in;
    struct warc_reader warc;
    struct adit_buf file; /* name of the file that `in` reads, for reports; ends with a NUL */
    uint64_t base;        /* where in begins in it */
    bool one_record;      /* in is one capture of an index, and no more is to be read of it */
    bool met;             /* and that has been read */
    struct crawl_losses losses;
    bool ends;                           /* ends of inputs are told */
    bool opened;                         /* an input is under way, and its end not told */
    bool failed;                         /* some of it could not be had */
    uint64_t lost;                       /* places in it that are damaged */
    unsigned said;                       /* messages about inputs */
    const struct crawl_visitor *visitor; /* of crawl_reader_visit; else NULL */
    void *visitor_ctx;
    uint64_t total, done;
    struct adit_buf crawler;
};

struct crawl_reader *crawl_reader_new(const struct crawl_options *o)
{
    struct crawl_reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->o = o;
    adit_buf_init(&r->crawler, cli_mem, WARC_HEADER_MAX);
    adit_buf_init(&r->file, cli_mem, FILE_NAME_MAX);
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
    wacz_close(r->wacz);
    cdxj_close(r->cdxj);
    crawl_losses_free(&r->losses);
    adit_buf_free(&r->file);
    adit_buf_free(&r->crawler);
    free(r);
}

uint64_t crawl_reader_position(const struct crawl_reader *r, uint64_t *total)
{
    *total = r->total;
    return r->done + (r->in ? input_consumed(r->in) : 0);
}

const char *crawl_reader_name(const struct crawl_reader *r) { return r->name; }
const struct crawl_losses *crawl_reader_losses(const struct crawl_reader *r) { return &r->losses; }

/* --- names ------------------------------------------------------------------------------------ */

/* The name of what is read next; of a part with the input that it is in. */
static void set_file(struct crawl_reader *r, const char *name, struct adit_str member)
{
    adit_buf_clear(&r->file);
    adit_buf_add(&r->file, adit_str_sub(adit_str_z(name), 0, FILE_NAME_MAX / 2));
    if (member.len) adit_buf_byte(&r->file, ':');
    adit_buf_add(&r->file, adit_str_sub(member, 0, FILE_NAME_MAX / 4));
    adit_buf_byte(&r->file, '\0');
}

static const char *file_of(const struct crawl_reader *r)
{
    return r->file.len ? r->file.p : r->name;
}

/* --- losses ----------------------------------------------------------------------------------- */

void crawl_losses_add(struct crawl_losses *l, const char *file, uint64_t offset, const char *reason)
{
    if (l->n % 64 == 0 && l->n < CRAWL_LOSSES_MAX) {
        struct crawl_loss *v = realloc(l->v, (l->n + 64) * sizeof *v);
        if (v) l->v = v;
        if (!v) reason = NULL;
    }
    char *name = l->n < CRAWL_LOSSES_MAX && reason ? strdup(file) : NULL;
    if (name)
        l->v[l->n++] = (struct crawl_loss){name, offset, reason};
    else
        l->more++;
}

void crawl_losses_free(struct crawl_losses *l)
{
    for (size_t i = 0; i < l->n; i++) free(l->v[i].file);
    free(l->v);
    *l = (struct crawl_losses){0};
}

struct crawl_losses crawl_reader_take_losses(struct crawl_reader *r)
{
    struct crawl_losses l = r->losses;
    r->losses = (struct crawl_losses){0};
    return l;
}

static void lose(struct crawl_reader *r, const char *file, uint64_t offset, const char *reason)
{
    crawl_losses_add(&r->losses, file, offset, reason);
}

/* Says it of the first ones: an index may have a million lines that are wrong. */
static void complain(struct crawl_reader *r, const char *file, const char *why)
{
    if (r->said++ < SAID_MAX) cli_say(file, "%s", why);
    if (r->said == SAID_MAX) cli_say(NULL, "what else cannot be read is counted, and not said");
}

static void on_fault(void *ctx, enum warc_fault which, uint64_t offset)
{
    struct crawl_reader *r = ctx;
    if (r->visitor) r->visitor->fault(r->visitor_ctx, file_of(r), which, offset);
    r->lost += which != WARC_FAULT_length_missing && which != WARC_FAULT_length_wrong;
    lose(r, file_of(r), offset == UINT64_MAX ? offset : r->base + offset, warc_fault_texts[which]);
}

/* --- opening and closing inputs --------------------------------------------------------------- */

static bool open_tree(struct crawl_reader *r)
{
    const struct crawl_options *o = r->o;
    struct adit_str base = o->base_url ? adit_str_z(o->base_url) : o->config.origin;
    if (!base.len) {
        cli_say(r->name, "is a folder without WARC files: if it is HTML, say with --base-url where "
                         "it is on the web");
        lose(r, r->name, UINT64_MAX, "a folder without WARC files, and no --base-url");
        return false;
    }
    r->tree = tree_open(r->name, base, o->strip_html_suffix);
    if (!r->tree) lose(r, r->name, UINT64_MAX, "cannot read the folder");
    return r->tree != NULL;
}

/* The input over which the records are read next. */
static void begin_stream(struct crawl_reader *r, struct input *in, uint64_t base)
{
    adit_buf_clear(&r->crawler);
    r->in = in;
    r->base = base;
    r->met = false;
    warc_init(&r->warc, in);
    r->warc.on_fault = on_fault;
    r->warc.ctx = r;
}

static bool refuse(struct crawl_reader *r, struct input *in, const char *why)
{
    complain(r, r->name, why);
    lose(r, r->name, UINT64_MAX, why);
    input_close(in);
    return false;
}

static bool open_wacz(struct crawl_reader *r, struct input *in)
{
    const char *why = NULL;
    bool seekable = input_source(in)->seekable;
    input_close(in);
    if (!seekable)
        return refuse(r, NULL, "is a WACZ file, which cannot be read from a pipe: give its name");
    struct input_source *source = crawl_source(r->o, r->name);
    r->wacz = source ? wacz_open(source, &why) : NULL;
    return r->wacz || refuse(r, NULL, why ? why : "cannot be opened");
}

static bool open_next(struct crawl_reader *r)
{
    r->name = r->o->inputs[r->next++];
    if (cli_is_folder(r->name)) return open_tree(r);
    struct input_source *source = crawl_source(r->o, r->name);
    struct input *in = input_open_source(
        source, &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
    if (!in) {
        lose(r, r->name, UINT64_MAX, "cannot be opened");
        return false;
    }
    struct adit_str head = input_peek(in, SNIFFED);
    const char *why = crawl_starts_archive(head) ? NULL : crawl_not_readable(head);
    if (why) return refuse(r, in, why);
    if (crawl_starts_zip(head)) return open_wacz(r, in);
    if (cdxj_starts(head)) {
        r->cdxj = cdxj_open(r->o, r->name, in);
        return r->cdxj || refuse(r, NULL, "out of memory");
    }
    set_file(r, r->name, (struct adit_str){0});
    begin_stream(r, in, 0);
    return true;
}

/* Says how the stream ended, and counts. */
static void end_stream(struct crawl_reader *r, struct crawl_counts *counts)
{
    uint64_t faults = 0;
    for (size_t i = 0; i < WARC_FAULT_COUNT; i++) {
        counts->faults[i] += r->warc.faults[i];
        faults += r->warc.faults[i];
    }
    enum adit_code code = input_code(r->in);
    bool failed = code == ADIT_EIO || code == ADIT_ENOMEM, empty = r->warc.records == 0 && faults;
    const char *why = failed ? "cannot be read to its end" : "holds no WARC or ARC record";
    if (failed)
        cli_say(file_of(r), "cannot read to the end: %s", input_message(r->in));
    else if (empty)
        complain(r, file_of(r), why);
    else if (faults && !r->one_record)
        cli_say(file_of(r), "damaged in %llu places; %llu records were read",
                (unsigned long long)faults, (unsigned long long)r->warc.records);
    if (failed || empty) {
        lose(r, file_of(r), r->one_record ? r->base : UINT64_MAX, why);
        r->failed = true;
    }
    if (r->one_record)
        counts->lost += failed || !r->met;
    else
        counts->inputs_failed += failed || empty;
    counts->bytes_read += input_consumed(r->in);
    counts->bytes_decoded += input_offset(r->in);
    r->done += input_consumed(r->in);
}

/* A part of an input that cannot be had, or is not what it should be. */
static void lose_part(struct crawl_reader *r, uint64_t offset, const char *why,
                      struct crawl_counts *counts)
{
    complain(r, file_of(r), why);
    lose(r, file_of(r), offset, why);
    r->failed = true;
    counts->lost++;
}

static void close_stream(struct crawl_reader *r, struct crawl_counts *counts)
{
    end_stream(r, counts);
    const char *differs = r->wacz ? wacz_verify(r->wacz) : NULL;
    if (differs) lose_part(r, UINT64_MAX, differs, counts);
    input_close(r->in);
    r->in = NULL;
}

/* The next archive of a WACZ file. False: there is none left. */
static bool next_archive(struct crawl_reader *r, struct crawl_counts *counts)
{
    struct adit_str member;
    struct input *in;
    const char *why = NULL;
    if (!wacz_next(r->wacz, &member, &in, &why)) return false;
    set_file(r, r->name, member);
    r->one_record = false;
    if (in)
        begin_stream(r, in, 0);
    else
        lose_part(r, UINT64_MAX, why, counts);
    return true;
}

/* The next capture of an index. */
static bool next_capture(struct crawl_reader *r, struct crawl_counts *counts)
{
    const char *file, *why;
    uint64_t offset;
    struct input *in;
    if (!cdxj_next(r->cdxj, &file, &offset, &in, &why)) return false;
    set_file(r, file ? file : r->name, (struct adit_str){0});
    r->one_record = true;
    if (in)
        begin_stream(r, in, offset);
    else
        lose_part(r, offset, why, counts);
    return true;
}

static void close_wacz(struct crawl_reader *r, struct crawl_counts *counts)
{
    const char *fault = wacz_fault(r->wacz);
    set_file(r, r->name, (struct adit_str){0});
    if (fault) lose_part(r, UINT64_MAX, fault, counts);
    wacz_close(r->wacz);
    r->wacz = NULL;
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

/* Copies a record into the item's own memory. */
static bool take_record(struct crawl_item *item, const struct warc_record *r, const char *file,
                        struct adit_str crawler)
{
    struct adit_str block = r->whole ? r->block : adit_str_sub(r->block, 0, HEAD_ONLY);
    adit_buf_clear(&item->buf);
    adit_buf_add(&item->buf, r->header);
    adit_buf_add(&item->buf, block);
    adit_buf_add(&item->buf, crawler);
    adit_buf_lit(&item->buf, file);
    adit_buf_byte(&item->buf, '\0');
    if (item->buf.err) return false;
    item->crawler = adit_str_of(item->buf.p + r->header.len + block.len, crawler.len);
    item->file = item->crawler.p + crawler.len;
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
    while (!(r->one_record && r->met) && warc_next(&r->warc, &record)) {
        r->met = true;
        counts->records++;
        counts->by_type[record.type]++;
        if (record.type == WARC_INFO) read_info(r, &record);
        if (!concerns_pages(r->o, &record) ||
            !take_record(item, &record, file_of(r), adit_buf_str(&r->crawler)))
            continue;
        if (record.offset != UINT64_MAX) item->record.offset += r->base;
        return true;
    }
    close_stream(r, counts);
    return false;
}

/* What the crawler saw on a page, as an item of its own. */
static bool next_text(struct crawl_reader *r, struct crawl_item *item)
{
    struct wacz_page page;
    while (wacz_page(r->wacz, &page)) {
        struct adit_str parts[] = {page.url, page.date, page.title, page.text};
        size_t at[ADIT_COUNT(parts)];
        if (!is_http(page.url)) continue;
        adit_buf_clear(&item->buf);
        for (size_t i = 0; i < ADIT_COUNT(parts); i++) {
            at[i] = item->buf.len;
            adit_buf_add(&item->buf, parts[i]);
        }
        if (item->buf.err) continue;
        for (size_t i = 0; i < ADIT_COUNT(parts); i++) parts[i].p = item->buf.p + at[i];
        item->text = true;
        item->title = parts[2];
        item->record = (struct warc_record){.type = WARC_CONVERSION,
                                            .uri = parts[0],
                                            .date = parts[1],
                                            .content_type = ADIT_STR("text/plain"),
                                            .block = parts[3],
                                            .offset = UINT64_MAX,
                                            .whole = true};
        return true;
    }
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

/* The part of the input that is open which comes next; false: there is none. */
static bool next_part(struct crawl_reader *r, struct crawl_counts *counts)
{
    if (r->wacz) return next_archive(r, counts);
    return r->cdxj && next_capture(r, counts);
}

void crawl_reader_tell_ends(struct crawl_reader *r) { r->ends = true; }

/* The word that the input which was under way is over. False: nobody wants it, or none was. */
static bool tell_end(struct crawl_reader *r, struct crawl_item *item)
{
    bool told = r->opened && r->ends;
    r->opened = false;
    if (!told) return false;
    item->end = true;
    item->failed = r->failed;
    item->lost = r->lost;
    return true;
}

/* Opens the input that comes next. */
static void begin_input(struct crawl_reader *r, struct crawl_counts *counts)
{
    r->opened = true;
    r->lost = 0;
    r->failed = !open_next(r);
    if (r->failed) counts->inputs_failed++;
}

bool crawl_reader_next(struct crawl_reader *r, struct crawl_item *item, struct crawl_counts *counts)
{
    item->end = false;
    item->text = false;
    item->file = NULL;
    item->title = item->crawler = (struct adit_str){0};
    for (;;) {
        item->input = r->next ? r->next - 1 : 0;
        if (r->tree && next_file(r, item, counts)) return true;
        if (!r->tree) {
            free(item->path);
            item->path = NULL;
        }
        if (r->in && next_record(r, item, counts)) return true;
        if (r->in || next_part(r, counts)) continue;
        if (r->wacz && next_text(r, item)) return true;
        if (r->wacz) close_wacz(r, counts);
        cdxj_close(r->cdxj);
        r->cdxj = NULL;
        r->one_record = false;
        if (tell_end(r, item)) return true;
        if (r->next == r->o->n_inputs) return false;
        begin_input(r, counts);
    }
}

/* --- every record ----------------------------------------------------------------------------- */

static void visit_stream(struct crawl_reader *r, struct crawl_counts *counts)
{
    struct warc_record record;
    bool any = false;
    while (!(r->one_record && r->met) && warc_next(&r->warc, &record)) {
        if (any) r->visitor->end(r->visitor_ctx, r->base + r->warc.last_end);
        any = r->met = true;
        counts->records++;
        counts->by_type[record.type]++;
        if (record.offset != UINT64_MAX) record.offset += r->base;
        r->visitor->record(r->visitor_ctx, file_of(r), &r->warc, &record);
    }
    if (any) {
        uint64_t end = r->one_record ? input_consumed(r->in) : r->warc.last_end;
        r->visitor->end(r->visitor_ctx, r->base + end);
    }
    close_stream(r, counts);
}

void crawl_reader_visit(struct crawl_reader *r, const struct crawl_visitor *visitor, void *ctx,
                        struct crawl_counts *counts)
{
    r->visitor = visitor;
    r->visitor_ctx = ctx;
    while (!cli_interrupted()) {
        if (r->in) {
            visit_stream(r, counts);
            continue;
        }
        if (next_part(r, counts)) continue;
        if (r->wacz) close_wacz(r, counts);
        cdxj_close(r->cdxj);
        r->cdxj = NULL;
        r->one_record = false;
        tree_close(r->tree); /* files of a folder are no records */
        r->tree = NULL;
        if (r->next == r->o->n_inputs) return;
        if (!open_next(r)) counts->inputs_failed++;
    }
}
