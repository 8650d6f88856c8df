/* Call-outs: notes, tips and warnings that stand in a box of their own. Their blocks stay what they are;
 * formats with structure say what they stand in. */
#include "blocks/blocks_impl.h"

enum {
    WORDS_MAX = 8,      /* of one class name; further ones are not looked at */
    BOX_LETTERS = 4000, /* of a call-out: more is a section */
    TITLE_LETTERS = 100,
    UP_MAX = 6,        /* elements between a title and its call-out */
    CLASS_BYTES = 200, /* of a class that are read */
    LEAVES_MAX = 16    /* leaves before the first one that is kept */
};

/* Elements that call-outs are made of. */
static const bool may_box[ADIT_TAG_COUNT] = {
    [ADIT_TAG_DIV] = true, [ADIT_TAG_ASIDE] = true,   [ADIT_TAG_SECTION] = true,
    [ADIT_TAG_P] = true,   [ADIT_TAG_DETAILS] = true, [ADIT_TAG_FIGURE] = true,
};

/* What kinds of call-outs there are, and what classes call them. */
static const struct {
    struct adit_str word, kind;
} kinds[] = {
    {ADIT_STR_INIT("note"), ADIT_STR_INIT("NOTE")},
    {ADIT_STR_INIT("info"), ADIT_STR_INIT("INFO")},
    {ADIT_STR_INIT("information"), ADIT_STR_INIT("INFO")},
    {ADIT_STR_INIT("tip"), ADIT_STR_INIT("TIP")},
    {ADIT_STR_INIT("hint"), ADIT_STR_INIT("HINT")},
    {ADIT_STR_INIT("important"), ADIT_STR_INIT("IMPORTANT")},
    {ADIT_STR_INIT("warning"), ADIT_STR_INIT("WARNING")},
    {ADIT_STR_INIT("warn"), ADIT_STR_INIT("WARNING")},
    {ADIT_STR_INIT("caution"), ADIT_STR_INIT("CAUTION")},
    {ADIT_STR_INIT("danger"), ADIT_STR_INIT("DANGER")},
    {ADIT_STR_INIT("error"), ADIT_STR_INIT("ERROR")},
    {ADIT_STR_INIT("success"), ADIT_STR_INIT("SUCCESS")},
    {ADIT_STR_INIT("example"), ADIT_STR_INIT("EXAMPLE")},
    {ADIT_STR_INIT("attention"), ADIT_STR_INIT("ATTENTION")},
    {ADIT_STR_INIT("question"), ADIT_STR_INIT("QUESTION")},
    {ADIT_STR_INIT("abstract"), ADIT_STR_INIT("ABSTRACT")},
    {ADIT_STR_INIT("todo"), ADIT_STR_INIT("TODO")},
    {ADIT_STR_INIT("bug"), ADIT_STR_INIT("BUG")},
    {ADIT_STR_INIT("failure"), ADIT_STR_INIT("FAILURE")},
    {ADIT_STR_INIT("quote"), ADIT_STR_INIT("QUOTE")},
};

/* Words of classes that call-outs have, whatever their kind. */
static const struct adit_str box_words[] = {
    ADIT_STR_INIT("admonition"), ADIT_STR_INIT("admonitionblock"), ADIT_STR_INIT("callout"),
    ADIT_STR_INIT("alert"),      ADIT_STR_INIT("notice"),          ADIT_STR_INIT("notices"),
    ADIT_STR_INIT("hint"),       ADIT_STR_INIT("notecard"),        ADIT_STR_INIT("aside"),
    ADIT_STR_INIT("macro"),
};
/* The last words of classes that parts of a call-out have, first those of its title. */
static const struct adit_str part_words[] = {
    ADIT_STR_INIT("title"),     ADIT_STR_INIT("heading"), ADIT_STR_INIT("header"),
    ADIT_STR_INIT("summary"),   ADIT_STR_INIT("icon"),    ADIT_STR_INIT("content"),
    ADIT_STR_INIT("container"), ADIT_STR_INIT("body"),    ADIT_STR_INIT("text"),
};
enum { TITLE_WORDS = 4 };

static struct adit_str kind_of(struct adit_str word)
{
    for (size_t i = 0; i < ADIT_COUNT(kinds); i++)
        if (adit_str_ieq(word, kinds[i].word)) return kinds[i].kind;
    return (struct adit_str){0};
}

/* The words of a class name: letters, as far as no capital begins another one. */
static size_t split_name(struct adit_str name, struct adit_str words[WORDS_MAX])
{
    size_t n = 0;
    for (size_t at = 0; at < name.len && n < WORDS_MAX;) {
        size_t to = at;
        while (to < name.len && adit_is_alpha(name.p[to]) &&
               (to == at || name.p[to] >= 'a' || name.p[to - 1] < 'a'))
            to++;
        if (to > at) words[n++] = adit_str_sub(name, at, to);
        at = to > at ? to : at + 1;
    }
    return n;
}

/* The kind of call-out that a class speaks of: "admonition note", "alert-info", "tip custom-block". It
 * is a name of its own, or the last word behind those of a call-out. stated: what an attribute
 * says. *alone: the class says nothing else. */
static struct adit_str kind_of_class(struct adit_str class, struct adit_str stated, bool *alone)
{
    struct adit_str rest = adit_str_sub(class, 0, CLASS_BYTES), name, words[WORDS_MAX], kind = {0};
    bool box = false;
    size_t names = 0;
    for (; adit_block_token(&rest, &name); names++) {
        size_t n = split_name(name, words);
        bool marked = adit_str_ieq(name, ADIT_STR("custom-block"));
        if (!n || adit_block_among(words[n - 1], part_words, ADIT_COUNT(part_words))) continue;
        for (size_t i = 0; i < n; i++)
            marked |= adit_block_among(words[i], box_words, ADIT_COUNT(box_words));
        bool said = n == 1 || marked || adit_str_ieq(words[0], ADIT_STR("is"));
        struct adit_str found = said ? kind_of(words[n - 1]) : (struct adit_str){0};
        if (found.len && (!kind.len || adit_str_eq(kind, ADIT_STR("HINT")))) kind = found;
        box |= marked;
    }
    *alone = names == 1 && !box;
    if (box && !kind.len && stated.len) {
        kind = kind_of(stated);
        if (!kind.len) kind = kinds[0].kind;
    }
    return box || *alone ? kind : (struct adit_str){0};
}

/* Whether the leaf is the title of the call-out el. */
static bool is_title(const struct adit_builder *b, const struct adit_leaf *leaf,
                     const struct adit_el *el, struct adit_str kind)
{
    const struct adit_el *els = b->t->els;
    if (leaf->len > TITLE_LETTERS) return false;
    if (adit_page_says_title(leaf->text, kind)) return true;
    for (uint32_t e = leaf->el, up = 0; e != ADIT_NONE && &els[e] > el && up < UP_MAX; up++) {
        struct adit_str rest = adit_el_attr(b, &els[e], ADIT_ATTR_CLASS), name, words[WORDS_MAX];
        rest = adit_str_sub(rest, 0, CLASS_BYTES);
        if (els[e].tag == ADIT_TAG_SUMMARY || adit_heading_level(els[e].tag)) return true;
        while (adit_block_token(&rest, &name))
            for (size_t i = split_name(name, words); i-- > 0;)
                if (adit_block_among(words[i], part_words, TITLE_WORDS)) return true;
        e = els[e].parent;
    }
    return false;
}

uint16_t adit_find_box(struct adit_builder *b, const struct adit_el *el, uint32_t *title)
{
    uint32_t letters = b->kept[el->leaf1] - b->kept[el->leaf0], leaf = el->leaf0;
    bool alone = false;
    *title = ADIT_NONE;
    if (!may_box[el->tag] || !letters || letters > BOX_LETTERS) return 0;
    struct adit_str class = adit_el_attr(b, el, ADIT_ATTR_CLASS);
    if (!class.len) return 0;
    struct adit_str kind =
        kind_of_class(class, adit_str_trim(adit_el_attr(b, el, ADIT_ATTR_DATA_CALLOUT)), &alone);
    if (!kind.len || letters > b->kept[b->t->n_leaves] / 2) return 0;
    const struct adit_leaf *leaves = b->t->leaves;
    while (!leaves[leaf].keep && !is_title(b, &leaves[leaf], el, kind))
        if (++leaf - el->leaf0 > LEAVES_MAX) return 0;
    bool more = adit_block_any_kept(b, leaf + 1, el->leaf1);
    bool titled = more && is_title(b, &leaves[leaf], el, kind);
    /* A class that is a kind and no more is said by many things: then the text says it, too. */
    bool says = titled && adit_page_says_title(leaves[leaf].text, kind);
    if (alone && !says && !(titled && el->tag == ADIT_TAG_DETAILS)) return 0;
    if (b->n_boxes == ADIT_LIMIT_page_blocks) return 0;
    if (!b->boxes && !(b->boxes = adit_block_alloc(b, ADIT_LIMIT_page_blocks, sizeof *b->boxes)))
        return 0;
    /* "Note:" tells more than class="alert-info" does. */
    struct adit_str words[WORDS_MAX];
    if (titled && split_name(leaves[leaf].text, words) == 1 && kind_of(words[0]).len &&
        adit_page_says_title(leaves[leaf].text, words[0]))
        kind = kind_of(words[0]);
    b->boxes[b->n_boxes] = (struct adit_box){.kind = kind};
    if (titled) *title = leaf;
    return (uint16_t)++b->n_boxes;
}

void adit_build_box(struct adit_builder *b, const struct adit_el *el)
{
    uint32_t title;
    uint16_t box = adit_find_box(b, el, &title);
    if (!box) return;
    b->box_title = title != ADIT_NONE && b->t->leaves[title].keep;
    if (title != ADIT_NONE && !b->box_title)
        b->boxes[box - 1].title = adit_block_line(b, b->t->leaves[title].text);
    b->box_end = el->item1;
}
