/* Drives one exchange: the loop that exchange/exchange.h describes, with blocking calls. The shard is
 * locked while the exchange thinks, and free while we wait for the origin. */
#include "batch/serve/serve.h"

/* Tells those whose waiting is over. */
static void wake(struct shard *shard)
{
    bool any = false;
    for (struct adit_exchange *x; (x = adit_edge_ready(&shard->edge)); any = true)
        ((struct drive *)x->user)->ready = true;
    if (any) pthread_cond_broadcast(&shard->ready);
}

static enum adit_action read_body(struct drive *d, struct origin_reply *reply)
{
    char part[65536];
    enum adit_action action = ADIT_BODY;
    while (action == ADIT_BODY) {
        pthread_mutex_unlock(&d->shard->lock);
        ssize_t got = reply->read(reply, part, sizeof part);
        pthread_mutex_lock(&d->shard->lock);
        if (got > 0)
            action = adit_exchange_fetched_body(d->x, adit_str_of(part, (size_t)got));
        else if (got == 0)
            action = adit_exchange_fetched_end(d->x);
        else
            action = adit_exchange_fetch_failed(d->x, got == -2 ? ADIT_FAILED_TIMEOUT
                                                                : ADIT_FAILED_CONNECT);
    }
    return action;
}

static enum adit_action fetch(struct drive *d)
{
    const struct adit_fetch *f = &d->x->fetch;
    struct origin_request q = {
        .method = ADIT_STR("GET"),
        .authority = f->authority,
        .path = f->path,
        .headers = f->headers.v,
        .n_headers = f->headers.n,
        .timeout_ms = f->timeout_ms,
        .whole = true,
    };
    struct origin *o = d->server->origin;
    enum adit_fetch_failure why = ADIT_FAILED_CONNECT;
    pthread_mutex_unlock(&d->shard->lock);
    struct origin_reply *reply = o->open(o, &q, &why);
    pthread_mutex_lock(&d->shard->lock);
    if (!reply) return adit_exchange_fetch_failed(d->x, why);
    const struct adit_headers *h = &reply->headers;
    enum adit_action action = h->err || h->lost /* perhaps the field that makes the page private */
                                  ? adit_exchange_fetch_failed(d->x, ADIT_FAILED_CONNECT)
                                  : adit_exchange_fetched(d->x, reply->status, h->v, h->n);
    if (action == ADIT_BODY) action = read_body(d, reply);
    reply->close(reply);
    return action;
}

static enum adit_action step(struct drive *d, enum adit_action action)
{
    switch (action) {
    case ADIT_RECALL:
        return adit_exchange_recalled(d->x, memory_get(d->shard->memory, d->x->recall_key));
    case ADIT_FETCH: return fetch(d);
    default: break;
    }
    while (!d->ready) pthread_cond_wait(&d->shard->ready, &d->shard->lock);
    d->ready = false;
    return adit_exchange_resume(d->x);
}

/* Requests for a page and for its machine view go to the same shard. */
static struct shard *shard_of(struct server *s, struct adit_str path)
{
    struct adit_buf page;
    adit_buf_init(&page, cli_mem, ADIT_LIMIT_url_bytes);
    struct adit_str plain = adit_str_sub(path, 0, adit_str_chr(path, '?', 0));
    enum adit_path_kind kind = adit_map_path(s->config, plain, &page, NULL);
    uint64_t hash = adit_str_hash(kind == ADIT_PATH_PAGE || page.err ? plain : adit_buf_str(&page));
    adit_buf_free(&page);
    /* The JSON sitemap speaks of all pages: one shard has heard of them. */
    if (adit_str_ends(plain, ADIT_STR(".json"))) hash = 0;
    return &s->shards[hash % s->n_shards];
}

/* What a page's shard has learned, the sitemap's must know. */
static void tell_sitemap(struct drive *d)
{
    struct shard *to = &d->server->shards[0];
    if (!d->x || !d->x->learned.known || to == d->shard) return;
    pthread_mutex_lock(&to->lock);
    adit_edge_learn(&to->edge, &d->x->learned);
    pthread_mutex_unlock(&to->lock);
}

enum adit_action drive_request(struct drive *d, struct server *s, const struct adit_request *r)
{
    *d = (struct drive){.server = s, .shard = shard_of(s, r->path)};
    pthread_mutex_lock(&d->shard->lock);
    d->x = adit_exchange_new(&d->shard->edge, d);
    enum adit_action action = d->x ? adit_exchange_request(d->x, r) : ADIT_PASS;
    while (action != ADIT_ANSWER && action != ADIT_PASS) {
        action = step(d, action);
        wake(d->shard);
    }
    if (d->x && d->x->remember_key.len)
        memory_put(d->shard->memory, d->x->remember_key, d->x->remember_value);
    pthread_mutex_unlock(&d->shard->lock);
    tell_sitemap(d);
    return action;
}

void drive_response(struct drive *d, const struct origin_reply *r)
{
    if (!d->x || d->x->done) return;
    pthread_mutex_lock(&d->shard->lock);
    adit_exchange_response(d->x, r->status, r->headers.v, r->headers.n);
    pthread_mutex_unlock(&d->shard->lock);
}

void drive_end(struct drive *d)
{
    if (!d->x) return;
    pthread_mutex_lock(&d->shard->lock);
    adit_exchange_free(d->x);
    wake(d->shard);
    pthread_mutex_unlock(&d->shard->lock);
    d->x = NULL;
}
