# What pack writes from a folder and what serve answers for it agree: every contentHash of the JSON
# sitemap is the ETag of its machine URL, and SCP files have the header fields of the manifest.
. batch/tests/lib.sh

mkdir -p "$TMP/site/blog/one" "$TMP/site/blog/two" "$TMP/site/tag/x" "$TMP/site/collections"
page() {
  printf '<!doctype html><html lang="en"><head><title>%s</title></head><body><nav><a href="/">Home</a></nav><main><h1>%s</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p><p>The second one is here so that the page %s has more than a single block of text in it.</p></main></body></html>\n' "$1" "$1" "$1"
}
page Home >"$TMP/site/index.html"
page "Käse & Brot <1>" >"$TMP/site/blog/one/index.html"
page Two >"$TMP/site/blog/two/index.html"
page Tag >"$TMP/site/tag/x/index.html"
page File >"$TMP/site/file.html"
echo '{"origin":"https://example.com","sections":{"blog":"/blog/"},"llms_full":true}' >"$TMP/adit.json"
run "$ADIT" pack "$TMP/site" --base-url https://example.com/ --config "$TMP/adit.json" --generated 2026-11-16T00:00:00Z -o "$TMP/pub"
is_status 0 "pack"
is "$(sed -n 's/^Source: <https:\/\/example.com\(.*\)>$/\1/p' "$TMP/pub/llms-full.txt" | tr '\n' ' ')" "/ /blog/one/ /blog/two/ /file.html " "llms-full.txt has every page that has a machine view"
is "$(grep -c 'The second one is here so that the page' "$TMP/pub/llms-full.txt")" 4 "whole"
run "$ADIT" check "$TMP/pub"
is_status 0 "the publication is as check wants it"
cp -r "$TMP/pub/." "$TMP/site/collections/"

start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json"
curl -s "$url/llm-sitemap.json" >"$TMP/map.json"
items=$(jq '.items | length' "$TMP/map.json")
ok "$([ "${items:-0}" -ge 4 ]; echo $?)" "the sitemap is served and lists pages ($items)"
ok "$(jq -e 'all(.items[]; .cUrl | contains("/tag/") | not)' "$TMP/map.json" >/dev/null; echo $?)" "excluded pages are not listed"
jq -r '.items[] | "\(.mUrl) \(.contentHash) \(.cUrl)"' "$TMP/map.json" >"$TMP/items"
wrong=0
while read -r m hash c; do
  etag=$(curl -s -D - -o "$TMP/body" "$url${m#https://example.com}" | tr -d '\r' | sed -n 's/^etag: //Ip')
  [ "$etag" = "\"$hash\"" ] && [ "$(jq -r .hash "$TMP/body")" = "$hash" ] && [ "$(jq -r .canonical_url "$TMP/body")" = "$c" ] || {
    wrong=$((wrong + 1))
    echo "# $m: $etag, sitemap $hash"
  }
done <"$TMP/items"
ok "$wrong" "contentHash = ETag = hash for every page"
file=$(jq -r '.collections[0].file' "$TMP/pub/scp-manifest.json")
sum=$(jq -r '.collections[0].checksum' "$TMP/pub/scp-manifest.json")
curl -s -D "$TMP/head" -o "$TMP/file" "$url/collections/$file"
same "$TMP/file" "$TMP/pub/$file" "an SCP file arrives as it is"
ok "$(tr -d '\r' <"$TMP/head" | grep -qix "etag: \"$sum\""; echo $?)" "with its checksum as ETag"
ok "$(tr -d '\r' <"$TMP/head" | grep -qix 'content-type: application/scp'; echo $?)" "and its type"
ok "$(tr -d '\r' <"$TMP/head" | grep -qix 'last-modified: Mon, 16 Nov 2026 00:00:00 GMT'; echo $?)" "and its date"
code=$(curl -s -o /dev/null -w '%{http_code}' -H "if-none-match: \"$sum\"" "$url/collections/$file")
ok "$([ "$code" = 304 ]; echo $?)" "and 304"
stop
done_testing
