/* How often a section is published anew (SCP, Discovery via Sitemap: updateFreq). */
#include "scp/scp.h"

enum { HOUR = 3600, DAY = 24 * HOUR };

const struct adit_scp_freq adit_scp_freqs[] = {
    {"hourly", HOUR}, {"daily", DAY}, {"weekly", 7 * DAY}, {"monthly", 30 * DAY}, {0}};

const struct adit_scp_freq *adit_scp_freq(struct adit_str name)
{
    for (const struct adit_scp_freq *f = adit_scp_freqs; f->name; f++)
        if (adit_str_eq(name, adit_str_z(f->name))) return f;
    return NULL;
}
