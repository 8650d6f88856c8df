/* The words for what a broken rule means. */
#include "base/base.h"

const char *const adit_severity_names[] = {
    [ADIT_RULE_FATAL] = "fatal", [ADIT_RULE_LINE] = "fatal", [ADIT_RULE_SKIP] = "skip",
    [ADIT_RULE_DROP] = "drop",   [ADIT_RULE_WARN] = "warn",
};
