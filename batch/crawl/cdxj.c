/* CDXJ: an index of captures, a line each: "KEY TIMESTAMP {json}", with the file, offset and length of
 * the record. Its files lie beside it, or below --warc-prefix: what an index names never leads out of
 * that folder, nor to this machine's own servers. */
#include "batch/crawl/inputs_impl.h"
#include "batch/fetch/fetch.h"
#include "json/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    INDEX_LINE_MAX = 64 << 10,
    RECORD_MAX = 1 << 30,
    NAME_MAX_BYTES = 4096,
    WINDOW_MIN = 64 << 10
};

struct cdxj {
    const struct crawl_options *o;
    struct input *lines;
    char *folder; /* of the index, or --warc-prefix */
    bool remote;  /* folder is a URL */
    struct adit_arena arena;
    struct adit_buf file; /* the name of the source that is open, with a NUL */
    struct input_source *source;
    const char *why; /* why it could not be opened */
    bool failed;     /* the index could not be read to its end, and that was told */
};

/* --- lines ------------------------------------------------------------------------------------ */

static bool is_timestamp(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_digit(s.p[i])) return false;
    return s.len >= 4 && s.len <= 17;
}

bool cdxj_starts(struct adit_str s)
{
    struct adit_str line = adit_str_sub(s, 0, adit_str_chr(s, '\n', 0)), key = {0}, time = {0};
    if (adit_str_starts(line, ADIT_STR("!meta")) || adit_str_starts(line, ADIT_STR("!OpenWayback")))
        return true;
    adit_str_split(&line, ' ', &key);
    adit_str_split(&line, ' ', &time);
    return key.len && is_timestamp(time) && line.len && line.p[0] == '{';
}

/* A number, or a string of digits. */
static bool number(struct adit_json_value v, uint64_t *n)
{
    return adit_json_u64(v, n) ||
           (v.kind == ADIT_JSON_STRING && adit_str_u64(adit_json_inside(v), n));
}

const char *cdxj_line(struct adit_str text, struct adit_arena *arena, struct cdxj_line *line)
{
    struct adit_json_value doc;
    bool ok = true;
    *line = (struct cdxj_line){0};
    text = adit_str_trim(text);
    if (!text.len || text.p[0] == '!' || text.p[0] == '#') return NULL;
    text = adit_str_sub(text, adit_str_chr(text, '{', 0), text.len);
    if (adit_json_check(text, &doc, NULL) != ADIT_OK || doc.kind != ADIT_JSON_OBJECT)
        return "a line of the index is not CDXJ";
    struct adit_str file = adit_json_text(adit_json_get(doc, ADIT_STR("filename")), arena, &ok);
    if (!ok) return "out of memory";
    if (!file.len || !number(adit_json_get(doc, ADIT_STR("offset")), &line->offset) ||
        !number(adit_json_get(doc, ADIT_STR("length")), &line->length) || !line->length ||
        line->length > RECORD_MAX || line->offset > INT64_MAX)
        return "a line of the index lacks filename, offset or length";
    if (file.len > NAME_MAX_BYTES || adit_str_chr(file, '\0', 0) < file.len)
        return "a line of the index has an impossible file name";
    line->file = file;
    return NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

struct cdxj *cdxj_open(const struct crawl_options *o, const char *name, struct input *in)
{
    struct cdxj *c = calloc(1, sizeof *c);
    if (!c) {
        input_close(in);
        return NULL;
    }
    c->o = o;
    c->lines = in;
    adit_arena_init(&c->arena, cli_mem, 4 * (size_t)INDEX_LINE_MAX);
    adit_buf_init(&c->file, cli_mem, 4 * (size_t)NAME_MAX_BYTES);
    if (o->warc_prefix) {
        c->folder = strdup(o->warc_prefix);
    } else if (remote_is_url(name)) {
        const char *slash = strrchr(name, '/');
        c->folder = strndup(name, (size_t)(slash - name) + 1);
    } else {
        c->folder = output_folder(name);
    }
    if (!c->folder) {
        cdxj_close(c);
        return NULL;
    }
    c->remote = remote_is_url(c->folder);
    return c;
}

void cdxj_close(struct cdxj *c)
{
    if (!c) return;
    source_close(c->source);
    input_close(c->lines);
    adit_arena_free(&c->arena);
    adit_buf_free(&c->file);
    free(c->folder);
    free(c);
}

static struct input_source *open_below(struct cdxj *c, const char *file, const char **why)
{
    int folder = open(c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        *why = strerror(errno);
        return NULL;
    }
    int fd = below_open(folder, file, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    int error = errno;
    close(folder);
    if (fd >= 0) return source_file(fd, why);
    *why = error == EINVAL ? "is named by an index, and leads out of the folder (see --warc-prefix)"
                           : below_why(error);
    return NULL;
}

/* The prefix is the user's; only a URL of the index itself, which may be a stranger's, is not. */
static struct input_source *open_remote(struct cdxj *c, const struct cdxj_line *line)
{
    struct remote_options how = {.at = line->offset, .window = (size_t)line->length};
    struct adit_buf url;
    bool absolute = remote_is_url(c->file.p);
    adit_buf_init(&url, cli_mem, ADIT_LIMIT_url_bytes);
    if (!absolute) adit_buf_lit(&url, c->folder);
    if (!absolute && !adit_str_ends(adit_buf_str(&url), ADIT_STR("/"))) adit_buf_byte(&url, '/');
    adit_buf_add(&url, line->file);
    adit_buf_byte(&url, '\0');
    how.named = !absolute;
    if (how.window < WINDOW_MIN) how.window = WINDOW_MIN;
    struct input_source *s = url.err ? NULL : remote_open(url.p, &c->o->net.options, &how);
    adit_buf_free(&url);
    return s;
}

/* Makes line->file the source that is open. */
static bool to_file(struct cdxj *c, const struct cdxj_line *line)
{
    struct adit_str open =
        adit_str_sub(adit_buf_str(&c->file), 0, c->file.len ? c->file.len - 1 : 0);
    if (c->file.len && adit_str_eq(open, line->file)) return c->source != NULL;
    source_close(c->source);
    c->source = NULL;
    c->why = "cannot be opened";
    adit_buf_clear(&c->file);
    adit_buf_add(&c->file, line->file);
    adit_buf_byte(&c->file, '\0');
    if (c->file.err) return false;
    /* Captures of an index lie far apart: what is asked for is the record, and some of the next. */
    if (c->remote || remote_is_url(c->file.p))
        c->source = open_remote(c, line);
    else
        c->source = open_below(c, c->file.p, &c->why);
    return c->source != NULL;
}

bool cdxj_next(struct cdxj *c, const char **file, uint64_t *offset, struct input **in,
               const char **why)
{
    struct adit_str text;
    struct cdxj_line line;
    *in = NULL;
    *file = NULL;
    *why = NULL;
    do {
        *offset = input_offset(c->lines);
        if (!input_line(c->lines, INDEX_LINE_MAX, &text)) {
            bool first = input_code(c->lines) != ADIT_OK && !c->failed;
            c->failed = true;
            *why = input_message(c->lines);
            return first;
        }
        adit_arena_reset(&c->arena);
        *why = cdxj_line(text, &c->arena, &line);
    } while (!*why && !line.file.len);
    if (*why) return true;
    bool open = to_file(c, &line);
    *file = c->file.p;
    *offset = line.offset;
    if (!open) {
        *why = c->why;
        return true;
    }
    struct input_source *part = source_part(c->source, line.offset, line.length);
    *in = input_open_source(part,
                            &(struct input_options){.recover = true, .window_max = WARC_WINDOW});
    if (!*in) *why = "out of memory";
    return true;
}
