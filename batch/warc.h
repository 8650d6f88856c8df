/* warc: the records of a WARC (0.17 … 1.1) or ARC (1, 2) file, one after the other, in one pass.
 *
 * What a record's body holds is never taken for a record while the archive is intact: the stated
 * length is believed if a record, the end of a gzip member or zstd frame, or the end of the file
 * stands behind it, however long the block is. Only otherwise the next record is searched for.
 *
 * Damage is normal in archives: every record that can still be found is delivered, and what was
 * wrong is counted by reason. A record's slices point into the input's window and are valid until
 * the next call.
 */
#ifndef ADIT_WARC_H
#define ADIT_WARC_H

#include "batch/input.h"

enum warc_type {
    WARC_OTHER, /* a type that we do not know, or none given */
    WARC_INFO,
    WARC_RESPONSE,
    WARC_RESOURCE,
    WARC_REQUEST,
    WARC_METADATA,
    WARC_REVISIT,
    WARC_CONVERSION,
    WARC_CONTINUATION,
    WARC_TYPES
};

/* What was wrong; each with the text of the report. */
#define WARC_FAULTS(X)                                                                        \
    X(damaged, "damaged compressed data")                                                     \
    X(garbage, "bytes that belong to no record")                                              \
    X(header, "record header without an end, without a single field, or of more than 64 KiB") \
    X(length_missing, "Content-Length missing or not a number")                               \
    X(length_wrong, "Content-Length does not lead to the next record")                        \
    X(cut_off, "record cut off")

enum warc_fault {
#define WARC_FAULT_ENUM(name, text) WARC_FAULT_##name,
    WARC_FAULTS(WARC_FAULT_ENUM)
#undef WARC_FAULT_ENUM
        WARC_FAULT_COUNT
};
extern const char *const warc_fault_names[WARC_FAULT_COUNT]; /* for report.json */
extern const char *const warc_fault_texts[WARC_FAULT_COUNT];

struct warc_record {
    enum warc_type type;
    bool arc;
    struct adit_str header; /* all header lines, the version line included */
    struct adit_str uri;    /* WARC-Target-URI without <>; may hold spaces; may be empty */
    struct adit_str date;   /* as written: W3C datetime, or 14 digits in ARC */
    struct adit_str content_type;
    uint64_t length;   /* of the block: as declared, or as found when the declaration is wrong */
    bool length_known; /* false: the block is larger than block_max and states no length */
    struct adit_str block; /* the whole block, or its beginning if it is longer than block_max */
    bool whole;            /* block is the whole block */
    bool damaged;          /* the block's end is missing, or its bytes cannot be trusted */
    bool corrupt;          /* the latter: its compressed bytes are damaged */
};

/* The first header field of that name (ASCII case folded), trimmed; empty if none. A value that is
 * folded over several lines still holds the line ends. */
struct adit_str warc_field(const struct warc_record *r, struct adit_str name);

struct warc_reader {
    struct input *in;
    size_t block_max; /* blocks up to this many bytes are delivered whole */
    uint64_t records, faults[WARC_FAULT_COUNT];
    /* internal */
    uint64_t skip;     /* bytes of the current record still to be taken */
    uint64_t at_start; /* records that began a gzip member or zstd frame */
    uint64_t searched; /* bytes, to count the work */
    enum { WARC_PROVEN, WARC_UNPROVEN, WARC_OPEN } end; /* of the current record: see warc.c */
    bool arc, started;
    size_t arc_fields;
};

enum { WARC_BLOCK_MAX = (9 << 20), WARC_HEADER_MAX = 64 << 10 };

/* in must have been opened with options.recover and a window of WARC_WINDOW at least; the caller
 * closes it. */
enum { WARC_WINDOW = WARC_BLOCK_MAX + (2 << 20) };
void warc_init(struct warc_reader *w, struct input *in);
/* False at the end; input_code(in) then tells of a read error, if any. */
bool warc_next(struct warc_reader *w, struct warc_record *r);

#endif
