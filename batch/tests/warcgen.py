#!/usr/bin/env python3
"""Writes a WARC file to stdout from lines of JSON on stdin, one record a line.

{"url": …, "date": …, "status": 200, "type": "text/html", "body": …, "headers": {…}}
"record": response (default), resource, conversion, revisit, request; "warc": {more WARC headers}.
usage: warcgen.py [plain|members|one] [shuffle SEED]"""
import gzip
import json
import random
import sys

how = sys.argv[1] if len(sys.argv) > 1 else "plain"


def block(r):
    kind = r.get("record", "response")
    body = r.get("body", "").encode()
    headers = "".join(f"{k}: {v}\r\n" for k, v in r.get("headers", {}).items())
    if kind in ("resource", "conversion"):
        return body, r.get("type", "text/html")
    if kind == "request":
        return f"GET / HTTP/1.1\r\n{headers}\r\n".encode(), "application/http; msgtype=request"
    head = f"HTTP/1.1 {r.get('status', 200)} X\r\nContent-Type: {r.get('type', 'text/html')}\r\n{headers}\r\n"
    return head.encode() + body, "application/http; msgtype=response"


def record(r):
    data, mime = block(r)
    more = "".join(f"{k}: {v}\r\n" for k, v in r.get("warc", {}).items())
    head = (f"WARC/1.0\r\nWARC-Type: {r.get('record', 'response')}\r\nWARC-Target-URI: {r['url']}\r\n"
            f"WARC-Date: {r['date']}\r\n{more}Content-Type: {mime}\r\nContent-Length: {len(data)}\r\n\r\n")
    return head.encode() + data + b"\r\n\r\n"


rows = [json.loads(line) for line in sys.stdin if line.strip()]
if len(sys.argv) > 3:
    random.Random(sys.argv[3]).shuffle(rows)
records = [record(r) for r in rows]
if how == "members":
    records = [gzip.compress(r, mtime=0) for r in records]
data = b"".join(records)
sys.stdout.buffer.write(gzip.compress(data, mtime=0) if how == "one" else data)
