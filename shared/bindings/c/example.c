/* A page of a file as Markdown, with its title and its fingerprint.
 *
 *     cc example.c $(pkg-config --cflags --libs adit) -o example
 *     ./example page.html https://example.com/page
 */
#include <adit.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char html[LIBADIT_PAGE_MAX];
    char fingerprint[LIBADIT_FINGERPRINT_Z];
    const char *text;
    size_t len;
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: example FILE URL\n");
        return 2;
    }
    size_t html_len = fread(html, 1, sizeof html, file);
    fclose(file);

    struct libadit_converter *c = libadit_alloc_converter();
    struct libadit_source source = {.sizeof_source = sizeof source, .url = argv[2]};
    if (!c || libadit_convert(c, html, html_len, &source) != LIBADIT_SUCCESS ||
        libadit_fingerprint(c, fingerprint) != LIBADIT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", argv[1], c ? libadit_error(c) : "out of memory");
        libadit_free_converter(c);
        return 1;
    }
    text = libadit_get(c, LIBADIT_TITLE, &len);
    fprintf(stderr, "%.*s\n%s\n", (int)len, text, fingerprint);
    if (libadit_write(c, "md", 0, &text, &len) == LIBADIT_SUCCESS) fwrite(text, 1, len, stdout);
    libadit_free_converter(c);
    return 0;
}
