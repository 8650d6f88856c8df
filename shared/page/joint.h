/* Where texts of neighbouring elements touch. "<b>Price</b><b>12</b>" is one word to a browser
 * without style sheets and two to every reader of the page, because style sheets set such elements
 * apart. Internal to page/.
 */
#ifndef ADIT_JOINT_H
#define ADIT_JOINT_H

#include "base/base.h"

/* How a text begins or ends. */
enum adit_joint {
    ADIT_JOINT_NONE, /* white space, signs, a single character, or a script without spaces */
    ADIT_JOINT_SMALL,
    ADIT_JOINT_CAPITAL, /* letters: of an ending the last one counts, of a beginning the first */
    ADIT_JOINT_DIGIT
};

enum adit_joint adit_joint_begin(struct adit_str text);
enum adit_joint adit_joint_end(struct adit_str text);

/* Whether two words meet: a small letter and a capital, or letters and digits. */
bool adit_joint_apart(enum adit_joint end, enum adit_joint begin);

#endif
