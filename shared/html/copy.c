/* Copies lexbor's tree into arrays, in document order and without recursion. */
#include "html/copy_impl.h"

#include <lexbor/dom/dom.h>
#include <lexbor/tag/tag.h>

#include <string.h>

/* lexbor's list of names is ours, in the same order. */
#define SAME(name, text) \
    _Static_assert((int)LXB_TAG_##name - LXB_TAG_A == (int)ADIT_TAG_##name - ADIT_TAG_A, text);
ADIT_TAGS(SAME)
#undef SAME
_Static_assert((int)LXB_TAG__LAST_ENTRY - LXB_TAG_A == (int)ADIT_TAG_COUNT - ADIT_TAG_A, "all");

static const struct adit_str attr_names[ADIT_ATTR_COUNT] = {
#define ATTR_NAME(name, text) [ADIT_ATTR_##name] = ADIT_STR_INIT(text),
    ADIT_ATTRS(ATTR_NAME)
#undef ATTR_NAME
};

/* Arrays of more bytes grow by a sixteenth, so that little is taken in vain. */
enum { MUCH = 1 << 16 };

/* Room for one more row. */
static bool grow(struct adit_copy *c, void *array, size_t n, size_t *cap, size_t size, size_t first)
{
    if (n < *cap) return true;
    size_t more = *cap ? *cap + (*cap * size < MUCH ? *cap : *cap / 16) : first;
    void *old, *made;
    memcpy(&old, array, sizeof old);
    made = c->mem.resize(c->mem.ctx, old, *cap * size, more * size);
    if (!made) return false;
    memcpy(array, &made, sizeof made);
    *cap = more;
    return true;
}

static bool add_slice(struct adit_copy *c, const lxb_char_t *p, uint32_t *at)
{
    if (!grow(c, &c->slices, c->n_slices, &c->cap_slices, sizeof *c->slices, 0)) return false;
    *at = c->n_slices;
    c->slices[c->n_slices++] = (const char *)p;
    return true;
}

/* The table entries of lexbor that belong to one page have a number for our use, 0 at first. */
static bool add_name(struct adit_copy *c, uintptr_t local_name, uint16_t *tag)
{
    lxb_tag_data_t *name = (lxb_tag_data_t *)local_name;
    if (!name->ref_count) {
        if (!grow(c, &c->names, c->n_names, &c->cap_names, sizeof *c->names, 64)) return false;
        c->names[c->n_names++] =
            adit_str_of((const char *)lexbor_hash_entry_str(&name->entry), name->entry.length);
        name->ref_count = c->n_names;
    }
    *tag = (uint16_t)(ADIT_TAG_COUNT + name->ref_count - 1);
    return true;
}

static void number_attrs(struct adit_copy *c, const lxb_html_document_t *document)
{
    memset(c->known, 0, sizeof c->known);
    for (uint16_t i = 0; i < ADIT_ATTR_COUNT; i++) {
        const lxb_dom_attr_data_t *data = lxb_dom_attr_data_by_local_name(
            document->dom_document.attrs, (const lxb_char_t *)attr_names[i].p, attr_names[i].len);
        if (data && data->attr_id < LXB_DOM_ATTR__LAST_ENTRY)
            c->known[data->attr_id] = i + 1;
        else if (data)
            ((lxb_dom_attr_data_t *)data->attr_id)->ref_count = i + 1u;
    }
}

static bool add_attrs(struct adit_copy *c, const lxb_dom_attr_t *a, uint32_t *first)
{
    for (; a; a = a->next) {
        uintptr_t id = a->node.local_name;
        size_t name = id < LXB_DOM_ATTR__LAST_ENTRY ? c->known[id]
                                                    : ((const lxb_dom_attr_data_t *)id)->ref_count;
        if (!name) continue;
        if (!grow(c, &c->attrs, c->n_attrs, &c->cap_attrs, sizeof *c->attrs, 0)) return false;
        struct adit_attribute *to = &c->attrs[c->n_attrs];
        *to = (struct adit_attribute){.name = (uint16_t)(name - 1)};
        if (a->value && a->value->length) {
            if (!add_slice(c, a->value->data, &to->at)) return false;
            to->len = (uint32_t)a->value->length;
        }
        if (*first)
            to[-1].more = 1;
        else
            *first = c->n_attrs;
        c->n_attrs++;
    }
    return true;
}

static bool describe_node(struct adit_copy *c, const lxb_dom_node_t *from, struct adit_node *to)
{
    const lxb_dom_character_data_t *text = (const lxb_dom_character_data_t *)from;
    switch (from->type) {
    case LXB_DOM_NODE_TYPE_ELEMENT:
        to->type = ADIT_NODE_ELEMENT;
        to->ns = from->ns == LXB_NS_SVG    ? ADIT_NS_SVG
                 : from->ns == LXB_NS_MATH ? ADIT_NS_MATH
                                           : ADIT_NS_HTML;
        to->tag = (uint16_t)(from->local_name - LXB_TAG_A + ADIT_TAG_A);
        if (from->local_name >= LXB_TAG__LAST_ENTRY && !add_name(c, from->local_name, &to->tag))
            return false;
        return add_attrs(c, ((const lxb_dom_element_t *)from)->first_attr, &to->attrs);
    case LXB_DOM_NODE_TYPE_TEXT:
    case LXB_DOM_NODE_TYPE_CDATA_SECTION:
    case LXB_DOM_NODE_TYPE_COMMENT:
        to->type = from->type == LXB_DOM_NODE_TYPE_COMMENT ? ADIT_NODE_COMMENT : ADIT_NODE_TEXT;
        to->len = (uint32_t)text->data.length;
        return add_slice(c, text->data.data, &to->at);
    default:
        to->type =
            from->type == LXB_DOM_NODE_TYPE_DOCUMENT ? ADIT_NODE_DOCUMENT : ADIT_NODE_DOCTYPE;
        return true;
    }
}

/* Adds the last child of parent. */
static bool add_node(struct adit_copy *c, const lxb_dom_node_t *from, uint32_t parent)
{
    if (!grow(c, &c->nodes, c->n_nodes, &c->cap_nodes, sizeof *c->nodes, 0)) return false;
    uint32_t i = c->n_nodes++;
    struct adit_node *to = &c->nodes[i], *up = &c->nodes[parent];
    *to = (struct adit_node){.parent = parent};
    if (i != parent) {
        to->prev = up->last;
        *(up->last ? &c->nodes[up->last].next : &up->first) = i;
        up->last = i;
    }
    return describe_node(c, from, to);
}

static bool add_tree(struct adit_copy *c, const lxb_dom_node_t *root)
{
    const lxb_dom_node_t *n = root;
    uint32_t parent = 0;
    if (!add_node(c, root, 0)) return false;
    for (;;) {
        if (n->first_child) {
            n = n->first_child;
            parent = c->n_nodes - 1;
        } else {
            while (n != root && !n->next) n = n->parent, parent = c->nodes[parent].parent;
            if (n == root) return true;
            n = n->next;
        }
        if (!add_node(c, n, parent)) return false;
    }
}

static uint32_t child(const struct adit_copy *c, uint32_t parent, uint16_t tag)
{
    uint32_t n = c->nodes[parent].first;
    while (n && c->nodes[n].tag != tag) n = c->nodes[n].next;
    return n;
}

/* About as many rows as there will be. */
static bool make_room(struct adit_copy *c, size_t about)
{
    enum { FEW = 256 };
    return (c->nodes || grow(c, &c->nodes, 0, &c->cap_nodes, sizeof *c->nodes, about + FEW)) &&
           (c->attrs || grow(c, &c->attrs, 0, &c->cap_attrs, sizeof *c->attrs, FEW)) &&
           (c->slices || grow(c, &c->slices, 0, &c->cap_slices, sizeof *c->slices, FEW));
}

bool adit_copy_tree(struct adit_copy *c, const lxb_html_document_t *document, size_t about,
                    struct adit_dom *d)
{
    c->n_nodes = c->n_names = 0, c->n_attrs = c->n_slices = 1;
    if (!make_room(c, about)) return false;
    c->slices[0] = ""; /* of values without bytes */
    number_attrs(c, document);
    if (!add_tree(c, (const lxb_dom_node_t *)document)) return false;
    d->nodes = c->nodes, d->attrs = c->attrs, d->slices = c->slices, d->names = c->names;
    d->n_nodes = c->n_nodes, d->n_attrs = c->n_attrs;
    d->html = child(c, 0, ADIT_TAG_HTML);
    d->head = child(c, d->html, ADIT_TAG_HEAD);
    d->body = child(c, d->html, ADIT_TAG_BODY);
    if (!d->body) d->body = child(c, d->html, ADIT_TAG_FRAMESET);
    return true;
}

size_t adit_copy_held(const struct adit_copy *c)
{
    return c->cap_nodes * sizeof *c->nodes + c->cap_attrs * sizeof *c->attrs +
           c->cap_slices * sizeof *c->slices + c->cap_names * sizeof *c->names;
}

static void give_back(struct adit_copy *c, void *array, size_t len)
{
    if (array) c->mem.resize(c->mem.ctx, array, len, 0);
}

void adit_copy_free(struct adit_copy *c)
{
    give_back(c, c->nodes, c->cap_nodes * sizeof *c->nodes);
    give_back(c, c->attrs, c->cap_attrs * sizeof *c->attrs);
    give_back(c, c->slices, c->cap_slices * sizeof *c->slices);
    give_back(c, c->names, c->cap_names * sizeof *c->names);
    *c = (struct adit_copy){.mem = c->mem};
}
