/* Finding class words. A value is first spelled out: letters in lower case, everything else and
 * every camelCase joint a '-', so that "entryContent", "entry-content" and "entry_content2" read
 * the same; then each position is looked up by its first two letters. */
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
    S(content, "contenido"),
    S(content, "content"),
    S(content, "contenu"),
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
    W(head, "head"),
    S(head, "header"),
    W(head, "hero"),
    S(hidden, "hidden"),
    W(hidden, "hide"),
    S(code, "highlight"),
    W(caption, "image"),
    W(caption, "img"),
    S(content, "inhalt"),
    W(hidden, "invisible"),
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
    S(head, "masthead"),
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
    W(hidden, "none"),
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
    S(hidden, "screen-reader"),
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
    S(hidden, "sr-only"),
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
    W(head, "top"),
    S(head, "topbar"),
    S(forum, "topic"),
    S(related, "trending"),
    S(share, "twitter"),
    W(body, "txt"),
    S(related, "upsell"),
    W(meta, "user"),
    W(caption, "video"),
    S(hidden, "visuallyhidden"),
    S(side, "widget"),
    S(body, "wysiwyg"),
};

_Static_assert(ADIT_COUNT(words) < 256, "indices fit the buckets");

static size_t bucket(char a, char b) { return (size_t)(a - 'a') * 26 + (size_t)(b - 'a'); }

void adit_classwords_init(struct adit_classwords *w)
{
    memset(w->head, 0, sizeof w->head);
    for (size_t i = ADIT_COUNT(words); i-- > 0;)
        w->head[bucket(words[i].text[0], words[i].text[1])] = (uint8_t)(i + 1);
}

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* Writes the spelled-out value between joints and returns its length; out has room for two bytes a
 * byte of the value and three more. */
static size_t spell(struct adit_str value, char *out)
{
    size_t n = 0;
    char before = '-';
    out[n++] = '-';
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i], next = i + 1 < value.len ? value.p[i + 1] : '-';
        bool letter = adit_is_alpha(c);
        bool joint = is_upper(c) && (is_lower(before) || (is_upper(before) && is_lower(next)));
        if ((joint || !letter) && out[n - 1] != '-') out[n++] = '-';
        if (letter) out[n++] = adit_lower(c);
        before = c;
    }
    if (out[n - 1] != '-') out[n++] = '-';
    out[n] = '\0'; /* ends the comparison of words */
    return n;
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
    char spelled[2 * VALUE_MAX + 3];
    uint32_t mask = 0;
    size_t len = spell(adit_str_sub(value, 0, VALUE_MAX), spelled);
    for (const char *p = spelled + 1; p + 1 < spelled + len; p++) {
        if (p[0] == '-' || p[1] == '-') continue;
        for (size_t i = w->head[bucket(p[0], p[1])]; i; i++) {
            const struct word *word = &words[i - 1];
            if (word_at(word, p)) mask |= UINT32_C(1) << word->category;
            if (i == ADIT_COUNT(words) || memcmp(words[i].text, p, 2) != 0) break;
        }
    }
    return mask;
}
