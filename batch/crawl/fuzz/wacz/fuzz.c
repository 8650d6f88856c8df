/* WACZ files of any kind: the ZIP, datapackage.json, the archives and the lists of pages in it. */
#include "batch/crawl/inputs_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    const char *why = NULL;
    struct wacz *w = wacz_open(source_bytes(adit_str_of((const char *)p, len)), &why);
    if (!w) {
        if (!why) __builtin_trap();
        return 0;
    }
    struct adit_str member;
    struct input *in;
    struct wacz_page page;
    for (int i = 0; i < 20 && wacz_next(w, &member, &in, &why); i++) {
        if (!in) {
            if (!why) __builtin_trap();
            continue;
        }
        struct warc_reader r;
        struct warc_record record;
        warc_init(&r, in);
        /* A member gives no more than a deflated file of its size can hold. */
        while (warc_next(&r, &record))
            if (record.block.len > 2000 * len + 100000) __builtin_trap();
        wacz_verify(w);
        input_close(in);
    }
    for (int i = 0; i < 1000 && wacz_page(w, &page); i++)
        if (!page.url.len || !page.text.len) __builtin_trap();
    wacz_fault(w);
    wacz_close(w);
    return 0;
}
