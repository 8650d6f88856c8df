#!/usr/bin/env python3
"""A site of N pages for the tests of sync.  Usage: make_site.py DIR N"""
import os
import sys

WORDS = "the site of many pages tells what every reader of a machine view wants to know about water stone light and wind".split()


def page(title, number, version=0):
    def sentence(seed):
        return " ".join(WORDS[(seed * 7 + i * (seed % 5 + 1)) % len(WORDS)] for i in range(24)).capitalize() + "."
    paragraphs = "".join(f"<p>{sentence(number * 13 + k + 101 * version)} Page {number}, part {k}, version {version}.</p>" for k in range(4))
    menu = "".join(f'<li><a href="/menu/{k}/">Entry {k} of the menu</a></li>' for k in range(30))
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body>'
            f'<nav><ul>{menu}</ul></nav><main><article><h1>{title}</h1>{paragraphs}</article></main>'
            f'<footer>Every page has this foot.</footer></body></html>\n')


def write(folder, number, version=0):
    path = os.path.join(folder, f"page-{number:04d}") if number else folder
    os.makedirs(path, exist_ok=True)
    name = os.path.join(path, "index.html")
    with open(name, "w", encoding="utf-8") as f:
        f.write(page(f"Page number {number}" if number else "The home page", number, version))
    os.utime(name, (1700000000 + 1000 * version + number,) * 2)


if __name__ == "__main__":
    folder, n = sys.argv[1], int(sys.argv[2])
    if len(sys.argv) > 3:  # edits: make_site.py DIR FROM VERSION COUNT
        for k in range(n, n + int(sys.argv[4])):
            write(folder, k, int(sys.argv[3]))
    else:
        for k in range(n):
            write(folder, k)
