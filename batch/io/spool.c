/* Bytes that are held until what stands before them is known: a few in memory, more in a file without a
 * name. */
#include "batch/io/io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { HELD = 256 << 10, HELD_MAX = 2 * HELD };

void spool_init(struct spool *s, const char *folder)
{
    *s = (struct spool){.folder = folder, .fd = -1};
    adit_buf_init(&s->held, cli_mem, HELD_MAX);
}

void spool_free(struct spool *s)
{
    if (s->fd >= 0) close(s->fd);
    adit_buf_free(&s->held);
    *s = (struct spool){.fd = -1};
}

static bool give_up(struct spool *s, const char *why)
{
    if (!s->failed) cli_say(s->folder, "cannot use a temporary file: %s", why);
    s->failed = true;
    return false;
}

static bool write_all(struct spool *s, struct adit_str part)
{
    if (s->fd < 0) s->fd = output_unnamed(s->folder);
    if (s->fd < 0) return give_up(s, strerror(errno));
    while (part.len) {
        ssize_t n = write(s->fd, part.p, part.len);
        if (n < 0 && errno != EINTR) return give_up(s, strerror(errno));
        if (n > 0) part = adit_str_sub(part, (size_t)n, part.len);
    }
    return true;
}

bool spool_add(struct spool *s, struct adit_str part)
{
    if (s->failed) return false;
    s->len += part.len;
    if (s->held.len + part.len > HELD) {
        if (!write_all(s, adit_buf_str(&s->held))) return false;
        adit_buf_clear(&s->held);
        if (part.len > HELD) return write_all(s, part);
    }
    adit_buf_add(&s->held, part);
    return !s->held.err || give_up(s, "out of memory");
}

bool spool_copy(struct spool *s, struct output *out)
{
    char part[16 << 10];
    off_t at = 0;
    while (!s->failed && s->fd >= 0) {
        ssize_t n = pread(s->fd, part, sizeof part, at);
        if (n == 0) break;
        if (n < 0 && errno != EINTR) return give_up(s, strerror(errno));
        if (n > 0 && !output_write(out, adit_str_of(part, (size_t)n))) return false;
        if (n > 0) at += n;
    }
    return !s->failed && output_write(out, adit_buf_str(&s->held));
}
