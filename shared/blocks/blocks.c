/* The driver of block building, and what its builders share. */
#include "blocks/blocks_impl.h"
#include "tape/tape.h"

#include "text/text.h"

#include <string.h>

/* One row an element that is a block of its own kind. */
static bool (*const builders[ADIT_TAG_COUNT])(struct adit_builder *, const struct adit_el *) = {
    [ADIT_TAG_H1] = adit_build_heading,       [ADIT_TAG_H2] = adit_build_heading,
    [ADIT_TAG_H3] = adit_build_heading,       [ADIT_TAG_H4] = adit_build_heading,
    [ADIT_TAG_H5] = adit_build_heading,       [ADIT_TAG_H6] = adit_build_heading,
    [ADIT_TAG_UL] = adit_build_list,          [ADIT_TAG_OL] = adit_build_list,
    [ADIT_TAG_MENU] = adit_build_list,        [ADIT_TAG_DIR] = adit_build_list,
    [ADIT_TAG_DL] = adit_build_list,          [ADIT_TAG_PRE] = adit_build_code,
    [ADIT_TAG_LISTING] = adit_build_code,     [ADIT_TAG_XMP] = adit_build_code,
    [ADIT_TAG_PLAINTEXT] = adit_build_code,   [ADIT_TAG_TABLE] = adit_build_table,
    [ADIT_TAG_BLOCKQUOTE] = adit_build_quote,
};

static void (*const objects[ADIT_TAG_COUNT])(struct adit_builder *, const struct adit_item *) = {
    [ADIT_TAG_IMG] = adit_build_image,    [ADIT_TAG_PICTURE] = adit_build_image,
    [ADIT_TAG_VIDEO] = adit_build_media,  [ADIT_TAG_AUDIO] = adit_build_media,
    [ADIT_TAG_IFRAME] = adit_build_media, [ADIT_TAG_EMBED] = adit_build_media,
    [ADIT_TAG_OBJECT] = adit_build_media,
};

/* --- shared by the builders ------------------------------------------------------------------- */

void *adit_block_alloc(struct adit_builder *b, size_t n, size_t size)
{
    void *p = b->code == ADIT_OK ? adit_arena_zalloc(b->arena, n, size) : NULL;
    if (!p) adit_block_fail(b, ADIT_ENOMEM);
    return p;
}

/* How many blocks there is to be room for next. Where a page has many, most often each kept leaf is
 * one: an array that grew to so many step by step would be copied on its way, and too large. */
static size_t next_cap(const struct adit_builder *b)
{
    enum { FIRST = 64, MANY = 1024 };
    size_t cap = b->cap ? b->cap + b->cap / 2 : FIRST;
    size_t leaves = b->n_kept && cap >= MANY ? b->n_kept[b->t->n_leaves] + FIRST : 0;
    return cap > leaves ? cap : leaves;
}

/* Gives back the room for blocks that did not come. */
static void cut_blocks(struct adit_builder *b)
{
    if (!b->n || b->n == b->cap) return;
    struct adit_block *v = adit_arena_resize(b->arena, b->v, b->cap * sizeof *v, b->n * sizeof *v);
    if (v) b->v = v, b->cap = b->n;
}

struct adit_block *adit_block_add(struct adit_builder *b, enum adit_block_type type)
{
    if (b->n >= b->cap && b->code == ADIT_OK) {
        size_t cap = next_cap(b);
        struct adit_block *v =
            adit_arena_resize(b->arena, b->v, b->cap * sizeof *v, cap * sizeof *v);
        if (v)
            b->v = v, b->cap = cap;
        else
            adit_block_fail(b, ADIT_ENOMEM);
    }
    if (b->code != ADIT_OK) {
        b->dummy = (struct adit_block){0};
        return &b->dummy;
    }
    b->v[b->n] = (struct adit_block){.type = type, .apart = b->apart && b->n > b->n_said};
    if (b->apart) b->v[b->n].voice = b->voice;
    b->apart = false;
    if (b->box_end) {
        b->v[b->n].box = (uint16_t)b->n_boxes;
        b->v[b->n].heads = b->box_title && (type == ADIT_TEXT || type == ADIT_HEADING);
        b->box_title = false;
    }
    return &b->v[b->n++];
}

struct adit_str adit_block_join(struct adit_builder *b, const struct adit_str *parts, size_t n,
                                struct adit_str sep)
{
    size_t len = 0, used = 0;
    const struct adit_str *only = NULL;
    for (size_t i = 0; i < n; i++)
        if (parts[i].len) len += parts[i].len + sep.len, used++, only = &parts[i];
    if (used <= 1) return used ? *only : (struct adit_str){0};
    char *p = adit_block_alloc(b, len, 1);
    if (!p) return (struct adit_str){0};
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (!parts[i].len) continue;
        if (at) memcpy(p + at, sep.p, sep.len), at += sep.len;
        memcpy(p + at, parts[i].p, parts[i].len), at += parts[i].len;
    }
    return adit_str_of(p, at);
}

struct adit_str adit_block_leaves(struct adit_builder *b, uint32_t leaf0, uint32_t leaf1, bool all)
{
    const struct adit_leaf *leaves = b->t->leaves;
    const struct adit_str *only = NULL;
    size_t len = 0, at = 0;
    for (uint32_t i = leaf0; i < leaf1; i++)
        if (leaves[i].keep || all) len += leaves[i].text.len + 1, only = &leaves[i].text;
    if (!only || only->len + 1 == len) return only ? *only : (struct adit_str){0};
    char *p = adit_block_alloc(b, len, 1);
    for (uint32_t i = leaf0; i < leaf1 && p; i++) {
        if (!leaves[i].keep && !all) continue;
        if (at) p[at++] = '\n';
        memcpy(p + at, leaves[i].text.p, leaves[i].text.len), at += leaves[i].text.len;
    }
    return adit_str_of(p, at);
}

struct adit_str adit_block_line(struct adit_builder *b, struct adit_str s)
{
    if (adit_str_chr(s, '\n', 0) == s.len) return s;
    bool ok = true;
    struct adit_str line = adit_arena_dup(b->arena, s, &ok);
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    char *p = (char *)(uintptr_t)line.p;
    for (size_t i = 0; i < line.len; i++)
        if (p[i] == '\n') p[i] = ' ';
    return line;
}

bool adit_block_any_kept(const struct adit_builder *b, uint32_t leaf0, uint32_t leaf1)
{
    return b->n_kept[leaf1] > b->n_kept[leaf0];
}

bool adit_block_hidden(const struct adit_el *el)
{
    return el->hidden_up & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE);
}

struct adit_str adit_block_url(struct adit_builder *b, struct adit_str reference)
{
    struct adit_str url = {0};
    if (!reference.len || b->code != ADIT_OK || b->urls_len > b->urls_max) return url;
    enum adit_code code = adit_url_resolve(reference, b->base, b->arena, &url);
    if (code == ADIT_ENOMEM) adit_block_fail(b, code);
    if (code != ADIT_OK) return (struct adit_str){0};
    b->urls_len += url.len;
    return url;
}

bool adit_block_token(struct adit_str *rest, struct adit_str *token)
{
    size_t from = 0, to;
    while (from < rest->len && adit_is_space(rest->p[from])) from++;
    for (to = from; to < rest->len && !adit_is_space(rest->p[to]);) to++;
    *token = adit_str_sub(*rest, from, to);
    *rest = adit_str_sub(*rest, to, rest->len);
    return token->len > 0;
}

bool adit_block_among(struct adit_str s, const struct adit_str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (adit_str_ieq(s, list[i])) return true;
    return false;
}

bool adit_block_wordy(struct adit_str s)
{
    for (size_t at = 0; at < s.len;) {
        uint32_t c = adit_utf8_next(s, &at);
        if (c != '_' && adit_cp_is_word(c)) return true;
    }
    return false;
}

/* --- text and links --------------------------------------------------------------------------- */

/* The <a> of a leaf that has just one; 0 if it has none with text. */
static uint32_t link_of(const struct adit_builder *b, const struct adit_leaf *leaf)
{
    const struct adit_item *items = b->t->items;
    const struct adit_node *nodes = b->dom->nodes;
    for (uint32_t i = leaf->item0; i < leaf->item1; i++)
        if (items[i].kind == ADIT_ITEM_TEXT && items[i].leaf != ADIT_NONE &&
            items[i].tag & ADIT_IN_LINK)
            for (uint32_t n = nodes[items[i].node].parent; n; n = nodes[n].parent)
                if (adit_dom_is(b->dom, n, ADIT_TAG_A)) return n;
    return 0;
}

bool adit_block_same_page(const struct adit_builder *b, struct adit_str url)
{
    struct adit_str bare = adit_str_sub(url, 0, adit_str_chr(url, '#', 0));
    return bare.len < url.len && adit_str_eq(bare, b->url);
}

static void add_rel(struct adit_builder *b, struct adit_block *block, struct adit_str rel)
{
    struct adit_str rest = rel, token;
    size_t n = 0;
    while (n < ADIT_LIMIT_link_words && adit_block_token(&rest, &token)) n++;
    if (!n || !(block->items.v = adit_block_alloc(b, n, sizeof *block->items.v))) return;
    for (rest = rel; n-- && adit_block_token(&rest, &token);)
        block->items.v[block->items.n++] = token;
}

enum { LINK_TEXT_MAX = 500 };

/* Adds a line to the last link. Its room doubles, so that all copying together is linear. */
static void extend_link(struct adit_builder *b, struct adit_str line)
{
    struct adit_str *text = &b->v[b->n - 1].text;
    size_t len = text->len + 1 + line.len;
    if (len > b->link_room) {
        char *p = adit_block_alloc(b, 2 * len, 1);
        if (!p) return;
        *text = adit_str_of(memcpy(p, text->p, text->len), text->len);
        b->link_room = 2 * len;
    }
    char *end = (char *)(uintptr_t)text->p + text->len;
    *end = ' ';
    memcpy(end + 1, line.p, line.len);
    text->len = len;
}

void adit_build_leaf(struct adit_builder *b, uint32_t i)
{
    const struct adit_leaf *leaf = &b->t->leaves[i];
    uint32_t a = 0;
    struct adit_str url = {0};
    if (adit_build_code_leaf(b, i)) return;
    /* n_links is 0 where one <a> spans several leaves. */
    if (leaf->n_links <= 1 && leaf->len_link == leaf->len && (a = link_of(b, leaf)))
        url = adit_block_url(b, adit_dom_attr(b->dom, a, ADIT_ATTR_HREF));
    if (!url.len || adit_block_same_page(b, url)) {
        struct adit_block *text = adit_block_add(b, ADIT_TEXT);
        text->text = leaf->text;
        text->rich = adit_block_rich(b, i, i + 1, false);
        text->note = adit_note_of(b, i);
        if (b->post) adit_sign_post(b, i);
        return;
    }
    /* A link around several blocks is one. */
    if (a == b->last_link && b->n && b->v[b->n - 1].type == ADIT_LINK &&
        b->v[b->n - 1].text.len < LINK_TEXT_MAX && !adit_note_of(b, i)) {
        extend_link(b, adit_block_line(b, leaf->text));
        b->v[b->n - 1].rich = NULL;
        return;
    }
    b->last_link = a;
    b->link_room = 0;
    struct adit_block *block = adit_block_add(b, ADIT_LINK);
    block->text = adit_block_line(b, leaf->text);
    block->url = url;
    block->rich = adit_block_rich(b, i, i + 1, false);
    block->note = adit_note_of(b, i);
    add_rel(b, block, adit_dom_attr(b->dom, a, ADIT_ATTR_REL));
    if (b->post) adit_sign_post(b, i);
}

/* --- captions and what belongs to kept text --------------------------------------------------- */

enum { CAPTION_MAX = 600 };

bool adit_is_caption(const struct adit_builder *b, const struct adit_el *el)
{
    if (el->tag == ADIT_TAG_FIGCAPTION) return true;
    if (el->leaf1 - el->leaf0 != 1 || b->t->leaves[el->leaf0].len > CAPTION_MAX) return false;
    if (!(el->categories >> ADIT_CAT_caption & 1)) return false;
    struct adit_str class = adit_el_attr(b, el, ADIT_ATTR_CLASS);
    return class.len && adit_str_ifind(class, ADIT_STR("caption"), 0) < class.len;
}

static bool sum_letters(struct adit_builder *b)
{
    const struct adit_tape *t = b->t;
    b->letters = adit_block_alloc(b, t->n_leaves + 1, sizeof *b->letters);
    b->kept = adit_block_alloc(b, t->n_leaves + 1, sizeof *b->kept);
    b->n_kept = adit_block_alloc(b, t->n_leaves + 1, sizeof *b->n_kept);
    if (!b->letters || !b->kept || !b->n_kept) return false;
    /* First marks the captions, then sums. */
    uint32_t done = 0;
    for (size_t i = 0; i < t->n_els; i++) {
        const struct adit_el *el = &t->els[i];
        if (el->leaf1 <= done || !adit_is_caption(b, el)) continue;
        for (done = el->leaf0; done < el->leaf1; done++) b->letters[done + 1] = 1;
    }
    for (size_t i = 0; i < t->n_leaves; i++) {
        bool caption = b->letters[i + 1] || t->leaves[i].caption;
        uint32_t len = caption ? 0 : t->leaves[i].len, keep = t->leaves[i].keep;
        b->letters[i + 1] = b->letters[i] + len;
        b->kept[i + 1] = b->kept[i] + keep * len;
        b->n_kept[i + 1] = b->n_kept[i] + keep;
    }
    return true;
}

bool adit_object_kept(const struct adit_builder *b, const struct adit_item *item)
{
    const struct adit_el *els = b->t->els;
    if (adit_block_hidden(&els[item->el])) return false;
    for (uint32_t e = item->el; e != ADIT_NONE; e = els[e].parent) {
        uint32_t all = b->letters[els[e].leaf1] - b->letters[els[e].leaf0];
        uint32_t kept = b->kept[els[e].leaf1] - b->kept[els[e].leaf0];
        if (all) return kept && kept >= all - kept;
        /* A navigation bar or banner without text is not part of what stands around it. */
        uint16_t tag = els[e].tag;
        if (tag == ADIT_TAG_NAV || tag == ADIT_TAG_FOOTER || tag == ADIT_TAG_ASIDE) return false;
        if (tag == ADIT_TAG_HEADER && els[e].depth <= 2) return false;
    }
    return b->letters[b->t->n_leaves] == 0; /* a page without text: all of it */
}

/* --- the driver ------------------------------------------------------------------------------- */

bool adit_build_element(struct adit_builder *b, const struct adit_el *el)
{
    if (builders[el->tag]) return builders[el->tag](b, el);
    return el->heading && adit_build_heading(b, el);
}

void adit_build_objects(struct adit_builder *b, uint32_t item0, uint32_t item1)
{
    for (uint32_t i = item0; i < item1; i++) {
        const struct adit_item *item = &b->t->items[i];
        if (item->kind == ADIT_ITEM_OBJECT && objects[item->tag] && adit_object_kept(b, item))
            objects[item->tag](b, item);
    }
}

/* What takes a figure's caption. */
static bool takes_caption(const struct adit_builder *b, const struct adit_el *figure)
{
    for (uint32_t i = figure->item0; i < figure->item1; i++) {
        const struct adit_item *item = &b->t->items[i];
        if (item->kind == ADIT_ITEM_OBJECT && objects[item->tag]) return true;
        if (item->kind == ADIT_ITEM_OPEN && item->tag == ADIT_TAG_BLOCKQUOTE) return true;
    }
    return false;
}

struct adit_str adit_block_caption(struct adit_builder *b, uint32_t item)
{
    struct adit_str caption = b->caption;
    if (b->figure == ADIT_NONE || item > b->t->els[b->figure].item1) return (struct adit_str){0};
    b->caption = (struct adit_str){0};
    return caption;
}

static void open_figure(struct adit_builder *b, uint32_t e)
{
    const struct adit_el *els = b->t->els, *figure = &els[e];
    if (b->figure != ADIT_NONE || !takes_caption(b, figure)) return;
    for (uint32_t i = e + 1; i < b->t->n_els && els[i].item0 < figure->item1; i++)
        if (els[i].tag == ADIT_TAG_FIGCAPTION) {
            b->caption = adit_block_line(b, adit_block_leaves(b, els[i].leaf0, els[i].leaf1, true));
            b->caption_el = i;
            b->figure = e;
            return;
        }
}

/* Whether nothing of the element can be content. Elements without text are looked into: they may
 * hold images. */
static bool nothing_in(const struct adit_builder *b, const struct adit_el *el)
{
    if (el->leaf0 == el->leaf1) return adit_block_hidden(el);
    return b->letters[el->leaf1] > b->letters[el->leaf0] &&
           !adit_block_any_kept(b, el->leaf0, el->leaf1);
}

/* A custom element: perhaps a player. */
static void build_custom(struct adit_builder *b, const struct adit_item *item)
{
    struct adit_item at = *item;
    if (at.el == ADIT_NONE) at.el = b->el;
    if (adit_object_kept(b, &at)) adit_build_media(b, item);
}

/* An element begins at items[i]: where to go on. */
static uint32_t enter(struct adit_builder *b, uint32_t i)
{
    const struct adit_item *item = &b->t->items[i];
    uint32_t e = item->el;
    if (item->tag == 0) build_custom(b, item);
    if (e == ADIT_NONE) return i + 1;
    const struct adit_el *el = &b->t->els[e];
    b->el = e;
    if (nothing_in(b, el)) return el->item1;
    if (b->rich && !b->box_end) adit_build_box(b, el);
    if (!b->n_posts && adit_begins_post(b, el))
        b->apart = true, b->voice = b->n ? adit_post_voice(b, el) : NULL;
    if (b->figure != ADIT_NONE && el->item0 > b->t->els[b->figure].item1) b->figure = ADIT_NONE;
    if (el->tag == ADIT_TAG_FIGURE) open_figure(b, e);
    bool taken = el->tag == ADIT_TAG_FIGCAPTION && b->figure != ADIT_NONE;
    if (taken || adit_build_element(b, el)) {
        adit_build_links(b, el->item0, el->item1);
        while (b->post < b->n_posts && b->posts[b->post].item < el->item1) b->post++;
        return el->item1;
    }
    return i + 1;
}

/* Words of a text, no more than are enough; a long text says enough, whatever its words. */
static size_t words_of(struct adit_str text, size_t enough)
{
    enum { LONG = 16 << 10 };
    return text.len >= LONG ? enough : adit_words_within(text, enough);
}

/* Words of all blocks, as far as they tell whether the page says anything. */
static size_t count_words(const struct adit_builder *b, size_t enough)
{
    size_t words = 0;
    for (size_t i = 0; i < b->n && words < enough; i++) {
        words += words_of(b->v[i].text, enough - words);
        for (size_t k = 0; k < b->v[i].items.n && words < enough; k++)
            words += words_of(b->v[i].items.v[k], enough - words);
    }
    return words;
}

/* A page with hardly any content, because a script is to bring it: what the page tells machines of
 * itself. That is the data which the script gets, if it says more than the page; and for a page
 * without anything the text of its JSON-LD, or the longest of its descriptions. */
enum { FEW_WORDS = 50 };
static void build_told(struct adit_builder *b)
{
    const struct adit_meta *m = b->meta;
    const struct adit_str descriptions[] = {m->description, m->og_description, m->ld_description};
    bool ok = true;
    size_t words = count_words(b, FEW_WORDS);
    if (words >= FEW_WORDS) return;
    struct adit_str told = {0}, line;
    if (!b->n) told = adit_jsonld_body(m, b->arena, &ok);
    if (!told.len) {
        struct adit_states states;
        adit_meta_states(b->dom, &states);
        told = adit_state_body(&states, b->arena, &ok);
    }
    bool more = adit_words_within(told, FEW_WORDS) == FEW_WORDS;
    if (b->n && !more) told.len = 0;
    if (!b->n && !told.len)
        for (size_t i = 0; i < ADIT_COUNT(descriptions); i++)
            if (descriptions[i].len > told.len) told = descriptions[i];
    b->told = told.len > 0;
    if (b->told) b->n = 0;
    while (adit_str_split(&told, '\n', &line)) {
        line = adit_meta_squeeze(line, b->arena, &ok);
        if (adit_block_wordy(line)) adit_block_add(b, ADIT_TEXT)->text = line;
    }
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
}

/* What one byte of a page can say over and over (a base, a span) is bounded by the page's bytes, too:
 * a small page makes no large answer. Real pages use half of it at most. */
static void set_budgets(struct adit_builder *b)
{
    enum { URLS_FREE = 64 << 10, CELLS_FREE = 16 << 10, REPEATED_FREE = 32 << 10 };
    size_t urls = URLS_FREE + 2 * b->bytes, cells = CELLS_FREE + b->bytes / 8;
    size_t repeated = REPEATED_FREE + b->bytes / 2;
    b->urls_max = urls < ADIT_LIMIT_page_urls ? urls : ADIT_LIMIT_page_urls;
    b->cells_max = cells < ADIT_LIMIT_page_cells ? cells : ADIT_LIMIT_page_cells;
    b->repeated_max = repeated < ADIT_LIMIT_page_repeated ? repeated : ADIT_LIMIT_page_repeated;
}

enum adit_code adit_blocks_build(struct adit_builder *b)
{
    const struct adit_tape *t = b->t;
    uint32_t leaf = 0; /* the next one to write */
    set_budgets(b);
    b->figure = ADIT_NONE;
    adit_blocks_notes(b);
    if (!sum_letters(b)) return b->code;
    adit_blocks_posts(b);
    for (uint32_t i = 0; i < t->n_items && b->code == ADIT_OK;) {
        const struct adit_item *item = &t->items[i];
        if (i >= b->box_end) b->box_end = 0;
        if (b->post < b->n_posts && i >= b->posts[b->post].item) adit_begin_post(b, i);
        if (item->kind == ADIT_ITEM_OPEN) {
            i = enter(b, i);
            continue;
        }
        if (adit_item_leaf(item) != ADIT_NONE && item->leaf >= leaf) {
            leaf = item->leaf + 1;
            if (t->leaves[item->leaf].keep) {
                adit_build_leaf(b, item->leaf);
                adit_build_links(b, t->leaves[item->leaf].item0, t->leaves[item->leaf].item1);
            }
        } else if (item->kind == ADIT_ITEM_OBJECT) {
            adit_build_objects(b, i, i + 1);
        } else if (item->kind == ADIT_ITEM_CLOSE && item->el != ADIT_NONE) {
            b->el = t->els[item->el].parent;
        }
        i++;
    }
    b->box_end = 0;
    adit_build_asides(b);
    build_told(b);
    if (b->n) adit_build_described(b);
    cut_blocks(b);
    return b->code;
}

enum adit_code adit_blocks_finish(struct adit_builder *b, struct adit_page *page)
{
    if (b->n > ADIT_LIMIT_page_blocks) adit_blocks_fit_links(b, ADIT_LIMIT_page_blocks);
    if (b->code == ADIT_OK && b->n > ADIT_LIMIT_page_blocks)
        adit_blocks_merge(b, ADIT_LIMIT_page_blocks);
    page->blocks = b->v, page->n_blocks = b->n;
    page->boxes = b->boxes, page->n_boxes = b->n_boxes;
    return b->code;
}
