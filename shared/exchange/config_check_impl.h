/* Checks of the configuration's values, for config.c. Each says what the value must be, or NULL if
 * it is that. */
#ifndef ADIT_EXCHANGE_CONFIG_CHECK_IMPL_H
#define ADIT_EXCHANGE_CONFIG_CHECK_IMPL_H

#include "base/base.h"

const char *adit_config_check_host(struct adit_str s);
const char *adit_config_check_authority(struct adit_str s);
const char *adit_config_check_origin(struct adit_str s);
const char *adit_config_check_suffix(struct adit_str s);
const char *adit_config_check_path(struct adit_str s);
const char *adit_config_check_glob(struct adit_str s);
const char *adit_config_check_agent(struct adit_str s);
const char *adit_config_check_header(struct adit_str s);
const char *adit_config_check_link(struct adit_str s);
const char *adit_config_check_some(struct adit_str s);
const char *adit_config_check_text(struct adit_str s);
const char *adit_config_check_freq(struct adit_str s);
const char *adit_config_check_section(struct adit_str s);

const char *adit_config_check_key(struct adit_str s);
const char *adit_config_check_keyid(struct adit_str s);

#endif
