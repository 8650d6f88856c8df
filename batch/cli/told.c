/* Pages that a run names with --verbose. Kept in a file until the run has ended well: an input that
 * turns out to be unsorted begins it again, and what fails has changed nothing. */
#include "batch/cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

struct cli_told {
    FILE *file;
};

struct cli_told *cli_told_new(const struct cli_args *args)
{
    if (!cli_has(args, "verbose") || cli_has(args, "json")) return NULL;
    struct cli_told *t = calloc(1, sizeof *t);
    if (t) t->file = tmpfile();
    if (!t || !t->file) cli_say(NULL, "no room to note the pages: they will not be named");
    return t;
}

void cli_tell(struct cli_told *t, char sign, struct adit_str url)
{
    if (t && t->file) fprintf(t->file, "%c %.*s\n", sign, (int)url.len, url.p);
}

void cli_told_again(struct cli_told *t)
{
    if (!t || !t->file) return;
    rewind(t->file);
    if (ftruncate(fileno(t->file), 0) != 0) fclose(t->file), t->file = NULL;
}

void cli_told_print(struct cli_told *t)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    if (!t || !t->file) return;
    rewind(t->file);
    while ((n = getline(&line, &room, t->file)) > 0) cli_print("%.*s\n", (int)n - 1, line);
    free(line);
}

void cli_told_free(struct cli_told *t)
{
    if (t && t->file) fclose(t->file);
    free(t);
}
