/* The author: the first source that names somebody. */
#include "page/meta_parts.h"

#include "text/text.h"

enum { AUTHOR_MAX = 100 };

/* Words before a name, in several languages; case-folded. */
static const struct adit_str leads[] = {
    ADIT_STR_INIT("written by"), ADIT_STR_INIT("posted by"), ADIT_STR_INIT("author"),
    ADIT_STR_INIT("autor"),      ADIT_STR_INIT("auteur"),    ADIT_STR_INIT("by"),
    ADIT_STR_INIT("von"),        ADIT_STR_INIT("par"),       ADIT_STR_INIT("por"),
    ADIT_STR_INIT("di"),         ADIT_STR_INIT("door"),      ADIT_STR_INIT("av"),
    ADIT_STR_INIT("af"),
};

static struct adit_str without_lead(struct adit_str s)
{
    for (size_t i = 0; i < ADIT_COUNT(leads); i++) {
        size_t n = leads[i].len;
        if (s.len <= n || !adit_str_istarts(s, leads[i])) continue;
        if (s.p[n] != ' ' && s.p[n] != ':') continue;
        s = adit_str_sub(s, n, s.len);
        while (s.len && (s.p[0] == ' ' || s.p[0] == ':')) s = adit_str_sub(s, 1, s.len);
        i = (size_t)-1; /* "Author: By …" */
    }
    return s;
}

static bool is_name(struct adit_str s, struct adit_str site, struct adit_arena *arena, bool *ok)
{
    if (s.len == 0 || s.len > AUTHOR_MAX || adit_str_istarts(s, ADIT_STR("http"))) return false;
    if (adit_str_chr(s, '@', 0) < s.len) return false;
    struct adit_str letters = adit_meta_letters(s, arena, ok);
    return letters.len && !adit_str_eq(letters, site);
}

/* "Written by" in a Twitter card. */
static struct adit_str twitter(const struct adit_meta_candidates *c)
{
    for (size_t i = 0; i < 2; i++) {
        struct adit_str label = c->twitter_label[i];
        if (label.len && adit_str_ifind(label, ADIT_STR("writ"), 0) < label.len)
            return c->twitter_data[i];
    }
    return (struct adit_str){0};
}

struct adit_str adit_meta_author(const struct adit_meta *m, struct adit_arena *arena, bool *ok)
{
    const struct adit_meta_candidates *c = m->candidates;
    struct adit_str site = adit_meta_letters(m->site_name, arena, ok);
    for (size_t i = 0; i < ADIT_AUTHOR_SOURCES; i++) {
        struct adit_str s = i == ADIT_AUTHOR_TWITTER ? twitter(c) : c->author[i];
        s = without_lead(adit_meta_squeeze(s, arena, ok));
        if (is_name(s, site, arena, ok)) return s;
    }
    return (struct adit_str){0};
}
