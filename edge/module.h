/* What the modules have in common: where their memory comes from, how they take a configuration, and the log's line of an answer. */
#ifndef ADIT_EDGE_MODULE_H
#define ADIT_EDGE_MODULE_H

#include "exchange/exchange.h"
#include "base/base.h"

#include <stdlib.h>

static void *module_resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem mem = {module_resize, NULL};

/* A refusal begins as all messages do: whoever reads the host's log must know whose it is. */
#define MODULE_REFUSAL "adit: configuration: "
enum { MODULE_REFUSAL_MAX = 4096 };

/* Takes the configuration, or appends to the log's line why not. */
static inline bool module_configure(struct adit_edge *e, struct adit_config *c,
                                    struct adit_str json, struct adit_buf *line)
{
    struct adit_buf why;
    adit_buf_init(&why, mem, 2048);
    bool ok = adit_edge_configure(e, c, json, mem, &why) == ADIT_OK;
    if (!ok) adit_buf_lit(line, MODULE_REFUSAL);
    if (!ok)
        adit_buf_add(line, why.len ? adit_buf_str(&why) : ADIT_STR("there is no memory for it"));
    adit_buf_free(&why);
    return ok;
}

/* A line a machine view, as JSON members, for whoever collects the log. */
enum { MODULE_LINE_MAX = 160 };
static inline void module_answer_line(struct adit_buf *b, const struct adit_exchange *x)
{
    adit_buf_lit(b, "{\"adit\":\"");
    adit_buf_lit(b, x->route ? x->route : "");
    adit_buf_lit(b, "\",\"status\":");
    adit_buf_u64(b, x->answer.status);
    adit_buf_lit(b, ",\"bytes\":");
    adit_buf_u64(b, x->answer.body.len);
    adit_buf_lit(b, ",\"reason\":\"");
    adit_buf_lit(b, adit_reasons[x->reason].name ? adit_reasons[x->reason].name : "");
    adit_buf_lit(b, "\"}");
}

#endif
