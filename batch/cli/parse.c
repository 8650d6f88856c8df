/* The command line, split into options and operands by the command's table.
 *
 * `--name value`, `--name=value`, `-o value`, `-oVALUE`; `--` ends the options. What nobody knows is answered with the nearest name that somebody does. */
#include "batch/cli/cli.h"
#include "text/text.h"

#include <string.h>

const struct cli_option cli_common_options[] = {
    {"help", NULL, CLI_FLAG, "show this text"},
    {"json", NULL, CLI_FLAG, "report in JSON, for programs"},
    {"color", "auto|always|never", CLI_CHOICE, "auto: on a terminal, without NO_COLOR"},
    {0},
};

const struct cli_alias cli_aliases[] = {
    {"h", "help"},    {"f", "format"}, {"j", "jobs"},       {"q", "quiet"},
    {"v", "verbose"}, {"output", "o"}, {"colour", "color"}, {0},
};

void cli_near_try(struct cli_near *near, const char *name)
{
    struct adit_str wanted = adit_str_z(near->wanted), other = adit_str_z(name);
    size_t d = adit_text_distance(wanted, other), most = wanted.len / 3 + 1;
    /* A beginning is as good as a slip: --gen for --generated. */
    if (wanted.len >= 3 && adit_str_starts(other, wanted)) d = 1;
    if (d > most || d >= other.len || (near->best && d >= near->distance)) return;
    near->best = name;
    near->distance = d;
}

static const struct cli_option *named(const struct cli_option *o, struct adit_str name)
{
    for (; o && o->name; o++)
        if (o->kind != CLI_HEAD && adit_str_eq(adit_str_z(o->name), name)) return o;
    return NULL;
}

static const struct cli_option *find(const struct cli_command *c, struct adit_str name)
{
    const struct cli_option *o = named(c->options, name);
    if (!o) o = named(cli_common_options, name);
    for (const struct cli_alias *a = cli_aliases; !o && a->alias; a++)
        if (adit_str_eq(adit_str_z(a->alias), name)) return find(c, adit_str_z(a->name));
    return o;
}

static void try_all(struct cli_near *near, const struct cli_option *o)
{
    for (; o && o->name; o++)
        if (strlen(o->name) > 1) cli_near_try(near, o->name);
}

static bool unknown(const struct cli_args *args, const char *option, struct adit_str name)
{
    char wanted[ADIT_TEXT_FAR + 1] = "";
    struct cli_near near = {.wanted = wanted};
    if (name.len > 1 && name.len < sizeof wanted) {
        memcpy(wanted, name.p, name.len);
        try_all(&near, args->command->options);
        try_all(&near, cli_common_options);
    }
    if (near.best)
        cli_usage(args, "unknown option '%s', is it --%s?", option, near.best);
    else
        cli_usage(args, "unknown option '%s'", option);
    return false;
}

/* What is left of argv. */
struct reading {
    struct cli_args *args;
    struct cli_given *given;
    int at, argc;
    char **argv;
};

/* The value of an option: attached to it (not NULL), else the next word. */
static bool take(struct reading *r, const struct cli_option *o, const char *attached)
{
    if (!attached && ++r->at >= r->argc) {
        cli_usage(r->args, "option '%s' needs a value: %s", r->argv[r->argc - 1], o->arg);
        return false;
    }
    if (!attached) attached = r->argv[r->at];
    r->given[r->args->n_given++] = (struct cli_given){o, attached};
    return cli_value_fits(r->args, o, attached);
}

static bool flag(struct reading *r, const struct cli_option *o)
{
    r->given[r->args->n_given++] = (struct cli_given){o, ""};
    return true;
}

static bool read_long(struct reading *r, const char *a)
{
    struct adit_str rest = adit_str_z(a + 2), name = rest;
    name.len = adit_str_chr(rest, '=', 0);
    const struct cli_option *o = name.len > 1 ? find(r->args->command, name) : NULL;
    const char *value = name.len < rest.len ? rest.p + name.len + 1 : NULL;
    if (!o) return unknown(r->args, a, name);
    if (o->kind != CLI_FLAG) return take(r, o, value);
    if (!value) return flag(r, o);
    cli_usage(r->args, "option --%s takes no value", o->name);
    return false;
}

static bool read_short(struct reading *r, const char *a)
{
    const struct cli_option *o = find(r->args->command, adit_str_of(a + 1, 1));
    if (!o) return unknown(r->args, a, adit_str_of(a + 1, 1));
    if (o->kind != CLI_FLAG) return take(r, o, a[2] ? a + 2 : NULL);
    if (!a[2]) return flag(r, o);
    return unknown(r->args, a, adit_str_z(a + 1));
}

bool cli_parse(struct cli_args *args, int argc, char **argv, struct cli_given *given)
{
    struct reading r = {.args = args, .given = given, .argc = argc, .argv = argv};
    bool operands_only = false;
    for (; r.at < argc; r.at++) {
        char *a = argv[r.at];
        if (operands_only || a[0] != '-' || a[1] == '\0')
            args->files[args->n_files++] = a;
        else if (strcmp(a, "--") == 0)
            operands_only = true;
        else if (!(a[1] == '-' ? read_long(&r, a) : read_short(&r, a)))
            return false;
    }
    return true;
}
