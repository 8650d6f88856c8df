/* The page's kind and confidence: small pages of each kind, and what the numbers look like. */
#include "convert/convert.h"
#include "tests/tap.h"

static const char prose[] =
    "<p>The first loaf was flat, and the second one was burnt, but the third came out of the oven "
    "as "
    "it should: brown, light and with a crust that sang while it cooled on the table.</p>"
    "<p>Since then we have baked every Friday, and nobody in the house remembers what the bread "
    "from "
    "the shop tasted like, although it was not bad at all, and cheap besides.</p>"
    "<p>What follows is what we have learned, in the order in which we learned it, with all "
    "mistakes "
    "that we made on the way, because they taught us more than any book.</p>";

static struct adit_page_look look_at(const char *url, const char *head, const char *body)
{
    struct adit_converter *c = adit_converter_new(tap_mem);
    struct adit_page_source source = {.url = adit_str_z(url)};
    const struct adit_page *page;
    struct adit_buf html;
    adit_buf_init(&html, tap_mem, 1 << 20);
    adit_buf_lit(&html, head);
    adit_buf_lit(&html, body);
    if (!c || adit_convert(c, adit_buf_str(&html), &source, &page, NULL) != ADIT_OK) abort();
    struct adit_page_look look = page->look;
    adit_buf_free(&html);
    adit_converter_free(c);
    return look;
}

static void is_kind(struct adit_page_look look, enum adit_page_kind kind)
{
    eq_str(adit_str_z(adit_page_kind_names[look.kind]), adit_str_z(adit_page_kind_names[kind]),
           "kind");
}

TEST(kinds)
{
    static const char product[] =
        "<h1>Kettle</h1><div class=product><p>$ 29.99</p><p>Holds two litres, boils in three "
        "minutes.</p><ul><li>Steel</li><li>Two years of warranty</li></ul></div>"
        "<div class=product-related><p>Cup $ 3.00</p><p>Pot $ 12.00</p></div>";
    static const char code[] =
        "<nav><a href=a>A</a><a href=b>B</a></nav><main><h1>open()</h1><p>Opens a file.</p>"
        "<pre>int fd = open(path, O_RDONLY | O_CLOEXEC);\nif (fd &lt; 0) return -1;\n</pre>"
        "<h2>Arguments</h2><ul><li>path: the name of the file</li><li>flags: how to open "
        "it</li></ul><pre>close(fd);\nunlink(path);\n</pre><h2>See also</h2><p>read, "
        "write</p></main>";
    is_kind(
        look_at("https://example.com/blog/how-we-bake-bread", "<h1>How we bake bread</h1>", prose),
        ADIT_PAGE_ARTICLE);
    is_kind(look_at("https://example.com/product/kettle",
                    "<meta property=og:type content=product><script type=application/ld+json>"
                    "{\"@type\":\"Product\",\"name\":\"Kettle\"}</script>",
                    product),
            ADIT_PAGE_PRODUCT);
    is_kind(look_at("https://example.com/docs/api/open", "<title>open()</title>", code),
            ADIT_PAGE_DOCUMENTATION);
    is_kind(look_at("https://example.com/blog/bread",
                    "<script type=application/ld+json>{\"@type\":\"Recipe\",\"name\":\"Bread\"}"
                    "</script><h1>Bread</h1>",
                    prose),
            ADIT_PAGE_RECIPE);
    is_kind(look_at("https://example.com/", "", ""), ADIT_PAGE_OTHER);
}

TEST(confidence)
{
    struct adit_page_look sure =
        look_at("https://example.com/blog/how-we-bake-bread", "<h1>How we bake bread</h1>", prose);
    struct adit_page_look unsure = look_at(
        "https://example.com/", "<h1>Shop</h1>",
        "<div class=a><a href=1>Cup</a> $ 3.00</div><div class=a><a href=2>Pot</a> $ 12.00</div>"
        "<div class=b>Call us</div><div class=c>Spring sale</div><form>Name <input></form>");
    ok(sure.confidence > 900, "running text");
    ok(unsure.confidence + 100 < sure.confidence, "prices and links");
    ok(look_at("https://example.com/", "", "").confidence == 0, "nothing");
}

TEST(numbers)
{
    static const struct {
        uint16_t pm;
        const char *text;
    } rows[] = {{0, "0"}, {7, "0.007"}, {50, "0.05"}, {500, "0.5"}, {925, "0.925"}, {1000, "1"}};
    char out[ADIT_CONFIDENCE_BYTES];
    for (size_t i = 0; i < ADIT_COUNT(rows); i++)
        eq_str(adit_page_confidence((struct adit_page_look){.confidence = rows[i].pm}, out),
               adit_str_z(rows[i].text), "a number of JSON");
}

TEST(scripts)
{
    static const char data[] = "<div id=app></div><script type=application/json>{\"post\":\"%\"}";
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 1 << 16);
    for (const char *p = data; *p; p++)
        if (*p == '%')
            adit_buf_lit(&b, prose);
        else
            adit_buf_byte(&b, *p);
    adit_buf_byte(&b, 0);
    ok(look_at("https://example.com/", b.p, "</script>").needs_script, "its text is in the data");
    ok(look_at("https://example.com/", "<body><script src=a></script>",
               "<noscript>Switch it on.</noscript><p>Loading")
           .needs_script,
       "it asks for a script");
    ok(!look_at("https://example.com/", "<script src=a></script>", prose).needs_script, "a text");
    ok(!look_at("https://example.com/", "", "<p>A short note.").needs_script, "a short page");
    adit_buf_free(&b);
}

RUN_TESTS(scripts, kinds, confidence, numbers)
