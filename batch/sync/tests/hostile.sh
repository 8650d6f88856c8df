# Slow: adit sync against a server that misbehaves (hostile.py): nothing false is believed, nothing held is
# lost, nobody else is asked, and every run ends.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

python3 batch/tests/make_site.py "$TMP/site" 8
start_hostile
views() { python3 batch/tests/make_views.py "$ADIT_RELEASE" "$TMP/site" "$url"; }
pages() { "$ADIT" cat "$TMP/dir/site.scp.zst"; }
agent() { # a run, from the log's end on
  mark
  sync --via tct "$@"
}
# The sitemap says that page 3 is another one now.
announce() { jq -c '.items |= map(if (.cUrl|endswith("page-0003/")) then .contentHash = "sha256-" + ("1"*64) else . end)' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"; }
script() { printf '%s\n' "$1" >"$TMP/site/page-0003/llm/index.http"; }

views
agent
is_status 0 "an honest server"
field new 8 "all pages"
pages >"$TMP/held"
cp -a "$TMP/dir" "$TMP/honest"

# --- one page whose answer is bad: it is told, the page that is held stays, all others are fine
want=$(jq -r '.items[]|select(.cUrl|endswith("page-0003/"))|.contentHash' "$TMP/site/llm-sitemap.json")
good=$(jq -c '.[1].headers' "$TMP/site/page-0003/llm/index.http")
body=$(jq -c '.[1].body' "$TMP/site/page-0003/llm/index.http")
old=$(jq -c '.[0]' "$TMP/site/page-0003/llm/index.http")
attack() { # attack NAME ANSWER [RULE]
  rm -rf "$TMP/dir"
  cp -a "$TMP/honest" "$TMP/dir"
  script "$2"
  announce
  agent
  is_status 1 "$1"
  field lost 1 "$1: one page is lost"
  field deleted 0 "$1: none is deleted"
  [ -z "$3" ] || ok "$([ "$(report "[.violations[]|select(.rule==\"$3\")]|length")" = 1 ]; echo $?)" "$1: $3"
  pages >"$TMP/now"
  same "$TMP/now" "$TMP/held" "$1: what is held stays"
}
attack "no hash, and an ETag of other bytes" "$(printf '%s' '{"headers":'"$good"',"body":'"$body"'}' | jq -c '.body |= (fromjson|del(.hash)|.title = "Another"|tojson)')" tct-fingerprint
attack "a hash that is no string" "$(printf '%s' '{"headers":'"$good"',"body":'"$body"'}' | jq -c '.body |= (fromjson|.hash = 7|tojson)')" tct-payload
attack "an ETag that is not the hash" "$(printf '%s' '{"headers":'"$good"',"body":'"$body"'}' | jq -c '.headers.ETag = "\"sha256-" + ("2"*64) + "\""')" tct-parity
attack "no canonical" "$(printf '%s' '{"headers":'"$good"',"body":'"$body"'}' | jq -c 'del(.headers.Link)')" tct-canonical
attack "another canonical" "$(printf '%s' '{"headers":'"$good"',"body":'"$body"'}' | jq -c '.headers.Link = "</page-0004/>; rel=\"canonical\""')" tct-canonical-other
attack "no JSON" '{"headers":'"$good"',"body":"<html>"}' tct-payload
attack "half of it" '{"headers":'"$good"',"body":'"$body"',"cut":300}' fetch
attack "less than it says" '{"headers":'"$good"',"body":'"$body"',"length":100000}' fetch
attack "a reset" '{"headers":'"$good"',"body":'"$body"',"cut":300,"reset":true}' fetch
attack "no end" '{"headers":'"$good"',"endless":"body"}' fetch
attack "a bomb" '{"headers":'"$good"',"coding":"zeros","repeat":40}' fetch
attack "no end of header fields" '{"endless":"headers"}' fetch
attack "garbage" '{"raw":"garbage\r\n\r\n"}' fetch
attack "nothing" '{"raw":""}' fetch
attack "a loop" '{"status":302,"headers":{"Location":"/page-0003/llm/"}}' fetch
attack "another loop" '{"status":302,"headers":{"Location":"/page-0003/llm/?{count}"}}' fetch
attack "to a file" '{"status":302,"headers":{"Location":"file:///etc/passwd"}}' fetch
attack "to another origin" '{"status":302,"headers":{"Location":"{other}/page-0003/llm/"}}' fetch
attack "to another page" '{"status":302,"headers":{"Location":"/page-0004/llm/"}}' tct-canonical-other
attack "a server's error" '{"status":500,"body":"x"}' fetch
attack "forbidden" '{"status":403,"body":"x"}' fetch
attack "a partial answer" '{"status":206,"headers":{"Content-Range":"bytes 0-1/9"},"body":"xx"}' fetch
ok "$(grep -q "\"port\": ${other##*:}" "$TMP/log"; [ $? -ne 0 ]; echo $?)" "the other origin was never asked"

# --- answers that are old: asked again past the caches
script '['"$old"',{"headers":'"$good"',"body":'"$body"'}]'
rm -rf "$TMP/dir"
cp -a "$TMP/honest" "$TMP/dir"
announce
agent
is_status 0 "a cache that gives the old page"
violates tct-parity-sitemap 1 "is told"
ok "$([ "$(asked no-cache)" -eq 1 ]; echo $?)" "after asking past it once"
field updated 0 "the page stays what it is"

# --- a page that is gone
rm -rf "$TMP/dir"
cp -a "$TMP/honest" "$TMP/dir"
script '{"status":410,"endless":"body"}'
announce
agent
field gone 1 "410"
field deleted 1 "the page leaves"
field pages 7 "the others stay"
agent
ok "$([ "$(asked page-0003)" -eq 0 ]; echo $?)" "and is not asked for again"

# --- waiting
rm -rf "$TMP/dir"
cp -a "$TMP/honest" "$TMP/dir"
script '[{"status":429,"headers":{"Retry-After":"1"}},{"headers":'"$good"',"body":'"$body"'}]'
announce
agent
field retries 1 "429 with Retry-After: asked again"
field lost 0 "and nothing is lost"
rm -rf "$TMP/dir"
for k in 0 1 2 4 5 6 7; do
  f=$TMP/site/page-000$k/llm/index.http
  [ "$k" -gt 0 ] || f=$TMP/site/llm/index.http
  echo '{"status":503,"headers":{"Retry-After":"100000"}}' >"$f"
done
agent
is_status 1 "503 for a day"
ok "$([ "$(asked '/llm/"')" -le 4 ]; echo $?)" "the server is left alone"
views
script '{"delay":30}'
mark
from=$(date +%s)
sync --via tct --max-time 3
ok "$([ $(($(date +%s) - from)) -le 15 ]; echo $?)" "a server that does not answer: the time of the run is kept"
field left 1 "what did not come is told"
field pages 7 "what came is kept"
views
agent
is_status 0 "the next run"
field new 1 "goes on"
pages >"$TMP/now"
same "$TMP/now" "$TMP/held" "to the same end"

# --- sitemaps
rm -rf "$TMP/dir"
cp -a "$TMP/honest" "$TMP/dir"
cp "$TMP/site/llm-sitemap.json" "$TMP/map"
list() { # list NAME ANSWER: a sitemap that must change nothing
  printf '%s\n' "$2" >"$TMP/site/llm-sitemap.json.http"
  agent
  field deleted 0 "$1: nothing is deleted"
  field pages 8 "$1: all pages stay"
  ok "$([ "$(asked .)" -le 40 ]; echo $?)" "$1: few requests"
}
list "a sitemap that is cut off" '{"file":"llm-sitemap.json","cut":700}'
list "an empty one" '{"json":{"version":1,"profile":"tct-1","items":[]}}'
list "none" '{"status":404}'
list "gone" '{"status":410}'
list "an error" '{"status":500}'
list "garbage" '{"body":"[[[["}'
list "deep" '{"body":"[","repeat":100000}'
list "a bomb" '{"coding":"zeros","repeat":40}'
list "an index of itself" '{"json":{"version":1,"profile":"tct-1","sitemaps":[{"url":"{site}/llm-sitemap.json"}]}}'
list "an index without end" '{"json":{"version":1,"profile":"tct-1","sitemaps":[{"url":"{site}/llm-sitemap.json?{count}"},{"url":"{site}/llm-sitemap.json?b{count}"}]}}'
echo '{"json":{"version":1,"profile":"tct-1","sitemaps":[{"url":"{site}/part?{count}"},{"url":"{other}/part"},{"url":"file:///etc/passwd"},{"url":7}]}}' >"$TMP/site/part.http"
list "an index of nonsense" '{"json":{"version":1,"profile":"tct-1","sitemaps":[{"url":"{other}/x"},{"url":"file:///etc/passwd"},{"url":7},8]}}'
rm "$TMP/site/llm-sitemap.json.http"
ok "$(grep -q "\"port\": ${other##*:}" "$TMP/log"; [ $? -ne 0 ]; echo $?)" "the other origin was never asked"

# --- the quota
rm -rf "$TMP/dir"
agent --quota 3K
is_status 1 "a quota of a few pages"
err_has "--quota" "is told"
ok "$([ "$(report .pages)" -ge 1 ] && [ "$(report .pages)" -lt 8 ]; echo $?)" "and kept"
ok "$([ "$(du -sb "$TMP/dir" | cut -f1)" -lt 40000 ]; echo $?)" "on the disk"
agent --quota 1M
is_status 0 "with more of it"
field pages 8 "the next run goes on"

# --- bytes on the way
rm -rf "$TMP/dir"
agent --max-bytes 6K
ok "$([ "$(report .bytes)" -lt 12000 ]; echo $?)" "so many bytes and no more are fetched"
ok "$([ "$(report .left)" -gt 0 ]; echo $?)" "what is left is told"
out_has "used up" "and why"
agent
field pages 8 "the next run goes on"

# --- robots.txt
for answer in '{"status":500}' '{"status":302,"headers":{"Location":"{other}/robots.txt"}}' '{"status":302,"headers":{"Location":"http://169.254.169.254/robots.txt"}}' '{"raw":"garbage\r\n\r\n"}' '{"body":"User-agent: adit\nDisallow: /\n"}'; do
  rm -rf "$TMP/dir"
  printf '%s\n' "$answer" >"$TMP/site/robots.txt.http"
  agent
  is_status 1 "robots.txt that forbids everything"
  ok "$([ "$(asked '"path": "/robots.txt"')" -ge 1 ] && [ "$(asked .)" -eq "$(asked '"path": "/robots.txt"')" ]; echo $?)" "nothing else is asked for"
  ok "$([ -s "$TMP/err" ]; echo $?)" "and it is said"
done
done_testing
