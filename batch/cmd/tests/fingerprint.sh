# adit fingerprint, against sha256sum.
. batch/tests/lib.sh

say() { printf 'sha256-'; sha256sum | cut -c1-64; }

for size in 0 1 55 56 63 64 65 119 120 1000 100000; do
  head -c "$size" /dev/zero | tr '\0' 'x' >"$TMP/text"
  say <"$TMP/text" >"$TMP/want"
  run "$ADIT" fingerprint --method b "$TMP/text"
  same "$TMP/out" "$TMP/want" "$size bytes: as sha256sum"
done

printf '{"a":[1,2],"b":1}' | say >"$TMP/want"
printf ' { "b" : 1.0, "hash": "sha256-0", "a" : [ 1e0, 2 ] }\n' >"$TMP/payload.json"
run "$ADIT" fingerprint "$TMP/payload.json"
is_status 0 "method a"
same "$TMP/out" "$TMP/want" "hashes the canonical form without hash"
run sh -c '"$ADIT" fingerprint --json <"$TMP/payload.json"'
out_has "\"fingerprint\":\"$(cat "$TMP/want")\",\"method\":\"a\"" "from stdin, as JSON"

printf 'hello & world' | say >"$TMP/want"
printf '  HELLO\n&amp;\f\tWorld ' >"$TMP/text"
run "$ADIT" fingerprint --method b "$TMP/text"
same "$TMP/out" "$TMP/want" "method b normalises"

printf '{"a":1,"a":2}' >"$TMP/twice.json"
run "$ADIT" fingerprint "$TMP/twice.json"
is_status 1 "a key twice is invalid"
err_has "twice.json: at byte 11: the object has this key twice" "and says where"
printf '[1]' >"$TMP/array.json"
run "$ADIT" fingerprint "$TMP/array.json"
is_status 1 "a payload is an object"
run "$ADIT" fingerprint "$TMP/none"
is_status 1 "no such file"
run "$ADIT" fingerprint --method c "$TMP/text"
is_status 2 "no such method"
run "$ADIT" fingerprint "$TMP/text" "$TMP/text"
is_status 2 "one file"
done_testing
