/* What the files of the proxy-wasm filter share:
 *
 *   filter.c    the exports: what the host calls
 *   roots.c     root contexts and their configurations
 *   streams.c   the table of streams
 *   drive.c     doing what an exchange says: calls, local answers, the validator memory
 *   body.c      bodies of responses: a page's link, a page's view in its place
 *   headers.c   header maps
 *   metrics.c   counters
 *
 * A VM may have several root contexts at a time: one a configuration of the proxy, and for a while
 * both the old and the new one of a configuration that changed. What belongs to a configuration is a
 * struct setup; its root context and every stream that began under it hold a reference.
 */
#ifndef ADIT_EDGE_FILTER_IMPL_H
#define ADIT_EDGE_FILTER_IMPL_H

#include "edge/proxy_wasm.h"
#include "exchange/exchange.h"

/* --- roots ------------------------------------------------------------------------------------ */

/* A configuration, and the state of the edge that it makes. */
struct setup {
    struct setup *next; /* among all of this VM */
    size_t refs;        /* its root context, if it still has it, and streams */
    struct adit_config config;
    struct adit_edge edge;
    uint64_t counters[ADIT_COUNTER_COUNT], failures[ADIT_REASONS],
        passes[ADIT_REASONS]; /* as the host knows them */
};

/* All of this VM. */
struct setup *setup_first(void);
struct setup *setup_hold(struct setup *s);
/* Gives up a reference (s may be NULL); with the last one the setup is gone. */
void setup_release(struct setup *s);

/* The root context begins; it is harmless to say so twice. False without memory. */
bool root_add(uint32_t id);
/* The root context ends; its streams need not have. */
void root_remove(uint32_t id);
/* Takes a new configuration. False: it is refused, the log says why, and the root context keeps the
 * one that it has. */
bool root_configure(uint32_t id, struct adit_str json);
/* The configuration of the root context; NULL if it has none. No reference is given. */
struct setup *root_setup(uint32_t id);

/* --- streams ---------------------------------------------------------------------------------- */

/* Whatever goes wrong on a page (no memory, a host call that fails, a body that does not come as
 * expected) ends in PASS: people get the origin's bytes. */
enum stream_state {
    PASS,     /* nothing more to do */
    BEGUN,    /* the request's header is to be seen */
    LINK,     /* request passed; the answer's header is to be seen */
    INJECT,   /* the body is being given its link */
    FETCHING, /* paused: a call to the origin is under way */
    WAITING,  /* paused: another stream converts the same page */
    INLINE,   /* the request became the one for the page; its answer is to be converted */
    REPLACE,  /* the same, the header has been seen and is held */
    ANSWERED  /* a local response was sent */
};

struct stream {
    struct stream *next;
    uint32_t id, call; /* call: FETCHING, the host's number of it */
    enum stream_state state;
    struct setup *setup; /* configuration that the stream began under; NULL in PASS and ANSWERED */
    struct adit_exchange *x;
    struct adit_buf pending; /* INJECT: bytes that the host still holds and we have looked at */
    struct adit_buf fresh;   /* INJECT: what they become */
    int64_t called;          /* FETCHING: when, in milliseconds */
};

/* A stream that begins under that root context. Without room or configuration there is none. */
void stream_add(uint32_t id, uint32_t root);
struct stream *stream_find(uint32_t id);
struct stream *stream_of_call(uint32_t call);
/* The stream needs exchange and configuration no more; what it counted stays. */
void stream_release(struct stream *s, enum stream_state state);
void stream_remove(uint32_t id);

/* --- driving an exchange ---------------------------------------------------------------------- */

int64_t now_ms(void);
void say(enum pw_log_level level, struct adit_str message);

/* Does what the exchange says until it has to wait. PW_PAUSE: the request stays where it is;
 * PW_CONTINUE: it goes on to the origin. */
enum pw_action drive(struct stream *s, enum adit_action action);
/* The same for a stream that is paused: somebody else's callback is running. Only in callbacks
 * without a result, since a host that sends a local response for any stream forgets the result of
 * the callback that it asked for it in. */
void drive_paused(struct stream *s, enum adit_action action);
/* The exchange asks for something that an inline stream cannot do once more (another fetch). */
enum adit_action only_answer(struct stream *s, enum adit_action action);
/* Sends the answer as a local response. */
void send_answer(struct stream *s);
/* Notes the answer in the log, and in the validator memory. */
void note_answer(const struct adit_exchange *x);

/* Goes on with streams whose waiting is over, and tells the counters: at the end of every callback
 * without a result. */
void settle(void);
/* At the end of every other callback: tells the counters of the setup (may be NULL); streams whose
 * waiting is over go on at the next callback without a result, which the host is asked for. */
void settle_later(struct setup *setup);

/* --- bodies ----------------------------------------------------------------------------------- */

/* Gives the exchange a body that the host holds. A host that does not give all of it: it is cut. */
enum adit_action take_body(struct stream *s, enum pw_buffer from, size_t len);
/* A piece of a page that is given its link, or that is replaced by its view. */
enum pw_action inject_body(struct stream *s, size_t len, bool eos);
enum pw_action replace_body(struct stream *s, size_t len, bool eos);

/* --- headers ---------------------------------------------------------------------------------- */

/* Fields of a map, as slices of one block of the host's; free with fields_free. */
struct fields {
    uint8_t *block;
    struct adit_header *v;
    size_t n;
};

/* False: the host did not give all fields, or there was no memory. Free f in either case. */
bool fields_read(struct fields *f, enum pw_map map);
void fields_free(struct fields *f);

/* The value of the field, of a pseudo field too; empty if there is none. */
struct adit_str fields_get(const struct fields *f, struct adit_str name);

/* These four say whether the host did all of it. fields_clear removes all but pseudo fields. */
bool fields_edit(enum pw_map map, const struct adit_edits *edits);
bool fields_clear(enum pw_map map);
bool fields_add(enum pw_map map, const struct adit_headers *h);
bool fields_set(enum pw_map map, struct adit_str name, struct adit_str value);

/* Fields as pairs in the ABI's form, the extra ones first; to be freed. NULL without memory. */
uint8_t *pairs_encode(const struct adit_headers *headers, const struct pw_pair *extra,
                      size_t n_extra, size_t *len);

/* --- metrics ---------------------------------------------------------------------------------- */

/* Tells the host the names of all counters, once a VM: a host may keep a row for each time. */
void metrics_define(void);

/* Adds to the host's counters what the edge counted since the last time. */
void metrics_publish(struct setup *s);

#endif
