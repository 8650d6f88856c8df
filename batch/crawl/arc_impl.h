/* ARC, the format before WARC: one header line a record. */
#ifndef ADIT_CRAWL_ARC_IMPL_H
#define ADIT_CRAWL_ARC_IMPL_H

#include "batch/crawl/crawl.h"

/* Whether line is an ARC record header of n fields (5 in version 1, 10 in version 2); if so, fills
 * r's uri, date, content_type, length and type. URLs may hold spaces: fields count from the right.
 */
bool arc_header(struct adit_str line, size_t n, struct warc_record *r);
/* The number of fields that the version block (the content of filedesc://) announces. */
size_t arc_fields(struct adit_str version_block);

#endif
