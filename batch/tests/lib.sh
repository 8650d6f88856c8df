# A few functions that print TAP, for shell tests. A test sources this file, calls them, and ends
# with done_testing. $ADIT is the program, $TMP a private folder that is removed afterwards.
: "${ADIT:?names the program to test}" "${TMP:?names a folder of its own: scripts/run-one makes it}"
n=0
failed=0

ok() { # ok STATUS WHAT: STATUS 0 is success
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $n - $2"
  else
    echo "not ok $n - $2"
    failed=$((failed + 1))
  fi
}
skip() {
  n=$((n + 1))
  echo "ok $n - $1 # SKIP $2"
}
# run COMMAND…: keeps its output in $TMP/out and $TMP/err and its exit code in $status.
run() {
  status=0
  "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
}
show() { sed 's/^/# /' "$TMP/out" "$TMP/err" | head -n 40; }
is_status() {
  if [ "$status" -eq "$1" ]; then ok 0 "$2"; else
    ok 1 "$2"
    echo "# exit code $status, expected $1"
    show
  fi
}
is() { # is GOT EXPECTED WHAT
  if [ "$1" = "$2" ]; then ok 0 "$3"; else
    ok 1 "$3"
    printf '# got      %s\n# expected %s\n' "$1" "$2"
  fi
}
out_has() { if grep -qF -e "$1" "$TMP/out"; then ok 0 "$2"; else ok 1 "$2"; show; fi; }
err_has() { if grep -qF -e "$1" "$TMP/err"; then ok 0 "$2"; else ok 1 "$2"; show; fi; }
same() { # same FILE FILE WHAT
  if cmp -s "$1" "$2"; then ok 0 "$3"; else
    ok 1 "$3"
    diff "$1" "$2" 2>/dev/null | head -n 20 | sed 's/^/# /'
  fi
}
# start_serve PROGRAM ARGS…: a server on a free port of loopback; sets url and pid. What it prints is
# in $TMP/log and $TMP/serve.err.
start_serve() {
  rm -f "$TMP/serve.err" # else the last one's address may be read
  program=$1
  shift
  "$program" serve "$@" --listen 127.0.0.1:0 >"$TMP/log" 2>"$TMP/serve.err" &
  pid=$!
  for _ in $(seq 100); do
    url=$(sed -n 's/.*listening on \(.*\)\/$/\1/p' "$TMP/serve.err" 2>/dev/null)
    [ -n "$url" ] && break
    sleep 0.2
  done
}
done_testing() {
  echo "1..$n"
  [ "$failed" -eq 0 ]
}
