/* What a pack did: report.json, and a summary for people. */
#include "base/base.h"
#include "batch/cli/cli.h"
#include "batch/pack/pack_impl.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static const char *const block_names[ADIT_BLOCK_TYPES] = {
    [ADIT_TEXT] = "text",   [ADIT_HEADING] = "heading", [ADIT_LINK] = "link",
    [ADIT_IMAGE] = "image", [ADIT_LIST] = "list",       [ADIT_CODE] = "code",
    [ADIT_TABLE] = "table", [ADIT_QUOTE] = "quote",     [ADIT_VIDEO] = "video",
    [ADIT_AUDIO] = "audio"};

static void table(struct adit_json_writer *w, const char *key, const char *const *names,
                  const uint64_t *values, size_t n)
{
    adit_json_key(w, key);
    adit_json_open(w, '{');
    for (size_t i = 0; i < n; i++) {
        if (!values[i]) continue;
        adit_json_key(w, names[i]);
        adit_json_uint(w, values[i]);
    }
    adit_json_close(w, '}');
}

static uint64_t cpu_ms(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 +
           (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

static uint64_t elapsed_ms(const struct pack_options *o)
{
    int64_t ms = clock_ms() - o->crawl.started_ms;
    return ms > 0 ? (uint64_t)ms : 1;
}

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
    adit_json_key(w, "written");
    adit_json_open(w, '[');
    for (size_t i = 0; i < written->n_collections; i++) {
        const struct pack_file *f = &written->collections[i];
        adit_json_open(w, '{');
        adit_json_member(w, "file", adit_str_z(f->name));
        adit_json_key(w, "pages"), adit_json_uint(w, f->pages);
        adit_json_key(w, "size"), adit_json_uint(w, f->size);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void losses_json(struct adit_json_writer *w, const struct crawl_losses *l)
{
    struct adit_buf name;
    adit_buf_init(&name, cli_mem, 1 << 20);
    adit_json_key(w, "losses");
    adit_json_open(w, '[');
    for (size_t i = 0; i < l->n; i++) {
        adit_buf_clear(&name);
        adit_utf8_repair(adit_str_z(l->v[i].file), &name); /* names of files are any bytes */
        adit_json_open(w, '{');
        adit_json_member(w, "file", adit_buf_str(&name));
        if (l->v[i].offset != UINT64_MAX)
            adit_json_key(w, "offset"), adit_json_uint(w, l->v[i].offset);
        adit_json_member(w, "reason", adit_str_z(l->v[i].reason));
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
    adit_json_key(w, "losses_more"), adit_json_uint(w, l->more);
    adit_buf_free(&name);
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
    uint64_t ms = elapsed_ms(o);
    adit_json_open(&w, '{');
    table(&w, "binaries", crawl_binary_names, c->binaries, CRAWL_BINARY_COUNT);
    table(&w, "blocks", block_names, c->blocks, ADIT_BLOCK_TYPES);
    table(&w, "bytes", byte_names, bytes, ADIT_COUNT(bytes));
    adit_json_key(&w, "captures");
    adit_json_uint(&w, c->captures);
    table(&w, "changes", change_names, changes, ADIT_COUNT(changes));
    table(&w, "faults", warc_fault_names, c->faults, WARC_FAULT_COUNT);
    adit_json_key(&w, "files");
    adit_json_uint(&w, c->files);
    adit_json_member(&w, "generator", ADIT_STR("adit/" ADIT_VERSION));
    adit_json_key(&w, "from_text");
    adit_json_uint(&w, c->from_text);
    adit_json_key(&w, "inputs_failed");
    adit_json_uint(&w, c->inputs_failed);
    table(&w, "optout", adit_optout_names, c->optout, ADIT_OPTOUT_KINDS);
    if (o->losses) losses_json(&w, o->losses);
    adit_json_key(&w, "pages");
    adit_json_uint(&w, c->pages);
    adit_json_key(&w, "records");
    adit_json_uint(&w, c->records);
    table(&w, "records_by_type", warc_type_names, c->by_type, WARC_TYPES);
    adit_json_member(&w, "rules", ADIT_STR(ADIT_RULES_VERSION));
    table(&w, "skips", crawl_skip_names, c->skips, CRAWL_SKIP_COUNT);
    static const char *const time_names[] = {"cpu_ms", "elapsed_ms", "html_bytes_a_second",
                                             "pages_a_second"};
    const uint64_t times[] = {cpu_ms(), ms, c->bytes_html * 1000 / ms, c->pages * 1000 / ms};
    table(&w, "time", time_names, times, ADIT_COUNT(times));
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

static void print_size(const char *label, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    uint64_t tenths = bytes * 10;
    while (tenths >= 10000 && unit + 1 < ADIT_COUNT(units)) tenths /= 1000, unit++;
    if (unit)
        cli_print("%s%llu.%llu %s", label, (unsigned long long)tenths / 10,
                  (unsigned long long)tenths % 10, units[unit]);
    else
        cli_print("%s%llu bytes", label, (unsigned long long)bytes);
}

static void print_table(const char *title, const char *const *names, const uint64_t *values,
                        size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!values[i]) continue;
        if (!any) cli_print("%s\n", title);
        any = true;
        cli_print("  %9llu  %s\n", (unsigned long long)values[i], names[i]);
    }
}

static void print_count(uint64_t n, const char *what, const char *after)
{
    cli_print("%llu %s%s%s", (unsigned long long)n, what, n == 1 ? "" : "s", after);
}

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
        cli_print("  %-46s ", f->name);
        print_count(f->pages, "page", "");
        print_size(", ", f->size);
        cli_print("\n");
    }
    if (n > SHOWN || written->more)
        cli_print("  and %llu more collections\n",
                  (unsigned long long)(n - (n < SHOWN ? n : SHOWN)) + written->more);
    cli_print("  %s%sreport.json, %s\n", o->crawl.by_host ? "for each host: " : "",
              o->crawl.mixed ? "" : "sitemap.xml, the JSON sitemap, resourcesync/, ",
              adit_manifest_name);
    if (written->removed)
        cli_print("  %llu collections of earlier runs were removed (--keep)\n",
                  (unsigned long long)written->removed);
    if (written->older)
        cli_print("  %llu collections of earlier runs are still there%s\n",
                  (unsigned long long)written->older, o->keep ? "" : "; --keep N removes old ones");
}

/* What people ask next: is it right, what does it look like, where does it belong, and tomorrow? */
static void print_next(const struct pack_options *o)
{
    struct adit_str path = o->crawl.config.scp_manifest, origin = o->crawl.config.origin;
    while (path.len && path.p[path.len - 1] != '/') path.len--;
    cli_print("next: adit check %s\n", o->out);
    if (o->crawl.by_host) return;
    cli_print("      adit cat %s --format md | less\n", o->out);
    if (!o->crawl.mixed)
        cli_print("      put the folder online as %.*s%.*s\n", (int)origin.len, origin.p,
                  (int)path.len, path.p);
    if (!o->previous)
        cli_print("      run again with --previous %s for deltas and change lists\n", o->out);
}

void pack_report_text(const struct pack_options *o, const struct crawl_counts *c,
                      const struct pack_written *written)
{
    uint64_t ms = elapsed_ms(o);
    if (c->records) print_count(c->records, "record", ", ");
    if (c->files) print_count(c->files, "file", ", ");
    print_count(c->captures, "capture", ": ");
    print_count(c->pages, "page", o->dry_run ? " would be listed" : " listed");
    if (o->previous) print_changes(c);
    cli_print("\n");
    print_table("not listed:", crawl_skip_texts, c->skips, CRAWL_SKIP_COUNT);
    print_table("called HTML, but:", crawl_binary_texts, c->binaries, CRAWL_BINARY_COUNT);
    print_table("pages that refuse uses by machines:", adit_optout_names, c->optout,
                ADIT_OPTOUT_KINDS);
    if (c->from_text) {
        print_count(c->from_text, "page", c->from_text == 1 ? " is" : " are");
        cli_print(" listed by the text that a crawler made of it: there is no HTML with content\n");
    }
    print_table("damage:", warc_fault_texts, c->faults, WARC_FAULT_COUNT);
    print_table("blocks:", block_names, c->blocks, ADIT_BLOCK_TYPES);
    if (c->pages) {
        print_size("", c->bytes_listed);
        print_size(" of HTML, ", c->bytes_scp);
        print_size(" of SCP, ", c->bytes_out);
        cli_print(" written; %llu.%llu s, ", (unsigned long long)ms / 1000,
                  (unsigned long long)ms % 1000 / 100);
        print_size("", c->bytes_html * 1000 / ms);
        cli_print(" of HTML a second\n");
    }
    if (!written->n_collections) return;
    print_written(o, written);
    print_next(o);
}
