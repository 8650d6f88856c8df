/* The budget of memory over all exchanges of an edge (limits.memory): what they hold together, who
 * is refused, and that everything comes back. */
#include "exchange/tests/edge.h"

enum {
    LARGEST = 8 << 20,
    LIMIT = ADIT_CONVERT_MAX + LARGEST + (1 << 20), /* room for one page of this size */
    FIXED = ADIT_CONVERT_FIXED,
    PAGES = 16,
    PIECE = 65536
};
static const size_t page_max = LARGEST;

static struct adit_buf html;

static void begin(void)
{
    char json[128];
    snprintf(json, sizeof json, "{\"origin\":\"https://example.com\",\"limits\":{\"memory\":%d}}",
             (int)LIMIT);
    begin_with(json);
}

static void finish(void)
{
    eq_int(edge.held, 0, "all memory has come back");
    end();
    adit_buf_free(&html);
}

/* A page of that many bytes, most of which cost the converter little time. */
static struct adit_str page_of(size_t len)
{
    adit_buf_free(&html);
    adit_buf_init(&html, tap_mem, 32u << 20);
    adit_buf_lit(
        &html, "<!doctype html><title>Title</title><main><h1>Title</h1><p>The first paragraph has "
               "enough words to be taken for content by any reader of it.</p></main><!--");
    while (html.len + 3 < len) adit_buf_byte(&html, 'x');
    adit_buf_lit(&html, "-->");
    return adit_buf_str(&html);
}

/* The same as one raw deflate stream of stored blocks, in *out. */
static struct adit_str deflated(struct adit_str s, struct adit_buf *out)
{
    for (size_t at = 0; at < s.len; at += 60000) {
        struct adit_str part = adit_str_sub(s, at, at + 60000);
        uint8_t head[5] = {at + 60000 >= s.len, (uint8_t)(part.len & 255), (uint8_t)(part.len >> 8),
                           (uint8_t)(~part.len & 255), (uint8_t)(~part.len >> 8 & 255)};
        adit_buf_add(out, adit_str_of((const char *)head, sizeof head));
        adit_buf_add(out, part);
    }
    return adit_buf_str(out);
}

struct under_way {
    struct adit_exchange *x;
    enum adit_action action;
    size_t at;
};

/* coding may be NULL; length SIZE_MAX: not announced. */
static struct under_way open_page(unsigned number, const char *coding, size_t length)
{
    char path[40], digits[24];
    snprintf(path, sizeof path, "/p%u/llm/", number);
    struct adit_request r = get_request(path);
    struct adit_header h[3] = {{ADIT_STR("content-type"), ADIT_STR("text/html")}};
    size_t n = 1;
    snprintf(digits, sizeof digits, "%zu", length);
    if (coding) h[n++] = (struct adit_header){ADIT_STR("content-encoding"), adit_str_z(coding)};
    if (length != SIZE_MAX)
        h[n++] = (struct adit_header){ADIT_STR("content-length"), adit_str_z(digits)};
    struct under_way u = {.x = adit_exchange_new(&edge, NULL)};
    u.action = ask_edge(u.x, &r);
    if (u.action == ADIT_FETCH) u.action = adit_exchange_fetched(u.x, 200, h, n);
    return u;
}

static void feed(struct under_way *u, struct adit_str body)
{
    struct adit_str piece = adit_str_sub(body, u->at, u->at + PIECE);
    u->at += piece.len;
    u->action =
        piece.len ? adit_exchange_fetched_body(u->x, piece) : adit_exchange_fetched_end(u->x);
}

static unsigned status_of(struct adit_str body, const char *coding, size_t length)
{
    struct under_way u = open_page(99, coding, length);
    while (u.action == ADIT_BODY) feed(&u, body);
    unsigned status = u.x->answer.status;
    adit_exchange_free(u.x);
    return status;
}

static bool may_try_again(const struct adit_exchange *x)
{
    return adit_header_has(x->answer.headers.v, x->answer.headers.n, ADIT_STR("retry-after"));
}

/* As many pages of the largest size at once, a piece of each in turn. */
static void check_together(struct adit_str body, const char *coding, size_t length,
                           const char *what)
{
    struct under_way u[PAGES];
    size_t most = 0, converted = 0, refused = 0, answered = 0;
    for (unsigned i = 0; i < PAGES; i++) u[i] = open_page(i, coding, length);
    while (answered < PAGES) {
        for (size_t i = 0; i < PAGES; i++) {
            if (!u[i].x) continue;
            if (u[i].action == ADIT_BODY) feed(&u[i], body);
            if (edge.held > most) most = edge.held;
            if (u[i].action != ADIT_ANSWER) continue;
            converted += u[i].x->answer.status == 200;
            refused += u[i].x->answer.status == 503 && may_try_again(u[i].x);
            answered++;
            adit_exchange_free(u[i].x);
            u[i].x = NULL;
        }
    }
    ok(converted >= 1, what);
    eq_int(converted + refused, PAGES, "each is 200 or 503 with Retry-After");
    ok(most + FIXED <= LIMIT, "together they hold no more than the limit");
    eq_int(status_of(page_of(30000), NULL, SIZE_MAX), 200, "a small page afterwards");
}

TEST(test_together)
{
    begin();
    struct adit_buf coded;
    adit_buf_init(&coded, tap_mem, 16u << 20);
    check_together(page_of(page_max), NULL, page_max, "announced");
    check_together(page_of(page_max), NULL, SIZE_MAX, "of unknown length");
    deflated(page_of(page_max), &coded);
    check_together(adit_buf_str(&coded), "deflate", SIZE_MAX, "in a coding");
    adit_buf_free(&coded);
    finish();
}

/* Lengths that nobody announced are no reason to refuse small pages. */
TEST(test_small)
{
    begin();
    struct under_way u[64];
    size_t fine = 0;
    struct adit_str body = page_of(100000);
    for (unsigned i = 0; i < 64; i++) u[i] = open_page(i, NULL, SIZE_MAX);
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < 64; k++)
            if (u[k].action == ADIT_BODY) feed(&u[k], body);
    for (size_t k = 0; k < 64; k++) {
        fine += u[k].x->answer.status == 200;
        adit_exchange_free(u[k].x);
    }
    eq_int(fine, 64, "64 small pages of unknown length at once");
    struct under_way more[65];
    for (unsigned i = 0; i < 65; i++) more[i] = open_page(i, NULL, SIZE_MAX);
    ok(more[63].action == ADIT_BODY && more[64].action == ADIT_ANSWER, "limits.pages is 64");
    for (size_t i = 0; i < 65; i++) adit_exchange_free(more[i].x);
    finish();
}

TEST(test_sizes)
{
    static const struct {
        int more;
        unsigned status;
    } rows[] = {{-1, 200}, {0, 200}, {1, 502}};
    begin();
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        size_t len = page_max + (size_t)rows[i].more;
        struct adit_str body = page_of(len);
        eq_int(status_of(body, NULL, len), rows[i].status, "the largest page that is converted");
        eq_int(status_of(body, NULL, SIZE_MAX), rows[i].status, "of unknown length");
    }
    /* An announcement beyond the rest of the budget is refused before a byte of it has come. */
    struct under_way first = open_page(1, NULL, page_max), second = open_page(2, NULL, page_max);
    eq_int(first.action, ADIT_BODY, "one large page is on its way");
    eq_int(second.action, ADIT_ANSWER, "the second is refused at its header");
    eq_int(second.x->answer.status, 503, "with 503");
    size_t held = edge.held;
    adit_exchange_free(first.x);
    ok(held > page_max && edge.held < 100000, "the first gives back what it held");
    adit_exchange_free(second.x);
    finish();
}

/* With less memory, less than max_page_bytes is converted, and no more is let in. */
TEST(test_less)
{
    enum { LESS = 16 << 20, OWN = 1 << 20 };
    size_t most = (LESS - FIXED - OWN) / (ADIT_CONVERT_FACTOR + 1);
    begin_with("{\"origin\":\"https://example.com\",\"limits\":{\"memory\":16777216}}");
    for (size_t len = most - 1; len <= most + 1; len++) {
        struct adit_str body = page_of(len);
        unsigned want = len <= most ? 200 : 502;
        eq_int(status_of(body, NULL, len), want, "the largest page for 16 MiB");
        eq_int(status_of(body, NULL, SIZE_MAX), want, "of unknown length");
    }
    finish();
}

/* A slow client holds its answer, and no more. */
TEST(test_given_back)
{
    begin();
    struct adit_str body = page_of(page_max);
    struct under_way u = open_page(1, NULL, SIZE_MAX);
    while (u.action == ADIT_BODY) feed(&u, body);
    eq_int(u.x->answer.status, 200, "a large page is converted");
    ok(edge.held < 100000, "its HTML is given back before the answer is sent");
    adit_exchange_free(u.x);
    u = open_page(1, "gzip", SIZE_MAX);
    size_t with_decoder = edge.held;
    u.action = adit_exchange_fetched_body(u.x, ADIT_STR("no gzip"));
    ok(u.action == ADIT_ANSWER && edge.held < with_decoder, "and so is a decoder, when it fails");
    adit_exchange_free(u.x);
    finish();
}

/* People's pages get their link, whatever machine views take. */
TEST(test_people)
{
    enum { PEOPLE = 800 };
    begin();
    struct adit_str body = page_of(page_max);
    struct under_way u = open_page(1, NULL, page_max);
    struct adit_exchange *x[PEOPLE];
    struct adit_header h = {ADIT_STR("content-type"), ADIT_STR("text/html; charset=utf-8")};
    size_t fine = 0;
    for (size_t i = 0; i < PEOPLE; i++) {
        struct adit_buf out;
        struct adit_request r = get_request("/post/");
        adit_buf_init(&out, tap_mem, 1 << 20);
        x[i] = adit_exchange_new(&edge, NULL);
        enum adit_action a = adit_exchange_request(x[i], &r);
        adit_exchange_response(x[i], 200, &h, 1);
        if (x[i]->inject) adit_exchange_inject(x[i], ADIT_STR("<html><head></head>"), &out);
        fine += a == ADIT_PASS &&
                adit_str_find(adit_buf_str(&out), ADIT_STR("/post/llm/"), 0) < out.len;
        adit_buf_free(&out);
    }
    eq_int(fine, PEOPLE, "800 pages beside it are given their links");
    eq_int(status_of(body, NULL, SIZE_MAX), 503, "and count: no room for another view");
    while (u.action == ADIT_BODY) feed(&u, body);
    eq_int(u.x->answer.status, 503, "nor for converting the one that is there");
    for (size_t i = 0; i < PEOPLE; i++) adit_exchange_free(x[i]);
    eq_int(status_of(body, NULL, SIZE_MAX), 200, "but when they are done");
    adit_exchange_free(u.x);
    finish();
}

RUN_TESTS(test_together, test_small, test_sizes, test_less, test_given_back, test_people)
