/* All that the command prints goes through this file: messages and listings for people, and data.
 *
 * Input decides much of what is printed: URLs, titles, sections, names of files and of hosts. A
 * terminal obeys control characters (it can be made to rewrite its title, its contents, even its
 * input), and draws bidirectional overrides. So everything that a person reads is shown with these
 * escaped, wherever it goes, and data only if it goes to a terminal. */
#include "batch/cli/cli.h"
#include "text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Collects what is printed, so that a message is one write() and lines of threads do not mix. */
struct printer {
    FILE *to;
    size_t len;
    char space[1024];
};

static void flush(struct printer *p)
{
    fwrite(p->space, 1, p->len, p->to);
    p->len = 0;
}

static void add(struct printer *p, struct adit_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (p->len == sizeof p->space) flush(p);
        p->space[p->len++] = s.p[i];
    }
}

static void add_hex(struct printer *p, const char *format, unsigned value)
{
    char text[16];
    int n = snprintf(text, sizeof text, format, value);
    add(p, adit_str_of(text, (size_t)n));
}

/* C1 controls (a terminal takes U+009B for ESC [), and what turns the direction of writing. */
static bool steers(uint32_t c)
{
    return (c >= 0x80 && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* TAB stays; LF stays where `lines` says so. Bytes that are no UTF-8 are escaped one by one. */
static void add_safe(struct printer *p, struct adit_str s, bool lines)
{
    static const struct adit_str replacement = ADIT_STR_INIT("\xEF\xBF\xBD");
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = adit_utf8_next(s, &pos);
        struct adit_str bytes = adit_str_sub(s, start, pos);
        bool broken = c == 0xFFFD && !adit_str_eq(bytes, replacement);
        bool control = (c < 0x20 && c != '\t' && !(c == '\n' && lines)) || c == 0x7F;
        if (steers(c))
            add_hex(p, "\\u{%X}", c);
        else if (!broken && !control)
            add(p, bytes);
        else
            for (size_t i = 0; i < bytes.len; i++) add_hex(p, "\\x%02x", (unsigned char)bytes.p[i]);
    }
}

/* The formatted text; a LF stays only as the last character of the format: no value begins a line.
 */
static void add_format(struct printer *p, const char *format, va_list ap)
{
    char space[1024], *text = space;
    struct adit_str f = adit_str_z(format);
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(space, sizeof space, format, ap);
    size_t len = n < 0 ? 0 : (size_t)n;
    if (len >= sizeof space) {
        text = malloc(len + 1);
        if (text)
            vsnprintf(text, len + 1, format, again);
        else
            text = space, len = sizeof space - 1;
    }
    va_end(again);
    bool line = f.len && f.p[f.len - 1] == '\n';
    if (line && len && text[len - 1] == '\n') len--;
    add_safe(p, adit_str_of(text, len), false);
    if (line) add(p, ADIT_STR("\n"));
    if (text != space) free(text);
}

void cli_print_to(FILE *to, const char *format, ...)
{
    struct printer p = {.to = to};
    va_list ap;
    va_start(ap, format);
    add_format(&p, format, ap);
    va_end(ap);
    flush(&p);
}

void cli_print(const char *format, ...)
{
    struct printer p = {.to = stdout};
    va_list ap;
    va_start(ap, format);
    add_format(&p, format, ap);
    va_end(ap);
    flush(&p);
}

struct cli_words cli_count(uint64_t n, const char *one)
{
    struct cli_words w;
    size_t stem = strlen(one);
    bool y = n != 1 && stem && one[stem - 1] == 'y';
    snprintf(w.p, sizeof w.p, "%llu %.*s%s", (unsigned long long)n, (int)(stem - y), one,
             n == 1 ? ""
             : y    ? "ies"
                    : "s");
    return w;
}

struct cli_words cli_size(uint64_t bytes)
{
    static const char *const units[] = {"KB", "MB", "GB", "TB"};
    struct cli_words w;
    uint64_t n = bytes; /* thousandths of the unit; three digits are shown */
    size_t unit = 0;
    if (bytes < 1000) return cli_count(bytes, "byte");
    for (; n >= 999500 && unit + 1 < ADIT_COUNT(units); unit++) n = n / 1000 + (n % 1000 >= 500);
    int decimals = n < 9995 ? 2 : n < 99950 ? 1 : 0;
    snprintf(w.p, sizeof w.p, "%.*f %s", decimals, (double)n / 1000, units[unit]);
    return w;
}

static void add_name(struct printer *p, const char *file)
{
    add(p, ADIT_STR("adit: "));
    if (!file) return;
    add_safe(p, adit_str_z(file), false);
    add(p, ADIT_STR(": "));
}

void cli_say(const char *file, const char *format, ...)
{
    struct printer p = {.to = stderr};
    va_list ap;
    add_name(&p, file);
    va_start(ap, format);
    add_format(&p, format, ap);
    va_end(ap);
    add(&p, ADIT_STR("\n"));
    flush(&p);
}

int cli_usage(const struct cli_args *args, const char *format, ...)
{
    struct printer p = {.to = stderr};
    va_list ap;
    add_name(&p, NULL);
    va_start(ap, format);
    add_format(&p, format, ap);
    va_end(ap);
    add(&p, ADIT_STR("; try: adit help "));
    add(&p, adit_str_z(args->command->name));
    add(&p, ADIT_STR("\n"));
    flush(&p);
    return CLI_USAGE;
}

static bool on_terminal(void)
{
    static _Atomic int answer; /* 0: not asked */
    if (!answer) answer = isatty(STDOUT_FILENO) ? 1 : 2;
    return answer == 1;
}

void cli_data(struct adit_str bytes)
{
    struct printer p = {.to = stdout};
    if (on_terminal()) {
        add_safe(&p, bytes, true);
        flush(&p);
    } else if (bytes.len) {
        fwrite(bytes.p, 1, bytes.len, stdout);
    }
}

void cli_data_line(struct adit_str bytes)
{
    cli_data(bytes);
    cli_data(ADIT_STR("\n"));
}

void cli_json_begin(struct cli_json *j)
{
    adit_buf_init(&j->text, cli_mem, SIZE_MAX / 2);
    j->w = (struct adit_json_writer){.out = &j->text};
    adit_json_open(&j->w, '{');
}

void cli_json_end(struct cli_json *j)
{
    adit_json_close(&j->w, '}');
    cli_data_line(adit_buf_str(&j->text));
    adit_buf_free(&j->text);
}

static _Atomic int colours; /* 1 always, 2 never, 0 as the terminal says */

void cli_set_colours(int when) { colours = when; }

bool cli_colours(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (colours) return colours == 1;
    return on_terminal() && !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0;
}

void cli_colour(const char *digits)
{
    if (!cli_colours()) return;
    fputs("\x1b[", stdout);
    fputs(digits, stdout);
    fputs("m", stdout);
}
