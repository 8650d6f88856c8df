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
        if (!s.len || s.p[0] != signs[i].p[0]) continue; /* most */
        while (at < s.len && adit_str_starts(adit_str_sub(s, at, s.len), signs[i]))
            at += signs[i].len;
        if (at == s.len) return true;
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

/* Whether the link leads nowhere by itself, and may be a mark: a script does what it is for. Addresses
 * are only read of links whose first text, as it is written, is short. */
static bool is_for_script(const struct adit_builder *b, uint32_t a)
{
    enum { DEPTH_MAX = 3, WRITTEN_MAX = 8 };
    const struct adit_node *nodes = b->dom->nodes;
    uint32_t n = a;
    for (int depth = 0; n && depth < DEPTH_MAX && adit_dom_is_element(b->dom, n); depth++)
        n = nodes[n].first;
    if (!n || !adit_dom_is_text(b->dom, n) || nodes[n].len > WRITTEN_MAX) return false;
    struct adit_str href = adit_dom_attr(b->dom, a, ADIT_ATTR_HREF);
    return !href.len || href.p[0] == '#' ||
           adit_str_ieq(adit_str_sub(href, 0, 11), ADIT_STR("javascript:"));
}

/* The id among what a script is told: "show('note-1')". */
static struct adit_str quoted_id(struct adit_str script)
{
    size_t from = 0, to;
    while (from < script.len && script.p[from] != '\'' && script.p[from] != '"') from++;
    if (from >= script.len) return (struct adit_str){0};
    to = adit_str_chr(script, script.p[from], from + 1);
    return to < script.len ? adit_str_sub(script, from + 1, to) : (struct adit_str){0};
}

/* The id of the note of a mark without a link: attributes of the mark, or of the element around it,
 * name it for a script or for screen readers. */
static void read_stated(const struct adit_builder *b, uint32_t i, struct adit_note_ref *ref)
{
    static const struct {
        enum adit_attr attr;
        bool note; /* the attribute is about notes, and nothing else */
    } names[] = {{ADIT_ATTR_DATA_DEFINITION, true}, {ADIT_ATTR_DATA_FOOTNOTE, true},
                 {ADIT_ATTR_DATA_NOTE, true},       {ADIT_ATTR_ARIA_DESCRIBEDBY, false},
                 {ADIT_ATTR_ONCLICK, false},        {ADIT_ATTR_HREF, false}};
    const struct adit_tape *t = b->t;
    uint32_t link = inner_link(t, i, ref->end), node = t->items[i].node;
    uint32_t nodes[3] = {link == ADIT_NONE ? 0 : t->items[link].node, node,
                         b->dom->nodes[node].parent};
    for (size_t k = 0; k < ADIT_COUNT(nodes) && !ref->fragment.len; k++)
        for (size_t a = 0; nodes[k] && a < ADIT_COUNT(names) && !ref->fragment.len; a++) {
            struct adit_str s = adit_str_trim(adit_dom_attr(b->dom, nodes[k], names[a].attr));
            if (names[a].attr == ADIT_ATTR_ONCLICK || names[a].attr == ADIT_ATTR_HREF)
                s = quoted_id(s);
            ref->fragment = s.len && s.p[0] == '#' ? adit_str_sub(s, 1, s.len) : s;
            ref->stated = names[a].note;
        }
}

/* Whether the text that an element begins with makes it no mark, as most links' do: it is longer, or
 * begins with a word. */
static bool is_no_mark(struct adit_str s)
{
    enum { LETTERS_MAX = 4 };
    size_t at = 0, letters = 0;
    if (s.len > ADIT_MARK_MAX) return true;
    while (at < s.len && (adit_is_space(s.p[at]) || s.p[at] == '[' || s.p[at] == '(')) at++;
    while (at < s.len && letters <= LETTERS_MAX && adit_is_alpha(s.p[at])) at++, letters++;
    return letters > LETTERS_MAX;
}

/* The same of the first text in the element that begins at items[i], if nothing ends before it. */
static bool begins_no_mark(const struct adit_tape *t, uint32_t i)
{
    uint32_t max = i + ITEMS_MAX < t->n_items ? i + ITEMS_MAX : (uint32_t)t->n_items;
    for (uint32_t k = i + 1; k < max && t->items[k].kind != ADIT_ITEM_CLOSE; k++)
        if (t->items[k].kind == ADIT_ITEM_TEXT && t->items[k].leaf != ADIT_NONE)
            return is_no_mark(adit_dom_data(t->dom, t->items[k].node));
    return false;
}

/* Whether the element that begins at items[i] is a mark: fills ref. */
static bool read_ref(struct adit_builder *b, uint32_t i, struct adit_note_ref *ref)
{
    const struct adit_tape *t = b->t;
    const struct adit_item *it = &t->items[i];
    char text[ADIT_MARK_MAX];
    bool ok = true, brackets;
    /* What says most comes first: few texts look like marks, and addresses take time to read. */
    uint32_t end = begins_no_mark(t, i) ? (uint32_t)ADIT_NONE : adit_notes_end(t, i);
    if (end == ADIT_NONE) return false;
    struct adit_str mark = adit_notes_bare(adit_notes_text(t, i, end, text), &brackets);
    if (!mark.len || !adit_notes_is_mark(mark)) return false;
    if (it->tag == ADIT_TAG_A && !adit_notes_fragment(b, it->node).len &&
        !is_for_script(b, it->node))
        return false;
    *ref = (struct adit_note_ref){
        .item = i, .end = end, .target = ADIT_NONE, .mark = mark, .brackets = brackets};
    ref->link = inner_link(t, i, ref->end);
    if (ref->link != ADIT_NONE) {
        ref->fragment = adit_notes_fragment(b, t->items[ref->link].node);
        if (!ref->fragment.len && !is_for_script(b, t->items[ref->link].node)) return false;
    }
    if (!ref->fragment.len) {
        ref->link = ADIT_NONE;
        read_stated(b, i, ref);
        if (!ref->fragment.len && (it->tag == ADIT_TAG_A || adit_is_alpha(ref->mark.p[0])))
            return false;
    }
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

/* The CLOSE of the inline element at items[i], which says something; ADIT_NONE: it does not, or is long. */
static uint32_t aside_end(const struct adit_builder *b, uint32_t i)
{
    const struct adit_tape *t = b->t;
    bool said = false;
    for (uint32_t k = i + 1; k < t->n_items && k < i + ASIDE_MAX; k++) {
        const struct adit_item *at = &t->items[k];
        if (at->kind == ADIT_ITEM_CLOSE && at->node == t->items[i].node)
            return said ? k : (uint32_t)ADIT_NONE;
        said |= at->kind == ADIT_ITEM_TEXT && at->leaf != ADIT_NONE &&
                adit_block_wordy(adit_dom_data(b->dom, at->node));
    }
    return ADIT_NONE;
}

/* Whether items (i, end), called a note, are its text: several words behind something said, without a
 * link to where they stand. Behind a mark they may begin with the mark; without one they have none,
 * or are what stands around mark and text. */
static bool is_note_text(const struct adit_builder *b, uint32_t i, uint32_t end, bool marked)
{
    const struct adit_tape *t = b->t;
    bool first = true, space = false;
    size_t len = 0;
    for (uint32_t k = i + 1; k < end; k++) {
        const struct adit_item *it = &t->items[k];
        if (it->kind == ADIT_ITEM_OPEN && it->tag == ADIT_TAG_A &&
            adit_notes_fragment(b, it->node).len)
            return false;
        if (it->kind != ADIT_ITEM_TEXT || it->leaf == ADIT_NONE) continue;
        struct adit_str s = adit_str_trim(adit_dom_data(b->dom, it->node));
        if (!s.len) continue;
        if (first && !marked && (it->tag & ADIT_IN_SCRIPT || adit_notes_begin_leaf(t, it->leaf, i)))
            return false;
        first = false, len += s.len;
        space |= adit_str_chr(s, ' ', 0) < s.len || (unsigned char)s.p[0] >= 0x80;
    }
    return space && len >= 8;
}

/* Whether the inline element at items[i] is a note set beside the text or into it: fills where it ends.
 * mark: what stands right before it, or NULL. */
static bool is_aside(const struct adit_builder *b, uint32_t i, const struct adit_note_ref *mark,
                     uint32_t *end)
{
    static const struct {
        struct adit_str name;
        bool beside; /* such an element is never the mark, or a note at the end of the page */
    } names[] = {{ADIT_STR_INIT("sidenote"), true},   {ADIT_STR_INIT("side-note"), true},
                 {ADIT_STR_INIT("marginnote"), true}, {ADIT_STR_INIT("margin-note"), true},
                 {ADIT_STR_INIT("footnote"), false},  {ADIT_STR_INIT("endnote"), false}};
    const struct adit_item *it = &b->t->items[i];
    if (it->el != ADIT_NONE || it->tag == ADIT_TAG_LABEL || it->tag == ADIT_TAG_A) return false;
    struct adit_str class = adit_dom_attr(b->dom, it->node, ADIT_ATTR_CLASS);
    bool named = mark && mark->fragment.len &&
                 adit_str_eq(adit_dom_attr(b->dom, it->node, ADIT_ATTR_ID), mark->fragment);
    bool beside = false;
    if (!named && adit_str_ifind(class, ADIT_STR("note"), 0) == class.len) return false;
    for (size_t k = 0; k < ADIT_COUNT(names); k++) {
        bool is = adit_str_ifind(class, names[k].name, 0) < class.len;
        named |= is, beside |= is && names[k].beside;
    }
    if (!named && !mark) return false;
    *end = aside_end(b, i);
    return *end != ADIT_NONE && (beside || is_note_text(b, i, *end, mark));
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

/* The mark right before items[i]; NULL: something else stands there. */
static struct adit_note_ref *mark_before(const struct adit_notes *n, uint32_t i)
{
    struct adit_note_ref *last = n->n_refs ? &n->refs[n->n_refs - 1] : NULL;
    return last && last->end + ITEMS_MAX >= i && is_silent(n->b->t, last->end, i) ? last : NULL;
}

/* A note at items[i] within a text belongs to the mark before it; or its place is the mark. */
static bool add_aside(struct adit_notes *n, uint32_t i, uint32_t end)
{
    const struct adit_tape *t = n->b->t;
    struct adit_note_ref *last = mark_before(n, i);
    struct adit_note_ref ref = {
        .item = i, .end = end, .link = ADIT_NONE, .target = ADIT_NONE, .leaf = ADIT_NONE};
    for (uint32_t k = i; k < end && ref.leaf == ADIT_NONE; k++)
        if (t->items[k].kind == ADIT_ITEM_TEXT) ref.leaf = t->items[k].leaf;
    if (!last) last = add_ref(n, &ref);
    if (last) last->aside0 = i, last->aside1 = end;
    return last;
}

static bool is_tag_of_mark(uint16_t tag)
{
    return tag == ADIT_TAG_A || tag == ADIT_TAG_SUP || tag == ADIT_TAG_LABEL;
}

/* Whether the element that begins at items[i] may be a mark that counts: one in a kept text. */
static bool may_count(struct adit_builder *b, uint32_t i)
{
    const struct adit_tape *t = b->t;
    struct adit_note_ref ref;
    uint32_t max = i + ITEMS_MAX < t->n_items ? i + ITEMS_MAX : (uint32_t)t->n_items;
    for (uint32_t k = i + 1; k < max; k++)
        if (t->items[k].kind == ADIT_ITEM_TEXT && t->items[k].leaf != ADIT_NONE)
            return t->leaves[t->items[k].leaf].keep && read_ref(b, i, &ref);
    return false;
}

/* Most pages have no mark in a kept text: others, and what they lead to, need not be looked for. */
static bool has_marks(struct adit_builder *b)
{
    const struct adit_tape *t = b->t;
    for (uint32_t i = 0; i < t->n_items; i++)
        if (t->items[i].kind == ADIT_ITEM_OPEN && is_tag_of_mark(t->items[i].tag) &&
            may_count(b, i))
            return true;
    return false;
}

void adit_notes_refs(struct adit_notes *n)
{
    const struct adit_tape *t = n->b->t;
    const struct adit_item *items = t->items;
    uint32_t n_items = (uint32_t)t->n_items;
    bool asides = t->hints & (ADIT_HINT_NOTE | ADIT_HINT_LONG);
    if (!asides && !has_marks(n->b)) return;
    for (uint32_t i = 0; i < n_items; i++) {
        struct adit_note_ref ref;
        uint32_t end;
        if (items[i].kind != ADIT_ITEM_OPEN) continue;
        bool marks = is_tag_of_mark(items[i].tag);
        if (!marks && !asides && !n->n_refs) continue;
        const struct adit_note_ref *mark = asides || !marks ? mark_before(n, i) : NULL;
        if (!marks && !asides && !mark) continue;
        if (n->n_refs == ADIT_REFS_MAX) return;
        if ((asides || mark) && is_aside(n->b, i, mark, &end)) {
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
