/* adit page --lines: a line of JSON with a page in, a line of JSON out, in order: how other programs use
 * adit as a process, from Python, Spark's pipe or Hadoop Streaming. Memory does not grow with the number of
 * lines, and what is wrong with a line is said in its answer. Runs in WASI, too. */
#include "batch/extract/extract.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "text/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 64 << 20, /* 8 MB of HTML, every byte of it escaped, and header fields */
    READ_AT_ONCE = 256 << 10,
    KEPT_MAX = 4 << 20, /* bytes of a buffer that are kept for the next line */
    OUTPUT_MAX = 256 << 20,
    FIELDS_MAX = 1 << 20
};

/* The members of a line. */
enum member { URL, HTML, HTML_BASE64, HEADERS, DATE, MEMBERS };
static const struct adit_str members[MEMBERS] = {
    [URL] = ADIT_STR_INIT("url"),
    [HTML] = ADIT_STR_INIT("html"),
    [HTML_BASE64] = ADIT_STR_INIT("html_base64"),
    [HEADERS] = ADIT_STR_INIT("headers"),
    [DATE] = ADIT_STR_INIT("date"),
};

struct lines {
    const struct extract_lines_options *o;
    struct adit_converter *converter;
    struct adit_arena arena;      /* of one line */
    struct adit_buf in;           /* bytes that were read */
    size_t from;                  /* of the bytes read: where the next line begins */
    struct adit_buf html, answer; /* of one line */
    uint64_t number;              /* of the line, from 1 */
    bool ended, failed;
};

/* --- lines ------------------------------------------------------------------------------------ */

/* What was answered goes out before waiting for more: who writes a line and reads its answer must get
 * it. */
static bool read_more(struct lines *l)
{
    if (fflush(stdout) != 0) l->failed = true;
    if (l->from) {
        memmove(l->in.p, l->in.p + l->from, l->in.len - l->from);
        l->in.len -= l->from;
        l->from = 0;
    }
    if (l->failed || !adit_buf_reserve(&l->in, READ_AT_ONCE)) return false;
    ssize_t n = read(STDIN_FILENO, l->in.p + l->in.len, l->in.cap - l->in.len);
    if (n < 0 && errno == EINTR) return true;
    if (n < 0) {
        cli_say("-", "cannot read: %s", strerror(errno));
        l->failed = true;
    }
    l->ended = n <= 0;
    if (n > 0) l->in.len += (size_t)n;
    return n > 0;
}

/* The next line without its end; one that is too long comes as an empty one, with *too_long. */
static bool next_line(struct lines *l, struct adit_str *line, bool *too_long)
{
    size_t searched = l->from;
    *too_long = false;
    for (;;) {
        struct adit_str s = adit_buf_str(&l->in);
        size_t end = adit_str_chr(s, '\n', searched);
        if (end < s.len || (l->ended && (l->from < s.len || *too_long))) {
            *line = *too_long ? (struct adit_str){0} : adit_str_sub(s, l->from, end);
            l->from = end < s.len ? end + 1 : s.len;
            l->number++;
            return true;
        }
        if (l->ended) return false;
        if (s.len - l->from > LINE_MAX_BYTES) *too_long = true;
        if (*too_long) l->from = s.len; /* the rest of the line is passed over */
        searched = s.len - l->from;
        if (!read_more(l) && (l->failed || l->in.err)) return false;
    }
}

/* A huge line leaves no huge buffer behind. */
static void give_back(struct lines *l)
{
    if (l->in.cap > KEPT_MAX && l->from == l->in.len) {
        size_t max = l->in.max;
        adit_buf_free(&l->in);
        adit_buf_init(&l->in, cli_mem, max);
        l->from = 0;
    }
    struct adit_buf *const others[] = {&l->html, &l->answer};
    for (size_t i = 0; i < ADIT_COUNT(others); i++) {
        size_t max = others[i]->max;
        if (others[i]->cap <= KEPT_MAX) continue;
        adit_buf_free(others[i]);
        adit_buf_init(others[i], cli_mem, max);
    }
}

/* --- what a line says ------------------------------------------------------------------------- */

/* "headers": {"Content-Type": "text/html", "X-Robots-Tag": ["a", "b"]}. NULL, or what is wrong. */
static const char *read_headers(struct lines *l, struct adit_json_value headers,
                                struct adit_page_source *source)
{
    struct adit_json_iter it = adit_json_iter(headers);
    struct adit_json_member m, item;
    bool ok = true;
    if (headers.kind == ADIT_JSON_NONE || headers.kind == ADIT_JSON_NULL) return NULL;
    if (headers.kind != ADIT_JSON_OBJECT) return "headers is no object";
    while (adit_json_next(&it, &m)) {
        struct adit_json_value name = {.kind = ADIT_JSON_STRING,
                                       .raw = {m.key.p - 1, m.key.len + 2}};
        struct adit_str key = adit_json_text(name, &l->arena, &ok);
        struct adit_json_iter values = adit_json_iter(m.value);
        if (m.value.kind == ADIT_JSON_STRING)
            adit_page_source_header(source, key, adit_json_text(m.value, &l->arena, &ok),
                                    &l->arena);
        while (m.value.kind == ADIT_JSON_ARRAY && adit_json_next(&values, &item))
            adit_page_source_header(source, key, adit_json_text(item.value, &l->arena, &ok),
                                    &l->arena);
    }
    return ok ? NULL : "the header fields are too long";
}

/* The page's bytes. NULL, or what is wrong. */
static const char *read_html(struct lines *l, const struct adit_json_value *v,
                             struct adit_page_source *source)
{
    adit_buf_clear(&l->html);
    if (v[HTML].kind == ADIT_JSON_STRING) {
        adit_json_unescape(adit_json_inside(v[HTML]), &l->html);
        source->content_type = ADIT_STR("text/html; charset=utf-8"); /* JSON is */
    } else if (v[HTML_BASE64].kind == ADIT_JSON_STRING) {
        struct adit_str text = adit_json_inside(v[HTML_BASE64]);
        if (adit_str_chr(text, '\\', 0) < text.len) /* "\/" is allowed */
            text = adit_json_text(v[HTML_BASE64], &l->arena, NULL);
        if (adit_base64_decode(text, &l->html) == ADIT_EBAD) return "html_base64 is no base64";
    } else {
        return "no html and no html_base64";
    }
    if (l->html.err == ADIT_ELIMIT) return "the page is larger than 8 MiB";
    if (l->html.err) return "out of memory";
    return extract_page_refused(adit_buf_str(&l->html));
}

static const char *read_source(struct lines *l, const struct adit_json_value *v,
                               struct adit_page_source *source)
{
    bool ok = true;
    struct adit_time at;
    *source = (struct adit_page_source){.language = l->o->language,
                                        .whole = l->o->whole,
                                        .links = l->o->links,
                                        .rich = l->o->format->rich};
    source->url = adit_json_text(v[URL], &l->arena, &ok);
    source->date = adit_json_text(v[DATE], &l->arena, &ok);
    if (!ok) return "out of memory";
    if (source->date.len && !adit_time_parse(source->date, &at)) return "date is no time";
    if (!source->date.len) source->date = l->o->date;
    const char *why = read_headers(l, v[HEADERS], source);
    if (!why) why = read_html(l, v, source);
    if (why || source->url.len) return why;
    struct adit_str url;
    if (adit_convert_own_url(l->converter, adit_buf_str(&l->html), source, &url) == ADIT_OK)
        source->url = adit_arena_dup(&l->arena, url, &ok);
    return source->url.len ? NULL : "no url, and the page states none";
}

/* --- the answer ------------------------------------------------------------------------------- */

/* Formats that are JSON are the answer; text stands in an object. */
static const char *write_answer(struct lines *l, const struct adit_page *page)
{
    const struct adit_format *f = l->o->format;
    if (l->o->front_matter && f->front_matter) f->front_matter(page, &l->html);
    if (f->write(page, cli_mem, extract_format_is_json(f) ? &l->answer : &l->html) != ADIT_OK)
        return "the page is too complex";
    if (extract_format_is_json(f)) return l->answer.err ? "the answer is too long" : NULL;
    struct adit_json_writer w = {.out = &l->answer};
    adit_json_open(&w, '{');
    adit_json_member(&w, "url", page->url);
    adit_json_member(&w, "title", page->title);
    adit_json_member_opt(&w, "author", page->author);
    adit_json_member_opt(&w, "published", page->published);
    adit_json_member_opt(&w, "language", page->language);
    adit_json_member(&w, "kind", adit_str_z(adit_page_kind_names[page->look.kind]));
    adit_json_key(&w, "confidence");
    char number[ADIT_CONFIDENCE_BYTES];
    adit_json_raw(&w, adit_page_confidence(page->look, number));
    if (page->look.needs_script) adit_json_member_bool(&w, "needs_script", true);
    adit_json_member(&w, "text", adit_str_trim(adit_buf_str(&l->html)));
    adit_json_close(&w, '}');
    return l->html.err || l->answer.err ? "the answer is too long" : NULL;
}

static const char *convert_line(struct lines *l, struct adit_str line, struct adit_str *url)
{
    struct adit_json_value v[MEMBERS];
    struct adit_page_source source;
    struct adit_error err = {0};
    const struct adit_page *page;
    if (adit_json_pick(line, members, MEMBERS, v, &err) != ADIT_OK)
        return err.msg ? err.msg : "not a JSON object";
    *url = adit_json_text(v[URL], &l->arena, NULL);
    const char *why = read_source(l, v, &source);
    if (why) return why;
    enum adit_code code = adit_convert(l->converter, adit_buf_str(&l->html), &source, &page, &err);
    if (code != ADIT_OK) return err.msg ? err.msg : adit_code_name(code);
    if (!page->n_blocks) return "the page has no content";
    adit_buf_clear(&l->html); /* the page has what it needs of it */
    return write_answer(l, page);
}

static void answer_line(struct lines *l, struct adit_str line, bool too_long)
{
    struct adit_str url = {0};
    adit_arena_reset(&l->arena);
    adit_buf_clear(&l->answer);
    const char *why = too_long ? "the line is longer than 64 MB" : convert_line(l, line, &url);
    if (why) {
        struct adit_json_writer w = {.out = &l->answer};
        adit_buf_clear(&l->answer);
        adit_json_open(&w, '{');
        adit_json_member_opt(&w, "url", url);
        adit_json_member(&w, "error", adit_str_z(why));
        adit_json_member_uint(&w, "line", l->number);
        adit_json_close(&w, '}');
    }
    cli_data_line(adit_buf_str(&l->answer));
    if (ferror(stdout)) l->failed = true;
    give_back(l);
}

int extract_lines(const struct extract_lines_options *o)
{
    struct lines l = {.o = o, .converter = adit_converter_new(cli_mem)};
    struct adit_str line;
    bool too_long;
    adit_arena_init(&l.arena, cli_mem, FIELDS_MAX + 2 * (size_t)LINE_MAX_BYTES);
    adit_buf_init(&l.in, cli_mem, LINE_MAX_BYTES + 2 * (size_t)READ_AT_ONCE);
    adit_buf_init(&l.html, cli_mem, ADIT_LIMIT_page_bytes);
    adit_buf_init(&l.answer, cli_mem, OUTPUT_MAX);
    if (!l.converter) cli_say(NULL, "out of memory");
    while (l.converter && !l.failed && next_line(&l, &line, &too_long))
        answer_line(&l, line, too_long);
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written) cli_say(NULL, "cannot write the output");
    adit_converter_free(l.converter);
    adit_arena_free(&l.arena);
    adit_buf_free(&l.in);
    adit_buf_free(&l.html);
    adit_buf_free(&l.answer);
    if (!written) return CLI_OUTPUT;
    return l.converter && !l.failed ? CLI_OK : CLI_INVALID;
}
