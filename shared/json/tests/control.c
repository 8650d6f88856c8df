/* Answers of another implementation: wasm-tests/json.test.mjs writes what Node says into a file,
 * one case a line, and runs this program, natively and in WASM, with its name in ADIT_CONTROL.
 * Fields are separated by spaces; texts are hexadecimal:
 *   n BITS NUMBER    the double prints as NUMBER (and reads back)
 *   p BITS NUMBER    NUMBER reads as the double; BITS "-": it is out of range
 *   s TEXT TEXT      the string is written so
 *   c TEXT TEXT      canonical form; "-": there is none
 *   y TEXT, x TEXT   is JSON, is not
 */
#include "json/json.h"
#include "crypto/crypto.h"
#include "tests/tap.h"

static struct adit_buf in, out;

static struct adit_str unhex(struct adit_str hex)
{
    adit_buf_clear(&in);
    if (!adit_buf_reserve(&in, hex.len / 2 + 1) ||
        !adit_hex_decode(hex, (uint8_t *)in.p, hex.len / 2))
        return (struct adit_str){0};
    in.len = hex.len / 2;
    return adit_buf_str(&in);
}

static bool is_hex(struct adit_str got, struct adit_str hex)
{
    return adit_str_eq(unhex(hex), got);
}

static uint64_t bits_of(struct adit_str hex)
{
    uint64_t v = 0;
    for (size_t i = 0; i < hex.len; i++) v = v << 4 | (uint64_t)adit_hex(hex.p[i]);
    return v;
}

static bool check(char kind, struct adit_str a, struct adit_str b)
{
    uint64_t bits = 0;
    struct adit_json_value v;
    bool none = adit_str_eq(a, ADIT_STR("-"));
    adit_buf_clear(&out);
    switch (kind) {
    case 'n':
        adit_json_number(&out, bits_of(a));
        return adit_str_eq(adit_buf_str(&out), b) && !adit_json_parse_number(b, &bits) &&
               (bits == bits_of(a) || bits_of(a) << 1 == 0);
    case 'p':
        if (adit_json_parse_number(b, &bits)) return none;
        return !none && bits == bits_of(a);
    case 's': adit_json_quote(&out, unhex(a)); return is_hex(adit_buf_str(&out), b);
    case 'c':
        if (adit_json_rewrite(unhex(a), &adit_json_canonical, tap_mem, &out, NULL))
            return adit_str_eq(b, ADIT_STR("-"));
        return is_hex(adit_buf_str(&out), b);
    case 'y': return adit_json_check(unhex(a), &v, NULL) == ADIT_OK;
    case 'x': return adit_json_check(unhex(a), &v, NULL) != ADIT_OK;
    default: return false;
    }
}

TEST(test_control)
{
    const char *path = getenv("ADIT_CONTROL");
    static char space[1 << 20]; /* line by line: little memory, whatever the number of cases */
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        tap_skip("what Node says", "started by wasm-tests/json.test.mjs");
        return;
    }
    adit_buf_init(&in, tap_mem, 16 << 20);
    adit_buf_init(&out, tap_mem, 16 << 20);
    long count[128] = {0}, wrong[128] = {0};
    while (fgets(space, sizeof space, file)) {
        struct adit_str kind, a = {0}, b = {0}, whole = adit_str_trim(adit_str_z(space)),
                              line = whole;
        if (!line.len) continue;
        adit_str_split(&line, ' ', &kind), adit_str_split(&line, ' ', &a),
            adit_str_split(&line, ' ', &b);
        int k = kind.p[0] & 127;
        count[k]++;
        if (!check(kind.p[0], a, b) && wrong[k]++ < 5) tap_show("wrong", whole);
    }
    for (int k = 0; k < 128; k++) {
        char what[64];
        snprintf(what, sizeof what, "%ld cases of kind %c", count[k], k);
        if (count[k]) eq_int(wrong[k], 0, what);
    }
    fclose(file);
    adit_buf_free(&in);
    adit_buf_free(&out);
}

RUN_TESTS(test_control)
