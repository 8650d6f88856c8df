/* Where the link goes, and the stage (inject_impl.h). The tokenizer: inject_scan.c. */
#include "exchange/inject_scan_impl.h"
#include "codec/codec.h"

#include <string.h>

enum { PRESCAN = ADIT_CHARSET_PRESCAN, GIVE_UP_AT = 64 << 10 };

enum tag_flag {
    OPENS_HTML = 1, /* may stand before the head */
    OPENS_HEAD = 2,
    IN_HEAD = 4, /* does not end the head */
    HAS_RAW = 8, /* its content is text up to its end tag */
    IS_META = 16,
    OF_DOCUMENT = 32, /* fragments do not begin with it */
};

static const struct tag {
    struct adit_str name;
    unsigned flags;
} start_tags[] = {
    {ADIT_STR_INIT("html"), OPENS_HTML | IN_HEAD | OF_DOCUMENT},
    {ADIT_STR_INIT("head"), OPENS_HEAD | IN_HEAD | OF_DOCUMENT},
    {ADIT_STR_INIT("meta"), IN_HEAD | IS_META | OF_DOCUMENT},
    {ADIT_STR_INIT("title"), IN_HEAD | HAS_RAW | OF_DOCUMENT},
    {ADIT_STR_INIT("base"), IN_HEAD | OF_DOCUMENT},
    {ADIT_STR_INIT("link"), IN_HEAD | OF_DOCUMENT},
    {ADIT_STR_INIT("style"), IN_HEAD | HAS_RAW | OF_DOCUMENT},
    {ADIT_STR_INIT("script"), IN_HEAD | HAS_RAW},
    {ADIT_STR_INIT("noscript"), IN_HEAD | HAS_RAW},
    {ADIT_STR_INIT("noframes"), IN_HEAD | HAS_RAW},
    {ADIT_STR_INIT("basefont"), IN_HEAD},
    {ADIT_STR_INIT("bgsound"), IN_HEAD},
    {ADIT_STR_INIT("body"), OF_DOCUMENT},
    {ADIT_STR_INIT("frameset"), OF_DOCUMENT},
};

/* End tags that the parser does not ignore where a head may begin, or in it. */
static const struct adit_str end_tags[] = {
    ADIT_STR_INIT("head"),
    ADIT_STR_INIT("body"),
    ADIT_STR_INIT("html"),
    ADIT_STR_INIT("br"),
};

/* --- decisions -------------------------------------------------------------------------------- */

void adit_inject_give_up(struct adit_inject *in) { in->done = true; }

static void insert_at(struct adit_inject *in, uint32_t place)
{
    in->place = place;
    in->done = in->inserted = true;
}

/* The place is known. Without a charset from HTTP the first 1024 bytes are read first. */
static void found_at(struct adit_inject *in, uint32_t place)
{
    if (!in->document) {
        adit_inject_give_up(in);
    } else if (!in->watch) {
        insert_at(in, place);
    } else {
        in->place = place;
        in->found = true;
    }
}

/* Something begins at `place` that is no part of a head, or makes the parser begin one. */
void adit_inject_head_ends(struct adit_inject *in, uint32_t place)
{
    if (!in->found) found_at(in, place);
    in->state = REST;
}

static unsigned flags_of(const struct adit_inject *in)
{
    struct adit_str name = adit_str_of(in->name, in->n_name);
    for (size_t i = 0; i < ADIT_COUNT(start_tags); i++)
        if (adit_str_eq(start_tags[i].name, name)) return start_tags[i].flags;
    return 0;
}

void adit_inject_start_tag(struct adit_inject *in)
{
    unsigned flags = flags_of(in);
    in->after = AFTER_NOTHING;
    if (flags & OF_DOCUMENT) in->document = true;
    if (!in->found && flags & OPENS_HEAD) {
        in->after = AFTER_HEAD;
    } else if (!in->found && !(flags & OPENS_HTML)) {
        found_at(in, in->token);
    }
    if (flags & IS_META) in->after = AFTER_META;
    if (flags & HAS_RAW) {
        in->after = AFTER_RAW;
        memcpy(in->raw, in->name, sizeof in->raw);
        in->n_raw = in->n_name;
        in->escaped = false;
    }
    in->state = flags & IN_HEAD ? BEFORE_ATTRIBUTE : REST;
}

void adit_inject_end_tag(struct adit_inject *in)
{
    struct adit_str name = adit_str_of(in->name, in->n_name);
    in->after = AFTER_NOTHING;
    in->state = BEFORE_ATTRIBUTE;
    for (size_t i = 0; i < ADIT_COUNT(end_tags); i++)
        if (adit_str_eq(end_tags[i], name)) adit_inject_head_ends(in, in->token);
}

/* A meta tag ends: if it is the one that tells browsers the charset, this is the place. */
static void meta_ends(struct adit_inject *in)
{
    struct adit_str read = adit_str_of(in->held, in->n_held);
    struct adit_str attributes = adit_str_sub(read, in->token + ADIT_STR("<meta").len, read.len);
    if (!in->watch || !adit_charset_of_meta(attributes)) return;
    if (adit_charset_prescan(read)) insert_at(in, in->pos);
}

void adit_inject_tag_ends(struct adit_inject *in)
{
    in->state = in->after == AFTER_RAW ? RAW : TEXT;
    if (in->after == AFTER_HEAD) found_at(in, in->pos);
    if (in->after == AFTER_META) meta_ends(in);
}

/* The first 1024 bytes, or all, are held, and no tag of the head declares a charset. If something
 * else does (a comment that browsers read otherwise, a script, the body), it must go on so. */
static void settle(struct adit_inject *in)
{
    char moved[PRESCAN];
    struct adit_str read = adit_str_of(in->held, in->n_held);
    size_t len = in->place, add = in->link.len < PRESCAN - len ? in->link.len : PRESCAN - len;
    memcpy(moved, read.p, len);
    if (add) memcpy(moved + len, in->link.p, add);
    len += add;
    struct adit_str rest = adit_str_sub(read, in->place, in->place + PRESCAN - len);
    if (rest.len) memcpy(moved + len, rest.p, rest.len);
    len += rest.len;
    if (adit_charset_prescan(read) == adit_charset_prescan(adit_str_of(moved, len)))
        insert_at(in, in->place);
    else
        adit_inject_give_up(in);
}

/* --- the stage -------------------------------------------------------------------------------- */

static enum adit_code pass(struct adit_inject *in, const char *p, size_t len)
{
    return len ? in->next->write(in->next, p, len) : ADIT_OK;
}

/* Decided: what is held goes out, with the link in its place. */
static enum adit_code release(struct adit_inject *in)
{
    size_t before = in->inserted ? in->place - (in->pos - in->n_held) : in->n_held;
    ADIT_TRY(pass(in, in->held, before));
    if (in->inserted) ADIT_TRY(pass(in, in->link.p, in->link.len));
    ADIT_TRY(pass(in, in->held + before, in->n_held - before));
    in->n_held = 0;
    return ADIT_OK;
}

/* Not decided: passes on what the link cannot come before any more. That is all but the begun tag,
 * or nothing as long as the charset's tag is looked for. */
static enum adit_code drain(struct adit_inject *in)
{
    bool begun = in->state == TAG_OPEN || in->state == TAG_NAME || in->state == END_TAG_OPEN ||
                 in->state == END_TAG_NAME;
    if (in->watch) return ADIT_OK;
    size_t keep = begun ? in->pos - in->token : 0, go = in->n_held - keep;
    ADIT_TRY(pass(in, in->held, go));
    memmove(in->held, in->held + go, keep);
    in->n_held = (uint32_t)keep;
    return ADIT_OK;
}

static void read_byte(struct adit_inject *in, char c)
{
    in->held[in->n_held++] = c;
    in->pos++;
    if (c == 0 || in->pos >= GIVE_UP_AT)
        adit_inject_give_up(in);
    else
        adit_inject_scan(in, c);
    if (in->done || !in->watch || in->pos < PRESCAN) return;
    in->watch = false;
    if (in->found) settle(in);
}

static enum adit_code inject_write(struct adit_sink *s, const char *p, size_t len)
{
    struct adit_inject *in = (struct adit_inject *)s;
    size_t i = 0;
    if (in->done) return pass(in, p, len);
    while (i < len && !in->done) {
        read_byte(in, p[i++]);
        if (in->n_held == sizeof in->held && !in->done) ADIT_TRY(drain(in));
    }
    ADIT_TRY(in->done ? release(in) : drain(in));
    return pass(in, p + i, len - i);
}

static enum adit_code inject_end(struct adit_sink *s)
{
    struct adit_inject *in = (struct adit_inject *)s;
    if (!in->done) {
        if (in->found)
            settle(in);
        else
            adit_inject_give_up(in);
        ADIT_TRY(release(in));
    }
    return adit_sink_end(in->next);
}

/* Encodings in whose text "<" and ">" may be something else. */
static bool is_opaque(const char *charset)
{
    static const struct adit_str opaque[] = {
        ADIT_STR_INIT("UTF-16BE"),
        ADIT_STR_INIT("UTF-16LE"),
        ADIT_STR_INIT("ISO-2022-JP"),
        ADIT_STR_INIT("replacement"),
    };
    for (size_t i = 0; i < ADIT_COUNT(opaque); i++)
        if (adit_str_eq(opaque[i], adit_str_z(charset))) return true;
    return false;
}

struct adit_sink *adit_inject_init(struct adit_inject *in, struct adit_str link,
                                   struct adit_str http_charset, struct adit_sink *next)
{
    const char *charset = adit_charset_name(http_charset);
    memset(in, 0, sizeof *in);
    in->sink = (struct adit_sink){inject_write, inject_end};
    in->next = next;
    in->link = link;
    in->watch = charset == NULL;
    in->done = is_opaque(charset);
    return &in->sink;
}

/* --- the link --------------------------------------------------------------------------------- */

void adit_inject_link(struct adit_buf *out, struct adit_str type, struct adit_str href)
{
    static const char *const references[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    adit_buf_lit(out, "<link rel=\"alternate\" type=\"");
    adit_buf_add(out, type);
    adit_buf_lit(out, "\" href=\"");
    for (size_t i = 0; i < href.len; i++) {
        unsigned char c = (unsigned char)href.p[i];
        if (c <= 0x20 || c >= 0x7F)
            adit_buf_percent(out, (char)c);
        else if (references[c])
            adit_buf_lit(out, references[c]);
        else
            adit_buf_byte(out, (char)c);
    }
    adit_buf_lit(out, "\">");
}
