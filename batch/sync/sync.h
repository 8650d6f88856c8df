/* sync: the agent: keeps a local collection of a site up to date by TCT, by SCP, or, where both
 * fail, by fetching and converting HTML.
 *
 *   discover ─▶ policy ─▶ plan (what is listed, what is held) ─▶ fetch, verify ─▶ journal ─▶ merge
 *
 * The folder (store) holds the collection, a line of state a page, the state of the site, and
 * documents with their validators. Whatever the source, changes are records sorted by URL and
 * merged with what is held in one pass; the result appears in one step.
 */
#ifndef ADIT_SYNC_H
#define ADIT_SYNC_H

#include "batch/changes/changes.h"
#include "batch/collection/collection.h"
#include "batch/cli/cli.h"
#include "batch/fetch/fetch.h"
#include "batch/io/io.h"
#include "base/base.h"
#include "http/http.h"
#include "tct/tct.h"

#include <stdio.h>

/* --- report (report.c) ------------------------------------------------------------------------ */

enum sync_rule_id {
#define SYNC_RULE_ENUM(id, name, level, what, advice) SYNC_##id,
    ADIT_SITE_RULES(SYNC_RULE_ENUM)
#undef SYNC_RULE_ENUM
        SYNC_RULES_N
};

enum { SYNC_EXAMPLES = 20 }; /* examples that the report keeps of a rule */

struct sync_example {
    struct adit_str url, detail;
};

struct sync_report {
    struct {
        uint64_t n;
        struct sync_example examples[SYNC_EXAMPLES];
    } rules[SYNC_RULES_N];
    uint64_t listed; /* pages that the site lists */
    uint64_t added, updated, deleted;
    uint64_t zero_fetch;   /* unchanged by what the sitemap says: no request */
    uint64_t not_modified; /* pages: 304 */
    uint64_t fetched;      /* pages: new bodies */
    uint64_t noindex, gone, robots;
    uint64_t personal;    /* pages of somebody's own: not kept */
    uint64_t verified;    /* signatures */
    uint64_t left;        /* tasks for the next run */
    uint64_t lost;        /* pages and collections that could not be taken */
    uint64_t collections; /* SCP files applied */
    const char *via;      /* "tct", "scp", "html", "nothing" */
    const char *why;      /* a constant: why this way, or NULL */
    const char *unusable; /* a constant: why the JSON sitemap is of no use, or NULL */
    uint64_t foreign;     /* entries of another origin */
};

struct sync;
/* url and detail are copied. */
void sync_violation(struct sync *s, enum sync_rule_id rule, struct adit_str url,
                    struct adit_str detail);
/* What could not be fetched, with its reason; counts as lost. */
void sync_failed(struct sync *s, const struct fetch_reply *r);
void sync_add_counts(struct fetch_counts *sum, const struct fetch_counts *more);
void sync_report_print(struct sync *s);
void sync_rules_print(void);
bool sync_has_violations(const struct sync *s); /* of level MUST */

/* --- the site's state (state.c) --------------------------------------------------------------- */

/* A document that was fetched: its validators, and its body as a file of the store. */
struct sync_resource {
    struct adit_str url, etag, last_modified, type, link, file;
    struct adit_str at; /* where it was after redirects, if elsewhere */
    int64_t until;      /* Unix seconds: no need to ask before */
    int64_t fetched;    /* the last answer, 304 included */
    uint64_t status;
    bool asked; /* in this run: not stored */
};

struct sync_section {
    struct adit_str name, generated; /* RFC 3339: how far the collections have been applied */
    int64_t snapshot;                /* Unix seconds: when a snapshot was last applied */
};

enum { SYNC_XML_MAX = 16, SYNC_SECTIONS_MAX = 256, SYNC_RESOURCES_MAX = 4096 };

struct sync_state {
    struct adit_str origin, start;
    struct adit_str via;               /* of the last run */
    struct adit_str tct, policy;       /* URLs; empty: there is none */
    struct adit_str m_url, m_page;     /* a machine view that was found, and its page */
    struct adit_str xml[SYNC_XML_MAX]; /* XML sitemaps */
    size_t n_xml;
    int64_t discovered;  /* Unix seconds; 0: never */
    uint64_t sought_tct; /* 1: the discovery at `discovered` looked for a JSON sitemap */
    uint64_t is_signed;  /* 1: its machine views are */
    uint64_t later;      /* 1: the site has once named a later draft of TCT: no path is guessed */
    struct sync_resource *resources;
    size_t n_resources;
    struct sync_section *sections;
    size_t n_sections;
    uint64_t pages;                        /* held */
    uint64_t html_pages, html_bytes;       /* HTML seen: what pages cost that way */
    uint64_t payload_pages, payload_bytes; /* payloads, as sent */
    int64_t day;                           /* since when requests are counted */
    uint64_t day_requests;
};

/* Everything is in the arena. False: it is not ours, or malformed (*err says what). */
bool sync_state_read(struct sync_state *st, struct adit_str json, struct adit_arena *arena,
                     struct adit_error *err);
void sync_state_write(const struct sync_state *st, struct adit_buf *out);
struct sync_resource *sync_state_resource(struct sync_state *st, struct adit_str url);
struct sync_resource *sync_state_add_resource(struct sync_state *st, struct adit_str url,
                                              struct adit_arena *arena);
struct sync_section *sync_state_section(struct sync_state *st, struct adit_str name, bool add,
                                        struct adit_arena *arena);

/* --- the folder (store.c) --------------------------------------------------------------------- */

/* Makes and locks the folder, ends what a killed run had begun, reads the state. False: said. */
bool sync_store_open(struct sync *s);
void sync_store_close(struct sync *s);
/* A name in the folder, NUL-terminated, in the arena. */
const char *sync_path(struct sync *s, const char *name);
/* The same for a file that is about to be written whole: a link in its place is removed. */
const char *sync_path_new(struct sync *s, const char *name);
/* Opens a file of the folder that is written piece by piece, and makes it; as openat. A link in its
 * place, a hard one too, is replaced. */
int sync_store_file(struct sync *s, const char *name, int flags);
bool sync_store_has(struct sync *s, const char *name); /* a file, no link */
/* Saves the state alone. */
bool sync_store_save(struct sync *s);
/* Files NAME.new of the collection, the pages and the state take the places of the old ones, all or
 * none, and the journal is gone. */
bool sync_store_commit(struct sync *s);
/* Removes documents that the state no longer names. */
void sync_store_clean(struct sync *s);
uint64_t sync_store_bytes(struct sync *s);

/* --- changes (change.c, merge.c) -----------------------------------------------------------------
 *
 * A change of a page: its new state and, unless it is unchanged or gone, its new line. Those that
 * cost a request are written to a journal as they come, so that a killed run loses none. */

enum sync_change {
    SYNC_PUT,   /* with a line: the page is that now; without: only its state */
    SYNC_NEWER, /* the same, if modified is later than that of the held page (SCP) */
    SYNC_DROP   /* neither line nor state stay */
};

bool sync_change(struct sync *s, enum sync_change how, bool journal, const struct copy_page *page,
                 struct adit_str line);
/* One record of the sorted changes. */
struct sync_record {
    struct adit_str url, state, line;
    enum sync_change how;
};
bool sync_record_read(struct adit_str text, struct sync_record *r);
/* A line of the journal; false: it is not whole. Strings lie in text or in the arena. */
bool sync_journal_line(struct adit_str text, struct adit_arena *arena, struct adit_buf *scratch,
                       struct copy_page *page, struct sync_record *r);
/* Puts what a killed run had fetched among the changes. */
bool sync_journal_read(struct sync *s);

/* A snapshot that was applied: pages of its section that have no change are gone. */
struct sync_snapshot {
    struct adit_str section;
    struct adit_time generated;
};
/* Merges all changes with what is held; the store then has the result. False: said. */
bool sync_merge(struct sync *s, const struct sync_snapshot *snapshots, size_t n);

/* --- lists and tasks (plan.c) --------------------------------------------------------------------
 *
 * What the site lists, in any order, is sorted and compared with the state of the pages: what has
 * to be asked for are tasks, in a file without a name, so that any number takes no memory. */

struct sync_list {
    struct sync *s;
    bool tct;      /* by contentHash; else by lastmod */
    bool complete; /* all of it was read: what is held and not listed is gone */
    struct sorter *items;
    FILE *tasks;
    char *line; /* of the last task read */
    size_t line_cap;
    uint64_t n, n_tasks, n_zero, n_started, n_done, n_read;
    uint64_t every;     /* only every n-th task is taken; 0: all */
    uint64_t n_missing; /* tasks without a machine view */
    bool stopped;       /* no more tasks are begun */
};

struct sync_task {
    struct adit_str url, m_url, modified, hash;                      /* as listed */
    struct adit_str via, status, etag, last_modified, held_modified; /* as held; empty: not held */
};

bool sync_list_open(struct sync_list *l, struct sync *s, bool tct);
bool sync_list_add(struct sync_list *l, struct adit_str url, struct adit_str m_url,
                   struct adit_str modified, struct adit_str hash);
/* Makes the tasks; pages that are gone become changes. */
bool sync_list_plan(struct sync_list *l);
/* The next task, valid until the next call. */
bool sync_list_next(struct sync_list *l, struct sync_task *t);
void sync_list_close(struct sync_list *l);

/* Works through the tasks, a few at a time: start begins the request of a task (false: there is
 * none, go on), done gets its answer and returns true when the task is finished, or false when it
 * has started another request for it. */
struct sync_job {
    struct sync *s;
    const struct sync_worker *worker;
    struct sync_list *list;
    struct sync_task task; /* slices of line */
    char *line;
    int stage;
    struct adit_str etag; /* kept by a worker between its requests; plan.c does not read it */
    /* --check: the page's Markdown alternate, and what its Markdown at the page's own URL was */
    struct adit_str twin, md_etag;
    bool markdown, html_varies;
};
struct sync_worker {
    bool (*start)(struct sync_job *job, struct fetch_request *q);
    bool (*done)(struct sync_job *job, const struct fetch_reply *r);
};
void sync_work(struct sync *s, struct sync_list *l, const struct sync_worker *w);
bool sync_job_again(struct sync_job *job, const struct fetch_request *q);
struct adit_str sync_clean_etag(struct adit_str etag); /* without W/ and quotes */

/* --- getting things (get.c) ------------------------------------------------------------------- */

struct sync_answer {
    enum fetch_error error;
    unsigned status;
    struct adit_str url, location, etag, last_modified, type, link, cache_control, vary;
    bool is_signed;
    uint64_t wire;
    struct adit_buf body;
};
/* One request, to its end; strings are in the run's arena. Free the body. */
void sync_get(struct sync *s, const struct fetch_request *q, struct sync_answer *a);
/* Lifetimes in seconds: not asked again before least, at the latest after most; between them the
 * answer's own max-age counts. */
struct sync_lifetime {
    int64_t least, most;
};
/* A document, from the store or the site: 200: *body has it; else the status, 0: failed (told).
 * *entry (may be NULL) says more. */
unsigned sync_document(struct sync *s, struct adit_str url, uint64_t max,
                       struct sync_lifetime lifetime, struct adit_buf *body,
                       struct sync_resource **entry);
/* A header field, empty if it has other characters than ASCII's; several joined with ", ". */
struct adit_str sync_field(const struct fetch_reply *r, const char *name);
struct adit_str sync_fields(const struct fetch_reply *r, const char *name,
                            struct adit_arena *arena);
/* robots.txt: what earlier runs know goes to the client, and back. */
void sync_robots_seed(struct sync *s);
void sync_robots_keep(struct sync *s, struct adit_str url);
/* Whether robots.txt allows the page itself, too: it is the site's word on all its views. */
bool sync_robots_allow(struct sync *s, struct adit_str url);

/* --- the run ---------------------------------------------------------------------------------- */

enum sync_via { SYNC_AUTO, SYNC_TCT, SYNC_SCP, SYNC_HTML };

struct sync_options {
    enum sync_via via;
    bool check, head, fresh, list, no_guess, trust_hash;
    unsigned purposes; /* bits of enum adit_tct_purpose */
    uint64_t quota;
    uint64_t sample; /* check: pages that are looked at */
    int64_t snapshot_every_s, max_age_s;
    const uint8_t *key; /* of signatures, ADIT_P256_PUBLIC bytes; NULL: what the site publishes */
    const char *changes_url; /* where the folder is published; NULL: no change lists */
    struct fetch_options fetch;
};

struct sync {
    const struct cli_args *args;
    struct sync_options o;
    struct adit_arena arena;
    struct sync_report report;
    struct sync_state state;
    struct adit_tct_policy policy;
    struct fetch *fetch;
    struct fetch_counts earlier; /* of a client that was closed */
    int64_t now;                 /* Unix seconds, of the beginning */
    struct adit_str now_text;    /* RFC 3339 */
    struct adit_str site;        /* the URL given, normalised */
    struct adit_str origin;
    char *dir;
    int folder, lock; /* dir, open; its lock */
    struct sorter *changes;
    uint64_t n_changes;
    FILE *journal;
    struct adit_buf record;
    struct adit_robots robots_rules;
    struct adit_str keys; /* the site's key directory, JSON; empty: none */
    bool has_robots, xml_told;
    uint64_t under_way;       /* tasks with a request */
    bool signals;             /* --check: a page says in its fields what it may be used for */
    bool out_failed;          /* the store could not be written */
    uint64_t stored, changed; /* bytes in the folder when the run began, and of changes since */
    bool full;                /* the quota is used up */
    enum fetch_error failure; /* of the last document that could not be had */
};

void sync_progress(struct sync *s, uint64_t done, uint64_t total);
/* Whether a URL is of the site's own origin. */
bool sync_is_own(const struct sync *s, struct adit_str url);

int sync_run(struct sync *s);       /* run.c */
int sync_check_run(struct sync *s); /* check.c: instead, with --check */
/* Whether the policy's number of requests a day leaves one. */
bool sync_may_ask(struct sync *s);

/* discovery (discover.c): fills the state's URLs; false: the site cannot be reached (said). */
bool sync_discover(struct sync *s);
/* The policy comes first: false: it forbids the purpose (said). */
bool sync_obey_policy(struct sync *s);
/* The page that Link fields name as canonical, in its normal form; empty: none. */
struct adit_str sync_canonical(struct adit_str fields, struct adit_str base_url,
                               struct adit_arena *arena);

/* payloads (payload.c) */
struct sync_verdict {
    struct sync *s;
    struct adit_arena *arena;
    struct adit_str url, m_url; /* the page that is expected, and where its view came from */
    struct adit_tct_view view;
    struct adit_str etag;
};
/* Reports what is wrong; false: it must not be used. */
bool sync_payload_verify(struct sync_verdict *v, const struct fetch_reply *r);
bool sync_payload_line(struct sync_verdict *v, struct adit_str modified, struct adit_buf *line);
/* signatures (signature.c) */
/* Gets the keys that the site publishes, where its machine views are signed. */
void sync_signature_keys(struct sync *s);
/* False: it must not be used (told). Without a signature or a known key there is nothing to say. */
bool sync_signature_verify(struct sync_verdict *v, const struct fetch_reply *r);
/* Whether the answer's fields let it be kept; what does not is counted as what it is. */
bool sync_may_keep(struct sync *s, const struct fetch_reply *r, struct adit_arena *arena);
/* `modified` of a page: RFC 3339 or HTTP dates by trust, held: of the page that it replaces. */
struct adit_str sync_modified(struct sync *s, const struct adit_str *candidates, size_t n,
                              struct adit_str held, struct adit_arena *arena);

/* TCT (tct.c): the list, what its tasks would cost in bytes, and the tasks themselves. A sitemap
 * without a usable item sets report.unusable, unless it could not be had and pages are held. */
bool sync_tct_fill(struct sync *s, struct sync_list *list);
uint64_t sync_tct_cost(const struct sync *s, const struct sync_list *list);
void sync_tct_run(struct sync *s, struct sync_list *list);

/* XML sitemaps (xml.c): what they say about collections, and the pages that they list. */
struct sync_scp_file {
    struct adit_str section, url, etag;
    bool delta;
    struct adit_time generated, since;
    uint64_t pages, size;
};
struct sync_scp {
    struct sync_scp_file *files;
    size_t n;
    bool any;    /* SCP elements, also malformed ones */
    bool failed; /* a sitemap could not be read */
};
enum { SYNC_COLLECTIONS_MAX = 10000 };
/* Reads all XML sitemaps; pages go to list unless that is NULL. */
bool sync_xml_read(struct sync *s, struct sync_scp *scp, struct sync_list *list);

/* SCP (scp.c): which files bring what is held up to date, and at what price. */
struct sync_scp_plan {
    const struct sync_scp_file **files; /* in the order in which they are applied */
    size_t n;
    uint64_t cost;
    bool available; /* there is something that can be followed */
};
bool sync_scp_choose(struct sync *s, const struct sync_scp *scp, bool snapshots,
                     struct sync_scp_plan *plan);
/* Fetches, checks and applies; false: at least one section could not be had that way. */
bool sync_scp_run(struct sync *s, const struct sync_scp *scp, const struct sync_scp_plan *plan);

/* One collection (scp_file.c): fetched (an interrupted download goes on), and checked: its
 * path, or NULL (told). "" means: what the site has is what was applied before. */
const char *sync_scp_fetch(struct sync *s, const struct sync_scp_file *f);
bool sync_scp_check(struct sync *s, const struct sync_scp_file *f, const char *path);
bool sync_scp_apply(struct sync *s, const struct sync_scp_file *f, const char *path);
/* The downloads are of no more use. */
void sync_scp_forget(struct sync *s, struct adit_str url);

/* HTML (html.c): pages that only exist as such. */
void sync_html_run(struct sync *s, struct sync_list *list);

/* Change lists of what is held (publish.c). since: the time of the collection before. *lists
 * is NULL when nobody asked for them. */
bool sync_publish_open(struct sync *s, struct adit_time since, struct changes **lists);
bool sync_publish(struct changes *lists);

#endif
