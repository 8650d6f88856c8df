/* The names of the site: by which a request may ask for it, and which one the upstream hears. What
 * a client writes into Host never goes on as it is: behind the upstream's address there may be
 * other sites that are not ours to show. */
#include "batch/serve/serve.h"
#include "text/text.h"

#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

/* Whether the name is the address that this connection was made to. */
static bool is_address_of(int fd, struct adit_str name)
{
    struct sockaddr_storage a = {0};
    socklen_t len = sizeof a;
    char text[64];
    if (getsockname(fd, (struct sockaddr *)&a, &len) != 0 ||
        getnameinfo((struct sockaddr *)&a, len, text, sizeof text, NULL, 0, NI_NUMERICHOST) != 0)
        return false;
    if (name.len > 2 && name.p[0] == '[') name = adit_str_sub(name, 1, name.len - 1);
    return adit_str_ieq(name, adit_str_z(text));
}

static bool is_local(const struct server *s, int fd, struct adit_str name)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_ieq(name, adit_str_z(names[i]))) return true;
    return adit_str_ieq(name, adit_authority_host(s->local)) || is_address_of(fd, name);
}

bool server_authority(const struct server *s, int fd, struct adit_str host, struct adit_str *out)
{
    const struct adit_config *c = s->config;
    struct adit_str origin = adit_url_authority(c->origin), name = adit_authority_host(host);
    bool known = !s->named || name.len == 0 || is_local(s, fd, name);
    *out = s->upstream;
    if (!known && adit_str_ieq(name, adit_authority_host(origin))) {
        *out = origin;
        known = true;
    }
    for (size_t i = 0; i < c->hosts.n && !known; i++)
        if (adit_str_ieq(name, c->hosts.v[i])) {
            *out = c->hosts.v[i];
            known = true;
        }
    if (c->upstream_authority.len) *out = c->upstream_authority;
    return known;
}
