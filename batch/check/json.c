/* check: TCT payloads, TCT sitemaps, and the manifest of a publication, which shared/ judges; and
 * what pack counted. */
#include "batch/check/check.h"
#include "tct/tct.h"

#include <stdio.h>
#include <string.h>

#define RULES(X)                                                                       \
    X(REPORT, "report-member", FATAL, "a count of the report is missing or no number", \
      "run pack again")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule check_report_rules[] = {RULES(ADIT_RULE_ROW){0}};

/* --- TCT -------------------------------------------------------------------------------------- */

static void check_payload(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    struct adit_judge j = check_judge(c);
    c->kind = "TCT payload";
    if (adit_tct_payload_judge(text, doc, cli_mem, &j))
        check_fact(c, "hash_rule", ADIT_STR("Method A"));
}

static void check_sitemap(struct check *c, struct adit_json_value doc)
{
    struct adit_judge j = check_judge(c);
    c->kind = adit_tct_is_index(doc) ? "TCT sitemap index" : "TCT sitemap";
    check_fact_u64(c, "items", adit_tct_sitemap_judge(doc, &j));
}

/* --- manifest --------------------------------------------------------------------------------- */

/* Size and hash of a file as it is; false: it cannot be read. */
static bool hash_file(const char *path, uint64_t *size, uint8_t hash[ADIT_SHA256_LEN])
{
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    struct adit_sha256 h;
    char part[1 << 16];
    *size = 0;
    adit_sha256_init(&h);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0; *size += n)
        adit_sha256_update(&h, part, n);
    bool good = !ferror(f);
    fclose(f);
    adit_sha256_final(&h, hash);
    return good;
}

/* Compares the file, if it lies beside the manifest, with what the entry says. */
static void check_entry_file(void *ctx, const struct adit_manifest_entry *e, size_t i)
{
    struct check *c = ctx;
    struct adit_judge j = check_judge(c);
    struct adit_str folder = adit_str_z(c->path);
    enum adit_manifest_state state = ADIT_MANIFEST_SAME;
    uint8_t want[ADIT_SHA256_LEN], got[ADIT_SHA256_LEN];
    struct adit_buf path;
    uint64_t size = 0;
    while (folder.len && folder.p[folder.len - 1] != '/') folder.len--;
    adit_buf_init(&path, cli_mem, 1 << 16);
    adit_buf_add(&path, folder), adit_buf_add(&path, e->file), adit_buf_byte(&path, '\0');
    adit_manifest_digest(e->sha256, want);
    if (adit_str_chr(e->file, '/', 0) < e->file.len || adit_str_chr(e->file, '\\', 0) < e->file.len)
        state = ADIT_MANIFEST_STRANGE;
    else if (path.err || !hash_file(path.p, &size, got))
        state = c->of_folder ? ADIT_MANIFEST_LOST : ADIT_MANIFEST_AWAY;
    else if (e->size != size)
        state = ADIT_MANIFEST_SIZE;
    else if (memcmp(want, got, sizeof got) != 0)
        state = ADIT_MANIFEST_BYTES_DIFFER;
    adit_manifest_judge_file(e, i, state, &j);
    adit_buf_free(&path);
}

static void check_manifest(struct check *c, struct adit_str text, struct adit_json_value doc)
{
    struct adit_judge j = check_judge(c);
    c->kind = "manifest";
    check_fact_u64(c, "collections",
                   adit_manifest_judge(text, doc, cli_mem, check_entry_file, c, &j));
}

/* --- report.json: what a run of pack counted ---------------------------------------------------- */

static void check_run_report(struct check *c, struct adit_json_value doc)
{
    static const char *const counts[] = {"captures", "pages", "records", "inputs_failed"};
    c->kind = "report";
    for (size_t i = 0; i < ADIT_COUNT(counts); i++) {
        struct adit_json_value v = adit_json_get(doc, adit_str_z(counts[i]));
        uint64_t n = 0;
        if (!adit_json_u64(v, &n))
            check_report(c, &(struct adit_finding){.rule = &check_report_rules[R_REPORT],
                                                   .member = counts[i],
                                                   .index = SIZE_MAX,
                                                   .value = adit_str_sub(v.raw, 0, 200)});
        else if (i < 2)
            check_fact_u64(c, counts[i], n);
    }
}

/* --- which of them ------------------------------------------------------------------------------ */

bool check_json(struct check *c, struct adit_str text)
{
    struct adit_json_value doc;
    if (adit_json_check(text, &doc, NULL) != ADIT_OK || doc.kind != ADIT_JSON_OBJECT) return false;
    enum adit_tct_kind kind = adit_tct_kind(doc);
    if (adit_manifest_is(doc))
        check_manifest(c, text, doc);
    else if (kind == ADIT_TCT_IS_SITEMAP)
        check_sitemap(c, doc);
    else if (kind == ADIT_TCT_IS_PAYLOAD)
        check_payload(c, text, doc);
    else if (adit_json_get(doc, ADIT_STR("captures")).kind)
        check_run_report(c, doc);
    else
        return false;
    return true;
}
