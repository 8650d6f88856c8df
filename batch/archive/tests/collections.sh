# adit archive over SCP collections, and over the folder of adit sync.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh
tree_of() { (cd "$1" && find . -path ./.adit -prune -o -type f -print | LC_ALL=C sort | xargs sha256sum); }
A="$ADIT archive"

python3 batch/tests/make_site.py "$TMP/site" 20
"$ADIT" pack "$TMP/site" --base-url https://example.com/ -o "$TMP/p1" --generated 2026-01-01 >/dev/null
python3 batch/tests/make_site.py "$TMP/site" 5 1 3
"$ADIT" pack "$TMP/site" --base-url https://example.com/ -o "$TMP/p2" --previous "$TMP/p1" --generated 2026-01-02 >/dev/null
run $A "$TMP"/p2/all-snapshot-20260102*.scp.zst "$TMP"/p1/all-snapshot-20260101*.scp.zst -o "$TMP/a" --json
is_status 0 "two snapshots"
is "$(jq -c '[.artifacts,.versions,.unchanged]' "$TMP/out")" "[20,23,17]" "pages, versions, and what was seen again"
run $A verify "$TMP/a"
is_status 0 "a sound archive"
url=$($A ls "$TMP/a" --json | jq -r 'select(.versions==2)|.url' | head -n 1)
"$ADIT" cat "$TMP"/p2/all-snapshot-20260102*.scp.zst | grep -F "\"$url\"" | tr -d '\n' >"$TMP/line"
$A get "$TMP/a" "$url" >"$TMP/raw"
same "$TMP/raw" "$TMP/line" "the raw bytes are the line of the page"
is "$($A show "$TMP/a" "$url" | jq -c '[.metadata.contentType,.version.createdAt]')" \
  '["application/scp+json","2026-01-02T00:00:00Z"]' "with its type; its date is the collection's"
$A "$TMP"/p1/all-snapshot*.scp.zst "$TMP"/p2/all-snapshot*.scp.zst -o "$TMP/b" --stage ingest >"$TMP/events" 2>/dev/null
$A "$TMP/events" -o "$TMP/b" --stage enrich >/dev/null 2>&1
tree_of "$TMP/a" >"$TMP/t1"
tree_of "$TMP/b" >"$TMP/t2"
same "$TMP/t1" "$TMP/t2" "stages apart give the same"
head -c 300 "$TMP"/p1/all-snapshot*.scp.zst >"$TMP/cut.scp.zst"
run $A "$TMP"/p1/all-snapshot*.scp.zst -o "$TMP/named" --crawler Test/1.0
is "$($A show "$TMP/named" "$url" | jq -r .provenance.crawler)" "Test/1.0" "--crawler is recorded of collections, too"
run $A "$TMP/cut.scp.zst" -o "$TMP/c"
is_status 1 "a damaged collection"
run $A "$TMP/site" -o "$TMP/h"
is_status 2 "a folder of HTML that is nowhere on the web"
err_has "say with --base-url where it is on the web" "says what is missing"

start "$TMP/site"
publish
sync --via tct
run $A "$TMP/dir" -o "$TMP/s" --json
is "$(jq -c '[.artifacts,.versions]' "$TMP/out")" "[20,20]" "a folder of adit sync"
run $A "$TMP/dir" -o "$TMP/s" --json
is "$(jq -c '[.versions,.known]' "$TMP/out")" "[0,20]" "again: nothing new"
is "$("$ADIT" ls "$TMP/dir" | wc -l)" 20 "ls lists its pages, too"
first=$($A ls "$TMP/s" --json | jq -r .url | head -n 1)
is "$($A show "$TMP/s" "$first" | jq -r '.provenance.etag != null')" true "with the validators that sync has kept"
python3 batch/tests/make_site.py "$TMP/site" 10 2 4
publish
sync --via tct
run $A "$TMP/dir" -o "$TMP/s" --json
is "$(jq -c '[.artifacts,.versions]' "$TMP/out")" "[0,4]" "what has changed since"
run $A verify "$TMP/s"
is_status 0 "a sound archive"
stop
done_testing
