/* check: what a site says of itself in files of adit's: the configuration, adit.json, and llms.txt.
 */
#include "batch/check/check.h"
#include "exchange/exchange.h"

#define RULES(X)                                                                               \
    X(KEY, "config-key", FATAL, "the configuration is refused",                                \
      "edge/CONFIGURATION.md has every key and what it may be")                                \
    X(ORIGIN, "config-origin", WARN, "the site's origin is not given",                         \
      "write \"origin\":\"https://HOST\": the filter and the Worker need it, and links begin " \
      "with it")                                                                               \
    X(LLMS, "llms-title", FATAL, "llms.txt does not begin with a title",                       \
      "begin with \"# \" and the site's name (llmstxt.org)")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule check_config_rules[] = {RULES(ADIT_RULE_ROW){0}};

void check_config(struct check *c, struct adit_str text)
{
    struct adit_buf why;
    struct adit_json_value doc;
    c->kind = "configuration";
    adit_buf_init(&why, cli_mem, 1 << 20);
    adit_config_check(text, cli_mem, &why);
    struct adit_str rest = adit_buf_str(&why), line;
    while (rest.len && adit_str_split(&rest, '\n', &line))
        check_report(c, &(struct adit_finding){.rule = &check_config_rules[R_KEY],
                                               .index = SIZE_MAX,
                                               .value = adit_str_sub(line, 0, 200)});
    if (adit_json_check(text, &doc, NULL) == ADIT_OK && doc.kind == ADIT_JSON_OBJECT &&
        !adit_json_get(doc, ADIT_STR("origin")).kind)
        check_report(
            c, &(struct adit_finding){.rule = &check_config_rules[R_ORIGIN], .index = SIZE_MAX});
    adit_buf_free(&why);
}

void check_llms(struct check *c, struct adit_str text)
{
    struct adit_str line;
    uint64_t links = 0;
    c->kind = "llms.txt";
    if (!adit_str_starts(text, ADIT_STR("# ")))
        check_report(c, &(struct adit_finding){
                            .rule = &check_config_rules[R_LLMS], .line = 1, .index = SIZE_MAX});
    while (text.len && adit_str_split(&text, '\n', &line))
        links += adit_str_starts(line, ADIT_STR("- ["));
    check_fact_u64(c, "links", links);
}
