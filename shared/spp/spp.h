/* spp: the versioned archive (SPP, Enrichment & Versioning 0.4): names of artifacts and of stored
 * objects, chunks, differences between texts, the manifest of a version (semantic.json), the list
 * of versions, Memento's views of it, events, and what an endorsement signs.
 *
 * Hashes are SHA-256 of the bytes before compression and are written "sha256:" + 64 digits.
 * Documents are canonical JSON (RFC 8785), so that the same facts are the same bytes.
 */
#ifndef ADIT_SPP_H
#define ADIT_SPP_H

#include "base/base.h"
#include "crypto/crypto.h"

/* --- names (names.c) -------------------------------------------------------------------------- */

enum { ADIT_SPP_UUID = 36 };
#define ADIT_SPP_URN "urn:spp:artifact:"

/* UUIDv5 in the URL namespace (RFC 9562, 5.5 and 6.6) of a page URL. */
void adit_spp_uuid(struct adit_str url, char uuid[ADIT_SPP_UUID]);
/* A UUID, bare or behind ADIT_SPP_URN, in any case; false: it is none. */
bool adit_spp_uuid_read(struct adit_str text, char uuid[ADIT_SPP_UUID]);

/* What is stored as it is (vectors), and what is compressed (all else). */
enum adit_spp_coding { ADIT_SPP_GZIP, ADIT_SPP_PLAIN };
/* The name of an object: "objects/" + 3 digits + "/" + all 64 + ".gz" or ".bin". Three digits make
 * 4096 folders: 16 million objects before a folder has as many. Appends. */
void adit_spp_object_key(struct adit_buf *out, const uint8_t sha[ADIT_SHA256_LEN],
                         enum adit_spp_coding coding);
/* The folder of an artifact, with a slash at its end: "artifacts/" + 3 digits + "/" + UUID + "/".
 */
void adit_spp_artifact_key(struct adit_buf *out, const char uuid[ADIT_SPP_UUID]);
#define ADIT_SPP_MANIFEST "semantic.json" /* in the folder VERSION/ of the artifact */
#define ADIT_SPP_VERSIONS "versions.json" /* in the artifact's folder */
/* What a key is that adit_spp_object_key and adit_spp_artifact_key have made, in every byte;
 * anything else, however near, is none. */
enum adit_spp_key {
    ADIT_SPP_KEY_NONE,
    ADIT_SPP_KEY_OBJECT,
    ADIT_SPP_KEY_VERSIONS,
    ADIT_SPP_KEY_MANIFEST
};
enum adit_spp_key adit_spp_key(struct adit_str key);
/* From the path of a request to the file that answers it: "/artifacts/ID/versions" and
 * "/artifacts/ID/versions/N/manifest". ID may be a URN. False: it is no such path. */
bool adit_spp_route(struct adit_str path, struct adit_buf *file);

/* --- chunks (chunk.c) ------------------------------------------------------------------------- */

/* 800 to 1200 tokens, estimated as bytes / 4. */
enum { ADIT_SPP_CHUNK_MIN = 3200, ADIT_SPP_CHUNK_MAX = 4800 };

/* The next chunk of text from *pos on, which moves behind it; false at the end. Chunks are cut at
 * the blank lines between blocks; a block that is too long, at the end of a line, a sentence or a
 * word, at the worst between two characters. All chunks joined are the text again. */
bool adit_spp_chunk(struct adit_str text, size_t *pos, struct adit_str *chunk);
static inline uint64_t adit_spp_tokens(uint64_t bytes) { return (bytes + 3) / 4; }

/* --- differences (unified.c) ------------------------------------------------------------------ */

struct adit_spp_stats {
    uint64_t inserted, deleted; /* lines */
    uint32_t tenths;            /* of a percent: changed lines among all lines of both texts */
};

/* Appends the unified diff with three lines of context; nothing if the texts are equal. The names
 * stand in its first two lines. */
enum adit_code adit_spp_diff(struct adit_str old_text, struct adit_str new_text,
                             struct adit_str old_name, struct adit_str new_name,
                             struct adit_mem mem, struct adit_buf *out,
                             struct adit_spp_stats *stats);
/* Applies such a diff: appends the new text. Strict: every line of the diff must fit. */
enum adit_code adit_spp_patch(struct adit_str old_text, struct adit_str diff, struct adit_buf *out,
                              struct adit_error *err);

/* --- the manifest of a version (manifest.c, endorse.c, type.c) ---------------------------------- */

struct adit_spp_object {
    uint8_t sha[ADIT_SHA256_LEN];
    uint64_t bytes, stored; /* before compression; as a file (0: as bytes) */
};

struct adit_spp_chunk {
    struct adit_spp_object text;
    struct adit_spp_object vector; /* float32, little endian; if dims > 0 */
    struct adit_str model;
    uint64_t dims;
};

/* A change of metadata without a change of the raw bytes. */
struct adit_spp_patched {
    struct adit_str at;
    struct adit_str was; /* the manifest's metadata before, JSON */
    uint8_t clean[ADIT_SHA256_LEN];
    bool has_clean; /* the clean text before was another one */
};

struct adit_spp_endorsement {
    uint8_t key[ADIT_P256_PUBLIC], signature[ADIT_P256_SIG];
};

enum adit_spp_stage { ADIT_SPP_INGESTED, ADIT_SPP_ENRICHED, ADIT_SPP_EMBEDDED };
extern const char *const adit_spp_stages[]; /* "ingested", "enriched", "embedded" */

enum { ADIT_SPP_PATCHES = 64, ADIT_SPP_ENDORSEMENTS = 16, ADIT_SPP_CHUNKS = 100000 };

/* Empty strings are not written. Times are RFC 3339. */
struct adit_spp_manifest {
    char uuid[ADIT_SPP_UUID];
    struct adit_str type, canonical;
    /* metadata; those of HTTP are for converting the raw bytes again */
    struct adit_str title, byline, language, published, updated, description, site_name;
    struct adit_str content_type, content_language, robots; /* header values */
    /* content */
    struct adit_spp_object raw, clean, diff;
    struct adit_spp_chunk *chunks;
    size_t n_chunks;
    struct adit_spp_stats stats;
    unsigned optout; /* ADIT_OPTOUT_…: what the page says against uses by machines */
    bool has_clean, has_diff;
    bool clean_changed; /* against the version before; true in the first */
    /* version */
    enum adit_spp_stage stage;
    uint64_t number; /* the one before is number - 1 */
    struct adit_str created;
    /* provenance */
    struct adit_str url, first_seen, last_seen, crawler, etag, last_modified;
    struct adit_str rules; /* version of the conversion's rules */
    struct adit_spp_patched *patches;
    size_t n_patches;
    struct adit_spp_endorsement *endorsements;
    size_t n_endorsements;
    struct adit_str tombstone_at, tombstone_reason; /* at: content is gone */
};

/* Appends it. Strings must be valid UTF-8. */
enum adit_code adit_spp_manifest_write(const struct adit_spp_manifest *m, struct adit_buf *out);
/* Reads what was written so; strings are slices of text, or copies in the arena. ADIT_EBAD: not a
 * manifest of ours; unknown members are passed over. */
enum adit_code adit_spp_manifest_read(struct adit_str text, struct adit_arena *arena,
                                      struct adit_spp_manifest *m, struct adit_error *err);
/* The member "metadata" alone. */
void adit_spp_metadata_write(const struct adit_spp_manifest *m, struct adit_buf *out);
/* What kind of page it is, by the type of its main JSON-LD object (may be empty). */
struct adit_str adit_spp_type(struct adit_str schema, bool authored);

/* The text that an endorsement signs: canonical JSON with id, canonical, version.number and
 * content.raw.sha256 (SPP, 5). Appends. */
void adit_spp_signed(const struct adit_spp_manifest *m, struct adit_buf *out);
/* Adds an endorsement by the key, or renews it; ADIT_EBAD: not a key; ADIT_ELIMIT: too many. */
enum adit_code adit_spp_endorse(struct adit_spp_manifest *m, const uint8_t key[ADIT_P256_KEY],
                                struct adit_mem mem, struct adit_arena *arena);
bool adit_spp_endorsed(const struct adit_spp_manifest *m, const struct adit_spp_endorsement *e,
                       struct adit_mem mem);

/* --- the list of versions (versions.c) -----------------------------------------------------------
 *
 * What `GET /artifacts/{id}/versions` answers, and all that has to be known of an artifact to take
 * the next capture. */
struct adit_spp_version {
    uint64_t number;
    struct adit_time created;
    uint8_t raw[ADIT_SHA256_LEN];
    uint64_t facts; /* of the header fields that the conversion depends on */
    enum adit_spp_stage stage;
    bool tombstone;
};
enum { ADIT_SPP_VERSIONS_MAX = 1000000 };

void adit_spp_versions_write(const struct adit_spp_version *v, size_t n, struct adit_buf *out);
enum adit_code adit_spp_versions_read(struct adit_str text, struct adit_arena *arena,
                                      struct adit_spp_version **v, size_t *n,
                                      struct adit_error *err);
/* Whether bytes at an instant are part of that history: while a version before the latest lasted,
 * or when the latest began. (Until when the latest was seen, its manifest says.) */
bool adit_spp_versions_know(const struct adit_spp_version *v, size_t n,
                            const uint8_t raw[ADIT_SHA256_LEN], struct adit_time at);
/* The facts of struct adit_spp_version. */
uint64_t adit_spp_facts(struct adit_str content_type, struct adit_str content_language,
                        struct adit_str robots);

/* --- Memento, RFC 7089 (memento.c) ------------------------------------------------------------ */

#define ADIT_LINK_FORMAT "application/link-format"
enum adit_memento {
    ADIT_MEMENTO_NONE,
    ADIT_MEMENTO_TIMEMAP,  /* "/timemap/link/URL": all versions */
    ADIT_MEMENTO_TIMEGATE, /* "/timegate/URL": leads to the version of Accept-Datetime */
    ADIT_MEMENTO_VERSION   /* "/memento/YYYYMMDDhhmmss/URL" */
};
/* What the path of a request, with its query, asks for. url is a part of it, as it stands; at is set
 * for versions. */
enum adit_memento adit_memento_route(struct adit_str path, struct adit_str *url,
                                     struct adit_time *at);
/* The version that was current at a time, or the first one if that was later; n: none has content. */
size_t adit_memento_pick(const struct adit_spp_version *v, size_t n, struct adit_time at);
/* Such an address; at is for versions. origin: of the server, "https://archive.example". Append. */
void adit_memento_url(struct adit_buf *out, struct adit_str origin, enum adit_memento kind,
                      struct adit_str url, struct adit_time at);
void adit_memento_timemap(struct adit_buf *out, struct adit_str origin, struct adit_str url,
                          const struct adit_spp_version *v, size_t n);
/* The value of Link: original, timemap, timegate. */
void adit_memento_links(struct adit_buf *out, struct adit_str origin, struct adit_str url);

/* --- events (versions.c) ---------------------------------------------------------------------- */

enum adit_spp_event { ADIT_SPP_CREATED, ADIT_SPP_ENRICHMENT, ADIT_SPP_EMBEDDING };

/* A line of JSON with LF: what happened, and the job that follows, whose id depends on nothing but
 * artifact, version and bytes (SPP, 3.2). Appends. */
void adit_spp_event_write(enum adit_spp_event event, const struct adit_spp_manifest *m,
                          struct adit_buf *out);
/* The artifact that a line speaks of; false: it is no event. */
bool adit_spp_event_read(struct adit_str line, char uuid[ADIT_SPP_UUID]);

#endif
