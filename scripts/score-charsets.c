/* For scripts/score-charsets: reads samples from stdin, each a line "LABEL TAB URL TAB LENGTH" and so
 * many bytes, and writes a line each: whether the encoding that was found gives the text that LABEL
 * gives, its name, and how it was found. */
#include "codec/codec.h"
#include "tests/mem.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    static char line[8192], body[9 << 20];
    while (fgets(line, sizeof line, stdin)) {
        struct adit_str rest = adit_str_trim(adit_str_z(line)), label, url, number;
        uint64_t len = 0;
        adit_str_split(&rest, '\t', &label);
        adit_str_split(&rest, '\t', &url);
        adit_str_split(&rest, '\t', &number);
        if (!adit_str_u64(number, &len) || len > sizeof body || fread(body, 1, len, stdin) != len)
            return 1;
        struct adit_buf found, want;
        struct adit_str text, page = adit_str_of(body, len);
        struct adit_charset used;
        adit_buf_init(&found, libc_mem, 3 * sizeof body);
        adit_buf_init(&want, libc_mem, 3 * sizeof body);
        if (adit_charset_decode(page, (struct adit_str){0}, url, &found, &text, &used)) return 1;
        bool known = !adit_charset_decode_as(page, label, &want);
        bool right = known && adit_str_eq(text, adit_buf_str(&want));
        printf("%s\t%s\t%s\n",
               right   ? "right"
               : known ? "wrong"
                       : "unknown",
               used.name, adit_charset_source_name(used.source));
        adit_buf_free(&found);
        adit_buf_free(&want);
    }
    return 0;
}
