# adit sync --check: the rows for agents that know no TCT, over a site that makes every mistake.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

cat >"$TMP/bad.py" <<'PY'
import hashlib, http.server, json
NAMES = ["fine", "wild", "novary", "body", "gone", "bare", "nohead", "no304", "html", "nolink"]
class H(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self): self.answer()
    def do_HEAD(self): self.answer()
    def answer(self):
        base = f"http://127.0.0.1:{self.server.server_address[1]}"
        p, head, status = self.path, {"Vary": "Accept-Encoding", "Cache-Control": "no-cache"}, 200
        name = p.split("/")[1]
        url, md = f"{base}/{name}/", "text/markdown" in self.headers.get("Accept", "")
        canon = json.dumps({"canonical_url": url, "content": "Some words.", "profile": "tct-1", "title": name}, sort_keys=True, separators=(",", ":"))
        digest = "sha256-" + hashlib.sha256(canon.encode()).hexdigest()
        payload = canon.replace('"profile"', f'"hash":"{digest}","profile"')
        if p == "/llm-sitemap.json":
            body = json.dumps({"version": 1, "profile": "tct-1", "items": [{"cUrl": f"{base}/{n}/", "mUrl": f"{base}/{n}/llm/", "contentHash": "sha256-" + hashlib.sha256(json.dumps({"canonical_url": f"{base}/{n}/", "content": "Some words.", "profile": "tct-1", "title": n}, sort_keys=True, separators=(",", ":")).encode()).hexdigest()} for n in NAMES]})
            head["Content-Type"] = "application/json"
        elif p.endswith("/llm/"):
            body = payload
            head.update({"Content-Type": "application/json", "ETag": f'"{digest}"', "Link": f'<{url}>; rel="canonical"'})
        elif p.endswith("/twin.md") and name in NAMES:
            body = "# Twin\n"
            head["Content-Type"] = "text/markdown"
            if name != "bare": head["Link"] = f'<{url}>; rel="canonical"'
            if name == "gone": status = 404
        elif name in NAMES:
            markdown = (md and name != "html") or name == "wild"
            if name == "nohead" and self.command == "HEAD": markdown = False
            twin = "" if name == "nolink" else f'<link rel="alternate" type="text/markdown" href="/{name}/twin.md">'
            body = f'<!doctype html><html><head><title>x</title><link rel="alternate" type="application/json" href="/{name}/llm/">{twin}</head><body><p>Hello.</p></body></html>'
            if markdown and name != "body": body = "# Hello\n"
            head["Content-Type"] = "text/markdown" if markdown else "text/html"
            if name != "novary": head["Vary"] = "Accept, Accept-Encoding"
            head["ETag"] = f'"{name}-{markdown}"'
        elif p.endswith("policy.json") or p == "/sitemap.xml" or "well-known" in p:
            body, status = "", 404
        else: # an application that answers everything
            body = "<!doctype html><html><head><title>App</title></head><body></body></html>"
            head["Content-Type"] = "text/html"
        if status == 200 and head.get("ETag") and self.headers.get("If-None-Match") == head["ETag"] and name != "no304": status, body = 304, ""
        self.send_response(status)
        for k, v in head.items(): self.send_header(k, v)
        if status != 304: self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(body.encode())
    def log_message(self, *a): pass
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H)
print(s.server_address[1], flush=True)
s.serve_forever()
PY
start_python "$TMP/bad.py"
run "$ADIT" sync --check "$url/" --json
is_status 1 "a site with every mistake"
violates agent-wildcard 1 "Markdown for everybody"
violates agent-vary 2 "Vary without Accept (where the HTML was never seen, too)"
violates agent-body 1 "HTML under the type of Markdown"
violates agent-alternate-status 1 "an alternate that is 404"
violates agent-canonical 1 "a twin without canonical"
violates agent-head 1 "HEAD is another answer"
violates agent-markdown 1 "no Markdown at all"
violates agent-alternate 1 "no alternate"
violates agent-fallthrough 1 "everything is 200"
violates agent-robots 1 "robots.txt is HTML"
violates agent-llms 1 "llms.txt is HTML"
violates agent-signals 1 "no signals"
violates agent-304 1 "no 304 of Markdown"
violates tct-parity-sitemap 0 "and of the protocol nothing"

mkdir -p "$TMP/site"
echo '<!doctype html><html lang="en"><head><title>Home</title></head><body><main><h1>Home</h1><p>The first paragraph has enough words to be taken for content by any reader of it.</p><p>The second one is here so that there is more than one.</p></main></body></html>' >"$TMP/site/index.html"
echo '{"robots":true,"signals":{"content_signal":"ai-train=no"}}' >"$TMP/adit.json"
start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json" --quiet
run "$ADIT" sync --check "$url/"
is_status 0 "adit serve of a plain folder"
ok "$(grep -q '\[' "$TMP/out"; [ $? -ne 0 ]; echo $?)" "has nothing to be told"
done_testing
