/* Reading a tree: attributes, document order, text. */
#include "html/html.h"

#include <string.h>

static const lxb_dom_attr_t *find(const struct adit_dom *d, const lxb_dom_node_t *node,
                                  enum adit_attr attr)
{
    uintptr_t id = d->attr[attr];
    if (id == 0 || !adit_dom_is_element(node)) return NULL;
    const lxb_dom_attr_t *a = ((const lxb_dom_element_t *)node)->first_attr;
    while (a && a->node.local_name != id) a = a->next;
    return a;
}

bool adit_dom_has(const struct adit_dom *d, const lxb_dom_node_t *node, enum adit_attr attr)
{
    return find(d, node, attr) != NULL;
}

struct adit_str adit_dom_attr(const struct adit_dom *d, const lxb_dom_node_t *node,
                              enum adit_attr attr)
{
    const lxb_dom_attr_t *a = find(d, node, attr);
    return a ? adit_attr_value(a) : (struct adit_str){0};
}

struct adit_str adit_dom_known(const lxb_dom_node_t *element, lxb_dom_attr_id_t attr)
{
    const lxb_dom_attr_t *a = ((const lxb_dom_element_t *)element)->first_attr;
    while (a && a->node.local_name != attr) a = a->next;
    return a ? adit_attr_value(a) : (struct adit_str){0};
}

lxb_dom_node_t *adit_dom_next(const lxb_dom_node_t *node, const lxb_dom_node_t *root, bool into)
{
    if (into && node->first_child) return node->first_child;
    for (; node != root; node = node->parent)
        if (node->next) return node->next;
    return NULL;
}

/* Elements whose text no reader sees. */
static bool is_silent(const lxb_dom_node_t *node)
{
    switch (node->local_name) {
    case LXB_TAG_SCRIPT:
    case LXB_TAG_STYLE:
    case LXB_TAG_TEMPLATE:
    case LXB_TAG_IFRAME:
    case LXB_TAG_SVG:    /* its title is a label */
    case LXB_TAG_BUTTON: /* says what can be done */
    case LXB_TAG_NOEMBED:
    case LXB_TAG_NOFRAMES: return true;
    default: return false;
    }
}

/* Elements that stand within a line; around all others words are apart. */
static bool is_inline(const lxb_dom_node_t *node)
{
    switch (node->local_name) {
    case LXB_TAG_A:
    case LXB_TAG_ABBR:
    case LXB_TAG_B:
    case LXB_TAG_BDI:
    case LXB_TAG_BDO:
    case LXB_TAG_BIG:
    case LXB_TAG_CITE:
    case LXB_TAG_CODE:
    case LXB_TAG_DEL:
    case LXB_TAG_DFN:
    case LXB_TAG_EM:
    case LXB_TAG_FONT:
    case LXB_TAG_I:
    case LXB_TAG_INS:
    case LXB_TAG_KBD:
    case LXB_TAG_LABEL:
    case LXB_TAG_MARK:
    case LXB_TAG_NOBR:
    case LXB_TAG_Q:
    case LXB_TAG_S:
    case LXB_TAG_SAMP:
    case LXB_TAG_SMALL:
    case LXB_TAG_SPAN:
    case LXB_TAG_STRIKE:
    case LXB_TAG_STRONG:
    case LXB_TAG_SUB:
    case LXB_TAG_SUP:
    case LXB_TAG_TIME:
    case LXB_TAG_TT:
    case LXB_TAG_U:
    case LXB_TAG_VAR:
    case LXB_TAG_WBR: return true;
    default: return node->local_name >= LXB_TAG__LAST_ENTRY;
    }
}

/* Nodes that are looked at for one text: a heading may stand around a whole page without text. */
enum { NODES_MAX = 20000 };

struct gather {
    char *out; /* NULL: only counting */
    size_t len, max;
    bool space; /* white space is due before the next character */
    bool full;
};

static void put(struct gather *g, struct adit_str s)
{
    if (g->out) memcpy(g->out + g->len, s.p, s.len);
    g->len += s.len;
}

/* Whole characters, as long as there is room. */
static void gather_text(struct gather *g, struct adit_str s)
{
    for (size_t i = 0, n; i < s.len; i += n) {
        n = 1;
        if (adit_is_space(s.p[i])) {
            g->space = true;
            continue;
        }
        while (i + n < s.len && (s.p[i + n] & 0xC0) == 0x80) n++;
        bool gap = g->space && g->len > 0;
        if (g->max - g->len < n + gap) {
            g->full = true;
            return;
        }
        if (gap) put(g, ADIT_STR(" "));
        g->space = false;
        put(g, adit_str_of(s.p + i, n));
    }
}

/* Pre-order over node's subtree; an element's end is met when the walk climbs out of it. */
static void gather(struct gather *g, const lxb_dom_node_t *root)
{
    const lxb_dom_node_t *n = root;
    for (size_t left = NODES_MAX; n && !g->full && left > 0; left--) {
        bool element = adit_dom_is_element(n);
        if (adit_dom_is_text(n)) gather_text(g, adit_dom_data(n));
        if (element && !is_inline(n)) g->space = true;
        if (n->first_child && !(element && is_silent(n))) {
            n = n->first_child;
            continue;
        }
        while (n != root && !n->next) {
            n = n->parent;
            if (!is_inline(n)) g->space = true;
        }
        if (n == root) return;
        n = n->next;
    }
}

struct adit_str adit_dom_text(const lxb_dom_node_t *node, size_t max, struct adit_arena *arena,
                              bool *ok)
{
    struct gather g = {.max = max};
    gather(&g, node);
    if (g.len == 0) return (struct adit_str){0};
    g = (struct gather){.out = adit_arena_alloc(arena, g.len), .max = max};
    if (!g.out) {
        if (ok) *ok = false;
        return (struct adit_str){0};
    }
    gather(&g, node);
    return adit_str_of(g.out, g.len);
}
