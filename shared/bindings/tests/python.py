"""Compares the Python binding with the files that `adit page` wrote below a folder, FORMAT/GROUP/NAME.ENDING, also from many threads at
once; and sees what is refused.  Usage: python.py FOLDER"""
import glob
import os
import sys
import threading

import adit

FORMATS = {"scp": ".json", "tct": ".json", "text": ".txt", "md": ".md", "html": ".html"}
want = sys.argv[1]
cases = sorted(glob.glob("shared/convert/cases/content/**/*.html", recursive=True) + glob.glob("shared/convert/cases/blocks/**/*.html", recursive=True)
               + glob.glob("shared/convert/cases/meta/**/*.html", recursive=True))


def expected(path):
    """The files of a case by format, or nothing if it is no page."""
    group, name = path[len("shared/convert/cases/"):-5].split("/", 1)
    found = {}
    for format, ending in FORMATS.items():
        file = f"{want}/{format}/{group}/{name}{ending}"
        if os.path.exists(file):
            found[format] = open(file, "rb").read()
    return name, found


def compare(path, formats):
    name, files = expected(path)
    url = "https://example.com/" + (name[:-5] if name.endswith("index") else name + ".html")
    try:
        page = adit.convert(open(path, "rb").read(), url, formats=formats, date="2026-01-02T00:00:00Z")
    except adit.AditError as e:
        assert not files, f"{path}: {e}"
        return 0
    for format in formats:
        got = page.formats[format]
        got += b"" if got.endswith(b"\n") else b"\n"
        assert got == files[format], f"{path}: {format} differs"
    assert page.fingerprint.encode() in files["tct"], path
    return 1


pages = sum(compare(path, tuple(FORMATS)) for path in cases)
alone = sum(compare(path, (format,)) for path in cases[::7] for format in FORMATS)  # plain pages, too
assert pages > 100, pages

failures = []


def many(start):
    try:
        for path in cases[start:] + cases[:start]:
            compare(path, ("md", "tct"))
    except BaseException as e:  # a thread's exception would be lost
        failures.append(e)


threads = [threading.Thread(target=many, args=(i * 11,)) for i in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failures, failures[0]

for input, url, code in ((b"%PDF-1.4 x", "https://e.com/", "NOT_HTML"), (b"<p>x", None, "BAD_URL"), (b"", "https://e.com/", "NO_CONTENT"), (b"x" * (8 << 20 | 1), "https://e.com/", "TOO_LARGE")):
    try:
        adit.convert(input, url)
        raise SystemExit(f"{code} was expected")
    except adit.AditError as e:
        assert e.code == code, (e.code, code)
page = adit.convert("<meta charset=iso-8859-1><p>Ein Satz mit Umlauten: ä ö ü, und lang genug, um einer zu sein.", "https://e.com/", headers={"X-Robots-Tag": "noindex"})
assert "ä ö ü" in page.md and page.noindex, page
try:
    page.tct
    raise SystemExit("a format that was not asked for")
except AttributeError:
    pass
payload = adit.convert(open(cases[0], "rb").read(), "https://e.com/", formats="tct")
assert adit.fingerprint(payload.tct) == payload.fingerprint and adit.check(payload.tct)["valid"]
assert not adit.check('{"url":1}')["valid"] and adit.FORMATS == tuple(FORMATS)
print(f"adit {adit.VERSION}: {pages} pages in five formats, {alone} in one, {8 * pages} from eight threads")
