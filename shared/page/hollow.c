/* Pages that stand in the place of a page: "not found" with status 200, and tests whether a person
 * is asking. */
#include "page/page.h"
#include "text/text.h"

/* Such pages are short, whatever they say: a page with more words is about the subject. */
enum { WORDS_MAX = 120, TITLE_WORDS_MAX = 12 };

/* Case-folded. In a title (a headline of a few words) a phrase of the first list is enough; of the
 * second it may stand anywhere in so short a page. */
static const struct {
    enum adit_page_hollow means;
    bool anywhere;
    const char *text;
} phrases[] = {
    {ADIT_HOLLOW_MISSING, false, "error 404"},
    {ADIT_HOLLOW_MISSING, false, "404 error"},
    {ADIT_HOLLOW_MISSING, false, "404 -"},
    {ADIT_HOLLOW_MISSING, false, "404 |"},
    {ADIT_HOLLOW_MISSING, false, "410 gone"},
    {ADIT_HOLLOW_MISSING, false, "not found"},
    {ADIT_HOLLOW_MISSING, false, "can't be found"},
    {ADIT_HOLLOW_MISSING, false, "cannot be found"},
    {ADIT_HOLLOW_MISSING, false, "doesn't exist"},
    {ADIT_HOLLOW_MISSING, false, "does not exist"},
    {ADIT_HOLLOW_MISSING, false, "no longer available"},
    {ADIT_HOLLOW_MISSING, false, "nicht gefunden"},
    {ADIT_HOLLOW_MISSING, false, "introuvable"},
    {ADIT_HOLLOW_MISSING, false, "non trouvée"},
    {ADIT_HOLLOW_MISSING, false, "no encontrad"},
    {ADIT_HOLLOW_MISSING, false, "não encontrad"},
    {ADIT_HOLLOW_MISSING, false, "non trovat"},
    {ADIT_HOLLOW_MISSING, false, "niet gevonden"},
    {ADIT_HOLLOW_MISSING, false, "nie znaleziono"},
    {ADIT_HOLLOW_MISSING, false, "не найдена"},
    {ADIT_HOLLOW_MISSING, false, "見つかりません"},
    {ADIT_HOLLOW_MISSING, false, "找不到"},
    {ADIT_HOLLOW_MISSING, true, "the page you are looking for"},
    {ADIT_HOLLOW_MISSING, true, "the page you were looking for"},
    {ADIT_HOLLOW_MISSING, true, "the page you requested"},
    {ADIT_HOLLOW_CHALLENGE, false, "just a moment"},
    {ADIT_HOLLOW_CHALLENGE, false, "attention required"},
    {ADIT_HOLLOW_CHALLENGE, false, "access denied"},
    {ADIT_HOLLOW_CHALLENGE, false, "403 forbidden"},
    {ADIT_HOLLOW_CHALLENGE, false, "security check"},
    {ADIT_HOLLOW_CHALLENGE, false, "too many requests"},
    {ADIT_HOLLOW_CHALLENGE, true, "checking your browser"},
    {ADIT_HOLLOW_CHALLENGE, true, "verify you are human"},
    {ADIT_HOLLOW_CHALLENGE, true, "verify that you are human"},
    {ADIT_HOLLOW_CHALLENGE, true, "verifying you are human"},
    {ADIT_HOLLOW_CHALLENGE, true, "are you a robot"},
    {ADIT_HOLLOW_CHALLENGE, true, "not a robot"},
    {ADIT_HOLLOW_CHALLENGE, true, "unusual traffic"},
    {ADIT_HOLLOW_CHALLENGE, true, "enable javascript and cookies"},
    {ADIT_HOLLOW_CHALLENGE, true, "complete the captcha"},
    {ADIT_HOLLOW_CHALLENGE, true, "ddos protection"},
};

const char *const adit_hollow_names[] = {"page", "not found", "challenge", "almost nothing"};

enum adit_page_hollow adit_page_hollow(struct adit_str title, struct adit_str text,
                                       uint64_t words_before, struct adit_mem mem)
{
    enum adit_page_hollow found = ADIT_HOLLOW_NOT;
    uint64_t words = adit_word_count(text);
    if (words > WORDS_MAX) return ADIT_HOLLOW_NOT;
    struct adit_buf head, body;
    adit_buf_init(&head, mem, 64 << 10), adit_buf_init(&body, mem, 1 << 20);
    if (adit_word_count(title) <= TITLE_WORDS_MAX) adit_casefold(title, &head);
    adit_casefold(text, &body);
    for (size_t i = 0; i < ADIT_COUNT(phrases) && !found; i++) {
        struct adit_str phrase = adit_str_z(phrases[i].text);
        struct adit_str in = adit_buf_str(phrases[i].anywhere ? &body : &head);
        if (adit_str_find(in, phrase, 0) < in.len) found = phrases[i].means;
    }
    adit_buf_free(&head), adit_buf_free(&body);
    if (!found && words_before >= 50 && words < 30 && words * 10 < words_before)
        found = ADIT_HOLLOW_EMPTY;
    return found;
}
