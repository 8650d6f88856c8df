/* Sitemaps, their indexes and ResourceSync documents of strangers. */
#include "batch/sitemap_read.h"

static void touch(struct adit_str s)
{
    static volatile char last;
    if (s.len) last = s.p[s.len - 1];
    (void)last;
}
#define TOUCH(name) touch(v->name);

static bool on_md(void *ctx, const struct sitemap_md *v)
{
    (void)ctx;
    SITEMAP_MD_ATTRIBUTES(TOUCH)
    return true;
}
static bool on_link(void *ctx, const struct sitemap_link *v)
{
    (void)ctx;
    SITEMAP_LINK_ATTRIBUTES(TOUCH)
    return true;
}
static bool on_entry(void *ctx, const struct sitemap_entry *v)
{
    TOUCH(loc) TOUCH(lastmod);
    for (size_t i = 0; i < v->n_links; i++) on_link(ctx, &v->links[i]);
    return on_md(ctx, &v->md);
}
static bool on_scp(void *ctx, const struct sitemap_scp *v)
{
    (void)ctx;
    SITEMAP_SCP_ATTRIBUTES(TOUCH)
    TOUCH(text) TOUCH(element);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    struct input *in = input_open_bytes(adit_str_of((const char *)p, len), NULL);
    struct sitemap_reading r = {
        .handler = {.md = on_md, .link = on_link, .entry = on_entry, .scp = on_scp},
        .bytes_max = 1u << 20};
    sitemap_read(&r, in);
    input_close(in);
    return 0;
}
