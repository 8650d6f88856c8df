/* Which URLs may be asked: scheme, origin; and which secrets go along. */
#include "batch/fetch/fetch_impl.h"

/* Names and addresses that lead to this machine by what they are, not by what DNS says. */
bool fetch_host_is_loopback(struct adit_str origin)
{
    struct adit_str h = adit_url_authority(origin);
    if (adit_str_starts(h, ADIT_STR("["))) return adit_str_starts(h, ADIT_STR("[::1]"));
    h = adit_str_sub(h, 0, adit_str_chr(h, ':', 0));
    if (adit_str_eq(h, ADIT_STR("localhost")) || adit_str_ends(h, ADIT_STR(".localhost")))
        return true;
    size_t n = 0; /* URL parsing has made four numbers of every spelling of an IPv4 address */
    while (n < h.len && (adit_is_digit(h.p[n]) || h.p[n] == '.')) n++;
    return n == h.len && adit_str_starts(h, ADIT_STR("127."));
}

/* Whether text (as the user gave it: any URL of it) means this origin. */
static bool same_origin(const char *text, struct adit_str origin)
{
    struct adit_arena arena;
    struct adit_str url;
    adit_arena_init(&arena, cli_mem, 256 << 10);
    bool same = adit_url_page(adit_str_z(text), &arena, &url) == ADIT_OK &&
                adit_str_eq(adit_url_origin(url), origin);
    adit_arena_free(&arena);
    return same;
}

static bool allowed_origin(const struct fetch *f, struct adit_str origin)
{
    if (!f->o.origins || adit_str_eq(origin, adit_buf_str(&f->site))) return true;
    for (size_t i = 0; i < f->o.n_origins; i++)
        if (same_origin(f->o.origins[i], origin)) return true;
    return false;
}

enum fetch_error fetch_url_check(const struct fetch *f, struct adit_str url,
                                 const struct adit_url *base, struct adit_arena *arena,
                                 struct adit_str *out, size_t *origin_len)
{
    struct adit_url parsed;
    if (adit_url_parse(url, base, arena, &parsed) != ADIT_OK) return FETCH_URL;
    if (parsed.username.len || parsed.password.len) return FETCH_URL;
    if (adit_url_page(parsed.href, arena, out) != ADIT_OK) return FETCH_URL;
    struct adit_str origin = adit_url_origin(*out);
    *origin_len = origin.len;
    if (!allowed_origin(f, origin)) return FETCH_ORIGIN;
    bool own = f->site_loopback && adit_str_eq(origin, adit_buf_str(&f->site));
    bool plain = adit_str_starts(origin, ADIT_STR("http:"));
    return plain && !f->o.allow_http && !own ? FETCH_HTTP : FETCH_OK;
}

bool fetch_secret_fits(const struct fetch *f, const struct fetch_secret *s, struct adit_str origin)
{
    if (s->origin) return same_origin(s->origin, origin);
    return f->site.len && adit_str_eq(origin, adit_buf_str(&f->site));
}
