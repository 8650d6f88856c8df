/* Nodes and where they go: the arrays, "creating and inserting nodes" (13.2.6.1) with foster
 * parenting. One token makes at most PARSE_RESERVE nodes, and room for so many is made before it is
 * processed, so that nothing here can fail half-way. */
#include "html/dom_impl.h"
#include "html/parse_impl.h"

uint32_t adit_tree_node(struct adit_html *p, uint8_t type, uint16_t tag, uint8_t ns)
{
    uint32_t made = p->dom.n_nodes++;
    p->dom.nodes[made] = (struct adit_node){.tag = tag, .type = type, .ns = ns};
    return made;
}

/* A node as the last child of parent: written once, for most nodes are made so. */
static inline uint32_t add_last(struct adit_html *p, uint32_t parent, uint8_t type, uint16_t tag,
                                uint8_t ns)
{
    struct adit_node *nodes = p->dom.nodes;
    uint32_t made = p->dom.n_nodes++, before = nodes[parent].last;
    nodes[made] =
        (struct adit_node){.parent = parent, .prev = before, .tag = tag, .type = type, .ns = ns};
    *(before ? &nodes[before].next : &nodes[parent].first) = made;
    nodes[parent].last = made;
    return made;
}

void adit_tree_append(struct adit_html *p, uint32_t parent, uint32_t node)
{
    struct adit_node *nodes = p->dom.nodes, *above = &nodes[parent], *n = &nodes[node];
    n->parent = parent, n->prev = above->last, n->next = 0;
    if (above->last)
        nodes[above->last].next = node;
    else
        above->first = node;
    above->last = node;
}

void adit_tree_move_children(struct adit_html *p, uint32_t from, uint32_t to)
{
    struct adit_node *nodes = p->dom.nodes, *f = &nodes[from], *t = &nodes[to];
    if (!f->first) return;
    for (uint32_t n = f->first; n; n = nodes[n].next) nodes[n].parent = to, p->work++;
    nodes[f->first].prev = t->last;
    if (t->last)
        nodes[t->last].next = f->first;
    else
        t->first = f->first;
    t->last = f->last;
    f->first = f->last = 0;
}

/* --- where ------------------------------------------------------------------------------------ */

struct spot {
    uint32_t parent, before; /* before 0: behind the last child */
};

/* What is in a <template> hangs below a node of its own, which is the next one made. */
static uint32_t inside(const struct open_element *e)
{
    return e->tag == ADIT_TAG_TEMPLATE && e->ns == ADIT_NS_HTML ? e->node + 1 : e->node;
}

/* Before the table, which no text and no element but its own parts may enter. */
static struct spot find_foster_spot(struct adit_html *p)
{
    for (uint32_t i = p->n_open; i-- > 1;) {
        const struct open_element *e = &p->open[i];
        p->work++;
        if (e->ns != ADIT_NS_HTML) continue;
        if (e->tag == ADIT_TAG_TEMPLATE) return (struct spot){.parent = inside(e)};
        if (e->tag != ADIT_TAG_TABLE) continue;
        uint32_t parent = node_of(p, e->node)->parent;
        if (parent) return (struct spot){.parent = parent, .before = e->node};
        return (struct spot){.parent = inside(e - 1)};
    }
    return (struct spot){.parent = p->open[0].node};
}

/* "Appropriate place for inserting a node", target: index of an open element. */
static struct spot find_spot(struct adit_html *p, uint32_t target)
{
    const struct open_element *e = &p->open[target];
    if (p->fostering && e->ns == ADIT_NS_HTML && (tag_flags(e->tag) & IS_TABLE_PART))
        return find_foster_spot(p);
    return (struct spot){.parent = inside(e)};
}

static void put_node(struct adit_html *p, struct spot spot, uint32_t node)
{
    if (spot.before)
        adit_dom_insert_before(&p->dom, spot.before, node);
    else
        adit_tree_append(p, spot.parent, node);
}

static inline uint32_t new_node(struct adit_html *p, struct spot spot, uint8_t type, uint16_t tag,
                                uint8_t ns)
{
    if (!spot.before) return add_last(p, spot.parent, type, tag, ns);
    uint32_t made = adit_tree_node(p, type, tag, ns);
    adit_dom_insert_before(&p->dom, spot.before, made);
    return made;
}

void adit_tree_place(struct adit_html *p, uint32_t target, uint32_t node)
{
    if (p->fostering)
        put_node(p, find_spot(p, target), node);
    else
        adit_tree_append(p, inside(&p->open[target]), node);
}

/* --- what ------------------------------------------------------------------------------------- */

static void give_attributes(struct adit_html *p, uint32_t node)
{
    if (p->tag.n_attrs) node_of(p, node)->attrs = p->tag.attrs, p->tag.used = true;
}

/* An element for the tag where one is to be looked for: foreign ones, and before tables. */
static uint32_t insert_elsewhere(struct adit_html *p, uint16_t tag, uint8_t ns)
{
    if (ns != ADIT_NS_HTML) adit_foreign_adjust(p);
    uint32_t made = new_node(p, find_spot(p, p->n_open - 1), ADIT_NODE_ELEMENT, tag, ns);
    give_attributes(p, made);
    return made;
}

/* Mostly an element is the last child of the current one. */
static inline uint32_t insert_plain(struct adit_html *p, uint16_t tag)
{
    uint32_t made = add_last(p, inside(current(p)), ADIT_NODE_ELEMENT, tag, ADIT_NS_HTML);
    give_attributes(p, made);
    return made;
}

uint32_t adit_tree_insert(struct adit_html *p, uint16_t tag, uint8_t ns)
{
    bool plain = ns == ADIT_NS_HTML && !p->fostering;
    uint32_t made = plain ? insert_plain(p, tag) : insert_elsewhere(p, tag, ns);
    open_push(p, made, tag, ns);
    return made;
}

uint32_t adit_tree_insert_void(struct adit_html *p, uint16_t tag, uint8_t ns)
{
    bool plain = ns == ADIT_NS_HTML && !p->fostering;
    p->n_voids += ns == ADIT_NS_HTML;
    return plain ? insert_plain(p, tag) : insert_elsewhere(p, tag, ns);
}

uint32_t adit_tree_insert_implied(struct adit_html *p, uint16_t tag)
{
    uint32_t made = new_node(p, find_spot(p, p->n_open - 1), ADIT_NODE_ELEMENT, tag, ADIT_NS_HTML);
    open_push(p, made, tag, ADIT_NS_HTML);
    return made;
}

uint32_t adit_tree_copy(struct adit_html *p, uint32_t node)
{
    uint16_t tag = node_of(p, node)->tag;
    uint32_t made = adit_tree_node(p, ADIT_NODE_ELEMENT, tag, ADIT_NS_HTML);
    node_of(p, made)->attrs = node_of(p, node)->attrs;
    p->copies++, p->n_formats++;
    return made;
}

/* Behind a text, which becomes one with it. */
static void join_text(struct adit_html *p, uint32_t beside, struct text t)
{
    struct adit_node *n = node_of(p, beside);
    bool apart = p->apart;
    p->apart = false;
    if (n->at + n->len == t.at && n->ns == t.flags && !apart)
        n->len += t.len;
    else
        adit_text_join(p, beside, t, apart);
}

/* "Insert a character": next to a text it becomes part of it. */
void adit_tree_insert_text(struct adit_html *p, struct text t)
{
    if (!t.len || ((t.flags & TEXT_GAPS) && adit_text_is_nothing(p, t))) return;
    struct spot spot = {.parent = inside(current(p))};
    if (p->fostering) spot = find_spot(p, p->n_open - 1);
    uint32_t beside = spot.before ? node_of(p, spot.before)->prev : node_of(p, spot.parent)->last;
    if (beside && node_of(p, beside)->type == ADIT_NODE_TEXT) {
        join_text(p, beside, t);
        return;
    }
    uint32_t made = new_node(p, spot, ADIT_NODE_TEXT, ADIT_TAG_NONE, t.flags);
    node_of(p, made)->at = t.at, node_of(p, made)->len = t.len;
    p->apart = false;
    p->dom.n_texts++;
}

void adit_tree_insert_comment(struct adit_html *p, uint32_t parent, struct text t)
{
    uint32_t made = adit_tree_node(p, ADIT_NODE_COMMENT, ADIT_TAG_NONE, t.flags);
    p->n_comments++;
    node_of(p, made)->at = t.at, node_of(p, made)->len = t.len;
    if (parent == TREE_CURRENT)
        adit_tree_place(p, p->n_open - 1, made);
    else
        adit_tree_append(p, parent, made);
}

static bool has_attribute(const struct adit_html *p, uint32_t first, uint16_t name)
{
    for (uint32_t i = first; i; i = p->dom.attrs[i].more & VALUE_MORE ? i + 1 : 0)
        if (p->dom.attrs[i].name == name) return true;
    return false;
}

/* Copies the attribute to the end of the array, behind others of the same element. */
static bool add_attribute(struct adit_html *p, struct adit_attribute a, bool first)
{
    if (p->dom.n_attrs == p->attrs_cap && !adit_parse_grow_attrs(p)) return false;
    a.more &= (uint16_t)~(unsigned)VALUE_MORE;
    if (!first) p->dom.attrs[p->dom.n_attrs - 1].more |= VALUE_MORE;
    p->dom.attrs[p->dom.n_attrs++] = a;
    return true;
}

/* Attributes of a second <html> or <body> that the first one lacks. Attributes of an element stand
 * side by side, so the old ones are copied: at most once for each of the kept names. */
void adit_tree_merge_attributes(struct adit_html *p, uint32_t node)
{
    uint32_t old = node_of(p, node)->attrs, from = p->tag.attrs, n = p->tag.n_attrs, fresh = 0;
    for (uint32_t i = 0; i < n; i++) fresh += !has_attribute(p, old, p->dom.attrs[from + i].name);
    if (!fresh) return;
    p->tag.used = true;
    uint32_t start = p->dom.n_attrs;
    for (uint32_t i = old; i; i = p->dom.attrs[i].more & VALUE_MORE ? i + 1 : 0)
        if (!add_attribute(p, p->dom.attrs[i], p->dom.n_attrs == start)) return;
    for (uint32_t i = 0; i < n; i++)
        if (!has_attribute(p, old, p->dom.attrs[from + i].name) &&
            !add_attribute(p, p->dom.attrs[from + i], p->dom.n_attrs == start))
            return;
    node_of(p, node)->attrs = start;
}
