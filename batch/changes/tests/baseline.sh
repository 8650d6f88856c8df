# A client of ResourceSync that holds nothing: it begins with the resource list and goes on with the
# changes, over HTTP, as its specification says (no code of ours reads the lists).
. batch/tests/lib.sh
client() { # client URL FOLDER baseline|incremental: as resync's client goes about it
  python3 - "$@" <<'PY'
import os, sys, urllib.request, urllib.parse, xml.etree.ElementTree as E
site, folder, mode = sys.argv[1:]
SM, RS = "{http://www.sitemaps.org/schemas/sitemap/0.9}", "{http://www.openarchives.org/rs/terms/}"
get = lambda url: urllib.request.urlopen(url, timeout=30).read()
def document(url, capability):
    root = E.fromstring(get(url))
    md = root.find(RS + "md")
    if md is None or md.get("capability") != capability:
        sys.exit(f"{url}: does not describe a {capability}")
    return root
def entries(url, capability): # of a list, or of all lists of an index
    root = document(url, capability)
    if root.tag == SM + "sitemapindex":
        return [e for s in root.findall(SM + "sitemap") for e in entries(s.findtext(SM + "loc"), capability)]
    return root.findall(SM + "url")
def listed(root, capability):
    found = [u.findtext(SM + "loc") for u in root.findall(SM + "url") if u.find(RS + "md").get("capability") == capability]
    if len(found) != 1:
        sys.exit(f"{len(found)} of {capability}")
    return found[0]
def place(url):
    path = urllib.parse.urlsplit(url).path
    return os.path.join(folder, (path + "index.html" if path.endswith("/") else path).lstrip("/"))
caps = document(listed(document(site + "/.well-known/resourcesync", "description"), "capabilitylist"), "capabilitylist")
counts = {}
for e in entries(listed(caps, "resourcelist" if mode == "baseline" else "changelist"), "resourcelist" if mode == "baseline" else "changelist"):
    url, md = e.findtext(SM + "loc"), e.find(RS + "md")
    change = md.get("change") if md is not None and mode != "baseline" else "created"
    counts[change] = counts.get(change, 0) + 1
    if change == "deleted":
        os.remove(place(url))
        continue
    os.makedirs(os.path.dirname(place(url)), exist_ok=True)
    open(place(url), "wb").write(get(url))
print(" ".join(f"{k} {counts[k]}" for k in sorted(counts)))
PY
}
page() { # page FILE TEXT
  mkdir -p "$(dirname "$1")"
  printf '<!DOCTYPE html><html lang="en"><head><title>T</title></head><body><main><h1>T</h1><p>A paragraph that is long enough to be taken as the content of a page, %s.</p></main></body></html>' "$2" >"$1"
}
port=$(free_port)
U=http://127.0.0.1:$port
for p in index.html a/index.html a/b.html c.html gone.html; do page "$TMP/v1/$p" "$p"; done
run "$ADIT" changes "$TMP/v1" "$TMP/v1" -o "$TMP/v1" --base-url "$U" --generated 2026-01-01 --list-max 2
is_status 0 "the lists of a first state"
follow() { # follow DIR MODE COUNTS WHAT WHAT: a client copies DIR, which another server than ours gives out
  python3 -m http.server "$port" --bind 127.0.0.1 --directory "$1" >"$TMP/log" 2>&1 &
  pid=$!
  wait_for curl -s "$U/"
  run client "$U" "$TMP/copy" "$2"
  is "$status $(cat "$TMP/out")" "0 $3" "$4"
  run diff -r "$1" "$TMP/copy" -x resourcesync -x .well-known
  is_status 0 "$5"
  stop
}
is "$(ls "$TMP/v1/resourcesync/all" | tr '\n' ' ')" "capabilitylist.xml changelist.xml resourcelist-0002.xml resourcelist-0003.xml resourcelist-index.xml resourcelist.xml " "in parts"
follow "$TMP/v1" baseline "created 5" "a client begins with the resource list, through its index" "and has all pages, those whose URLs end in a slash, too"
cp -r "$TMP/v1" "$TMP/v2"
page "$TMP/v2/a/index.html" "as it is now"
page "$TMP/v2/new.html" "new"
rm "$TMP/v2/gone.html"
run "$ADIT" changes "$TMP/v1" "$TMP/v2" -o "$TMP/v2" --base-url "$U" --generated 2026-01-02
is "$(ls "$TMP/v2/resourcesync/all" | tr '\n' ' ')" "capabilitylist.xml changelist.xml resourcelist.xml " "parts that nothing leads to any more are gone"
follow "$TMP/v2" incremental "created 1 deleted 1 updated 1" "and goes on with the changes" "which makes its copy what the site is"
done_testing
