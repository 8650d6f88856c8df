# Slow: adit sync by SCP: against nginx with the static output of pack, and against adit serve.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh
lines() { "$ADIT" cat "$1" | sort; }
pages_are_published() { # WHAT: the collection has the pages of the newest snapshot
  lines "$TMP/dir/site.scp.zst" >"$TMP/a"
  lines "$(ls "$TMP/site/collections"/all-snapshot-*.scp.zst | tail -n 1)" >"$TMP/b"
  same "$TMP/a" "$TMP/b" "$1"
}
at() { echo "--generated 2026-11-$1T00:00:00Z"; }

python3 batch/tests/make_site.py "$TMP/site" 300
start_nginx
publish $(at 01)
rm "$TMP/site/llm-sitemap.json"
sync
is_status 0 "the first run"
field via scp "takes the collections"
field new 300 "all pages"
at_most requests 12 "in a few requests"
pages_are_published "the very lines of the snapshot"
sync
at_most requests 3 "the second run: three requests at most"
field collections 0 "no collection"
field zero_fetch 300 "every page is known to be current"

python3 batch/tests/make_site.py "$TMP/site" 10 1 10
publish $(at 02) --previous "$TMP/pub"
sync
field collections 1 "after edits a delta"
field updated 10 "ten pages are updated"
at_most requests 13 "thirteen requests at most"
ok "$(grep -q 'GET /collections/all-delta' "$TMP/nginx/access.log"; echo $?)" "it was the delta"
pages_are_published "and all is as published"

python3 batch/tests/make_site.py "$TMP/site" 20 2 5
publish $(at 03) --previous "$TMP/pub"
python3 batch/tests/make_site.py "$TMP/site" 22 3 5
rm -r "$TMP/site/page-0299"
publish $(at 04) --previous "$TMP/pub"
sync
field collections 2 "missed deltas are applied in order"
field updated 7 "to the newest state"
field deleted 0 "deltas cannot delete"
sync --snapshot-every 1
field collections 0 "a snapshot is not due at once"
jq -c '.sections[0].snapshot = 1' "$TMP/dir/state.json" >"$TMP/s" && cp "$TMP/s" "$TMP/dir/state.json"
sync --snapshot-every 1
field collections 1 "but then it comes"
field deleted 1 "and tells of deletions"
pages_are_published "all is as published"

# Gone deltas: the snapshot; an old publication: nothing.
cp -r "$TMP/pub" "$TMP/pub4"
python3 batch/tests/make_site.py "$TMP/site" 30 4 5
publish $(at 05) --previous "$TMP/pub"
python3 batch/tests/make_site.py "$TMP/site" 40 5 5
publish $(at 06)
sed -i '/scp:delta/d' "$TMP/site/sitemap.xml"
sync
violates scp-gap 1 "deltas that do not reach back are told"
field updated 10 "the snapshot brings everything"
cp "$TMP/pub4/sitemap.xml" "$TMP/site/"
cp "$TMP/pub4"/*.scp.zst "$TMP/site/collections/"
sync
violates scp-replay 1 "an older publication is a replay"
field updated 0 "and changes nothing"
field deleted 0 "and deletes nothing"
cp "$TMP/pub"/sitemap.xml "$TMP/site/"
sed -i 's/2026-11-06T00:00:00Z/2126-11-06T00:00:00Z/g' "$TMP/site/sitemap.xml"
sync
violates scp-future 1 "a collection of the far future is not used"

# A damaged delta: the snapshot. A damaged snapshot: HTML.
python3 batch/tests/make_site.py "$TMP/site" 50 6 5
publish $(at 07) --previous "$TMP/pub"
delta=$(ls "$TMP/site/collections"/all-delta-20261107*)
snapshot=$(ls "$TMP/site/collections"/all-snapshot-20261107*)
cp "$delta" "$TMP/good-delta"; cp "$snapshot" "$TMP/good-snapshot"
zstd -dc "$TMP/good-delta" | sed 's/water/wator/' | zstd -qc >"$delta"
sync
is_status 1 "a damaged delta"
violates scp-collection 1 "is rejected"
field updated 5 "and the snapshot is taken instead"
pages_are_published "all is as published"
rm -rf "$TMP/dir"
head -c 5000 "$TMP/good-snapshot" >"$snapshot"
cp "$TMP/good-delta" "$delta"
sync
is_status 1 "a snapshot that is cut off"
field via html "is replaced by HTML"
field pages 299 "of all pages"
violates scp-collection 1 "and told"
ok "$("$ADIT" check "$TMP/dir/site.scp.zst" >/dev/null; echo $?)" "the collection is valid"
sync
field zero_fetch 299 "pages as HTML are not asked for again while lastmod stays"
field pages_fetched 0 "none"
cp "$TMP/good-snapshot" "$snapshot"
sync
is_status 0 "once it is mended all is well"
field collections 0 "and nothing is fetched that is held"
sync --via scp
field collections 1 "unless it is asked for"
field pages 299 "with the same pages"
cp -a "$TMP/site" "$TMP/kept"
rm -r "$TMP/site/page-0298"
publish $(at 08)
sync --via scp
field deleted 1 "a page that came as HTML leaves with the snapshot"
rm -rf "$TMP/site" "$TMP/dir"
mv "$TMP/kept" "$TMP/site"
sync
mv "$TMP/site/sitemap.xml" "$TMP/site/sitemap2.xml"
sync --via auto --fresh
field lost 0 "without collections"
mv "$TMP/site/sitemap2.xml" "$TMP/site/sitemap.xml"
# Collections past their time: far in the past they are refused, past expires told.
rm -rf "$TMP/dir"
sync --via scp
violates scp-stale 0 "a recent collection"
expired=$(jq -r '[.violations[]|select(.rule=="scp-expired")|.count]|add // 0' "$TMP/out")
ok "$([ "$expired" -ge 1 ]; echo $?)" "that is past its expires is told"
field collections 1 "and used: there is no newer one"
rm -rf "$TMP/dir"
sync --via scp --max-age 1
ok "$([ "$(jq -r '[.violations[]|select(.rule=="scp-stale")|.count]|add // 0' "$TMP/out")" -ge 1 ]; echo $?)" "--max-age: older ones are named"
field collections 0 "and not used"
field via html "HTML then"
rm -rf "$TMP/dir"
sed -i '/scp:/d' "$TMP/site/sitemap.xml"
sync
field via html "a JSON sitemap without machine views behind it: HTML"
field pages 299 "all pages"
stop_nginx

# Everything at once over adit serve: sitemap, manifest, machine views.
start "$TMP/site"
publish $(at 08)
sync
field via scp "auto takes what is cheaper"
sync
at_most requests 3 "and asks little again"
python3 batch/tests/make_site.py "$TMP/site" 60 7 1
publish $(at 08) --previous "$TMP/pub" --generated 2026-11-09T00:00:00Z
sync
field updated 1 "one edit"
at_most requests 4 "in a few requests"
jq -c '.items |= map(if (.cUrl|endswith("page-0061/")) then .contentHash = "sha256-" + ("0"*64) | .modified = "2026-11-10T00:00:00Z" else . end)' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
sync
field pages_fetched 1 "what only the JSON sitemap knows of is fetched by TCT"
run "$ADIT" sync "$url/" "$TMP/small" --via scp --quota 1K
err_has "--quota" "the quota is kept"
sync --via html
field via html "HTML by choice"
stop
done_testing
