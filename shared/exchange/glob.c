/* Globs of the configuration. One star is remembered at a time: when what follows it does not
 * match, the latest star takes one more character; an earlier star never needs another try. */
#include "exchange/exchange.h"

/* The end of the class that begins at p[at] = '[', i.e. the offset of its ']'; len if there is
 * none. A ']' directly behind the opening (or its '!') is a member. */
static size_t class_end(struct adit_str p, size_t at)
{
    size_t i = at + 1;
    if (i < p.len && p.p[i] == '!') i++;
    if (i < p.len && p.p[i] == ']') i++;
    return adit_str_chr(p, ']', i);
}

static bool in_class(struct adit_str p, size_t at, size_t end, char c)
{
    size_t i = at + 1;
    bool negated = p.p[i] == '!', found = false;
    if (negated) i++;
    unsigned char u = (unsigned char)c;
    while (i < end) {
        unsigned char from = (unsigned char)p.p[i], to = from;
        if (i + 2 < end && p.p[i + 1] == '-') {
            to = (unsigned char)p.p[i + 2];
            i += 2;
        }
        if (from <= u && u <= to) found = true;
        i++;
    }
    return found != negated;
}

/* Whether the pattern's element at *at matches c; moves *at behind it. */
static bool one(struct adit_str p, size_t *at, char c)
{
    char e = p.p[*at];
    if (e == '[') {
        size_t end = class_end(p, *at);
        if (end < p.len) {
            bool hit = in_class(p, *at, end, c);
            *at = end + 1;
            return hit;
        }
    }
    ++*at;
    return e == '?' || e == c;
}

bool adit_glob(struct adit_str p, struct adit_str text)
{
    size_t at = 0, i = 0, star = SIZE_MAX, retry = 0;
    while (i < text.len) {
        size_t next = at;
        if (at < p.len && p.p[at] == '*') {
            star = ++at;
            retry = i;
        } else if (at < p.len && one(p, &next, text.p[i])) {
            at = next;
            i++;
        } else if (star != SIZE_MAX) {
            at = star;
            i = ++retry;
        } else {
            return false;
        }
    }
    while (at < p.len && p.p[at] == '*') at++;
    return at == p.len;
}

bool adit_glob_valid(struct adit_str p)
{
    for (size_t i = 0; i < p.len; i++)
        if (p.p[i] == '[' && (i = class_end(p, i)) >= p.len) return false;
    return true;
}
