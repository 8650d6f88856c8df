/* What the values of the configuration must be. */
#include "exchange/config_check_impl.h"

#include "exchange/exchange.h"
#include "crypto/crypto.h"
#include "scp/scp.h"

#include <string.h>

static bool all_of(struct adit_str s, const char *extra)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_alnum(s.p[i]) && (s.p[i] == '\0' || !strchr(extra, s.p[i]))) return false;
    return true;
}

static const char too_long[] = "has more than 1024 characters";
static const char not_encoded[] = "has a character that must be written as %XX";

static bool has_control(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] < 32 || s.p[i] == 127) return true;
    return false;
}

const char *adit_config_check_host(struct adit_str s)
{
    bool v6 = s.len > 2 && s.p[0] == '[' && s.p[s.len - 1] == ']';
    bool fine = s.len && s.len < 256 && s.p[0] != '.' && all_of(s, v6 ? "[]:." : "-._");
    return fine ? NULL : "must be a host name, without scheme or port (other alphabets as xn--…)";
}

const char *adit_config_check_authority(struct adit_str s)
{
    return s.len < 256 && all_of(s, "-._[]:")
               ? NULL
               : "must be empty or a host name, with or without port";
}

const char *adit_config_check_origin(struct adit_str s)
{
    static const char must[] = "must be http:// or https:// and a host, with nothing behind it";
    size_t from = adit_str_starts(s, ADIT_STR("https://"))  ? 8
                  : adit_str_starts(s, ADIT_STR("http://")) ? 7
                                                            : 0;
    struct adit_str host = adit_str_sub(s, from, s.len);
    if (adit_str_ends(host, ADIT_STR("/"))) host.len--;
    return from && host.len && host.p[0] != ':' && !adit_config_check_authority(host) ? NULL : must;
}

const char *adit_config_check_suffix(struct adit_str s)
{
    bool fine = s.len && s.len <= 64 && all_of(s, "-_~");
    return fine ? NULL : "must be a path segment of letters, digits, '-', '_' and '~', at most 64";
}

const char *adit_config_check_path(struct adit_str s)
{
    if (!adit_str_starts(s, ADIT_STR("/"))) return "must be a path that begins with '/'";
    if (s.len > 1024) return too_long;
    return all_of(s, "/-._~%!$&'()*+,;=:@") ? NULL : not_encoded;
}

const char *adit_config_check_glob(struct adit_str s)
{
    if (s.len == 0 || s.len > 1024 || (s.p[0] != '/' && s.p[0] != '*') || has_control(s))
        return "must be a pattern that begins with '/' or '*'";
    return adit_glob_valid(s) ? NULL : "has a '[' without its ']'";
}

const char *adit_config_check_agent(struct adit_str s)
{
    if (s.len == 0 || s.len > 1024 || has_control(s))
        return "must be a pattern of a User-Agent, such as *GPTBot*";
    return adit_glob_valid(s) ? NULL : "has a '[' without its ']'";
}

const char *adit_config_check_header(struct adit_str s)
{
    bool fine = s.len <= ADIT_LIMIT_header_value && !has_control(s);
    return fine ? NULL
                : "must be printable and at most 8192 bytes, as it is sent in a header field";
}

const char *adit_config_check_link(struct adit_str s)
{
    if (s.len && s.p[0] != '/' && !adit_str_starts(s, ADIT_STR("https://")) &&
        !adit_str_starts(s, ADIT_STR("http://")))
        return "must be a URL, or a path that begins with '/'";
    if (s.len > 1024) return too_long;
    return all_of(s, "/-._~%!$&'()*+,;=:@?#[]") ? NULL : not_encoded;
}

const char *adit_config_check_some(struct adit_str s)
{
    return s.len && !adit_config_check_header(s) ? NULL : "must be printable and not empty";
}

const char *adit_config_check_text(struct adit_str s)
{
    return s.len <= ADIT_LIMIT_config_bytes ? NULL : "is too long";
}

const char *adit_config_check_freq(struct adit_str s)
{
    return adit_scp_freq(s) ? NULL : "must be " ADIT_SCP_FREQ_NAMES;
}

const char *adit_config_check_section(struct adit_str s)
{
    return s.len && s.len <= 64 && all_of(s, "-_")
               ? NULL
               : "is no section name (letters, digits, '-', '_'; at most 64)";
}

const char *adit_config_check_key(struct adit_str s)
{
    uint8_t key[ADIT_P256_KEY];
    return s.len == 0 || adit_p256_read_private(s, key) == ADIT_OK
               ? NULL
               : "must be a private key on P-256: PEM, or 64 hexadecimal digits";
}

const char *adit_config_check_keyid(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == '"' || s.p[i] == '\\' || s.p[i] < 32 || s.p[i] > 126)
            return "must be printable ASCII without quotes and backslashes";
    return s.len <= 256 ? NULL : "has more than 256 characters";
}
