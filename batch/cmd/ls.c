/* adit ls: the records of archives, the pages of collections; indexes. */
#include "batch/collection/collection.h"
#include "batch/crawl/crawl.h"
#include "json/json.h"
#include "text/text.h"

#include <stdlib.h>

enum { LS_LINE_MAX = 1 << 20, INDEX_MEMORY = 64 << 20 };

struct ls {
    const struct cli_args *args;
    bool json, cdxj, many;
    struct adit_buf file; /* whose records are listed now */
    uint64_t offset;      /* of the record under way */
    bool listed;          /* the record is to be printed */
    uint64_t shared;      /* records that cannot be found by an offset */
    struct adit_buf line, scratch;
    struct adit_arena arena;
    struct sorter *index;
    bool failed;
};

/* --- records ---------------------------------------------------------------------------------- */

static void begin_text(struct ls *l, const struct warc_record *r)
{
    struct http_message m = {0};
    bool http = r->type == WARC_RESPONSE || r->type == WARC_REVISIT || r->type == WARC_REQUEST;
    if (http) http_message_split(r->block, &m);
    struct adit_str mime = crawl_record_mime(r, &m);
    char status[12] = "-", text[64];
    if (m.status) snprintf(status, sizeof status, "%u", m.status);
    snprintf(text, sizeof text, " %-12s %3s ", warc_type_names[r->type], status);
    adit_buf_lit(&l->line, text);
    adit_buf_add(&l->line, mime.len ? mime : ADIT_STR("-"));
    for (size_t i = mime.len ? mime.len : 1; i < 24; i++) adit_buf_byte(&l->line, ' ');
    adit_buf_byte(&l->line, ' ');
    adit_buf_add(&l->line, r->uri.len ? r->uri : ADIT_STR("-"));
}

static void json_text(struct ls *l, struct adit_json_writer *w, const char *key, struct adit_str s)
{
    adit_buf_clear(&l->scratch);
    adit_utf8_repair(s, &l->scratch);
    adit_json_member_opt(w, key, adit_buf_str(&l->scratch));
}

static void begin_json(struct ls *l, const char *file, const struct warc_record *r)
{
    struct adit_json_writer w = {.out = &l->line};
    struct http_message m = {0};
    bool http = r->type == WARC_RESPONSE || r->type == WARC_REVISIT || r->type == WARC_REQUEST;
    if (http) http_message_split(r->block, &m);
    adit_json_open(&w, '{');
    json_text(l, &w, "file", adit_str_z(file));
    adit_json_member(&w, "type", adit_str_z(warc_type_names[r->type]));
    if (m.status) adit_json_member_uint(&w, "status", m.status);
    json_text(l, &w, "mime", crawl_record_mime(r, &m));
    json_text(l, &w, "url", r->uri);
    json_text(l, &w, "date", r->date);
    json_text(l, &w, "record_id", warc_field(r, ADIT_STR("WARC-Record-ID")));
    json_text(l, &w, "digest", warc_field(r, ADIT_STR("WARC-Payload-Digest")));
    if (r->offset != UINT64_MAX) adit_json_member_uint(&w, "offset", r->offset);
}

static void on_record(void *ctx, const char *file, struct warc_reader *reader,
                      struct warc_record *r)
{
    struct ls *l = ctx;
    (void)reader;
    static const bool indexed[WARC_TYPES] = {
        [WARC_RESPONSE] = true, [WARC_RESOURCE] = true, [WARC_REVISIT] = true};
    adit_buf_clear(&l->line);
    adit_buf_clear(&l->scratch);
    adit_arena_reset(&l->arena);
    l->offset = r->offset;
    l->listed = true;
    bool first = !adit_str_eq(adit_buf_str(&l->file), adit_str_z(file));
    adit_buf_clear(&l->file);
    adit_buf_lit(&l->file, file);
    if (l->cdxj) {
        l->listed = indexed[r->type] && r->uri.len;
        if (l->listed && !r->own_member) l->shared++, l->listed = false;
        /* Files of an index are named as they lie beside it. */
        l->listed =
            l->listed && crawl_index_line(r, cli_base_name(file), &l->arena, &l->scratch, &l->line);
    } else if (l->json) {
        begin_json(l, file, r);
    } else {
        if (first && l->many) cli_print("%s:\n", file);
        begin_text(l, r);
    }
}

static void on_end(void *ctx, uint64_t end)
{
    struct ls *l = ctx;
    uint64_t len = l->offset != UINT64_MAX && end > l->offset ? end - l->offset : 0;
    if (!l->listed) return;
    if (!l->cdxj && !l->json) {
        cli_print("%11llu %10llu%.*s\n", (unsigned long long)l->offset, (unsigned long long)len,
                  (int)l->line.len, l->line.p);
        return;
    }
    adit_buf_lit(&l->line, l->cdxj ? ",\"length\":\"" : ",\"length\":");
    adit_buf_u64(&l->line, len);
    adit_buf_lit(&l->line, l->cdxj ? "\"}" : "}");
    if (l->line.err) {
        l->failed = true;
    } else if (l->cdxj) {
        struct adit_str line = adit_buf_str(&l->line);
        if (!sorter_add(l->index, &line, 1)) l->failed = true;
    } else {
        cli_data_line(adit_buf_str(&l->line));
    }
}

static void on_fault(void *ctx, const char *file, enum warc_fault fault, uint64_t offset)
{
    (void)ctx, (void)file, (void)fault, (void)offset; /* the reader says what it lost */
}

static int by_bytes(struct adit_str a, struct adit_str b) { return adit_str_cmp(a, b); }

static bool list_archives(struct ls *l, struct crawl_options *o)
{
    static const struct crawl_visitor visitor = {on_record, on_end, on_fault};
    struct crawl_counts counts = {0};
    const char *temp = getenv("TMPDIR");
    struct crawl_reader *r = crawl_reader_new(o);
    if (l->cdxj) l->index = sorter_new(temp && *temp ? temp : "/tmp", INDEX_MEMORY, by_bytes);
    bool ok = r && (l->index || !l->cdxj);
    if (ok) crawl_reader_visit(r, &visitor, l, &counts);
    struct adit_str line;
    if (ok && l->cdxj && sorter_start(l->index))
        while (sorter_next(l->index, &line)) cli_data_line(line);
    if (l->index && sorter_failed(l->index)) l->failed = true;
    if (l->shared)
        cli_say(NULL, "records that share a gzip member with others, which no index can find: %llu",
                (unsigned long long)l->shared);
    sorter_free(l->index);
    crawl_reader_free(r);
    return ok && !l->failed && !l->shared && !crawl_records_lost(&counts);
}

/* --- collections ------------------------------------------------------------------------------ */

static bool is_collection(const char *path)
{
    return adit_scp_path(adit_str_z(path)) || (cli_is_folder(path) && collection_in(path));
}

static bool list_pages(struct ls *l, const char *path)
{
    struct collection *c = collection_open(path, NULL);
    struct adit_scp_page page;
    while (c && collection_next(c, &page)) {
        struct adit_str at = adit_json_inside(page.members[ADIT_SCP_MODIFIED]);
        struct adit_str title = adit_json_inside(page.members[ADIT_SCP_TITLE]);
        if (!l->json) {
            cli_print("%.*s %9zu  %.*s  %.*s\n", (int)at.len, at.p, page.line.len,
                      (int)page.url.len, page.url.p, (int)title.len, title.p);
            continue;
        }
        struct adit_json_writer w = {.out = &l->line};
        adit_buf_clear(&l->line);
        adit_json_open(&w, '{');
        adit_json_member(&w, "file", adit_str_z(path));
        adit_json_member(&w, "url", page.url);
        adit_json_key(&w, "modified"), adit_json_raw(&w, page.members[ADIT_SCP_MODIFIED].raw);
        adit_json_key(&w, "title"), adit_json_raw(&w, page.members[ADIT_SCP_TITLE].raw);
        adit_json_member_uint(&w, "bytes", page.line.len);
        adit_json_close(&w, '}');
        cli_data_line(adit_buf_str(&l->line));
    }
    bool good = c && !collection_failed(c) && !collection_counts(c)->skipped;
    collection_close(c);
    return good;
}

/* --- the command ------------------------------------------------------------------------------ */

static int run(const struct cli_args *args)
{
    struct ls l = {.args = args, .json = cli_has(args, "json"), .cdxj = cli_has(args, "cdxj")};
    struct crawl_options o = {0};
    struct cli_args rest = *args;
    int code = fetch_cli(args, &o.net);
    if (!code) code = crawl_shard_read(&o, args);
    if (code) return code;
    adit_buf_init(&l.line, cli_mem, 64u << 20);
    adit_buf_init(&l.scratch, cli_mem, LS_LINE_MAX);
    adit_buf_init(&l.file, cli_mem, LS_LINE_MAX);
    adit_arena_init(&l.arena, cli_mem, LS_LINE_MAX);
    rest.files = calloc(args->n_files + 1, sizeof *rest.files);
    rest.n_files = 0;
    for (size_t i = 0; rest.files && i < args->n_files; i++) {
        if (!is_collection(args->files[i]))
            rest.files[rest.n_files++] = args->files[i];
        else if (!list_pages(&l, args->files[i]))
            code = CLI_INVALID;
    }
    cli_catch_signals();
    if (rest.n_files || !args->n_files || cli_has(args, "paths-file")) {
        int read = crawl_inputs_read(&o, &rest);
        l.many = o.n_inputs > 1;
        if (read)
            code = read;
        else if (!list_archives(&l, &o))
            code = CLI_INVALID;
    }
    crawl_inputs_free(&o);
    free(rest.files);
    adit_arena_free(&l.arena);
    adit_buf_free(&l.line);
    adit_buf_free(&l.scratch);
    adit_buf_free(&l.file);
    return code;
}

static const struct cli_option options[] = {
    {"cdxj", NULL, CLI_FLAG, "write an index of all captures instead, sorted: CDXJ"},
    CRAWL_CLI_INPUTS,
    FETCH_CLI_FILES,
    {0},
};

const struct cli_command cmd_ls = {
    .name = "ls",
    .usage = "INPUT...",
    .summary = "list the records of crawl archives, or the pages of collections; make an index",
    .details =
        "A line a record: its offset and length in the file as it is stored, type, HTTP status,\n"
        "media type, URL. INPUT is all that pack reads: WARC, ARC, WACZ, CDXJ, folders, URLs; and\n"
        "collections and publications, whose pages are listed. Of an index that --cdxj writes, adit\n"
        "pack reads the captures again, from files beside it. A record that shares its gzip member\n"
        "with others has the member's offset, and is in no index. Exit status: 0 fine; 1 damaged\n"
        "input, or records that no index can find.\n\n"
        "  adit ls crawl.warc.gz\n"
        "  adit ls --json crawl.wacz | jq -r 'select(.status==404).url'\n"
        "  adit ls --cdxj archive/*.warc.gz > archive/index.cdxj",
    .options = options,
    .run = run,
};
