/* Dropping tokens before they reach the tree builder. */
#include "html/guard.h"

static lxb_html_token_t *on_token(lxb_html_tokenizer_t *tkz, lxb_html_token_t *token, void *ctx)
{
    struct adit_guard *g = ctx;
    if (g->heap->full || g->heap->failed) {
        tkz->status = LXB_STATUS_ERROR_MEMORY_ALLOCATION;
        return NULL;
    }
    return g->build(tkz, token, g->tree);
}

void adit_guard_begin(struct adit_guard *g, lxb_html_parser_t *parser, size_t len,
                      const struct adit_heap *heap)
{
    lxb_html_tokenizer_token_f build =
        parser->tkz->callback_token_done == on_token ? g->build : parser->tkz->callback_token_done;
    *g =
        (struct adit_guard){.tkz = parser->tkz, .tree = parser->tree, .build = build, .heap = heap};
    g->work_max = (uint64_t)len * 32 + (1u << 20);
    lxb_html_tokenizer_callback_token_done_set(parser->tkz, on_token, g);
}

void adit_guard_between(struct adit_guard *g)
{
    lexbor_array_obj_clean(g->tkz->parse_errors);
    lexbor_array_obj_clean(g->tree->parse_errors);
}
