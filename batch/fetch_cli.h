/* The options of commands that go to the network. */
#ifndef ADIT_FETCH_CLI_H
#define ADIT_FETCH_CLI_H

#include "batch/fetch.h"

#define FETCH_CLI_OPTIONS                                                                         \
    {"rate", "N", CLI_VALUE, "requests a second and host (default: as --parallel allows)"},       \
        {"parallel", "N", CLI_VALUE, "requests under way a host (4)"},                            \
        {"max-time", "S", CLI_VALUE, "seconds after which the run ends (86400)"},                 \
        {"max-bytes", "SIZE", CLI_VALUE, "bytes of answers after which the run ends (no limit)"}, \
        {"header", "'K: V'", CLI_MANY, "sent to the site alone"},                                 \
        {"netrc", "FILE", CLI_VALUE, "user and password of the site"},                            \
        {"user-agent", "TEXT", CLI_VALUE,                                                         \
         "product/version (default adit/VERSION); robots.txt is obeyed by its name"},             \
        {"cacert", "FILE", CLI_VALUE, "certificates to trust instead of the system's"},           \
        {"resolve", "HOST:PORT:ADDR", CLI_MANY, "use this address for the host"},                 \
        {"proxy", "URL", CLI_VALUE,                                                               \
         "ask by way of it; which addresses may be asked is then its task"},                      \
        {"allow-http", NULL, CLI_FLAG, "let plain http pass"},                                    \
    {                                                                                             \
        "allow-private", NULL, CLI_FLAG, "let addresses pass that are not public"                 \
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
/* The values of an option that can be given many times, the first FETCH_CLI_MANY of them; how many
 * there are. */
size_t fetch_cli_many(const struct cli_args *args, const char *name, const char **to);

#endif
