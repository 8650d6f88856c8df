/* Videos and audios that a page describes where it shows them: schema.org's objects in microdata. */
#include "meta/meta_impl.h"

#include <stddef.h>

enum {
    UP_MAX = 16,     /* elements from a property up to its object */
    BELOW_MAX = 400, /* nodes of an object that are looked at */
    TEXT_MAX = 4000  /* bytes of a property */
};

/* What the properties of such an object fill. */
static const struct {
    struct adit_str name;
    size_t at;
} props[] = {
#define PROP(text, member) {ADIT_STR_INIT(text), offsetof(struct adit_meta_media, member)}
    PROP("name", name),
    PROP("description", description),
    PROP("duration", duration),
    PROP("contentUrl", content_url),
    PROP("embedUrl", embed_url),
    PROP("thumbnailUrl", thumbnail_url),
    PROP("transcript", transcript),
    PROP("width", width),
    PROP("height", height),
    PROP("encodingFormat", encoding_format),
    PROP("author", author),
    PROP("creator", author),
    PROP("partOfSeries", part_of),
#undef PROP
};

bool adit_microdata_names_media(struct adit_str prop)
{
    return adit_str_ieq(prop, ADIT_STR("contentUrl")) || adit_str_ieq(prop, ADIT_STR("embedUrl"));
}

/* The object that a property of `node` belongs to; 0: none. */
static uint32_t object_of(const struct adit_dom *d, uint32_t node)
{
    uint32_t n = d->nodes[node].parent;
    for (int up = 0; up < UP_MAX && n; up++, n = d->nodes[n].parent)
        if (adit_dom_has(d, n, ADIT_ATTR_ITEMSCOPE)) return n;
    return 0;
}

/* Whether the object has a type of the name: "https://schema.org/VideoObject". */
static bool is_type(const struct adit_dom *d, uint32_t object, const char *name)
{
    struct adit_str type = adit_str_trim(adit_dom_attr(d, object, ADIT_ATTR_ITEMTYPE));
    struct adit_str end = adit_str_z(name);
    return type.len > end.len && type.p[type.len - end.len - 1] == '/' &&
           adit_str_eq(adit_str_sub(type, type.len - end.len, type.len), end);
}

static bool is_media(const struct adit_dom *d, uint32_t object)
{
    return is_type(d, object, "VideoObject") || is_type(d, object, "AudioObject") ||
           is_type(d, object, "ImageObject");
}

/* What an object that is a property must be to the one around it, to be the page: any other is a thing on
 * the page. */
static const struct adit_str pages[] = {
    ADIT_STR_INIT("mainEntity"), ADIT_STR_INIT("mainEntityOfPage"), ADIT_STR_INIT("blogPost"),
    ADIT_STR_INIT("blogPosts"), ADIT_STR_INIT("hasPart")};

enum adit_microdata_whose adit_microdata_whose(const struct adit_dom *d, uint32_t node)
{
    uint32_t object = object_of(d, node);
    if (!object) return ADIT_MICRODATA_PAGE;
    struct adit_str prop = adit_str_trim(adit_dom_attr(d, object, ADIT_ATTR_ITEMPROP));
    bool ours = !prop.len;
    for (size_t i = 0; i < ADIT_COUNT(pages); i++) ours |= adit_str_ieq(prop, pages[i]);
    if (!ours) return ADIT_MICRODATA_OTHER;
    return is_media(d, object) ? ADIT_MICRODATA_MEDIUM : ADIT_MICRODATA_PAGE;
}

/* What a property says: in an attribute, or as text. */
static struct adit_str value_of(const struct adit_dom *d, uint32_t node, struct adit_arena *arena,
                                bool *ok)
{
    static const enum adit_attr attrs[] = {ADIT_ATTR_CONTENT, ADIT_ATTR_HREF, ADIT_ATTR_SRC,
                                           ADIT_ATTR_DATETIME};
    for (size_t i = 0; i < ADIT_COUNT(attrs); i++) {
        struct adit_str s = adit_str_trim(adit_dom_attr(d, node, attrs[i]));
        if (s.len) return adit_space_text(arena, s, ok);
    }
    return adit_dom_text(d, node, TEXT_MAX, arena, ok);
}

/* The name of a property that is an object of its own. */
static struct adit_str name_of(const struct adit_dom *d, uint32_t object, struct adit_arena *arena,
                               bool *ok)
{
    uint32_t n = adit_dom_next(d, object, object, true);
    for (int k = 0; n && k < BELOW_MAX / 8; k++, n = adit_dom_next(d, n, object, true))
        if (adit_str_ieq(adit_dom_attr(d, n, ADIT_ATTR_ITEMPROP), ADIT_STR("name")))
            return value_of(d, n, arena, ok);
    return (struct adit_str){0};
}

/* Fills what is empty yet from the properties of an object. */
static void read_object(const struct adit_dom *d, uint32_t object, struct adit_meta_media *media,
                        struct adit_arena *arena, bool *ok)
{
    uint32_t n = adit_dom_next(d, object, object, true);
    for (int k = 0; n && *ok && k < BELOW_MAX; k++) {
        struct adit_str prop = adit_str_trim(adit_dom_attr(d, n, ADIT_ATTR_ITEMPROP));
        bool scope = prop.len && adit_dom_has(d, n, ADIT_ATTR_ITEMSCOPE);
        for (size_t i = 0; prop.len && i < ADIT_COUNT(props); i++) {
            struct adit_str *to = (struct adit_str *)((char *)media + props[i].at);
            if (to->len || !adit_str_ieq(prop, props[i].name)) continue;
            *to = scope ? name_of(d, n, arena, ok) : value_of(d, n, arena, ok);
        }
        n = adit_dom_next(d, n, object, !scope);
    }
}

void adit_microdata_media(struct adit_meta *m, const struct adit_dom *d, uint32_t node,
                          struct adit_arena *arena, bool *ok)
{
    uint32_t object = object_of(d, node);
    bool video = object && is_type(d, object, "VideoObject");
    bool episode = object && is_type(d, object, "PodcastEpisode");
    if (!video && !episode && !(object && is_type(d, object, "AudioObject"))) return;
    for (size_t i = 0; i < m->n_media; i++)
        if (m->media[i].node == object) return;
    if (m->n_media == ADIT_LIMIT_jsonld_media) return;
    if (!m->media) m->media = adit_arena_zalloc(arena, ADIT_LIMIT_jsonld_media, sizeof *m->media);
    if (!m->media) {
        *ok = false;
        return;
    }
    struct adit_meta_media *media = &m->media[m->n_media++];
    *media = (struct adit_meta_media){.audio = !video, .node = object};
    read_object(d, object, media, arena, ok);
    /* The file of an episode is an object of its own; the episode has the name. */
    uint32_t over = object_of(d, object);
    if (!video && !episode && over && is_type(d, over, "PodcastEpisode"))
        read_object(d, over, media, arena, ok);
}
