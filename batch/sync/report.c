/* What a run did, and what the site does wrong. */
#include "batch/sync/sync.h"
#include "json/json.h"
#include "text/text.h"

#define MUST   ADIT_RULE_FATAL
#define SHOULD ADIT_RULE_WARN
static const struct adit_rule rules[] = {
#define RULE_ROW(id, name, level, what, advice) [SYNC_##id] = {name, level, what, advice},
    ADIT_SITE_RULES(RULE_ROW)};

static const char *const level_names[] = {[MUST] = "must", [SHOULD] = "should"};

/* What strangers wrote goes to terminals and into JSON: whole characters, no control characters. */
static struct adit_str clean_copy(struct sync *s, struct adit_str text, size_t max)
{
    text = adit_utf8_cut(text, max);
    char *p = adit_arena_alloc(&s->arena, text.len);
    if (!p) return (struct adit_str){0};
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        p[i] = c < 32 || c == 127 ? '?' : text.p[i];
    }
    return adit_str_of(p, text.len);
}

void sync_violation(struct sync *s, enum sync_rule_id rule, struct adit_str url,
                    struct adit_str detail)
{
    uint64_t k = s->report.rules[rule].n++;
    if (k >= SYNC_EXAMPLES) return;
    struct sync_example *e = &s->report.rules[rule].examples[k];
    e->url = clean_copy(s, url, 2000);
    e->detail = clean_copy(s, detail, 300);
}

void sync_failed(struct sync *s, const struct fetch_reply *r)
{
    char text[64];
    struct adit_str detail = adit_str_z(fetch_error_text(r->error));
    if (r->error == FETCH_ROBOTS) {
        s->report.robots++;
        return;
    }
    s->report.lost++;
    if (!r->error) {
        snprintf(text, sizeof text, "status %u", r->status);
        detail = adit_str_z(text);
    }
    sync_violation(s, SYNC_FAILED, r->asked, detail);
}

bool sync_has_violations(const struct sync *s)
{
    for (size_t i = 0; i < SYNC_RULES_N; i++)
        if (s->report.rules[i].n && rules[i].severity == MUST) return true;
    return false;
}

void sync_rules_print(void)
{
    for (size_t i = 0; i < SYNC_RULES_N; i++)
        cli_print("%-20s %-6s %s; %s\n", rules[i].name, level_names[rules[i].severity],
                  rules[i].what, rules[i].advice);
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Pages whose HTML was seen: fewer say nothing of the others, the home page least of all. */
enum { SAMPLES = 10 };

struct figures {
    struct fetch_counts net;
    uint64_t html; /* bytes that the listed pages would have cost as HTML; 0: not known */
};

void sync_add_counts(struct fetch_counts *sum, const struct fetch_counts *more)
{
    sum->requests += more->requests, sum->not_modified += more->not_modified;
    sum->redirects += more->redirects, sum->retries += more->retries;
    sum->failed += more->failed, sum->bytes += more->bytes;
    sum->wire += more->wire, sum->waited_ms += more->waited_ms;
}

static struct figures figures_of(const struct sync *s)
{
    struct figures f = {.net = s->earlier};
    if (s->fetch) sync_add_counts(&f.net, fetch_counts(s->fetch));
    uint64_t listed = s->report.listed ? s->report.listed : s->state.pages;
    if (s->state.html_pages && (s->state.html_pages >= SAMPLES || s->state.html_pages >= listed))
        f.html = s->state.html_bytes / s->state.html_pages * listed;
    return f;
}

static void put_rules(const struct sync *s, struct adit_json_writer *w)
{
    adit_json_member_open(w, "violations", '[');
    for (size_t i = 0; i < SYNC_RULES_N; i++) {
        uint64_t n = s->report.rules[i].n;
        if (!n) continue;
        adit_json_open(w, '{');
        adit_json_member(w, "rule", adit_str_z(rules[i].name));
        adit_json_member(w, "level", adit_str_z(level_names[rules[i].severity]));
        adit_json_member_uint(w, "count", n);
        adit_json_member(w, "what", adit_str_z(rules[i].what));
        adit_json_member(w, "advice", adit_str_z(rules[i].advice));
        adit_json_member_open(w, "examples", '[');
        for (size_t k = 0; k < n && k < SYNC_EXAMPLES; k++) {
            adit_json_open(w, '{');
            adit_json_member(w, "url", s->report.rules[i].examples[k].url);
            adit_json_member_opt(w, "detail", s->report.rules[i].examples[k].detail);
            adit_json_close(w, '}');
        }
        adit_json_close(w, ']');
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void print_json(const struct sync *s)
{
    const struct sync_report *r = &s->report;
    const struct figures f = figures_of(s);
    const struct {
        const char *key;
        uint64_t v;
    } counts[] = {
        {"listed", r->listed},
        {"pages", s->state.pages},
        {"new", r->added},
        {"updated", r->updated},
        {"deleted", r->deleted},
        {"zero_fetch", r->zero_fetch},
        {"pages_not_modified", r->not_modified},
        {"pages_fetched", r->fetched},
        {"collections", r->collections},
        {"noindex", r->noindex},
        {"personal", r->personal},
        {"verified", r->verified},
        {"gone", r->gone},
        {"robots", r->robots},
        {"lost", r->lost},
        {"left", r->left},
        {"requests", f.net.requests},
        {"not_modified", f.net.not_modified},
        {"redirects", f.net.redirects},
        {"retries", f.net.retries},
        {"failed", f.net.failed},
        {"waited_ms", f.net.waited_ms},
        {"bytes", f.net.wire},
        {"html_bytes", f.html},
        {"html_pages_seen", s->state.html_pages},
    };
    struct cli_json j;
    cli_json_begin(&j);
    adit_json_member(&j.w, "site", s->site);
    adit_json_member(&j.w, "via", adit_str_z(r->via));
    adit_json_member_opt(&j.w, "why", adit_str_z(r->why));
    adit_json_member_opt(&j.w, "unusable", adit_str_z(r->unusable));
    for (size_t i = 0; i < ADIT_COUNT(counts); i++)
        adit_json_member_uint(&j.w, counts[i].key, counts[i].v);
    put_rules(s, &j.w);
    adit_json_member_bool(&j.w, "conforms", !sync_has_violations(s));
    cli_json_end(&j);
}

static void print_some(const char *what, uint64_t n)
{
    if (n) cli_print(", %llu %s", (unsigned long long)n, what);
}

static void print_rules(const struct sync *s)
{
    for (size_t i = 0; i < SYNC_RULES_N; i++) {
        uint64_t n = s->report.rules[i].n;
        if (!n) continue;
        cli_print("%s [%s] %llu: %s; %s\n", level_names[rules[i].severity], rules[i].name,
                  (unsigned long long)n, rules[i].what, rules[i].advice);
        for (size_t k = 0; k < n && k < 3; k++) {
            const struct sync_example *e = &s->report.rules[i].examples[k];
            cli_print("  %.*s%s%.*s\n", (int)e->url.len, e->url.p, e->detail.len ? ": " : "",
                      (int)e->detail.len, e->detail.p);
        }
    }
}

static void print_text(const struct sync *s)
{
    const struct sync_report *r = &s->report;
    const struct figures f = figures_of(s);
    print_rules(s);
    cli_print("%.*s: ", (int)s->site.len, s->site.p);
    if (s->o.check) cli_print("%s, ", sync_has_violations(s) ? "does not conform" : "conforms");
    if (s->o.check)
        cli_print("%s listed, %llu looked at", cli_count(r->listed, "page").p,
                  (unsigned long long)r->fetched);
    else
        cli_print("%s by %s", cli_count(s->state.pages, "page").p, r->via);
    print_some("new", r->added);
    print_some("updated", r->updated);
    print_some("deleted", r->deleted);
    print_some("unchanged without a request", r->zero_fetch);
    print_some("not modified", r->not_modified);
    print_some("noindex", r->noindex);
    print_some("personal", r->personal);
    print_some("with a signature that verifies", r->verified);
    print_some("gone", r->gone);
    print_some("refused by robots.txt", r->robots);
    print_some("lost", r->lost);
    print_some("left for the next run", r->left);
    cli_print("; %s, %s", cli_count(f.net.requests, "request").p, cli_size(f.net.wire).p);
    if (f.html)
        cli_print("%s, about %s",
                  f.net.wire <= f.html ? " where HTML would have been"
                                       : ", more than the HTML of the pages",
                  cli_size(f.html).p);
    cli_print("\n");
    if (r->why && !s->o.check) cli_print("by %s: %s\n", r->via, r->why);
    if (r->unusable) cli_print("not by its JSON sitemap: %s\n", r->unusable);
}

void sync_report_print(struct sync *s)
{
    if (cli_has(s->args, "json"))
        print_json(s);
    else if (!cli_has(s->args, "quiet"))
        print_text(s);
}
