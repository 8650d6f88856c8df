/* Every named character reference, in text and in values, by Python's list of them, which
 * scripts/run-tests writes; and the numeric ones. */
#include "html/parse_impl.h"
#include "tests/tap.h"

static struct adit_html *p;
static struct adit_buf page, want;

/* The text of the last <p>, and its title. */
static struct adit_str text_of(struct adit_str html, struct adit_str *title)
{
    if (adit_parse_page(p, html) != ADIT_OK) return (struct adit_str){0};
    uint32_t node = node_of(p, p->dom.body)->last;
    uint32_t attribute = node_of(p, node)->attrs, text = node_of(p, node)->first;
    if (title) *title = attribute ? adit_parse_value(p, attribute) : (struct adit_str){0};
    return text ? adit_dom_data(&p->dom, text) : (struct adit_str){0};
}

static void make_page(struct adit_str name, const char *behind)
{
    adit_buf_clear(&page);
    adit_buf_lit(&page, "<p title='&"), adit_buf_add(&page, name), adit_buf_lit(&page, behind);
    adit_buf_lit(&page, "'>&"), adit_buf_add(&page, name), adit_buf_lit(&page, behind);
}

static bool check_name(struct adit_str name, struct adit_str hex)
{
    struct adit_str title;
    adit_buf_clear(&want);
    for (size_t i = 0; i + 1 < hex.len; i += 2)
        adit_buf_byte(&want, (char)(adit_hex(hex.p[i]) * 16 + adit_hex(hex.p[i + 1])));
    make_page(name, "");
    bool right = adit_str_eq(text_of(adit_buf_str(&page), &title), adit_buf_str(&want)) &&
                 adit_str_eq(title, adit_buf_str(&want));
    /* Without its semicolon a name is text in a value, if = follows, but not in text. */
    make_page(name, "=");
    adit_buf_byte(&want, '=');
    right = right && adit_str_eq(text_of(adit_buf_str(&page), &title), adit_buf_str(&want));
    if (name.p[name.len - 1] != ';') {
        adit_buf_clear(&want);
        adit_buf_byte(&want, '&'), adit_buf_add(&want, name), adit_buf_byte(&want, '=');
    }
    return right && adit_str_eq(title, adit_buf_str(&want));
}

TEST(names)
{
    struct adit_str all = tap_read("build/unicode/references.txt"), rest = all, line;
    if (!all.len) {
        tap_skip("named references", "no list of them (python3)");
        return;
    }
    size_t n = 0, wrong = 0;
    while (adit_str_split(&rest, '\n', &line)) {
        size_t space = adit_str_chr(line, ' ', 0);
        if (space == line.len) continue;
        n++;
        if (check_name(adit_str_sub(line, 0, space), adit_str_sub(line, space + 1, line.len)))
            continue;
        if (++wrong < 10) tap_show("wrong", line);
    }
    eq_int(n, 2231, "all names");
    eq_int(wrong, 0, "each means what it should");
    free((void *)(uintptr_t)all.p);
}

TEST(numbers)
{
    static const struct {
        const char *what, *html, *text;
    } rows[] = {
        {"decimal and hexadecimal", "<p>&#65;&#x42;&#X43", "ABC"},
        {"no characters", "<p>&#0;&#xD800;&#x110000;&#99999999999;",
         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"C1 controls", "<p>&#128;&#x9F;&#129;", "\xE2\x82\xAC\xC5\xB8\xC2\x81"},
        {"no references", "<p>&#;&#x;&#xg;&;& &", "&#;&#x;&#xg;&;& &"},
        {"line ends", "<p>a\r\nb\rc&#13;d", "a\nb\nc\rd"},
        {"control characters", "<p>a\1b", "a\1b"},
        {"names without semicolon", "<p>&amp;lt;&ampx&notit;", "&lt;&x\xC2\xACit;"},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_str(text_of(adit_str_z(rows[i].html), NULL), adit_str_z(rows[i].text), rows[i].what);
    eq_str(text_of(ADIT_STR("<p>a\0b"), NULL), ADIT_STR("ab"), "NUL goes");
}

int main(void)
{
    p = adit_html_new(tap_mem);
    adit_buf_init(&page, tap_mem, 1 << 20), adit_buf_init(&want, tap_mem, 1 << 20);
    names(), numbers();
    adit_buf_free(&page), adit_buf_free(&want);
    adit_html_free(p);
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
