/* Archives of any kind, and the HTTP messages in them. */
#include "batch/http_message.h"
#include "batch/warc.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    static struct http_decoder *decoder;
    if (!decoder) decoder = http_decoder_new(1u << 20);
    struct input *in =
        input_open_bytes(adit_str_of((const char *)p, len),
                         &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
    struct warc_reader w;
    struct warc_record r;
    warc_init(&w, in);
    while (warc_next(&w, &r)) {
        struct http_message m;
        struct adit_str body;
        http_message_split(r.block, &m);
        http_decode(decoder, &m, &body);
        if (warc_field(&r, ADIT_STR("WARC-Profile")).len > r.header.len) __builtin_trap();
    }
    input_close(in);
    return 0;
}
