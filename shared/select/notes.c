/* Notes: items of a list that the text points to ("…as was shown.[3]"). They are the text's,
 * however little they look like it. */
#include "select/notes_impl.h"

enum { PROBES = 16, NAMES_MAX = 4096, SLOTS = 2 * NAMES_MAX, NOTES_MIN = 3 };

/* names: what links in kept text point to, by hash, SLOTS of them, 0: empty. A search that takes
 * too long counts as "not there". */
static uint64_t *slot_of(uint64_t *names, uint64_t hash)
{
    for (size_t k = 0; k < PROBES; k++) {
        uint64_t *slot = &names[((hash >> 20) + k) % SLOTS];
        if (!*slot || *slot == hash) return slot;
    }
    return NULL;
}

static uint64_t hash_of(struct adit_str name)
{
    uint64_t hash = adit_str_hash(name);
    return hash ? hash : 1;
}

static size_t collect_names(const struct adit_facts *f, uint64_t *names)
{
    const struct adit_tape *t = f->tape;
    size_t n = 0;
    for (size_t i = 0; i < t->n_items && n < NAMES_MAX; i++) {
        const struct adit_item *it = &t->items[i];
        if (it->kind != ADIT_ITEM_OPEN || it->tag != ADIT_TAG_A || it->leaf >= t->n_leaves)
            continue;
        if (!t->leaves[it->leaf].keep) continue;
        struct adit_str href = adit_dom_attr(t->dom, it->node, ADIT_ATTR_HREF);
        size_t sign = adit_str_chr(href, '#', 0);
        if (sign + 1 >= href.len) continue;
        uint64_t hash = hash_of(adit_str_sub(href, sign + 1, href.len));
        uint64_t *slot = slot_of(names, hash);
        if (slot && !*slot) *slot = hash, n++;
    }
    return n;
}

static bool is_pointed_to(const struct adit_tape *t, const struct adit_el *el, uint64_t *names)
{
    struct adit_str id = adit_dom_attr(t->dom, adit_el_node(t, el), ADIT_ATTR_ID);
    const uint64_t *slot = id.len ? slot_of(names, hash_of(id)) : NULL;
    return slot && *slot;
}

enum adit_code adit_notes_find(const struct adit_facts *f, struct adit_arena *arena,
                               uint8_t *is_note)
{
    const struct adit_tape *t = f->tape;
    uint64_t *names = adit_arena_zalloc(arena, SLOTS, sizeof *names);
    if (!names) return ADIT_ENOMEM;
    if (collect_names(f, names) < NOTES_MIN) return ADIT_OK;
    uint32_t list = ADIT_NONE, notes = 0;
    for (size_t e = 0; e < t->n_els; e++) {
        const struct adit_el *el = &t->els[e];
        if (el->tag != ADIT_TAG_LI || !is_pointed_to(t, el, names)) continue;
        notes = el->parent == list ? notes + 1 : 1;
        list = el->parent;
        if (notes != NOTES_MIN) continue;
        for (size_t i = t->els[list].leaf0; i < t->els[list].leaf1; i++) is_note[i] = 1;
    }
    return ADIT_OK;
}
