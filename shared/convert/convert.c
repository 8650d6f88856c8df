/* The converter: charset, parser, metadata and tape, selection, blocks: a table of steps. */
#include "convert/convert.h"

#include "codec/codec.h"
#include "blocks/blocks.h"
#include "tape/tape.h"
#include "text/text.h"

enum {
    HELD_MAX = 16 << 20,     /* bytes that are kept for the next page: more is given back */
    TREE_MAX = 8 << 20,      /* bytes from which on tree and tape go before blocks are merged */
    DECODER_ROOM = 64 << 10, /* bytes that decoding reserves beyond what it writes */
    DESCRIPTION_MAX = 200
};

/* All memory of a converter, counted. */
struct budget {
    struct adit_mem host;
    size_t held; /* bytes */
    bool full;   /* ADIT_LIMIT_page_memory was reached */
};

struct adit_converter {
    struct budget budget;
    struct adit_mem mem; /* the host's, by way of the budget */
    struct adit_html *html;
    struct adit_arena arena;
    struct adit_buf utf8;
    struct adit_classes classes;
    struct adit_page page;
};

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    struct budget *b = ctx;
    if (new_len > old_len && new_len - old_len > ADIT_LIMIT_page_memory - b->held) {
        b->full = true;
        return NULL;
    }
    void *made = b->host.resize(b->host.ctx, p, old_len, new_len);
    if (made || !new_len) b->held = b->held - old_len + new_len;
    return made;
}

struct adit_converter *adit_converter_new(struct adit_mem mem)
{
    struct adit_converter *c = mem.resize(mem.ctx, NULL, 0, sizeof *c);
    if (!c) return NULL;
    *c = (struct adit_converter){.budget.host = mem, .mem = {resize, &c->budget}};
    c->html = adit_html_new(c->mem);
    adit_arena_init(&c->arena, c->mem, ADIT_LIMIT_page_memory);
    adit_buf_init(&c->utf8, c->mem, ADIT_LIMIT_page_bytes + DECODER_ROOM);
    adit_classes_init(&c->classes);
    if (c->html) return c;
    adit_converter_free(c);
    return NULL;
}

void adit_converter_free(struct adit_converter *c)
{
    if (!c) return;
    if (c->html) adit_html_free(c->html);
    adit_arena_free(&c->arena);
    adit_buf_free(&c->utf8);
    c->budget.host.resize(c->budget.host.ctx, c, sizeof *c, 0);
}

/* --- the steps up to the selection ------------------------------------------------------------ */

static enum adit_code decode(struct adit_draft *d)
{
    bool ok = true;
    if (d->body.len > ADIT_LIMIT_page_bytes)
        return adit_fail(d->err, ADIT_ELIMIT, "the page is too large", 0);
    struct adit_str url = adit_arena_dup(d->arena, d->source.url, &ok);
    if (!ok) return ADIT_ENOMEM;
    enum adit_code code = adit_url_page(url, d->arena, &d->url);
    if (code == ADIT_EBAD)
        return adit_fail(d->err, code, "the URL is not an absolute http or https URL", 0);
    ADIT_TRY(code);
    return adit_charset_decode(d->body, adit_content_type_charset(d->source.content_type), d->url,
                               &d->converter->utf8, &d->text, &d->charset);
}

static enum adit_code parse(struct adit_draft *d)
{
    return adit_html_parse(d->converter->html, d->text, &d->dom);
}

static struct adit_str longest_description(const struct adit_meta *m)
{
    struct adit_str longest = m->description;
    if (m->og_description.len > longest.len) longest = m->og_description;
    return m->ld_description.len > longest.len ? m->ld_description : longest;
}

static enum adit_code collect(struct adit_draft *d)
{
    struct adit_str base;
    bool ok = true;
    ADIT_TRY(
        adit_meta_collect(&d->meta, d->dom, d->url, &d->converter->classes, &d->tape, d->arena));
    ADIT_TRY(adit_meta_base(&d->meta, d->url, d->arena, &base));
    d->hints = (struct adit_page_hints){
        .titles = {d->meta.title_tag, d->meta.og_title, d->meta.twitter_title},
        .description = longest_description(&d->meta),
        .og_type = d->meta.og_type,
        .body = adit_jsonld_body(&d->meta, d->arena, &ok),
        .url = d->url,
        .kinds = d->meta.kinds,
    };
    if (!ok) return ADIT_ENOMEM;
    return adit_url_parse(base, NULL, d->arena, &d->base);
}

/* A formula on lines of its own belongs to the text around it, whatever its letters look like. */
static void keep_formulas(struct adit_tape *t)
{
    for (size_t i = 0; i < t->n_leaves; i++) {
        if (!t->leaves[i].formula || t->leaves[i].keep) continue;
        t->leaves[i].keep =
            (i && t->leaves[i - 1].keep) || (i + 1 < t->n_leaves && t->leaves[i + 1].keep);
    }
}

static enum adit_code choose(struct adit_draft *d)
{
    struct adit_tape *t = &d->tape;
    /* For the whole body, too: what kind of page this is decides where its title comes from. */
    ADIT_TRY(adit_tape_select(t, &d->hints, d->arena, &d->look));
    keep_formulas(t);
    for (size_t i = 0; d->source.whole && i < t->n_leaves; i++) {
        t->leaves[i].keep = !adit_leaf_unseen(&t->leaves[i]);
        t->leaves[i].caption = false;
    }
    return ADIT_OK;
}

/* --- the title's heading ---------------------------------------------------------------------- */

/* A title that is part of the content stays there once, as its first heading. */
static void title_once(struct adit_tape *t, struct adit_str title)
{
    bool seen = false;
    for (uint32_t i = 0; i < t->n_els; i++) {
        const struct adit_el *el = &t->els[i];
        if (!adit_heading_level(el->tag) || el->leaf1 != el->leaf0 + 1) continue;
        struct adit_leaf *leaf = &t->leaves[el->leaf0];
        if (!leaf->keep || !adit_page_says_title(leaf->text, title)) continue;
        leaf->keep = !seen;
        seen = true;
    }
}

/* --- the page --------------------------------------------------------------------------------- */

/* The end of the last sentence within DESCRIPTION_MAX characters of text, 0 if none ends there;
 * *end is where these characters end. */
static size_t sentence_end(struct adit_str text, size_t *end)
{
    size_t cut = 0;
    *end = 0;
    for (size_t n = 0; *end < text.len && n < DESCRIPTION_MAX; n++) {
        uint32_t c = adit_utf8_next(text, end);
        bool stop = c == '.' || c == '!' || c == '?';
        bool over = *end == text.len || adit_is_space(text.p[*end]);
        if ((stop && over) || c == 0x3002 || c == 0xFF01 || c == 0xFF1F) cut = *end;
    }
    return cut;
}

/* Without a description: the first text with a sentence (a date or a name is none), cut at its end.
 */
static struct adit_str first_text(struct adit_builder *b, const struct adit_page *page)
{
    struct adit_str first = {0};
    size_t end;
    for (size_t i = 0; i < page->n_blocks; i++) {
        struct adit_str text = page->blocks[i].text;
        if (page->blocks[i].type != ADIT_TEXT) continue;
        size_t cut = sentence_end(text, &end);
        if (cut) return adit_block_line(b, adit_str_sub(text, 0, cut));
        if (!first.len) first = text;
    }
    if (!first.len) return first;
    sentence_end(first, &end);
    if (end == first.len) return adit_block_line(b, first);
    size_t word = end;
    while (word && !adit_is_space(first.p[word])) word--;
    return adit_block_line(b, adit_str_sub(first, 0, word ? word : end));
}

/* The page lives longer than the caller's strings. */
static enum adit_code keep_source(struct adit_page_source *f, struct adit_arena *arena)
{
    struct adit_str *strings[] = {&f->url,           &f->content_type, &f->content_language,
                                  &f->last_modified, &f->robots,       &f->date,
                                  &f->language};
    bool ok = true;
    for (size_t i = 0; i < ADIT_COUNT(strings); i++)
        *strings[i] = adit_arena_dup(arena, *strings[i], &ok);
    return ok ? ADIT_OK : ADIT_ENOMEM;
}

static enum adit_code resolve(struct adit_draft *d)
{
    *d->page = (struct adit_page){.url = d->url, .charset = d->charset, .look = d->look};
    ADIT_TRY(keep_source(&d->source, d->arena));
    ADIT_TRY(adit_meta_resolve(&d->meta, &d->source, &d->tape, d->arena, d->page));
    title_once(&d->tape, d->page->title);
    return ADIT_OK;
}

/* Gives back what only the blocks were made from, if it is much: texts stay. */
static void drop_tape(struct adit_draft *d)
{
    struct adit_tape *t = &d->tape;
    if (d->converter->budget.held <= TREE_MAX) return;
    adit_arena_drop(d->arena, t->items, t->n_items * sizeof *t->items);
    adit_arena_drop(d->arena, t->els, t->n_els * sizeof *t->els);
    adit_arena_drop(d->arena, t->leaves, t->n_leaves * sizeof *t->leaves);
    *t = (struct adit_tape){0};
    adit_html_drop_tree(d->converter->html);
}

/* Whether a body of hardly any words asks for a script, in <noscript>. */
static bool waits_for_script(const struct adit_tape *t)
{
    enum { LETTERS_MAX = 300 };
    uint64_t seen = 0, asked = 0;
    for (size_t i = 0; i < t->n_leaves && seen <= LETTERS_MAX; i++)
        *(t->leaves[i].hidden & ADIT_HIDDEN_NOSCRIPT ? &asked : &seen) += t->leaves[i].len;
    return asked && seen <= LETTERS_MAX;
}

static enum adit_code build(struct adit_draft *d)
{
    struct adit_page *p = d->page;
    struct adit_builder b = {
        .t = &d->tape,
        .dom = d->dom,
        .meta = &d->meta,
        .arena = d->arena,
        .base = &d->base,
        .url = d->url,
        .title = p->title,
        .bytes = d->text.len,
        .forum = d->look.kind == ADIT_PAGE_FORUM,
        .rich = d->source.rich,
        .links = d->source.links,
    };
    ADIT_TRY(adit_blocks_build(&b));
    p->look.needs_script = d->meta.n_scripts && (b.told || waits_for_script(&d->tape));
    drop_tape(d);
    ADIT_TRY(adit_blocks_finish(&b, p));
    if (!p->description.len) p->description = first_text(&b, p);
    return b.code;
}

/* --- all of it -------------------------------------------------------------------------------- */

const struct adit_convert_step adit_convert_steps[ADIT_STEPS] = {
    [ADIT_STEP_CHARSET] = {"charset", decode},
    [ADIT_STEP_PARSE] = {"parser", parse},
    [ADIT_STEP_WALK] = {"metadata, tape", collect},
    [ADIT_STEP_SELECTION] = {"selection", choose},
    [ADIT_STEP_TITLE] = {"title, author, dates", resolve},
    [ADIT_STEP_BLOCKS] = {"blocks", build},
};

void adit_convert_begin(struct adit_converter *c, struct adit_str body,
                        const struct adit_page_source *source, struct adit_draft *d,
                        struct adit_error *err)
{
    adit_arena_reset(&c->arena);
    adit_classes_reset(&c->classes);
    *d = (struct adit_draft){.converter = c,
                             .body = body,
                             .source = *source,
                             .err = err,
                             .arena = &c->arena,
                             .page = &c->page};
}

static enum adit_code run(struct adit_draft *d, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        ADIT_TRY(adit_convert_steps[i].run(d));
        if (d->dom) ADIT_TRY(adit_dom_code(d->dom));
    }
    return ADIT_OK;
}

enum adit_code adit_convert_prepare(struct adit_converter *c, struct adit_str body,
                                    const struct adit_page_source *source, struct adit_draft *d,
                                    struct adit_error *err)
{
    adit_convert_begin(c, body, source, d, err);
    return run(d, 0, ADIT_STEP_SELECTION);
}

/* Of a large page only what it says stays; tree, tape and scores go. */
static enum adit_code give_back(struct adit_converter *c)
{
    struct adit_arena page;
    if (c->budget.held <= HELD_MAX) return ADIT_OK;
    adit_arena_init(&page, c->mem, ADIT_LIMIT_page_memory);
    enum adit_code code = adit_page_move(&c->page, &page);
    adit_html_rest(c->html);
    adit_buf_free(&c->utf8);
    adit_arena_free(&c->arena);
    c->arena = page;
    return code;
}

enum adit_code adit_convert(struct adit_converter *c, struct adit_str body,
                            const struct adit_page_source *source, const struct adit_page **page,
                            struct adit_error *err)
{
    struct adit_draft d;
    *page = NULL;
    adit_convert_begin(c, body, source, &d, err);
    c->budget.full = false;
    enum adit_code code = run(&d, 0, ADIT_STEPS);
    if (code == ADIT_OK) code = adit_page_own(&c->page, &c->arena, body);
    if (code != ADIT_OK) c->page = (struct adit_page){0}; /* half made */
    enum adit_code given = give_back(c);
    if (code == ADIT_OK) code = given;
    if (code == ADIT_OK) *page = d.page;
    return code == ADIT_ENOMEM && c->budget.full ? ADIT_ELIMIT : code;
}
