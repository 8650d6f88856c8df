/* Names of months in the languages of Europe and many beyond, as stems: a word that begins so, with
 * any ending, is that month. Stems are case-folded; of several that fit, the longest counts. */
#include "text/text.h"

enum { STEMS_MAX = 34 };
static const struct adit_str month_stems[12][STEMS_MAX] = {
    {ADIT_STR_INIT("jan"),     ADIT_STR_INIT("jän"),    ADIT_STR_INIT("jaan"),
     ADIT_STR_INIT("ian"),     ADIT_STR_INIT("ene"),    ADIT_STR_INIT("gen"),
     ADIT_STR_INIT("gener"),   ADIT_STR_INIT("sty"),    ADIT_STR_INIT("led"),
     ADIT_STR_INIT("sij"),     ADIT_STR_INIT("sau"),    ADIT_STR_INIT("tammi"),
     ADIT_STR_INIT("oca"),     ADIT_STR_INIT("янв"),    ADIT_STR_INIT("яну"),
     ADIT_STR_INIT("січ"),     ADIT_STR_INIT("ιαν"),    ADIT_STR_INIT("يناير"),
     ADIT_STR_INIT("ม.ค"),     ADIT_STR_INIT("มกราคม"), ADIT_STR_INIT("जनवरी"),
     ADIT_STR_INIT("জানুয়ারি"), ADIT_STR_INIT("ינואר"),  ADIT_STR_INIT("јануар"),
     ADIT_STR_INIT("ژانویه")},
    {ADIT_STR_INIT("feb"),    ADIT_STR_INIT("fev"),   ADIT_STR_INIT("fév"),
     ADIT_STR_INIT("féb"),    ADIT_STR_INIT("febr"),  ADIT_STR_INIT("veebr"),
     ADIT_STR_INIT("lut"),    ADIT_STR_INIT("úno"),   ADIT_STR_INIT("velj"),
     ADIT_STR_INIT("vas"),    ADIT_STR_INIT("helmi"), ADIT_STR_INIT("şub"),
     ADIT_STR_INIT("фев"),    ADIT_STR_INIT("лют"),   ADIT_STR_INIT("φεβ"),
     ADIT_STR_INIT("فبراير"), ADIT_STR_INIT("ก.พ"),   ADIT_STR_INIT("กุมภาพันธ์"),
     ADIT_STR_INIT("फ़रवरी"),  ADIT_STR_INIT("फरवरी"), ADIT_STR_INIT("ফেব্রুয়ারি"),
     ADIT_STR_INIT("פברואר"), ADIT_STR_INIT("شباط"),  ADIT_STR_INIT("фебруар"),
     ADIT_STR_INIT("فوریه")},
    {ADIT_STR_INIT("mar"),   ADIT_STR_INIT("mär"),    ADIT_STR_INIT("mrz"),  ADIT_STR_INIT("maa"),
     ADIT_STR_INIT("maart"), ADIT_STR_INIT("marec"),  ADIT_STR_INIT("bře"),  ADIT_STR_INIT("ožu"),
     ADIT_STR_INIT("kov"),   ADIT_STR_INIT("maalis"), ADIT_STR_INIT("мар"),  ADIT_STR_INIT("берез"),
     ADIT_STR_INIT("μαρ"),   ADIT_STR_INIT("μάρ"),    ADIT_STR_INIT("مارس"), ADIT_STR_INIT("มี.ค"),
     ADIT_STR_INIT("มีนาคม"), ADIT_STR_INIT("मार्च"),   ADIT_STR_INIT("মার্চ"), ADIT_STR_INIT("מרץ"),
     ADIT_STR_INIT("מרס"),   ADIT_STR_INIT("آذار"),   ADIT_STR_INIT("مارچ")},
    {ADIT_STR_INIT("apr"),   ADIT_STR_INIT("avr"),    ADIT_STR_INIT("abr"),
     ADIT_STR_INIT("ápr"),   ADIT_STR_INIT("kwi"),    ADIT_STR_INIT("dub"),
     ADIT_STR_INIT("tra"),   ADIT_STR_INIT("balan"),  ADIT_STR_INIT("huhti"),
     ADIT_STR_INIT("nis"),   ADIT_STR_INIT("апр"),    ADIT_STR_INIT("квіт"),
     ADIT_STR_INIT("απρ"),   ADIT_STR_INIT("abril"),  ADIT_STR_INIT("أبريل"),
     ADIT_STR_INIT("เม.ย"),  ADIT_STR_INIT("เมษายน"), ADIT_STR_INIT("अप्रैल"),
     ADIT_STR_INIT("এপ্রিল"), ADIT_STR_INIT("אפריל"),  ADIT_STR_INIT("نيسان"),
     ADIT_STR_INIT("април"), ADIT_STR_INIT("آوریل"),  ADIT_STR_INIT("إبريل"),
     ADIT_STR_INIT("ابريل")},
    {ADIT_STR_INIT("may"),   ADIT_STR_INIT("mai"),     ADIT_STR_INIT("maj"), ADIT_STR_INIT("mei"),
     ADIT_STR_INIT("mag"),   ADIT_STR_INIT("maí"),     ADIT_STR_INIT("máj"), ADIT_STR_INIT("maig"),
     ADIT_STR_INIT("kvě"),   ADIT_STR_INIT("svi"),     ADIT_STR_INIT("geg"), ADIT_STR_INIT("touko"),
     ADIT_STR_INIT("mayıs"), ADIT_STR_INIT("май"),     ADIT_STR_INIT("мая"), ADIT_STR_INIT("трав"),
     ADIT_STR_INIT("μαΐ"),   ADIT_STR_INIT("μάι"),     ADIT_STR_INIT("μαι"), ADIT_STR_INIT("مايو"),
     ADIT_STR_INIT("พ.ค"),   ADIT_STR_INIT("พฤษภาคม"), ADIT_STR_INIT("मई"),  ADIT_STR_INIT("মে"),
     ADIT_STR_INIT("מאי"),   ADIT_STR_INIT("أيار"),    ADIT_STR_INIT("мај"), ADIT_STR_INIT("ماي")},
    {ADIT_STR_INIT("jun"),    ADIT_STR_INIT("jui"),    ADIT_STR_INIT("jún"),
     ADIT_STR_INIT("jūn"),    ADIT_STR_INIT("juin"),   ADIT_STR_INIT("giu"),
     ADIT_STR_INIT("juu"),    ADIT_STR_INIT("juun"),   ADIT_STR_INIT("iun"),
     ADIT_STR_INIT("lipanj"), ADIT_STR_INIT("lipnja"), ADIT_STR_INIT("cze"),
     ADIT_STR_INIT("čer"),    ADIT_STR_INIT("czerw"),  ADIT_STR_INIT("birž"),
     ADIT_STR_INIT("kesä"),   ADIT_STR_INIT("haz"),    ADIT_STR_INIT("июн"),
     ADIT_STR_INIT("юни"),    ADIT_STR_INIT("черв"),   ADIT_STR_INIT("ιουν"),
     ADIT_STR_INIT("ιούν"),   ADIT_STR_INIT("يونيو"),  ADIT_STR_INIT("มิ.ย"),
     ADIT_STR_INIT("มิถุนายน"), ADIT_STR_INIT("जून"),     ADIT_STR_INIT("জুন"),
     ADIT_STR_INIT("יוני"),   ADIT_STR_INIT("حزيران"), ADIT_STR_INIT("јун"),
     ADIT_STR_INIT("ژوئن"),   ADIT_STR_INIT("يونيه")},
    {ADIT_STR_INIT("jul"),      ADIT_STR_INIT("júl"),      ADIT_STR_INIT("jūl"),
     ADIT_STR_INIT("juil"),     ADIT_STR_INIT("lug"),      ADIT_STR_INIT("juul"),
     ADIT_STR_INIT("iul"),      ADIT_STR_INIT("lip"),      ADIT_STR_INIT("lie"),
     ADIT_STR_INIT("červenec"), ADIT_STR_INIT("července"), ADIT_STR_INIT("heinä"),
     ADIT_STR_INIT("tem"),      ADIT_STR_INIT("июл"),      ADIT_STR_INIT("юли"),
     ADIT_STR_INIT("лип"),      ADIT_STR_INIT("ιουλ"),     ADIT_STR_INIT("ιούλ"),
     ADIT_STR_INIT("srpanj"),   ADIT_STR_INIT("srpnja"),   ADIT_STR_INIT("يوليو"),
     ADIT_STR_INIT("ก.ค"),      ADIT_STR_INIT("กรกฎาคม"),  ADIT_STR_INIT("जुलाई"),
     ADIT_STR_INIT("জুলাই"),     ADIT_STR_INIT("יולי"),     ADIT_STR_INIT("تموز"),
     ADIT_STR_INIT("јул"),      ADIT_STR_INIT("ژوئیه"),    ADIT_STR_INIT("يوليه"),
     ADIT_STR_INIT("julai")},
    {ADIT_STR_INIT("aug"),    ADIT_STR_INIT("aoû"),   ADIT_STR_INIT("aou"),
     ADIT_STR_INIT("ago"),    ADIT_STR_INIT("avg"),   ADIT_STR_INIT("agu"),
     ADIT_STR_INIT("sie"),    ADIT_STR_INIT("srp"),   ADIT_STR_INIT("kol"),
     ADIT_STR_INIT("rugp"),   ADIT_STR_INIT("elo"),   ADIT_STR_INIT("ağu"),
     ADIT_STR_INIT("авг"),    ADIT_STR_INIT("серп"),  ADIT_STR_INIT("αυγ"),
     ADIT_STR_INIT("αύγ"),    ADIT_STR_INIT("أغسطس"), ADIT_STR_INIT("ส.ค"),
     ADIT_STR_INIT("สิงหาคม"), ADIT_STR_INIT("अगस्त"),  ADIT_STR_INIT("আগস্ট"),
     ADIT_STR_INIT("אוגוסט"), ADIT_STR_INIT("آب"),    ADIT_STR_INIT("اوت"),
     ADIT_STR_INIT("ogos"),   ADIT_STR_INIT("اغسطس")},
    {ADIT_STR_INIT("sep"),       ADIT_STR_INIT("set"),    ADIT_STR_INIT("sept"),
     ADIT_STR_INIT("wrz"),       ADIT_STR_INIT("zář"),    ADIT_STR_INIT("ruj"),
     ADIT_STR_INIT("rugs"),      ADIT_STR_INIT("syys"),   ADIT_STR_INIT("eyl"),
     ADIT_STR_INIT("сен"),       ADIT_STR_INIT("септ"),   ADIT_STR_INIT("верес"),
     ADIT_STR_INIT("σεπ"),       ADIT_STR_INIT("سبتمبر"), ADIT_STR_INIT("ก.ย"),
     ADIT_STR_INIT("กันยายน"),    ADIT_STR_INIT("सितंबर"),  ADIT_STR_INIT("सितम्बर"),
     ADIT_STR_INIT("সেপ্টেম্বর"),  ADIT_STR_INIT("ספטמבר"), ADIT_STR_INIT("أيلول"),
     ADIT_STR_INIT("септембар"), ADIT_STR_INIT("سپتامبر")},
    {ADIT_STR_INIT("oct"),     ADIT_STR_INIT("okt"),     ADIT_STR_INIT("ott"),
     ADIT_STR_INIT("out"),     ADIT_STR_INIT("paź"),     ADIT_STR_INIT("říj"),
     ADIT_STR_INIT("spa"),     ADIT_STR_INIT("loka"),    ADIT_STR_INIT("eki"),
     ADIT_STR_INIT("окт"),     ADIT_STR_INIT("жовт"),    ADIT_STR_INIT("οκτ"),
     ADIT_STR_INIT("أكتوبر"),  ADIT_STR_INIT("ต.ค"),     ADIT_STR_INIT("ตุลาคม"),
     ADIT_STR_INIT("अक्टूबर"),   ADIT_STR_INIT("अक्तूबर"),   ADIT_STR_INIT("অক্টোবর"),
     ADIT_STR_INIT("אוקטובר"), ADIT_STR_INIT("октобар"), ADIT_STR_INIT("تشرين"),
     ADIT_STR_INIT("اکتبر"),   ADIT_STR_INIT("اكتوبر")},
    {ADIT_STR_INIT("nov"),      ADIT_STR_INIT("lis"),      ADIT_STR_INIT("lap"),
     ADIT_STR_INIT("stu"),      ADIT_STR_INIT("marras"),   ADIT_STR_INIT("kas"),
     ADIT_STR_INIT("ноя"),      ADIT_STR_INIT("ноем"),     ADIT_STR_INIT("лист"),
     ADIT_STR_INIT("νοε"),      ADIT_STR_INIT("νοέ"),      ADIT_STR_INIT("نوفمبر"),
     ADIT_STR_INIT("พ.ย"),      ADIT_STR_INIT("พฤศจิกายน"), ADIT_STR_INIT("नवंबर"),
     ADIT_STR_INIT("नवम्बर"),    ADIT_STR_INIT("নভেম্বর"),   ADIT_STR_INIT("נובמבר"),
     ADIT_STR_INIT("новембар"), ADIT_STR_INIT("نوامبر")},
    {ADIT_STR_INIT("dec"),       ADIT_STR_INIT("dez"),      ADIT_STR_INIT("dic"),
     ADIT_STR_INIT("dég"),       ADIT_STR_INIT("des"),      ADIT_STR_INIT("déc"),
     ADIT_STR_INIT("detsember"), ADIT_STR_INIT("gru"),      ADIT_STR_INIT("pro"),
     ADIT_STR_INIT("groud"),     ADIT_STR_INIT("joulu"),    ADIT_STR_INIT("ara"),
     ADIT_STR_INIT("дек"),       ADIT_STR_INIT("груд"),     ADIT_STR_INIT("δεκ"),
     ADIT_STR_INIT("ديسمبر"),    ADIT_STR_INIT("ธ.ค"),      ADIT_STR_INIT("ธันวาคม"),
     ADIT_STR_INIT("दिसंबर"),     ADIT_STR_INIT("दिसम्बर"),   ADIT_STR_INIT("ডিসেম্বর"),
     ADIT_STR_INIT("דצמבר"),     ADIT_STR_INIT("децембар"), ADIT_STR_INIT("كانون"),
     ADIT_STR_INIT("دسامبر"),    ADIT_STR_INIT("disember")},
};

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
    for (unsigned m = 0; m < 12; m++)
        for (const struct adit_str *stem = month_stems[m];
             stem < month_stems[m] + STEMS_MAX && stem->len; stem++) {
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
    for (size_t i = 0; i < ADIT_COUNT(zones); i++)
        if (adit_str_eq(zones[i].name, folded)) {
            *minutes = zones[i].minutes;
            return true;
        }
    return false;
}

bool adit_is_date_filler(struct adit_str folded)
{
    static const struct adit_str fillers[] = {
        ADIT_STR_INIT("st"),  ADIT_STR_INIT("nd"), ADIT_STR_INIT("rd"),  ADIT_STR_INIT("th"),
        ADIT_STR_INIT("er"),  ADIT_STR_INIT("de"), ADIT_STR_INIT("del"), ADIT_STR_INIT("di"),
        ADIT_STR_INIT("of"),  ADIT_STR_INIT("do"), ADIT_STR_INIT("d"),   ADIT_STR_INIT("º"),
        ADIT_STR_INIT("the"), ADIT_STR_INIT("a"),  ADIT_STR_INIT("m"),   ADIT_STR_INIT("gada"),
    };
    for (size_t i = 0; i < ADIT_COUNT(fillers); i++)
        if (adit_str_eq(fillers[i], folded)) return true;
    return false;
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
    for (size_t i = 0; i < ADIT_COUNT(eras); i++)
        if (adit_str_ends(folded, eras[i].word)) return eras[i].before;
    return 0;
}
