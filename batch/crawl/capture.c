/* A worker: from a record to what it says about a page. */
#include "batch/crawl/inputs_impl.h"
#include "http/http.h"
#include "text/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct capture_worker {
    const struct capture_sink *sink;
    void *sink_ctx;
    const struct crawl_options *o;
    struct adit_converter *converter;
    struct http_decoder *decoder;
    struct adit_arena arena;                  /* scratch of one item */
    struct adit_buf url, other, robots, date; /* likewise */
    struct crawl_counts counts;
    const struct crawl_item *item; /* under way */
};

enum { SCRATCH_MAX = 16 << 20 };

struct capture_worker *capture_worker_new(const struct crawl_options *o,
                                          const struct capture_sink *sink, void *ctx)
{
    struct capture_worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->sink = sink;
    w->sink_ctx = ctx;
    w->o = o;
    w->converter = adit_converter_new(cli_mem);
    w->decoder = http_decoder_new(ADIT_LIMIT_page_bytes);
    adit_arena_init(&w->arena, cli_mem, SCRATCH_MAX);
    struct adit_buf *const small[] = {&w->url, &w->other, &w->robots, &w->date};
    for (size_t i = 0; i < ADIT_COUNT(small); i++) adit_buf_init(small[i], cli_mem, SCRATCH_MAX);
    if (w->converter && w->decoder) return w;
    capture_worker_free(w);
    return NULL;
}

void capture_worker_free(struct capture_worker *w)
{
    if (!w) return;
    adit_converter_free(w->converter);
    http_decoder_free(w->decoder);
    adit_arena_free(&w->arena);
    struct adit_buf *const bufs[] = {&w->url, &w->other, &w->robots, &w->date};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_free(bufs[i]);
    free(w);
}

struct crawl_counts *capture_worker_counts(struct capture_worker *w) { return &w->counts; }

/* --- what a capture says ---------------------------------------------------------------------- */

static void note(const struct capture_worker *w, enum crawl_skip why)
{
    const struct warc_record *r = &w->item->record;
    crawl_note_skip(w->o->notes, why, r->uri, w->item->file ? w->item->file : w->item->path,
                    w->item->path ? UINT64_MAX : r->offset);
}

/* Not listed, and it says nothing about the page either. */
static bool skip(struct capture_worker *w, enum crawl_skip why)
{
    w->counts.skips[why]++;
    note(w, why);
    return true;
}

static bool emit(struct capture_worker *w, const struct crawl_capture *s, enum crawl_verdict kind,
                 int reason)
{
    return w->sink->verdict(w->sink_ctx, s, kind, (enum crawl_skip)reason);
}

/* Not listed; removes older captures of the page. */
static bool gone(struct capture_worker *w, const struct crawl_capture *s, enum crawl_skip why)
{
    note(w, why);
    return emit(w, s, CRAWL_GONE, (int)why);
}

/* --- converting ------------------------------------------------------------------------------- */

static struct adit_page_source source_of(struct capture_worker *w, const struct crawl_capture *s)
{
    unsigned optout = crawl_optout(&s->http, &w->robots);
    adit_buf_clear(&w->robots);
    adit_buf_clear(&w->date);
    http_fields(&s->http, ADIT_STR("X-Robots-Tag"), &w->robots);
    adit_time_write(&w->date, s->at);
    return (struct adit_page_source){
        .url = adit_buf_str(&w->url),
        .content_type = s->content_type,
        .content_language = http_field(&s->http, ADIT_STR("Content-Language")),
        .last_modified = http_field(&s->http, ADIT_STR("Last-Modified")),
        .robots = adit_buf_str(&w->robots),
        .date = adit_buf_str(&w->date),
        .language = adit_str_z(w->o->language),
        .optout = optout,
        .rich = w->o->rich,
        .links = w->o->links,
    };
}

/* Why a converted page is not listed; -1: it is. */
static int page_skip(const struct capture_worker *w, const struct adit_page *page)
{
    if (page->noindex && !w->o->keep_noindex) return CRAWL_SKIP_noindex;
    if (page->noarchive && !w->o->keep_noarchive) return CRAWL_SKIP_noarchive;
    if (page->optout && w->o->respect_optout) return CRAWL_SKIP_optout;
    return page->n_blocks == 0 ? CRAWL_SKIP_empty : -1;
}

static bool convert(struct capture_worker *w, struct crawl_capture *s)
{
    const struct adit_page *page;
    bool ok = true;
    s->source = source_of(w, s);
    if (w->sink->known(w->sink_ctx, s, &ok)) return ok;
    w->counts.bytes_html += s->body.len;
    uint64_t began = w->o->notes ? clock_us() : 0;
    enum adit_code code = adit_convert(w->converter, s->body, &s->source, &page, NULL);
    if (w->o->notes) crawl_note_time(w->o->notes, s->url, clock_us() - began);
    if (code == ADIT_EBAD) return skip(w, CRAWL_SKIP_url);
    if (code != ADIT_OK) return gone(w, s, CRAWL_SKIP_limit);
    for (size_t i = 0; i < ADIT_OPTOUT_KINDS; i++) w->counts.optout[i] += page->optout >> i & 1;
    int why = page_skip(w, page);
    if (why >= 0) return gone(w, s, (enum crawl_skip)why);
    return w->sink->page(w->sink_ctx, s, page);
}

/* --- kinds of captures ------------------------------------------------------------------------ */

/* "Cache-Control: no-archive" (SPP, 9). */
static bool header_noarchive(struct capture_worker *w, const struct http_message *m)
{
    adit_buf_clear(&w->robots);
    http_fields(m, ADIT_STR("Cache-Control"), &w->robots);
    struct adit_str values = adit_buf_str(&w->robots);
    return !w->o->keep_noarchive && (adit_list_has(values, ADIT_STR("no-archive"), NULL) ||
                                     adit_list_has(values, ADIT_STR("noarchive"), NULL));
}

/* What the header forbids need not be converted; what the page itself says is seen later. */
static bool header_noindex(struct capture_worker *w, const struct http_message *m)
{
    adit_buf_clear(&w->robots);
    http_fields(m, ADIT_STR("X-Robots-Tag"), &w->robots);
    return !w->o->keep_noindex && adit_robots_noindex(adit_buf_str(&w->robots));
}

/* http: to https:, or one name of the site to another: the page itself is behind it. */
static bool redirects_to_itself(struct capture_worker *w, const struct crawl_capture *s)
{
    struct adit_str location = http_field(&s->http, ADIT_STR("Location")), target;
    struct adit_url base;
    return location.len && adit_url_parse(s->record->uri, NULL, &w->arena, &base) == ADIT_OK &&
           adit_url_resolve(location, &base, &w->arena, &target) == ADIT_OK &&
           crawl_public_url(w->o, target, &w->arena, &w->other) < 0 &&
           adit_str_eq(adit_buf_str(&w->other), adit_buf_str(&w->url));
}

static bool body_known(struct capture_worker *w, struct crawl_capture *s)
{
    if (s->body.len > ADIT_LIMIT_page_bytes) return gone(w, s, CRAWL_SKIP_too_large);
    if (s->body.len == 0) return gone(w, s, CRAWL_SKIP_empty);
    int binary = adit_media_is_html(s->payload_type) ? adit_binary(s->body) : -1;
    if (binary >= 0) {
        w->counts.binaries[binary]++;
        return gone(w, s, CRAWL_SKIP_binary);
    }
    if (!crawl_is_html(s->payload_type, s->body)) return gone(w, s, CRAWL_SKIP_not_html);
    return convert(w, s);
}

static bool response(struct capture_worker *w, struct crawl_capture *s)
{
    bool decides;
    int why = crawl_status_skip(s->http.status, &decides);
    if (why == CRAWL_SKIP_unchanged) return emit(w, s, CRAWL_UNCHANGED, 0);
    if (why == CRAWL_SKIP_redirect && redirects_to_itself(w, s)) decides = false;
    if (why >= 0) return decides ? gone(w, s, (enum crawl_skip)why) : skip(w, (enum crawl_skip)why);
    s->content_type = http_field(&s->http, ADIT_STR("Content-Type"));
    s->payload_type = crawl_payload_type(
        s->content_type, warc_field(s->record, ADIT_STR("WARC-Identified-Payload-Type")));
    if (crawl_is_private(w->o, &s->http, &w->robots, &w->other))
        return gone(w, s, CRAWL_SKIP_private);
    if (header_noarchive(w, &s->http)) return gone(w, s, CRAWL_SKIP_noarchive);
    if (header_noindex(w, &s->http)) return gone(w, s, CRAWL_SKIP_noindex);
    if (!crawl_is_html(s->payload_type, (struct adit_str){0}))
        return gone(w, s, CRAWL_SKIP_not_html);
    if (!s->record->whole) return gone(w, s, CRAWL_SKIP_too_large);
    enum adit_code code = http_decode(w->decoder, &s->http, &s->body);
    if (code == ADIT_ELIMIT) return gone(w, s, CRAWL_SKIP_too_large);
    if (code != ADIT_OK) return skip(w, CRAWL_SKIP_body);
    return body_known(w, s);
}

/* The same URL: nothing has changed since the capture before. Another one: what it refers to would
 * have to be kept for ever. */
static bool revisit(struct capture_worker *w, struct crawl_capture *s)
{
    bool decides;
    int why = s->http.status ? crawl_status_skip(s->http.status, &decides) : -1;
    if (why >= 0 && why != CRAWL_SKIP_unchanged) return response(w, s);
    struct adit_str uri = warc_field(s->record, ADIT_STR("WARC-Refers-To-Target-URI"));
    if (uri.len > 1 && uri.p[0] == '<') uri = adit_str_sub(uri, 1, uri.len - 1);
    if (uri.len && (crawl_public_url(w->o, uri, &w->arena, &w->other) >= 0 ||
                    !adit_str_eq(adit_buf_str(&w->other), adit_buf_str(&w->url))))
        return skip(w, CRAWL_SKIP_unresolved);
    return emit(w, s, CRAWL_UNCHANGED, 0);
}

/* A body without HTTP: its type stands in the WARC header. Other things than HTML say nothing of a page: they
 * are made from the page (screenshots, text), not sent by the server. */
static bool resource(struct capture_worker *w, struct crawl_capture *s)
{
    s->content_type = s->payload_type = s->record->content_type;
    s->body = s->record->block;
    if (!s->record->whole) return skip(w, CRAWL_SKIP_too_large);
    if (adit_media_is_html(s->content_type) && adit_binary(s->body) >= 0) {
        w->counts.binaries[adit_binary(s->body)]++;
        return skip(w, CRAWL_SKIP_binary);
    }
    if (!crawl_is_html(s->content_type, s->body)) return skip(w, CRAWL_SKIP_not_html);
    return body_known(w, s);
}

/* Plain text that somebody has made of the page: it counts where the HTML says nothing. */
static bool text(struct capture_worker *w, struct crawl_capture *s, const struct crawl_item *item)
{
    bool ok = true;
    if (!w->sink->texts) return item->text || skip(w, CRAWL_SKIP_not_html);
    if (!s->record->whole || s->record->block.len > ADIT_LIMIT_page_bytes)
        return item->text || skip(w, CRAWL_SKIP_too_large);
    s->of = item->text ? CRAWL_OF_SIGHT : CRAWL_OF_CONVERSION;
    s->body = s->record->block;
    s->source = source_of(w, s);
    if (!item->text && w->sink->known(w->sink_ctx, s, &ok)) return ok;
    const struct adit_page *page = crawl_text_page(s->body, item->title, &s->source, &w->arena);
    if (!page) return item->text || skip(w, CRAWL_SKIP_empty);
    return w->sink->page(w->sink_ctx, s, page);
}

/* --- items ------------------------------------------------------------------------------------ */

static bool read_file(struct crawl_item *item)
{
    int fd = open(item->path, O_RDONLY | O_CLOEXEC);
    size_t keep = item->buf.len;
    ssize_t n = -1;
    while (fd >= 0 && adit_buf_reserve(&item->buf, 64 << 10) &&
           (n = read(fd, item->buf.p + item->buf.len, item->buf.cap - item->buf.len)) > 0)
        item->buf.len += (size_t)n;
    if (fd >= 0) close(fd);
    /* The buffer has moved: url and date stand at its front. */
    struct warc_record *r = &item->record;
    r->uri.p = item->buf.p;
    r->date.p = item->buf.p + r->uri.len;
    r->block = adit_str_of(item->buf.p + keep, item->buf.len - keep);
    r->whole = item->buf.err != ADIT_ELIMIT;
    return n == 0 || item->buf.err == ADIT_ELIMIT;
}

static bool file(struct capture_worker *w, struct crawl_item *item, struct crawl_capture *s)
{
    if (!read_file(item)) {
        cli_say(item->path, "cannot read");
        return skip(w, CRAWL_SKIP_unreadable);
    }
    w->counts.bytes_read += item->record.block.len;
    w->counts.bytes_decoded += item->record.block.len;
    if (w->o->charset && item->record.content_type.len) {
        adit_buf_clear(&w->other);
        adit_buf_lit(&w->other, "text/html; charset=");
        adit_buf_lit(&w->other, w->o->charset);
        bool ok = true;
        item->record.content_type = adit_arena_dup(&w->arena, adit_buf_str(&w->other), &ok);
    }
    return resource(w, s);
}

/* A record that ends too early although the response in it is whole, as HTTP says: some tools have
 * changed line ends and not the length. */
static bool http_is_whole(const struct http_message *m)
{
    uint64_t len;
    return m->status && !http_field(m, ADIT_STR("Transfer-Encoding")).len &&
           adit_str_u64(http_field(m, ADIT_STR("Content-Length")), &len) && len > 0 &&
           m->body.len >= len;
}

/* Captures that are not whole are counted and never listed, and say nothing of their page. */
static int incomplete(struct warc_record *r, const struct http_message *m)
{
    if (warc_field(r, ADIT_STR("WARC-Segment-Number")).len) return CRAWL_SKIP_segmented;
    /* A revisit is "truncated" by definition: it has no body. */
    if (r->type != WARC_REVISIT && warc_field(r, ADIT_STR("WARC-Truncated")).len)
        return CRAWL_SKIP_truncated;
    if (!r->damaged) return -1;
    if (r->corrupt || !http_is_whole(m)) return CRAWL_SKIP_damaged;
    r->whole = true;
    return -1;
}

/* The record's date; if that is impossible (a whole crawl has days like 2008-10-294), the server's.
 */
static bool capture_time(const struct warc_record *r, const struct http_message *m,
                         struct adit_time *at)
{
    if (crawl_date(r->date, at)) return true;
    at->ns = 0;
    return adit_http_date_parse(http_field(m, ADIT_STR("Date")), &at->s);
}

bool capture_worker_item(struct capture_worker *w, struct crawl_item *item)
{
    struct warc_record *r = &item->record;
    struct crawl_capture s = {.record = r, .file = item->path != NULL};
    w->item = item;
    adit_arena_reset(&w->arena);
    bool request = r->type == WARC_REQUEST;
    if (!request && !item->text) w->counts.captures++;
    bool http = r->type == WARC_RESPONSE || r->type == WARC_REVISIT;
    if (http) http_message_split(r->block, &s.http);
    int why = crawl_public_url(w->o, r->uri, &w->arena, &w->url);
    s.url = adit_buf_str(&w->url);
    if (why < 0 && !capture_time(r, &s.http, &s.at)) why = CRAWL_SKIP_date;
    if (why < 0) why = incomplete(r, &s.http);
    if (request) return why >= 0 || emit(w, &s, CRAWL_CREDENTIALS, 0);
    if (why >= 0) return item->text || skip(w, (enum crawl_skip)why);
    if (item->path) return file(w, item, &s);
    if (r->type == WARC_CONVERSION && !adit_media_is_html(r->content_type))
        return text(w, &s, item);
    if (!http) return resource(w, &s);
    return r->type == WARC_REVISIT ? revisit(w, &s) : response(w, &s);
}
