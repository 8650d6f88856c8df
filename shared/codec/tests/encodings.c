/* codec: every label and index, against a decoder that is not ours. That one is JavaScript: so this
 * program, when ENCODINGS_FILTER is set, decodes records from its input to its output for
 * wasm-tests/encodings.test.mjs (natively and as WASI). A record is "label length\n" and that many
 * bytes; the answer "name length\n" and the text in UTF-8, with name "-" for no such label. */
#include "tests/tap.h"
#include "codec/codec.h"

/* Reads a line without its LF; false at the end of the input. */
static bool read_line(char *line, size_t size)
{
    size_t n = 0;
    int c = getchar();
    if (c == EOF) return false;
    for (; c != EOF && c != '\n' && n + 1 < size; c = getchar()) line[n++] = (char)c;
    line[n] = 0;
    return true;
}

static int filter(void)
{
    char line[200];
    while (read_line(line, sizeof line)) {
        struct adit_str rest = adit_str_z(line), label, number;
        uint64_t len = 0;
        adit_str_split(&rest, ' ', &label);
        adit_str_split(&rest, ' ', &number);
        if (!adit_str_u64(number, &len)) return 1;
        char *bytes = malloc((size_t)len + 1);
        if (!bytes || fread(bytes, 1, (size_t)len, stdin) != len) return 1;
        struct adit_buf out;
        adit_buf_init(&out, tap_mem, (size_t)len * 3);
        const char *name = adit_charset_name(label);
        enum adit_code code = adit_charset_decode_as(adit_str_of(bytes, (size_t)len), label, &out);
        if ((code == ADIT_OK) != (name != NULL)) return 1;
        printf("%s %zu\n", name ? name : "-", out.len);
        fwrite(out.p, 1, out.len, stdout);
        adit_buf_free(&out);
        free(bytes);
    }
    return 0;
}

TEST(labels)
{
    ok(strcmp(adit_charset_name(ADIT_STR(" Latin1\n")), "windows-1252") == 0, "case and space");
    ok(!adit_charset_name(ADIT_STR("utf8 utf-8")), "two labels are none");
    ok(!adit_charset_name(ADIT_STR("")), "nothing is no label");
    struct adit_buf out;
    adit_buf_init(&out, tap_mem, 100);
    eq_int(adit_charset_decode_as(ADIT_STR("x"), ADIT_STR("utf-7"), &out), ADIT_EUNSUP, "UTF-7");
    adit_buf_free(&out);
}

int main(void)
{
    if (getenv("ENCODINGS_FILTER")) return filter();
    labels();
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
