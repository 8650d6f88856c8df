/* What pages say against uses by machines that learn: one reader for header fields and for <meta>. The
 * vocabularies still move, so that only what says "no" is noted, and by whom, never what it means. */
#include "http/http.h"

#define NAME(id, name) name,
const char *const adit_optout_names[] = {ADIT_OPTOUTS(NAME)};

/* "train-ai=n" in a list of preferences; parameters behind ';' do not matter. */
static bool any_is(struct adit_str list, struct adit_str no)
{
    struct adit_str item;
    while (adit_list_next(&list, &item)) {
        item = adit_str_sub(item, 0, adit_str_chr(item, ';', 0));
        size_t eq = adit_str_chr(item, '=', 0);
        if (eq < item.len && adit_str_ieq(adit_str_trim(adit_str_sub(item, eq + 1, item.len)), no))
            return true;
    }
    return false;
}

static bool reserves(struct adit_str value)
{
    return adit_str_eq(adit_str_trim(value), ADIT_STR("1"));
}
static bool usage_refused(struct adit_str value) { return any_is(value, ADIT_STR("n")); }
static bool signal_refused(struct adit_str value) { return any_is(value, ADIT_STR("no")); }

static const struct {
    struct adit_str field;
    bool (*refuses)(struct adit_str value);
    unsigned flag;
} fields[] = {
    {ADIT_STR_INIT("tdm-reservation"), reserves, ADIT_OPTOUT_TDM},
    {ADIT_STR_INIT("content-usage"), usage_refused, ADIT_OPTOUT_USAGE},
    {ADIT_STR_INIT("content-signal"), signal_refused, ADIT_OPTOUT_SIGNAL},
};

unsigned adit_optout(struct adit_str name, struct adit_str value)
{
    for (size_t i = 0; i < ADIT_COUNT(fields); i++)
        if (adit_str_ieq(fields[i].field, name))
            return fields[i].refuses(value) ? fields[i].flag : 0;
    return 0;
}
