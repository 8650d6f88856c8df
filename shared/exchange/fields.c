/* What the files of the exchange have in common: strings in its arena, edits, URLs, and the request
 * for the origin. */
#include "exchange/exchange_impl.h"
#include "text/text.h"

#include <string.h>

struct adit_str adit_exchange_dup(struct adit_exchange_impl *x, struct adit_str s)
{
    return adit_arena_dup(&x->arena, s, NULL);
}

void adit_exchange_count(struct adit_exchange_impl *x, enum adit_counter counter, uint64_t n)
{
    x->edge->counters[counter] += n;
}

void adit_exchange_note(struct adit_exchange_impl *x, enum adit_reason reason)
{
    x->pub.reason = reason;
    if (reason) x->edge->passes[reason]++;
}

void adit_exchange_edit(struct adit_exchange_impl *x, struct adit_edits *e, enum adit_edit_op op,
                        const char *name, struct adit_str value)
{
    bool ok = true;
    if (op != ADIT_EDIT_REMOVE && !adit_header_sendable(value)) {
        /* What cannot be set is better absent than as it was. */
        if (op != ADIT_EDIT_SET) return;
        op = ADIT_EDIT_REMOVE;
        value = (struct adit_str){0};
    }
    if (e->n == e->cap) {
        size_t cap = e->cap ? e->cap * 2 : 16;
        struct adit_edit *v = adit_arena_alloc(&x->arena, cap * sizeof *v);
        if (!v) {
            e->lost = true;
            return;
        }
        if (e->n) memcpy(v, e->v, e->n * sizeof *v);
        e->v = v;
        e->cap = cap;
    }
    e->v[e->n++] = (struct adit_edit){op, adit_str_z(name), adit_arena_dup(&x->arena, value, &ok)};
    if (!ok) e->lost = true;
}

void adit_exchange_remove_field(struct adit_exchange_impl *x, struct adit_edits *e,
                                const char *name, bool is_there)
{
    if (is_there) adit_exchange_edit(x, e, ADIT_EDIT_REMOVE, name, (struct adit_str){0});
}

enum adit_action adit_exchange_pass(struct adit_exchange_impl *x, bool done)
{
    if (x->pub.request_edits.lost) {
        x->pub.request_edits.n = 0;
        done = true;
    }
    x->state = done ? ADIT_ST_DONE : ADIT_ST_PASS;
    x->pub.done = done;
    if (done) adit_exchange_count(x, ADIT_COUNTER_passed, 1);
    return ADIT_PASS;
}

static uint64_t *viewless_slot(const struct adit_exchange_impl *x, uint64_t *hash)
{
    *hash = adit_str_hash(x->c_path) | 1; /* 0 is an empty slot */
    return &x->edge->viewless[(*hash >> 1) % ADIT_VIEWLESS_SLOTS];
}

void adit_exchange_learn_viewless(struct adit_exchange_impl *x, bool viewless)
{
    uint64_t hash, *slot = viewless_slot(x, &hash);
    if (viewless)
        *slot = hash;
    else if (*slot == hash)
        *slot = 0;
}

bool adit_exchange_is_viewless(const struct adit_exchange_impl *x)
{
    uint64_t hash;
    return *viewless_slot(x, &hash) == hash;
}

struct adit_str adit_exchange_settle(struct adit_exchange_impl *x, struct adit_buf *b)
{
    struct adit_str s = b->err ? (struct adit_str){0} : adit_exchange_dup(x, adit_buf_str(b));
    adit_buf_free(b);
    return s;
}

/* Every page makes URLs, nearly all of them short: these are put together on the stack. */
enum { SHORT_URL = 512 };

struct adit_str adit_exchange_url(struct adit_exchange_impl *x, struct adit_str path)
{
    char space[SHORT_URL];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_map_url(x->edge->config, path, &b);
    if (!b.err) return adit_exchange_dup(x, adit_buf_str(&b));
    adit_buf_init(&b, x->edge->mem, ADIT_URL_ROOM);
    adit_map_url(x->edge->config, path, &b);
    return adit_exchange_settle(x, &b);
}

struct adit_str adit_exchange_machine_url(struct adit_exchange_impl *x,
                                          const struct adit_format *format)
{
    char space[SHORT_URL];
    struct adit_buf path = {.p = space, .cap = sizeof space, .max = sizeof space};
    struct adit_str url = {0};
    bool is_short = x->c_path.len + x->query.len + x->edge->config->suffix.len + 8 < sizeof space;
    if (!is_short) adit_buf_init(&path, x->edge->mem, ADIT_URL_ROOM);
    adit_map_machine(x->edge->config, format, x->c_path, &path);
    adit_buf_add(&path, x->query);
    if (!path.err) url = adit_exchange_url(x, adit_buf_str(&path));
    if (!is_short) adit_buf_free(&path);
    return url;
}

/* --- what is asked of the origin -------------------------------------------------------------- */

struct adit_str adit_exchange_append(struct adit_exchange_impl *x, struct adit_str list,
                                     struct adit_str element)
{
    if (list.len == 0) return element;
    if (element.len == 0) return list;
    if (list.len + 2 + element.len > ADIT_LIMIT_header_value) return element;
    char *p = adit_arena_alloc(&x->arena, list.len + 2 + element.len);
    if (!p) return element;
    memcpy(p, list.p, list.len);
    p[list.len] = ',';
    p[list.len + 1] = ' ';
    memcpy(p + list.len + 2, element.p, element.len);
    return adit_str_of(p, list.len + 2 + element.len);
}

/* The request that tells the origin nothing of the client but its address and name: no cookie, no
 * credentials, no conditions, no preferences (TCT, Security; the view is the same for everybody).
 */
void adit_exchange_ask(struct adit_exchange_impl *x, struct adit_str path, const char *accept,
                       uint64_t max)
{
    const struct adit_config *c = x->edge->config;
    struct adit_fetch *f = &x->pub.fetch;
    *f = (struct adit_fetch){.path = path, .body_max = max, .timeout_ms = (uint32_t)c->timeout_ms};
    f->headers.arena = &x->arena;
    f->authority =
        c->upstream_authority.len ? c->upstream_authority : adit_url_authority(c->origin);
    adit_headers_add(&f->headers, "accept", adit_str_z(accept));
    adit_headers_add(&f->headers, "accept-encoding", ADIT_STR("identity"));
    adit_headers_add(&f->headers, "accept-language", c->accept_language);
    adit_headers_add(&f->headers, "x-forwarded-proto", x->forwarded_proto);
    adit_headers_add(&f->headers, ADIT_FIELD_CLIENT, x->forwarded_for);
    adit_headers_add(&f->headers, "user-agent", x->user_agent);
    struct adit_str none = {0};
    adit_headers_add(&f->headers, ADIT_FIELD_VIA,
                     adit_trace_extend(ADIT_TRACE_VIA, x->via, none, &x->arena, NULL));
    adit_headers_add(&f->headers, ADIT_FIELD_LOOP,
                     adit_trace_extend(ADIT_TRACE_LOOP, x->cdn_loop, none, &x->arena, NULL));
}
