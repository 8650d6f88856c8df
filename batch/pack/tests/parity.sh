# The fingerprints that `adit pack` publishes are the ETags that the edge gives for the same pages.
. batch/tests/lib.sh
S="$TMP/site"
mkdir "$S"
printf '<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1><p>Welcome to a page that says a little more than its title does, in one sentence.</p></main>' >"$S/index.html"
printf '<title>Caf\351</title><main><h1>Caf\351</h1><p>Un paragraphe assez long pour compter comme contenu, au caf\351 du coin de la rue.</p></main>' >"$S/latin.html"
printf '<title>\320\247\320\260\321\201\321\213</title><main><h1>\320\247\320\260\321\201\321\213</h1><p>\320\247\320\260\321\201\321\213, \320\272\320\276\321\202\320\276\321\200\321\213\320\265 \320\277\320\276\320\272\320\260\320\267\321\213\320\262\320\260\321\216\321\202 \320\277\321\200\320\270\320\273\320\270\320\262.</p></main>' >"$S/hours.html"
k=0
for f in "$ADIT_CORPUS"/extraction/*.html.gz; do
  [ -e "$f" ] || break
  k=$((k + 1))
  [ $((k % 12)) -eq 0 ] && gzip -dc "$f" >"$S/$(basename "$f" .gz)"
done
echo '{"origin":"https://example.com","require_https":false}' >"$TMP/adit.json"
run "$ADIT" pack "$S" -o "$TMP/o" --config "$TMP/adit.json" --generated 2026-01-01
is_status 0 "packs"
start_serve "$ADIT" "$S" --config "$TMP/adit.json" --quiet
base=$url
n_pages=0 wrong=
jq -r '.items[] | .mUrl + " " + .contentHash' "$TMP/o/llm-sitemap.json" >"$TMP/items"
while read -r url hash; do
  n_pages=$((n_pages + 1))
  etag=$(curl -s -D - -o /dev/null -H 'Host: example.com' "$base${url#https://example.com}" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: "\(.*\)"/\1/p')
  [ "$etag" = "$hash" ] || wrong="$wrong $url"
done <"$TMP/items"
kill $pid
wait $pid 2>/dev/null
ok "$([ $n_pages -ge 3 ] && [ -z "$wrong" ]; echo $?)" "$n_pages fingerprints are the ETags of adit serve"
for u in $wrong; do echo "# differs: $u"; done
done_testing
