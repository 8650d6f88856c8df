/* One conversion for all who ask for a page at the same time: the first leads, the others wait. */
#include "exchange/exchange_impl.h"

#include "base/base.h"

#include <string.h>

void adit_share_key(struct adit_exchange_impl *x, struct adit_str url)
{
    const struct adit_config *c = x->edge->config;
    struct adit_sha256 h;
    uint8_t hash[ADIT_SHA256_LEN], settings[8];
    for (int i = 0; i < 8; i++) settings[i] = (uint8_t)(c->hash >> (8 * i));
    adit_sha256_init(&h);
    adit_sha256_update(&h, x->format->key.p, x->format->key.len);
    adit_sha256_update(&h, ADIT_RULES_VERSION " ", sizeof ADIT_RULES_VERSION);
    adit_sha256_update(&h, settings, sizeof settings);
    adit_sha256_update(&h, url.p, url.len);
    adit_sha256_final(&h, hash);
    struct adit_buf out = {.p = x->key, .cap = sizeof x->key, .max = sizeof x->key};
    adit_buf_hex(&out, hash, sizeof hash);
}

static struct adit_exchange_impl **leaders(struct adit_exchange_impl *x)
{
    return &x->edge->leaders;
}

static struct adit_exchange_impl *find_leader(struct adit_exchange_impl *x)
{
    for (struct adit_exchange_impl *l = *leaders(x); l; l = l->next)
        if (memcmp(l->key, x->key, sizeof x->key) == 0) return l;
    return NULL;
}

static void unlink_from(struct adit_exchange_impl **list, struct adit_exchange_impl *x)
{
    while (*list && *list != x) list = &(*list)->next;
    if (*list) *list = x->next;
    x->next = NULL;
}

static void release_waiters(struct adit_exchange_impl *x, struct adit_view *v)
{
    unlink_from(leaders(x), x);
    x->leads = false;
    x->edge->n_leaders--;
    struct adit_exchange_impl **last = &x->edge->ready;
    while (*last) last = &(*last)->next_ready;
    for (struct adit_exchange_impl *w = x->waiters, *next; w; w = next) {
        next = w->next;
        w->next = w->leader = NULL;
        if (v) v->refs++;
        w->view = v;
        w->is_ready = true;
        *last = w;
        last = &w->next_ready;
    }
    *last = NULL;
    x->waiters = NULL;
}

void adit_share_leave(struct adit_exchange_impl *x)
{
    if (x->leads) release_waiters(x, NULL);
    if (x->leader) unlink_from(&x->leader->waiters, x);
    x->leader = NULL;
}

bool adit_share_wait(struct adit_exchange_impl *x)
{
    x->leader = find_leader(x);
    if (!x->leader) return false;
    x->next = x->leader->waiters;
    x->leader->waiters = x;
    x->state = ADIT_ST_WAIT;
    return true;
}

bool adit_share_lead(struct adit_exchange_impl *x)
{
    if (x->edge->n_leaders >= x->edge->config->limit_pages) return false;
    x->next = *leaders(x);
    *leaders(x) = x;
    x->leads = true;
    x->edge->n_leaders++;
    return true;
}

/* Whether those who wait may have it too: what the origin said about the asker's person is not for
 * others (RFC 9111, 4: collapsed requests share only what could be stored). */
static bool is_shared(const struct adit_view *v)
{
    return !v->is_private && !v->bodiless && v->reason != ADIT_REASON_ORIGIN_401 &&
           v->reason != ADIT_REASON_ORIGIN_403 && v->reason != ADIT_REASON_ORIGIN_429;
}

void adit_share_view(struct adit_exchange_impl *x)
{
    if (x->leads) release_waiters(x, is_shared(x->view) ? x->view : NULL);
}
