"""For scripts/train and scripts/lint: whether the weights were learned from the features as they are."""
import hashlib, os, re

SELECT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "shared", "select")
WEIGHTS = os.path.join(SELECT, "weights_impl.h")
# What the values of features come from: when one of these changes, the weights may no longer fit.
SOURCES = "context.c elements.c facts.c feature_list_impl.h features.c records.c shares.c structure.c titles.c topic.c".split()


def features_digest():
    """Of the code that computes features, without comments and white space."""
    h = hashlib.sha256()
    for name in SOURCES:
        text = open(os.path.join(SELECT, name), encoding="utf-8").read()
        h.update(re.sub(r"\s+", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S)).encode())
    return h.hexdigest()[:16]


def is_current():
    return "features: code " + features_digest() in open(WEIGHTS, encoding="utf-8").read()


def stamp():
    """Says that the features give the same values as those that were learned."""
    text = open(WEIGHTS, encoding="utf-8").read()
    with open(WEIGHTS, "w", encoding="utf-8") as f:
        f.write(re.sub(r"(features: code )[0-9a-f]{16}", lambda m: m.group(1) + features_digest(), text))
