#!/usr/bin/env python3
"""A server on loopback for the tests of inputs by URL: ranges, and what can go wrong with them.

  inputs_server.py DIR [CERT KEY]

Prints its port. Below / lie the files of DIR; the first part of a path says how they are answered:
/plain/ no ranges, /cut/ each answer breaks off once, /moved/ by a redirect, /changing/ another ETag each
time, /gone/ 404. /s3/BUCKET/ checks the signature of every request (AWS Signature Version 4, key and
secret "AKIDEXAMPLE", "secret"). Ends with its parent's input."""
import hashlib
import hmac
import http.server
import os
import re
import ssl
import sys
import threading
import urllib.parse

DIR = sys.argv[1]
SECRET, KEY = "secret", "AKIDEXAMPLE"
cut = set()
count = 0


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature_fault(h):
    """What is wrong with the signature of a request; None: nothing."""
    m = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d{8})/([\w-]+)/s3/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})", h.headers.get("Authorization", ""))
    if not m:
        return "no signature: " + h.headers.get("Authorization", "none")
    key, day, region, names, signature = m.groups()
    date = h.headers.get("X-Amz-Date", "")
    if key != KEY or not date.startswith(day):
        return "another key or day"
    for name in ("host", "x-amz-date", "x-amz-content-sha256"):
        if name not in names.split(";"):
            return name + " is not signed"
    if h.headers.get("x-amz-security-token") and "x-amz-security-token" not in names.split(";"):
        return "the token is not signed"
    path, _, query = h.path.partition("?")
    fields = "".join(f"{n}:{' '.join(h.headers.get(n, '').split())}\n" for n in names.split(";"))
    canonical = "\n".join([h.command, path, query, fields, names, h.headers.get("x-amz-content-sha256", "")])
    scope = f"{day}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = mac(mac(mac(mac(("AWS4" + SECRET).encode(), day), region), "s3"), "aws4_request")
    want = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return None if want == signature else "another signature"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def refuse(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        global count
        count += 1
        path = urllib.parse.unquote(self.path.partition("?")[0]).lstrip("/")
        mode, _, name = path.partition("/")
        if mode == "moved":
            self.send_response(302)
            self.send_header("Location", "/ranges/" + name)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if mode == "s3":
            fault = signature_fault(self)
            if fault:
                return self.refuse(403, fault)
            name = name.partition("/")[2]
        if mode == "secret" and self.headers.get("X-Key") != "abc":
            return self.refuse(401, "no key")
        file = os.path.join(DIR, name)
        if mode == "gone" or not os.path.isfile(file):
            return self.refuse(404, "no such file")
        with open(file, "rb") as f:
            body = f.read()
        tag = f'"{count if mode == "changing" else len(body)}"'
        m = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if mode == "plain" or not m:
            self.send_response(200)
        elif int(m.group(1)) >= len(body):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(body)}")
            body = b""
        else:
            first = int(m.group(1))
            last = min(int(m.group(2) or len(body)), len(body) - 1)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
            body = body[first:last + 1]
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        what = (self.path, self.headers.get("Range"))
        if mode == "cut" and what not in cut:
            cut.add(what)
            self.wfile.write(body[:len(body) // 2])
            self.close_connection = True
            return
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
