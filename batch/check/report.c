/* What check prints: for people a line a finding, for programs a JSON object a file. */
#include "batch/check/check.h"
#include "text/text.h"

#include <stdio.h>

enum { SHOWN_MAX = 20, EXCERPT_MAX = 60 };

static uint64_t note(struct check *c, const struct adit_rule *rule)
{
    size_t i = 0;
    while (i < c->n_seen && c->seen[i].rule != rule) i++;
    if (i == ADIT_COUNT(c->seen)) return SHOWN_MAX + 1;
    if (i == c->n_seen) c->seen[c->n_seen++] = (struct check_seen){rule, 0};
    return ++c->seen[i].n;
}

/* A lenient reader skips a line where another rejects the file. */
static enum adit_severity severity_of(const struct check *c, const struct adit_finding *f)
{
    bool skip = c->lenient && f->rule->severity == ADIT_RULE_LINE;
    return skip ? ADIT_RULE_SKIP : f->rule->severity;
}

static void print_text(const struct check *c, const struct adit_finding *f)
{
    cli_print("%s:", c->path);
    if (f->line) cli_print("%llu:", (unsigned long long)f->line);
    if (f->column) cli_print("%zu:", f->column);
    cli_print(" %s: ", adit_severity_names[severity_of(c, f)]);
    if (f->index != SIZE_MAX) cli_print("[%zu] ", f->index);
    if (f->member) cli_print("%s: ", f->member);
    cli_print("%s", f->rule->what);
    if (f->detail) cli_print(" (%s)", f->detail);
    struct adit_str excerpt = adit_utf8_cut(f->value, EXCERPT_MAX);
    if (excerpt.len) {
        bool all = excerpt.len == f->value.len;
        cli_print(": %.*s%s", (int)excerpt.len, excerpt.p, all ? "" : "...");
    }
    cli_print("; %s [%s]\n", f->rule->advice, f->rule->name);
}

static void add_json(struct check *c, const struct adit_finding *f)
{
    struct adit_json_writer w = {.out = &c->findings, .comma = c->findings.len > 0};
    adit_json_finding(&w, f, adit_severity_names[severity_of(c, f)], cli_mem);
}

void check_report(struct check *c, const struct adit_finding *f)
{
    c->counts[severity_of(c, f)]++;
    if (note(c, f->rule) > SHOWN_MAX) return;
    if (c->json)
        add_json(c, f);
    else
        print_text(c, f);
}

static void report_to(void *c, const struct adit_finding *f) { check_report(c, f); }

struct adit_judge check_judge(struct check *c) { return (struct adit_judge){report_to, c}; }

void check_fact(struct check *c, const char *key, struct adit_str value)
{
    struct adit_json_writer w = {.out = &c->facts, .comma = true};
    if (c->json) {
        adit_json_member(&w, key, value);
        return;
    }
    adit_buf_lit(&c->facts, ", ");
    for (; *key; key++) adit_buf_byte(&c->facts, *key == '_' ? ' ' : *key);
    adit_buf_byte(&c->facts, ' ');
    adit_buf_add(&c->facts, value);
}

void check_fact_u64(struct check *c, const char *key, uint64_t value)
{
    struct adit_json_writer w = {.out = &c->facts, .comma = true};
    if (c->json) {
        adit_json_member_uint(&w, key, value);
        return;
    }
    adit_buf_lit(&c->facts, ", ");
    adit_buf_u64(&c->facts, value);
    adit_buf_byte(&c->facts, ' ');
    /* One of them is an entry, a page. */
    struct adit_str word = adit_str_z(key);
    bool many = value != 1 || word.p[word.len - 1] != 's',
         ies = adit_str_ends(word, ADIT_STR("ies"));
    if (!many) word.len -= ies ? 3 : 1;
    adit_buf_add(&c->facts, word);
    if (!many && ies) adit_buf_byte(&c->facts, 'y');
}
