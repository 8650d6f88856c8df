/* How extract is put together: options, records and formats, the order of input, outputs. */
#ifndef ADIT_EXTRACT_IMPL_H
#define ADIT_EXTRACT_IMPL_H

#include "batch/crawl/crawl.h"
#include "batch/io/io.h"
#include "format/format.h"
#include "json/json.h"
#include "tct/tct.h"

/* --- options (options.c) ---------------------------------------------------------------------- */

struct extract_options {
    struct crawl_options crawl;
    const char *out; /* of -o */
    enum { EXTRACT_TO_STDOUT, EXTRACT_TO_FILE, EXTRACT_TO_FOLDER } to;
    const struct extract_format *format;
    const struct adit_format *text; /* of the text inside a record */
    uint64_t fields;                /* a bit a row of extract_fields */
    uint64_t min_words;
    bool dedup;
    uint64_t part; /* bytes of a part, before compression */
    struct output_options output;
    const char *source; /* of dolma's records */
    struct adit_time generated;
    char **inputs; /* those that are not done yet; of the memory of crawl */
};
/* CLI_OK, or says what is wrong and returns the exit code. Free in any case. */
int extract_options_read(struct extract_options *o, const struct cli_args *args);
void extract_options_free(struct extract_options *o);
/* Everything that shapes the output: markers of runs with other settings do not count. */
void extract_settings(const struct extract_options *o, struct adit_buf *out);

/* --- records (record.c) ----------------------------------------------------------------------- */

/* A capture on its way to a format. Slices are valid during the call. */
struct extract_record {
    const struct extract_options *o;
    const struct crawl_item *item;
    const struct crawl_capture *capture;
    const struct adit_page *page;
    struct adit_str text;
    uint64_t words;
    char fingerprint[ADIT_TCT_HASH]; /* empty: not asked for */
    struct adit_buf *scratch;
};

/* The members of a record, in the order of jsonl. */
struct extract_field {
    const char *name;
    void (*put)(const struct extract_record *r, const char *key, struct adit_json_writer *w);
};
extern const struct extract_field extract_fields[]; /* ends with a NULL name */
enum { EXTRACT_FIELDS_MAX = 64 };
/* The bit of a field; 0: there is none of that name. */
uint64_t extract_field(struct adit_str name);
/* The members that the options ask for, but for those of `without`. */
void extract_put_fields(const struct extract_record *r, uint64_t without,
                        struct adit_json_writer *w);
/* Runs of letters and digits; in scripts without spaces each character. */
uint64_t extract_words(struct adit_str text);
/* The capture's record id as the archive has it, with its brackets; empty if it has none. */
struct adit_str extract_record_id(const struct extract_record *r);

/* --- formats (format.c; wet.c, mirror.c) ------------------------------------------------------ */

struct extract_format {
    const char *name;
    const char *const *endings; /* of -o NAME: one file. Ends with NULL */
    const char *ending;         /* of parts */
    const char *text;           /* of the text inside a record, unless --text says */
    enum output_coding coding;  /* unless --compress says */
    bool members;               /* each record is compressed by itself, as in WARC */
    bool mirror;                /* a file a page, below a folder */
    /* Appends the beginning of a file; NULL: it has none. */
    void (*head)(const struct extract_options *o, struct adit_buf *out);
    /* Appends a record, or, with mirror, PATH NUL CONTENT. Errors stick in out. */
    void (*write)(const struct extract_record *r, struct adit_buf *out);
};
extern const struct extract_format extract_formats[]; /* ends with a NULL name */

void extract_wet_head(const struct extract_options *o, struct adit_buf *out);
void extract_wet_write(const struct extract_record *r, struct adit_buf *out);
void extract_mirror_write(const struct extract_record *r, struct adit_buf *out);
/* Where a page lies below the folder: "example.com/a/b.md". Appends. */
void extract_mirror_path(struct adit_str url, struct adit_buf *out);

/* Compresses records one by one; one a thread. */
struct extract_coder;
struct extract_coder *extract_coder_new(const struct output_options *options);
void extract_coder_free(struct extract_coder *c); /* NULL is fine */
bool extract_coder_add(struct extract_coder *c, struct adit_str record, struct adit_buf *out);

/* --- the order of input (order.c) ------------------------------------------------------------- */

enum extract_kind {
    EXTRACT_NOTHING,
    EXTRACT_RECORD,
    EXTRACT_SIGHT,       /* a record of the text that a crawler saw: for pages without content */
    EXTRACT_EMPTY,       /* a page whose HTML has no content */
    EXTRACT_CREDENTIALS, /* a request that identified somebody */
    EXTRACT_END          /* of an input */
};

/* What became of one item. */
struct extract_entry {
    uint64_t number; /* of the item, from 0, in the order of input */
    enum extract_kind kind;
    struct adit_buf bytes;
    uint64_t url; /* hash of the public URL */
    struct adit_time at;
    uint8_t key[ADIT_SHA256_LEN]; /* of the text, for --dedup */
    uint64_t html_bytes, lost;
    size_t input;
    bool failed, full;
};

/* Entries are put by any thread, in any order, and taken one at a time, in the order of their numbers,
 * by whichever thread finds the next one there. Few are held: who is far ahead waits. */
struct extract_order;
struct extract_order *extract_order_new(size_t jobs,
                                        bool (*take)(void *ctx, struct extract_entry *e),
                                        void *ctx);
void extract_order_free(struct extract_order *q); /* NULL is fine */
/* Swaps the contents of *e for an empty one. False: taking has failed, or the order was ended. */
bool extract_order_put(struct extract_order *q, struct extract_entry *e);
/* Nobody waits any more. */
void extract_order_end(struct extract_order *q);
void extract_entry_init(struct extract_entry *e);
/* Empty again, with as much memory as ordinary records need. */
void extract_entry_clear(struct extract_entry *e);

/* --- what is kept of a run's texts (dedup.c) -------------------------------------------------- */

enum { EXTRACT_KEY = 16 }; /* bytes of a key that count */
struct extract_seen;
struct extract_seen *extract_seen_new(size_t memory);
void extract_seen_free(struct extract_seen *s); /* NULL is fine */
/* Whether the key was there before; it is from now on, as far as there is room. */
bool extract_seen_before(struct extract_seen *s, const uint8_t key[EXTRACT_KEY]);
/* Keys that could not be kept any more. */
uint64_t extract_seen_forgotten(const struct extract_seen *s);

/* --- outputs (out.c, done.c) ------------------------------------------------------------------ */

struct extract_totals {
    uint64_t records, bytes, bytes_out, parts;   /* written by this run */
    uint64_t done_inputs, done_pages, done_lost; /* finished by a run before */
    uint64_t forgotten;
};

struct extract_out;
/* NULL: said on stderr. */
struct extract_out *extract_out_open(const struct extract_options *o,
                                     struct extract_totals *totals);
/* Frees it. good: what is still open takes its place; false: it could not. */
bool extract_out_close(struct extract_out *out, bool good);
/* key: of the text, where there is --dedup. */
bool extract_out_record(struct extract_out *out, struct adit_str bytes, const uint8_t *key,
                        size_t input);
bool extract_out_end(struct extract_out *out, size_t input, bool failed, uint64_t lost);

/* A folder's name of an input: its last component, and a hash of the whole. Appends. */
void extract_stem(const char *input, struct adit_buf *out);

struct extract_mark {
    uint64_t pages, parts, lost;
};
/* Whether a run with the same settings has finished the input, as it is now. */
bool extract_done_read(const struct extract_options *o, int folder, const char *input,
                       struct extract_mark *mark);
bool extract_done_write(const struct extract_options *o, int folder, const char *input,
                        const struct extract_mark *mark);
/* Where the keys of an input's texts go, beside its marker. NULL: said on stderr. */
struct output *extract_keys_open(const struct extract_options *o, int folder, const char *input);
/* Leaves only inputs that are not done; counts the others, and remembers their texts (seen: NULL without
 * --dedup). */
bool extract_done_skip(struct extract_options *o, struct extract_seen *seen,
                       struct extract_totals *totals);

/* --- the report (report.c) -------------------------------------------------------------------- */

void extract_report_json(struct adit_buf *out, const struct extract_options *o,
                         const struct crawl_counts *c, const struct crawl_losses *losses,
                         const struct extract_totals *t);
void extract_report_text(FILE *to, const struct extract_options *o, const struct crawl_counts *c,
                         const struct extract_totals *t);

#endif
