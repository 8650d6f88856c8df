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
    X(page) X(pack) X(extract) X(ls) X(check) X(cat) X(stat) X(delta) X(apply) X(merge) X(diff) X(changes) \
    X(report) X(feed) X(archive) X(fingerprint) X(serve) X(sync) X(version)
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

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < ADIT_COUNT(commands); i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static int no_command(const char *name)
{
    struct cli_near near = {.wanted = name};
    for (size_t i = 0; i < ADIT_COUNT(commands); i++) cli_near_try(&near, commands[i]->name);
    if (near.best)
        cli_say(NULL, "no command '%s', is it %s? adit help lists them", name, near.best);
    else
        cli_say(NULL, "no command '%s'; adit help lists them", name);
    return CLI_USAGE;
}

/* Options before a command, and what they stand for. */
static const struct cli_alias words[] = {
    {"-h", "help"}, {"--help", "help"}, {"-V", "version"}, {"--version", "version"}};

static const char *word(const char *name)
{
    for (size_t i = 0; i < ADIT_COUNT(words); i++)
        if (strcmp(words[i].alias, name) == 0) return words[i].name;
    return name;
}

static int help(int argc, char **argv)
{
    if (argc < 1 || strcmp(word(argv[0]), "help") == 0)
        return cli_help_all(stdout, commands, ADIT_COUNT(commands));
    if (strcmp(argv[0], "--json") == 0) return cli_help_json(commands, ADIT_COUNT(commands));
    const struct cli_command *c = find_command(argv[0]);
    return c ? cli_help_command(c) : no_command(argv[0]);
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
    else if (!cli_parse(&args, argc, argv, given))
        status = CLI_USAGE;
    else if (cli_has(&args, "help"))
        status = cli_help_command(command);
    else {
        cli_set_colours(cli_choice(&args, "color", 0));
        status = command->run(&args);
    }
    free(given);
    free(args.files);
    return status;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) return cli_help_all(stderr, commands, ADIT_COUNT(commands));
    const char *name = word(argv[1]);
    if (strcmp(name, "help") == 0) return help(argc - 2, argv + 2);
    const struct cli_command *command = find_command(name);
    return command ? run_command(command, argc - 2, argv + 2) : no_command(name);
}

int main(int argc, char **argv)
{
    sha_accelerate();
    int status = cli_exit_code(dispatch(argc, argv));
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    cli_say(NULL, "cannot write to standard output");
    return CLI_OUTPUT;
}
