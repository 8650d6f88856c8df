/* Video and audio: elements with their sources and tracks, players of other sites, and what the
 * page's structured data says about them. */
#include "blocks/blocks_impl.h"
#include "tape/tape.h"

#include <string.h>

/* A video or audio under way: what it takes in the arena is known when it is done. */
struct draft {
    struct adit_media media;
    struct adit_media_source sources[ADIT_LIMIT_media_sources];
    struct adit_media_caption captions[ADIT_LIMIT_media_sources];
};

/* --- media types ------------------------------------------------------------------------------ */

static const struct {
    struct adit_str extension;
    const char *video, *audio;
} types[] = {
    {ADIT_STR_INIT(".mp4"), "video/mp4", "audio/mp4"},
    {ADIT_STR_INIT(".m4v"), "video/mp4", "video/mp4"},
    {ADIT_STR_INIT(".webm"), "video/webm", "audio/webm"},
    {ADIT_STR_INIT(".ogv"), "video/ogg", "video/ogg"},
    {ADIT_STR_INIT(".ogg"), "video/ogg", "audio/ogg"},
    {ADIT_STR_INIT(".mov"), "video/quicktime", "video/quicktime"},
    {ADIT_STR_INIT(".m3u8"), "application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl"},
    {ADIT_STR_INIT(".mpd"), "application/dash+xml", "application/dash+xml"},
    {ADIT_STR_INIT(".mp3"), "audio/mpeg", "audio/mpeg"},
    {ADIT_STR_INIT(".m4a"), "audio/mp4", "audio/mp4"},
    {ADIT_STR_INIT(".aac"), "audio/aac", "audio/aac"},
    {ADIT_STR_INIT(".oga"), "audio/ogg", "audio/ogg"},
    {ADIT_STR_INIT(".opus"), "audio/ogg", "audio/ogg"},
    {ADIT_STR_INIT(".flac"), "audio/flac", "audio/flac"},
    {ADIT_STR_INIT(".wav"), "audio/wav", "audio/wav"},
};

static struct adit_str media_type(struct adit_str declared, struct adit_str url, bool audio)
{
    declared = adit_str_trim(adit_str_sub(declared, 0, adit_str_chr(declared, ';', 0)));
    if (adit_str_chr(declared, '/', 0) < declared.len) return declared;
    size_t end = adit_str_chr(url, '?', 0), hash = adit_str_chr(url, '#', 0);
    struct adit_str path = adit_str_sub(url, 0, end < hash ? end : hash);
    for (size_t i = 0; i < ADIT_COUNT(types); i++) {
        struct adit_str tail = adit_str_sub(path, path.len - types[i].extension.len, path.len);
        if (path.len > types[i].extension.len && adit_str_ieq(tail, types[i].extension))
            return adit_str_z(audio ? types[i].audio : types[i].video);
    }
    return ADIT_STR("application/octet-stream");
}

/* --- players of other sites ------------------------------------------------------------------- */

/* An embedded player: where its address begins, and the page that it stands for (the rest of the
 * path is put behind `page`; NULL: the address itself). */
static const struct player {
    bool audio;
    struct adit_str embed;
    const char *page;
} players[] = {
    {false, ADIT_STR_INIT("youtube.com/embed/"), "https://www.youtube.com/watch?v="},
    {false, ADIT_STR_INIT("youtube-nocookie.com/embed/"), "https://www.youtube.com/watch?v="},
    {false, ADIT_STR_INIT("youtube.com/v/"), "https://www.youtube.com/watch?v="},
    {false, ADIT_STR_INIT("player.vimeo.com/video/"), "https://vimeo.com/"},
    {false, ADIT_STR_INIT("dailymotion.com/embed/video/"), "https://www.dailymotion.com/video/"},
    {false, ADIT_STR_INIT("embed.ted.com/talks/"), "https://www.ted.com/talks/"},
    {false, ADIT_STR_INIT("fast.wistia.net/embed/"), NULL},
    {false, ADIT_STR_INIT("fast.wistia.com/embed/"), NULL},
    {false, ADIT_STR_INIT("player.twitch.tv/"), NULL},
    {false, ADIT_STR_INIT("clips.twitch.tv/embed"), NULL},
    {false, ADIT_STR_INIT("streamable.com/"), NULL},
    {false, ADIT_STR_INIT("rumble.com/embed/"), NULL},
    {false, ADIT_STR_INIT("facebook.com/plugins/video"), NULL},
    {false, ADIT_STR_INIT("players.brightcove.net/"), NULL},
    {false, ADIT_STR_INIT("cdn.jwplayer.com/players/"), NULL},
    {false, ADIT_STR_INIT("player.bilibili.com/"), NULL},
    {false, ADIT_STR_INIT("rutube.ru/play/embed/"), "https://rutube.ru/video/"},
    {true, ADIT_STR_INIT("open.spotify.com/embed/"), "https://open.spotify.com/"},
    {true, ADIT_STR_INIT("open.spotify.com/embed-podcast/"), "https://open.spotify.com/"},
    {true, ADIT_STR_INIT("embed.podcasts.apple.com/"), "https://podcasts.apple.com/"},
    {true, ADIT_STR_INIT("embed.music.apple.com/"), "https://music.apple.com/"},
    {true, ADIT_STR_INIT("w.soundcloud.com/player/"), NULL},
    {true, ADIT_STR_INIT("bandcamp.com/EmbeddedPlayer"), NULL},
    {true, ADIT_STR_INIT("podcasters.spotify.com/pod/"), NULL},
    {true, ADIT_STR_INIT("anchor.fm/"), NULL},
    {true, ADIT_STR_INIT("player.simplecast.com/"), NULL},
    {true, ADIT_STR_INIT("share.transistor.fm/e/"), "https://share.transistor.fm/s/"},
    {true, ADIT_STR_INIT("playlist.megaphone.fm/"), NULL},
    {true, ADIT_STR_INIT("player.megaphone.fm/"), NULL},
    {true, ADIT_STR_INIT("html5-player.libsyn.com/"), NULL},
    {true, ADIT_STR_INIT("play.libsyn.com/embed/"), NULL},
    {true, ADIT_STR_INIT("embed.acast.com/"), NULL},
    {true, ADIT_STR_INIT("omny.fm/shows/"), NULL},
    {true, ADIT_STR_INIT("buzzsprout.com/"), NULL},
    {true, ADIT_STR_INIT("art19.com/shows/"), NULL},
    {true, ADIT_STR_INIT("podbean.com/player"), NULL},
    {true, ADIT_STR_INIT("audioboom.com/"), NULL},
};

/* The row whose site and path an address begins with ("www." and other names before the site's
 * own aside), and what stands behind. */
static const struct player *player_of(struct adit_str url, struct adit_str *rest)
{
    size_t host = adit_str_find(url, ADIT_STR("//"), 0) + 2, slash = adit_str_chr(url, '/', host);
    for (size_t i = 0; i < ADIT_COUNT(players); i++) {
        struct adit_str e = players[i].embed;
        size_t len = adit_str_chr(e, '/', 0); /* of the host */
        if (slash < host + len) continue;
        size_t at = slash - len;
        if (at > host && url.p[at - 1] != '.') continue;
        struct adit_str tail = adit_str_sub(url, at, url.len);
        if (!adit_str_istarts(tail, e)) continue;
        *rest = adit_str_sub(tail, e.len, tail.len);
        return &players[i];
    }
    return NULL;
}

/* The address to publish for a player; empty if it shows nothing in particular. */
static struct adit_str player_page(struct adit_builder *b, const struct player *p,
                                   struct adit_str url, struct adit_str rest)
{
    if (!p->page) return url;
    size_t end = 0;
    while (end < rest.len && rest.p[end] != '?' && rest.p[end] != '&' && rest.p[end] != '#') end++;
    rest = adit_str_sub(rest, 0, end);
    if (!rest.len || adit_str_eq(rest, ADIT_STR("videoseries"))) return url;
    struct adit_str both[2] = {adit_str_z(p->page), rest};
    return adit_block_join(b, both, 2, ADIT_STR(""));
}

/* --- structured data -------------------------------------------------------------------------- */

/* The addresses of all described media, resolved once for all who ask. */
static bool resolve_described(struct adit_builder *b)
{
    size_t n = b->meta->n_media;
    if (b->media_urls || !n) return n > 0;
    b->media_urls = adit_block_alloc(b, 2 * n, sizeof *b->media_urls);
    for (size_t i = 0; i < 2 * n && b->media_urls; i++) {
        const struct adit_meta_media *m = &b->meta->media[i / 2];
        struct adit_str url = adit_block_url(b, i % 2 ? m->embed_url : m->content_url), rest;
        const struct player *p = url.len ? player_of(url, &rest) : NULL;
        b->media_urls[i] = p ? player_page(b, p, url, rest) : url;
    }
    return b->media_urls != NULL;
}

static bool same_media(const struct adit_builder *b, size_t i, const struct adit_media *media)
{
    for (size_t k = 2 * i; k < 2 * i + 2; k++)
        for (size_t s = 0; s < media->n_sources && b->media_urls[k].len; s++)
            if (adit_str_eq(b->media_urls[k], media->sources[s].href)) return true;
    return false;
}

static size_t text_len(const struct adit_meta_media *m)
{
    size_t len = m->name.len + m->description.len + m->transcript.len + m->author.len;
    for (size_t i = 0; i < m->n_chapters; i++)
        len += m->chapters[i].title.len + sizeof m->chapters[i].time;
    return len;
}

/* Takes the description i, for the first time or again; NULL if it was said often enough. */
static const struct adit_meta_media *take_described(struct adit_builder *b, size_t i)
{
    const struct adit_meta_media *m = &b->meta->media[i];
    if (b->media_used >> i & 1) {
        if (b->repeated_len > b->repeated_max) return NULL;
        b->repeated_len += text_len(m);
    }
    b->media_used |= UINT64_C(1) << i;
    return m;
}

/* The page's object that describes this media: the one with its address, else the only one, if it
 * names no address: one that names another address describes something else. */
static const struct adit_meta_media *describe(struct adit_builder *b,
                                              const struct adit_media *media, bool audio)
{
    _Static_assert(ADIT_LIMIT_jsonld_media <= 64, "bits of media_used");
    size_t only = b->meta->n_media, n = 0;
    for (size_t i = 0; i < b->meta->n_media; i++) {
        if (b->meta->media[i].audio != audio) continue;
        only = i, n++;
        if (b->media_urls && same_media(b, i, media)) return take_described(b, i);
    }
    if (n != 1 || b->media_used >> only & 1 || !b->media_urls) return NULL;
    bool names = b->media_urls[2 * only].len || b->media_urls[2 * only + 1].len;
    return names ? NULL : take_described(b, only);
}

/* The number at the start of *s, if `unit` stands behind it: digits, stepped over with their unit; else
 * empty. Only seconds may have a fraction. */
static struct adit_str take_unit(struct adit_str *s, char unit)
{
    size_t n = 0;
    while (n < s->len && adit_is_digit(s->p[n])) n++;
    if (unit == 'S' && n && n + 1 < s->len && s->p[n] == '.' && adit_is_digit(s->p[n + 1]))
        for (n++; n < s->len && adit_is_digit(s->p[n]);) n++;
    if (!n || n == s->len || s->p[n] != unit) return (struct adit_str){0};
    struct adit_str digits = adit_str_sub(*s, 0, n);
    *s = adit_str_sub(*s, n + 1, s->len);
    return digits;
}

/* SCP wants PT…H…M…S; structured data also says P0DT5M and P1DT2H: days become hours. */
static struct adit_str duration(struct adit_builder *b, struct adit_str s)
{
    static const char *const units[] = {"H", "M", "S"};
    char hours[24];
    struct adit_str parts[7] = {ADIT_STR("PT")};
    uint64_t days = 0, h = 0;
    if (!adit_str_starts(s, ADIT_STR("P"))) return (struct adit_str){0};
    s = adit_str_sub(s, 1, s.len);
    /* Years and months have no certain length: they must be none. */
    for (const char *p = "YMWD"; *p; p++) {
        struct adit_str number = take_unit(&s, *p);
        if (number.len && (!adit_str_u64(number, &days) || (days && *p != 'D') || days > 9999))
            return (struct adit_str){0};
    }
    bool time = adit_str_starts(s, ADIT_STR("T"));
    if (time) s = adit_str_sub(s, 1, s.len);
    if (s.len ? !time : !days) return (struct adit_str){0};
    for (size_t i = 0; i < ADIT_COUNT(units); i++)
        if ((parts[1 + 2 * i] = take_unit(&s, units[i][0])).len)
            parts[2 + 2 * i] = adit_str_z(units[i]);
    if (s.len || (!days && !parts[2].len && !parts[4].len && !parts[6].len))
        return (struct adit_str){0};
    if (days && (!parts[1].len || (adit_str_u64(parts[1], &h) && h < 1000000))) {
        struct adit_buf out = {.p = hours, .cap = sizeof hours, .max = sizeof hours};
        adit_buf_u64(&out, 24 * days + h);
        parts[1] = adit_buf_str(&out), parts[2] = ADIT_STR("H");
    }
    return adit_block_join(b, parts, ADIT_COUNT(parts), ADIT_STR(""));
}

static uint64_t number(struct adit_str s)
{
    uint64_t n;
    s = adit_str_trim(s);
    if (adit_str_ends(s, ADIT_STR("px"))) s.len -= 2;
    return adit_str_u64(s, &n) && n < 100000 ? n : 0;
}

static void set(struct adit_str *to, struct adit_str from)
{
    if (!to->len) *to = from;
}

static void add_source(struct adit_media *media, struct adit_str href, struct adit_str type,
                       struct adit_str rel)
{
    if (!href.len || media->n_sources == ADIT_LIMIT_media_sources) return;
    for (size_t i = 0; i < media->n_sources; i++)
        if (adit_str_eq(media->sources[i].href, href)) return;
    media->sources[media->n_sources++] = (struct adit_media_source){href, type, rel};
}

static void take_meta(struct adit_builder *b, struct adit_media *media,
                      const struct adit_meta_media *m)
{
    struct adit_str url = adit_block_url(b, m->content_url), rest;
    if (url.len)
        add_source(media, url, media_type(m->encoding_format, url, m->audio), (struct adit_str){0});
    url = adit_block_url(b, m->embed_url);
    const struct player *p = url.len ? player_of(url, &rest) : NULL;
    if (p) url = player_page(b, p, url, rest);
    add_source(media, url, ADIT_STR("text/html"), ADIT_STR("alternate"));
    set(&media->name, m->name);
    set(&media->summary, m->description);
    set(&media->duration, duration(b, m->duration));
    set(&media->icon, adit_block_url(b, m->thumbnail_url));
    set(&media->transcript, m->transcript);
    if (m->audio) set(&media->attributed_to, m->author), set(&media->part_of, m->part_of);
    media->chapters = m->chapters, media->n_chapters = m->n_chapters;
    if (!media->width && !media->height)
        media->width = number(m->width), media->height = number(m->height);
}

/* --- elements --------------------------------------------------------------------------------- */

static struct adit_str text_attr(struct adit_builder *b, uint32_t node, enum adit_attr attr)
{
    bool ok = true;
    struct adit_str s = adit_space_text(b->arena, adit_dom_attr(b->dom, node, attr), &ok);
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    return s;
}

static void add_track(struct adit_builder *b, struct adit_media *media, uint32_t track)
{
    struct adit_str kind = adit_dom_attr(b->dom, track, ADIT_ATTR_KIND);
    if (kind.len && !adit_str_ieq(kind, ADIT_STR("subtitles")) &&
        !adit_str_ieq(kind, ADIT_STR("captions")))
        return;
    if (media->n_captions == ADIT_LIMIT_media_sources) return;
    struct adit_media_caption c = {
        .language = adit_str_trim(adit_dom_attr(b->dom, track, ADIT_ATTR_SRCLANG)),
        .url = adit_block_url(b, adit_dom_attr(b->dom, track, ADIT_ATTR_SRC)),
        .label = text_attr(b, track, ADIT_ATTR_LABEL),
    };
    if (!c.url.len) return;
    set(&c.language, ADIT_STR("und"));
    set(&c.label, c.language);
    media->captions[media->n_captions++] = c;
}

/* <video> and <audio>: their own address and those of their children. */
static void take_element(struct adit_builder *b, struct adit_media *media, uint32_t node,
                         bool audio)
{
    static const enum adit_attr attrs[] = {ADIT_ATTR_SRC, ADIT_ATTR_DATA_SRC};
    uint32_t n = node;
    do {
        if (adit_dom_is(b->dom, n, ADIT_TAG_TRACK)) add_track(b, media, n);
        if (n != node && !adit_dom_is(b->dom, n, ADIT_TAG_SOURCE)) continue;
        if (media->n_sources == ADIT_LIMIT_media_sources) continue;
        for (size_t i = 0; i < ADIT_COUNT(attrs); i++) {
            struct adit_str url = adit_block_url(b, adit_dom_attr(b->dom, n, attrs[i]));
            if (url.len)
                add_source(media, url,
                           media_type(adit_dom_attr(b->dom, n, ADIT_ATTR_TYPE), url, audio),
                           (struct adit_str){0});
        }
    } while ((n = adit_dom_next(b->dom, n, node, true)));
    media->icon = adit_block_url(b, adit_dom_attr(b->dom, node, ADIT_ATTR_POSTER));
}

/* <iframe>, <embed>, <object>: a known player, or a file to play; true if it is one. */
static bool take_player(struct adit_builder *b, struct adit_media *media, uint32_t node,
                        bool *audio)
{
    static const enum adit_attr attrs[] = {ADIT_ATTR_SRC, ADIT_ATTR_DATA_SRC,
                                           ADIT_ATTR_DATA_LAZY_SRC, ADIT_ATTR_DATA};
    for (size_t i = 0; i < ADIT_COUNT(attrs); i++) {
        struct adit_str url = adit_block_url(b, adit_dom_attr(b->dom, node, attrs[i])), rest;
        const struct player *p = url.len ? player_of(url, &rest) : NULL;
        if (!p) {
            struct adit_str type =
                media_type(adit_dom_attr(b->dom, node, ADIT_ATTR_TYPE), url, false);
            *audio = adit_str_starts(type, ADIT_STR("audio/"));
            if (!url.len || (!*audio && !adit_str_starts(type, ADIT_STR("video/")))) continue;
            add_source(media, url, type, (struct adit_str){0});
            return true;
        }
        *audio = p->audio;
        add_source(media, player_page(b, p, url, rest), ADIT_STR("text/html"),
                   ADIT_STR("alternate"));
        return true;
    }
    return false;
}

/* <lite-youtube videoid=…> and the like: stand-ins that load the player on a click. The address
 * that the id stands behind; NULL for other elements. */
static const char *custom_page(const struct adit_dom *d, uint32_t node)
{
    static const struct {
        struct adit_str element;
        const char *page;
    } customs[] = {
        {ADIT_STR_INIT("lite-youtube"), "https://www.youtube.com/watch?v="},
        {ADIT_STR_INIT("lite-vimeo"), "https://vimeo.com/"},
    };
    struct adit_str name = adit_dom_name(d, node);
    for (size_t i = 0; i < ADIT_COUNT(customs); i++)
        if (adit_str_eq(name, customs[i].element)) return customs[i].page;
    return NULL;
}

static void take_custom(struct adit_builder *b, struct adit_media *media, uint32_t node)
{
    struct adit_str id = adit_str_trim(adit_dom_attr(b->dom, node, ADIT_ATTR_VIDEOID));
    struct adit_str both[2] = {adit_str_z(custom_page(b->dom, node)), id};
    if (id.len)
        add_source(media, adit_block_url(b, adit_block_join(b, both, 2, ADIT_STR(""))),
                   ADIT_STR("text/html"), ADIT_STR("alternate"));
}

static struct adit_media *begin(struct draft *d)
{
    d->media = (struct adit_media){.sources = d->sources, .captions = d->captions};
    return &d->media;
}

static void *copy(struct adit_builder *b, const void *from, size_t n, size_t size)
{
    void *to = n ? adit_block_alloc(b, n, size) : NULL;
    return to ? memcpy(to, from, n * size) : NULL;
}

/* The block of a draft; false if there is nothing to play. */
static bool add_block(struct adit_builder *b, const struct draft *d, bool audio)
{
    struct adit_media *media = d->media.n_sources ? copy(b, &d->media, 1, sizeof *media) : NULL;
    if (!media) return false;
    media->sources = copy(b, d->sources, media->n_sources, sizeof *media->sources);
    if (audio) media->n_captions = 0; /* SCP gives captions to video only */
    media->captions = copy(b, d->captions, media->n_captions, sizeof *media->captions);
    if (b->code != ADIT_OK) return false;
    set(&media->name, b->title);
    adit_block_add(b, audio ? ADIT_AUDIO : ADIT_VIDEO)->media = media;
    b->n_media++;
    return true;
}

/* The sources that an element names; false if it is no player. */
static bool take_sources(struct adit_builder *b, struct adit_media *media,
                         const struct adit_item *item, bool *audio)
{
    *audio = item->tag == ADIT_TAG_AUDIO;
    if (*audio || item->tag == ADIT_TAG_VIDEO)
        take_element(b, media, item->node, *audio);
    else if (item->kind == ADIT_ITEM_OPEN)
        take_custom(b, media, item->node);
    else
        return take_player(b, media, item->node, audio);
    return true;
}

/* What else is known about it: from its attributes, its caption, the page's structured data. */
static void take_rest(struct adit_builder *b, struct adit_media *media,
                      const struct adit_item *item, bool audio)
{
    media->name = text_attr(b, item->node, ADIT_ATTR_TITLE);
    set(&media->name, text_attr(b, item->node, ADIT_ATTR_ARIA_LABEL));
    struct adit_str caption = adit_block_caption(b, (uint32_t)(item - b->t->items));
    if (!audio) {
        media->width = number(adit_dom_attr(b->dom, item->node, ADIT_ATTR_WIDTH));
        media->height = number(adit_dom_attr(b->dom, item->node, ADIT_ATTR_HEIGHT));
    }
    const struct adit_meta_media *m = describe(b, media, audio);
    if (m) {
        if (m->name.len) media->name = m->name;
        take_meta(b, media, m);
    }
    if (media->name.len)
        set(&media->summary, caption);
    else
        media->name = caption;
}

void adit_build_media(struct adit_builder *b, const struct adit_item *item)
{
    struct draft d;
    bool audio;
    if (b->n_media == ADIT_LIMIT_page_media) return;
    if (item->kind == ADIT_ITEM_OPEN && !custom_page(b->dom, item->node)) return;
    resolve_described(b); /* before the mark: it stays */
    struct adit_arena_mark mark = adit_arena_mark(b->arena);
    struct adit_media *media = begin(&d);
    bool player = take_sources(b, media, item, &audio);
    if (player) take_rest(b, media, item, audio);
    if (!player || !add_block(b, &d, audio)) adit_arena_release(b->arena, mark);
}

/* Whether the element of an object stands among kept content, whatever becomes of its own words, and no
 * player in it: that is the object's. */
static bool is_shown(const struct adit_builder *b, uint32_t node)
{
    const struct adit_tape *t = b->t;
    uint32_t el = 0, from = ADIT_NONE;
    for (uint32_t i = 0; i < t->n_items; i++) {
        const struct adit_item *it = &t->items[i];
        if (it->kind == ADIT_ITEM_CLOSE && it->node == node && from != ADIT_NONE) {
            if (adit_block_hidden(&t->els[el])) return false;
            if (it->el == el && t->els[el].parent != ADIT_NONE) el = t->els[el].parent;
            return adit_object_kept(b, &(struct adit_item){.el = el});
        }
        if (from != ADIT_NONE && it->kind == ADIT_ITEM_OBJECT &&
            (it->tag == ADIT_TAG_VIDEO || it->tag == ADIT_TAG_AUDIO || it->tag == ADIT_TAG_IFRAME))
            return false;
        if (from == ADIT_NONE && it->kind == ADIT_ITEM_CLOSE && it->el != ADIT_NONE)
            el = t->els[it->el].parent;
        if (from == ADIT_NONE && it->kind == ADIT_ITEM_OPEN && it->el != ADIT_NONE) el = it->el;
        if (it->kind == ADIT_ITEM_OPEN && it->node == node) from = i;
    }
    return false;
}

/* Whether another description of the same address was taken, or comes before this one: JSON-LD before
 * microdata. */
static bool is_said(const struct adit_builder *b, size_t i)
{
    const struct adit_str *urls = b->media_urls;
    const struct adit_meta_media *media = b->meta->media;
    for (size_t k = 0; urls && k < b->meta->n_media; k++) {
        bool before = !media[i].node == !media[k].node ? k < i : !media[k].node;
        if (k == i || !(before || b->media_used >> k & 1)) continue;
        for (size_t u = 0; u < 2; u++)
            if (urls[2 * i + u].len && adit_str_eq(urls[2 * i + u], urls[2 * k + u])) return true;
    }
    return false;
}

void adit_build_described(struct adit_builder *b)
{
    resolve_described(b);
    for (size_t i = 0; i < b->meta->n_media; i++) {
        struct draft d;
        uint32_t node = b->meta->media[i].node;
        if (b->media_used >> i & 1 || b->n_media == ADIT_LIMIT_page_media) continue;
        if (is_said(b, i) || (node && !is_shown(b, node))) continue;
        take_meta(b, begin(&d), &b->meta->media[i]);
        add_block(b, &d, b->meta->media[i].audio);
    }
}
