/* Documents as trees. The scanner checks a text, cJSON builds its tree in the caller's arena, and the
 * tree's nodes are told where in the text they stand.
 *
 * cJSON gets a cleaned copy: strings without escapes that C strings or UTF-8 cannot hold (U+0000 is
 * dropped, a lone surrogate is U+FFFD), and 0 for every number, whose own text is read instead: no
 * double is ever computed. Nesting has passed the scanner's limit, so that cJSON's recursion is
 * bounded. */
#include "json/scan_impl.h"
#include "json/tree_impl.h"

#include <limits.h>
#include <string.h>

/* The arena of the parse under way in this thread: an allocator of cJSON gets no context. The three
 * functions stand for malloc, free and strtod in the library, by compiler options (scripts/build-deps);
 * cJSON_InitHooks would write a global that threads race for. */
static _Thread_local struct adit_arena *tree_arena;

void *adit_json_tree_alloc(size_t len) { return adit_arena_alloc(tree_arena, len); }
void adit_json_tree_free(void *p) { (void)p; }
double adit_json_tree_number(const char *zero, char **end)
{
    *end = (char *)zero + 1;
    return 0;
}

/* Where a value stands in the text, in bytes. */
struct span {
    uint32_t from, len;
};

struct cleaning {
    const char *start;     /* of the text */
    struct adit_buf copy;  /* for cJSON */
    struct adit_buf spans; /* struct span of each value, in the order of the text */
    struct adit_buf plain; /* a string without escapes */
};

static void add_span(struct cleaning *c, const char *p, const char *end)
{
    struct span s = {(uint32_t)(p - c->start), (uint32_t)(end - p)};
    adit_buf_add(&c->spans, adit_str_of((const char *)&s, sizeof s));
}

/* p: the opening quote, end: behind the closing one. */
static void clean_string(struct cleaning *c, const char *p, const char *end)
{
    struct adit_str inside = adit_str_of(p + 1, (size_t)(end - p) - 2);
    if (adit_str_chr(inside, '\\', 0) == inside.len) {
        adit_buf_add(&c->copy, adit_str_of(p, (size_t)(end - p)));
        return;
    }
    c->plain.len = 0; /* an error stays: that of an earlier string is seen at the end */
    adit_json_unescape(inside, &c->plain);
    size_t n = 0;
    for (size_t i = 0; i < c->plain.len; i++)
        if (c->plain.p[i]) c->plain.p[n++] = c->plain.p[i];
    c->plain.len = n;
    adit_json_quote(&c->copy, adit_buf_str(&c->plain));
}

/* A number, true, false or null; returns what is behind it. */
static const char *clean_word(struct cleaning *c, const char *p, const char *end)
{
    const char *q = p;
    while (q < end && (unsigned char)*q > ' ' && *q != ',' && *q != ']' && *q != '}') q++;
    if (*p == '-' || adit_is_digit(*p))
        adit_buf_byte(&c->copy, '0');
    else
        adit_buf_add(&c->copy, adit_str_of(p, (size_t)(q - p)));
    add_span(c, p, q);
    return q;
}

/* A string, which is no value if it is a key. */
static const char *take_string(struct cleaning *c, const char *p, const char *end)
{
    const char *behind = adit_json_skip_string(p, end), *next = behind;
    while (next < end && (unsigned char)*next <= ' ') next++;
    clean_string(c, p, behind);
    if (next == end || *next != ':') add_span(c, p, behind);
    return next;
}

static void clean_text(struct cleaning *c, struct adit_str text)
{
    size_t open[ADIT_LIMIT_json_depth], depth = 0; /* spans of the arrays and objects around p */
    const char *p = text.p, *end = text.p + text.len;
    while (p < end && !c->spans.err) {
        switch (*p) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': p++; continue;
        case '"': p = take_string(c, p, end); continue;
        case '{':
        case '[':
            open[depth++] = c->spans.len;
            add_span(c, p, p);
            break;
        case '}':
        case ']': {
            if (depth == 0) return; /* cannot be: the text was checked */
            struct span *s = (struct span *)(void *)(c->spans.p + open[--depth]);
            s->len = (uint32_t)(p + 1 - c->start) - s->from;
            break;
        }
        case ',':
        case ':': break;
        default: p = clean_word(c, p, end); continue;
        }
        adit_buf_byte(&c->copy, *p++);
    }
}

/* cJSON's two members for numbers say where a value stands. Nodes come in the order of their spans. */
static void place_nodes(struct cJSON *root, const struct span *s)
{
    struct cJSON *above[ADIT_LIMIT_json_depth + 1];
    size_t depth = 0;
    for (struct cJSON *n = root;; n = n->next) {
        for (;; n = n->child) {
            n->valueint = (int)s->from, n->valuedouble = s->len, s++;
            if (!n->child) break;
            above[depth++] = n;
        }
        while (!n->next && depth) n = above[--depth];
        if (!n->next) return;
    }
}

enum adit_code adit_json_tree(struct adit_str text, struct adit_arena *arena,
                              struct adit_json_value *root, struct adit_error *err)
{
    size_t any = SIZE_MAX;
    return adit_json_tree_of(text, &any, arena, root, err);
}

enum adit_code adit_json_tree_of(struct adit_str text, size_t *values, struct adit_arena *arena,
                                 struct adit_json_value *root, struct adit_error *err)
{
    struct cleaning c = {.start = text.p};
    size_t most = *values < text.len ? *values : text.len;
    ADIT_TRY(adit_json_check(text, root, err));
    if (text.len > INT_MAX) return adit_fail(err, ADIT_ELIMIT, "too long for a tree", 0);
    adit_buf_init(&c.copy, arena->mem, text.len + 1);
    adit_buf_init(&c.spans, arena->mem, most * sizeof(struct span));
    adit_buf_init(&c.plain, arena->mem, text.len + 1);
    struct cJSON *tree = NULL;
    if (adit_buf_reserve(&c.copy, text.len + 1)) clean_text(&c, text);
    if (!c.copy.err && !c.spans.err && !c.plain.err) {
        tree_arena = arena;
        tree = cJSON_ParseWithLength(c.copy.p, c.copy.len);
        tree_arena = NULL;
    }
    bool too_many = c.spans.err == ADIT_ELIMIT;
    if (tree) place_nodes(tree, (const struct span *)(const void *)c.spans.p);
    if (tree) *values -= c.spans.len / sizeof(struct span);
    adit_buf_free(&c.copy);
    adit_buf_free(&c.spans);
    adit_buf_free(&c.plain);
    root->node = tree;
    if (too_many) return adit_fail(err, ADIT_ELIMIT, "too many values", 0);
    return tree ? ADIT_OK : adit_fail(err, ADIT_ENOMEM, "out of memory", 0);
}

struct adit_json_value adit_json_node(const struct cJSON *n, const char *text)
{
    enum adit_json_kind kind = cJSON_IsString(n)   ? ADIT_JSON_STRING
                               : cJSON_IsNumber(n) ? ADIT_JSON_NUMBER
                               : cJSON_IsObject(n) ? ADIT_JSON_OBJECT
                               : cJSON_IsArray(n)  ? ADIT_JSON_ARRAY
                               : cJSON_IsTrue(n)   ? ADIT_JSON_TRUE
                               : cJSON_IsFalse(n)  ? ADIT_JSON_FALSE
                                                   : ADIT_JSON_NULL;
    return (struct adit_json_value){kind, {text + n->valueint, (size_t)n->valuedouble}, n};
}

struct adit_str adit_json_node_text(const struct cJSON *n) { return adit_str_z(n->valuestring); }
