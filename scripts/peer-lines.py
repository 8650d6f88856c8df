#!/usr/bin/env python3
"""A Python extractor as a process that answers a line with a line, as `adit page --lines` does: {"url", "html"} in,
{"text"} out. For scripts/bench-peers. Usage: peer-lines.py trafilatura|resiliparse|readability [--there]"""
import json, re, sys

name = sys.argv[1]
if name == "trafilatura":
    from trafilatura import extract
    convert = lambda page: extract(page["html"], url=page["url"], include_comments=False) or ""
elif name == "resiliparse":
    from resiliparse.extract.html2text import extract_plain_text
    convert = lambda page: extract_plain_text(page["html"], main_content=True)
else:
    from readability import Document
    convert = lambda page: re.sub(r"<[^>]+>", "\n", Document(page["html"]).summary())
if "--there" in sys.argv:
    sys.exit(0)
for line in sys.stdin:
    try:
        text = convert(json.loads(line))
    except Exception:  # a page that it cannot read is an empty answer
        text = ""
    print(json.dumps({"text": text}))
