# What `adit serve` says of a folder's site where it has no such files: sitemaps and llms.txt.
. batch/tests/lib.sh

mkdir -p "$TMP/site/blog/one" "$TMP/site/tag/x"
page() { # page TITLE [HEAD]
  printf '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title><meta name="description" content="About %s."> %s</head><body><main><h1>%s</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p><p>The second one is here so that the page has more than a single block of text in it.</p></main></body></html>\n' "$1" "$1" "${2-}" "$1"
}
page Home >"$TMP/site/index.html"
page "One [of] two" >"$TMP/site/blog/one/index.html"
page "A file" >"$TMP/site/file.html"
page "A tag" >"$TMP/site/tag/x/index.html"
page Hidden '<meta name="robots" content="noindex">' >"$TMP/site/hidden.html"
echo '<!doctype html><title>Empty</title>' >"$TMP/site/empty.html"
paths() { jq -r '.items[].cUrl' "$TMP/body" | sed "s|^$url||" | tr '\n' ' '; }

start_serve "$ADIT" "$TMP/site"
ok "$(grep -q "links begin with $url" "$TMP/serve.err"; echo $?)" "the start says what links begin with"
ok "$(grep -q "Accept: text/markdown' $url/" "$TMP/serve.err"; echo $?)" "and what to try"
get /llm-sitemap.json
is "$code $(field content-type)" "200 application/json; charset=utf-8" "a JSON sitemap"
is "$(paths)" "/ /blog/one/ /file.html " "of the pages that have a machine view, the home page first"
get /.well-known/llm-sitemap.json
is "$(paths)" "/ /blog/one/ /file.html " "at its second address, too"
etag=$(field etag)
get /llm-sitemap.json -H "if-none-match: $etag"
is "$code" 304 "304"
get /llm-sitemap.json -H 'range: bytes=0-9'
is "$code $(wc -c <"$TMP/body" | tr -d ' ')" "206 10" "a range"
get /llm-sitemap.json -I
is "$code" 200 "HEAD"
get /llm-sitemap.json
for m in $(jq -r '.items[] | .mUrl + "=" + .contentHash' "$TMP/body"); do
  is "$(curl -sI "${m%%=*}" | tr -d '\r' | sed -n 's/^etag: //Ip')" "\"${m#*=}\"" "${m%%=*}: the fingerprint is the ETag"
done
get /sitemap.xml
is "$code $(field content-type) $(grep -c '<loc>' "$TMP/body")" "200 application/xml 4" "an XML sitemap, which has what is excluded from machine views"
if command -v xmllint >/dev/null; then ok "$(xmllint --noout "$TMP/body"; echo $?)" "well-formed"; fi
get /llms.txt
is "$code $(field content-type)" "200 text/plain; charset=utf-8" "llms.txt"
is "$(sed "s|$url||" "$TMP/body")" "# Home

> About Home.

## Pages

- [Home](/llm.md): About Home.
- [One \\[of\\] two](/blog/one/llm.md): About One [of] two.
- [A file](/file.html.llm.md): About A file." "with title, summary, and links to the twins"
cp "$TMP/body" "$TMP/llms"
get /llms.txt
ok "$(cmp "$TMP/llms" "$TMP/body"; echo $?)" "the same bytes again"
get /llms.txt -H "if-none-match: $(field etag)"
is "$code" 304 "and 304"
for m in $(sed -n 's/.*](\([^)]*\)).*/\1/p' "$TMP/llms"); do is "$(curl -s -o /dev/null -w '%{http_code}' "$m")" 200 "$m is there"; done

# Always current.
mkdir "$TMP/site/new" && page New >"$TMP/site/new/index.html"
get /llm-sitemap.json
is "$(paths)" "/ /blog/one/ /file.html /new/ " "a new page shows at once"
before=$(jq -r '.items[] | select(.cUrl | endswith("/file.html")) | .contentHash' "$TMP/body")
page "Another file" >"$TMP/site/file.html"
get /llm-sitemap.json
after=$(jq -r '.items[] | select(.cUrl | endswith("/file.html")) | .contentHash' "$TMP/body")
ok "$([ "$before" != "$after" ]; echo $?)" "a changed one has another fingerprint"
is "$(curl -sI "$url/file.html/llm" | tr -d '\r' | sed -n 's/^etag: //Ip')" "\"$after\"" "its ETag"
rm -r "$TMP/site/new"
get /llm-sitemap.json
is "$(paths)" "/ /blog/one/ /file.html " "a deleted one is gone at once"
run "$ADIT" sync --check "$url/"
is_status 0 "sync --check of a plain folder"
echo own >"$TMP/site/llms.txt"
get /llms.txt
is "$(cat "$TMP/body")" own "a file of the site's own wins"
rm "$TMP/site/llms.txt"
get /llm-sitemap-0001.json
is "$code" 404 "no parts where there are none"
stop

echo '{"sitemap":{"max_items":2},"sections":{"Blog":"/blog/"},"llms":true,"markdown":false}' >"$TMP/adit.json"
start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json" --strip-html-suffix
get /llm-sitemap.json
is "$(jq -r '.sitemaps | map(.items) | join(",")' "$TMP/body")" "2,1" "an index above max_items"
is "$(jq -r '.sitemaps[0].contentHash' "$TMP/body")" "sha256-$(curl -s "$url/llm-sitemap-0001.json" | sha256sum | cut -d' ' -f1)" "with the hashes of its parts"
get /llm-sitemap-0002.json
is "$(paths)" "/file " "--strip-html-suffix: the page of file.html"
get /file
is "$code" 200 "is at that address"
get /file/llm
is "$(jq -r .canonical_url "$TMP/body")" "$url/file" "and so is its machine view"
get /llms.txt
is "$(grep '^## ' "$TMP/body" | tr '\n' ' ')" "## Blog ## Pages " "sections of llms.txt"
is "$(sed -n 's/.*](\(.*\)).*/\1/p' "$TMP/body" | head -n 1)" "$url/blog/one/llm/" "without twins, links to the JSON"
stop
echo '{"llms_full":true,"tct_profile":"03"}' >"$TMP/adit.json"
start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json"
get /llms-full.txt
is "$code $(field content-type)" "200 text/plain; charset=utf-8" "llms-full.txt, where it is asked for"
is "$(sed -n 's/^Source: <\(.*\)>$/\1/p' "$TMP/body" | head -n 1)" "$url/" "names the page's address"
for m in $(sed -n 's/^Source: <\(.*\)>$/\1/p' "$TMP/body"); do curl -s -H 'accept: text/markdown' "$m"; done | grep -v '^$' | sort -u >"$TMP/twins"
ok "$(sort -u "$TMP/body" | comm -13 - "$TMP/twins" | grep -q .; [ $? -ne 0 ]; echo $?)" "and holds every line of the pages' Markdown"
full=$(field etag)
get /llms-full.txt -H "if-none-match: $full"
is "$code" 304 "with an ETag"
get /llm-sitemap.json
is "$code $(field content-type) $(field etag)" "200 application/json \"sha256-$(sha256sum <"$TMP/body" | cut -d' ' -f1)\"" "profile 03: type and ETag of the sitemap"
ok "$(grep -qi '^content-digest: sha-256=' "$TMP/head" && grep -qi '^link: <.*#tct-m-sitemap-profile>; rel="profile"' "$TMP/head"; echo $?)" "its digest, and its profile"
is "$(jq -r '"\(.version) \(.items | map(has("lastModified") and .etag == .contentHash) | all)"' "$TMP/body")" "2 true" "its version and items"
m=$(jq -r '.items[-1].mUrl' "$TMP/body") hash=$(jq -r '.items[-1].etag' "$TMP/body")
get "${m#"$url"}" -H 'accept-encoding: gzip'
is "$(field etag) $(field content-encoding)" "\"$hash\" " "parity; sent as it is, though gzip is taken"
is "sha256-$(sha256sum <"$TMP/body" | cut -d' ' -f1) $(jq -r '.hash // "none"' "$TMP/body")" "$hash none" "the hash of the bytes, which do not state it"
get "${m#"$url"}" -H 'accept-encoding: gzip, identity;q=0'
is "$code" 406 "or not at all"
get /llm-sitemap.json -H 'accept-encoding: gzip, identity;q=0'
is "$code" 406 "the sitemap, too"
stop
echo '{"llms":false}' >"$TMP/adit.json"
start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json"
get /llms.txt
is "$code" 404 "llms: false"
get /llms-full.txt
is "$code" 404 "llms-full.txt only where it is asked for"
stop
mkdir "$TMP/pub" && echo '{}' >"$TMP/pub/scp-manifest.json"
start_serve "$ADIT" "$TMP/pub" --log-json
ok "$(grep -q 'is a publication' "$TMP/serve.err"; echo $?)" "a publication says what it is"
get '/a"b/llm/' -A 'agent "x"'
stop
is "$(jq -r '[.status, .route, .reason, .target, .user_agent] | join(" ")' "$TMP/log")" '404 machine origin_404 /a"b/llm/ agent "x"' "the log as JSON"
done_testing
