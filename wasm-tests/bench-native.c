/* What bench-edge.mjs does with adit-core.wasm, natively: the same functions over the same pages,
 * in one process. Usage: bench-native PAGES ROUNDS; PAGES is a file of (u32 length, bytes)…. Prints
 * the least CPU seconds of a round, and the bytes of all answers. */
#include "edge/core.c"
#include "edge/proxy_wasm.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static size_t text_of(char *out, const char *const (*fields)[2], size_t n)
{
    char *at = out;
    for (size_t i = 0; i < 2 * n; i++) at = stpcpy(at, fields[i / 2][i % 2]) + 1;
    return (size_t)(at - out);
}

static size_t convert(unsigned number, const char *page, size_t len)
{
    char path[32];
    char text[512];
    snprintf(path, sizeof path, "/%u/llm/", number);
    const char *const request[][2] = {
        {":method", "GET"}, {":authority", "site.example"}, {":path", path}, {":scheme", "https"}};
    const char *const response[][2] = {{"content-type", "text/html"}};
    struct adit_exchange *x = core_open();
    uint32_t action = core_request(x, text, text_of(text, request, 4), 0);
    if (action == ADIT_RECALL) action = core_recalled(x, NULL, 0);
    if (action == ADIT_FETCH) action = core_fetched(x, 200, text, text_of(text, response, 1));
    if (action == ADIT_BODY) action = core_fetched_body(x, page, len);
    if (action == ADIT_BODY) action = core_fetched_end(x);
    core_get(x, GET_ANSWER_BODY);
    len = core_len();
    core_close(x);
    return len;
}

int main(int argc, char **argv)
{
    static char pages[256 << 20];
    double best = 1e9;
    size_t answers = 0;
    FILE *f = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!f) return 2;
    size_t len = fread(pages, 1, sizeof pages, f);
    fclose(f);
    if (!core_configure("{\"origin\":\"https://site.example\"}", 33)) return 1;
    for (int round = 0; round < argv[2][0] - '0'; round++) {
        unsigned number = 0;
        clock_t start = clock();
        answers = 0;
        for (size_t at = 0; at < len;) {
            size_t n = pw_get32((uint8_t *)pages + at);
            answers += convert(number++, pages + at + 4, n);
            at += 4 + n;
        }
        double s = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (s < best) best = s;
    }
    printf("%.4f %zu\n", best, answers);
    return 0;
}
