/* Fastly's cache interface, used in two ways.
 *
 * The validator memory: what the exchange asks to remember, under the key that it names, with the
 * page's own surrogate keys and the key "adit". Whoever purges a page purges what is known of it.
 *
 * One fetch for many: instances do not know of each other, but a lookup of a cache transaction waits
 * while another one is under way. The first to ask for a page leads; it stores the origin's answer as
 * it comes in, and those who waited read it from there. Only they do: the copy is older than a request
 * that comes later, which asks for itself.
 */
#include "edge/fastly_impl.h"
#include "edge/module.h"

enum {
    KEY_MAX = 4096,      /* bytes of a cache key */
    KEYS_MAX = 8 << 10,  /* of the surrogate keys of an object */
    META_MAX = 14 << 10, /* of what is stored beside a body: the header of an answer */
    MEMO_MAX = 1 << 20   /* of a remembered value: a view of 64 KB, and little else */
};
static const uint64_t SECOND_NS = UINT64_C(1000000000),
                      REMEMBER_S = UINT64_C(7) * 86400, /* what is asked for less often may go */
    SHARE_NS = 250 * UINT64_C(1000000);                 /* time for those who wait to wake up */
static const struct adit_str MEMORY = ADIT_STR_INIT("adit memory "),
                             FETCH = ADIT_STR_INIT("adit fetch"), OURS = ADIT_STR_INIT("adit");

static const struct fastly_cache_lookup plain_lookup = {.request = FASTLY_NO_HANDLE};

/* --- the validator memory ----------------------------------------------------------------------- */

static struct adit_str memory_key(struct adit_str key, char space[128])
{
    struct adit_buf b = {.p = space, .cap = 128, .max = 128};
    adit_buf_add(&b, MEMORY);
    adit_buf_add(&b, key);
    return adit_buf_str(&b);
}

/* The body of what the lookup found; false if it found nothing, or not all of it can be read. */
static bool read_found(uint32_t handle, struct adit_buf *value)
{
    const struct fastly_cache_range all = {0};
    uint32_t state = 0, body = 0;
    size_t len = 0;
    bool ok;
    if (fastly_cache_get_state(handle, &state) != FASTLY_OK || !(state & FASTLY_CACHE_FOUND) ||
        fastly_cache_get_body(handle, 0, &all, &body) != FASTLY_OK)
        return false;
    do {
        ok = adit_buf_reserve(value, 4096) &&
             fastly_http_body_read(body, value->p + value->len, value->cap - value->len, &len) ==
                 FASTLY_OK &&
             len <= value->cap - value->len;
        if (ok) value->len += len;
    } while (ok && len);
    fastly_http_body_close(body);
    return ok;
}

enum adit_action recall(struct visit *v)
{
    char space[128];
    struct adit_str key = memory_key(v->x->recall_key, space);
    struct adit_buf value;
    uint32_t handle;
    bool found = false;
    adit_buf_init(&value, v->s->edge.mem, MEMO_MAX);
    if (fastly_cache_lookup(key.p, key.len, 0, &plain_lookup, &handle) == FASTLY_OK) {
        found = read_found(handle, &value);
        fastly_cache_close(handle);
    }
    enum adit_action action =
        adit_exchange_recalled(v->x, found ? adit_buf_str(&value) : (struct adit_str){0});
    adit_buf_free(&value);
    return action;
}

/* The key of all that is ours, and those of the page. */
static struct adit_str surrogate_keys(const struct visit *v, char *space)
{
    struct adit_buf b = {.p = space, .cap = KEYS_MAX, .max = KEYS_MAX};
    adit_buf_add(&b, OURS);
    if (v->keys.len && v->keys.len + 1 < KEYS_MAX - b.len) {
        adit_buf_byte(&b, ' ');
        adit_buf_add(&b, v->keys);
    }
    return adit_buf_str(&b);
}

/* How long the view is fresh, by the Cache-Control that it is sent with. The rest of a week the
 * memory holds it as stale: the exchange asks the origin on each use anyway. */
static uint64_t fresh_seconds(const struct adit_answer *a)
{
    uint64_t s =
        adit_cache_seconds(adit_header_get(a->headers.v, a->headers.n, ADIT_STR("cache-control")));
    return s < REMEMBER_S ? s : REMEMBER_S;
}

void remember(const struct visit *v)
{
    static char space[KEYS_MAX];
    char key_space[128];
    uint32_t body;
    if (v->x->remember_key.len == 0) return;
    uint64_t fresh = fresh_seconds(&v->x->answer);
    struct adit_str key = memory_key(v->x->remember_key, key_space),
                    keys = surrogate_keys(v, space), value = v->x->remember_value;
    const struct fastly_cache_write how = {.max_age_ns = fresh * SECOND_NS,
                                           .stale_ns = (REMEMBER_S - fresh) * SECOND_NS,
                                           .request = FASTLY_NO_HANDLE,
                                           .keys = keys.p,
                                           .keys_len = keys.len,
                                           .length = value.len};
    if (fastly_cache_insert(key.p, key.len,
                            FASTLY_CACHE_WRITE_STALE | FASTLY_CACHE_WRITE_KEYS |
                                FASTLY_CACHE_WRITE_LENGTH,
                            &how, &body) != FASTLY_OK)
        return;
    if (write_all(body, value))
        fastly_http_body_close(body);
    else
        fastly_http_body_abandon(body);
}

/* --- one fetch for many ------------------------------------------------------------------------- */

/* All that makes the origin's answer another one: not who asks. */
static struct adit_str share_key(const struct adit_fetch *f, char space[KEY_MAX])
{
    struct adit_buf b = {.p = space, .cap = KEY_MAX, .max = KEY_MAX};
    adit_buf_add(&b, FETCH);
    adit_buf_byte(&b, ' ');
    adit_buf_add(&b, f->authority);
    adit_buf_add(&b, f->path);
    for (size_t i = 0; i < f->headers.n; i++) {
        const struct adit_header *h = &f->headers.v[i];
        if (adit_is_trace(h->name) || adit_str_eq(h->name, ADIT_STR("user-agent"))) continue;
        adit_buf_byte(&b, '\n');
        adit_buf_add(&b, h->name);
        adit_buf_byte(&b, ':');
        adit_buf_add(&b, h->value);
    }
    return b.err ? (struct adit_str){0} : adit_buf_str(&b);
}

/* The lookup is over: who we are. waited: it took another one's time. */
static void take_role(struct share *s, bool waited)
{
    uint32_t state = 0;
    if (fastly_cache_get_state(s->handle, &state) != FASTLY_OK) state = 0;
    if (state & FASTLY_CACHE_MUST_INSERT)
        s->role = SHARE_LEAD;
    else if (waited && state & FASTLY_CACHE_FOUND)
        s->role = SHARE_GIVEN;
    else
        fastly_cache_close(s->handle);
}

void share_join(struct share *s, const struct adit_fetch *f, int64_t deadline)
{
    static char space[KEY_MAX];
    struct adit_str key = share_key(f, space);
    uint32_t busy, ready = 0, index = 0;
    *s = (struct share){.role = SHARE_ALONE, .copy = FASTLY_NO_HANDLE};
    if (key.len == 0 ||
        fastly_cache_transaction_lookup_async(key.p, key.len, 0, &plain_lookup, &busy) != FASTLY_OK)
        return;
    if (fastly_async_io_is_ready(busy, &ready) != FASTLY_OK) ready = 0;
    int64_t left = deadline - now_ms();
    if (!ready &&
        (left <= 0 || fastly_async_io_select(&busy, 1, (uint32_t)left, &index) != FASTLY_OK))
        index = UINT32_MAX;
    if (index != 0) {
        fastly_cache_close_busy(busy);
        s->role = SHARE_LATE;
    } else if (fastly_cache_cache_busy_handle_wait(busy, &s->handle) == FASTLY_OK) {
        take_role(s, !ready);
    }
}

/* The header is stored beside the body, as text: status NUL name NUL value NUL ... */
bool share_take(const struct share *s, struct adit_arena *arena, unsigned *status, struct fields *f,
                uint32_t *body)
{
    const struct fastly_cache_range all = {0};
    char *meta = adit_arena_alloc(arena, META_MAX);
    struct adit_str text, name, value;
    uint64_t number = 0;
    size_t len = 0;
    *f = (struct fields){.v = adit_arena_zalloc(arena, ADIT_HEADERS_MAX + 1, sizeof *f->v)};
    if (!meta || !f->v ||
        fastly_cache_get_user_metadata(s->handle, meta, META_MAX, &len) != FASTLY_OK ||
        len > META_MAX)
        return false;
    text = adit_str_of(meta, len);
    if (!adit_str_split(&text, '\0', &name) || !adit_str_u64(name, &number)) return false;
    *status = (unsigned)number;
    while (text.len && f->n <= ADIT_HEADERS_MAX && adit_str_split(&text, '\0', &name) &&
           adit_str_split(&text, '\0', &value))
        f->v[f->n++] = (struct adit_header){name, value};
    return fastly_cache_get_body(s->handle, 0, &all, body) == FASTLY_OK;
}

/* Whether others may have the answer, too: as exchange/share.c has it for those of one instance. */
static bool is_for_all(unsigned status, const struct fields *f, struct adit_arena *arena)
{
    return status < 500 && status != 401 && status != 403 && status != 429 &&
           !adit_is_private(adit_header_joined(f->v, f->n, ADIT_STR("cache-control"), arena),
                            adit_header_joined(f->v, f->n, ADIT_STR("vary"), arena));
}

static void write_meta(struct adit_buf *b, unsigned status, const struct fields *f)
{
    adit_buf_u64(b, status);
    adit_buf_byte(b, '\0');
    for (size_t i = 0; i < f->n; i++) {
        adit_buf_add(b, f->v[i].name);
        adit_buf_byte(b, '\0');
        adit_buf_add(b, f->v[i].value);
        adit_buf_byte(b, '\0');
    }
}

static void store(struct share *s, const struct visit *v, struct adit_str meta)
{
    static char space[KEYS_MAX];
    struct adit_str keys = surrogate_keys(v, space);
    const struct fastly_cache_write how = {.max_age_ns = SHARE_NS,
                                           .request = FASTLY_NO_HANDLE,
                                           .keys = keys.p,
                                           .keys_len = keys.len,
                                           .metadata = meta.p,
                                           .metadata_len = meta.len};
    if (fastly_cache_transaction_insert(s->handle,
                                        FASTLY_CACHE_WRITE_KEYS | FASTLY_CACHE_WRITE_METADATA, &how,
                                        &s->copy) == FASTLY_OK)
        return;
    fastly_cache_transaction_cancel(s->handle);
    *s = (struct share){.role = SHARE_ALONE, .copy = FASTLY_NO_HANDLE};
}

void share_offer(struct share *s, const struct visit *v, unsigned status, const struct fields *f)
{
    static char space[META_MAX];
    struct adit_buf meta = {.p = space, .cap = sizeof space, .max = sizeof space};
    struct adit_arena arena;
    if (s->role != SHARE_LEAD || s->copy != FASTLY_NO_HANDLE) return;
    adit_arena_init(&arena, mem, 256 << 10);
    if (is_for_all(status, f, &arena)) write_meta(&meta, status, f);
    if (meta.err) meta.len = 0;
    adit_arena_free(&arena);
    store(s, v, adit_buf_str(&meta));
    if (meta.len == 0) share_end(s, true);
}

void share_write(struct share *s, struct adit_str bytes)
{
    if (s->copy != FASTLY_NO_HANDLE && !write_all(s->copy, bytes)) share_end(s, false);
}

void share_end(struct share *s, bool whole)
{
    if (s->copy != FASTLY_NO_HANDLE && whole)
        fastly_http_body_close(s->copy);
    else if (s->copy != FASTLY_NO_HANDLE)
        fastly_http_body_abandon(s->copy);
    if (s->role == SHARE_GIVEN) fastly_cache_close(s->handle);
    *s = (struct share){.role = SHARE_ALONE, .copy = FASTLY_NO_HANDLE};
}
