/* The proxy-wasm ABI 0.2.1 for C: imports, enums, and the codec of header pairs. It knows nothing
 * of what a filter does, so that others can use it as it stands.
 *
 * Conventions:
 * - Imports are named as in the ABI; an import that a module does not call does not appear in it.
 * - Memory that the host hands over (`uint8_t **p, size_t *len`) was allocated by the module's
 * export proxy_on_memory_allocate: the module frees it. Length 0 comes with a null pointer, and
 * nothing is NUL-terminated.
 * - After a headers callback has returned PW_CONTINUE its map is gone: save what is needed later.
 */
#ifndef PROXY_WASM_H
#define PROXY_WASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum pw_log_level { PW_TRACE, PW_DEBUG, PW_INFO, PW_WARN, PW_ERROR, PW_CRITICAL };

enum pw_status {
    PW_OK = 0,
    PW_NOT_FOUND = 1,
    PW_BAD_ARGUMENT = 2,
    PW_SERIALIZATION_FAILURE = 3,
    PW_PARSE_FAILURE = 4,
    PW_INVALID_MEMORY_ACCESS = 6,
    PW_EMPTY = 7,
    PW_CAS_MISMATCH = 8,
    PW_INTERNAL_FAILURE = 10,
    PW_UNIMPLEMENTED = 12
};

enum pw_action { PW_CONTINUE = 0, PW_PAUSE = 1 };
enum pw_stream { PW_REQUEST = 0, PW_RESPONSE = 1 };
enum pw_metric { PW_COUNTER = 0, PW_GAUGE = 1, PW_HISTOGRAM = 2 };

enum pw_buffer {
    PW_REQUEST_BODY = 0,
    PW_RESPONSE_BODY = 1,
    PW_CALL_BODY = 4,
    PW_VM_CONFIG = 6,
    PW_PLUGIN_CONFIG = 7
};

enum pw_map {
    PW_REQUEST_HEADERS = 0,
    PW_REQUEST_TRAILERS = 1,
    PW_RESPONSE_HEADERS = 2,
    PW_RESPONSE_TRAILERS = 3,
    PW_CALL_HEADERS = 6,
    PW_CALL_TRAILERS = 7
};

#define PW_EXPORT(name) __attribute__((export_name(#name)))
#define PW_IMPORT(name) \
    __attribute__((import_module("env"), import_name(#name))) extern uint32_t name

PW_IMPORT(proxy_log)(uint32_t level, const char *msg, size_t len);
PW_IMPORT(proxy_get_log_level)(uint32_t *level);
PW_IMPORT(proxy_get_current_time_nanoseconds)(uint64_t *ns);
PW_IMPORT(proxy_set_tick_period_milliseconds)(uint32_t ms);
PW_IMPORT(proxy_get_buffer_bytes)
(uint32_t type, size_t start, size_t max, uint8_t **p, size_t *len);
PW_IMPORT(proxy_set_buffer_bytes)
(uint32_t type, size_t start, size_t size, const void *p, size_t len);
PW_IMPORT(proxy_get_buffer_status)(uint32_t type, size_t *len, uint32_t *flags);
PW_IMPORT(proxy_get_header_map_size)(uint32_t map, size_t *len);
PW_IMPORT(proxy_get_header_map_pairs)(uint32_t map, uint8_t **p, size_t *len);
PW_IMPORT(proxy_set_header_map_pairs)(uint32_t map, const void *p, size_t len);
PW_IMPORT(proxy_get_header_map_value)
(uint32_t map, const char *key, size_t key_len, uint8_t **p, size_t *len);
PW_IMPORT(proxy_add_header_map_value)
(uint32_t map, const char *key, size_t key_len, const char *value, size_t len);
PW_IMPORT(proxy_replace_header_map_value)
(uint32_t map, const char *key, size_t key_len, const char *value, size_t len);
PW_IMPORT(proxy_remove_header_map_value)(uint32_t map, const char *key, size_t key_len);
PW_IMPORT(proxy_get_property)(const char *path, size_t path_len, uint8_t **p, size_t *len);
PW_IMPORT(proxy_set_property)(const char *path, size_t path_len, const char *p, size_t len);
PW_IMPORT(proxy_send_local_response)
(uint32_t status, const char *details, size_t details_len, const void *body, size_t body_len,
 const void *pairs, size_t pairs_len, int32_t grpc_status);
PW_IMPORT(proxy_continue_stream)(uint32_t stream);
PW_IMPORT(proxy_close_stream)(uint32_t stream);
PW_IMPORT(proxy_get_shared_data)
(const char *key, size_t key_len, uint8_t **p, size_t *len, uint32_t *cas);
PW_IMPORT(proxy_set_shared_data)
(const char *key, size_t key_len, const void *p, size_t len, uint32_t cas);
PW_IMPORT(proxy_define_metric)(uint32_t type, const char *name, size_t len, uint32_t *id);
PW_IMPORT(proxy_increment_metric)(uint32_t id, int64_t by);
PW_IMPORT(proxy_record_metric)(uint32_t id, uint64_t value);
PW_IMPORT(proxy_get_metric)(uint32_t id, uint64_t *value);
PW_IMPORT(proxy_http_call)
(const char *cluster, size_t cluster_len, const void *pairs, size_t pairs_len, const void *body,
 size_t body_len, const void *trailers, size_t trailers_len, uint32_t timeout_ms, uint32_t *id);
PW_IMPORT(proxy_done)(void);
PW_IMPORT(proxy_set_effective_context)(uint32_t id);
PW_IMPORT(proxy_call_foreign_function)
(const char *name, size_t name_len, const void *args, size_t args_len, uint8_t **p, size_t *len);

/* --- pairs --------------------------------------------------------------------------------------
 *
 * u32 n; n x (u32 key length, u32 value length); then key NUL value NUL ..., little endian and of
 * exactly that length: on any mismatch a host silently takes an empty list. */

struct pw_slice {
    const char *p;
    size_t len;
};
struct pw_pair {
    struct pw_slice key, value;
};

static inline uint32_t pw_get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void pw_put32(uint8_t *p, size_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

/* Bytes that pw_pairs_write will need. */
static inline size_t pw_pairs_len(const struct pw_pair *pairs, size_t n)
{
    size_t len = 4 + 8 * n;
    for (size_t i = 0; i < n; i++) len += pairs[i].key.len + pairs[i].value.len + 2;
    return len;
}

static inline uint8_t *pw_put_z(uint8_t *p, struct pw_slice s)
{
    if (s.len) memcpy(p, s.p, s.len);
    p[s.len] = 0;
    return p + s.len + 1;
}

static inline void pw_pairs_write(uint8_t *out, const struct pw_pair *pairs, size_t n)
{
    uint8_t *sizes = out + 4, *data = out + 4 + 8 * n;
    pw_put32(out, n);
    for (size_t i = 0; i < n; i++) {
        pw_put32(sizes + 8 * i, pairs[i].key.len);
        pw_put32(sizes + 8 * i + 4, pairs[i].value.len);
        data = pw_put_z(data, pairs[i].key);
        data = pw_put_z(data, pairs[i].value);
    }
}

/* Walks pairs that the host gave: start with {p, len} of it. */
struct pw_pairs_reader {
    const uint8_t *p;
    size_t len;
    size_t i, n, at; /* next pair, number of pairs, offset of its key */
};

/* False if the bytes are not well-formed pairs. */
static inline bool pw_pairs_open(struct pw_pairs_reader *r, const uint8_t *p, size_t len)
{
    *r = (struct pw_pairs_reader){.p = p, .len = len};
    if (len == 0) return true;
    if (len < 4) return false;
    r->n = pw_get32(p);
    if (r->n > (len - 4) / 8) return false;
    r->at = 4 + 8 * r->n;
    return true;
}

/* False at the end, or where a length does not fit. */
static inline bool pw_pairs_next(struct pw_pairs_reader *r, struct pw_pair *pair)
{
    if (r->i >= r->n) return false;
    size_t klen = pw_get32(r->p + 4 + 8 * r->i), vlen = pw_get32(r->p + 8 + 8 * r->i);
    size_t left = r->len - r->at;
    if (klen >= left || vlen >= left - klen - 1) return false;
    pair->key = (struct pw_slice){(const char *)r->p + r->at, klen};
    pair->value = (struct pw_slice){(const char *)r->p + r->at + klen + 1, vlen};
    r->at += klen + vlen + 2;
    r->i++;
    return true;
}

#endif
