/* Numbers in words: how many, how large. */
#include "batch/cli/cli.h"
#include "tests/tap.h"

TEST(test_words)
{
    static const struct {
        uint64_t n;
        const char *text;
    } counts[] = {{0, "0 entries"}, {1, "1 entry"}, {2, "2 entries"}},
      sizes[] = {
          {0, "0 bytes"},          {1, "1 byte"},
          {999, "999 bytes"},      {1000, "1.00 KB"},
          {9994, "9.99 KB"},       {9995, "10.0 KB"},
          {99949, "99.9 KB"},      {99950, "100 KB"},
          {999499, "999 KB"},      {999500, "1.00 MB"},
          {12345678, "12.3 MB"},   {999500000, "1.00 GB"},
          {1999999999, "2.00 GB"}, {UINT64_MAX, "18446744 TB"},
      };
    for (size_t i = 0; i < ADIT_COUNT(counts); i++)
        eq_str(adit_str_z(cli_count(counts[i].n, "entry").p), adit_str_z(counts[i].text),
               "how many");
    eq_str(adit_str_z(cli_count(3, "page").p), ADIT_STR("3 pages"), "pages");
    for (size_t i = 0; i < ADIT_COUNT(sizes); i++)
        eq_str(adit_str_z(cli_size(sizes[i].n).p), adit_str_z(sizes[i].text), sizes[i].text);
}

RUN_TESTS(test_words)
