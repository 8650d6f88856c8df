# Slow: adit sync, ended as by kill -9 before each of its steps that others can see (preload/kill.c), or with
# that step failing, and run again: it ends in the same state as a run that nobody disturbed.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

build_killer

# What a folder holds, without the times of asking.
contents() {
  "$ADIT" cat "$1/site.scp.zst"
  jq -cS 'del(.checked)' "$1/pages.jsonl"
}
again() { "$ADIT" sync "$url/" "$1" --json "$mode" "$way" >"$TMP/out" 2>"$TMP/err"; }

# everywhere WHAT START [failing]: kills a run that starts with the folder START (may be missing) at step
# 1, 2 …; failing (with ADIT_ALL=1 always): then lets these steps fail.
everywhere() {
  rm -rf "$TMP/good"
  [ ! -d "$2" ] || cp -a "$2" "$TMP/good"
  again "$TMP/good" || { ok 1 "$1: a run that is not killed"; show; return; }
  contents "$TMP/good" >"$TMP/expected"
  cp "$TMP/out" "$TMP/report"
  bad=0 at=0
  while :; do
    at=$((at + 1))
    rm -rf "$TMP/dir"
    [ ! -d "$2" ] || cp -a "$2" "$TMP/dir"
    status=0
    LD_PRELOAD=$TMP/kill.so KILL_AT=$at "$ADIT" sync "$url/" "$TMP/dir" --json "$mode" "$way" >/dev/null 2>&1 || status=$?
    [ "$status" -ne 0 ] || break
    [ "$status" -eq 137 ] || { echo "# step $at: exit code $status"; bad=$((bad + 1)); }
    if ! again "$TMP/dir"; then
      echo "# step $at: the next run fails"
      show
      bad=$((bad + 1))
    elif ! contents "$TMP/dir" | cmp -s - "$TMP/expected"; then
      echo "# step $at: another state"
      contents "$TMP/dir" | diff - "$TMP/expected" | cut -c1-200 | head -n 4 | sed 's/^/# /'
      bad=$((bad + 1))
    elif [ -e "$TMP/dir/journal" ] || [ -e "$TMP/dir/commit" ] || ls "$TMP/dir" | grep -q '\.new$\|\.tmp'; then
      echo "# step $at: leaves $(ls "$TMP/dir" | tr '\n' ' ')"
      bad=$((bad + 1))
    fi
    [ "$bad" -lt 5 ] && [ "$at" -lt 500 ] || break
  done
  ok "$bad" "$1: killed at each of $((at - 1)) steps"
  ok "$([ "$at" -gt 10 ]; echo $?)" "$1: there are steps"
  steps=$at bad=0
  [ "$3" = failing ] || [ -n "$ADIT_ALL" ] || return
  for at in $(seq 1 $((steps - 1))); do
    rm -rf "$TMP/dir"
    [ ! -d "$2" ] || cp -a "$2" "$TMP/dir"
    status=0
    LD_PRELOAD=$TMP/kill.so FAIL_AT=$at "$ADIT" sync "$url/" "$TMP/dir" --json "$mode" "$way" >"$TMP/out" 2>"$TMP/err" || status=$?
    if [ "$status" -gt 3 ]; then
      echo "# step $at fails: exit code $status"
    elif [ "$status" -eq 0 ] && ! contents "$TMP/dir" | cmp -s - "$TMP/expected"; then
      echo "# step $at fails: and all is said to be well"
    elif ! again "$TMP/dir" || ! contents "$TMP/dir" | cmp -s - "$TMP/expected"; then
      echo "# step $at fails: the next run does not mend it"
    else
      continue
    fi
    show
    bad=$((bad + 1))
    [ "$bad" -lt 5 ] || break
  done
  ok "$bad" "$1: each of them failing"
}

mode=--via way=tct
python3 batch/tests/make_site.py "$TMP/site" 12
start "$TMP/site"
publish
everywhere "first run" "$TMP/none"
cp -a "$TMP/good" "$TMP/first"
python3 batch/tests/make_site.py "$TMP/site" 3 1 4
python3 batch/tests/make_site.py "$TMP/site" 12 0 1
rm -r "$TMP/site/page-0009"
publish
everywhere "edits" "$TMP/first" failing
for key in new updated deleted; do
  ok "$([ "$(jq ".$key" "$TMP/report")" -gt 0 ]; echo $?)" "edits: there are pages that are $key"
done

# By SCP: a snapshot, then a delta.
way=scp
everywhere "snapshot" "$TMP/none"
rm -rf "$TMP/snapshot"
cp -a "$TMP/good" "$TMP/snapshot"
python3 batch/tests/make_site.py "$TMP/site" 3 2 3
publish --previous "$TMP/pub"
everywhere "delta" "$TMP/snapshot" failing
ok "$([ "$(jq .updated "$TMP/report")" -eq 3 ] && [ "$(jq .collections "$TMP/report")" -eq 1 ]; echo $?)" "delta: it is one"
way=html
everywhere "HTML" "$TMP/none"

# A journal that was cut off anywhere, or damaged: what is whole counts, the rest is asked for again.
rm -rf "$TMP/dir"
cp -a "$TMP/first" "$TMP/dir"
way=tct
rm -rf "$TMP/good"
cp -a "$TMP/first" "$TMP/good"
again "$TMP/good"
contents "$TMP/good" >"$TMP/expected"
at=1
until [ -s "$TMP/dir/journal" ] && [ "$(wc -l <"$TMP/dir/journal")" -ge 3 ] || [ "$at" -gt 60 ]; do
  rm -rf "$TMP/dir"
  cp -a "$TMP/first" "$TMP/dir"
  LD_PRELOAD=$TMP/kill.so KILL_AT=$at "$ADIT" sync "$url/" "$TMP/dir" "$mode" "$way" >/dev/null 2>&1
  at=$((at + 1))
done
ok "$([ -s "$TMP/dir/journal" ]; echo $?)" "a journal of a killed run"
cp -a "$TMP/dir" "$TMP/killed"
bad=0 size=$(wc -c <"$TMP/killed/journal")
for cut in 0 1 2 3 $(seq 17 211 "$size") $((size - 1)); do
  rm -rf "$TMP/dir"
  cp -a "$TMP/killed" "$TMP/dir"
  head -c "$cut" "$TMP/killed/journal" >"$TMP/dir/journal"
  again "$TMP/dir" && contents "$TMP/dir" | cmp -s - "$TMP/expected" || bad=$((bad + 1))
done
ok "$bad" "a journal that was cut off"
bad=0
for cut in $(seq 5 307 "$size"); do
  rm -rf "$TMP/dir"
  cp -a "$TMP/killed" "$TMP/dir"
  printf '\000\377\n\t' | dd of="$TMP/dir/journal" bs=1 seek="$cut" conv=notrunc 2>/dev/null
  again "$TMP/dir" && contents "$TMP/dir" | cmp -s - "$TMP/expected" || bad=$((bad + 1))
done
ok "$bad" "a journal that was damaged"
stop
done_testing
