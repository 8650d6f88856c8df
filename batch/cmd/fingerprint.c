/* adit fingerprint: the TCT fingerprint of a payload or of a content string. */
#include "batch/cli/cli.h"
#include "tct/tct.h"

#include <stdio.h>
#include <string.h>

enum { INPUT_MAX = ADIT_LIMIT_scp_line };

static int hash_input(const char *file, struct adit_str input, char method, char *hash)
{
    struct adit_error err = {0};
    enum adit_code code = method == 'a' ? adit_tct_method_a(input, cli_mem, hash, &err)
                                        : adit_tct_method_b(input, cli_mem, hash);
    if (!code) return CLI_OK;
    if (err.msg)
        cli_say(file, "at byte %zu: %s", err.pos, err.msg);
    else
        cli_say(file, "%s", adit_code_name(code));
    return CLI_INVALID;
}

static int run_fingerprint(const struct cli_args *args)
{
    const char *file = args->n_files ? args->files[0] : "-";
    char method = cli_choice(args, "method", 0) == 0 ? 'a' : 'b';
    char hash[ADIT_TCT_HASH];
    struct adit_buf input;
    if (args->n_files > 1) return cli_usage(args, "one file at a time");
    adit_buf_init(&input, cli_mem, INPUT_MAX);
    int status = CLI_INVALID;
    if (cli_read(file, &input)) status = hash_input(file, adit_buf_str(&input), method, hash);
    if (status == CLI_OK && cli_has(args, "json"))
        cli_print("{\"bytes\":%zu,\"fingerprint\":\"%.*s\",\"method\":\"%c\"}\n", input.len,
                  (int)sizeof hash, hash, method);
    else if (status == CLI_OK)
        cli_print("%.*s\n", (int)sizeof hash, hash);
    adit_buf_free(&input);
    return status;
}

static const struct cli_option options[] = {
    {"method", "a|b", CLI_CHOICE, "a: a JSON payload (the default); b: a content string"},
    {0},
};

const struct cli_command cmd_fingerprint = {
    .name = "fingerprint",
    .usage = "[FILE] [--method a|b]",
    .summary = "the TCT fingerprint of a payload or of a text",
    .details =
        "Method a hashes a JSON object in its canonical form (RFC 8785), without its member\n"
        "\"hash\": what a machine URL sends as its ETag. Method b hashes a content string after\n"
        "normalisation (character references, NFKC, case, white space): the same for texts\n"
        "that differ only in these.\n\n"
        "  printf 'Hello  World' | adit fingerprint --method b",
    .options = options,
    .run = run_fingerprint,
};
