/* adit delta: what is new or changed between two snapshots (SCP, Delta Collections). */
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"
#include "text/text.h"

enum { OLD, NEW };
enum { ADDED, CHANGED, UNCHANGED, DELETED, FIXED };
enum { SHOWN_MAX = 20 };

static bool prepare_delta(struct algebra *a)
{
    const struct adit_scp_meta *old = algebra_meta(a, OLD), *new = algebra_meta(a, NEW);
    for (size_t i = OLD; i <= NEW; i++)
        if (algebra_meta(a, i)->delta) {
            cli_say(a->paths[i], "is a delta; a delta is made of two snapshots");
            return false;
        }
    if (!adit_str_eq(old->section, new->section)) {
        cli_say(a->paths[NEW], "has section %.*s, the old snapshot %.*s", (int)new->section.len,
                new->section.p, (int)old->section.len, old->section.p);
        return false;
    }
    if (adit_time_cmp(old->generated_at, new->generated_at) > 0) {
        cli_say(a->paths[NEW], "is older than %s; the old snapshot comes first", a->paths[OLD]);
        return false;
    }
    a->meta = *new;
    a->meta.delta = true;
    a->meta.since_at = old->generated_at;
    return algebra_name(a);
}

/* The page with `modified` one second after that of the old version, so that readers take it. */
static bool write_fixed(struct algebra *a, const struct adit_scp_page *page, struct adit_time old)
{
    struct adit_json_value v = page->members[ADIT_SCP_MODIFIED];
    size_t from = (size_t)(v.raw.p - page->line.p) + 1, to = from + v.raw.len - 2;
    struct adit_buf line;
    struct adit_scp_page fixed = *page;
    adit_buf_init(&line, cli_mem, page->line.len + 64);
    old.s++;
    adit_buf_add(&line, adit_str_sub(page->line, 0, from));
    adit_time_write(&line, old);
    adit_buf_add(&line, adit_str_sub(page->line, to, page->line.len));
    fixed.line = adit_buf_str(&line);
    if (page->robots_at.from >= to) {
        fixed.robots_at.from += line.len - page->line.len;
        fixed.robots_at.to += line.len - page->line.len;
    }
    bool good = !line.err && algebra_write(a, &fixed);
    adit_buf_free(&line);
    return good;
}

/* Changed, but not newer: readers would ignore it, and differ from the new snapshot for ever. */
static bool page_stale(struct algebra *a, const struct adit_scp_page *page, struct adit_time old)
{
    if (cli_has(a->args, "fix")) {
        a->counts[FIXED]++;
        algebra_tell(a, '~', page);
        return write_fixed(a, page, old);
    }
    if (a->counts[FIXED]++ < SHOWN_MAX)
        cli_say(a->paths[NEW], "%.*s changed, but its modified is not later", (int)page->url.len,
                page->url.p);
    if (!a->refused) cli_say(NULL, "no delta is written; --fix advances modified by a second");
    a->refused = true;
    return true;
}

/* Where the pages of an input are: scheme and host. */
static void note_origin(struct algebra *a, size_t input, const struct adit_scp_page *page)
{
    struct adit_str origin = adit_url_origin(page->url);
    if (!a->origin[input].len)
        a->origin[input] = adit_arena_dup(&a->text, origin, NULL);
    else if (!adit_str_eq(a->origin[input], origin))
        a->mixed[input] = true;
}

/* Two sites are no two states of one. */
static bool end_delta(struct algebra *a)
{
    const struct adit_str old = a->origin[OLD], new = a->origin[NEW];
    if (old.len && !new.len) {
        cli_say(a->paths[NEW], "holds no page; no delta is written");
        return false;
    }
    if (!old.len || a->mixed[OLD] || a->mixed[NEW] || adit_str_eq(old, new)) return true;
    cli_say(a->paths[NEW], "is of %.*s, the old snapshot of %.*s; no delta is written",
            (int)new.len, new.p, (int)old.len, old.p);
    return false;
}

static bool delta_page(struct algebra *a, const struct adit_scp_page *pages, const size_t *group,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) note_origin(a, group[i], &pages[group[i]]);
    if (n == 1 && group[0] == OLD) {
        a->counts[DELETED]++;
        algebra_tell(a, '-', &pages[OLD]);
        return true;
    }
    if (n == 1) {
        a->counts[ADDED]++;
        algebra_tell(a, '+', &pages[NEW]);
        return algebra_write(a, &pages[NEW]);
    }
    int order = adit_time_cmp(pages[NEW].modified, pages[OLD].modified);
    bool same = adit_scp_page_same(&pages[OLD], &pages[NEW]);
    if (order > 0) {
        a->counts[CHANGED]++;
        algebra_tell(a, '~', &pages[NEW]);
        return algebra_write(a, &pages[NEW]);
    }
    if (!same) return page_stale(a, &pages[NEW], pages[OLD].modified);
    a->counts[UNCHANGED]++;
    return true;
}

static const struct algebra_op op = {
    .counters = {"added", "changed", "unchanged", "deleted", "fixed"},
    .prepare = prepare_delta,
    .page = delta_page,
    .end = end_delta,
};

static int run_delta(const struct cli_args *args)
{
    if (args->n_files != 2) return cli_usage(args, "two snapshots are needed, the old one first");
    return algebra_run(args, &op);
}

static const struct cli_option options[] = {
    ALGEBRA_CLI_OPTIONS,
    {"fix", NULL, CLI_FLAG, "advance modified of changed pages that do not have a later one"},
    {0},
};

const struct cli_command cmd_delta = {
    .name = "delta",
    .usage = "OLD NEW -o FILE",
    .summary = "write what is new or changed in NEW since OLD",
    .details =
        "Both are snapshots of one section of one site. The delta holds new pages and those with a later\n"
        "modified. A page that changed without a later modified would be ignored by every\n"
        "reader, so it is an error; --fix advances it by a second. Deletions cannot be said\n"
        "in a delta; they are counted.\n\n" ALGEBRA_CLI_FAULTS
        "  adit delta monday.scp.zst tuesday.scp.zst -o delta.scp.zst",
    .options = options,
    .run = run_delta,
};
