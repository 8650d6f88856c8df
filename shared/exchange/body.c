/* The body of what was fetched, and the memory that it takes.
 *
 * The budget (limits.memory): all that exchanges hold is counted where it is taken, in the
 * allocator of the edge. Pages are converted one at a time, so besides that there must be room for
 * converting any one of those under way, of which the largest counts. Only a page on its way in is
 * ever refused memory, its HTML and its decoder: it ends in 503 and gives back what it had, so that
 * the others go on. People's pages take from the same allocator and are counted, but not refused.
 */
#include "exchange/exchange_impl.h"

#include <string.h>

#define NO_LENGTH UINT64_MAX

/* --- the budget ------------------------------------------------------------------------------- */

static void *charge(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct adit_edge *e = ctx;
    void *q = e->host.resize(e->host.ctx, p, old_len, new_len);
    if (q || new_len == 0) e->held = e->held - old_len + new_len;
    return q;
}

void adit_budget_init(struct adit_edge *e, struct adit_mem host)
{
    e->host = host;
    e->mem = (struct adit_mem){charge, e};
}

size_t adit_budget_page_max(const struct adit_edge *e)
{
    uint64_t rest = ADIT_CONVERT_FIXED + ADIT_EXCHANGE_MEMORY, memory = e->config->limit_memory;
    uint64_t max = memory > rest ? (memory - rest) / (ADIT_CONVERT_FACTOR + 1) : 0;
    uint64_t whole = ADIT_CONVERT_MAX + ADIT_EXCHANGE_MEMORY; /* for a page of any size */
    if (memory > whole && memory - whole > max) max = memory - whole;
    return (size_t)(max < e->config->max_page_bytes ? max : e->config->max_page_bytes);
}

/* What converting a page of that size may take besides what its exchange holds. Its decoder is gone
 * by then. */
static uint64_t conversion_cost(size_t html, size_t decoder)
{
    uint64_t cost = adit_convert_cost(html);
    return cost > decoder ? cost - decoder : 0;
}

/* Bytes of x's page: those announced, or those that have come. */
static size_t html_bytes(const struct adit_exchange_impl *x)
{
    return x->html.cap > x->html_len ? x->html.cap : x->html_len;
}

/* Whether there is room for that many more bytes of x's page, the memory that they take, and more
 * memory of its decoder. */
static bool fits(const struct adit_exchange_impl *x, size_t html, size_t memory, size_t decoder)
{
    const struct adit_edge *e = x->edge;
    uint64_t largest = 0;
    for (const struct adit_exchange_impl *l = e->leaders; l; l = l->next) {
        uint64_t cost = conversion_cost(html_bytes(l) + (l == x ? html : 0),
                                        l->decoder_held + (l == x ? decoder : 0));
        if (cost > largest) largest = cost;
    }
    return e->held + largest + memory + decoder <= e->config->limit_memory;
}

static void *decoder_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct adit_exchange_impl *x = ctx;
    if (new_len > old_len && !fits(x, 0, 0, new_len - old_len)) return NULL;
    void *q = x->edge->mem.resize(x->edge->mem.ctx, p, old_len, new_len);
    if (q || new_len == 0) x->decoder_held = x->decoder_held - old_len + new_len;
    return q;
}

/* --- the bytes -----------------------------------------------------------------------------------
 *
 * A page whose length was announced has a buffer of that length from the start. Others are kept in
 * blocks, all of one size, and put together at the end: buffers that grow would leave holes behind
 * them that none of the others fits into, and WASM memory is never given back. (60 pages that grow
 * to 1.2 MB in turn: 131 MB with realloc, 88 MB in blocks.) */

/* adit_buf_reserve would take up to twice as much. */
static bool reserve_exactly(struct adit_buf *b, size_t len)
{
    b->p = b->mem.resize(b->mem.ctx, NULL, 0, len);
    b->cap = b->p ? len : 0;
    return b->p != NULL;
}

/* A block, for len bytes to begin with. */
static enum adit_code add_block(struct adit_exchange_impl *x, size_t len)
{
    struct adit_mem m = x->edge->mem;
    if (!fits(x, len, sizeof(struct adit_html_block), 0)) return ADIT_ENOMEM;
    struct adit_html_block *b = m.resize(m.ctx, NULL, 0, sizeof *b);
    if (!b) return ADIT_ENOMEM;
    b->next = NULL;
    *(x->last_block ? &x->last_block->next : &x->blocks) = b;
    x->last_block = b;
    x->n_blocks++;
    return ADIT_OK;
}

static void free_blocks(struct adit_exchange_impl *x)
{
    struct adit_mem m = x->edge->mem;
    for (struct adit_html_block *b = x->blocks, *next; b; b = next) {
        next = b->next;
        m.resize(m.ctx, b, sizeof *b, 0);
    }
    x->blocks = x->last_block = NULL;
    x->n_blocks = 0;
}

static enum adit_code add_html(struct adit_exchange_impl *x, struct adit_str part)
{
    if (part.len > x->html.max - x->html_len) return x->html.err = ADIT_ELIMIT;
    if (x->html.cap) { /* announced: there is room */
        adit_buf_add(&x->html, part);
        x->html_len += part.len;
        return x->html.err;
    }
    while (part.len) {
        size_t at = x->html_len % ADIT_HTML_BLOCK;
        size_t n = ADIT_HTML_BLOCK - at < part.len ? ADIT_HTML_BLOCK - at : part.len;
        if (at == 0) ADIT_TRY(add_block(x, n));
        memcpy(x->last_block->bytes + at, part.p, n);
        x->html_len += n;
        part = adit_str_sub(part, n, part.len);
    }
    return ADIT_OK;
}

/* From blocks to one buffer. What that takes for a moment is less than the conversion that follows
 * may take: there is room. */
static enum adit_code join_blocks(struct adit_exchange_impl *x)
{
    if (x->n_blocks == 0) return ADIT_OK;
    if (!reserve_exactly(&x->html, x->html_len)) return ADIT_ENOMEM;
    for (const struct adit_html_block *b = x->blocks; b; b = b->next) {
        size_t left = x->html_len - x->html.len;
        adit_buf_add(&x->html,
                     adit_str_of(b->bytes, left < ADIT_HTML_BLOCK ? left : ADIT_HTML_BLOCK));
    }
    free_blocks(x);
    return ADIT_OK;
}

/* --- the body --------------------------------------------------------------------------------- */

static enum adit_code sink_write(struct adit_sink *s, const char *p, size_t len)
{
    struct adit_exchange_impl *x =
        (struct adit_exchange_impl *)(void *)((char *)s -
                                              offsetof(struct adit_exchange_impl, html_sink));
    return add_html(x, adit_str_of(p, len));
}

static enum adit_reason reason_of(const struct adit_exchange_impl *x, enum adit_code code)
{
    if (code == ADIT_OK) return ADIT_REASON_NONE;
    if (x->html.err == ADIT_ELIMIT) return ADIT_REASON_TOO_LARGE;
    return code == ADIT_ENOMEM ? ADIT_REASON_NO_MEMORY : ADIT_REASON_UNDECODABLE;
}

/* The length that all Content-Length fields agree on; NO_LENGTH if there are none. */
static bool read_length(const struct adit_header *h, size_t n, uint64_t *len)
{
    *len = NO_LENGTH;
    for (size_t i = 0; i < n; i++) {
        if (!adit_str_ieq(h[i].name, ADIT_STR("content-length"))) continue;
        struct adit_str rest = h[i].value, element;
        uint64_t v;
        while (adit_list_next(&rest, &element)) {
            if (!adit_str_u64(element, &v) || (*len != NO_LENGTH && v != *len)) return false;
            *len = v;
        }
    }
    return true;
}

enum adit_reason adit_body_begin(struct adit_exchange_impl *x, const struct adit_header *h,
                                 size_t n)
{
    bool ok = true;
    struct adit_str coding = adit_header_all(h, n, ADIT_STR("content-encoding"), &x->arena, &ok);
    if (!ok) return ADIT_REASON_NO_MEMORY;
    if (!read_length(h, n, &x->announced)) return ADIT_REASON_LENGTH;
    x->received = 0;
    if (x->announced != NO_LENGTH && x->announced > x->html.max) return ADIT_REASON_TOO_LARGE;
    x->html_sink = (struct adit_sink){sink_write, NULL};
    struct adit_mem mem = {decoder_resize, x};
    enum adit_code code = adit_decoder_chain(mem, coding, &x->html_sink, &x->decoder);
    if (code || x->decoder || x->announced == NO_LENGTH) return reason_of(x, code);
    size_t len = (size_t)x->announced;
    bool room = len == 0 || (fits(x, len, len, 0) && reserve_exactly(&x->html, len));
    return room ? ADIT_REASON_NONE : ADIT_REASON_NO_MEMORY;
}

enum adit_reason adit_body_add(struct adit_exchange_impl *x, struct adit_str chunk)
{
    x->received += chunk.len;
    if (x->received > x->announced) return ADIT_REASON_LENGTH;
    return reason_of(x,
                     x->decoder ? adit_sink_write(&x->decoder->sink, chunk) : add_html(x, chunk));
}

/* Browsers show a page whose checksum is wrong. A view of it would be kept, and be vouched for by a
 * fingerprint. */
enum adit_reason adit_body_end(struct adit_exchange_impl *x)
{
    if (x->announced != NO_LENGTH && x->received != x->announced) return ADIT_REASON_LENGTH;
    if (x->decoder) {
        bool whole = adit_sink_end(&x->decoder->sink) == ADIT_OK && x->received > 0 &&
                     !adit_decoder_damaged(x->decoder);
        adit_decoder_free(x->decoder);
        x->decoder = NULL;
        if (!whole) return ADIT_REASON_UNDECODABLE;
    }
    /* What is never refused may have grown since its last byte was let in. */
    if (x->leads &&
        x->edge->held + conversion_cost(html_bytes(x), 0) > x->edge->config->limit_memory)
        return ADIT_REASON_NO_MEMORY;
    return join_blocks(x) ? ADIT_REASON_NO_MEMORY : ADIT_REASON_NONE;
}

void adit_body_free(struct adit_exchange_impl *x)
{
    adit_decoder_free(x->decoder);
    x->decoder = NULL;
    free_blocks(x);
    adit_buf_free(&x->html);
    x->html_len = 0;
}
