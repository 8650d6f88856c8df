/* The frame of delta, apply and merge. */
#include "batch/collection/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_DEFAULT = 256 << 20, TEXT_MAX = 1 << 16 };

struct run {
    struct algebra a;
    const char *path; /* of the output */
    struct output_options output;
    struct pages_options pages;
    bool *sort; /* an input */
    char *temp;
};

const struct adit_scp_meta *algebra_meta(const struct algebra *a, size_t input)
{
    return collection_meta(pages_collection(a->inputs[input]));
}

bool algebra_write(struct algebra *a, const struct adit_scp_page *page)
{
    struct adit_str pieces[3];
    size_t n = adit_scp_page_pieces(page, false, pieces);
    for (size_t i = 0; i < n; i++)
        if (!collection_add(a->out, pieces[i])) return false;
    return collection_end_page(a->out);
}

void algebra_tell(struct algebra *a, char sign, const struct adit_scp_page *page)
{
    cli_tell(a->told, sign, page->url);
}

bool algebra_name(struct algebra *a)
{
    struct adit_scp_meta *m = &a->meta;
    struct adit_buf b;
    bool ok = true;
    adit_buf_init(&b, cli_mem, TEXT_MAX);
    adit_buf_add(&b, m->section);
    adit_buf_lit(&b, m->delta ? "-delta-" : "-snapshot-");
    adit_time_stamp(&b, m->generated_at);
    m->id = adit_arena_dup(&a->text, adit_buf_str(&b), &ok);
    adit_buf_clear(&b);
    adit_time_write(&b, m->generated_at);
    m->generated = adit_arena_dup(&a->text, adit_buf_str(&b), &ok);
    adit_buf_clear(&b);
    if (m->delta) adit_time_write(&b, m->since_at);
    m->since = adit_arena_dup(&a->text, adit_buf_str(&b), &ok);
    adit_buf_free(&b);
    return ok;
}

/* --- one attempt ------------------------------------------------------------------------------ */

static void close_inputs(struct algebra *a)
{
    for (size_t i = 0; i < a->n; i++) pages_close(a->inputs[i]), a->inputs[i] = NULL;
}

static bool open_inputs(struct run *r)
{
    struct algebra *a = &r->a;
    for (size_t i = 0; i < a->n; i++) {
        struct pages_options o = r->pages;
        o.sort = r->sort[i] || strcmp(a->paths[i], "-") == 0;
        a->inputs[i] = pages_open(a->paths[i], &o);
        if (!a->inputs[i]) return false;
    }
    return true;
}

enum ending { DONE, AGAIN, INVALID, NO_OUTPUT };

static enum ending join_inputs(struct run *r)
{
    struct algebra *a = &r->a;
    struct join j;
    bool written = true;
    if (!join_open(&j, a->inputs, a->n)) {
        cli_say(NULL, "out of memory");
        return NO_OUTPUT;
    }
    for (size_t n; written && (n = join_next(&j)) > 0; a->joined++)
        written = a->op->page(a, j.at, j.group, n);
    join_close(&j);
    enum ending ending = !written ? NO_OUTPUT : a->refused ? INVALID : DONE;
    for (size_t i = 0; i < a->n; i++)
        if (pages_failed(a->inputs[i])) ending = INVALID;
    if (ending == DONE && a->op->end && !a->op->end(a)) ending = INVALID;
    return ending;
}

/* Inputs that must be sorted first; true if there is a new one. */
static bool note_unsorted(struct run *r, struct pages *const *in_order)
{
    bool found = false;
    for (size_t i = 0; i < r->a.n; i++)
        if (in_order[i] && pages_unsorted(in_order[i])) r->sort[i] = found = true;
    return found;
}

static enum ending attempt(struct run *r, struct pages **in_order)
{
    struct algebra *a = &r->a;
    memset(a->counts, 0, sizeof a->counts);
    a->lost = a->joined = 0, a->refused = false;
    memset(a->origin, 0, sizeof a->origin), memset(a->mixed, 0, sizeof a->mixed);
    cli_told_again(a->told);
    adit_arena_reset(&a->text);
    if (!open_inputs(r)) return INVALID;
    for (size_t i = 0; i < a->n; i++) in_order[i] = a->inputs[i];
    if (!a->op->prepare(a)) return INVALID;
    a->out = collection_create(r->path, &a->meta, &r->output, cli_has(a->args, "no-checksum"));
    if (!a->out) return NO_OUTPUT;
    enum ending ending = join_inputs(r);
    if (ending != NO_OUTPUT && note_unsorted(r, in_order)) ending = AGAIN;
    for (size_t i = 0; i < a->n; i++)
        a->lost += collection_counts(pages_collection(a->inputs[i]))->skipped;
    if (ending == DONE) return DONE;
    collection_discard(a->out);
    a->out = NULL;
    return ending;
}

/* --- the summary ------------------------------------------------------------------------------ */

static void summary_json(const struct run *r, const struct collection_result *result)
{
    const struct algebra *a = &r->a;
    struct cli_json j;
    cli_json_begin(&j);
    adit_json_member(&j.w, "id", a->meta.id);
    adit_json_member(&j.w, "section", a->meta.section);
    adit_json_member(&j.w, "type", a->meta.delta ? ADIT_STR("delta") : ADIT_STR("snapshot"));
    adit_json_member(&j.w, "generated", a->meta.generated);
    adit_json_member_opt(&j.w, "since", a->meta.since);
    adit_json_member(&j.w, "checksum", adit_str_z(result->checksum));
    adit_json_member_uint(&j.w, "pages", result->pages);
    adit_json_member_uint(&j.w, "bytes", result->size_decoded);
    adit_json_member_uint(&j.w, "size", result->size);
    adit_json_member_uint(&j.w, "skipped", a->lost);
    for (size_t i = 0; i < ALGEBRA_COUNTERS && a->op->counters[i]; i++)
        adit_json_member_uint(&j.w, a->op->counters[i], a->counts[i]);
    cli_json_end(&j);
}

static void summary(const struct run *r, const struct collection_result *result)
{
    const struct algebra *a = &r->a;
    if (result->padded)
        cli_say(r->path, "compression was held at 100:1, beyond which readers refuse a file");
    if (cli_has(a->args, "json")) {
        summary_json(r, result);
        return;
    }
    if (strcmp(r->path, "-") == 0 || cli_has(a->args, "quiet")) return;
    cli_told_print(a->told);
    cli_print("%s: %s", r->path, cli_count(result->pages, "page").p);
    for (size_t i = 0; i < ALGEBRA_COUNTERS && a->op->counters[i]; i++)
        cli_print(", %llu %s", (unsigned long long)a->counts[i], a->op->counters[i]);
    if (a->lost) cli_print(", %llu skipped", (unsigned long long)a->lost);
    cli_print("\n");
}

/* --- running ---------------------------------------------------------------------------------- */

static int finish(struct run *r)
{
    struct algebra *a = &r->a;
    struct collection_result result = {0};
    bool good = collection_finish(a->out, NULL);
    if (good) result = *collection_result(a->out);
    good = collection_commit(a->out, NULL) && good;
    a->out = NULL;
    if (!good) return CLI_OUTPUT;
    summary(r, &result);
    if (!a->joined) cli_say(r->path, "is empty: the inputs hold no page");
    return a->lost || !a->joined ? CLI_INVALID : CLI_OK;
}

static int run_attempts(struct run *r)
{
    static const int codes[] = {
        [DONE] = CLI_OK, [AGAIN] = CLI_OK, [INVALID] = CLI_INVALID, [NO_OUTPUT] = CLI_OUTPUT};
    struct algebra *a = &r->a;
    struct pages **in_order = calloc(a->n, sizeof(struct pages *));
    enum ending ending = in_order ? AGAIN : NO_OUTPUT;
    int code = CLI_OUTPUT;
    while (ending == AGAIN) {
        ending = attempt(r, in_order);
        code = ending == DONE ? finish(r) : codes[ending];
        close_inputs(a);
    }
    free(in_order);
    return code;
}

/* Where to sort: beside the output, which must have room for as much. */
static char *temp_folder(const char *output)
{
    const char *dir = getenv("TMPDIR");
    if (strcmp(output, "-") != 0) return output_folder(output);
    return strdup(dir && *dir ? dir : "/tmp");
}

static bool read_options(struct run *r)
{
    const struct cli_args *args = r->a.args;
    uint64_t bytes = MEMORY_DEFAULT;
    r->path = cli_get(args, "o");
    if (!r->path) {
        cli_usage(args, "-o FILE says where the collection goes");
        return false;
    }
    if (strcmp(r->path, "-") == 0 && cli_has(args, "json")) {
        cli_usage(args, "--json and -o - cannot both use standard output");
        return false;
    }
    size_t n_stdin = 0;
    for (size_t i = 0; i < r->a.n; i++) n_stdin += strcmp(r->a.paths[i], "-") == 0;
    if (n_stdin > 1) {
        cli_usage(args, "only one input can be standard input");
        return false;
    }
    if (cli_number(args, "memory", 1, CLI_MEMORY_MAX, &bytes)) return false;
    r->pages = (struct pages_options){.lenient = cli_has(args, "lenient"), .memory = (size_t)bytes};
    return !output_cli(args, output_coding_of(r->path), &r->output);
}

int algebra_run(const struct cli_args *args, const struct algebra_op *op)
{
    struct run r = {.a = {.args = args, .op = op, .paths = args->files, .n = args->n_files}};
    if (!read_options(&r)) return CLI_USAGE;
    adit_arena_init(&r.a.text, cli_mem, TEXT_MAX);
    r.temp = temp_folder(r.path);
    r.pages.temp = r.temp;
    r.a.inputs = calloc(r.a.n, sizeof(struct pages *));
    r.sort = calloc(r.a.n, sizeof *r.sort);
    int code = CLI_OUTPUT;
    r.a.told = cli_told_new(args);
    if (r.temp && r.a.inputs && r.sort)
        code = run_attempts(&r);
    else
        cli_say(NULL, "out of memory");
    adit_arena_free(&r.a.text);
    cli_told_free(r.a.told);
    free(r.temp), free((void *)r.a.inputs), free(r.sort);
    return code;
}
