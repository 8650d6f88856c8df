"""For scripts/train: the pages, what is known of their leaves, and what the core makes of scores.

A page is known by a truth (its text, in a JSON file beside it: each leaf is right if the truth holds its words) or by our own
labels (shared/select/labels: a mark for each leaf)."""
import glob, gzip, hashlib, importlib.machinery, importlib.util, json, os, re, subprocess, sys, tempfile
from collections import Counter, defaultdict
from multiprocessing import Pool

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPUS = os.environ.get("ADIT_CORPUS", os.path.join(ROOT, "..", "shared", "corpus"))
WORK = os.path.join(ROOT, "build", "train")
WORD = re.compile(r"\w+")
CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
LEARNED = "extraction extraction-more articles".split()     # folders whose truths say that they may be learned from
ARTICLE_WEIGHT = 0.5        # most pages outside of extraction are articles: other kinds are to be heard too
EXACT = 1 << 20             # weights are multiples of 1 / EXACT: their sums are exact, in whatever order they are made


def load_label_tool():
    loader = importlib.machinery.SourceFileLoader("label_tool", os.path.join(ROOT, "scripts", "label"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("label_tool", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


label_tool = load_label_tool()


def build():
    """The two tools: the core with a hatch for learning, and the booster."""
    os.makedirs(os.path.join(WORK, "aligned"), exist_ok=True)
    deps = os.path.join(ROOT, "build", "deps")
    include = ["-I" + os.path.join(ROOT, "shared")] + sum((["-isystem", os.path.join(deps, d)] for d in ("lexbor", "utf8proc")), [])
    libs = [os.path.join(ROOT, "build", "native", "libadit.a"), os.path.join(deps, "lib-native.a")]
    here = os.path.join(ROOT, "scripts")
    subprocess.check_call(["gcc", "-std=c11", "-O2", "-DLEXBOR_STATIC", "-DUTF8PROC_STATIC"] + include +
                          [here + "/train-features.c"] + libs + ["-Wl,--gc-sections", "-o", os.path.join(WORK, "features")])
    subprocess.check_call(["gcc", "-std=c11", "-O3", "-ffp-contract=off", "-shared", "-fPIC", here + "/train-boost.c", "-o",
                           os.path.join(WORK, "boost.so")])


# --- where the truth holds a leaf --------------------------------------------------------------------

class Chain:
    """Heaviest chain so far by end position: a Fenwick tree of maxima. Of equals the first counts:
    of a text that stands twice, the core keeps the first."""
    def __init__(self, n):
        self.n, self.tree = n + 1, [(0, -1)] * (n + 2)

    def best(self, p):
        r = (0, -1)
        while p > 0:
            r, p = max(r, self.tree[p], key=lambda v: (v[0], -v[1])), p - (p & -p)
        return r

    def put(self, p, v):
        while p <= self.n:
            if v[0] > self.tree[p][0]:
                self.tree[p] = v
            p += p & -p


def tokens(text):
    """Words; where a script has no spaces, its characters."""
    return [c for w in WORD.findall(text) for c in (re.findall(r"[\u2e80-\u9fff\uf900-\ufaff]|[^\u2e80-\u9fff\uf900-\ufaff]+", w)
                                                    if CJK.search(w) else (w,))]


def candidates(texts, truth):
    """(leaf, begin, end, tokens covered, share covered): places in the truth where a leaf may stand."""
    four, one = defaultdict(list), defaultdict(list)
    for j in range(len(truth) - 3):
        four[tuple(truth[j:j + 4])].append(j)
    for j, t in enumerate(truth):
        one[t].append(j)
    for i, text in enumerate(texts):
        t = tokens(text)
        n = len(t)
        if n >= 5:
            hits = Counter(j - k for k in range(n - 3) for j in four.get(tuple(t[k:k + 4]), ())[:30])
            for diagonal, c in hits.most_common(4):
                if (c + 3) * 10 >= n * 3 or c >= 8:
                    covered = min(n, 3 + sum(v for d, v in hits.items() if abs(d - diagonal) <= 6))
                    begin = max(0, diagonal)
                    yield i, begin, min(len(truth), begin + n), covered, covered / n
        elif n:
            for j in [j for j in one.get(t[0], ()) if truth[j:j + n] == t][:40]:
                yield i, j, j + n, n, 1.0


def shares(texts, truth):
    """Share of each leaf's tokens that the truth holds: in order where possible, then leftovers."""
    truth = tokens(truth)
    share, n = [0.0] * len(texts), len(truth)
    cands = sorted(candidates(texts, truth), key=lambda c: (c[0], -c[1]))
    chain, before, at = Chain(n), [-1] * len(cands), 0
    while at < len(cands):
        end, new = at, []
        while end < len(cands) and cands[end][0] == cands[at][0]:
            _, b, e, covered, _ = cands[end]
            v, before[end] = chain.best(min(n + 1, b + 1 + (2 if covered >= 8 else 0)))
            new.append((e, (v + covered - 0.1, end)))
            end += 1
        for e, v in new:
            chain.put(min(n + 1, e + 1), v)
        at = end
    used = bytearray(n + 1)

    def take(c):
        share[c[0]] = c[4]
        used[c[1]:c[2]] = b"\1" * (c[2] - c[1])
    k = chain.best(n + 1)[1]
    while k >= 0:
        take(cands[k])
        k = before[k]
    for c in cands:
        if share[c[0]] == 0 and c[3] >= 6 and c[4] >= .7 and sum(used[c[1]:c[2]]) * 3 <= c[2] - c[1]:
            take(c)
    return share


def right_leaves(texts, truth):
    """Whether the truth holds most of each leaf; remembered in build/, as it takes long."""
    key = hashlib.sha256("\0".join(["1", truth, *texts]).encode()).hexdigest()
    path = os.path.join(WORK, "aligned", key)
    if os.path.exists(path):
        return np.frombuffer(open(path, "rb").read(), bool)
    right = np.array(shares(texts, truth)) >= .5
    with open(path, "wb") as f:
        f.write(right.tobytes())
    return right


# --- pages -------------------------------------------------------------------------------------------

def site(url, name):
    """The registrable domain, roughly; pages without one are sites of their own."""
    m = re.match(r"https?://([^/:]+)", url or "")
    if not m or "fakehost" in url:
        return name
    p = m.group(1).lower().split(".")
    return ".".join(p[-3:] if len(p) > 2 and len(p[-2]) <= 3 and len(p[-1]) == 2 else p[-2:])


def read_html(path):
    packed = path[:-5] + ".html.gz"
    return gzip.open(packed).read() if os.path.exists(packed) else open(path[:-5] + ".html", "rb").read()


class Page:
    """One page of a folder; labels: our marks of it, which then are its truth."""
    def __init__(self, path, labels=None):
        self.path, self.name = path, os.path.basename(path)[:-5]
        self.folder = os.path.basename(os.path.dirname(path))
        self.labelled = labels is not None
        self.set = ("label-" if self.labelled else "") + self.name.split("-")[0]
        self.truth = json.load(open(path, encoding="utf-8"))
        self.url = self.truth.get("url") or "https://example.com/" + self.name
        self.site = site(self.truth.get("url"), self.name)
        self.kind = labels[0] if labels else self.truth.get("page_type") or "other"
        if self.labelled:       # nothing of the given truth is looked at
            self.truth = {k: self.truth[k] for k in ("url", "lang", "year") if k in self.truth}
        self.read(self.features())
        self.mark(labels[1] if labels else None)

    def read(self, out):
        u32 = lambda p: int.from_bytes(out[p:p + 4], "little")
        n_features, p, self.names, self.directions = u32(0), 4, [], []
        for _ in range(n_features):
            q = out.index(b"\n", p)
            name, direction = out[p:q].decode().split("\t")
            self.names.append(name)
            self.directions.append(int(direction))
            p = q + 1
        n, p = u32(p), p + 4
        self.x = np.frombuffer(out, "<i2", n_features * n, p).reshape(n, n_features)
        p += 2 * n_features * n
        self.texts, self.hidden, self.caption = [], np.zeros(n, bool), np.zeros(n, bool)
        for i in range(n):
            self.hidden[i], self.caption[i] = out[p:p + 2]
            length = u32(p + 4)
            self.texts.append(out[p + 8:p + 8 + length].decode("utf-8"))
            p += 8 + length
        self.tokens = np.array([len(WORD.findall(t)) for t in self.texts], float)
        self.words = np.array([max(1, n + len(CJK.findall(t)) // 2) for n, t in zip(self.tokens, self.texts)], np.int64)

    def mark(self, marks):
        """Which leaves are right, and of which nobody can say."""
        self.unsure = np.zeros(len(self.texts), bool)
        if marks is None:
            seen = [t if not h else "" for t, h in zip(self.texts, self.hidden)]
            self.right = right_leaves(seen, self.truth["text"])
            return
        said = label_tool.align([re.sub(r"[\x00-\x1f]", " ", t) for t in self.texts], marks)
        self.right = np.array([m in label_tool.KEPT for m in said], bool)
        self.unsure = np.array([m == "x" for m in said], bool)
        self.truth["text"] = "\n".join(t for t, r in zip(self.texts, self.right) if r)

    def features(self, *args):
        return subprocess.run([os.path.join(WORK, "features"), *args], input=read_html(self.path), capture_output=True, check=True).stdout

    def with_scores(self, what, *scores, without=0):
        with tempfile.NamedTemporaryFile(dir=WORK) as f:
            f.write(b"".join(z.astype("<i4").tobytes() for z in scores))
            f.flush()
            return self.features(what, f.name, self.url, str(without))

    def context(self, first):
        """The features of the second look, if the first gave these scores."""
        values = np.frombuffer(self.with_scores("context", first), "<i2")
        return values.reshape(len(first), sum(n.startswith("z_") for n in self.names))

    def page(self, first, second, without=0):
        """The page that the core makes of these scores, without some of its rules."""
        line = self.with_scores("page", first, second, without=without)
        return json.loads(line) if line.strip() else {}

    def as_is(self, without=0):
        """The page that the core makes by itself."""
        line = self.features("page", "-", self.url, str(without))
        return json.loads(line) if line.strip() else {}

    def balance(self):
        return ARTICLE_WEIGHT if self.folder != "extraction" and self.kind == "article" else 1

    def weights(self):
        """Words, by the page's own amount: the loss then follows the mean of the pages' F1."""
        right = (self.words * self.right).sum()
        if right < 10:
            return np.zeros(len(self.texts))
        w = (self.words + 1) / (right + 40) * ~self.hidden
        w *= min(1, 4 / w.sum()) if w.sum() else 0
        w[self.caption] = 0     # captions go with their images, whatever the score
        w[self.copies() | self.unsure] = 0
        return np.round(w * EXACT) / EXACT

    def copies(self):
        """Leaves that say again, with the same tag, what others say that are right: they are not
        wrong, only repeated."""
        tags = self.x[:, self.names.index("tag")]
        said = [(t, *WORD.findall(text.lower())) for t, text in zip(tags, self.texts)]
        right = {s for s, r in zip(said, self.right) if r and len(s) > 5}
        return np.array([s in right for s in said], bool) & ~self.right


def read_page(job):
    return Page(*job)


def labels_by_page(only):
    """The file of each page of `only` that has our labels -> its labels."""
    marked, found = label_tool.labels(os.path.join(ROOT, "shared", "select", "labels", "first.txt")), {}
    for path in only:
        d = label_tool.digest(read_html(path))
        if d in marked:
            found[path] = marked[d]
    return found


def listed(name):
    path = os.path.join(CORPUS, name)
    names = open(path).read().split() if os.path.exists(path) else []
    return [os.path.join(CORPUS, "check", n + ".json") for n in sorted(names)]


def with_text(folder):
    files = sorted(glob.glob(os.path.join(CORPUS, folder, "*.json")))
    return [f for f in files if json.load(open(f, encoding="utf-8")).get("text") is not None]


def load(jobs, share=1):
    """Pages to learn from, and pages that are only measured; of each one in `share`."""
    to_learn = [(f, None) for folder in LEARNED for f in with_text(folder)[::share]]
    to_learn += sorted(labels_by_page(listed("check-label.txt")[::share]).items())
    to_measure = [(f, None) for f in listed("check-measure.txt")[::share]]
    with Pool(jobs) as pool:
        pages = pool.map(read_page, to_learn + to_measure, chunksize=8)
    if not pages:
        sys.exit("no pages in " + CORPUS)
    return pages[:len(to_learn)], pages[len(to_learn):]


class Case(Page):
    """A page NAME.html whose content is what NAME.scp says: for trying this script, not for learning."""
    def __init__(self, path):
        self.path, self.name = path[:-4] + ".json", os.path.basename(path)[:-4]
        self.folder, self.labelled, self.set, self.kind = "extraction", False, "case", "article"
        self.url = "https://example.com/" + self.name
        self.site = self.name
        blocks = json.load(open(path, encoding="utf-8")).get("content", [])
        self.truth = {"text": "\n".join("\n".join([b.get("text", ""), b.get("code", ""), *b.get("items", []), *map(" ".join, b.get("rows", []))]) for b in blocks)}
        self.read(self.features())
        self.mark(None)


def load_folder(folder, jobs):
    files = sorted(glob.glob(os.path.join(folder, "*.scp")))
    with Pool(jobs) as pool:
        return pool.map(Case, files)


def rules():
    """(name, sentence) of each rule behind the score."""
    out = subprocess.run([os.path.join(WORK, "features"), "rules"], input=b"<p>x", capture_output=True, check=True).stdout.decode()
    return [line.split("\t") for line in out.splitlines()]
