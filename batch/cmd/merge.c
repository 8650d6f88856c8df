/* adit merge: one collection of several; of every page the newest version. */
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"

enum { REPLACED };

/* Section kept if all have the same; a delta only if all are. */
static bool prepare_merge(struct algebra *a)
{
    const struct adit_scp_meta *m = algebra_meta(a, 0);
    a->meta = *m;
    for (size_t i = 1; i < a->n; i++) {
        m = algebra_meta(a, i);
        if (!adit_str_eq(m->section, a->meta.section)) a->meta.section = ADIT_STR("all");
        if (adit_time_cmp(m->generated_at, a->meta.generated_at) > 0)
            a->meta.generated_at = m->generated_at;
        a->meta.delta = a->meta.delta && m->delta;
        if (a->meta.delta && adit_time_cmp(m->since_at, a->meta.since_at) < 0)
            a->meta.since_at = m->since_at;
    }
    return algebra_name(a);
}

static bool merge_page(struct algebra *a, const struct adit_scp_page *pages, const size_t *group,
                       size_t n)
{
    size_t best = group[0];
    for (size_t i = 1; i < n; i++)
        if (adit_scp_page_cmp(&pages[group[i]], algebra_meta(a, group[i])->generated_at,
                              &pages[best], algebra_meta(a, best)->generated_at) > 0)
            best = group[i];
    a->counts[REPLACED] += n - 1;
    if (n > 1) algebra_tell(a, '~', &pages[best]);
    return algebra_write(a, &pages[best]);
}

static const struct algebra_op op = {
    .counters = {"replaced"},
    .prepare = prepare_merge,
    .page = merge_page,
};

static int run_merge(const struct cli_args *args)
{
    if (args->n_files < 1) return cli_usage(args, "which collections?");
    return algebra_run(args, &op);
}

static const struct cli_option options[] = {ALGEBRA_CLI_OPTIONS, {0}};

const struct cli_command cmd_merge = {
    .name = "merge",
    .usage = "FILE… -o FILE",
    .summary = "make one collection of several: of every page the newest version",
    .details =
        "The page with the latest modified wins; of the same instant that of the collection\n"
        "generated last; then the greater line. The section stays if all inputs have the\n"
        "same one, else it is \"all\". Deltas alone give a delta.\n\n" ALGEBRA_CLI_FAULTS
        "  adit merge blog.scp.zst docs.scp.zst -o all.scp.zst",
    .options = options,
    .run = run_merge,
};
