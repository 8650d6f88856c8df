/* Where bytes can be read at an offset: files, parts of other sources, deflated parts, memory. */
#include "batch/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { INFLATE_IN = 64 << 10 };

void source_close(struct input_source *s)
{
    if (s) s->close(s);
}

bool source_read_all(struct input_source *s, uint64_t offset, char *to, size_t len)
{
    const char *why = NULL;
    while (len) {
        size_t n = s->read(s, offset, to, len, &why);
        if (n == 0) return false;
        offset += n, to += n, len -= n;
    }
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

struct file_source {
    struct input_source source;
    int fd;
};

static size_t file_read(struct input_source *s, uint64_t offset, char *to, size_t len,
                        const char **why)
{
    int fd = ((struct file_source *)s)->fd;
    if (offset > INT64_MAX) return 0;
    for (;;) {
        ssize_t n = s->seekable ? pread(fd, to, len, (off_t)offset) : read(fd, to, len);
        if (n >= 0) return (size_t)n;
        if (errno == EINTR) continue;
        *why = strerror(errno);
        return 0;
    }
}

static void file_close(struct input_source *s)
{
    struct file_source *f = (struct file_source *)s;
    if (f->fd > STDERR_FILENO) close(f->fd);
    free(f);
}

struct input_source *source_file(int fd, const char **why)
{
    struct stat st;
    struct file_source *f = NULL;
    if (fd < 0 || fstat(fd, &st) != 0)
        *why = strerror(errno);
    else if (S_ISDIR(st.st_mode))
        *why = "is a directory";
    else if (!(f = calloc(1, sizeof *f)))
        *why = "out of memory";
    if (!f) {
        if (fd > STDERR_FILENO) close(fd);
        return NULL;
    }
    f->fd = fd;
    f->source = (struct input_source){.read = file_read, .close = file_close};
    /* Standard input may be a file that somebody has read a part of: then it is read as a pipe. */
    f->source.seekable = S_ISREG(st.st_mode) && (fd > STDERR_FILENO || lseek(fd, 0, SEEK_CUR) == 0);
    f->source.size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    return &f->source;
}

/* --- a part of another source ----------------------------------------------------------------- */

struct part_source {
    struct input_source source, *of;
    uint64_t from;
};

static size_t part_read(struct input_source *s, uint64_t offset, char *to, size_t len,
                        const char **why)
{
    struct part_source *p = (struct part_source *)s;
    if (offset >= s->size) return 0;
    if (len > s->size - offset) len = (size_t)(s->size - offset);
    return p->of->read(p->of, p->from + offset, to, len, why);
}

static void part_close(struct input_source *s) { free(s); }

struct input_source *source_part(struct input_source *of, uint64_t from, uint64_t len)
{
    struct part_source *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->of = of;
    p->from = from;
    p->source = (struct input_source){part_read, part_close, len, of->seekable};
    return &p->source;
}

/* --- a deflated part: in one direction only --------------------------------------------------- */

struct inflate_source {
    struct input_source source, *of;
    uint64_t from, left,
        done; /* encoded bytes: next, still to come; decoded ones that were given */
    z_stream z;
    bool ended;
    unsigned char in[INFLATE_IN];
};

static size_t inflate_read(struct input_source *s, uint64_t offset, char *to, size_t len,
                           const char **why)
{
    struct inflate_source *p = (struct inflate_source *)s;
    (void)offset; /* not seekable: it is where we are */
    if (len > UINT32_MAX) len = UINT32_MAX;
    p->z.next_out = (Bytef *)to;
    p->z.avail_out = (uInt)len;
    while (!p->ended && p->z.avail_out == len) {
        if (p->z.avail_in == 0 && p->left) {
            size_t want = p->left < INFLATE_IN ? (size_t)p->left : INFLATE_IN;
            size_t n = p->of->read(p->of, p->from, (char *)p->in, want, why);
            if (n == 0) {
                if (!*why) *why = "the deflated data is cut off";
                return 0;
            }
            p->z.next_in = p->in;
            p->z.avail_in = (uInt)n;
            p->from += n, p->left -= n;
        }
        int r = inflate(&p->z, Z_NO_FLUSH);
        p->ended = r == Z_STREAM_END;
        if (r != Z_OK && r != Z_STREAM_END) {
            *why = "damaged deflated data";
            return 0;
        }
    }
    size_t got = len - p->z.avail_out;
    p->done += got;
    if (p->done > s->size) {
        *why = "inflates to more than its stated size";
        return 0;
    }
    return got;
}

static void inflate_close(struct input_source *s)
{
    inflateEnd(&((struct inflate_source *)s)->z);
    free(s);
}

struct input_source *source_inflate(struct input_source *of, uint64_t from, uint64_t len,
                                    uint64_t size)
{
    struct inflate_source *p = calloc(1, sizeof *p);
    if (!p || inflateInit2(&p->z, -MAX_WBITS) != Z_OK) {
        free(p);
        return NULL;
    }
    p->of = of;
    p->from = from;
    p->left = len;
    p->source = (struct input_source){inflate_read, inflate_close, size, false};
    return &p->source;
}

/* --- memory ----------------------------------------------------------------------------------- */

struct bytes_source {
    struct input_source source;
    struct adit_str bytes;
};

static size_t bytes_read(struct input_source *s, uint64_t offset, char *to, size_t len,
                         const char **why)
{
    struct adit_str bytes = ((struct bytes_source *)s)->bytes;
    (void)why;
    if (offset >= bytes.len) return 0;
    size_t n = bytes.len - (size_t)offset;
    if (n > len) n = len;
    memcpy(to, bytes.p + offset, n);
    return n;
}

struct input_source *source_bytes(struct adit_str bytes)
{
    struct bytes_source *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->bytes = bytes;
    b->source = (struct input_source){bytes_read, part_close, bytes.len, true};
    return &b->source;
}

/* --- a hash of what is read ------------------------------------------------------------------- */

struct hash_source {
    struct input_source source, *of;
    struct adit_sha256 hash;
    uint64_t hashed;
};

/* Readers that look ahead leave gaps: those are read at the end. */
static size_t hash_read(struct input_source *s, uint64_t offset, char *to, size_t len,
                        const char **why)
{
    struct hash_source *h = (struct hash_source *)s;
    size_t n = h->of->read(h->of, offset, to, len, why);
    if (offset <= h->hashed && offset + n > h->hashed) {
        size_t known = (size_t)(h->hashed - offset);
        adit_sha256_update(&h->hash, to + known, n - known);
        h->hashed = offset + n;
    }
    return n;
}

static void hash_close(struct input_source *s)
{
    source_close(((struct hash_source *)s)->of);
    free(s);
}

struct input_source *source_hash(struct input_source *of)
{
    struct hash_source *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->of = of;
    adit_sha256_init(&h->hash);
    h->source = (struct input_source){hash_read, hash_close, of->size, of->seekable};
    return &h->source;
}

bool source_hash_end(struct input_source *s, uint8_t hash[ADIT_SHA256_LEN])
{
    struct hash_source *h = (struct hash_source *)s;
    char rest[16 << 10];
    const char *why = NULL;
    while (s->read(s, h->hashed, rest, sizeof rest, &why)) {}
    if (why) return false;
    adit_sha256_final(&h->hash, hash);
    return true;
}
