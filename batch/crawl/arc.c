/* ARC header lines: "URL IP-address Archive-date Content-type Archive-length" in version 1; version
 * 2 puts result code, checksum, location, offset and file name between type and length. */
#include "batch/crawl/arc_impl.h"

enum { FIELDS_V1 = 5, FIELDS_V2 = 10, DATE_DIGITS_MIN = 12, DATE_DIGITS_MAX = 18 };

static bool all_digits(struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!adit_is_digit(s.p[i])) return false;
    return s.len > 0;
}

/* Takes the last space-separated word off *s. */
static struct adit_str last_word(struct adit_str *s)
{
    size_t i = s->len;
    while (i > 0 && s->p[i - 1] != ' ') i--;
    struct adit_str word = adit_str_sub(*s, i, s->len);
    s->len = i ? i - 1 : 0;
    return word;
}

/* The first line of a file: some writers leave its fields as dashes, or state no length. */
static bool filedesc(struct adit_str line, struct warc_record *r)
{
    if (!adit_str_istarts(line, ADIT_STR("filedesc:"))) return false;
    r->type = WARC_INFO;
    r->uri = adit_str_sub(line, 0, adit_str_chr(line, ' ', 0));
    r->length_known = adit_str_u64(last_word(&line), &r->length);
    return true;
}

bool arc_header(struct adit_str line, size_t n, struct warc_record *r)
{
    line = adit_str_trim(line);
    if (!line.len || !adit_is_alpha(line.p[0])) return false;
    *r = (struct warc_record){.arc = true, .header = line};
    if (filedesc(line, r)) return true;
    struct adit_str rest = line, words[FIELDS_V2] = {0};
    for (size_t k = n; k-- > 1;) words[k] = last_word(&rest);
    struct adit_str date = words[2];
    if (adit_str_chr(rest, ':', 0) == rest.len || !all_digits(date) || date.len < DATE_DIGITS_MIN ||
        date.len > DATE_DIGITS_MAX)
        return false;
    r->length_known = adit_str_u64(words[n - 1], &r->length);
    r->uri = rest;
    r->date = date;
    r->content_type = words[3];
    bool http =
        adit_str_istarts(rest, ADIT_STR("http://")) || adit_str_istarts(rest, ADIT_STR("https://"));
    r->type = http ? WARC_RESPONSE : WARC_RESOURCE;
    return true;
}

size_t arc_fields(struct adit_str block)
{
    /* Line 1: "1 0 Name" or "2 0 Name"; line 2: the names of the fields. */
    struct adit_str names = {0}, name;
    adit_str_split(&block, '\n', &names);
    adit_str_split(&block, '\n', &names);
    names = adit_str_trim(names);
    size_t n = 0;
    while (adit_str_split(&names, ' ', &name)) n += name.len > 0;
    return n == FIELDS_V2 ? FIELDS_V2 : FIELDS_V1;
}
