# Slow: adit pack: histories, hosts, sections, the previous publication, and what a killed run leaves.
. batch/tests/lib.sh
lines() { tail -n +2 "$1"; }
urls() { lines "$1" | jq -r .url | sed 's,https://example.com,,' | tr '\n' ' '; }
E=https://example.com
D1=2026-01-01T00:00:00Z D2=2026-01-02T00:00:00Z D3=2026-01-03T00:00:00Z
P="$ADIT pack --compress none --jobs 1"

# --- a publication -------------------------------------------------------------------------------
{
  row $E/ $D1 Home
  row $E/blog/one $D1 One
  row $E/blog/two?x=1 $D1 Two
  row http://example.com:80/about $D1 About
} >"$TMP/site"
gen members <"$TMP/site" >"$TMP/a.warc.gz"
run $P "$TMP/a.warc.gz" -o "$TMP/a" --section blog=/blog/ --generated 2026-01-05 --update-freq blog=hourly
is_status 0 "packs"
out_has "4 captures: 4 pages listed" "summary"
A="$TMP/a/all-snapshot-20260105T000000Z.scp"
is "$(urls "$A")" "/ /about /blog/one /blog/two?x=1 " "pages by URL, scheme and port from the origin"
is "$(urls "$TMP/a/blog-snapshot-20260105T000000Z.scp")" "/blog/one /blog/two?x=1 " "a section"
is "$(tail -c 1 "$A" | od -An -tx1 | tr -d ' ')" 7d "no line end at the end"
is "$(jq -r '[.items[].cUrl]|join(" ")' "$TMP/a/llm-sitemap.json")" "$E/ $E/about $E/blog/one" \
  "llm-sitemap: homepage first, no page with a query"
is "$(jq -c '[.version, .profile, (.items | map(keys_unsorted) | unique)]' "$TMP/a/llm-sitemap.json")" \
  '[1,"tct-1",[["cUrl","mUrl","modified","contentHash","etag"]]]' "the members that readers of every draft look for"
ok "$(jq -e 'all(.items[]; .etag == .contentHash)' "$TMP/a/llm-sitemap.json" >/dev/null; echo $?)" "etag is contentHash"
is "$(grep -c '<scp:compression>' "$TMP/a/sitemap.xml")" 0 "no compression is named where there is none"
is "$(jq -r '.items[2].mUrl' "$TMP/a/llm-sitemap.json")" "$E/blog/one/llm" "machine URL"
is "$(sed -n 's/^- .*](\(.*\)): .*/\1/p' "$TMP/a/llms.txt" | tr '\n' ' ')" "$E/llm.md $E/about.llm.md $E/blog/one.llm.md " "llms.txt links to the Markdown of the pages"
is "$(jq -c '[.collections[]|[.id,.type,.pages,.update_freq,.expires]]' "$TMP/a/scp-manifest.json")" \
  '[["all-snapshot-20260105T000000Z","snapshot",4,"daily","2026-01-06T00:00:00Z"],["blog-snapshot-20260105T000000Z","snapshot",2,"hourly","2026-01-05T01:00:00Z"]]' "manifest"
is "$(jq -r '.collections[0].sha256' "$TMP/a/scp-manifest.json")" "$(sha256sum <"$A" | cut -d' ' -f1)" "hash of the file"
is "$(jq -r '.collections[0].size' "$TMP/a/scp-manifest.json")" "$(wc -c <"$A" | tr -d ' ')" "size of the file"
is "$(sed '1s/,"checksum":"sha256:[0-9a-f]*"//' "$A" | sha256sum | cut -d' ' -f1)" \
  "$(head -n 1 "$A" | jq -r .collection.checksum | cut -d: -f2)" "checksum of the file without its checksum member"
is "$(jq -S -c . "$TMP/a/scp-manifest.json")" "$(cat "$TMP/a/scp-manifest.json")" "the manifest is canonical JSON"
run xmllint --noout --schema batch/tests/schema/sitemap.xsd "$TMP/a/sitemap.xml"
is_status 0 "sitemap.xml is valid"
for f in .well-known/resourcesync resourcesync/all/capabilitylist.xml resourcesync/blog/changelist.xml; do
  run xmllint --noout --schema batch/tests/schema/sitemap.xsd "$TMP/a/$f"
  is_status 0 "$f is valid"
done
# The fingerprint is that of the page alone.
page_of One One. | sed 's/\\"/"/g' >"$TMP/one.html"
run "$ADIT" page "$TMP/one.html" --url $E/blog/one --format tct
is "$(jq -r '.items[2].contentHash' "$TMP/a/llm-sitemap.json")" "$(jq -r .hash "$TMP/out")" \
  "the sitemap's fingerprint is that of the machine URL"

# --- the same from any order, number of jobs, memory, coding -----------------------------------------
i=0
while [ $i -lt 3000 ]; do
  i=$((i + 1))
  echo "{\"url\":\"$E/p/$((i % 700))\",\"date\":\"2026-01-0$((i % 9 + 1))T00:00:0$((i % 7))Z\",\"body\":\"<title>P $i</title><main><h1>Page $i</h1><p>Text number $i of this page, which goes on for a while so that it counts as content, and then it ends.</p></main>\"}"
done >"$TMP/many"
for k in 1 2 3 4; do
  set -- "1 256M plain" "4 8M members" "2 8M one" "3 64M members"
  eval "set -- \$$k"
  gen $3 shuffle $k <"$TMP/many" >"$TMP/m$k"
  run "$ADIT" pack --compress none "$TMP/m$k" -o "$TMP/d$k" --jobs $1 --memory $2 --generated 2026-01-10
  is_status 0 "packs with --jobs $1 --memory $2, $3"
  [ $k -gt 1 ] || continue
  same "$TMP/d1/all-snapshot-20260110T000000Z.scp" "$TMP/d$k/all-snapshot-20260110T000000Z.scp" "the same bytes"
  same "$TMP/d1/llm-sitemap.json" "$TMP/d$k/llm-sitemap.json" "the same JSON sitemap"
  same "$TMP/d1/llms.txt" "$TMP/d$k/llms.txt" "the same llms.txt"
  same "$TMP/d1/sitemap.xml" "$TMP/d$k/sitemap.xml" "the same sitemap"
done
run sh -c "cat $TMP/m2 | $ADIT pack - -o $TMP/d5 --jobs 2 --generated 2026-01-10 --compress zstd"
is_status 0 "packs from a pipe"
zstd -qdc "$TMP/d5/all-snapshot-20260110T000000Z.scp.zst" >"$TMP/d5.scp"
same "$TMP/d1/all-snapshot-20260110T000000Z.scp" "$TMP/d5.scp" "zstd holds the same bytes"
run "$ADIT" pack "$TMP/m2" -o "$TMP/d6" --jobs 2 --generated 2026-01-10 --compress gzip
gzip -dc "$TMP/d6/all-snapshot-20260110T000000Z.scp.gz" >"$TMP/d6.scp"
same "$TMP/d1/all-snapshot-20260110T000000Z.scp" "$TMP/d6.scp" "gzip holds the same bytes"
is "$(jq '.captures, .pages + ([.skips[]] | add)' "$TMP/d1/report.json" | tr '\n' ' ')" "3000 3000 " \
  "every capture is listed or counted"

# --- histories -------------------------------------------------------------------------------------------
{
  row $E/kept $D1 Old
  row $E/kept $D2 New
  row $E/gone $D1 Gone
  row $E/gone $D2 Gone '"status":404'
  row $E/back $D1 Gone '"status":410'
  row $E/back $D2 Back
  row $E/moved $D1 Moved
  row $E/moved $D2 Moved '"status":301,"headers":{"Location":"/elsewhere"}'
  row $E/https $D1 Https
  row http://example.com/https $D2 Https '"status":301,"headers":{"Location":"https://example.com/https"}'
  row $E/noindex $D1 Hidden
  row $E/noindex $D2 Hidden '"headers":{"X-Robots-Tag":"noindex"}'
  row $E/private $D1 Private '"headers":{"Cache-Control":"private","Set-Cookie":"a=b"}'
  row $E/login $D1 Login
  row $E/login $D1 Login '"record":"request","headers":{"Authorization":"Basic eDp5"}'
  row $E/again $D1 Again
  row $E/again $D2 Again '"record":"revisit","warc":{"WARC-Refers-To-Target-URI":"https://example.com/again"}'
  row $E/alone $D2 Alone '"record":"revisit"'
  row $E/copy $D1 Copy
  row $E/copy2 $D2 Copy '"record":"revisit","warc":{"WARC-Refers-To-Target-URI":"https://example.com/copy"}'
  row $E/notmod $D1 Same
  row $E/notmod $D2 Same '"status":304'
  row $E/tie $D1 Tie-A
  row $E/tie $D1 Tie-B
  row $E/cut $D1 Whole
  row $E/cut $D2 Cut '"warc":{"WARC-Truncated":"length"}'
  row $E/seg $D2 Segment '"warc":{"WARC-Segment-Number":"1"}'
  row $E/error $D1 Fine
  row $E/error $D2 Error '"status":503'
  row $E/pdf $D1 Pdf '"type":"application/pdf"'
  row $E/plain $D1 Plain '"type":"text/plain"'
  row $E/resource $D1 Resource '"record":"resource"'
  row $E/date "no date" Date
  row $E/odd-date 2008-10-294T05:21:46-0700 Odd '"headers":{"Date":"Wed, 28 Jan 2009 17:05:56 GMT"}'
  row ftp://example.com/x $D1 Ftp
  printf '{"url":"%s/empty","date":"%s","body":"<html><body></body></html>"}\n' $E $D1
} >"$TMP/h"
for k in 1 2 3; do
  gen plain shuffle $k <"$TMP/h" >"$TMP/h$k.warc"
  run $P "$TMP/h$k.warc" -o "$TMP/h$k" --generated 2026-01-05
  [ $k -eq 1 ] || same "$TMP/h1/all-snapshot-20260105T000000Z.scp" "$TMP/h$k/all-snapshot-20260105T000000Z.scp" "input order $k does not matter"
done
H="$TMP/h1/all-snapshot-20260105T000000Z.scp"
is "$(urls "$H")" "/again /back /copy /cut /https /kept /notmod /odd-date /plain /resource /tie " "the newest capture decides"
is "$(lines "$H" | jq -r 'select(.url|endswith("/kept")).title')" New "the newest content"
is "$(lines "$H" | jq -r 'select(.url|endswith("/tie")).title')" Tie-B "at one instant the greater content"
is "$(jq -c .skips "$TMP/h1/report.json")" \
  '{"older":7,"gone":1,"redirect":2,"server_error":1,"not_html":1,"noindex":1,"private":1,"authenticated":1,"empty":1,"truncated":1,"segmented":1,"date":1,"unresolved":2,"unchanged":2}' "skips by reason"
run $P "$TMP/h1.warc" --dry-run
is_status 0 "--dry-run"
out_has "+ $E/kept" "says what would be listed"
out_has "! $E/noindex  # the page asks not to be indexed" "and why not"
run $P "$TMP/h1.warc" -o "$TMP/hk" --keep-noindex --include '/no*' --exclude '*mod' --generated 2026-01-05
is "$(urls "$TMP/hk/all-snapshot-20260105T000000Z.scp")" "/noindex " "--keep-noindex, --include, --exclude"

# --- hosts ---------------------------------------------------------------------------------------------------
{
  row $E/ $D1 Home
  row https://www.example.com/a $D1 A
  row https://other.example/b $D1 B
  row https://cdn.example/x.png $D1 Image '"type":"image/png"'
} | gen plain >"$TMP/hosts.warc"
run $P "$TMP/hosts.warc" -o "$TMP/x1"
is_status 2 "several hosts"
err_has "1 pages  other.example" "lists them"
ok "$([ ! -e "$TMP/x1/scp-manifest.json" ]; echo $?)" "publishes nothing"
run $P "$TMP/hosts.warc" -o "$TMP/x2" --host example.com --host www.example.com --generated 2026-01-05
is "$(urls "$TMP/x2/all-snapshot-20260105T000000Z.scp")" "/ /a " "--host: two names of one site"
mkdir "$TMP/x3"
echo mine | tee "$TMP/x3/sitemap-index.xml" >"$TMP/x3/llm-sitemap-0001.json"
run $P "$TMP/hosts.warc" -o "$TMP/x3" --by-host --generated 2026-01-05
is_status 0 "--by-host"
is "$(cat "$TMP/x3/sitemap-index.xml" "$TMP/x3/llm-sitemap-0001.json" | tr '\n' ' ')" "mine mine " "leaves alone what stands beside the hosts' folders"
is "$(cd "$TMP/x3" && echo */scp-manifest.json)" "example.com/scp-manifest.json other.example/scp-manifest.json www.example.com/scp-manifest.json" "a folder each"
is "$(jq -r .origin "$TMP/x3/other.example/scp-manifest.json")" https://other.example "with its origin"
ok "$([ ! -e "$TMP/x3/cdn.example" ]; echo $?)" "but none for a host without pages"
run $P "$TMP/hosts.warc" -o "$TMP/x3" --by-host --previous "$TMP/x3" --generated 2026-01-06
is_status 0 "--by-host onto the previous publications"
is "$(wc -l <"$TMP/x3/example.com/all-delta-20260106T000000Z.scp" | tr -d ' ')" 0 "a delta without pages: nothing has changed"
run $P "$TMP/hosts.warc" -o "$TMP/x6" --host example.com --previous "$TMP/not-there"
is_status 0 "a previous publication that is not there: the first run"
run $P "$TMP/hosts.warc" -o "$TMP/x6" --host other.example --previous "$TMP/x2"
is_status 1 "the publication of another site"
err_has "is the publication of another site: https://example.com" "says so"
run $P "$TMP/hosts.warc" -o "$TMP/x4" --mixed --generated 2026-01-05
is "$(lines "$TMP/x4/all-snapshot-20260105T000000Z.scp" | wc -l | tr -d ' ')" 2 "--mixed: one collection (3 lines, the last without LF)"
ok "$([ ! -e "$TMP/x4/sitemap.xml" ] && [ ! -e "$TMP/x4/llm-sitemap.json" ]; echo $?)" "without sitemaps"
echo '{"origin":"https://example.com","hosts":["www.example.com"],"sections":{"a":"/a"},"exclude":["/a"]}' >"$TMP/adit.json"
run $P "$TMP/hosts.warc" -o "$TMP/x5" --config "$TMP/adit.json" --generated 2026-01-05
is "$(urls "$TMP/x5/a-snapshot-20260105T000000Z.scp")" "/a " "--config: sections"
is "$(jq -r '[.items[].cUrl]|join(" ")' "$TMP/x5/llm-sitemap.json")" "$E/" "exclude concerns machine URLs, not collections"

# --- with a previous publication ----------------------------------------------------------------------------------
{
  row $E/ $D1 Home
  row $E/blog/same $D1 Same
  row $E/blog/edit $D1 Before
  row $E/blog/gone $D1 Gone
  row $E/unmet $D1 Unmet
  row $E/error $D1 Error
  row $E/noindex $D1 Noindex
} | gen plain >"$TMP/p1.warc"
{
  row $E/ $D3 Home
  row $E/blog/same $D3 Same
  row $E/blog/edit $D3 After
  row $E/blog/gone $D3 Gone '"status":404'
  row $E/blog/new $D3 New
  row $E/error $D3 Error '"status":500'
  row $E/noindex $D3 Noindex '"headers":{"X-Robots-Tag":"noindex"}'
} | gen plain >"$TMP/p2.warc"
S="--section blog=/blog/"
run $P "$TMP/p1.warc" -o "$TMP/p" $S --generated 2026-01-02
cp -r "$TMP/p" "$TMP/p0"
run $P "$TMP/p2.warc" -o "$TMP/p" --previous "$TMP/p" $S --generated 2026-01-04
is_status 0 "packs onto the previous publication"
out_has "(1 new, 1 changed, 2 carried over; 2 removed, 1 of them deleted)" "summary of changes"
N="$TMP/p/all-snapshot-20260104T000000Z.scp"
is "$(urls "$N")" "/ /blog/edit /blog/new /blog/same /error /unmet " "carried over, renewed, removed"
is "$(lines "$N" | jq -r 'select(.title=="Same").modified')" $D1 "unchanged content keeps its date"
is "$(lines "$N" | jq -r 'select(.title=="After").modified')" $D3 "changed content has a later one"
is "$(urls "$TMP/p/all-delta-20260104T000000Z.scp")" "/blog/edit /blog/new " "the delta"
is "$(urls "$TMP/p/blog-delta-20260104T000000Z.scp")" "/blog/edit /blog/new " "the section's delta"
is "$(head -n 1 "$TMP/p/all-delta-20260104T000000Z.scp" | jq -r .collection.since)" 2026-01-02T00:00:00Z "since"
is "$(tr -d '\n' <"$TMP/p/resourcesync/all/changelist.xml" | sed 's|<lastmod>[^<]*</lastmod>||g' | grep -o 'example.com/[a-z/]*</loc><rs:md change="[a-z]*"' | sed 's/.*com\([^<]*\).*change="\(.*\)"/\1 \2/' | tr '\n' ';')" \
  "/blog/edit updated;/blog/gone deleted;/blog/new created;" "the change list"
is "$(jq -r '[.items[].cUrl]|length' "$TMP/p/llm-sitemap.json")" 6 "carried pages stay in the JSON sitemap"
run xmllint --noout --schema batch/tests/schema/sitemap.xsd "$TMP/p/sitemap.xml" "$TMP/p/resourcesync/all/changelist.xml"
is_status 0 "sitemap and change list with deltas are valid"
run $P "$TMP/p2.warc" -o "$TMP/pc" --previous "$TMP/p0" $S --generated 2026-01-04 --complete
is "$(urls "$TMP/pc/all-snapshot-20260104T000000Z.scp")" "/ /blog/edit /blog/new /blog/same /error " "--complete: what was not met is deleted"
run $P "$TMP/p2.warc" -o "$TMP/p" --previous "$TMP/p" $S --generated 2026-01-04
is_status 1 "the same time twice is refused"
err_has "is not before this run's time" "says why"
run $P "$TMP/p1.warc" -o "$TMP/p" --previous "$TMP/p" $S --generated 2026-01-04T12:00:00Z
is_status 0 "a third run"
is "$(jq -r '[.collections[]|select(.type=="delta").id]|join(" ")' "$TMP/p/scp-manifest.json")" \
  "all-delta-20260104T120000Z blog-delta-20260104T120000Z all-delta-20260104T000000Z blog-delta-20260104T000000Z" "older deltas stay listed until they expire"
T=$(lines "$TMP/p/all-snapshot-20260104T120000Z.scp" | jq -r 'select(.title=="Before").modified')
is "$T" 2026-01-03T00:00:01Z "an older capture never moves a date back"
if "$ADIT" help check >/dev/null 2>&1; then
  run "$ADIT" check "$TMP"/p/*.scp
  is_status 0 "adit check accepts all collections"
fi
if "$ADIT" help apply >/dev/null 2>&1; then
  run "$ADIT" apply "$TMP/p0/all-snapshot-20260102T000000Z.scp" "$TMP/pc/all-delta-20260104T000000Z.scp" -o "$TMP/applied.scp"
  is_status 0 "the delta can be applied"
  is "$(lines "$TMP/applied.scp" | jq -r 'select(.url|endswith("/blog/edit")).title')" After "and brings the change"
fi

# --- a JSON sitemap in parts ------------------------------------------------------------------------------------------
echo '{"origin":"https://example.com","sitemap":{"max_items":2}}' >"$TMP/parts.json"
run $P "$TMP/p1.warc" -o "$TMP/s" --config "$TMP/parts.json" --generated 2026-01-02
is "$(cd "$TMP/s" && echo llm-sitemap*)" "llm-sitemap-0001.json llm-sitemap-0002.json llm-sitemap-0003.json llm-sitemap-0004.json llm-sitemap.json" "parts and an index"
is "$(jq -c '[.sitemaps[].items]' "$TMP/s/llm-sitemap.json")" "[2,2,2,1]" "the index counts items"
is "$(jq -r '.sitemaps[1].url' "$TMP/s/llm-sitemap.json")" "$E/llm-sitemap-0002.json" "and names the parts"
is "$(jq -r '.sitemaps[1].contentHash' "$TMP/s/llm-sitemap.json")" "sha256-$(sha256sum <"$TMP/s/llm-sitemap-0002.json" | cut -d' ' -f1)" "with their hashes"
{ row $E/new $D3 New; } | gen plain >"$TMP/s2.warc"
run $P "$TMP/s2.warc" -o "$TMP/s" --config "$TMP/parts.json" --previous "$TMP/s" --generated 2026-01-04
is "$(jq -s '[.[].items[]?] | length' "$TMP"/s/llm-sitemap-*.json)" 8 "fingerprints of all parts are carried over"
cp "$TMP/s/sitemap.xml" "$TMP/s/sitemap-index.xml" && cp "$TMP/s/sitemap.xml" "$TMP/s/sitemap-0002.xml"
run $P "$TMP/s2.warc" -o "$TMP/s" --base-url $E/ --previous "$TMP/s" --generated 2026-01-05
is "$(cd "$TMP/s" && echo *sitemap*)" "llm-sitemap.json sitemap.xml" "parts of longer sitemaps of before are gone"

# --- a run that fails or is killed --------------------------------------------------------------------------------------
cp -r "$TMP/d1" "$TMP/k"
before=$(cd "$TMP/k" && find . -type f | sort | xargs sha256sum)
run sh -c "ulimit -f 20; $P $TMP/m1 -o $TMP/k --previous $TMP/k --generated 2026-01-11"
ok "$([ "$status" -ne 0 ]; echo $?)" "a file that cannot grow is an error"
is "$(cd "$TMP/k" && find . -type f | sort | xargs sha256sum)" "$before" "the old publication is untouched"
mkfifo "$TMP/fifo"
$P "$TMP/fifo" -o "$TMP/k" --previous "$TMP/k" --memory 8M --generated 2026-01-11 >/dev/null 2>&1 &
pid=$!
{ cat "$TMP/m1"; sleep 1; kill -9 $pid; } >"$TMP/fifo" 2>/dev/null
wait $pid 2>/dev/null
is "$(cd "$TMP/k" && sha256sum scp-manifest.json all-snapshot-20260110T000000Z.scp)" \
  "$(cd "$TMP/d1" && sha256sum scp-manifest.json all-snapshot-20260110T000000Z.scp)" "a killed run leaves the old publication"
$P "$TMP/fifo" -o "$TMP/k" --previous "$TMP/k" --memory 8M --generated 2026-01-11 >/dev/null 2>"$TMP/err" &
pid=$!
{ cat "$TMP/m1"; sleep 1; kill -INT $pid; cat "$TMP/m1"; } >"$TMP/fifo" 2>/dev/null
status=0
wait $pid 2>/dev/null || status=$?
ok "$([ "$status" -ne 0 ]; echo $?)" "an interrupted run fails"
err_has "interrupted; nothing was published" "says so"
is "$(cd "$TMP/k" && find . -name '*.scp*' | sort | tr '\n' ' ')" "./all-snapshot-20260110T000000Z.scp " "and leaves no file behind"
run $P "$TMP/m1" -o "$TMP/k" --previous "$TMP/k" --generated 2026-01-11
is_status 0 "running it again works"
run $P "$TMP/m1" -o "$TMP/k2" --previous "$TMP/d1" --generated 2026-01-11
for f in all-snapshot-20260111T000000Z.scp all-delta-20260111T000000Z.scp scp-manifest.json sitemap.xml; do
  same "$TMP/k2/$f" "$TMP/k/$f" "$f is that of a run that was never killed"
done

# --- usage --------------------------------------------------------------------------------------------------------------------
for bad in "" "$TMP/m1" "$TMP/m1 -o $TMP/u --jobs 0" "$TMP/m1 -o $TMP/u --memory 1K" "$TMP/m1 -o $TMP/u --generated soon" \
  "$TMP/m1 -o $TMP/u --section x" "$TMP/m1 -o $TMP/u --update-freq never" "$TMP/m1 -o $TMP/u --mixed --by-host" \
  "$TMP/m1 -o $TMP/u --include [a" "$TMP/m1 -o $TMP/u --base-url nonsense"; do
  run $P $bad
  is_status 2 "refused: pack $(echo "$bad" | sed "s,$TMP/,,g")"
done
run $P "$TMP/nothing-here" -o "$TMP/u"
is_status 1 "an input that is not there"
err_has "cannot open" "says so"
echo hello >"$TMP/hello"
run $P "$TMP/hello" -o "$TMP/u"
is_status 1 "an input that is no archive"
err_has "holds no WARC or ARC record" "says so"
run $P "$TMP/m1" "$TMP/hello" -o "$TMP/u" --generated 2026-01-10
is_status 1 "one bad input among good ones"
same "$TMP/d1/all-snapshot-20260110T000000Z.scp" "$TMP/u/all-snapshot-20260110T000000Z.scp" "the good ones are published"
run $P "$TMP/m1" -o /proc/nowhere
is_status 3 "an output folder that cannot be made"
run $P "$TMP/a.warc.gz" -o "$TMP/j" --json
is_status 0 "--json"
is "$(jq .pages "$TMP/out")" 4 "the report on stdout"
is "$(wc -c <"$TMP/err" | tr -d ' ')" 0 "nothing on stderr when it is no terminal"
# Links within texts are blocks behind them where asked for, by option or configuration.
mkdir "$TMP/linked"
cat >"$TMP/linked/index.html" <<'END'
<!doctype html><html lang="en"><title>Linked</title><main><p>A first sentence of some length with <a href="/other/">a link</a> in the middle of the text, to be kept.</p><p>And a second one, as long as the first one was before.</p></main>
END
echo '{"origin":"https://example.com","links":"all"}' >"$TMP/links.json"
"$ADIT" pack "$TMP/linked" --base-url https://example.com/ -o "$TMP/links-none" -q
"$ADIT" pack "$TMP/linked" --base-url https://example.com/ -o "$TMP/links-option" -q --links all
"$ADIT" pack "$TMP/linked" --config "$TMP/links.json" -o "$TMP/links-config" -q
links() { "$ADIT" cat "$TMP/links-$1" | jq -r '[.content[]? | select(.type == "link").url] | join(" ")'; }
is "$(links none) / $(links option) / $(links config)" " / https://example.com/other/ / https://example.com/other/" "links within texts, where asked for"
done_testing
