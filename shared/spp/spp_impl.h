/* What the files of spp/ share. */
#ifndef ADIT_SPP_IMPL_H
#define ADIT_SPP_IMPL_H

#include "json/json.h"
#include "spp/spp.h"

/* The URN of a manifest's artifact, as a JSON string; m: struct adit_spp_manifest. */
void adit_spp_put_id(struct adit_json_writer *w, const void *m);

#endif
