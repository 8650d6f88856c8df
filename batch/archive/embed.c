/* Embedding: a command of the user's turns the text of a chunk into a vector. */
#include "batch/archive/archive.h"
#include "json/json.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 4 << 20, DIMS_MAX = 65536 };

extern char **environ;

struct embed {
    const struct archive_options *o;
    struct archive *a;
    struct archive_counts *counts;
    struct adit_arena arena;
    struct adit_buf text, answer, vector;
    struct adit_str model; /* what the command says it is; empty: what the options say */
};

/* --- running the command ---------------------------------------------------------------------- */

static pid_t start_command(const char *command, const int in[2], const int out[2])
{
    char *const argv[] = {"sh", "-c", (char *)command, NULL};
    posix_spawn_file_actions_t files;
    pid_t pid = -1;
    if (posix_spawn_file_actions_init(&files) != 0) return -1;
    posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&files, in[i]);
        posix_spawn_file_actions_addclose(&files, out[i]);
    }
    if (posix_spawn(&pid, "/bin/sh", &files, NULL, argv, environ) != 0) pid = -1;
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

/* A chunk is shorter than what a pipe holds, so writing all of it first cannot block for ever. A
 * command need not read it. */
static void feed(int fd, struct adit_str text)
{
    while (text.len) {
        ssize_t n = write(fd, text.p, text.len);
        if (n > 0)
            text = adit_str_sub(text, (size_t)n, text.len);
        else if (n == 0 || errno != EINTR)
            break;
    }
    close(fd);
}

static void drain(int fd, struct adit_buf *out)
{
    ssize_t n = 1;
    adit_buf_clear(out);
    while (n > 0 && adit_buf_reserve(out, 4096)) {
        n = read(fd, out->p + out->len, out->cap - out->len);
        if (n > 0) out->len += (size_t)n;
        if (n < 0 && errno == EINTR) n = 1;
    }
    close(fd);
}

static bool run_command(struct embed *e, struct adit_str text)
{
    int in[2], out[2], status = -1;
    if (pipe(in) != 0) return false;
    if (pipe(out) != 0) {
        close(in[0]), close(in[1]);
        return false;
    }
    signal(SIGPIPE, SIG_IGN);
    pid_t pid = start_command(e->o->embed, in, out);
    close(in[0]), close(out[1]);
    feed(in[1], text);
    drain(out[0], &e->answer);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !e->answer.err) return true;
    cli_say("--embed", "the command failed%s: %s", e->answer.err ? " (it says too much)" : "",
            e->o->embed);
    return false;
}

/* --- its answer ------------------------------------------------------------------------------- */

static bool add_number(struct embed *e, struct adit_str number)
{
    uint64_t bits;
    double wide;
    if (adit_json_parse_number(number, &bits) != ADIT_OK) return false;
    memcpy(&wide, &bits, sizeof wide);
    float narrow = (float)wide;
    uint32_t word;
    memcpy(&word, &narrow, sizeof word);
    for (int i = 0; i < 4; i++) adit_buf_byte(&e->vector, (char)(uint8_t)(word >> (8 * i)));
    return e->vector.len <= 4 * (size_t)DIMS_MAX;
}

static bool add_array(struct embed *e, struct adit_json_value array)
{
    struct adit_json_iter it = adit_json_iter(array);
    struct adit_json_member m;
    if (array.kind != ADIT_JSON_ARRAY) return false;
    while (adit_json_next(&it, &m))
        if (m.value.kind != ADIT_JSON_NUMBER || !add_number(e, m.value.raw)) return false;
    return true;
}

/* Numbers with white space between them. */
static bool add_words(struct embed *e, struct adit_str s)
{
    while ((s = adit_str_trim(s)).len) {
        size_t n = 0;
        while (n < s.len && !adit_is_space(s.p[n])) n++;
        if (!add_number(e, adit_str_sub(s, 0, n))) return false;
        s = adit_str_sub(s, n, s.len);
    }
    return true;
}

/* A JSON list of numbers; an object with one as "embedding", and perhaps "model"; or bare numbers.
 */
static bool read_vector(struct embed *e)
{
    struct adit_json_value v;
    bool good;
    adit_buf_clear(&e->vector);
    e->model = (struct adit_str){0};
    if (adit_json_check(adit_buf_str(&e->answer), &v, NULL) != ADIT_OK ||
        v.kind == ADIT_JSON_NUMBER) {
        good = add_words(e, adit_buf_str(&e->answer));
    } else if (v.kind == ADIT_JSON_OBJECT) {
        e->model = adit_arena_dup(
            &e->arena, adit_json_text(adit_json_get(v, ADIT_STR("model")), &e->arena, NULL), NULL);
        good = add_array(e, adit_json_get(v, ADIT_STR("embedding")));
    } else {
        good = add_array(e, v);
    }
    if (good && e->vector.len && !e->vector.err) return true;
    cli_say("--embed", "the command's answer is not a vector (a JSON list of numbers)");
    return false;
}

/* --model, or the name of the command's program. */
static struct adit_str model_name(const struct embed *e)
{
    if (e->o->model) return adit_str_z(e->o->model);
    struct adit_str s = adit_str_trim(adit_str_z(e->o->embed));
    s = adit_str_sub(s, 0, adit_str_chr(s, ' ', 0));
    size_t from = s.len;
    while (from && s.p[from - 1] != '/') from--;
    return adit_str_sub(s, from, s.len);
}

/* --- chunks ----------------------------------------------------------------------------------- */

static bool has_vector(const struct embed *e, const struct adit_spp_chunk *c)
{
    return c->dims && (!e->o->model || adit_str_eq(c->model, adit_str_z(e->o->model)));
}

/* The vector of the same text in the version before. */
static bool reuse(const struct embed *e, const struct adit_spp_manifest *before,
                  struct adit_spp_chunk *c)
{
    for (size_t i = 0; before && i < before->n_chunks; i++) {
        const struct adit_spp_chunk *old = &before->chunks[i];
        if (!has_vector(e, old) || memcmp(old->text.sha, c->text.sha, ADIT_SHA256_LEN) != 0)
            continue;
        c->vector = old->vector;
        c->dims = old->dims;
        c->model = old->model;
        e->counts->chunks_reused++;
        return true;
    }
    return false;
}

static bool embed_chunk(struct embed *e, struct adit_spp_chunk *c)
{
    if (archive_object(e->a, c->text.sha, ADIT_SPP_GZIP, &e->text) != ARCHIVE_FOUND ||
        !run_command(e, adit_buf_str(&e->text)) || !read_vector(e))
        return false;
    adit_sha256_of(adit_buf_str(&e->vector), c->vector.sha);
    c->vector.bytes = c->vector.stored = e->vector.len;
    c->dims = e->vector.len / 4;
    c->model = e->model.len && !e->o->model ? e->model : model_name(e);
    e->counts->chunks++;
    return archive_put_object(e->a, c->vector.sha, ADIT_SPP_PLAIN, adit_buf_str(&e->vector));
}

static bool embed_version(struct embed *e, struct adit_spp_manifest *m,
                          const struct adit_spp_manifest *before, bool *changed)
{
    *changed = m->stage == ADIT_SPP_ENRICHED;
    for (size_t i = 0; i < m->n_chunks; i++) {
        struct adit_spp_chunk *c = &m->chunks[i];
        if (has_vector(e, c)) continue;
        if (!reuse(e, before, c) && !embed_chunk(e, c)) return false;
        *changed = true;
    }
    if (!*changed) return true;
    m->stage = ADIT_SPP_EMBEDDED;
    e->counts->embedded++;
    archive_event(e->a, ADIT_SPP_EMBEDDING, m);
    return archive_put_manifest(e->a, m);
}

static bool embed_all(struct embed *e, const char *uuid)
{
    struct adit_spp_version *v;
    struct adit_spp_manifest m[2];
    size_t n;
    bool any = false, has_before = false;
    if (archive_versions(e->a, uuid, &e->arena, &v, &n) != ARCHIVE_FOUND) return true;
    for (size_t i = 0; i < n; i++) {
        bool changed = false, skip = v[i].stage == ADIT_SPP_INGESTED || v[i].tombstone;
        if (!skip &&
            (archive_manifest(e->a, uuid, v[i].number, &e->arena, &m[i % 2]) != ARCHIVE_FOUND ||
             !embed_version(e, &m[i % 2], has_before ? &m[(i + 1) % 2] : NULL, &changed)))
            return false;
        has_before = !skip;
        if (changed) v[i].stage = ADIT_SPP_EMBEDDED;
        any = any || changed;
    }
    return !any || archive_put_versions(e->a, uuid, v, n);
}

bool archive_embed(const struct archive_options *o, struct archive *a,
                   const char uuid[ADIT_SPP_UUID], struct archive_counts *counts)
{
    struct embed e = {.o = o, .a = a, .counts = counts};
    adit_arena_init(&e.arena, cli_mem, ARCHIVE_ARENA_MAX);
    adit_buf_init(&e.text, cli_mem, ARCHIVE_FILE_MAX);
    adit_buf_init(&e.answer, cli_mem, OUTPUT_MAX);
    adit_buf_init(&e.vector, cli_mem, 4 * (size_t)DIMS_MAX + 4);
    bool ok = embed_all(&e, uuid);
    adit_arena_free(&e.arena);
    adit_buf_free(&e.text), adit_buf_free(&e.answer), adit_buf_free(&e.vector);
    return ok;
}
