/* Lines for a robots.txt that somebody else wrote: added to it without changing what it allows. */
#include "http/http.h"

/* A line as it stands, and what it says. */
struct line {
    size_t begin, end;    /* end: behind its line break */
    struct adit_str name; /* empty: a comment, or nothing */
    struct adit_str value;
};

static bool next(struct adit_str text, size_t *pos, struct line *l)
{
    if (*pos >= text.len) return false;
    size_t at = *pos;
    if (at == 0 && adit_str_starts(text, ADIT_STR("\xEF\xBB\xBF"))) at = 3;
    *l = (struct line){.begin = at};
    while (at < text.len && text.p[at] != '\n' && text.p[at] != '\r') at++;
    struct adit_str s = adit_str_sub(text, l->begin, at);
    s = adit_str_sub(s, 0, adit_str_chr(s, '#', 0));
    size_t colon = adit_str_chr(s, ':', 0);
    if (colon < s.len) {
        l->name = adit_str_trim(adit_str_sub(s, 0, colon));
        l->value = adit_str_trim(adit_str_sub(s, colon + 1, s.len));
    }
    if (at + 1 < text.len && text.p[at] == '\r' && text.p[at + 1] == '\n') at++;
    l->end = *pos = at < text.len ? at + 1 : at;
    return true;
}

static bool is(const struct line *l, const char *name)
{
    return adit_str_ieq(l->name, adit_str_z(name));
}

/* Rules end the list of robots that a group is for (RFC 9309, 2.2.1); other lines do not. */
static bool is_rule(const struct line *l) { return is(l, "allow") || is(l, "disallow"); }

/* Whether a line of that name stands in the group that begins at `from` (or, whole, anywhere). */
static bool has_line(struct adit_str text, size_t from, const char *name, bool whole)
{
    bool rules = false;
    struct line l;
    while (next(text, &from, &l)) {
        if (!whole && rules && is(&l, "user-agent")) return false;
        if (is(&l, name)) return true;
        rules = rules || is_rule(&l);
    }
    return false;
}

struct writer {
    struct adit_str text, eol;
    const struct adit_robots_line *lines;
    size_t n;
    struct adit_buf *out;
};

static void put_line(struct writer *w, const char *name, struct adit_str value)
{
    adit_buf_lit(w->out, name);
    adit_buf_lit(w->out, ": ");
    adit_buf_add(w->out, value);
    adit_buf_add(w->out, w->eol);
}

static void end_line(struct writer *w)
{
    if (w->out->len && w->out->p[w->out->len - 1] != '\n' && w->out->p[w->out->len - 1] != '\r')
        adit_buf_add(w->out, w->eol);
}

/* The lines of groups, for the group that begins at `from`; NO_GROUP: for one that is new. */
#define NO_GROUP SIZE_MAX
static void put_group(struct writer *w, size_t from)
{
    for (size_t i = 0; i < w->n; i++)
        if (!w->lines[i].global && w->lines[i].value.len &&
            (from == NO_GROUP || !has_line(w->text, from, w->lines[i].name, false)))
            put_line(w, w->lines[i].name, w->lines[i].value);
}

static bool has_group_lines(const struct writer *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (!w->lines[i].global && w->lines[i].value.len) return true;
    return false;
}

/* Robots that no group names would have no line: they read only the group for everyone. */
static void put_everyone(struct writer *w)
{
    end_line(w);
    if (w->out->len) adit_buf_add(w->out, w->eol);
    put_line(w, "User-agent", ADIT_STR("*"));
    put_group(w, NO_GROUP);
    put_line(w, "Allow", ADIT_STR("/"));
}

static void put_globals(struct writer *w)
{
    bool first = true;
    for (size_t i = 0; i < w->n; i++) {
        const struct adit_robots_line *l = &w->lines[i];
        if (!l->global || l->value.len == 0 || has_line(w->text, 0, l->name, true)) continue;
        end_line(w);
        if (first && w->out->len) adit_buf_add(w->out, w->eol);
        put_line(w, l->name, l->value);
        first = false;
    }
}

void adit_robots_add(struct adit_str text, const struct adit_robots_line *lines, size_t n,
                     struct adit_buf *out)
{
    struct writer w = {text, ADIT_STR("\n"), lines, n, out};
    size_t pos = 0, done = 0, group = NO_GROUP;
    bool everyone = false;
    struct line l;
    if (adit_str_find(text, ADIT_STR("\r\n"), 0) < text.len) w.eol = ADIT_STR("\r\n");
    while (next(text, &pos, &l)) {
        if (is(&l, "user-agent")) {
            if (group == NO_GROUP) group = l.begin;
            everyone = everyone || adit_str_eq(l.value, ADIT_STR("*"));
        } else if (is_rule(&l) && group != NO_GROUP) {
            adit_buf_add(out, adit_str_sub(text, done, l.begin));
            done = l.begin;
            put_group(&w, group);
            group = NO_GROUP;
        }
    }
    adit_buf_add(out, adit_str_sub(text, done, text.len));
    if (group != NO_GROUP) {
        end_line(&w);
        put_group(&w, group);
    }
    if (!everyone && (has_group_lines(&w) || text.len == 0)) put_everyone(&w);
    put_globals(&w);
}
