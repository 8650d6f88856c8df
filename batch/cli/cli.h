/* The command line: commands and options are tables (rows), main.c loops over them. */
#ifndef ADIT_CLI_H
#define ADIT_CLI_H

#include "base/base.h"
#include "json/json.h"

#include <stdio.h>

/* Exit codes of every command. */
enum { CLI_OK = 0, CLI_INVALID = 1, CLI_USAGE = 2, CLI_OUTPUT = 3 };

enum cli_kind {
    CLI_FLAG,
    CLI_VALUE,
    CLI_CHOICE, /* one of the words of arg, with | between them */
    CLI_MANY,
    CLI_HEAD /* no option: a heading of those that follow, in help */
};

struct cli_option {
    const char *name; /* without "--"; "o" is written "-o" */
    const char *arg;  /* placeholder in help; NULL for a flag */
    enum cli_kind kind;
    const char *help;
};
#define CLI_GROUP(heading) {"", NULL, CLI_HEAD, heading}
/* Rows of commands that end with a summary, and of those that could name each page. */
#define CLI_QUIET   {"quiet", NULL, CLI_FLAG, "no summary and no progress, only what is wrong"}
#define CLI_VERBOSE {"verbose", NULL, CLI_FLAG, "name every page: + new, ~ changed, - gone"}

/* A parsed command line. values(name) are in the order given. */
struct cli_args {
    const struct cli_command *command;
    char **files; /* operands */
    size_t n_files;
    const struct cli_given {
        const struct cli_option *option;
        const char *value; /* "" for a flag */
    } *given;
    size_t n_given;
};

struct cli_command {
    const char *name;
    const char *usage;   /* after "adit NAME " */
    const char *summary; /* one line */
    const char *details; /* paragraphs and an example, for `adit help NAME`; may be NULL */
    const struct cli_option *options; /* ends with a NULL name; those of cli_common_options are
                                         everywhere */
    int (*run)(const struct cli_args *args);
};

/* --- reading the command line (parse.c) ------------------------------------------------------- */

/* Options that every command takes. */
extern const struct cli_option cli_common_options[];
/* Other ways to write an option, in every command that has it: -j for --jobs. */
extern const struct cli_alias {
    const char *alias, *name;
} cli_aliases[]; /* ends with a NULL alias */

/* Splits argv into options and operands; args->files and given have room for argc. False after
 * saying what is wrong. */
bool cli_parse(struct cli_args *args, int argc, char **argv, struct cli_given *given);

/* The nearest of some names to one that nobody knows. */
struct cli_near {
    const char *wanted, *best; /* best: NULL if none is near */
    size_t distance;
};
void cli_near_try(struct cli_near *near, const char *name);

/* Whether the value can be what the option's placeholder says (URL, HOST, TIME, ...; any other: not
 * empty), or is one of its words; false after saying what would do (values.c). */
bool cli_value_fits(const struct cli_args *args, const struct cli_option *o, const char *value);

/* Which of the words with | between them the value is, from 0 on; -1: none. */
int cli_word(const char *words, const char *value);

/* "Name: value", as a header field may be sent (values.c). */
bool cli_is_field(struct adit_str line);

/* --- help (help.c) ---------------------------------------------------------------------------- */

int cli_help_all(FILE *to, const struct cli_command *const *commands, size_t n);
int cli_help_command(const struct cli_command *command);
/* The tables themselves, for manuals, completion and other programs. */
int cli_help_json(const struct cli_command *const *commands, size_t n);

/* --- options (options.c) ---------------------------------------------------------------------- */

/* Value of the option (the last one given), or NULL. */
const char *cli_get(const struct cli_args *args, const char *name);
bool cli_has(const struct cli_args *args, const char *name);
/* The k-th value of an option that may be given many times, or NULL. */
const char *cli_nth(const struct cli_args *args, const char *name, size_t k);

/* The value of an option whose placeholder is URL, as text/text.h writes a page's address; {0}: not given. */
struct adit_str cli_url(const struct cli_args *args, const char *name, struct adit_arena *arena);

/* Which of its words an option of kind CLI_CHOICE has, from 0 on; without the option: otherwise. */
int cli_choice(const struct cli_args *args, const char *name, int otherwise);
/* The number that an option has, or, if its placeholder is SIZE, bytes, also with K, M, G (1024); without the option
 * *n stays. CLI_OK; CLI_USAGE after saying that it is not from least to most (CLI_ANY: or more). */
int cli_number(const struct cli_args *args, const char *name, uint64_t least, uint64_t most,
               uint64_t *n);
#define CLI_ANY        (UINT64_C(1) << 60)
#define CLI_MEMORY_MAX (UINT64_C(1) << 40) /* of options that are called memory */

extern const struct adit_mem cli_mem; /* the C library's allocator */
/* What adit_arena_grow does, for arrays of malloc. */
void *cli_grow(void *v, size_t n, size_t *cap, size_t size);

/* --- what is printed (terminal.c) ----------------------------------------------------------------
 *
 * Nothing else in batch/ writes to stdout or stderr, except main.c (help) and progress.c (numbers).
 * Control characters other than TAB, bytes that are no UTF-8 and bidirectional overrides in what is
 * printed are escaped: \xNN, \u{NNNN}. */

/* "adit: FILE: message" to stderr; file may be NULL. The message is one line: no LF in format. */
void cli_say(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, with "try adit help COMMAND"; returns CLI_USAGE. */
int cli_usage(const struct cli_args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* For people, to stdout, or to a stream that may be a terminal. A LF ends a line only as the last
 * character of format; elsewhere, in a value above all, it is escaped. */
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_print_to(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a number is in words, for cli_print and the like: cli_count(2, "page").p. */
struct cli_words {
    char p[64];
};
struct cli_words cli_count(uint64_t n, const char *one); /* "1 page", "2 pages", "3 entries" */
/* "999 bytes", "1.23 KB", "12.3 MB", "123 GB": by 1000. */
struct cli_words cli_size(uint64_t bytes);
/* Data for programs, to stdout: byte for byte to a file or pipe; to a terminal escaped, LF kept. */
void cli_data(struct adit_str bytes);
void cli_data_line(struct adit_str bytes); /* and a LF */
/* A JSON object for programs: begin, members by the writer, end, which prints it as one line. */
struct cli_json {
    struct adit_buf text;
    struct adit_json_writer w;
};
void cli_json_begin(struct cli_json *j);
void cli_json_end(struct cli_json *j);
/* --color, by the order of its words: 0 on a terminal that can, unless NO_COLOR is set; 1 always; 2 never. */
void cli_set_colours(int when);
/* Whether stdout shows colours; a colour ("31", "" for none), if so. */
bool cli_colours(void);
void cli_colour(const char *digits);

/* Pages that --verbose names at the end of a run (told.c). NULL, which all take: nobody asked. */
struct cli_told *cli_told_new(const struct cli_args *args);
void cli_tell(struct cli_told *t, char sign,
              struct adit_str url);      /* '+' new, '~' changed, '-' gone */
void cli_told_again(struct cli_told *t); /* the run begins again */
void cli_told_print(struct cli_told *t);
void cli_told_free(struct cli_told *t);

/* Ctrl-C: the run ends at the next page and cleans up; a second one ends it at once. */
void cli_catch_signals(void);
/* Whether the run is to end: nothing is published then. */
bool cli_interrupted(void);
/* The exit code of a run that ends with this one: 128 + the signal, if a signal ended it. */
#ifdef __wasi__ /* has no signals */
static inline int cli_exit_code(int code) { return code; }
#else
int cli_exit_code(int code);
#endif

/* What stdout shows from here on goes through a pager ($PAGER, else less where TERM is not dumb), if it is a terminal; colours
 * stay. At the end the pager is waited for. Both do nothing elsewhere (pager.c). */
void cli_pager_start(void);
void cli_pager_end(void);

/* --- files that are part of the program -------------------------------------------------------- */

/* The bytes of a file of the sources, as NAME_begin up to NAME_end; the Makefile says which objects
 * have one. */
#define CLI_ASSET(name, path)                                                      \
    __asm__(".pushsection .rodata\n" #name "_begin:\n.incbin \"" path "\"\n" #name \
            "_end:\n.byte 0\n.popsection\n");                                      \
    extern const char name##_begin[], name##_end[]
#define CLI_ASSET_STR(name) adit_str_of(name##_begin, (size_t)(name##_end - name##_begin))

/* --- whole files (file.c) --------------------------------------------------------------------- */

/* Whether an operand is a folder: "-" is not. */
bool cli_is_folder(const char *path);
const char *cli_base_name(const char *path); /* what stands behind the last slash */
/* The length of a file's name without its ending, if that is one of HTML files; else the whole. */
size_t cli_html_stem(struct adit_str name);
/* Reads path ("-" is stdin) into buf; says what is wrong and returns false otherwise. */
bool cli_read(const char *path, struct adit_buf *buf);

/* --- progress --------------------------------------------------------------------------------- */

/* progress: one line on a terminal, kept current: how far, how fast, how long still. */

struct progress {
    bool on;
    int64_t started_ms, shown_ms;
    char name[32]; /* of the file that is read now, its last component; "" for none */
};

/* on: whether stderr is a terminal and nobody asked for silence. */
void progress_start(struct progress *p, bool on, int64_t now_ms);
/* The file that is read now, by its path; NULL: none. */
void progress_name(struct progress *p, const char *path);
/* Shows the state, at most five times a second: bytes done of total (0: unknown) with per cent, rate
 * and the time that is left, pages found, things passed over, the name of the file. */
void progress_show(struct progress *p, int64_t now_ms, uint64_t done, uint64_t total,
                   uint64_t pages, uint64_t skipped);
void progress_end(struct progress *p); /* clears the line */

/* --- clock ------------------------------------------------------------------------------------ */

/* clock: the time that a run calls its own, and the time that passes. */

/* --generated, else SOURCE_DATE_EPOCH, else the clock; whole seconds. CLI_OK, or says what is wrong
 * and returns the exit code. */
int clock_generated(const struct cli_args *args, struct adit_time *t);

/* Milliseconds of a clock that nobody sets (CLOCK_MONOTONIC). */
int64_t clock_ms(void);
uint64_t clock_us(void); /* microseconds */

/* --- sha_x86 ---------------------------------------------------------------------------------- */

/* The processor's SHA instructions behind adit_sha256. */

/* Installs them if this processor has them (true); call once, before the first hash. */
bool sha_accelerate(void);
/* Whether the processor has instructions for SHA-1 and SHA-256. */
bool sha_in_processor(void);

#endif
