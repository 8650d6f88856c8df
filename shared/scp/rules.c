/* The tables of rules and limits. */
#include "scp/scp.h"

const struct adit_rule adit_scp_rules[ADIT_SCP_RULES + 1] = {
#define ROW(id, name, severity, what, advice) \
    [ADIT_SCP_##id] = {name, ADIT_RULE_##severity, what, advice},
    ADIT_SCP_RULE_TABLE(ROW)
#undef ROW
};

/* SCP, Resource Exhaustion. */
const struct adit_scp_limits adit_scp_limits = {
    .encoded_max = UINT64_C(50000000000),
    .decoded_max = UINT64_C(500000000000),
    .line_max = ADIT_LIMIT_scp_line,
    .blocks_max = ADIT_LIMIT_page_blocks,
};
