/* Finding class words. A value is first spelled out: letters in lower case, everything else and
 * every camelCase joint a joint, so that "entryContent", "entry-content" and "entry_content2" read
 * the same; then each position is looked up by its first letters. */
#include "tape/tape.h"

#include <string.h>

enum { VALUE_MAX = 200 };

/* Sorted. Long words count anywhere, short ones (whole) only between joints: "ad" must not be found
 * in "header". */
#define S(category, text)         {text, sizeof(text) - 1, ADIT_CAT_##category, false, ""}
#define U(category, text, unless) {text, sizeof(text) - 1, ADIT_CAT_##category, false, unless}
#define W(category, text)         {text, sizeof(text) - 1, ADIT_CAT_##category, true, ""}
static const struct word {
    const char *text; /* a joint is a space */
    uint8_t len, category;
    bool whole;
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
    W(unseen, "d none"),
    W(meta, "date"),
    W(ad, "dfp"),
    S(modal, "dialog"),
    S(foot, "disclaimer"),
    S(forum, "discuss"),
    S(comment, "disqus"),
    S(nav, "dropdown"),
    S(body, "editor"),
    S(unseen, "elementor hidden"),
    S(article, "entry"),
    S(share, "facebook"),
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
    W(unseen, "is hidden"),
    W(list, "item"),
    W(list, "items"),
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
    S(body, "mw parser"),
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
    S(unseen, "screen reader"),
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
    W(unseen, "sr only"),
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
    S(unseen, "visually hidden"),
    S(unseen, "visuallyhidden"),
    S(side, "widget area"),
    W(side, "widgets"),
    S(body, "wysiwyg"),
};

_Static_assert(ADIT_COUNT(words) <= ADIT_CLASSWORDS_MAX, "indices fit the slots");

/* A letter is 1…26, everything else (a joint) 0; capitals are marked. */
enum { LETTER = 31, CAPITAL = 32 };
#define CODE(c) [c] = ((c) & LETTER) | CAPITAL, [(c) + 32] = (c) & LETTER
static const uint8_t codes[256] = {
    CODE('A'), CODE('B'), CODE('C'), CODE('D'), CODE('E'), CODE('F'), CODE('G'),
    CODE('H'), CODE('I'), CODE('J'), CODE('K'), CODE('L'), CODE('M'), CODE('N'),
    CODE('O'), CODE('P'), CODE('Q'), CODE('R'), CODE('S'), CODE('T'), CODE('U'),
    CODE('V'), CODE('W'), CODE('X'), CODE('Y'), CODE('Z'),
};
static bool is_small(uint8_t code) { return code >= 1 && code <= LETTER; }

/* The last three codes, with one more. */
static uint32_t shift_in(uint32_t three, uint32_t more) { return (three << 5 | more) & 0x7FFF; }

/* What a word begins with; the NUL of a two-letter word is coded like its joint. */
static uint32_t begin_of(const struct word *w)
{
    uint32_t three = 0;
    for (int k = 0; k < 3; k++) three = shift_in(three, codes[(unsigned char)w->text[k]] & LETTER);
    return three;
}

static size_t slot_of(uint32_t three) { return three * 40503u >> 5 & (ADIT_CLASSWORD_SLOTS - 1); }

/* The slot with the first word that begins so, or a free one. */
static uint8_t *find_slot(struct adit_classwords *w, uint32_t three)
{
    size_t at = slot_of(three);
    while (w->first[at] && w->begin[w->first[at] - 1] != three)
        at = (at + 1) & (ADIT_CLASSWORD_SLOTS - 1);
    return &w->first[at];
}

void adit_classwords_init(struct adit_classwords *w)
{
    memset(w, 0, sizeof *w);
    for (size_t i = ADIT_COUNT(words); i-- > 0;) {
        uint32_t three = begin_of(&words[i]);
        w->begin[i] = (uint16_t)three;
        w->begins[three / 32] |= UINT32_C(1) << three % 32;
        *find_slot(w, three) = (uint8_t)(i + 1);
    }
}

/* A value spelled out in codes, between joints, and where words may begin in it. */
struct spelled {
    uint8_t text[2 * VALUE_MAX + 4];
    struct {
        uint16_t at, begin;
    } starts[2 * VALUE_MAX + 4];
    size_t len, n_starts;
    uint32_t three;
};

/* Without branches: what is not wanted is overwritten by the next. A second joint in a row begins
 * no word. */
static void put(const struct adit_classwords *w, struct spelled *s, uint8_t code)
{
    s->text[s->len] = code;
    s->len += (code | (s->three & LETTER)) != 0;
    s->three = shift_in(s->three, code);
    s->starts[s->n_starts].at = (uint16_t)(s->len - 3);
    s->starts[s->n_starts].begin = (uint16_t)s->three;
    s->n_starts += w->begins[s->three / 32] >> s->three % 32 & 1;
}

static void spell(const struct adit_classwords *w, struct spelled *s, struct adit_str value)
{
    uint8_t before = 0;
    s->text[0] = 0;
    s->len = 1, s->n_starts = 0, s->three = 0;
    for (size_t i = 0; i < value.len; i++) {
        uint8_t code = codes[(unsigned char)value.p[i]];
        if (code & CAPITAL) {
            bool ends = i + 1 < value.len && is_small(codes[(unsigned char)value.p[i + 1]]);
            if (is_small(before) || (before & CAPITAL && ends)) put(w, s, 0);
        }
        put(w, s, code & LETTER);
        before = code;
    }
    put(w, s, 0);
}

/* Whether the word, whose first three letters are there, stands at `at`. */
static bool word_at(const struct spelled *s, size_t at, const struct word *w)
{
    const uint8_t *p = s->text + at;
    size_t len = w->len;
    if (at == 0 || at >= s->len || s->len - at < len + w->whole) return false;
    if (w->whole && (p[-1] != 0 || p[len] != 0)) return false;
    for (size_t i = 3; i < len; i++)
        if (p[i] != (w->text[i] & LETTER)) return false;
    size_t more = 0; /* letters of another word */
    while (w->unless[more] && at + len + more < s->len &&
           p[len + more] == (w->unless[more] & LETTER))
        more++;
    return !more || w->unless[more];
}

uint32_t adit_classwords_match(const struct adit_classwords *w, struct adit_str value)
{
    struct spelled s;
    uint32_t mask = 0;
    spell(w, &s, adit_str_sub(value, 0, VALUE_MAX));
    for (size_t k = 0; k < s.n_starts; k++) {
        uint32_t three = s.starts[k].begin;
        size_t at = slot_of(three);
        while (w->begin[w->first[at] - 1] != three) at = (at + 1) & (ADIT_CLASSWORD_SLOTS - 1);
        for (size_t i = w->first[at] - 1u; i < ADIT_COUNT(words) && w->begin[i] == three; i++)
            if (word_at(&s, s.starts[k].at, &words[i])) mask |= UINT32_C(1) << words[i].category;
    }
    return mask;
}
