/* Pages that arrive in pieces. A server that streams what React renders sends a page with gaps,
 *     <!--$?--><template id="B:1"></template>what stands there meanwhile<!--/$-->
 * (or a bare <template id="P:1">), and later, at the end of the body and hidden, what belongs
 * there: <div hidden id="S:1">…</div><script>$RC("B:1","S:1")</script> A reader sees the pieces in
 * their places, so this puts them there. */
#include "html/pieces_impl.h"

#include "html/dom_impl.h"

enum {
    PIECES_MAX = 1024,
    DEPTH_MAX = ADIT_LIMIT_dom_depth / 2, /* of a gap: pieces within pieces must not grow deep */
    MEANWHILE_MAX = 1000                  /* nodes side by side that stand in a gap */
};

struct gap {
    uint32_t place, piece;
};

/* The number in an id such as "B:1f"; PIECES_MAX if it is no such id. */
static size_t number_of(struct adit_str id)
{
    size_t number = 0;
    if (id.len < 3 || id.len > 5 || id.p[1] != ':') return PIECES_MAX;
    for (size_t i = 2; i < id.len; i++) {
        int digit = adit_hex(id.p[i]);
        if (digit < 0) return PIECES_MAX;
        number = number * 16 + (size_t)digit;
    }
    return number < PIECES_MAX ? number : PIECES_MAX;
}

static void collect(const struct adit_dom *d, struct gap *gaps)
{
    for (uint32_t n = d->body; n; n = adit_dom_next(d, n, d->body, true)) {
        bool gap = adit_dom_is(d, n, ADIT_TAG_TEMPLATE);
        if (!gap && !(adit_dom_is(d, n, ADIT_TAG_DIV) && adit_dom_has(d, n, ADIT_ATTR_HIDDEN)))
            continue;
        struct adit_str id = adit_dom_attr(d, n, ADIT_ATTR_ID);
        size_t number = number_of(id);
        if (number == PIECES_MAX) continue;
        if (gap && (id.p[0] == 'B' || id.p[0] == 'P') && !gaps[number].place)
            gaps[number].place = n;
        else if (!gap && id.p[0] == 'S' && !gaps[number].piece)
            gaps[number].piece = n;
    }
}

/* Whether the gap is in the page, not in its own piece, and not too deep. */
static bool is_open(const struct adit_dom *d, const struct gap *g)
{
    uint32_t n = g->place;
    for (size_t depth = 0; n && n != g->piece && depth < DEPTH_MAX; depth++, n = d->nodes[n].parent)
        if (n == d->body) return true;
    return false;
}

/* The comment that ends what stands in a gap; 0 if there is none. */
static uint32_t end_of_gap(const struct adit_dom *d, uint32_t place)
{
    size_t inner = 0;
    uint32_t n = d->nodes[place].next;
    for (size_t k = 0; n && k < MEANWHILE_MAX; k++, n = d->nodes[n].next) {
        if (d->nodes[n].type != ADIT_NODE_COMMENT) continue;
        struct adit_str text = adit_dom_data(d, n);
        if (adit_str_eq(text, ADIT_STR("/$"))) {
            if (!inner--) return n;
        } else if (adit_str_starts(text, ADIT_STR("$")) && text.len <= 2) {
            inner++;
        }
    }
    return 0;
}

static void fill(const struct adit_dom *d, const struct gap *g)
{
    const struct adit_node *place = &d->nodes[g->place], *piece = &d->nodes[g->piece];
    uint32_t end = end_of_gap(d, g->place);
    while (end && place->next != end) adit_dom_detach(d, place->next);
    while (piece->first) {
        uint32_t child = piece->first;
        adit_dom_detach(d, child);
        adit_dom_insert_before(d, g->place, child);
    }
}

void adit_pieces_place(const struct adit_dom *d)
{
    struct gap gaps[PIECES_MAX] = {0};
    collect(d, gaps);
    for (size_t i = 0; i < PIECES_MAX; i++)
        if (gaps[i].place && gaps[i].piece && is_open(d, &gaps[i])) fill(d, &gaps[i]);
}
