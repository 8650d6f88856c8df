/* Between the injection's tokenizer (inject_scan.c) and its decisions (inject.c). */
#ifndef ADIT_EXCHANGE_INJECT_SCAN_IMPL_H
#define ADIT_EXCHANGE_INJECT_SCAN_IMPL_H

#include "exchange/inject_impl.h"

enum state {
    START,
    BOM_2,
    BOM_3,
    TEXT,
    TAG_OPEN,
    TAG_NAME,
    END_TAG_OPEN,
    END_TAG_NAME,
    DECLARATION,
    COMMENT,
    BOGUS_COMMENT,
    BEFORE_ATTRIBUTE,
    ATTRIBUTE_NAME,
    AFTER_ATTRIBUTE,
    BEFORE_VALUE,
    VALUE_QUOTED,
    VALUE_APOSTROPHE,
    VALUE_BARE,
    RAW,
    RAW_TAG_OPEN,
    RAW_END_TAG,
    REST,
};

/* What a tag's name decides at its ">". */
enum after { AFTER_NOTHING, AFTER_HEAD, AFTER_META, AFTER_RAW };

/* Reads the byte at in->pos - 1: sets in->state, and calls what follows. */
void adit_inject_scan(struct adit_inject *in, char c);

/* The tag that began at in->token has the name in->name. Sets in->after, and the state. */
void adit_inject_start_tag(struct adit_inject *in);
void adit_inject_end_tag(struct adit_inject *in);
/* Its ">" was read. Sets the state. */
void adit_inject_tag_ends(struct adit_inject *in);
/* At `place` begins something that is no part of a head. Sets the state. */
void adit_inject_head_ends(struct adit_inject *in, uint32_t place);
/* The page is not to be touched. */
void adit_inject_give_up(struct adit_inject *in);

#endif
