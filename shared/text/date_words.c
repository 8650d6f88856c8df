/* Names of months in the languages of Europe and some beyond, as stems: a word that begins so, with
 * any ending, is that month. Stems are case-folded; of several that fit, the longest counts. */
#include "text/date_words.h"

static const char *const month_stems[12] = {
    "jan jän jaan ian ene gen gener sty led sij sau tammi oca янв яну січ ιαν يناير ม.ค มกราคม",
    "feb fev fév féb febr veebr lut úno velj vas helmi şub фев лют φεβ فبراير ก.พ กุมภาพันธ์",
    "mar mär mrz maa maart marec bře ožu kov maalis мар берез μαρ μάρ مارس มี.ค มีนาคม",
    "apr avr abr ápr kwi dub tra balan huhti nis апр квіт απρ abril أبريل เม.ย เมษายน",
    "may mai maj mei mag maí máj maig kvě svi geg touko mayıs май мая трав μαΐ μάι μαι مايو พ.ค "
    "พฤษภาคม",
    "jun jui jún jūn juin giu juu juun iun lipanj lipnja cze čer czerw birž kesä haz июн юни черв "
    "ιουν ιούν يونيو มิ.ย มิถุนายน",
    "jul júl jūl juil lug juul iul lip lie červenec července heinä tem июл юли лип ιουλ ιούλ "
    "srpanj "
    "srpnja يوليو ก.ค กรกฎาคม",
    "aug aoû aou ago avg agu sie srp kol rugp elo ağu авг серп αυγ αύγ أغسطس ส.ค สิงหาคม",
    "sep set sept wrz zář ruj rugs syys eyl сен септ верес σεπ سبتمبر ก.ย กันยายน",
    "oct okt ott out paź říj spa loka eki окт жовт οκτ أكتوبر ต.ค ตุลาคม",
    "nov lis lap stu marras kas ноя ноем лист νοε νοέ نوفمبر พ.ย พฤศจิกายน",
    "dec dez dic dég des déc detsember gru pro groud joulu ara дек груд δεκ ديسمبر ธ.ค ธันวาคม",
};

/* Endings are short: a long word only looks like a month. */
enum { ENDING_MAX = 16 };

unsigned adit_month_of_word(struct adit_str folded)
{
    unsigned month = 0;
    size_t longest = 0;
    for (unsigned m = 0; m < 12; m++)
        for (const char *p = month_stems[m]; *p; p += *p == ' ') {
            size_t n = 0;
            while (n < folded.len && p[n] == folded.p[n]) n++;
            bool fits = n > longest && (p[n] == ' ' || p[n] == 0) && folded.len - n <= ENDING_MAX;
            if (fits) {
                longest = n;
                month = m + 1;
            }
            while (*p && *p != ' ') p++;
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
        ADIT_STR_INIT("st"),  ADIT_STR_INIT("nd"), ADIT_STR_INIT("rd"),    ADIT_STR_INIT("th"),
        ADIT_STR_INIT("er"),  ADIT_STR_INIT("de"), ADIT_STR_INIT("del"),   ADIT_STR_INIT("di"),
        ADIT_STR_INIT("of"),  ADIT_STR_INIT("do"), ADIT_STR_INIT("d"),     ADIT_STR_INIT("º"),
        ADIT_STR_INIT("the"), ADIT_STR_INIT("a"),  ADIT_STR_INIT("tháng"), ADIT_STR_INIT("năm"),
    };
    for (size_t i = 0; i < ADIT_COUNT(fillers); i++)
        if (adit_str_eq(fillers[i], folded)) return true;
    return false;
}
