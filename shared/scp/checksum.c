/* The checksum of a collection, by the five rules that are met (see scp.h). */
#include "scp/scp.h"

#include <string.h>

const char *const adit_scp_checksum_names[ADIT_SCP_CHECKSUM_RULES] = {
    [ADIT_SCP_DETACHED] = "detached member",
    [ADIT_SCP_DETACHED_LF] = "detached member, one final LF more or less",
    [ADIT_SCP_PAGES] = "pages only",
    [ADIT_SCP_ZEROED] = "digits zeroed",
    [ADIT_SCP_WHOLE] = "whole file",
};

enum { DETACHED, PAGES, ZEROED, WHOLE, HASHES };

enum { PREFIX = sizeof "sha256:" - 1 };

static void add(struct adit_sha256 *h, struct adit_str part)
{
    adit_sha256_update(h, part.p, part.len);
}

enum adit_code adit_scp_checksum_init(struct adit_scp_checksum *c, bool all, struct adit_str first,
                                      struct adit_scp_range cut, struct adit_str checksum)
{
    static const char zeros[ADIT_SHA256_HEX + 1] =
        "0000000000000000000000000000000000000000000000000000000000000000";
    *c = (struct adit_scp_checksum){.all = all};
    for (int i = 0; i < HASHES; i++) adit_sha256_init(&c->hash[i]);
    struct adit_str hex = adit_str_sub(checksum, PREFIX, checksum.len);
    if (!adit_str_starts(checksum, ADIT_STR("sha256:")) ||
        !adit_hex_decode(hex, c->want, sizeof c->want))
        return ADIT_EBAD;
    struct adit_str member = adit_str_sub(first, cut.from, cut.to);
    size_t digits = adit_str_find(member, hex, 0); /* none if they are written with escapes */
    digits = cut.from + (digits < member.len ? digits : 0);
    add(&c->hash[ZEROED], adit_str_sub(first, 0, digits));
    add(&c->hash[ZEROED], adit_str_of(zeros, ADIT_SHA256_HEX));
    add(&c->hash[ZEROED], adit_str_sub(first, digits + ADIT_SHA256_HEX, first.len));
    add(&c->hash[WHOLE], first);
    /* The last LF waits: it may be the file's. */
    c->lf = first.len && first.p[first.len - 1] == '\n';
    if (c->lf) first.len--;
    add(&c->hash[DETACHED], adit_str_sub(first, 0, cut.from));
    add(&c->hash[DETACHED], adit_str_sub(first, cut.to, first.len));
    return ADIT_OK;
}

void adit_scp_checksum_add(struct adit_scp_checksum *c, struct adit_str part)
{
    if (part.len == 0) return;
    for (int i = PAGES; i < HASHES && c->all; i++) add(&c->hash[i], part);
    if (c->lf) adit_sha256_update(&c->hash[DETACHED], "\n", 1);
    c->lf = part.p[part.len - 1] == '\n';
    add(&c->hash[DETACHED], adit_str_sub(part, 0, part.len - c->lf));
}

static bool fits(const struct adit_scp_checksum *c, struct adit_sha256 h, bool lf)
{
    uint8_t got[ADIT_SHA256_LEN];
    if (lf) adit_sha256_update(&h, "\n", 1);
    adit_sha256_final(&h, got);
    return memcmp(got, c->want, sizeof got) == 0;
}

enum adit_scp_checksum_rule adit_scp_checksum_end(const struct adit_scp_checksum *c)
{
    if (fits(c, c->hash[DETACHED], c->lf)) return ADIT_SCP_DETACHED;
    if (fits(c, c->hash[DETACHED], !c->lf)) return ADIT_SCP_DETACHED_LF;
    for (int i = PAGES; i < HASHES && c->all; i++)
        if (fits(c, c->hash[i], false))
            return (enum adit_scp_checksum_rule)(ADIT_SCP_PAGES + i - PAGES);
    return ADIT_SCP_CHECKSUM_RULES;
}
