/* Inside of shared/json: nodes of trees. */
#ifndef ADIT_JSON_TREE_IMPL_H
#define ADIT_JSON_TREE_IMPL_H

#include "json/json.h"

#include <cJSON.h>

/* The value of a node; text: where the document begins, that positions are counted from. */
struct adit_json_value adit_json_node(const struct cJSON *n, const char *text);

#endif
