/* What a pack did: report.json, and a summary for people. */
#include "base/base.h"
#include "batch/cli/cli.h"
#include "batch/pack/pack_impl.h"

#include <stdio.h>
#include <stdlib.h>

/* --- what was written ------------------------------------------------------------------------- */

enum { WRITTEN_MAX = 1000 };

void pack_written_add(struct pack_written *w, struct adit_str host, struct adit_str file,
                      uint64_t pages, uint64_t size)
{
    struct pack_file *v = NULL;
    char *name = NULL;
    if (w->n_collections < WRITTEN_MAX)
        v = realloc(w->collections, (w->n_collections + 1) * sizeof *v);
    if (v) w->collections = v;
    if (!v || asprintf(&name, "%.*s%s%.*s", (int)host.len, host.len ? host.p : "",
                       host.len ? "/" : "", (int)file.len, file.p) < 0) {
        w->more++;
        return;
    }
    v[w->n_collections++] = (struct pack_file){name, pages, size};
}

void pack_written_free(struct pack_written *w)
{
    for (size_t i = 0; i < w->n_collections; i++) free(w->collections[i].name);
    free(w->collections);
}

static void written_json(struct adit_json_writer *w, const struct pack_written *written)
{
    adit_json_member_open(w, "written", '[');
    for (size_t i = 0; i < written->n_collections; i++) {
        const struct pack_file *f = &written->collections[i];
        adit_json_open(w, '{');
        adit_json_member(w, "file", adit_str_z(f->name));
        adit_json_member_uint(w, "pages", f->pages);
        adit_json_member_uint(w, "size", f->size);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

/* --- for programs ----------------------------------------------------------------------------- */

void pack_report_json(struct adit_buf *out, const struct pack_options *o,
                      const struct crawl_counts *c, const struct pack_written *written)
{
    static const char *const change_names[] = {"created", "updated", "carried", "removed",
                                               "deleted"};
    static const char *const byte_names[] = {"read",        "decoded", "html",
                                             "html_listed", "scp",     "compressed"};
    const uint64_t changes[] = {c->created, c->updated, c->carried, c->removed, c->deleted};
    const uint64_t bytes[] = {c->bytes_read,   c->bytes_decoded, c->bytes_html,
                              c->bytes_listed, c->bytes_scp,     c->bytes_out};
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    crawl_report_table(&w, "binaries", adit_binary_names, c->binaries, ADIT_BINARY_COUNT);
    crawl_report_table(&w, "blocks", adit_scp_block_names, c->blocks, ADIT_BLOCK_TYPES);
    crawl_report_table(&w, "bytes", byte_names, bytes, ADIT_COUNT(bytes));
    adit_json_member_uint(&w, "captures", c->captures);
    crawl_report_table(&w, "changes", change_names, changes, ADIT_COUNT(changes));
    crawl_report_table(&w, "faults", warc_fault_names, c->faults, WARC_FAULT_COUNT);
    adit_json_member_uint(&w, "files", c->files);
    adit_json_member(&w, "generator", ADIT_STR("adit/" ADIT_VERSION));
    adit_json_member_uint(&w, "from_text", c->from_text);
    struct adit_buf time;
    adit_buf_init(&time, cli_mem, 64);
    adit_time_write(&time, o->generated);
    adit_json_member(&w, "generated", adit_buf_str(&time));
    adit_buf_free(&time);
    adit_json_member_uint(&w, "inputs_failed", c->inputs_failed);
    crawl_report_left_out(&w, o->crawl.notes);
    crawl_report_table(&w, "optout", adit_optout_names, c->optout, ADIT_OPTOUT_KINDS);
    if (o->losses) crawl_report_losses(&w, o->losses);
    adit_json_member_uint(&w, "pages", c->pages);
    adit_json_member_uint(&w, "records", c->records);
    crawl_report_table(&w, "records_by_type", warc_type_names, c->by_type, WARC_TYPES);
    adit_json_member(&w, "rules", ADIT_STR(ADIT_RULES_VERSION));
    crawl_report_table(&w, "skips", crawl_skip_names, c->skips, CRAWL_SKIP_COUNT);
    crawl_report_slowest(&w, o->crawl.notes);
    crawl_report_time(&w, &o->crawl, c);
    written_json(&w, written);
    adit_json_close(&w, '}');
    adit_buf_byte(out, '\n');
}

bool pack_report_file(struct publish *to, const struct pack_options *o,
                      const struct crawl_counts *c, const struct pack_written *written,
                      struct file_set *files)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64u << 20);
    pack_report_json(&b, o, c, written);
    bool ok = !b.err && publish_file(to, "report.json", adit_buf_str(&b), files);
    adit_buf_free(&b);
    return ok;
}

/* --- for people ------------------------------------------------------------------------------- */

static void print_changes(const struct crawl_counts *c)
{
    cli_print(" (%llu new, %llu changed, %llu carried over; %llu removed, %llu of them deleted)",
              (unsigned long long)c->created, (unsigned long long)c->updated,
              (unsigned long long)c->carried, (unsigned long long)c->removed + c->deleted,
              (unsigned long long)c->deleted);
}

static void print_written(const struct pack_options *o, const struct pack_written *written)
{
    enum { SHOWN = 20 };
    cli_print("written to %s:\n", o->out);
    size_t n = written->n_collections;
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        const struct pack_file *f = &written->collections[i];
        cli_print("  %-46s %s, %s\n", f->name, cli_count(f->pages, "page").p, cli_size(f->size).p);
    }
    if (n > SHOWN || written->more)
        cli_print("  and more collections: %llu\n",
                  (unsigned long long)(n - (n < SHOWN ? n : SHOWN)) + written->more);
    cli_print("  %s%sreport.json, %s\n", o->crawl.by_host ? "for each host: " : "",
              o->crawl.mixed ? "" : "sitemap.xml, the JSON sitemap, resourcesync/, ",
              ADIT_SCP_MANIFEST);
    if (written->removed)
        cli_print("  %s of earlier runs %s removed (--keep)\n",
                  cli_count(written->removed, "collection").p,
                  written->removed == 1 ? "was" : "were");
    if (written->older)
        cli_print("  %s of earlier runs %s still there%s\n",
                  cli_count(written->older, "collection").p, written->older == 1 ? "is" : "are",
                  o->keep ? "" : "; --keep N removes old ones");
}

/* What people ask next: is it right, what does it look like, where does it belong, and tomorrow? */
static void print_next(const struct pack_options *o)
{
    struct adit_str path = o->crawl.config.scp_manifest, origin = o->crawl.config.origin;
    while (path.len && path.p[path.len - 1] != '/') path.len--;
    cli_print("next: adit check %s\n", o->out);
    if (o->crawl.by_host) return;
    cli_print("      adit report %s -o report.html\n", o->out);
    cli_print("      adit cat %s --format md | less\n", o->out);
    if (!o->crawl.mixed)
        cli_print(
            "      put the folder online as %.*s%.*s\n"
            "      and .well-known/, resourcesync/, sitemap*.xml, llms*.txt, %s*.json\n"
            "      at %.*s/, too, where readers look for them (adit serve does this itself)\n",
            (int)origin.len, origin.p, (int)path.len, path.p, ADIT_TCT_SITEMAP_STEM,
            (int)origin.len, origin.p);
    if (!o->previous)
        cli_print("      run again with --previous %s for deltas and change lists\n", o->out);
}

void pack_report_text(const struct pack_options *o, const struct crawl_counts *c,
                      const struct pack_written *written)
{
    uint64_t ms = crawl_elapsed_ms(&o->crawl);
    crawl_print_read(stdout, c, o->dry_run ? "would be listed" : "listed");
    if (o->previous) print_changes(c);
    cli_print("\n");
    crawl_print_left_out(stdout, c, "listed");
    crawl_print_table(stdout, "blocks:", adit_scp_block_names, c->blocks, ADIT_BLOCK_TYPES);
    if (c->pages) {
        cli_print("%s of HTML", cli_size(c->bytes_listed).p);
        /* Of pages that are carried over only the text is known. */
        if (c->carried && c->carried < c->pages)
            cli_print(" (of %s)", cli_count(c->pages - c->carried, "page").p);
        cli_print(", %s of SCP, %s written", cli_size(c->bytes_scp).p, cli_size(c->bytes_out).p);
        crawl_print_rate(stdout, c->bytes_html, ms);
        cli_print("\n");
    }
    if (!written->n_collections) return;
    print_written(o, written);
    print_next(o);
}
