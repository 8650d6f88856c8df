/* The table of output formats. */
#include "format/format.h"

#include "page/page.h"
#include "scp/scp.h"
#include "tct/tct.h"

static enum adit_code write_scp(const struct adit_page *page, struct adit_mem mem,
                                struct adit_buf *out)
{
    (void)mem;
    return adit_scp_page_write(page, out);
}

static enum adit_code write_tct(const struct adit_page *page, struct adit_mem mem,
                                struct adit_buf *out)
{
    static const struct adit_tct_options plain = {0};
    char hash[ADIT_TCT_HASH];
    return adit_tct_payload(page, &plain, mem, out, hash);
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

const struct adit_format adit_formats[] = {
    {"scp", "application/scp+json", "a page object of an SCP collection, one line", write_scp},
    {"tct", "application/json; charset=utf-8", "the JSON of a TCT machine URL", write_tct},
    {"text", "text/plain; charset=utf-8", "plain text", write_text},
    {"md", "text/markdown; charset=utf-8", "Markdown", write_md},
    {NULL, NULL, NULL, NULL},
};

const struct adit_format *adit_format_find(struct adit_str name)
{
    for (const struct adit_format *f = adit_formats; f->name; f++)
        if (adit_str_eq(name, adit_str_z(f->name))) return f;
    return NULL;
}
