/* The table of keys of the configuration, for the files that read and describe it. */
#ifndef ADIT_EXCHANGE_CONFIG_IMPL_H
#define ADIT_EXCHANGE_CONFIG_IMPL_H

#include "exchange/exchange.h"
#include "json/json.h"

enum adit_config_kind {
    ADIT_CONFIG_STRING,
    ADIT_CONFIG_BOOL,
    ADIT_CONFIG_UINT,
    ADIT_CONFIG_CHOICE,
    ADIT_CONFIG_LIST,
    ADIT_CONFIG_PAIRS,
    ADIT_CONFIG_POLICY,
    ADIT_CONFIG_KINDS
};

struct adit_config_row {
    const char *key; /* members of an object with a dot */
    enum adit_config_kind kind;
    size_t at; /* offset in struct adit_config */
    const char *(*check)(struct adit_str value);
    uint64_t min, max;
    const char *const *names; /* CHOICE: ends with NULL; the value is the index */
    const char *text;         /* STRING: the default */
    uint64_t number;          /* BOOL, UINT: the default */
};
enum { ADIT_CONFIG_ROWS = 46 };
extern const struct adit_config_row adit_config_rows[ADIT_CONFIG_ROWS];

/* The groups: keys whose members are rows of their own. Where a group has a switch, true or false in
 * its place means that member. Ends with a NULL name. */
struct adit_config_group {
    const char *name, *sw;
};
extern const struct adit_config_group adit_config_groups[];

/* The default of `exclude`; ends with NULL. */
extern const char *const adit_config_exclude[];

/* The row as json/object knows it: how its value is read and written. */
struct adit_json_row adit_config_json(const struct adit_config_row *row);
/* The part of the row's key before the dot; empty if it has none. */
struct adit_str adit_config_group_of(const struct adit_config_row *row);

#endif
