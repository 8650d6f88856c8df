/* A folder: the files of a publication, and what lies in its folders. Other files may lie beside them,
 * as on a web server: those are counted and passed over. */
#include "batch/check/check.h"
#include "batch/crawl/crawl.h"

#include <errno.h>
#include <string.h>

#define RULES(X)                                                                          \
    X(UNREADABLE, "folder-unreadable", FATAL, "a part of the folder cannot be read",      \
      "see the message")                                                                  \
    X(NOTHING, "folder-nothing", FATAL, "the folder holds nothing that can be checked",   \
      "give a folder that pack, changes or feed has written")                             \
    X(UNFINISHED, "folder-unfinished", FATAL, "a run was killed while it published here", \
      "run the same command again: it finishes the publication first")                    \
    X(PUBLICATION, "folder-publication", WARN,                                            \
      "there are collections, but no manifest names them", "publish again, or fetch the manifest")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule check_folder_rules[] = {RULES(ADIT_RULE_ROW){0}};

static void fault(struct check *c, enum rule_id rule, struct adit_str value)
{
    check_report(c, &(struct adit_finding){
                        .rule = &check_folder_rules[rule], .index = SIZE_MAX, .value = value});
}

/* Names of the files that this program writes for others to read. */
static bool may_be_ours(struct adit_str path, struct adit_str name)
{
    static const struct adit_str endings[] = {
        ADIT_STR_INIT(".json"),    ADIT_STR_INIT(".xml"),      ADIT_STR_INIT(".warc"),
        ADIT_STR_INIT(".warc.gz"), ADIT_STR_INIT(".warc.zst"), ADIT_STR_INIT(".arc"),
        ADIT_STR_INIT(".arc.gz"),  ADIT_STR_INIT(".wacz"),
    };
    for (size_t i = 0; i < ADIT_COUNT(endings); i++)
        if (adit_str_ends(name, endings[i])) return true;
    return adit_scp_path(name) || adit_str_eq(name, ADIT_STR("llms.txt")) ||
           adit_str_eq(name, ADIT_STR("llms-full.txt")) ||
           adit_str_ends(path, ADIT_STR("/.well-known/resourcesync"));
}

static bool is_hidden(const FTSENT *e)
{
    return e->fts_level > 0 && e->fts_name[0] == '.' && strcmp(e->fts_name, ".well-known") != 0;
}

void check_folder(struct check *c, bool (*file)(void *ctx, const char *path), void *ctx)
{
    FTS *fts = crawl_walk(c->path);
    uint64_t checked = 0, others = 0, collections = 0, manifests = 0;
    c->kind = "folder";
    if (!fts) fault(c, R_UNREADABLE, adit_str_z(strerror(errno)));
    for (FTSENT *e; fts && (e = fts_read(fts));) {
        struct adit_str path = adit_str_z(e->fts_path), name = adit_str_z(e->fts_name);
        if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS)
            fault(c, R_UNREADABLE, path);
        if (e->fts_info == FTS_D && is_hidden(e)) fts_set(fts, e, FTS_SKIP);
        if (e->fts_info == FTS_D && publish_unfinished(e->fts_path)) fault(c, R_UNFINISHED, path);
        if (e->fts_info != FTS_F || is_hidden(e)) continue;
        if (!may_be_ours(path, name) || !file(ctx, e->fts_path)) {
            others++;
            continue;
        }
        checked++;
        collections += adit_scp_path(name);
        manifests += adit_str_eq(name, ADIT_STR(ADIT_SCP_MANIFEST));
    }
    if (fts) fts_close(fts);
    if (!checked && fts) fault(c, R_NOTHING, (struct adit_str){0});
    if (collections && !manifests) fault(c, R_PUBLICATION, (struct adit_str){0});
    if (manifests) c->kind = manifests == 1 ? "publication" : "publications";
    check_fact_u64(c, "files", checked);
    if (others) check_fact_u64(c, c->json ? "passed_over" : "passed over", others);
}
