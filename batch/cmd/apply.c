/* adit apply: brings a snapshot up to date with deltas (SCP, Delta Application). */
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"

enum { REPLACED, INSERTED, IGNORED };

/* Deltas are applied in chronological order (SCP, Recovery from Missed Deltas), whatever the order
 * of the arguments. */
static bool later(const struct algebra *a, size_t i, size_t k)
{
    const struct adit_scp_meta *mi = algebra_meta(a, i), *mk = algebra_meta(a, k);
    int by_time = adit_time_cmp(mi->generated_at, mk->generated_at);
    return by_time ? by_time > 0 : adit_str_cmp(mi->id, mk->id) > 0;
}

static void sort_deltas(struct algebra *a)
{
    for (size_t i = 2; i < a->n; i++)
        for (size_t k = i; k > 1 && later(a, k - 1, k); k--) {
            struct pages *t = a->inputs[k];
            a->inputs[k] = a->inputs[k - 1], a->inputs[k - 1] = t;
        }
}

static bool judge_inputs(const struct algebra *a)
{
    const struct adit_scp_meta *base = algebra_meta(a, 0);
    if (base->delta) {
        cli_say(a->paths[0], "is a delta; apply begins with a snapshot");
        return false;
    }
    for (size_t i = 1; i < a->n; i++) {
        const struct adit_scp_meta *m = algebra_meta(a, i);
        if (!m->delta) {
            cli_say(a->paths[i], "is a snapshot; only deltas can be applied");
            return false;
        }
        if (!adit_str_eq(m->section, base->section)) {
            cli_say(a->paths[i], "is a delta of section %.*s; the snapshot has %.*s",
                    (int)m->section.len, m->section.p, (int)base->section.len, base->section.p);
            return false;
        }
    }
    return true;
}

static bool prepare_apply(struct algebra *a)
{
    if (!judge_inputs(a)) return false;
    sort_deltas(a);
    a->meta = *algebra_meta(a, 0);
    for (size_t i = 1; i < a->n; i++) {
        const struct adit_scp_meta *m = algebra_meta(a, i);
        if (adit_time_cmp(m->since_at, a->meta.generated_at) > 0)
            cli_say(NULL, "%.*s begins after the state that it is applied to: a delta is missing",
                    (int)m->id.len, m->id.p);
        if (adit_time_cmp(m->generated_at, a->meta.generated_at) > 0)
            a->meta.generated_at = m->generated_at;
    }
    return algebra_name(a);
}

/* Later than the local version: replaces it; not later: is ignored; unknown: is inserted. */
static bool apply_page(struct algebra *a, const struct adit_scp_page *pages, const size_t *group,
                       size_t n)
{
    size_t local = group[0];
    bool inserted = local != 0;
    if (inserted) a->counts[INSERTED]++;
    for (size_t i = 1; i < n; i++) {
        bool newer = adit_time_cmp(pages[group[i]].modified, pages[local].modified) > 0;
        a->counts[newer ? REPLACED : IGNORED]++;
        if (newer) local = group[i];
    }
    if (inserted || local != group[0]) algebra_tell(a, inserted ? '+' : '~', &pages[local]);
    return algebra_write(a, &pages[local]);
}

static const struct algebra_op op = {
    .counters = {"replaced", "inserted", "ignored"},
    .prepare = prepare_apply,
    .page = apply_page,
};

static int run_apply(const struct cli_args *args)
{
    if (args->n_files < 2) return cli_usage(args, "a snapshot and at least one delta are needed");
    return algebra_run(args, &op);
}

static const struct cli_option options[] = {ALGEBRA_CLI_OPTIONS, {0}};

const struct cli_command cmd_apply = {
    .name = "apply",
    .usage = "SNAPSHOT DELTA… -o FILE",
    .summary = "bring a snapshot up to date with deltas",
    .details =
        "Deltas are taken in the order of their time, whatever the order given. A page of a delta\n"
        "replaces the one there if its modified is later, is ignored if not, and is inserted if\n"
        "there was none. Deltas cannot delete: pages that are gone leave with the next snapshot.\n\n" ALGEBRA_CLI_FAULTS
        "  adit apply blog-snapshot.scp.zst blog-delta-*.scp.zst -o blog.scp.zst",
    .options = options,
    .run = run_apply,
};
