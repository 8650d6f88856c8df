/* Slow: Differences by words: small texts by hand; random ones against a slow sure method; hostile ones. */
#include "text/text.h"
#include "shared/tests/tap.h"

/* "equal[-removed-]{+added+}" */
static void show(const struct adit_diff *d, struct adit_buf *out)
{
    static const char *const open[] = {"", "[-", "{+"}, *const close[] = {"", "-]", "+}"};
    for (size_t i = 0; i < d->n; i++) {
        adit_buf_lit(out, open[d->runs[i].kind]);
        adit_buf_add(out, d->runs[i].text);
        adit_buf_lit(out, close[d->runs[i].kind]);
    }
}

/* Whether the runs are what the contract says. */
static bool holds(const struct adit_diff *d, struct adit_str a, struct adit_str b)
{
    size_t at[2] = {0, 0};
    for (size_t i = 0; i < d->n; i++) {
        struct adit_diff_run r = d->runs[i];
        if (!r.text.len || (i && r.kind == d->runs[i - 1].kind)) return false;
        if (i && r.kind == ADIT_DIFF_REMOVED && d->runs[i - 1].kind == ADIT_DIFF_ADDED)
            return false;
        for (unsigned side = 0; side < 2; side++) {
            if (r.kind == (side ? ADIT_DIFF_REMOVED : ADIT_DIFF_ADDED)) continue;
            struct adit_str text = side ? b : a;
            if (!adit_str_eq(adit_str_sub(text, at[side], at[side] + r.text.len), r.text))
                return false;
            at[side] += r.text.len;
        }
    }
    return at[0] == a.len && at[1] == b.len;
}

TEST(by_hand)
{
    static const struct {
        const char *a, *b, *diff;
        unsigned removed, added;
    } rows[] = {
        {"", "", "", 0, 0},
        {"same words\n", "same words\n", "same words\n", 0, 0},
        {"", "all of it", "{+all of it+}", 0, 3},
        {"all of it", "", "[-all of it-]", 3, 0},
        {"the quick brown fox", "the slow brown fox", "the [-quick-]{+slow+} brown fox", 1, 1},
        {"one two three", "one two and three", "one two {+and +}three", 0, 1},
        {"It costs 3.14 now.", "It costs 3.15 now.", "It costs [-3.14-]{+3.15+} now.", 1, 1},
        {"we don't know", "we do know", "we [-don't-]{+do+} know", 1, 1},
        {"It\xe2\x80\x99s here", "It is here", "[-It\xe2\x80\x99s-]{+It is+} here", 1, 2},
        /* Equal words between larger changes are chance. */
        {"Alpha beta a gamma delta", "Entirely other a words follow",
         "[-Alpha beta a gamma delta-]{+Entirely other a words follow+}", 5, 5},
        {"a long sentence that stays as it is, with one end",
         "a long sentence that stays as it is, "
         "with two ends",
         "a long sentence that stays as it is, with [-one end-]{+two ends+}", 2, 2},
        /* Lines come first: a new paragraph takes no words of its neighbours. */
        {"First one.\n\nLast one.\n", "First one.\n\nA new one.\n\nLast one.\n",
         "First one.\n\n{+A new one.\n\n+}Last one.\n", 0, 3},
        /* Paragraphs that changed beside one that came: the blank lines between say nothing. */
        {"The committee meets on Monday at ten.\n\nTickets are sold at the door every day.\n",
         "The committee meets on Tuesday at ten.\n\nParking is free.\n\n"
         "Tickets are sold at the gate every day.\n",
         "The committee meets on [-Monday-]{+Tuesday+} at ten.\n\n{+Parking is free.\n\n+}"
         "Tickets are sold at the [-door-]{+gate+} every day.\n",
         2, 5},
        /* Characters of scripts without spaces. */
        {"\xe6\x88\x91\xe6\x98\xaf\xe5\xad\xa6\xe7\x94\x9f",
         "\xe6\x88\x91\xe6\x98\xaf\xe8\x80\x81\xe5\xb8\x88",
         "\xe6\x88\x91\xe6\x98\xaf[-\xe5\xad\xa6\xe7\x94\x9f-]{+\xe8\x80\x81\xe5\xb8\x88+}", 2, 2},
        /* Marks and joined signs stay with theirs: e + acute, a family of emoji, a flag. */
        {"caf\x65\xcc\x81 x", "caf\x65 x", "[-caf\x65\xcc\x81-]{+caf\x65+} x", 1, 1},
        {"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9 hello there",
         "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa7 hello there",
         "[-\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9-]{+"
         "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa7+}"
         " hello there",
         0, 0},
        {"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa flag", "\xf0\x9f\x87\xa9\xf0\x9f\x87\xb0 flag",
         "[-\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa-]{+\xf0\x9f\x87\xa9\xf0\x9f\x87\xb0+} flag", 0, 0},
        /* Bytes that are no UTF-8. */
        {"a \xff b is here", "a \xfe b is here", "a [-\xff-]{+\xfe+} b is here", 0, 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct adit_str a = adit_str_z(rows[i].a), b = adit_str_z(rows[i].b);
        struct adit_arena arena;
        struct adit_buf out;
        struct adit_diff d;
        adit_arena_init(&arena, tap_mem, 64 << 20);
        adit_buf_init(&out, tap_mem, 1 << 20);
        eq_int(adit_diff_words(a, b, &arena, &d), ADIT_OK, "two texts are compared");
        show(&d, &out);
        eq_str(adit_buf_str(&out), adit_str_z(rows[i].diff), "words by hand");
        ok(holds(&d, a, b), "the runs make up both texts");
        eq_int(d.removed, rows[i].removed, "words removed");
        eq_int(d.added, rows[i].added, "words added");
        adit_buf_free(&out);
        adit_arena_free(&arena);
    }
}

/* Units changed by the best possible script, for texts of one-letter words. */
static unsigned least(const char *a, unsigned n, const char *b, unsigned m)
{
    static unsigned lcs[64][64];
    for (unsigned i = 1; i <= n; i++)
        for (unsigned j = 1; j <= m; j++)
            lcs[i][j] = a[i - 1] == b[j - 1]            ? lcs[i - 1][j - 1] + 1
                        : lcs[i - 1][j] > lcs[i][j - 1] ? lcs[i - 1][j]
                                                        : lcs[i][j - 1];
    return n + m - 2 * lcs[n][m];
}

static unsigned random_text(char *s)
{
    static const char signs[] = ".,;-:!?\n"; /* each a word of its own */
    unsigned n = tap_dice(48), kinds = 1 + tap_dice(sizeof signs - 2);
    for (unsigned i = 0; i < n; i++) s[i] = signs[tap_dice(kinds)];
    s[n] = '\0';
    return n;
}

TEST(random_texts)
{
    bool shortest = true, whole = true;
    struct adit_arena arena;
    adit_arena_init(&arena, tap_mem, 64 << 20);
    for (unsigned i = 0; i < 20000; i++) {
        char a[64], b[64];
        unsigned n = random_text(a), m = random_text(b), changed = 0;
        struct adit_diff_edits e;
        struct adit_diff d;
        adit_diff_edits(adit_str_z(a), adit_str_z(b), ADIT_DIFF_WORDS, &arena, &e);
        for (size_t k = 0; k < e.n_a; k++) changed += e.a[k];
        for (size_t k = 0; k < e.n_b; k++) changed += e.b[k];
        if (e.n_a != n || e.n_b != m || changed != least(a, n, b, m)) shortest = false;
        if (n && m && tap_dice(2)) a[tap_dice(n)] = '\n', b[tap_dice(m)] = '\n';
        if (adit_diff_words(adit_str_z(a), adit_str_z(b), &arena, &d) ||
            !holds(&d, adit_str_z(a), adit_str_z(b)))
            whole = false;
        adit_arena_reset(&arena);
    }
    ok(shortest, "no script is shorter than that of edits");
    ok(whole, "runs make up both texts");
    adit_arena_free(&arena);
}

static bool large(struct adit_str a, struct adit_str b, struct adit_diff *d, double *seconds)
{
    struct adit_arena arena;
    adit_arena_init(&arena, tap_mem, 256 << 20);
    double from = tap_seconds();
    bool good = adit_diff_words(a, b, &arena, d) == ADIT_OK && holds(d, a, b);
    *seconds = tap_seconds() - from;
    adit_arena_free(&arena);
    return good;
}

/* Nothing in common, and much of it: the budget ends the search. */
TEST(hostile_texts)
{
    struct adit_buf a, b;
    struct adit_diff d;
    double seconds;
    adit_buf_init(&a, tap_mem, 64 << 20), adit_buf_init(&b, tap_mem, 64 << 20);
    for (unsigned i = 0; i < 150000; i++) {
        adit_buf_u64(&a, tap_dice(90000)), adit_buf_byte(&a, ' ');
        adit_buf_u64(&b, tap_dice(90000)), adit_buf_byte(&b, ' ');
    }
    ok(large(adit_buf_str(&a), adit_buf_str(&b), &d, &seconds), "a hopeless pair of texts ends");
    printf("# %.2f s\n", seconds);
    adit_buf_clear(&a), adit_buf_clear(&b);
    for (unsigned i = 0; i < 500000; i++) adit_buf_lit(&a, ".,"), adit_buf_lit(&b, ".,");
    adit_buf_lit(&b, " end");
    ok(large(adit_buf_str(&a), adit_buf_str(&b), &d, &seconds), "more words than are numbered");
    printf("# %.2f s\n", seconds);
    eq_int(d.n, 2, "whose equal beginning stays");
    adit_buf_clear(&a), adit_buf_clear(&b);
    for (unsigned i = 0; i < 60000; i++) /* lines that all differ in one word */
        adit_buf_lit(&a, "x 1\n"), adit_buf_lit(&b, i % 2 ? "x 2\n" : "x 3\n");
    ok(large(adit_buf_str(&a), adit_buf_str(&b), &d, &seconds), "many lines that changed");
    printf("# %.2f s\n", seconds);
    adit_buf_free(&a), adit_buf_free(&b);
}

TEST(counts)
{
    eq_int(adit_word_count(ADIT_STR("")), 0, "no words");
    eq_int(adit_word_count(ADIT_STR("One, two -- don't: 1,000.50!")), 4, "signs are none");
    eq_int(adit_words_within(ADIT_STR("One, two -- don't"), 2), 2, "no further than asked");
    eq_int(adit_words_within(ADIT_STR("One, two -- don't"), 4), 3, "all there are");
    eq_int(adit_word_count(ADIT_STR("\xe6\x88\x91\xe6\x98\xaf ok")), 3, "characters are");
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    (void)ctx;
    struct adit_arena arena;
    struct adit_diff d;
    adit_arena_init(&arena, mem, 1 << 20);
    enum adit_code code =
        adit_diff_words(ADIT_STR("a b c\nd\ne\n"), ADIT_STR("a x c\nd\nf\n"), &arena, &d);
    adit_arena_free(&arena);
    return code;
}
TEST(no_memory) { tap_torture(torture, NULL, "every allocation may fail"); }

RUN_TESTS(by_hand, random_texts, hostile_texts, counts, no_memory)
