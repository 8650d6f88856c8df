/* adit page: one HTML document to stdout. */
#include "batch/cli/cli.h"
#include "base/base.h"
#include "format/format.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { OUTPUT_MAX = 256 << 20 };

/* The response headers that say something about a page. */
static const struct {
    struct adit_str name;
    size_t offset; /* of the fact */
} headers[] = {
    {ADIT_STR_INIT("content-type"), offsetof(struct adit_page_source, content_type)},
    {ADIT_STR_INIT("content-language"), offsetof(struct adit_page_source, content_language)},
    {ADIT_STR_INIT("last-modified"), offsetof(struct adit_page_source, last_modified)},
    {ADIT_STR_INIT("x-robots-tag"), offsetof(struct adit_page_source, robots)},
};

/* A value that stands there twice is one list. */
static void add_value(struct adit_str *fact, struct adit_str value, struct adit_arena *arena)
{
    if (!fact->len) {
        *fact = value;
        return;
    }
    struct adit_buf both;
    adit_buf_init(&both, arena->mem, ADIT_LIMIT_header_value);
    adit_buf_add(&both, *fact);
    adit_buf_lit(&both, ", ");
    adit_buf_add(&both, value);
    if (!both.err) *fact = adit_arena_dup(arena, adit_buf_str(&both), NULL);
    adit_buf_free(&both);
}

static bool take_headers(const struct cli_args *args, struct adit_page_source *source,
                         struct adit_arena *arena)
{
    const char *header;
    for (size_t k = 0; (header = cli_nth(args, "header", k)); k++) {
        struct adit_str line = adit_str_z(header), name;
        size_t colon = adit_str_chr(line, ':', 0);
        name = adit_str_trim(adit_str_sub(line, 0, colon));
        if (colon == line.len || !name.len) return false;
        for (size_t i = 0; i < ADIT_COUNT(headers); i++)
            if (adit_str_ieq(name, headers[i].name))
                add_value((struct adit_str *)(void *)((char *)source + headers[i].offset),
                          adit_str_trim(adit_str_sub(line, colon + 1, line.len)), arena);
    }
    return true;
}

/* When the page was fetched: --date, else the file's own time; what comes from a pipe is new. */
static bool capture_date(const struct cli_args *args, struct adit_buf *out)
{
    const char *date = cli_get(args, "date");
    struct adit_time t = {0};
    struct stat st;
    if (date) {
        if (!adit_time_parse_date(adit_str_z(date), &t)) return false;
    } else if (strcmp(args->files[0], "-") != 0 && stat(args->files[0], &st) == 0) {
        t.s = st.st_mtime;
    } else {
        t.s = time(NULL);
    }
    adit_time_write(out, t);
    return true;
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
    for (size_t k = 0; (name = format_name(args, k)); k++) {
        const struct adit_format *format = adit_format_find(adit_str_z(name));
        if (format && format->rich) return true;
    }
    return false;
}

static int write_formats(const struct cli_args *args, const struct adit_page *page,
                         struct adit_buf *out)
{
    const char *name;
    for (size_t k = 0; (name = format_name(args, k)); k++) {
        const struct adit_format *format = adit_format_find(adit_str_z(name));
        if (!format) return cli_usage(args, "there is no format '%s'", name);
        if (cli_has(args, "front-matter") && format == &adit_formats[ADIT_FORMAT_MD])
            adit_page_front_matter(page, out);
        enum adit_code code = format->write(page, cli_mem, out);
        if (code != ADIT_OK) {
            cli_say(args->files[0], "%s", adit_code_name(code));
            return CLI_INVALID;
        }
        if (out->len && out->p[out->len - 1] != '\n') adit_buf_byte(out, '\n');
    }
    return CLI_OK;
}

static int convert(const struct cli_args *args, struct adit_converter *c, struct adit_str body,
                   const struct adit_page_source *source, struct adit_buf *out)
{
    const struct adit_page *page = NULL;
    struct adit_error err = {0};
    bool explain = cli_has(args, "explain");
    enum adit_code code = explain ? adit_explain(c, body, source, out, &err)
                                  : adit_convert(c, body, source, &page, &err);
    if (code != ADIT_OK) {
        cli_say(args->files[0], "%s", err.msg ? err.msg : adit_code_name(code));
        return CLI_INVALID;
    }
    if (!explain && !page->n_blocks) {
        cli_say(args->files[0], "the page has no content");
        return CLI_INVALID;
    }
    int status = explain ? CLI_OK : write_formats(args, page, out);
    return status == CLI_OK ? print(out) : status;
}

static int run_page(const struct cli_args *args)
{
    struct adit_buf body, out, date, type;
    struct adit_arena arena;
    struct adit_page_source source = {.url = adit_str_z(cli_get(args, "url")),
                                      .language = adit_str_z(cli_get(args, "language")),
                                      .whole = cli_has(args, "whole"),
                                      .rich = asks_rich(args)};
    if (args->n_files != 1) return cli_usage(args, "give one file, or - for stdin");
    if (!source.url.len) return cli_usage(args, "--url is needed: the address of the page");
    adit_buf_init(&body, cli_mem, ADIT_LIMIT_page_bytes);
    adit_buf_init(&out, cli_mem, OUTPUT_MAX);
    adit_buf_init(&date, cli_mem, 64);
    adit_buf_init(&type, cli_mem, ADIT_LIMIT_header_value);
    adit_arena_init(&arena, cli_mem, 1 << 20);
    struct adit_converter *c = adit_converter_new(cli_mem);
    int status = CLI_INVALID;
    if (!take_headers(args, &source, &arena))
        status = cli_usage(args, "a header is written 'Name: value'");
    else if (!capture_date(args, &date))
        status = cli_usage(args, "'%s' is no date", cli_get(args, "date"));
    else if (!c)
        cli_say(NULL, "no memory");
    else if (cli_read(args->files[0], &body)) {
        if (cli_has(args, "charset")) {
            adit_buf_lit(&type, "text/html; charset=");
            adit_buf_lit(&type, cli_get(args, "charset"));
            source.content_type = adit_buf_str(&type);
        }
        source.date = adit_buf_str(&date);
        status = convert(args, c, adit_buf_str(&body), &source, &out);
    }
    adit_converter_free(c);
    adit_arena_free(&arena);
    adit_buf_free(&type), adit_buf_free(&date), adit_buf_free(&out), adit_buf_free(&body);
    return status;
}

static const struct cli_option options[] = {
    {"url", "URL", CLI_VALUE, "address of the page (needed)"},
    {"format", "NAME", CLI_MANY, "scp, tct, text, md or html; default scp"},
    {"front-matter", NULL, CLI_FLAG, "md begins with title, url, author and more, as YAML"},
    {"header", "'NAME: VALUE'", CLI_MANY, "a response header that came with the page"},
    {"date", "TIME", CLI_VALUE, "when the page was fetched; default the file's time"},
    {"charset", "NAME", CLI_VALUE, "its encoding, as Content-Type would say"},
    {"language", "TAG", CLI_VALUE, "its language, if it does not say"},
    {"whole", NULL, CLI_FLAG, "everything that is visible, not the main content only"},
    {"explain", NULL, CLI_FLAG, "show why each text stayed or went, instead of the page"},
    {0},
};

const struct cli_command cmd_page = {
    .name = "page",
    .usage =
        "FILE --url URL [--format scp|tct|text|md|html] [--header 'NAME: VALUE']... [--date TIME]",
    .summary = "one HTML document to structured content, on stdout",
    .details =
        "Finds the main content of the page and its metadata, and writes them in one of the\n"
        "formats: scp (a page of an SCP collection), tct (the payload of its M-URL), text, md,\n"
        "html (the content alone, with its links, lists and tables).\n\n"
        "  curl -s https://example.com/ | adit page - --url https://example.com/ --format md",
    .options = options,
    .run = run_page,
};
