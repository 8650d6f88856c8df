/* From the command line to the list of inputs: folders of archives become their files, lists are read,
 * a shard takes its part. What cannot be read is named, with the way out. */
#include "batch/crawl/inputs_impl.h"
#include "batch/fetch/fetch.h"
#include "scp/scp.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUTS_MAX = 10000000, PATH_LINE_MAX = 16 << 10 };

/* --- what it is ------------------------------------------------------------------------------- */

static const struct {
    size_t at;
    struct adit_str magic;
    const char *what;
} others[] = {
    {0, ADIT_STR_INIT("\x04\x22\x4d\x18"), "is compressed by lz4: lz4 -dc FILE | adit ... -"},
    {0, ADIT_STR_INIT("BZh"), "is compressed by bzip2: bzip2 -dc FILE | adit ... -"},
    {0,
     ADIT_STR_INIT("\xfd"
                   "7zXZ"),
     "is compressed by xz: xz -dc FILE | adit ... -"},
    {0, ADIT_STR_INIT("7z\xbc\xaf"), "is a 7z archive: unpack it, and give the folder"},
    {0, ADIT_STR_INIT("Rar!"), "is a RAR archive: unpack it, and give the folder"},
    {257, ADIT_STR_INIT("ustar"), "is a tar archive: unpack it, and give the folder"},
    {0, ADIT_STR_INIT("%PDF-"), "is a PDF, not an archive of a crawl"},
    {0, ADIT_STR_INIT("SQLite format 3"), "is a database, not an archive of a crawl"},
};

const char *crawl_not_readable(struct adit_str head)
{
    for (size_t i = 0; i < ADIT_COUNT(others); i++)
        if (adit_str_starts(adit_str_sub(head, others[i].at, head.len), others[i].magic))
            return others[i].what;
    if (adit_scp_starts(head)) return "is an SCP collection: see adit help cat, merge, check";
    if (crawl_is_html((struct adit_str){0}, head) && head.len)
        return "is a single HTML page: adit page FILE --url URL";
    return NULL;
}

bool crawl_starts_zip(struct adit_str s)
{
    return adit_str_starts(s, ADIT_STR("PK\3\4")) || adit_str_starts(s, ADIT_STR("PK\5\6"));
}

bool crawl_starts_archive(struct adit_str s)
{
    while (s.len && adit_is_space(s.p[0])) s = adit_str_sub(s, 1, s.len);
    return adit_str_istarts(s, ADIT_STR("WARC/")) || adit_str_istarts(s, ADIT_STR("filedesc:")) ||
           crawl_starts_zip(s);
}

struct input_source *crawl_source(const struct crawl_options *o, const char *name)
{
    const char *why = NULL;
    if (remote_is_url(name))
        return remote_open(name, &o->net.options, &(struct remote_options){.named = true});
    int fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    struct input_source *s = source_file(fd, &why);
    if (!s) cli_say(name, fd < 0 ? "cannot open: %s" : "%s", why);
    return s;
}

/* --- folders ---------------------------------------------------------------------------------- */

bool crawl_is_archive_name(struct adit_str name)
{
    static const struct adit_str beside[] = {
        ADIT_STR_INIT(".open"), ADIT_STR_INIT(".cdx"),    ADIT_STR_INIT(".cdxj"),
        ADIT_STR_INIT(".idx"),  ADIT_STR_INIT(".cdx.gz"), ADIT_STR_INIT(".cdxj.gz"),
        ADIT_STR_INIT(".md5"),  ADIT_STR_INIT(".sha1"),   ADIT_STR_INIT(".sha256"),
        ADIT_STR_INIT(".tmp"),  ADIT_STR_INIT(".part"),   ADIT_STR_INIT(".html"),
    };
    static const struct adit_str kinds[] = {ADIT_STR_INIT(".warc"), ADIT_STR_INIT(".arc")};
    if (!name.len || name.p[0] == '.') return false;
    for (size_t i = 0; i < ADIT_COUNT(beside); i++)
        if (adit_str_ends(name, beside[i])) return false;
    for (size_t i = 0; i < ADIT_COUNT(kinds); i++) {
        size_t at = adit_str_find(name, kinds[i], 0), end = at + kinds[i].len;
        if (at < name.len && at > 0 && (end == name.len || name.p[end] == '.')) return true;
    }
    return adit_str_ends(name, ADIT_STR(".wacz"));
}

struct list {
    char **v;
    size_t n, cap, seen; /* seen: inputs of all shards */
    const struct crawl_options *o;
    struct adit_sha256 names; /* of all shards */
};

/* Takes the name if it belongs to the shard. */
static bool add(struct list *l, const char *name)
{
    adit_sha256_update(&l->names, name, strlen(name) + 1);
    if (l->o->shards && l->seen++ % l->o->shards != l->o->shard) return true;
    char **v = l->n < INPUTS_MAX ? cli_grow(l->v, l->n, &l->cap, sizeof *v) : NULL;
    if (!v) return false;
    l->v = v;
    l->v[l->n] = strdup(name);
    return l->v[l->n] && ++l->n;
}

/* The archives below a folder, in the order of their names. *any: there are some, of whatever shard. */
static bool add_folder(struct list *l, const char *dir, bool *any)
{
    FTS *fts = crawl_walk(dir);
    bool ok = true;
    *any = false;
    for (FTSENT *e; ok && fts && (e = fts_read(fts));) {
        struct stat st;
        bool file = e->fts_info == FTS_F ||
                    (e->fts_info == FTS_SL && stat(e->fts_path, &st) == 0 && S_ISREG(st.st_mode));
        if (!file || !crawl_is_archive_name(adit_str_z(e->fts_name))) continue;
        *any = true;
        ok = add(l, e->fts_path);
    }
    if (fts) fts_close(fts);
    return ok;
}

static bool add_operand(struct list *l, const char *name)
{
    bool any = false;
    if (!remote_is_url(name) && cli_is_folder(name) && !add_folder(l, name, &any)) return false;
    return any || add(l, name); /* a folder without archives is a tree of HTML */
}

/* --- lists ------------------------------------------------------------------------------------ */

/* A name a line; relative ones stand behind --warc-prefix. */
static bool add_list(struct list *l, const char *path, bool *bad)
{
    struct adit_buf name;
    struct adit_str line;
    struct input *in = input_open(path, NULL);
    const char *prefix = l->o->warc_prefix;
    bool ok = true;
    *bad = !in;
    adit_buf_init(&name, cli_mem, 2 * (size_t)PATH_LINE_MAX);
    while (in && ok && input_line(in, PATH_LINE_MAX, &line)) {
        line = adit_str_trim(line);
        if (!line.len || line.p[0] == '#') continue;
        adit_buf_clear(&name);
        adit_buf_add(&name, line);
        adit_buf_byte(&name, '\0');
        if (prefix && !name.err && line.p[0] != '/' && !remote_is_url(name.p)) {
            adit_buf_clear(&name);
            adit_buf_lit(&name, prefix);
            if (!adit_str_ends(adit_buf_str(&name), ADIT_STR("/"))) adit_buf_byte(&name, '/');
            adit_buf_add(&name, line);
            adit_buf_byte(&name, '\0');
        }
        ok = !name.err && add_operand(l, name.p);
    }
    if (in && input_code(in)) {
        cli_say(path, "%s", input_message(in));
        *bad = true;
    }
    input_close(in);
    adit_buf_free(&name);
    return ok;
}

int crawl_shard_read(struct crawl_options *o, const struct cli_args *args)
{
    const char *text = cli_get(args, "shard");
    if (!text) return CLI_OK;
    struct adit_str s = adit_str_z(text);
    size_t slash = adit_str_chr(s, '/', 0);
    if (!adit_str_u64(adit_str_sub(s, 0, slash), &o->shard) ||
        !adit_str_u64(adit_str_sub(s, slash + 1, s.len), &o->shards) || o->shard >= o->shards)
        return cli_usage(args, "--shard '%s' is not I/N, with I from 0 to N-1", text);
    return CLI_OK;
}

/* The first input, where every one is a folder of HTML and nothing says where it is on the web: a
 * command line that cannot work, unlike a bad input among good ones. Else NULL. */
static const char *without_address(const struct crawl_options *o)
{
    if (o->base_url || o->config.origin.len || o->shards) return NULL;
    for (size_t i = 0; i < o->n_inputs; i++)
        if (!cli_is_folder(o->inputs[i]) || (o->is_mine && o->is_mine(o->inputs[i]))) return NULL;
    return o->n_inputs ? o->inputs[0] : NULL;
}

int crawl_inputs_read(struct crawl_options *o, const struct cli_args *args)
{
    const char *path;
    int code = crawl_shard_read(o, args);
    if (code) return code;
    o->warc_prefix = cli_get(args, "warc-prefix");
    struct list l = {.o = o};
    adit_sha256_init(&l.names);
    bool ok = true, bad = false;
    for (size_t i = 0; ok && i < args->n_files; i++) ok = add_operand(&l, args->files[i]);
    for (size_t i = 0; ok && !bad && (path = cli_nth(args, "paths-file", i)); i++)
        ok = add_list(&l, path, &bad);
    adit_sha256_final(&l.names, o->all_inputs);
    o->inputs = o->owned = l.v;
    o->n_inputs = o->n_owned = l.n;
    if (!ok) cli_say(NULL, "out of memory");
    if (!ok || bad) return ok ? CLI_INVALID : CLI_OUTPUT;
    if (!args->n_files && !cli_has(args, "paths-file"))
        return cli_usage(args, "no input: give WARC files, folders, URLs, or --paths-file");
    if (!l.n && o->shards) {
        cli_say(NULL, "shard %llu of %llu: there is no input for it", (unsigned long long)o->shard,
                (unsigned long long)o->shards);
        return CLI_OK;
    }
    if (!l.n) {
        cli_say(NULL, "the list names no input");
        return CLI_INVALID;
    }
    const char *folder = without_address(o);
    if (folder)
        return cli_usage(args,
                         "'%s' is a folder without WARC files: if it is HTML, say with --base-url "
                         "where it is on the web",
                         folder);
    return CLI_OK;
}

void crawl_inputs_free(struct crawl_options *o)
{
    for (size_t i = 0; i < o->n_owned; i++) free(o->owned[i]);
    free(o->owned);
}
