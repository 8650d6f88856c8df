"""adit serve in front of a server that lies: every row is an answer as raw bytes, and what a client
must see of it as a page and as a machine view. Prints TAP.

  serve_upstream.py ADIT DIR
"""
import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import time

PAGE = (b'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title></head><body><main><h1>T</h1>'
        b"<p>The first paragraph has enough words to be taken for content by any reader of this page.</p>"
        b"<p>The second one is here so that there is more than a single block of text.</p></main></body></html>\n")
LENGTH = b"Content-Length: %d\r\n" % len(PAGE)
TYPE = b"Content-Type: text/html; charset=utf-8\r\n"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def chunks(body, end=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(body[i : i + 100]), body[i : i + 100]) for i in range(0, len(body), 100)) + end


def plain(fields=b"", status=OK, body=PAGE):
    return status + TYPE + LENGTH + fields + b"\r\n" + body


http.client._MAXHEADERS = 1000
BROKEN = "broken"  # the transfer ends before its end, or there is no answer at all
REFUSED = (502, 502)
FINE = (200, 200)
CUT = (BROKEN, 502)
CSP = "default-src " + " ".join(f"https://host{i}.example" for i in range(400))  # 8.9 KB

# name, answer (bytes, or a list of bytes and pauses in seconds; the connection stays open unless it
# ends with None), (status of the page, of the machine view), fields that the page must have
ROWS = [
    ("plain", plain(), FINE, {}),
    ("chunked", OK + TYPE + CHUNKED + b"\r\n" + chunks(PAGE), FINE, {}),
    ("until the end", [OK + TYPE + b"\r\n" + PAGE, None], FINE, {}),
    ("bare LF", plain().replace(b"\r\n", b"\n"), FINE, {}),
    ("no reason", plain(status=b"HTTP/1.1 200\r\n"), FINE, {}),
    ("behind 1xx", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n" + plain(), FINE, {"x-early": None}),
    ("a long policy", plain(b"Content-Security-Policy: " + CSP.encode() + b"\r\n"), FINE, {"content-security-policy": CSP}),
    ("a field of 30,000 bytes", plain(b"X-Long: " + b"x" * 30000 + b"\r\n"), FINE, {"x-long": "x" * 30000}),
    ("254 fields beside two", plain(b"".join(b"X-F: %d\r\n" % i for i in range(254))), FINE, {"x-f": ", ".join(map(str, range(254)))}),
    ("an empty field", plain(b"X-Empty:\r\n"), FINE, {"x-empty": ""}),
    ("UTF-8 in a field", plain("X-Name: Größe\r\n".encode()), FINE, {"x-name": "Größe".encode().decode("latin-1")}),
    ("fields that Connection names", plain(b"Connection: X-Hop\r\nConnection: x-two\r\nX-Hop: 1\r\nX-Two: 1\r\nX-Stays: 1\r\n"), FINE, {"x-hop": None, "x-two": None, "x-stays": "1"}),
    ("trailers", OK + TYPE + CHUNKED + b"\r\n" + chunks(PAGE, b"0\r\nSet-Cookie: injected=1\r\nContent-Length: 3\r\n\r\n"), FINE, {"set-cookie": None}),
    ("no body at all", b"HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n", (204, None), {"x-a": "b"}),
    ("two lengths", plain(b"Content-Length: 5\r\n"), REFUSED, {}),
    ("two lengths, the longer last", OK + TYPE + b"Content-Length: 5\r\n" + LENGTH + b"\r\n" + PAGE, REFUSED, {}),
    ("two equal lengths", plain(LENGTH), REFUSED, {}),
    ("a list of lengths", OK + TYPE + b"Content-Length: %d, %d\r\n\r\n" % (len(PAGE), len(PAGE)) + PAGE, REFUSED, {}),
    ("a length with a sign", OK + TYPE + b"Content-Length: +%d\r\n\r\n" % len(PAGE) + PAGE, REFUSED, {}),
    ("a length in hexadecimal", OK + TYPE + b"Content-Length: 0x%x\r\n\r\n" % len(PAGE) + PAGE, REFUSED, {}),
    ("a length beyond 64 bits", OK + TYPE + b"Content-Length: 99999999999999999999\r\n\r\n" + PAGE, REFUSED, {}),
    ("an empty length", OK + TYPE + b"Content-Length:\r\n\r\n" + PAGE, REFUSED, {}),
    ("a length with a space before its colon", OK + TYPE + b"Content-Length : 5\r\n" + CHUNKED + b"\r\n" + chunks(PAGE), REFUSED, {}),
    ("length and chunks", OK + TYPE + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n" + chunks(PAGE), REFUSED, {}),
    ("chunks and length", OK + TYPE + CHUNKED + b"Content-Length: 5\r\n\r\n" + chunks(PAGE), REFUSED, {}),
    ("chunked twice", OK + TYPE + CHUNKED + CHUNKED + b"\r\n" + chunks(PAGE), REFUSED, {}),
    ("chunked, identity", OK + TYPE + b"Transfer-Encoding: chunked, identity\r\n\r\n" + chunks(PAGE), REFUSED, {}),
    ("identity", OK + TYPE + b"Transfer-Encoding: identity\r\n" + LENGTH + b"\r\n" + PAGE, REFUSED, {}),
    ("an unknown transfer coding", [OK + TYPE + b"Transfer-Encoding: xchunked\r\n\r\n" + PAGE, None], REFUSED, {}),
    ("chunked with a vertical tab", [OK + TYPE + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + chunks(PAGE), None], REFUSED, {}),
    ("chunks in HTTP/1.0", [b"HTTP/1.0 200 OK\r\n" + TYPE + CHUNKED + b"\r\n" + chunks(PAGE), None], REFUSED, {}),
    ("257 fields", plain(b"X-F: y\r\n" * 254 + b"Set-Cookie: last=1\r\n"), REFUSED, {}),
    ("a header of 33,000 bytes", plain(b"X-Long: " + b"x" * 33000 + b"\r\n"), REFUSED, {}),
    ("a folded line", plain(b"X-A: b\r\n c\r\n"), REFUSED, {}),
    ("a field in a folded line", plain(b"X-A: b\r\n Set-Cookie: injected=1\r\n"), REFUSED, {}),
    ("a fold before the first field", OK + b" X: y\r\n" + TYPE + LENGTH + b"\r\n" + PAGE, REFUSED, {}),
    ("a control character", plain(b"X-A: a\x01b\r\n"), REFUSED, {}),
    ("a DEL", plain(b"X-A: a\x7fb\r\n"), REFUSED, {}),
    ("a bare CR", plain(b"X-A: a\rSet-Cookie: injected=1\r\n"), REFUSED, {}),
    ("a NUL", plain(b"X-A: a\x00b\r\n"), REFUSED, {}),
    ("a name with a space", plain(b"X A: b\r\n"), REFUSED, {}),
    ("a name with a space at its end", plain(b"Set-Cookie : a=b\r\n"), REFUSED, {}),
    ("a name in UTF-8", plain("Größe: b\r\n".encode()), REFUSED, {}),
    ("no name", plain(b": b\r\n"), REFUSED, {}),
    ("no colon", plain(b"nonsense\r\n"), REFUSED, {}),
    ("a second status line", plain(b"HTTP/1.1 200 OK: x\r\n"), REFUSED, {}),
    ("no status", plain(status=b"HTTP/1.1 two\r\n"), REFUSED, {}),
    ("a status of four digits", plain(status=b"HTTP/1.1 2000 OK\r\n"), REFUSED, {}),
    ("status 999", plain(status=b"HTTP/1.1 999 X\r\n"), REFUSED, {}),
    ("another protocol", [plain(status=b"SIP/2.0 200 OK\r\n"), None], REFUSED, {}),
    ("HTTP/2 that is none", [plain(status=b"HTTP/2 200 OK\r\n"), None], REFUSED, {}),
    ("HTTP/0.9", [PAGE, None], REFUSED, {}),
    ("a switch of protocols", [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + plain(), None], REFUSED, {}),
    ("a flood of 1xx", b"HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n" * 20000 + plain(), REFUSED, {}),
    ("nothing", [None], REFUSED, {}),
    ("half a header", [OK + TYPE, None], REFUSED, {}),
    ("shorter than it says", [plain(body=PAGE[:-20]), None], CUT, {}),
    ("longer than it says", plain(body=PAGE + b"more"), CUT, {}),
    ("longer than it says, later", [plain(body=PAGE[:100]), 0.3, PAGE[100:] + b"more"], CUT, {}),
    ("chunks without an end", [OK + TYPE + CHUNKED + b"\r\n" + chunks(PAGE, b""), None], CUT, {}),
    ("a chunk that is none", [OK + TYPE + CHUNKED + b"\r\n" + chunks(PAGE, b"zz\r\n\r\n"), None], CUT, {}),
    ("a chunk of 2^64 bytes", [OK + TYPE + CHUNKED + b"\r\n" + chunks(PAGE, b"10000000000000000\r\nx\r\n"), None], CUT, {}),
]


def slug(name):
    return re.sub(r"\W+", "-", name)


class Upstream(threading.Thread):
    """Answers each path with its row's bytes, and keeps what was asked, as raw bytes."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        self.answers = {"/" + slug(name): answer for name, answer, _, _ in ROWS}
        self.asked = []

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=(self.socket.accept()[0],), daemon=True).start()

    def read(self, conn, pending):
        """One request, head and body, as it came; None at the end."""
        while b"\r\n\r\n" not in pending:
            more = conn.recv(65536)
            if not more:
                return None, b""
            pending += more
        end = pending.index(b"\r\n\r\n") + 4
        length = re.search(rb"\r\nContent-Length: (\d+)\r\n", pending[:end], re.I)
        end += int(length[1]) if length else 0
        while len(pending) < end:
            pending += conn.recv(65536)
        return pending[:end], pending[end:]

    def serve(self, conn):
        pending = b""
        try:
            while True:
                request, pending = self.read(conn, pending)
                if request is None:
                    return
                self.asked.append(request)
                path = request.split(b" ")[1].decode("latin-1")
                answer = self.answers.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                for part in answer if isinstance(answer, list) else [answer]:
                    if part is None:
                        return
                    if isinstance(part, float):
                        time.sleep(part)
                    else:
                        conn.sendall(part)
        except OSError:
            pass
        finally:
            conn.close()


class Tap:
    n = failed = 0

    def ok(self, fine, what, *notes):
        self.n += 1
        self.failed += not fine
        print(f"{'ok' if fine else 'not ok'} {self.n} - {what}")
        for note in notes if not fine else ():
            print("# " + repr(note)[:600])
        sys.stdout.flush()

    def same(self, got, expected, what):
        self.ok(got == expected, what, got, expected)


class Adit:
    def __init__(self, *args):
        self.process = subprocess.Popen([*args, "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.said = ""
        while "listening on" not in self.said:
            line = self.process.stderr.readline()
            if not line:
                sys.exit("adit does not start: " + self.said)
            self.said += line
        self.port = int(re.search(r"listening on http://127.0.0.1:(\d+)/", self.said)[1])

    def stop(self):
        """Its exit code, after printing what a sanitizer said."""
        self.process.terminate()
        _, rest = self.process.communicate(timeout=60)
        print("".join("# " + line + "\n" for line in rest.splitlines()[:60]), end="")
        return self.process.returncode


def ask(port, path, method="GET", headers=None, body=None, **options):
    """Status or BROKEN, fields (lower case; several joined), body."""
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        c.request(method, path, body=body, headers=headers or {}, **options)
        r = c.getresponse()
        fields = {}
        for name, value in r.getheaders():
            fields[name.lower()] = fields[name.lower()] + ", " + value if name.lower() in fields else value
        return r.status, fields, r.read()
    except (http.client.HTTPException, OSError):
        return BROKEN, {}, b""
    finally:
        c.close()


def raw(port, data):
    """What comes for these bytes, until the connection ends."""
    s = socket.create_connection(("127.0.0.1", port), timeout=60)
    s.sendall(data)
    got = b""
    try:
        while more := s.recv(65536):
            got += more
    except OSError:
        pass
    s.close()
    return got


def answers(tap, port, up):
    """Each row, as a page and as a machine view."""
    content = None
    for name, _, (page, view), fields in ROWS:
        status, got, body = ask(port, "/" + slug(name))
        tap.ok(status == page, f"{name}: page", status, page, body)
        if status == 200:
            tap.ok(re.sub(rb'<link rel="alternate"[^>]*>', b"", body) == PAGE, f"{name}: its bytes", body)
        if status == 502 and page == 502:
            tap.ok(body.startswith(b"The origin") and got.get("cache-control") == "no-store", f"{name}: says so", body, got)
        for field, value in fields.items():
            tap.ok(got.get(field) == value, f"{name}: {field}", got.get(field))
        if view is None:
            continue
        status, got, body = ask(port, "/" + slug(name) + "/llm")
        tap.ok(status == view, f"{name}: machine view", status, view, body)
        if status == 200:
            content = content or json.loads(body)["content"]
            tap.same(json.loads(body)["content"], content, f"{name}: the same content")


def requests(tap, port, up):
    """What is really sent, byte by byte."""
    up.answers["/echo"] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    def sent(data):
        before = len(up.asked)
        raw(port, data)
        tap.same(len(up.asked), before + 1, "one request for one: " + data.split(b"\r\n")[0].decode())
        head, _, body = up.asked[-1].partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        return lines[0], sorted(line.partition(": ")[0].lower() for line in lines[1:]), lines[1:], body

    host = b"Host: 127.0.0.1:%d\r\nConnection: close\r\n" % port
    usual = ["cdn-loop", "host", "via", "x-forwarded-for"]
    for method in ("GET", "HEAD", "DELETE", "OPTIONS"):
        first, names, lines, body = sent(f"{method} /echo HTTP/1.1\r\n".encode() + host + b"\r\n")
        pages = ["accept-encoding"] if method in ("GET", "HEAD") else []  # it may be rewritten: unencoded
        tap.same((first, names, body), (f"{method} /echo HTTP/1.1", pages + usual, b""), f"{method}: nothing of curl's own")
    tap.ok(f"Host: 127.0.0.1:{up.port}" in lines, "the upstream's own name", lines)
    first, names, lines, body = sent(b"GET /echo HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\n" + host + b"\r\n")
    tap.ok("x-forwarded-for: 192.0.2.1, 127.0.0.1" in lines, "X-Forwarded-For goes on", lines)
    for field in ("X-Forwarded-For", "Via", "CDN-Loop"):
        before = len(up.asked)
        status = raw(port, b"GET /echo HTTP/1.1\r\n" + host + f"{field}: {'a' * 8190}\r\n\r\n".encode()).split(b" ")[1]
        tap.same((status, len(up.asked) - before), (b"431", 0), f"{field} that is full: refused, not left out")
    for method in ("POST", "PUT", "PATCH"):
        line = f"{method} /echo HTTP/1.1\r\n".encode() + host
        first, names, lines, body = sent(line + b"Content-Length: 0\r\n\r\n")
        tap.same((names, "Content-Length: 0" in lines, body), (sorted(usual + ["content-length"]), True, b""), f"{method}, empty: its length")
        big = b"x" * 100000  # curl waits for 100 Continue with bodies like this one, unless it is told not to
        first, names, lines, body = sent(line + b"Content-Length: 100000\r\n\r\n" + big)
        tap.same((names, "Content-Length: 100000" in lines, body == big), (sorted(usual + ["content-length"]), True, True), f"{method} with a length: one length, no Expect")
        first, names, lines, body = sent(line + CHUNKED + b"\r\n" + chunks(b"y" * 1000))
        tap.same((names, "Content-Length: 1000" in lines, body), (sorted(usual + ["content-length"]), True, b"y" * 1000), f"{method} in chunks: a length, no chunks")


def reuse(tap, port, up):
    """Bytes behind an answer are not the answer to the next request."""
    forged = plain(b"X-Forged: 1\r\n")
    for name, method, answer in (
        ("behind a 304", "GET", [b"HTTP/1.1 304 Not Modified\r\n\r\n", 0.1, forged]),
        ("behind a HEAD", "HEAD", [plain(body=b""), 0.1, forged]),
        ("behind a 204", "GET", [b"HTTP/1.1 204 No Content\r\n\r\n", 0.1, forged]),
        ("behind a body", "GET", [plain(), 0.1, forged]),
        ("in one piece with a HEAD", "HEAD", plain(body=b"") + forged),
        ("in one piece with a 304", "GET", b"HTTP/1.1 304 Not Modified\r\n\r\n" + forged),
        ("in many pieces with a HEAD", "HEAD", plain(body=b"") + forged * 2000),
    ):
        up.answers["/noisy"] = answer
        ask(port, "/noisy", method)
        time.sleep(0.4)
        tap.ok("x-forged" not in ask(port, "/plain")[1], f"an answer {name} is nobody's")


def slow(tap, port, up):
    """A page that takes long to convert keeps few others waiting."""
    rows = b"<tr><td>some words in a row</td><td>and more of them</td></tr>" * 20000
    big = PAGE.replace(b"</main>", b"<table>" + rows + b"</table></main>")
    up.answers["/slow"] = OK + TYPE + b"Content-Length: %d\r\n\r\n" % len(big) + big
    for i in range(48):
        up.answers[f"/page{i}"] = plain()
    times, done = [], threading.Event()

    def timed(path):
        start = time.monotonic()
        status = ask(port, path)[0]
        return time.monotonic() - start if status == 200 else 1e9

    def hammer():
        while not done.is_set():
            times.append(timed("/slow/llm"))

    thread = threading.Thread(target=hammer)
    thread.start()
    others = [timed(f"/page{i}/llm") for i in range(48)]
    done.set()
    thread.join()
    limit = sorted(times)[len(times) // 2] / 3
    kept = sum(t > limit for t in others)
    tap.ok(kept <= 9, "a slow page keeps few others waiting: below a fifth", kept, limit, others)


def main():
    adit, folder = sys.argv[1:]
    tap, up = Tap(), Upstream()
    up.start()
    server = Adit(adit, "serve", f"http://127.0.0.1:{up.port}", "--quiet")
    for part in (answers, requests, reuse, slow):
        try:
            part(tap, server.port, up)
        except Exception as e:
            tap.ok(False, part.__name__, e)
    tap.same(server.stop(), 0, "and ends well")
    print(f"1..{tap.n}")
    sys.exit(tap.failed > 0)


main()
