/* Names of languages, as builders of code ask for them. */
#ifndef ADIT_BLOCKS_CODE_IMPL_H
#define ADIT_BLOCKS_CODE_IMPL_H

#include "blocks/blocks_impl.h"

/* Whether s may name a language. */
bool adit_code_is_language(struct adit_str s);
/* The common name of a language that highlighters also know by others. */
struct adit_str adit_code_common_name(struct adit_str name);
/* Of the element itself, a <code> in it, then up to six elements around it; else the label. */
struct adit_str adit_code_language(struct adit_builder *b, uint32_t node, struct adit_str label);

#endif
