/* What `adit serve` says about itself (inspect.c: to whom): counters for Prometheus, the list
 * of pages, totals, and the inspector itself (inspector.html). */
#include "batch/serve/serve.h"
#include "crypto/crypto.h"
#include "json/json.h"

#include <string.h>

CLI_ASSET(inspector, "batch/serve/inspector.html");

static void add_sum(struct adit_buf *b, const struct server *s, size_t offset)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->n_shards; i++)
        sum += *(const uint64_t *)((const char *)&s->shards[i].edge + offset);
    adit_buf_u64(b, sum);
    adit_buf_byte(b, '\n');
}

static void metric(struct adit_buf *b, const char *name, const char *kind, const char *help)
{
    const char *const parts[] = {"# HELP adit_", name, " ",  help, "\n# TYPE adit_",
                                 name,           " ",  kind, "\n"};
    for (size_t i = 0; i < ADIT_COUNT(parts); i++) adit_buf_lit(b, parts[i]);
}

/* A counter for each reason; offset: of their sums in struct adit_edge. */
static void write_reasons(struct server *s, struct adit_buf *b, const char *name, const char *help,
                          size_t offset)
{
    metric(b, name, "counter", help);
    for (size_t i = ADIT_REASON_NONE + 1; i < ADIT_REASONS; i++) {
        const char *const parts[] = {"adit_", name, "{reason=\"", adit_reasons[i].name, "\"} "};
        for (size_t k = 0; k < ADIT_COUNT(parts); k++) adit_buf_lit(b, parts[k]);
        add_sum(b, s, offset + i * sizeof(uint64_t));
    }
}

/* Counters are read while others count: each is a word that is whole. */
static void write_metrics(struct server *s, struct adit_buf *b)
{
    char name[64];
    for (size_t i = 0; i < s->n_shards; i++) pthread_mutex_lock(&s->shards[i].lock);
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++) {
        snprintf(name, sizeof name, "%s_total", adit_counters[i].name);
        metric(b, name, "counter", adit_counters[i].help);
        adit_buf_lit(b, "adit_");
        adit_buf_lit(b, name);
        adit_buf_byte(b, ' ');
        add_sum(b, s, offsetof(struct adit_edge, counters) + i * sizeof(uint64_t));
    }
    write_reasons(s, b, "failures_total", "machine views refused, by reason",
                  offsetof(struct adit_edge, failures));
    write_reasons(s, b, "passes_total", "pages sent as the origin has them, by reason",
                  offsetof(struct adit_edge, passes));
    for (size_t i = 0; i < s->n_shards; i++) pthread_mutex_unlock(&s->shards[i].lock);
    metric(b, "http_requests_total", "counter", "requests answered, all kinds");
    adit_buf_lit(b, "adit_http_requests_total ");
    adit_buf_u64(b, atomic_load(&s->requests));
    adit_buf_byte(b, '\n');
    metric(b, "http_sent_bytes_total", "counter", "bytes of bodies sent");
    adit_buf_lit(b, "adit_http_sent_bytes_total ");
    adit_buf_u64(b, atomic_load(&s->bytes));
    adit_buf_byte(b, '\n');
    metric(b, "http_active", "gauge", "requests under way");
    adit_buf_lit(b, "adit_http_active ");
    adit_buf_u64(b, atomic_load(&s->active));
    adit_buf_byte(b, '\n');
}

static void write_totals(struct server *s, struct adit_buf *b)
{
    struct adit_json_writer w = {.out = b};
    adit_json_open(&w, '{');
    for (size_t i = 0; i < s->n_shards; i++) pthread_mutex_lock(&s->shards[i].lock);
    for (size_t i = 0; i < ADIT_COUNTER_COUNT; i++) {
        uint64_t sum = 0;
        for (size_t k = 0; k < s->n_shards; k++) sum += s->shards[k].edge.counters[i];
        adit_json_member_uint(&w, adit_counters[i].name, sum);
    }
    for (size_t i = 0; i < s->n_shards; i++) pthread_mutex_unlock(&s->shards[i].lock);
    adit_json_close(&w, '}');
}

/* Of a folder with titles and sizes; of an upstream the paths, as far as they are known. */
static void write_pages(struct server *s, struct adit_buf *b)
{
    struct adit_buf lines;
    struct adit_json_writer w = {.out = b};
    adit_buf_init(&lines, cli_mem, 16u << 20);
    adit_json_open(&w, '[');
    if (!s->origin->describe || !s->origin->describe(s->origin, &w)) {
        s->origin->list(s->origin, s->config, &lines);
        struct adit_str rest = adit_buf_str(&lines), path;
        while (rest.len && adit_str_split(&rest, '\n', &path)) {
            if (!path.len) continue;
            adit_json_open(&w, '{');
            adit_json_member(&w, "path", path);
            adit_json_close(&w, '}');
        }
    }
    adit_json_close(&w, ']');
    adit_buf_free(&lines);
}

/* A source of the policy: the hash of what stands between two tags of the inspector's page. */
static void add_hash(struct adit_buf *out, const char *directive, struct adit_str open,
                     struct adit_str close)
{
    struct adit_str page = CLI_ASSET_STR(inspector);
    uint8_t hash[ADIT_SHA256_LEN];
    size_t from = adit_str_find(page, open, 0) + open.len;
    adit_sha256_of(adit_str_sub(page, from, adit_str_find(page, close, from)), hash);
    adit_buf_lit(out, directive);
    adit_buf_lit(out, " 'sha256-");
    adit_base64(out, hash, sizeof hash);
    adit_buf_lit(out, "'; ");
}

/* Its own style sheet and script, by their hashes; its own answers; frames of its own. */
static void set_policy(char *policy, size_t cap)
{
    struct adit_buf b = {.p = policy, .cap = cap, .max = cap};
    adit_buf_lit(&b, "default-src 'none'; ");
    add_hash(&b, "script-src", ADIT_STR("<script>"), ADIT_STR("</script>"));
    add_hash(&b, "style-src", ADIT_STR("<style>"), ADIT_STR("</style>"));
    adit_buf_lit(&b, "connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri "
                     "'none'; form-action 'none'");
    adit_buf_byte(&b, '\0');
}

void own_page(struct server *s, struct adit_str name, struct own_page *out)
{
    out->status = 200;
    if (name.len == 0) {
        out->type = "text/html; charset=utf-8";
        adit_buf_add(&out->body, CLI_ASSET_STR(inspector));
        set_policy(out->policy, sizeof out->policy);
    } else if (adit_str_eq(name, ADIT_STR("metrics"))) {
        out->type = "text/plain; version=0.0.4; charset=utf-8";
        write_metrics(s, &out->body);
    } else if (adit_str_eq(name, ADIT_STR("totals.json"))) {
        out->type = "application/json";
        write_totals(s, &out->body);
    } else if (adit_str_eq(name, ADIT_STR("pages.json"))) {
        out->type = "application/json";
        write_pages(s, &out->body);
    } else {
        out->status = 404;
        adit_buf_lit(&out->body, "Not found.\n");
    }
}
