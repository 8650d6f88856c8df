/* adit page: HTML documents to structured content: one to stdout, many to a folder, or line by line. */
#include "batch/cli/cli.h"
#include "base/base.h"
#include "batch/extract/extract.h"
#include "format/format.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { OUTPUT_MAX = 256 << 20 };

/* The document under way. */
struct job {
    const struct cli_args *args;
    const char *file;
    struct adit_converter *converter;
    struct adit_arena arena;
    struct adit_buf body, out, date, type, url;
};

static void take_headers(const struct cli_args *args, struct adit_page_source *source,
                         struct adit_arena *arena)
{
    const char *header;
    for (size_t k = 0; (header = cli_nth(args, "header", k)); k++) {
        struct adit_str line = adit_str_z(header), name;
        size_t colon = adit_str_chr(line, ':', 0);
        name = adit_str_trim(adit_str_sub(line, 0, colon));
        adit_page_source_header(source, name,
                                adit_str_trim(adit_str_sub(line, colon + 1, line.len)), arena);
    }
}

/* When the page was fetched: --date, else the file's own time; what comes from a pipe is new. */
static void capture_date(const struct cli_args *args, const char *file, struct adit_buf *out)
{
    const char *date = cli_get(args, "date");
    struct adit_time t = {0};
    struct stat st;
    if (date)
        adit_time_parse_date(adit_str_z(date), &t);
    else
        t.s = strcmp(file, "-") != 0 && stat(file, &st) == 0 ? st.st_mtime : time(NULL);
    adit_time_write(out, t);
}

static int print(struct adit_buf *out)
{
    if (out->err) {
        cli_say(NULL, "the output is too large");
        return CLI_INVALID;
    }
    cli_data(adit_buf_str(out));
    if (!ferror(stdout) && fflush(stdout) == 0) return CLI_OK;
    cli_say(NULL, "cannot write the output");
    return CLI_OUTPUT;
}

/* The formats that are asked for, one after the other; NULL at the end. */
static const char *format_name(const struct cli_args *args, size_t k)
{
    return k || cli_has(args, "format") ? cli_nth(args, "format", k) : "scp";
}

static bool asks_rich(const struct cli_args *args)
{
    const char *name;
    for (size_t k = 0; (name = format_name(args, k)); k++)
        if (extract_find_format(name)->rich) return true;
    return false;
}

static int write_formats(const struct cli_args *args, const char *file,
                         const struct adit_page *page, struct adit_buf *out)
{
    const char *name;
    for (size_t k = 0; (name = format_name(args, k)); k++) {
        const struct adit_format *format = extract_find_format(name);
        if (cli_has(args, "front-matter") && format->front_matter) format->front_matter(page, out);
        enum adit_code code = format->write(page, cli_mem, out);
        if (code != ADIT_OK) {
            cli_say(file, "%s", adit_code_name(code));
            return CLI_INVALID;
        }
        if (out->len && out->p[out->len - 1] != '\n') adit_buf_byte(out, '\n');
    }
    return CLI_OK;
}

/* Why, in place of the page: for people, as JSON, or marked on the page itself. */
static enum adit_code explain_page(struct job *j, const struct adit_page_source *source,
                                   struct adit_error *err)
{
    struct adit_str body = adit_buf_str(&j->body);
    enum adit_code code;
    if (extract_find_format(format_name(j->args, 0)) == &adit_formats[ADIT_FORMAT_HTML])
        return adit_explain_html(j->converter, body, source, source->url, &j->out, err);
    if (!cli_has(j->args, "json")) return adit_explain(j->converter, body, source, &j->out, err);
    code = adit_explain_json(j->converter, body, source, &j->out, err);
    adit_buf_byte(&j->out, '\n');
    return code;
}

static int convert(struct job *j, const struct adit_page_source *source)
{
    const struct adit_page *page = NULL;
    struct adit_error err = {0};
    bool explain = cli_has(j->args, "explain");
    enum adit_code code =
        explain ? explain_page(j, source, &err)
                : adit_convert(j->converter, adit_buf_str(&j->body), source, &page, &err);
    if (code != ADIT_OK) {
        cli_say(j->file, "%s", err.msg ? err.msg : adit_code_name(code));
        return CLI_INVALID;
    }
    if (!explain && !page->n_blocks) {
        cli_say(j->file, "the page has no content");
        return CLI_INVALID;
    }
    return explain ? CLI_OK : write_formats(j->args, j->file, page, &j->out);
}

/* --url, or where --base-url puts the file, or what the page says of itself. */
static bool find_url(struct job *j, const char *name, struct adit_page_source *source)
{
    const char *url = cli_get(j->args, "url"), *base = cli_get(j->args, "base-url");
    struct adit_str own = {0};
    adit_buf_clear(&j->url);
    if (url)
        adit_buf_lit(&j->url, url);
    else if (base)
        extract_file_url(adit_str_z(base), name, &j->url);
    else if (adit_convert_own_url(j->converter, adit_buf_str(&j->body), source, &own) == ADIT_OK)
        adit_buf_add(&j->url, own);
    source->url = adit_buf_str(&j->url);
    if (source->url.len && !j->url.err) return true;
    cli_say(j->file, "the page does not state its URL (canonical, og:url): give --url");
    return false;
}

static int write_page(struct job *j, const char *name)
{
    const char *folder = cli_get(j->args, "o");
    const struct adit_format *format = extract_find_format(format_name(j->args, 0));
    struct adit_str stem = adit_str_z(name);
    if (!folder) return print(&j->out);
    if (adit_str_ends(stem, ADIT_STR(".html"))) stem.len -= sizeof ".html" - 1;
    bool ok = !j->out.err && extract_write_file(folder, stem, extract_format_ending(format),
                                                adit_buf_str(&j->out));
    return ok ? CLI_OK : CLI_OUTPUT;
}

static bool all_links(const struct cli_args *args) { return cli_choice(args, "links", 1) == 0; }

static int convert_file(void *ctx, const char *file, const char *name)
{
    struct job *j = ctx;
    const struct cli_args *args = j->args;
    struct adit_page_source source = {.language = adit_str_z(cli_get(args, "language")),
                                      .whole = cli_has(args, "whole"),
                                      .links = all_links(args),
                                      .rich = asks_rich(args)};
    struct adit_buf *const bufs[] = {&j->body, &j->out, &j->date, &j->type};
    for (size_t i = 0; i < ADIT_COUNT(bufs); i++) adit_buf_clear(bufs[i]);
    adit_arena_reset(&j->arena);
    j->file = file;
    take_headers(args, &source, &j->arena);
    capture_date(args, file, &j->date);
    if (!cli_read(file, &j->body)) return CLI_INVALID;
    const char *refused = extract_page_refused(adit_buf_str(&j->body));
    if (refused) {
        cli_say(file, "%s", refused);
        return CLI_INVALID;
    }
    if (cli_has(args, "charset")) {
        adit_buf_lit(&j->type, "text/html; charset=");
        adit_buf_lit(&j->type, cli_get(args, "charset"));
        source.content_type = adit_buf_str(&j->type);
    }
    source.date = adit_buf_str(&j->date);
    if (!find_url(j, name, &source)) return CLI_INVALID;
    int status = convert(j, &source);
    return status ? status : write_page(j, name);
}

/* What cannot be meant, before anything is read. */
static int check_usage(const struct cli_args *args)
{
    const char *name;
    for (size_t k = 0; (name = format_name(args, k)); k++)
        if (!extract_find_format(name)) return extract_no_format(args, name);
    if (cli_has(args, "lines")) {
        if (args->n_files || cli_has(args, "o") || cli_has(args, "url") || format_name(args, 1))
            return cli_usage(args, "--lines reads standard input, and has one format");
        return CLI_OK;
    }
    if (!args->n_files) return cli_usage(args, "give a file, or - for stdin");
    if (args->n_files > 1 && cli_has(args, "url"))
        return cli_usage(args, "--url is of one page; see --base-url");
    if (cli_has(args, "o") && format_name(args, 1)) return cli_usage(args, "-o takes one --format");
    for (size_t i = 0; cli_has(args, "o") && i < args->n_files; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(cli_base_name(args->files[i]), cli_base_name(args->files[k])) == 0)
                return cli_usage(args, "'%s' and '%s' would have the same name in the folder",
                                 args->files[k], args->files[i]);
    return CLI_OK;
}

static int run_lines(const struct cli_args *args)
{
    struct adit_buf date;
    adit_buf_init(&date, cli_mem, 64);
    capture_date(args, "-", &date);
    int status = extract_lines(
        &(struct extract_lines_options){.format = extract_find_format(format_name(args, 0)),
                                        .language = adit_str_z(cli_get(args, "language")),
                                        .date = adit_buf_str(&date),
                                        .whole = cli_has(args, "whole"),
                                        .links = all_links(args),
                                        .front_matter = cli_has(args, "front-matter")});
    adit_buf_free(&date);
    return status;
}

static int run_page(const struct cli_args *args)
{
    struct job j = {.args = args};
    int status = check_usage(args);
    if (status) return status;
    if (cli_has(args, "lines")) return run_lines(args);
    adit_buf_init(&j.body, cli_mem, ADIT_LIMIT_page_bytes);
    adit_buf_init(&j.out, cli_mem, OUTPUT_MAX);
    adit_buf_init(&j.date, cli_mem, 64);
    adit_buf_init(&j.type, cli_mem, ADIT_LIMIT_header_value);
    adit_buf_init(&j.url, cli_mem, ADIT_LIMIT_url_bytes);
    adit_arena_init(&j.arena, cli_mem, 1 << 20);
    j.converter = adit_converter_new(cli_mem);
    status = CLI_INVALID;
    if (j.converter)
        status = extract_each_file(args->files, args->n_files, convert_file, &j);
    else
        cli_say(NULL, "out of memory");
    adit_converter_free(j.converter);
    adit_arena_free(&j.arena);
    adit_buf_free(&j.url);
    adit_buf_free(&j.type), adit_buf_free(&j.date), adit_buf_free(&j.out), adit_buf_free(&j.body);
    return status;
}

static const struct cli_option options[] = {
    {"url", "URL", CLI_VALUE, "address of the page; default what it states: canonical, og:url"},
    {"base-url", "URL", CLI_VALUE, "what the folder of the files is on the web"},
    {"format", "scp|tct|text|md|html", CLI_MANY, "default scp; also json, txt, markdown"},
    {"front-matter", NULL, CLI_FLAG, "md begins with title, url, author and more, as YAML"},
    {"o", "DIR", CLI_VALUE, "a file for each page in this folder, instead of stdout"},
    {"lines", NULL, CLI_FLAG, "pages are JSON lines on stdin, and so are the answers"},
    {"header", "'NAME: VALUE'", CLI_MANY, "a response header that came with the page"},
    {"date", "TIME", CLI_VALUE, "when the page was fetched; default the file's time"},
    {"charset", "CHARSET", CLI_VALUE, "its encoding, as Content-Type would say"},
    {"language", "TAG", CLI_VALUE, "its language, if it does not say"},
    {"whole", NULL, CLI_FLAG, "everything that is visible, not the main content only"},
    {"links", "all|standalone", CLI_CHOICE,
     "scp has the links within texts, too, as blocks behind them"},
    {"explain", NULL, CLI_FLAG, "show why each text stayed or went, instead of the page"},
    {0},
};

const struct cli_command cmd_page = {
    .name = "page",
    .usage = "FILE|FOLDER... [--url URL] [--format scp|tct|text|md|html] [-o DIR], or --lines",
    .summary = "HTML documents to structured content: to stdout, to a folder, line by line",
    .details =
        "Finds the main content of the page and its metadata, and writes them in one of the\n"
        "formats: scp (a page of an SCP collection), tct (the payload of its M-URL), text, md,\n"
        "html (the content alone, with its links, lists and tables).\n"
        "Of a folder, all HTML files below it. With -o DIR a/b.html becomes DIR/a/b.md.\n\n"
        "  curl -s https://example.com/ | adit page - --url https://example.com/ --format md\n"
        "  adit page site/ --base-url https://example.com/ --format md -o texts\n\n"
        "--explain says of each text of the page whether it stayed and why; with --json as data:\n"
        "its bytes in the page, element, score, reason, and a legend; with --format html on the\n"
        "page itself, kept texts green and dropped ones grey, to be opened in a browser.\n\n"
        "With --lines other programs use adit as a process. A line of stdin is\n"
        "  {\"url\": ..., \"html\": ... or \"html_base64\": ..., \"headers\"?: {...}, \"date\"?: ...}\n"
        "and is answered, in order, by a line: the JSON of the format, or for text and md\n"
        "  {\"url\": ..., \"title\": ..., \"text\": ...}\n"
        "or, if the page could not be converted, {\"url\"?: ..., \"error\": ..., \"line\": N}. Errors are\n"
        "answers: the exit status is 0 if all lines were answered.",
    .options = options,
    .run = run_page,
};
