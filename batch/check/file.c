/* What a file is, its bytes tell; then it is judged as that. */
#include "batch/check/check.h"
#include "batch/crawl/crawl.h"

#include <string.h>

/* Documents that are read whole; TCT asks agents for such a limit on sitemaps. */
enum { DOCUMENT_MAX = 100000000, HEAD_BYTES = 1 << 16 };

static const struct adit_rule too_long = {"document-long", ADIT_RULE_FATAL,
                                          "the document has more than 100 MB", "split it"};

static struct adit_str skip_space(struct adit_str s)
{
    if (adit_str_starts(s, ADIT_STR("\xEF\xBB\xBF"))) s = adit_str_sub(s, 3, s.len);
    while (s.len && adit_is_space(s.p[0])) s = adit_str_sub(s, 1, s.len);
    return s;
}

/* By its name, whatever is in it, or by an origin that is not a manifest's. */
static bool is_config(const char *path, struct adit_str text)
{
    struct adit_json_value doc;
    if (adit_str_ends(adit_str_z(path), ADIT_STR("adit.json"))) return true;
    return adit_json_check(text, &doc, NULL) == ADIT_OK && doc.kind == ADIT_JSON_OBJECT &&
           adit_json_get(doc, ADIT_STR("origin")).kind && !adit_manifest_is(doc);
}

/* Reads a document whole and judges it; false: it is none that is known. */
static bool check_document(struct check *c, struct input *in)
{
    struct adit_str text = input_peek(in, DOCUMENT_MAX + 1), begin = skip_space(text);
    bool is_xml = begin.len && begin.p[0] == '<';
    if (text.len > DOCUMENT_MAX) {
        c->kind = is_xml ? "XML document" : "JSON document";
        check_report(c, &(struct adit_finding){.rule = &too_long, .index = SIZE_MAX});
        return true;
    }
    if (input_code(in)) return false;
    if (adit_str_ends(adit_str_z(c->path), ADIT_STR("llms.txt")) ||
        adit_str_ends(adit_str_z(c->path), ADIT_STR("llms-full.txt"))) {
        check_llms(c, text);
        return true;
    }
    if (is_xml) check_xml(c, text);
    if (!is_xml && is_config(c->path, text)) {
        check_config(c, text);
        return true;
    }
    return is_xml || check_json(c, text);
}

bool check_file(struct check *c)
{
    struct input_options how = {.window_max = DOCUMENT_MAX + 2 * HEAD_BYTES, .guard_ratio = true};
    /* Standard input cannot be read twice, so that it must be a collection. Whatever is not something else is judged as
     * a collection too, and told what it lacks. */
    bool known = false, collection = true;
    if (remote_is_url(c->path)) {
        check_warc(c);
        return true;
    }
    if (strcmp(c->path, "-") != 0) {
        struct input *in = input_open(c->path, &how);
        if (!in) {
            c->counts[ADIT_RULE_FATAL]++;
            c->kind = "file";
            return true;
        }
        struct adit_str head = input_peek(in, HEAD_BYTES);
        /* An archive that is damaged at its very beginning is known by its name. */
        bool archive = (crawl_starts_archive(head) && !adit_scp_path(adit_str_z(c->path))) ||
                       crawl_is_archive_name(adit_str_z(cli_base_name(c->path)));
        collection = adit_scp_starts(head);
        known = !collection && !archive && check_document(c, in);
        input_close(in);
        if (archive) check_warc(c);
        known = known || archive;
    }
    if (known) return true;
    /* Beside the files of a publication there may be anything. */
    if (!collection && c->of_folder && !adit_scp_path(adit_str_z(c->path))) return false;
    check_collection(c);
    return true;
}

bool check_valid(const struct check *c)
{
    return !c->counts[ADIT_RULE_FATAL] && !c->counts[ADIT_RULE_LINE] &&
           !c->counts[ADIT_RULE_SKIP] && !c->counts[ADIT_RULE_DROP];
}
