/* Who is connected to `adit serve`: admits connections, knows what each is doing and since when,
 * and closes those that take too long. Any thread may call any of these functions. */
#ifndef ADIT_SERVE_WATCH_IMPL_H
#define ADIT_SERVE_WATCH_IMPL_H

#include "base/base.h"

#include <netinet/in.h>

struct watch_limits {
    uint64_t connections; /* at once */
    uint64_t per_address; /* connections of one IPv4 address or IPv6 /64 */
    uint64_t header_s;    /* for a whole header, from its first byte */
    uint64_t body_s;      /* for a whole body, and a second more for each WATCH_RATE bytes of it */
};
enum { WATCH_RATE = 16 << 10 };
/* Threads of closed connections need a moment to end: sockets that may be open at once. */
#define WATCH_SEATS(limits) (2 * (limits).connections)

/* A range of addresses, IPv4 as ::ffff:a.b.c.d. */
struct watch_range {
    struct in6_addr address;
    unsigned bits;
};
/* "192.0.2.1", "10.0.0.0/8", "2001:db8::/32" */
bool watch_range_parse(const char *text, struct watch_range *out);

enum watch_phase {
    WATCH_IDLE,   /* between requests, or nothing was received yet */
    WATCH_HEADER, /* a part of a header is there */
    WATCH_BODY,   /* the header is there, the body not yet */
    WATCH_ANSWER
};

struct watch;
struct watch_client;

/* NULL: no memory. Addresses in the trusted ranges, and loopback ones, have no limit per address.
 */
struct watch *watch_new(const struct watch_limits *limits, const struct watch_range *trusted,
                        size_t n_trusted);
void watch_free(struct watch *w);

/* Whether one more connection from there is taken. When there are enough, another one is closed for
 * it: one that has been at its header for longest, else the one idle for longest, else
 * a slow body or reader. Waits a moment if connections come faster than others end. */
bool watch_admit(struct watch *w, const struct sockaddr *from);
/* A connection has begun; NULL: there is no room. watch_remove must come before fd is closed. */
struct watch_client *watch_add(struct watch *w, int fd, const struct sockaddr *from);
void watch_remove(struct watch *w, struct watch_client *c);

void watch_set(struct watch *w, struct watch_client *c, enum watch_phase phase);
/* Bytes of the body or answer that have passed. */
void watch_progress(struct watch *w, struct watch_client *c, uint64_t bytes);
/* Closes what is over its time; to be called about twice a second. */
void watch_tick(struct watch *w);

#endif
