# Slow: The JSON sitemap over an upstream: pack wrote it some time ago, pages have changed since. Directly,
# and with nginx in front and adit sync behind it.
. batch/tests/lib.sh

page() {
  printf '<!doctype html><html lang="en"><head><title>%s</title></head><body><nav><a href="/">Home</a></nav><main><h1>%s</h1><p>The first paragraph has enough words to be taken for content by any reader of this page.</p><p>%s</p></main></body></html>\n' "$1" "$1" "$2"
}
mkdir -p "$TMP/site/one" "$TMP/site/two" "$TMP/site/three"
for p in one two three; do page "$p" "What it says at first, in a sentence of its own." >"$TMP/site/$p/index.html"; done
page Home "What it says at first, in a sentence of its own." >"$TMP/site/index.html"
origin_port=$(free_port) port=$(free_port) front=$(free_port)
python3 -m http.server --bind 127.0.0.1 --directory "$TMP/site" "$origin_port" >/dev/null 2>&1 &
server=$!
wait_for curl -sf "http://127.0.0.1:$origin_port/"
publish() { "$ADIT" pack "$TMP/site" --base-url "$site/" --config "$TMP/adit.json" -o "$TMP/pub" >/dev/null 2>&1 && cp "$TMP/pub/llm-sitemap.json" "$TMP/site/" && touch -d "1 minute ago" "$TMP/site/llm-sitemap.json"; } # what is learned in the same second does not count
listed() { curl -s "$site/llm-sitemap.json" | jq -r '.items[] | .cUrl[-5:] + .contentHash' | sort; }
tag() { curl -sI "$site$1" | tr -d '\r' | sed -n 's/^etag: "\(.*\)"$/\1/Ip'; }
is_current() { # is_current WHAT: every item of the sitemap has the ETag of its machine URL
  curl -s "$site/llm-sitemap.json" >"$TMP/map"
  wrong=0
  for i in $(jq -r '.items[] | .mUrl + "=" + .contentHash + "=" + .etag' "$TMP/map"); do
    m=${i%%=*} both=${i#*=}
    [ "$(tag "${m#"$site"}")" = "${both%=*}" ] && [ "${both%=*}" = "${both#*=}" ] || wrong=$((wrong + 1))
  done
  ok "$wrong" "$1: contentHash = etag = ETag"
}
site=http://127.0.0.1:$port
echo "{\"origin\":\"$site\",\"require_https\":false}" >"$TMP/adit.json"
publish
start_serve_at() { # start_serve_at: on $port
  "$ADIT" serve "http://127.0.0.1:$origin_port" --listen "127.0.0.1:$port" --config "$TMP/adit.json" >"$TMP/log" 2>"$TMP/serve.err" &
  pid=$!
  wait_for curl -s "$site/"
}
start_serve_at
listed >"$TMP/before"
is_current "as packed"
is "$(jq '.items | length' "$TMP/map")" 4 "all pages are listed"
page one "What it says now is something else, and nobody has packed since." >"$TMP/site/one/index.html"
touch -d '2 minutes' "$TMP/site/one/index.html"
rm -r "$TMP/site/two"
tag /one/llm/ >/dev/null
curl -s -o /dev/null "$site/two/llm/"
is_current "after a change"
is "$(jq -r '.items[].cUrl' "$TMP/map" | grep -c /two/)" 0 "a page that is gone is not listed"
listed >"$TMP/after"
is "$(diff "$TMP/before" "$TMP/after" | grep -c '^[<>]')" 3 "the others are as they were"
etag=$(tag /llm-sitemap.json)
is "$etag" "sha256-$(curl -s "$site/llm-sitemap.json" | sha256sum | cut -d' ' -f1)" "its own ETag is that of the bytes sent"
is "$(curl -s -o /dev/null -w '%{http_code}' -H "if-none-match: \"$etag\"" "$site/llm-sitemap.json")" 304 "and gives 304"
"$ADIT" sync --check "$site/" --json >"$TMP/out" 2>"$TMP/err"
is "$(jq -r '[.violations[].rule] | map(select(startswith("tct-parity"))) | length' "$TMP/out")" 0 "sync --check: parity"
stop

# nginx in front, which caches; the agent behind it.
if command -v nginx >/dev/null; then
  own=$site site=http://127.0.0.1:$front
  echo "{\"origin\":\"$site\",\"require_https\":false}" >"$TMP/adit.json"
  publish
  site=$own start_serve_at
  start_nginx_with "
  proxy_cache_path $TMP/nginx/cache keys_zone=c:1m;
  server {
    listen 127.0.0.1:$front;
    location / {
      proxy_pass http://127.0.0.1:$port; proxy_http_version 1.1; proxy_set_header Connection '';
      proxy_set_header Host \$http_host; proxy_cache c; proxy_cache_revalidate on;
    }
  }"
  wait_for curl -s "$site/"
  agent() { "$ADIT" sync "$site/" "$TMP/dir" --via tct --json --allow-http --allow-private >"$TMP/out" 2>"$TMP/err"; }
  agent
  is "$(jq -c '[.pages, .new, .lost]' "$TMP/out")" '[3,3,0]' "sync behind nginx takes every page"
  page three "A third text, of which the sitemap's file knows nothing." >"$TMP/site/three/index.html"
  touch -d '4 minutes' "$TMP/site/three/index.html"
  curl -s -o /dev/null "$site/three/llm/" # somebody asks for it: the edge learns
  is_current "behind nginx"
  agent
  is "$(jq -c '[.updated, .pages_fetched, .lost, (.violations | map(select(.rule == "tct-parity-sitemap")) | length)]' "$TMP/out")" '[1,1,0,0]' "sync fetches the one that changed, and finds no mismatch"
  "$ADIT" cat "$TMP/dir/site.scp.zst" >"$TMP/pages"
  is "$(grep -c 'A third text' "$TMP/pages")" 1 "and holds it"
  kill "$ngx" "$pid"
  wait "$ngx" "$pid"
else
  skip "behind nginx" "nginx is not here"
fi
done_testing
