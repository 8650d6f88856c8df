/* What the files of the Fastly Compute program share:
 *
 *   fastly.c          requests from beginning to end: what the exchange says is done
 *   fastly_fetch.c    asking a backend, in time
 *   fastly_cache.c    the platform's cache: validator memory, one fetch for many
 *   fastly_fields.c   header fields
 *   fastly_service.c  configuration and log
 *
 * An instance serves one request at a time, and a few one after the other.
 */
#ifndef ADIT_EDGE_FASTLY_IMPL_H
#define ADIT_EDGE_FASTLY_IMPL_H

#include "edge/fastly.h"
#include "exchange/exchange.h"

/* --- service ---------------------------------------------------------------------------------- */

/* What stays from one request to the next. */
struct service {
    bool configured; /* else every request passes; config has its defaults then */
    struct adit_config config;
    struct adit_edge edge;
    uint32_t log; /* the log endpoint; FASTLY_NO_HANDLE: there is none */
    uint64_t asked,
        asked_max; /* requests to backends; with as many as asked_max the instance ends */
};

void service_start(struct service *s);
void service_say(const struct service *s, struct adit_str line);
/* The backend did not take the request; unknown: it has no such name. */
void service_say_refused(const struct service *s, uint32_t status, bool unknown);

/* --- fields ----------------------------------------------------------------------------------- */

enum side { REQUEST, RESPONSE, SIDES };

struct fields {
    struct adit_header *v;
    size_t n;
};

/* All fields of a request or response, in the arena; of more than ADIT_HEADERS_MAX one more than
 * that. False: the host did not give all of them, or there was no memory. */
bool fields_read(struct fields *f, enum side side, uint32_t handle, struct adit_arena *arena);
/* Both say whether the host did all of it. Edits of the path are left out. */
bool fields_edit(enum side side, uint32_t handle, const struct adit_edits *edits);
bool fields_add(enum side side, uint32_t handle, const struct adit_headers *h);
bool fields_set(enum side side, uint32_t handle, struct adit_str name, struct adit_str value);

/* --- a request ----------------------------------------------------------------------------------- */

struct visit {
    struct service *s;
    uint32_t request, body; /* the client's */
    struct adit_arena arena;
    struct adit_exchange *x; /* NULL: the request passes as it is */
    struct adit_str site;    /* scheme and authority of the request: "https://example.com" */
    struct adit_str keys;    /* surrogate keys of the page that was fetched */
    bool is_head;
};

int64_t now_ms(void);    /* for measuring only */
int64_t unix_time(void); /* in seconds */
/* All bytes, or false: the other end has gone. */
bool write_all(uint32_t body, struct adit_str bytes);

/* --- fetches ------------------------------------------------------------------------------------- */

enum { PIECE = 64 << 10 }; /* bytes of a body that are read at a time */

/* Sends a request to the configured backend, and waits for the header of the answer, until deadline
 * (0: as long as the backend is given). */
bool send_request(struct service *s, uint32_t request, uint32_t body, int64_t deadline,
                  uint32_t *response, uint32_t *response_body, enum adit_fetch_failure *why);
/* The next bytes of a body; 0 at its end. */
bool read_body(uint32_t body, char *p, size_t max, int64_t deadline, size_t *len,
               enum adit_fetch_failure *why);
/* Does what the exchange's fetch says; the exchange's next action. */
enum adit_action fetch(struct visit *v);

/* --- cache --------------------------------------------------------------------------------------- */

enum adit_action recall(struct visit *v);
/* Keeps what the exchange says under the key it says; of private pages it says nothing. */
void remember(const struct visit *v);

/* One fetch for all who ask for the same at the same time. */
enum share_role {
    SHARE_ALONE, /* nobody shares: the cache says no, or has nothing for us */
    SHARE_LEAD,  /* others wait for this one */
    SHARE_GIVEN, /* another one's answer is here */
    SHARE_LATE   /* another one's did not come in time */
};
struct share {
    enum share_role role;
    uint32_t handle; /* of the cache */
    uint32_t copy;   /* SHARE_LEAD: the body as it is stored; or FASTLY_NO_HANDLE */
};

void share_join(struct share *s, const struct adit_fetch *f, int64_t deadline);
/* SHARE_GIVEN: header and body of the answer. False: it cannot be read. */
bool share_take(const struct share *s, struct adit_arena *arena, unsigned *status, struct fields *f,
                uint32_t *body);
/* SHARE_LEAD: those who wait get the answer, as it comes in; or, if it is not for others, the word
 * to ask for themselves. */
void share_offer(struct share *s, const struct visit *v, unsigned status, const struct fields *f);
void share_write(struct share *s, struct adit_str bytes);
/* The end, after an offer; whole: all of the answer was written. */
void share_end(struct share *s, bool whole);

#endif
