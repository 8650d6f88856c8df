/* What an extract did: report.json, and a summary for people. */
#include "batch/extract/extract_impl.h"

void extract_report_json(struct adit_buf *out, const struct extract_options *o,
                         const struct crawl_counts *c, const struct crawl_losses *losses,
                         const struct extract_totals *t)
{
    static const char *const byte_names[] = {"read",        "decoded", "html",
                                             "html_listed", "records", "compressed"};
    const uint64_t bytes[] = {c->bytes_read,   c->bytes_decoded, c->bytes_html,
                              c->bytes_listed, t->bytes,         t->bytes_out};
    static const char *const done_names[] = {"inputs", "pages", "lost"};
    const uint64_t done[] = {t->done_inputs, t->done_pages, t->done_lost};
    struct adit_json_writer w = {.out = out};
    adit_json_open(&w, '{');
    crawl_report_table(&w, "binaries", adit_binary_names, c->binaries, ADIT_BINARY_COUNT);
    crawl_report_table(&w, "bytes", byte_names, bytes, ADIT_COUNT(bytes));
    adit_json_member_uint(&w, "captures", c->captures);
    crawl_report_table(&w, "done_before", done_names, done, ADIT_COUNT(done));
    crawl_report_table(&w, "faults", warc_fault_names, c->faults, WARC_FAULT_COUNT);
    adit_json_member_uint(&w, "files", c->files);
    adit_json_member(&w, "format", adit_str_z(o->format->name));
    adit_json_member_uint(&w, "from_text", c->from_text);
    adit_json_member(&w, "generator", ADIT_STR("adit/" ADIT_VERSION));
    adit_json_member_uint(&w, "inputs", o->crawl.n_inputs);
    adit_json_member_uint(&w, "inputs_failed", c->inputs_failed);
    crawl_report_losses(&w, losses);
    crawl_report_table(&w, "optout", adit_optout_names, c->optout, ADIT_OPTOUT_KINDS);
    adit_json_member_uint(&w, "pages", c->pages);
    adit_json_member_uint(&w, "parts", t->parts);
    adit_json_member_uint(&w, "records", c->records);
    crawl_report_table(&w, "records_by_type", warc_type_names, c->by_type, WARC_TYPES);
    adit_json_member(&w, "rules", ADIT_STR(ADIT_RULES_VERSION));
    crawl_report_table(&w, "skips", crawl_skip_names, c->skips, CRAWL_SKIP_COUNT);
    crawl_report_time(&w, &o->crawl, c);
    if (t->forgotten) adit_json_member_uint(&w, "texts_forgotten", t->forgotten);
    adit_json_close(&w, '}');
    adit_buf_byte(out, '\n');
}

static void print_done(FILE *to, const struct extract_options *o, const struct extract_totals *t)
{
    if (t->done_inputs) {
        cli_print_to(to, "%s %s done before, with %s", cli_count(t->done_inputs, "input").p,
                     t->done_inputs == 1 ? "was" : "were", cli_count(t->done_pages, "page").p);
        if (t->done_lost) cli_print_to(to, " and %s", cli_count(t->done_lost, "damaged place").p);
        cli_print_to(to, "\n");
    }
    if (t->forgotten)
        cli_print_to(to,
                     "texts that were not compared with later ones, for want of --memory: %llu\n",
                     (unsigned long long)t->forgotten);
    if (o->to == EXTRACT_TO_FOLDER && t->records && !o->format->mirror)
        cli_print_to(to, "written to %s: %s, %s\n", o->out, cli_count(t->parts, "part").p,
                     cli_size(t->bytes_out).p);
}

void extract_report_text(FILE *to, const struct extract_options *o, const struct crawl_counts *c,
                         const struct extract_totals *t)
{
    uint64_t ms = crawl_elapsed_ms(&o->crawl);
    crawl_print_read(to, c, "extracted");
    cli_print_to(to, "\n");
    crawl_print_left_out(to, c, "extracted");
    if (c->pages) {
        cli_print_to(to, "%s of HTML, %s of records", cli_size(c->bytes_listed).p,
                     cli_size(t->bytes).p);
        crawl_print_rate(to, c->bytes_html, ms);
        cli_print_to(to, "\n");
    }
    print_done(to, o, t);
}
