# Slow: The examples for servers in front of `adit serve` (edge/examples), in those servers: TLS, agents and people at one address, one copy for
# all browsers, 304. NGINX=, APACHE=, CADDY=, VARNISHD= name programs; what is not there is passed over.
. batch/tests/lib.sh
examples=$PWD/edge/examples
mkdir -p "$TMP/site/post"
printf '<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1><p>The home page has a sentence that is long enough to be read.</p><p>%s</p></main>' "$(seq -s ' ' 900)" >"$TMP/site/index.html"
printf '<!doctype html><html lang=en><title>Post</title><main><h1>Post</h1><p>The post has a sentence that is long enough to be read by all.</p></main>' >"$TMP/site/post/index.html"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$TMP/key.pem" -out "$TMP/cert.pem" -days 2 -subj /CN=example.com -addext subjectAltName=DNS:example.com >/dev/null 2>&1
echo '{"origin":"https://example.com"}' >"$TMP/adit.json"
start_serve "$ADIT" "$TMP/site" --config "$TMP/adit.json" --quiet
behind=${url##*:}

# ask SCHEME PATH ARGS…: the header in $TMP/head, the body in $TMP/body.
ask() {
  scheme=$1 path=$2
  shift 2
  curl -s --cacert "$TMP/cert.pem" --resolve "example.com:$front:127.0.0.1" -H 'X-Forwarded-Proto: https' -D "$TMP/head" -o "$TMP/body" "$@" "$scheme://example.com:$front$path"
}
field() { tr -d '\r' <"$TMP/head" | sed -n "s/^$1: *//Ip" | paste -sd, - | sed 's/,/, /g'; }
code() { sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$TMP/head"; }
has_field() { case $(field "$1") in *"$2"*) ok 0 "$3" ;; *) ok 1 "$3"; sed 's/^/# /' "$TMP/head" ;; esac; }
# try NAME SCHEME CACHES: what each must do.
try() {
  name=$1 scheme=$2
  wait_for ask "$scheme" /robots.txt
  ask "$scheme" /post/ -H 'Accept: text/html,application/xhtml+xml;q=0.9'
  is "$(code)" 200 "$name: people get the page"
  has_field content-type text/html "$name: as HTML"
  has_field link 'https://example.com/post/llm/' "$name: that names its machine view by the public address"
  ask "$scheme" /post/ -H 'Accept: text/markdown, text/html;q=0.5'
  has_field content-type text/markdown "$name: an agent gets Markdown from the same address"
  is "$(head -n 1 "$TMP/body")" "# Post" "$name: of the page"
  has_field vary Accept "$name: and caches beyond are told"
  ask "$scheme" /post/ -H 'Accept: text/html;q=0.8, image/webp'
  has_field content-type text/html "$name: another browser gets HTML again"
  if [ "$3" = caches ]; then has_field x-cache HIT "$name: from the copy of the first"; fi
  ask "$scheme" /post/ -H 'Accept: text/html, text/markdown;q=0'
  has_field content-type text/html "$name: so does who refuses Markdown by name"
  ask "$scheme" /post/llm/
  etag=$(field etag)
  case $etag in '"sha256-'*) ok 0 "$name: the fingerprint is a strong ETag" ;; *) ok 1 "$name: the fingerprint is a strong ETag: $etag" ;; esac
  ask "$scheme" /post/llm/ -H "If-None-Match: $etag"
  is "$(code)" 304 "$name: an agent that has the machine view gets 304"
  ask "$scheme" / -H 'Accept: text/html' -H 'Accept-Encoding: gzip'
  has_field content-encoding gzip "$name: a browser gets a page compressed"
  ask "$scheme" / -H 'Accept: text/html'
  is "$(grep -c 'long enough' "$TMP/body")" 1 "$name: who cannot decode gets plain bytes"
  ask "$scheme" / -H 'Accept: text/html' -H 'Accept-Encoding: gzip'
  if [ "$3" = caches ]; then has_field x-cache HIT "$name: and has not taken the place of the compressed copy"; fi
}
# begin COMMAND…: a server that is ended by finish.
begin() {
  "$@" >"$TMP/front.log" 2>&1 &
  front_pid=$!
}
finish() {
  kill "$front_pid" 2>/dev/null
  wait "$front_pid" 2>/dev/null
}
# fill FILE: the example with this machine's ports and files.
fill() { sed "s|127\.0\.0\.1:8080|127.0.0.1:$behind|g; s|\"8080\"|\"$behind\"|; s|/etc/ssl/private/example.com.key|$TMP/key.pem|; s|/etc/ssl/example.com.pem|$TMP/cert.pem|; s|/var/cache/[a-z0-9/_]*|$TMP/cache|" "$examples/$1"; }

front=$(free_port)
nginx=${NGINX:-$(command -v nginx)}
if [ -n "$nginx" ]; then
  fill nginx.conf | sed "s|listen 443 ssl|listen 127.0.0.1:$front ssl|" >"$TMP/site.conf"
  start_nginx_with "include $TMP/site.conf;"
  front_pid=$ngx
  try nginx https caches
  ask https /post/ -H 'Accept: text/html' -H 'Cookie: session=1'
  has_field x-cache BYPASS "nginx: whoever has a cookie has no share in the cache"
  finish
else skip nginx "not here"; fi

apache=${APACHE:-$(command -v apache2)} modules=${APACHE_MODULES:-/usr/lib/apache2/modules}
front=$(free_port)
if [ -n "$apache" ] && [ -d "$modules" ]; then
  mkdir -p "$TMP/apache" "$TMP/cache"
  chmod 755 "$TMP"
  chmod 777 "$TMP/cache"
  {
    echo "ServerRoot $TMP/apache"; echo "PidFile $TMP/apache/pid"; echo "ErrorLog $TMP/apache/error.log"; echo "ServerName example.com"
    echo "DefaultRuntimeDir $TMP/apache"; echo "Mutex file:$TMP/apache"; echo "Listen 127.0.0.1:$front"
    [ "$(id -u)" != 0 ] || printf 'User nobody\nGroup nogroup\n'
    for m in mpm_event authz_core socache_shmcb ssl proxy proxy_http headers cache cache_disk; do
      [ ! -e "$modules/mod_$m.so" ] || echo "LoadModule ${m}_module $modules/mod_$m.so"
    done
    fill apache.conf | sed "s|\*:443|127.0.0.1:$front|"
  } >"$TMP/apache.conf"
  begin "$apache" -X -f "$TMP/apache.conf"
  try Apache https caches
  ask https /post/ -H 'Accept: text/html' -H 'Cookie: session=1'
  is "$(code) $(field x-cache)" "200 " "Apache: whoever has a cookie has no share in the cache"
  finish
else skip Apache "not here"; fi

caddy=${CADDY:-$(command -v caddy)}
front=$(free_port)
if [ -n "$caddy" ]; then
  { printf '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n'; fill Caddyfile | sed "s|^example.com {|https://example.com:$front {\n\ttls $TMP/cert.pem $TMP/key.pem|"; } >"$TMP/Caddyfile"
  XDG_DATA_HOME=$TMP/caddy XDG_CONFIG_HOME=$TMP/caddy HOME=$TMP begin "$caddy" run --adapter caddyfile --config "$TMP/Caddyfile"
  try Caddy https passes
  finish
else skip Caddy "not here"; fi

varnishd=${VARNISHD:-$(command -v varnishd)}
front=$(free_port)
if [ -n "$varnishd" ]; then
  fill varnish.vcl >"$TMP/varnish.vcl"
  begin "$varnishd" -F -j none -n "$TMP/varnish" -a "127.0.0.1:$front" -f "$TMP/varnish.vcl" -s malloc,16M
  try Varnish http caches
  finish
else skip Varnish "not here"; fi

done_testing
