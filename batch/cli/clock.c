/* Times on the command line, and the clock that only runs forward. */
#include "batch/cli/cli.h"

#include <stdlib.h>
#include <time.h>

int clock_generated(const struct cli_args *args, struct adit_time *t)
{
    const char *text = cli_get(args, "generated"), *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t s;
    if (text) {
        adit_time_parse_date(adit_str_z(text), t); /* as TIME, judged before */
    } else if (epoch && *epoch) {
        if (!adit_str_u64(adit_str_z(epoch), &s) || s > 253402300799)
            return cli_usage(args, "SOURCE_DATE_EPOCH '%s' is not a number of seconds", epoch);
        t->s = (int64_t)s;
    } else {
        t->s = (int64_t)time(NULL);
    }
    t->ns = 0; /* file names have whole seconds */
    return CLI_OK;
}

int64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

uint64_t clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}
