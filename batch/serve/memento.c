/* Memento (RFC 7089) over the folder of an archive: a TimeMap, a TimeGate, and the versions of a page
 * as they were captured. */
#include "batch/serve/memento_impl.h"
#include "batch/io/io.h"
#include "codec/codec.h"
#include "spp/spp.h"
#include "text/text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20, ARENA_MAX = 128 << 20 };

/* A file of the archive; links are not followed. */
static bool read_below(int folder, const char *path, struct adit_buf *out)
{
    struct stat st;
    int fd = below_open(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0) return false;
    bool ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_MAX &&
              adit_buf_reserve(out, (size_t)st.st_size + 1);
    ssize_t got = 0;
    while (ok && (got = read(fd, out->p + out->len, out->cap - out->len)) > 0) {
        out->len += (size_t)got;
        ok = adit_buf_reserve(out, 1);
    }
    close(fd);
    return ok && got == 0;
}

struct asked {
    int folder;
    struct adit_arena arena;
    char uuid[ADIT_SPP_UUID];
    struct adit_str url;
    struct adit_spp_version *v;
    size_t n;
};

static struct adit_str key_of(struct asked *q, uint64_t number, char space[256])
{
    struct adit_buf key = {.p = space, .cap = 256, .max = 255};
    adit_spp_artifact_key(&key, q->uuid);
    if (number) adit_buf_u64(&key, number);
    adit_buf_lit(&key, number ? "/" ADIT_SPP_MANIFEST : ADIT_SPP_VERSIONS);
    space[key.len] = '\0';
    return adit_buf_str(&key);
}

static bool find_versions(struct asked *q, struct adit_str url)
{
    char path[256];
    struct adit_buf text;
    adit_buf_init(&text, cli_mem, FILE_MAX);
    q->url = url;
    adit_spp_uuid(url, q->uuid);
    bool found =
        read_below(q->folder, key_of(q, 0, path).p, &text) &&
        adit_spp_versions_read(adit_buf_str(&text), &q->arena, &q->v, &q->n, NULL) == ADIT_OK &&
        q->n;
    adit_buf_free(&text);
    return found;
}

/* Pages are archived under https, unless their archiver was told otherwise. */
static bool find_page(struct asked *q, struct adit_str url)
{
    struct adit_str page, plain = ADIT_STR("http://"), secure = ADIT_STR("https://");
    if (adit_url_page(url, &q->arena, &page) != ADIT_OK) return false;
    if (find_versions(q, page)) return true;
    if (!adit_str_starts(page, plain)) return false;
    char *p = adit_arena_alloc(&q->arena, page.len + 1);
    if (!p) return false;
    struct adit_buf other = {.p = p, .cap = page.len + 1, .max = page.len + 1};
    adit_buf_add(&other, secure);
    adit_buf_add(&other, adit_str_sub(page, plain.len, page.len));
    return find_versions(q, adit_buf_str(&other));
}

static bool inflate_object(struct asked *q, const uint8_t sha[ADIT_SHA256_LEN],
                           struct adit_buf *out)
{
    char space[256];
    uint8_t real[ADIT_SHA256_LEN];
    struct adit_buf key = {.p = space, .cap = sizeof space, .max = sizeof space - 1}, file;
    struct adit_buf_sink sink;
    struct adit_decoder *d = NULL;
    adit_buf_init(&file, cli_mem, FILE_MAX);
    adit_spp_object_key(&key, sha, ADIT_SPP_GZIP);
    space[key.len] = '\0';
    bool ok =
        read_below(q->folder, space, &file) &&
        adit_decoder_new(cli_mem, ADIT_CODING_GZIP, adit_buf_sink_init(&sink, out), &d) == ADIT_OK;
    ok = ok && adit_sink_write(&d->sink, adit_buf_str(&file)) == ADIT_OK &&
         adit_sink_end(&d->sink) == ADIT_OK;
    adit_decoder_free(d);
    adit_buf_free(&file);
    adit_sha256_of(adit_buf_str(out), real);
    return ok && memcmp(real, sha, sizeof real) == 0;
}

/* Of a field that a stranger wrote. */
static bool is_printable(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] < 32 || s.p[i] == 127) return false;
    return s.len > 0;
}

/* The bytes of a version, with what its server said that they are. */
static void send_version(struct asked *q, const struct adit_spp_version *v,
                         struct memento_answer *out)
{
    char path[256];
    struct adit_buf text;
    struct adit_spp_manifest m;
    adit_buf_init(&text, cli_mem, FILE_MAX);
    if (read_below(q->folder, key_of(q, v->number, path).p, &text) &&
        adit_spp_manifest_read(adit_buf_str(&text), &q->arena, &m, NULL) == ADIT_OK &&
        inflate_object(q, v->raw, &out->body)) {
        out->status = 200;
        adit_buf_add(&out->type,
                     is_printable(m.content_type) ? m.content_type : ADIT_STR("text/html"));
        adit_http_date(&out->datetime, v->created.s);
    }
    adit_buf_free(&text);
}

static void answer_asked(struct asked *q, enum adit_memento kind, struct adit_time at,
                         struct adit_str origin, struct memento_answer *out)
{
    size_t i = adit_memento_pick(q->v, q->n, at);
    if (i == q->n) { /* tombstones alone */
        out->status = 410;
        return;
    }
    if (kind == ADIT_MEMENTO_TIMEMAP) {
        out->status = 200;
        adit_buf_lit(&out->type, ADIT_LINK_FORMAT);
        adit_memento_timemap(&out->body, origin, q->url, q->v, q->n);
        return;
    }
    adit_memento_links(&out->link, origin, q->url);
    if (kind == ADIT_MEMENTO_VERSION && q->v[i].created.s == at.s) {
        send_version(q, &q->v[i], out);
        return;
    }
    out->status = 302; /* a time between two versions is redirected to the one that held then */
    out->vary = kind == ADIT_MEMENTO_TIMEGATE;
    adit_memento_url(&out->location, origin, ADIT_MEMENTO_VERSION, q->url, q->v[i].created);
}

bool memento_answer(int folder, struct adit_str origin, struct adit_str path,
                    struct adit_str accept_datetime, struct memento_answer *out)
{
    struct adit_str url;
    struct adit_time at = {.s = INT64_MAX};
    struct asked q = {.folder = folder};
    enum adit_memento kind = adit_memento_route(path, &url, &at);
    if (!kind) return false;
    adit_arena_init(&q.arena, cli_mem, ARENA_MAX);
    adit_buf_init(&out->body, cli_mem, FILE_MAX);
    struct adit_buf *const small[] = {&out->type, &out->link, &out->location, &out->datetime};
    for (size_t i = 0; i < ADIT_COUNT(small); i++)
        adit_buf_init(small[i], cli_mem, 4 * (size_t)ADIT_LIMIT_url_bytes);
    bool known = find_page(&q, url);
    out->status = 404;
    if (kind == ADIT_MEMENTO_TIMEGATE && accept_datetime.len &&
        !adit_http_date_parse(accept_datetime, &at.s))
        out->status = 400;
    else if (known)
        answer_asked(&q, kind, at, origin, out);
    adit_arena_free(&q.arena);
    return known || out->status == 400;
}

void memento_free(struct memento_answer *a)
{
    struct adit_buf *const all[] = {&a->body, &a->type, &a->link, &a->location, &a->datetime};
    for (size_t i = 0; i < ADIT_COUNT(all); i++) adit_buf_free(all[i]);
}
