/* Links in fields and in pages. */
#include "html/html.h"
#include "tests/tap.h"

static struct adit_str nth(const char *fields, size_t k, const char *rel, const char *type)
{
    struct adit_str rest = adit_str_z(fields);
    struct adit_link l;
    while (adit_link_next(&rest, &l))
        if (adit_link_is(&l, rel, type) && k-- == 0) return l.href;
    return (struct adit_str){0};
}
#define href(fields, rel, type) nth(fields, 0, rel, type)

TEST(test_fields)
{
    eq_str(href("</a>; rel=\"canonical\"", "canonical", ""), ADIT_STR("/a"), "one");
    eq_str(href("</a>;rel=canonical", "canonical", ""), ADIT_STR("/a"), "a token");
    eq_str(href("</a>; rel=\"x  Canonical y\"", "canonical", ""), ADIT_STR("/a"), "one of several");
    eq_str(href("</a,b;c>; rel=index, </d>; rel=canonical", "canonical", ""), ADIT_STR("/d"),
           "commas and semicolons in the address");
    eq_str(href("</a>; title=\"x, <y>; rel=canonical\"; rel=index", "index", ""), ADIT_STR("/a"),
           "in quotes");
    eq_str(href("</a>; title=\"\\\"\"; rel=index", "index", ""), ADIT_STR("/a"), "escapes");
    eq_str(href("garbage, </b>; rel=index", "index", ""), ADIT_STR("/b"), "after garbage");
    eq_str(href(" , ,</b> ; rel = index ;;", "index", ""), ADIT_STR("/b"), "white space");
    eq_str(href("</a>; rel=index; rel=other", "other", ""), ADIT_STR(""), "the first rel counts");
    eq_str(href("</a>; rel=canonical; anchor=\"/x\"", "canonical", ""), ADIT_STR(""),
           "about something else");
    eq_str(nth("</a>; rel=index; type=\"text/xml\", </b>; rel=index; type=\"Application/JSON; "
               "charset=x\"",
               0, "index", "application/json"),
           ADIT_STR("/b"), "by type");
    eq_str(href("</a", "index", ""), ADIT_STR(""), "no end");
    eq_str(href("</a>; rel=\"index", "index", ""), ADIT_STR("/a"), "no closing quote");
    eq_str(href("", "index", ""), ADIT_STR(""), "nothing");
}

TEST(test_elements)
{
    static const char page[] =
        "<!doctype html><base href=\"/b/\"><title>x</title>"
        "<link rel=alternate type=\"application/json\" href=\" wp-json/1 \">"
        "<!-- <link rel=alternate type=\"application/json\" href=no> -->"
        "<link rel=\"Alternate\" type=\"application/json\" href=\"/x/llm/?a=1&amp;b=2\">"
        "<link rel=icon><script>'<link rel=alternate href=no>'</script>";
    struct adit_link links[4];
    struct adit_arena a;
    struct adit_str base;
    size_t n;
    adit_arena_init(&a, tap_mem, 1 << 16);
    eq_int(
        adit_html_links(adit_str_z(page), ADIT_STR("text/html"), tap_mem, &a, links, 4, &n, &base),
        ADIT_OK, "a page");
    eq_int(n, 2, "two links");
    eq_str(base, ADIT_STR("/b/"), "its base");
    eq_str(links[0].href, ADIT_STR("wp-json/1"), "trimmed");
    eq_str(links[1].href, ADIT_STR("/x/llm/?a=1&b=2"), "references decoded");
    ok(adit_link_is(&links[1], "alternate", "application/json"), "any case");
    adit_html_links(adit_str_z(page), ADIT_STR(""), tap_mem, &a, links, 1, &n, &base);
    eq_int(n, 1, "as many as there is room for");
    adit_arena_free(&a);
}

RUN_TESTS(test_fields, test_elements)
