# Slow: adit sync --check: a conformance tester for any site.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

python3 batch/tests/make_site.py "$TMP/site" 30
start "$TMP/site"
publish
check() { run "$ADIT" sync --check "$url/" --json "$@"; }
check
is_status 0 "adit serve conforms"
field conforms true "and the report says so"
field pages_fetched 20 "a sample is looked at"
field collections 1 "and the collections"
ok "$([ "$(jq .html_bytes "$TMP/out")" -gt 10000 ]; echo $?)" "what HTML would have cost is told from twenty pages"
check --sample 5
field pages_fetched 5 "a smaller one, too"
run "$ADIT" sync --check "$url/"
out_has "conforms" "in words"
jq -c '.items |= map(.contentHash = "sha256-" + ("0"*64))' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
check --sample 3
is_status 1 "a sitemap that says something else does not"
violates tct-parity-sitemap 3 "each page is named"
cat >"$TMP/bad.py" <<'PY'
# A site that speaks TCT badly: no ETag on some, weak ones, other canonicals, no 304, no HEAD.
import hashlib, http.server, json, sys
HASH = "sha256-" + "a" * 64
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        base = f"http://127.0.0.1:{self.server.server_address[1]}"
        p, head, status = self.path, {"Content-Type": "application/json"}, 200
        names = ["gzip", "esc", "noetag", "weak", "nolink", "other", "notjson", "badhash", "parity"]
        if p == "/llm-sitemap.json":
            body = json.dumps({"version": 1, "profile": "tct-1", "items": [{"cUrl": f"{base}/{n}/", "mUrl": f"{base}/{n}/llm/", "contentHash": HASH} for n in names]})
        elif p.endswith("/llm/"):
            name, url = p.split("/")[1], f"{base}/{p.split('/')[1]}/"
            canon = json.dumps({"canonical_url": url, "content": "Some words.", "profile": "tct-1", "title": name}, sort_keys=True, separators=(",", ":"))
            digest = "sha256-" + hashlib.sha256(canon.encode()).hexdigest()
            if name == "badhash": digest = HASH
            body = canon[:-1] + ',"hash":"%s"}' % digest
            head["ETag"] = f'"{digest}"'
            head["Link"] = f'<{url}>; rel="canonical"'
            if name == "noetag": del head["ETag"]
            if name == "weak": head["ETag"] = "W/" + head["ETag"]
            if name == "nolink": del head["Link"]
            if name == "other": head["Link"] = f'<{base}/elsewhere/>; rel="canonical"'
            if name == "gzip": head["ETag"] = head["ETag"][:-1] + '-gzip"'
            if name == "esc": body = body.replace(url, url + "\\u001b[31m\\u00e9")
            if name == "notjson": body = "<p>no</p>"
            if name == "parity": head["ETag"] = '"sha256-%s"' % ("b" * 64)
        elif p in ("/robots.txt", "/llm-policy.json", "/.well-known/llm-policy.json", "/sitemap.xml", "/.well-known/llm-sitemap.json"):
            body, status = "", 404
        else:
            body = "<html><head><title>x</title></head><body><p>Hello.</p></body></html>"
            head["Content-Type"] = "text/html"
        self.send_response(status)
        for k, v in head.items(): self.send_header(k, v)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())
    def log_message(self, *a): pass
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H)
print(s.server_address[1], flush=True)
s.serve_forever()
PY
good=$url
start_python "$TMP/bad.py"
hostile=$server
check
is_status 1 "a site that does nearly everything wrong"
violates tct-etag 1 "no ETag"
violates tct-etag-form 2 "a weak ETag, one with a coding"
violates tct-canonical 1 "no canonical link"
violates tct-canonical-other 2 "the canonical of another page"
violates tct-payload 1 "a payload that is no JSON"
violates tct-fingerprint 1 "a hash of nothing"
violates tct-parity 1 "an ETag that is not the hash"
violates tct-304 8 "no 304"
violates tct-head 8 "no HEAD"
violates tct-alternate 8 "no link from the page"
violates tct-json 8 "members in any order"
violates tct-cache-control 9 "no Cache-Control"
run "$ADIT" sync --check "$url/"
ok "$(tr -d "\\n" <"$TMP/out" | grep -q "[[:cntrl:]]"; [ $? -ne 0 ]; echo $?)" "no control characters of strangers reach the terminal"
sync --via tct
field pages 3 "of it only pages are kept that are what they should be"
url=$good
run "$ADIT" sync --rules
is_status 0 "the rules"
out_has "tct-parity-sitemap" "are listed"
stop
done_testing
