/* Retry-After and RateLimit fields. */
#include "http/http.h"

enum { YEAR_S = 366 * 86400 };

bool adit_retry_after(struct adit_str value, int64_t now, uint64_t *seconds)
{
    int64_t at;
    value = adit_str_trim(value);
    if (adit_str_u64(value, seconds)) return true;
    if (!adit_http_date_parse(value, &at)) return false;
    *seconds = at > now ? (uint64_t)(at - now) : 0;
    return true;
}

/* The number of a parameter: name=NUMBER, between ';' or ','. */
static bool parameter(struct adit_str list, char sep, struct adit_str name, uint64_t *out)
{
    for (struct adit_str part; adit_str_split(&list, sep, &part);) {
        size_t eq = adit_str_chr(part, '=', 0);
        if (adit_str_ieq(adit_str_trim(adit_str_sub(part, 0, eq)), name))
            return adit_str_u64(adit_str_trim(adit_str_sub(part, eq + 1, part.len)), out);
    }
    return false;
}

/* The field of the drafts: of several policies, the one that holds longest. */
static bool used_up(struct adit_str value, uint64_t *seconds)
{
    uint64_t left, wait;
    bool found = false;
    *seconds = 0;
    if (parameter(value, ',', ADIT_STR("remaining"), &left)) {
        bool known = parameter(value, ',', ADIT_STR("reset"), seconds);
        return known && left == 0;
    }
    for (struct adit_str policy; adit_list_next(&value, &policy);) {
        if (!parameter(policy, ';', ADIT_STR("r"), &left) || left > 0) continue;
        if (!parameter(policy, ';', ADIT_STR("t"), &wait)) continue;
        if (wait > *seconds) *seconds = wait;
        found = true;
    }
    return found;
}

bool adit_rate_limit(const struct adit_header *v, size_t n, int64_t now, uint64_t *seconds)
{
    static const struct {
        struct adit_str remaining, reset;
    } pairs[] = {
        {ADIT_STR_INIT("ratelimit-remaining"), ADIT_STR_INIT("ratelimit-reset")},
        {ADIT_STR_INIT("x-ratelimit-remaining"), ADIT_STR_INIT("x-ratelimit-reset")},
        {ADIT_STR_INIT("x-rate-limit-remaining"), ADIT_STR_INIT("x-rate-limit-reset")},
    };
    bool found = used_up(adit_header_get(v, n, ADIT_STR("ratelimit")), seconds);
    for (size_t i = 0; !found && i < ADIT_COUNT(pairs); i++) {
        uint64_t left, reset;
        if (!adit_str_u64(adit_header_get(v, n, pairs[i].remaining), &left) || left > 0) continue;
        if (!adit_str_u64(adit_header_get(v, n, pairs[i].reset), &reset)) continue;
        if (reset > YEAR_S) reset = reset > (uint64_t)now ? reset - (uint64_t)now : 0;
        *seconds = reset;
        found = true;
    }
    return found;
}
