/* Which pages stand in another's place, by shape. */
#include "page/page.h"
#include "tests/tap.h"

#define LONG                                                                                    \
    "The museum shows four hundred works of the period, many of them for the first time, and "  \
    "the catalogue describes each of them with its history, its owners and what is known of "   \
    "the workshop in which it was made. Visitors can book guided tours on every day of the "    \
    "week; on Sundays there is a tour for children, too. The restaurant in the garden is open " \
    "from ten in the morning, and the shop sells prints of most of the works on show. The "     \
    "exhibition was made together with the national gallery and several private collectors, "   \
    "who have lent their pieces until the end of the summer, when it will move on to another "  \
    "city and then, in the year after that, back to where most of the works had come from. "

TEST(shapes)
{
    static const struct {
        const char *title, *text;
        uint64_t before;
        enum adit_page_hollow want;
    } rows[] = {
        {"Our opening hours", "We are open from nine to five.", 0, ADIT_HOLLOW_NOT},
        {"Our opening hours", "We are open from nine to five.", 40, ADIT_HOLLOW_NOT},
        {"Page Not Found - Museum", "Go back to the home page.", 0, ADIT_HOLLOW_MISSING},
        {"Seite nicht gefunden",
         "Bitte pr\xc3\xbc"
         "fen Sie die Adresse.",
         0, ADIT_HOLLOW_MISSING},
        {"\xd0\xa1\xd1\x82\xd1\x80\xd0\xb0\xd0\xbd\xd0\xb8\xd1\x86\xd0\xb0 \xd0\x9d\xd0\xb5 "
         "\xd0\xbd\xd0\xb0\xd0\xb9\xd0\xb4\xd0\xb5\xd0\xbd\xd0\xb0",
         "", 0, ADIT_HOLLOW_MISSING},
        {"Museum", "Sorry, the page you are looking for has moved.", 0, ADIT_HOLLOW_MISSING},
        {"The Peugeot 404", "A car that was made from 1960 on.", 0, ADIT_HOLLOW_NOT},
        {"Just a moment...", "", 0, ADIT_HOLLOW_CHALLENGE},
        {"museum.example", "Checking your browser before accessing the site.", 0,
         ADIT_HOLLOW_CHALLENGE},
        {"Museum", "Please verify you are human to go on.", 300, ADIT_HOLLOW_CHALLENGE},
        {"Page not found: a history of the status code", LONG, 0, ADIT_HOLLOW_NOT},
        {"Why sites ask whether you are a robot", LONG "Are you a robot?", 0, ADIT_HOLLOW_NOT},
        {"Museum", "Back soon.", 400, ADIT_HOLLOW_EMPTY},
        {"Museum", "Back soon.", 40, ADIT_HOLLOW_NOT},
        {"Museum", "", 60, ADIT_HOLLOW_EMPTY},
        {"Museum", LONG, 4000, ADIT_HOLLOW_NOT},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_int(adit_page_hollow(adit_str_z(rows[i].title), adit_str_z(rows[i].text), rows[i].before,
                                tap_mem),
               rows[i].want, rows[i].title);
}

RUN_TESTS(shapes)
