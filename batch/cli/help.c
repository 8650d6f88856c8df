/* What `adit help` says, from the tables of the commands. */
#include "batch/cli/cli.h"
#include "json/json.h"

#include <string.h>

/* The letter that stands for an option, or 0. */
static char letter_of(const char *name)
{
    if (strlen(name) < 2) return name[0];
    for (const struct cli_alias *a = cli_aliases; a->alias; a++)
        if (!a->alias[1] && strcmp(a->name, name) == 0) return a->alias[0];
    return 0;
}

static void print_options(const struct cli_option *o)
{
    for (; o->name; o++) {
        char left[64], letter = letter_of(o->name);
        if (o->kind == CLI_HEAD) {
            cli_print("\n");
            cli_print("%s:\n", o->help);
            continue;
        }
        if (!o->name[1])
            snprintf(left, sizeof left, "-%s %s", o->name, o->arg ? o->arg : "");
        else
            snprintf(left, sizeof left, "%s%c%s--%s%s%s", letter ? "-" : "", letter ? letter : ' ',
                     letter ? ", " : "", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
        cli_print("  %-26s %s%s\n", letter || left[0] != ' ' ? left : left + 1, o->help,
                  o->kind == CLI_MANY ? " (may be repeated)" : "");
    }
}

int cli_help_all(FILE *to, const struct cli_command *const *commands, size_t n)
{
    cli_print_to(to, "adit " ADIT_VERSION
                     ": turns web sites into something machines can read cheaply\n");
    cli_print_to(to, "\n");
    cli_print_to(to, "usage: adit COMMAND [options] [files]\n");
    cli_print_to(to, "\n");
    for (size_t i = 0; i < n; i++)
        cli_print_to(to, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    cli_print_to(to, "  %-12s %s\n", "help", "this list, or what a command does");
    cli_print_to(to, "\n");
    cli_print_to(to, "adit help COMMAND explains a command and its options.\n");
    return to == stdout ? CLI_OK : CLI_USAGE;
}

int cli_help_command(const struct cli_command *c)
{
    cli_print("usage: adit %s %s\n", c->name, c->usage);
    cli_print("\n");
    cli_print("%s\n", c->summary);
    struct adit_str details = adit_str_z(c->details ? c->details : ""), line;
    if (details.len) cli_print("\n");
    for (size_t at = 0, end; at < details.len; at = end + 1) {
        end = adit_str_chr(details, '\n', at);
        line = adit_str_sub(details, at, end);
        cli_print("%.*s\n", (int)line.len, line.p);
    }
    if (!c->options || !c->options->name || c->options->kind != CLI_HEAD) {
        cli_print("\n");
        cli_print("options:\n");
    }
    if (c->options) print_options(c->options);
    if (c->options && c->options->name && c->options->kind == CLI_HEAD) {
        cli_print("\n");
        cli_print("Everywhere:\n");
    }
    print_options(cli_common_options);
    return CLI_OK;
}

static void write_options(struct adit_json_writer *w, const struct cli_option *o)
{
    const char *group = "";
    adit_json_member_open(w, "options", '[');
    for (; o && o->name; o++) {
        char letter[2] = {letter_of(o->name), 0};
        if (o->kind == CLI_HEAD) {
            group = o->help;
            continue;
        }
        adit_json_open(w, '{');
        adit_json_member(w, "name", adit_str_z(o->name[1] ? o->name : "output"));
        adit_json_member_opt(w, "letter", adit_str_z(letter));
        adit_json_member_opt(w, "value", adit_str_z(o->arg ? o->arg : ""));
        adit_json_member_bool(w, "many", o->kind == CLI_MANY);
        adit_json_member_opt(w, "group", adit_str_z(group));
        adit_json_member(w, "help", adit_str_z(o->help));
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

int cli_help_json(const struct cli_command *const *commands, size_t n)
{
    struct adit_buf out;
    adit_buf_init(&out, cli_mem, 1u << 20);
    struct adit_json_writer w = {.out = &out};
    adit_json_open(&w, '{');
    adit_json_member(&w, "version", ADIT_STR(ADIT_VERSION));
    write_options(&w, cli_common_options);
    adit_json_member_open(&w, "commands", '[');
    for (size_t i = 0; i < n; i++) {
        adit_json_open(&w, '{');
        adit_json_member(&w, "name", adit_str_z(commands[i]->name));
        adit_json_member(&w, "usage", adit_str_z(commands[i]->usage));
        adit_json_member(&w, "summary", adit_str_z(commands[i]->summary));
        adit_json_member_opt(&w, "details",
                             adit_str_z(commands[i]->details ? commands[i]->details : ""));
        write_options(&w, commands[i]->options);
        adit_json_close(&w, '}');
    }
    adit_json_close(&w, ']');
    adit_json_close(&w, '}');
    cli_data_line(adit_buf_str(&out));
    int code = out.err ? CLI_OUTPUT : CLI_OK;
    adit_buf_free(&out);
    return code;
}
