/* Slow: Output: every coding gives one valid stream, the head can be replaced, nothing is left behind on
 * failure, and no reader ever meets a ratio above 100:1. */
#include "batch/io/io.h"
#include "tests/tap.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static const char *folder;

static const char *in_folder(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Decodes byte by byte; checks the ratio at each. */
struct decoded {
    struct adit_buf buf;
    bool good, ratio_kept;
    size_t ends; /* streams that ended */
};

static void note(struct decoded *d, const char *p, size_t len, size_t consumed)
{
    adit_buf_add(&d->buf, adit_str_of(p, len));
    if (d->buf.len >= ADIT_LIMIT_ratio_from && d->buf.len > ADIT_LIMIT_ratio * (uint64_t)consumed)
        d->ratio_kept = false;
}

static void decode_gzip(struct decoded *d, struct adit_str file)
{
    static Bytef out[1 << 16];
    z_stream z = {0};
    inflateInit2(&z, 16 + MAX_WBITS);
    int status = Z_OK;
    for (size_t i = 0; i < file.len && status == Z_OK; i++) {
        z.next_in = (Bytef *)(uintptr_t)(file.p + i), z.avail_in = 1;
        do {
            z.next_out = out, z.avail_out = sizeof out;
            status = inflate(&z, Z_NO_FLUSH);
            note(d, (char *)out, sizeof out - z.avail_out, i + 1);
        } while (z.avail_out == 0);
        if (status == Z_BUF_ERROR) status = Z_OK;
        if (status == Z_STREAM_END) d->ends++, d->good = i + 1 == file.len;
    }
    inflateEnd(&z);
}

static void decode_zstd(struct decoded *d, struct adit_str file)
{
    static char out[1 << 17];
    ZSTD_DCtx *c = ZSTD_createDCtx();
    ZSTD_DCtx_setParameter(c, ZSTD_d_windowLogMax, 23);
    for (size_t i = 0; i < file.len; i++) {
        ZSTD_inBuffer in = {file.p + i, 1, 0};
        ZSTD_outBuffer to;
        size_t left;
        do {
            to = (ZSTD_outBuffer){out, sizeof out, 0};
            left = ZSTD_decompressStream(c, &to, &in);
            if (ZSTD_isError(left)) break;
            note(d, out, to.pos, i + 1);
        } while (to.pos == to.size);
        if (ZSTD_isError(left)) break;
        if (left == 0) d->ends++, d->good = i + 1 == file.len;
    }
    ZSTD_freeDCtx(c);
}

static struct decoded decode(enum output_coding coding, struct adit_str file)
{
    struct decoded d = {.ratio_kept = true};
    adit_buf_init(&d.buf, tap_mem, 1u << 30);
    if (coding == OUTPUT_GZIP)
        decode_gzip(&d, file);
    else if (coding == OUTPUT_ZSTD)
        decode_zstd(&d, file);
    else {
        adit_buf_add(&d.buf, file);
        d.good = true, d.ends = 1;
    }
    return d;
}

/* Bytes that compress a little, or, when flat, without end. */
static struct adit_str make_bytes(size_t len, bool flat)
{
    char *p = malloc(len + 1);
    uint32_t seed = 1;
    for (size_t i = 0; i < len; i++) {
        seed = seed * 1664525 + 1013904223;
        p[i] = flat ? 'x' : (char)('a' + (seed >> 24) % 16);
    }
    return adit_str_of(p, len);
}

static void round_trip(struct output_options o, size_t len, bool flat, bool with_head,
                       const char *what)
{
    struct adit_str bytes = make_bytes(len, flat);
    const char *path = in_folder("round");
    struct output *out = output_open(path, &o);
    if (with_head) output_head(out, ADIT_STR("head 00000000\n"));
    for (size_t at = 0; at < len; at += 70001)
        output_write(out, adit_str_sub(bytes, at, at + 70001));
    if (with_head) output_replace_head(out, ADIT_STR("head 12345678\n"));
    bool written = output_finish(out);
    uint64_t size = output_bytes_out(out);
    written = output_commit(out) && written;

    struct adit_str file = tap_read(path);
    struct decoded d = decode(o.coding, file);
    struct adit_str got = adit_buf_str(&d.buf);
    bool same = true;
    if (with_head) {
        same = adit_str_starts(got, ADIT_STR("head 12345678\n"));
        got = adit_str_sub(got, 14, got.len);
    }
    ok(written && size == file.len && d.good && d.ends == 1 && d.ratio_kept && same &&
           adit_str_eq(got, bytes),
       what);
    adit_buf_free(&d.buf);
    free((void *)(uintptr_t)file.p);
    free((void *)(uintptr_t)bytes.p);
}

TEST(codings)
{
    for (int c = OUTPUT_NONE; c <= OUTPUT_ZSTD; c++) {
        struct output_options o = {.coding = (enum output_coding)c};
        char what[80];
        const size_t lengths[] = {0, 1, 262143, 262144, 262145, 3000000};
        for (size_t i = 0; i < ADIT_COUNT(lengths); i++)
            for (int head = 0; head < 2; head++) {
                snprintf(what, sizeof what, "%s, %zu bytes%s", output_coding_names[c], lengths[i],
                         head ? ", with a head" : "");
                round_trip(o, lengths[i], false, head, what);
            }
        snprintf(what, sizeof what, "%s, flat: never above 100:1", output_coding_names[c]);
        round_trip(o, 5000000, true, true, what);
        o.level = c == OUTPUT_ZSTD ? 22 : 9;
        snprintf(what, sizeof what, "%s, highest level: the window stays small",
                 output_coding_names[c]);
        round_trip(o, 600000, false, true, what);
    }
    struct output_options threads = {.coding = OUTPUT_ZSTD, .jobs = 2};
    round_trip(threads, 6000000, false, true, "zstd with threads");
    round_trip(threads, 6000000, true, true, "zstd with threads, flat");
}

static size_t files_in(const char *path)
{
    size_t n = 0;
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
    if (d) closedir(d);
    return n;
}

/* Threads of this process while a file of so many bytes is finished. */
static size_t threads_for(size_t len)
{
    struct output_options o = {.coding = OUTPUT_ZSTD, .jobs = 2};
    struct output *out = output_open(in_folder("threads"), &o);
    char block[4096];
    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < len; i += sizeof block)
        output_write(out, adit_str_of(block, sizeof block));
    output_finish(out);
    size_t n = files_in("/proc/self/task");
    output_discard(out);
    return n;
}

TEST(few_threads)
{
    eq_int(threads_for(200 << 10), 1, "a small file starts no threads");
    ok(threads_for(3 << 20) > 1, "a large one does");
}

/* As to a FILE that the user names. */
static bool write_to(const char *path)
{
    struct output *out = output_open(path, NULL);
    if (out) output_write(out, ADIT_STR("x"));
    return out && output_commit(out);
}

TEST(whole_or_not_at_all)
{
    const char *path = in_folder("atomic");
    ok(output_file(path, ADIT_STR("old"), true), "a small file");
    size_t before = files_in(folder);
    struct output *out = output_open(path, NULL);
    output_write(out, ADIT_STR("new"));
    struct adit_str seen = tap_read(path);
    eq_str(seen, ADIT_STR("old"), "the old file stands while the new one is written");
    free((void *)(uintptr_t)seen.p);
    output_discard(out);
    eq_int(files_in(folder), before, "discarding leaves nothing behind");
    seen = tap_read(path);
    eq_str(seen, ADIT_STR("old"), "and the old file");
    free((void *)(uintptr_t)seen.p);
    if (fork() == 0) { /* killed in the middle */
        out = output_open(path, NULL);
        output_write(out, ADIT_STR("half"));
        _exit(out ? 0 : 1);
    }
    wait(NULL);
    eq_int(files_in(folder), before, "a killed run leaves nothing behind");
    out = output_open(path, NULL);
    output_write(out, ADIT_STR("new"));
    ok(output_commit(out), "committing");
    seen = tap_read(path);
    eq_str(seen, ADIT_STR("new"), "replaces the old file");
    eq_int(files_in(folder), before, "and leaves no other");
    free((void *)(uintptr_t)seen.p);
    ok(output_open(in_folder("no/such/folder"), NULL) == NULL, "no such folder");
    ok(write_to("/dev/null"), "a device is written to");
    struct stat st;
    ok(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode), "and not replaced");
    ok(!write_to("/dev/full"), "a full device is an error");
}

TEST(links)
{
    char mine[4200], path[4200];
    snprintf(mine, sizeof mine, "%s", in_folder("mine"));
    snprintf(path, sizeof path, "%s", in_folder("link"));
    struct stat st;
    ok(output_file(mine, ADIT_STR("mine"), true) && symlink("mine", path) == 0, "a link");
    ok(write_to(path), "a name that the user gives");
    struct adit_str seen = tap_read(mine);
    eq_str(seen, ADIT_STR("x"), "is followed to its file");
    free((void *)(uintptr_t)seen.p);
    ok(lstat(path, &st) == 0 && S_ISLNK(st.st_mode), "and stays a link");
    ok(output_file(path, ADIT_STR("own"), true), "a name of our own");
    seen = tap_read(mine);
    eq_str(seen, ADIT_STR("x"), "is not followed");
    free((void *)(uintptr_t)seen.p);
    seen = tap_read(path);
    eq_str(seen, ADIT_STR("own"), "but replaced");
    free((void *)(uintptr_t)seen.p);
    ok(lstat(path, &st) == 0 && S_ISREG(st.st_mode), "by a file");
    unlink(path);
    ok(symlink("nowhere", path) == 0 && output_file(path, ADIT_STR("own"), true),
       "a link to nothing");
    ok(access(in_folder("nowhere"), F_OK) != 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode),
       "is replaced, too");
    unlink(path);
    ok(mkfifo(path, 0666) == 0 && output_file(path, ADIT_STR("own"), true) &&
           lstat(path, &st) == 0 && S_ISREG(st.st_mode),
       "so is a pipe at a name of our own");
    /* What a run left that was killed between the two names of a file. */
    char temp[4300];
    snprintf(temp, sizeof temp, "%s.adit-new", path);
    ok(symlink("mine", temp) == 0 && output_file(path, ADIT_STR("next"), true), "a name left over");
    ok(lstat(temp, &st) != 0, "goes with the next run");
    seen = tap_read(path);
    eq_str(seen, ADIT_STR("next"), "which writes its file");
    free((void *)(uintptr_t)seen.p);
}

TEST(misuse)
{
    struct output *out = output_open(in_folder("misuse"), NULL);
    output_write(out, ADIT_STR("x"));
    ok(!output_head(out, ADIT_STR("late")), "a head after other bytes is refused");
    ok(!output_commit(out), "and the file with it");
    ok(access(in_folder("misuse"), F_OK) != 0, "nothing is written then");
}

int main(void)
{
    static char name[] = "/tmp/adit-output-XXXXXX";
    folder = mkdtemp(name);
    if (!folder || !freopen("/dev/null", "w", stderr)) return 1;
    codings();
    few_threads();
    whole_or_not_at_all();
    links();
    misuse();
    printf("1..%d\n", tap_count);
    char clean[4200];
    snprintf(clean, sizeof clean, "rm -rf '%s'", folder);
    return system(clean) != 0 || tap_failed != 0;
}
