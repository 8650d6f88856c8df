#!/usr/bin/env python3
"""Machine views of a folder of pages, as scripts for hostile.py.  Usage: make_views.py ADIT DIR ORIGIN

For every DIR/PATH/index.html a DIR/PATH/llm/index.http that answers as a TCT server would, and
DIR/llm-sitemap.json over all of them."""
import json
import os
import subprocess
import sys

adit, folder, origin = sys.argv[1:4]
items = []
for root, _, files in sorted(os.walk(folder)):
    if "index.html" not in files or os.path.basename(root) == "llm":
        continue
    path = "/" + os.path.relpath(root, folder).strip(".")
    path += "" if path.endswith("/") else "/"
    url = origin + path
    body = subprocess.run([adit, "page", os.path.join(root, "index.html"), "--url", url, "--format", "tct"], capture_output=True, check=True, text=True).stdout.rstrip("\n")
    payload = json.loads(body)
    etag = '"' + payload["hash"] + '"'
    headers = {"ETag": etag, "Content-Type": "application/json; charset=utf-8", "Cache-Control": "max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400", "Vary": "Accept-Encoding", "Link": f'<{url}>; rel="canonical"'}
    os.makedirs(os.path.join(root, "llm"), exist_ok=True)
    with open(os.path.join(root, "llm", "index.http"), "w") as f:
        json.dump([{"if": {"if-none-match": etag}, "status": 304, "headers": headers}, {"headers": headers, "body": body}], f)
    items.append({"cUrl": url, "mUrl": url + "llm/", "modified": "2026-01-01T00:00:00Z", "contentHash": payload["hash"]})
with open(os.path.join(folder, "llm-sitemap.json"), "w") as f:
    json.dump({"version": 1, "profile": "tct-1", "items": items}, f)
