/* Bodies of responses: pages that are given their link as they stream by, and, in inline mode, pages
 * that are taken out of the host's buffer and replaced by their view. */
#include "edge/filter_impl.h"
#include "edge/module.h"

enum {
    WAIT_MAX = 1 << 16, /* bytes of a page that the host may be asked to hold */
    PIECE = 1 << 16     /* bytes of a body that are looked at, or taken from the host, at a time */
};

/* --- a page's link ---------------------------------------------------------------------------- */

/* What becomes of the bytes of a page that the host holds. */
enum outcome {
    INJECT_HOLD,    /* the place of the link is not known: the host keeps them */
    INJECT_REPLACE, /* what they became takes their place */
    INJECT_PASS_ON  /* a doubt: they go on as they came, and so does the rest of the page */
};

/* Bytes that are missing must not take the place of those that are there. */
static void join(struct adit_buf *whole, const struct adit_buf *out)
{
    adit_buf_add(whole, adit_buf_str(out));
    if (out->err) whole->err = out->err;
}

/* Adds to whole what these bytes of the page become. Once the link has its place the rest of them
 * is copied, however long it is. */
static void make_whole(struct stream *s, struct adit_str part, bool eos, struct adit_buf *whole)
{
    struct adit_buf out;
    bool wanted = true;
    size_t at = 0;
    adit_buf_init(&out, mem, SIZE_MAX);
    do { /* also of no bytes at all: the exchange says whether it wants more */
        size_t end = part.len - at < PIECE ? part.len : at + PIECE;
        adit_exchange_inject(s->x, adit_str_sub(part, at, end), &out);
        join(whole, &out);
        wanted = s->x->inject_more || s->x->inject_held;
        at = end;
    } while (wanted && at < part.len);
    adit_buf_add(whole, adit_str_sub(part, at, part.len));
    if (eos && wanted) {
        adit_exchange_inject_end(s->x, &out);
        join(whole, &out);
    }
    adit_buf_free(&out);
}

/* Notes what the host is to hold, and what it becomes. */
static bool keep(struct stream *s, struct adit_str part, const struct adit_buf *whole)
{
    adit_buf_add(&s->pending, part);
    adit_buf_clear(&s->fresh);
    adit_buf_add(&s->fresh, adit_buf_str(whole));
    return !s->pending.err && !s->fresh.err;
}

/* Looks at the bytes that the host holds, of which those in pending have been seen before. As long
 * as the place of the link is not decided the host keeps them, so that nothing can get lost: not by
 * trailers, not by a stream that ends early. */
static enum outcome decide_injection(struct stream *s, struct adit_str body, bool eos,
                                     struct adit_buf *whole)
{
    struct adit_str seen = adit_buf_str(&s->pending);
    if (!adit_str_starts(body, seen)) return INJECT_PASS_ON; /* the host sent on what it held */
    struct adit_str part = adit_str_sub(body, seen.len, body.len);
    adit_buf_add(whole, adit_buf_str(&s->fresh));
    make_whole(s, part, eos, whole);
    if (whole->err) return INJECT_PASS_ON;
    if (!s->x->inject_held) return INJECT_REPLACE;
    if (eos || body.len >= WAIT_MAX) return INJECT_PASS_ON;
    return keep(s, part, whole) ? INJECT_HOLD : INJECT_PASS_ON;
}

/* The body as the host has it; empty if it does not give all of it. To be freed. */
static uint8_t *read_response(size_t len, struct adit_str *body)
{
    uint8_t *p = NULL;
    size_t got = 0;
    if (len && proxy_get_buffer_bytes(PW_RESPONSE_BODY, 0, len, &p, &got) != PW_OK) got = 0;
    *body = adit_str_of((const char *)p, got);
    return p;
}

enum pw_action inject_body(struct stream *s, size_t len, bool eos)
{
    struct adit_str body;
    struct adit_buf whole;
    enum outcome outcome = INJECT_PASS_ON;
    if (len > s->setup->config.max_page_bytes) { /* no view: no link, and no two copies of it */
        stream_release(s, PASS);
        return PW_CONTINUE;
    }
    uint8_t *p = read_response(len, &body);
    adit_buf_init(&whole, s->setup->edge.mem, SIZE_MAX);
    adit_buf_reserve(&whole, len + 512); /* as a rule the link has room in it */
    if (body.len == len) outcome = decide_injection(s, body, eos, &whole);
    if (outcome == INJECT_REPLACE && !adit_str_eq(adit_buf_str(&whole), body))
        proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, len, whole.p, whole.len);
    adit_buf_free(&whole);
    free(p);
    if (outcome == INJECT_HOLD) return PW_PAUSE;
    if (outcome == INJECT_REPLACE && s->x->inject_more && !eos) /* the next bytes begin anew */
        adit_buf_clear(&s->pending), adit_buf_clear(&s->fresh);
    else
        stream_release(s, PASS);
    return PW_CONTINUE;
}

/* --- a page's view in its place --------------------------------------------------------------- */

/* In pieces, so that there is no second copy of it in our memory. */
enum adit_action take_body(struct stream *s, enum pw_buffer from, size_t len)
{
    enum adit_action action = ADIT_BODY;
    for (size_t at = 0, got = 0; action == ADIT_BODY && at < len; at += got) {
        uint8_t *p = NULL;
        size_t want = len - at < PIECE ? len - at : PIECE;
        got = 0;
        if (proxy_get_buffer_bytes(from, at, want, &p, &got) != PW_OK || got == 0 || got > want)
            action = adit_exchange_fetch_failed(s->x, ADIT_FAILED_CONNECT);
        else
            action = adit_exchange_fetched_body(s->x, adit_str_of((const char *)p, got));
        free(p);
    }
    return action;
}

static bool put_header(const struct adit_answer *a)
{
    char digits[8];
    struct adit_buf status = {.p = digits, .cap = sizeof digits, .max = sizeof digits};
    adit_buf_u64(&status, a->status);
    return fields_clear(PW_RESPONSE_HEADERS) &&
           fields_set(PW_RESPONSE_HEADERS, ADIT_STR(":status"), adit_buf_str(&status)) &&
           fields_add(PW_RESPONSE_HEADERS, &a->headers);
}

/* Puts the answer of an inline exchange where the origin's header and body were. The body comes
 * first: there may be no place for it (a response of header and trailers alone), and then nothing
 * has been touched. */
static void answer_in_place(struct stream *s)
{
    const struct adit_answer *a = &s->x->answer;
    if (a->body.len && proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, 0, a->body.p, a->body.len)) {
        send_answer(s);
        return;
    }
    note_answer(s->x);
    if (!put_header(a)) /* without its fields it would be another answer: one to be cached, say */
        proxy_send_local_response(503, NULL, 0, NULL, 0, NULL, 0, -1);
    stream_release(s, ANSWERED);
}

/* Takes what the origin sent out of the host's buffer, bit by bit. With its last byte the answer
 * takes the place of header and body; an answer that is known before replaces the whole response.
 */
enum pw_action replace_body(struct stream *s, size_t len, bool eos)
{
    enum adit_action action = take_body(s, PW_RESPONSE_BODY, len);
    bool emptied = len == 0 || proxy_set_buffer_bytes(PW_RESPONSE_BODY, 0, len, NULL, 0) == PW_OK;
    if (action == ADIT_BODY && !emptied) /* its bytes would come again, and stand in the answer */
        action = adit_exchange_fetch_failed(s->x, ADIT_FAILED_CONNECT);
    if (action == ADIT_BODY && eos) action = adit_exchange_fetched_end(s->x);
    action = only_answer(s, action);
    if (action == ADIT_BODY) return PW_PAUSE;
    if (eos && emptied)
        answer_in_place(s);
    else
        send_answer(s);
    return PW_CONTINUE;
}
