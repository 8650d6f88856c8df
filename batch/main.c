/* adit: finds the command in the table and runs it. */
#include "batch/cli/cli.h"
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The commands, in the order of `adit help`: a file of cmd/ each. The WASI program has those that
 * need no threads, sockets or system libraries. */
/* clang-format off */
#define PORTABLE_COMMANDS(X) X(page) X(fingerprint) X(version)
#define ALL_COMMANDS(X) \
    X(page) X(pack) X(extract) X(ls) X(check) X(cat) X(stat) X(delta) X(apply) X(merge) X(changes) \
    X(feed) X(archive) X(fingerprint) X(serve) X(sync) X(version)
/* clang-format on */
#ifdef __wasi__
#define COMMANDS PORTABLE_COMMANDS
#else
#define COMMANDS ALL_COMMANDS
#endif

#define DECLARE(name) extern const struct cli_command cmd_##name;
COMMANDS(DECLARE)
#undef DECLARE

static const struct cli_command *const commands[] = {
#define ROW(name) &cmd_##name,
    COMMANDS(ROW)
#undef ROW
};

static const struct cli_option common_options[] = {
    {"help", NULL, CLI_FLAG, "show this text"},
    {"json", NULL, CLI_FLAG, "report in JSON, for programs"},
    {0},
};

static void print_options(const struct cli_option *o)
{
    for (; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s%s", strlen(o->name) == 1 ? "-" : "--", o->name,
                 o->arg ? " " : "", o->arg ? o->arg : "");
        printf("  %-26s %s%s\n", left, o->help, o->kind == CLI_MANY ? " (may be repeated)" : "");
    }
}

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < ADIT_COUNT(commands); i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static int help_all(FILE *to)
{
    fprintf(to,
            "adit " ADIT_VERSION ": turns web sites into something machines can read cheaply\n\n"
            "usage: adit COMMAND [options] [files]\n\n");
    for (size_t i = 0; i < ADIT_COUNT(commands); i++)
        fprintf(to, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(to, "  %-12s %s\n\nadit help COMMAND explains a command and its options.\n", "help",
            "this list, or what a command does");
    return to == stdout ? CLI_OK : CLI_USAGE;
}

static int help_command(const struct cli_command *c)
{
    printf("usage: adit %s %s\n\n%s\n", c->name, c->usage, c->summary);
    if (c->details) printf("\n%s\n", c->details);
    printf("\noptions:\n");
    if (c->options) print_options(c->options);
    print_options(common_options);
    return CLI_OK;
}

static int help(int argc, char **argv)
{
    if (argc < 1) return help_all(stdout);
    const struct cli_command *c = find_command(argv[0]);
    if (c) return help_command(c);
    cli_say(NULL, "no command '%s'; adit help lists them", argv[0]);
    return CLI_USAGE;
}

static const struct cli_option *find_option(const struct cli_option *o, struct adit_str name)
{
    for (; o && o->name; o++)
        if (adit_str_eq(adit_str_z(o->name), name)) return o;
    return NULL;
}

/* Splits argv into options and operands. `--name value`, `--name=value`, `-o value`, `--` ends. */
static bool parse(struct cli_args *args, int argc, char **argv, struct cli_given *given)
{
    bool operands_only = false;
    for (int i = 0; i < argc; i++) {
        char *a = argv[i];
        if (operands_only || a[0] != '-' || a[1] == '\0') {
            args->files[args->n_files++] = a;
            continue;
        }
        if (strcmp(a, "--") == 0) {
            operands_only = true;
            continue;
        }
        bool is_long = a[1] == '-';
        struct adit_str rest = adit_str_z(a + (is_long ? 2 : 1)), name = rest;
        size_t eq = is_long ? adit_str_chr(rest, '=', 0) : rest.len;
        name.len = eq;
        const struct cli_option *o = find_option(args->command->options, name);
        if (!o) o = find_option(common_options, name);
        if (!o || is_long != (strlen(o->name) > 1)) {
            cli_usage(args, "unknown option '%s'", a);
            return false;
        }
        const char *value = "";
        if (o->kind == CLI_FLAG) {
            if (eq < rest.len) {
                cli_usage(args, "option --%s takes no value", o->name);
                return false;
            }
        } else if (eq < rest.len) {
            value = rest.p + eq + 1;
        } else if (++i < argc) {
            value = argv[i];
        } else {
            cli_usage(args, "option '%s' needs a value: %s", a, o->arg);
            return false;
        }
        given[args->n_given++] = (struct cli_given){o, value};
    }
    return true;
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    struct cli_args args = {.command = command};
    struct cli_given *given = calloc((size_t)argc + 1, sizeof *given);
    args.files = calloc((size_t)argc + 1, sizeof *args.files);
    args.given = given;
    int status = CLI_OUTPUT;
    if (!given || !args.files)
        cli_say(NULL, "out of memory");
    else if (!parse(&args, argc, argv, given))
        status = CLI_USAGE;
    else if (cli_has(&args, "help"))
        status = help_command(command);
    else
        status = command->run(&args);
    free(given);
    free(args.files);
    return status;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) return help_all(stderr);
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0) return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) name = "version";
    const struct cli_command *command = find_command(name);
    return command ? run_command(command, argc - 2, argv + 2) : help(1, argv + 1);
}

int main(int argc, char **argv)
{
    sha_accelerate();
    int status = dispatch(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    cli_say(NULL, "cannot write to standard output");
    return CLI_OUTPUT;
}
