/* What an intermediary must not hand on (RFC 9110, 7.6.1). */
#include "http/http.h"

bool adit_is_hop_by_hop(struct adit_str name)
{
    static const char *const names[] = {"connection",
                                        "keep-alive",
                                        "proxy-authenticate",
                                        "proxy-authorization",
                                        "proxy-connection",
                                        "te",
                                        "trailer",
                                        "transfer-encoding",
                                        "upgrade"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_ieq(name, adit_str_z(names[i]))) return true;
    return false;
}

bool adit_is_of_connection(const struct adit_header *v, size_t n, struct adit_str name)
{
    if (adit_is_hop_by_hop(name)) return true;
    for (size_t i = 0; i < n; i++)
        if (adit_str_ieq(v[i].name, ADIT_STR("connection")) &&
            adit_list_has(v[i].value, name, NULL))
            return true;
    return false;
}
