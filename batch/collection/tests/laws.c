/* Slow: the laws of delta, apply and merge, on random histories: a site whose pages come, change and
 * go, written in any order and compression.
 *
 *   apply(A, delta(A, B)) = B with A's deleted pages      apply(apply(A, D), D) = apply(A, D)
 *   merge(A, B) = merge(B, A)      merge(merge(A, B), C) = merge(A, merge(B, C))
 *   merge(A, A) = A
 */
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"
#include "tests/tap.h"

#include <unistd.h>

enum { PAGES = 40, STEPS = 5, ROUNDS = 12 };

static char folder[256];

static char *path_of(const char *name)
{
    static char paths[8][400];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

/* --- a site and its snapshots ----------------------------------------------------------------- */

struct site {
    bool there[PAGES];
    unsigned version[PAGES]; /* 0: never was */
    unsigned modified[PAGES];
};

static void page_line(char *to, size_t size, unsigned i, unsigned version, unsigned modified)
{
    snprintf(
        to, size,
        "{\"url\":\"https://example.com/%03u\",\"title\":\"%u\",\"description\":\"\",\"modified\":"
        "\"2000-01-01T%02u:%02u:%02uZ\",\"language\":\"en\",\"content\":[{\"type\":\"text\","
        "\"text\":\"version %u\"}]}",
        i * 25, i, modified / 3600, modified / 60 % 60, modified % 60, version);
}

static void step_site(struct site *s, unsigned now)
{
    for (unsigned i = 0; i < PAGES; i++) {
        switch (tap_dice(6)) {
        case 0:
        case 1:
            s->there[i] = true;
            s->version[i]++;
            s->modified[i] = now;
            break;
        case 2: s->there[i] = false; break;
        default: break;
        }
    }
}

/* Sorted or not; the order of lines must not matter. */
static void write_snapshot(const struct site *s, unsigned now, const char *name, bool sorted)
{
    unsigned order[PAGES];
    for (unsigned i = 0; i < PAGES; i++) order[i] = i;
    for (unsigned i = 0; i < PAGES; i++) {
        unsigned k = sorted ? i : tap_dice(PAGES), t = order[i];
        order[i] = order[k], order[k] = t;
    }
    FILE *f = fopen(path_of(name), "wb");
    fprintf(f,
            "{\"collection\":{\"id\":\"x\",\"section\":\"s\",\"type\":\"snapshot\",\"generated\":"
            "\"2000-01-01T%02u:%02u:%02uZ\",\"version\":\"0.1\"}}",
            now / 3600, now / 60 % 60, now % 60);
    for (unsigned k = 0; k < PAGES; k++) {
        char line[600];
        unsigned i = order[k];
        if (!s->there[i]) continue;
        page_line(line, sizeof line, i, s->version[i], s->modified[i]);
        fprintf(f, "\n%s", line);
    }
    fclose(f);
}

/* --- running commands ------------------------------------------------------------------------- */

static const struct cli_option opt_o = {"o", "FILE", CLI_VALUE, ""};
static const struct cli_option opt_compress = {"compress", "zstd|gzip|none", CLI_CHOICE, ""};
static const struct cli_option opt_fix = {"fix", NULL, CLI_FLAG, ""};

extern const struct cli_command cmd_delta, cmd_apply, cmd_merge;

static int command(const struct cli_command *c, const char *out, bool fix, const char *a,
                   const char *b, const char *d)
{
    static const char *const codings[] = {"none", "gzip", "zstd"};
    char *files[3] = {path_of(a), NULL, NULL};
    struct cli_given given[3] = {{&opt_o, path_of(out)}, {&opt_compress, codings[tap_dice(3)]}};
    struct cli_args args = {
        .command = c, .files = files, .n_files = 1, .given = given, .n_given = 2};
    if (b) files[args.n_files++] = path_of(b);
    if (d) files[args.n_files++] = path_of(d);
    if (fix) given[args.n_given++] = (struct cli_given){&opt_fix, ""};
    return c->run(&args);
}

/* All lines of a collection, or its lines but the first. */
static struct adit_buf lines_of(const char *name, bool with_meta)
{
    struct adit_buf b;
    struct adit_scp_page page;
    struct collection *c = collection_open(path_of(name), NULL);
    adit_buf_init(&b, tap_mem, 1 << 24);
    if (with_meta && c) {
        adit_buf_add(&b, collection_meta(c)->id);
        adit_buf_add(&b, collection_meta(c)->generated);
        adit_buf_add(&b, collection_meta(c)->checksum);
    }
    while (c && collection_next(c, &page)) adit_buf_add(&b, page.line), adit_buf_byte(&b, '\n');
    if (!c || collection_failed(c) || !collection_counts(c)->sorted) adit_buf_lit(&b, "BAD");
    collection_close(c);
    return b;
}

static void same(const char *a, const char *b, bool with_meta, const char *what)
{
    struct adit_buf x = lines_of(a, with_meta), y = lines_of(b, with_meta);
    eq_str(adit_buf_str(&x), adit_buf_str(&y), what);
    adit_buf_free(&x), adit_buf_free(&y);
}

/* --- the laws --------------------------------------------------------------------------------- */

static void one_history(void)
{
    struct site states[STEPS] = {0};
    char name[20];
    for (unsigned t = 0; t < STEPS; t++) {
        if (t) states[t] = states[t - 1];
        step_site(&states[t], t * 1000 + 100);
        snprintf(name, sizeof name, "s%u", t);
        write_snapshot(&states[t], t * 1000 + 500, name, tap_dice(2));
    }
    /* B with what it deleted: what a reader of deltas ends up with. */
    struct site kept = states[4];
    for (unsigned i = 0; i < PAGES; i++)
        if (states[0].there[i] && !kept.there[i]) {
            kept.there[i] = true;
            kept.version[i] = states[0].version[i];
            kept.modified[i] = states[0].modified[i];
        }
    write_snapshot(&kept, 4500, "kept", true);
    ok(command(&cmd_delta, "d04", false, "s0", "s4", NULL) == 0, "delta");
    ok(command(&cmd_apply, "a04", false, "s0", "d04", NULL) == 0, "apply");
    same("a04", "kept", false, "apply(A, delta(A, B)) is B with the deleted pages");
    command(&cmd_apply, "a04again", false, "a04", "d04", NULL);
    same("a04", "a04again", true, "apply twice is apply once");

    command(&cmd_delta, "d01", false, "s0", "s1", NULL);
    command(&cmd_delta, "d12", false, "s1", "s2", NULL);
    command(&cmd_apply, "in-order", false, "s0", "d01", "d12");
    command(&cmd_apply, "shuffled", false, "s0", "d12", "d01");
    command(&cmd_apply, "first", false, "s0", "d01", NULL);
    command(&cmd_apply, "stepwise", false, "first", "d12", NULL);
    same("in-order", "shuffled", true, "the order of arguments does not matter");
    same("in-order", "stepwise", true, "two deltas at once are one after the other");

    command(&cmd_merge, "ab", false, "s1", "s3", NULL);
    command(&cmd_merge, "ba", false, "s3", "s1", NULL);
    same("ab", "ba", true, "merge is commutative");
    command(&cmd_merge, "bc", false, "s3", "s4", NULL);
    command(&cmd_merge, "ab-c", false, "ab", "s4", NULL);
    command(&cmd_merge, "a-bc", false, "s1", "bc", NULL);
    command(&cmd_merge, "abc", false, "s4", "s1", "s3");
    same("ab-c", "a-bc", true, "merge is associative");
    same("abc", "a-bc", true, "in any grouping");
    command(&cmd_merge, "aa", false, "ab", "ab", NULL);
    same("aa", "ab", true, "merge with itself changes nothing");
}

TEST(histories)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        tap_seed = round;
        one_history();
    }
}

/* Changed without a later modified: refused, or fixed so that readers take it. */
TEST(stale_changes)
{
    struct site a = {0}, b;
    for (unsigned i = 0; i < PAGES; i++) a.there[i] = true, a.version[i] = 1, a.modified[i] = 100;
    b = a;
    b.version[3] = 2, b.version[5] = 2, b.modified[5] = 50;
    write_snapshot(&a, 500, "stale-a", true);
    write_snapshot(&b, 600, "stale-b", true);
    unlink(path_of("stale-d"));
    eq_int(command(&cmd_delta, "stale-d", false, "stale-a", "stale-b", NULL), CLI_INVALID,
           "refused");
    ok(access(path_of("stale-d"), F_OK) != 0, "and nothing is written");
    eq_int(command(&cmd_delta, "stale-d", true, "stale-a", "stale-b", NULL), CLI_OK, "fixed");
    command(&cmd_apply, "stale-ab", false, "stale-a", "stale-d", NULL);
    b.modified[3] = b.modified[5] = 101;
    write_snapshot(&b, 600, "stale-want", true);
    command(&cmd_merge, "stale-want", false, "stale-want", NULL, NULL);
    same("stale-ab", "stale-want", true, "one second later, and applied");
}

int main(void)
{
    /* Every output is synced: in memory that costs nothing. */
    const char *tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/adit-laws-XXXXXX", tmp);
    if (!mkdtemp(folder) || !freopen("/dev/null", "w", stderr)) return 1;
    histories();
    stale_changes();
    printf("1..%d\n", tap_count);
    char clean[600];
    snprintf(clean, sizeof clean, "rm -rf '%s'", folder);
    return system(clean) != 0 || tap_failed != 0;
}
