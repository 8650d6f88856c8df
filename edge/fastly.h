/* Fastly Compute's host calls for C: those that the edge uses, with their enums and structs, from the
 * public interface description. It knows nothing of what a program does with them.
 *
 * Conventions:
 * - A call is named fastly_MODULE_NAME for NAME of the module fastly_MODULE, and returns a status;
 *   results go to the pointers at the end. scripts/check-imports.mjs compares the types with those of
 *   an engine that Fastly ships.
 * - Handles are small numbers of the host's. Sending a request or a response takes its handles away;
 *   so does appending a body to another one.
 * - Buffers are the program's. One that is too small: FASTLY_BUFLEN, and the length that is needed.
 * - Lists (names of fields, values of a field) come as elements with a NUL behind each, as many as
 *   fit; the cursor says where to go on, FASTLY_CURSOR_END that there are no more.
 */
#ifndef FASTLY_H
#define FASTLY_H

#include <stddef.h>
#include <stdint.h>

enum fastly_status {
    FASTLY_OK = 0,
    FASTLY_ERROR = 1,
    FASTLY_INVAL = 2, /* an argument; a field to be removed that is not there */
    FASTLY_BADF = 3,  /* a handle */
    FASTLY_BUFLEN = 4,
    FASTLY_UNSUPPORTED = 5,
    FASTLY_HTTP_INVALID = 7,
    FASTLY_HTTP_USER = 8,
    FASTLY_HTTP_INCOMPLETE = 9,
    FASTLY_NONE = 10, /* there is no such value */
    FASTLY_LIMIT = 13 /* too many handles, requests, lookups */
};

enum { FASTLY_CURSOR_END = -1 };
#define FASTLY_NO_HANDLE UINT32_MAX

/* Why a request came to nothing. */
enum fastly_send_error_tag {
    FASTLY_SEND_DNS_TIMEOUT = 2,
    FASTLY_SEND_NO_BACKEND = 4, /* no backend of that name */
    FASTLY_SEND_CONNECT_TIMEOUT = 9,
    FASTLY_SEND_CONNECTIONS = 10, /* the backend has as many as it may have */
    FASTLY_SEND_RESPONSE_TIMEOUT = 16
};
enum { FASTLY_SEND_ERROR_ALL = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 }; /* mask: every field below */
struct fastly_send_error {
    uint32_t tag, mask;
    uint16_t dns_rcode, dns_info;
    uint8_t tls_alert, h2_frame;
    uint32_t h2_code;
};
_Static_assert(sizeof(struct fastly_send_error) == 20, "the host's layout");

enum fastly_write_end { FASTLY_BACK = 0, FASTLY_FRONT = 1 };

/* The cache. */
enum fastly_cache_state {
    FASTLY_CACHE_FOUND = 1,
    FASTLY_CACHE_USABLE = 2,
    FASTLY_CACHE_STALE = 4,
    FASTLY_CACHE_MUST_INSERT = 8 /* others wait for this one */
};
enum {
    FASTLY_CACHE_WRITE_STALE = 1 << 4,
    FASTLY_CACHE_WRITE_KEYS = 1 << 5,
    FASTLY_CACHE_WRITE_LENGTH = 1 << 6,
    FASTLY_CACHE_WRITE_METADATA = 1 << 7
};
struct fastly_cache_lookup {
    uint32_t request;
    const char *service;
    uint32_t service_len;
};
struct fastly_cache_write {
    uint64_t max_age_ns;
    uint32_t request;
    const char *vary;
    size_t vary_len;
    uint64_t initial_age_ns, stale_ns;
    const char *keys; /* surrogate keys, spaces between */
    size_t keys_len;
    uint64_t length;
    const char *metadata;
    size_t metadata_len;
    uint64_t edge_max_age_ns;
    const char *service;
    uint32_t service_len;
};
struct fastly_cache_range {
    uint64_t from, to;
};
_Static_assert(offsetof(struct fastly_cache_write, keys) == 40, "the host's layout");
_Static_assert(offsetof(struct fastly_cache_write, metadata) == 56, "the host's layout");
_Static_assert(sizeof(struct fastly_cache_write) == 80, "the host's layout");

enum { FASTLY_NEXT_TIMEOUT = 1 << 1 };
struct fastly_next_request {
    uint64_t timeout_ms;
};

#define FASTLY_CALL(module, name)                    \
    __attribute__((import_module("fastly_" #module), \
                   import_name(#name))) uint32_t fastly_##module##_##name

/* Requests. */
FASTLY_CALL(http_req, body_downstream_get)(uint32_t *request, uint32_t *body);
FASTLY_CALL(http_req, new)(uint32_t *request);
FASTLY_CALL(http_req, method_get)(uint32_t request, char *p, size_t max, size_t *len);
FASTLY_CALL(http_req, uri_get)(uint32_t request, char *p, size_t max, size_t *len);
FASTLY_CALL(http_req, uri_set)(uint32_t request, const char *uri, size_t len);
FASTLY_CALL(http_req, header_names_get)
(uint32_t request, char *p, size_t max, uint32_t cursor, int64_t *next, size_t *len);
FASTLY_CALL(http_req, header_values_get)
(uint32_t request, const char *name, size_t name_len, char *p, size_t max, uint32_t cursor,
 int64_t *next, size_t *len);
FASTLY_CALL(http_req, header_insert)
(uint32_t request, const char *name, size_t name_len, const char *value, size_t len);
FASTLY_CALL(http_req, header_append)
(uint32_t request, const char *name, size_t name_len, const char *value, size_t len);
FASTLY_CALL(http_req, header_remove)(uint32_t request, const char *name, size_t name_len);
FASTLY_CALL(http_req, send_async)
(uint32_t request, uint32_t body, const char *backend, size_t backend_len, uint32_t *pending);
FASTLY_CALL(http_req, pending_req_wait_v2)
(uint32_t pending, struct fastly_send_error *error, uint32_t *response, uint32_t *body);

/* What came from the client. The address has 4 or 16 octets; there is room for 16. */
FASTLY_CALL(http_downstream, downstream_client_ip_addr)
(uint32_t request, uint8_t *octets, size_t *n);
/* A further request for the same instance; FASTLY_NONE: there will be none. */
FASTLY_CALL(http_downstream, next_request)
(uint32_t mask, const struct fastly_next_request *options, uint32_t *promise);
FASTLY_CALL(http_downstream, next_request_wait)
(uint32_t promise, uint32_t *request, uint32_t *body);

/* Responses. */
FASTLY_CALL(http_resp, new)(uint32_t *response);
FASTLY_CALL(http_resp, status_get)(uint32_t response, uint16_t *status);
FASTLY_CALL(http_resp, status_set)(uint32_t response, uint32_t status);
FASTLY_CALL(http_resp, header_names_get)
(uint32_t response, char *p, size_t max, uint32_t cursor, int64_t *next, size_t *len);
FASTLY_CALL(http_resp, header_values_get)
(uint32_t response, const char *name, size_t name_len, char *p, size_t max, uint32_t cursor,
 int64_t *next, size_t *len);
FASTLY_CALL(http_resp, header_insert)
(uint32_t response, const char *name, size_t name_len, const char *value, size_t len);
FASTLY_CALL(http_resp, header_append)
(uint32_t response, const char *name, size_t name_len, const char *value, size_t len);
FASTLY_CALL(http_resp, header_remove)(uint32_t response, const char *name, size_t name_len);
/* Streaming: the body can still be written to, and ends when it is closed. */
FASTLY_CALL(http_resp, send_downstream)(uint32_t response, uint32_t body, uint32_t streaming);

/* Bodies. Reading gives no bytes at the end. Abandoning a body that streams breaks it off. */
FASTLY_CALL(http_body, new)(uint32_t *body);
FASTLY_CALL(http_body, read)(uint32_t body, void *p, size_t max, size_t *len);
FASTLY_CALL(http_body, write)
(uint32_t body, const void *p, size_t len, uint32_t end, size_t *written);
FASTLY_CALL(http_body, append)(uint32_t to, uint32_t from);
FASTLY_CALL(http_body, close)(uint32_t body);
FASTLY_CALL(http_body, abandon)(uint32_t body);

/* Waits until one of the handles is ready; index UINT32_MAX: not in time. 0 ms is no limit. */
FASTLY_CALL(async_io, select)
(const uint32_t *handles, size_t n, uint32_t timeout_ms, uint32_t *index);
FASTLY_CALL(async_io, is_ready)(uint32_t handle, uint32_t *ready);

/* The cache. A transaction's lookup waits while another one's insertion is under way. */
FASTLY_CALL(cache, lookup)
(const char *key, size_t len, uint32_t mask, const struct fastly_cache_lookup *options,
 uint32_t *handle);
FASTLY_CALL(cache, insert)
(const char *key, size_t len, uint32_t mask, const struct fastly_cache_write *options,
 uint32_t *body);
FASTLY_CALL(cache, transaction_lookup_async)
(const char *key, size_t len, uint32_t mask, const struct fastly_cache_lookup *options,
 uint32_t *busy);
FASTLY_CALL(cache, cache_busy_handle_wait)(uint32_t busy, uint32_t *handle);
FASTLY_CALL(cache, close_busy)(uint32_t busy);
FASTLY_CALL(cache, transaction_insert)
(uint32_t handle, uint32_t mask, const struct fastly_cache_write *options, uint32_t *body);
FASTLY_CALL(cache, transaction_cancel)(uint32_t handle);
FASTLY_CALL(cache, get_state)(uint32_t handle, uint32_t *state);
FASTLY_CALL(cache, get_user_metadata)(uint32_t handle, char *p, size_t max, size_t *len);
FASTLY_CALL(cache, get_body)
(uint32_t handle, uint32_t mask, const struct fastly_cache_range *range, uint32_t *body);
FASTLY_CALL(cache, close)(uint32_t handle);

/* Configuration and log. */
FASTLY_CALL(config_store, open)(const char *name, size_t len, uint32_t *store);
FASTLY_CALL(config_store, get)
(uint32_t store, const char *key, size_t key_len, char *p, size_t max, size_t *len);
FASTLY_CALL(log, endpoint_get)(const char *name, size_t len, uint32_t *endpoint);
FASTLY_CALL(log, write)(uint32_t endpoint, const char *p, size_t len, size_t *written);

#endif
