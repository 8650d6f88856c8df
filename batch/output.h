/* output: files that appear whole or not at all, compressed on the way.
 *
 * Bytes go to a file without a name in the target's folder; output_commit syncs it to disk and puts
 * it in the target's place, so that a killed run leaves the old file. "-" is standard output: then
 * the bytes are collected in a temporary file and copied at the end. Several files that take their
 * places together are publish.h's.
 *
 * The first bytes of a file may have to say something about the rest (a checksum). Such a head is
 * given first, is stored without compression inside the same frame or member, and may be replaced
 * by other bytes of the same length before output_commit: one pass suffices.
 *
 * Readers of collections must refuse what decompresses more than 100:1 (SCP, Resource Exhaustion).
 * So output never compresses better than that, at no point of the file, however small the pieces
 * in which it is read: it fills up with empty blocks, and output_padded tells.
 */
#ifndef ADIT_OUTPUT_H
#define ADIT_OUTPUT_H

#include "batch/cli.h"

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
#define OUTPUT_CLI_OPTIONS                                                                        \
    {"compress", "zstd|gzip|none", CLI_VALUE, "how to compress (default: by the name's ending)"}, \
    {                                                                                             \
        "level", "N", CLI_VALUE, "compression level: zstd 1-22 (3), gzip 1-9 (6)"                 \
    }
/* Reads them; path (may be NULL) decides when --compress is not given: .gz, .zst, else none. Says
 * what is wrong and returns false otherwise. */
bool output_cli(const struct cli_args *args, const char *path, struct output_options *options);
extern const char *const output_coding_names[];    /* "none", "gzip", "zstd" */
extern const char *const output_coding_suffixes[]; /* "", ".gz", ".zst" */

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
/* The same as a sink; its end does nothing (output_commit ends a file). */
struct adit_sink *output_sink(struct output *out);

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

#endif
