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
