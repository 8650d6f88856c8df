/* Finding class words. A value is first spelled out: letters in lower case, everything else and
 * every camelCase joint a joint, so that "entryContent", "entry-content" and "entry_content2" read
 * the same; then each position is looked up by its first letters. */
#include "tape/tape.h"
#include "text/text.h"

#include <string.h>

enum { VALUE_MAX = 200 };

/* Sorted. Long words count anywhere, short ones (whole) only between joints: "ad" must not be found
 * in "header". */
#define S(category, text) {text, sizeof(text) - 1, ADIT_CAT_##category, false, false, ""}
#define U(category, text, unless) \
    {text, sizeof(text) - 1, ADIT_CAT_##category, false, false, unless}
#define W(category, text)             {text, sizeof(text) - 1, ADIT_CAT_##category, true, false, ""}
#define JOINED(category, text, whole) {text, sizeof(text) - 1, ADIT_CAT_##category, whole, true, ""}
static const struct word {
    const char *text; /* a joint is a space; 4 letters to 16, or (whole) 2 to 14 */
    uint8_t len, category;
    bool whole, joined; /* a joint stands in it */
    const char *unless; /* letters behind it that make it another word; "": there are none */
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
    W(share, "btn"),
    W(share, "button"),
    W(share, "buttons"),
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
    U(comment, "comment", "ary"),
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
    JOINED(unseen, "d none", true),
    W(meta, "date"),
    W(ad, "dfp"),
    S(modal, "dialog"),
    S(foot, "disclaimer"),
    S(forum, "discuss"),
    S(comment, "disqus"),
    S(nav, "dropdown"),
    S(body, "editor"),
    JOINED(unseen, "elementor hidden", false),
    S(article, "entry"),
    S(share, "facebook"),
    S(side, "factbox"),
    W(accordion, "faq"),
    W(accordion, "faqs"),
    S(caption, "figure"),
    W(nav, "filter"),
    W(nav, "filters"),
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
    W(unseen, "invisible"),
    JOINED(unseen, "is hidden", true),
    W(list, "item"),
    W(list, "items"),
    S(comment, "komentar"),
    S(comment, "kommentar"),
    W(meta, "label"),
    S(related, "latest"),
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
    JOINED(body, "mw parser", false),
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
    W(list, "row"),
    W(body, "rte"),
    JOINED(unseen, "screen reader", false),
    S(signup, "search"),
    S(share, "share"),
    S(share, "sharing"),
    S(product, "shop"),
    W(side, "side"),
    S(side, "sidebar"),
    W(signup, "sign"),
    S(meta, "signature"),
    S(signup, "signup"),
    S(related, "similar"),
    W(article, "single"),
    W(nav, "skip"),
    W(product, "sku"),
    W(related, "slick"),
    S(related, "slider"),
    S(share, "social"),
    S(ad, "sponsor"),
    JOINED(unseen, "sr only", true),
    W(review, "stars"),
    S(article, "story"),
    W(nav, "subnav"),
    S(signup, "subscri"),
    S(related, "swiper"),
    S(code, "syntax"),
    W(accordion, "tab"),
    S(ad, "taboola"),
    W(accordion, "tabpanel"),
    W(accordion, "tabs"),
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
    JOINED(unseen, "visually hidden", false),
    S(unseen, "visuallyhidden"),
    JOINED(side, "widget area", false),
    W(side, "widgets"),
    S(body, "wysiwyg"),
};

_Static_assert(ADIT_COUNT(words) <= ADIT_CLASSWORDS_MAX, "indices fit the slots");

/* A letter is 1…26, everything else (a joint) 0: of one character, and of eight. */
static uint8_t code_of(char c) { return adit_is_alpha(c) ? (uint8_t)c & 31 : 0; }
static uint64_t codes_of(uint64_t w)
{
    uint64_t letters = adit_swar_letters(w & ADIT_SWAR_ALL(0x7F)) & ~w;
    return w & (letters >> 7) * 31;
}

/* Words are looked up by their first KEY codes; whole words begin with the joint before them. */
enum { KEY = 4 };
static size_t slot_of(const uint8_t *codes)
{
    uint32_t key = codes[0] | (uint32_t)codes[1] << 8 | (uint32_t)codes[2] << 16 |
                   (uint32_t)codes[3] << 24; /* one load */
    return key * UINT32_C(0x9E3779B1) >> (32 - ADIT_CLASSWORD_BITS);
}

/* A word as it stands in a spelled value. */
static size_t spell_word(const struct word *w, uint8_t out[sizeof(uint64_t[2])])
{
    size_t n = 0;
    if (w->whole) out[n++] = 0;
    for (size_t i = 0; i < w->len; i++) out[n++] = code_of(w->text[i]);
    if (w->whole) out[n++] = 0;
    return n;
}

void adit_classwords_init(struct adit_classwords *w)
{
    memset(w, 0, sizeof *w);
    for (size_t i = ADIT_COUNT(words); i-- > 0;) {
        uint8_t text[sizeof(uint64_t[2])] = {0}, mask[sizeof text] = {0};
        size_t n = spell_word(&words[i], text);
        memset(mask, 0xFF, n);
        struct adit_classword *x = &w->words[i];
        memcpy(x->text, text, sizeof text), memcpy(x->mask, mask, sizeof mask);
        x->next = w->first[slot_of(text)];
        w->first[slot_of(text)] = (uint8_t)(i + 1);
    }
}

/* A value spelled out in codes, between joints, and where words may begin in it. */
struct spelled {
    uint8_t text[1 + 2 * VALUE_MAX + 2 * sizeof(uint64_t)];
    uint16_t starts[2 * VALUE_MAX + 2];
    size_t len, n_starts;
};

/* Letters and joints as they stand. Returns whether there are capitals. */
static bool spell_plain(struct spelled *s, struct adit_str value)
{
    uint64_t capitals = 0;
    s->text[0] = 0;
    for (size_t i = 0; i < value.len; i += 8) {
        size_t left = value.len - i;
        uint64_t w = left < 8 ? adit_swar_tail(value.p + i, left) : adit_swar_load(value.p + i);
        uint64_t codes = codes_of(w);
        capitals |= (codes + ADIT_SWAR_ALL(0x7F)) & ~(w << 2);
        memcpy(s->text + 1 + i, &codes, sizeof codes);
    }
    s->len = value.len + 1;
    return capitals & ADIT_SWAR_ALL(0x80);
}

static bool is_small(char c) { return c >= 'a' && c <= 'z'; }
static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* The same, with a joint at each camelCase joint: before a capital behind a small letter, and before the
 * last of several capitals if a small letter follows. */
static void spell_camels(struct spelled *s, struct adit_str value)
{
    char before = 0;
    size_t len = 1;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];
        if (is_capital(c)) {
            bool ends = i + 1 < value.len && is_small(value.p[i + 1]);
            if (is_small(before) || (is_capital(before) && ends)) s->text[len++] = 0;
        }
        s->text[len++] = code_of(c);
        before = c;
    }
    s->len = len;
}

/* Without branches: a place that begins no word is overwritten by the next. */
static void find_starts(const struct adit_classwords *w, struct spelled *s)
{
    size_t n = 0;
    for (size_t i = 0; i + KEY <= s->len; i++) {
        s->starts[n] = (uint16_t)i;
        n += w->first[slot_of(s->text + i)] != 0;
    }
    s->n_starts = n;
}

/* Whether the word with a joint inside stands at p, where several joints are one. */
static bool is_joined(const uint8_t *p, const uint8_t *end, const struct word *word)
{
    uint8_t text[sizeof(uint64_t[2])];
    size_t n = spell_word(word, text);
    for (size_t i = 0; i < n; i++, p++) {
        if (p >= end || *p != text[i]) return false;
        while (i >= KEY - 1 && i + 1 < n && !*p && p + 1 < end && !p[1]) p++;
    }
    return true;
}

static bool is_word(const uint8_t *p, const struct adit_classword *w)
{
    uint64_t text[2];
    memcpy(text, p, sizeof text);
    return !(((text[0] ^ w->text[0]) & w->mask[0]) | ((text[1] ^ w->text[1]) & w->mask[1]));
}

/* Whether the letters that make another word of it stand at p. */
static bool goes_on(const uint8_t *p, const char *unless)
{
    size_t n = 0;
    while (unless[n] && p[n] == code_of(unless[n])) n++;
    return n && !unless[n];
}

uint32_t adit_classwords_match(const struct adit_classwords *w, struct adit_str value)
{
    struct spelled s;
    uint32_t mask = 0;
    value = adit_str_sub(value, 0, VALUE_MAX);
    if (spell_plain(&s, value)) spell_camels(&s, value);
    memset(s.text + s.len, 0, 2 * sizeof(uint64_t));
    s.len++; /* the joint at the end */
    find_starts(w, &s);
    for (size_t k = 0; k < s.n_starts; k++) {
        const uint8_t *p = s.text + s.starts[k];
        for (uint8_t i = w->first[slot_of(p)]; i; i = w->words[i - 1].next) {
            const struct word *word = &words[i - 1];
            bool is = word->joined
                          ? is_joined(p, s.text + s.len, word)
                          : is_word(p, &w->words[i - 1]) && !goes_on(p + word->len, word->unless);
            if (is) mask |= UINT32_C(1) << word->category;
        }
    }
    return mask;
}
