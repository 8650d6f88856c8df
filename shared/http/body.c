/* The body of what was fetched, and the memory that it takes.
 *
 * The budget (limits.memory): all that exchanges hold is counted where it is taken, in the
 * allocator of the edge. Pages are converted one at a time, so besides that there must be room for
 * converting any one of those under way, of which the largest counts. Only a page on its way in is
 * ever refused memory, its HTML and its decoder: it ends in 503 and gives back what it had, so that
 * the others go on. People's pages take from the same allocator and are counted, but not refused.
 */
#include "http/own.h"

#include <string.h>

enum { GROW_MIN = 32 << 10 };
#define NO_LENGTH UINT64_MAX

/* --- the budget ---------------------------------------------------------------------------------
 */

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
    uint64_t max = (e->config->limit_memory - ADIT_CONVERT_FIXED) / (ADIT_CONVERT_FACTOR + 1);
    return (size_t)(max < e->config->max_page_bytes ? max : e->config->max_page_bytes);
}

/* What converting a page of that size may take besides what its exchange holds. Its decoder is gone
 * by then. */
static uint64_t conversion_cost(size_t html, size_t decoder)
{
    uint64_t cost = (uint64_t)ADIT_CONVERT_FACTOR * html + ADIT_CONVERT_FIXED;
    return cost > decoder ? cost - decoder : 0;
}

/* Whether there is room if x's HTML and decoder take that much. */
static bool fits(const struct adit_own *x, size_t html, size_t decoder)
{
    const struct adit_edge *e = x->edge;
    uint64_t held = (uint64_t)e->held - x->html.cap - x->decoder_held + html + decoder;
    uint64_t largest = x->leads ? conversion_cost(html, decoder) : 0;
    for (const struct adit_own *l = (const struct adit_own *)e->leaders; l; l = l->next) {
        uint64_t cost = l == x ? 0 : conversion_cost(l->html.cap, l->decoder_held);
        if (cost > largest) largest = cost;
    }
    return held + largest <= e->config->limit_memory;
}

static void *decoder_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct adit_own *x = ctx;
    size_t total = x->decoder_held - old_len + new_len;
    if (new_len > old_len && !fits(x, x->html.cap, total)) return NULL;
    void *q = x->edge->mem.resize(x->edge->mem.ctx, p, old_len, new_len);
    if (q || new_len == 0) x->decoder_held = total;
    return q;
}

/* Room for len bytes of HTML in all. A buffer that doubles would leave holes of its own size in
 * memory that cannot be given back (WASM), and take twice what it needs: it grows by a quarter, or
 * by as much as there is room for. */
static enum adit_code make_room(struct adit_own *x, size_t len)
{
    struct adit_buf *b = &x->html;
    if (len <= b->cap) return ADIT_OK;
    if (len > b->max) return b->err = ADIT_ELIMIT;
    size_t cap = b->cap + b->cap / 4;
    if (cap < b->cap + GROW_MIN) cap = b->cap + GROW_MIN;
    if (cap > b->max) cap = b->max;
    if (cap < len || !fits(x, cap, x->decoder_held)) cap = len;
    if (!fits(x, cap, x->decoder_held)) return b->err = ADIT_ENOMEM;
    char *p = b->mem.resize(b->mem.ctx, b->p, b->cap, cap);
    if (!p) return b->err = ADIT_ENOMEM;
    b->p = p;
    b->cap = cap;
    return ADIT_OK;
}

/* --- the body -----------------------------------------------------------------------------------
 */

static enum adit_code add_html(struct adit_own *x, struct adit_str part)
{
    struct adit_buf *b = &x->html;
    if (part.len > b->max - b->len) return b->err = ADIT_ELIMIT;
    ADIT_TRY(make_room(x, b->len + part.len));
    adit_buf_add(b, part);
    return ADIT_OK;
}

static enum adit_code sink_write(struct adit_sink *s, const char *p, size_t len)
{
    struct adit_own *x =
        (struct adit_own *)(void *)((char *)s - offsetof(struct adit_own, html_sink));
    return add_html(x, adit_str_of(p, len));
}

static enum adit_code sink_end(struct adit_sink *s)
{
    (void)s;
    return ADIT_OK;
}

static enum adit_reason reason_of(const struct adit_own *x, enum adit_code code)
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

enum adit_reason adit_body_begin(struct adit_own *x, const struct adit_header *h, size_t n)
{
    bool ok = true;
    struct adit_str coding = adit_header_all(h, n, ADIT_STR("content-encoding"), &x->arena, &ok);
    if (!ok) return ADIT_REASON_NO_MEMORY;
    if (!read_length(h, n, &x->announced)) return ADIT_REASON_LENGTH;
    x->received = 0;
    if (x->announced != NO_LENGTH && x->announced > x->html.max) return ADIT_REASON_TOO_LARGE;
    x->html_sink = (struct adit_sink){sink_write, sink_end};
    struct adit_mem mem = {decoder_resize, x};
    enum adit_code code = adit_decoder_chain(mem, coding, &x->html_sink, &x->decoder);
    if (code == ADIT_OK && !x->decoder && x->announced != NO_LENGTH)
        code = make_room(x, (size_t)x->announced);
    return reason_of(x, code);
}

enum adit_reason adit_body_add(struct adit_own *x, struct adit_str chunk)
{
    x->received += chunk.len;
    if (x->received > x->announced) return ADIT_REASON_LENGTH;
    return reason_of(x,
                     x->decoder ? adit_sink_write(&x->decoder->sink, chunk) : add_html(x, chunk));
}

/* Browsers show a page whose checksum is wrong. A view of it would be kept, and be vouched for by a
 * fingerprint. */
enum adit_reason adit_body_end(struct adit_own *x)
{
    if (x->announced != NO_LENGTH && x->received != x->announced) return ADIT_REASON_LENGTH;
    if (!x->decoder) return ADIT_REASON_NONE;
    bool whole = adit_sink_end(&x->decoder->sink) == ADIT_OK && x->received > 0 &&
                 !adit_decoder_damaged(x->decoder);
    adit_decoder_free(x->decoder);
    x->decoder = NULL;
    return whole ? ADIT_REASON_NONE : ADIT_REASON_UNDECODABLE;
}

void adit_body_free(struct adit_own *x)
{
    adit_decoder_free(x->decoder);
    x->decoder = NULL;
    adit_buf_free(&x->html);
}
