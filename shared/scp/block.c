/* Content blocks by the specification's schema (SCP, Page Object Schema): one table says which
 * members a block has, of what kind, and where they go in struct adit_block. */
#include "scp/scp_impl.h"

#include <stddef.h>
#include <string.h>

enum kind {
    STRING,
    URL,
    LEVEL, /* 1…6, others are clamped */
    BOOL,
    UINT,
    DURATION, /* PT5M20S */
    STRINGS,
    ROWS,    /* arrays of strings in an array */
    OBJECTS, /* an array of objects, see sub */
    SOURCES, /* the same, or one URL */
    ICON,    /* {"type":"Image","url":…} */
    NAME     /* a string, or an object with a name */
};

struct field {
    struct adit_str name;
    enum kind kind;
    bool required;
    size_t offset; /* in the object's structure */
    const struct object *sub;
};

struct object {
    const struct field *fields;
    size_t n;
    size_t size; /* of the structure */
};

#define FIELD(type, key, kind, required, member) \
    {ADIT_STR_INIT(key), kind, required, offsetof(type, member), NULL}
#define SUB(type, key, kind, required, member, sub) \
    {ADIT_STR_INIT(key), kind, required, offsetof(type, member), &(sub)}
#define OBJECT(fields, type) {fields, ADIT_COUNT(fields), sizeof(type)}

static const struct field source_fields[] = {
    FIELD(struct adit_media_source, "href", URL, true, href),
    FIELD(struct adit_media_source, "mediaType", STRING, true, media_type),
    FIELD(struct adit_media_source, "rel", STRING, false, rel),
};
static const struct field caption_fields[] = {
    FIELD(struct adit_media_caption, "language", STRING, true, language),
    FIELD(struct adit_media_caption, "url", URL, true, url),
    FIELD(struct adit_media_caption, "label", STRING, true, label),
};
static const struct field chapter_fields[] = {
    FIELD(struct adit_media_chapter, "time", UINT, true, time),
    FIELD(struct adit_media_chapter, "title", STRING, true, title),
};
static const struct object source_object = OBJECT(source_fields, struct adit_media_source);
static const struct object caption_object = OBJECT(caption_fields, struct adit_media_caption);
static const struct object chapter_object = OBJECT(chapter_fields, struct adit_media_chapter);

static const struct field text_fields[] = {
    FIELD(struct adit_block, "text", STRING, true, text),
};
static const struct field heading_fields[] = {
    FIELD(struct adit_block, "level", LEVEL, true, level),
    FIELD(struct adit_block, "text", STRING, true, text),
};
static const struct field link_fields[] = {
    FIELD(struct adit_block, "url", URL, true, url),
    FIELD(struct adit_block, "text", STRING, true, text),
    FIELD(struct adit_block, "rel", STRINGS, false, items),
};
static const struct field image_fields[] = {
    FIELD(struct adit_block, "url", URL, true, url),
    FIELD(struct adit_block, "alt", STRING, true, text),
};
static const struct field list_fields[] = {
    FIELD(struct adit_block, "ordered", BOOL, true, ordered),
    FIELD(struct adit_block, "items", STRINGS, true, items),
};
static const struct field code_fields[] = {
    FIELD(struct adit_block, "language", STRING, false, detail),
    FIELD(struct adit_block, "code", STRING, true, text),
};
static const struct field table_fields[] = {
    FIELD(struct adit_block, "rows", ROWS, true, items),
};
static const struct field quote_fields[] = {
    FIELD(struct adit_block, "text", STRING, true, text),
    FIELD(struct adit_block, "citation", STRING, false, detail),
};
#define MEDIA(key, kind, required, member) FIELD(struct adit_media, key, kind, required, member)
#define MEDIA_SUB(key, kind, required, member, sub) \
    SUB(struct adit_media, key, kind, required, member, sub)
#define MEDIA_COMMON                                                                            \
    MEDIA("name", STRING, true, name), MEDIA_SUB("url", SOURCES, true, sources, source_object), \
        MEDIA("duration", DURATION, false, duration), MEDIA("icon", ICON, false, icon),         \
        MEDIA("summary", STRING, false, summary),                                               \
        MEDIA_SUB("chapters", OBJECTS, false, chapters, chapter_object),                        \
        MEDIA("transcript", STRING, false, transcript)
static const struct field video_fields[] = {
    MEDIA_COMMON,
    MEDIA("width", UINT, false, width),
    MEDIA("height", UINT, false, height),
    MEDIA_SUB("captions", OBJECTS, false, captions, caption_object),
};
static const struct field audio_fields[] = {
    MEDIA_COMMON,
    MEDIA("attributedTo", NAME, false, attributed_to),
    MEDIA("partOf", NAME, false, part_of),
};

static const struct {
    struct adit_str name;
    struct object object;
} types[ADIT_BLOCK_TYPES] = {
    [ADIT_TEXT] = {ADIT_STR_INIT("text"), OBJECT(text_fields, struct adit_block)},
    [ADIT_HEADING] = {ADIT_STR_INIT("heading"), OBJECT(heading_fields, struct adit_block)},
    [ADIT_LINK] = {ADIT_STR_INIT("link"), OBJECT(link_fields, struct adit_block)},
    [ADIT_IMAGE] = {ADIT_STR_INIT("image"), OBJECT(image_fields, struct adit_block)},
    [ADIT_LIST] = {ADIT_STR_INIT("list"), OBJECT(list_fields, struct adit_block)},
    [ADIT_CODE] = {ADIT_STR_INIT("code"), OBJECT(code_fields, struct adit_block)},
    [ADIT_TABLE] = {ADIT_STR_INIT("table"), OBJECT(table_fields, struct adit_block)},
    [ADIT_QUOTE] = {ADIT_STR_INIT("quote"), OBJECT(quote_fields, struct adit_block)},
    [ADIT_VIDEO] = {ADIT_STR_INIT("video"), OBJECT(video_fields, struct adit_media)},
    [ADIT_AUDIO] = {ADIT_STR_INIT("audio"), OBJECT(audio_fields, struct adit_media)},
};

/* What became of a value. */
enum outcome { FINE, CLAMPED, WRONG, BAD_URL };

/* Building: arena is NULL when the block is only judged. */
struct build {
    struct adit_arena *arena;
    bool ok;
};

static struct adit_str text_of(struct build *b, struct adit_json_value v)
{
    if (!b->arena) return (struct adit_str){0};
    return adit_json_text(v, b->arena, &b->ok);
}

static void *room(struct build *b, size_t n, size_t size)
{
    if (!b->arena) return NULL;
    void *p = adit_arena_zalloc(b->arena, n ? n : 1, size);
    if (!p) b->ok = false;
    return p;
}

static size_t count(struct adit_json_value v)
{
    size_t n = 0;
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m);) n++;
    return n;
}

static enum outcome take_strings(struct build *b, struct adit_json_value v, struct adit_strs *to)
{
    if (v.kind != ADIT_JSON_ARRAY) return WRONG;
    struct adit_strs s = {0};
    if (b->arena) s.v = room(b, count(v), sizeof *s.v);
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m);) {
        if (m.value.kind != ADIT_JSON_STRING) return WRONG;
        if (s.v) s.v[s.n++] = text_of(b, m.value);
    }
    if (to) *to = s;
    return FINE;
}

/* Rows may differ in width: all get that of the widest, as struct adit_block wants them. */
static enum outcome take_rows(struct build *b, struct adit_json_value v, struct adit_block *to)
{
    if (v.kind != ADIT_JSON_ARRAY) return WRONG;
    size_t rows = 0, columns = 0;
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m); rows++) {
        struct build judge_only = {0};
        if (take_strings(&judge_only, m.value, NULL) != FINE) return WRONG;
        size_t n = to ? count(m.value) : 0;
        if (n > columns) columns = n;
    }
    if (!to || rows == 0 || columns == 0) return FINE;
    struct adit_str *cells =
        columns > SIZE_MAX / rows ? NULL : room(b, rows * columns, sizeof *cells);
    if (!cells) {
        b->ok = false;
        return FINE;
    }
    it = adit_json_iter(v);
    size_t at = 0;
    for (struct adit_json_member row; adit_json_next(&it, &row); at += columns) {
        struct adit_json_iter in_row = adit_json_iter(row.value);
        size_t i = at;
        for (struct adit_json_member m; adit_json_next(&in_row, &m);)
            cells[i++] = text_of(b, m.value);
    }
    to->items = (struct adit_strs){cells, rows * columns};
    to->columns = columns;
    return FINE;
}

static enum outcome take_object(struct build *b, const struct object *o, struct adit_json_value v,
                                char *to, const struct field **where);

/* The array's pointer stands at the offset; its length is in the member n_… of the same name. */
static size_t *length_of(struct adit_media *m, const struct object *sub)
{
    return sub == &source_object    ? &m->n_sources
           : sub == &caption_object ? &m->n_captions
                                    : &m->n_chapters;
}

static enum outcome take_objects(struct build *b, const struct field *f, struct adit_json_value v,
                                 char *to, void **array)
{
    if (v.kind != ADIT_JSON_ARRAY) return WRONG;
    size_t n = to ? count(v) : 0, i = 0;
    char *rows = to ? room(b, n, f->sub->size) : NULL;
    struct adit_json_iter it = adit_json_iter(v);
    const struct field *where;
    for (struct adit_json_member m; adit_json_next(&it, &m); i++) {
        enum outcome o =
            take_object(b, f->sub, m.value, rows ? rows + i * f->sub->size : NULL, &where);
        if (o != FINE) return o;
    }
    if (f->kind == SOURCES && i == 0) return WRONG; /* minItems 1 */
    if (!rows) return FINE;
    memcpy(array, &rows, sizeof rows);
    *length_of((struct adit_media *)(void *)to, f->sub) = n;
    return FINE;
}

static enum outcome take_source(struct build *b, struct adit_json_value v, struct adit_media *to)
{
    if (!adit_scp_is_url(adit_json_inside(v))) return BAD_URL;
    if (!to || !(to->sources = room(b, 1, sizeof *to->sources))) return FINE;
    to->sources[0].href = text_of(b, v);
    to->n_sources = 1;
    return FINE;
}

static enum outcome take_icon(struct build *b, struct adit_json_value v, struct adit_str *to)
{
    if (v.kind != ADIT_JSON_OBJECT) return WRONG;
    struct adit_json_value type = adit_json_get(v, ADIT_STR("type"));
    struct adit_json_value url = adit_json_get(v, ADIT_STR("url"));
    if (type.kind && !adit_str_eq(adit_json_inside(type), ADIT_STR("Image"))) return WRONG;
    if (url.kind && !adit_scp_is_url(adit_json_inside(url))) return BAD_URL;
    if (to) *to = text_of(b, url);
    return FINE;
}

static enum outcome take_level(struct adit_json_value v, uint8_t *to)
{
    uint64_t n = 0;
    if (v.kind != ADIT_JSON_NUMBER) return WRONG;
    bool whole = adit_scp_integer(v, &n);
    if (!whole && adit_str_chr(v.raw, '.', 0) < v.raw.len) return WRONG;
    if (!whole) n = v.raw.p[0] == '-' ? 0 : 7; /* below or beyond every level */
    if (to) *to = (uint8_t)(n < 1 ? 1 : n > 6 ? 6 : n);
    return n < 1 || n > 6 ? CLAMPED : FINE;
}

static enum outcome take_string(struct build *b, enum kind kind, struct adit_json_value v, char *to)
{
    if (kind == NAME && v.kind == ADIT_JSON_OBJECT)
        v = adit_json_get(v, ADIT_STR("name"));
    else if (v.kind != ADIT_JSON_STRING)
        return WRONG;
    if (kind == URL && !adit_scp_is_url(adit_json_inside(v))) return BAD_URL;
    if (kind == DURATION && !adit_scp_is_duration(adit_json_inside(v))) return WRONG;
    if (!to) return FINE;
    struct adit_str text = text_of(b, v);
    memcpy(to, &text, sizeof text);
    return FINE;
}

/* to is the object's structure, or NULL when there is nothing to build. */
static enum outcome take(struct build *b, const struct field *f, struct adit_json_value v, char *to)
{
    void *at = to ? to + f->offset : NULL;
    uint64_t n = 0;
    switch (f->kind) {
    case STRING:
    case URL:
    case DURATION:
    case NAME: return take_string(b, f->kind, v, at);
    case LEVEL: return take_level(v, at);
    case BOOL:
        if (v.kind != ADIT_JSON_TRUE && v.kind != ADIT_JSON_FALSE) return WRONG;
        if (at) *(bool *)at = v.kind == ADIT_JSON_TRUE;
        return FINE;
    case UINT:
        if (!adit_scp_integer(v, &n)) return WRONG;
        if (at) *(uint64_t *)at = n;
        return FINE;
    case STRINGS: return take_strings(b, v, at);
    case ROWS: return take_rows(b, v, (struct adit_block *)(void *)to);
    case ICON: return take_icon(b, v, at);
    case SOURCES:
        if (v.kind == ADIT_JSON_STRING) return take_source(b, v, (struct adit_media *)(void *)to);
        return take_objects(b, f, v, to, at);
    case OBJECTS: return take_objects(b, f, v, to, at);
    }
    return WRONG;
}

static const struct field *find_field(const struct object *o, struct adit_str key)
{
    if (adit_str_eq(key, ADIT_STR("type"))) return NULL; /* of every block, and judged already */
    for (size_t i = 0; i < o->n; i++)
        if (adit_str_eq(o->fields[i].name, key)) return &o->fields[i];
    if (adit_str_chr(key, '\\', 0) == key.len) return NULL;
    for (size_t i = 0; i < o->n; i++)
        if (adit_json_is(key, o->fields[i].name)) return &o->fields[i];
    return NULL;
}

static const struct field *find_missing(const struct object *o, unsigned seen)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->fields[i].required && !(seen >> i & 1)) return &o->fields[i];
    return NULL;
}

/* An object inside a block. Optional members that are malformed are left out silently: the whole is
 * optional, or its required members decide. *where: the member that is wrong. */
static enum outcome take_object(struct build *b, const struct object *o, struct adit_json_value v,
                                char *to, const struct field **where)
{
    unsigned seen = 0;
    *where = NULL;
    if (v.kind != ADIT_JSON_OBJECT) return WRONG;
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m);) {
        const struct field *f = find_field(o, m.key);
        if (!f) continue;
        enum outcome got = take(b, f, m.value, to);
        if (got == FINE) seen |= 1u << (f - o->fields);
        if (got == FINE || !f->required) continue;
        *where = f;
        return got;
    }
    *where = find_missing(o, seen);
    return *where ? WRONG : FINE;
}

static enum adit_block_type type_of(struct adit_json_value v)
{
    struct adit_str name = adit_json_inside(v);
    size_t i = 0;
    while (i < ADIT_BLOCK_TYPES && !adit_str_eq(types[i].name, name)) i++;
    for (size_t k = 0; i == ADIT_BLOCK_TYPES && k < ADIT_BLOCK_TYPES; k++)
        if (adit_json_is(name, types[k].name)) i = k;
    return (enum adit_block_type)i;
}

/* Reports what came of a member of a block; false: the block must go. */
static bool accept_member(const struct adit_scp_place *place, const struct field *f,
                          enum outcome got, struct adit_str at)
{
    if (got == FINE) return true;
    enum adit_scp_rule_id rule = got == CLAMPED   ? ADIT_SCP_BLOCK_LEVEL
                                 : got == BAD_URL ? ADIT_SCP_BLOCK_URL
                                 : f->required    ? ADIT_SCP_BLOCK_TYPE
                                                  : ADIT_SCP_BLOCK_OPTIONAL;
    if (!f->required && got == BAD_URL) rule = ADIT_SCP_BLOCK_OPTIONAL;
    adit_scp_report(place, rule, f->name.p, at);
    return adit_scp_rules[rule].severity == ADIT_RULE_WARN;
}

/* All members, the first of which has been read already. */
static bool take_block(const struct adit_scp_place *place, const struct object *o,
                       struct adit_json_iter *it, struct adit_json_member m, struct build *b,
                       char *to)
{
    unsigned seen = 0;
    bool keep = true;
    struct adit_str start = m.key;
    do {
        const struct field *f = keep ? find_field(o, m.key) : NULL;
        if (!f) continue;
        seen |= 1u << (f - o->fields);
        keep = accept_member(place, f, take(b, f, m.value, to), m.value.raw);
    } while (adit_json_next(it, &m));
    const struct field *missing = keep ? find_missing(o, seen) : NULL;
    if (missing) adit_scp_report(place, ADIT_SCP_BLOCK_MISSING, missing->name.p, start);
    return keep && !missing;
}

static void skip_rest(struct adit_json_iter *it)
{
    for (struct adit_json_member m; adit_json_next(it, &m);) {}
}

/* The type is the first member, as a rule. */
static struct adit_json_value find_type(struct adit_json_iter it,
                                        const struct adit_json_member *first)
{
    struct adit_json_value found = {0};
    if (adit_str_eq(first->key, ADIT_STR("type"))) return first->value;
    struct adit_json_member m = *first;
    do
        if (adit_json_is(m.key, ADIT_STR("type"))) found = m.value;
    while (adit_json_next(&it, &m));
    return found;
}

/* The block whose members it steps through. */
static void judge_block(const struct adit_scp_place *place, struct adit_json_iter *it,
                        struct adit_arena *arena, struct adit_block *block,
                        struct adit_scp_block *got)
{
    struct build b = {arena, true};
    struct adit_json_member first;
    struct adit_json_value name = {0};
    struct adit_str bracket = adit_str_of(it->p - 1, 1);
    if (adit_json_next(it, &first)) name = find_type(*it, &first);
    bool has_type = name.kind == ADIT_JSON_STRING;
    got->type = has_type ? type_of(name) : ADIT_BLOCK_TYPES;
    if (got->type == ADIT_BLOCK_TYPES) {
        adit_scp_report(place, has_type ? ADIT_SCP_BLOCK_UNKNOWN : ADIT_SCP_BLOCK_OBJECT, "type",
                        has_type ? name.raw : bracket);
        skip_rest(it);
        return;
    }
    const struct object *o = &types[got->type].object;
    char *to = NULL;
    if (arena) {
        bool media = o->size == sizeof(struct adit_media);
        *block = (struct adit_block){.type = got->type};
        if (media) block->media = room(&b, 1, o->size);
        to = media ? (char *)block->media : (char *)block;
    }
    got->keep = take_block(place, o, it, first, &b, to);
    got->room = b.ok;
}

bool adit_scp_next_block(struct adit_json_iter *blocks, const struct adit_scp_place *place,
                         struct adit_arena *arena, struct adit_block *block,
                         struct adit_scp_block *got)
{
    *got = (struct adit_scp_block){ADIT_BLOCK_TYPES, false, true};
    while (blocks->p < blocks->end && ((unsigned char)*blocks->p <= ' ' || *blocks->p == ','))
        blocks->p++;
    if (blocks->p < blocks->end && *blocks->p == '{') {
        /* In place, without looking for its end first: blocks are most of a collection. */
        struct adit_json_iter it = {.p = blocks->p + 1, .end = blocks->end, .object = true};
        judge_block(place, &it, arena, block, got);
        blocks->p = it.p + 1;
        return true;
    }
    struct adit_json_member other;
    if (!adit_json_next(blocks, &other)) return false;
    adit_scp_report(place, ADIT_SCP_BLOCK_OBJECT, NULL, other.value.raw);
    return true;
}
