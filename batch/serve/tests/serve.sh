# Slow: adit serve over a folder, driven by curl; nginx in front as a cache.
. batch/tests/lib.sh

mkdir -p "$TMP/site/post" "$TMP/site/tag/x" "$TMP/site/.hidden"
page() { # page TITLE
  printf '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title></head><body><nav><a href="/">Home</a></nav><main><h1>%s</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p><p>The second one is here so that the page has more than a single block of text in it.</p></main></body></html>\n' "$1" "$1"
}
page Home >"$TMP/site/index.html"
page "A post" >"$TMP/site/post/index.html"
page "A file" >"$TMP/site/file.html"
page "A tag" >"$TMP/site/tag/x/index.html"
echo secret >"$TMP/site/.hidden/x"
echo outside >"$TMP/outside"
ln -s ../outside "$TMP/site/link"
echo 'body{}' >"$TMP/site/style.css"
mkdir -p "$TMP/site/.well-known" "$TMP/site/resourcesync/blog" "$TMP/site/collections/resourcesync/news"
echo '<urlset/>' >"$TMP/site/collections/resourcesync/news/changelist.xml"
echo '<urlset/>' | tee "$TMP/site/.well-known/resourcesync" >"$TMP/site/resourcesync/blog/changelist.xml"
echo '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"/>' >"$TMP/site/feed.xml"
echo '<?xml version="1.0"?><rss version="2.0"/>' >"$TMP/site/rss.xml"
head -c 5000000 /dev/zero >"$TMP/site/large.bin"
# Older than a minute, so that the date alone would do as a validator, too.
find "$TMP/site" -type f -exec touch -d '2026-11-16 01:00:00 UTC' {} +

start() { # start ARGS…: sets url, pid; inspect and metrics, if asked for
  start_serve "$ADIT" "$@"
  inspect=$(sed -n 's/.*inspector: \(.*\)\/$/\1/p' "$TMP/serve.err")
  metrics=$(sed -n 's/.*metrics on //p' "$TMP/serve.err")
}

run "$ADIT" serve
is_status 2 "without an origin"
run "$ADIT" serve "$TMP/nowhere" --listen 127.0.0.1:0
is_status 1 "a folder that is not there"
err_has "No such file" "and says so"
run "$ADIT" serve ftp://example.com --listen 127.0.0.1:0
is_status 2 "an upstream that is none"
run "$ADIT" serve "$TMP/site" --listen 127.0.0.1:0 --metrics nonsense
is_status 2 "metrics on an address that is none"
run "$ADIT" serve "$TMP/site" --listen nonsense
is_status 2 "an address that is none"
echo '{"sections":{"blog":"x"}}' >"$TMP/bad.json"
run "$ADIT" serve "$TMP/site" --config "$TMP/bad.json" --listen 127.0.0.1:0
is_status 1 "a configuration with a bad value"
err_has "bad.json: sections.blog: must be a path" "is refused with the key's path"

start "$TMP/site"
ok "$([ -n "$url" ]; echo $?)" "listens on a free port"
get /post/
is "$code" 200 "a page"
ok "$(grep -q "<meta charset=\"utf-8\"><link rel=\"alternate\" type=\"application/json\" href=\"$url/post/llm/\">" "$TMP/body"; echo $?)" "with its link"
get /post/llm/
is "$code" 200 "its machine view"
is "$(jq -r .title "$TMP/body")" "A post" "with the title"
is "$(jq -r .canonical_url "$TMP/body")" "$url/post/" "and the canonical URL"
etag=$(field etag)
is "\"$(jq -r .hash "$TMP/body")\"" "$etag" "hash and ETag are one"
is "\"$("$ADIT" page "$TMP/site/post/index.html" --url "$url/post/" --format tct | jq -r .hash)\"" "$etag" "and the same as adit page's"
get /post/llm/ -H "if-none-match: $etag"
is "$code" 304 "304"
get /post
is "$code $(field location)" "301 /post/" "a folder without its slash"
get /file.html
is "$code" 200 "a file"
get /file.html/llm
is "$(jq -r .title "$TMP/body")" "A file" "its machine view"
get /style.css
is "$(field content-type)" "text/css" "types of files"
while read -r path type; do
  get "$path"
  is "$code $(field content-type)" "200 $type" "$path: its type"
  get "$path" -H "if-none-match: $(field etag)"
  is "$code" 304 "$path: 304"
done <<'END'
/.well-known/resourcesync application/xml
/resourcesync/blog/changelist.xml application/xml
/resourcesync/news/changelist.xml application/xml
/feed.xml application/atom+xml
/rss.xml application/xml
END
get /large.bin -H 'range: bytes=10-19'
is "$code $(wc -c <"$TMP/body" | tr -d ' ')" "206 10" "ranges of files"
get /large.bin
is "$(wc -c <"$TMP/body" | tr -d ' ')" 5000000 "whole files"
css_etag=$(get /style.css; field etag)
get /style.css -H "if-none-match: $css_etag"
is "$code" 304 "304 of files"
get /style.css -H "if-match: $css_etag"
is "$code" 200 "If-Match of the file as it is"
get /style.css -H 'if-match: "another"' -H "if-none-match: $css_etag"
is "$code" 412 "If-Match of another one comes first"
for path in /../outside /..%2foutside /%2e%2e/outside /.hidden/x /link /post/../../outside '/%00' /nowhere /style.css/ /%zz; do
  get "$path"
  is "$code" 404 "$path: 404"
done
get / -X POST -d x
is "$code" 405 "folders are not written to"
get //post
is "$(field location)" "/post/" "no redirect to another host"
page "Changed" >"$TMP/site/post/index.html"
get /post/llm/ -H "if-none-match: $etag"
is "$code $(jq -r .title "$TMP/body")" "200 Changed" "a changed page is seen at once"
stop
is_status 0 "SIGTERM ends it"
ok "$(grep -q '"GET /post/llm/ HTTP/1.1" 304 0 "-" "curl[^"]*" machine' "$TMP/log"; echo $?)" "the access log"
is "$inspect$metrics" "" "nothing is shown that was not asked for"

# --inspect and --metrics: listeners of their own.
mkdir "$TMP/site/-"
echo mine >"$TMP/site/-/x.txt"
start "$TMP/site" --inspect --metrics 127.0.0.1:0
for path in /-/ /-/metrics /-/pages.json /metrics /pages.json; do
  get "$path"
  is "$code" 404 "$path is nothing at the site's address"
  get "$path" -H "host: localhost:${url##*:}"
  is "$code" 404 "nor by another name"
done
get /-/x.txt
is "$code $(cat "$TMP/body")" "200 mine" "a file of the site below /-/"
get "/${inspect##*/}/"
is "$code" 404 "the secret path is nothing there"
get /post/llm/
site=$url
# at URL PATH STATUS WHAT [curl options]
at() {
  url=$1 want=$3 what=$4
  path=$2
  shift 4
  get "$path" "$@"
  is "$code" "$want" "$what"
}
base=${inspect%/*} token=${inspect##*/}
is "$(printf %s "$token" | tr -d 0-9a-f | wc -c | tr -d ' ') ${#token}" "0 32" "a token of 128 bits"
at "$inspect" / 200 "the page"
ok "$(grep -q '<title>adit' "$TMP/body"; echo $?)" "is the inspector"
is "$(field referrer-policy) $(field cache-control)" "no-referrer no-store" "its address stays with it"
at "$inspect" /pages.json 200 "the list"
is "$(jq -r '[.[].path] | sort | join(" ")' "$TMP/body")" "/ /file.html /post/ /tag/x/" "of pages"
at "$inspect" /raw/post/ 200 "a page as text"
is "$(field content-type)" "text/plain; charset=utf-8" "that does not run here"
ok "$(field link | grep -q "<$site/post/llm/>"; echo $?)" "with its Link"
at "$inspect" /raw/post/llm/ 200 "its machine view"
is "$(jq -r .title "$TMP/body")" Changed "the same"
at "$inspect" /raw/nowhere 404 "a page that is not there"
at "$inspect" /raw/../pages.json 404 "no way around"
at "$inspect" /metrics 200 "the counters, for the same person"
at "$inspect" / 405 "nothing is sent there" -d x
at "$base" / 404 "without the token"
at "$base" /pages.json 404 "the list without the token"
at "$base/0${token#?}x" / 404 "a longer token"
at "$base/${token%?}" / 404 "a shorter one"
at "$base/$(printf %s "$token" | tr 0-9a-f 1-9a-f0)" / 404 "another one"
at "$inspect" / 403 "another name (DNS rebinding)" -H 'host: evil.example'
at "$inspect" / 403 "another name with the port" -H "host: evil.example:${base##*:}"
at "$inspect" / 403 "no name" -H 'host:'
at "$inspect" / 200 "localhost" -H "host: localhost:${base##*:}"
at "$metrics" '' 200 "the counters"
ok "$(grep -q '^adit_machine_200_total [1-9]' "$TMP/body"; echo $?)" "count"
at "${metrics%/metrics}" / 404 "nothing else there"
at "${metrics%/metrics}" /pages.json 404 "no list"
at "$metrics" '' 403 "counters under another name" -H 'host: evil.example'
stop
is_status 0 "SIGTERM ends all of it"

# Pages of an upstream are those of its XML sitemap, where it has no JSON one; XML is unescaped.
mkdir "$TMP/up"
for f in index.html 'a&b.html'; do cp "$TMP/site/file.html" "$TMP/up/$f"; done
start_serve "$ADIT" "$TMP/up"
upstream=$url up_pid=$pid
echo "{\"origin\":\"$upstream\",\"require_https\":false,\"sitemap\":{\"path\":\"/none.json\"}}" >"$TMP/up.json"
echo "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>$upstream/a&amp;b.html</loc></url><url><loc>https://elsewhere.example/x</loc></url></urlset>" >"$TMP/up/sitemap.xml"
start "$upstream" --config "$TMP/up.json" --inspect
at "$inspect" /pages.json 200 "the list of an upstream"
is "$(jq -c . "$TMP/body")" '[{"path":"/a&b.html"}]' "is its sitemap's, without other sites"
stop
kill "$up_pid"

start_nginx() { # on $port, in front of $direct: sets ngx, url
  start_nginx_with "
  proxy_cache_path $TMP/nginx/cache keys_zone=c:1m;
  server {
    listen 127.0.0.1:$port;
    location / {
      proxy_pass $direct; proxy_http_version 1.1; proxy_set_header Connection '';
      proxy_set_header Host example.com; proxy_set_header X-Forwarded-Proto https;
    }
    location /plain/ { proxy_pass $direct/; }
    location /fresh/ {
      proxy_pass $direct/; proxy_set_header Host example.com; proxy_set_header X-Forwarded-Proto https;
      proxy_cache c; proxy_cache_revalidate on; proxy_ignore_headers Cache-Control; proxy_cache_valid 200 3s;
      add_header X-Cache \$upstream_cache_status always;
    }
  }"
  url=http://127.0.0.1:$port
  for _ in $(seq 100); do
    kill -0 "$ngx" 2>/dev/null || return 0
    get /style.css 2>/dev/null
    [ "$code" = 200 ] && return 0
    sleep 0.2
  done
}

# The well-known way through a cache.
if ! command -v nginx >/dev/null 2>&1; then
  skip "nginx as a cache" "no nginx"
else
  printf '{"origin":"https://example.com"}' >"$TMP/adit.json"
  start "$TMP/site" --config "$TMP/adit.json" --inspect --metrics 127.0.0.1:0
  direct=$url
  # A port that is free now may be another's a moment later: then try again.
  for _ in 1 2 3 4 5; do
    port=$(free_port)
    start_nginx
    kill -0 "$ngx" 2>/dev/null && break
  done
  get /fresh/post/llm/
  is "$code $(field x-cache)" "200 MISS" "through a cache: MISS"
  etag=$(field etag)
  cp "$TMP/body" "$TMP/first"
  get /fresh/post/llm/
  is "$code $(field x-cache)" "200 HIT" "through a cache: HIT"
  same "$TMP/body" "$TMP/first" "the same bytes"
  sleep 4.1
  get /fresh/post/llm/
  is "$code $(field x-cache)" "200 REVALIDATED" "through a cache: revalidated by ETag"
  get /fresh/post/llm/ -H "if-none-match: $etag"
  is "$code" 304 "304 from the cache"
  page "Changed again" >"$TMP/site/post/index.html"
  sleep 4.1
  get /fresh/post/llm/
  is "$(field x-cache) $(jq -r .title "$TMP/body")" "EXPIRED Changed again" "a change arrives when the cache asks"
  get /post/llm/
  is "$code" 200 "through a proxy without a cache"
  is "$(jq -r .canonical_url "$TMP/body")" "https://example.com/post/" "the public URL, whatever the names in between"
  etag=$(field etag)
  get /post/llm/ -H "if-none-match: $etag"
  is "$code" 304 "304 end to end"
  is "$(curl -s "$metrics" | sed -n 's/^adit_conversions_total //p')" 2 "two conversions for all of it"
  is "$(curl -s "$metrics" | sed -n 's/^adit_revalidated_total //p')" 3 "the rest was revalidated without a body"
  # nginx's defaults: Host is the address passed to, and nothing tells of a proxy.
  for path in /-/ /-/metrics /-/pages.json /metrics /pages.json; do
    get "/plain$path"
    is "$code" 404 "$path: not through a proxy"
  done
  get /plain/post/
  is "$code" 200 "while the site is"
  kill "$ngx"
  wait "$ngx" 2>/dev/null
  ngx=
  stop
fi

# The packaged unit's options and configuration (https is required there): what the server says to try works as it stands.
. scripts/package/debian/default
# shellcheck disable=SC2086
start_serve "$ADIT" "$TMP/site" --config scripts/package/debian/adit.json $ADIT_OPTIONS
hint=$(sed -n 's/^adit: try: //p' "$TMP/serve.err")
case $hint in "curl -H 'Accept: text/markdown' $url/") ok 0 "the hint of the packaged unit" ;; *) ok 1 "the hint of the packaged unit: $hint" ;; esac
is "$(eval "$hint -s" | head -n 1)" "# Home" "answers with Markdown"
get /llm/ -H 'X-Forwarded-Proto: http'
is "$code" 308 "while a client that came by http is sent to https"
stop
done_testing
