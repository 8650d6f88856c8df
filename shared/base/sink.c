/* The sink that ends a chain, error names, and the limits as a table. */
#include "base/base.h"

static enum adit_code buf_write(struct adit_sink *s, const char *p, size_t len)
{
    struct adit_buf *buf = ((struct adit_buf_sink *)s)->buf;
    adit_buf_add(buf, adit_str_of(p, len));
    return buf->err;
}

static enum adit_code buf_end(struct adit_sink *s) { return ((struct adit_buf_sink *)s)->buf->err; }

struct adit_sink *adit_buf_sink_init(struct adit_buf_sink *s, struct adit_buf *buf)
{
    *s = (struct adit_buf_sink){{buf_write, buf_end}, buf};
    return &s->sink;
}

const char *adit_code_name(enum adit_code code)
{
    static const char *const names[] = {
        [ADIT_OK] = "ok",
        [ADIT_ENOMEM] = "out of memory",
        [ADIT_ELIMIT] = "limit reached",
        [ADIT_EBAD] = "invalid input",
        [ADIT_EEOF] = "input ends too early",
        [ADIT_EUNSUP] = "not supported",
        [ADIT_EIO] = "cannot write",
        [ADIT_ESTOP] = "stopped",
    };
    return (size_t)code < ADIT_COUNT(names) ? names[code] : "unknown error";
}

enum adit_code adit_fail(struct adit_error *err, enum adit_code code, const char *msg, size_t pos)
{
    if (err) *err = (struct adit_error){code, msg, pos};
    return code;
}

const struct adit_limit adit_limits[] = {
#define ADIT_LIMIT_ROW(name, value, why) {#name, (value), why},
    ADIT_LIMITS(ADIT_LIMIT_ROW)
#undef ADIT_LIMIT_ROW
        {0},
};
