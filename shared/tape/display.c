/* Tables of tags and styles. */
#include "tape/tape.h"

const uint16_t adit_tag_kinds[ADIT_TAG_COUNT] = {
    [ADIT_TAG_ADDRESS] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_ARTICLE] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_ASIDE] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_BLOCKQUOTE] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_BODY] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_BUTTON] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_CAPTION] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_CENTER] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_DD] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_DETAILS] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_DIALOG] = ADIT_TAGKIND_BLOCK | ADIT_TAGKIND_CLOSED,
    [ADIT_TAG_DIR] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_DIV] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_DL] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_DT] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_FIELDSET] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_FIGCAPTION] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_FIGURE] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_FOOTER] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_FORM] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_FRAMESET] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_H1] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_H2] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_H3] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_H4] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_H5] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_H6] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_HEADER] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_HGROUP] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_HTML] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_LEGEND] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_LI] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_MAIN] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_MENU] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_NAV] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_NOSCRIPT] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_OL] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_OPTGROUP] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_OPTION] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_P] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_SEARCH] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_SECTION] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_SUMMARY] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_TABLE] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_TBODY] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_TD] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_TFOOT] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_TH] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_THEAD] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_TR] = ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_UL] = ADIT_TAGKIND_BLOCK,

    [ADIT_TAG_LISTING] = ADIT_TAGKIND_BLOCK | ADIT_TAGKIND_PRE,
    [ADIT_TAG_PLAINTEXT] = ADIT_TAGKIND_BLOCK | ADIT_TAGKIND_PRE,
    [ADIT_TAG_PRE] = ADIT_TAGKIND_BLOCK | ADIT_TAGKIND_PRE,
    [ADIT_TAG_XMP] = ADIT_TAGKIND_BLOCK | ADIT_TAGKIND_PRE,

    [ADIT_TAG_HR] = ADIT_TAGKIND_OBJECT | ADIT_TAGKIND_BLOCK,
    [ADIT_TAG_AUDIO] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_EMBED] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_IFRAME] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_IMG] = ADIT_TAGKIND_OBJECT | ADIT_TAGKIND_MADE,
    [ADIT_TAG_INPUT] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_OBJECT] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_PICTURE] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_SVG] = ADIT_TAGKIND_OBJECT,
    [ADIT_TAG_VIDEO] = ADIT_TAGKIND_OBJECT,

    [ADIT_TAG_CANVAS] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_DATALIST] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_HEAD] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_MAP] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_NOEMBED] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_NOFRAMES] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_SCRIPT] = ADIT_TAGKIND_SKIP | ADIT_TAGKIND_MADE,
    [ADIT_TAG_SELECT] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_STYLE] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_TEMPLATE] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_TEXTAREA] = ADIT_TAGKIND_SKIP,
    [ADIT_TAG_TITLE] = ADIT_TAGKIND_SKIP,

    [ADIT_TAG_BASE] = ADIT_TAGKIND_VOID,
    [ADIT_TAG_LINK] = ADIT_TAGKIND_VOID,
    [ADIT_TAG_META] = ADIT_TAGKIND_VOID,
    [ADIT_TAG_SOURCE] = ADIT_TAGKIND_VOID,
    [ADIT_TAG_TRACK] = ADIT_TAGKIND_VOID,
    [ADIT_TAG_WBR] = ADIT_TAGKIND_VOID,

    [ADIT_TAG_CODE] = ADIT_TAGKIND_CODE,
    [ADIT_TAG_KBD] = ADIT_TAGKIND_CODE,
    [ADIT_TAG_SAMP] = ADIT_TAGKIND_CODE,
    [ADIT_TAG_TT] = ADIT_TAGKIND_CODE,
    [ADIT_TAG_VAR] = ADIT_TAGKIND_CODE,

    [ADIT_TAG_DEL] = ADIT_TAGKIND_STRUCK,
    [ADIT_TAG_S] = ADIT_TAGKIND_STRUCK,
    [ADIT_TAG_STRIKE] = ADIT_TAGKIND_STRUCK,

    [ADIT_TAG_RT] = ADIT_TAGKIND_SCRIPT,
    [ADIT_TAG_SUB] = ADIT_TAGKIND_SCRIPT,
    [ADIT_TAG_SUP] = ADIT_TAGKIND_SCRIPT,

    [ADIT_TAG_MATH] = ADIT_TAGKIND_MADE,
    [ADIT_TAG_Q] = ADIT_TAGKIND_ODD,
    [ADIT_TAG_TIME] = ADIT_TAGKIND_ODD,

    [ADIT_TAG_A] = ADIT_TAGKIND_LINK,
    [ADIT_TAG_B] = ADIT_TAGKIND_EMPH,
    [ADIT_TAG_EM] = ADIT_TAGKIND_EMPH,
    [ADIT_TAG_I] = ADIT_TAGKIND_EMPH,
    [ADIT_TAG_STRONG] = ADIT_TAGKIND_EMPH,
};

static const struct {
    struct adit_str property, value; /* the value's beginning */
    uint8_t bit;
} styles[] = {
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("none"), ADIT_HIDDEN_STYLE},
    {ADIT_STR_INIT("visibility"), ADIT_STR_INIT("hidden"), ADIT_HIDDEN_STYLE},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("block"), ADIT_STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("flex"), ADIT_STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("grid"), ADIT_STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("table"), ADIT_STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("list-item"), ADIT_STYLE_BLOCK},
    {ADIT_STR_INIT("display"), ADIT_STR_INIT("inline"), ADIT_STYLE_INLINE},
};

uint8_t adit_style_bits(struct adit_str style)
{
    struct adit_str rest = style, part;
    uint8_t bits = 0;
    /* Most styles are colours and widths; both properties have a "y". */
    if (adit_str_ifind(style, ADIT_STR("y"), 0) == style.len) return 0;
    while (adit_str_split(&rest, ';', &part)) {
        size_t colon = adit_str_chr(part, ':', 0);
        struct adit_str name = adit_str_trim(adit_str_sub(part, 0, colon));
        if (name.len != 7 && name.len != 10) continue;
        struct adit_str value = adit_str_trim(adit_str_sub(part, colon + 1, part.len));
        for (size_t i = 0; i < ADIT_COUNT(styles); i++)
            if (adit_str_ieq(name, styles[i].property) && adit_str_istarts(value, styles[i].value))
                bits |= styles[i].bit;
        if (adit_str_istarts(value, ADIT_STR("inline-"))) bits &= (uint8_t)~ADIT_STYLE_INLINE;
    }
    return bits;
}

/* Parts of classes of what code shows only where the mouse is: types, values, documentation. "tooltip"
 * alone is often what stands around both. */
static const struct adit_str hovers[] = {
    ADIT_STR_INIT("hover-info"),      ADIT_STR_INIT("tooltiptext"),
    ADIT_STR_INIT("tooltip-text"),    ADIT_STR_INIT("tooltip-content"),
    ADIT_STR_INIT("popover-content"), ADIT_STR_INIT("twoslash-popup"),
};

uint8_t adit_hidden_in_code(struct adit_str class)
{
    for (size_t i = 0; class.len && i < ADIT_COUNT(hovers); i++)
        if (adit_str_ifind(class, hovers[i], 0) < class.len) return ADIT_HIDDEN_STYLE;
    return 0;
}
