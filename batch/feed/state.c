/* What earlier runs have seen and written: a JSON file. */
#include "batch/feed/feed.h"
#include "crypto/crypto.h"
#include "json/json.h"

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
    struct adit_atom_entry *v =
        adit_arena_grow(&s->arena, r->entries, r->n_entries, &r->cap, sizeof *v);
    if (!v) return false;
    r->entries = v;
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

const struct feed_text *feed_record_text(const struct feed_record *r, struct adit_str url)
{
    for (size_t i = 0; i < r->n_texts; i++)
        if (adit_str_eq(r->texts[i].url, url)) return &r->texts[i];
    return NULL;
}

bool feed_record_keep(struct feed_state *s, struct feed_record *r, const struct feed_text *text)
{
    const struct feed_text *old = feed_record_text(r, text->url);
    struct feed_text *v = adit_arena_zalloc(&s->arena, FEED_PAGES_MAX, sizeof *v);
    bool ok = v != NULL;
    size_t n = 0;
    if (ok && text->text.len)
        v[n++] = (struct feed_text){
            .url = adit_arena_dup(&s->arena, text->url, &ok),
            .title = adit_arena_dup(&s->arena, text->title, &ok),
            .text = adit_arena_dup(&s->arena, text->text, &ok),
        };
    for (size_t i = 0; ok && i < r->n_texts && n < FEED_PAGES_MAX; i++)
        if (&r->texts[i] != old) v[n++] = r->texts[i];
    if (ok) r->texts = v, r->n_texts = n;
    return ok;
}

/* --- the file --------------------------------------------------------------------------------- */

#define ENTRY(name, flags) ADIT_ROW(#name, struct adit_atom_entry, name, TEXT, flags)
static const struct adit_json_row entry_rows[] = {
    {ENTRY(id, ADIT_ROW_NEEDED)},
    {ENTRY(title, 0)},
    {ENTRY(updated, ADIT_ROW_NEEDED), .fits = adit_is_time},
    {ENTRY(link, ADIT_ROW_SPARSE)},
    {ENTRY(html, 0)},
    {0},
};
#define DOCUMENT(name, flags) {ADIT_ROW(#name, struct feed_validator, name, TEXT, flags)}
static const struct adit_json_row document_rows[] = {DOCUMENT(url, 0),
                                                     DOCUMENT(etag, ADIT_ROW_SPARSE),
                                                     DOCUMENT(last_modified, ADIT_ROW_SPARSE),
                                                     {0}};
#define TEXT(name, flags) {ADIT_ROW(#name, struct feed_text, name, TEXT, flags)}
static const struct adit_json_row text_rows[] = {
    TEXT(url, ADIT_ROW_NEEDED), TEXT(title, ADIT_ROW_SPARSE), TEXT(text, 0), {0}};
static const struct adit_json_row hash = {.kind = ADIT_ROW_HEX};

#define LIST(name, most, ...) \
    {.n_at = offsetof(struct feed_record, n_##name), .max = most, __VA_ARGS__}
static const struct adit_json_list seen = LIST(seen, FEED_SEEN_MAX, .item = &hash,
                                               .size = sizeof(uint64_t)),
                                   documents =
                                       LIST(documents, FEED_VALIDATORS_MAX, .rows = document_rows,
                                            .size = sizeof(struct feed_validator)),
                                   texts = LIST(texts, FEED_PAGES_MAX, .rows = text_rows,
                                                .size = sizeof(struct feed_text)),
                                   entries = LIST(entries, SIZE_MAX, .rows = entry_rows,
                                                  .size = sizeof(struct adit_atom_entry));

/* The file has the oldest entry first. */
static void write_entries(struct adit_json_writer *w, const void *from)
{
    const struct feed_record *r = from;
    adit_json_open(w, '[');
    for (size_t i = r->n_entries; i-- > 0;) adit_json_object_write(w, entry_rows, &r->entries[i]);
    adit_json_close(w, ']');
}

static enum adit_code read_entries(struct adit_json_value v, void *to, struct adit_arena *arena)
{
    static const struct adit_json_row row = {
        ADIT_ROW("entries", struct feed_record, entries, LIST, 0), .list = &entries};
    struct feed_record *r = to;
    ADIT_TRY(adit_json_row_read(v, &row, to, arena));
    r->cap = r->n_entries;
    for (size_t i = 0, k = r->n_entries; i + 1 < k; i++) {
        struct adit_atom_entry e = r->entries[--k];
        r->entries[k] = r->entries[i], r->entries[i] = e;
    }
    return ADIT_OK;
}

#define RECORD(name, kind, flags) ADIT_ROW(#name, struct feed_record, name, kind, flags)
static const struct adit_json_row record_rows[] = {
    {RECORD(id, TEXT, ADIT_ROW_NEEDED)},
    {RECORD(title, TEXT, ADIT_ROW_SPARSE)},
    {RECORD(author, TEXT, ADIT_ROW_SPARSE)},
    {RECORD(mark, TIME, ADIT_ROW_HAS | ADIT_ROW_STRICT),
     .has_at = offsetof(struct feed_record, has_mark)},
    {RECORD(archives, UINT, ADIT_ROW_STRICT)},
    {RECORD(seen_all, BOOL, ADIT_ROW_SPARSE)},
    {RECORD(seen, LIST, ADIT_ROW_STRICT), .list = &seen},
    {RECORD(documents, LIST, ADIT_ROW_STRICT), .list = &documents},
    {RECORD(texts, LIST, ADIT_ROW_SPARSE), .list = &texts},
    {RECORD(entries, OWN, ADIT_ROW_STRICT), .read = read_entries, .write = write_entries},
    {0},
};
static const struct adit_json_list feeds = {.rows = record_rows,
                                            .size = sizeof(struct feed_record),
                                            .n_at = offsetof(struct feed_state, n),
                                            .max = (size_t)4 * FEED_COLLECTIONS_MAX,
                                            .room = true};
static const struct adit_json_row state_rows[] = {
    {.key = "version", .kind = ADIT_ROW_FIXED, .flags = ADIT_ROW_NEEDED, .number = 1},
    {ADIT_ROW("feeds", struct feed_state, v, LIST, ADIT_ROW_STRICT), .list = &feeds},
    {0},
};

static bool read_all(struct feed_state *s, struct adit_str bytes)
{
    struct adit_json_value root;
    if (adit_json_tree(bytes, &s->arena, &root, NULL) != ADIT_OK ||
        adit_json_object_read(root, state_rows, s, &s->arena, NULL) != ADIT_OK)
        return false;
    for (size_t i = 0; i < s->n; i++) /* they become parts of file names, and grow */
        if (s->v[i].archives > ARCHIVES_MAX) return false;
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
    adit_arena_init(&s->arena, cli_mem, (size_t)4 * STATE_MAX); /* with its tree */
    s->cap = feeds.max;
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

bool feed_state_write(const struct feed_state *s, const char *path)
{
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, STATE_MAX);
    struct adit_json_writer w = {.out = &b};
    adit_json_object_write(&w, state_rows, s);
    adit_buf_byte(&b, '\n');
    bool ok = !b.err && (!s->own || feed_own(path)) && output_file(path, adit_buf_str(&b), s->own);
    if (b.err) cli_say(path, "the state is too large");
    adit_buf_free(&b);
    return ok;
}
