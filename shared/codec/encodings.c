/* The encodings of the web, their names and labels (Encoding standard, 4.2).
 *
 * lexbor has such a table too, but its rows refer to the encoders: that would put half a megabyte
 * of tables that nobody needs into the WASM modules. */
#include "codec/encodings_impl.h"

#include <lexbor/encoding/decode.h>
#include <lexbor/encoding/multi.h>
#include <string.h>

/* lexbor (2.7) takes only 81…9F, E0 and FC for lead bytes; the standard 81…9F and E0…FC. */
static lxb_codepoint_t shift_jis(lxb_encoding_decode_t *ctx, const lxb_char_t **data,
                                 const lxb_char_t *end)
{
    unsigned lead = *(*data)++;
    (void)ctx;
    if (lead <= 0x80) return lead;
    if (lead >= 0xA1 && lead <= 0xDF) return 0xFF61 - 0xA1 + lead;
    if (lead == 0xA0 || lead > 0xFC) return LXB_ENCODING_DECODE_ERROR;
    if (*data == end) return LXB_ENCODING_DECODE_CONTINUE;
    unsigned byte = **data;
    unsigned cp = LXB_ENCODING_DECODE_ERROR;
    if (byte >= 0x40 && byte <= 0xFC && byte != 0x7F) {
        unsigned pointer =
            (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + byte - (byte < 0x7F ? 0x40 : 0x41);
        if (pointer >= 8836 && pointer <= 10715)
            cp = 0xE000 - 8836 + pointer;
        else if (pointer < ADIT_COUNT(lxb_encoding_multi_jis0208_map))
            cp = lxb_encoding_multi_jis0208_map[pointer];
    }
    if (cp != LXB_ENCODING_DECODE_ERROR || byte >= 0x80) ++*data;
    return cp;
}

/* lexbor (2.7) has no character for the last pointer of the two-byte planes, 39419. */
static lxb_codepoint_t gb18030(lxb_encoding_decode_t *ctx, const lxb_char_t **data,
                               const lxb_char_t *end)
{
    static const lxb_char_t last[] = {0x84, 0x31, 0xA4, 0x39};
    if (**data != last[0] || ctx->u.lead || end - *data < 4 || memcmp(*data, last, 4) != 0)
        return lxb_encoding_decode_gb18030_single(ctx, data, end);
    *data += 4;
    return 0xFFFF;
}

#define DECODE(encoding) lxb_encoding_decode_##encoding##_single

static const struct adit_encoding encodings[] = {
    {"UTF-8", ADIT_ENCODING_UTF8, NULL,
     "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"},
    {"IBM866", ADIT_ENCODING_SINGLE, DECODE(ibm866), "866 cp866 csibm866 ibm866"},
    {"ISO-8859-2", ADIT_ENCODING_SINGLE, DECODE(iso_8859_2),
     "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 "
     "iso_8859-2:1987 l2 latin2"},
    {"ISO-8859-3", ADIT_ENCODING_SINGLE, DECODE(iso_8859_3),
     "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 "
     "iso_8859-3:1988 l3 latin3"},
    {"ISO-8859-4", ADIT_ENCODING_SINGLE, DECODE(iso_8859_4),
     "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 "
     "iso_8859-4:1988 l4 latin4"},
    {"ISO-8859-5", ADIT_ENCODING_SINGLE, DECODE(iso_8859_5),
     "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 "
     "iso_8859-5 iso_8859-5:1988"},
    {"ISO-8859-6", ADIT_ENCODING_SINGLE, DECODE(iso_8859_6),
     "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
     "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 "
     "iso_8859-6:1987"},
    {"ISO-8859-7", ADIT_ENCODING_SINGLE, DECODE(iso_8859_7),
     "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 "
     "iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek"},
    {"ISO-8859-8", ADIT_ENCODING_SINGLE, DECODE(iso_8859_8),
     "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 "
     "iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual"},
    {"ISO-8859-8-I", ADIT_ENCODING_SINGLE, DECODE(iso_8859_8_i),
     "csiso88598i iso-8859-8-i logical"},
    {"ISO-8859-10", ADIT_ENCODING_SINGLE, DECODE(iso_8859_10),
     "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    {"ISO-8859-13", ADIT_ENCODING_SINGLE, DECODE(iso_8859_13), "iso-8859-13 iso8859-13 iso885913"},
    {"ISO-8859-14", ADIT_ENCODING_SINGLE, DECODE(iso_8859_14), "iso-8859-14 iso8859-14 iso885914"},
    {"ISO-8859-15", ADIT_ENCODING_SINGLE, DECODE(iso_8859_15),
     "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"},
    {"ISO-8859-16", ADIT_ENCODING_SINGLE, DECODE(iso_8859_16), "iso-8859-16"},
    {"KOI8-R", ADIT_ENCODING_SINGLE, DECODE(koi8_r), "cskoi8r koi koi8 koi8-r koi8_r"},
    {"KOI8-U", ADIT_ENCODING_SINGLE, DECODE(koi8_u), "koi8-ru koi8-u"},
    {"macintosh", ADIT_ENCODING_SINGLE, DECODE(macintosh), "csmacintosh mac macintosh x-mac-roman"},
    {"windows-874", ADIT_ENCODING_SINGLE, DECODE(windows_874),
     "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"},
    {"windows-1250", ADIT_ENCODING_SINGLE, DECODE(windows_1250), "cp1250 windows-1250 x-cp1250"},
    {"windows-1251", ADIT_ENCODING_SINGLE, DECODE(windows_1251), "cp1251 windows-1251 x-cp1251"},
    {"windows-1252", ADIT_ENCODING_SINGLE, DECODE(windows_1252),
     "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 "
     "iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 "
     "x-cp1252"},
    {"windows-1253", ADIT_ENCODING_SINGLE, DECODE(windows_1253), "cp1253 windows-1253 x-cp1253"},
    {"windows-1254", ADIT_ENCODING_SINGLE, DECODE(windows_1254),
     "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
     "iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254"},
    {"windows-1255", ADIT_ENCODING_SINGLE, DECODE(windows_1255), "cp1255 windows-1255 x-cp1255"},
    {"windows-1256", ADIT_ENCODING_SINGLE, DECODE(windows_1256), "cp1256 windows-1256 x-cp1256"},
    {"windows-1257", ADIT_ENCODING_SINGLE, DECODE(windows_1257), "cp1257 windows-1257 x-cp1257"},
    {"windows-1258", ADIT_ENCODING_SINGLE, DECODE(windows_1258), "cp1258 windows-1258 x-cp1258"},
    {"x-mac-cyrillic", ADIT_ENCODING_SINGLE, DECODE(x_mac_cyrillic),
     "x-mac-cyrillic x-mac-ukrainian"},
    {"GBK", ADIT_ENCODING_MULTI, gb18030,
     "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"},
    {"gb18030", ADIT_ENCODING_MULTI, gb18030, "gb18030"},
    {"Big5", ADIT_ENCODING_MULTI, DECODE(big5), "big5 big5-hkscs cn-big5 csbig5 x-x-big5"},
    {"EUC-JP", ADIT_ENCODING_MULTI, DECODE(euc_jp), "cseucpkdfmtjapanese euc-jp x-euc-jp"},
    {"ISO-2022-JP", ADIT_ENCODING_STATE, DECODE(iso_2022_jp), "csiso2022jp iso-2022-jp"},
    {"Shift_JIS", ADIT_ENCODING_MULTI, shift_jis,
     "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"},
    {"EUC-KR", ADIT_ENCODING_MULTI, DECODE(euc_kr),
     "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 "
     "ksc5601 ksc_5601 windows-949"},
    {"replacement", ADIT_ENCODING_NONE, NULL,
     "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement"},
    {"UTF-16BE", ADIT_ENCODING_UTF16, DECODE(utf_16be), "unicodefffe utf-16be"},
    {"UTF-16LE", ADIT_ENCODING_UTF16, DECODE(utf_16le),
     "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"},
    {"x-user-defined", ADIT_ENCODING_SINGLE, DECODE(x_user_defined), "x-user-defined"},
};

const struct adit_encoding *adit_encoding_find(struct adit_str label)
{
    label = adit_str_trim(label);
    if (label.len == 0) return NULL;
    for (size_t i = 0; i < ADIT_COUNT(encodings); i++) {
        struct adit_str rest = adit_str_z(encodings[i].labels), one;
        while (adit_str_split(&rest, ' ', &one))
            if (adit_str_ieq(one, label)) return &encodings[i];
    }
    return NULL;
}
