# adit sync --check: a conformance tester for any site.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

python3 batch/tests/make_site.py "$TMP/site" 30
start "$TMP/site"
publish
check() { run "$ADIT" sync --check "$url/" --json "$@"; }
check
is_status 0 "adit serve conforms"
field conforms true "and the report says so"
field pages_fetched 20 "a sample is looked at"
check --sample 5
field pages_fetched 5 "a smaller one, too"
run "$ADIT" sync --check "$url/"
out_has "conforms" "in words"
jq -c '.items |= map(.contentHash = "sha256-" + ("0"*64))' "$TMP/site/llm-sitemap.json" >"$TMP/s" && cp "$TMP/s" "$TMP/site/llm-sitemap.json"
check --sample 3
is_status 1 "a sitemap that says something else does not"
violates tct-parity-sitemap 3 "each page is named"
run "$ADIT" sync --rules
is_status 0 "the rules"
out_has "tct-parity-sitemap" "are listed"
stop
done_testing
