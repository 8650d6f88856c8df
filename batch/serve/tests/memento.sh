# adit serve over an archive: Memento (RFC 7089): TimeMap, TimeGate, versions.
. batch/tests/lib.sh
E=https://example.com
row() { # row PATH DATE TEXT
  printf '{"url":"%s","date":"%s","body":"<!doctype html><html lang=\\"en\\"><head><title>T</title></head><body><main><h1>T</h1><p>Every page here has a paragraph that is long enough to count as content.</p><p>%s</p></main></body></html>"}\n' "$E$1" "$2" "$3"
}
{
  row /a 2026-01-01T00:00:00Z one
  row /a 2026-01-03T00:00:00Z two
  row /a 2026-01-05T10:20:30Z three
  row "/q?x=1&y=2" 2026-01-02T00:00:00Z query
  row /gone 2026-01-02T00:00:00Z gone
} | gen members >"$TMP/1.warc.gz"
run "$ADIT" archive "$TMP/1.warc.gz" -o "$TMP/s"
is_status 0 "an archive"
run "$ADIT" archive tombstone "$TMP/s" $E/gone
start_serve "$ADIT" "$TMP/s"
ask() { run curl -sS -D "$TMP/head" -o "$TMP/body" "$@"; tr -d '\r' <"$TMP/head" >"$TMP/h"; }
field() { sed -n "s/^$1: //Ip" "$TMP/h"; }
code() { sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$TMP/h"; }

ask "$url/timemap/link/$E/a"
is "$(code) $(field content-type)" "200 application/link-format" "a TimeMap"
cat >"$TMP/want" <<X
<$E/a>; rel="original",
<$url/timemap/link/$E/a>; rel="self"; type="application/link-format"; from="Thu, 01 Jan 2026 00:00:00 GMT"; until="Mon, 05 Jan 2026 10:20:30 GMT",
<$url/timegate/$E/a>; rel="timegate",
<$url/memento/20260101000000/$E/a>; rel="first memento"; datetime="Thu, 01 Jan 2026 00:00:00 GMT",
<$url/memento/20260103000000/$E/a>; rel="memento"; datetime="Sat, 03 Jan 2026 00:00:00 GMT",
<$url/memento/20260105102030/$E/a>; rel="last memento"; datetime="Mon, 05 Jan 2026 10:20:30 GMT"
X
same "$TMP/body" "$TMP/want" "all versions, in link-format"
n_links=0
for m in $(sed -n 's/^<\([^>]*\)>; rel="[a-z ]*memento".*/\1/p' "$TMP/body"); do
  ask "$m"
  [ "$(code)" = 200 ] && n_links=$((n_links + 1))
done
is $n_links 3 "each of them is there"
is "$(field memento-datetime)" "Mon, 05 Jan 2026 10:20:30 GMT" "with its time"
is "$(grep -c three "$TMP/body") $(sha256sum <"$TMP/body" | cut -d' ' -f1)" "1 $("$ADIT" archive get "$TMP/s" $E/a | sha256sum | cut -d' ' -f1)" "its bytes as they were captured: nothing is added"
is "$(field content-security-policy) $(field x-content-type-options) $(field x-robots-tag)" "sandbox nosniff noindex" "a browser runs nothing of it as ours"
is "$(field link)" "<$E/a>; rel=\"original\", <$url/timemap/link/$E/a>; rel=\"timemap\"; type=\"application/link-format\", <$url/timegate/$E/a>; rel=\"timegate\"" "and where it belongs"
ask -I "$url/memento/20260103000000/$E/a"
is "$(code) $(field memento-datetime)" "200 Sat, 03 Jan 2026 00:00:00 GMT" "HEAD, too"

# --- datetime negotiation ------------------------------------------------------------------------------
gate() { ask -H "Accept-Datetime: $1" "$url/timegate/$E/a"; echo "$(code) $(field location)"; }
is "$(gate 'Fri, 02 Jan 2026 12:00:00 GMT')" "302 $url/memento/20260101000000/$E/a" "the version that was current then"
is "$(gate 'Sat, 03 Jan 2026 00:00:00 GMT')" "302 $url/memento/20260103000000/$E/a" "at the very second"
is "$(gate 'Wed, 01 Jan 2020 00:00:00 GMT')" "302 $url/memento/20260101000000/$E/a" "before all: the first"
is "$(gate 'not a date')" "400 " "what is no date"
ask "$url/timegate/$E/a"
is "$(code) $(field location) $(field vary | tr 'A-Z' 'a-z')" "302 $url/memento/20260105102030/$E/a accept-datetime" "without a time: the latest"
ask "$url/memento/20260104000000/$E/a"
is "$(code) $(field location)" "302 $url/memento/20260103000000/$E/a" "a time between two versions"

# --- what is not there -----------------------------------------------------------------------------------
ask "$url/timemap/link/$E/q?x=1&y=2"
is "$(code) $(grep -c 'memento/20260102000000/https://example.com/q?x=1&y=2>' "$TMP/body")" "200 1" "a URL with a query"
ask "$url/timemap/link/http://example.com/a"
is "$(code)" 200 "http stands for https"
ask "$url/timemap/link/$E/never"
is "$(code)" 404 "a page that is not archived"
ask "$url/timemap/link/$E/gone"
is "$(code)" 410 "one that was taken out"
for p in "/memento/2026/$E/a" "/memento/99999999999999/$E/a" "/timemap/link/../../x" "/timemap/link/file:///etc/passwd" "/timemap/json/$E/a" /timegate/; do
  ask --path-as-is "$url$p"
  is "$(code)" 404 "$p"
done
stop
# A folder that is no archive has nothing of this.
mkdir "$TMP/plain" && echo hello >"$TMP/plain/a.txt"
start_serve "$ADIT" "$TMP/plain"
ask "$url/timemap/link/$E/a"
is "$(code)" 404 "a folder that is no archive"
stop
done_testing
