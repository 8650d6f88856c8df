# The benchmark beside peers, on a small run: what it writes is whole and consistent. No time passes or fails anything.
. batch/tests/lib.sh

[ -x "${ADIT_RELEASE:-build/adit}" ] || { skip "the benchmark" "no build/adit"; done_testing; exit; }
run scripts/bench-peers --rounds 2 --pages 6 --out "$TMP"
is_status 0 "a run of two rounds"
out_has "adit" "names adit"
run jq -r '[.about.rounds, .about.pages, (.systems | map(select(.kind == "adit")) | length > 0), (.systems | map(select(.kind == "limit")) | length), ([.systems[] | select(.mb_s_low > .mb_s or .mb_s > .mb_s_high)] | length), ([.systems[] | select((.seconds | length) != 2)] | length)] | join(" ")' "$TMP/bench.json"
out_has "2 6 true 2 0 0" "bench.json: rounds, limits, medians between quartiles, every round's seconds"
is "$(jq -r '(.systems + .absent) | length' "$TMP/bench.json")" 8 "who is not there is named"
for f in speed-light speed-dark quality-light quality-dark; do
  if command -v xmllint >/dev/null; then xmllint --noout "$TMP/bench-$f.svg"; ok $? "bench-$f.svg is well-formed"; fi
done
is "$(grep -c '>adit<' "$TMP/bench-speed-dark.svg")" 1 "the chart has its name"
done_testing
