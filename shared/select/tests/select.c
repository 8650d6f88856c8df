/* Scores and the selection on small pages. */
#include "select/kind_impl.h"
#include "select/tests/fixture.h"
#include "meta/meta.h"

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
    eq_int(open_page(&x, ARTICLE_PAGE, "The title of it"), ADIT_OK, "a page");
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
        for (size_t i = 0; i < ADIT_LANES && !adit_is_shared[f]; i++)
            sum[i] += adit_points(f, values[f * ADIT_LANES + i]);
    bool same = true;
    for (size_t i = 0; i < ADIT_LANES; i++) same &= scores[i] == sum[i];
    ok(same, "ADIT_LANES leaves at a time: the points of each one");
}

/* A leaf scores what all its features' points are, whether it shares them with others or not. */
TEST(shared)
{
    struct fixture x;
    struct adit_verdicts v = {0};
    struct adit_buf html;
    adit_buf_init(&html, tap_mem, 1 << 20);
    adit_buf_add(&html, ADIT_STR(ARTICLE_PAGE "<section class=comments><h2>Two</h2>"));
    for (int i = 0; i < 40; i++)
        adit_buf_add(&html, ADIT_STR("<div class=c><p><img src=i><a href=/u>Ann</a> 2 May 2024<p>A "
                                     "comment that is long enough to be running text, or some."
                                     "<p>Reply</div><ul><li>one<li>two, <b>2</b><li>three</ul>"));
    adit_buf_add(&html, ADIT_STR("</section><article><h1>Another</h1>" TEXT "</article>"));
    adit_buf_byte(&html, '\0');
    eq_int(open_page(&x, html.p, "The title of it"), ADIT_OK, "a page");
    eq_int(adit_tape_explain(&x.tape, &x.hints, &x.arena, &v), ADIT_OK, "its features");
    size_t same = 0;
    for (size_t i = 0; i < x.tape.n_leaves; i++) {
        const int16_t *row = v.features + i * ADIT_N_FEATURES;
        int32_t score = adit_score_page(row + ADIT_N_LEAF_FEATURES);
        for (size_t f = 0; f < ADIT_N_LEAF_FEATURES; f++) score += adit_points(f, row[f]);
        same += score == v.first[i];
    }
    ok(x.tape.n_leaves > 200, "many leaves");
    eq_int(same, x.tape.n_leaves, "each scores the sum of its points");
    close_page(&x);
    adit_buf_free(&html);
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
    kept_text(ARTICLE_PAGE, "The title of it", &out);
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
    kept_text(ARTICLE_PAGE, "T", &out);
    size_t before = out.len;
    adit_buf_free(&out);
    char both[4096];
    snprintf(both, sizeof both, "%s%s", ARTICLE_PAGE, notice);
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

TEST(imprint)
{
    struct adit_buf out;
    kept_text(
        "<body><main><h1>The title</h1>" PROSE
        "<p>Copyright, and what printers, publishers and readers made of it, is what this is "
        "about, as readers of "
        "this page know by now, and so it stays: it is no line about who may print the page, "
        "but a long text of its own.</p><p>Copyright 2024 The Bakers. All rights reserved.</p>"
        "<p>\xC2\xA9 The Bakers</p>" PROSE "</main>",
        "The title", &out);
    ok(!has(&out, "The Bakers"), "who holds the rights is no content");
    ok(has(&out, "a long text of its own"), "what is said about rights is");
    adit_buf_free(&out);
}

/* What stands above the text, and whether it is kept. */
static bool keeps_above(const char *above, const char *description)
{
    static const char lead[] = "From spring on ships will have to find the harbour without a light";
    struct fixture x;
    char html[4096];
    bool kept = false;
    snprintf(html, sizeof html,
             "<body><h1>The title</h1><div class=related>%s</div><main>" PROSE PROSE PROSE
             "</main>",
             above);
    eq_int(open_page(&x, html, "The title"), ADIT_OK, above);
    x.hints.description = adit_str_z(description);
    eq_int(adit_tape_select(&x.tape, &x.hints, &x.arena, NULL), ADIT_OK, "a page");
    for (size_t i = 0; i < x.tape.n_leaves; i++)
        if (adit_str_starts(x.tape.leaves[i].text, adit_str_z(lead))) kept |= x.tape.leaves[i].keep;
    close_page(&x);
    return kept;
}

TEST(lead)
{
#define LEAD "From spring on ships will have to find the harbour without a light"
    ok(keeps_above("<a href=/x>" LEAD "</a>", LEAD), "a lead that is the description stays");
    ok(!keeps_above("<a href=/x>" LEAD "</a>", "Ships will have to find the harbour by themselves"),
       "a story beside the story goes");
    ok(!keeps_above("<a href=/x>" LEAD "</a>", LEAD " once a week"), "a part is not the whole");
    ok(!keeps_above("<div class=caption>" LEAD "</div>", LEAD), "a caption goes");
#undef LEAD
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
        eq_int(open_page(&x, ARTICLE_PAGE, NULL), ADIT_OK, rows[i].url);
        x.hints.url = adit_str_z(rows[i].url);
        eq_int(adit_tape_explain(&x.tape, &x.hints, &x.arena, &v), ADIT_OK, "a page");
        eq_int(v.page[ADIT_KF_url_docs], rows[i].docs, "words of documentation");
        eq_int(v.page[ADIT_KF_url_forum], rows[i].forum, "words of threads");
        close_page(&x);
    }
}

/* What stands in five records and more is a list, whatever its texts are. */
TEST(kind_of_records)
{
    static const char post[] = "<div class=post><h3>A day on the pier</h3>" PROSE "</div>";
    for (int n = 4; n < 7; n++) {
        struct adit_buf html;
        struct fixture x;
        struct adit_verdicts v = {0};
        adit_buf_init(&html, tap_mem, 1 << 16);
        adit_buf_lit(&html, "<body><h1>The pier</h1><form><input> Find</form>");
        for (int i = 0; i < n; i++) adit_buf_lit(&html, post);
        adit_buf_byte(&html, '\0');
        eq_int(open_page(&x, html.p, "The pier"), ADIT_OK, "some records");
        eq_int(adit_tape_explain(&x.tape, &x.hints, &x.arena, &v), ADIT_OK, "a page");
        eq_int(v.page[ADIT_KF_kept_records] > 800, n >= 5, "their share of what is kept");
        eq_int(v.page[ADIT_KF_title_shown], 3, "the title is shown");
        eq_int(v.page[ADIT_KF_inputs], 1, "a text with a field");
        close_page(&x);
        adit_buf_free(&html);
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

RUN_TESTS(rules, rule_switch, best_cut, lanes, shared, context, around, stated, pointers,
          before_the_text, behind_the_text, captions, lists, selection, hidden, noscript, repeated,
          bylines, imprint, lead, kinds, kind_by_address, kind_of_records, many)
