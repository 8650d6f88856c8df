/* Sitemaps, their indexes and ResourceSync documents of strangers. */
#include "batch/xml/xml.h"

static void touch(struct adit_str s)
{
    static volatile char last;
    if (s.len) last = s.p[s.len - 1];
    (void)last;
}
#define TOUCH(name) touch(v->name);

static bool on_md(void *ctx, const struct adit_rs_md *v)
{
    (void)ctx;
    ADIT_RS_MD_ATTRIBUTES(TOUCH)
    return true;
}
static bool on_link(void *ctx, const struct adit_rs_link *v)
{
    (void)ctx;
    ADIT_RS_LINK_ATTRIBUTES(TOUCH)
    return true;
}
static bool on_entry(void *ctx, const struct sitemap_entry *v)
{
    TOUCH(loc) TOUCH(lastmod);
    for (size_t i = 0; i < v->n_links; i++) on_link(ctx, &v->links[i]);
    return on_md(ctx, &v->md);
}
static bool on_scp(void *ctx, const struct adit_scp_element *v)
{
    (void)ctx;
    ADIT_SCP_ATTRIBUTES(TOUCH)
    TOUCH(text) TOUCH(element);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len);
static struct sitemap_reading reading(void)
{
    return (struct sitemap_reading){
        .handler = {.md = on_md, .link = on_link, .entry = on_entry, .scp = on_scp},
        .bytes_max = 1u << 20};
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
    struct adit_str bytes = adit_str_of((const char *)p, len);
    struct input *in = input_open_bytes(bytes, NULL);
    struct sitemap_reading whole = reading(), pieces = reading();
    sitemap_read(&whole, in);
    input_close(in);
    struct sitemap_stream *s = sitemap_open(&pieces);
    size_t size = len ? 1 + p[len - 1] % 61 : 1;
    bool more = true;
    for (size_t i = 0; more && i < len; i += size)
        more = !adit_sink_write(sitemap_sink(s), adit_str_sub(bytes, i, i + size));
    if (more) adit_sink_end(sitemap_sink(s));
    sitemap_close(s, true);
    /* What is sound as a whole is so in pieces. (Compressed bytes have another decoder.) */
    bool packed = len > 1 && ((p[0] == 0x1f && p[1] == 0x8b) || p[0] == 0x28 || p[0] == 0x50);
    if (!packed && !whole.fault && (pieces.fault || pieces.entries != whole.entries))
        __builtin_trap();
    return 0;
}
