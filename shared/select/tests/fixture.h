/* A small page, parsed, with its tape and facts, for tests of the selection. */
#ifndef ADIT_SELECT_TESTS_FIXTURE_H
#define ADIT_SELECT_TESTS_FIXTURE_H

#include "tape/tape.h"
#include "select/context_impl.h"
#include "html/html.h"
#include "tests/tap.h"

struct fixture {
    struct adit_html *html;
    struct adit_arena arena;
    struct adit_tape tape;
    struct adit_facts facts;
    struct adit_page_hints hints;
};

/* A page of two paragraphs with what stands around an article. */
#define ARTICLE_PAGE                                                                           \
    "<body><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav>"                  \
    "<main><article><h1>The title of it</h1>"                                                  \
    "<p>The first paragraph of running text, with commas, and a full stop at its end.</p>"     \
    "<p>The second paragraph of running text, with commas, and a full stop at its end.</p>"    \
    "</article></main><div class=comment-list><p>A comment, short, but it does end.</p></div>" \
    "<footer class=site-footer><p>Imprint</p></footer>"

/* Two paragraphs of an article. */
#define TEXT                                                                               \
    "<p>The first paragraph of running text, with commas, and a full stop at its end, is " \
    "long.</p>"                                                                            \
    "<p>The second paragraph of running text, with commas, and a full stop, is even longer.</p>"

static enum adit_code open_page(struct fixture *x, const char *body, const char *title)
{
    const struct adit_dom *dom;
    *x = (struct fixture){.html = adit_html_new(tap_mem)};
    adit_arena_init(&x->arena, tap_mem, 64 << 20);
    x->hints.titles[0] = adit_str_z(title);
    ADIT_TRY(adit_html_parse(x->html, adit_str_z(body), &dom));
    struct adit_classes classes;
    adit_classes_init(&classes);
    return adit_tape_build(&x->tape, dom, &classes, NULL, &x->arena);
}

static void close_page(struct fixture *x)
{
    adit_arena_free(&x->arena);
    adit_html_free(x->html);
}

#endif
