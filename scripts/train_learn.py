"""For scripts/train: from leaves with truths to scorecards (scripts/train-boost.c does the counting).

Every number that decides is exact or made in a fixed order, so that two machines learn the same bytes."""
import ctypes, os, sys, zlib
from collections import defaultdict
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool

import numpy as np

from train_pages import WORK

UNIT = 256          # points a logit
LAMBDA, CHILD_MIN, ROW_SHARE, FEATURE_SHARE = 4.0, 5.0, 0.8, 0.2
FIRST, SECOND = (800, 0.3), (200, 0.1)     # rounds, rate
ROWS = 150000       # leaves that a model learns from, drawn by weight
DOUBT_BELOW, DOUBT_WEIGHT = 0.5, 0.3        # word F1 of a page after it was learned; what it then counts
NAMELESS_WEIGHT = 0.3       # of every page as if it named nothing: other sites have other names


class Boost(ctypes.Structure):
    _fields_ = [(n, ctypes.c_void_p) for n in ("bins", "truth", "weight", "sign")] + \
               [(n, ctypes.c_int32) for n in ("rows", "features", "rounds")] + \
               [(n, ctypes.c_float) for n in ("rate", "lambda_", "child_min", "row_share", "feature_share")] + [("seed", ctypes.c_uint64)]


def cut_into_bins(x, weight, most=64):
    """Bins of about equal weight: long leaves are few, but most of the text."""
    bins, edges = np.zeros(x.shape[::-1], np.uint8), []
    random = np.random.RandomState(0)
    sample = np.concatenate([random.choice(len(x), 30000), random.choice(len(x), 60000, p=weight / weight.sum())])
    for f in range(x.shape[1]):
        column = np.ascontiguousarray(x[:, f])
        values = np.unique(column)
        edge = values[:-1] if len(values) <= most else \
            np.unique(np.quantile(column[sample], np.linspace(0, 1, most + 1)[1:-1], method="lower"))
        place = np.searchsorted(edge, np.arange(-32768, 32768), side="left").astype(np.uint8)   # bin b holds values <= edge[b]
        bins[f] = place[column.astype(np.int32) + 32768]
        edges.append(edge)
    return bins, edges


def draw_rows(weight, seed):
    """Rows by the root of their weight, about ROWS of them, their weights made up for it."""
    w = weight * len(weight) / weight.sum()
    low, high = 1e-4, 1e4
    for _ in range(60):
        c = (low * high) ** .5
        low, high = (low, c) if np.minimum(1, c * np.sqrt(w)).sum() > ROWS else (c, high)
    p = np.minimum(1, c * np.sqrt(w))
    take = np.random.RandomState(seed).rand(len(w)) < p
    out = np.zeros(len(w), np.float32)
    out[take] = w[take] / p[take]
    return out


def boost(bins, signs, truth, weight, look, seed):
    """One boosted model, a round each: feature, bin, what values up to it and above it add."""
    lib = ctypes.CDLL(os.path.join(WORK, "boost.so"))
    rounds, rate = look
    w = draw_rows(weight, seed)
    truth = np.ascontiguousarray(truth, np.float32)
    sign = np.array(signs, np.int8)
    f, b = np.zeros(rounds, np.int32), np.zeros(rounds, np.int32)
    l, r = np.zeros(rounds, np.float32), np.zeros(rounds, np.float32)
    job = Boost(*(a.ctypes.data for a in (bins, truth, w, sign)), bins.shape[1], bins.shape[0], rounds, rate, LAMBDA, CHILD_MIN,
                ROW_SHARE, FEATURE_SHARE, seed)
    if lib.boost(ctypes.byref(job), *(ctypes.c_void_p(a.ctypes.data) for a in (f, b, l, r))):
        sys.exit("no memory")
    return f, b, l, r


def learn(bins, edges, names, signs, truth, weight, seeds, look, jobs):
    """The mean of several boosted models: (base, {feature: [(threshold, delta)]}), in logits."""
    base, steps = 0.0, defaultdict(lambda: defaultdict(float))
    with ThreadPool(jobs) as pool:
        models = pool.map(lambda seed: boost(bins, signs, truth, weight, look, seed), range(1, seeds + 1))
    for f, b, l, r in models:
        for k in np.flatnonzero(f >= 0):
            base += float(l[k]) / seeds
            steps[names[f[k]]][int(edges[f[k]][b[k]])] += (float(r[k]) - float(l[k])) / seeds
    return base, {n: sorted(s.items()) for n, s in steps.items()}


def to_integers(card):
    base, steps = card
    rounded = {n: [(t, round(d * UNIT)) for t, d in s if round(d * UNIT)] for n, s in steps.items()}
    return round(base * UNIT), {n: s for n, s in rounded.items() if s}


def points(steps, values):
    """Of each value: the deltas of the thresholds below it."""
    sums = np.concatenate([[0], np.cumsum([d for _, d in steps])]).astype(np.int64)
    return sums[np.searchsorted([t for t, _ in steps], values, side="left")]


def score(card, x, names):
    z = np.full(len(x), card[0], np.int64)
    for n, steps in card[1].items():
        z += points(steps, x[:, names.index(n)])
    return z


def importance(card, x, names, weight):
    """By feature: the usual (mean) points, and how much they differ (standard deviation)."""
    usual, moved, w = {}, {}, weight / weight.sum()
    for n, steps in card[1].items():
        v = points(steps, x[:, names.index(n)])
        usual[n] = round(float((w * v).sum()))
        moved[n] = float(np.sqrt((w * (v - usual[n]) ** 2).sum()))
    return usual, moved


def nameless(x, names):
    """The features of the same leaves without class words, main and article."""
    y = x.copy()
    for k, n in enumerate(names):
        if n.startswith("c_") or n in ("a_main", "a_article", "a_body_prop"):
            y[:, k] = 63
        elif n in ("comout", "arts", "mainlk"):
            y[:, k] = -1
    return y


# --- what the core makes of scores, page by page, in processes that have the pages -------------------

AT_HAND = []


def apply(job):
    what, k, options, *scores = job
    return getattr(AT_HAND[k], what)(*scores, **options)


def each(pages, jobs, what, *scores, **options):
    """Of every page, what its method gives for these scores (arrays over the leaves of all pages)."""
    global AT_HAND
    AT_HAND = pages
    end = np.cumsum([len(p.texts) for p in pages])
    work = [(what, k, options, *(z[e - len(p.texts):e] for z in scores)) for k, (p, e) in enumerate(zip(pages, end))]
    with Pool(jobs) as pool:
        return pool.map(apply, work, chunksize=8)


def map_pages(pages, jobs, what, *args):
    """Of every page, what its method gives for the same arguments."""
    global AT_HAND
    AT_HAND = pages
    with Pool(jobs) as pool:
        return pool.map(apply, [(what, k, {}, *args) for k in range(len(pages))], chunksize=8)


class Learner:
    def __init__(self, pages, jobs, seeds, folds):
        self.pages, self.jobs, self.seeds, self.folds = pages, jobs, seeds, folds
        self.names = [n for n in pages[0].names if not n.startswith("z_")]
        self.context_names = [n for n in pages[0].names if n.startswith("z_")]
        self.sign = dict(zip(pages[0].names, pages[0].directions))
        self.x = self.first_features(pages)
        end = np.cumsum([len(p.texts) for p in pages])
        self.rows = [slice(e - len(p.texts), e) for p, e in zip(pages, end)]
        self.truth = np.concatenate([p.right for p in pages]).astype(np.float32)
        self.weight = np.concatenate([p.weights() for p in pages])
        self.balance = np.concatenate([np.full(len(p.texts), p.balance()) for p in pages])
        self.fold = np.concatenate([np.full(len(p.texts), zlib.crc32(p.site.encode()) % folds) for p in pages])

    def first_features(self, pages):
        return np.concatenate([p.x[:, :len(self.names)] for p in pages])

    def cards(self, x, names, look, without):
        """A card for each fold in `without`, learned from all others (-1: from all)."""
        truth, weight, fold = self.truth, self.weight, self.fold
        if look == FIRST:
            x, truth, fold = np.concatenate([x, nameless(x, names)]), np.tile(truth, 2), np.tile(fold, 2)
            weight = np.concatenate([weight, weight * NAMELESS_WEIGHT]) * np.tile(self.balance, 2)
        bins, edges = cut_into_bins(x, weight)
        for k in without:
            yield to_integers(learn(bins, edges, names, [self.sign[n] for n in names], truth, np.where(fold == k, 0, weight), self.seeds, look, self.jobs))

    def unseen(self, x, names, look):
        """Scores from models that have not seen the leaf's site."""
        z = np.zeros(len(x), np.int64)
        for k, card in enumerate(self.cards(x, names, look, range(self.folds))):
            out = self.fold == k
            z[out] = score(card, x[out], names)
        return z

    def all(self, x, names, look):
        return next(self.cards(x, names, look, [-1]))

    def context(self, first):
        return np.concatenate(each(self.pages, self.jobs, "context", first))

    def doubt(self, score_pages):
        """Lowers the weight of pages that were learned, and are got wrong all the same."""
        seen = score(self.all(self.x, self.names, FIRST), self.x, self.names)
        for s, r in zip(score_pages(self.pages, each(self.pages, self.jobs, "page", seen, seen)), self.rows):
            if s["word"][2] < DOUBT_BELOW:
                self.weight[r] *= DOUBT_WEIGHT

    def scores(self, first, second, pages):
        """What these cards say of the leaves of all pages: alone, and beside others."""
        alone = score(first, self.first_features(pages), self.names)
        context = np.concatenate(each(pages, self.jobs, "context", alone))
        return alone, score(second, context, self.context_names)
