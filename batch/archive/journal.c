/* The journal of a batch: which lines it may have, and doing what they say.
 *
 *   M NUMBER KEY         moves the staged file of that number to its place
 *   D KEY                removes an object
 *   P OFFSET KEY BYTES   writes over bytes of a manifest
 *   E JSON               an event, told when the batch is there
 *
 * An archive may come from others: a journal is looked through as a whole before its first line is
 * acted on, keys must be such as adit makes, and files are reached below the archive without
 * following a link. */
#include "batch/archive/archive_impl.h"
#include "batch/io/io.h"
#include "json/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_MAX = 160 };

struct line {
    char what;
    uint64_t n;        /* M: of the staged file; P: offset */
    char key[KEY_MAX]; /* relative to the archive */
    struct adit_str bytes;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Which keys a line may name. */
static bool fits(const struct line *l, enum adit_spp_key kind)
{
    switch (l->what) {
    case 'M': return kind != ADIT_SPP_KEY_NONE && !l->bytes.p;
    case 'D': return kind == ADIT_SPP_KEY_OBJECT && !l->bytes.p;
    case 'P':
        return kind == ADIT_SPP_KEY_MANIFEST && l->bytes.len && l->bytes.len <= ARCHIVE_FILE_MAX &&
               l->n <= ARCHIVE_FILE_MAX - l->bytes.len;
    default: return false;
    }
}

static bool is_event(struct adit_str text)
{
    struct adit_json_value v;
    return adit_json_check(text, &v, NULL) == ADIT_OK && v.kind == ADIT_JSON_OBJECT;
}

/* False: adit does not write such a line. */
static bool read_line(struct adit_str text, struct line *l)
{
    struct adit_str word, rest = adit_str_sub(text, 2, text.len);
    if (text.len < 3 || text.p[1] != ' ') return false;
    *l = (struct line){.what = text.p[0], .bytes = rest};
    if (l->what == 'E') return is_event(rest);
    bool numbered = l->what == 'M' || l->what == 'P';
    if (numbered && (!adit_str_split(&rest, ' ', &word) || !adit_str_u64(word, &l->n)))
        return false;
    if (!adit_str_split(&rest, ' ', &word) || word.len >= sizeof l->key) return false;
    memcpy(l->key, word.p, word.len);
    l->bytes = rest;
    return fits(l, adit_spp_key(word));
}

/* Every line ends with LF, so that the last part is empty. */
static bool check_all(struct archive *a, struct adit_str journal)
{
    struct line l;
    struct adit_str text;
    char why[96];
    for (uint64_t n = 1; adit_str_split(&journal, '\n', &text); n++) {
        if (journal.p ? read_line(text, &l) : !text.len) continue;
        snprintf(why, sizeof why, "line %llu is none that adit archive writes; nothing was done",
                 (unsigned long long)n);
        return archive_fail(a, ARCHIVE_JOURNAL, why);
    }
    return true;
}

enum archive_found archive_journal(struct archive *a, struct adit_buf *journal)
{
    enum archive_found found = archive_read(a, ADIT_STR(ARCHIVE_JOURNAL), journal);
    if (found != ARCHIVE_FOUND || check_all(a, adit_buf_str(journal))) return found;
    return ARCHIVE_BROKEN;
}

/* --- acting ----------------------------------------------------------------------------------- */

static bool is_file(int folder, const char *name)
{
    struct stat st;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

/* Moves a staged file to its place; it may have been moved before. */
static bool move(struct archive *a, const struct line *l)
{
    char staged[ARCHIVE_STAGED_MAX];
    const char *from, *to;
    archive_staged(staged, l->n);
    int out = below_parent(a->fd, l->key, true, &to);
    if (out < 0) return archive_fail(a, l->key, below_why(errno));
    int in = below_parent(a->own, staged, false, &from);
    bool good = true;
    if (in < 0 && errno != ENOENT)
        good = archive_fail(a, ARCHIVE_STAGE, below_why(errno));
    else if (in >= 0 && is_file(in, from))
        good = renameat(in, from, out, to) == 0 || archive_fail(a, l->key, strerror(errno));
    else
        good = is_file(out, to) || archive_fail(a, l->key, "is lost");
    if (in >= 0) close(in);
    close(out);
    return good;
}

/* The changed manifest as a new file. */
static bool rewrite(struct archive *a, const struct line *l)
{
    if (archive_read(a, adit_str_z(l->key), &a->file) != ARCHIVE_FOUND ||
        a->file.len < l->n + l->bytes.len)
        return archive_fail(a, l->key, "cannot be read");
    memcpy(a->file.p + l->n, l->bytes.p, l->bytes.len);
    return archive_replace(a, l->key, adit_buf_str(&a->file));
}

/* Writes bytes over those that are there; done twice, it is done. A file with a second name (a hard
 * link, perhaps outside of the archive) is replaced instead: the other name keeps its bytes. */
static bool overwrite(struct archive *a, const struct line *l)
{
    struct stat st;
    int fd = below_open(a->fd, l->key, O_WRONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0) return archive_fail(a, l->key, below_why(errno));
    bool good =
        fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && l->n + l->bytes.len <= (uint64_t)st.st_size;
    if (!good)
        archive_fail(a, l->key, "is not the file that the journal would change");
    else if (st.st_nlink > 1)
        good = rewrite(a, l);
    else if (pwrite(fd, l->bytes.p, l->bytes.len, (off_t)l->n) != (ssize_t)l->bytes.len)
        good = archive_fail(a, l->key, "cannot be written");
    close(fd);
    return good;
}

static bool drop(struct archive *a, const struct line *l)
{
    const char *name;
    int folder = below_parent(a->fd, l->key, false, &name);
    bool good = folder >= 0 && unlinkat(folder, name, 0) == 0;
    if (!good && errno == ENOENT) good = true;
    if (!good) archive_fail(a, l->key, below_why(errno));
    if (folder >= 0) close(folder);
    return good;
}

static bool act(struct archive *a, struct adit_str text)
{
    struct line l;
    if (!read_line(text, &l)) return archive_fail(a, ARCHIVE_JOURNAL, "is no journal of adit's");
    switch (l.what) {
    case 'M': return move(a, &l);
    case 'P': return overwrite(a, &l);
    case 'D': return drop(a, &l);
    default:
        if (a->events_on) cli_data_line(l.bytes);
        return true;
    }
}

bool archive_journal_do(struct archive *a, struct adit_str journal)
{
    struct adit_str text;
    bool good = true;
    while (good && adit_str_split(&journal, '\n', &text)) good = !text.len || act(a, text);
    if (fflush(stdout) != 0) good = archive_fail(a, ARCHIVE_JOURNAL, "cannot write its events");
    return good;
}
