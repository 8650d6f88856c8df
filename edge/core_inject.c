/* adit-core.wasm: link injection alone, for hosts that stream pages themselves. A stream is made
 * with adit_inject_new, fed with adit_inject_write and adit_inject_end, and freed. What to send is
 * said by the result of each, and lies in adit_inject_out, adit_inject_out_len until the next call.
 */
#include "http/inject.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum send {
    SEND_CHUNK, /* the chunk as it is; and so all that follow: no more calls are needed */
    SEND_OUT,   /* out, in place of the chunk */
    SEND_BOTH,  /* out, then the chunk as it is, and so all that follow */
};

struct stream {
    struct adit_inject inject;
    struct adit_buf_sink sink;
    struct adit_buf out, link;
};

static void *core_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}

EXPORT(adit_inject_free) void adit_core_inject_free(struct stream *s)
{
    if (!s) return;
    adit_buf_free(&s->out);
    adit_buf_free(&s->link);
    free(s);
}

/* href: the machine view's URL. charset: of Content-Type, empty if it has none. NULL: no memory. */
EXPORT(adit_inject_new)
struct stream *adit_core_inject_new(const char *href, size_t href_len, const char *charset,
                                    size_t charset_len)
{
    struct adit_mem mem = {core_resize, NULL};
    struct stream *s = malloc(sizeof *s);
    if (!s) return NULL;
    adit_buf_init(&s->out, mem, SIZE_MAX / 4);
    adit_buf_init(&s->link, mem, 8 * ADIT_LIMIT_url_bytes);
    adit_inject_link(&s->link, adit_str_of(href, href_len));
    adit_inject_init(&s->inject, adit_buf_str(&s->link), adit_str_of(charset, charset_len),
                     adit_buf_sink_init(&s->sink, &s->out));
    /* Room for what the stage may hold: so nothing can be lost later. */
    if (s->link.err == ADIT_OK && adit_buf_reserve(&s->out, sizeof s->inject.held + s->link.len))
        return s;
    adit_core_inject_free(s);
    return NULL;
}

/* Without memory for the output the page goes on as it is. */
EXPORT(adit_inject_write)
enum send adit_core_inject_write(struct stream *s, const char *chunk, size_t len)
{
    struct adit_inject *in = &s->inject;
    if (in->done) return SEND_CHUNK;
    adit_buf_clear(&s->out);
    if (adit_buf_reserve(&s->out, in->n_held + len + s->link.len)) {
        in->sink.write(&in->sink, chunk, len);
        return SEND_OUT;
    }
    adit_buf_clear(&s->out);
    adit_buf_add(&s->out, adit_str_of(in->held, in->n_held));
    in->done = true;
    return SEND_BOTH;
}

/* Behind the last chunk: out is what remains to be sent, maybe nothing. */
EXPORT(adit_inject_end) void adit_core_inject_end(struct stream *s)
{
    adit_buf_clear(&s->out);
    s->inject.sink.end(&s->inject.sink);
}

EXPORT(adit_inject_out) const char *adit_core_inject_out(const struct stream *s)
{
    return s->out.p;
}

EXPORT(adit_inject_out_len) size_t adit_core_inject_out_len(const struct stream *s)
{
    return s->out.len;
}

EXPORT(adit_inject_inserted) bool adit_core_inject_inserted(const struct stream *s)
{
    return s->inject.inserted;
}
