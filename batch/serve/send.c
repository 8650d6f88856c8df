/* What a request is answered with: an answer of the exchange, or what the origin sent, coded as the
 * client likes it. */
#include "batch/serve/request_impl.h"

#include <string.h>

enum { BLOCK = 64 << 10 }; /* bytes a read of a streamed body */

/* False if the library refuses the field. It does so with empty values, which are allowed: one
 * space stands for them. */
static bool add_field(struct MHD_Response *r, struct adit_str name, struct adit_str value)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64 << 10);
    adit_buf_add(&b, name);
    adit_buf_byte(&b, '\0');
    adit_buf_add(&b, value.len ? value : ADIT_STR(" "));
    adit_buf_byte(&b, '\0');
    bool fine = !b.err && MHD_add_response_header(r, b.p, b.p + name.len + 1) == MHD_YES;
    adit_buf_free(&b);
    return fine;
}

static enum MHD_Result queue(struct request *q, struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *r)
{
    if (!r) return MHD_NO;
    q->status = status;
    enum MHD_Result result = MHD_queue_response(connection, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result send_text(struct request *q, struct MHD_Connection *connection,
                                 unsigned status, const char *type, struct adit_str body)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(body.len, (void *)(uintptr_t)body.p, MHD_RESPMEM_MUST_COPY);
    if (!r) return MHD_NO;
    MHD_add_response_header(r, "content-type", type);
    MHD_add_response_header(r, "cache-control", "no-store");
    q->sent = body.len;
    return queue(q, connection, status, r);
}

enum MHD_Result send_refusal(struct request *q, struct MHD_Connection *connection, unsigned status,
                             const char *text)
{
    return send_text(q, connection, status, "text/plain; charset=utf-8", adit_str_z(text));
}

/* An answer without a body: to HEAD, with the length of GET's where it is known (else there is
 * none), or a 204 or 304. */
static struct MHD_Response *bodiless(uint64_t length)
{
    char text[24];
    struct MHD_Response *r = MHD_create_response_empty(MHD_RF_HEAD_ONLY_RESPONSE);
    snprintf(text, sizeof text, "%llu", (unsigned long long)length);
    if (!r || length == MHD_SIZE_UNKNOWN) return r;
    if (MHD_add_response_header(r, "Content-Length", text) == MHD_YES) return r;
    MHD_destroy_response(r);
    return NULL;
}

static struct adit_str accepted(const struct request *q)
{
    return adit_header_joined(q->headers.v, q->headers.n, ADIT_STR("accept-encoding"),
                              (struct adit_arena *)(uintptr_t)&q->arena);
}

static enum MHD_Result refuse_codings(struct request *q, struct MHD_Connection *connection)
{
    return send_refusal(q, connection, 406,
                        "Accept-Encoding forbids every coding that there is.\n");
}

/* Fields that are true of the bytes that were, not of the coded ones. (Content-Length is set by the
 * library.) */
static bool is_of_bytes(struct adit_str name)
{
    static const char *const names[] = {"content-length", "content-md5", "digest",
                                        "content-digest", "repr-digest", "accept-ranges"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_ieq(name, adit_str_z(names[i]))) return true;
    return false;
}

/* Codes the whole body of an answer of the exchange; false without memory. */
static bool encode_answer(struct request *q, struct adit_str body)
{
    struct encoder *e = encoder_new(q->coding);
    bool fine = e && encoder_run(e, body, true, &q->coded);
    encoder_free(e);
    return fine;
}

/* A machine view keeps its fingerprint as ETag in every coding: it is one of the content. */
enum MHD_Result send_answer(struct request *q, struct MHD_Connection *connection, bool head)
{
    const struct adit_answer *a = &q->drive.x->answer;
    struct adit_str body = a->body;
    uint64_t len = MHD_SIZE_UNKNOWN;
    bool fine = true, possible = true;
    if (a->status != 304)
        adit_str_u64(adit_header_get(a->headers.v, a->headers.n, ADIT_STR("content-length")), &len);
    /* Ranges are of the bytes without a coding. */
    bool fixed =
        adit_list_has(adit_header_get(a->headers.v, a->headers.n, ADIT_STR("cache-control")),
                      ADIT_STR("no-transform"), NULL);
    if (a->status == 200 && !fixed) q->coding = coding_choose(accepted(q), len, true, &possible);
    if (!possible) return refuse_codings(q, connection);
    if (q->coding && !head) {
        if (!encode_answer(q, body)) return MHD_NO;
        body = adit_buf_str(&q->coded);
    }
    if (q->coding) len = MHD_SIZE_UNKNOWN; /* of HEAD: it would have to be coded to be known */
    /* The body lives in the exchange, or the request, which lives as long. */
    struct MHD_Response *r = head || a->status == 304
                                 ? bodiless(len)
                                 : MHD_create_response_from_buffer(
                                       body.len, (void *)(uintptr_t)body.p, MHD_RESPMEM_PERSISTENT);
    if (!r) return MHD_NO;
    for (size_t i = 0; i < a->headers.n; i++) {
        struct adit_str name = a->headers.v[i].name;
        if (adit_str_eq(name, ADIT_STR("content-length")) || (q->coding && is_of_bytes(name)))
            continue;
        fine = add_field(r, name, a->headers.v[i].value) && fine;
    }
    if (q->coding)
        fine =
            add_field(r, ADIT_STR("content-encoding"), adit_str_z(coding_name(q->coding))) && fine;
    if (fine) {
        q->sent = head ? 0 : body.len;
        return queue(q, connection, a->status, r);
    }
    MHD_destroy_response(r);
    return send_refusal(q, connection, 500, "The answer's header cannot be sent.\n");
}

static void note_sent(struct request *q, size_t bytes)
{
    q->sent += bytes;
    watch_progress(q->server->watch, q->seat, bytes);
}

/* The next bytes of the origin's answer, with the link written into them if that is wanted: how
 * many, 0 at the end, -1 on an error. */
static ssize_t next_bytes(struct request *q, char *p, size_t max)
{
    struct adit_exchange *x = q->drive.x;
    if (!x || !x->inject) {
        ssize_t got = q->reply->read(q->reply, p, max);
        return got < 0 ? -1 : got;
    }
    while (q->out_at == q->out.len) {
        if (q->out_end) return 0;
        ssize_t got = q->reply->read(q->reply, p, max);
        if (got < 0) return -1;
        q->out_end = got == 0;
        if (got > 0)
            adit_exchange_inject(x, adit_str_of(p, (size_t)got), &q->out);
        else
            adit_exchange_inject_end(x, &q->out);
        if (q->out.err) return -1;
        q->out_at = 0;
    }
    size_t n = q->out.len - q->out_at;
    if (n > max) n = max;
    memcpy(p, q->out.p + q->out_at, n);
    q->out_at += n;
    return (ssize_t)n;
}

/* The same, coded. */
static ssize_t next_coded(struct request *q, char *p, size_t max)
{
    while (q->coded_at == q->coded.len) {
        if (q->coded_end) return 0;
        ssize_t got = next_bytes(q, p, max);
        if (got < 0) return -1;
        adit_buf_clear(&q->coded);
        q->coded_at = 0;
        q->coded_end = got == 0;
        if (!encoder_run(q->encoder, adit_str_of(p, (size_t)got), q->coded_end, &q->coded))
            return -1;
    }
    size_t n = q->coded.len - q->coded_at;
    if (n > max) n = max;
    memcpy(p, q->coded.p + q->coded_at, n);
    q->coded_at += n;
    return (ssize_t)n;
}

static ssize_t read_reply(void *ctx, uint64_t pos, char *p, size_t max)
{
    struct request *q = ctx;
    (void)pos;
    ssize_t got = q->encoder ? next_coded(q, p, max) : next_bytes(q, p, max);
    if (got > 0) note_sent(q, (size_t)got);
    return got > 0    ? got
           : got == 0 ? MHD_CONTENT_READER_END_OF_STREAM
                      : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* Whether an edit takes away or replaces the field. */
bool send_is_edited(const struct adit_edits *e, struct adit_str name)
{
    for (size_t i = 0; i < e->n; i++)
        if ((e->v[i].op == ADIT_EDIT_SET || e->v[i].op == ADIT_EDIT_REMOVE) &&
            adit_str_ieq(e->v[i].name, name))
            return true;
    return false;
}

/* The value that a field of the answer will have: ours, or the origin's. */
static struct adit_str final_field(const struct request *q, const struct adit_edits *e,
                                   const char *name)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->v[i].op == ADIT_EDIT_SET && adit_str_ieq(e->v[i].name, adit_str_z(name)))
            return e->v[i].value;
    return adit_header_joined(q->reply->headers.v, q->reply->headers.n, adit_str_z(name),
                              (struct adit_arena *)(uintptr_t)&q->arena);
}

/* Chooses the coding of what the origin sent. False: the client takes none that we have. */
static bool choose_coding(struct request *q, const struct adit_edits *e, bool inject)
{
    const struct origin_reply *o = q->reply;
    bool possible = true;
    struct adit_str cc = final_field(q, e, "cache-control");
    if (o->status != 200 || final_field(q, e, "content-encoding").len ||
        adit_list_has(cc, ADIT_STR("no-transform"), NULL) ||
        adit_header_has(q->headers.v, q->headers.n, ADIT_STR("range")))
        return true;
    bool known = o->length >= 0 && !inject;
    q->coding = coding_choose(accepted(q), known ? (uint64_t)o->length : UINT64_MAX,
                              coding_is_worth(final_field(q, e, "content-type")), &possible);
    return possible;
}

/* A field of a coded answer. A page that we code is another sequence of bytes, so that its tag is
 * weak; a JSON sitemap's is that of its content. */
static bool add_coded_field(struct request *q, struct MHD_Response *r, struct adit_str name,
                            struct adit_str value)
{
    bool strong = adit_str_ieq(name, ADIT_STR("etag")) && adit_str_starts(value, ADIT_STR("\""));
    if (is_of_bytes(name)) return true;
    if (!strong || (q->drive.x && strcmp(q->drive.x->route, "sitemap") == 0))
        return add_field(r, name, value);
    struct adit_buf weak;
    adit_buf_init(&weak, cli_mem, 64 << 10);
    adit_buf_lit(&weak, "W/");
    adit_buf_add(&weak, value);
    bool fine = !weak.err && add_field(r, name, adit_buf_str(&weak));
    adit_buf_free(&weak);
    return fine;
}

static bool add_reply_field(struct request *q, struct MHD_Response *r, struct adit_str name,
                            struct adit_str value)
{
    if (adit_str_ieq(name, ADIT_STR("content-length")) || adit_str_ieq(name, ADIT_STR("vary")))
        return true; /* the length is given with the body; Vary follows as one line */
    return q->coding ? add_coded_field(q, r, name, value) : add_field(r, name, value);
}

/* Appends a value to a list field. */
static void join(struct adit_buf *list, struct adit_str value)
{
    if (list->len) adit_buf_lit(list, ", ");
    adit_buf_add(list, value);
}

/* Vary as one line: the origin's, the exchange's and ours. Apache's mod_cache_disk finds its copies by
 * the first line alone: with two, each coding and each format took the others' place. */
static bool add_vary(struct MHD_Response *r, const struct origin_reply *o,
                     const struct adit_edits *e, bool varies)
{
    struct adit_str name = ADIT_STR("vary");
    struct adit_buf list;
    adit_buf_init(&list, cli_mem, 64 << 10);
    for (size_t i = 0; i < o->headers.n && !send_is_edited(e, name); i++)
        if (adit_str_ieq(o->headers.v[i].name, name)) join(&list, o->headers.v[i].value);
    for (size_t i = 0; i < e->n; i++)
        if (e->v[i].op != ADIT_EDIT_REMOVE && adit_str_ieq(e->v[i].name, name))
            join(&list, e->v[i].value);
    struct adit_str said = adit_buf_str(&list);
    if (varies && !adit_list_has(said, ADIT_STR("accept-encoding"), NULL) &&
        !adit_list_has(said, ADIT_STR("*"), NULL))
        join(&list, ADIT_STR("Accept-Encoding"));
    bool fine = !list.err && (list.len == 0 || add_field(r, name, adit_buf_str(&list)));
    adit_buf_free(&list);
    return fine;
}

/* What the answer's header says: the origin's fields, the exchange's edits, the coding. */
static bool add_reply_fields(struct request *q, struct MHD_Response *r, const struct adit_edits *e)
{
    const struct origin_reply *o = q->reply;
    bool fine = true;
    for (size_t i = 0; i < o->headers.n; i++)
        if (!send_is_edited(e, o->headers.v[i].name))
            fine = add_reply_field(q, r, o->headers.v[i].name, o->headers.v[i].value) && fine;
    for (size_t i = 0; i < e->n; i++)
        if (e->v[i].op == ADIT_EDIT_SET || e->v[i].op == ADIT_EDIT_ADD)
            fine = add_reply_field(q, r, e->v[i].name, e->v[i].value) && fine;
    bool varies = o->status == 200 && coding_is_worth(final_field(q, e, "content-type")) &&
                  !final_field(q, e, "content-encoding").len;
    if (q->coding)
        fine =
            add_field(r, ADIT_STR("content-encoding"), adit_str_z(coding_name(q->coding))) && fine;
    return add_vary(r, o, e, varies || q->coding) && fine;
}

enum MHD_Result send_reply(struct request *q, struct MHD_Connection *connection, bool head)
{
    static const struct adit_edits none = {0};
    struct origin_reply *o = q->reply;
    const struct adit_exchange *x = q->drive.x;
    const struct adit_edits *e = x ? &x->response_edits : &none;
    bool inject = x && x->inject;
    if (!choose_coding(q, e, inject)) return refuse_codings(q, connection);
    if (q->coding && !head && !(q->encoder = encoder_new(q->coding))) return MHD_NO;
    bool length_known =
        o->length >= 0 && !inject && !q->coding && !send_is_edited(e, ADIT_STR("content-length"));
    uint64_t length = length_known ? (uint64_t)o->length : MHD_SIZE_UNKNOWN;
    struct MHD_Response *r =
        o->status == 304 || o->status == 204 ? bodiless(MHD_SIZE_UNKNOWN)
        : head                               ? bodiless(length)
               : MHD_create_response_from_callback(length, BLOCK, read_reply, q, NULL);
    if (!r) return MHD_NO;
    if (add_reply_fields(q, r, e)) return queue(q, connection, o->status, r);
    MHD_destroy_response(r); /* a header with a field less says something else */
    return send_refusal(q, connection, 502, "The origin's header cannot be passed on.\n");
}
