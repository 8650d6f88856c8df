/* What the worker's parts share. Internal to pack. */
#ifndef ADIT_PACK_WORKER_H
#define ADIT_PACK_WORKER_H

#include "batch/http_message.h"
#include "batch/pack.h"

/* The capture under way. Slices are valid during the call. */
struct pack_subject {
    const struct warc_record *record;
    struct http_message http; /* of resources and files: no head */
    struct adit_str url;      /* public */
    struct adit_time at;
    struct adit_str content_type, body;
    struct adit_page_facts facts; /* of HTML pages */
    bool file; /* of a tree, or of the folder of sync: the state of now, whatever its date */
};

/* Who takes captures instead of pack's sort. False ends the run, as an error that has been said. */
struct pack_taker {
    bool (*news)(void *ctx, const struct pack_subject *s, enum pack_kind kind, enum pack_skip why);
    /* A page's HTML, before it is converted. True: that is not needed; *ok is then the answer. */
    bool (*known)(void *ctx, const struct pack_subject *s, bool *ok);
    bool (*page)(void *ctx, const struct pack_subject *s, const struct adit_page *page);
};
void pack_worker_take(struct pack_worker *w, const struct pack_taker *taker, void *ctx);

/* Puts the public URL of a capture's URL into *url: normalised, and on the public origin. -1, or
 * why there is none (enum pack_skip). The arena is the caller's scratch. */
int pack_public_url(const struct pack_options *o, struct adit_str raw, struct adit_arena *arena,
                    struct adit_buf *url);
bool pack_date(struct adit_str text, struct adit_time *at);
/* Parts of a public URL; the path includes the query. */
struct adit_str pack_url_host(struct adit_str url);
struct adit_str pack_url_path(struct adit_str url);
/* Whether --include and --exclude let a path pass. */
bool pack_filter(const struct pack_options *o, struct adit_str path);

/* What a response says before its body is looked at: -1: convert it; else enum pack_skip. *decides:
 * the answer is news about the page, and removes older captures. */
int pack_status_skip(unsigned status, bool *decides);
/* Whether a body is HTML: by its type, or by its first bytes when the type is absent or says
 * nothing. body may be empty: then only the type counts, and what must be sniffed may be HTML. */
bool pack_is_html(struct adit_str content_type, struct adit_str body);

#endif
