/* adit.json as the commands read it. */
#include "batch/crawl/crawl.h"
#include "tests/tap.h"

#include <string.h>

TEST(test_unreadable)
{
    struct adit_config c;
    memset(&c, 0xA5, sizeof c); /* as a stack may hold it */
    ok(!crawl_config_read("/nonexistent/adit.json", &c), "a file that is not there");
    adit_config_free(&c);
    ok(crawl_config_read(NULL, &c), "no file: all is by default");
    adit_config_free(&c);
}

RUN_TESTS(test_unreadable)
