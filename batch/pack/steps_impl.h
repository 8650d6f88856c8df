/* What the steps of pack on many machines share: the heads of their run files.
 *
 *   RUNS/map-00003-of-00016.run                          by --map: a segment a partition
 *   DIR/.partitions/20260131T000000Z-00002-of-00008.run  by --reduce, until --finish
 *
 * A head says what the records are made of and with which options, so that files which do not belong
 * together are refused by name, and a step that is run again finds its work done. There is nothing in
 * a head or a record that depends on the machine, the time or the number of threads, but for the times
 * of the slowest pages, which no comparison of heads looks at: two tasks that do the same work at once
 * write files that stand for each other. */
#ifndef ADIT_PACK_STEPS_IMPL_H
#define ADIT_PACK_STEPS_IMPL_H

#include "batch/pack/pack_impl.h"

#define PACK_PARTITIONS ".partitions" /* in the folder of the publication */

struct pack_head_input { /* what tells one state of an input from another; 0 of pipes and URLs */
    struct adit_str name;
    uint64_t size, mtime;
};
struct pack_head_host {
    struct adit_str name;
    uint64_t pages;
};
struct pack_head_loss {
    struct adit_str file, reason;
    uint64_t offset;
    bool has_offset;
};

struct pack_head_note { /* a capture that was left out, as an example */
    struct adit_str reason, url, file;
    uint64_t offset;
    bool has_offset;
};
struct pack_head_slow {
    struct adit_str url;
    uint64_t us;
};

struct pack_head {
    /* The same in all files of one publication: */
    struct adit_str rules, generated;
    uint64_t layout; /* of records */
    struct adit_str *options;
    size_t n_options;
    uint64_t partitions, shards;
    uint8_t all_inputs[ADIT_SHA256_LEN];
    /* This file's own: */
    uint64_t number; /* of the shard, or of the partition */
    struct pack_head_input *inputs;
    size_t n_inputs;
    uint64_t n_all_inputs;         /* of a partition: how many inputs all maps had */
    uint8_t maps[ADIT_SHA256_LEN]; /* of a partition: hash of the heads of the maps */
    /* What was read; of a partition: by all maps. */
    uint64_t *crawl;
    size_t n_crawl;
    struct pack_head_host *hosts;
    size_t n_hosts;
    struct pack_head_loss *losses; /* of partition 0, and of maps */
    size_t n_losses;
    uint64_t losses_more;
    struct pack_head_note *left_out; /* likewise */
    size_t n_left_out;
    struct pack_head_slow *slowest; /* likewise */
    size_t n_slowest;
    /* Of a partition: what became of it. */
    uint64_t *history;
    size_t n_history;
};

enum { PACK_HEAD_MEMORY = 256 << 20 };

/* The head of a step with these options, without what is read. False: said on stderr. */
bool pack_head_make(struct pack_head *h, const struct pack_options *o, const struct cli_args *args,
                    struct adit_arena *arena);
/* Reads the head of a file; false: said on stderr. Strings are the file's, or in the arena. */
bool pack_head_read(struct pack_head *h, const struct runfile *file, struct adit_arena *arena);
/* Writes it as the file's text and commits the file. */
bool pack_head_commit(const struct pack_head *h, struct runfile_writer *file, uint64_t *size);
/* Whether h, of a file, belongs to the publication of `to`; what, the step or the file of `to`, is for
 * the message (NULL: none). */
bool pack_head_fits(const struct pack_head *h, const char *name, const struct pack_head *to,
                    const char *what);
/* A hash of what the file holds and says, without times. */
void pack_head_sha256(const struct pack_head *h, const struct runfile *file,
                      uint8_t sha[ADIT_SHA256_LEN]);
/* Puts what was read into the head; adds the head's to what was read. */
bool pack_head_take_crawl(struct pack_head *h, struct pack_crawl *c, struct adit_arena *arena);
bool pack_head_add_crawl(const struct pack_head *h, const char *name, struct pack_crawl *to);
/* Adds counts of a head. False: their number is another version's. */
bool pack_head_add_counts(const uint64_t *v, size_t n, struct crawl_counts *to);

/* Files of a folder that are called PREFIXi-of-n.run. *n: 0 if there are none. False (said on
 * stderr): they are of several n; what: "maps". */
bool pack_set_size(const char *dir, const char *prefix, const char *what, uint64_t *n);
/* "DIR/PREFIX00003-of-00016.run"; the caller frees it. NULL: said on stderr. */
char *pack_set_file(const char *dir, const char *prefix, uint64_t i, uint64_t n);
/* Whether all n are there; says which are not, the first ones by number. */
bool pack_set_complete(const char *dir, const char *prefix, const char *what, uint64_t n);
/* Where temporary files go: TMPDIR, or dir. */
const char *pack_scratch(const char *dir);
/* Whether the folder holds the publication of this time already. */
bool pack_published(const struct pack_options *o);

/* --- parts.c: with --parts -------------------------------------------------------------------- */

/* "BASE/part-00002-of-00008"; the caller frees it. NULL: said on stderr. */
char *pack_part_dir(const char *base, uint64_t i, uint64_t n);
/* Whether partition i is published at this time; o->out: the folder above. */
bool pack_part_published(const struct pack_options *o, uint64_t i);
/* Whether --previous has as many parts, or none yet; else said on stderr. */
bool pack_parts_fit(const struct pack_options *o);
/* parts.json; pages: of each partition. */
bool pack_parts_index(const struct pack_options *o, struct publish *to, const uint64_t *pages,
                      struct file_set *files);

#endif
