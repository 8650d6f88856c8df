/* The charset parameter of Content-Type (RFC 9110, 8.3; read as browsers do: MIME Sniffing
 * standard, 4.4, "parse a MIME type"). */
#include "codec/codec.h"

static void skip_spaces(struct adit_str *s) /* of HTTP: TAB LF CR SPACE */
{
    while (s->len && adit_is_space(s->p[0]) && s->p[0] != '\f') *s = adit_str_sub(*s, 1, s->len);
}

/* A quoted string at the start of *s, which moves behind it. Nobody escapes characters of a label:
 * what stands behind a backslash stays so. */
static struct adit_str take_quoted(struct adit_str *s)
{
    size_t i = 1;
    while (i < s->len && s->p[i] != '"') i += s->p[i] == '\\' ? 2 : 1;
    struct adit_str value = adit_str_sub(*s, 1, i);
    *s = adit_str_sub(*s, i + 1, s->len);
    return value;
}

struct adit_str adit_content_type_charset(struct adit_str content_type)
{
    struct adit_str rest = content_type;
    size_t semicolon = adit_str_chr(rest, ';', 0);
    while (semicolon < rest.len) {
        rest = adit_str_sub(rest, semicolon + 1, rest.len);
        skip_spaces(&rest);
        size_t end = 0;
        while (end < rest.len && rest.p[end] != ';' && rest.p[end] != '=') end++;
        struct adit_str name = adit_str_sub(rest, 0, end), value;
        bool has_value = end < rest.len && rest.p[end] == '=';
        rest = adit_str_sub(rest, end + has_value, rest.len);
        if (has_value && rest.len && rest.p[0] == '"')
            value = take_quoted(&rest);
        else
            value = adit_str_trim(adit_str_sub(rest, 0, adit_str_chr(rest, ';', 0)));
        if (has_value && value.len && adit_str_ieq(name, ADIT_STR("charset"))) return value;
        semicolon = adit_str_chr(rest, ';', 0);
    }
    return (struct adit_str){0};
}
