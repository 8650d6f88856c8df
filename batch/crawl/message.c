/* Splitting an archived HTTP response, and its header fields. */
#include "batch/crawl/crawl.h"

/* "HTTP/1.1 200 OK", "HTTP/2 200". */
static unsigned status_line(struct adit_str line)
{
    if (!adit_str_istarts(line, ADIT_STR("HTTP/"))) return 0;
    size_t space = adit_str_chr(line, ' ', 0);
    struct adit_str code = adit_str_trim(adit_str_sub(line, space, line.len));
    uint64_t status;
    code = adit_str_sub(code, 0, 3);
    return adit_str_u64(code, &status) && status >= 100 ? (unsigned)status : 0;
}

/* A field line, a continuation, or HTTP/2's ":status: 200". */
static bool is_field(struct adit_str line)
{
    size_t colon = adit_str_chr(line, ':', 1);
    return line.len > 1 && colon < line.len && line.p[0] != '<' &&
           adit_str_chr(adit_str_sub(line, 0, colon), '<', 0) == colon;
}

void http_message_split(struct adit_str block, struct http_message *m)
{
    size_t at = 0;
    *m = (struct http_message){.body = block};
    while (at < block.len) {
        size_t lf = adit_str_chr(block, '\n', at), next = lf < block.len ? lf + 1 : lf;
        struct adit_str line = adit_str_trim(adit_str_sub(block, at, lf));
        if (!line.len) { /* the blank line */
            if (at == 0) return;
            at = next;
            break;
        }
        if (at == 0) {
            m->status = status_line(line);
            bool head = adit_str_istarts(line, ADIT_STR("HTTP/")) || is_field(line);
            if (!head) return;
        } else if (line.p[0] == '<') { /* the blank line is missing */
            break;
        }
        at = next;
    }
    m->head = adit_str_sub(block, 0, at);
    m->body = adit_str_sub(block, at, block.len);
    uint64_t status;
    if (!m->status && adit_str_u64(http_field(m, ADIT_STR(":status")), &status) && status < 1000)
        m->status = (unsigned)status;
}

/* Takes the next field of that name off *rest. */
static bool next_field(struct adit_str *rest, struct adit_str name, struct adit_str *value)
{
    struct adit_str line;
    while (adit_str_split(rest, '\n', &line)) {
        if (!adit_str_istarts(line, name) || line.len == name.len || line.p[name.len] != ':')
            continue;
        *value = adit_str_trim(adit_str_sub(line, name.len + 1, line.len));
        return true;
    }
    return false;
}

struct adit_str http_field(const struct http_message *m, struct adit_str name)
{
    struct adit_str rest = m->head, value = {0};
    next_field(&rest, name, &value);
    return value;
}

void http_fields(const struct http_message *m, struct adit_str name, struct adit_buf *out)
{
    struct adit_str rest = m->head, value;
    for (bool first = true; next_field(&rest, name, &value); first = false) {
        if (!first) adit_buf_lit(out, ", ");
        adit_buf_add(out, value);
    }
}
