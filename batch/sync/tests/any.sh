# Slow: adit sync where the start page, robots.txt, every sitemap, the policy, a machine view and a collection
# answer in the ways that the hostile server knows (hostile/): the run ends, in order. Each way is taken
# for two of them, in turn; with ADIT_ALL=1 for all.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

mkdir -p "$TMP/site/page/llm" "$TMP/site/.well-known"
cp -r batch/tests/hostile "$TMP/answers"
start_hostile
cat >"$TMP/llm-sitemap.json" <<JSON
{"version":1,"profile":"tct-1","items":[{"cUrl":"$url/page/","mUrl":"$url/page/llm/","contentHash":"sha256-0000000000000000000000000000000000000000000000000000000000000000"}]}
JSON
cat >"$TMP/sitemap.xml" <<XML
<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:scp="https://scp-protocol.org/schemas/sitemap/1.0">
<scp:version>0.1</scp:version><scp:collection section="all" type="snapshot" url="$url/all.scp.zst" generated="2026-01-01T00:00:00Z" pages="1" size="1000"/>
<url><loc>$url/page/</loc></url></urlset>
XML
ordinary() { # everything is there, and fine as far as it goes
  find "$TMP/site" -name '*.http' -delete
  cp "$TMP/llm-sitemap.json" "$TMP/sitemap.xml" "$TMP/site/"
  echo '<html><title>x</title><p>A page.</html>' >"$TMP/site/index.html"
  cp batch/tests/hostile/plain.txt batch/tests/hostile/*.br batch/tests/hostile/*.gz batch/tests/hostile/*.zst "$TMP/site/"
}
bad=0 runs=0 turn=0
for answer in "$TMP"/answers/*.http; do
  case $answer in */busy*.http | */quota.http) continue ;; esac # they are waited for
  for path in robots.txt index llm-sitemap.json sitemap.xml llm-policy.json page/llm/index page/index all.scp.zst; do
    turn=$(((turn + 3) % 8)) # nine steps an answer, so that the next one has others
    [ "$turn" -lt 2 ] || [ -n "$ADIT_ALL" ] || continue
    # The slow ones: the run's time is short, and once is enough.
    case $answer in */stall.http | */*drip*.http) [ "$path" = sitemap.xml ] || continue ;; esac
    ordinary
    rm -rf "$TMP/dir"
    cp "$answer" "$TMP/site/$path.http"
    run timeout -s KILL 20 "$ADIT" sync "$url/" "$TMP/dir" --json --max-time 2
    runs=$((runs + 1))
    if [ "$status" -gt 1 ] || grep -q -e Sanitizer -e 'runtime error' "$TMP/err" || { [ -s "$TMP/out" ] && ! jq -e . "$TMP/out" >/dev/null 2>&1; }; then
      echo "# ${answer##*/} as $path: exit code $status"
      show
      bad=$((bad + 1))
    fi
  done
  turn=$(((turn + 3) % 8))
done
ok "$bad" "$runs runs end in order"
ok "$([ "$runs" -gt 100 ]; echo $?)" "many of them"
ok "$([ "$(grep -c "\"port\": ${other##*:}" "$TMP/log")" -eq 0 ]; echo $?)" "the other origin was never asked"
done_testing
