/* The keys of the configuration: one table. New ones go to its end. */
#include "exchange/config_impl.h"
#include "exchange/config_check_impl.h"
#include "scp/scp.h"

static const char *const query_names[] = {"refuse", "keep", NULL};
static const char *const homepage_names[] = {"convert", "overview", "omit", NULL};
static const char *const profile_names[] = {"00", "01", "03", NULL};
static const char *const links_names[] = {"standalone", "all", NULL};
static const char *const mode_names[] = {"subrequest", "inline", NULL};

const char *const adit_config_exclude[] = {
    "/category/*",
    "/tag/*",
    "/author/*",
    "/search*",
    "/page/*",
    "/[0-9][0-9][0-9][0-9]/",
    "/[0-9][0-9][0-9][0-9]/[0-9][0-9]/",
    NULL,
};

#define AT(member) .at = offsetof(struct adit_config, member)
const struct adit_config_row adit_config_rows[ADIT_CONFIG_ROWS] = {
    {"origin", ADIT_CONFIG_STRING, AT(origin), adit_config_check_origin},
    {"hosts", ADIT_CONFIG_LIST, AT(hosts), adit_config_check_host},
    {"suffix", ADIT_CONFIG_STRING, AT(suffix), adit_config_check_suffix, .text = "llm"},
    {"legacy_suffixes", ADIT_CONFIG_LIST, AT(legacy_suffixes), adit_config_check_suffix},
    {"query", ADIT_CONFIG_CHOICE, AT(query), .names = query_names},
    {"exclude", ADIT_CONFIG_LIST, AT(exclude), adit_config_check_glob},
    {"homepage", ADIT_CONFIG_CHOICE, AT(homepage), .names = homepage_names},
    {"overview.title", ADIT_CONFIG_STRING, AT(overview_title), adit_config_check_text},
    {"overview.content", ADIT_CONFIG_STRING, AT(overview_content), adit_config_check_text},
    {"max_page_bytes", ADIT_CONFIG_UINT, AT(max_page_bytes), .min = 1, .max = ADIT_LIMIT_page_bytes,
     .number = ADIT_LIMIT_page_bytes},
    {"payload_schema", ADIT_CONFIG_BOOL, AT(payload_schema)},
    {"markdown.twin", ADIT_CONFIG_BOOL, AT(markdown), .number = 1},
    {"content_digest", ADIT_CONFIG_BOOL, AT(content_digest), .number = 1},
    {"require_https", ADIT_CONFIG_BOOL, AT(require_https), .number = 1},
    {"cache_control", ADIT_CONFIG_STRING, AT(cache_control), adit_config_check_some,
     .text = "max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400"},
    {"sitemap.path", ADIT_CONFIG_STRING, AT(sitemap_path), adit_config_check_path,
     .text = "/llm-sitemap.json"},
    {"sitemap.max_items", ADIT_CONFIG_UINT, AT(sitemap_max_items), .min = 1,
     .max = ADIT_LIMIT_sitemap_items, .number = ADIT_LIMIT_sitemap_items},
    {"policy", ADIT_CONFIG_POLICY, AT(policy)},
    {"scp.manifest", ADIT_CONFIG_STRING, AT(scp_manifest), adit_config_check_path,
     .text = "/collections/" ADIT_SCP_MANIFEST},
    {"scp.refresh_s", ADIT_CONFIG_UINT, AT(scp_refresh_s), .min = 1, .max = 86400, .number = 300},
    {"upstream.cluster", ADIT_CONFIG_STRING, AT(upstream_cluster), adit_config_check_some,
     .text = "origin"},
    {"upstream.authority", ADIT_CONFIG_STRING, AT(upstream_authority), adit_config_check_authority},
    {"upstream.timeout_ms", ADIT_CONFIG_UINT, AT(timeout_ms), .min = 1, .max = 600000,
     .number = 5000},
    {"upstream.accept_language", ADIT_CONFIG_STRING, AT(accept_language), adit_config_check_header},
    {"mode", ADIT_CONFIG_CHOICE, AT(mode), .names = mode_names},
    {"sections", ADIT_CONFIG_PAIRS, AT(sections), adit_config_check_path},
    {"update_freq", ADIT_CONFIG_PAIRS, AT(update_freq), adit_config_check_freq},
    {"limits.pages", ADIT_CONFIG_UINT, AT(limit_pages), .min = 1, .max = 100000, .number = 64},
    {"limits.memory", ADIT_CONFIG_UINT, AT(limit_memory), .min = 16u << 20,
     .max = UINT64_C(1) << 40, .number = 96u << 20},
    {"markdown.negotiate", ADIT_CONFIG_BOOL, AT(negotiate), .number = 1},
    {"markdown.agents", ADIT_CONFIG_LIST, AT(agents), adit_config_check_agent},
    {"markdown.noindex", ADIT_CONFIG_BOOL, AT(markdown_noindex)},
    {"markdown.tokens", ADIT_CONFIG_BOOL, AT(tokens), .number = 1},
    {"signals.content_signal", ADIT_CONFIG_STRING, AT(content_signal), adit_config_check_header},
    {"signals.content_usage", ADIT_CONFIG_STRING, AT(content_usage), adit_config_check_header},
    {"signals.tdm_reservation", ADIT_CONFIG_STRING, AT(tdm_reservation), adit_config_check_header},
    {"signals.tdm_policy", ADIT_CONFIG_STRING, AT(tdm_policy), adit_config_check_header},
    {"signals.license", ADIT_CONFIG_STRING, AT(license), adit_config_check_link},
    {"robots", ADIT_CONFIG_BOOL, AT(robots)},
    {"llms", ADIT_CONFIG_BOOL, AT(llms), .number = 1},
    {"llms_full", ADIT_CONFIG_BOOL, AT(llms_full)},
    {"tct_profile", ADIT_CONFIG_CHOICE, AT(tct_profile), .names = profile_names},
    {"signature.key", ADIT_CONFIG_STRING, AT(signature_key), adit_config_check_key, .text = ""},
    {"signature.keyid", ADIT_CONFIG_STRING, AT(signature_keyid), adit_config_check_keyid,
     .text = ""},
    {"markdown.front_matter", ADIT_CONFIG_BOOL, AT(front_matter)},
    {"links", ADIT_CONFIG_CHOICE, AT(links), .names = links_names},
};

const struct adit_config_group adit_config_groups[] = {
    {"overview", NULL}, {"sitemap", NULL},   {"scp", NULL},
    {"upstream", NULL}, {"limits", NULL},    {"markdown", "twin"},
    {"signals", NULL},  {"signature", NULL}, {NULL, NULL},
};

struct adit_str adit_config_group_of(const struct adit_config_row *row)
{
    struct adit_str key = adit_str_z(row->key);
    size_t dot = adit_str_chr(key, '.', 0);
    return dot < key.len ? adit_str_sub(key, 0, dot) : (struct adit_str){0};
}

struct adit_json_row adit_config_json(const struct adit_config_row *row)
{
    static const enum adit_row_kind kinds[] = {
        [ADIT_CONFIG_STRING] = ADIT_ROW_TEXT, [ADIT_CONFIG_BOOL] = ADIT_ROW_BOOL,
        [ADIT_CONFIG_UINT] = ADIT_ROW_UINT,   [ADIT_CONFIG_CHOICE] = ADIT_ROW_CHOICE,
        [ADIT_CONFIG_LIST] = ADIT_ROW_LIST,   [ADIT_CONFIG_PAIRS] = ADIT_ROW_OWN,
        [ADIT_CONFIG_POLICY] = ADIT_ROW_RAW,
    };
    struct adit_json_row json = {.key = row->key, .kind = kinds[row->kind], .at = row->at};
    if (row->kind == ADIT_CONFIG_CHOICE) json.names = row->names;
    return json;
}
