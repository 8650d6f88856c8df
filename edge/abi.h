/* The ABI of adit-core.wasm, written once: every function with its parameters, and every constant
 * that crosses the border. edge/core.c makes its declarations and enums from these lists;
 * scripts/make-abi makes edge/worker/abi.mjs and the tables of edge/README.md, and scripts/lint
 * fails when those are not current.
 *
 * A row's last column is its sentence in the README. The value of a constant is its place in the
 * list, unless the row gives one: append, and never reorder.
 */
#ifndef ADIT_EDGE_ABI_H
#define ADIT_EDGE_ABI_H

#include "exchange/exchange.h"

/* name, what the host does; the order of enum adit_action */
#define ABI_ACTIONS(X)                                                                  \
    X(ANSWER, "send the answer; keep the remember value, if there is a key for it")     \
    X(PASS, "let the request go on with its edits; then `adit_response`, unless done")  \
    X(FETCH, "ask the origin for the page; then `adit_fetched` or `adit_fetch_failed`") \
    X(BODY, "give the next chunk with `adit_fetched_body`, or the end")                 \
    X(RECALL, "look up the recall key; then `adit_recalled`")                           \
    X(WAIT, "until `adit_ready` names the exchange; then `adit_resume`")

/* name, why there was no answer of the origin's; the order of enum adit_fetch_failure */
#define ABI_FAILURES(X)                        \
    X(CONNECT, "refused, reset, no such host") \
    X(TIMEOUT, "no answer in time")            \
    X(BUSY, "no room for another request")

/* name, what adit_response says of the body */
#define ABI_RESPONSES(X)                     \
    X(PLAIN, "it passes as it is")           \
    X(STREAM, "it goes through `adit_body`") \
    X(WHOLE, "the same, and it is announced as 64 KB or less: better taken whole")

/* name, the sign before an edit's field name, what is done; the names of enum adit_edit_op */
#define ABI_EDITS(X)                                \
    X(SET, '=', "replaces all fields of that name") \
    X(ADD, '+', "adds one more")                    \
    X(REMOVE, '-', "removes all of that name")      \
    X(PATH, ':', "the value is the request's path")

/* name, what adit_get gives */
#define ABI_GETS(X)                                                           \
    X(ERROR, "why `adit_configure` refused (of no exchange: x is 0)")         \
    X(ANSWER_HEADERS, "fields of the answer")                                 \
    X(ANSWER_BODY, "bytes of the answer")                                     \
    X(FETCH_AUTHORITY, "host to ask")                                         \
    X(FETCH_PATH, "path and query to ask for")                                \
    X(FETCH_HEADERS, "fields to ask with: all of them")                       \
    X(RECALL_KEY, "key to look up in the validator memory")                   \
    X(REMEMBER_KEY, "key to keep the remember value under; empty: keep none") \
    X(REMEMBER_VALUE, "bytes to keep")                                        \
    X(REQUEST_EDITS, "edits of the request's fields")                         \
    X(RESPONSE_EDITS, "edits of the response's fields")                       \
    X(INJECTED, "what takes the place of the last chunk of `adit_body`")      \
    X(ROUTE, "what the request was taken for, for logs")                      \
    X(REASON, "why it failed, for logs")                                      \
    X(METRICS, "counters, as lines of name and value (of no exchange: x is 0)")

/* adit_ and core_ name, type, parameters, sentence */
/* clang-format off */
#define ABI_FUNCTIONS(X)                                                                              \
    X(alloc, void *, (size_t len), "memory for arguments; 0: there is none")                          \
    X(free, void, (void *p), "gives it back")                                                         \
    X(configure, uint32_t, (const char *json, size_t len),                                            \
      "takes `adit.json`: 1, or 0 and `error` says why")                                              \
    X(rules_version, uint32_t, (void), "version of the rules of conversion")                          \
    X(open, struct adit_exchange *, (void), "an exchange, one a request; 0: pass the request on")     \
    X(close, void, (struct adit_exchange *x), "ends it, at any time")                                 \
    X(request, enum adit_action,                                                                      \
      (struct adit_exchange *x, const char *fields, size_t len, double unix_time),                    \
      "the request's fields, with `:method :authority :path :scheme :client` among them")             \
    X(recalled, enum adit_action, (struct adit_exchange *x, const char *p, size_t len),               \
      "what the memory had under the recall key, or nothing")                                         \
    X(ready, struct adit_exchange *, (void), "an exchange whose waiting is over; ask until it is 0")  \
    X(resume, enum adit_action, (struct adit_exchange *x), "goes on with it")                         \
    X(fetched, enum adit_action,                                                                      \
      (struct adit_exchange *x, uint32_t status, const char *fields, size_t len),                     \
      "the header of the origin's answer")                                                            \
    X(fetched_body, enum adit_action, (struct adit_exchange *x, const char *p, size_t len),           \
      "a chunk of its body")                                                                          \
    X(fetched_end, enum adit_action, (struct adit_exchange *x), "its end")                            \
    X(fetch_failed, enum adit_action, (struct adit_exchange *x, uint32_t failure),                    \
      "no answer, or none that is whole")                                                             \
    X(response, uint32_t,                                                                             \
      (struct adit_exchange *x, uint32_t status, const char *fields, size_t len),                     \
      "after PASS, the header of the response: what becomes of its body")                             \
    X(body, uint32_t, (struct adit_exchange *x, const char *p, size_t len),                           \
      "a chunk, whose place `injected` takes: 1 while more are wanted, 0 when the rest may pass")     \
    X(body_end, void, (struct adit_exchange *x), "the end; `injected` may have a last part")          \
    X(status, uint32_t, (const struct adit_exchange *x), "status of the answer")                      \
    X(timeout_ms, uint32_t, (const struct adit_exchange *x), "milliseconds that a fetch may take")    \
    X(done, uint32_t, (const struct adit_exchange *x), "1: the response need not be seen")            \
    X(get, const char *, (struct adit_exchange *x, uint32_t what),                                    \
      "what the exchange has to say; valid until the next call")                                      \
    X(len, size_t, (void), "length of what `adit_get` gave last")
/* clang-format on */

#endif
