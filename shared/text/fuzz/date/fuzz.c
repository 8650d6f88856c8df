/* Dates: any text; what is written can be read again as the same instant. */
#include "text/text.h"
#include "tests/fuzz.h"

FUZZ_TARGET(text)
{
    struct adit_date d, again;
    struct adit_time t;
    adit_date_w3c(text, &t);
    adit_date_in_url(text, &again);
    if (!adit_date_parse(text, text.len & 1, &d)) return;
    struct adit_buf out;
    adit_buf_init(&out, fuzz_mem, 100);
    adit_date_write_local(&d, &out);
    if (fuzz_built(&out))
        MUST(adit_date_parse(adit_buf_str(&out), 0, &again) && again.time.s == d.time.s);
    adit_buf_free(&out);
}
