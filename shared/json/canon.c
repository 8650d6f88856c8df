/* Rewriting JSON text: canonical (RFC 8785), or mended.
 *
 * The text is checked by the scanner, then made into a tree of nodes, one a value, that point into
 * it; members of objects are sorted as linked lists (merge sort: a total order, no recursion, no
 * worse than n log n), and the tree is written by following links. Who wants a tree of what is written
 * gets cJSON's nodes made on the way. */
#include "json/scan_impl.h"
#include "json/tree_impl.h"
#include "text/text.h"

#include <limits.h>
#include <string.h>

const struct adit_json_rewrite adit_json_canonical = {.sort = true, .numbers = true};
const struct adit_json_rewrite adit_json_copy = {.last_wins = true, .repair = true, .sloppy = true};

struct node {
    struct adit_json_value value;
    struct adit_str key; /* as it means */
    struct node *parent, *child, *next;
    struct node *sorted; /* next by key; only used while an object is sorted */
    struct cJSON *made;  /* for this value, if a tree is wanted */
    bool dropped;
};

struct work {
    const struct adit_json_rewrite *how;
    struct adit_str text;
    struct adit_arena arena;
    struct adit_buf *out;
    struct adit_error *err;
    struct adit_arena *made; /* for a tree of what is written; NULL: none is wanted */
    size_t values;           /* values that the tree may still have */
};

static enum adit_code no_room(struct work *w)
{
    return adit_fail(w->err, ADIT_ENOMEM, "out of memory", 0);
}

static enum adit_code fail_at(struct work *w, const char *msg, const char *p)
{
    return adit_fail(w->err, ADIT_EBAD, msg, (size_t)(p - w->text.p));
}

/* --- strings ---------------------------------------------------------------------------------- */

/* What the inside of a string means, valid UTF-8, in the arena if it is not the text itself. */
static enum adit_code meaning(struct work *w, struct adit_str inside, struct adit_str *out)
{
    bool room = true;
    struct adit_json_value v = {.kind = ADIT_JSON_STRING,
                                .raw = adit_str_of(inside.p - 1, inside.len + 2)};
    struct adit_str s = adit_json_text(v, &w->arena, &room);
    if (!room) return no_room(w);
    if (w->how->repair && !adit_utf8_valid(s)) {
        /* At most three bytes for one. */
        char *p = adit_arena_alloc(&w->arena, s.len * 3);
        if (!p) return no_room(w);
        struct adit_buf b = {.p = p, .cap = s.len * 3, .max = s.len * 3};
        adit_utf8_repair(s, &b);
        s = adit_buf_str(&b);
    }
    *out = s;
    return ADIT_OK;
}

static bool is_lone(struct adit_str s, size_t i, size_t *next)
{
    struct adit_str unit = adit_str_sub(s, i + 2, i + 6), pair = adit_str_sub(s, i + 6, i + 12);
    *next = i + 6;
    if (adit_lower(unit.p[0]) != 'd' || adit_hex(unit.p[1]) < 8) return false;
    if (adit_hex(unit.p[1]) >= 12) return true;
    *next = i + 12;
    return pair.len < 6 || pair.p[0] != '\\' || pair.p[1] != 'u' || adit_lower(pair.p[2]) != 'd' ||
           adit_hex(pair.p[3]) < 12;
}

/* RFC 8785, 3.2.2.2: lone surrogates end with an error. */
static enum adit_code check_surrogates(struct work *w, struct adit_str inside)
{
    for (size_t i = adit_str_chr(inside, '\\', 0); i < inside.len;) {
        size_t next = i + 2;
        if (inside.p[i + 1] == 'u' && is_lone(inside, i, &next))
            return fail_at(w, "lone surrogate", inside.p + i);
        i = adit_str_chr(inside, '\\', next);
    }
    return ADIT_OK;
}

static enum adit_code read_string(struct work *w, struct adit_str inside, struct adit_str *out)
{
    if (!w->how->repair) ADIT_TRY(check_surrogates(w, inside));
    return meaning(w, inside, out);
}

/* --- order ------------------------------------------------------------------------------------ */

/* By UTF-16 code units (RFC 8785, 3.2.3). UTF-8 sorts by code points, which differs only where
 * U+E000…U+FFFF (first byte EE or EF) meets a supplementary one (F0…F4). */
static int compare_keys(struct adit_str a, struct adit_str b)
{
    size_t n = a.len < b.len ? a.len : b.len, i = 0;
    while (i < n && a.p[i] == b.p[i]) i++;
    if (i == n) return (a.len > b.len) - (a.len < b.len);
    unsigned x = (unsigned char)a.p[i], y = (unsigned char)b.p[i];
    if (x == 0xEE || x == 0xEF) x += 0x10;
    if (y == 0xEE || y == 0xEF) y += 0x10;
    return x < y ? -1 : 1;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *head = NULL, **tail = &head;
    while (a && b) {
        struct node **least = compare_keys(a->key, b->key) <= 0 ? &a : &b;
        *tail = *least;
        tail = &(*least)->sorted;
        *least = *tail;
    }
    *tail = a ? a : b;
    return head;
}

/* Stable. runs[i] holds a sorted list of 2^i members, or nothing: a binary counter. */
static struct node *sort_members(struct node *list)
{
    struct node *runs[8 * sizeof(size_t)] = {0}, *all = NULL;
    while (list) {
        struct node *run = list;
        size_t i = 0;
        list = list->next;
        run->sorted = NULL;
        for (; runs[i]; i++) {
            run = merge(runs[i], run);
            runs[i] = NULL;
        }
        runs[i] = run;
    }
    for (size_t i = 0; i < ADIT_COUNT(runs); i++)
        if (runs[i]) all = merge(runs[i], all);
    return all;
}

/* Finds members of one name, and puts the members into the order asked for. */
static enum adit_code settle_members(struct work *w, struct node *object)
{
    struct node *list = sort_members(object->child);
    for (struct node *m = list; m; m = m->sorted) {
        struct node *after = m->sorted;
        if (!after || !adit_str_eq(m->key, after->key)) continue;
        if (!w->how->last_wins)
            return fail_at(w, "the object has this key twice", after->value.raw.p);
        m->dropped = true;
    }
    if (!w->how->sort) return ADIT_OK;
    object->child = list;
    for (struct node *m = list; m; m = m->sorted) m->next = m->sorted;
    return ADIT_OK;
}

/* --- the tree --------------------------------------------------------------------------------- */

static bool is_nested(const struct node *n)
{
    return n->value.kind == ADIT_JSON_ARRAY || n->value.kind == ADIT_JSON_OBJECT;
}

static enum adit_json_kind kind_at(const char *p)
{
    switch (*p) {
    case '"': return ADIT_JSON_STRING;
    case '{': return ADIT_JSON_OBJECT;
    case '[': return ADIT_JSON_ARRAY;
    case 't': return ADIT_JSON_TRUE;
    case 'f': return ADIT_JSON_FALSE;
    case 'n': return ADIT_JSON_NULL;
    default: return ADIT_JSON_NUMBER;
    }
}

/* Behind the string, number or word at p, or behind the bracket that opens an array or object. */
static const char *behind(const char *p, const char *end)
{
    if (*p == '"') return adit_json_skip_string(p, end);
    if (*p == '{' || *p == '[') return p + 1;
    while (p < end && (unsigned char)*p > ' ' && *p != ',' && *p != ']' && *p != '}') p++;
    return p;
}

/* The node of the value at p in the array or object `parent`. */
static struct node *new_node(struct work *w, struct node *parent, const char *p, const char *end)
{
    struct node *n = adit_arena_zalloc(&w->arena, 1, sizeof *n);
    if (!n) return NULL;
    n->parent = parent;
    n->value.kind = kind_at(p);
    n->value.raw = adit_str_of(p, (size_t)(behind(p, end) - p));
    return n;
}

/* Makes all nodes below top, whose text has been checked, in one pass. Keys are raw. */
static enum adit_code make_nodes(struct work *w, struct node *top)
{
    struct node *open = top, **tails[ADIT_LIMIT_json_depth]; /* where the next child goes */
    const char *p = top->value.raw.p + 1, *end = top->value.raw.p + top->value.raw.len;
    struct adit_str key = {0};
    size_t depth = 0;
    tails[0] = &top->child;
    while (p < end) {
        if ((unsigned char)*p <= ' ' || *p == ',' || *p == ':') {
            p++;
        } else if (*p == '}' || *p == ']') {
            open->value.raw.len = (size_t)(++p - open->value.raw.p);
            if (depth-- == 0) break;
            open = open->parent;
        } else if (open->value.kind == ADIT_JSON_OBJECT && !key.p) {
            const char *from = p + 1;
            p = adit_json_skip_string(p, end);
            key = adit_str_of(from, (size_t)(p - from) - 1);
        } else {
            struct node *n = new_node(w, open, p, end);
            if (!n) return no_room(w);
            n->key = key, key.p = NULL;
            *tails[depth] = n, tails[depth] = &n->next;
            p += n->value.raw.len;
            if (!is_nested(n)) continue;
            open = n, tails[++depth] = &n->child;
        }
    }
    return ADIT_OK;
}

/* Reads the keys of an object. */
static enum adit_code open_node(struct work *w, struct node *n)
{
    if (n->value.kind != ADIT_JSON_OBJECT) return ADIT_OK;
    for (struct node *m = n->child; m; m = m->next) ADIT_TRY(read_string(w, m->key, &m->key));
    return settle_members(w, n);
}

static bool is_left_out(const struct work *w, const struct node *n)
{
    if (n->dropped) return true;
    return w->how->omit.len && n->parent && !n->parent->parent &&
           n->parent->value.kind == ADIT_JSON_OBJECT && adit_str_eq(n->key, w->how->omit);
}

static struct node *first_kept(const struct work *w, struct node *n)
{
    while (n && is_left_out(w, n)) n = n->next;
    return n;
}

/* --- a tree of what is written ---------------------------------------------------------------- */

/* Copies s without U+0000 to p, and returns what is behind the NUL that ends it. */
static char *put_z(char *p, struct adit_str s)
{
    if (s.len && !memchr(s.p, 0, s.len)) {
        memcpy(p, s.p, s.len);
        p += s.len;
    } else {
        for (size_t i = 0; i < s.len; i++)
            if (s.p[i]) *p++ = s.p[i];
    }
    *p = '\0';
    return p + 1;
}

/* The tree's node of n, which is written next; text: what a string means. */
static enum adit_code make_tree(struct work *w, struct node *n, struct adit_str text)
{
    static const int types[] = {
        [ADIT_JSON_NULL] = cJSON_NULL,     [ADIT_JSON_FALSE] = cJSON_False,
        [ADIT_JSON_TRUE] = cJSON_True,     [ADIT_JSON_NUMBER] = cJSON_Number,
        [ADIT_JSON_STRING] = cJSON_String, [ADIT_JSON_ARRAY] = cJSON_Array,
        [ADIT_JSON_OBJECT] = cJSON_Object};
    if (!w->made) return ADIT_OK;
    if (w->values == 0) return adit_fail(w->err, ADIT_ELIMIT, "too many values", 0);
    if (w->out->len > INT_MAX) return adit_fail(w->err, ADIT_ELIMIT, "too long for a tree", 0);
    w->values--;
    struct cJSON *c = adit_arena_alloc(w->made, sizeof *c + n->key.len + text.len + 2);
    if (!c) return no_room(w);
    *c = (struct cJSON){.type = types[n->value.kind], .valueint = (int)w->out->len};
    n->made = c;
    char *p = (char *)(c + 1);
    if (n->value.kind == ADIT_JSON_STRING) c->valuestring = p, p = put_z(p, text);
    if (!n->parent) return ADIT_OK;
    if (n->parent->value.kind == ADIT_JSON_OBJECT) c->string = p, (void)put_z(p, n->key);
    struct cJSON *over = n->parent->made, *last = over->child ? over->child->prev : NULL;
    if (last)
        last->next = c, c->prev = last;
    else
        over->child = c;
    over->child->prev = c; /* as cJSON does: the first one knows the last */
    return ADIT_OK;
}

/* n has been written to its end. */
static void end_tree(struct work *w, struct node *n)
{
    if (n->made) n->made->valuedouble = (double)(w->out->len - (size_t)n->made->valueint);
}

/* --- writing ---------------------------------------------------------------------------------- */

static enum adit_code write_scalar(struct work *w, struct node *n)
{
    struct adit_str s = {0};
    bool string = n->value.kind == ADIT_JSON_STRING;
    if (string) ADIT_TRY(read_string(w, adit_json_inside(n->value), &s));
    ADIT_TRY(make_tree(w, n, s));
    if (string) {
        adit_json_quote(w->out, s);
        return ADIT_OK;
    }
    if (n->value.kind != ADIT_JSON_NUMBER || !w->how->numbers) {
        adit_buf_add(w->out, n->value.raw);
        return ADIT_OK;
    }
    uint64_t bits;
    if (adit_json_parse_number(n->value.raw, &bits) != ADIT_OK)
        return fail_at(w, "number beyond the range of a double", n->value.raw.p);
    return adit_json_number(w->out, bits);
}

/* Writes n up to its first child, which is returned; closes what n ends otherwise and returns the
 * value that follows, NULL at the end. */
static enum adit_code write_node(struct work *w, struct node *n, struct node **next)
{
    if (n->parent && n->parent->value.kind == ADIT_JSON_OBJECT) {
        adit_json_quote(w->out, n->key);
        adit_buf_byte(w->out, ':');
    }
    if (is_nested(n)) {
        ADIT_TRY(make_tree(w, n, (struct adit_str){0}));
        adit_buf_byte(w->out, *n->value.raw.p);
        ADIT_TRY(open_node(w, n));
        *next = first_kept(w, n->child);
        if (*next) return ADIT_OK;
        adit_buf_byte(w->out, n->value.raw.p[n->value.raw.len - 1]);
    } else {
        ADIT_TRY(write_scalar(w, n));
    }
    end_tree(w, n);
    while (n && !(*next = first_kept(w, n->next))) {
        n = n->parent;
        if (!n) break;
        adit_buf_byte(w->out, n->value.raw.p[n->value.raw.len - 1]);
        end_tree(w, n);
    }
    if (*next) adit_buf_byte(w->out, ',');
    return ADIT_OK;
}

static enum adit_code rewrite(struct work *w, struct cJSON **tree)
{
    static const char bom[] = "\xEF\xBB\xBF";
    struct adit_json_scanner s = {.start = w->text.p,
                                  .p = w->text.p,
                                  .end = w->text.p + w->text.len,
                                  .sloppy = w->how->sloppy,
                                  .repair = w->how->repair,
                                  .err = w->err};
    struct node top = {0}, *n = &top;
    if (s.sloppy && w->text.len >= 3 && memcmp(s.p, bom, 3) == 0) s.p += 3;
    adit_json_scan_space(&s);
    ADIT_TRY(adit_json_scan_value(&s, 0, &top.value));
    adit_json_scan_space(&s);
    if (s.p < s.end && !s.sloppy) return adit_json_scan_fail(&s, "text after the value");
    if (is_nested(&top)) ADIT_TRY(make_nodes(w, &top));
    while (n && !w->out->err) ADIT_TRY(write_node(w, n, &n));
    if (w->out->err) return adit_fail(w->err, w->out->err, "no room for the result", 0);
    *tree = top.made;
    return ADIT_OK;
}

static enum adit_code rewrite_text(struct work *w, struct adit_mem mem, struct cJSON **tree)
{
    size_t len = w->text.len;
    if (!w->text.p) w->text = ADIT_STR("");
    /* Two bytes of text make a node at most; keys and strings are copied once. */
    adit_arena_init(&w->arena, mem, len > SIZE_MAX / 128 ? SIZE_MAX / 2 : 4096 + len * 64);
    enum adit_code code = rewrite(w, tree);
    adit_arena_free(&w->arena);
    return code;
}

enum adit_code adit_json_rewrite(struct adit_str text, const struct adit_json_rewrite *how,
                                 struct adit_mem mem, struct adit_buf *out, struct adit_error *err)
{
    struct work w = {.how = how, .text = text, .out = out, .err = err};
    struct cJSON *tree = NULL;
    return rewrite_text(&w, mem, &tree);
}

enum adit_code adit_json_rewrite_tree(struct adit_str text, const struct adit_json_rewrite *how,
                                      size_t *values, size_t max, struct adit_arena *arena,
                                      struct adit_json_value *root, struct adit_error *err)
{
    struct adit_buf out;
    struct work w = {
        .how = how, .text = text, .out = &out, .err = err, .made = arena, .values = *values};
    struct adit_arena_mark mark = adit_arena_mark(arena);
    struct cJSON *tree = NULL;
    bool room = true;
    adit_buf_init(&out, arena->mem, max);
    if (text.len <= max) (void)adit_buf_reserve(&out, text.len); /* mostly enough */
    enum adit_code code = rewrite_text(&w, arena->mem, &tree);
    struct adit_str copy = {0};
    if (!code) copy = adit_arena_dup(arena, adit_buf_str(&out), &room);
    adit_buf_free(&out);
    if (!room) code = no_room(&w);
    if (code) {
        adit_arena_release(arena, mark);
        return code;
    }
    *values = w.values;
    *root = adit_json_node(tree, copy.p);
    return ADIT_OK;
}

const struct adit_rule adit_json_rules[] = {
    {"tct-canonical", ADIT_RULE_WARN, "the bytes are not canonical JSON",
     "write RFC 8785: sorted members, no white space, nothing behind the object"},
    {0},
};

void adit_json_judge(struct adit_str text, struct adit_mem mem, const struct adit_judge *judge)
{
    struct adit_finding f = {.rule = adit_json_rules, .index = SIZE_MAX};
    struct adit_buf b;
    adit_buf_init(&b, mem, 4 * text.len + 64);
    bool same = adit_json_rewrite(text, &adit_json_canonical, mem, &b, NULL) == ADIT_OK &&
                adit_str_eq(adit_buf_str(&b), text);
    adit_buf_free(&b);
    if (!same) judge->report(judge->ctx, &f);
}
