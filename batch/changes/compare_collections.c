/* Compares two collections, page by page. */
#include "batch/changes/changes.h"
#include "batch/collection/collection.h"

#include <stdio.h>

enum { OLD, NEW };

const char compare_signs[ADIT_RS_CHANGES] = {'+', '~', '-'};

bool compare_look(const struct compare *c, struct compare_times *times)
{
    const char *const paths[] = {c->old, c->new};
    struct adit_time *const at[] = {&times->old, &times->new};
    bool ok = true;
    for (size_t i = OLD; ok && i <= NEW; i++) {
        struct collection *in = collection_open(paths[i], NULL);
        ok = in && !collection_failed(in);
        if (ok) {
            const struct adit_scp_meta *m = collection_meta(in);
            *at[i] = m->generated_at;
            snprintf(times->section, sizeof times->section, "%.*s", (int)m->section.len,
                     m->section.p);
            if (m->delta) cli_say(paths[i], "is a delta; two snapshots are compared");
            ok = !m->delta;
        }
        collection_close(in);
    }
    if (ok && adit_time_cmp(times->old, times->new) > 0) {
        cli_say(c->new, "is older than %s; the old one comes first", c->old);
        ok = false;
    }
    return ok;
}

bool compare_note(struct compare *c, enum adit_rs_change change, struct adit_str url,
                  struct adit_str lastmod)
{
    c->counts[change]++;
    cli_tell(c->told, compare_signs[change], url);
    if (c->engines) adit_indexnow_add(c->engines, url);
    return !c->changes || changes_add(c->changes, url, change, lastmod);
}

static bool note_page(struct compare *c, enum adit_rs_change change,
                      const struct adit_scp_page *page)
{
    struct adit_str lastmod = {0};
    if (change != ADIT_RS_DELETED) lastmod = adit_json_inside(page->members[ADIT_SCP_MODIFIED]);
    return compare_note(c, change, page->url, lastmod);
}

static bool pair(struct compare *c, const struct join *j, size_t n)
{
    bool old = j->group[0] == OLD, new = j->group[n - 1] == NEW;
    if (new && c->changes &&
        !changes_page(c->changes, j->at[NEW].url,
                      adit_json_inside(j->at[NEW].members[ADIT_SCP_MODIFIED])))
        return false;
    if (!new) return note_page(c, ADIT_RS_DELETED, &j->at[OLD]);
    if (!old) return note_page(c, ADIT_RS_CREATED, &j->at[NEW]);
    if (!adit_scp_page_same(&j->at[OLD], &j->at[NEW]))
        return note_page(c, ADIT_RS_UPDATED, &j->at[NEW]);
    c->unchanged++;
    return true;
}

static int walk(struct compare *c, struct pages **inputs)
{
    struct join j;
    bool ok = true;
    if (!join_open(&j, inputs, 2)) return CLI_OUTPUT;
    for (size_t n; ok && (n = join_next(&j)) > 0;) ok = pair(c, &j, n);
    join_close(&j);
    if (!ok) return CLI_OUTPUT;
    for (size_t i = OLD; i <= NEW; i++) {
        c->skipped += collection_counts(pages_collection(inputs[i]))->skipped;
        if (pages_unsorted(inputs[i])) c->unsorted = true;
        if (pages_failed(inputs[i])) ok = false;
    }
    return ok || c->unsorted ? CLI_OK : CLI_INVALID;
}

int compare_collections(struct compare *c)
{
    struct pages_options o = {.sort = c->sort, .memory = c->memory, .temp = c->temp};
    struct pages *inputs[] = {pages_open(c->old, &o), pages_open(c->new, &o)};
    int code = inputs[OLD] && inputs[NEW] ? walk(c, inputs) : CLI_INVALID;
    pages_close(inputs[OLD]), pages_close(inputs[NEW]);
    return code;
}
