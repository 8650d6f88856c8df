/* The judge of answers' heads: a row a head, judged for passing on and for keeping. */
#include "batch/fetch/fetch.h"
#include "tests/tap.h"

static struct answer_head judge(struct adit_str text, bool lenient, size_t *n_fields)
{
    struct answer_head h = {.bytes_max = 300, .fields_max = 4, .lenient = lenient};
    struct adit_header f;
    enum answer_line what = ANSWER_NOTHING;
    *n_fields = 0;
    while (text.len && what != ANSWER_BAD) {
        size_t end = adit_str_chr(text, '\n', 0);
        what = answer_head_line(&h, adit_str_sub(text, 0, end + 1), &f);
        text = adit_str_sub(text, end + 1, text.len);
        if (what == ANSWER_BEGINS) *n_fields = 0;
        *n_fields += what == ANSWER_FIELD;
    }
    return h;
}

#define H "HTTP/1.1 200 OK\r\n"
#define E "\r\n"

TEST(heads)
{
    static const struct {
        const char *text;
        enum answer_fault strict, lenient;
        size_t n; /* fields, lenient */
    } rows[] = {
        {H E, ANSWER_FINE, ANSWER_FINE, 0},
        {"HTTP/1.1 200\r\n" E, ANSWER_FINE, ANSWER_FINE, 0},
        {"HTTP/1.1 200 \r\n" E, ANSWER_FINE, ANSWER_FINE, 0},
        {"HTTP/1.0 404 Not Found\nA: b\n\n", ANSWER_FINE, ANSWER_FINE, 1},
        {"HTTP/2 200 \r\n" E, ANSWER_FINE, ANSWER_FINE, 0},
        {"HTTP/1.1 100 C\r\nContent-Length: 3\r\n" E H "Content-Length: 4\r\n" E, ANSWER_FINE,
         ANSWER_FINE, 1},
        {H "A:\r\nB: \tx \t\r\n" E, ANSWER_FINE, ANSWER_FINE, 2},
        {H "!#$%&'*+-.^_`|~09azAZ: x\r\n" E, ANSWER_FINE, ANSWER_FINE, 1},
        {H "Transfer-Encoding: CHUNKED \r\n" E "Trailer: x\r\n: bad\r\n" E, ANSWER_FINE,
         ANSWER_FINE, 1},
        {"HTTP/1.2 200 OK\r\n" E, ANSWER_FAULT_STATUS_LINE, ANSWER_FAULT_STATUS_LINE, 0},
        {"HTTP/1.1  200 OK\r\n" E, ANSWER_FAULT_STATUS_LINE, ANSWER_FAULT_STATUS_LINE, 0},
        {"HTTP/1.1 20\r\n" E, ANSWER_FAULT_STATUS_LINE, ANSWER_FAULT_STATUS_LINE, 0},
        {"HTTP/1.1 2000\r\n" E, ANSWER_FAULT_STATUS_LINE, ANSWER_FAULT_STATUS_LINE, 0},
        {"http/1.1 200 OK\r\n" E, ANSWER_FAULT_STATUS_LINE, ANSWER_FAULT_STATUS_LINE, 0},
        {"\r\n" H E, ANSWER_FAULT_STATUS_LINE, ANSWER_FAULT_STATUS_LINE, 0},
        {"HTTP/1.1 099 X\r\n" E, ANSWER_FAULT_STATUS, ANSWER_FAULT_STATUS, 0},
        {"HTTP/1.1 600 X\r\n" E, ANSWER_FAULT_STATUS, ANSWER_FAULT_STATUS, 0},
        {"HTTP/1.1 101 X\r\n" E, ANSWER_FAULT_STATUS, ANSWER_FAULT_STATUS, 0},
        {H "A: 1\r\nA: 2\r\nA: 3\r\nA: 4\r\n" E, ANSWER_FINE, ANSWER_FINE, 4},
        {H "A: 1\r\nA: 2\r\nA: 3\r\nA: 4\r\nA: 5\r\n" E, ANSWER_FAULT_COUNT, ANSWER_FAULT_COUNT, 4},
        {H "A b: c\r\n" E, ANSWER_FAULT_NAME, ANSWER_FINE, 0},
        {H "A : c\r\n" E, ANSWER_FAULT_NAME, ANSWER_FINE, 0},
        {H ": c\r\n d\r\n" E, ANSWER_FAULT_NAME, ANSWER_FINE, 0},
        {H "nonsense\r\n" E, ANSWER_FAULT_NAME, ANSWER_FINE, 0},
        {H "Content-Length : 5\r\n" E, ANSWER_FAULT_NAME, ANSWER_FAULT_NAME, 0},
        {H "transfer-encoding\t: chunked\r\n" E, ANSWER_FAULT_NAME, ANSWER_FAULT_NAME, 0},
        {H "A: b\001c\r\n" E, ANSWER_FAULT_VALUE, ANSWER_FINE, 0},
        {H "A: b\177c\r\n" E, ANSWER_FAULT_VALUE, ANSWER_FINE, 0},
        {H "A: b\rB: c\r\n" E, ANSWER_FAULT_VALUE, ANSWER_FINE, 0},
        {H "A: b\r\r\n" E, ANSWER_FAULT_VALUE, ANSWER_FINE, 0},
        {H "A: b\r\n c: d\r\n" E, ANSWER_FAULT_FOLD, ANSWER_FINE, 1},
        {H " A: b\r\n" E, ANSWER_FAULT_FOLD, ANSWER_FINE, 0},
        {H "Content-Length: 1\r\n 0\r\n" E, ANSWER_FAULT_FOLD, ANSWER_FAULT_FOLD, 1},
        {H "Transfer-Encoding: x\r\n chunked\r\n" E, ANSWER_FAULT_FOLD, ANSWER_FAULT_FOLD, 1},
        {H "Content-Length: 1\r\nContent-Length: 2\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH,
         1},
        {H "Content-Length: 1\r\nCONTENT-LENGTH: 1\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH,
         1},
        {H "Content-Length: 1, 1\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH, 0},
        {H "Content-Length: -1\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH, 0},
        {H "Content-Length: 1\v\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH, 0},
        {H "Content-Length:\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH, 0},
        {H "Content-Length: 9223372036854775807\r\n" E, ANSWER_FINE, ANSWER_FINE, 1},
        {H "Content-Length: 9223372036854775808\r\n" E, ANSWER_FAULT_LENGTH, ANSWER_FAULT_LENGTH,
         0},
        {H "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n" E, ANSWER_FAULT_BOTH,
         ANSWER_FAULT_BOTH, 2},
        {H "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n" E, ANSWER_FAULT_BOTH,
         ANSWER_FAULT_BOTH, 2},
        {H "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" E, ANSWER_FAULT_CODING,
         ANSWER_FAULT_CODING, 2},
        {H "Transfer-Encoding: gzip, chunked\r\n" E, ANSWER_FAULT_CODING, ANSWER_FAULT_CODING, 1},
        {H "Transfer-Encoding:\r\n" E, ANSWER_FAULT_CODING, ANSWER_FAULT_CODING, 1},
        {"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n" E, ANSWER_FAULT_CODING,
         ANSWER_FAULT_CODING, 1},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        size_t n;
        struct answer_head h = judge(adit_str_z(rows[i].text), false, &n);
        bool right = eq_int(h.fault, rows[i].strict, "to be passed on");
        ok(h.done == (h.fault == ANSWER_FINE), "complete if nothing is wrong");
        h = judge(adit_str_z(rows[i].text), true, &n);
        right = eq_int(h.fault, rows[i].lenient, "to be kept") && right;
        right = eq_int((long long)n, (long long)rows[i].n, "its fields") && right;
        if (!right) tap_show("head", adit_str_z(rows[i].text));
    }
}

TEST(facts)
{
    size_t n;
    struct answer_head h =
        judge(ADIT_STR("HTTP/1.1 103 X\r\nContent-Length: 9\r\n\r\n"), false, &n);
    ok(!h.done && h.fault == ANSWER_FINE, "behind a 1xx answer another is expected");
    h = judge(ADIT_STR("HTTP/1.1 404 X\r\nContent-Length: 007\r\n\r\n"), false, &n);
    ok(h.done && h.status == 404 && h.length == 7 && !h.chunked, "status and length");
    h = judge(ADIT_STR(H "Transfer-Encoding: chunked\r\n\r\n"), false, &n);
    ok(h.done && h.length == -1 && h.chunked, "chunked");
    h = (struct answer_head){.bytes_max = 1 << 10, .fields_max = 1, .http_1 = true};
    struct adit_header f;
    ok(answer_head_line(&h, ADIT_STR("HTTP/2 200\r\n"), &f) == ANSWER_BAD, "HTTP/2 unasked");
    ok(answer_head_line(&h, ADIT_STR(H), &f) == ANSWER_BAD, "a fault stays");
    eq_str(adit_str_z(answer_fault_text(h.fault)), ADIT_STR("does not begin with a status line"),
           "and has a text");
}

/* All heads count, and what comes behind them. */
TEST(sizes)
{
    static const char line[] = "HTTP/1.1 100 X\r\n";
    struct answer_head h = {.bytes_max = 18 * 10, .fields_max = 1};
    struct adit_header f;
    size_t n = 0;
    while (answer_head_line(&h, adit_str_z(line), &f) == ANSWER_BEGINS &&
           answer_head_line(&h, ADIT_STR("\r\n"), &f) == ANSWER_NOTHING)
        n++;
    eq_int((long long)n, 10, "1xx answers up to the limit");
    eq_int(h.fault, ANSWER_FAULT_SIZE, "then too large");
    h = (struct answer_head){.bytes_max = strlen(H) + 2 + 6, .fields_max = 1};
    answer_head_line(&h, ADIT_STR(H), &f);
    eq_int(answer_head_line(&h, ADIT_STR("\r\n"), &f), ANSWER_ENDS, "a head");
    eq_int(answer_head_line(&h, ADIT_STR("A: b\r\n"), &f), ANSWER_NOTHING, "a trailer");
    eq_int(answer_head_line(&h, ADIT_STR("\r\n"), &f), ANSWER_BAD, "trailers beyond the limit");
}

RUN_TESTS(heads, facts, sizes)
