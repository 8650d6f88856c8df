/* Any bytes as a configuration: refused with a reason, or usable for mapping any path. */
#include "http/config.h"

#include <stdlib.h>
#include <string.h>

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}

static void check(bool fine)
{
    if (!fine) abort();
}

/* The first line is a path, the rest the configuration. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct adit_mem mem = {resize, NULL};
    struct adit_str all = adit_str_of((const char *)data, len);
    size_t cut = adit_str_chr(all, '\n', 0);
    struct adit_str path = adit_str_sub(all, 0, cut), json = adit_str_sub(all, cut + 1, len);
    struct adit_config c;
    struct adit_buf why, page, back;
    adit_buf_init(&why, mem, 4096);
    adit_buf_init(&page, mem, 1 << 20);
    adit_buf_init(&back, mem, 1 << 20);
    enum adit_code code = adit_config_parse(&c, json, mem, &why);
    check((code == ADIT_OK) == (why.len == 0));
    if (code == ADIT_OK) {
        enum adit_path_kind kind = adit_map_path(&c, path, &page);
        if (kind == ADIT_PATH_JSON || kind == ADIT_PATH_MARKDOWN) {
            adit_map_machine(&c, kind, adit_buf_str(&page), &back);
            check(adit_str_eq(adit_buf_str(&back), path));
        }
        adit_map_excluded(&c, path, mem);
        adit_map_ours(&c, path);
        adit_buf_clear(&back);
        adit_map_url(&c, path, &back);
        for (size_t i = 0; i < back.len; i++)
            check((unsigned char)back.p[i] > 32 && (unsigned char)back.p[i] < 127 &&
                  !strchr("\"<>\\^`{|}", back.p[i]));
    }
    adit_config_free(&c);
    adit_buf_free(&why);
    adit_buf_free(&page);
    adit_buf_free(&back);
    return 0;
}
