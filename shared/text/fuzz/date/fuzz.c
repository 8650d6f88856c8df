/* Dates: any text; what is written can be read again as the same instant. */
#include "text/date.h"

#include <stdlib.h>

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, new_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct adit_str text = adit_str_of((const char *)data, len);
    struct adit_date d, again;
    struct adit_time t;
    adit_date_w3c(text, &t);
    adit_date_in_url(text, &again);
    if (!adit_date_parse(text, len & 1, &d)) return 0;
    struct adit_buf out;
    adit_buf_init(&out, (struct adit_mem){resize, NULL}, 100);
    adit_date_write_local(&d, &out);
    if (out.err || !adit_date_parse(adit_buf_str(&out), 0, &again) || again.time.s != d.time.s)
        abort();
    adit_buf_free(&out);
    return 0;
}
