/* What each step of a conversion costs, as a share of lexbor's own parse of the same pages. Every
 * round does both, page by page; the least time of a page and step over all rounds counts, so that
 * other work on the machine and the clock of the processor cancel out.
 * Usage: bench-page ROUNDS FILE… (HTML, plain or gzip) */
#include "format/format.h"
#include "convert/convert.h"
#include "tests/mem.h"

#include <lexbor/html/html.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

/* Behind the converter's steps: the JSON line; and lexbor alone. */
enum { JSON = ADIT_STEPS, LEXBOR, COLUMNS };

struct page {
    struct adit_str body;
    double best[COLUMNS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(struct page *p, size_t column, double *start)
{
    double end = now(), t = end - *start;
    if (t < p->best[column]) p->best[column] = t;
    *start = now();
}

static bool read_page(const char *path, struct page *p)
{
    static char data[ADIT_LIMIT_page_bytes];
    gzFile f = gzopen(path, "rb");
    int len = f ? gzread(f, data, sizeof data) : -1;
    if (f) gzclose(f);
    char *own = len < 0 ? NULL : malloc((size_t)len + 1);
    if (!own) return false;
    memcpy(own, data, (size_t)len);
    p->body = adit_str_of(own, (size_t)len);
    for (size_t i = 0; i < COLUMNS; i++) p->best[i] = 1e9;
    return true;
}

/* As lexbor's own users call it: the document is kept, the memory is libc's. */
static void parse(lxb_html_document_t *doc, struct page *p, struct adit_str text)
{
    double start = now();
    lxb_html_document_clean(doc);
    lxb_html_document_parse(doc, (const lxb_char_t *)text.p, text.len);
    stop(p, LEXBOR, &start);
}

static bool convert(struct adit_converter *c, lxb_html_document_t *doc, struct page *p,
                    struct adit_buf *out)
{
    static const struct adit_page_source source = {.url = ADIT_STR_INIT("https://example.com/")};
    struct adit_draft d;
    double start = now();
    adit_convert_begin(c, p->body, &source, &d, NULL);
    for (size_t i = 0; i < ADIT_STEPS; i++) {
        if (adit_convert_steps[i].run(&d) != ADIT_OK) return false;
        stop(p, i, &start);
        if (i != ADIT_STEP_CHARSET) continue;
        parse(doc, p, d.text);
        start = now();
    }
    adit_buf_clear(out);
    adit_formats[0].write(d.page, libc_mem, out);
    stop(p, JSON, &start);
    return true;
}

static void report(const struct page *pages, size_t n)
{
    double sum[COLUMNS] = {0}, ours = 0;
    size_t bytes = 0;
    for (size_t i = 0; i < n; bytes += pages[i++].body.len)
        for (size_t k = 0; k < COLUMNS; k++) sum[k] += pages[i].best[k];
    printf("  %zu pages, %.1f MB; of lexbor's own parse (%.0f MB/s here):\n", n,
           (double)bytes / 1e6, (double)bytes / sum[LEXBOR] / 1e6);
    for (size_t k = 0; k < LEXBOR; k++) {
        printf("  %-24s %.3f\n", k == JSON ? "JSON" : adit_convert_steps[k].name,
               sum[k] / sum[LEXBOR]);
        if (k > ADIT_STEP_PARSE) ours += sum[k];
    }
    printf("  %-24s %.3f (goal .50); of our parse %.3f\n", "metadata to JSON", ours / sum[LEXBOR],
           ours / sum[ADIT_STEP_PARSE]);
}

int main(int argc, char **argv)
{
    enum { PAGES_MAX = 10000 };
    static struct page pages[PAGES_MAX];
    int rounds = argc > 1 ? atoi(argv[1]) : 0, n = argc > PAGES_MAX ? PAGES_MAX : argc - 2;
    struct adit_buf out;
    adit_buf_init(&out, libc_mem, ADIT_LIMIT_scp_line);
    for (int i = 0; i < n; i++)
        if (!read_page(argv[i + 2], &pages[i]))
            return fprintf(stderr, "bench-page: cannot read %s\n", argv[i + 2]), 1;
    lxb_html_document_t *doc = lxb_html_document_create();
    struct adit_converter *c = adit_converter_new(libc_mem);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++)
            if (!doc || !c || !convert(c, doc, &pages[i], &out))
                return fprintf(stderr, "bench-page: cannot convert %s\n", argv[i + 2]), 1;
    if (n > 0 && rounds > 0) report(pages, (size_t)n);
    adit_buf_free(&out), adit_converter_free(c);
    return 0;
}
