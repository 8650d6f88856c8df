/* Heads of run files: what they say, and which files belong together. */
#include "batch/pack/steps_impl.h"
#include "json/json.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    COUNTS = sizeof(struct crawl_counts) / sizeof(uint64_t),
    LIST_MAX = 10000000,
    NOTES_MAX = CRAWL_SKIP_COUNT * CRAWL_NOTES
};

/* --- as JSON ---------------------------------------------------------------------------------- */

#define OF(type, name, what, how) ADIT_ROW(#name, struct type, name, what, how)
static const struct adit_json_row input_rows[] = {
    {OF(pack_head_input, name, TEXT, ADIT_ROW_NEEDED)},
    {OF(pack_head_input, size, UINT, ADIT_ROW_STRICT)},
    {OF(pack_head_input, mtime, UINT, ADIT_ROW_STRICT)},
    {0},
};
static const struct adit_json_row host_rows[] = {
    {OF(pack_head_host, name, TEXT, ADIT_ROW_NEEDED)},
    {OF(pack_head_host, pages, UINT, ADIT_ROW_STRICT)},
    {0},
};
static const struct adit_json_row loss_rows[] = {
    {OF(pack_head_loss, file, TEXT, ADIT_ROW_NEEDED)},
    {OF(pack_head_loss, offset, UINT, ADIT_ROW_HAS | ADIT_ROW_STRICT),
     .has_at = offsetof(struct pack_head_loss, has_offset)},
    {OF(pack_head_loss, reason, TEXT, ADIT_ROW_STRICT)},
    {0},
};
static const struct adit_json_row note_rows[] = {
    {OF(pack_head_note, reason, TEXT, ADIT_ROW_NEEDED)},
    {OF(pack_head_note, url, TEXT, ADIT_ROW_NEEDED)},
    {OF(pack_head_note, file, TEXT, ADIT_ROW_STRICT)},
    {OF(pack_head_note, offset, UINT, ADIT_ROW_HAS | ADIT_ROW_STRICT),
     .has_at = offsetof(struct pack_head_note, has_offset)},
    {0},
};
static const struct adit_json_row slow_rows[] = {
    {OF(pack_head_slow, url, TEXT, ADIT_ROW_NEEDED)},
    {OF(pack_head_slow, us, UINT, ADIT_ROW_NEEDED | ADIT_ROW_STRICT)},
    {0},
};
static const struct adit_json_row text = {.key = "", .kind = ADIT_ROW_TEXT, .flags = 0},
                                  number = {
                                      .key = "", .kind = ADIT_ROW_UINT, .flags = ADIT_ROW_STRICT};
#define LIST(name, most, ...) \
    {.n_at = offsetof(struct pack_head, n_##name), .max = most, __VA_ARGS__}
static const struct adit_json_list
    options = LIST(options, LIST_MAX, .item = &text, .size = sizeof(struct adit_str)),
    inputs = LIST(inputs, LIST_MAX, .rows = input_rows, .size = sizeof(struct pack_head_input)),
    hosts = LIST(hosts, LIST_MAX, .rows = host_rows, .size = sizeof(struct pack_head_host)),
    losses =
        LIST(losses, CRAWL_LOSSES_MAX, .rows = loss_rows, .size = sizeof(struct pack_head_loss)),
    left_out = LIST(left_out, NOTES_MAX, .rows = note_rows, .size = sizeof(struct pack_head_note)),
    slowest =
        LIST(slowest, CRAWL_SLOWEST, .rows = slow_rows, .size = sizeof(struct pack_head_slow)),
    crawl = LIST(crawl, COUNTS, .item = &number, .size = sizeof(uint64_t)),
    history = LIST(history, COUNTS, .item = &number, .size = sizeof(uint64_t));

#define HEAD(name, what, how) OF(pack_head, name, what, how)
static const struct adit_json_row rows[] = {
    {HEAD(rules, TEXT, ADIT_ROW_NEEDED)},
    {HEAD(layout, UINT, ADIT_ROW_NEEDED | ADIT_ROW_STRICT)},
    {HEAD(generated, TEXT, ADIT_ROW_NEEDED)},
    {HEAD(options, LIST, ADIT_ROW_STRICT), .list = &options},
    {HEAD(partitions, UINT, ADIT_ROW_NEEDED | ADIT_ROW_STRICT)},
    {HEAD(shards, UINT, ADIT_ROW_NEEDED | ADIT_ROW_STRICT)},
    {HEAD(all_inputs, SHA256, ADIT_ROW_NEEDED | ADIT_ROW_STRICT)},
    {HEAD(number, UINT, ADIT_ROW_NEEDED | ADIT_ROW_STRICT)},
    {HEAD(inputs, LIST, ADIT_ROW_STRICT), .list = &inputs},
    {HEAD(n_all_inputs, UINT, ADIT_ROW_STRICT)},
    {HEAD(maps, SHA256, ADIT_ROW_STRICT)},
    {HEAD(crawl, LIST, ADIT_ROW_NEEDED | ADIT_ROW_STRICT), .list = &crawl},
    {HEAD(hosts, LIST, ADIT_ROW_STRICT), .list = &hosts},
    {HEAD(losses, LIST, ADIT_ROW_STRICT), .list = &losses},
    {HEAD(losses_more, UINT, ADIT_ROW_STRICT)},
    {HEAD(left_out, LIST, ADIT_ROW_STRICT), .list = &left_out},
    {HEAD(slowest, LIST, ADIT_ROW_STRICT), .list = &slowest},
    {HEAD(history, LIST, ADIT_ROW_STRICT), .list = &history},
    {0},
};

bool pack_head_read(struct pack_head *h, const struct runfile *file, struct adit_arena *arena)
{
    struct adit_json_value v;
    *h = (struct pack_head){0};
    if (adit_json_check(runfile_text(file), &v, NULL) != ADIT_OK || v.kind != ADIT_JSON_OBJECT ||
        adit_json_object_read(v, rows, h, arena, NULL) != ADIT_OK)
        return runfile_refuse(file, "is damaged, or of another version of adit: its head cannot be "
                                    "read");
    return true;
}

bool pack_head_commit(const struct pack_head *h, struct runfile_writer *file, uint64_t *size)
{
    struct adit_buf b;
    struct adit_json_writer w = {.out = &b};
    adit_buf_init(&b, cli_mem, RUNFILE_TEXT_MAX);
    adit_json_object_write(&w, rows, h);
    bool ok = !b.err;
    if (ok) {
        ok = runfile_commit(file, adit_buf_str(&b), size);
    } else {
        cli_say(NULL, "the names of the inputs and their losses are too long");
        runfile_discard(file);
    }
    adit_buf_free(&b);
    return ok;
}

void pack_head_sha256(const struct pack_head *h, const struct runfile *file,
                      uint8_t sha[ADIT_SHA256_LEN])
{
    struct pack_head timeless = *h;
    struct adit_buf b;
    struct adit_json_writer w = {.out = &b};
    adit_buf_init(&b, cli_mem, 2 * (size_t)RUNFILE_TEXT_MAX);
    timeless.n_slowest = 0;
    adit_json_object_write(&w, rows, &timeless);
    adit_buf_add(&b, runfile_table(file));
    adit_sha256_of(adit_buf_str(&b), sha);
    adit_buf_free(&b);
}

/* --- of a command line ------------------------------------------------------------------------ */

/* Options that change no byte of what is published, or that differ between the steps. */
static const char *const free_options[] = {
    "o",       "map",        "reduce",      "finish",        "partition",  "partitions",
    "shard",   "paths-file", "warc-prefix", "jobs",          "memory",     "quiet",
    "json",    "color",      "header",      "netrc",         "user-agent", "cacert",
    "resolve", "proxy",      "allow-http",  "allow-private", "generated",
};

static bool is_free(const char *name)
{
    for (size_t i = 0; i < ADIT_COUNT(free_options); i++)
        if (strcmp(name, free_options[i]) == 0) return true;
    return false;
}

static struct adit_str keep_text(struct adit_arena *arena, struct adit_str s)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 4 * s.len + 16);
    adit_utf8_repair(s, &b); /* names of files and values of options are any bytes */
    struct adit_str kept = adit_arena_dup(arena, adit_buf_str(&b), NULL);
    adit_buf_free(&b);
    return kept;
}

/* Of a configuration its content counts, not its name. */
static bool hash_config(const char *path, struct adit_buf *out)
{
    struct adit_buf text_of;
    uint8_t sha[ADIT_SHA256_LEN];
    adit_buf_init(&text_of, cli_mem, ADIT_LIMIT_config_bytes);
    bool ok = cli_read(path, &text_of);
    if (ok) {
        adit_sha256_of(adit_buf_str(&text_of), sha);
        adit_sha256_text(out, "sha256:", sha);
    }
    adit_buf_free(&text_of);
    return ok;
}

static int by_text(const void *a, const void *b)
{
    return adit_str_cmp(*(const struct adit_str *)a, *(const struct adit_str *)b);
}

static bool take_options(struct pack_head *h, const struct cli_args *args, struct adit_arena *arena)
{
    struct adit_buf b;
    bool ok = true;
    h->options = adit_arena_zalloc(arena, args->n_given + 1, sizeof *h->options);
    if (!h->options) return false;
    adit_buf_init(&b, cli_mem, 1 << 20);
    for (size_t i = 0; ok && i < args->n_given; i++) {
        const struct cli_given *g = &args->given[i];
        if (is_free(g->option->name)) continue;
        adit_buf_clear(&b);
        adit_buf_lit(&b, "--");
        adit_buf_lit(&b, g->option->name);
        if (g->option->kind != CLI_FLAG) adit_buf_byte(&b, ' ');
        if (strcmp(g->option->name, "config") == 0)
            ok = hash_config(g->value, &b);
        else
            adit_buf_lit(&b, g->value);
        struct adit_str kept = keep_text(arena, adit_buf_str(&b));
        ok = ok && !b.err && kept.len;
        h->options[h->n_options++] = kept;
    }
    adit_buf_free(&b);
    if (h->n_options) qsort(h->options, h->n_options, sizeof *h->options, by_text);
    return ok;
}

static bool take_inputs(struct pack_head *h, const struct crawl_options *o,
                        struct adit_arena *arena)
{
    h->inputs = adit_arena_zalloc(arena, o->n_inputs + 1, sizeof *h->inputs);
    if (!h->inputs) return false;
    for (size_t i = 0; i < o->n_inputs; i++) {
        struct pack_head_input *in = &h->inputs[h->n_inputs++];
        struct stat st;
        in->name = keep_text(arena, adit_str_z(o->inputs[i]));
        if (stat(o->inputs[i], &st) != 0 || !S_ISREG(st.st_mode)) continue;
        in->size = (uint64_t)st.st_size;
        in->mtime = st.st_mtim.tv_sec > 0 ? (uint64_t)st.st_mtim.tv_sec : 0;
    }
    return true;
}

bool pack_head_make(struct pack_head *h, const struct pack_options *o, const struct cli_args *args,
                    struct adit_arena *arena)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 256);
    adit_time_write(&b, o->generated);
    *h = (struct pack_head){
        .rules = ADIT_STR(ADIT_RULES_VERSION),
        .layout = sizeof(struct pack_capture),
        .generated = adit_arena_dup(arena, adit_buf_str(&b), NULL),
        .partitions = o->partitions,
        .shards = o->crawl.shards ? o->crawl.shards : 1,
        .number = o->step == PACK_MAP ? o->crawl.shard : o->partition,
    };
    adit_buf_free(&b);
    memcpy(h->all_inputs, o->crawl.all_inputs, sizeof h->all_inputs);
    if (h->generated.len && take_options(h, args, arena) && take_inputs(h, &o->crawl, arena))
        return true;
    cli_say(NULL, "the options cannot be kept");
    return false;
}

/* --- what belongs together -------------------------------------------------------------------- */

/* The first option that one of them has and the other has not; both are sorted. */
static struct adit_str other_option(const struct pack_head *a, const struct pack_head *b)
{
    for (size_t i = 0; i < a->n_options || i < b->n_options; i++) {
        if (i >= a->n_options) return b->options[i];
        if (i >= b->n_options) return a->options[i];
        int order = adit_str_cmp(a->options[i], b->options[i]);
        if (order) return order < 0 ? a->options[i] : b->options[i];
    }
    return (struct adit_str){0};
}

bool pack_head_fits(const struct pack_head *h, const char *name, const struct pack_head *to,
                    const char *what)
{
    struct adit_str option = other_option(h, to);
    const char *why = NULL;
    if (!adit_str_eq(h->rules, to->rules))
        why = "was written by other rules";
    else if (h->layout != to->layout || (h->n_crawl && h->n_crawl != COUNTS))
        why = "was written by another version of adit";
    else if (!adit_str_eq(h->generated, to->generated))
        why = "has another --generated";
    else if (to->partitions && h->partitions != to->partitions)
        why = "has another number of partitions";
    else if (to->n_crawl && h->shards != to->shards)
        why = "is of another number of shards";
    else if (to->n_crawl && memcmp(h->all_inputs, to->all_inputs, sizeof h->all_inputs) != 0)
        why = "is of other inputs";
    if (!why && !option.len) return true;
    if (!what) return false;
    if (why)
        cli_say(name, "%s than %s", why, what);
    else
        cli_say(name, "was written with other options than %s: %.*s", what, (int)option.len,
                option.p);
    return false;
}

/* --- what was read ---------------------------------------------------------------------------- */

/* Examples of what was left out, and the slowest pages. */
static bool take_notes(struct pack_head *h, const struct crawl_notes *notes,
                       struct adit_arena *arena)
{
    h->left_out = adit_arena_zalloc(arena, NOTES_MAX, sizeof *h->left_out);
    h->slowest = adit_arena_zalloc(arena, CRAWL_SLOWEST, sizeof *h->slowest);
    if (!h->left_out || !h->slowest) return false;
    for (int i = 0; i < CRAWL_SKIP_COUNT; i++) {
        const struct crawl_note *v = crawl_notes_skips(notes, (enum crawl_skip)i);
        for (size_t k = 0; k < CRAWL_NOTES && v[k].url; k++)
            h->left_out[h->n_left_out++] =
                (struct pack_head_note){.reason = adit_str_z(crawl_skip_names[i]),
                                        .url = keep_text(arena, adit_str_z(v[k].url)),
                                        .file = keep_text(arena, adit_str_z(v[k].file)),
                                        .offset = v[k].offset == UINT64_MAX ? 0 : v[k].offset,
                                        .has_offset = v[k].offset != UINT64_MAX};
    }
    const struct crawl_slow *s = crawl_notes_slowest(notes);
    for (size_t k = 0; k < CRAWL_SLOWEST && s[k].url; k++)
        h->slowest[h->n_slowest++] =
            (struct pack_head_slow){keep_text(arena, adit_str_z(s[k].url)), s[k].us};
    return true;
}

bool pack_head_take_crawl(struct pack_head *h, struct pack_crawl *c, struct adit_arena *arena)
{
    if (!take_notes(h, c->notes, arena)) return false;
    pack_hosts_sort(&c->hosts); /* they were met in an order that threads decide */
    h->crawl = (uint64_t *)(void *)&c->counts;
    h->n_crawl = COUNTS;
    h->hosts = adit_arena_zalloc(arena, c->hosts.n + 1, sizeof *h->hosts);
    h->losses = adit_arena_zalloc(arena, c->losses.n + 1, sizeof *h->losses);
    if (!h->hosts || !h->losses) return false;
    for (size_t i = 0; i < c->hosts.n; i++)
        h->hosts[h->n_hosts++] =
            (struct pack_head_host){adit_str_z(c->hosts.v[i].name), c->hosts.v[i].pages};
    for (size_t i = 0; i < c->losses.n; i++) {
        const struct crawl_loss *l = &c->losses.v[i];
        h->losses[h->n_losses++] =
            (struct pack_head_loss){.file = keep_text(arena, adit_str_z(l->file)),
                                    .reason = keep_text(arena, adit_str_z(l->reason)),
                                    .offset = l->offset == UINT64_MAX ? 0 : l->offset,
                                    .has_offset = l->offset != UINT64_MAX};
    }
    h->losses_more = c->losses.more;
    return true;
}

bool pack_head_add_counts(const uint64_t *v, size_t n, struct crawl_counts *to)
{
    struct crawl_counts more;
    if (n != COUNTS) return false;
    memcpy(&more, v, sizeof more);
    crawl_counts_add(to, &more);
    return true;
}

/* A text that ends with a NUL, in the arena; NULL: no memory. */
static char *keep_z(struct adit_arena *arena, struct adit_str s)
{
    char *z = adit_arena_alloc(arena, s.len + 1);
    if (!z) return NULL;
    if (s.len) memcpy(z, s.p, s.len);
    z[s.len] = '\0';
    return z;
}

static void add_notes(const struct pack_head *h, struct pack_crawl *to)
{
    for (size_t i = 0; i < h->n_left_out; i++) {
        const struct pack_head_note *n = &h->left_out[i];
        const char *file = n->file.len ? keep_z(&to->texts, n->file) : NULL;
        for (int why = 0; why < CRAWL_SKIP_COUNT; why++)
            if (adit_str_eq(n->reason, adit_str_z(crawl_skip_names[why])))
                crawl_note_skip(to->notes, (enum crawl_skip)why, n->url, file,
                                n->has_offset ? n->offset : UINT64_MAX);
    }
    for (size_t i = 0; i < h->n_slowest; i++)
        crawl_note_time(to->notes, h->slowest[i].url, h->slowest[i].us);
}

bool pack_head_add_crawl(const struct pack_head *h, const char *name, struct pack_crawl *to)
{
    add_notes(h, to);
    if (!pack_head_add_counts(h->crawl, h->n_crawl, &to->counts)) {
        cli_say(name, "was written by another version of adit");
        return false;
    }
    for (size_t i = 0; i < h->n_hosts; i++)
        pack_hosts_add(&to->hosts, h->hosts[i].name, h->hosts[i].pages);
    for (size_t i = 0; i < h->n_losses; i++) {
        const struct pack_head_loss *l = &h->losses[i];
        char *file = keep_z(&to->texts, l->file), *reason = keep_z(&to->texts, l->reason);
        if (file && reason)
            crawl_losses_add(&to->losses, file, l->has_offset ? l->offset : UINT64_MAX, reason);
        else
            to->losses.more++;
    }
    to->losses.more += h->losses_more;
    return true;
}
