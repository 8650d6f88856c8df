/* Changes of pages on their way into the collection: a journal for those that cost a request, and
 * a sort. Records are parts separated by tabs, which none of them contains: JSON escapes them. */
#include "batch/sync/sync.h"
#include "batch/io/io.h"
#include "scp/scp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { SORT_MEMORY = 64 << 20 };

static const char how_letters[] = "PND";

static bool failed(struct sync *s, const char *what)
{
    cli_say(s->dir, "%s", what);
    s->out_failed = true;
    return false;
}

static bool sort_record(struct sync *s, enum sync_change how, struct adit_str url,
                        struct adit_str state, struct adit_str line)
{
    char number[24];
    if (!s->changes) s->changes = sorter_new(s->dir, SORT_MEMORY, adit_str_cmp);
    /* Later changes of a page come after earlier ones. */
    snprintf(number, sizeof number, "\t%016llx\t%c\t", (unsigned long long)s->n_changes++,
             how_letters[how]);
    struct adit_str parts[] = {url, adit_str_z(number), state, ADIT_STR("\t"), line};
    return (s->changes && sorter_add(s->changes, parts, ADIT_COUNT(parts))) ||
           failed(s, "no space for changes");
}

static FILE *open_journal(struct sync *s)
{
    int fd = sync_store_file(s, "journal", O_WRONLY | O_APPEND);
    FILE *f = fd >= 0 ? fdopen(fd, "a") : NULL;
    if (!f && fd >= 0) close(fd);
    return f;
}

static bool write_journal(struct sync *s, enum sync_change how, struct adit_str state,
                          struct adit_str line)
{
    if (!s->journal) s->journal = open_journal(s);
    if (!s->journal) return failed(s, below_why(errno));
    fputc(how_letters[how], s->journal);
    fputc('\t', s->journal);
    fwrite(state.p, 1, state.len, s->journal);
    fputc('\t', s->journal);
    fwrite(line.p, 1, line.len, s->journal);
    fputc('\n', s->journal);
    return fflush(s->journal) == 0 || failed(s, strerror(errno));
}

/* What is fetched in a run lies in the folder as it is until the end, and counts as such. */
static bool has_room(struct sync *s, struct adit_str line)
{
    s->changed += line.len;
    if (s->full || s->stored + s->changed <= s->o.quota) return !s->full;
    cli_say(s->dir, "the quota of %llu bytes is used up; see --quota",
            (unsigned long long)s->o.quota);
    s->report.why = "the quota is used up";
    s->full = true;
    return false;
}

bool sync_change(struct sync *s, enum sync_change how, bool journal, const struct copy_page *page,
                 struct adit_str line)
{
    struct adit_buf *b = &s->record;
    if (line.len && !has_room(s, line)) {
        s->report.lost++;
        return false;
    }
    adit_buf_clear(b);
    copy_page_write(page, b);
    if (b->err) return failed(s, "out of memory");
    if (journal && !write_journal(s, how, adit_buf_str(b), line)) return false;
    return sort_record(s, how, page->url, adit_buf_str(b), line);
}

static bool take_how(struct adit_str s, enum sync_change *how)
{
    const char *at = s.len == 1 ? strchr(how_letters, s.p[0]) : NULL;
    if (!at) return false;
    *how = (enum sync_change)(at - how_letters);
    return true;
}

bool sync_record_read(struct adit_str text, struct sync_record *r)
{
    struct adit_str how, number;
    return adit_str_split(&text, '\t', &r->url) && adit_str_split(&text, '\t', &number) &&
           adit_str_split(&text, '\t', &how) && take_how(how, &r->how) &&
           adit_str_split(&text, '\t', &r->state) && (r->line = text, true);
}

/* --- the journal of a killed run -------------------------------------------------------------- */

/* The last record may be half there, and a file system may lose the end: what is not whole does
 * not count. */
bool sync_journal_line(struct adit_str text, struct adit_arena *arena, struct adit_buf *scratch,
                       struct copy_page *page, struct sync_record *r)
{
    struct adit_scp_judge judge = {.limits = &adit_scp_limits};
    struct adit_scp_page line;
    struct adit_str how;
    if (!adit_str_split(&text, '\t', &how) || !take_how(how, &r->how) ||
        !adit_str_split(&text, '\t', &r->state) || !copy_page_read(page, r->state, arena))
        return false;
    r->url = page->url, r->line = text;
    return !text.len || (adit_scp_page_judge(text, &judge, scratch, &line) == ADIT_SCP_GOOD &&
                         adit_str_eq(line.url, page->url));
}

bool sync_journal_read(struct sync *s)
{
    struct input_options how = {.window_max = 2 * (size_t)ADIT_LIMIT_scp_line};
    struct adit_arena arena;
    struct adit_buf scratch;
    struct adit_str text;
    bool good = true;
    if (!sync_store_has(s, "journal")) return true;
    struct input *in = input_open(sync_path(s, "journal"), &how);
    if (!in) return false;
    adit_arena_init(&arena, cli_mem, 1 << 20);
    adit_buf_init(&scratch, cli_mem, ADIT_LIMIT_url_bytes);
    while (good && input_line(in, how.window_max, &text)) {
        struct copy_page page;
        struct sync_record r;
        adit_arena_reset(&arena);
        if (sync_journal_line(text, &arena, &scratch, &page, &r) && sync_is_own(s, r.url))
            good = sort_record(s, r.how, r.url, r.state, r.line);
    }
    input_close(in);
    adit_arena_free(&arena);
    adit_buf_free(&scratch);
    return good;
}
