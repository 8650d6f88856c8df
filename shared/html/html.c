/* The parser object: lexbor's document and parser, kept between pages, on a heap of their own; and
 * the arrays that their tree is copied into. */
#include "html/html.h"

#include "html/copy_impl.h"
#include "html/guard_impl.h"
#include "html/heap_impl.h"
#include "html/pieces_impl.h"

#include <lexbor/html/parser.h>
#include <stdatomic.h>

/* Bytes that the tokenizer is given at once: between two pieces the guard looks at what is half
 * read (an endless tag). */
enum { PIECE = 16 << 10 };
/* Buckets of the tables of tag and attribute names: lexbor never grows them, and 128 of them make a
 * page of distinct names slow. */
enum { NAME_BUCKETS = 2048 };
/* Bytes for attributes' values that are taken at first. */
enum { VALUES = 4 << 10 };
/* What lexbor's objects take when they are made (1.4 MB; less on 32 bits), and a reserve for a
 * parser that has run out of memory until it stops. */
enum { POOL = (1408 + 4 + 256) << 10 };
/* Bytes of a page's tree that are kept for the next one. */
enum { HELD_MAX = 8 << 20 };

struct adit_html {
    struct adit_mem mem;
    struct adit_heap heap;
    lxb_html_document_t *document;
    lxb_html_parser_t *parser;
    lexbor_hash_t *spare_tags, *spare_attrs;
    lexbor_mraw_t *values; /* of attributes: they outlive the nodes */
    size_t idle;           /* heap use of a parser without a page */
    struct adit_guard guard;
    struct adit_copy copy;
    struct adit_dom dom;
};

/* The hooks are global, and the same for every thread: set once, before the first parser. */
static void set_hooks(void)
{
    static atomic_int state; /* 0 not yet, 1 being set, 2 set */
    int expected = 0;
    if (atomic_compare_exchange_strong(&state, &expected, 1)) {
        lexbor_memory_setup(adit_heap_malloc, adit_heap_realloc, adit_heap_calloc,
                            adit_heap_release);
        atomic_store(&state, 2);
    }
    while (atomic_load(&state) != 2) {}
}

struct adit_html *adit_html_new(struct adit_mem mem)
{
    set_hooks();
    struct adit_html *h = mem.resize(mem.ctx, NULL, 0, sizeof *h);
    if (!h) return NULL;
    *h = (struct adit_html){.mem = mem, .copy.mem = mem};
    adit_heap_init(&h->heap, mem, ADIT_LIMIT_page_memory);
    return h;
}

/* Throws away lexbor's objects, in whatever state they are, and the arrays. */
static void drop_objects(struct adit_html *h)
{
    adit_heap_free(&h->heap);
    adit_copy_free(&h->copy);
    h->document = NULL;
    h->parser = NULL;
}

void adit_html_free(struct adit_html *h)
{
    if (!h) return;
    drop_objects(h);
    h->mem.resize(h->mem.ctx, h, sizeof *h, 0);
}

void adit_html_rest(struct adit_html *h) { drop_objects(h); }

static bool widen(lexbor_hash_t *hash, size_t struct_size)
{
    lexbor_hash_destroy(hash, false);
    return lexbor_hash_init(hash, NAME_BUCKETS, struct_size) == LXB_STATUS_OK;
}

static lexbor_hash_t *make_spare(size_t struct_size)
{
    lexbor_hash_t *hash = lexbor_hash_create();
    return lexbor_hash_init(hash, NAME_BUCKETS, struct_size) == LXB_STATUS_OK ? hash : NULL;
}

static bool make_objects(struct adit_html *h)
{
    if (!adit_heap_pool(&h->heap, POOL)) return false;
    h->parser = lxb_html_parser_create();
    if (lxb_html_parser_init(h->parser) != LXB_STATUS_OK) return false;
    h->document = lxb_html_document_create();
    if (!h->document) return false;
    lxb_dom_document_t *doc = &h->document->dom_document;
    if (!widen(doc->attrs, sizeof(lxb_dom_attr_data_t)) ||
        !widen(doc->tags, sizeof(lxb_tag_data_t)))
        return false;
    h->values = lexbor_mraw_create();
    if (lexbor_mraw_init(h->values, VALUES) != LXB_STATUS_OK) return false;
    h->spare_attrs = make_spare(sizeof(lxb_dom_attr_data_t));
    h->spare_tags = make_spare(sizeof(lxb_tag_data_t));
    if (!h->spare_attrs || !h->spare_tags) return false;
    h->heap.pooling = false;
    h->idle = h->heap.used;
    return !h->heap.full && !h->heap.failed;
}

/* Parser and document as new. One huge page must not hold its memory for ever. */
static bool ready(struct adit_html *h)
{
    if (!h->document) return make_objects(h);
    lxb_html_document_clean(h->document);
    lxb_html_parser_clean(h->parser);
    lexbor_hash_clean(h->spare_tags);
    lexbor_hash_clean(h->spare_attrs);
    lexbor_mraw_clean(h->values);
    size_t held = h->heap.used - h->heap.kept_len - h->idle + adit_copy_held(&h->copy);
    if (held <= HELD_MAX) return true;
    drop_objects(h);
    return make_objects(h);
}

lxb_status_t lxb_html_parse_chunk_prepare(lxb_html_parser_t *parser, lxb_html_document_t *document);

/* lxb_html_tokenizer_chunk without its counting of lines, which costs a fifth of the time. */
static bool tokenize(lxb_html_tokenizer_t *tkz, struct adit_str piece)
{
    const lxb_char_t *p = (const lxb_char_t *)piece.p, *end = p + piece.len;
    tkz->is_eof = false;
    tkz->status = LXB_STATUS_OK;
    tkz->last = end;
    while (p < end) p = tkz->state(tkz, p, end);
    return tkz->status == LXB_STATUS_OK;
}

static bool feed(struct adit_html *h, struct adit_str utf8)
{
    lxb_html_parser_t *parser = h->parser;
    h->document->dom_document.scripting = false;
    /* What the page before was must not count: cleaning the document keeps its mode. */
    h->document->dom_document.compat_mode = LXB_DOM_DOCUMENT_CMODE_NO_QUIRKS;
    if (lxb_html_parse_chunk_prepare(parser, h->document) != LXB_STATUS_OK) return false;
    /* Not among the texts: a text that grows must stay the last of its kind, or it is copied. */
    lxb_html_tokenizer_attrs_mraw_set(parser->tkz, h->values);
    adit_guard_begin(&h->guard, parser, utf8.len, h->spare_tags, h->spare_attrs, &h->heap);
    for (size_t at = 0; at < utf8.len; at += PIECE) {
        if (!tokenize(parser->tkz, adit_str_sub(utf8, at, at + PIECE))) return false;
        adit_guard_between(&h->guard);
    }
    return lxb_html_parse_chunk_end(parser) == LXB_STATUS_OK && !h->heap.full && !h->heap.failed;
}

/* From lexbor's tree to ours. Only the bytes of texts, values and names stay behind. */
static bool take_tree(struct adit_html *h)
{
    struct adit_dom *d = &h->dom;
    const struct adit_guard *g = &h->guard;
    d->cut = g->cut;
    d->n_containers = g->n_containers, d->n_texts = g->n_texts, d->n_events = g->n_events;
    size_t about = g->n_texts + (g->n_events - g->n_texts) / 2;
    if (!adit_copy_tree(&h->copy, h->document, about, d)) return false;
    lexbor_mraw_clean(h->document->dom_document.mraw);
    return true;
}

enum adit_code adit_html_parse(struct adit_html *h, struct adit_str utf8,
                               const struct adit_dom **dom)
{
    *dom = NULL;
    if (utf8.len > ADIT_LIMIT_page_bytes) return ADIT_ELIMIT;
    struct adit_heap *before = adit_heap_enter(&h->heap);
    bool done = ready(h) && feed(h, utf8) && take_tree(h);
    enum adit_code code = done                              ? ADIT_OK
                          : h->heap.full && !h->heap.failed ? ADIT_ELIMIT
                                                            : ADIT_ENOMEM;
    if (done && (!h->dom.html || !h->dom.head || !h->dom.body)) code = ADIT_EBAD;
    if (code == ADIT_OK && h->guard.templates) adit_pieces_place(&h->dom);
    if (code == ADIT_OK)
        *dom = &h->dom;
    else
        drop_objects(h);
    adit_heap_leave(before);
    return code;
}
