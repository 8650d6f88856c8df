# adit check adit.json: all faults at once; adit serve --print-config.
. batch/tests/lib.sh
printf '{"exlude":[],"sufix":"a","limits":{"pages":0}}' >"$TMP/adit.json"
run "$ADIT" check "$TMP/adit.json"
is_status 1 "a configuration with faults"
for line in 'exlude: is no known key; is it exclude?' 'sufix: is no known key; is it suffix?' 'limits.pages: must be a whole number'; do out_has "$line" "it says: $line"; done
out_has "configuration: not valid" "and that it is a configuration"
printf '{"origin":"https://example.com",' >"$TMP/adit.json"
run "$ADIT" check "$TMP/adit.json"
is_status 1 "one that is no JSON"
out_has "not valid JSON at byte" "says where"
echo '{}' >"$TMP/adit.json"
run "$ADIT" check "$TMP/adit.json"
is_status 0 "an empty one"
out_has config-origin "is told that the origin is not given"
run "$ADIT" check shared/exchange/adit.json
is_status 0 "the example"
cp shared/exchange/adit.json "$TMP/other.json"
run "$ADIT" check "$TMP/other.json"
out_has "configuration: valid" "by another name"
run "$ADIT" serve --print-config --config shared/exchange/adit.json
is_status 0 "--print-config"
cp "$TMP/out" "$TMP/adit.json"
ok "$(jq -e '.origin == "https://example.com" and .markdown.negotiate and .limits.pages == 64' "$TMP/adit.json" >/dev/null; echo $?)" "is JSON, with the defaults"
run "$ADIT" serve --print-config --config "$TMP/adit.json"
ok "$(cmp "$TMP/out" "$TMP/adit.json"; echo $?)" "and gives itself again"
printf '# A site\n\n## Pages\n\n- [One](https://example.com/llm.md): About it.\n' >"$TMP/llms.txt"
run "$ADIT" check "$TMP/llms.txt"
is_status 0 "llms.txt"
out_has "llms.txt: valid, 1 link" "is known by its name"
echo '<!doctype html>' >"$TMP/llms.txt"
run "$ADIT" check "$TMP/llms.txt"
is_status 1 "one that is HTML is not valid"
done_testing
