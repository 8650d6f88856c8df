/* What the reports of all commands that read crawls have in common: tables of counts, losses, sizes. */
#include "batch/crawl/notes_impl.h"
#include "text/text.h"

#include <sys/resource.h>

/* --- for programs ----------------------------------------------------------------------------- */

void crawl_report_table(struct adit_json_writer *w, const char *key, const char *const *names,
                        const uint64_t *values, size_t n)
{
    adit_json_member_open(w, key, '{');
    for (size_t i = 0; i < n; i++) {
        if (!values[i]) continue;
        adit_json_member_uint(w, names[i], values[i]);
    }
    adit_json_close(w, '}');
}

void crawl_report_losses(struct adit_json_writer *w, const struct crawl_losses *l)
{
    struct adit_buf name;
    adit_buf_init(&name, cli_mem, 1 << 20);
    adit_json_member_open(w, "losses", '[');
    for (size_t i = 0; i < l->n; i++) {
        adit_buf_clear(&name);
        adit_utf8_repair(adit_str_z(l->v[i].file), &name); /* names of files are any bytes */
        adit_json_open(w, '{');
        adit_json_member(w, "file", adit_buf_str(&name));
        if (l->v[i].offset != UINT64_MAX) adit_json_member_uint(w, "offset", l->v[i].offset);
        adit_json_member(w, "reason", adit_str_z(l->v[i].reason));
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
    adit_json_member_uint(w, "losses_more", l->more);
    adit_buf_free(&name);
}

void crawl_report_left_out(struct adit_json_writer *w, const struct crawl_notes *n)
{
    struct adit_buf name;
    adit_buf_init(&name, cli_mem, 1 << 20);
    adit_json_member_open(w, "left_out", '[');
    for (size_t i = 0; n && i < CRAWL_SKIP_COUNT; i++)
        for (size_t k = 0; k < CRAWL_NOTES && n->skips[i][k].url; k++) {
            const struct crawl_note *note = &n->skips[i][k];
            adit_json_open(w, '{');
            if (note->file) {
                adit_buf_clear(&name);
                adit_utf8_repair(adit_str_z(note->file), &name);
                adit_json_member(w, "file", adit_buf_str(&name));
            }
            if (note->offset != UINT64_MAX) adit_json_member_uint(w, "offset", note->offset);
            adit_json_member(w, "reason", adit_str_z(crawl_skip_names[i]));
            adit_buf_clear(&name);
            adit_utf8_repair(adit_str_z(note->url), &name);
            adit_json_member(w, "url", adit_buf_str(&name));
            adit_json_close(w, '}');
        }
    adit_json_close(w, ']');
    adit_buf_free(&name);
}

void crawl_report_slowest(struct adit_json_writer *w, const struct crawl_notes *n)
{
    adit_json_member_open(w, "slowest", '[');
    for (size_t k = 0; n && k < CRAWL_SLOWEST && n->slowest[k].url; k++) {
        adit_json_open(w, '{');
        adit_json_member(w, "url", adit_str_z(n->slowest[k].url));
        adit_json_member_uint(w, "us", n->slowest[k].us);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static uint64_t cpu_ms(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 +
           (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

uint64_t crawl_elapsed_ms(const struct crawl_options *o)
{
    int64_t ms = clock_ms() - o->started_ms;
    return ms > 0 ? (uint64_t)ms : 1;
}

void crawl_report_time(struct adit_json_writer *w, const struct crawl_options *o,
                       const struct crawl_counts *c)
{
    static const char *const names[] = {"cpu_ms", "elapsed_ms", "html_bytes_a_second",
                                        "pages_a_second"};
    uint64_t ms = crawl_elapsed_ms(o);
    const uint64_t values[] = {cpu_ms(), ms, c->bytes_html * 1000 / ms, c->pages * 1000 / ms};
    crawl_report_table(w, "time", names, values, ADIT_COUNT(values));
}

/* --- for people ------------------------------------------------------------------------------- */

/* Runs of less than a second say nothing of how fast the next one will be. */
void crawl_print_rate(FILE *to, uint64_t bytes, uint64_t ms)
{
    if (ms < 1000) return;
    cli_print_to(to, "; %llu.%llu s, %s of HTML a second", (unsigned long long)ms / 1000,
                 (unsigned long long)ms % 1000 / 100, cli_size(bytes * 1000 / ms).p);
}

void crawl_print_table(FILE *to, const char *title, const char *const *names,
                       const uint64_t *values, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!values[i]) continue;
        if (!any) cli_print_to(to, "%s\n", title);
        any = true;
        cli_print_to(to, "  %9llu  %s\n", (unsigned long long)values[i], names[i]);
    }
}

void crawl_print_read(FILE *to, const struct crawl_counts *c, const char *what)
{
    if (c->records) cli_print_to(to, "%s, ", cli_count(c->records, "record").p);
    if (c->files) cli_print_to(to, "%s, ", cli_count(c->files, "file").p);
    cli_print_to(to, "%s: %s %s", cli_count(c->captures, "capture").p,
                 cli_count(c->pages, "page").p, what);
}

void crawl_print_left_out(FILE *to, const struct crawl_counts *c, const char *what)
{
    char title[32];
    snprintf(title, sizeof title, "not %s:", what);
    crawl_print_table(to, title, crawl_skip_texts, c->skips, CRAWL_SKIP_COUNT);
    crawl_print_table(to, "called HTML, but:", adit_binary_texts, c->binaries, ADIT_BINARY_COUNT);
    crawl_print_table(to, "pages that refuse uses by machines:", adit_optout_names, c->optout,
                      ADIT_OPTOUT_KINDS);
    if (c->from_text)
        cli_print_to(
            to, "%s %s %s by the text that a crawler made of it: there is no HTML with content\n",
            cli_count(c->from_text, "page").p, c->from_text == 1 ? "is" : "are", what);
    crawl_print_table(to, "damage:", warc_fault_texts, c->faults, WARC_FAULT_COUNT);
}
