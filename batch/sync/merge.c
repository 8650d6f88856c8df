/* One pass over three sorted streams: the pages held, their states, and the changes. */
#include "batch/sync/sync.h"
#include "batch/collection/collection.h"
#include "batch/io/io.h"

#include <string.h>

enum { LINE_MAX_STATE = 1 << 20 };

struct merge {
    struct sync *s;
    const struct sync_snapshot *snapshots;
    size_t n_snapshots;
    struct pages *old; /* NULL: none */
    struct adit_scp_page page;
    struct input *states;
    struct adit_str state_line;
    struct copy_page state;
    struct adit_arena state_arena;
    struct adit_str record_text;
    struct sync_record record;
    struct collection_writer *out;
    struct output *out_states;
    /* The page under way. */
    struct adit_buf url, line, new_state;
    struct adit_time modified;
    uint64_t pages;
    bool has_page, has_state, has_record; /* where the three streams stand */
    bool has_line, has_new, from_old;     /* of the page under way */
    struct changes *lists;                /* for followers; NULL: none */
};

static void next_page(struct merge *m) { m->has_page = m->old && pages_next(m->old, &m->page); }

static void next_state(struct merge *m)
{
    m->has_state = false;
    while (m->states && input_line(m->states, LINE_MAX_STATE, &m->state_line)) {
        adit_arena_reset(&m->state_arena);
        m->has_state = copy_page_read(&m->state, m->state_line, &m->state_arena);
        if (m->has_state) return;
    }
}

static void next_record(struct merge *m)
{
    m->has_record = m->s->changes && sorter_next(m->s->changes, &m->record_text) &&
                    sync_record_read(m->record_text, &m->record);
}

static bool least_url(const struct merge *m, struct adit_str *url)
{
    const struct adit_str *least = NULL;
    if (m->has_page) least = &m->page.url;
    if (m->has_state && (!least || adit_str_cmp(m->state.url, *least) < 0)) least = &m->state.url;
    if (m->has_record && (!least || adit_str_cmp(m->record.url, *least) < 0))
        least = &m->record.url;
    if (least) *url = *least;
    return least != NULL;
}

static void set(struct adit_buf *b, struct adit_str s)
{
    adit_buf_clear(b);
    adit_buf_add(b, s);
}

static bool judge(struct adit_str line, struct adit_buf *scratch, struct adit_scp_page *page)
{
    struct adit_scp_judge j = {.limits = &adit_scp_limits};
    return adit_scp_page_judge(line, &j, scratch, page) == ADIT_SCP_GOOD;
}

/* Whether nobody but the collections lists pages. */
static bool scp_alone(const struct merge *m)
{
    return m->s->o.via == SYNC_SCP || !m->s->state.tct.len;
}

/* Whether a snapshot that was applied speaks of the page, so that its silence means: deleted (SCP,
 * Deletion Handling). A snapshot of all speaks of pages that came another way, too. */
static bool snapshot_omits(const struct merge *m)
{
    bool own = adit_str_eq(m->state.via, ADIT_STR("scp"));
    for (size_t i = 0; i < m->n_snapshots; i++) {
        const struct sync_snapshot *c = &m->snapshots[i];
        struct adit_time t;
        if (own && adit_str_eq(c->section, m->state.section)) return true;
        if (!own && scp_alone(m) && adit_str_eq(c->section, ADIT_STR("all")) &&
            adit_time_parse(m->state.modified, &t) && adit_time_cmp(t, c->generated) <= 0)
            return true;
    }
    return false;
}

/* SCP, Delta Application: later than the held page replaces it; else the held one stays. If it is
 * the same version, and nobody else lists it, the collection vouches for it from now on. */
static int compare_held(struct merge *m, struct adit_buf *scratch)
{
    struct adit_scp_page page;
    if (!m->has_line) return 1;
    return judge(m->record.line, scratch, &page) ? adit_time_cmp(page.modified, m->modified) : -1;
}

static void apply(struct merge *m, struct adit_buf *scratch)
{
    const struct sync_record *r = &m->record;
    struct adit_scp_page page;
    if (r->how == SYNC_DROP) {
        m->has_line = m->has_new = false;
        return;
    }
    int newer = r->how == SYNC_NEWER ? compare_held(m, scratch) : 1;
    if (newer < 0 || (newer == 0 && !scp_alone(m))) return;
    set(&m->new_state, r->state), m->has_new = true;
    if (newer == 0) return;
    struct copy_page state;
    struct adit_arena a;
    adit_arena_init(&a, cli_mem, LINE_MAX_STATE);
    bool held = copy_page_read(&state, r->state, &a) && adit_str_eq(state.status, ADIT_STR("held"));
    adit_arena_free(&a);
    if (r->line.len && judge(r->line, scratch, &page)) {
        m->modified = page.modified;
        set(&m->line, r->line), m->has_line = true, m->from_old = false;
    } else if (!held) {
        m->has_line = false;
    }
}

static const char *const words[] = {
    [ADIT_RS_CREATED] = "new", [ADIT_RS_UPDATED] = "updated", [ADIT_RS_DELETED] = "deleted"};

/* Followers are told; of the first run they would learn nothing. */
static bool tell_change(struct merge *m, enum adit_rs_change change, uint64_t *counter)
{
    char text[64];
    struct adit_buf modified = {.p = text, .cap = sizeof text, .max = sizeof text};
    ++*counter;
    if (m->s->o.list) cli_print("%s %.*s\n", words[change], (int)m->url.len, m->url.p);
    if (!m->lists || !m->old) return true;
    if (change != ADIT_RS_DELETED) adit_time_write(&modified, m->modified);
    return changes_add(m->lists, adit_buf_str(&m->url), change, adit_buf_str(&modified));
}

static bool list_page(struct merge *m)
{
    char text[64];
    struct adit_buf modified = {.p = text, .cap = sizeof text, .max = sizeof text};
    adit_time_write(&modified, m->modified);
    return changes_page(m->lists, adit_buf_str(&m->url), adit_buf_str(&modified));
}

static bool count(struct merge *m, bool had, struct adit_str old_line)
{
    struct sync_report *r = &m->s->report;
    if (m->lists && m->has_line && !list_page(m)) return false;
    if (!had && m->has_line) return tell_change(m, ADIT_RS_CREATED, &r->added);
    if (had && !m->has_line) return tell_change(m, ADIT_RS_DELETED, &r->deleted);
    if (!had || m->from_old || adit_str_eq(old_line, adit_buf_str(&m->line))) return true;
    return tell_change(m, ADIT_RS_UPDATED, &r->updated);
}

static bool write_result(struct merge *m)
{
    if (m->has_line) {
        m->pages++;
        if (!collection_add(m->out, adit_buf_str(&m->line)) || !collection_end_page(m->out))
            return false;
    }
    return !m->has_new || (output_write(m->out_states, adit_buf_str(&m->new_state)) &&
                           output_write(m->out_states, ADIT_STR("\n")));
}

static bool merge_url(struct merge *m, struct adit_buf *old_line, struct adit_buf *scratch)
{
    struct adit_str url = adit_buf_str(&m->url);
    bool had = m->has_page && adit_str_eq(m->page.url, url), touched = false;
    m->has_line = had, m->from_old = true;
    if (had) {
        struct adit_str pieces[3];
        size_t n = adit_scp_page_pieces(&m->page, false, pieces);
        adit_buf_clear(&m->line);
        for (size_t i = 0; i < n; i++) adit_buf_add(&m->line, pieces[i]);
        set(old_line, adit_buf_str(&m->line));
        m->modified = m->page.modified;
        next_page(m);
    }
    bool omitted = false;
    m->has_new = m->has_state && adit_str_eq(m->state.url, url);
    if (m->has_new) {
        set(&m->new_state, m->state_line);
        omitted = snapshot_omits(m);
        next_state(m);
    }
    for (; m->has_record && adit_str_eq(m->record.url, url); next_record(m)) {
        apply(m, scratch);
        touched = true;
    }
    if (omitted && !touched) m->has_line = m->has_new = false;
    return count(m, had, adit_buf_str(old_line)) && write_result(m);
}

static bool merge_all(struct merge *m)
{
    struct adit_buf old_line, scratch;
    struct adit_str url;
    bool good = true;
    adit_buf_init(&old_line, cli_mem, ADIT_LIMIT_scp_line);
    adit_buf_init(&scratch, cli_mem, ADIT_LIMIT_url_bytes);
    next_page(m), next_state(m), next_record(m);
    while (good && least_url(m, &url)) {
        set(&m->url, url);
        good = merge_url(m, &old_line, &scratch) && !m->line.err && !m->url.err;
    }
    adit_buf_free(&old_line);
    adit_buf_free(&scratch);
    if (m->old && (pages_failed(m->old) || pages_unsorted(m->old))) {
        cli_say(m->s->dir, "%s is damaged; remove the folder to begin anew", copy_collection_name);
        good = false;
    }
    return good && !(m->s->changes && sorter_failed(m->s->changes));
}

static bool open_old(struct merge *m)
{
    struct pages_options how = {0};
    if (sync_store_has(m->s, copy_collection_name)) {
        m->old = pages_open(sync_path(m->s, copy_collection_name), &how);
        if (!m->old) return false;
    }
    if (sync_store_has(m->s, copy_pages_name)) {
        m->states = input_open(sync_path(m->s, copy_pages_name), NULL);
        if (!m->states) return false;
    }
    return true;
}

static bool open_lists(struct merge *m)
{
    struct adit_time since = {0};
    if (m->old) since = collection_meta(pages_collection(m->old))->generated_at;
    return sync_publish_open(m->s, since, &m->lists);
}

static bool open_new(struct merge *m)
{
    struct output_options how = {.coding = OUTPUT_ZSTD};
    struct adit_time now = {m->s->now, 0};
    struct adit_buf id;
    adit_buf_init(&id, cli_mem, 256);
    adit_buf_lit(&id, "all-snapshot-");
    adit_time_stamp(&id, now);
    struct adit_scp_meta meta = {.id = adit_buf_str(&id),
                                 .section = ADIT_STR("all"),
                                 .generated = m->s->now_text,
                                 .generated_at = now};
    char name[64];
    snprintf(name, sizeof name, "%s.new", copy_collection_name);
    m->out = collection_create(sync_path_new(m->s, name), &meta, &how, false);
    adit_buf_free(&id);
    snprintf(name, sizeof name, "%s.new", copy_pages_name);
    m->out_states = output_open(sync_path_new(m->s, name), NULL);
    return m->out && m->out_states;
}

static void close_all(struct merge *m)
{
    changes_free(m->lists);
    pages_close(m->old);
    input_close(m->states);
    collection_discard(m->out);
    output_discard(m->out_states);
    sorter_free(m->s->changes);
    m->s->changes = NULL, m->s->n_changes = 0;
    adit_buf_free(&m->url), adit_buf_free(&m->line), adit_buf_free(&m->new_state);
    adit_arena_free(&m->state_arena);
}

bool sync_merge(struct sync *s, const struct sync_snapshot *snapshots, size_t n)
{
    struct merge m = {.s = s, .snapshots = snapshots, .n_snapshots = n};
    adit_buf_init(&m.url, cli_mem, ADIT_LIMIT_url_bytes);
    adit_buf_init(&m.line, cli_mem, ADIT_LIMIT_scp_line);
    adit_buf_init(&m.new_state, cli_mem, LINE_MAX_STATE);
    adit_arena_init(&m.state_arena, cli_mem, LINE_MAX_STATE);
    bool good = (!s->changes || sorter_start(s->changes)) && open_old(&m) && open_lists(&m) &&
                open_new(&m) && merge_all(&m);
    if (good) {
        struct collection_writer *out = m.out;
        struct output *states = m.out_states;
        m.out = NULL, m.out_states = NULL;
        s->state.pages = m.pages;
        good = collection_commit(out, NULL);
        /* The lists first: what is later than the store's collection is dropped from them by the
         * next run, so that nothing is told twice. */
        good = output_commit(states) && good && sync_publish(m.lists) && sync_store_commit(s);
    }
    if (!good) s->out_failed = true;
    close_all(&m);
    return good;
}
