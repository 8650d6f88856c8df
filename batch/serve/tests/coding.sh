# Slow: Content codings of adit serve, over a folder and over an upstream.
. batch/tests/lib.sh
mkdir -p "$TMP/site/post"
{
  printf '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A post</title></head><body><main><h1>A post</h1>'
  for i in $(seq 60); do echo "<p>Paragraph $i has enough words to be taken for content by any reader of this page.</p>"; done
  echo '</main></body></html>'
} >"$TMP/site/post/index.html"
echo '<!doctype html><html><head><title>Small</title></head><body><p>x</p></body></html>' >"$TMP/site/small.html"
head -c 3000 /dev/zero >"$TMP/site/picture.png"
is() { if [ "$1" = "$2" ]; then ok 0 "$3"; else ok 1 "$3"; echo "# got: $1"; echo "# expected: $2"; sed 's/^/# /' "$TMP/head"; fi; }
get() { # get PATH ACCEPT-ENCODING [curl options]
  path=$1 accept=$2
  shift 2
  code=$(curl -s -m 20 -D "$TMP/head" -o "$TMP/body" -w '%{http_code}' -H "accept-encoding: $accept" "$@" "$url$path")
}
field() { tr -d '\r' <"$TMP/head" | sed -n "s/^$1: //Ip" | tr '\n' ' ' | sed 's/ $//'; }
decode() {
  case $(field content-encoding) in
  gzip) gzip -dc "$TMP/body" ;;
  zstd) zstd -q -dc "$TMP/body" ;;
  br) if command -v brotli >/dev/null; then brotli -dc "$TMP/body"; else cat "$TMP/plain"; fi ;;
  *) cat "$TMP/body" ;;
  esac
}
start() {
  start_serve "$ADIT" "$1" --quiet
  pids="$pids $pid"
}
pids=
trap 'kill $pids 2>/dev/null; :' EXIT
check() { # check WHAT
  for path in /post/ /post/llm/ /post/llm.md /llm-sitemap.json /sitemap.xml; do
    get "$path" identity
    cp "$TMP/body" "$TMP/plain"
    etag=$(field etag)
    is "$code $(field content-encoding)" "200 " "$1 $path: as it is"
    ok "$(field vary | grep -qi accept-encoding; echo $?)" "$1 $path: Vary"
    for coding in gzip br zstd; do
      get "$path" "$coding"
      is "$code $(field content-encoding)" "200 $coding" "$1 $path: $coding"
      decode >"$TMP/decoded"
      ok "$(cmp "$TMP/plain" "$TMP/decoded"; echo $?)" "$1 $path: $coding has the same bytes in it"
      is "$(field content-digest)$(field accept-ranges)" "" "$1 $path: nothing that is true of other bytes"
      case $path in
      /post/ | /sitemap.xml) is "$(field etag)" "W/${etag#W/}" "$1 $path: $coding has a weak tag" ;;
      *) is "$(field etag)" "$etag" "$1 $path: $coding has the fingerprint" ;;
      esac
      get "$path" "$coding" -H "if-none-match: $(field etag)"
      is "$code" 304 "$1 $path: 304 by the tag of $coding"
      get "$path" "$coding" -I
      is "$code $(field content-encoding) $(field content-length)" "200 $coding " "$1 $path: HEAD says $coding, and no wrong length"
    done
  done
}
start "$TMP/site"
check folder
first=$url
for row in 'gzip;q=0.5, br;q=0.8, zstd;q=0.1=br' 'gzip, br, zstd=zstd' 'gzip;q=0=' 'identity, gzip;q=0.5=' 'gzip;q=0.5, identity;q=0.1=gzip' '*=zstd' 'deflate=' '=' 'br;q=0, *;q=0.3=zstd' 'identity;q=0, gzip=gzip'; do
  get /post/llm/ "${row%=*}"
  is "$code $(field content-encoding)" "200 ${row##*=}" "Accept-Encoding '${row%=*}'"
done
for path in /post/ /post/llm/ /llm-sitemap.json /picture.png; do
  get "$path" 'identity;q=0'
  is "$code" 406 "$path: nothing is left"
  get "$path" 'identity;q=0, deflate'
  is "$code" 406 "$path: nothing is left that there is"
  get "$path" '*;q=0, gzip'
  is "$code $(field content-encoding)" "200 gzip" "$path: only gzip is left"
done
get /picture.png 'gzip, br'
is "$code $(field content-encoding)" "200 " "a picture stays as it is"
get /small.html gzip -H 'accept: text/markdown'
is "$code $(field content-encoding)" "200 " "a small body stays as it is"
get /post/llm/ gzip -H 'range: bytes=0-9'
is "$code $(field content-encoding) $(wc -c <"$TMP/body" | tr -d ' ')" "206  10" "ranges are of the bytes without a coding"
get /post/ gzip -H 'accept: text/markdown'
is "$code $(field content-type) $(field content-encoding)" "200 text/markdown; charset=utf-8 gzip" "negotiated Markdown, too"
start "$first"
check upstream
done_testing
