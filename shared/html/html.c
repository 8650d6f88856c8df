/* The parser object: its arrays, which are kept between pages, and the parse of a page. */
#include "html/parse_impl.h"
#include "html/pieces_impl.h"

enum {
    NODES_FIRST = 2048, /* arrays begin with so many, and double */
    ATTRS_FIRST = 1024,
    NODES_BEYOND = 16 * PARSE_RESERVE, /* nodes of the texts and scripts behind the last tag */
    NODES_MAX = ADIT_LIMIT_page_nodes + NODES_BEYOND,
    HELD_MAX = 4 << 20 /* bytes of nodes that are kept for the next page */
};

struct adit_html *adit_html_new(struct adit_mem mem)
{
    struct adit_html *p = mem.resize(mem.ctx, NULL, 0, sizeof *p);
    if (!p) return NULL;
    memset(p, 0, sizeof *p);
    p->mem = mem;
    adit_names_init(&p->names);
    adit_arena_init(&p->arena, mem, ADIT_LIMIT_page_memory);
    adit_buf_init(&p->scratch, mem, ADIT_LIMIT_page_memory);
    return p;
}

static void *drop_array(struct adit_html *p, void *array, size_t len)
{
    return array ? p->mem.resize(p->mem.ctx, array, len, 0) : NULL;
}

void adit_html_drop_tree(struct adit_html *p)
{
    p->dom.nodes = drop_array(p, p->dom.nodes, p->nodes_cap * sizeof *p->dom.nodes);
    p->dom.attrs = drop_array(p, p->dom.attrs, p->attrs_cap * sizeof *p->dom.attrs);
    p->built = drop_array(p, p->built, p->built_cap * sizeof *p->built);
    p->nodes_cap = p->attrs_cap = p->built_cap = 0;
    adit_buf_free(&p->scratch);
}

void adit_html_rest(struct adit_html *p)
{
    adit_html_drop_tree(p);
    adit_arena_free(&p->arena);
}

void adit_html_free(struct adit_html *p)
{
    if (!p) return;
    adit_html_rest(p);
    p->mem.resize(p->mem.ctx, p, sizeof *p, 0);
}

/* Doubles an array of *cap entries up to most; NULL (and the array as it was) if it cannot be. */
static void *grow(struct adit_html *p, void *array, uint32_t *cap, size_t size, uint32_t first,
                  uint32_t most)
{
    uint32_t n = *cap ? *cap * 2 : first;
    if (n > most) n = most;
    if (n <= *cap) {
        p->code = ADIT_ELIMIT;
        return NULL;
    }
    void *made = p->mem.resize(p->mem.ctx, array, *cap * size, n * size);
    if (made)
        *cap = n;
    else
        p->code = ADIT_ENOMEM;
    return made;
}

bool adit_parse_grow_nodes(struct adit_html *p)
{
    uint32_t most = p->nodes_max + NODES_BEYOND;
    if (most > NODES_MAX) most = NODES_MAX;
    void *made = grow(p, p->dom.nodes, &p->nodes_cap, sizeof *p->dom.nodes, NODES_FIRST, most);
    if (made) p->dom.nodes = made;
    return made;
}

bool adit_parse_grow_attrs(struct adit_html *p)
{
    void *made = grow(p, p->dom.attrs, &p->attrs_cap, sizeof *p->dom.attrs, ATTRS_FIRST, NODES_MAX);
    if (made) p->dom.attrs = made;
    return made;
}

/* As new, but for the arrays. One huge page must not hold its memory for ever. */
static bool begin(struct adit_html *p, struct adit_str page)
{
    if (p->nodes_cap * sizeof *p->dom.nodes > HELD_MAX) adit_html_rest(p);
    adit_arena_reset(&p->arena);
    p->in = (const uint8_t *)(page.len ? page.p : "");
    p->len = (uint32_t)page.len;
    p->dom =
        (struct adit_dom){.nodes = p->dom.nodes, .attrs = p->dom.attrs, .parser = p, .n_attrs = 1};
    p->code = ADIT_OK;
    p->mode = MODE_INITIAL;
    p->quirks = p->fostering = p->skip_newline = p->plaintext = p->templates = false;
    p->closed = p->apart = false;
    p->frameset_ok = true;
    p->raw = 0;
    p->form = p->n_open = p->n_active = p->n_modes = p->n_raw = p->n_dropped = 0;
    memset(p->open_count, 0, sizeof p->open_count);
    memset(p->dropped, 0, sizeof p->dropped);
    p->n_voids = p->n_formats = p->n_comments = 0;
    p->work = 0;
    p->work_max = (uint64_t)page.len * PARSE_WORK_BYTE + PARSE_WORK_FREE;
    p->nodes_max = p->len / PARSE_NODE_BYTES + PARSE_NODES_FREE;
    p->nodes_stop = 0; /* the first token looks */
    p->all_stop = ADIT_LIMIT_page_nodes;
    p->copies = 0;
    p->copies_max = p->len / PARSE_COPY_BYTES + PARSE_COPIES_FREE;
    p->n_built = 1;
    adit_names_begin(&p->names);
    if ((!p->nodes_cap && !adit_parse_grow_nodes(p)) ||
        (!p->attrs_cap && !adit_parse_grow_attrs(p)))
        return false;
    adit_tree_node(p, ADIT_NODE_DOCUMENT, ADIT_TAG_NONE, ADIT_NS_HTML);
    return true;
}

/* Most nodes are texts or elements with an end, so that the others are counted. */
static void count_nodes(struct adit_html *p)
{
    struct adit_dom *d = &p->dom;
    size_t elements = d->n_nodes - d->n_texts - p->n_comments;
    d->n_events = 2 * elements + d->n_texts - p->n_voids;
    d->n_containers = elements - p->n_voids - p->n_formats;
}

enum adit_code adit_parse_page(struct adit_html *p, struct adit_str page)
{
    if (page.len > ADIT_LIMIT_page_bytes) return ADIT_ELIMIT;
    if (begin(p, page)) adit_tokens_run(p);
    adit_text_trim(p);
    count_nodes(p);
    return p->code;
}

enum adit_code adit_html_parse(struct adit_html *h, struct adit_str utf8,
                               const struct adit_dom **dom)
{
    *dom = NULL;
    enum adit_code code = adit_parse_page(h, utf8);
    if (!code && h->templates) adit_pieces_place(&h->dom);
    if (!code) code = h->code;
    if (!code)
        *dom = &h->dom;
    else
        adit_html_rest(h);
    return code;
}

enum adit_code adit_dom_code(const struct adit_dom *d) { return d->parser->code; }
