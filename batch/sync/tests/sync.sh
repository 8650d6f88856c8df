# Slow: adit sync by TCT: against adit serve over a generated site.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

python3 batch/tests/make_site.py "$TMP/site" 1000
run "$ADIT" sync
is_status 2 "without a URL"
run "$ADIT" sync nonsense "$TMP/x"
is_status 2 "a URL that is none"
run "$ADIT" sync https://example.com/ "$TMP/x" --via carrier-pigeon
is_status 2 "an unknown way"
run "$ADIT" sync http://example.com/ "$TMP/x"
is_status 1 "plain http is refused"

start "$TMP/site"
publish
sync --via tct
is_status 0 "the first run"
field new 1000 "takes every page"
field via tct "by TCT"
ok "$("$ADIT" check "$TMP/dir/site.scp.zst" >/dev/null; echo $?)" "into a valid collection"
ok "$([ "$("$ADIT" cat "$TMP/dir/site.scp.zst" | wc -l)" -eq 1000 ]; echo $?)" "of all pages"
field html_bytes 0 "what HTML would have cost is not told from one page"

sync --via tct
is_status 0 "the second run"
at_most requests 3 "asks three times at most"
field zero_fetch 1000 "no page"
field updated 0 "changes nothing"

python3 batch/tests/make_site.py "$TMP/site" 100 1 10
publish
sync --via tct
at_most requests 13 "after ten edits thirteen requests at most"
field updated 10 "ten pages are updated"
field new 0 "none is new"
"$ADIT" cat "$TMP/dir/site.scp.zst" >"$TMP/pages"
ok "$(grep -c 'version 1\.' "$TMP/pages" | grep -qx 10; echo $?)" "and they say the new thing"

rm -r "$TMP/site/page-0500"
python3 batch/tests/make_site.py "$TMP/site" 1000 0 1
publish
sync --via tct
field deleted 1 "a page that is not listed any more leaves"
field new 1 "one comes"
field lost 0 "nothing is lost"
rm -r "$TMP/site/page-0501"
jq -c '.items |= map(if (.cUrl|endswith("page-0501/")) then .contentHash = "sha256-" + ("0"*64) else . end)' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
sync --via tct
field gone 1 "a listed page without a machine view is gone"
field deleted 1 "and leaves"
jq -c '.items |= [{"cUrl":"https://elsewhere.example/","mUrl":"https://elsewhere.example/llm/","contentHash":("sha256-" + ("0"*64))}, {"cUrl":7}] + .' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
sync --via tct
violates tct-origin 1 "pages of other origins are not asked for"
violates tct-sitemap-entry 1 "malformed entries are passed over and told"
field deleted 0 "nothing is deleted on the word of a damaged list"
sync --via tct --head
is_status 0 "with HEAD"
echo '{"items":[' >"$TMP/site/llm-sitemap.json"
sync --via tct
is_status 1 "a sitemap that is none"
violates tct-sitemap 1 "is told"
field pages 999 "what is held stays"
stop

# robots.txt, noindex, policy
printf 'User-agent: *\nDisallow: /page-0003\n' >"$TMP/site/robots.txt"
sed -i 's/<head>/<head><meta name="robots" content="noindex">/' "$TMP/site/page-0004/index.html"
start "$TMP/site"
publish
jq -c '.items |= map(select(.cUrl|test("page-00[0-9][0-9]")))' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
sync --via tct
field robots 1 "robots.txt is obeyed for the page's path, too"
ok "$("$ADIT" cat "$TMP/dir/site.scp.zst" | grep -q page-0003; [ $? -ne 0 ]; echo $?)" "its page is not there"
stop
cat >"$TMP/policy.json" <<'JSON'
{"profile":"tct-policy-1","version":1,"purposes":{"allow_ai_input":true,"allow_ai_train":false,"allow_search_indexing":true},"rate_hints":{"max_requests_per_second":null,"max_requests_per_day":20}}
JSON
cp "$TMP/policy.json" "$TMP/site/llm-policy.json"
start "$TMP/site"
publish
sync --via tct
is_status 1 "a policy that forbids a purpose, and none is given"
err_has "--purpose" "says what to do"
sync --via tct --purpose ai-train
is_status 1 "a purpose that is forbidden"
sync --via tct --purpose search --purpose ai-inpt
is_status 2 "a purpose that there is not"
err_has "ai-input, ai-train or search, not 'ai-inpt'" "is named"
sync --via tct --purpose ai-input
at_most requests 20 "the policy's number of requests a day is kept"
out_has "requests a day is used up" "and told"
stop
done_testing
