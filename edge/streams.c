/* The streams that the filter looks after: a table with a cap, whose structs are used again. */
#include "edge/filter_impl.h"
#include "edge/module.h"

enum {
    STREAMS_MAX = 4096, /* at a time, of all root contexts; more pass untouched */
    BUCKETS = 1024,
    PENDING_MAX = 1 << 16, /* bytes of a page that may wait for the place of the link */
    HELD_MAX = 8 << 20     /* bytes that all pages together keep while they wait for that */
};

static struct {
    struct stream *buckets[BUCKETS], *spare;
    size_t n, held; /* held: bytes in all streams' pending and fresh */
} table;

/* Memory for pending and fresh. Beyond HELD_MAX there is none: that page gets no link. */
static void *held_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct adit_mem charged = ((struct setup *)ctx)->edge.mem;
    if (new_len > old_len && table.held + (new_len - old_len) > HELD_MAX) return NULL;
    void *q = charged.resize(charged.ctx, p, old_len, new_len);
    if (q || new_len == 0) table.held = table.held - old_len + new_len;
    return q;
}

struct stream *stream_find(uint32_t id)
{
    struct stream *s = table.buckets[id % BUCKETS];
    while (s && s->id != id) s = s->next;
    return s;
}

/* Hosts name the root context in a call's answer; so the stream is found by the call's number. */
struct stream *stream_of_call(uint32_t call)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct stream *s = table.buckets[i]; s; s = s->next)
            if (s->state == FETCHING && s->call == call) return s;
    return NULL;
}

void stream_add(uint32_t id, uint32_t root)
{
    struct setup *setup = root_setup(root);
    struct stream *s = table.spare;
    if (!setup || table.n >= STREAMS_MAX || stream_find(id)) return;
    if (s)
        table.spare = s->next;
    else if (!(s = malloc(sizeof *s)))
        return;
    *s = (struct stream){.id = id, .state = BEGUN, .next = table.buckets[id % BUCKETS]};
    s->setup = setup_hold(setup);
    struct adit_mem held = {held_resize, setup};
    adit_buf_init(&s->pending, held, PENDING_MAX);
    adit_buf_init(&s->fresh, held, 2 * PENDING_MAX);
    table.buckets[id % BUCKETS] = s;
    table.n++;
}

void stream_release(struct stream *s, enum stream_state state)
{
    if (s->x) adit_exchange_free(s->x);
    s->x = NULL;
    s->state = state;
    adit_buf_free(&s->pending);
    adit_buf_free(&s->fresh);
    setup_release(s->setup);
    s->setup = NULL;
}

void stream_remove(uint32_t id)
{
    for (struct stream **at = &table.buckets[id % BUCKETS]; *at; at = &(*at)->next) {
        struct stream *s = *at;
        if (s->id != id) continue;
        *at = s->next;
        stream_release(s, PASS);
        s->next = table.spare;
        table.spare = s;
        table.n--;
        return;
    }
}
