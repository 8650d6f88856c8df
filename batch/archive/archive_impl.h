/* What the store's parts share. */
#ifndef ADIT_ARCHIVE_IMPL_H
#define ADIT_ARCHIVE_IMPL_H

#include "batch/archive/archive.h"

#define ARCHIVE_MARKER  "adit-archive.json"
#define ARCHIVE_OWN     ".adit"
#define ARCHIVE_STAGE   ARCHIVE_OWN "/stage"
#define ARCHIVE_JOURNAL ARCHIVE_OWN "/journal"
#define ARCHIVE_LOCK    ARCHIVE_OWN "/lock"

struct archive {
    char *dir;
    int fd, lock; /* lock: -1 when there is none */
    int own;      /* the folder .adit, for writing; -1: not open */
    bool writing, events_on, failed;
    struct adit_buf journal; /* of the batch: what to do, a line each */
    struct adit_buf events;
    struct adit_buf scratch, file;
    uint64_t n_staged, staged_bytes; /* of the batch */
    uint64_t next_staged; /* never used twice: the journal of the batch before still counts */
    bool journal_there;   /* the last batch's, until its moves are durable */
    struct libdeflate_decompressor *inflate;
};

/* Says it, with the file's name, and remembers it. */
bool archive_fail(struct archive *a, const char *key, const char *why);

/* --- commit.c --------------------------------------------------------------------------------- */

enum { ARCHIVE_STAGED_MAX = 64 };
/* Where the staged file of that number lies, relative to .adit. */
void archive_staged(char path[ARCHIVE_STAGED_MAX], uint64_t n);
/* A file that is replaced at once, and durable; path is relative to the archive. */
bool archive_replace(struct archive *a, const char *path, struct adit_str bytes);
bool archive_write_marker(struct archive *a);
bool archive_recover(struct archive *a);
/* Empties .adit/stage: of what a killed run has left, or of empty folders. */
bool archive_clear_stage(struct archive *a);

/* --- journal.c -------------------------------------------------------------------------------- */

/* Reads the journal of a run that was killed. Broken (said): there is one, but with a line that
 * adit does not write; nothing of it is to be done. */
enum archive_found archive_journal(struct archive *a, struct adit_buf *journal);
/* Does what the lines say, in their order; may be done again after a crash. */
bool archive_journal_do(struct archive *a, struct adit_str journal);

#endif
