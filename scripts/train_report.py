"""For scripts/train: how good pages are, by set, language, year and kind, with the spread of drawing other sites."""
import json, os, random, sys
from collections import Counter, defaultdict

from train_pages import CORPUS, WORD

DRAWS = 200         # samples of the sites for the spread


def scorer():
    sys.path.insert(0, CORPUS)
    import run_score, score_extraction
    return run_score, score_extraction


def score_pages(pages, made):
    """As the corpus's own scorer sees the pages that were made."""
    run, marks = scorer()
    return [marks.score_page(p.truth, run.body_text(out), None, run.blocks(out)) for p, out in zip(pages, made)]


def spread(sites, of):
    """Standard deviation of a figure when other sites are drawn. sites: lists of scores."""
    draw, values = random.Random(1), []
    for _ in range(DRAWS if len(sites) > 1 else 0):
        values.append(of([s for _ in sites for s in draw.choice(sites)]))
    mean = sum(values) / len(values) if values else 0
    return (sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1)) ** .5


def figures(rows):
    """rows: (page, score). Shingle F1, its spread, P, R, word F1."""
    _, marks = scorer()
    sites = defaultdict(list)
    for page, s in rows:
        sites[page.site].append(s)
    all_scores = [s for _, s in rows]
    f1 = lambda scores: marks.shingle_summary([s["shingle"] for s in scores])["f1"]
    s = marks.summarise(all_scores)
    return {"n": len(rows), "f1": s["shingle"]["f1"], "spread": spread(list(sites.values()), f1), "p": s["shingle"]["p"],
            "r": s["shingle"]["r"], "word": s["word"]["f1"], "struct": s.get("struct")}


def groups_of(page):
    """The rows of the report that a page counts in."""
    yield "all"
    yield "set", page.set
    if page.set == "wcxb":
        yield "wcxb, both folders"
        yield "kind of wcxb", page.kind
        if page.folder == "extraction":
            yield "kind of wcxb, extraction alone", page.kind
    if page.folder in ("articles", "check"):
        yield "language", page.truth.get("lang") or "?"
    if page.folder == "check":
        yield "year", str(page.truth.get("year"))
    if page.labelled:
        yield "kind of labelled pages", page.kind


def table(pages, scores):
    """[(group, figures)], sorted."""
    groups = defaultdict(list)
    for page, s in zip(pages, scores):
        for g in groups_of(page):
            groups[g if isinstance(g, tuple) else (g, "")].append((page, s))
    return [(g, figures(rows)) for g, rows in sorted(groups.items())]


def comment_share(pages, made):
    """Of the readers' comments that truths have apart: the share of their 4-word shingles that stands in the output, and pages
    that give most of them."""
    run, marks = scorer()
    inside = total = most = n = 0
    for page, out in zip(pages, made):
        comments = marks.shingles(WORD.findall(page.truth.get("comments") or ""))
        comments -= marks.shingles(WORD.findall(page.truth["text"]))
        if sum(comments.values()) < 20:
            continue
        common = sum((comments & marks.shingles(WORD.findall(run.body_text(out)))).values())
        inside, total, n = inside + common, total + sum(comments.values()), n + 1
        most += 2 * common > sum(comments.values())
    return {"pages": n, "share": inside / max(1, total), "most": most}


def peers(pages, scores):
    """[(set, [(who, pages, F1, word F1)])] on the pages of CORPUS/extraction that every row names; ours first, then by score."""
    path = os.path.join(CORPUS, "peers-pages-dev.json")
    if not os.path.exists(path):
        return []
    _, marks = scorer()
    others, out = json.load(open(path, encoding="utf-8")), []
    for name in ("aeb", "wcxb"):
        own = {p.name: s for p, s in zip(pages, scores) if p.set == name and p.folder == "extraction"}
        rows = []
        for who, theirs in [("adit", own), *others.items()]:
            both = [theirs[n] for n in own if "word" in theirs.get(n, ())]
            if len(both) < len(own):        # others were run on other pages
                continue
            rows.append((who, len(both), marks.shingle_summary([s["shingle"] for s in both])["f1"], sum(s["word"][2] for s in both) / len(both)))
        out.append((name, rows[:1] + sorted(rows[1:], key=lambda r: -r[3])[:8]))
    return out


LOST = 0.7          # word F1 of a page that counts as a failure


def failures(pages, scores):
    """[(set or kind, pages, failures, of them with too much, with too little, examples)], the most frequent first."""
    groups = defaultdict(list)
    for p, s in zip(pages, scores):
        groups[p.set if p.set != "wcxb" else "wcxb " + p.kind].append((s["word"], p.name))
    rows = []
    for g, all_of in groups.items():
        lost = sorted((w[2], w[0] < w[1], name) for w, name in all_of if w[2] < LOST)
        if lost:
            rows.append((g, len(all_of), len(lost), sum(much for _, much, _ in lost), sum(not much for _, much, _ in lost),
                         ["%s (%s, %.2f)" % (name, "too much" if much else "too little", f) for f, much, name in lost[:3]]))
    return sorted(rows, key=lambda r: (-r[2], r[0]))


def words_found(pages, made):
    """Mean word F1, without the corpus's scorer."""
    total = 0.0
    for page, out in zip(pages, made):
        text = " ".join(" ".join([b.get("text", ""), b.get("code", ""), *b.get("items", []), *map(" ".join, b.get("rows", []))]) for b in out.get("content", []))
        a, b = Counter(WORD.findall(text.lower())), Counter(WORD.findall(page.truth["text"].lower()))
        total += 2 * sum((a & b).values()) / max(1, sum(a.values()) + sum(b.values()))
    return total / max(1, len(pages))


def lines(title, pages, made, scores=None):
    scores = scores or score_pages(pages, made)
    out = ["%s (%d pages, %d without text)" % (title, len(pages), sum(not m for m in made))]
    for (group, name), s in table(pages, scores):
        out.append("  %-44s n=%-4d shingle F1 %.4f ±%.3f P %.4f R %.4f   word F1 %.4f" %
                   ((group + " " + name).strip(), s["n"], s["f1"], s["spread"], s["p"], s["r"], s["word"]))
        if s["struct"]:
            out.append("  %-44s %s" % ("  words in blocks of their kind", "  ".join("%s %.3f" % (k, v["f1"]) for k, v in s["struct"].items())))
    c = comment_share(pages, made)
    if c["pages"]:
        out.append("  readers' comments: %(share).3f of their words on %(pages)d pages; most of them on %(most)d" % c)
    return out


def report(title, pages, made, scores=None):
    print("\n".join(lines(title, pages, made, scores)), flush=True)
