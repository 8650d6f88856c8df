/* Markers: .adit/done/STEM.json says that an input is finished, with which settings, and what it was
 * then. A marker that does not fit the input or the settings of now does not count. */
#include "batch/extract/extract_impl.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARK_MAX = 64 << 10, NAME_SHOWN = 96, HASH_SHOWN = 4, PATH_BYTES = 4096 };

/* Endings that say nothing of an archive's name. */
static const struct adit_str endings[] = {
    ADIT_STR_INIT(".gz"),  ADIT_STR_INIT(".zst"),  ADIT_STR_INIT(".warc"),
    ADIT_STR_INIT(".arc"), ADIT_STR_INIT(".wacz"), ADIT_STR_INIT(".cdxj"),
};

void extract_stem(const char *input, struct adit_buf *out)
{
    uint8_t sha[ADIT_SHA256_LEN];
    struct adit_str name = adit_str_z(input);
    adit_sha256_of(name, sha);
    while (name.len && name.p[name.len - 1] == '/') name.len--;
    for (size_t i = name.len; i > 0; i--)
        if (name.p[i - 1] == '/') {
            name = adit_str_sub(name, i, name.len);
            break;
        }
    for (size_t i = 0; i < ADIT_COUNT(endings); i++)
        if (name.len > endings[i].len && adit_str_ends(name, endings[i]))
            name.len -= endings[i].len;
    name = adit_str_sub(name, 0, NAME_SHOWN);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];
        bool plain = adit_is_alnum(c) || c == '-' || c == '_' || (c == '.' && i > 0);
        adit_buf_byte(out, plain ? c : '_');
    }
    adit_buf_byte(out, '-');
    adit_buf_hex(out, sha, HASH_SHOWN);
}

/* --- reading and writing ---------------------------------------------------------------------- */

static void mark_path(const char *input, const char *ending, struct adit_buf *path)
{
    adit_buf_lit(path, ".adit/done/");
    extract_stem(input, path);
    adit_buf_lit(path, ending);
    adit_buf_byte(path, '\0');
}

/* DIR and a path in it; no link has that path afterwards. False: said on stderr. */
static bool full_path(const struct extract_options *o, int folder, struct adit_str path,
                      struct adit_buf *full)
{
    adit_buf_lit(full, o->out);
    adit_buf_byte(full, '/');
    adit_buf_add(full, path);
    if (!full->err && below_drop_link(folder, path.p)) return true;
    cli_say(o->out, "cannot write a marker: %s", full->err ? "too long a name" : strerror(errno));
    return false;
}

/* What tells one state of an input from another; of pipes and URLs there is nothing. */
static void add_state(const char *input, struct adit_json_writer *w)
{
    struct stat st;
    if (stat(input, &st) != 0 || !S_ISREG(st.st_mode)) return;
    adit_json_member_uint(w, "size", (uint64_t)st.st_size);
    adit_json_key(w, "mtime");
    adit_json_int(w, (int64_t)st.st_mtim.tv_sec);
}

/* What a marker must begin with to count. */
static void add_facts(const struct extract_options *o, const char *input,
                      struct adit_json_writer *w, struct adit_buf *scratch)
{
    adit_json_open(w, '{');
    adit_buf_clear(scratch);
    adit_utf8_repair(adit_str_z(input), scratch);
    adit_json_member(w, "input", adit_buf_str(scratch));
    add_state(input, w);
    struct adit_buf settings;
    adit_buf_init(&settings, cli_mem, MARK_MAX / 2);
    extract_settings(o, &settings);
    adit_buf_clear(scratch);
    adit_utf8_repair(adit_buf_str(&settings), scratch);
    adit_json_member(w, "settings", adit_buf_str(scratch));
    adit_buf_free(&settings);
}

static bool read_mark(int folder, const char *path, struct adit_buf *text)
{
    int fd = below_open(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    ssize_t n = 0;
    while (fd >= 0 && adit_buf_reserve(text, 4096) &&
           (n = read(fd, text->p + text->len, text->cap - text->len)) > 0)
        text->len += (size_t)n;
    if (fd >= 0) close(fd);
    return fd >= 0 && n == 0 && !text->err;
}

/* What it ends with. */
#define MARK(name) {ADIT_ROW(#name, struct extract_mark, name, UINT, 0)}
static const struct adit_json_row mark_rows[] = {MARK(pages), MARK(parts), MARK(lost), {0}};

bool extract_done_read(const struct extract_options *o, int folder, const char *input,
                       struct extract_mark *mark)
{
    struct adit_buf path, facts, scratch, text;
    struct adit_json_value doc;
    adit_buf_init(&path, cli_mem, PATH_BYTES);
    adit_buf_init(&facts, cli_mem, MARK_MAX);
    adit_buf_init(&scratch, cli_mem, MARK_MAX);
    adit_buf_init(&text, cli_mem, 2 * (size_t)MARK_MAX);
    struct adit_json_writer w = {.out = &facts};
    *mark = (struct extract_mark){0};
    mark_path(input, ".json", &path);
    add_facts(o, input, &w, &scratch);
    bool done = !path.err && !facts.err && read_mark(folder, path.p, &text) &&
                adit_str_starts(adit_buf_str(&text), adit_buf_str(&facts)) &&
                adit_json_check(adit_buf_str(&text), &doc, NULL) == ADIT_OK &&
                adit_json_object_read(doc, mark_rows, mark, NULL, NULL) == ADIT_OK;
    adit_buf_free(&path);
    adit_buf_free(&facts);
    adit_buf_free(&scratch);
    adit_buf_free(&text);
    return done;
}

bool extract_done_write(const struct extract_options *o, int folder, const char *input,
                        const struct extract_mark *mark)
{
    struct adit_buf path, text, scratch;
    adit_buf_init(&path, cli_mem, PATH_BYTES);
    adit_buf_init(&text, cli_mem, MARK_MAX);
    adit_buf_init(&scratch, cli_mem, MARK_MAX);
    struct adit_json_writer w = {.out = &text};
    add_facts(o, input, &w, &scratch);
    for (const struct adit_json_row *row = mark_rows; row->key; row++) {
        adit_json_key(&w, row->key);
        adit_json_row_write(&w, row, mark);
    }
    adit_json_close(&w, '}');
    adit_buf_byte(&text, '\n');
    adit_buf_clear(&scratch);
    mark_path(input, ".json", &path);
    bool ok = !text.err && !path.err && full_path(o, folder, adit_buf_str(&path), &scratch) &&
              output_file(scratch.p, adit_buf_str(&text), true);
    adit_buf_free(&path);
    adit_buf_free(&text);
    adit_buf_free(&scratch);
    return ok;
}

struct output *extract_keys_open(const struct extract_options *o, int folder, const char *input)
{
    struct adit_buf path, full;
    struct output *keys = NULL;
    adit_buf_init(&path, cli_mem, PATH_BYTES);
    adit_buf_init(&full, cli_mem, PATH_BYTES);
    mark_path(input, ".keys", &path);
    if (!path.err && full_path(o, folder, adit_buf_str(&path), &full))
        keys = output_open(full.p, &(struct output_options){.own_name = true});
    adit_buf_free(&path);
    adit_buf_free(&full);
    return keys;
}

/* The texts of an input that is done count as met. */
static void remember_keys(int folder, const char *input, struct extract_seen *seen)
{
    struct adit_buf path;
    const char *why;
    uint8_t key[EXTRACT_KEY];
    adit_buf_init(&path, cli_mem, PATH_BYTES);
    mark_path(input, ".keys", &path);
    int fd = path.err ? -1 : below_open(folder, path.p, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    struct input_source *source = fd < 0 ? NULL : source_file(fd, &why);
    struct input *in = source ? input_open_source(source, NULL) : NULL;
    while (in) {
        struct adit_str next = input_peek(in, sizeof key);
        if (next.len < sizeof key) break;
        memcpy(key, next.p, sizeof key);
        extract_seen_before(seen, key);
        input_skip(in, sizeof key);
    }
    input_close(in);
    adit_buf_free(&path);
}

bool extract_done_skip(struct extract_options *o, struct extract_seen *seen,
                       struct extract_totals *totals)
{
    struct crawl_options *c = &o->crawl;
    struct extract_mark mark;
    if (o->dedup && !seen) {
        cli_say(NULL, "out of memory");
        return false;
    }
    if (o->to != EXTRACT_TO_FOLDER) return true;
    int folder = open(o->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return true; /* the first run */
    o->inputs = calloc(c->n_inputs + 1, sizeof *o->inputs);
    size_t n = 0;
    for (size_t i = 0; o->inputs && i < c->n_inputs; i++) {
        if (!extract_done_read(o, folder, c->inputs[i], &mark)) {
            o->inputs[n++] = c->inputs[i];
            continue;
        }
        if (seen) remember_keys(folder, c->inputs[i], seen);
        totals->done_inputs++;
        totals->done_pages += mark.pages;
        totals->done_lost += mark.lost;
    }
    close(folder);
    if (!o->inputs) {
        cli_say(NULL, "out of memory");
        return false;
    }
    c->inputs = o->inputs;
    c->n_inputs = n;
    return true;
}
