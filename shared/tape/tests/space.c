/* Code that goes eight bytes at a time, against plain code that goes byte by byte: white space, and
 * facts that may not depend on where a text is cut into words. */
#include "tape/tape.h"
#include "select/features_impl.h"
#include "tests/tap.h"

enum { PIECES = 40, ROUNDS = 20000 };

static uint32_t seed = 1;
static uint32_t any(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % below;
}

/* A text of many ends: letters, runs of white space, what vanishes, and wide characters. */
static struct adit_str random_text(char *out)
{
    static const char *const pieces[] = {"a",        "bc", "word", "longerword", " ",        "  ",
                                         "\n   ",    "x",  "\x7f", "\x01",       "\xc2\xa0", "é",
                                         "\xc2\xad", "日", "7",    ".",          "A",        "\t"};
    size_t len = 0;
    for (uint32_t n = any(PIECES); n > 0; n--) {
        const char *piece = pieces[any(ADIT_COUNT(pieces))];
        memcpy(out + len, piece, strlen(piece));
        len += strlen(piece);
    }
    return adit_str_of(out, len);
}

static bool is_white(struct adit_str s, size_t *len)
{
    *len = adit_str_starts(s, ADIT_STR("\xc2\xa0")) ? 2 : 1;
    return *len == 2 || adit_is_space(s.p[0]);
}
static bool vanishes(struct adit_str s, size_t *len)
{
    *len = adit_str_starts(s, ADIT_STR("\xc2\xad")) ? 2 : 1;
    return *len == 2 || s.p[0] == 0x7f || s.p[0] == 0x01;
}

struct plain {
    char out[PIECES * 24]; /* of two texts */
    size_t len;
    uint32_t chars;
    bool space;
};

static void add_plain(struct plain *x, struct adit_str s)
{
    for (size_t n; s.len; s = adit_str_sub(s, n, s.len)) {
        if (is_white(s, &n)) {
            x->space = true;
        } else if (!vanishes(s, &n)) {
            if (x->space && x->len) x->out[x->len++] = ' ';
            x->space = false;
            x->chars += ((unsigned char)s.p[0] & 0xC0) != 0x80;
            x->out[x->len++] = s.p[0];
            n = 1;
        }
    }
}

TEST(collapsing)
{
    char raw[PIECES * 12], out[PIECES * 24 + 8];
    int bad = 0, blank = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct plain want = {.space = false};
        struct adit_space got = {.out = out};
        for (int part = 0; part < 2; part++) { /* a leaf has many texts */
            struct adit_str s = random_text(raw);
            /* Exactly its bytes, so that a sanitizer sees a step too far. */
            char *own = malloc(s.len ? s.len : 1);
            memcpy(own, s.p, s.len);
            struct plain alone = {.space = false};
            add_plain(&want, s), add_plain(&alone, s);
            adit_space_add(&got, adit_str_of(own, s.len));
            blank += adit_space_blank(adit_str_of(own, s.len)) != (alone.len == 0);
            free(own);
        }
        bad += !adit_str_eq(adit_str_of(out, got.len), adit_str_of(want.out, want.len)) ||
               got.chars != want.chars;
    }
    eq_int(bad, 0, "texts are collapsed as byte by byte");
    eq_int(blank, 0, "blank texts are found as byte by byte");
}

static struct adit_leaf_stats facts_of(const char *text)
{
    struct adit_leaf leaf = {.text = adit_str_z(text)};
    struct adit_leaf_stats f;
    adit_leaf_stats(&leaf, 0, &f);
    return f;
}

/* The hash is of letters and digits alone, whatever stands between them and wherever. */
TEST(same_text)
{
    char with[600], without[600];
    int bad = 0;
    for (int i = 0; i < ROUNDS / 10; i++) {
        size_t n = 0, m = 0;
        for (uint32_t k = any(270) + 1; k > 0; k--) {
            char c = "abcdefgXYZ0123"[any(14)];
            while (any(4) == 0) with[n++] = " -.,!"[any(5)];
            with[n++] = c;
            without[m++] = adit_lower(c);
            if (n > 500) break;
        }
        with[n] = without[m] = '\0';
        struct adit_leaf_stats a = facts_of(with), b = facts_of(without);
        bad += a.hash != b.hash || a.norm_len != m || b.norm_len != m;
        without[any((uint32_t)m)] = '#';
        bad += facts_of(without).hash == a.hash;
    }
    eq_int(bad, 0, "texts are the same by their letters and digits");
}

TEST(class_values)
{
    static struct adit_classes c;
    static char values[3000][16];
    uint32_t digits[2];
    adit_classes_init(&c);
    for (int i = 0; i < 2; i++)
        digits[i] =
            adit_class_score(&c, adit_class_find(&c, adit_str_z(i ? "post-77 x" : "post-1234 x")))
                ->hash;
    eq_int(digits[0], digits[1], "digits of a class do not count");
    int bad = 0;
    for (int round = 0; round < 2; round++) /* more values than the cache holds */
        for (size_t i = 0; i < ADIT_COUNT(values); i++) {
            snprintf(values[i], sizeof values[i], "%s%zu", i % 3 ? "x" : "footer", i);
            struct adit_str v = adit_str_z(values[i]);
            const struct adit_class *x = adit_class_score(&c, adit_class_find(&c, v));
            uint32_t want = i % 3 ? 0 : UINT32_C(1) << ADIT_CAT_foot;
            bad += !adit_str_eq(x->value, v) || x->categories != want;
        }
    eq_int(bad, 0, "a full cache forgets, and never lies");
}

/* Values outlive the page that they stood in, however many and long they are. */
TEST(classes_of_pages)
{
    enum { MANY = 900, ROOM = 320 };
    static struct adit_classes c;
    int bad = 0;
    size_t worked_out = 0;
    adit_classes_init(&c);
    for (size_t page = 0; page < 40; page++) {
        char *bytes = malloc((size_t)MANY * ROOM);
        size_t n = page % 10 == 9 ? MANY : 100;
        for (size_t i = 0; bytes && i < n; i++) {
            char *value = bytes + i * ROOM;
            const char *text = i % 3 ? "a column" : "a footer";
            int len = snprintf(value, ROOM, "%s %*zu", text, i % 90 ? 1 : ROOM - 20, i);
            struct adit_class *x = adit_class_find(&c, adit_str_of(value, (size_t)len));
            uint32_t want = i % 3 ? 0 : UINT32_C(1) << ADIT_CAT_foot;
            worked_out += page == 1 && !x->scored;
            bad += adit_class_score(&c, x)->categories != want;
        }
        free(bytes);
        adit_classes_reset(&c);
    }
    eq_int(bad, 0, "each says the same on every page");
    eq_int((long long)worked_out, 0, "and is worked out once a site");
}

RUN_TESTS(collapsing, same_text, class_values, classes_of_pages)
