/* What is known of texts, class words and pages before they are scored. */
#include "select/tests/fixture.h"

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

TEST(page_facts)
{
    struct fixture x;
    eq_int(open_page(&x, ARTICLE_PAGE, "The title of it | Site"), ADIT_OK, "a page");
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

RUN_TESTS(text_facts, long_text, any_text, class_words, page_facts, comments)
