/* Images: the address among those that lazy loading and srcset offer, alt text and caption. */
#include "blocks/blocks_impl.h"
#include "tape/tape.h"

/* Width and height of tracking pixels, icons and pictures of who writes. */
enum { PIXEL_MAX = 3, ICON_MAX = 32, AVATAR_MAX = 150 };

/* --- address ---------------------------------------------------------------------------------- */

/* The widest candidate of a srcset (HTML, "parse a srcset attribute"; commas inside URLs stay). */
static struct adit_str widest(struct adit_str set)
{
    struct adit_str best = {0};
    uint64_t best_size = 0;
    size_t at = 0;
    while (at < set.len) {
        while (at < set.len && (adit_is_space(set.p[at]) || set.p[at] == ',')) at++;
        size_t from = at;
        while (at < set.len && !adit_is_space(set.p[at])) at++;
        struct adit_str url = adit_str_sub(set, from, at);
        bool bare = url.len && url.p[url.len - 1] == ',';
        while (url.len && url.p[url.len - 1] == ',') url.len--;
        size_t end = bare ? at : adit_str_chr(set, ',', at);
        struct adit_str descriptor = adit_str_trim(adit_str_sub(set, at, end));
        at = end;
        uint64_t size = 1, whole;
        size_t digits = 0;
        while (digits < descriptor.len && adit_is_digit(descriptor.p[digits])) digits++;
        if (adit_str_u64(adit_str_sub(descriptor, 0, digits), &whole)) size = whole;
        if (url.len && size > best_size) best = url, best_size = size;
    }
    return best;
}

/* The attributes that may hold the address, best first: with lazy loading src is a placeholder. */
static const struct {
    enum adit_attr attr;
    bool set; /* a list of candidates */
} addresses[] = {
    {ADIT_ATTR_DATA_SRCSET, true},
    {ADIT_ATTR_DATA_LAZY_SRCSET, true},
    {ADIT_ATTR_DATA_SRC, false},
    {ADIT_ATTR_DATA_LAZY_SRC, false},
    {ADIT_ATTR_DATA_ORIGINAL, false},
    {ADIT_ATTR_SRCSET, true},
    {ADIT_ATTR_SRC, false},
    /* Where src is a placeholder, by the names of loaders: */
    {ADIT_ATTR_DATA_LAZY, false},
    {ADIT_ATTR_DATA_LAZYLOAD, false},
    {ADIT_ATTR_DATA_ORIGINAL_SRC, false},
    {ADIT_ATTR_DATA_IMAGE_LOADER, false},
    {ADIT_ATTR_DATA_IMAGE_SRC, false},
    {ADIT_ATTR_DATA_IMG_SRC, false},
    {ADIT_ATTR_DATA_ACTUALSRC, false},
    {ADIT_ATTR_DATA_HI_RES_SRC, false},
    {ADIT_ATTR_DATA_FULL_SRC, false},
    {ADIT_ATTR_DATA_LARGE_FILE, false},
    {ADIT_ATTR_DATA_ORIG_FILE, false},
    {ADIT_ATTR_DATA_ECHO, false},
    {ADIT_ATTR_DATA_IMAGE, false},
};

static bool is_counter(struct adit_str url);

static struct adit_str address(struct adit_builder *b, uint32_t node)
{
    struct adit_str placeholder = {0};
    for (size_t i = 0; i < ADIT_COUNT(addresses); i++) {
        struct adit_str v = adit_dom_attr(b->dom, node, addresses[i].attr);
        if (addresses[i].set) v = widest(v);
        if (!v.len) continue;
        struct adit_str url = adit_block_url(b, v);
        if (url.len && !is_counter(url)) return url;
        if (url.len) placeholder = url;
    }
    return placeholder;
}

/* --- what is no image for readers ------------------------------------------------------------- */

/* Pixels of a width or height attribute ("24", "24px"); 0 if it does not say. */
static uint64_t pixels(const struct adit_builder *b, uint32_t node, enum adit_attr attr)
{
    struct adit_str v = adit_str_trim(adit_dom_attr(b->dom, node, attr));
    size_t n = 0;
    uint64_t size;
    while (n < v.len && adit_is_digit(v.p[n])) n++;
    if (n < v.len && !adit_str_ieq(adit_str_sub(v, n, v.len), ADIT_STR("px"))) return 0;
    return adit_str_u64(adit_str_sub(v, 0, n), &size) ? size + 1 : 0;
}

/* A small picture of a person who writes here, not of what is written about. */
static bool is_avatar(const struct adit_builder *b, uint32_t node, struct adit_str class)
{
    static const struct adit_str places[] = {ADIT_STR_INIT("/avatars/"), ADIT_STR_INIT("//avatars"),
                                             ADIT_STR_INIT("gravatar.com/avatar/")};
    uint32_t up = b->dom->nodes[node].parent;
    if (adit_str_ifind(class, ADIT_STR("avatar"), 0) < class.len) return true;
    if (adit_dom_is(b->dom, up, ADIT_TAG_PICTURE)) up = b->dom->nodes[up].parent;
    class = adit_dom_attr(b->dom, up, ADIT_ATTR_CLASS);
    if (adit_str_ifind(class, ADIT_STR("avatar"), 0) < class.len) return true;
    struct adit_str src = adit_dom_attr(b->dom, node, ADIT_ATTR_SRC);
    for (size_t i = 0; i < ADIT_COUNT(places); i++)
        if (adit_str_ifind(src, places[i], 0) < src.len) return true;
    return false;
}

static bool is_decoration(const struct adit_builder *b, uint32_t node)
{
    struct adit_marks m;
    adit_marks_read(b->dom, node, ADIT_TAG_IMG, &m);
    if (m.hidden & (ADIT_HIDDEN_ATTR | ADIT_HIDDEN_STYLE)) return true;
    uint64_t w = pixels(b, node, ADIT_ATTR_WIDTH), h = pixels(b, node, ADIT_ATTR_HEIGHT);
    if ((w && w <= PIXEL_MAX) || (h && h <= PIXEL_MAX)) return true;
    /* One side may be left to the browser. */
    if ((w || h) && w <= ICON_MAX + 1 && h <= ICON_MAX + 1) return true;
    struct adit_str class = adit_dom_attr(b->dom, node, ADIT_ATTR_CLASS);
    if (w <= AVATAR_MAX + 1 && h <= AVATAR_MAX + 1 && is_avatar(b, node, class)) return true;
    return adit_str_ifind(class, ADIT_STR("emoji"), 0) < class.len;
}

static struct adit_str file_name(struct adit_str url)
{
    size_t from = url.len;
    while (from && url.p[from - 1] != '/') from--;
    return adit_str_sub(url, from, url.len);
}

/* Addresses of pictures that count readers, fill space, or stand for a network. */
static bool is_counter(struct adit_str url)
{
    static const struct adit_str names[] = {
        ADIT_STR_INIT("/pixel"),        ADIT_STR_INIT("//pixel."),   ADIT_STR_INIT("/b.gif?"),
        ADIT_STR_INIT("/spacer.gif"),   ADIT_STR_INIT("/blank.gif"), ADIT_STR_INIT("/clear.gif"),
        ADIT_STR_INIT("/1x1."),         ADIT_STR_INIT("/beacon"),    ADIT_STR_INIT("/cleardot."),
        ADIT_STR_INIT("/transparent."), ADIT_STR_INIT("/counter."),  ADIT_STR_INIT("/tracking"),
    };
    static const struct adit_str badges[] = {ADIT_STR_INIT("icon"), ADIT_STR_INIT("social"),
                                             ADIT_STR_INIT("share"), ADIT_STR_INIT("logo")};
    static const struct adit_str networks[] = {
        ADIT_STR_INIT("facebook"), ADIT_STR_INIT("twitter"),   ADIT_STR_INIT("instagram"),
        ADIT_STR_INIT("linkedin"), ADIT_STR_INIT("pinterest"), ADIT_STR_INIT("whatsapp"),
    };
    for (size_t at = 0; (at = adit_str_chr(url, '/', at)) + 1 < url.len; at++) {
        char second = adit_lower(url.p[at + 1]);
        for (size_t i = 0; i < ADIT_COUNT(names); i++)
            if (names[i].p[1] == second &&
                adit_str_istarts(adit_str_of(url.p + at, url.len - at), names[i]))
                return true;
    }
    if (adit_str_ifind(url, ADIT_STR("zoneid="), 0) < url.len) return true;
    url = file_name(url);
    bool badge = false;
    for (size_t i = 0; i < ADIT_COUNT(badges); i++)
        badge |= adit_str_ifind(url, badges[i], 0) < url.len;
    for (size_t i = 0; badge && i < ADIT_COUNT(networks); i++)
        if (adit_str_ifind(url, networks[i], 0) < url.len) return true;
    return false;
}

/* A logo: its link leads to the front page of a site. */
static bool leads_home(struct adit_builder *b, uint32_t node)
{
    uint32_t a = b->dom->nodes[node].parent;
    if (!adit_dom_is(b->dom, a, ADIT_TAG_A)) return false;
    struct adit_arena_mark mark = adit_arena_mark(b->arena);
    struct adit_str url = adit_block_url(b, adit_dom_attr(b->dom, a, ADIT_ATTR_HREF));
    size_t host = adit_str_find(url, ADIT_STR("://"), 0) + 3;
    bool home = host < url.len && adit_str_chr(url, '/', host) >= url.len - 1;
    adit_arena_release(b->arena, mark);
    return home;
}

/* Room for one more address in the set: open addressing, at most half full. */
static bool grow_seen(struct adit_builder *b)
{
    if (b->n_seen * 2 < b->cap_seen) return true;
    size_t cap = b->cap_seen ? b->cap_seen * 2 : 64;
    uint64_t *seen = adit_block_alloc(b, cap, sizeof *seen);
    if (!seen) return false;
    for (size_t i = 0; i < b->cap_seen; i++) {
        if (!b->seen[i]) continue;
        size_t k = (size_t)b->seen[i] & (cap - 1);
        while (seen[k]) k = (k + 1) & (cap - 1);
        seen[k] = b->seen[i];
    }
    b->seen = seen, b->cap_seen = cap;
    return true;
}

/* Remembers url; false if it was there. */
static bool is_new(struct adit_builder *b, struct adit_str url)
{
    uint64_t h = adit_str_hash(url) | 1;
    size_t k = (size_t)h & (b->cap_seen - 1), steps = 0;
    for (; b->seen[k]; k = (k + 1) & (b->cap_seen - 1))
        if (b->seen[k] == h || ++steps > 64) return false;
    b->seen[k] = h;
    b->n_seen++;
    return true;
}

/* <noscript> after a lazy image repeats it for browsers without scripts. */
static bool repeats(const struct adit_builder *b, const struct adit_item *item)
{
    bool noscript = false;
    uint32_t e = item->el;
    for (int up = 0; up < 3 && e != ADIT_NONE; up++, e = b->t->els[e].parent)
        noscript |= b->t->els[e].tag == ADIT_TAG_NOSCRIPT;
    return noscript && b->n && b->v[b->n - 1].type == ADIT_IMAGE && b->image_leaf == item->leaf;
}

/* The <figure> around an image, or 0. */
static uint32_t figure_of(const struct adit_builder *b, const struct adit_item *item)
{
    enum { CLIMB_MAX = 8 };
    uint32_t e = item->el;
    for (int up = 0; up < CLIMB_MAX && e != ADIT_NONE; up++, e = b->t->els[e].parent)
        if (b->t->els[e].tag == ADIT_TAG_FIGURE) return e;
    return 0;
}

/* A file name without its type, and without a size that ends it: "a-large.webp" and "a-320x200.jpg" are
 * "a". */
static struct adit_str stem(struct adit_str url)
{
    static const struct adit_str sizes[] = {
        ADIT_STR_INIT("large"), ADIT_STR_INIT("medium"), ADIT_STR_INIT("small"),
        ADIT_STR_INIT("thumb"), ADIT_STR_INIT("full"),   ADIT_STR_INIT("scaled"),
    };
    struct adit_str name = file_name(adit_str_sub(url, 0, adit_str_chr(url, '?', 0)));
    size_t end = name.len;
    while (end && name.p[end - 1] != '.') end--;
    if (end) name.len = end - 1;
    size_t from = name.len;
    while (from && adit_str_chr(ADIT_STR("-_@"), name.p[from - 1], 0) == 3) from--;
    if (!from) return name;
    struct adit_str tail = adit_str_sub(name, from, name.len);
    size_t digits = 0;
    while (digits < tail.len && adit_is_digit(tail.p[digits])) digits++;
    bool size = digits && digits < tail.len && adit_str_chr(ADIT_STR("xw"), tail.p[digits], 0) < 2;
    for (size_t i = 0; i < ADIT_COUNT(sizes); i++) size |= adit_str_ieq(tail, sizes[i]);
    return size ? adit_str_sub(name, 0, from - 1) : name;
}

/* Whether the image is the one before it in the same figure once more, in another size or format. */
static bool is_same(const struct adit_builder *b, uint32_t figure, struct adit_str url,
                    struct adit_str alt)
{
    const struct adit_block *last = b->n ? &b->v[b->n - 1] : NULL;
    if (!last || last->type != ADIT_IMAGE || !figure || figure != b->image_figure) return false;
    return (alt.len && adit_str_eq(alt, last->alt)) || adit_str_eq(stem(url), stem(last->url));
}

/* --- alt and caption -------------------------------------------------------------------------- */

/* The caption behind an image that is not in a <figure>: the next leaf, in the same container. It
 * is no body text then. */
static struct adit_str class_caption(struct adit_builder *b, const struct adit_item *item,
                                     uint32_t *el)
{
    const struct adit_tape *t = b->t;
    uint32_t at = (uint32_t)(item - t->items);
    if (item->leaf >= t->n_leaves) return (struct adit_str){0};
    struct adit_leaf *leaf = &t->leaves[item->leaf];
    const struct adit_el *owner = &t->els[leaf->el];
    if (leaf->item0 < at || owner->parent == ADIT_NONE || owner->tag == ADIT_TAG_FIGCAPTION ||
        !(leaf->caption || adit_is_caption(b, owner)))
        return (struct adit_str){0};
    const struct adit_el *around = &t->els[owner->parent];
    if (around->item0 > at || around->item1 < at) return (struct adit_str){0};
    leaf->keep = false;
    *el = leaf->el;
    return adit_block_line(b, leaf->text);
}

/* The caption of element el as a text with structure. */
static const struct adit_rich *rich_caption(struct adit_builder *b, struct adit_str caption,
                                            uint32_t el)
{
    const struct adit_el *e = &b->t->els[el];
    if (!b->rich || !caption.len) return NULL;
    const struct adit_rich *rich = adit_block_rich(b, e->leaf0, e->leaf1, true);
    struct adit_rich *plain = rich ? NULL : adit_block_alloc(b, 1, sizeof *plain);
    if (plain) plain->text = caption;
    return rich ? rich : plain;
}

static bool ends_sentence(struct adit_str s)
{
    return s.len && adit_str_chr(ADIT_STR(".!?:;"), s.p[s.len - 1], 0) < 5;
}

/* The caption stands in place of an empty alt and behind another. */
static struct adit_str alt_text(struct adit_builder *b, struct adit_str alt,
                                struct adit_str caption)
{
    if (adit_str_find(alt, caption, 0) < alt.len) return alt;
    if (!alt.len || adit_str_find(caption, alt, 0) < caption.len) return caption;
    struct adit_str both[2] = {alt, caption};
    return adit_block_join(b, both, 2, ends_sentence(alt) ? ADIT_STR(" ") : ADIT_STR(". "));
}

/* --- the block -------------------------------------------------------------------------------- */

/* The <img> of a <picture>, or the <source> with an address if there is none. */
static uint32_t inner_image(const struct adit_builder *b, uint32_t picture)
{
    uint32_t source = 0, n = picture;
    while ((n = adit_dom_next(b->dom, n, picture, true))) {
        if (adit_dom_is(b->dom, n, ADIT_TAG_IMG)) return n;
        if (!source && adit_dom_is(b->dom, n, ADIT_TAG_SOURCE) &&
            (adit_dom_has(b->dom, n, ADIT_ATTR_SRCSET) ||
             adit_dom_has(b->dom, n, ADIT_ATTR_DATA_SRCSET)))
            source = n;
    }
    return source;
}

/* Whether browsers of today would take the source wherever they are: no media query, and a format
 * that they all show. */
static bool is_common(const struct adit_builder *b, uint32_t source)
{
    static const struct adit_str types[] = {ADIT_STR_INIT("image/webp"),
                                            ADIT_STR_INIT("image/jpeg"), ADIT_STR_INIT("image/png"),
                                            ADIT_STR_INIT("image/gif")};
    struct adit_str type = adit_str_trim(adit_dom_attr(b->dom, source, ADIT_ATTR_TYPE));
    if (adit_dom_has(b->dom, source, ADIT_ATTR_MEDIA)) return false;
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_str_ieq(type, types[i])) return true;
    return !type.len;
}

static struct adit_str picture_source(struct adit_builder *b, uint32_t picture, bool common)
{
    uint32_t n = picture;
    while ((n = adit_dom_next(b->dom, n, picture, true)))
        if (adit_dom_is(b->dom, n, ADIT_TAG_SOURCE) && (!common || is_common(b, n))) {
            struct adit_str url = address(b, n);
            if (url.len) return url;
        }
    return (struct adit_str){0};
}

/* The address of an image: in a <picture> the first source that all browsers take. */
static struct adit_str best_address(struct adit_builder *b, uint32_t img, uint32_t picture)
{
    struct adit_str url = {0};
    if (picture) url = picture_source(b, picture, true);
    if (!url.len) url = address(b, img);
    if (!url.len && picture) url = picture_source(b, picture, false);
    return url;
}

/* The absolute address of an image that the page has not shown yet; else empty. */
static struct adit_str new_address(struct adit_builder *b, uint32_t img, uint32_t picture)
{
    if (!grow_seen(b)) return (struct adit_str){0};
    struct adit_arena_mark mark = adit_arena_mark(b->arena);
    struct adit_str url = best_address(b, img, picture);
    if (!url.len || is_new(b, url)) return url;
    adit_arena_release(b->arena, mark);
    return (struct adit_str){0};
}

/* The element with the image's attributes; 0: a <picture> without any. */
static uint32_t image_node(const struct adit_builder *b, const struct adit_item *item)
{
    return item->tag == ADIT_TAG_PICTURE ? inner_image(b, item->node) : item->node;
}

static bool is_image(const struct adit_item *item)
{
    return item->tag == ADIT_TAG_IMG || item->tag == ADIT_TAG_PICTURE;
}

struct adit_str adit_image_alt(const struct adit_builder *b, const struct adit_item *item)
{
    uint32_t img = is_image(item) ? image_node(b, item) : 0;
    return img ? adit_dom_attr(b->dom, img, ADIT_ATTR_ALT) : (struct adit_str){0};
}

bool adit_image_inline(struct adit_builder *b, const struct adit_item *item, struct adit_str *url,
                       struct adit_str *alt)
{
    uint32_t img = is_image(item) ? image_node(b, item) : 0;
    if (!img || is_decoration(b, img) || leads_home(b, item->node)) return false;
    *url = best_address(b, img, item->tag == ADIT_TAG_PICTURE ? item->node : 0);
    *alt = adit_dom_attr(b->dom, img, ADIT_ATTR_ALT);
    return url->len > 0 && !is_counter(*url);
}

/* Where the link around an image leads; a larger picture that it leads to is not shown once more. */
static struct adit_str link_around(struct adit_builder *b, uint32_t node, struct adit_str image)
{
    enum { CLIMB_MAX = 4 };
    static const struct adit_str types[] = {ADIT_STR_INIT(".jpg"), ADIT_STR_INIT(".jpeg"),
                                            ADIT_STR_INIT(".png"), ADIT_STR_INIT(".webp"),
                                            ADIT_STR_INIT(".gif")};
    uint32_t a = b->dom->nodes[node].parent;
    for (int up = 0; a && up < CLIMB_MAX && !adit_dom_is(b->dom, a, ADIT_TAG_A); up++)
        a = b->dom->nodes[a].parent;
    if (!adit_dom_is(b->dom, a, ADIT_TAG_A)) return (struct adit_str){0};
    struct adit_str url = adit_block_url(b, adit_dom_attr(b->dom, a, ADIT_ATTR_HREF));
    for (size_t i = 0; i < ADIT_COUNT(types); i++)
        if (adit_str_ends(url, types[i]) && grow_seen(b)) is_new(b, url);
    /* The same picture in another size has the same file name: in a figure, a viewer opens it. */
    bool larger =
        adit_dom_is(b->dom, b->dom->nodes[a].parent, ADIT_TAG_FIGURE) || b->figure != ADIT_NONE;
    larger &= adit_str_eq(file_name(url), file_name(image));
    bool leads = url.len && !larger && !adit_block_same_page(b, url);
    return leads ? url : (struct adit_str){0};
}

/* Whether the text around the image has it, too. */
static bool is_inside(const struct adit_builder *b, const struct adit_item *item)
{
    uint32_t at = (uint32_t)(item - b->t->items);
    if (!b->rich || item->leaf >= b->t->n_leaves) return false;
    const struct adit_leaf *leaf = &b->t->leaves[item->leaf];
    return leaf->keep && at >= leaf->item0 && at < leaf->item1 &&
           !(b->t->items[leaf->item0].tag & ADIT_IN_PRE);
}

void adit_build_image(struct adit_builder *b, const struct adit_item *item)
{
    bool picture = item->tag == ADIT_TAG_PICTURE, ok = true;
    uint32_t img = image_node(b, item);
    if (b->n_images == ADIT_LIMIT_page_images || !img || is_decoration(b, img) ||
        repeats(b, item) || leads_home(b, item->node))
        return;
    struct adit_str url = new_address(b, img, picture ? item->node : 0);
    if (!url.len || is_counter(url)) return;
    struct adit_str alt = adit_space_text(b->arena, adit_dom_attr(b->dom, img, ADIT_ATTR_ALT), &ok);
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    uint32_t el = b->caption_el, figure = figure_of(b, item);
    if (is_same(b, figure, url, alt)) return;
    b->n_images++;
    struct adit_str caption = adit_block_caption(b, (uint32_t)(item - b->t->items));
    if (!caption.len) caption = class_caption(b, item, &el);
    struct adit_str link = link_around(b, item->node, url);
    struct adit_block *block = adit_block_add(b, ADIT_IMAGE);
    block->url = url;
    block->alt = alt;
    block->caption = rich_caption(b, caption, el);
    block->text = alt_text(b, alt, caption);
    block->inside = is_inside(b, item);
    block->detail = link;
    b->image_leaf = item->leaf;
    b->image_figure = figure;
}
