# For tests of sync: a server of our own, a publication, and a look at the report.
start() { # start DIR|URL ARGS…: sets url, pid; a new port, so a new $TMP/dir
  "$ADIT" serve "$@" --listen 127.0.0.1:0 >"$TMP/log" 2>"$TMP/serve.err" &
  pid=$!
  for _ in $(seq 100); do
    url=$(sed -n 's/.*listening on \(.*\)\/$/\1/p' "$TMP/serve.err")
    [ -n "$url" ] && break
    sleep 0.2
  done
  rm -rf "$TMP/dir"
}
stop() {
  kill "$pid"
  wait "$pid" 2>/dev/null || :
}
publish() { # packs $TMP/site, and puts the publication into it
  "$ADIT" pack "$TMP/site" --base-url "$url/" -o "$TMP/pub" "$@" >/dev/null
  rm -f "$TMP/site"/*.scp.zst
  find "$TMP/pub" -maxdepth 1 -type f ! -name report.json -exec cp {} "$TMP/site/" \;
}
sync() { run "$ADIT" sync "$url/" "$TMP/dir" --json "$@"; }
report() { jq -r "$1" "$TMP/out" 2>/dev/null; }
field() { # field KEY VALUE WHAT
  got=$(report ".$1")
  if [ "$got" = "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# $1: $got, expected $2"; show; fi
}
at_most() { # at_most KEY N WHAT
  got=$(report ".$1")
  if [ "${got:-999999}" -le "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# $1: $got, at most $2"; show; fi
}
violates() { # violates RULE COUNT WHAT
  got=$(report "[.violations[]|select(.rule==\"$1\")|.count]|add // 0")
  if [ "$got" = "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# $1: $got, expected $2"; show; fi
}
trap 'kill $pid $ngx $hostile 2>/dev/null; :' EXIT
pid= ngx= hostile=
