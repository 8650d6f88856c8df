/* The injection's tokenizer: one byte at a time, a function a state. States are those of the HTML
 * standard (13.2.5), merged where they differ only in what they report: what counts is where tags
 * begin and end, and their names. */
#include "exchange/inject_scan_impl.h"

static void in_text(struct adit_inject *in, char c)
{
    if (c == '<') {
        in->token = in->pos - 1;
        in->state = TAG_OPEN;
    } else if (!adit_is_space(c)) {
        adit_inject_head_ends(in, in->pos - 1);
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
    if (c != '\xBB') adit_inject_give_up(in);
}

static void in_bom_3(struct adit_inject *in, char c)
{
    in->state = TEXT;
    if (c != '\xBF') adit_inject_give_up(in);
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
        adit_inject_head_ends(in, in->token);
    }
}

static void in_attribute(struct adit_inject *in, char c);

static void in_tag_name(struct adit_inject *in, char c)
{
    if (!ends_name(c) && add_to_name(in, c)) return;
    adit_inject_start_tag(in);
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
    adit_inject_end_tag(in);
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
        adit_inject_tag_ends(in);
    else if (!adit_is_space(c) && c != '/')
        in->state = ATTRIBUTE_NAME;
}

static void in_attribute_name(struct adit_inject *in, char c)
{
    if (c == '=')
        in->state = BEFORE_VALUE;
    else if (c == '>')
        adit_inject_tag_ends(in);
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
        adit_inject_tag_ends(in);
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
        adit_inject_tag_ends(in);
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

void adit_inject_scan(struct adit_inject *in, char c) { states[in->state](in, c); }
