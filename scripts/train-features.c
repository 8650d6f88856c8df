/* For scripts/train: reads a page on stdin and writes what the selection saw, as the core computes
 * it. Little endian: u32 features, their names (TAB, direction, LF after each), u32 leaves, i16 features a leaf;
 * then a leaf: u8 hidden, in a figcaption, 0, 0; u32 length; text.
 * "context FILE" takes the scores of the first look (i32 a leaf) and writes the features of the
 * second, i16; "page FILE URL WITHOUT" takes those of both, one look after the other, and writes the page
 * that the core makes of them, as a line of a collection; if FILE is "-", of its own scores. "keeps FILE URL" writes two bytes a leaf
 * instead: whether it is kept, and the reason's number. WITHOUT: rules to leave out, a bit each;
 * "rules" writes their names. "kinds URL" writes the facts that tell the page's kind, one a line: name, TAB, value. */
#include "format/format.h"
#include "select/context_impl.h"
#include "select/kind_impl.h"
#include "convert/convert.h"
#include "tests/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_u32(uint32_t v) { fwrite(&v, sizeof v, 1, stdout); }

static bool in_caption(const struct adit_tape *t, uint32_t el)
{
    for (; el != ADIT_NONE; el = t->els[el].parent)
        if (t->els[el].tag == ADIT_TAG_FIGCAPTION) return true;
    return false;
}

static void put_leaf(const struct adit_tape *t, size_t i)
{
    const struct adit_leaf *leaf = &t->leaves[i];
    uint8_t facts[4] = {adit_leaf_unseen(leaf), in_caption(t, leaf->el)};
    fwrite(facts, sizeof facts, 1, stdout);
    put_u32((uint32_t)leaf->text.len);
    fwrite(leaf->text.p, 1, leaf->text.len, stdout);
}

static int32_t *read_scores(struct adit_draft *d, const char *file, size_t n)
{
    int32_t *scores = adit_arena_alloc(d->arena, (n + 1) * sizeof *scores);
    FILE *in = fopen(file, "rb");
    if (!in || !scores || fread(scores, sizeof *scores, n, in) != n) return NULL;
    fclose(in);
    return scores;
}

static int put_context(struct adit_draft *d, const struct adit_facts *f, const char *file)
{
    struct adit_context c;
    size_t n = d->tape.n_leaves, n_values = ADIT_N_FEATURES - ADIT_N_FIRST_FEATURES;
    int32_t *scores = read_scores(d, file, n);
    int16_t row[ADIT_N_FEATURES];
    if (!scores || adit_context_build(&c, f, scores, d->arena) != ADIT_OK) return 1;
    for (size_t i = 0; i < n; i++) {
        adit_context_leaf(&c, i, row, 1);
        fwrite(row, sizeof *row, n_values, stdout);
    }
    return 0;
}

/* keeps: what became of each leaf, instead of the page. without: rules to leave out. */
static int put_page(struct adit_draft *d, const struct adit_facts *f, const char *file,
                    const char *without, bool keeps)
{
    size_t n = d->tape.n_leaves;
    struct adit_buf out = {.mem = libc_mem, .max = SIZE_MAX};
    struct adit_verdicts v = {.without = (uint32_t)atol(without)};
    if (*file == '-') {
        if (adit_tape_explain(&d->tape, &d->hints, d->arena, &v) != ADIT_OK) return 1;
    } else {
        v.first = read_scores(d, file, 2 * n);
        v.reasons = adit_arena_zalloc(d->arena, n + 1, 1);
        if (!v.first || !v.reasons) return 1;
        v.scores = v.first + n;
        if (n && adit_decide(f, &d->tape, d->arena, &v) != ADIT_OK) return 1;
    }
    for (size_t i = 0; keeps && i < n; i++) {
        uint8_t leaf[2] = {d->tape.leaves[i].keep, v.reasons[i]};
        fwrite(leaf, sizeof leaf, 1, stdout);
    }
    if (keeps) return 0;
    for (size_t step = ADIT_STEP_SELECTION + 1; step < ADIT_STEPS; step++)
        if (adit_convert_steps[step].run(d) != ADIT_OK) return 1;
    if (!d->page->n_blocks) return 0;
    if (adit_format_find(ADIT_STR("scp"))->write(d->page, libc_mem, &out) != ADIT_OK) return 1;
    fwrite(out.p, 1, out.len, stdout);
    return 0;
}

static int put_kind_facts(struct adit_draft *d)
{
    static const char *const names[ADIT_N_KIND_FACTS] = {
#define NAME(name, does) #name,
        ADIT_KIND_FACTS(NAME)
#undef NAME
    };
    struct adit_verdicts v = {0};
    if (!d->tape.n_leaves || adit_tape_explain(&d->tape, &d->hints, d->arena, &v) != ADIT_OK)
        return 1;
    for (size_t k = 0; k < ADIT_N_KIND_FACTS; k++) printf("%s\t%d\n", names[k], v.page[k]);
    return 0;
}

int main(int argc, char **argv)
{
    static char body[ADIT_LIMIT_page_bytes];
    struct adit_str page = {body, fread(body, 1, sizeof body, stdin)};
    bool kinds = argc == 3 && strcmp(argv[1], "kinds") == 0;
    struct adit_page_source source = {.url = argc > 3 || kinds ? adit_str_z(argv[argc > 3 ? 3 : 2])
                                                               : ADIT_STR("https://example.com/")};
    struct adit_converter *c = adit_converter_new(libc_mem);
    struct adit_draft d;
    struct adit_verdicts v = {0};
    struct adit_facts f;
    if (!c || adit_convert_prepare(c, page, &source, &d, NULL) != ADIT_OK) return 1;
    if (kinds) return put_kind_facts(&d);
    if (d.tape.n_leaves) {
        if (adit_facts_build(&f, &d.tape, &d.hints, d.arena) != ADIT_OK) return 1;
        if (argc > 2) adit_hidden_reveal(&f, &d.tape);
    }
    bool keeps = argc > 2 && *argv[1] == 'k';
    if (keeps || (argc > 2 && *argv[1] == 'p'))
        return put_page(&d, &f, argv[2], argc > 4 ? argv[4] : "0", keeps);
    if (argc > 2) return d.tape.n_leaves ? put_context(&d, &f, argv[2]) : 0;
    if (adit_tape_explain(&d.tape, &d.hints, d.arena, &v) != ADIT_OK) return 1;
    if (argc > 1 && *argv[1] == 'r') {
        for (size_t k = 0; k < adit_n_rules; k++)
            printf("%s\t%s\n", adit_rule_name(k), adit_rule_sentence(k));
        return 0;
    }
    put_u32((uint32_t)adit_n_features);
    for (size_t f = 0; f < adit_n_features; f++) {
        const struct adit_feature_row *row = adit_feature_row(f);
        printf("%s\t%d\n", row->name, row->direction);
    }
    put_u32((uint32_t)d.tape.n_leaves);
    if (d.tape.n_leaves) fwrite(v.features, 2 * adit_n_features, d.tape.n_leaves, stdout);
    for (size_t i = 0; i < d.tape.n_leaves; i++) put_leaf(&d.tape, i);
    adit_converter_free(c);
    return 0;
}
