# For tests of sync: a server of our own, a publication, and a look at the report.
start() { # start DIR|URL ARGS…: sets url, pid; a new port, so a new $TMP/dir
  start_serve "$ADIT" "$@"
  rm -rf "$TMP/dir"
}
start_hostile() { # over $TMP/site: sets hostile, url, other (another origin); its log is $TMP/log
  mkfifo "$TMP/in"
  python3 batch/tests/hostile.py "$TMP/site" --log "$TMP/log" "$@" <"$TMP/in" >"$TMP/ports" &
  hostile=$!
  exec 9>"$TMP/in"
  wait_for test -s "$TMP/ports"
  url=http://127.0.0.1:$(cut -d' ' -f1 "$TMP/ports")
  other=http://127.0.0.1:$(cut -d' ' -f2 "$TMP/ports")
}
mark() { mark=$(wc -l <"$TMP/log"); }
asked() { tail -n +"$((mark + 1))" "$TMP/log" | grep -c -e "$1"; } # requests since mark
publish() { # packs $TMP/site, and puts the publication into it
  "$ADIT" pack "$TMP/site" --base-url "$url/" -o "$TMP/pub" "$@" >/dev/null
  rm -rf "$TMP/site/collections"
  mkdir "$TMP/site/collections"
  cp "$TMP/pub"/*sitemap* "$TMP/site/"
  cp "$TMP/pub"/*.scp.* "$TMP/pub/scp-manifest.json" "$TMP/site/collections/"
}
sync() { run "$ADIT" sync "$url/" "$TMP/dir" --json "$@"; }
report() { jq -r "$1" "$TMP/out" 2>/dev/null; }
field() { # field KEY VALUE WHAT
  got=$(report ".$1")
  if [ "$got" = "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# $1: $got, expected $2; exit code $status"; show; fi
}
at_most() { # at_most KEY N WHAT
  got=$(report ".$1")
  if [ "${got:-999999}" -le "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# $1: $got, at most $2"; show; fi
}
violates() { # violates RULE COUNT WHAT
  got=$(report "[.violations[]|select(.rule==\"$1\")|.count]|add // 0")
  if [ "$got" = "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# $1: $got, expected $2"; show; fi
}
# nginx over $TMP/site, static: sets ngx, url
start_nginx() { # start_nginx [DIRECTIVES of the server]
  port=$(free_port)
  start_nginx_with "
  types { text/html html; application/json json; application/xml xml; text/plain txt; application/scp scp zst gz; }
  server {
    listen 127.0.0.1:$port;
    root $TMP/site;
    location ~ \.scp\.zst\$ { add_header Content-Encoding zstd; }
    $*
  }"
  url=http://127.0.0.1:$port
  wait_for curl -s -m 2 "$url/"
  rm -rf "$TMP/dir"
}
stop_nginx() {
  kill "$ngx"
  wait "$ngx" 2>/dev/null || :
}
