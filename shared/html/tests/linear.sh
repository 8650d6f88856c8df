# Slow: Hostile shapes of HTML: twice the bytes take at most 2.2 times the instructions of a parse in which all texts and values are taken, and none takes more than nine times
# those of ordinary HTML. valgrind counts them, so that a machine under load says the same as an idle one.
. batch/tests/lib.sh
if ! command -v valgrind >/dev/null; then
  skip "instructions of a parse" "no valgrind (make setup-test)"
  done_testing
  exit
fi
run "${CC:-gcc}" -O2 -std=c11 -Ishared -I. -o "$TMP/limits" shared/html/tests/limits.c build/native/libadit.a build/deps/lib-native.a -lm
is_status 0 "the program of the shapes is built"
# One count for each call of read_page: callgrind writes a file for each.
run valgrind --tool=callgrind --callgrind-out-file="$TMP/count" --toggle-collect=read_page --dump-after=read_page "$TMP/limits" count
is_status 0 "all shapes are parsed"
python3 - "$TMP" >"$TMP/verdicts" <<'X'
import re, sys
STEEPEST, WORST = 2.2, 9  # the densest shapes have ten times the nodes of ordinary HTML
shapes = open(sys.argv[1] + "/out").read().splitlines()
counts = [int(re.search(r"^totals: (\d+)", open(f"{sys.argv[1]}/count.{i}").read(), re.M)[1]) for i in range(1, 2 * len(shapes) + 1)]
ordinary, steepest, most = counts[1], 0, 0
for i, shape in enumerate(shapes):
    half, whole = counts[2 * i : 2 * i + 2]
    growth, times = whole / half, whole / ordinary
    steepest, most = max(steepest, growth), max(most, times)
    print(int(growth > STEEPEST or times > WORST or ordinary < 1000000), f"{shape}: {growth:.2f} times its half, {times:.2f} times ordinary HTML")
above = sum(n > 3 * ordinary for n in counts[1::2])
print(int(len(shapes) < 160), f"{len(shapes)} shapes: at most {steepest:.2f} times the half, {most:.2f} times ordinary HTML; above three times: {above}")
X
while read -r verdict what; do ok "$verdict" "$what"; done <"$TMP/verdicts"
done_testing
