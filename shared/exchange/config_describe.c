/* The configuration, told from its table: as the document that would give it, and as a JSON schema.
 */
#include "exchange/config_impl.h"

static struct adit_str name_of(const struct adit_config_row *row)
{
    struct adit_str key = adit_str_z(row->key), group = adit_config_group_of(row);
    return group.len ? adit_str_sub(key, group.len + 1, key.len) : key;
}

static void add_key(struct adit_json_writer *w, struct adit_str name)
{
    char z[64];
    struct adit_buf b = {.p = z, .cap = sizeof z, .max = sizeof z};
    adit_buf_add(&b, name);
    adit_buf_byte(&b, '\0');
    if (!b.err) adit_json_key(w, z);
}

/* --- values ----------------------------------------------------------------------------------- */

static void print_list(struct adit_json_writer *w, const struct adit_config_list *l)
{
    adit_json_open(w, '[');
    for (size_t i = 0; i < l->n; i++) adit_json_string(w, l->v[i]);
    adit_json_close(w, ']');
}

static void print_pairs(struct adit_json_writer *w, const struct adit_config_pairs *p)
{
    adit_json_open(w, '{');
    for (size_t i = 0; i < p->n; i++) {
        add_key(w, p->v[i].name);
        adit_json_string(w, p->v[i].value);
    }
    adit_json_close(w, '}');
}

static void print_value(struct adit_json_writer *w, const struct adit_config *c,
                        const struct adit_config_row *row)
{
    const void *at = (const char *)c + row->at;
    const struct adit_json_row json = adit_config_json(row);
    const struct adit_str *s = at;
    switch (row->kind) {
    case ADIT_CONFIG_LIST: print_list(w, at); break;
    case ADIT_CONFIG_PAIRS: print_pairs(w, at); break;
    case ADIT_CONFIG_POLICY: adit_json_raw(w, s->len ? *s : ADIT_STR("{}")); break;
    default: adit_json_row_write(w, &json, c); break;
    }
}

/* --- the order: groups where their first member stands ---------------------------------------- */

typedef void print_row(struct adit_json_writer *w, const struct adit_config *c,
                       const struct adit_config_row *row);

static bool is_first(size_t i)
{
    struct adit_str group = adit_config_group_of(&adit_config_rows[i]);
    for (size_t k = 0; k < i; k++)
        if (adit_str_eq(adit_config_group_of(&adit_config_rows[k]), group)) return false;
    return true;
}

static void print_group(struct adit_json_writer *w, const struct adit_config *c,
                        struct adit_str group, print_row *print)
{
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        const struct adit_config_row *row = &adit_config_rows[i];
        if (!adit_str_eq(adit_config_group_of(row), group)) continue;
        add_key(w, name_of(row));
        print(w, c, row);
    }
}

void adit_config_print(const struct adit_config *c, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        const struct adit_config_row *row = &adit_config_rows[i];
        struct adit_str group = adit_config_group_of(row);
        if (group.len && !is_first(i)) continue;
        /* A site without them says nothing: an empty origin would be refused. */
        if (row->kind == ADIT_CONFIG_STRING && row->at == offsetof(struct adit_config, origin) &&
            c->origin.len == 0)
            continue;
        add_key(&w, group.len ? group : name_of(row));
        if (!group.len) {
            print_value(&w, c, row);
            continue;
        }
        adit_json_open(&w, '{');
        print_group(&w, c, group, print_value);
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, '}');
}

/* --- the schema ------------------------------------------------------------------------------- */

static void print_type(struct adit_json_writer *w, const char *type)
{
    adit_json_member(w, "type", adit_str_z(type));
}

static void print_schema(struct adit_json_writer *w, const struct adit_config *c,
                         const struct adit_config_row *row)
{
    static const char *const types[ADIT_CONFIG_KINDS] = {
        [ADIT_CONFIG_STRING] = "string", [ADIT_CONFIG_BOOL] = "boolean",
        [ADIT_CONFIG_UINT] = "integer",  [ADIT_CONFIG_CHOICE] = "string",
        [ADIT_CONFIG_LIST] = "array",    [ADIT_CONFIG_PAIRS] = "object",
        [ADIT_CONFIG_POLICY] = "object",
    };
    adit_json_open(w, '{');
    print_type(w, types[row->kind]);
    if (row->kind == ADIT_CONFIG_UINT) {
        adit_json_member_uint(w, "minimum", row->min);
        adit_json_member_uint(w, "maximum", row->max);
    }
    if (row->kind == ADIT_CONFIG_CHOICE) {
        adit_json_member_open(w, "enum", '[');
        for (size_t i = 0; row->names[i]; i++) adit_json_string(w, adit_str_z(row->names[i]));
        adit_json_close(w, ']');
    }
    if (row->kind == ADIT_CONFIG_LIST || row->kind == ADIT_CONFIG_PAIRS) {
        adit_json_member_open(w, row->kind == ADIT_CONFIG_LIST ? "items" : "additionalProperties",
                              '{');
        print_type(w, "string");
        adit_json_close(w, '}');
    }
    if (row->at != offsetof(struct adit_config, origin) && row->kind != ADIT_CONFIG_POLICY) {
        adit_json_key(w, "default");
        print_value(w, c, row);
    }
    adit_json_close(w, '}');
}

static const char *switch_of(struct adit_str group)
{
    for (const struct adit_config_group *g = adit_config_groups; g->name; g++)
        if (adit_str_eq(group, adit_str_z(g->name))) return g->sw;
    return NULL;
}

static void print_properties(struct adit_json_writer *w)
{
    adit_json_member_bool(w, "additionalProperties", false);
    adit_json_member_open(w, "properties", '{');
}

void adit_config_schema(const struct adit_config *defaults, struct adit_buf *out)
{
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    adit_json_member(&w, "$schema", ADIT_STR("https://json-schema.org/draft/2020-12/schema"));
    adit_json_member(&w, "title", ADIT_STR("adit.json"));
    print_type(&w, "object");
    print_properties(&w);
    for (size_t i = 0; i < ADIT_CONFIG_ROWS; i++) {
        const struct adit_config_row *row = &adit_config_rows[i];
        struct adit_str group = adit_config_group_of(row);
        if (group.len && !is_first(i)) continue;
        add_key(&w, group.len ? group : name_of(row));
        if (!group.len) {
            print_schema(&w, defaults, row);
            continue;
        }
        adit_json_open(&w, '{');
        adit_json_member_open(&w, "type", '[');
        adit_json_string(&w, ADIT_STR("object"));
        if (switch_of(group)) adit_json_string(&w, ADIT_STR("boolean"));
        adit_json_close(&w, ']');
        print_properties(&w);
        print_group(&w, defaults, group, print_schema);
        adit_json_close(&w, '}');
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, '}');
    adit_json_close(&w, '}');
}
