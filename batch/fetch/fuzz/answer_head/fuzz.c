/* The judge of answers' heads. What it lets through is written out again, one line a field, and
 * must be judged as before: status, length, fields. And who is lenient never sees another body's
 * end. */
#include "batch/fetch/fetch.h"
#include "tests/fuzz.h"

#include <stdio.h>

static struct answer_head judge(struct adit_str text, bool lenient, struct adit_buf *again)
{
    struct answer_head h = {.bytes_max = 1 << 15, .fields_max = 64, .lenient = lenient};
    struct adit_header f;
    enum answer_line what = ANSWER_NOTHING;
    while (text.len && !h.done && what != ANSWER_BAD) {
        size_t end = adit_str_chr(text, '\n', 0);
        what = answer_head_line(&h, adit_str_sub(text, 0, end + 1), &f);
        text = adit_str_sub(text, end + 1, text.len);
        if (what == ANSWER_BEGINS) {
            char line[32];
            snprintf(line, sizeof line, "HTTP/1.%d %u\r\n", !h.http_1_0, h.status);
            adit_buf_clear(again);
            adit_buf_lit(again, line);
        } else if (what == ANSWER_FIELD) {
            MUST(f.name.len && adit_str_chr(f.name, ' ', 0) == f.name.len);
            adit_buf_add(again, f.name);
            adit_buf_lit(again, ":");
            adit_buf_add(again, f.value);
            adit_buf_lit(again, "\r\n");
        }
    }
    MUST(h.done == (what == ANSWER_ENDS) && (what == ANSWER_BAD) == (h.fault != ANSWER_FINE));
    adit_buf_lit(again, "\r\n");
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct adit_buf first, second;
    adit_buf_init(&first, fuzz_mem, 1 << 20);
    adit_buf_init(&second, fuzz_mem, 1 << 20);
    struct adit_str text = adit_str_of((const char *)data, size);
    struct answer_head lenient = judge(text, true, &first), strict = judge(text, false, &first);
    if (strict.done) {
        MUST(lenient.done && lenient.status == strict.status && lenient.length == strict.length &&
             lenient.chunked == strict.chunked);
        MUST(!(strict.chunked && strict.length >= 0));
        struct answer_head again = judge(adit_buf_str(&first), false, &second);
        MUST(again.done && again.status == strict.status && again.length == strict.length &&
             again.chunked == strict.chunked);
        MUST(adit_str_eq(adit_buf_str(&first), adit_buf_str(&second)));
    }
    adit_buf_free(&first);
    adit_buf_free(&second);
    return 0;
}
