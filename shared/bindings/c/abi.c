/* Prints what a program that was compiled against adit.h relies on: sizes and offsets of structs, values of
 * constants. tests/library.sh compares it with abi.txt. Built for 64-bit Linux. */
#include "bindings/c/adit.h"

#include <stdio.h>

#define SIZE(type) printf("sizeof %s %zu\n", #type, sizeof(struct type))
#define OFFSET(type, member) \
    printf("offset %s %s %zu\n", #type, #member, offsetof(struct type, member))
#define VALUE(name) printf("value %s %u\n", #name, (unsigned)(name))

int main(void)
{
    SIZE(libadit_options);
    OFFSET(libadit_options, malloc_func);
    OFFSET(libadit_options, free_func);
    SIZE(libadit_source);
    OFFSET(libadit_source, url);
    OFFSET(libadit_source, headers);
    OFFSET(libadit_source, date);
    OFFSET(libadit_source, language);
    OFFSET(libadit_source, flags);
    VALUE(LIBADIT_PAGE_MAX);
    VALUE(LIBADIT_FINGERPRINT_Z);
    VALUE(LIBADIT_SUCCESS);
    VALUE(LIBADIT_NO_MEMORY);
    VALUE(LIBADIT_TOO_LARGE);
    VALUE(LIBADIT_BAD_URL);
    VALUE(LIBADIT_NOT_HTML);
    VALUE(LIBADIT_NO_CONTENT);
    VALUE(LIBADIT_BAD_INPUT);
    VALUE(LIBADIT_UNKNOWN);
    VALUE(LIBADIT_NO_PAGE);
    VALUE(LIBADIT_WHOLE);
    VALUE(LIBADIT_PLAIN);
    VALUE(LIBADIT_FRONT_MATTER);
    VALUE(LIBADIT_URL);
    VALUE(LIBADIT_TITLE);
    VALUE(LIBADIT_DESCRIPTION);
    VALUE(LIBADIT_AUTHOR);
    VALUE(LIBADIT_PUBLISHED);
    VALUE(LIBADIT_MODIFIED);
    VALUE(LIBADIT_LANGUAGE);
    VALUE(LIBADIT_CANONICAL);
    VALUE(LIBADIT_SITE_NAME);
    VALUE(LIBADIT_CHARSET);
    VALUE(LIBADIT_NOINDEX);
    VALUE(LIBADIT_NOARCHIVE);
    VALUE(LIBADIT_NOFOLLOW);
    VALUE(LIBADIT_OPTOUT);
    return 0;
}
