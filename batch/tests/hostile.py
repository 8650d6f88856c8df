#!/usr/bin/env python3
"""A web server that misbehaves on purpose, for tests of the client.

  hostile.py DIR [--log FILE] [--cert FILE --key FILE]

Serves DIR on 127.0.0.1 as any server would (ETag, Last-Modified, 304, ranges, index.html), on two
ports: the site and another origin. Prints "PORT OTHER" and goes on until its stdin ends or it is
killed. Files are read again for every request. FILE gets a line of JSON for each request:
{"port", "method", "path", "headers" (names in lower case), "status"}.

A path is scripted by the file DIR/PATH.http (for "/": DIR/index.http; '?' of a query is written
'@', and without such a file the one of the bare path counts): a JSON list of answers, one a request, the last one again and again; or one answer. An answer
has these members, all of them optional:

  status 200, reason, headers {name: value or list}, body "text", repeat N (the body N times),
  file "path in DIR", json (any value), coding "gzip" | "deflate" | "zeros" (gzip of `repeat` MiB of zeros),
  length (what Content-Length claims; null: no length, the connection ends the body), chunked true,
  damage N (the byte at N is another one), cut N (the connection ends after N bytes of body), reset true (by RST), delay S (before the answer),
  drip S (between single bytes of the body), head_drip S (between bytes of the head),
  endless "body" | "headers" | "continue" | "chunks", raw "bytes as they are, \\x.. as latin-1",
  static true (what an honest server says, with the other members in place of its own),
  whole true (with it: whatever Range says),
  if {header: value}: an answer only for requests with this field (value "*": any); others are
  tried in turn, and this answer is not used up.

In strings {site} and {other} are the two origins, {path} is the request's path, {count} how often
this path was asked for.
"""
import argparse
import email.utils
import functools
import gzip
import hashlib
import json
import os
import socket
import socketserver
import ssl
import struct
import sys
import threading
import time
import zlib

TYPES = {".html": "text/html; charset=utf-8", ".json": "application/json", ".xml": "application/xml", ".txt": "text/plain", ".zst": "application/octet-stream", ".gz": "application/gzip"}
lock = threading.Lock()


@functools.cache
def zeros(n):
    """n MiB of zeros, compressed."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([pack.compress(bytes(1 << 20)) for _ in range(n)] + [pack.flush()])


class Site:
    def __init__(self, args):
        self.dir, self.log = args.dir, open(args.log, "a", buffering=1) if args.log else None
        self.counts, self.used, self.origins = {}, {}, {}

    def script(self, path):
        """The text of the script for this path, with its query or without."""
        path = path.split("#")[0]
        for name in dict.fromkeys((path.replace("?", "@"), path.split("?")[0])):
            try:
                with open(self.dir + (name + "index" if name.endswith("/") else name) + ".http", encoding="utf-8") as f:
                    return f.read()
            except OSError:
                pass
        return None

    def pick(self, path, headers):
        """The answer of a script for this request, or None. A script that was changed begins anew."""
        text = self.script(path)
        if text is None:
            return None
        try:
            answers = json.loads(text)
        except ValueError as e:
            return {"status": 599, "body": f"the script of {path} is no JSON: {e}"}
        plain = []
        for a in answers if isinstance(answers, list) else [answers]:
            wanted = a.get("if")
            if wanted is None:
                plain.append(a)
            elif all(headers.get(k.lower()) == v or (v == "*" and k.lower() in headers) for k, v in wanted.items()):
                return a
        with lock:
            before, at = self.used.get(path, (text, 0))
            at = at if before == text else 0
            self.used[path] = (text, at + 1)
        return plain[min(at, len(plain) - 1)] if plain else None


class Handler(socketserver.BaseRequestHandler):
    def read_head(self):
        while b"\r\n\r\n" not in self.pending:
            more = self.request.recv(65536)
            if not more:
                return None
            self.pending += more
        head, self.pending = self.pending.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        method, path = lines[0].split(" ")[:2]
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        return method, path, headers

    def handle(self):
        self.pending = b""
        try:
            while self.answer_one():
                pass
        except (OSError, ValueError):
            pass

    def answer_one(self):
        asked = self.read_head()
        if not asked:
            return False
        self.method, self.path, self.headers = asked
        site = self.server.site
        with lock:
            self.count = site.counts[self.path] = site.counts.get(self.path, 0) + 1
        answer = site.pick(self.path, self.headers)
        if answer is None or answer.get("static"):
            if answer and answer.get("whole"):
                self.headers.pop("range", None)
            answer = {**self.static(), **(answer or {})}
        if site.log:
            with lock:
                site.log.write(json.dumps({"port": self.server.server_address[1], "method": self.method, "path": self.path, "headers": self.headers, "status": answer.get("status", 200)}) + "\n")
        return self.send(answer)

    # --- what an honest server says ---
    def static(self):
        path = self.path.split("?")[0]
        file = os.path.normpath(self.server.site.dir + path)
        if os.path.isdir(file):
            if not path.endswith("/"):
                return {"status": 301, "headers": {"Location": path + "/"}}
            file += "/index.html"
        try:
            with open(file, "rb") as f:
                body = f.read()
            modified = int(os.stat(file).st_mtime)
        except OSError:
            return {"status": 404, "body": "not here\n"}
        etag = '"%s"' % hashlib.sha256(body).hexdigest()[:32]
        date = email.utils.formatdate(modified, usegmt=True)
        headers = {"ETag": etag, "Last-Modified": date, "Content-Type": TYPES.get(os.path.splitext(file)[1], "application/octet-stream"), "Accept-Ranges": "bytes"}
        given = self.headers.get("if-none-match")
        if given is not None:
            if given == "*" or etag in [t.strip().removeprefix("W/") for t in given.split(",")]:
                return {"status": 304, "headers": headers}
        elif self.headers.get("if-modified-since") == date:
            return {"status": 304, "headers": headers}
        wanted = self.headers.get("range", "")
        if wanted.startswith("bytes=") and wanted.endswith("-") and self.headers.get("if-range", etag) == etag:
            first = int(wanted[6:-1])
            if first >= len(body):
                return {"status": 416, "headers": {"Content-Range": f"bytes */{len(body)}"}}
            headers["Content-Range"] = f"bytes {first}-{len(body) - 1}/{len(body)}"
            return {"status": 206, "headers": headers, "bytes": body[first:]}
        return {"status": 200, "headers": headers, "bytes": body}

    # --- what this one does ---
    def fill(self, text):
        o = self.server.site.origins
        for name, value in (("site", o["site"]), ("other", o["other"]), ("path", self.path), ("count", str(self.count))):
            text = text.replace("{" + name + "}", value)
        return text

    def body_of(self, a):
        if "bytes" in a:
            body = a["bytes"]
        elif "file" in a:
            with open(os.path.join(self.server.site.dir, a["file"]), "rb") as f:
                body = f.read()
        elif "json" in a:
            body = self.fill(json.dumps(a["json"])).encode()
        else:
            body = self.fill(a.get("body", "")).encode()
        body *= a.get("repeat", 1)
        coding = a.get("coding")
        if coding == "zeros":
            return zeros(a.get("repeat", 1)), "gzip"
        if coding == "gzip":
            return gzip.compress(body, mtime=0), coding
        if coding == "deflate":
            return zlib.compress(body), coding
        return body, coding

    def drip(self, data, pause):
        for i in range(len(data)):
            self.request.sendall(data[i : i + 1])
            time.sleep(pause)

    def endless(self, kind):
        part = {"body": b"x" * 65536, "headers": b"X-More: " + b"y" * 1000 + b"\r\n", "continue": b"HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n", "chunks": b"1\r\nx\r\n"}[kind]
        for _ in range(1 << 20):
            self.request.sendall(part)

    def end(self, a):
        if a.get("reset"):
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    def send(self, a):
        time.sleep(a.get("delay", 0))
        if "raw" in a:
            self.request.sendall(self.fill(a["raw"]).encode("latin-1"))
            return self.end(a)
        if a.get("endless") == "continue":
            self.endless("continue")
        status = a.get("status", 200)
        body, coding = self.body_of(a)
        fields = []
        for name, values in a.get("headers", {}).items():
            for value in values if isinstance(values, list) else [values]:
                fields.append((name, self.fill(str(value))))
        if coding and not any(n.lower() == "content-encoding" for n, _ in fields):
            fields.append(("Content-Encoding", coding))
        chunked = a.get("chunked") or a.get("endless") == "chunks"
        length = a.get("length", len(body))
        if chunked:
            fields.append(("Transfer-Encoding", "chunked"))
        elif length is not None and a.get("endless") != "body" and status not in (304, 204):
            fields.append(("Content-Length", str(length)))
        head = f"HTTP/1.1 {status} {a.get('reason', 'X')}\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields)
        head = head.encode("latin-1", "replace")
        if a.get("head_drip"):
            self.drip(head, a["head_drip"])
        else:
            self.request.sendall(head)
        if a.get("endless") == "headers":
            self.endless("headers")
        self.request.sendall(b"\r\n")
        if a.get("endless"):
            self.endless(a["endless"])
        if self.method == "HEAD" or status in (304, 204):
            return True
        cut = a.get("cut")
        data = body if cut is None else body[:cut]
        if a.get("damage") is not None:
            data = data[: a["damage"]] + b"?" + data[a["damage"] + 1 :]
        if chunked:
            data = b"".join(b"%x\r\n%s\r\n" % (len(data[i : i + 1000]), data[i : i + 1000]) for i in range(0, len(data), 1000))
            data += b"" if cut is not None else b"0\r\n\r\n"
        if a.get("drip"):
            self.drip(data, a["drip"])
        else:
            self.request.sendall(data)
        return self.end(a) if cut is not None or length is None or (not chunked and length != len(body)) else True


class Server(socketserver.ThreadingTCPServer):
    daemon_threads, request_queue_size, allow_reuse_address = True, 128, True

    def get_request(self):
        conn, address = self.socket.accept()
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return conn, address

    def finish_request(self, request, client_address):
        if self.tls:
            request = self.tls.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)
        if self.tls:
            request.close()

    def handle_error(self, request, client_address):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dir")
    parser.add_argument("--log")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    args = parser.parse_args()
    site, tls = Site(args), None
    if args.cert:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(args.cert, args.key)
    ports = []
    for name in ("site", "other"):
        server = Server(("127.0.0.1", 0), Handler)
        server.site, server.tls = site, tls
        ports.append(server.server_address[1])
        site.origins[name] = f"http{'s' if tls else ''}://127.0.0.1:{ports[-1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(*ports, flush=True)
    while sys.stdin.buffer.read(4096):
        pass


main()
