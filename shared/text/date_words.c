/* Names of months in the languages of Europe and many beyond, as stems: a word that begins so, with
 * any ending, is that month. Stems are case-folded; of several that fit, the longest counts. */
#include "text/text.h"

#define S ADIT_STR_INIT
enum { STEMS_MAX = 34 };
static const struct adit_str month_stems[12][STEMS_MAX] = {
    {S("jan"),     S("jän"),   S("jaan"),   S("ian"),   S("ene"),   S("gen"),    S("gener"),
     S("sty"),     S("led"),   S("sij"),    S("sau"),   S("tammi"), S("oca"),    S("янв"),
     S("яну"),     S("січ"),   S("ιαν"),    S("يناير"), S("ม.ค"),   S("มกราคม"), S("जनवरी"),
     S("জানুয়ারি"), S("ינואר"), S("јануар"), S("ژانویه")},
    {S("feb"),    S("fev"),    S("fév"),     S("féb"),     S("febr"),  S("veebr"), S("lut"),
     S("úno"),    S("velj"),   S("vas"),     S("helmi"),   S("şub"),   S("фев"),   S("лют"),
     S("φεβ"),    S("فبراير"), S("ก.พ"),     S("กุมภาพันธ์"), S("फ़रवरी"), S("फरवरी"), S("ফেব্রুয়ারি"),
     S("פברואר"), S("شباط"),   S("фебруар"), S("فوریه")},
    {S("mar"),   S("mär"),    S("mrz"),  S("maa"),   S("maart"), S("marec"), S("bře"),  S("ožu"),
     S("kov"),   S("maalis"), S("мар"),  S("берез"), S("μαρ"),   S("μάρ"),   S("مارس"), S("มี.ค"),
     S("มีนาคม"), S("मार्च"),   S("মার্চ"), S("מרץ"),   S("מרס"),   S("آذار"),  S("مارچ")},
    {S("apr"),   S("avr"),   S("abr"),    S("ápr"),  S("kwi"),   S("dub"),   S("tra"),
     S("balan"), S("huhti"), S("nis"),    S("апр"),  S("квіт"),  S("απρ"),   S("abril"),
     S("أبريل"), S("เม.ย"),  S("เมษายน"), S("अप्रैल"), S("এপ্রিল"), S("אפריל"), S("نيسان"),
     S("април"), S("آوریل"), S("إبريل"),  S("ابريل")},
    {S("may"),     S("mai"),  S("maj"), S("mei"), S("mag"),   S("maí"),   S("máj"),
     S("maig"),    S("kvě"),  S("svi"), S("geg"), S("touko"), S("mayıs"), S("май"),
     S("мая"),     S("трав"), S("μαΐ"), S("μάι"), S("μαι"),   S("مايو"),  S("พ.ค"),
     S("พฤษภาคม"), S("मई"),   S("মে"),  S("מאי"), S("أيار"),  S("мај"),   S("ماي")},
    {S("jun"),    S("jui"),   S("jún"),    S("jūn"),    S("juin"), S("giu"),  S("juu"),
     S("juun"),   S("iun"),   S("lipanj"), S("lipnja"), S("cze"),  S("čer"),  S("czerw"),
     S("birž"),   S("kesä"),  S("haz"),    S("июн"),    S("юни"),  S("черв"), S("ιουν"),
     S("ιούν"),   S("يونيو"), S("มิ.ย"),    S("มิถุนายน"), S("जून"),   S("জুন"),   S("יוני"),
     S("حزيران"), S("јун"),   S("ژوئن"),   S("يونيه")},
    {S("jul"),   S("júl"),     S("jūl"),      S("juil"),     S("lug"),    S("juul"),   S("iul"),
     S("lip"),   S("lie"),     S("červenec"), S("července"), S("heinä"),  S("tem"),    S("июл"),
     S("юли"),   S("лип"),     S("ιουλ"),     S("ιούλ"),     S("srpanj"), S("srpnja"), S("يوليو"),
     S("ก.ค"),   S("กรกฎาคม"), S("जुलाई"),     S("জুলাই"),     S("יולי"),   S("تموز"),   S("јул"),
     S("ژوئیه"), S("يوليه"),   S("julai")},
    {S("aug"),    S("aoû"), S("aou"),   S("ago"),  S("avg"),    S("agu"),  S("sie"),
     S("srp"),    S("kol"), S("rugp"),  S("elo"),  S("ağu"),    S("авг"),  S("серп"),
     S("αυγ"),    S("αύγ"), S("أغسطس"), S("ส.ค"),  S("สิงหาคม"), S("अगस्त"), S("আগস্ট"),
     S("אוגוסט"), S("آب"),  S("اوت"),   S("ogos"), S("اغسطس")},
    {S("sep"),      S("set"),    S("sept"),  S("wrz"),       S("zář"),    S("ruj"),
     S("rugs"),     S("syys"),   S("eyl"),   S("сен"),       S("септ"),   S("верес"),
     S("σεπ"),      S("سبتمبر"), S("ก.ย"),   S("กันยายน"),    S("सितंबर"),  S("सितम्बर"),
     S("সেপ্টেম্বর"), S("ספטמבר"), S("أيلول"), S("септембар"), S("سپتامبر")},
    {S("oct"),     S("okt"),     S("ott"),   S("out"),   S("paź"),   S("říj"),
     S("spa"),     S("loka"),    S("eki"),   S("окт"),   S("жовт"),  S("οκτ"),
     S("أكتوبر"),  S("ต.ค"),     S("ตุลาคม"), S("अक्टूबर"), S("अक्तूबर"), S("অক্টোবর"),
     S("אוקטובר"), S("октобар"), S("تشرين"), S("اکتبر"), S("اكتوبر")},
    {S("nov"),  S("lis"),   S("lap"),    S("stu"),    S("marras"),   S("kas"),   S("ноя"),
     S("ноем"), S("лист"),  S("νοε"),    S("νοέ"),    S("نوفمبر"),   S("พ.ย"),   S("พฤศจิกายน"),
     S("नवंबर"), S("नवम्बर"), S("নভেম্বর"), S("נובמבר"), S("новембар"), S("نوامبر")},
    {S("dec"),   S("dez"),      S("dic"),   S("dég"),    S("des"),     S("déc"),    S("detsember"),
     S("gru"),   S("pro"),      S("groud"), S("joulu"),  S("ara"),     S("дек"),    S("груд"),
     S("δεκ"),   S("ديسمبر"),   S("ธ.ค"),   S("ธันวาคม"), S("दिसंबर"),   S("दिसम्बर"), S("ডিসেম্বর"),
     S("דצמבר"), S("децембар"), S("كانون"), S("دسامبر"), S("disember")},
};
#undef S

/* The months that have a stem with this first letter, January in bit 0: a text's words are mostly
 * none. Stems of other scripts are all tried. */
static const uint16_t months_of_letter['z' - 'a' + 1] = {
    ['a' - 'a'] = 0x888, ['b' - 'a'] = 0x02C, ['c' - 'a'] = 0x020, ['d' - 'a'] = 0x808,
    ['e' - 'a'] = 0x381, ['f' - 'a'] = 0x002, ['g' - 'a'] = 0x831, ['h' - 'a'] = 0x06A,
    ['i' - 'a'] = 0x061, ['j' - 'a'] = 0x861, ['k' - 'a'] = 0x4BC, ['l' - 'a'] = 0x663,
    ['m' - 'a'] = 0x414, ['n' - 'a'] = 0x408, ['o' - 'a'] = 0x285, ['p' - 'a'] = 0xA00,
    ['r' - 'a'] = 0x180, ['s' - 'a'] = 0x7D1, ['t' - 'a'] = 0x059, ['v' - 'a'] = 0x002,
    ['w' - 'a'] = 0x100, ['z' - 'a'] = 0x100,
};

/* The letters that follow this first letter in a stem, a in bit 0; bit 26: one beyond ASCII. */
static const uint32_t seconds_of_letter['z' - 'a' + 1] = {
    ['a' - 'a'] = 0x432C042, ['b' - 'a'] = 0x4000101, ['c' - 'a'] = 0x2000000,
    ['d' - 'a'] = 0x4100110, ['e' - 'a'] = 0x1002C00, ['f' - 'a'] = 0x4000010,
    ['g' - 'a'] = 0x0020110, ['h' - 'a'] = 0x0100011, ['i' - 'a'] = 0x0100001,
    ['j' - 'a'] = 0x4104001, ['k' - 'a'] = 0x0604011, ['l' - 'a'] = 0x0104111,
    ['m' - 'a'] = 0x4020011, ['n' - 'a'] = 0x0004100, ['o' - 'a'] = 0x4180444,
    ['p' - 'a'] = 0x0020001, ['r' - 'a'] = 0x0100000, ['s' - 'a'] = 0x12A8111,
    ['t' - 'a'] = 0x0024011, ['v' - 'a'] = 0x0000011, ['w' - 'a'] = 0x0020000,
    ['z' - 'a'] = 0x4000000,
};

/* Whether a word begins with two letters that a stem begins with. */
static bool may_be_month(struct adit_str folded)
{
    if (folded.len < 2) return false;
    unsigned first = (unsigned char)folded.p[0] - 'a', second = (unsigned char)folded.p[1] - 'a';
    if (first >= ADIT_COUNT(seconds_of_letter)) return true;
    return seconds_of_letter[first] >> (second < 26 ? second : 26) & 1;
}

/* Endings are short: a long word only looks like a month. */
enum { ENDING_MAX = 16 };

unsigned adit_month_of_word(struct adit_str folded)
{
    unsigned month = 0;
    size_t longest = 0;
    if (folded.len == 0) return 0;
    struct adit_str in = ADIT_STR("ב"); /* Hebrew writes "in May" in one word */
    if (folded.len > in.len && adit_str_starts(folded, in))
        folded = adit_str_sub(folded, in.len, folded.len);
    if (!may_be_month(folded)) return 0;
    unsigned letter = (unsigned char)folded.p[0] - 'a',
             months = letter < ADIT_COUNT(months_of_letter) ? months_of_letter[letter] : 0xFFF;
    for (unsigned m = 0; m < 12; m++)
        for (const struct adit_str *stem = month_stems[m];
             months >> m & 1 && stem < month_stems[m] + STEMS_MAX && stem->len; stem++) {
            if (stem->p[0] != folded.p[0] || stem->len <= longest) continue;
            if (!adit_str_starts(folded, *stem) || folded.len - stem->len > ENDING_MAX) continue;
            longest = stem->len;
            month = m + 1;
        }
    return month;
}

bool adit_zone_of_word(struct adit_str folded, int *minutes)
{
    static const struct {
        struct adit_str name;
        int minutes;
    } zones[] = {
        {ADIT_STR_INIT("z"), 0},      {ADIT_STR_INIT("utc"), 0},    {ADIT_STR_INIT("gmt"), 0},
        {ADIT_STR_INIT("wet"), 0},    {ADIT_STR_INIT("est"), -300}, {ADIT_STR_INIT("edt"), -240},
        {ADIT_STR_INIT("et"), -300},  {ADIT_STR_INIT("cst"), -360}, {ADIT_STR_INIT("cdt"), -300},
        {ADIT_STR_INIT("mst"), -420}, {ADIT_STR_INIT("mdt"), -360}, {ADIT_STR_INIT("pst"), -480},
        {ADIT_STR_INIT("pdt"), -420}, {ADIT_STR_INIT("pt"), -480},  {ADIT_STR_INIT("akst"), -540},
        {ADIT_STR_INIT("hst"), -600}, {ADIT_STR_INIT("bst"), 60},   {ADIT_STR_INIT("cet"), 60},
        {ADIT_STR_INIT("cest"), 120}, {ADIT_STR_INIT("mez"), 60},   {ADIT_STR_INIT("mesz"), 120},
        {ADIT_STR_INIT("eet"), 120},  {ADIT_STR_INIT("eest"), 180}, {ADIT_STR_INIT("msk"), 180},
        {ADIT_STR_INIT("ist"), 330},  {ADIT_STR_INIT("hkt"), 480},  {ADIT_STR_INIT("sgt"), 480},
        {ADIT_STR_INIT("jst"), 540},  {ADIT_STR_INIT("kst"), 540},  {ADIT_STR_INIT("aest"), 600},
        {ADIT_STR_INIT("aedt"), 660}, {ADIT_STR_INIT("nzst"), 720}, {ADIT_STR_INIT("nzdt"), 780},
    };
    if (folded.len > 4) return false; /* no name is longer */
    for (size_t i = 0; i < ADIT_COUNT(zones); i++)
        if (adit_str_eq(zones[i].name, folded)) {
            *minutes = zones[i].minutes;
            return true;
        }
    return false;
}

bool adit_is_date_filler(struct adit_str folded)
{
    return adit_str_in(folded, "st,nd,rd,th,er,de,del,di,of,do,d,º,the,a,m,gada");
}

/* Of the two months of one name, تشرين (October) and كانون (December), the second follows. */
bool adit_month_number(struct adit_str folded, bool *second)
{
    *second = adit_str_eq(folded, ADIT_STR("الثاني"));
    return *second || adit_str_eq(folded, ADIT_STR("الأول")) ||
           adit_str_eq(folded, ADIT_STR("الاول"));
}

char adit_date_unit_of_word(struct adit_str folded)
{
    static const struct {
        struct adit_str word;
        char unit;
    } units[] = {
        {ADIT_STR_INIT("ngày"), 'd'}, {ADIT_STR_INIT("tháng"), 'm'}, {ADIT_STR_INIT("năm"), 'y'}};
    for (size_t i = 0; i < ADIT_COUNT(units); i++)
        if (adit_str_eq(units[i].word, folded)) return units[i].unit;
    return 0;
}

int adit_date_era_of_word(struct adit_str folded)
{
    static const struct {
        struct adit_str word;
        int before; /* the year before its first */
    } eras[] = {
        {ADIT_STR_INIT("令和"), 2018}, {ADIT_STR_INIT("平成"), 1988}, {ADIT_STR_INIT("昭和"), 1925},
        {ADIT_STR_INIT("民國"), 1911}, {ADIT_STR_INIT("民国"), 1911},
    };
    if (!folded.len || (unsigned char)folded.p[folded.len - 1] < 0x80) return 0;
    for (size_t i = 0; i < ADIT_COUNT(eras); i++)
        if (adit_str_ends(folded, eras[i].word)) return eras[i].before;
    return 0;
}
