/* A directory as origin: index.html, types, validators, ranges. */
#include "batch/serve/memento_impl.h"
#include "batch/serve/serve.h"
#include "batch/io/io.h"
#include "spp/spp.h"
#include "http/http.h"
#include "tct/tct.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands for a folder, the first that is there; `adit pack` reads trees the same way. */
static const char *const indexes[] = {"index.html", "index.htm"};

static bool is_index(const char *name)
{
    for (size_t i = 0; i < ADIT_COUNT(indexes); i++)
        if (strcmp(name, indexes[i]) == 0) return true;
    return false;
}

enum { LIST_MAX = 200000, LIST_DEPTH = 16 };

struct dir {
    struct origin origin;
    char *root; /* resolved; "" is the whole file system */
    int fd;     /* the same, open */
    const struct adit_config *config;
    bool strip; /* "/post" is the file post.html */
    struct site *site;
};

static const struct {
    const char *ext, *type, *coding;
} types[] = {
    {".html", "text/html", NULL},
    {".htm", "text/html", NULL},
    {".xhtml", "application/xhtml+xml", NULL},
    {".scp.zst", "application/scp", "zstd"},
    {".scp.gz", "application/scp", "gzip"},
    {".scp", "application/scp", NULL},
    {".json", "application/json", NULL},
    {".xml", "application/xml", NULL},
    {".atom", "application/atom+xml", NULL},
    {".txt", "text/plain; charset=utf-8", NULL},
    {".md", "text/markdown; charset=utf-8", NULL},
    {".css", "text/css", NULL},
    {".js", "text/javascript", NULL},
    {".mjs", "text/javascript", NULL},
    {".wasm", "application/wasm", NULL},
    {".svg", "image/svg+xml", NULL},
    {".png", "image/png", NULL},
    {".jpg", "image/jpeg", NULL},
    {".jpeg", "image/jpeg", NULL},
    {".gif", "image/gif", NULL},
    {".webp", "image/webp", NULL},
    {".avif", "image/avif", NULL},
    {".ico", "image/x-icon", NULL},
    {".woff2", "font/woff2", NULL},
    {".pdf", "application/pdf", NULL},
    {".mp4", "video/mp4", NULL},
    {".mp3", "audio/mpeg", NULL},
};

/* --- replies ---------------------------------------------------------------------------------- */

struct file_reply {
    struct origin_reply reply;
    int fd; /* -1: the text is all */
    off_t at;
    int64_t left;
    const char *text;
    struct adit_buf made; /* what text points to, if it was made for this answer */
};

static ssize_t read_file(struct origin_reply *r, char *p, size_t len)
{
    struct file_reply *f = (struct file_reply *)r;
    if ((int64_t)len > f->left) len = (size_t)f->left;
    if (len == 0) return 0;
    ssize_t got = (ssize_t)len;
    if (f->fd >= 0)
        got = pread(f->fd, p, len, f->at);
    else
        memcpy(p, f->text + f->at, len);
    if (got <= 0) return -1; /* the file has become shorter */
    f->at += got;
    f->left -= got;
    return got;
}

static void close_file(struct origin_reply *r)
{
    struct file_reply *f = (struct file_reply *)r;
    if (f->fd >= 0) close(f->fd);
    adit_buf_free(&f->made);
    adit_arena_free(&r->arena);
    free(f);
}

static struct file_reply *new_reply(unsigned status)
{
    struct file_reply *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->fd = -1;
    f->reply = (struct origin_reply){.status = status, .read = read_file, .close = close_file};
    adit_arena_init(&f->reply.arena, cli_mem, 1 << 20);
    f->reply.headers.arena = &f->reply.arena;
    return f;
}

static struct origin_reply *reply_with(unsigned status, const char *text, bool head)
{
    struct file_reply *f = new_reply(status);
    if (!f) return NULL;
    adit_headers_add(&f->reply.headers, "content-type", ADIT_STR("text/plain; charset=utf-8"));
    f->text = text;
    f->reply.length = (int64_t)strlen(text);
    f->left = head ? 0 : f->reply.length;
    if (status == 405) adit_headers_add(&f->reply.headers, "allow", ADIT_STR("GET, HEAD"));
    return &f->reply;
}

/* --- from paths to files ---------------------------------------------------------------------- */

/* Whether nothing in the decoded path leads out of the root or to hidden files. */
static bool is_safe(const char *path)
{
    struct adit_str rest = adit_str_z(path), segment;
    while (adit_str_split(&rest, '/', &segment))
        if (segment.len && segment.p[0] == '.' && !adit_str_eq(segment, ADIT_STR(".well-known")))
            return false;
    return true;
}

static bool decode(struct adit_str path, char *out, size_t cap)
{
    size_t n = 0;
    path = adit_str_sub(path, 0, adit_str_chr(path, '?', 0));
    for (size_t i = 0; i < path.len; i++) {
        char c = path.p[i];
        if (c == '%') {
            if (i + 2 >= path.len || adit_hex(path.p[i + 1]) < 0 || adit_hex(path.p[i + 2]) < 0)
                return false;
            c = (char)(adit_hex(path.p[i + 1]) * 16 + adit_hex(path.p[i + 2]));
            i += 2;
        }
        if (c == '\0' || n + 1 >= cap) return false;
        out[n++] = c;
    }
    out[n] = '\0';
    return is_safe(out);
}

/* Where the path leads once links are followed, relative to the root; empty: the root itself. NULL:
 * nowhere, or out of the root, or to something hidden, which a link must not show either. */
static const char *resolve(const struct dir *d, const char *path, char real[PATH_MAX])
{
    char full[PATH_MAX];
    size_t root = strlen(d->root);
    int n = snprintf(full, sizeof full, "%s%s", d->root, path);
    if (n < 0 || (size_t)n >= sizeof full || !realpath(full, real)) return NULL;
    if (strncmp(real, d->root, root) != 0 || (real[root] != '/' && real[root] != '\0')) return NULL;
    const char *below = real + root + (real[root] == '/');
    return is_safe(below) ? below : NULL;
}

/* Opens a regular file below the root. Links may lead to files that could be asked for themselves;
 * what they lead to is opened without following any, so that a link that appears after the check is
 * an error. Pipes and devices are not opened. -1: there is no such file; -2: it is a folder. */
static int open_below(const struct dir *d, const char *path, struct stat *st)
{
    char real[PATH_MAX];
    const char *below = resolve(d, path, real);
    if (!below) return -1;
    if (!*below) return -2;
    if (fstatat(d->fd, below, st, AT_SYMLINK_NOFOLLOW) != 0) return -1;
    if (!S_ISREG(st->st_mode)) return S_ISDIR(st->st_mode) ? -2 : -1;
    int fd = below_open(d->fd, below, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0 || (fstat(fd, st) == 0 && S_ISREG(st->st_mode))) return fd < 0 ? -1 : fd;
    close(fd);
    return -1;
}

/* What pack writes for the root of the site: the JSON sitemap and its parts, ResourceSync. */
static bool is_for_root(const char *path)
{
    static const char stem[] = "/" ADIT_TCT_SITEMAP_STEM;
    return (strncmp(path, stem, sizeof stem - 1) == 0 && !strchr(path + 1, '/')) ||
           strcmp(path, "/.well-known/resourcesync") == 0 ||
           strncmp(path, "/resourcesync/", 14) == 0;
}

/* It is found there, too, when it lies beside the manifest. */
static int open_beside(const struct dir *d, const char *path, struct stat *st)
{
    char beside[PATH_MAX];
    struct adit_str manifest = d->config->scp_manifest;
    size_t slash = manifest.len;
    while (slash > 0 && manifest.p[slash - 1] != '/') slash--;
    if (!is_for_root(path)) return -1;
    snprintf(beside, sizeof beside, "%.*s%s", (int)slash, manifest.p, path + 1);
    return open_below(d, beside, st);
}

/* In the folder of an archive, the paths of its API stand for files. path becomes the file's, for
 * its type. */
static int open_artifact(const struct dir *d, char *path, size_t max, struct stat *st)
{
    char space[PATH_MAX];
    struct adit_buf file = {.p = space, .cap = sizeof space, .max = sizeof space};
    adit_buf_byte(&file, '/');
    if (!adit_spp_route(adit_str_z(path), &file) || file.len >= max) return -1;
    memcpy(path, file.p, file.len);
    path[file.len] = '\0';
    return open_below(d, path, st);
}

static struct origin_reply *redirect(struct adit_str path)
{
    struct file_reply *f = new_reply(301);
    if (!f) return NULL;
    size_t q = adit_str_chr(path, '?', 0);
    struct adit_buf to;
    adit_buf_init(&to, cli_mem, ADIT_LIMIT_header_value);
    /* "//host" would be another site. */
    size_t from = 0;
    while (from + 1 < q && path.p[from + 1] == '/') from++;
    adit_buf_add(&to, adit_str_sub(path, from, q));
    adit_buf_byte(&to, '/');
    adit_buf_add(&to, adit_str_sub(path, q, path.len));
    if (!to.err) adit_headers_add(&f->reply.headers, "location", adit_buf_str(&to));
    adit_buf_free(&to);
    return &f->reply;
}

/* --- answering -------------------------------------------------------------------------------- */

/* Whether the file begins as Atom feeds do. */
static bool is_atom(int fd)
{
    char p[512];
    ssize_t n = pread(fd, p, sizeof p, 0);
    struct adit_str head = adit_str_of(p, n > 0 ? (size_t)n : 0);
    return adit_str_find(head, ADIT_STR("<feed"), 0) < head.len &&
           adit_str_find(head, ADIT_STR("http://www.w3.org/2005/Atom"), 0) < head.len;
}

static void add_type(struct adit_headers *h, const char *path, int fd)
{
    struct adit_str name = adit_str_z(path);
    if (adit_str_ends(name, ADIT_STR(".xml")) && is_atom(fd)) name = ADIT_STR(".atom");
    for (size_t i = 0; i < ADIT_COUNT(types); i++) {
        if (!adit_str_ends(name, adit_str_z(types[i].ext))) continue;
        adit_headers_add(h, "content-type", adit_str_z(types[i].type));
        if (types[i].coding) adit_headers_add(h, "content-encoding", adit_str_z(types[i].coding));
        return;
    }
    adit_headers_add(h, "content-type", ADIT_STR("application/octet-stream"));
}

static struct adit_str get(const struct origin_request *q, const char *name)
{
    return adit_header_get(q->headers, q->n_headers, adit_str_z(name));
}

/* RFC 9110, 13.2.2: If-Match comes before all other conditions. */
static bool is_another(const struct origin_request *q, const char *etag)
{
    return adit_header_has(q->headers, q->n_headers, ADIT_STR("if-match")) &&
           !adit_if_match(get(q, "if-match"), adit_str_z(etag));
}

static bool is_unchanged(const struct origin_request *q, const char *etag, int64_t modified)
{
    if (adit_header_has(q->headers, q->n_headers, ADIT_STR("if-none-match")))
        return adit_if_none_match(get(q, "if-none-match"), adit_str_z(etag));
    int64_t since;
    return adit_http_date_parse(get(q, "if-modified-since"), &since) && modified <= since;
}

/* Cuts f to the range asked for. */
static void cut(struct file_reply *f, const struct origin_request *q, const char *etag,
                const char *date)
{
    struct adit_range range;
    struct adit_str wanted = get(q, "range"), condition = get(q, "if-range");
    if (wanted.len == 0 || (condition.len && !adit_if_range(condition, adit_str_z(etag)) &&
                            !adit_str_eq(condition, adit_str_z(date))))
        return;
    char text[96];
    uint64_t size = (uint64_t)f->left;
    switch (adit_range_parse(wanted, size, &range)) {
    case ADIT_RANGE_NONE: return;
    case ADIT_RANGE_ONE:
        f->reply.status = 206;
        f->at = (off_t)range.first;
        f->left = (int64_t)(range.last - range.first + 1);
        snprintf(text, sizeof text, "bytes %llu-%llu/%llu", (unsigned long long)range.first,
                 (unsigned long long)range.last, (unsigned long long)size);
        break;
    case ADIT_RANGE_BEYOND:
        f->reply.status = 416;
        f->left = 0;
        snprintf(text, sizeof text, "bytes */%llu", (unsigned long long)size);
        break;
    }
    adit_headers_add(&f->reply.headers, "content-range", adit_str_z(text));
}

/* The headers of a file or document, and the conditions of the request. False: it has no body. */
static bool begin_file(struct file_reply *f, const struct origin_request *q, const char *etag,
                       int64_t modified)
{
    struct adit_headers *h = &f->reply.headers;
    adit_headers_add(h, "etag", adit_str_z(etag));
    bool another = is_another(q, etag);
    if (!another && !is_unchanged(q, etag, modified)) return true;
    f->reply.status = another ? 412 : 304;
    return false;
}

static struct origin_reply *end_file(struct file_reply *f, const struct origin_request *q,
                                     const char *etag, const char *date, bool head)
{
    char length[24]; /* as a field, too: the exchange takes it off pages that it rewrites */
    adit_headers_add(&f->reply.headers, "accept-ranges", ADIT_STR("bytes"));
    if (!head) cut(f, q, etag, date);
    f->reply.length = f->left;
    snprintf(length, sizeof length, "%lld", (long long)f->left);
    adit_headers_add(&f->reply.headers, "content-length", adit_str_z(length));
    if (head) f->left = 0;
    return &f->reply;
}

static struct origin_reply *send_file(int fd, const struct stat *st, const char *path,
                                      const struct origin_request *q, bool head)
{
    struct file_reply *f = new_reply(200);
    if (!f) {
        close(fd);
        return NULL;
    }
    char etag[64], space[64];
    struct adit_buf date = {.p = space, .cap = sizeof space, .max = sizeof space};
    f->fd = fd;
    snprintf(etag, sizeof etag, "\"%llx-%lx-%llx\"", (unsigned long long)st->st_mtim.tv_sec,
             (unsigned long)st->st_mtim.tv_nsec, (unsigned long long)st->st_size);
    adit_http_date(&date, st->st_mtim.tv_sec);
    adit_buf_byte(&date, '\0');
    adit_headers_add(&f->reply.headers, "last-modified", adit_str_z(date.p));
    if (!begin_file(f, q, etag, st->st_mtim.tv_sec)) return &f->reply;
    add_type(&f->reply.headers, path, fd);
    f->left = st->st_size;
    return end_file(f, q, etag, date.p, head);
}

/* A document that the site has not, made of its pages; or 404. */
static struct origin_reply *send_made(const struct dir *d, const char *path,
                                      const struct origin_request *q, bool head)
{
    struct file_reply *f = new_reply(200);
    const char *type = "";
    if (!f) return NULL;
    adit_buf_init(&f->made, cli_mem, 128u << 20);
    enum site_answer answer = site_document(d->site, adit_str_z(path), &f->made, &type);
    if (answer != SITE_MADE) {
        close_file(&f->reply);
        if (answer == SITE_NONE) return reply_with(404, "Not found.\n", head);
        struct origin_reply *r = reply_with(503, "The folder is still being read.\n", head);
        if (r) adit_headers_add(&r->headers, "retry-after", ADIT_STR("2"));
        return r;
    }
    uint8_t hash[ADIT_SHA256_LEN];
    char etag[96];
    struct adit_buf b = {.p = etag, .cap = sizeof etag, .max = sizeof etag};
    adit_sha256_of(adit_buf_str(&f->made), hash);
    adit_sha256_text(&b, "\"sha256-", hash);
    adit_buf_lit(&b, "\"");
    adit_buf_byte(&b, '\0');
    if (!begin_file(f, q, etag, INT64_MAX)) return &f->reply;
    adit_headers_add(&f->reply.headers, "content-type", adit_str_z(type));
    adit_headers_add(&f->reply.headers, "cache-control", ADIT_STR("max-age=0, must-revalidate"));
    f->text = f->made.p;
    f->left = (int64_t)f->made.len;
    return end_file(f, q, etag, "", head);
}

/* What an archive says of a page at a time. Its bytes are a stranger's: a browser is to run nothing of
 * them as ours, and nobody adds to them. NULL: nothing. */
static struct origin_reply *send_memento(const struct dir *d, const struct origin_request *q,
                                         bool head)
{
    struct memento_answer a = {0};
    struct file_reply *f = NULL;
    if (memento_answer(d->fd, d->config->origin, q->path, get(q, "accept-datetime"), &a) &&
        (f = new_reply(a.status))) {
        struct adit_headers *h = &f->reply.headers;
        const struct {
            const char *name;
            struct adit_str value;
        } fields[] = {
            {"content-type", a.type.len ? adit_buf_str(&a.type) : ADIT_STR("text/plain")},
            {"link", adit_buf_str(&a.link)},
            {"location", adit_buf_str(&a.location)},
            {"memento-datetime", adit_buf_str(&a.datetime)},
            {"vary", a.vary ? ADIT_STR("accept-datetime") : (struct adit_str){0}},
            {"cache-control", ADIT_STR("no-transform")},
            {"x-robots-tag", ADIT_STR("noindex")},
            {"content-security-policy", ADIT_STR("sandbox")},
            {"x-content-type-options", ADIT_STR("nosniff")},
        };
        for (size_t i = 0; i < ADIT_COUNT(fields); i++)
            if (fields[i].value.len) adit_headers_add(h, fields[i].name, fields[i].value);
        f->made = a.body;
        a.body = (struct adit_buf){0};
        f->text = f->made.p;
        f->reply.length = (int64_t)f->made.len;
        f->left = head ? 0 : f->reply.length;
    }
    memento_free(&a);
    return f ? &f->reply : NULL;
}

/* With strip: the HTML file that the path stands for. path becomes its name. */
static int open_stripped(const struct dir *d, char *path, size_t max, struct stat *st)
{
    static const char *const endings[] = {".html", ".htm"};
    size_t len = strlen(path);
    int fd = -1;
    for (size_t i = 0; d->strip && fd < 0 && i < ADIT_COUNT(endings); i++) {
        if (len + strlen(endings[i]) >= max) continue;
        memcpy(path + len, endings[i], strlen(endings[i]) + 1);
        fd = open_below(d, path, st);
    }
    if (fd < 0) path[len] = '\0';
    return fd < 0 ? -1 : fd;
}

static struct origin_reply *open_dir(struct origin *o, const struct origin_request *q,
                                     enum adit_fetch_failure *why)
{
    const struct dir *d = (struct dir *)o;
    char path[PATH_MAX];
    struct stat st = {0};
    bool head = adit_str_eq(q->method, ADIT_STR("HEAD"));
    *why = ADIT_FAILED_BUSY;
    if (!head && !adit_str_eq(q->method, ADIT_STR("GET")))
        return reply_with(405, "Only GET and HEAD.\n", false);
    struct origin_reply *memento = send_memento(d, q, head);
    if (memento) return memento;
    if (!decode(q->path, path, sizeof path - sizeof "index.html"))
        return reply_with(404, "Not found.\n", head);
    size_t len = strlen(path);
    bool folder = len && path[len - 1] == '/';
    int fd = -1;
    for (size_t i = 0; fd == -1 && i < (folder ? ADIT_COUNT(indexes) : 1); i++) {
        if (folder) memcpy(path + len, indexes[i], strlen(indexes[i]) + 1);
        fd = open_below(d, path, &st);
    }
    if (fd == -1 && !folder) fd = open_stripped(d, path, sizeof path - 1, &st);
    if (fd == -1) fd = open_beside(d, path, &st);
    if (fd == -1) fd = open_artifact(d, path, sizeof path, &st);
    if (fd == -2) return redirect(q->path);
    if (fd < 0) return send_made(d, path, q, head);
    return send_file(fd, &st, path, q, head);
}

/* --- the list of pages ------------------------------------------------------------------------ */

static void add_path(struct adit_buf *out, const char *path)
{
    adit_buf_escape(out, adit_str_z(path), ADIT_PATH_PLAIN);
    adit_buf_byte(out, '\n');
}

static void walk(const struct dir *d, const char *folder, int depth, size_t *n,
                 struct adit_buf *out)
{
    char full[PATH_MAX], path[PATH_MAX];
    struct dirent **names;
    snprintf(full, sizeof full, "%s%s", d->root, folder);
    int count = scandir(full, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct stat st;
        const char *name = names[i]->d_name;
        int len = snprintf(path, sizeof path, "%s%s", folder, name);
        int full_len = snprintf(full, sizeof full, "%s%s", d->root, path);
        bool fits = len > 0 && (size_t)len + 1 < sizeof path && full_len > 0 &&
                    (size_t)full_len < sizeof full && name[0] != '.' && *n < LIST_MAX;
        if (fits && lstat(full, &st) == 0) {
            if (S_ISDIR(st.st_mode) && depth < LIST_DEPTH) {
                memcpy(path + len, "/", 2);
                walk(d, path, depth + 1, n, out);
            } else if (S_ISREG(st.st_mode) && is_index(name)) {
                add_path(out, folder);
                ++*n;
            } else if (S_ISREG(st.st_mode) && (adit_str_ends(adit_str_z(name), ADIT_STR(".html")) ||
                                               adit_str_ends(adit_str_z(name), ADIT_STR(".htm")))) {
                if (d->strip) *strrchr(path, '.') = '\0';
                add_path(out, path);
                ++*n;
            }
        }
        free(names[i]);
    }
    if (count >= 0) free(names);
}

static void list_dir(struct origin *o, const struct adit_config *c, struct adit_buf *out)
{
    (void)c;
    size_t n = 0;
    walk((struct dir *)o, "/", 0, &n, out);
}

static void free_dir(struct origin *o)
{
    struct dir *d = (struct dir *)o;
    site_free(d->site);
    close(d->fd);
    free(d->root);
    free(d);
}

static void start_dir(struct origin *o) { site_start(((struct dir *)o)->site); }

static bool describe_dir(struct origin *o, struct adit_json_writer *w)
{
    return site_describe(((struct dir *)o)->site, w);
}

struct origin *origin_dir(const char *path, const struct adit_config *c, bool strip)
{
    struct dir *d = calloc(1, sizeof *d);
    char *root = realpath(path, NULL);
    int fd = root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (!d || fd < 0) {
        cli_say(path, "%s", errno == ENOTDIR ? "is no folder" : strerror(errno));
        if (fd >= 0) close(fd);
        free(d);
        free(root);
        return NULL;
    }
    if (strcmp(root, "/") == 0) root[0] = '\0';
    d->fd = fd;
    d->root = root;
    d->origin = (struct origin){open_dir, list_dir, free_dir, start_dir, describe_dir};
    d->strip = strip;
    d->site = site_new(&d->origin, c);
    if (!d->site) {
        free_dir(&d->origin);
        return NULL;
    }
    d->config = c;
    return &d->origin;
}
