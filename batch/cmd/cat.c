/* adit cat: shows the pages of collections, in any format. */
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"
#include "batch/extract/extract.h"
#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MEMORY = 1 << 30 };

struct cat {
    const struct cli_args *args;
    const struct adit_format *format; /* NULL: the lines as they stand */
    struct adit_str url;              /* only this page; empty: all */
    bool separate; /* pages are texts of several lines: put a form feed between */
    struct adit_arena arena;
    struct adit_buf text;
    uint64_t shown;
    bool failed;
    char *near; /* a URL that may be meant, of those that were passed over */
};

static void show_line(const struct adit_scp_page *page)
{
    struct adit_str pieces[3];
    size_t n = adit_scp_page_pieces(page, false, pieces);
    for (size_t i = 0; i < n; i++) cli_data(pieces[i]);
    cli_data(ADIT_STR("\n"));
}

static void show_formatted(struct cat *c, const char *path, const struct adit_scp_page *line)
{
    struct adit_page page;
    adit_arena_reset(&c->arena);
    adit_buf_clear(&c->text);
    enum adit_code code = adit_scp_page_read(line, &c->arena, &page);
    if (code == ADIT_OK && c->format->front_matter) code = c->format->front_matter(&page, &c->text);
    if (code == ADIT_OK) code = c->format->write(&page, cli_mem, &c->text);
    if (code == ADIT_OK) code = c->text.err;
    if (code != ADIT_OK) {
        cli_say(path, "%.*s: %s", (int)line->url.len, line->url.p, adit_code_name(code));
        c->failed = true;
        return;
    }
    if (c->separate && c->shown) cli_data(ADIT_STR("\f\n"));
    cli_data(adit_buf_str(&c->text));
    if (!c->text.len || c->text.p[c->text.len - 1] != '\n') cli_data(ADIT_STR("\n"));
}

/* Without scheme, "www." and a slash at the end. */
static struct adit_str bare(struct adit_str url)
{
    static const char *const heads[] = {"https://", "http://", "www."};
    for (size_t i = 0; i < ADIT_COUNT(heads); i++)
        if (adit_str_istarts(url, adit_str_z(heads[i])))
            url = adit_str_sub(url, strlen(heads[i]), url.len);
    if (url.len && url.p[url.len - 1] == '/') url.len--;
    return url;
}

/* Whether a page may be the one that is meant: the same address but for what people leave out, or one
 * that has the words as a part. */
static bool is_near(struct adit_str wanted, struct adit_str url)
{
    struct adit_str a = bare(wanted), b = bare(url);
    return adit_str_ieq(a, b) || (a.len > 3 && adit_str_find(b, a, 0) < b.len);
}

static void say_missing(const struct cat *c)
{
    if (c->near)
        cli_say(NULL, "no page has the URL %.*s: is it %s?", (int)c->url.len, c->url.p, c->near);
    else
        cli_say(NULL, "no page has the URL %.*s; adit ls lists the pages", (int)c->url.len,
                c->url.p);
}

/* True: go on. */
static bool show(struct cat *c, const char *path, const struct adit_scp_page *page)
{
    if (c->url.len && !adit_str_eq(c->url, page->url)) {
        if (!c->near && is_near(c->url, page->url)) c->near = strndup(page->url.p, page->url.len);
        return true;
    }
    if (c->format)
        show_formatted(c, path, page);
    else
        show_line(page);
    c->shown++;
    return !c->url.len && !ferror(stdout);
}

static void cat_file(struct cat *c, const char *path)
{
    struct collection_options how = {.lenient = cli_has(c->args, "lenient")};
    struct collection *file = collection_open(path, &how);
    struct adit_scp_page page;
    if (!file) {
        c->failed = true;
        return;
    }
    while (collection_next(file, &page) && show(c, path, &page)) {}
    if (collection_failed(file) || collection_counts(file)->skipped) c->failed = true;
    collection_close(file);
}

static int run_cat(const struct cli_args *args)
{
    const char *format = cli_get(args, "format");
    struct cat c = {.args = args, .url = adit_str_z(cli_get(args, "url"))};
    if (args->n_files == 0) return cli_usage(args, "which collection?");
    if (format && strcmp(format, "scp") != 0) {
        c.format = extract_find_format(format);
        if (!c.format) return extract_no_format(args, format);
        c.separate = c.format != &adit_formats[ADIT_FORMAT_TCT];
        if (c.format == &adit_formats[ADIT_FORMAT_SCP]) c.format = NULL;
    }
    adit_arena_init(&c.arena, cli_mem, PAGE_MEMORY);
    adit_buf_init(&c.text, cli_mem, PAGE_MEMORY);
    for (size_t i = 0; i < args->n_files && !(c.url.len && c.shown); i++)
        cat_file(&c, args->files[i]);
    if (c.url.len && !c.shown && !c.failed) say_missing(&c);
    free(c.near);
    adit_arena_free(&c.arena);
    adit_buf_free(&c.text);
    return c.failed || (c.url.len && !c.shown) ? CLI_INVALID : CLI_OK;
}

static const struct cli_option options[] = {
    {"format", "scp|tct|text|md|html", CLI_VALUE,
     "how to show a page (default scp: its JSON line)"},
    {"url", "PAGE", CLI_VALUE, "show the page of this URL only"},
    COLLECTION_CLI_LENIENT,
    {0},
};

const struct cli_command cmd_cat = {
    .name = "cat",
    .usage = "FILE|DIR… [--url URL] [--format scp|tct|text|md|html]",
    .summary = "show the pages of collections",
    .details =
        "Of DIR, a publication or a copy of sync, all pages are shown.\n"
        "Markdown begins with each page's title and URL, as YAML.\n"
        "Texts of several pages have a line with a form feed between them. With --url reading\n"
        "ends at that page, so that the checksum is not verified.\n\n"
        "  adit cat blog.scp.zst --url https://example.com/blog/ --format md\n"
        "  adit cat public | jq -r .url",
    .options = options,
    .run = run_cat,
};
