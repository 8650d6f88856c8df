/* Links of fields and of pages. */
#include "http/http.h"
#include "codec/codec.h"

static struct adit_str drop(struct adit_str s, size_t n) { return adit_str_sub(s, n, s.len); }

static struct adit_str skip_space(struct adit_str s)
{
    while (s.len && (s.p[0] == ' ' || s.p[0] == '\t')) s = drop(s, 1);
    return s;
}

static size_t token_len(struct adit_str s)
{
    size_t i = 0;
    while (i < s.len && s.p[i] != '=' && s.p[i] != ';' && s.p[i] != ',' && s.p[i] != ' ' &&
           s.p[i] != '\t' && s.p[i] != '"')
        i++;
    return i;
}

/* A value behind "=": a token, or a quoted string (whose escapes stay as they are). */
static struct adit_str take_value(struct adit_str *s)
{
    if (!s->len || s->p[0] != '"') {
        struct adit_str token = adit_str_sub(*s, 0, token_len(*s));
        *s = drop(*s, token.len);
        return token;
    }
    size_t i = 1;
    while (i < s->len && s->p[i] != '"') i += s->p[i] == '\\' && i + 1 < s->len ? 2 : 1;
    struct adit_str inside = adit_str_sub(*s, 1, i);
    *s = drop(*s, i + 1);
    return inside;
}

/* One parameter behind ";"; of several with one name the first counts (RFC 8288, 3.3). */
static void take_parameter(struct adit_str *s, struct adit_link *link)
{
    struct adit_str value = {0};
    *s = skip_space(*s);
    struct adit_str name = adit_str_sub(*s, 0, token_len(*s));
    *s = skip_space(drop(*s, name.len));
    if (s->len && s->p[0] == '=') {
        *s = skip_space(drop(*s, 1));
        value = take_value(s);
    }
    if (adit_str_ieq(name, ADIT_STR("rel")) && !link->rel.len) link->rel = value;
    if (adit_str_ieq(name, ADIT_STR("type")) && !link->type.len) link->type = value;
    if (adit_str_ieq(name, ADIT_STR("anchor"))) link->anchored = true;
}

bool adit_link_next(struct adit_str *rest, struct adit_link *link)
{
    while (rest->len) {
        struct adit_str s = skip_space(*rest);
        *link = (struct adit_link){0};
        if (!s.len || s.p[0] != '<' || adit_str_chr(s, '>', 0) == s.len) {
            *rest = drop(s, adit_str_chr(s, ',', 0) + 1);
            continue;
        }
        size_t end = adit_str_chr(s, '>', 0);
        link->href = adit_str_trim(adit_str_sub(s, 1, end));
        s = skip_space(drop(s, end + 1));
        while (s.len && s.p[0] == ';') {
            s = drop(s, 1);
            take_parameter(&s, link);
            s = skip_space(s);
        }
        *rest = drop(s, adit_str_chr(s, ',', 0) + 1);
        return true;
    }
    return false;
}

bool adit_link_is(const struct adit_link *link, const char *rel, const char *type)
{
    struct adit_str rest = link->rel, word;
    bool found = false;
    if (link->anchored) return false;
    while (!found && adit_str_split(&rest, ' ', &word))
        found = adit_str_ieq(adit_str_trim(word), adit_str_z(rel));
    return found && (!*type || adit_str_ieq(adit_media_type(link->type), adit_str_z(type)));
}
