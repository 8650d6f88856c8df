/* Properties of tags: the standard's categories of elements (13.2.4.2 "The stack of open elements")
 * and the groups that the rules of the insertion modes name.
 *
 * A row says all that is known of an element, so that a change of the standard is a change of rows.
 */
#include "html/parse_impl.h"

enum {
    S = IS_SPECIAL,
    F = IS_FORMATTING | IS_CAREFUL_END,
    V = IS_VOID,
    C = IS_CAREFUL_END,
    SCOPE = IS_SCOPE | IS_LIST_SCOPE | IS_BUTTON_SCOPE,
    ROOT = SCOPE | IS_TABLE_SCOPE,
    I = IS_IMPLIED | IS_IMPLIED_THOROUGH,
    IT = IS_IMPLIED_THOROUGH,
    B = IS_BLOCK,
    H = IS_HEAD,
    T = IS_TABLE_PART,
    X = IS_BREAKOUT,
    R = IS_RAW,
    HEADING = IS_HEADING
};

const uint16_t adit_tag_flags[ADIT_TAG_COUNT] = {
    [ADIT_TAG_A] = F,
    [ADIT_TAG_ADDRESS] = S | B,
    [ADIT_TAG_APPLET] = S | SCOPE | C,
    [ADIT_TAG_AREA] = S | V,
    [ADIT_TAG_ARTICLE] = S | B,
    [ADIT_TAG_ASIDE] = S | B,
    [ADIT_TAG_B] = F | X,
    [ADIT_TAG_BASE] = S | V | H,
    [ADIT_TAG_BASEFONT] = S | V | H,
    [ADIT_TAG_BGSOUND] = S | V | H,
    [ADIT_TAG_BIG] = F | X,
    [ADIT_TAG_BLOCKQUOTE] = S | B | X,
    [ADIT_TAG_BODY] = S | X | C,
    [ADIT_TAG_BR] = S | V | X | C,
    [ADIT_TAG_BUTTON] = S | IS_BUTTON_SCOPE,
    [ADIT_TAG_CAPTION] = S | SCOPE | IT,
    [ADIT_TAG_CENTER] = S | B | X,
    [ADIT_TAG_CODE] = F | X,
    [ADIT_TAG_COL] = S | V,
    [ADIT_TAG_COLGROUP] = S | IT,
    [ADIT_TAG_DD] = S | I | X,
    [ADIT_TAG_DETAILS] = S | B,
    [ADIT_TAG_DIALOG] = B,
    [ADIT_TAG_DIR] = S | B,
    [ADIT_TAG_DIV] = S | B | X,
    [ADIT_TAG_DL] = S | B | X,
    [ADIT_TAG_DT] = S | I | X,
    [ADIT_TAG_EM] = F | X,
    [ADIT_TAG_EMBED] = S | V | X,
    [ADIT_TAG_FIELDSET] = S | B,
    [ADIT_TAG_FIGCAPTION] = S | B,
    [ADIT_TAG_FIGURE] = S | B,
    [ADIT_TAG_FONT] = F,
    [ADIT_TAG_FOOTER] = S | B,
    [ADIT_TAG_FORM] = S | C,
    [ADIT_TAG_FRAME] = S | V,
    [ADIT_TAG_FRAMESET] = S,
    [ADIT_TAG_H1] = S | HEADING | X,
    [ADIT_TAG_H2] = S | HEADING | X,
    [ADIT_TAG_H3] = S | HEADING | X,
    [ADIT_TAG_H4] = S | HEADING | X,
    [ADIT_TAG_H5] = S | HEADING | X,
    [ADIT_TAG_H6] = S | HEADING | X,
    [ADIT_TAG_HEAD] = S | X,
    [ADIT_TAG_HEADER] = S | B,
    [ADIT_TAG_HGROUP] = S | B,
    [ADIT_TAG_HR] = S | V | X,
    [ADIT_TAG_HTML] = S | ROOT | C,
    [ADIT_TAG_I] = F | X,
    [ADIT_TAG_IFRAME] = S | R,
    [ADIT_TAG_IMG] = S | V | X,
    [ADIT_TAG_INPUT] = S | V,
    [ADIT_TAG_KEYGEN] = S | V,
    [ADIT_TAG_LI] = S | I | X,
    [ADIT_TAG_LINK] = S | V | H,
    [ADIT_TAG_LISTING] = S | X,
    [ADIT_TAG_MAIN] = S | B,
    [ADIT_TAG_MARQUEE] = S | SCOPE | C,
    [ADIT_TAG_MENU] = S | B | X,
    [ADIT_TAG_META] = S | V | H | X,
    [ADIT_TAG_NAV] = S | B,
    [ADIT_TAG_NOBR] = F | X,
    [ADIT_TAG_NOEMBED] = S | R,
    [ADIT_TAG_NOFRAMES] = S | R | H,
    [ADIT_TAG_NOSCRIPT] = S,
    [ADIT_TAG_OBJECT] = S | SCOPE | C,
    [ADIT_TAG_OL] = S | B | X | IS_LIST_SCOPE,
    [ADIT_TAG_OPTGROUP] = I,
    [ADIT_TAG_OPTION] = I | C,
    [ADIT_TAG_P] = S | B | I | X,
    [ADIT_TAG_PARAM] = S | V,
    [ADIT_TAG_PLAINTEXT] = S,
    [ADIT_TAG_PRE] = S | X,
    [ADIT_TAG_RB] = I,
    [ADIT_TAG_RP] = I,
    [ADIT_TAG_RT] = I,
    [ADIT_TAG_RTC] = I,
    [ADIT_TAG_RUBY] = X,
    [ADIT_TAG_S] = F | X,
    [ADIT_TAG_SCRIPT] = S | R | H,
    [ADIT_TAG_SEARCH] = S | B,
    [ADIT_TAG_SECTION] = S | B,
    [ADIT_TAG_SELECT] = S | SCOPE,
    [ADIT_TAG_SMALL] = F | X,
    [ADIT_TAG_SOURCE] = S | V,
    [ADIT_TAG_SPAN] = X,
    [ADIT_TAG_STRIKE] = F | X,
    [ADIT_TAG_STRONG] = F | X,
    [ADIT_TAG_STYLE] = S | R | H,
    [ADIT_TAG_SUB] = X,
    [ADIT_TAG_SUMMARY] = S | B,
    [ADIT_TAG_SUP] = X,
    [ADIT_TAG_TABLE] = S | ROOT | T | X,
    [ADIT_TAG_TBODY] = S | IT | T,
    [ADIT_TAG_TD] = S | SCOPE | IT,
    [ADIT_TAG_TEMPLATE] = S | ROOT | H | C,
    [ADIT_TAG_TEXTAREA] = S | R,
    [ADIT_TAG_TFOOT] = S | IT | T,
    [ADIT_TAG_TH] = S | SCOPE | IT,
    [ADIT_TAG_THEAD] = S | IT | T,
    [ADIT_TAG_TITLE] = S | R | H,
    [ADIT_TAG_TR] = S | IT | T,
    [ADIT_TAG_TRACK] = S | V,
    [ADIT_TAG_TT] = F | X,
    [ADIT_TAG_U] = F | X,
    [ADIT_TAG_UL] = S | B | X | IS_LIST_SCOPE,
    [ADIT_TAG_VAR] = X,
    [ADIT_TAG_WBR] = S | V,
    [ADIT_TAG_XMP] = S | R,
};

/* Elements of MathML and SVG that are special, and that end every scope but a table's. */
static bool is_foreign_border(const struct open_element *e)
{
    switch (e->tag) {
    case ADIT_TAG_MI:
    case ADIT_TAG_MO:
    case ADIT_TAG_MN:
    case ADIT_TAG_MS:
    case ADIT_TAG_MTEXT:
    case ADIT_TAG_ANNOTATION_XML: return e->ns == ADIT_NS_MATH;
    case ADIT_TAG_FOREIGNOBJECT:
    case ADIT_TAG_DESC:
    case ADIT_TAG_TITLE: return e->ns == ADIT_NS_SVG;
    default: return false;
    }
}

bool adit_open_is_special(const struct open_element *e)
{
    return e->ns == ADIT_NS_HTML ? tag_flags(e->tag) & IS_SPECIAL : is_foreign_border(e);
}

bool adit_open_ends_scope(const struct open_element *e, unsigned scope)
{
    if (e->ns == ADIT_NS_HTML) return tag_flags(e->tag) & scope;
    return scope != IS_TABLE_SCOPE && is_foreign_border(e);
}
