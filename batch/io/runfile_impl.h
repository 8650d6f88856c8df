/* The layout of run files, for the writer and the reader. */
#ifndef ADIT_IO_RUNFILE_IMPL_H
#define ADIT_IO_RUNFILE_IMPL_H

#include "batch/io/io.h"

#define RUNFILE_MAGIC "ADITRUN1" /* at both ends; the digit is the version of this layout */
enum { RUNFILE_MAGIC_LEN = 8 };
enum { RUNFILE_WINDOW_LOG = 19 }; /* of a segment's zstd frame; a reader refuses more */

struct runfile_part { /* a row of the table */
    uint64_t from, len, records;
};

/* The last bytes of the file. */
struct runfile_tail {
    uint64_t segments, text_len;
    uint8_t sha256[ADIT_SHA256_LEN]; /* of table and text */
    char magic[RUNFILE_MAGIC_LEN];
};

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "run files are little-endian");
_Static_assert(sizeof(struct runfile_tail) == 56, "no padding in files");

#endif
