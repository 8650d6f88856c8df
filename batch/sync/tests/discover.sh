# Slow: adit sync: how machine views are found, sitemaps behind an index, sections, one run at a time.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

python3 batch/tests/make_site.py "$TMP/site" 8
start_hostile
views() { python3 batch/tests/make_views.py "$ADIT_RELEASE" "$TMP/site" "$url"; }
views
cp "$TMP/site/index.html" "$TMP/home.html"
cp "$TMP/site/llm-sitemap.json" "$TMP/map.json"
fresh() { # a first run
  rm -rf "$TMP/dir"
  mark
  sync "$@"
}
head_has() { sed "s,<head>,<head>$1," "$TMP/home.html" >"$TMP/site/index.html"; }

# --- where the sitemap is
rm "$TMP/site/llm-sitemap.json"
fresh --via tct
is_status 1 "nothing is found where there is nothing"
err_has "no JSON sitemap" "and it is said"
mkdir -p "$TMP/site/.well-known"
cp "$TMP/map.json" "$TMP/site/.well-known/llm-sitemap.json"
fresh --via tct
field new 8 "at the well-known place"
rm "$TMP/site/.well-known/llm-sitemap.json"
cp "$TMP/map.json" "$TMP/site/machines.json"
printf 'User-agent: *\nSitemap: %s/machines.json\n' "$url" >"$TMP/site/robots.txt"
fresh --via tct
field new 8 "named in robots.txt"
rm "$TMP/site/robots.txt"
echo '{"static":true,"headers":{"Link":["<https://elsewhere.example/x>; rel=\"index\"; type=\"application/json\"","</machines.json>; rel=\"index\"; type=\"application/json\""],"Content-Type":"text/html"}}' >"$TMP/site/index.http"
fresh --via tct
field new 8 "named in a Link field"
ok "$([ "$(asked machines.json)" -eq 1 ]; echo $?)" "and asked for once"
sync --via tct
at_most requests 1 "discovery is remembered"
rm "$TMP/site/index.http"
sync --via tct --fresh
err_has "no JSON sitemap" "a look again finds the old place no more"

# --- several JSON documents beside a page: only one is its machine view
mkdir -p "$TMP/site/wp-json"
echo '{"id":1}' >"$TMP/site/wp-json/1.json"
head_has '<link rel="alternate" type="application/json" href="/wp-json/1.json"><link rel="alternate" type="application/json" href="page-0001/llm/"><link rel="alternate" type="application/json" href="https://elsewhere.example/llm/"><link rel="alternate" type="application/json" href="llm/">'
fresh --via tct
field new 1 "the machine view among the alternates"
ok "$("$ADIT" cat "$TMP/dir/site.scp.zst" | grep -q '"The home page"'; echo $?)" "is that of the page"
ok "$([ "$(asked elsewhere)" -eq 0 ]; echo $?)" "other origins are not tried"
sync --via tct
field pages_not_modified 1 "it is asked for conditionally"
jq -c '.[1].headers.Link = [.[1].headers.Link, "</machines.json>; rel=\"index\"; type=\"application/json\""]' "$TMP/site/llm/index.http" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm/index.http"
fresh --via tct
field new 8 "and may name the sitemap"
rm -r "$TMP/site/wp-json" "$TMP/site/machines.json"
cp "$TMP/home.html" "$TMP/site/index.html"

# --- an index of sitemaps
views
jq -c '{version:1,profile:"tct-1",items:.items[:4]}' "$TMP/map.json" >"$TMP/site/part-1.json"
jq -c '{version:1,profile:"tct-1",items:.items[4:]}' "$TMP/map.json" >"$TMP/site/part-2.json"
index() {
  jq -nc --arg u "$url" --arg a "sha256-$(sha256sum <"$TMP/site/part-1.json" | cut -c1-64)" --arg b "sha256-$(sha256sum <"$TMP/site/part-2.json" | cut -c1-64)" \
    '{version:1,profile:"tct-1",sitemaps:[{url:($u+"/part-1.json"),contentHash:$a},{url:($u+"/part-2.json"),contentHash:$b},{url:"https://elsewhere.example/p.json"},{url:($u+"/llm-sitemap.json")}]}' >"$TMP/site/llm-sitemap.json"
}
index
fresh --via tct
field new 8 "all pages of all parts"
violates tct-origin 1 "parts of other origins are told"
sync --via tct
field requests 1 "parts that are held need no request"
field zero_fetch 8 "nor do pages"
jq -c '.items |= map(select(.cUrl|endswith("page-0007/")|not))' "$TMP/site/part-2.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/part-2.json"
index
jq -c '.sitemaps |= .[:2]' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
sync --via tct
field requests 2 "the index, and the part that has changed"
field deleted 1 "a page left"
echo '{"status":500}' >"$TMP/site/part-2.json.http"
index
echo x >>"$TMP/site/part-2.json"
sync --via tct
field deleted 0 "a part that cannot be had deletes nothing"
rm "$TMP/site/part-2.json.http"

# --- XML: an index, compressed, sections
rm -f "$TMP/site"/*.json
mkdir -p "$TMP/site/blog"
mv "$TMP/site/page-0001" "$TMP/site/page-0002" "$TMP/site/blog/"
find "$TMP/site" -name llm -exec rm -r {} +
publish --section blog=/blog/ --section rest=/page- --generated 2026-11-01T00:00:00Z
rm "$TMP/site/llm-sitemap.json"
grep -v 'section="all"' "$TMP/site/sitemap.xml" >"$TMP/site/deep.xml"
gzip "$TMP/site/deep.xml"
cat >"$TMP/site/sitemap.xml" <<XML
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>$url/deep.xml.gz</loc></sitemap><sitemap><loc>https://elsewhere.example/sitemap.xml</loc></sitemap></sitemapindex>
XML
fresh
field via scp "collections behind an index of compressed sitemaps"
field collections 2 "every section"
field pages 7 "all their pages"
sync
at_most requests 3 "asked again: three requests at most"
rm -r "$TMP/site/blog/page-0002"
publish --section blog=/blog/ --section rest=/page- --generated 2026-11-02T00:00:00Z
rm "$TMP/site/llm-sitemap.json"
sed -i '/section="all"/d' "$TMP/site/sitemap.xml"
sync
field deleted 1 "a page that a section's snapshot lacks is gone"
field pages 6 "those of other sections stay"

# --- collections under a name that stays: fetched conditionally
snapshot=$(basename "$(ls "$TMP/site/collections"/blog-snapshot*)")
mv "$TMP/site/collections/$snapshot" "$TMP/site/collections/latest.scp.zst"
sed -i "s/$snapshot/latest.scp.zst/" "$TMP/site/sitemap.xml"
fresh --via scp
field pages 6 "a snapshot called latest"
jq -c '.sections |= map(.snapshot = 1)' "$TMP/dir/state.json" >"$TMP/s" && cp "$TMP/s" "$TMP/dir/state.json"
mark
sync --via scp
field collections 0 "is not fetched again when a snapshot is due and it is the same"
ok "$([ "$(asked 'latest.scp.zst.*"status": 304')" -eq 1 ]; echo $?)" "the site says 304"
field deleted 0 "and nothing is deleted"

# --- netrc: a folder of its own
printf 'machine elsewhere.example login a password b\nmachine 127.0.0.1 login agent password geheim\n' >"$TMP/netrc"
rm -rf "$TMP/dir"
mark
sync --via scp --netrc "$TMP/netrc"
field pages 6 "with a netrc file"
private=$(ls -d "$TMP/dir"/private-*)
ok "$([ "$(asked 'authorization.*Basic')" -gt 0 ]; echo $?)" "its password is sent"
ok "$([ -z "$(find "$private" -type f -perm /077)" ]; echo $?)" "what it gives is private"
sync --via scp --netrc "$TMP/netrc"
ok "$([ "$(ls -d "$TMP/dir"/private-*)" = "$private" ]; echo $?)" "the same file, the same folder"
printf 'machine 127.0.0.1 login other password geheim\n' >"$TMP/netrc"
sync --via scp --netrc "$TMP/netrc"
ok "$([ "$(ls -d "$TMP/dir"/private-* | wc -l)" -eq 2 ]; echo $?)" "another file, another folder"
run "$ADIT" sync "$url/" "$TMP/dir" --via scp --netrc "$TMP/no-such-file"
ok "$([ "$status" -ne 0 ] && [ "$(ls -d "$TMP/dir"/private-* | wc -l)" -eq 2 ]; echo $?)" "no file, no run"
rm -rf "$TMP/dir"
run "$ADIT" sync "$url/" "$TMP/dir" --list
out_has "new $url/page-0003/" "the list of changes"

# --- one run at a time, one site a folder
(
  flock 8
  exec sleep 20
) 8>"$TMP/dir/lock" &
locker=$!
while flock -n "$TMP/dir/lock" true; do sleep 0.1; done
sync
is_status 3 "two runs in one folder"
err_has "another adit sync" "are told"
kill "$locker" 2>/dev/null
wait "$locker" 2>/dev/null
run "$ADIT" sync "$other/" "$TMP/dir"
is_status 3 "another site in the same folder"
err_has "holds $url" "is told"
mkdir "$TMP/mine"
echo mine >"$TMP/mine/file"
run "$ADIT" sync "$url/" "$TMP/mine"
is_status 3 "a folder with other things"
err_has "not a folder of adit sync" "is told"
ok "$([ "$(ls "$TMP/mine")" = file ]; echo $?)" "and not touched"
echo '{"version":1,"origin":' >"$TMP/dir/state.json"
sync
is_status 3 "a damaged state"
err_has "begin anew" "is told"
done_testing
