/* Reading a tree: attributes, document order, text; and moving its nodes. */
#include "html/dom_impl.h"

#include <string.h>

bool adit_dom_has(const struct adit_dom *d, uint32_t node, enum adit_attr attr)
{
    return adit_attr_find(d, node, attr) != 0;
}

struct adit_str adit_dom_attr(const struct adit_dom *d, uint32_t node, enum adit_attr attr)
{
    uint32_t a = adit_attr_find(d, node, attr);
    return a ? adit_attr_value(d, a) : (struct adit_str){0};
}

uint32_t adit_dom_next(const struct adit_dom *d, uint32_t node, uint32_t root, bool into)
{
    uint32_t first = into ? adit_dom_first(d, node) : 0;
    if (first) return first;
    for (; node != root; node = d->nodes[node].parent)
        if (d->nodes[node].next) return d->nodes[node].next;
    return 0;
}

/* A node that has no place is not the first or last child of anything. */
void adit_dom_detach(const struct adit_dom *d, uint32_t node)
{
    struct adit_node *n = &d->nodes[node], *parent = &d->nodes[n->parent];
    if (n->prev)
        d->nodes[n->prev].next = n->next;
    else if (parent->first == node)
        parent->first = n->next;
    if (n->next)
        d->nodes[n->next].prev = n->prev;
    else if (parent->last == node)
        parent->last = n->prev;
    n->parent = n->prev = n->next = 0;
}

void adit_dom_insert_before(const struct adit_dom *d, uint32_t place, uint32_t node)
{
    struct adit_node *n = &d->nodes[node], *next = &d->nodes[place];
    n->parent = next->parent, n->prev = next->prev, n->next = place;
    *(n->prev ? &d->nodes[n->prev].next : &d->nodes[n->parent].first) = node;
    next->prev = node;
}

/* Elements whose text no reader sees. */
static bool is_silent(uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_SCRIPT:
    case ADIT_TAG_STYLE:
    case ADIT_TAG_TEMPLATE:
    case ADIT_TAG_IFRAME:
    case ADIT_TAG_SVG:    /* its title is a label */
    case ADIT_TAG_BUTTON: /* says what can be done */
    case ADIT_TAG_NOEMBED:
    case ADIT_TAG_NOFRAMES: return true;
    default: return false;
    }
}

/* Elements that stand within a line; around all others words are apart. */
static bool is_inline(uint16_t tag)
{
    switch (tag) {
    case ADIT_TAG_A:
    case ADIT_TAG_ABBR:
    case ADIT_TAG_B:
    case ADIT_TAG_BDI:
    case ADIT_TAG_BDO:
    case ADIT_TAG_BIG:
    case ADIT_TAG_CITE:
    case ADIT_TAG_CODE:
    case ADIT_TAG_DEL:
    case ADIT_TAG_DFN:
    case ADIT_TAG_EM:
    case ADIT_TAG_FONT:
    case ADIT_TAG_I:
    case ADIT_TAG_INS:
    case ADIT_TAG_KBD:
    case ADIT_TAG_LABEL:
    case ADIT_TAG_MARK:
    case ADIT_TAG_NOBR:
    case ADIT_TAG_Q:
    case ADIT_TAG_S:
    case ADIT_TAG_SAMP:
    case ADIT_TAG_SMALL:
    case ADIT_TAG_SPAN:
    case ADIT_TAG_STRIKE:
    case ADIT_TAG_STRONG:
    case ADIT_TAG_SUB:
    case ADIT_TAG_SUP:
    case ADIT_TAG_TIME:
    case ADIT_TAG_TT:
    case ADIT_TAG_U:
    case ADIT_TAG_VAR:
    case ADIT_TAG_WBR: return true;
    default: return tag >= ADIT_TAG_COUNT;
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

/* The most whole characters of s that fit into room bytes. */
static size_t chars_within(struct adit_str s, size_t room)
{
    size_t n = s.len < room ? s.len : room;
    while (n && n < s.len && (s.p[n] & 0xC0) == 0x80) n--;
    return n;
}

/* Word by word, as long as there is room; of the last one whole characters. */
static void gather_text(struct gather *g, struct adit_str s)
{
    for (size_t i = 0, n; i < s.len && !g->full; i += n) {
        n = 1;
        if (adit_is_space(s.p[i])) {
            g->space = true;
            continue;
        }
        while (i + n < s.len && !adit_is_space(s.p[i + n])) n++;
        size_t gap = g->space && g->len > 0, left = g->max - g->len;
        size_t fits = left > gap ? chars_within(adit_str_sub(s, i, i + n), left - gap) : 0;
        g->full = fits < n;
        if (!fits) return;
        n = fits;
        if (gap) put(g, ADIT_STR(" "));
        g->space = false;
        put(g, adit_str_of(s.p + i, n));
    }
}

/* Pre-order over node's subtree; an element's end is met when the walk climbs out of it. */
static void gather(struct gather *g, const struct adit_dom *d, uint32_t root)
{
    const struct adit_node *nodes = d->nodes;
    uint32_t n = root;
    for (size_t left = NODES_MAX; !g->full && left > 0; left--) {
        bool element = adit_dom_is_element(d, n);
        if (adit_dom_is_text(d, n)) gather_text(g, adit_dom_data(d, n));
        if (element && !is_inline(nodes[n].tag)) g->space = true;
        if (element && nodes[n].first && !is_silent(nodes[n].tag)) {
            n = nodes[n].first;
            continue;
        }
        while (n != root && !nodes[n].next) {
            n = nodes[n].parent;
            if (!is_inline(nodes[n].tag)) g->space = true;
        }
        if (n == root) return;
        n = nodes[n].next;
    }
}

struct adit_str adit_dom_text(const struct adit_dom *d, uint32_t node, size_t max,
                              struct adit_arena *arena, bool *ok)
{
    struct gather g = {.max = max};
    gather(&g, d, node);
    if (g.len == 0) return (struct adit_str){0};
    g = (struct gather){.out = adit_arena_alloc(arena, g.len), .max = max};
    if (!g.out) {
        if (ok) *ok = false;
        return (struct adit_str){0};
    }
    gather(&g, d, node);
    return adit_str_of(g.out, g.len);
}
