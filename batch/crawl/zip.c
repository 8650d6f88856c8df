/* Reading ZIP: the end record, the directory, local headers. Every number is checked against the file
 * before anything is read or allocated by it. */
#include "batch/crawl/zip_impl.h"

#include <string.h>

enum {
    END = 22,
    COMMENT_MAX = 65535,
    LOCATOR64 = 20,
    END64 = 56,
    ENTRY = 46,
    LOCAL = 30,
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1
};

static uint64_t le(const char *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = n; i-- > 0;) v = v << 8 | (unsigned char)p[i];
    return v;
}

/* Where the directory is, and how many members it says that there are. */
struct directory {
    uint64_t at, len, n;
};

static const char no_end[] = "the end of the ZIP file is missing: fetch it again";

/* The end record is the last thing that looks like it, and whose comment ends with the file. */
static const char *find_end(struct input_source *of, struct adit_arena *arena, uint64_t *end_at,
                            char end[END])
{
    size_t len = of->size < END + COMMENT_MAX ? (size_t)of->size : END + COMMENT_MAX;
    uint64_t from = of->size - len;
    char *tail = len >= END ? adit_arena_alloc(arena, len) : NULL;
    if (!tail || !source_read_all(of, from, tail, len)) return no_end;
    for (size_t i = len - END + 1; i-- > 0;) {
        if (memcmp(tail + i, "PK\5\6", 4) != 0 || le(tail + i + 20, 2) != len - i - END) continue;
        memcpy(end, tail + i, END);
        *end_at = from + i;
        return NULL;
    }
    return no_end;
}

static const char *find_directory(struct input_source *of, uint64_t end_at, const char *end,
                                  struct directory *d)
{
    char locator[LOCATOR64], big[END64];
    *d = (struct directory){le(end + 16, 4), le(end + 12, 4), le(end + 10, 2)};
    bool is64 = d->at == UINT32_MAX || d->len == UINT32_MAX || d->n == UINT16_MAX;
    if (is64 && end_at >= LOCATOR64 &&
        source_read_all(of, end_at - LOCATOR64, locator, sizeof locator) &&
        memcmp(locator, "PK\6\7", 4) == 0) {
        uint64_t at = le(locator + 8, 8);
        if (at > of->size || of->size - at < END64 || !source_read_all(of, at, big, sizeof big) ||
            memcmp(big, "PK\6\6", 4) != 0)
            return "the ZIP64 end is not where it should be";
        *d = (struct directory){le(big + 48, 8), le(big + 40, 8), le(big + 32, 8)};
    }
    if (d->at > end_at || d->len > end_at - d->at)
        return "the ZIP directory lies outside of the file";
    if (d->len > ZIP_DIRECTORY_MAX || d->n > ZIP_MEMBERS_MAX)
        return "the ZIP directory is too large";
    return d->n > d->len / ENTRY ? "the ZIP directory is cut off" : NULL;
}

/* Sizes and offset that did not fit into 32 bits stand in an extra field, in this order. */
static bool read_extra(struct adit_str extra, uint64_t *const values[3])
{
    while (extra.len >= 4) {
        size_t id = (size_t)le(extra.p, 2), len = (size_t)le(extra.p + 2, 2);
        struct adit_str body = adit_str_sub(extra, 4, 4 + len);
        if (body.len < len) return false;
        extra = adit_str_sub(extra, 4 + len, extra.len);
        if (id != 1) continue;
        for (size_t i = 0; i < 3; i++) {
            if (*values[i] != UINT32_MAX) continue;
            if (body.len < 8) return false;
            *values[i] = le(body.p, 8);
            body = adit_str_sub(body, 8, body.len);
        }
        return true;
    }
    return *values[0] != UINT32_MAX && *values[1] != UINT32_MAX && *values[2] != UINT32_MAX;
}

/* One entry at the front of *rest, which it takes off. */
static const char *read_entry(struct adit_str *rest, struct zip_member *m)
{
    const char *p = rest->p;
    if (rest->len < ENTRY || memcmp(p, "PK\1\2", 4) != 0) return "the ZIP directory is damaged";
    size_t name = (size_t)le(p + 28, 2), extra = (size_t)le(p + 30, 2),
           note = (size_t)le(p + 32, 2);
    if (rest->len - ENTRY < name + extra + note) return "the ZIP directory is cut off";
    *m = (struct zip_member){.name = adit_str_sub(*rest, ENTRY, ENTRY + name),
                             .at = le(p + 42, 4),
                             .stored = le(p + 20, 4),
                             .size = le(p + 24, 4)};
    unsigned flags = (unsigned)le(p + 8, 2), method = (unsigned)le(p + 10, 2);
    uint64_t *const values[3] = {&m->size, &m->stored, &m->at};
    m->deflated = method == DEFLATED;
    if (!read_extra(adit_str_sub(*rest, ENTRY + name, ENTRY + name + extra), values))
        m->fault = "its entry in the ZIP directory is damaged";
    else if (flags & ENCRYPTED)
        m->fault = "is encrypted";
    else if (method != STORED && method != DEFLATED)
        m->fault = "is compressed by a method other than deflate";
    else if (method == STORED && m->stored != m->size)
        m->fault = "is stored with two sizes";
    else if (name > ZIP_NAME_MAX)
        m->fault = "has too long a name";
    *rest = adit_str_sub(*rest, ENTRY + name + extra + note, rest->len);
    return NULL;
}

const char *zip_read(struct zip *z, struct input_source *of)
{
    struct directory d;
    uint64_t end_at, total = 0;
    char end[END];
    *z = (struct zip){.of = of};
    adit_arena_init(&z->arena, cli_mem, 2 * (size_t)ZIP_DIRECTORY_MAX);
    const char *why = find_end(of, &z->arena, &end_at, end);
    if (!why) why = find_directory(of, end_at, end, &d);
    if (why) return why;
    char *text = adit_arena_alloc(&z->arena, (size_t)d.len + 1);
    z->v = adit_arena_zalloc(&z->arena, (size_t)d.n + 1, sizeof *z->v);
    if (!text || !z->v) return "out of memory";
    if (!source_read_all(of, d.at, text, (size_t)d.len)) return "the ZIP directory cannot be read";
    struct adit_str rest = adit_str_of(text, (size_t)d.len);
    for (; z->n < d.n && !why; z->n += !why) {
        struct zip_member *m = &z->v[z->n];
        why = read_entry(&rest, m);
        /* Members that overlap are a bomb: a small file that is read a thousand times. */
        if (!why && !m->fault && (m->stored > of->size || (total += m->stored) > of->size))
            why = "the ZIP members overlap, or lie outside of the file";
    }
    return why;
}

void zip_free(struct zip *z) { adit_arena_free(&z->arena); }

const struct zip_member *zip_find(const struct zip *z, struct adit_str name)
{
    for (size_t i = 0; i < z->n; i++)
        if (adit_str_eq(z->v[i].name, name)) return &z->v[i];
    return NULL;
}

struct input_source *zip_open(const struct zip *z, const struct zip_member *m, const char **why)
{
    char head[LOCAL];
    *why = m->fault;
    if (*why) return NULL;
    *why = "its local ZIP header is not where the directory says";
    if (m->at > z->of->size || z->of->size - m->at < LOCAL ||
        !source_read_all(z->of, m->at, head, sizeof head) || memcmp(head, "PK\3\4", 4) != 0)
        return NULL;
    uint64_t from = m->at + LOCAL + le(head + 26, 2) + le(head + 28, 2);
    if (from > z->of->size || m->stored > z->of->size - from) return NULL;
    struct input_source *s = m->deflated ? source_inflate(z->of, from, m->stored, m->size)
                                         : source_part(z->of, from, m->stored);
    *why = s ? NULL : "out of memory";
    return s;
}
