#!/usr/bin/env python3
"""Prints TAP: control characters in every field that can come from input, through every command.

  terminal.py ADIT DIR

Nothing on stderr, in listings for people, or on a terminal may hold a control character other than
TAB and LF, a byte that is not UTF-8, or a bidirectional override. Data stays as it is in a pipe."""
import http.server
import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import tty

ADIT, DIR = sys.argv[1:]
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Sets the title and clears the screen, 7-bit and 8-bit; DEL; an override; a line of its own.
POISON = "p\x1b]0;owned\x07\x1b[2J\x9b2J\x7f\u202e\u2066q\nforged: line\r"
RAW = POISON.encode() + b"\xff\xc2"  # and bytes that are no UTF-8
NAME = POISON.replace("\n", "") + "n"
count = failures = 0


def ok(good, what, *notes):
    global count, failures
    count, failures = count + 1, failures + (not good)
    print(f"{'ok' if good else 'not ok'} {count} - {what}")
    for note in notes if not good else []:
        print("# " + repr(note)[:900])


def faults(stream):
    """What is unsafe in what was printed."""
    try:
        return UNSAFE.findall(stream.decode())
    except UnicodeDecodeError as e:
        return [str(e)]


def adit(*args):
    return subprocess.run([os.fsencode(ADIT), *(a if isinstance(a, bytes) else os.fsencode(a) for a in args)], stdin=subprocess.DEVNULL, capture_output=True, timeout=300)


def safe(what, *args, says=None, data=False):
    """A run whose output is for people; with data: only what is on stderr."""
    r = adit(*args)
    bad = faults(r.stderr) + (faults(r.stdout) if not data else [])
    lines = [line for line in (r.stdout + r.stderr).splitlines() if line.startswith(b"forged")]
    told = says is None or says.encode() in r.stdout + r.stderr
    ok(0 <= r.returncode <= 3 and not bad and not lines and told, what, r.returncode, bad, lines, r.stdout, r.stderr)


def on_terminal(*args):
    """What a terminal would get on stdout."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    p = subprocess.Popen([ADIT, *args], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    out = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    p.wait(300)
    return out


def put(name, content):
    path = os.path.join(os.fsencode(DIR), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


# --- collections: escaped in JSON (a reader decodes it), and raw as far as JSON allows

META = {"id": "a", "section": "s", "type": "snapshot", "generated": "2000-01-01T00:00:00Z", "version": "0.1"}
PAGE = {"url": "https://example.com/", "title": "t", "description": "d", "modified": "2000-01-01T00:00:00Z", "language": "en", "content": [{"type": "text", "text": "x"}]}
MILD = re.sub("[\x00-\x1f]", "", POISON)


def collection(name, meta, page):
    return put(name, json.dumps({"collection": meta}) + "\n" + json.dumps(page) + "\n")


def collections():
    for key in [*META, "since", "checksum"]:
        for form, value in ("escaped", POISON), ("raw", MILD):
            meta = {**META, key: value}
            f = put(f"{key}-{form}.scp", json.dumps({"collection": meta}, ensure_ascii=form == "escaped") + "\n" + json.dumps(PAGE) + "\n")
            for command in "check", "stat":
                safe(f"{command}: {key}, {form}", command, f)
    for key in PAGE:
        f = collection(f"page-{key}.scp", META, {**PAGE, key: [{"type": POISON, "text": POISON}] if key == "content" else POISON})
        for command in ("check",), ("stat",), ("stat", "--lenient"):
            safe(f"{' '.join(command)}: a page's {key}", *command, f)
    f = put("raw.scp", b'{"collection":{"id":"' + RAW + b'"}}\n' + RAW)
    for command in "check", "stat", "cat":
        safe(f"{command}: bytes that are no JSON", command, f)
    f = collection("id.scp", {**META, "id": POISON, "section": POISON}, PAGE)
    g = collection("id2.scp", {**META, "id": "b", "section": POISON, "generated": "2000-01-02T00:00:00Z"}, {**PAGE, "url": "https://example.com/" + POISON})
    for command in "delta", "apply", "merge":
        safe(f"{command}: section", command, f, g, "-o", os.path.join(os.fsencode(DIR), b"out.scp"))
    safe("cat --url", "cat", f, "--url", POISON)
    safe("changes: a collection", "changes", f, g, "-o", DIR + "/ch", "--base-url", "https://example.com/")


def shown():
    """Data: to a pipe byte for byte, to a terminal escaped."""
    f = collection("show.scp", META, {**PAGE, "title": POISON, "content": [{"type": "text", "text": POISON}]})
    for form in "text", "md":
        piped, seen = adit("cat", f, "--format", form).stdout, on_terminal("cat", f, "--format", form)
        ok(b"\x1b" in piped, f"cat --format {form}: as it is in a pipe", piped)
        ok(b"\\x1b" in seen and not faults(seen), f"cat --format {form}: escaped on a terminal", seen)
    f = collection("line.scp", META, PAGE)
    with open(f, "ab") as out:
        out.write(json.dumps({**PAGE, "url": "https://example.com/2", "title": MILD}, ensure_ascii=False).encode() + b"\n")
    piped, seen = adit("cat", f).stdout, on_terminal("cat", f)
    ok(MILD.encode() in piped, "cat: C1 in a pipe", piped)
    ok(b"\\u{9B}" in seen and b"\\u{202E}" in seen and not faults(seen), "cat: escaped on a terminal", seen)
    for command in ("stat", "--json"), ("check", "--json"), ("delta", f, "-o", "-"), ("merge", "-o", "-"):
        seen = on_terminal(*command, f)
        ok(len(seen) > 20 and not faults(seen), f"{command[0]} to a terminal", seen)


# --- documents, pages, configurations

def documents():
    hash_ = "sha256-" + "0" * 64
    payload = {"canonical_url": "https://e/", "content": "x", "hash": hash_, "profile": "tct-1", "title": "t"}
    item = {"cUrl": "https://e/", "mUrl": "https://e/m", "contentHash": hash_, "modified": "2000-01-01T00:00:00Z"}
    entry = {"checksum": "sha256:x", "expires": "2000", "file": "f", "generated": "2000", "id": "i", "section": "s", "sha256": "x", "type": "delta"}
    for key in payload:
        safe(f"check: a payload's {key}", "check", put("p.json", json.dumps({**payload, key: POISON, POISON: 1})))
    for key in item:
        safe(f"check: a sitemap's {key}", "check", put("s.json", json.dumps({"version": 1, "profile": POISON, "items": [{**item, key: POISON}]})))
    for key in entry:
        safe(f"check: a manifest's {key}", "check", put("scp-manifest.json", json.dumps({"version": 1, "origin": POISON, "collections": [{**entry, key: POISON}]})))
    marks = "&#x9b;2J&#x7f;&#x202e;\x7f\u202e"
    xml = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:rs='http://www.openarchives.org/rs/terms/' xmlns:scp='https://scp-protocol.org/schemas/sitemap/1.0'><scp:version>{marks}</scp:version><scp:collection section='{marks}' type='{marks}' url='{marks}' generated='{marks}'/><rs:md capability='{marks}'/><url><loc>{marks}</loc><lastmod>{marks}</lastmod><rs:md change='{marks}' datetime='{marks}'/></url></urlset>"
    safe("check: a sitemap in XML", "check", put("s.xml", xml))
    safe("check: broken XML", "check", put("b.xml", b"<urlset>" + RAW + b"<" + RAW))


HTML = "<!doctype html><html lang=en><head><title>{0}</title><link rel=canonical href='https://example.com/{0}'></head><body><main><h1>T</h1><p>Every page here has a paragraph that is long enough to count as content, {0} and this sentence is it.</p><p>Another one, so that there are two of them here.</p></main></body></html>"


def pages():
    f = put("page.html", HTML.format("&#27;[2J&#x9b;2J&#x7f;&#x202e;" + MILD))
    url = ("--url", "https://example.com/")
    for form in "text", "md", "scp", "tct":
        piped, seen = adit("page", f, *url, "--format", form).stdout, on_terminal("page", f, *url, "--format", form)
        ok(len(piped) > 100 and len(seen) > 100 and not faults(seen), f"page --format {form} on a terminal", seen)
    seen = on_terminal("page", f, *url, "--explain")
    ok(len(seen) > 100 and not faults(seen), "page --explain on a terminal", seen)
    odd = put(NAME + ".html", b"")
    safe("page: a file's name", "page", odd, *url, says="\\x1b]0;owned\\x07")
    safe("page: no such file", "page", RAW.replace(b"\n", b""), *url, says="\\xff")
    for option in "url", "format", "header", "date", "charset", "language":
        safe(f"page --{option}", "page", f, *(url if option != "url" else ()), f"--{option}", RAW, data=True)
    safe("an option", "page", b"--" + RAW)
    safe("a command", RAW)
    safe("help", "help", RAW)
    safe("fingerprint", "fingerprint", f, "--method", RAW)
    for n, config in enumerate(({POISON: 1}, {"origin": POISON}, {"origin": "https://e.com", "limits": {POISON: 1}}, {"origin": "https://e.com", "exclude": [POISON], "sections": {POISON: POISON}}, {"origin": "https://e.com", "homepage": POISON})):
        c = put(f"c{n}.json", json.dumps(config))
        safe(f"pack: configuration {n}", "pack", DIR + "/tree", "-o", DIR + "/cfg", "--config", c)
        if n != 3:
            safe(f"serve: configuration {n}", "serve", DIR, "--config", c, "--listen", "127.0.0.1:" + POISON)


# --- archives

def warc(name, *records):
    out = b""
    for url, head, body in records:
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + b"Content-Length: %d\r\n\r\n" % len(body) + body
        out += b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:" + RAW.replace(b"\n", b"").replace(b"\r", b"") + b">\r\nWARC-Target-URI: " + url + b"\r\nContent-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"
    return put(name, out)


def archives():
    field, text = RAW.replace(b"\n", b"").replace(b"\r", b""), HTML.format(MILD).encode()
    records = [(b"https://example.com/" + field, b"X-Robots-Tag: " + field + b"\r\nETag: " + field + b"\r\n", text), (b"https://" + field + b"/x", b"", text), (field, b"", text), (b"https://example.com/ok", b"", text), (b"https://other.example/", b"", text)]
    f = warc(NAME + ".warc", *records)
    for n, options in enumerate((["--dry-run", "--host", "example.com"], ["--host", "example.com"], [], ["--by-host"], ["--mixed"], ["--host", field], ["--include", field, "--mixed"], ["--section", RAW, "--mixed"])):
        safe(f"pack: {options}", "pack", f, "-o", f"{DIR}/pack{n}", *options)
    for name in NAME, NAME + ".warc":
        put(f"tree/{name}/index.html", text)
    safe("pack: names in a folder", "pack", DIR + "/tree", "--base-url", "https://example.com/", "-o", DIR + "/packtree", "--dry-run")
    safe("pack: damage", "pack", put(NAME + ".gz", b"\x1f\x8b\x08" + RAW), put(NAME + "2.warc", b"WARC/1.0\r\n" + RAW), "-o", DIR + "/packbad", "--mixed")
    safe("changes: folders", "changes", DIR + "/tree", DIR + "/tree", "-o", DIR + "/" + NAME, "--base-url", "https://example.com/")
    store = DIR + "/store"
    safe("archive", "archive", f, "-o", store, "--crawler", field)
    safe("archive ls", "archive", "ls", store)
    for command in "ls", "show", "diff", "get", "tombstone":
        safe(f"archive {command}: what is not there", "archive", command, store, RAW)
    safe("archive get --what", "archive", "get", store, "https://example.com/ok", "--what", RAW)
    for command in ("get",), ("get", "--what", "clean"), ("show",), ("ls", "--json"):
        seen = on_terminal("archive", *command[:1], store, "https://example.com/ok", *command[1:])
        ok(len(seen) > 20 and not faults(seen), f"archive {' '.join(command)} on a terminal", seen)
    # The files of an archive that comes from somebody else.
    for root, _, names in os.walk(os.fsencode(store)):
        for name in names:
            if name.endswith(b".json"):
                with open(os.path.join(root, name), "r+b") as file:
                    was = file.read()
                    file.seek(0)
                    file.truncate()
                    file.write(re.sub(rb'"(lastSeen|url|canonical|createdAt|title)":"[^"]*', rb'"\1":"' + json.dumps(POISON)[1:-1].encode().replace(b"\\", b"\\\\"), was))
    for command in ("ls",), ("ls", "https://example.com/ok"), ("verify",), ("diff", "https://example.com/ok"):
        safe(f"archive {command[0]}: files of others", "archive", command[0], store, *command[1:])
    put("store2/.adit/journal", b"E " + RAW.replace(b"\n", b"") + b"\nM 0 " + RAW)
    safe("archive: a journal of others", "archive", f, "-o", DIR + "/store2")


# --- servers

class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        base = "http://127.0.0.1:%d" % self.server.server_address[1]
        bad = MILD.encode().decode("latin-1")
        status, head, body = 200, {"Content-Type": "text/html"}, HTML.format(MILD)
        if self.path == "/robots.txt":
            body = f"User-agent: *\nDisallow: /{POISON}\nSitemap: {base}/{POISON}\nSitemap: {base}/sitemap.xml\nSitemap: http://{MILD}.example/\n"
        elif self.path == "/llm-sitemap.json":
            body = json.dumps({"version": 1, "profile": "tct-1", "items": [{"cUrl": f"{base}/{n}{POISON}/", "mUrl": f"{base}/{n}/llm/", "contentHash": "sha256-" + "0" * 64} for n in "abc"]})
        elif self.path in ("/.well-known/resourcesync", "/sitemap.xml"):
            rs = "http://www.openarchives.org/rs/terms/"
            body = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:rs='{rs}'><rs:md capability='description'/><url><loc>{base}/&#x9b;{MILD}/c.xml</loc><rs:md capability='capabilitylist'/></url><url><loc>{base}/moved</loc><rs:md capability='capabilitylist'/></url></urlset>"
        elif self.path == "/moved":
            status, head["Location"] = 302, "http://127.0.0.1:1/" + bad
        elif self.path.endswith("/llm/"):
            body = json.dumps({"canonical_url": POISON, "content": POISON, "hash": POISON, "profile": POISON, "title": POISON})
            head |= {"Content-Type": bad, "ETag": f'"{bad}"', "Link": f'<{bad}>; rel="canonical"'}
        self.send_response(status, bad)
        for k, v in head.items():
            self.send_header(k, v)
        data = body.encode()
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_HEAD = do_GET

    def log_message(self, *args):
        pass


def clients():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = "http://127.0.0.1:%d/" % server.server_address[1]
    for n, options in enumerate((["--list"], ["--list", "--via", "html"], ["--via", "tct"], ["--via", "scp"])):
        safe(f"sync {' '.join(options)}", "sync", url, f"{DIR}/sync{n}", "--max-time", "60", *options)
    safe("sync --check", "sync", "--check", url, "--max-time", "60")
    safe("sync: a URL", "sync", b"http://" + RAW, DIR + "/sync9")
    safe("sync: a redirect", "sync", url + "moved", DIR + "/sync8", "--max-time", "60")
    put("sync0/state.json", json.dumps({"version": 1, "origin": POISON, "start": POISON, "via": POISON}))
    safe("sync: a state of others", "sync", url, DIR + "/sync0", "--max-time", "60")
    safe("feed", "feed", url, "-o", DIR + "/feed.xml", "--max-time", "60")
    safe("feed: a URL", "feed", b"http://127.0.0.1:1/" + RAW, "-o", DIR + "/feed2.xml")
    put("rs/.well-known/resourcesync", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:rs='http://www.openarchives.org/rs/terms/'><rs:md capability='description'/><url><loc>https://e.com/&#x9b;&#x7f;%s</loc><rs:md capability='capabilitylist'/></url></urlset>" % MILD)
    safe("feed: a folder", "feed", DIR + "/rs", "-o", DIR + "/feed3.xml")
    server.shutdown()


def logs():
    """The access log of serve, and its messages."""
    with open(DIR + "/serve.err", "wb") as err, open(DIR + "/serve.log", "wb") as log:
        p = subprocess.Popen([ADIT, "serve", DIR + "/tree", "--listen", "127.0.0.1:0"], stdout=log, stderr=err, stdin=subprocess.DEVNULL)
    try:
        port = None
        for _ in range(600):
            with open(DIR + "/serve.err") as err:
                m = re.search(r"listening on http://127.0.0.1:(\d+)/", err.read())
            if m:
                port = int(m.group(1))
                break
            select.select([], [], [], 0.1)
        field = RAW.replace(b"\n", b"").replace(b"\r", b"").replace(b"\x00", b"")
        for request in b"GET /" + field, field + b" /", b"GET /x?" + field, b"\x1b[2J\x9b2J /y":
            with socket.create_connection(("127.0.0.1", port), timeout=60) as s:
                s.sendall(request + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: " + field + b"\r\nX-Forwarded-For: " + field + b"\r\nConnection: close\r\n\r\n")
                try:
                    while s.recv(65536):
                        pass
                except OSError:
                    pass
    finally:
        p.send_signal(signal.SIGTERM)
        p.wait(120)
    for name in "log", "err":
        with open(f"{DIR}/serve.{name}", "rb") as f:
            text = f.read()
        ok(not faults(text), f"serve: its {name}", text)


for part in collections, shown, documents, archives, pages, clients, logs:
    part()
print(f"1..{count}")
sys.exit(failures > 0)
