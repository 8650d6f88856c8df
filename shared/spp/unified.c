/* Unified diffs: writing and applying. */
#include "spp/spp.h"
#include "text/text.h"

enum { CONTEXT = 3, APART = 2 * CONTEXT }; /* lines; APART: at most, within a hunk */

#define NO_NEWLINE "\\ No newline at end of file\n"

/* A text read line by line. */
struct cursor {
    struct adit_str text;
    size_t at, line; /* offset and number of the next line */
};

static struct adit_str take_line(struct cursor *c)
{
    size_t lf = adit_str_chr(c->text, '\n', c->at), from = c->at;
    c->at = lf < c->text.len ? lf + 1 : lf;
    c->line++;
    return adit_str_sub(c->text, from, c->at);
}

static void put_line(struct adit_buf *out, char sign, struct adit_str line)
{
    adit_buf_byte(out, sign);
    adit_buf_add(out, line);
    if (!adit_str_ends(line, ADIT_STR("\n"))) adit_buf_lit(out, "\n" NO_NEWLINE);
}

/* A place in both texts, by lines. */
struct place {
    size_t a, b;
};

static bool changed(const struct adit_diff_edits *e, struct place p)
{
    return (p.a < e->n_a && e->a[p.a]) || (p.b < e->n_b && e->b[p.b]);
}

static void over_change(const struct adit_diff_edits *e, struct place *p)
{
    while (p->a < e->n_a && e->a[p->a]) p->a++;
    while (p->b < e->n_b && e->b[p->b]) p->b++;
}

/* From a change at p to the end of its hunk. */
static struct place hunk_end(const struct adit_diff_edits *e, struct place p)
{
    for (;;) {
        over_change(e, &p);
        struct place next = p;
        size_t same = 0;
        while (same <= APART && next.a < e->n_a && next.b < e->n_b && !changed(e, next))
            next.a++, next.b++, same++;
        if (same <= APART && changed(e, next)) {
            p = next;
            continue;
        }
        if (same > CONTEXT) same = CONTEXT;
        return (struct place){p.a + same, p.b + same};
    }
}

static void put_range(struct adit_buf *out, char sign, size_t from, size_t n)
{
    adit_buf_byte(out, sign);
    adit_buf_u64(out, n ? from + 1 : from);
    if (n == 1) return;
    adit_buf_byte(out, ',');
    adit_buf_u64(out, n);
}

/* Both cursors stand at the hunk's first line. */
static void put_hunk(struct adit_buf *out, const struct adit_diff_edits *e, struct cursor *a,
                     struct cursor *b, struct place end)
{
    adit_buf_lit(out, "@@ ");
    put_range(out, '-', a->line, end.a - a->line);
    adit_buf_byte(out, ' ');
    put_range(out, '+', b->line, end.b - b->line);
    adit_buf_lit(out, " @@\n");
    while (a->line < end.a || b->line < end.b) {
        while (a->line < end.a && e->a[a->line]) put_line(out, '-', take_line(a));
        while (b->line < end.b && e->b[b->line]) put_line(out, '+', take_line(b));
        while (a->line < end.a && b->line < end.b && !e->a[a->line] && !e->b[b->line]) {
            take_line(b);
            put_line(out, ' ', take_line(a));
        }
    }
}

static void put_hunks(struct adit_buf *out, const struct adit_diff_edits *e,
                      struct adit_str old_text, struct adit_str new_text)
{
    struct cursor a = {.text = old_text}, b = {.text = new_text};
    struct place p = {0, 0};
    while (p.a < e->n_a || p.b < e->n_b) {
        if (!changed(e, p)) {
            p.a++, p.b++;
            continue;
        }
        size_t before = p.a - a.line < CONTEXT ? p.a - a.line : CONTEXT;
        while (a.line + before < p.a) take_line(&a), take_line(&b);
        p = hunk_end(e, p);
        put_hunk(out, e, &a, &b, p);
    }
}

static struct adit_spp_stats stats_of(const struct adit_diff_edits *e)
{
    struct adit_spp_stats s = {0};
    for (size_t i = 0; i < e->n_a; i++) s.deleted += e->a[i];
    for (size_t i = 0; i < e->n_b; i++) s.inserted += e->b[i];
    uint64_t all = e->n_a + e->n_b, some = s.inserted + s.deleted;
    if (some) s.tenths = (uint32_t)((some * 1000 + all / 2) / all);
    if (some && !s.tenths) s.tenths = 1; /* never "nothing" where there is something */
    return s;
}

enum adit_code adit_spp_diff(struct adit_str old_text, struct adit_str new_text,
                             struct adit_str old_name, struct adit_str new_name,
                             struct adit_mem mem, struct adit_buf *out,
                             struct adit_spp_stats *stats)
{
    struct adit_arena arena;
    struct adit_diff_edits e;
    *stats = (struct adit_spp_stats){0};
    if (adit_str_eq(old_text, new_text)) return ADIT_OK;
    adit_arena_init(&arena, mem, 512u << 20);
    enum adit_code code = adit_diff_edits(old_text, new_text, ADIT_DIFF_LINES, &arena, &e);
    if (code == ADIT_OK) {
        *stats = stats_of(&e);
        adit_buf_lit(out, "--- ");
        adit_buf_add(out, old_name);
        adit_buf_lit(out, "\n+++ ");
        adit_buf_add(out, new_name);
        adit_buf_byte(out, '\n');
        put_hunks(out, &e, old_text, new_text);
        code = out->err;
    }
    adit_arena_free(&arena);
    return code;
}

/* --- applying --------------------------------------------------------------------------------- */

static bool take_number(struct adit_str *s, uint64_t *n)
{
    size_t digits = 0;
    while (digits < s->len && adit_is_digit(s->p[digits])) digits++;
    bool good = adit_str_u64(adit_str_sub(*s, 0, digits), n);
    *s = adit_str_sub(*s, digits, s->len);
    return good;
}

static bool literal(struct adit_str *s, struct adit_str text)
{
    if (!adit_str_starts(*s, text)) return false;
    *s = adit_str_sub(*s, text.len, s->len);
    return true;
}

struct hunk {
    uint64_t a, n_a, b, n_b;
};

static bool range(struct adit_str *s, uint64_t *from, uint64_t *n)
{
    *n = 1;
    if (!take_number(s, from)) return false;
    return !literal(s, ADIT_STR(",")) || take_number(s, n);
}

static bool hunk_head(struct adit_str line, struct hunk *h)
{
    return literal(&line, ADIT_STR("@@ -")) && range(&line, &h->a, &h->n_a) &&
           literal(&line, ADIT_STR(" +")) && range(&line, &h->b, &h->n_b) &&
           adit_str_starts(line, ADIT_STR(" @@"));
}

/* A line of a hunk without its sign; without its LF if the diff says that it has none. */
static struct adit_str hunk_line(struct cursor *diff)
{
    struct adit_str line = take_line(diff),
                    rest = adit_str_sub(diff->text, diff->at, diff->text.len);
    line = adit_str_sub(line, 1, line.len);
    if (!adit_str_starts(rest, ADIT_STR("\\"))) return line;
    take_line(diff);
    return adit_str_sub(line, 0, line.len - (line.len > 0));
}

/* Takes a line of the old text that must be this one. */
static bool expect(struct cursor *old, struct adit_str line)
{
    return old->at < old->text.len && adit_str_eq(take_line(old), line);
}

static bool apply_hunk(struct cursor *old, struct cursor *diff, struct hunk h, struct adit_buf *out)
{
    uint64_t first = h.n_a ? h.a - 1 : h.a;
    if (first < old->line) return false;
    while (old->line < first) {
        if (old->at >= old->text.len) return false;
        adit_buf_add(out, take_line(old));
    }
    while (h.n_a || h.n_b) {
        if (diff->at >= diff->text.len) return false;
        char sign = diff->text.p[diff->at];
        bool from_old = sign == ' ' || sign == '-', to_new = sign == ' ' || sign == '+';
        if ((!from_old && !to_new) || (from_old && !h.n_a) || (to_new && !h.n_b)) return false;
        struct adit_str line = hunk_line(diff);
        if (from_old && !expect(old, line)) return false;
        if (to_new) adit_buf_add(out, line);
        h.n_a -= from_old;
        h.n_b -= to_new;
    }
    return true;
}

enum adit_code adit_spp_patch(struct adit_str old_text, struct adit_str diff, struct adit_buf *out,
                              struct adit_error *err)
{
    struct cursor old = {.text = old_text}, d = {.text = diff};
    if (diff.len && (!adit_str_starts(take_line(&d), ADIT_STR("--- ")) ||
                     !adit_str_starts(take_line(&d), ADIT_STR("+++ "))))
        return adit_fail(err, ADIT_EBAD, "not a unified diff", d.at);
    while (d.at < diff.len) {
        struct hunk h;
        size_t at = d.at;
        if (!hunk_head(take_line(&d), &h) || (h.n_a && !h.a))
            return adit_fail(err, ADIT_EBAD, "not the head of a hunk", at);
        if (!apply_hunk(&old, &d, h, out))
            return adit_fail(err, ADIT_EBAD, "the hunk does not fit the old text", at);
    }
    adit_buf_add(out, adit_str_sub(old_text, old.at, old_text.len));
    return out->err;
}
