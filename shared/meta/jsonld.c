/* JSON-LD: mended, checked, and read object by object.
 *
 * What stands in a page's scripts is often not quite JSON: it is wrapped in comments, has commas
 * too many or line breaks inside strings. After mending the text is strict, and every object is a
 * slice of it, which is also what `schema` copies.
 */
#include "json/json.h"
#include "meta/meta_impl.h"
#include "text/text.h"

#include <string.h>

enum { AUTHORS_MAX = 300 }; /* bytes of joined names */

enum { NONE, WORK, ASKED };

/* What a type of object says about the page. rank: which one is the page's main object, 1 first; 0:
 * never. */
static const struct ld_type {
    const char *names;
    uint8_t rank;
    uint8_t work; /* WORK: its headline, author and dates are the page's; ASKED: without headline */
    uint8_t media; /* 1 video, 2 audio */
} types[] = {
    {"Article,NewsArticle,BlogPosting,ReportageNewsArticle,AnalysisNewsArticle,"
     "OpinionNewsArticle,BackgroundNewsArticle,ReviewNewsArticle,LiveBlogPosting,TechArticle,"
     "APIReference,ScholarlyArticle,MedicalScholarlyArticle,SatiricalArticle,"
     "AdvertiserContentArticle,Report",
     1, WORK, 0},
    {"Product,ProductGroup,Vehicle,Car", 2, WORK, 0},
    {"Recipe", 3, WORK, 0},
    {"Event,MusicEvent,SportsEvent,BusinessEvent,EducationEvent,TheaterEvent,Festival", 4, NONE, 0},
    {"HowTo", 5, WORK, 0},
    {"DiscussionForumPosting,SocialMediaPosting", 6, WORK, 0},
    {"QAPage", 7, NONE, 0},
    {"Question", 7, ASKED, 0},
    {"FAQPage", 8, NONE, 0},
    {"JobPosting", 9, NONE, 0},
    {"Course", 10, NONE, 0},
    {"Book,Movie,TVSeries,TVEpisode,PodcastEpisode,PodcastSeries,MusicAlbum,MusicRecording", 11,
     NONE, 0},
    {"Review", 12, WORK, 0},
    {"ClaimReview", 12, NONE, 0},
    {"SoftwareApplication,MobileApplication,WebApplication,VideoGame,Dataset", 13, NONE, 0},
    {"VideoObject", 14, WORK, 1},
    {"Clip", 0, NONE, 0},
    {"AudioObject,Audiobook", 14, NONE, 2},
    {"LocalBusiness,Restaurant,Hotel,Store,Place,TouristAttraction,RealEstateListing,Service", 15,
     NONE, 0},
    {"ProfilePage", 16, NONE, 0},
    {"Person", 17, NONE, 0},
    {"ItemList", 18, NONE, 0},
    {"CollectionPage", 19, NONE, 0},
    {"AboutPage,ContactPage,WebPage,CreativeWork", 20, NONE, 0},
};

struct person {
    struct adit_str id, name;
};

struct reader {
    struct adit_meta *m;
    struct adit_arena *arena;
    bool ok;
    uint8_t rank;                  /* of m->schema; 0: none yet */
    bool dated;                    /* the date is a work's, not just anything's */
    struct adit_json_value author; /* of the first work that has one */
    struct person people[ADIT_LIMIT_jsonld_names];
    size_t n_people, n_objects;
    size_t values; /* that trees may still have */
    struct adit_str publisher, website;
};

/* --- mending ---------------------------------------------------------------------------------- */

static bool skip_through(struct adit_str s, size_t *i, const char *open, const char *close)
{
    struct adit_str o = adit_str_z(open), c = adit_str_z(close);
    if (!adit_str_starts(adit_str_sub(s, *i, s.len), o)) return false;
    size_t end = adit_str_find(s, c, *i + o.len);
    *i = end == s.len ? s.len : end + c.len;
    return true;
}

/* Wrappers and comments outside of strings: a script may begin with <!-- or CDATA. */
static bool skip_noise(struct adit_str s, size_t *i)
{
    static const char *const marks[] = {"<!--", "-->", "<![CDATA[", "//<![CDATA[", "]]>", "//]]>"};
    if (s.p[*i] != '<' && s.p[*i] != '-' && s.p[*i] != '/' && s.p[*i] != ']') return false;
    struct adit_str rest = adit_str_sub(s, *i, s.len);
    for (size_t k = 0; k < ADIT_COUNT(marks); k++)
        if (adit_str_starts(rest, adit_str_z(marks[k]))) {
            *i += strlen(marks[k]);
            return true;
        }
    return skip_through(s, i, "/*", "*/") || skip_through(s, i, "//", "\n");
}

/* Behind the string whose opening quote is s.p[i]; s.len if it does not end. */
static size_t string_end(struct adit_str s, size_t i)
{
    for (size_t quote = i + 1; (quote = adit_str_chr(s, '"', quote)) < s.len; quote++) {
        size_t slash = quote;
        while (s.p[slash - 1] == '\\') slash--; /* stops at the opening quote at the latest */
        if ((quote - slash) % 2 == 0) return quote + 1;
    }
    return s.len;
}

/* Without noise and without commas before a closing bracket. Never longer than s. */
static struct adit_str mend(struct adit_str s, struct adit_arena *arena, bool *ok)
{
    char *p = adit_arena_alloc(arena, s.len);
    if (!p) {
        *ok = false;
        return (struct adit_str){0};
    }
    size_t n = 0, comma = SIZE_MAX; /* where a comma with nothing but white space behind it is */
    for (size_t i = 0; i < s.len;) {
        if (s.p[i] == '"') {
            size_t end = string_end(s, i);
            memcpy(p + n, s.p + i, end - i);
            n += end - i;
            i = end;
            comma = SIZE_MAX;
            continue;
        }
        if (skip_noise(s, &i)) continue;
        char c = s.p[i++];
        if ((c == '}' || c == ']') && comma != SIZE_MAX) n = comma;
        if (c == ',' && comma != SIZE_MAX) continue;
        if (c == ',')
            comma = n;
        else if (!adit_is_space(c))
            comma = SIZE_MAX;
        p[n++] = c;
    }
    return adit_str_trim(adit_str_of(p, n));
}

static enum adit_code copy_tree(struct reader *r, struct adit_str text, struct adit_json_value *v)
{
    return adit_json_rewrite_tree(text, &adit_json_copy, &r->values,
                                  (size_t)ADIT_LIMIT_jsonld_bytes * 2, r->arena, v, NULL);
}

/* Strict JSON of a script, as a tree; ADIT_JSON_NONE if it cannot be mended. */
static struct adit_json_value strict(struct reader *r, struct adit_str script)
{
    struct adit_json_value v = {0};
    struct adit_str text = mend(script, r->arena, &r->ok);
    enum adit_code code = copy_tree(r, text, &v);
    /* Escaped twice: &quot;@type&quot; */
    if (code == ADIT_EBAD && adit_str_find(text, ADIT_STR("&quot;"), 0) < text.len) {
        struct adit_buf decoded;
        adit_buf_init(&decoded, r->arena->mem, (size_t)ADIT_LIMIT_jsonld_bytes * 2);
        adit_entities_decode(text, &decoded);
        code = copy_tree(r, adit_buf_str(&decoded), &v);
        adit_buf_free(&decoded);
    }
    if (code == ADIT_ENOMEM) r->ok = false;
    return v;
}

/* --- reading values --------------------------------------------------------------------------- */

static struct adit_json_value get(struct adit_json_value object, const char *name)
{
    return adit_json_get(object, adit_str_z(name));
}

/* Text of a string; HTML references are common in it. */
static struct adit_str decoded(struct adit_json_value v, struct adit_arena *arena, bool *ok)
{
    return adit_meta_decode(adit_json_text(v, arena, ok), arena, ok);
}

static struct adit_str string_of(struct reader *r, struct adit_json_value v)
{
    return adit_meta_squeeze(decoded(v, r->arena, &r->ok), r->arena, &r->ok);
}

/* The first of an array, or the value itself. */
static struct adit_json_value first_of(struct adit_json_value v)
{
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_json_member m;
    if (v.kind != ADIT_JSON_ARRAY) return v;
    return adit_json_next(&it, &m) ? m.value : (struct adit_json_value){0};
}

/* A string, the url or name of an object, or the first of an array of them. */
static struct adit_str simple(struct reader *r, struct adit_json_value v, const char *member)
{
    v = first_of(v);
    if (v.kind == ADIT_JSON_OBJECT) v = first_of(get(v, member));
    if (v.kind == ADIT_JSON_NUMBER) return v.raw;
    return string_of(r, v);
}

/* Members that are read, found in one pass over an object. */
#define FIELDS(X)                        \
    X(TYPE, "@type")                     \
    X(ID, "@id")                         \
    X(NAME, "name")                      \
    X(HEADLINE, "headline")              \
    X(DESCRIPTION, "description")        \
    X(AUTHOR, "author")                  \
    X(PUBLISHER, "publisher")            \
    X(PUBLISHED, "datePublished")        \
    X(MODIFIED, "dateModified")          \
    X(CREATED, "dateCreated")            \
    X(DURATION, "duration")              \
    X(CONTENT_URL, "contentUrl")         \
    X(EMBED_URL, "embedUrl")             \
    X(THUMBNAIL_URL, "thumbnailUrl")     \
    X(TRANSCRIPT, "transcript")          \
    X(WIDTH, "width")                    \
    X(HEIGHT, "height")                  \
    X(ENCODING_FORMAT, "encodingFormat") \
    X(HAS_PART, "hasPart")               \
    X(PART_OF, "partOf")                 \
    X(PART_OF_SERIES, "partOfSeries")    \
    X(START, "startOffset")

enum field {
#define FIELD_ENUM(name, text) FIELD_##name,
    FIELDS(FIELD_ENUM)
#undef FIELD_ENUM
        FIELD_COUNT
};

struct object {
    struct adit_json_value value, field[FIELD_COUNT];
};

static void open_object(struct adit_json_value v, struct object *o)
{
    static const struct adit_str names[FIELD_COUNT] = {
#define FIELD_NAME(name, text) [FIELD_##name] = ADIT_STR_INIT(text),
        FIELDS(FIELD_NAME)
#undef FIELD_NAME
    };
    *o = (struct object){.value = v};
    struct adit_json_iter it = adit_json_iter(v);
    struct adit_json_member m;
    while (adit_json_next(&it, &m))
        for (size_t i = 0; i < FIELD_COUNT; i++)
            if (m.key.len == names[i].len && memcmp(m.key.p, names[i].p, m.key.len) == 0)
                o->field[i] = m.value;
}

static struct adit_str text_at(struct reader *r, const struct object *o, enum field field)
{
    return simple(r, o->field[field], "name");
}
static struct adit_str url_at(struct reader *r, const struct object *o, enum field field)
{
    return simple(r, o->field[field], "url");
}

/* The name behind "http://schema.org/" or "schema:". */
static struct adit_str type_name(struct adit_str s)
{
    size_t from = s.len;
    while (from > 0 && s.p[from - 1] != '/' && s.p[from - 1] != ':' && s.p[from - 1] != '#') from--;
    return adit_str_sub(s, from, s.len);
}

/* --- objects ---------------------------------------------------------------------------------- */

/* Chapters are parts with a name and a start. */
static void take_chapters(struct reader *r, const struct object *o, struct adit_meta_media *media)
{
    struct adit_json_iter it = adit_json_iter(o->field[FIELD_HAS_PART]);
    struct adit_json_member part;
    size_t n = 0;
    if (o->field[FIELD_HAS_PART].kind != ADIT_JSON_ARRAY) return;
    while (n < ADIT_LIMIT_media_chapters && adit_json_next(&it, &part)) n++;
    media->chapters = adit_arena_zalloc(r->arena, n, sizeof *media->chapters);
    if (!media->chapters) {
        r->ok = false;
        return;
    }
    it = adit_json_iter(o->field[FIELD_HAS_PART]);
    while (n-- && adit_json_next(&it, &part)) {
        struct object clip;
        struct adit_media_chapter *chapter = &media->chapters[media->n_chapters];
        open_object(part.value, &clip);
        struct adit_str start = simple(r, clip.field[FIELD_START], "value");
        start = adit_str_sub(start, 0, adit_str_chr(start, '.', 0)); /* whole seconds */
        chapter->title = text_at(r, &clip, FIELD_NAME);
        if (chapter->title.len && adit_str_u64(start, &chapter->time)) media->n_chapters++;
    }
}

static void take_media(struct reader *r, const struct object *o, bool audio)
{
    struct adit_meta *m = r->m;
    if (m->n_media == ADIT_LIMIT_jsonld_media) return;
    if (!m->media)
        m->media = adit_arena_zalloc(r->arena, ADIT_LIMIT_jsonld_media, sizeof *m->media);
    if (!m->media) {
        r->ok = false;
        return;
    }
    m->media[m->n_media++] = (struct adit_meta_media){
        .audio = audio,
        .name = text_at(r, o, FIELD_NAME),
        .description = text_at(r, o, FIELD_DESCRIPTION),
        .duration = text_at(r, o, FIELD_DURATION),
        .content_url = url_at(r, o, FIELD_CONTENT_URL),
        .embed_url = url_at(r, o, FIELD_EMBED_URL),
        .thumbnail_url = url_at(r, o, FIELD_THUMBNAIL_URL),
        .transcript = text_at(r, o, FIELD_TRANSCRIPT),
        .width = simple(r, o->field[FIELD_WIDTH], "value"),
        .height = simple(r, o->field[FIELD_HEIGHT], "value"),
        .encoding_format = text_at(r, o, FIELD_ENCODING_FORMAT),
        .author = text_at(r, o, FIELD_AUTHOR),
        .part_of =
            text_at(r, o, o->field[FIELD_PART_OF].kind ? FIELD_PART_OF : FIELD_PART_OF_SERIES),
    };
    take_chapters(r, o, &m->media[m->n_media - 1]);
}

static void set_if_empty(struct adit_str *to, struct adit_str value)
{
    if (to->len == 0) *to = value;
}

/* The text of a field, unless *to is known already. */
static void take_text(struct reader *r, struct adit_str *to, const struct object *o,
                      enum field field)
{
    if (to->len == 0) *to = text_at(r, o, field);
}

/* When a work came out, by the member that says so best. */
static struct adit_str published_of(struct reader *r, const struct object *o)
{
    static const enum field fields[] = {FIELD_PUBLISHED, FIELD_CREATED};
    struct adit_str date = {0};
    for (size_t i = 0; i < ADIT_COUNT(fields) && date.len == 0; i++)
        date = text_at(r, o, fields[i]);
    return date;
}

/* Who made it and when: of the page's own works, not of reviews and other works inside them. */
static void take_origin(struct reader *r, const struct object *o)
{
    struct adit_str date = r->dated ? (struct adit_str){0} : published_of(r, o);
    if (date.len) {
        r->m->candidates->date[ADIT_DATE_LD] = date;
        r->dated = true;
    }
    if (r->author.kind == ADIT_JSON_NONE) r->author = o->field[FIELD_AUTHOR];
}

static void take_work(struct reader *r, const struct object *o)
{
    struct adit_meta *m = r->m;
    take_text(r, &m->ld_title, o, FIELD_HEADLINE);
    take_text(r, &m->ld_title, o, FIELD_NAME);
    take_text(r, &m->ld_description, o, FIELD_DESCRIPTION);
    take_text(r, &r->publisher, o, FIELD_PUBLISHER);
}

static void take_type(struct reader *r, const struct object *o, struct adit_str name, bool main)
{
    r->m->kinds |= adit_kind_of_type(name);
    if (adit_str_eq(name, ADIT_STR("WebSite"))) take_text(r, &r->website, o, FIELD_NAME);
    for (size_t i = 0; i < ADIT_COUNT(types); i++) {
        if (!adit_str_in(name, types[i].names)) continue;
        if (types[i].work == WORK) take_work(r, o);
        if (types[i].work && main) take_origin(r, o);
        if (types[i].media) take_media(r, o, types[i].media == 2);
        uint8_t rank = types[i].rank;
        if (!main || rank == 0 || (r->rank && r->rank <= rank)) return;
        r->rank = rank;
        r->m->schema = o->value.raw;
        return;
    }
}

static void take_object(struct reader *r, const struct object *o, bool main)
{
    struct adit_meta_candidates *c = r->m->candidates;
    struct adit_json_value type = o->field[FIELD_TYPE];
    struct adit_json_member member = {.value = type};
    struct adit_json_iter it = adit_json_iter(type);
    bool list = type.kind == ADIT_JSON_ARRAY;
    for (size_t n = 0; n < ADIT_LIMIT_jsonld_types && (!list || adit_json_next(&it, &member));
         n++) {
        struct adit_str name = adit_json_text(member.value, r->arena, &r->ok);
        if (name.len) take_type(r, o, type_name(name), main);
        if (!list) break;
    }
    if (main && !r->dated) take_text(r, &c->date[ADIT_DATE_LD], o, FIELD_PUBLISHED);
    take_text(r, &c->modified[ADIT_MODIFIED_LD], o, FIELD_MODIFIED);
    struct adit_str id = adit_json_text(o->field[FIELD_ID], r->arena, &r->ok);
    if (id.len == 0 || r->n_people == ADIT_LIMIT_jsonld_names) return;
    struct adit_str name = text_at(r, o, FIELD_NAME);
    if (name.len) r->people[r->n_people++] = (struct person){id, name};
}

/* Whether a member's object may be the page's main one. */
static bool is_main_path(struct adit_str key)
{
    return key.len == 0 || adit_str_eq(key, ADIT_STR("@graph")) ||
           adit_str_eq(key, ADIT_STR("mainEntity")) ||
           adit_str_eq(key, ADIT_STR("mainEntityOfPage"));
}

static void walk(struct reader *r, struct adit_json_value root)
{
    struct {
        struct adit_json_iter it;
        bool main;
    } stack[ADIT_LIMIT_jsonld_depth];
    size_t depth = 0;
    struct adit_json_member m = {.value = root};
    bool main = true;
    for (;;) {
        bool object = m.value.kind == ADIT_JSON_OBJECT, array = m.value.kind == ADIT_JSON_ARRAY;
        if ((object || array) && depth < ADIT_LIMIT_jsonld_depth &&
            r->n_objects < ADIT_LIMIT_jsonld_objects) {
            r->n_objects++;
            if (object) {
                struct object o;
                open_object(m.value, &o);
                take_object(r, &o, main);
            }
            stack[depth].it = adit_json_iter(m.value);
            stack[depth++].main = main;
        }
        while (depth > 0 && !adit_json_next(&stack[depth - 1].it, &m)) depth--;
        if (depth == 0) return;
        main = stack[depth - 1].main && is_main_path(m.key);
    }
}

/* --- authors ---------------------------------------------------------------------------------- */

/* The name of the object that an author's @id points to. */
static struct adit_str named_elsewhere(struct reader *r, struct adit_json_value v)
{
    struct adit_str id = {0};
    if (v.kind == ADIT_JSON_OBJECT) id = adit_json_text(get(v, "@id"), r->arena, &r->ok);
    for (size_t i = 0; i < r->n_people && id.len; i++)
        if (adit_str_eq(r->people[i].id, id)) return r->people[i].name;
    return (struct adit_str){0};
}

static void add_name(struct adit_buf *names, struct adit_str name)
{
    if (name.len == 0 || names->len + name.len + 2 > AUTHORS_MAX) return;
    if (names->len) adit_buf_lit(names, ", ");
    adit_buf_add(names, name);
}

/* One author; also {"name": ["Ann Lee", "Bob Poe"]}, which are two. */
static void add_author(struct reader *r, struct adit_buf *names, struct adit_json_value v)
{
    struct adit_json_value name = v.kind == ADIT_JSON_OBJECT ? get(v, "name") : v;
    struct adit_json_iter it = adit_json_iter(name);
    struct adit_json_member m = {.value = name};
    bool list = name.kind == ADIT_JSON_ARRAY;
    size_t before = names->len;
    while ((!list || adit_json_next(&it, &m)) && !names->err) {
        add_name(names, simple(r, m.value, "name"));
        if (!list) break;
    }
    if (names->len == before) add_name(names, named_elsewhere(r, v));
}

static void take_author(struct reader *r)
{
    struct adit_buf names;
    adit_buf_init(&names, r->arena->mem, AUTHORS_MAX);
    struct adit_json_iter it = adit_json_iter(r->author);
    struct adit_json_member m = {.value = r->author};
    bool list = r->author.kind == ADIT_JSON_ARRAY;
    while ((!list || adit_json_next(&it, &m)) && !names.err) {
        add_author(r, &names, m.value);
        if (!list) break;
    }
    if (names.err) r->ok = false;
    r->m->candidates->author[ADIT_AUTHOR_LD] =
        adit_arena_dup(r->arena, adit_buf_str(&names), &r->ok);
    adit_buf_free(&names);
}

enum adit_code adit_jsonld_read(struct adit_meta *m, const struct adit_str *scripts, size_t n,
                                struct adit_arena *arena)
{
    struct reader r = {.m = m, .arena = arena, .ok = true, .values = ADIT_LIMIT_jsonld_values};
    for (size_t i = 0; i < n && r.ok; i++) {
        struct adit_json_value root = strict(&r, scripts[i]);
        if (root.kind != ADIT_JSON_NONE) walk(&r, root);
    }
    take_author(&r);
    set_if_empty(&m->site_name, r.website);
    set_if_empty(&m->site_name, r.publisher);
    return r.ok ? ADIT_OK : ADIT_ENOMEM;
}

struct adit_str adit_jsonld_body(const struct adit_meta *m, struct adit_arena *arena, bool *ok)
{
    static const struct adit_str names[] = {ADIT_STR_INIT("articleBody"), ADIT_STR_INIT("text")};
    const struct adit_json_value work = {.kind = ADIT_JSON_OBJECT, .raw = m->schema};
    struct adit_str body = {0};
    for (size_t i = 0; i < ADIT_COUNT(names) && m->schema.len && !body.len; i++) {
        struct adit_json_value v = adit_json_get(work, names[i]);
        if (v.kind == ADIT_JSON_STRING) body = adit_str_trim(decoded(v, arena, ok));
    }
    return body;
}
