/* How far two names are from each other, for messages that suggest the one that was meant. */
#include "text/text.h"

enum { NAME_MAX_LEN = ADIT_TEXT_FAR };

size_t adit_text_distance(struct adit_str a, struct adit_str b)
{
    size_t row[NAME_MAX_LEN + 1];
    if (a.len > NAME_MAX_LEN || b.len > NAME_MAX_LEN) return NAME_MAX_LEN;
    for (size_t k = 0; k <= b.len; k++) row[k] = k;
    for (size_t i = 1; i <= a.len; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= b.len; k++) {
            size_t change = corner + (adit_lower(a.p[i - 1]) != adit_lower(b.p[k - 1]));
            size_t other = 1 + (row[k] < row[k - 1] ? row[k] : row[k - 1]);
            corner = row[k];
            row[k] = change < other ? change : other;
        }
    }
    return row[b.len];
}
