/* The options of commands that go to the network. */
#ifndef ADIT_FETCH_CLI_H
#define ADIT_FETCH_CLI_H

#include "batch/fetch.h"

#define FETCH_CLI_OPTIONS                                                                     \
    {"user-agent", "TEXT", CLI_VALUE, "who asks: name/version (+URL)"},                       \
        {"header", "'K: V'", CLI_MANY, "sent to the site alone"},                             \
        {"netrc", "FILE", CLI_VALUE, "user and password of the site"},                        \
        {"cacert", "FILE", CLI_VALUE, "certificates to trust instead of the system's"},       \
        {"resolve", "HOST:PORT:ADDRESS", CLI_MANY, "where a host is, instead of asking DNS"}, \
        {"max-time", "SECONDS", CLI_VALUE, "the whole run at most"},                          \
        {"allow-http", NULL, CLI_FLAG, "let plain http pass"},                                \
    {                                                                                         \
        "allow-private", NULL, CLI_FLAG, "let addresses pass that are not public"             \
    }

/* Room for what can be given many times. */
enum { FETCH_CLI_MANY = 64 };
struct fetch_cli {
    struct fetch_options options;
    struct fetch_secret secrets[FETCH_CLI_MANY];
    const char *resolve[FETCH_CLI_MANY];
};
/* Fills c->options; CLI_OK, or says what is wrong and returns the exit code. */
int fetch_cli(const struct cli_args *args, struct fetch_cli *c);

#endif
