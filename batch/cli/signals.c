/* Ctrl-C and its kin, for commands that have something to clean up. */
#include "batch/cli/cli.h"

#include <signal.h>

static volatile sig_atomic_t interrupted; /* the signal; 0: none */

static void on_signal(int signal_number) { interrupted = signal_number; }

void cli_catch_signals(void)
{
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that cannot grow is an error that we handle */
}

bool cli_interrupted(void) { return interrupted != 0; }

int cli_exit_code(int code)
{
    return interrupted && code != CLI_OK ? 128 + (int)interrupted : code;
}
