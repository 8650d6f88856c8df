/* MathML without a source beside it, as TeX: every sign in the order of TeX, with scripts, fractions,
 * accents, fences that grow, and matrices. */
#include "tape/mathml_impl.h"

enum { DEPTH_MAX = 48, STEPS_MAX = 20000, NEAR_MAX = 64 };

/* --- signs ------------------------------------------------------------------------------------ */

/* Signs that TeX has names for. */
static const struct {
    const char *sign, *tex;
} signs[] = {
    {"±", "\\pm"},
    {"∓", "\\mp"},
    {"×", "\\times"},
    {"÷", "\\div"},
    {"·", "\\cdot"},
    {"⋅", "\\cdot"},
    {"∗", "*"},
    {"∘", "\\circ"},
    {"≤", "\\leq"},
    {"≥", "\\geq"},
    {"≠", "\\neq"},
    {"≈", "\\approx"},
    {"≡", "\\equiv"},
    {"∼", "\\sim"},
    {"≃", "\\simeq"},
    {"≅", "\\cong"},
    {"∝", "\\propto"},
    {"≪", "\\ll"},
    {"≫", "\\gg"},
    {"∑", "\\sum"},
    {"∏", "\\prod"},
    {"∫", "\\int"},
    {"∬", "\\iint"},
    {"∮", "\\oint"},
    {"∞", "\\infty"},
    {"∂", "\\partial"},
    {"∇", "\\nabla"},
    {"√", "\\surd"},
    {"∈", "\\in"},
    {"∉", "\\notin"},
    {"∋", "\\ni"},
    {"⊂", "\\subset"},
    {"⊆", "\\subseteq"},
    {"⊃", "\\supset"},
    {"⊇", "\\supseteq"},
    {"∪", "\\cup"},
    {"∩", "\\cap"},
    {"∅", "\\emptyset"},
    {"∖", "\\setminus"},
    {"∧", "\\wedge"},
    {"∨", "\\vee"},
    {"¬", "\\neg"},
    {"⊕", "\\oplus"},
    {"⊗", "\\otimes"},
    {"⊥", "\\perp"},
    {"∥", "\\parallel"},
    {"∠", "\\angle"},
    {"→", "\\rightarrow"},
    {"←", "\\leftarrow"},
    {"↔", "\\leftrightarrow"},
    {"⇒", "\\Rightarrow"},
    {"⇐", "\\Leftarrow"},
    {"⇔", "\\Leftrightarrow"},
    {"↦", "\\mapsto"},
    {"↑", "\\uparrow"},
    {"↓", "\\downarrow"},
    {"∀", "\\forall"},
    {"∃", "\\exists"},
    {"⋯", "\\cdots"},
    {"…", "\\ldots"},
    {"⋮", "\\vdots"},
    {"⋱", "\\ddots"},
    {"−", "-"},
    {"′", "\\prime"},
    {"⋆", "\\star"},
    {"†", "\\dagger"},
    {"ℏ", "\\hbar"},
    {"ℓ", "\\ell"},
    {"ℜ", "\\Re"},
    {"ℑ", "\\Im"},
    {"ℵ", "\\aleph"},
    {"⟨", "\\langle"},
    {"⟩", "\\rangle"},
    {"‖", "\\|"},
    {"⌊", "\\lfloor"},
    {"⌋", "\\rfloor"},
    {"⌈", "\\lceil"},
    {"⌉", "\\rceil"},
    {"α", "\\alpha"},
    {"β", "\\beta"},
    {"γ", "\\gamma"},
    {"δ", "\\delta"},
    {"ϵ", "\\epsilon"},
    {"ε", "\\epsilon"},
    {"ζ", "\\zeta"},
    {"η", "\\eta"},
    {"θ", "\\theta"},
    {"ι", "\\iota"},
    {"κ", "\\kappa"},
    {"λ", "\\lambda"},
    {"μ", "\\mu"},
    {"ν", "\\nu"},
    {"ξ", "\\xi"},
    {"π", "\\pi"},
    {"ρ", "\\rho"},
    {"σ", "\\sigma"},
    {"τ", "\\tau"},
    {"υ", "\\upsilon"},
    {"ϕ", "\\phi"},
    {"φ", "\\varphi"},
    {"χ", "\\chi"},
    {"ψ", "\\psi"},
    {"ω", "\\omega"},
    {"Γ", "\\Gamma"},
    {"Δ", "\\Delta"},
    {"Θ", "\\Theta"},
    {"Λ", "\\Lambda"},
    {"Ξ", "\\Xi"},
    {"Π", "\\Pi"},
    {"Σ", "\\Sigma"},
    {"Φ", "\\Phi"},
    {"Ψ", "\\Psi"},
    {"Ω", "\\Omega"},
    {"\xe2\x81\xa1", ""},
    {"\xe2\x81\xa2", ""},
    {"\xe2\x81\xa3", ""},
    {"{", "\\{"},
    {"}", "\\}"},
    {"%", "\\%"},
    {"#", "\\#"},
    {"&", "\\&"},
    {"$", "\\$"},
    {"_", "\\_"},
};

/* Names that TeX sets upright by a command of the same name. */
static const char *const functions[] = {
    "sin",  "cos",  "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh",
    "cosh", "tanh", "log", "ln",  "lg",  "exp", "lim",    "limsup", "liminf", "max",
    "min",  "sup",  "inf", "det", "dim", "ker", "gcd",    "arg",    "deg",    "hom",
};

static const struct {
    const char *name, *open;
} variants[] = {
    {"bold", "\\mathbf{"},       {"bold-italic", "\\boldsymbol{"}, {"double-struck", "\\mathbb{"},
    {"script", "\\mathcal{"},    {"bold-script", "\\mathcal{"},    {"fraktur", "\\mathfrak{"},
    {"sans-serif", "\\mathsf{"}, {"monospace", "\\mathtt{"},
};

/* What stands over or under a base and is an accent of it. */
static const struct {
    const char *sign, *open;
    bool under;
} accents[] = {
    {"˙", "\\dot{", false},       {"⋅", "\\dot{", false},      {"·", "\\dot{", false},
    {"¨", "\\ddot{", false},      {"^", "\\hat{", false},      {"ˆ", "\\hat{", false},
    {"~", "\\tilde{", false},     {"˜", "\\tilde{", false},    {"¯", "\\bar{", false},
    {"‾", "\\overline{", false},  {"―", "\\overline{", false}, {"→", "\\vec{", false},
    {"⃗", "\\vec{", false},        {"ˇ", "\\check{", false},    {"˘", "\\breve{", false},
    {"⏞", "\\overbrace{", false}, {"_", "\\underline{", true}, {"―", "\\underline{", true},
    {"⏟", "\\underbrace{", true},
};

/* Fences that grow with what they hold, and the matrix between them. */
static const struct fence {
    const char *sign, *tex, *matrix;
    int side; /* 1: opens, -1: closes, 0: either */
} fences[] = {
    {"(", "(", "pmatrix", 1},   {")", ")", "pmatrix", -1},   {"[", "[", "bmatrix", 1},
    {"]", "]", "bmatrix", -1},  {"{", "\\{", "cases", 1},    {"}", "\\}", "Bmatrix", -1},
    {"⟨", "\\langle", NULL, 1}, {"⟩", "\\rangle", NULL, -1}, {"|", "|", "vmatrix", 0},
    {"∣", "|", "vmatrix", 0},   {"‖", "\\|", "Vmatrix", 0},
};

/* --- what stands where ------------------------------------------------------------------------ */

static bool is_named(const struct adit_dom *d, uint32_t n, const char *name)
{
    return n && adit_dom_is_element(d, n) && adit_str_eq(adit_dom_name(d, n), adit_str_z(name));
}

/* The text of an element that holds nothing else. */
static struct adit_str token_text(const struct adit_dom *d, uint32_t n)
{
    uint32_t first = n && adit_dom_is_element(d, n) ? adit_dom_first(d, n) : 0;
    if (!first || d->nodes[first].next || !adit_dom_is_text(d, first)) return (struct adit_str){0};
    return adit_str_trim(adit_dom_data(d, first));
}

static uint32_t neighbour(const struct adit_dom *d, uint32_t n, bool next)
{
    do n = next ? d->nodes[n].next : d->nodes[n].prev;
    while (n && !adit_dom_is_element(d, n));
    return n;
}

static uint32_t element_child(const struct adit_dom *d, uint32_t n)
{
    uint32_t c = adit_dom_first(d, n);
    return c && !adit_dom_is_element(d, c) ? neighbour(d, c, true) : c;
}

static const struct fence *fence_of(const struct adit_dom *d, uint32_t n)
{
    if (!is_named(d, n, "mo")) return NULL;
    struct adit_str s = token_text(d, n);
    for (size_t i = 0; s.len && i < ADIT_COUNT(fences); i++)
        if (adit_str_eq(s, adit_str_z(fences[i].sign))) return &fences[i];
    return NULL;
}

/* Which way the fence at n looks: 1 opens, -1 closes, 0: neither. A bar does so at the edge of its row. */
static int side_of(const struct adit_dom *d, uint32_t n, const struct fence *f)
{
    if (f->side) return f->side;
    bool first = !neighbour(d, n, false), last = !neighbour(d, n, true);
    return first && !last ? 1 : last && !first ? -1 : 0;
}

/* The other fence of the pair, among near neighbours; 0: there is none. */
static uint32_t partner(const struct adit_dom *d, uint32_t n, int side)
{
    int depth = 0;
    for (int i = 0; n && i < NEAR_MAX; i++, n = neighbour(d, n, side > 0)) {
        const struct fence *f = fence_of(d, n);
        depth += f ? side_of(d, n, f) : 0;
        if (depth == 0) return i ? n : 0;
    }
    return 0;
}

/* The fence before a matrix and nothing else; NULL: it has none. A brace needs no partner. */
static const struct fence *around_table(const struct adit_dom *d, uint32_t table)
{
    uint32_t before = neighbour(d, table, false), after = neighbour(d, table, true);
    const struct fence *f = fence_of(d, before);
    if (!f || !f->matrix || side_of(d, before, f) <= 0) return NULL;
    if (partner(d, before, 1) == after && after) return f;
    bool alone = !after || (is_named(d, after, "mo") && !token_text(d, after).len);
    return alone && f->tex[0] == '\\' ? f : NULL;
}

static const char *matrix_of(const struct adit_dom *d, uint32_t table)
{
    const struct fence *f = around_table(d, table);
    bool brace = f && f->tex[0] == '\\' && f->side > 0 && fence_of(d, neighbour(d, table, true));
    return !f ? "aligned" : brace ? "Bmatrix" : f->matrix;
}

/* --- tokens ----------------------------------------------------------------------------------- */

static void put_sign(struct adit_buf *out, struct adit_str s)
{
    for (size_t i = 0; i < ADIT_COUNT(signs); i++)
        if (adit_str_eq(s, adit_str_z(signs[i].sign))) {
            adit_buf_lit(out, signs[i].tex);
            return;
        }
    adit_buf_add(out, s);
}

static bool is_function(struct adit_str s)
{
    for (size_t i = 0; i < ADIT_COUNT(functions); i++)
        if (adit_str_eq(s, adit_str_z(functions[i]))) return true;
    return false;
}

/* A fence of a pair; false: it is none. */
static bool put_fence(const struct adit_dom *d, uint32_t n, struct adit_buf *out)
{
    const struct fence *f = fence_of(d, n);
    int side = f ? side_of(d, n, f) : 0;
    if (!side) return false;
    uint32_t table = neighbour(d, n, side > 0);
    if (is_named(d, table, "mtable") && around_table(d, table)) return true; /* the matrix has it */
    if (!partner(d, n, side)) return false;
    adit_buf_lit(out, side > 0 ? "\\left" : "\\right");
    adit_buf_lit(out, f->tex);
    return true;
}

static void put_token(const struct adit_dom *d, uint32_t n, struct adit_str s, struct adit_buf *out)
{
    if (is_named(d, n, "mtext")) {
        adit_buf_lit(out, "\\text{");
        put_sign(out, s);
        adit_buf_byte(out, '}');
        return;
    }
    if (put_fence(d, n, out)) return;
    struct adit_str variant = adit_dom_attr(d, n, ADIT_ATTR_MATHVARIANT);
    for (size_t i = 0; variant.len && i < ADIT_COUNT(variants); i++)
        if (adit_str_eq(variant, adit_str_z(variants[i].name))) {
            adit_buf_lit(out, variants[i].open);
            put_sign(out, s);
            adit_buf_byte(out, '}');
            return;
        }
    if (is_function(s)) adit_buf_byte(out, '\\');
    put_sign(out, s);
}

/* --- elements --------------------------------------------------------------------------------- */

/* What is written before an element's children, between the first two, between the others, and
 * behind them. */
struct shape {
    const char *name, *open, *second, *others, *close;
};
static const struct shape shapes[] = {
    {"mfrac", "\\frac{", "}{", "", "}"},
    {"msup", "", "^{", "", "}"},
    {"msub", "", "_{", "", "}"},
    {"msubsup", "", "_{", "}^{", "}"},
    {"munderover", "", "_{", "}^{", "}"},
    {"msqrt", "\\sqrt{", " ", " ", "}"},
    {"mtext", "\\text{", " ", " ", "}"},
    {"mfenced", "\\left(", ", ", ", ", "\\right)"},
    {"mtr", "", " & ", " & ", ""},
    {"mlabeledtr", "", " & ", " & ", ""},
    {"mi", "", "", "", ""},
    {"mn", "", "", "", ""},
    {"mo", "", "", "", ""},
};

enum { LABEL_NODES = 16 }; /* of a row's label that are looked at */

/* An element whose children are being written. */
struct open_math {
    struct shape shape;
    size_t children;
    uint32_t skip;  /* a child that is part of the shape */
    uint32_t label; /* the label of a row; 0: it has none */
    bool table;     /* "\end{…}" follows */
};

/* Over or under its base stands an accent, a limit of an operator, or something else. */
static void begin_over(const struct adit_dom *d, uint32_t n, struct open_math *o)
{
    bool under = is_named(d, n, "munder");
    uint32_t base = element_child(d, n), mark = base ? neighbour(d, base, true) : 0;
    struct adit_str s = token_text(d, mark);
    for (size_t i = 0; s.len && i < ADIT_COUNT(accents); i++)
        if (accents[i].under == under && adit_str_eq(s, adit_str_z(accents[i].sign))) {
            o->shape = (struct shape){"", accents[i].open, "", "", "}"};
            o->skip = mark;
            return;
        }
    bool limits = is_named(d, base, "mo") || is_function(token_text(d, base));
    o->shape = limits  ? (struct shape){"", "", under ? "_{" : "^{", "", "}"}
               : under ? (struct shape){"", "\\mathop{", "}\\limits_{", "", "}"}
                       : (struct shape){"", "\\mathop{", "}\\limits^{", "", "}"};
}

static void begin_root(const struct adit_dom *d, uint32_t n, struct open_math *o,
                       struct adit_buf *out)
{
    uint32_t base = element_child(d, n), index = base ? neighbour(d, base, true) : 0;
    struct adit_str s = token_text(d, index);
    o->shape = (struct shape){"", "{", "}^{1/(", "", ")}"};
    if (!s.len) return;
    o->shape = (struct shape){"", "]{", "", "", "}"};
    o->skip = index;
    adit_buf_lit(out, "\\sqrt[");
    put_sign(out, s);
}

/* Whether a table is there for the label of one formula. */
static bool only_labels(const struct adit_dom *d, uint32_t table)
{
    uint32_t row = element_child(d, table);
    return row && is_named(d, row, "mlabeledtr") && !neighbour(d, row, true);
}

/* The label of a row, which stands before the row's formula, as it is read: behind the formula. */
static void put_label(const struct adit_dom *d, uint32_t label, struct adit_buf *out)
{
    uint32_t n = label;
    for (int k = 0; k < LABEL_NODES && (n = adit_dom_next(d, n, label, true)); k++) {
        struct adit_str s = adit_dom_is_text(d, n) ? adit_dom_data(d, n) : (struct adit_str){0};
        s = adit_str_trim(s);
        if (!s.len) continue;
        adit_buf_byte(out, ' ');
        put_sign(out, s);
    }
}

static struct open_math begin_element(const struct adit_dom *d, uint32_t n, struct adit_buf *out)
{
    struct open_math o = {.shape = {"", "", " ", " ", ""}};
    struct adit_str name = adit_dom_name(d, n);
    for (size_t i = 0; i < ADIT_COUNT(shapes); i++)
        if (adit_str_eq(name, adit_str_z(shapes[i].name))) o.shape = shapes[i];
    if (is_named(d, n, "mover") || is_named(d, n, "munder")) begin_over(d, n, &o);
    if (is_named(d, n, "mroot")) begin_root(d, n, &o, out);
    if (is_named(d, n, "mfrac") &&
        adit_str_starts(adit_dom_attr(d, n, ADIT_ATTR_LINETHICKNESS), ADIT_STR("0")))
        o.shape.open = "\\genfrac{}{}{0pt}{}{";
    if (is_named(d, n, "mlabeledtr")) o.skip = o.label = element_child(d, n);
    if (is_named(d, n, "mtable") && !only_labels(d, n)) {
        o.shape = (struct shape){"", "}", " \\\\ ", " \\\\ ", "\\end{"};
        o.table = true;
        adit_buf_lit(out, "\\begin{");
        adit_buf_lit(out, matrix_of(d, n));
    }
    adit_buf_lit(out, o.shape.open);
    return o;
}

static void end_element(const struct adit_dom *d, uint32_t n, const struct open_math *o,
                        struct adit_buf *out)
{
    adit_buf_lit(out, o->shape.close);
    if (o->label) put_label(d, o->label, out);
    if (!o->table) return;
    adit_buf_lit(out, matrix_of(d, n));
    adit_buf_byte(out, '}');
}

static void before_child(struct adit_buf *out, struct open_math *o)
{
    if (o->children == 1) adit_buf_lit(out, o->shape.second);
    if (o->children > 1) adit_buf_lit(out, o->shape.others);
    o->children++;
}

/* Writes a node that has no nodes of its own to walk; false: it has. */
static bool put_node(const struct adit_dom *d, uint32_t n, struct open_math *o, bool deep,
                     struct adit_buf *out)
{
    bool text = adit_dom_is_text(d, n);
    struct adit_str s = text ? adit_str_trim(adit_dom_data(d, n)) : token_text(d, n);
    if (text && s.len) before_child(out, o), put_sign(out, s);
    if (text || !adit_dom_is_element(d, n) || n == o->skip) return true;
    if (adit_str_starts(adit_dom_name(d, n), ADIT_STR("annotation"))) return true;
    if (s.len) before_child(out, o), put_token(d, n, s, out);
    return s.len || !adit_dom_first(d, n) || deep;
}

void adit_mathml_tex(const struct adit_dom *d, uint32_t math, struct adit_buf *out)
{
    struct open_math open[DEPTH_MAX] = {{.shape = {"", "", " ", " ", ""}}};
    size_t depth = 0;
    uint32_t n = adit_dom_first(d, math);
    for (size_t steps = 0; n && steps < STEPS_MAX; steps++) {
        if (!put_node(d, n, &open[depth], depth + 1 >= DEPTH_MAX, out)) {
            before_child(out, &open[depth]);
            open[++depth] = begin_element(d, n, out);
            n = adit_dom_first(d, n);
            continue;
        }
        while (n != math && !d->nodes[n].next) {
            n = d->nodes[n].parent;
            if (n != math) end_element(d, n, &open[depth], out), depth--;
        }
        n = n == math ? 0 : d->nodes[n].next;
    }
}
