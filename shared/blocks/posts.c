/* Posts of a thread, comments among them, by the lines that sign them: a name beside a date. Where two
 * and more of these have text of their own below them, each begins a post. Without such lines, by the ids
 * that programs of forums give to posts. */
#include "blocks/blocks_impl.h"

#include <string.h>

enum {
    POSTS_MAX = 2000,
    BACK_MAX = 200,  /* items between the first and the last of what signs a post */
    REST_BYTES = 24, /* of such a line besides name and date: "commented", "25 points" */
    NAMED_MIN = 2 /* elements that are called comments or posts: a page with fewer is no thread */
};

/* Whether classes speak of comments, replies, posts in a forum. */
static bool is_thread(const struct adit_builder *b)
{
    const uint32_t wanted = UINT32_C(1) << ADIT_CAT_comment | UINT32_C(1) << ADIT_CAT_forum;
    size_t named = 0, articles = 0;
    for (size_t i = 0; i < b->t->n_els; i++) {
        const struct adit_el *el = &b->t->els[i];
        if (!(el->categories & wanted) && el->tag != ADIT_TAG_ARTICLE) continue;
        if (adit_is_post_type(adit_el_attr(b, el, ADIT_ATTR_ITEMTYPE))) return false;
        if (!adit_block_any_kept(b, el->leaf0, el->leaf1)) continue;
        named += (el->categories & wanted) != 0;
        articles += el->tag == ADIT_TAG_ARTICLE;
    }
    return named >= NAMED_MIN || articles >= NAMED_MIN;
}

/* Where the element begins, before items[item]; item, if that is far off. */
static uint32_t item_of(const struct adit_tape *t, uint32_t item, uint32_t node)
{
    for (uint32_t k = 1; k <= item && k < BACK_MAX; k++)
        if (t->items[item - k].node == node && t->items[item - k].kind == ADIT_ITEM_OPEN)
            return item - k;
    return item;
}

/* Where the date that begins at items[item] ends, and the name, if it stands behind the date. */
static uint32_t end_of_both(const struct adit_tape *t, uint32_t item, uint32_t name)
{
    uint32_t date = t->items[item].node, last = name > date ? name : date, end = item;
    for (uint32_t i = item; i < t->n_items && i - item < BACK_MAX; i++)
        if (t->items[i].node == last && t->items[i].kind == ADIT_ITEM_CLOSE) end = i;
    return end;
}

/* Whether kept text stands between items from and to, which does not sign anything. */
static bool any_text(const struct adit_builder *b, uint32_t *leaf, uint32_t from, uint32_t to)
{
    const struct adit_tape *t = b->t;
    bool any = false;
    for (; *leaf < t->n_leaves && t->leaves[*leaf].item0 < to; ++*leaf)
        any |= t->leaves[*leaf].keep && t->leaves[*leaf].item0 > from;
    return any;
}

/* Elements that state instants; 0: custom ones. */
static const bool may_date[ADIT_TAG_COUNT] = {
    [0] = true,          [ADIT_TAG_TIME] = true, [ADIT_TAG_SPAN] = true, [ADIT_TAG_ABBR] = true,
    [ADIT_TAG_A] = true,
};

static bool is_instant(const struct adit_builder *b, const struct adit_item *item)
{
    return item->kind == ADIT_ITEM_OPEN && may_date[item->tag] &&
           adit_meta_is_instant(b->dom, item->node);
}

static size_t count_instants(const struct adit_builder *b)
{
    size_t n = 0;
    for (uint32_t i = 0; i < b->t->n_items && n < POSTS_MAX; i++)
        n += is_instant(b, &b->t->items[i]);
    return n;
}

static size_t find_posts(struct adit_builder *b, size_t max, bool *ok)
{
    const struct adit_tape *t = b->t;
    uint32_t last = 0; /* the name that was found last */
    size_t n = 0;
    for (uint32_t i = 0; i < t->n_items && n < max && *ok; i++) {
        struct adit_post *p = &b->posts[n];
        if (!is_instant(b, &t->items[i])) continue;
        if (!adit_meta_signed(b->dom, t->items[i].node, b->arena, ok, &p->by)) continue;
        if (p->by.name_node == last) continue;
        last = p->by.name_node, p->opens = n == 0;
        p->item = last < t->items[i].node ? item_of(t, i, last) : i;
        uint32_t leaf = t->items[p->item].leaf;
        if (leaf < t->n_leaves && t->leaves[leaf].item0 < p->item) p->item = t->leaves[leaf].item0;
        p->end = end_of_both(t, i, last);
        n++;
    }
    return n;
}

bool adit_begins_post(const struct adit_builder *b, const struct adit_el *el)
{
    enum { POST_LETTERS = 60 }; /* of a post without a type: less is a card */
    if (!adit_block_any_kept(b, el->leaf0, el->leaf1)) return false;
    if (adit_is_post_type(adit_el_attr(b, el, ADIT_ATTR_ITEMTYPE))) return true;
    if (el->tag != ADIT_TAG_ARTICLE || b->kept[el->leaf1] - b->kept[el->leaf0] < POST_LETTERS)
        return false;
    uint32_t before = b->dom->nodes[adit_el_node(b->t, el)].prev;
    while (before && !adit_dom_is_element(b->dom, before)) before = b->dom->nodes[before].prev;
    return before && adit_dom_is(b->dom, before, ADIT_TAG_ARTICLE);
}

/* The digits of an id that is a post's: "post-123", "p123", "comment_7"; empty: it is none. */
static struct adit_str post_number(struct adit_str id)
{
    static const struct adit_str words[] = {
        ADIT_STR_INIT("post"),         ADIT_STR_INIT("p"),       ADIT_STR_INIT("comment"),
        ADIT_STR_INIT("message"),      ADIT_STR_INIT("msg"),     ADIT_STR_INIT("answer"),
        ADIT_STR_INIT("reply"),        ADIT_STR_INIT("m"),       ADIT_STR_INIT("pid"),
        ADIT_STR_INIT("post_message"), ADIT_STR_INIT("js-post"), ADIT_STR_INIT("post_content"),
    };
    size_t at = id.len;
    while (at && adit_is_digit(id.p[at - 1])) at--;
    struct adit_str digits = adit_str_sub(id, at, id.len), word = adit_str_sub(id, 0, at);
    if (word.len && (word.p[at - 1] == '-' || word.p[at - 1] == '_')) word.len--;
    bool post = digits.len && adit_block_among(word, words, ADIT_COUNT(words));
    return post ? digits : (struct adit_str){0};
}

/* Elements whose ids say that they are posts; of those of one number the outermost. None, if the page
 * says what is a post otherwise. */
static size_t find_named(struct adit_builder *b, size_t max)
{
    const struct adit_tape *t = b->t;
    struct adit_str last = {0};
    uint32_t end = 0; /* of the last one */
    size_t n = 0;
    for (uint32_t i = 1; i < t->n_els && n < max; i++) {
        const struct adit_el *el = &t->els[i];
        if (adit_is_post_type(adit_el_attr(b, el, ADIT_ATTR_ITEMTYPE))) return 0;
        struct adit_str number = post_number(adit_el_attr(b, el, ADIT_ATTR_ID));
        if (!number.len || !adit_block_any_kept(b, el->leaf0, el->leaf1)) continue;
        if (el->item0 < end && adit_str_eq(number, last)) continue;
        if (adit_begins_post(b, el)) return 0;
        last = number, end = el->item1;
        b->posts[n] = (struct adit_post){.item = el->item0, .end = el->item0, .el = i};
        b->posts[n].opens = n == 0, n++;
    }
    return n;
}

/* Of n posts those that have text; 0: their signatures stand below them, which is not understood. */
static size_t pack_posts(struct adit_builder *b, size_t n)
{
    uint32_t leaf = 0;
    size_t used = 0;
    bool before = n && any_text(b, &leaf, 0, b->posts[0].item);
    for (size_t i = 0; i < n; i++) {
        uint32_t next = i + 1 < n ? b->posts[i + 1].item : (uint32_t)b->t->n_items;
        bool any = any_text(b, &leaf, b->posts[i].end, next);
        if (i + 1 == n && !any && before) return 0;
        if (any) b->posts[used++] = b->posts[i];
    }
    return used;
}

void adit_blocks_posts(struct adit_builder *b)
{
    bool ok = true, thread = is_thread(b);
    size_t max = thread ? count_instants(b) : 0;
    if (b->forum && max < POSTS_MAX) max = POSTS_MAX;
    if (max < 2 || !(b->posts = adit_block_alloc(b, max, sizeof *b->posts))) return;
    size_t used = thread ? pack_posts(b, find_posts(b, max, &ok)) : 0;
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    if (used < 2 && b->forum) used = pack_posts(b, find_named(b, max));
    if (used > 1) b->n_posts = used;
}

const struct adit_rich *adit_post_voice(struct adit_builder *b, const struct adit_el *el)
{
    enum { BYLINE_BYTES = 120 }; /* bytes of a text that is a by-line */
    bool ok = true;
    struct adit_str said[2];
    adit_meta_voice(b->dom, adit_el_node(b->t, el), b->arena, &ok, &said[0], &said[1]);
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    for (uint32_t i = el->leaf0; i < el->leaf1 && said[0].len; i++) {
        const struct adit_leaf *leaf = &b->t->leaves[i];
        if (leaf->keep && leaf->text.len <= BYLINE_BYTES &&
            adit_str_find(leaf->text, said[0], 0) < leaf->text.len)
            return NULL;
    }
    return adit_block_voice(b, said[0], said[1], (struct adit_str){0});
}

bool adit_posts_in(const struct adit_builder *b, uint32_t item0, uint32_t item1)
{
    return b->post < b->n_posts && b->posts[b->post].item < item1 &&
           b->posts[b->n_posts - 1].item >= item0;
}

void adit_begin_post(struct adit_builder *b, uint32_t item)
{
    const struct adit_post *p = NULL;
    while (b->post < b->n_posts && b->posts[b->post].item <= item) p = &b->posts[b->post++];
    if (!p || (b->n && b->v[b->n - 1].type == ADIT_HEADING)) return;
    b->apart = true, b->voice = NULL;
    if (p->el && b->n)
        b->voice = adit_post_voice(b, &b->t->els[p->el]);
    else if (b->n || !p->opens)
        b->voice = adit_block_voice(b, p->by.name, p->by.date, adit_block_url(b, p->by.href));
}

void adit_sign_post(struct adit_builder *b, uint32_t leaf)
{
    const struct adit_post *p = &b->posts[b->post - 1];
    const struct adit_leaf *l = &b->t->leaves[leaf];
    struct adit_block *block = &b->v[b->n - 1];
    if (!block->voice || l->item1 <= p->item || l->item0 > p->end) return;
    const struct adit_str said[] = {p->by.name, p->by.said};
    size_t rest = l->text.len;
    for (size_t i = 0; i < ADIT_COUNT(said); i++)
        if (said[i].len && adit_str_find(l->text, said[i], 0) < l->text.len) rest -= said[i].len;
    if (rest > REST_BYTES) return;
    b->n_said++;
    b->apart = true, b->voice = block->voice;
    block->said = true, block->apart = false, block->voice = NULL;
}

const struct adit_rich *adit_block_voice(struct adit_builder *b, struct adit_str name,
                                         struct adit_str date, struct adit_str url)
{
    const struct adit_str said[] = {name, date};
    if (!b->rich || !name.len) return NULL;
    struct adit_rich *r = adit_block_alloc(b, 1, sizeof *r);
    struct adit_span *spans = adit_block_alloc(b, 2, sizeof *spans);
    struct adit_str text = adit_block_join(b, said, 2, ADIT_STR(" \xc2\xb7 "));
    if (!r || !spans) return NULL;
    *r = (struct adit_rich){.text = text, .spans = spans, .n_spans = date.len && url.len ? 2 : 1};
    spans[0] = (struct adit_span){.to = (uint32_t)name.len, .kind = ADIT_SPAN_STRONG};
    spans[1] = (struct adit_span){.from = (uint32_t)(text.len - date.len),
                                  .to = (uint32_t)text.len,
                                  .kind = ADIT_SPAN_LINK,
                                  .url = url};
    return r;
}
