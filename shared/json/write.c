/* The writer. Escapes are those of RFC 8785, 3.2.2.2: the short ones where there are any, \u00xx in
 * lower case for other control characters, everything else as it is. */
#include "json/json.h"
#include "text/text.h"

static bool needs_escape(char c) { return (unsigned char)c < ' ' || c == '"' || c == '\\'; }

/* Offset of the first byte at or after i that needs an escape; s.len if none does. */
static size_t plain_len(struct adit_str s, size_t i)
{
    for (; s.len - i >= 8; i += 8) {
        uint64_t w = adit_swar_load(s.p + i);
        if (adit_swar_less(w, ' ') | adit_swar_eq(w, '"') | adit_swar_eq(w, '\\')) break;
    }
    while (i < s.len && !needs_escape(s.p[i])) i++;
    return i;
}

static void escape(struct adit_buf *out, char c)
{
    static const struct adit_str meaning = ADIT_STR_INIT("\b\t\n\f\r\"\\");
    size_t i = adit_str_chr(meaning, c, 0);
    if (i < meaning.len) {
        adit_buf_byte(out, '\\');
        adit_buf_byte(out, "btnfr\"\\"[i]);
        return;
    }
    adit_buf_lit(out, "\\u00");
    adit_buf_hex(out, (const uint8_t *)&c, 1);
}

/* Room for a long string at once: a buffer that grows under it would be twice as large. */
static void reserve_quoted(struct adit_buf *out, struct adit_str s)
{
    enum { LONG = 256 << 10 };
    size_t len = s.len + 2;
    if (s.len < LONG) return;
    for (size_t i = 0; (i = plain_len(s, i)) < s.len; i++)
        len += (unsigned char)s.p[i] < ' ' && s.p[i] != '\n' && s.p[i] != '\t' ? 5 : 1;
    (void)adit_buf_reserve(out, len);
}

void adit_json_quote(struct adit_buf *out, struct adit_str s)
{
    reserve_quoted(out, s);
    adit_buf_byte(out, '"');
    for (size_t i = 0; i < s.len;) {
        size_t end = plain_len(s, i);
        adit_buf_add(out, adit_str_sub(s, i, end));
        for (i = end; i < s.len && needs_escape(s.p[i]); i++) escape(out, s.p[i]);
    }
    adit_buf_byte(out, '"');
}

static void value_comes(struct adit_json_writer *w)
{
    if (w->comma) adit_buf_byte(w->out, ',');
    w->comma = true;
}

void adit_json_open(struct adit_json_writer *w, char bracket)
{
    value_comes(w);
    adit_buf_byte(w->out, bracket);
    w->comma = false;
}

void adit_json_close(struct adit_json_writer *w, char bracket)
{
    adit_buf_byte(w->out, bracket);
    w->comma = true;
}

void adit_json_key(struct adit_json_writer *w, const char *key)
{
    value_comes(w);
    adit_buf_byte(w->out, '"');
    adit_buf_lit(w->out, key);
    adit_buf_lit(w->out, "\":");
    w->comma = false;
}

void adit_json_string(struct adit_json_writer *w, struct adit_str s)
{
    value_comes(w);
    adit_json_quote(w->out, s);
}

void adit_json_uint(struct adit_json_writer *w, uint64_t v)
{
    value_comes(w);
    adit_buf_u64(w->out, v);
}

void adit_json_int(struct adit_json_writer *w, int64_t v)
{
    value_comes(w);
    adit_buf_i64(w->out, v);
}

void adit_json_bool(struct adit_json_writer *w, bool v)
{
    value_comes(w);
    adit_buf_lit(w->out, v ? "true" : "false");
}

void adit_json_null(struct adit_json_writer *w)
{
    value_comes(w);
    adit_buf_lit(w->out, "null");
}

void adit_json_raw(struct adit_json_writer *w, struct adit_str json)
{
    value_comes(w);
    adit_buf_add(w->out, json);
}

void adit_json_member(struct adit_json_writer *w, const char *key, struct adit_str s)
{
    adit_json_key(w, key);
    adit_json_string(w, s);
}

void adit_json_member_opt(struct adit_json_writer *w, const char *key, struct adit_str s)
{
    if (s.len) adit_json_member(w, key, s);
}

void adit_json_member_uint(struct adit_json_writer *w, const char *key, uint64_t v)
{
    adit_json_key(w, key);
    adit_json_uint(w, v);
}

void adit_json_member_bool(struct adit_json_writer *w, const char *key, bool v)
{
    adit_json_key(w, key);
    adit_json_bool(w, v);
}

void adit_json_member_open(struct adit_json_writer *w, const char *key, char bracket)
{
    adit_json_key(w, key);
    adit_json_open(w, bracket);
}
