/* Two collections, page by page: what was added, changed, deleted, and which words.
 *
 * They are read twice: first for the counts, which people want to see before anything else, and to
 * learn whether a file has to be sorted; then for the pages. */
#include "batch/collection/collection.h"
#include "batch/view/view_impl.h"
#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLD, NEW, ARENA_MAX = 1 << 30, TEXT_MAX = 256 << 20, EXCERPT = 200 };

const char *const view_change_names[VIEW_CHANGES] = {"added", "changed", "deleted", "unchanged"};
const char view_change_signs[VIEW_CHANGES] = {'+', '~', '-', '='};

/* --- one page --------------------------------------------------------------------------------- */

static void note_field(struct view_diff_page *p, const char *name, struct adit_str old_value,
                       struct adit_str new_value)
{
    if (adit_str_eq(old_value, new_value) || p->n_fields == VIEW_FIELDS) return;
    p->fields[p->n_fields++] = (struct view_field){name, old_value, new_value};
}

static bool read_page(struct view_diff *d, const struct adit_scp_page *line, size_t side,
                      struct adit_page *page)
{
    struct adit_buf *text = &d->texts[side];
    adit_buf_clear(text);
    return adit_scp_page_read(line, &d->arena, page) == ADIT_OK &&
           adit_formats[ADIT_FORMAT_MD].write(page, cli_mem, text) == ADIT_OK;
}

/* The first text of a page. */
static struct adit_str excerpt_of(const struct adit_page *page)
{
    struct adit_str s = page->description;
    for (size_t i = 0; !s.len && i < page->n_blocks; i++)
        if (page->blocks[i].type == ADIT_TEXT) s = page->blocks[i].text;
    return adit_utf8_cut(s, EXCERPT);
}

static bool compare(struct view_diff *d, const struct adit_page *a, const struct adit_page *b,
                    struct view_diff_page *p)
{
    struct adit_diff words;
    struct adit_str old_text = adit_buf_str(&d->texts[OLD]),
                    new_text = adit_buf_str(&d->texts[NEW]);
    note_field(p, "title", a->title, b->title);
    /* A description that is the page's first words changes with them: that is shown there. */
    if (adit_str_find(new_text, b->description, 0) == new_text.len)
        note_field(p, "description", a->description, b->description);
    note_field(p, "author", a->author, b->author);
    note_field(p, "published", a->published, b->published);
    note_field(p, "language", a->language, b->language);
    note_field(p, "canonical", a->canonical, b->canonical);
    if (adit_diff_words(old_text, new_text, &d->arena, &words) != ADIT_OK) return false;
    p->added = words.added, p->removed = words.removed;
    return d->stat || view_lines_make(&words, &d->arena, &p->lines);
}

static bool show_page(struct view_diff *d, const struct view_form *form, enum view_change change,
                      const struct adit_scp_page *const lines[2])
{
    struct adit_page pages[2];
    size_t side = change == VIEW_DELETED ? OLD : NEW;
    struct view_diff_page p = {.change = change, .url = lines[side]->url};
    adit_arena_reset(&d->arena);
    bool good = true;
    for (size_t i = OLD; good && i <= NEW; i++)
        if (lines[i]) good = read_page(d, lines[i], i, &pages[i]);
    if (good) p.title = pages[side].title, p.excerpt = excerpt_of(&pages[side]);
    if (good && change == VIEW_CHANGED)
        good = compare(d, &pages[OLD], &pages[NEW], &p);
    else if (good)
        *(change == VIEW_ADDED ? &p.added : &p.removed) =
            adit_word_count(adit_buf_str(&d->texts[side]));
    if (!good) {
        cli_say(NULL, "%.*s: too large to compare", (int)p.url.len, p.url.p);
        d->lost++;
    }
    return !good || form->page(d, &p);
}

/* --- two collections -------------------------------------------------------------------------- */

static enum view_change change_of(const struct adit_scp_page *const lines[2])
{
    if (!lines[OLD]) return VIEW_ADDED;
    if (!lines[NEW]) return VIEW_DELETED;
    return adit_scp_page_same(lines[OLD], lines[NEW]) ? VIEW_UNCHANGED : VIEW_CHANGED;
}

static bool take_meta(struct view_diff *d, size_t side, const struct adit_scp_meta *meta)
{
    struct view_side *s = &d->sides[side];
    if (meta->delta) {
        cli_say(s->given, "is a delta: adit apply makes a snapshot of it, adit stat shows it");
        return false;
    }
    snprintf(s->generated, sizeof s->generated, "%.*s", (int)meta->generated.len,
             meta->generated.p);
    return true;
}

/* Goes over both; form NULL: counts only. */
static bool walk(struct view_diff *d, const struct view_form *form, struct pages **inputs)
{
    struct join j;
    bool good = true;
    if (!join_open(&j, inputs, 2)) {
        cli_say(NULL, "out of memory");
        return false;
    }
    for (size_t n; good && !cli_interrupted() && (n = join_next(&j)) > 0;) {
        const struct adit_scp_page *lines[2] = {NULL, NULL};
        for (size_t i = 0; i < n; i++) lines[j.group[i]] = &j.at[j.group[i]];
        enum view_change change = change_of(lines);
        if (!form) {
            d->counts[change]++;
            for (size_t i = OLD; i <= NEW; i++) d->sides[i].pages += lines[i] != NULL;
        } else if (change != VIEW_UNCHANGED) {
            good = show_page(d, form, change, lines);
        }
    }
    join_close(&j);
    return good && !cli_interrupted();
}

enum pass { PASSED, PASS_FAILED, PASS_AGAIN };

static enum pass make_pass(struct view_diff *d, const struct view_form *form, const char *temp)
{
    struct pages *inputs[2] = {NULL, NULL};
    enum pass result = PASSED;
    for (size_t i = OLD; i <= NEW && result == PASSED; i++) {
        struct pages_options o = {.lenient = cli_has(d->args, "lenient"),
                                  .sort = d->sort[i],
                                  .memory = 256 << 20,
                                  .temp = temp};
        inputs[i] = pages_open(d->sides[i].path, &o);
        if (!inputs[i] || !take_meta(d, i, collection_meta(pages_collection(inputs[i]))))
            result = PASS_FAILED;
    }
    if (result == PASSED && !walk(d, form, inputs)) result = PASS_FAILED;
    for (size_t i = OLD; i <= NEW; i++) {
        if (inputs[i] && pages_unsorted(inputs[i])) d->sort[i] = true, result = PASS_AGAIN;
        if (inputs[i] && pages_failed(inputs[i])) result = PASS_FAILED;
        if (inputs[i] && form) d->lost += collection_counts(pages_collection(inputs[i]))->skipped;
        pages_close(inputs[i]);
    }
    return result;
}

static int show(struct view_diff *d, const struct view_form *form)
{
    const char *temp = getenv("TMPDIR");
    enum pass pass;
    if (!temp || !*temp) temp = "/tmp";
    do {
        memset(d->counts, 0, sizeof d->counts);
        d->sides[OLD].pages = d->sides[NEW].pages = 0;
        pass = make_pass(d, NULL, temp);
    } while (pass == PASS_AGAIN);
    if (pass != PASSED) return CLI_INVALID;
    if (d->sides[OLD].pages && d->sides[NEW].pages && !d->counts[VIEW_CHANGED] &&
        !d->counts[VIEW_UNCHANGED])
        cli_say(d->sides[NEW].given, "has no page in common with %s: are they of one site?",
                d->sides[OLD].given);
    if (!form->begin(d)) return CLI_OUTPUT;
    if (make_pass(d, form, temp) != PASSED) return CLI_INVALID;
    if (!form->end(d)) return CLI_OUTPUT;
    return d->lost ? CLI_INVALID : CLI_OK;
}

int view_diff(const struct cli_args *args)
{
    const char *file = cli_get(args, "html");
    const struct view_form *form = file                    ? &view_html
                                   : cli_has(args, "json") ? &view_json
                                                           : &view_text;
    struct view_diff d = {.args = args, .stat = cli_has(args, "stat")};
    int code = CLI_INVALID;
    if (args->n_files != 2) return cli_usage(args, "give two collections or publications: OLD NEW");
    if (file && cli_has(args, "json")) return cli_usage(args, "--html or --json, not both");
    for (size_t i = OLD; i <= NEW; i++) {
        d.sides[i].given = args->files[i];
        if (strcmp(args->files[i], "-") == 0)
            return cli_usage(args, "collections are read twice: standard input cannot be one");
    }
    adit_arena_init(&d.arena, cli_mem, ARENA_MAX);
    adit_buf_init(&d.out, cli_mem, TEXT_MAX);
    for (size_t i = OLD; i <= NEW; i++) adit_buf_init(&d.texts[i], cli_mem, TEXT_MAX);
    for (size_t i = OLD; i <= NEW; i++) d.sides[i].path = collection_path(args->files[i]);
    if (d.sides[OLD].path && d.sides[NEW].path) {
        cli_catch_signals();
        code = show(&d, form);
    }
    cli_pager_end();
    output_discard(d.html);
    for (size_t i = OLD; i <= NEW; i++) free(d.sides[i].path), adit_buf_free(&d.texts[i]);
    adit_buf_free(&d.out);
    adit_arena_free(&d.arena);
    return code;
}
