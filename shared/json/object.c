/* Objects by rows: one table of members binds a struct to its JSON, and both the reader and the
 * writer loop over it, so that nothing can be written and not be read. */
#include "json/json.h"

#include "crypto/crypto.h"

#include <string.h>

#define SHA256 "sha256:"
enum { ROWS_MAX = 32 }; /* of a table */

static const void *member_of(const struct adit_json_row *row, const void *from)
{
    return (const char *)from + row->at;
}

static size_t list_count(const struct adit_json_row *row, const void *from)
{
    size_t n;
    memcpy(&n, (const char *)from + row->list->n_at, sizeof n);
    return n;
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool is_empty(const struct adit_json_row *row, const void *from)
{
    const void *p = member_of(row, from);
    switch (row->kind) {
    case ADIT_ROW_TEXT:
    case ADIT_ROW_RAW: return ((const struct adit_str *)p)->len == 0;
    case ADIT_ROW_UINT:
    case ADIT_ROW_HEX: return *(const uint64_t *)p == 0;
    case ADIT_ROW_BOOL: return !*(const bool *)p;
    case ADIT_ROW_TIME:
        return !((const struct adit_time *)p)->s && !((const struct adit_time *)p)->ns;
    case ADIT_ROW_LIST: return list_count(row, from) == 0;
    case ADIT_ROW_PART:
        for (const struct adit_json_row *r = row->rows; r->key; r++)
            if (!is_empty(r, p)) return false;
        return true;
    default: return false;
    }
}

static void write_list(struct adit_json_writer *w, const struct adit_json_row *row,
                       const void *from)
{
    const struct adit_json_list *l = row->list;
    const void *at = member_of(row, from);
    const char *v = at;
    if (!l->inside) memcpy(&v, at, sizeof v);
    adit_json_open(w, '[');
    for (size_t i = 0; i < list_count(row, from); i++, v += l->size)
        if (l->rows)
            adit_json_object_write(w, l->rows, v);
        else
            adit_json_row_write(w, l->item, v);
    adit_json_close(w, ']');
}

void adit_json_row_write(struct adit_json_writer *w, const struct adit_json_row *row,
                         const void *from)
{
    const void *p = member_of(row, from);
    char space[192];
    uint8_t bytes[8];
    struct adit_buf text = {.p = space, .cap = sizeof space, .max = sizeof space};
    switch (row->kind) {
    case ADIT_ROW_TEXT: adit_json_string(w, *(const struct adit_str *)p); return;
    case ADIT_ROW_RAW: adit_json_raw(w, *(const struct adit_str *)p); return;
    case ADIT_ROW_UINT: adit_json_uint(w, *(const uint64_t *)p); return;
    case ADIT_ROW_BOOL: adit_json_bool(w, *(const bool *)p); return;
    case ADIT_ROW_CHOICE: adit_buf_lit(&text, row->names[*(const unsigned *)p]); break;
    case ADIT_ROW_TIME: adit_time_write(&text, *(const struct adit_time *)p); break;
    case ADIT_ROW_SHA256: adit_sha256_text(&text, SHA256, p); break;
    case ADIT_ROW_HEX:
        for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(*(const uint64_t *)p >> (56 - 8 * i));
        adit_buf_hex(&text, bytes, sizeof bytes);
        break;
    case ADIT_ROW_BYTES: adit_base64url(&text, p, row->size); break;
    case ADIT_ROW_CONST: adit_buf_lit(&text, row->text); break;
    case ADIT_ROW_FIXED: adit_json_uint(w, row->number); return;
    case ADIT_ROW_PART: adit_json_object_write(w, row->rows, p); return;
    case ADIT_ROW_LIST: write_list(w, row, from); return;
    case ADIT_ROW_OWN: row->write(w, from); return;
    }
    adit_json_string(w, adit_buf_str(&text));
}

static bool is_left_out(const struct adit_json_row *row, const void *from)
{
    return ((row->flags & ADIT_ROW_SPARSE) && is_empty(row, from)) ||
           ((row->flags & ADIT_ROW_HAS) && !*(const bool *)((const char *)from + row->has_at)) ||
           (row->unless && row->unless(from));
}

void adit_json_object_write(struct adit_json_writer *w, const struct adit_json_row *rows,
                            const void *from)
{
    adit_json_open(w, '{');
    for (const struct adit_json_row *row = rows; row->key; row++) {
        if (is_left_out(row, from)) continue;
        adit_json_key(w, row->key);
        adit_json_row_write(w, row, from);
    }
    adit_json_close(w, '}');
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_choice(const struct adit_json_row *row, struct adit_str name, unsigned *out)
{
    for (unsigned i = 0; row->names[i]; i++)
        if (adit_str_eq(adit_str_z(row->names[i]), name)) {
            *out = i;
            return true;
        }
    return false;
}

static bool read_hex(struct adit_str digits, uint64_t *out)
{
    uint8_t bytes[8];
    if (!adit_hex_decode(digits, bytes, sizeof bytes)) return false;
    *out = 0;
    for (size_t i = 0; i < sizeof bytes; i++) *out = *out << 8 | bytes[i];
    return true;
}

static bool read_bytes(struct adit_str base64, uint8_t *out, size_t size)
{
    char space[128];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    if (adit_base64_decode(base64, &b) != ADIT_OK || b.len != size) return false;
    memcpy(out, b.p, size);
    return true;
}

static enum adit_code read_list(const struct adit_json_row *row, struct adit_json_value v, void *to,
                                struct adit_arena *arena)
{
    const struct adit_json_list *l = row->list;
    struct adit_json_member m;
    size_t n = 0;
    if (v.kind != ADIT_JSON_ARRAY) return ADIT_EBAD;
    for (struct adit_json_iter it = adit_json_iter(v); adit_json_next(&it, &m);) n++;
    if (n > l->max) return ADIT_ELIMIT;
    char *p = (char *)to + row->at;
    if (!l->inside) {
        p = adit_arena_zalloc(arena, l->room ? l->max : n, l->size);
        if (!p) return ADIT_ENOMEM;
        memcpy((char *)to + row->at, &p, sizeof p);
    }
    memcpy((char *)to + l->n_at, &n, sizeof n);
    for (struct adit_json_iter it = adit_json_iter(v); adit_json_next(&it, &m); p += l->size)
        ADIT_TRY(l->rows ? adit_json_object_read(m.value, l->rows, p, arena, NULL)
                         : adit_json_row_read(m.value, l->item, p, arena));
    return ADIT_OK;
}

static enum adit_code read_text(struct adit_json_value v, const struct adit_json_row *row,
                                struct adit_str *to, struct adit_arena *arena)
{
    bool room = true;
    if (v.kind != ADIT_JSON_STRING) return ADIT_EBAD;
    struct adit_str text = adit_json_text(v, arena, &room);
    if (!room) return ADIT_ENOMEM;
    if (row->fits && !row->fits(text)) return ADIT_EBAD;
    *to = text;
    return ADIT_OK;
}

enum adit_code adit_json_row_read(struct adit_json_value v, const struct adit_json_row *row,
                                  void *to, struct adit_arena *arena)
{
    void *p = (char *)to + row->at;
    struct adit_str text = adit_json_inside(v);
    struct adit_time t;
    uint64_t n;
    bool good = v.kind == ADIT_JSON_STRING;
    switch (row->kind) {
    case ADIT_ROW_TEXT: return read_text(v, row, p, arena);
    case ADIT_ROW_RAW:
        *(struct adit_str *)p = v.raw;
        good = v.kind == ADIT_JSON_OBJECT;
        break;
    case ADIT_ROW_UINT:
        good = adit_json_u64(v, &n) && n <= UINT64_C(1) << 53;
        if (good) *(uint64_t *)p = n;
        break;
    case ADIT_ROW_BOOL:
        good = v.kind == ADIT_JSON_TRUE || v.kind == ADIT_JSON_FALSE;
        if (good) *(bool *)p = v.kind == ADIT_JSON_TRUE;
        break;
    case ADIT_ROW_CHOICE: good = good && read_choice(row, text, p); break;
    case ADIT_ROW_TIME:
        good = good && adit_time_parse(text, &t);
        if (good) *(struct adit_time *)p = t;
        break;
    case ADIT_ROW_SHA256:
        good = adit_str_starts(text, ADIT_STR(SHA256)) &&
               adit_hex_decode(adit_str_sub(text, sizeof SHA256 - 1, text.len), p, ADIT_SHA256_LEN);
        break;
    case ADIT_ROW_HEX: good = good && read_hex(text, p); break;
    case ADIT_ROW_BYTES: good = good && read_bytes(text, p, row->size); break;
    case ADIT_ROW_CONST: good = true; break;
    case ADIT_ROW_FIXED: good = adit_json_u64(v, &n) && n == row->number; break;
    case ADIT_ROW_PART: return adit_json_object_read(v, row->rows, p, arena, NULL);
    case ADIT_ROW_LIST: return read_list(row, v, to, arena);
    case ADIT_ROW_OWN: return row->read ? row->read(v, to, arena) : ADIT_OK;
    }
    return good ? ADIT_OK : ADIT_EBAD;
}

/* The values of the rows, found in one pass; of several members with one name the last. */
static void find_members(struct adit_json_value v, const struct adit_json_row *rows,
                         struct adit_json_value *found)
{
    struct adit_json_iter it = adit_json_iter(v);
    for (struct adit_json_member m; adit_json_next(&it, &m);)
        for (size_t i = 0; rows[i].key; i++) {
            struct adit_str name = adit_str_z(rows[i].key);
            if (it.tree ? adit_str_eq(m.key, name) : adit_json_is(m.key, name)) found[i] = m.value;
        }
}

static enum adit_code read_member(struct adit_json_value v, const struct adit_json_row *row,
                                  void *to, struct adit_arena *arena, struct adit_error *err)
{
    bool absent = v.kind == ADIT_JSON_NONE, needed = row->flags & ADIT_ROW_NEEDED;
    enum adit_code code = absent ? ADIT_EBAD : adit_json_row_read(v, row, to, arena);
    if (row->flags & ADIT_ROW_HAS) *(bool *)((char *)to + row->has_at) = code == ADIT_OK;
    if (code == ADIT_OK && needed && row->kind == ADIT_ROW_TEXT && is_empty(row, to))
        absent = true, code = ADIT_EBAD;
    if (code == ADIT_OK) return ADIT_OK;
    if (code == ADIT_EBAD && !needed && (absent || !(row->flags & ADIT_ROW_STRICT))) return ADIT_OK;
    return adit_fail(err, code,
                     code == ADIT_ENOMEM   ? "out of memory"
                     : code == ADIT_ELIMIT ? "a list is too long"
                     : absent              ? "a member is missing"
                                           : "a member is malformed",
                     0);
}

enum adit_code adit_json_object_read(struct adit_json_value v, const struct adit_json_row *rows,
                                     void *to, struct adit_arena *arena, struct adit_error *err)
{
    struct adit_json_value found[ROWS_MAX] = {{0}};
    if (v.kind != ADIT_JSON_OBJECT) return adit_fail(err, ADIT_EBAD, "not an object", 0);
    find_members(v, rows, found);
    for (size_t i = 0; rows[i].key; i++) ADIT_TRY(read_member(found[i], &rows[i], to, arena, err));
    return ADIT_OK;
}
