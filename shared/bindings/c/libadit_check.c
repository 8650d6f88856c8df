/* libadit_check: which document the bytes are, and what is wrong with it. The rules are those of the
 * protocols' folders. */
#include "bindings/c/libadit_impl.h"
#include "json/json.h"
#include "scp/scp.h"
#include "tct/tct.h"

enum { FINDINGS_MAX = 100 };

/* A report under way. */
struct report {
    struct libadit_converter *c;
    struct adit_json_writer w;
    size_t n;
    bool invalid;
};

static void add_finding(void *ctx, const struct adit_finding *f)
{
    struct report *r = ctx;
    if (f->rule->severity != ADIT_RULE_WARN) r->invalid = true;
    if (r->n++ < FINDINGS_MAX)
        adit_json_finding(&r->w, f, adit_severity_names[f->rule->severity], r->c->mem);
}

/* The kind is known before the first finding; both stand in one object. */
static void begin(struct report *r, const char *kind)
{
    adit_json_open(&r->w, '{');
    adit_json_member(&r->w, "kind", adit_str_z(kind));
    adit_json_member_open(&r->w, "findings", '[');
}

/* --- collections ------------------------------------------------------------------------------ */

static void judge_checksum(struct report *r, const struct adit_scp_checksum *sum)
{
    enum adit_scp_checksum_rule rule = adit_scp_checksum_end(sum);
    struct adit_finding f = {.line = 1, .index = SIZE_MAX};
    if (rule == ADIT_SCP_DETACHED) return;
    f.rule = &adit_scp_rules[rule == ADIT_SCP_CHECKSUM_RULES ? ADIT_SCP_CHECKSUM
                                                             : ADIT_SCP_CHECKSUM_RULE];
    f.detail = rule == ADIT_SCP_CHECKSUM_RULES ? NULL : adit_scp_checksum_names[rule];
    add_finding(r, &f);
}

static void judge_lines(struct report *r, struct adit_str rest, struct adit_scp_judge *judge)
{
    struct adit_buf scratch;
    struct adit_str line;
    adit_buf_init(&scratch, r->c->mem, ADIT_LIMIT_url_bytes);
    for (; adit_str_split(&rest, '\n', &line); judge->line++) {
        struct adit_scp_page page;
        line = adit_str_trim(line);
        if (line.len) adit_scp_page_judge(line, judge, &scratch, &page);
    }
    adit_buf_free(&scratch);
}

static void check_collection(struct report *r, struct adit_str text)
{
    struct adit_scp_judge judge = {
        .limits = &adit_scp_limits, .report = add_finding, .ctx = r, .line = 1, .thorough = true};
    struct adit_scp_meta meta = {0};
    struct adit_scp_range cut = {0, 0};
    struct adit_scp_checksum sum;
    size_t lf = adit_str_chr(text, '\n', 0);
    struct adit_str first = adit_str_sub(text, 0, lf);
    bool readable = adit_scp_meta_read(first, &r->c->arena, &judge, &meta, &cut.from, &cut.to);
    judge.line = 2;
    judge_lines(r, adit_str_sub(text, lf + 1, text.len), &judge);
    if (!readable || !meta.checksum.len) return;
    if (adit_scp_checksum_init(&sum, true, adit_str_sub(text, 0, lf + 1), cut, meta.checksum) !=
        ADIT_OK)
        return;
    adit_scp_checksum_add(&sum, adit_str_sub(text, lf + 1, text.len));
    judge_checksum(r, &sum);
}

static void check_page(struct report *r, struct adit_str text)
{
    struct adit_scp_judge judge = {
        .limits = &adit_scp_limits, .report = add_finding, .ctx = r, .line = 1, .thorough = true};
    judge_lines(r, text, &judge);
}

/* --- which of them ---------------------------------------------------------------------------- */

/* Files that an entry names are not looked for here. */
static void pass_over(void *ctx, const struct adit_manifest_entry *e, size_t i)
{
    (void)ctx, (void)e, (void)i;
}

static bool check_document(struct report *r, struct adit_str text)
{
    const struct adit_judge judge = {add_finding, r};
    struct adit_json_value doc;
    size_t lf = adit_str_chr(text, '\n', 0);
    if (adit_json_check(text, &doc, NULL) == ADIT_OK && doc.kind == ADIT_JSON_OBJECT) {
        if (adit_manifest_is(doc)) {
            begin(r, "manifest");
            adit_manifest_judge(text, doc, r->c->mem, pass_over, NULL, &judge);
            return true;
        }
        enum adit_tct_kind kind = adit_tct_kind(doc);
        if (kind == ADIT_TCT_IS_SITEMAP) {
            begin(r, adit_tct_is_index(doc) ? "TCT sitemap index" : "TCT sitemap");
            adit_tct_sitemap_judge(doc, &judge);
            return true;
        }
        if (kind == ADIT_TCT_IS_PAYLOAD) {
            begin(r, "TCT payload");
            adit_tct_payload_judge(text, doc, r->c->mem, &judge);
            return true;
        }
        if (adit_json_get(doc, ADIT_STR("url")).kind) {
            begin(r, "SCP page");
            check_page(r, text);
            return true;
        }
    }
    struct adit_str first = adit_str_sub(text, 0, lf);
    if (adit_json_check(first, &doc, NULL) != ADIT_OK || doc.kind != ADIT_JSON_OBJECT) return false;
    begin(r, "SCP collection");
    check_collection(r, text);
    return true;
}

enum libadit_result libadit_check(struct libadit_converter *c, const void *document,
                                  size_t document_len, const char **report, size_t *report_len)
{
    struct report r = {.c = c, .w = {.out = &c->out}};
    *report = NULL, *report_len = 0;
    c->page = NULL;
    adit_arena_reset(&c->arena);
    adit_buf_clear(&c->out);
    if (!check_document(&r, adit_str_of(document, document_len)))
        return libadit_fail(c, ADIT_EUNSUP, "no document that can be checked");
    adit_json_close(&r.w, ']');
    adit_json_member_bool(&r.w, "valid", !r.invalid);
    adit_json_close(&r.w, '}');
    if (c->out.err) return libadit_fail(c, c->out.err, NULL);
    *report = c->out.p, *report_len = c->out.len;
    return libadit_fail(c, r.invalid ? ADIT_EBAD : ADIT_OK, "the document is not valid");
}
