/* Configuration and log of the Fastly Compute program.
 *
 * The configuration is the value of the key adit.json in the config store named adit. A value may have
 * no more than 8000 characters there: a longer document goes on in adit.json.2, adit.json.3 and so on.
 * The key requests, if there is one, says how often an instance may ask backends before it ends. */
#include "edge/fastly_impl.h"
#include "edge/module.h"

static const struct adit_str STORE = ADIT_STR_INIT("adit"), KEY = ADIT_STR_INIT("adit.json"),
                             REQUESTS = ADIT_STR_INIT("requests"), ENDPOINT = ADIT_STR_INIT("adit");
enum {
    /* The platform lets an instance ask 32 times, on trial accounts 10; a request asks at most twice. */
    ASKED_MAX = 8,
    PARTS_MAX = 8, /* an instance may look up 32 values */
    VALUE_MAX = 32 << 10
};

void service_say(const struct service *s, struct adit_str line)
{
    size_t written;
    if (s->log != FASTLY_NO_HANDLE) fastly_log_write(s->log, line.p, line.len, &written);
}

void service_say_refused(const struct service *s, uint32_t status, bool unknown)
{
    struct adit_buf line;
    adit_buf_init(&line, mem, 1024);
    adit_buf_lit(&line, "adit: upstream.cluster ");
    adit_buf_add(&line, s->config.upstream_cluster);
    adit_buf_lit(&line, unknown ? ": the service has no such backend (status "
                                : ": the host makes no request (status ");
    adit_buf_u64(&line, status);
    adit_buf_byte(&line, ')');
    service_say(s, adit_buf_str(&line));
    adit_buf_free(&line);
}

/* Appends a part of the document; false if there is none. */
static bool read_part(uint32_t store, unsigned part, struct adit_buf *json)
{
    char space[32];
    struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space};
    size_t len = 0;
    adit_buf_add(&key, KEY);
    if (part > 1) adit_buf_byte(&key, '.'), adit_buf_u64(&key, part);
    if (!adit_buf_reserve(json, VALUE_MAX)) return false;
    if (fastly_config_store_get(store, key.p, key.len, json->p + json->len, VALUE_MAX, &len) !=
            FASTLY_OK ||
        len > VALUE_MAX)
        return false;
    json->len += len;
    return true;
}

static uint64_t read_requests(uint32_t store)
{
    char space[24];
    size_t len = 0;
    uint64_t n;
    if (fastly_config_store_get(store, REQUESTS.p, REQUESTS.len, space, sizeof space, &len) !=
            FASTLY_OK ||
        len > sizeof space || !adit_str_u64(adit_str_of(space, len), &n))
        return ASKED_MAX;
    return n;
}

static bool read_document(struct service *s, struct adit_buf *json)
{
    uint32_t store;
    if (fastly_config_store_open(STORE.p, STORE.len, &store) != FASTLY_OK) return false;
    s->asked_max = read_requests(store);
    unsigned part = 1;
    while (part <= PARTS_MAX && read_part(store, part, json)) part++;
    return part > 1;
}

void service_start(struct service *s)
{
    struct adit_buf json, line;
    *s = (struct service){.log = FASTLY_NO_HANDLE, .asked_max = ASKED_MAX};
    if (fastly_log_endpoint_get(ENDPOINT.p, ENDPOINT.len, &s->log) != FASTLY_OK)
        s->log = FASTLY_NO_HANDLE;
    adit_buf_init(&json, mem, (PARTS_MAX + 1) * VALUE_MAX);
    adit_buf_init(&line, mem, MODULE_REFUSAL_MAX);
    if (read_document(s, &json))
        s->configured = module_configure(&s->edge, &s->config, adit_buf_str(&json), &line);
    else
        adit_buf_lit(&line, MODULE_REFUSAL "there is no key adit.json in a config store adit");
    if (!s->configured) service_say(s, adit_buf_str(&line));
    adit_buf_free(&line);
    adit_buf_free(&json);
    if (s->configured) return;
    /* Where to send what passes: to the backend that is named so by default. */
    adit_config_free(&s->config);
    adit_buf_init(&json, mem, 2048);
    adit_config_parse(&s->config, ADIT_STR("{}"), mem, &json);
    adit_buf_free(&json);
}
