/* Any bytes as a configuration: refused with a reason, or usable for mapping any path. The first
 * line is a path, the rest the configuration. */
#include "exchange/exchange.h"
#include "tests/fuzz.h"

static void map(const struct adit_config *c, struct adit_str path)
{
    struct adit_buf page, back;
    adit_buf_init(&page, fuzz_mem, 1 << 20);
    adit_buf_init(&back, fuzz_mem, 1 << 20);
    const struct adit_format *format = NULL;
    enum adit_path_kind kind = adit_map_path(c, path, &page, &format);
    if (fuzz_built(&page) && kind == ADIT_PATH_VIEW) {
        adit_map_machine(c, format, adit_buf_str(&page), &back);
        if (fuzz_built(&back)) MUST(adit_str_eq(adit_buf_str(&back), path));
    }
    adit_map_excluded(c, path, fuzz_mem);
    adit_map_ours(c, path);
    adit_buf_clear(&back);
    adit_map_url(c, path, &back);
    for (size_t i = 0; i < back.len; i++)
        MUST((unsigned char)back.p[i] > 32 && (unsigned char)back.p[i] < 127 &&
             !strchr("\"<>\\^`{|}", back.p[i]));
    adit_buf_free(&page);
    adit_buf_free(&back);
}

FUZZ_TARGET(all)
{
    size_t cut = adit_str_chr(all, '\n', 0);
    struct adit_str path = adit_str_sub(all, 0, cut), json = adit_str_sub(all, cut + 1, all.len);
    struct adit_config c;
    struct adit_buf why;
    adit_buf_init(&why, fuzz_mem, 4096);
    enum adit_code code = adit_config_parse(&c, json, fuzz_mem, &why);
    MUST(fuzz.denied || (code == ADIT_OK) == (why.len == 0));
    if (fuzz_took(code)) map(&c, path);
    adit_config_free(&c);
    adit_buf_free(&why);
}
