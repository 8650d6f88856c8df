/* The text of a leaf: what its items say, put together and collapsed, and its counts. */
#include "tape/leaf_impl.h"

#include "page/page.h"

#include <string.h>

const struct adit_str adit_quotes[2] = {ADIT_STR_INIT("\xe2\x80\x9c"),
                                        ADIT_STR_INIT("\xe2\x80\x9d")};

static char *room_for_text(struct adit_arena *arena, struct leaf_room *room, size_t raw_len)
{
    enum { ROOM = 16 << 10 };
    size_t need = raw_len + 8;
    if (room->len < need) {
        size_t len = need > ROOM ? need : ROOM;
        char *made = adit_arena_alloc(arena, len);
        if (!made) return NULL;
        *room = (struct leaf_room){made, len};
    }
    return room->p;
}

/* Whether a raised text is the mark of a note: a link to a place of the page. */
static bool is_mark(const struct adit_dom *d, uint32_t script, struct adit_str text)
{
    enum { MARK_MAX = 6, STEPS_MAX = 8 };
    uint32_t n = script;
    if (text.len > MARK_MAX) return false;
    for (uint32_t up = d->nodes[script].parent, k = 0; up && k < 2; k++, up = d->nodes[up].parent)
        if (adit_dom_is(d, up, ADIT_TAG_A)) n = up;
    for (uint32_t root = n, k = 0; n && k < STEPS_MAX; k++, n = adit_dom_next(d, n, root, true)) {
        if (!adit_dom_is(d, n, ADIT_TAG_A)) continue;
        struct adit_str href = adit_dom_attr(d, n, ADIT_ATTR_HREF);
        return href.len > 1 && href.p[0] == '#';
    }
    return false;
}

/* An exponent or index of the leaf under way. */
struct script {
    uint32_t node;
    size_t from; /* where it begins in the text; SIZE_MAX: there is none */
    bool link;
};

enum { SCRIPT_MAX = 24 }; /* bytes: more is no exponent */

/* At the end of an exponent or index: it becomes signs of its own, or x^(n+1), a_(ij). The mark of a
 * note, a link in the page, stands in brackets. One that nothing stands before, or that is long, or
 * has brackets already, is text. */
static void set_script(const struct adit_tape *t, struct script *k, const struct adit_item *it,
                       struct adit_space *s)
{
    char plain[SCRIPT_MAX * 4];
    struct adit_buf out = {.p = plain, .cap = sizeof plain, .max = sizeof plain};
    if (it->kind == ADIT_ITEM_OPEN) {
        if (k->from == SIZE_MAX) *k = (struct script){it->node, s->pending ? SIZE_MAX : s->len, 0};
        return;
    }
    size_t from = k->from;
    if (it->node != k->node) return;
    k->from = SIZE_MAX, k->node = 0;
    if (from == SIZE_MAX || !from || s->len <= from || s->len - from > SCRIPT_MAX) return;
    struct adit_str text = adit_str_of(s->out + from, s->len - from);
    if (adit_str_chr(text, '[', 0) < text.len || s->out[from - 1] == '\n' || text.p[0] == ' ')
        return;
    if (is_mark(t->dom, it->node, text)) {
        adit_buf_byte(&out, '[');
        adit_buf_add(&out, text);
        adit_buf_byte(&out, ']');
    } else {
        adit_plain_script(text, it->tag == ADIT_TAG_SUP, &out);
    }
    if (out.err != ADIT_OK) return;
    memcpy(s->out + from, plain, out.len);
    s->len = from + out.len;
}

/* Whether nothing but struck-out text is in the items of a leaf: that is its text, then. */
static bool all_struck(const struct adit_tape *t, size_t item0, size_t item1)
{
    for (size_t i = item0; i < item1; i++) {
        const struct adit_item *it = &t->items[i];
        if (it->kind == ADIT_ITEM_ALT || it->kind == ADIT_ITEM_MADE) return false;
        if (it->kind == ADIT_ITEM_TEXT && it->leaf != ADIT_NONE && !(it->tag & ADIT_IN_STRUCK) &&
            !adit_space_blank(adit_dom_data(t->dom, it->node)))
            return false;
    }
    return true;
}

/* Adds what one item says. */
static void add_said(const struct adit_tape *t, const struct adit_item *it, struct adit_space *s,
                     struct script *script)
{
    switch (it->kind) {
    case ADIT_ITEM_TEXT:
        if (it->tag & ADIT_APART) adit_space_add(s, ADIT_STR(" "));
        adit_space_add(s, adit_dom_data(t->dom, it->node));
        break;
    case ADIT_ITEM_OPEN:
    case ADIT_ITEM_CLOSE:
        if (it->tag == ADIT_TAG_SUP || it->tag == ADIT_TAG_SUB)
            set_script(t, script, it, s);
        else if (it->tag == ADIT_TAG_Q)
            adit_space_add(s, adit_quotes[it->kind == ADIT_ITEM_CLOSE]);
        break;
    case ADIT_ITEM_BREAK: adit_space_break(s); break;
    case ADIT_ITEM_ALT: adit_space_add(s, adit_item_alt(t->dom, it->node)); break;
    case ADIT_ITEM_MADE: adit_space_add(s, t->made[it->tag].text); break;
    default: adit_space_add(s, ADIT_STR(" ")); break; /* words around a picture stand apart */
    }
}

/* Bytes from which on a leaf or a text is long; a page has no more such texts. */
enum { LONG = 1 << 20, LONGS_MAX = 8 };

/* A text of a long leaf, and where it stands there. */
struct long_text {
    uint32_t node;
    size_t from, to;
    bool space; /* white space ends it */
};

/* The long texts of a long leaf. */
struct long_leaf {
    struct leaf_room room; /* its own */
    struct long_text texts[LONGS_MAX];
    size_t n;
};

static void add_long(struct long_leaf *l, uint32_t node, size_t from, const struct adit_space *s)
{
    if (l->n == LONGS_MAX) return;
    l->texts[l->n++] = (struct long_text){node, from, s->len, s->pending};
}

/* A long text that was put together or decoded says from now on what the leaf does, in the leaf's own
 * bytes: two of them would be much of what a page may take. White space in it is collapsed then, as
 * it is for everybody who reads it again; code keeps its own. */
static void share_texts(const struct adit_tape *t, const struct long_leaf *l, char *text)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t from = l->texts[i].from, end = l->texts[i].to;
        if (text[from] == '\n') from++; /* a <br> says that */
        if (l->texts[i].space && text[end] == ' ') end++;
        adit_dom_share(t->dom, l->texts[i].node, text + from, end - from);
    }
}

/* Cuts the room of a long leaf to what it takes. The copy stands where the texts' own bytes stood, if
 * the host can place it there, so that what is free lies in one piece. */
static struct adit_str finish_long(const struct adit_tape *t, const struct long_leaf *l, size_t len)
{
    char *text = l->room.p;
    text[len] = ' '; /* the leaf ends without the white space of its last text */
    share_texts(t, l, text);
    char *made = adit_arena_alloc(t->arena, len + 1);
    if (!made) return adit_str_of(text, len);
    memcpy(made, text, len + 1);
    adit_arena_drop(t->arena, text, l->room.len);
    share_texts(t, l, made);
    return adit_str_of(made, len);
}

enum adit_code adit_leaf_write(const struct adit_tape *t, struct adit_leaf *leaf, size_t raw_len,
                               bool struck, struct leaf_room *room)
{
    struct long_leaf whole; /* looked at if it is long */
    bool is_long = raw_len >= LONG;
    whole.n = 0;
    if (is_long) whole.room = (struct leaf_room){0}, room = &whole.room;
    struct adit_space s = {.out = room_for_text(t->arena, room, raw_len)};
    struct script script = {.from = SIZE_MAX};
    uint32_t letters = 0, emphasised = 0, formulas = 0;
    if (!s.out) return ADIT_ENOMEM;
    struck = struck && !all_struck(t, leaf->item0, leaf->item1);
    for (size_t i = leaf->item0; i < leaf->item1; i++) {
        const struct adit_item *it = &t->items[i];
        bool text = it->kind == ADIT_ITEM_TEXT;
        if (text && (it->leaf == ADIT_NONE || (struck && it->tag & ADIT_IN_STRUCK))) continue;
        size_t from = s.len;
        add_said(t, it, &s, &script);
        if (text && s.len - from >= LONG && !(it->tag & (ADIT_IN_PRE | ADIT_IN_CODE)))
            add_long(&whole, it->node, from, &s);
        uint32_t more = s.chars + 2 * s.cjk - letters;
        letters += more;
        if (text && it->tag & ADIT_IN_LINK) leaf->len_link += more;
        if (text && it->tag & ADIT_IN_EMPH) emphasised += more;
        if (it->kind == ADIT_ITEM_MADE) formulas += more;
    }
    leaf->len = letters, leaf->cjk = s.cjk;
    leaf->emph_pm = (uint16_t)(letters ? 1000 * (uint64_t)emphasised / letters : 0);
    leaf->formula = letters && formulas == letters;
    leaf->text = adit_str_of(s.out, s.len);
    if (is_long) leaf->text = finish_long(t, &whole, s.len);
    room->p += s.len, room->len -= s.len;
    return ADIT_OK;
}
