/* The language of code: from class names, attributes and labels to one common name. */
#include "blocks/blocks_impl.h"
#include "blocks/code_impl.h"
#include "tape/tape.h"

/* What stands before the name of a language in one class name. */
static const struct adit_str prefixes[] = {
    ADIT_STR_INIT("language-"),
    ADIT_STR_INIT("lang-"),
    ADIT_STR_INIT("highlight-source-"),
    ADIT_STR_INIT("highlight-text-"),
    ADIT_STR_INIT("highlight-"),
    ADIT_STR_INIT("brush:"),
    ADIT_STR_INIT("crayon-syntax-lang-"),
    ADIT_STR_INIT("src-"),
    ADIT_STR_INIT("hl-"),
};
/* Class names beside which the language stands as a class of its own. */
static const struct adit_str markers[] = {
    ADIT_STR_INIT("hljs"),       ADIT_STR_INIT("sourceCode"),  ADIT_STR_INIT("highlight"),
    ADIT_STR_INIT("codehilite"), ADIT_STR_INIT("prettyprint"), ADIT_STR_INIT("syntaxhighlighter"),
    ADIT_STR_INIT("src"),
};
/* Names after a prefix or beside a marker that are no language. */
static const struct adit_str not_languages[] = {
    ADIT_STR_INIT("block"),         ADIT_STR_INIT("blocks"),
    ADIT_STR_INIT("box"),           ADIT_STR_INIT("wrap"),
    ADIT_STR_INIT("wrapper"),       ADIT_STR_INIT("wrapped"),
    ADIT_STR_INIT("container"),     ADIT_STR_INIT("content"),
    ADIT_STR_INIT("snippet"),       ADIT_STR_INIT("toolbar"),
    ADIT_STR_INIT("example"),       ADIT_STR_INIT("sample"),
    ADIT_STR_INIT("none"),          ADIT_STR_INIT("default"),
    ADIT_STR_INIT("notranslate"),   ADIT_STR_INIT("plain"),
    ADIT_STR_INIT("plaintext"),     ADIT_STR_INIT("text"),
    ADIT_STR_INIT("txt"),           ADIT_STR_INIT("linenums"),
    ADIT_STR_INIT("nohighlight"),   ADIT_STR_INIT("highlighttable"),
    ADIT_STR_INIT("highlighted"),   ADIT_STR_INIT("copy"),
    ADIT_STR_INIT("dark"),          ADIT_STR_INIT("light"),
    ADIT_STR_INIT("light-theme"),   ADIT_STR_INIT("pre"),
    ADIT_STR_INIT("code"),          ADIT_STR_INIT("source"),
    ADIT_STR_INIT("lines"),         ADIT_STR_INIT("line-numbers"),
    ADIT_STR_INIT("numberSource"),  ADIT_STR_INIT("chroma"),
    ADIT_STR_INIT("theme"),         ADIT_STR_INIT("auto"),
    ADIT_STR_INIT("prettyprinted"), ADIT_STR_INIT("hljs"),
    ADIT_STR_INIT("highlight"),     ADIT_STR_INIT("undefined"),
    ADIT_STR_INIT("unknown"),       ADIT_STR_INIT("other"),
    ADIT_STR_INIT("tab"),           ADIT_STR_INIT("tabs"),
    ADIT_STR_INIT("rouge"),         ADIT_STR_INIT("highlighter-rouge"),
    ADIT_STR_INIT("shiki"),         ADIT_STR_INIT("literal-block"),
    ADIT_STR_INIT("nogutter"),
};

bool adit_code_is_language(struct adit_str s)
{
    if (!s.len || s.len > 20 || adit_block_among(s, not_languages, ADIT_COUNT(not_languages)))
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (!adit_is_alnum(c) && c != '+' && c != '#' && c != '-' && c != '_' && c != '.')
            return false;
    }
    return adit_is_alpha(s.p[0]) || adit_is_digit(s.p[0]);
}

static struct adit_str after_prefix(struct adit_str token)
{
    for (size_t i = 0; i < ADIT_COUNT(prefixes); i++) {
        if (!adit_str_istarts(token, prefixes[i])) continue;
        struct adit_str name = adit_str_sub(token, prefixes[i].len, token.len);
        name = adit_str_sub(name, 0, adit_str_chr(name, ';', 0)); /* "brush:js;" */
        name = adit_str_sub(name, 0, adit_str_chr(name, ':', 0)); /* "language-js:title" */
        if (adit_code_is_language(name)) return name;
    }
    return (struct adit_str){0};
}

static struct adit_str language_of_class(struct adit_str class)
{
    struct adit_str rest = class, token, name, last = {0};
    bool marked = false, brush = false;
    size_t n = 0;
    while (adit_block_token(&rest, &token)) {
        if (brush) { /* "brush: js;" */
            name = adit_str_sub(token, 0, adit_str_chr(token, ';', 0));
            if (adit_code_is_language(name)) return name;
        }
        if ((name = after_prefix(token)).len) return name;
        brush = adit_str_ieq(token, ADIT_STR("brush:"));
        if (adit_block_among(token, markers, ADIT_COUNT(markers)))
            marked = true;
        else if (adit_code_is_language(token))
            last = token, n++;
    }
    return marked && n == 1 ? last : (struct adit_str){0};
}

static struct adit_str language_of_node(const struct adit_builder *b, uint32_t node)
{
    static const enum adit_attr attrs[] = {ADIT_ATTR_DATA_LANG, ADIT_ATTR_DATA_LANGUAGE};
    for (size_t i = 0; i < ADIT_COUNT(attrs); i++) {
        struct adit_str v = adit_str_trim(adit_dom_attr(b->dom, node, attrs[i]));
        if (adit_code_is_language(v)) return v;
    }
    struct adit_str class = adit_dom_attr(b->dom, node, ADIT_ATTR_CLASS);
    return class.len ? language_of_class(class) : class;
}

/* The common name of a language that highlighters also know by others. */
struct adit_str adit_code_common_name(struct adit_str name)
{
    static const struct {
        struct adit_str from, to;
    } names[] = {
        {ADIT_STR_INIT("python3"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("py"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("pycon"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("ipython3"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("shell-session"), ADIT_STR_INIT("console")},
        {ADIT_STR_INIT("shellsession"), ADIT_STR_INIT("console")},
        {ADIT_STR_INIT("sh-session"), ADIT_STR_INIT("console")},
        {ADIT_STR_INIT("js"), ADIT_STR_INIT("javascript")},
        {ADIT_STR_INIT("ts"), ADIT_STR_INIT("typescript")},
        {ADIT_STR_INIT("c++"), ADIT_STR_INIT("cpp")},
        {ADIT_STR_INIT("yml"), ADIT_STR_INIT("yaml")},
        {ADIT_STR_INIT("golang"), ADIT_STR_INIT("go")},
        {ADIT_STR_INIT("objective-c"), ADIT_STR_INIT("objectivec")},
        {ADIT_STR_INIT("html5"), ADIT_STR_INIT("html")},
        {ADIT_STR_INIT("python2"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("ipython"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("py3"), ADIT_STR_INIT("python")},
        {ADIT_STR_INIT("node"), ADIT_STR_INIT("javascript")},
        {ADIT_STR_INIT("mjs"), ADIT_STR_INIT("javascript")},
        {ADIT_STR_INIT("rb"), ADIT_STR_INIT("ruby")},
        {ADIT_STR_INIT("rs"), ADIT_STR_INIT("rust")},
        {ADIT_STR_INIT("cs"), ADIT_STR_INIT("csharp")},
        {ADIT_STR_INIT("c#"), ADIT_STR_INIT("csharp")},
        {ADIT_STR_INIT("f#"), ADIT_STR_INIT("fsharp")},
        {ADIT_STR_INIT("objc"), ADIT_STR_INIT("objectivec")},
        {ADIT_STR_INIT("kt"), ADIT_STR_INIT("kotlin")},
        {ADIT_STR_INIT("hs"), ADIT_STR_INIT("haskell")},
        {ADIT_STR_INIT("pl"), ADIT_STR_INIT("perl")},
        {ADIT_STR_INIT("ps1"), ADIT_STR_INIT("powershell")},
        {ADIT_STR_INIT("docker"), ADIT_STR_INIT("dockerfile")},
        {ADIT_STR_INIT("md"), ADIT_STR_INIT("markdown")},
        {ADIT_STR_INIT("tex"), ADIT_STR_INIT("latex")},
        {ADIT_STR_INIT("terminal"), ADIT_STR_INIT("console")},
    };
    for (size_t i = 0; i < ADIT_COUNT(names); i++)
        if (adit_str_eq(name, names[i].from)) return names[i].to;
    return name;
}

/* Of the element itself, a <code> in it, then up to six elements around it. */
struct adit_str adit_code_language(struct adit_builder *b, uint32_t node, struct adit_str label)
{
    const struct adit_dom *d = b->dom;
    struct adit_str found = language_of_node(b, node);
    for (uint32_t c = adit_dom_first(d, node); c && !found.len; c = d->nodes[c].next)
        if (adit_dom_is(d, c, ADIT_TAG_CODE)) found = language_of_node(b, c);
    for (int up = 0; up < 6 && !found.len; up++) {
        node = d->nodes[node].parent;
        if (!node || adit_dom_is(d, node, ADIT_TAG_BODY)) break;
        found = language_of_node(b, node);
    }
    if (!found.len && adit_code_is_language(label)) found = label;
    bool ok = true;
    found = adit_arena_dup(b->arena, found, &ok);
    if (!ok) adit_block_fail(b, ADIT_ENOMEM);
    for (size_t i = 0; i < found.len; i++) ((char *)(uintptr_t)found.p)[i] = adit_lower(found.p[i]);
    return adit_code_common_name(found);
}
