# Slow: adit sync: sites that speak other drafts of TCT than 00, and sitemaps that are of no use.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

cat >"$TMP/site.py" <<'PY'
# A site of five pages; $TMP/mode says which draft it speaks, or what is wrong with it.
import hashlib, http.server, json, os, sys
NAMES = ["one", "two", "three", "four", "five"]
URI = "https://www.ietf.org/archive/id/draft-jurkovikj-collab-tunnel-03.html#"
sha = lambda b: "sha256-" + hashlib.sha256(b).hexdigest()
canon = lambda o: json.dumps(o, sort_keys=True, separators=(",", ":")).encode()
def payload(mode, url, name):
    o = {"canonical_url": url, "content": f"{name}\n\nWords of the page {name}.", "title": name}
    if mode in ("02", "03", "byteless", "altered03"):
        o["profile"] = "tct-1" if mode == "02" else URI + "tct-m-url-profile"
        o["content_media_type"] = "text/plain"
        body = canon(o)
        hash = sha(body)
        if mode == "byteless": hash = "sha256-" + "5" * 64
        if mode == "altered03": body = body.replace(b"Words", b"Lies!")
    else:
        o["profile"] = "tct-1"
        hash = sha(canon(o))
        o["hash"] = hash
        if mode == "altered": o["content"] = o["content"].replace("Words", "Lies!")
        body = canon(o)
    return body, hash
def sitemap(mode, base):
    items = []
    for n in NAMES:
        c, m = f"{base}/{n}/", f"{base}/{n}/m.json"
        hash = payload(mode, c, n)[1]
        i = {"cUrl": c, "mUrl": m}
        if mode in ("00", "altered"): i["contentHash"] = hash
        if mode in ("01", "02", "byteless", "altered03"): i["etag"] = hash
        if mode == "02": i["modified"] = "2026-01-01T00:00:00Z"
        if mode == "03": i["lastModified"] = "2026-01-01T00:00:00Z"
        if mode == "foreign": i = {"cUrl": f"https://elsewhere.example/{n}/", "mUrl": f"https://elsewhere.example/{n}/m.json", "contentHash": hash}
        if mode == "useless": i = {"page": c}
        items.append(i)
    later = mode in ("02", "03", "byteless", "altered03")
    if mode == "empty": items = []
    return canon({"version": 2 if later else 1, "profile": URI + "tct-m-sitemap-profile" if mode == "03" else "tct-1", "items": items})
class H(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        mode, base = open(sys.argv[1]).read().strip(), f"http://127.0.0.1:{self.server.server_address[1]}"
        p, head, status = self.path, {"Content-Type": "application/json"}, 200
        with open(sys.argv[2], "a") as f: f.write(p + "\n")
        name = p.strip("/").split("/")[0]
        if p == "/there.json" or p == "/llm-sitemap.json" and mode != "hidden": body = sitemap("03" if mode == "hidden" else mode, base)
        elif p.endswith("/m.json"):
            body, hash = payload(mode, f"{base}/{name}/", name)
            head["ETag"] = f'"{hash}"'
            head["Link"] = f'<{base}/{name}/>; rel="canonical"'
        elif p == "/sitemap.xml":
            head["Content-Type"] = "application/xml"
            body = ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" + "".join(f"<url><loc>{base}/{n}/</loc></url>" for n in NAMES) + "</urlset>").encode()
            if mode.startswith("foreign"): body, status = b"", 404
        elif p == "/" or name in NAMES:
            head["Content-Type"] = "text/html"
            if p == "/" and mode == "hidden": head["Link"] = '</there.json>; rel="index"; type="application/json"'
            body = f"<html lang=en><title>{name}</title><main><p>Words of the page {name or 'home'}, as people see them, in a sentence that is long enough.</p></main></html>".encode()
            if mode == "cookies": head |= {"Cache-Control": "private", "Set-Cookie": "me=1"}
            if mode == "private": head |= {"Cache-Control": "private, no-store"}
        else: body, status = b"", 404
        if status == 200 and head.get("ETag") and self.headers.get("If-None-Match") == head["ETag"]: body, status = b"", 304
        self.send_response(status)
        for k, v in head.items(): self.send_header(k, v)
        if status != 304: self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a): pass
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H)
print(s.server_address[1], flush=True)
s.serve_forever()
PY
echo 00 >"$TMP/mode"
: >"$TMP/asked"
start_python "$TMP/site.py" "$TMP/mode" "$TMP/asked"
speak() { # speak MODE ARGS…: a first run
  echo "$1" >"$TMP/mode"
  shift
  rm -rf "$TMP/dir"
  : >"$TMP/asked"
  sync "$@"
}
for draft in 00 01 02 03; do
  speak $draft
  is_status 0 "$draft: the first run"
  is "$(jq -c '[.via, .pages, .lost]' "$TMP/out")" '["tct",5,0]' "$draft: takes every page by TCT"
  sync
  is "$(jq -c '[.pages, .updated, .pages_fetched]' "$TMP/out")" '[5,0,0]' "$draft: again, nothing is new"
done
is "$(jq -r .pages_not_modified "$TMP/out")" 5 "03 without hints: pages are asked for, and are 304"

# A payload that was altered under its hash.
for mode in altered altered03 byteless; do
  speak $mode --via tct
  is_status 1 "$mode: is not taken"
  is "$(jq -c '[.pages, .lost]' "$TMP/out")" '[0,5]' "$mode: no page of it"
  violates tct-fingerprint 5 "$mode: each is told"
  speak $mode --via tct --trust-hash
  is "$(jq -c '[.pages, .lost]' "$TMP/out")" '[5,0]' "$mode: --trust-hash takes it"
done

# A sitemap that gives nothing is none: HTML then, and a word on it.
for mode in useless empty; do
  speak $mode
  is_status 0 "$mode: another way is taken"
  is "$(jq -c '[.via, .pages]' "$TMP/out")" '["html",5]' "$mode: by HTML, by sitemap.xml"
  ok "$(jq -e '.unusable | length > 10' "$TMP/out" >/dev/null; echo $?)" "$mode: and says why"
  speak $mode --via tct
  is_status 1 "$mode: by TCT alone there is nothing"
done
run "$ADIT" sync "$url/" "$TMP/dir" --allow-http --allow-private
out_has "not by its JSON sitemap: its JSON sitemap lists nothing" "in words, too"
speak foreign
is_status 1 "a sitemap of another origin is an error"
err_has "every page that its JSON sitemap lists is of another origin" "that says so"
violates tct-origin 5 "each entry is told"

# Paths are guessed by draft 00's word only.
speak 00 --no-guess
is "$(jq -r .via "$TMP/out")" html "--no-guess: what nobody names is not asked for"
is "$(grep -c 'llm-' "$TMP/asked")" 0 "at no path"
speak hidden
ok "$(jq -e '.pages == 5 and .via == "tct"' "$TMP/out" >/dev/null; echo $?)" "a sitemap that is named elsewhere"
: >"$TMP/asked"
sync --fresh
is "$(grep -c '^/llm-\|well-known' "$TMP/asked")" 0 "on a site that once named a later draft nothing is guessed"

# Caches' words are not about access; a person's page is.
speak private --via html
is "$(jq -c '[.pages, .noindex]' "$TMP/out")" '[5,0]' "private, no-store: what anybody gets is kept"
speak cookies --via html
is_status 1 "nothing but pages of somebody's own"
is "$(jq -c '[.pages, .noindex, .personal]' "$TMP/out")" '[0,0,5]' "counted as what they are"
err_has "no page: none of its pages is to be kept" "and told"
done_testing
