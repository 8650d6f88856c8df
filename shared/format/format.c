/* The table of output formats. */
#include "format/format.h"

#include "page/page.h"
#include "scp/scp.h"
#include "tct/tct.h"

#include <string.h>

static enum adit_code write_scp(const struct adit_page *page, struct adit_mem mem,
                                struct adit_buf *out)
{
    (void)mem;
    return adit_scp_page_write(page, out);
}

/* The fingerprint is Method A's: it is in the payload, too. */
static enum adit_code view_tct(const struct adit_page *page,
                               const struct adit_format_options *options, struct adit_mem mem,
                               struct adit_buf *out, char hash[ADIT_TCT_HASH])
{
    struct adit_tct_options tct = {
        .schema = options->schema, .profile = options->profile, .digest = options->digest};
    return adit_tct_payload(page, &tct, mem, out, hash);
}

static enum adit_code write_tct(const struct adit_page *page, struct adit_mem mem,
                                struct adit_buf *out)
{
    static const struct adit_format_options plain = {0};
    char hash[ADIT_TCT_HASH];
    return view_tct(page, &plain, mem, out, hash);
}

static enum adit_code write_text(const struct adit_page *page, struct adit_mem mem,
                                 struct adit_buf *out)
{
    (void)mem;
    return adit_page_text(page, out);
}

static enum adit_code write_md(const struct adit_page *page, struct adit_mem mem,
                               struct adit_buf *out)
{
    (void)mem;
    return adit_page_md(page, out);
}

static enum adit_code write_html(const struct adit_page *page, struct adit_mem mem,
                                 struct adit_buf *out)
{
    (void)mem;
    return adit_page_html(page, out);
}

/* The fingerprint is that of the bytes. */
static enum adit_code view_md(const struct adit_page *page,
                              const struct adit_format_options *options, struct adit_mem mem,
                              struct adit_buf *out, char hash[ADIT_TCT_HASH])
{
    uint8_t sha[ADIT_SHA256_LEN];
    size_t from = out->len;
    struct adit_buf text = {.p = hash, .cap = ADIT_TCT_HASH, .max = ADIT_TCT_HASH};
    if (options->front_matter) ADIT_TRY(adit_page_front_matter(page, out));
    ADIT_TRY(write_md(page, mem, out));
    adit_sha256_of(adit_str_sub(adit_buf_str(out), from, out->len), sha);
    if (options->digest) memcpy(options->digest, sha, sizeof sha);
    adit_sha256_text(&text, "sha256-", sha);
    return text.err;
}

/* A key is hashed into those of views that are kept already: its bytes never change. */
const struct adit_format adit_formats[] = {
    [ADIT_FORMAT_SCP] =
        {
            .name = "scp",
            .media_type = "application/scp+json",
            .summary = "a page object of an SCP collection, one line",
            .write = write_scp,
        },
    [ADIT_FORMAT_TCT] =
        {
            .name = "tct",
            .media_type = ADIT_TCT_MEDIA_TYPE,
            .summary = "the JSON of a TCT machine URL",
            .write = write_tct,
            .suffix = ADIT_SUFFIX_SEGMENT,
            .route = "machine",
            .key = ADIT_STR_INIT("tct "),
            .view = view_tct,
        },
    [ADIT_FORMAT_TEXT] =
        {
            .name = "text",
            .media_type = "text/plain; charset=utf-8",
            .summary = "plain text",
            .write = write_text,
        },
    [ADIT_FORMAT_MD] =
        {
            .name = "md",
            .media_type = "text/markdown; charset=utf-8",
            .summary = "Markdown",
            .rich = true,
            .write = write_md,
            .front_matter = adit_page_front_matter,
            .tokens = true,
            .suffix = ADIT_SUFFIX_ENDING,
            .ending = ADIT_STR_INIT(".md"),
            .route = "markdown",
            .key = ADIT_STR_INIT("md \0"),
            .view = view_md,
        },
    [ADIT_FORMAT_HTML] =
        {
            .name = "html",
            .media_type = "text/html; charset=utf-8",
            .summary = "the content alone, as HTML",
            .rich = true,
            .write = write_html,
        },
    [ADIT_FORMATS] = {.name = NULL},
};

const struct adit_format *adit_format_find(struct adit_str name)
{
    for (const struct adit_format *f = adit_formats; f->name; f++)
        if (adit_str_eq(name, adit_str_z(f->name))) return f;
    return NULL;
}
