"""A small server for the tests of feed: the files of a folder. FILE.status holds another status to
answer with; FILE.cut says how many bytes to send before hanging up. Requests go to DIR.log."""
import hashlib, http.server, os, sys

root = sys.argv[1]
log = open(root + ".log", "a", buffering=1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_GET(self):
        path = root + self.path.split("?")[0]
        if path.endswith("/"):
            path += "index.html"
        status, body = 404, b"not there"
        if os.path.isfile(path):
            status, body = 200, open(path, "rb").read()
        tag = '"%s"' % hashlib.sha256(body).hexdigest()
        if status == 200 and self.headers.get("If-None-Match") == tag:
            status, body = 304, b""
        if os.path.isfile(path + ".status"):
            status = int(open(path + ".status").read())
        log.write("%s %d\n" % (self.path, status))
        self.send_response(status)
        kind = "text/html" if path.endswith(".html") else "application/xml"
        self.send_header("Content-Type", kind)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", tag)
        if status in (301, 302):
            self.send_header("Location", body.decode().strip())
        self.end_headers()
        if os.path.isfile(path + ".cut"):
            self.wfile.write(body[: int(open(path + ".cut").read())])
            self.close_connection = True
            return
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
