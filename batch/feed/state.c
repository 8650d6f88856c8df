/* What earlier runs have seen and written: a JSON file. */
#include "batch/feed/feed.h"
#include "crypto/crypto.h"
#include "json/json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STATE_MAX = 256 << 20, ARCHIVES_MAX = 100000000 };

struct feed_record *feed_state_record(struct feed_state *s, struct adit_str id)
{
    for (size_t i = 0; i < s->n; i++)
        if (adit_str_eq(s->v[i].id, id)) return &s->v[i];
    if (s->n == s->cap) return NULL;
    s->v[s->n] = (struct feed_record){.id = adit_arena_dup(&s->arena, id, NULL)};
    return &s->v[s->n++];
}

bool feed_record_add(struct feed_state *s, struct feed_record *r, const struct adit_atom_entry *e)
{
    bool ok = true;
    if (r->n_entries == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 64;
        struct adit_atom_entry *v = adit_arena_zalloc(&s->arena, cap, sizeof *v);
        if (!v) return false;
        if (r->n_entries) memcpy(v, r->entries, r->n_entries * sizeof *v);
        r->entries = v, r->cap = cap;
    }
    if (r->n_entries) memmove(r->entries + 1, r->entries, r->n_entries * sizeof *r->entries);
    r->entries[0] = (struct adit_atom_entry){
        .id = adit_arena_dup(&s->arena, e->id, &ok),
        .title = adit_arena_dup(&s->arena, e->title, &ok),
        .updated = adit_arena_dup(&s->arena, e->updated, &ok),
        .link = adit_arena_dup(&s->arena, e->link, &ok),
        .html = adit_arena_dup(&s->arena, e->html, &ok),
    };
    if (ok) r->n_entries++;
    return ok;
}

bool feed_record_documents(struct feed_state *s, struct feed_record *r,
                           const struct feed_validator *v, size_t n)
{
    bool ok = true;
    r->n_documents = 0;
    r->documents = adit_arena_zalloc(&s->arena, n, sizeof *r->documents);
    for (size_t i = 0; r->documents && i < n; i++)
        r->documents[r->n_documents++] = (struct feed_validator){
            .url = adit_arena_dup(&s->arena, v[i].url, &ok),
            .etag = adit_arena_dup(&s->arena, v[i].etag, &ok),
            .last_modified = adit_arena_dup(&s->arena, v[i].last_modified, &ok),
        };
    return ok && r->documents;
}

/* --- reading ---------------------------------------------------------------------------------- */

static struct adit_str text_member(struct feed_state *s, struct adit_json_value v, const char *key)
{
    return adit_arena_dup(&s->arena,
                          adit_json_text(adit_json_get(v, adit_str_z(key)), &s->arena, NULL), NULL);
}

static bool read_entry(struct feed_state *s, struct feed_record *r, struct adit_json_value v)
{
    struct adit_atom_entry e = {.id = text_member(s, v, "id"),
                                .title = text_member(s, v, "title"),
                                .updated = text_member(s, v, "updated"),
                                .link = text_member(s, v, "link"),
                                .html = text_member(s, v, "html")};
    struct adit_time t;
    return e.id.len && adit_time_parse(e.updated, &t) && feed_record_add(s, r, &e);
}

static bool read_seen(struct feed_state *s, struct feed_record *r, struct adit_json_value list)
{
    struct adit_json_member m;
    size_t n = 0;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);) n++;
    if (n > FEED_SEEN_MAX) return false;
    r->seen = adit_arena_zalloc(&s->arena, n, sizeof *r->seen);
    if (!r->seen) return false;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m);) {
        uint8_t b[8];
        if (!adit_hex_decode(adit_json_inside(m.value), b, sizeof b)) return false;
        for (size_t i = 0; i < sizeof b; i++) r->seen[r->n_seen] = r->seen[r->n_seen] << 8 | b[i];
        r->n_seen++;
    }
    return true;
}

static bool read_documents(struct feed_state *s, struct feed_record *r, struct adit_json_value list)
{
    struct feed_validator v[FEED_VALIDATORS_MAX];
    struct adit_json_member m;
    size_t n = 0;
    for (struct adit_json_iter it = adit_json_iter(list); adit_json_next(&it, &m); n++) {
        if (n == FEED_VALIDATORS_MAX) return false;
        v[n] = (struct feed_validator){.url = text_member(s, m.value, "url"),
                                       .etag = text_member(s, m.value, "etag"),
                                       .last_modified = text_member(s, m.value, "last_modified")};
    }
    return feed_record_documents(s, r, v, n);
}

static bool read_record(struct feed_state *s, struct adit_json_value v)
{
    struct adit_str id = text_member(s, v, "id"), mark = text_member(s, v, "mark");
    struct feed_record *r = id.len ? feed_state_record(s, id) : NULL;
    if (!r) return false;
    r->title = text_member(s, v, "title"), r->author = text_member(s, v, "author");
    r->has_mark = mark.len > 0;
    if (mark.len && !adit_time_parse(mark, &r->mark)) return false;
    r->seen_all = adit_json_get(v, ADIT_STR("seen_all")).kind == ADIT_JSON_TRUE;
    struct adit_json_value archives = adit_json_get(v, ADIT_STR("archives"));
    if (archives.kind && !adit_json_u64(archives, &r->archives)) return false;
    if (r->archives > ARCHIVES_MAX) return false; /* it becomes part of a file name, and grows */
    if (!read_seen(s, r, adit_json_get(v, ADIT_STR("seen"))) ||
        !read_documents(s, r, adit_json_get(v, ADIT_STR("documents"))))
        return false;
    /* The file has the oldest first, so that each comes in front. */
    struct adit_json_member m;
    struct adit_json_iter it = adit_json_iter(adit_json_get(v, ADIT_STR("entries")));
    while (adit_json_next(&it, &m))
        if (!read_entry(s, r, m.value)) return false;
    return true;
}

static bool read_all(struct feed_state *s, struct adit_str bytes)
{
    struct adit_json_value root, feeds;
    struct adit_json_member m;
    uint64_t version = 0;
    if (adit_json_check(bytes, &root, NULL) || root.kind != ADIT_JSON_OBJECT) return false;
    if (!adit_json_u64(adit_json_get(root, ADIT_STR("version")), &version) || version != 1)
        return false;
    feeds = adit_json_get(root, ADIT_STR("feeds"));
    for (struct adit_json_iter it = adit_json_iter(feeds); adit_json_next(&it, &m);)
        if (!read_record(s, m.value)) return false;
    return true;
}

/* Whether there is a state to be read; *wrong: something else than a file of ours is in its place.
 */
static bool is_there(const struct feed_state *s, const char *path, bool *wrong)
{
    struct stat st;
    *wrong = false;
    if (!path || (s->own ? lstat(path, &st) : stat(path, &st)) != 0) return false;
    *wrong = s->own && !S_ISREG(st.st_mode);
    if (*wrong) cli_say(path, "is not a file that adit feed makes; --state FILE names another one");
    return !*wrong;
}

bool feed_state_read(struct feed_state *s, const char *path)
{
    bool wrong;
    struct adit_buf b;
    adit_arena_init(&s->arena, cli_mem, STATE_MAX);
    s->cap = (size_t)4 * FEED_COLLECTIONS_MAX;
    s->v = adit_arena_zalloc(&s->arena, s->cap, sizeof *s->v);
    if (!s->v) return false;
    if (!is_there(s, path, &wrong)) return !wrong;
    adit_buf_init(&b, cli_mem, STATE_MAX);
    bool ok = cli_read(path, &b);
    if (ok && !read_all(s, adit_buf_str(&b))) {
        cli_say(path, "is no state of adit feed; remove it to begin anew");
        ok = false;
    }
    adit_buf_free(&b);
    return ok;
}

void feed_state_free(struct feed_state *s) { adit_arena_free(&s->arena); }

/* --- writing ---------------------------------------------------------------------------------- */

static void write_time(struct adit_json_writer *w, const char *key, struct adit_time t)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, 64);
    adit_time_write(&b, t);
    adit_json_member(w, key, adit_buf_str(&b));
    adit_buf_free(&b);
}

static void write_seen(struct adit_json_writer *w, const struct feed_record *r)
{
    adit_json_key(w, "seen");
    adit_json_open(w, '[');
    for (size_t i = 0; i < r->n_seen; i++) {
        uint8_t b[8];
        char hex[16];
        struct adit_buf text = {.p = hex, .cap = sizeof hex, .max = sizeof hex};
        for (size_t k = 0; k < sizeof b; k++) b[k] = (uint8_t)(r->seen[i] >> (56 - 8 * k));
        adit_buf_hex(&text, b, sizeof b);
        adit_json_string(w, adit_buf_str(&text));
    }
    adit_json_close(w, ']');
}

static void write_documents(struct adit_json_writer *w, const struct feed_record *r)
{
    adit_json_key(w, "documents");
    adit_json_open(w, '[');
    for (size_t i = 0; i < r->n_documents; i++) {
        adit_json_open(w, '{');
        adit_json_member(w, "url", r->documents[i].url);
        adit_json_member_opt(w, "etag", r->documents[i].etag);
        adit_json_member_opt(w, "last_modified", r->documents[i].last_modified);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
}

static void write_record(struct adit_json_writer *w, const struct feed_record *r)
{
    adit_json_open(w, '{');
    adit_json_member(w, "id", r->id);
    adit_json_member_opt(w, "title", r->title);
    adit_json_member_opt(w, "author", r->author);
    if (r->has_mark) write_time(w, "mark", r->mark);
    adit_json_key(w, "archives"), adit_json_uint(w, r->archives);
    if (r->seen_all) adit_json_key(w, "seen_all"), adit_json_bool(w, true);
    write_seen(w, r);
    write_documents(w, r);
    adit_json_key(w, "entries");
    adit_json_open(w, '[');
    for (size_t i = r->n_entries; i-- > 0;) {
        const struct adit_atom_entry *e = &r->entries[i];
        adit_json_open(w, '{');
        adit_json_member(w, "id", e->id);
        adit_json_member(w, "title", e->title);
        adit_json_member(w, "updated", e->updated);
        adit_json_member_opt(w, "link", e->link);
        adit_json_member(w, "html", e->html);
        adit_json_close(w, '}');
    }
    adit_json_close(w, ']');
    adit_json_close(w, '}');
}

bool feed_state_write(const struct feed_state *s, const char *path)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, STATE_MAX);
    struct adit_json_writer w = {.out = &b};
    adit_json_open(&w, '{');
    adit_json_key(&w, "version"), adit_json_uint(&w, 1);
    adit_json_key(&w, "feeds");
    adit_json_open(&w, '[');
    for (size_t i = 0; i < s->n; i++) write_record(&w, &s->v[i]);
    adit_json_close(&w, ']');
    adit_json_close(&w, '}');
    adit_buf_byte(&b, '\n');
    bool ok = !b.err && (!s->own || feed_own(path)) && output_file(path, adit_buf_str(&b), s->own);
    if (b.err) cli_say(path, "the state is too large");
    adit_buf_free(&b);
    return ok;
}
