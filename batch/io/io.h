/* io: files. Inputs decompress themselves; outputs appear whole or not at all, alone (output) or many
 * at one commit point (publish); names and paths of strangers stay below a folder; sorting is done in
 * bounded memory. */
#ifndef ADIT_IO_H
#define ADIT_IO_H

#include "batch/cli/cli.h"
#include "base/base.h"
#include "crypto/crypto.h"

#include <sys/types.h>

/* --- source ----------------------------------------------------------------------------------- */

/* A source: bytes that can be read at an offset, wherever they are. One that is not seekable is read
 * from its beginning to its end only, whatever the offset says. */
struct input_source {
    /* At most len bytes; 0 at the end, or on an error, which *why then tells (a constant, or valid as
     * long as the source is). */
    size_t (*read)(struct input_source *s, uint64_t offset, char *to, size_t len, const char **why);
    void (*close)(struct input_source *s);
    uint64_t size; /* 0: unknown */
    bool seekable;
};
void source_close(struct input_source *s); /* NULL is fine */
/* Whether all len bytes could be read. */
bool source_read_all(struct input_source *s, uint64_t offset, char *to, size_t len);
/* Takes fd, also when it fails: NULL, and *why. */
struct input_source *source_file(int fd, const char **why);
/* Parts of another source, which must outlive them; NULL: out of memory. A deflated part has `size`
 * bytes when it is inflated, and no more are given. */
struct input_source *source_part(struct input_source *of, uint64_t from, uint64_t len);
struct input_source *source_inflate(struct input_source *of, uint64_t from, uint64_t len,
                                    uint64_t size);
struct input_source *source_bytes(struct adit_str bytes); /* the bytes must outlive it */
/* Takes of; hashes what is read of it. source_hash_end reads what nobody has read, and gives the hash of
 * all; false: it cannot be read. */
struct input_source *source_hash(struct input_source *of);
bool source_hash_end(struct input_source *s, uint8_t hash[ADIT_SHA256_LEN]);

/* --- input ------------------------------------------------------------------------------------ */

/* input: the bytes of a file or a pipe, decompressed by what they are (magic bytes), never by name.
 *
 * A pull interface with a window: input_peek shows the next bytes without taking them, input_skip
 * takes them. Plain, gzip (any number of members) and zstd (any number of frames, skippable ones
 * included, a WARC dictionary frame in front too) look the same to the caller.
 *
 *     struct input *in = input_open(path, NULL);
 *     while (input_line(in, max, &line)) …
 *     if (input_code(in)) cli_say(path, "%s", input_message(in));
 */

enum input_coding { INPUT_PLAIN, INPUT_GZIP, INPUT_ZSTD };

struct input_options {
    size_t window_max; /* most bytes that input_peek and input_line can show; 0: 16 MiB */
    size_t raw_max;    /* encoded bytes held; 0: 4 MiB. Less where many files are read at once */
    int zstd_log_max;  /* of the history that a zstd frame asks for; 0: libzstd's own limit, 27 */
    bool guard_ratio;  /* stop with ADIT_ELIMIT beyond 100:1 (SCP, Resource Exhaustion) */
    bool recover;      /* go on after damaged members: see input_recover */
};

struct input;

/* path "-" is stdin. Says on stderr what is wrong and returns NULL if it cannot be opened or there
 * is no memory; options may be NULL (all zero). */
struct input *input_open(const char *path, const struct input_options *options);
/* The same over bytes in memory, which must outlive the input. */
struct input *input_open_bytes(struct adit_str bytes, const struct input_options *options);
/* The same over a source, which it takes, also when it fails: NULL, out of memory. */
struct input *input_open_source(struct input_source *source, const struct input_options *options);
/* The source, valid as long as the input is. */
struct input_source *input_source(struct input *in);
void input_close(struct input *in); /* NULL is fine */

/* The next bytes: at least `want` of them (capped at window_max) unless the input ends, is damaged
 * or fails before. Shows all that is at hand, so it may be more. Valid until the next call. */
struct adit_str input_peek(struct input *in, size_t want);
/* Takes n bytes, which may be more than the window. False if the input ended before. */
bool input_skip(struct input *in, uint64_t n);
/* Takes a line without its LF; the last one may lack it. False at the end, on an error, or when
 * the line is longer than max (then input_code is ADIT_ELIMIT). */
bool input_line(struct input *in, size_t max, struct adit_str *line);

/* ADIT_OK at a proper end. ADIT_EBAD: undecodable; ADIT_EEOF: compressed stream cut off;
 * ADIT_ELIMIT: ratio, or line too long; ADIT_EIO: read error; ADIT_ENOMEM. */
enum adit_code input_code(const struct input *in);
const char *input_message(const struct input *in); /* says why; "" when all is well */

/* With options.recover, damage ends the window: input_peek shows what came before it, and
 * input_code is ADIT_EBAD or ADIT_EEOF. Once the caller has used that, input_recover searches for
 * the next member or frame, clears the error and returns true; false: there is none. Bytes on
 * the two sides do not belong together. */
bool input_recover(struct input *in);

/* What stands `distance` bytes ahead, however far that is, without taking anything. A window's
 * reach is looked at in the window, more of a plain file by reading there; for more of a compressed
 * file a second decoder goes ahead, and input_skip to that place takes over its work. Distances
 * that grow cost no more than one more reading of the file; for those that go back there is a
 * budget. */
enum input_view_state {
    INPUT_SHOWN,   /* bytes: `want` of them, unless the input ends or is damaged before */
    INPUT_BEYOND,  /* the input ends before that place */
    INPUT_DAMAGED, /* or cannot be read up to there */
    INPUT_UNKNOWN  /* a pipe, and too far away; a frame that needs much memory; no budget left */
};
struct input_view {
    enum input_view_state state;
    struct adit_str bytes; /* `want` of them at most; valid until the next call */
    size_t member;         /* the first of bytes that begins a gzip member or zstd frame; SIZE_MAX:
                              none does. Known with options.recover only */
};
struct input_view input_ahead(struct input *in, uint64_t distance, size_t want);
/* Whether a member begins at byte `at` of what input_peek shows. */
bool input_starts_member(const struct input *in, size_t at);
/* Bytes decoded, moved and searched so far, the second decoder's too: noise-free, for tests. */
uint64_t input_work(const struct input *in);

/* Where byte `at` of what input_peek shows is stored: the encoded offset of the gzip member or zstd
 * frame that it is in, of plain files its own. UINT64_MAX: unknown. Known with options.recover only. */
uint64_t input_stored(struct input *in, size_t at);
/* Where the member that holds the next byte ends, as far as that is known; else 0. */
uint64_t input_stored_end(struct input *in);

enum input_coding input_coding(const struct input *in);
uint64_t input_offset(const struct input *in);        /* decoded bytes taken so far */
uint64_t input_member_offset(const struct input *in); /* decoded offset where the member that is
                                                         decoded now (the damaged one) begins */
uint64_t input_consumed(const struct input *in);      /* encoded bytes read so far */
uint64_t input_size(const struct input *in);          /* encoded size of a regular file, else 0 */
uint64_t input_parts(const struct input *in);         /* gzip members or zstd frames begun so far */

/* --- output ----------------------------------------------------------------------------------- */

/* output: files that appear whole or not at all, compressed on the way.
 *
 * Bytes go to a file without a name in the target's folder; output_commit syncs it to disk and puts
 * it in the target's place, so that a killed run leaves the old file. "-" is standard output: then
 * the bytes are collected in a temporary file and copied at the end. Several files that take their
 * places together are publish's.
 *
 * The first bytes of a file may have to say something about the rest (a checksum). Such a head is
 * given first, is stored without compression inside the same frame or member, and may be replaced
 * by other bytes of the same length before output_commit: one pass suffices.
 *
 * Readers of collections must refuse what decompresses more than 100:1 (SCP, Resource Exhaustion).
 * So output never compresses better than that, at no point of the file, however small the pieces
 * in which it is read: it fills up with empty blocks, and output_padded tells.
 */

enum output_coding { OUTPUT_NONE, OUTPUT_GZIP, OUTPUT_ZSTD };

struct output_options {
    enum output_coding coding;
    int level; /* 0: the default (zstd 3, gzip 6) */
    int jobs;  /* threads that zstd may use besides this one; 0: none */
    /* The name is adit's own choice, inside a folder: whatever has it, a link or a device, is
     * replaced. Without it (a FILE that the user names) a link stays and its target is replaced,
     * and a device is written to. */
    bool own_name;
};

/* Options of every command that writes collections, for its table: --compress, --level. */
#define OUTPUT_CLI_OPTIONS                                                                         \
    {"compress", "zstd|gzip|none", CLI_CHOICE, "how to compress (default: by the name's ending)"}, \
        {"level", "N", CLI_VALUE, "compression level: zstd 1-22 (3), gzip 1-9 (6)"}
/* Reads them; otherwise: without --compress. CLI_OK, or CLI_USAGE after saying what is wrong. */
int output_cli(const struct cli_args *args, enum output_coding otherwise,
               struct output_options *options);
enum output_coding output_coding_of(const char *path); /* by how it ends: .gz, .zst, else none */
extern const char *const output_coding_names[];        /* "none", "gzip", "zstd" */
extern const char *const output_coding_suffixes[];     /* "", ".gz", ".zst" */

struct output;

/* Says on stderr what is wrong and returns NULL if the file cannot be made. options may be NULL
 * (no compression). */
struct output *output_open(const char *path, const struct output_options *options);
/* The same onto a new file that is open for reading and writing, and has no name or a temporary one
 * (temp, to be freed; else NULL). path is for messages, and for output_path. Takes fd and temp,
 * also when it fails. Such an output ends with output_sync and output_link, not with output_commit.
 */
struct output *output_open_on(int fd, char *temp, const char *path,
                              const struct output_options *options);
const char *output_path(const struct output *out);

/* Must come before any other byte, at most 65535 bytes, at most once. */
bool output_head(struct output *out, struct adit_str head);
/* Puts other bytes of the same length in its place, before output_finish. */
bool output_replace_head(struct output *out, struct adit_str head);

bool output_write(struct output *out, struct adit_str part);
/* A sink of the core that writes to an output. */
struct output_sink {
    struct adit_sink sink;
    struct output *out;
};
struct adit_sink *output_sink_init(struct output_sink *s, struct output *out);

/* Ends the compressed stream; nothing more can be written. output_commit does it if need be. */
bool output_finish(struct output *out);
/* Hash of the encoded file as it will be, by reading it again. After output_finish. */
bool output_file_sha256(struct output *out, uint8_t hash[32]);
/* Ends, syncs, renames. All errors of before show here at the latest: said on stderr, false, and
 * the temporary file is gone. Frees out. */
bool output_commit(struct output *out);
/* Ends and syncs. False: said on stderr. */
bool output_sync(struct output *out);
/* Gives the synced file a name in folder, in place of what has it. The file stays there whatever
 * becomes of out. */
bool output_link(struct output *out, int folder, const char *name);
void output_discard(struct output *out); /* NULL is fine; leaves no file */

uint64_t output_bytes_in(const struct output *out);
uint64_t output_bytes_out(const struct output *out); /* encoded; whole after output_finish */
bool output_padded(const struct output *out);        /* compression was held at the limit */

/* A file for reading and writing that has no name, in that folder: a killed run leaves nothing
 * behind. -1: see errno. */
int output_unnamed(const char *folder);

/* The folder that a file is in ("a/b": "a", "b": "."); the caller frees it. NULL: no memory. */
char *output_folder(const char *path);

/* A whole small file at once; own_name as in struct output_options. */
bool output_file(const char *path, struct adit_str bytes, bool own_name);

/* --- spool ------------------------------------------------------------------------------------ */

/* Bytes that wait until what stands before them is known: a few in memory, more in a file without a
 * name in the folder. */
struct spool {
    const char *folder; /* must outlive it */
    struct adit_buf held;
    int fd; /* -1: all is held */
    uint64_t len;
    bool failed;
};
void spool_init(struct spool *s, const char *folder);
bool spool_add(struct spool *s, struct adit_str part); /* false: said on stderr */
/* Writes all of it, once. False: said. */
bool spool_copy(struct spool *s, struct output *out);
void spool_free(struct spool *s);

/* --- files ------------------------------------------------------------------------------------ */

/* Files that belong together: outputs are complete but not in place until publish_commit, which
 * lets them take their places together; or until files_commit, which moves one after the other
 * in the order in which they were added, for files that lie anywhere. */

struct file_set {
    struct output **v;
    size_t n, cap;
};
bool files_add(struct file_set *f, struct output *out); /* takes out, NULL included */
bool files_commit(struct file_set *f);
void files_discard(struct file_set *f);
/* Moves all of from to the end of to. */
bool files_move(struct file_set *from, struct file_set *to);

/* --- publish ---------------------------------------------------------------------------------- */

/* publish: files of a folder that take their places together.
 *
 *   p = publish_open(dir, names)       waits for its turn, ends what a killed run had begun
 *   out = publish_output(p, name, …)   files without a name, while the folder is as it was
 *   publish_put(p, out)                where there are many files: this one is complete
 *   publish_commit(p, &files)          all of them, in the order of files, or none
 *   publish_close(p)
 *
 * Before the commit point a run that is killed, fails or finds no space has changed no file; after
 * it every file is whole, and the next publish_open finishes what is left to do. batch/pack/README.md
 * says how. Names are adit's own (see own_files in publish_journal.c) and lie in dir or in folders
 * of it; a link at such a name is replaced, a link on the way to it is an error. */

struct publish;

/* Makes dir if need be; publish_close removes it again if nothing was published in it. NULL: said on
 * stderr. */
/* Patterns of the paths that a publication's files and folders may have, each list ending with NULL;
 * '*' stands for a part of one component. A journal that names anything else is refused. */
struct publish_names {
    const char *const *files, *const *folders;
};
struct publish *publish_open(const char *dir, const struct publish_names *names);
/* The folder `name` of top, which is locked, too; made by the commit if it is not there. Commits of such new
 * folders wait for each other: they are done by publish_settle or a commit of top, and when there are
 * many. top must outlive it. name: judged by below_name_fault. */
struct publish *publish_below(struct publish *top, struct adit_str name);
void publish_close(struct publish *p); /* NULL is fine */

/* A journal of a killed run was found and finished. */
bool publish_finished(const struct publish *p);
/* Whether dir waits for a run that finishes what a killed one had begun. */
bool publish_unfinished(const char *dir);
const char *publish_dir(const struct publish *p);
/* A folder on the same file system that is there already, for files without a name. */
const char *publish_temp(const struct publish *p);

/* The output DIR/NAME; it belongs into the files of publish_commit, or is discarded. NULL: said. */
struct output *publish_output(struct publish *p, const char *name,
                              const struct output_options *options);
/* Gives an output of publish_output another name, before it is committed. False: said. */
bool publish_rename(struct publish *p, struct output *out, const char *name);
/* A whole small file, added to files. */
bool publish_file(struct publish *p, const char *name, struct adit_str bytes,
                  struct file_set *files);
/* Calls each for every name in the folder that files are in now; nothing happens in a folder that the
 * commit is still to make. False: said on stderr. */
bool publish_list(struct publish *p, bool (*each)(void *ctx, const char *name), void *ctx);
/* Removes a file below the folder, after the commit. */
enum publish_removal {
    PUBLISH_REMOVED,
    PUBLISH_ABSENT,
    PUBLISH_STAYS, /* why is said on stderr */
};
enum publish_removal publish_remove(struct publish *p, const char *name);
/* One of many files, complete: it is staged, so that it is no longer held in memory, and belongs to the
 * next publish_commit. Takes out, NULL included. False: said. */
bool publish_put(struct publish *p, struct output *out);
/* Frees files in any case. False: said on stderr. */
bool publish_commit(struct publish *p, struct file_set *files);
/* Ends the commits of new folders of top that wait. False: said on stderr. */
bool publish_settle(struct publish *top);

/* --- below ------------------------------------------------------------------------------------ */

/* below: names that come from input, and files below a folder.
 *
 * Hosts, ids and keys of strangers become file names only through below_name_fault; files whose
 * names are not adit's own choice alone are opened only through below_open and below_parent, which
 * never leave the folder and never follow a link: not in the last component, not on the way there.
 *
 * Paths are relative, with '/' between components; an empty component, "." and ".." are refused
 * (EINVAL), a link gives ELOOP. */

enum { BELOW_NAME_MAX = 200 }; /* bytes: suffixes of temporary files must fit into 255 */

/* NULL if name may be a file or folder name as it stands; else what is wrong with it, to be put
 * behind it ("begins with a dot"). Allowed are 1 to BELOW_NAME_MAX bytes of A-Z a-z 0-9 - _ . ~ and
 * the signs of IPv6 hosts and ports ([ ] :), no leading dot, and none of reserved (ends with NULL;
 * may be NULL; compared without regard to case): names that adit makes in that folder itself. */
const char *below_name_fault(struct adit_str name, const char *const *reserved);

/* As openat; also makes the last component where flags say so (O_CREAT). */
int below_open(int folder, const char *path, int flags, mode_t mode);

/* Opens the folder that holds the last component of path; *last is that component. What renameat,
 * linkat and unlinkat then do with *last never follows a link. make: folders that lack are made. */
int below_parent(int folder, const char *path, bool make, const char **last);

/* What errno says, for people: that of a link is worded for those who do not know ELOOP. */
const char *below_why(int error);

/* Makes the folder that files will lie below, and those above it; says why it cannot. *made: bytes of
 * dir that name the first folder that was not there before; 0: all were. */
bool below_make(const char *dir, size_t *made);
/* Removes again what below_make has made, as far as it is empty. */
void below_unmake(const char *dir, size_t made);

/* Removes path if it is a link: for files whose names adit chooses, before they are written by
 * something that would follow it. False: see errno. */
bool below_drop_link(int folder, const char *path);

/* For tests: opens component by component, as on kernels without openat2. */
extern bool below_by_steps;

/* --- sort ------------------------------------------------------------------------------------- */

/* sort: an external sort: any number of records in a fixed amount of memory.
 *
 * Records are added in any order and come out sorted. When the memory is full they are sorted and
 * written to a temporary file (a run), and the runs are merged at the end. The order must be total:
 * then what comes out does not depend on the memory, nor on the order of adding.
 *
 *     while (…) sorter_add(s, parts, n);
 *     sorter_start(s);
 *     while (sorter_next(s, &record)) …
 */

/* Like strcmp; the bytes of a record are aligned to 8. 0 only for records with the same bytes. */
typedef int sorter_cmp(struct adit_str a, struct adit_str b);

struct sorter;

/* Temporary files go to the folder dir; they have no name, so that nothing can stay behind. Memory:
 * of the records under way, with their index; runs under merge take SORTER_FAN x 256 KiB more. */
enum { SORTER_FAN = 64, SORTER_MEMORY_MIN = 1 << 20 };
struct sorter *sorter_new(const char *dir, size_t memory, sorter_cmp *cmp);
void sorter_free(struct sorter *s); /* NULL is fine */

/* Adds a record made of n parts. False (said on stderr): no memory, or no space for a run. */
bool sorter_add(struct sorter *s, const struct adit_str *parts, size_t n);
/* No more records are added. */
bool sorter_start(struct sorter *s);
/* The next record in order, valid until the next call. False at the end and on an error. */
bool sorter_next(struct sorter *s, struct adit_str *record);
bool sorter_failed(const struct sorter *s);
uint64_t sorter_spilled(const struct sorter *s); /* bytes written to runs */

/* Records that are sorted already, wherever they come from: merged with the others. */
struct sorter_source {
    /* 1: *record, valid until the next call; 0: the end; -1: an error, said on stderr. */
    int (*next)(struct sorter_source *s, struct adit_str *record);
    void (*close)(struct sorter_source *s);
    uint64_t size; /* bytes, about: short ones are merged first */
};
/* Before sorter_start. Takes source, also when it fails. */
bool sorter_add_source(struct sorter *s, struct sorter_source *source);

/* --- runfile ---------------------------------------------------------------------------------- */

/* runfile: sorted records in a file that other machines may read. It has segments, each compressed
 * by itself, so that many readers may take one segment each, and ends with a text of the writer's
 * (JSON), which says what the records are. All is checked by hashes; a file that is cut off,
 * damaged or of another kind is refused with a message that names it.
 *
 *   magic | segment (a zstd frame: u32 length, bytes, ...) ... | table | text | tail
 *
 * Numbers are little-endian. */

enum { RUNFILE_SEGMENTS_MAX = 65536, RUNFILE_TEXT_MAX = 64 << 20, RUNFILE_RECORD_MAX = 128 << 20 };

struct runfile_writer;
/* NULL: said on stderr. The file takes its place at runfile_commit. */
struct runfile_writer *runfile_create(const char *path);
bool runfile_add(struct runfile_writer *w, const struct adit_str *parts, size_t n);
/* What is added from now on is in the next segment. */
bool runfile_next_segment(struct runfile_writer *w);
/* Ends the last segment. Frees w; false: said on stderr, and no file is left. */
bool runfile_commit(struct runfile_writer *w, struct adit_str text, uint64_t *size);
void runfile_discard(struct runfile_writer *w); /* NULL is fine */

struct runfile;
/* NULL: said on stderr, if the file is there and cannot be used; a file that is not there says
 * nothing with `missing_is_fine`. */
struct runfile *runfile_open(const char *path, bool missing_is_fine);
/* The same over a source, which it takes; name is for messages. */
struct runfile *runfile_open_source(struct input_source *source, const char *name);
void runfile_close(struct runfile *r); /* NULL is fine */
struct adit_str runfile_text(const struct runfile *r);
size_t runfile_segments(const struct runfile *r);
/* The table, as bytes: where segments are and how many records they have. */
struct adit_str runfile_table(const struct runfile *r);
/* Says what is wrong with the file's content; false. */
bool runfile_refuse(const struct runfile *r, const char *why);
/* The records of a segment. fault looks at each: NULL, or what is wrong with it; before: the record
 * before it, or empty. Takes r, also when it fails: NULL, said on stderr. */
typedef const char *runfile_fault(void *ctx, struct adit_str record, struct adit_str before);
struct sorter_source *runfile_segment(struct runfile *r, size_t segment, runfile_fault *fault,
                                      void *ctx);

#endif
