"""For scripts/train: the files that it writes: shared/select/weights_impl.h and RESULTS.md."""
import hashlib, os

import numpy as np

from train_learn import UNIT
from train_pages import read_html
from train_stamp import SELECT, WEIGHTS


def pages_digest(pages):
    """Of all pages that were learned from, and of what was said of them."""
    h = hashlib.sha256()
    for p in sorted(pages, key=lambda p: (p.folder, p.name, p.labelled)):
        h.update(hashlib.sha256(read_html(p.path)).digest())
        h.update(p.truth["text"].encode())
    return h.hexdigest()[:16]


def check_sums(steps):
    """Points are added in 16 bits."""
    for group in (lambda n: n[:2] not in ("g_", "z_")), (lambda n: n.startswith("z_")):
        sums = [np.cumsum([d for _, d in s]) for n, s in steps.items() if group(n)]
        assert -32768 <= sum(min(0, *s) for s in sums) and sum(max(0, *s) for s in sums) <= 32767, "leaf sums must fit 16 bits"


def weights_text(bases, steps, names, usual, facts):
    check_sums(steps)
    n_steps = sum(map(len, steps.values()))
    out = ["/* The scorecards: values above a threshold add its delta, in 1/%d logit. Learned from pages with" % UNIT,
           " * known content and made by scripts/train; do not edit. %d features, %d steps." % (len(steps), n_steps), " *",
           *(" * %s" % line for line in facts), " */",
           "#ifndef ADIT_SELECT_WEIGHTS_IMPL_H", "#define ADIT_SELECT_WEIGHTS_IMPL_H", "", '#include "select/score_impl.h"', "", "/* clang-format off */",
           "enum { ADIT_SCORE_BASE = %d, ADIT_CONTEXT_BASE = %d };" % bases, "", "static const struct adit_step adit_step_table[] = {"]
    at, index = 0, ["};", "", "static const struct adit_steps adit_steps[ADIT_N_FEATURES] = {"]
    for n in names:
        s = steps.get(n, [])
        if not s:
            print("feature without a weight: " + n)
            continue
        line = "    /* %s */" % n
        for t, d in s:
            assert abs(t) < 32768 and abs(d) < 32768
            item = " {%d, %d}," % (t, d)
            if len(line) + len(item) > 100:
                out.append(line)
                line = "       "
            line += item
        out.append(line)
        index.append("    [ADIT_F_%s] = {%d, %d, %d}," % (n, at, len(s), usual[n]))
        at += len(s)
    return "\n".join(out + index + ["};", "/* clang-format on */", "", "#endif", ""])


def write_weights(text):
    with open(WEIGHTS, "w") as f:
        f.write(text)


# --- RESULTS.md --------------------------------------------------------------------------------------

HEAD = """# Results

Made by `scripts/train` and `scripts/train --report`; do not edit. Figures are those of the corpus's own scorer. F1, P, R: shingles of
four words, means over pages (F1 is the harmonic mean of the other two means); word F1: bags of words, mean over pages; ± is the standard
deviation of F1 when other sites are drawn from the same pages. "Cross-validated": the page's site was not learned from, with the rules of
the day when pages were last learned from. "Measured": pages that are never learned from, whatever their truth says; rules and features were
chosen while looking at them, so expect a little less elsewhere.
"""
# The sections of the report, in their order.
SECTIONS = CROSS, MEASURED, PEERS, RULES, CROSS_FAILS, MEASURED_FAILS = [
    "Cross-validated by site", "Measured, never learned from", "Beside others", "What each rule is worth",
    "What fails still, cross-validated", "What fails still, measured"]


def as_table(rows, keep):
    out = ["| | pages | F1 | ± | P | R | word F1 |", "|---|---|---|---|---|---|---|"]
    for (group, name), s in rows:
        if keep(group) and s["n"] > 1:
            out.append("| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f |" % ((name or group, s["n"], s["f1"], s["spread"], s["p"], s["r"], s["word"])))
    return out


def figures_text(rows, notes=()):
    """rows: those of train_report.table; notes: lines to add"""
    out = as_table(rows, lambda x: x == "all")
    for g in sorted({g for (g, _), _ in rows} - {"all"}):
        out += ["", "By %s:" % g, "", *as_table(rows, lambda x: x == g)]
    return out + [line for n in notes for line in ("", n)]


def peers_text(peers):
    """peers: what train_report.peers gives."""
    out = ["The same pages of `extraction` and the same scorer; ours cross-validated, the others as they are. The eight best by word F1."]
    for name, rows in peers:
        out += ["", "%s, %d pages:" % (name, rows[0][1]), "", "| | F1 | word F1 |", "|---|---|---|"]
        out += ["| %s | %.3f | %.3f |" % (who, f1, word) for who, _, f1, word in rows]
    return out


def rules_text(measured, learned):
    """Of each rule: (name, what it does, gain of F1, P, R, word F1, pages that change), on both grounds."""
    out = ["Figures with the rule less those without it: on the measured pages, and on those that weights are learned from.", "",
           "| rule | does | F1 | P | R | word F1 | pages that change | F1, learned from | word F1 | pages that change |",
           "|---|---|---|---|---|---|---|---|---|---|"]
    return out + ["| %s | %s | %+.4f | %+.4f | %+.4f | %+.4f | %d | %+.4f | %+.4f | %d |" % (*m, l[2], *l[5:]) for m, l in zip(measured, learned)]


def failures_text(rows):
    """rows: those of train_report.failures"""
    out = ["Pages with a word F1 below 0.7: most of them hold much more than their text (too much), or much less. The three worst of each set or kind.",
           "", "| | pages | fail | too much | too little | the worst |", "|---|---|---|---|---|---|"]
    return out + ["| %s | %d | %d | %d | %d | %s |" % (*r[:5], ", ".join(r[5])) for r in rows]


def read_results(path):
    """title -> lines of each section"""
    parts = open(path, encoding="utf-8").read().split("\n## ") if os.path.exists(path) else []
    return {p.split("\n", 1)[0]: p.split("\n", 1)[1].strip().split("\n") for p in parts[1:]}


def write_results(new):
    """new: title -> lines; sections that it does not name stay as they are"""
    path = os.path.join(SELECT, "RESULTS.md")
    parts = {**read_results(path), **new}
    with open(path, "w", encoding="utf-8") as f:
        f.write(HEAD + "".join("\n## %s\n\n%s\n" % (t, "\n".join(parts[t])) for t in SECTIONS if t in parts))
