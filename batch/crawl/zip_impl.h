/* zip: the members of a ZIP file (APPNOTE 6.3), as WACZ uses it: stored or deflated, with ZIP64. Names
 * are strangers' words: they are compared and shown, and never become paths. */
#ifndef ADIT_CRAWL_ZIP_IMPL_H
#define ADIT_CRAWL_ZIP_IMPL_H

#include "batch/io/io.h"

enum { ZIP_NAME_MAX = 1024, ZIP_MEMBERS_MAX = 100000, ZIP_DIRECTORY_MAX = 64 << 20 };

struct zip_member {
    struct adit_str name; /* as it stands there; in the arena */
    uint64_t at;          /* of its local header */
    uint64_t stored, size;
    bool deflated;
    const char *fault; /* why it cannot be read: encrypted, another method; NULL: it can */
};

struct zip {
    struct input_source *of; /* not owned */
    struct adit_arena arena;
    struct zip_member *v;
    size_t n;
};

/* Reads the directory at the end of the file. NULL, or what is wrong; free z in any case. */
const char *zip_read(struct zip *z, struct input_source *of);
void zip_free(struct zip *z);
/* The member of that name, or NULL. */
const struct zip_member *zip_find(const struct zip *z, struct adit_str name);
/* A source over its bytes, which z's source must outlive. NULL, and *why. */
struct input_source *zip_open(const struct zip *z, const struct zip_member *m, const char **why);

#endif
