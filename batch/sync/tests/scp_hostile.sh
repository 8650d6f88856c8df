# Slow: adit sync by SCP against a server that misbehaves: collections that are cut off are resumed, bad ones
# are replaced by HTML, sitemaps made to hurt do not, other origins are asked only if they are allowed.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

python3 batch/tests/make_site.py "$TMP/site" 300
start_hostile
publish --generated 2026-11-01T00:00:00Z
rm "$TMP/site/llm-sitemap.json"
file=$(ls "$TMP/site/collections" | grep snapshot)
path=/collections/$file
size=$(wc -c <"$TMP/site$path")
script() { # script ANSWER…: of the snapshot
  rm -rf "$TMP/dir"
  printf '%s\n' "$1" >"$TMP/site$path.http"
}
agent() {
  mark
  sync --via scp "$@"
}
held() { "$ADIT" cat "$TMP/dir/site.scp.zst" | cmp -s - "$TMP/pages"; }
ranges() { tail -n +"$((mark + 1))" "$TMP/log" | jq -r "select(.path==\"$path\")|.headers.range // \"-\"" | tr '\n' ' '; }
agent
is_status 0 "an honest server"
field via scp "by SCP"
"$ADIT" cat "$TMP/dir/site.scp.zst" >"$TMP/pages"
cp -a "$TMP/dir" "$TMP/honest"

# --- cut off: the rest is asked for
script '[{"static":true,"cut":5000},{"static":true}]'
agent
is_status 0 "a snapshot that is cut off"
ok "$([ "$(ranges)" = "- bytes=5000- " ]; echo $?)" "is resumed in the same run"
ok "$(held; echo $?)" "to the same pages"
script '[{"static":true,"cut":5000},{"static":true,"whole":true,"cut":8000},{"static":true}]'
agent
is_status 0 "cut off twice, and begun anew"
ok "$(held; echo $?)" "the same pages"
script '[{"static":true,"cut":5000},{"raw":""},{"static":true}]'
agent
field via html "a server that breaks down: HTML meanwhile"
agent
is_status 0 "the next run"
field via scp "goes on"
ok "$([ "$(ranges)" = "bytes=5000- " ]; echo $?)" "where the first one ended"
field pages 300 "all pages"
ok "$(ls "$TMP/dir/documents" | grep -q part; [ $? -ne 0 ]; echo $?)" "the download is gone then"
script '[{"static":true,"cut":5000},{"static":true,"whole":true,"headers":{"ETag":"\"another\"","Content-Type":"application/scp"}},{"static":true}]'
agent
is_status 0 "another file in between"
ok "$(held; echo $?)" "the same pages"
script '[{"static":true,"cut":5000},{"static":true,"damage":100},{"static":true}]'
agent
is_status 1 "other bytes behind the break"
violates scp-collection 1 "are seen"
field via html "HTML instead"
field pages 300 "all pages"
script '[{"static":true,"cut":5000},{"status":206,"headers":{"Content-Range":"bytes 0-9/10"},"body":"0123456789"}]'
agent
is_status 1 "another range than asked for"
field via html "HTML instead"
script '[{"static":true,"cut":5000},{"status":416,"headers":{"Content-Range":"bytes */10"}},{"static":true}]'
agent
is_status 0 "a range that is not to be had"
ok "$(held; echo $?)" "begun anew"

# --- collections that must not be used: HTML does it
attack() { # attack NAME ANSWER [RULE] [OPTIONS]
  name=$1 rule=$3
  script "$2"
  shift 3
  agent "$@"
  is_status 1 "$name"
  field via html "$name: HTML instead"
  field pages 300 "$name: all pages"
  ok "$([ "$(report "[.violations[]|select(.rule==\"$rule\")]|length")" = 1 ]; echo $?)" "$name: $rule"
  rm -rf "$TMP/dir"
  cp -a "$TMP/honest" "$TMP/dir"
  jq -c '.resources |= map(select(.url|contains("snapshot")|not)) | .sections[0].generated = "2026-10-01T00:00:00Z"' "$TMP/honest/state.json" >"$TMP/dir/state.json"
  agent "$@"
  field deleted 0 "$name: nothing that is held is deleted"
  field pages 300 "$name: nothing is lost"
}
head -c 100000 /dev/zero | zstd -19 -qc >"$TMP/site/zeros.zst"
head -c 400000000 /dev/zero | zstd -19 -qc >"$TMP/site/bomb.zst"
attack "not a collection" '{"file":"zeros.zst"}' scp-collection
attack "a bomb" '{"file":"bomb.zst"}' scp-collection
attack "nothing" '{"body":""}' scp-collection
attack "a page" '{"body":"<html>"}' scp-collection
attack "one byte" '{"static":true,"damage":7000}' scp-collection
attack "no end" '{"endless":"body"}' fetch --quota 4M
attack "an error" '{"status":500}' fetch
attack "gone" '{"status":410}' fetch
attack "a loop" '{"status":302,"headers":{"Location":"?{count}"}}' fetch
attack "to another origin" '{"status":302,"headers":{"Location":"{other}/x"}}' scp-origin
attack "to a file" '{"status":302,"headers":{"Location":"file:///etc/passwd"}}' fetch
attack "no answer to a range" '[{"static":true,"cut":10},{"status":206,"headers":{"Content-Range":"bytes 5-9/10"},"body":"01234"}]' fetch
rm -f "$TMP/site$path.http"
older=$("$ADIT" cat "$TMP/site$path" >/dev/null 2>&1; zstd -dc "$TMP/site$path" | sed '1s/,"checksum":"sha256:[0-9a-f]*"//')
printf '%s' "$older" | sed '1s/2026-11-01T00:00:00Z/2026-10-01T00:00:00Z/' | zstd -qc >"$TMP/site/older.zst"
printf '%s' "$older" | sed '1s/2026-11-01T00:00:00Z/2126-10-01T00:00:00Z/' | zstd -qc >"$TMP/site/future.zst"
printf '%s' "$older" | sed '1s/"section":"all"/"section":"blog"/' | zstd -qc >"$TMP/site/section.zst"
attack "an older one under the same name" '{"file":"older.zst"}' scp-replay
attack "one of the far future" '{"file":"future.zst"}' scp-future
attack "another section" '{"file":"section.zst"}' scp-differs
printf '%s' "$older" | sed "2,4s,$url,https://elsewhere.example,;5,7s,$url,$other," | zstd -qc >"$TMP/site/foreign.zst"
script '{"file":"foreign.zst"}'
agent
violates scp-page-origin 6 "pages of other origins"
field pages 294 "are left out"
rm "$TMP/site$path.http"
ok "$([ "$(grep -c "\"port\": ${other##*:}" "$TMP/log")" -eq 0 ]; echo $?)" "the other origin was never asked"

# --- other origins, when they are allowed, and secrets, which stay at home
cp "$TMP/site/sitemap.xml" "$TMP/map"
sed "s,$url/collections,$other/collections,g" "$TMP/map" >"$TMP/site/sitemap.xml"
rm -rf "$TMP/dir"
agent
violates scp-origin 1 "a collection elsewhere is not fetched"
field via html "HTML instead"
rm -rf "$TMP/dir"
mark
run "$ADIT" sync "$url/" "$TMP/dir" --json --via scp --allow-origin "$other" --allow-private --allow-http --header 'Authorization: Bearer secret'
field via scp "unless its origin is allowed"
field pages 300 "all pages"
ok "$([ "$(asked "\"port\": ${other##*:}.*$file")" -eq 1 ]; echo $?)" "it is fetched"
ok "$([ "$(asked "\"port\": ${other##*:}.*secret")" -eq 0 ]; echo $?)" "without the secret"
ok "$([ "$(asked "\"port\": ${url##*:}.*secret")" -gt 0 ]; echo $?)" "which the site gets"
private=$(ls -d "$TMP/dir"/private-*)
ok "$([ "$(stat -c %a "$private")" = 700 ] && [ -z "$(find "$private" -type f -perm /077)" ]; echo $?)" "what came with it is for its owner alone"
ok "$([ ! -e "$TMP/dir/site.scp.zst" ]; echo $?)" "and nowhere else"
ok "$(grep -rq secret "$TMP/dir"; [ $? -ne 0 ]; echo $?)" "the secret itself is not kept"
run "$ADIT" sync "$url/" "$TMP/dir" --json --via scp --allow-origin "$other" --allow-private --allow-http --header 'Authorization: Bearer other'
ok "$([ "$(ls -d "$TMP/dir"/private-* | wc -l)" -eq 2 ]; echo $?)" "another secret, another folder"
cp "$TMP/map" "$TMP/site/sitemap.xml"

# --- XML sitemaps made to hurt
list() { # list NAME ANSWER: what is held stays, and the run ends soon
  rm -rf "$TMP/dir"
  cp -a "$TMP/honest" "$TMP/dir"
  printf '%s\n' "$2" >"$TMP/site/sitemap.xml.http"
  from=$(date +%s)
  mark
  sync --via auto --fresh
  field deleted 0 "$1: nothing is deleted"
  field pages 300 "$1: all pages stay"
  ok "$([ "$(asked .)" -le 60 ] && [ $(($(date +%s) - from)) -lt 20 ]; echo $?)" "$1: few requests, soon done"
  ok "$(grep -rq 'root:' "$TMP/dir" "$TMP/out"; [ $? -ne 0 ]; echo $?)" "$1: no file of this machine is read"
}
ns='xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"'
list "no XML" '{"body":"[]"}'
list "cut off" '{"static":true,"cut":900}'
list "half" '{"file":"sitemap.xml","length":null,"cut":900}'
list "404" '{"status":404}'
list "empty" '{"body":"<urlset '"$ns"'></urlset>"}'
list "entities" '{"body":"<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">]><urlset '"$ns"'><url><loc>{site}/&e;&e;&e;</loc></url></urlset>"}'
list "external entities" '{"body":"<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><urlset '"$ns"'><url><loc>{site}/&a;</loc></url></urlset>"}'
list "an external DTD" '{"body":"<!DOCTYPE urlset SYSTEM \"{other}/x.dtd\"><urlset '"$ns"'><url><loc>{site}/</loc></url></urlset>"}'
list "deep" '{"body":"<a>","repeat":200000}'
list "long" '{"body":"<urlset a=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","repeat":100000}'
list "a bomb" '{"coding":"zeros","repeat":40}'
list "no end" '{"endless":"body"}'
list "an index of itself" '{"body":"<sitemapindex '"$ns"'><sitemap><loc>{site}/sitemap.xml</loc></sitemap></sitemapindex>"}'
list "an index without end" '{"body":"<sitemapindex '"$ns"'><sitemap><loc>{site}/sitemap.xml?{count}</loc></sitemap></sitemapindex>"}'
list "another origin" '{"body":"<sitemapindex '"$ns"'><sitemap><loc>{other}/sitemap.xml</loc></sitemap><sitemap><loc>file:///etc/passwd</loc></sitemap></sitemapindex>"}'
rm "$TMP/site/sitemap.xml.http"
done_testing
