#!/bin/sh
# Slow: Stability: the same content in several templates, and a page fetched twice, give the same text; in
# the letters of another script the same texts are kept.
. batch/tests/lib.sh

python3 batch/pack/tests/templates.py "$TMP/pages"
for page in "$TMP"/pages/*/*.html; do
  "$ADIT" page "$page" --url https://example.com/page --format text --date 2024-05-01 >"$page.txt" 2>/dev/null
done

# pairs FOLDER KEY: all pairs of pages whose names agree up to KEY dots; prints same and all.
pairs() {
  (cd "$TMP/pages/$1" && cksum ./*.txt) | awk -v parts="$2" '
    { name = $3; sub(/^\.\//, "", name); n = split(name, p, "."); key = p[1]
      for (i = 2; i <= parts; i++) key = key "." p[i]
      count[key]++; sum[key, count[key]] = $1 " " $2 }
    END { for (key in count) for (i = 1; i < count[key]; i++) for (j = i + 1; j <= count[key]; j++) {
            all++; same += sum[key, i] == sum[key, j] }
          print same + 0, all + 0 }'
}

all() { # all SAME ALL WANTED WHAT: every pair, and as many of them as there were
  echo "# $4: $1 of $2 pairs"
  if [ "$1" -eq "$3" ] && [ "$2" -eq "$3" ]; then ok 0 "$4"; else ok 1 "$4"; fi
}

set -- $(pairs same 1)
all "$1" "$2" 210 "one content in five templates gives the same text"
set -- $(pairs twice 2)
all "$1" "$2" 105 "a page fetched twice gives the same text"
scripts/other-scripts "$ADIT" "$TMP"/pages/same/*.html >"$TMP/scripts"
sed 's/^/# /' "$TMP/scripts"
ok "$(awk '$2 < 0.95 { bad++ } END { print bad + (NR != 5) }' "$TMP/scripts")" "other scripts: the same texts are kept"
ok "$(find "$TMP/pages" -name '*.txt' -size -200c | wc -l)" "no text is empty"
done_testing
