#!/usr/bin/env python3
"""Makes a WACZ file for tests:  make_wacz.py OUT WARC [FAULT] <PAGES.jsonl

FAULT: hash (another hash in datapackage.json), stats (the same, as before WACZ 1.1), odd (entries that are none), size, digest (of datapackage.json), nopackage, unlisted,
deflated (the archive is deflated), encrypted, lzma, overlap, cut, many (100,001 members), local."""
import hashlib
import json
import struct
import sys
import zipfile

out, warc, fault = sys.argv[1], sys.argv[2], (sys.argv + [""])[3]
body, pages = open(warc, "rb").read(), sys.stdin.buffer.read()
name = "archive/" + warc.rsplit("/", 1)[-1]
method = {"deflated": zipfile.ZIP_DEFLATED, "lzma": zipfile.ZIP_LZMA}.get(fault, zipfile.ZIP_STORED)
with zipfile.ZipFile(out, "w") as z:
    z.writestr(name, body, compress_type=method)
    z.writestr("pages/pages.jsonl", pages, compress_type=zipfile.ZIP_DEFLATED)
    z.writestr("../../../../tmp/evil.warc", b"no path of anybody")
    resources = [{"name": name, "path": name, "hash": "sha256:" + hashlib.sha256(body + (b"x" if fault in ("hash", "stats") else b"")).hexdigest(), "bytes": len(body) + (fault == "size")}]
    if fault == "stats":  # before 1.1
        resources = [{"path": name, "stats": {k: resources[0][k] for k in ("hash", "bytes")}}]
    if fault == "odd":
        resources = [5, [], {"path": 7, "hash": [], "bytes": "x", "stats": 1}] + resources
    if fault == "unlisted":
        resources = []
    package = json.dumps({"profile": "data-package", "wacz_version": "1.1.1", "resources": resources}).encode()
    if fault != "nopackage":
        z.writestr("datapackage.json", package, compress_type=zipfile.ZIP_DEFLATED)
        z.writestr("datapackage-digest.json", json.dumps({"path": "datapackage.json", "hash": "sha256:" + hashlib.sha256(package + (b"x" if fault == "digest" else b"")).hexdigest()}))
    if fault == "many":
        for i in range(100001):
            z.writestr(f"x/{i}", b"")
data = bytearray(open(out, "rb").read())
entry = data.index(b"PK\1\2")
if fault == "encrypted":
    data[entry + 8] |= 1
if fault == "local":
    data[entry + 42:entry + 46] = struct.pack("<I", 7)
if fault == "overlap":  # every member claims the whole file
    at = entry
    while data[at:at + 4] == b"PK\1\2":
        data[at + 20:at + 28] = struct.pack("<II", len(data) - 100, len(data) - 100)
        data[at + 10:at + 12] = b"\0\0"
        at += 46 + sum(struct.unpack("<HHH", data[at + 28:at + 34]))
if fault == "cut":
    data = data[:entry + 20]
open(out, "wb").write(data)
