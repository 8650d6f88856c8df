/* Finding class words. A value is first spelled out: letters in lower case, everything else and
 * every camelCase joint a '-', so that "entryContent", "entry-content" and "entry_content2" read
 * the same; then each position is looked up by its first letters. */
#include "page/classwords.h"

#include <string.h>

enum { VALUE_MAX = 200 };

/* Sorted. Long words count anywhere, short ones (whole) only between joints: "ad" must not be found
 * in "header". */
#define S(category, text)                \
    {                                    \
        text, ADIT_CAT_##category, false \
    }
#define W(category, text)               \
    {                                   \
        text, ADIT_CAT_##category, true \
    }
static const struct word {
    const char *text;
    uint8_t category;
    bool whole;
} words[] = {
    S(accordion, "accordion"),
    S(signup, "account"),
    W(share, "action"),
    W(share, "actions"),
    W(ad, "ad"),
    W(ad, "ads"),
    S(ad, "adsense"),
    S(ad, "advert"),
    S(modal, "alert"),
    W(related, "also"),
    S(forum, "answer"),
    W(list, "archive"),
    S(article, "article"),
    S(article, "articulo"),
    S(article, "artikel"),
    S(side, "aside"),
    S(meta, "author"),
    S(meta, "avatar"),
    W(meta, "badge"),
    S(ad, "banner"),
    W(meta, "bio"),
    S(article, "blog"),
    W(body, "body"),
    S(body, "bodytext"),
    W(foot, "bottom"),
    S(nav, "breadcrumb"),
    W(product, "buy"),
    S(meta, "byline"),
    S(caption, "caption"),
    W(list, "card"),
    W(list, "cards"),
    S(related, "carousel"),
    W(product, "cart"),
    W(meta, "cat"),
    W(meta, "categories"),
    S(meta, "category"),
    W(code, "code"),
    S(accordion, "collaps"),
    S(foot, "colophon"),
    W(side, "column"),
    S(comment, "comment"),
    S(side, "complementary"),
    S(modal, "consent"),
    S(modal, "cookie"),
    W(body, "copy"),
    S(foot, "copyright"),
    S(caption, "credit"),
    S(related, "crosssell"),
    W(nav, "crumb"),
    W(nav, "crumbs"),
    W(ad, "cta"),
    W(meta, "date"),
    W(ad, "dfp"),
    S(modal, "dialog"),
    S(forum, "discuss"),
    S(comment, "disqus"),
    S(nav, "dropdown"),
    S(body, "editor"),
    S(article, "entry"),
    S(share, "facebook"),
    W(accordion, "faq"),
    W(accordion, "faqs"),
    S(caption, "figure"),
    S(share, "follow"),
    W(foot, "foot"),
    S(foot, "footer"),
    W(signup, "form"),
    S(forum, "forum"),
    S(caption, "gallery"),
    W(modal, "gdpr"),
    W(ad, "gpt"),
    W(list, "grid"),
    S(code, "highlight"),
    W(caption, "image"),
    W(caption, "img"),
    W(list, "item"),
    W(list, "items"),
    S(comment, "kommentar"),
    W(meta, "label"),
    S(related, "latest"),
    W(side, "left"),
    W(foot, "legal"),
    S(caption, "lightbox"),
    W(share, "like"),
    W(share, "likes"),
    W(list, "list"),
    S(list, "listing"),
    S(signup, "login"),
    W(list, "loop"),
    S(body, "markdown"),
    W(caption, "media"),
    W(nav, "mega"),
    W(nav, "menu"),
    S(forum, "message"),
    W(meta, "meta"),
    S(modal, "modal"),
    W(related, "more"),
    W(forum, "msg"),
    S(body, "mw-parser"),
    W(nav, "nav"),
    S(nav, "navbar"),
    S(nav, "navigation"),
    W(article, "news"),
    S(signup, "newsletter"),
    W(related, "next"),
    S(modal, "notice"),
    S(modal, "notification"),
    S(ad, "outbrain"),
    S(modal, "overlay"),
    S(nav, "pager"),
    S(nav, "pagination"),
    W(accordion, "panel"),
    S(body, "paragraph"),
    S(signup, "paywall"),
    W(caption, "photo"),
    W(caption, "photos"),
    W(caption, "picture"),
    S(related, "popular"),
    S(modal, "popup"),
    W(article, "post"),
    S(meta, "posted"),
    W(article, "posts"),
    W(code, "pre"),
    W(related, "prev"),
    W(related, "previous"),
    S(product, "price"),
    S(share, "print"),
    S(product, "product"),
    S(meta, "profile"),
    S(ad, "promo"),
    S(related, "promoted"),
    S(body, "prose"),
    S(meta, "published"),
    S(forum, "question"),
    S(code, "quote"),
    W(side, "rail"),
    S(review, "rating"),
    S(related, "recent"),
    S(related, "recommend"),
    S(signup, "register"),
    S(related, "related"),
    S(forum, "reply"),
    S(comment, "respond"),
    S(list, "results"),
    S(review, "review"),
    W(body, "rich"),
    S(body, "richtext"),
    W(side, "right"),
    W(list, "row"),
    W(body, "rte"),
    S(signup, "search"),
    S(side, "secondary"),
    S(share, "share"),
    S(share, "sharing"),
    S(product, "shop"),
    W(side, "side"),
    S(side, "sidebar"),
    W(signup, "sign"),
    S(signup, "signup"),
    S(related, "similar"),
    W(article, "single"),
    W(nav, "skip"),
    W(product, "sku"),
    W(related, "slick"),
    S(related, "slider"),
    S(share, "social"),
    S(ad, "sponsor"),
    W(review, "stars"),
    W(nav, "steps"),
    S(article, "story"),
    W(nav, "subnav"),
    S(signup, "subscri"),
    S(related, "swiper"),
    S(code, "syntax"),
    W(accordion, "tab"),
    W(nav, "tab"),
    S(ad, "taboola"),
    W(accordion, "tabpanel"),
    W(accordion, "tabs"),
    W(nav, "tabs"),
    W(meta, "tag"),
    W(meta, "tags"),
    S(related, "teaser"),
    S(review, "testimonial"),
    W(body, "text"),
    S(forum, "thread"),
    S(caption, "thumb"),
    W(list, "tile"),
    W(list, "tiles"),
    W(meta, "time"),
    S(meta, "timestamp"),
    S(modal, "toast"),
    W(nav, "toc"),
    W(share, "toolbar"),
    W(share, "tools"),
    S(modal, "tooltip"),
    S(forum, "topic"),
    S(related, "trending"),
    S(share, "twitter"),
    W(body, "txt"),
    S(related, "upsell"),
    W(meta, "user"),
    W(caption, "video"),
    S(side, "widget"),
    S(body, "wysiwyg"),
};

_Static_assert(ADIT_COUNT(words) < 256, "indices fit the buckets");

static size_t bucket(char a, char b) { return (size_t)(a - 'a') * 26 + (size_t)(b - 'a'); }

/* A letter in lower case is 1…26, everything else 0. */
static uint32_t code(char c)
{
    uint32_t letter = (uint32_t)(unsigned char)c - 'a';
    return letter < 26 ? letter + 1 : 0;
}

/* The last three codes, with one more. */
static uint32_t shift_in(uint32_t three, uint32_t more) { return (three << 5 | more) & 0x7FFF; }

void adit_classwords_init(struct adit_classwords *w)
{
    memset(w, 0, sizeof *w);
    for (size_t i = ADIT_COUNT(words); i-- > 0;) {
        const char *t = words[i].text; /* the NUL of a two-letter word is coded like its joint */
        uint32_t three = shift_in(shift_in(code(t[0]), code(t[1])), code(t[2]));
        w->begins[three / 32] |= UINT32_C(1) << three % 32;
        w->head[bucket(t[0], t[1])] = (uint8_t)(i + 1);
    }
}

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* A value spelled out between joints, and where words may begin in it. */
struct spelled {
    char text[2 * VALUE_MAX + 4];
    uint16_t starts[2 * VALUE_MAX + 4];
    size_t len, n_starts;
    uint32_t three;
};

static void put(const struct adit_classwords *w, struct spelled *s, char c)
{
    s->text[s->len++] = c;
    s->three = shift_in(s->three, code(c));
    s->starts[s->n_starts] = (uint16_t)(s->len - 3);
    s->n_starts += w->begins[s->three / 32] >> s->three % 32 & 1;
}

static void spell(const struct adit_classwords *w, struct spelled *s, struct adit_str value)
{
    char before = '-';
    s->text[0] = '-';
    s->len = 1, s->n_starts = 0, s->three = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];
        if (is_upper(c)) {
            bool ends = i + 1 < value.len && is_lower(value.p[i + 1]);
            if ((is_lower(before) || (is_upper(before) && ends)) && s->text[s->len - 1] != '-')
                put(w, s, '-');
        }
        if (adit_is_alpha(c))
            put(w, s, adit_lower(c));
        else if (s->text[s->len - 1] != '-')
            put(w, s, '-');
        before = c;
    }
    if (s->text[s->len - 1] != '-') put(w, s, '-');
    s->text[s->len] = '\0'; /* ends the comparison of words */
}

static bool word_at(const struct word *w, const char *p)
{
    const char *text = w->text;
    if (w->whole && p[-1] != '-') return false;
    for (; *text; text++, p++)
        if (*text != *p) return false;
    return !w->whole || *p == '-';
}

uint32_t adit_classwords_match(const struct adit_classwords *w, struct adit_str value)
{
    struct spelled s;
    uint32_t mask = 0;
    spell(w, &s, adit_str_sub(value, 0, VALUE_MAX));
    for (size_t k = 0; k < s.n_starts; k++) {
        const char *p = s.text + s.starts[k];
        for (size_t i = w->head[bucket(p[0], p[1])]; i; i++) {
            const struct word *word = &words[i - 1];
            if (word_at(word, p)) mask |= UINT32_C(1) << word->category;
            if (i == ADIT_COUNT(words) || memcmp(words[i].text, p, 2) != 0) break;
        }
    }
    return mask;
}
