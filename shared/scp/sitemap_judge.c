/* Judging SCP's elements of a sitemap (SCP, Discovery via Sitemap, Appendix A): a table of attributes. */
#include "scp/scp.h"

#include "text/text.h"

#include <string.h>

#define RULES(X)                                                                            \
    X(UNKNOWN, "scp-element", WARN, "an element of the SCP namespace is unknown",           \
      "nothing: it is ignored")                                                             \
    X(VERSION, "scp-version", FATAL, "scp:version is missing, repeated or not MAJOR.MINOR", \
      "write <scp:version>0.1</scp:version>")                                               \
    X(COMPRESSION, "scp-compression", FATAL, "scp:compression is not a list of names",      \
      "write it like zstd,gzip")                                                            \
    X(ATTRIBUTE, "scp-attribute", FATAL, "a required attribute is missing",                 \
      "add it, as the specification's schema says")                                         \
    X(FORM, "scp-form", FATAL, "an attribute has the wrong form",                           \
      "write it as the specification's schema says")                                        \
    X(SECTION, "scp-section", WARN, "a collection's section is not declared",               \
      "add an scp:section for it")                                                          \
    X(EXPIRES, "scp-expires", WARN, "expires is not later than generated",                  \
      "a collection is valid for a while")

enum rule_id { RULES(ADIT_RULE_ID) };
const struct adit_rule adit_scp_sitemap_rules[] = {RULES(ADIT_RULE_ROW){0}};

enum { EXCERPT = 200 }; /* bytes of a value that a finding shows */

static void report_element(const struct adit_scp_elements *r, enum rule_id rule, const char *member,
                           struct adit_str value)
{
    struct adit_finding f = {.rule = &adit_scp_sitemap_rules[rule],
                             .member = member,
                             .index = SIZE_MAX,
                             .value = adit_str_sub(value, 0, EXCERPT)};
    r->judge.report(r->judge.ctx, &f);
}

/* --- attributes ------------------------------------------------------------------------------- */

enum form { ANY, URL, TIME, INTEGER, APPROXIMATE, FREQUENCY, SNAPSHOT };

struct attribute {
    const char *name;
    size_t offset;
    enum form form;
};
#define ATTRIBUTE(name, form) {#name, offsetof(struct adit_scp_element, name), form}
static const struct attribute section_attributes[] = {
    ATTRIBUTE(name, ANY), ATTRIBUTE(updateFreq, FREQUENCY), ATTRIBUTE(pages, APPROXIMATE), {0}};
static const struct attribute collection_attributes[] = {
    ATTRIBUTE(section, ANY),  ATTRIBUTE(type, SNAPSHOT),
    ATTRIBUTE(url, URL),      ATTRIBUTE(generated, TIME),
    ATTRIBUTE(expires, TIME), ATTRIBUTE(pages, INTEGER),
    ATTRIBUTE(size, INTEGER), {0}};
static const struct attribute delta_attributes[] = {
    ATTRIBUTE(section, ANY),    ATTRIBUTE(period, ANY),   ATTRIBUTE(url, URL),
    ATTRIBUTE(generated, TIME), ATTRIBUTE(expires, TIME), ATTRIBUTE(pages, INTEGER),
    ATTRIBUTE(size, INTEGER),   ATTRIBUTE(since, TIME),   {0}};

static bool has_form(struct adit_str s, enum form form)
{
    struct adit_time t;
    uint64_t n;
    switch (form) {
    case ANY: return s.len > 0;
    case URL: return adit_scp_is_url(s);
    case TIME: return adit_date_w3c(s, &t) && s.len > 16;
    case INTEGER: return adit_str_u64(s, &n);
    case APPROXIMATE:
        if (adit_str_starts(s, ADIT_STR("~"))) s = adit_str_sub(s, 1, s.len);
        return adit_str_u64(s, &n);
    case SNAPSHOT: return adit_str_eq(s, ADIT_STR("snapshot"));
    case FREQUENCY: return adit_scp_freq(s) != NULL;
    }
    return false;
}

static void judge_attributes(const struct adit_scp_elements *r, const struct adit_scp_element *e,
                             const struct attribute *a)
{
    for (; a->name; a++) {
        struct adit_str v;
        memcpy(&v, (const char *)e + a->offset, sizeof v);
        if (!v.p)
            report_element(r, R_ATTRIBUTE, a->name, v);
        else if (!has_form(v, a->form))
            report_element(r, R_FORM, a->name, v);
    }
}

static void judge_expiry(const struct adit_scp_elements *r, const struct adit_scp_element *e)
{
    struct adit_time a, b;
    if (adit_date_w3c(e->generated, &a) && adit_date_w3c(e->expires, &b) &&
        adit_time_cmp(a, b) >= 0)
        report_element(r, R_EXPIRES, "expires", e->expires);
}

/* --- elements --------------------------------------------------------------------------------- */

static bool is_version(struct adit_str s)
{
    struct adit_str major;
    uint64_t n;
    return adit_str_split(&s, '.', &major) && adit_str_u64(major, &n) && adit_str_u64(s, &n);
}

static bool is_word_list(struct adit_str s)
{
    struct adit_str word;
    bool good = s.len > 0 && s.p[s.len - 1] != ',';
    while (good && adit_str_split(&s, ',', &word)) {
        good = word.len > 0;
        for (size_t i = 0; i < word.len; i++) good = good && word.p[i] >= 'a' && word.p[i] <= 'z';
    }
    return good;
}

/* Names are kept one behind the other, each with a NUL. */
static void keep_name(struct adit_buf *names, struct adit_str name)
{
    if (name.p) adit_buf_add(names, name), adit_buf_byte(names, '\0');
}

static bool has_name(const struct adit_buf *names, struct adit_str name)
{
    struct adit_str rest = adit_buf_str(names), s;
    while (adit_str_split(&rest, '\0', &s))
        if (adit_str_eq(s, name)) return true;
    return false;
}

void adit_scp_elements_init(struct adit_scp_elements *r, struct adit_mem mem,
                            struct adit_judge judge)
{
    *r = (struct adit_scp_elements){.judge = judge};
    adit_buf_init(&r->declared, mem, 1 << 20);
    adit_buf_init(&r->used, mem, 16 << 20);
}

void adit_scp_elements_add(struct adit_scp_elements *r, const struct adit_scp_element *e)
{
    bool is_delta = e->kind == ADIT_SCP_ELEMENT_DELTA;
    r->n++;
    switch (e->kind) {
    case ADIT_SCP_ELEMENT_VERSION:
        if (++r->versions > 1 || !is_version(e->text))
            report_element(r, R_VERSION, "scp:version", e->text);
        break;
    case ADIT_SCP_ELEMENT_COMPRESSION:
        if (!is_word_list(e->text)) report_element(r, R_COMPRESSION, "scp:compression", e->text);
        break;
    case ADIT_SCP_ELEMENT_SECTION:
        judge_attributes(r, e, section_attributes);
        keep_name(&r->declared, e->name);
        break;
    case ADIT_SCP_ELEMENT_COLLECTION:
    case ADIT_SCP_ELEMENT_DELTA:
        judge_attributes(r, e, is_delta ? delta_attributes : collection_attributes);
        judge_expiry(r, e);
        keep_name(&r->used, e->section);
        *(is_delta ? &r->n_deltas : &r->n_collections) += 1;
        break;
    case ADIT_SCP_ELEMENT_OTHER: {
        char name[64];
        struct adit_buf b = {.p = name, .cap = sizeof name, .max = sizeof name};
        adit_buf_add(&b, adit_str_sub(e->element, 0, sizeof name - 1)), adit_buf_byte(&b, '\0');
        report_element(r, R_UNKNOWN, name, (struct adit_str){0});
        break;
    }
    }
}

void adit_scp_elements_end(struct adit_scp_elements *r)
{
    struct adit_str rest = adit_buf_str(&r->used), name;
    while (adit_str_split(&rest, '\0', &name))
        if (name.len && !has_name(&r->declared, name))
            report_element(r, R_SECTION, "section", name);
    if (r->n && r->versions == 0) report_element(r, R_VERSION, "scp:version", (struct adit_str){0});
}

void adit_scp_elements_free(struct adit_scp_elements *r)
{
    adit_buf_free(&r->declared), adit_buf_free(&r->used);
}
