/* The judge of requests: a table of heads. */
#include "batch/serve/strict_impl.h"
#include "tests/tap.h"

enum { FIELDS = 4 };

struct row {
    unsigned status;
    const char *method, *target, *version;
    struct adit_header fields[FIELDS];
};

#define S(text)        {text, sizeof text - 1}
#define F(name, value) {S(name), S(value)}
#define GET            "GET", "/", "HTTP/1.1"
#define POST           "POST", "/", "HTTP/1.1"
#define HOST           F("Host", "example.com")

static const struct row rows[] = {
    {0, GET, {HOST}},
    {0, GET, {F("hOST", "[2001:db8::1]:8080")}},
    {0, GET, {F("Host", "")}},
    {0, GET, {F("Host", "xn--bcher-kva.example:443")}},
    {0, GET, {HOST, F("X-Any", "tab\tand \xc3\xa9")}},
    {0, GET, {HOST, F("X-Empty", "")}},
    {0, GET, {HOST, F("a!#$%&'*+-.^_`|~9", "x")}},
    {0, "GET", "/", "HTTP/1.0", {{{0}, {0}}}},
    {0, "GET", "/%23?q=a|b{}\"<>", "HTTP/1.1", {HOST}},
    {0, "OPTIONS", "*", "HTTP/1.1", {HOST}},
    {0, "UPDATEREDIRECTREF", "/", "HTTP/1.1", {HOST}},
    {0, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234", "/", "HTTP/1.1", {HOST}},
    {0, POST, {HOST, F("Content-Length", "0")}},
    {0, POST, {HOST, F("Content-Length", "18446744073709551615")}},
    {0, POST, {HOST, F("Transfer-Encoding", "Chunked")}},
    {501, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345", "/", "HTTP/1.1", {HOST}},
    {400, "", "/", "HTTP/1.1", {HOST}},
    {400, "GE T", "/", "HTTP/1.1", {HOST}},
    {400, "GET\t", "/", "HTTP/1.1", {HOST}},
    {400, "GET", "", "HTTP/1.1", {HOST}},
    {400, "GET", "/a b", "HTTP/1.1", {HOST}},
    {400, "GET", "/a\tb", "HTTP/1.1", {HOST}},
    {400, "GET", "/\x01", "HTTP/1.1", {HOST}},
    {400, "GET", "/\x7f", "HTTP/1.1", {HOST}},
    {400, "GET", "/\x80", "HTTP/1.1", {HOST}},
    {400, "GET", "/\xff", "HTTP/1.1", {HOST}},
    {400, "GET", "/#", "HTTP/1.1", {HOST}},
    {400, GET, {{{0}, {0}}}},
    {400, GET, {HOST, HOST}},
    {400, GET, {HOST, F("host", "")}},
    {400, GET, {F("Host", "a b")}},
    {400, GET, {F("Host", "a/b")}},
    {400, GET, {F("Host", "a@b")}},
    {400, GET, {F("Host", "a\\b")}},
    {400, GET, {F("Host", "a\0b")}},
    {400, GET, {F("Host", "\xc3\xa9.example")}},
    {400, GET, {HOST, F("X ", "1")}},
    {400, GET, {HOST, F("X\t", "1")}},
    {400, GET, {HOST, F(" X", "1")}},
    {400, GET, {HOST, F("X:", "1")}},
    {400, GET, {HOST, F("X\0", "1")}},
    {400, GET, {HOST, F("\xc3\xa9", "1")}},
    {400, GET, {HOST, F("X", "a\0b")}},
    {400, GET, {HOST, F("X", "a\nb")}},
    {400, GET, {HOST, F("X", "a\rb")}},
    {400, GET, {HOST, F("X", "a\x0b")}},
    {400, GET, {HOST, F("X", "\x7f")}},
    {400, POST, {HOST, F("Content-Length", "1"), F("content-length", "1")}},
    {400, POST, {HOST, F("Content-Length", "1,1")}},
    {400, POST, {HOST, F("Content-Length", "+1")}},
    {400, POST, {HOST, F("Content-Length", "-1")}},
    {400, POST, {HOST, F("Content-Length", "1 ")}},
    {400, POST, {HOST, F("Content-Length", "")}},
    {400, POST, {HOST, F("Content-Length", "18446744073709551616")}},
    {400, POST, {HOST, F("Content-Length", "1"), F("Transfer-Encoding", "chunked")}},
    {400, POST, {HOST, F("Content-Length", "1"), F("Transfer-Encoding", "x")}},
    {400, "POST", "/", "HTTP/1.0", {HOST, F("Transfer-Encoding", "chunked")}},
    {501, POST, {HOST, F("Transfer-Encoding", "")}},
    {501, POST, {HOST, F("Transfer-Encoding", "identity")}},
    {501, POST, {HOST, F("Transfer-Encoding", "xchunked")}},
    {501, POST, {HOST, F("Transfer-Encoding", "chunked,")}},
    {501, POST, {HOST, F("Transfer-Encoding", "chunked, chunked")}},
    {501, POST, {HOST, F("Transfer-Encoding", "gzip, chunked")}},
    {501, POST, {HOST, F("Transfer-Encoding", "chunked"), F("Transfer-Encoding", "chunked")}},
};

TEST(heads)
{
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct serve_head h = {.method = adit_str_z(r->method),
                               .target = adit_str_z(r->target),
                               .version = adit_str_z(r->version),
                               .fields = r->fields};
        const char *why = "";
        while (h.n_fields < FIELDS && r->fields[h.n_fields].name.p) h.n_fields++;
        unsigned status = serve_request_fault(&h, &why);
        char what[96];
        snprintf(what, sizeof what, "row %zu: %u, %.60s", i, r->status, why[0] ? why : "fine");
        what[strcspn(what, "\n")] = '\0';
        eq_int(status, r->status, what);
        ok((status != 0) == (why[0] != '\0'), "and says why");
    }
}

TEST(connection_fields)
{
    static const struct adit_header h[] = {F("Connection", "keep-alive, X-First"), HOST,
                                           F("connection", "\"a, x-quoted\", x-second ,,x-third")};
    static const char *const gone[] = {
        "x-first",    "X-SECOND", "x-third", "Keep-Alive",       "TE",
        "connection", "upgrade",  "trailer", "Proxy-Connection", "transfer-encoding"};
    static const char *const kept[] = {"host", "x-fourth", "x", "x-first ", "content-length"};
    for (size_t i = 0; i < ADIT_COUNT(gone); i++)
        ok(adit_is_of_connection(h, ADIT_COUNT(h), adit_str_z(gone[i])), gone[i]);
    for (size_t i = 0; i < ADIT_COUNT(kept); i++)
        ok(!adit_is_of_connection(h, ADIT_COUNT(h), adit_str_z(kept[i])), kept[i]);
}

RUN_TESTS(heads, connection_fields)
