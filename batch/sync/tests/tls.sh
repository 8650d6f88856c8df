# Slow: adit sync over https and HTTP/2: nginx with the static output of pack, under a certificate made here.
. batch/tests/lib.sh
. batch/tests/lib_sync.sh

if ! command -v nginx >/dev/null 2>&1 || ! command -v openssl >/dev/null 2>&1; then
  skip "https" "no nginx or openssl"
  done_testing
  exit
fi
certificate() { # certificate NAME ALTERNATIVE-NAME
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test \
    -addext "subjectAltName=$2" -keyout "$TMP/$1.key" -out "$TMP/$1.pem" 2>/dev/null
}
certificate good IP:127.0.0.1,DNS:site.example
certificate other DNS:other.example
tls=$(free_port)
python3 batch/tests/make_site.py "$TMP/site" 50
start_nginx "listen 127.0.0.1:$tls ssl http2; ssl_certificate $TMP/good.pem; ssl_certificate_key $TMP/good.key; gzip on; gzip_types *; gzip_min_length 1;"
plain=$url
url=https://127.0.0.1:$tls
publish --generated 2026-11-01T00:00:00Z

sync
is_status 1 "a certificate that nobody vouches for"
err_has "TLS" "is refused, and that is said"
sync --cacert "$TMP/other.pem"
is_status 1 "nor by another's"
sync --cacert "$TMP/good.pem"
is_status 0 "one that is trusted"
field pages 50 "all pages"
ok "$(grep -q 'HTTP/2' "$TMP/nginx/access.log"; echo $?)" "over HTTP/2"
sync --cacert "$TMP/good.pem"
at_most requests 3 "and again"
field updated 0 "nothing new"
sync --cacert "$TMP/good.pem" --via html
is_status 0 "pages one by one"
ok "$([ "$(report .lost)" -eq 0 ] && [ "$(report .pages)" -eq 50 ]; echo $?)" "over one connection"

# A name: its address is checked, its certificate must be for it.
url=https://site.example:$tls
rm -rf "$TMP/dir"
sync --cacert "$TMP/good.pem" --resolve "site.example:$tls:127.0.0.1"
is_status 1 "a name that leads to this machine"
err_has "not public" "is refused"
publish --generated 2026-11-01T00:00:00Z
sync --cacert "$TMP/good.pem" --resolve "site.example:$tls:127.0.0.1" --allow-private
is_status 0 "unless it is allowed"
field pages 50 "all pages"
url=https://other.example:$tls
rm -rf "$TMP/dir"
sync --cacert "$TMP/good.pem" --resolve "other.example:$tls:127.0.0.1" --allow-private
is_status 1 "a certificate for another name"
err_has "TLS" "is refused"

# Plain http: not by a redirect, either.
url=http://site.example:${plain##*:}
sync --resolve "site.example:${plain##*:}:127.0.0.1" --allow-private
is_status 1 "plain http"
err_has "--allow-http" "needs a word"
rm -rf "$TMP/dir"
publish --generated 2026-11-01T00:00:00Z
sync --resolve "site.example:${plain##*:}:127.0.0.1" --allow-private --allow-http
is_status 0 "that was given"
stop_nginx
done_testing
