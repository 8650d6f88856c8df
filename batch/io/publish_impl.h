/* What publish.c and publish_journal.c share. */
#ifndef ADIT_IO_PUBLISH_IMPL_H
#define ADIT_IO_PUBLISH_IMPL_H

#include "batch/io/io.h"

/* All that is not yet in its place is in the folder .adit, which a run removes at its end. */
#define PUBLISH_OWN     ".adit"
#define PUBLISH_STAGE   "pack-stage" /* complete files, at the paths that they will have */
#define PUBLISH_JOURNAL "pack-journal"
#define PUBLISH_TEMP    "pack-temp-" /* files under way, where files without a name cannot be had */
#define PUBLISH_LOCK    "pack-lock"  /* where a folder cannot be locked */

struct publish {
    const struct publish_names *names;
    char *dir;    /* of the publication */
    char *base;   /* the folder of fd: dir, or the folder above it while dir is not there */
    int fd, lock; /* lock: -1 if fd itself is locked */
    size_t made;  /* of dir: see below_make */
    bool finished;
    /* Of a folder that is not there yet: the publication of the folder above, which lends its fd and
     * stages the files; and how long that one's journal was. Else NULL. */
    struct publish *top;
    size_t mark;
    unsigned n_temps;
    struct publish_staged {
        int own, stage;          /* .adit and the stage in it; -1: nothing is staged */
        struct adit_buf journal; /* without its last line */
        size_t whole;            /* bytes of journal that lead to complete publications */
        size_t files;
        uint64_t bytes;
        bool unsynced; /* the files are synced by the commit, all at once */
    } staged;
};

/* Says what is wrong with base/name; false. */
bool publish_fail(const struct publish *p, const char *name, const char *why);
/* Opens .adit: never a link. -1: errno. */
int publish_own(const struct publish *p, bool make);
/* An output, and its file: one without a name; where the file system cannot do that, one in .adit. */
struct output *publish_open_output(struct publish *p, const char *path,
                                   const struct output_options *options);
int publish_open_unnamed(struct publish *p, char **temp);

/* --- publish_commit.c ------------------------------------------------------------------------- */

/* Whether the folder `name` is staged, and not in its place yet. */
bool publish_waits(const struct publish *p, const char *name);
/* Forgets what was staged and has not been committed. */
void publish_unstage(struct publish *p);

/* --- publish_journal.c: "F PATH" or "D PATH" moves the staged file or folder PATH to its place --- */

/* Adds the line; that of a folder once. False: the publication has nothing of that name. */
bool publish_journal_add(const struct publish *p, struct adit_buf *journal, char kind,
                         struct adit_str path);
/* Does what the journal says. Done twice, it is done. Then journal and stage are removed. */
bool publish_act(struct publish *p, int own, struct adit_str journal);
/* Finishes what a killed run had begun, or removes what it has left. */
bool publish_recover(struct publish *p);
/* Removes the stage and what else a run has left in .adit. There must be no journal. */
void publish_clear(struct publish *p);
/* rm -r; no link is followed. */
void publish_remove_tree(int folder, const char *name);

#endif
