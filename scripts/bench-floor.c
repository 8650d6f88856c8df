/* The floor for converting archives of HTML: only inflate every member (libdeflate) and build every
 * page's tree (lexbor). Prints CPU seconds. Built and run by scripts/bench-crawl. */
#include <lexbor/html/html.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    enum { IN = 256 << 20, OUT = 64 << 20 };
    char *in = malloc(IN), *out = malloc(OUT);
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f || !in || !out) return 1;
    size_t len = fread(in, 1, IN, f), at = 0, bytes = 0, pages = 0;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    lxb_html_document_t *doc = lxb_html_document_create();
    double start = cpu_seconds(), inflate = 0;
    while (at < len) {
        size_t used, got;
        double before = cpu_seconds();
        if (libdeflate_gzip_decompress_ex(d, in + at, len - at, out, OUT, &used, &got)) return 1;
        inflate += cpu_seconds() - before;
        at += used;
        bytes += got;
        char *head = memmem(out, got, "\r\n\r\n", 4);
        char *body = head ? memmem(head + 4, (size_t)(out + got - head - 4), "\r\n\r\n", 4) : NULL;
        if (!body) continue;
        lxb_html_document_clean(doc);
        lxb_html_document_parse(doc, (lxb_char_t *)body + 4, (size_t)(out + got - body - 4));
        pages++;
    }
    double all = cpu_seconds() - start;
    printf("%.3f %.3f %zu %zu\n", all, inflate, bytes, pages);
    return 0;
}
