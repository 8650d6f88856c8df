/* Web links (RFC 8288) in Link fields; html/ finds the same in <link> elements. */
#ifndef ADIT_HTTP_LINK_H
#define ADIT_HTTP_LINK_H

#include "base/base.h"

struct adit_link {
    struct adit_str href; /* as written, perhaps relative */
    struct adit_str rel;  /* relation types, separated by spaces */
    struct adit_str type; /* media type, a hint; may be empty */
    bool anchored;        /* speaks of another resource than the one it came with */
};

/* Takes the next link off the value of a Link field (several fields joined with ", "). What is
 * malformed is passed over up to the next comma. False at the end. */
bool adit_link_next(struct adit_str *rest, struct adit_link *link);

/* Whether it has that relation, and (type not empty) that media type, parameters aside. */
bool adit_link_is(const struct adit_link *link, const char *rel, const char *type);

#endif
