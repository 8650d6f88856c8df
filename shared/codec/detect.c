/* Which encoding a page is in that declares none and is not valid UTF-8: the one in which its text
 * is likeliest, in the likeliest language. Costs are bits (minus the logarithm of a likelihood), so
 * that those of all encodings compare; all are integers. */
#include "codec/detect_impl.h"
#include "text/text.h"

enum {
    PRIOR = 32,    /* of a language, in bits, of which hints take off */
    BY_TLD = 12,   /* for a language of the URL's country */
    BY_LANG = 12,  /* for the language that the page declares */
    UTF8_SHARE = 2 /* UTF-8 has more than so many whole characters for a broken one */
};

/* --- hints ------------------------------------------------------------------------------------ */

/* Languages by our names, with the other codes that stand for them and the domains of their
 * countries. zh is written in simplified characters, tw in traditional ones. */
static const struct {
    const char *language, *codes, *tlds;
} homes[] = {
    {"fr", "fr oc br", "fr be ch ca lu"},
    {"de", "de lb", "de at ch li lu"},
    {"es", "es ca gl eu", "es ad cat mx ar cl co pe ve ec uy cu"},
    {"pt", "pt", "pt br ao mz"},
    {"it", "it", "it ch sm"},
    {"nl", "nl af", "nl be"},
    {"sv", "sv", "se ax"},
    {"da", "da no nb nn", "dk no gl fo"},
    {"fi", "fi", "fi"},
    {"is", "is fo", "is fo"},
    {"pl", "pl", "pl"},
    {"cs", "cs", "cz"},
    {"sk", "sk", "sk"},
    {"hu", "hu", "hu"},
    {"ro", "ro mo", "ro md"},
    {"hr", "hr sl bs sh sr", "hr si ba me rs"},
    {"tr", "tr az", "tr"},
    {"lt", "lt", "lt"},
    {"lv", "lv", "lv"},
    {"et", "et", "ee"},
    {"vi", "vi", "vn"},
    {"eo", "eo mt", "mt"},
    {"ru", "ru", "ru su by kz kg ua"},
    {"uk", "uk be", "ua by"},
    {"bg", "bg", "bg"},
    {"sr", "sr mk", "rs me ba mk"},
    {"el", "el", "gr cy"},
    {"he", "he iw yi", "il"},
    {"ar", "ar", "ae bh dz eg iq jo kw lb ly ma om ps qa sa sd sy tn ye"},
    {"fa", "fa ur", "ir af pk"},
    {"th", "th", "th"},
    {"zh", "zh", "cn sg"},
    {"tw", "", "tw hk mo"},
    {"ja", "ja", "jp"},
    {"ko", "ko", "kr kp"},
};

static bool has_word(const char *words, struct adit_str word)
{
    struct adit_str rest = adit_str_z(words), one;
    while (word.len && adit_str_split(&rest, ' ', &one))
        if (adit_str_ieq(one, word)) return true;
    return false;
}

uint32_t adit_language_prior(const struct adit_language_hints *hints, const char *language)
{
    size_t i = 0;
    while (i + 1 < ADIT_COUNT(homes) && homes[i].language != language &&
           !adit_str_eq(adit_str_z(homes[i].language), adit_str_z(language)))
        i++;
    uint32_t bits = PRIOR;
    if (has_word(homes[i].tlds, hints->tld)) bits -= BY_TLD;
    if (has_word(homes[i].codes, hints->lang)) bits -= BY_LANG;
    return bits;
}

static struct adit_language_hints make_hints(struct adit_str url, struct adit_str lang)
{
    struct adit_language_hints hints = {0};
    struct adit_str host = adit_url_authority(url);
    host = adit_str_sub(host, 0, adit_str_chr(host, ':', 0));
    while (adit_str_split(&host, '.', &hints.tld)) continue;
    size_t end = 0;
    while (end < lang.len && adit_is_alpha(lang.p[end])) end++;
    hints.lang = adit_str_sub(lang, 0, end);
    return hints;
}

/* --- UTF-8 with broken characters, and ISO-2022-JP -------------------------------------------- */

bool adit_is_nearly_utf8(struct adit_str body)
{
    size_t whole = 0, broken = 0;
    body = adit_str_sub(body, 0, ADIT_DETECT_BYTES);
    for (size_t i = adit_ascii_len(body, 0); i < body.len; i = adit_ascii_len(body, i)) {
        int n = adit_utf8_sequence(body.p + i, body.len - i);
        if (n > 0) {
            whole++;
            i += (size_t)n;
        } else {
            /* A character that the end cuts off is not broken. */
            i += (size_t)-n;
            broken += i < body.len;
        }
    }
    return whole > UTF8_SHARE * broken;
}

bool adit_is_iso_2022_jp(struct adit_str body)
{
    const struct adit_encoding *e = adit_encoding_find(ADIT_STR("iso-2022-jp"));
    body = adit_str_sub(body, 0, ADIT_DETECT_BYTES);
    size_t first = adit_str_find(body, ADIT_STR("\x1B$"), 0), characters = 0;
    if (first == body.len) return false;
    lxb_encoding_decode_t ctx = {0};
    const lxb_char_t *p = (const lxb_char_t *)body.p + first, *end = p + (body.len - first);
    while (p < end) {
        lxb_codepoint_t cp = e->decode(&ctx, &p, end);
        if (cp == LXB_ENCODING_DECODE_ERROR) return false;
        characters += cp >= 0x80 && cp != LXB_ENCODING_DECODE_CONTINUE;
    }
    return characters > 0;
}

/* --- the decision ----------------------------------------------------------------------------- */

const struct adit_encoding *adit_detect(struct adit_str body, struct adit_str url, bool *seen)
{
    struct adit_sample s;
    adit_sample_take(body, &s);
    struct adit_language_hints hints = make_hints(url, s.lang);
    struct adit_guess best = {NULL, UINT32_MAX};
    adit_guess_letters(&s, &hints, &best);
    adit_guess_wide(&s, &hints, &best);
    *seen = s.high > 0;
    return best.encoding;
}
