/* The native half of fuzz.mjs: the functions of edge/core.c, as adit-core.wasm exports them, driven
 * in the same steps. Reads frames (u32 length, bytes) from stdin and answers each with one:
 *
 *   'C' and a configuration: answered "1" if it was taken, "0" and the reason if not.
 *   'X', a byte that decides the pieces, then four parts (u32 length, bytes): the fields of a
 *   request, the status and fields of the origin's answer, its body, what was remembered. Answered
 *   with all that the exchange says, in the order in which it says it.
 */
#include "edge/core.c"

#include <stdio.h>
#include <string.h>

enum { STEPS = 10 };

static struct adit_buf told;

static uint32_t get32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

static void put32(char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (char)(v >> 8 * i);
}

static void tell(struct adit_str s)
{
    char len[4];
    put32(len, (uint32_t)s.len);
    adit_buf_add(&told, adit_str_of(len, 4));
    adit_buf_add(&told, s);
}

static void tell_number(uint32_t v)
{
    char bytes[4];
    put32(bytes, v);
    adit_buf_add(&told, adit_str_of(bytes, 4));
}

static void tell_of(struct adit_exchange *x, enum what what)
{
    const char *p = core_get(x, what);
    tell(adit_str_of(p, core_len()));
}

static struct adit_str part(struct adit_str *rest)
{
    size_t len = rest->len < 4 ? 0 : get32(rest->p);
    struct adit_str s = adit_str_sub(*rest, 4, 4 + len);
    *rest = adit_str_sub(*rest, 4 + len, rest->len);
    return s;
}

/* The next piece: lengths go round in a pattern that `how` decides; 0: the whole. */
static size_t piece(unsigned how, size_t n, size_t left)
{
    size_t want = how ? (how * 7u + n * n * 13u) % (how < 128 ? 61u : 4099u) + 1 : left;
    return want < left ? want : left;
}

static uint32_t fetch(struct adit_exchange *x, struct adit_str answer, struct adit_str body,
                      unsigned how)
{
    tell_of(x, GET_FETCH_AUTHORITY);
    tell_of(x, GET_FETCH_PATH);
    tell_of(x, GET_FETCH_HEADERS);
    uint32_t a = core_fetched(x, get32(answer.p), answer.p + 4, answer.len - 4);
    size_t n = 0;
    for (size_t at = 0, len; a == ADIT_BODY && at < body.len; at += len) {
        len = piece(how, n++, body.len - at);
        a = core_fetched_body(x, body.p + at, len);
    }
    return a == ADIT_BODY ? core_fetched_end(x) : a;
}

static void pass_on(struct adit_exchange *x, struct adit_str answer, struct adit_str body,
                    unsigned how)
{
    tell_of(x, GET_REQUEST_EDITS);
    if (core_done(x)) return;
    uint32_t inject = core_response(x, get32(answer.p), answer.p + 4, answer.len - 4);
    tell_number(inject);
    tell_of(x, GET_RESPONSE_EDITS);
    size_t n = 0;
    for (size_t at = 0, len; inject && at < body.len; at += len) {
        len = piece(how, n++, body.len - at);
        core_body(x, body.p + at, len);
        tell_of(x, GET_INJECTED);
    }
    if (!inject) return;
    core_body_end(x);
    tell_of(x, GET_INJECTED);
}

static void exchange(struct adit_str in)
{
    static const enum what answers[] = {GET_ANSWER_HEADERS, GET_ANSWER_BODY, GET_REMEMBER_KEY,
                                        GET_REMEMBER_VALUE, GET_REASON,      GET_ROUTE};
    unsigned how = (unsigned char)in.p[0];
    in = adit_str_sub(in, 1, in.len);
    struct adit_str request = part(&in), answer = part(&in), body = part(&in), memory = part(&in);
    struct adit_exchange *x = core_open();
    uint32_t a = core_request(x, request.p, request.len, 1794873600);
    for (int step = 0; a != ADIT_ANSWER && a != ADIT_PASS && step < STEPS; step++) {
        tell_number(a);
        if (a == ADIT_RECALL)
            a = core_recalled(x, memory.p, memory.len);
        else if (a == ADIT_FETCH)
            a = fetch(x, answer, body, how);
    }
    tell_number(a);
    tell_number(core_status(x));
    if (a == ADIT_PASS) pass_on(x, answer, body, how);
    for (size_t i = 0; i < ADIT_COUNT(answers); i++) tell_of(x, answers[i]);
    core_close(x);
}

static void configure(struct adit_str json)
{
    bool taken = core_configure(json.p, json.len);
    adit_buf_byte(&told, taken ? '1' : '0');
    if (!taken) adit_buf_add(&told, adit_buf_str(&core.out));
}

int main(void)
{
    static char in[64 << 20];
    char head[4];
    adit_buf_init(&told, mem, 256 << 20);
    while (fread(head, 1, 4, stdin) == 4) {
        size_t len = get32(head);
        if (len < 2 || len > sizeof in || fread(in, 1, len, stdin) != len) return 2;
        adit_buf_clear(&told);
        struct adit_str rest = adit_str_of(in + 1, len - 1);
        if (in[0] == 'C')
            configure(rest);
        else
            exchange(rest);
        put32(head, (uint32_t)told.len);
        if (told.err || fwrite(head, 1, 4, stdout) != 4) return 3;
        if (fwrite(told.p, 1, told.len, stdout) != told.len || fflush(stdout)) return 3;
    }
    return 0;
}
