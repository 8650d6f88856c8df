# Slow: The lines of edge/RECIPES.md for cron, a static site and a feed reader, as they stand there: only addresses and folders are this
# machine's. The generator and rsync are stood in for; wget, the server and adit are real.
. batch/tests/lib.sh
# lines HEADING: the commands of a section.
lines() { awk -v heading="## $1" '/^## / { on = $0 == heading } on && /^```/ { code = !code; next } on && code && !/^#/' edge/RECIPES.md; }
lines "A site from a crawl, by cron" | sed 's/^\(\S* \)\{5\} *//' >"$TMP/cron"
lines "A static site" >"$TMP/static"
lines "Following a site in a feed reader" | sed 's/^\(\S* \)\{5\} *//' >"$TMP/follow"
for recipe in cron static follow; do ok "$(grep -q '^[a-z].*adit\|^adit' "$TMP/$recipe"; echo $?)" "$recipe: the document has lines"; done
mkdir -p "$TMP/bin" "$TMP/made/blog" "$TMP/srv/site" "$TMP/published" "$TMP/host" "$TMP/reader"
ln -s "$ADIT" "$TMP/bin/adit"
page() { printf '<!doctype html><html lang="en"><title>%s</title><main><h1>%s</h1><p>%s</p><p><a href="/blog/">All posts</a> <a href="/blog/one.html">One</a></p></main></html>' "$1" "$1" "$2"; }
page Home "The home page has a sentence that is long enough to be read." >"$TMP/made/index.html"
page Blog "The list of all posts of this site begins with this sentence." >"$TMP/made/blog/index.html"
page One "The first post of this site has one sentence of its own, which is this." >"$TMP/made/blog/one.html"
cat >"$TMP/bin/hugo" <<X
#!/bin/sh
mkdir -p public && cp -r "$TMP/made/." public/
X
cat >"$TMP/bin/rsync" <<'X'
#!/bin/sh
[ "$1 $2" = "-a --delete" ] && rm -rf "$4" && cp -a "$3" "${4%/}"
X
chmod +x "$TMP/bin/hugo" "$TMP/bin/rsync"
# recipe NAME FOLDER: runs its lines there.
recipe() {
  echo "{\"origin\":\"$url\"}" >"$TMP/adit.json" # --host alone means https
  sed "s|https://example.com|$url|g; s|--host example.com|--config $TMP/adit.json|; s|/srv/site|$TMP/srv/site|g; s|host:/var/www/html/|$TMP/host/|; s|/var/www/html/|$TMP/reader/|g" "$TMP/$1" >"$TMP/script"
  status=0
  (cd "$2" && PATH="$TMP/bin:$PATH" sh -e "$TMP/script") >"$TMP/out" 2>"$TMP/err" || status=$?
}
entries() { python3 - "$1" <<'X'
import sys, xml.etree.ElementTree as tree
atom = "{http://www.w3.org/2005/Atom}"
print(len(tree.parse(sys.argv[1]).getroot().findall(atom + "entry")))
X
}

# --- a static site: made, published, changed, published ---
mkdir -p "$TMP/generated/published"
port=$(free_port)
python3 -m http.server "$port" --bind 127.0.0.1 --directory "$TMP/host" >/dev/null 2>&1 &
server=$! url=http://127.0.0.1:$port
wait_for curl -s -o /dev/null "$url/"
sed "s|published/|$TMP/generated/published/|g" "$TMP/static" >"$TMP/x" && mv "$TMP/x" "$TMP/static"
recipe static "$TMP/generated"
is_status 0 "static: the first time"
for file in index.html index.md blog/one.md .well-known/resourcesync collections/scp-manifest.json collections/sitemap.xml collections/llms.txt; do
  ok "$([ -s "$TMP/host/$file" ]; echo $?)" "static: $file is published"
done
run "$ADIT" check "$TMP/host/collections"
is_status 0 "static: its collections are valid"
page One "The first post of this site has one sentence of its own, which has changed." >"$TMP/made/blog/one.html"
page Two "The second post of this site is new, and has a sentence of its own, too." >"$TMP/made/blog/two.html"
sleep 1
recipe static "$TMP/generated"
is_status 0 "static: a day later"
ok "$(grep -q 'has changed' "$TMP/host/blog/one.md"; echo $?)" "static: the page's Markdown is new"
is "$(ls "$TMP/host/collections" | grep -c -- '-delta-')" 1 "static: a delta for those who have the collection of before"
run "$ADIT" check "$TMP/host/collections"
is_status 0 "static: its collections are still valid"

# --- followed in a feed reader ---
recipe follow "$TMP"
is_status 0 "feed: of a site with change lists"
is "$(entries "$TMP/reader/example.xml")" 1 "feed: a run of the generator is an entry"
for name in blog/one blog/two; do ok "$(grep -q "$url/$name" "$TMP/reader/example.xml"; echo $?)" "feed: it names $name"; done
ok "$(grep -q 'rel="self" href="https://reader.example/example.xml"\|href="https://reader.example/example.xml" rel="self"' "$TMP/reader/example.xml"; echo $?)" "feed: and its own address"
if python3 -c 'import feedparser' 2>/dev/null; then
  is "$(python3 -c 'import feedparser, sys; feed = feedparser.parse(sys.argv[1]); print(feed.bozo, len(feed.entries), feed.version)' "$TMP/reader/example.xml")" "False 1 atom10" "feed: read by feedparser"
else skip "feed: read by feedparser" "no python3-feedparser"; fi
# The sentence behind it: a site without lists.
rm -rf "$TMP/host/.well-known" "$TMP/host/resourcesync" "$TMP/host/collections"
run "$ADIT" sync "$url/" "$TMP/copy" --changes https://reader.example/copy/
is_status 0 "feed: a site without lists is kept by sync"
page Two "The second post of this site is not new any more, and says so." >"$TMP/host/blog/two.html"
sleep 1
run "$ADIT" sync "$url/" "$TMP/copy" --changes https://reader.example/copy/
run "$ADIT" feed "$TMP/copy" -o "$TMP/reader/copy.xml"
is_status 0 "feed: and its lists are read"
kill "$server"

# --- a crawl, by cron ---
if command -v wget >/dev/null && wget --help | grep -q -e --warc-file; then
  start_serve "$ADIT" "$TMP/made" --quiet
  recipe cron "$TMP"
  is_status 0 "cron: the first night"
  err_has "this is the first publication" "cron: says that there is none yet"
  page Home "The home page has another sentence, which is long enough to be read." >"$TMP/made/index.html"
  sleep 1
  recipe cron "$TMP"
  is "$status $(cat "$TMP/err")" "0 " "cron: the second night, without a word"
  stop
  is "$(entries "$TMP/srv/site/feed.xml")" 1 "cron: the feed has what changed"
  ok "$(grep -q 'Home' "$TMP/srv/site/feed.xml"; echo $?)" "cron: by its title"
  run "$ADIT" check "$TMP/srv/site/public"
  is_status 0 "cron: the publication is valid"
else skip cron "no wget that writes WARC files"; fi
done_testing
