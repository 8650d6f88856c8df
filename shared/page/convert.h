/* The converter's first half, for adit_convert and for explaining it. Internal to page/. */
#ifndef ADIT_CONVERT_H
#define ADIT_CONVERT_H

#include "html/html.h"
#include "page/meta.h"
#include "page/page.h"
#include "page/select.h"
#include "page/tape.h"
#include "text/url.h"

/* A page before the selection. Lives in the converter until its next page. */
struct adit_draft {
    struct adit_str url;
    struct adit_url base; /* what references are resolved against */
    const struct adit_dom *dom;
    struct adit_meta meta;
    struct adit_tape tape;
    struct adit_page_hints hints;
    struct adit_arena *arena;
};

enum adit_code adit_convert_prepare(struct adit_converter *c, struct adit_str body,
                                    const struct adit_page_facts *facts, struct adit_draft *d,
                                    struct adit_error *err);

#endif
