/* Inside of shared/json: the checking scanner, with the forgiveness that rewriting may ask for. */
#ifndef ADIT_JSON_SCAN_IMPL_H
#define ADIT_JSON_SCAN_IMPL_H

#include "json/json.h"

struct adit_json_scanner {
    const char *start, *p, *end;
    bool sloppy; /* control characters in strings and as white space pass */
    bool repair; /* ill-formed UTF-8 in strings passes */
    struct adit_error *err;
};

void adit_json_scan_space_slow(struct adit_json_scanner *s);
static inline void adit_json_scan_space(struct adit_json_scanner *s)
{
    if (s->p < s->end && (unsigned char)*s->p <= ' ') adit_json_scan_space_slow(s);
}
/* Checks the value at s->p, which stands inside `depth` arrays and objects, and moves behind it. */
enum adit_code adit_json_scan_value(struct adit_json_scanner *s, unsigned depth,
                                    struct adit_json_value *value);
enum adit_code adit_json_scan_fail(struct adit_json_scanner *s, const char *msg);

/* What a backslash and this letter mean; 0: no escape, or u. */
extern const char adit_json_escapes[256];

/* The end of the string whose opening quote is at p: behind the closing one. Checked text only. */
const char *adit_json_skip_string(const char *p, const char *end);

#endif
