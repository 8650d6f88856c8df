/* What is left out of a page that would take too much: counts alone decide, so that every machine
 * leaves out the same.
 *
 * - Tags deeper than dom_depth are left out, with their end tags; what they hold stays.
 * - Formatting elements beyond a few are left out: each may be copied at every later tag.
 * - Copies of formatting elements have a budget by the bytes of the page: beyond it, text that such an
 *   element would go on in stands outside of it, and misnested ends are ends like others.
 * - When a budget (nodes, work, unknown names) is used up the parser closes: tags are left out from
 *   there on and only text still reaches the tree, its words kept apart; scripts and the like stay
 *   elements, so that they do not become text. No page that people write comes near. Of nodes every
 *   page may have some, and one more for so many bytes: a page of nothing but short tags would take
 *   ten times the memory and time of ordinary HTML of its size.
 *
 * Work is the number of steps of all searches that are not bounded by a constant: most of them are
 * answered by counts, so that pages take next to none.
 */
#include "html/parse_impl.h"

/* Nodes that every page has: the document, <html>, <head>, <body>. */
enum { ROOTS = 4 };
/* Nodes above the limit until a cell is open, which takes all text that is left. */
enum { TABLE_EXTRA = 100 };

static bool too_many_nodes(const struct adit_html *p)
{
    uint32_t nodes = p->dom.n_nodes, all = nodes + p->dom.n_attrs;
    if (nodes <= p->nodes_max + ROOTS && all <= ADIT_LIMIT_page_nodes + ROOTS + 1) return false;
    bool far = nodes > p->nodes_max + TABLE_EXTRA || all > ADIT_LIMIT_page_nodes + TABLE_EXTRA;
    return far || !p->n_open || !current_has(p, IS_TABLE_PART);
}

/* Ends the tables that are open: between cells text has no place. */
static void leave_tables(struct adit_html *p)
{
    while (p->n_open > 1 && (current_has(p, IS_TABLE_PART) || current_is(p, ADIT_TAG_COLGROUP))) {
        uint32_t before = p->n_open;
        adit_mode_end(p, ADIT_TAG_TABLE);
        if (p->n_open >= before) return;
    }
}

static void close_parser(struct adit_html *p)
{
    p->closed = p->dom.cut = true;
    leave_tables(p);
}

bool adit_limit_look(struct adit_html *p)
{
    if (!p->closed && (p->work > p->work_max || too_many_nodes(p))) close_parser(p);
    if (p->dom.n_nodes + PARSE_RESERVE > p->nodes_cap) adit_parse_grow_nodes(p);
    p->nodes_stop = p->nodes_cap - PARSE_RESERVE;
    if (p->closed)
        p->work_max = UINT64_MAX, p->all_stop = UINT32_MAX;
    else if (p->nodes_stop > p->nodes_max + ROOTS)
        p->nodes_stop = p->nodes_max + ROOTS;
    return p->code == ADIT_OK;
}

/* Remembers that an open tag was left out, so that its end tag is, too. */
static bool drop_start(struct adit_html *p, uint16_t tag)
{
    p->dom.cut = true;
    if (tag_flags(tag) & IS_VOID) return false;
    p->dropped[tag_slot(tag)]++;
    p->n_dropped++;
    return false;
}

/* Whether an element of text reaches the tree of a closed parser. */
static bool admits_raw(struct adit_html *p, uint16_t tag)
{
    if (tag == ADIT_TAG_XMP || p->n_open >= ADIT_LIMIT_dom_depth + PARSE_RAW_EXTRA) return false;
    if (++p->n_raw <= PARSE_RAW_MAX) return true;
    p->raw = tag; /* to be passed over */
    return false;
}

bool adit_limit_judges_start(struct adit_html *p, uint16_t tag)
{
    if (tag == NAMES_OVER && !p->closed) close_parser(p);
    unsigned flags = tag_flags(tag);
    bool raw = (flags & IS_RAW) && !(p->n_open && current(p)->ns != ADIT_NS_HTML);
    if (p->closed) {
        if (!(flags & IS_FORMATTING)) p->apart = true;
        return (raw && admits_raw(p, tag)) || drop_start(p, tag);
    }
    bool leaf = raw || (flags & IS_VOID);
    uint32_t deepest = ADIT_LIMIT_dom_depth + (leaf ? PARSE_RAW_EXTRA : 0);
    if (p->n_open >= deepest) return drop_start(p, tag);
    if ((flags & IS_FORMATTING) && adit_formatting_count(p) >= PARSE_FORMATTING_MAX)
        return drop_start(p, tag);
    return true;
}

bool adit_limit_admits_end(struct adit_html *p, uint16_t tag)
{
    if (p->closed) {
        if (!(tag_flags(tag) & IS_FORMATTING)) p->apart = true;
        return false;
    }
    if (p->n_dropped == 0 || p->dropped[tag_slot(tag)] == 0) return true;
    p->dropped[tag_slot(tag)]--;
    p->n_dropped--;
    return false;
}

/* --- a closed parser --------------------------------------------------------------------------- */

/* Passes over the tags without attributes that stand side by side at s; not over one that may begin an
 * element of text. */
static const uint8_t *pass_tags(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    while (end - s > 2 && *s == '<') {
        const uint8_t *name = s + 1 + (s[1] == '/');
        if (!scan_is(*name, SCAN_LETTER)) break;
        uint64_t word;
        const uint8_t *q = scan_name(name, end, SCAN_TAG_END, &word);
        if (q == end || *q != '>') break;
        unsigned flags = tag_flags(names_short_tag(&p->names, (uint32_t)(q - name), word));
        if (flags & IS_RAW) break;
        if (!(flags & IS_FORMATTING)) p->apart = true;
        p->skip_newline = false;
        s = q + 1;
    }
    return s;
}

/* The text that the next one becomes part of, if it has bytes of its own already; else 0. */
static uint32_t find_last_text(struct adit_html *p)
{
    bool body = p->mode == MODE_IN_BODY || p->mode == MODE_IN_CELL;
    if (!body || !p->n_open || current(p)->ns != ADIT_NS_HTML) return 0;
    uint32_t last = node_of(p, current(p)->node)->last;
    const struct adit_node *n = node_of(p, last);
    return n->type == ADIT_NODE_TEXT && (n->ns & TEXT_BUILT) ? last : 0;
}

/* Where a text ends that is text as it stands, with a tag behind it; s if it is not like that. */
static const uint8_t *find_plain_end(const uint8_t *s, const uint8_t *end)
{
    const uint8_t *q = s;
    while (q < end && *q != '<' && !scan_is(*q, SCAN_SPECIAL)) q++;
    bool tag = end - q > 2 && *q == '<' && scan_is(q[q[1] == '/' ? 2 : 1], SCAN_LETTER);
    return tag ? q : s;
}

const uint8_t *adit_limit_gather(struct adit_html *p, const uint8_t *s, const uint8_t *end)
{
    uint32_t last = find_last_text(p);
    for (;;) {
        s = pass_tags(p, s, end);
        const uint8_t *stop = last ? find_plain_end(s, end) : s;
        if (stop == s || !adit_text_add(p, last, s, stop)) return s;
        s = stop;
    }
}

/* --- copies, comments, ends --------------------------------------------------------------------- */

bool adit_limit_admits_copies(struct adit_html *p)
{
    if (p->copies < p->copies_max) return true;
    p->dom.cut = true;
    return false;
}

bool adit_limit_admits_comment(const struct adit_html *p) { return !p->closed; }

/* A kept element ended: what was left out inside it ended with it. */
void adit_limit_ended(struct adit_html *p, uint32_t open_before)
{
    if (p->n_open >= open_before || open_before > ADIT_LIMIT_dom_depth) return;
    memset(p->dropped, 0, sizeof p->dropped);
    p->n_dropped = 0;
}
