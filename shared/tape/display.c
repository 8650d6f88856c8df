/* Tables of tags and styles. */
#include "tape/tape.h"

const uint16_t adit_tag_kinds[LXB_TAG__LAST_ENTRY] = {
    [LXB_TAG_ADDRESS] = ADIT_TAG_BLOCK,
    [LXB_TAG_ARTICLE] = ADIT_TAG_BLOCK,
    [LXB_TAG_ASIDE] = ADIT_TAG_BLOCK,
    [LXB_TAG_BLOCKQUOTE] = ADIT_TAG_BLOCK,
    [LXB_TAG_BODY] = ADIT_TAG_BLOCK,
    [LXB_TAG_BUTTON] = ADIT_TAG_BLOCK,
    [LXB_TAG_CAPTION] = ADIT_TAG_BLOCK,
    [LXB_TAG_CENTER] = ADIT_TAG_BLOCK,
    [LXB_TAG_DD] = ADIT_TAG_BLOCK,
    [LXB_TAG_DETAILS] = ADIT_TAG_BLOCK,
    [LXB_TAG_DIALOG] = ADIT_TAG_BLOCK | ADIT_TAG_CLOSED,
    [LXB_TAG_DIR] = ADIT_TAG_BLOCK,
    [LXB_TAG_DIV] = ADIT_TAG_BLOCK,
    [LXB_TAG_DL] = ADIT_TAG_BLOCK,
    [LXB_TAG_DT] = ADIT_TAG_BLOCK,
    [LXB_TAG_FIELDSET] = ADIT_TAG_BLOCK,
    [LXB_TAG_FIGCAPTION] = ADIT_TAG_BLOCK,
    [LXB_TAG_FIGURE] = ADIT_TAG_BLOCK,
    [LXB_TAG_FOOTER] = ADIT_TAG_BLOCK,
    [LXB_TAG_FORM] = ADIT_TAG_BLOCK,
    [LXB_TAG_FRAMESET] = ADIT_TAG_BLOCK,
    [LXB_TAG_H1] = ADIT_TAG_BLOCK,
    [LXB_TAG_H2] = ADIT_TAG_BLOCK,
    [LXB_TAG_H3] = ADIT_TAG_BLOCK,
    [LXB_TAG_H4] = ADIT_TAG_BLOCK,
    [LXB_TAG_H5] = ADIT_TAG_BLOCK,
    [LXB_TAG_H6] = ADIT_TAG_BLOCK,
    [LXB_TAG_HEADER] = ADIT_TAG_BLOCK,
    [LXB_TAG_HGROUP] = ADIT_TAG_BLOCK,
    [LXB_TAG_HTML] = ADIT_TAG_BLOCK,
    [LXB_TAG_LEGEND] = ADIT_TAG_BLOCK,
    [LXB_TAG_LI] = ADIT_TAG_BLOCK,
    [LXB_TAG_MAIN] = ADIT_TAG_BLOCK,
    [LXB_TAG_MENU] = ADIT_TAG_BLOCK,
    [LXB_TAG_NAV] = ADIT_TAG_BLOCK,
    [LXB_TAG_NOSCRIPT] = ADIT_TAG_BLOCK,
    [LXB_TAG_OL] = ADIT_TAG_BLOCK,
    [LXB_TAG_OPTGROUP] = ADIT_TAG_BLOCK,
    [LXB_TAG_OPTION] = ADIT_TAG_BLOCK,
    [LXB_TAG_P] = ADIT_TAG_BLOCK,
    [LXB_TAG_SEARCH] = ADIT_TAG_BLOCK,
    [LXB_TAG_SECTION] = ADIT_TAG_BLOCK,
    [LXB_TAG_SUMMARY] = ADIT_TAG_BLOCK,
    [LXB_TAG_TABLE] = ADIT_TAG_BLOCK,
    [LXB_TAG_TBODY] = ADIT_TAG_BLOCK,
    [LXB_TAG_TD] = ADIT_TAG_BLOCK,
    [LXB_TAG_TFOOT] = ADIT_TAG_BLOCK,
    [LXB_TAG_TH] = ADIT_TAG_BLOCK,
    [LXB_TAG_THEAD] = ADIT_TAG_BLOCK,
    [LXB_TAG_TR] = ADIT_TAG_BLOCK,
    [LXB_TAG_UL] = ADIT_TAG_BLOCK,

    [LXB_TAG_LISTING] = ADIT_TAG_BLOCK | ADIT_TAG_PRE,
    [LXB_TAG_PLAINTEXT] = ADIT_TAG_BLOCK | ADIT_TAG_PRE,
    [LXB_TAG_PRE] = ADIT_TAG_BLOCK | ADIT_TAG_PRE,
    [LXB_TAG_XMP] = ADIT_TAG_BLOCK | ADIT_TAG_PRE,

    [LXB_TAG_HR] = ADIT_TAG_OBJECT | ADIT_TAG_BLOCK,
    [LXB_TAG_AUDIO] = ADIT_TAG_OBJECT,
    [LXB_TAG_EMBED] = ADIT_TAG_OBJECT,
    [LXB_TAG_IFRAME] = ADIT_TAG_OBJECT,
    [LXB_TAG_IMG] = ADIT_TAG_OBJECT,
    [LXB_TAG_INPUT] = ADIT_TAG_OBJECT,
    [LXB_TAG_OBJECT] = ADIT_TAG_OBJECT,
    [LXB_TAG_PICTURE] = ADIT_TAG_OBJECT,
    [LXB_TAG_SVG] = ADIT_TAG_OBJECT,
    [LXB_TAG_VIDEO] = ADIT_TAG_OBJECT,

    [LXB_TAG_CANVAS] = ADIT_TAG_SKIP,
    [LXB_TAG_DATALIST] = ADIT_TAG_SKIP,
    [LXB_TAG_HEAD] = ADIT_TAG_SKIP,
    [LXB_TAG_MAP] = ADIT_TAG_SKIP,
    [LXB_TAG_NOEMBED] = ADIT_TAG_SKIP,
    [LXB_TAG_NOFRAMES] = ADIT_TAG_SKIP,
    [LXB_TAG_SCRIPT] = ADIT_TAG_SKIP,
    [LXB_TAG_SELECT] = ADIT_TAG_SKIP,
    [LXB_TAG_STYLE] = ADIT_TAG_SKIP,
    [LXB_TAG_TEMPLATE] = ADIT_TAG_SKIP,
    [LXB_TAG_TEXTAREA] = ADIT_TAG_SKIP,
    [LXB_TAG_TITLE] = ADIT_TAG_SKIP,

    [LXB_TAG_BASE] = ADIT_TAG_VOID,
    [LXB_TAG_LINK] = ADIT_TAG_VOID,
    [LXB_TAG_META] = ADIT_TAG_VOID,
    [LXB_TAG_SOURCE] = ADIT_TAG_VOID,
    [LXB_TAG_TRACK] = ADIT_TAG_VOID,
    [LXB_TAG_WBR] = ADIT_TAG_VOID,

    [LXB_TAG_CODE] = ADIT_TAG_CODE,
    [LXB_TAG_KBD] = ADIT_TAG_CODE,
    [LXB_TAG_SAMP] = ADIT_TAG_CODE,
    [LXB_TAG_TT] = ADIT_TAG_CODE,
    [LXB_TAG_VAR] = ADIT_TAG_CODE,

    [LXB_TAG_RT] = ADIT_TAG_SCRIPT,
    [LXB_TAG_SUB] = ADIT_TAG_SCRIPT,
    [LXB_TAG_SUP] = ADIT_TAG_SCRIPT,

    [LXB_TAG_A] = ADIT_TAG_LINK,
    [LXB_TAG_B] = ADIT_TAG_EMPH,
    [LXB_TAG_EM] = ADIT_TAG_EMPH,
    [LXB_TAG_I] = ADIT_TAG_EMPH,
    [LXB_TAG_STRONG] = ADIT_TAG_EMPH,
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
