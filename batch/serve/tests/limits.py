"""Slow and many clients of `adit serve`. Usage: serve_limits.py ADIT FOLDER; prints TAP lines without a plan."""
import http.server
import os
import re
import socket
import subprocess
import sys
import threading
import time

adit, folder = sys.argv[1:3]
WAIT = 30  # seconds; far above what anything here takes


def ok(passed, what, note=""):
    print(("ok" if passed else "not ok") + " - " + what)
    if not passed and note:
        print("# " + str(note)[:500].replace("\n", "\n# "))


class Server:
    def __init__(self, *args):
        self.process = subprocess.Popen([adit, "serve", *args, "--quiet", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        self.port = None
        for line in self.process.stderr:
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found[1])
                break

    def stop(self):
        self.process.terminate()
        self.process.stderr.read()
        return self.process.wait()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)


HOST = b"Host: 127.0.0.1\r\n"


def read_answer(s):
    """Status of one answer with a Content-Length, or '' at the end of the stream."""
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            part = s.recv(65536)
            if not part:
                return ""
            data += part
        head, body = data.split(b"\r\n\r\n", 1)
        found = re.search(rb"\r\ncontent-length: (\d+)", head, re.I)
        while len(body) < int(found[1]):
            part = s.recv(65536)
            if not part:
                return ""
            body += part
        return head.split()[1].decode()
    except OSError:
        return ""


def get(server):
    with server.connect() as s:
        s.sendall(b"GET /style.css HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        return read_answer(s)


def drip(server, begin, what):
    """Sends a byte now and then: the server must end it, although it is never idle for long."""
    s = server.connect()
    end = time.monotonic() + WAIT
    closed = False
    try:
        s.sendall(begin)
        s.settimeout(0.2)
        while time.monotonic() < end and not closed:
            try:
                closed = s.recv(4096) == b""
            except TimeoutError:
                s.sendall(b"x")
    except OSError:
        closed = True
    s.close()
    ok(closed, what)


server = Server(folder, "--header-timeout", "1")
drip(server, b"G", "a request line that never ends is given up")
drip(server, b"GET / HTTP/1.1\r\n" + HOST + b"X: ", "a header that never ends is given up")
with server.connect() as s:
    request = b"GET /style.css HTTP/1.1\r\n" + HOST + b"\r\n"
    s.sendall(request)
    first = read_answer(s)
    time.sleep(2.5)
    s.sendall(request)
    second = read_answer(s)
    ok((first, second) == ("200", "200"), "idle time between requests is not a header's time", (first, second))
    s.sendall(b"GET ")
    s.settimeout(WAIT)
    try:
        ok(s.recv(1) == b"", "a second header has a time, too")
    except OSError as e:
        ok(isinstance(e, ConnectionResetError), "a second header has a time, too", e)
ok(server.stop() == 0, "ends")

upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
threading.Thread(target=upstream.serve_forever, daemon=True).start()
server = Server(f"http://127.0.0.1:{upstream.server_address[1]}", "--body-timeout", "1")
drip(server, b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1000\r\n\r\n", "a body that never ends is given up")
ok(server.stop() == 0, "ends")
upstream.shutdown()

# More slow clients than there are seats.
server = Server(folder, "--max-connections", "64")
crowd = []
for i in range(200):
    s = server.connect()
    s.sendall(b"GET / HTTP/1.1\r\nX: " if i % 2 else b"")
    crowd.append(s)
served = [get(server) for _ in range(20)]
ok(served == ["200"] * 20, "200 slow connections at 64 seats: others are served", served)
ok(server.process.poll() is None, "and the server lives")
for s in crowd:
    s.close()
ok(get(server) == "200", "and after they have gone, too")
busy = server.connect()  # an idle connection of an ordinary client, fewer than the seats
busy.sendall(b"GET /style.css HTTP/1.1\r\n" + HOST + b"\r\n")
ok(read_answer(busy) == "200" and [get(server) for _ in range(20)] == ["200"] * 20, "with room, nobody has to go")
busy.sendall(b"GET /style.css HTTP/1.1\r\n" + HOST + b"\r\n")
ok(read_answer(busy) == "200", "an idle connection stays")
busy.close()
waiting = [server.connect() for _ in range(20)]
for s in waiting:
    s.sendall(b"GET / HTTP/1.1\r\nX: ")
before = len(os.listdir(f"/proc/{server.process.pid}/fd"))
ok(before < 64, "descriptors are given back", before)
start = time.monotonic()
ok(server.stop() == 0, "ends")
ok(time.monotonic() - start < 8, "and waits for no header that is still to come (10 s)", time.monotonic() - start)
