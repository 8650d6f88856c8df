/* One collection: fetched into a file that survives interruptions, checked whole, then used.
 *
 * documents/HASH.part has the bytes so far, HASH.etag the validator under which they came: a strong
 * one, so that If-Range makes the server send the rest of the same bytes or all of the new ones. */
#include "batch/sync/sync.h"
#include "batch/io/io.h"
#include "batch/collection/collection.h"
#include "http/http.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 5 };

enum { PART_NAME = 128 };

static const char *part_name(char text[PART_NAME], struct adit_str url, const char *suffix)
{
    uint8_t hash[ADIT_SHA256_LEN];
    struct adit_buf b = {.p = text, .cap = PART_NAME - 1, .max = PART_NAME - 1};
    adit_sha256_of(url, hash);
    adit_buf_lit(&b, "documents/");
    adit_buf_hex(&b, hash, sizeof hash);
    adit_buf_lit(&b, suffix);
    text[b.len] = 0;
    return text;
}

void sync_scp_forget(struct sync *s, struct adit_str url)
{
    static const char *const suffixes[] = {".part", ".etag"};
    for (size_t i = 0; i < ADIT_COUNT(suffixes); i++) {
        char text[PART_NAME];
        const char *last;
        int folder = below_parent(s->folder, part_name(text, url, suffixes[i]), false, &last);
        if (folder < 0) continue;
        unlinkat(folder, last, 0);
        close(folder);
    }
}

/* --- fetching --------------------------------------------------------------------------------- */

struct download {
    struct adit_sink sink;
    struct sync *s;
    const struct sync_scp_file *f;
    const char *path;
    char part[PART_NAME], etag_name[PART_NAME];
    int fd;
    enum fetch_error error;
    unsigned status;
    uint64_t have, total; /* bytes of the part; of the whole, if 416 said so */
    struct adit_str etag, last_modified, type;
};

static enum adit_code write_part(struct adit_sink *sink, const char *p, size_t len)
{
    struct download *d = (struct download *)sink;
    while (len) {
        ssize_t n = write(d->fd, p, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            cli_say(d->path, "%s", strerror(errno));
            d->s->out_failed = true;
            return ADIT_EIO;
        }
        p += n, len -= (size_t)n;
    }
    return ADIT_OK;
}

static struct adit_sink *on_head(void *user, const struct fetch_reply *r)
{
    struct download *d = user;
    if (r->status != 200 && r->status != 206) return NULL;
    if (r->status == 200) {
        struct adit_str etag = sync_field(r, "etag");
        if (ftruncate(d->fd, 0) != 0 || lseek(d->fd, 0, SEEK_SET) != 0) d->s->out_failed = true;
        if (!output_file(sync_path_new(d->s, d->etag_name), etag, true)) d->s->out_failed = true;
    } else {
        lseek(d->fd, (off_t)r->range_first, SEEK_SET);
    }
    d->sink = (struct adit_sink){write_part, NULL};
    return &d->sink;
}

static void on_done(void *user, const struct fetch_reply *r)
{
    struct download *d = user;
    d->error = r->error, d->status = r->status;
    d->total = r->range_total > 0 ? (uint64_t)r->range_total : 0;
    d->etag = adit_arena_dup(&d->s->arena, sync_field(r, "etag"), NULL);
    d->last_modified = adit_arena_dup(&d->s->arena, sync_field(r, "last-modified"), NULL);
    d->type = adit_arena_dup(&d->s->arena, sync_field(r, "content-type"), NULL);
    sync_robots_keep(d->s, r->url);
}

static uint64_t size_of(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static bool read_etag(struct download *d, struct adit_buf *etag)
{
    return sync_store_has(d->s, d->etag_name) && cli_read(sync_path(d->s, d->etag_name), etag) &&
           etag->len > 2 && etag->p[0] == '"' && adit_header_sendable(adit_buf_str(etag));
}

static void ask(struct download *d, const struct sync_resource *known, uint64_t room)
{
    struct adit_buf etag;
    adit_buf_init(&etag, cli_mem, ADIT_LIMIT_header_value);
    struct fetch_request q = {.url = d->f->url,
                              .raw = true,
                              .follow = FETCH_FOLLOW_ANY,
                              .accept = ADIT_STR("application/scp"),
                              .max_bytes = room};
    d->have = size_of(d->fd);
    if (d->have && read_etag(d, &etag)) {
        q.resume_from = d->have;
        q.if_range = adit_buf_str(&etag);
    } else if (known) {
        q.if_none_match = known->etag, q.if_modified_since = known->last_modified;
    }
    d->error = FETCH_MEMORY;
    if (fetch_start(d->s->fetch, &q, on_head, on_done, d)) fetch_run(d->s->fetch);
    adit_buf_free(&etag);
}

static bool may_go_on(const struct download *d)
{
    return d->error == FETCH_CUT_OFF || d->error == FETCH_TIMEOUT || d->error == FETCH_CONNECT ||
           d->error == FETCH_REPLY;
}

static bool transfer(struct download *d, const struct sync_resource *known, uint64_t room)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        ask(d, known, room);
        /* The part is all there is: the last run was killed after the last byte. */
        if (!d->error && d->status == 416 && d->total && d->total == d->have) return true;
        if (!d->error && d->status == 416) {
            if (ftruncate(d->fd, 0) != 0) return false;
            continue;
        }
        if (!d->error || !may_go_on(d) || size_of(d->fd) <= d->have) break;
    }
    return !d->error && (d->status == 200 || d->status == 206 || d->status == 304);
}

static void note(struct sync *s, const struct download *d)
{
    struct sync_resource *e = sync_state_add_resource(&s->state, d->f->url, &s->arena);
    if (!adit_str_ieq(adit_media_type(d->type), ADIT_STR("application/scp")))
        sync_violation(s, SYNC_SCP_TYPE, d->f->url, d->type);
    if (!d->etag.len && !d->last_modified.len)
        sync_violation(s, SYNC_SCP_ETAG, d->f->url, (struct adit_str){0});
    if (!e) return;
    e->etag = d->etag, e->last_modified = d->last_modified;
    e->status = 200, e->fetched = s->now, e->until = 0;
}

/* Validators count only if the section is where that collection had brought it. */
static const struct sync_resource *known_version(struct sync *s, const struct sync_scp_file *f)
{
    const struct sync_resource *e = sync_state_resource(&s->state, f->url);
    return e && e->status == 200 && !f->delta &&
                   sync_state_section(&s->state, f->section, false, &s->arena)
               ? e
               : NULL;
}

const char *sync_scp_fetch(struct sync *s, const struct sync_scp_file *f)
{
    struct download d = {.s = s, .f = f};
    uint64_t used = sync_store_bytes(s);
    if (used > s->o.quota || f->size > s->o.quota - used) {
        cli_say(NULL, "%.*s has %llu bytes: more than --quota leaves", (int)f->url.len, f->url.p,
                (unsigned long long)f->size);
        s->report.lost++;
        return NULL;
    }
    part_name(d.etag_name, f->url, ".etag");
    d.path = sync_path(s, part_name(d.part, f->url, ".part"));
    d.fd = sync_store_file(s, d.part, O_RDWR);
    if (d.fd < 0) {
        cli_say(d.path, "%s", below_why(errno));
        s->out_failed = true;
        return NULL;
    }
    bool good = transfer(&d, known_version(s, f), s->o.quota - used);
    bool unchanged = good && d.status == 304;
    if (good && !unchanged) fsync(d.fd);
    close(d.fd);
    if (!good) {
        bool foreign = d.error == FETCH_ORIGIN || d.error == FETCH_REDIRECT_ORIGIN;
        if (foreign) sync_violation(s, SYNC_SCP_ORIGIN, f->url, adit_url_origin(f->url));
        sync_failed(s,
                    &(struct fetch_reply){.error = d.error, .status = d.status, .asked = f->url});
        return NULL;
    }
    if (!unchanged) note(s, &d);
    return unchanged ? "" : d.path;
}

/* --- checking --------------------------------------------------------------------------------- */

struct judging {
    struct sync *s;
    const struct sync_scp_file *f;
    bool seen[ADIT_SCP_RULES];
};

static void on_finding(void *ctx, const struct adit_finding *finding)
{
    struct judging *j = ctx;
    const struct adit_rule *rule = finding->rule;
    bool *seen = &j->seen[rule - adit_scp_rules];
    char text[300];
    if (rule->severity == ADIT_RULE_WARN || *seen) return;
    *seen = true;
    snprintf(text, sizeof text, "line %llu: %s [%s]", (unsigned long long)finding->line, rule->what,
             rule->name);
    bool fatal = rule->severity == ADIT_RULE_FATAL || rule->severity == ADIT_RULE_LINE;
    sync_violation(j->s, fatal ? SYNC_COLLECTION : SYNC_PAGES, j->f->url, adit_str_z(text));
}

/* Line 1 against what the sitemap says: an older file under a new name is a replay. */
static bool check_meta(struct sync *s, const struct sync_scp_file *f, const struct adit_scp_meta *m)
{
    enum { DAY = 24 * 3600 };
    int by_time = adit_time_cmp(m->generated_at, f->generated);
    const char *what = NULL;
    if (!adit_str_eq(m->section, f->section)) what = "another section";
    if (m->delta != f->delta) what = "another type";
    if (by_time > 0) what = "another time of generation";
    if (f->delta && adit_time_cmp(m->since_at, f->since) > 0) what = "a later begin";
    if (m->generated_at.s > s->now + DAY)
        sync_violation(s, SYNC_FUTURE, f->url, m->generated);
    else if (m->generated_at.s < s->now - s->o.max_age_s)
        sync_violation(s, SYNC_STALE, f->url, m->generated);
    else if (by_time < 0)
        sync_violation(s, SYNC_REPLAY, f->url, m->generated);
    else if (what)
        sync_violation(s, SYNC_DIFFERS, f->url, adit_str_z(what));
    else
        return true;
    return false;
}

bool sync_scp_check(struct sync *s, const struct sync_scp_file *f, const char *path)
{
    struct judging j = {.s = s, .f = f};
    struct adit_scp_limits limits = adit_scp_limits;
    limits.now = (struct adit_time){s->now, 0};
    struct collection_options how = {.report = on_finding, .ctx = &j, .limits = &limits};
    struct collection *c = collection_open(path, &how);
    struct adit_scp_page page;
    bool good = c && !collection_failed(c) && check_meta(s, f, collection_meta(c));
    if (good) {
        while (collection_next(c, &page)) continue;
        good = !collection_failed(c);
        const struct collection_counts *n = collection_counts(c);
        if (good && n->pages + n->skipped != f->pages)
            sync_violation(s, SYNC_DIFFERS, f->url, ADIT_STR("another number of pages"));
        if (good && n->bytes_encoded != f->size)
            sync_violation(s, SYNC_DIFFERS, f->url, ADIT_STR("another size"));
    }
    collection_close(c);
    if (!good) {
        s->report.lost++;
        sync_scp_forget(s, f->url);
    }
    return good;
}

/* --- using ------------------------------------------------------------------------------------ */

/* Of the site itself, allowed, and nothing in it that a record could not keep. */
static bool is_usable(struct sync *s, const struct sync_scp_file *f, struct adit_str url)
{
    if (url.len > ADIT_LIMIT_url_bytes) return false;
    for (size_t i = 0; i < url.len; i++)
        if ((unsigned char)url.p[i] <= ' ' || url.p[i] == 127) return false;
    if (!sync_is_own(s, url)) {
        sync_violation(s, SYNC_SCP_FOREIGN, f->url, url);
        return false;
    }
    if (sync_robots_allow(s, url)) return true;
    s->report.robots++;
    return false;
}

bool sync_scp_apply(struct sync *s, const struct sync_scp_file *f, const char *path)
{
    struct collection_options how = {.quiet = true};
    struct collection *c = collection_open(path, &how);
    struct adit_scp_page page;
    struct adit_arena arena;
    struct adit_buf line;
    uint64_t n_pages = 0;
    bool good = c != NULL;
    adit_arena_init(&arena, cli_mem, 1 << 20);
    adit_buf_init(&line, cli_mem, ADIT_LIMIT_scp_line);
    while (good && collection_next(c, &page)) {
        struct adit_str pieces[3];
        if (!is_usable(s, f, page.url)) continue;
        n_pages++;
        adit_arena_reset(&arena);
        adit_buf_clear(&line);
        size_t n = adit_scp_page_pieces(&page, false, pieces);
        for (size_t i = 0; i < n; i++) adit_buf_add(&line, pieces[i]);
        struct copy_page state = {
            .url = page.url,
            .via = ADIT_STR("scp"),
            .status = ADIT_STR("held"),
            .modified = adit_json_text(page.members[ADIT_SCP_MODIFIED], &arena, NULL),
            .section = f->section,
            .checked = s->now_text,
        };
        good = !line.err && sync_change(s, SYNC_NEWER, false, &state, adit_buf_str(&line));
    }
    good = good && !collection_failed(c);
    collection_close(c);
    adit_arena_free(&arena);
    adit_buf_free(&line);
    if (good) s->report.collections++;
    if (good && n_pages > s->report.listed) s->report.listed = n_pages;
    return good;
}
