/* For scripts/train-kinds: reads a page on stdin, takes its URL as argument, and writes the facts
 * that tell its kind, as the core computes them, one a line: name, TAB, value. */
#include "convert/convert.h"
#include "select/kind_impl.h"

#include <stdio.h>
#include <stdlib.h>

static void *resize(void *ctx, void *p, size_t old_len, size_t new_len)
{
    (void)ctx, (void)old_len;
    if (new_len) return realloc(p, new_len);
    free(p);
    return NULL;
}
static const struct adit_mem mem = {resize, NULL};

static const char *const names[ADIT_N_KIND_FACTS] = {
#define NAME(name, does) #name,
    ADIT_KIND_FACTS(NAME)
#undef NAME
};

int main(int argc, char **argv)
{
    static char body[ADIT_LIMIT_page_bytes];
    struct adit_str page = {body, fread(body, 1, sizeof body, stdin)};
    struct adit_page_source source = {.url = argc > 1 ? adit_str_z(argv[1])
                                                      : ADIT_STR("https://example.com/")};
    struct adit_converter *c = adit_converter_new(mem);
    struct adit_draft d;
    struct adit_verdicts v = {0};
    if (!c || adit_convert_prepare(c, page, &source, &d, NULL) != ADIT_OK || !d.tape.n_leaves)
        return 1;
    if (adit_tape_explain(&d.tape, &d.hints, d.arena, &v) != ADIT_OK) return 1;
    for (size_t k = 0; k < ADIT_N_KIND_FACTS; k++) printf("%s\t%d\n", names[k], v.page[k]);
    return 0;
}
