/* Facts about elements: signatures, class words, and the distance to the nearest ancestor of each
 * kind, passed down from parent to child in document order. */
#include "page/features.h"

#include <lexbor/tag/const.h>
#include <string.h>

/* Tags that are a kind of ancestor. */
#define BIT(name) (UINT32_C(1) << ADIT_ANC_##name)
static const uint32_t tag_kinds[LXB_TAG__LAST_ENTRY] = {
    [LXB_TAG_NAV] = BIT(nav),
    [LXB_TAG_HEADER] = BIT(header),
    [LXB_TAG_FOOTER] = BIT(footer),
    [LXB_TAG_ASIDE] = BIT(aside),
    [LXB_TAG_FORM] = BIT(form),
    [LXB_TAG_SEARCH] = BIT(form),
    [LXB_TAG_MAIN] = BIT(main),
    [LXB_TAG_ARTICLE] = BIT(article),
    [LXB_TAG_BLOCKQUOTE] = BIT(blockquote),
    [LXB_TAG_BUTTON] = BIT(button),
};

/* Roles that make an element what a tag would. */
static const struct {
    struct adit_str role;
    uint32_t kinds;
} role_kinds[] = {
    {ADIT_STR_INIT("navigation"), BIT(nav)},     {ADIT_STR_INIT("banner"), BIT(header)},
    {ADIT_STR_INIT("contentinfo"), BIT(footer)}, {ADIT_STR_INIT("complementary"), BIT(aside)},
    {ADIT_STR_INIT("main"), BIT(main)},          {ADIT_STR_INIT("article"), BIT(article)},
    {ADIT_STR_INIT("search"), BIT(form)},        {ADIT_STR_INIT("form"), BIT(form)},
    {ADIT_STR_INIT("menu"), BIT(nav)},           {ADIT_STR_INIT("menubar"), BIT(nav)},
    {ADIT_STR_INIT("tablist"), BIT(nav)},        {ADIT_STR_INIT("button"), BIT(button)},
};

static uint32_t kinds_of_role(struct adit_str role)
{
    for (size_t i = 0; i < ADIT_COUNT(role_kinds); i++)
        if (adit_str_eq(role, role_kinds[i].role)) return role_kinds[i].kinds;
    return 0;
}

static uint32_t kinds_of_itemprop(struct adit_str prop)
{
    bool body = adit_str_find(prop, ADIT_STR("articleBody"), 0) < prop.len ||
                adit_str_eq(prop, ADIT_STR("text")) || adit_str_eq(prop, ADIT_STR("description")) ||
                adit_str_eq(prop, ADIT_STR("reviewBody"));
    return body ? BIT(body_prop) : 0;
}

/* --- class values, looked at once each ----------------------------------------------------------
 */

enum { CACHE = 512, PROBES = 4 }; /* values remembered; a cache may forget */

struct class_facts {
    uint32_t hash, categories;
};

struct cached {
    struct adit_str value;
    struct class_facts facts;
};

struct elements {
    struct adit_classwords words;
    struct cached *cache;
    lxb_dom_attr_id_t role, itemprop;
};

/* Of the value without digits: "post-1234" and "post-77" are the same kind of thing. */
static uint32_t class_hash(struct adit_str value)
{
    uint32_t h = 5381;
    for (size_t i = 0; i < value.len; i++)
        if (!adit_is_digit(value.p[i])) h = h * 33 + (unsigned char)value.p[i];
    return h ^ (h >> 15);
}

/* Where to look for a value: by its length and its first and last bytes. It decides what is found
 * in the cache, never what is said. */
static size_t cache_slot(struct adit_str value)
{
    uint64_t first = 0, last = 0;
    size_t n = value.len < 8 ? value.len : 8;
    memcpy(&first, value.p, n);
    memcpy(&last, value.p + value.len - n, n);
    return (size_t)(adit_mix(adit_mix(first, last), value.len) >> 40);
}

static struct class_facts class_facts(struct elements *e, struct adit_str value)
{
    if (!value.len) return (struct class_facts){0};
    size_t slot = cache_slot(value);
    struct cached *c = &e->cache[slot % CACHE];
    for (size_t k = 0; k < PROBES && c->value.p; k++, c = &e->cache[(slot + k) % CACHE])
        if (adit_str_eq(c->value, value)) return c->facts;
    *c = (struct cached){value, {class_hash(value), adit_classwords_match(&e->words, value)}};
    return c->facts;
}

/* --- one element ---------------------------------------------------------------------------------
 */

struct marks {
    uint32_t kinds, categories, class_hash;
};

static struct adit_str value_of(const lxb_dom_attr_t *attr)
{
    if (!attr->value) return (struct adit_str){0};
    return adit_str_of((const char *)attr->value->data, attr->value->length);
}

static struct marks marks_of(struct elements *e, const struct adit_el *el)
{
    struct marks m = {.kinds = tag_kinds[el->tag]};
    for (const lxb_dom_attr_t *a = el->node->first_attr; a; a = a->next) {
        lxb_dom_attr_id_t id = a->node.local_name;
        struct adit_str v = value_of(a);
        if (id == LXB_DOM_ATTR_CLASS) {
            struct class_facts c = class_facts(e, v);
            m.class_hash = c.hash, m.categories |= c.categories;
        } else if (id == LXB_DOM_ATTR_ID) {
            m.categories |= adit_classwords_match(&e->words, v);
        } else if (id == e->role && id) {
            m.kinds |= kinds_of_role(v);
        } else if (id == e->itemprop && id) {
            m.kinds |= kinds_of_itemprop(v);
        }
    }
    if (el->hidden & ADIT_HIDDEN_DIALOG) m.kinds |= BIT(dialog);
    return m;
}

static void set_zero(uint8_t *distance, uint32_t mask)
{
    for (; mask; mask &= mask - 1) distance[__builtin_ctz(mask)] = 0;
}

static void inherit(const struct adit_el_facts *restrict up, struct adit_el_facts *restrict x)
{
    for (size_t k = 0; k < ADIT_KINDS_OF_DISTANCE; k++) {
        uint8_t d = (uint8_t)(up->distance[k] + 1);
        x->distance[k] = d > ADIT_FAR ? ADIT_FAR : d;
    }
    x->article = up->article, x->main = up->main;
}

static lxb_dom_attr_id_t attr_id(lxb_dom_document_t *doc, const char *name)
{
    const lxb_dom_attr_data_t *d =
        lxb_dom_attr_data_by_local_name(doc->attrs, (const lxb_char_t *)name, strlen(name));
    return d ? d->attr_id : 0;
}

enum adit_code adit_facts_elements(struct adit_facts *f, struct adit_arena *arena)
{
    const struct adit_tape *t = f->tape;
    struct elements e = {.cache = adit_arena_zalloc(arena, CACHE, sizeof *e.cache)};
    f->els = adit_arena_zalloc(arena, t->n_els, sizeof *f->els);
    if (!e.cache || !f->els) return ADIT_ENOMEM;
    lxb_dom_document_t *doc = t->els[0].node->node.owner_document;
    e.role = attr_id(doc, "role"), e.itemprop = attr_id(doc, "itemprop");
    adit_classwords_init(&e.words);
    for (uint32_t i = 0; i < t->n_els; i++) {
        const struct adit_el *el = &t->els[i];
        struct adit_el_facts *x = &f->els[i];
        struct marks m = marks_of(&e, el);
        x->signature = (uint32_t)adit_mix(m.class_hash, el->tag);
        if (i == 0) {
            /* What body says concerns the page, not a part of it. */
            f->body_categories = m.categories;
            m = (struct marks){0};
            memset(x->distance, ADIT_FAR, sizeof x->distance);
            x->article = x->main = ADIT_NONE;
        } else {
            inherit(&f->els[el->parent], x);
            x->path = (uint32_t)adit_mix(f->els[el->parent].path, el->tag);
        }
        set_zero(x->distance, m.kinds);
        set_zero(x->distance + ADIT_N_ANCESTORS, m.categories);
        if (m.kinds & BIT(article)) x->article = i;
        if (m.kinds & BIT(main)) x->main = i;
    }
    return ADIT_OK;
}
