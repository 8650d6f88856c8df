/* What the value of a class attribute says, worked out once a value: pages say the same thing of
 * hundreds of elements. Internal to page/.
 */
#ifndef ADIT_CLASSES_H
#define ADIT_CLASSES_H

#include "page/classwords.h"

struct adit_class {
    struct adit_str value;
    uint8_t hints; /* ADIT_HINT_…: what metadata may be in it */
    bool scored;   /* the rest is known */
    uint32_t hash; /* of the value without digits: "post-1234" and "post-77" are alike */
    uint32_t categories;
};

enum { ADIT_CLASSES = 512 }; /* values remembered; a cache may forget */

struct adit_classes {
    struct adit_classwords words;
    struct adit_class none; /* without a class */
    struct adit_class cache[ADIT_CLASSES];
};

/* What a class value says about the element's text (hints.c). */
enum { ADIT_HINT_AUTHOR = 1, ADIT_HINT_NAME = 2, ADIT_HINT_DATE = 4 };
uint8_t adit_class_hints(struct adit_str class);

void adit_classes_init(struct adit_classes *c);
void adit_classes_reset(struct adit_classes *c); /* for the next page */
/* value and hints; valid until the next call. */
struct adit_class *adit_class_find(struct adit_classes *c, struct adit_str value);
/* All of it. */
const struct adit_class *adit_class_score(struct adit_classes *c, struct adit_class *class);

#endif
