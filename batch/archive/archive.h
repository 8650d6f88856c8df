/* archive: the versioned archive (SPP) on disk.
 *
 *   DIR/adit-archive.json                     says that this is one, and its layout
 *   DIR/objects/abc/SHA256.gz                 raw bytes, clean texts, chunks, diffs: by their hash
 *   DIR/objects/abc/SHA256.bin                vectors
 *   DIR/artifacts/abc/UUID/versions.json      the versions of a page; all that an archiver must know
 *   DIR/artifacts/abc/UUID/N/semantic.json    the manifest of version N
 *   DIR/.adit/                                lock, journal, files on their way
 *
 * Writing is in batches. New files are written to .adit/stage; one syncfs makes them durable; the
 * journal, which says where each belongs, is the commit point; then they are moved. Whoever opens
 * the archive for writing after a crash first does what a journal says, so that a batch is there
 * as a whole or not at all. Objects are moved before manifests, manifests before the list of
 * versions: a reader, who needs no lock, never meets a name without its file.
 */
#ifndef ADIT_ARCHIVE_H
#define ADIT_ARCHIVE_H

#include "batch/cli/cli.h"
#include "page/page.h"
#include "spp/spp.h"

enum { ARCHIVE_FILE_MAX = 256 << 20, ARCHIVE_ARENA_MAX = 512 << 20 };

/* --- the store (store.c, commit.c) ------------------------------------------------------------ */

struct archive;
enum archive_found { ARCHIVE_FOUND, ARCHIVE_ABSENT, ARCHIVE_BROKEN }; /* broken: said on stderr */

/* Says what is wrong and returns NULL. */
struct archive *archive_open(const char *dir);
/* For writing: made if it is not there, locked (waits for another archiver), recovered. With
 * events, event lines of a batch go to stdout once it is committed. */
struct archive *archive_open_write(const char *dir, bool events);
/* Commits what is staged. False (said on stderr): what was committed before is there, the rest is
 * not. NULL is fine. */
bool archive_close(struct archive *a);
void archive_discard(struct archive *a); /* forgets what is staged; NULL is fine */
const char *archive_dir(const struct archive *a);
/* Whether a killed writer's batch waits for being finished by the next one. Broken (said): there is
 * a journal that no writer has made. */
enum archive_found archive_unfinished(struct archive *a);
/* Keeps writers away while something is read as a whole. False (said): the lock is a link. */
bool archive_lock_shared(struct archive *a);

/* Stages a file; its key is relative to DIR. */
bool archive_put(struct archive *a, struct adit_str key, struct adit_str bytes);
/* The same for an object, as it is stored. Nothing happens if it is there. */
bool archive_put_object(struct archive *a, const uint8_t sha[ADIT_SHA256_LEN],
                        enum adit_spp_coding coding, struct adit_str stored);
bool archive_remove(struct archive *a, struct adit_str key);
void archive_event(struct archive *a, enum adit_spp_event event, const struct adit_spp_manifest *m);
/* After an artifact: commits if the batch is large enough. */
bool archive_step(struct archive *a);
bool archive_commit(struct archive *a);

/* Reading: whole files into buf, which is cleared before. Neither here nor in writing any link is
 * followed, whatever the archive has in it. */
enum archive_found archive_read(struct archive *a, struct adit_str key, struct adit_buf *buf);
/* An object's bytes, decompressed, and compared with its hash. */
enum archive_found archive_object(struct archive *a, const uint8_t sha[ADIT_SHA256_LEN],
                                  enum adit_spp_coding coding, struct adit_buf *buf);
/* Decompresses what is stored as an object; false (said): it is damaged. */
bool archive_inflate(struct archive *a, struct adit_str gz, struct adit_buf *buf);
enum archive_found archive_versions(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                    struct adit_arena *arena, struct adit_spp_version **v,
                                    size_t *n);
/* Strings live in the arena. */
enum archive_found archive_manifest(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                    uint64_t number, struct adit_arena *arena,
                                    struct adit_spp_manifest *m);
/* The same, and its text as it is stored (may be NULL). */
enum archive_found archive_manifest_text(struct archive *a, const char uuid[ADIT_SPP_UUID],
                                         uint64_t number, struct adit_arena *arena,
                                         struct adit_spp_manifest *m, struct adit_str *text);
bool archive_put_manifest(struct archive *a, const struct adit_spp_manifest *m);
/* The same for one whose stored text is known: a change of a few bytes within the same length, such
 * as another lastSeen, is made in place. */
bool archive_change_manifest(struct archive *a, const struct adit_spp_manifest *m,
                             struct adit_str stored);
bool archive_put_versions(struct archive *a, const char uuid[ADIT_SPP_UUID],
                          const struct adit_spp_version *v, size_t n);

/* Calls each for every artifact, in the order of their UUIDs. False if each said so. */
bool archive_each(struct archive *a, bool (*each)(void *ctx, const char uuid[ADIT_SPP_UUID]),
                  void *ctx);
/* The same for every object, with the name of its file. */
bool archive_each_object(struct archive *a, bool (*each)(void *ctx, const char *key), void *ctx);

/* --- from a page to a version (build.c) ------------------------------------------------------- */

struct archive_builder; /* one a thread */
struct archive_builder *archive_builder_new(void);
void archive_builder_free(struct archive_builder *b); /* NULL is fine */

/* Compresses into out (appended); deterministic. */
bool archive_gzip(struct archive_builder *b, struct adit_str bytes, struct adit_buf *out);

/* What a page says, for the manifest: type, canonical, metadata. Slices of page. */
void archive_describe(const struct adit_page *page, const struct adit_page_source *source,
                      struct adit_spp_manifest *m);
/* Makes clean text and chunks and appends them, compressed, to payload, in the order of the
 * manifest's objects; a chunk that is the whole text is not repeated. */
bool archive_enrich(struct archive_builder *b, const struct adit_page *page,
                    struct adit_arena *arena, struct adit_spp_manifest *m,
                    struct adit_buf *payload);
/* Stages the objects of a payload. */
bool archive_put_payload(struct archive *a, const struct adit_spp_manifest *m, bool with_raw,
                         struct adit_str payload);
/* Makes the diff between two clean texts, stages it and fills it in. */
bool archive_diff(struct archive *a, struct archive_builder *b, struct adit_str old_text,
                  struct adit_str new_text, struct adit_spp_manifest *m);

/* --- signing keys (key.c) --------------------------------------------------------------------- */

/* A private P-256 key: PEM (SEC 1 or PKCS #8) or 64 hexadecimal digits. Says what is wrong. */
bool archive_private_key(const char *path, uint8_t key[ADIT_P256_KEY]);
/* A public one: PEM (SubjectPublicKeyInfo), 130 hexadecimal digits, or a private key of either
 * form. */
bool archive_public_key(const char *path, uint8_t key[ADIT_P256_PUBLIC]);

/* --- commands --------------------------------------------------------------------------------- */

enum archive_stages { ARCHIVE_INGEST = 1, ARCHIVE_ENRICH = 2, ARCHIVE_EMBED = 4 };

struct archive_options {
    const struct cli_args *args;
    const char *dir;
    unsigned stages;   /* enum archive_stages */
    bool events, json; /* events on stdout; the report then goes to stderr */
    const char *embed, *model, *crawler;
    const char *robots; /* whose rules in robots.txt count; NULL: nobody's */
    bool sign;
    uint8_t key[ADIT_P256_KEY];
};

struct archive_counts {
    uint64_t artifacts; /* new ones */
    uint64_t versions, unchanged, patched, known, late, tombstoned, disallowed, enriched, embedded;
    uint64_t chunks, chunks_reused;
};

int archive_ingest(const struct archive_options *o); /* ingest.c */
/* Stages enrich and embed over what is stored: the artifacts that event lines name, or all. */
int archive_stages(const struct archive_options *o); /* stages.c */
/* Embeds the versions of these artifacts. */
bool archive_embed(const struct archive_options *o, struct archive *a,
                   const char uuid[ADIT_SPP_UUID], struct archive_counts *counts);
struct crawl_counts;
/* skips may be NULL. */
void archive_report(const struct archive_options *o, const struct archive_counts *c,
                    const struct crawl_counts *skips);
/* Says that nothing was archived, and why. */
void archive_report_nothing(const struct archive_counts *c, const struct crawl_counts *skips);

/* The artifact that an operand names: a URL, a URN or a UUID. */
bool archive_which(struct archive *a, const char *operand, char uuid[ADIT_SPP_UUID]);

/* Of the reading commands: DIR is opened, operands are what comes behind it. */
struct archive_question {
    const struct cli_args *args;
    struct archive *a;
    char **operands;
    size_t n;
};
int archive_ls(const struct archive_question *q); /* look.c */
int archive_show(const struct archive_question *q);
int archive_get(const struct archive_question *q);
int archive_diff_command(const struct archive_question *q);
int archive_verify(const struct archive_question *q); /* verify.c */
int archive_tombstone(const struct cli_args *args, const char *dir, const char *url);

#endif
