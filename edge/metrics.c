/* Metrics of the filter: the exchange's counters and failures, as counters of the host. All setups of
 * a VM add to the same ones. */
#include "edge/filter_impl.h"

static struct {
    bool defined;
    /* 0: the host has none */
    uint32_t counter_ids[ADIT_COUNTER_COUNT], failure_ids[ADIT_REASONS], pass_ids[ADIT_REASONS];
} metrics;

static uint32_t define_metric(const char *prefix, const char *name)
{
    char space[96];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    uint32_t id = 0;
    adit_buf_lit(&b, prefix);
    adit_buf_lit(&b, name);
    if (b.err || proxy_define_metric(PW_COUNTER, b.p, b.len, &id) != PW_OK) return 0;
    return id;
}

void metrics_define(void)
{
    if (metrics.defined) return;
    metrics.defined = true;
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++)
        metrics.counter_ids[i] = define_metric("adit.", adit_counters[i].name);
    for (size_t i = 1; i < ADIT_REASONS; i++) {
        metrics.failure_ids[i] = define_metric("adit.failed.", adit_reasons[i].name);
        metrics.pass_ids[i] = define_metric("adit.passed.", adit_reasons[i].name);
    }
}

static void publish(const uint64_t *now, uint64_t *then, const uint32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (now[i] == then[i]) continue;
        if (ids[i]) proxy_increment_metric(ids[i], (int64_t)(now[i] - then[i]));
        then[i] = now[i];
    }
}

void metrics_publish(struct setup *s)
{
    publish(s->edge.counters, s->counters, metrics.counter_ids, ADIT_COUNTER_COUNT);
    publish(s->edge.failures, s->failures, metrics.failure_ids, ADIT_REASONS);
    publish(s->edge.passes, s->passes, metrics.pass_ids, ADIT_REASONS);
}
