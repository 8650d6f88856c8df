/* Dropping tokens before they reach the tree builder.
 *
 * Where the tree builder's time is not linear, and what the guard does:
 * - It searches the stack of open elements at nearly every tag: the stack is limited, and so is the
 *   sum of its lengths over all tags (work).
 * - It makes copies of formatting elements (<b>, <a>, …) that were closed from outside, at every
 *   later text or tag, and searches their list: the list is limited, the copies count as nodes.
 * - It compares each attribute of a tag with those before it: attributes are limited, and their
 *   squares count as work. The tables of names never grow: the number of names is limited.
 * - It gives every further <html> and <body> tag's attributes to the first one: few are let
 * through.
 * - It copies a text that grows whenever another text was made since: such a text gets twice the
 *   room that it needs.
 *
 * When a budget (work, nodes, names) is used up the guard closes: tags are left out from there on
 * and only text still reaches the tree, its words kept apart. No page that people write comes near.
 */
#include "html/guard_impl.h"

#include "base/base.h"

#include <lexbor/dom/dom.h>
#include <lexbor/html/tokenizer/state_rawtext.h>
#include <lexbor/html/tokenizer/state_rcdata.h>
#include <lexbor/html/tokenizer/state_script.h>
#include <lexbor/html/tree/active_formatting.h>
#include <lexbor/html/tree/insertion_mode.h>

enum {
    WORK_PER_BYTE = 12,
    WORK_FREE = 4 << 20,
    FORMATTING_MAX = 32, /* formatting elements that are copied along */
    NAMES_MAX = 1000,    /* distinct unknown names, of tags and of attributes */
    RAW_MAX = 1000,      /* scripts and the like in the tree of a closed guard */
    WAITING_MAX = 1000,  /* texts in a table that wait for a tag, which a closed guard never lets
                            through */
    COPY_WEIGHT = 3,     /* a copy takes the time of several nodes, and few pages need any */
    TABLE_EXTRA = 100,   /* nodes above the limit until a cell is open */
    RAW_EXTRA = 4,       /* depth above the limit for elements that hold only text */
    ADOPTION_NODES = 32  /* the adoption agency algorithm makes at most 8 × 4 */
};

/* Elements that make the tokenizer read what follows as text: leaving one out would turn a script
 * into content. They hold no elements, so depth is no danger. */
static bool is_raw(lxb_tag_id_t tag)
{
    switch (tag) {
    case LXB_TAG_IFRAME:
    case LXB_TAG_NOEMBED:
    case LXB_TAG_NOFRAMES:
    case LXB_TAG_SCRIPT:
    case LXB_TAG_STYLE:
    case LXB_TAG_TEXTAREA:
    case LXB_TAG_TITLE:
    case LXB_TAG_XMP: return true;
    default: return false;
    }
}

static bool is_formatting(lxb_tag_id_t tag)
{
    switch (tag) {
    case LXB_TAG_A:
    case LXB_TAG_B:
    case LXB_TAG_BIG:
    case LXB_TAG_CODE:
    case LXB_TAG_EM:
    case LXB_TAG_FONT:
    case LXB_TAG_I:
    case LXB_TAG_NOBR:
    case LXB_TAG_S:
    case LXB_TAG_SMALL:
    case LXB_TAG_STRIKE:
    case LXB_TAG_STRONG:
    case LXB_TAG_TT:
    case LXB_TAG_U: return true;
    default: return false;
    }
}

static size_t slot(lxb_tag_id_t tag)
{
    return tag < LXB_TAG__LAST_ENTRY ? tag : LXB_TAG__LAST_ENTRY;
}

/* Remembers that an open tag was left out, so that its end tag is, too. */
static void drop_start(struct adit_guard *g, const lxb_html_token_t *token)
{
    g->cut = true;
    if (lxb_html_tag_is_void(token->tag_id)) return;
    g->dropped[slot(token->tag_id)]++;
    g->n_dropped++;
}

static bool drop_end(struct adit_guard *g, lxb_tag_id_t tag)
{
    if (g->n_dropped == 0 || g->dropped[slot(tag)] == 0) return false;
    g->dropped[slot(tag)]--;
    g->n_dropped--;
    return true;
}

/* A kept element ends: what was left out inside it ends with it. */
static void forget_dropped(struct adit_guard *g)
{
    for (size_t i = 0; g->n_dropped && i < ADIT_COUNT(g->dropped); i++) {
        g->n_dropped -= g->dropped[i];
        g->dropped[i] = 0;
    }
}

static size_t depth(const struct adit_guard *g) { return g->tree->open_elements->length; }

static bool in_foreign(const struct adit_guard *g)
{
    const lxb_dom_node_t *node = lxb_html_tree_current_node(g->tree);
    return node && node->ns != LXB_NS_HTML;
}

static bool is_open(const struct adit_guard *g, const void *node)
{
    void **list = g->tree->open_elements->list;
    for (size_t i = depth(g); i-- > 0;)
        if (list[i] == node) return true;
    return false;
}

/* Attributes of a token; those beyond the limit are cut off. */
static size_t trim_attributes(struct adit_guard *g, lxb_html_token_t *token)
{
    size_t n = 0;
    for (lxb_html_token_attr_t *a = token->attr_first; a; a = a->next) {
        if (++n < ADIT_LIMIT_tag_attributes || !a->next) continue;
        g->cut = true;
        a->next = NULL;
        token->attr_last = a;
    }
    return n;
}

/* Formatting elements since the last marker, at most FORMATTING_MAX. */
static size_t formatting(const struct adit_guard *g)
{
    const lexbor_array_t *list = g->tree->active_formatting;
    const void *marker = lxb_html_tree_active_formatting_marker();
    size_t n = 0;
    while (n < list->length && n < FORMATTING_MAX && list->list[list->length - 1 - n] != marker)
        n++;
    return n;
}

/* Charges for the copies that the next text or start tag brings about. */
static void charge_copies(struct adit_guard *g)
{
    const lexbor_array_t *list = g->tree->active_formatting;
    const void *marker = lxb_html_tree_active_formatting_marker();
    for (size_t i = list->length; i-- > 0;) {
        if (list->list[i] == marker || is_open(g, list->list[i])) return;
        const lxb_dom_element_t *el = list->list[i];
        uint64_t nodes = 1;
        for (const lxb_dom_attr_t *a = el->first_attr; a; a = a->next) nodes++;
        g->nodes += COPY_WEIGHT * nodes;
        g->work += depth(g) + 8 * nodes;
    }
}

/* An end tag (or a second <a>, <nobr>) that the adoption agency has to deal with. */
static void charge_adoption(struct adit_guard *g, lxb_tag_id_t tag)
{
    size_t n = formatting(g);
    if (n == 0 || lxb_html_tree_node_is(lxb_html_tree_current_node(g->tree), tag)) return;
    g->nodes += ADOPTION_NODES;
    g->work += 8 * (depth(g) + n);
}

static bool is_table_part(const lxb_dom_node_t *node)
{
    switch (node->local_name) {
    case LXB_TAG_TABLE:
    case LXB_TAG_TBODY:
    case LXB_TAG_TFOOT:
    case LXB_TAG_THEAD:
    case LXB_TAG_TR: return node->ns == LXB_NS_HTML;
    default: return false;
    }
}

/* The text that a text token would be joined to: the last child of the current element; in a table,
 * where text has no place, what stands before the table. */
static const lxb_dom_node_t *neighbour(const struct adit_guard *g)
{
    void **list = g->tree->open_elements->list;
    size_t i = depth(g);
    if (i == 0) return NULL;
    const lxb_dom_node_t *node = list[i - 1], *text = node->last_child;
    if (is_table_part(node)) {
        while (i > 1 && !lxb_html_tree_node_is(list[i - 1], LXB_TAG_TABLE)) i--;
        text = ((const lxb_dom_node_t *)list[i - 1])->prev;
    }
    return text && text->type == LXB_DOM_NODE_TYPE_TEXT ? text : NULL;
}

/* The texts around tags that are left out become one; their words do not. Only where the text can
 * grow as it stands: in a table, where text waits for a tag, it would be copied each time. */
static void keep_apart(struct adit_guard *g)
{
    const lxb_dom_node_t *last = neighbour(g);
    lxb_dom_character_data_t *text = (lxb_dom_character_data_t *)(uintptr_t)last;
    bool grows = last && last == g->tail && !is_table_part(lxb_html_tree_current_node(g->tree));
    if (g->apart && grows)
        lexbor_str_append(&text->data, last->owner_document->text, (const lxb_char_t *)" ", 1);
    g->apart = false;
}

/* A text that grows though it is not the last one is copied: twice the room, so that copying is
 * linear. */
static void make_room(struct adit_guard *g, const lxb_html_token_t *token)
{
    const lxb_dom_node_t *node = neighbour(g);
    if (!node || node == g->tail) return;
    lexbor_str_t *text = &((lxb_dom_character_data_t *)(uintptr_t)node)->data;
    size_t need = text->length + (size_t)(token->text_end - token->text_start) + 1;
    if (need > lexbor_str_size(text)) lexbor_str_check_size(text, node->owner_document->text, need);
}

/* Has the tokenizer read on as if the element were open, up to its end tag. */
static void skip_raw(struct adit_guard *g, lxb_tag_id_t tag)
{
    bool references = tag == LXB_TAG_TITLE || tag == LXB_TAG_TEXTAREA;
    lxb_html_tokenizer_tmp_tag_id_set(g->tkz, tag);
    lxb_html_tokenizer_state_set(g->tkz, tag == LXB_TAG_SCRIPT
                                             ? lxb_html_tokenizer_state_script_data_before
                                         : references ? lxb_html_tokenizer_state_rcdata_before
                                                      : lxb_html_tokenizer_state_rawtext_before);
    g->skipped = tag;
}

/* Whether an element of text reaches the tree of a closed guard. */
static bool admit_raw(struct adit_guard *g, lxb_tag_id_t tag)
{
    if (tag == LXB_TAG_XMP || depth(g) >= ADIT_LIMIT_dom_depth + RAW_EXTRA) return false;
    if (++g->n_raw <= RAW_MAX) return true;
    skip_raw(g, tag);
    return false;
}

/* Charges for the parts of a table that the tree builder puts around a row or a cell. */
static void charge_implied(struct adit_guard *g, lxb_tag_id_t tag)
{
    const lxb_dom_node_t *node = lxb_html_tree_current_node(g->tree);
    bool cell = tag == LXB_TAG_TD || tag == LXB_TAG_TH;
    if (!node || (!cell && tag != LXB_TAG_TR && tag != LXB_TAG_COL)) return;
    if (lxb_html_tree_node_is(node, LXB_TAG_TABLE)) g->nodes += 1 + (uint64_t)cell;
    if (cell && is_table_part(node) && !lxb_html_tree_node_is(node, LXB_TAG_TABLE) &&
        !lxb_html_tree_node_is(node, LXB_TAG_TR))
        g->nodes++;
}

/* Whether a start tag reaches the tree; charges for it if it does. */
static bool admit_start(struct adit_guard *g, lxb_html_token_t *token)
{
    lxb_tag_id_t tag = token->tag_id;
    size_t open = depth(g);
    bool raw = is_raw(tag) && !in_foreign(g);
    if (g->closed) return raw && admit_raw(g, tag);
    bool leaf = raw || lxb_html_tag_is_void(tag);
    if (open >= ADIT_LIMIT_dom_depth + (leaf ? RAW_EXTRA : 0)) return false;
    uint64_t n = trim_attributes(g, token);
    if (tag == LXB_TAG_HTML || tag == LXB_TAG_BODY) {
        if (g->roots + n > ADIT_LIMIT_tag_attributes) return false;
        g->roots += (uint32_t)n;
    }
    if (is_formatting(tag)) {
        size_t list = formatting(g);
        if (list >= FORMATTING_MAX) return false;
        g->work += list * (n + 1);
        if (tag == LXB_TAG_A || tag == LXB_TAG_NOBR) charge_adoption(g, LXB_TAG__UNDEF);
    }
    if (tag == LXB_TAG_TEMPLATE) g->templates = true;
    g->work += 1 + open + n * n / 2;
    g->nodes += 1 + n;
    charge_implied(g, tag);
    g->n_events += lxb_html_tag_is_void(tag) ? 1 : 2;
    g->n_containers += !is_formatting(tag) && !lxb_html_tag_is_void(tag);
    charge_copies(g);
    return true;
}

static bool admit_end(struct adit_guard *g, const lxb_html_token_t *token)
{
    lxb_tag_id_t tag = token->tag_id;
    if (tag == g->skipped) g->skipped = LXB_TAG__UNDEF;
    if (g->closed && !is_raw(tag)) return false;
    if (drop_end(g, tag)) return false;
    g->work += 1 + depth(g);
    if (tag == LXB_TAG_BR || tag == LXB_TAG_P) g->nodes++; /* made from the end tag, if need be */
    if (is_formatting(tag)) charge_adoption(g, tag);
    return true;
}

/* Whether text would wait, in a table, with too many others. */
static bool waits(const struct adit_guard *g)
{
    return g->closed && g->tree->mode == lxb_html_tree_insertion_mode_in_table_text &&
           lexbor_array_obj_length(g->tree->pending_table.text_list) >= WAITING_MAX;
}

static bool admit(struct adit_guard *g, lxb_html_token_t *token)
{
    if (token->tag_id == LXB_TAG__END_OF_FILE) return true;
    if (g->work / 2 > g->work_max) return false;
    switch (token->tag_id) {
    case LXB_TAG__TEXT:
        if (g->skipped || waits(g)) return false;
        g->nodes++;
        if (!g->closed) g->n_texts++, g->n_events++; /* then they become one */
        charge_copies(g);
        make_room(g, token);
        if (g->closed) keep_apart(g);
        return true;
    case LXB_TAG__EM_COMMENT:
    case LXB_TAG__EM_DOCTYPE: g->nodes++; return !g->closed;
    default: break;
    }
    if (g->closed && !is_formatting(token->tag_id)) g->apart = true;
    if (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) return admit_end(g, token);
    if (admit_start(g, token)) return true;
    drop_start(g, token);
    return false;
}

/* Ends the tables that are open: between cells text has no place, and would wait for a tag. */
static void leave_tables(struct adit_guard *g)
{
    lxb_html_token_t end = {.tag_id = LXB_TAG_TABLE, .type = LXB_HTML_TOKEN_TYPE_CLOSE};
    for (size_t before = SIZE_MAX; depth(g) > 0 && depth(g) < before;) {
        const lxb_dom_node_t *node = lxb_html_tree_current_node(g->tree);
        if (!is_table_part(node) && !lxb_html_tree_node_is(node, LXB_TAG_COLGROUP)) return;
        before = depth(g);
        g->build(g->tkz, &end, g->tree);
    }
}

/* Leaves the tokenizer with tables that nothing in the tree refers to. */
static void close_guard(struct adit_guard *g)
{
    g->closed = g->cut = true;
    leave_tables(g);
    lxb_html_tokenizer_tags_set(g->tkz, g->tags);
    lxb_html_tokenizer_attrs_set(g->tkz, g->attrs);
}

/* Between the cells of a table, where text has no place, some more nodes may come: until the next
 * cell, which takes all text that is left. */
static bool no_more_nodes(const struct adit_guard *g)
{
    if (g->nodes <= ADIT_LIMIT_page_nodes) return false;
    const lxb_dom_node_t *node = lxb_html_tree_current_node(g->tree);
    return g->nodes > ADIT_LIMIT_page_nodes + TABLE_EXTRA || !node || !is_table_part(node);
}

static void check_budgets(struct adit_guard *g)
{
    if (g->closed) {
        if (lexbor_hash_entries_count(g->attrs) > NAMES_MAX) lexbor_hash_clean(g->attrs);
        if (lexbor_hash_entries_count(g->tags) > NAMES_MAX) lexbor_hash_clean(g->tags);
        return;
    }
    if (g->work > g->work_max || no_more_nodes(g) ||
        lexbor_hash_entries_count(g->tkz->attrs) > NAMES_MAX ||
        lexbor_hash_entries_count(g->tkz->tags) > NAMES_MAX)
        close_guard(g);
}

static lxb_html_token_t *on_token(lxb_html_tokenizer_t *tkz, lxb_html_token_t *token, void *ctx)
{
    struct adit_guard *g = ctx;
    if (g->heap->full || g->heap->failed) {
        tkz->status = LXB_STATUS_ERROR_MEMORY_ALLOCATION;
        return NULL;
    }
    lxb_html_token_t *next = token;
    bool attributes = token->attr_first != NULL;
    size_t before = depth(g);
    bool text = token->tag_id == LXB_TAG__TEXT, comment = token->tag_id == LXB_TAG__EM_COMMENT;
    if (admit(g, token)) {
        next = g->build(tkz, token, g->tree);
        if (text || comment) g->tail = text ? neighbour(g) : NULL;
    }
    if (g->n_dropped && depth(g) < before && before <= ADIT_LIMIT_dom_depth) forget_dropped(g);
    /* Nothing refers to a token's attributes any more; lexbor would keep them to the end. */
    if (attributes) lexbor_dobject_clean(tkz->dobj_token_attr);
    check_budgets(g);
    return next;
}

void adit_guard_begin(struct adit_guard *g, lxb_html_parser_t *parser, size_t len,
                      lexbor_hash_t *tags, lexbor_hash_t *attrs, const struct adit_heap *heap)
{
    lxb_html_tokenizer_t *tkz = parser->tkz;
    lxb_html_tokenizer_token_f build =
        tkz->callback_token_done == on_token ? g->build : tkz->callback_token_done;
    *g = (struct adit_guard){.tkz = tkz,
                             .tree = parser->tree,
                             .heap = heap,
                             .build = build,
                             .tags = tags,
                             .attrs = attrs,
                             .work_max = (uint64_t)len * WORK_PER_BYTE + WORK_FREE};
    lxb_html_tokenizer_callback_token_done_set(tkz, on_token, g);
}

/* Of an endless tag only the attributes up to the limit, and the one that is being read, stay. */
static void trim_half_read(struct adit_guard *g)
{
    lxb_html_token_t *token = g->tkz->token;
    size_t n = 0;
    for (lxb_html_token_attr_t *a = token->attr_first, *next; a; a = next) {
        next = a->next;
        if (++n <= ADIT_LIMIT_tag_attributes || !next) continue;
        g->cut = true;
        lxb_html_token_attr_delete(token, a, g->tkz->dobj_token_attr);
    }
}

void adit_guard_between(struct adit_guard *g)
{
    lexbor_array_obj_clean(g->tkz->parse_errors);
    lexbor_array_obj_clean(g->tree->parse_errors);
    trim_half_read(g);
    check_budgets(g);
}
