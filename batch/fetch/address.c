/* Which addresses are public: the registries of special-purpose addresses (RFC 6890 and what came
 * after it) as tables. An IPv6 address that carries an IPv4 one is judged by that. */
#include "batch/fetch/fetch_impl.h"

#include <netinet/in.h>
#include <string.h>

static const struct {
    uint32_t net;
    unsigned bits;
    enum fetch_reach reach;
} v4[] = {
    {0x00000000, 8, FETCH_PRIVATE},  /* 0.0.0.0/8: this host */
    {0x0A000000, 8, FETCH_PRIVATE},  /* 10.0.0.0/8 */
    {0x64400000, 10, FETCH_PRIVATE}, /* 100.64.0.0/10: carrier-grade NAT */
    {0x7F000000, 8, FETCH_LOOPBACK}, /* 127.0.0.0/8 */
    {0xA83F8110, 32, FETCH_PRIVATE}, /* 168.63.129.16: metadata of a cloud */
    {0xA9FE0000, 16, FETCH_PRIVATE}, /* 169.254.0.0/16: link-local, metadata */
    {0xAC100000, 12, FETCH_PRIVATE}, /* 172.16.0.0/12 */
    {0xC0000000, 24, FETCH_PRIVATE}, /* 192.0.0.0/24: protocol assignments */
    {0xC0000200, 24, FETCH_PRIVATE}, /* 192.0.2.0/24: documentation */
    {0xC0586300, 24, FETCH_PRIVATE}, /* 192.88.99.0/24: 6to4 relays */
    {0xC0A80000, 16, FETCH_PRIVATE}, /* 192.168.0.0/16 */
    {0xC6120000, 15, FETCH_PRIVATE}, /* 198.18.0.0/15: benchmarking */
    {0xC6336400, 24, FETCH_PRIVATE}, /* 198.51.100.0/24: documentation */
    {0xCB007100, 24, FETCH_PRIVATE}, /* 203.0.113.0/24: documentation */
    {0xE0000000, 3, FETCH_PRIVATE},  /* 224.0.0.0/3: multicast, reserved, broadcast */
};

/* Everything outside of 2000::/3 is refused but for these; embedded: offset of an IPv4 address that
 * decides, -1: none. The first row that fits counts. */
static const struct {
    uint8_t net[16];
    unsigned bits;
    int embedded;
    enum fetch_reach reach;
} v6[] = {
    {{[15] = 1}, 128, -1, FETCH_LOOPBACK},
    {{[10] = 0xFF, 0xFF}, 96, 12, FETCH_PRIVATE},      /* ::ffff:0:0/96: mapped */
    {{0x00, 0x64, 0xFF, 0x9B}, 96, 12, FETCH_PRIVATE}, /* 64:ff9b::/96: NAT64 */
    {{0x20, 0x01, 0x0D, 0xB8}, 32, -1, FETCH_PRIVATE}, /* documentation */
    {{0x20, 0x01, 0x00}, 23, -1, FETCH_PRIVATE},       /* Teredo, ORCHID and others */
    {{0x20, 0x02}, 16, 2, FETCH_PRIVATE},              /* 6to4 */
    {{0x3F, 0xFF, 0x00}, 20, -1, FETCH_PRIVATE},       /* documentation */
    {{0x20}, 3, -1, FETCH_PUBLIC},                     /* 2000::/3 */
};

static enum fetch_reach reach_v4(uint32_t a)
{
    for (size_t i = 0; i < ADIT_COUNT(v4); i++)
        if ((a ^ v4[i].net) >> (32 - v4[i].bits) == 0) return v4[i].reach;
    return FETCH_PUBLIC;
}

static bool within(const uint8_t *a, const uint8_t *net, unsigned bits)
{
    if (memcmp(a, net, bits / 8) != 0) return false;
    return bits % 8 == 0 || (a[bits / 8] ^ net[bits / 8]) >> (8 - bits % 8) == 0;
}

static enum fetch_reach reach_v6(const uint8_t *a)
{
    for (size_t i = 0; i < ADIT_COUNT(v6); i++) {
        if (!within(a, v6[i].net, v6[i].bits)) continue;
        if (v6[i].embedded < 0) return v6[i].reach;
        const uint8_t *e = a + v6[i].embedded;
        uint32_t inner = (uint32_t)e[0] << 24 | (uint32_t)e[1] << 16 | (uint32_t)e[2] << 8 | e[3];
        return reach_v4(inner) == FETCH_PUBLIC ? FETCH_PUBLIC : FETCH_PRIVATE;
    }
    return FETCH_PRIVATE;
}

enum fetch_reach fetch_address_reach(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, a, sizeof in);
        return reach_v4(ntohl(in.sin_addr.s_addr));
    }
    if (a->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, a, sizeof in);
        return reach_v6(in.sin6_addr.s6_addr);
    }
    return FETCH_PRIVATE;
}
