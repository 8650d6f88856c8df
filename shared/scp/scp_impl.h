/* What the files of scp/ share. */
#ifndef ADIT_SCP_IMPL_H
#define ADIT_SCP_IMPL_H

#include "scp/scp.h"

/* Where a judgement stands: the judge and the line that positions are counted in. */
struct adit_scp_place {
    struct adit_scp_judge *judge;
    struct adit_str line;
    size_t block; /* SIZE_MAX: not in a block */
};

/* Reports a finding about the member whose text is at (a slice of the line). */
void adit_scp_report(const struct adit_scp_place *place, enum adit_scp_rule_id rule,
                     const char *member, struct adit_str at);
void adit_scp_report_json(const struct adit_scp_place *place, enum adit_scp_rule_id rule,
                          const struct adit_error *err);

/* A member with its adjoining comma: the one before it, or if it is the first, the one behind. */
struct adit_scp_range adit_scp_member_range(struct adit_str line, const struct adit_json_member *m);

/* The row of table (n rows) with that key, or n. */
size_t adit_scp_find(const struct adit_str *table, size_t n, struct adit_str key);

bool adit_scp_is_language(struct adit_str text);
bool adit_scp_is_duration(struct adit_str text);
/* A JSON number without a fraction, also when it is written 2.0. */
bool adit_scp_integer(struct adit_json_value v, uint64_t *out);
bool adit_scp_is_future(const struct adit_scp_limits *limits, struct adit_time t);

struct adit_scp_block {
    enum adit_block_type type; /* ADIT_BLOCK_TYPES: unknown */
    bool keep;                 /* false: it must be dropped */
    bool room;                 /* false: the arena is full */
};
/* Judges the next block of content, which begins as adit_json_iter(content); false: there is none.
 * With an arena it is also built in *block. place->judge may be NULL: nothing is reported. */
bool adit_scp_next_block(struct adit_json_iter *blocks, const struct adit_scp_place *place,
                         struct adit_arena *arena, struct adit_block *block,
                         struct adit_scp_block *got);

#endif
