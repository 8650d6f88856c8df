/* Looking into an archive: ls, show, get, diff. */
#include "batch/archive/archive.h"
#include "batch/io/io.h"
#include "json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int not_there(const struct archive_question *q, const char *what)
{
    cli_say(archive_dir(q->a), "%s: not in the archive", what);
    return CLI_INVALID;
}

static void print_time(struct adit_time t)
{
    char space[40];
    struct adit_buf b = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_time_write(&b, t);
    cli_data(adit_buf_str(&b));
}

/* --- ls --------------------------------------------------------------------------------------- */

enum { SORT_MEMORY = 16 << 20, LINE_MAX_BYTES = 1 << 20 };

struct list {
    const struct archive_question *q;
    struct adit_arena arena;
    struct sorter *lines; /* URL, NUL, the line */
    bool json;
};

static int by_url(struct adit_str a, struct adit_str b) { return adit_str_cmp(a, b); }

static void put_page(struct adit_buf *b, const char uuid[ADIT_SPP_UUID],
                     const struct adit_spp_manifest *m, size_t n, bool tombstone)
{
    char count[24];
    snprintf(count, sizeof count, " %8zu  ", n);
    adit_buf_add(b, adit_str_of(uuid, ADIT_SPP_UUID));
    adit_buf_lit(b, count);
    adit_buf_add(b, m->last_seen);
    adit_buf_lit(b, "  ");
    adit_buf_add(b, m->url);
    if (tombstone) adit_buf_lit(b, "  (tombstone)");
}

static void put_page_json(struct adit_buf *b, const char uuid[ADIT_SPP_UUID],
                          const struct adit_spp_manifest *m, size_t n, bool tombstone)
{
    struct adit_json_writer w = {.out = b};
    adit_json_open(&w, '{');
    adit_json_member(&w, "id", adit_str_of(uuid, ADIT_SPP_UUID));
    adit_json_member(&w, "lastSeen", m->last_seen);
    adit_json_member_bool(&w, "tombstone", tombstone);
    adit_json_member(&w, "url", m->url);
    adit_json_member_uint(&w, "versions", n);
    adit_json_close(&w, '}');
}

/* A page: how many versions, when seen last, its URL. */
static bool take_page(void *ctx, const char uuid[ADIT_SPP_UUID])
{
    struct list *l = ctx;
    struct adit_spp_version *v;
    struct adit_spp_manifest m;
    size_t n;
    adit_arena_reset(&l->arena);
    if (archive_versions(l->q->a, uuid, &l->arena, &v, &n) != ARCHIVE_FOUND ||
        archive_manifest(l->q->a, uuid, n, &l->arena, &m) != ARCHIVE_FOUND)
        return true; /* on its way, or said */
    struct adit_buf b;
    adit_buf_init(&b, cli_mem, LINE_MAX_BYTES);
    (l->json ? put_page_json : put_page)(&b, uuid, &m, n, v[n - 1].tombstone);
    const struct adit_str parts[] = {m.url, {"", 1}, adit_buf_str(&b)};
    bool ok = !b.err && sorter_add(l->lines, parts, ADIT_COUNT(parts));
    adit_buf_free(&b);
    return ok;
}

/* By URL: ids are hashes, whose order says nothing. */
static int list_pages(struct list *l)
{
    const char *temp = getenv("TMPDIR");
    struct adit_str r;
    l->lines = sorter_new(temp && *temp ? temp : "/tmp", SORT_MEMORY, by_url);
    bool ok = l->lines && archive_each(l->q->a, take_page, l) && sorter_start(l->lines);
    if (ok && !l->json) cli_print("%-36s %8s  %-20s  %s\n", "ID", "VERSIONS", "LAST SEEN", "URL");
    while (ok && sorter_next(l->lines, &r)) {
        struct adit_str line = adit_str_sub(r, adit_str_chr(r, '\0', 0) + 1, r.len);
        if (l->json)
            cli_data_line(line);
        else
            cli_print("%.*s\n", (int)line.len, line.p);
    }
    ok = ok && !sorter_failed(l->lines);
    sorter_free(l->lines);
    return ok ? CLI_OK : CLI_INVALID;
}

static int list_versions(struct list *l, const char *operand)
{
    char uuid[ADIT_SPP_UUID];
    struct adit_spp_version *v;
    size_t n;
    if (!archive_which(l->q->a, operand, uuid)) return CLI_USAGE;
    enum archive_found found = archive_versions(l->q->a, uuid, &l->arena, &v, &n);
    if (found != ARCHIVE_FOUND)
        return found == ARCHIVE_ABSENT ? not_there(l->q, operand) : CLI_INVALID;
    if (l->json) {
        struct adit_buf b;
        adit_buf_init(&b, cli_mem, ARCHIVE_FILE_MAX);
        adit_spp_versions_write(v, n, &b);
        cli_data_line(adit_buf_str(&b));
        adit_buf_free(&b);
        return CLI_OK;
    }
    for (size_t i = 0; i < n; i++) {
        struct adit_spp_manifest m;
        if (archive_manifest(l->q->a, uuid, v[i].number, &l->arena, &m) != ARCHIVE_FOUND)
            return CLI_INVALID;
        cli_print("%4llu  ", (unsigned long long)v[i].number);
        print_time(v[i].created);
        cli_print(" to ");
        cli_print("%.*s", (int)m.last_seen.len, m.last_seen.p);
        cli_print("  ");
        for (size_t k = 0; k < 6; k++) cli_print("%02x", v[i].raw[k]);
        if (v[i].tombstone)
            cli_print("  (tombstone)");
        else
            cli_print("  %8llu bytes", (unsigned long long)m.raw.bytes);
        if (m.has_diff && m.clean_changed)
            cli_print("  +%llu -%llu lines", (unsigned long long)m.stats.inserted,
                      (unsigned long long)m.stats.deleted);
        else if (m.has_diff)
            cli_print("  same text");
        if (v[i].stage != ADIT_SPP_ENRICHED) cli_print("  %s", adit_spp_stages[v[i].stage]);
        cli_print("\n");
    }
    return CLI_OK;
}

int archive_ls(const struct archive_question *q)
{
    struct list l = {.q = q, .json = cli_has(q->args, "json")};
    adit_arena_init(&l.arena, cli_mem, ARCHIVE_ARENA_MAX);
    int code = q->n ? list_versions(&l, q->operands[0]) : list_pages(&l);
    adit_arena_free(&l.arena);
    return code;
}

/* --- one version ------------------------------------------------------------------------------ */

/* The manifest of a version: of the operand that names its number, else of the latest. */
static int find(const struct archive_question *q, size_t number_at, struct adit_arena *arena,
                struct adit_spp_manifest *m)
{
    char uuid[ADIT_SPP_UUID];
    struct adit_spp_version *v;
    size_t n;
    uint64_t number;
    if (!archive_which(q->a, q->operands[0], uuid)) return CLI_USAGE;
    enum archive_found found = archive_versions(q->a, uuid, arena, &v, &n);
    if (found == ARCHIVE_BROKEN) return CLI_INVALID;
    if (found == ARCHIVE_ABSENT) return not_there(q, q->operands[0]);
    number = n;
    if (number_at < q->n) {
        if (!adit_str_u64(adit_str_z(q->operands[number_at]), &number) || !number)
            return cli_usage(q->args, "'%s' is not the number of a version",
                             q->operands[number_at]);
        if (number > n) {
            cli_say(archive_dir(q->a), "%s: has %s only", q->operands[0],
                    cli_count(n, "version").p);
            return CLI_INVALID;
        }
    }
    return archive_manifest(q->a, uuid, number, arena, m) == ARCHIVE_FOUND ? CLI_OK : CLI_INVALID;
}

int archive_show(const struct archive_question *q)
{
    struct adit_arena arena;
    struct adit_spp_manifest m = {0};
    struct adit_buf b;
    adit_arena_init(&arena, cli_mem, ARCHIVE_ARENA_MAX);
    adit_buf_init(&b, cli_mem, ARCHIVE_FILE_MAX);
    int code = find(q, 1, &arena, &m);
    if (code == CLI_OK && adit_spp_manifest_write(&m, &b) == ADIT_OK) {
        cli_data_line(adit_buf_str(&b));
    }
    adit_buf_free(&b);
    adit_arena_free(&arena);
    return code;
}

/* The object that --what names. */
static const struct adit_spp_object *part_of(const struct adit_spp_manifest *m, const char *what)
{
    uint64_t number;
    struct adit_str s = adit_str_z(what);
    static const struct adit_str chunk = ADIT_STR_INIT("chunk-");
    if (strcmp(what, "raw") == 0) return &m->raw;
    if (strcmp(what, "clean") == 0) return m->has_clean ? &m->clean : NULL;
    if (strcmp(what, "diff") == 0) return m->has_diff ? &m->diff : NULL;
    if (adit_str_starts(s, chunk) && adit_str_u64(adit_str_sub(s, chunk.len, s.len), &number) &&
        number && number <= m->n_chunks)
        return &m->chunks[number - 1].text;
    return NULL;
}

int archive_get(const struct archive_question *q)
{
    struct adit_arena arena;
    struct adit_spp_manifest m = {0};
    struct adit_buf b;
    const char *what = cli_get(q->args, "what");
    if (!what) what = "raw";
    adit_arena_init(&arena, cli_mem, ARCHIVE_ARENA_MAX);
    adit_buf_init(&b, cli_mem, ARCHIVE_FILE_MAX);
    int code = find(q, 1, &arena, &m);
    if (code == CLI_OK) {
        const struct adit_spp_object *o = m.tombstone_at.len ? NULL : part_of(&m, what);
        if (m.tombstone_at.len) {
            cli_say(archive_dir(q->a), "%s: its contents were removed (tombstone)", q->operands[0]);
            code = CLI_INVALID;
        } else if (!o) {
            cli_say(archive_dir(q->a), "%s: version %llu has no %s", q->operands[0],
                    (unsigned long long)m.number, what);
            code = CLI_INVALID;
        } else if (archive_object(q->a, o->sha, ADIT_SPP_GZIP, &b) == ARCHIVE_FOUND) {
            cli_data(adit_buf_str(&b));
        } else {
            code = CLI_INVALID;
        }
    }
    adit_buf_free(&b);
    adit_arena_free(&arena);
    return code;
}

/* --- diff ------------------------------------------------------------------------------------- */

static void print_coloured(struct adit_str diff)
{
    static const struct {
        const char *start, *colour;
    } rows[] = {{"---", "1"}, {"+++", "1"}, {"@@", "36"}, {"+", "32"}, {"-", "31"}, {"", NULL}};
    struct adit_str line;
    bool head = true; /* "---" may also be a line that goes */
    while (adit_str_split(&diff, '\n', &line)) {
        if (!line.len && !diff.len) break;
        size_t i = head ? 0 : 2;
        while (!adit_str_starts(line, adit_str_z(rows[i].start))) i++;
        if (i == 2) head = false;
        if (rows[i].colour) cli_colour(rows[i].colour);
        cli_data(line);
        if (rows[i].colour) cli_colour("");
        cli_data(ADIT_STR("\n"));
    }
}

static bool clean_of(const struct archive_question *q, const struct adit_spp_manifest *m,
                     struct adit_buf *b)
{
    if (m->tombstone_at.len || !m->has_clean) {
        cli_say(archive_dir(q->a), "%s: version %llu has no clean text%s", q->operands[0],
                (unsigned long long)m->number,
                m->tombstone_at.len ? " any more (tombstone)" : " yet (--stage enrich)");
        return false;
    }
    return archive_object(q->a, m->clean.sha, ADIT_SPP_GZIP, b) == ARCHIVE_FOUND;
}

static void name(struct adit_buf *out, const struct adit_spp_manifest *m)
{
    adit_buf_add(out, m->url);
    adit_buf_lit(out, " version ");
    adit_buf_u64(out, m->number);
    adit_buf_byte(out, '\t');
    adit_buf_add(out, m->created);
}

static int show_diff(const struct archive_question *q, const struct adit_spp_manifest *old,
                     const struct adit_spp_manifest *new)
{
    struct adit_buf b[5];
    for (size_t i = 0; i < ADIT_COUNT(b); i++) adit_buf_init(&b[i], cli_mem, ARCHIVE_FILE_MAX);
    struct adit_spp_stats stats;
    name(&b[2], old);
    name(&b[3], new);
    int code = clean_of(q, old, &b[0]) && clean_of(q, new, &b[1]) ? CLI_OK : CLI_INVALID;
    if (code == CLI_OK &&
        adit_spp_diff(adit_buf_str(&b[0]), adit_buf_str(&b[1]), adit_buf_str(&b[2]),
                      adit_buf_str(&b[3]), cli_mem, &b[4], &stats) == ADIT_OK) {
        if (cli_colours())
            print_coloured(adit_buf_str(&b[4]));
        else
            cli_data(adit_buf_str(&b[4]));
    }
    for (size_t i = 0; i < ADIT_COUNT(b); i++) adit_buf_free(&b[i]);
    return code;
}

int archive_diff_command(const struct archive_question *q)
{
    struct adit_arena arena;
    struct adit_spp_manifest old = {0}, new = {0};
    adit_arena_init(&arena, cli_mem, ARCHIVE_ARENA_MAX);
    int code = find(q, 2, &arena, &new);
    if (code == CLI_OK && q->n > 1) {
        code = find(q, 1, &arena, &old);
    } else if (code == CLI_OK && new.number == 1) {
        cli_say(archive_dir(q->a), "%s: has 1 version only", q->operands[0]);
        code = CLI_INVALID;
    } else if (code == CLI_OK &&
               archive_manifest(q->a, new.uuid, new.number - 1, &arena, &old) != ARCHIVE_FOUND) {
        code = CLI_INVALID;
    }
    if (code == CLI_OK) code = show_diff(q, &old, &new);
    adit_arena_free(&arena);
    return code;
}
