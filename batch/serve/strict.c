/* The judge of requests, a function of the head alone. What libmicrohttpd refuses by itself (bare
 * LF, folded lines, blanks before the colon, lengths that are no numbers) is judged here too where
 * the head still shows it: the rules do not hang on the library's version. */
#include "batch/serve/strict_impl.h"

#include <string.h>

/* Visible ASCII, and no fragment: nobody who parses a target can disagree where it ends. */
static bool is_target(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] <= 32 || s.p[i] >= 127 || s.p[i] == '#') return false;
    return s.len > 0;
}

/* The characters of uri-host [ ":" port ] (RFC 3986, 3.2.2); empty is allowed. */
static bool is_host(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_alnum(s.p[i]) && (s.p[i] == '\0' || !strchr("-._~%!$&'()*+,;=:[]", s.p[i])))
            return false;
    return true;
}

/* How many fields have the name; *last gets the last one's value. */
static size_t count(const struct serve_head *h, struct adit_str name, struct adit_str *last)
{
    size_t n = 0;
    for (size_t i = 0; i < h->n_fields; i++)
        if (adit_str_ieq(h->fields[i].name, name)) n++, *last = h->fields[i].value;
    return n;
}

static unsigned fault_of(unsigned status, const char *text, const char **why)
{
    *why = text;
    return status;
}

/* Where the body ends must be said once, and in one way. */
static unsigned framing_fault(const struct serve_head *h, bool old, const char **why)
{
    struct adit_str coding = {0}, length = {0};
    size_t codings = count(h, ADIT_STR("transfer-encoding"), &coding);
    size_t lengths = count(h, ADIT_STR("content-length"), &length);
    uint64_t bytes;
    if (lengths > 1) return fault_of(400, "More than one Content-Length.\n", why);
    if (lengths && !adit_str_u64(length, &bytes))
        return fault_of(400, "The Content-Length is no number.\n", why);
    if (codings && lengths)
        return fault_of(400, "Content-Length and Transfer-Encoding exclude each other.\n", why);
    if (codings && old) return fault_of(400, "HTTP/1.0 has no Transfer-Encoding.\n", why);
    if (codings > 1 || (codings && !adit_str_ieq(coding, ADIT_STR("chunked"))))
        return fault_of(501, "The only transfer coding taken is chunked, once.\n", why);
    return 0;
}

unsigned serve_request_fault(const struct serve_head *h, const char **why)
{
    struct adit_str host = {0};
    bool old = adit_str_eq(h->version, ADIT_STR("HTTP/1.0"));
    size_t hosts = count(h, ADIT_STR("host"), &host);
    if (!adit_is_token(h->method)) return fault_of(400, "The method is no token.\n", why);
    if (h->method.len > SERVE_METHOD_MAX)
        return fault_of(501, "There is no method of that length.\n", why);
    if (!is_target(h->target))
        return fault_of(400, "The request target has characters that must be encoded.\n", why);
    for (size_t i = 0; i < h->n_fields; i++) {
        if (!adit_is_token(h->fields[i].name))
            return fault_of(400, "The name of a field is no token.\n", why);
        if (!adit_is_field_value(h->fields[i].value))
            return fault_of(400, "The value of a field has control characters.\n", why);
    }
    if (hosts > 1) return fault_of(400, "More than one Host.\n", why);
    if (hosts == 0 && !old) return fault_of(400, "The Host is missing.\n", why);
    if (!is_host(host)) return fault_of(400, "The Host is no name of a host.\n", why);
    return framing_fault(h, old, why);
}
