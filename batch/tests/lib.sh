# A few functions that print TAP, for shell tests. A test sources this file, calls them, and ends
# with done_testing. $ADIT is the program, $TMP a private folder that is removed afterwards.
: "${ADIT:?names the program to test}" "${TMP:?names a folder of its own: scripts/run-one makes it}"
n=0
failed=0
pid= server= ngx= hostile= # servers that a test starts
trap 'kill $pid $server $ngx $hostile 2>/dev/null; :' EXIT

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
gen() { python3 batch/tests/warcgen.py "$@"; } # a WARC file from rows of JSON
# page_of TITLE TEXT [HEAD]: a page that has content, as a string in a row of JSON has it.
page_of() {
  printf '<!doctype html><html lang=\\"en\\"><head><title>%s</title>%s</head><body><main><h1>%s</h1><p>%s Every page here has a paragraph that is long enough to count as content, and this sentence is it.</p></main></body></html>' "$1" "$3" "$1" "$2"
}
# row URL DATE TITLE [MORE JSON MEMBERS]: the capture of such a page, for gen
row() { printf '{"url":"%s","date":"%s","body":"%s"%s}\n' "$1" "$2" "$(page_of "$3" "$3.")" "${4:+,$4}"; }
# What the preloaded killer needs: the program without sanitizers, and a compiler; without these the test ends here.
build_killer() {
  ADIT=${ADIT_RELEASE:-$ADIT}
  ${CC:-cc} -shared -fPIC -o "$TMP/kill.so" batch/tests/preload/kill.c -ldl 2>/dev/null && return
  skip "kill -9 at every step" "no compiler"
  done_testing
  exit
}
# field NAME: the first value in the header that is in $TMP/head.
field() { tr -d '\r' <"$TMP/head" | sed -n "s/^$1: //Ip" | head -n 1; }
# get PATH [curl options], of start_serve's server: header in $TMP/head, body in $TMP/body, status in $code.
get() {
  path=$1
  shift
  code=$(curl -s --path-as-is -m 20 -D "$TMP/head" -o "$TMP/body" -w '%{http_code}' "$@" "$url$path")
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
wait_for() { # wait_for COMMAND…: until it succeeds, for half a minute
  for _ in $(seq 300); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  return 1
}
# start_serve PROGRAM ARGS…: a server on a free port of loopback; sets url and pid. What it prints is
# in $TMP/log and $TMP/serve.err.
start_serve() {
  rm -f "$TMP/serve.err" # else the last one's address may be read
  program=$1
  shift
  "$program" serve "$@" --listen 127.0.0.1:0 >"$TMP/log" 2>"$TMP/serve.err" &
  pid=$!
  wait_for grep -q 'listening on .*/$' "$TMP/serve.err"
  url=$(sed -n 's/.*listening on \(.*\)\/$/\1/p' "$TMP/serve.err")
}
stop() { # ends what start_serve started; its exit code is in $status
  kill "$pid"
  status=0
  wait "$pid" 2>/dev/null || status=$?
}
start_python() { # start_python FILE ARGS…: a server that prints its port first; sets server, url
  : >"$TMP/port"
  python3 "$@" >"$TMP/port" &
  server=$!
  wait_for test -s "$TMP/port"
  url=http://127.0.0.1:$(cat "$TMP/port")
}
start_nginx_with() { # start_nginx_with TEXT: nginx with TEXT in its http block; sets ngx
  mkdir -p "$TMP/nginx"
  cat >"$TMP/nginx.conf" <<CONF
user $(id -un) $(id -gn); daemon off; pid $TMP/nginx/pid; error_log $TMP/nginx/error.log; worker_processes 1;
events { worker_connections 64; }
http {
  access_log $TMP/nginx/access.log;
  client_body_temp_path $TMP/nginx/b; proxy_temp_path $TMP/nginx/p; fastcgi_temp_path $TMP/nginx/f;
  uwsgi_temp_path $TMP/nginx/u; scgi_temp_path $TMP/nginx/s;
  $1
}
CONF
  "${NGINX:-nginx}" -p "$TMP/nginx" -e "$TMP/nginx/error.log" -c "$TMP/nginx.conf" >"$TMP/nginx.out" 2>&1 &
  ngx=$!
}
done_testing() {
  echo "1..$n"
  [ "$failed" -eq 0 ]
}
