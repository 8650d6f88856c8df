/* How fast the basics are, against what they stand on and against a copy of the same bytes,
 * measured in one run: best of several rounds of processor time. */
#include "batch/cli/cli.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "text/text.h"
#include "tests/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 7, BYTES = 16 << 20 };

static struct adit_buf prose, mixed, lines, out;
static volatile unsigned keep; /* so that nothing measured is left out */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void copy(const struct adit_buf *in)
{
    adit_buf_clear(&out);
    adit_buf_add(&out, adit_buf_str(in));
    keep += (unsigned char)out.p[out.len / 2];
}
static void valid(const struct adit_buf *in) { keep += adit_utf8_valid(adit_buf_str(in)); }
static void nfkc(const struct adit_buf *in)
{
    adit_buf_clear(&out);
    keep += adit_nfkc(adit_buf_str(in), libc_mem, &out);
}
static void nfkc_utf8proc(const struct adit_buf *in)
{
    uint8_t *text = NULL;
    keep += (unsigned)utf8proc_map((const uint8_t *)in->p, (utf8proc_ssize_t)in->len, &text,
                                   UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    free(text);
}
static void fold(const struct adit_buf *in)
{
    adit_buf_clear(&out);
    adit_casefold(adit_buf_str(in), &out);
}
static void normalise(const struct adit_buf *in)
{
    adit_buf_clear(&out);
    keep += adit_text_normalise(adit_buf_str(in), libc_mem, &out);
}
static void quote(const struct adit_buf *in)
{
    adit_buf_clear(&out);
    adit_json_quote(&out, adit_buf_str(in));
}
static void scan(const struct adit_buf *in)
{
    static const struct adit_str keys[] = {ADIT_STR_INIT("url"), ADIT_STR_INIT("modified")};
    struct adit_str rest = adit_buf_str(in), line;
    struct adit_json_value v[2];
    while (adit_str_split(&rest, '\n', &line)) keep += adit_json_pick(line, keys, 2, v, NULL);
}
static void canonical(const struct adit_buf *in)
{
    struct adit_str rest = adit_buf_str(in), line;
    while (adit_str_split(&rest, '\n', &line)) {
        adit_buf_clear(&out);
        keep += adit_json_rewrite(line, &adit_json_canonical, libc_mem, &out, NULL);
    }
}
static void sha(const struct adit_buf *in)
{
    uint8_t hash[ADIT_SHA256_LEN];
    adit_sha256_of(adit_buf_str(in), hash);
    keep += hash[0];
}
static void sha_bearssl(const struct adit_buf *in)
{
    adit_sha256_use(NULL);
    sha(in);
    sha_accelerate();
}

static const struct {
    const char *what;
    void (*run)(const struct adit_buf *in);
    const struct adit_buf *in;
} rows[] = {
    {"copy (the limit)", copy, &prose},
    {"UTF-8 check", valid, &prose},
    {"UTF-8 check, accented", valid, &mixed},
    {"NFKC", nfkc, &prose},
    {"NFKC, accented", nfkc, &mixed},
    {"NFKC by utf8proc alone", nfkc_utf8proc, &prose},
    {"case folding", fold, &prose},
    {"fingerprint normalisation", normalise, &prose},
    {"JSON string", quote, &prose},
    {"JSON lines, checked", scan, &lines},
    {"JSON lines, canonical", canonical, &lines},
    {"SHA-256", sha, &prose},
    {"SHA-256 by BearSSL", sha_bearssl, &prose},
};

static void fill(struct adit_buf *b, const char *text, size_t max)
{
    adit_buf_init(b, libc_mem, max);
    while (b->len + strlen(text) <= BYTES) adit_buf_lit(b, text);
}

static double best_of(size_t row)
{
    double best = 1e9;
    for (int i = 0; i < ROUNDS; i++) {
        double t = now();
        rows[row].run(rows[row].in);
        t = now() - t;
        if (t < best) best = t;
    }
    return (double)rows[row].in->len / best / 1e6;
}

int main(void)
{
    fill(
        &prose,
        "It\xE2\x80\x99s a paragraph as it stands on many pages of the web: words, a comma, a full "
        "stop. Another sentence follows, of some length, and then the line ends.\n",
        BYTES);
    fill(&mixed,
         "Gr\xC3\xB6\xC3\x9F"
         "ere St\xC3\xA4"
         "dte haben h\xC3\xA4ufig \xC3\xA4hnliche Sorgen; les \xC3\xA9t\xC3\xA9s sont "
         "br\xC3\xBBl\xC3\xA9s.\n",
         BYTES);
    fill(&lines,
         "{\"url\":\"https://example.com/post/\",\"title\":\"A "
         "title\",\"modified\":\"2025-01-15T10:00:00Z\","
         "\"language\":\"en\",\"content\":[{\"type\":\"heading\",\"level\":2,\"text\":\"A "
         "heading\"},{\"type\":\"text\","
         "\"text\":\"A paragraph of the length that paragraphs have: three lines on a screen, "
         "perhaps four, "
         "with \\\"quoted\\\" words, and nothing else that would be special in any way at "
         "all.\"},{\"type\":\"link\","
         "\"url\":\"https://example.com/\",\"text\":\"A link\",\"rel\":[\"nofollow\"]}]}\n",
         BYTES);
    lines.len--; /* the last line break */
    adit_buf_init(&out, libc_mem, (size_t)BYTES * 4);
    sha_accelerate();
    double copied = 0;
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        double speed = best_of(i);
        if (i == 0) copied = speed;
        printf("%-28s %7.0f MB/s  %5.1f %% of a copy\n", rows[i].what, speed, 100 * speed / copied);
    }
    adit_buf_free(&prose), adit_buf_free(&mixed), adit_buf_free(&lines), adit_buf_free(&out);
    return 0;
}
