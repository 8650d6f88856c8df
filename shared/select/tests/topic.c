/* Words that a text has in common with what the head of its page says. */
#include "select/tests/fixture.h"

static uint32_t topics_of(const char *title, const char *text)
{
    struct fixture x;
    char html[1000];
    snprintf(html, sizeof html, "<p>%s</p>", text);
    uint32_t said = 0;
    if (open_page(&x, html, title) == ADIT_OK &&
        adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena) == ADIT_OK)
        said = x.facts.topics[0].titles;
    close_page(&x);
    return said;
}

TEST(topics)
{
    eq_int(topics_of("Ships of the harbour", "A harbour without a ship, or three harbours"), 2,
           "words of four letters and more, by their beginnings, once");
    eq_int(topics_of("Ships of the harbour", "of the"), 0, "short words do not count");
    eq_int(topics_of("Новости порта", "В НОВОСТЯХ о портах ничего"), 3, "upper case beyond ASCII");
    eq_int(topics_of("山里的人", "他们在山里。"), 1, "two characters of a script without spaces");
    eq_int(topics_of("รถไฟสายเหนือ", "เดินทางด้วยรถไฟ"), 1, "four letters of Thai");
    eq_int(topics_of("", "anything at all"), 0, "no title, no words");
    eq_int(topics_of("a b 中", "a b 中 c"), 0, "nothing long enough");
}

/* Words are told apart eight bytes at a time. */
TEST(title_words)
{
    static const char title[] = "The bakery of Zürich: 2024 Straße, İstanbul 東京";
    /* bits: baker, züric, 2024, straß, istan, 東京 */
    static const struct {
        const char *text;
        uint32_t said;
    } rows[] = {
        {"bakery", 1},
        {"no bake, no baking", 0},
        {"unbakery", 0},
        {"Far,far away stand BAKERIES!", 1},
        {"twenty-four-bakers", 1},
        {"the incomprehensibilities of (bakers)", 1},
        {"in zürich's 2024", 2 | 4},
        {"x20244 bakers_2024", 1 | 4},
        {"Strasse, Straßen", 8},
        {"\xE2\x80\x9C"
         "bakers\xE2\x80\x9D",
         1},
        {"istanbul", 16},
        {"die İstanbuler", 16},
        {"ein 東京都 baker", 1 | 32},
        {"ébakery bakeé bakeré", 1},
        {"1234567 bakery", 1},
        {"12345678 bakery", 1},
        {"123456789 bakery", 1},
        {"1 2 bakeré", 1},
        {"1234567 zürich", 2},
        {"1234567zürich", 0},
        {"12 4 in Zürich\xE2\x80\x99s bakery", 1 | 2},
        {"bake ry, bakér", 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(topics_of(title, rows[i].text), rows[i].said, rows[i].text);
}

/* What the head says beside the titles. */
TEST(head_words)
{
    struct fixture x;
    static const char html[] =
        "<p>Ann Miller writes for the Harbour Gazette about trade winds.</p>"
        "<p>Trade winds carried ships over wide oceans for many centuries.</p>"
        "<p>Sailors waited whole months before summer storms ended.</p><p>of it</p>";
    eq_int(open_page(&x, html, "Trade winds - Harbour Gazette"), ADIT_OK, "a page");
    x.hints.body = ADIT_STR("Trade winds carried ships over wide oceans for many centuries.");
    x.hints.kinds = ADIT_KIND_ARTICLE;
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    const struct adit_leaf_topics *said = x.facts.topics;
    eq_int(said[1].stated, 1000, "a text that JSON-LD states");
    eq_int(said[2].stated, 0, "one that it does not");
    eq_int(said[3].stated, -1, "too short to tell");
    ok(!x.facts.is_stated, "JSON-LD does not state all of it");
    close_page(&x);
    eq_int(open_page(&x, html, NULL), ADIT_OK, "the page again");
    x.hints.body = ADIT_STR("Trade winds carried ships over wide oceans for many centuries.");
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    eq_int(x.facts.topics[1].stated, -1, "what a page that is no article states does not count");
    close_page(&x);
}

/* The features of the second look at leaf i, while nothing scores. */
static const int16_t *look_again(struct fixture *x, size_t i)
{
    static int16_t v[ADIT_N_FEATURES];
    struct adit_context c;
    int32_t *scores = adit_arena_zalloc(&x->arena, x->tape.n_leaves, sizeof *scores);
    adit_context_build(&c, &x->facts, scores, &x->arena);
    adit_context_leaf(&c, i, v + ADIT_N_FIRST_FEATURES, 1);
    return v;
}

TEST(description)
{
    struct fixture x;
    static const char html[] =
        "<p>Trade winds carried ships over wide oceans.</p>"
        "<p>Sailors waited whole months before summer storms ended.</p><p>of wide oceans</p>";
    static const int words[] = {7, 0, 2}, share[] = {777, 0, 222}, match[] = {1000, 0, 0};
    eq_int(open_page(&x, html, NULL), ADIT_OK, "a page");
    x.hints.description = ADIT_STR("How trade winds carried wooden ships over wide blue oceans");
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    eq_int(x.facts.n_description, 9, "words of the description: all but \"how\"");
    for (size_t i = 0; i < 3; i++) {
        const int16_t *v = look_again(&x, i);
        eq_int(v[ADIT_F_z_dw], words[i], "words that the text says");
        eq_int(v[ADIT_F_z_ds], share[i], "their share of the description");
        eq_int(v[ADIT_F_z_dm], match[i], "and of the shorter of both");
        eq_int(v[ADIT_F_z_dww], 7, "of the texts around, too");
    }
    close_page(&x);
    eq_int(open_page(&x, html, NULL), ADIT_OK, "the page again");
    x.hints.description = ADIT_STR("Trade winds carried");
    eq_int(adit_facts_build(&x.facts, &x.tape, &x.hints, &x.arena), ADIT_OK, "its facts");
    eq_int(look_again(&x, 0)[ADIT_F_z_dw], -1, "three words say nothing");
    close_page(&x);
}

RUN_TESTS(topics, title_words, head_words, description)
