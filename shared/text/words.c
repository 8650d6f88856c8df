/* What changed between two texts, word by word, for people.
 *
 * Lines are compared first and words only within lines that changed: it is cheaper, a line that was
 * moved finds no word in others, and where the work would be too much the answer is in lines. */
#include "text/diff_impl.h"

struct writer {
    struct adit_diff *out;
    struct adit_arena *arena;
    size_t cap;
    int64_t budget;
    enum adit_code code;
};

static void put_run(struct writer *w, enum adit_diff_kind kind, struct adit_str text)
{
    struct adit_diff *d = w->out;
    if (!text.len || w->code) return;
    if (d->n && d->runs[d->n - 1].kind == kind) { /* neighbours of a kind touch in their text */
        d->runs[d->n - 1].text.len += text.len;
        return;
    }
    if (d->n == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 16;
        void *p =
            adit_arena_resize(w->arena, d->runs, w->cap * sizeof *d->runs, cap * sizeof *d->runs);
        if (!p) {
            w->code = ADIT_ENOMEM;
            return;
        }
        d->runs = p, w->cap = cap;
    }
    d->runs[d->n++] = (struct adit_diff_run){kind, text};
}

/* --- a walk over the changes ------------------------------------------------------------------ */

/* A place in both texts: units, and bytes. */
struct place {
    size_t unit[2], at[2];
};

struct walk {
    const struct adit_diff_edits *edits;
    enum adit_diff_unit unit;
    struct adit_str text[2];
    struct place here;
};

static void step(struct walk *w, unsigned side)
{
    w->here.at[side] = adit_unit_end(w->unit, w->text[side], w->here.at[side]);
    w->here.unit[side]++;
}

static bool ended(const struct walk *w)
{
    return w->here.unit[0] >= w->edits->n_a && w->here.unit[1] >= w->edits->n_b;
}

static bool goes(const struct walk *w)
{
    return w->here.unit[0] < w->edits->n_a && w->edits->a[w->here.unit[0]];
}

static bool comes(const struct walk *w)
{
    return w->here.unit[1] < w->edits->n_b && w->edits->b[w->here.unit[1]];
}

static void over_equal(struct walk *w)
{
    while (!ended(w) && !goes(w) && !comes(w)) step(w, 0), step(w, 1);
}

static void over_change(struct walk *w)
{
    while (goes(w)) step(w, 0);
    while (comes(w)) step(w, 1);
}

static struct adit_str passed(const struct walk *w, unsigned side, const struct place *from)
{
    return adit_str_sub(w->text[side], from->at[side], w->here.at[side]);
}

/* A change that stands between two equal parts. */
struct change {
    struct adit_str gone, come;
};

static size_t larger(struct change c) { return c.gone.len > c.come.len ? c.gone.len : c.come.len; }

/* --- words of a change of lines --------------------------------------------------------------- */

/* Equal parts that are no longer than the changes on both of their sides are chance ("the", a
 * comma): such a part goes and comes again with them, which is easier to read. */
static void put_words(struct writer *w, const struct adit_diff_edits *e, struct change whole)
{
    struct walk k = {.edits = e, .unit = ADIT_DIFF_WORDS, .text = {whole.gone, whole.come}};
    struct place from = k.here;
    over_equal(&k);
    put_run(w, ADIT_DIFF_EQUAL, passed(&k, 1, &from));
    while (!ended(&k)) {
        from = k.here;
        over_change(&k);
        struct change c = {passed(&k, 0, &from), passed(&k, 1, &from)};
        for (;;) {
            struct walk ahead = k;
            over_equal(&ahead);
            struct place equal = k.here, next = ahead.here;
            struct adit_str same = passed(&ahead, 1, &equal);
            over_change(&ahead);
            struct change then = {passed(&ahead, 0, &next), passed(&ahead, 1, &next)};
            if (same.len > larger(c) || same.len > larger(then)) break;
            if (!same.len && !larger(then)) break;
            k = ahead;
            c = (struct change){passed(&k, 0, &from), passed(&k, 1, &from)};
        }
        put_run(w, ADIT_DIFF_REMOVED, c.gone);
        put_run(w, ADIT_DIFF_ADDED, c.come);
        from = k.here;
        over_equal(&k);
        put_run(w, ADIT_DIFF_EQUAL, passed(&k, 1, &from));
    }
}

static void put_change(struct writer *w, struct change c)
{
    struct adit_diff_edits e;
    if (w->code) return;
    if (!c.gone.len || !c.come.len) {
        put_run(w, ADIT_DIFF_REMOVED, c.gone);
        put_run(w, ADIT_DIFF_ADDED, c.come);
        return;
    }
    w->code = adit_diff_search(c.gone, c.come, ADIT_DIFF_WORDS, &w->budget, w->arena, &e);
    if (!w->code) put_words(w, &e, c);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Over the change of lines here, and over further ones with nothing but blank lines between: all
 * paragraphs look alike there, so an equal blank line says nothing of which belongs to which. */
static void over_lines(struct walk *w)
{
    for (;;) {
        over_change(w);
        struct walk ahead = *w;
        over_equal(&ahead);
        if (ended(&ahead) || adit_str_trim(passed(&ahead, 1, &w->here)).len) return;
        *w = ahead;
    }
}

static void count(struct adit_diff *d)
{
    for (size_t i = 0; i < d->n; i++) {
        uint64_t words = adit_word_count(d->runs[i].text);
        if (d->runs[i].kind == ADIT_DIFF_EQUAL) d->equal += words;
        if (d->runs[i].kind == ADIT_DIFF_REMOVED) d->removed += words;
        if (d->runs[i].kind == ADIT_DIFF_ADDED) d->added += words;
    }
}

enum adit_code adit_diff_words(struct adit_str old_text, struct adit_str new_text,
                               struct adit_arena *arena, struct adit_diff *out)
{
    struct adit_diff_edits lines;
    struct writer w = {.out = out, .arena = arena, .budget = ADIT_DIFF_BUDGET};
    *out = (struct adit_diff){0};
    ADIT_TRY(adit_diff_edits(old_text, new_text, ADIT_DIFF_LINES, arena, &lines));
    struct walk k = {.edits = &lines, .unit = ADIT_DIFF_LINES, .text = {old_text, new_text}};
    while (!ended(&k) && !w.code) {
        struct place from = k.here;
        over_equal(&k);
        put_run(&w, ADIT_DIFF_EQUAL, passed(&k, 1, &from));
        from = k.here;
        over_lines(&k);
        put_change(&w, (struct change){passed(&k, 0, &from), passed(&k, 1, &from)});
    }
    if (!w.code) count(out);
    return w.code;
}
