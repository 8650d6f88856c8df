/* Marks of notes in the text: short links into the page, raised numbers, and notes that are set beside
 * the text. */
#include "blocks/notes_impl.h"

#include <string.h>

/* STEPS_MAX: items that are looked at for one mark, so that all marks together take linear time. */
enum { ITEMS_MAX = 24, ASIDE_MAX = 400, STEPS_MAX = 1000 };

static bool is_letters(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_alpha(s.p[i])) return false;
    return s.len > 0;
}

bool adit_notes_is_mark(struct adit_str s)
{
    static const struct adit_str signs[] = {ADIT_STR_INIT("*"), ADIT_STR_INIT("\xe2\x80\xa0"),
                                            ADIT_STR_INIT("\xe2\x80\xa1"),
                                            ADIT_STR_INIT("\xc2\xa7"), ADIT_STR_INIT("#")};
    for (size_t i = 0; i < ADIT_COUNT(signs); i++) {
        size_t at = 0;
        while (at < s.len && adit_str_starts(adit_str_sub(s, at, s.len), signs[i]))
            at += signs[i].len;
        if (at == s.len && s.len) return true;
    }
    size_t space = adit_str_chr(s, ' ', 0);
    if (space < s.len && space <= 4 && is_letters(adit_str_sub(s, 0, space)))
        s = adit_str_trim(adit_str_sub(s, space, s.len));
    uint64_t n;
    return (s.len <= 4 && adit_str_u64(s, &n)) || (s.len <= 3 && is_letters(s));
}

struct adit_str adit_notes_bare(struct adit_str s, bool *brackets)
{
    s = adit_str_trim(s);
    *brackets = s.len > 2 && (s.p[0] == '[' || s.p[0] == '(');
    if (s.len && (s.p[0] == '[' || s.p[0] == '(')) s = adit_str_sub(s, 1, s.len);
    while (s.len && adit_str_chr(ADIT_STR("]).:,"), s.p[s.len - 1], 0) < 5) s.len--;
    return adit_str_trim(s);
}

uint32_t adit_notes_end(const struct adit_tape *t, uint32_t i)
{
    uint32_t node = t->items[i].node, max = i + ITEMS_MAX;
    for (i++; i < t->n_items && i < max; i++)
        if (t->items[i].kind == ADIT_ITEM_CLOSE && t->items[i].node == node) return i;
    return ADIT_NONE;
}

struct adit_str adit_notes_text(const struct adit_tape *t, uint32_t i, uint32_t end, char *out)
{
    size_t len = 0;
    for (; i < end; i++) {
        const struct adit_item *it = &t->items[i];
        if (it->kind == ADIT_ITEM_OBJECT || it->kind >= ADIT_ITEM_ALT) return (struct adit_str){0};
        if (it->kind != ADIT_ITEM_TEXT || it->leaf == ADIT_NONE) continue;
        struct adit_str s = adit_dom_data(t->dom, it->node);
        if (s.len > ADIT_MARK_MAX - len) return (struct adit_str){0};
        memcpy(out + len, s.p, s.len), len += s.len;
    }
    return adit_str_of(out, len);
}

/* The link into the page among the elements that begin in [i, end); ADIT_NONE: there is none, or
 * there are two. */
static uint32_t inner_link(const struct adit_tape *t, uint32_t i, uint32_t end)
{
    uint32_t found = ADIT_NONE;
    for (; i < end; i++) {
        if (t->items[i].kind != ADIT_ITEM_OPEN || t->items[i].tag != ADIT_TAG_A) continue;
        if (found != ADIT_NONE) return ADIT_NONE;
        found = i;
    }
    return found;
}

struct adit_str adit_notes_fragment(const struct adit_builder *b, uint32_t a)
{
    if (!adit_dom_may_say(b->dom, a, ADIT_ATTR_HREF, '#')) return (struct adit_str){0}; /* most */
    struct adit_str href = adit_str_trim(adit_dom_attr(b->dom, a, ADIT_ATTR_HREF));
    size_t hash = adit_str_chr(href, '#', 0);
    if (hash == href.len) return (struct adit_str){0};
    return adit_str_sub(href, hash + 1, href.len);
}

/* Whether the element that begins at items[i] is a mark: fills ref. */
static bool read_ref(struct adit_builder *b, uint32_t i, struct adit_note_ref *ref)
{
    const struct adit_tape *t = b->t;
    const struct adit_item *it = &t->items[i];
    char text[ADIT_MARK_MAX];
    bool ok = true;
    if (it->tag == ADIT_TAG_A && !adit_notes_fragment(b, it->node).len) return false;
    *ref = (struct adit_note_ref){.item = i, .end = adit_notes_end(t, i), .target = ADIT_NONE};
    if (ref->end == ADIT_NONE) return false;
    ref->mark = adit_notes_bare(adit_notes_text(t, i, ref->end, text), &ref->brackets);
    if (!ref->mark.len || !adit_notes_is_mark(ref->mark)) return false;
    uint32_t link = inner_link(t, i, ref->end);
    if (link != ADIT_NONE) {
        ref->fragment = adit_notes_fragment(b, t->items[link].node);
        if (!ref->fragment.len) return false;
    } else if (it->tag == ADIT_TAG_A || adit_is_alpha(ref->mark.p[0])) {
        return false;
    }
    ref->link = link;
    ref->leaf = ADIT_NONE;
    for (uint32_t k = i; k < ref->end; k++) {
        if (t->items[k].kind != ADIT_ITEM_TEXT || t->items[k].leaf == ADIT_NONE) continue;
        ref->raised |= (t->items[k].tag & ADIT_IN_SCRIPT) != 0;
        if (t->items[k].tag & ADIT_IN_PRE) return false;
        if (ref->leaf == ADIT_NONE) ref->leaf = t->items[k].leaf;
    }
    ref->mark = adit_arena_dup(b->arena, ref->mark, &ok);
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    return ok && ref->leaf != ADIT_NONE;
}

bool adit_notes_begin_leaf(const struct adit_tape *t, uint32_t leaf, uint32_t i)
{
    if (i > t->leaves[leaf].item0 + STEPS_MAX) return false;
    for (uint32_t k = t->leaves[leaf].item0; k < i; k++)
        if (adit_item_leaf(&t->items[k]) != ADIT_NONE &&
            !adit_space_blank(adit_item_said(t, &t->items[k])))
            return false;
    return true;
}

/* A raised number behind a number or a sign of one letter is an exponent. */
static bool is_exponent(const struct adit_tape *t, const struct adit_note_ref *ref)
{
    uint32_t k = ref->item;
    while (k > t->leaves[ref->leaf].item0 && ref->item - k < STEPS_MAX &&
           adit_item_leaf(&t->items[k - 1]) == ADIT_NONE)
        k--;
    if (k == t->leaves[ref->leaf].item0) return true; /* nothing before: a note's own mark */
    struct adit_str s = adit_item_said(t, &t->items[k - 1]);
    if (!s.len || adit_is_digit(s.p[s.len - 1])) return s.len > 0;
    if (!adit_is_alpha(s.p[s.len - 1])) return false;
    return s.len < 2 || !((unsigned char)s.p[s.len - 2] >= 0x80 || adit_is_alpha(s.p[s.len - 2]));
}

/* Whether the inline element at items[i] is a note set beside the text: fills where it ends. Only
 * asked of pages with such a class. */
static bool is_aside(const struct adit_builder *b, uint32_t i, uint32_t *end)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("sidenote"), ADIT_STR_INIT("side-note"),
                                            ADIT_STR_INIT("marginnote"),
                                            ADIT_STR_INIT("margin-note")};
    const struct adit_item *it = &b->t->items[i];
    if (it->el != ADIT_NONE || it->tag == ADIT_TAG_LABEL || it->tag == ADIT_TAG_A) return false;
    struct adit_str class = adit_dom_attr(b->dom, it->node, ADIT_ATTR_CLASS);
    bool named = false, said = false;
    if (adit_str_ifind(class, ADIT_STR("note"), 0) == class.len) return false;
    for (size_t k = 0; k < ADIT_COUNT(names); k++)
        named |= adit_str_ifind(class, names[k], 0) < class.len;
    for (*end = i + 1; named && *end < b->t->n_items && *end < i + ASIDE_MAX; ++*end) {
        const struct adit_item *at = &b->t->items[*end];
        if (at->kind == ADIT_ITEM_CLOSE && at->node == it->node) return said;
        said |= at->kind == ADIT_ITEM_TEXT && at->leaf != ADIT_NONE &&
                adit_block_wordy(adit_dom_data(b->dom, at->node));
    }
    return false;
}

/* Whether nothing is said between items i and end. */
static bool is_silent(const struct adit_tape *t, uint32_t i, uint32_t end)
{
    for (; i < end; i++)
        if (t->items[i].block || (adit_item_leaf(&t->items[i]) != ADIT_NONE &&
                                  !adit_space_blank(adit_item_said(t, &t->items[i]))))
            return false;
    return true;
}

static struct adit_note_ref *add_ref(struct adit_notes *n, const struct adit_note_ref *ref)
{
    if (!n->refs || n->n_refs == n->cap_refs) {
        size_t cap = n->cap_refs ? 2 * n->cap_refs : 32;
        void *more =
            adit_arena_resize(n->b->arena, n->refs, n->cap_refs * sizeof *ref, cap * sizeof *ref);
        if (!more) {
            adit_block_fail(n->b, ADIT_ENOMEM);
            return NULL;
        }
        n->refs = more, n->cap_refs = cap;
    }
    n->refs[n->n_refs] = *ref;
    return &n->refs[n->n_refs++];
}

/* A note at items[i] within a text belongs to the mark before it; or its place is the mark. */
static bool add_aside(struct adit_notes *n, uint32_t i, uint32_t end)
{
    const struct adit_tape *t = n->b->t;
    struct adit_note_ref *last = n->n_refs ? &n->refs[n->n_refs - 1] : NULL;
    struct adit_note_ref ref = {
        .item = i, .end = end, .link = ADIT_NONE, .target = ADIT_NONE, .leaf = ADIT_NONE};
    for (uint32_t k = i; k < end && ref.leaf == ADIT_NONE; k++)
        if (t->items[k].kind == ADIT_ITEM_TEXT) ref.leaf = t->items[k].leaf;
    if (!last || last->end + ITEMS_MAX < i || !is_silent(t, last->end, i)) last = add_ref(n, &ref);
    if (last) last->aside0 = i, last->aside1 = end;
    return last;
}

void adit_notes_refs(struct adit_notes *n)
{
    const struct adit_tape *t = n->b->t;
    bool asides = t->hints & (ADIT_HINT_NOTE | ADIT_HINT_LONG);
    for (uint32_t i = 0; i < t->n_items && n->n_refs < ADIT_REFS_MAX; i++) {
        struct adit_note_ref ref;
        uint32_t end;
        if (t->items[i].kind != ADIT_ITEM_OPEN) continue;
        uint16_t tag = t->items[i].tag;
        bool marks = tag == ADIT_TAG_A || tag == ADIT_TAG_SUP || tag == ADIT_TAG_LABEL;
        if (!marks && !asides) continue;
        if (asides && is_aside(n->b, i, &end)) {
            if (!add_aside(n, i, end)) return;
            i = end;
        } else if (marks && read_ref(n->b, i, &ref)) {
            ref.first = adit_notes_begin_leaf(t, ref.leaf, ref.item);
            if (ref.link == ADIT_NONE && is_exponent(t, &ref) && !ref.first) continue;
            if (!add_ref(n, &ref)) return;
            i = ref.end;
        }
    }
}

bool adit_notes_only_mark(struct adit_str text)
{
    bool brackets;
    text = adit_notes_bare(text, &brackets);
    return text.len && !adit_is_alpha(text.p[0]) && adit_notes_is_mark(text);
}
