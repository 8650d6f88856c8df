/* Collecting metadata; what counts is in tables. The walk over the body is the tape's. */
#include "meta/meta.h"

#include "tape/tape.h"
#include "meta/meta_impl.h"
#include "text/text.h"

#include <string.h>

enum {
    TEXT_MAX = 1000,  /* bytes of a title, an h1 */
    NAME_LEN = 120,   /* bytes of an element that might hold a name */
    VALUE_MAX = 4000, /* bytes of a <meta> value */
    CLASS_NAME_MAX = 60,
    NAMES_MAX = 200,  /* elements whose text is tried as a name, as a date: a bound on the work */
    TRIED_MAX = 10,   /* … for each source */
    BELOW_MAX = 1000, /* nodes below an author that are searched for the name */
    STATE_MIN = 200   /* bytes of a script that may hold data */
};

/* Where the value of a <meta> goes. */
enum slot {
    SLOT_OG_TITLE,
    SLOT_TWITTER_TITLE,
    SLOT_DESCRIPTION,
    SLOT_OG_DESCRIPTION,
    SLOT_OG_TYPE,
    SLOT_SITE,
    SLOT_AUTHOR,
    SLOT_AUTHOR_OTHER,
    SLOT_AUTHOR_ARTICLE,
    SLOT_HOLDER,
    SLOT_LABEL1,
    SLOT_DATA1,
    SLOT_LABEL2,
    SLOT_DATA2,
    SLOT_DATE_OG,
    SLOT_DATE_META,
    SLOT_MODIFIED,
    SLOT_LANGUAGE,
    SLOT_LOCALE,
    SLOT_ROBOTS,
    SLOT_OPTOUT,
    SLOTS
};

/* Names of <meta name|property|itemprop|http-equiv>. Of several that share a slot, the one that
 * stands first here wins; of several elements of one name, the first. */
static const char *const meta_names[SLOTS] = {
    [SLOT_OG_TITLE] = "og:title",
    [SLOT_TWITTER_TITLE] = "twitter:title",
    [SLOT_DESCRIPTION] = "description,dc.description,dcterms.description,dcterms.abstract",
    [SLOT_OG_DESCRIPTION] = "og:description,twitter:description",
    [SLOT_OG_TYPE] = "og:type",
    [SLOT_SITE] = "og:site_name,application-name,apple-mobile-web-app-title",
    [SLOT_AUTHOR] = "author",
    [SLOT_AUTHOR_OTHER] =
        ("parsely-author,sailthru.author,byl,cxenseparse:author,article.author,"
         "shareaholic:article_author_name,dc.creator,dcterms.creator,citation_author,authors,"
         "dc.contributor"),
    [SLOT_AUTHOR_ARTICLE] = "article:author",
    [SLOT_HOLDER] = "copyright,publisher,dc.publisher,dcterms.publisher,dc.rights",
    [SLOT_LABEL1] = "twitter:label1",
    [SLOT_DATA1] = "twitter:data1",
    [SLOT_LABEL2] = "twitter:label2",
    [SLOT_DATA2] = "twitter:data2",
    [SLOT_DATE_OG] = "article:published_time,og:published_time,og:article:published_time",
    [SLOT_DATE_META] =
        ("datepublished,date,pubdate,publishdate,publish-date,publish_date,published-date,"
         "publication_date,parsely-pub-date,sailthru.date,dc.date.issued,dcterms.issued,"
         "dc.date,dcterms.date,dcterms.created,dc.date.created,datecreated,"
         "citation_publication_date,citation_online_date,citation_date,article.published,"
         "article_date_original,displaydate,timestamp,cxenseparse:recs:publishtime,pdate"),
    [SLOT_MODIFIED] =
        ("article:modified_time,og:updated_time,og:modified_time,datemodified,dcterms.modified,"
         "dc.date.modified,last-modified,lastmod,revised"),
    [SLOT_LANGUAGE] = "content-language,language,dc.language,dcterms.language,inlanguage",
    [SLOT_LOCALE] = "og:locale",
    [SLOT_ROBOTS] = "robots",
    [SLOT_OPTOUT] = "tdm-reservation,content-usage,content-signal",
};
enum { LAST = 255 }; /* behind all names of a slot */

/* The names above by their first and last letters and length, for the pages that have many <meta>:
 * cut apart once a page. */
struct name_row {
    struct adit_str name;
    uint8_t slot, place; /* which of the slot's names, from 1 */
    uint8_t next;        /* another row of the bucket, from 1; 0: none */
};
enum { ROWS_MAX = 96, BUCKETS = 64 };
struct name_index {
    struct name_row rows[ROWS_MAX];
    uint8_t first[BUCKETS]; /* row of a bucket, from 1 */
    uint8_t n;
};

static size_t bucket_of(struct adit_str name)
{
    unsigned first = (unsigned char)adit_lower(name.p[0]);
    unsigned last = (unsigned char)adit_lower(name.p[name.len - 1]);
    return (first + 5 * last + 11 * name.len) % BUCKETS;
}

/* From the last name to the first, which is then the first of its bucket. */
static void index_names(struct name_index *x)
{
    x->n = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        struct adit_str rest = adit_str_z(meta_names[slot]), one;
        for (uint8_t place = 1; adit_str_split(&rest, ',', &one) && x->n < ROWS_MAX; place++)
            x->rows[x->n++] = (struct name_row){one, (uint8_t)slot, place, 0};
    }
    memset(x->first, 0, sizeof x->first);
    for (uint8_t i = x->n; i > 0; i--) {
        uint8_t *first = &x->first[bucket_of(x->rows[i - 1].name)];
        x->rows[i - 1].next = *first;
        *first = i;
    }
}

/* The slot of a name; *place: which of its names, from 1. SLOTS: none. */
static enum slot slot_of(const struct name_index *x, struct adit_str name, uint8_t *place)
{
    uint8_t i = name.len ? x->first[bucket_of(name)] : 0;
    while (i && !adit_str_ieq(x->rows[i - 1].name, name)) i = x->rows[i - 1].next;
    *place = i ? x->rows[i - 1].place : 0;
    return i ? (enum slot)x->rows[i - 1].slot : SLOTS;
}

/* The state of the pass. */
struct adit_meta_pass {
    struct adit_meta *m;
    struct adit_meta_candidates *c;
    const struct adit_dom *dom;
    struct adit_classes *classes;
    struct adit_arena *arena;
    bool ok;
    struct name_index names;
    struct adit_str value[SLOTS];
    uint8_t row[SLOTS]; /* which of its names gave it, from 1 */
    struct adit_str scripts[ADIT_LIMIT_jsonld_scripts];
    size_t n_scripts, scripts_len;
    size_t n_names;                     /* elements that might hold one */
    uint8_t n_tried[ADIT_DATE_SOURCES]; /* texts that were read as dates */
};

/* --- <meta>, <link>, <title>, … --------------------------------------------------------------- */

static bool is_url(struct adit_str s)
{
    return adit_str_istarts(s, ADIT_STR("http://")) || adit_str_istarts(s, ADIT_STR("https://"));
}

/* Other names for the date of publication: "w-published-date", "published_on". */
static bool says_published(struct adit_str name)
{
    static const struct adit_str others[] = {
        ADIT_STR_INIT("last"),   ADIT_STR_INIT("modif"),   ADIT_STR_INIT("updat"),
        ADIT_STR_INIT("expir"),  ADIT_STR_INIT("unpubli"), ADIT_STR_INIT("publisher"),
        ADIT_STR_INIT("source"),
    };
    if (adit_str_ifind(name, ADIT_STR("publi"), 0) == name.len &&
        adit_str_ifind(name, ADIT_STR("pubdate"), 0) == name.len)
        return false;
    for (size_t i = 0; i < ADIT_COUNT(others); i++)
        if (adit_str_ifind(name, others[i], 0) < name.len) return false;
    return true;
}

/* weak: what says otherwise, wherever it stands, wins. */
static void take_meta(struct adit_meta_pass *p, struct adit_str name, struct adit_str content,
                      bool weak)
{
    struct adit_date d;
    uint8_t place;
    name = adit_str_trim(name);
    enum slot slot = slot_of(&p->names, name, &place);
    if (slot == SLOTS) {
        if (p->row[SLOT_DATE_META] || !says_published(name)) return;
        if (!adit_date_parse(content, ADIT_DAY_FIRST, &d)) return;
        p->value[SLOT_DATE_META] = content;
        p->row[SLOT_DATE_META] = LAST;
        return;
    }
    if (slot == SLOT_ROBOTS) adit_robots_tag_read(content, &p->c->robots);
    if (slot == SLOT_OPTOUT) p->c->robots.optout |= adit_optout(name, content);
    if (slot == SLOT_AUTHOR_ARTICLE && is_url(content)) return;
    if (weak) slot = slot == SLOT_DESCRIPTION ? SLOT_OG_DESCRIPTION : slot, place = LAST;
    content = adit_utf8_cut(content, VALUE_MAX);
    /* Descriptions are made by programs, and are often escaped twice. */
    if (slot == SLOT_DESCRIPTION || slot == SLOT_OG_DESCRIPTION)
        content = adit_meta_decode(content, p->arena, &p->ok);
    content = adit_meta_squeeze(content, p->arena, &p->ok);
    if (slot == SLOT_AUTHOR_OTHER && p->row[slot] == place)
        adit_names_join(&p->value[slot], content, p->arena, &p->ok);
    if (p->row[slot] && p->row[slot] <= place) return;
    p->value[slot] = content;
    p->row[slot] = place;
}

static void on_meta(struct adit_meta_pass *p, uint32_t node)
{
    static const enum adit_attr names[] = {ADIT_ATTR_PROPERTY, ADIT_ATTR_NAME, ADIT_ATTR_ITEMPROP,
                                           ADIT_ATTR_HTTP_EQUIV};
    struct adit_str content = adit_str_trim(adit_dom_attr(p->dom, node, ADIT_ATTR_CONTENT));
    /* Some forums say value where they mean content. */
    if (content.len == 0) content = adit_str_trim(adit_dom_attr(p->dom, node, ADIT_ATTR_VALUE));
    if (content.len == 0) return;
    for (size_t i = 0; i < ADIT_COUNT(names); i++) {
        struct adit_str name = adit_dom_attr(p->dom, node, names[i]);
        if (!name.len) continue;
        bool prop = names[i] == ADIT_ATTR_ITEMPROP;
        enum adit_microdata_whose whose =
            prop ? adit_microdata_whose(p->dom, node) : ADIT_MICRODATA_PAGE;
        if (whose == ADIT_MICRODATA_OTHER) continue;
        take_meta(p, name, content, whose == ADIT_MICRODATA_MEDIUM);
    }
}

/* Whether a space-separated list (rel, itemprop, class) has the word. */
static bool has_word(struct adit_str list, struct adit_str word)
{
    for (size_t at = 0; (at = adit_str_ifind(list, word, at)) < list.len; at++) {
        size_t end = at + word.len;
        if ((at == 0 || adit_is_space(list.p[at - 1])) &&
            (end == list.len || adit_is_space(list.p[end])))
            return true;
    }
    return false;
}

static void on_link(struct adit_meta_pass *p, uint32_t node)
{
    if (!has_word(adit_dom_attr(p->dom, node, ADIT_ATTR_REL), ADIT_STR("canonical"))) return;
    if (p->m->canonical_href.len == 0)
        p->m->canonical_href = adit_str_trim(adit_dom_attr(p->dom, node, ADIT_ATTR_HREF));
}

static bool is_jsonld(const struct adit_dom *d, uint32_t script)
{
    struct adit_str type = adit_dom_attr(d, script, ADIT_ATTR_TYPE);
    return type.len && adit_str_ifind(type, ADIT_STR("ld+json"), 0) < type.len;
}

static void on_script(struct adit_meta_pass *p, uint32_t node)
{
    bool linked = is_jsonld(p->dom, node);
    p->m->n_scripts += !linked;
    uint32_t text = linked ? adit_dom_first(p->dom, node) : 0;
    if (!text || !adit_dom_is_text(p->dom, text)) return;
    if (p->n_scripts == ADIT_LIMIT_jsonld_scripts) return;
    struct adit_str data = adit_dom_data(p->dom, text);
    if (p->scripts_len + data.len > ADIT_LIMIT_jsonld_bytes) return;
    p->scripts_len += data.len;
    p->scripts[p->n_scripts++] = data;
}

/* --- the body: headings, microdata, class names, <time> --------------------------------------- */

static struct adit_str text_of(struct adit_meta_pass *p, uint32_t node, size_t max)
{
    return adit_dom_text(p->dom, node, max, p->arena, &p->ok);
}

static void on_h1(struct adit_meta_pass *p, uint32_t node)
{
    struct adit_meta *m = p->m;
    bool keep = m->n_h1 < ADIT_COUNT(m->h1);
    struct adit_str text = text_of(p, node, keep ? TEXT_MAX : 4);
    if (text.len == 0) return;
    /* Once for narrow and once for wide windows: one heading. */
    if (keep && m->n_h1 > 0 && adit_str_eq(m->h1[m->n_h1 - 1], text)) return;
    if (keep) m->h1[m->n_h1] = text;
    m->n_h1++;
}

/* Value of a microdata property or <time>: datetime, content, else the text. */
static struct adit_str value_of(struct adit_meta_pass *p, uint32_t node)
{
    struct adit_str v = adit_dom_attr(p->dom, node, ADIT_ATTR_DATETIME);
    if (v.len == 0) v = adit_dom_attr(p->dom, node, ADIT_ATTR_CONTENT);
    if (v.len == 0) v = text_of(p, node, NAME_LEN);
    return adit_str_trim(v);
}

/* Keeps a date of the body with its place. A source may say when its first element does not. */
static void take_date(struct adit_meta_pass *p, enum adit_date_source source, uint32_t node)
{
    struct adit_dates *dates = &p->c->dates;
    struct adit_date d;
    if (p->n_tried[source] == TRIED_MAX || dates->n == ADIT_DATES_MAX) return;
    p->n_tried[source]++;
    struct adit_str v = value_of(p, node);
    if (v.len && adit_date_parse(v, ADIT_DAY_FIRST, &d))
        dates->v[dates->n++] = (struct adit_dated){
            .text = v, .item = (uint32_t)p->c->names.tape->n_items, .source = (uint8_t)source};
}

static bool has_part(struct adit_str s, struct adit_str part)
{
    return adit_str_ifind(s, part, 0) < s.len;
}

/* <time> may say which date it is. That of a change tells when the page came out only if nothing
 * else does. */
static void on_time(struct adit_meta_pass *p, uint32_t node)
{
    struct adit_str class = adit_dom_attr(p->dom, node, ADIT_ATTR_CLASS),
                    prop = adit_dom_attr(p->dom, node, ADIT_ATTR_ITEMPROP);
    bool published = adit_dom_has(p->dom, node, ADIT_ATTR_PUBDATE) ||
                     has_part(class, ADIT_STR("publish")) ||
                     has_part(class, ADIT_STR("entry-date"));
    bool changed = has_part(prop, ADIT_STR("modified")) || has_part(class, ADIT_STR("modified")) ||
                   (!published && has_part(class, ADIT_STR("updated")));
    take_date(p, changed ? ADIT_DATE_CLASS : published ? ADIT_DATE_TIME_PUB : ADIT_DATE_TIME, node);
}

/* The name below a property that is an object of its own. */
static struct adit_str name_below(struct adit_meta_pass *p, uint32_t node)
{
    size_t left = BELOW_MAX;
    if (adit_dom_has(p->dom, node, ADIT_ATTR_ITEMSCOPE))
        for (uint32_t n = adit_dom_next(p->dom, node, node, true); n && left-- > 0;
             n = adit_dom_next(p->dom, n, node, true))
            if (has_word(adit_dom_attr(p->dom, n, ADIT_ATTR_ITEMPROP), ADIT_STR("name")))
                return value_of(p, n);
    return value_of(p, node);
}

static void on_itemprop(struct adit_meta_pass *p, uint32_t node, struct adit_str props)
{
    struct adit_meta_candidates *c = p->c;
    if (p->n_names < NAMES_MAX && has_word(props, ADIT_STR("author"))) {
        p->n_names++;
        adit_names_add(&c->names, ADIT_AUTHOR_ITEMPROP, node, name_below(p, node));
    }
    if (has_word(props, ADIT_STR("datepublished"))) take_date(p, ADIT_DATE_ITEMPROP, node);
    if (p->row[SLOT_MODIFIED] == 0 && has_word(props, ADIT_STR("datemodified"))) {
        p->value[SLOT_MODIFIED] = value_of(p, node);
        p->row[SLOT_MODIFIED] = LAST;
    }
}

static void on_class(struct adit_meta_pass *p, uint32_t node, uint8_t hints)
{
    if (hints & ADIT_HINT_DATE) take_date(p, ADIT_DATE_CLASS, node);
    if (!(hints & ADIT_HINT_AUTHOR) || p->n_names == NAMES_MAX) return;
    p->n_names++;
    struct adit_names *names = &p->c->names;
    struct adit_str text = adit_names_line(names, node);
    if (text.len < 3 || text.len >= CLASS_NAME_MAX) return;
    adit_names_add(names, ADIT_AUTHOR_CLASS, node, text);
    if (hints & ADIT_HINT_NAME) adit_names_add(names, ADIT_AUTHOR_CLASS_NAME, node, text);
}

static void on_rel(struct adit_meta_pass *p, uint32_t node, struct adit_str rel)
{
    if (p->n_names == NAMES_MAX || !has_word(rel, ADIT_STR("author"))) return;
    p->n_names++;
    adit_names_add(&p->c->names, ADIT_AUTHOR_REL, node, text_of(p, node, NAME_LEN));
}

/* --- the pass --------------------------------------------------------------------------------- */

/* Elements that count by their tag. */
static const bool tells[ADIT_TAG_COUNT] = {
    [ADIT_TAG_META] = true, [ADIT_TAG_LINK] = true,  [ADIT_TAG_SCRIPT] = true,
    [ADIT_TAG_BASE] = true, [ADIT_TAG_STYLE] = true, [ADIT_TAG_TITLE] = true,
    [ADIT_TAG_H1] = true,   [ADIT_TAG_TIME] = true,
};

/* What counts by its tag; whether the element may also count by its attributes. */
static bool on_tag(struct adit_meta_pass *p, uint32_t node)
{
    struct adit_meta *m = p->m;
    switch (adit_dom_tag(p->dom, node)) {
    case ADIT_TAG_META: on_meta(p, node); return false;
    case ADIT_TAG_LINK: on_link(p, node); return false;
    case ADIT_TAG_SCRIPT: on_script(p, node); return false;
    case ADIT_TAG_STYLE: return false;
    case ADIT_TAG_BASE:
        if (m->base_href.len == 0)
            m->base_href = adit_str_trim(adit_dom_attr(p->dom, node, ADIT_ATTR_HREF));
        return false;
    case ADIT_TAG_TITLE:
        if (m->title_tag.len == 0 && adit_dom_is(p->dom, node, ADIT_TAG_TITLE))
            m->title_tag = text_of(p, node, TEXT_MAX);
        return false;
    case ADIT_TAG_H1: on_h1(p, node); break;
    case ADIT_TAG_TIME: on_time(p, node); break;
    default: break;
    }
    return true;
}

static void on_element(void *ctx, uint32_t node, const struct adit_marks *marks, uint8_t hints)
{
    struct adit_meta_pass *p = ctx;
    if (marks->itemprop.len && adit_microdata_names_media(marks->itemprop))
        adit_microdata_media(p->m, p->dom, node, p->arena, &p->ok);
    if (tells[adit_dom_tag(p->dom, node)] && !on_tag(p, node)) return;
    if (hints & (ADIT_HINT_DATE | ADIT_HINT_AUTHOR)) on_class(p, node, hints);
    if (marks->itemprop.len) on_itemprop(p, node, marks->itemprop);
    if (marks->rel.len && adit_dom_is(p->dom, node, ADIT_TAG_A)) on_rel(p, node, marks->rel);
}

static void on_below(void *ctx, uint32_t root)
{
    struct adit_meta_pass *p = ctx;
    for (uint32_t n = adit_dom_next(p->dom, root, root, true); n;
         n = adit_dom_next(p->dom, n, root, true)) {
        struct adit_marks marks;
        if (!adit_dom_is_element(p->dom, n)) continue;
        adit_marks_read(p->dom, n, adit_dom_tag(p->dom, n), &marks);
        on_element(p, n, &marks, adit_class_of(p->classes, p->dom, marks.class)->hints);
    }
}

/* The head, and all else before the body. */
static void read_head(struct adit_meta_pass *p)
{
    const struct adit_dom *d = p->dom;
    for (uint32_t n = adit_dom_next(d, d->html, d->html, true); n && n != d->body;
         n = adit_dom_next(d, n, d->html, true))
        if (adit_dom_is_element(d, n) && tells[adit_dom_tag(d, n)]) on_tag(p, n);
}

/* A script that is no JSON-LD may hold what the page is to be built from. */
void adit_meta_states(const struct adit_dom *d, struct adit_states *states)
{
    size_t len = 0;
    states->n = 0;
    for (uint32_t root = d->html, n = adit_dom_next(d, root, root, true);
         n && states->n < ADIT_LIMIT_state_scripts; n = adit_dom_next(d, n, root, true)) {
        if (n == d->body) root = n; /* nothing behind the body is read */
        if (!adit_dom_is_element(d, n) || adit_dom_tag(d, n) != ADIT_TAG_SCRIPT) continue;
        uint32_t text = is_jsonld(d, n) ? 0 : adit_dom_first(d, n);
        if (!text || !adit_dom_is_text(d, text)) continue;
        struct adit_str data = adit_dom_data(d, text);
        if (data.len < STATE_MIN || len + data.len > ADIT_LIMIT_state_bytes) continue;
        len += data.len;
        states->v[states->n++] = data;
    }
}

static void page_shape(struct adit_meta_pass *p)
{
    const struct adit_dom *d = p->dom;
    struct adit_meta *m = p->m;
    m->html_class = adit_dom_attr(d, d->html, ADIT_ATTR_CLASS);
    m->body_class = adit_dom_attr(d, d->body, ADIT_ATTR_CLASS);
    m->body_id = adit_dom_attr(d, d->body, ADIT_ATTR_ID);
    static const enum adit_attr lang[] = {ADIT_ATTR_LANG, ADIT_ATTR_XML_LANG};
    uint32_t roots[] = {d->html, d->body};
    for (size_t i = 0; i < 4 && p->c->html_lang.len == 0; i++)
        p->c->html_lang = adit_str_trim(adit_dom_attr(d, roots[i / 2], lang[i % 2]));
}

static void store(struct adit_meta_pass *p)
{
    struct adit_meta *m = p->m;
    struct adit_meta_candidates *c = p->c;
    const struct {
        enum slot slot;
        struct adit_str *to;
    } places[] = {
        {SLOT_OG_TITLE, &m->og_title},
        {SLOT_TWITTER_TITLE, &m->twitter_title},
        {SLOT_DESCRIPTION, &m->description},
        {SLOT_OG_DESCRIPTION, &m->og_description},
        {SLOT_OG_TYPE, &m->og_type},
        {SLOT_SITE, &m->site_name},
        {SLOT_AUTHOR, &c->author[ADIT_AUTHOR_META]},
        {SLOT_AUTHOR_OTHER, &c->author[ADIT_AUTHOR_OTHER]},
        {SLOT_AUTHOR_ARTICLE, &c->author[ADIT_AUTHOR_ARTICLE]},
        {SLOT_HOLDER, &c->holder},
        {SLOT_LABEL1, &c->twitter_label[0]},
        {SLOT_DATA1, &c->twitter_data[0]},
        {SLOT_LABEL2, &c->twitter_label[1]},
        {SLOT_DATA2, &c->twitter_data[1]},
        {SLOT_DATE_OG, &c->date[ADIT_DATE_OG]},
        {SLOT_DATE_META, &c->date[ADIT_DATE_META]},
        {SLOT_MODIFIED, &c->modified[ADIT_MODIFIED_META]},
        {SLOT_LANGUAGE, &c->meta_lang},
        {SLOT_LOCALE, &c->og_locale},
    };
    for (size_t i = 0; i < ADIT_COUNT(places); i++) *places[i].to = p->value[places[i].slot];
}

enum adit_code adit_meta_collect(struct adit_meta *m, const struct adit_dom *dom,
                                 struct adit_str url, struct adit_classes *classes,
                                 struct adit_tape *tape, struct adit_arena *arena)
{
    *m = (struct adit_meta){.candidates = adit_arena_zalloc(arena, 1, sizeof *m->candidates)};
    if (!m->candidates) return ADIT_ENOMEM;
    struct adit_meta_pass p = {
        .m = m, .c = m->candidates, .dom = dom, .classes = classes, .arena = arena, .ok = true};
    p.c->names = (struct adit_names){.dom = dom, .tape = tape, .arena = arena, .ok = &p.ok};
    index_names(&p.names);
    page_shape(&p);
    read_head(&p);
    const struct adit_tape_visitor visitor = {
        .ctx = &p,
        .tags = tells,
        .hints = ADIT_HINT_DATE | ADIT_HINT_AUTHOR,
        .element = on_element,
        .below = on_below,
    };
    ADIT_TRY(adit_tape_build(tape, dom, classes, &visitor, arena));
    p.c->names.ok = NULL; /* it goes out of scope */
    store(&p);
    p.c->date[ADIT_DATE_URL] = url;
    if (!p.ok) return ADIT_ENOMEM;
    return adit_jsonld_read(m, p.scripts, p.n_scripts, arena);
}
