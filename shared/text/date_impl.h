/* What the files of dates share: a text as tokens. */
#ifndef ADIT_TEXT_DATE_IMPL_H
#define ADIT_TEXT_DATE_IMPL_H

#include "text/text.h"

enum { ADIT_DATE_TEXT_MAX = 400, ADIT_DATE_TOKENS_MAX = 96 };

enum adit_date_token_kind {
    ADIT_TOKEN_END,
    ADIT_TOKEN_NUMBER,
    ADIT_TOKEN_MONTH, /* value: 1…12 */
    ADIT_TOKEN_ZONE,  /* value: minutes */
    ADIT_TOKEN_FILLER,
    ADIT_TOKEN_HALF, /* am, pm: value 0 or 12 */
    ADIT_TOKEN_WORD,
    ADIT_TOKEN_SIGN, /* value: the ASCII character */
    ADIT_TOKEN_UNIT, /* 年 月 日 and their like: value 'y', 'm', 'd' */
    ADIT_TOKEN_LEAD, /* "tháng", "năm": the same, but before the number */
    ADIT_TOKEN_ERA,  /* 令和: value, the year before its first */
    ADIT_TOKEN_WHICH /* which of two months of one name: value 1, the second */
};

struct adit_date_token {
    uint8_t kind;
    uint8_t digits; /* NUMBER */
    bool buddhist;  /* MONTH: written in Thai, whose years count from 543 BC */
    bool gap;       /* white space before it */
    int32_t value;  /* NUMBER: at most nine digits */
};

struct adit_date_tokens {
    struct adit_date_token v[ADIT_DATE_TOKENS_MAX + 1]; /* ends with END */
    size_t n;
};

/* The tokens of a text's first ADIT_DATE_TEXT_MAX bytes. */
void adit_date_tokenize(struct adit_str text, struct adit_date_tokens *t);

#endif
