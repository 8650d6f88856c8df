/* The judge of answers' heads: RFC 9112, read as a recipient that trusts nobody must. */
#include "batch/fetch/fetch.h"

#include <string.h>

const char *answer_fault_text(enum answer_fault fault)
{
    static const char *const texts[] = {[ANSWER_FINE] = "",
#define ANSWER_FAULT_TEXT(name, text) [ANSWER_FAULT_##name] = (text),
                                        ANSWER_FAULTS(ANSWER_FAULT_TEXT)
#undef ANSWER_FAULT_TEXT
    };
    return texts[fault];
}

static enum answer_line refuse(struct answer_head *h, enum answer_fault fault)
{
    h->fault = fault;
    return ANSWER_BAD;
}

/* HTTP/1.0 or 1.1 (HTTP/2 and 3 as curl writes them), three digits, any reason or none. */
static enum answer_line read_status(struct answer_head *h, struct adit_str line)
{
    bool old = adit_str_starts(line, ADIT_STR("HTTP/1."));
    bool newer = !h->http_1 && (adit_str_starts(line, ADIT_STR("HTTP/2 ")) ||
                                adit_str_starts(line, ADIT_STR("HTTP/3 ")));
    size_t at = old ? strlen("HTTP/1.1 ") : strlen("HTTP/2 ");
    if ((!old && !newer) || line.len < at + 3) return refuse(h, ANSWER_FAULT_STATUS_LINE);
    if (old && ((line.p[7] != '0' && line.p[7] != '1') || line.p[8] != ' '))
        return refuse(h, ANSWER_FAULT_STATUS_LINE);
    const char *p = line.p + at;
    if (!adit_is_digit(p[0]) || !adit_is_digit(p[1]) || !adit_is_digit(p[2]) ||
        (line.len > at + 3 && p[3] != ' '))
        return refuse(h, ANSWER_FAULT_STATUS_LINE);
    h->status = (unsigned)((p[0] - '0') * 100 + (p[1] - '0') * 10 + (p[2] - '0'));
    /* 101 would make the rest another protocol's, and none was asked for. */
    if (h->status < 100 || h->status > 599 || h->status == 101)
        return refuse(h, ANSWER_FAULT_STATUS);
    h->http_1_0 = old && line.p[7] == '0';
    h->begun = true;
    h->n_fields = 0;
    h->length = -1;
    h->chunked = h->coded = h->framing = false;
    return ANSWER_BEGINS;
}

static enum answer_line end_head(struct answer_head *h)
{
    if (h->status < 200) {
        h->begun = false;
        return ANSWER_NOTHING;
    }
    /* Before HTTP/1.1 there are no transfer codings (RFC 9112, 6.1). */
    if (h->coded && (!h->chunked || h->http_1_0)) return refuse(h, ANSWER_FAULT_CODING);
    if (h->coded && h->length >= 0) return refuse(h, ANSWER_FAULT_BOTH);
    h->done = true;
    return ANSWER_ENDS;
}

/* Fields that say where the body ends. One that does so twice, or in an unusual way, is read
 * differently by different recipients. */
static bool read_framing(struct answer_head *h, struct adit_header f)
{
    if (adit_str_ieq(f.name, ADIT_STR("content-length"))) {
        uint64_t len;
        h->framing = true;
        if (h->length >= 0 || !adit_str_u64(f.value, &len) || len > INT64_MAX) {
            h->fault = ANSWER_FAULT_LENGTH;
            return false;
        }
        h->length = (int64_t)len;
    } else if (adit_str_ieq(f.name, ADIT_STR("transfer-encoding"))) {
        h->framing = true;
        h->chunked = !h->coded && adit_str_ieq(f.value, ADIT_STR("chunked"));
        h->coded = true;
    }
    return true;
}

/* Only what the grammar calls white space: a line end in a value is none. */
static struct adit_str trim(struct adit_str s)
{
    while (s.len && (s.p[0] == ' ' || s.p[0] == '\t')) s.p++, s.len--;
    while (s.len && (s.p[s.len - 1] == ' ' || s.p[s.len - 1] == '\t')) s.len--;
    return s;
}

static enum answer_line read_field(struct answer_head *h, struct adit_str line,
                                   struct adit_header *field)
{
    size_t colon = adit_str_chr(line, ':', 0);
    struct adit_header f = {adit_str_sub(line, 0, colon),
                            trim(adit_str_sub(line, colon + 1, line.len))};
    h->framing = false;
    if (++h->n_fields > h->fields_max) return refuse(h, ANSWER_FAULT_COUNT);
    if (colon == line.len || !adit_is_token(f.name)) {
        /* "Content-Length : 5" is a length to some. */
        struct adit_str bare = adit_str_trim(f.name);
        bool framing = adit_str_ieq(bare, ADIT_STR("content-length")) ||
                       adit_str_ieq(bare, ADIT_STR("transfer-encoding"));
        return h->lenient && !framing ? ANSWER_NOTHING : refuse(h, ANSWER_FAULT_NAME);
    }
    if (!read_framing(h, f)) return ANSWER_BAD;
    if (!adit_is_field_value(line))
        return h->lenient ? ANSWER_NOTHING : refuse(h, ANSWER_FAULT_VALUE);
    *field = f;
    return ANSWER_FIELD;
}

enum answer_line answer_head_line(struct answer_head *h, struct adit_str line,
                                  struct adit_header *field)
{
    if (h->fault) return ANSWER_BAD;
    h->bytes += line.len;
    if (h->bytes > h->bytes_max) return refuse(h, ANSWER_FAULT_SIZE);
    if (h->done) return ANSWER_NOTHING;
    if (line.len && line.p[line.len - 1] == '\n') line.len--;
    if (line.len && line.p[line.len - 1] == '\r') line.len--;
    if (!h->begun) return read_status(h, line);
    if (!line.len) return end_head(h);
    if (line.p[0] != ' ' && line.p[0] != '\t') return read_field(h, line, field);
    /* A line that begins with white space goes on with the value of the last one (RFC 9112, 5.2);
     * not every recipient knows. */
    if (!h->lenient || h->framing) return refuse(h, ANSWER_FAULT_FOLD);
    *field = (struct adit_header){.value = trim(line)};
    return ANSWER_FOLDED;
}
