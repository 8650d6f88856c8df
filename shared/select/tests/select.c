/* Features, scores and the selection on small pages. */
#include "select/kind_impl.h"
#include "select/tests/fixture.h"
#include "meta/meta.h"

static struct adit_leaf_stats facts_of(const char *html)
{
    struct fixture x;
    struct adit_leaf_stats f = {0};
    if (open_page(&x, html, NULL) == ADIT_OK && x.tape.n_leaves)
        adit_leaf_stats(&x.tape.leaves[0], x.tape.els[x.tape.leaves[0].el].tag, &f);
    close_page(&x);
    return f;
}

TEST(text_facts)
{
    struct adit_leaf_stats f = facts_of("<p>Hello, world; it is 9.30 now. Is it? Yes!</p>");
    eq_int(f.words, 10, "words");
    eq_int(f.commas, 2, "commas and semicolons");
    eq_int(f.sentences, 3, "sentences: a point inside a number ends none");
    ok(f.ends, "ends like a sentence");
    eq_int(f.tag, ADIT_TC_P, "a paragraph");
    eq_int(f.upper_pm, 1000 * 3 / 24, "upper case by letters");
    f = facts_of("<li><a href=x>Home</a> | <a href=y>News</a></li>");
    eq_int(f.odd, 1, "a separator");
    eq_int(f.link_pm, 1000 * 8 / 9, "link text by letters");
    ok(!f.ends && !f.good, "no running text");
    f = facts_of("<p>\xE5\xB1\xB1\xE9\x87\x8C\xE7\x9A\x84\xE4\xBA\xBA\xE3\x80\x82</p>");
    eq_int(f.words, 1 + 5 / 2, "CJK characters count as half a word");
    eq_int(f.sentences, 1, "an ideographic full stop");
    ok(f.ends, "which ends the leaf");
    f = facts_of("<div>การเดินทางสะดวกที่สุดคือรถไฟ ใช้เวลาประมาณหนึ่งชั่วโมง จากสถานีเดินต่ออีกสิบนาที</div>");
    ok(f.words >= 12, "Thai words are counted by their letters");
    eq_int(f.sentences, 1, "of three clauses one ends a sentence");
    eq_int(f.commas, 2, "the others are parts of it");
    ok(f.good && f.ends, "so it is running text");
    f = facts_of("<p>ကောင်းပါသည်၊ လာပါ။</p>");
    ok(f.sentences == 1 && f.commas == 1 && f.ends, "Burmese has marks of its own");
    f = facts_of("<p>Ինչպես եք։</p>");
    ok(f.sentences == 1 && f.ends, "so has Armenian");
    f = facts_of("<p>He said \xE2\x80\x9Cno.\xE2\x80\x9D</p>");
    ok(f.ends && f.sentences == 1, "a quotation mark after the stop");
    f = facts_of("<p>From $5 to 7 \xE2\x82\xAC</p>");
    ok(f.prices, "amounts of money");
    ok(!facts_of("<p>From $ to \xE2\x82\xAC</p>").prices, "signs without digits are none");
    eq_int(facts_of("<h3>Head</h3>").heading, 3, "a heading's level");
    ok(facts_of("<p>Ein Ma\xC3\x9F, A-B!</p>").hash == facts_of("<p>ein ma\xC3\x9F a b</p>").hash,
       "the hash knows letters and digits only, in any case");
    ok(facts_of("<p>abc</p>").hash != facts_of("<p>abd</p>").hash, "other text, other hash");
}

TEST(long_text)
{
    enum { N = 3000 };
    static char html[N + 16] = "<p>";
    memset(html + 3, 'a', N);
    memcpy(html + 3 + N, "</p>", 5);
    struct adit_leaf_stats f = facts_of(html);
    eq_int(f.norm_len, N, "counters do not overflow in a long word");
    eq_int(f.words, 1, "which is one word");
    for (size_t i = 0; i < N; i++) html[3 + i] = ',';
    eq_int(facts_of(html).commas, N, "nor in many commas");
}

static struct adit_leaf_stats facts_of_text(const char *p, size_t len)
{
    struct adit_leaf leaf = {.text = adit_str_of(p, len)};
    struct adit_leaf_stats f;
    adit_leaf_stats(&leaf, ADIT_TAG_P, &f);
    return f;
}

/* Letters are counted eight at a time where there are as many: as if it were one by one. */
TEST(any_text)
{
    static const char signs[] = "abcdez   ABZ,.9|\xC3\xA9";
    char text[64], plain[64];
    size_t wrong = 0;
    uint32_t random = 7;
    for (size_t round = 0; round < 20000; round++) {
        size_t len = 1 + round % 40, words = 0, capitals = 0, letters = 0;
        for (size_t i = 0; i < len; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = signs[(random >> 16) % (round % 2 ? sizeof signs - 3 : 12)];
            letters += adit_is_alpha(text[i]);
            capitals += text[i] >= 'A' && text[i] <= 'Z';
            words += adit_is_alnum(text[i]) && (i == 0 || !adit_is_alnum(text[i - 1]));
        }
        struct adit_leaf_stats f = facts_of_text(text, len);
        size_t n = adit_normalise(adit_str_of(text, len), plain, sizeof plain);
        wrong += f.words != words || f.norm_len != n || f.upper_pm != adit_pm(capitals, letters) ||
                 (n && f.hash != facts_of_text(plain, n).hash);
    }
    eq_int(wrong, 0, "words, capitals and the hash of 20,000 texts");
}

static uint32_t words_in(const char *value)
{
    struct adit_classwords w;
    adit_classwords_init(&w);
    return adit_classwords_match(&w, adit_str_z(value));
}
#define CAT(name) (UINT32_C(1) << ADIT_CAT_##name)

TEST(class_words)
{
    eq_int(words_in("site-footer"), CAT(foot), "a long word inside");
    eq_int(words_in("siteFooter2"), CAT(foot), "a camelCase joint and a digit");
    eq_int(words_in("header"), 0, "a short word (ad) counts only as a whole");
    eq_int(words_in("top-ad"), CAT(ad), "as here");
    eq_int(words_in("x comments_area nav"), CAT(comment) | CAT(nav), "several");
    eq_int(words_in(""), 0, "none");
    char value[260];
    memset(value, 'x', sizeof value);
    memcpy(value + 190, "-sidebar-", 10);
    ok(words_in(value) & CAT(side), "within the first 200 bytes");
    memset(value, 'x', sizeof value);
    memcpy(value + 201, "-sidebar", 9);
    eq_int(words_in(value), 0, "not behind them");
}

static const char page_html[] =
    "<body><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav>"
    "<main><article><h1>The title of it</h1>"
    "<p>The first paragraph of running text, with commas, and a full stop at its end.</p>"
    "<p>The second paragraph of running text, with commas, and a full stop at its end.</p>"
    "</article></main><div class=comment-list><p>A comment, short, but it does end.</p></div>"
    "<footer class=site-footer><p>Imprint</p></footer>";

TEST(page_facts)
{
    struct fixture x;
    eq_int(open_page(&x, page_html, "The title of it | Site"), ADIT_OK, "a page");
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    struct adit_facts *f = &x.facts;
    eq_int(x.tape.n_leaves, 7, "leaves");
    eq_int(f->title, 2, "the title's heading");
    eq_int(f->leaves[2].title_match, 2, "is part of <title>");
    const struct adit_el_stats *p = &f->els[x.tape.leaves[3].el];
    eq_int(p->distance[ADIT_ANC_article], 1, "one level below article");
    eq_int(p->distance[ADIT_ANC_main], 2, "two below main");
    eq_int(p->distance[ADIT_ANC_nav], ADIT_FAR, "no navigation above");
    eq_int(p->siblings, 2, "two paragraphs of a kind");
    eq_int(x.tape.els[f->top].tag, ADIT_TAG_ARTICLE, "article is the best container");
    eq_int(p->to_top, 0, "and the paragraph is inside");
    const struct adit_el_stats *c = &f->els[x.tape.leaves[5].el];
    eq_int(c->distance[(int)ADIT_N_ANCESTORS + (int)ADIT_CAT_comment], 1, "a class word above");
    ok(c->to_top > 0, "outside of the container");
    ok(f->class_group[3] == f->class_group[4], "leaves of one kind");
    ok(f->class_group[3] != f->class_group[5], "of another kind");
    eq_int(f->sections[f->section_of[4]].begin, 2, "the section begins at its heading");
    eq_int(f->sum_len[7], adit_el_sum(f, f->sum_len, 0), "body's sum is the page's");
    close_page(&x);
}

/* An article, and below it three records: with dates, names, the same short words, pictures. */
#define RECORD(class, name, day)                                                                  \
    "<div class=" class "><img src=a><span>" name "</span><div>" day " May 2012, 10:15</div>"     \
                        "<p>I have read all of this, and I think that the author is right about " \
                        "it.</p>"                                                                 \
                        "<div><a href=#>Antworten</a></div></div>"
#define RECORDS(class) \
    RECORD(class, "Anna", "3") RECORD(class, "Ben", "4") RECORD(class, "Cem", "5")
#define TEXT                                                                               \
    "<p>The first paragraph of running text, with commas, and a full stop at its end, is " \
    "long.</p>"                                                                            \
    "<p>The second paragraph of running text, with commas, and a full stop, is even longer.</p>"

static size_t comments_of(const char *html, const char *og_type, bool *apart)
{
    struct fixture x;
    size_t n = 0;
    bool built = open_page(&x, html, "The title of it") == ADIT_OK;
    x.hints.og_type = adit_str_z(og_type);
    built = built && adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena) == ADIT_OK;
    for (size_t i = 0; built && i < x.tape.n_leaves; i++) n += x.facts.leaves[i].comment;
    *apart = built && x.facts.comments_apart;
    close_page(&x);
    return n;
}

TEST(comments)
{
    bool apart;
    eq_int(
        comments_of("<h1>The title of it</h1>" TEXT TEXT TEXT RECORDS("\"x7\""), "article", &apart),
        12, "records with dates, names and the same words below an article are comments");
    ok(apart, "and stand apart");
    eq_int(comments_of("<h1>The title of it</h1>" RECORDS("\"x7\""), "article", &apart), 0,
           "without a text before them they are the content");
    eq_int(comments_of("<h1>The title of it</h1>" TEXT TEXT TEXT RECORDS("\"x7\"") RECORDS("\"x7\"")
                           RECORDS("\"x7\"") RECORDS("\"x7\"") RECORDS("\"x7\"") RECORDS("\"x7\"")
                               RECORDS("\"x7\"") RECORDS("\"x7\""),
                       "article", &apart),
           0, "and where that is a mere introduction to them");
    eq_int(comments_of("<h1>The title of it</h1>" TEXT TEXT TEXT RECORDS("\"x7\""), "", &apart), 0,
           "nor are they comments where the page does not claim to be an article");
    eq_int(comments_of("<h1>The title of it</h1>" TEXT TEXT TEXT RECORDS("comment"), "", &apart),
           12, "unless they are called so");
    ok(apart, "then a text before them is enough");
    eq_int(comments_of("<div class=forum-thread><h1>The title of it</h1>" TEXT TEXT TEXT RECORDS(
                           "comment") "</div>",
                       "", &apart),
           12, "in a forum they are called so, too");
    ok(!apart, "but do not stand apart");
    eq_int(comments_of("<h1>The title of it</h1>" TEXT TEXT TEXT RECORDS("\"comment thread-odd\"")
                           RECORDS("\"comment thread-odd\""),
                       "", &apart),
           24, "an element that is called a comment and a thread is a comment");
    ok(apart, "which makes no forum of a blog");
}

/* Rules can be left out one by one, to see what they are worth. */
TEST(rules)
{
    struct fixture x;
    struct adit_verdicts v = {0};
    size_t title = SIZE_MAX;
    bool told = true;
    for (size_t k = 0; k < adit_n_rules; k++)
        if (strcmp(adit_rule_name(k), "title") == 0) title = k;
    ok(title != SIZE_MAX && *adit_rule_sentence(title), "rules have names and sentences");
    eq_int(open_page(&x, page_html, "The title of it"), ADIT_OK, "a page");
    eq_int(adit_tape_explain(&x.tape, &x.hints, &x.arena, &v), ADIT_OK, "its reasons");
    ok(!x.tape.leaves[2].keep, "the title goes");
    for (size_t f = 0; f < adit_n_features; f++)
        told &= *adit_feature_row(f)->label && *adit_feature_row(f)->does;
    ok(told, "every feature has a name and a sentence for people");
    close_page(&x);
}

static const char twice_html[] =
    "<main><article><h1>The title of it</h1>"
    "<p>The first paragraph of running text, with commas, and a full stop at its end.</p>"
    "<p>The second paragraph of running text, with commas, and a full stop at its end.</p>"
    "<blockquote><p>The first paragraph of running text, with commas, and a full stop at its end."
    "</p></blockquote></article></main>";

/* Whether the last leaf of twice_html, which says the first paragraph again, is kept. */
static bool keeps_copy(uint32_t without)
{
    struct fixture x;
    struct adit_verdicts v = {.without = without};
    bool kept = false;
    if (open_page(&x, twice_html, "The title of it") == ADIT_OK &&
        adit_tape_explain(&x.tape, &x.hints, &x.arena, &v) == ADIT_OK)
        kept = x.tape.leaves[x.tape.n_leaves - 1].keep;
    close_page(&x);
    return kept;
}

TEST(rule_switch)
{
    size_t repeats = SIZE_MAX, others = 0;
    for (size_t k = 0; k < adit_n_rules; k++) {
        if (strcmp(adit_rule_name(k), "repeats") == 0)
            repeats = k;
        else
            others += keeps_copy(UINT32_C(1) << k);
    }
    ok(repeats != SIZE_MAX && !keeps_copy(0), "with all rules a copy of a text goes");
    ok(repeats != SIZE_MAX && keeps_copy(UINT32_C(1) << repeats), "without their rule it stays");
    eq_int(others, 0, "without any other rule it goes");
}

TEST(best_cut)
{
    uint64_t words[ADIT_BUCKETS] = {0};
    eq_int(adit_best_cut(words), 128, "an empty page: even odds");
    words[200] = 500, words[20] = 500;
    eq_int(adit_best_cut(words), 128, "never above even odds");
    words[200] = 0, words[20] = 0, words[110] = 100;
    eq_int(adit_best_cut(words), 110, "a page of doubtful leaves keeps the best of them");
    words[110] = 0, words[60] = 100;
    eq_int(adit_best_cut(words), 94, "but not hopeless ones");
    words[60] = UINT32_MAX, words[255] = 1;
    ok(adit_best_cut(words) >= 94, "large amounts do not overflow");
    eq_int(adit_bucket(0), 128, "even odds");
    eq_int(adit_bucket(-1), 127, "just below");
    eq_int(adit_bucket(INT16_MIN), 0, "the lowest bucket");
    eq_int(adit_bucket(INT16_MAX), 255, "the highest");
}

/* Scores by lanes are the sums of single features' points. */
TEST(lanes)
{
    int16_t values[ADIT_N_LEAF_FEATURES * ADIT_LANES];
    int32_t scores[ADIT_LANES] = {0}, sum[ADIT_LANES] = {0};
    uint32_t random = 1;
    for (size_t k = 0; k < ADIT_COUNT(values); k++) {
        random = random * 1664525 + 1013904223;
        int16_t wide = (int16_t)(random >> 20), narrow = (int16_t)(random >> 28);
        size_t f = k / ADIT_LANES; /* neighbours are the same in some features, alike in others */
        values[k] = f % 3 == 0 ? wide : f % 3 == 1 ? narrow : (int16_t)(k % 2 ? f : f * f);
        if (f % 6 == 2) values[k] = (int16_t)f;
    }
    adit_score_leaves(values, scores);
    for (size_t f = 0; f < ADIT_N_LEAF_FEATURES; f++)
        for (size_t i = 0; i < ADIT_LANES; i++)
            sum[i] += adit_feature_points(f, values[f * ADIT_LANES + i]) -
                      adit_feature_points(f, INT16_MIN);
    /* Both count from the same zero: the points of the lowest value. */
    bool same = true;
    for (size_t i = 0; i < ADIT_LANES; i++) same &= scores[i] == sum[i];
    ok(same, "ADIT_LANES leaves at a time: the points of each one");
}

static void kept_text(const char *html, const char *title, struct adit_buf *out)
{
    struct fixture x;
    adit_buf_init(out, tap_mem, 1 << 20);
    if (open_page(&x, html, title) == ADIT_OK &&
        adit_tape_select(&x.tape, &x.hints, &x.arena, NULL) == ADIT_OK)
        for (size_t i = 0; i < x.tape.n_leaves; i++) {
            if (!x.tape.leaves[i].keep) continue;
            adit_buf_add(out, x.tape.leaves[i].text);
            adit_buf_byte(out, '\n');
        }
    close_page(&x);
}
#define has(out, z) (adit_str_find(adit_buf_str(out), ADIT_STR(z), 0) < (out)->len)

TEST(context)
{
    static const int32_t scores[] = {500, -100, 9000, -700, 300};
    struct fixture x;
    struct adit_context c;
    int16_t v[ADIT_N_FEATURES];
    eq_int(open_page(&x,
                     "<div class=a><p>one two three</p><p>one</p></div>"
                     "<p hidden>one two three four</p><ul><li>one two</ul><h2>one</h2>",
                     NULL),
           ADIT_OK, "a page");
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    eq_int(adit_context_build(&c, &x.facts, scores, &x.arena), ADIT_OK, "and scores");
    adit_context_leaf(&c, 1, v + ADIT_N_FIRST_FEATURES, 1);
    eq_int(v[ADIT_F_z_own], -100, "its own score");
    eq_int(v[ADIT_F_z_class], (3 * 500 - 100) / 4, "leaves of its kind, by words");
    eq_int(v[ADIT_F_z_near], (3 * 500 - 100 - 2 * 700 + 300) / 7, "around it; hidden: no part");
    eq_int(v[ADIT_F_z_up2], v[ADIT_F_z_near], "the page is the last ancestor");
    ok(v[ADIT_F_z_core] < -100 - 300, "the core is what scores best");
    adit_context_leaf(&c, 2, v + ADIT_N_FIRST_FEATURES, 1);
    eq_int(v[ADIT_F_z_own], ADIT_SCORE_MAX, "a score has bounds");
    eq_int(v[ADIT_F_z_class], ADIT_SCORE_MAX, "what is hidden has no kin");
    int32_t even[ADIT_COUNT(scores)];
    memcpy(even, scores, sizeof even);
    eq_int(adit_even_out(&x.facts, even, &x.arena), ADIT_OK, "evened out");
    ok(even[0] == 350 && even[1] == 350, "leaves of a kind have one score");
    ok(even[2] == 9000 && even[3] == -700 && even[4] == 300, "others keep theirs");
    close_page(&x);
}

/* What stands around a list counts for its items. */
TEST(around)
{
    static const int32_t scores[] = {500, -300, -100, 400, -900};
    struct fixture x;
    struct adit_context c;
    int16_t v[ADIT_N_FEATURES];
    eq_int(open_page(&x,
                     "<p>one two three four</p><ul><li>one two</li><li><p>one two</p></li></ul>"
                     "<p>one two three four five</p><p>one</p>",
                     NULL),
           ADIT_OK, "a page");
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    eq_int(adit_context_build(&c, &x.facts, scores, &x.arena), ADIT_OK, "and scores");
    adit_context_leaf(&c, 1, v + ADIT_N_FIRST_FEATURES, 1);
    eq_int(v[ADIT_F_z_around], 400, "the lower of the scores around the list");
    eq_int(v[ADIT_F_z_list], -200, "the list's own");
    eq_int(v[ADIT_F_z_since], 0, "directly behind what is probably content");
    eq_int(v[ADIT_F_z_until], 1, "one text before the next");
    adit_context_leaf(&c, 4, v + ADIT_N_FIRST_FEATURES, 1);
    eq_int(v[ADIT_F_z_around], -ADIT_SCORE_MAX, "nothing stands behind the last text");
    eq_int(v[ADIT_F_z_list], -900, "which is in no list");
    eq_int(v[ADIT_F_z_after], 0, "no content behind it");
    ok(v[ADIT_F_z_before] > 950, "nearly all before it");
    eq_int(v[ADIT_F_z_until], 20, "no next one");
    close_page(&x);
}

/* Where JSON-LD states the whole text, what it says of a text is a feature of the second look. */
TEST(stated)
{
    static const char html[] =
        "<div>" TEXT "</div><div><p>Quite another story waits below, with commas, too, and a stop."
        "</p></div>";
    static const int32_t scores[3];
    for (int whole = 1; whole >= 0; whole--) {
        struct fixture x;
        struct adit_context c;
        int16_t in[ADIT_N_FEATURES], out[ADIT_N_FEATURES];
        eq_int(open_page(&x, html, NULL), ADIT_OK, "a page");
        x.hints.body = whole ? ADIT_STR("The first paragraph of running text, with commas, and a "
                                        "full stop at its end, is long. The second paragraph of "
                                        "running text, with commas, and a full stop, is even "
                                        "longer.")
                             : ADIT_STR("The first paragraph");
        x.hints.kinds = ADIT_KIND_ARTICLE;
        eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
        eq_int(x.facts.is_stated, whole, "whether JSON-LD states all of it");
        eq_int(adit_context_build(&c, &x.facts, scores, &x.arena), ADIT_OK, "its scores");
        adit_context_leaf(&c, 0, in + ADIT_N_FIRST_FEATURES, 1);
        adit_context_leaf(&c, 2, out + ADIT_N_FIRST_FEATURES, 1);
        ok(whole ? in[ADIT_F_z_sd] >= 700 : in[ADIT_F_z_sd] == -1, "a text that it states");
        ok(whole ? out[ADIT_F_z_sd] < 200 : out[ADIT_F_z_sd] == -1, "one that it does not");
        close_page(&x);
    }
}

/* How many texts of a page stay if all of them score the same, and why the first that goes does. */
static size_t count_stays(const char *html, const char *title, uint32_t kinds, int *why)
{
    struct fixture x;
    struct adit_verdicts v = {0};
    size_t kept = 0;
    *why = ADIT_KEPT;
    if (open_page(&x, html, title) == ADIT_OK) {
        x.hints.kinds = kinds;
        if (adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena) != ADIT_OK) return SIZE_MAX;
        size_t n = x.tape.n_leaves;
        v.scores = adit_arena_zalloc(&x.arena, 2 * n, sizeof *v.scores);
        v.reasons = adit_arena_zalloc(&x.arena, n, 1);
        v.first = v.scores + n;
        for (size_t i = 0; i < n; i++) v.first[i] = v.scores[i] = 600;
        if (adit_decide(&x.facts, &x.tape, &x.arena, &v) != ADIT_OK) return SIZE_MAX;
        for (size_t i = n; i-- > 0;) {
            kept += x.tape.leaves[i].keep;
            if (!x.tape.leaves[i].keep) *why = v.reasons[i];
        }
    }
    close_page(&x);
    return kept;
}

TEST(pointers)
{
#define POINTER "<p>Read more: <a href=b>How the harbour was built</a></p>"
    int why;
    eq_int(count_stays("<div>" TEXT POINTER TEXT "</div>", NULL, ADIT_KIND_ARTICLE, &why), 4,
           "a line that leads elsewhere goes");
    eq_int(why, ADIT_TEASER, "for that");
    eq_int(count_stays("<div>" TEXT POINTER TEXT "</div>", NULL, 0, &why), 5,
           "but not where the page does not claim to be an article");
    eq_int(count_stays("<div>" TEXT POINTER POINTER POINTER POINTER TEXT "</div>", NULL,
                       ADIT_KIND_ARTICLE, &why),
           8, "four in a row are a list");
    eq_int(count_stays("<div>" TEXT "<p><a href=b>The harbour was built in a year.</a></p>" TEXT,
                       NULL, ADIT_KIND_ARTICLE, &why),
           5, "a sentence stays");
    eq_int(count_stays("<div>" TEXT "<ul><li><a href=b>How it was built</a></ul>" TEXT, NULL,
                       ADIT_KIND_ARTICLE, &why),
           5, "and so does an item");
}

TEST(before_the_text)
{
    int why;
    eq_int(count_stays("<div><p>The title of it</p>" TEXT "</div>", "The title of it - Gazette", 0,
                       &why),
           2, "a text that says the title goes");
    eq_int(why, ADIT_TITLE, "for that");
    eq_int(count_stays("<div>" TEXT "<p>The title of it</p>" TEXT "</div>",
                       "The title of it - Gazette", 0, &why),
           5, "within the text it stays");
    eq_int(count_stays("<div><p>Some Agency, 3 January 2008</p>" TEXT "</div>", NULL, 0, &why), 2,
           "a date goes, with a title or without");
    eq_int(why, ADIT_BYLINE, "for that");
    eq_int(count_stays("<div><p>Some Agency</p>" TEXT "</div>", NULL, 0, &why), 3,
           "a line without a number stays");
}

TEST(behind_the_text)
{
#define LINE "<p>Some Agency</p>"
    int why;
    eq_int(count_stays("<div>" TEXT LINE "<p><a href=b>How the harbour was built</a></p></div>",
                       NULL, 0, &why),
           2, "short lines go");
    eq_int(why, ADIT_CLOSING, "for that");
    eq_int(count_stays("<div>" TEXT "<h2>Notes</h2></div>", NULL, 0, &why), 2,
           "a heading of nothing is one");
    eq_int(
        count_stays("<div>" TEXT LINE "<p>The dredger is in the harbour.</p></div>", NULL, 0, &why),
        4, "before a sentence they stay");
    eq_int(count_stays("<div>" TEXT "<ul><li>Sand<li>Mud</ul></div>", NULL, 0, &why), 4,
           "and so do items");
    eq_int(
        count_stays(
            "<div>" TEXT TEXT TEXT LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE LINE,
            NULL, 0, &why),
        19, "as many as thirteen are a text");
}

TEST(captions)
{
#define PHOTO "<div><img src=a.jpg alt=Harbour>"
    int why;
    eq_int(count_stays("<div>" TEXT PHOTO "<p>The harbour at dawn</p></div>" TEXT, NULL, 0, &why),
           4, "a short text alone with a picture goes");
    eq_int(why, ADIT_CAPTION, "for that");
    eq_int(count_stays("<div>" TEXT PHOTO "<p>The harbour at dawn, before the first of the ships "
                       "came in, was still full of sand.</p></div>" TEXT,
                       NULL, 0, &why),
           5, "a sentence stays");
    eq_int(count_stays("<div>" TEXT PHOTO
                       "<p class=caption>The harbour at dawn, before the first of "
                       "the ships came in, was still full of sand.</p></div>" TEXT,
                       NULL, 0, &why),
           4, "unless it is called a caption");
    eq_int(count_stays("<div>" TEXT "<p>The harbour at dawn</p>" TEXT, NULL, 0, &why), 5,
           "without a picture it is none");
}

/* Whether the list of a page stays if its items score -300 and everything else 600; an item that says
 * "wine list" scores 600, too. */
static bool keeps_list(const char *html)
{
    struct fixture x;
    struct adit_verdicts v = {0};
    bool kept = false;
    if (open_page(&x, html, NULL) == ADIT_OK &&
        adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena) == ADIT_OK) {
        size_t n = x.tape.n_leaves, item = 0;
        v.scores = adit_arena_zalloc(&x.arena, 2 * n, sizeof *v.scores);
        v.reasons = adit_arena_zalloc(&x.arena, n, 1);
        v.first = v.scores + n;
        for (size_t i = 0; i < n; i++) {
            bool in_list = x.tape.els[x.tape.leaves[i].el].tag == ADIT_TAG_LI;
            bool good = adit_str_eq(x.tape.leaves[i].text, ADIT_STR("wine list"));
            if (in_list && !good) item = i;
            v.first[i] = v.scores[i] = in_list && !good ? -300 : 600;
        }
        kept = adit_decide(&x.facts, &x.tape, &x.arena, &v) == ADIT_OK && x.tape.leaves[item].keep;
    }
    close_page(&x);
    return kept;
}

TEST(lists)
{
#define LIST "<ul><li>red wine</li><li>white wine</li></ul>"
    ok(keeps_list("<div>" TEXT LIST TEXT "</div>"), "a list among paragraphs stays with them");
    ok(keeps_list("<div>" TEXT "<h2>Wines</h2>" LIST TEXT "</div>"), "below its heading, too");
    ok(!keeps_list("<div>" TEXT LIST "</div>"), "at the end its score decides");
    ok(!keeps_list("<div>" TEXT "</div><div>" LIST "</div><div>" TEXT "</div>"),
       "and in a box of its own");
    ok(!keeps_list("<div>" TEXT "<ul><li><a href=a>red wine</a><li><a href=b>white</a></ul>" TEXT),
       "and if it only links");
#define PART "<ul><li><a href=a>red wine</a></li><li>wine list</li></ul>"
    ok(keeps_list("<div>" TEXT "</div><div>" PART "</div><div>" TEXT "</div>"),
       "a list that is kept in part stays whole");
    ok(!keeps_list("<div>" TEXT PART "</div>"), "but not at the end");
}

TEST(selection)
{
    struct adit_buf out;
    kept_text(page_html, "The title of it", &out);
    ok(has(&out, "first paragraph") && has(&out, "second paragraph"), "the article stays");
    ok(!has(&out, "The title of it"), "the title is told apart");
    ok(!has(&out, "Home") && !has(&out, "Imprint"), "navigation and footer go");
    adit_buf_free(&out);

    kept_text("<body><nav><a href=/>Home</a></nav>", NULL, &out);
    eq_str(adit_buf_str(&out), ADIT_STR("Home\n"), "when nothing is left, the body as it is");
    adit_buf_free(&out);

    kept_text("<body>", NULL, &out);
    eq_int(out.len, 0, "an empty body has no text");
    adit_buf_free(&out);
}

#define PROSE                                                                             \
    "<p>A paragraph of running text, long enough, with commas, and with a full stop.</p>" \
    "<p>One more paragraph of running text, also long, with commas, and with a stop.</p>"

TEST(hidden)
{
    struct adit_buf out;
    kept_text("<body><main>" PROSE
              "<p hidden>Unseen words in a hidden paragraph, not for readers.</p>"
              "<div style='display: none'><p>More unseen words, in a paragraph that nobody "
              "sees.</p></div>"
              "</main>",
              NULL, &out);
    ok(has(&out, "One more paragraph") && !has(&out, "unseen") && !has(&out, "Unseen"),
       "hidden text is left out");
    adit_buf_free(&out);
    kept_text(
        "<body><main>" PROSE "<div class=tabs><div role=tabpanel class=tab-panel aria-hidden=true>"
        "<p>The panel of a tab, closed at first, which a reader opens with a click.</p></div></div>"
        "</main>",
        NULL, &out);
    ok(has(&out, "panel of a tab"), "a closed panel is not hidden");
    adit_buf_free(&out);
    kept_text("<body><div style='visibility:hidden'>" PROSE "</div>", NULL, &out);
    ok(has(&out, "One more paragraph"), "nor is a page that waits for its script");
    adit_buf_free(&out);
}

TEST(noscript)
{
    static const char *const notice = "<body><noscript>Please enable JavaScript, which this page "
                                      "needs to show you anything.</noscript>";
    struct adit_buf out;
    kept_text(page_html, "T", &out);
    size_t before = out.len;
    adit_buf_free(&out);
    char both[4096];
    snprintf(both, sizeof both, "%s%s", page_html, notice);
    kept_text(both, "T", &out);
    ok(!has(&out, "enable JavaScript") && out.len == before, "a notice is no content");
    adit_buf_free(&out);
    kept_text(notice, "T", &out);
    eq_int(out.len, 0, "even if it is all there is");
    adit_buf_free(&out);
}

TEST(repeated)
{
    struct adit_buf out;
    const char *line = "Nine words that are said on this page twice.";
    kept_text("<body><main>" PROSE "<p>Nine words that are said on this page twice.</p>"
              "<p>Nine words that are said on this page twice.</p></main>",
              NULL, &out);
    size_t first = adit_str_find(adit_buf_str(&out), adit_str_z(line), 0);
    ok(adit_str_find(adit_buf_str(&out), adit_str_z(line), first + 1) < out.len,
       "what the author says twice in one place stays");
    adit_buf_free(&out);
    kept_text("<body><main>" PROSE "<p>Nine words that are said on this page twice.</p>"
              "<section><p>Nine words that are said on this page twice.</p></section></main>",
              NULL, &out);
    first = adit_str_find(adit_buf_str(&out), adit_str_z(line), 0);
    ok(first < out.len && adit_str_find(adit_buf_str(&out), adit_str_z(line), first + 1) == out.len,
       "a copy in another place goes");
    adit_buf_free(&out);
}

TEST(bylines)
{
    struct adit_buf out;
    kept_text("<body><main><h1>The title</h1><div>By Ann Writer, 3 minutes ago</div>" PROSE PROSE
              "<h2>More stories</h2></main>",
              "The title", &out);
    ok(!has(&out, "minutes ago"), "the line between title and text is metadata");
    ok(!has(&out, "More stories"), "a heading without text below goes");
    adit_buf_free(&out);
}

TEST(kinds)
{
    eq_int(adit_kind_of_type(ADIT_STR("NewsArticle")), ADIT_KIND_ARTICLE, "an article");
    eq_int(adit_kind_of_type(ADIT_STR("QAPage")), ADIT_KIND_FORUM, "a forum");
    eq_int(adit_kind_of_type(ADIT_STR("Thing")), 0, "a thing");
}

/* Names of hosts speak like paths; the domain itself does not. */
TEST(kind_by_address)
{
    static const struct {
        const char *url;
        int docs, forum;
    } rows[] = {
        {"https://docs.example.com/x", 1, 0},
        {"https://docs.example.com/docs/x", 2, 0},
        {"https://example.com/x", 0, 0},
        {"https://docs.com/x", 0, 0},
        {"https://forum.example.co.uk/topic/1", 0, 2},
        {"docs", 0, 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        struct fixture x;
        struct adit_verdicts v = {0};
        eq_int(open_page(&x, page_html, NULL), ADIT_OK, rows[i].url);
        x.hints.url = adit_str_z(rows[i].url);
        eq_int(adit_tape_explain(&x.tape, &x.hints, &x.arena, &v), ADIT_OK, "a page");
        eq_int(v.page[ADIT_KF_url_docs], rows[i].docs, "words of documentation");
        eq_int(v.page[ADIT_KF_url_forum], rows[i].forum, "words of threads");
        close_page(&x);
    }
}

/* A page of many leaves with the same class hash and text: linear, and no crash. */
TEST(many)
{
    struct adit_buf html;
    struct fixture x;
    adit_buf_init(&html, tap_mem, 16 << 20);
    for (int i = 0; i < 20000; i++) {
        adit_buf_lit(&html, "<div class=c");
        adit_buf_u64(&html, (uint64_t)i);
        adit_buf_lit(&html, "><p>word</p></div>");
    }
    adit_buf_byte(&html, '\0');
    eq_int(open_page(&x, html.p, NULL), ADIT_OK, "20,000 leaves");
    eq_int(adit_tape_select(&x.tape, &x.hints, &x.arena, NULL), ADIT_OK, "are scored");
    close_page(&x);
    adit_buf_free(&html);
}

RUN_TESTS(text_facts, long_text, any_text, class_words, page_facts, comments, rules, rule_switch,
          best_cut, lanes, context, around, stated, pointers, before_the_text, behind_the_text,
          captions, lists, selection, hidden, noscript, repeated, bylines, kinds, kind_by_address,
          many)
