/* The tokenizer and the stage behind inject.h.
 *
 * One byte at a time, states as in the HTML standard (13.2.5) with those merged that differ only in
 * what they report. What counts is where tags begin and end, and their names. */
#include "http/inject.h"
#include "codec/codec.h"

#include <string.h>

enum { PRESCAN = ADIT_CHARSET_PRESCAN, GIVE_UP_AT = 64 << 10 };

enum state {
    START,
    BOM_2,
    BOM_3,
    TEXT,
    TAG_OPEN,
    TAG_NAME,
    END_TAG_OPEN,
    END_TAG_NAME,
    DECLARATION,
    COMMENT,
    BOGUS_COMMENT,
    BEFORE_ATTRIBUTE,
    ATTRIBUTE_NAME,
    AFTER_ATTRIBUTE,
    BEFORE_VALUE,
    VALUE_QUOTED,
    VALUE_APOSTROPHE,
    VALUE_BARE,
    RAW,
    RAW_TAG_OPEN,
    RAW_END_TAG,
    REST,
};

/* What a tag's name decides at its ">". */
enum after { AFTER_NOTHING, AFTER_HEAD, AFTER_META, AFTER_RAW };

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

/* --- decisions
 * ------------------------------------------------------------------------------------ */

static void give_up(struct adit_inject *in) { in->done = true; }

static void insert_at(struct adit_inject *in, uint32_t place)
{
    in->place = place;
    in->done = in->inserted = true;
}

/* The place is known. Without a charset from HTTP the first 1024 bytes are read to their end first.
 */
static void found_at(struct adit_inject *in, uint32_t place)
{
    if (!in->document) {
        give_up(in);
    } else if (!in->watch) {
        insert_at(in, place);
    } else {
        in->place = place;
        in->found = true;
    }
}

/* Something begins at `place` that is no part of a head, or makes the parser begin one. */
static void head_ends(struct adit_inject *in, uint32_t place)
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

static void start_tag(struct adit_inject *in)
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

static void end_tag(struct adit_inject *in)
{
    struct adit_str name = adit_str_of(in->name, in->n_name);
    in->after = AFTER_NOTHING;
    in->state = BEFORE_ATTRIBUTE;
    for (size_t i = 0; i < ADIT_COUNT(end_tags); i++)
        if (adit_str_eq(end_tags[i], name)) head_ends(in, in->token);
}

/* A meta tag ends: if it is the one that tells browsers the charset, this is the place. */
static void meta_ends(struct adit_inject *in)
{
    struct adit_str read = adit_str_of(in->held, in->n_held);
    struct adit_str attributes = adit_str_sub(read, in->token + ADIT_STR("<meta").len, read.len);
    if (!in->watch || !adit_charset_of_meta(attributes)) return;
    if (adit_charset_prescan(read)) insert_at(in, in->pos);
}

static void tag_ends(struct adit_inject *in)
{
    in->state = in->after == AFTER_RAW ? RAW : TEXT;
    if (in->after == AFTER_HEAD) found_at(in, in->pos);
    if (in->after == AFTER_META) meta_ends(in);
}

/* The first 1024 bytes, or all, are held, and no tag of the head declares a charset. If something
 * else does (a comment that browsers read otherwise, a script, the body), it must go on doing so.
 */
static void settle(struct adit_inject *in)
{
    char moved[PRESCAN];
    struct adit_str read = adit_str_of(in->held, in->n_held);
    size_t len = in->place, add = in->link.len < PRESCAN - len ? in->link.len : PRESCAN - len;
    memcpy(moved, read.p, len);
    memcpy(moved + len, in->link.p, add);
    len += add;
    struct adit_str rest = adit_str_sub(read, in->place, in->place + PRESCAN - len);
    if (rest.len) memcpy(moved + len, rest.p, rest.len);
    len += rest.len;
    if (adit_charset_prescan(read) == adit_charset_prescan(adit_str_of(moved, len)))
        insert_at(in, in->place);
    else
        give_up(in);
}

/* --- states: one function a state, called with each byte
 * ---------------------------------------------- */

static void in_text(struct adit_inject *in, char c)
{
    if (c == '<') {
        in->token = in->pos - 1;
        in->state = TAG_OPEN;
    } else if (!adit_is_space(c)) {
        head_ends(in, in->pos - 1);
    }
}

static void in_start(struct adit_inject *in, char c)
{
    in->state = TEXT;
    if (c == '\xEF')
        in->state = BOM_2;
    else
        in_text(in, c);
}

static void in_bom_2(struct adit_inject *in, char c)
{
    in->state = BOM_3;
    if (c != '\xBB') give_up(in);
}

static void in_bom_3(struct adit_inject *in, char c)
{
    in->state = TEXT;
    if (c != '\xBF') give_up(in);
}

/* Adds to the name; false when it is longer than any that matters. */
static bool add_to_name(struct adit_inject *in, char c)
{
    if (in->n_name == sizeof in->name) return false;
    in->name[in->n_name++] = adit_lower(c);
    return true;
}

static bool ends_name(char c) { return adit_is_space(c) || c == '/' || c == '>'; }

static void in_tag_open(struct adit_inject *in, char c)
{
    in->n_name = 0;
    in->dashes = 0;
    if (adit_is_alpha(c)) {
        add_to_name(in, c);
        in->state = TAG_NAME;
    } else if (c == '/') {
        in->state = END_TAG_OPEN;
    } else if (c == '!') {
        in->state = DECLARATION;
    } else if (c == '?') {
        in->state = BOGUS_COMMENT;
    } else {
        head_ends(in, in->token);
    }
}

static void in_attribute(struct adit_inject *in, char c);

static void in_tag_name(struct adit_inject *in, char c)
{
    if (!ends_name(c) && add_to_name(in, c)) return;
    start_tag(in);
    if (in->state == BEFORE_ATTRIBUTE) in_attribute(in, c);
}

static void in_end_tag_open(struct adit_inject *in, char c)
{
    if (adit_is_alpha(c)) {
        add_to_name(in, c);
        in->state = END_TAG_NAME;
    } else {
        in->state = c == '>' ? TEXT : BOGUS_COMMENT;
    }
}

static void in_end_tag_name(struct adit_inject *in, char c)
{
    if (!ends_name(c) && add_to_name(in, c)) return;
    end_tag(in);
    if (in->state == BEFORE_ATTRIBUTE) in_attribute(in, c);
}

/* Behind "<!": a comment, a doctype, or something that ends at the next ">" like them. */
static void in_declaration(struct adit_inject *in, char c)
{
    struct adit_str doctype = ADIT_STR("doctype");
    if (c == '>') {
        in->state = TEXT;
        return;
    }
    add_to_name(in, c);
    struct adit_str name = adit_str_of(in->name, in->n_name);
    if (adit_str_eq(name, ADIT_STR("--"))) {
        in->state = COMMENT;
        in->n_name = 0;
    } else if (adit_str_eq(name, doctype)) {
        in->document = true;
        in->state = BOGUS_COMMENT;
    } else if (!adit_str_starts(doctype, name) && !adit_str_eq(name, ADIT_STR("-"))) {
        in->state = BOGUS_COMMENT;
    }
}

/* "<!-->" and "<!--->" are whole comments; others end with "-->" or "--!>". dashes: how many stand
 * before this byte, 2 for more, 3 for "--!". n_name: 0 while nothing else was there. */
static void in_comment(struct adit_inject *in, char c)
{
    static const uint32_t next_dash[] = {1, 2, 2, 1};
    if (c == '>' && (in->n_name == 0 || in->dashes >= 2)) {
        in->state = TEXT;
    } else if (c == '-') {
        in->dashes = next_dash[in->dashes];
    } else {
        in->dashes = c == '!' && in->dashes == 2 ? 3 : 0;
        in->n_name = 1;
    }
}

static void in_bogus_comment(struct adit_inject *in, char c)
{
    if (c == '>') in->state = TEXT;
}

static void in_attribute(struct adit_inject *in, char c)
{
    if (c == '>')
        tag_ends(in);
    else if (!adit_is_space(c) && c != '/')
        in->state = ATTRIBUTE_NAME;
}

static void in_attribute_name(struct adit_inject *in, char c)
{
    if (c == '=')
        in->state = BEFORE_VALUE;
    else if (c == '>')
        tag_ends(in);
    else if (c == '/')
        in->state = BEFORE_ATTRIBUTE;
    else
        in->state = adit_is_space(c) ? AFTER_ATTRIBUTE : ATTRIBUTE_NAME;
}

static void in_after_attribute(struct adit_inject *in, char c)
{
    if (!adit_is_space(c)) in_attribute_name(in, c);
}

static void in_before_value(struct adit_inject *in, char c)
{
    if (c == '"')
        in->state = VALUE_QUOTED;
    else if (c == '\'')
        in->state = VALUE_APOSTROPHE;
    else if (c == '>')
        tag_ends(in);
    else if (!adit_is_space(c))
        in->state = VALUE_BARE;
}

static void in_value_quoted(struct adit_inject *in, char c)
{
    if (c == '"') in->state = BEFORE_ATTRIBUTE;
}

static void in_value_apostrophe(struct adit_inject *in, char c)
{
    if (c == '\'') in->state = BEFORE_ATTRIBUTE;
}

static void in_value_bare(struct adit_inject *in, char c)
{
    if (c == '>')
        tag_ends(in);
    else if (adit_is_space(c))
        in->state = BEFORE_ATTRIBUTE;
}

static void in_raw(struct adit_inject *in, char c)
{
    if (c == '<') in->state = RAW_TAG_OPEN;
}

/* In a script, behind "<!--", the tag "<script" makes text of the next "</script>": there the
 * search ends. */
static void in_raw_tag_open(struct adit_inject *in, char c)
{
    in->n_name = 0;
    if (c == '!') in->escaped = true;
    if (in->escaped && adit_lower(c) == 's')
        in->state = REST;
    else if (c == '/')
        in->state = RAW_END_TAG;
    else if (c != '<')
        in->state = RAW;
}

static void in_raw_end_tag(struct adit_inject *in, char c)
{
    struct adit_str raw = adit_str_of(in->raw, in->n_raw);
    if (ends_name(c) && adit_str_eq(adit_str_of(in->name, in->n_name), raw)) {
        in->after = AFTER_NOTHING;
        in->state = BEFORE_ATTRIBUTE;
        in_attribute(in, c);
    } else if (!adit_is_alpha(c) || !add_to_name(in, c)) {
        in->state = RAW;
        in_raw(in, c);
    }
}

static void in_rest(struct adit_inject *in, char c) { (void)in, (void)c; }

static void (*const states[])(struct adit_inject *in, char c) = {
    [START] = in_start,
    [BOM_2] = in_bom_2,
    [BOM_3] = in_bom_3,
    [TEXT] = in_text,
    [TAG_OPEN] = in_tag_open,
    [TAG_NAME] = in_tag_name,
    [END_TAG_OPEN] = in_end_tag_open,
    [END_TAG_NAME] = in_end_tag_name,
    [DECLARATION] = in_declaration,
    [COMMENT] = in_comment,
    [BOGUS_COMMENT] = in_bogus_comment,
    [BEFORE_ATTRIBUTE] = in_attribute,
    [ATTRIBUTE_NAME] = in_attribute_name,
    [AFTER_ATTRIBUTE] = in_after_attribute,
    [BEFORE_VALUE] = in_before_value,
    [VALUE_QUOTED] = in_value_quoted,
    [VALUE_APOSTROPHE] = in_value_apostrophe,
    [VALUE_BARE] = in_value_bare,
    [RAW] = in_raw,
    [RAW_TAG_OPEN] = in_raw_tag_open,
    [RAW_END_TAG] = in_raw_end_tag,
    [REST] = in_rest,
};

/* --- the stage
 * ----------------------------------------------------------------------------------------- */

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
        give_up(in);
    else
        states[in->state](in, c);
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
            give_up(in);
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

/* --- the link
 * --------------------------------------------------------------------------------------------- */

void adit_inject_link(struct adit_buf *out, struct adit_str href)
{
    static const char *const references[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    adit_buf_lit(out, "<link rel=\"alternate\" type=\"application/json\" href=\"");
    for (size_t i = 0; i < href.len; i++) {
        unsigned char c = (unsigned char)href.p[i];
        if (c <= 0x20 || c >= 0x7F) {
            adit_buf_byte(out, '%');
            adit_buf_byte(out, "0123456789ABCDEF"[c >> 4]);
            adit_buf_byte(out, "0123456789ABCDEF"[c & 15]);
        } else if (references[c]) {
            adit_buf_lit(out, references[c]);
        } else {
            adit_buf_byte(out, (char)c);
        }
    }
    adit_buf_lit(out, "\">");
}
