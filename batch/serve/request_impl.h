/* One request of `adit serve`, and what libmicrohttpd calls for it: when its target is known, for
 * its header and body, at its end. The context is the server. */
#ifndef ADIT_SERVE_REQUEST_IMPL_H
#define ADIT_SERVE_REQUEST_IMPL_H

#include "batch/serve/coding_impl.h"
#include "batch/serve/serve.h"

#include <microhttpd.h>
#include <time.h>

struct request {
    struct server *server;
    struct watch_client *seat; /* NULL: nobody watches the connection */
    char *target;              /* as it stood in the request line */
    struct adit_headers headers;
    struct adit_arena arena;
    FILE *upload; /* NULL: no body, or one that nobody wants */
    uint64_t upload_len, upload_max;
    bool upload_ignored;
    bool begun;
    bool early; /* answered before all of it was received */
    struct drive drive;
    struct origin_reply *reply;
    struct adit_buf out; /* what the injection gave for the last chunk */
    size_t out_at;
    bool out_end;
    const struct coding *coding; /* of the answer; NULL: none */
    struct encoder *encoder;     /* of a body that streams */
    struct adit_buf coded;       /* what it gave for the last chunk, or the whole body */
    size_t coded_at;
    bool coded_end;
    /* for the log */
    struct timespec start;
    char method[SERVE_METHOD_MAX + 1], client[64], version[4];
    unsigned status;
    uint64_t sent;
};

/* The library's server with our callbacks and limits; flags say how it polls. fd: the listening
 * socket; -1: connections are added by hand. */
struct MHD_Daemon *server_start(struct server *s, unsigned flags, int fd);

void *serve_on_uri(void *ctx, const char *uri, struct MHD_Connection *connection);
enum MHD_Result serve_on_request(void *ctx, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *data_len, void **con_cls);
void serve_on_completed(void *ctx, struct MHD_Connection *connection, void **con_cls,
                        enum MHD_RequestTerminationCode why);

/* One line for a request that is over (log.c). */
void serve_log(const struct request *q);

/* --- the answer (send.c) ---------------------------------------------------------------------- */

/* A line of text with that status. */
enum MHD_Result send_refusal(struct request *q, struct MHD_Connection *connection, unsigned status,
                             const char *text);
/* What the exchange answers. */
enum MHD_Result send_answer(struct request *q, struct MHD_Connection *connection, bool head);
/* What the origin sent (q->reply), with the exchange's edits. */
enum MHD_Result send_reply(struct request *q, struct MHD_Connection *connection, bool head);
/* Whether an edit takes away or replaces the field. */
bool send_is_edited(const struct adit_edits *e, struct adit_str name);

/* --- the body (upload.c) ---------------------------------------------------------------------- */

/* Judges the body by the header. 0, or the status of a refusal and *why a line of text. */
unsigned upload_begin(struct request *q, const char **why);
/* Whether the header announces a body. */
bool upload_is_announced(const struct request *q);
/* Whether it announces one that nobody takes: the request is answered as it is. */
bool upload_is_unwanted(const struct request *q);
/* Takes a part of the body. Over the limit it sends the refusal itself and returns MHD_NO, which
 * ends the connection. */
enum MHD_Result upload_take(struct request *q, struct MHD_Connection *connection, const char *data,
                            size_t len);
void upload_end(struct request *q);
/* Sees off a client that may still be sending: closing at once would reset the connection, and the
 * client could lose the answer. Takes a second at most. */
void upload_linger(struct MHD_Connection *connection);

#endif
