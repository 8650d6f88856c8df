/* Slow: Limits of the parser: each at n - 1, n, n + 1; what is dropped and what stays; linear time. */
#include "html/tests/dump.h"
#include "tests/tap.h"

static struct adit_html *h;
static struct adit_buf in;

static const struct adit_dom *parse(void)
{
    const struct adit_dom *d;
    return adit_html_parse(h, adit_buf_str(&in), &d) == ADIT_OK ? d : NULL;
}

/* prefix, then n times unit; '#' in unit is the running number. */
static void make(const char *prefix, const char *unit, size_t n)
{
    adit_buf_clear(&in);
    adit_buf_lit(&in, prefix);
    for (size_t i = 0; i < n; i++)
        for (const char *p = unit; *p; p++)
            if (*p == '#')
                adit_buf_u64(&in, i);
            else
                adit_buf_byte(&in, *p);
}

static size_t deepest(const struct adit_dom *d)
{
    size_t max = 0, now = 1; /* with <html> */
    uint32_t n = d->html;
    while (n) {
        if (adit_dom_is_element(d, n) && now > max) max = now;
        if (adit_dom_first(d, n)) {
            n = adit_dom_first(d, n);
            now++;
            continue;
        }
        while (n != d->html && !d->nodes[n].next) n = d->nodes[n].parent, now--;
        n = n == d->html ? 0 : d->nodes[n].next;
    }
    return max;
}

static size_t count(const struct adit_dom *d, enum adit_tag tag)
{
    size_t n = 0;
    for (uint32_t e = d->html; e; e = adit_dom_next(d, e, d->html, true))
        n += adit_dom_is(d, e, tag);
    return n;
}

/* The tree as a number: tags, attributes and texts in order. */
static uint64_t fingerprint(const struct adit_dom *d)
{
    uint64_t f = 1;
    for (uint32_t e = d->html; e; e = adit_dom_next(d, e, d->html, true)) {
        f = f * 31 + (unsigned)d->nodes[e].type * 1000 + adit_dom_tag(d, e);
        if (adit_dom_is_text(d, e)) f = f * 31 + adit_str_hash(adit_dom_data(d, e));
        if (!adit_dom_is_element(d, e)) continue;
        for (uint32_t a = adit_attr_first(d, e); a; a = adit_attr_next(d, a))
            f = f * 31 + adit_str_hash(adit_str_z(dump_attr_names[d->attrs[a].name])) +
                adit_str_hash(adit_attr_value(d, a));
    }
    return f;
}

TEST(depth)
{
    for (size_t k = 509; k <= 511; k++) { /* html and body stand above */
        make("", "<div>", k);
        const struct adit_dom *d = parse();
        eq_int(deepest(d), k < 510 ? k + 2 : 512, "depth");
        ok(d->cut == (k > 510), "told when something is left out");
    }
    make("", "<div>", 600);
    adit_buf_lit(&in, "<p>deep<script>var x</script><br>");
    for (int i = 0; i < 600; i++) adit_buf_lit(&in, "</div>");
    adit_buf_lit(&in, "<p>after");
    const struct adit_dom *d = parse();
    ok(adit_dom_is(d, d->nodes[d->body].last, ADIT_TAG_P),
       "end tags of what was left out close nothing else");
    eq_int(count(d, ADIT_TAG_DIV), 510, "divs that are left");
    eq_int(count(d, ADIT_TAG_SCRIPT), 1, "a script stays a script");
    eq_int(count(d, ADIT_TAG_BR), 1, "void elements stay");
}

TEST(attributes)
{
    for (size_t k = 510; k <= 512; k++) { /* and one more */
        make("<p", " a#", k);
        adit_buf_lit(&in, " id=x>x");
        const struct adit_dom *d = parse();
        ok(adit_dom_has(d, d->nodes[d->body].first, ADIT_ATTR_ID) == (k < 512), "attributes");
        ok(d->cut == (k >= 512), "told");
    }
    make("<p", " b#=1", 20000);
    adit_buf_lit(&in, ">x<p>y");
    const struct adit_dom *d = parse();
    ok(d && d->cut, "an endless tag");
    make("", "<body id=# a# class=#>", 100000);
    adit_buf_lit(&in, "<body title=x>");
    d = parse();
    ok(adit_dom_has(d, d->body, ADIT_ATTR_TITLE) && d->n_attrs < 10,
       "many body tags: each kept name once");
}

TEST(formatting)
{
    for (size_t k = 31; k <= 33; k++) {
        make("", "<b a=#>", k);
        adit_buf_lit(&in, "<p>x");
        const struct adit_dom *d = parse();
        eq_int(count(d, ADIT_TAG_B), k < 32 ? k : 32, "formatting elements");
    }
    make("", "<table><tr><td><b a=#>x", 40);
    eq_int(count(parse(), ADIT_TAG_B), 40, "counted since the last cell");
}

/* Copies of formatting elements: 1024 of each page, and one for 64 bytes of it. */
TEST(copies)
{
    for (size_t n = 1168; n < 1174; n++) {
        make("<p><b>x</p>", "<p>x</p>", n);
        size_t most = in.len / 64 + 1024;
        const struct adit_dom *d = parse();
        if (!ok(d != NULL, "parsed")) return;
        eq_int(count(d, ADIT_TAG_B), 1 + (n < most ? n : most), "copies");
        eq_int(d->cut, n > most, "whether some are left out");
        eq_int(count(d, ADIT_TAG_P), n + 1, "other elements are all there");
    }
    make("", "<b><p>x</b>", 4000); /* copies of the adoption agency */
    const struct adit_dom *d = parse();
    if (!ok(d && d->cut, "misnested ends have the same budget")) return;
    eq_int(count(d, ADIT_TAG_P), 4000, "and leave no other element out");
    eq_int(d->n_texts, 4000, "and no text");
}

/* Nodes: 65536 of each page, and one for 32 bytes of it. */
TEST(density)
{
    bool cut[2] = {false};
    for (size_t n = 35540; n < 35570; n++) {
        make("<ul>", "<li>x", n); /* two nodes each */
        size_t most = in.len / 32 + 65536;
        bool over = 2 * n + 1 > most;
        const struct adit_dom *d = parse();
        if (!ok(d && d->cut == over, "told when tags are left out")) return;
        eq_int(count(d, ADIT_TAG_LI), over ? (most + 1) / 2 : n, "items");
        cut[over] = true;
    }
    ok(cut[0] && cut[1], "on both sides of the limit");
    make("", "<p>a line of a text, of some words</p>", 30000);
    const struct adit_dom *d = parse();
    ok(d && !d->cut, "a megabyte of short lines is whole");
}

TEST(budgets)
{
    make("<ul>", "<li>words, and more.", 400000); /* two nodes each */
    adit_buf_lit(&in, "<script>y</script><p>end");
    const struct adit_dom *d = parse();
    ok(d && d->cut, "nodes");
    eq_int(count(d, ADIT_TAG_LI), ADIT_LIMIT_page_nodes / 2, "as many as there may be");
    eq_int(count(d, ADIT_TAG_P), 0, "then no more tags");
    eq_int(count(d, ADIT_TAG_SCRIPT), 1, "but scripts do not become text");
    make("", "<x#></x#>", 1500);
    adit_buf_lit(&in, "<p>the <b>en</b>d</p><p>of<br>it");
    d = parse();
    ok(d && d->cut && count(d, ADIT_TAG_P) == 0, "distinct names");
    struct adit_arena a;
    adit_arena_init(&a, tap_mem, 100);
    eq_str(adit_dom_text(d, d->body, 50, &a, NULL), ADIT_STR("the end of it"), "text stays");
    adit_arena_free(&a);
    make("", "<x#></x#>", 900);
    adit_buf_lit(&in, "<p>end");
    eq_int(count(parse(), ADIT_TAG_P), 1, "fewer names");
    adit_buf_clear(&in);
    adit_buf_reserve(&in, (8u << 20) + 1);
    memset(in.p, 'x', (8u << 20) + 1);
    const struct adit_dom *none;
    for (size_t k = 0; k < 3; k++)
        eq_int(adit_html_parse(h, adit_str_of(in.p, (8u << 20) - 1 + k), &none),
               k < 2 ? ADIT_OK : ADIT_ELIMIT, "bytes");
}

/* Hostile pages. */
static const struct hostile {
    const char *name, *prefix, *unit;
} hostile[] = {
    {"nested div", "", "<div>"},
    {"only <", "", "<"},
    {"attributes", "<p", " a#"},
    {"tags of many attributes", "", "<p a b c d e f g h i j k l m n o p q r s t u v w x y z>"},
    {"tag names", "", "<x#>"},
    {"unclosed b", "", "<b>"},
    {"unclosed a", "", "<a>"},
    {"unclosed i with text", "", "<i>x"},
    {"unclosed font", "", "<font a=#>x"},
    {"p b", "", "<p><b>"},
    {"p b with attributes", "", "<p><b c=#>x"},
    {"adoption", "", "<a href=#><div>x</a>"},
    {"adoption of many", "", "<b><b><b><i><i><u><div></b></i></b>"},
    {"unclosed table", "", "<table>"},
    {"nested table", "", "<table><tr><td>"},
    {"text in table", "<table>", "x<tr>"},
    {"text and cells", "<table>", "x<td>y<tr>"},
    {"comments in table", "<table>", "x<!--y-->"},
    {"scripts in table", "<table>", "x<script>y</script>"},
    {"select", "", "<select>"},
    {"select with options", "", "<select><option>"},
    {"svg", "", "<svg>"},
    {"math", "", "<math><mi>"},
    {"svg style", "<svg>", "<style>"},
    {"doctype", "", "<!DOCTYPE html>"},
    {"huge value", "<p title='", "x"},
    {"ampersands", "", "&"},
    {"references in a value", "<p title='", "&amp;"},
    {"template", "", "<template>"},
    {"html", "", "<html a#>"},
    {"end tags", "", "</p>"},
    {"breaks", "", "</br>"},
    {"headings", "", "<h1>"},
    {"nul", "", "\001"},
    /* elements that close each other, or do not */
    {"p", "", "<p>x"},
    {"p closed", "", "<p>x</p>"},
    {"p in div", "", "<div><p>"},
    {"li", "", "<li>x"},
    {"li in ul", "", "<ul><li>x"},
    {"li and div", "", "<li><div>"},
    {"dd and dt", "<dl>", "<dt>x<dd>y"},
    {"dl nested", "", "<dl><dd>"},
    {"options", "<select>", "<option>x"},
    {"optgroups", "<select>", "<optgroup><option>x"},
    {"hr in select", "<select>", "<hr>"},
    {"select in select", "", "<select><p>x"},
    {"buttons", "", "<button>x"},
    {"buttons in p", "", "<p><button>"},
    {"forms", "", "<form>x"},
    {"forms closed", "", "<form>x</form>"},
    {"headings closed", "", "<h1>x</h2>"},
    {"address", "", "<address>x"},
    {"details", "", "<details><summary>x</summary>"},
    {"ruby", "", "<ruby>x<rt>y<rp>z"},
    {"ruby text", "<ruby>", "<rtc><rt>x"},
    {"spans", "", "<span>x"},
    {"spans closed", "", "<span>x</span>"},
    {"unknown tags", "", "<x-y>z"},
    {"unknown tags closed", "", "<x-y>z</x-y>"},
    {"object", "", "<object>x"},
    {"marquee", "", "<marquee><b>x"},
    {"applet", "", "<applet><i>x</applet>"},
    {"pre", "", "<pre>\nx"},
    {"textarea", "", "<textarea>x</textarea>"},
    {"textarea open", "<textarea>", "</text"},
    {"plaintext", "<plaintext>", "</plaintext>"},
    {"xmp", "", "<xmp><p></xmp>"},
    {"iframe", "", "<iframe><p></iframe>"},
    {"noembed", "", "<noembed><p></noembed>"},
    {"noscript", "", "<noscript><p>x</noscript>"},
    {"frameset", "<frameset>", "<frame>"},
    {"frameset nested", "<frameset>", "<frameset>"},
    {"frameset closed", "<frameset>", "<frameset></frameset>"},
    {"void", "", "<br><img><input>"},
    {"images", "", "<image>"},
    {"meta in body", "", "<meta><link><base>"},
    {"titles in body", "", "<title>x</title>"},
    {"styles in body", "", "<style>x</style>"},
    {"body", "", "<body class=# a#>"},
    {"head again", "", "<head></head>"},
    {"end of body", "", "</body><p>x"},
    {"end of html", "", "</html><!--x-->"},
    {"only end tags", "", "</div></p></b></table>"},
    {"end tags of formatting", "", "</b></i></a>"},
    {"end tags of nothing", "", "</x#>"},
    {"end tags below many", "<div><div><div><div><div><div><div><div>", "<span></p>"},
    /* formatting */
    {"b closed", "", "<b>x</b>"},
    {"b and i crossed", "", "<b><i>x</b></i>"},
    {"b around p", "", "<b><p>x</b>y"},
    {"nobr", "", "<nobr>x"},
    {"a around blocks", "", "<a><div><p>x"},
    {"a in tables", "<table>", "<a>x<tr>"},
    {"b reopened", "<b><i><u><s><em>", "<p>x"},
    {"font of many kinds", "", "<font color=#><p>x"},
    {"markers", "", "<td><b><object><i>"},
    {"eight formatting elements", "", "<b><i><u><s><em><tt><big><code></b>"},
    {"adoption in depth", "", "<a><b><i><u><div></a></b>"},
    {"adoption and furthest block", "<b>", "<div></b><b>"},
    {"Noah's Ark", "", "<b x=1><b x=1><b x=1><b x=1></b>"},
    /* tables */
    {"cells", "<table><tr>", "<td>x"},
    {"rows", "<table>", "<tr><td>x"},
    {"bodies of tables", "<table>", "<tbody><tr><td>x"},
    {"captions", "<table>", "<caption>x"},
    {"columns", "<table>", "<col>"},
    {"groups of columns", "<table>", "<colgroup><col>"},
    {"hidden inputs", "<table>", "<input type=hidden>"},
    {"forms in tables", "<table>", "<form>x"},
    {"tables in tables", "<table>", "<table>"},
    {"tables in cells", "", "<table><td><table></table>"},
    {"headers and cells", "<table>", "<th>x</th><td>y</td>"},
    {"elements in tables", "<table>", "<div>x</div>"},
    {"b in tables", "", "<table><b><tr>x"},
    {"end tags in cells", "<table><td>", "</tbody></p>"},
    {"select in cells", "<table><td>", "<select><tr>"},
    /* templates, foreign content */
    {"templates closed", "", "<template>x</template>"},
    {"rows in templates", "", "<template><tr><td>x"},
    {"cells in templates", "<template>", "<td>x"},
    {"svg closed", "", "<svg><g></g></svg>"},
    {"svg nested", "<svg>", "<g>"},
    {"svg with HTML", "", "<svg><foreignObject><p>"},
    {"svg broken out of", "", "<svg><p>"},
    {"svg title", "<svg>", "<title>x</title>"},
    {"svg font", "<svg>", "<font color=x>"},
    {"svg self-closing", "<svg>", "<path d='M0 0'/>"},
    {"svg attributes", "<svg>", "<g viewbox=1 xlink:href=#>"},
    {"math annotation", "<math>", "<annotation-xml encoding=text/html><p>"},
    {"math text", "<math>", "<mtext><p>x</mtext>"},
    {"CDATA", "<svg>", "<![CDATA[x]]>"},
    {"CDATA open", "<svg><![CDATA[", "]]"},
    {"CDATA in HTML", "", "<![CDATA[x]]>"},
    /* tokens */
    {"less-than and letter", "", "<a"},
    {"less-than and space", "", "< "},
    {"end tags open", "", "</"},
    {"empty end tags", "x", "</>"},
    {"comments", "", "<!--x-->"},
    {"comments of dashes", "", "<!---->-"},
    {"a comment of dashes", "<!--", "--!"},
    {"a comment of less-than", "<!--", "<!-"},
    {"comments open", "", "<!--"},
    {"bogus comments", "", "<?x>"},
    {"bogus comments open", "", "<!"},
    {"doctypes of all kinds", "", "<!DOCTYPE html PUBLIC 'x' \"y\">"},
    {"scripts", "", "<script>x</script>"},
    {"a script of escapes", "<script><!--", "<script></script"},
    {"a script of less-than", "<script>", "<!--"},
    {"a script of end tags", "<script>", "</scrip"},
    {"a style of end tags", "<style>", "</style"},
    {"a title of references", "<title>", "&amp;"},
    {"references", "", "&amp;&lt;"},
    {"references without an end", "", "&amp"},
    {"long references", "", "&CounterClockwiseContourIntegral;"},
    {"half a reference", "", "&CounterClockwiseContourIntegra"},
    {"unknown references", "", "&x#;"},
    {"numeric references", "", "&#1;&#x80;"},
    {"a number without an end", "&#", "9"},
    {"values without quotes", "", "<p a=#>"},
    {"values of references", "", "<p title='&amp;&nosuch;'>"},
    {"equals signs", "<p ", "="},
    {"quotes in tags", "<p ", "'\" "},
    {"slashes in tags", "<p ", "/ "},
    {"the same attribute", "<p", " class=x"},
    {"tags that do not end", "", "<p class='x"},
    {"carriage returns", "", "x\r"},
    {"line ends in pre", "<pre>", "\r\n"},
    {"spaces before html", "", " "},
    {"spaces after head", "<head></head>", " <!--x-->"},
    {"text", "", "words of a text. "},
    {"text beyond ASCII", "", "\xE4\xB8\xAD\xE6\x96\x87"},
};

static void fill(const struct hostile *row, size_t len)
{
    size_t unit = strlen(row->unit);
    make(row->prefix, row->unit, len / unit);
    if (in.len > len) in.len = len;
}

enum { SIZE = 1 << 17 };

/* Linear time, as counts: searches take at most one step a byte beyond what every page may take, nodes
 * and copies keep to their budgets, and where nothing was cut twice the bytes take twice the steps. A
 * token is finished, so that its own steps and nodes may be more. linear.sh counts instructions. */
TEST(linear_steps)
{
    enum { TOKEN_STEPS = 16 * PARSE_STACK_MAX };
    for (size_t i = 0; i < ADIT_COUNT(hostile); i++) {
        fill(&hostile[i], SIZE);
        struct adit_str whole = adit_buf_str(&in);
        const struct adit_dom *d;
        if (adit_html_parse(h, adit_str_sub(whole, 0, whole.len / 2), &d)) continue;
        uint64_t half = h->work;
        if (!ok(!adit_html_parse(h, whole, &d), hostile[i].name)) continue;
        bool bounded = h->work <= whole.len + PARSE_WORK_FREE + TOKEN_STEPS &&
                       d->n_nodes <= whole.len / 32 + 65536 + 2 * PARSE_RESERVE &&
                       h->copies <= whole.len / 64 + 1024 + PARSE_RESERVE;
        bool linear = d->cut || h->work <= half * 22 / 10 + 64;
        if (!ok(bounded && linear, hostile[i].name))
            printf("# %llu steps, of the half %llu; %u nodes, %u copies\n",
                   (unsigned long long)h->work, (unsigned long long)half, d->n_nodes, h->copies);
    }
}

TEST(same_everywhere)
{
    uint64_t all = 1;
    for (size_t i = 0; i < ADIT_COUNT(hostile); i++) {
        fill(&hostile[i], 1 << 16);
        const struct adit_dom *d = parse();
        all = all * 1000003 + (d ? fingerprint(d) : 0);
    }
    eq_int((long long)all, -6481965627131505192, "the trees of all hostile pages");
}

/* Parses a page and takes all that it says: what linear.sh counts. */
__attribute__((noinline)) static bool read_page(struct adit_str page)
{
    const struct adit_dom *d;
    return adit_html_parse(h, page, &d) == ADIT_OK && fingerprint(d) != 0;
}

/* For linear.sh: ordinary HTML and all shapes, half and whole, one name a line. */
static int parse_all(void)
{
    make(
        "<!DOCTYPE html><title>x</title>",
        "<div class=\"card card-#\" id=c#><h2 class=title><a href=\"/posts/#.html\">Post number "
        "#</a></h2>\n<p class=\"lead text\">Some words of an ordinary paragraph that goes on for a "
        "while, with <b>bold</b> ones &amp; <i>others</i>, as pages have them.</p>\n<script>var "
        "state = {\"id\": #, \"list\": [1, 2, 3], \"name\": \"value\"};</script>\n</div>\n",
        SIZE / 300);
    for (size_t i = 0; i <= ADIT_COUNT(hostile); i++) {
        if (i) fill(&hostile[i - 1], SIZE);
        struct adit_str whole = adit_str_sub(adit_buf_str(&in), 0, SIZE);
        if (!read_page(adit_str_sub(whole, 0, whole.len / 2)) || !read_page(whole)) return 1;
        printf("%s\n", i ? hostile[i - 1].name : "ordinary HTML");
    }
    return 0;
}

int main(int argc, char **argv)
{
    h = adit_html_new(tap_mem);
    adit_buf_init(&in, tap_mem, 9u << 20);
    bool counting = argc > 1 && !strcmp(argv[1], "count");
    int failed = counting ? parse_all() : 0;
    if (!counting) {
        depth(), attributes(), formatting(), copies(), density(), budgets(), linear_steps(),
            same_everywhere();
        printf("1..%d\n", tap_count);
    }
    adit_html_free(h);
    adit_buf_free(&in);
    return failed || tap_failed;
}
