/* Metadata: each rule by a page of its own, and the JSON-LD reader by scripts as they are found. */
#include "tape/tape.h"
#include "meta/meta.h"
#include "tests/tap.h"

static struct adit_html *html;
static const struct adit_dom *dom;
static struct adit_arena arena;
static struct adit_meta meta;
static struct adit_classes classes;
static struct adit_page page;

static enum adit_code read_page(const char *text, const char *url,
                                const struct adit_page_source *source)
{
    struct adit_tape tape;
    adit_arena_reset(&arena);
    page = (struct adit_page){.url = adit_str_z(url)};
    ADIT_TRY(adit_html_parse(html, adit_str_z(text), &dom));
    adit_classes_init(&classes);
    ADIT_TRY(adit_meta_collect(&meta, dom, page.url, &classes, &tape, &arena));
    return adit_meta_resolve(&meta, source, &tape, &arena, &page);
}

static void read_simple(const char *text)
{
    struct adit_page_source source = {0};
    if (read_page(text, "https://www.example.com/some-page.html", &source)) abort();
}

struct row {
    const char *html, *want;
};

static void check(const struct row *rows, size_t n, const struct adit_str *field)
{
    for (size_t i = 0; i < n; i++) {
        char label[120];
        size_t k = 0;
        for (; rows[i].html[k] && k + 1 < sizeof label; k++)
            label[k] = rows[i].html[k] == '\n' ? ' ' : rows[i].html[k];
        label[k] = 0;
        read_simple(rows[i].html);
        eq_str(*field, adit_str_z(rows[i].want), label);
    }
}

TEST(titles)
{
    static const struct row rows[] = {
        {"<title>Bread | Bakers</title><meta property=og:site_name content=Bakers>", "Bread"},
        {"<title>Bakers - Bread</title><meta property=og:site_name content=Bakers>", "Bread"},
        {"<title>Bread – Example</title>", "Bread"},
        {"<title>Bread - a history</title>", "Bread - a history"},
        {"<title>Bread: a history</title><h1>Bread: a history</h1><h1>Other</h1>",
         "Bread: a history"},
        {"<title>All about bread | Bakers</title><h1>Menu</h1><h1>All About  Bread</h1>",
         "All About Bread"},
        {"<title>x</title><h1>The only heading</h1>", "The only heading"},
        {"<title>Home</title><meta property=og:title content='Open graph'>", "Open graph"},
        {"<title></title><meta name=twitter:title content='Card'>", "Card"},
        {"<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"From &amp; "
         "LD\"}</script>",
         "From & LD"},
        {"<p>nothing", "some page"},
        {"<title>日本語の題名｜サイト</title><meta property=og:site_name content=サイト>",
         "日本語の題名"},
        {"<svg><title>Icon</title></svg><p>x", "some page"},
        {"<title>All about bread</title><h1><svg><title>Logo</title></svg></h1>",
         "All about bread"},
        {"<title>All about bread</title><h1>All about bread <button>Copy</button>\xEF\x83\x81</h1>",
         "All about bread"},
        {"<title>Bread in C# | Bakers</title><h1>Bread in C#</h1>", "Bread in C#"},
        {"<title>Bread</title><h1>How bread is made</h1><h1>How bread is made</h1>",
         "How bread is made"},
        {"<title>Our Journal: All about bread</title><meta property=og:title content='All about "
         "bread'><h1>Our Journal</h1>",
         "All about bread"},
        {"<title>Question - How is bread made?</title><meta property=og:title content='How is "
         "bread made?'><h1>Question How is bread made?</h1>",
         "How is bread made?"},
        {"<title>View topic - How is bread made?</title><h2>How is bread made?</h2>",
         "How is bread made?"},
        {"<title>面包是怎么做的，为什么这样做_生活_日报</title><meta property=og:site_name "
         "content=日报>",
         "面包是怎么做的，为什么这样做_生活"},
        {"<title>面包是怎么做的，为什么这样做_生活_日报</title><h1>日报</"
         "h1><h2>面包是怎么做的，为什么这样做</h2>",
         "面包是怎么做的，为什么这样做"},
        {"<title>Daily News: Sports | All about bread</title><p><b>All about bread</b><p>x",
         "All about bread"},
        {"<title>Daily News | All about bread</title><p>all about it<p>x",
         "Daily News | All about bread"},
        {"<title>Ann | Notes » All about bread</title><h1>Ann | Notes</h1><h2>All about bread</h2>",
         "All about bread"},
        /* above the h1 stands the site's name */
        {"<title>Loaves - National Bread Museum</title><h2>National Bread Museum</h2><h1>Loaves",
         "Loaves"},
        {"<title>All about bread | Daily</title><h1>OCT 24</h1><h2>All about bread</h2>",
         "All about bread"},
        {"<title>All about bread | The Bakers</title><h1>The Bakers Blog</h1><p>All about bread",
         "All about bread"},
        {"<title>Daily: All about bread</title><p>» All about bread", "All about bread"},
    };
    check(rows, ADIT_COUNT(rows), &page.title);
}

TEST(authors)
{
    static const struct row rows[] = {
        {"<meta name=author content='Ann Lee'>", "Ann Lee"},
        {"<meta name=author content='By Ann Lee'>", "Ann Lee"},
        {"<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ann "
         "Lee'>",
         "Ann Lee"},
        {"<meta name=twitter:label1 content='Reading time'><meta name=twitter:data1 content='5 "
         "minutes'>",
         ""},
        {"<meta property=article:author content='https://www.facebook.com/ann'>", ""},
        {"<meta property=article:author content='Ann Lee'>", "Ann Lee"},
        {"<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Poe, "
         "Bob'>",
         "Lee, Ann; Poe, Bob"},
        {"<meta name=author content=admin><p class=byline>Von Ann Lee", "Ann Lee"},
        {"<meta name=author content=Bakers><meta property=og:site_name content=Bakers><a "
         "rel=author>Ann Lee</a>",
         "Ann Lee"},
        {"<meta name=author content=Bakers><meta property=og:site_name content=Bakers>", "Bakers"},
        {"<meta name=author content=alee22><span class=author-name>Ann Lee</span>", "Ann Lee"},
        {"<meta name=author content='ann@example.com'>", ""},
        {"<p class=byline>By Ann Lee | May 5, 2024 | 3 comments", "Ann Lee"},
        {"<p class=byline>ByAnn Lee", "Ann Lee"},
        {"<p class=byline>A cura di Ann Lee", "Ann Lee"},
        {"<p class=byline>Autorius: Ann Lee", "Ann Lee"},
        {"<p class=byline>Door Ann Lee", "Ann Lee"},
        {"<p class=byline>Geschreven door Ann Lee", "Ann Lee"},
        {"<p class=byline>Oleh Ann Lee", "Ann Lee"},
        {"<p class=byline>Rédigé par Ann Lee", "Ann Lee"},
        {"<p class=byline>Texte : Ann Lee", "Ann Lee"},
        {"<p class=byline>Words by Ann Lee", "Ann Lee"},
        {"<p class=byline>Yazan: Ann Lee", "Ann Lee"},
        {"<p class=byline>Автор: Ann Lee", "Ann Lee"},
        {"<p class=byline>作者：Ann Lee", "Ann Lee"},
        {"<p class=byline>글: Ann Lee", "Ann Lee"},
        {"<p class=byline>By Ann Temple December 25, 2025", "Ann Temple"},
        {"<p class=byline>Ann Lee Updated on December 12, 2016 09:22 AM", "Ann Lee"},
        {"<p class=byline>January 17, 2017 at 6:08 PM by Ann Lee", "Ann Lee"},
        {"<p class=byline>Ann Lee Edited by Bob Poe", "Ann Lee"},
        {"<p class=byline>More stories by Ann Lee", "Ann Lee"},
        {"<p class=byline>By Ann Lee, Example", "Ann Lee"},
        {"<p class=byline>Ann Lee @annlee", "Ann Lee"},
        {"<p><a rel=author>Ann Lee</a> and <a rel=author>Bob Poe</a>", "Ann Lee, Bob Poe"},
        {"<div itemprop=author itemscope><a href=x>profile</a><span itemprop=name>Ann "
         "Lee</span></div>",
         "Ann Lee"},
        {"<h1>Bread</h1><p>By Ann Lee</p><p>Text", "Ann Lee"},
        {"<h1>Brot</h1><p>Von Änn Lee, 5. Mai 2024</p><p>Text", "Änn Lee"},
        {"<h1>Bread</h1><p>By then everybody had left the house and it was dark", ""},
        {"<h1>Bread</h1><p>By</p><p>Ann Lee</p><p>Text", "Ann Lee"},
        {"<h1>Bread</h1><p>May 5</p><p><a href=/blog/author/ann-lee>Ann Lee</a></p>", "Ann Lee"},
        {"<h1>Pain</h1><p>Par Ann Lée", "Ann Lée"},
        {"<h1>Pan</h1><p>Escrito por Ann Lee", "Ann Lee"},
        {"<h1>Хлеб</h1><p>Автор: Анна Ли", "Анна Ли"},
        {"<h1>Хлеб</h1><p>Текст: Анна Ли", "Анна Ли"},
        {"<h1>面包</h1><p>文/张三", "张三"},
        {"<h1>面包</h1><p>作者：张三", "张三"},
        {"<h1>パン</h1><p>執筆者：山田太郎", "山田太郎"},
        {"<h1>خبز</h1><p>بقلم: آن لي", "آن لي"},
        {"<h1>Ekmek</h1><p>Yazan: Ann Lee", "Ann Lee"},
        {"<h1>Text</h1><p>Text of all kinds", ""},
        {"<meta name=twitter:label1 content='Escrito por'><meta name=twitter:data1 content='Ann "
         "Lee'>",
         "Ann Lee"},
        {"<meta name=author value='Ann Lee'>", "Ann Lee"},
        {"<meta name=author content=Bakers><meta property=og:site_name "
         "content=Bakers><h1>Bread</h1><p>By Ann Lee",
         "Ann Lee"},
        {"<p class=comment-form-author>Name *<p class=review-author>Bob Poe", ""},
        {"<p class=authorization-link>Sign in", ""},
        {"<span class=writer>Ann Lee</span>", "Ann Lee"},
        {"<span class=autor>Ann Lee</span><span class=autoreload>Now</span>", "Ann Lee"},
        {"<div class=author><b>Ann Lee</b><p>Baker of bread</div>", "Ann Lee"},
        {"<div class=author>Ann Lee<span class=author-role>Baker</span></div>", "Ann Lee"},
        {"<div class=byline>By <a href=/a>Ann Lee</a> and <a href=/b>Bob Poe</a>, bakers</div>",
         "Ann Lee, Bob Poe"},
        {"<div class=byline><a href=/d>May 5, 2024</a> by <a href=/a>Ann Lee</a> <a "
         "href=/f>Follow</a></div>",
         "Ann Lee"},
        {"<div class=related-posts><b class=author-name>Bob Poe</b></div><h1>Bread</h1><p>Text<b "
         "class=author-name>Ann Lee</b>",
         "Ann Lee"},
        {"<h1>Bread</h1><p>Text<div class=comments><b class=author-name>Bob Poe</b></div>", ""},
        {"<div class=post><b class=author>ann1</b></div><div class=post><b "
         "class=author>bob2</b></div>",
         "ann1"},
        {"<meta name=author content='Ann Lee | Example News'>", "Ann Lee"},
        {"<meta name=author content='Ann Lee, head of the news desk'>", "Ann Lee"},
        {"<meta name=author content='Ann Lee, Bob Poe'>", "Ann Lee, Bob Poe"},
        {"<meta name=author content='Ann Lee,Bob Poe og Cy Day'>", "Ann Lee, Bob Poe, Cy Day"},
        {"<meta name=author content='Rolf and the Bakers'>", "Rolf and the Bakers"},
        {"<meta name=author content='Ann Lee, Daily Press'>", "Ann Lee"},
        {"<meta name=author content='Ann Lee, Senior Editor'>", "Ann Lee"},
        {"<meta name=author content='Ann Lee The Daily Press'>", "Ann Lee"},
        {"<meta name=author content='Ann Lee, MD, FACS'>", "Ann Lee, MD, FACS"},
        {"<meta name=author content='Bread House'><meta name=copyright content='(c) Bread House "
         "2024'><meta property=article:author content='Ann Lee'>",
         "Ann Lee"},
        {"<meta name=author content=105092>", ""},
        {"<meta name=author content='Bread Staff'><a rel=author>Ann Lee</a>", "Ann Lee"},
        {"<meta name=author content='Bread Staff'>", "Bread Staff"},
        {"<meta name=author content=Example><h1>Bread</h1><p>By Ann Lee", "Ann Lee"},
        {"<meta name=author content='Bob Poe'><h1>Bread</h1><p>By Ann Lee</p><p>Text", "Ann Lee"},
        {"<meta name=author content='Bob Poe'><h1>Bread</h1><p>By Ann Lee</p><p>Bob Poe is here.",
         "Bob Poe"},
        {"<script type=application/ld+json>{\"@type\":\"Article\",\"author\":{\"name\":[\"Ann "
         "Lee\",\"Bob Poe\"]}}</script>",
         "Ann Lee, Bob Poe"},
        {"<script type=application/ld+json>{\"@type\":\"Article\",\"author\":[{\"name\":\"Ann "
         "Lee\"},{\"name\":\"Bob Poe\"}]}</script><meta name=parsely-author content='Ann "
         "Lee'><h1>Bread</h1><p>By Ann Lee</p>",
         "Ann Lee"},
        {"<h1>Bread</h1><p><a href=/author/bob>Bob Poe</a><p>By Ann Lee<p>Text", "Ann Lee"},
        {"<h1>Bread</h1><p>Text of it.<p>Posted by Ann at May 5, 2024", "Ann"},
        {"<div class=username><a href=/u/1>BreadBaker</a></div><p>Text", "BreadBaker"},
        {"<p class=author>Ann Lee<p class=author>View all posts", "Ann Lee"},
        {"<h1>面包</h1><p>本报讯（记者 张三丰）记者近日了解到，面包涨价了。", "张三丰"},
        {"<h1>面包</h1><p>面包涨价了。<p>（责任编辑：张三、李四）", "张三、李四"},
        {"<h1>面包</h1><p>记者近日了解到，面包涨价了。", ""},
        {"<meta name=author content=', The Daily Bread'><p class=byline>By Ann Lee", "Ann Lee"},
        {"<meta name=author content='page.head.author'><p class=author-name>Ann Lee", "Ann Lee"},
        /* behind the text, far from the title */
        {"<title>All about bread</title><h1>All about bread</h1>"
         "<p>1<p>2<p>3<p>4<p>5<p>6<p>7<p>8<p>9<p>10<p>11<p>12<p>13<p>Written by Ann Lee",
         "Ann Lee"},
        {"<title>All about bread</title><h1>All about bread</h1>"
         "<p>1<p>2<p>3<p>4<p>5<p>6<p>7<p>8<p>9<p>10<p>11<p>12<p>13<p>By then it was late",
         ""},
    };
    check(rows, ADIT_COUNT(rows), &page.author);
}

TEST(published)
{
    static const struct row rows[] = {
        {"<meta property=article:published_time content='2024-01-05T10:00:00+02:00'>",
         "2024-01-05T10:00:00+02:00"},
        {"<meta name=date content='5 Jan 2024'>", "2024-01-05T00:00:00Z"},
        {"<meta name=dc.date.issued content=2024-01-05><meta name=pubdate content=2024-01-04>",
         "2024-01-04T00:00:00Z"},
        {"<time datetime=2024-01-05T10:00Z>x</time>", "2024-01-05T10:00:00Z"},
        {"<time>Updated</time><time>Jan 5, 2024</time>", "2024-01-05T00:00:00Z"},
        {"<time datetime=2020-01-01>a</time><time class=published datetime=2024-01-05>b</time>",
         "2024-01-05T00:00:00Z"},
        {"<meta itemprop=datePublished content=2024-01-05>", "2024-01-05T00:00:00Z"},
        {"<h1>Bread</h1><p>Posted on 5 January 2024 by Ann", "2024-01-05T00:00:00Z"},
        {"<html lang=de><h1>Brot</h1><p>05/01/2024", "2024-01-05T00:00:00Z"},
        {"<html lang=en-US><h1>Bread</h1><p>05/01/2024", "2024-05-01T00:00:00Z"},
        {"<p>1</p><p>2</p><span class=post-date>5.1.2024</span>", "2024-01-05T00:00:00Z"},
        {"<meta property=article:modified_time content=2024-01-05>", ""},
        {"<meta name=w-published-date content=2024-01-05>", "2024-01-05T00:00:00Z"},
        {"<meta name=last_published content=2024-01-05><meta name=publisher content=2024-01-05>",
         ""},
        {"<h1>Bread</h1><p>Text<div class=comments><time datetime=2024-01-05>x</time></div>", ""},
        {"<h1>Bread</h1><p>Text<div class=node-commentary><time datetime=2024-01-05>x</time></div>",
         "2024-01-05T00:00:00Z"},
        /* the head's instant, on the clock that the page shows */
        {"<meta name=date content=2024-01-06T03:00:46Z><h1>Bread</h1><p>January 5, 2024 10:00 PM",
         "2024-01-05T22:00:46-05:00"},
        {"<meta name=date content=2024-01-05T22:03:00Z><h1>Bread</h1><p>January 6, 2024, 9:03 am",
         "2024-01-06T09:03:00+11:00"},
        {"<meta name=date content=2024-01-05T22:03:00Z><h1>Bread</h1><p>January 6, 2024, 9:11 am",
         "2024-01-05T22:03:00Z"},
        {"<meta name=date content=2024-01-06T03:00:46Z><h1>Bread</h1><p>January 5, 2024",
         "2024-01-06T03:00:46Z"},
        {"<meta name=date content=2024-01-06T03:00:46Z><time datetime=2024-01-07T10:00:00-05:00>x"
         "</time><time datetime=2024-01-05T22:00:46-05:00>x</time>",
         "2024-01-05T22:00:46-05:00"},
        {"<time class=updated datetime=2024-01-09>x</time><time datetime=2024-01-05>x</time>",
         "2024-01-05T00:00:00Z"},
        {"<html lang=fa><h1>x</h1><p>1402/09/16", ""},
        {"<h1>Bread</h1><p>3 hours ago", ""},
        {"<meta name=date content=soon><p>x", ""},
    };
    check(rows, ADIT_COUNT(rows), &page.published);
    struct adit_page_source source = {.date = ADIT_STR("2024-01-06T00:00:00Z"),
                                      .content_language = ADIT_STR("de")};
    read_page("<meta name=date content=2099-02-01><time datetime=05/03/2024>x</time>",
              "https://example.com/x", &source);
    eq_str(page.published, ADIT_STR("2024-05-03T00:00:00Z"),
           "not in the far future; capture and headers have no say");
    read_page("<meta property=article:published_time content=2024-01-05T10:30:00Z>",
              "https://example.com/2024/01/05/x", &source);
    eq_str(page.published, ADIT_STR("2024-01-05T10:30:00Z"), "the same day, told precisely");
}

TEST(modified)
{
    static const char *text =
        "<meta property=article:modified_time content=2024-01-04>"
        "<script type=application/ld+json>{\"@type\":\"Article\",\"dateModified\":\"2024-01-03\","
        "\"datePublished\":\"2024-01-01T23:00:00-05:00\"}</script>";
    struct adit_page_source source = {.last_modified = ADIT_STR("Fri, 05 Jan 2024 10:30:15 GMT"),
                                      .date = ADIT_STR("2024-02-01T00:00:00Z")};
    const char *url = "https://example.com/";
    read_page(text, url, &source);
    eq_str(page.modified, ADIT_STR("2024-01-03T00:00:00Z"), "JSON-LD first");
    read_page("<meta property=og:updated_time content=2024-01-04>", url, &source);
    eq_str(page.modified, ADIT_STR("2024-01-04T00:00:00Z"), "then meta");
    read_page("<p>", url, &source);
    eq_str(page.modified, ADIT_STR("2024-01-05T10:30:15Z"), "then the header");
    source.last_modified = ADIT_STR("Fri, 05 Jan 2099 10:30:15 GMT");
    read_page("<meta name=date content='2024-01-01T23:00:00-05:00'>", url, &source);
    eq_str(page.modified, ADIT_STR("2024-01-02T04:00:00Z"), "not what is later than the capture");
    read_page("<p>", url, &source);
    eq_str(page.modified, ADIT_STR("2024-02-01T00:00:00Z"), "at last the capture");
    source.date = source.last_modified = (struct adit_str){0};
    read_page("<p>", url, &source);
    eq_str(page.modified, ADIT_STR(""), "nothing known");
}

TEST(languages)
{
    static const struct row rows[] = {
        {"<html lang=EN-us>", "en-US"},
        {"<html lang=zh_hant_tw>", "zh-Hant-TW"},
        {"<html xml:lang=de>", "de"},
        {"<html lang=x>", "und"},
        {"<html lang='e n'>", "und"},
        {"<html lang='{{lang}}'>", "und"},
        {"<body lang=fr>", "fr"},
        {"<meta property=og:locale content=pt_BR>", "pt-BR"},
        {"<html lang=de-x-FOO>", "de-x-foo"},
        {"<meta http-equiv=Content-Language content='fr, en'>", "fr"},
        {"<html lang=en--US>", "und"},
        {"<html lang=es-419>", "es-419"},
        {"<html lang=utf-8>", "und"},
    };
    check(rows, ADIT_COUNT(rows), &page.language);
    struct adit_page_source source = {.content_language = ADIT_STR("sv"),
                                      .language = ADIT_STR("da")};
    read_page("<meta property=og:locale content=pt_BR>", "https://e.com/", &source);
    eq_str(page.language, ADIT_STR("sv"), "the header before og:locale");
    eq_str(page.html_language, ADIT_STR("pt-BR"), "what the HTML states");
    source.content_language = (struct adit_str){0};
    read_page("<p>", "https://e.com/", &source);
    eq_str(page.language, ADIT_STR("da"), "the option");
    eq_str(page.html_language, ADIT_STR(""), "the HTML states nothing");
}

TEST(robots)
{
    static const struct {
        const char *meta, *header;
        int want; /* noindex 1, noarchive 2, nofollow 4 */
    } rows[] = {
        {"noindex", "", 1},           {"NOINDEX, NoFollow", "", 5}, {"none", "", 5},
        {"noarchive", "", 2},         {"index,follow", "", 0},      {"", "noindex", 1},
        {"", "nofollow, none", 5},    {"", "otherbot: noindex", 0}, {"noarchive", "noindex", 3},
        {"max-snippet:-1", "all", 0},
    };
    for (size_t i = 0; i < ADIT_COUNT(rows); i++) {
        char text[200];
        snprintf(text, sizeof text, "<meta name=robots content='%s'>", rows[i].meta);
        struct adit_page_source source = {.robots = adit_str_z(rows[i].header)};
        read_page(text, "https://e.com/", &source);
        eq_int(page.noindex + 2 * page.noarchive + 4 * page.nofollow, rows[i].want, text);
    }
}

TEST(canonical)
{
    static const struct row rows[] = {
        {"<link rel=canonical href=/a#b>", "https://www.example.com/a"},
        {"<base href=/x/><link rel='x Canonical' href=y>", "https://www.example.com/x/y"},
        {"<link rel=canonical href='mailto:x'>", ""},
        {"<link rel=canonical href=''>", ""},
    };
    check(rows, ADIT_COUNT(rows), &page.canonical);
}

#define LD(json) "<script type='application/ld+json'>" json "</script>"

TEST(jsonld)
{
    static const struct row authors[] = {
        {LD("{\"@type\":\"NewsArticle\",\"author\":\"Ann Lee\"}"), "Ann Lee"},
        {LD("{\"@type\":[\"Thing\",\"Article\"],\"author\":{\"name\":\"Ann Lee\"}}"), "Ann Lee"},
        {LD("{\"@graph\":[{\"@type\":\"Article\",\"author\":{\"@id\":\"#a\"}},{\"@type\":"
            "\"Person\",\"@id\":\"#a\",\"name\":\"Ann Lee\"}]}"),
         "Ann Lee"},
        {LD("[{\"@type\":\"BlogPosting\",\"author\":[{\"name\":\"Ann Lee\"},\"Bob Poe\"]}]"),
         "Ann Lee, Bob Poe"},
        {LD("{\"@type\":\"http://schema.org/Article\",\"author\":\"Ann Lee\"}"), "Ann Lee"},
        {LD("<!-- {\"@type\":\"Article\",\"author\":\"Ann Lee\"} -->"), "Ann Lee"},
        {LD("//<![CDATA[\n{\"@type\":\"Article\",\"author\":\"Ann Lee\"}\n//]]>"), "Ann Lee"},
        {LD("/* x */ {\"@type\":\"Article\",\"author\":\"Ann Lee\",}; "), "Ann Lee"},
        {LD("{\"@type\":\"Article\",\"about\":[1,2,],\"author\":\"Ann\nLee\"}"), "Ann Lee"},
        {LD("{&quot;@type&quot;:&quot;Article&quot;,&quot;author&quot;:&quot;Ann Lee&quot;}"),
         "Ann Lee"},
        {LD("{\"@type\":\"Article\",\"url\":\"https://x/*y\",\"author\":\"Ann Lee\"}"), "Ann Lee"},
        {LD("{\"@type\":\"Article\",\"author\":\"Ann")
             LD("{\"@type\":\"Article\",\"author\":\"Bob Poe\"}"),
         "Bob Poe"},
        {LD("{\"@type\":\"Organization\",\"author\":\"Ann Lee\"}"), ""},
        {LD("{\"@type\":\"Product\",\"review\":{\"@type\":\"Review\",\"author\":\"Bob Poe\"}}"),
         ""},
        {LD("{\"@type\":\"Review\",\"author\":\"Ann Lee\"}"), "Ann Lee"},
        {LD("{\"@type\":\"QAPage\",\"mainEntity\":{\"@type\":\"Question\",\"author\":\"Ann "
            "Lee\",\"acceptedAnswer\":{\"@type\":\"Answer\",\"author\":\"Bob Poe\"}}}"),
         "Ann Lee"},
        {LD("not json"), ""},
        {LD(""), ""},
    };
    check(authors, ADIT_COUNT(authors), &page.author);
    static const struct row dates[] = {
        {LD("{\"@type\":\"Product\",\"review\":[{\"@type\":\"Review\",\"datePublished\":\"2024-01-"
            "05\"}]}"),
         ""},
        {LD("{\"@type\":\"Article\",\"dateCreated\":\"2024-01-05\"}"), "2024-01-05T00:00:00Z"},
    };
    check(dates, ADIT_COUNT(dates), &page.published);
    static const struct row schemas[] = {
        {LD("{\"@type\":\"WebSite\",\"name\":\"S\"}"), ""},
        {LD("{\"@type\":\"WebPage\",\"n\":1.50}") LD("{\"@type\":\"Recipe\",\"n\":1.50}"),
         "{\"@type\":\"Recipe\",\"n\":1.50}"},
        {LD("{\"@graph\":[{\"@type\":\"Product\"},{\"@type\":\"Article\"}]}"),
         "{\"@type\":\"Article\"}"},
        {LD("{\"@type\":\"WebPage\",\"mainEntity\":{\"@type\":\"HowTo\"}}"),
         "{\"@type\":\"HowTo\"}"},
        {LD("{\"@type\":\"WebPage\",\"mentions\":{\"@type\":\"Event\"}}"),
         "{\"@type\":\"WebPage\",\"mentions\":{\"@type\":\"Event\"}}"},
        {LD("{\"@type\":\"Event\", \"a\" : [ 1 , ] }"), "{\"@type\":\"Event\",\"a\":[1]}"},
    };
    check(schemas, ADIT_COUNT(schemas), &page.schema);
    read_simple(LD("{\"@type\":\"WebSite\",\"name\":\"Bakers\"}") "<title>Bread | Bakers</title>");
    eq_str(page.site_name, ADIT_STR("Bakers"), "the site's name");
    eq_str(page.title, ADIT_STR("Bread"), "and the title without it");
    read_simple(LD("{\"@type\":\"QAPage\"}") LD("{\"@type\":\"Product\"}"));
    ok((meta.kinds & ADIT_KIND_PRODUCT) && (meta.kinds & ADIT_KIND_FORUM), "kinds");
}

TEST(media)
{
    read_simple(LD(
        "{\"@type\":\"Article\",\"video\":{\"@type\":\"VideoObject\",\"name\":\"V\",\"duration\":"
        "\"PT1M\","
        "\"contentUrl\":\"/v.mp4\",\"embedUrl\":\"https://p/e\",\"thumbnailUrl\":[\"/"
        "t.jpg\",\"x\"],"
        "\"transcript\":\"words\",\"width\":640,\"height\":{\"value\":480},\"description\":\"D\"},"
        "\"audio\":{\"@type\":\"AudioObject\",\"contentUrl\":\"/a.mp3\",\"encodingFormat\":\"audio/"
        "mpeg\"}}"));
    eq_int(meta.n_media, 2, "two objects");
    const struct adit_meta_media *v = &meta.media[0], *a = &meta.media[1];
    ok(!v->audio && a->audio, "kinds");
    eq_str(v->name, ADIT_STR("V"), "name");
    eq_str(v->duration, ADIT_STR("PT1M"), "duration");
    eq_str(v->content_url, ADIT_STR("/v.mp4"), "content");
    eq_str(v->embed_url, ADIT_STR("https://p/e"), "embed");
    eq_str(v->thumbnail_url, ADIT_STR("/t.jpg"), "the first thumbnail");
    eq_str(v->transcript, ADIT_STR("words"), "transcript");
    eq_str(v->width, ADIT_STR("640"), "width");
    eq_str(v->height, ADIT_STR("480"), "height");
    eq_str(a->encoding_format, ADIT_STR("audio/mpeg"), "format");
}

TEST(hostile)
{
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 8 << 20);
    adit_buf_lit(&b, "<script type=application/ld+json>");
    for (int i = 0; i < 100000; i++) adit_buf_lit(&b, "[");
    adit_buf_byte(&b, 0);
    read_simple(b.p);
    ok(page.title.len > 0, "deep JSON-LD");
    adit_buf_clear(&b);
    adit_buf_lit(&b, "<script type=application/ld+json>[");
    for (int i = 0; i < 60000; i++) adit_buf_lit(&b, "{\"@type\":\"Article\"},");
    adit_buf_lit(&b, "{}]</script>");
    adit_buf_byte(&b, 0);
    read_simple(b.p);
    ok(page.title.len > 0, "more JSON-LD than is looked at");
    adit_buf_clear(&b);
    for (int i = 0; i < 3000; i++)
        adit_buf_lit(&b, "<p class='author date'>x <time>y</time><a rel=author>z</a>");
    for (int i = 0; i < 3000; i++)
        adit_buf_lit(&b, "<meta name=citation_author content='Ann Lee'><h1>h</h1>");
    adit_buf_byte(&b, 0);
    read_simple(b.p);
    ok(page.author.len < 400, "many of everything");
    adit_buf_free(&b);
}

static enum adit_code torture(struct adit_mem mem, void *ctx)
{
    struct adit_page_source source = {.date = ADIT_STR("2024-02-01")};
    struct adit_arena kept = arena;
    adit_arena_init(&arena, mem, 8 << 20);
    enum adit_code code = read_page(ctx, "https://example.com/x", &source);
    adit_arena_free(&arena);
    arena = kept;
    return code;
}

static size_t states_now(void)
{
    struct adit_states states;
    adit_meta_states(dom, &states);
    return states.n;
}

/* Scripts that may hold the data of a page, up to their number and their bytes. */
TEST(states)
{
    enum { BYTES = 70000 }; /* 29 of them are below the limit, 30 above */
    struct adit_buf b;
    adit_buf_init(&b, tap_mem, 8 << 20);
    for (size_t n = ADIT_LIMIT_state_scripts - 1; n <= ADIT_LIMIT_state_scripts + 1; n++) {
        adit_buf_clear(&b);
        for (size_t i = 0; i < n; i++) {
            adit_buf_lit(&b, "<script>");
            for (size_t k = 0; k < 50; k++) adit_buf_lit(&b, "abcd;");
            adit_buf_lit(&b, "</script><script>x</script>");
        }
        adit_buf_byte(&b, 0);
        read_simple(b.p);
        eq_int(states_now(), n < ADIT_LIMIT_state_scripts ? n : ADIT_LIMIT_state_scripts,
               "scripts");
        eq_int(meta.n_scripts, 2 * n, "all of them are counted");
    }
    adit_buf_clear(&b);
    for (size_t i = 0; i < 31; i++) {
        adit_buf_lit(&b, "<script>");
        for (size_t k = 0; k < BYTES / 10; k++) adit_buf_lit(&b, "abcdefghi;");
        adit_buf_lit(&b, "</script>");
    }
    adit_buf_byte(&b, 0);
    read_simple(b.p);
    eq_int(states_now(), ADIT_LIMIT_state_bytes / BYTES, "bytes");
    adit_buf_free(&b);
}

TEST(memory)
{
    tap_torture(
        torture,
        "<base href=/b/><link rel=canonical href=c><title>A  B | S</title><meta name=author "
        "content='Ann  Lee'>" LD("{\"@type\":\"Article\",\"author\":[\"Ann &amp; "
                                 "Lee\",{\"@id\":\"#x\"}],\"datePublished\":\"2024-01-05\"}")
            LD("{\"@type\":\"VideoObject\",\"name\":\"a\\nb\"}") "<h1>A</h1><p class=byline>By Ann "
                                                                 "Lee 5 May 2024",
        "every allocation failing");
}

int main(void)
{
    html = adit_html_new(tap_mem);
    adit_arena_init(&arena, tap_mem, 64 << 20);
    titles(), authors(), published(), modified(), languages(), robots(), canonical(), jsonld();
    media(), states(), hostile(), memory();
    adit_arena_free(&arena);
    adit_html_free(html);
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
