# Slow: a folder that takes longer to read than a request waits: 503 with Retry-After, then the documents.
. batch/tests/lib.sh

mkdir "$TMP/site"
python3 - >"$TMP/site/0.html" <<'PY'
print("<!doctype html><html lang=en><head><title>Long</title></head><body><main>")
for i in range(15000):
    print(f"<p>Paragraph {i} has <b>words</b>, a <a href='/{i}'>link</a> and enough of a sentence to be taken for content.</p>")
PY
began=$(date +%s%N)
"$ADIT" page "$TMP/site/0.html" --url https://e.com/ --format tct >/dev/null
each=$((($(date +%s%N) - began) / 1000000 + 1))
n=$((10000 / each + 10)) # ten seconds of work, whatever this machine does in one
[ "$n" -lt 2000 ] || n=2000
for i in $(seq "$n"); do ln "$TMP/site/0.html" "$TMP/site/$i.html"; done
n=0
start_serve "$ADIT" "$TMP/site"
code=$(curl -s -D "$TMP/head" -o "$TMP/body" -w '%{http_code}' "$url/llm-sitemap.json")
is "$code $(tr -d '\r' <"$TMP/head" | sed -n 's/^retry-after: //Ip')" "503 2" "a folder that is still being read"
is "$(curl -s -o /dev/null -w '%{http_code}' "$url/0.html")" 200 "its pages are there meanwhile"
for _ in $(seq 100); do
  code=$(curl -s -o "$TMP/body" -w '%{http_code}' "$url/llm-sitemap.json")
  [ "$code" = 503 ] || break
  sleep 1
done
is "$code" 200 "then it is listed"
is "$(jq '.items | length' "$TMP/body")" "$(find "$TMP/site" -name '*.html' | wc -l)" "whole"
stop
done_testing
