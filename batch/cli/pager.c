/* What is printed for people goes through a pager on a terminal, as git does it. */
#include "batch/cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

void cli_pager_start(void)
{
    const char *command = getenv("PAGER"), *term = getenv("TERM");
    int ends[2];
    if (pager || !isatty(STDOUT_FILENO)) return;
    /* less asks for a key before it shows anything where it cannot move the cursor. */
    if (!command) command = term && strcmp(term, "dumb") != 0 ? "less" : "";
    if (!*command || strcmp(command, "cat") == 0 || pipe(ends) != 0) return;
    /* From here on stdout is a pipe: what was known of the terminal stays known. */
    cli_set_colours(cli_colours() ? 1 : 2);
    fflush(stdout);
    pager = fork();
    if (pager == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]), close(ends[1]);
        setenv("LESS", "FRX", 0); /* end at once if one screen suffices; colours */
        execlp("sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (pager > 0) {
        dup2(ends[1], STDOUT_FILENO);
        signal(SIGPIPE, SIG_IGN); /* the reader has seen enough: the run ends as usual */
    }
    close(ends[0]), close(ends[1]);
}

void cli_pager_end(void)
{
    if (pager <= 0) return;
    fflush(stdout);
    close(STDOUT_FILENO);
    clearerr(stdout);
    waitpid(pager, NULL, 0);
    pager = 0;
}
