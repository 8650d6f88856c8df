/* ResourceSync: the change list of each section, its capability list, the source description. */
#include "batch/pack_site.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const change_names[] = {
    [PACK_CREATED] = "created", [PACK_UPDATED] = "updated", [PACK_DELETED] = "deleted"};

static const char open_tag[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
                               " xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\n";

/* DIR/resourcesync/SECTION/NAME */
static struct output *open_file(const char *dir, struct adit_str section, const char *name)
{
    char *rest = NULL, *path = NULL;
    struct output *out = NULL;
    if (asprintf(&rest, "resourcesync/%.*s/%s", (int)section.len, section.p, name) >= 0 &&
        (path = pack_path(dir, rest)))
        out = output_open(path, NULL);
    free(rest);
    free(path);
    return out;
}

static void add_url(struct adit_buf *b, const struct adit_config *config, struct adit_str section,
                    const char *name)
{
    pack_xml(b, config->origin);
    adit_buf_lit(b, "/resourcesync/");
    adit_buf_add(b, section);
    adit_buf_byte(b, '/');
    adit_buf_lit(b, name);
}

bool pack_changes_open(struct pack_changes *c, const char *dir, const struct adit_config *config,
                       struct adit_str section, struct adit_str from, struct adit_str until)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 1u << 20);
    adit_buf_lit(&b, open_tag);
    adit_buf_lit(&b, "  <rs:ln rel=\"up\" href=\"");
    add_url(&b, config, section, "capabilitylist.xml");
    adit_buf_lit(&b, "\"/>\n  <rs:md capability=\"changelist\" from=\"");
    adit_buf_add(&b, from);
    adit_buf_lit(&b, "\" until=\"");
    adit_buf_add(&b, until);
    adit_buf_lit(&b, "\"/>\n");
    c->out = open_file(dir, section, "changelist.xml");
    bool ok = c->out && !b.err && output_write(c->out, adit_buf_str(&b));
    adit_buf_free(&b);
    return ok;
}

bool pack_changes_add(struct pack_changes *c, struct adit_str url, enum pack_change change,
                      struct adit_str at)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 6 * (size_t)ADIT_LIMIT_url_bytes + 256);
    adit_buf_lit(&b, "  <url><loc>");
    pack_xml(&b, url);
    adit_buf_lit(&b, "</loc><rs:md change=\"");
    adit_buf_lit(&b, change_names[change]);
    adit_buf_lit(&b, "\" datetime=\"");
    adit_buf_add(&b, at);
    adit_buf_lit(&b, "\"/></url>\n");
    bool ok = !b.err && output_write(c->out, adit_buf_str(&b));
    adit_buf_free(&b);
    return ok;
}

bool pack_changes_end(struct pack_changes *c, struct pack_files *to)
{
    struct output *out = c->out;
    c->out = NULL;
    bool ok = out && output_write(out, ADIT_STR("</urlset>\n"));
    return pack_files_add(to, out) && ok;
}

static void add_describes(struct adit_buf *b, const struct adit_config *config,
                          const struct pack_section *section)
{
    adit_buf_lit(b, "<rs:ln rel=\"describes\" href=\"");
    pack_xml(b, config->origin);
    pack_xml(b, section->prefix);
    adit_buf_lit(b, "\"/>");
}

static bool capability_list(const char *dir, const struct adit_config *config,
                            const struct pack_section *section, struct pack_files *to)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 1u << 20);
    adit_buf_lit(&b, open_tag);
    adit_buf_lit(&b, "  <rs:ln rel=\"up\" href=\"");
    pack_xml(&b, config->origin);
    adit_buf_lit(&b, "/.well-known/resourcesync\"/>\n  ");
    add_describes(&b, config, section);
    adit_buf_lit(&b, "\n  <rs:md capability=\"capabilitylist\"/>\n  <url><loc>");
    add_url(&b, config, section->name, "changelist.xml");
    adit_buf_lit(&b, "</loc><rs:md capability=\"changelist\"/></url>\n</urlset>\n");
    struct output *out = open_file(dir, section->name, "capabilitylist.xml");
    bool ok = out && !b.err && output_write(out, adit_buf_str(&b));
    adit_buf_free(&b);
    return pack_files_add(to, out) && ok;
}

bool pack_changes_describe(const char *dir, const struct pack_options *o,
                           const struct adit_config *config, struct pack_files *to)
{
    struct adit_buf b;
    bool ok = true;
    adit_buf_init(&b, cli_mem, 1u << 20);
    adit_buf_lit(&b, open_tag);
    adit_buf_lit(&b, "  <rs:md capability=\"description\"/>\n");
    for (size_t i = 0; i < o->n_sections; i++) {
        ok = ok && capability_list(dir, config, &o->sections[i], to);
        adit_buf_lit(&b, "  <url><loc>");
        add_url(&b, config, o->sections[i].name, "capabilitylist.xml");
        adit_buf_lit(&b, "</loc><rs:md capability=\"capabilitylist\"/>");
        add_describes(&b, config, &o->sections[i]);
        adit_buf_lit(&b, "</url>\n");
    }
    adit_buf_lit(&b, "</urlset>\n");
    char *path = pack_path(dir, ".well-known/resourcesync");
    struct output *out = path ? output_open(path, NULL) : NULL;
    free(path);
    ok = ok && out && !b.err && output_write(out, adit_buf_str(&b));
    adit_buf_free(&b);
    return pack_files_add(to, out) && ok;
}
