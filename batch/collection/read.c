/* Reading a collection: lines, their judgement, the checksum, the limits of the file. */
#include "batch/collection/collection.h"
#include "batch/io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE1_MAX = 1 << 16, WINDOW_EXTRA = 1 << 19 };
enum { RAW = 256 << 10 }; /* encoded bytes held: collections are read in order, some at once */

struct collection {
    char *path;
    struct collection_options options;
    struct adit_scp_limits limits;
    struct input *in;
    size_t take; /* bytes of the line shown last, to be taken from the input */
    struct adit_scp_judge judge;
    struct adit_arena meta_text;
    struct adit_scp_meta meta;
    struct adit_buf url, last_url;
    struct adit_scp_checksum checksum;
    struct adit_scp_range cut;
    bool failed, ended; /* a fatal finding; nothing more will come */
    struct collection_counts counts;
};

static const char *const coding_names[] = {"none", "gzip", "zstd"};

/* --- findings --------------------------------------------------------------------------------- */

static bool is_fatal(const struct collection *c, const struct adit_rule *rule)
{
    enum adit_severity s = rule->severity;
    return s == ADIT_RULE_FATAL || (s == ADIT_RULE_LINE && !c->options.lenient);
}

static void say_finding(const struct collection *c, const struct adit_finding *f)
{
    const struct adit_rule *rule = f->rule;
    if (c->options.quiet || rule->severity > ADIT_RULE_SKIP) return;
    char where[40] = "";
    const char *so = is_fatal(c, f->rule) ? "the file is rejected" : "the page is left out";
    if (f->line) snprintf(where, sizeof where, "line %llu: ", (unsigned long long)f->line);
    cli_say(c->path, "%s%s%s%s%s%s%s; %s [%s]", where, f->member ? f->member : "",
            f->member ? ": " : "", rule->what, f->detail ? " (" : "", f->detail ? f->detail : "",
            f->detail ? ")" : "", so, rule->name);
}

static void on_finding(void *ctx, const struct adit_finding *f)
{
    struct collection *c = ctx;
    c->counts.findings[f->rule - adit_scp_rules]++;
    if (is_fatal(c, f->rule)) c->failed = true;
    if (f->rule->severity == ADIT_RULE_FATAL) c->ended = true;
    if (c->options.report)
        c->options.report(c->options.ctx, f);
    else
        say_finding(c, f);
}

static void fault(struct collection *c, enum adit_scp_rule_id rule, uint64_t line,
                  const char *detail)
{
    on_finding(
        c, &(struct adit_finding){
               .rule = &adit_scp_rules[rule], .line = line, .index = SIZE_MAX, .detail = detail});
}

/* --- lines ------------------------------------------------------------------------------------ */

static void take_input_error(struct collection *c)
{
    static const enum adit_scp_rule_id rules[] = {
        [ADIT_EBAD] = ADIT_SCP_FILE_UNDECODABLE, [ADIT_EEOF] = ADIT_SCP_FILE_CUT_OFF,
        [ADIT_ELIMIT] = ADIT_SCP_FILE_RATIO,     [ADIT_EIO] = ADIT_SCP_FILE_READ,
        [ADIT_ENOMEM] = ADIT_SCP_FILE_READ,      [ADIT_EUNSUP] = ADIT_SCP_FILE_UNDECODABLE,
    };
    fault(c, rules[input_code(c->in)], 0, input_message(c->in));
}

/* The next line with its line end; stays valid until the next call. Over max bytes: *long_line, and
 * only its beginning is shown. False at the end of the input. */
static bool next_line(struct collection *c, size_t max, struct adit_str *line, bool *long_line)
{
    size_t want = 1, seen = 0;
    input_skip(c->in, c->take);
    c->take = 0;
    *long_line = false;
    for (;;) {
        struct adit_str s = input_peek(c->in, want);
        size_t lf = adit_str_chr(s, '\n', seen);
        bool last = lf == s.len && s.len < want;
        if (last && (s.len == 0 || input_code(c->in))) return false;
        *long_line = lf > max;
        if (lf < s.len || last || *long_line) {
            *line = adit_str_sub(s, 0, lf + 1);
            c->take = line->len;
            return true;
        }
        seen = s.len;
        want = s.len + 1;
    }
}

/* Passes over the rest of a line that is too long. */
static void skip_line(struct collection *c)
{
    for (;;) {
        input_skip(c->in, c->take);
        struct adit_str s = input_peek(c->in, 1);
        size_t lf = adit_str_chr(s, '\n', 0);
        s = adit_str_sub(s, 0, lf + 1);
        c->take = s.len;
        if (s.len && c->meta.checksum.len) adit_scp_checksum_add(&c->checksum, s);
        if (s.len == 0 || s.p[s.len - 1] == '\n') return;
    }
}

static struct adit_str trim(struct adit_str s)
{
    while (s.len && (s.p[s.len - 1] == '\n' || s.p[s.len - 1] == '\r' || s.p[s.len - 1] == ' ' ||
                     s.p[s.len - 1] == '\t'))
        s.len--;
    while (s.len && (*s.p == ' ' || *s.p == '\t' || *s.p == '\r')) s.p++, s.len--;
    return s;
}

static bool within_limits(struct collection *c)
{
    c->counts.bytes = input_offset(c->in) + c->take;
    c->counts.bytes_encoded = input_consumed(c->in);
    if (c->counts.bytes > c->limits.decoded_max) fault(c, ADIT_SCP_FILE_SIZE, 0, NULL);
    if (c->counts.bytes_encoded > c->limits.encoded_max)
        fault(c, ADIT_SCP_FILE_SIZE_ENCODED, 0, NULL);
    return !c->ended;
}

/* --- line 1 ----------------------------------------------------------------------------------- */

static void read_line1(struct collection *c)
{
    struct adit_str raw, line;
    bool long_line;
    if (!next_line(c, LINE1_MAX, &raw, &long_line)) {
        if (input_code(c->in))
            take_input_error(c);
        else
            fault(c, ADIT_SCP_FILE_EMPTY, 0, NULL);
        return;
    }
    c->judge.line = c->counts.lines = 1;
    if (long_line) {
        fault(c, ADIT_SCP_META_LONG, 1, NULL);
        return;
    }
    line = raw;
    if (adit_str_starts(line, ADIT_STR("\xEF\xBB\xBF"))) {
        fault(c, ADIT_SCP_FILE_BOM, 1, NULL);
        line = adit_str_sub(line, 3, line.len);
    }
    line = trim(line);
    size_t shift = line.len ? (size_t)(line.p - raw.p) : 0;
    bool ok = true;
    line = adit_arena_dup(&c->meta_text, line, &ok); /* the metadata outlive the line */
    if (!ok)
        fault(c, ADIT_SCP_FILE_READ, 1, "out of memory");
    else
        adit_scp_meta_read(line, &c->meta_text, &c->judge, &c->meta, &c->cut.from, &c->cut.to);
    if (c->failed || !c->meta.checksum.len) return;
    c->cut.from += shift, c->cut.to += shift;
    bool once = input_size(c->in) == 0 || strcmp(c->path, "-") == 0; /* cannot be read again */
    adit_scp_checksum_init(&c->checksum, once, raw, c->cut, c->meta.checksum);
}

static bool set_up(struct collection *c, const char *path)
{
    struct input_options how = {
        .window_max = c->limits.line_max + WINDOW_EXTRA, .raw_max = RAW, .guard_ratio = true};
    adit_arena_init(&c->meta_text, cli_mem, (size_t)4 * LINE1_MAX);
    adit_buf_init(&c->url, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&c->last_url, cli_mem, ADIT_LIMIT_url_bytes);
    c->judge = (struct adit_scp_judge){&c->limits, on_finding, c, 0, c->options.report != NULL};
    c->counts.sorted = true;
    c->path = collection_path(path);
    c->in = c->path ? input_open(c->path, &how) : NULL;
    if (c->in) c->counts.coding = coding_names[input_coding(c->in)];
    return c->in != NULL;
}

struct collection *collection_open(const char *path, const struct collection_options *options)
{
    struct collection *c = calloc(1, sizeof *c);
    if (!c) {
        cli_say(path, "out of memory");
        return NULL;
    }
    if (options) c->options = *options;
    c->limits = c->options.limits ? *c->options.limits : adit_scp_limits;
    if (!c->options.limits) c->limits.now.s = time(NULL);
    if (!set_up(c, path)) {
        collection_close(c);
        return NULL;
    }
    read_line1(c);
    if (!c->ended) within_limits(c);
    return c;
}

void collection_close(struct collection *c)
{
    if (!c) return;
    input_close(c->in);
    adit_arena_free(&c->meta_text);
    adit_buf_free(&c->url);
    adit_buf_free(&c->last_url);
    free(c->path);
    free(c);
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Reads the file once more and hashes it by every rule. */
static enum adit_scp_checksum_rule hash_again(struct collection *c)
{
    struct input *in = input_open(c->path, NULL);
    struct adit_scp_checksum all;
    struct adit_str line, s;
    enum adit_scp_checksum_rule rule = ADIT_SCP_CHECKSUM_RULES;
    if (!in) return rule;
    s = input_peek(in, LINE1_MAX);
    line = adit_str_sub(s, 0, adit_str_chr(s, '\n', 0) + 1);
    if (adit_scp_checksum_init(&all, true, line, c->cut, c->meta.checksum) == ADIT_OK) {
        size_t n = line.len;
        while (input_skip(in, n) && (s = input_peek(in, 1)).len) {
            adit_scp_checksum_add(&all, s);
            n = s.len;
        }
        if (!input_code(in)) rule = adit_scp_checksum_end(&all);
    }
    input_close(in);
    return rule;
}

static void judge_checksum(struct collection *c)
{
    if (!c->meta.checksum.len) return;
    enum adit_scp_checksum_rule rule = adit_scp_checksum_end(&c->checksum);
    if (rule == ADIT_SCP_CHECKSUM_RULES && !c->checksum.all) rule = hash_again(c);
    if (rule == ADIT_SCP_CHECKSUM_RULES) {
        fault(c, ADIT_SCP_CHECKSUM, 1, NULL);
        return;
    }
    c->counts.checksum_rule = adit_scp_checksum_names[rule];
    if (rule != ADIT_SCP_DETACHED) fault(c, ADIT_SCP_CHECKSUM_RULE, 1, c->counts.checksum_rule);
}

static void at_end(struct collection *c)
{
    if (!within_limits(c)) return;
    if (input_parts(c->in) > 1) fault(c, ADIT_SCP_FILE_PARTS, 0, NULL);
    if (input_code(c->in))
        take_input_error(c);
    else
        judge_checksum(c);
    c->ended = true;
}

static void note_order(struct collection *c, struct adit_str url)
{
    int order = c->counts.pages ? adit_str_cmp(adit_buf_str(&c->last_url), url) : -1;
    if (order == 0) fault(c, ADIT_SCP_PAGE_URL_AGAIN, c->counts.lines, NULL);
    if (order >= 0) c->counts.sorted = false;
    adit_buf_clear(&c->last_url);
    adit_buf_add(&c->last_url, url);
}

/* One line; true: *page is a good page. */
static bool take_page(struct collection *c, struct adit_str line, struct adit_scp_page *page)
{
    switch (adit_scp_page_judge(line, &c->judge, &c->url, page)) {
    case ADIT_SCP_GOOD:
        note_order(c, page->url);
        c->counts.pages++;
        return true;
    case ADIT_SCP_REJECTED:
    case ADIT_SCP_SKIPPED: c->counts.skipped++; break;
    }
    return false;
}

bool collection_next(struct collection *c, struct adit_scp_page *page)
{
    struct adit_str raw;
    bool long_line;
    while (!c->ended && (!c->failed || c->options.to_the_end)) {
        if (!next_line(c, c->limits.line_max, &raw, &long_line)) {
            at_end(c);
            break;
        }
        c->judge.line = ++c->counts.lines;
        if (c->meta.checksum.len) adit_scp_checksum_add(&c->checksum, raw);
        if (!within_limits(c)) return false;
        if (long_line) {
            fault(c, ADIT_SCP_PAGE_LONG, c->counts.lines, NULL);
            c->counts.skipped++;
            if (raw.p[raw.len - 1] != '\n') skip_line(c);
            continue;
        }
        struct adit_str line = trim(raw);
        if (line.len && take_page(c, line, page)) return true;
    }
    return false;
}

bool collection_failed(const struct collection *c) { return c->failed; }
const struct adit_scp_meta *collection_meta(const struct collection *c) { return &c->meta; }
const struct collection_counts *collection_counts(const struct collection *c) { return &c->counts; }
